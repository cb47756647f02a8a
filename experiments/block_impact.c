/**
 * block_impact: a block falls flat onto its two lower corners (halm-2023 figures 1 and 9, table 4).
 *
 *     M (v+ - v-) = J_n' L_n + J_t' L_t,   v- = (0, -v0, 0),   contacts A (left) and B (right)
 *
 * The simultaneous law, the two sequences of single impacts and the sampled set of outcomes, beside
 * the exact set, which is known while no corner slides. Printed in the paper: width, height, mass,
 * friction, v0 = 0.4429 m/s, the impulse step h, N and M. From the authors' programs: v0 is the
 * speed of a fall of 1 cm. Chosen: the steps and distributions of the variants.
 */
#include "block_impact/results.h"

#include <carom/study/impact_options.h>
#include <carom/study/impact_study.h>
#include <carom/study/plane_raster.h>

/** The published numbers; the impulse step is 0.3 N s. */
static settings published(void) {
    return (settings){.block = carom_rigid_block_params_default(),
                      .sampling = carom_impact_options_default(1 << 14, 10, (double)NAN)};
}

/** The impulse step that was not given. */
static carom_status scale(settings *values, carom_report *report) {
    const settings paper = published();
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_AUTO(carom_impact_scene) other = NULL;
    CAROM_TRY(carom_rigid_block_alloc(&values->block, &scene, report));
    CAROM_TRY(carom_rigid_block_alloc(&paper.block, &other, report));
    return carom_impact_options_scale(&values->sampling, scene, other, 0.3, report);
}

/** Refuse options that do not fit together. */
static carom_status check(void *context, carom_report *report) {
    settings *values = context;
    CAROM_TRY(scale(values, report));
    return carom_impact_options_check(&values->sampling, CORNERS, 1, report);
}

/** Apply all laws, compare what they give, and write everything. */
static carom_status compute(results *r) {
    CAROM_TRY(carom_impact_study_run(r->study, &r->study_results, r->report));
    CAROM_TRY(block_impact_draw(r));
    block_impact_write_exact(r);
    CAROM_TRY(block_impact_write_measures(r));
    CAROM_TRY(block_impact_write_variants(r));
    CAROM_TRY(block_impact_write_convergence(r));
    CAROM_TRY(block_impact_write_nets(r));
    return block_impact_write_claims(r);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    // Rows of contact space: normal A, normal B, tangential A, tangential B; limits from the paths.
    const carom_plane planes[] = {{"normal_AB", 0, 1, NAN, NAN, NAN, NAN},
                                  {"contact_A", 0, CORNERS, NAN, NAN, NAN, NAN}};
    carom_impact_study study = {
        .target = {.record = record},
        .options = &values->sampling,
        .common = common,
        .plane_count = (int)(sizeof planes / sizeof planes[0]),
        .planes = planes,
    };
    carom_impact_scene *scene = NULL;
    carom_impact_problem *problem = NULL;
    carom_status status = carom_rigid_block_alloc(&values->block, &scene, report);
    if (status == CAROM_OK) {
        status = carom_impact_problem_of_scene(scene, &problem, report);
    }
    if (status == CAROM_OK) {
        study.target.problem = problem;
        results r = {.values = values, .scene = scene, .study = &study, .report = report};
        status = compute(&r);
        carom_impact_study_results_clear(&r.study_results);
    }
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
    return status;
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("width", settings, block.width, "m", "width w", "positive"),
    CAROM_REAL("height", settings, block.height, "m", "height h", "positive"),
    CAROM_REAL("mass", settings, block.mass, "kg", "mass m", "positive"),
    CAROM_REAL("friction", settings, block.friction, "1",
               "coefficient of friction mu of both corners", "not negative"),
    CAROM_REAL("initial-velocity", settings, block.initial_speed, "m s-1",
               "downward velocity v0 before the impact; negative: the block rises", "any"),
    CAROM_OPTIONS_OF(settings, sampling, carom_impact_options_table),
};

int main(int argc, char **argv) {
    settings v = published();
    const carom_program program = {
        .name = "block_impact",
        .title = "A block that falls flat on two corners: all outcomes of one impact",
        .source = "halm-2023",
        .schema = "block_impact 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(carom_impact_tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
