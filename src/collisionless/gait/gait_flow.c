#include <carom/collisionless/gait/internal.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sensitivities may be this much less accurate than the state: Newton's method corrects. */
static const double SENSITIVITY_SLACK = 1e4;

/* Steps of one motion; a smooth one takes tens. */
static const int MOST_STEPS = 2000;

/* First step in units of sqrt(l/g). */
static const double FIRST_STEP = 0.02;

/* GSL's integrator for one number of equations. */
typedef struct integrator {
    gsl_odeiv2_step *step;
    gsl_odeiv2_control *control;
    gsl_odeiv2_evolve *evolve;
    double length; /* of the next step, s; kept from one motion to the next */
} integrator;

struct carom_gait_flow {
    carom_gait_dynamics *dynamics;
    double theta;
    bool is_held;
    bool is_varied;      /* sensitivities are integrated */
    carom_status status; /* of the last evaluation of the equations */
    integrator plain;
    integrator varied;
    double *y; /* [2N + (2N + 1) 2N] */
};

static int state_size(const carom_gait_flow *flow) {
    return 2 * flow->dynamics->count;
}

static int varied_size(const carom_gait_flow *flow) {
    const int count = carom_gait_direction_count(flow->dynamics->count);
    return state_size(flow) * (1 + count);
}

/* GSL accepts NULL, too. */
static void clear_integrator(integrator *at) {
    gsl_odeiv2_evolve_free(at->evolve);
    gsl_odeiv2_control_free(at->control);
    gsl_odeiv2_step_free(at->step);
}

/* q' = v, v' = a, and the variational equations behind them. */
static int rates(double t, const double *y, double *y_dot, void *context) {
    (void)t;
    carom_gait_flow *flow = context;
    carom_gait_dynamics *dynamics = flow->dynamics;
    const int n = dynamics->count;
    const int size = 2 * n;
    memcpy(y_dot, y + n, (size_t)n * sizeof *y_dot);
    flow->status =
        carom_gait_dynamics_acceleration(dynamics, flow->theta, flow->is_held, y, y_dot + n);
    if (flow->status != CAROM_OK) {
        return GSL_EBADFUNC;
    }
    if (flow->is_varied) {
        carom_gait_dynamics_variation(dynamics, flow->theta, flow->is_held, y, y_dot + n,
                                      carom_gait_direction_count(n), y + size, true, y_dot + size);
    }
    return GSL_SUCCESS;
}

/* Errors are weighed by `scale`: one for the state, more for the sensitivities. */
static carom_status make_integrator(int size, double error, const double *scale, double length,
                                    integrator *at) {
    at->step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, (size_t)size);
    at->control = gsl_odeiv2_control_scaled_new(error, error, 1.0, 0.0, scale, (size_t)size);
    at->evolve = gsl_odeiv2_evolve_alloc((size_t)size);
    at->length = length;
    const bool is_complete = at->step != NULL && at->control != NULL && at->evolve != NULL;
    return is_complete ? CAROM_OK : CAROM_STATUS_OUT_OF_MEMORY;
}

/* Weights of errors: angles count in radians, rates in the system's own unit of time, here the
 * power of two next to it, and derivatives in what follows from both. */
static void fill_weights(const carom_gait_flow *flow, double *weight) {
    const int n = flow->dynamics->count;
    const int size = state_size(flow);
    const double rate = exp2(-round(log2(flow->dynamics->time_unit)));
    for (int i = 0; i < size; i++) {
        weight[i] = i < n ? 1.0 : rate;
    }
    for (int direction = 0; direction < carom_gait_direction_count(n); direction++) {
        const double by = direction >= n && direction < size ? rate : 1.0;
        for (int i = 0; i < size; i++) {
            weight[size * (1 + direction) + i] = SENSITIVITY_SLACK * weight[i] / by;
        }
    }
}

carom_status carom_gait_flow_alloc(carom_gait_dynamics *dynamics, double error,
                                   carom_gait_flow **out) {
    *out = NULL;
    CAROM_AUTO(carom_gait_flow) flow = calloc(1, sizeof *flow);
    if (flow == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    flow->dynamics = dynamics;
    const int size = state_size(flow);
    const int all = varied_size(flow);
    flow->y = calloc((size_t)all, sizeof *flow->y);
    if (flow->y == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    fill_weights(flow, flow->y);
    const double length = FIRST_STEP * dynamics->time_unit;
    CAROM_TRY(make_integrator(size, error, flow->y, length, &flow->plain));
    CAROM_TRY(make_integrator(all, error, flow->y, length, &flow->varied));
    CAROM_HAND_OVER(flow, out);
    return CAROM_OK;
}

void carom_gait_flow_free(carom_gait_flow *flow) {
    if (flow == NULL) {
        return;
    }
    clear_integrator(&flow->plain);
    clear_integrator(&flow->varied);
    free(flow->y);
    free(flow);
}

/* The identity, and nothing for theta. */
static void start_sensitivities(int n, double *rows) {
    const size_t width = 2 * (size_t)n;
    memset(rows, 0, (width + 1) * width * sizeof *rows);
    for (size_t i = 0; i < width; i++) {
        rows[i * width + i] = 1.0;
    }
}

/* Integrate flow->y over a time. */
static carom_status integrate(carom_gait_flow *flow, integrator *at, int size, double duration) {
    gsl_odeiv2_system equations = {rates, NULL, (size_t)size, flow};
    gsl_odeiv2_evolve_reset(at->evolve);
    gsl_odeiv2_step_reset(at->step);
    flow->status = CAROM_OK;
    double t = 0.0;
    for (int i = 0; t < duration; i++) {
        const int code =
            i == MOST_STEPS ? GSL_EMAXITER
                            : gsl_odeiv2_evolve_apply(at->evolve, at->control, at->step, &equations,
                                                      &t, duration, &at->length, flow->y);
        if (code != GSL_SUCCESS) {
            at->length = FIRST_STEP * flow->dynamics->time_unit;
            return flow->status != CAROM_OK ? flow->status : CAROM_STATUS_NOT_CONVERGED;
        }
    }
    return CAROM_OK;
}

carom_status carom_gait_flow_advance(carom_gait_flow *flow, double theta, bool is_held,
                                     double duration, double *state, double *sensitivities) {
    CAROM_ASSERT(duration >= 0.0);
    const int size = state_size(flow);
    const int all = varied_size(flow);
    flow->theta = theta;
    flow->is_held = is_held;
    flow->is_varied = sensitivities != NULL;
    memcpy(flow->y, state, (size_t)size * sizeof *state);
    carom_status status;
    if (flow->is_varied) {
        start_sensitivities(flow->dynamics->count, flow->y + size);
        status = integrate(flow, &flow->varied, all, duration);
        memcpy(sensitivities, flow->y + size, (size_t)(all - size) * sizeof *sensitivities);
    } else {
        status = integrate(flow, &flow->plain, size, duration);
    }
    memcpy(state, flow->y, (size_t)size * sizeof *state);
    return status;
}
