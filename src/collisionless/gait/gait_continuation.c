#include <carom/collisionless/gait/internal.h>

#include <gsl/gsl_math.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------------------------- Newton */

/* Halvings of a Newton step before it is given up. */
enum { MOST_HALVINGS = 3 };

/* A step must reduce the residual by this part of what the linear equations promise. */
static const double LEAST_DECREASE = 1e-4;

/* Factor the matrix with the condition of the step as its last row. */
static carom_status factor_bordered(carom_gait_shooting *shooting, const double *row) {
    const size_t count = (size_t)shooting->count;
    memcpy(shooting->matrix + (count - 1) * count, row, count * sizeof *row);
    return carom_factor_compute(shooting->factor, shooting->matrix);
}

/* The largest of the fractions 1, 1/2, 1/4, .. of the step that reduces the residual. */
static carom_status search_along_step(carom_gait_shooting *shooting, const double *u) {
    const double norm = shooting->norm;
    carom_status status = CAROM_STATUS_NOT_CONVERGED;
    double fraction = 1.0;
    for (int halving = 0; halving <= MOST_HALVINGS; halving++) {
        for (int i = 0; i < shooting->count; i++) {
            shooting->trial[i] = u[i] + fraction * shooting->step[i];
        }
        status = carom_gait_shooting_evaluate(shooting, shooting->trial);
        if (status == CAROM_OK && shooting->norm <= (1.0 - LEAST_DECREASE * fraction) * norm) {
            return CAROM_OK;
        }
        fraction *= 0.5;
    }
    return status == CAROM_OK ? CAROM_STATUS_NOT_CONVERGED : status;
}

carom_status carom_gait_newton_solve(carom_gait_shooting *shooting, const double *row, double *u) {
    const int count = shooting->count;
    CAROM_TRY(carom_gait_shooting_evaluate(shooting, u));
    for (shooting->iterations = 0; shooting->largest > shooting->params.residual;
         shooting->iterations++) {
        if (shooting->iterations == shooting->params.max_iterations) {
            return CAROM_STATUS_NOT_CONVERGED;
        }
        CAROM_TRY(factor_bordered(shooting, row));
        for (int i = 0; i < count; i++) {
            shooting->step[i] = i < count - 1 ? -shooting->residual[i] : 0.0;
        }
        carom_factor_solve(shooting->factor, shooting->step);
        CAROM_TRY(search_along_step(shooting, u));
        memcpy(u, shooting->trial, (size_t)count * sizeof *u);
    }
    return CAROM_OK;
}

carom_status carom_gait_newton_tangent(carom_gait_shooting *shooting, const double *row,
                                       double *tangent) {
    const int count = shooting->count;
    CAROM_TRY(factor_bordered(shooting, row));
    memset(tangent, 0, (size_t)count * sizeof *tangent);
    tangent[count - 1] = 1.0;
    carom_factor_solve(shooting->factor, tangent);
    double square = 0.0;
    for (int i = 0; i < count; i++) {
        square += shooting->weight[i] * gsl_pow_2(tangent[i]);
    }
    if (!(isfinite(square) && square > 0.0)) {
        return CAROM_STATUS_NOT_FINITE;
    }
    for (int i = 0; i < count; i++) {
        tangent[i] /= sqrt(square);
    }
    return CAROM_OK;
}

/* --------------------------------------------------------------------------------- continuation */

/* Cosine of the largest turn of the direction in one step. */
static const double LEAST_COSINE = 0.8;

/* Newton steps after which the next step may be longer, or had better be shorter. */
enum { FEW_ITERATIONS = 3, MANY_ITERATIONS = 5 };
static const double STEP_GROWTH = 1.4;

/* Bisections of a step to meet an angle: Newton's method does the rest. */
enum { ANGLE_BISECTIONS = 30 };

carom_gait_params carom_gait_params_default(void) {
    return (carom_gait_params){.segments = 12,
                               .constrained_segments = 3,
                               .integration_error = 1e-13,
                               .residual = 1e-13,
                               .max_iterations = 10};
}

carom_status carom_gait_params_check(const carom_gait_params *params, carom_report *report) {
    if (params->segments < 1) {
        return carom_report_refuse(report, "segments", params->segments, -1, ">= 1");
    }
    if (params->constrained_segments < 1) {
        return carom_report_refuse(report, "constrained segments", params->constrained_segments, -1,
                                   ">= 1");
    }
    if (params->max_iterations < 1) {
        return carom_report_refuse(report, "iterations", params->max_iterations, -1, ">= 1");
    }
    CAROM_TRY(carom_model_require_positive("integration error", params->integration_error, report));
    return carom_model_require_positive("residual", params->residual, report);
}

carom_status carom_gait_start_check(const carom_armed_biped_params *biped,
                                    const carom_gait_start *start, carom_report *report) {
    if (!biped->has_arm) {
        return carom_report_refuse(report, "arm", 0.0, -1, "a biped with an arm");
    }
    const int n = carom_armed_biped_coordinate_count(biped);
    CAROM_TRY(carom_report_require_finite(report, "start position", n, start->position));
    CAROM_TRY(carom_model_require_positive("tau", start->time, report));
    return carom_model_require_positive("constrained tau", start->constrained_time, report);
}

carom_status carom_gait_continuation_alloc(const carom_armed_biped_params *biped,
                                           const carom_gait_params *params,
                                           carom_gait_continuation **out, carom_report *report) {
    *out = NULL;
    CAROM_AUTO(carom_gait_continuation) path = calloc(1, sizeof *path);
    if (path == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_gait_shooting_alloc(biped, params, &path->shooting, report));
    const int count = path->shooting->count;
    path->point = calloc(7 * (size_t)count, sizeof *path->point);
    if (path->point == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    path->tangent = path->point + count;
    path->last_point = path->tangent + count;
    path->last_tangent = path->last_point + count;
    path->guess = path->last_tangent + count;
    path->guess_tangent = path->guess + count;
    path->row = path->guess_tangent + count;
    CAROM_HAND_OVER(path, out);
    return CAROM_OK;
}

void carom_gait_continuation_free(carom_gait_continuation *path) {
    if (path == NULL) {
        return;
    }
    carom_gait_shooting_free(path->shooting);
    free(path->point);
    free(path);
}

double carom_gait_continuation_angle(const carom_gait_continuation *path) {
    return path->point[path->shooting->count - 1];
}

int carom_gait_continuation_direction(const carom_gait_continuation *path) {
    return path->tangent[path->shooting->count - 1] > 0.0 ? 1 : -1;
}

size_t carom_gait_continuation_state_size(const carom_gait_continuation *path) {
    const carom_gait_params *params = &path->shooting->params;
    const int states = params->segments + params->constrained_segments + 1;
    return 2 * (size_t)path->shooting->dynamics->count * (size_t)states;
}

double carom_gait_continuation_time(const carom_gait_continuation *path) {
    return path->point[path->shooting->count - 3];
}

double carom_gait_continuation_arm_reach(const carom_gait_continuation *path) {
    return fabs(remainder(path->point[0], 2.0 * M_PI));
}

static void copy(const carom_gait_continuation *path, double *to, const double *from) {
    memcpy(to, from, (size_t)path->shooting->count * sizeof *to);
}

/* Stay at this angle. */
static void set_angle_row(carom_gait_continuation *path) {
    const int count = path->shooting->count;
    memset(path->row, 0, (size_t)count * sizeof *path->row);
    path->row[count - 1] = 1.0;
}

/* Stay in the plane that this direction is normal to in the metric. */
static void set_plane_row(carom_gait_continuation *path, const double *direction) {
    for (int i = 0; i < path->shooting->count; i++) {
        path->row[i] = path->shooting->weight[i] * direction[i];
    }
}

/* Correct the guess and find the direction there. */
static carom_status correct_guess(carom_gait_continuation *path) {
    CAROM_TRY(carom_gait_newton_solve(path->shooting, path->row, path->guess));
    return carom_gait_newton_tangent(path->shooting, path->row, path->guess_tangent);
}

/* The guess is the new point. */
static void accept_guess(carom_gait_continuation *path) {
    copy(path, path->point, path->guess);
    copy(path, path->tangent, path->guess_tangent);
    path->residual = path->shooting->largest;
    path->iterations = path->shooting->iterations;
}

carom_status carom_gait_continuation_begin(carom_gait_continuation *path,
                                           const carom_gait_start *start, double theta,
                                           carom_report *report) {
    CAROM_TRY(carom_gait_shooting_guess(path->shooting, start, theta, path->guess, report));
    set_angle_row(path);
    CAROM_TRY(correct_guess(path));
    accept_guess(path);
    path->length = 0.0;
    path->arclength = 0.0;
    return CAROM_OK;
}

carom_status carom_gait_continuation_step(carom_gait_continuation *path, double length) {
    const int count = path->shooting->count;
    const double bend = path->length > 0.0 ? 0.5 * gsl_pow_2(length) / path->length : 0.0;
    for (int i = 0; i < count; i++) {
        path->guess[i] = path->point[i] + length * path->tangent[i] +
                         bend * (path->tangent[i] - path->last_tangent[i]);
    }
    set_plane_row(path, path->tangent);
    CAROM_TRY(correct_guess(path));
    double cosine = 0.0;
    for (int i = 0; i < count; i++) {
        cosine += path->row[i] * path->guess_tangent[i];
    }
    if (!(cosine >= LEAST_COSINE)) {
        return CAROM_STATUS_NOT_CONVERGED;
    }
    copy(path, path->last_point, path->point);
    copy(path, path->last_tangent, path->tangent);
    accept_guess(path);
    path->length = length;
    path->arclength += length;
    return CAROM_OK;
}

carom_status carom_gait_continuation_advance(carom_gait_continuation *path, double min_step,
                                             double max_step, double *step) {
    double length = fmin(*step, max_step);
    while (carom_gait_continuation_step(path, length) != CAROM_OK) {
        length *= 0.5;
        if (!(length >= min_step)) {
            return CAROM_STATUS_NOT_CONVERGED;
        }
    }
    if (path->iterations <= FEW_ITERATIONS) {
        length *= STEP_GROWTH;
    } else if (path->iterations >= MANY_ITERATIONS) {
        length /= STEP_GROWTH;
    }
    *step = fmax(length, min_step);
    return CAROM_OK;
}

/* Cubic between the last two points with their directions, at fraction s of the step. */
static double interpolate(const carom_gait_continuation *path, int i, double s) {
    const double rest = 1.0 - s;
    return rest * rest *
               ((1.0 + 2.0 * s) * path->last_point[i] + s * path->length * path->last_tangent[i]) +
           s * s * ((3.0 - 2.0 * s) * path->point[i] - rest * path->length * path->tangent[i]);
}

carom_status carom_gait_continuation_return_to_angle(carom_gait_continuation *path, double theta) {
    const int count = path->shooting->count;
    double low = 0.0;
    double high = 1.0;
    for (int i = 0; i < ANGLE_BISECTIONS; i++) {
        const double middle = 0.5 * (low + high);
        if (interpolate(path, count - 1, middle) < theta) {
            low = middle;
        } else {
            high = middle;
        }
    }
    for (int i = 0; i < count - 1; i++) {
        path->guess[i] = interpolate(path, i, low);
    }
    path->guess[count - 1] = theta;
    set_angle_row(path);
    CAROM_TRY(correct_guess(path));
    accept_guess(path);
    path->arclength -= (1.0 - low) * path->length;
    path->length *= low;
    return CAROM_OK;
}

carom_status carom_gait_continuation_store(carom_gait_continuation *path,
                                           carom_nonlinear_gait *gait) {
    carom_gait_shooting *shooting = path->shooting;
    const carom_gait_params *params = &shooting->params;
    const int n = shooting->dynamics->count;
    const int count = shooting->count;
    const int total = params->segments + params->constrained_segments;
    const double theta = path->point[count - 1];
    gait->coordinate_count = n;
    gait->segment_count = params->segments;
    gait->constrained_segment_count = params->constrained_segments;
    gait->half_step_angle = theta;
    gait->time = path->point[count - 3];
    gait->constrained_time = path->point[count - 2];
    gait->residual = path->residual;
    gait->iterations = path->iterations;
    for (int k = 0; k < total; k++) {
        carom_gait_shooting_state(shooting, path->point, k, gait->states + (size_t)(2 * n * k));
    }

    /* P' is the end of the last segment. */
    double *end = gait->states + (size_t)(2 * n * total);
    memcpy(end, end - 2 * n, 2 * (size_t)n * sizeof *end);
    CAROM_TRY(carom_gait_flow_advance(shooting->flow, theta, true,
                                      gait->constrained_time / params->constrained_segments, end,
                                      NULL));
    gait->energy = carom_gait_dynamics_energy(shooting->dynamics, theta, end);
    gait->excess_energy =
        gait->energy - carom_gait_dynamics_equilibrium_energy(shooting->dynamics, theta);
    return CAROM_OK;
}
