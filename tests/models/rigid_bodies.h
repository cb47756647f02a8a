/** A rigid body in space on its way by Moreau and Jean's steps: free, or a box thrown at a plane.
 */
#ifndef CAROM_TESTS_MODELS_RIGID_BODIES_H
#define CAROM_TESTS_MODELS_RIGID_BODIES_H

#include "../support.h"

#include <carom/mechanism/rotation.h>
#include <carom/models/rigid_body.h>
#include <carom/timestepping/galpha/galpha.h>

#include <string.h>

enum { POSITIONS = 7, VELOCITIES = 6 };

static const double UNIT[4] = {1.0, 0.0, 0.0, 0.0};

static inline double norm3(const double *x) {
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

static inline carom_stepper_params moreau(double h, double theta) {
    carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    params.step = h;
    params.theta = theta;
    return params;
}

static inline carom_model *model_of(const carom_rigid_body_params *params) {
    carom_model *model = NULL;
    carom_report report = carom_report_empty();
    const carom_status status = carom_rigid_body_alloc(params, &model, &report);
    ck_assert_msg(status == CAROM_OK, "%s %s", carom_status_name(status), report.sentence);
    return model;
}

static inline carom_stepper *started(const carom_model *model, const carom_stepper_params *params) {
    carom_stepper *stepper = NULL;
    carom_report report = carom_report_empty();
    carom_status status = carom_stepper_alloc(&model->mechanism, params, &stepper, &report);
    if (status == CAROM_OK) {
        status = carom_stepper_start(stepper, 0.0, model->initial_position, model->initial_velocity,
                                     &report);
    }
    ck_assert_msg(status == CAROM_OK, "%s %s", carom_status_name(status), report.sentence);
    return stepper;
}

static inline const carom_step *advance(carom_stepper *stepper) {
    carom_report report = carom_report_empty();
    const carom_status status = carom_stepper_advance(stepper, &report);
    ck_assert_msg(status == CAROM_OK, "%s at %g, residual %.3g, %d iterations",
                  carom_status_name(status), report.time, report.residual, report.iterations);
    return carom_stepper_result(stepper);
}

static inline double energy_of(const carom_model *model, const carom_step *step) {
    double work[VELOCITIES * (VELOCITIES + 1)];
    return carom_mechanism_kinetic_energy(&model->mechanism, step->position, step->velocity, work) +
           model->mechanism.potential_energy(step->position, model->mechanism.context);
}

/** A random rotation. */
static inline void random_rotation(gsl_rng *generator, double *p) {
    double a[3];
    for (int i = 0; i < 3; i++) {
        a[i] = uniform(generator, -2.0, 2.0);
    }
    carom_rotation_advance(UNIT, a, p);
}

static inline carom_rigid_body_params free_body(void) {
    carom_rigid_body_params params = carom_rigid_body_params_default();
    params.shape = CAROM_RIGID_BODY_FREE;
    params.mass = 2.385;
    params.inertia[0] = 0.31;
    params.inertia[1] = 0.47;
    params.inertia[2] = 0.22;
    memset(params.gravity, 0, sizeof params.gravity);
    params.initial_velocity[0] = 0.4;
    params.initial_velocity[2] = -0.3;
    params.initial_angular_velocity[0] = 1.1;
    params.initial_angular_velocity[1] = -0.7;
    params.initial_angular_velocity[2] = 2.3;
    const double turn[3] = {0.3, -0.9, 1.7};
    carom_rotation_advance(UNIT, turn, params.initial_rotation);
    return params;
}

static inline carom_rigid_body_params thrown_box(void) {
    carom_rigid_body_params params = carom_rigid_body_params_default();
    params.shape = CAROM_RIGID_BODY_BOX;
    params.mass = 2.385;
    const double edges[3] = {0.31, 0.22, 0.17};
    for (int i = 0; i < 3; i++) {
        const double a = edges[(i + 1) % 3];
        const double b = edges[(i + 2) % 3];
        params.edges[i] = edges[i];
        params.inertia[i] = params.mass * (a * a + b * b) / 12.0;
    }
    params.friction = 0.4;
    params.initial_position[2] = 0.45;
    params.initial_velocity[0] = 1.9;
    params.initial_velocity[1] = -0.6;
    params.initial_velocity[2] = 0.2;
    params.initial_angular_velocity[0] = 4.1;
    params.initial_angular_velocity[1] = -2.7;
    params.initial_angular_velocity[2] = 3.3;
    const double turn[3] = {0.3, -0.9, 0.7};
    carom_rotation_advance(UNIT, turn, params.initial_rotation);
    return params;
}

#endif
