/* Supports that move, long after time zero: what a time of 1e6 s, rounded, leaves of a gap opens no
 * contact. And what an evaluation keeps of a point whose quaternion turns in its last number. */
#include "friction_bodies.h"

#include <carom/models/rigid_body.h>
#include <carom/timestepping/engine/error_reduction.h>
#include <carom/timestepping/galpha/internal.h>

#include <float.h>

/* A load that rests on a lift, which rises with 0.3 m/s and passes zero at `start`. */
typedef struct load {
    body body;
    double start;
} load;

static const double LATE = 1e6;
static const double RISE = 0.3;
static const double STEP = 1.0 / 60.0;

static void lift_offset(double t, double *s, void *context) {
    const load *l = context;
    s[0] = -RISE * (t - l->start);
}

static void lift_velocity(double t, double *w, void *context) {
    (void)t;
    (void)context;
    w[0] = -RISE;
    w[1] = 0.0;
}

static void load_init(load *l, double start) {
    *l = (load){.start = start};
    point_init(&l->body, MASS, 0.0);
    l->body.force[1] = -MASS * GRAVITY;
    l->body.restitution[0] = 0.5;
    l->body.v[1] = RISE;
    l->body.mechanism.constraint_offset = lift_offset;
    l->body.mechanism.constraint_velocity = lift_velocity;
    l->body.mechanism.context = l;
}

/* Up to the rounding of the way of the lift, of which a step may take all. */
static void assert_carried(double impulse, double gap) {
    const double rounding = 4.0 * DBL_EPSILON * LATE * RISE;
    assert_close(impulse, MASS * GRAVITY * STEP, 0.0, MASS * rounding / STEP);
    assert_close(gap, 0.0, 0.0, rounding);
}

TEST(property, a_load_rests_on_a_lift_a_million_seconds_late) {
    static const carom_scheme schemes[] = {CAROM_SCHEME_MOREAU_JEAN, CAROM_SCHEME_VELOCITY_GALPHA,
                                           CAROM_SCHEME_NONSMOOTH_GALPHA};
    // Three schemes of fixed steps, by the exact linear step and by Newton's method.
    for (int k = 0; k < 6; k++) {
        load l;
        load_init(&l, LATE);
        l.body.mechanism.is_linear = k < 3;
        const carom_stepper_params params = scheme_with_step(schemes[k % 3], STEP);
        CAROM_AUTO(carom_stepper) stepper = NULL;
        assert_ok(carom_stepper_alloc(&l.body.mechanism, &params, &stepper, NULL));
        assert_ok(carom_stepper_start(stepper, l.start, l.body.q, l.body.v, NULL));
        for (int step = 0; step < 600; step++) {
            assert_ok(carom_stepper_advance(stepper, NULL));
            const carom_step *now = carom_stepper_result(stepper);
            assert_carried(now->impulse[0] + STEP * now->force[0], now->constraint[0]);
        }
    }
}

TEST(property, error_reduction_carries_a_load_a_million_seconds_late) {
    load l;
    load_init(&l, LATE);
    carom_error_reduction_params params = carom_error_reduction_params_default();
    params.step = STEP;
    CAROM_AUTO(carom_error_reduction_stepper) stepper = NULL;
    assert_ok(carom_error_reduction_stepper_alloc(&l.body.mechanism, &params, &stepper, NULL));
    assert_ok(carom_error_reduction_stepper_start(stepper, l.start, l.body.q, l.body.v, NULL));
    for (int step = 0; step < 600; step++) {
        assert_ok(carom_error_reduction_stepper_advance(stepper, NULL));
        const carom_error_reduction_result *now = carom_error_reduction_stepper_result(stepper);
        assert_carried(now->impulse[0], now->gap[0]);
    }
}

/* Two rotations that differ in the sign of their last number only. */
TEST(unit, an_evaluation_tells_rotations_apart_by_all_four_numbers) {
    enum { ENTRIES = 8 * 6 };
    carom_rigid_body_params params = carom_rigid_body_params_default();
    params.shape = CAROM_RIGID_BODY_BOX;
    memcpy(params.edges, (const double[3]){0.3, 0.2, 0.1}, sizeof params.edges);
    memcpy(params.initial_position, (const double[3]){0.0, 0.0, 1.0}, sizeof(double[3]));
    CAROM_AUTO(carom_model) model = NULL;
    assert_ok(carom_rigid_body_alloc(&params, &model, NULL));
    const double v[6] = {0.0};
    const double q[2][7] = {{0.0, 0.0, 1.0, 0.64, 0.6, 0.0, 0.48},
                            {0.0, 0.0, 1.0, 0.64, 0.6, 0.0, -0.48}};
    double G[2][ENTRIES];
    carom_evaluation at;
    assert_ok(carom_evaluation_init(&at, &model->mechanism));
    for (int k = 0; k < 2; k++) {
        carom_evaluation_point(&at, 0.0, q[k], v);
        carom_mechanism_constraint_jacobian(&model->mechanism, q[k], G[k]);
        ck_assert_mem_eq(at.jacobian, G[k], sizeof G[k]);
    }
    ck_assert_mem_ne(G[0], G[1], sizeof G[0]);
    carom_evaluation_clear(&at);
}
