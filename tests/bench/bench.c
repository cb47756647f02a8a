/*
 * Cost of a time step: a table of nanoseconds per step against the number of coordinates and
 * contacts, without recording. Each figure is the median over several batches of steps of one
 * stepper, restarted for every batch.
 *
 *     bench [--json FILE]
 */
#include <carom/models/ball_column.h>
#include <carom/models/bouncing_ball.h>
#include <carom/models/bouncing_pendulum.h>
#include <carom/models/elastic_bar.h>
#include <carom/models/rocking_block.h>
#include <carom/timestepping/stepper.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCHES = 7, MAX_ROWS = 32 };

/* Steps per batch are chosen so that a batch takes about this long, s. */
static const double BATCH_TIME = 0.04;

typedef struct row {
    char system[32];
    char method[48];
    int coordinates;
    int contacts;
    double nanoseconds; /* per step, median */
    double spread;      /* (largest - smallest) / median over the batches */
    double target;      /* ns; NaN if none is set */
} row;

typedef struct table {
    row rows[MAX_ROWS];
    int count;
} table;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Time of `steps` steps from the initial state, s; negative on failure. */
static double time_batch(carom_stepper *stepper, const carom_model *model, long steps) {
    if (carom_stepper_start(stepper, 0.0, model->initial_position, model->initial_velocity, NULL) !=
        CAROM_OK) {
        return -1.0;
    }
    const double begin = seconds();
    for (long k = 0; k < steps; k++) {
        if (carom_stepper_advance(stepper, NULL) != CAROM_OK) {
            return -1.0;
        }
    }
    return seconds() - begin;
}

/* Steps that fill a batch, at most those of one period of interest of the system. */
static long choose_steps(carom_stepper *stepper, const carom_model *model, long most) {
    long steps = 1;
    while (steps < most) {
        const double elapsed = time_batch(stepper, model, steps);
        if (elapsed < 0.0 || elapsed > 0.5 * BATCH_TIME) {
            break;
        }
        steps *= 2;
    }
    return steps < most ? steps : most;
}

static int measure(table *t, const char *system, const char *method, const carom_model *model,
                   const carom_stepper_params *params, long most_steps, double target) {
    carom_stepper *stepper = NULL;
    if (carom_stepper_alloc(&model->mechanism, params, &stepper, NULL) != CAROM_OK) {
        return 1;
    }
    const long steps = choose_steps(stepper, model, most_steps);
    double per_step[BATCHES];
    for (int k = 0; k < BATCHES; k++) {
        const double elapsed = time_batch(stepper, model, steps);
        if (elapsed < 0.0) {
            fprintf(stderr, "bench: %s with %s failed\n", system, method);
            carom_stepper_free(stepper);
            return 1;
        }
        per_step[k] = 1e9 * elapsed / (double)steps;
    }
    carom_stepper_free(stepper);
    gsl_sort(per_step, 1, BATCHES);
    row *r = &t->rows[t->count++];
    snprintf(r->system, sizeof r->system, "%s", system);
    snprintf(r->method, sizeof r->method, "%s", method);
    r->coordinates = model->mechanism.coordinate_count;
    r->contacts = model->mechanism.contact_count;
    r->nanoseconds = per_step[BATCHES / 2];
    r->spread = (per_step[BATCHES - 1] - per_step[0]) / r->nanoseconds;
    r->target = target;
    return 0;
}

static carom_stepper_params params_of(carom_scheme scheme, double step) {
    carom_stepper_params params = carom_stepper_params_default(scheme);
    params.step = step;
    return params;
}

static int bench_ball(table *t) {
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

static int bench_pendulum(table *t) {
    carom_model *model = NULL;
    const carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
    if (carom_bouncing_pendulum_alloc(&pendulum, &model, NULL) != CAROM_OK) {
        return 1;
    }
    int failures = 0;
    carom_stepper_params params = params_of(CAROM_SCHEME_NONSMOOTH_GALPHA, 1e-3);
    failures += measure(t, "pendulum", "nonsmooth_galpha", model, &params, 6000, (double)NAN);
    params.newton = CAROM_NEWTON_SEQUENTIAL;
    failures +=
        measure(t, "pendulum", "nonsmooth_galpha, sequential", model, &params, 6000, (double)NAN);
    params = params_of(CAROM_SCHEME_MOREAU_JEAN, 1e-3);
    failures += measure(t, "pendulum", "moreau_jean", model, &params, 6000, (double)NAN);
    carom_model_free(model);
    return failures;
}

static int bench_block(table *t) {
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

static int bench_columns(table *t) {
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

static int bench_bars(table *t) {
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

static void print_table(const table *t) {
    printf("%-16s %-30s %11s %9s %14s %12s %8s %10s\n", "system", "method", "coordinates",
           "contacts", "ns/step", "ns/step/n", "spread", "target/ns");
    for (int k = 0; k < t->count; k++) {
        const row *r = &t->rows[k];
        printf("%-16s %-30s %11d %9d %14.1f %12.2f %7.0f%%", r->system, r->method, r->coordinates,
               r->contacts, r->nanoseconds, r->nanoseconds / (double)r->coordinates,
               100.0 * r->spread);
        if (isfinite(r->target)) {
            printf(" %10.0f", r->target);
        }
        printf("\n");
    }
}

static int write_json(const table *t, const char *path) {
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        fprintf(stderr, "bench: cannot write %s\n", path);
        return 1;
    }
    fprintf(file, "[\n");
    for (int k = 0; k < t->count; k++) {
        const row *r = &t->rows[k];
        fprintf(file,
                "  {\"system\": \"%s\", \"method\": \"%s\", \"coordinates\": %d, \"contacts\": %d, "
                "\"ns_per_step\": %.6g, \"spread\": %.3g}%s\n",
                r->system, r->method, r->coordinates, r->contacts, r->nanoseconds, r->spread,
                k + 1 < t->count ? "," : "");
    }
    fprintf(file, "]\n");
    return fclose(file) == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
    const char *json = NULL;
    if (argc == 3 && strcmp(argv[1], "--json") == 0) {
        json = argv[2];
    } else if (argc != 1) {
        fprintf(stderr, "usage: bench [--json FILE]\n");
        return 2;
    }
    gsl_set_error_handler_off();
    static table t;
    const int failures =
        bench_ball(&t) + bench_pendulum(&t) + bench_block(&t) + bench_columns(&t) + bench_bars(&t);
    print_table(&t);
    if (json != NULL && write_json(&t, json) != 0) {
        return 1;
    }
    return failures == 0 ? 0 : 1;
}
