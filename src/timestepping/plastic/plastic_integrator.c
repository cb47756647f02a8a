#include <carom/timestepping/plastic/internal.h>

#include <carom/base/scales.h>

#include <float.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The first step tried, as a part of the time to go; the error control adapts it.
 */
static const double FIRST_STEP = 1e-3;

/* The next step aims at this part of the tolerated error and changes by these factors at most; it
 * stays where the error is between the last two parts of the tolerated one. */
static const double SAFETY = 0.9;
static const double LARGEST_CHANGE = 5.0;
static const double LARGEST_ERROR = 1.1;
static const double SMALL_ERROR = 0.5;

/* A velocity is known to this many roundings of what the force can make of it in a step. */
static const double ROUNDINGS = 16.0;

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
    at->relative_tolerance = relative_tolerance;
    at->absolute_tolerance = absolute_tolerance;
    at->memory = calloc(5 * size, sizeof(double));
    at->step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, size);
    if (at->memory == NULL || at->step == NULL) {
        carom_plastic_integrator_clear(at);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    at->state = at->memory;
    at->step_state = at->state + size;
    at->probe_state = at->step_state + size;
    at->error = at->probe_state + size;
    at->weight = at->error + size;
    return CAROM_OK;
}

void carom_plastic_integrator_clear(carom_plastic_integrator *at) {
    if (at->step != NULL) {
        gsl_odeiv2_step_free(at->step);
    }
    free(at->memory);
    *at = (carom_plastic_integrator){0};
}

void carom_plastic_integrator_measure(carom_plastic_integrator *at) {
    at->energy = carom_plastic_dynamics_kinetic_energy(at->dynamics, at->state + at->dynamics->n);
    at->step_size = (double)NAN;
}

void carom_plastic_integrator_restart(carom_plastic_integrator *at, double time, bool is_closed) {
    at->origin = time;
    at->time = time;
    at->elapsed = 0.0;
    at->step_origin = 0.0;
    at->step_length = 0.0;
    at->is_closed = is_closed;
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

/* Errors that a step of length h may have: of the velocities in parts of those that the energy so
 * far can bring about, and not below the rounding of what the force can; of the positions in parts
 * of what such velocities make of them in the step; and in parts of each. */
static void weigh(carom_plastic_integrator *at, double h) {
    carom_plastic_dynamics *d = at->dynamics;
    const double kinetic = carom_plastic_dynamics_kinetic_energy(d, at->state + d->n);
    const double absolute = fmax(at->absolute_tolerance, DBL_EPSILON);
    const double relative = fmax(at->relative_tolerance, DBL_EPSILON);
    const double rounding = ROUNDINGS * DBL_EPSILON * h * sqrt(d->force_square);
    at->energy = fmax(at->energy, kinetic);
    for (int i = 0; i < d->n; i++) {
        const double speed = absolute * carom_scale_speed(at->energy, d->inverse_mass[i]) +
                             rounding * sqrt(d->inverse_mass[i]);
        at->weight[i] = speed * h + relative * fabs(at->state[i]);
        at->weight[d->n + i] = speed + relative * fabs(at->state[d->n + i]);
    }
}

/* The step that the error of one of length h calls for. The rule of gsl_odeiv2_control_scaled_new,
 * which keeps the scales it is made with (these follow the step) and passes an error that is NaN.
 */
static double adjusted(const carom_plastic_integrator *at, double h, double error) {
    const double order = gsl_odeiv2_step_order(at->step);
    if (error > LARGEST_ERROR) {
        return h * fmax(1.0 / LARGEST_CHANGE, SAFETY * pow(error, -1.0 / order));
    }
    if (error < SMALL_ERROR) {
        const double factor = SAFETY * pow(error, -1.0 / (order + 1.0));
        return h * fmax(1.0, fmin(LARGEST_CHANGE, factor));
    }
    return h;
}

/* Try ever shorter steps until one has errors within the tolerances; leaves the state at its end.
 */
static carom_status find_step(carom_plastic_integrator *at, double rest, carom_report *report) {
    const size_t size = at->system.dimension;
    double h = fmin(at->step_size, rest);
    while (h > 0.0 && at->elapsed + h > at->elapsed) {
        at->equation_status = CAROM_OK;
        const int code = gsl_odeiv2_step_apply(at->step, at->elapsed, h, at->state, at->error, NULL,
                                               NULL, &at->system);
        double error = INFINITY;
        if (code == GSL_SUCCESS) {
            weigh(at, h);
            error = carom_scale_largest_ratio((int)size, at->error, at->weight);
        }
        at->step_size = adjusted(at, h, isnan(error) ? (double)INFINITY : error);
        if (error <= LARGEST_ERROR) {
            at->step_length = h;
            return CAROM_OK;
        }
        memcpy(at->state, at->step_state, size * sizeof(double));
        h = at->step_size;
    }
    return explain(at, report);
}

carom_status carom_plastic_integrator_step(carom_plastic_integrator *at, double until,
                                           double largest, carom_report *report) {
    memcpy(at->step_state, at->state, at->system.dimension * sizeof(double));
    at->step_origin = at->elapsed;
    at->step_length = 0.0;
    const double rest = until - at->origin - at->elapsed;
    if (!(rest > 0.0)) {
        at->time = until;
        return CAROM_OK;
    }
    const double wanted = fmin(isnan(at->step_size) ? FIRST_STEP * rest : at->step_size, largest);
    at->step_size = wanted;
    CAROM_TRY(find_step(at, rest, report));
    at->elapsed = at->step_origin + at->step_length;
    at->time = at->origin + at->elapsed;
    at->energy =
        fmax(at->energy,
             carom_plastic_dynamics_kinetic_energy(at->dynamics, at->state + at->dynamics->n));
    if (!(at->step_length < rest)) {
        /* A step cut short by the end says nothing about the next. */
        at->elapsed = until - at->origin;
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
