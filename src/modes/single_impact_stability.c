#include <carom/base/parallel.h>
#include <carom/modes/few_impacts.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Samples that one task computes. */
enum { CHUNK = 100 };
/** Halvings of a sample's width: to rounding. */
enum { HALVINGS = 45 };

/** The samples of all intervals. */
typedef struct survey {
    const carom_modal_basis *basis;
    const carom_period_intervals *intervals;
    int samples;    /**< of an interval */
    int chunks;     /**< of an interval */
    double *radius; /**< [interval][samples] largest modulus of the multipliers, never rounded up */
} survey;

/** Work memory of a task. */
typedef struct worker {
    const carom_modal_basis *basis;
    carom_stability *stability;
    carom_orbit *orbit;  /**< one impact */
    double *multipliers; /**< [2n-2][2] */
} worker;

static void worker_clear(worker *w) {
    carom_stability_free(w->stability);
    carom_orbit_free(w->orbit);
    free(w->multipliers);
}

static carom_status worker_init(const carom_modal_basis *basis, worker *w) {
    w->basis = basis;
    w->multipliers = malloc(4 * (size_t)basis->coordinate_count * sizeof *w->multipliers);
    if (w->multipliers == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_stability_alloc(basis, &w->stability));
    return carom_orbit_alloc(basis, 1, &w->orbit);
}

/** Largest modulus of the multipliers of the motion of a period; NaN if there are none. */
static double radius_at(worker *w, double period) {
    double largest = NAN;
    double radius = NAN;
    if (carom_single_impact_orbit(w->basis, period, w->orbit) != CAROM_OK ||
        carom_stability_multipliers(w->stability, w->orbit, w->multipliers, &radius) != CAROM_OK) {
        return NAN;
    }
    for (int i = 0; i < 2 * w->basis->coordinate_count - 2; i++) {
        largest = fmax(largest, hypot(w->multipliers[2 * i], w->multipliers[2 * i + 1]));
    }
    return largest;
}

/** The period of a sample: in the middle of its share of the interval. */
static double period_of(const survey *s, int interval, double sample) {
    const carom_period_interval *one = &s->intervals->intervals[interval];
    return one->lower + (one->upper - one->lower) * (sample + 0.5) / s->samples;
}

/** Compute one chunk of samples. */
static carom_status survey_chunk(int item, void *context, carom_report *report) {
    (void)report;
    const survey *s = context;
    const int interval = item / s->chunks;
    const int first = item % s->chunks * CHUNK;
    const int end = first + CHUNK < s->samples ? first + CHUNK : s->samples;
    CAROM_AUTO_VALUE(worker) w = {.basis = NULL};
    CAROM_TRY(worker_init(s->basis, &w));
    for (int i = first; i < end; i++) {
        s->radius[interval * s->samples + i] = radius_at(&w, period_of(s, interval, i));
    }
    return CAROM_OK;
}

/** The samples of a chunk. */
static double *samples_of(const survey *s, int item, size_t *size) {
    const int first = item % s->chunks * CHUNK;
    const int end = first + CHUNK < s->samples ? first + CHUNK : s->samples;
    *size = (size_t)(end - first) * sizeof *s->radius;
    return s->radius + item / s->chunks * s->samples + first;
}

static carom_status pack_chunk(int item, void *context, carom_parallel_bytes *bytes) {
    size_t size = 0;
    const double *radius = samples_of(context, item, &size);
    return carom_parallel_append(bytes, radius, size);
}

static carom_status unpack_chunk(int item, const unsigned char *data, size_t size, void *context) {
    size_t own_size = 0;
    double *radius = samples_of(context, item, &own_size);
    if (size != own_size) {
        return CAROM_STATUS_BAD_FORMAT;
    }
    memcpy(radius, data, size);
    return CAROM_OK;
}

/** The period between a neutral one and another at which the stability changes. */
static double bisect(worker *w, double neutral, double other) {
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

/** Append the windows of one interval: runs of neutral samples, their ends bisected. */
static void collect(const survey *s, worker *w, int interval, carom_period_stability *found) {
    const carom_period_interval *one = &s->intervals->intervals[interval];
    const double *radius = s->radius + interval * s->samples;
    for (int i = 0; i < s->samples; i++) {
        if (!carom_stability_is_neutral(radius[i])) {
            continue;
        }
        const int first = i;
        while (i + 1 < s->samples && carom_stability_is_neutral(radius[i + 1])) {
            i++;
        }
        found->windows[found->count++] = (carom_neutral_window){
            first == 0
                ? one->lower
                : bisect(w, period_of(s, interval, first), period_of(s, interval, first - 1)),
            i == s->samples - 1
                ? one->upper
                : bisect(w, period_of(s, interval, i), period_of(s, interval, i + 1)),
        };
    }
}

/** Windows, smallest radius and unstable part from all samples. */
static carom_status conclude(const survey *s, carom_period_stability *found) {
    const int total = s->intervals->count * s->samples;
    CAROM_AUTO_VALUE(worker) w = {.basis = NULL};
    CAROM_TRY(worker_init(s->basis, &w));
    for (int i = 0; i < s->intervals->count; i++) {
        collect(s, &w, i, found);
    }
    int unstable = 0;
    found->smallest_radius = NAN;
    for (int i = 0; i < total; i++) {
        found->smallest_radius = fmin(found->smallest_radius, s->radius[i]);
        unstable += s->radius[i] > 1.0 && !carom_stability_is_neutral(s->radius[i]) ? 1 : 0;
    }
    found->unstable_part = isnan(found->smallest_radius) ? (double)NAN : (double)unstable / total;
    return CAROM_OK;
}

carom_status carom_single_impact_stability(const carom_modal_basis *basis,
                                           const carom_period_intervals *intervals, int samples,
                                           carom_workers workers, carom_period_stability **out,
                                           carom_report *report) {
    CAROM_ASSERT(basis != NULL && intervals != NULL && out != NULL);
    *out = NULL;
    if (!(samples >= 1 && samples <= CAROM_PERIOD_INTERVALS_MOST_SAMPLES)) {
        return carom_report_refuse(report, "samples", samples, -1, "from 1 to 1000000");
    }
    const size_t total = (size_t)intervals->count * (size_t)samples;
    CAROM_AUTO_MEMORY double *radius = malloc((total + 1) * sizeof *radius);
    CAROM_AUTO(carom_period_stability) found = calloc(1, sizeof *found);
    if (radius == NULL || found == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    found->windows = malloc((total + 1) * sizeof *found->windows);
    if (found->windows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    survey s = {basis, intervals, samples, (samples + CHUNK - 1) / CHUNK, radius};
    const carom_parallel_results left = {.pack = pack_chunk, .unpack = unpack_chunk};
    CAROM_TRY(
        carom_parallel_map(workers, intervals->count * s.chunks, survey_chunk, &s, &left, report));
    CAROM_TRY(conclude(&s, found));
    CAROM_HAND_OVER(found, out);
    return CAROM_OK;
}

void carom_period_stability_free(carom_period_stability *stability) {
    if (stability != NULL) {
        free(stability->windows);
    }
    free(stability);
}
