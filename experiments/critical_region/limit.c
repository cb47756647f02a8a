/** The critical limit: the crosses of figure 2, what (40) demands, the way to it, and the formulas
 * of appendix D; and where crossings of the curves are no roots. */
#include "results.h"

#include <carom/study/collisionless_record.h>

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

/* --- the crosses of (63) ---------------------------------------------------------------------- */

/** A column of the bottom row: its root, and what is printed, corrected, or ours. */
typedef struct cross {
    carom_impact_root root;
    double phase;             /**< of the root, rad, as all */
    double constrained_phase; /**< of the root */
    carom_critical_root corrected;
    carom_critical_root printed;
    carom_critical_root critical;
    double saturated_phase;
    double saturated_constrained_phase;
} cross;

static const carom_field CROSS_FIELDS[] = {
    CAROM_FIELD("root_phase", cross, phase, "rad", "root"),
    CAROM_FIELD("root_constrained_phase", cross, constrained_phase, "rad", "root"),
    CAROM_FIELD("corrected_phase", cross, corrected.phase, "rad", "(63) with (61) corrected"),
    CAROM_FIELD("corrected_constrained_phase", cross, corrected.constrained_phase, "rad",
                "(63) with (61) corrected"),
    CAROM_FIELD("printed_phase", cross, printed.phase, "rad", "(63) with (61) as printed"),
    CAROM_FIELD("printed_constrained_phase", cross, printed.constrained_phase, "rad",
                "(63) with (61) as printed"),
    CAROM_FIELD("critical_phase", cross, critical.phase, "rad",
                "(40) corrected, at its finite time"),
    CAROM_FIELD("saturated_phase", cross, saturated_phase, "rad",
                "our closed form for saturated hyperbolic modes"),
    CAROM_FIELD("saturated_constrained_phase", cross, saturated_constrained_phase, "rad",
                "our closed form for saturated hyperbolic modes"),
};

static carom_status fill_cross(const critical *c, int n, cross *to) {
    CAROM_TRY(carom_impact_roots_cell(c->spectra, n, 0, &to->root, c->report));
    to->phase = carom_phase_spectra_frequency(c->spectra) * to->root.time;
    to->constrained_phase =
        carom_phase_spectra_constrained_frequency(c->spectra) * to->root.constrained_time;
    CAROM_TRY(carom_critical_region_asymptote(c->region, n, 0, false, &to->corrected));
    CAROM_TRY(carom_critical_region_asymptote(c->region, n, 0, true, &to->printed));
    CAROM_TRY(carom_critical_region_root(c->region, n, 0, &to->critical));
    return carom_asymptotic_roots_phases(c->spectra, n, 0, &to->saturated_phase,
                                         &to->saturated_constrained_phase);
}

/** The first member of (63): n = 1, whose cell is empty for even modes. */
static carom_status write_first_member(const critical *c) {
    const double omega = carom_phase_spectra_frequency(c->spectra);
    const double constrained_omega = carom_phase_spectra_constrained_frequency(c->spectra);
    const carom_impact_phase_window window = critical_region_window(c->values);
    double cell[4];
    CAROM_TRY(carom_asymptotic_roots_cell(c->spectra, c->first_column, 0, cell));
    // Everything to the left of the first cell that has a root, in the heights of the bottom row.
    carom_root_search_params box = carom_root_search_params_default();
    box.min_time = window.min_phase / omega;
    box.max_time = fmax(cell[0], 2.0 * window.min_phase) / omega;
    box.min_constrained_time = fmax(cell[2], window.min_constrained_phase) / constrained_omega;
    box.max_constrained_time = cell[3] / constrained_omega;
    box.use_subdivision = true;
    CAROM_AUTO(carom_root_list) roots = NULL;
    CAROM_TRY(carom_impact_roots_find(c->spectra, &box, &roots, c->report));
    const carom_measure measure = {
        "first_member_roots", roots->is_complete ? roots->count : (double)NAN, "1",
        "roots to the left of the first column in the bottom row, by complete subdivision"};
    carom_record_measures(c->record, &measure, 1);
    return CAROM_OK;
}

static carom_status write_crosses(const critical *c) {
    const int count = c->column_count;
    CAROM_TRY(write_first_member(c));
    if (count == 0) {
        return CAROM_OK;
    }
    CAROM_AUTO_MEMORY cross *crosses = malloc((size_t)count * sizeof *crosses);
    if (crosses == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < count; k++) {
        CAROM_TRY(fill_cross(c, c->first_column + k, &crosses[k]));
    }
    carom_record group = carom_record_group(c->record, "/crosses");
    carom_record_index_axis(&group, "cross", count,
                            "column of the bottom row, from the first with a root");
    carom_record_rows(&group, "cross", crosses, count, sizeof *crosses, CROSS_FIELDS,
                      COUNT(CROSS_FIELDS));
    return CAROM_OK;
}

/* --- what (40) demands ------------------------------------------------------------------------ */

/** What is demanded of w_N at an o_N, and what mode N gives. */
typedef struct demand {
    double phase;
    double time;
    double given;
    double corrected;
    double printed;
    double slope;
} demand;

static const carom_field DEMAND_FIELDS[] = {
    CAROM_FIELD("phase", demand, phase, "rad", "o_N, impact phase"),
    CAROM_FIELD("time", demand, time, "s", "tau"),
    CAROM_FIELD("given_w", demand, given, "s-1", "w_N of mode N at the impact"),
    CAROM_FIELD("demanded_w", demand, corrected, "s-1", "w_N that (40) demands, corrected"),
    CAROM_FIELD("printed_w", demand, printed, "s-1", "w_N that (40) demands as printed"),
    CAROM_FIELD("slope", demand, slope, "s-1", "c_0"),
};

/** The same for large tau. */
static carom_status write_saturated(const critical *c) {
    carom_critical_matrices matrices;
    CAROM_TRY(carom_critical_region_matrices(c->region, HUGE_VAL, &matrices));
    const carom_measure measures[] = {
        {"limit_w", carom_critical_matrices_demanded_w(&matrices, false), "s-1",
         "w_N for large times, (61) corrected"},
        {"limit_printed_w", carom_critical_matrices_demanded_w(&matrices, true), "s-1",
         "w_N for large times, (61) as printed"},
        {"limit_slope", carom_critical_matrices_slope(&matrices), "s-1",
         "c_0 for large times, (62)"},
    };
    carom_record_measures(c->record, measures, COUNT(measures));
    return CAROM_OK;
}

/** The equation of the critical time along the window. */
static carom_status write_demand(const critical *c) {
    enum { POINTS_PER_CELL = 2 };
    const carom_impact_phase_window window = critical_region_window(c->values);
    const int count = POINTS_PER_CELL * window.columns + 1;
    CAROM_AUTO_MEMORY demand *rows = malloc((size_t)count * sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < count; k++) {
        const double share = (double)k / (double)(count - 1);
        const double phase = window.min_phase + share * (window.max_phase - window.min_phase);
        const double time = phase / carom_phase_spectra_frequency(c->spectra);
        carom_critical_matrices matrices;
        CAROM_TRY(carom_critical_region_matrices(c->region, time, &matrices));
        rows[k] = (demand){
            .phase = phase,
            .time = time,
            .given = matrices.w_N,
            .corrected = carom_critical_matrices_demanded_w(&matrices, false),
            .printed = carom_critical_matrices_demanded_w(&matrices, true),
            .slope = carom_critical_matrices_slope(&matrices),
        };
    }
    carom_record group = carom_record_group(c->record, "/limit");
    carom_record_rows(&group, "phase", rows, count, sizeof *rows, DEMAND_FIELDS,
                      COUNT(DEMAND_FIELDS));
    return write_saturated(c);
}

/* --- the way to the limit --------------------------------------------------------------------- */

/** The first root of the bottom row at one lambda'_{N-1}. */
typedef struct sweep_point {
    double eigenvalue;
    double time;
    double constrained_time;
    double constrained_phase;
    double phase_gap;
    double w_gap;
} sweep_point;

static const carom_field SWEEP_FIELDS[] = {
    CAROM_FIELD("eigenvalue", sweep_point, eigenvalue, "s-2", "lambda'_{N-1}"),
    CAROM_FIELD("time", sweep_point, time, "s", "tau"),
    CAROM_FIELD("constrained_time", sweep_point, constrained_time, "s", "tau'"),
    CAROM_FIELD("constrained_phase", sweep_point, constrained_phase, "rad", "o'_{N-1}"),
    CAROM_FIELD("phase_gap", sweep_point, phase_gap, "rad", "distance of o'_{N-1} from its limit"),
    CAROM_FIELD("w_gap", sweep_point, w_gap, "s-1", "distance of w'_{N-1} from c_0"),
};

/** w' = sigma' tan^sigma'(o') omega' of an oscillating mode (30). */
static double impact_ratio(carom_parity parity, double omega, double phase) {
    return parity == CAROM_PARITY_ODD ? omega * tan(phase) : -omega / tan(phase);
}

static carom_status fill_point(const critical *c, const carom_phase_spectra *spectra, double slope,
                               sweep_point *to) {
    const int last = spectra->mode_count - 2;
    const double omega = carom_phase_spectra_constrained_frequency(spectra);
    double cell[4];
    carom_impact_root root;
    CAROM_TRY(carom_asymptotic_roots_cell(spectra, c->first_column, 0, cell));
    CAROM_TRY(carom_impact_roots_cell(spectra, c->first_column, 0, &root, c->report));
    const double phase = omega * root.constrained_time;
    const double w = impact_ratio(spectra->constrained_parity[last], omega, phase);
    *to = (sweep_point){
        .eigenvalue = spectra->constrained[last],
        .time = root.time,
        .constrained_time = root.constrained_time,
        .constrained_phase = phase,
        .phase_gap = cell[3] - phase,
        .w_gap = fabs(w - slope),
    };
    return CAROM_OK;
}

/** A copy of the spectra of figure 2, to be changed. */
static carom_status copy_spectra(const critical *c, carom_phase_spectra **out) {
    return carom_phase_spectra_make(c->spectra->mode_count, c->spectra->unconstrained,
                                    c->spectra->constrained, (carom_parity)c->values->parity,
                                    (carom_parity)c->values->constrained_parity, out, c->report);
}

/** One root as lambda'_{N-1} falls, evenly in its logarithm, and everything else stays. */
static carom_status write_sweep(const critical *c) {
    const settings *v = c->values;
    const int count = v->sweep_points;
    carom_critical_root limit;
    carom_critical_matrices matrices;
    CAROM_AUTO(carom_phase_spectra) spectra = NULL;
    CAROM_AUTO_MEMORY sweep_point *points = malloc((size_t)count * sizeof *points);
    if (points == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_critical_region_root(c->region, c->first_column, 0, &limit));
    CAROM_TRY(carom_critical_region_matrices(c->region, limit.time, &matrices));
    CAROM_TRY(copy_spectra(c, &spectra));
    carom_progress *progress = carom_progress_start("sweep", count, "points", c->common->is_quiet);
    carom_status status = CAROM_OK;
    for (int k = 0; k < count && status == CAROM_OK; k++) {
        const double share = (double)k / (double)(count - 1);
        spectra->constrained[spectra->mode_count - 2] =
            v->sweep_from * pow(v->sweep_to / v->sweep_from, share);
        status = fill_point(c, spectra, limit.slope, &points[k]);
        carom_progress_add(progress, 1);
    }
    carom_progress_finish(progress);
    CAROM_TRY(status);
    const carom_measure limits[] = {
        {"limit_time", limit.time, "s", "critical tau of the first column, (40) corrected"},
        {"limit_slope", limit.slope, "s-1", "c_0 at this tau"},
        {"limit_w", limit.w_N, "s-1", "w_N at this tau"},
        {"printed_w", carom_critical_matrices_demanded_w(&matrices, true), "s-1",
         "w_N that (40) demands there as printed"},
    };
    carom_record group = carom_record_group(c->record, "/sweep");
    carom_record_rows(&group, "eigenvalue", points, count, sizeof *points, SWEEP_FIELDS,
                      COUNT(SWEEP_FIELDS));
    carom_record_scalars(&group, limits, COUNT(limits));
    return CAROM_OK;
}

carom_status critical_region_write_limit(const critical *c) {
    CAROM_TRY(write_crosses(c));
    CAROM_TRY(write_demand(c));
    return write_sweep(c);
}

/* --- the formulas of appendix D -------------------------------------------------------------- */

/** B and G at one pair of times just above the limit. */
typedef struct trial {
    const critical *c;
    carom_phase_spectra *spectra; /**< lambda'_{N-1} is small */
    carom_reduced_matrix *reduced;
    int N;
    double eigenvalue; /**< lambda'_{N-1}, 1/s2 */
    double slope;      /**< w'_{N-1} at tau', 1/s */
    double *G;         /**< [N][N-1] */
    double *B;         /**< [N+1][N] */
    double *work;      /**< [N][N] */
} trial;

static void trial_clear(trial *t) {
    carom_reduced_matrix_free(t->reduced);
    carom_phase_spectra_free(t->spectra);
    free(t->G);
}

static carom_status trial_fill(trial *t) {
    const double close = 1e-7; // lambda'_{N-1}, as a part of the smallest other eigenvalue
    const size_t n = (size_t)t->N;
    CAROM_TRY(copy_spectra(t->c, &t->spectra));
    const double *lambda = t->spectra->unconstrained;
    t->eigenvalue = close * fmin(lambda[n - 1], -lambda[n - 2]);
    t->spectra->constrained[n - 2] = t->eigenvalue;
    CAROM_TRY(carom_reduced_matrix_alloc(t->spectra, &t->reduced, t->c->report));
    t->G = calloc(3 * n * n + n, sizeof *t->G);
    if (t->G == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    t->B = t->G + n * n;
    t->work = t->B + (n + 1) * n;
    return CAROM_OK;
}

/** Choose tau' such that w'_{N-1} is a given number, and evaluate B there. */
static void evaluate(trial *t, double time, double slope) {
    const double omega = sqrt(t->eigenvalue);
    const bool is_odd = t->spectra->constrained_parity[t->N - 2] == CAROM_PARITY_ODD;
    const double phase = is_odd ? atan(slope / omega) : M_PI - atan(omega / slope);
    t->slope = slope;
    carom_reduced_matrix_printed(t->reduced, time, phase / omega, t->G, t->B);
}

/** Determinant of the first `size` rows and columns of B, without the row that is left out. */
static double determinant(trial *t, int size, int left_out) {
    for (int row = 0; row < size; row++) {
        const int from = left_out >= 0 && row >= left_out ? row + 1 : row;
        for (int j = 0; j < size; j++) {
            t->work[row * size + j] = t->B[from * t->N + j];
        }
    }
    gsl_matrix_view A = gsl_matrix_view_array(t->work, (size_t)size, (size_t)size);
    gsl_permutation *order = gsl_permutation_alloc((size_t)size);
    int sign = 1;
    if (order == NULL) {
        return (double)NAN;
    }
    gsl_linalg_LU_decomp(&A.matrix, order, &sign);
    gsl_permutation_free(order);
    return gsl_linalg_LU_det(&A.matrix, sign);
}

/** Relative difference. */
static double error_of(double value, double expected) {
    return fabs(value / expected - 1.0);
}

/*[criticalDerivatives]*/
/** (37) and (38) over det Ubar, with either sign, against det B over lambda'_{N-1}. */
static void write_determinants(trial *t, const carom_critical_matrices *m) {
    const int N = t->N;
    const double u[2] = {1.0, 1.0 / t->slope};
    const double first = m->K[0][0] * u[0] + m->K[0][1] * u[1];
    const double second = m->K[1][0] * u[0] + m->K[1][1] * u[1];
    const double constant = m->K_tilde[0] * u[0] + m->K_tilde[1] * u[1];
    const double scale = t->eigenvalue * determinant(t, N - 1, -1);
    const double without_mode = determinant(t, N, N - 1) / scale;
    const double without_force = determinant(t, N, N) / scale;
    const carom_measure measures[] = {
        {"derivative_without_mode", error_of(without_mode, second), "1",
         "relative error of (37), corrected"},
        {"derivative_without_force", error_of(without_force, first - constant), "1",
         "relative error of (38), corrected"},
        {"printed_without_mode", error_of(without_mode, -second), "1",
         "relative error of (37) as printed"},
        {"printed_without_force", error_of(without_force, -first - constant), "1",
         "relative error of (38) as printed"},
    };
    carom_record_measures(t->c->record, measures, COUNT(measures));
}
/*[end criticalDerivatives]*/

/** G_N before (60) at a time that saturates every hyperbolic mode. */
static void write_saturated_G(trial *t, double slope) {
    const double saturated = 20.0; // tanh is one to rounding beyond
    const int N = t->N;
    const double *lambda = t->spectra->unconstrained;
    const double omega = sqrt(lambda[N - 1]);
    // An o_N one radian beyond a multiple of pi: neither a root nor a pole.
    const double turns = ceil(saturated / sqrt(-lambda[N - 2]) * omega / M_PI);
    evaluate(t, (turns * M_PI + 1.0) / omega, slope);
    const bool is_odd = t->spectra->unconstrained_parity[N - 1] == CAROM_PARITY_ODD;
    const double w_N = is_odd ? omega * tan(1.0) : -omega / tan(1.0);
    double largest = 0.0;
    for (int j = 0; j < N - 2; j++) {
        const double printed = w_N * sqrt(-t->spectra->constrained[j]) / lambda[N - 1];
        largest = fmax(largest, error_of(t->G[(N - 1) * (N - 1) + j], printed));
    }
    carom_record_measure(t->c->record, "printed_last_G", largest, "1",
                         "largest relative error of G_N as printed");
}

carom_status critical_region_write_equations(const critical *c) {
    // The time in parts of the first critical one: not a root, so that no derivative vanishes; and
    // c_0 in parts of the critical one: (37) and (38) hold for any.
    const double beside_root = 0.83;
    const double beside_slope = 1.3;
    CAROM_AUTO_VALUE(trial) t = {.c = c, .N = c->spectra->mode_count};
    carom_critical_root root;
    carom_critical_matrices matrices;
    CAROM_TRY(trial_fill(&t));
    CAROM_TRY(carom_critical_region_root(c->region, c->first_column, 0, &root));
    const double time = beside_root * root.time;
    const double slope = beside_slope * root.slope;
    CAROM_TRY(carom_critical_region_matrices(c->region, time, &matrices));
    evaluate(&t, time, slope);
    write_determinants(&t, &matrices);
    write_saturated_G(&t, slope);
    return CAROM_OK;
}

/* --- several oscillating modes ---------------------------------------------------------------- */

/** Where the rows that both determinants share lose their rank, crossings are no roots. */
carom_status critical_region_write_several(const critical *c) {
    static const double unconstrained[] = {-2.0, -0.5, 1.1, 3.1};
    static const double constrained[] = {-1.3, 0.35, 1.7};
    carom_root_search_params box = carom_root_search_params_default();
    box.min_time = 0.05;
    box.max_time = 8.0;
    box.min_constrained_time = box.min_time;
    box.max_constrained_time = box.max_time;
    CAROM_AUTO(carom_phase_spectra) spectra = NULL;
    CAROM_AUTO(carom_root_list) roots = NULL;
    CAROM_TRY(carom_phase_spectra_make(COUNT(unconstrained), unconstrained, constrained,
                                       CAROM_PARITY_EVEN, CAROM_PARITY_ODD, &spectra, c->report));
    CAROM_TRY(carom_impact_roots_find(spectra, &box, &roots, c->report));
    carom_impact_phase_window window = carom_impact_phase_window_of_box(&box, spectra);
    window.columns = c->values->grid_columns;
    window.rows = c->values->grid_rows;
    carom_record group = carom_record_group(c->record, "/several");
    return carom_collisionless_record_crossings(&group, spectra, &window, roots, c->report);
}
