/**
 * box_wall: a box slides on one corner along the floor and hits a wall with another (halm-2023
 * figures 5 and 11, table 6).
 *
 *     M (v+ - v-) = J_n' L_n + J_t' L_t,   v- = (v0, 0, 0),   contacts A (floor) and B (wall)
 *
 * The simultaneous law, the sequence of single impacts that begins at the wall, and the sampled set
 * of outcomes. Printed in the paper: side, mass, tilt, v0, friction, the impulse step h, N and M.
 * From the authors' programs: the box leans towards the wall.
 */
#include "box_wall/results.h"

#include <carom/study/impact_comparison.h>
#include <carom/study/impact_options.h>
#include <carom/study/impact_study.h>
#include <carom/study/plane_raster.h>

#include <gsl/gsl_math.h>

/** The box of the options, its tilt in radians. */
static carom_leaning_box_params box_of(const settings *values) {
    carom_leaning_box_params box = values->box;
    box.tilt = values->tilt * (M_PI / 180.0);
    return box;
}

/** The published numbers; the impulse step is 2 N s. */
static settings published(void) {
    return (settings){.box = carom_leaning_box_params_default(),
                      .tilt = 10.0,
                      .sampling = carom_impact_options_default(1 << 18, 5, (double)NAN)};
}

/** The impulse step that was not given. */
static carom_status scale(settings *values, const carom_impact_scene *scene, carom_report *report) {
    const settings paper = published();
    const carom_leaning_box_params box = box_of(&paper);
    carom_impact_scene *other = NULL;
    CAROM_TRY(carom_leaning_box_alloc(&box, &other, report));
    const carom_status status =
        carom_impact_options_scale(&values->sampling, scene, other, 2.0, report);
    carom_impact_scene_free(other);
    return status;
}

/** Refuse options that do not fit together: the model does most, when it is built. */
static carom_status check(void *context, carom_report *report) {
    settings *values = context;
    const carom_leaning_box_params box = box_of(values);
    carom_impact_scene *scene = NULL;
    CAROM_TRY(carom_leaning_box_alloc(&box, &scene, report));
    const carom_status status = scale(values, scene, report);
    carom_impact_scene_free(scene);
    CAROM_TRY(status);
    return carom_impact_options_check(&values->sampling, CORNERS, 1, report);
}

/** Apply all laws, compare what they give, and write everything. */
static carom_status compute(results *r) {
    CAROM_TRY(carom_impact_study_run(r->study, &r->study_results, r->report));
    CAROM_TRY(box_wall_draw(r));
    box_wall_write_measures(r);
    CAROM_TRY(carom_impact_study_compare_selections(
        r->study, carom_impact_comparison_sizes_default(), r->report));
    CAROM_TRY(carom_impact_study_compare_distributions(
        r->study, carom_impact_comparison_sizes_default(), r->report));
    return box_wall_write_claims(r);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    const carom_leaning_box_params box = box_of(values);
    // Rows of contact space: normal A, normal B, tangential A, tangential B; limits from the paths.
    const carom_plane planes[] = {{"normal_AB", NORMAL_A, NORMAL_B, NAN, NAN, NAN, NAN},
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
    carom_status status = carom_leaning_box_alloc(&box, &scene, report);
    if (status == CAROM_OK) {
        status = carom_impact_problem_of_scene(scene, &problem, report);
    }
    if (status == CAROM_OK) {
        study.target.problem = problem;
        results r = {
            .values = values, .box = &box, .scene = scene, .study = &study, .report = report};
        status = compute(&r);
        carom_impact_study_results_clear(&r.study_results);
    }
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
    return status;
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("side", settings, box.side, "m", "side w of the square box", "positive"),
    CAROM_REAL("mass", settings, box.mass, "kg", "mass m", "positive"),
    CAROM_REAL(
        "tilt", settings, tilt, "deg",
        "angle theta from the floor to the box, which leans to the wall, between 0 and 45 deg",
        "(0, 45)"),
    CAROM_REAL("initial-velocity", settings, box.initial_velocity, "m s-1",
               "velocity v0 to the wall before the impact; negative: the box leaves it", "any"),
    CAROM_REAL("friction", settings, box.friction, "1",
               "coefficient of friction mu of floor and wall", "not negative"),
    CAROM_OPTIONS_OF(settings, sampling, carom_impact_options_table),
};

int main(int argc, char **argv) {
    settings v = published();
    const carom_program program = {
        .name = "box_wall",
        .title = "A box slides into a wall: all outcomes of one impact",
        .source = "halm-2023",
        .schema = "box_wall 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(carom_impact_tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
