#include <carom/lcp/lcp.h>
#include <carom/timestepping/inclusion/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    carom_inclusion_projection *p = calloc(1, sizeof *p);
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
        carom_inclusion_projection_free(p);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    *out = p;
    return CAROM_OK;
}

/** Gaps of the iterate; whether one is negative. Those that are stay in question. */
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

/** G M^-1, G M^-1 G' and g of the contacts in question. */
static void fill(carom_inclusion_projection *p, const carom_factor *mass_factor) {
    const int n = p->mechanism->coordinate_count;
    const int count = p->violated_count;
    p->mechanism->constraint_jacobian(p->position, p->jacobian, p->mechanism->context);
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
