#include <carom/base/linear_algebra.h>
#include <carom/base/vector.h>
#include <carom/timestepping/variational/variational.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Work memory for n coordinates. */
typedef struct metric {
    int n;
    carom_factor *factor; /**< of M */
    double *M;            /**< [n][n] kg */
    double *d;            /**< [n] p_1 - p_2 */
    double *x;            /**< [n] M^-1 d' */
} metric;

static void metric_clear(metric *m) {
    carom_factor_free(m->factor);
    free(m->M);
}

static carom_status metric_init(const carom_mechanism *mechanism, metric *m) {
    const size_t n = (size_t)mechanism->coordinate_count;
    m->n = mechanism->coordinate_count;
    m->M = malloc((n * n + 2 * n) * sizeof *m->M);
    if (m->M == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    m->d = m->M + n * n;
    m->x = m->d + n;
    return carom_factor_alloc(mechanism->layout, &m->factor);
}

/** |d|_g^2 = d M^-1 d' of a covector [n], M factored. */
static double squared_norm(const metric *m, const double *d) {
    memcpy(m->x, d, (size_t)m->n * sizeof *d);
    carom_factor_solve(m->factor, m->x);
    return carom_vector_dot(m->n, d, m->x);
}

/*[trexIndeterminacy]*/
/** |p_1 - p_2|/|p_1| at one instant, in the metric of the first motion, and over its energy. */
static carom_status compare_at(const carom_mechanism *mechanism, metric *m, const double *q_1,
                               const double *p_1, const double *p_2, double *by_norm,
                               double *by_energy) {
    mechanism->mass(q_1, m->M, mechanism->context);
    CAROM_TRY(carom_factor_compute(m->factor, m->M));
    for (int j = 0; j < m->n; j++) {
        m->d[j] = p_1[j] - p_2[j];
    }
    const double distance = sqrt(squared_norm(m, m->d));
    const double momentum = squared_norm(m, p_1);
    // At rest there is nothing to compare with.
    *by_norm = momentum > 0.0 ? distance / sqrt(momentum) : 0.0;
    *by_energy = momentum > 0.0 ? distance / (0.5 * momentum) : 0.0;
    return CAROM_OK;
}
/*[end trexIndeterminacy]*/

carom_status carom_variational_difference(const carom_mechanism *mechanism,
                                          const carom_trajectory *one,
                                          const carom_trajectory *other, double *by_norm,
                                          double *by_energy, carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && one != NULL && other != NULL);
    CAROM_ASSERT(by_norm != NULL && by_energy != NULL);
    CAROM_ASSERT(one->row_count <= other->row_count);
    CAROM_AUTO_VALUE(metric) m = {.factor = NULL};
    CAROM_TRY(metric_init(mechanism, &m));
    for (int k = 0; k < one->row_count; k++) {
        const size_t at = (size_t)k * (size_t)m.n;
        const carom_status status =
            compare_at(mechanism, &m, one->position + at, one->momentum + at, other->momentum + at,
                       &by_norm[k], &by_energy[k]);
        if (status != CAROM_OK) {
            return carom_report_fail(report, status, "mass matrix", (double)NAN, -1);
        }
    }
    return CAROM_OK;
}
