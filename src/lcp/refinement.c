#include <carom/base/factor.h>
#include <carom/lcp/refinement.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct carom_lcp_refinement {
    int capacity;
    double *system;       /**< [capacity][capacity] M_aa, identity elsewhere */
    double *correction;   /**< [capacity] right side and step towards the trial */
    double *trial;        /**< [n] z on the set, signs free */
    double *clipped;      /**< [n] its positive part */
    carom_factor *factor; /**< of the system */
};

/** A residual of this many roundings, for each row, is not worth more effort. */
static const double RESIDUAL_ROUNDINGS_PER_ROW = 16.0;

/** Exchanges of rows: three of all together, then one by one. */
enum { JOINT_EXCHANGES = 3, EXCHANGES = 40 };

/**
 * A singular set is solved with this part of the diagonal added, in steps that multiply the error
 * by shift / (eigenvalue + shift): four steps reach rounding down to eigenvalues of 1e-4.
 */
static const double PROXIMAL_SHIFT = 0x1p-26;
enum { PROXIMAL_STEPS = 4 };

carom_status carom_lcp_refinement_alloc(int n, carom_lcp_refinement **out) {
    CAROM_ASSERT(out != NULL && n >= 1);
    *out = NULL;
    carom_lcp_refinement *work = calloc(1, sizeof *work);
    if (work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t size = (size_t)n;
    work->capacity = n;
    work->system = calloc(size * size, sizeof(double));
    work->correction = calloc(size, sizeof(double));
    work->trial = calloc(size, sizeof(double));
    work->clipped = calloc(size, sizeof(double));
    if (work->system == NULL || work->correction == NULL || work->trial == NULL ||
        work->clipped == NULL ||
        carom_factor_alloc(carom_layout_full(n), &work->factor) != CAROM_OK) {
        carom_lcp_refinement_free(work);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    *out = work;
    return CAROM_OK;
}

void carom_lcp_refinement_free(carom_lcp_refinement *work) {
    if (work == NULL) {
        return;
    }
    free(work->system);
    free(work->correction);
    free(work->trial);
    free(work->clipped);
    carom_factor_free(work->factor);
    free(work);
}

double carom_lcp_rounding(int n, const double *M, const double *q, const double *z) {
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        double size = fabs(q[i]);
        for (int j = 0; j < n; j++) {
            size += fabs(M[(size_t)i * (size_t)n + (size_t)j]) * z[j];
        }
        largest = fmax(largest, size);
    }
    return RESIDUAL_ROUNDINGS_PER_ROW * DBL_EPSILON * (double)n * largest;
}

/** M_aa + shift I on the set; the other rows, up to the workspace's size, are those of I. */
static carom_status factor_set(int n, const double *M, const bool *is_set, double shift,
                               carom_lcp_refinement *work) {
    const size_t size = (size_t)work->capacity;
    memset(work->system, 0, size * size * sizeof(double));
    for (size_t i = 0; i < size; i++) {
        work->system[i * size + i] = 1.0;
    }
    for (int i = 0; i < n; i++) {
        double *row = work->system + (size_t)i * size;
        for (int j = 0; j < n && is_set[i]; j++) {
            if (is_set[j]) {
                row[j] = M[(size_t)i * (size_t)n + (size_t)j] + (i == j ? shift : 0.0);
            }
        }
    }
    return carom_factor_compute(work->factor, work->system);
}

/** (M z + q)_i. */
static double row_value(int n, const double *M, const double *q, const double *z, int i) {
    const double *row = M + (size_t)i * (size_t)n;
    double w = q[i];
    for (int j = 0; j < n; j++) {
        w += row[j] * z[j];
    }
    return w;
}

/**
 * Solve M_aa z_a = -q_a, signs free, into `trial`: from zero, or, if M_aa is singular, by proximal
 * steps from the z given, which keep its part that M does not see. False if that is not possible.
 */
static bool solve_on_set(int n, const double *M, const double *q, const bool *is_set,
                         const double *z, carom_lcp_refinement *work) {
    carom_status status = factor_set(n, M, is_set, 0.0, work);
    const bool is_regular = status == CAROM_OK;
    if (!is_regular) {
        status = factor_set(n, M, is_set, PROXIMAL_SHIFT, work);
    }
    const int steps = is_regular ? 1 : PROXIMAL_STEPS;
    for (int i = 0; i < n; i++) {
        work->trial[i] = is_regular || !is_set[i] ? 0.0 : z[i];
    }
    for (int step = 0; step < steps && status == CAROM_OK; step++) {
        for (int i = 0; i < work->capacity; i++) {
            const bool is_open = i < n && is_set[i];
            work->correction[i] = is_open ? -row_value(n, M, q, work->trial, i) : 0.0;
        }
        carom_factor_solve(work->factor, work->correction);
        for (int i = 0; i < n; i++) {
            work->trial[i] += work->correction[i];
        }
    }
    return status == CAROM_OK;
}

/**
 * Out of the set with a negative z, into it with a negative w: all such rows, or only the last of
 * them, which cannot cycle if M is a P-matrix (Murty 1974). Whether the set has changed.
 */
static bool exchange_rows(int n, const double *M, const double *q, bool is_single, bool *is_set,
                          const carom_lcp_refinement *work) {
    bool is_changed = false;
    for (int i = n - 1; i >= 0 && !(is_single && is_changed); i--) {
        const bool is_wrong =
            is_set[i] ? work->trial[i] < 0.0 : row_value(n, M, q, work->clipped, i) < 0.0;
        if (is_wrong) {
            is_set[i] = !is_set[i];
            is_changed = true;
        }
    }
    return is_changed;
}

double carom_lcp_refine(int n, const double *M, const double *q, bool *is_set, double *z,
                        carom_lcp_refinement *work) {
    double best = carom_lcp_residual(n, M, q, z);
    for (int round = 0; round < EXCHANGES; round++) {
        if (!solve_on_set(n, M, q, is_set, z, work)) {
            return best;
        }
        for (int i = 0; i < n; i++) {
            work->clipped[i] = work->trial[i] > 0.0 ? work->trial[i] : 0.0;
        }
        const double residual = carom_lcp_residual(n, M, q, work->clipped);
        if (residual < best) {
            best = residual;
            memcpy(z, work->clipped, (size_t)n * sizeof(double));
        }
        if (residual <= carom_lcp_rounding(n, M, q, work->clipped) ||
            !exchange_rows(n, M, q, round >= JOINT_EXCHANGES, is_set, work)) {
            return best;
        }
    }
    return best;
}
