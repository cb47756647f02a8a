/* Newton's cradle of seghete-2014 (example 1, figure 2) through whole runs: time stepping with the
 * propagative law against sorted velocities and energy balances, and the baseline against the
 * reference values of its bands. */
#include "../support.h"

#include <carom/base/random.h>
#include <carom/models/ball_chain.h>
#include <carom/timestepping/engine/error_reduction.h>
#include <carom/timestepping/variational/variational.h>

#include <stdlib.h>

enum { MOST = 100 };

static const unsigned long SEED = 20140202;

static double drawn(int sample, int dimension) {
    return carom_counter_uniform(SEED, (unsigned long)sample, (unsigned long)dimension);
}

/* A chain of n balls of 1 kg, or of random masses. */
static carom_model *chain(int n, const double *masses, const double *velocities, const double *gaps,
                          double restitution) {
    double ones[MOST];
    double radii[MOST];
    for (int i = 0; i < n; i++) {
        ones[i] = 1.0;
        radii[i] = 0.05;
    }
    const carom_ball_chain_params params = {
        n, masses == NULL ? ones : masses, radii, velocities, gaps, restitution};
    carom_model *model = NULL;
    assert_ok(carom_ball_chain_alloc(&params, &model, NULL));
    return model;
}

/* Steps of h with the propagative law; velocities at the end, [n]. */
static void run_variational(const carom_model *model, double h, int steps,
                            const carom_propagative_params *impact, double *velocity) {
    const int n = model->mechanism.coordinate_count;
    carom_variational_params params = carom_variational_params_default();
    carom_variational_stepper *stepper = NULL;
    params.step = h;
    params.rule = impact->rule;
    params.first = impact->first;
    params.seed = impact->seed;
    params.most_reflections = 4 * n * n;
    params.most_hits = n;
    params.most_events = 100 + n * n;
    assert_ok(carom_variational_stepper_alloc(&model->mechanism, &params, &stepper, NULL));
    assert_ok(carom_variational_stepper_start(stepper, 0.0, model->initial_position,
                                              model->initial_velocity, NULL, NULL));
    for (int k = 0; k < steps; k++) {
        assert_ok(carom_variational_stepper_advance(stepper, NULL));
    }
    for (int i = 0; i < n; i++) {
        velocity[i] = carom_variational_stepper_result(stepper)->velocity[i];
    }
    carom_variational_stepper_free(stepper);
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* (15) for any step: A stops, C leaves with its velocity. */
TEST(unit, cradle_passes_the_velocity_on_for_any_step) {
    const double velocities[3] = {1.37, 0.0, 0.0};
    const double gaps[2] = {0.07, 0.0};
    const carom_propagative_params impact = carom_propagative_params_default();
    carom_model *model = chain(3, NULL, velocities, gaps, 1.0);
    for (int k = 0; k < 12; k++) {
        const double h = 0.31 * pow(0.6, k);
        double v[3];
        run_variational(model, h, (int)(0.1 / h) + 2, &impact, v);
        // Newton's method to 1e-14 in each of up to a hundred steps.
        assert_close(v[0], 0.0, 0.0, 1e-11);
        assert_close(v[1], 0.0, 0.0, 1e-11);
        assert_close(v[2], 1.37, 0.0, 1e-11);
    }
    carom_model_free(model);
}

/* Both orders, momenta infeasible at both contacts: (-2, 1, 3) from (3, 1, -2). */
TEST(unit, both_orders_step_to_the_reversed_velocities) {
    const double velocities[3] = {3.0, 1.0, -2.0};
    const double gaps[2] = {0.2, 0.3}; // meet at once
    carom_model *model = chain(3, NULL, velocities, gaps, 1.0);
    for (int first = 0; first < 2; first++) {
        carom_propagative_params impact = carom_propagative_params_default();
        impact.rule = CAROM_PROPAGATIVE_CYCLIC;
        impact.first = first;
        double v[3];
        run_variational(model, 0.03, 6, &impact, v);
        assert_close(v[0], -2.0, 0.0, 1e-11);
        assert_close(v[1], 1.0, 0.0, 1e-11);
        assert_close(v[2], 3.0, 0.0, 1e-11);
    }
    carom_model_free(model);
}

/* Energy lost: (1 - R^2) 2/3 of A's onto the resting pair, whatever the step; R = 0.7 leaves (0.1,
 * 0.1, 0.8). */
TEST(unit, restitution_loses_the_energy_of_the_lines) {
    const double velocities[3] = {1.0, 0.0, 0.0};
    const double gaps[2] = {0.07, 0.0};
    const double restitutions[4] = {1.0, 0.7, 0.31, 0.0};
    for (int k = 0; k < 4; k++) {
        const double R = restitutions[k];
        carom_model *model = chain(3, NULL, velocities, gaps, R);
        for (int s = 0; s < 3; s++) {
            const double h = pow(0.1, s) / 60.0;
            const carom_propagative_params impact = carom_propagative_params_default();
            double v[3];
            run_variational(model, h, (int)(0.1 / h), &impact, v);
            const double energy = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            assert_close(1.0 - energy, (1.0 - R * R) * 2.0 / 3.0, 0.0, 1e-11);
            if (k == 1) {
                assert_close(v[0], 0.1, 0.0, 1e-11);
                assert_close(v[1], 0.1, 0.0, 1e-11);
                assert_close(v[2], 0.8, 0.0, 1e-11);
            }
        }
        carom_model_free(model);
    }
}

/* Equal balls end with their velocities sorted; several impacts lie in a step. */
TEST(property, equal_balls_end_with_sorted_velocities) {
    for (int sample = 0; sample < 12; sample++) {
        const int n = 3 + sample;
        double velocities[MOST] = {0.0};
        double sorted[MOST] = {0.0};
        double gaps[MOST] = {0.0};
        for (int i = 0; i < n; i++) {
            velocities[i] = 2.0 * drawn(sample, i) - 1.0;
            sorted[i] = velocities[i];
            gaps[i] = sample % 3 == 0 ? 0.0 : 0.05 * drawn(sample, 50 + i);
        }
        qsort(sorted, (size_t)n, sizeof(double), by_size);
        carom_model *model = chain(n, NULL, velocities, gaps, 1.0);
        const carom_propagative_params impact = carom_propagative_params_default();
        double v[MOST];
        // The slowest pair to meet: all gaps over the least difference of velocities.
        double least = 1.0;
        for (int i = 0; i + 1 < n; i++) {
            least = fmin(least, sorted[i + 1] - sorted[i]);
        }
        run_variational(model, 0.25 * n / least, 4, &impact, v);
        for (int i = 0; i < n; i++) {
            assert_close(v[i], sorted[i], 0.0, 1e-9);
        }
        carom_model_free(model);
    }
}

TEST(unit, a_hundred_touching_balls_pass_the_velocity_on) {
    double velocities[MOST] = {2.385};
    carom_model *model = chain(MOST, NULL, velocities, NULL, 1.0);
    const carom_propagative_params impact = carom_propagative_params_default();
    double v[MOST];
    run_variational(model, 0.01, 1, &impact, v);
    for (int i = 0; i < MOST; i++) {
        // A hundred reflections.
        assert_close(v[i], i == MOST - 1 ? 2.385 : 0.0, 0.0, 1e-12);
    }
    carom_model_free(model);
}

/* Random masses: energy and momentum. */
TEST(property, uneven_chains_keep_energy_and_momentum) {
    for (int sample = 100; sample < 120; sample++) {
        const int n = 3 + sample % 5;
        double masses[MOST];
        double velocities[MOST] = {0.0};
        double before[2] = {0.0, 0.0};
        double after[2] = {0.0, 0.0};
        for (int i = 0; i < n; i++) {
            masses[i] = pow(10.0, 2.0 * drawn(sample, i) - 1.0);
            velocities[i] = 4.0 * drawn(sample, 50 + i) - 2.0;
            before[0] += masses[i] * velocities[i];
            before[1] += masses[i] * velocities[i] * velocities[i];
        }
        carom_model *model = chain(n, masses, velocities, NULL, 1.0);
        const carom_propagative_params impact = carom_propagative_params_default();
        double v[MOST];
        run_variational(model, 0.02, 20, &impact, v);
        for (int i = 0; i < n; i++) {
            after[0] += masses[i] * v[i];
            after[1] += masses[i] * v[i] * v[i];
        }
        assert_close(after[0], before[0], 0.0, 1e-11 * (1.0 + fabs(before[0])));
        assert_close(after[1], before[1], 1e-11, 0.0);
        carom_model_free(model);
    }
}

/* Energy change of the baseline for a speed and a step, e of the chain. */
static double baseline_change(const carom_model *model, double h, int steps) {
    carom_error_reduction_params params = carom_error_reduction_params_default();
    carom_error_reduction_stepper *stepper = NULL;
    params.step = h;
    assert_ok(carom_error_reduction_stepper_alloc(&model->mechanism, &params, &stepper, NULL));
    assert_ok(carom_error_reduction_stepper_start(stepper, 0.0, model->initial_position,
                                                  model->initial_velocity, NULL));
    const carom_error_reduction_result *now = carom_error_reduction_stepper_result(stepper);
    const double before = now->kinetic_energy;
    for (int k = 0; k < steps; k++) {
        assert_ok(carom_error_reduction_stepper_advance(stepper, NULL));
    }
    const double change = now->kinetic_energy / before - 1.0;
    carom_error_reduction_stepper_free(stepper);
    return change;
}

/* Reference values of figure 2b: [0, 0.2933], [-0.34, -0.1267], [-0.6667, -0.64], filled by 400
 * speeds at each frequency. */
TEST(property, bands_of_the_baseline_are_filled_at_all_frequencies) {
    const double restitutions[3] = {1.0, 0.7, 0.0};
    const double low[3] = {0.0, -0.34, -0.6667};
    const double high[3] = {0.2933, -0.1267, -0.64};
    for (int e = 0; e < 3; e++) {
        for (int s = 0; s < 3; s++) {
            const double h = pow(0.1, s) / 60.0;
            double least = HUGE_VAL;
            double most = -HUGE_VAL;
            for (int k = 0; k < 400; k++) {
                const double velocities[3] = {pow(10.0, 2.0 * drawn(k, 0) - 1.0), 0.0, 0.0};
                // 4 to 5 steps away: as many places within a step as runs.
                const double gaps[2] = {velocities[0] * h * (4.0 + drawn(k, 1)), 0.0};
                carom_model *model = chain(3, NULL, velocities, gaps, restitutions[e]);
                const double change = baseline_change(model, h, 12);
                least = fmin(least, change);
                most = fmax(most, change);
                carom_model_free(model);
            }
            // Beyond the ends by rounding of the printed digits and the sweeps alone, and filled to
            // a few of 400 points.
            const double width = high[e] - low[e];
            ck_assert_double_ge(least, low[e] - 6e-5);
            ck_assert_double_le(most, high[e] + 6e-5);
            ck_assert_double_le(least, low[e] + 0.02 * width);
            ck_assert_double_ge(most, high[e] - 0.02 * width);
        }
    }
}
