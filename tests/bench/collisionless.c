/* Cost of collisionless motions: the roots of two spectra in a box, by cells and by subdivision,
 * the curves of the figures, the motions that belong to the roots, torso chains, the nonlinear
 * biped. */
#include "bench.h"

#include <carom/collisionless/curves/determinant.h>
#include <carom/collisionless/gait/gait.h>
#include <carom/collisionless/gait/internal.h>
#include <carom/collisionless/motion/collisionless_motion.h>
#include <carom/collisionless/motion/spectral_motion.h>
#include <carom/collisionless/roots/impact_roots.h>

#include <math.h>
#include <stdlib.h>

static const bench_unit MILLISECONDS = {.name = "ms", .factor = 1e3};

/* Enough for every batch to be cut by its time. */
static const long MANY = 1L << 20;

enum { FOUR = 4, TWELVE = 12 };

static bench_row describe(const char *system, const char *method, int coordinates, bench_unit unit,
                          double target) {
    return (bench_row){.system = system,
                       .method = method,
                       .coordinates = coordinates,
                       .contacts = 1,
                       .unit = unit,
                       .work = (double)NAN,
                       .target = target};
}

/* ------------------------------------------------------------------------------- roots of a box */

typedef struct root_search {
    carom_phase_spectra *spectra;
    carom_root_search_params params;
    int expected; /* roots, known from another method */
} root_search;

static double time_roots(long count, void *context) {
    const root_search *s = context;
    const double begin = bench_seconds();
    for (long i = 0; i < count; i++) {
        carom_root_list *list = NULL;
        if (carom_impact_roots_find(s->spectra, &s->params, &list, NULL) != CAROM_OK) {
            return -1.0;
        }
        const bool is_right = list->is_complete && list->count == s->expected;
        carom_root_list_free(list);
        if (!is_right) {
            return -1.0;
        }
    }
    return bench_seconds() - begin;
}

static int measure_roots(bench_table *table, bench_row row, const double *unconstrained,
                         const double *constrained, bool use_subdivision, int expected) {
    root_search s = {.params = carom_root_search_params_default(), .expected = expected};
    s.params.use_subdivision = use_subdivision;
    if (carom_phase_spectra_make(row.coordinates, unconstrained, constrained, CAROM_PARITY_EVEN,
                                 CAROM_PARITY_ODD, &s.spectra, NULL) != CAROM_OK) {
        return 1;
    }
    const int failures = bench_measure(table, row, time_roots, MANY, &s);
    carom_phase_spectra_free(s.spectra);
    return failures;
}

static int bench_roots(bench_table *table) {
    /* One oscillating mode in each phase, and two; 16 s by 10 s. */
    static const double SINGLE[FOUR] = {-3.1, -1.7, -0.8, 1.3};
    static const double SINGLE_CONSTRAINED[FOUR - 1] = {-2.4, -1.2, 0.35};
    static const double SEVERAL[FOUR] = {-2.0, -0.5, 1.1, 3.1};
    static const double SEVERAL_CONSTRAINED[FOUR - 1] = {-1.3, 0.35, 1.7};
    return measure_roots(table, describe("N = 4 spectra", "cells", FOUR, MILLISECONDS, 20.0),
                         SINGLE, SINGLE_CONSTRAINED, false, 10) +
           measure_roots(table, describe("N = 4 spectra", "subdivision", FOUR, MILLISECONDS, 20.0),
                         SINGLE, SINGLE_CONSTRAINED, true, 10) +
           measure_roots(table,
                         describe("N = 4, several osc.", "subdivision", FOUR, MILLISECONDS, 20.0),
                         SEVERAL, SEVERAL_CONSTRAINED, true, 40);
}

/* ---------------------------------------------------------------------------------- whole bipeds
 */

/* Lengths, masses of 1 and up to ten torso links: N = 12. */
static const double ONES[TWELVE + 1] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0,
                                        1.0, 1.0, 1.0, 1.0, 1.0, 1.0};

typedef struct biped_case {
    carom_armed_biped_params params;
    bool with_curves;
    bool is_branch;
} biped_case;

/* Matrices, modes; NULL on failure. */
static carom_phase_modes *compute_modes(const carom_armed_biped_params *params,
                                        carom_armed_biped_statics *statics) {
    double mass[TWELVE * TWELVE] = {0.0};
    double stiffness[TWELVE * TWELVE] = {0.0};
    double equilibrium[TWELVE] = {0.0};
    carom_phase_modes *modes = NULL;
    if (carom_armed_biped_linear(params, mass, stiffness, equilibrium, statics, NULL) != CAROM_OK ||
        carom_phase_modes_compute(carom_armed_biped_coordinate_count(params), mass, stiffness,
                                  CAROM_PARITY_EVEN, CAROM_PARITY_ODD, &modes, NULL) != CAROM_OK) {
        return NULL;
    }
    return modes;
}

/* The motion of the first column and row, and its verdict; NULL on failure. */
static carom_collisionless_motion *compute_motion(const carom_phase_modes *modes,
                                                  const carom_armed_biped_statics *statics) {
    carom_impact_root root;
    carom_collisionless_motion *motion = NULL;
    if (carom_impact_roots_cell(modes->spectra, 2, 0, &root, NULL) != CAROM_OK ||
        carom_collisionless_motion_compute(modes, root.time, root.constrained_time,
                                           CAROM_MOTION_SCALE_CONTACT_LEVEL, statics->contact_level,
                                           &motion, NULL) != CAROM_OK) {
        return NULL;
    }
    return motion;
}

/* The family of the exact biped to its end. */
static bool trace_branch(const carom_armed_biped_params *params) {
    double position[TWELVE] = {0.0};
    carom_gait_start start;
    carom_gait_branch *branch = NULL;
    const bool is_right =
        carom_harmonic_start_compute(params, 2, 0, position, &start, NULL) == CAROM_OK &&
        carom_gait_branch_trace(params, &start, NULL, &branch, NULL) == CAROM_OK &&
        branch->count > 2;
    carom_gait_branch_free(branch);
    return is_right;
}

static bool trace_curves(const carom_phase_spectra *spectra) {
    const carom_impact_phase_window window = carom_impact_phase_window_default();
    carom_determinant_curves *curves = NULL;
    const bool is_right =
        carom_determinant_curves_trace(spectra, &window, &curves, NULL) == CAROM_OK &&
        curves->point_count > 0;
    carom_determinant_curves_free(curves);
    return is_right;
}

static bool find_box(const carom_phase_spectra *spectra) {
    const carom_root_search_params params = carom_root_search_params_default();
    carom_root_list *list = NULL;
    const bool is_right =
        carom_impact_roots_find(spectra, &params, &list, NULL) == CAROM_OK && list->count > 0;
    carom_root_list_free(list);
    return is_right;
}

/* From lengths and masses to a motion that is proved realizable. */
static bool run_biped(const biped_case *c) {
    carom_armed_biped_statics statics;
    carom_phase_modes *modes = compute_modes(&c->params, &statics);
    carom_collisionless_motion *motion = modes == NULL ? NULL : compute_motion(modes, &statics);
    bool is_right = motion != NULL && carom_motion_bounds_compute(motion->spectral).is_realizable;
    if (is_right && c->with_curves) {
        is_right = trace_curves(modes->spectra) && find_box(modes->spectra);
    }
    if (is_right && c->is_branch) {
        is_right = trace_branch(&c->params);
    }
    carom_collisionless_motion_free(motion);
    carom_phase_modes_free(modes);
    return is_right;
}

static double time_biped(long count, void *context) {
    const biped_case *c = context;
    const double begin = bench_seconds();
    for (long i = 0; i < count; i++) {
        if (!run_biped(c)) {
            return -1.0;
        }
    }
    return bench_seconds() - begin;
}

static carom_armed_biped_params unit_biped(int torso_count) {
    carom_armed_biped_params params = carom_armed_biped_params_default();
    params.torso_count = torso_count;
    params.lengths = ONES;
    params.masses = ONES;
    return params;
}

int bench_collisionless(bench_table *table) {
    biped_case contour = {.params = unit_biped(1), .with_curves = true};
    biped_case chain = {.params = unit_biped(TWELVE - 2)};
    biped_case branch = {.params = unit_biped(1), .is_branch = true};
    return bench_roots(table) +
           bench_measure(table,
                         describe("armed biped", "gait, roots, contours", 3, MILLISECONDS, 50.0),
                         time_biped, MANY, &contour) +
           bench_measure(table, describe("torso chain", "gait", TWELVE, MILLISECONDS, 1000.0),
                         time_biped, MANY, &chain) +
           bench_measure(table,
                         describe("armed biped", "nonlinear branch", 3, MILLISECONDS, (double)NAN),
                         time_biped, MANY, &branch);
}
