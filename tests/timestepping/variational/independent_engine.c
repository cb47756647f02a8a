/* The engine of seghete-2014, figure 2b, against its closed form, and projected sweeps against
 * sweeps row by row and elimination. */
#include "independent_systems.h"

#include <carom/lcp/lcp.h>
#include <carom/models/ball_chain.h>
#include <carom/timestepping/engine/error_reduction.h>

/* -------------------------------------------------------------------------- the engine of games */

/* Gain of energy of three balls, the left one coming from `distance` with v. */
static double engine_gain(double e, double v, double h, double distance, bool is_exact) {
    const double masses[3] = {1.3, 1.3, 1.3};
    const double radii[3] = {0.5, 0.5, 0.5};
    const double velocities[3] = {v, 0.0, 0.0};
    const double gaps[2] = {distance, 0.0};
    const carom_ball_chain_params chain = {.balls = 3,
                                           .masses = masses,
                                           .radii = radii,
                                           .velocities = velocities,
                                           .gaps = gaps,
                                           .restitution = e};
    carom_model *model;
    assert_ok(carom_ball_chain_alloc(&chain, &model, NULL));
    carom_error_reduction_params params = carom_error_reduction_params_default();
    params.step = h;
    params.solver = is_exact ? CAROM_ERROR_REDUCTION_EXACT : CAROM_ERROR_REDUCTION_SWEEPS;
    carom_error_reduction_stepper *stepper;
    assert_ok(carom_error_reduction_stepper_alloc(&model->mechanism, &params, &stepper, NULL));
    assert_ok(carom_error_reduction_stepper_start(stepper, 0.0, model->initial_position,
                                                  model->initial_velocity, NULL));
    const carom_error_reduction_result *result = carom_error_reduction_stepper_result(stepper);
    const double before = result->kinetic_energy;
    // until the gap is found closed, and the step that answers
    for (int k = 0; k < 40 && result->gap[0] > 0.0; k++) {
        assert_ok(carom_error_reduction_stepper_advance(stepper, NULL));
    }
    assert_ok(carom_error_reduction_stepper_advance(stepper, NULL));
    const double gain = result->kinetic_energy / before - 1.0;
    carom_error_reduction_stepper_free(stepper);
    carom_model_free(model);
    return gain;
}

TEST(unit, gains_of_the_engine_are_those_of_the_closed_form_for_every_step) {
    const double restitution[3] = {1.0, 0.7, 0.0};
    const double least[3] = {0.0, -0.34, -2.0 / 3.0};
    const double most[3] = {0.88 / 3.0, -0.38 / 3.0, -0.64};
    const double steps[3] = {1.0 / 60.0, 1.0 / 600.0, 1.0 / 6000.0};
    for (int i = 0; i < 3 * 3 * 40; i++) {
        const unsigned long seed = (unsigned long)(i / 9);
        const double e = restitution[i % 3];
        const double h = steps[i / 3 % 3];
        const double v = pow(10.0, random_in(seed, 300, -1.0, 1.0));
        // found after k steps, f v h behind the surface
        const double f = random_in(seed, 301, 0.0, 1.0);
        const double distance = (3.0 - f) * v * h;
        const double s = e + 0.2 * f;
        const double expected = (1.0 + 2.0 * s * s) / 3.0 - 1.0;
        ck_assert(expected >= least[i % 3] - 1e-12 && expected <= most[i % 3] + 1e-12);
        // positions of 1 m have gaps of 1e-16 m: 1e-16/(h v) of a penetration
        assert_close(engine_gain(e, v, h, distance, true), expected, 0.0, 1e-10);
        // two rows of cosine 1/2 gain a factor 4 a sweep: ten leave 4e-6 of the closed form
        assert_close(engine_gain(e, v, h, distance, false), expected, 0.0, 4e-6);
    }
}

TEST(property, sweeps_are_projected_row_by_row_and_end_at_the_solution) {
    for (unsigned long seed = 0; seed < 40; seed++) {
        const int n = 1 + (int)(seed % 6);
        double M[36] = {0.0};
        double q[6] = {0.0};
        double root[36] = {0.0};
        for (unsigned long i = 0; i < (unsigned long)n * (unsigned long)n; i++) {
            root[i] = random_in(seed, 400 + i, -1.0, 1.0);
        }
        for (int i = 0; i < n * n; i++) {
            M[i] = i % (n + 1) == 0 ? 0.5 : 0.0;
            for (int l = 0; l < n; l++) {
                M[i] += root[i / n * n + l] * root[i % n * n + l];
            }
        }
        double z[6] = {0.0};
        long double slow[6] = {0.0L};
        for (int i = 0; i < n; i++) {
            q[i] = random_in(seed, 450 + (unsigned long)i, -2.0, 1.0);
            z[i] = random_in(seed, 460 + (unsigned long)i, -0.5, 1.0);
            slow[i] = fmax(z[i], 0.0);
        }
        const int sweeps = 1 + (int)(seed % 7);
        for (int sweep = 0; sweep < sweeps; sweep++) {
            for (int i = 0; i < n; i++) {
                long double rest = q[i];
                for (int j = 0; j < n; j++) {
                    rest += j == i ? 0.0L : M[i * n + j] * slow[j];
                }
                slow[i] = rest < 0.0L ? -rest / M[i * n + i] : 0.0L;
            }
        }
        carom_lcp_report report;
        assert_ok(carom_lcp_solve_gauss_seidel(n, M, q, sweeps, z, &report));
        long double residual = 0.0L;
        for (int i = 0; i < n; i++) {
            assert_close(z[i], (double)slow[i], 1e-13, 1e-13);
            long double w = q[i];
            for (int j = 0; j < n; j++) {
                w += M[i * n + j] * slow[j];
            }
            residual = fmaxl(residual, fabsl(fminl(slow[i], w)));
        }
        assert_close(report.residual, (double)residual, 1e-11, 1e-13);
        // it ends early only where a sweep changes nothing more
        ck_assert_int_le(report.pivots, sweeps);
        ck_assert(report.pivots == sweeps || residual < 1e-14L);
        // many sweeps: the only choice of positive rows that solves the problem
        assert_ok(carom_lcp_solve_gauss_seidel(n, M, q, 3000, z, &report));
        int found = 0;
        for (int code = 0; code < 1 << n; code++) {
            long double A[36] = {0.0L};
            long double x[6] = {0.0L};
            for (int i = 0; i < n; i++) {
                const bool is_positive = (code >> i & 1) == 1;
                for (int j = 0; j < n; j++) {
                    A[i * n + j] = is_positive ? M[i * n + j] : i == j ? 1.0L : 0.0L;
                }
                x[i] = is_positive ? -q[i] : 0.0;
            }
            ck_assert(discrete_eliminate(n, 1, A, x));
            bool is_solution = true;
            for (int i = 0; i < n; i++) {
                long double w = q[i];
                for (int j = 0; j < n; j++) {
                    w += M[i * n + j] * x[j];
                }
                is_solution = is_solution && x[i] >= -1e-15L && w >= -1e-15L;
            }
            for (int i = 0; is_solution && i < n; i++) {
                assert_close(z[i], (double)x[i], 1e-11, 1e-11);
            }
            found += is_solution;
        }
        ck_assert_int_eq(found, 1);
    }
}
