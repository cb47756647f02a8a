/* The bouncing pendulum (bruls-2014 section 10.2) and its exact solution. */
#include "../derivatives.h"
#include "refused_members.h"

#include <carom/mechanism/mechanism.h>
#include <carom/models/bouncing_pendulum.h>

#include <gsl/gsl_sf_ellint.h>
#include <string.h>

/* Half a unit of the last decimal place: rounding of printed digits. */
static const double NINE_DECIMALS = 5.1e-10;
static const double TEN_DECIMALS = 5.1e-11;
static const double TWELVE_DECIMALS = 5.1e-13;
/* Rounding of a handful of operations on numbers of order one to hundred. */
static const double ROUNDING = 1e-13;

enum { RANDOM_CASES = 30 };

static carom_bouncing_pendulum_params uneven_params(void) {
    const carom_bouncing_pendulum_params params = {
        .mass = 2.385,
        .inertia = 0.317,
        .length = 1.213,
        .gravity = 9.731,
        .initial_angle = 0.171,
        .initial_rate = -0.431,
        .wall_position = 0.917,
        .restitution = 0.713,
    };
    return params;
}

/* Random parameters whose release, whatever its sign, stays below the wall above the pivot. */
static carom_bouncing_pendulum_params random_params(gsl_rng *generator) {
    carom_bouncing_pendulum_params params = {
        .mass = uniform(generator, 0.3, 4.0),
        .inertia = uniform(generator, 0.01, 2.0),
        .length = uniform(generator, 0.3, 3.0),
        .gravity = uniform(generator, 2.0, 20.0),
        .initial_rate = uniform(generator, -0.8, 0.8),
        .restitution = uniform(generator, 0.2, 0.9),
    };
    const double wall_angle = uniform(generator, 0.6, 1.4);
    params.wall_position = params.length * cos(wall_angle);
    params.initial_angle = uniform(generator, -0.9, 0.6) * wall_angle;
    /* The swing upwards, in units of what a release at the height of the wall above would take. */
    const double inertia = params.mass * params.length * params.length + params.inertia;
    const double k = 2.0 * params.mass * params.gravity * params.length / inertia;
    params.initial_rate *= sqrt(k * (sin(wall_angle) - sin(params.initial_angle)));
    return params;
}

static carom_model *model_of(const carom_bouncing_pendulum_params *params) {
    carom_model *model = NULL;
    assert_ok(carom_bouncing_pendulum_alloc(params, &model, NULL));
    ck_assert_ptr_nonnull(model);
    return model;
}

static double wall_angle_of(const carom_bouncing_pendulum_params *params) {
    return -acos(params->wall_position / params->length);
}

static double total_energy(const carom_bouncing_pendulum_params *params, double angle,
                           double rate) {
    const double inertia = params->mass * params->length * params->length + params->inertia;
    return 0.5 * inertia * rate * rate +
           params->mass * params->gravity * params->length * sin(angle);
}

/* One classical Runge-Kutta step of theta_ddot = -(m a_g l / I) cos theta: independent of the
 * quadrature and of the library's integrator. */
static void classical_step(const carom_bouncing_pendulum_params *params, double h, double *state) {
    const double inertia = params->mass * params->length * params->length + params->inertia;
    const double c = params->mass * params->gravity * params->length / inertia;
    const double stage_time[4] = {0.0, 0.5, 0.5, 1.0};
    const double weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    double slope[2] = {0.0, 0.0};
    double change[2] = {0.0, 0.0};
    for (int i = 0; i < 4; i++) {
        const double angle = state[0] + stage_time[i] * h * slope[0];
        const double rate = state[1] + stage_time[i] * h * slope[1];
        slope[0] = rate;
        slope[1] = -c * cos(angle);
        change[0] += h * weight[i] * slope[0];
        change[1] += h * weight[i] * slope[1];
    }
    state[0] += change[0];
    state[1] += change[1];
}

/* Step until the wall, then bisect the last step for the instant of contact. */
static double fall_to_wall(const carom_bouncing_pendulum_params *params, double h, double *state) {
    const double wall_angle = wall_angle_of(params);
    int steps = 0;
    for (;;) {
        double next[2] = {state[0], state[1]};
        classical_step(params, h, next);
        if (next[0] < wall_angle) {
            break;
        }
        memcpy(state, next, sizeof next);
        steps++;
    }
    double low = 0.0;
    double high = h;
    while (0.5 * (low + high) > low && 0.5 * (low + high) < high) {
        double next[2] = {state[0], state[1]};
        classical_step(params, 0.5 * (low + high), next);
        if (next[0] < wall_angle) {
            high = 0.5 * (low + high);
        } else {
            low = 0.5 * (low + high);
        }
    }
    classical_step(params, low, state);
    return h * steps + low;
}

TEST(unit, default_parameters_are_those_of_the_paper) {
    const carom_bouncing_pendulum_params params = carom_bouncing_pendulum_params_default();
    assert_close(params.mass, 1.0, 0.0, 0.0);
    assert_close(params.inertia, 0.1, 0.0, 0.0);
    assert_close(params.length, 1.0, 0.0, 0.0);
    assert_close(params.gravity, 10.0, 0.0, 0.0);
    assert_close(params.initial_angle, 0.26179938779914943654, 1e-15, 0.0);
    assert_close(params.initial_rate, 0.0, 0.0, 0.0);
    assert_close(params.wall_position, 0.70710678118654752440, 1e-15, 0.0);
    assert_close(params.restitution, 0.8, 0.0, 0.0);
}

TEST(unit, mechanism_is_that_of_section_10_2) {
    const carom_bouncing_pendulum_params params = uneven_params();
    carom_model *model = model_of(&params);
    const carom_mechanism *mechanism = &model->mechanism;
    void *context = mechanism->context;
    ck_assert_int_eq(mechanism->coordinate_count, 3);
    ck_assert_int_eq(mechanism->joint_count, 2);
    ck_assert_int_eq(mechanism->contact_count, 1);
    ck_assert(!mechanism->is_linear);
    ck_assert_str_eq(mechanism->position_units, "m, m, rad");
    ck_assert_str_eq(mechanism->velocity_units, "m s-1, m s-1, rad s-1");
    assert_close(mechanism->restitution[0], 0.713, 0.0, 0.0);

    const double q[3] = {0.37, -0.83, 0.57};
    const double v[3] = {1.7, -2.3, 0.91};
    double M[9];
    double f[3];
    double g[3];
    double G[9];
    mechanism->mass(q, M, context);
    mechanism->force(0.3, q, v, f, context);
    mechanism->constraints(q, g, context);
    mechanism->constraint_jacobian(q, G, context);
    const double expected_mass[9] = {2.385, 0, 0, 0, 2.385, 0, 0, 0, 0.317};
    const double expected_jacobian[9] = {1, 0, 1.213 * sin(0.57), 0, 1, -1.213 * cos(0.57), 1,
                                         0, 0};
    for (int i = 0; i < 9; i++) {
        assert_close(M[i], expected_mass[i], 0.0, 0.0);
        assert_close(G[i], expected_jacobian[i], 0.0, ROUNDING);
    }
    const double expected_force[3] = {0.0, -2.385 * 9.731, 0.0};
    const double expected_gap[3] = {0.37 - 1.213 * cos(0.57), -0.83 - 1.213 * sin(0.57),
                                    0.37 - 0.917};
    for (int i = 0; i < 3; i++) {
        assert_close(f[i], expected_force[i], 0.0, ROUNDING);
        assert_close(g[i], expected_gap[i], 0.0, ROUNDING);
    }
    assert_close(mechanism->potential_energy(q, context), -2.385 * 9.731 * 0.83, ROUNDING, 0.0);

    /* Second derivatives: (3,3) of the first, column 3 of the second. */
    const double lambda[3] = {3.1, -1.9, 7.7};
    double D[9];
    mechanism->constraint_force_derivative(q, lambda, D, context);
    for (int i = 0; i < 9; i++) {
        assert_close(D[i], i == 8 ? 1.213 * (cos(0.57) * 3.1 - sin(0.57) * 1.9) : 0.0, 0.0,
                     ROUNDING);
    }
    mechanism->constraint_rate_derivative(q, v, D, context);
    const double expected_rate[9] = {
        0, 0, 1.213 * cos(0.57) * 0.91, 0, 0, 1.213 * sin(0.57) * 0.91, 0, 0, 0};
    for (int i = 0; i < 9; i++) {
        assert_close(D[i], expected_rate[i], 0.0, ROUNDING);
    }
    carom_model_free(model);
}

TEST(unit, initial_state_satisfies_the_joints) {
    const carom_bouncing_pendulum_params params = uneven_params();
    carom_model *model = model_of(&params);
    double g[3];
    double G[9];
    model->mechanism.constraints(model->initial_position, g, model->mechanism.context);
    model->mechanism.constraint_jacobian(model->initial_position, G, model->mechanism.context);
    assert_close(model->initial_position[2], params.initial_angle, 0.0, 0.0);
    assert_close(model->initial_velocity[2], params.initial_rate, 0.0, 0.0);
    for (int j = 0; j < 2; j++) {
        double g_dot = 0.0;
        for (int i = 0; i < 3; i++) {
            g_dot += G[3 * j + i] * model->initial_velocity[i];
        }
        assert_close(g[j], 0.0, 0.0, ROUNDING);
        assert_close(g_dot, 0.0, 0.0, ROUNDING);
    }
    carom_model_free(model);
}

/* Expected: energy integral and quadrature, made independently of this code. */
TEST(unit, first_impacts_of_the_paper_have_their_known_digits) {
    const carom_bouncing_pendulum_params params = carom_bouncing_pendulum_params_default();
    const double time[6] = {0.486110443297, 1.281225256909, 1.951340311934,
                            2.517137348,    2.991277047,    3.384614935};
    const double speed[3] = {4.190738330, 3.352590664, 2.682072531};
    const double contact[5] = {11.734665986, 9.387732789, 7.510186231, 6.008148985, 4.806519188};
    const double joint[5] = {-6.400726901, -5.120581521, -4.096465217, -3.277172173, -2.621737739};
    const double level[5] = {2.5881904510, -0.8891425236, -3.1146356274, -4.5389512138,
                             -5.4505131891};
    carom_bouncing_pendulum_impact impacts[6];
    assert_ok(carom_bouncing_pendulum_exact_impacts(&params, 6, impacts, NULL));
    for (int k = 0; k < 6; k++) {
        assert_close(impacts[k].time, time[k], 0.0, k < 3 ? TWELVE_DECIMALS : NINE_DECIMALS);
    }
    for (int k = 0; k < 3; k++) {
        assert_close(impacts[k].rate, -speed[k], 0.0, NINE_DECIMALS);
    }
    for (int k = 0; k < 5; k++) {
        assert_close(impacts[k].contact_impulse, contact[k], 0.0, NINE_DECIMALS);
        assert_close(impacts[k].joint_impulse[0], joint[k], 0.0, NINE_DECIMALS);
        assert_close(impacts[k].energy, -7.0710678119 + 9.6592582629 * pow(0.64, k + 1), 0.0,
                     2e-10);
    }
    /* The first level is that of the release. */
    assert_close(total_energy(&params, params.initial_angle, 0.0), level[0], 0.0, TEN_DECIMALS);
    for (int k = 0; k < 4; k++) {
        assert_close(impacts[k].energy, level[k + 1], 0.0, TEN_DECIMALS);
    }
}

/* Expected: sum of 228 flights, the last 1e-22 s, by quadrature in 30 digits (mpmath). */
TEST(unit, accumulation_of_the_paper_has_its_known_digits) {
    const carom_bouncing_pendulum_params params = carom_bouncing_pendulum_params_default();
    double time = 0.0;
    assert_ok(carom_bouncing_pendulum_exact_accumulation_time(&params, &time, NULL));
    assert_close(time, 5.053981620657049, 1e-14, 0.0);
}

/* Closed phase, bruls-2014 section 10.2: smooth joint forces -50/11 and 60/11 N, which the contact
 * completes to (-10, 10, 10) N. */
TEST(unit, rest_against_the_wall_has_the_forces_of_the_paper) {
    const carom_bouncing_pendulum_params params = carom_bouncing_pendulum_params_default();
    double smooth[2];
    carom_bouncing_pendulum_exact_joint_force(&params, wall_angle_of(&params), 0.0, smooth);
    assert_close(smooth[0], -50.0 / 11.0, ROUNDING, 0.0);
    assert_close(smooth[1], 60.0 / 11.0, ROUNDING, 0.0);

    carom_model *model = model_of(&params);
    const double q[3] = {sqrt(0.5), -sqrt(0.5), wall_angle_of(&params)};
    const double v[3] = {0.0, 0.0, 0.0};
    const double lambda[3] = {-10.0, 10.0, 10.0};
    double f[3];
    double G[9];
    model->mechanism.force(6.0, q, v, f, model->mechanism.context);
    model->mechanism.constraint_jacobian(q, G, model->mechanism.context);
    for (int i = 0; i < 3; i++) {
        assert_close(f[i] + G[i] * lambda[0] + G[3 + i] * lambda[1] + G[6 + i] * lambda[2], 0.0,
                     0.0, ROUNDING);
    }
    carom_model_free(model);
}

TEST(unit, states_are_right_limits_and_rest_after_the_accumulation) {
    const carom_bouncing_pendulum_params params = carom_bouncing_pendulum_params_default();
    carom_bouncing_pendulum_impact impacts[2];
    assert_ok(carom_bouncing_pendulum_exact_impacts(&params, 2, impacts, NULL));
    const double before = impacts[0].time * (1.0 - 1e-15);
    const double times[6] = {0.0, before, impacts[0].time, impacts[1].time, 5.0539816207, 7.5};
    double angle[6];
    double rate[6];
    assert_ok(carom_bouncing_pendulum_exact_states(&params, 6, times, angle, rate, NULL));
    assert_close(angle[0], params.initial_angle, 0.0, 0.0);
    assert_close(rate[0], 0.0, 0.0, 0.0);
    /* The integrator's error: some steps of 1e-14. */
    assert_close(angle[1], wall_angle_of(&params), 0.0, 1e-12);
    assert_close(rate[1], impacts[0].rate, 0.0, 1e-12);
    for (int i = 2; i < 6; i++) {
        assert_close(angle[i], wall_angle_of(&params), 0.0, ROUNDING);
    }
    assert_close(rate[2], -0.8 * impacts[0].rate, ROUNDING, 0.0);
    assert_close(rate[3], -0.8 * impacts[1].rate, ROUNDING, 0.0);
    assert_close(rate[4], 0.0, 0.0, 0.0);
    assert_close(rate[5], 0.0, 0.0, 0.0);
}

TEST(unit, nothing_is_asked_and_nothing_is_given) {
    const carom_bouncing_pendulum_params params = uneven_params();
    assert_ok(carom_bouncing_pendulum_exact_impacts(&params, 0, NULL, NULL));
    assert_ok(carom_bouncing_pendulum_exact_states(&params, 0, NULL, NULL, NULL, NULL));
}

TEST(unit, without_restitution_the_first_impact_is_the_accumulation) {
    carom_bouncing_pendulum_params params = uneven_params();
    params.restitution = 0.0;
    carom_bouncing_pendulum_impact impacts[3];
    double time = 0.0;
    assert_ok(carom_bouncing_pendulum_exact_impacts(&params, 3, impacts, NULL));
    assert_ok(carom_bouncing_pendulum_exact_accumulation_time(&params, &time, NULL));
    assert_close(time, impacts[0].time, 0.0, 0.0);
    assert_close(impacts[0].energy, total_energy(&params, wall_angle_of(&params), 0.0), ROUNDING,
                 0.0);
    for (int k = 1; k < 3; k++) {
        assert_close(impacts[k].time, time, 0.0, 0.0);
        assert_close(impacts[k].contact_impulse, 0.0, 0.0, 0.0);
    }
    double angle = 0.0;
    double rate = 1.0;
    assert_ok(carom_bouncing_pendulum_exact_states(&params, 1, &time, &angle, &rate, NULL));
    assert_close(rate, 0.0, 0.0, 0.0);
}

TEST(unit, with_full_restitution_the_impacts_are_periodic_and_never_accumulate) {
    carom_bouncing_pendulum_params params = uneven_params();
    params.restitution = 1.0;
    carom_bouncing_pendulum_impact impacts[5];
    double time = 0.0;
    assert_ok(carom_bouncing_pendulum_exact_impacts(&params, 5, impacts, NULL));
    assert_ok(carom_bouncing_pendulum_exact_accumulation_time(&params, &time, NULL));
    ck_assert(isinf(time) && time > 0.0);
    const double energy = total_energy(&params, params.initial_angle, params.initial_rate);
    for (int k = 0; k < 5; k++) {
        assert_close(impacts[k].energy, energy, ROUNDING, 0.0);
        assert_close(impacts[k].time, impacts[0].time + k * (impacts[1].time - impacts[0].time),
                     1e-14, 0.0);
    }
    /* One period apart the states agree. */
    const double times[2] = {1.1 * impacts[0].time,
                             1.1 * impacts[0].time + impacts[4].time - impacts[0].time};
    double angle[2];
    double rate[2];
    assert_ok(carom_bouncing_pendulum_exact_states(&params, 2, times, angle, rate, NULL));
    assert_close(angle[1], angle[0], 0.0, 1e-11);
    assert_close(rate[1], rate[0], 0.0, 1e-11);
}

TEST(unit, release_at_rest_on_the_wall_stays_there) {
    carom_bouncing_pendulum_params params = uneven_params();
    params.initial_angle = wall_angle_of(&params);
    params.initial_rate = 0.0;
    double time = 1.0;
    assert_ok(carom_bouncing_pendulum_exact_accumulation_time(&params, &time, NULL));
    /* sin(acos()) rounds: an amplitude of the root of a rounding at most. */
    assert_close(time, 0.0, 0.0, 1e-6);
    const double late = 1.0;
    double angle = 0.0;
    double rate = 1.0;
    assert_ok(carom_bouncing_pendulum_exact_states(&params, 1, &late, &angle, &rate, NULL));
    assert_close(angle, params.initial_angle, 0.0, ROUNDING);
    assert_close(rate, 0.0, 0.0, 0.0);
}

TEST(property, every_derivative_agrees_with_finite_differences) {
    gsl_rng *generator = seeded_generator(11);
    for (int i = 0; i < RANDOM_CASES; i++) {
        const carom_bouncing_pendulum_params params = random_params(generator);
        carom_model *model = model_of(&params);
        double q[3];
        double v[3];
        for (int j = 0; j < 3; j++) {
            q[j] = uniform(generator, -3.0, 3.0);
            v[j] = uniform(generator, -3.0, 3.0);
        }
        assert_derivatives(&model->mechanism, 0.0, q, v, 1e-7, 100UL + (unsigned)i, (unsigned)i);
        assert_ok(carom_mechanism_validate(&model->mechanism, 0.0, q, v, NULL));
        carom_model_free(model);
    }
    gsl_rng_free(generator);
}

/* Impact times by quadrature against event-driven integration with classical Runge-Kutta steps. */
TEST(property, quadrature_agrees_with_event_driven_integration) {
    gsl_rng *generator = seeded_generator(12);
    for (int i = 0; i < 8; i++) {
        const carom_bouncing_pendulum_params params = random_params(generator);
        carom_bouncing_pendulum_impact impacts[3];
        assert_ok(carom_bouncing_pendulum_exact_impacts(&params, 3, impacts, NULL));
        double state[2] = {params.initial_angle, params.initial_rate};
        double time = 0.0;
        for (int k = 0; k < 3; k++) {
            /* Error of the fourth-order steps: about (h/T)^4 = 2e-14, and roundings. */
            time += fall_to_wall(&params, 4e-4 * sqrt(params.length / params.gravity), state);
            assert_close(impacts[k].time, time, 1e-11, 0.0);
            assert_close(impacts[k].rate, state[1], 1e-11, 0.0);
            state[0] = wall_angle_of(&params);
            state[1] *= -params.restitution;
        }
    }
    gsl_rng_free(generator);
}

/* M (v+ - v-) = G' p, joints at rest after the impact, Newton's law at the contact. */
/* From rest at the angle phi from the downward vertical to the wall at phi_w = asin(wall/l): the
 * period is that of elliptic integrals of the modulus sin(phi/2). */
TEST(property, first_impact_on_a_wall_almost_below_the_pivot_is_an_elliptic_integral) {
    carom_bouncing_pendulum_params params = uneven_params();
    params.initial_rate = 0.0;
    const double inertia = params.mass * params.length * params.length + params.inertia;
    const double frequency = sqrt(params.mass * params.gravity * params.length / inertia);
    const double modulus = sin(0.5 * params.initial_angle + 0.25 * acos(-1.0));
    double part = 1.0;
    for (int k = 1; k <= 6; k++) {
        part *= 0.1;
        params.wall_position = part * params.length;
        carom_bouncing_pendulum_impact first;
        assert_ok(carom_bouncing_pendulum_exact_impacts(&params, 1, &first, NULL));
        const double at_wall = asin(sin(0.5 * asin(part)) / modulus);
        const double time = (gsl_sf_ellint_Kcomp(modulus, GSL_PREC_DOUBLE) -
                             gsl_sf_ellint_F(at_wall, modulus, GSL_PREC_DOUBLE)) /
                            frequency;
        /* The accuracy of the quadrature, 1e-12, is an estimate. */
        assert_close(first.time, time, 2e-11, 0.0);
    }
}

TEST(property, impulses_balance_momentum_and_obey_the_impact_law) {
    gsl_rng *generator = seeded_generator(13);
    for (int i = 0; i < RANDOM_CASES; i++) {
        const carom_bouncing_pendulum_params params = random_params(generator);
        carom_model *model = model_of(&params);
        carom_bouncing_pendulum_impact impacts[2];
        assert_ok(carom_bouncing_pendulum_exact_impacts(&params, 2, impacts, NULL));
        const double angle = wall_angle_of(&params);
        const double x = params.length * cos(angle);
        const double y = params.length * sin(angle);
        const double q[3] = {x, y, angle};
        double M[9];
        double G[9];
        model->mechanism.mass(q, M, model->mechanism.context);
        model->mechanism.constraint_jacobian(q, G, model->mechanism.context);
        for (int k = 0; k < 2; k++) {
            const double before = impacts[k].rate;
            const double after = -params.restitution * before;
            const double v_pre[3] = {-y * before, x * before, before};
            const double v_post[3] = {-y * after, x * after, after};
            const double p[3] = {impacts[k].joint_impulse[0], impacts[k].joint_impulse[1],
                                 impacts[k].contact_impulse};
            for (int c = 0; c < 3; c++) {
                const double gained = M[(size_t)c * 4] * (v_post[c] - v_pre[c]);
                const double given = G[c] * p[0] + G[3 + c] * p[1] + G[6 + c] * p[2];
                assert_close(gained, given, ROUNDING, ROUNDING * fabs(p[2]));
                const double *row = &G[(size_t)c * 3];
                const double residual =
                    row[0] * v_post[0] + row[1] * v_post[1] + row[2] * v_post[2];
                const double expected = c < 2 ? 0.0 : -params.restitution * v_pre[0];
                assert_close(residual, expected, ROUNDING, ROUNDING * fabs(after));
            }
            ck_assert(impacts[k].contact_impulse > 0.0);
            assert_close(impacts[k].energy, total_energy(&params, angle, after), 0.0,
                         ROUNDING * (1.0 + fabs(impacts[k].energy)));
        }
        carom_model_free(model);
    }
    gsl_rng_free(generator);
}

TEST(property, accumulation_is_the_limit_of_the_impacts) {
    enum { MANY = 400 };
    gsl_rng *generator = seeded_generator(14);
    carom_bouncing_pendulum_impact impacts[MANY];
    for (int i = 0; i < RANDOM_CASES; i++) {
        /* At e = 0.9 the flights after the last impact are 0.9^400 = 5e-19 of the first. */
        const carom_bouncing_pendulum_params params = random_params(generator);
        double time = 0.0;
        assert_ok(carom_bouncing_pendulum_exact_impacts(&params, MANY, impacts, NULL));
        assert_ok(carom_bouncing_pendulum_exact_accumulation_time(&params, &time, NULL));
        assert_close(time, impacts[MANY - 1].time, 1e-12, 0.0);
    }
    gsl_rng_free(generator);
}

/* Energy is that of the release before the first impact and of the last impact afterwards; the gap
 * is open; the states agree with classical Runge-Kutta steps. */
TEST(property, states_keep_energy_between_impacts_and_do_not_penetrate) {
    enum { SAMPLES = 60, KNOWN = 200 };
    gsl_rng *generator = seeded_generator(15);
    carom_bouncing_pendulum_impact impacts[KNOWN];
    for (int i = 0; i < RANDOM_CASES; i++) {
        const carom_bouncing_pendulum_params params = random_params(generator);
        double end = 0.0;
        assert_ok(carom_bouncing_pendulum_exact_impacts(&params, KNOWN, impacts, NULL));
        assert_ok(carom_bouncing_pendulum_exact_accumulation_time(&params, &end, NULL));
        double times[SAMPLES];
        double angle[SAMPLES];
        double rate[SAMPLES];
        for (int s = 0; s < SAMPLES; s++) {
            times[s] = 1.2 * end * s / SAMPLES;
        }
        assert_ok(carom_bouncing_pendulum_exact_states(&params, SAMPLES, times, angle, rate, NULL));
        const double scale = params.mass * params.gravity * params.length;
        for (int s = 0; s < SAMPLES; s++) {
            double energy = total_energy(&params, params.initial_angle, params.initial_rate);
            for (int k = 0; k < KNOWN && impacts[k].time <= times[s]; k++) {
                energy = impacts[k].energy;
            }
            assert_close(total_energy(&params, angle[s], rate[s]), energy, 0.0, 1e-11 * scale);
            ck_assert(angle[s] >= wall_angle_of(&params) - 1e-11);
        }
    }
    gsl_rng_free(generator);
}

TEST(property, states_agree_with_another_integrator) {
    const carom_bouncing_pendulum_params params = uneven_params();
    carom_bouncing_pendulum_impact impacts[2];
    assert_ok(carom_bouncing_pendulum_exact_impacts(&params, 2, impacts, NULL));
    const double times[3] = {0.371 * impacts[0].time, 0.613 * impacts[0].time,
                             0.4 * impacts[0].time + 0.6 * impacts[1].time};
    double angle[3];
    double rate[3];
    assert_ok(carom_bouncing_pendulum_exact_states(&params, 3, times, angle, rate, NULL));
    for (int i = 0; i < 3; i++) {
        const double rebound = -params.restitution * impacts[0].rate;
        double state[2] = {i < 2 ? params.initial_angle : wall_angle_of(&params),
                           i < 2 ? params.initial_rate : rebound};
        const double duration = i < 2 ? times[i] : times[i] - impacts[0].time;
        for (int s = 0; s < 2000; s++) {
            classical_step(&params, duration / 2000.0, state);
        }
        assert_close(angle[i], state[0], 0.0, 1e-11);
        assert_close(rate[i], state[1], 0.0, 1e-11);
    }
}

/* lambda~ = M v_dot - f in the first two rows, with v_dot by differencing the exact motion. */
TEST(property, joint_force_is_the_acceleration_of_the_exact_motion) {
    const carom_bouncing_pendulum_params params = uneven_params();
    const double h = 1e-5;
    const double times[3] = {0.11 - h, 0.11, 0.11 + h};
    double angle[3];
    double rate[3];
    double force[2];
    assert_ok(carom_bouncing_pendulum_exact_states(&params, 3, times, angle, rate, NULL));
    carom_bouncing_pendulum_exact_joint_force(&params, angle[1], rate[1], force);
    double x_rate[3];
    double y_rate[3];
    for (int i = 0; i < 3; i++) {
        x_rate[i] = -params.length * sin(angle[i]) * rate[i];
        y_rate[i] = params.length * cos(angle[i]) * rate[i];
    }
    /* Central difference: h^2 = 1e-10 and rounding 1e-13 / h = 1e-8. */
    assert_close(force[0], params.mass * (x_rate[2] - x_rate[0]) / (2.0 * h), 0.0, 1e-6);
    assert_close(force[1], params.mass * ((y_rate[2] - y_rate[0]) / (2.0 * h) + params.gravity),
                 0.0, 1e-6);
}

/* Lengths by 2, times by 3, masses by 5. */
TEST(property, change_of_units_changes_only_units) {
    const carom_bouncing_pendulum_params params = uneven_params();
    carom_bouncing_pendulum_params other = params;
    other.mass *= 5.0;
    other.inertia *= 20.0;
    other.length *= 2.0;
    other.gravity *= 2.0 / 9.0;
    other.initial_rate /= 3.0;
    other.wall_position *= 2.0;
    carom_bouncing_pendulum_impact a[4];
    carom_bouncing_pendulum_impact b[4];
    assert_ok(carom_bouncing_pendulum_exact_impacts(&params, 4, a, NULL));
    assert_ok(carom_bouncing_pendulum_exact_impacts(&other, 4, b, NULL));
    for (int k = 0; k < 4; k++) {
        assert_close(b[k].time, 3.0 * a[k].time, ROUNDING, 0.0);
        assert_close(b[k].rate, a[k].rate / 3.0, ROUNDING, 0.0);
        assert_close(b[k].contact_impulse, 10.0 / 3.0 * a[k].contact_impulse, ROUNDING, 0.0);
        assert_close(b[k].joint_impulse[1], 10.0 / 3.0 * a[k].joint_impulse[1], ROUNDING, 0.0);
        assert_close(b[k].energy, 20.0 / 9.0 * a[k].energy, 0.0, 1e-12);
    }
}

/* A parameter set refused by every function, with the offending quantity and value. */
static void assert_refused(const void *refused, carom_status expected, const char *quantity) {
    const carom_bouncing_pendulum_params *params = refused;
    carom_report report = carom_report_empty();
    carom_model *model = NULL;
    const carom_status status = carom_bouncing_pendulum_alloc(params, &model, &report);
    ck_assert_msg(status == expected, "%s: %s", quantity, carom_status_name(status));
    ck_assert_str_eq(report.quantity, quantity);
    ck_assert_ptr_null(model);

    carom_bouncing_pendulum_impact impact = {0};
    double time = 0.0;
    double angle = 0.0;
    double rate = 0.0;
    ck_assert_int_eq(carom_bouncing_pendulum_exact_impacts(params, 1, &impact, NULL), expected);
    ck_assert_int_eq(carom_bouncing_pendulum_exact_accumulation_time(params, &time, NULL),
                     expected);
    const double instant = 0.1;
    ck_assert_int_eq(carom_bouncing_pendulum_exact_states(params, 1, &instant, &angle, &rate, NULL),
                     expected);
    ck_assert(isnan(impact.time) && isnan(time) && isnan(angle) && isnan(rate));
}

TEST(errors, parameters_that_are_no_pendulum_are_refused) {
    static const refused_member members[] = {
        {offsetof(carom_bouncing_pendulum_params, mass), "mass", -2.385, 0.0},
        {offsetof(carom_bouncing_pendulum_params, inertia), "inertia", -0.1, 0.0},
        {offsetof(carom_bouncing_pendulum_params, length), "length", -1.0, 0.0},
        {offsetof(carom_bouncing_pendulum_params, gravity), "gravity", -9.81, -1e-9},
        {offsetof(carom_bouncing_pendulum_params, restitution), "restitution", -0.1, 1.1},
        {offsetof(carom_bouncing_pendulum_params, initial_angle), "initial angle", 0.0, 0.0},
        {offsetof(carom_bouncing_pendulum_params, initial_rate), "initial rate", 0.0, 0.0},
        {offsetof(carom_bouncing_pendulum_params, wall_position), "wall position", 0.0, 0.0},
    };
    carom_bouncing_pendulum_params params = uneven_params();
    check_refused_members(&params, members, sizeof members / sizeof members[0], assert_refused);
}

TEST(errors, initial_penetration_is_refused_with_its_gap) {
    carom_bouncing_pendulum_params params = uneven_params();
    params.initial_angle = 0.9;
    carom_report report = carom_report_empty();
    carom_model *model = NULL;
    assert_status(carom_bouncing_pendulum_alloc(&params, &model, &report), PENETRATION);
    assert_close(report.value, 1.213 * cos(0.9) - 0.917, ROUNDING, 0.0);
    ck_assert_int_eq(report.index, 0);
    assert_refused(&params, CAROM_STATUS_PENETRATION, "initial gap");
}

/* A mechanism of its own right whose exact solution is refused. */
static void assert_out_of_reach(const carom_bouncing_pendulum_params *params,
                                const char *quantity) {
    carom_model_free(model_of(params));
    carom_report report = carom_report_empty();
    carom_bouncing_pendulum_impact impact;
    double time = 0.0;
    assert_status(carom_bouncing_pendulum_exact_impacts(params, 1, &impact, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, quantity);
    ck_assert(isnan(impact.time));
    assert_status(carom_bouncing_pendulum_exact_accumulation_time(params, &time, NULL),
                  OUT_OF_RANGE);
    assert_status(carom_bouncing_pendulum_exact_states(params, 1, &time, &time, &time, NULL),
                  OUT_OF_RANGE);
}

TEST(errors, exact_solution_refuses_a_wall_out_of_reach) {
    carom_bouncing_pendulum_params params = uneven_params();
    params.gravity = 0.0;
    assert_out_of_reach(&params, "gravity");

    params = uneven_params();
    params.wall_position = -0.2;
    assert_out_of_reach(&params, "wall position");
    params.wall_position = params.length;
    params.initial_angle = 0.0;
    assert_out_of_reach(&params, "wall position");
    params.wall_position = 0.9e-6 * params.length;
    assert_out_of_reach(&params, "wall position");

    /* One turn further, the same place but not the same angle. */
    params = uneven_params();
    params.initial_angle += 2.0 * acos(-1.0);
    assert_out_of_reach(&params, "initial angle");

    /* Upwards to the wall above the pivot, at once or by the rebound. */
    params = uneven_params();
    params.initial_rate = 5.0;
    assert_out_of_reach(&params, "initial rate");
    params.initial_rate = -6.0;
    assert_out_of_reach(&params, "rebound rate");
}

TEST(errors, a_swing_too_slow_or_too_fast_for_numbers_is_refused) {
    carom_bouncing_pendulum_params slow = uneven_params();
    slow.inertia = 1e308;
    slow.mass = 1e-20;
    slow.gravity = 1e-30;
    assert_out_of_reach(&slow, "rate of the swing");
    carom_bouncing_pendulum_params fast = uneven_params();
    fast.gravity = 1e308;
    const double time = 0.3;
    double angle = 0.0;
    double rate = 0.0;
    assert_status(carom_bouncing_pendulum_exact_states(&fast, 1, &time, &angle, &rate, NULL),
                  NOT_FINITE);
    ck_assert(isnan(angle) && isnan(rate));
}

TEST(errors, times_that_are_no_times_are_refused) {
    const carom_bouncing_pendulum_params params = uneven_params();
    double angle[2];
    double rate[2];
    carom_report report = carom_report_empty();
    const double decreasing[2] = {0.3, 0.2};
    assert_status(
        carom_bouncing_pendulum_exact_states(&params, 2, decreasing, angle, rate, &report),
        OUT_OF_RANGE);
    ck_assert_int_eq(report.index, 1);
    const double negative[2] = {-0.1, 0.2};
    assert_status(carom_bouncing_pendulum_exact_states(&params, 2, negative, angle, rate, &report),
                  OUT_OF_RANGE);
    ck_assert_int_eq(report.index, 0);
    const double undefined[2] = {0.1, (double)NAN};
    assert_status(carom_bouncing_pendulum_exact_states(&params, 2, undefined, angle, rate, &report),
                  NOT_FINITE);
    ck_assert(isnan(angle[0]) && isnan(rate[1]));
}

/* e = 1 - 1e-7 needs some ten million flights; early states do not. */
TEST(errors, accumulation_beyond_the_limit_of_flights_is_reported) {
    carom_bouncing_pendulum_params params = uneven_params();
    params.restitution = 1.0 - 1e-7;
    carom_report report = carom_report_empty();
    double time = 0.0;
    assert_status(carom_bouncing_pendulum_exact_accumulation_time(&params, &time, &report),
                  NOT_CONVERGED);
    ck_assert_str_eq(report.quantity, "accumulation time");
    ck_assert(report.iterations > 1000 && report.residual > 0.0 && isnan(time));
    const double early = 1.7;
    double angle = (double)NAN;
    double rate = (double)NAN;
    assert_ok(carom_bouncing_pendulum_exact_states(&params, 1, &early, &angle, &rate, NULL));
    ck_assert(isfinite(angle) && isfinite(rate));
}
