#include <carom/timestepping/galpha/schemes.h>

#include <carom/base/vector.h>
#include <carom/contact/contact.h>
#include <carom/lcp/lcp.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Position and velocity level influence each other through damping, and by the displacement of
 * friction; their problems are solved in turn this often within one linearization. */
enum { LEVEL_SWEEPS = 3 };

/*
 * Contacts against each other, as two walls without play, have complements w = q + D z of which a
 * positive sum is zero. Rounding makes it negative, and no z has w >= 0; or it makes the singular D
 * regular too, and z a preload of the rounding of q over that of D. What belongs to the state
 * without forces is z = 0: it is a solution where the complements may fall short of zero by a part
 * of what the step's residual tolerates. That relaxed problem says which contacts act; they alone
 * are then closed exactly, by a problem that has none against another.
 */
static const double SLACK_PART = 0.5;
/* The gaps of a body that is held tight contradict each other, linearized, by the square of what it
 * has turned in an iterate: they are relaxed by so many times more until they do not. */
static const double MORE = 16.0;

/* A contact problem is solved to this part of the step's tolerance, then swept so often. */
static const double CONTACT_PART = 0.1;
enum { POLISHING_SWEEPS = 20 };

struct carom_exact_lcp {
    int size;      /* N of the Newton system */
    int kinematic; /* entries before the multipliers */
    int level_count;
    int contact_count;    /* n_u */
    int tangent_count;    /* t of a contact with friction */
    int unknowns;         /* level_count n_u, then n_u t tangents contact by contact */
    carom_saddle *saddle; /* of the call */
    double *right;        /* [N] of the call: residual, then increment */

    double *rows;        /* [unknowns][N] gap or rate rows */
    double *responses;   /* [unknowns][N] increment per unit of a multiplier */
    double *free_motion; /* [N] increment with the multipliers unchanged */
    double *delassus;    /* [unknowns][unknowns] */
    double *offset;      /* [unknowns] complement at zero multipliers */
    double *slack;       /* [unknowns] by which it may fall short of zero */
    double *scale;       /* [N] of the residual's rows */
    double *multipliers; /* [unknowns] solution */
    double *lcp_matrix;  /* [rows][rows], rows = n_u (1+t) */
    double *lcp_vector;  /* [rows] */
    double *lcp_result;  /* [rows] */
    double *friction;    /* [n_u] of the eligible contacts */
    int *members;        /* [rows] unknowns of the eligible contacts */
    bool *contacts;      /* [n_u] eligible */
    carom_lcp_workspace *lcp;
    carom_contact_solver *solver; /* with friction */
};

static carom_status alloc_arrays(carom_exact_lcp *s) {
    const size_t N = (size_t)s->size;
    const size_t u = (size_t)s->unknowns;
    const size_t c = (size_t)s->contact_count;
    const size_t r = c * (1 + (size_t)s->tangent_count);
    s->rows = calloc(u * N + 1, sizeof(double));
    s->responses = calloc(u * N + 1, sizeof(double));
    s->free_motion = calloc(N, sizeof(double));
    s->delassus = calloc(u * u + 1, sizeof(double));
    s->offset = calloc(3 * u + N, sizeof(double));
    s->lcp_matrix = calloc(r * r + 1, sizeof(double));
    s->lcp_vector = calloc(3 * r + c + 1, sizeof(double));
    s->members = calloc(r + 1, sizeof(int));
    s->contacts = calloc(c + 1, sizeof(bool));
    if (s->rows == NULL || s->responses == NULL || s->free_motion == NULL || s->delassus == NULL ||
        s->offset == NULL || s->lcp_matrix == NULL || s->lcp_vector == NULL || s->members == NULL ||
        s->contacts == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->multipliers = s->offset + u;
    s->slack = s->multipliers + u;
    s->scale = s->slack + u;
    s->lcp_result = s->lcp_vector + r;
    s->friction = s->lcp_result + 2 * r;
    if (s->tangent_count > 0) {
        CAROM_TRY(carom_contact_solver_alloc(&s->solver));
    }
    return carom_lcp_workspace_alloc(s->contact_count, &s->lcp);
}

carom_status carom_exact_lcp_alloc(int kinematic, int size, int level_count, int contact_count,
                                   int tangent_count, carom_exact_lcp **out) {
    *out = NULL;
    CAROM_AUTO(carom_exact_lcp) s = calloc(1, sizeof *s);
    if (s == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->size = size;
    s->kinematic = kinematic;
    s->level_count = level_count;
    s->contact_count = contact_count;
    s->tangent_count = tangent_count;
    s->unknowns = (level_count + tangent_count) * contact_count;
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
    free(exact->members);
    free(exact->contacts);
    carom_contact_solver_free(exact->solver);
    carom_lcp_workspace_free(exact->lcp);
    free(exact);
}

/* The level of an unknown; tangents lie behind the levels. */
static int level_of(const carom_exact_lcp *s, int unknown) {
    const int level = unknown / s->contact_count;
    return level < s->level_count ? level : s->level_count;
}

static int multiplier_index(const carom_exact_lcp *s, const carom_newton_problem *problem,
                            int unknown) {
    const int level = level_of(s, unknown);
    return problem->first_multiplier[level] + unknown - level * s->contact_count;
}

static double multiplier(const carom_exact_lcp *s, const carom_newton_problem *problem,
                         int unknown) {
    const int level = level_of(s, unknown);
    return problem->multiplier(problem->self, level, unknown - level * s->contact_count);
}

static double *vector(const carom_exact_lcp *s, double *vectors, int unknown) {
    return vectors + (size_t)unknown * (size_t)s->size;
}

/*
 * With every contact imposed the linearized step reads  K dk + c (-dz) = -r_k,  w + rho dk : take
 * columns c and rows rho out of the matrix, and solve for the motion per unit of each multiplier.
 */
static carom_status condense(carom_exact_lcp *s, const carom_newton_problem *problem,
                             double tolerance) {
    const size_t all = (size_t)s->contact_count * sizeof(bool);
    for (int level = 0; level < s->level_count; level++) {
        memset(problem->active[level], true, all);
    }
    problem->residual(problem->self, s->right);
    problem->scale(problem->self, s->scale);
    problem->assemble(problem->self, s->saddle);
    for (int k = 0; k < s->unknowns; k++) {
        const int index = multiplier_index(s, problem, k);
        carom_saddle_get_column(s->saddle, index, vector(s, s->responses, k));
        carom_saddle_get_row(s->saddle, index, vector(s, s->rows, k));
        s->offset[k] = s->right[s->kinematic + index];
        s->slack[k] = SLACK_PART * tolerance * s->scale[s->kinematic + index];
    }
    for (int k = 0; k < s->unknowns; k++) {
        carom_saddle_release(s->saddle, multiplier_index(s, problem, k));
    }
    CAROM_TRY(carom_saddle_factor(s->saddle));
    for (int i = 0; i < s->size; i++) {
        s->free_motion[i] = -s->right[i];
    }
    for (int k = 0; k < s->unknowns; k++) {
        s->free_motion[s->kinematic + multiplier_index(s, problem, k)] = 0.0;
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
            const double z = multiplier(s, problem, k);
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

/* Solve one level for its multipliers on the eligible contacts, the others' multipliers held;
 * multipliers that are not found stay. */
static carom_status solve_eligible(carom_exact_lcp *s, int level, double relaxation) {
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
        double q = s->offset[row] + relaxation * s->slack[row];
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

/* The eligible contact that lacks most at multipliers of zero. */
static int most_violated(const carom_exact_lcp *s) {
    int worst = -1;
    double least = INFINITY;
    for (int j = 0, a = 0; j < s->contact_count; j++) {
        if (s->contacts[j] && s->lcp_vector[a++] < least) {
            least = s->lcp_vector[a - 1];
            worst = j;
        }
    }
    return worst;
}

/*[solveLevel]*/
/* Which contacts act says the relaxed problem, with what multipliers the exact one. */
static carom_status solve_level(carom_exact_lcp *s, int level, int *contact) {
    double relaxation = 1.0;
    carom_status status = solve_eligible(s, level, relaxation);
    while (status != CAROM_OK && s->tangent_count > 0 && relaxation < 1.0 / DBL_EPSILON) {
        relaxation *= MORE;
        status = solve_eligible(s, level, relaxation);
    }
    if (status != CAROM_OK) {
        *contact = most_violated(s);
        return status;
    }
    for (int j = 0; j < s->contact_count; j++) {
        s->contacts[j] = s->contacts[j] && s->multipliers[level * s->contact_count + j] > 0.0;
    }
    /* where rounding leaves the exact one without a solution, the relaxed one's stays */
    (void)solve_eligible(s, level, 0.0);
    return CAROM_OK;
}
/*[end solveLevel]*/

/* The rows of the eligible contacts of the last level, each normal with its tangents. */
static int gather_contacts(carom_exact_lcp *s, const carom_newton_problem *problem, int *rows) {
    const int c = s->contact_count;
    const int t = s->tangent_count;
    int count = 0;
    *rows = 0;
    for (int j = 0; j < c; j++) {
        const int normal = (s->level_count - 1) * c + j;
        const int tangents = s->level_count * c + j * t;
        if (!s->contacts[j]) {
            s->multipliers[normal] = 0.0;
            memset(s->multipliers + tangents, 0, (size_t)t * sizeof *s->multipliers);
            continue;
        }
        s->friction[count++] = problem->coefficients[j];
        s->members[(*rows)++] = normal;
        for (int a = 0; a < t; a++) {
            s->members[(*rows)++] = tangents + a;
        }
    }
    return count;
}

/* The contact problem of the last level, the other levels' multipliers held. */
static carom_status make_contact_problem(carom_exact_lcp *s, int count, int rows,
                                         carom_contact_problem **problem) {
    for (int a = 0; a < rows; a++) {
        const double *delassus = s->delassus + (size_t)s->members[a] * (size_t)s->unknowns;
        s->lcp_vector[a] = s->offset[s->members[a]];
        for (int k = 0; k < (s->level_count - 1) * s->contact_count; k++) {
            s->lcp_vector[a] += delassus[k] * s->multipliers[k];
        }
        for (int b = 0; b < rows; b++) {
            s->lcp_matrix[a * rows + b] = delassus[s->members[b]];
        }
    }
    const carom_contact_rows given = {.contact_count = count,
                                      .tangent_count = s->tangent_count,
                                      .entries = s->lcp_matrix,
                                      .free_velocity = s->lcp_vector,
                                      .friction = s->friction};
    return carom_contact_problem_alloc(&given, problem, NULL);
}

/* From a solution of the tolerance towards one of rounding: what is left of it would add up where a
 * contact sticks for long. */
static void polish(carom_exact_lcp *s, const carom_contact_problem *problem, double residual) {
    const carom_contact_params params = {.method = CAROM_CONTACT_GAUSS_SEIDEL,
                                         .tolerance = DBL_EPSILON,
                                         .most_sweeps = POLISHING_SWEEPS};
    double *polished = s->lcp_result + problem->row_count;
    const size_t bytes = (size_t)problem->row_count * sizeof *polished;
    memcpy(polished, s->lcp_result, bytes);
    carom_contact_report result;
    const carom_status status =
        carom_contact_solve(s->solver, problem, &params, polished, NULL, &result, NULL);
    if ((status == CAROM_OK || status == CAROM_STATUS_NOT_CONVERGED) &&
        result.certificate.residual < residual) {
        memcpy(s->lcp_result, polished, bytes);
    }
}

/*[solveContacts]*/
/* Solve the last level for its multipliers with friction, from those it has. */
static carom_status solve_contacts(carom_exact_lcp *s, const carom_newton_problem *problem,
                                   double tolerance, int *contact) {
    int rows = 0;
    const int count = gather_contacts(s, problem, &rows);
    if (count == 0) {
        return CAROM_OK;
    }
    CAROM_AUTO(carom_contact_problem) contacts = NULL;
    CAROM_TRY(make_contact_problem(s, count, rows, &contacts));
    for (int a = 0; a < rows; a++) {
        s->lcp_result[a] = s->multipliers[s->members[a]];
    }
    carom_contact_params params = carom_contact_params_default();
    params.tolerance = fmax(CONTACT_PART * tolerance, DBL_EPSILON);
    carom_contact_report result;
    const carom_status status =
        carom_contact_solve(s->solver, contacts, &params, s->lcp_result, NULL, &result, NULL);
    /* the best of an ill-conditioned problem may do: the residual of the step decides */
    if (status != CAROM_OK && status != CAROM_STATUS_NOT_CONVERGED) {
        carom_contact_certify(contacts, s->lcp_result, s->lcp_vector, &result.certificate);
        *contact = s->members[result.certificate.worst * (1 + s->tangent_count)] -
                   (s->level_count - 1) * s->contact_count;
        return status;
    }
    polish(s, contacts, result.certificate.residual);
    for (int a = 0; a < rows; a++) {
        s->multipliers[s->members[a]] = s->lcp_result[a];
    }
    return CAROM_OK;
}
/*[end solveContacts]*/

/* Increment that belongs to the multipliers found. */
static void form_increment(carom_exact_lcp *s, const carom_newton_problem *problem) {
    memcpy(s->right, s->free_motion, (size_t)s->size * sizeof *s->right);
    for (int k = 0; k < s->unknowns; k++) {
        double z = s->multipliers[k];
        if (problem->is_coupled && level_of(s, k) == 0) {
            z += s->multipliers[k + s->contact_count];
        }
        const double dz = z - multiplier(s, problem, k);
        const double *response = vector(s, s->responses, k);
        for (int i = 0; i < s->size; i++) {
            s->right[i] += dz * response[i];
        }
        s->right[s->kinematic + multiplier_index(s, problem, k)] = -dz;
    }
}

/* One iteration with the linearized step solved exactly; leaves sets and increment. */
carom_status carom_exact_lcp_increment(carom_exact_lcp *exact, const carom_newton_problem *problem,
                                       carom_saddle *saddle, double tolerance, double *increment,
                                       int *contact) {
    const bool has_friction = exact->tangent_count > 0;
    exact->saddle = saddle;
    exact->right = increment;
    CAROM_TRY(condense(exact, problem, tolerance));
    make_delassus(exact, problem);
    for (int k = 0; k < exact->unknowns; k++) {
        exact->multipliers[k] = has_friction ? multiplier(exact, problem, k) : 0.0;
    }
    for (int sweep = 0; sweep < (exact->level_count > 1 ? LEVEL_SWEEPS : 1); sweep++) {
        for (int level = 0; level < exact->level_count; level++) {
            form_increment(exact, problem);
            problem->eligible(problem->self, level, exact->right, exact->contacts);
            CAROM_TRY(has_friction && level == exact->level_count - 1
                          ? solve_contacts(exact, problem, tolerance, contact)
                          : solve_level(exact, level, contact));
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
