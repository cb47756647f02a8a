/* carom/contact/contact.h: piles of many contacts at rest against their weights, and the products
 * of the round cone that the interior-point method is made of. */
#include "random_problem.h"

#include <carom/contact/internal.h>
#include <carom/models/disc_pile.h>

#include <stdlib.h>
#include <string.h>

/* Discs of 1 kg below, and in the rows above of other masses: with so much friction nothing moves,
 * and the ground carries them all. */
TEST(property, a_pile_at_rest_stands_on_the_ground_by_its_weight) {
    static const double mass_ratio[] = {1.0, 1e-3, 1e3};
    static const double friction[] = {0.6, 1.0};
    for (int k = 0; k < 12; k++) {
        CAROM_AUTO(carom_contact_solver) solver = NULL;
        CAROM_AUTO(carom_contact_problem) problem = NULL;
        carom_disc_pile_params params = carom_disc_pile_params_default();
        carom_contact_report result;
        carom_contact_params how = carom_contact_params_default();
        params.mass_ratio = mass_ratio[k % 3];
        params.friction = friction[k / 3 % 2];
        how.tolerance = k < 6 ? 1e-10 : 1e-3;
        assert_ok(carom_disc_pile_problem(&params, &problem, NULL));
        assert_ok(carom_contact_solver_alloc(&solver));
        CAROM_AUTO_MEMORY double *r = calloc(2 * (size_t)problem->row_count, sizeof *r);
        double *u = r + problem->row_count;
        assert_ok(carom_contact_solve(solver, problem, &how, r, u, &result, NULL));
        double mass = 0.0;
        double ground = 0.0;
        double along = 0.0;
        double most = 0.0;
        for (int i = 0; i < params.rows; i++) {
            mass += (params.rows - i) * pow(params.mass_ratio, i / (params.rows - 1.0));
            ground += r[2 * i];
            along += r[2 * i + 1];
        }
        for (int i = 0; i < problem->row_count; i++) {
            most = fmax(most, fabs(r[i]));
        }
        const double weight = mass * params.gravity * params.step;
        // Residuals are beside impulses; a light disc below heavy ones has some thousand times its
        // own.
        assert_close(ground, weight, 0.0, 100.0 * how.tolerance * most);
        assert_close(along, 0.0, 0.0, 100.0 * how.tolerance * most);
        for (int i = 0; i < problem->row_count; i++) {
            const double w = problem->inverse_mass[i / 2];
            ck_assert(fabs(u[i]) <= 100.0 * how.tolerance * w * most);
        }
        // Sweeps alone would take ten thousands.
        ck_assert_int_le(result.newton_iterations, 40);
        ck_assert_int_le(result.sweeps, 300);
    }
}

/* With so little friction the pile collapses. */
TEST(property, piles_that_slide_are_solved_whatever_their_masses) {
    static const double mass_ratio[] = {1.0, 1e-3, 1e3};
    for (int k = 0; k < 6; k++) {
        CAROM_AUTO(carom_contact_solver) solver = NULL;
        CAROM_AUTO(carom_contact_problem) problem = NULL;
        carom_disc_pile_params params = carom_disc_pile_params_default();
        carom_contact_params how = carom_contact_params_default();
        carom_contact_report result;
        params.mass_ratio = mass_ratio[k % 3];
        params.friction = k < 3 ? 0.05 : 0.1;
        how.tolerance = 1e-10;
        assert_ok(carom_disc_pile_problem(&params, &problem, NULL));
        assert_ok(carom_contact_solver_alloc(&solver));
        CAROM_AUTO_MEMORY double *r = calloc(2 * (size_t)problem->row_count, sizeof *r);
        double *u = r + problem->row_count;
        assert_ok(carom_contact_solve(solver, problem, &how, r, u, &result, NULL));
        CAROM_AUTO_MEMORY carom_contact_state *states =
            malloc((size_t)problem->contact_count * sizeof *states);
        carom_contact_classify(problem, r, u, 1e-7, states);
        int sliding = 0;
        for (int i = 0; i < problem->contact_count; i++) {
            sliding += states[i] == CAROM_CONTACT_SLIDES ? 1 : 0;
            ck_assert(fabs(r[2 * i + 1]) <= (1.0 + 1e-14) * params.friction * r[2 * i]);
            // Friction acts against what slides.
            ck_assert(states[i] != CAROM_CONTACT_SLIDES || r[2 * i + 1] * u[2 * i + 1] < 0.0);
        }
        ck_assert_int_gt(sliding, problem->contact_count / 10);
        ck_assert(carom_contact_energy(problem, r, u) < 0.0);
        ck_assert_int_le(result.newton_iterations, 120);
    }
}

/* Friction that nearly holds the pile: paths turn back, and others are followed. */
TEST(property, piles_that_nearly_hold_are_solved_too) {
    static const double friction[] = {0.2, 0.25, 0.3, 0.4};
    for (int k = 0; k < 4; k++) {
        CAROM_AUTO(carom_contact_solver) solver = NULL;
        CAROM_AUTO(carom_contact_problem) problem = NULL;
        carom_disc_pile_params params = carom_disc_pile_params_default();
        carom_contact_params how = carom_contact_params_default();
        carom_contact_report result;
        params.friction = friction[k];
        how.tolerance = 1e-10;
        assert_ok(carom_disc_pile_problem(&params, &problem, NULL));
        assert_ok(carom_contact_solver_alloc(&solver));
        CAROM_AUTO_MEMORY double *r = calloc((size_t)problem->row_count, sizeof *r);
        assert_ok(carom_contact_solve(solver, problem, &how, r, NULL, &result, NULL));
        // Where a path ends is decided by rounding; five of fifteen steps are few.
        ck_assert_int_le(result.newton_iterations, 200);
    }
}

/* Friction that nearly holds piles of uneven masses: every path turns back, and is followed through
 * its turns. */
TEST(property, piles_whose_paths_turn_back_are_solved) {
    static const struct {
        double mass_ratio;
        double friction;
    } PILES[] = {{1e3, 0.2}, {1e-3, 0.25}};
    for (size_t k = 0; k < sizeof PILES / sizeof *PILES; k++) {
        CAROM_AUTO(carom_contact_solver) solver = NULL;
        CAROM_AUTO(carom_contact_path) path = NULL;
        CAROM_AUTO(carom_contact_problem) problem = NULL;
        carom_disc_pile_params params = carom_disc_pile_params_default();
        carom_contact_params how = carom_contact_params_default();
        carom_contact_certificate certificate;
        int iterations = 0;
        params.mass_ratio = PILES[k].mass_ratio;
        params.friction = PILES[k].friction;
        how.tolerance = 1e-10;
        assert_ok(carom_disc_pile_problem(&params, &problem, NULL));
        assert_ok(carom_contact_solver_alloc(&solver));
        assert_ok(carom_contact_path_alloc(&path));
        CAROM_AUTO_MEMORY double *r = calloc(2 * (size_t)problem->row_count, sizeof *r);
        double *u = r + problem->row_count;
        assert_ok(carom_contact_solve(solver, problem, &how, r, NULL, NULL, NULL));
        assert_ok(carom_contact_path_solve(path, problem, 0, how.tolerance, 1000, r, u,
                                           &certificate, &iterations));
        // Friction takes energy, and pulls against what slides.
        ck_assert(carom_contact_energy(problem, r, u) < 0.0);
        carom_contact_certify(problem, r, u, &certificate);
        ck_assert(certificate.residual <= how.tolerance);
        // A path of one branch is some ten steps long; these have folds.
        ck_assert_int_gt(iterations, 50);
    }
}

/* Inner points of the cone, drawn in its coordinates; the plane's are along its borders. */
static void draw_inner(int k, int size, double *x) {
    double t = 0.0;
    for (int i = 1; i < size; i++) {
        x[i] = drawn(k, 1, i);
        t = hypot(t, x[i]);
    }
    x[0] = t + 0.01 + 0.5 * (1.0 + drawn(k, 1, 0));
    carom_contact_cone_turn(size, x);
}

TEST(property, scalings_of_the_cone_take_one_point_to_the_other) {
    for (int k = 0; k < 300; k++) {
        const int size = 1 + k % 3;
        double x[3];
        double y[3];
        double one[3];
        double other[3];
        double E[9];
        carom_contact_cone cone;
        draw_inner(2 * k, size, x);
        draw_inner(2 * k + 1, size, y);
        carom_contact_cone_scale(size, x, y, &cone);
        carom_contact_cone_apply(size, &cone, false, x, one);
        carom_contact_cone_apply(size, &cone, true, y, other);
        carom_contact_cone_square(size, &cone, E);
        for (int i = 0; i < size; i++) {
            double product = 0.0;
            for (int j = 0; j < size; j++) {
                product += E[i * size + j] * x[j];
            }
            // Within a hundredth of the border squares lose four digits.
            assert_close(one[i], other[i], 0.0, 1e-11 * (1.0 + fabs(one[0])));
            assert_close(product, y[i], 0.0, 1e-11 * (1.0 + fabs(y[0])));
        }
        carom_contact_cone_multiply(size, x, y, one);
        carom_contact_cone_divide(size, x, one, other);
        for (int i = 0; i < size; i++) {
            assert_close(other[i], y[i], 0.0, 1e-11 * (1.0 + fabs(y[0])));
        }
    }
}

/* x_0 and |x_t| of a point in the coordinates of the cone. */
static double excess(int size, const double *x) {
    double turned[3] = {0.0};
    for (int i = 0; i < size; i++) {
        turned[i] = x[i];
    }
    carom_contact_cone_turn(size, turned);
    return turned[0] - hypot(turned[1], turned[2]);
}

TEST(property, steps_reach_the_border_of_the_cone) {
    int reached = 0;
    for (int k = 0; k < 300; k++) {
        const int size = 1 + k % 3;
        double x[3];
        double d[3];
        double end[3] = {0.0};
        draw_inner(k, size, x);
        for (int i = 0; i < size; i++) {
            d[i] = drawn(k, 2, i);
        }
        const double step = carom_contact_cone_reach(size, x, d);
        ck_assert(step > 0.0);
        if (isfinite(step)) {
            for (int i = 0; i < size; i++) {
                end[i] = x[i] + step * d[i];
            }
            assert_close(excess(size, end), 0.0, 0.0, 1e-10 * (1.0 + step));
            reached++;
        } else {
            // A direction in the cone never leaves it.
            ck_assert(excess(size, d) >= -1e-15);
        }
    }
    ck_assert_int_gt(reached, 100);
}

/* y_0 = v_0 + |v|, y_t = v_t; the slope by differences. */
TEST(property, velocities_that_open_are_the_inner_points_of_a_cone) {
    for (int k = 0; k < 300; k++) {
        const int size = 2 + k % 2;
        double y[3];
        double v[3];
        double back[3];
        double G[9];
        draw_inner(k, size, y);
        carom_contact_cone_velocity(size, false, y, v, G);
        for (int j = 0; j < size; j++) {
            const double h = 1e-6;
            double to[3];
            double from[3];
            double after[3];
            double before[3];
            double unused[9];
            memcpy(to, y, sizeof to);
            memcpy(from, y, sizeof from);
            to[j] += h;
            from[j] -= h;
            carom_contact_cone_velocity(size, false, to, after, unused);
            carom_contact_cone_velocity(size, false, from, before, unused);
            for (int i = 0; i < size; i++) {
                // h^2/6 of a third derivative, at most 6/y^2 within a hundredth of the corner.
                assert_close(G[size * i + j], (after[i] - before[i]) / (2.0 * h), 0.0, 1e-7);
            }
        }
        memcpy(back, v, sizeof back);
        carom_contact_cone_turn(size, back);
        ck_assert(back[0] > 0.0);
        double length = 0.0;
        for (int i = 0; i < size; i++) {
            length = hypot(length, back[i]);
        }
        back[0] += length;
        carom_contact_cone_turn(size, back);
        for (int i = 0; i < size; i++) {
            assert_close(back[i], y[i], 0.0, 1e-14 * (y[0] + fabs(y[1])));
        }
        // On a border it slides along the ground, to that side.
        if (size == 2) {
            y[k / 2 % 2] = 0.0;
        } else {
            y[0] = hypot(y[1], y[2]);
        }
        carom_contact_cone_velocity(size, false, y, v, G);
        carom_contact_cone_turn(size, v);
        assert_close(v[0], 0.0, 0.0, 1e-15 * (y[0] + fabs(y[1])));
        ck_assert(size == 3 || (k / 2 % 2 == 0 ? v[1] < 0.0 : v[1] > 0.0));
    }
}

/* (W + D) x from x and back, D other blocks on the diagonal that are not symmetric. */
TEST(property, factors_by_blocks_solve_what_is_symmetric_but_on_its_diagonal) {
    CAROM_AUTO(carom_contact_factor) factor = NULL;
    assert_ok(carom_contact_factor_alloc(&factor));
    for (int k = 0; k < 60; k++) {
        carom_contact_problem *problem = NULL;
        // Each pattern comes twice, and is ordered once.
        random_problem random;
        draw_problem(k / 2, 2 + k / 4, 1.0, &random);
        problem = problem_of(&random);
        const int b = 1 + problem->tangent_count;
        const size_t entries = (size_t)problem->start[problem->block_count] * (size_t)(b * b);
        const size_t rows = (size_t)problem->block_count * (size_t)b;
        CAROM_AUTO_MEMORY double *B = calloc(entries + 2 * rows, sizeof *B);
        double *x = B + entries;
        double *product = x + rows;
        double most = 0.0;
        for (size_t a = 0; a < rows; a++) {
            x[a] = drawn(k, 3, (int)a);
        }
        for (int i = 0; i < problem->block_count; i++) {
            for (int m = problem->start[i]; m < problem->start[i + 1]; m++) {
                const int j = problem->column[m];
                double *to = B + (size_t)m * (size_t)(b * b);
                const int columns = j < problem->joint_count ? 1 : b;
                for (int a = 0; a < b; a++) {
                    for (int c = 0; c < b; c++) {
                        const bool is_there = a < (i < problem->joint_count ? 1 : b) && c < columns;
                        to[a * b + c] =
                            is_there
                                ? problem->entries[problem->offset[m] + (size_t)(a * columns + c)]
                                : 0.0;
                        to[a * b + c] += i == j ? 0.1 * drawn(k, 4 + i, a * b + c) : 0.0;
                        to[a * b + c] += i == j && a == c ? 1.0 : 0.0;
                        product[i * b + a] += to[a * b + c] * x[j * b + c];
                    }
                }
            }
        }
        assert_ok(carom_contact_factor_order(factor, problem));
        ck_assert(carom_contact_factor_compute(factor, problem, B));
        for (size_t a = 0; a < rows; a++) {
            most = fmax(most, fabs(product[a]));
        }
        ck_assert(carom_contact_factor_sign(factor) > 0.0);
        carom_contact_factor_solve(factor, product);
        for (size_t a = 0; a < rows; a++) {
            // Pivots are at least 0.7, sums of some hundred terms.
            assert_close(product[a], x[a], 0.0, 1e-12 * (1.0 + most));
        }
        // det(-B) = (-1)^rows det B, and B is near to a matrix that is positive definite.
        for (size_t a = 0; a < entries; a++) {
            B[a] = -B[a];
        }
        ck_assert(carom_contact_factor_compute(factor, problem, B));
        ck_assert((carom_contact_factor_sign(factor) > 0.0) == (rows % 2 == 0));
        carom_contact_problem_free(problem);
    }
}

/* Two pairs of contacts, coupled otherwise, with as many blocks in each row. */
TEST(unit, another_pattern_is_ordered_anew) {
    CAROM_AUTO(carom_contact_factor) factor = NULL;
    assert_ok(carom_contact_factor_alloc(&factor));
    for (int k = 1; k <= 2; k++) {
        CAROM_AUTO(carom_contact_problem) problem = NULL;
        double W[16] = {0.0};
        double x[4];
        const double q[4] = {0.0};
        for (int i = 0; i < 4; i++) {
            W[5 * i] = 2.385;
            W[4 * i + (i ^ k)] = 1.4;
        }
        const carom_contact_rows rows = {.contact_count = 4, .entries = W, .free_velocity = q};
        assert_ok(carom_contact_problem_alloc(&rows, &problem, NULL));
        for (int i = 0; i < 4; i++) {
            x[i] = 2.385 * (1.0 + i) + 1.4 * (1.0 + (i ^ k));
        }
        assert_ok(carom_contact_factor_order(factor, problem));
        ck_assert(carom_contact_factor_compute(factor, problem, problem->entries));
        carom_contact_factor_solve(factor, x);
        for (int i = 0; i < 4; i++) {
            assert_close(x[i], 1.0 + i, 1e-14, 0.0);
        }
    }
}

/* A + F of bodies by their velocities, and of the same W by itself. */
TEST(property, systems_of_bodies_are_those_of_their_matrix) {
    CAROM_AUTO(carom_contact_cone_system) one = NULL;
    CAROM_AUTO(carom_contact_cone_system) other = NULL;
    assert_ok(carom_contact_cone_system_alloc(&one));
    assert_ok(carom_contact_cone_system_alloc(&other));
    for (int k = 0; k < 60; k += 2) {
        random_problem random;
        CAROM_AUTO(carom_contact_problem) by_bodies = NULL;
        CAROM_AUTO(carom_contact_problem) by_rows = NULL;
        draw_problem(k, 2 + k / 4, 1.0, &random);
        const int n = random.coordinate_count;
        const int rows = random.row_count;
        CAROM_AUTO_MEMORY int *start = malloc((size_t)(rows + 1 + rows * n) * sizeof *start);
        CAROM_AUTO_MEMORY double *M = calloc((size_t)n * (size_t)n, sizeof *M);
        int *column = start + rows + 1;
        for (int i = 0; i <= rows; i++) {
            start[i] = i * n;
            for (int c = 0; c < n && i < rows; c++) {
                column[i * n + c] = c;
            }
        }
        for (int i = 0; i < n * n; i++) {
            M[i] = i % (n + 1) == 0 ? 2.385 : 0.1 * drawn(k, 7, i / n + i % n);
        }
        const carom_contact_bodies bodies = {.layout = carom_layout_full(n),
                                             .mass = M,
                                             .joint_count = random.joint_count,
                                             .contact_count = random.contact_count,
                                             .tangent_count = random.tangent_count,
                                             .row_start = start,
                                             .row_column = column,
                                             .row_value = random.J,
                                             .free_velocity = random.v,
                                             .friction = random.friction};
        assert_ok(carom_contact_problem_of_bodies(&bodies, &by_bodies, NULL));
        ck_assert(by_bodies->kept != NULL || rows <= n);
        by_rows = problem_of(&random);
        ck_assert_int_eq(by_rows->start[by_rows->block_count],
                         by_bodies->start[by_bodies->block_count]);
        memcpy(by_rows->entries, by_bodies->entries,
               (size_t)(rows * rows) * sizeof *by_rows->entries);
        const int b = 1 + random.tangent_count;
        const int size = by_rows->block_count * b;
        CAROM_AUTO_MEMORY double *unit = calloc((size_t)size * (size_t)(3 + b), sizeof *unit);
        double *x = unit + size;
        double *y = x + size;
        double *F = y + size;
        for (int a = 0; a < size; a++) {
            const bool has_part = a / b >= random.joint_count || a % b == 0;
            unit[a] = has_part ? 1.0 + 0.5 * drawn(k, 8, a) : 0.0;
            x[a] = y[a] = has_part ? drawn(k, 9, a) : 0.0;
            for (int c = 0; c < b; c++) {
                F[a * b + c] = a % b == c ? 1.0 : has_part ? 0.3 * drawn(k, 10 + c, a) : 0.0;
            }
        }
        for (int i = 0; i < random.joint_count; i++) {
            for (int a = 1; a < b; a++) {
                F[i * b * b + a] = 0.0;
            }
        }
        assert_ok(carom_contact_cone_system_set(one, by_bodies, unit));
        assert_ok(carom_contact_cone_system_set(other, by_rows, unit));
        ck_assert(carom_contact_cone_system_compute(one, F));
        for (int a = 0; a < size; a++) {
            F[a * b + a % b] += carom_contact_cone_system_added(by_bodies, unit, a) -
                                carom_contact_cone_system_added(by_rows, unit, a);
        }
        ck_assert(carom_contact_cone_system_compute(other, F));
        carom_contact_cone_system_solve(one, k % 4 == 0, x);
        carom_contact_cone_system_solve(other, false, y);
        for (int a = 0; a < size; a++) {
            // F is within 0.6 of 1, W some hundred: six digits of sixteen at most.
            assert_close(x[a], y[a], 0.0, 1e-10);
        }
    }
}
