/**
 * ramone: the running robot RAMone puts its leading foot down, the trailing foot being on the floor
 * (halm-2023 figure 13, table 7).
 *
 *     M (v+ - v-) = J_n' L_n + J_t' L_t,   contacts A (leading foot) and B (trailing foot)
 *
 * The simultaneous law, which has three solutions in a narrow window of poses, and the sampled set
 * of outcomes. Printed in the paper: angles, rates, friction, the impulse step h, N and M. From the
 * authors' programs: masses, inertias, lengths, and that the trailing foot is at rest. Computed
 * from these: the angle of the trailing knee and the velocity of the trunk, which the paper prints
 * in four digits. Inferred: the reading of one length (carom/models/ramone.h), and that every
 * solution of an increment is enumerated and one taken at random, since no Lemke path ends in
 * sliding, which the paper shows.
 */
#include "ramone/results.h"

#include <carom/study/impact_comparison.h>
#include <carom/study/impact_options.h>
#include <carom/study/impact_study.h>
#include <carom/study/plane_raster.h>

#include <gsl/gsl_math.h>
#include <string.h>

/** The robot of the options, angles in radians. */
static carom_ramone_params robot_of(const settings *values) {
    carom_ramone_params robot = values->robot;
    robot.trunk_angle = values->trunk_angle * (M_PI / 180.0);
    robot.leading_hip = values->leading_hip * (M_PI / 180.0);
    robot.leading_knee = values->leading_knee * (M_PI / 180.0);
    robot.trailing_hip = values->trailing_hip * (M_PI / 180.0);
    return robot;
}

/** The published numbers; the impulse step is 1 N s. */
static settings published(void) {
    settings values = {.robot = carom_ramone_params_default(),
                       .trunk_angle = 16.0,
                       .leading_hip = -70.0,
                       .leading_knee = -2.0,
                       .trailing_hip = 70.0,
                       .sampling = carom_impact_options_default(1 << 20, 10, (double)NAN)};
    values.sampling.selection = CAROM_SELECTION_RANDOM;
    return values;
}

/** The impulse step that was not given. */
static carom_status scale(settings *values, const carom_impact_scene *scene, carom_report *report) {
    const settings paper = published();
    const carom_ramone_params robot = robot_of(&paper);
    carom_impact_scene *other = NULL;
    CAROM_TRY(carom_ramone_alloc(&robot, &other, report));
    const carom_status status =
        carom_impact_options_scale(&values->sampling, scene, other, 1.0, report);
    carom_impact_scene_free(other);
    return status;
}

/** Refuse what the options cannot see one by one: the model does, when it is built. */
static carom_status check(void *context, carom_report *report) {
    settings *values = context;
    const carom_ramone_params robot = robot_of(values);
    carom_impact_scene *scene = NULL;
    carom_status status = carom_ramone_alloc(&robot, &scene, report);
    if (status == CAROM_OK) {
        status = scale(values, scene, report);
    }
    carom_impact_scene_free(scene);
    if (status != CAROM_OK) {
        // The only angle that the model refuses, in the unit of its option.
        const bool is_angle =
            report->quantity != NULL && strcmp(report->quantity, "trailing hip") == 0;
        report->value = is_angle ? values->trailing_hip : report->value;
        report->bound *= is_angle ? 180.0 / M_PI : 1.0;
        return status;
    }
    return carom_impact_options_check(&values->sampling, FEET, 1, report);
}

/** Apply all laws, compare what they give, and write everything. */
static carom_status compute(results *r, int plane_count, carom_plane *planes) {
    CAROM_TRY(ramone_follow(r, plane_count, planes));
    CAROM_TRY(carom_impact_study_run(r->study, &r->findings, r->report));
    CAROM_TRY(ramone_draw(r));
    CAROM_TRY(ramone_write_measures(r));
    CAROM_TRY(ramone_write_window(r));
    CAROM_TRY(carom_impact_study_compare(r->study, r->report));
    return ramone_write_claims(r);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    const carom_ramone_params robot = robot_of(values);
    // Rows of contact space: normal A, normal B, tangential A, tangential B; limits from some
    // paths.
    carom_plane planes[] = {{"normal_AB", NORMAL_A, NORMAL_B, NAN, NAN, NAN, NAN},
                            {"contact_A", NORMAL_A, TANGENTIAL_A, NAN, NAN, NAN, NAN},
                            {"contact_B", NORMAL_B, TANGENTIAL_B, NAN, NAN, NAN, NAN}};
    carom_impact_study study = {
        .target = {.record = record},
        .options = &values->sampling,
        .common = common,
        .plane_count = (int)(sizeof planes / sizeof planes[0]),
        .planes = planes,
    };
    carom_impact_scene *scene = NULL;
    carom_impact_problem *problem = NULL;
    carom_status status = carom_ramone_alloc(&robot, &scene, report);
    if (status == CAROM_OK) {
        status = carom_impact_problem_of_scene(scene, &problem, report);
    }
    if (status == CAROM_OK) {
        study.target.problem = problem;
        results r = {
            .values = values, .robot = &robot, .scene = scene, .study = &study, .report = report};
        status = compute(&r, study.plane_count, planes);
        carom_impact_findings_clear(&r.findings);
    }
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
    return status;
}

/** Rows of the robot itself. */
enum { ROBOT_OPTION_COUNT = 22 };

/** The links, from the trunk down. */
static void append_links(settings *v, carom_option *rows) {
    const carom_option links[] = {
        {"trunk-mass", CAROM_OPTION_REAL, &v->robot.trunk_mass, "kg", "mass of the trunk",
         CAROM_RANGE_POSITIVE, NULL},
        {"trunk-inertia", CAROM_OPTION_REAL, &v->robot.trunk_inertia, "kg m2",
         "moment of inertia of the trunk about its mass centre", CAROM_RANGE_POSITIVE, NULL},
        {"thigh-mass", CAROM_OPTION_REAL, &v->robot.thigh_mass, "kg", "mass of each thigh",
         CAROM_RANGE_POSITIVE, NULL},
        {"thigh-inertia", CAROM_OPTION_REAL, &v->robot.thigh_inertia, "kg m2",
         "moment of inertia of each thigh about its mass centre", CAROM_RANGE_POSITIVE, NULL},
        {"shank-mass", CAROM_OPTION_REAL, &v->robot.shank_mass, "kg", "mass of each shank",
         CAROM_RANGE_POSITIVE, NULL},
        {"shank-inertia", CAROM_OPTION_REAL, &v->robot.shank_inertia, "kg m2",
         "moment of inertia of each shank about its mass centre", CAROM_RANGE_POSITIVE, NULL},
        {"trunk-to-hip", CAROM_OPTION_REAL, &v->robot.trunk_to_hip, "m",
         "distance of the hip from the mass centre of the trunk", CAROM_RANGE_NON_NEGATIVE, NULL},
        {"hip-to-thigh", CAROM_OPTION_REAL, &v->robot.hip_to_thigh, "m",
         "distance of the mass centre of a thigh from the hip", CAROM_RANGE_NON_NEGATIVE, NULL},
        {"knee-to-shank", CAROM_OPTION_REAL, &v->robot.knee_to_shank, "m",
         "distance of the mass centre of a shank from the knee", CAROM_RANGE_NON_NEGATIVE, NULL},
        {"thigh-length", CAROM_OPTION_REAL, &v->robot.thigh_length, "m", "hip to knee",
         CAROM_RANGE_POSITIVE, NULL},
        {"shank-length", CAROM_OPTION_REAL, &v->robot.shank_length, "m",
         "knee to the centre of the foot", CAROM_RANGE_POSITIVE, NULL},
        {"foot-radius", CAROM_OPTION_REAL, &v->robot.foot_radius, "m", "radius of each foot",
         CAROM_RANGE_POSITIVE, NULL},
    };
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        rows[i] = links[i];
    }
}

/** The pose, its rates, and friction. */
static void append_state(settings *v, carom_option *rows) {
    const carom_option state[] = {
        {"trunk-angle", CAROM_OPTION_REAL, &v->trunk_angle, "deg",
         "pitch Phi of the trunk; a link at an angle of 0 hangs down", CAROM_RANGE_ANY, NULL},
        {"leading-hip", CAROM_OPTION_REAL, &v->leading_hip, "deg",
         "angle of the leading thigh relative to the trunk", CAROM_RANGE_ANY, NULL},
        {"leading-knee", CAROM_OPTION_REAL, &v->leading_knee, "deg",
         "angle of the leading shank relative to its thigh", CAROM_RANGE_ANY, NULL},
        {"trailing-hip", CAROM_OPTION_REAL, &v->trailing_hip, "deg",
         "angle of the trailing thigh; its knee follows from the feet being level", CAROM_RANGE_ANY,
         NULL},
        {"trunk-rate", CAROM_OPTION_REAL, &v->robot.trunk_rate, "rad s-1",
         "pitch rate of the trunk; its velocity follows from the trailing foot at rest",
         CAROM_RANGE_ANY, NULL},
        {"leading-hip-rate", CAROM_OPTION_REAL, &v->robot.leading_hip_rate, "rad s-1",
         "rate of the leading hip", CAROM_RANGE_ANY, NULL},
        {"leading-knee-rate", CAROM_OPTION_REAL, &v->robot.leading_knee_rate, "rad s-1",
         "rate of the leading knee", CAROM_RANGE_ANY, NULL},
        {"trailing-hip-rate", CAROM_OPTION_REAL, &v->robot.trailing_hip_rate, "rad s-1",
         "rate of the trailing hip", CAROM_RANGE_ANY, NULL},
        {"trailing-knee-rate", CAROM_OPTION_REAL, &v->robot.trailing_knee_rate, "rad s-1",
         "rate of the trailing knee", CAROM_RANGE_ANY, NULL},
        {"friction", CAROM_OPTION_REAL, &v->robot.friction, "1",
         "coefficient of friction mu of both feet", CAROM_RANGE_NON_NEGATIVE, NULL},
    };
    for (size_t i = 0; i < sizeof state / sizeof state[0]; i++) {
        rows[i] = state[i];
    }
}

int main(int argc, char **argv) {
    settings v = published();
    carom_option options[ROBOT_OPTION_COUNT + CAROM_IMPACT_OPTION_COUNT];
    append_links(&v, options);
    append_state(&v, options + 12);
    carom_impact_options_append(&v.sampling, options + ROBOT_OPTION_COUNT);
    const carom_program program = {
        .name = "ramone",
        .title = "A running robot puts its leading foot down: all outcomes of one impact",
        .source = "halm-2023",
        .schema = "ramone 1",
    };
    return carom_experiment_main(&program, argc, argv, options,
                                 (int)(sizeof options / sizeof options[0]), check, body, &v);
}
