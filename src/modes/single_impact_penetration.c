#include <carom/modes/few_impacts_internal.h>

#include <math.h>
#include <stddef.h>

/**
 * Part of T by which the flight searched exceeds T/2, so that a maximum at T/2, about which x_c is
 * symmetric, is an interior one.
 */
static const double BEYOND_HALF = 0.01;

/** Bisections of a bracket of periods: a part of 2^-60 of it is below the last digit. */
enum { BISECTION_LIMIT = 60 };

/*[singleImpactExcess]*/
carom_single_impact_penetration carom_single_impact_penetration_at(const carom_modal_basis *basis,
                                                                   double period,
                                                                   carom_contact_motion *motion,
                                                                   double *state) {
    // z_1 = -rho cot(w T/2), z_2 = -rho just after the impact (3.1g)
    double scale = 0.0;
    for (int l = 0; l < basis->visible_count; l++) {
        const double rho = basis->participation[l];
        const carom_half_angle S = carom_half_angle_of_period(basis->frequency[l], period);
        state[2 * l] = -rho * S.cosine / S.sine;
        state[2 * l + 1] = -rho;
        scale += basis->root_inverse_mass * rho * rho / (basis->frequency[l] * fabs(S.sine));
    }
    carom_contact_motion_start(motion, state);
    // x_c is symmetric about T/2: the first half of the flight holds all maxima
    const double duration = (0.5 + BEYOND_HALF) * period;
    double gap = NAN;
    double end_velocity = NAN;
    carom_contact_motion_at(motion, 0.0, &gap, NULL, NULL);
    carom_contact_motion_at(motion, duration, NULL, &end_velocity, NULL);
    const carom_contact_maximum maximum = carom_contact_motion_largest_maximum(
        motion, duration, -basis->root_inverse_mass, end_velocity);
    const carom_single_impact_penetration result = {
        .period = period,
        .value =
            maximum.exists ? (maximum.displacement - gap) / scale : CAROM_PENETRATION_NO_MAXIMUM,
        .time = fmin(maximum.time, period - maximum.time),
    };
    return result;
}
/*[end singleImpactExcess]*/

carom_single_impact_penetration carom_single_impact_graze(const carom_modal_basis *basis,
                                                          carom_single_impact_penetration open,
                                                          carom_single_impact_penetration closed,
                                                          carom_contact_motion *motion,
                                                          double *state) {
    for (int i = 0; i < BISECTION_LIMIT; i++) {
        const double middle = 0.5 * (open.period + closed.period);
        if (!(fabs(middle - open.period) > 0.0 && fabs(middle - closed.period) > 0.0)) {
            break;
        }
        const carom_single_impact_penetration half =
            carom_single_impact_penetration_at(basis, middle, motion, state);
        if (half.value < 0.0) {
            open = half;
        } else {
            closed = half;
        }
    }
    return closed;
}
