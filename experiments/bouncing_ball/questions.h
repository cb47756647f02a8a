/** What is asked of more than one scheme. The ball has one coordinate and one contact, so that
 * every series of a run has one column. */
#ifndef CAROM_EXPERIMENTS_BOUNCING_BALL_QUESTIONS_H
#define CAROM_EXPERIMENTS_BOUNCING_BALL_QUESTIONS_H

#include "results.h"

#include <carom/timestepping/trajectory.h>

/** Slower than this part of its largest speed a ball is at rest: a closed contact keeps (-e)^k h
 * a_g, never zero. */
static const double REST_PART = 2.5e-10;

/** The staircase of the energy is looked at up to here, in the time to the accumulation: for the
 * motion of the paper 3.00 s, eight impacts. */
static const double STAIRCASE_END = 5.0 / 6.0;

/** Changes of energy of a run, step by step. */
typedef struct energy_changes {
    double smallest_in_flight; /**< J */
    double largest_in_flight;  /**< J */
    double sum_in_flight;      /**< J */
    int flight_steps;
    int drops; /**< contact steps before the end of the staircase that lose energy */
} energy_changes;

/** One of the run's series. */
carom_series bouncing_ball_series(const carom_trajectory *t, const double *values);

/** The same from a time on; no rows if that is infinite. */
carom_series bouncing_ball_series_from(const carom_trajectory *t, const double *values,
                                       double from);

/** Error of the gap in L1, relative to the exact gap. */
double bouncing_ball_gap_error(const results *r, const carom_trajectory *t);

/** Walk through the energy of a run. */
energy_changes bouncing_ball_energy_changes(const results *r, const carom_trajectory *t);

/** Whether the run is long enough to show the staircase, and the ball bounces more than once. */
bool bouncing_ball_has_staircase(const results *r);

/** Impacts of the exact motion before the end of the staircase. */
int bouncing_ball_exact_drops(const results *r);

/** What is no speed in a run, m/s: REST_PART of the largest. */
double bouncing_ball_rest_speed(const carom_trajectory *t);

/** Last time at which the ball moves, s; NaN if it moves to the end. */
double bouncing_ball_rest_time(const carom_trajectory *t);

/** Impulse of the first impact, N s; NaN if there is none, or a force in its place. */
double bouncing_ball_first_impulse(const carom_trajectory *t);

#endif
