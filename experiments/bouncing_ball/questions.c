#include "questions.h"

#include <math.h>

carom_series bouncing_ball_series(const carom_trajectory *t, const double *values) {
    return carom_series_whole(t, values, 1, 0);
}

carom_series bouncing_ball_series_from(const carom_trajectory *t, const double *values,
                                       double from) {
    return carom_series_window(t, values, 1, 0, from, (double)INFINITY);
}

/** L1 distance over the run, the sum of h |value - exact|; exact NULL: zero. */
static double error_l1(const carom_trajectory *t, const double *values, const double *exact) {
    double sum = 0.0;
    for (int row = 1; row < t->row_count; row++) {
        sum += t->step * fabs(values[row] - (exact != NULL ? exact[row] : 0.0));
    }
    return sum;
}

double bouncing_ball_gap_error(const results *r, const carom_trajectory *t) {
    const double size = error_l1(t, r->exact.gap, NULL);
    return size > 0.0 ? error_l1(t, t->gap, r->exact.gap) / size : (double)NAN;
}

energy_changes bouncing_ball_energy_changes(const results *r, const carom_trajectory *t) {
    energy_changes seen = {(double)NAN, (double)NAN, 0.0, 0, 0};
    for (int row = 1; row < t->row_count; row++) {
        const double change = t->energy[row] - t->energy[row - 1];
        if (!carom_trajectory_is_pressed(t, 0, row)) {
            seen.smallest_in_flight = fmin(seen.smallest_in_flight, change);
            seen.largest_in_flight = fmax(seen.largest_in_flight, change);
            seen.sum_in_flight += change;
            seen.flight_steps++;
        } else if (t->time[row] < STAIRCASE_END * r->exact.accumulation &&
                   change < -r->energy_tolerance) {
            seen.drops++;
        }
    }
    return seen;
}

bool bouncing_ball_has_staircase(const results *r) {
    return r->exact.accumulation <= r->values->schemes.duration &&
           r->values->ball.restitution > 0.0;
}

int bouncing_ball_exact_drops(const results *r) {
    static const int most = 256; /* of an almost elastic ball */
    const double end = STAIRCASE_END * r->exact.accumulation;
    int count = 0;
    while (count < most && carom_bouncing_ball_exact_impact(&r->values->ball, count).time < end) {
        count++;
    }
    return count;
}

double bouncing_ball_rest_speed(const carom_trajectory *t) {
    return REST_PART * carom_series_magnitude(bouncing_ball_series(t, t->velocity));
}

double bouncing_ball_rest_time(const carom_trajectory *t) {
    const double last = carom_series_last_above(bouncing_ball_series(t, t->velocity), t,
                                                bouncing_ball_rest_speed(t));
    return last < t->time[t->row_count - 1] ? last : (double)NAN;
}

double bouncing_ball_first_impulse(const carom_trajectory *t) {
    int row = 0;
    const bool has_impact = carom_trajectory_impacts(t, 0, 1, &row) > 0;
    return has_impact && t->contact_impulse[row] > 0.0 ? t->contact_impulse[row] : (double)NAN;
}
