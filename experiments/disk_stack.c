/**
 * disk_stack: a disc falls onto two that stand on the floor side by side, or onto a larger pyramid
 * (halm-2023 figure 14, table 8).
 *
 *     M (v+ - v-) = J_n' L_n + J_t' L_t,   contacts A, B (floor), C, D (top disc), E (lower discs)
 *
 * The simultaneous law, the sequences of single impacts and the sampled set of outcomes, for the
 * problem that the text states and for the one that the authors' programs evidently solved (discs
 * as many times heavier as there are contacts, and "tangents" that are not orthogonal to the
 * normals between rows). Printed in the paper: radius, mass, velocity, friction, the impulse step
 * h, N and M. The variant of the options is sampled in full; the other one is in /other_variant.
 */
#include "disk_stack/results.h"

#include <carom/study/impact_options.h>
#include <carom/study/impact_study.h>
#include <carom/study/plane_raster.h>

/** The published numbers; the impulse step is 1 N s. */
static settings published(void) {
    return (settings){.stack = carom_disk_stack_params_default(),
                      .variant = CAROM_DISK_STACK_PRINTED,
                      .sampling = carom_impact_options_default(1 << 20, 10, (double)NAN)};
}

/** The impulse step that was not given, from pyramids of the published rows: others have the same
 * disc on top. */
static carom_status scale(settings *values, carom_report *report) {
    carom_disk_stack_params paper = published().stack;
    carom_disk_stack_params stack = values->stack;
    paper.variant = (carom_disk_stack_variant)values->variant;
    stack.variant = paper.variant;
    stack.levels = paper.levels;
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_AUTO(carom_impact_scene) other = NULL;
    CAROM_TRY(carom_disk_stack_alloc(&stack, &scene, report));
    CAROM_TRY(carom_disk_stack_alloc(&paper, &other, report));
    return carom_impact_options_scale(&values->sampling, scene, other, 1.0, report);
}

/** Refuse options that do not fit together: levels here, to build the pyramid only once. */
static carom_status check(void *context, carom_report *report) {
    settings *values = context;
    CAROM_TRY(scale(values, report));
    return carom_impact_options_check(
        &values->sampling, carom_disk_stack_contact_count(values->stack.levels), 1, report);
}

/** The variant of the options. */
static carom_disk_stack_params stack_of(const settings *values) {
    carom_disk_stack_params stack = values->stack;
    stack.variant = (carom_disk_stack_variant)values->variant;
    return stack;
}

/** Apply all laws, compare what they give, and write everything. */
static carom_status compute(results *r) {
    CAROM_TRY(carom_impact_study_run(r->study, &r->study_results, r->report));
    CAROM_TRY(disk_stack_draw(r));
    disk_stack_write_measures(r);
    CAROM_TRY(disk_stack_write_variants(r));
    disk_stack_write_claims(r);
    return disk_stack_write_other(r);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    const carom_disk_stack_params stack = stack_of(values);
    carom_plane planes[PLANES];
    carom_impact_study study = {
        .target = {.record = record},
        .options = &values->sampling,
        .common = common,
        .plane_count = PLANES,
        .planes = planes,
    };
    carom_impact_scene *scene = NULL;
    carom_impact_problem *problem = NULL;
    carom_status status =
        disk_stack_build(&stack, stack.variant == CAROM_DISK_STACK_CODE, &scene, &problem, report);
    if (status == CAROM_OK) {
        status = disk_stack_find_planes(&study, stack.levels, problem, planes, report);
    }
    if (status == CAROM_OK) {
        study.target.problem = problem;
        results r = {
            .values = values, .stack = &stack, .scene = scene, .study = &study, .report = report};
        status = compute(&r);
        carom_impact_study_results_clear(&r.study_results);
    }
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
    return status;
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_CHOICE("variant", settings, variant,
                 "the problem as the paper prints it, or as the authors' programs solved it",
                 "printed|code"),
    CAROM_INTEGER(
        "levels", settings, stack.levels, "1",
        "rows of the pyramid, 2 to 40; an increment costs the 6th power: take few --samples",
        "[2, 40]"),
    CAROM_REAL("radius", settings, stack.radius, "m", "radius R of each disc", "positive"),
    CAROM_REAL(
        "mass", settings, stack.mass, "kg",
        "mass m of each disc; those of the variant code have as many times m as there are contacts",
        "positive"),
    CAROM_REAL("friction", settings, stack.friction, "1",
               "coefficient of friction mu of all contacts", "not negative"),
    CAROM_REAL("initial-velocity", settings, stack.initial_velocity, "m s-1",
               "upward velocity v0 of the top disc; negative: it falls", "any"),
    CAROM_OPTIONS_OF(settings, sampling, carom_impact_options_table),
};

int main(int argc, char **argv) {
    settings v = published();
    const carom_program program = {
        .name = "disk_stack",
        .title = "A disc falls onto two others: all outcomes of one impact",
        .source = "halm-2023",
        .schema = "disk_stack 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(carom_impact_tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
