/** The measure of figure 8: how far apart the momenta of the two orders are. */
#include "results.h"

#include <carom/base/linear_algebra.h>

/** |d|_g^2 = d M^-1 d' of a covector [n], M factored. */
static double squared_norm(const carom_factor *factor, const double *d) {
    double x[COORDINATES];
    for (int j = 0; j < COORDINATES; j++) {
        x[j] = d[j];
    }
    carom_factor_solve(factor, x);
    double sum = 0.0;
    for (int j = 0; j < COORDINATES; j++) {
        sum += d[j] * x[j];
    }
    return sum;
}

/*[trexIndeterminacy]*/
/** xi at one instant, in the metric of the first motion. */
static carom_status compare_at(const carom_mechanism *mechanism, carom_factor *factor,
                               const double *q_1, const double *p_1, const double *p_2,
                               double *by_norm, double *by_energy) {
    double M[COORDINATES * COORDINATES];
    double d[COORDINATES];
    mechanism->mass(q_1, M, mechanism->context);
    CAROM_TRY(carom_factor_compute(factor, M));
    for (int j = 0; j < COORDINATES; j++) {
        d[j] = p_1[j] - p_2[j];
    }
    const double distance = sqrt(squared_norm(factor, d));
    const double momentum = squared_norm(factor, p_1);
    // At rest there is nothing to compare with.
    *by_norm = momentum > 0.0 ? distance / sqrt(momentum) : 0.0;
    *by_energy = momentum > 0.0 ? distance / (0.5 * momentum) : 0.0;
    return CAROM_OK;
}
/*[end trexIndeterminacy]*/

carom_status trex_compare_runs(const carom_mechanism *mechanism, const carom_trajectory *one,
                               const carom_trajectory *other, double *by_norm, double *by_energy,
                               carom_report *report) {
    carom_factor *factor = NULL;
    CAROM_TRY(carom_factor_alloc(mechanism->layout, &factor));
    carom_status status = CAROM_OK;
    for (int k = 0; k < one->row_count && status == CAROM_OK; k++) {
        const size_t at = (size_t)k * COORDINATES;
        status = compare_at(mechanism, factor, one->position + at, one->momentum + at,
                            other->momentum + at, &by_norm[k], &by_energy[k]);
        if (status != CAROM_OK) {
            status = carom_report_fail(report, status, "mass matrix", (double)NAN, -1);
        }
    }
    carom_factor_free(factor);
    return status;
}
