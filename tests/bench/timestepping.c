/* Cost of a time step of the models under the schemes, from the initial state, without recording.
 */
#include "bench.h"

#include <carom/models/ball_column.h>
#include <carom/models/bouncing_ball.h>
#include <carom/models/bouncing_pendulum.h>
#include <carom/models/elastic_bar.h>
#include <carom/models/rocking_block.h>
#include <carom/timestepping/engine/error_reduction.h>
#include <carom/timestepping/galpha/galpha.h>

#include <math.h>

/* What a batch works on: one stepper, restarted for every batch. */
typedef struct run {
    carom_stepper *stepper;
    const carom_model *model;
} run;

static double time_steps(long steps, void *context) {
    const run *r = context;
    if (carom_stepper_start(r->stepper, 0.0, r->model->initial_position, r->model->initial_velocity,
                            NULL) != CAROM_OK) {
        return -1.0;
    }
    const double begin = bench_seconds();
    for (long k = 0; k < steps; k++) {
        if (carom_stepper_advance(r->stepper, NULL) != CAROM_OK) {
            return -1.0;
        }
    }
    return bench_seconds() - begin;
}

/* At most the steps of one period of interest of the system. */
static int measure(bench_table *t, const char *system, const char *method, const carom_model *model,
                   const carom_stepper_params *params, long most_steps, double target) {
    run r = {.model = model};
    if (carom_stepper_alloc(&model->mechanism, params, &r.stepper, NULL) != CAROM_OK) {
        return 1;
    }
    const bench_row row = {
        .system = system,
        .method = method,
        .coordinates = model->mechanism.coordinate_count,
        .contacts = model->mechanism.contact_count,
        .unit = {.name = "ns/step", .factor = 1e9},
        .work = model->mechanism.coordinate_count,
        .target = target,
    };
    const int failures = bench_measure(t, row, time_steps, most_steps, &r);
    carom_stepper_free(r.stepper);
    return failures;
}

static carom_stepper_params params_of(carom_scheme scheme, double step) {
    carom_stepper_params params = carom_stepper_params_default(scheme);
    params.step = step;
    return params;
}

static int bench_ball(bench_table *t) {
    carom_model *model = NULL;
    const carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    if (carom_bouncing_ball_alloc(&ball, &model, NULL) != CAROM_OK) {
        return 1;
    }
    const long five_seconds = 2500; /* steps */
    carom_stepper_params params = params_of(CAROM_SCHEME_NONSMOOTH_GALPHA, 2e-3);
    int failures = measure(t, "ball", "nonsmooth_galpha", model, &params, five_seconds, 300.0);
    params = params_of(CAROM_SCHEME_MOREAU_JEAN, 2e-3);
    failures += measure(t, "ball", "moreau_jean", model, &params, five_seconds, 100.0);
    params = params_of(CAROM_SCHEME_NONSMOOTH_GALPHA, 2e-3);
    params.use_linear_step = false;
    failures +=
        measure(t, "ball", "nonsmooth_galpha, Newton", model, &params, five_seconds, (double)NAN);
    carom_model_free(model);
    return failures;
}

static int bench_pendulum(bench_table *t) {
    carom_model *model = NULL;
    const carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
    if (carom_bouncing_pendulum_alloc(&pendulum, &model, NULL) != CAROM_OK) {
        return 1;
    }
    int failures = 0;
    carom_stepper_params params = params_of(CAROM_SCHEME_NONSMOOTH_GALPHA, 1e-3);
    failures += measure(t, "pendulum", "nonsmooth_galpha", model, &params, 6000, 2500.0);
    params.newton = CAROM_NEWTON_SEQUENTIAL;
    failures +=
        measure(t, "pendulum", "nonsmooth_galpha, sequential", model, &params, 6000, (double)NAN);
    params = params_of(CAROM_SCHEME_MOREAU_JEAN, 1e-3);
    failures += measure(t, "pendulum", "moreau_jean", model, &params, 6000, (double)NAN);
    carom_model_free(model);
    return failures;
}

static int bench_block(bench_table *t) {
    carom_model *model = NULL;
    const carom_rocking_block_params block = carom_rocking_block_params_default();
    if (carom_rocking_block_alloc(&block, &model, NULL) != CAROM_OK) {
        return 1;
    }
    carom_stepper_params params = params_of(CAROM_SCHEME_NONSMOOTH_GALPHA, 1e-2);
    const int failures = measure(t, "block", "nonsmooth_galpha", model, &params, 200, (double)NAN);
    carom_model_free(model);
    return failures;
}

static int bench_columns(bench_table *t) {
    const int balls[] = {10, 128};
    const double targets[] = {2e3, 100e3};
    int failures = 0;
    for (int k = 0; k < 2; k++) {
        carom_ball_column_params column = carom_ball_column_params_default();
        column.balls = balls[k];
        carom_model *model = NULL;
        if (carom_ball_column_alloc(&column, &model, NULL) != CAROM_OK) {
            return failures + 1;
        }
        const carom_stepper_params params = params_of(CAROM_SCHEME_NONSMOOTH_GALPHA, 1e-3);
        failures +=
            measure(t, "column of balls", "nonsmooth_galpha", model, &params, 4096, targets[k]);
        carom_model_free(model);
    }
    return failures;
}

static double time_error_reduction(long steps, void *context) {
    const double begin = bench_seconds();
    for (long k = 0; k < steps; k++) {
        if (carom_error_reduction_stepper_advance(context, NULL) != CAROM_OK) {
            return -1.0;
        }
    }
    return bench_seconds() - begin;
}

/* Five balls that rest on each other, exact impulses; goes on from batch to batch. */
static int bench_error_reduction(bench_table *t) {
    carom_ball_column_params column = carom_ball_column_params_default();
    carom_error_reduction_params params = carom_error_reduction_params_default();
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_AUTO(carom_error_reduction_stepper) stepper = NULL;
    column.balls = 5;
    params.solver = CAROM_ERROR_REDUCTION_EXACT;
    if (carom_ball_column_alloc(&column, &model, NULL) != CAROM_OK ||
        carom_error_reduction_stepper_alloc(&model->mechanism, &params, &stepper, NULL) !=
            CAROM_OK ||
        carom_error_reduction_stepper_start(stepper, 0.0, model->initial_position,
                                            model->initial_velocity, NULL) != CAROM_OK) {
        return 1;
    }
    const bench_row row = {.system = "column of balls",
                           .method = "error_reduction, exact",
                           .coordinates = 5,
                           .contacts = 5,
                           .unit = {.name = "ns/step", .factor = 1e9},
                           .work = 5.0,
                           .target = (double)NAN};
    return bench_measure(t, row, time_error_reduction, 1L << 20, stepper);
}

static int bench_bars(bench_table *t) {
    const int elements[] = {200, 2000, 20000, 200000, 1000000};
    int failures = 0;
    for (int k = 0; k < 5; k++) {
        carom_elastic_bar_params bar = carom_elastic_bar_params_default();
        bar.elements = elements[k];
        bar.initial_gap = 0.05; /* contact soon, so that it is in the average */
        carom_model *model = NULL;
        if (carom_elastic_bar_alloc(&bar, &model, NULL) != CAROM_OK) {
            return failures + 1;
        }
        /* constant Courant number 1.2: the step shrinks with the elements */
        const carom_stepper_params params =
            params_of(CAROM_SCHEME_NONSMOOTH_GALPHA, 2e-3 * 200.0 / (double)elements[k]);
        failures += measure(t, "elastic bar", "nonsmooth_galpha", model, &params, 1000,
                            elements[k] == 200 ? 3e3 : (double)NAN);
        carom_model_free(model);
    }
    return failures;
}

int bench_timestepping(bench_table *t) {
    return bench_ball(t) + bench_pendulum(t) + bench_block(t) + bench_columns(t) +
           bench_error_reduction(t) + bench_bars(t);
}
