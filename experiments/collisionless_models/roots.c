/** Impact times of every model: closed form, general solver, what is realizable. */
#include "results.h"

#include <gsl/gsl_math.h>

/** What of the closed form is written, one entry a column. */
typedef struct columns {
    double n[MOST_COLUMNS];
    double slow_phase[MOST_COLUMNS];
    double fast_phase[MOST_COLUMNS];
    double constrained_phase[MOST_COLUMNS];
    double time[MOST_COLUMNS];
    double constrained_time[MOST_COLUMNS];
    double general_time[MOST_COLUMNS];
    double general_constrained_time[MOST_COLUMNS];
    double residual[MOST_COLUMNS];
    double difference[MOST_COLUMNS];
    double least_gap[MOST_COLUMNS];
    double force_ratio[MOST_COLUMNS];
} columns;

/** Largest relative distance of two pairs of times. */
static double difference_of(const carom_two_modes_impact *closed, const carom_impact_root *root) {
    return fmax(fabs(root->time / closed->time - 1.0),
                fabs(root->constrained_time / closed->constrained_time - 1.0));
}

/** Both solutions of a column. */
static carom_status solve_column(results *r, gait *g, int k) {
    const int n = g->kind->first_column + k;
    CAROM_TRY(
        g->kind->solve(g->spectrum, g->constrained, n, r->values->row, &g->closed[k], r->report));
    CAROM_TRY(
        carom_impact_roots_cell(g->modes->spectra, n, r->values->row, &g->general[k], r->report));
    g->largest_difference =
        fmax(g->largest_difference, difference_of(&g->closed[k], &g->general[k]));
    return CAROM_OK;
}

/** What bounds say of the motion of a column and a row. */
static carom_status judge(results *r, gait *g, int k, int row, carom_motion_bounds *bounds) {
    carom_impact_root root;
    carom_spectral_motion *motion = NULL;
    CAROM_TRY(carom_impact_roots_cell(g->modes->spectra, g->kind->first_column + k, row, &root,
                                      r->report));
    CAROM_TRY(carom_spectral_motion_compute(g->modes->spectra, root.time, root.constrained_time,
                                            &motion, r->report));
    *bounds = carom_motion_bounds_compute(motion);
    carom_spectral_motion_free(motion);
    return CAROM_OK;
}

static int verdict_of(const carom_motion_bounds *bounds) {
    if (bounds->is_realizable) {
        return 1;
    }
    return bounds->is_gap_decided && bounds->is_force_decided ? 0 : -1;
}

/** Verdicts on a column: rows 0, 1, 2, and the extremes of row 0. */
static carom_status judge_column(results *r, gait *g, int k, columns *c) {
    for (int row = 0; row < ROWS; row++) {
        carom_motion_bounds bounds;
        CAROM_TRY(judge(r, g, k, row, &bounds));
        g->realizable[k][row] = verdict_of(&bounds);
        if (row == 0) {
            c->least_gap[k] = bounds.minimum_gap;
            c->force_ratio[k] = bounds.maximum_force_ratio;
        }
    }
    return CAROM_OK;
}

/**
 * Look for all roots up to the last column and row ROWS - 1 without the cells, by subdivision: as
 * many as there are closed forms, and none beside them, the trivial one at tau = 0 excepted.
 */
static carom_status check_completeness(results *r, gait *g) {
    const double omega = sqrt(g->spectrum[1]);
    const double constrained_omega = sqrt(g->constrained);
    carom_root_search_params box = carom_root_search_params_default();
    box.use_subdivision = true;
    box.min_time = 0.05 / omega;
    box.max_time = (g->kind->first_column + r->values->columns - 1) * M_PI / omega;
    box.min_constrained_time = 0.05 / constrained_omega;
    box.max_constrained_time = ROWS * M_PI / constrained_omega;
    carom_root_list *list = NULL;
    CAROM_TRY(carom_impact_roots_find(g->modes->spectra, &box, &list, r->report));
    g->is_list_complete = list->is_complete && list->count == ROWS * r->values->columns;
    carom_root_list_free(list);
    return CAROM_OK;
}

/** One entry of each series. */
static void fill_column(const gait *g, int k, columns *c) {
    const carom_two_modes_impact *closed = &g->closed[k];
    c->n[k] = g->kind->first_column + k;
    c->slow_phase[k] = closed->slow_phase;
    c->fast_phase[k] = closed->fast_phase;
    c->constrained_phase[k] = closed->constrained_phase;
    c->time[k] = closed->time;
    c->constrained_time[k] = closed->constrained_time;
    c->general_time[k] = g->general[k].time;
    c->general_constrained_time[k] = g->general[k].constrained_time;
    c->residual[k] = g->general[k].residual;
    c->difference[k] = difference_of(closed, &g->general[k]);
}

static void write_columns(const results *r, const gait *g, const char *group, const columns *c) {
    char path[PATH_SIZE];
    const series_row rows[] = {
        {"slow_phase", c->slow_phase, "rad", "o_1 = nu_1 tau"},
        {"fast_phase", c->fast_phase, "rad", "o_2 = omega_2 tau by the closed form"},
        {"constrained_phase", c->constrained_phase, "rad", "o'_1 = omega'_1 tau' likewise"},
        {"time", c->time, "s", "tau by the closed form"},
        {"constrained_time", c->constrained_time, "s", "tau' by the closed form"},
        {"general_time", c->general_time, "s", "tau by the general solver"},
        {"general_constrained_time", c->general_constrained_time, "s",
         "tau' by the general solver"},
        {"residual", c->residual, "1", "|Z u| of the general solver, |u| = 1"},
        {"difference", c->difference, "1", "larger relative distance of the two pairs of times"},
        {"least_gap", c->least_gap, "1", "least gap in row 0, per unit of c F_N^0, s2"},
        {"largest_force_ratio", c->force_ratio, "1",
         "largest contact force in row 0 over the size of the static one"},
    };
    carom_record_axis(r->record, collisionless_models_path(group, "column", path),
                      r->values->columns, c->n, "1", "n of the root");
    collisionless_models_write_series(r->record, group, "column", NULL,
                                      (int)(sizeof rows / sizeof rows[0]), rows);
    carom_record_index_axis(r->record, collisionless_models_path(group, "row", path), ROWS,
                            "r, whole half oscillations of the constrained mode");
    char column[PATH_SIZE];
    char row[PATH_SIZE];
    carom_record_integer_series(
        r->record, collisionless_models_path(group, "realizable", path), &g->realizable[0][0],
        collisionless_models_path(group, "column", column),
        collisionless_models_path(group, "row", row), "1",
        "1: neither penetration nor attraction, by bounds; 0: one of them; -1: undecided");
}

carom_status collisionless_models_write_roots(results *r, gait *g) {
    columns c = {.n = {0.0}};
    char group[PATH_SIZE];
    collisionless_models_path(g->group, "roots", group);
    for (int k = 0; k < r->values->columns; k++) {
        CAROM_TRY(solve_column(r, g, k));
        CAROM_TRY(judge_column(r, g, k, &c));
        fill_column(g, k, &c);
    }
    collisionless_models_insert_roots(g, r->values->columns);
    CAROM_TRY(check_completeness(r, g));
    const scalar_row scalars[] = {
        {"first_eigenvalue", g->spectrum[0], "s-2", "lambda_1"},
        {"second_eigenvalue", g->spectrum[1], "s-2", "lambda_2"},
        {"constrained_eigenvalue", g->constrained, "s-2", "lambda'_1"},
        {"growth_over_frequency", sqrt(-g->spectrum[0] / g->spectrum[1]), "1",
         "rho = nu_1/omega_2"},
        {"largest_difference", g->largest_difference, "1",
         "largest relative distance of closed forms and general solver"},
        {"ratio_residual", g->ratio_residual, "1", "largest residual of (17)"},
        {"rate_residual", g->rate_residual, "1", "largest residual of (18)"},
        {"printed_residual", g->printed_residual, "1",
         "largest residual of the two equations of the section"},
    };
    collisionless_models_write_scalars(r->record, g->group,
                                       (int)(sizeof scalars / sizeof scalars[0]), scalars);
    char path[PATH_SIZE];
    carom_record_integer(r->record, collisionless_models_path(g->group, "is_list_complete", path),
                         g->is_list_complete ? 1 : 0, "1",
                         "1: subdivision finds these roots and no other");
    write_columns(r, g, group, &c);
    return CAROM_OK;
}
