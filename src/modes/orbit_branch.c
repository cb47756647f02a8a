#include <carom/modes/orbit_search.h>
#include <carom/modes/orbit_search_internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------- ends */

const char *carom_branch_end_name(carom_branch_end end) {
    switch (end) {
#define CAROM_BRANCH_END_CASE(code, name, sentence) \
    case CAROM_BRANCH_END_##code:                   \
        return name;
        CAROM_BRANCH_END_LIST(CAROM_BRANCH_END_CASE)
#undef CAROM_BRANCH_END_CASE
    }
    return "unknown";
}

const char *carom_branch_end_sentence(carom_branch_end end) {
    switch (end) {
#define CAROM_BRANCH_END_CASE(code, name, sentence) \
    case CAROM_BRANCH_END_##code:                   \
        return sentence;
        CAROM_BRANCH_END_LIST(CAROM_BRANCH_END_CASE)
#undef CAROM_BRANCH_END_CASE
    }
    return "unknown end";
}

/* --------------------------------------------------------------------------------- continuation */

carom_orbit_branch_params carom_orbit_branch_params_default(void) {
    return (carom_orbit_branch_params){
        .step = 0.01,
        .max_step = 0.02,
        .max_points = 5000,
        .max_period = HUGE_VAL,
        .follow_potential = false,
        .with_stability = true,
    };
}

/** Memory for N points. */
static carom_status branch_alloc(int impact_count, int point_count, carom_orbit_branch **out) {
    CAROM_AUTO(carom_orbit_branch) branch = calloc(1, sizeof *branch);
    if (branch == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t k = (size_t)impact_count;
    const size_t N = (size_t)point_count;
    branch->impact_count = impact_count;
    branch->point_count = point_count;
    branch->flight_times = malloc(N * (3 * k + 5) * sizeof(double));
    branch->admissible = malloc(3 * N * sizeof(int));
    if (branch->flight_times == NULL || branch->admissible == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    branch->lambda = branch->flight_times + N * k;
    branch->direction = branch->lambda + N * k;
    branch->period = branch->direction + N * k;
    branch->energy = branch->period + N;
    branch->action = branch->energy + N;
    branch->gap_violation = branch->action + N;
    branch->spectral_radius = branch->gap_violation + N;
    branch->gap_sign = branch->admissible + N;
    branch->branch_point = branch->gap_sign + N;
    CAROM_HAND_OVER(branch, out);
    return CAROM_OK;
}

carom_status carom_orbit_branch_motion(const carom_modal_basis *basis,
                                       const carom_orbit_branch *branch, int point,
                                       carom_orbit *orbit) {
    CAROM_ASSERT(basis != NULL && branch != NULL && orbit != NULL);
    CAROM_ASSERT(orbit->impact_count == branch->impact_count);
    if (point < 0 || point >= branch->point_count) {
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    const int last = branch->point_count - 1;
    const bool is_linear = (point == 0 && branch->ends[0] == CAROM_BRANCH_END_HARMONIC) ||
                           (point == last && branch->ends[1] == CAROM_BRANCH_END_HARMONIC);
    if (is_linear || branch->gap_sign[point] == 0) {
        return CAROM_STATUS_SINGULAR;
    }
    const size_t k = (size_t)branch->impact_count;
    memcpy(orbit->flight_times, branch->flight_times + k * (size_t)point, k * sizeof(double));
    memcpy(orbit->lambda, branch->lambda + k * (size_t)point, k * sizeof(double));
    return carom_orbit_complete(basis, orbit);
}

void carom_orbit_branch_free(carom_orbit_branch *branch) {
    if (branch != NULL) {
        free(branch->flight_times);
        free(branch->admissible);
        free(branch);
    }
}

/** Copy row `from` of a side to row `to` of the branch. */
static void copy_row(const carom_branch_side *side, int from, carom_orbit_branch *branch, int to) {
    const size_t k = (size_t)branch->impact_count;
    const carom_branch_row *row = &side->rows[from];
    const double *lambda = side->lambda + (size_t)from * k;
    memcpy(branch->flight_times + (size_t)to * k, side->flight_times + (size_t)from * k,
           k * sizeof(double));
    const bool is_finite = row->gap_sign != 0;
    double norm = 0.0;
    for (size_t j = 0; j < k; j++) {
        norm = hypot(norm, lambda[j]);
    }
    for (size_t j = 0; j < k; j++) {
        branch->lambda[(size_t)to * k + j] = is_finite ? lambda[j] : (double)NAN;
        branch->direction[(size_t)to * k + j] = lambda[j] / norm;
    }
    branch->period[to] = row->period;
    branch->energy[to] = is_finite ? row->energy : (double)NAN;
    branch->action[to] = is_finite ? row->action : (double)NAN;
    branch->gap_violation[to] = row->gap_violation;
    branch->spectral_radius[to] = row->spectral_radius;
    branch->admissible[to] = row->is_admissible;
    branch->gap_sign[to] = row->gap_sign;
    branch->branch_point[to] = row->is_branch_point;
    branch->identity_error = fmax(branch->identity_error, row->identity_error);
}

/** The end of a side as an end of the branch. */
static void copy_end(const carom_branch_side *side, carom_orbit_branch *branch, int end) {
    branch->ends[end] = side->end;
    branch->end_impact[end] = side->end_impact;
    branch->end_time[end] = side->end_time;
}

/** Join both sides, which share their first point: the backward one reversed, then the forward one.
 */
static carom_status join(const carom_branch_side *backward, const carom_branch_side *forward,
                         carom_orbit_branch **out) {
    // A closed curve was followed once.
    const int before = forward->end == CAROM_BRANCH_END_CLOSED ? 0 : backward->count - 1;
    carom_orbit_branch *branch = NULL;
    CAROM_TRY(branch_alloc(forward->impact_count, before + forward->count, &branch));
    for (int i = 0; i < before; i++) {
        copy_row(backward, backward->count - 1 - i, branch, i);
        // A crossing lies between a point and the one computed before it, which now follows.
        branch->branch_point[i] = i == 0 ? 0 : backward->rows[backward->count - i].is_branch_point;
    }
    for (int i = 0; i < forward->count; i++) {
        copy_row(forward, i, branch, before + i);
    }
    if (before > 0) {
        branch->branch_point[before] = backward->rows[1].is_branch_point;
    }
    branch->start = before;
    copy_end(before > 0 ? backward : forward, branch, 0);
    if (before == 0 && forward->end != CAROM_BRANCH_END_CLOSED) {
        copy_end(backward, branch, 0);
    }
    copy_end(forward, branch, 1);
    *out = branch;
    return CAROM_OK;
}

carom_status carom_orbit_branch_follow(const carom_modal_basis *basis, const carom_orbit *orbit,
                                       const carom_orbit_branch_params *params,
                                       carom_orbit_branch_progress progress, void *context,
                                       carom_orbit_branch **out, carom_report *report) {
    CAROM_ASSERT(basis != NULL && orbit != NULL && out != NULL);
    const carom_orbit_branch_params defaults = carom_orbit_branch_params_default();
    params = params == NULL ? &defaults : params;
    *out = NULL;
    if (!(fabs(basis->gap_at_rest) > 0.0)) {
        return carom_report_refuse(report, "gap at rest", basis->gap_at_rest, -1, "not 0");
    }
    if (!(params->step > 0.0) || !(params->max_step >= params->step) ||
        !isfinite(params->max_step)) {
        return carom_report_refuse(report, "branch step", params->step, -1,
                                   "> 0, up to the longest one, finite");
    }
    if (!(orbit->period <= params->max_period)) {
        return carom_report_bound(report, "period", orbit->period, "up to the longest,",
                                  params->max_period);
    }
    if (params->max_points < 2) {
        return carom_report_refuse(report, "number of points", params->max_points, -1,
                                   "at least 2");
    }
    CAROM_AUTO(carom_branch_side_work) work = NULL;
    CAROM_AUTO_VALUE(carom_branch_side) backward = {.count = 0};
    CAROM_AUTO_VALUE(carom_branch_side) forward = {.count = 0};
    CAROM_TRY(carom_branch_side_work_alloc(basis, orbit, params, &work, report));
    CAROM_TRY(carom_branch_side_compute(work, 1, progress, context, &forward));
    if (forward.end != CAROM_BRANCH_END_CLOSED) {
        CAROM_TRY(carom_branch_side_compute(work, -1, progress, context, &backward));
    }
    return join(&backward, &forward, out);
}
