/** Figure 2: the crosses of (63), printed and corrected, beside the roots of the bottom row. */
#include "results.h"

#include <math.h>
#include <stdlib.h>

/** A point of the plane of impact phases for every column. */
typedef struct points {
    const char *phase_path;
    const char *constrained_path;
    const char *long_name;
    double *phase;
    double *constrained_phase;
} points;

/** What is compared. */
enum { ROOT, CORRECTED, PRINTED, CRITICAL, SATURATED, KINDS };

static void set(points *p, int k, double phase, double constrained_phase) {
    p->phase[k] = phase;
    p->constrained_phase[k] = constrained_phase;
}

/** All five for one column. */
static carom_status fill_column(const critical *c, int k, points *p) {
    const int n = c->first_column + k;
    carom_impact_root root;
    carom_critical_root critical_root;
    double phase = 0.0;
    double constrained_phase = 0.0;
    CAROM_TRY(carom_impact_roots_cell(c->spectra, n, 0, &root, c->report));
    set(&p[ROOT], k, critical_region_frequency(c->spectra) * root.time,
        critical_region_constrained_frequency(c->spectra) * root.constrained_time);
    CAROM_TRY(carom_critical_region_asymptote(c->region, n, 0, false, &critical_root));
    set(&p[CORRECTED], k, critical_root.phase, critical_root.constrained_phase);
    CAROM_TRY(carom_critical_region_asymptote(c->region, n, 0, true, &critical_root));
    set(&p[PRINTED], k, critical_root.phase, critical_root.constrained_phase);
    CAROM_TRY(carom_critical_region_root(c->region, n, 0, &critical_root));
    set(&p[CRITICAL], k, critical_root.phase, critical_root.constrained_phase);
    CAROM_TRY(carom_asymptotic_roots_phases(c->spectra, n, 0, &phase, &constrained_phase));
    set(&p[SATURATED], k, phase, constrained_phase);
    return CAROM_OK;
}

static void write_points(const critical *c, const points *p) {
    carom_record_index_axis(c->record, "/crosses/cross", c->column_count,
                            "column of the bottom row, from the first with a root");
    for (int kind = 0; kind < KINDS; kind++) {
        const carom_column columns[] = {
            {p[kind].phase_path, p[kind].phase, "rad", p[kind].long_name},
            {p[kind].constrained_path, p[kind].constrained_phase, "rad", p[kind].long_name},
        };
        carom_record_columns(c->record, "/crosses/cross", NULL, columns, COUNT(columns));
    }
}

/** Distance of a cross from its root. */
static double distance(const points *p, int kind, int k) {
    return hypot(p[kind].phase[k] - p[ROOT].phase[k],
                 p[kind].constrained_phase[k] - p[ROOT].constrained_phase[k]);
}

static double least_distance(const points *p, int kind, int count) {
    double least = HUGE_VAL;
    for (int k = 0; k < count; k++) {
        least = fmin(least, distance(p, kind, k));
    }
    return least;
}

/** The first member of (63): n = 1, whose cell is empty for even modes. */
static carom_status write_first_member(const critical *c) {
    const double omega = critical_region_frequency(c->spectra);
    const double constrained_omega = critical_region_constrained_frequency(c->spectra);
    double cell[4];
    CAROM_TRY(carom_asymptotic_roots_cell(c->spectra, c->first_column, 0, cell));
    // Everything to the left of the first cell that has a root, in the heights of the bottom row.
    carom_root_search_params box = carom_root_search_params_default();
    const carom_impact_phase_window window = critical_region_window(c->values);
    box.min_time = window.min_phase / omega;
    box.max_time = fmax(cell[0], 2.0 * window.min_phase) / omega;
    box.min_constrained_time = fmax(cell[2], window.min_constrained_phase) / constrained_omega;
    box.max_constrained_time = cell[3] / constrained_omega;
    box.use_subdivision = true;
    carom_root_list *roots = NULL;
    CAROM_TRY(carom_impact_roots_find(c->spectra, &box, &roots, c->report));
    const carom_measure measure = {
        "first_member_roots", roots->is_complete ? roots->count : (double)NAN, "1",
        "roots to the left of the first column in the bottom row, by complete subdivision"};
    carom_root_list_free(roots);
    carom_record_measures(c->record, &measure, 1);
    return CAROM_OK;
}

static void write_conclusions(const critical *c, const points *p) {
    const int last = c->column_count - 1;
    const carom_measure measures[] = {
        {"cross_last_phase_distance", fabs(p[CORRECTED].phase[last] - p[ROOT].phase[last]), "rad",
         "of the last corrected cross of the window from its root, along o_N"},
        {"cross_last_height_distance",
         fabs(p[CORRECTED].constrained_phase[last] - p[ROOT].constrained_phase[last]), "rad",
         "the same along o'_{N-1}, a third power of omega'_{N-1}"},
        {"printed_cross_distance", least_distance(p, PRINTED, c->column_count), "rad",
         "least distance of a cross with the printed signs of (61) from its root"},
        {"saturated_last_distance", distance(p, SATURATED, last), "rad",
         "of our closed form from the last root of the window"},
    };
    carom_record_measures(c->record, measures, COUNT(measures));
}

carom_status critical_region_write_crosses(const critical *c) {
    CAROM_TRY(write_first_member(c));
    const int count = c->column_count;
    if (count == 0) {
        return CAROM_OK;
    }
    points p[KINDS] = {
        {"/crosses/root_phase", "/crosses/root_constrained_phase", "root", NULL, NULL},
        {"/crosses/corrected_phase", "/crosses/corrected_constrained_phase",
         "(63) with (61) corrected", NULL, NULL},
        {"/crosses/printed_phase", "/crosses/printed_constrained_phase",
         "(63) with (61) as printed", NULL, NULL},
        {"/crosses/critical_phase", "/crosses/critical_constrained_phase",
         "(40) corrected, at its finite time", NULL, NULL},
        {"/crosses/saturated_phase", "/crosses/saturated_constrained_phase",
         "our closed form for saturated hyperbolic modes", NULL, NULL},
    };
    double *memory = malloc(2 * KINDS * (size_t)count * sizeof *memory);
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int kind = 0; kind < KINDS; kind++) {
        p[kind].phase = memory + (size_t)(2 * kind * count);
        p[kind].constrained_phase = memory + (size_t)((2 * kind + 1) * count);
    }
    carom_status status = CAROM_OK;
    for (int k = 0; k < count && status == CAROM_OK; k++) {
        status = fill_column(c, k, p);
    }
    if (status == CAROM_OK) {
        write_points(c, p);

        write_conclusions(c, p);
    }
    free(memory);
    return status;
}
