/** Questions about the oscillation of the smooth force of the first joint after the first impact.
 */
#include "measures.h"

#include <math.h>

/** The oscillation has died out at this fraction of its first deviation. */
static const double DAMPED_FRACTION = 0.01;

/*[bouncingPendulumDeviation]*/
double bouncing_pendulum_deviation(const results *all, const carom_trajectory *t, int row) {
    const size_t k = (size_t)row * COORDINATES + ANGLE;
    double exact[JOINTS];
    carom_bouncing_pendulum_exact_joint_force(&all->values->pendulum, t->position[k],
                                              t->velocity[k], exact);
    return t->joint_force[(size_t)row * JOINTS] - exact[0];
}
/*[end bouncingPendulumDeviation]*/

/** Row of the first impact and the one past the oscillation; without a whole one false, rows 0. */
static bool oscillation_rows(const carom_trajectory *t, int *impact, int *end) {
    *impact = 0;
    *end = 0;
    int row[2];
    const int count = carom_trajectory_impacts(t, 0, 2, row);
    if (count == 0) {
        return false;
    }
    const int past = row[0] + OSCILLATION_STEPS + 1;
    if (past > (count == 2 ? row[1] : t->row_count)) {
        return false;
    }
    *impact = row[0];
    *end = past;
    return true;
}

/** Size of the deviation in the step of the impact itself. */
double bouncing_pendulum_oscillation_impact_deviation(const results *all,
                                                      const carom_trajectory *t) {
    int impact = 0;
    int end = 0;
    return oscillation_rows(t, &impact, &end) ? fabs(bouncing_pendulum_deviation(all, t, impact))
                                              : (double)NAN;
}

/** Largest deviation after the step of the impact. */
double bouncing_pendulum_oscillation_amplitude(const results *all, const carom_trajectory *t) {
    int impact = 0;
    int end = 0;
    double largest = oscillation_rows(t, &impact, &end) ? 0.0 : (double)NAN;
    for (int row = impact + 1; row < end; row++) {
        largest = fmax(largest, fabs(bouncing_pendulum_deviation(all, t, row)));
    }
    return largest;
}

/** Integral of the size of the deviation, from the step of the impact on. */
double bouncing_pendulum_oscillation_integral(const results *all, const carom_trajectory *t) {
    int impact = 0;
    int end = 0;
    double sum = oscillation_rows(t, &impact, &end) ? 0.0 : (double)NAN;
    for (int row = impact; row < end; row++) {
        sum += fabs(bouncing_pendulum_deviation(all, t, row)) * t->step;
    }
    return sum;
}

/** Steps until the deviation has died out; NaN if it has not. */
double bouncing_pendulum_oscillation_steps(const results *all, const carom_trajectory *t) {
    int impact = 0;
    int end = 0;
    if (!oscillation_rows(t, &impact, &end)) {
        return (double)NAN;
    }
    const double limit = DAMPED_FRACTION * fabs(bouncing_pendulum_deviation(all, t, impact + 1));
    for (int row = impact + 1; row < end; row++) {
        if (fabs(bouncing_pendulum_deviation(all, t, row)) <= limit) {
            return row - impact - 1;
        }
    }
    return (double)NAN;
}

/** Factor from step to step, mean over the steps until it has died out. */
double bouncing_pendulum_oscillation_decay(const results *all, const carom_trajectory *t) {
    int impact = 0;
    int end = 0;
    const double steps = bouncing_pendulum_oscillation_steps(all, t);
    if (!(steps >= 1.0) || !oscillation_rows(t, &impact, &end)) {
        return (double)NAN;
    }
    const double first = bouncing_pendulum_deviation(all, t, impact + 1);
    const double last = bouncing_pendulum_deviation(all, t, impact + 1 + (int)steps);
    return pow(fabs(last / first), 1.0 / steps);
}

/** Until it has died out. */
double bouncing_pendulum_oscillation_sign_changes(const results *all, const carom_trajectory *t) {
    int impact = 0;
    int end = 0;
    const double steps = bouncing_pendulum_oscillation_steps(all, t);
    if (isnan(steps) || !oscillation_rows(t, &impact, &end)) {
        return (double)NAN;
    }
    int changes = 0;
    for (int row = impact + 1; row < impact + (int)steps; row++) {
        const double before = bouncing_pendulum_deviation(all, t, row);
        const double after = bouncing_pendulum_deviation(all, t, row + 1);
        changes += before * after < 0.0 ? 1 : 0;
    }
    return changes;
}
