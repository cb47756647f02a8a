/* Derivatives behind the nonlinear gaits: variational equations, flow, landing condition and
 * shooting matrix against differences, and what Newton's method makes of them. */
#include "gait_cases.h"

#include <carom/base/random.h>
#include <carom/collisionless/gait/internal.h>

#include <gsl/gsl_math.h>
#include <gsl/gsl_odeiv2.h>
#include <string.h>

enum { SEED = 20240216, SYSTEMS = 6, MOST_WIDTH = 2 * MOST_COORDINATES };

/* Step of central differences of smooth functions of size one: their error is its square. */
static const double DIFFERENCE = 1e-5;

/* Calls of the library that end here (linker option --wrap), to make them fail on request. */
int __real_gsl_odeiv2_evolve_apply(gsl_odeiv2_evolve *e, gsl_odeiv2_control *con,
                                   gsl_odeiv2_step *step, const gsl_odeiv2_system *dydt, double *t,
                                   double t1, double *h, double y[]);
int __wrap_gsl_odeiv2_evolve_apply(gsl_odeiv2_evolve *e, gsl_odeiv2_control *con,
                                   gsl_odeiv2_step *step, const gsl_odeiv2_system *dydt, double *t,
                                   double t1, double *h, double y[]);

static bool does_integration_stall = false;

int __wrap_gsl_odeiv2_evolve_apply(gsl_odeiv2_evolve *e, gsl_odeiv2_control *con,
                                   gsl_odeiv2_step *step, const gsl_odeiv2_system *dydt, double *t,
                                   double t1, double *h, double y[]) {
    return does_integration_stall ? GSL_SUCCESS
                                  : __real_gsl_odeiv2_evolve_apply(e, con, step, dydt, t, t1, h, y);
}

/** A biped of one to three torso links with an arm, of any masses and lengths. */
typedef struct random_biped {
    double lengths[MOST_COORDINATES];
    double masses[MOST_COORDINATES + 1];
    carom_armed_biped_params params;
    double theta;
    int n;
} random_biped;

static double draw(int system, int entry, double low, double high) {
    return low +
           (high - low) * carom_counter_uniform(SEED, (unsigned long)system, (unsigned long)entry);
}

static void draw_biped(int system, random_biped *biped) {
    for (int i = 0; i <= MOST_COORDINATES; i++) {
        biped->masses[i] = draw(system, i, 0.4, 2.3);
        if (i < MOST_COORDINATES) {
            biped->lengths[i] = draw(system, 20 + i, 0.5, 1.7);
        }
    }
    biped->theta = draw(system, 40, 0.05, 0.4);
    biped->params = (carom_armed_biped_params){.torso_count = 1 + system % 3,
                                               .has_arm = true,
                                               .lengths = biped->lengths,
                                               .masses = biped->masses,
                                               .gravity = draw(system, 41, 0.6, 9.9),
                                               .half_step_angle = biped->theta};
    biped->n = carom_armed_biped_coordinate_count(&biped->params);
}

/** Any state; on two feet the leg is at -theta and at rest. */
static void draw_state(int system, const random_biped *biped, bool is_held, double *state) {
    const int n = biped->n;
    for (int j = 0; j < n; j++) {
        state[j] = draw(system, 60 + j, -0.8, 0.8) + (j == 0 ? M_PI : 0.0);
        state[n + j] = draw(system, 80 + j, -1.1, 1.1);
    }
    if (is_held) {
        state[n - 1] = -biped->theta;
        state[2 * n - 1] = 0.0;
    }
}

static carom_gait_dynamics *dynamics_of(const random_biped *biped) {
    carom_gait_dynamics *dynamics = NULL;
    assert_ok(carom_gait_dynamics_alloc(&biped->params, &dynamics, NULL));
    return dynamics;
}

/* ------------------------------------------------------------------------------------------ unit
 */

TEST(unit, equations_of_motion_are_those_of_the_mechanism_with_feet) {
    for (int system = 0; system < SYSTEMS; system++) {
        random_biped biped;
        draw_biped(system, &biped);
        const int n = biped.n;
        carom_gait_dynamics *dynamics = dynamics_of(&biped);
        carom_model *model = NULL;
        assert_ok(carom_armed_biped_alloc(&biped.params, &model, NULL));
        const carom_mechanism *mechanism = &model->mechanism;
        double state[MOST_WIDTH];
        double a[MOST_COORDINATES];
        double M[MOST_COORDINATES * MOST_COORDINATES];
        double f[MOST_COORDINATES];
        double work[MOST_COORDINATES * MOST_COORDINATES + MOST_COORDINATES];
        for (int is_held = 0; is_held <= 1; is_held++) {
            draw_state(system, &biped, is_held == 1, state);
            assert_ok(
                carom_gait_dynamics_acceleration(dynamics, biped.theta, is_held == 1, state, a));
            mechanism->mass(state, M, mechanism->context);
            mechanism->force(0.0, state, state + n, f, mechanism->context);
            double size = 0.0;
            for (int j = 0; j < n; j++) {
                size = fmax(size, fabs(f[j]));
            }
            // Without the ground every row balances; with it the leg's row gives its torque.
            for (int j = 0; j < n; j++) {
                double missing = f[j];
                for (int k = 0; k < n; k++) {
                    missing -= M[j * n + k] * a[k];
                }
                if (is_held == 1 && j == n - 1) {
                    const carom_armed_biped_forces forces =
                        carom_armed_biped_foot_forces(&biped.params, state, state + n, a);
                    assert_close(-missing, forces.contact_torque, 1e-12, 1e-12 * size);
                } else {
                    assert_close(missing, 0.0, 0.0, 1e-12 * size);
                }
            }
            if (is_held == 1) {
                assert_close(a[n - 1], 0.0, 0.0, 0.0);
            }
            const double energy =
                carom_mechanism_kinetic_energy(mechanism, state, state + n, work) +
                mechanism->potential_energy(state, mechanism->context);
            assert_close(carom_gait_dynamics_energy(dynamics, biped.theta, state), energy, 1e-13,
                         1e-13 * size);
        }
        carom_model_free(model);
        carom_gait_dynamics_free(dynamics);
    }
}

TEST(unit, equilibrium_on_one_foot_balances) {
    // Reference: tan xi = m0 sin 2theta/(m1 + m2 + m3 + 2 m0 sin^2 theta), unit masses.
    random_biped biped = {.params = unit_biped(0.2), .theta = 0.2, .n = 3};
    carom_gait_dynamics *dynamics = dynamics_of(&biped);
    const double lean = atan(sin(0.4) / (3.0 + 2.0 * gsl_pow_2(sin(0.2))));
    const double state[6] = {M_PI, 0.0, lean, 0.0, 0.0, 0.0};
    double a[3];
    assert_ok(carom_gait_dynamics_acceleration(dynamics, biped.theta, false, state, a));
    for (int j = 0; j < 3; j++) {
        assert_close(a[j], 0.0, 0.0, 1e-15);
    }
    assert_close(carom_gait_dynamics_equilibrium_energy(dynamics, biped.theta),
                 carom_gait_dynamics_energy(dynamics, biped.theta, state), 1e-15, 0.0);
    carom_gait_dynamics_free(dynamics);
}

TEST(unit, flow_can_be_parted_and_reversed) {
    // Two motions of half the time are one of the whole; backwards is forwards with reversed rates.
    for (int system = 0; system < SYSTEMS; system++) {
        random_biped biped;
        draw_biped(system, &biped);
        const size_t width = 2 * (size_t)biped.n;
        carom_gait_dynamics *dynamics = dynamics_of(&biped);
        carom_gait_flow *flow = NULL;
        assert_ok(carom_gait_flow_alloc(dynamics, 1e-14, &flow));
        double start[MOST_WIDTH];
        double whole[MOST_WIDTH];
        double halves[MOST_WIDTH];
        const double time = 0.7 * dynamics->time_unit;
        draw_state(system, &biped, false, start);
        memcpy(whole, start, width * sizeof *whole);
        memcpy(halves, start, width * sizeof *halves);
        assert_ok(carom_gait_flow_advance(flow, biped.theta, false, time, whole, NULL));
        for (int i = 0; i < 2; i++) {
            assert_ok(carom_gait_flow_advance(flow, biped.theta, false, 0.5 * time, halves, NULL));
        }
        for (size_t i = 0; i < width; i++) {
            assert_close(halves[i], whole[i], 0.0, 1e-11);
        }
        for (int j = 0; j < biped.n; j++) {
            whole[biped.n + j] = -whole[biped.n + j];
        }
        assert_ok(carom_gait_flow_advance(flow, biped.theta, false, time, whole, NULL));
        for (int j = 0; j < biped.n; j++) {
            assert_close(whole[j], start[j], 0.0, 1e-10);
            assert_close(whole[biped.n + j], -start[biped.n + j], 0.0, 1e-10);
        }
        carom_gait_flow_free(flow);
        carom_gait_dynamics_free(dynamics);
    }
}

TEST(unit, newton_converges_quadratically) {
    carom_gait_shooting *shooting = NULL;
    carom_gait_params params = carom_gait_params_default();
    const carom_armed_biped_params biped = unit_biped(0.02);
    assert_ok(carom_gait_shooting_alloc(&biped, &params, &shooting, NULL));
    const int count = shooting->count;
    double *u = calloc(2 * (size_t)count, sizeof *u);
    double *row = u + count;
    row[count - 1] = 1.0;
    // From the harmonic gait at an angle where it is off by a percent, one step at a time.
    assert_ok(carom_gait_shooting_guess(shooting, &UNIT_START, 0.02, u, NULL));
    shooting->params.max_iterations = 1;
    double norms[8];
    int steps = 0;
    carom_status status = CAROM_STATUS_NOT_CONVERGED;
    while (status != CAROM_OK) {
        ck_assert_int_lt(steps, 8);
        status = carom_gait_newton_solve(shooting, row, u);
        norms[steps++] = shooting->norm;
    }
    ck_assert_int_ge(steps, 3);
    for (int i = 0; i + 1 < steps; i++) {
        // The constant is that of the first steps, with room; below it rounding remains.
        ck_assert_msg(norms[i + 1] <= 30.0 * gsl_pow_2(norms[i]) + 1e-14, "%g after %g",
                      norms[i + 1], norms[i]);
    }
    free(u);
    carom_gait_shooting_free(shooting);
}

/* -------------------------------------------------------------------------------------- property
 */

TEST(property, sensitivities_are_the_differences_of_the_flow) {
    for (int system = 0; system < SYSTEMS; system++) {
        random_biped biped;
        draw_biped(system, &biped);
        const int width = 2 * biped.n;
        carom_gait_dynamics *dynamics = dynamics_of(&biped);
        carom_gait_flow *flow = NULL;
        assert_ok(carom_gait_flow_alloc(dynamics, 1e-13, &flow));
        const double time = 0.6 * dynamics->time_unit;
        const bool is_held = system % 2 == 1;
        double start[MOST_WIDTH];
        double end[MOST_WIDTH];
        double S[(MOST_WIDTH + 1) * MOST_WIDTH];
        draw_state(system, &biped, is_held, start);
        memcpy(end, start, sizeof end);
        assert_ok(carom_gait_flow_advance(flow, biped.theta, is_held, time, end, S));
        for (int i = 0; i <= width; i++) {
            double ends[2][MOST_WIDTH];
            for (int side = 0; side < 2; side++) {
                const double change = (side == 0 ? -1.0 : 1.0) * DIFFERENCE;
                memcpy(ends[side], start, sizeof ends[side]);
                if (i < width) {
                    ends[side][i] += change;
                }
                const double theta = biped.theta + (i == width ? change : 0.0);
                assert_ok(carom_gait_flow_advance(flow, theta, is_held, time, ends[side], NULL));
            }
            for (int j = 0; j < width; j++) {
                const double slope = (ends[1][j] - ends[0][j]) / (2.0 * DIFFERENCE);
                // Third derivatives reach 1e3 where arm and torso whip.
                assert_close(S[i * width + j], slope, 1e-6, 1e-6);
            }
        }
        carom_gait_flow_free(flow);
        carom_gait_dynamics_free(dynamics);
    }
}

TEST(property, landing_torque_has_the_gradient_of_its_differences) {
    for (int system = 0; system < SYSTEMS; system++) {
        random_biped biped;
        draw_biped(system, &biped);
        const int n = biped.n;
        const int width = 2 * n;
        carom_gait_dynamics *dynamics = dynamics_of(&biped);
        double start[MOST_WIDTH];
        double torque;
        double gradient[MOST_WIDTH + 1];
        double unused[MOST_WIDTH + 1];
        draw_state(system, &biped, true, start);
        assert_ok(
            carom_gait_dynamics_landing_torque(dynamics, biped.theta, start, &torque, gradient));
        // The torque of the ground, as the model gives it.
        double a[MOST_COORDINATES];
        assert_ok(carom_gait_dynamics_acceleration(dynamics, biped.theta, true, start, a));
        const carom_armed_biped_forces forces =
            carom_armed_biped_foot_forces(&biped.params, start, start + n, a);
        double mass = biped.masses[0];
        for (int i = 0; i <= n; i++) {
            mass += biped.masses[i];
        }
        const double unit = mass * biped.params.gravity * biped.lengths[0];
        assert_close(torque, forces.contact_torque / unit, 1e-12, 1e-13);
        for (int i = 0; i <= width; i++) {
            double torques[2];
            for (int side = 0; side < 2; side++) {
                const double change = (side == 0 ? -1.0 : 1.0) * DIFFERENCE;
                double state[MOST_WIDTH];
                memcpy(state, start, sizeof state);
                if (i < width) {
                    state[i] += change;
                }
                const double theta = biped.theta + (i == width ? change : 0.0);
                assert_ok(carom_gait_dynamics_landing_torque(dynamics, theta, state, &torques[side],
                                                             unused));
            }
            assert_close(gradient[i], (torques[1] - torques[0]) / (2.0 * DIFFERENCE), 1e-7, 1e-7);
        }
        carom_gait_dynamics_free(dynamics);
    }
}

TEST(property, leg_jerk_is_the_rate_of_its_acceleration) {
    for (int system = 0; system < SYSTEMS; system++) {
        random_biped biped;
        draw_biped(system, &biped);
        const int n = biped.n;
        carom_gait_dynamics *dynamics = dynamics_of(&biped);
        carom_gait_flow *flow = NULL;
        assert_ok(carom_gait_flow_alloc(dynamics, 1e-14, &flow));
        double start[MOST_WIDTH];
        double state[MOST_WIDTH];
        double a[3][MOST_COORDINATES];
        draw_state(system, &biped, false, start);
        memcpy(state, start, sizeof state);
        const double time = 2e-4 * dynamics->time_unit;
        for (int i = 0; i < 3; i++) {
            assert_ok(carom_gait_dynamics_acceleration(dynamics, biped.theta, false, state, a[i]));
            assert_ok(carom_gait_flow_advance(flow, biped.theta, false, time, state, NULL));
        }
        double jerk;
        double inverse_mass;
        assert_ok(carom_gait_dynamics_leg_jerk(dynamics, biped.theta, start, &jerk, &inverse_mass));
        // One-sided differences of the second order.
        const double slope = (-3.0 * a[0][n - 1] + 4.0 * a[1][n - 1] - a[2][n - 1]) / (2.0 * time);
        assert_close(jerk, slope, 1e-5, 1e-5 * gsl_pow_3(1.0 / dynamics->time_unit));
        // The difference of the accelerations with and without the leg held is that of its torque.
        draw_state(system, &biped, true, start);
        assert_ok(carom_gait_dynamics_acceleration(dynamics, biped.theta, false, start, a[0]));
        assert_ok(carom_gait_dynamics_acceleration(dynamics, biped.theta, true, start, a[1]));
        assert_ok(carom_gait_dynamics_leg_jerk(dynamics, biped.theta, start, &jerk, &inverse_mass));
        const carom_armed_biped_forces forces =
            carom_armed_biped_foot_forces(&biped.params, start, start + n, a[1]);
        assert_close(-a[0][n - 1], inverse_mass * forces.contact_torque, 1e-11, 1e-12);
        carom_gait_flow_free(flow);
        carom_gait_dynamics_free(dynamics);
    }
}

TEST(property, shooting_matrix_is_the_difference_of_the_residual) {
    for (int segments = 1; segments <= 3; segments++) {
        carom_gait_params params = carom_gait_params_default();
        params.segments = segments;
        params.constrained_segments = 4 - segments;
        carom_gait_shooting *shooting = NULL;
        random_biped biped;
        draw_biped(segments, &biped);
        assert_ok(carom_gait_shooting_alloc(&biped.params, &params, &shooting, NULL));
        const int count = shooting->count;
        double *u = calloc(3 * (size_t)count + (size_t)(count * count), sizeof *u);
        double *low = u + count;
        double *high = low + count;
        double *matrix = high + count;
        for (int i = 0; i < count; i++) {
            u[i] = draw(segments, 100 + i, -0.5, 0.5);
        }
        u[count - 3] = 0.9 * shooting->dynamics->time_unit;
        u[count - 2] = 0.5 * shooting->dynamics->time_unit;
        u[count - 1] = biped.theta;
        assert_ok(carom_gait_shooting_evaluate(shooting, u));
        memcpy(matrix, shooting->matrix, (size_t)(count * count) * sizeof *matrix);
        for (int i = 0; i < count; i++) {
            const double value = u[i];
            u[i] = value - DIFFERENCE;
            assert_ok(carom_gait_shooting_evaluate(shooting, u));
            memcpy(low, shooting->residual, (size_t)count * sizeof *low);
            u[i] = value + DIFFERENCE;
            assert_ok(carom_gait_shooting_evaluate(shooting, u));
            memcpy(high, shooting->residual, (size_t)count * sizeof *high);
            u[i] = value;
            for (int j = 0; j < count - 1; j++) {
                assert_close(matrix[j * count + i], (high[j] - low[j]) / (2.0 * DIFFERENCE), 1e-6,
                             1e-6);
            }
        }
        free(u);
        carom_gait_shooting_free(shooting);
    }
}

TEST(property, solutions_do_not_depend_on_the_number_of_segments) {
    double tau[3];
    static const int numbers[3] = {6, 12, 25};
    const carom_armed_biped_params biped = unit_biped(0.03);
    for (int i = 0; i < 3; i++) {
        carom_gait_params params = carom_gait_params_default();
        params.segments = numbers[i];
        params.constrained_segments = 1 + i;
        carom_nonlinear_gait *gait = NULL;
        assert_ok(carom_nonlinear_gait_solve(&biped, &UNIT_START, &params, &gait, NULL));
        tau[i] = gait->time;
        carom_nonlinear_gait_free(gait);
    }
    // Residuals of 1e-13 over the size theta of the motion.
    assert_close(tau[0], tau[1], 0.0, 1e-11);
    assert_close(tau[2], tau[1], 0.0, 1e-11);
}

/* ---------------------------------------------------------------------------------------- errors
 */

TEST(errors, times_that_are_none_are_refused) {
    const carom_gait_params params = carom_gait_params_default();
    const carom_armed_biped_params biped = unit_biped(0.02);
    carom_gait_shooting *shooting = NULL;
    assert_ok(carom_gait_shooting_alloc(&biped, &params, &shooting, NULL));
    const int count = shooting->count;
    double *u = calloc((size_t)count, sizeof *u);
    static const double wrong[3] = {0.0, 0.0, -1e-3};
    for (int i = 0; i < 3; i++) {
        assert_ok(carom_gait_shooting_guess(shooting, &UNIT_START, 1e-3, u, NULL));
        u[count - 3 + i] = wrong[i];
        assert_status(carom_gait_shooting_evaluate(shooting, u), OUT_OF_RANGE);
    }
    assert_ok(carom_gait_shooting_guess(shooting, &UNIT_START, 1e-3, u, NULL));
    u[0] = (double)NAN;
    assert_status(carom_gait_shooting_evaluate(shooting, u), NOT_FINITE);
    free(u);
    carom_gait_shooting_free(shooting);
}

TEST(errors, an_integration_that_gets_nowhere_is_given_up) {
    random_biped biped;
    draw_biped(0, &biped);
    carom_gait_dynamics *dynamics = dynamics_of(&biped);
    carom_gait_flow *flow = NULL;
    assert_ok(carom_gait_flow_alloc(dynamics, 1e-13, &flow));
    double state[MOST_WIDTH];
    draw_state(0, &biped, false, state);
    does_integration_stall = true;
    assert_status(carom_gait_flow_advance(flow, biped.theta, false, 1.0, state, NULL),
                  NOT_CONVERGED);
    does_integration_stall = false;
    assert_ok(carom_gait_flow_advance(flow, biped.theta, false, 0.1, state, NULL));
    state[0] = (double)INFINITY;
    assert_status(carom_gait_flow_advance(flow, biped.theta, false, 0.1, state, NULL), NOT_FINITE);
    carom_gait_flow_free(flow);
    carom_gait_dynamics_free(dynamics);
}

TEST(errors, a_singular_border_is_reported) {
    const carom_gait_params params = carom_gait_params_default();
    const carom_armed_biped_params biped = unit_biped(0.02);
    carom_gait_shooting *shooting = NULL;
    assert_ok(carom_gait_shooting_alloc(&biped, &params, &shooting, NULL));
    const size_t count = (size_t)shooting->count;
    double *u = calloc(3 * count, sizeof *u);
    double *row = u + count;
    assert_ok(carom_gait_shooting_guess(shooting, &UNIT_START, 1e-2, u, NULL));
    // A row of zeros leaves the direction of the family open.
    assert_status(carom_gait_newton_solve(shooting, row, u), SINGULAR);
    assert_ok(carom_gait_shooting_evaluate(shooting, u));
    assert_status(carom_gait_newton_tangent(shooting, row, u + 2 * count), SINGULAR);
    free(u);
    carom_gait_shooting_free(shooting);
}
