/** What a step keeps and what it takes away: energy identities, properties 1 to 3 of bruls-2014
 * section 7, and the reactions of resting contacts. */
#include "random_mechanism.h"
#include "runs.h"
#include "step_algebra.h"

static carom_bouncing_ball_params random_ball(gsl_rng *generator) {
    carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    ball.mass = uniform(generator, 0.3, 4.0);
    ball.radius = uniform(generator, 0.05, 0.5);
    ball.gravity = uniform(generator, 3.0, 20.0);
    ball.initial_height = ball.radius + uniform(generator, 0.0, 1.5);
    ball.initial_velocity = uniform(generator, -2.0, 2.0);
    ball.restitution = uniform(generator, 0.0, 1.0);
    return ball;
}

/** Property 3 with its exact loss at every step, for one ball. */
static void check_ball_energy(const carom_bouncing_ball_params *ball,
                              const carom_stepper_params *params, double duration) {
    run r = run_ball(ball, params, duration);
    const carom_trajectory *t = r.trajectory;
    const double m = ball->mass;
    const double e = ball->restitution;
    // rounding relative to the energy, of a position that carries the radius, and a tie
    const double weight = m * ball->gravity;
    const double tolerance = 1e-14 * t->energy[0] + weight * (params->tie_tolerance + 1e-14) +
                             1e-14 * m * ball->initial_velocity * ball->initial_velocity;
    /*[ballPropertyThree]*/
    for (int row = 1; row < t->row_count; row++) {
        const double q_n = t->gap[row - 1];
        const double v_n = t->velocity[row - 1];
        const double change = t->energy[row] - t->energy[row - 1];
        const double exact =
            t->velocity_active[row] ? -weight * q_n - 0.5 * m * (1.0 - e * e) * v_n * v_n : 0.0;
        assert_close(change, exact, 0.0, 4.0 * tolerance);
    }
    /*[end ballPropertyThree]*/
    run_clear(&r);
}

TEST(property, ball_energy_changes_exactly_as_property_three_says) {
    const carom_bouncing_ball_params paper = carom_bouncing_ball_params_default();
    const carom_stepper_params paper_params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, 2e-3);
    check_ball_energy(&paper, &paper_params, 5.0);
    for (unsigned long seed = 1; seed <= 60; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        const carom_bouncing_ball_params ball = random_ball(generator);
        carom_stepper_params params =
            scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, uniform(generator, 1e-3, 4e-2));
        params.spectral_radius = uniform(generator, 0.0, 1.0);
        params.newton = seed % 2 == 0 ? CAROM_NEWTON_MONOLITHIC : CAROM_NEWTON_SEQUENTIAL;
        params.use_linear_step = seed % 3 == 0;
        check_ball_energy(&ball, &params, 3.0);
        gsl_rng_free(generator);
    }
}

TEST(property, ball_step_is_the_closed_form_for_every_spectral_radius) {
    for (unsigned long seed = 1; seed <= 40; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        const carom_bouncing_ball_params ball = random_ball(generator);
        const double h = uniform(generator, 1e-3, 4e-2);
        carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, h);
        params.spectral_radius = uniform(generator, 0.0, 1.0);
        params.use_linear_step = seed % 2 == 0;
        run r = run_ball(&ball, &params, 2.0);
        const carom_trajectory *t = r.trajectory;
        for (int row = 1; row < t->row_count; row++) {
            const double q_n = t->gap[row - 1];
            const double v_n = t->velocity[row - 1];
            const double smooth_q = q_n + h * v_n - 0.5 * h * h * ball.gravity;
            const double smooth_v = v_n - h * ball.gravity;
            const double scale = 1e-13 * (1.0 + fabs(v_n));
            if (smooth_q > params.tie_tolerance) {
                assert_close(t->gap[row], smooth_q, 0.0, scale);
                assert_close(t->velocity[row], smooth_v, 0.0, scale);
            } else {
                const double v = -ball.restitution * v_n;
                assert_close(t->gap[row], 0.0, 0.0, scale);
                assert_close(t->velocity[row], v, 0.0, scale);
                assert_close(t->contact_impulse[row], ball.mass * (v - smooth_v), 0.0,
                             10.0 * scale);
                assert_close(t->contact_position_multiplier[row], -ball.mass * smooth_q, 0.0,
                             10.0 * scale);
            }
        }
        run_clear(&r);
        gsl_rng_free(generator);
    }
}

TEST(property, elastic_ball_loses_its_height_above_the_floor_at_each_impact) {
    carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    ball.restitution = 1.0;
    const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, 2e-3);
    check_ball_energy(&ball, &params, 5.0);
    run r = run_ball(&ball, &params, 5.0);
    const carom_trajectory *t = r.trajectory;
    const double loss = 1.0 - t->energy[t->row_count - 1] / t->energy[0];
    // 5.06 percent (bruls-2014 section 7.3, derived)
    assert_close(100.0 * loss, 5.06, 0.0, 0.005);
    run_clear(&r);
}

TEST(property, ball_energy_is_a_staircase) {
    const carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, 2e-3);
    run r = run_ball(&ball, &params, 3.0);
    const carom_trajectory *t = r.trajectory;
    int drops = 0;
    for (int row = 1; row < t->row_count; row++) {
        const double change = t->energy[row] - t->energy[row - 1];
        ck_assert_double_lt(change, 1e-13 * t->energy[0]);
        drops += change < -1e-13 * t->energy[0] ? 1 : 0;
    }
    // the exact solution has eight impacts before 3 s
    int exact = 0;
    while (carom_bouncing_ball_exact_impact(&ball, exact).time < 3.0) {
        exact++;
    }
    ck_assert_int_eq(exact, 8);
    ck_assert_int_le(abs(drops - exact), 1);
    run_clear(&r);
}

TEST(property, moreau_loses_the_closed_form_energy_in_flight) {
    for (unsigned long seed = 1; seed <= 30; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        carom_bouncing_ball_params ball = random_ball(generator);
        ball.initial_height += 1.0;
        carom_stepper_params params =
            scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, uniform(generator, 1e-3, 2e-2));
        params.spectral_radius = uniform(generator, 0.0, 1.0);
        params.theta = seed % 3 == 0 ? uniform(generator, 0.5, 1.0) : (double)NAN;
        const double theta = seed % 3 == 0 ? params.theta : 1.0 / (1.0 + params.spectral_radius);
        run r = run_ball(&ball, &params, 0.2);
        const carom_trajectory *t = r.trajectory;
        const double exact =
            -(theta - 0.5) * ball.mass * ball.gravity * ball.gravity * params.step * params.step;
        for (int row = 1; row < t->row_count && t->velocity_active[row] == 0; row++) {
            assert_close(t->energy[row] - t->energy[row - 1], exact, 0.0, 1e-13 * t->energy[0]);
        }
        run_clear(&r);
        gsl_rng_free(generator);
    }
    const carom_bouncing_ball_params paper = carom_bouncing_ball_params_default();
    const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, 2e-3);
    run r = run_ball(&paper, &params, 0.2);
    assert_printed(r.trajectory->energy[1] - r.trajectory->energy[0], "-2.2222e-5");
    run_clear(&r);
}

/** theta-scheme: q moves by h v_n (1 - theta (1 + e)) over a step in which the contact acts. */
TEST(property, moreau_impact_moves_the_ball_by_the_closed_form) {
    carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    ball.restitution = 0.57;
    const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, 2.3e-3);
    run r = run_ball(&ball, &params, 3.0);
    const carom_trajectory *t = r.trajectory;
    const double theta = 1.0 / 1.8;
    for (int row = 1; row < t->row_count; row++) {
        if (t->velocity_active[row]) {
            const double v_n = t->velocity[row - 1];
            assert_close(t->gap[row] - t->gap[row - 1],
                         params.step * v_n * (1.0 - theta * (1.0 + ball.restitution)), 0.0, 1e-14);
        }
    }
    run_clear(&r);
}

TEST(property, flight_keeps_the_energy_of_block_and_ball) {
    carom_rocking_block_params block = carom_rocking_block_params_default();
    block.initial_x_velocity = 0.37;
    block.initial_rate = 0.71;
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        if (scheme == CAROM_SCHEME_MOREAU_JEAN) {
            continue; // dissipates
        }
        const carom_stepper_params params = scheme_with_step((carom_scheme)scheme, 1e-2);
        run r = run_block(&block, &params, 0.1);
        for (int row = 0; row < r.trajectory->row_count; row++) {
            assert_close(r.trajectory->energy[row], r.trajectory->energy[0], 1e-14, 0.0);
        }
        run_clear(&r);
    }
}

TEST(property, block_energy_never_rises) {
    const carom_rocking_block_params block = carom_rocking_block_params_default();
    const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, 1e-2);
    run r = run_block(&block, &params, 2.0);
    for (int row = 1; row < r.trajectory->row_count; row++) {
        // 4e-15 J by rounding
        ck_assert_double_lt(r.trajectory->energy[row] - r.trajectory->energy[row - 1], 1e-13);
    }
    run_clear(&r);
}

/** Property 2: rest at most h^2 a_g/2 above the floor is snapped to it, rest higher up falls. */
TEST(property, only_rest_on_the_floor_is_an_equilibrium) {
    carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, 1e-2);
    const double limit = 0.5 * params.step * params.step * ball.gravity;
    static const double share[] = {0.0, 1e-6, 0.31, 0.999, 1.001, 1.7};
    for (int i = 0; i < 6; i++) {
        ball.initial_height = ball.radius + share[i] * limit;
        run r = run_ball(&ball, &params, params.step);
        const carom_trajectory *t = r.trajectory;
        const bool snaps = share[i] < 1.0;
        assert_close(t->gap[1], snaps ? 0.0 : (share[i] - 1.0) * limit, 0.0, 1e-15);
        assert_close(t->velocity[1], snaps ? 0.0 : -params.step * ball.gravity, 0.0, 1e-15);
        run_clear(&r);
    }
}

/** Lambda^B = -(G_B M^-1 G_B')^-1 (G_B v~ + E G_n v_n), or nu^A from g(q~) likewise: the right-hand
 * side `rows` is overwritten by the multiplier. */
static void solve_delassus(const carom_mechanism *mechanism, const step_mechanics *at,
                           const bool *active, double *rows) {
    const int n = mechanism->coordinate_count;
    const int m = step_row_count(mechanism);
    double A[STEP_MAX_CONSTRAINTS * STEP_MAX_CONSTRAINTS] = {0.0};
    for (int j = 0; j < m; j++) {
        double M[STEP_MAX_COORDINATES * STEP_MAX_COORDINATES];
        double column[STEP_MAX_COORDINATES];
        memcpy(M, at->M, (size_t)(n * n) * sizeof *M);
        memcpy(column, &at->G[j * n], (size_t)n * sizeof *column);
        ck_assert(step_solve(n, M, column));
        for (int i = 0; i < m; i++) {
            A[i * m + j] = active[i] && active[j] ? step_dot(n, &at->G[i * n], column)
                           : i == j               ? 1.0
                                                  : 0.0;
        }
        rows[j] = active[j] ? -rows[j] : 0.0;
    }
    ck_assert(step_solve(m, A, rows));
}

static random_shape shape_of(unsigned long seed) {
    random_shape shape = {0};
    shape.coordinates = 2 + (int)(seed % 3);
    shape.joints = (int)(seed % 2);
    shape.contacts = shape.coordinates - shape.joints;
    shape.is_linear = seed % 4 == 0;
    shape.has_damping = true;
    shape.closed_share = 0.5;
    shape.largest_gap = 0.02;
    return shape;
}

TEST(property, impulse_is_that_of_property_one_exactly) {
    int active_steps = 0;
    for (unsigned long seed = 1; seed <= 60; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        const random_shape shape = shape_of(seed);
        random_mechanism r;
        random_mechanism_init(&r, &shape, generator);
        const carom_mechanism *mechanism = &r.mechanism;
        const carom_stepper_params params =
            scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, uniform(generator, 1e-3, 5e-3));
        carom_stepper *stepper = NULL;
        assert_ok(carom_stepper_alloc(mechanism, &params, &stepper, NULL));
        assert_ok(carom_stepper_start(stepper, 0.0, r.q0, r.v0, NULL));
        for (int i = 0; i < 10; i++) {
            const step_state old = step_state_of(mechanism, carom_stepper_result(stepper));
            assert_ok(carom_stepper_advance(stepper, NULL));
            const carom_step *step = carom_stepper_result(stepper);
            step_mechanics before;
            step_mechanics now;
            step_evaluate(mechanism, old.time, old.position, old.velocity, &before);
            step_evaluate(mechanism, step->time, step->position, step->velocity, &now);
            const int n = shape.coordinates;
            double rows[RANDOM_MAX_CONSTRAINTS];
            bool active[RANDOM_MAX_CONSTRAINTS];
            for (int j = 0; j < step_row_count(mechanism); j++) {
                const double e = j < shape.joints ? 0.0 : r.restitution[j];
                active[j] = j < shape.joints || step->velocity_active[j];
                rows[j] = step_dot(n, &now.G[j * n], step->smooth_velocity) +
                          e * step_dot(n, &before.G[j * n], old.velocity);
                active_steps += j >= shape.joints && active[j] ? 1 : 0;
            }
            solve_delassus(mechanism, &now, active, rows);
            for (int j = 0; j < step_row_count(mechanism); j++) {
                // Newton tolerance 1e-10 times the condition of G M^-1 G'
                assert_close(step->impulse[j], rows[j], 1e-9, 1e-8);
            }
        }
        carom_stepper_free(stepper);
        gsl_rng_free(generator);
    }
    ck_assert_int_gt(active_steps, 50);
}

/** Largest error of nu^A = -(G_A M^-1 G_A')^-1 g^A(q~) over a run of the pendulum. */
static double property_one_error(double h) {
    const carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
    carom_model *model = NULL;
    assert_ok(carom_bouncing_pendulum_alloc(&pendulum, &model, NULL));
    const carom_mechanism *mechanism = &model->mechanism;
    const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, h);
    carom_stepper *stepper = NULL;
    assert_ok(carom_stepper_alloc(mechanism, &params, &stepper, NULL));
    assert_ok(
        carom_stepper_start(stepper, 0.0, model->initial_position, model->initial_velocity, NULL));
    double error = 0.0;
    while (carom_stepper_result(stepper)->time < 5.0) {
        assert_ok(carom_stepper_advance(stepper, NULL));
        const carom_step *step = carom_stepper_result(stepper);
        step_mechanics now;
        step_evaluate(mechanism, step->time, step->position, step->velocity, &now);
        double smooth_q[3];
        double rows[3];
        for (int i = 0; i < 3; i++) {
            smooth_q[i] = step->position[i] - step->position_correction[i];
        }
        mechanism->constraints(smooth_q, rows, mechanism->context);
        solve_delassus(mechanism, &now, step->position_active, rows);
        for (int j = 0; j < 3; j++) {
            error = fmax(error, fabs(step->position_multiplier[j] - rows[j]));
        }
    }
    carom_stepper_free(stepper);
    carom_model_free(model);
    return error;
}

TEST(property, position_multiplier_is_that_of_property_one_to_second_order) {
    static const double h[] = {2e-3, 1e-3, 5e-4};
    double error[3];
    for (int i = 0; i < 3; i++) {
        error[i] = property_one_error(h[i]);
        // the second-order constant, 12.2 kg m/s^2 at the largest step
        ck_assert_double_lt(error[i], 13.0 * h[i] * h[i]);
    }
    ck_assert_double_gt(fitted_slope(3, h, error), 1.9);
}

/** Cartesian state of the pendulum: position and velocity [3]. */
static void cartesian_state(double length, double angle, double rate, double *q, double *v) {
    q[0] = length * cos(angle);
    q[1] = length * sin(angle);
    q[2] = angle;
    v[0] = -q[1] * rate;
    v[1] = q[0] * rate;
    v[2] = rate;
}

/**
 * Residuals of theorem 1 (21) in a step of the exact pendulum that has its first impact at 0.3 h:
 * with W, U from the motion that goes on without the wall, M W - G' Lambda and M U - G' nu, where
 * Lambda is the impulse of the impact and nu its integral over the rest of the step.
 */
static void theorem_one_residuals(double h, double *velocity_level, double *position_level) {
    const carom_bouncing_pendulum_params p = carom_bouncing_pendulum_params_default();
    carom_bouncing_pendulum_impact impact;
    assert_ok(carom_bouncing_pendulum_exact_impacts(&p, 1, &impact, NULL));
    const double times[] = {impact.time - 0.3 * h, impact.time + 0.7 * h};
    double angle[2];
    double rate[2];
    assert_ok(carom_bouncing_pendulum_exact_states(&p, 2, times, angle, rate, NULL));
    carom_bouncing_pendulum_params smooth = p;
    smooth.initial_angle = angle[0];
    smooth.initial_rate = rate[0];
    smooth.wall_position = 0.01;
    double smooth_angle = 0.0;
    double smooth_rate = 0.0;
    assert_ok(
        carom_bouncing_pendulum_exact_states(&smooth, 1, &h, &smooth_angle, &smooth_rate, NULL));
    double q[3];
    double v[3];
    double smooth_q[3];
    double smooth_v[3];
    cartesian_state(p.length, angle[1], rate[1], q, v);
    cartesian_state(p.length, smooth_angle, smooth_rate, smooth_q, smooth_v);
    const double M[3] = {p.mass, p.mass, p.inertia};
    const double G[3][3] = {{1.0, 0.0, q[1]}, {0.0, 1.0, -q[0]}, {1.0, 0.0, 0.0}};
    const double impulse[3] = {impact.joint_impulse[0], impact.joint_impulse[1],
                               impact.contact_impulse};
    *velocity_level = 0.0;
    *position_level = 0.0;
    for (int i = 0; i < 3; i++) {
        const double force = G[0][i] * impulse[0] + G[1][i] * impulse[1] + G[2][i] * impulse[2];
        *velocity_level = fmax(*velocity_level, fabs(M[i] * (v[i] - smooth_v[i]) - force));
        *position_level =
            fmax(*position_level, fabs(M[i] * (q[i] - smooth_q[i]) - 0.7 * h * force));
    }
}

TEST(property, jump_and_correction_of_the_exact_motion_are_those_of_theorem_one) {
    static const double h[] = {8e-3, 4e-3, 2e-3, 1e-3};
    double velocity_level[4];
    double position_level[4];
    for (int i = 0; i < 4; i++) {
        theorem_one_residuals(h[i], &velocity_level[i], &position_level[i]);
    }
    // the first neglected term is one order higher: a part of omega h = 0.03 of the leading one
    assert_close(fitted_slope(4, h, velocity_level), 1.0, 0.0, 0.05);
    assert_close(fitted_slope(4, h, position_level), 2.0, 0.0, 0.05);
}

/** Lambda = h F and nu = h^2 F / 2 in a resting contact, for a random ball and block. */
TEST(property, resting_contacts_carry_the_weight) {
    for (unsigned long seed = 1; seed <= 20; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        carom_bouncing_ball_params ball = random_ball(generator);
        ball.restitution = 0.3;
        ball.initial_height = ball.radius;
        ball.initial_velocity = 0.0;
        carom_stepper_params params =
            scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, uniform(generator, 1e-3, 2e-2));
        params.spectral_radius = uniform(generator, 0.0, 1.0);
        const double h = params.step;
        run r = run_ball(&ball, &params, 50.0 * h);
        const double weight = ball.mass * ball.gravity;
        for (int row = 1; row < r.trajectory->row_count; row++) {
            assert_close(r.trajectory->contact_impulse[row], h * weight, 1e-12, 0.0);
            assert_close(r.trajectory->contact_position_multiplier[row], 0.5 * h * h * weight, 0.0,
                         1e-14);
        }
        run_clear(&r);
        carom_rocking_block_params block = carom_rocking_block_params_default();
        block.mass = uniform(generator, 0.5, 3.0);
        block.width = uniform(generator, 0.5, 2.0);
        block.height = uniform(generator, 0.5, 2.0);
        block.initial_angle = 0.0;
        block.initial_y = 0.5 * block.height;
        r = run_block(&block, &params, 50.0 * h);
        for (int row = 1; row < r.trajectory->row_count; row++) {
            for (int j = 0; j < 2; j++) {
                const double share = 0.5 * block.mass * block.gravity;
                // Newton tolerance on an impulse, and on a multiplier over h
                assert_close(run_at(r.trajectory->contact_impulse, 2, row, j), h * share, 0.0,
                             1e-9);
                assert_close(run_at(r.trajectory->contact_position_multiplier, 2, row, j),
                             0.5 * h * h * share, 0.0, 1e-9 * h);
            }
        }
        run_clear(&r);
        gsl_rng_free(generator);
    }
}

/** Without contact W = Lambda = 0: the joints alone need no impulse (section 3.13). */
TEST(property, joints_alone_need_no_impulse) {
    carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
    pendulum.wall_position = -3.0;
    const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, 5e-3);
    run r = run_pendulum(&pendulum, &params, 3.0);
    for (int i = 0; i < 2 * r.trajectory->row_count; i++) {
        // twice the Newton tolerance on G v~ and G v, times the mass
        assert_close(r.trajectory->joint_impulse[i], 0.0, 0.0, 4e-10);
    }
    run_clear(&r);
}
