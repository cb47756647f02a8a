/** The numbers that are computed from every run: the measures of the record. */
#include "results.h"

#include <math.h>
#include <stdio.h>

static const struct {
    const char *name, *units, *long_name;
} measures[MEASURE_COUNT] = {
    [SMALLEST_GAP] = {"smallest_gap", "m", "smallest gap"},
    [BEGIN_DELAY] = {"begin_delay", "s", "first step with contact minus exact impact"},
    [END_DELAY] = {"end_delay", "s", "last step with contact minus exact take-off"},
    [CLOSED_DURATION] = {"closed_duration", "s", "step size times steps with contact"},
    [SPELLS] = {"spells", "1", "number of times that the contact closes"},
    [CLOSED_RATE] = {"closed_rate", "m s-1", "largest rate from first to last step with contact"},
    [ENERGY_GAIN] = {"energy_gain", "J", "largest gain of energy in a step"},
    [LARGEST_ENERGY] = {"largest_energy", "J", "largest energy"},
    [ENERGY_LOST] = {"energy_lost", "J", "energy lost at the end of the run"},
    [PEAK_FORCE] = {"peak_force", "N", "largest contact force"},
    [PLATEAU_FORCE] = {"plateau_force", "N", "mean force in the middle of the contact"},
    [EARLY_ZEROS] = {"early_zeros", "1", "steps without force among the first ten of the contact"},
    [GAP_ERROR] = {"gap_error", "m s", "integral of the error of the gap"},
    [FINAL_GAP_ERROR] = {"final_gap_error", "m", "error of the gap at the end of the run"},
    [ITERATIONS] = {"iterations", "1", "most iterations of a step"},
    [DISTANCE] = {"distance", "m", "largest difference of the gap from nonsmooth_galpha"},
    [FAILURE_DELAY] = {"failure_delay", "s",
                       "time not reached minus first contact of nonsmooth_galpha"},
};

/* The plateau of the contact force: this part of the exact contact, without its ends. */
static const double PLATEAU_FROM = 0.3;
static const double PLATEAU_TO = 0.75;

/* A contact counts as over this many steps after the exact take-off. */
static const double STEPS_TO_BE_OVER = 5.0;

/* First steps of the contact, in which one that rattles shows it; most spells that are counted. */
enum { EARLY_STEPS = 10, SPELLS_MAX = 4096 };

/** Contact force of a row: lambda of the smooth scheme, Lambda / h of those with impulses. */
static double force_at(const carom_trajectory *t, int row) {
    return t->contact_force[row] + t->contact_impulse[row] / t->step;
}

/** First row with a contact force; the number of rows if there is none. */
static int first_closed(const carom_trajectory *t) {
    int row = 0;
    while (row < t->row_count && !(force_at(t, row) > 0.0)) {
        row++;
    }
    return row;
}

/** Last row with a contact force, of which there must be one. */
static int last_closed(const carom_trajectory *t) {
    int row = t->row_count - 1;
    while (!(force_at(t, row) > 0.0)) {
        row--;
    }
    return row;
}

/** The measures of a run with a contact, though the contact may last beyond its end. */
static void measure_contact(const carom_elastic_bar_params *bar, const carom_trajectory *t,
                            double *value) {
    const int first = first_closed(t);
    const carom_series rate = {t->gap_rate, 1, 0, first, last_closed(t) + 1};
    const carom_series energy = {t->energy, 1, 0, 0, t->row_count};
    int rows[SPELLS_MAX];
    value[SMALLEST_GAP] = carom_trajectory_smallest_gap(t);
    value[BEGIN_DELAY] = t->time[first] - carom_elastic_bar_exact_impact_time(bar);
    value[SPELLS] = carom_trajectory_impacts(t, 0, SPELLS_MAX, rows);
    value[CLOSED_RATE] = carom_series_magnitude(rate);
    value[ENERGY_GAIN] = carom_series_largest_increase(energy);
    value[LARGEST_ENERGY] = carom_series_maximum(energy);
    value[ITERATIONS] = carom_trajectory_most_iterations(t);
    value[PEAK_FORCE] = 0.0;
    value[EARLY_ZEROS] = 0.0;
    for (int row = first; row < t->row_count; row++) {
        const double force = force_at(t, row);
        value[PEAK_FORCE] = fmax(value[PEAK_FORCE], force);
        value[EARLY_ZEROS] += row < first + EARLY_STEPS && !(force > 0.0) ? 1.0 : 0.0;
    }
}

/** Further measures of a run that lasts until the bar has taken off. */
static void measure_rebound(const carom_elastic_bar_params *bar, const carom_trajectory *t,
                            double *value) {
    const double t_i = carom_elastic_bar_exact_impact_time(bar);
    const double duration = carom_elastic_bar_exact_contact_duration(bar);
    const double from = t_i + PLATEAU_FROM * duration;
    const double to = t_i + PLATEAU_TO * duration;
    const carom_series force = carom_series_window(t, t->contact_force, 1, 0, from, to);
    const carom_series impulse = carom_series_window(t, t->contact_impulse, 1, 0, from, to);
    value[END_DELAY] = t->time[last_closed(t)] - elastic_bar_exact_take_off(bar);
    value[ENERGY_LOST] = t->energy[0] - t->energy[t->row_count - 1];
    value[PLATEAU_FORCE] = carom_series_mean(force) + carom_series_mean(impulse) / t->step;
    value[CLOSED_DURATION] = 0.0;
    value[GAP_ERROR] = 0.0;
    for (int row = 0; row < t->row_count; row++) {
        const double error = fabs(t->gap[row] - elastic_bar_exact_gap(bar, t->time[row]));
        value[CLOSED_DURATION] += force_at(t, row) > 0.0 ? t->step : 0.0;
        value[GAP_ERROR] += error * t->step;
        value[FINAL_GAP_ERROR] = error;
    }
}

void elastic_bar_measure(const carom_elastic_bar_params *bar, const carom_trajectory *t,
                         double *value) {
    for (int m = 0; m < MEASURE_COUNT; m++) {
        value[m] = (double)NAN;
    }
    if (t == NULL || t->outcome != CAROM_OK || first_closed(t) == t->row_count) {
        return;
    }
    measure_contact(bar, t, value);
    const double over = elastic_bar_exact_take_off(bar) + STEPS_TO_BE_OVER * t->step;
    if (t->time[t->row_count - 1] >= over) {
        measure_rebound(bar, t, value);
    }
}

/** The gap of a whole run. */
static carom_series gap_of(const carom_trajectory *t) {
    return (carom_series){t->gap, 1, 0, 0, t->row_count};
}

/** Compare a run with that of the nonsmooth scheme, once this has a contact: where the run failed,
 * or else how far its gap is off. */
static void compare(const carom_trajectory *t, const carom_trajectory *nonsmooth, double *value) {
    if (t == NULL || nonsmooth == NULL || t == nonsmooth) {
        return;
    }
    const int first = first_closed(nonsmooth);
    if (first == nonsmooth->row_count) {
        return;
    }
    if (t->outcome != CAROM_OK) {
        value[FAILURE_DELAY] = t->failure_time - nonsmooth->time[first];
    } else if (t->row_count == nonsmooth->row_count) {
        value[DISTANCE] = carom_series_largest_difference(gap_of(t), gap_of(nonsmooth));
    }
}

/** Write the measures of one run as /measures/NAME_GROUP. */
static void write_values(const double *value, const char *group, carom_record *record) {
    char name[96];
    for (int m = 0; m < MEASURE_COUNT; m++) {
        if (!isnan(value[m])) {
            (void)snprintf(name, sizeof name, "%s_%s", measures[m].name, group);
            carom_record_measure(record, name, value[m], measures[m].units, measures[m].long_name);
        }
    }
}

void elastic_bar_write_measures(results *all, carom_record *record) {
    for (int number = 0; number < RUN_COUNT; number++) {
        elastic_bar_measure(&all->values->bar, all->motion[number], all->value[number]);
        compare(all->motion[number], all->motion[NONSMOOTH], all->value[number]);
    }
    for (int k = 0; k < all->count; k++) {
        const char *group = all->runs[k].group + 1; // without the slash
        write_values(all->value[all->number[k]], group, record);
    }
}
