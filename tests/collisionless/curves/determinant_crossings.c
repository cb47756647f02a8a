/*
 * carom/collisionless/curves/determinant.h: the roots of the reference tables (A.3, A.4,
 * 4.2: computed by an independent prototype), the closed forms of two modes (18), and the theorem
 * on one root in every cell (claims 1, 3 and 4).
 */
#include <carom/collisionless/curves/determinant.h>
#include <carom/collisionless/roots/impact_roots.h>

#include "../../failing_malloc.h"
#include "determinant_cases.h"

static carom_determinant_crossings *crossings_of(const carom_phase_spectra *spectra,
                                                 const carom_impact_phase_window *window) {
    carom_determinant_crossings *found = NULL;
    assert_ok(carom_determinant_crossings_find(spectra, window, &found, NULL));
    int true_count = 0;
    for (int k = 0; k < found->count; k++) {
        const carom_determinant_crossing *crossing = &found->crossings[k];
        true_count += crossing->is_spurious ? 0 : 1;
        // quadratic to the end: some hundred roundings of the phases
        ck_assert_double_le(crossing->residual, 1e-12);
        ck_assert_double_ge(crossing->phase, window->min_phase);
        ck_assert_double_le(crossing->phase, window->max_phase);
        ck_assert_double_ge(crossing->constrained_phase, window->min_constrained_phase);
        ck_assert_double_le(crossing->constrained_phase, window->max_constrained_phase);
        if (k > 0) {
            ck_assert_double_ge(crossing->phase, crossing[-1].phase);
        }
    }
    ck_assert_int_eq(found->true_count, true_count);
    return found;
}

/** The crossing within `tolerance` of a root, or fail. */
static const carom_determinant_crossing *crossing_at(const carom_determinant_crossings *found,
                                                     known_root root, double tolerance) {
    const carom_determinant_crossing *at = NULL;
    for (int k = 0; k < found->count; k++) {
        const carom_determinant_crossing *c = &found->crossings[k];
        if (hypot(c->phase - root.phase, c->constrained_phase - root.constrained_phase) <=
            tolerance) {
            at = c;
        }
    }
    ck_assert_msg(at != NULL, "no crossing at (%.9f, %.9f)", root.phase, root.constrained_phase);
    return at;
}

/** A window in impact times. */
static carom_impact_phase_window window_of_times(const carom_phase_spectra *spectra, double least,
                                                 double time, double constrained_time, int columns,
                                                 int rows) {
    const int N = spectra->mode_count;
    const double omega = sqrt(spectra->unconstrained[N - 1]);
    const double constrained_omega = sqrt(spectra->constrained[N - 2]);
    return (carom_impact_phase_window){.min_phase = least * omega,
                                       .max_phase = time * omega,
                                       .min_constrained_phase = least * constrained_omega,
                                       .max_constrained_phase =
                                           constrained_time * constrained_omega,
                                       .columns = columns,
                                       .rows = rows};
}

TEST(unit, the_biped_has_nine_roots_in_the_box_of_the_table) {
    carom_phase_spectra *spectra = unit_biped();
    const carom_impact_phase_window window = window_of_times(spectra, 0.02, 10.0, 8.0, 400, 250);
    carom_determinant_crossings *found = crossings_of(spectra, &window);
    ck_assert_int_eq(found->count, 9);
    ck_assert_int_eq(found->true_count, 9);
    for (int k = 0; k < 9; k++) {
        // half a unit of the last printed digit in both directions
        const carom_determinant_crossing *at = crossing_at(found, UNIT_BIPED_ROOTS[k], 8e-10);
        ck_assert_double_lt(at->rank.smallest, 1e-13);
        ck_assert_double_gt(at->rank.second, 0.1);
    }
    // N4, N5 with all their digits (section 5)
    const carom_determinant_crossing *circled = crossing_at(found, UNIT_BIPED_ROOTS[0], 8e-10);
    assert_close(circled->time, 3.079477155345059583920, 1e-14, 0.0);
    assert_close(circled->constrained_time, 0.777845030699011117356, 1e-14, 0.0);
    carom_determinant_crossings_free(found);
    carom_phase_spectra_free(spectra);
}

/** C13: for large times neighbouring roots are pi apart. */
TEST(unit, roots_far_out_form_a_square_grid_of_pi) {
    carom_phase_spectra *spectra = unit_biped();
    carom_impact_phase_window window = carom_impact_phase_window_default();
    window.max_phase = 17.0;
    carom_determinant_crossings *found = crossings_of(spectra, &window);
    ck_assert_int_eq(found->count, 15);
    for (int k = 0; k < 15; k++) {
        crossing_at(found, UNIT_BIPED_ROOTS[k], 8e-10);
    }
    for (int r = 0; r < 3; r++) {
        const carom_determinant_crossing *fifth =
            crossing_at(found, UNIT_BIPED_ROOTS[9 + r], 8e-10);
        const carom_determinant_crossing *sixth =
            crossing_at(found, UNIT_BIPED_ROOTS[12 + r], 8e-10);
        // hyperbolic modes are saturated to exp(-2 nu_2 tau) = 2e-8 and exp(-2 nu'_1 tau')
        assert_close(sixth->phase - fifth->phase, M_PI, 0.0, 1e-6);
        assert_close(sixth->constrained_phase, fifth->constrained_phase, 0.0, 1e-7);
        if (r == 2) {
            const carom_determinant_crossing *below =
                crossing_at(found, UNIT_BIPED_ROOTS[9 + 1], 8e-10);
            assert_close(fifth->constrained_phase - below->constrained_phase, M_PI, 0.0, 2e-5);
            assert_close(fifth->phase, below->phase, 0.0, 2e-5);
        }
    }
    carom_determinant_crossings_free(found);
    carom_phase_spectra_free(spectra);
}

TEST(unit, the_critical_stand_in_has_its_roots) {
    carom_phase_spectra *spectra = critical_stand_in();
    const carom_impact_phase_window window = carom_impact_phase_window_default();
    carom_determinant_crossings *found = crossings_of(spectra, &window);
    // four columns, three rows
    ck_assert_int_eq(found->count, 12);
    ck_assert_int_eq(found->true_count, 12);
    for (int k = 0; k < 6; k++) {
        crossing_at(found, CRITICAL_ROOTS[k], 8e-10);
    }
    carom_determinant_crossings_free(found);
    carom_phase_spectra_free(spectra);
}

/** 4.2: 20 crossings, 18 roots. The two others are marked, on any grid. */
TEST(unit, spurious_crossings_are_marked_on_coarse_and_on_fine_grids) {
    carom_phase_spectra *spectra = two_oscillating();
    const int cells[4][2] = {{400, 250}, {101, 83}, {40, 40}, {17, 19}};
    for (int k = 0; k < 4; k++) {
        const carom_impact_phase_window window =
            window_of_times(spectra, 0.05, 8.0, 8.0, cells[k][0], cells[k][1]);
        carom_determinant_crossings *found = crossings_of(spectra, &window);
        ck_assert_int_eq(found->count, 20);
        ck_assert_int_eq(found->true_count, 18);
        int spurious = 0;
        for (int c = 0; c < found->count; c++) {
            if (found->crossings[c].is_spurious) {
                ck_assert_int_lt(spurious, 2);
                assert_close(found->crossings[c].time, SPURIOUS_TIMES[spurious][0], 0.0, 5.1e-6);
                assert_close(found->crossings[c].constrained_time, SPURIOUS_TIMES[spurious][1], 0.0,
                             5.1e-6);
                ck_assert_double_gt(found->crossings[c].rank.smallest, 0.01);
                spurious++;
            } else {
                ck_assert_double_lt(found->crossings[c].rank.smallest, 1e-12);
            }
        }
        carom_determinant_crossings_free(found);
    }
    carom_phase_spectra_free(spectra);
}

/* --------------------------------------------------------------------------------- two modes (18)
 */

/** g and its two rates, by the sign of lambda, divided by cosh. */
static void rates(double lambda, carom_parity parity, double t, double *first, double *second) {
    const double omega = sqrt(fabs(lambda));
    const double C = lambda > 0.0 ? cos(omega * t) : 1.0;
    const double S = (lambda > 0.0 ? sin(omega * t) : tanh(omega * t)) / omega;
    *first = parity == CAROM_PARITY_EVEN ? -lambda * S : C;
    *second = parity == CAROM_PARITY_EVEN ? -lambda * C : -lambda * S;
}

/** Equal quotients of both unconstrained modes (18): zero where tau may belong to a root. */
static double unequal(const carom_phase_spectra *spectra, double time) {
    double first[2] = {0.0};
    double second[2] = {0.0};
    for (int i = 0; i < 2; i++) {
        rates(spectra->unconstrained[i], spectra->unconstrained_parity[i], time, &first[i],
              &second[i]);
    }
    return first[0] * second[1] - first[1] * second[0];
}

/** The least o' > 0 with w' = -w: w' = omega' tan o' (odd), -omega' cot o' (even). */
static double least_constrained_phase(const carom_phase_spectra *spectra, double time) {
    double first = 0.0;
    double second = 0.0;
    rates(spectra->unconstrained[1], spectra->unconstrained_parity[1], time, &first, &second);
    const double omega = sqrt(spectra->constrained[0]);
    // tan o' = -w/omega' = second/(omega' first), or cot o' = w/omega'
    const double angle = spectra->constrained_parity[0] == CAROM_PARITY_ODD
                             ? atan2(second, omega * first)
                             : atan2(-omega * first, second);
    return angle - M_PI * floor(angle / M_PI);
}

/** All roots by bisection in tau; how many there are in the window. */
static int two_mode_roots(const carom_phase_spectra *spectra,
                          const carom_impact_phase_window *window,
                          const carom_determinant_crossings *found) {
    const double omega = sqrt(spectra->unconstrained[1]);
    const int steps = 8000;
    int count = 0;
    for (int k = 0; k < steps; k++) {
        const double width = (window->max_phase - window->min_phase) / steps;
        double low = (window->min_phase + k * width) / omega;
        double high = (window->min_phase + (k + 1) * width) / omega;
        const bool is_negative = unequal(spectra, low) < 0.0;
        if ((unequal(spectra, high) < 0.0) == is_negative) {
            continue;
        }
        for (int i = 0; i < 60; i++) {
            const double middle = 0.5 * (low + high);
            if ((unequal(spectra, middle) < 0.0) == is_negative) {
                low = middle;
            } else {
                high = middle;
            }
        }
        const double start = least_constrained_phase(spectra, low);
        for (int r = 0; start + r * M_PI < window->max_constrained_phase; r++) {
            if (start + r * M_PI > window->min_constrained_phase) {
                const known_root root = {low * omega, start + r * M_PI};
                ck_assert(!crossing_at(found, root, 1e-9)->is_spurious);
                count++;
            }
        }
    }
    return count;
}

TEST(property, two_modes_have_the_roots_of_equation_18) {
    int total = 0;
    int spurious = 0;
    for (unsigned long seed = 0; seed < 24; seed++) {
        carom_phase_spectra *spectra = random_spectra(SEED + seed, 2, -2.0, 0.6, 0.9, 2.7);
        mix_parities(spectra, seed);
        const carom_impact_phase_window window = {.min_phase = 0.3,
                                                  .max_phase = 15.0,
                                                  .min_constrained_phase = 0.2,
                                                  .max_constrained_phase = 10.0,
                                                  .columns = 50,
                                                  .rows = 40};
        carom_determinant_crossings *found = crossings_of(spectra, &window);
        const int expected = two_mode_roots(spectra, &window, found);
        ck_assert_int_eq(found->true_count, expected);
        total += expected;
        spurious += found->count - found->true_count;
        carom_determinant_crossings_free(found);
        carom_phase_spectra_free(spectra);
    }
    ck_assert_int_gt(total, 150);
    // row 1 vanishes where both g_1 and g'_1 are at a turning point
    ck_assert_int_gt(spurious, 0);
}

/* ------------------------------------------------------------------------------------- any spectra
 */

/** Claims 3 and 4: with one oscillating mode in each phase one root in every cell, none elsewhere,
 * and no spurious one. */
TEST(property, every_cell_has_one_root_with_one_oscillating_mode_in_each_phase) {
    for (unsigned long seed = 0; seed < 16; seed++) {
        const int N = 2 + (int)(seed % 4);
        carom_phase_spectra *spectra = random_spectra(SEED + seed, N, -4.0, -0.05, 0.37, 1.9);
        for (int i = 0; i < N; i++) {
            spectra->unconstrained_parity[i] = seed % 2 == 0 ? CAROM_PARITY_EVEN : CAROM_PARITY_ODD;
        }
        for (int j = 0; j < N - 1; j++) {
            spectra->constrained_parity[j] =
                (seed / 4) % 2 == 0 ? CAROM_PARITY_ODD : CAROM_PARITY_EVEN;
        }
        const double start = seed % 2 == 0 ? M_PI : 0.5 * M_PI;
        const double constrained_start = (seed / 4) % 2 == 0 ? 0.0 : 0.5 * M_PI;
        const carom_impact_phase_window window = {.min_phase = 0.3,
                                                  .max_phase = start + 2.5 * M_PI,
                                                  .min_constrained_phase = 0.004,
                                                  .max_constrained_phase =
                                                      constrained_start + 2.5 * M_PI,
                                                  .columns = 40,
                                                  .rows = 40};
        carom_determinant_crossings *found = crossings_of(spectra, &window);
        ck_assert_int_eq(found->count, 9);
        ck_assert_int_eq(found->true_count, 9);
        bool is_taken[3][3] = {{false}};
        for (int k = 0; k < 9; k++) {
            const double x = (found->crossings[k].phase - start) / M_PI;
            const double y = (found->crossings[k].constrained_phase - constrained_start) / M_PI;
            const int n = (int)floor(x);
            const int r = (int)floor(y);
            ck_assert(x - n > 0.0 && x - n < 0.5 && y - r > 0.0 && y - r < 0.5);
            ck_assert(!is_taken[n][r]);
            is_taken[n][r] = true;
        }
        carom_determinant_crossings_free(found);
        carom_phase_spectra_free(spectra);
    }
}

/** Claim 1. */
TEST(property, without_an_oscillating_constrained_mode_there_is_no_root) {
    for (unsigned long seed = 0; seed < 12; seed++) {
        const int N = 2 + (int)(seed % 4);
        carom_phase_spectra *spectra = random_spectra(SEED + seed, N, -4.0, -0.4, -0.3, 1.9);
        mix_parities(spectra, seed);
        carom_impact_phase_window window = carom_impact_phase_window_default();
        window.min_phase = 0.1;
        window.min_constrained_phase = 0.1;
        window.columns = 40;
        window.rows = 40;
        carom_determinant_crossings *found = crossings_of(spectra, &window);
        ck_assert_int_eq(found->count, 0);
        carom_determinant_crossings_free(found);
        carom_phase_spectra_free(spectra);
    }
}

/** Several oscillating modes bring curves close together: a grid must not decide what is found. */
TEST(property, a_coarse_grid_misses_no_crossing_of_a_finer_one) {
    for (unsigned long seed = 0; seed < 12; seed++) {
        const int N = 3 + (int)(seed % 2);
        carom_phase_spectra *spectra = random_spectra(SEED + seed, N, -2.0, 3.0, 3.2, 3.9);
        mix_parities(spectra, seed);
        carom_impact_phase_window window = {.min_phase = 0.31,
                                            .max_phase = 9.7,
                                            .min_constrained_phase = 0.29,
                                            .max_constrained_phase = 7.1,
                                            .columns = 24,
                                            .rows = 18};
        carom_determinant_crossings *coarse = crossings_of(spectra, &window);
        window.columns = 150;
        window.rows = 130;
        carom_determinant_crossings *fine = crossings_of(spectra, &window);
        ck_assert_int_eq(coarse->count, fine->count);
        ck_assert_int_eq(coarse->true_count, fine->true_count);
        for (int k = 0; k < fine->count; k++) {
            const known_root root = {fine->crossings[k].phase,
                                     fine->crossings[k].constrained_phase};
            ck_assert(crossing_at(coarse, root, 1e-8)->is_spurious ==
                      fine->crossings[k].is_spurious);
        }
        carom_determinant_crossings_free(coarse);
        carom_determinant_crossings_free(fine);
        carom_phase_spectra_free(spectra);
    }
}

/** Nearly equal eigenvalues make curves that hardly cross: an iteration that creeps along them is
 * left to the cell of its root, and what is found is known to the last digits. */
TEST(unit, crossings_of_nearly_equal_eigenvalues_are_known_to_rounding) {
    const double lambda[5] = {-1.714, 0.575, 2.416, 2.596, 3.867};
    const double constrained[4] = {-0.795, 2.010, 2.505, 2.600};
    carom_phase_spectra *spectra =
        spectra_of(5, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
    int counts[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        const carom_impact_phase_window window = {.min_phase = 3.1,
                                                  .max_phase = 7.1,
                                                  .min_constrained_phase = 2.1,
                                                  .max_constrained_phase = 5.1,
                                                  .columns = k == 0 ? 12 : 107,
                                                  .rows = k == 0 ? 12 : 120};
        carom_determinant_crossings *found = crossings_of(spectra, &window);
        counts[k] = found->true_count;
        carom_determinant_crossings_free(found);
    }
    ck_assert_int_eq(counts[0], counts[1]);
    ck_assert_int_gt(counts[0], 1);
    carom_phase_spectra_free(spectra);
}

/** The subdivision of the box, which knows nothing of curves, finds the same roots: none of two
 * that are 0.04 apart is taken for the other. */
TEST(unit, roots_near_each_other_are_told_apart) {
    const double lambda[4] = {-2.603, 0.951, 1.976, 2.356};
    const double constrained[3] = {0.691, 1.613, 1.978};
    carom_phase_spectra *spectra =
        spectra_of(4, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
    const carom_impact_phase_window window = {.min_phase = 3.0,
                                              .max_phase = 5.0,
                                              .min_constrained_phase = 0.6,
                                              .max_constrained_phase = 2.0,
                                              .columns = 40,
                                              .rows = 40};
    carom_root_search_params box = carom_root_search_params_default();
    box.min_time = window.min_phase / sqrt(lambda[3]);
    box.max_time = window.max_phase / sqrt(lambda[3]);
    box.min_constrained_time = window.min_constrained_phase / sqrt(constrained[2]);
    box.max_constrained_time = window.max_constrained_phase / sqrt(constrained[2]);
    box.use_subdivision = true;
    carom_root_list *roots;
    assert_ok(carom_impact_roots_find(spectra, &box, &roots, NULL));
    carom_determinant_crossings *found = crossings_of(spectra, &window);
    ck_assert(roots->is_complete);
    ck_assert_int_eq(found->true_count, roots->count);
    double nearest = HUGE_VAL;
    for (int i = 0; i < roots->count; i++) {
        for (int j = 0; j < i; j++) {
            nearest = fmin(nearest, hypot(roots->roots[i].time - roots->roots[j].time,
                                          roots->roots[i].constrained_time -
                                              roots->roots[j].constrained_time));
        }
    }
    ck_assert_double_lt(nearest, 0.04);
    carom_determinant_crossings_free(found);
    carom_root_list_free(roots);
    carom_phase_spectra_free(spectra);
}

/** Fill the first family of a grid of 4 x 4 cells with a parabola of second difference 1 along one
 * direction and a slope along the other, and ask for the cell around its least value. */
static bool may_touch(carom_determinant_grid *grid, bool is_along_phase, double least,
                      double slope) {
    for (int j = 0; j <= 4; j++) {
        for (int i = 0; i <= 4; i++) {
            const double x = (is_along_phase ? i : j) - 1.5;
            const double y = is_along_phase ? j : i;
            grid->values[CAROM_DETERMINANT_FAMILY_COUNT * (5 * j + i)] =
                least + 0.5 * x * x + slope * y;
        }
    }
    return carom_determinant_grid_may_vanish(grid, CAROM_DETERMINANT_WITHOUT_MODE,
                                             is_along_phase ? 0 : 1, is_along_phase ? 1 : 0);
}

/** Corners 1/8 above the least value of a parabola of second difference 1 are kept up to 1/2. */
TEST(unit, a_cell_is_kept_if_the_determinant_may_bend_to_zero_within_it) {
    carom_phase_spectra *spectra = unit_biped();
    carom_reduced_matrix *reduced = reduced_of(spectra);
    carom_determinant_grid grid;
    assert_ok(carom_determinant_grid_init(reduced, 4, 4, &grid));
    for (int k = 0; k <= 1; k++) {
        const bool is_along_phase = k == 0;
        ck_assert(may_touch(&grid, is_along_phase, 0.374, 0.0));
        ck_assert(!may_touch(&grid, is_along_phase, 0.376, 0.0));
        ck_assert(may_touch(&grid, is_along_phase, -0.624, 0.0));
        ck_assert(may_touch(&grid, is_along_phase, 0.374, 7.0));
        ck_assert(!may_touch(&grid, is_along_phase, 0.376, 7.0));
        // signs differ
        ck_assert(may_touch(&grid, is_along_phase, -5.0, 7.0));
        ck_assert(may_touch(&grid, is_along_phase, 2.0, -7.0));
    }
    carom_determinant_grid_clear(&grid);
    carom_reduced_matrix_free(reduced);
    carom_phase_spectra_free(spectra);
}

/* ----------------------------------------------------------------------------------------- errors
 */

TEST(errors, windows_and_spectra_that_are_none_are_refused) {
    carom_phase_spectra *spectra = unit_biped();
    carom_impact_phase_window window = carom_impact_phase_window_default();
    window.min_phase = 0.0;
    carom_report report = carom_report_empty();
    carom_determinant_crossings *found = (carom_determinant_crossings *)&report;
    assert_status(carom_determinant_crossings_find(spectra, &window, &found, &report),
                  OUT_OF_RANGE);
    ck_assert_ptr_null(found);
    ck_assert_str_eq(report.quantity, "min phase");
    window = carom_impact_phase_window_default();
    spectra->constrained[1] = 0.0;
    found = (carom_determinant_crossings *)&report;
    assert_status(carom_determinant_crossings_find(spectra, &window, &found, &report), SINGULAR);
    ck_assert_ptr_null(found);
    ck_assert_str_eq(report.quantity, "constrained spectrum");
    ck_assert_int_eq(report.index, 1);
    carom_phase_spectra_free(spectra);
}

TEST(errors, running_out_of_memory_leaves_nothing_behind) {
    carom_phase_spectra *spectra = unit_biped();
    carom_impact_phase_window window = carom_impact_phase_window_default();
    window.max_phase = 24.0;
    window.columns = 60;
    window.rows = 30;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    for (; status != CAROM_OK; failures++) {
        carom_determinant_crossings *found = NULL;
        successes_left = failures;
        status = carom_determinant_crossings_find(spectra, &window, &found, NULL);
        successes_left = -1;
        if (status == CAROM_OK) {
            // more than fit at first
            ck_assert_int_eq(found->count, 21);
        } else {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_ptr_null(found);
        }
        carom_determinant_crossings_free(found);
    }
    ck_assert_int_gt(failures, 20);
    carom_determinant_crossings_free(NULL);
    carom_phase_spectra_free(spectra);
}
