/** Three neutrally stable motions over many periods, and an unstable one (section 8, figure 16). */
#include "results.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** The unstable motion with one impact, in s: any would do, this one has a moderate radius. */
static const double UNSTABLE_PERIOD = 4.0;
/** Deviation at which it has departed from its periodic motion, relative. */
static const double DEPARTED = 1e-3;
/** Whether it departs can be decided if there are so many times the periods that take rounding
 * there at its radius. */
static const double PATIENCE = 2.0;
/** The ratio of two perturbations whose deviations are compared. */
static const double SMALLER = 0.1;
/** Products of reciprocal multipliers, two of which may be nearly equal. */
static const double RECIPROCAL = 1e-6;
/** Radii below one by more than this are more than rounding of neutral multipliers. */
static const double BELOW_ONE = 1e-7;

static const char *const GROUPS[NEUTRAL_COUNT] = {"one", "two", "three"};

/** Largest entry; NaN if one is NaN. */
static double largest(int count, const double *values) {
    double most = 0.0;
    for (int i = 0; i < count; i++) {
        most = values[i] > most || isnan(values[i]) ? values[i] : most;
        if (isnan(most)) {
            return NAN;
        }
    }
    return most;
}

/** Angles of the multipliers in the upper half plane, ascending, from the work memory. */
static int sort_angles(const oscillator *o, double *angles) {
    int count = 0;
    for (int i = 0; i < 2 * o->basis->coordinate_count - 2; i++) {
        const double angle = atan2(o->multipliers[2 * i + 1], o->multipliers[2 * i]);
        if (angle <= 0.0) {
            continue;
        }
        int place = count++;
        for (; place > 0 && angles[place - 1] > angle; place--) {
            angles[place] = angles[place - 1];
        }
        angles[place] = angle;
    }
    return count;
}

/** Write what is known of an orbit and its multipliers. */
static void write_orbit(const oscillator *o, const char *group, const carom_orbit *orbit,
                        double radius) {
    char axis[PATH_SIZE];
    carom_record_index_axis(o->record, serial_oscillator_path(group, "impact", axis),
                            orbit->impact_count, "impact of the period");
    const carom_column columns[] = {
        {"flight_times", orbit->flight_times, "s", "duration of the flights"},
        {"lambda", orbit->lambda, "J0.5", "lambda of the impacts"},
    };
    serial_oscillator_write_columns(o, group, axis, NULL, columns, COUNT(columns));
    const carom_measure scalars[] = {
        {"period", orbit->period, "s", "period T"},
        {"energy", orbit->energy, "J", "energy E"},
        {"spectral_radius", radius, "1", "largest modulus of the multipliers; NaN: undefined"},
    };
    serial_oscillator_write_scalars(o, group, scalars, COUNT(scalars));
    double *angles = o->work;
    const int count = sort_angles(o, angles);
    if (count == 0) {
        return;
    }
    carom_record_index_axis(o->record, serial_oscillator_path(group, "pair", axis), count,
                            "pair of multipliers");
    const carom_column one = {"angles", angles, "rad", "angle of the multipliers"};
    serial_oscillator_write_columns(o, group, axis, NULL, &one, 1);
}

/* --- the last periods ------------------------------------------------------------------------- */

/** Sample the perturbed motion from the end of the period before the last one, over two. */
static carom_status sample_last(const oscillator *o, const carom_orbit *orbit, int count,
                                double *time, double *exact, double *perturbed) {
    const int last = o->basis->coordinate_count - 1;
    const double before = (o->values->periods - 1) * orbit->period;
    CAROM_TRY(
        carom_event_propagate(o->basis, o->motion, o->state, -1, before, NULL, NULL, NULL, NULL));
    for (int i = 0; i < count; i++) {
        time[i] = 2.0 * orbit->period * i / (count - 1);
        const double step = i > 0 ? time[i] - time[i - 1] : 0.0;
        if (step > 0.0) {
            CAROM_TRY(carom_event_propagate(o->basis, o->motion, o->state, -1, step, NULL, NULL,
                                            NULL, NULL));
        }
        carom_modal_basis_expand(o->basis, o->state, o->position, NULL);
        perturbed[i] = o->position[last];
    }
    for (int i = 0; i < count; i++) {
        serial_oscillator_motion(o, orbit, time[i], o->position, NULL);
        exact[i] = o->position[last];
    }
    return CAROM_OK;
}

/** Write the end of the perturbed motion beside the exact one. */
static carom_status write_last(const oscillator *o, const char *group, const carom_orbit *orbit,
                               int number) {
    const int count = 2 * o->values->points - 1;
    double *memory = malloc(3 * (size_t)count * sizeof *memory);
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    serial_oscillator_perturb(o, orbit, number, o->values->perturbation);
    bool found = false;
    carom_status status = serial_oscillator_may_miss(
        sample_last(o, orbit, count, memory, memory + count, memory + 2 * count), &found);
    char last[PATH_SIZE];
    char axis[PATH_SIZE];
    (void)serial_oscillator_path(group, "last", last);
    if (found) {
        carom_record_axis(o->record, serial_oscillator_path(last, "time", axis), count, memory, "s",
                          "time since the end of the last period but one");
        status = CAROM_OK;
        const carom_column columns[] = {
            {"exact", memory + count, "m", "position of the last mass, periodic motion"},
            {"perturbed", memory + 2 * count, "m", "position of the last mass, perturbed motion"},
        };
        if (status == CAROM_OK) {
            serial_oscillator_write_columns(o, last, axis, NULL, columns, COUNT(columns));
        }
    }
    free(memory);
    return status;
}

/* --- neutrally stable motions ----------------------------------------------------------------- */

/** Deviations over all periods, unperturbed, perturbed and perturbed less. */
typedef struct run {
    const char *name; /**< of the group */
    double closure;
    double deviation;
    double shift;
    double scaling; /**< ratio of the largest deviations of two perturbations */
    double share;   /**< of random perturbations that it stands */
} run;

/** Follow the three motions and write the perturbed one; work [2][periods]. */
static carom_status follow_all(const oscillator *o, const char *group, const carom_orbit *orbit,
                               int number, double *work, run *r) {
    const int periods = o->values->periods;
    follower f = {
        .o = o,
        .orbit = orbit,
        .deviation = work,
        .time_shift = work + periods,
        .periods = periods,
        .bound = INFINITY,
    };
    memcpy(o->state, orbit->state, 2 * (size_t)orbit->mode_count * sizeof(double));
    CAROM_TRY(serial_oscillator_follow(o, &f));
    r->closure = work[periods - 1];
    f.done = 0;
    serial_oscillator_perturb(o, orbit, number, SMALLER * o->values->perturbation);
    CAROM_TRY(serial_oscillator_follow(o, &f));
    const double less = largest(periods, work);
    f.done = 0;
    serial_oscillator_perturb(o, orbit, number, o->values->perturbation);
    CAROM_TRY(serial_oscillator_follow(o, &f));
    r->deviation = largest(periods, work);
    r->shift = f.time_shift[periods - 1];
    r->scaling = r->deviation / less;
    CAROM_TRY(serial_oscillator_near_share(o, orbit, number, &r->share));
    const carom_column columns[] = {
        {"deviation", f.deviation, "1", "deviation after each period, relative to the state"},
        {"time_shift", f.time_shift, "s", "delay against the periodic motion"},
    };
    serial_oscillator_write_columns(o, group, "/stability/period_index", NULL, columns,
                                    COUNT(columns));
    const carom_measure closure = {"closure", r->closure, "1",
                                   "deviation of the unperturbed motion"};
    serial_oscillator_write_scalars(o, group, &closure, 1);
    return CAROM_OK;
}

/** What one motion says. */
static void claim_run(const oscillator *o, const run *r, double radius) {
    const struct {
        const char *name;
        double value;
        const char *units;
        const char *long_name;
    } rows[] = {
        {"deviation", r->deviation, "1", "largest deviation of the perturbed motion"},
        {"shift", r->shift, "s", "its delay after all periods"},
        {"closure", r->closure, "1", "deviation of the unperturbed motion after all periods"},
        {"near_share", r->share, "1", "share of random perturbations after which it stays near"},
        {"scaling", r->scaling, "1", "largest deviation over that of a tenth of the perturbation"},
    };
    char name[64];
    for (int i = 0; i < COUNT(rows); i++) {
        (void)snprintf(name, sizeof name, "stability_%s_%s", rows[i].name, r->name);
        const carom_measure one = {name, rows[i].value, rows[i].units, rows[i].long_name};
        carom_record_measures(o->record, &one, 1);
    }
    (void)snprintf(name, sizeof name, "stability_neutral_%s", r->name);
    carom_record_claim(o->record, name, carom_stability_is_neutral(radius),
                       "the motion of figure 16 is neutrally stable");
    (void)snprintf(name, sizeof name, "stability_bounded_%s", r->name);
    carom_record_claim(o->record, name,
                       r->deviation < SERIAL_OSCILLATOR_NEAR * o->values->perturbation,
                       "perturbed, it stays near itself over all periods");
}

/** Largest modulus in the work memory, and the error of the products of reciprocal ones. */
static void judge_multipliers(const oscillator *o, double *least_radius, double *reciprocal) {
    const int count = 2 * o->basis->coordinate_count - 2;
    double radius = 0.0;
    for (int i = 0; i < count; i++) {
        const int opposite = count - 1 - i;
        const double one = hypot(o->multipliers[2 * i], o->multipliers[2 * i + 1]);
        const double other = hypot(o->multipliers[2 * opposite], o->multipliers[2 * opposite + 1]);
        radius = fmax(radius, one);
        *reciprocal = fmax(*reciprocal, fabs(one * other - 1.0));
    }
    *least_radius = count > 0 ? fmin(*least_radius, radius) : *least_radius;
}

/** One of the three motions; all is left out if it does not exist. */
static carom_status examine(const oscillator *o, int number, double *work, double *least_radius,
                            double *reciprocal) {
    const carom_real_list *times = &o->values->neutral_times[number];
    carom_orbit *orbit = NULL;
    double period = 0.0;
    for (int j = 0; j < times->count; j++) {
        period += times->values[j];
    }
    CAROM_TRY(serial_oscillator_solve(o, times->count, times->values, period, &orbit));
    carom_status status = CAROM_OK;
    if (orbit != NULL && serial_oscillator_is_admissible(o, orbit)) {
        const double radius = serial_oscillator_radius(o, orbit);
        if (isfinite(radius)) {
            judge_multipliers(o, least_radius, reciprocal);
            char group[PATH_SIZE];
            (void)snprintf(group, sizeof group, "/stability/%s", GROUPS[number]);
            run r = {.name = GROUPS[number]};
            write_orbit(o, group, orbit, radius);
            status = follow_all(o, group, orbit, number, work, &r);
            if (status == CAROM_OK) {
                claim_run(o, &r, radius);

                status = write_last(o, group, orbit, number);
            }
        }
    }
    carom_orbit_free(orbit);
    return status;
}

/* --- the unstable motion ---------------------------------------------------------------------- */

/** Follow an unstable motion that nobody perturbs; work [periods]. */
static carom_status write_unstable(const oscillator *o, const carom_orbit *orbit, double radius,
                                   double *work) {
    const int periods = o->values->periods;
    follower f = {.o = o, .orbit = orbit, .deviation = work, .periods = periods, .bound = INFINITY};
    memcpy(o->state, orbit->state, 2 * (size_t)orbit->mode_count * sizeof(double));
    CAROM_TRY(serial_oscillator_follow(o, &f));
    int departure = 0;
    while (departure < f.done && work[departure] < DEPARTED) {
        departure++;
    }
    const char *group = "/stability/unstable";
    write_orbit(o, group, orbit, radius);
    const carom_column deviation = {"deviation", work, "1",
                                    "deviation after each period, unperturbed"};
    serial_oscillator_write_columns(o, group, "/stability/period_index", NULL, &deviation, 1);
    const carom_measure measures[] = {
        {"stability_departure", departure < f.done ? departure + 1 : (double)NAN, "1",
         "periods after which rounding alone has made the unstable motion deviate by 1e-3"},
        {"stability_unstable_radius", radius, "1", "spectral radius of the unstable motion"},
    };
    const carom_claim claim = {"stability_unstable_departs", departure < f.done,
                               "the unstable motion leaves itself by rounding alone"};
    carom_record_measures(o->record, measures, COUNT(measures));
    const bool is_decided = periods * log(radius) > PATIENCE * log(DEPARTED / DBL_EPSILON);
    if (is_decided) {
        carom_record_claims(o->record, &claim, 1);
    }
    return CAROM_OK;
}

/** The unstable motion if there is one of its period. */
static carom_status examine_unstable(const oscillator *o, double *work, double *least_radius,
                                     double *reciprocal) {
    const double T = UNSTABLE_PERIOD;
    carom_orbit *orbit = NULL;
    CAROM_TRY(serial_oscillator_solve(o, 1, &T, T, &orbit));
    carom_status status = CAROM_OK;
    if (orbit != NULL && serial_oscillator_is_admissible(o, orbit)) {
        const double radius = serial_oscillator_radius(o, orbit);
        if (isfinite(radius) && !carom_stability_is_neutral(radius)) {
            judge_multipliers(o, least_radius, reciprocal);
            status = write_unstable(o, orbit, radius, work);
        }
    }
    carom_orbit_free(orbit);
    return status;
}

carom_status serial_oscillator_write_stability(const oscillator *o) {
    const int periods = o->values->periods;
    carom_record_index_axis(o->record, "/stability/period_index", periods,
                            "number of finished periods less one");
    double *work = malloc(2 * (size_t)periods * sizeof *work);
    if (work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double least_radius = INFINITY;
    double reciprocal = 0.0;
    carom_status status = CAROM_OK;
    for (int i = 0; i < NEUTRAL_COUNT && status == CAROM_OK; i++) {
        status = examine(o, i, work, &least_radius, &reciprocal);
    }
    if (status == CAROM_OK) {
        status = examine_unstable(o, work, &least_radius, &reciprocal);
    }
    free(work);
    CAROM_TRY(status);
    if (!isfinite(least_radius)) {
        return CAROM_OK;
    }
    const carom_measure measure_of_pairs = {"stability_reciprocal_error", reciprocal, "1",
                                            "product of reciprocal multipliers against 1"};
    const carom_claim claims[] = {
        {"stability_reciprocal", reciprocal < RECIPROCAL, "multipliers come in reciprocal pairs"},
        {"stability_figure_radii", least_radius > 1.0 - BELOW_ONE,
         "the radii of the motions looked at are at least one"},
    };
    carom_record_measures(o->record, &measure_of_pairs, 1);
    carom_record_claims(o->record, claims, COUNT(claims));
    return CAROM_OK;
}
