#include <carom/timestepping/plastic_integrator.h>

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The first step tried, s: the error control makes of it what it should be, growing by 5 a step. */
static const double FIRST_STEP = 1e-3;

/* y' = (v, a). A trial state where the equations cannot be evaluated is a reason for a smaller
 * step. */
static int rate(double t, const double *y, double *y_dot, void *context) {
    carom_plastic_integrator *at = context;
    const int n = at->dynamics->n;
    at->equation_status = carom_plastic_dynamics_accelerate(at->dynamics, at->origin + t, y, y + n,
                                                            at->is_closed, &at->refusal);
    if (at->equation_status != CAROM_OK) {
        return GSL_FAILURE;
    }
    memcpy(y_dot, y + n, (size_t)n * sizeof(double));
    memcpy(y_dot + n, at->dynamics->acceleration, (size_t)n * sizeof(double));
    return GSL_SUCCESS;
}

carom_status carom_plastic_integrator_init(carom_plastic_integrator *at,
                                           carom_plastic_dynamics *dynamics,
                                           double relative_tolerance, double absolute_tolerance) {
    *at = (carom_plastic_integrator){.dynamics = dynamics};
    const size_t size = 2 * (size_t)dynamics->n;
    at->system = (gsl_odeiv2_system){rate, NULL, size, at};
    at->memory = calloc(4 * size, sizeof(double));
    at->step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, size);
    at->control = gsl_odeiv2_control_y_new(absolute_tolerance, relative_tolerance);
    at->evolve = gsl_odeiv2_evolve_alloc(size);
    if (at->memory == NULL || at->step == NULL || at->control == NULL || at->evolve == NULL) {
        carom_plastic_integrator_clear(at);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    at->state = at->memory;
    at->step_state = at->state + size;
    at->probe_state = at->step_state + size;
    at->error = at->probe_state + size;
    at->step_size = FIRST_STEP;
    return CAROM_OK;
}

void carom_plastic_integrator_clear(carom_plastic_integrator *at) {
    if (at->evolve != NULL) {
        gsl_odeiv2_evolve_free(at->evolve);
    }
    if (at->control != NULL) {
        gsl_odeiv2_control_free(at->control);
    }
    if (at->step != NULL) {
        gsl_odeiv2_step_free(at->step);
    }
    free(at->memory);
    *at = (carom_plastic_integrator){0};
}

void carom_plastic_integrator_restart(carom_plastic_integrator *at, double time, bool is_closed) {
    at->origin = time;
    at->time = time;
    at->elapsed = 0.0;
    at->step_origin = 0.0;
    at->step_length = 0.0;
    at->is_closed = is_closed;
    (void)gsl_odeiv2_evolve_reset(at->evolve);
}

/* Why the equations could not be evaluated, or that the steps became too short. */
static carom_status explain(const carom_plastic_integrator *at, carom_report *report) {
    if (at->equation_status == CAROM_OK) {
        return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "integration step",
                                 at->step_size, -1);
    }
    return carom_report_fail(report, at->equation_status, at->refusal.quantity, at->refusal.value,
                             at->refusal.index);
}

carom_status carom_plastic_integrator_step(carom_plastic_integrator *at, double until,
                                           double largest, carom_report *report) {
    memcpy(at->step_state, at->state, at->system.dimension * sizeof(double));
    at->step_origin = at->elapsed;
    at->step_length = 0.0;
    const double rest = until - at->origin;
    if (!(at->elapsed < rest)) {
        at->time = until;
        return CAROM_OK;
    }
    const double wanted = fmin(at->step_size, largest);
    at->step_size = wanted;
    const int code = gsl_odeiv2_evolve_apply(at->evolve, at->control, at->step, &at->system,
                                             &at->elapsed, rest, &at->step_size, at->state);
    at->step_length = at->elapsed - at->step_origin;
    if (code != GSL_SUCCESS || !(at->step_length > 0.0)) {
        return explain(at, report);
    }
    at->time = at->origin + at->elapsed;
    if (!(at->elapsed < rest)) {
        /* A step cut short by the end says nothing about the next. */
        at->time = until;
        at->step_size = fmax(at->step_size, wanted);
    }
    return CAROM_OK;
}

carom_status carom_plastic_integrator_probe(carom_plastic_integrator *at, double duration,
                                            carom_report *report) {
    const int n = at->dynamics->n;
    double *y = at->probe_state;
    memcpy(y, at->step_state, at->system.dimension * sizeof(double));
    if (gsl_odeiv2_step_apply(at->step, at->step_origin, duration, y, at->error, NULL, NULL,
                              &at->system) != GSL_SUCCESS) {
        return explain(at, report);
    }
    const double t = at->origin + at->step_origin + duration;
    return carom_plastic_dynamics_observe(at->dynamics, t, y, y + n, at->is_closed, report);
}

void carom_plastic_integrator_go_back(carom_plastic_integrator *at, double duration) {
    memcpy(at->state, at->probe_state, at->system.dimension * sizeof(double));
    at->elapsed = at->step_origin + duration;
    at->time = at->origin + at->elapsed;
}
