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
 * the paper shows. compass_gait/claims.c draws numbers from the outcomes and decides statements.
 */
#include "compass_gait/results.h"

#include <carom/study/impact_claims.h>
#include <carom/study/impact_comparison.h>
#include <carom/study/impact_study.h>
#include <carom/study/plane_raster.h>
#include <carom/study/scene_record.h>

#include <gsl/gsl_math.h>
#include <stdio.h>

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
    CAROM_AUTO(carom_impact_scene) other = NULL;
    CAROM_TRY(carom_compass_gait_alloc(&gait, &other, report));
    return carom_impact_options_scale(&values->sampling, scene, other, 0.25, report);
}

/** Refuse what the options cannot see one by one: the model does most, when it is built. */
static carom_status check(void *context, carom_report *report) {
    settings *values = context;
    CAROM_TRY(check_pitch("trailing pitch", values->trailing_pitch, report));
    CAROM_TRY(check_pitch("leading pitch", values->leading_pitch, report));
    const carom_compass_gait_params gait = gait_of(values);
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_TRY(carom_compass_gait_alloc(&gait, &scene, report));
    CAROM_TRY(scale(values, scene, report));
    return carom_impact_options_check(&values->sampling, FEET, 1, report);
}

/* --- pictures --------------------------------------------------------------------------------- */

/** Bodies of the tree: hip, leading leg, trailing leg. */
enum { LEADING_LEG = 1, TRAILING_LEG = 2 };

/** The floor reaches so far beyond the feet, as a part of the distance between them. */
static const double FLOOR_MARGIN = 0.15;

/** Longest name of a group that is made here. */
enum { NAME_SIZE = 64 };

/** Legs, masses and floor. */
static carom_status draw_bodies(const results *r) {
    const carom_compass_gait_params *gait = r->gait;
    const double leg[] = {0.0, 0.0, 0.0, -gait->leg_length};
    const double mass[] = {0.0, -gait->mass_offset};
    const double half =
        (1.0 + 2.0 * FLOOR_MARGIN) * gait->leg_length * sin(fabs(gait->trailing_pitch));
    const double floor_points[] = {-half, 0.0, half, 0.0};
    const carom_scene_line lines[] = {
        {"leading_leg", LEADING_LEG, 2, leg},   {"trailing_leg", TRAILING_LEG, 2, leg},
        {"leading_mass", LEADING_LEG, 1, mass}, {"trailing_mass", TRAILING_LEG, 1, mass},
        {"floor", -1, 2, floor_points},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        CAROM_TRY(carom_scene_record_line(r->study->target.record, "/drawing", r->scene->tree,
                                          r->scene->position, &lines[i]));
    }
    return CAROM_OK;
}

/** Velocities at v of the hip, of the masses and of the feet: NAME_leading, with the hip, and
 * NAME_trailing. */
static carom_status draw_velocities(const results *r, const char *name, const double *v) {
    const double points[] = {0.0, 0.0, 0.0, -r->gait->mass_offset, 0.0, -r->gait->leg_length};
    char leading[NAME_SIZE];
    char trailing[NAME_SIZE];
    snprintf(leading, sizeof leading, "%s_leading", name);
    snprintf(trailing, sizeof trailing, "%s_trailing", name);
    const carom_scene_line lines[] = {{leading, LEADING_LEG, 3, points},
                                      {trailing, TRAILING_LEG, 2, points + 2}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        CAROM_TRY(carom_scene_record_velocities(r->study->target.record, "/drawing", r->scene->tree,
                                                r->scene->position, v, &lines[i]));
    }
    return CAROM_OK;
}

/** Pictures of figure 4, /drawing: the walker and the velocities of its points, before the impact
 * and after each solution of the simultaneous law. */
static carom_status draw(const results *r) {
    const carom_impact_outcomes *simultaneous = r->study_results.simultaneous;
    CAROM_TRY(draw_bodies(r));
    CAROM_TRY(draw_velocities(r, "before", r->scene->velocity));
    for (int i = 0; i < simultaneous->count; i++) {
        char name[NAME_SIZE];
        snprintf(name, sizeof name, "simultaneous_%d", i);
        CAROM_TRY(draw_velocities(r, name, simultaneous->velocity + i * COORDINATES));
    }
    return CAROM_OK;
}

/* --- other samplings -------------------------------------------------------------------------- */

/** Samples at most: each has hundreds of increments. */
enum { MOST_SAMPLES = 1 << 12 };

/** A smaller step, as a part of the chosen one, and room for as many more increments: half a step
 * is the mean length of one. */
static const double FINE_PART = 0.05;
enum { FINE_LENGTH = 400 };

/** A step so small that the scheme comes close to the inclusion. */
static carom_status run_fine(const results *r) {
    carom_impact_sampling_params params =
        carom_impact_options_params(r->study->options, r->study->common);
    params.samples = params.samples < MOST_SAMPLES ? params.samples : MOST_SAMPLES;
    params.selection = CAROM_SELECTION_RANDOM;
    params.distribution = CAROM_CAPS_UNIFORM;
    params.impulse_step *= FINE_PART;
    params.trajectory_length = FINE_LENGTH;
    carom_record_scalar(r->study->target.record, "/steps/fine/impulse_step", params.impulse_step,
                        "N s", "largest cap of the smaller step");
    return carom_impact_study_vary(r->study, "/steps/fine", &params, r->report);
}

/* --- the program ------------------------------------------------------------------------------ */

/** Apply all laws, compare what they give, and write everything: with the same sampling by other
 * selections among the solutions of an increment and other distributions of its caps. */
static carom_status compute(results *r) {
    CAROM_TRY(carom_impact_study_run(r->study, &r->study_results, r->report));
    CAROM_TRY(draw(r));
    CAROM_TRY(carom_impact_study_compare(r->study, r->report));
    CAROM_TRY(run_fine(r));
    return compass_gait_judge(r);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    const carom_compass_gait_params gait = gait_of(values);
    // Rows of contact space: normal A, normal B, tangential A, tangential B; limits from the paths.
    const carom_plane planes[] = {{"normal_AB", 0, 1, NAN, NAN, NAN, NAN},
                                  {"contact_A", 0, FEET, NAN, NAN, NAN, NAN},
                                  {"contact_B", 1, FEET + 1, NAN, NAN, NAN, NAN}};
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_TRY(carom_compass_gait_alloc(&gait, &scene, report));
    CAROM_TRY(carom_impact_problem_of_scene(scene, &problem, report));
    const carom_impact_study study = {
        .target = {.record = record, .problem = problem},
        .options = &values->sampling,
        .common = common,
        .plane_count = (int)(sizeof planes / sizeof planes[0]),
        .planes = planes,
    };
    results r = {
        .values = values, .gait = &gait, .scene = scene, .study = &study, .report = report};
    const carom_status status = compute(&r);
    carom_impact_study_results_clear(&r.study_results);
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
        CAROM_TABLES(carom_impact_tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
