/**
 * serial_oscillator: nonsmooth modes of a chain of masses and springs whose free end strikes a
 * rigid obstacle elastically (thorin-2017 sections 6 to 8, figures 4 to 16).
 *
 *     M u'' + K u = 0,   x_n <= d,   x_n'+ = -x_n'- where x_n = d   (7.1)-(7.3)
 *
 * Printed in the paper: n = 5, m_i = 1/n, k_i = n, d = 1; the harmonics 4 T_3 (figures 7, 8) and
 * 3 T_3 (figures 9 to 11); the pattern c, b, a, b, c, d, d (figures 4, 15); 1000 periods (figure
 * 16). Inferred: SI units. Chosen, because the paper is silent: all periods and flight times.
 * Figure 6 ends beyond T_1. Figure 7 begins at the grazing end of the only admissible interval at
 * 4 T_3; figure 10 follows the branch that tends to the linear mode at (2 T_3, T_3). Figure 12
 * shows the family at the end of figure 7, figure 13 the only bridge below 8.4 s whose members are
 * all admissible. Figure 15 shows one of several continua of the printed pattern, figure 16 three
 * neutrally stable motions and perturbations of 1e-3.
 *
 * Here stability (section 8, figure 16); in serial_oscillator/: periods.c where motions with one
 * and two impacts are; continua.c next to harmonics; families.c at constant period, and seven
 * impacts. The theorems are sampled in tests/modes, what the paper says of the figures is asked of
 * the record in data/published/serial_oscillator.csv.
 */
#include "serial_oscillator/results.h"

#include <carom/base/parallel.h>
#include <carom/base/random.h>
#include <carom/drawing/models.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Least part of a mode's period that keeps enough digits beside it. */
static const double LEAST_PART = 1e-9;

/** Most harmonics: a run then takes minutes. */
enum { MOST_HARMONICS = 2000 };

/** The paper's numbers, and those chosen where it is silent. */
static settings defaults(void) {
    static const double single_periods[] = {3.76, 3.78, 3.80, 3.82};
    static const double double_periods[] = {2.70, 2.76, 2.80, 2.84, 2.86};
    static const double family_times[] = {0.292658294206, 3.455386166713};
    static const double seven_times[SEVEN] = {1.8456565734, 1.1808735229, 1.6337220945,
                                              1.1808735229, 1.8456565734, 1.3884604230,
                                              1.3884604230};
    static const double one[] = {4.30};
    static const double two[] = {0.330508890769, 3.594491109231};
    static const double three[] = {0.210218004117, 0.210218004117, 3.480563991765};
    return (settings){
        .mass_count = 5,
        .gap = 1.0,
        .max_period = 8.4,
        .points = 401,
        .perturbation = 1e-3,
        .periods = 1000,
        .single_periods = {COUNT(single_periods), single_periods},
        .double_periods = {COUNT(double_periods), double_periods},
        .family_times = {COUNT(family_times), family_times},
        .seven_times = {SEVEN, seven_times},
        .neutral_times = {{COUNT(one), one}, {COUNT(two), two}, {COUNT(three), three}},
    };
}

/** Refuse a list of another length. */
static carom_status check_list(const carom_real_list *list, int count, const char *name,
                               carom_report *report) {
    return list->count == count ? CAROM_OK
                                : carom_report_bound(report, name, list->count, "exactly", count);
}

/** Refuse options that do not fit together. */
static carom_status check(void *context, carom_report *report) {
    const settings *v = context;
    if (fpclassify(v->gap) == FP_ZERO) {
        return carom_report_refuse(report, "gap", v->gap, -1, "not 0");
    }
    // No mode is faster than 2 (k/m)^1/2 = 2 n.
    const double harmonic = acos(-1.0) / ((double)v->mass_count * v->mass_count);
    if (!(v->max_period >= LEAST_PART * harmonic)) {
        return carom_report_bound(report, "max period", v->max_period,
                                  "at least 1e-9 of the shortest period,", LEAST_PART * harmonic);
    }
    if (!(v->max_period <= MOST_HARMONICS * harmonic)) {
        return carom_report_bound(report, "max period", v->max_period, "up to 2000 harmonics,",
                                  MOST_HARMONICS * harmonic);
    }
    CAROM_TRY(check_list(&v->single_periods, CASE_COUNT - 2, "number of --single-periods", report));
    CAROM_TRY(check_list(&v->double_periods, CASE_COUNT - 1, "number of --double-periods", report));
    CAROM_TRY(check_list(&v->family_times, 2, "number of --family-times", report));
    CAROM_TRY(check_list(&v->seven_times, SEVEN, "number of --seven-times", report));
    CAROM_TRY(check_list(&v->neutral_times[0], 1, "number of --neutral-times-1", report));
    CAROM_TRY(check_list(&v->neutral_times[1], 2, "number of --neutral-times-2", report));
    return check_list(&v->neutral_times[2], 3, "number of --neutral-times-3", report);
}

/** Write /coordinate and /modal. */
static carom_status write_modal(oscillator *o) {
    const carom_modal_basis *basis = o->basis;
    const int n = basis->coordinate_count;
    double period[MOST_MASSES];
    double participation[MOST_MASSES];
    double energy[MOST_MASSES];
    for (int l = 0; l < n; l++) {
        const double rho = basis->participation[l];
        const double amplitude =
            basis->frequency[l] * basis->gap_at_rest / (basis->root_inverse_mass * rho);
        period[l] = 2.0 * acos(-1.0) / basis->frequency[l];
        participation[l] = rho * rho;
        energy[l] = 0.5 * amplitude * amplitude;
    }
    carom_record_index_axis(o->record, "/coordinate", n,
                            "mass of the chain, the last one faces the obstacle");
    carom_record group = carom_record_group(o->record, "/modal");
    carom_record_index_axis(&group, "mode", n, "linear mode");
    const carom_column columns[] = {
        {"frequency", basis->frequency, "rad s-1", "natural frequency omega"},
        {"period", period, "s", "period T_l"},
        {"participation", participation, "1", "participation in the contact, rho_l squared"},
        {"grazing_energy", energy, "J", "energy of the mode that grazes the obstacle"},
    };
    carom_record_columns(&group, "mode", NULL, columns, COUNT(columns));
    carom_record_series(&group, "shape", basis->shape, "/coordinate", "mode", "kg-0.5",
                        "mass-orthonormal modes");
    carom_record_scalar(&group, "root_inverse_mass", basis->root_inverse_mass, "kg-0.5",
                        "root of the inverse mass G of the contact");
    return CAROM_OK;
}

/* --- motions over many periods (figure 16) ---------------------------------------------------- */

/** A perturbed motion stays near if it never deviates by more than so many perturbations: at least
 * five times what the neutral multipliers of four pairs make of them. */
static const double NEAR = 100.0;
/** Random directions in which each motion is perturbed, that of the figure first. */
enum { DIRECTIONS = 16 };
/** The ratio of two perturbations whose deviations are compared. */
static const double SMALLER = 0.1;
/** The unstable motion with one impact, in s: any would do, this one has a moderate radius. */
static const double UNSTABLE_PERIOD = 4.0;

/** Follow a motion from o->state for all periods, or until it deviates by a bound; NaN after. */
static carom_status follow(oscillator *o, const carom_orbit *orbit, double bound, double *deviation,
                           double *time_shift) {
    bool found = false;
    return serial_oscillator_may_miss(carom_orbit_follow_periods(o->basis, o->motion, orbit,
                                                                 o->values->periods, bound,
                                                                 o->state, deviation, time_shift),
                                      &found);
}

/** Perturb a motion after the impact at t = 0, in a random direction of a number: o->state. */
static void perturb(oscillator *o, const carom_orbit *orbit, int number, double size) {
    double direction[2 * MOST_MASSES];
    for (int i = 0; i < 2 * o->basis->visible_count; i++) {
        const double u =
            carom_counter_uniform(o->common->seed, (unsigned long)number, (unsigned long)i);
        direction[i] = 2.0 * u - 1.0;
    }
    carom_orbit_perturb(o->basis, orbit, size, direction, o->state);
}

/** One motion perturbed in many directions. */
typedef struct bundle {
    const oscillator *o;
    const carom_orbit *orbit;
    int number; /**< of the motion */
    bool is_near[DIRECTIONS];
} bundle;

/** Follow the motion perturbed in one direction, with work memory of its own. */
static carom_status follow_direction(int item, void *context, carom_report *report) {
    (void)report;
    bundle *b = context;
    oscillator own = *b->o;
    own.motion = NULL;
    CAROM_AUTO(carom_contact_motion) motion = NULL;
    CAROM_TRY(carom_contact_motion_alloc(own.basis, &motion));
    own.motion = motion;
    const int periods = own.values->periods;
    const double size = own.values->perturbation;
    CAROM_AUTO_MEMORY double *deviation = malloc((size_t)periods * sizeof *deviation);
    if (deviation == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    perturb(&own, b->orbit, NEUTRAL_COUNT * item + b->number, size);
    CAROM_TRY(follow(&own, b->orbit, NEAR * size, deviation, NULL));
    b->is_near[item] = deviation[periods - 1] < NEAR * size;
    return CAROM_OK;
}

/** Write the share of random perturbations after which a motion stays near for all periods. */
static carom_status write_share(const oscillator *o, carom_record *group, const carom_orbit *orbit,
                                int number) {
    bundle b = {.o = o, .orbit = orbit, .number = number};
    CAROM_TRY(carom_parallel_map(o->common->workers, DIRECTIONS, follow_direction, &b,
                                 CAROM_PARALLEL_ROWS(b.is_near, DIRECTIONS), o->report));
    int near = 0;
    for (int i = 0; i < DIRECTIONS; i++) {
        near += b.is_near[i] ? 1 : 0;
    }
    carom_record_scalar(group, "near_share", (double)near / DIRECTIONS, "1",
                        "share of random perturbations after which it stays near");
    return CAROM_OK;
}

/** Follow a motion unperturbed, perturbed less and perturbed. */
static carom_status write_runs(oscillator *o, carom_record *group, const carom_orbit *orbit,
                               int number) {
    const int periods = o->values->periods;
    const double size = o->values->perturbation;
    CAROM_AUTO_MEMORY double *deviation = malloc(3 * (size_t)periods * sizeof *deviation);
    if (deviation == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *time_shift = deviation + periods;
    double *less = deviation + 2 * periods;
    memcpy(o->state, orbit->state, 2 * (size_t)orbit->mode_count * sizeof(double));
    CAROM_TRY(follow(o, orbit, INFINITY, less, NULL));
    carom_record_scalar(group, "closure", less[periods - 1], "1",
                        "deviation of the unperturbed motion after all periods; NaN: no motion");
    perturb(o, orbit, number, SMALLER * size);
    CAROM_TRY(follow(o, orbit, INFINITY, less, NULL));
    perturb(o, orbit, number, size);
    CAROM_TRY(follow(o, orbit, INFINITY, deviation, time_shift));
    const carom_column columns[] = {
        {"deviation", deviation, "1",
         "deviation after each period, relative to the state; NaN: no motion"},
        {"time_shift", time_shift, "s", "delay against the periodic motion; NaN: no motion"},
        {"deviation_less", less, "1", "deviation of a tenth of the perturbation; NaN: no motion"},
    };
    carom_record_columns(group, "/stability/period_index", NULL, columns, COUNT(columns));
    return write_share(o, group, orbit, number);
}

/** An instant of the last two periods. */
typedef struct last_row {
    double time;
    double exact;
    double perturbed;
} last_row;

static const carom_field LAST_FIELDS[] = {
    CAROM_FIELD("time", last_row, time, "s", "time since the end of the last period but one"),
    CAROM_FIELD("exact", last_row, exact, "m", "position of the last mass, periodic motion"),
    CAROM_FIELD("perturbed", last_row, perturbed, "m",
                "position of the last mass, perturbed motion"),
};

/** Sample the perturbed motion from the end of the period before the last one, over two. */
static carom_status sample_last(oscillator *o, const carom_orbit *orbit, int count,
                                last_row *rows) {
    const int last = o->basis->coordinate_count - 1;
    double step = (o->values->periods - 1) * orbit->period;
    for (int i = 0; i < count; i++) {
        rows[i].time = 2.0 * orbit->period * i / (count - 1);
        step = i > 0 ? rows[i].time - rows[i - 1].time : step;
        if (i == 0 || step > 0.0) {
            CAROM_TRY(carom_event_propagate(o->basis, o->motion, o->state, -1, step, NULL, NULL,
                                            NULL, NULL));
        }
        carom_modal_basis_expand(o->basis, o->state, o->position, NULL);
        rows[i].perturbed = o->position[last];
    }
    for (int i = 0; i < count; i++) {
        carom_orbit_periodic_motion(o->basis, orbit, rows[i].time, o->position, NULL, o->state);
        rows[i].exact = o->position[last];
    }
    return CAROM_OK;
}

/** Write the end of the perturbed motion beside the exact one. */
static carom_status write_last(oscillator *o, carom_record *group, const carom_orbit *orbit,
                               int number) {
    const int count = 2 * o->values->points - 1;
    CAROM_AUTO_MEMORY last_row *rows = malloc((size_t)count * sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    perturb(o, orbit, number, o->values->perturbation);
    bool found = false;
    CAROM_TRY(serial_oscillator_may_miss(sample_last(o, orbit, count, rows), &found));
    if (found) {
        carom_record last = carom_record_group(group, "last");
        carom_record_rows(&last, "time", rows, count, sizeof *rows, LAST_FIELDS,
                          COUNT(LAST_FIELDS));
    }
    return CAROM_OK;
}

/** The admissible motion with multipliers of given flights; NULL if there is none. */
static carom_status find(oscillator *o, const carom_real_list *times, carom_orbit **out,
                         double *radius) {
    double period = 0.0;
    for (int j = 0; j < times->count; j++) {
        period += times->values[j];
    }
    *out = NULL;
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_TRY(serial_oscillator_solve(o, times->count, times->values, period, &orbit));
    if (orbit == NULL || !serial_oscillator_is_admissible(o, orbit)) {
        return CAROM_OK;
    }
    *radius = serial_oscillator_radius(o, orbit);
    if (isfinite(*radius)) {
        CAROM_HAND_OVER(orbit, out);
    }
    return CAROM_OK;
}

/** Write period and radius of a motion. */
static void write_orbit(carom_record *group, const carom_orbit *orbit, double radius) {
    carom_record_scalar(group, "period", orbit->period, "s", "period T");
    carom_record_scalar(group, "spectral_radius", radius, "1",
                        "largest modulus of the multipliers");
}

/** One of the three motions; all is left out if it does not exist. */
static carom_status write_neutral(oscillator *o, int number) {
    static const char *const names[NEUTRAL_COUNT] = {"one", "two", "three"};
    CAROM_AUTO(carom_orbit) orbit = NULL;
    double radius = NAN;
    CAROM_TRY(find(o, &o->values->neutral_times[number], &orbit, &radius));
    if (orbit == NULL) {
        return CAROM_OK;
    }
    carom_record group = carom_record_group(o->record, "/stability/%s", names[number]);
    write_orbit(&group, orbit, radius);
    CAROM_TRY(write_runs(o, &group, orbit, number));
    return write_last(o, &group, orbit, number);
}

/** An unstable motion that nobody perturbs, if there is one of its period. */
static carom_status write_unstable(oscillator *o) {
    CAROM_AUTO(carom_orbit) orbit = NULL;
    double radius = NAN;
    CAROM_TRY(find(o, &(carom_real_list){1, &UNSTABLE_PERIOD}, &orbit, &radius));
    if (orbit == NULL || carom_stability_is_neutral(radius)) {
        return CAROM_OK;
    }
    CAROM_AUTO_MEMORY double *deviation = malloc((size_t)o->values->periods * sizeof *deviation);
    if (deviation == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    memcpy(o->state, orbit->state, 2 * (size_t)orbit->mode_count * sizeof(double));
    CAROM_TRY(follow(o, orbit, INFINITY, deviation, NULL));
    carom_record group = carom_record_group(o->record, "/stability/unstable");
    write_orbit(&group, orbit, radius);
    carom_record_series(&group, "deviation", deviation, "/stability/period_index", NULL, "1",
                        "deviation after each period, unperturbed; NaN: no motion");
    return CAROM_OK;
}

/* --- all neutrally stable periods of one impact ----------------------------------------------- */

/** Samples of an interval per point of a curve: 2000 by default. */
enum { SAMPLES_PER_POINT = 5 };

static const carom_field WINDOW_FIELDS[] = {
    CAROM_FIELD("lower", carom_neutral_window, lower, "s", "shortest period"),
    CAROM_FIELD("upper", carom_neutral_window, upper, "s", "longest period"),
};

static carom_status write_windows(const oscillator *o) {
    const int samples = SAMPLES_PER_POINT * (o->values->points - 1);
    CAROM_AUTO(carom_period_stability) found = NULL;
    CAROM_TRY(carom_single_impact_stability(o->basis, o->intervals, samples, o->common->workers,
                                            &found, o->report));
    carom_record group = carom_record_group(o->record, "/stability/windows");
    if (found->count > 0) {
        carom_record_index_axis(&group, "window", found->count,
                                "window of neutrally stable periods of one impact");
        carom_record_rows(&group, "window", found->windows, found->count, sizeof *found->windows,
                          WINDOW_FIELDS, COUNT(WINDOW_FIELDS));
    }
    if (!isnan(found->smallest_radius)) {
        carom_record_scalar(&group, "smallest_radius", found->smallest_radius, "1",
                            "smallest radius of all motions surveyed");
        carom_record_scalar(&group, "unstable_part", found->unstable_part, "1",
                            "part of the surveyed motions that is unstable");
    }
    return CAROM_OK;
}

/** Write /stability. */
static carom_status write_stability(oscillator *o) {
    carom_record_index_axis(o->record, "/stability/period_index", o->values->periods,
                            "number of finished periods less one");
    for (int i = 0; i < NEUTRAL_COUNT; i++) {
        CAROM_TRY(write_neutral(o, i));
    }
    CAROM_TRY(write_unstable(o));
    return write_windows(o);
}

/* --- the program ------------------------------------------------------------------------------ */

/** All parts in their order; what the later ones read comes first. */
static carom_status compute(oscillator *o) {
    static carom_status (*const parts[])(oscillator *) = {
        write_modal,
        serial_oscillator_write_flights,
        serial_oscillator_write_single,
        serial_oscillator_write_double,
        serial_oscillator_write_families,
        serial_oscillator_write_seven,
        write_stability,
    };
    CAROM_AUTO(carom_period_intervals) intervals = NULL;
    CAROM_TRY(serial_oscillator_write_periods(o, &intervals));
    o->intervals = intervals;
    carom_status status = CAROM_OK;
    carom_progress *progress =
        carom_progress_start("parts", COUNT(parts), "parts", o->common->is_quiet);
    for (int i = 0; i < COUNT(parts) && status == CAROM_OK; i++) {
        status = parts[i](o);
        carom_progress_add(progress, 1);
    }
    carom_progress_finish(progress);
    return status;
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    CAROM_AUTO(carom_linear_system) system = NULL;
    CAROM_AUTO(carom_modal_basis) basis = NULL;
    CAROM_AUTO(carom_contact_motion) motion = NULL;
    CAROM_AUTO(carom_stability) stability = NULL;
    CAROM_TRY(carom_serial_chain_uniform_alloc(values->mass_count, values->gap, &system, report));
    CAROM_TRY(carom_modal_basis_compute(system, &basis, report));
    CAROM_TRY(carom_contact_motion_alloc(basis, &motion));
    CAROM_TRY(carom_stability_alloc(basis, &stability));
    CAROM_TRY(carom_geometry_record_linear_system(record, system));
    oscillator o = {
        .values = values,
        .common = common,
        .record = record,
        .report = report,
        .basis = basis,
        .motion = motion,
        .stability = stability,
    };
    return compute(&o);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_INTEGER("mass-count", settings, mass_count, "1", "masses n of the chain", "[1, 100]"),
    CAROM_REAL("gap", settings, gap, "m", "gap at rest d; negative: prestressed", "any"),
    CAROM_REAL("max-period", settings, max_period, "s", "longest period of intervals and families",
               "positive"),
    CAROM_INTEGER("points", settings, points, "1", "points of a curve", "[11, 100000]"),
    CAROM_REAL("perturbation", settings, perturbation, "1",
               "size of the perturbations of figure 16 over the state", "[1e-9, 1]"),
    CAROM_INTEGER("periods", settings, periods, "1", "periods of figure 16", "[1, 1000000]"),
    CAROM_REAL_LIST("single-periods", settings, single_periods, "s",
                    "periods of motions 2 to 5 of figure 7", "positive"),
    CAROM_REAL_LIST("double-periods", settings, double_periods, "s",
                    "periods of motions 1 to 5 of figure 10", "positive"),
    CAROM_REAL_LIST("family-times", settings, family_times, "s",
                    "flight times near the family of figure 12", "positive"),
    CAROM_REAL_LIST("seven-times", settings, seven_times, "s",
                    "flight times near a motion of figure 15", "positive"),
    CAROM_REAL_LIST("neutral-times-1", settings, neutral_times[0], "s",
                    "period of the first motion of figure 16", "positive"),
    CAROM_REAL_LIST("neutral-times-2", settings, neutral_times[1], "s",
                    "flight times of the second motion", "positive"),
    CAROM_REAL_LIST("neutral-times-3", settings, neutral_times[2], "s",
                    "flight times of the third motion", "positive"),
};

static const carom_table_column columns[] = {
    {.head = "period", .expression = "period"},
    {.head = "energy", .expression = "energy"},
    {.head = "largest multiplier", .expression = "spectral_radius"},
    {.head = "impact speed", .expression = "speed"},
};

static const carom_table tables[] = {
    {.groups = "/single/case_* /double/case_* /seven/case_*",
     .group_head = "motion",
     CAROM_COLUMNS(columns)},
};

int main(int argc, char **argv) {
    settings v = defaults();
    const carom_program program = {
        .name = "serial_oscillator",
        .title = "Nonsmooth modes of a chain that strikes an obstacle",
        .source = "thorin-2017",
        .schema = "serial_oscillator 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
