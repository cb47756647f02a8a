/** The numbers that are computed from a run, by file. */
#ifndef CAROM_EXPERIMENTS_BOUNCING_PENDULUM_MEASURES_H
#define CAROM_EXPERIMENTS_BOUNCING_PENDULUM_MEASURES_H

#include "results.h"

/** A number computed from a run, NaN where it is not defined. The table in measures.c says what
 * each one means, its unit, and which runs have it. */
typedef double measure(const results *all, const carom_trajectory *t);

/** Impacts whose times, jumps, energies and impulses are compared: later ones are displaced by the
 * errors of the earlier. */
enum { COMPARED_IMPACTS = 3 };

/* --- motion.c: gap, impacts, energy and rest -------------------------------------------------- */

measure bouncing_pendulum_smallest_gap;
measure bouncing_pendulum_rest_time;
measure bouncing_pendulum_rest_error;
measure bouncing_pendulum_largest_restitution_error;
measure bouncing_pendulum_largest_impact_time_error;
measure bouncing_pendulum_largest_jump_error;
measure bouncing_pendulum_largest_energy_plateau_error;
measure bouncing_pendulum_largest_energy_increase;
measure bouncing_pendulum_most_newton_iterations;

/** A value in the step of the first impact: the first column; NaN without an impact. */
double bouncing_pendulum_at_first_impact(const carom_trajectory *t, const double *values,
                                         int columns);

/** A value of the last step, if the contact is closed and at rest by then: the first column. */
double bouncing_pendulum_at_rest(const results *all, const carom_trajectory *t,
                                 const double *values, int columns);

/* --- multipliers.c: impulses, forces and residuals of contact and joints ---------------------- */

measure bouncing_pendulum_first_contact_impulse;
measure bouncing_pendulum_first_contact_impulse_error;
measure bouncing_pendulum_rest_contact_impulse;
measure bouncing_pendulum_rest_contact_impulse_smallest;
measure bouncing_pendulum_rest_contact_force;
measure bouncing_pendulum_rest_contact_position_multiplier;
measure bouncing_pendulum_smallest_contact_position_multiplier;
measure bouncing_pendulum_largest_contact_position_multiplier;
measure bouncing_pendulum_first_joint_impulse;
measure bouncing_pendulum_rest_joint_position_multiplier;
measure bouncing_pendulum_rest_joint_reaction;
measure bouncing_pendulum_largest_joint_position_multiplier;
measure bouncing_pendulum_largest_joint_residual;
measure bouncing_pendulum_largest_joint_rate;
measure bouncing_pendulum_final_joint_residual;
measure bouncing_pendulum_largest_joint_residual_recovery;
measure bouncing_pendulum_largest_joint_impulse_open;
measure bouncing_pendulum_smallest_joint_force;

/** Reaction of the first joint in a step: smooth force and impulse together, as in section 7.1 of
 * the paper, N. */
double bouncing_pendulum_joint_reaction(const carom_trajectory *t, int row);

/* --- oscillation.c: the joint force after the first impact ------------------------------------ */

measure bouncing_pendulum_oscillation_impact_deviation;
measure bouncing_pendulum_oscillation_amplitude;
measure bouncing_pendulum_oscillation_integral;
measure bouncing_pendulum_oscillation_steps;
measure bouncing_pendulum_oscillation_decay;
measure bouncing_pendulum_oscillation_sign_changes;

/** Smooth force of the first joint less what the exact motion has in the same state, N. */
double bouncing_pendulum_deviation(const results *all, const carom_trajectory *t, int row);

/* --- comparison.c: a run beside that of the nonsmooth generalized-alpha scheme ---------------- */

measure bouncing_pendulum_flight_reaction_error;
measure bouncing_pendulum_flight_reaction_difference;
measure bouncing_pendulum_joint_impulse_difference;
measure bouncing_pendulum_rest_reaction_difference;
measure bouncing_pendulum_motion_difference;

#endif
