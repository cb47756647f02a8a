/* carom/contact/contact.h: piles of many contacts at rest against their weights, and the products
 * of the round cone that the interior-point method is made of. */
#include "random_problem.h"

#include <carom/contact/internal.h>
#include <carom/models/disc_pile.h>

#include <stdlib.h>

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
        how.tolerance = k < 6 ? 1e-10 : 1e-4;
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

/* Points in the cone, drawn. */
static void draw_inner(int k, int size, double *x) {
    double t = 0.0;
    for (int i = 1; i < size; i++) {
        x[i] = drawn(k, 1, i);
        t = hypot(t, x[i]);
    }
    x[0] = t + 0.01 + 0.5 * (1.0 + drawn(k, 1, 0));
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
            assert_close(one[i], other[i], 0.0, 1e-11 * (1.0 + one[0]));
            assert_close(product, y[i], 0.0, 1e-11 * (1.0 + y[0]));
        }
        carom_contact_cone_multiply(size, x, y, one);
        carom_contact_cone_divide(size, x, one, other);
        for (int i = 0; i < size; i++) {
            assert_close(other[i], y[i], 0.0, 1e-11 * (1.0 + y[0]));
        }
    }
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
            assert_close(hypot(end[1], end[2]), end[0], 0.0, 1e-10 * (1.0 + step));
            reached++;
        } else {
            // A direction in the cone never leaves it.
            ck_assert(d[0] >= (size < 2 ? 0.0 : size < 3 ? fabs(d[1]) : hypot(d[1], d[2])));
        }
    }
    ck_assert_int_gt(reached, 100);
}
