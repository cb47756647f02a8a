/* carom/timestepping/variational/variational.h: closed forms of the midpoint rule, momenta and
 * order of the biped TREX, and what is refused. */
#include "../../failing_malloc.h"
#include "../galpha/random_mechanism.h"
#include "variational_bodies.h"

#include <carom/models/trex/trex.h>
#include <carom/timestepping/variational/step_internal.h>

#include <float.h>

enum { N = CAROM_TREX_COORDINATES };

/* ------------------------------------------------------------------------------- oscillator */

typedef struct oscillator {
    double mass;
    double stiffness;
    double damping;
} oscillator;

static void oscillator_mass(const double *q, double *M, void *context) {
    (void)q;
    M[0] = ((const oscillator *)context)->mass;
}

static void oscillator_force(double t, const double *q, const double *v, double *f, void *context) {
    const oscillator *o = context;
    (void)t;
    f[0] = -o->stiffness * q[0] - o->damping * v[0];
}

static void oscillator_stiffness(double t, const double *q, const double *v, double *K,
                                 void *context) {
    (void)t;
    (void)q;
    (void)v;
    K[0] = ((const oscillator *)context)->stiffness;
}

static void oscillator_damping(double t, const double *q, const double *v, double *C,
                               void *context) {
    (void)t;
    (void)q;
    (void)v;
    C[0] = ((const oscillator *)context)->damping;
}

static double oscillator_energy(const double *q, void *context) {
    return 0.5 * ((const oscillator *)context)->stiffness * q[0] * q[0];
}

static carom_mechanism oscillator_mechanism(oscillator *o) {
    return (carom_mechanism){
        .name = "oscillator",
        .coordinate_count = 1,
        .layout = carom_layout_banded(1, 0),
        .is_linear = true,
        .position_units = "m",
        .velocity_units = "m s-1",
        .mass = oscillator_mass,
        .force = oscillator_force,
        .stiffness = oscillator_stiffness,
        .damping = oscillator_damping,
        .potential_energy = oscillator_energy,
        .context = o,
    };
}

TEST(unit, an_oscillator_turns_by_twice_the_arc_tangent_of_half_a_step) {
    // The midpoint rule is the Cayley map: q_k = A cos(k beta), tan(beta/2) = omega h/2.
    oscillator o = {.mass = 1.7, .stiffness = 23.0};
    const carom_mechanism mechanism = oscillator_mechanism(&o);
    carom_variational_step *step = step_of(&mechanism);
    const double omega = sqrt(o.stiffness / o.mass);
    const double h = 0.31;
    const double beta = 2.0 * atan(0.5 * omega * h);
    double t = 0.0;
    double q = 0.83;
    double p = 0.0;
    for (int k = 1; k <= 200; k++) {
        advance(step, &t, &q, &p, h, NULL);
        ck_assert_int_le(step->iterations, 2);
        // Errors of 1e-15 a step add up.
        assert_close(q, 0.83 * cos(k * beta), 0.0, 2e-13);
        assert_close(p, -0.83 * o.mass * omega * sin(k * beta), 0.0, 1e-12);
        assert_close(step->velocity[0], p / o.mass, 1e-15, 0.0);
    }
    carom_variational_step_free(step);
}

TEST(unit, a_damped_oscillator_solves_the_midpoint_equation) {
    // (m + h c/2 + h^2 k/4) v = p - (h/2) k q, by hand.
    oscillator o = {.mass = 1.7, .stiffness = 23.0, .damping = 2.9};
    const carom_mechanism mechanism = oscillator_mechanism(&o);
    carom_variational_step *step = step_of(&mechanism);
    const double h = 0.2;
    double t = 0.0;
    double q = 0.83;
    double p = -1.2;
    const double v = (p - 0.5 * h * o.stiffness * q) /
                     (o.mass + 0.5 * h * o.damping + 0.25 * h * h * o.stiffness);
    const double F = -o.stiffness * (q + 0.5 * h * v) - o.damping * v;
    const double p_end = p + h * F;
    const double q_end = q + h * v;
    advance(step, &t, &q, &p, h, NULL);
    assert_close(q, q_end, 1e-14, 0.0);
    assert_close(p, p_end, 1e-14, 0.0);
    assert_close(t, 0.2, DBL_EPSILON, 0.0);
    carom_variational_step_free(step);
}

/** M = 1 + sin(q)/2 in free motion: M q''/1 = -M' v^2/2. */
static void waving_mass(const double *q, double *M, void *context) {
    (void)context;
    M[0] = 1.0 + 0.5 * sin(q[0]);
}

static void waving_derivative(const double *q, const double *a, double *D, void *context) {
    (void)context;
    D[0] = 0.5 * cos(q[0]) * a[0];
}

static void waving_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)context;
    f[0] = -0.25 * cos(q[0]) * v[0] * v[0];
}

TEST(unit, a_mass_that_varies_far_from_the_origin_moves) {
    // Rounding of q at 1e6 leaves 1e-10 of M v, ten thousand times the tolerance.
    const carom_mechanism mechanism = {
        .name = "waving",
        .coordinate_count = 1,
        .layout = carom_layout_full(1),
        .position_units = "m",
        .velocity_units = "m s-1",
        .mass = waving_mass,
        .mass_derivative = waving_derivative,
        .force = waving_force,
    };
    carom_variational_step *step = step_of(&mechanism);
    double t = 0.0;
    double q = 1e6;
    double v = 1.3;
    double p = 0.0;
    carom_variational_momentum(step, &q, &v, &p);
    const double energy = 0.5 * p * v;
    for (int k = 0; k < 300; k++) {
        advance(step, &t, &q, &p, 0.01, NULL);
        ck_assert_int_lt(step->iterations, 8);
        // (v h)^2/8 of it at most
        assert_close(0.5 * p * step->velocity[0], energy, 3e-5, 0.0);
    }
    carom_variational_step_free(step);
}

TEST(unit, a_fall_is_exact_and_open_contacts_are_passed) {
    ball b = {.mass = 1.3, .gravity = 9.7};
    const carom_mechanism mechanism = ball_mechanism(&b);
    carom_variational_step *step = step_of(&mechanism);
    double t = 0.0;
    double q = 0.2;
    double p = 0.0;
    bool held[1] = {false};
    for (int k = 1; k <= 10; k++) {
        advance(step, &t, &q, &p, 0.07, held);
        const double time = 0.07 * k;
        assert_close(q, 0.2 - 0.5 * 9.7 * time * time, 0.0, 1e-14);
        assert_close(p, -1.3 * 9.7 * time, 1e-14, 0.0);
        assert_close(step->gap[0], q, 0.0, 0.0);
        assert_close(step->normal_impulse[0], 0.0, 0.0, 0.0);
        ck_assert(!step->is_held[0]);
    }
    ck_assert_double_lt(q, 0.0);
    carom_variational_step_free(step);
}

/* -------------------------------------------------------------------------------------- TREX */

static carom_model *trex_of(const carom_trex_params *params) {
    carom_model *model;
    assert_ok(carom_trex_alloc(params, &model, NULL));
    return model;
}

/** A robot without dampers and hips. */
static carom_trex_params conservative_robot(void) {
    carom_trex_params params = carom_trex_params_default();
    params.knee_damping = 0.0;
    params.body_damping = 0.0;
    params.hip_stiffness = 0.0;
    params.hip_damping = 0.0;
    return params;
}

static const double SPIN[N] = {13.0, -57.0, 3.1, 17.0, -26.0, -14.0, 23.0, -8.0};

static double energy_of(const carom_mechanism *mechanism, const double *q, const double *p,
                        const double *v) {
    return 0.5 * random_dot(N, p, v) + mechanism->potential_energy(q, mechanism->context);
}

static double angular_momentum(const double *q, const double *p) {
    return q[0] * p[1] - q[1] * p[0] + p[CAROM_TREX_PITCH];
}

TEST(property, momenta_of_the_robot_in_flight_are_kept_also_with_dampers_and_hips) {
    for (int k = 0; k < 4; k++) {
        carom_trex_params params = k % 2 == 0 ? conservative_robot() : carom_trex_params_default();
        params.hip_start_time = 0.05;
        params.gravity = k < 2 ? 981.0 : 0.0;
        carom_model *model = trex_of(&params);
        carom_variational_step *step = step_of(&model->mechanism);
        double t = 0.0;
        double q[N] = {0.0};
        double p[N] = {0.0};
        memcpy(q, model->initial_position, sizeof q);
        carom_variational_momentum(step, q, SPIN, p);
        const double mass = carom_trex_inertia_of(&params).mass;
        const double p_x = p[0];
        const double p_y = p[1];
        const double turning = angular_momentum(q, p);
        for (int j = 0; j < 300; j++) {
            advance(step, &t, q, p, 1e-3, NULL);
            // 300 steps of 1e-16 of the sums of centrifugal forces.
            assert_close(p[0], p_x, 0.0, 1e-13 * fabs(p_x));
            assert_close(p[1] + mass * params.gravity * t, p_y, 0.0,
                         1e-13 * (fabs(p_y) + mass * params.gravity * t));
            if (k >= 2) {
                assert_close(angular_momentum(q, p), turning, 1e-12, 0.0);
            }
        }
        carom_variational_step_free(step);
        carom_model_free(model);
    }
}

/** Largest error of the energy over a flight of 50 ms. */
static double energy_error(double h) {
    const carom_trex_params params = conservative_robot();
    carom_model *model = trex_of(&params);
    carom_variational_step *step = step_of(&model->mechanism);
    double t = 0.0;
    double q[N] = {0.0};
    double p[N] = {0.0};
    memcpy(q, model->initial_position, sizeof q);
    carom_variational_momentum(step, q, SPIN, p);
    const double energy = energy_of(&model->mechanism, q, p, SPIN);
    double largest = 0.0;
    while (t < 0.05) {
        advance(step, &t, q, p, h, NULL);
        const double now = energy_of(&model->mechanism, q, p, step->velocity);
        largest = fmax(largest, fabs(now - energy));
    }
    carom_variational_step_free(step);
    carom_model_free(model);
    return largest;
}

TEST(property, the_error_of_the_energy_is_of_second_order) {
    const double ratio = energy_error(5e-4) / energy_error(2.5e-4);
    ck_assert_double_gt(ratio, 3.7);
    ck_assert_double_lt(ratio, 4.3);
}

TEST(property, a_flight_reversed_returns) {
    const carom_trex_params params = conservative_robot();
    carom_model *model = trex_of(&params);
    carom_variational_step *step = step_of(&model->mechanism);
    double t = 0.0;
    double q[N] = {0.0};
    double p[N] = {0.0};
    double p0[N] = {0.0};
    memcpy(q, model->initial_position, sizeof q);
    carom_variational_momentum(step, q, SPIN, p0);
    memcpy(p, p0, sizeof p);
    for (int k = 0; k < 100; k++) {
        if (k == 50) {
            for (int j = 0; j < N; j++) {
                p[j] = -p[j];
            }
        }
        advance(step, &t, q, p, 1e-3, NULL);
    }
    // Rounding grows with the free motions of 600 rad/s, by about 1e3.
    for (int j = 0; j < N; j++) {
        assert_close(q[j], model->initial_position[j], 0.0, 1e-11);
        assert_close(p[j], -p0[j], 0.0, 1e-9);
    }
    carom_variational_step_free(step);
    carom_model_free(model);
}

TEST(property, the_robot_dropped_keeps_its_stance) {
    // At rest in free fall: impact at sqrt(2 17/981) = 0.18616796642 s.
    carom_trex_params params = carom_trex_params_default();
    carom_model *model = trex_of(&params);
    carom_variational_step *step = step_of(&model->mechanism);
    double t = 0.0;
    double q[N] = {0.0};
    double p[N] = {0.0};
    memcpy(q, model->initial_position, sizeof q);
    const double h = 0.18616796642 / 186.0;
    for (int k = 0; k < 186; k++) {
        advance(step, &t, q, p, h, NULL);
    }
    assert_close(model->initial_position[1] - q[1], 17.0, 0.0, 1e-8);
    assert_close(step->velocity[1], -182.631, 0.0, 5e-4);
    for (int j = 0; j < N; j++) {
        if (j != CAROM_TREX_Y) {
            assert_close(q[j], params.stance[j], 0.0, 1e-12);
            assert_close(step->velocity[j], 0.0, 0.0, 1e-9);
        }
    }
    carom_variational_step_free(step);
    carom_model_free(model);
}

/** Lower and turn the robot until right foot and tail tip touch the floor. */
static void put_down(const carom_mechanism *mechanism, double *q) {
    for (int k = 0; k < 30; k++) {
        double g[3] = {0.0};
        double G[3 * N] = {0.0};
        mechanism->constraints(q, g, mechanism->context);
        mechanism->constraint_jacobian(q, G, mechanism->context);
        const double *foot = G + N;
        const double *tail = G + 2 * N;
        const double determinant = foot[1] * tail[2] - foot[2] * tail[1];
        q[1] -= (tail[2] * g[1] - foot[2] * g[2]) / determinant;
        q[2] -= (foot[1] * g[2] - tail[1] * g[1]) / determinant;
    }
}

TEST(property, the_robot_stands_on_foot_and_tail) {
    carom_trex_params params = carom_trex_params_default();
    params.hip_rates[0] = 0.0;
    params.hip_rates[1] = 0.0;
    carom_model *model = trex_of(&params);
    const carom_mechanism *mechanism = &model->mechanism;
    carom_variational_step *step = step_of(mechanism);
    double t = 0.0;
    double q[N] = {0.0};
    double p[N] = {0.0};
    bool held[3] = {false, true, true};
    memcpy(q, params.stance, sizeof q);
    put_down(mechanism, q);
    const double weight = 981.0 * carom_trex_inertia_of(&params).mass;
    double carried = 0.0;
    int resting = 0;
    for (int k = 0; k < 400; k++) {
        const double p_y = p[1];
        const double p_x = p[0];
        advance(step, &t, q, p, 1e-3, held);
        ck_assert(held[1] && held[2]);
        double normal = 0.0;
        double along = 0.0;
        double H[3 * N] = {0.0};
        mechanism->tangential_jacobian(q, H, mechanism->context);
        for (int i = 1; i < 3; i++) {
            ck_assert_double_lt(fabs(step->gap[i]), 1e-12);
            ck_assert_double_le(fabs(step->first_friction[i]), 0.8 * step->first_impulse[i] + 1e-9);
            if (step->mode[i] == CAROM_VARIATIONAL_STICK) {
                ck_assert_double_le(fabs(step->last_friction[i]),
                                    0.8 * step->last_impulse[i] + 1e-9);
            }
            // Inside the cone a foot that sticks has no speed at the end: 1e-15 of the velocities.
            if (step->mode[i] == CAROM_VARIATIONAL_STICK &&
                fabs(step->last_friction[i]) < 0.79 * step->last_impulse[i]) {
                assert_close(random_dot(N, H + i * N, step->velocity), 0.0, 0.0, 1e-12);
                resting++;
            }
            ck_assert_double_le(step->friction_impulse[i] * step->sliding[i], 0.0);
            normal += step->normal_impulse[i];
            along += step->friction_impulse[i];
        }
        // The robot as a whole feels its weight and the floor.
        assert_close(p[1] - p_y, normal - 1e-3 * weight, 0.0, 1e-11);
        assert_close(p[0] - p_x, along, 0.0, 1e-11);
        carried += normal;
    }
    // It sways, but on average the floor carries it: p_y is bounded.
    assert_close(carried, 0.4 * weight, 0.02, 0.0);
    ck_assert_int_gt(resting, 200);
    carom_variational_step_free(step);
    carom_model_free(model);
}

TEST(property, large_turns_within_a_step_still_converge) {
    // Turning fast enough that the matrix of the beginning does not carry the iteration.
    const carom_trex_params params = conservative_robot();
    carom_model *model = trex_of(&params);
    carom_variational_step *step = step_of(&model->mechanism);
    double v[N] = {0.0};
    double p[N] = {0.0};
    for (int j = 0; j < N; j++) {
        v[j] = 25.0 * SPIN[j];
    }
    const double *q = model->initial_position;
    carom_variational_momentum(step, q, v, p);
    assert_ok(carom_variational_step_solve(step, 0.0, q, p, 1e-3, NULL, NULL));
    ck_assert_int_lt(step->iterations, 15);
    // Backwards from there it returns.
    double back[N] = {0.0};
    double there[N] = {0.0};
    for (int j = 0; j < N; j++) {
        back[j] = -step->momentum[j];
        there[j] = step->position[j];
    }
    assert_ok(carom_variational_step_solve(step, 0.0, there, back, 1e-3, NULL, NULL));
    for (int j = 0; j < N; j++) {
        assert_close(step->position[j], q[j], 0.0, 1e-12);
    }
    carom_variational_step_free(step);
    carom_model_free(model);
}

/* ------------------------------------------------------------------------------------ errors */

static void assert_refused(const carom_mechanism *mechanism,
                           const carom_variational_step_params *params, carom_status expected,
                           const char *quantity) {
    carom_variational_step *step;
    carom_report report = carom_report_empty();
    ck_assert_int_eq(carom_variational_step_alloc(mechanism, params, &step, &report), expected);
    ck_assert_str_eq(report.quantity, quantity);
    ck_assert_ptr_null(step);
}

TEST(errors, malformed_parameters_are_refused) {
    slider s = slider_of(0.0);
    const carom_mechanism mechanism = slider_mechanism(&s);
    const carom_variational_step_params good = carom_variational_step_params_default();
    carom_variational_step_params params = good;
    params.tolerance = 0.0;
    assert_refused(&mechanism, &params, CAROM_STATUS_OUT_OF_RANGE, "tolerance");
    params.tolerance = 1.0;
    assert_refused(&mechanism, &params, CAROM_STATUS_OUT_OF_RANGE, "tolerance");
    params.tolerance = (double)NAN;
    assert_refused(&mechanism, &params, CAROM_STATUS_OUT_OF_RANGE, "tolerance");
    params = good;
    params.most_iterations = 0;
    assert_refused(&mechanism, &params, CAROM_STATUS_OUT_OF_RANGE, "most iterations");
}

/** Fails with a report; the result says nothing. */
static void assert_fails(carom_variational_step *step, const double *q, const double *p, double h,
                         const bool *held, carom_status expected, const char *quantity) {
    carom_report report = carom_report_empty();
    const carom_status status = carom_variational_step_solve(step, 0.7, q, p, h, held, &report);
    ck_assert_str_eq(carom_status_name(status), carom_status_name(expected));
    ck_assert_str_eq(report.quantity, quantity);
    assert_close(report.time, 0.7, 0.0, 0.0);
    ck_assert(report.step <= h && report.step >= h);
    ck_assert_double_nan(step->time);
    ck_assert_double_nan(step->dissipation);
    for (int j = 0; j < step->mechanism->coordinate_count; j++) {
        ck_assert(isnan(step->position[j]) && isnan(step->momentum[j]) && isnan(step->velocity[j]));
    }
    for (int i = 0; i < step->mechanism->contact_count; i++) {
        ck_assert(isnan(step->gap[i]) && isnan(step->first_impulse[i]));
        ck_assert(isnan(step->last_impulse[i]) && isnan(step->normal_impulse[i]));
        ck_assert(!step->is_held[i]);
    }
    for (int row = 0; row < step->mechanism->contact_count * step->mechanism->tangent_count;
         row++) {
        ck_assert(isnan(step->friction_impulse[row]) && isnan(step->sliding[row]));
        ck_assert(isnan(step->first_friction[row]) && isnan(step->last_friction[row]));
        ck_assert_int_eq(step->mode[row], CAROM_VARIATIONAL_RELEASED);
    }
}

TEST(errors, states_and_forces_that_are_not_finite_are_refused) {
    slider s = slider_of(0.0);
    const carom_mechanism mechanism = slider_mechanism(&s);
    carom_variational_step *step = step_of(&mechanism);
    const double q[2] = {0.0, 0.0};
    const double p[2] = {0.1, 0.0};
    const double bad[2] = {0.0, (double)NAN};
    const bool held[1] = {true};
    assert_fails(step, bad, p, 0.1, held, CAROM_STATUS_NOT_FINITE, "position");
    assert_fails(step, q, bad, 0.1, held, CAROM_STATUS_NOT_FINITE, "momentum");
    assert_fails(step, q, p, HUGE_VAL, held, CAROM_STATUS_NOT_FINITE, "step");
    s.force[0] = (double)NAN;
    assert_fails(step, q, p, 0.1, held, CAROM_STATUS_NOT_FINITE, "force");
    s.force[0] = 0.0;
    s.scale = (double)NAN;
    assert_fails(step, q, p, 0.1, held, CAROM_STATUS_NOT_FINITE, "gap");
    s.scale = 1.0;
    assert_ok(carom_variational_step_solve(step, 0.0, q, p, 0.1, held, NULL));
    carom_variational_step_free(step);
}

TEST(errors, a_body_without_mass_is_singular) {
    slider s = slider_of(0.0);
    s.mass = 0.0;
    const carom_mechanism mechanism = slider_mechanism(&s);
    carom_variational_step *step = step_of(&mechanism);
    const double q[2] = {0.0, 0.0};
    const double p[2] = {0.1, 0.0};
    assert_fails(step, q, p, 0.1, NULL, CAROM_STATUS_SINGULAR, "mass");
    double v[2] = {0.0};
    assert_status(carom_variational_velocity(step, q, p, v), SINGULAR);
    ck_assert(isnan(v[0]) && isnan(v[1]));
    s.mass = 1.0;
    const double bad[2] = {0.0, HUGE_VAL};
    assert_status(carom_variational_velocity(step, q, bad, v), NOT_FINITE);
    ck_assert(isnan(v[0]) && isnan(v[1]));
    assert_ok(carom_variational_velocity(step, q, p, v));
    assert_close(v[0], 0.1, 1e-15, 0.0);
    // A negative stiffness may cancel the mass: m + h^2 k/4 = 0.
    oscillator o = {.mass = 1.0, .stiffness = -4.0};
    const carom_mechanism unstable = oscillator_mechanism(&o);
    carom_variational_step *other = step_of(&unstable);
    const double one[1] = {1.0};
    assert_fails(other, one, one, 1.0, NULL, CAROM_STATUS_SINGULAR, "newton matrix");
    carom_variational_step_free(other);
    // Also where only differences see it.
    carom_mechanism blind = unstable;
    blind.stiffness = NULL;
    other = step_of(&blind);
    assert_fails(other, one, one, 1.0, NULL, CAROM_STATUS_SINGULAR, "newton matrix");
    carom_variational_step_free(other);
    carom_variational_step_free(step);
}

TEST(errors, too_few_iterations_do_not_converge) {
    const carom_trex_params robot = conservative_robot();
    carom_model *model = trex_of(&robot);
    carom_variational_step_params params = carom_variational_step_params_default();
    params.most_iterations = 1;
    carom_variational_step *step;
    assert_ok(carom_variational_step_alloc(&model->mechanism, &params, &step, NULL));
    double p[N] = {0.0};
    carom_variational_momentum(step, model->initial_position, SPIN, p);
    assert_fails(step, model->initial_position, p, 1e-3, NULL, CAROM_STATUS_NOT_CONVERGED,
                 "momentum residual");
    ck_assert_int_eq(step->iterations, 1);
    ck_assert_int_eq(step->combinations, 1);
    carom_variational_step_free(step);
    carom_model_free(model);
}

/** A gap whose normal turns over: y cos(x), with a pull upwards. */
static void turning_gap(const double *q, double *g, void *context) {
    (void)context;
    g[0] = q[1] * cos(q[0]);
}

static void turning_normal(const double *q, double *G, void *context) {
    (void)context;
    G[0] = -q[1] * sin(q[0]);
    G[1] = cos(q[0]);
}

TEST(errors, a_step_that_has_no_consistent_combination_is_a_conflict) {
    // Within the step the body moves to where up is inside: released it penetrates, held it pulls.
    slider s = slider_of(0.0);
    s.force[1] = 5.0;
    s.friction[0] = 0.0;
    carom_mechanism mechanism = slider_mechanism(&s);
    mechanism.is_linear = false;
    mechanism.constraints = turning_gap;
    mechanism.constraint_jacobian = turning_normal;
    carom_variational_step *step = step_of(&mechanism);
    const double q[2] = {0.0, 0.0};
    const double p[2] = {2.385 * 2.5, 0.0};
    const bool held[1] = {true};
    assert_fails(step, q, p, 1.0, held, CAROM_STATUS_CONFLICT, "contact modes");
    ck_assert_int_eq(step->combinations, 1);
    // Half the step is none.
    assert_ok(carom_variational_step_solve(step, 0.0, q, p, 0.5, held, NULL));
    ck_assert(!step->is_held[0]);
    carom_variational_step_free(step);
}

TEST(errors, without_memory_nothing_is_returned_and_nothing_is_lost) {
    slider s = slider_of(0.0);
    s.copies = 2;
    const carom_mechanism mechanism = slider_mechanism(&s);
    const carom_variational_step_params params = carom_variational_step_params_default();
    carom_variational_step *step = NULL;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    for (; status != CAROM_OK; failures++) {
        successes_left = failures;
        status = carom_variational_step_alloc(&mechanism, &params, &step, NULL);
        successes_left = -1;
        ck_assert(status == CAROM_OK || (status == CAROM_STATUS_OUT_OF_MEMORY && !step));
    }
    ck_assert_int_gt(failures, 20);
    // A step allocates nothing, dependent contacts and all.
    const double q[2] = {0.0, 0.0};
    const double p[2] = {0.1, 0.0};
    const bool held[2] = {true, true};
    allocations = 0;
    status = carom_variational_step_solve(step, 0.0, q, p, 0.1, held, NULL);
    const int asked = allocations;
    assert_ok(status);
    ck_assert_int_eq(asked, 0);
    carom_variational_step_free(step);
    carom_variational_step_free(NULL);
}
