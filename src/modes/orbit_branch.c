#include <carom/modes/orbit_search.h>

#include <carom/modes/orbit_search_internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
static carom_status arc_alloc(int impact_count, int point_count, carom_orbit_branch **out) {
    carom_orbit_branch *arc = calloc(1, sizeof *arc);
    if (arc == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t k = (size_t)impact_count;
    const size_t N = (size_t)point_count;
    arc->impact_count = impact_count;
    arc->point_count = point_count;
    arc->flight_times = malloc(N * (3 * k + 5) * sizeof(double));
    arc->admissible = malloc(3 * N * sizeof(int));
    if (arc->flight_times == NULL || arc->admissible == NULL) {
        carom_orbit_branch_free(arc);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    arc->lambda = arc->flight_times + N * k;
    arc->direction = arc->lambda + N * k;
    arc->period = arc->direction + N * k;
    arc->energy = arc->period + N;
    arc->action = arc->energy + N;
    arc->gap_violation = arc->action + N;
    arc->spectral_radius = arc->gap_violation + N;
    arc->gap_sign = arc->admissible + N;
    arc->branch_point = arc->gap_sign + N;
    *out = arc;
    return CAROM_OK;
}

void carom_orbit_branch_free(carom_orbit_branch *arc) {
    if (arc != NULL) {
        free(arc->flight_times);
        free(arc->admissible);
        free(arc);
    }
}

/** Copy row `from` of a walk to row `to` of the arc. */
static void copy_row(const carom_branch_side *walk, int from, carom_orbit_branch *arc, int to) {
    const size_t k = (size_t)arc->impact_count;
    const carom_branch_row *row = &walk->rows[from];
    const double *lambda = walk->lambda + (size_t)from * k;
    memcpy(arc->flight_times + (size_t)to * k, walk->flight_times + (size_t)from * k,
           k * sizeof(double));
    const bool is_finite = row->gap_sign != 0;
    double norm = 0.0;
    for (size_t j = 0; j < k; j++) {
        norm = hypot(norm, lambda[j]);
    }
    for (size_t j = 0; j < k; j++) {
        arc->lambda[(size_t)to * k + j] = is_finite ? lambda[j] : (double)NAN;
        arc->direction[(size_t)to * k + j] = lambda[j] / norm;
    }
    arc->period[to] = row->period;
    arc->energy[to] = is_finite ? row->energy : (double)NAN;
    arc->action[to] = is_finite ? row->action : (double)NAN;
    arc->gap_violation[to] = row->gap_violation;
    arc->spectral_radius[to] = row->spectral_radius;
    arc->admissible[to] = row->is_admissible;
    arc->gap_sign[to] = row->gap_sign;
    arc->branch_point[to] = row->is_branch_point;
    arc->identity_error = fmax(arc->identity_error, row->identity_error);
}

/** The end of a walk as an end of the arc. */
static void copy_end(const carom_branch_side *walk, carom_orbit_branch *arc, int side) {
    arc->ends[side] = walk->end;
    arc->end_impact[side] = walk->end_impact;
    arc->end_time[side] = walk->end_time;
}

/** Join both walks, which share their first point: the backward one reversed, then the forward one.
 */
static carom_status join(const carom_branch_side *backward, const carom_branch_side *forward,
                         carom_orbit_branch **out) {
    // A closed curve was walked once.
    const int before = forward->end == CAROM_BRANCH_END_CLOSED ? 0 : backward->count - 1;
    carom_orbit_branch *arc = NULL;
    CAROM_TRY(arc_alloc(forward->impact_count, before + forward->count, &arc));
    for (int i = 0; i < before; i++) {
        copy_row(backward, backward->count - 1 - i, arc, i);
        // A crossing lies between a point and the one walked before it, which now follows.
        arc->branch_point[i] = i == 0 ? 0 : backward->rows[backward->count - i].is_branch_point;
    }
    for (int i = 0; i < forward->count; i++) {
        copy_row(forward, i, arc, before + i);
    }
    if (before > 0) {
        arc->branch_point[before] = backward->rows[1].is_branch_point;
    }
    arc->start = before;
    copy_end(before > 0 ? backward : forward, arc, 0);
    if (before == 0 && forward->end != CAROM_BRANCH_END_CLOSED) {
        copy_end(backward, arc, 0);
    }
    copy_end(forward, arc, 1);
    *out = arc;
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
        return carom_report_refuse(report, "arc step", params->step, -1,
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
    carom_branch_side_work *walker = NULL;
    carom_branch_side backward = {.count = 0};
    carom_branch_side forward = {.count = 0};
    carom_status status = carom_branch_side_work_alloc(basis, orbit, params, &walker, report);
    if (status == CAROM_OK) {
        status = carom_branch_side_compute(walker, 1, progress, context, &forward);
    }
    if (status == CAROM_OK && forward.end != CAROM_BRANCH_END_CLOSED) {
        status = carom_branch_side_compute(walker, -1, progress, context, &backward);
    }
    if (status == CAROM_OK) {
        status = join(&backward, &forward, out);
    }
    carom_branch_side_clear(&forward);
    carom_branch_side_clear(&backward);
    carom_branch_side_work_free(walker);
    return status;
}
