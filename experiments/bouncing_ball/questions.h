/** What is asked of more than one scheme. */
#ifndef CAROM_EXPERIMENTS_BOUNCING_BALL_QUESTIONS_H
#define CAROM_EXPERIMENTS_BOUNCING_BALL_QUESTIONS_H

#include "results.h"

#include <math.h>
#include <string.h>

/** Slower than this part of its largest speed a ball is at rest: a closed contact keeps (-e)^k h
 * a_g, never zero. */
static const double REST_PART = 2.5e-10;

/** The staircase of the energy is looked at up to here, in the time to the accumulation: for the
 * motion of the paper 3.00 s, eight impacts. */
static const double STAIRCASE_END = 5.0 / 6.0;

/** The run of a group ("moreau_jean"); NULL if it is not part of this record or failed. */
static inline const carom_trajectory *run_of(const results *r, const char *name) {
    for (int i = 0; i < r->run_count; i++) {
        const carom_trajectory *t = r->runs[i].trajectory;
        if (strcmp(r->runs[i].group + 1, name) == 0 && t->outcome == CAROM_OK) {
            return t;
        }
    }
    return NULL;
}

/** One of the run's series. */
static inline carom_series all_of(const carom_trajectory *t, const double *values) {
    return carom_series_whole(t, values, 1, 0);
}

/** The same from when rest is required; no rows if it never is. */
static inline carom_series settled_of(const results *r, const carom_trajectory *t,
                                      const double *values) {
    return carom_series_window(t, values, 1, 0, r->settled, (double)INFINITY);
}

/** A number, or NaN if it is not asked for. */
static inline double if_asked(bool is_asked, double value) {
    return is_asked ? value : (double)NAN;
}

/** L1 error of the gap, relative to the exact gap. */
static inline double gap_error(const results *r, const carom_trajectory *t) {
    double size = 0.0;
    double error = 0.0;
    for (int row = 1; row < t->row_count; row++) {
        size += t->step * fabs(r->exact[row].gap[0]);
        error += t->step * fabs(t->gap[row] - r->exact[row].gap[0]);
    }
    return if_asked(size > 0.0, error / size);
}

/** Changes of energy of a run, step by step. */
typedef struct energy_changes {
    double smallest_in_flight; /**< J */
    double largest_in_flight;  /**< J */
    double sum_in_flight;      /**< J */
    int flight_steps;
    int drops; /**< contact steps before the end of the staircase that lose energy */
} energy_changes;

static inline energy_changes find_energy_changes(const results *r, const carom_trajectory *t) {
    energy_changes seen = {(double)NAN, (double)NAN, 0.0, 0, 0};
    for (int row = 1; row < t->row_count; row++) {
        const double change = t->energy[row] - t->energy[row - 1];
        if (!carom_trajectory_is_pressed(t, 0, row)) {
            seen.smallest_in_flight = fmin(seen.smallest_in_flight, change);
            seen.largest_in_flight = fmax(seen.largest_in_flight, change);
            seen.sum_in_flight += change;
            seen.flight_steps++;
        } else if (t->time[row] < STAIRCASE_END * r->accumulation &&
                   change < -r->energy_tolerance) {
            seen.drops++;
        }
    }
    return seen;
}

/** Whether the run is long enough to show the staircase, and the ball bounces more than once. */
static inline bool has_staircase(const results *r) {
    return r->accumulation <= r->values->schemes.duration && r->values->ball.restitution > 0.0;
}

/** Impacts of the exact motion before the end of the staircase. */
static inline int exact_drops(const results *r) {
    static const int most = 256; /* of an almost elastic ball */
    const double end = STAIRCASE_END * r->accumulation;
    int count = 0;
    while (count < most && carom_bouncing_ball_exact_impact(&r->values->ball, count).time < end) {
        count++;
    }
    return count;
}

/** What is no speed in a run, m/s: REST_PART of the largest. */
static inline double rest_speed(const carom_trajectory *t) {
    return REST_PART * carom_series_magnitude(all_of(t, t->velocity));
}

/** Last time at which a series is above a threshold, s; NaN if it is so at the end. */
static inline double last_above(const carom_trajectory *t, const double *values, double threshold) {
    const double last = carom_series_last_above(all_of(t, values), t, threshold);
    return if_asked(last < t->time[t->row_count - 1], last);
}

/** Impulse of the first impact, N s; NaN if there is none, or a force in its place. */
static inline double first_impulse(const carom_trajectory *t) {
    int row = 0;
    const bool has_impact = carom_trajectory_impacts(t, 0, 1, &row) > 0;
    return has_impact && t->contact_impulse[row] > 0.0 ? t->contact_impulse[row] : (double)NAN;
}

/** Time of the second contact, which for the data of the paper is a tie; NaN if there is none. */
static inline double second_contact_time(const carom_trajectory *t) {
    int rows[2];
    return carom_trajectory_impacts(t, 0, 2, rows) == 2 ? t->time[rows[1]] : (double)NAN;
}

#endif
