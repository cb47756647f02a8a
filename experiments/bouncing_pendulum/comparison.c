/** Questions that set a run beside that of the nonsmooth generalized-alpha scheme: the Moreau-Jean
 * scheme by its joint reactions, the sequential variant by its motion. */
#include "measures.h"

#include <math.h>

/** Steps after an impact until the oscillation of the joint force is out of the comparison. */
enum { SETTLING_STEPS = 30 };

static const carom_trajectory *nonsmooth_run(const results *all) {
    return bouncing_pendulum_run(all, NONSMOOTH);
}

/** Rows of the first flight, between the oscillation and the earlier of both second impacts; false
 * without a flight. */
static bool flight_rows(const results *all, const carom_trajectory *t, int *first, int *end) {
    const carom_trajectory *other = nonsmooth_run(all);
    int mine[2];
    int others[2];
    if (other == NULL || carom_trajectory_impacts(t, 0, 2, mine) < 2 ||
        carom_trajectory_impacts(other, 0, 2, others) < 2) {
        return false;
    }
    *first = (mine[0] > others[0] ? mine[0] : others[0]) + SETTLING_STEPS;
    *end = mine[1] < others[1] ? mine[1] : others[1];
    return *first < *end;
}

/** Of the joint reaction from the exact one in the same state, relative to the largest of these. */
double bouncing_pendulum_flight_reaction_error(const results *all, const carom_trajectory *t) {
    int first = 0;
    int end = 0;
    if (!flight_rows(all, t, &first, &end)) {
        return (double)NAN;
    }
    double error = 0.0;
    double scale = 0.0;
    for (int row = first; row < end; row++) {
        const double exact =
            t->joint_force[(size_t)row * JOINTS] - bouncing_pendulum_deviation(all, t, row);
        error = fmax(error, fabs(bouncing_pendulum_joint_reaction(t, row) - exact));
        scale = fmax(scale, fabs(exact));
    }
    return scale > 0.0 ? error / scale : (double)NAN;
}

/** Largest difference of the joint reaction in the flight. */
double bouncing_pendulum_flight_reaction_difference(const results *all, const carom_trajectory *t) {
    const carom_trajectory *other = nonsmooth_run(all);
    int first = 0;
    int end = 0;
    double largest = flight_rows(all, t, &first, &end) ? 0.0 : (double)NAN;
    for (int row = first; row < end; row++) {
        largest = fmax(largest, fabs(bouncing_pendulum_joint_reaction(t, row) -
                                     bouncing_pendulum_joint_reaction(other, row)));
    }
    return largest;
}

/** Largest relative difference of the joint impulses. */
double bouncing_pendulum_joint_impulse_difference(const results *all, const carom_trajectory *t) {
    const carom_trajectory *other = nonsmooth_run(all);
    int mine[COMPARED_IMPACTS];
    int others[COMPARED_IMPACTS];
    if (other == NULL ||
        carom_trajectory_impacts(t, 0, COMPARED_IMPACTS, mine) < COMPARED_IMPACTS ||
        carom_trajectory_impacts(other, 0, COMPARED_IMPACTS, others) < COMPARED_IMPACTS) {
        return (double)NAN;
    }
    double largest = 0.0;
    for (int k = 0; k < COMPARED_IMPACTS; k++) {
        const double ours = t->joint_impulse[(size_t)mine[k] * JOINTS];
        const double theirs = other->joint_impulse[(size_t)others[k] * JOINTS];
        largest = fmax(largest, fabs(ours / theirs - 1.0));
    }
    return largest;
}

/** Relative. */
double bouncing_pendulum_rest_reaction_difference(const results *all, const carom_trajectory *t) {
    const carom_trajectory *other = nonsmooth_run(all);
    return other == NULL ? (double)NAN
                         : fabs(bouncing_pendulum_rest_joint_reaction(all, t) /
                                    bouncing_pendulum_rest_joint_reaction(all, other) -
                                1.0);
}

/** Largest difference of the angle in any step. */
double bouncing_pendulum_motion_difference(const results *all, const carom_trajectory *t) {
    const carom_trajectory *other = nonsmooth_run(all);
    if (other == NULL) {
        return (double)NAN;
    }
    return carom_series_largest_difference(
        carom_series_whole(t, t->position, COORDINATES, ANGLE),
        carom_series_whole(other, other->position, COORDINATES, ANGLE));
}
