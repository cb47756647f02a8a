/**
 * biped_rocking: a biped with a standing torso and a hanging arm rocks from foot to foot without
 * losing energy (pankov-2024 section 6, figures 3 to 6, appendix E).
 *
 *     m x'' + k x = e_N F_N,   x = (arm; torso links from above; stance leg),
 *     one foot: F_N = 0, even about P;   two feet: x_N = x_N^0, odd about P'
 *
 * Printed in the paper: all lengths, masses and gravity 1, theta = 0.1 in figure 6. Inferred: the
 * window of figure 4. Beyond the paper: any number of torso links, the exact (trigonometric) biped
 * continued in theta, and both simulated with plastic landings.
 *
 * What the paper says is asked of the record, in data/published/biped_rocking.csv.
 */
#include "biped_rocking/results.h"

#include <carom/collisionless/curves/determinant.h>
#include <carom/study/collisionless_record.h>

#include <gsl/gsl_math.h>

#include <math.h>

/** Each root of the window has a group of its own in the record. */
enum { MOST_ROOTS = 400 };

/** theta of figure 6, rad. */
static const double PUBLISHED_AMPLITUDE = 0.1;

double biped_rocking_amplitude(const settings *values) {
    return isnan(values->amplitude) ? PUBLISHED_AMPLITUDE : values->amplitude;
}

/** Whether all numbers of a list are one, and so many. */
static bool are_ones(const carom_real_list *list, int count) {
    bool holds = list->count == count;
    for (int i = 0; i < list->count; i++) {
        // Given as such, so exactly.
        holds = holds && !(fabs(list->values[i] - 1.0) > 0.0);
    }
    return holds;
}

/** Whether the biped and its gait are those of the paper. */
static bool is_published(const settings *values) {
    return are_ones(&values->lengths, 3) && are_ones(&values->masses, 4) &&
           !(fabs(values->gravity - 1.0) > 0.0) && values->column == 2 && values->row == 0;
}

bool biped_rocking_is_picture(const settings *values) {
    return !values->is_nonlinear && isnan(values->amplitude) && isnan(values->max_amplitude) &&
           is_published(values);
}

/** Refuse options that do not fit together. */
static carom_status check(void *context, carom_report *report) {
    const settings *values = context;
    carom_armed_biped_params biped;
    CAROM_TRY(biped_rocking_params(values, &biped, report));
    CAROM_TRY(carom_impact_phase_window_check(&values->window, report));
    const carom_impact_phase_window *window = &values->window;
    const double cells = window->max_phase / M_PI * (window->max_constrained_phase / M_PI);
    if (cells > MOST_ROOTS) {
        return carom_report_bound(report, "roots of --max-phase by --max-constrained-phase", cells,
                                  "at most", MOST_ROOTS);
    }
    return CAROM_OK;
}

/** The harmonic gait; then what was asked for, or everything. */
static carom_status write(const results *r) {
    const settings *values = r->values;
    const bool is_picture = biped_rocking_is_picture(values);
    const bool has_exact = is_picture || values->is_nonlinear || !isnan(values->max_amplitude);
    const struct {
        bool is_wanted;
        carom_status (*write)(const results *);
    } parts[] = {
        {true, biped_rocking_write_modes},
        {true, biped_rocking_write_roots},
        {true, biped_rocking_write_drawing},
        {true, biped_rocking_write_matching},
        {has_exact, biped_rocking_write_nonlinear},
        {is_picture, biped_rocking_write_chain},
        {is_picture, biped_rocking_write_simulation},
    };
    const int count = (int)(sizeof parts / sizeof parts[0]);
    carom_progress *progress = carom_progress_start("parts", count, "parts", r->common->is_quiet);
    carom_status status = CAROM_OK;
    for (int i = 0; i < count && status == CAROM_OK; i++) {
        status = parts[i].is_wanted ? parts[i].write(r) : CAROM_OK;
        carom_progress_add(progress, 1);
    }
    carom_progress_finish(progress);
    return status;
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    results r = {.values = context, .common = common, .record = record, .report = report};
    carom_status status = biped_rocking_params(r.values, &r.biped, report);
    if (status == CAROM_OK) {
        status = biped_rocking_solve(&r);
    }
    if (status == CAROM_OK) {
        status = write(&r);
    }
    biped_rocking_clear(&r);
    return status;
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL_LIST("lengths", settings, lengths, "m", "leg, torso links from the hip up, arm",
                    "positive"),
    CAROM_REAL_LIST(
        "masses", settings, masses, "kg",
        "one foot, hip, tops of the torso links from the hip up, hand: one more than lengths",
        "not negative"),
    CAROM_REAL("gravity", settings, gravity, "m s-2", "acceleration of gravity g", "positive"),
    CAROM_REAL(
        "amplitude", settings, amplitude, "rad",
        "half angle theta between the legs, 0.1 if not given; with --nonlinear that one gait",
        "(0, 1.57]"),
    CAROM_INTEGER("column", settings, column, "1",
                  "column n of the gait, half oscillations on one foot, 2 at least",
                  "[2, 1000000]"),
    CAROM_INTEGER("row", settings, row, "1",
                  "row r of the gait, half oscillations on two feet; only row 0 is realizable",
                  "not negative"),
    CAROM_FLAG("nonlinear", settings, is_nonlinear, "continue the gait to the exact biped"),
    CAROM_REAL("max-amplitude", settings, max_amplitude, "rad",
               "largest theta of the branch of exact gaits, else up to its end", "(0, 1.57]"),
    CAROM_INTEGER("samples", settings, samples, "1", "instants from P to P', 4 at least",
                  "[4, 100000]"),
    CAROM_REAL("min-phase", settings, window.min_phase, "rad",
               "window of the contours: least impact phase o_N", "positive"),
    CAROM_REAL("max-phase", settings, window.max_phase, "rad", "largest o_N", "positive"),
    CAROM_REAL("min-constrained-phase", settings, window.min_constrained_phase, "rad",
               "least impact phase o'_(N-1)", "positive"),
    CAROM_REAL("max-constrained-phase", settings, window.max_constrained_phase, "rad",
               "largest o'_(N-1)", "positive"),
    CAROM_INTEGER("grid-columns", settings, window.columns, "1", "cells along o_N", "[2, 8192]"),
    CAROM_INTEGER("grid-rows", settings, window.rows, "1", "cells along o'_(N-1)", "[2, 8192]"),
};

int main(int argc, char **argv) {
    static const double UNIT_LENGTHS[] = {1.0, 1.0, 1.0};
    static const double UNIT_MASSES[] = {1.0, 1.0, 1.0, 1.0};
    settings v = {
        .lengths = {3, UNIT_LENGTHS},
        .masses = {4, UNIT_MASSES},
        .gravity = 1.0,
        .amplitude = (double)NAN,
        .column = 2,
        .row = 0,
        .max_amplitude = (double)NAN,
        .samples = 400,
        .window = carom_impact_phase_window_default(),
    };
    const carom_program program = {
        .name = "biped_rocking",
        .title = "Collisionless rocking of a biped with an armed standing torso",
        .source = "pankov-2024",
        .schema = "biped_rocking 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(carom_collisionless_tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
