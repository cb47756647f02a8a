/**
 * compass_gait: a walker of two straight legs puts its leading foot down, the trailing foot being
 * on the floor (halm-2023 figures 4 and 10, table 5).
 *
 *     M (v+ - v-) = J_n' L_n + J_t' L_t,   contacts A (leading foot) and B (trailing foot)
 *
 * The simultaneous law, which has three solutions, and the sampled set of outcomes. Printed in the
 * paper: lengths, mass, pitches and their rates, friction, the impulse step h, N and M. From the
 * authors' programs: the hip moves so that the trailing foot is at rest. Inferred: every solution
 * of an increment is enumerated and one taken at random, since no Lemke path ends in sliding, which
 * the paper shows.
 */
#include "compass_gait/results.h"

#include <carom/study/impact_options.h>
#include <carom/study/impact_study.h>
#include <carom/study/plane_raster.h>

#include <gsl/gsl_math.h>

/** The walker of the options, angles in radians. */
static carom_compass_gait_params gait_of(const settings *values) {
    carom_compass_gait_params gait = values->gait;
    gait.trailing_pitch = values->trailing_pitch * (M_PI / 180.0);
    gait.leading_pitch = values->leading_pitch * (M_PI / 180.0);
    return gait;
}

/** Angles are within a right angle, and told in degrees. */
static carom_status check_pitch(const char *quantity, double pitch, carom_report *report) {
    if (!(fabs(pitch) > 0.0 && fabs(pitch) < 90.0)) {
        return carom_report_refuse(report, quantity, pitch, -1, "in (0,90) or (-90,0)");
    }
    return CAROM_OK;
}

/** The published numbers; the impulse step is 0.25 N s. */
static settings published(void) {
    settings values = {.gait = carom_compass_gait_params_default(),
                       .trailing_pitch = 78.0,
                       .leading_pitch = -78.0,
                       .sampling = carom_impact_options_default(1 << 20, 5, (double)NAN)};
    values.sampling.selection = CAROM_SELECTION_RANDOM;
    return values;
}

/** The impulse step that was not given. */
static carom_status scale(settings *values, const carom_impact_scene *scene, carom_report *report) {
    const settings paper = published();
    const carom_compass_gait_params gait = gait_of(&paper);
    carom_impact_scene *other = NULL;
    CAROM_TRY(carom_compass_gait_alloc(&gait, &other, report));
    const carom_status status =
        carom_impact_options_scale(&values->sampling, scene, other, 0.25, report);
    carom_impact_scene_free(other);
    return status;
}

/** Refuse what the options cannot see one by one: the model does most, when it is built. */
static carom_status check(void *context, carom_report *report) {
    settings *values = context;
    CAROM_TRY(check_pitch("trailing pitch", values->trailing_pitch, report));
    CAROM_TRY(check_pitch("leading pitch", values->leading_pitch, report));
    const carom_compass_gait_params gait = gait_of(values);
    carom_impact_scene *scene = NULL;
    CAROM_TRY(carom_compass_gait_alloc(&gait, &scene, report));
    const carom_status status = scale(values, scene, report);
    carom_impact_scene_free(scene);
    CAROM_TRY(status);
    return carom_impact_options_check(&values->sampling, FEET, 1, report);
}

/** Apply all laws, compare what they give, and write everything. */
static carom_status compute(results *r) {
    CAROM_TRY(carom_impact_study_run(r->study, &r->study_results, r->report));
    CAROM_TRY(compass_gait_draw(r));
    compass_gait_write_measures(r);
    CAROM_TRY(compass_gait_write_variants(r));
    return compass_gait_write_claims(r);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    const carom_compass_gait_params gait = gait_of(values);
    // Rows of contact space: normal A, normal B, tangential A, tangential B; limits from the paths.
    const carom_plane planes[] = {{"normal_AB", 0, 1, NAN, NAN, NAN, NAN},
                                  {"contact_A", 0, FEET, NAN, NAN, NAN, NAN},
                                  {"contact_B", 1, FEET + 1, NAN, NAN, NAN, NAN}};
    carom_impact_study study = {
        .target = {.record = record},
        .options = &values->sampling,
        .common = common,
        .plane_count = (int)(sizeof planes / sizeof planes[0]),
        .planes = planes,
    };
    carom_impact_scene *scene = NULL;
    carom_impact_problem *problem = NULL;
    carom_status status = carom_compass_gait_alloc(&gait, &scene, report);
    if (status == CAROM_OK) {
        status = carom_impact_problem_of_scene(scene, &problem, report);
    }
    if (status == CAROM_OK) {
        study.target.problem = problem;
        results r = {
            .values = values, .gait = &gait, .scene = scene, .study = &study, .report = report};
        status = compute(&r);
        carom_impact_study_results_clear(&r.study_results);
    }
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
    return status;
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("leg-length", settings, gait.leg_length, "m", "leg length l", "positive"),
    CAROM_REAL("mass-offset", settings, gait.mass_offset, "m",
               "distance of the mass of a leg from the hip, at most l", "positive"),
    CAROM_REAL("leg-mass", settings, gait.leg_mass, "kg", "mass m of each leg", "positive"),
    CAROM_REAL("trailing-pitch", settings, trailing_pitch, "deg",
               "pitch of the trailing leg from the downward vertical, within 90 deg", "any"),
    CAROM_REAL("leading-pitch", settings, leading_pitch, "deg",
               "pitch of the leading leg: the opposite, so that both feet are on the floor", "any"),
    CAROM_REAL("trailing-rate", settings, gait.trailing_rate, "rad s-1",
               "angular velocity of the trailing leg; the hip turns about its foot", "any"),
    CAROM_REAL("leading-rate", settings, gait.leading_rate, "rad s-1",
               "angular velocity of the leading leg", "any"),
    CAROM_REAL("friction", settings, gait.friction, "1", "coefficient of friction mu of both feet",
               "not negative"),
    CAROM_OPTIONS_OF(settings, sampling, carom_impact_options_table),
};

int main(int argc, char **argv) {
    settings v = published();
    const carom_program program = {
        .name = "compass_gait",
        .title = "A walker puts its leading foot down: all outcomes of one impact",
        .source = "halm-2023",
        .schema = "compass_gait 1",
        .options = CAROM_OPTIONS(options),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
