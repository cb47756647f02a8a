/** The robot to scale: /drawing (figure 7), and what the other drawings are made of. */
#include "results.h"

#include <carom/models/trex/internal.h>
#include <carom/study/scene_record.h>

#include <stdio.h>

/** Points of a leg, of the outline of a tail, of the longest line. */
enum { LEG_POINTS = 3, TAIL_POINTS = 3, MOST_POINTS = CAROM_SCENE_CIRCLE_POINTS };

void trex_draw_line(const results *r, const char *group, int count, const double *points) {
    CAROM_ASSERT(count <= MOST_POINTS);
    static const char *const NAMES[] = {"x", "y"};
    char axis[PATH_SIZE];
    snprintf(axis, sizeof axis, "%s/point", group);
    carom_record_index_axis(r->record, axis, count, "point");
    for (int i = 0; i < 2; i++) {
        double values[MOST_POINTS];
        for (int k = 0; k < count; k++) {
            values[k] = points[2 * k + i];
        }
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%s/%s", group, NAMES[i]);
        carom_record_series(r->record, path, values, axis, NULL, "cm",
                            i == 0 ? "to the right" : "upwards from the floor");
    }
}

/** A line of a pose, GROUP/NAME. */
static void draw_part(const results *r, const char *group, const char *name, int count,
                      const double *points) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", group, name);
    trex_draw_line(r, path, count, points);
}

/** A body about its centre [2]. */
static void draw_body(const results *r, const char *group, const char *name, const double *centre,
                      double radius) {
    double points[2 * CAROM_SCENE_CIRCLE_POINTS];
    carom_scene_circle(centre[0], centre[1], radius, points);
    draw_part(r, group, name, CAROM_SCENE_CIRCLE_POINTS, points);
}

/** The tangents of the posterior body through the tail tip, which end where they touch it. */
static void draw_tail(const results *r, const char *group, const double *centre, const double *tip,
                      double radius) {
    const double dx = tip[0] - centre[0];
    const double dy = tip[1] - centre[1];
    const double direction = atan2(dy, dx);
    const double half = acos(fmin(1.0, radius / hypot(dx, dy)));
    const double points[2 * TAIL_POINTS] = {
        centre[0] + radius * cos(direction + half),
        centre[1] + radius * sin(direction + half),
        tip[0],
        tip[1],
        centre[0] + radius * cos(direction - half),
        centre[1] + radius * sin(direction - half),
    };
    draw_part(r, group, "tail", TAIL_POINTS, points);
}

/** Hip, knee and foot. */
static void draw_leg(const results *r, const char *group, const char *name, const double *hip,
                     const double *knee, const double *foot) {
    const double points[2 * LEG_POINTS] = {hip[0], hip[1], knee[0], knee[1], foot[0], foot[1]};
    draw_part(r, group, name, LEG_POINTS, points);
}

void trex_draw_pose(const results *r, const char *group, const carom_trex_params *robot,
                    const double *q) {
    double at[CAROM_TREX_POINTS][2];
    carom_trex_points(robot, q, &at[0][0]);
    const double *hips = at[CAROM_TREX_POINT_ANTERIOR];
    const double *joint = at[CAROM_TREX_POINT_POSTERIOR];
    draw_body(r, group, "anterior", hips, robot->anterior_radius);
    draw_body(r, group, "posterior", joint, robot->posterior_radius);
    draw_tail(r, group, joint, at[CAROM_TREX_POINT_TAIL_TIP], robot->posterior_radius);
    draw_leg(r, group, "left_leg", hips, at[CAROM_TREX_POINT_LEFT_KNEE],
             at[CAROM_TREX_POINT_LEFT_FOOT]);
    draw_leg(r, group, "right_leg", hips, at[CAROM_TREX_POINT_RIGHT_KNEE],
             at[CAROM_TREX_POINT_RIGHT_FOOT]);
}

void trex_write_drawings(const results *r) {
    const carom_trex_params rows[] = {carom_trex_params_default(), carom_trex_params_hand_picked()};
    trex_draw_pose(r, "/drawing/table_optimized", &rows[0], rows[0].stance);
    trex_draw_pose(r, "/drawing/table_initial", &rows[1], rows[1].stance);
    for (int i = 0; i < GAITS; i++) {
        char group[GROUP_SIZE];
        snprintf(group, sizeof group, "/drawing/%s", r->gaits[i].name);
        trex_draw_pose(r, group, &r->gaits[i].robot, r->gaits[i].robot.stance);
    }
}
