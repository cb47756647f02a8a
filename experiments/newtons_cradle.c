/**
 * newtons_cradle: balls on a line strike balls that touch (seghete-2014 example 1, figure 2).
 *
 *     phi_i = x_{i+1} - x_i - 2 r,   p+ = p- Gamma(w_1) .. Gamma(w_n) (14)
 *
 * The propagative law in every order of single impacts, time stepping with it, and the implicit
 * complementarity problem with error reduction, whose gains of energy figure 2b shows. Printed in
 * the paper: three equal balls, B and C touching and struck by A, coefficients of restitution 1,
 * 0.7 and 0, 60 Hz to 6 kHz. Inferred: error reduction of 0.2, added to the speed of restitution.
 * Chosen: masses, radius, speeds from 0.1 to 10 m/s, the place of the impact within a step,
 * 10 sweeps, 600 Hz between; nothing but the places of points within the bands depends on them.
 */
#include "newtons_cradle/results.h"

#include <carom/study/propagative_record.h>

#include <stdlib.h>

static carom_status check(void *context, carom_report *report) {
    settings *values = context;
    values->baseline.solver = (carom_error_reduction_solver)values->solver;
    return newtons_cradle_check(values, report);
}

/** Solve, compare, and write everything. */
static carom_status compute(results *r) {
    carom_record_index_axis(r->record, "/ball", r->values->balls,
                            "ball: A, B, C, .. from left to right");
    CAROM_TRY(newtons_cradle_prepare(r));
    CAROM_TRY(newtons_cradle_write_outcomes(r));
    CAROM_TRY(newtons_cradle_write_motions(r));
    if (r->values->speeds > 0) {
        CAROM_TRY(newtons_cradle_run_scatter(r));
        CAROM_TRY(newtons_cradle_write_scatter(r));
    }
    CAROM_TRY(newtons_cradle_write_chain(r));
    newtons_cradle_write_matrices(r);
    CAROM_TRY(newtons_cradle_sample_outcomes(r));
    CAROM_TRY(newtons_cradle_sample_inelastic(r));
    newtons_cradle_write_claims(r);
    return CAROM_OK;
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    results r = {.values = context, .common = common, .record = record, .report = report};
    const carom_status status = compute(&r);
    newtons_cradle_clear(&r);
    return status;
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_INTEGER("balls", settings, balls, "1", "number N of balls on the line", "[2, 500]"),
    CAROM_REAL_LIST("masses", settings, masses, "kg",
                    "masses from left to right, N of them; else 1 kg each", "positive"),
    CAROM_REAL_LIST("velocities", settings, velocities, "m s-1",
                    "velocities to the right, N of them; else 1,0,0,..", "any"),
    CAROM_REAL("radius", settings, radius, "m", "radius r of the balls", "positive"),
    CAROM_REAL("gap", settings, gap, "m",
               "gap of the fastest closing pair at the start; all closing pairs meet at once",
               "not negative"),
    CAROM_REAL("restitution", settings, restitution, "1",
               "coefficient of restitution R of the single motion", "[0, 1]"),
    CAROM_CHOICE("order", settings, order,
                 "order of single impacts: most or least approaching contact, lowest index, in "
                 "turn from the left or the right end, random, or all orders (motions: most)",
                 "most|least|index|first-left|first-right|random|all"),
    CAROM_INTEGER(
        "momenta", settings, momenta, "1",
        "most momenta on the way of all orders; a hundred bytes and more of memory for each",
        "positive"),
    CAROM_CHOICE("scheme", settings, scheme,
                 "motions that are recorded: exact flights, time stepping, implicit baseline",
                 "propagative|variational|baseline|all"),
    CAROM_REAL("step", settings, step, "s", "time step h of the single motion", "positive"),
    CAROM_REAL("duration", settings, duration, "s", "duration of the single motion", "positive"),
    CAROM_REAL("error-reduction", settings, baseline.error_reduction, "1",
               "part of a penetration that a step of the baseline removes", "[0, 1]"),
    CAROM_CHOICE("solver", settings, solver, "solver of the baseline", "sweeps|exact"),
    CAROM_INTEGER("sweeps", settings, baseline.sweeps, "1",
                  "projected Gauss-Seidel sweeps of a step", "positive"),
    CAROM_FLAG("warm-start", settings, baseline.is_warm_started,
               "sweeps begin with the last impulses"),
    CAROM_FLAG("speculative", settings, baseline.is_speculative,
               "contacts of the baseline act before they touch"),
    CAROM_REAL_LIST("coefficients", settings, coefficients, "1",
                    "coefficients of restitution of figure 2b", "[0, 1]"),
    CAROM_REAL_LIST("frequencies", settings, frequencies, "Hz",
                    "time steps per second of figure 2b", "positive"),
    CAROM_INTEGER("speeds", settings, speeds, "1",
                  "random speeds of a band, fewer for more than 10 balls; 0: no bands",
                  "[0, 100000]"),
    CAROM_INTEGER("stepped-speeds", settings, stepped_speeds, "1",
                  "of these for time stepping with the propagative law", "[0, 100000]"),
    CAROM_REAL("slowest", settings, slowest, "m s-1", "least speed of the fastest ball",
               "[1e-140, 1e140]"),
    CAROM_REAL("fastest", settings, fastest, "m s-1", "largest speed of the fastest ball",
               "[1e-140, 1e140]"),
    CAROM_INTEGER("chain-balls", settings, chain_balls, "1",
                  "balls of the chain that is struck at one end", "[2, 500]"),
};

int main(int argc, char **argv) {
    static const double coefficients[] = {1.0, 0.7, 0.0};
    static const double frequencies[] = {60.0, 600.0, 6000.0};
    settings v = {
        .balls = 3,
        .radius = 0.05,
        .gap = 0.07,
        .restitution = 1.0,
        .order = ORDER_COUNT,
        .momenta = carom_propagative_tree_params_default().most_momenta,
        .scheme = SCHEME_COUNT,
        .step = 1.0 / 60.0,
        .duration = 0.2,
        .baseline = carom_error_reduction_params_default(),
        .solver = CAROM_ERROR_REDUCTION_SWEEPS,
        .coefficients = {3, coefficients},
        .frequencies = {3, frequencies},
        .speeds = 400,
        .stepped_speeds = 40,
        .slowest = 0.1,
        .fastest = 10.0,
        .chain_balls = 10,
    };
    const carom_program program = {
        .name = "newtons_cradle",
        .title = "Newton's cradle: simultaneous impacts one after the other, and all at once",
        .source = "seghete-2014",
        .schema = "newtons_cradle 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(carom_propagative_tables),
    };
    const int status = carom_experiment_main(&program, argc, argv, check, body, &v);
    free(v.mass);
    free(v.velocity);
    return status;
}
