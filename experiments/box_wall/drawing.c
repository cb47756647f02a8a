/** Pictures of figure 5: the box and the velocities of its points, before and after each law. */
#include "results.h"

#include <carom/study/scene_record.h>

#include <stdio.h>

/** Points whose velocities are drawn: the corners and the centre. */
enum { MARKED_POINTS = 5 };

/** Floor and wall reach so far beyond the box, as parts of its side. */
static const double MARGIN = 0.25;

/** Longest name of a group that is made here. */
enum { NAME_SIZE = 64 };

/** Outline of the box, floor and wall. */
static carom_status draw_bodies(const results *r) {
    const double side = r->box->side;
    const double extent = side * (cos(r->box->tilt) + sin(r->box->tilt));
    const double floor_points[] = {-extent - MARGIN * side, 0.0, 0.0, 0.0};
    const double wall_points[] = {0.0, 0.0, 0.0, extent + MARGIN * side};
    double outline[10];
    carom_scene_rectangle(side, side, outline);
    const carom_scene_line lines[] = {
        {"box", 0, 5, outline}, {"floor", -1, 2, floor_points}, {"wall", -1, 2, wall_points}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        CAROM_TRY(carom_scene_record_line(r->study->target.record, "/drawing", r->scene->tree,
                                          r->scene->position, &lines[i]));
    }
    return CAROM_OK;
}

/** Velocities of the marked points at v. */
static carom_status draw_velocities(const results *r, const char *name, const double *v) {
    const double half = 0.5 * r->box->side;
    const double points[2 * MARKED_POINTS] = {half,  -half, half, half, -half,
                                              -half, -half, half, 0.0,  0.0};
    const carom_scene_line line = {name, 0, MARKED_POINTS, points};
    return carom_scene_record_velocities(r->study->target.record, "/drawing", r->scene->tree,
                                         r->scene->position, v, &line);
}

carom_status box_wall_draw(const results *r) {
    const carom_impact_outcomes *simultaneous = r->study_results.simultaneous;
    const carom_sequential_impacts *sequential = r->study_results.sequential;
    char name[NAME_SIZE];
    CAROM_TRY(draw_bodies(r));
    CAROM_TRY(draw_velocities(r, "before", r->scene->velocity));
    for (int i = 0; i < simultaneous->count; i++) {
        snprintf(name, sizeof name, "simultaneous_%d", i);
        CAROM_TRY(draw_velocities(r, name, simultaneous->velocity + i * COORDINATES));
    }
    for (int i = 0; i < sequential->count; i++) {
        const carom_sequential_impact *s = sequential->sequences[i];
        for (int k = 0; k < s->stage_count; k++) {
            snprintf(name, sizeof name, "%c_first_%d", "AB"[s->order[0]], k);
            CAROM_TRY(draw_velocities(r, name, s->velocity + k * COORDINATES));
        }
    }
    return CAROM_OK;
}
