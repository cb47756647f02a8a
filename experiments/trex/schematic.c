/** The robot of figures 1 and 6, in the optimized stance of table I: /schematic. */
#include "results.h"

#include <carom/models/trex/internal.h>

#include <gsl/gsl_math.h>
#include <stdio.h>

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
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "/schematic/angle_%s", mark->name);
    trex_draw_line(r, path, ARC_POINTS, points);
}

/** An arc, and a line in its first direction, /schematic/reference_NAME. */
static void write_mark(const results *r, const angle_mark *mark) {
    const double length = REFERENCE_LENGTH * mark->radius;
    const double points[] = {mark->joint[0], mark->joint[1],
                             mark->joint[0] + length * cos(mark->from),
                             mark->joint[1] + length * sin(mark->from)};
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "/schematic/reference_%s", mark->name);
    trex_draw_line(r, path, 2, points);
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

/** Centres, joints and tips, /schematic/joints, in the order of carom_trex_points. */
static void write_joints(const results *r, double at[CAROM_TREX_POINTS][2]) {
    trex_draw_line(r, "/schematic/joints", CAROM_TREX_POINTS, &at[0][0]);
}

void trex_write_schematic(const results *r) {
    const carom_trex_params robot = carom_trex_params_default();
    double at[CAROM_TREX_POINTS][2];
    carom_trex_points(&robot, robot.stance, &at[0][0]);
    trex_draw_pose(r, "/schematic", &robot, robot.stance);
    write_joints(r, at);
    write_angles(r, &robot, at);
    const angle_mark torque = {"torque", at[CAROM_TREX_POINT_ANTERIOR],
                               TORQUE_RADIUS * robot.anterior_radius, TORQUE_FROM,
                               TORQUE_TO - TORQUE_FROM};
    write_arc(r, &torque);
}
