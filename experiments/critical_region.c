/**
 * critical_region: where collisionless motion ceases to exist (pankov-2024 section 5, figure 2,
 * appendix D).
 *
 *     rank B(tau, tau') < N,   lambda_1 < lambda'_1 < ... < lambda'_{N-1} < lambda_N   (13), (6)
 *
 * as lambda'_{N-1} -> 0+. Printed in the paper: N = 4, lambda'_{N-1} = 0.01 s-2, |lambda_i| of
 * order one. Not printed: the spectrum of figure 2, the parities, the ranges of its axes, and how
 * spectra were sampled. Chosen: the spectrum below, even modes and odd constrained ones as in
 * section 6, and, with --random-spectrum and for all statements about random spectra, 2N-3 numbers
 * uniform in
 * (-4,-0.3) s-2, sorted and assigned to the two phases in turn, and lambda_N uniform in (0.5,3)
 * s-2.
 *
 * In critical_region/: spectra.c and draws.c make spectra; curves.c, roots.c, crosses.c figure 2;
 * limit.c the equation of the critical time, sweep.c the way to it; equations.c the formulas of
 * appendix D; other.c two further spectra; slopes.c, searches.c, realizability.c random ones;
 * writing.c is shared.
 */
#include "critical_region/results.h"

#include <carom/study/collisionless_record.h>

static carom_status check(void *context, carom_report *report) {
    return critical_region_check(context, report);
}

/** All parts in their order. */
static carom_status compute(critical *c) {
    critical_region_write_spectra(c);
    CAROM_TRY(critical_region_write_curves(c));
    CAROM_TRY(critical_region_write_roots(c));
    CAROM_TRY(critical_region_write_crosses(c));
    CAROM_TRY(critical_region_write_limit(c));
    CAROM_TRY(critical_region_write_sweep(c));
    CAROM_TRY(critical_region_write_equations(c));
    CAROM_TRY(critical_region_write_other(c));
    CAROM_TRY(critical_region_write_slopes(c));
    CAROM_TRY(critical_region_write_searches(c));
    return critical_region_write_realizability(c);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    critical c = {.values = context, .common = common, .record = record, .report = report};
    carom_status status = critical_region_open(&c);
    if (status == CAROM_OK) {
        status = compute(&c);
    }
    critical_region_close(&c);
    return status;
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL_LIST("spectrum", settings, spectrum, "s-2",
                    "unconstrained eigenvalues, ascending, the last one alone positive", "any"),
    CAROM_REAL_LIST(
        "constrained-spectrum", settings, constrained_spectrum, "s-2",
        "constrained eigenvalues, one between each two of the former, the last one positive",
        "any"),
    CAROM_FLAG("random-spectrum", settings, is_random,
               "draw both spectra instead, with --seed; the two lists are not used"),
    CAROM_INTEGER("modes", settings, mode_count, "1",
                  "unconstrained modes N of the spectrum that is drawn, 2 to 16", "[2, 16]"),
    CAROM_REAL("critical-eigenvalue", settings, critical_eigenvalue, "s-2",
               "largest constrained eigenvalue of the spectrum that is drawn, below 0.5",
               "positive"),
    CAROM_CHOICE("parity", settings, parity, "of the unconstrained modes in time", "even|odd"),
    CAROM_CHOICE("constrained-parity", settings, constrained_parity,
                 "of the constrained modes in time", "even|odd"),
    CAROM_REAL("max-phase", settings, max_phase, "rad", "largest impact phase o_N of figure 2",
               "(0.02, 1e8]"),
    CAROM_REAL("max-constrained-phase", settings, max_constrained_phase, "rad",
               "largest impact phase o'_{N-1} of figure 2", "(0.02, 1e8]"),
    CAROM_INTEGER("grid-columns", settings, grid_columns, "1",
                  "cells of the contour along o_N, up to 8192", "[2, 8192]"),
    CAROM_INTEGER("grid-rows", settings, grid_rows, "1",
                  "cells of the contour along o'_{N-1}, up to 8192", "[2, 8192]"),
    CAROM_REAL("sweep-from", settings, sweep_from, "s-2",
               "largest constrained eigenvalue at the beginning of the sweep", "positive"),
    CAROM_REAL("sweep-to", settings, sweep_to, "s-2",
               "and at its end, below the former, 1e-12 or more", "[1e-12, inf)"),
    CAROM_INTEGER("sweep-points", settings, sweep_points, "1", "points of the sweep, 3 to 100000",
                  "[3, 100000]"),
    CAROM_INTEGER("draws", settings, draws, "1",
                  "random spectra for the sign of c_0, up to 10000000", "[1, 10000000]"),
    CAROM_INTEGER("searches", settings, searches, "1",
                  "random spectra whose roots are searched without a guess, up to 1000000",
                  "[1, 1000000]"),
    CAROM_INTEGER("motions", settings, motions, "1",
                  "random spectra whose motions are judged, up to 1000000", "[1, 1000000]"),
};

int main(int argc, char **argv) {
    settings v = critical_region_defaults();
    const carom_program program = {
        .name = "critical_region",
        .title = "Collisionless motion at the edge of its existence",
        .source = "pankov-2024",
        .schema = "critical_region 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(carom_collisionless_tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
