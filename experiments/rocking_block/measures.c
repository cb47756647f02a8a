/** The numbers that are computed from the runs, and recording them as /measures. */
#include "measures.h"

#include <math.h>
#include <stdio.h>

/** The exact block is at rest, a discrete one this many steps later: half of the velocity that is
 * left goes in each step, 2^-32 is below REST_PART. */
static const double REST_STEPS = 32.0;

/** From here on the block must be at rest, s; NaN if the exact one is not known to be. */
static double rest_from(const results *r) {
    return r->exact.end + REST_STEPS * r->values->schemes.step;
}

static double last_time(const carom_trajectory *t) {
    return t->time[t->row_count - 1];
}

/* --- position and velocity level -------------------------------------------------------------- */

static double smallest_gap(const results *r, const carom_trajectory *t) {
    (void)r;
    return carom_trajectory_smallest_gap(t);
}

/*[rockingBlockLevels]*/
/** Residual of 0 <= g _|_ nu >= 0 as a length, |min(g, nu/m)|. */
static double position_level_residual(const results *r, const carom_trajectory *t) {
    double largest = 0.0;
    for (int k = 0; k < t->row_count * CORNERS; k++) {
        const double correction = t->contact_position_multiplier[k] / r->values->block.mass;
        largest = fmax(largest, fabs(fmin(t->gap[k], correction)));
    }
    return largest;
}

/** Deviation of an active corner from Newton's law, |g_q v + e g_q,n v_n|. */
static double restitution_defect(const results *r, const carom_trajectory *t) {
    double largest = 0.0;
    for (int k = CORNERS; k < t->row_count * CORNERS; k++) {
        if (t->velocity_active[k] != 0) {
            const double expected = -r->values->block.restitution * t->gap_rate[k - CORNERS];
            largest = fmax(largest, fabs(t->gap_rate[k] - expected));
        }
    }
    return largest;
}
/*[end rockingBlockLevels]*/

static double smallest_impulse(const results *r, const carom_trajectory *t) {
    (void)r;
    double smallest = (double)INFINITY;
    for (int k = 0; k < t->row_count * CORNERS; k++) {
        smallest = fmin(smallest, t->contact_impulse[k]);
    }
    return smallest;
}

/* --- impacts ---------------------------------------------------------------------------------- */

/** Row of the first impact of a corner; 0 if it has none. */
static int first_impact_row(const carom_trajectory *t, int corner) {
    int row = 0;
    return carom_trajectory_impacts(t, corner, 1, &row) > 0 ? row : 0;
}

/** Impulse of a corner's first impact. */
static double first_impulse(const carom_trajectory *t, int corner) {
    const int row = first_impact_row(t, corner);
    return row > 0 ? t->contact_impulse[row * CORNERS + corner] : (double)NAN;
}

static double first_impulse_1(const results *r, const carom_trajectory *t) {
    (void)r;
    return first_impulse(t, 0);
}

static double first_impulse_2(const results *r, const carom_trajectory *t) {
    (void)r;
    return first_impulse(t, 1);
}

/** Largest relative error of the corners' first impulses, in units of h over the time of the
 * impact: what one step more of falling from rest changes. */
static double impulse_error(const results *r, const carom_trajectory *t) {
    bool is_found[CORNERS] = {false, false};
    double largest = 0.0;
    for (int k = 0; k < r->exact.count; k++) {
        const carom_rocking_block_impact *impact = &r->exact.impacts[k];
        if (!is_found[impact->corner]) {
            const double error = first_impulse(t, impact->corner) / impact->impulse - 1.0;
            largest = fmax(largest, fabs(error) * impact->time / t->step);
            is_found[impact->corner] = true;
        }
    }
    return is_found[0] && is_found[1] ? largest : (double)NAN;
}

/** Impacts until rest of the corner that has fewer. */
static double fewest_impacts(const results *r, const carom_trajectory *t) {
    enum { ENOUGH = 64 };
    int rows[ENOUGH];
    const int first = carom_trajectory_impacts(t, 0, ENOUGH, rows);
    const int second = carom_trajectory_impacts(t, 1, ENOUGH, rows);
    const int fewest = first < second ? first : second;
    return last_time(t) >= rest_from(r) ? fewest : (double)NAN;
}

/* --- energy ----------------------------------------------------------------------------------- */

/** Whether no corner acts in the step that ends with this row. */
static bool is_free(const carom_trajectory *t, int row) {
    bool is_active = false;
    for (int k = row * CORNERS; k < (row + 1) * CORNERS; k++) {
        is_active = is_active || t->position_active[k] != 0 || t->velocity_active[k] != 0;
    }
    return !is_active;
}

/** What all free steps together change the energy. */
static double free_energy_change(const results *r, const carom_trajectory *t) {
    (void)r;
    double sum = 0.0;
    for (int row = 1; row < t->row_count; row++) {
        sum += is_free(t, row) ? fabs(t->energy[row] - t->energy[row - 1]) : 0.0;
    }
    return sum;
}

/** theta of the Moreau-Jean scheme from its loss in the first step of free fall,
 * (theta - 1/2) m a_g^2 h^2. */
static double theta_of_fall(const results *r, const carom_trajectory *t) {
    const carom_rocking_block_params *block = &r->values->block;
    const double fall = block->gravity * t->step;
    const double loss = t->energy[0] - t->energy[1];
    return is_free(t, 1) && fall > 0.0 ? 0.5 + loss / (block->mass * fall * fall) : (double)NAN;
}

static double energy_increase(const results *r, const carom_trajectory *t) {
    (void)r;
    const carom_series energy = {t->energy, 1, 0, 0, t->row_count};
    return carom_series_largest_increase(energy);
}

static double largest_energy(const results *r, const carom_trajectory *t) {
    (void)r;
    const carom_series energy = {t->energy, 1, 0, 0, t->row_count};
    return carom_series_maximum(energy);
}

/* --- deviation from the exact motion ---------------------------------------------------------- */

/** Mean deviations from the event-driven motion, while that is known. */
typedef struct deviation {
    double height; /**< m */
    double energy; /**< J */
} deviation;

/** Over the rows up to the end of the exact motion; NaN if that is not known. */
static deviation exact_deviation(const results *r, const carom_trajectory *t) {
    deviation mean = {0.0, 0.0};
    int rows = 0;
    for (; rows < t->row_count && t->time[rows] <= r->exact.end; rows++) {
        double position[COORDINATES];
        double velocity[COORDINATES];
        rocking_block_exact_state(r, t->time[rows], position, velocity);
        mean.height += fabs(t->position[rows * COORDINATES + HEIGHT] - position[HEIGHT]);
        mean.energy += fabs(t->energy[rows] - rocking_block_energy(r, position, velocity));
    }
    mean.height /= rows;
    mean.energy /= rows;
    return mean;
}

static double height_error(const results *r, const carom_trajectory *t) {
    return exact_deviation(r, t).height;
}

static double energy_error(const results *r, const carom_trajectory *t) {
    return exact_deviation(r, t).energy;
}

/** Order of the error of the height between this run and the reference; NaN unless both have one.
 */
static double order_of_height(const results *r, const carom_trajectory *t) {
    const double coarse = height_error(r, t);
    const double fine = rocking_block_measure(r, REFERENCE, HEIGHT_ERROR);
    return coarse > 0.0 && fine > 0.0 ? log(coarse / fine) / log((double)REFERENCE_STEPS)
                                      : (double)NAN;
}

/* --- rest ------------------------------------------------------------------------------------- */

/** Largest component of the velocity at rest; of what it is in the whole run if asked for. */
static double largest_at_rest(const results *r, const carom_trajectory *t, bool is_part) {
    double largest = last_time(t) >= rest_from(r) ? 0.0 : (double)NAN;
    for (int i = 0; i < COORDINATES && !isnan(largest); i++) {
        const carom_series speed =
            carom_series_window(t, t->velocity, COORDINATES, i, rest_from(r), last_time(t));
        const carom_series whole = {t->velocity, COORDINATES, i, 0, t->row_count};
        const double left = carom_series_magnitude(speed);
        const double unit = is_part ? carom_series_magnitude(whole) : 1.0;
        largest = left > 0.0 ? fmax(largest, left / unit) : largest;
    }
    return largest;
}

static double speed_at_rest(const results *r, const carom_trajectory *t) {
    return largest_at_rest(r, t, false);
}

static double part_at_rest(const results *r, const carom_trajectory *t) {
    return largest_at_rest(r, t, true);
}

/** Last time at which something moves; NaN if that is the end of the run. */
static double rest_time(const results *r, const carom_trajectory *t) {
    (void)r;
    double last = 0.0;
    for (int i = 0; i < COORDINATES; i++) {
        const carom_series speed = {t->velocity, COORDINATES, i, 0, t->row_count};
        last = fmax(last,
                    carom_series_last_above(speed, t, REST_PART * carom_series_magnitude(speed)));
    }
    return last < last_time(t) ? last : (double)NAN;
}

/** Contact force at rest, the last impulse over the step, of the corner that carries less. */
static double rest_force(const results *r, const carom_trajectory *t) {
    const double *impulse = t->contact_impulse + (t->row_count - 1) * CORNERS;
    return last_time(t) >= rest_from(r) ? fmin(impulse[0], impulse[1]) / t->step : (double)NAN;
}

/* --- iterations of Newton --------------------------------------------------------------------- */

static double most_iterations(const results *r, const carom_trajectory *t) {
    (void)r;
    return carom_trajectory_most_iterations(t);
}

/** Largest difference of a gap from that of the scheme of the paper by the selected iteration. */
static double gap_difference(const results *r, const carom_trajectory *t) {
    const carom_series gaps = {t->gap, 1, 0, 0, t->row_count * CORNERS};
    carom_series selected = gaps;
    selected.values = r->of[NONSMOOTH]->gap;
    return carom_series_largest_difference(gaps, selected);
}

/* --- the exact impacts ------------------------------------------------------------------------ */

/** Shortest time between two event-driven impacts of one corner, if all fall within the run; NaN
 * if none has two. */
static double shortest_interval(const results *r, const carom_trajectory *t) {
    if (!(r->exact.end < last_time(t))) {
        return (double)NAN;
    }
    double last[CORNERS] = {(double)NAN, (double)NAN};
    double shortest = (double)NAN;
    for (int k = 0; k < r->exact.count; k++) {
        const carom_rocking_block_impact *impact = &r->exact.impacts[k];
        shortest = fmin(shortest, impact->time - last[impact->corner]);
        last[impact->corner] = impact->time;
    }
    return shortest;
}

/* --- the table -------------------------------------------------------------------------------- */

/** Sets of runs, one bit each. */
#define BIT(run) (1U << (unsigned)(run))
#define NO_RUN 0U
#define ALL (BIT(REFERENCE + 1) - 1U)                         /* the schemes and the reference */
#define SHOWN (BIT(NONSMOOTH) | BIT(MOREAU) | BIT(REFERENCE)) /* in the figures */

/** How each measure is computed, and of which runs it is recorded as /measures/NAME_GROUP; of none
 * where only a claim needs it. */
static const struct {
    double (*compute)(const results *r, const carom_trajectory *t); /**< NaN: not defined */
    unsigned recorded;
    const char *name;
    const char *units;
    const char *long_name;
} measures[MEASURE_COUNT] = {
    [SMALLEST_GAP] = {smallest_gap, ALL, "smallest_gap", "m", "smallest gap of a corner"},
    [POSITION_LEVEL_RESIDUAL] = {position_level_residual, NO_RUN, "position_level_residual", "m",
                                 "largest residual of gap and position multiplier"},
    [RESTITUTION_DEFECT] = {restitution_defect, SHOWN | BIT(VELOCITY), "restitution_defect",
                            "m s-1", "largest deviation of an active corner from Newton's law"},
    [SMALLEST_IMPULSE] = {smallest_impulse, NO_RUN, "smallest_impulse", "N s",
                          "smallest impulse of a corner"},
    [FIRST_IMPULSE_1] = {first_impulse_1, SHOWN, "first_impulse_1", "N s",
                         "first impulse of corner 1"},
    [FIRST_IMPULSE_2] = {first_impulse_2, SHOWN, "first_impulse_2", "N s",
                         "first impulse of corner 2"},
    [IMPULSE_ERROR] = {impulse_error, NO_RUN, "impulse_error", "1",
                       "largest error of a first impulse, in units of the step"},
    [FEWEST_IMPACTS] = {fewest_impacts, BIT(NONSMOOTH), "fewest_impacts", "1",
                        "impacts of the corner that has fewer"},
    [FREE_ENERGY_CHANGE] = {free_energy_change, SHOWN | BIT(VELOCITY), "free_energy_change", "J",
                            "what all steps without contact change the energy"},
    [THETA] = {theta_of_fall, BIT(MOREAU), "theta", "1",
               "theta that the loss of energy in the first step of free fall shows"},
    [ENERGY_INCREASE] = {energy_increase, ALL, "energy_increase", "J",
                         "largest increase of the energy in a step"},
    [LARGEST_ENERGY] = {largest_energy, BIT(SMOOTH), "largest_energy", "J",
                        "largest energy of the run"},
    [HEIGHT_ERROR] = {height_error, SHOWN, "height_error", "m",
                      "mean deviation from the event-driven height"},
    [ENERGY_ERROR] = {energy_error, SHOWN, "energy_error", "J",
                      "mean deviation from the event-driven energy"},
    [ORDER_OF_HEIGHT] =
        {order_of_height, BIT(NONSMOOTH), "order_of_height", "1",
         "order of the error of the height, between this step and that of the reference"},
    [SPEED_AT_REST] =
        {speed_at_rest, SHOWN | BIT(MODIFIED), "rest_speed", "m s-1",
         "largest velocity component once the block is at rest (of the rotation in rad s-1)"},
    [PART_AT_REST] = {part_at_rest, NO_RUN, "rest_part", "1",
                      "largest velocity component once the block is at rest, in its largest"},
    [REST_TIME] = {rest_time, SHOWN, "rest_time", "s",
                   "last time at which a component of the velocity exceeds 4e-10 of its largest"},
    [REST_FORCE] = {rest_force, SHOWN, "rest_force", "N",
                    "last impulse over the step, of the corner that carries less"},
    [MOST_ITERATIONS] = {most_iterations, BIT(NONSMOOTH) | BIT(SEQUENTIAL), "most_iterations", "1",
                         "most Newton iterations of a step"},
    [GAP_DIFFERENCE] = {gap_difference, BIT(SEQUENTIAL), "gap_difference", "m",
                        "largest difference of a gap from that of the selected iteration"},
    [SHORTEST_INTERVAL] = {shortest_interval, BIT(REFERENCE), "shortest_interval", "s",
                           "shortest time between two event-driven impacts of one corner"},
};

double rocking_block_measure(const results *r, int run, measure what) {
    return r->of[run] == NULL ? (double)NAN : measures[what].compute(r, r->of[run]);
}

/** One measure of one run, left out where it is not defined. */
static void write_measure(carom_record *record, const results *r, measure what, int run) {
    const double value = rocking_block_measure(r, run, what);
    if (isnan(value)) {
        return;
    }
    char name[96];
    (void)snprintf(name, sizeof name, "%s_%s", measures[what].name, rocking_block_group(run));
    carom_record_measure(record, name, value, measures[what].units, measures[what].long_name);
}

void rocking_block_write_measures(carom_record *record, const results *r) {
    for (int i = 0; i < MEASURE_COUNT; i++) {
        for (int run = 0; run < RUN_COUNT; run++) {
            if ((measures[i].recorded & BIT(run)) != 0U) {
                write_measure(record, r, (measure)i, run);
            }
        }
    }
}
