#include <carom/timestepping/engine/error_reduction.h>

#include <carom/base/linear_algebra.h>
#include <carom/base/scales.h>
#include <carom/base/vector.h>
#include <carom/lcp/lcp.h>
#include <carom/mechanism/mechanism.h>
#include <carom/timestepping/galpha/internal.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct carom_error_reduction_stepper {
    const carom_mechanism *mechanism;
    carom_error_reduction_params params;
    int n;
    int m;
    carom_evaluation at; /**< M, f, gaps and G at the present state */
    carom_factor *mass;
    bool is_prepared; /**< M, its factor, G and the Delassus matrix are those of all states */
    double start_time;
    long steps_done;

    double *position; /**< [n] */
    double *velocity; /**< [n] */
    double *gap;      /**< [m] */
    double *touching; /**< [m] largest gaps that are closed in the step */
    double *impulse;  /**< [m] of the last step */

    double *next_velocity; /**< [n] */
    double *next_position; /**< [n] */
    double *response;      /**< [m][n] rows of M^-1 G' */
    double *delassus;      /**< [m][m] of all contacts of a linear mechanism */
    double *matrix;        /**< [k][k] of the closed contacts */
    double *constant;      /**< [k] of the problem: G v* - s */
    double *solution;      /**< [k] impulses */
    double *error;         /**< [k] min(W_ii impulse, excess speed), m/s */
    double *scale;         /**< [k] of its terms, m/s */
    int *closed;           /**< [m] contacts that take part */
    carom_lcp_workspace *lemke;
    double *memory; /**< owns the numbers */
    carom_error_reduction_result result;
};

carom_error_reduction_params carom_error_reduction_params_default(void) {
    const carom_error_reduction_params params = {
        .step = 1.0 / 60.0,
        .error_reduction = 0.2,
        .solver = CAROM_ERROR_REDUCTION_SWEEPS,
        .sweeps = 10,
        .is_warm_started = false,
        .is_speculative = false,
        .touching = 1e-12,
        .check_derivatives = true,
    };
    return params;
}

/** Refuse parameters. */
static carom_status refuse(const carom_error_reduction_params *params, carom_report *report) {
    const double below_one = nextafter(1.0, 0.0);
    CAROM_TRY(carom_stepper_check_real("step", params->step, DBL_MIN, HUGE_VAL, "> 0", report));
    CAROM_TRY(carom_stepper_check_real("error reduction", params->error_reduction, 0.0, 1.0,
                                       "in [0,1]", report));
    CAROM_TRY(
        carom_stepper_check_real("touching", params->touching, 0.0, below_one, "in [0,1)", report));
    return carom_stepper_check_real("sweeps", params->sweeps, 1.0, HUGE_VAL, ">= 1", report);
}

static carom_status alloc_arrays(carom_error_reduction_stepper *s) {
    const size_t n = (size_t)s->n;
    const size_t m = (size_t)s->m;
    s->memory = calloc(4 * n + 7 * m + m * n + 2 * m * m, sizeof(double));
    s->closed = calloc(m + 1, sizeof(int));
    if (s->memory == NULL || s->closed == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->position = s->memory;
    s->velocity = s->position + n;
    s->next_velocity = s->velocity + n;
    s->next_position = s->next_velocity + n;
    s->gap = s->next_position + n;
    s->touching = s->gap + m;
    s->impulse = s->touching + m;
    s->constant = s->impulse + m;
    s->solution = s->constant + m;
    s->error = s->solution + m;
    s->scale = s->error + m;
    s->response = s->scale + m;
    s->delassus = s->response + m * n;
    s->matrix = s->delassus + m * m;
    CAROM_TRY(carom_evaluation_init(&s->at, s->mechanism));
    CAROM_TRY(carom_factor_alloc(s->mechanism->layout, &s->mass));
    return carom_lcp_workspace_alloc(s->m, &s->lemke);
}

carom_status carom_error_reduction_stepper_alloc(const carom_mechanism *mechanism,
                                                 const carom_error_reduction_params *params,
                                                 carom_error_reduction_stepper **out,
                                                 carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(refuse(params, report));
    const carom_mechanism_support support = {
        .method = "error_reduction",
        .subject = "motion",
        .restitution = true,
        .nonlinear_mass = true,
        .space = true,
    };
    CAROM_TRY(carom_mechanism_require(mechanism, &support, report));
    CAROM_AUTO(carom_error_reduction_stepper) s = calloc(1, sizeof *s);
    if (s == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->mechanism = mechanism;
    s->params = *params;
    s->n = mechanism->coordinate_count;
    s->m = mechanism->contact_count;
    CAROM_TRY(alloc_arrays(s));
    s->result.position = s->position;
    s->result.velocity = s->velocity;
    s->result.gap = s->gap;
    s->result.impulse = s->impulse;
    CAROM_HAND_OVER(s, out);
    return CAROM_OK;
}

void carom_error_reduction_stepper_free(carom_error_reduction_stepper *stepper) {
    if (stepper == NULL) {
        return;
    }
    carom_lcp_workspace_free(stepper->lemke);
    carom_factor_free(stepper->mass);
    carom_evaluation_clear(&stepper->at);
    free(stepper->closed);
    free(stepper->memory);
    free(stepper);
}

/** Everything at the present state, its gaps and energies included. */
static void observe(carom_error_reduction_stepper *s, double t) {
    const carom_mechanism *mechanism = s->mechanism;
    if (s->is_prepared) {
        mechanism->force(t, s->position, s->velocity, s->at.force, mechanism->context);
        carom_evaluation_constraints(&s->at, t, s->position);
    } else {
        carom_evaluation_point(&s->at, t, s->position, s->velocity);
    }
    memcpy(s->gap, s->at.constraint, (size_t)s->m * sizeof(double));
    memset(s->at.coordinate, 0, (size_t)s->n * sizeof(double));
    carom_layout_multiply_add(mechanism->layout, 1.0, s->at.mass, s->velocity, s->at.coordinate);
    s->result.time = t;
    s->result.kinetic_energy = 0.5 * carom_vector_dot(s->n, s->velocity, s->at.coordinate);
    s->result.potential_energy = mechanism->potential_energy(s->position, mechanism->context);
}

/** Row i of M^-1 G'. */
static void respond(carom_error_reduction_stepper *s, int i) {
    double *response = s->response + (size_t)i * (size_t)s->n;
    memcpy(response, carom_evaluation_row(&s->at, i), (size_t)s->n * sizeof(double));
    carom_factor_solve(s->mass, response);
}

/** (G M^-1 G')_ij of rows that have responded. */
static double coupling(const carom_error_reduction_stepper *s, int i, int j) {
    return carom_vector_dot(s->n, carom_evaluation_row(&s->at, i),
                            s->response + (size_t)j * (size_t)s->n);
}

/** M and G of a linear mechanism are those of all states: once and for all. */
static void prepare(carom_error_reduction_stepper *s) {
    for (int i = 0; i < s->m; i++) {
        respond(s, i);
    }
    for (int i = 0; i < s->m; i++) {
        for (int j = 0; j < s->m; j++) {
            s->delassus[(size_t)i * (size_t)s->m + (size_t)j] = coupling(s, i, j);
        }
    }
    s->is_prepared = true;
}

carom_status carom_error_reduction_stepper_start(carom_error_reduction_stepper *stepper, double t,
                                                 const double *q, const double *v,
                                                 carom_report *report) {
    CAROM_ASSERT(stepper != NULL && q != NULL && v != NULL);
    carom_error_reduction_stepper *s = stepper;
    CAROM_TRY(carom_mechanism_validate(s->mechanism, t, q, v, report));
    if (s->params.check_derivatives) {
        CAROM_TRY(carom_mechanism_check_directions(s->mechanism, t, q, v, 0, report));
    }
    memcpy(s->position, q, (size_t)s->n * sizeof(double));
    memcpy(s->velocity, v, (size_t)s->n * sizeof(double));
    memset(s->impulse, 0, (size_t)s->m * sizeof(double));
    s->start_time = t;
    s->steps_done = 0;
    s->is_prepared = false;
    s->result.contact_count = 0;
    s->result.residual = 0.0;
    observe(s, t);
    const carom_status status = carom_factor_compute(s->mass, s->at.mass);
    if (status != CAROM_OK) {
        return carom_report_fail(report, status, "mass matrix", (double)NAN, -1);
    }
    if (s->mechanism->is_linear) {
        prepare(s);
    }
    return CAROM_OK;
}

/** Gaps that touch: up to a part of their terms |G| (|q| + h |v| + h |v*|). */
static void measure_gaps(carom_error_reduction_stepper *s) {
    for (int i = 0; i < s->n; i++) {
        const double speed = fabs(s->velocity[i]) + fabs(s->next_velocity[i]);
        s->at.coordinate[i] = s->params.touching * (fabs(s->position[i]) + s->params.step * speed);
    }
    memset(s->touching, 0, (size_t)s->m * sizeof(double));
    carom_scale_add_product(s->m, s->n, s->at.jacobian, s->at.coordinate, s->touching);
}

/** The contacts that take part in the step. Returns their number k. */
static int find_closed(carom_error_reduction_stepper *s) {
    int count = 0;
    measure_gaps(s);
    for (int i = 0; i < s->m; i++) {
        if (s->gap[i] <= s->touching[i] || s->params.is_speculative) {
            s->closed[count++] = i;
        }
    }
    return count;
}

/*[errorReductionTarget]*/
static double target_speed(const carom_error_reduction_stepper *s, int i) {
    const double approach = fmax(0.0, -carom_evaluation_rate(&s->at, i, s->velocity));
    const double restituted = s->mechanism->restitution[i] * approach;
    const double h = s->params.step;
    if (s->gap[i] > s->touching[i]) {
        return restituted - s->gap[i] / h;
    }
    return restituted + s->params.error_reduction * fmax(0.0, -s->gap[i]) / h;
}
/*[end errorReductionTarget]*/

/** Matrix and constant of the problem of k closed contacts, for the free velocity v*. */
static void pose(carom_error_reduction_stepper *s, int k) {
    for (int a = 0; a < k && !s->is_prepared; a++) {
        respond(s, s->closed[a]);
    }
    for (int a = 0; a < k; a++) {
        const int i = s->closed[a];
        for (int b = 0; b < k; b++) {
            const int j = s->closed[b];
            s->matrix[(size_t)a * (size_t)k + (size_t)b] =
                s->is_prepared ? s->delassus[(size_t)i * (size_t)s->m + (size_t)j]
                               : coupling(s, i, j);
        }
        const double target = target_speed(s, i);
        s->constant[a] = carom_evaluation_rate(&s->at, i, s->next_velocity) - target;
        s->scale[a] = fabs(target);
        carom_scale_add_product(1, s->n, carom_evaluation_row(&s->at, i), s->next_velocity,
                                &s->scale[a]);
        s->solution[a] = s->params.is_warm_started ? s->impulse[i] : 0.0;
    }
}

/** What the solution leaves of 0 <= Lambda _|_ W Lambda + q >= 0, row by row beside its terms. */
static double find_residual(carom_error_reduction_stepper *s, int k) {
    for (int a = 0; a < k; a++) {
        const double *row = s->matrix + (size_t)a * (size_t)k;
        const double excess = s->constant[a] + carom_vector_dot(k, row, s->solution);
        s->error[a] = fmin(row[a] * s->solution[a], excess);
    }
    carom_scale_add_product(k, k, s->matrix, s->solution, s->scale);
    return carom_scale_largest_ratio(k, s->error, s->scale);
}

/** Solve the problem of k closed contacts and add the impulses to the free velocity. */
static carom_status collide(carom_error_reduction_stepper *s, int k, double *residual,
                            carom_report *report) {
    pose(s, k);
    for (int a = 0; a < k; a++) {
        const double diagonal = s->matrix[(size_t)a * (size_t)k + (size_t)a];
        if (diagonal <= 0.0) {
            return carom_report_refuse(report, "response of a contact to its impulse", diagonal,
                                       s->closed[a], "> 0");
        }
    }
    const carom_status status =
        s->params.solver == CAROM_ERROR_REDUCTION_SWEEPS
            ? carom_lcp_solve_gauss_seidel(k, s->matrix, s->constant, s->params.sweeps, s->solution,
                                           NULL)
            : carom_lcp_solve_lemke(k, s->matrix, s->constant, s->solution, s->lemke, NULL);
    if (status != CAROM_OK) {
        return carom_report_fail(report, status, "contact impulses", (double)NAN, -1);
    }
    *residual = find_residual(s, k);
    for (int a = 0; a < k; a++) {
        const double *response = s->response + (size_t)s->closed[a] * (size_t)s->n;
        for (int i = 0; i < s->n; i++) {
            s->next_velocity[i] += s->solution[a] * response[i];
        }
    }
    return CAROM_OK;
}

/** v_{k+1} and q_{k+1}, beside the present ones. */
static carom_status solve(carom_error_reduction_stepper *s, int *count, double *residual,
                          carom_report *report) {
    const double h = s->params.step;
    if (!s->is_prepared) {
        const carom_status status = carom_factor_compute(s->mass, s->at.mass);
        if (status != CAROM_OK) {
            return carom_report_fail(report, status, "mass matrix", (double)NAN, -1);
        }
    }
    // v* = v_k + h M^-1 f
    memcpy(s->next_velocity, s->at.force, (size_t)s->n * sizeof(double));
    carom_factor_solve(s->mass, s->next_velocity);
    for (int i = 0; i < s->n; i++) {
        s->next_velocity[i] = s->velocity[i] + h * s->next_velocity[i];
        if (!isfinite(s->next_velocity[i])) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "velocity",
                                     s->next_velocity[i], i);
        }
    }
    *count = find_closed(s);
    *residual = 0.0;
    if (*count > 0) {
        CAROM_TRY(collide(s, *count, residual, report));
    }
    for (int i = 0; i < s->n; i++) {
        s->next_position[i] = s->position[i] + h * s->next_velocity[i];
        if (!isfinite(s->next_position[i])) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "position",
                                     s->next_position[i], i);
        }
    }
    return CAROM_OK;
}

carom_status carom_error_reduction_stepper_advance(carom_error_reduction_stepper *stepper,
                                                   carom_report *report) {
    CAROM_ASSERT(stepper != NULL);
    carom_error_reduction_stepper *s = stepper;
    int count = 0;
    double residual = 0.0;
    const carom_status status = solve(s, &count, &residual, report);
    if (status != CAROM_OK) {
        if (report != NULL) {
            report->time = s->result.time;
            report->step = s->params.step;
        }
        return status;
    }
    memcpy(s->position, s->next_position, (size_t)s->n * sizeof(double));
    memcpy(s->velocity, s->next_velocity, (size_t)s->n * sizeof(double));
    memset(s->impulse, 0, (size_t)s->m * sizeof(double));
    for (int a = 0; a < count; a++) {
        s->impulse[s->closed[a]] = s->solution[a];
    }
    s->result.contact_count = count;
    s->result.residual = residual;
    s->steps_done++;
    observe(s, s->start_time + (double)s->steps_done * s->params.step);
    return CAROM_OK;
}

const carom_error_reduction_result *
carom_error_reduction_stepper_result(const carom_error_reduction_stepper *stepper) {
    CAROM_ASSERT(stepper != NULL);
    return &stepper->result;
}
