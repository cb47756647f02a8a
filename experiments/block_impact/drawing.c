/** Pictures of figure 1: the block and the velocities of its points, before and after each law. */
#include "results.h"

#include <carom/study/scene_record.h>

#include <stdio.h>

/** Points of the outline whose velocities are drawn: corners, and the middles of the sides. */
enum { MARKED_POINTS = 8 };

/** The floor reaches so far beyond the block, as a part of its width. */
static const double FLOOR_MARGIN = 0.5;

/** Longest path inside the record that is made here. */
enum { PATH_SIZE = 64 };

/** Outline of the block and the floor below it. */
static carom_status draw_bodies(const results *r) {
    const carom_rigid_block_params *block = &r->values->block;
    const double half = (0.5 + FLOOR_MARGIN) * block->width;
    const double floor_points[] = {-half, 0.0, half, 0.0};
    double outline[10];
    carom_scene_rectangle(block->width, block->height, outline);
    const carom_scene_line lines[] = {{"block", 0, 5, outline}, {"floor", -1, 2, floor_points}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        CAROM_TRY(carom_scene_record_line(r->study->target.record, "/drawing", r->scene->tree,
                                          r->scene->position, &lines[i]));
    }
    return CAROM_OK;
}

/** Velocities of the marked points at v. */
static carom_status draw_velocities(const results *r, const char *name, const double *v) {
    static const double units[MARKED_POINTS][2] = {{-0.5, -0.5}, {0.5, -0.5}, {-0.5, 0.0},
                                                   {0.5, 0.0},   {-0.5, 0.5}, {0.5, 0.5},
                                                   {0.0, -0.5},  {0.0, 0.5}};
    double points[MARKED_POINTS][2];
    for (int k = 0; k < MARKED_POINTS; k++) {
        points[k][0] = units[k][0] * r->values->block.width;
        points[k][1] = units[k][1] * r->values->block.height;
    }
    const carom_scene_line line = {name, 0, MARKED_POINTS, points[0]};
    return carom_scene_record_velocities(r->study->target.record, "/drawing", r->scene->tree,
                                         r->scene->position, v, &line);
}

carom_status block_impact_draw(const results *r) {
    const carom_impact_outcomes *simultaneous = r->study_results.simultaneous;
    const carom_sequential_impacts *sequential = r->study_results.sequential;
    CAROM_TRY(draw_bodies(r));
    CAROM_TRY(draw_velocities(r, "before", r->scene->velocity));
    if (simultaneous->count > 0) {
        CAROM_TRY(draw_velocities(r, "simultaneous", simultaneous->velocity));
    }
    for (int i = 0; i < sequential->count; i++) {
        const carom_sequential_impact *s = sequential->sequences[i];
        for (int k = 0; k < s->stage_count; k++) {
            char name[PATH_SIZE];
            snprintf(name, sizeof name, "%c_first_%d", "AB"[s->order[0]], k);
            CAROM_TRY(draw_velocities(r, name, s->velocity + k * COORDINATES));
        }
    }
    return CAROM_OK;
}
