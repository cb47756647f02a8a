/* The engine of seghete-2014, figure 2b, against its closed form. */
#include "independent_systems.h"

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
