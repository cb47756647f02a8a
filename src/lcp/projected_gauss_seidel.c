#include <carom/lcp/lcp.h>
#include <carom/lcp/lemke_internal.h>

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

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

/** Refuse rows that the sweeps cannot divide by, and numbers that are none. */
static carom_status refuse(int n, const double *M, const double *q, const double *z) {
    for (int i = 0; i < n; i++) {
        const double diagonal = M[(size_t)i * (size_t)n + (size_t)i];
        if (!isfinite(diagonal) || !isfinite(q[i]) || !isfinite(z[i])) {
            return CAROM_STATUS_NOT_FINITE;
        }
        if (diagonal <= 0.0) {
            return CAROM_STATUS_OUT_OF_RANGE;
        }
    }
    return CAROM_OK;
}

/** One sweep: every row in turn is solved for its own unknown, not below zero. Whether z moves. */
/*[gaussSeidelSweep]*/
static bool sweep(int n, const double *M, const double *q, double *z) {
    bool is_moving = false;
    for (int i = 0; i < n; i++) {
        const double *row = M + (size_t)i * (size_t)n;
        const double w = q[i] + carom_lcp_inner_product(n, row, z);
        const double free = z[i] - w / row[i];
        const double next = free > 0.0 ? free : 0.0;
        is_moving = is_moving || next > z[i] || next < z[i];
        z[i] = next;
    }
    return is_moving;
}
/*[end gaussSeidelSweep]*/

/** Sweeps from a start that is finite, and what they leave. */
static carom_status solve(int n, const double *M, const double *q, int sweeps, double *z, int *done,
                          double *residual) {
    for (int i = 0; i < n; i++) {
        z[i] = z[i] > 0.0 ? z[i] : 0.0;
    }
    bool is_moving = true;
    for (*done = 0; *done < sweeps && is_moving; (*done)++) {
        is_moving = sweep(n, M, q, z);
    }
    *residual = carom_lcp_residual(n, M, q, z);
    return isfinite(*residual) ? CAROM_OK : CAROM_STATUS_NOT_FINITE;
}

carom_status carom_lcp_solve_gauss_seidel(int n, const double *M, const double *q, int sweeps,
                                          double *z, carom_lcp_report *report) {
    CAROM_ASSERT(M != NULL && q != NULL && z != NULL);
    CAROM_ASSERT(n >= 0 && sweeps >= 0 && (n == 0 || (M != NULL && q != NULL && z != NULL)));
    double residual = (double)NAN;
    int done = 0;
    carom_status status = refuse(n, M, q, z);
    if (status == CAROM_OK) {
        status = solve(n, M, q, sweeps, z, &done, &residual);
    }
    if (status != CAROM_OK) {
        residual = (double)NAN;
        for (int i = 0; i < n; i++) {
            z[i] = (double)NAN;
        }
    }
    if (report != NULL) {
        *report = (carom_lcp_report){
            .residual = residual, .relative = (double)NAN, .pivots = status == CAROM_OK ? done : 0};
    }
    return status;
}
