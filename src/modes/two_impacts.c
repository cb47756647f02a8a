#include <carom/modes/few_impacts.h>

#include <carom/base/base.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>

/** Roundings of each term of a sum over the modes, and of each flight time. */
static const double TERM_ROUNDINGS = 4.0;

/** A flight time that can be computed with. */
static bool is_duration(double sigma) {
    return sigma > 0.0 && sigma <= DBL_MAX;
}

/**
 * (alpha + beta)/2 = sqrt(G) sum (rho^2/w) cos(w sigma_1/2) cos(w sigma_2/2) / sin(w T/2); NaN
 * where that is zero to rounding, of its terms or of the flight times.
 */
static double half_sum(const carom_modal_basis *basis, double sigma_1, double sigma_2) {
    double sum = 0.0;
    double size = 0.0;
    for (int l = 0; l < basis->visible_count; l++) {
        const double w = basis->frequency[l];
        const double rho = basis->participation[l];
        const double sine = sin(0.5 * w * (sigma_1 + sigma_2));
        const double first = cos(0.5 * w * sigma_1);
        const double second = cos(0.5 * w * sigma_2);
        const double term = rho * rho * first * second / (w * sine);
        sum += term;
        // the derivative by sigma_1 is -rho^2 cos^2(w sigma_2/2) / (2 sin^2(w T/2))
        size += fabs(term) + 0.5 * rho * rho *
                                 (sigma_1 * second * second + sigma_2 * first * first) /
                                 (sine * sine);
    }
    const bool is_zero = !(fabs(sum) > TERM_ROUNDINGS * DBL_EPSILON * size);
    return is_zero ? (double)NAN : basis->root_inverse_mass * sum;
}

/**
 * How far both equations are from being met: |a|, which is |Pi lambda| / |lambda|, and
 * |(alpha + beta) lambda + g_0| / |g_0| with the entries of Sigma from their kernels.
 */
static double equations_residual(const carom_modal_basis *basis, const carom_orbit *orbit) {
    const double *sigma = orbit->flight_times;
    const double T = orbit->period;
    const carom_kernels difference = carom_kernels_evaluate(basis, T, sigma[1] - sigma[0]);
    const double g = basis->gap_at_rest;
    const double alpha = carom_kernels_evaluate(basis, T, T).gap;
    const double gap = (alpha + difference.gap) * orbit->lambda[0] + g;
    const bool has_gap = fabs(g) > 0.0;
    return fmax(fabs(difference.velocity), has_gap ? fabs(gap / g) : fabs(gap));
}

/*[twoImpactsOrbit]*/
carom_status carom_two_impacts_orbit(const carom_modal_basis *basis, double sigma_1, double sigma_2,
                                     carom_orbit *orbit) {
    CAROM_ASSERT(basis != NULL && orbit != NULL);
    CAROM_ASSERT(orbit->impact_count == 2 && orbit->mode_count == basis->visible_count);
    carom_orbit_clear(orbit);
    if (!is_duration(sigma_1) || !is_duration(sigma_2)) {
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    const double half = half_sum(basis, sigma_1, sigma_2);
    if (!isfinite(half)) {
        return CAROM_STATUS_SINGULAR;
    }
    // lambda_1 = lambda_2 = -g_0/(alpha + beta); a gap of zero must not give minus zero
    const double g = basis->gap_at_rest;
    const double lambda = fabs(g) > 0.0 ? -0.5 * g / half : 0.0;
    for (int j = 0; j < 2; j++) {
        orbit->flight_times[j] = j == 0 ? sigma_1 : sigma_2;
        orbit->lambda[j] = lambda;
    }
    const carom_status status = carom_orbit_complete(basis, orbit);
    if (status != CAROM_OK) {
        carom_orbit_clear(orbit);
        return status;
    }
    orbit->residual = equations_residual(basis, orbit);
    return CAROM_OK;
}
/*[end twoImpactsOrbit]*/
