/* carom/collisionless: all impact times of two spectra. */
#include "root_searches.h"

TEST(unit, the_armed_biped_has_the_grid_of_the_reference) {
    carom_phase_spectra *s = biped();
    carom_root_list *list = list_of(s, box_of(0.02, 14.0, 0.02, 8.0));
    ck_assert_int_eq(list->method, CAROM_ROOTS_CELLS);
    ck_assert_int_eq(list->count, 15);
    ck_assert_int_eq(list->boxes, 0);
    assert_complete(s, list);
    for (int i = 0; i < 15; i++) {
        // by row, then column
        ck_assert_int_eq(list->roots[i].row, i / 5);
        ck_assert_int_eq(list->roots[i].column, 2 + i % 5);
        assert_phases(s, &list->roots[i], BIPED[i / 5][i % 5], 6e-10);
        carom_impact_root root;
        assert_ok(carom_impact_roots_cell(s, 2 + i % 5, i / 5, &root, NULL));
        ck_assert_int_eq(root.row, i / 5);
        ck_assert_int_eq(root.column, 2 + i % 5);
        assert_close(root.time, list->roots[i].time, 1e-14, 0.0);
        assert_close(root.constrained_time, list->roots[i].constrained_time, 1e-14, 0.0);
    }
    // the published one, of 40 digits
    assert_close(list->roots[0].time, 3.079477155345059583920, 2e-15, 0.0);
    assert_close(list->roots[0].constrained_time, 0.777845030699011117356, 4e-15, 0.0);
    carom_root_list_free(list);
    carom_phase_spectra_free(s);
}

TEST(unit, the_armed_biped_has_no_other_roots) {
    // Reference table A.3: nine with tau < 10, tau' < 8
    carom_phase_spectra *s = biped();
    carom_root_list *list = subdivided(s, box_of(0.02, 10.0, 0.02, 8.0));
    ck_assert_int_eq(list->count, 9);
    ck_assert_int_gt(list->boxes, 0);
    assert_complete(s, list);
    for (int i = 0; i < 9; i++) {
        // columns of three, by tau; within one the upper rows come sooner
        assert_phases(s, &list->roots[i], BIPED[2 - i % 3][i / 3], 6e-10);
        ck_assert_int_eq(list->roots[i].column, 0);
        ck_assert_int_eq(list->roots[i].row, -1);
    }
    carom_root_list_free(list);
    carom_phase_spectra_free(s);
}

TEST(unit, the_near_critical_system_has_the_roots_of_the_reference) {
    // Reference table A.4
    const double lambda[] = {-3.1, -1.7, -0.8, 1.3};
    double held[] = {-2.4, -1.2, 0.01};
    const double phases[][2] = {{3.899532801, 1.481890685},
                                {7.042109107, 1.481670081},
                                {10.183708621, 1.481668523},
                                {13.325301324, 1.481668512}};
    carom_phase_spectra *s = uniform_spectra(4, lambda, held, EVEN, ODD);
    carom_root_list *list = list_of(s, box_of(0.02, 12.0, 0.02, 20.0));
    ck_assert_int_eq(list->method, CAROM_ROOTS_CELLS);
    ck_assert_int_eq(list->count, 4);
    for (int i = 0; i < 4; i++) {
        assert_phases(s, &list->roots[i], phases[i], 6e-10);
    }
    assert_complete(s, list);
    carom_root_list_free(list);
    const double upper[] = {4.623262735, 7.764855388};
    for (int row = 1; row <= 2; row++) {
        carom_impact_root root;
        assert_ok(carom_impact_roots_cell(s, 3, row, &root, NULL));
        assert_close(0.1 * root.constrained_time, upper[row - 1], 0.0, 6e-10);
    }
    carom_phase_spectra_free(s);
    // lambda'_3 = 1e-1, ..., 1e-6: nu' tau' is up to 2400, cosh of it overflows
    const double heights[] = {1.298333087, 1.481890685, 1.542588414,
                              1.561873222, 1.567974499, 1.569903984};
    for (int power = 1; power <= 6; power++) {
        held[2] = pow(10.0, -power);
        s = uniform_spectra(4, lambda, held, EVEN, ODD);
        carom_impact_root root;
        assert_ok(carom_impact_roots_cell(s, 2, 0, &root, NULL));
        assert_close(root.time, power == 1 ? 3.420117810 : 3.420116515, 0.0, 6e-10);
        assert_close(sqrt(held[2]) * root.constrained_time, heights[power - 1], 0.0, 6e-10);
        list = list_of(s, box_of(0.02, 5.0, 0.02, 1.7 / sqrt(held[2])));
        ck_assert_int_eq(list->method, CAROM_ROOTS_CELLS);
        ck_assert_int_eq(list->count, 1);
        ck_assert(list->is_complete);
        assert_close(list->roots[0].time, root.time, 1e-14, 0.0);
        carom_root_list_free(list);
        carom_phase_spectra_free(s);
    }
}

TEST(unit, high_rows_have_their_roots) {
    // Beyond saturation the rows of A.4 are pi apart: w'_3 (30) has this period, tanh is 1. Times
    // of some 1e3 s are rounded to 1e-13.
    const double lambda[] = {-3.1, -1.7, -0.8, 1.3};
    for (int power = 1; power <= 3; power++) {
        const double held[] = {-2.4, -1.2, pow(10.0, -power)};
        carom_phase_spectra *s = uniform_spectra(4, lambda, held, EVEN, ODD);
        carom_impact_root low;
        const int first = power == 1 ? 20 : 3;
        assert_ok(carom_impact_roots_cell(s, 2, first, &low, NULL));
        for (int row = first + 1; row < 130; row++) {
            carom_impact_root root;
            const carom_status status = carom_impact_roots_cell(s, 2, row, &root, NULL);
            ck_assert_msg(status == CAROM_OK, "lambda'_3 = 1e-%d, row %d: %s", power, row,
                          carom_status_name(status));
            assert_close(root.time, low.time, 0.0, 1e-11);
            assert_close(root.constrained_time,
                         low.constrained_time + (row - first) * M_PI / sqrt(held[2]), 1e-14, 1e-11);
        }
        carom_phase_spectra_free(s);
    }
}

TEST(unit, models_of_two_modes_have_the_times_of_the_reference) {
    // Reference table A.8, 10 decimals
    const double root3 = sqrt(3.0);
    const struct {
        double lambda[2];
        double held;
        carom_parity parity;
        carom_parity held_parity;
        int column;
        double time;
        double held_time;
    } cases[] = {
        {{0.0, 2.0}, 1.0, EVEN, EVEN, 2, 3.1773202983, 1.8757120725},
        {{0.0, 2.0}, 1.0, EVEN, EVEN, 3, 5.4625779603, 1.7518552707},
        {{0.0, 1.0}, 0.5, EVEN, EVEN, 2, 4.4934094579, 2.6526574521},
        {{0.5 - 0.5 * root3, 0.5 + 0.5 * root3}, 1.0, ODD, ODD, 1, 2.3199872833, 0.4921138220},
        {{0.5 - 0.5 * root3, 0.5 + 0.5 * root3}, 1.0, ODD, ODD, 2, 4.9689149276, 0.5419219742},
        {{-M_SQRT2, M_SQRT2}, 1.0, ODD, ODD, 1, 1.9887371532, 0.8629029622},
        {{-M_SQRT2, M_SQRT2}, 1.0, EVEN, ODD, 2, 3.3018658083, 0.8719938807},
        {{-M_SQRT2, M_SQRT2}, 1.0, EVEN, ODD, 3, 5.9439458917, 0.8716118765}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        carom_phase_spectra *s = uniform_spectra(2, cases[i].lambda, &cases[i].held,
                                                 cases[i].parity, cases[i].held_parity);
        carom_impact_root root;
        assert_ok(carom_impact_roots_cell(s, cases[i].column, 0, &root, NULL));
        assert_close(root.time, cases[i].time, 0.0, 6e-11);
        assert_close(root.constrained_time, cases[i].held_time, 0.0, 6e-11);
        // and in the whole list
        const carom_root_search_params box = box_of(0.02, 7.0, 0.02, 4.0);
        carom_root_list *list = list_of(s, box);
        ck_assert_int_eq(list->method, CAROM_ROOTS_CELLS);
        const int place = cases[i].column - (cases[i].parity == EVEN ? 2 : 1);
        ck_assert_int_gt(list->count, place);
        assert_close(list->roots[place].time, cases[i].time, 0.0, 6e-11);
        carom_root_list *other = subdivided(s, box);
        assert_complete(s, other);
        assert_same_roots(list, other);
        carom_root_list_free(other);
        carom_root_list_free(list);
        carom_phase_spectra_free(s);
    }
}

TEST(unit, crossings_of_the_determinants_that_keep_the_rank_are_left_out) {
    // Reference: 20 crossings, 18 true ones, two spurious
    const double lambda[] = {-2.0, -0.5, 1.1, 3.1};
    const double held[] = {-1.3, 0.35, 1.7};
    const double spurious[][2] = {{5.40294, 4.02699}, {2.41611, 4.02016}};
    carom_phase_spectra *s = uniform_spectra(4, lambda, held, EVEN, ODD);
    const carom_root_search_params box = box_of(0.05, 8.0, 0.05, 8.0);
    carom_root_list *list = list_of(s, box);
    ck_assert_int_eq(list->method, CAROM_ROOTS_SUBDIVISION);
    ck_assert_int_eq(list->count, 18);
    assert_complete(s, list);
    assert_as_from_grid(s, box, 0.1, list, 0);
    for (int i = 0; i < 18; i++) {
        const carom_impact_root *root = &list->roots[i];
        ck_assert(i == 0 || root->time >= list->roots[i - 1].time);
        for (int k = 0; k < 2; k++) {
            ck_assert(hypot(root->time - spurious[k][0], root->constrained_time - spurious[k][1]) >
                      1e-2);
        }
    }
    carom_root_list_free(list);
    carom_phase_spectra_free(s);
}

TEST(unit, the_hanging_chain_of_two_masses_has_its_root) {
    // Reference: m = 1, k = [2 -1; -1 1], all even; 12 decimals
    const double lambda[] = {0.5 * (3.0 - sqrt(5.0)), 0.5 * (3.0 + sqrt(5.0))};
    const double held = 2.0;
    carom_phase_spectra *s = uniform_spectra(2, lambda, &held, EVEN, EVEN);
    const carom_root_search_params box = box_of(0.05, 8.0, 0.05, 8.0);
    carom_root_list *list = list_of(s, box);
    ck_assert_int_eq(list->method, CAROM_ROOTS_SUBDIVISION);
    assert_complete(s, list);
    assert_as_from_grid(s, box, 0.1, list, 0);
    double distance = HUGE_VAL;
    for (int i = 0; i < list->count; i++) {
        distance = fmin(distance, hypot(list->roots[i].time - 2.977331570419,
                                        list->roots[i].constrained_time - 1.025842035769));
    }
    ck_assert(distance < 2e-12);
    carom_root_list_free(list);
    carom_phase_spectra_free(s);
}

TEST(unit, slow_instability_makes_the_constrained_phase_short) {
    // Wheel, (25) and (26): o_2 = beta_1(rho), rho = nu_1/omega_2 -> 0, o'_1 -> nu_1^2 tau/omega'_1
    for (int power = 2; power <= 8; power++) {
        const double nu = pow(10.0, -0.5 * power);
        const double lambda[] = {-nu * nu, 1.4};
        const double held = 1.0;
        const double w = sqrt(lambda[1]);
        carom_phase_spectra *s = uniform_spectra(2, lambda, &held, ODD, ODD);
        carom_impact_root root;
        const carom_status status = carom_impact_roots_cell(s, 1, 0, &root, NULL);
        ck_assert_msg(status == CAROM_OK, "lambda_1 = -1e-%d: %s", power,
                      carom_status_name(status));
        const double slope = nu * tanh(nu * root.time);
        assert_close(w * tan(w * root.time), -slope, 0.0, 1e-13);
        assert_close(tan(root.constrained_time), slope, 1e-12, 1e-15);
        // the other roots are there whether or not these are in the box: two columns, two rows
        carom_root_list *list = list_of(s, box_of(0.02, 6.0, 0.05, 5.0));
        ck_assert_int_eq(list->count, 2);
        carom_root_list_free(list);
        carom_phase_spectra_free(s);
    }
}

TEST(unit, a_mode_that_hardly_moves_the_contact_hardly_matters) {
    // lambda'_1 = lambda_2 (1 + 1e-6): the mode decouples, the other two have times of A.8
    // (rocking)
    const double lambda[] = {-M_SQRT2, -0.7, M_SQRT2};
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int power = 2; power <= 12; power += 2) {
            const double gap = pow(10.0, -power);
            const double held[] = {-0.7 * (1.0 + gap), 1.0};
            carom_phase_spectra *s = uniform_spectra(3, lambda, held, EVEN, sign < 0 ? EVEN : ODD);
            s->constrained_parity[1] = ODD;
            carom_impact_root root;
            assert_ok(carom_impact_roots_cell(s, 2, 0, &root, NULL));
            // eta_2 is 1e-6 of the others, the times move by the same order
            assert_close(root.time, 3.3018658083, 0.0, 3.0 * gap + 1e-10);
            assert_close(root.constrained_time, 0.8719938807, 0.0, 3.0 * gap + 1e-10);
            ck_assert(root.residual < 1e-12);
            carom_phase_spectra_free(s);
        }
    }
}

TEST(unit, widely_spread_and_close_eigenvalues_have_their_roots) {
    const double lambdas[][4] = {{-1e4, -1.0, -1e-4, 2.385},
                                 {-3.0, -1.0, -0.8, 400.0},
                                 {-1e6, -1e3, -1.0, 1e-3},
                                 {-1.7, -1.7 * (1.0 - 2e-6), -0.3, 0.9},
                                 {-2.4, -1.3, -1e-4, 1.1}};
    const double helds[][3] = {{-17.0, -0.01, 0.731},
                               {-2.0, -0.9, 3.1},
                               {-3e4, -31.0, 1e-4},
                               {-1.7 * (1.0 - 1e-6), -0.9, 0.5},
                               {-1.31, -1e-2, 1e-4}};
    for (int i = 0; i < 5; i++) {
        for (int kind = 0; kind < 4; kind++) {
            carom_phase_spectra *s = uniform_spectra(
                4, lambdas[i], helds[i], (carom_parity)(kind % 2), (carom_parity)(kind / 2));
            for (int cell = 0; cell < 9; cell++) {
                carom_impact_root root;
                assert_ok(carom_impact_roots_cell(s, 2 + cell % 3, cell / 3, &root, NULL));
                // tau and tau' of very different sizes: B is far from scaled as well as Z
                ck_assert(root.residual < 1e-12);
                const double gap = reduced_rank_gap(s, root.time, root.constrained_time);
                ck_assert_msg(gap < 1e-9, "spectra %d, kind %d, cell %d: %g", i, kind, cell, gap);
            }
            carom_phase_spectra_free(s);
        }
    }
}

/** One oscillating mode in each phase, parities by the bits of the sample where N is small. */
static carom_phase_spectra *single_oscillations(draws *d, int N) {
    carom_phase_spectra *s = random_spectra(d, N, 1, 1);
    if (N > 3) {
        draw_parities(d, s, true);
    } else {
        for (int i = 0; i < N; i++) {
            s->unconstrained_parity[i] = (carom_parity)(d->sample >> i & 1U);
        }
        for (int j = 0; j < N - 1; j++) {
            s->constrained_parity[j] = (carom_parity)(d->sample >> (N + j) & 1U);
        }
    }
    return s;
}

/** Number of cells of a side: w_N < 0 and w'_{N-1} > 0 (claim 3). */
static bool lies_in_its_cell(const carom_phase_spectra *s, const carom_impact_root *root) {
    const int N = s->mode_count;
    const double o = sqrt(s->unconstrained[N - 1]) * root->time / M_PI;
    const double o_held = sqrt(s->constrained[N - 2]) * root->constrained_time / M_PI;
    const double left = root->column - (s->unconstrained_parity[N - 1] == EVEN ? 1.0 : 0.5);
    const double low = root->row + (s->constrained_parity[N - 2] == ODD ? 0.0 : 0.5);
    return o > left && o < left + 0.5 && o_held > low && o_held < low + 0.5;
}

/** Cells, subdivision and a grid of Newton iterations on B agree. */
static void assert_ways_agree(const carom_phase_spectra *s, carom_root_search_params box,
                              double step) {
    carom_root_list *list = list_of(s, box);
    carom_root_list *other = subdivided(s, box);
    assert_complete(s, list);
    assert_complete(s, other);
    assert_same_roots(list, other);
    assert_as_from_grid(s, box, step, list, 0);
    for (int i = 0; i < list->count && list->roots[i].row >= 0; i++) {
        ck_assert(lies_in_its_cell(s, &list->roots[i]));
        for (int j = 0; j < i; j++) {
            ck_assert(list->roots[i].row != list->roots[j].row ||
                      list->roots[i].column != list->roots[j].column);
        }
    }
    carom_root_list_free(other);
    carom_root_list_free(list);
}

LOOP_TEST(property, cells_subdivision_and_grid_agree, 52) {
    // all parities of two and three modes; the rest at random
    const int N = _i < 8 ? 2 : _i < 40 ? 3 : 4 + _i % 3;
    draws d = {SEED, (unsigned long)(_i < 8 ? _i : _i - 8), 0};
    carom_phase_spectra *s = single_oscillations(&d, N);
    assert_ways_agree(s, box_of(0.3, 5.5, 0.3, 5.5), 0.15);
    carom_phase_spectra_free(s);
}

TEST(property, every_cell_has_its_root) {
    for (unsigned long sample = 0; sample < 150; sample++) {
        draws d = {SEED + 1, sample, 0};
        const int N = 2 + (int)(sample % 5);
        carom_phase_spectra *s = random_spectra(&d, N, 1, 1);
        draw_parities(&d, s, sample % 2 == 0);
        for (int cell = 0; cell < 9; cell++) {
            const int least = s->unconstrained_parity[N - 1] == EVEN ? 2 : 1;
            carom_impact_root root;
            assert_ok(
                carom_impact_roots_cell(s, least + 3 * (cell % 3), 2 * (cell / 3), &root, NULL));
            ck_assert(lies_in_its_cell(s, &root));
            ck_assert(root.residual < 1e-13);
            ck_assert(reduced_rank_gap(s, root.time, root.constrained_time) < 1e-10);
        }
        carom_phase_spectra_free(s);
    }
}

TEST(property, the_first_column_has_roots_beside_odd_hyperbolic_modes) {
    // sigma_N = -1 and odd modes below: one root in each of its cells (claim 4)
    for (unsigned long sample = 0; sample < 6; sample++) {
        draws d = {SEED + 2, sample, 0};
        const int N = 2 + (int)(sample % 3);
        carom_phase_spectra *s = random_spectra(&d, N, 1, 1);
        for (int i = 0; i < N; i++) {
            s->unconstrained_parity[i] = i == N - 1 ? EVEN : ODD;
            s->constrained_parity[i < N - 1 ? i : 0] = (carom_parity)(draw(&d, 0.0, 1.0) < 0.5);
        }
        // all of the first column but tau < 0.1, all of the first row
        const double edge = M_PI / sqrt(s->unconstrained[N - 1]);
        const double held_edge = M_PI / sqrt(s->constrained[N - 2]);
        const carom_root_search_params box = box_of(0.1, edge, 0.02, held_edge);
        carom_root_list *list = list_of(s, box);
        ck_assert_int_eq(list->method, CAROM_ROOTS_MIXED);
        ck_assert_int_gt(list->boxes, 0);
        assert_complete(s, list);
        ck_assert_int_eq(list->count, 1);
        ck_assert(list->roots[0].time < 0.5 * edge);
        ck_assert_int_eq(list->roots[0].column, 1);
        ck_assert_int_eq(list->roots[0].row, 0);
        carom_root_list_free(list);
        assert_ways_agree(s, box_of(0.1, 3.0 * edge, 0.1, 2.0 * held_edge), 0.1);
        carom_phase_spectra_free(s);
    }
}

TEST(property, the_first_column_is_empty_where_all_modes_are_even) {
    for (unsigned long sample = 0; sample < 6; sample++) {
        draws d = {SEED + 3, sample, 0};
        const int N = 2 + (int)(sample % 4);
        carom_phase_spectra *s = random_spectra(&d, N, 1, 1);
        draw_parities(&d, s, true);
        for (int i = 0; i < N; i++) {
            s->unconstrained_parity[i] = EVEN;
        }
        const double edge = M_PI / sqrt(s->unconstrained[N - 1]);
        carom_root_list *list = list_of(s, box_of(0.1, edge, 0.1, 8.0));
        ck_assert_int_eq(list->method, CAROM_ROOTS_CELLS);
        ck_assert_int_eq(list->count, 0);
        carom_root_list *other = subdivided(s, box_of(0.1, edge, 0.1, 8.0));
        ck_assert_int_eq(other->count, 0);
        assert_complete(s, other);
        carom_root_list_free(list);
        carom_root_list_free(other);
        carom_phase_spectra_free(s);
    }
}

/** Several oscillating modes in a phase. */
static carom_phase_spectra *several_oscillations(draws *d, int N) {
    const int positive = 3 + (int)draw(d, 0.0, 2.0 * N - 3.0);
    carom_phase_spectra *s = random_spectra(d, N, (positive + 1) / 2, positive / 2);
    draw_parities(d, s, draw(d, 0.0, 1.0) < 0.5);
    return s;
}

LOOP_TEST(property, subdivision_finds_all_roots_of_several_oscillations, 16) {
    draws d = {SEED + 4, (unsigned long)_i, 0};
    const int N = 2 + _i % 4;
    carom_phase_spectra *s = several_oscillations(&d, N);
    const carom_root_search_params box = box_of(0.3, 5.0, 0.3, 5.0);
    carom_root_list *list = list_of(s, box);
    ck_assert_int_eq(list->method, CAROM_ROOTS_SUBDIVISION);
    assert_complete(s, list);
    assert_as_from_grid(s, box, 0.1, list, 0);
    for (int i = 0; i < list->count; i++) {
        ck_assert_int_eq(list->roots[i].column, 0);
        ck_assert_int_eq(list->roots[i].row, -1);
        ck_assert(i == 0 || list->roots[i].time >= list->roots[i - 1].time);
    }
    carom_root_list_free(list);
    carom_phase_spectra_free(s);
}

LOOP_TEST(property, subdivision_finds_all_roots_of_nearly_decoupled_modes, 10) {
    // A constrained mode of almost the frequency of a free one keeps Z close to losing rank along
    // curves; roots come as close as 0.01 s.
    const int N = 3 + _i % 2;
    draws d = {SEED + 10, (unsigned long)_i, 0};
    carom_phase_spectra *s = random_spectra(&d, N, N, N - 1);
    draw_parities(&d, s, _i % 4 == 0);
    const double *neighbours = s->unconstrained + N - 2 - _i % 2;
    const double gap = _i < 6 ? 1e-3 : 1e-6;
    s->constrained[N - 2 - _i % 2] =
        neighbours[0] + (_i % 3 == 0 ? gap : 1.0 - gap) * (neighbours[1] - neighbours[0]);
    const carom_root_search_params box = box_of(0.3, 4.0, 0.3, 4.0);
    carom_root_list *list = list_of(s, box);
    ck_assert(list->is_complete);
    // the entries of B are up to 1e6 times what they are elsewhere
    assert_complete_to(s, list, 1e-8);
    // next to the curves the iterations hardly converge
    assert_as_from_grid(s, box, 0.05, list, 3);
    for (int i = 1; i < list->count; i++) {
        ck_assert(list->roots[i].time - list->roots[i - 1].time > 1e-6);
    }
    carom_root_list_free(list);
    carom_phase_spectra_free(s);
}

TEST(property, close_roots_are_both_found) {
    // as above, a case with two roots 0.04 s and 0.017 s apart, as the grid around them confirms
    for (int power = 3; power <= 4; power++) {
        draws d = {777, 18, 0};
        carom_phase_spectra *s = random_spectra(&d, 3, 3, 2);
        draw_parities(&d, s, false);
        s->constrained[1] =
            s->unconstrained[1] + pow(10.0, -power) * (s->unconstrained[2] - s->unconstrained[1]);
        carom_root_list *list = list_of(s, box_of(0.3, 5.0, 0.3, 5.0));
        assert_complete_to(s, list, 1e-9);
        int pairs = 0;
        for (int i = 1; i < list->count; i++) {
            for (int j = 0; j < i; j++) {
                const carom_impact_root *a = &list->roots[i];
                const carom_impact_root *b = &list->roots[j];
                const double distance =
                    hypot(a->time - b->time, a->constrained_time - b->constrained_time);
                if (distance > 0.05) {
                    continue;
                }
                pairs++;
                grid_roots found;
                const double box[] = {a->time - 0.06, a->time + 0.06, a->constrained_time - 0.06,
                                      a->constrained_time + 0.06};
                grid_roots_find(s, box, 0.006, &found);
                ck_assert(grid_roots_distance(&found, a->time, a->constrained_time) < 1e-8);
                ck_assert(grid_roots_distance(&found, b->time, b->constrained_time) < 1e-8);
            }
        }
        ck_assert_int_eq(pairs, 1);
        carom_root_list_free(list);
        carom_phase_spectra_free(s);
    }
}

TEST(property, without_an_oscillating_constrained_mode_there_are_no_roots) {
    // Claim 1, lambda'_{N-1} = 0 included
    for (unsigned long sample = 0; sample < 24; sample++) {
        draws d = {SEED + 5, sample, 0};
        const int N = 2 + (int)(sample % 4);
        carom_phase_spectra *s = random_spectra(&d, N, (int)(sample / 4 % 2), 0);
        draw_parities(&d, s, sample % 3 == 0);
        if (sample % 2 == 1 && s->unconstrained[N - 1] > 0.0) {
            s->constrained[N - 2] = 0.0;
        }
        carom_root_list *list = list_of(s, carom_root_search_params_default());
        ck_assert_int_eq(list->method, CAROM_ROOTS_NONE);
        ck_assert_int_eq(list->count, 0);
        ck_assert(list->is_complete);
        carom_root_list_free(list);
        carom_root_search_params box = box_of(0.3, 5.0, 0.3, 5.0);
        box.use_subdivision = true;
        list = list_of(s, box);
        ck_assert_int_eq(list->method, CAROM_ROOTS_SUBDIVISION);
        ck_assert_int_gt(list->boxes, 0);
        ck_assert_int_eq(list->count, 0);
        ck_assert_int_eq(list->undecided, 0);
        ck_assert(list->is_complete);
        carom_root_list_free(list);
        carom_phase_spectra_free(s);
    }
}

TEST(property, two_modes_move_whenever_the_constrained_one_oscillates) {
    // Appendix C, for lambda_1 of either sign and every choice of the three parities
    for (unsigned long sample = 0; sample < 12; sample++) {
        draws d = {SEED + 6, sample, 0};
        const double first = draw(&d, -2.0, 1.0);
        const double held = fmax(first, 0.0) + draw(&d, 0.2, 1.0);
        const double lambda[] = {first, held + draw(&d, 0.2, 2.0)};
        for (int parities = 0; parities < 8; parities++) {
            carom_phase_spectra *s = uniform_spectra(2, lambda, &held, parities & 1 ? ODD : EVEN,
                                                     parities & 4 ? ODD : EVEN);
            s->unconstrained_parity[1] = parities & 2 ? ODD : EVEN;
            carom_root_list *list = subdivided(s, carom_root_search_params_default());
            ck_assert_int_gt(list->count, 0);
            assert_complete(s, list);
            carom_root_list_free(list);
            carom_phase_spectra_free(s);
        }
    }
}

TEST(property, a_change_of_the_unit_of_time_changes_the_times_alone) {
    for (unsigned long sample = 0; sample < 6; sample++) {
        draws d = {SEED + 6, sample, 0};
        const int N = 2 + (int)(sample % 3);
        carom_phase_spectra *s =
            sample % 2 == 0 ? single_oscillations(&d, N) : several_oscillations(&d, N);
        const double unit = pow(10.0, draw(&d, -3.0, 3.0));
        carom_root_search_params box = box_of(0.4, 4.0, 0.4, 4.0);
        carom_root_list *list = list_of(s, box);
        for (int k = 0; k < 2 * N - 1; k++) {
            *(k % 2 == 0 ? &s->unconstrained[k / 2] : &s->constrained[k / 2]) *= unit * unit;
        }
        box = box_of(0.4 / unit, 4.0 / unit, 0.4 / unit, 4.0 / unit);
        carom_root_list *scaled = list_of(s, box);
        ck_assert_int_eq(scaled->count, list->count);
        ck_assert_int_eq(scaled->method, list->method);
        ck_assert(scaled->is_complete);
        for (int i = 0; i < list->count; i++) {
            assert_close(scaled->roots[i].time * unit, list->roots[i].time, ROOT_TOLERANCE, 0.0);
            assert_close(scaled->roots[i].constrained_time * unit, list->roots[i].constrained_time,
                         ROOT_TOLERANCE, 0.0);
            assert_close(scaled->roots[i].second_singular_value,
                         list->roots[i].second_singular_value, 1e-8, 0.0);
        }
        carom_root_list_free(list);
        carom_root_list_free(scaled);
        carom_phase_spectra_free(s);
    }
}

/** Units of time, in s, that multiple roots are looked for in. */
static const double UNITS_OF_TIME[] = {1.0, 1e-6, 1e-3, 0.7, 60.0, 86400.0, 1e6};
enum { UNIT_OF_TIME_COUNT = sizeof UNITS_OF_TIME / sizeof UNITS_OF_TIME[0] };

LOOP_TEST(property, multiple_roots_are_found_once_in_every_unit_of_time, UNIT_OF_TIME_COUNT) {
    // All even modes rest at tau = pi, where one odd constrained mode may rest too: along tau +
    // tau' the conditions are then violated in third order. Other roots of the box are simple.
    const double unit = UNITS_OF_TIME[_i];
    const double lambda[] = {1.0 / unit / unit, 4.0 / unit / unit, 9.0 / unit / unit};
    const double held[] = {2.0 / unit / unit, 6.0 / unit / unit};
    carom_phase_spectra *s = uniform_spectra(3, lambda, held, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
    carom_root_list *list = list_of(s, box_of(0.01 * unit, 5.3 * unit, 0.01 * unit, 4.1 * unit));
    ck_assert_int_eq(list->count, 7);
    ck_assert_int_eq(list->singular, 5);
    ck_assert_int_eq(list->undecided, 0);
    ck_assert(!list->is_complete);
    // Parts are given up at a change of Z of 1e-6.
    const double rests[] = {0.5 * M_PI / sqrt(2.0), 1.5 * M_PI / sqrt(2.0), 0.5 * M_PI / sqrt(6.0),
                            1.5 * M_PI / sqrt(6.0), 2.5 * M_PI / sqrt(6.0)};
    for (int k = 0; k < 5; k++) {
        int found = 0;
        for (int i = 0; i < list->count; i++) {
            const carom_impact_root *root = &list->roots[i];
            const double distance =
                hypot(root->time / unit - M_PI, root->constrained_time / unit - rests[k]);
            found += root->is_singular && distance < 1e-6 ? 1 : 0;
        }
        ck_assert_int_eq(found, 1);
    }
    carom_root_list_free(list);
    carom_phase_spectra_free(s);
}

TEST(property, polishing_returns_to_a_root_from_nearby) {
    for (unsigned long sample = 0; sample < 12; sample++) {
        draws d = {SEED + 7, sample, 0};
        carom_phase_spectra *s = several_oscillations(&d, 2 + (int)(sample % 4));
        grid_roots found;
        grid_roots_find(s, (double[]){0.5, 4.0, 0.5, 4.0}, 0.1, &found);
        for (int i = 0; i < found.count; i++) {
            const double *times = found.times[i];
            carom_impact_root root;
            assert_ok(carom_impact_roots_polish(s, times[0] + draw(&d, -1e-5, 1e-5),
                                                times[1] + draw(&d, -1e-5, 1e-5), &root, NULL));
            // the other iteration ends at steps of 1e-11
            assert_close(root.time, times[0], 0.0, 1e-9);
            assert_close(root.constrained_time, times[1], 0.0, 1e-9);
            ck_assert(root.residual < 1e-13);
            ck_assert_int_eq(root.column, 0);
            ck_assert_int_eq(root.row, -1);
        }
        carom_phase_spectra_free(s);
    }
}

/** The root is in boxes that it is inside of by `margin` at each corner, not in those that it is
 * outside of. */
static void assert_found_at_corners(const carom_phase_spectra *s, const carom_impact_root *root,
                                    bool use_subdivision) {
    // the root is polished to some 1e-15
    const double margin = 1e-12;
    for (int corner = 0; corner < 8; corner++) {
        const bool is_inside = corner < 4;
        const double inner = is_inside ? -margin : margin;
        const bool is_left = corner % 2 == 0;
        const bool is_low = corner / 2 % 2 == 0;
        const double tau = root->time;
        const double held = root->constrained_time;
        carom_root_search_params box =
            box_of(is_left ? tau + inner : tau - 1e-3, is_left ? tau + 1e-3 : tau - inner,
                   is_low ? held + inner : held - 1e-3, is_low ? held + 1e-3 : held - inner);
        box.use_subdivision = use_subdivision;
        carom_root_list *list = list_of(s, box);
        ck_assert(list->is_complete);
        ck_assert_int_eq(list->count, is_inside ? 1 : 0);
        carom_root_list_free(list);
    }
}

TEST(property, roots_next_to_an_edge_are_on_their_side_of_it) {
    draws d = {SEED + 8, 3, 0};
    carom_phase_spectra *s = several_oscillations(&d, 3);
    carom_root_list *all = list_of(s, box_of(0.4, 5.0, 0.4, 5.0));
    ck_assert_int_ge(all->count, 3);
    for (int i = 0; i < all->count; i++) {
        assert_found_at_corners(s, &all->roots[i], true);
    }
    carom_root_list_free(all);
    carom_phase_spectra_free(s);
    s = biped();
    all = list_of(s, box_of(0.4, 5.0, 0.4, 5.0));
    ck_assert_int_eq(all->count, 2);
    for (int i = 0; i < all->count; i++) {
        assert_found_at_corners(s, &all->roots[i], false);
        assert_found_at_corners(s, &all->roots[i], true);
    }
    carom_root_list_free(all);
    carom_phase_spectra_free(s);
}

TEST(property, a_root_where_boxes_meet_is_found_once) {
    // halves, quarters, ... of the box meet in the root
    draws d = {SEED + 8, 3, 0};
    carom_phase_spectra *s = several_oscillations(&d, 3);
    carom_root_list *all = list_of(s, box_of(0.4, 5.0, 0.4, 5.0));
    for (int i = 0; i < 20 * all->count; i++) {
        const carom_impact_root *root = &all->roots[i / 20];
        const double reach = 0.01 * (1 + i % 20);
        const double left = root->time - reach * (i % 3 == 0 ? 3.0 : 1.0);
        const double low = root->constrained_time - reach * (i % 2 == 0 ? 3.0 : 1.0);
        carom_root_list *list =
            list_of(s, box_of(left, root->time + reach, low, root->constrained_time + reach));
        ck_assert(list->is_complete);
        int count = 0;
        for (int k = 0; k < list->count; k++) {
            count += hypot(list->roots[k].time - root->time,
                           list->roots[k].constrained_time - root->constrained_time) < 1e-9;
        }
        ck_assert_int_eq(count, 1);
        carom_root_list_free(list);
    }
    carom_root_list_free(all);
    carom_phase_spectra_free(s);
}

TEST(property, the_same_search_finds_the_same_bits) {
    for (unsigned long sample = 0; sample < 4; sample++) {
        draws d = {SEED + 9, sample, 0};
        carom_phase_spectra *s =
            sample % 2 == 0 ? single_oscillations(&d, 3) : several_oscillations(&d, 3);
        const carom_root_search_params box = box_of(0.4, 4.0, 0.4, 4.0);
        carom_root_list *lists[] = {list_of(s, box), list_of(s, box)};
        ck_assert_int_eq(lists[0]->count, lists[1]->count);
        ck_assert_int_eq(lists[0]->boxes, lists[1]->boxes);
        for (int i = 0; i < lists[0]->count; i++) {
            const carom_impact_root *a = &lists[0]->roots[i];
            const carom_impact_root *b = &lists[1]->roots[i];
            assert_close(a->time, b->time, 0.0, 0.0);
            assert_close(a->constrained_time, b->constrained_time, 0.0, 0.0);
            assert_close(a->residual, b->residual, 0.0, 0.0);
            assert_close(a->smallest_singular_value, b->smallest_singular_value, 0.0, 0.0);
            assert_close(a->second_singular_value, b->second_singular_value, 0.0, 0.0);
        }
        carom_root_list_free(lists[0]);
        carom_root_list_free(lists[1]);
        carom_phase_spectra_free(s);
    }
}
