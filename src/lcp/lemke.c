/*
 * The problem is scaled by powers of two, z' = C^-1 z, w' = R w, M' = R M C, q' = R q, so that all
 * thresholds mean the same for every row and any choice of units. Principal pivots, which are tried
 * first on symmetric problems, are in principal_pivoting.c, the path of pivots in lemke_path.c,
 * further attempts in lemke_rescue.c.
 */
#include <carom/lcp/lcp.h>
#include <carom/lcp/lemke_internal.h>

#include <math.h>
#include <stdlib.h>

/**
 * A pivot must exceed this many roundings, for each row, of the largest entry of its column: among
 * redundant contacts a smaller one is what earlier pivots have left of a zero.
 */
static const double PIVOT_ROUNDINGS_PER_ROW = 1000.0;

/** Practical problems take about n pivots; the constructed worst case takes 2^n. */
enum { PIVOTS_PER_UNKNOWN = 50 };

/** Every array and part; false if memory runs out. */
static bool alloc_parts(carom_lcp_workspace *work, int n) {
    const size_t size = (size_t)n;
    double **const vectors[] = {&work->row, &work->inverse_column, &work->column,   &work->covering,
                                &work->z,   &work->constant,       &work->solution, &work->trial,
                                &work->last};
    bool is_complete = true;
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++) {
        *vectors[k] = calloc(size, sizeof(double));
        is_complete = is_complete && *vectors[k] != NULL;
    }
    work->matrix = calloc(size * size, sizeof(double));
    work->is_set = calloc(size, sizeof(bool));
    return is_complete && work->matrix != NULL && work->is_set != NULL &&
           carom_lcp_dictionary_init(n, &work->dictionary) == CAROM_OK &&
           carom_lcp_refinement_alloc(n, &work->refinement) == CAROM_OK &&
           carom_lcp_bases_workspace_alloc(n < CAROM_LCP_BASES_MOST ? n : CAROM_LCP_BASES_MOST,
                                           &work->bases) == CAROM_OK;
}

carom_status carom_lcp_workspace_alloc(int n, carom_lcp_workspace **out) {
    CAROM_ASSERT(out != NULL && n >= 0);
    *out = NULL;
    CAROM_AUTO(carom_lcp_workspace) work = calloc(1, sizeof *work);
    if (work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    work->capacity = n;
    if (!alloc_parts(work, n > 0 ? n : 1)) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(work, out);
    return CAROM_OK;
}

void carom_lcp_workspace_free(carom_lcp_workspace *work) {
    if (work == NULL) {
        return;
    }
    free(work->row);
    free(work->column);
    free(work->inverse_column);
    free(work->covering);
    free(work->z);
    free(work->constant);
    free(work->solution);
    free(work->trial);
    free(work->last);
    free(work->matrix);
    free(work->is_set);
    carom_lcp_path_tree_free(work->tree);
    carom_lcp_dictionary_clear(&work->dictionary);
    carom_lcp_refinement_free(work->refinement);
    carom_lcp_bases_workspace_free(work->bases);
    free(work);
}

static bool is_finite(size_t count, const double *x) {
    for (size_t k = 0; k < count; k++) {
        if (!isfinite(x[k])) {
            return false;
        }
    }
    return true;
}

static carom_status fail(int n, carom_status status, double *z, carom_lcp_report *report) {
    for (int i = 0; i < n; i++) {
        z[i] = (double)NAN;
    }
    if (report != NULL) {
        report->residual = (double)NAN;
        report->relative = (double)NAN;
    }
    return status;
}

/** The scales of a matrix. */
static void scale_matrix(int n, const double *M, carom_lcp_workspace *work) {
    carom_lcp_scale(n, M, work->row, work->column);
    for (int i = 0; i < n; i++) {
        work->inverse_column[i] = carom_lcp_power_inverse(work->column[i]);
    }
    work->size = n;
}

carom_status carom_lcp_keep_matrix(int n, const double *M, carom_lcp_workspace *work) {
    CAROM_ASSERT(work != NULL && M != NULL && n >= 1 && n <= work->capacity);
    carom_lcp_path_tree_free(work->tree);
    work->kept = NULL;
    CAROM_TRY(carom_lcp_path_tree_alloc(n, &work->tree));
    scale_matrix(n, M, work);
    work->kept = M;
    return CAROM_OK;
}

/** The problem and its scales. */
static void load(int n, const double *M, const double *q, carom_lcp_workspace *work) {
    const double *row = work->row;
    if (M != work->kept || n != work->size) {
        scale_matrix(n, M, work);
        work->kept = NULL;
    }
    work->M = M;
    work->q = q;
    // The unit is the largest negative entry of q: positive ones are slack, however large.
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        const double lack = -q[i] * row[i];
        largest = lack > largest ? lack : largest;
    }
    work->unit = carom_lcp_power_above(largest);
    work->inverse_unit = carom_lcp_power_inverse(work->unit);
    work->largest_constant = largest * work->inverse_unit;
}

/** The dictionary of the scaled problem: q', and d' of the covering vector, NULL for ones. */
static void load_dictionary(const double *covering, carom_lcp_workspace *work) {
    carom_lcp_dictionary *dictionary = &work->dictionary;
    const double *row = work->row;
    for (int i = 0; i < work->size; i++) {
        dictionary->constant[i] = work->q[i] * row[i] * work->inverse_unit;
        dictionary->covering[i] = covering != NULL ? covering[i] * row[i] : 1.0;
    }
    dictionary->size = work->size;
    dictionary->matrix = work->M;
    dictionary->row = row;
    dictionary->column = work->column;
    dictionary->shift = 0.0;
    dictionary->tree = work->kept != NULL ? work->tree : NULL;
    dictionary->pivot_roundings = PIVOT_ROUNDINGS_PER_ROW;
}

/** Whether z satisfies the data as well as rounding allows; its residual goes to the report. */
static bool is_exact(const carom_lcp_workspace *work, const double *z, carom_lcp_report *report) {
    const carom_lcp_measure measure = carom_lcp_measure_answer(work, z);
    report->residual = measure.residual;
    report->relative = measure.scaled / work->largest_constant;
    return measure.grade == CAROM_LCP_EXACT;
}

/**
 * Principal pivots first, if there is no covering vector; then the path; then further attempts if
 * it does not lead to an answer that satisfies the data.
 */
static carom_status solve(const double *covering, carom_lcp_workspace *work, double *z,
                          carom_lcp_report *report) {
    const int n = work->size;
    if (covering == NULL && carom_lcp_principal_pivoting(work, z, &report->pivots) &&
        is_exact(work, z, report)) {
        return CAROM_OK;
    }
    report->pivots = 0;
    load_dictionary(covering, work);
    const carom_lcp_path_end end =
        carom_lcp_path_run(&work->dictionary, PIVOTS_PER_UNKNOWN * n, &report->pivots);
    if (end == CAROM_LCP_PATH_COMPLEMENTARY) {
        carom_lcp_dictionary_solution(&work->dictionary, z);
        for (int i = 0; i < n; i++) {
            z[i] *= work->column[i] * work->unit;
        }
        if (is_exact(work, z, report)) {
            return CAROM_OK;
        }
    }
    // Only now is M known to have been used: infinities among what was not are found here too.
    if (!is_finite((size_t)n * (size_t)n, work->M)) {
        report->pivots = 0;
        return CAROM_STATUS_NOT_FINITE;
    }
    const carom_status status = carom_lcp_rescue(work, end, &report->pivots, &report->rescues);
    for (int i = 0; i < n; i++) {
        z[i] = work->z[i];
    }
    report->residual = (double)NAN;
    report->relative = (double)NAN;
    if (status == CAROM_OK) {
        (void)is_exact(work, z, report);
    }
    return status;
}

carom_status carom_lcp_solve_lemke(int n, const double *M, const double *q, double *z,
                                   carom_lcp_workspace *work, carom_lcp_report *report) {
    return carom_lcp_solve_lemke_covering(n, M, q, NULL, z, work, report);
}

carom_status carom_lcp_solve_lemke_covering(int n, const double *M, const double *q,
                                            const double *covering, double *z,
                                            carom_lcp_workspace *work, carom_lcp_report *report) {
    CAROM_ASSERT(work != NULL && n >= 0 && n <= work->capacity);
    CAROM_ASSERT(n == 0 || (M != NULL && q != NULL && z != NULL));
    carom_lcp_report own = {.residual = 0.0};
    carom_lcp_report *filled = report != NULL ? report : &own;
    *filled = (carom_lcp_report){.residual = 0.0};
    // Zero times an infinity or a NaN is a NaN.
    double smallest = 0.0;
    double zero = 0.0;
    bool is_positive = true;
    for (int i = 0; i < n; i++) {
        smallest = q[i] < smallest ? q[i] : smallest;
        zero += q[i] * 0.0;
    }
    for (int i = 0; covering != NULL && i < n; i++) {
        is_positive = is_positive && covering[i] > 0.0;
        zero += covering[i] * 0.0;
    }
    carom_status status = CAROM_OK;
    if (!isfinite(zero)) {
        status = CAROM_STATUS_NOT_FINITE;
    } else if (!is_positive) {
        status = CAROM_STATUS_OUT_OF_RANGE;
    } else if (!(smallest < 0.0)) {
        // q >= 0 is its own solution.
        for (int i = 0; i < n; i++) {
            z[i] = 0.0;
        }
        status = is_finite((size_t)n * (size_t)n, M) ? CAROM_OK : CAROM_STATUS_NOT_FINITE;
    } else {
        load(n, M, q, work);
        status = solve(covering, work, z, filled);
    }
    return status == CAROM_OK || status == CAROM_STATUS_RAY ? status : fail(n, status, z, filled);
}
