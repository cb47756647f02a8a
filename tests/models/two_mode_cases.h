/** Models of two modes with random parameters. To be included by suites. */
#ifndef CAROM_TESTS_MODELS_TWO_MODE_CASES_H
#define CAROM_TESTS_MODELS_TWO_MODE_CASES_H

#include "../support.h"

#include <carom/models/two_mode_models.h>

#include <gsl/gsl_math.h>

enum { MODELS = 5, SAMPLES = 40 };

/** Rounding of sums of a few products. */
static const double ROUNDING = 1e-13;

/** alpha_2 and alpha_3, tan y = y, to the digits that the literature has. */
static const double ALPHA[] = {4.493409457909064, 7.725251836937707};

static inline carom_hopper_params random_hopper(gsl_rng *generator) {
    const carom_hopper_params params = {
        .upper_mass = uniform(generator, 0.3, 2.9),
        .lower_mass = uniform(generator, 0.3, 2.9),
        .spring_stiffness = uniform(generator, 0.3, 2.9),
        .gravity = uniform(generator, 0.3, 9.9),
        .spring_length = uniform(generator, 0.3, 2.9),
    };
    return params;
}

static inline carom_juggler_params random_juggler(gsl_rng *generator) {
    const carom_juggler_params params = {
        .paddle_mass = uniform(generator, 0.3, 2.9),
        .ball_mass = uniform(generator, 0.3, 2.9),
        .spring_stiffness = uniform(generator, 0.3, 2.9),
        .gravity = uniform(generator, 0.3, 9.9),
        .spring_length = uniform(generator, 0.3, 2.9),
    };
    return params;
}

static inline carom_reaction_wheel_params random_reaction_wheel(gsl_rng *generator) {
    const double mass = uniform(generator, 0.3, 2.9);
    const double length = uniform(generator, 0.3, 2.9);
    const carom_reaction_wheel_params params = {
        .reaction_inertia = uniform(generator, 0.3, 2.9),
        .wheel_inertia = mass * length * length * uniform(generator, 1.01, 1.9),
        .spring_stiffness = uniform(generator, 0.3, 2.9),
        .mass = mass,
        .gravity = uniform(generator, 0.3, 9.9),
        .spoke_length = length,
        .half_spoke_angle = uniform(generator, 0.05, 1.2),
        .reaction_radius = uniform(generator, 0.1, 0.9),
    };
    return params;
}

static inline carom_pendulum_wheel_params random_pendulum_wheel(gsl_rng *generator) {
    const carom_pendulum_wheel_params params = {
        .hub_mass = uniform(generator, 0.3, 2.9),
        .pendulum_mass = uniform(generator, 0.3, 2.9),
        .spoke_length = uniform(generator, 0.3, 2.9),
        .pendulum_length = uniform(generator, 0.3, 2.9),
        .gravity = uniform(generator, 0.3, 9.9),
        .half_spoke_angle = uniform(generator, 0.05, 1.2),
    };
    return params;
}

static inline carom_coronal_rocker_params random_rocker(gsl_rng *generator) {
    const carom_coronal_rocker_params params = {
        .foot_mass = uniform(generator, 0.3, 2.9),
        .pendulum_mass = uniform(generator, 0.3, 2.9),
        .hip_mass = uniform(generator, 0.3, 2.9),
        .leg_length = uniform(generator, 0.3, 2.9),
        .pendulum_length = uniform(generator, 0.3, 2.9),
        .gravity = uniform(generator, 0.3, 9.9),
        .half_leg_angle = uniform(generator, 0.05, 1.2),
    };
    return params;
}

/** All five with random parameters. */
static inline void random_models(gsl_rng *generator, carom_two_mode_model models[MODELS]) {
    const carom_hopper_params hopper = random_hopper(generator);
    const carom_juggler_params juggler = random_juggler(generator);
    const carom_reaction_wheel_params reaction = random_reaction_wheel(generator);
    const carom_pendulum_wheel_params pendulum = random_pendulum_wheel(generator);
    const carom_coronal_rocker_params rocker = random_rocker(generator);
    assert_ok(carom_hopper_model(&hopper, &models[0], NULL));
    assert_ok(carom_juggler_model(&juggler, &models[1], NULL));
    assert_ok(carom_reaction_wheel_model(&reaction, &models[2], NULL));
    assert_ok(carom_pendulum_wheel_model(&pendulum, &models[3], NULL));
    assert_ok(carom_coronal_rocker_model(&rocker, &models[4], NULL));
}

/** o'_1 = pi - arctan(alpha omega'_1/omega_2) (24). */
static inline double stance_phase(double alpha, double frequency_ratio) {
    return M_PI - atan(alpha / frequency_ratio);
}

#endif
