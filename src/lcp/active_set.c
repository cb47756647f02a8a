#include <carom/lcp/active_set.h>
#include <carom/lcp/lcp.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct carom_lcp_active_set {
    int size;                      /**< n */
    bool is_rank_deficient;        /**< M itself is singular beyond rounding */
    carom_lcp_active_block *block; /**< M and the factors of its active part */
    double *scale;                 /**< [n] D_i = M_ii^-1/2, 0 where M_ii = 0 */
    bool *members;                 /**< [n] the active set, factored in block between calls */
    bool *checkpoint;              /**< [n] an earlier set of the iteration */
    double *w;                     /**< [n] M z + q on the eligible rows */
    double *tolerance;             /**< [n] rounding of D_i w_i */
    double *eligible_matrix;       /**< [e][e] for Lemke's method */
    double *eligible_constant;     /**< [e] */
    double *eligible_solution;     /**< [e] */
    int *eligible_index;           /**< [e] */
    carom_lcp_workspace *lemke;
};

/**
 * Asymmetry allowed relative to sqrt(M_ii M_jj): rounding of G A^-1 G' for a mass matrix A of
 * condition up to about 1e5.
 */
static const double SYMMETRY_TOLERANCE = 1e-10;

/** A sign counts as violated beyond this many roundings, for each row, of |q| + |M| |z|, */
static const double SIGN_ROUNDINGS_PER_ROW = 16.0;

/**
 * and at any rate beyond this part of the largest |q|; which is also, as in Lemke's method, how
 * far redundant contacts may be off that share an impulse.
 */
static const double ACCEPTED_RESIDUAL = 1e-10;

/** Set changes before Lemke's method takes over: 2 n is far above the few seen in practice. */
static int change_limit(const carom_lcp_active_set *solver) {
    return 10 + 2 * solver->size;
}

/**
 * Whether all signs hold exactly; w of the rows that were needed is left in solver->w. An active
 * row of a well-conditioned block has w_i = 0 by construction; otherwise that is to be seen.
 */
static bool has_exact_signs(carom_lcp_active_set *solver, const double *q, const bool *eligible,
                            const double *z) {
    bool holds = solver->block->is_safe;
    for (int i = 0; i < solver->size; i++) {
        if (solver->members[i]) {
            solver->w[i] = 0.0;
            if (!solver->block->is_safe) {
                solver->w[i] = carom_lcp_active_block_row(solver->block, i, q, z);
            }
            holds = holds && z[i] >= 0.0 && z[i] <= DBL_MAX;
        } else if (eligible == NULL || eligible[i]) {
            solver->w[i] = carom_lcp_active_block_row(solver->block, i, q, z);
            holds = holds && solver->w[i] >= 0.0;
        }
    }
    return holds;
}

/** Largest residual accepted, in the scaling of D. */
static double accepted_residual(const carom_lcp_active_set *solver, const double *q) {
    double largest = 0.0;
    for (int i = 0; i < solver->size; i++) {
        largest = fmax(largest, solver->scale[i] * fabs(q[i]));
    }
    return ACCEPTED_RESIDUAL * largest;
}

/** Rounding of z_i / D_i and D_i w_i, from the terms that make up w_i. */
static void measure_tolerance(carom_lcp_active_set *solver, const double *q, const double *z) {
    const double roundings = SIGN_ROUNDINGS_PER_ROW * DBL_EPSILON * (double)solver->size;
    const double accepted = accepted_residual(solver, q);
    for (int i = 0; i < solver->size; i++) {
        const double size = carom_lcp_active_block_row_size(solver->block, i, q, z);
        const double rounding = roundings * solver->scale[i] * size;
        solver->tolerance[i] = rounding < accepted ? rounding : accepted;
    }
}

/** Whether the equations and signs hold within the tolerance, all in the scaling of D. */
static bool has_signs_within_tolerance(const carom_lcp_active_set *solver, const bool *eligible,
                                       const double *z) {
    bool holds = true;
    for (int i = 0; i < solver->size; i++) {
        const double D = solver->scale[i];
        const double w = solver->w[i];
        const double tolerance = solver->tolerance[i];
        if (solver->members[i]) {
            holds = holds && z[i] >= -tolerance * D && z[i] <= DBL_MAX && fabs(w) * D <= tolerance;
        } else if (eligible == NULL || eligible[i]) {
            // A row of zeros, D_i = 0, has w_i = q_i whatever z is.
            holds = holds && (D > 0.0 ? w * D >= -tolerance : w >= 0.0);
        }
    }
    return holds;
}

/**
 * The semi-smooth Newton rule: active where z_i - r_i w_i > 0, inactive where it is negative, r_i =
 * 1/M_ii. A tie, within rounding, leaves the row as it is. Returns whether the set has changed.
 */
/*[activeSetRule]*/
static bool update_members(carom_lcp_active_set *solver, const bool *eligible, const double *z) {
    bool is_changed = false;
    for (int i = 0; i < solver->size; i++) {
        if (eligible != NULL && !eligible[i]) {
            continue;
        }
        // Both in the same unit: z_i / D_i - D_i w_i, D_i = M_ii^-1/2.
        const double D = solver->scale[i];
        const double choice = D > 0.0 ? z[i] / D - D * solver->w[i] : 0.0;
        const double tolerance = solver->tolerance[i];
        if (solver->members[i] ? choice < -tolerance : choice > tolerance) {
            solver->members[i] = !solver->members[i];
            is_changed = true;
        }
    }
    return is_changed;
}
/*[end activeSetRule]*/

/** Negative impulses that are rounding become zero. */
static void clip(int n, double *z) {
    for (int i = 0; i < n; i++) {
        z[i] = z[i] > 0.0 ? z[i] : 0.0;
    }
}

/** Solve on the present set, already factored; whether that is a solution. */
static bool try_members(carom_lcp_active_set *solver, const double *q, const bool *eligible,
                        double *z) {
    carom_lcp_active_block_solve(solver->block, q, z);
    if (has_exact_signs(solver, q, eligible, z)) {
        return true;
    }
    measure_tolerance(solver, q, z);
    if (!has_signs_within_tolerance(solver, eligible, z)) {
        return false;
    }
    clip(solver->size, z);
    return true;
}

/**
 * Newton's method on sets. The checkpoint is moved at changes 1, 2, 4, 8, ... (Brent's cycle
 * search), so that any repetition is found. False if a set repeats.
 */
static bool iterate_sets(carom_lcp_active_set *solver, const double *q, const bool *eligible,
                         double *z, int *changes) {
    const size_t bytes = (size_t)solver->size * sizeof(bool);
    const int limit = change_limit(solver);
    int next_checkpoint = 0;
    bool is_new = true;
    for (*changes = 0; is_new && *changes < limit; (*changes)++) {
        if (try_members(solver, q, eligible, z)) {
            return true;
        }
        if (*changes == next_checkpoint) {
            memcpy(solver->checkpoint, solver->members, bytes);
            next_checkpoint = *changes > 0 ? 2 * *changes : 1;
        }
        is_new = update_members(solver, eligible, z) &&
                 memcmp(solver->checkpoint, solver->members, bytes) != 0;
        carom_lcp_active_block_factor(solver->block, solver->members);
    }
    return false;
}

/** max |min(z_i / D_i, D_i w_i)| over the eligible rows. */
static double scaled_residual(const carom_lcp_active_set *solver, const bool *eligible,
                              const double *z) {
    double largest = 0.0;
    for (int i = 0; i < solver->size; i++) {
        const double D = solver->scale[i];
        if (D > 0.0 && (eligible == NULL || eligible[i])) {
            largest = fmax(largest, fabs(fmin(z[i] / D, solver->w[i] * D)));
        }
    }
    return largest;
}

/**
 * Redundant contacts: the rows with w = 0 share the impulse in the way of minimum norm, provided
 * that this keeps all of them compressive and w as exact as it is; otherwise z stays as it is.
 */
static void share_impulses(carom_lcp_active_set *solver, const double *q, const bool *eligible,
                           double *z) {
    const int n = solver->size;
    const double accepted = accepted_residual(solver, q);
    const double reached = scaled_residual(solver, eligible, z);
    bool is_wider = false;
    measure_tolerance(solver, q, z);
    for (int i = 0; i < n; i++) {
        solver->checkpoint[i] = solver->members[i];
        solver->tolerance[i] = fmax(solver->tolerance[i], reached);
        if (!solver->members[i] && (eligible == NULL || eligible[i]) && solver->scale[i] > 0.0 &&
            solver->w[i] * solver->scale[i] <= accepted) {
            solver->members[i] = true;
            is_wider = true;
        }
    }
    if (!is_wider) {
        return;
    }
    double *kept = solver->eligible_solution;
    memcpy(kept, z, (size_t)n * sizeof(double));
    carom_lcp_active_block_factor(solver->block, solver->members);
    carom_lcp_active_block_solve(solver->block, q, z);
    (void)has_exact_signs(solver, q, eligible, z);
    if (has_signs_within_tolerance(solver, eligible, z)) {
        clip(n, z);
        return;
    }
    memcpy(solver->members, solver->checkpoint, (size_t)n * sizeof(bool));
    carom_lcp_active_block_factor(solver->block, solver->members);
    memcpy(z, kept, (size_t)n * sizeof(double));
}

/** What Lemke's method needs. @return CAROM_OK; OUT_OF_MEMORY */
static carom_status alloc_lemke(carom_lcp_active_set *solver) {
    const size_t rows = solver->size > 0 ? (size_t)solver->size : 1;
    solver->eligible_matrix = calloc(rows, rows * sizeof(double));
    if (solver->eligible_matrix == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    return carom_lcp_workspace_alloc(solver->size, &solver->lemke);
}

/** Lemke's method on the eligible rows; the set becomes that of the positive z. */
static carom_status solve_by_lemke(carom_lcp_active_set *solver, const double *q,
                                   const bool *eligible, double *z, int *pivots) {
    if (solver->lemke == NULL) {
        free(solver->eligible_matrix);
        CAROM_TRY(alloc_lemke(solver));
    }
    int count = 0;
    for (int i = 0; i < solver->size; i++) {
        if (eligible == NULL || eligible[i]) {
            solver->eligible_index[count++] = i;
        }
    }
    for (int k = 0; k < count; k++) {
        const int i = solver->eligible_index[k];
        solver->eligible_constant[k] = q[i];
        for (int l = 0; l < count; l++) {
            solver->eligible_matrix[(size_t)k * (size_t)count + (size_t)l] =
                carom_lcp_active_block_entry(solver->block, i, solver->eligible_index[l]);
        }
    }
    carom_lcp_report report;
    const carom_status status =
        carom_lcp_solve_lemke(count, solver->eligible_matrix, solver->eligible_constant,
                              solver->eligible_solution, solver->lemke, &report);
    *pivots += report.pivots;
    CAROM_TRY(status);
    for (int i = 0; i < solver->size; i++) {
        z[i] = 0.0;
        solver->members[i] = false;
    }
    for (int k = 0; k < count; k++) {
        const int i = solver->eligible_index[k];
        z[i] = solver->eligible_solution[k];
        solver->members[i] = z[i] > 0.0;
    }
    carom_lcp_active_block_factor(solver->block, solver->members);
    for (int i = 0; i < solver->size; i++) {
        solver->w[i] = carom_lcp_active_block_row(solver->block, i, q, z);
    }
    return CAROM_OK;
}

/** max |min(z_i, w_i)| over the eligible rows. */
static double residual(const carom_lcp_active_set *solver, const double *q, const bool *eligible,
                       const double *z) {
    double largest = 0.0;
    for (int i = 0; i < solver->size; i++) {
        if (eligible == NULL || eligible[i]) {
            const double w = carom_lcp_active_block_row(solver->block, i, q, z);
            const double value = fabs(z[i] < w ? z[i] : w);
            largest = value > largest ? value : largest;
        }
    }
    return largest;
}

carom_status carom_lcp_active_set_solve(carom_lcp_active_set *solver, const double *q,
                                        const bool *eligible, double *z, carom_lcp_report *report) {
    CAROM_ASSERT(solver != NULL && (solver->size == 0 || (q != NULL && z != NULL)));
    const int n = solver->size;
    carom_status status = CAROM_OK;
    // The last set without what is not eligible any more.
    bool is_reduced = false;
    for (int i = 0; i < n; i++) {
        if (!isfinite(q[i])) {
            status = CAROM_STATUS_NOT_FINITE;
        }
        if (eligible != NULL && !eligible[i] && solver->members[i]) {
            solver->members[i] = false;
            is_reduced = true;
        }
    }
    if (is_reduced) {
        carom_lcp_active_block_factor(solver->block, solver->members);
    }
    int changes = 0;
    if (status == CAROM_OK && !iterate_sets(solver, q, eligible, z, &changes)) {
        status = solve_by_lemke(solver, q, eligible, z, &changes);
    }
    if (status == CAROM_OK && solver->is_rank_deficient) {
        share_impulses(solver, q, eligible, z);
    }
    if (status != CAROM_OK) {
        for (int i = 0; i < n; i++) {
            z[i] = (double)NAN;
            solver->members[i] = false;
        }
        carom_lcp_active_block_factor(solver->block, solver->members);
    }
    if (report != NULL) {
        report->pivots = changes;
        report->residual = (double)NAN;
        report->relative = (double)NAN;
        if (status == CAROM_OK) {
            report->residual = residual(solver, q, eligible, z);
        }
    }
    return status;
}

const bool *carom_lcp_active_set_members(const carom_lcp_active_set *solver) {
    return solver->members;
}

void carom_lcp_active_set_guess(carom_lcp_active_set *solver, const bool *members) {
    CAROM_ASSERT(solver != NULL && members != NULL);
    memcpy(solver->members, members, (size_t)solver->size * sizeof(bool));
    carom_lcp_active_block_factor(solver->block, solver->members);
}

/** Refuse a matrix that is not finite, not symmetric, or has a negative diagonal entry. */
static carom_status check_matrix(carom_layout layout, int n, const double *M) {
    for (int i = 0; i < n; i++) {
        for (int j = carom_layout_first_column(layout, i); j < carom_layout_end_column(layout, i);
             j++) {
            if (!isfinite(M[carom_layout_index(layout, i, j)])) {
                return CAROM_STATUS_NOT_FINITE;
            }
        }
    }
    for (int i = 0; i < n; i++) {
        const double diagonal = M[carom_layout_index(layout, i, i)];
        if (diagonal < 0.0) {
            return CAROM_STATUS_OUT_OF_RANGE;
        }
        for (int j = carom_layout_first_column(layout, i); j < i; j++) {
            const double size = sqrt(diagonal) * sqrt(M[carom_layout_index(layout, j, j)]);
            if (fabs(M[carom_layout_index(layout, i, j)] - M[carom_layout_index(layout, j, i)]) >
                SYMMETRY_TOLERANCE * size) {
                return CAROM_STATUS_NOT_SYMMETRIC;
            }
        }
    }
    return CAROM_OK;
}

/** Scale of the rows, and whether M is singular: that is, its block of all rows. */
static void load_matrix(carom_lcp_active_set *solver, const double *M) {
    for (int i = 0; i < solver->size; i++) {
        const double diagonal = M[carom_layout_index(solver->block->layout, i, i)];
        solver->scale[i] = diagonal > 0.0 ? 1.0 / sqrt(diagonal) : 0.0;
        solver->members[i] = true;
    }
    carom_lcp_active_block_factor(solver->block, solver->members);
    solver->is_rank_deficient = solver->block->is_singular;
    memset(solver->members, 0, (size_t)solver->size * sizeof(bool));
    carom_lcp_active_block_factor(solver->block, solver->members);
}

static carom_status alloc_solver(carom_layout layout, int n, const double *M,
                                 carom_lcp_active_set **out) {
    CAROM_TRY(check_matrix(layout, n, M));
    CAROM_AUTO(carom_lcp_active_set) solver = calloc(1, sizeof *solver);
    if (solver == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t rows = n > 0 ? (size_t)n : 1;
    solver->size = n;
    solver->scale = calloc(rows, sizeof(double));
    solver->members = calloc(rows, sizeof(bool));
    solver->checkpoint = calloc(rows, sizeof(bool));
    solver->w = calloc(rows, sizeof(double));
    solver->tolerance = calloc(rows, sizeof(double));
    solver->eligible_constant = calloc(rows, sizeof(double));
    solver->eligible_solution = calloc(rows, sizeof(double));
    solver->eligible_index = calloc(rows, sizeof(int));
    if (solver->scale == NULL || solver->members == NULL || solver->checkpoint == NULL ||
        solver->w == NULL || solver->tolerance == NULL || solver->eligible_constant == NULL ||
        solver->eligible_solution == NULL || solver->eligible_index == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_lcp_active_block_alloc(layout, n, M, &solver->block));
    if (!layout.is_banded) {
        CAROM_TRY(alloc_lemke(solver));
    }
    load_matrix(solver, M);
    CAROM_HAND_OVER(solver, out);
    return CAROM_OK;
}

carom_status carom_lcp_active_set_alloc(int n, const double *M, carom_lcp_active_set **out) {
    CAROM_ASSERT(out != NULL && n >= 0 && (n == 0 || M != NULL));
    *out = NULL;
    return alloc_solver(carom_layout_full(n > 0 ? n : 1), n, M, out);
}

carom_status carom_lcp_active_set_alloc_banded(carom_layout layout, const double *M,
                                               carom_lcp_active_set **out) {
    CAROM_ASSERT(out != NULL && M != NULL);
    *out = NULL;
    return alloc_solver(layout, layout.size, M, out);
}

void carom_lcp_active_set_free(carom_lcp_active_set *solver) {
    if (solver == NULL) {
        return;
    }
    carom_lcp_active_block_free(solver->block);
    free(solver->scale);
    free(solver->members);
    free(solver->checkpoint);
    free(solver->w);
    free(solver->tolerance);
    free(solver->eligible_matrix);
    free(solver->eligible_constant);
    free(solver->eligible_solution);
    free(solver->eligible_index);
    carom_lcp_workspace_free(solver->lemke);
    free(solver);
}
