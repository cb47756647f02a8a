/**
 * rocking_block: a rigid block falls onto a floor, rocks from corner to corner and comes to rest
 * (bruls-2014 section 10.4, figures 20 to 24).
 *
 *     m x'' = 0,   m y'' + m a_g = Lambda^1 + Lambda^2,   J theta'' = sum of arm^j Lambda^j,
 *     gaps g^j = y - (l/2) cos theta +- (L/2) sin theta >= 0                                  (53)
 *
 * with impacts of Newton's law at both corners. Printed in the paper: m, L, l, J = m (L^2 +
 * l^2)/12, a_g, e, q_0 = (0, 1, 0.2), v_0 = 0, h = 1e-2 s, the step 2e-4 s = h/50 of the reference,
 * rho = 0.8 and theta = 1/(1 + rho). Inferred: SI units. Chosen: the duration (rest is reached in
 * the first half), the half-step predictor of the Moreau-Jean scheme, the tolerance, the Newton
 * matrix.
 */
#include "rocking_block/results.h"

#include <carom/study/scheme_options.h>

/** Refuse options that do not fit together. */
static carom_status check(void *context, carom_report *report) {
    const settings *values = context;
    CAROM_TRY(carom_scheme_options_check(&values->schemes, report));
    return carom_rocking_block_params_check(&values->block, report);
}

/** Compute and write everything. */
static carom_status compute(results *r, const carom_common_options *common, carom_record *record,
                            carom_report *report) {
    CAROM_TRY(rocking_block_make_runs(r, common, record, report));
    rocking_block_find_exact(r);
    CAROM_TRY(rocking_block_write_exact(record, r));
    rocking_block_write_measures(record, r);
    rocking_block_write_claims(record, r);
    return CAROM_OK;
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    carom_model *model = NULL;
    CAROM_TRY(carom_rocking_block_alloc(&values->block, &model, report));
    results r = {.values = values, .model = model};
    const carom_status status = compute(&r, common, record, report);
    rocking_block_free_runs(&r);
    carom_model_free(model);
    return status;
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("mass", settings, block.mass, "kg", "mass m", "positive"),
    CAROM_REAL("width", settings, block.width, "m", "width L", "positive"),
    CAROM_REAL("height", settings, block.height, "m", "height l", "positive"),
    CAROM_REAL("gravity", settings, block.gravity, "m s-2", "gravitational acceleration a_g",
               "not negative"),
    CAROM_REAL("restitution", settings, block.restitution, "1",
               "coefficient of restitution e of both corners", "[0, 1]"),
    CAROM_REAL("initial-x", settings, block.initial_x, "m",
               "initial horizontal position of the mass centre", "any"),
    CAROM_REAL("initial-y", settings, block.initial_y, "m", "initial height of the mass centre",
               "any"),
    CAROM_REAL("initial-angle", settings, block.initial_angle, "rad",
               "initial angle theta, anticlockwise from upright", "any"),
    CAROM_REAL("initial-x-velocity", settings, block.initial_x_velocity, "m s-1",
               "initial horizontal velocity", "any"),
    CAROM_REAL("initial-y-velocity", settings, block.initial_y_velocity, "m s-1",
               "initial vertical velocity", "any"),
    CAROM_REAL("initial-rate", settings, block.initial_rate, "rad s-1", "initial angular velocity",
               "any"),
    CAROM_OPTIONS_OF(settings, schemes, carom_scheme_options_table),
};

int main(int argc, char **argv) {
    settings values = {
        .block = carom_rocking_block_params_default(),
        .schemes = carom_scheme_options_default(1e-2, 2.0),
    };
    const carom_program program = {
        .name = "rocking_block",
        .title = "A rigid block that falls and rocks on two corners",
        .source = "bruls-2014",
        .schema = "rocking_block 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(carom_scheme_tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &values);
}
