#include <carom/impact/impact_inclusion.h>
#include <carom/impact/impulse_increment.h>
#include <carom/lcp/lemke_internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct carom_increment_work {
    carom_lcp_workspace *lemke;
    double *constant; /**< [size] w */
    double *solution; /**< [size] z */
    double *impulse;  /**< [r] L */
};

carom_status carom_impulse_increment_alloc(const carom_impact_problem *problem, int facets,
                                           carom_impulse_increment **out, carom_report *report) {
    CAROM_ASSERT(problem != NULL && out != NULL);
    return carom_cone_complementarity_alloc(problem, facets, true, out, report);
}

void carom_impulse_increment_free(carom_impulse_increment *increment) {
    carom_cone_complementarity_free(increment);
}

carom_status carom_increment_work_alloc(const carom_impulse_increment *increment,
                                        carom_increment_work **out) {
    CAROM_ASSERT(increment != NULL && out != NULL);
    *out = NULL;
    CAROM_AUTO(carom_increment_work) work = calloc(1, sizeof *work);
    if (work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    work->constant = calloc((size_t)increment->size, sizeof(double));
    work->solution = calloc((size_t)increment->size, sizeof(double));
    work->impulse = calloc((size_t)increment->problem->row_count, sizeof(double));
    if (work->constant == NULL || work->solution == NULL || work->impulse == NULL ||
        carom_lcp_workspace_alloc(increment->size, &work->lemke) != CAROM_OK) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_lcp_keep_matrix(increment->size, increment->matrix, work->lemke));
    CAROM_HAND_OVER(work, out);
    return CAROM_OK;
}

void carom_increment_work_free(carom_increment_work *work) {
    if (work == NULL) {
        return;
    }
    carom_lcp_workspace_free(work->lemke);
    free(work->constant);
    free(work->solution);
    free(work->impulse);
    free(work);
}

/*[impulseIncrement]*/
carom_status carom_impulse_increment_solve(const carom_impulse_increment *increment,
                                           const double *c, const double *caps,
                                           const double *covering, double *L,
                                           carom_increment_work *work,
                                           carom_increment_report *report) {
    CAROM_ASSERT(increment != NULL && c != NULL && caps != NULL && L != NULL && work != NULL);
    const carom_impact_problem *problem = increment->problem;
    // w = (caps, J_n v, J_D v, 0)
    for (int i = 0; i < problem->contact_count; i++) {
        work->constant[i] = caps[i];
    }
    carom_cone_complementarity_constant(increment, c, work->constant);
    carom_lcp_report lcp;
    const carom_status status =
        carom_lcp_solve_lemke_covering(increment->size, increment->matrix, work->constant, covering,
                                       work->solution, work->lemke, &lcp);
    if (report != NULL) {
        *report = (carom_increment_report){lcp.pivots, lcp.rescues, lcp.relative};
    }
    if (status != CAROM_OK) {
        for (int a = 0; a < problem->row_count; a++) {
            L[a] = (double)NAN;
        }
        return status;
    }
    carom_cone_complementarity_impulse(increment, work->solution, L);
    return CAROM_OK;
}
/*[end impulseIncrement]*/

carom_status carom_impulse_increment_run(const carom_impulse_increment *increment,
                                         const double *caps, int limit, double *c, double *path,
                                         int *used, carom_increment_work *work) {
    const carom_impact_problem *problem = increment->problem;
    const size_t rows = (size_t)problem->row_count;
    double *L = work->impulse;
    *used = 0;
    if (path != NULL) {
        memcpy(path, c, rows * sizeof *c);
    }
    /*[inclusionIncrements]*/
    while (carom_impact_is_colliding(problem, c) && *used < limit) {
        CAROM_TRY(carom_impulse_increment_solve(increment, c, caps, NULL, L, work, NULL));
        carom_impact_add_impulse(problem, L, c, c);
        ++*used;
        if (path != NULL) {
            memcpy(path + (size_t)*used * rows, c, rows * sizeof *c);
        }
    }
    /*[end inclusionIncrements]*/
    return CAROM_OK;
}

const double *carom_increment_work_solution(const carom_increment_work *work) {
    CAROM_ASSERT(work != NULL);
    return work->solution;
}

void carom_impulse_increment_scaled_cover(const carom_impulse_increment *increment, double mass,
                                          double *d) {
    CAROM_ASSERT(increment != NULL && d != NULL);
    const carom_impact_problem *problem = increment->problem;
    const int m = problem->contact_count;
    carom_cone_complementarity_covering(increment, mass, d);
    for (int i = 0; i < m; i++) {
        // The friction of the contact, in the kinetic metric if the others are.
        const double slip = problem->row_scale[m + i * problem->tangent_count];
        const double ratio = mass > 0.0 ? 1.0 : slip / problem->row_scale[i];
        d[increment->size - m + i] *= fmax(1.0, problem->friction[i] * ratio);
    }
}
