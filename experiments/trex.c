/**
 * trex: a tailed biped is dropped on a foot and its tail, and runs off (seghete-2014 section VII-B,
 * figures 1, 6, 7 and 8, table I).
 *
 *     p_k + F-(t_k, t_{k+1}) + f- = 0,   (F+ + f+) Gamma(w_1) .. Gamma(w_n) + F- + f- = 0 (30)
 *
 * A design for which the double impact has one outcome, and how far apart the momenta of its two
 * orders are, for this and for another stance. Printed in the paper: table I, densities, the limbs'
 * section, the gains of the hips, the drop. From table I: the arrangement of the joints. Chosen:
 * spheres and rods as bodies, springs and dashpots, friction, the speed of the hips, step and
 * duration; they were fixed before any run.
 *
 * Here the robot is drawn; in trex/: stances.c optimizes and strikes, runs.c drops, runs and
 * measures the runs.
 */
#include "trex/gaits.h"

#include <carom/study/scenes.h>

#include <gsl/gsl_math.h>
#include <stdio.h>

/* --- drawings to scale ------------------------------------------------------------------------ */

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

/* --- the schematic ---------------------------------------------------------------------------- */

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

/** An arc, /schematic/angle_NAME. */
static void write_arc(const results *r, const angle_mark *mark) {
    double points[2 * ARC_POINTS];
    char name[GROUP_SIZE];
    snprintf(name, sizeof name, "angle_%s", mark->name);
    for (int k = 0; k < ARC_POINTS; k++) {
        const double angle = mark->from + mark->turn * k / (ARC_POINTS - 1.0);
        points[2 * k] = mark->joint[0] + mark->radius * cos(angle);
        points[2 * k + 1] = mark->joint[1] + mark->radius * sin(angle);
    }
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
    for (int i = 0; i < COUNT(marks); i++) {
        angle_mark mark = marks[i];
        // Between -pi and pi, so that the mark does not go round.
        mark.turn = remainder(mark.turn, 2.0 * M_PI);
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

/** Write /drawing, both rows of table I and all gaits, and /schematic, the robot of figures 1 and 6
 * with the marks of its coordinates. */
static void write_drawings(const results *r) {
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

/* --- the program ------------------------------------------------------------------------------ */

/** Springs so much stiffer keep the bodies off the floor after the drop. */
static const double STIFFENING = 10.0;

/** Refuse options that do not fit together. */
static carom_status check(void *context, carom_report *report) {
    const settings *values = context;
    const carom_trex_params start = trex_start(values);
    CAROM_TRY(carom_trex_check(&start, report));
    if (!(values->duration > start.hip_start_time)) {
        return carom_report_bound(report, "duration", values->duration,
                                  "beyond the first impact at", start.hip_start_time);
    }
    if (!(values->step <= values->duration && values->duration / values->step <= TREX_MOST_STEPS)) {
        return carom_report_bound(
            report, "step", values->step,
            "up to --duration, at least a millionth of it:", values->duration / TREX_MOST_STEPS);
    }
    return CAROM_OK;
}

/** Optimize, strike, run, and write everything. The further runs: without friction, with half the
 * step, with stiffer springs. */
static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *v = context;
    const run_set sets[] = {
        {"/trex", v->start.friction, v->step, 1.0, true},
        {"/frictionless", 0.0, v->step, 1.0, false},
        {"/half_step", v->start.friction, 0.5 * v->step, 1.0, false},
        {"/stiff", v->start.friction, v->step, STIFFENING, false},
    };
    results r = {.values = v, .common = common, .record = record, .report = report};
    CAROM_TRY(trex_write_stances(&r));
    write_drawings(&r);
    for (int i = 0; i < COUNT(sets); i++) {
        CAROM_TRY(trex_run_set(&r, &sets[i]));
    }
    return CAROM_OK;
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_CHOICE("gait", settings, gait,
                 "what is dropped; both, in both orders: further stances and variants as well",
                 "optimized|initial|both"),
    CAROM_CHOICE("order", settings, order,
                 "approaching contact that reflects first: argmin, argmax", "most|least|both"),
    CAROM_CHOICE("optimize", settings, scope,
                 "variables that may move; design: radii, lengths, height and pitch",
                 "all|configuration|design"),
    CAROM_REAL("residual", settings, residual, "1",
               "cosine (u,v) that is left for the stance published_residual", "(-1, 1)"),
    CAROM_REAL("anterior-radius", settings, start.anterior_radius, "cm",
               "r_1 before the optimization, above r_2", "positive"),
    CAROM_REAL("posterior-radius", settings, start.posterior_radius, "cm", "r_2 before it",
               "positive"),
    CAROM_REAL("upper-length", settings, start.upper_length, "cm", "l_u before it", "positive"),
    CAROM_REAL("lower-length", settings, start.lower_length, "cm", "l_l before it", "positive"),
    CAROM_REAL("height", settings, start.stance[CAROM_TREX_Y], "cm", "y of the hips before it",
               "any"),
    CAROM_REAL("pitch", settings, start.stance[CAROM_TREX_PITCH], "rad", "theta before it",
               "[-1e8, 1e8]"),
    CAROM_REAL("left-hip", settings, start.stance[CAROM_TREX_LEFT_HIP], "rad",
               "phi of the leg in the air before it", "[-1e8, 1e8]"),
    CAROM_REAL("left-knee", settings, start.stance[CAROM_TREX_LEFT_KNEE], "rad",
               "gamma of the leg in the air before it", "[-1e8, 1e8]"),
    CAROM_REAL("right-hip", settings, start.stance[CAROM_TREX_RIGHT_HIP], "rad",
               "phi of the leg on the floor before it", "[-1e8, 1e8]"),
    CAROM_REAL("right-knee", settings, start.stance[CAROM_TREX_RIGHT_KNEE], "rad",
               "gamma of the leg on the floor before it", "[-1e8, 1e8]"),
    CAROM_REAL("body-joint", settings, start.stance[CAROM_TREX_BODY_JOINT], "rad",
               "phi_T before it", "[-1e8, 1e8]"),
    CAROM_CHOICE("tail", settings, tail,
                 "length of the tail: tangents of both bodies, or the printed formula",
                 "cone|printed"),
    CAROM_REAL("body-density", settings, start.body_density, "kg cm-3", "density of the spheres",
               "positive"),
    CAROM_REAL("limb-density", settings, start.limb_density, "kg cm-3", "density of legs and tail",
               "positive"),
    CAROM_REAL("limb-section", settings, start.limb_section, "cm2",
               "cross-section of legs and tail", "positive"),
    CAROM_REAL("knee-stiffness", settings, start.knee_stiffness, "kg cm2 s-2",
               "springs of the knees, at rest in the stance", "not negative"),
    CAROM_REAL("knee-damping", settings, start.knee_damping, "kg cm2 s-1", "dashpots of the knees",
               "not negative"),
    CAROM_REAL("body-stiffness", settings, start.body_stiffness, "kg cm2 s-2",
               "spring of the body joint, at rest in the stance", "not negative"),
    CAROM_REAL("body-damping", settings, start.body_damping, "kg cm2 s-1",
               "dashpot of the body joint", "not negative"),
    CAROM_REAL("hip-stiffness", settings, start.hip_stiffness, "kg cm2 s-2", "gain K_p of the hips",
               "not negative"),
    CAROM_REAL("hip-damping", settings, start.hip_damping, "kg cm2 s-1", "gain K_v of the hips",
               "not negative"),
    CAROM_REAL("hip-rate", settings, hip_rate, "rad s-1",
               "speed Omega of both hips after the impact, counterclockwise", "any"),
    CAROM_REAL("drop-height", settings, start.drop_height, "cm",
               "height of the start above the stance", "positive"),
    CAROM_REAL("gravity", settings, start.gravity, "cm s-2", "gravitational acceleration g",
               "positive"),
    CAROM_REAL("friction", settings, start.friction, "1",
               "coefficient of friction mu of feet and tail while they are held; impacts have none",
               "not negative"),
    CAROM_REAL("restitution", settings, start.restitution, "1",
               "energetic coefficient R of the impacts", "[0, 1]"),
    CAROM_INTEGER("most-hits", settings, most_hits, "1",
                  "a contact that hits more often within a step is plastic", "not negative"),
    CAROM_REAL("step", settings, step, "s", "time step h", "positive"),
    CAROM_REAL("duration", settings, duration, "s", "length of the runs, beyond the first impact",
               "positive"),
};

static const carom_table_column columns[] = {
    {.head = "cosine", .expression = "cosine"},
    {.head = "half opening", .expression = "half_opening"},
    {.head = "indeterminacy", .expression = "indeterminacy"},
    {.head = "foot first", .expression = "reflections_foot_first"},
    {.head = "tail first", .expression = "reflections_tail_first"},
};

static const carom_table tables[] = {
    {.groups = "/first_impact/*", .group_head = "pose", CAROM_COLUMNS(columns)},
};

int main(int argc, char **argv) {
    settings v = {.start = carom_trex_params_hand_picked(),
                  .gait = CHOICE_BOTH,
                  .order = CHOICE_BOTH,
                  .hip_rate = 6.0,
                  .residual = -2.28e-7,
                  .step = 1e-3,
                  .duration = 0.4,
                  .most_hits = 2};
    const carom_program program = {
        .name = "trex",
        .title = "A tailed biped that is dropped on foot and tail, and runs off",
        .source = "seghete-2014",
        .schema = "trex 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
