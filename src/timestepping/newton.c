#include <carom/timestepping/newton.h>

#include <carom/lcp/lemke.h>

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Position and velocity level influence each other through damping only; their problems are solved
 * in turn this often within one linearization. */
enum { LEVEL_SWEEPS = 3 };

/* All choices of the active sets are tried for at most this many contact conditions (2^8 solves).
 */
enum { ENUMERATED_UNKNOWNS = 8 };

struct carom_newton_solver {
    int size;      /* N of the Newton system */
    int kinematic; /* entries before the multipliers */
    int level_count;
    int contact_count; /* n_u */
    int unknowns;      /* level_count n_u */
    int max_iterations;

    carom_saddle *saddle;
    double *right; /* [N] residual, then increment */
    bool *history; /* [max_iterations][unknowns] sets met so far */
    int history_length;

    /* the condensed problem of the exact LCP */
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

static carom_status alloc_arrays(carom_newton_solver *s) {
    const size_t N = (size_t)s->size;
    const size_t u = (size_t)s->unknowns;
    const size_t c = (size_t)s->contact_count;
    s->right = calloc(N, sizeof(double));
    s->history = calloc((size_t)s->max_iterations * u + 1, sizeof(bool));
    s->rows = calloc(u * N + 1, sizeof(double));
    s->responses = calloc(u * N + 1, sizeof(double));
    s->free_motion = calloc(N, sizeof(double));
    s->delassus = calloc(u * u + 1, sizeof(double));
    s->offset = calloc(2 * u + 1, sizeof(double));
    s->lcp_matrix = calloc(c * c + 1, sizeof(double));
    s->lcp_vector = calloc(2 * c + 1, sizeof(double));
    s->contacts = calloc(c + 1, sizeof(bool));
    if (s->right == NULL || s->history == NULL || s->rows == NULL || s->responses == NULL ||
        s->free_motion == NULL || s->delassus == NULL || s->offset == NULL ||
        s->lcp_matrix == NULL || s->lcp_vector == NULL || s->contacts == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->multipliers = s->offset + u;
    s->lcp_result = s->lcp_vector + c;
    return carom_lcp_workspace_alloc(s->contact_count, &s->lcp);
}

carom_status carom_newton_solver_alloc(carom_layout layout, int block_count, int multiplier_count,
                                       int level_count, int contact_count, int max_iterations,
                                       carom_newton_solver **out) {
    *out = NULL;
    carom_newton_solver *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->kinematic = block_count * layout.size;
    s->size = s->kinematic + multiplier_count;
    s->level_count = level_count;
    s->contact_count = contact_count;
    s->unknowns = level_count * contact_count;
    s->max_iterations = max_iterations;
    carom_status status = carom_saddle_alloc(layout, block_count, multiplier_count, &s->saddle);
    if (status == CAROM_OK) {
        status = alloc_arrays(s);
    }
    if (status != CAROM_OK) {
        carom_newton_solver_free(s);
        return status;
    }
    *out = s;
    return CAROM_OK;
}

void carom_newton_solver_free(carom_newton_solver *solver) {
    if (solver == NULL) {
        return;
    }
    carom_saddle_free(solver->saddle);
    free(solver->right);
    free(solver->history);
    free(solver->rows);
    free(solver->responses);
    free(solver->free_motion);
    free(solver->delassus);
    free(solver->offset);
    free(solver->lcp_matrix);
    free(solver->lcp_vector);
    free(solver->contacts);
    carom_lcp_workspace_free(solver->lcp);
    free(solver);
}

/* The larger of a norm and a size; NaN is taken over. */
static double larger(double norm, double size) {
    return size <= norm ? norm : size;
}

double carom_newton_residual_norm(const carom_newton_problem *problem, int kinematic, int size,
                                  int contacts, const double *r) {
    const double unit = 1.0 / problem->momentum_scale;
    double norm = 0.0;
    for (int i = 0; i < kinematic; i++) {
        norm = larger(norm, unit * fabs(r[i]));
    }
    for (int i = kinematic; i < size; i++) {
        bool is_momentum = false;
        for (int level = 0; level < problem->level_count; level++) {
            const int contact = i - kinematic - problem->first_multiplier[level];
            is_momentum = is_momentum ||
                          (contact >= 0 && contact < contacts && !problem->active[level][contact]);
        }
        norm = larger(norm, is_momentum ? unit * fabs(r[i]) : fabs(r[i]));
    }
    return norm;
}

static double residual_norm(const carom_newton_solver *s, const carom_newton_problem *problem) {
    return carom_newton_residual_norm(problem, s->kinematic, s->size, s->contact_count, s->right);
}

/* Append the current sets to the history; true if they were met before and left in between. */
static bool sets_return(carom_newton_solver *s, const carom_newton_problem *problem) {
    const size_t bytes = (size_t)s->unknowns * sizeof(bool);
    bool *current = s->history + (size_t)s->history_length * (size_t)s->unknowns;
    for (int level = 0; level < s->level_count; level++) {
        memcpy(current + level * s->contact_count, problem->active[level],
               (size_t)s->contact_count * sizeof(bool));
    }
    const int last = s->history_length - 1;
    if (last >= 0 && memcmp(current, current - s->unknowns, bytes) == 0) {
        return false; /* unchanged: plain Newton goes on */
    }
    for (int k = 0; k < last; k++) {
        if (memcmp(current, s->history + (size_t)k * (size_t)s->unknowns, bytes) == 0) {
            return true;
        }
    }
    s->history_length++;
    return false;
}

static int multiplier_index(const carom_newton_problem *problem, int level, int contact) {
    return problem->first_multiplier[level] + contact;
}

static double *vector(const carom_newton_solver *s, double *vectors, int unknown) {
    return vectors + (size_t)unknown * (size_t)s->size;
}

static double dot(int n, const double *x, const double *y) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/*
 * With every contact imposed the linearized step reads  K dk + c (-dz) = -r_k,  w + rho dk : take
 * columns c and rows rho out of the matrix, and solve for the motion per unit of each multiplier.
 */
static carom_status condense(carom_newton_solver *s, const carom_newton_problem *problem) {
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
static void make_delassus(carom_newton_solver *s, const carom_newton_problem *problem) {
    for (int i = 0; i < s->unknowns; i++) {
        const double *row = vector(s, s->rows, i);
        s->offset[i] += dot(s->size, row, s->free_motion);
        for (int k = 0; k < s->unknowns; k++) {
            const int level = k / s->contact_count;
            const double z = problem->multiplier(problem->self, level, k % s->contact_count);
            const double d = dot(s->size, row, vector(s, s->responses, k));
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
static carom_status solve_level(carom_newton_solver *s, int level) {
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
static void form_increment(carom_newton_solver *s, const carom_newton_problem *problem) {
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
static carom_status exact_lcp_increment(carom_newton_solver *s,
                                        const carom_newton_problem *problem) {
    CAROM_TRY(condense(s, problem));
    make_delassus(s, problem);
    for (int k = 0; k < s->unknowns; k++) {
        s->multipliers[k] = 0.0;
    }
    for (int sweep = 0; sweep < LEVEL_SWEEPS; sweep++) {
        for (int level = 0; level < s->level_count; level++) {
            form_increment(s, problem);
            problem->eligible(problem->self, level, s->right, s->contacts);
            CAROM_TRY(solve_level(s, level));
        }
    }
    form_increment(s, problem);
    for (int level = 0; level < s->level_count; level++) {
        for (int j = 0; j < s->contact_count; j++) {
            problem->active[level][j] = s->multipliers[level * s->contact_count + j] > 0.0;
        }
    }
    return CAROM_OK;
}

static carom_status newton_increment(carom_newton_solver *s, const carom_newton_problem *problem) {
    problem->assemble(problem->self, s->saddle);
    CAROM_TRY(carom_saddle_factor(s->saddle));
    for (int i = 0; i < s->size; i++) {
        s->right[i] = -s->right[i];
    }
    return carom_saddle_solve(s->saddle, s->right);
}

/* Semi-smooth Newton from the current iterate; a cycle of the sets hands over to the exact LCP. */
static carom_status iterate(carom_newton_solver *solver, const carom_newton_problem *problem,
                            double tolerance, carom_newton_result *result) {
    int iterations = 0;
    for (;; iterations++, result->iterations++) {
        if (!result->used_exact_lcp) {
            problem->activate(problem->self);
        }
        problem->residual(problem->self, solver->right);
        result->residual = residual_norm(solver, problem);
        if (!isfinite(result->residual)) {
            return CAROM_STATUS_NOT_FINITE;
        }
        if (result->residual < tolerance) {
            return CAROM_OK;
        }
        if (iterations == solver->max_iterations) {
            return CAROM_STATUS_NOT_CONVERGED;
        }
        if (!result->used_exact_lcp && sets_return(solver, problem)) {
            result->used_exact_lcp = true;
        }
        CAROM_TRY(result->used_exact_lcp ? exact_lcp_increment(solver, problem)
                                         : newton_increment(solver, problem));
        problem->update(problem->self, solver->right);
    }
}

/* Newton's method with the sets held; then whether the tests choose a set of the same residual. */
static bool solve_with_sets(carom_newton_solver *solver, const carom_newton_problem *problem,
                            int sets, double tolerance, carom_newton_result *result) {
    problem->predict(problem->self);
    for (int k = 0; k < solver->unknowns; k++) {
        problem->active[k / solver->contact_count][k % solver->contact_count] =
            ((sets >> k) & 1) != 0;
    }
    for (int iteration = 0;; iteration++) {
        problem->residual(problem->self, solver->right);
        const double residual = residual_norm(solver, problem);
        if (residual < tolerance) {
            break;
        }
        if (!isfinite(residual) || iteration == solver->max_iterations ||
            newton_increment(solver, problem) != CAROM_OK) {
            return false;
        }
        problem->update(problem->self, solver->right);
        result->iterations++;
    }
    problem->activate(problem->self);
    problem->residual(problem->self, solver->right);
    result->residual = residual_norm(solver, problem);
    return result->residual < tolerance;
}

carom_status carom_newton_solve(carom_newton_solver *solver, const carom_newton_problem *problem,
                                double tolerance, carom_newton_result *result) {
    solver->history_length = 0;
    *result = (carom_newton_result){.residual = NAN, .iterations = 0, .used_exact_lcp = false};
    problem->predict(problem->self);
    const carom_status status = iterate(solver, problem, tolerance, result);
    if (status == CAROM_OK || solver->unknowns == 0 || solver->unknowns > ENUMERATED_UNKNOWNS) {
        return status;
    }
    /* last resort for few contacts: every choice of the sets */
    const carom_newton_result failed = *result;
    for (int sets = 0; sets < 1 << solver->unknowns; sets++) {
        if (solve_with_sets(solver, problem, sets, tolerance, result)) {
            return CAROM_OK;
        }
    }
    *result = failed;
    return status;
}

/* Largest over smallest singular value of an N x N matrix, overwritten. */
static carom_status singular_value_ratio(gsl_matrix *matrix, double *ratio) {
    const size_t N = matrix->size1;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    gsl_matrix *V = gsl_matrix_alloc(N, N);
    gsl_vector *values = gsl_vector_alloc(N);
    gsl_vector *scratch = gsl_vector_alloc(N);
    if (V != NULL && values != NULL && scratch != NULL) {
        const int code = gsl_linalg_SV_decomp(matrix, V, values, scratch);
        status = code == GSL_SUCCESS ? CAROM_OK : CAROM_STATUS_NOT_CONVERGED;
        *ratio = gsl_vector_get(values, 0) / gsl_vector_get(values, N - 1);
    }
    gsl_matrix_free(V);
    gsl_vector_free(values);
    gsl_vector_free(scratch);
    return status;
}

carom_status carom_newton_condition_number(carom_newton_solver *solver,
                                           const carom_newton_problem *problem, double *condition) {
    *condition = (double)NAN;
    gsl_matrix *matrix = gsl_matrix_alloc((size_t)solver->size, (size_t)solver->size);
    if (matrix == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    problem->residual(problem->self, solver->right);
    problem->assemble(problem->self, solver->saddle);
    for (int i = 0; i < solver->size; i++) {
        for (int j = 0; j < solver->size; j++) {
            gsl_matrix_set(matrix, (size_t)i, (size_t)j, carom_saddle_entry(solver->saddle, i, j));
        }
    }
    const carom_status status = singular_value_ratio(matrix, condition);
    gsl_matrix_free(matrix);
    return status;
}
