/**
 * zeno_block: a block rocks from corner to corner and comes to rest after infinitely many impacts
 * in finite time (halm-2023 section 4.3, figures 7 and 8).
 *
 *     (q, v, t)' in D(q, v, t) (53),   ds = dt + (dL_A + dL_B)/kappa,   v(0) = (-h/2, w/2, 1)
 * dtheta0
 *
 * The solution that the paper constructs, in closed form, and the integrator of the inclusion,
 * which knows no impacts, beside it. Printed in the paper: width, height, mass, friction, dtheta0 =
 * 1 and gravity. From the authors' programs: the rest of 0.5 s that is drawn. Chosen: the step of
 * the integrator.
 */
#include "zeno_block/results.h"

/** Length of the run in s: to the accumulation, and the rest after it. */
static double run_length(const settings *values, const carom_zeno_block *exact) {
    return exact->accumulation_s + values->rest / exact->resting_share;
}

/** Fill in what is not set, and refuse options that do not fit together. */
static carom_status check(void *context, carom_report *report) {
    settings *values = context;
    values->block.reference_force = carom_zeno_block_reference_force(&values->block);
    carom_zeno_block *exact = NULL;
    CAROM_TRY(carom_zeno_block_alloc(&values->block, &exact, report));
    const double length = run_length(values, exact);
    carom_zeno_block_free(exact);
    // The coarsest run takes one step at least.
    return carom_model_require_within("step", values->step, length / ZENO_BLOCK_MOST_STEPS,
                                      ldexp(length, 1 - RUNS), report);
}

/** Solve, integrate, compare, and write everything. */
static carom_status compute(results *r) {
    CAROM_TRY(zeno_block_write_exact(r));
    CAROM_TRY(zeno_block_check_membership(r));
    CAROM_TRY(zeno_block_draw(r));
    CAROM_TRY(zeno_block_write_runs(r));
    zeno_block_write_measures(r);
    return zeno_block_write_claims(r);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    (void)common;
    const settings *values = context;
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_AUTO(carom_zeno_block) exact = NULL;
    CAROM_TRY(carom_zeno_block_scene(&values->block, &scene, report));
    CAROM_TRY(carom_zeno_block_alloc(&values->block, &exact, report));
    results r = {.values = values,
                 .record = record,
                 .report = report,
                 .scene = scene,
                 .exact = exact,
                 .length = run_length(values, exact)};
    return compute(&r);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("width", settings, block.width, "m", "width w, below sqrt(2) h", "positive"),
    CAROM_REAL("height", settings, block.height, "m", "height h", "positive"),
    CAROM_REAL("mass", settings, block.mass, "kg", "mass m", "positive"),
    CAROM_REAL("friction", settings, block.friction, "1",
               "coefficient of friction mu of both corners", "not negative"),
    CAROM_REAL("initial-rate", settings, block.initial_rate, "rad s-1",
               "rate of turn about A at the start", "positive"),
    CAROM_REAL("gravity", settings, block.gravity, "m s-2", "gravitational acceleration g",
               "positive"),
    CAROM_REAL("reference-force", settings, block.reference_force, "N",
               "force kappa that makes impulses lengths of s, s = t + impulses/kappa; not given, m "
               "g over 9.81: 1 N for the published block",
               "positive"),
    CAROM_REAL("step", settings, step, "s",
               "smallest step ds of the integrator; four are run, each twice the next", "positive"),
    CAROM_REAL("rest", settings, rest, "s",
               "time that is followed after the block has come to rest", "positive"),
};

static const carom_table_column columns[] = {
    {.head = "step", .expression = "step"},
    {.head = "angle error", .expression = "angle_error"},
    {.head = "rate error", .expression = "rate_error"},
    {.head = "impact time error", .expression = "impact_time_error"},
    {.head = "time error", .expression = "time_error"},
};

static const carom_table tables[] = {
    {.groups = "/convergence", CAROM_COLUMNS(columns)},
};

int main(int argc, char **argv) {
    settings v = {
        .block = carom_zeno_block_params_default(),
        .step = 5e-4,
        .rest = 0.5,
    };
    const carom_program program = {
        .name = "zeno_block",
        .title = "A block that comes to rest after infinitely many impacts",
        .source = "halm-2023",
        .schema = "zeno_block 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
