/** The picture of figure 14(a): the discs and the velocities of their points before the impact. */
#include "results.h"

#include <carom/study/scene_record.h>

#include <gsl/gsl_math.h>
#include <stdio.h>

/** Longest name of a group that is made here. */
enum { NAME_SIZE = 32 };

/** Points of the top disc whose velocities are drawn: its centre and four on its rim. */
enum { MARKED_POINTS = 5 };

/** The floor reaches so many radii beyond the lowest row. */
static const double FLOOR_MARGIN = 0.5;

carom_status disk_stack_draw(const results *r) {
    carom_record *record = r->study->target.record;
    const double radius = r->stack->radius;
    const int levels = r->stack->levels;
    double circle[2 * CAROM_SCENE_CIRCLE_POINTS];
    carom_scene_circle(0.0, 0.0, radius, circle);
    carom_record_integer(record, "/drawing/disk_count", carom_disk_stack_disk_count(levels), "1",
                         "discs");
    for (int i = 0; i < carom_disk_stack_disk_count(levels); i++) {
        char name[NAME_SIZE];
        snprintf(name, sizeof name, "disk_%d", i);
        const carom_scene_line line = {name, i, CAROM_SCENE_CIRCLE_POINTS, circle};
        CAROM_TRY(
            carom_scene_record_line(record, "/drawing", r->scene->tree, r->scene->position, &line));
    }
    const double floor_points[] = {-(1.0 + FLOOR_MARGIN) * radius, 0.0,
                                   (2.0 * levels - 1.0 + FLOOR_MARGIN) * radius, 0.0};
    const carom_scene_line ground = {"floor", -1, 2, floor_points};
    CAROM_TRY(
        carom_scene_record_line(record, "/drawing", r->scene->tree, r->scene->position, &ground));
    double marks[2 * MARKED_POINTS] = {0.0};
    for (int k = 1; k < MARKED_POINTS; k++) {
        marks[2 * k] = radius * cos(M_PI_4 * (2 * k - 1));
        marks[2 * k + 1] = radius * sin(M_PI_4 * (2 * k - 1));
    }
    const carom_scene_line top = {"before", 0, MARKED_POINTS, marks};
    return carom_scene_record_velocities(record, "/drawing", r->scene->tree, r->scene->position,
                                         r->scene->velocity, &top);
}
