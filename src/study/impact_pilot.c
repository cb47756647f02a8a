#include <carom/study/internal.h>

#include <carom/program/program.h>

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/** Samples from which the limits of a plane are taken: enough to meet all kinds of paths. */
enum { PILOT_SAMPLES = 2048 };

/** Margin of a plane around the first samples, as a part of their extent: others go further. */
static const double MARGIN = 0.08;

/** Least extent of a plane as a part of the largest speed in any row, where paths have none. */
static const double LEAST_EXTENT = 1e-3;

/** Bytes that paths may take as long as the limits are not known; longer ones are sampled again. */
static const double MOST_BYTES = 1 << 27;

struct carom_impact_pilot {
    int row_count;                 /**< r */
    double *low;                   /**< [r] the smallest speed in each row along paths */
    double *high;                  /**< [r] the largest */
    carom_impact_samples *samples; /**< owned; NULL: the set begins without them */
    int count;                     /**< of them */
    int *point_count;              /**< [count] of the path of each */
    size_t *first;                 /**< [count] where it begins */
    double *paths;                 /**< in no order */
    atomic_size_t used;            /**< entries of paths */
    carom_progress *progress;      /**< of the set */
};

void carom_impact_pilot_free(carom_impact_pilot *pilot) {
    if (pilot != NULL) {
        free(pilot->low);
        free(pilot->point_count);
        free(pilot->first);
        free(pilot->paths);
        carom_impact_samples_free(pilot->samples);
        free(pilot);
    }
}

/** Widen the extents by a path; one thread alone. */
static void widen(int sample, int point_count, const double *path, void *context) {
    carom_impact_pilot *pilot = context;
    (void)sample;
    for (int i = 0; i < point_count * pilot->row_count; i++) {
        const int row = i % pilot->row_count;
        pilot->low[row] = fmin(pilot->low[row], path[i]);
        pilot->high[row] = fmax(pilot->high[row], path[i]);
    }
}

/** Keep a path, where the next ones are free; on any thread. */
static void keep(int sample, int point_count, const double *path, void *context) {
    carom_impact_pilot *pilot = context;
    const size_t size = (size_t)point_count * (size_t)pilot->row_count;
    const size_t first = atomic_fetch_add(&pilot->used, size);
    memcpy(pilot->paths + first, path, size * sizeof *path);
    pilot->first[sample] = first;
    pilot->point_count[sample] = point_count;
    carom_progress_add(pilot->progress, 1);
}

/** Whether a set begins with these samples: by its own caps, in parts, of which these have room. */
static bool is_first_part(const carom_impact_study *self,
                          const carom_impact_sampling_params *params) {
    const double points = params->trajectory_length + 1.0;
    return self->pilot_samples > 0 && carom_impact_study_is_in_parts(self) &&
           points * params->samples * self->target.problem->row_count * sizeof(double) <=
               MOST_BYTES;
}

/** Room for the paths: pages that they do not reach take none. */
static carom_status alloc_paths(carom_impact_pilot *pilot, int samples, int most_points) {
    const size_t entries = (size_t)samples * (size_t)most_points * (size_t)pilot->row_count;
    pilot->point_count = calloc((size_t)samples + 1, sizeof *pilot->point_count);
    pilot->first = calloc((size_t)samples + 1, sizeof *pilot->first);
    pilot->paths = malloc((entries + 1) * sizeof *pilot->paths);
    return pilot->point_count != NULL && pilot->first != NULL && pilot->paths != NULL
               ? CAROM_OK
               : CAROM_STATUS_OUT_OF_MEMORY;
}

/** The path of a sample. */
static const double *path_of(const carom_impact_pilot *pilot, int sample) {
    return pilot->paths + pilot->first[sample];
}

/** Sample with all paths kept; each rank does so for itself. */
static carom_status sample_first_part(carom_impact_pilot *pilot, const carom_impact_study *self,
                                      carom_impact_sampling_params *params, carom_report *report) {
    CAROM_TRY(alloc_paths(pilot, params->samples, params->trajectory_length + 1));
    params->workers = (carom_workers){.threads = self->common->workers.threads};
    params->observer = keep;
    CAROM_TRY(carom_impact_sample(self->target.problem, params, &pilot->samples, report));
    pilot->count = pilot->samples->count;
    for (int i = 0; i < pilot->count; i++) {
        widen(i, pilot->point_count[i], path_of(pilot, i), pilot);
    }
    return CAROM_OK;
}

/** Sample for the extents alone. */
static carom_status sample_extents(const carom_impact_study *self,
                                   carom_impact_sampling_params *params, carom_report *report) {
    params->workers = (carom_workers){.threads = 1};
    // Caps that favour the corners of their box reach the extremes that few paths reach.
    params->distribution = self->pilot_samples > 0 ? params->distribution : CAROM_CAPS_CORNERS;
    params->observer = widen;
    CAROM_AUTO(carom_impact_samples) samples = NULL;
    return carom_impact_sample(self->target.problem, params, &samples, report);
}

carom_status carom_impact_pilot_alloc(const carom_impact_study *self, carom_progress *progress,
                                      carom_impact_pilot **out, carom_report *report) {
    *out = NULL;
    const int r = self->target.problem->row_count;
    CAROM_AUTO(carom_impact_pilot) pilot = calloc(1, sizeof *pilot);
    if (pilot == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    pilot->row_count = r;
    pilot->progress = progress;
    pilot->low = calloc(2 * (size_t)r, sizeof(double));
    if (pilot->low == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    pilot->high = pilot->low + r;
    carom_impact_sampling_params params = carom_impact_study_params(self).sampling;
    const int most = self->pilot_samples > 0 ? self->pilot_samples : PILOT_SAMPLES;
    params.samples = params.samples < most ? params.samples : most;
    params.observer_context = pilot;
    if (is_first_part(self, &params)) {
        CAROM_TRY(sample_first_part(pilot, self, &params, report));
    } else {
        CAROM_TRY(sample_extents(self, &params, report));
    }
    CAROM_HAND_OVER(pilot, out);
    return CAROM_OK;
}

/** Limits of a row with a margin. */
static void set_limits(const carom_impact_pilot *pilot, int row, double least, double *low,
                       double *high) {
    const double extent = fmax(pilot->high[row] - pilot->low[row], least);
    *low = pilot->low[row] - MARGIN * extent;
    *high = pilot->high[row] + MARGIN * extent;
}

void carom_impact_pilot_limit(const carom_impact_pilot *pilot, carom_plane *plane) {
    double largest = 0.0;
    for (int i = 0; i < pilot->row_count; i++) {
        largest = fmax(largest, fmax(-pilot->low[i], pilot->high[i]));
    }
    const double least = largest > 0.0 ? LEAST_EXTENT * largest : 1.0;
    set_limits(pilot, plane->row_x, least, &plane->x_min, &plane->x_max);
    set_limits(pilot, plane->row_y, least, &plane->y_min, &plane->y_max);
}

carom_impact_samples *carom_impact_pilot_draw(carom_impact_pilot *pilot, int plane_count,
                                              carom_plane_raster *const *rasters) {
    for (int i = 0; i < pilot->count; i++) {
        for (int k = 0; k < plane_count; k++) {
            carom_plane_raster_add(rasters[k], pilot->point_count[i], pilot->row_count,
                                   path_of(pilot, i));
        }
    }
    carom_impact_samples *samples = pilot->samples;
    pilot->samples = NULL;
    return samples;
}
