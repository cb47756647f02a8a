#include <carom/collisionless/roots/impact_roots.h>

#include <carom/collisionless/motion/internal.h>
#include <carom/collisionless/roots/internal.h>

#include <gsl/gsl_math.h>

#include <math.h>
#include <stdlib.h>

/** Least impact phase of a cell that is searched: zero is no duration. */
static const double LEAST_PHASE = 1e-12;

/** Largest impact phase, of the highest mode: there a time has lost half its digits. */
static const double LARGEST_PHASE = 1e8;

/** Parts of one cell that are examined where Newton's iteration fails: a fraction of a second. */
enum { MOST_CELL_BOXES = 100000 };

/** Further starts of Newton's iteration along each side of a cell whose first one leaves it. */
enum { STARTS = 6 };

carom_root_search_params carom_root_search_params_default(void) {
    return (carom_root_search_params){
        .min_time = 0.02,
        .max_time = 16.0,
        .min_constrained_time = 0.02,
        .max_constrained_time = 10.0,
        .max_boxes = 4000000,
        .use_subdivision = false,
    };
}

/** Work on one pair of spectra. */
typedef struct finder {
    const carom_phase_spectra *spectra;
    carom_impact_matrix *matrix;
    carom_root_newton *newton;
    const carom_root_search_params *params;
    carom_root_store store;
    carom_root_outcome outcome;
    carom_root_list *list;
} finder;

static carom_status finder_init(finder *f, carom_report *report) {
    CAROM_TRY(carom_impact_matrix_alloc(f->spectra, &f->matrix, report));
    return carom_root_newton_alloc(f->matrix, &f->newton);
}

static void finder_clear(finder *f) {
    carom_root_newton_free(f->newton);
    carom_impact_matrix_free(f->matrix);
    carom_root_list_free(f->list);
}

/** The box of impact times of a cell of impact phases. */
static carom_root_search_params cell_box(const finder *f, const double *bounds) {
    const double omega = carom_phase_spectra_frequency(f->spectra);
    const double omega_constrained = carom_phase_spectra_constrained_frequency(f->spectra);
    carom_root_search_params box = carom_root_search_params_default();
    box.max_boxes = MOST_CELL_BOXES;
    box.min_time = fmax(bounds[0], LEAST_PHASE) / omega;
    box.max_time = bounds[1] / omega;
    box.min_constrained_time = fmax(bounds[2], LEAST_PHASE) / omega_constrained;
    box.max_constrained_time = bounds[3] / omega_constrained;
    return box;
}

/** Whether Newton's iteration from a guess ends at a root inside a box. */
static bool converges_inside(finder *f, const carom_root_search_params *box, double time,
                             double constrained_time, carom_impact_root *root) {
    return carom_root_newton_polish(f->newton, time, constrained_time, root, NULL) == CAROM_OK &&
           carom_root_is_inside(root, box);
}

/** Newton's iteration from a grid of guesses in a box. */
static bool converges_from_grid(finder *f, const carom_root_search_params *box,
                                carom_impact_root *root) {
    const double width = box->max_time - box->min_time;
    const double height = box->max_constrained_time - box->min_constrained_time;
    for (int k = 0; k < STARTS * STARTS; ++k) {
        const int column = k % STARTS;
        const int row = k / STARTS;
        const double time = box->min_time + (column + 0.5) / STARTS * width;
        const double constrained_time = box->min_constrained_time + (row + 0.5) / STARTS * height;
        if (converges_inside(f, box, time, constrained_time, root)) {
            return true;
        }
    }
    return false;
}

/** The root of a box that is known to hold one, by subdivision. */
static carom_status find_by_subdivision(finder *f, const carom_root_search_params *box,
                                        carom_impact_root *root, carom_report *report) {
    carom_root_store found = {0, 0, NULL};
    carom_root_outcome outcome = {.boxes = 0};
    const carom_status status = carom_root_subdivision_find(f->matrix, box, 1.0, &found, &outcome);
    CAROM_AUTO_MEMORY carom_impact_root *roots = found.roots;
    f->outcome.boxes += outcome.boxes;
    free(outcome.regions);
    CAROM_TRY(status);
    if (found.count != 1) {
        return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "roots found in a cell",
                                 found.count, -1);
    }
    *root = roots[0];
    return CAROM_OK;
}

/*[cellRoot]*/
/** The root of a cell: Newton's iteration from the closed form, else from elsewhere in it. */
static carom_status find_cell_root(finder *f, int column, int row, carom_impact_root *root,
                                   carom_report *report) {
    double bounds[4] = {0.0, 0.0, 0.0, 0.0};
    double time = 0.0;
    double constrained_time = 0.0;
    CAROM_TRY(carom_asymptotic_roots_cell(f->spectra, column, row, bounds));
    CAROM_TRY(carom_asymptotic_roots_times(f->spectra, column, row, &time, &constrained_time));
    const carom_root_search_params box = cell_box(f, bounds);
    if (!converges_inside(f, &box, time, constrained_time, root) &&
        !converges_from_grid(f, &box, root)) {
        CAROM_TRY(find_by_subdivision(f, &box, root, report));
    }
    root->column = column;
    root->row = row;
    return CAROM_OK;
}
/*[end cellRoot]*/

/** Rows and columns whose cells reach into the box; the first ones that lie beyond it. */
static void count_cells(const finder *f, double *columns, double *rows) {
    const carom_phase_spectra *s = f->spectra;
    const bool is_even = s->unconstrained_parity[s->mode_count - 1] == CAROM_PARITY_EVEN;
    const bool is_constrained_even = s->constrained_parity[s->mode_count - 2] == CAROM_PARITY_EVEN;
    *columns =
        carom_phase_spectra_frequency(s) * f->params->max_time / M_PI + (is_even ? 1.0 : 0.5);
    *rows = carom_phase_spectra_constrained_frequency(s) * f->params->max_constrained_time / M_PI -
            (is_constrained_even ? 0.5 : 0.0);
}

/** The share of the box of impact times that a part of it makes up. */
static double share_of(const carom_root_search_params *box, const carom_root_search_params *part) {
    return (part->max_time - part->min_time) / (box->max_time - box->min_time) *
           (part->max_constrained_time - part->min_constrained_time) /
           (box->max_constrained_time - box->min_constrained_time);
}

/** What of the box lies in a cell is undecided. */
static carom_status add_undecided_cell(finder *f, int column, int row) {
    double bounds[4] = {0.0, 0.0, 0.0, 0.0};
    CAROM_TRY(carom_asymptotic_roots_cell(f->spectra, column, row, bounds));
    carom_root_search_params part = cell_box(f, bounds);
    part.min_time = fmax(part.min_time, f->params->min_time);
    part.max_time = fmin(part.max_time, f->params->max_time);
    part.min_constrained_time = fmax(part.min_constrained_time, f->params->min_constrained_time);
    part.max_constrained_time = fmin(part.max_constrained_time, f->params->max_constrained_time);
    if (part.max_time <= part.min_time || part.max_constrained_time <= part.min_constrained_time) {
        return CAROM_OK;
    }
    const carom_undecided_region region = {
        .time = {part.min_time, part.max_time},
        .constrained_time = {part.min_constrained_time, part.max_constrained_time},
        .parts = 1,
        .share = share_of(f->params, &part),
        .is_searched = true,
    };
    return carom_root_outcome_add(&f->outcome, &region);
}

/** Add the root of a cell if it lies in the box; one that is not found is undecided. */
static carom_status add_cell_root(finder *f, int column, int row) {
    carom_impact_root root;
    const carom_status status = find_cell_root(f, column, row, &root, NULL);
    if (status == CAROM_STATUS_NOT_CONVERGED) {
        return add_undecided_cell(f, column, row);
    }
    CAROM_TRY(status);
    return carom_root_is_inside(&root, f->params) ? carom_root_store_add(&f->store, &root)
                                                  : CAROM_OK;
}

/** All cells that reach into the box. */
static carom_status find_by_cells(finder *f, carom_report *report) {
    const carom_phase_spectra *s = f->spectra;
    double columns = 0.0;
    double rows = 0.0;
    count_cells(f, &columns, &rows);
    const double cells = fmax(columns, 1.0) * fmax(rows, 1.0);
    if (cells > f->params->max_boxes) {
        return carom_report_refuse(report, "cells of the box of impact times", ceil(cells), -1,
                                   "at most the number of boxes");
    }
    const bool is_even = s->unconstrained_parity[s->mode_count - 1] == CAROM_PARITY_EVEN;
    for (int row = 0; row < rows; ++row) {
        for (int column = is_even ? 2 : 1; column < columns; ++column) {
            CAROM_TRY(add_cell_root(f, column, row));
        }
        if (f->params->progress != NULL) {
            f->params->progress(fmin((row + 1.0) / rows, 1.0), f->params->context);
        }
    }
    return CAROM_OK;
}

/** Whether the column n = 1 of an even highest mode can hold roots: not if all modes are even. */
static bool has_first_column(const carom_phase_spectra *s) {
    const int N = s->mode_count;
    if (s->unconstrained_parity[N - 1] == CAROM_PARITY_ODD) {
        return false;
    }
    for (int i = 0; i < N - 1; ++i) {
        if (s->unconstrained_parity[i] == CAROM_PARITY_ODD) {
            return true;
        }
    }
    return false;
}

/** The column n = 1 of an even highest mode beside odd ones, where no count is known. */
static carom_status find_first_column(finder *f) {
    carom_root_search_params box = *f->params;
    box.max_time = fmin(box.max_time, M_PI / carom_phase_spectra_frequency(f->spectra));
    if (box.max_time <= box.min_time) {
        return CAROM_OK;
    }
    const int first = f->store.count;
    CAROM_TRY(carom_root_subdivision_find(f->matrix, &box, share_of(f->params, &box), &f->store,
                                          &f->outcome));
    /* w'_{N-1} > 0 at every root, so the constrained phase says which row it is in. */
    for (int k = first; k < f->store.count; ++k) {
        carom_impact_root *root = &f->store.roots[k];
        root->column = 1;
        root->row = (int)floor(carom_phase_spectra_constrained_frequency(f->spectra) *
                               root->constrained_time / M_PI);
    }
    return CAROM_OK;
}

/** By row, then column, then tau: several roots of a first column share a place. */
static int compare_places(const void *left, const void *right) {
    const carom_impact_root *a = left;
    const carom_impact_root *b = right;
    if (a->row != b->row || a->column != b->column) {
        return a->row != b->row ? a->row - b->row : a->column - b->column;
    }
    return (a->time > b->time) - (a->time < b->time);
}

/** Choose the way that the spectra allow. */
static carom_status find_roots(finder *f, carom_report *report) {
    const bool use_subdivision = f->params->use_subdivision;
    if (!use_subdivision && carom_phase_spectra_constrained_oscillating_count(f->spectra) == 0) {
        f->list->method = CAROM_ROOTS_NONE;
        return CAROM_OK;
    }
    if (use_subdivision || !carom_phase_spectra_has_single_oscillations(f->spectra)) {
        f->list->method = CAROM_ROOTS_SUBDIVISION;
        return carom_root_subdivision_find(f->matrix, f->params, 1.0, &f->store, &f->outcome);
    }
    f->list->method = CAROM_ROOTS_CELLS;
    if (has_first_column(f->spectra)) {
        f->list->method = CAROM_ROOTS_MIXED;
        CAROM_TRY(find_first_column(f));
    }
    CAROM_TRY(find_by_cells(f, report));
    if (f->store.count > 1) {
        qsort(f->store.roots, (size_t)f->store.count, sizeof *f->store.roots, compare_places);
    }
    return CAROM_OK;
}

/** Refuse a box that is none. */
static carom_status check_params(const carom_root_search_params *params, carom_report *report) {
    const struct {
        const char *name;
        double value;
    } times[4] = {
        {"min time", params->min_time},
        {"max time", params->max_time},
        {"min constrained time", params->min_constrained_time},
        {"max constrained time", params->max_constrained_time},
    };
    for (int k = 0; k < 4; ++k) {
        if (!isfinite(times[k].value)) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, times[k].name, times[k].value,
                                     -1);
        }
        if (times[k].value <= 0.0) {
            return carom_report_refuse(report, times[k].name, times[k].value, -1, "> 0");
        }
    }
    for (int k = 0; k < 4; k += 2) {
        if (times[k].value >= times[k + 1].value) {
            (void)carom_report_bound(report, times[k].name, times[k].value,
                                     "below the maximal one,", times[k + 1].value);
            return CAROM_STATUS_CONFLICT;
        }
    }
    if (params->max_boxes < 1) {
        return carom_report_refuse(report, "number of boxes", params->max_boxes, -1, ">= 1");
    }
    return CAROM_OK;
}

/** Refuse a box that reaches to where a time says nothing of a phase. */
static carom_status check_phases(const finder *f, carom_report *report) {
    const double kappa = carom_impact_matrix_frequency_scale(f->matrix);
    const double times[2] = {f->params->max_time, f->params->max_constrained_time};
    static const char *const NAMES[2] = {"max time", "max constrained time"};
    for (int k = 0; k < 2; ++k) {
        if (!(kappa * times[k] <= LARGEST_PHASE)) {
            return carom_report_refuse(report, NAMES[k], times[k], -1,
                                       "at most 1e8 rad of the highest mode");
        }
    }
    return CAROM_OK;
}

/** What was found, into the list. */
static void fill_list(finder *f) {
    carom_root_list *list = f->list;
    list->count = f->store.count;
    list->roots = f->store.roots;
    list->boxes = f->outcome.boxes;
    list->undecided = f->outcome.undecided;
    list->undecided_share = f->outcome.undecided_share;
    list->region_count = f->outcome.region_count;
    list->regions = f->outcome.regions;
    for (int k = 0; k < list->count; ++k) {
        list->singular += list->roots[k].is_singular ? 1 : 0;
    }
    list->is_complete = list->undecided == 0 && list->singular == 0;
}

carom_status carom_impact_roots_find(const carom_phase_spectra *spectra,
                                     const carom_root_search_params *params, carom_root_list **out,
                                     carom_report *report) {
    CAROM_ASSERT(spectra != NULL && params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(check_params(params, report));
    CAROM_AUTO_VALUE(finder) f = {.spectra = spectra, .params = params};
    f.list = calloc(1, sizeof *f.list);
    if (f.list == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(finder_init(&f, report));
    CAROM_TRY(check_phases(&f, report));
    const carom_status status = find_roots(&f, report);
    fill_list(&f);
    CAROM_TRY(status);
    CAROM_HAND_OVER(f.list, out);
    return CAROM_OK;
}

void carom_root_list_free(carom_root_list *list) {
    if (list == NULL) {
        return;
    }
    free(list->roots);
    free(list->regions);
    free(list);
}

static void clear_root(carom_impact_root *root) {
    const double nan = (double)NAN;
    *root = (carom_impact_root){nan, nan, nan, nan, nan, 0, -1, false};
}

/** Refuse spectra that have no cells: the highest mode of each phase must oscillate, no other may.
 */
static carom_status refuse_cells(const carom_phase_spectra *spectra, carom_report *report) {
    const int n = spectra->mode_count;
    const bool is_unconstrained = !(spectra->unconstrained[n - 1] > 0.0);
    if (is_unconstrained || !(spectra->constrained[n - 2] > 0.0)) {
        const double *lambda = is_unconstrained ? spectra->unconstrained : spectra->constrained;
        const int highest = is_unconstrained ? n - 1 : n - 2;
        (void)carom_report_refuse(
            report, is_unconstrained ? "unconstrained spectrum" : "constrained spectrum",
            lambda[highest], highest, "> 0, as the highest mode oscillates");
    } else {
        (void)carom_report_refuse(report, "unconstrained spectrum", spectra->unconstrained[n - 2],
                                  n - 2, "< 0, as the highest mode alone oscillates");
    }
    return CAROM_STATUS_CONFLICT;
}

carom_status carom_impact_roots_cell(const carom_phase_spectra *spectra, int column, int row,
                                     carom_impact_root *root, carom_report *report) {
    CAROM_ASSERT(spectra != NULL && root != NULL);
    clear_root(root);
    CAROM_TRY(carom_phase_spectra_check(spectra, report));
    double bounds[4] = {0.0, 0.0, 0.0, 0.0};
    const carom_status cell = carom_asymptotic_roots_cell(spectra, column, row, bounds);
    if (cell == CAROM_STATUS_OUT_OF_RANGE) {
        const bool is_row = row < 0;
        return carom_report_refuse(report, is_row ? "row" : "column", is_row ? row : column, -1,
                                   is_row ? ">= 0" : ">= 1, of even modes >= 2");
    }
    if (cell == CAROM_STATUS_CONFLICT) {
        return refuse_cells(spectra, report);
    }
    CAROM_TRY(cell);
    CAROM_AUTO_VALUE(finder) f = {.spectra = spectra};
    CAROM_TRY(finder_init(&f, report));
    const carom_status status = find_cell_root(&f, column, row, root, report);
    if (status != CAROM_OK) {
        clear_root(root);
    }
    return status;
}

carom_status carom_impact_roots_polish(const carom_phase_spectra *spectra, double time,
                                       double constrained_time, carom_impact_root *root,
                                       carom_report *report) {
    CAROM_ASSERT(spectra != NULL && root != NULL);
    clear_root(root);
    CAROM_TRY(carom_phase_spectra_check(spectra, report));
    CAROM_TRY(carom_phase_times_check(time, constrained_time, report));
    CAROM_AUTO_VALUE(finder) f = {.spectra = spectra};
    CAROM_TRY(finder_init(&f, report));
    return carom_root_newton_polish(f.newton, time, constrained_time, root, report);
}
