/** No failure anywhere, and the same answer whatever does not matter: activation parameter,
 * redundant or permuted contacts, ties, units, the kind of step. */
#include "random_mechanism.h"
#include "rewired_mechanism.h"
#include "runs.h"

#include <carom/models/ball_column.h>

/** One random run of the block; returns the number of steps made. */
static int run_random_block(gsl_rng *generator, unsigned long seed, carom_newton newton) {
    carom_rocking_block_params block = carom_rocking_block_params_default();
    block.restitution = uniform(generator, 0.0, 1.0);
    block.width = uniform(generator, 0.3, 2.0);
    block.height = uniform(generator, 0.3, 2.0);
    block.initial_angle = uniform(generator, -0.9, 0.9);
    block.initial_rate = uniform(generator, -3.0, 3.0);
    block.initial_y_velocity = uniform(generator, -2.0, 2.0);
    block.initial_x_velocity = uniform(generator, -1.0, 1.0);
    block.initial_y = 0.5 * block.height * cos(block.initial_angle) +
                      0.5 * block.width * fabs(sin(block.initial_angle)) +
                      uniform(generator, 0.0, 0.3);
    carom_model *model = NULL;
    assert_ok(carom_rocking_block_alloc(&block, &model, NULL));
    carom_stepper_params params =
        scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, uniform(generator, 1e-3, 5e-2));
    params.spectral_radius = uniform(generator, 0.0, 1.0);
    params.newton = newton;
    carom_stepper *stepper = NULL;
    assert_ok(carom_stepper_alloc(&model->mechanism, &params, &stepper, NULL));
    assert_ok(
        carom_stepper_start(stepper, 0.0, model->initial_position, model->initial_velocity, NULL));
    const int steps = 250;
    // a block tumbles when it turns by more than a right angle: its lower side is then another one
    int done = 0;
    while (done < steps && fabs(carom_stepper_result(stepper)->position[2]) < 1.5) {
        carom_report report = carom_report_empty();
        const carom_status status = carom_stepper_advance(stepper, &report);
        ck_assert_msg(status == CAROM_OK, "seed %lu, step %d of %g s, e %g, rho %g: %s, %.3g", seed,
                      done, params.step, block.restitution, params.spectral_radius,
                      carom_status_name(status), report.residual);
        const double *gap = carom_stepper_result(stepper)->constraint;
        ck_assert_double_ge(fmin(gap[0], gap[1]), -1e-12);
        done++;
    }
    carom_stepper_free(stepper);
    carom_model_free(model);
    return done;
}

static void run_random_blocks(carom_newton newton, int steps) {
    int done = 0;
    for (unsigned long seed = 1; done < steps; seed++) {
        ck_assert_uint_lt(seed, 5000);
        gsl_rng *generator = seeded_generator(seed);
        done += run_random_block(generator, seed, newton);
        gsl_rng_free(generator);
    }
}

TEST(property, no_random_block_step_fails) {
    run_random_blocks(CAROM_NEWTON_MONOLITHIC, 100000);
}

TEST(property, no_random_block_step_fails_in_sequence) {
    run_random_blocks(CAROM_NEWTON_SEQUENTIAL, 100000);
}

TEST(property, no_random_pendulum_step_fails) {
    int done = 0;
    for (unsigned long seed = 1; done < 20000; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
        pendulum.restitution = uniform(generator, 0.0, 1.0);
        pendulum.initial_angle = uniform(generator, -0.7, 0.7);
        pendulum.initial_rate = uniform(generator, -3.0, 3.0);
        carom_model *model = NULL;
        assert_ok(carom_bouncing_pendulum_alloc(&pendulum, &model, NULL));
        carom_stepper_params params =
            scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, uniform(generator, 1e-3, 5e-2));
        params.spectral_radius = uniform(generator, 0.0, 1.0);
        carom_stepper *stepper = NULL;
        assert_ok(carom_stepper_alloc(&model->mechanism, &params, &stepper, NULL));
        assert_ok(carom_stepper_start(stepper, 0.0, model->initial_position,
                                      model->initial_velocity, NULL));
        for (int i = 0; i < 250; i++, done++) {
            carom_report report = carom_report_empty();
            const carom_status status = carom_stepper_advance(stepper, &report);
            ck_assert_msg(status == CAROM_OK, "seed %lu, step %d of %g s, e %g, rho %g: %s, %.3g",
                          seed, i, params.step, pendulum.restitution, params.spectral_radius,
                          carom_status_name(status), report.residual);
            const double *g = carom_stepper_result(stepper)->constraint;
            ck_assert_double_lt(fmax(fabs(g[0]), fabs(g[1])), 1e-11);
            ck_assert_double_ge(g[2], -1e-12);
        }
        carom_stepper_free(stepper);
        carom_model_free(model);
        gsl_rng_free(generator);
    }
}

/** Positions and velocities of two runs agree in every row. */
static void check_same_motion(const carom_trajectory *a, const carom_trajectory *b,
                              double tolerance, const char *what) {
    ck_assert_int_eq(a->row_count, b->row_count);
    ck_assert_int_eq(a->coordinate_count, b->coordinate_count);
    const int n = a->coordinate_count;
    for (int i = 0; i < a->row_count * n; i++) {
        const double position = fabs(a->position[i] - b->position[i]);
        const double velocity = fabs(a->velocity[i] - b->velocity[i]);
        ck_assert_msg(position <= tolerance * (1.0 + fabs(b->position[i])) &&
                          velocity <= tolerance * (1.0 + fabs(b->velocity[i])),
                      "%s: row %d coordinate %d differs by %.3g m, %.3g m/s", what, i / n, i % n,
                      position, velocity);
    }
}

/** The recorded active sets of two runs agree in every row. */
static void check_same_sets(const carom_trajectory *a, const carom_trajectory *b) {
    const size_t bytes = (size_t)(a->row_count * a->contact_count) * sizeof(int);
    ck_assert_int_eq(memcmp(a->position_active, b->position_active, bytes), 0);
    ck_assert_int_eq(memcmp(a->velocity_active, b->velocity_active, bytes), 0);
}

TEST(property, activation_parameter_does_not_matter) {
    static const double scale[] = {1e-6, 1e-3, 0.3, 10.0, 100.0};
    const carom_rocking_block_params block = carom_rocking_block_params_default();
    const carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
    const carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, 1e-2);
    for (int newton = 0; newton < 2; newton++) {
        params.newton = (carom_newton)newton;
        params.activation_scale = 1.0;
        run block_run = run_block(&block, &params, 1.5);
        run pendulum_run = run_pendulum(&pendulum, &params, 3.0);
        run ball_run = run_ball(&ball, &params, 3.0);
        for (int i = 0; i < 5; i++) {
            params.activation_scale = scale[i];
            run other = run_block(&block, &params, 1.5);
            // Newton tolerance 1e-10 per step, 150 contracting steps
            check_same_motion(other.trajectory, block_run.trajectory, 1e-9, "block");
            check_same_sets(other.trajectory, block_run.trajectory);
            run_clear(&other);
            other = run_pendulum(&pendulum, &params, 3.0);
            check_same_motion(other.trajectory, pendulum_run.trajectory, 1e-9, "pendulum");
            run_clear(&other);
            other = run_ball(&ball, &params, 3.0);
            check_same_motion(other.trajectory, ball_run.trajectory, 1e-12, "ball");
            run_clear(&other);
        }
        run_clear(&ball_run);
        run_clear(&pendulum_run);
        run_clear(&block_run);
    }
}

/** Whether some step of the paper's block was decided by an exact LCP. */
static bool block_uses_exact_lcp(const carom_stepper_params *params) {
    const carom_rocking_block_params block = carom_rocking_block_params_default();
    carom_model *model = NULL;
    assert_ok(carom_rocking_block_alloc(&block, &model, NULL));
    carom_stepper *stepper = NULL;
    assert_ok(carom_stepper_alloc(&model->mechanism, params, &stepper, NULL));
    assert_ok(
        carom_stepper_start(stepper, 0.0, model->initial_position, model->initial_velocity, NULL));
    bool is_used = false;
    for (int i = 0; i < 200; i++) {
        assert_ok(carom_stepper_advance(stepper, NULL));
        is_used = is_used || carom_stepper_result(stepper)->used_exact_lcp;
    }
    carom_stepper_free(stepper);
    carom_model_free(model);
    return is_used;
}

TEST(property, exact_lcp_rescues_a_cycling_active_set) {
    const carom_rocking_block_params block = carom_rocking_block_params_default();
    carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, 1e-2);
    ck_assert(!block_uses_exact_lcp(&params));
    run natural = run_block(&block, &params, 2.0);
    static const double scale[] = {300.0, 1000.0, 1e5};
    for (int newton = 0; newton < 2; newton++) {
        params.newton = (carom_newton)newton;
        for (int i = 0; i < 3; i++) {
            params.activation_scale = scale[i];
            run r = run_block(&block, &params, 2.0);
            check_same_motion(r.trajectory, natural.trajectory, 1e-9, "block");
            check_same_sets(r.trajectory, natural.trajectory);
            run_clear(&r);
        }
        params.activation_scale = 1000.0;
        ck_assert_msg(newton == CAROM_NEWTON_SEQUENTIAL || block_uses_exact_lcp(&params),
                      "the active set was expected to cycle at 1000 times the natural r");
    }
    run_clear(&natural);
}

/** Joints, several contacts and every scheme, with activation parameters that make sets cycle. */
TEST(property, activation_parameter_does_not_matter_for_random_mechanisms) {
    static const double scale[] = {1e-4, 1e4};
    for (unsigned long seed = 1; seed <= 60; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        random_shape shape = {0};
        shape.coordinates = 3 + (int)(seed % 2);
        shape.joints = 1;
        shape.contacts = shape.coordinates - 1;
        shape.is_linear = seed % 4 == 0;
        shape.has_damping = true;
        shape.closed_share = 0.7;
        shape.largest_gap = 0.02;
        random_mechanism r;
        random_mechanism_init(&r, &shape, generator);
        carom_stepper_params params =
            scheme_with_step((carom_scheme)(seed % CAROM_SCHEME_COUNT), 2.3e-3);
        params.use_linear_step = false;
        params.max_iterations = 200;
        carom_trajectory *natural = run_mechanism(&r.mechanism, &params, r.q0, r.v0, 0.05);
        for (int i = 0; i < 2; i++) {
            params.activation_scale = scale[i];
            carom_trajectory *t = run_mechanism(&r.mechanism, &params, r.q0, r.v0, 0.05);
            // Newton tolerance 1e-10 over 22 steps, times the condition of G M^-1 G'
            check_same_motion(t, natural, 1e-7, "random");
            check_same_sets(t, natural);
            carom_trajectory_free(t);
        }
        carom_trajectory_free(natural);
        gsl_rng_free(generator);
    }
}

TEST(property, a_tolerance_below_rounding_ends_at_rounding) {
    const carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
    carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, 1e-3);
    params.tolerance = 1e-13;
    run fine = run_pendulum(&pendulum, &params, 1.0);
    params.tolerance = 1e-300;
    run finest = run_pendulum(&pendulum, &params, 1.0);
    check_same_motion(finest.trajectory, fine.trajectory, 1e-10, "finest tolerance");
    run_clear(&fine);
    run_clear(&finest);
}

/** The mass of the bob alone moves the pendulum: an inertia that rounding cannot see changes
 * nothing. */
TEST(property, inertia_below_rounding_changes_nothing) {
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        if (scheme == CAROM_SCHEME_SMOOTH_GALPHA) {
            continue; // gains energy at impacts until rounding decides
        }
        const carom_stepper_params params = scheme_with_step((carom_scheme)scheme, 1e-3);
        carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
        pendulum.inertia = 1e-17;
        run light = run_pendulum(&pendulum, &params, 0.6);
        pendulum.inertia = 1e-40;
        run lighter = run_pendulum(&pendulum, &params, 0.6);
        check_same_motion(lighter.trajectory, light.trajectory, 1e-9, "light pendulum");
        run_clear(&light);
        run_clear(&lighter);
    }
}

/** Each corner of the block given three times is six contacts at two levels: too many for trying
 * all sets. With an activation parameter that makes them cycle the exact LCP alone must decide, and
 * its matrix is singular. */
TEST(property, exact_lcp_decides_where_sets_are_too_many_to_try) {
    const carom_rocking_block_params block = carom_rocking_block_params_default();
    static const int source[] = {0, 1, 0, 1, 0, 1};
    carom_model *model = NULL;
    assert_ok(carom_rocking_block_alloc(&block, &model, NULL));
    rewired_mechanism tripled;
    rewired_mechanism_init(&tripled, &model->mechanism, 0, 6, source);
    carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, 1e-2);
    carom_trajectory *natural = run_mechanism(&model->mechanism, &params, model->initial_position,
                                              model->initial_velocity, 2.0);
    params.activation_scale = 1000.0;
    carom_stepper *stepper = NULL;
    assert_ok(carom_stepper_alloc(&tripled.mechanism, &params, &stepper, NULL));
    assert_ok(
        carom_stepper_start(stepper, 0.0, model->initial_position, model->initial_velocity, NULL));
    int decided = 0;
    for (int row = 1; row < natural->row_count; row++) {
        assert_ok(carom_stepper_advance(stepper, NULL));
        const carom_step *step = carom_stepper_result(stepper);
        decided += step->used_exact_lcp ? 1 : 0;
        for (int i = 0; i < 3; i++) { // two hundred contracting steps of tolerance 1e-10
            assert_close(step->position[i], run_at(natural->position, 3, row, i), 0.0, 1e-9);
            assert_close(step->velocity[i], run_at(natural->velocity, 3, row, i), 0.0, 1e-8);
        }
    }
    ck_assert_int_gt(decided, 0);
    carom_stepper_free(stepper);
    carom_trajectory_free(natural);
    carom_model_free(model);
}

/** A run of a mechanism with other rows has the motion of the original, and the impulses of rows of
 * one origin add up to the original's. */
static void check_rewired(const carom_model *model, const carom_stepper_params *params,
                          double duration, int joints, int contacts, const int *source,
                          double tolerance) {
    rewired_mechanism other;
    rewired_mechanism_init(&other, &model->mechanism, joints, contacts, source);
    carom_trajectory *expected = run_mechanism(&model->mechanism, params, model->initial_position,
                                               model->initial_velocity, duration);
    carom_trajectory *actual = run_mechanism(&other.mechanism, params, model->initial_position,
                                             model->initial_velocity, duration);
    check_same_motion(actual, expected, tolerance, model->mechanism.name);
    for (int row = 1; row < expected->row_count; row++) {
        for (int j = 0; j < expected->contact_count; j++) {
            double sum = 0.0;
            for (int i = 0; i < contacts; i++) {
                if (source[joints + i] == model->mechanism.joint_count + j) {
                    sum += run_at(actual->contact_impulse, contacts, row, i);
                }
            }
            assert_close(sum, run_at(expected->contact_impulse, expected->contact_count, row, j),
                         0.0, 100.0 * tolerance);
        }
    }
    carom_trajectory_free(actual);
    carom_trajectory_free(expected);
}

/** Every scheme and Newton variant. */
static void check_rewired_schemes(const carom_model *model, double h, double duration, int joints,
                                  int contacts, const int *source, double tolerance) {
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        carom_stepper_params params = scheme_with_step((carom_scheme)scheme, h);
        params.tolerance = 1e-12; // index 3 divides it by the step once more
        for (int newton = 0; newton < 2; newton++) {
            params.newton = (carom_newton)newton;
            for (int linear = 0; linear < 2; linear++) {
                params.use_linear_step = linear != 0;
                check_rewired(model, &params, duration, joints, contacts, source, tolerance);
            }
        }
    }
}

TEST(property, repeated_contact_moves_as_one) {
    static const int twice[] = {0, 0};
    static const int block_rows[] = {0, 1, 1, 0};
    carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    ball.initial_height = 0.3017; // rest is reached within the run
    carom_model *model = NULL;
    assert_ok(carom_bouncing_ball_alloc(&ball, &model, NULL));
    check_rewired_schemes(model, 2.3e-3, 1.6, 0, 2, twice, 1e-10);
    carom_model_free(model);
    const carom_rocking_block_params block = carom_rocking_block_params_default();
    assert_ok(carom_rocking_block_alloc(&block, &model, NULL));
    check_rewired_schemes(model, 1e-2, 1.0, 0, 4, block_rows, 1e-10);
    carom_model_free(model);
}

TEST(property, repeated_joint_moves_as_one) {
    static const int joint_twice[] = {0, 1, 1, 2};
    static const int both_twice[] = {1, 0, 1, 0, 2, 2};
    const carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
    carom_model *model = NULL;
    assert_ok(carom_bouncing_pendulum_alloc(&pendulum, &model, NULL));
    // past the first impact at 0.49 s; every impact of the smooth scheme multiplies rounding by 100
    check_rewired_schemes(model, 5e-3, 0.65, 3, 1, joint_twice, 1e-10);
    check_rewired_schemes(model, 5e-3, 0.65, 4, 2, both_twice, 1e-10);
    carom_model_free(model);
}

TEST(property, order_of_contacts_does_not_matter) {
    static const int swapped[] = {1, 0};
    const carom_rocking_block_params block = carom_rocking_block_params_default();
    carom_model *model = NULL;
    assert_ok(carom_rocking_block_alloc(&block, &model, NULL));
    check_rewired_schemes(model, 1e-2, 1.0, 0, 2, swapped, 1e-11);
    carom_model_free(model);
    static const int shuffled[] = {3, 1, 4, 0, 2};
    carom_ball_column_params column = carom_ball_column_params_default();
    column.balls = 5;
    assert_ok(carom_ball_column_alloc(&column, &model, NULL));
    model->initial_velocity[4] = 0.91;
    check_rewired_schemes(model, 3.1e-3, 0.5, 0, 5, shuffled, 1e-11);
    carom_model_free(model);
}

/** The mirror image of the block has the mirror image of its motion, its corners swapped. */
TEST(property, mirrored_block_moves_as_the_mirror_image) {
    carom_rocking_block_params block = carom_rocking_block_params_default();
    block.initial_rate = 0.21;
    carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, 1e-2);
    run r = run_block(&block, &params, 1.5);
    block.initial_angle = -block.initial_angle;
    block.initial_rate = -block.initial_rate;
    run mirrored = run_block(&block, &params, 1.5);
    for (int row = 0; row < r.trajectory->row_count; row++) {
        assert_close(run_at(mirrored.trajectory->position, 3, row, 1),
                     run_at(r.trajectory->position, 3, row, 1), 1e-12, 0.0);
        assert_close(run_at(mirrored.trajectory->position, 3, row, 2),
                     -run_at(r.trajectory->position, 3, row, 2), 0.0, 1e-12);
        for (int j = 0; j < 2; j++) {
            assert_close(run_at(mirrored.trajectory->contact_impulse, 2, row, 1 - j),
                         run_at(r.trajectory->contact_impulse, 2, row, j), 0.0, 1e-10);
        }
    }
    run_clear(&mirrored);
    run_clear(&r);
}

/**
 * A ball dropped from rest meets the floor with k h a_g, leaves it with e k h a_g and is back at
 * g(q~) = 0 exactly after 2 e k steps when that is an integer: the tie counts as closed.
 */
TEST(property, tie_counts_as_closed) {
    static const double restitution[] = {0.5, 0.8, 1.0};
    static const int multiple[] = {2, 5, 1}; // e times this is an integer
    for (unsigned long seed = 1; seed <= 60; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        const int kind = (int)(seed % 3);
        const int k = multiple[kind] * (3 + (int)gsl_rng_uniform_int(generator, 40));
        carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
        ball.restitution = restitution[kind];
        ball.gravity = uniform(generator, 3.0, 20.0);
        ball.radius = uniform(generator, 0.05, 1.0);
        const double h = uniform(generator, 1e-3, 1e-2);
        // the k-th step ends above the floor, the next one would not
        const double unit = 0.5 * h * h * ball.gravity;
        ball.initial_height = ball.radius + unit * (k * k + uniform(generator, 0.1, 2.0 * k));
        carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, h);
        params.use_linear_step = seed % 2 == 0;
        const int flight = (int)lround(2.0 * ball.restitution * k);
        run r = run_ball(&ball, &params, h * (k + flight + 2));
        int rows[2] = {0};
        ck_assert_int_ge(run_contact_rows(r.trajectory, 0, 2, rows), 2);
        ck_assert_int_eq(rows[0], k + 1);
        ck_assert_msg(rows[1] == k + 1 + flight, "seed %lu: second contact after %d steps, not %d",
                      seed, rows[1] - rows[0], flight);
        run_clear(&r);
        gsl_rng_free(generator);
    }
}

TEST(property, change_of_units_does_not_matter) {
    const double mass = 2.71;
    const double length = 1.83;
    const double time = 0.59;
    const carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
    carom_bouncing_pendulum_params scaled = pendulum;
    scaled.mass *= mass;
    scaled.inertia *= mass * length * length;
    scaled.length *= length;
    scaled.gravity *= length / (time * time);
    scaled.initial_rate /= time;
    scaled.wall_position *= length;
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        const carom_stepper_params params = scheme_with_step((carom_scheme)scheme, 4e-3);
        carom_stepper_params scaled_params = params;
        scaled_params.step *= time;
        run r = run_pendulum(&pendulum, &params, 1.6);
        run s = run_pendulum(&scaled, &scaled_params, 1.6 * time);
        for (int row = 0; row < r.trajectory->row_count; row++) {
            assert_close(run_at(s.trajectory->position, 3, row, 0) / length,
                         run_at(r.trajectory->position, 3, row, 0), 0.0, 1e-8);
            assert_close(run_at(s.trajectory->velocity, 3, row, 2) * time,
                         run_at(r.trajectory->velocity, 3, row, 2), 0.0, 1e-8);
            assert_close(s.trajectory->contact_impulse[row] * time / (mass * length),
                         r.trajectory->contact_impulse[row], 0.0, 1e-8);
            ck_assert_int_eq(s.trajectory->velocity_active[row],
                             r.trajectory->velocity_active[row]);
        }
        run_clear(&s);
        run_clear(&r);
    }
}

/** The exact linear step against Newton, every scheme. */
static void check_linear_step(const carom_mechanism *mechanism, const double *q0, const double *v0,
                              double h, int steps, double tolerance) {
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        if (scheme == CAROM_SCHEME_MODIFIED_LCP && mechanism->stiffness != NULL) {
            continue; // may have no solution: see independent.c
        }
        carom_stepper_params params = scheme_with_step((carom_scheme)scheme, h);
        params.use_linear_step = true;
        carom_trajectory *linear = run_mechanism(mechanism, &params, q0, v0, steps * h);
        params.use_linear_step = false;
        carom_trajectory *newton = run_mechanism(mechanism, &params, q0, v0, steps * h);
        check_same_motion(linear, newton, tolerance, mechanism->name);
        const double scale =
            run_maximum(newton->contact_impulse, newton->row_count * newton->contact_count) +
            h * run_maximum(newton->contact_force, newton->row_count * newton->contact_count);
        for (int i = 0; i < newton->row_count * newton->contact_count; i++) {
            const double bound = 10.0 * tolerance * (1.0 + scale);
            assert_close(linear->contact_impulse[i], newton->contact_impulse[i], 0.0, bound);
            assert_close(h * linear->contact_force[i], h * newton->contact_force[i], 0.0, bound);
            assert_close(linear->contact_position_multiplier[i] / h,
                         newton->contact_position_multiplier[i] / h, 0.0, bound);
        }
        carom_trajectory_free(newton);
        carom_trajectory_free(linear);
    }
}

TEST(property, linear_step_is_the_newton_step_for_ball_and_bar) {
    const carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    carom_model *model = NULL;
    assert_ok(carom_bouncing_ball_alloc(&ball, &model, NULL));
    check_linear_step(&model->mechanism, model->initial_position, model->initial_velocity, 2.3e-3,
                      1500, 1e-12);
    carom_model_free(model);
    carom_elastic_bar_params bar = carom_elastic_bar_params_default();
    bar.elements = 20;
    bar.initial_gap = 0.513;
    for (int lumped = 0; lumped < 2; lumped++) {
        bar.mass_matrix = lumped ? CAROM_ELASTIC_BAR_LUMPED : CAROM_ELASTIC_BAR_CONSISTENT;
        assert_ok(carom_elastic_bar_alloc(&bar, &model, NULL));
        check_linear_step(&model->mechanism, model->initial_position, model->initial_velocity, 2e-2,
                          60, 1e-12);
        carom_model_free(model);
    }
}

TEST(property, linear_step_is_the_newton_step_for_random_systems) {
    for (unsigned long seed = 1; seed <= 60; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        random_shape shape = {0};
        shape.coordinates = 1 + (int)(seed % 4);
        shape.joints = (int)gsl_rng_uniform_int(generator, (unsigned long)shape.coordinates);
        shape.contacts = shape.coordinates - shape.joints;
        shape.is_linear = true;
        shape.is_banded = seed % 2 == 0;
        shape.has_damping = seed % 3 == 0;
        shape.closed_share = 0.3;
        shape.largest_gap = 0.05;
        random_mechanism r;
        random_mechanism_init(&r, &shape, generator);
        // 40 steps amplify rounding by the condition of M and of G M^-1 G'
        check_linear_step(&r.mechanism, r.q0, r.v0, uniform(generator, 1e-3, 1e-2), 40, 1e-11);
        gsl_rng_free(generator);
    }
}

TEST(property, column_of_balls_stays_put) {
    static const int balls[] = {2, 10, 128};
    for (int i = 0; i < 3; i++) {
        carom_ball_column_params column = carom_ball_column_params_default();
        column.balls = balls[i];
        carom_model *model = NULL;
        assert_ok(carom_ball_column_alloc(&column, &model, NULL));
        for (int linear = 0; linear < 2; linear++) {
            if (linear == 0 && balls[i] > 10) {
                continue; // full Newton matrices of 640 rows: minutes
            }
            carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, 2e-3);
            params.use_linear_step = linear != 0;
            carom_stepper *stepper = NULL;
            assert_ok(carom_stepper_alloc(&model->mechanism, &params, &stepper, NULL));
            assert_ok(carom_stepper_start(stepper, 0.0, model->initial_position,
                                          model->initial_velocity, NULL));
            const double weight = column.mass * column.gravity;
            for (int step = 0; step < 1000; step++) {
                assert_ok(carom_stepper_advance(stepper, NULL));
                const carom_step *result = carom_stepper_result(stepper);
                for (int j = 0; j < balls[i]; j++) {
                    ck_assert_double_le(fabs(result->velocity[j]), 1e-12);
                    ck_assert_double_le(fabs(result->position[j]), 1e-12);
                    // contact j carries the balls j .. N-1
                    assert_close(result->impulse[j], params.step * weight * (balls[i] - j), 1e-10,
                                 1e-12);
                }
            }
            carom_stepper_free(stepper);
        }
        carom_model_free(model);
    }
}

/** A ball and a massless marker z = 2 y - 0.3 tied to it, which makes the contact. */
static void marker_mass(const double *q, double *M, void *context) {
    (void)q;
    M[0] = *(const double *)context;
    M[1] = 0.0;
    M[2] = 0.0;
    M[3] = 0.0;
}

static void marker_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)q;
    (void)v;
    f[0] = -10.0 * *(const double *)context;
    f[1] = 0.0;
}

static double marker_energy(const double *q, void *context) {
    return 10.0 * *(const double *)context * q[0];
}

static void marker_constraints(const double *q, double *g, void *context) {
    (void)context;
    g[0] = q[1] - 2.0 * q[0] + 0.3;
    g[1] = q[1];
}

static void marker_jacobian(const double *q, double *G, void *context) {
    (void)q;
    (void)context;
    G[0] = -2.0;
    G[1] = 1.0;
    G[2] = 0.0;
    G[3] = 1.0;
}

TEST(property, massless_coordinate_tied_by_a_joint_is_admissible) {
    double mass = 1.7;
    const double restitution = 0.6;
    carom_mechanism mechanism = {0};
    mechanism.name = "marker";
    mechanism.coordinate_count = 2;
    mechanism.joint_count = 1;
    mechanism.contact_count = 1;
    mechanism.layout = carom_layout_full(2);
    mechanism.is_linear = true;
    mechanism.position_units = "m";
    mechanism.velocity_units = "m s-1";
    mechanism.restitution = &restitution;
    mechanism.mass = marker_mass;
    mechanism.force = marker_force;
    mechanism.potential_energy = marker_energy;
    mechanism.constraints = marker_constraints;
    mechanism.constraint_jacobian = marker_jacobian;
    mechanism.context = &mass;
    // the same motion as a ball of radius 0.15 m
    carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    ball.mass = mass;
    ball.radius = 0.15;
    ball.initial_height = 0.6173;
    ball.restitution = restitution;
    carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, 2.1e-3);
    run expected = run_ball(&ball, &params, 2.0);
    const double q0[2] = {ball.initial_height, 2.0 * ball.initial_height - 0.3};
    const double v0[2] = {0.0, 0.0};
    for (int linear = 0; linear < 2; linear++) {
        params.use_linear_step = linear != 0;
        carom_trajectory *t = run_mechanism(&mechanism, &params, q0, v0, 2.0);
        for (int row = 0; row < t->row_count; row++) {
            assert_close(run_at(t->position, 2, row, 0), expected.trajectory->position[row], 0.0,
                         1e-10);
            assert_close(run_at(t->velocity, 2, row, 0), expected.trajectory->velocity[row], 0.0,
                         1e-9);
            // the marker moves twice as fast, so that half the impulse does the same work
            assert_close(2.0 * t->contact_impulse[row], expected.trajectory->contact_impulse[row],
                         0.0, 1e-9);
        }
        carom_trajectory_free(t);
    }
    run_clear(&expected);
}

/** The stepper holds no state outside itself: two in turn give what each gives alone, bit by bit.
 */
TEST(property, interleaved_steppers_do_not_disturb_each_other) {
    const carom_rocking_block_params block = carom_rocking_block_params_default();
    const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, 1e-2);
    run alone = run_block(&block, &params, 1.0);
    carom_stepper *steppers[2] = {NULL, NULL};
    for (int k = 0; k < 2; k++) {
        assert_ok(carom_stepper_alloc(&alone.model->mechanism, &params, &steppers[k], NULL));
        assert_ok(carom_stepper_start(steppers[k], 0.0, alone.model->initial_position,
                                      alone.model->initial_velocity, NULL));
    }
    for (int row = 1; row < alone.trajectory->row_count; row++) {
        for (int k = 0; k < 2; k++) {
            assert_ok(carom_stepper_advance(steppers[k], NULL));
            const double *q = carom_stepper_result(steppers[k])->position;
            for (int i = 0; i < 3; i++) {
                assert_close(q[i], run_at(alone.trajectory->position, 3, row, i), 0.0, 0.0);
            }
        }
    }
    carom_stepper_free(steppers[0]);
    carom_stepper_free(steppers[1]);
    run_clear(&alone);
}
