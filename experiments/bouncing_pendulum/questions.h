/** What is asked of a run, by the file that answers. */
#ifndef CAROM_EXPERIMENTS_BOUNCING_PENDULUM_QUESTIONS_H
#define CAROM_EXPERIMENTS_BOUNCING_PENDULUM_QUESTIONS_H

#include "results.h"

/** A question to a run: a number, NaN without an answer. The table in measures.c says what each one
 * means, in which unit, and which runs it makes sense for. */
typedef double question(const results *all, const carom_trajectory *t);

/** Impacts whose times, jumps, energies and impulses are compared: later ones are displaced by the
 * errors of the earlier. */
enum { COMPARED_IMPACTS = 3 };

/* --- motion.c: gap, impacts, energy and rest -------------------------------------------------- */

question bouncing_pendulum_smallest_gap;
question bouncing_pendulum_rest_time;
question bouncing_pendulum_rest_error;
question bouncing_pendulum_largest_restitution_error;
question bouncing_pendulum_largest_impact_time_error;
question bouncing_pendulum_largest_jump_error;
question bouncing_pendulum_largest_energy_plateau_error;
question bouncing_pendulum_largest_energy_increase;
question bouncing_pendulum_most_newton_iterations;

/** A value in the step of the first impact: the first column; NaN without an impact. */
double bouncing_pendulum_at_first_impact(const carom_trajectory *t, const double *values,
                                         int columns);

/** A value of the last step, if the contact is closed and at rest by then: the first column. */
double bouncing_pendulum_at_rest(const results *all, const carom_trajectory *t,
                                 const double *values, int columns);

/* --- multipliers.c: impulses, forces and residuals of contact and joints ---------------------- */

question bouncing_pendulum_first_contact_impulse;
question bouncing_pendulum_first_contact_impulse_error;
question bouncing_pendulum_rest_contact_impulse;
question bouncing_pendulum_rest_contact_impulse_smallest;
question bouncing_pendulum_rest_contact_force;
question bouncing_pendulum_rest_contact_position_multiplier;
question bouncing_pendulum_smallest_contact_position_multiplier;
question bouncing_pendulum_largest_contact_position_multiplier;
question bouncing_pendulum_first_joint_impulse;
question bouncing_pendulum_rest_joint_position_multiplier;
question bouncing_pendulum_rest_joint_reaction;
question bouncing_pendulum_largest_joint_position_multiplier;
question bouncing_pendulum_largest_joint_residual;
question bouncing_pendulum_largest_joint_rate;
question bouncing_pendulum_final_joint_residual;
question bouncing_pendulum_largest_joint_residual_recovery;
question bouncing_pendulum_largest_joint_impulse_open;
question bouncing_pendulum_smallest_joint_force;

/** Reaction of the first joint in a step: smooth force and impulse together, as in section 7.1 of
 * the paper, N. */
double bouncing_pendulum_joint_reaction(const carom_trajectory *t, int row);

/* --- oscillation.c: the joint force after the first impact ------------------------------------ */

question bouncing_pendulum_oscillation_impact_deviation;
question bouncing_pendulum_oscillation_amplitude;
question bouncing_pendulum_oscillation_integral;
question bouncing_pendulum_oscillation_steps;
question bouncing_pendulum_oscillation_decay;
question bouncing_pendulum_oscillation_sign_changes;

/** Smooth force of the first joint less what the exact motion has in the same state, N. */
double bouncing_pendulum_deviation(const results *all, const carom_trajectory *t, int row);

/* --- comparison.c: a run beside that of the nonsmooth generalized-alpha scheme ---------------- */

question bouncing_pendulum_flight_reaction_error;
question bouncing_pendulum_flight_reaction_difference;
question bouncing_pendulum_joint_impulse_difference;
question bouncing_pendulum_rest_reaction_difference;
question bouncing_pendulum_motion_difference;

#endif
