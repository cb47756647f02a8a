/**
 * serial_oscillator: nonsmooth modes of a chain of masses and springs whose free end strikes a
 * rigid obstacle elastically (thorin-2017 sections 6 to 8, figures 4 to 16).
 *
 *     M u'' + K u = 0,   x_n <= d,   x_n'+ = -x_n'- where x_n = d   (7.1)-(7.3)
 *
 * Printed in the paper: n = 5, m_i = 1/n, k_i = n, d = 1; the harmonics 4 T_3 (figures 7, 8) and
 * 3 T_3 (figures 9 to 11); the pattern c, b, a, b, c, d, d (figures 4, 15); 1000 periods (figure
 * 16). Inferred: SI units. Chosen, because the paper is silent: all periods and flight times.
 * Figure 6 ends beyond T_1. Figure 7 begins at the grazing end of the only admissible interval at
 * 4 T_3; figure 10 follows the branch that tends to the linear mode at (2 T_3, T_3). Figure 12
 * shows the family at the end of figure 7, figure 13 the only bridge below 8.4 s whose members are
 * all admissible. Figure 15 shows one of several continua of the printed pattern, figure 16 three
 * neutrally stable motions and perturbations of 1e-3.
 *
 * In serial_oscillator/: modal.c, phi.c, intervals.c, single*.c one impact; flight_times.c,
 * double*.c two; families.c, family.c, bridge.c constant periods; seven.c, symmetry.c seven;
 * stability.c, windows.c; theorems.c, dimensions.c on structures.c; the rest is shared.
 */
#include "serial_oscillator/results.h"

static carom_status check(void *context, carom_report *report) {
    return serial_oscillator_check(context, report);
}

/** All parts in their order. */
static carom_status compute(oscillator *o) {
    CAROM_TRY(serial_oscillator_write_modal(o));
    static carom_status (*const parts[])(const oscillator *) = {
        serial_oscillator_write_theorems,  serial_oscillator_write_dimensions,
        serial_oscillator_write_phi,       serial_oscillator_write_single,
        serial_oscillator_write_double,    serial_oscillator_write_families,
        serial_oscillator_write_seven,     serial_oscillator_write_symmetry,
        serial_oscillator_write_stability, serial_oscillator_write_windows,
    };
    // The intervals that later parts read come first.
    carom_status status = serial_oscillator_write_intervals(o);
    carom_progress *progress =
        carom_progress_start("parts", COUNT(parts), "parts", o->common->is_quiet);
    for (int i = 0; i < COUNT(parts) && status == CAROM_OK; i++) {
        status = parts[i](o);
        carom_progress_add(progress, 1);
    }
    carom_progress_finish(progress);
    return status;
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    oscillator o = {.values = values, .common = common, .record = record, .report = report};
    carom_status status = serial_oscillator_open(&o);
    if (status == CAROM_OK) {
        status = compute(&o);
    }
    serial_oscillator_close(&o);
    return status;
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_INTEGER("mass-count", settings, mass_count, "1", "masses n of the chain", "[1, 100]"),
    CAROM_REAL("gap", settings, gap, "m", "gap at rest d; negative: prestressed", "any"),
    CAROM_REAL("max-period", settings, max_period, "s", "longest period of intervals and families",
               "positive"),
    CAROM_INTEGER("points", settings, points, "1", "points of a curve", "[11, 100000]"),
    CAROM_REAL("perturbation", settings, perturbation, "1",
               "size of the perturbations of figure 16 over the state", "positive"),
    CAROM_INTEGER("periods", settings, periods, "1", "periods of figure 16", "[1, 1000000]"),
    CAROM_REAL_LIST("single-periods", settings, single_periods, "s",
                    "periods of motions 2 to 5 of figure 7", "positive"),
    CAROM_REAL_LIST("double-periods", settings, double_periods, "s",
                    "periods of motions 1 to 5 of figure 10", "positive"),
    CAROM_REAL_LIST("family-times", settings, family_times, "s",
                    "flight times near the family of figure 12", "positive"),
    CAROM_REAL_LIST("seven-times", settings, seven_times, "s",
                    "flight times near a motion of figure 15", "positive"),
    CAROM_REAL_LIST("neutral-times-1", settings, neutral_times[0], "s",
                    "period of the first motion of figure 16", "positive"),
    CAROM_REAL_LIST("neutral-times-2", settings, neutral_times[1], "s",
                    "flight times of the second motion", "positive"),
    CAROM_REAL_LIST("neutral-times-3", settings, neutral_times[2], "s",
                    "flight times of the third motion", "positive"),
};

static const carom_table_column columns[] = {
    {.head = "period", .expression = "period"},
    {.head = "energy", .expression = "energy"},
    {.head = "largest multiplier", .expression = "spectral_radius"},
    {.head = "impact speed", .expression = "speed"},
};

static const carom_table tables[] = {
    {.groups = "/single/case_* /double/case_* /seven/case_*",
     .group_head = "motion",
     CAROM_COLUMNS(columns)},
};

int main(int argc, char **argv) {
    settings v = serial_oscillator_defaults();
    const carom_program program = {
        .name = "serial_oscillator",
        .title = "Nonsmooth modes of a chain that strikes an obstacle",
        .source = "thorin-2017",
        .schema = "serial_oscillator 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
