/** The robot to scale: figure 7, the stances, and the schematic of figures 1 and 6. */
#include "gaits.h"

#include <carom/study/scenes.h>

#include <gsl/gsl_math.h>
#include <stdio.h>

/** Points of a leg, of the outline of a tail, of the longest line. */
enum { LEG_POINTS = 3, TAIL_POINTS = 3, MOST_POINTS = CAROM_SCENE_CIRCLE_POINTS };

/** Points [count][2] as GROUP/NAME/{x, y} over GROUP/NAME/point, cm. */
static void draw_line(const results *r, const char *group, const char *name, int count,
                      const double *points) {
    CAROM_ASSERT(count <= MOST_POINTS);
    double x[MOST_POINTS];
    double y[MOST_POINTS];
    for (int k = 0; k < count; k++) {
        x[k] = points[2 * k];
        y[k] = points[2 * k + 1];
    }
    carom_record to = carom_record_group(r->record, "%s/%s", group, name);
    carom_record_index_axis(&to, "point", count, "point");
    carom_record_series(&to, "x", x, "point", NULL, "cm", "to the right");
    carom_record_series(&to, "y", y, "point", NULL, "cm", "upwards from the floor");
}

/** A body about its centre [2]. */
static void draw_body(const results *r, const char *group, const char *name, const double *centre,
                      double radius) {
    double points[2 * CAROM_SCENE_CIRCLE_POINTS];
    carom_scene_circle(centre[0], centre[1], radius, points);
    draw_line(r, group, name, CAROM_SCENE_CIRCLE_POINTS, points);
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
    draw_line(r, group, "tail", TAIL_POINTS, points);
}

/** Hip, knee and foot. */
static void draw_leg(const results *r, const char *group, const char *name, const double *hip,
                     const double *knee, const double *foot) {
    const double points[2 * LEG_POINTS] = {hip[0], hip[1], knee[0], knee[1], foot[0], foot[1]};
    draw_line(r, group, name, LEG_POINTS, points);
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

/* --- the schematic -----------------------------------------------------------------------------
 */

/** Points of an arc. */
enum { ARC_POINTS = 33 };

/** The line from which an angle is measured is longer than its arc's radius by this factor. */
static const double REFERENCE_LENGTH = 1.25;

/** The torque of the hips in figure 1: an arc about them, in radii of the anterior body and rad. */
static const double TORQUE_RADIUS = 0.55;
static const double TORQUE_FROM = -0.5;
static const double TORQUE_TO = 3.4;

/** The mark of an angle, from one direction to another. */
typedef struct angle_mark {
    const char *name;
    const double *joint; /**< [2] cm */
    double radius;       /**< cm */
    double from;         /**< rad from +x */
    double turn;         /**< the angle, rad */
} angle_mark;

/** An angle between -pi and pi, so that its mark does not go round. */
static double principal(double angle) {
    return remainder(angle, 2.0 * M_PI);
}

/** An arc, /schematic/angle_NAME. */
static void write_arc(const results *r, const angle_mark *mark) {
    double points[2 * ARC_POINTS];
    for (int k = 0; k < ARC_POINTS; k++) {
        const double angle = mark->from + mark->turn * k / (ARC_POINTS - 1.0);
        points[2 * k] = mark->joint[0] + mark->radius * cos(angle);
        points[2 * k + 1] = mark->joint[1] + mark->radius * sin(angle);
    }
    char name[GROUP_SIZE];
    snprintf(name, sizeof name, "angle_%s", mark->name);
    draw_line(r, "/schematic", name, ARC_POINTS, points);
}

/** An arc, and a line in its first direction, /schematic/reference_NAME. */
static void write_mark(const results *r, const angle_mark *mark) {
    const double length = REFERENCE_LENGTH * mark->radius;
    const double points[] = {mark->joint[0], mark->joint[1],
                             mark->joint[0] + length * cos(mark->from),
                             mark->joint[1] + length * sin(mark->from)};
    char name[GROUP_SIZE];
    snprintf(name, sizeof name, "reference_%s", mark->name);
    draw_line(r, "/schematic", name, 2, points);
    write_arc(r, mark);
}

/** The six angles of q, each from the link it is relative to. */
static void write_angles(const results *r, const carom_trex_params *robot,
                         double at[CAROM_TREX_POINTS][2]) {
    const double *q = robot->stance;
    double link[CAROM_TREX_LINKS];
    carom_trex_link_angles(q, link);
    const double *hips = at[CAROM_TREX_POINT_ANTERIOR];
    const double *tail = at[CAROM_TREX_POINT_POSTERIOR];
    const double size = robot->anterior_radius;
    const angle_mark marks[] = {
        {"pitch", hips, 2.6 * size, 0.0, q[CAROM_TREX_PITCH]},
        {"left_hip", hips, 0.45 * size, link[CAROM_TREX_ANTERIOR], q[CAROM_TREX_LEFT_HIP]},
        {"right_hip", hips, 0.72 * size, link[CAROM_TREX_ANTERIOR], q[CAROM_TREX_RIGHT_HIP]},
        {"left_knee", at[CAROM_TREX_POINT_LEFT_KNEE], 0.65 * size, link[CAROM_TREX_LEFT_UPPER],
         q[CAROM_TREX_LEFT_KNEE]},
        {"right_knee", at[CAROM_TREX_POINT_RIGHT_KNEE], 0.65 * size, link[CAROM_TREX_RIGHT_UPPER],
         q[CAROM_TREX_RIGHT_KNEE]},
        {"body_joint", tail, 1.8 * size, link[CAROM_TREX_ANTERIOR], q[CAROM_TREX_BODY_JOINT]},
    };
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        angle_mark mark = marks[i];
        mark.turn = principal(mark.turn);
        write_mark(r, &mark);
    }
}

/** The robot in the optimized stance of table I. */
static void write_schematic(const results *r) {
    const carom_trex_params robot = carom_trex_params_default();
    double at[CAROM_TREX_POINTS][2];
    carom_trex_points(&robot, robot.stance, &at[0][0]);
    trex_draw_pose(r, "/schematic", &robot, robot.stance);
    // Centres, joints and tips, in the order of carom_trex_points.
    draw_line(r, "/schematic", "joints", CAROM_TREX_POINTS, &at[0][0]);
    write_angles(r, &robot, at);
    const angle_mark torque = {"torque", at[CAROM_TREX_POINT_ANTERIOR],
                               TORQUE_RADIUS * robot.anterior_radius, TORQUE_FROM,
                               TORQUE_TO - TORQUE_FROM};
    write_arc(r, &torque);
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
    write_schematic(r);
}
