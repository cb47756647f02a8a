/** What the parts about the exact biped share: one gait with its samples, and how gaits are
 * written. */
#ifndef CAROM_EXPERIMENTS_BIPED_ROCKING_NONLINEAR_H
#define CAROM_EXPERIMENTS_BIPED_ROCKING_NONLINEAR_H

#include "results.h"

/** A gait of the exact biped. */
typedef struct exact_gait {
    carom_armed_biped_params biped; /**< at the theta of the gait */
    carom_nonlinear_gait *gait;
    carom_gait_trajectory *quarter; /**< from P to P' */
    carom_gait_conditions conditions;
} exact_gait;

/** How many samples a quarter has in each phase: even numbers, together about those asked for. */
void biped_rocking_intervals(const settings *values, int *intervals, int *constrained_intervals);

/**
 * The harmonic gait that the family begins with.
 *
 * @param[in]  r        solved
 * @param[out] position [N] x at P over theta
 * @param[out] start    borrows `position`
 */
void biped_rocking_gait_start(const results *r, double *position, carom_gait_start *start);

/** Largest angle at P of the harmonic gait, over theta. */
double biped_rocking_largest_angle(const results *r, const carom_gait_start *start);

/** The exact gait at theta, to be cleared by biped_rocking_gait_clear whatever is returned;
 * NOT_CONVERGED if the family does not get there. */
CAROM_MUST_CHECK carom_status biped_rocking_gait_find(const results *r, double theta,
                                                      exact_gait *out, carom_report *report);

void biped_rocking_gait_clear(exact_gait *exact);

/** Write a gait as a group: times, energy, states at P and P', a quarter of the cycle, conditions
 * on the feet, the biped drawn at P, at the landing and at P', and as the harmonic gait has it. */
CAROM_MUST_CHECK carom_status biped_rocking_write_gait(const results *r, const char *group,
                                                       const exact_gait *exact);

/** Write `count` gaits along the axis /nonlinear/point. */
CAROM_MUST_CHECK carom_status biped_rocking_write_points(const results *r, int count,
                                                         const carom_nonlinear_gait *gaits,
                                                         const carom_gait_conditions *conditions);

#endif
