/** Questions about contact and joints: impulses, position multipliers, forces and residuals. Where
 * one joint is enough, it is the first, horizontal one, which carries the impacts. */
#include "measures.h"

#include <math.h>

/* --- the contact ------------------------------------------------------------------------------ */

double bouncing_pendulum_first_contact_impulse(const results *all, const carom_trajectory *t) {
    (void)all;
    return bouncing_pendulum_at_first_impact(t, t->contact_impulse, 1);
}

/** Relative. */
double bouncing_pendulum_first_contact_impulse_error(const results *all,
                                                     const carom_trajectory *t) {
    return all->impact_count == 0 ? (double)NAN
                                  : fabs(bouncing_pendulum_first_contact_impulse(all, t) /
                                             all->impacts[0].contact_impulse -
                                         1.0);
}

double bouncing_pendulum_rest_contact_impulse(const results *all, const carom_trajectory *t) {
    return bouncing_pendulum_at_rest(all, t, t->contact_impulse, 1);
}

/** Over all steps of the closed phase. */
double bouncing_pendulum_rest_contact_impulse_smallest(const results *all,
                                                       const carom_trajectory *t) {
    const double from = bouncing_pendulum_rest_time(all, t);
    return isnan(from) ? from
                       : carom_series_minimum(carom_series_window(t, t->contact_impulse, 1, 0, from,
                                                                  t->time[t->row_count - 1]));
}

double bouncing_pendulum_rest_contact_force(const results *all, const carom_trajectory *t) {
    return bouncing_pendulum_rest_contact_impulse(all, t) / t->step;
}

double bouncing_pendulum_rest_contact_position_multiplier(const results *all,
                                                          const carom_trajectory *t) {
    return bouncing_pendulum_at_rest(all, t, t->contact_position_multiplier, 1);
}

double bouncing_pendulum_smallest_contact_position_multiplier(const results *all,
                                                              const carom_trajectory *t) {
    (void)all;
    return carom_series_minimum(carom_series_whole(t, t->contact_position_multiplier, 1, 0));
}

double bouncing_pendulum_largest_contact_position_multiplier(const results *all,
                                                             const carom_trajectory *t) {
    (void)all;
    return carom_series_maximum(carom_series_whole(t, t->contact_position_multiplier, 1, 0));
}

/* --- multipliers of the first joint ----------------------------------------------------------- */

double bouncing_pendulum_joint_reaction(const carom_trajectory *t, int row) {
    const size_t k = (size_t)row * JOINTS;
    return t->joint_impulse[k] / t->step + t->joint_force[k];
}

double bouncing_pendulum_first_joint_impulse(const results *all, const carom_trajectory *t) {
    (void)all;
    return bouncing_pendulum_at_first_impact(t, t->joint_impulse, JOINTS);
}

double bouncing_pendulum_rest_joint_position_multiplier(const results *all,
                                                        const carom_trajectory *t) {
    return bouncing_pendulum_at_rest(all, t, t->joint_position_multiplier, JOINTS);
}

double bouncing_pendulum_rest_joint_reaction(const results *all, const carom_trajectory *t) {
    return bouncing_pendulum_at_rest(all, t, t->joint_force, JOINTS) +
           bouncing_pendulum_at_rest(all, t, t->joint_impulse, JOINTS) / t->step;
}

double bouncing_pendulum_largest_joint_position_multiplier(const results *all,
                                                           const carom_trajectory *t) {
    (void)all;
    return carom_series_magnitude(carom_series_whole(t, t->joint_position_multiplier, JOINTS, 0));
}

/** Over the steps whose contact is not active. */
double bouncing_pendulum_largest_joint_impulse_open(const results *all, const carom_trajectory *t) {
    (void)all;
    double largest = 0.0;
    for (int row = 1; row < t->row_count; row++) {
        if (!t->velocity_active[row]) {
            largest = fmax(largest, fabs(t->joint_impulse[(size_t)row * JOINTS]));
        }
    }
    return largest;
}

double bouncing_pendulum_smallest_joint_force(const results *all, const carom_trajectory *t) {
    (void)all;
    double smallest = (double)INFINITY;
    for (int row = 0; row < t->row_count; row++) {
        smallest = fmin(smallest, fabs(t->joint_force[(size_t)row * JOINTS]));
    }
    return smallest;
}

/* --- residuals of the joints ------------------------------------------------------------------ */

/** Largest size of a quantity of both joints. */
static double of_both_joints(const carom_trajectory *t, const double *values) {
    return fmax(carom_series_magnitude(carom_series_whole(t, values, JOINTS, 0)),
                carom_series_magnitude(carom_series_whole(t, values, JOINTS, 1)));
}

double bouncing_pendulum_largest_joint_residual(const results *all, const carom_trajectory *t) {
    (void)all;
    return of_both_joints(t, t->joint_residual);
}

double bouncing_pendulum_largest_joint_rate(const results *all, const carom_trajectory *t) {
    (void)all;
    return of_both_joints(t, t->joint_rate);
}

double bouncing_pendulum_final_joint_residual(const results *all, const carom_trajectory *t) {
    (void)all;
    return t->joint_residual[(size_t)(t->row_count - 1) * JOINTS];
}

/** By which the size of the residual of the first joint ever goes back in a step. */
double bouncing_pendulum_largest_joint_residual_recovery(const results *all,
                                                         const carom_trajectory *t) {
    (void)all;
    double largest = 0.0;
    for (int row = 1; row < t->row_count; row++) {
        const double *g = &t->joint_residual[(size_t)row * JOINTS];
        largest = fmax(largest, fabs(g[-JOINTS]) - fabs(g[0]));
    }
    return largest;
}
