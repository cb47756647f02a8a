/** The variant that the options have not chosen: /other_variant. */
#include "results.h"

#include <carom/study/impact_claims.h>
#include <carom/study/impact_options.h>
#include <carom/study/impact_record.h>
#include <carom/study/impact_study.h>
#include <carom/study/plane_raster.h>
#include <stdio.h>
#include <stdlib.h>

/** Samples of the other variant at most: its increments are up to four times as many. */
enum { MOST_SAMPLES = 1 << 16 };

/** Longest path inside the record that is made here. */
enum { PATH_SIZE = 96 };

/** What paths are drawn into. */
typedef struct paths {
    int row_count;
    carom_plane_raster **rasters; /**< [PLANES] */
} paths;

/** Draw a path in all planes. */
static void draw(int sample, int point_count, const double *path, void *context) {
    const paths *to = context;
    (void)sample;
    for (int i = 0; i < PLANES; i++) {
        carom_plane_raster_add(to->rasters[i], point_count, to->row_count, path);
    }
}

/** The sampling of the other variant. */
static carom_impact_sampling_params params_with(const results *r, int most, paths *to) {
    carom_impact_sampling_params params =
        carom_impact_options_params(r->study->options, r->study->common);
    params.samples = params.samples < most ? params.samples : most;
    params.observer = draw;
    params.observer_context = to;
    return params;
}

/** Write some points of a plane. */
static void write_points(carom_record *record, const char *kind, const carom_plane *plane,
                         int count, const double *x, const double *y) {
    char group[PATH_SIZE];
    char axis[PATH_SIZE + 8];
    char path[PATH_SIZE + 8];
    if (count == 0) {
        return;
    }
    snprintf(group, sizeof group, "/other_variant/set/%s/%s", kind, plane->name);
    snprintf(axis, sizeof axis, "%s/point", group);
    carom_record_index_axis(record, axis, count, "cells of the plane");
    snprintf(path, sizeof path, "%s/x", group);
    carom_record_series(record, path, x, axis, NULL, "m s-1", "speeds in the plane");
    snprintf(path, sizeof path, "%s/y", group);
    carom_record_series(record, path, y, axis, NULL, "m s-1", "speeds in the plane");
}

/** Write the limits of a plane beside its paths. */
static void write_limits(carom_record *record, const carom_plane *plane) {
    const struct {
        const char *name;
        double value;
    } limits[] = {{"x_min", plane->x_min},
                  {"x_max", plane->x_max},
                  {"y_min", plane->y_min},
                  {"y_max", plane->y_max}};
    for (int i = 0; i < 4; i++) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "/other_variant/set/paths/%s/%s", plane->name, limits[i].name);
        carom_record_scalar(record, path, limits[i].value, "m s-1",
                            "limit of the rectangle that is drawn");
    }
}

/** Write the cells that paths cross and those in which samples end. */
static carom_status write_plane(carom_record *record, const carom_plane_raster *raster,
                                const carom_impact_samples *s) {
    const carom_plane *plane = carom_plane_raster_plane(raster);
    double *x = malloc(2 * CAROM_PLANE_MOST_POINTS * sizeof *x);
    int *kept = malloc(CAROM_PLANE_MOST_POINTS * sizeof *kept);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    if (x != NULL && kept != NULL) {
        write_limits(record, plane);
        status = CAROM_OK;
    }
    if (status == CAROM_OK) {
        double *y = x + CAROM_PLANE_MOST_POINTS;
        int count = 0;
        carom_plane_raster_centres(raster, x, y);
        write_points(record, "paths", plane, carom_plane_raster_count(raster), x, y);
        if (status == CAROM_OK) {
            status = carom_plane_raster_thin(plane, s->count, s->row_count, s->contact_velocity,
                                             s->is_finished, kept, &count);
        }
        for (int i = 0; i < count && status == CAROM_OK; i++) {
            const double *c = s->contact_velocity + (size_t)kept[i] * (size_t)s->row_count;
            x[i] = c[plane->row_x];
            y[i] = c[plane->row_y];
        }
        if (status == CAROM_OK) {
            write_points(record, "points", plane, count, x, y);
        }
    }
    free(x);
    free(kept);
    return status;
}

/** Sample, draw, and count what the paper says. */
static carom_status write_set(const results *r, const carom_impact_study *study,
                              const carom_impact_outcomes *simultaneous, paths *to) {
    const carom_impact_sampling_params params = params_with(r, MOST_SAMPLES, to);
    carom_record *record = study->target.record;
    carom_impact_samples *samples = NULL;
    CAROM_TRY(carom_impact_sample(study->target.problem, &params, &samples, r->report));
    carom_status status = CAROM_OK;
    for (int i = 0; i < PLANES && status == CAROM_OK; i++) {
        status = write_plane(record, to->rasters[i], samples);
    }
    if (status == CAROM_OK && r->stack->levels == PUBLISHED_LEVELS) {
        disk_stack_write_counts(&study->target, "/other_variant", simultaneous, samples);
    }
    carom_impact_samples_free(samples);
    return status;
}

/** The same with rasters for the planes. */
static carom_status sample(const results *r, const carom_impact_study *study,
                           const carom_impact_outcomes *simultaneous) {
    carom_plane planes[PLANES];
    carom_plane_raster *rasters[PLANES] = {NULL};
    paths to = {.row_count = study->target.problem->row_count, .rasters = rasters};
    CAROM_TRY(
        disk_stack_find_planes(study, r->stack->levels, study->target.problem, planes, r->report));
    carom_status status = CAROM_OK;
    for (int i = 0; i < PLANES && status == CAROM_OK; i++) {
        status = carom_plane_raster_alloc(&planes[i], &rasters[i], r->report);
    }
    if (status == CAROM_OK) {
        status = write_set(r, study, simultaneous, &to);
    }
    for (int i = 0; i < PLANES; i++) {
        carom_plane_raster_free(rasters[i]);
    }
    return status;
}

/** The speeds of contacts before the impact: tangential ones are the variant's own. */
static void write_before(const carom_impact_study *study) {
    const carom_impact_problem *problem = study->target.problem;
    const double *c = problem->contact_velocity;
    carom_record_series(study->target.record, "/other_variant/before/normal_velocity", c,
                        "/contact", NULL, "m s-1", "before the impact");
    carom_record_series(study->target.record, "/other_variant/before/tangential_velocity",
                        c + problem->contact_count, "/contact", NULL, "m s-1", "before the impact");
}

/** The simultaneous law and the set. */
static carom_status write_laws(const results *r, const carom_impact_study *study) {
    CAROM_AUTO(carom_impact_result) result = NULL;
    CAROM_TRY(carom_impact_law_run(&carom_impact_law_anitescu_potra, study->target.problem, NULL,
                                   &result, r->report));
    CAROM_TRY(carom_impact_record_outcomes(&study->target, "/other_variant/simultaneous",
                                           result->outcomes));
    return sample(r, study, result->outcomes);
}

carom_status disk_stack_write_other(const results *r) {
    const bool is_code = r->stack->variant == CAROM_DISK_STACK_PRINTED;
    carom_disk_stack_params stack = *r->stack;
    stack.variant = is_code ? CAROM_DISK_STACK_CODE : CAROM_DISK_STACK_PRINTED;
    carom_impact_scene *scene = NULL;
    carom_impact_problem *problem = NULL;
    CAROM_TRY(disk_stack_build(&stack, is_code, &scene, &problem, r->report));
    carom_impact_study study = *r->study;
    study.target.problem = problem;
    carom_record_string(study.target.record, "/other_variant/name", is_code ? "code" : "printed",
                        "which variant this group is about");
    write_before(&study);
    carom_status status = write_laws(r, &study);

    if (status == CAROM_OK) {
        carom_impact_sampling_params params = params_with(r, MOST_SAMPLES, NULL);
        params.observer = NULL;
        status = carom_impact_study_vary(&study, "/other_variant/set", &params, r->report);
    }
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
    return status;
}
