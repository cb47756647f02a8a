/* carom/timestepping/engine/error_reduction.h: closed forms of single balls and of Newton's cradle
 * (the reference values behind seghete-2014 figure 2b), and the equations of a step on a mechanism
 * with M(q) and G(q), evaluated here. */
#include <carom/models/ball_chain.h>
#include <carom/models/ball_column.h>
#include <carom/models/bouncing_ball.h>
#include <carom/timestepping/engine/error_reduction.h>

#include "../../failing_malloc.h"
#include "../../support.h"

#include <carom/base/random.h>

#include <float.h>
#include <string.h>

static const unsigned long SEED = 20140916;

/* Rounding of a few hundred operations on numbers of order one. */
static const double ROUNDING = 1e-13;

static double drawn(int sample, int dimension, double low, double high) {
    return low + (high - low) *
                     carom_counter_uniform(SEED, (unsigned long)sample, (unsigned long)dimension);
}

/* A stepper at the initial state of a model. */
static carom_error_reduction_stepper *started(const carom_model *model,
                                              const carom_error_reduction_params *params) {
    carom_error_reduction_stepper *stepper = NULL;
    assert_ok(carom_error_reduction_stepper_alloc(&model->mechanism, params, &stepper, NULL));
    assert_ok(carom_error_reduction_stepper_start(stepper, 0.0, model->initial_position,
                                                  model->initial_velocity, NULL));
    return stepper;
}

static void advance(carom_error_reduction_stepper *stepper, int steps) {
    for (int k = 0; k < steps; k++) {
        assert_ok(carom_error_reduction_stepper_advance(stepper, NULL));
    }
}

/* ------------------------------------------------------------------------------ cradle, figure 2b
 */

/* Equal balls of 2.385 kg, B and C touching, A coming with v from a distance. */
static carom_model *cradle(double v, double distance, double restitution) {
    const double masses[3] = {2.385, 2.385, 2.385};
    const double radii[3] = {0.05, 0.05, 0.05};
    const double velocities[3] = {v, 0.0, 0.0};
    const double gaps[2] = {distance, 0.0};
    const carom_ball_chain_params params = {3, masses, radii, velocities, gaps, restitution};
    carom_model *model = NULL;
    assert_ok(carom_ball_chain_alloc(&params, &model, NULL));
    return model;
}

/* A has come f v h too far when it is found after `late` steps: then v_A = (1 - 2 s) v/3 and v_B =
 * v_C = (1 + s) v/3 with s = e + erp f. */
static void check_cradle(double v, double h, double e, double f, double erp,
                         carom_error_reduction_solver solver, double tolerance) {
    const int late = 4;
    carom_model *model = cradle(v, (late - f) * v * h, e);
    carom_error_reduction_params params = carom_error_reduction_params_default();
    params.step = h;
    params.error_reduction = erp;
    params.solver = solver;
    carom_error_reduction_stepper *stepper = started(model, &params);
    const carom_error_reduction_result *now = carom_error_reduction_stepper_result(stepper);
    const double before = now->kinetic_energy;
    advance(stepper, late);
    assert_close(now->velocity[0], v, 0.0, 0.0);
    assert_close(now->gap[0], -f * v * h, 0.0, ROUNDING);
    // The next step finds it; two more change nothing.
    advance(stepper, 3);
    const double s = e + erp * f;
    assert_close(now->velocity[0], (1.0 - 2.0 * s) * v / 3.0, 0.0, tolerance * v);
    assert_close(now->velocity[1], (1.0 + s) * v / 3.0, 0.0, tolerance * v);
    assert_close(now->velocity[2], (1.0 + s) * v / 3.0, 0.0, tolerance * v);
    assert_close(now->kinetic_energy / before - 1.0, 2.0 / 3.0 * (s * s - 1.0), 0.0,
                 4.0 * tolerance);
    carom_error_reduction_stepper_free(stepper);
    carom_model_free(model);
}

TEST(unit, cradle_ends_with_the_reduced_error_in_its_velocity) {
    const double restitutions[3] = {1.0, 0.7, 0.0};
    const double lates[4] = {0.0007, 0.31, 0.6180339887, 0.9993};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            check_cradle(1.37, 0.013, restitutions[i], lates[j], 0.2, CAROM_ERROR_REDUCTION_EXACT,
                         1e-12);
        }
    }
    check_cradle(0.41, 0.013, 0.9, 0.77, 0.35, CAROM_ERROR_REDUCTION_EXACT, 1e-12);
    check_cradle(0.41, 0.013, 0.9, 0.77, 0.0, CAROM_ERROR_REDUCTION_EXACT, 1e-12);
}

/* The error of ten sweeps is 4^-10 of the closed form's impulses: below 4e-6. */
TEST(unit, ten_sweeps_are_close_to_the_closed_form) {
    for (int i = 0; i < 3; i++) {
        check_cradle(1.37, 0.013, 0.5 * i, 0.83, 0.2, CAROM_ERROR_REDUCTION_SWEEPS, 4e-6);
    }
}

/* Reference values of the figure: gains in [0, 0.2933], [-0.34, -0.1267], [-0.6667, -0.64]. */
TEST(unit, bands_of_the_figure_end_where_they_should) {
    const double restitutions[3] = {1.0, 0.7, 0.0};
    const double low[3] = {0.0, -0.34, -0.6667};
    const double high[3] = {0.2933, -0.1267, -0.64};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 2; k++) {
            const double f = k == 0 ? 1e-6 : 1.0 - 1e-6;
            carom_model *model = cradle(1.0, (1.0 - f) / 60.0, restitutions[i]);
            const carom_error_reduction_params params = carom_error_reduction_params_default();
            carom_error_reduction_stepper *stepper = started(model, &params);
            const carom_error_reduction_result *now = carom_error_reduction_stepper_result(stepper);
            const double before = now->kinetic_energy;
            advance(stepper, 5);
            // Half a unit of the last digit, and 1e-5 of the sweeps.
            assert_close(now->kinetic_energy / before - 1.0, k == 0 ? low[i] : high[i], 0.0, 6e-5);
            carom_error_reduction_stepper_free(stepper);
            carom_model_free(model);
        }
    }
}

TEST(unit, outcome_does_not_depend_on_the_step) {
    for (int k = 0; k < 4; k++) {
        const double h = pow(10.0, -k) / 60.0;
        check_cradle(0.83, h, 1.0, 0.5, 0.2, CAROM_ERROR_REDUCTION_EXACT, 1e-10);
    }
}

/* ---------------------------------------------------------------------------------- single balls
 */

static carom_model *ball(double height, double velocity, double e) {
    carom_bouncing_ball_params params = carom_bouncing_ball_params_default();
    params.mass = 2.385;
    params.gravity = 9.81;
    params.initial_height = params.radius + height;
    params.initial_velocity = velocity;
    params.restitution = e;
    carom_model *model = NULL;
    assert_ok(carom_bouncing_ball_alloc(&params, &model, NULL));
    return model;
}

/* v_k = v_0 - k g h, y_k = y_0 + k h v_0 - g h^2 k (k + 1)/2. */
TEST(unit, flight_is_semi_implicit) {
    carom_model *model = ball(3.1, 1.7, 0.5);
    carom_error_reduction_params params = carom_error_reduction_params_default();
    params.step = 0.01;
    carom_error_reduction_stepper *stepper = started(model, &params);
    const carom_error_reduction_result *now = carom_error_reduction_stepper_result(stepper);
    assert_close(now->kinetic_energy, 0.5 * 2.385 * 1.7 * 1.7, 1e-15, 0.0);
    assert_close(now->potential_energy, 2.385 * 9.81 * 3.1, 1e-15, 0.0);
    for (int k = 1; k <= 40; k++) {
        advance(stepper, 1);
        assert_close(now->time, 0.01 * k, 1e-15, 0.0);
        assert_close(now->velocity[0], 1.7 - 0.0981 * k, 0.0, ROUNDING);
        assert_close(now->gap[0], 3.1 + 0.017 * k - 0.000981 * 0.5 * k * (k + 1), 0.0, ROUNDING);
        ck_assert_int_eq(now->contact_count, 0);
        assert_close(now->residual, 0.0, 0.0, 0.0);
        assert_close(now->impulse[0], 0.0, 0.0, 0.0);
    }
    assert_close(now->kinetic_energy, 0.5 * 2.385 * pow(1.7 - 0.0981 * 40.0, 2.0), 1e-13, 0.0);
    carom_error_reduction_stepper_free(stepper);
    carom_model_free(model);
}

TEST(unit, resting_ball_carries_its_weight) {
    carom_model *model = ball(0.0, 0.0, 0.9);
    carom_error_reduction_params params = carom_error_reduction_params_default();
    params.step = 0.01;
    carom_error_reduction_stepper *stepper = started(model, &params);
    const carom_error_reduction_result *now = carom_error_reduction_stepper_result(stepper);
    for (int k = 0; k < 5; k++) {
        advance(stepper, 1);
        ck_assert_int_eq(now->contact_count, 1);
        assert_close(now->impulse[0], 2.385 * 9.81 * 0.01, 1e-14, 0.0);
        assert_close(now->gap[0], 0.0, 0.0, ROUNDING);
        assert_close(now->velocity[0], 0.0, 0.0, ROUNDING);
    }
    carom_error_reduction_stepper_free(stepper);
    carom_model_free(model);
}

/* Pressed by gravity, a penetration of 1e-3 m loses a part 0.3 in each step: 0.09 . 1e-3/h is less
 * than g h, so that no step leaves faster than it has to. */
TEST(unit, penetration_decays_by_the_part_reduced) {
    carom_model *model = ball(0.0, 0.0, 0.9);
    carom_error_reduction_params params = carom_error_reduction_params_default();
    params.step = 0.01;
    params.error_reduction = 0.3;
    carom_error_reduction_stepper *stepper = NULL;
    assert_ok(carom_error_reduction_stepper_alloc(&model->mechanism, &params, &stepper, NULL));
    const double q = model->initial_position[0] - 1e-3;
    const double v = 0.0;
    assert_ok(carom_error_reduction_stepper_start(stepper, 0.7, &q, &v, NULL));
    const carom_error_reduction_result *now = carom_error_reduction_stepper_result(stepper);
    for (int k = 1; k <= 12; k++) {
        advance(stepper, 1);
        assert_close(now->gap[0], -1e-3 * pow(0.7, k), 0.0, ROUNDING);
        assert_close(now->time, 0.7 + 0.01 * k, 1e-15, 0.0);
    }
    carom_error_reduction_stepper_free(stepper);
    carom_model_free(model);
}

/* Restitution acts on the speed before the step, gravity of the step not included. */
TEST(unit, bounce_returns_the_speed_before_the_step) {
    carom_model *model = ball(0.0, -1.3, 0.63);
    carom_error_reduction_params params = carom_error_reduction_params_default();
    params.step = 0.01;
    carom_error_reduction_stepper *stepper = started(model, &params);
    advance(stepper, 1);
    const carom_error_reduction_result *now = carom_error_reduction_stepper_result(stepper);
    assert_close(now->velocity[0], 0.63 * 1.3, 0.0, ROUNDING);
    assert_close(now->impulse[0], 2.385 * (1.63 * 1.3 + 0.0981), 0.0, ROUNDING);
    carom_error_reduction_stepper_free(stepper);
    carom_model_free(model);
}

/* A separating ball is not held back. */
TEST(unit, separating_contact_gets_no_impulse) {
    carom_model *model = ball(0.0, 0.8, 0.63);
    const carom_error_reduction_params params = carom_error_reduction_params_default();
    carom_error_reduction_stepper *stepper = started(model, &params);
    advance(stepper, 1);
    const carom_error_reduction_result *now = carom_error_reduction_stepper_result(stepper);
    ck_assert_int_eq(now->contact_count, 1);
    assert_close(now->impulse[0], 0.0, 0.0, 0.0);
    assert_close(now->velocity[0], 0.8 - 9.81 / 60.0, 0.0, ROUNDING);
    carom_error_reduction_stepper_free(stepper);
    carom_model_free(model);
}

/* phi = 0.3 v h ahead: e = 0 ends on the floor, e = 0.5 leaves with 0.5 v - 0.3 v, and e = 0.5 from
 * 1.7 v h ahead, further than the step goes and (1 + e) v h, is not touched. */
TEST(unit, speculative_contacts_act_before_they_touch) {
    const double restitutions[3] = {0.0, 0.5, 0.5};
    const double ahead[3] = {0.3, 0.3, 1.7};
    const double expected[3] = {-0.3, 0.2, -1.0};
    for (int k = 0; k < 3; k++) {
        carom_model *model = cradle(1.0, ahead[k] * 0.01, restitutions[k]);
        carom_error_reduction_params params = carom_error_reduction_params_default();
        params.step = 0.01;
        params.is_speculative = true;
        params.solver = CAROM_ERROR_REDUCTION_EXACT;
        carom_error_reduction_stepper *stepper = started(model, &params);
        const carom_error_reduction_result *now = carom_error_reduction_stepper_result(stepper);
        advance(stepper, 1);
        ck_assert_int_eq(now->contact_count, 2);
        assert_close(now->velocity[1] - now->velocity[0], expected[k], 0.0, ROUNDING);
        if (k == 0) {
            assert_close(now->gap[0], 0.0, 0.0, ROUNDING);
        }
        carom_error_reduction_stepper_free(stepper);
        carom_model_free(model);
    }
}

/* A gap within `touching` of its terms |y| + h (|v| + |v*|) is closed, another is not. */
TEST(unit, touching_decides_what_is_closed) {
    for (int k = 0; k < 2; k++) {
        carom_model *model = ball(k == 0 ? 0.9e-3 : 1.1e-3, -1.0, 1.0);
        carom_error_reduction_params params = carom_error_reduction_params_default();
        params.touching = 1e-3 / (model->initial_position[0] + (2.0 + 9.81 / 60.0) / 60.0);
        carom_error_reduction_stepper *stepper = started(model, &params);
        advance(stepper, 1);
        const carom_error_reduction_result *now = carom_error_reduction_stepper_result(stepper);
        ck_assert_int_eq(now->contact_count, k == 0 ? 1 : 0);
        assert_close(now->velocity[0], k == 0 ? 1.0 : -1.0 - 9.81 / 60.0, 0.0, ROUNDING);
        carom_error_reduction_stepper_free(stepper);
        carom_model_free(model);
    }
}

/* One sweep from zeros over two balls at rest: the ground carries m h g of 2 m h g, the balls press
 * with m h g/2. The ground's row -h g/2 = -h g + h g - h g/2 is left, beside its terms and its
 * impulse over the mass, h g. */
TEST(unit, residual_is_what_a_sweep_leaves_beside_its_terms) {
    carom_ball_column_params column = carom_ball_column_params_default();
    column.balls = 2;
    column.restitution = 0.0;
    column.mass = 2.385;
    carom_model *model = NULL;
    assert_ok(carom_ball_column_alloc(&column, &model, NULL));
    carom_error_reduction_params params = carom_error_reduction_params_default();
    params.sweeps = 1;
    carom_error_reduction_stepper *stepper = started(model, &params);
    advance(stepper, 1);
    assert_close(carom_error_reduction_stepper_result(stepper)->residual, 0.5 / 3.5, ROUNDING, 0.0);
    carom_error_reduction_stepper_free(stepper);
    carom_model_free(model);
}

/* A column at rest needs more than two sweeps; the impulses of the last step make up for them. */
TEST(unit, warm_start_approaches_the_impulses_of_a_resting_column) {
    carom_ball_column_params column = carom_ball_column_params_default();
    column.balls = 6;
    column.restitution = 0.0;
    carom_model *model = NULL;
    assert_ok(carom_ball_column_alloc(&column, &model, NULL));
    double residual[2];
    for (int warm = 0; warm < 2; warm++) {
        carom_error_reduction_params params = carom_error_reduction_params_default();
        params.sweeps = 2;
        params.error_reduction = 0.0;
        params.is_warm_started = warm == 1;
        carom_error_reduction_stepper *stepper = started(model, &params);
        const carom_error_reduction_result *now = carom_error_reduction_stepper_result(stepper);
        advance(stepper, 1);
        const double first = now->residual;
        advance(stepper, 400);
        residual[warm] = now->residual / first;
        for (int i = 0; i < 6 && warm == 1; i++) {
            assert_close(now->impulse[i], (6 - i) * column.mass * column.gravity / 60.0, 1e-6, 0.0);
        }
        carom_error_reduction_stepper_free(stepper);
    }
    ck_assert_double_ge(residual[0], 0.1);
    ck_assert_double_le(residual[1], 1e-6);
    carom_model_free(model);
}

/* Balls that rest on each other open by rounding now and then: contacts that hardly move beside the
 * others are solved as well as these. */
TEST(unit, a_long_column_rests_for_long) {
    carom_ball_column_params column = carom_ball_column_params_default();
    column.balls = 80;
    column.restitution = 0.0;
    carom_model *model = NULL;
    assert_ok(carom_ball_column_alloc(&column, &model, NULL));
    carom_error_reduction_params params = carom_error_reduction_params_default();
    params.step = 1e-3;
    params.solver = CAROM_ERROR_REDUCTION_EXACT;
    carom_error_reduction_stepper *stepper = started(model, &params);
    const carom_error_reduction_result *now = carom_error_reduction_stepper_result(stepper);
    double largest = 0.0;
    for (int k = 0; k < 1000; k++) {
        advance(stepper, 1);
        ck_assert_double_le(now->residual, 1e-12);
        largest = fmax(largest, now->residual);
    }
    ck_assert_double_gt(largest, 0.0); // rounding is told
    // Of each contact no more than a step of free fall.
    assert_close(now->position[79], model->initial_position[79], 0.0,
                 80.0 * column.gravity * params.step * params.step);
    carom_error_reduction_stepper_free(stepper);
    carom_model_free(model);
}

/* ------------------------------------------------------------------------------------ property */

enum { CURVED_COORDINATES = 2, CURVED_CONTACTS = 2 };

/* M(q) = [2 + sin q_1, 0.3; 0.3, 1.5 + q_0^2], phi = (q_0 + 0.1 q_1^2, q_1 - 0.2 q_0). */
static void curved_mass(const double *q, double *M, void *context) {
    (void)context;
    M[0] = 2.0 + sin(q[1]);
    M[1] = 0.3;
    M[2] = 0.3;
    M[3] = 1.5 + q[0] * q[0];
}

static void curved_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)context;
    f[0] = -1.7 * q[0] + 0.4 * sin(3.0 * t) - 0.2 * v[1];
    f[1] = -9.81 + 0.3 * v[0] * v[1];
}

static double curved_energy(const double *q, void *context) {
    (void)context;
    return 0.85 * q[0] * q[0] + 9.81 * q[1];
}

static void curved_gaps(const double *q, double *g, void *context) {
    (void)context;
    g[0] = q[0] + 0.1 * q[1] * q[1];
    g[1] = q[1] - 0.2 * q[0];
}

static void curved_normals(const double *q, double *G, void *context) {
    (void)context;
    G[0] = 1.0;
    G[1] = 0.2 * q[1];
    G[2] = -0.2;
    G[3] = 1.0;
}

static const double CURVED_RESTITUTION[CURVED_CONTACTS] = {0.63, 0.27};

/* The curved mechanism leaves out derivatives, which this stepper does not read. */
static carom_error_reduction_params unchecked_params(void) {
    carom_error_reduction_params params = carom_error_reduction_params_default();
    params.check_derivatives = false;
    return params;
}

static carom_mechanism curved_mechanism(void) {
    const carom_mechanism mechanism = {
        .name = "curved",
        .coordinate_count = CURVED_COORDINATES,
        .contact_count = CURVED_CONTACTS,
        .layout = carom_layout_full(CURVED_COORDINATES),
        .position_units = "m",
        .velocity_units = "m s-1",
        .restitution = CURVED_RESTITUTION,
        .mass = curved_mass,
        .force = curved_force,
        .potential_energy = curved_energy,
        .constraints = curved_gaps,
        .constraint_jacobian = curved_normals,
    };
    return mechanism;
}

/* The equations of the step from (t, q, v) to `now`, evaluated here. */
static void assert_step(const carom_mechanism *mechanism,
                        const carom_error_reduction_params *params, double t, const double *q,
                        const double *v, const carom_error_reduction_result *now) {
    const double h = params->step;
    double M[4];
    double f[2];
    double g[2];
    double G[4];
    mechanism->mass(q, M, NULL);
    mechanism->force(t, q, v, f, NULL);
    mechanism->constraints(q, g, NULL);
    mechanism->constraint_jacobian(q, G, NULL);
    for (int i = 0; i < 2; i++) {
        const double change =
            M[2 * i] * (now->velocity[0] - v[0]) + M[2 * i + 1] * (now->velocity[1] - v[1]);
        assert_close(change, h * f[i] + G[i] * now->impulse[0] + G[2 + i] * now->impulse[1], 0.0,
                     ROUNDING);
        assert_close(now->position[i], q[i] + h * now->velocity[i], 0.0, ROUNDING);
        const double before = G[2 * i] * v[0] + G[2 * i + 1] * v[1];
        const double after = G[2 * i] * now->velocity[0] + G[2 * i + 1] * now->velocity[1];
        double terms = 0.0;
        for (int j = 0; j < 2; j++) { // the velocity after stands for the free one
            terms += fabs(G[2 * i + j]) * (fabs(q[j]) + h * (fabs(v[j]) + fabs(now->velocity[j])));
        }
        if (g[i] > params->touching * terms) {
            assert_close(now->impulse[i], 0.0, 0.0, 0.0);
            continue;
        }
        const double target = CURVED_RESTITUTION[i] * (before < 0.0 ? -before : 0.0) +
                              params->error_reduction * (g[i] < 0.0 ? -g[i] : 0.0) / h;
        ck_assert_double_ge(now->impulse[i], 0.0);
        ck_assert_double_ge(after - target, -ROUNDING);
        assert_close(now->impulse[i] * (after - target), 0.0, 0.0, ROUNDING);
    }
    double mass[4];
    mechanism->mass(now->position, mass, NULL);
    const double *w = now->velocity;
    assert_close(now->kinetic_energy,
                 0.5 *
                     (mass[0] * w[0] * w[0] + 2.0 * mass[1] * w[0] * w[1] + mass[3] * w[1] * w[1]),
                 0.0, ROUNDING);
    assert_close(now->potential_energy, curved_energy(now->position, NULL), 0.0, ROUNDING);
}

TEST(property, steps_of_a_curved_mechanism_satisfy_their_equations) {
    const carom_mechanism mechanism = curved_mechanism();
    carom_error_reduction_params params = unchecked_params();
    params.step = 0.01;
    params.sweeps = 60;
    int impacts[3] = {0, 0, 0};
    for (int sample = 0; sample < 40; sample++) {
        params.solver =
            sample % 2 == 0 ? CAROM_ERROR_REDUCTION_EXACT : CAROM_ERROR_REDUCTION_SWEEPS;
        carom_error_reduction_stepper *stepper = NULL;
        assert_ok(carom_error_reduction_stepper_alloc(&mechanism, &params, &stepper, NULL));
        const double q0[2] = {drawn(sample, 0, 0.0, 0.2), drawn(sample, 1, 0.05, 0.2)};
        const double v0[2] = {drawn(sample, 2, -2.0, 1.0), drawn(sample, 3, -2.0, 1.0)};
        assert_ok(carom_error_reduction_stepper_start(stepper, 0.3, q0, v0, NULL));
        const carom_error_reduction_result *now = carom_error_reduction_stepper_result(stepper);
        for (int k = 0; k < 100; k++) {
            const double t = now->time;
            const double q[2] = {now->position[0], now->position[1]};
            const double v[2] = {now->velocity[0], now->velocity[1]};
            advance(stepper, 1);
            assert_step(&mechanism, &params, t, q, v, now);
            impacts[now->contact_count]++;
        }
        carom_error_reduction_stepper_free(stepper);
    }
    // No contact, one and both have been met.
    for (int k = 0; k < 3; k++) {
        ck_assert_int_ge(impacts[k], 20);
    }
}

enum { CHAIN = 5 };

/* A chain of random masses whose balls run into each other. */
static carom_model *random_chain(int sample) {
    double masses[CHAIN];
    double radii[CHAIN];
    double velocities[CHAIN];
    double gaps[CHAIN];
    for (int i = 0; i < CHAIN; i++) {
        masses[i] = drawn(sample, i, 0.3, 3.0);
        radii[i] = drawn(sample, 10 + i, 0.1, 0.4);
        velocities[i] = 1.5 * (2 - i) + drawn(sample, 20 + i, -1.0, 1.0);
        gaps[i] = drawn(sample, 30 + i, -0.1, 0.1);
        gaps[i] = gaps[i] > 0.0 ? gaps[i] : 0.0;
    }
    const carom_ball_chain_params params = {CHAIN,      masses, radii,
                                            velocities, gaps,   drawn(sample, 40, 0.0, 1.0)};
    carom_model *model = NULL;
    assert_ok(carom_ball_chain_alloc(&params, &model, NULL));
    return model;
}

/* What is computed once for a linear mechanism is computed in each step for others. */
TEST(property, linear_and_general_mechanisms_move_alike) {
    for (int sample = 0; sample < 30; sample++) {
        carom_model *model = random_chain(sample);
        carom_mechanism general = model->mechanism;
        general.is_linear = false;
        carom_error_reduction_params params = carom_error_reduction_params_default();
        params.is_warm_started = sample % 2 == 1;
        carom_error_reduction_stepper *once = started(model, &params);
        carom_error_reduction_stepper *each = NULL;
        assert_ok(carom_error_reduction_stepper_alloc(&general, &params, &each, NULL));
        assert_ok(carom_error_reduction_stepper_start(each, 0.0, model->initial_position,
                                                      model->initial_velocity, NULL));
        advance(once, 60);
        advance(each, 60);
        for (int i = 0; i < CHAIN; i++) {
            assert_close(carom_error_reduction_stepper_result(each)->position[i],
                         carom_error_reduction_stepper_result(once)->position[i], 0.0, ROUNDING);
        }
        carom_error_reduction_stepper_free(once);
        carom_error_reduction_stepper_free(each);
        carom_model_free(model);
    }
}

TEST(property, chains_keep_their_momentum) {
    for (int sample = 100; sample < 130; sample++) {
        carom_model *model = random_chain(sample);
        carom_error_reduction_params params = carom_error_reduction_params_default();
        params.is_speculative = sample % 2 == 1;
        carom_error_reduction_stepper *stepper = started(model, &params);
        const carom_error_reduction_result *now = carom_error_reduction_stepper_result(stepper);
        double masses[CHAIN];
        model->mechanism.mass(model->initial_position, masses, model->mechanism.context);
        double before = 0.0;
        double after = 0.0;
        for (int i = 0; i < CHAIN; i++) {
            before += masses[i] * now->velocity[i];
        }
        advance(stepper, 60);
        for (int i = 0; i < CHAIN; i++) {
            after += masses[i] * now->velocity[i];
        }
        assert_close(after, before, 0.0, ROUNDING);
        carom_error_reduction_stepper_free(stepper);
        carom_model_free(model);
    }
}

TEST(property, many_sweeps_move_as_the_exact_solution) {
    for (int sample = 200; sample < 220; sample++) {
        carom_model *model = random_chain(sample);
        carom_error_reduction_params params = carom_error_reduction_params_default();
        params.sweeps = 2000;
        carom_error_reduction_stepper *swept = started(model, &params);
        params.solver = CAROM_ERROR_REDUCTION_EXACT;
        carom_error_reduction_stepper *exact = started(model, &params);
        for (int k = 0; k < 30; k++) {
            advance(swept, 1);
            advance(exact, 1);
            // Contacts that touch by rounding in one run may not in the other.
            for (int i = 0; i < CHAIN; i++) {
                assert_close(carom_error_reduction_stepper_result(swept)->velocity[i],
                             carom_error_reduction_stepper_result(exact)->velocity[i], 0.0, 1e-10);
            }
        }
        carom_error_reduction_stepper_free(swept);
        carom_error_reduction_stepper_free(exact);
        carom_model_free(model);
    }
}

/* -------------------------------------------------------------------------------------- errors */

static void assert_params_refused(const carom_error_reduction_params *params, const char *quantity,
                                  carom_status expected) {
    carom_model *model = cradle(1.0, 0.1, 1.0);
    carom_error_reduction_stepper *stepper = NULL;
    carom_report report = carom_report_empty();
    ck_assert_int_eq(
        carom_error_reduction_stepper_alloc(&model->mechanism, params, &stepper, &report),
        expected);
    ck_assert(stepper == NULL);
    ck_assert_str_eq(report.quantity, quantity);
    carom_model_free(model);
}

TEST(errors, parameters_out_of_range_are_refused) {
    const carom_error_reduction_params good = carom_error_reduction_params_default();
    carom_error_reduction_params bad = good;
    const double steps[3] = {0.0, -0.1, (double)NAN};
    for (int k = 0; k < 3; k++) {
        bad = good;
        bad.step = steps[k];
        assert_params_refused(&bad, "step",
                              k == 2 ? CAROM_STATUS_NOT_FINITE : CAROM_STATUS_OUT_OF_RANGE);
    }
    const double parts[3] = {-0.01, 1.01, HUGE_VAL};
    for (int k = 0; k < 3; k++) {
        bad = good;
        bad.error_reduction = parts[k];
        assert_params_refused(&bad, "error reduction",
                              k == 2 ? CAROM_STATUS_NOT_FINITE : CAROM_STATUS_OUT_OF_RANGE);
    }
    bad = good;
    bad.touching = -1e-12;
    assert_params_refused(&bad, "touching", CAROM_STATUS_OUT_OF_RANGE);
    bad.touching = 1.0;
    assert_params_refused(&bad, "touching", CAROM_STATUS_OUT_OF_RANGE);
    bad = good;
    bad.sweeps = 0;
    assert_params_refused(&bad, "sweeps", CAROM_STATUS_OUT_OF_RANGE);
}

static void singular_mass(const double *q, double *M, void *context) {
    (void)context;
    M[0] = 1.0;
    M[1] = 0.0;
    M[2] = 0.0;
    // Falls to zero on the way.
    M[3] = q[0] < 0.1 ? 1.0 : 0.0;
}

static void no_normals(const double *q, double *G, void *context) {
    (void)q;
    (void)context;
    memset(G, 0, CURVED_CONTACTS * CURVED_COORDINATES * sizeof *G);
}

static void wild_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)q;
    (void)v;
    (void)context;
    f[0] = t > 0.305 ? HUGE_VAL : 0.0;
    f[1] = 0.0;
}

/* The first step is good, the second fails and leaves the state as it was. */
static void assert_second_step_fails(const carom_mechanism *mechanism, double height,
                                     carom_status expected, const char *quantity) {
    carom_error_reduction_params params = unchecked_params();
    params.step = 0.01;
    carom_error_reduction_stepper *stepper = NULL;
    carom_report report = carom_report_empty();
    assert_ok(carom_error_reduction_stepper_alloc(mechanism, &params, &stepper, NULL));
    const double q[2] = {0.09, height};
    const double v[2] = {2.0, 0.0};
    assert_ok(carom_error_reduction_stepper_start(stepper, 0.3, q, v, NULL));
    const carom_error_reduction_result *now = carom_error_reduction_stepper_result(stepper);
    advance(stepper, 1);
    const carom_error_reduction_result then = *now;
    const double place[2] = {now->position[0], now->position[1]};
    const double speed[2] = {now->velocity[0], now->velocity[1]};
    for (int attempt = 0; attempt < 2; attempt++) {
        ck_assert_int_eq(carom_error_reduction_stepper_advance(stepper, &report), expected);
        ck_assert_str_eq(report.quantity, quantity);
        assert_close(report.time, 0.31, 1e-14, 0.0);
        assert_close(report.step, 0.01, 0.0, 0.0);
        assert_close(now->time, then.time, 0.0, 0.0);
        assert_close(now->kinetic_energy, then.kinetic_energy, 0.0, 0.0);
        for (int i = 0; i < 2; i++) {
            assert_close(now->position[i], place[i], 0.0, 0.0);
            assert_close(now->velocity[i], speed[i], 0.0, 0.0);
        }
    }
    ck_assert_int_eq(carom_error_reduction_stepper_advance(stepper, NULL), expected);
    carom_error_reduction_stepper_free(stepper);
}

TEST(errors, failed_steps_leave_the_state) {
    carom_mechanism mechanism = curved_mechanism();
    mechanism.mass = singular_mass;
    assert_second_step_fails(&mechanism, 1.0, CAROM_STATUS_SINGULAR, "mass matrix");
    mechanism = curved_mechanism();
    mechanism.force = wild_force;
    assert_second_step_fails(&mechanism, 1.0, CAROM_STATUS_NOT_FINITE, "velocity");
    mechanism = curved_mechanism();
    mechanism.constraint_jacobian = no_normals;
    // 0.01 s of fall is 1e-3 m: then the second contact, phi = q_1 - 0.2 q_0, is closed.
    assert_second_step_fails(&mechanism, 0.0183, CAROM_STATUS_OUT_OF_RANGE,
                             "response of a contact to its impulse");
}

TEST(errors, bad_states_are_refused) {
    carom_mechanism mechanism = curved_mechanism();
    const carom_error_reduction_params params = unchecked_params();
    carom_error_reduction_stepper *stepper = NULL;
    carom_report report = carom_report_empty();
    assert_ok(carom_error_reduction_stepper_alloc(&mechanism, &params, &stepper, NULL));
    const double q[2] = {0.2, (double)NAN};
    const double v[2] = {0.0, 0.0};
    assert_status(carom_error_reduction_stepper_start(stepper, 0.0, q, v, &report), NOT_FINITE);
    mechanism.mass = singular_mass;
    const double heavy[2] = {0.2, 0.3};
    assert_status(carom_error_reduction_stepper_start(stepper, 0.0, heavy, v, &report), SINGULAR);
    ck_assert_str_eq(report.quantity, "mass matrix");
    carom_error_reduction_stepper_free(stepper);
    carom_error_reduction_stepper_free(NULL);
}

/* Opposite normals of a closed pair with targets that contradict each other: a ray of the exact
 * solver. */
static void opposite_gaps(const double *q, double *g, void *context) {
    (void)context;
    g[0] = q[0] - 0.1;
    g[1] = -0.1 - q[0];
}

static void opposite_normals(const double *q, double *G, void *context) {
    (void)q;
    (void)context;
    G[0] = 1.0;
    G[1] = 0.0;
    G[2] = -1.0;
    G[3] = 0.0;
}

TEST(errors, contradicting_contacts_are_a_ray) {
    carom_mechanism mechanism = curved_mechanism();
    mechanism.constraints = opposite_gaps;
    mechanism.constraint_jacobian = opposite_normals;
    carom_error_reduction_params params = unchecked_params();
    params.solver = CAROM_ERROR_REDUCTION_EXACT;
    carom_error_reduction_stepper *stepper = NULL;
    carom_report report = carom_report_empty();
    assert_ok(carom_error_reduction_stepper_alloc(&mechanism, &params, &stepper, NULL));
    const double q[2] = {0.0, 0.0};
    const double v[2] = {0.0, 0.0};
    assert_ok(carom_error_reduction_stepper_start(stepper, 0.0, q, v, NULL));
    assert_status(carom_error_reduction_stepper_advance(stepper, &report), RAY);
    ck_assert_ptr_nonnull(strstr(report.sentence, "has no solution"));
    carom_error_reduction_stepper_free(stepper);
}

TEST(errors, failed_allocations_are_reported) {
    carom_model *model = ball(0.0, 0.0, 0.9);
    const carom_error_reduction_params params = carom_error_reduction_params_default();
    carom_error_reduction_stepper *stepper = NULL;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int attempts = 0;
    for (; status != CAROM_OK; attempts++) {
        successes_left = attempts;
        status = carom_error_reduction_stepper_alloc(&model->mechanism, &params, &stepper, NULL);
        successes_left = -1;
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
        ck_assert((stepper != NULL) == (status == CAROM_OK));
    }
    ck_assert_int_ge(attempts, 5);
    // A step fails without memory for its first contacts; those after it take none for the same.
    assert_ok(carom_error_reduction_stepper_start(stepper, 0.0, model->initial_position,
                                                  model->initial_velocity, NULL));
    for (attempts = 0;; attempts++) {
        successes_left = attempts;
        status = carom_error_reduction_stepper_advance(stepper, NULL);
        successes_left = -1;
        if (status == CAROM_OK) {
            break;
        }
        ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
    }
    ck_assert_int_ge(attempts, 1);
    // Check allocates too: no assertion in between.
    allocations = 0;
    for (int k = 0; k < 20 && status == CAROM_OK; k++) {
        status = carom_error_reduction_stepper_advance(stepper, NULL);
    }
    ck_assert_int_eq(allocations, 0);
    ck_assert_int_eq(status, CAROM_OK);
    carom_error_reduction_stepper_free(stepper);
    carom_model_free(model);
}
