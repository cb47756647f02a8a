#include <carom/impact/impulse_increment.h>
#include <carom/lcp/lemke.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/** Caps above this multiple of what stops one contact are lowered to it, see sufficient_cap. */
static const double SUFFICIENT = 100.0;

/** An impulse above this part of a lowered cap has reached it. */
static const double REACHED = 0.999;

struct carom_increment_work {
    carom_lcp_workspace *lemke;
    double *constant; /**< [size] w */
    double *solution; /**< [size] z */
};

carom_status carom_impulse_increment_alloc(const carom_impact_problem *problem, int facets,
                                           carom_impulse_increment **out, carom_report *report) {
    return carom_cone_complementarity_alloc(problem, facets, true, out, report);
}

void carom_impulse_increment_free(carom_impulse_increment *increment) {
    carom_cone_complementarity_free(increment);
}

carom_status carom_increment_work_alloc(const carom_impulse_increment *increment,
                                        carom_increment_work **out) {
    *out = NULL;
    carom_increment_work *work = calloc(1, sizeof *work);
    if (work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    work->constant = calloc((size_t)increment->size, sizeof(double));
    work->solution = calloc((size_t)increment->size, sizeof(double));
    if (work->constant == NULL || work->solution == NULL ||
        carom_lcp_workspace_alloc(increment->size, &work->lemke) != CAROM_OK) {
        carom_increment_work_free(work);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    *out = work;
    return CAROM_OK;
}

void carom_increment_work_free(carom_increment_work *work) {
    if (work == NULL) {
        return;
    }
    carom_lcp_workspace_free(work->lemke);
    free(work->constant);
    free(work->solution);
    free(work);
}

/**
 * A cap so large that it will hardly be reached, N s: a hundred times what stops the fastest
 * contact against the least mobility. Larger ones would only blur what is zero beside them.
 */
static double sufficient_cap(const carom_impact_problem *problem, const double *c) {
    double speed = 0.0;
    double mobility = HUGE_VAL;
    for (int a = 0; a < problem->row_count; a++) {
        speed = fmax(speed, fabs(c[a]));
    }
    for (int i = 0; i < problem->contact_count; i++) {
        mobility = fmin(mobility, problem->delassus_matrix[i * problem->row_count + i]);
    }
    return speed > 0.0 && mobility > 0.0 ? SUFFICIENT * speed / mobility : HUGE_VAL;
}

/** Whether a cap that was lowered to `largest` is reached after all. */
static bool reaches_lowered_cap(const carom_impulse_increment *increment, const double *caps,
                                double largest, const double *z) {
    const int m = increment->problem->contact_count;
    for (int i = 0; i < m; i++) {
        // The slack of the cap is z_i, the normal impulse z_(m+i).
        if (caps[i] > largest && (z[i] > 0.0 || z[m + i] > REACHED * largest)) {
            return true;
        }
    }
    return false;
}

/*[impulseIncrement]*/
/** Solve with w = (caps, J_n v, J_D v, 0), no cap above `largest`. */
static carom_status solve_capped(const carom_impulse_increment *increment, const double *c,
                                 const double *caps, double largest, const double *covering,
                                 carom_increment_work *work, carom_lcp_report *report) {
    for (int i = 0; i < increment->problem->contact_count; i++) {
        work->constant[i] = fmin(caps[i], largest);
    }
    carom_cone_complementarity_constant(increment, c, work->constant);
    return carom_lcp_solve_lemke_covering(increment->size, increment->matrix, work->constant,
                                          covering, work->solution, work->lemke, report);
}
/*[end impulseIncrement]*/

carom_status carom_impulse_increment_solve(const carom_impulse_increment *increment,
                                           const double *c, const double *caps,
                                           const double *covering, double *L,
                                           carom_increment_work *work,
                                           carom_increment_report *report) {
    const carom_impact_problem *problem = increment->problem;
    const double largest = sufficient_cap(problem, c);
    carom_lcp_report lcp;
    carom_status status = solve_capped(increment, c, caps, largest, covering, work, &lcp);
    if (status != CAROM_OK || reaches_lowered_cap(increment, caps, largest, work->solution)) {
        status = solve_capped(increment, c, caps, HUGE_VAL, covering, work, &lcp);
    }
    if (report != NULL) {
        *report = (carom_increment_report){lcp.pivots, lcp.rescues, lcp.residual};
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

const double *carom_increment_work_solution(const carom_increment_work *work) {
    return work->solution;
}

void carom_impulse_increment_scaled_cover(const carom_impulse_increment *increment, double *d) {
    const int m = increment->problem->contact_count;
    for (int i = 0; i < increment->size; i++) {
        d[i] = 1.0;
    }
    for (int i = 0; i < m; i++) {
        d[increment->size - m + i] = fmax(1.0, increment->problem->friction[i]);
    }
}
