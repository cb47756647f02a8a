#include <carom/modes/few_impacts.h>
#include <carom/modes/internal.h>

#include <float.h>
#include <math.h>

/**
 * A period counts as a harmonic or as a root if it is one within so many roundings of itself: its
 * own and those of the sum over the modes.
 */
static const double PERIOD_ROUNDINGS = 4.0;

/** Bisections between harmonics: 2^-100 of the interval is far below the last digit of a period. */
enum { MAX_BISECTIONS = 100 };

/** Periods of a scan between two harmonics; the outermost are this part of the interval away from
 * them: roots are farther off than 1e-3 for the paper's chain, and phi is accurate to 1e-6 there.
 */
enum { SCAN_SAMPLES = 64 };
static const double SCAN_MARGIN = 1e-9;

/** A function of the period and its derivative. */
typedef struct slope_value {
    double value;
    double slope;
} slope_value;

/** phi_c(T) = -Gamma_T(T) and its derivative (sqrt(G)/2) sum rho^2/sin^2(w T/2) > 0 (7.15). */
static slope_value contact_function(const carom_modal_basis *basis, double period) {
    const carom_kernels kernels = carom_kernels_evaluate(basis, period, period);
    const slope_value phi = {
        .value = -kernels.gap,
        .slope = -(kernels.gap_by_argument + kernels.gap_by_period),
    };
    return phi;
}

/** How far phi_c(T) may be from zero where T is a root, by the rounding of T. */
static bool is_root(slope_value phi, double period) {
    return isfinite(phi.slope) &&
           fabs(phi.value) <= PERIOD_ROUNDINGS * DBL_EPSILON * period * phi.slope;
}

/**
 * |x_c(0) - g_0| in units of the terms that make it up: the equation of the closed gap, from the
 * state rather than from the kernel that gave lambda.
 */
static double gap_residual(const carom_modal_basis *basis, const carom_orbit *orbit) {
    double size = fabs(basis->gap_at_rest);
    for (int l = 0; l < basis->visible_count; l++) {
        const double amplitude = orbit->state[2 * l] / basis->frequency[l];
        size += basis->root_inverse_mass * basis->participation[l] * fabs(amplitude);
    }
    const double displacement = carom_modal_basis_contact_displacement(basis, orbit->state);
    const double error = fabs(displacement - basis->gap_at_rest);
    return size > 0.0 ? error / size : error;
}

/*[singleImpactOrbit]*/
carom_status carom_single_impact_orbit(const carom_modal_basis *basis, double period,
                                       carom_orbit *orbit) {
    CAROM_ASSERT(basis != NULL && orbit != NULL);
    CAROM_ASSERT(orbit->impact_count == 1 && orbit->mode_count == basis->visible_count);
    carom_orbit_clear(orbit);
    if (!(period > 0.0 && period <= DBL_MAX)) {
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    const slope_value phi = contact_function(basis, period);
    if (!isfinite(phi.value) || is_root(phi, period)) {
        return CAROM_STATUS_SINGULAR;
    }
    // (7.15); a gap of zero must not give minus zero
    const bool is_closed = fpclassify(basis->gap_at_rest) == FP_ZERO;
    orbit->lambda[0] = is_closed ? 0.0 : basis->gap_at_rest / phi.value;
    orbit->flight_times[0] = period;
    const carom_status status = carom_orbit_complete(basis, orbit);
    if (status != CAROM_OK) {
        carom_orbit_clear(orbit);
        return status;
    }
    orbit->residual = gap_residual(basis, orbit);
    return CAROM_OK;
}
/*[end singleImpactOrbit]*/

carom_status carom_single_impact_root(const carom_modal_basis *basis, double lower, double upper,
                                      double *root) {
    CAROM_ASSERT(basis != NULL && root != NULL);
    *root = NAN;
    if (!(lower >= 0.0 && lower < upper && upper <= DBL_MAX)) {
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    // phi_c rises from -infinity to infinity between the harmonics: bisection to the last digit
    double a = lower;
    double b = upper;
    double period = 0.5 * (a + b);
    for (int i = 0; i < MAX_BISECTIONS && a < period && period < b; i++) {
        if (contact_function(basis, period).value < 0.0) {
            a = period;
        } else {
            b = period;
        }
        period = 0.5 * (a + b);
    }
    // Next to the harmonic of a hardly visible mode the root may lie within rounding of it.
    const double rounding = PERIOD_ROUNDINGS * DBL_EPSILON * upper;
    const double harmonic = carom_harmonic_nearest(basis, b).period;
    if (fabs(harmonic - b) > rounding && !is_root(contact_function(basis, b), b)) {
        return CAROM_STATUS_NOT_CONVERGED;
    }
    *root = b;
    return CAROM_OK;
}

int carom_single_impact_scan(const carom_modal_basis *basis, double lower, double upper,
                             double *slope) {
    CAROM_ASSERT(basis != NULL && slope != NULL);
    int roots = 0;
    double before = NAN;
    for (int i = 0; i < SCAN_SAMPLES; i++) {
        const double angle = acos(-1.0) * i / (SCAN_SAMPLES - 1);
        const double part = 0.5 * (1.0 - cos(angle)) * (1.0 - 2.0 * SCAN_MARGIN) + SCAN_MARGIN;
        const slope_value phi = contact_function(basis, lower + (upper - lower) * part);
        *slope = fmin(*slope, phi.slope);
        roots += before * phi.value < 0.0 ? 1 : 0;
        before = phi.value;
    }
    return roots;
}
