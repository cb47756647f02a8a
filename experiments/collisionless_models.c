/**
 * collisionless_models: motions without collisions of systems with two degrees of freedom: hopper,
 * juggler, extended rimless wheel, coronal rocking (pankov-2024 section 4, figure 1, appendix C).
 *
 *     m x'' + k x = e_2 F_2,   F_2 = 0 or x_2 = x_2^0,   x_2' = x_2'' = 0 at every impact
 *
 * Impact times by the closed forms (24), (26), (28) and by the solver for any number of degrees of
 * freedom; the motion of one root unfolded over a period, and integrated event by event with
 * perfectly plastic contact. The paper prints no parameters and no matrices for these systems: unit
 * masses, lengths, stiffness and gravity are chosen, and unit half angles, the motion being
 * proportional to them.
 */
#include "collisionless_models/results.h"

#include <gsl/gsl_math.h>

/** Refuse what the options cannot see one by one. */
static carom_status check(void *context, carom_report *report) {
    const settings *values = context;
    if (values->root > values->columns) {
        return carom_report_bound(report, "root", values->root,
                                  "up to --columns =", values->columns);
    }
    results r = {.values = values, .report = report};
    const carom_status status = collisionless_models_prepare(&r);
    collisionless_models_clear(&r);
    return status;
}

/** One model: its impact times, and one of its motions by two ways. */
static carom_status compute_gait(results *r, gait *g) {
    CAROM_TRY(collisionless_models_write_roots(r, g));
    CAROM_TRY(collisionless_models_write_motion(r, g));
    return collisionless_models_simulate(r, g);
}

/** Solve, follow, compare, and write everything. */
static carom_status compute(results *r, bool is_quiet) {
    series_orders orders;
    existence found;
    double same_frequencies = 0.0;
    CAROM_TRY(collisionless_models_prepare(r));
    carom_progress *progress = carom_progress_start("models", MODELS, "models", is_quiet);
    carom_status status = CAROM_OK;
    for (int i = 0; i < MODELS && status == CAROM_OK; i++) {
        gait *g = &r->gaits[i];
        status = compute_gait(r, g);
        if (status != CAROM_OK) {
            carom_report_set_context(r->report, g->group + 1);
        }
        carom_progress_add(progress, 1);
    }
    carom_progress_finish(progress);
    CAROM_TRY(status);
    CAROM_TRY(collisionless_models_compare(r, &same_frequencies));
    CAROM_TRY(collisionless_models_draw(r));
    CAROM_TRY(collisionless_models_write_series_errors(r, &orders));
    CAROM_TRY(collisionless_models_write_existence(r, &found));
    return collisionless_models_write_claims(r, &orders, &found, same_frequencies);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    results r = {.values = context, .record = record, .report = report, .seed = common->seed};
    const carom_status status = compute(&r, common->is_quiet);
    collisionless_models_clear(&r);
    return status;
}

int main(int argc, char **argv) {
    settings v = {
        .hopper = carom_hopper_params_default(),
        .juggler = carom_juggler_params_default(),
        .reaction_wheel = carom_reaction_wheel_params_default(),
        .pendulum_wheel = carom_pendulum_wheel_params_default(),
        .rocker = carom_coronal_rocker_params_default(),
        .gravity = 1.0,
        .columns = 8,
        .root = 1,
        .row = 0,
        .samples = 401,
        .periods = 10,
        .drawn_angle = M_PI / 16.0,
        .drawn_pendulum = 0.5,
    };
    carom_option options[COLLISIONLESS_MODELS_OPTIONS + 8] = {
        {"gravity", CAROM_OPTION_REAL, &v.gravity, "m s-2", "gravitational acceleration g",
         CAROM_RANGE_POSITIVE, NULL},
        {"columns", CAROM_OPTION_INTEGER, &v.columns, "1",
         "roots of each model, from its first that is no trivial one, at most 64",
         CAROM_RANGE_INTERVAL, "[1, 64]"},
        {"root", CAROM_OPTION_INTEGER, &v.root, "1",
         "which of them is followed over a period, from 1", CAROM_RANGE_POSITIVE, NULL},
        {"row", CAROM_OPTION_INTEGER, &v.row, "1",
         "r, further half oscillations of the constrained phase; only 0 is realizable",
         CAROM_RANGE_INTERVAL, "[0, 64]"},
        {"samples", CAROM_OPTION_INTEGER, &v.samples, "1", "instants of a period",
         CAROM_RANGE_INTERVAL, "[2, 100000]"},
        {"periods", CAROM_OPTION_INTEGER, &v.periods, "1",
         "periods that are integrated event by event, at most 64", CAROM_RANGE_INTERVAL, "[1, 64]"},
        {"drawn-angle", CAROM_OPTION_REAL, &v.drawn_angle, "rad",
         "half angle of spokes and legs in figure 1, below 1; the wheel has pi over it spokes",
         CAROM_RANGE_INTERVAL, "(0, 1)"},
        {"drawn-pendulum-length", CAROM_OPTION_REAL, &v.drawn_pendulum, "m",
         "length of pendulums in figure 1", CAROM_RANGE_POSITIVE, NULL},
    };
    collisionless_models_append_options(&v, options + 8);
    const carom_program program = {
        .name = "collisionless_models",
        .title = "Motion without collisions with two degrees of freedom",
        .source = "pankov-2024",
        .schema = "collisionless_models 1",
    };
    return carom_experiment_main(&program, argc, argv, options,
                                 (int)(sizeof options / sizeof options[0]), check, body, &v);
}
