/** After every step of every scheme: all the defining equations, recomputed from the public record
 * (bruls-2014 (29)-(30), (25)-(27), (50), (51)). */
#include <carom/base/scales.h>
#include <carom/models/ball_column.h>
#include <carom/models/bouncing_ball.h>
#include <carom/models/bouncing_pendulum.h>
#include <carom/models/elastic_bar.h>
#include <carom/models/rocking_block.h>

#include "random_mechanism.h"
#include "runs.h"
#include "step_algebra.h"

#include <float.h>

// Rounding of a sum of terms, relative to the sum of their absolute values: a step is a few hundred
// operations, and increments are summed over the Newton iterations.
static const double ROUNDING = 1e-12;

// A solve of up to 13 rows spreads some roundings of each to all.
static const double SPREAD = 8.0 * 13.0 * DBL_EPSILON;

// Where all terms of a step vanish but those of an intermediate iteration did not.
static const double ROUNDING_OF_ZERO = 1e-15;

/** A step under inspection. */
typedef struct inspection {
    const carom_mechanism *mechanism;
    const carom_stepper_params *params;
    const step_state *old;
    const carom_step *step;
    step_coefficients c;
    int n;
    int n_b;
    int m;
    step_mechanics now;
    step_mechanics before;
    double momentum[STEP_MAX_COORDINATES]; /**< what the step does to it */
    double rate[STEP_MAX_CONSTRAINTS];     /**< the same of G v */
    double spread; /**< largest momentum, h |K| |q| included: a solve spreads its rounding */
} inspection;

static bool is_ggl(const inspection *s) {
    return s->params->scheme == CAROM_SCHEME_NONSMOOTH_GALPHA ||
           s->params->scheme == CAROM_SCHEME_MODIFIED_LCP;
}

/** |x| <= tolerance, or fail naming the equation. */
static void expect_zero(const inspection *s, const char *equation, int row, double x,
                        double tolerance) {
    ck_assert_msg(fabs(x) <= tolerance + ROUNDING_OF_ZERO,
                  "%s, %s: %s row %d at t = %g is %.3g > %.3g", s->mechanism->name,
                  carom_scheme_name(s->params->scheme), equation, row, s->step->time, x, tolerance);
}

static double largest_mass(const inspection *s) {
    double mass = 0.0;
    for (int i = 0; i < s->n; i++) {
        mass = fmax(mass, s->now.M[i * s->n + i]);
    }
    return mass;
}

/** What the step does to each momentum, and to each speed: what its tolerance is a part of. */
static void measure_step(inspection *s) {
    const double h = s->params->step;
    const carom_step *step = s->step;
    for (int i = 0; i < s->n; i++) {
        s->momentum[i] = h * fabs(s->now.f[i]);
        for (int k = 0; k < s->n; k++) {
            s->momentum[i] +=
                fabs(s->now.M[i * s->n + k]) *
                (h * fabs(step->smooth_acceleration[k]) + fabs(step->velocity_jump[k]) +
                 fabs(step->position_correction[k]) / h);
        }
        for (int j = 0; j < s->m; j++) {
            s->momentum[i] +=
                fabs(s->now.G[j * s->n + i]) * (h * fabs(step->force[j]) + fabs(step->impulse[j]) +
                                                fabs(step->position_multiplier[j]) / h);
        }
    }
    s->spread = 0.0;
    if (s->mechanism->stiffness != NULL) {
        double K[STEP_MAX_COORDINATES * STEP_MAX_COORDINATES];
        s->mechanism->stiffness(step->time, step->position, step->velocity, K,
                                s->mechanism->context);
        double terms[STEP_MAX_COORDINATES] = {0.0};
        carom_scale_add_layout(s->mechanism->layout, h, K, step->position, terms);
        for (int i = 0; i < s->n; i++) {
            s->spread = fmax(s->spread, terms[i] + s->momentum[i]);
        }
    }
    for (int j = 0; j < s->m; j++) {
        s->rate[j] = 0.0;
        for (int i = 0; i < s->n; i++) {
            const double speed =
                h * fabs(step->smooth_acceleration[i]) + fabs(step->velocity_jump[i]) +
                s->momentum[i] / s->now.M[i * s->n + i] + fabs(step->position_correction[i]) / h;
            s->rate[j] += fabs(s->now.G[j * s->n + i]) * speed;
        }
    }
}

/** scale (M x - force - sum over rows [0, rows) of G' multiplier) = 0 within the tolerance. */
static void check_momentum(const inspection *s, const char *equation, double scale, const double *x,
                           const double *force, int rows, const double *multiplier) {
    for (int i = 0; i < s->n; i++) {
        double sum = 0.0;
        double size = 0.0;
        for (int j = 0; j < s->n; j++) {
            sum += s->now.M[i * s->n + j] * x[j];
            size += fabs(s->now.M[i * s->n + j] * x[j]);
        }
        if (force != NULL) {
            sum -= force[i];
            size += fabs(force[i]);
        }
        for (int j = 0; j < rows; j++) {
            sum -= s->now.G[j * s->n + i] * multiplier[j];
            size += fabs(s->now.G[j * s->n + i] * multiplier[j]);
        }
        expect_zero(s, equation, i, scale * sum,
                    s->params->tolerance * s->momentum[i] + ROUNDING * fabs(scale) * size +
                        SPREAD * s->spread);
    }
}

/** (30) or (50d-f). */
static void check_difference_formulae(const inspection *s) {
    const double h = s->params->step;
    const double theta = step_theta(s->params);
    const step_coefficients c = s->c;
    const carom_step *step = s->step;
    for (int i = 0; i < s->n; i++) {
        const double q_n = s->old->position[i];
        const double v_n = s->old->velocity[i];
        const double vdot_n = s->old->smooth_acceleration[i];
        const double a_n = s->old->pseudo_acceleration[i];
        const double a = step->pseudo_acceleration[i];
        const double vdot = step->smooth_acceleration[i];
        const double W = step->velocity_jump[i];
        const double U = step->position_correction[i];
        double smooth_v = v_n + h * (1.0 - c.gamma) * a_n + h * c.gamma * a;
        double q = q_n + h * v_n + h * h * (0.5 - c.beta) * a_n + h * h * c.beta * a;
        double recursion =
            (1.0 - c.alpha_m) * a + c.alpha_m * a_n - (1.0 - c.alpha_f) * vdot - c.alpha_f * vdot_n;
        switch (s->params->scheme) {
        case CAROM_SCHEME_NONSMOOTH_GALPHA:
        case CAROM_SCHEME_MODIFIED_LCP:
            q += U;
            break;
        case CAROM_SCHEME_VELOCITY_GALPHA:
            q += STEP_JUMP_FACTOR * h * W;
            break;
        case CAROM_SCHEME_MOREAU_JEAN:
            smooth_v = v_n + h * (1.0 - theta) * vdot_n + h * theta * vdot;
            q = q_n + h * (1.0 - theta) * v_n + h * theta * (smooth_v + W);
            recursion = 0.0;
            break;
        default:
            break;
        }
        const double accelerations = fabs(a) + fabs(a_n) + fabs(vdot) + fabs(vdot_n);
        const double velocities = fabs(v_n) + fabs(step->velocity[i]) + fabs(W) + h * accelerations;
        const double positions = fabs(q_n) + fabs(step->position[i]) + fabs(U) + h * velocities;
        expect_zero(s, "(30a,b)", i, step->position[i] - q, ROUNDING * positions);
        expect_zero(s, "(30c,d)", i, step->velocity[i] - smooth_v - W, ROUNDING * velocities);
        expect_zero(s, "(30e)", i, recursion, ROUNDING * (accelerations + velocities / h));
        if (s->params->scheme != CAROM_SCHEME_SMOOTH_GALPHA) {
            expect_zero(s, "v~", i, step->smooth_velocity[i] - smooth_v, ROUNDING * velocities);
        }
    }
}

/** (29a), (29c), (29f), (50a,b), (51a). */
static void check_equilibrium(const inspection *s) {
    const double h = s->params->step;
    const carom_step *step = s->step;
    int smooth_rows = 0;
    if (is_ggl(s)) {
        smooth_rows = s->n_b;
        check_momentum(s, "(29c)", 1.0 / h, step->position_correction, NULL, s->m,
                       step->position_multiplier);
    } else if (s->params->scheme == CAROM_SCHEME_SMOOTH_GALPHA) {
        smooth_rows = s->m;
    }
    check_momentum(s, "(29a)", h, step->smooth_acceleration, s->now.f, smooth_rows, step->force);
    if (s->params->scheme != CAROM_SCHEME_SMOOTH_GALPHA) {
        check_momentum(s, "(29f)", 1.0, step->velocity_jump, NULL, s->m, step->impulse);
    }
}

/** The record's g(q) and G v, and (29b,d,g) for the joints. */
static void check_joints(const inspection *s) {
    const double h = s->params->step;
    const carom_step *step = s->step;
    for (int j = 0; j < s->m; j++) {
        const double tolerance = s->params->tolerance * s->rate[j];
        const double *G = &s->now.G[j * s->n];
        const double rate = step_dot(s->n, G, step->velocity);
        expect_zero(s, "record of g", j, step->constraint[j] - s->now.g[j],
                    ROUNDING * (1.0 + fabs(s->now.g[j])));
        expect_zero(s, "record of G v", j, step->constraint_rate[j] - rate,
                    ROUNDING * (1.0 + fabs(rate)));
        if (j >= s->n_b) {
            continue;
        }
        const double rounding = ROUNDING * (1.0 + fabs(step->velocity[0]));
        if (is_ggl(s) || s->params->scheme == CAROM_SCHEME_SMOOTH_GALPHA) {
            expect_zero(s, "(29d)", j, s->now.g[j] / h, tolerance + ROUNDING / h);
        }
        if (is_ggl(s)) {
            expect_zero(s, "(29b)", j, step_dot(s->n, G, step->smooth_velocity),
                        tolerance + rounding);
        }
        if (s->params->scheme != CAROM_SCHEME_SMOOTH_GALPHA) {
            expect_zero(s, "(29g)", j, rate, tolerance + rounding);
        }
    }
}

/** (29e), (25) or (51c): the position level of contact j. */
static void check_position_level(const inspection *s, int j) {
    const double h = s->params->step;
    const double tolerance = s->params->tolerance * s->rate[j];
    const carom_step *step = s->step;
    double multiplier = step->position_multiplier[j] / h;
    if (s->params->scheme == CAROM_SCHEME_MODIFIED_LCP) {
        multiplier -= step->impulse[j];
    } else if (s->params->scheme == CAROM_SCHEME_SMOOTH_GALPHA) {
        multiplier = h * step->force[j];
    }
    const double inertia = largest_mass(s); // of what a contact moves, at least
    const double scale = ROUNDING / h;      // rounding of g, whose terms are of the order of 1 m
    if (step->position_active[j]) {
        expect_zero(s, "active gap", j, s->now.g[j] / h, tolerance + scale);
        ck_assert_msg(multiplier >= -inertia * (tolerance + scale), "multiplier %d is %.3g", j,
                      multiplier);
    } else {
        // a gap closed by its neighbours may be inactive: zero to some roundings of what moves it
        double motion = 0.0;
        for (int i = 0; i < s->n; i++) {
            const double moved = fabs(step->position[i]) + h * fabs(s->old->velocity[i]) +
                                 h * h * fabs(step->smooth_acceleration[i]);
            motion = fmax(motion, moved);
        }
        ck_assert_msg(s->now.g[j] >= -16.0 * DBL_EPSILON * motion, "gap %d is %.3g", j,
                      s->now.g[j]);
        expect_zero(s, "inactive multiplier", j, multiplier, inertia * tolerance);
    }
}

/** (29h) or (50c): the velocity level of contact j. */
static void check_velocity_level(const inspection *s, int j) {
    const double h = s->params->step;
    const double rounding = ROUNDING * 10.0; // rates of the order of 10 m/s
    const double tolerance = s->params->tolerance * s->rate[j] + rounding;
    const carom_step *step = s->step;
    // gap at q*: q - U, or the explicit predictor
    const double factor = h * step_predictor_factor(s->params);
    double predicted[STEP_MAX_COORDINATES];
    double g[STEP_MAX_CONSTRAINTS];
    for (int i = 0; i < s->n; i++) {
        predicted[i] = is_ggl(s) ? step->position[i] - step->position_correction[i]
                                 : s->old->position[i] + factor * s->old->velocity[i];
    }
    s->mechanism->constraints(predicted, g, s->mechanism->context);
    const double e = s->mechanism->restitution[j - s->n_b];
    const double old_rate = step_dot(s->n, &s->before.G[j * s->n], s->old->velocity);
    const double law = step_dot(s->n, &s->now.G[j * s->n], step->velocity) + e * old_rate;
    double tie = 0.0;
    for (int i = 0; i < s->n; i++) {
        const double size = fabs(s->old->position[i]) + h * fabs(s->old->velocity[i]);
        tie += s->params->tie_tolerance * fabs(s->before.G[j * s->n + i]) * size;
    }
    if (step->velocity_active[j]) {
        ck_assert_msg(g[j] <= tie + 1e-14, "contact %d acts at gap %.3g", j, g[j]);
        expect_zero(s, "impact law", j, law, tolerance);
        ck_assert_msg(step->impulse[j] >= -largest_mass(s) * tolerance, "impulse %d is %.3g", j,
                      step->impulse[j]);
    } else {
        expect_zero(s, "inactive impulse", j, step->impulse[j], 0.0);
        ck_assert_msg(g[j] > tie - 1e-14 || law >= -tolerance,
                      "contact %d at gap %.3g is inactive although its law is %.3g", j, g[j], law);
    }
}

/** What a scheme does not have is zero. */
static void check_absent(const inspection *s) {
    const carom_step *step = s->step;
    for (int j = 0; j < s->m; j++) {
        const bool has_force =
            s->params->scheme == CAROM_SCHEME_SMOOTH_GALPHA || (is_ggl(s) && j < s->n_b);
        expect_zero(s, "absent force", j, has_force ? 0.0 : step->force[j], 0.0);
        expect_zero(s, "absent nu", j, is_ggl(s) ? 0.0 : step->position_multiplier[j], 0.0);
        if (s->params->scheme == CAROM_SCHEME_SMOOTH_GALPHA) {
            expect_zero(s, "absent impulse", j, step->impulse[j], 0.0);
        }
    }
}

static void check_step(const carom_mechanism *mechanism, const carom_stepper_params *params,
                       const step_state *old, const carom_step *step) {
    inspection s = {.mechanism = mechanism, .params = params, .old = old, .step = step};
    s.c = step_coefficients_of(params->spectral_radius);
    s.n = mechanism->coordinate_count;
    s.n_b = mechanism->joint_count;
    s.m = step_row_count(mechanism);
    step_evaluate(mechanism, step->time, step->position, step->velocity, &s.now);
    step_evaluate(mechanism, old->time, old->position, old->velocity, &s.before);
    measure_step(&s);
    assert_close(step->time, old->time + params->step, 1e-14, 1e-14); // one addition
    check_difference_formulae(&s);
    check_equilibrium(&s);
    check_joints(&s);
    check_absent(&s);
    for (int j = s.n_b; j < s.m; j++) {
        if (is_ggl(&s) || params->scheme == CAROM_SCHEME_SMOOTH_GALPHA) {
            check_position_level(&s, j);
        }
        if (params->scheme != CAROM_SCHEME_SMOOTH_GALPHA) {
            check_velocity_level(&s, j);
        }
    }
    ck_assert_double_lt(step->smooth_residual, params->tolerance);
    ck_assert_double_lt(step->position_residual, params->tolerance);
    ck_assert_double_lt(step->velocity_residual, params->tolerance);
    ck_assert_int_ge(step->iterations, 0);
}

static void check_run(const carom_mechanism *mechanism, const carom_stepper_params *params,
                      const double *q0, const double *v0, int steps) {
    carom_stepper *stepper = NULL;
    carom_report report = carom_report_empty();
    const carom_mechanism taken = taken_by(params->scheme, mechanism);
    assert_ok(carom_stepper_alloc(&taken, params, &stepper, &report));
    assert_ok(carom_stepper_start(stepper, 0.0, q0, v0, &report));
    for (int i = 0; i < steps; i++) {
        const step_state old = step_state_of(mechanism, carom_stepper_result(stepper));
        const carom_status status = carom_stepper_advance(stepper, &report);
        ck_assert_msg(status == CAROM_OK, "%s, %s: %s at step %d, residual %.3g", mechanism->name,
                      carom_scheme_name(params->scheme), carom_status_name(status), i,
                      report.residual);
        check_step(mechanism, params, &old, carom_stepper_result(stepper));
    }
    carom_stepper_free(stepper);
}

/** Every scheme, Newton variant, predictor and kind of step on one model. */
static void check_all_schemes(const carom_model *model, double h, int steps) {
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        carom_stepper_params params = carom_stepper_params_default((carom_scheme)scheme);
        params.step = h;
        params.max_iterations = 200;
        for (int variant = 0; variant < 6; variant++) {
            params.newton = variant % 2 == 0 ? CAROM_NEWTON_MONOLITHIC : CAROM_NEWTON_SEQUENTIAL;
            params.predictor = (carom_predictor)(variant / 2);
            params.use_linear_step = variant < 3;
            params.spectral_radius = variant == 5 ? 0.37 : 0.8;
            check_run(&model->mechanism, &params, model->initial_position, model->initial_velocity,
                      steps);
        }
    }
}

TEST(property, ball_steps_satisfy_their_equations) {
    carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    ball.initial_height = 0.4173; // several impacts and rest within 500 steps
    ball.restitution = 0.63;
    ball.mass = 1.37;
    carom_model *model = NULL;
    assert_ok(carom_bouncing_ball_alloc(&ball, &model, NULL));
    check_all_schemes(model, 2.3e-3, 500);
    carom_model_free(model);
}

TEST(property, pendulum_steps_satisfy_their_equations) {
    carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
    pendulum.restitution = 0.43;
    carom_model *model = NULL;
    assert_ok(carom_bouncing_pendulum_alloc(&pendulum, &model, NULL));
    check_all_schemes(model, 5.1e-3, 250); // the smooth scheme gains energy: see independent.c
    carom_model_free(model);
}

TEST(property, block_steps_satisfy_their_equations) {
    carom_rocking_block_params block = carom_rocking_block_params_default();
    block.initial_rate = -0.31;
    carom_model *model = NULL;
    assert_ok(carom_rocking_block_alloc(&block, &model, NULL));
    check_all_schemes(model, 4.7e-3, 250);
    carom_model_free(model);
}

TEST(property, bar_steps_satisfy_their_equations) {
    carom_elastic_bar_params bar = carom_elastic_bar_params_default();
    bar.elements = 12;
    bar.initial_gap = 0.0713;
    bar.restitution = 0.21;
    for (int lumped = 0; lumped < 2; lumped++) {
        bar.mass_matrix = lumped ? CAROM_ELASTIC_BAR_LUMPED : CAROM_ELASTIC_BAR_CONSISTENT;
        carom_model *model = NULL;
        assert_ok(carom_elastic_bar_alloc(&bar, &model, NULL));
        check_all_schemes(model, 7.3e-3, 60);
        carom_model_free(model);
    }
}

TEST(property, column_steps_satisfy_their_equations) {
    carom_ball_column_params column = carom_ball_column_params_default();
    column.balls = 5;
    carom_model *model = NULL;
    assert_ok(carom_ball_column_alloc(&column, &model, NULL));
    model->initial_velocity[4] = 1.31; // the top ball jumps and comes back on the others
    check_all_schemes(model, 2.9e-3, 150);
    carom_model_free(model);
}

TEST(property, random_mechanism_steps_satisfy_their_equations) {
    for (unsigned long seed = 1; seed <= 150; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        random_shape shape = {0};
        shape.coordinates = 1 + (int)(seed % 4);
        shape.joints = (int)gsl_rng_uniform_int(generator, (unsigned long)shape.coordinates);
        shape.contacts = shape.coordinates - shape.joints;
        shape.is_linear = seed % 5 == 0;
        shape.is_banded = seed % 3 == 0;
        shape.has_damping = seed % 2 == 0;
        shape.closed_share = 0.3;
        shape.largest_gap = 0.05;
        random_mechanism r;
        random_mechanism_init(&r, &shape, generator);
        carom_stepper_params params =
            carom_stepper_params_default((carom_scheme)(seed % CAROM_SCHEME_COUNT));
        params.step = uniform(generator, 1e-3, 6e-3);
        params.spectral_radius = uniform(generator, 0.2, 1.0);
        params.newton = seed % 7 < 3 ? CAROM_NEWTON_SEQUENTIAL : CAROM_NEWTON_MONOLITHIC;
        params.max_iterations = 200;
        params.predictor = (carom_predictor)(seed % 3);
        check_run(&r.mechanism, &params, r.q0, r.v0, 25);
        gsl_rng_free(generator);
    }
}
