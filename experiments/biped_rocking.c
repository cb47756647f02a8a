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

#include <carom/collisionless/curves/critical_region.h>
#include <carom/collisionless/roots/internal.h>

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

/** Each root of the window has a group of its own in the record. */
enum { MOST_ROOTS = 400 };

/** theta of figure 6, rad. */
static const double PUBLISHED_AMPLITUDE = 0.1;

/* --- the biped -------------------------------------------------------------------------------- */

/** Whether all numbers of a list are one, given as such, so exactly; and so many. */
static bool are_ones(const carom_real_list *list, int count) {
    bool holds = list->count == count;
    for (int i = 0; i < list->count; i++) {
        holds = holds && !(fabs(list->values[i] - 1.0) > 0.0);
    }
    return holds;
}

/** Whether no option selects a part: the record of the document has them all. */
static bool is_picture(const settings *values) {
    return !values->is_nonlinear && isnan(values->amplitude) && isnan(values->max_amplitude) &&
           are_ones(&values->lengths, 3) && are_ones(&values->masses, 4) &&
           !(fabs(values->gravity - 1.0) > 0.0) && values->column == 2 && values->row == 0;
}

/** The biped of the options; lists that do not fit together are refused. */
static carom_status make_biped(const settings *values, carom_armed_biped_params *biped,
                               carom_report *report) {
    const int lengths = values->lengths.count;
    const int masses = values->masses.count;
    if (lengths < 3) {
        return carom_report_refuse(report, "number of --lengths", lengths, -1,
                                   "at least 3: leg, torso links, arm");
    }
    if (masses != lengths + 1) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "the number of --masses is %d, one more than that of --lengths, "
                                "%d, expected",
                                masses, lengths + 1);
    }
    *biped = (carom_armed_biped_params){
        .torso_count = lengths - 2,
        .has_arm = true,
        .lengths = values->lengths.values,
        .masses = values->masses.values,
        .gravity = values->gravity,
        .half_step_angle = isnan(values->amplitude) ? PUBLISHED_AMPLITUDE : values->amplitude,
    };
    return carom_armed_biped_check(biped, report);
}

/** Amplitude from which on the exact biped, whose angles are known to rounding, has six digits of a
 * gait, rad. */
static const double LEAST_EXACT_AMPLITUDE = 1e-9;

/** Refuse options that do not fit together. */
static carom_status check(void *context, carom_report *report) {
    const settings *values = context;
    const carom_impact_phase_window *window = &values->window;
    carom_armed_biped_params biped;
    CAROM_TRY(make_biped(values, &biped, report));
    CAROM_TRY(carom_impact_phase_window_check(window, report));
    if (values->is_nonlinear && values->amplitude < LEAST_EXACT_AMPLITUDE) {
        return carom_report_bound(report, "--amplitude of an exact gait", values->amplitude,
                                  "at least", LEAST_EXACT_AMPLITUDE);
    }
    const double cells = window->max_phase / M_PI * (window->max_constrained_phase / M_PI);
    if (cells > MOST_ROOTS) {
        return carom_report_bound(report, "roots of --max-phase by --max-constrained-phase", cells,
                                  "at most", MOST_ROOTS);
    }
    return CAROM_OK;
}

/* --- its harmonic gait ------------------------------------------------------------------------ */

static void results_clear(results *r) {
    carom_collisionless_motion_free(r->gait);
    carom_root_list_free(r->roots);
    carom_phase_modes_free(r->modes);
    free(r->mass);
}

/** Growth of a mode up to which its amplitude and its hyperbolic functions are numbers: e^690. */
static const double LARGEST_GROWTH = 690.0;

/** Refuse a column or row whose phase lasts so long that a mode grows out of range; the times grow
 * with both in proportion. */
static carom_status refuse_growth(const results *r) {
    const carom_phase_spectra *s = r->modes->spectra;
    const struct {
        const char *name;
        int number;
        double growth;
    } phases[] = {
        {"column", r->values->column, sqrt(fmax(0.0, -s->unconstrained[0])) * r->root.time},
        {"row", r->values->row, sqrt(fmax(0.0, -s->constrained[0])) * r->root.constrained_time},
    };
    for (int k = 0; k < COUNT(phases); k++) {
        if (!(phases[k].growth <= LARGEST_GROWTH)) {
            return carom_report_bound(r->report, phases[k].name, phases[k].number, "at most",
                                      floor(phases[k].number * LARGEST_GROWTH / phases[k].growth));
        }
    }
    return CAROM_OK;
}

/** Matrices, modes, roots and gait. */
static carom_status solve(results *r) {
    const int N = carom_armed_biped_coordinate_count(&r->biped);
    const size_t n = (size_t)N;
    r->coordinate_count = N;
    r->mass = malloc(n * (2 * n + 1) * sizeof *r->mass);
    if (r->mass == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    r->stiffness = r->mass + n * n;
    r->equilibrium = r->stiffness + n * n;
    CAROM_TRY(carom_armed_biped_linear(&r->biped, r->mass, r->stiffness, r->equilibrium,
                                       &r->statics, r->report));
    CAROM_TRY(carom_phase_modes_compute(N, r->mass, r->stiffness, CAROM_PARITY_EVEN,
                                        CAROM_PARITY_ODD, &r->modes, r->report));
    const carom_phase_spectra *spectra = r->modes->spectra;
    CAROM_TRY(
        carom_impact_roots_cell(spectra, r->values->column, r->values->row, &r->root, r->report));
    CAROM_TRY(refuse_growth(r));
    const carom_root_search_params box = carom_impact_phase_window_box(&r->values->window, spectra);
    CAROM_TRY(carom_impact_roots_find(spectra, &box, &r->roots, r->report));
    return carom_collisionless_motion_compute(r->modes, r->root.time, r->root.constrained_time,
                                              CAROM_MOTION_SCALE_CONTACT_LEVEL,
                                              r->statics.contact_level, &r->gait, r->report);
}

/* --- modes ------------------------------------------------------------------------------------ */

/** (10) in its second form as it is printed, (lambda' - lambda_N)' Mbar^-1 [N-1]; `inverse` is
 * scratch [N-1][N-1]. */
static void fill_printed(const carom_phase_spectra *s, double *inverse, double *printed) {
    const int count = s->mode_count - 1;
    carom_cauchy_inverse(count, s->unconstrained, s->constrained, inverse);
    for (int i = 0; i < count; i++) {
        printed[i] = 0.0;
        for (int j = 0; j < count; j++) {
            printed[i] += (s->constrained[j] - s->unconstrained[count]) * inverse[j * count + i];
        }
    }
}

/** The matrices and modes in the paper's scaling. */
static void write_arrays(carom_record *group, const results *r, const double *cauchy,
                         const double *printed) {
    const carom_phase_modes *modes = r->modes;
    const carom_phase_spectra *s = modes->spectra;
    const struct {
        const char *row_axis;
        const char *column_axis;
        carom_column column;
    } arrays[] = {
        {"coordinate", "coordinate", {"mass", r->mass, "kg m2", "m"}},
        {"coordinate", "coordinate", {"stiffness", r->stiffness, "N m", "k"}},
        {"coordinate",
         NULL,
         {"equilibrium", r->equilibrium, "rad",
          "angles from the upward vertical in equilibrium on one foot"}},
        {"mode", NULL, {"spectrum", s->unconstrained, "s-2", "lambda, one foot on the ground"}},
        {"constrained_mode",
         NULL,
         {"constrained_spectrum", s->constrained, "s-2", "lambda', both feet on the ground"}},
        {"coordinate", "mode", {"shape", modes->shape, "1", "X, c X'mX = 1, X_NN = 1"}},
        {"coordinate",
         "constrained_mode",
         {"constrained_shape", modes->constrained_shape, "s2", "X' = X.X_N M"}},
        {"mode", "constrained_mode", {"cauchy", cauchy, "s2", "M, 1/(lambda_i - lambda'_j)"}},
        {"mode",
         NULL,
         {"participation", modes->participation, "1", "eta, squares of the last row of X"}},
        {"constrained_mode",
         NULL,
         {"participation_as_printed", printed, "s-4",
          "the paper's second form of (10), without its lost reciprocal: not eta"}},
    };
    carom_record_index_axis(group, "coordinate", r->coordinate_count,
                            "arm, torso links from above, stance leg");
    carom_record_index_axis(group, "mode", s->mode_count, "unconstrained mode");
    carom_record_index_axis(group, "constrained_mode", s->mode_count - 1, "constrained mode");
    for (int k = 0; k < COUNT(arrays); k++) {
        carom_record_columns(group, arrays[k].row_axis, arrays[k].column_axis, &arrays[k].column,
                             1);
    }
}

static carom_status write_modes(const results *r) {
    const double theta = r->biped.half_step_angle;
    const carom_phase_spectra *s = r->modes->spectra;
    const carom_measure scalars[] = {
        {"normalisation", r->modes->normalisation, "kg-1 m-2", "c, inverse modal mass of mode N"},
        {"lean", r->statics.lean, "rad", "xi, angle of the leg in equilibrium on one foot"},
        {"contact_level", r->statics.contact_level, "rad",
         "x_N^0, leg with both feet down from that equilibrium"},
        {"contact_force", r->statics.contact_force, "N m",
         "F_N^0, static torque of the ground on the leg"},
    };
    const carom_measure measures[] = {
        {"amplitude", theta, "rad", "theta, half angle between the legs"},
        {"lean_per_theta", r->statics.lean / theta, "1", "xi over theta"},
    };
    const size_t N = (size_t)s->mode_count;
    CAROM_AUTO_MEMORY double *cauchy = malloc(2 * N * N * sizeof *cauchy);
    if (cauchy == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *printed = cauchy + N * (N - 1);
    fill_printed(s, printed + N, printed);
    carom_cauchy_matrix((int)N, (int)N - 1, s->unconstrained, s->constrained, cauchy);
    carom_record group = carom_record_group(r->record, "/modes");
    write_arrays(&group, r, cauchy, printed);
    carom_record_scalars(&group, scalars, COUNT(scalars));
    carom_record_measures(r->record, measures, COUNT(measures));
    return CAROM_OK;
}

/* --- roots ------------------------------------------------------------------------------------ */

/** The place of a root in the grid, and where the roots of its row and column tend to. */
typedef struct root_limits {
    double saturated_phase;             /**< o_N with all hyperbolic modes saturated */
    double saturated_constrained_phase; /**< o'_(N-1) likewise */
    double row_height;                  /**< o'_(N-1) far to the right */
} root_limits;

static const carom_field LIMITS[] = {
    CAROM_FIELD("saturated_phase", root_limits, saturated_phase, "rad",
                "o_N of the closed form for saturated modes"),
    CAROM_FIELD("saturated_constrained_phase", root_limits, saturated_constrained_phase, "rad",
                "o'_(N-1) of the closed form for saturated modes"),
    CAROM_FIELD("row_height", root_limits, row_height, "rad",
                "o'_(N-1) of the row for tau without limit"),
};

/** How soon the roots form a square grid of step pi. */
static carom_status write_limits(const results *r) {
    const int count = r->roots->count;
    CAROM_AUTO_MEMORY root_limits *rows = calloc((size_t)count + 1, sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < count; k++) {
        const carom_impact_root *root = &r->roots->roots[k];
        CAROM_TRY(carom_asymptotic_roots_phases(r->modes->spectra, root->column, root->row,
                                                &rows[k].saturated_phase,
                                                &rows[k].saturated_constrained_phase));
        CAROM_TRY(
            carom_asymptotic_roots_row_height(r->modes->spectra, root->row, &rows[k].row_height));
    }
    carom_record group = carom_record_group(r->record, "/roots");
    carom_record_rows(&group, "root", rows, count, sizeof *rows, LIMITS, COUNT(LIMITS));
    return CAROM_OK;
}

/** All roots of the window with their motions, and the gait in units of theta. */
static carom_status write_roots(const results *r) {
    const carom_phase_spectra *s = r->modes->spectra;
    const carom_measure place[] = {
        {"gait_phase", carom_phase_spectra_frequency(s) * r->root.time, "rad", "o_N of the gait"},
        {"gait_constrained_phase",
         carom_phase_spectra_constrained_frequency(s) * r->root.constrained_time, "rad",
         "o'_(N-1) of the gait"},
        {"gait_residual", r->root.residual, "1", "|Z u| of the gait's root"},
    };
    carom_collisionless_record writer = {
        .record = r->record,
        .modes = r->modes,
        .scale = CAROM_MOTION_SCALE_CONTACT_LEVEL,
        .size = r->statics.contact_level,
        .samples = r->values->samples,
        .units = {"rad", "rad s-1", "rad s-2", "N m", "kg-1 m-2"},
    };
    CAROM_TRY(carom_collisionless_record_write(&writer, r->roots, r->report));
    writer.size = r->statics.contact_level / r->biped.half_step_angle;
    writer.units = (carom_collisionless_units){"1", "s-1", "s-2", "N m", "kg-1 m-2"};
    carom_record unit = carom_record_group(r->record, "/unit");
    CAROM_TRY(carom_collisionless_record_solution(&writer, &unit, &r->root, r->report));
    carom_record_measures(r->record, place, COUNT(place));
    CAROM_TRY(carom_collisionless_record_phases(r->record, s, r->roots));
    return write_limits(r);
}

/** The contours of figure 4 and where they cross. */
static carom_status write_curves(const results *r) {
    const carom_phase_spectra *s = r->modes->spectra;
    const carom_impact_phase_window *window = &r->values->window;
    CAROM_AUTO(carom_determinant_curves) curves = NULL;
    CAROM_TRY(carom_determinant_curves_trace(s, window, &curves, r->report));
    CAROM_TRY(carom_collisionless_record_curves(r->record, s, curves, false));
    return carom_collisionless_record_crossings(r->record, s, window, r->roots, r->report);
}

/* --- the program ------------------------------------------------------------------------------ */

/** The harmonic gait; then what was asked for, or everything. */
static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    const bool has_all = is_picture(values);
    const bool has_exact = has_all || values->is_nonlinear || !isnan(values->max_amplitude);
    const struct {
        bool is_wanted;
        carom_status (*write)(const results *);
    } parts[] = {
        {true, write_modes},
        {true, write_roots},
        {true, write_curves},
        {true, biped_rocking_write_impact},
        {true, biped_rocking_write_drawing},
        {has_exact, biped_rocking_write_exact},
        {has_all, biped_rocking_write_chain},
        {has_all, biped_rocking_write_simulation},
    };
    CAROM_AUTO_VALUE(results) r = {.values = values, .record = record, .report = report};
    CAROM_TRY(make_biped(values, &r.biped, report));
    CAROM_TRY(solve(&r));
    carom_progress *progress =
        carom_progress_start("parts", COUNT(parts), "parts", common->is_quiet);
    carom_status status = CAROM_OK;
    for (int i = 0; i < COUNT(parts) && status == CAROM_OK; i++) {
        status = parts[i].is_wanted ? parts[i].write(&r) : CAROM_OK;
        carom_progress_add(progress, 1);
    }
    carom_progress_finish(progress);
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
               "largest theta of the branch of exact gaits, else up to its end", "[1e-9, 1.57]"),
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
        .schema = "biped_rocking 2",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(carom_collisionless_tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
