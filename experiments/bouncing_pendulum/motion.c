/** Questions about the motion: gap, impacts, energy and rest. */
#include "measures.h"

#include <math.h>

/** The pendulum rests where its rate stays below this part of the largest: six decades above
 * rounding, seven below what one step of gravity gives. */
static const double REST_PART = 2e-10;

double bouncing_pendulum_smallest_gap(const results *all, const carom_trajectory *t) {
    (void)all;
    return carom_trajectory_smallest_gap(t);
}

double bouncing_pendulum_most_newton_iterations(const results *all, const carom_trajectory *t) {
    (void)all;
    return carom_trajectory_most_iterations(t);
}

/* --- impacts ---------------------------------------------------------------------------------- */

/** First rows of the first contacts, at most COMPARED_IMPACTS + 1 and as many as are exact ones. */
static int compared_impacts(const results *all, const carom_trajectory *t, int *row) {
    const int found = carom_trajectory_impacts(t, 0, COMPARED_IMPACTS + 1, row);
    return found < all->impact_count ? found : all->impact_count;
}

/** Largest error of Newton's law over the steps with a contact impulse. */
double bouncing_pendulum_largest_restitution_error(const results *all, const carom_trajectory *t) {
    double largest = 0.0;
    for (int row = 1; row < t->row_count; row++) {
        if (t->contact_impulse[row] > 0.0) {
            largest = fmax(largest, fabs(t->gap_rate[row] +
                                         all->values->pendulum.restitution * t->gap_rate[row - 1]));
        }
    }
    return largest;
}

/** Of the first impacts, in steps. */
double bouncing_pendulum_largest_impact_time_error(const results *all, const carom_trajectory *t) {
    int row[COMPARED_IMPACTS + 1];
    const int count = compared_impacts(all, t, row);
    double largest = count > 0 ? 0.0 : (double)NAN;
    for (int k = 0; k < count && k < COMPARED_IMPACTS; k++) {
        largest = fmax(largest, fabs(t->time[row[k]] - all->impacts[k].time) / t->step);
    }
    return largest;
}

/** Of the jumps of the rate at the first impacts, relative. */
double bouncing_pendulum_largest_jump_error(const results *all, const carom_trajectory *t) {
    int row[COMPARED_IMPACTS + 1];
    const int count = compared_impacts(all, t, row);
    const carom_series rate = carom_series_whole(t, t->velocity, COORDINATES, ANGLE);
    double largest = count > 0 ? 0.0 : (double)NAN;
    for (int k = 0; k < count && k < COMPARED_IMPACTS; k++) {
        const double jump = carom_series_at(rate, row[k]) - carom_series_at(rate, row[k] - 1);
        const double exact = -(1.0 + all->values->pendulum.restitution) * all->impacts[k].rate;
        largest = fmax(largest, fabs(jump / exact - 1.0));
    }
    return largest;
}

double bouncing_pendulum_at_first_impact(const carom_trajectory *t, const double *values,
                                         int columns) {
    int row = 0;
    return carom_trajectory_impacts(t, 0, 1, &row) == 1
               ? carom_series_at(carom_series_whole(t, values, columns, 0), row)
               : (double)NAN;
}

/* --- energy ----------------------------------------------------------------------------------- */

/** Of the mean energy between impacts k and k+1, relative to all the energy lost in the run, if any
 * is. */
double bouncing_pendulum_largest_energy_plateau_error(const results *all,
                                                      const carom_trajectory *t) {
    int row[COMPARED_IMPACTS + 1];
    const int count = compared_impacts(all, t, row);
    double largest = count > 1 ? 0.0 : (double)NAN;
    for (int k = 0; k + 1 < count; k++) {
        const carom_series plateau = {t->energy, 1, 0, row[k], row[k + 1]};
        largest = fmax(largest, fabs(carom_series_mean(plateau) - all->impacts[k].energy));
    }
    const double lost = t->energy[0] - t->energy[t->row_count - 1];
    return lost > 0.0 ? largest / lost : (double)NAN;
}

double bouncing_pendulum_largest_energy_increase(const results *all, const carom_trajectory *t) {
    (void)all;
    return carom_series_largest_increase(carom_series_whole(t, t->energy, 1, 0));
}

/* --- rest ------------------------------------------------------------------------------------- */

/** NaN if the pendulum still moves at the end. */
double bouncing_pendulum_rest_time(const results *all, const carom_trajectory *t) {
    (void)all;
    const carom_series rate = carom_series_whole(t, t->velocity, COORDINATES, ANGLE);
    const double moving =
        carom_series_last_above(rate, t, REST_PART * carom_series_magnitude(rate));
    return moving < t->time[t->row_count - 1] ? moving + t->step : (double)NAN;
}

/** From the exact accumulation, in steps. */
double bouncing_pendulum_rest_error(const results *all, const carom_trajectory *t) {
    return fabs(bouncing_pendulum_rest_time(all, t) - all->accumulation) / t->step;
}

double bouncing_pendulum_at_rest(const results *all, const carom_trajectory *t,
                                 const double *values, int columns) {
    const int last = t->row_count - 1;
    const bool is_closed = t->velocity_active[last] && !isnan(bouncing_pendulum_rest_time(all, t));
    return is_closed ? carom_series_at(carom_series_whole(t, values, columns, 0), last)
                     : (double)NAN;
}
