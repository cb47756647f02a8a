/** Stability (section 8): three neutrally stable motions over many periods and an unstable one
 * (figure 16), and all periods at which motions with one impact are neutrally stable. */
#include "results.h"

#include <carom/base/parallel.h>
#include <carom/base/random.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- a motion over many periods --------------------------------------------------------------- */

/** A perturbed motion stays near if it never deviates by more than so many perturbations: at least
 * five times what the neutral multipliers of four pairs make of them. */
static const double NEAR = 100.0;
/** Random directions in which each motion is perturbed, that of the figure first. */
enum { DIRECTIONS = 16 };
/** The ratio of two perturbations whose deviations are compared. */
static const double SMALLER = 0.1;
/** The unstable motion with one impact, in s: any would do, this one has a moderate radius. */
static const double UNSTABLE_PERIOD = 4.0;

/** A motion over many periods, looked at after each last impact. */
typedef struct follower {
    const oscillator *o;
    const carom_orbit *orbit;
    double *deviation;  /**< [periods] relative */
    double *time_shift; /**< [periods] s; NULL: not kept */
    double bound;       /**< deviation at which to stop */
    int done;           /**< periods so far */
} follower;

/** Called after each impact. */
static carom_status observe(int impact, double time, double lambda, const double *state,
                            void *context) {
    (void)lambda;
    follower *f = context;
    if (impact % f->orbit->impact_count != 0 || f->done == f->o->values->periods) {
        return CAROM_OK;
    }
    f->deviation[f->done] = serial_oscillator_deviation(f->o, state, f->orbit->state);
    if (f->time_shift != NULL) {
        f->time_shift[f->done] = time - (f->done + 1) * f->orbit->period;
    }
    f->done++;
    return f->deviation[f->done - 1] < f->bound ? CAROM_OK : CAROM_STATUS_NOT_FOUND;
}

/** Follow a motion from a state for all periods, or until it deviates by the bound; NaN after. */
static carom_status follow(follower *f, double *state) {
    const int periods = f->o->values->periods;
    f->done = 0;
    for (int i = 0; i < periods; i++) {
        f->deviation[i] = NAN;
        if (f->time_shift != NULL) {
            f->time_shift[i] = NAN;
        }
    }
    bool found = false;
    return serial_oscillator_may_miss(carom_event_propagate(f->o->basis, f->o->motion, state,
                                                            periods * f->orbit->impact_count,
                                                            INFINITY, observe, f, NULL, NULL),
                                      &found);
}

/** A perturbed state after the impact at t = 0: a random direction, of which the part that moves
 * the contact is taken away, of a given size relative to the state. */
static void perturb(const oscillator *o, const carom_orbit *orbit, int number, double size,
                    double *state) {
    const carom_modal_basis *basis = o->basis;
    double direction[2 * MOST_MASSES] = {0.0};
    const int length = 2 * basis->visible_count;
    double along = 0.0;
    double normal = 0.0;
    double norm = 0.0;
    for (int i = 0; i < length; i++) {
        const double u =
            carom_counter_uniform(o->common->seed, (unsigned long)number, (unsigned long)i);
        direction[i] = 2.0 * u - 1.0;
    }
    // x_c = h'z with h_l = sqrt(G) rho_l/omega_l on the positions.
    for (int l = 0; l < basis->visible_count; l++) {
        const double h = basis->participation[l] / basis->frequency[l];
        along += h * direction[2 * l];
        normal += h * h;
    }
    for (int l = 0; l < basis->visible_count; l++) {
        direction[2 * l] -= along / normal * basis->participation[l] / basis->frequency[l];
    }
    for (int i = 0; i < length; i++) {
        norm += direction[i] * direction[i];
    }
    const double scale = size * sqrt(2.0 * orbit->energy / norm);
    for (int i = 0; i < length; i++) {
        state[i] = orbit->state[i] + scale * direction[i];
    }
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
    follower f = {.o = &own, .orbit = b->orbit, .deviation = deviation, .bound = NEAR * size};
    perturb(&own, b->orbit, NEUTRAL_COUNT * item + b->number, size, own.state);
    CAROM_TRY(follow(&f, own.state));
    b->is_near[item] = f.done == periods && deviation[periods - 1] < f.bound;
    return CAROM_OK;
}

/** Write the share of random perturbations after which a motion stays near for all periods. */
static carom_status write_share(const oscillator *o, carom_record *group, const carom_orbit *orbit,
                                int number) {
    bundle b = {.o = o, .orbit = orbit, .number = number};
    CAROM_TRY(carom_parallel_map(DIRECTIONS, o->common->threads, follow_direction, &b, o->report));
    int near = 0;
    for (int i = 0; i < DIRECTIONS; i++) {
        near += b.is_near[i] ? 1 : 0;
    }
    carom_record_scalar(group, "near_share", (double)near / DIRECTIONS, "1",
                        "share of random perturbations after which it stays near");
    return CAROM_OK;
}

/** Write period, radius and flights of a motion. */
static void write_orbit(carom_record *group, const carom_orbit *orbit, double radius) {
    carom_record_index_axis(group, "impact", orbit->impact_count, "impact of the period");
    carom_record_series(group, "flight_times", orbit->flight_times, "impact", NULL, "s",
                        "duration of the flights");
    carom_record_scalar(group, "period", orbit->period, "s", "period T");
    carom_record_scalar(group, "spectral_radius", radius, "1",
                        "largest modulus of the multipliers");
}

/* --- the neutrally stable motions ------------------------------------------------------------- */

/** Follow a motion unperturbed, perturbed less and perturbed, and write the last. */
static carom_status write_runs(oscillator *o, carom_record *group, const carom_orbit *orbit,
                               int number) {
    const int periods = o->values->periods;
    const double size = o->values->perturbation;
    CAROM_AUTO_MEMORY double *deviation = malloc(3 * (size_t)periods * sizeof *deviation);
    if (deviation == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *less = deviation + 2 * periods;
    follower f = {.o = o, .orbit = orbit, .deviation = less, .bound = INFINITY};
    memcpy(o->state, orbit->state, 2 * (size_t)orbit->mode_count * sizeof(double));
    CAROM_TRY(follow(&f, o->state));
    carom_record_scalar(group, "closure", less[periods - 1], "1",
                        "deviation of the unperturbed motion after all periods; NaN: no motion");
    perturb(o, orbit, number, SMALLER * size, o->state);
    CAROM_TRY(follow(&f, o->state));
    f.deviation = deviation;
    f.time_shift = deviation + periods;
    perturb(o, orbit, number, size, o->state);
    CAROM_TRY(follow(&f, o->state));
    const carom_column columns[] = {
        {"deviation", deviation, "1",
         "deviation after each period, relative to the state; NaN: no motion"},
        {"time_shift", f.time_shift, "s", "delay against the periodic motion; NaN: no motion"},
        {"deviation_less", less, "1", "deviation of a tenth of the perturbation; NaN: no motion"},
    };
    carom_record_columns(group, "/stability/period_index", NULL, columns, COUNT(columns));
    return write_share(o, group, orbit, number);
}

/** Sample the perturbed motion from the end of the period before the last one, over two. */
static carom_status sample_last(oscillator *o, const carom_orbit *orbit, int count, double *time,
                                double *exact, double *perturbed) {
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
static carom_status write_last(oscillator *o, carom_record *group, const carom_orbit *orbit,
                               int number) {
    const int count = 2 * o->values->points - 1;
    CAROM_AUTO_MEMORY double *time = malloc(3 * (size_t)count * sizeof *time);
    if (time == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *exact = time + count;
    double *perturbed = time + 2 * count;
    perturb(o, orbit, number, o->values->perturbation, o->state);
    bool found = false;
    CAROM_TRY(
        serial_oscillator_may_miss(sample_last(o, orbit, count, time, exact, perturbed), &found));
    if (found) {
        carom_record last = carom_record_group(group, "last");
        carom_record_axis(&last, "time", count, time, "s",
                          "time since the end of the last period but one");
        const carom_column columns[] = {
            {"exact", exact, "m", "position of the last mass, periodic motion"},
            {"perturbed", perturbed, "m", "position of the last mass, perturbed motion"},
        };
        carom_record_columns(&last, "time", NULL, columns, COUNT(columns));
    }
    return CAROM_OK;
}

/** One of the three motions; all is left out if it does not exist. */
static carom_status write_neutral(oscillator *o, int number) {
    static const char *const names[NEUTRAL_COUNT] = {"one", "two", "three"};
    const carom_real_list *times = &o->values->neutral_times[number];
    double period = 0.0;
    for (int j = 0; j < times->count; j++) {
        period += times->values[j];
    }
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_TRY(serial_oscillator_solve(o, times->count, times->values, period, &orbit));
    if (orbit == NULL || !serial_oscillator_is_admissible(o, orbit)) {
        return CAROM_OK;
    }
    const double radius = serial_oscillator_radius(o, orbit);
    if (!isfinite(radius)) {
        return CAROM_OK;
    }
    carom_record group = carom_record_group(o->record, "/stability/%s", names[number]);
    write_orbit(&group, orbit, radius);
    CAROM_TRY(write_runs(o, &group, orbit, number));
    return write_last(o, &group, orbit, number);
}

/** An unstable motion that nobody perturbs, if there is one of its period. */
static carom_status write_unstable(oscillator *o) {
    const double T = UNSTABLE_PERIOD;
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_TRY(serial_oscillator_solve(o, 1, &T, T, &orbit));
    if (orbit == NULL || !serial_oscillator_is_admissible(o, orbit)) {
        return CAROM_OK;
    }
    const double radius = serial_oscillator_radius(o, orbit);
    if (!isfinite(radius) || carom_stability_is_neutral(radius)) {
        return CAROM_OK;
    }
    CAROM_AUTO_MEMORY double *deviation = malloc((size_t)o->values->periods * sizeof *deviation);
    if (deviation == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    follower f = {.o = o, .orbit = orbit, .deviation = deviation, .bound = INFINITY};
    memcpy(o->state, orbit->state, 2 * (size_t)orbit->mode_count * sizeof(double));
    CAROM_TRY(follow(&f, o->state));
    carom_record group = carom_record_group(o->record, "/stability/unstable");
    write_orbit(&group, orbit, radius);
    carom_record_series(&group, "deviation", deviation, "/stability/period_index", NULL, "1",
                        "deviation after each period, unperturbed; NaN: no motion");
    return CAROM_OK;
}

/* --- all neutrally stable periods of one impact ----------------------------------------------- */

/** Samples of an interval per point of a curve: 2000 by default. */
enum { SAMPLES_PER_POINT = 5 };
/** Samples that one task computes. */
enum { CHUNK = 100 };
/** Halvings of a sample's width: to rounding. */
enum { HALVINGS = 45 };

/** The samples of all intervals. */
typedef struct survey {
    const oscillator *o;
    int samples;    /**< of an interval */
    int chunks;     /**< of an interval */
    double *radius; /**< [interval][samples] largest modulus of the multipliers, never rounded up */
    carom_progress *progress;
} survey;

/** Largest modulus of the multipliers of the motion of a period; NaN if there are none. */
static double radius_at(const oscillator *o, carom_stability *stability, carom_orbit *orbit,
                        double period) {
    double multipliers[4 * MOST_MASSES];
    double radius = NAN;
    if (carom_single_impact_orbit(o->basis, period, orbit) != CAROM_OK ||
        carom_stability_multipliers(stability, orbit, multipliers, &radius) != CAROM_OK) {
        return NAN;
    }
    double largest = NAN;
    for (int i = 0; i < 2 * o->basis->coordinate_count - 2; i++) {
        largest = fmax(largest, hypot(multipliers[2 * i], multipliers[2 * i + 1]));
    }
    return largest;
}

/** The period of a sample: in the middle of its share of the interval. */
static double period_of(const survey *s, int interval, double sample) {
    const carom_period_interval *one = &s->o->intervals->intervals[interval];
    return one->lower + (one->upper - one->lower) * (sample + 0.5) / s->samples;
}

/** Compute one chunk of samples. */
static carom_status survey_chunk(int item, void *context, carom_report *report) {
    (void)report;
    survey *s = context;
    const int interval = item / s->chunks;
    const int first = item % s->chunks * CHUNK;
    const int end = first + CHUNK < s->samples ? first + CHUNK : s->samples;
    CAROM_AUTO(carom_stability) stability = NULL;
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_TRY(carom_stability_alloc(s->o->basis, &stability));
    CAROM_TRY(carom_orbit_alloc(s->o->basis, 1, &orbit));
    for (int i = first; i < end; i++) {
        s->radius[interval * s->samples + i] =
            radius_at(s->o, stability, orbit, period_of(s, interval, i));
    }
    carom_progress_add(s->progress, 1);
    return CAROM_OK;
}

/** A window of neutrally stable periods. */
typedef struct window {
    double lower;
    double upper;
} window;

static const carom_field WINDOW_FIELDS[] = {
    CAROM_FIELD("lower", window, lower, "s", "shortest period"),
    CAROM_FIELD("upper", window, upper, "s", "longest period"),
};

/** The period between a neutral one and another at which the stability changes. */
static double bisect(const survey *s, carom_orbit *orbit, double neutral, double other) {
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (neutral + other);
        if (carom_stability_is_neutral(radius_at(s->o, s->o->stability, orbit, middle))) {
            neutral = middle;
        } else {
            other = middle;
        }
    }
    return neutral;
}

/** Collect the windows of one interval: runs of neutral samples, their ends bisected. */
static void collect(const survey *s, carom_orbit *orbit, int interval, window *found, int *count) {
    const carom_period_interval *one = &s->o->intervals->intervals[interval];
    const double *radius = s->radius + interval * s->samples;
    for (int i = 0; i < s->samples; i++) {
        if (!carom_stability_is_neutral(radius[i])) {
            continue;
        }
        const int first = i;
        while (i + 1 < s->samples && carom_stability_is_neutral(radius[i + 1])) {
            i++;
        }
        found[(*count)++] = (window){
            first == 0 ? one->lower
                       : bisect(s, orbit, period_of(s, interval, first),
                                period_of(s, interval, first - 1)),
            i == s->samples - 1
                ? one->upper
                : bisect(s, orbit, period_of(s, interval, i), period_of(s, interval, i + 1)),
        };
    }
}

/** Write the windows and what all samples say; room for all of them in found. */
static carom_status write_windows(const survey *s, window *found) {
    const oscillator *o = s->o;
    const int total = o->intervals->count * s->samples;
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_TRY(carom_orbit_alloc(o->basis, 1, &orbit));
    int count = 0;
    for (int i = 0; i < o->intervals->count; i++) {
        collect(s, orbit, i, found, &count);
    }
    carom_record group = carom_record_group(o->record, "/stability/windows");
    if (count > 0) {
        carom_record_index_axis(&group, "window", count,
                                "window of neutrally stable periods of one impact");
        carom_record_rows(&group, "window", found, count, sizeof *found, WINDOW_FIELDS,
                          COUNT(WINDOW_FIELDS));
    }
    double least = INFINITY;
    int unstable = 0;
    for (int i = 0; i < total; i++) {
        least = fmin(least, s->radius[i]);
        unstable += s->radius[i] > 1.0 && !carom_stability_is_neutral(s->radius[i]) ? 1 : 0;
    }
    if (isfinite(least)) {
        carom_record_scalar(&group, "smallest_radius", least, "1",
                            "smallest radius of all motions surveyed");
        carom_record_scalar(&group, "unstable_part", (double)unstable / total, "1",
                            "part of the surveyed motions that is unstable");
    }
    return CAROM_OK;
}

/** Survey the stability of all motions with one impact. */
static carom_status survey_windows(oscillator *o) {
    survey s = {.o = o, .samples = SAMPLES_PER_POINT * (o->values->points - 1)};
    s.chunks = (s.samples + CHUNK - 1) / CHUNK;
    const int count = o->intervals->count;
    const size_t total = (size_t)count * (size_t)s.samples;
    CAROM_AUTO_MEMORY double *radius = malloc((total + 1) * sizeof *radius);
    CAROM_AUTO_MEMORY window *found = malloc((total + 1) * sizeof *found);
    if (radius == NULL || found == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s.radius = radius;
    s.progress =
        carom_progress_start("stability", (long)count * s.chunks, "parts", o->common->is_quiet);
    const carom_status status =
        carom_parallel_map(count * s.chunks, o->common->threads, survey_chunk, &s, o->report);
    carom_progress_finish(s.progress);
    CAROM_TRY(status);
    return write_windows(&s, found);
}

carom_status serial_oscillator_write_stability(oscillator *o) {
    carom_record_index_axis(o->record, "/stability/period_index", o->values->periods,
                            "number of finished periods less one");
    for (int i = 0; i < NEUTRAL_COUNT; i++) {
        CAROM_TRY(write_neutral(o, i));
    }
    CAROM_TRY(write_unstable(o));
    return o->intervals->count > 0 ? survey_windows(o) : CAROM_OK;
}
