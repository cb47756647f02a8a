#include <carom/timestepping/galpha/schemes.h>

#include <carom/base/linear_algebra.h>
#include <carom/base/scales.h>

#include <gsl/gsl_blas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All choices of the active sets are tried for at most this many contact conditions (2^8 solves).
 */
enum { ENUMERATED_UNKNOWNS = 8 };

/* Where an iteration leaves so much of the residual, contact problems are solved to a part of their
 * tolerance from then on, again and again down to another part. */
static const double STALLED = 0.9;
static const double TIGHTER = 0.1;
static const double TIGHTEST = 1e-3;

struct carom_newton_solver {
    int size;      /* N of the Newton system */
    int kinematic; /* entries before the multipliers */
    int level_count;
    int contact_count; /* n_u */
    int tangent_count; /* t of a contact with friction */
    int unknowns;      /* level_count n_u */
    int max_iterations;
    carom_layout layout;
    int block_count;

    carom_saddle *saddle; /* NULL until it is prepared */
    double *right;        /* [N] residual, then increment */
    double *scale;        /* [N] of the residual's rows */
    bool *history;        /* [max_iterations][unknowns] sets met so far */
    int history_length;

    carom_exact_lcp *exact; /* for steps whose sets cycle */
};

carom_status carom_newton_solver_alloc(carom_layout layout, int block_count, int multiplier_count,
                                       int level_count, int contact_count, int tangent_count,
                                       int max_iterations, carom_newton_solver **out) {
    *out = NULL;
    CAROM_AUTO(carom_newton_solver) s = calloc(1, sizeof *s);
    if (s == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->kinematic = block_count * layout.size;
    s->size = s->kinematic + multiplier_count;
    s->level_count = level_count;
    s->contact_count = contact_count;
    s->tangent_count = tangent_count;
    s->unknowns = level_count * contact_count;
    s->max_iterations = max_iterations;
    s->layout = layout;
    s->block_count = block_count;
    s->right = calloc(2 * (size_t)s->size, sizeof(double));
    if (s->right == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->scale = s->right + s->size;
    CAROM_HAND_OVER(s, out);
    return CAROM_OK;
}

carom_status carom_newton_solver_prepare(carom_newton_solver *s) {
    if (s->history == NULL) {
        s->history = calloc((size_t)s->max_iterations * (size_t)s->unknowns + 1, sizeof(bool));
    }
    if (s->history == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    if (s->saddle == NULL) {
        CAROM_TRY(
            carom_saddle_alloc(s->layout, s->block_count, s->size - s->kinematic, &s->saddle));
    }
    return s->exact != NULL ? CAROM_OK
                            : carom_exact_lcp_alloc(s->kinematic, s->size, s->level_count,
                                                    s->contact_count, s->tangent_count, &s->exact);
}

void carom_newton_solver_free(carom_newton_solver *solver) {
    if (solver == NULL) {
        return;
    }
    carom_saddle_free(solver->saddle);
    free(solver->right);
    free(solver->history);
    carom_exact_lcp_free(solver->exact);
    free(solver);
}

/* The largest row of the residual at the current iterate, in its own scale; NaN if a row is. */
static double evaluate_residual(carom_newton_solver *s, const carom_newton_problem *problem) {
    problem->residual(problem->self, s->right);
    if (s->tangent_count > 0) {
        problem->friction(problem->self, s->right);
    }
    problem->scale(problem->self, s->scale);
    return carom_scale_largest_ratio(s->size, s->right, s->scale);
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

static carom_status newton_increment(carom_newton_solver *s, const carom_newton_problem *problem) {
    if (problem->increment != NULL) {
        return problem->increment(problem->self, s->right);
    }
    problem->assemble(problem->self, s->saddle);
    CAROM_TRY(carom_saddle_factor(s->saddle));
    for (int i = 0; i < s->size; i++) {
        s->right[i] = -s->right[i];
    }
    return carom_saddle_solve(s->saddle, s->right);
}

/* The contact of which a row is violated most; -1 if all are within the tolerance. */
static int worst_contact(const carom_newton_solver *s, const carom_newton_problem *problem,
                         double tolerance) {
    int worst = -1;
    double largest = tolerance;
    for (int level = 0; level < s->level_count + (s->tangent_count > 0 ? 1 : 0); level++) {
        const int width = level < s->level_count ? 1 : s->tangent_count;
        const int first = s->kinematic + problem->first_multiplier[level];
        for (int j = 0; j < s->contact_count; j++) {
            const int row = first + j * width;
            const double size = carom_scale_largest_ratio(width, s->right + row, s->scale + row);
            if (size >= largest) {
                largest = size;
                worst = j;
            }
        }
    }
    return worst;
}

/* Semi-smooth Newton from the current iterate; a cycle of the sets hands over to the exact LCP, and
 * friction has its contact problem from the start. */
static carom_status iterate(carom_newton_solver *solver, const carom_newton_problem *problem,
                            double tolerance, carom_newton_result *result) {
    int iterations = 0;
    double before = INFINITY;
    double asked = tolerance;
    for (;; iterations++, result->iterations++) {
        if (!result->used_exact_lcp) {
            problem->activate(problem->self);
        }
        result->residual = evaluate_residual(solver, problem);
        if (isnan(result->residual)) {
            return CAROM_STATUS_NOT_FINITE;
        }
        if (result->residual < tolerance) {
            return CAROM_OK;
        }
        const bool has_friction = solver->tangent_count > 0;
        if (iterations == solver->max_iterations) {
            result->contact = worst_contact(solver, problem, tolerance);
            return CAROM_STATUS_NOT_CONVERGED;
        }
        if (problem->solve != NULL) {
            CAROM_TRY(problem->solve(problem->self, tolerance, solver->right, &result->contact));
            problem->update(problem->self, solver->right);
            continue;
        }
        if (!has_friction && !result->used_exact_lcp && sets_return(solver, problem)) {
            result->used_exact_lcp = true;
        }
        // What acts in a row of the step can be much less than what acts in its contact.
        if (has_friction && result->residual > STALLED * before) {
            asked = fmax(TIGHTER * asked, TIGHTEST * tolerance);
        }
        before = result->residual;
        CAROM_TRY(has_friction || result->used_exact_lcp
                      ? carom_exact_lcp_increment(solver->exact, problem, solver->saddle, asked,
                                                  solver->right, &result->contact)
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
        const double residual = evaluate_residual(solver, problem);
        if (residual < tolerance) {
            break;
        }
        if (isnan(residual) || iteration == solver->max_iterations ||
            newton_increment(solver, problem) != CAROM_OK) {
            return false;
        }
        problem->update(problem->self, solver->right);
        result->iterations++;
    }
    problem->activate(problem->self);
    result->residual = evaluate_residual(solver, problem);
    return result->residual < tolerance;
}

carom_status carom_newton_solve(carom_newton_solver *solver, const carom_newton_problem *problem,
                                double tolerance, carom_newton_result *result) {
    solver->history_length = 0;
    *result = (carom_newton_result){.residual = NAN, .contact = -1};
    problem->predict(problem->self);
    const carom_status status = iterate(solver, problem, tolerance, result);
    if (status == CAROM_OK || problem->solve != NULL || solver->tangent_count > 0 ||
        solver->unknowns == 0 || solver->unknowns > ENUMERATED_UNKNOWNS) {
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
    CAROM_AUTO(gsl_matrix) V = gsl_matrix_alloc(N, N);
    CAROM_AUTO(gsl_vector) values = gsl_vector_alloc(N);
    CAROM_AUTO(gsl_vector) scratch = gsl_vector_alloc(N);
    if (V == NULL || values == NULL || scratch == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_singular_values_compute(matrix, V, values, scratch));
    *ratio = gsl_vector_get(values, 0) / gsl_vector_get(values, N - 1);
    return CAROM_OK;
}

/* Divide the entries of a column or a row; nothing has no size to divide by. */
static void divide(gsl_vector *entries, double size) {
    gsl_vector_scale(entries, size > 0.0 ? 1.0 / size : 1.0);
}

/* The Newton matrix in units of its own: unknowns as roots of energies, which are speeds over
 * 1/sqrt(J_ii) and multipliers over the most that one of them does to those; the rows of
 * coordinates likewise, those of constraints over their length. */
static void take_units_away(gsl_matrix *A, int kinematic) {
    const int size = (int)A->size1;
    for (int i = 0; i < kinematic; i++) {
        gsl_vector_view row = gsl_matrix_row(A, (size_t)i);
        gsl_vector_view column = gsl_matrix_column(A, (size_t)i);
        const double root = sqrt(fabs(gsl_matrix_get(A, (size_t)i, (size_t)i)));
        divide(&row.vector, root);
        divide(&column.vector, root);
    }
    double effect = 0.0;
    for (int j = kinematic; j < size; j++) {
        const gsl_vector_view speeds = gsl_matrix_subcolumn(A, (size_t)j, 0, (size_t)kinematic);
        effect = fmax(effect, gsl_blas_dnrm2(&speeds.vector));
    }
    for (int j = kinematic; j < size; j++) {
        gsl_vector_view column = gsl_matrix_column(A, (size_t)j);
        divide(&column.vector, effect);
    }
    for (int j = kinematic; j < size; j++) {
        gsl_vector_view row = gsl_matrix_row(A, (size_t)j);
        divide(&row.vector, gsl_blas_dnrm2(&row.vector));
    }
}

carom_status carom_newton_condition_number(carom_newton_solver *solver,
                                           const carom_newton_problem *problem, double *condition) {
    *condition = (double)NAN;
    CAROM_TRY(carom_newton_solver_prepare(solver));
    CAROM_AUTO(gsl_matrix) matrix = gsl_matrix_alloc((size_t)solver->size, (size_t)solver->size);
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
    take_units_away(matrix, solver->kinematic);
    return singular_value_ratio(matrix, condition);
}
