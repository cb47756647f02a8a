/** Searches for roots, and what they find: what their suites share. */
#ifndef CAROM_TESTS_COLLISIONLESS_ROOT_SEARCHES_H
#define CAROM_TESTS_COLLISIONLESS_ROOT_SEARCHES_H

#include "../independent.h"

#include <carom/collisionless/roots/impact_roots.h>

static const unsigned long SEED = 24021603;

static const carom_parity EVEN = CAROM_PARITY_EVEN;
static const carom_parity ODD = CAROM_PARITY_ODD;

/** Roots are polished to some roundings; times of a few seconds, conditions below 1e4. */
static const double ROOT_TOLERANCE = 1e-11;

/** Where to look; cells where they apply. */
static inline carom_root_search_params box_of(double least, double most, double least_held,
                                              double most_held) {
    carom_root_search_params params = carom_root_search_params_default();
    params.min_time = least;
    params.max_time = most;
    params.min_constrained_time = least_held;
    params.max_constrained_time = most_held;
    return params;
}

static inline carom_root_list *list_of(const carom_phase_spectra *s,
                                       carom_root_search_params params) {
    carom_root_list *list;
    carom_report report = carom_report_empty();
    const carom_status status = carom_impact_roots_find(s, &params, &list, &report);
    ck_assert_msg(status == CAROM_OK, "%s: %s %g", carom_status_name(status), report.quantity,
                  report.value);
    return list;
}

static inline carom_root_list *subdivided(const carom_phase_spectra *s,
                                          carom_root_search_params params) {
    params.use_subdivision = true;
    carom_root_list *list = list_of(s, params);
    ck_assert_int_eq(list->method, CAROM_ROOTS_SUBDIVISION);
    return list;
}

/** Everything is certified and every entry is a root by the paper's B, to `rounding` of it. */
static inline void assert_complete_to(const carom_phase_spectra *s, const carom_root_list *list,
                                      double rounding) {
    ck_assert(list->is_complete);
    ck_assert_int_eq(list->undecided, 0);
    for (int i = 0; i < list->count; i++) {
        const carom_impact_root *root = &list->roots[i];
        ck_assert(root->residual < 1e-12);
        ck_assert(root->smallest_singular_value < 1e-12);
        ck_assert(root->second_singular_value > 1e-9);
        // which has poles at a free mode
        const double gap = fpclassify(s->unconstrained[0]) == FP_ZERO
                               ? 0.0
                               : reduced_rank_gap(s, root->time, root->constrained_time);
        ck_assert_msg(gap < rounding, "B keeps its rank by %g at %.15g, %.15g", gap, root->time,
                      root->constrained_time);
    }
}

static inline void assert_complete(const carom_phase_spectra *s, const carom_root_list *list) {
    // rows and columns of order 1, times rounded to 1e-16 and better conditioned than 1e5
    assert_complete_to(s, list, 1e-10);
}

/** Both hold the same times, in any order. */
static inline void assert_same_roots(const carom_root_list *one, const carom_root_list *other) {
    ck_assert_int_eq(one->count, other->count);
    for (int i = 0; i < one->count; i++) {
        double distance = HUGE_VAL;
        for (int j = 0; j < other->count; j++) {
            distance = fmin(
                distance, hypot(one->roots[i].time - other->roots[j].time,
                                one->roots[i].constrained_time - other->roots[j].constrained_time));
        }
        ck_assert_msg(distance < ROOT_TOLERANCE * 10.0, "%.15g, %.15g is in one list only",
                      one->roots[i].time, one->roots[i].constrained_time);
    }
}

/** The list holds what a grid of Newton iterations on the paper's B finds: all of it, and no more
 * than `extra` others. */
static inline void assert_as_from_grid(const carom_phase_spectra *s, carom_root_search_params p,
                                       double step, const carom_root_list *list, int extra) {
    grid_roots found;
    const double box[] = {p.min_time, p.max_time, p.min_constrained_time, p.max_constrained_time};
    grid_roots_find(s, box, step, &found);
    ck_assert_int_ge(list->count, found.count);
    int others = 0;
    for (int i = 0; i < list->count; i++) {
        const carom_impact_root *root = &list->roots[i];
        others += grid_roots_distance(&found, root->time, root->constrained_time) > 1e-8;
    }
    ck_assert_int_eq(list->count - others, found.count);
    ck_assert_int_le(others, extra);
}

/** lambda_N and lambda'_{N-1} give the impact phases. */
static inline void assert_phases(const carom_phase_spectra *s, const carom_impact_root *root,
                                 const double *phases, double tolerance) {
    const int N = s->mode_count;
    assert_close(sqrt(s->unconstrained[N - 1]) * root->time, phases[0], 0.0, tolerance);
    assert_close(sqrt(s->constrained[N - 2]) * root->constrained_time, phases[1], 0.0, tolerance);
}

/** The armed biped of unit masses and lengths (64). */
static inline carom_phase_spectra *biped(void) {
    const double lambda[] = {-5.850284901586612, -0.673191369894797, 1.523476271481409};
    const double held[] = {-M_SQRT2, M_SQRT2};
    return uniform_spectra(3, lambda, held, EVEN, ODD);
}

/** Reference table A.3: o_3, o'_2 by row, columns n = 2 to 6. */
static const double BIPED[3][5][2] = {{{3.800973431, 0.925018845},
                                       {6.945011349, 0.922542229},
                                       {10.086641420, 0.922504329},
                                       {13.228234648, 0.922503747},
                                       {16.369827310, 0.922503738}},
                                      {{3.791376717, 4.076210264},
                                       {6.935156566, 4.073992841},
                                       {10.076782658, 4.073958937},
                                       {13.218375825, 4.073958417},
                                       {16.359968487, 4.073958409}},
                                      {{3.791359137, 7.217820508},
                                       {6.935138528, 7.215603545},
                                       {10.076764614, 7.215569648},
                                       {13.218357781, 7.215569128},
                                       {16.359950442, 7.215569120}}};

#endif
