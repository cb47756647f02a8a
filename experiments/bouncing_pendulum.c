/**
 * bouncing_pendulum: a rigid pendulum in redundant coordinates against a wall (bruls-2014,
 * section 10.2).
 *
 *     q = (x, y, theta),  M = diag(m, m, J),  f = (0, -m a_g, 0)
 *     joints   g1 = x - l cos theta = 0,  g2 = y - l sin theta = 0
 *     contact  g3 = x - x_wall >= 0,  Newton's law with e
 *
 * Printed: m, J, l, a_g, theta_0, release from rest, x_wall, e, h, the step of the reference and
 * the spectral radius 0.8. Inferred: x_0, y_0 from the joints. Chosen, since the paper is silent:
 * the duration of 6 s, which covers the accumulation of the impacts; the spectral radius 0.4 beside
 * 0.8 and 0; the predictor of Moreau-Jean; the tolerance.
 */
#include "bouncing_pendulum/results.h"

#include <carom/study/scheme_options.h>

#include <math.h>

/** Refuse options that do not fit together. */
static carom_status check(void *context, carom_report *report) {
    const settings *values = context;
    CAROM_TRY(carom_bouncing_pendulum_params_check(&values->pendulum, report));
    return carom_scheme_options_check(&values->schemes, report);
}

/** Compute and write everything. */
static carom_status compute(results *all, const carom_common_options *common, carom_record *record,
                            carom_report *report) {
    CAROM_TRY(bouncing_pendulum_make_runs(all, common, record, report));
    CAROM_TRY(bouncing_pendulum_find_exact(all));
    CAROM_TRY(bouncing_pendulum_write_exact(all, record));
    bouncing_pendulum_write_measures(all, record);
    bouncing_pendulum_write_claims(all, record);
    CAROM_TRY(bouncing_pendulum_study_orders(all->values, common, record, report));
    return bouncing_pendulum_study_conditioning(all->values, record);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    carom_model *model = NULL;
    CAROM_TRY(carom_bouncing_pendulum_alloc(&values->pendulum, &model, report));
    results all = {.values = values, .model = model, .accumulation = (double)NAN};
    const carom_status status = compute(&all, common, record, report);
    bouncing_pendulum_free_runs(&all);
    carom_model_free(model);
    return status;
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("mass", settings, pendulum.mass, "kg", "mass m", "positive"),
    CAROM_REAL("inertia", settings, pendulum.inertia, "kg m2", "inertia J about the mass centre",
               "positive"),
    CAROM_REAL("length", settings, pendulum.length, "m",
               "length l from the pivot to the mass centre", "positive"),
    CAROM_REAL("gravity", settings, pendulum.gravity, "m s-2", "gravitational acceleration a_g",
               "not negative"),
    CAROM_REAL("initial-angle", settings, pendulum.initial_angle, "rad",
               "angle theta_0 above the horizontal at release", "any"),
    CAROM_REAL("initial-rate", settings, pendulum.initial_rate, "rad s-1",
               "rate of the angle at release", "any"),
    CAROM_REAL("wall-position", settings, pendulum.wall_position, "m",
               "position x of the wall, left of the pendulum", "any"),
    CAROM_REAL("restitution", settings, pendulum.restitution, "1", "coefficient e of the impacts",
               "[0, 1]"),
    CAROM_OPTIONS_OF(settings, schemes, carom_scheme_options_table),
};

int main(int argc, char **argv) {
    settings values = {
        .pendulum = carom_bouncing_pendulum_params_default(),
        .schemes = carom_scheme_options_default(1e-3, 6.0),
    };
    const carom_program program = {
        .name = "bouncing_pendulum",
        .title = "A rigid pendulum in redundant coordinates against a wall",
        .source = "bruls-2014",
        .schema = "bouncing_pendulum 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(carom_scheme_tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &values);
}
