/** A longer chain of equal balls, struck at one end: /chain. */
#include "results.h"

#include <stdio.h>
#include <stdlib.h>

/** The methods that are compared. */
typedef enum chain_method { LAW, STEPPED, BASELINE_SWEEPS, BASELINE_EXACT, METHODS } chain_method;

static const char *const method_names[METHODS] = {"propagative", "variational", "baseline_sweeps",
                                                  "baseline_exact"};

static const char *const method_texts[METHODS] = {
    "velocities after the impact by the propagative law",
    "velocities after a step with the propagative law",
    "velocities after a step of the baseline with its sweeps",
    "velocities after a step of the baseline solved exactly",
};

/** Touching balls of the first mass of the options, the first with their speed. */
static carom_status make(const results *r, double restitution, carom_model **out) {
    const int n = r->values->chain_balls;
    double *memory = calloc(3 * (size_t)n, sizeof(double));
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        memory[i] = r->values->mass[0];
        memory[n + i] = r->values->radius;
    }
    memory[2 * n] = newtons_cradle_speed(r->values);
    const carom_ball_chain_params params = {
        .balls = n,
        .masses = memory,
        .radii = memory + n,
        .velocities = memory + 2 * n,
        .restitution = restitution,
    };
    const carom_status status = carom_ball_chain_alloc(&params, out, r->report);
    free(memory);
    return status;
}

static carom_status by_law(const results *r, const carom_model *model, double restitution,
                           double *velocity) {
    carom_impact_problem *problem = NULL;
    double change = 0.0;
    const double touching = 1e-12 * r->values->radius * r->values->chain_balls;
    CAROM_TRY(carom_impact_problem_of_mechanism(&model->mechanism, model->initial_position,
                                                model->initial_velocity, touching, NULL, &problem,
                                                r->report));
    const carom_status status =
        newtons_cradle_impact(r->values, problem, restitution, velocity, &change, r->report);
    carom_impact_problem_free(problem);
    return status;
}

static void copy(int n, const double *from, double *to) {
    for (int i = 0; i < n; i++) {
        to[i] = from[i];
    }
}

static carom_status by_stepping(const results *r, const carom_model *model, double *velocity) {
    carom_variational_params params = carom_variational_params_default();
    CAROM_AUTO(carom_variational_stepper) stepper = NULL;
    newtons_cradle_stepping(r->values, r->values->step, &params);
    params.first = 0;
    params.most_reflections = newtons_cradle_most_reflections(r->values->chain_balls);
    CAROM_TRY(carom_variational_stepper_alloc(&model->mechanism, &params, &stepper, r->report));
    CAROM_TRY(carom_variational_stepper_start(stepper, 0.0, model->initial_position,
                                              model->initial_velocity, NULL, r->report));
    CAROM_TRY(carom_variational_stepper_advance(stepper, r->report));
    copy(r->values->chain_balls, carom_variational_stepper_result(stepper)->velocity, velocity);
    return CAROM_OK;
}

static carom_status by_baseline(const results *r, const carom_model *model,
                                carom_error_reduction_solver solver, double *velocity) {
    carom_error_reduction_params params = r->values->baseline;
    CAROM_AUTO(carom_error_reduction_stepper) stepper = NULL;
    params.step = r->values->step;
    params.solver = solver;
    CAROM_TRY(carom_error_reduction_stepper_alloc(&model->mechanism, &params, &stepper, r->report));
    CAROM_TRY(carom_error_reduction_stepper_start(stepper, 0.0, model->initial_position,
                                                  model->initial_velocity, r->report));
    CAROM_TRY(carom_error_reduction_stepper_advance(stepper, r->report));
    copy(r->values->chain_balls, carom_error_reduction_stepper_result(stepper)->velocity, velocity);
    return CAROM_OK;
}

/** One coefficient by every method: velocity[method] is [coefficient][N]. */
static carom_status run(const results *r, int coefficient, double *const *velocity) {
    const double e = r->values->coefficients.values[coefficient];
    const size_t row = (size_t)coefficient * (size_t)r->values->chain_balls;
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_TRY(make(r, e, &model));
    CAROM_TRY(by_law(r, model, e, velocity[LAW] + row));
    CAROM_TRY(by_stepping(r, model, velocity[STEPPED] + row));
    CAROM_TRY(by_baseline(r, model, CAROM_ERROR_REDUCTION_SWEEPS, velocity[BASELINE_SWEEPS] + row));
    return by_baseline(r, model, CAROM_ERROR_REDUCTION_EXACT, velocity[BASELINE_EXACT] + row);
}

static carom_status run_and_write(results *r, double *const *velocity) {
    const settings *values = r->values;
    char path[PATH_SIZE];
    for (int k = 0; k < values->coefficients.count; k++) {
        CAROM_TRY(run(r, k, velocity));
    }
    for (int i = 0; i < values->coefficients.count * values->chain_balls; i++) {
        r->chain_error = fmax(r->chain_error, fabs(velocity[STEPPED][i] - velocity[LAW][i]));
    }
    carom_record_index_axis(r->record, "/chain/ball", values->chain_balls, "ball");
    carom_record_axis(r->record, "/chain/restitution", values->coefficients.count,
                      values->coefficients.values, "1", "coefficient of restitution");
    for (int k = 0; k < METHODS; k++) {
        snprintf(path, sizeof path, "/chain/%s", method_names[k]);
        carom_record_series(r->record, path, velocity[k], "/chain/restitution", "/chain/ball",
                            "m s-1", method_texts[k]);
    }
    return CAROM_OK;
}

carom_status newtons_cradle_write_chain(results *r) {
    const size_t size = (size_t)r->values->coefficients.count * (size_t)r->values->chain_balls;
    double *memory = calloc(METHODS * size, sizeof(double));
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *velocity[METHODS];
    for (size_t k = 0; k < METHODS; k++) {
        velocity[k] = memory + k * size;
    }
    const carom_status status = run_and_write(r, velocity);
    free(memory);
    return status;
}
