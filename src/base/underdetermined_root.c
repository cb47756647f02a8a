#include <carom/base/roots.h>

#include <carom/base/linear_algebra.h>
#include <carom/base/vector.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Singular values below this fraction of the largest: no full rank. Jacobi's method leaves
 * n eps, some 1e-15. */
static const double RANK_TOLERANCE = 1e-13;

struct carom_underdetermined_workspace {
    int m;
    int n;
    double *numbers;      /* the arrays below, one after the other */
    double *start;        /* z_0 [n] */
    double *z;            /* [n] */
    double *trial;        /* [n] */
    double *step;         /* [n] */
    double *F;            /* [m] */
    double *right;        /* of J step = right, [m] */
    double *coefficients; /* S^-1 V' right [m] */
    double *jacobian;     /* [m][n] */
    gsl_matrix *left;     /* J' of the free unknowns, then its left factor U [n][m] */
    gsl_matrix *factor;   /* its right factor V [m][m] */
    gsl_vector *values;   /* its singular values S, falling [m] */
};

carom_underdetermined_params carom_underdetermined_params_default(void) {
    const carom_underdetermined_params params = {
        .goal = CAROM_UNDERDETERMINED_GAUSS_NEWTON,
        .tolerance = 1e-13,
        .step_tolerance = 1e-12,
        .most_iterations = 50,
        .most_halvings = 10,
    };
    return params;
}

carom_status carom_underdetermined_workspace_alloc(int equation_count, int unknown_count,
                                                   carom_underdetermined_workspace **out) {
    CAROM_ASSERT(out != NULL && equation_count >= 1 && unknown_count >= equation_count);
    *out = NULL;
    CAROM_AUTO(carom_underdetermined_workspace) work = calloc(1, sizeof *work);
    if (work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t m = (size_t)equation_count;
    const size_t n = (size_t)unknown_count;
    work->m = equation_count;
    work->n = unknown_count;
    work->numbers = calloc(4 * n + 3 * m + m * n, sizeof(double));
    work->left = gsl_matrix_alloc(n, m);
    work->factor = gsl_matrix_alloc(m, m);
    work->values = gsl_vector_alloc(m);
    if (work->numbers == NULL || work->left == NULL || work->factor == NULL ||
        work->values == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    work->start = work->numbers;
    work->z = work->start + n;
    work->trial = work->z + n;
    work->step = work->trial + n;
    work->F = work->step + n;
    work->right = work->F + m;
    work->coefficients = work->right + m;
    work->jacobian = work->coefficients + m;
    CAROM_HAND_OVER(work, out);
    return CAROM_OK;
}

void carom_underdetermined_workspace_free(carom_underdetermined_workspace *work) {
    if (work == NULL) {
        return;
    }
    free(work->numbers);
    gsl_matrix_free(work->left);
    gsl_matrix_free(work->factor);
    gsl_vector_free(work->values);
    free(work);
}

/** F and J at a point. */
static carom_status evaluate(const carom_underdetermined_system *system, const double *z,
                             carom_underdetermined_workspace *work, carom_report *report) {
    CAROM_TRY(system->function(z, work->F, work->jacobian, system->context, report));
    CAROM_TRY(carom_report_require_finite(report, "function", work->m, work->F));
    return carom_report_require_finite(report, "jacobian", work->m * work->n, work->jacobian);
}

/** J' = U S V', zero rows for the unknowns that are not free: U has the same. */
static carom_status decompose(const carom_underdetermined_system *system,
                              carom_underdetermined_workspace *work, carom_report *report) {
    for (int j = 0; j < work->n; j++) {
        const bool is_free = system->is_free == NULL || system->is_free[j];
        for (int i = 0; i < work->m; i++) {
            gsl_matrix_set(work->left, (size_t)j, (size_t)i,
                           is_free ? work->jacobian[i * work->n + j] : 0.0);
        }
    }
    if (carom_singular_values_rotate(work->left, work->factor, work->values) != CAROM_OK) {
        return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "singular values",
                                 carom_vector_largest(work->m * work->n, work->jacobian), -1);
    }
    return CAROM_OK;
}

/** Ratio of the extreme singular values; infinite without full rank. */
static double condition_of(const carom_underdetermined_workspace *work) {
    const double largest = gsl_vector_get(work->values, 0);
    const double smallest = gsl_vector_get(work->values, (size_t)work->m - 1);
    return smallest > RANK_TOLERANCE * largest ? largest / smallest : HUGE_VAL;
}

/** The step to the root of the linearised equations that is nearest to z, or to z_0. */
static void set_step(carom_underdetermined_goal goal, carom_underdetermined_workspace *work) {
    const bool is_from_start = goal == CAROM_UNDERDETERMINED_NEAREST;

    /*[minimumNormStep]*/
    /* J (root - base) = J (z - base) - F, base the point whose neighbour is sought. */
    for (int i = 0; i < work->m; i++) {
        work->right[i] = -work->F[i];
        for (int j = 0; is_from_start && j < work->n; j++) {
            work->right[i] += work->jacobian[i * work->n + j] * (work->z[j] - work->start[j]);
        }
    }

    /* J^+ = U S^-1 V'. */
    for (int k = 0; k < work->m; k++) {
        double sum = 0.0;
        for (int i = 0; i < work->m; i++) {
            sum += gsl_matrix_get(work->factor, (size_t)i, (size_t)k) * work->right[i];
        }
        work->coefficients[k] = sum / gsl_vector_get(work->values, (size_t)k);
    }
    for (int j = 0; j < work->n; j++) {
        work->step[j] = is_from_start ? work->start[j] - work->z[j] : 0.0;
        for (int k = 0; k < work->m; k++) {
            work->step[j] +=
                gsl_matrix_get(work->left, (size_t)j, (size_t)k) * work->coefficients[k];
        }
    }
    /*[end minimumNormStep]*/
}

/** Go the step, or its largest half, quarter ... that stays within the domain. */
static carom_status go_step(const carom_underdetermined_system *system, int most_halvings,
                            carom_underdetermined_workspace *work, carom_report *report) {
    carom_status status = CAROM_STATUS_OUT_OF_RANGE;
    double fraction = 1.0;
    for (int k = 0; k <= most_halvings && status == CAROM_STATUS_OUT_OF_RANGE; k++) {
        for (int j = 0; j < work->n; j++) {
            work->trial[j] = work->z[j] + fraction * work->step[j];
        }
        status = evaluate(system, work->trial, work, report);
        fraction *= 0.5;
    }
    if (status == CAROM_OK) {
        memcpy(work->z, work->trial, (size_t)work->n * sizeof(double));
    }
    return status;
}

/** Step until the equations hold and, for the nearest root, z stays where it is. */
static carom_status iterate(const carom_underdetermined_system *system,
                            const carom_underdetermined_params *params,
                            carom_underdetermined_workspace *work,
                            carom_underdetermined_result *result, carom_report *report) {
    CAROM_TRY(evaluate(system, work->z, work, report));
    for (result->iterations = 0;; result->iterations++) {
        result->residual = carom_vector_largest(work->m, work->F);
        CAROM_TRY(decompose(system, work, report));
        result->condition = condition_of(work);
        const bool is_root = result->residual <= params->tolerance;
        if (is_root && params->goal == CAROM_UNDERDETERMINED_GAUSS_NEWTON) {
            return CAROM_OK;
        }
        if (!isfinite(result->condition)) {
            return carom_report_fail(report, CAROM_STATUS_SINGULAR, "jacobian",
                                     gsl_vector_get(work->values, (size_t)work->m - 1), -1);
        }
        set_step(params->goal, work);
        if (is_root && carom_vector_largest(work->n, work->step) <= params->step_tolerance) {
            return CAROM_OK;
        }
        if (result->iterations == params->most_iterations) {
            return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "function",
                                     result->residual, -1);
        }
        CAROM_TRY(go_step(system, params->most_halvings, work, report));
    }
}

/** |z - z_0|. */
static double distance_from_start(const carom_underdetermined_workspace *work) {
    double squares = 0.0;
    for (int j = 0; j < work->n; j++) {
        squares += (work->z[j] - work->start[j]) * (work->z[j] - work->start[j]);
    }
    return sqrt(squares);
}

static int free_count(const carom_underdetermined_system *system) {
    int count = 0;
    for (int j = 0; j < system->unknown_count; j++) {
        count += system->is_free == NULL || system->is_free[j] ? 1 : 0;
    }
    return count;
}

carom_status carom_underdetermined_root_find(const carom_underdetermined_system *system,
                                             const carom_underdetermined_params *params, double *z,
                                             double *F, carom_underdetermined_workspace *work,
                                             carom_underdetermined_result *result,
                                             carom_report *report) {
    CAROM_ASSERT(system != NULL && params != NULL && z != NULL && work != NULL);
    CAROM_ASSERT(work->m == system->equation_count && work->n == system->unknown_count);
    CAROM_ASSERT(free_count(system) >= system->equation_count);
    CAROM_ASSERT(params->tolerance > 0.0 && params->step_tolerance > 0.0);
    CAROM_ASSERT(params->most_iterations >= 1 && params->most_halvings >= 0);
    const size_t size = (size_t)work->n * sizeof(double);
    memcpy(work->start, z, size);
    memcpy(work->z, z, size);

    /* Failures that a shorter step mends are not reported. */
    carom_underdetermined_result found = {.residual = (double)NAN};
    carom_report failure = carom_report_empty();
    const carom_status status = iterate(system, params, work, &found, &failure);
    if (status != CAROM_OK) {
        if (report != NULL) {
            *report = failure;
            report->residual = found.residual;
            report->iterations = found.iterations;
        }
        for (int i = 0; F != NULL && i < work->m; i++) {
            F[i] = (double)NAN;
        }
        return status;
    }
    found.distance = distance_from_start(work);
    memcpy(z, work->z, size);
    if (F != NULL) {
        memcpy(F, work->F, (size_t)work->m * sizeof(double));
    }
    if (result != NULL) {
        *result = found;
    }
    return CAROM_OK;
}
