/* Motion with friction in space does not depend on how it is described: by the order of contacts,
 * by how often each is there, by where the axes point, by units. A tripod falls on its feet,
 * bounces, slides and turns; every scheme with friction in space. */
#include "galpha/friction_bodies.h"

#include <carom/timestepping/engine/error_reduction.h>
#include <carom/timestepping/variational/variational.h>

#include <math.h>
#include <string.h>

enum { FEET = 3, STEPS = 80, STATE = 12 };

/* The tolerance of a step, 1e-12, grown over eighty of them. */
static const double SAME_MOTION = 1e-9;

/* A way to describe the motion. */
typedef struct description {
    const char *name;
    int order[FEET];
    int copies;   /* of each contact */
    double angle; /* of the axes about the normal */
    double mass;  /* units in a kilogram, a metre, a second */
    double length;
    double time;
} description;

static const description DESCRIPTIONS[] = {
    {"as it is", {0, 1, 2}, 1, 0.0, 1.0, 1.0, 1.0},
    {"in another order", {2, 0, 1}, 1, 0.0, 1.0, 1.0, 1.0},
    {"every contact twice", {0, 1, 2}, 2, 0.0, 1.0, 1.0, 1.0},
    {"turned", {0, 1, 2}, 1, 1.234, 1.0, 1.0, 1.0},
    {"in grams, millimetres and minutes", {0, 1, 2}, 1, 0.0, 1e3, 1e3, 1.0 / 60.0},
    {"all of it", {1, 2, 0}, 2, -2.345, 1e-3, 1e2, 1e3},
};
enum { DESCRIPTION_COUNT = sizeof DESCRIPTIONS / sizeof DESCRIPTIONS[0] };

/* (x, y) in axes turned by the angle. */
static void turn(double angle, double *xy) {
    const double x = xy[0];
    xy[0] = cos(angle) * x + sin(angle) * xy[1];
    xy[1] = -sin(angle) * x + cos(angle) * xy[1];
}

/* A tripod with the inertia of a ball, q = (x, y, z, small turns): lengths times `length`, turns as
 * they are. */
static void tripod_init(body *b, const description *d) {
    static const double feet[FEET][2] = {{0.23, -0.02}, {-0.11, 0.19}, {-0.13, -0.17}};
    static const double mu[FEET] = {0.4, 0.3, 0.55};
    body_init(b, 6, FEET * d->copies, 2);
    const double l = d->length;
    for (int i = 0; i < 3; i++) {
        b->mass[i] = MASS * d->mass;
        b->mass[3 + i] = 0.03 * MASS * d->mass * l * l;
    }
    b->force[2] = -MASS * GRAVITY * d->mass * l / (d->time * d->time);
    for (int j = 0; j < FEET * d->copies; j++) {
        const int foot = d->order[j % FEET];
        double r[3] = {feet[foot][0] * l, feet[foot][1] * l, -0.15 * l};
        turn(d->angle, r);
        const double rows[3][6] = {{1.0, 0.0, 0.0, 0.0, r[2], -r[1]},
                                   {0.0, 1.0, 0.0, -r[2], 0.0, r[0]},
                                   {0.0, 0.0, 1.0, r[1], -r[0], 0.0}};
        memcpy(&b->H[12 * j], rows[0], 2 * sizeof rows[0]);
        memcpy(&b->G[6 * j], rows[2], sizeof rows[2]);
        b->friction[j] = mu[foot];
        b->restitution[j] = 0.3;
    }
    const double q[6] = {0.0, 0.0, 0.03, 0.0, 0.0, 0.0};
    const double v[6] = {1.9, -0.4, -0.5, 0.3, -0.2, 3.7};
    for (int i = 0; i < 6; i++) {
        b->q[i] = q[i] * (i < 3 ? l : 1.0);
        b->v[i] = v[i] * (i < 3 ? l : 1.0) / d->time;
    }
    for (int i = 0; i < 6; i += 3) {
        turn(d->angle, b->q + i);
        turn(d->angle, b->v + i);
    }
}

static void by_scheme(const body *b, carom_scheme scheme, double h, double *state) {
    carom_stepper_params params = scheme_with_step(scheme, h);
    params.tolerance = 1e-12;
    carom_stepper *stepper = stepped(&b->mechanism, &params, b->q, b->v, STEPS);
    memcpy(state, carom_stepper_result(stepper)->position, 6 * sizeof *state);
    memcpy(state + 6, carom_stepper_result(stepper)->velocity, 6 * sizeof *state);
    carom_stepper_free(stepper);
}

static void by_variational(const body *b, double h, double *state) {
    carom_variational_params params = carom_variational_params_default();
    carom_variational_stepper *stepper = NULL;
    params.step = h;
    assert_ok(carom_variational_stepper_alloc(&b->mechanism, &params, &stepper, NULL));
    assert_ok(carom_variational_stepper_start(stepper, 0.0, b->q, b->v, NULL, NULL));
    for (int k = 0; k < STEPS; k++) {
        assert_ok(carom_variational_stepper_advance(stepper, NULL));
    }
    memcpy(state, carom_variational_stepper_result(stepper)->position, 6 * sizeof *state);
    memcpy(state + 6, carom_variational_stepper_result(stepper)->velocity, 6 * sizeof *state);
    carom_variational_stepper_free(stepper);
}

static void by_error_reduction(const body *b, double h, double *state) {
    carom_error_reduction_params params = carom_error_reduction_params_default();
    carom_error_reduction_stepper *stepper = NULL;
    params.step = h;
    params.solver = CAROM_ERROR_REDUCTION_EXACT;
    assert_ok(carom_error_reduction_stepper_alloc(&b->mechanism, &params, &stepper, NULL));
    assert_ok(carom_error_reduction_stepper_start(stepper, 0.0, b->q, b->v, NULL));
    for (int k = 0; k < STEPS; k++) {
        assert_ok(carom_error_reduction_stepper_advance(stepper, NULL));
    }
    memcpy(state, carom_error_reduction_stepper_result(stepper)->position, 6 * sizeof *state);
    memcpy(state + 6, carom_error_reduction_stepper_result(stepper)->velocity, 6 * sizeof *state);
    carom_error_reduction_stepper_free(stepper);
}

enum { VARIATIONAL = SCHEME_COUNT, ERROR_REDUCTION, METHOD_COUNT };

/* (q, v) at the end, told as it is. */
static void follow(int method, const description *d, double *state) {
    body b;
    tripod_init(&b, d);
    const double h = 4e-3 * d->time;
    if (method == VARIATIONAL) {
        by_variational(&b, h, state);
    } else if (method == ERROR_REDUCTION) {
        by_error_reduction(&b, h, state);
    } else {
        by_scheme(&b, SCHEMES[method], h, state);
    }
    for (int i = 0; i < STATE; i += 3) {
        turn(-d->angle, state + i);
    }
    for (int i = 0; i < STATE; i++) {
        state[i] *= (i % 6 < 3 ? 1.0 / d->length : 1.0) * (i < 6 ? 1.0 : d->time);
    }
}

LOOP_TEST(property, motion_with_friction_in_space_is_the_same_however_it_is_described,
          METHOD_COUNT) {
    double expected[STATE];
    follow(_i, &DESCRIPTIONS[0], expected);
    // It has slid and turned, and goes on.
    ck_assert(expected[0] > 0.2 && expected[5] > 0.3 && expected[6] > 0.2 && expected[11] > 0.2);
    for (int k = 1; k < DESCRIPTION_COUNT; k++) {
        double state[STATE];
        follow(_i, &DESCRIPTIONS[k], state);
        for (int i = 0; i < STATE; i++) {
            ck_assert_msg(fabs(state[i] - expected[i]) <= SAME_MOTION,
                          "%d, %s: %d is %.17g, not %.17g", _i, DESCRIPTIONS[k].name, i, state[i],
                          expected[i]);
        }
    }
}
