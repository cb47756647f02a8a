/** Whole runs for the test suites, and what is read off them. */
#ifndef CAROM_TESTS_TIMESTEPPING_RUNS_H
#define CAROM_TESTS_TIMESTEPPING_RUNS_H

#include <carom/models/bouncing_ball.h>
#include <carom/models/bouncing_pendulum.h>
#include <carom/models/elastic_bar.h>
#include <carom/models/rocking_block.h>
#include <carom/timestepping/galpha/galpha.h>

#include "../../support.h"

#include <string.h>

/** A model, its run, both to be released by run_clear. */
typedef struct run {
    carom_model *model;
    carom_trajectory *trajectory;
} run;

/** A mechanism as a scheme takes it: smooth_galpha has no law of impacts. */
static inline carom_mechanism taken_by(carom_scheme scheme, const carom_mechanism *mechanism) {
    static const double none[64];
    carom_mechanism taken = *mechanism;
    ck_assert_int_le(mechanism->contact_count, 64);
    if (scheme == CAROM_SCHEME_SMOOTH_GALPHA) {
        taken.restitution = none;
    }
    return taken;
}

static inline carom_trajectory *run_mechanism(const carom_mechanism *mechanism,
                                              const carom_stepper_params *params, const double *q0,
                                              const double *v0, double duration) {
    carom_trajectory *trajectory = NULL;
    carom_report report = carom_report_empty();
    const carom_mechanism taken = taken_by(params->scheme, mechanism);
    const carom_status status =
        carom_trajectory_run(&taken, params, q0, v0, duration, NULL, NULL, &trajectory, &report);
    ck_assert_msg(status == CAROM_OK, "%s, %s: %s at t = %g, residual %.3g, quantity %s",
                  mechanism->name, carom_scheme_name(params->scheme), carom_status_name(status),
                  report.time, report.residual, report.quantity != NULL ? report.quantity : "none");
    return trajectory;
}

/** Takes the model over. */
static inline run run_model(carom_model *model, const carom_stepper_params *params,
                            double duration) {
    run r = {model, run_mechanism(&model->mechanism, params, model->initial_position,
                                  model->initial_velocity, duration)};
    return r;
}

static inline void run_clear(run *r) {
    carom_trajectory_free(r->trajectory);
    carom_model_free(r->model);
}

static inline run run_ball(const carom_bouncing_ball_params *ball,
                           const carom_stepper_params *params, double duration) {
    carom_model *model = NULL;
    assert_ok(carom_bouncing_ball_alloc(ball, &model, NULL));
    return run_model(model, params, duration);
}

static inline run run_pendulum(const carom_bouncing_pendulum_params *pendulum,
                               const carom_stepper_params *params, double duration) {
    carom_model *model = NULL;
    assert_ok(carom_bouncing_pendulum_alloc(pendulum, &model, NULL));
    return run_model(model, params, duration);
}

static inline run run_bar(const carom_elastic_bar_params *bar, const carom_stepper_params *params,
                          double duration) {
    carom_model *model = NULL;
    assert_ok(carom_elastic_bar_alloc(bar, &model, NULL));
    return run_model(model, params, duration);
}

static inline run run_block(const carom_rocking_block_params *block,
                            const carom_stepper_params *params, double duration) {
    carom_model *model = NULL;
    assert_ok(carom_rocking_block_alloc(block, &model, NULL));
    return run_model(model, params, duration);
}

static inline carom_stepper_params scheme_with_step(carom_scheme scheme, double h) {
    carom_stepper_params params = carom_stepper_params_default(scheme);
    params.step = h;
    return params;
}

/** Row whose time is nearest to t. */
static inline int run_row(const carom_trajectory *t, double time) {
    return (int)lround(time / t->step);
}

/** Entry (row, column) of an array of `columns` columns. */
static inline double run_at(const double *array, int columns, int row, int column) {
    return array[(size_t)row * (size_t)columns + (size_t)column];
}

/**
 * The rows in which a contact begins to act (its impulse becomes positive), in order.
 * @return how many there are; at most `capacity` are stored
 */
static inline int run_contact_rows(const carom_trajectory *t, int contact, int capacity,
                                   int *rows) {
    int count = 0;
    for (int row = 1; row < t->row_count; row++) {
        const double now = run_at(t->contact_impulse, t->contact_count, row, contact);
        const double before = run_at(t->contact_impulse, t->contact_count, row - 1, contact);
        if (now > 0.0 && before <= 0.0) {
            if (count < capacity) {
                rows[count] = row;
            }
            count++;
        }
    }
    return count;
}

static inline double run_minimum(const double *a, int count) {
    double result = a[0];
    for (int i = 1; i < count; i++) {
        result = fmin(result, a[i]);
    }
    return result;
}

static inline double run_maximum(const double *a, int count) {
    double result = a[0];
    for (int i = 1; i < count; i++) {
        result = fmax(result, a[i]);
    }
    return result;
}

static inline int run_most_iterations(const carom_trajectory *t) {
    int most = 0;
    for (int row = 1; row < t->row_count; row++) {
        most = t->newton_iterations[row] > most ? t->newton_iterations[row] : most;
    }
    return most;
}

/** Half a unit of the last printed digit of a decimal number such as "-4.6e-4". */
static inline double printed_uncertainty(const char *text) {
    const char *exponent = strpbrk(text, "eE");
    const size_t mantissa = exponent != NULL ? (size_t)(exponent - text) : strlen(text);
    const char *point = memchr(text, '.', mantissa);
    const int decimals = point != NULL ? (int)(mantissa - (size_t)(point - text)) - 1 : 0;
    return 0.5 * pow(10.0, (exponent != NULL ? (int)strtol(exponent + 1, NULL, 10) : 0) - decimals);
}

/**
 * The number agrees with a printed one in all its digits. One percent of the half unit is allowed
 * for the representation of both in binary.
 */
#define assert_printed(actual, text)                                                           \
    do {                                                                                       \
        const double printed_actual = (actual);                                                \
        ck_assert_msg(fabs(printed_actual - strtod(text, NULL)) <=                             \
                          1.01 * printed_uncertainty(text) + 4e-16 * fabs(strtod(text, NULL)), \
                      "%s = %.12g, printed %s", #actual, printed_actual, text);                \
    } while (0)

/** Least-squares slope of log(error) against log(h). */
static inline double fitted_slope(int count, const double *h, const double *error) {
    double mean_x = 0.0;
    double mean_y = 0.0;
    for (int i = 0; i < count; i++) {
        mean_x += log(h[i]) / count;
        mean_y += log(error[i]) / count;
    }
    double xy = 0.0;
    double xx = 0.0;
    for (int i = 0; i < count; i++) {
        xy += (log(h[i]) - mean_x) * (log(error[i]) - mean_y);
        xx += (log(h[i]) - mean_x) * (log(h[i]) - mean_x);
    }
    return xy / xx;
}

#endif
