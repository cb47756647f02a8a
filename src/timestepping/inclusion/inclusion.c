#include <carom/impact/contact_modes.h>
#include <carom/lcp/lcp.h>
#include <carom/mechanism/completed.h>
#include <carom/mechanism/mechanism.h>
#include <carom/timestepping/inclusion/inclusion.h>
#include <carom/timestepping/inclusion/internal.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------------------- projection */

/** Newton's method halves no error but squares it; gaps of 1e-3 are rounding after three. */
enum { MOST_ITERATIONS = 6 };

struct carom_inclusion_projection {
    const carom_mechanism *mechanism;
    carom_lcp_workspace *lemke;
    int violated_count; /**< contacts that were below their wall in some iterate */
    int *violated;      /**< [m] */
    bool *is_violated;  /**< [m] */
    double *position;   /**< [n] iterate */
    double *gap;        /**< [m] */
    double *jacobian;   /**< [m][n] */
    double *response;   /**< [m][n] rows of G M^-1 of the violated ones */
    double *matrix;     /**< [m][m] G M^-1 G' of them */
    double *constant;   /**< [m] their gaps */
    double *multiplier; /**< [m] nu */
};

void carom_inclusion_projection_free(carom_inclusion_projection *projection) {
    if (projection == NULL) {
        return;
    }
    carom_lcp_workspace_free(projection->lemke);
    free(projection->violated);
    free(projection->is_violated);
    free(projection->position);
    free(projection->gap);
    free(projection->jacobian);
    free(projection->response);
    free(projection->matrix);
    free(projection->constant);
    free(projection->multiplier);
    free(projection);
}

carom_status carom_inclusion_projection_alloc(const carom_mechanism *mechanism,
                                              carom_inclusion_projection **out) {
    *out = NULL;
    CAROM_AUTO(carom_inclusion_projection) p = calloc(1, sizeof *p);
    if (p == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t n = (size_t)mechanism->coordinate_count;
    const size_t m = (size_t)mechanism->contact_count;
    p->mechanism = mechanism;
    p->violated = calloc(m + 1, sizeof(int));
    p->is_violated = calloc(m + 1, sizeof(bool));
    p->position = calloc(n, sizeof(double));
    p->gap = calloc(m + 1, sizeof(double));
    p->jacobian = calloc(m * n + 1, sizeof(double));
    p->response = calloc(m * n + 1, sizeof(double));
    p->matrix = calloc(m * m + 1, sizeof(double));
    p->constant = calloc(m + 1, sizeof(double));
    p->multiplier = calloc(m + 1, sizeof(double));
    const bool has_all = p->violated != NULL && p->is_violated != NULL && p->position != NULL &&
                         p->gap != NULL && p->jacobian != NULL && p->response != NULL &&
                         p->matrix != NULL && p->constant != NULL && p->multiplier != NULL;
    if (!has_all || carom_lcp_workspace_alloc((int)m, &p->lemke) != CAROM_OK) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(p, out);
    return CAROM_OK;
}

/** Gaps of the iterate; whether one is negative. A contact that was below its wall once stays in
 * the list of those that may need an impulse. */
static bool find_violated(carom_inclusion_projection *p) {
    p->mechanism->constraints(p->position, p->gap, p->mechanism->context);
    bool has_violated = false;
    p->violated_count = 0;
    for (int i = 0; i < p->mechanism->contact_count; i++) {
        has_violated = has_violated || p->gap[i] < 0.0;
        p->is_violated[i] = p->is_violated[i] || p->gap[i] < 0.0;
        if (p->is_violated[i]) {
            p->violated[p->violated_count++] = i;
        }
    }
    return has_violated;
}

/** G M^-1, G M^-1 G' and g of the listed contacts. */
static void fill(carom_inclusion_projection *p, const carom_factor *mass_factor) {
    const int n = p->mechanism->coordinate_count;
    const int count = p->violated_count;
    carom_mechanism_constraint_jacobian(p->mechanism, p->position, p->jacobian);
    for (int k = 0; k < count; k++) {
        double *response = p->response + k * n;
        memcpy(response, p->jacobian + p->violated[k] * n, (size_t)n * sizeof(double));
        carom_factor_solve(mass_factor, response);
        p->constant[k] = p->gap[p->violated[k]];
        for (int l = 0; l <= k; l++) {
            double sum = 0.0;
            for (int i = 0; i < n; i++) {
                sum += p->jacobian[p->violated[l] * n + i] * response[i];
            }
            p->matrix[k * count + l] = sum;
            p->matrix[l * count + k] = sum;
        }
    }
}

carom_status carom_inclusion_projection_apply(carom_inclusion_projection *projection,
                                              const carom_factor *mass_factor, double *q) {
    carom_inclusion_projection *p = projection;
    const int n = p->mechanism->coordinate_count;
    const int m = p->mechanism->contact_count;
    if (m == 0) {
        return CAROM_OK;
    }
    memcpy(p->position, q, (size_t)n * sizeof(double));
    memset(p->is_violated, 0, (size_t)m * sizeof(bool));
    for (int iteration = 0; iteration < MOST_ITERATIONS && find_violated(p); iteration++) {
        fill(p, mass_factor);
        const carom_status status = carom_lcp_solve_lemke(p->violated_count, p->matrix, p->constant,
                                                          p->multiplier, p->lemke, NULL);
        if (status == CAROM_STATUS_NOT_FINITE) {
            return status;
        }
        if (status != CAROM_OK) {
            break;
        }
        for (int k = 0; k < p->violated_count; k++) {
            for (int i = 0; i < n; i++) {
                p->position[i] += p->multiplier[k] * p->response[k * n + i];
            }
        }
    }
    memcpy(q, p->position, (size_t)n * sizeof(double));
    return CAROM_OK;
}

/* -------------------------------------------------------------------------------------- stepper */

/** Halvings of a step whose problem is not solved. */
enum { MOST_HALVINGS = 10 };

struct carom_inclusion_stepper {
    carom_completed *completed;
    carom_inclusion_params params;
    carom_inclusion_system *system;
    carom_inclusion_mixture_work *mixture_work;
    carom_inclusion_projection *projection;
    double expected_rate; /**< dt/ds of the last step since the start that had any; 0 before */
    double *impulse;      /**< [r] L */
    double *velocity;     /**< [n] v+ */
    double *position;     /**< [n] q+ */
};

carom_inclusion_params carom_inclusion_params_default(void) {
    return (carom_inclusion_params){.closed_gap = 1e-8, .facets = 8, .check_derivatives = true};
}

static const carom_mechanism_support SUPPORT = {
    .method = "inclusion",
    .subject = "motion",
    .friction = true,
    .nonlinear_mass = true,
    .space = true,
};

static carom_status require_positive(const char *quantity, double value, carom_report *report) {
    return value > 0.0 && isfinite(value)
               ? CAROM_OK
               : carom_report_refuse(report, quantity, value, -1, "> 0, finite");
}

static carom_status refuse(const carom_mechanism *mechanism, const carom_inclusion_params *params,
                           carom_report *report) {
    CAROM_TRY(carom_mechanism_require(mechanism, &SUPPORT, report));
    CAROM_TRY(require_positive("step", params->step, report));
    CAROM_TRY(require_positive("reference force", params->reference_force, report));
    if (!(params->closed_gap > 0.0 && params->closed_gap < 1.0)) {
        return carom_report_refuse(report, "closed gap", params->closed_gap, -1, "in (0,1)");
    }
    if (mechanism->contact_count > 0 && mechanism->friction != NULL &&
        (mechanism->tangent_count < 1 || mechanism->tangential_jacobian == NULL)) {
        return carom_report_refuse(report, "tangents of a contact", mechanism->tangent_count, -1,
                                   "1 or 2, with friction");
    }
    for (int i = 0; i < mechanism->contact_count && mechanism->friction != NULL; i++) {
        if (!(mechanism->friction[i] <= 1.0 / sqrt(DBL_EPSILON))) {
            return carom_report_refuse(report, "friction", mechanism->friction[i], i,
                                       "at most 6.7e7");
        }
    }
    for (int i = 0; i < mechanism->contact_count && params->approach_weight != NULL; i++) {
        const double weight = params->approach_weight[i];
        if (!(weight > 0.0) || !isfinite(weight)) {
            return carom_report_refuse(report, "approach weight", weight, i, "> 0, finite");
        }
    }
    return CAROM_OK;
}

/** The facets of the cones: exact in the plane, a polygon in space. */
static carom_status alloc_sharing(carom_inclusion_stepper *stepper, carom_report *report) {
    const double planar[2] = {1.0, -1.0};
    const int t = stepper->system->tangent_count;
    if (t < 2) {
        return carom_inclusion_mixture_work_alloc(stepper->system, 2, planar,
                                                  &stepper->mixture_work);
    }
    const int k = stepper->params.facets;
    CAROM_AUTO_MEMORY double *directions = k > 0 ? calloc(2 * (size_t)k, sizeof(double)) : NULL;
    if (k > 0 && directions == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    if (k <= 0 || carom_friction_facets(k, directions) != CAROM_OK) {
        return carom_report_refuse(report, "facets of a friction cone", k, -1, "even, >= 4");
    }
    return carom_inclusion_mixture_work_alloc(stepper->system, k, directions,
                                              &stepper->mixture_work);
}

static carom_status alloc_parts(const carom_mechanism *mechanism, carom_inclusion_stepper *stepper,
                                carom_report *report) {
    CAROM_TRY(carom_inclusion_system_alloc(mechanism, stepper->params.reference_force,
                                           stepper->params.closed_gap, &stepper->system));
    CAROM_TRY(carom_inclusion_projection_alloc(mechanism, &stepper->projection));
    CAROM_TRY(alloc_sharing(stepper, report));
    const size_t n = (size_t)mechanism->coordinate_count;
    stepper->impulse = calloc((size_t)stepper->system->row_count + 1, sizeof(double));
    stepper->velocity = calloc(n, sizeof(double));
    stepper->position = calloc(n, sizeof(double));
    const bool has_all =
        stepper->impulse != NULL && stepper->velocity != NULL && stepper->position != NULL;
    return has_all ? CAROM_OK : CAROM_STATUS_OUT_OF_MEMORY;
}

carom_status carom_inclusion_stepper_alloc(const carom_mechanism *mechanism,
                                           const carom_inclusion_params *params,
                                           carom_inclusion_stepper **out, carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(refuse(mechanism, params, report));
    CAROM_AUTO(carom_inclusion_stepper) stepper = calloc(1, sizeof *stepper);
    if (stepper == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    stepper->params = *params;
    CAROM_TRY(carom_completed_alloc(mechanism, &stepper->completed));
    CAROM_TRY(alloc_parts(carom_completed_mechanism(stepper->completed), stepper, report));
    CAROM_HAND_OVER(stepper, out);
    return CAROM_OK;
}

void carom_inclusion_stepper_free(carom_inclusion_stepper *stepper) {
    if (stepper == NULL) {
        return;
    }
    carom_inclusion_system_free(stepper->system);
    carom_inclusion_mixture_work_free(stepper->mixture_work);
    carom_inclusion_projection_free(stepper->projection);
    carom_completed_free(stepper->completed);
    free(stepper->impulse);
    free(stepper->velocity);
    free(stepper->position);
    free(stepper);
}

carom_status carom_inclusion_stepper_start(carom_inclusion_stepper *stepper, double t,
                                           const double *q, const double *v, carom_report *report) {
    CAROM_ASSERT(stepper != NULL && q != NULL && v != NULL);
    CAROM_TRY(carom_completed_start(stepper->completed, t, q, v, stepper->params.check_derivatives,
                                    report));
    stepper->system->distance = 0.0;
    stepper->expected_rate = 0.0;
    return CAROM_OK;
}

static carom_status fail_at(carom_status status, double t, double ds, carom_report *report) {
    (void)carom_report_fail(report, status, "shares of time and impulse", (double)NAN, -1);
    if (report != NULL) {
        report->time = t;
        report->step = ds;
    }
    return status;
}

/** dt and the impulses of a step; of half of it, again and again, where rounding lets none be
 * found.
 */
static carom_status find_duration(carom_inclusion_stepper *stepper, double ds,
                                  carom_inclusion_duration *duration) {
    carom_status status = CAROM_STATUS_NOT_CONVERGED;
    bool is_halved = false;
    double length = ds;
    for (int attempt = 0; attempt <= MOST_HALVINGS; attempt++) {
        status = carom_inclusion_duration_find(stepper->mixture_work, stepper->system,
                                               &stepper->params, length, stepper->expected_rate,
                                               stepper->impulse, duration);
        if (status != CAROM_STATUS_RAY && status != CAROM_STATUS_NOT_CONVERGED) {
            break;
        }
        length *= 0.5;
        is_halved = true;
    }
    duration->is_shortened = duration->is_shortened || is_halved;
    return status;
}

/*[inclusionStep]*/
carom_status carom_inclusion_stepper_advance(carom_inclusion_stepper *stepper, double ds, double *t,
                                             double *q, double *v, carom_inclusion_step *step,
                                             carom_report *report) {
    CAROM_ASSERT(stepper != NULL);
    carom_inclusion_system *system = stepper->system;
    const int n = system->coordinate_count;
    CAROM_ASSERT(ds > 0.0 && t != NULL && q != NULL && v != NULL);
    // M, f, g, J at the start, then dt and the impulses.
    CAROM_TRY(carom_inclusion_system_load(system, *t, q, v, ds, report));
    carom_inclusion_duration duration;
    carom_status status = find_duration(stepper, ds, &duration);
    if (status != CAROM_OK) {
        return fail_at(status, *t, ds, report);
    }
    const carom_inclusion_mixture mixture = duration.mixture;
    // v+ = v + M^-1 (dt f + J' L), q+ = q + dt v+.
    carom_inclusion_system_velocity(system, v, mixture.dt, stepper->impulse, stepper->velocity);
    bool is_finite = true;
    for (int i = 0; i < n; i++) {
        stepper->position[i] = q[i] + mixture.dt * stepper->velocity[i];
        is_finite = is_finite && isfinite(stepper->position[i]) && isfinite(stepper->velocity[i]);
    }
    status = is_finite ? CAROM_OK : CAROM_STATUS_NOT_FINITE;
    if (status == CAROM_OK && mixture.dt > 0.0) {
        status = carom_inclusion_projection_apply(stepper->projection, system->mass_factor,
                                                  stepper->position);
    }
    if (status != CAROM_OK) {
        return fail_at(status, *t, ds, report);
    }
    *t += mixture.dt;
    memcpy(q, stepper->position, (size_t)n * sizeof(double));
    memcpy(v, stepper->velocity, (size_t)n * sizeof(double));
    /*[end inclusionStep]*/
    if (mixture.dt > 0.0) {
        stepper->expected_rate = mixture.dt / duration.length;
    }
    if (step != NULL) {
        *step = (carom_inclusion_step){
            .length = duration.length,
            .time = mixture.dt,
            .approach = mixture.approach,
            .normal_impulse = stepper->impulse,
            .tangential_impulse = stepper->impulse + system->contact_count,
            .is_shortened = duration.is_shortened ? 1 : 0,
            .is_early = duration.is_early ? 1 : 0,
            .problems = mixture.problems,
            .pivots = mixture.pivots,
            .residual = mixture.residual,
        };
    }
    return CAROM_OK;
}
