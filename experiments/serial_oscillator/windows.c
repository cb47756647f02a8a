/** All periods at which motions with one impact are neutrally stable. */
#include "results.h"

#include <carom/base/parallel.h>

#include <math.h>
#include <stdlib.h>

/** Samples of an interval per point of a curve: 2000 by default. */
enum { SAMPLES_PER_POINT = 5 };
/** Samples that one task computes. */
enum { CHUNK = 100 };
/** Halvings of a sample's width: to rounding. */
enum { HALVINGS = 45 };
/** Radii below one by more than this are more than rounding of neutral multipliers. */
static const double BELOW_ONE = 1e-7;

/** The samples of all intervals. */
typedef struct survey {
    const oscillator *o;
    int samples;    /**< of an interval */
    int chunks;     /**< of an interval */
    double *radius; /**< [interval][samples] largest modulus of the multipliers, never rounded up */
    carom_progress *progress;
} survey;

/** Work memory of one task. */
typedef struct worker {
    const oscillator *o;
    carom_stability *stability;
    carom_orbit *orbit;
    double *multipliers; /**< [2n-2][2] */
} worker;

static void free_worker(worker *w) {
    free(w->multipliers);
    carom_orbit_free(w->orbit);
    carom_stability_free(w->stability);
}

static carom_status alloc_worker(const oscillator *o, worker *w) {
    *w = (worker){.o = o};
    CAROM_TRY(carom_stability_alloc(o->basis, &w->stability));
    CAROM_TRY(carom_orbit_alloc(o->basis, 1, &w->orbit));
    w->multipliers = malloc(4 * (size_t)o->basis->coordinate_count * sizeof *w->multipliers);
    return w->multipliers == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
}

/** Largest modulus of the multipliers of the motion of a period; NaN if there are none. */
static double radius_at(const worker *w, double period) {
    double radius = NAN;
    if (carom_single_impact_orbit(w->o->basis, period, w->orbit) != CAROM_OK ||
        carom_stability_multipliers(w->stability, w->orbit, w->multipliers, &radius) != CAROM_OK) {
        return NAN;
    }
    double largest = NAN;
    for (int i = 0; i < 2 * w->o->basis->coordinate_count - 2; i++) {
        largest = fmax(largest, hypot(w->multipliers[2 * i], w->multipliers[2 * i + 1]));
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
    worker w;
    const carom_status status = alloc_worker(s->o, &w);
    for (int i = first; i < end && status == CAROM_OK; i++) {
        s->radius[interval * s->samples + i] = radius_at(&w, period_of(s, interval, i));
    }
    free_worker(&w);
    carom_progress_add(s->progress, 1);
    return status;
}

/** The period between a neutral one and another at which the stability changes. */
static double bisect(const worker *w, double neutral, double other) {
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (neutral + other);
        if (carom_stability_is_neutral(radius_at(w, middle))) {
            neutral = middle;
        } else {
            other = middle;
        }
    }
    return neutral;
}

/** Windows as far as they were found. */
typedef struct windows {
    int count;
    double *lower;
    double *upper;
} windows;

/** Collect the windows of one interval: runs of neutral samples, their ends bisected. */
static void collect(const survey *s, const worker *w, int interval, windows *found) {
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
        found->lower[found->count] = first == 0 ? one->lower
                                                : bisect(w, period_of(s, interval, first),
                                                         period_of(s, interval, first - 1));
        found->upper[found->count] = i == s->samples - 1 ? one->upper
                                                         : bisect(w, period_of(s, interval, i),
                                                                  period_of(s, interval, i + 1));
        found->count++;
    }
}

/** Write the windows and what all samples say. */
static void write(const survey *s, const windows *found) {
    const oscillator *o = s->o;
    const int total = o->intervals->count * s->samples;
    double least = INFINITY;
    int unstable = 0;
    for (int i = 0; i < total; i++) {
        least = fmin(least, s->radius[i]);
        unstable += s->radius[i] > 1.0 && !carom_stability_is_neutral(s->radius[i]) ? 1 : 0;
    }
    if (found->count > 0) {
        const char *axis = "/stability/windows/window";
        carom_record_index_axis(o->record, axis, found->count,
                                "window of neutrally stable periods of one impact");
        const carom_column columns[] = {
            {"lower", found->lower, "s", "shortest period"},
            {"upper", found->upper, "s", "longest period"},
        };
        serial_oscillator_write_columns(o, "/stability/windows", axis, NULL, columns,
                                        COUNT(columns));
    }
    if (!isfinite(least)) {
        return;
    }
    const carom_measure measures[] = {
        {"stability_windows", found->count, "1", "windows of neutral stability of one impact"},
        {"stability_smallest_radius", least, "1", "smallest radius of all motions surveyed"},
        {"stability_unstable_part", (double)unstable / total, "1",
         "part of the surveyed motions that is unstable"},
    };
    const carom_claim claims[] = {
        {"stability_radius_at_least_one", least > 1.0 - BELOW_ONE,
         "no motion with one impact has a spectral radius below one"},
        {"stability_unstable_exists", unstable > 0, "some motions with one impact are unstable"},
    };
    carom_record_measures(o->record, measures, COUNT(measures));
    carom_record_claims(o->record, claims, COUNT(claims));
}

/** Find and write the windows of a finished survey; memory [intervals * samples] at least. */
static carom_status find_windows(const survey *s, double *memory) {
    windows found = {.lower = memory, .upper = memory + s->o->intervals->count * s->samples};
    worker w;
    carom_status status = alloc_worker(s->o, &w);
    for (int i = 0; i < s->o->intervals->count && status == CAROM_OK; i++) {
        collect(s, &w, i, &found);
    }
    free_worker(&w);
    if (status == CAROM_OK) {
        write(s, &found);
    } else {
        return status;
    }
    return CAROM_OK;
}

carom_status serial_oscillator_write_windows(const oscillator *o) {
    survey s = {.o = o, .samples = SAMPLES_PER_POINT * (o->values->points - 1)};
    s.chunks = (s.samples + CHUNK - 1) / CHUNK;
    const int count = o->intervals->count;
    if (count == 0) {
        return CAROM_OK;
    }
    const size_t total = (size_t)count * (size_t)s.samples;
    s.radius = malloc(3 * total * sizeof *s.radius);
    if (s.radius == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s.progress =
        carom_progress_start("stability", (long)count * s.chunks, "parts", o->common->is_quiet);
    carom_status status =
        carom_parallel_map(count * s.chunks, o->common->threads, survey_chunk, &s, o->report);
    carom_progress_finish(s.progress);
    if (status == CAROM_OK) {
        status = find_windows(&s, s.radius + total);
    }
    free(s.radius);
    return status;
}
