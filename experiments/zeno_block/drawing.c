/** Figure 7: the block at four instants of its first half cycle, with velocities of its points. */
#include "results.h"

#include <carom/study/scene_record.h>

#include <stdio.h>

/** Corners whose velocities are drawn. */
enum { MARKED_POINTS = 4, PATH_SIZE = 64 };

/** The floor reaches so far beyond the block, as a part of its width. */
static const double FLOOR_MARGIN = 0.6;

/** Where "before the impact" is, in parts of the swing before its end. */
static const double BEFORE_END = 1e-9;

/** Outline, velocities and mass centre at a state. */
static carom_status draw_state(const results *r, const char *name, const carom_zeno_state *state) {
    const carom_zeno_block_params *p = &r->values->block;
    const carom_planar_tree *tree = r->scene->tree;
    const double w = 0.5 * p->width;
    const double h = 0.5 * p->height;
    const double points[2 * MARKED_POINTS] = {-w, -h, w, -h, w, h, -w, h};
    const double center[2] = {0.0, 0.0};
    double outline[10];
    carom_scene_rectangle(p->width, p->height, outline);
    const carom_scene_line block = {"block", 0, 5, outline};
    const carom_scene_line corners = {"corners", 0, MARKED_POINTS, points};
    const carom_scene_line middle = {"center", 0, 1, center};

    char group[PATH_SIZE];
    snprintf(group, sizeof group, "/drawing/%s", name);
    CAROM_TRY(carom_scene_record_line(r->record, group, tree, state->position, &block));
    CAROM_TRY(carom_scene_record_line(r->record, group, tree, state->position, &middle));
    return carom_scene_record_velocities(r->record, group, tree, state->position, state->velocity,
                                         &corners);
}

carom_status zeno_block_draw(const results *r) {
    const carom_zeno_block *exact = r->exact;
    const carom_zeno_half_cycle *first = &exact->half_cycles[0];
    const double swing = first->impact_s - first->start_s;
    const double after =
        exact->half_cycle_count > 1 ? exact->half_cycles[1].start_s : exact->accumulation_s;
    const carom_zeno_state states[] = {
        carom_zeno_block_state(exact, 0.0),
        carom_zeno_block_state_at_time(exact, 0.5 * first->impact_time),
        carom_zeno_block_state(exact, first->impact_s - BEFORE_END * swing),
        carom_zeno_block_state(exact, after),
    };
    static const char *const names[] = {"start", "apex", "before_impact", "after_impact"};
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        CAROM_TRY(draw_state(r, names[i], &states[i]));
    }
    const double half = (0.5 + FLOOR_MARGIN) * r->values->block.width;
    const double ends[] = {-half, 0.0, half, 0.0};
    const carom_scene_line floor_line = {"floor", -1, 2, ends};
    return carom_scene_record_line(r->record, "/drawing", r->scene->tree, r->scene->position,
                                   &floor_line);
}
