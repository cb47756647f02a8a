#include <carom/base/linear_algebra.h>
#include <carom/lcp/lemke_internal.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double carom_lcp_residual(int n, const double *M, const double *q, const double *z) {
    CAROM_ASSERT(n >= 0 && (n == 0 || (M != NULL && q != NULL && z != NULL)));
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        const double *row = M + (size_t)i * (size_t)n;
        const double w = q[i] + carom_lcp_inner_product(n, row, z);
        // fmin and fmax would lose a NaN.
        if (isnan(w) || isnan(z[i])) {
            return (double)NAN;
        }
        const double residual = fabs(z[i] < w ? z[i] : w);
        largest = residual > largest ? residual : largest;
    }
    return largest;
}

struct carom_lcp_refinement {
    int capacity;
    double *system;       /**< [capacity][capacity] M_aa, identity elsewhere */
    double *trial;        /**< [capacity] z on the set, signs free */
    double *clipped;      /**< [n] its positive part */
    carom_factor *factor; /**< of the system */
};

/** A residual of this many roundings, for each row, is not worth more effort. */
static const double RESIDUAL_ROUNDINGS_PER_ROW = 16.0;

/** Exchanges of rows: three of all together, then one by one. */
enum { JOINT_EXCHANGES = 3, EXCHANGES = 40 };

carom_status carom_lcp_refinement_alloc(int n, carom_lcp_refinement **out) {
    CAROM_ASSERT(out != NULL && n >= 1);
    *out = NULL;
    CAROM_AUTO(carom_lcp_refinement) work = calloc(1, sizeof *work);
    if (work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t size = (size_t)n;
    work->capacity = n;
    work->system = calloc(size * size, sizeof(double));
    work->trial = calloc(size, sizeof(double));
    work->clipped = calloc(size, sizeof(double));
    if (work->system == NULL || work->trial == NULL || work->clipped == NULL ||
        carom_factor_alloc(carom_layout_full(n), &work->factor) != CAROM_OK) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(work, out);
    return CAROM_OK;
}

void carom_lcp_refinement_free(carom_lcp_refinement *work) {
    if (work == NULL) {
        return;
    }
    free(work->system);
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

/** (M z + q)_i. */
static double row_value(int n, const double *M, const double *q, const double *z, int i) {
    const double *row = M + (size_t)i * (size_t)n;
    double w = q[i];
    for (int j = 0; j < n; j++) {
        w += row[j] * z[j];
    }
    return w;
}

/** Solve M_aa z_a = -q_a, signs free, into `trial`; false if M_aa is singular. */
static bool solve_on_set(int n, const double *M, const double *q, const bool *is_set,
                         carom_lcp_refinement *work) {
    // The rows outside the set, up to the size of the workspace, are those of the identity.
    const size_t size = (size_t)work->capacity;
    memset(work->system, 0, size * size * sizeof(double));
    for (size_t i = 0; i < size; i++) {
        work->system[i * size + i] = 1.0;
        work->trial[i] = 0.0;
    }
    for (int i = 0; i < n; i++) {
        if (!is_set[i]) {
            continue;
        }
        double *row = work->system + (size_t)i * size;
        for (int j = 0; j < n; j++) {
            if (is_set[j]) {
                row[j] = M[(size_t)i * (size_t)n + (size_t)j];
            }
        }
        work->trial[i] = -q[i];
    }
    if (carom_factor_compute(work->factor, work->system) != CAROM_OK) {
        return false;
    }
    carom_factor_solve(work->factor, work->trial);
    return true;
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
    bool is_open = true;
    for (int round = 0; is_open && round < EXCHANGES; round++) {
        if (!solve_on_set(n, M, q, is_set, work)) {
            break;
        }
        for (int i = 0; i < n; i++) {
            work->clipped[i] = work->trial[i] > 0.0 ? work->trial[i] : 0.0;
        }
        const double residual = carom_lcp_residual(n, M, q, work->clipped);
        if (residual < best) {
            best = residual;
            memcpy(z, work->clipped, (size_t)n * sizeof(double));
        }
        is_open = residual > carom_lcp_rounding(n, M, q, work->clipped) &&
                  exchange_rows(n, M, q, round >= JOINT_EXCHANGES, is_set, work);
    }
    return best;
}
