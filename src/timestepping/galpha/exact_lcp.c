#include <carom/timestepping/galpha/schemes.h>

#include <carom/base/vector.h>
#include <carom/lcp/lcp.h>

#include <stdlib.h>
#include <string.h>

/* Position and velocity level influence each other through damping only; their problems are solved
 * in turn this often within one linearization. */
enum { LEVEL_SWEEPS = 3 };

struct carom_exact_lcp {
    int size;      /* N of the Newton system */
    int kinematic; /* entries before the multipliers */
    int level_count;
    int contact_count;    /* n_u */
    int unknowns;         /* level_count n_u */
    carom_saddle *saddle; /* of the call */
    double *right;        /* [N] of the call: residual, then increment */

    double *rows;        /* [unknowns][N] gap or rate rows */
    double *responses;   /* [unknowns][N] increment per unit of a multiplier */
    double *free_motion; /* [N] increment with the multipliers unchanged */
    double *delassus;    /* [unknowns][unknowns] */
    double *offset;      /* [unknowns] complement at zero multipliers */
    double *multipliers; /* [unknowns] solution */
    double *lcp_matrix;  /* [n_u][n_u] */
    double *lcp_vector;  /* [n_u] */
    double *lcp_result;  /* [n_u] */
    bool *contacts;      /* [n_u] eligible */
    carom_lcp_workspace *lcp;
};

static carom_status alloc_arrays(carom_exact_lcp *s) {
    const size_t N = (size_t)s->size;
    const size_t u = (size_t)s->unknowns;
    const size_t c = (size_t)s->contact_count;
    s->rows = calloc(u * N + 1, sizeof(double));
    s->responses = calloc(u * N + 1, sizeof(double));
    s->free_motion = calloc(N, sizeof(double));
    s->delassus = calloc(u * u + 1, sizeof(double));
    s->offset = calloc(2 * u + 1, sizeof(double));
    s->lcp_matrix = calloc(c * c + 1, sizeof(double));
    s->lcp_vector = calloc(2 * c + 1, sizeof(double));
    s->contacts = calloc(c + 1, sizeof(bool));
    if (s->rows == NULL || s->responses == NULL || s->free_motion == NULL || s->delassus == NULL ||
        s->offset == NULL || s->lcp_matrix == NULL || s->lcp_vector == NULL ||
        s->contacts == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->multipliers = s->offset + u;
    s->lcp_result = s->lcp_vector + c;
    return carom_lcp_workspace_alloc(s->contact_count, &s->lcp);
}

carom_status carom_exact_lcp_alloc(int kinematic, int size, int level_count, int contact_count,
                                   carom_exact_lcp **out) {
    *out = NULL;
    CAROM_AUTO(carom_exact_lcp) s = calloc(1, sizeof *s);
    if (s == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->size = size;
    s->kinematic = kinematic;
    s->level_count = level_count;
    s->contact_count = contact_count;
    s->unknowns = level_count * contact_count;
    CAROM_TRY(alloc_arrays(s));
    CAROM_HAND_OVER(s, out);
    return CAROM_OK;
}

void carom_exact_lcp_free(carom_exact_lcp *exact) {
    if (exact == NULL) {
        return;
    }
    free(exact->rows);
    free(exact->responses);
    free(exact->free_motion);
    free(exact->delassus);
    free(exact->offset);
    free(exact->lcp_matrix);
    free(exact->lcp_vector);
    free(exact->contacts);
    carom_lcp_workspace_free(exact->lcp);
    free(exact);
}

static int multiplier_index(const carom_newton_problem *problem, int level, int contact) {
    return problem->first_multiplier[level] + contact;
}

static double *vector(const carom_exact_lcp *s, double *vectors, int unknown) {
    return vectors + (size_t)unknown * (size_t)s->size;
}

/*
 * With every contact imposed the linearized step reads  K dk + c (-dz) = -r_k,  w + rho dk : take
 * columns c and rows rho out of the matrix, and solve for the motion per unit of each multiplier.
 */
static carom_status condense(carom_exact_lcp *s, const carom_newton_problem *problem) {
    const size_t all = (size_t)s->contact_count * sizeof(bool);
    for (int level = 0; level < s->level_count; level++) {
        memset(problem->active[level], true, all);
    }
    problem->residual(problem->self, s->right);
    problem->assemble(problem->self, s->saddle);
    for (int level = 0; level < s->level_count; level++) {
        for (int j = 0; j < s->contact_count; j++) {
            const int unknown = level * s->contact_count + j;
            const int index = multiplier_index(problem, level, j);
            carom_saddle_get_column(s->saddle, index, vector(s, s->responses, unknown));
            carom_saddle_get_row(s->saddle, index, vector(s, s->rows, unknown));
            s->offset[unknown] = s->right[s->kinematic + index];
        }
    }
    for (int level = 0; level < s->level_count; level++) {
        for (int j = 0; j < s->contact_count; j++) {
            carom_saddle_release(s->saddle, multiplier_index(problem, level, j));
        }
    }
    CAROM_TRY(carom_saddle_factor(s->saddle));
    for (int i = 0; i < s->size; i++) {
        s->free_motion[i] = -s->right[i];
    }
    for (int level = 0; level < s->level_count; level++) {
        for (int j = 0; j < s->contact_count; j++) {
            s->free_motion[s->kinematic + multiplier_index(problem, level, j)] = 0.0;
        }
    }
    CAROM_TRY(carom_saddle_solve(s->saddle, s->free_motion));
    for (int k = 0; k < s->unknowns; k++) {
        double *response = vector(s, s->responses, k);
        CAROM_TRY(carom_saddle_solve(s->saddle, response));
    }
    return CAROM_OK;
}

/* Complements as affine functions of the multipliers: w = offset + delassus z. */
static void make_delassus(carom_exact_lcp *s, const carom_newton_problem *problem) {
    for (int i = 0; i < s->unknowns; i++) {
        const double *row = vector(s, s->rows, i);
        s->offset[i] += carom_vector_dot(s->size, row, s->free_motion);
        for (int k = 0; k < s->unknowns; k++) {
            const int level = k / s->contact_count;
            const double z = problem->multiplier(problem->self, level, k % s->contact_count);
            const double d = carom_vector_dot(s->size, row, vector(s, s->responses, k));
            s->delassus[i * s->unknowns + k] = d;
            s->offset[i] -= d * z;
        }
    }
    if (!problem->is_coupled) {
        return;
    }
    /* level 0 in terms of the difference of the multipliers: the column of level 1 takes both */
    const int c = s->contact_count;
    for (int i = 0; i < s->unknowns; i++) {
        for (int j = 0; j < c; j++) {
            s->delassus[i * s->unknowns + c + j] += s->delassus[i * s->unknowns + j];
        }
    }
}

/* Solve one level for its multipliers on the eligible contacts, the others' multipliers held. */
static carom_status solve_level(carom_exact_lcp *s, int level) {
    const int c = s->contact_count;
    int count = 0;
    for (int j = 0; j < c; j++) {
        if (!s->contacts[j]) {
            s->multipliers[level * c + j] = 0.0;
        }
    }
    for (int j = 0; j < c; j++) {
        if (!s->contacts[j]) {
            continue;
        }
        const int row = level * c + j;
        double q = s->offset[row];
        for (int k = 0; k < s->unknowns; k++) {
            if (k / c != level) {
                q += s->delassus[row * s->unknowns + k] * s->multipliers[k];
            }
        }
        s->lcp_vector[count++] = q;
    }
    for (int i = 0, a = 0; i < c; i++) {
        if (!s->contacts[i]) {
            continue;
        }
        for (int j = 0, b = 0; j < c; j++) {
            if (s->contacts[j]) {
                s->lcp_matrix[a * count + b++] =
                    s->delassus[(level * c + i) * s->unknowns + level * c + j];
            }
        }
        a++;
    }
    CAROM_TRY(
        carom_lcp_solve_lemke(count, s->lcp_matrix, s->lcp_vector, s->lcp_result, s->lcp, NULL));
    for (int j = 0, a = 0; j < c; j++) {
        if (s->contacts[j]) {
            s->multipliers[level * c + j] = s->lcp_result[a++];
        }
    }
    return CAROM_OK;
}

/* Increment that belongs to the multipliers found. */
static void form_increment(carom_exact_lcp *s, const carom_newton_problem *problem) {
    memcpy(s->right, s->free_motion, (size_t)s->size * sizeof *s->right);
    for (int k = 0; k < s->unknowns; k++) {
        const int level = k / s->contact_count;
        const int j = k % s->contact_count;
        double z = s->multipliers[k];
        if (problem->is_coupled && level == 0) {
            z += s->multipliers[k + s->contact_count];
        }
        const double dz = z - problem->multiplier(problem->self, level, j);
        const double *response = vector(s, s->responses, k);
        for (int i = 0; i < s->size; i++) {
            s->right[i] += dz * response[i];
        }
        s->right[s->kinematic + multiplier_index(problem, level, j)] = -dz;
    }
}

/* One iteration with the linearized step solved exactly; leaves sets and increment. */
carom_status carom_exact_lcp_increment(carom_exact_lcp *exact, const carom_newton_problem *problem,
                                       carom_saddle *saddle, double *increment) {
    exact->saddle = saddle;
    exact->right = increment;
    CAROM_TRY(condense(exact, problem));
    make_delassus(exact, problem);
    for (int k = 0; k < exact->unknowns; k++) {
        exact->multipliers[k] = 0.0;
    }
    for (int sweep = 0; sweep < LEVEL_SWEEPS; sweep++) {
        for (int level = 0; level < exact->level_count; level++) {
            form_increment(exact, problem);
            problem->eligible(problem->self, level, exact->right, exact->contacts);
            CAROM_TRY(solve_level(exact, level));
        }
    }
    form_increment(exact, problem);
    for (int level = 0; level < exact->level_count; level++) {
        for (int j = 0; j < exact->contact_count; j++) {
            problem->active[level][j] = exact->multipliers[level * exact->contact_count + j] > 0.0;
        }
    }
    return CAROM_OK;
}
