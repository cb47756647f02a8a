/** The biped as figures 3 and 6 show it: /drawing. */
#include "results.h"

#include <gsl/gsl_math.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/** Half angle between the legs in figure 3, rad: the paper draws them apart by eye. */
static const double SCHEMATIC_ANGLE = 0.34;

/** Displacements of arm, torso links and leg from equilibrium in figure 3, rad, for their marks to
 * be seen. */
static const double SCHEMATIC_ARM = 1.0;
static const double SCHEMATIC_TORSO = 0.25;
static const double SCHEMATIC_LEG = 0.32;

/** Marks of angles are arcs of this part of the link; that between the legs is a smaller one. */
static const double ARC_RADIUS = 0.42;
static const double INNER_ARC_RADIUS = 0.35;
/** The line from which an angle is measured is longer than its arc's radius by this factor. */
static const double REFERENCE_LENGTH = 1.3;

/** Points of an arc, longest path in a record. */
enum { ARC_POINTS = 33, PATH_SIZE = 96 };

/** Points [count][2] as GROUP/{x, y} over GROUP/point. */
static carom_status write_points(const results *r, const char *group, int count,
                                 const double *points) {
    char axis[PATH_SIZE];
    snprintf(axis, sizeof axis, "%s/point", group);
    carom_record_index_axis(r->record, axis, count, "point");
    double *values = malloc((size_t)count * sizeof *values);
    if (values == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < 2; i++) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%s/%c", group, "xy"[i]);
        for (int k = 0; k < count; k++) {
            values[k] = points[2 * k + i];
        }
        carom_record_series(r->record, path, values, axis, NULL, "m",
                            i == 0 ? "to the right" : "upwards from the ground");
    }
    free(values);
    return CAROM_OK;
}

/** A pose: GROUP/joints (stance foot, hip, .., hand) and GROUP/other_leg (hip, other foot). */
static carom_status write_pose(const results *r, const carom_armed_biped_params *biped,
                               const char *group, const double *q) {
    const int count = carom_armed_biped_point_count(biped);
    CAROM_AUTO_MEMORY double *points = malloc(2 * (size_t)count * sizeof *points);
    if (points == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_armed_biped_points(biped, q, points);
    const double *foot = points + 2 * (count - 1);
    const double leg[] = {points[2], points[3], foot[0], foot[1]};
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/joints", group);
    CAROM_TRY(write_points(r, path, count - 1, points));
    snprintf(path, sizeof path, "%s/other_leg", group);
    return write_points(r, path, 2, leg);
}

/** The mark of an angle at a joint, from one direction to another. */
typedef struct angle_mark {
    const char *name;
    const double *joint; /**< [2] m */
    double radius;       /**< m */
    double from;         /**< rad from the upward vertical */
    double to;
} angle_mark;

/** An arc, GROUP/angle_NAME. */
static carom_status write_arc(const results *r, const char *group, const angle_mark *mark) {
    double points[2 * ARC_POINTS];
    for (int k = 0; k < ARC_POINTS; k++) {
        const double angle = mark->from + (mark->to - mark->from) * k / (ARC_POINTS - 1.0);
        points[2 * k] = mark->joint[0] + mark->radius * sin(angle);
        points[2 * k + 1] = mark->joint[1] + mark->radius * cos(angle);
    }
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/angle_%s", group, mark->name);
    return write_points(r, path, ARC_POINTS, points);
}

/** An arc, and a line in its first direction, GROUP/reference_NAME. */
static carom_status write_mark(const results *r, const char *group, angle_mark mark) {
    const double length = REFERENCE_LENGTH * mark.radius;
    const double points[] = {mark.joint[0], mark.joint[1], mark.joint[0] + length * sin(mark.from),
                             mark.joint[1] + length * cos(mark.from)};
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/reference_%s", group, mark.name);
    CAROM_TRY(write_points(r, path, 2, points));
    return write_arc(r, group, &mark);
}

/** Marks of the angles x of leg, lowest torso link and arm, of that between the legs, and of xi. */
static carom_status write_marks(const results *r, const carom_armed_biped_params *biped,
                                const double *equilibrium, const double *q, double *points) {
    static const char GROUP[] = "/drawing/displaced";
    static const char *const NAMES[] = {"leg", "torso", "arm"};
    static const double FOOT[] = {0.0, 0.0};
    const int n = r->coordinate_count;
    carom_armed_biped_points(biped, q, points);
    for (int k = 0; k < 3; k++) {
        // Link j from below stands on joint j, its angle is coordinate n - 1 - j.
        const int j = k < 2 ? k : n - 1;
        const double radius = ARC_RADIUS * biped->lengths[j];
        CAROM_TRY(write_mark(
            r, GROUP,
            (angle_mark){NAMES[k], points + 2 * j, radius, equilibrium[n - 1 - j], q[n - 1 - j]}));
    }
    const double leg = M_PI + q[n - 1];
    const angle_mark between = {"between", points + 2, INNER_ARC_RADIUS * biped->lengths[0], leg,
                                leg + 2.0 * biped->half_step_angle};
    CAROM_TRY(write_arc(r, GROUP, &between));
    return write_mark(
        r, "/drawing/equilibrium",
        (angle_mark){"lean", FOOT, ARC_RADIUS * biped->lengths[0], 0.0, equilibrium[n - 1]});
}

/** Figure 3: a displaced biped with its marks, and the same in equilibrium. */
static carom_status write_schematic(const results *r, double *memory) {
    const int n = r->coordinate_count;
    carom_armed_biped_params biped = r->biped;
    biped.half_step_angle = SCHEMATIC_ANGLE;
    carom_armed_biped_statics statics;
    double *equilibrium = memory;
    double *q = equilibrium + n;
    double *matrices = q + n; // then the places of the joints
    CAROM_TRY(carom_armed_biped_linear(&biped, matrices, matrices + n * n, equilibrium, &statics,
                                       r->report));
    for (int a = 0; a < n; a++) {
        q[a] = equilibrium[a] +
               (a == 0 ? SCHEMATIC_ARM : (a == n - 1 ? SCHEMATIC_LEG : SCHEMATIC_TORSO));
    }
    CAROM_TRY(write_pose(r, &biped, "/drawing/equilibrium", equilibrium));
    CAROM_TRY(write_pose(r, &biped, "/drawing/displaced", q));
    return write_marks(r, &biped, equilibrium, q, matrices);
}

/** Figure 6: P, impact and P' of the gait, angles to scale. */
static carom_status write_gait(const results *r, double *q) {
    enum { RELEASE, IMPACT, STANCE, POSES };
    static const char *const GROUPS[] = {"/drawing/release", "/drawing/impact", "/drawing/stance"};
    const double times[] = {0.0, r->root.time, 0.0};
    const int n = r->coordinate_count;
    const carom_motion_state state = {.position = q};
    for (int k = 0; k < POSES; k++) {
        const carom_motion_phase phase =
            k == STANCE ? CAROM_MOTION_CONSTRAINED : CAROM_MOTION_UNCONSTRAINED;
        carom_collisionless_motion_state(r->gait, phase, times[k], CAROM_MOTION_FROM_EQUILIBRIUM,
                                         &state);
        for (int a = 0; a < n; a++) {
            q[a] += r->equilibrium[a];
        }
        CAROM_TRY(write_pose(r, &r->biped, GROUPS[k], q));
    }
    return CAROM_OK;
}

carom_status biped_rocking_write_drawing(const results *r) {
    const size_t n = (size_t)r->coordinate_count;
    CAROM_AUTO_MEMORY double *memory = malloc((2 * n + 2 * n * n + 4) * sizeof *memory);
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(write_schematic(r, memory));
    return write_gait(r, memory);
}
