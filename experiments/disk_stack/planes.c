/** Which planes of contact space are drawn, and how far they reach. */
#include "results.h"

#include <carom/study/impact_options.h>
#include <carom/study/impact_study.h>
#include <carom/study/plane_raster.h>

#include <stdlib.h>
#include <string.h>

/** Samples from which the limits of planes are taken, and a margin as a part of their extent: few
 * of the others go further. */
enum { PILOT_SAMPLES = 1 << 14 };
static const double MARGIN = 0.1;

/** Least margin, m/s, where paths have no extent. */
static const double LEAST_MARGIN = 1e-6;

/** The planes of a pyramid, limits open. */
static void list_planes(int levels, carom_plane planes[PLANES]) {
    const int m = carom_disk_stack_contact_count(levels);
    // Contacts: those with the floor, those between rows from the top, those within rows.
    const int floor_right = levels - 1;
    const int top_left = levels;
    const int top_right = levels + 1;
    const int side = levels + levels * (levels - 1);
    const carom_plane all[PLANES] = {
        {"floor_normals", 0, floor_right, NAN, NAN, NAN, NAN},
        {"top_normals", top_left, top_right, NAN, NAN, NAN, NAN},
        {"floor_left", 0, m, NAN, NAN, NAN, NAN},
        {"floor_right", floor_right, m + floor_right, NAN, NAN, NAN, NAN},
        {"top_left", top_left, m + top_left, NAN, NAN, NAN, NAN},
        {"top_right", top_right, m + top_right, NAN, NAN, NAN, NAN},
        {"side", side, m + side, NAN, NAN, NAN, NAN},
    };
    memcpy(planes, all, sizeof all);
}

/** The smallest and the largest speed in each row along paths. */
typedef struct extents {
    int row_count;
    double *low;  /**< [r] */
    double *high; /**< [r] */
} extents;

/** Widen the extents by a path; one thread alone. */
static void widen(int sample, int point_count, const double *path, void *context) {
    const extents *found = context;
    (void)sample;
    for (int i = 0; i < point_count * found->row_count; i++) {
        const int row = i % found->row_count;
        found->low[row] = fmin(found->low[row], path[i]);
        found->high[row] = fmax(found->high[row], path[i]);
    }
}

/** Limits of a row with their margin. */
static void set_limits(const extents *found, int row, double *low, double *high) {
    const double margin = MARGIN * (found->high[row] - found->low[row]) + LEAST_MARGIN;
    *low = found->low[row] - margin;
    *high = found->high[row] + margin;
}

carom_status disk_stack_find_planes(const carom_impact_study *study, int levels,
                                    const carom_impact_problem *problem, carom_plane planes[PLANES],
                                    carom_report *report) {
    const size_t row_count = (size_t)problem->row_count;
    extents found = {.row_count = problem->row_count};
    found.low = calloc(2 * row_count, sizeof *found.low);
    if (found.low == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    found.high = found.low + row_count;
    carom_impact_sampling_params params =
        carom_impact_options_params(study->options, study->common);
    params.samples = params.samples < PILOT_SAMPLES ? params.samples : PILOT_SAMPLES;
    params.threads = 1;
    params.observer = widen;
    params.observer_context = &found;
    carom_impact_samples *samples = NULL;
    const carom_status status = carom_impact_sample(problem, &params, &samples, report);
    carom_impact_samples_free(samples);
    list_planes(levels, planes);
    for (int i = 0; i < PLANES && status == CAROM_OK; i++) {
        set_limits(&found, planes[i].row_x, &planes[i].x_min, &planes[i].x_max);
        set_limits(&found, planes[i].row_y, &planes[i].y_min, &planes[i].y_max);
    }
    free(found.low);
    return status;
}
