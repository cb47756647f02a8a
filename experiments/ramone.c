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

/** Refuse options that do not fit together: the model does, when it is built. */
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
    CAROM_TRY(carom_impact_study_run(r->study, &r->study_results, r->report));
    CAROM_TRY(ramone_draw(r));
    ramone_write_measures(r);
    CAROM_TRY(ramone_write_window(r));
    CAROM_TRY(carom_impact_study_compare_selections(
        r->study, carom_impact_comparison_sizes_default(), r->report));
    ramone_write_claims(r);
    return CAROM_OK;
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
        carom_impact_study_results_clear(&r.study_results);
    }
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
    return status;
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    // The links, from the trunk down.
    CAROM_REAL("trunk-mass", settings, robot.trunk_mass, "kg", "mass of the trunk", "positive"),
    CAROM_REAL("trunk-inertia", settings, robot.trunk_inertia, "kg m2",
               "moment of inertia of the trunk about its mass centre", "positive"),
    CAROM_REAL("thigh-mass", settings, robot.thigh_mass, "kg", "mass of each thigh", "positive"),
    CAROM_REAL("thigh-inertia", settings, robot.thigh_inertia, "kg m2",
               "moment of inertia of each thigh about its mass centre", "positive"),
    CAROM_REAL("shank-mass", settings, robot.shank_mass, "kg", "mass of each shank", "positive"),
    CAROM_REAL("shank-inertia", settings, robot.shank_inertia, "kg m2",
               "moment of inertia of each shank about its mass centre", "positive"),
    CAROM_REAL("trunk-to-hip", settings, robot.trunk_to_hip, "m",
               "distance of the hip from the mass centre of the trunk", "not negative"),
    CAROM_REAL("hip-to-thigh", settings, robot.hip_to_thigh, "m",
               "distance of the mass centre of a thigh from the hip", "not negative"),
    CAROM_REAL("knee-to-shank", settings, robot.knee_to_shank, "m",
               "distance of the mass centre of a shank from the knee", "not negative"),
    CAROM_REAL("thigh-length", settings, robot.thigh_length, "m", "hip to knee", "positive"),
    CAROM_REAL("shank-length", settings, robot.shank_length, "m", "knee to the centre of the foot",
               "positive"),
    CAROM_REAL("foot-radius", settings, robot.foot_radius, "m", "radius of each foot", "positive"),
    // The pose, its rates, and friction.
    CAROM_REAL("trunk-angle", settings, trunk_angle, "deg",
               "pitch Phi of the trunk; a link at an angle of 0 hangs down", "any"),
    CAROM_REAL("leading-hip", settings, leading_hip, "deg",
               "angle of the leading thigh relative to the trunk", "any"),
    CAROM_REAL("leading-knee", settings, leading_knee, "deg",
               "angle of the leading shank relative to its thigh", "any"),
    CAROM_REAL("trailing-hip", settings, trailing_hip, "deg",
               "angle of the trailing thigh; its knee follows from the feet being level", "any"),
    CAROM_REAL("trunk-rate", settings, robot.trunk_rate, "rad s-1",
               "pitch rate of the trunk; its velocity follows from the trailing foot at rest",
               "any"),
    CAROM_REAL("leading-hip-rate", settings, robot.leading_hip_rate, "rad s-1",
               "rate of the leading hip", "any"),
    CAROM_REAL("leading-knee-rate", settings, robot.leading_knee_rate, "rad s-1",
               "rate of the leading knee", "any"),
    CAROM_REAL("trailing-hip-rate", settings, robot.trailing_hip_rate, "rad s-1",
               "rate of the trailing hip", "any"),
    CAROM_REAL("trailing-knee-rate", settings, robot.trailing_knee_rate, "rad s-1",
               "rate of the trailing knee", "any"),
    CAROM_REAL("friction", settings, robot.friction, "1", "coefficient of friction mu of both feet",
               "not negative"),
    CAROM_OPTIONS_OF(settings, sampling, carom_impact_options_table),
};

int main(int argc, char **argv) {
    settings v = published();
    const carom_program program = {
        .name = "ramone",
        .title = "A running robot puts its leading foot down: all outcomes of one impact",
        .source = "halm-2023",
        .schema = "ramone 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(carom_impact_tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
