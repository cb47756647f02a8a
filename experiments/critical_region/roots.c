/** Figure 2: all roots of the window, which of them are motions, and the crossings of the curves.
 */
#include "results.h"

#include <math.h>
#include <stdlib.h>

/** A crossing this close to a root is the root: both are found to some 1e-12, and roots lie about
 * pi apart. */
static const double SAME_PHASE = 1e-6;

/** The roots as columns of the record. */
typedef struct root_table {
    int count;
    double *phase;
    double *constrained_phase;
    double *time;
    double *constrained_time;
    double *residual;
    double *minimum_force_ratio;
    int *column;
    int *row;
    int *realizable; /**< 1, 0, or -1 where bounds do not decide */
} root_table;

/** Doubles and integers of a root. */
enum { REALS = 6, INTEGERS = 3 };

static bool table_alloc(int count, root_table *t) {
    double *reals = malloc(REALS * (size_t)count * sizeof *reals);
    int *integers = malloc(INTEGERS * (size_t)count * sizeof *integers);
    *t = (root_table){.count = count, .phase = reals, .column = integers};
    if (reals == NULL || integers == NULL) {
        return false;
    }
    t->constrained_phase = reals + count;
    t->time = reals + 2 * count;
    t->constrained_time = reals + 3 * count;
    t->residual = reals + 4 * count;
    t->minimum_force_ratio = reals + 5 * count;
    t->row = integers + count;
    t->realizable = integers + 2 * count;
    return true;
}

static void table_free(root_table *t) {
    free(t->phase);
    free(t->column);
}

/** The motion of a root. */
static carom_status judge(const critical *c, const carom_impact_root *root, int k, root_table *t) {
    carom_spectral_motion *motion = NULL;
    CAROM_TRY(carom_spectral_motion_compute(c->spectra, root->time, root->constrained_time, &motion,
                                            c->report));
    const carom_motion_bounds bounds = carom_motion_bounds_compute(motion);
    carom_spectral_motion_free(motion);
    const bool is_decided = bounds.is_gap_decided && bounds.is_force_decided;
    t->minimum_force_ratio[k] = bounds.minimum_force_ratio;
    t->realizable[k] = bounds.is_realizable ? 1 : (is_decided ? 0 : -1);
    t->time[k] = root->time;
    t->constrained_time[k] = root->constrained_time;
    t->phase[k] = critical_region_frequency(c->spectra) * root->time;
    t->constrained_phase[k] =
        critical_region_constrained_frequency(c->spectra) * root->constrained_time;
    t->residual[k] = root->residual;
    t->column[k] = root->column;
    t->row[k] = root->row;
    return CAROM_OK;
}

static void write_table(const critical *c, const root_table *t) {
    const carom_column columns[] = {
        {"/roots/phase", t->phase, "rad", "o_N"},
        {"/roots/constrained_phase", t->constrained_phase, "rad", "o'_{N-1}"},
        {"/roots/time", t->time, "s", "tau, from P to the impact"},
        {"/roots/constrained_time", t->constrained_time, "s", "tau', from the impact to P'"},
        {"/roots/residual", t->residual, "1", "|Z u| of the impact matrix, |u| = 1"},
        {"/roots/minimum_force_ratio", t->minimum_force_ratio, "1",
         "least repulsive contact force over the static one in the constrained phase"},
    };
    const struct {
        const char *path;
        const int *values;
        const char *long_name;
    } integers[] = {
        {"/roots/column", t->column, "half oscillations of the unconstrained phase, n"},
        {"/roots/row", t->row, "half oscillations of the constrained phase, r"},
        {"/roots/realizable", t->realizable,
         "1: no penetration, no attraction, proved by bounds; 0: one of them found; -1: undecided"},
    };
    carom_record_index_axis(c->record, "/roots/root", t->count, "root");
    carom_record_columns(c->record, "/roots/root", NULL, columns, COUNT(columns));
    for (int k = 0; k < COUNT(integers); k++) {
        carom_record_integer_series(c->record, integers[k].path, integers[k].values, "/roots/root",
                                    NULL, "1", integers[k].long_name);
    }
}

/** The root of a cell; -1 if it is not in the table. */
static int find(const root_table *t, int column, int row) {
    for (int k = 0; k < t->count; k++) {
        if (t->column[k] == column && t->row[k] == row) {
            return k;
        }
    }
    return -1;
}

/** Difference of the phases of two cells; NaN if one of them is not in the window. */
static double step_between(const root_table *t, const double *phase, int column, int row,
                           int column_step, int row_step) {
    const int far = find(t, column, row);
    const int near = find(t, column - column_step, row - row_step);
    return far < 0 || near < 0 ? (double)NAN : phase[far] - phase[near];
}

/** The grid of roots. */
static void write_grid(const critical *c, const root_table *t) {
    const int last = c->first_column + c->column_count - 1;
    const int top = c->row_count - 1;
    const double first_step = step_between(t, t->phase, c->first_column + 1, 0, 1, 0);
    const double step = step_between(t, t->phase, last, 0, 1, 0);
    const double up = step_between(t, t->constrained_phase, last, top, 0, 1);
    const carom_measure measures[] = {
        {"first_grid_step", first_step, "rad", "o_N between the first two columns"},
        {"grid_step", step, "rad", "o_N between the last two columns of the window"},
        {"grid_step_up", up, "rad", "o'_{N-1} between the last two rows of the window"},
    };
    carom_record_measures(c->record, measures, COUNT(measures));
}

static carom_status write_roots(const critical *c, const carom_root_list *roots, root_table *t) {
    for (int k = 0; k < roots->count; k++) {
        CAROM_TRY(judge(c, &roots->roots[k], k, t));
    }
    carom_record_integer(c->record, "/roots/count", t->count, "1", "roots in the window");
    carom_record_integer(c->record, "/roots/is_complete", roots->is_complete ? 1 : 0, "1",
                         "1: every root of the window is listed");
    if (t->count > 0) {
        write_table(c, t);
    }
    write_grid(c, t);
    return CAROM_OK;
}

/** Whether a root lies at a crossing. */
static bool has_root(const root_table *t, const carom_determinant_crossing *at) {
    for (int k = 0; k < t->count; k++) {
        if (hypot(t->phase[k] - at->phase, t->constrained_phase[k] - at->constrained_phase) <
            SAME_PHASE) {
            return true;
        }
    }
    return false;
}

/** The paper's way to the same roots. */
static void write_crossings(const critical *c, const carom_determinant_crossings *crossings,
                            const root_table *t) {
    carom_record_integer(c->record, "/crossings/count", crossings->count, "1",
                         "crossings of the two families in the window");
    int met = 0;
    for (int k = 0; k < crossings->count; k++) {
        met += has_root(t, &crossings->crossings[k]) ? 1 : 0;
    }
    carom_record_integer(c->record, "/crossings/at_roots", met, "1",
                         "of which are roots of the impact equations");
}

/** Find, judge, and compare. */
static carom_status fill(const critical *c, const carom_root_list *roots, root_table *t) {
    CAROM_TRY(write_roots(c, roots, t));
    const carom_impact_phase_window window = critical_region_window(c->values);
    carom_determinant_crossings *crossings = NULL;
    CAROM_TRY(carom_determinant_crossings_find(c->spectra, &window, &crossings, c->report));
    write_crossings(c, crossings, t);
    carom_determinant_crossings_free(crossings);
    return CAROM_OK;
}

carom_status critical_region_write_roots(const critical *c) {
    const carom_impact_phase_window window = critical_region_window(c->values);
    const double omega = critical_region_frequency(c->spectra);
    const double constrained_omega = critical_region_constrained_frequency(c->spectra);
    carom_root_search_params box = carom_root_search_params_default();
    box.min_time = window.min_phase / omega;
    box.max_time = window.max_phase / omega;
    box.min_constrained_time = window.min_constrained_phase / constrained_omega;
    box.max_constrained_time = window.max_constrained_phase / constrained_omega;
    carom_root_list *roots = NULL;
    CAROM_TRY(carom_impact_roots_find(c->spectra, &box, &roots, c->report));
    root_table table;
    carom_status status =
        table_alloc(roots->count, &table) ? fill(c, roots, &table) : CAROM_STATUS_OUT_OF_MEMORY;
    table_free(&table);
    carom_root_list_free(roots);
    return status;
}
