#include <carom/modes/orbit_search_internal.h>

#include <carom/modes/orbit.h>

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

/** Steps grow after easy corrections and shrink after hard ones or sharp turns. */
static const double GROWTH = 1.3;
static const double SHRINKAGE = 0.5;
enum { EASY_CORRECTIONS = 3, HARD_CORRECTIONS = 5 };
static const double LEAST_COSINE = 0.99;

/** Below this step the next point cannot be computed. */
static const double LEAST_STEP = 1e-9;

/** Periods below this fraction of the shortest period of a mode count as zero. */
static const double SHORT_PERIOD = 1e-3;

/** Periods this close to a harmonic, relatively, are at it. */
static const double HARMONIC_WIDTH = 1e-13;

/** Fewest steps before a curve may close. */
enum { LEAST_LOOP = 4 };

/** Secant steps to the point level with the first one, and how close to it that must be. */
enum { CLOSING_SECANTS = 4 };
static const double SAME_POINT = 1e-7;

void carom_branch_side_clear(carom_branch_side *side) {
    free(side->rows);
    free(side->flight_times);
    free(side->lambda);
    *side = (carom_branch_side){.count = 0};
}

void carom_branch_side_work_free(carom_branch_side_work *work) {
    if (work == NULL) {
        return;
    }
    carom_continuation_point_clear(&work->first);
    carom_continuation_point_clear(&work->here);
    carom_continuation_point_clear(&work->next);
    carom_continuation_point_clear(&work->trial);
    carom_orbit_free(work->orbit);
    carom_stability_free(work->stability);
    carom_contact_motion_free(work->motion);
    carom_orbit_continuation_free(work->continuation);
    free(work->state);
    free(work);
}

/** All parts of the work memory. */
static carom_status allocate_parts(carom_branch_side_work *w, int impact_count) {
    CAROM_TRY(carom_orbit_continuation_alloc(w->basis, impact_count, &w->continuation));
    CAROM_TRY(carom_contact_motion_alloc(w->basis, &w->motion));
    CAROM_TRY(carom_stability_alloc(w->basis, &w->stability));
    CAROM_TRY(carom_orbit_alloc(w->basis, impact_count, &w->orbit));
    CAROM_TRY(carom_continuation_point_alloc(impact_count, &w->first));
    CAROM_TRY(carom_continuation_point_alloc(impact_count, &w->here));
    CAROM_TRY(carom_continuation_point_alloc(impact_count, &w->next));
    CAROM_TRY(carom_continuation_point_alloc(impact_count, &w->trial));
    w->state = malloc(2 * (size_t)w->basis->visible_count * sizeof(double));
    return w->state == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
}

/** Room for one more row of k impacts; it doubles when it is used up. */
static carom_status reserve(carom_branch_side *side, int impact_count) {
    if (side->count < side->capacity) {
        return CAROM_OK;
    }
    const int capacity = side->capacity == 0 ? 64 : 2 * side->capacity;
    const size_t row_bytes = (size_t)capacity * (size_t)impact_count * sizeof(double);
    carom_branch_row *rows = realloc(side->rows, (size_t)capacity * sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    side->rows = rows;
    double *flight_times = realloc(side->flight_times, row_bytes);
    if (flight_times == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    side->flight_times = flight_times;
    double *lambda = realloc(side->lambda, row_bytes);
    if (lambda == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    side->lambda = lambda;
    side->capacity = capacity;
    return CAROM_OK;
}

/** Append the point that was judged last, whose motion is in w->orbit. */
static carom_status append(carom_branch_side_work *w, const carom_continuation_point *point,
                           const carom_branch_point_check *v, bool is_end, bool is_branch_point,
                           carom_branch_side *side) {
    const int k = w->orbit->impact_count;
    CAROM_TRY(reserve(side, k));
    const double g = v->inside[CAROM_BRANCH_GAP_SIGN];
    const bool is_infinite = fabs(g) < CAROM_BRANCH_VANISHING * CAROM_BRANCH_VANISHING;
    double norm = 0.0;
    double sum = 0.0;
    for (int j = 0; j < k; j++) {
        norm += w->orbit->lambda[j] * w->orbit->lambda[j];
        sum += w->orbit->lambda[j];
    }
    const double scale = is_infinite ? 1.0 / sqrt(norm) : 1.0 / fabs(g);
    carom_branch_row row = {
        .period = point->period,
        .energy = is_infinite ? HUGE_VAL : point->energy * scale * scale,
        .action = is_infinite ? HUGE_VAL
                              : w->basis->gap_at_rest / w->basis->root_inverse_mass * sum * scale,
        .gap_violation = is_infinite ? (double)NAN : v->admissibility.largest_gap_violation * scale,
        .spectral_radius = (double)NAN,
        .identity_error = point->identity_error,
        .is_admissible = is_end || v->admissibility.is_admissible,
        .gap_sign = is_infinite                    ? 0
                    : (g > 0.0) == (w->side > 0.0) ? 1
                                                   : -1,
        .is_branch_point = is_branch_point,
    };
    // A graze has no linearization: its radius stays NaN.
    if (w->params->with_stability && v->inside[CAROM_BRANCH_PUSH] > CAROM_BRANCH_VANISHING &&
        carom_stability_multipliers(w->stability, w->orbit, NULL, &row.spectral_radius) !=
            CAROM_OK) {
        row.spectral_radius = (double)NAN;
    }
    side->rows[side->count] = row;
    for (int j = 0; j < k; j++) {
        side->flight_times[side->count * k + j] = w->orbit->flight_times[j];
        side->lambda[side->count * k + j] = w->orbit->lambda[j] * scale;
    }
    side->count++;
    return CAROM_OK;
}

/**
 * The first harmonic of a visible mode strictly between two periods, seen from the first of them;
 * NaN if there is none.
 */
static double harmonic_between(const carom_modal_basis *basis, double from, double to) {
    const double low = fmin(from, to) * (1.0 + HARMONIC_WIDTH);
    const double high = fmax(from, to) * (1.0 - HARMONIC_WIDTH);
    double nearest = (double)NAN;
    for (int l = 0; l < basis->visible_count; l++) {
        const double own = 2.0 * M_PI / basis->frequency[l];
        // The mode's harmonic next to `from`, on the side of `to`.
        const double harmonic =
            to > from ? (floor(low / own) + 1.0) * own : (ceil(high / own) - 1.0) * own;
        if (harmonic > low && harmonic < high && !(fabs(harmonic - from) >= fabs(nearest - from))) {
            nearest = harmonic;
        }
    }
    return nearest;
}

/**
 * End the step at the first harmonic that it passes. Between harmonics of weakly driven modes a
 * curve may wind once around the circle of lambda and gap while its period hardly changes; a step
 * across would land on another turn. Leaves the point in w->next.
 *
 * @param[in,out] arclength of the step, shortened
 * @return whether the curve leads to the harmonic; otherwise the step is too long
 */
static bool stop_at_harmonic(carom_branch_side_work *w, double *arclength, bool *is_at_harmonic) {
    const double harmonic = harmonic_between(w->basis, w->here.period, w->next.period);
    *is_at_harmonic = !isnan(harmonic);
    if (!*is_at_harmonic) {
        return true;
    }
    double low = 0.0;
    double low_value = w->here.period - harmonic;
    double high = *arclength;
    double high_value = w->next.period - harmonic;
    for (int i = 0; i < CAROM_BRANCH_MAX_BISECTIONS; i++) {
        const double s = i % 3 == 2
                             ? 0.5 * (low + high)
                             : (low * high_value - high * low_value) / (high_value - low_value);
        if (carom_orbit_continuation_step(w->continuation, &w->here, s, &w->next, NULL) !=
            CAROM_OK) {
            return false;
        }
        const double value = w->next.period - harmonic;
        if (fabs(value) <= HARMONIC_WIDTH * harmonic) {
            *arclength = s;
            return true;
        }
        if (fabs(high - low) <= CAROM_BRANCH_PLACE_ACCURACY * fabs(*arclength)) {
            break;
        }
        if ((value > 0.0) == (low_value > 0.0)) {
            low = s;
            low_value = value;
        } else {
            high = s;
            high_value = value;
        }
    }
    return false;
}

static double cosine_of_turn(const carom_continuation_point *a, const carom_continuation_point *b,
                             int impact_count) {
    double sum = 0.0;
    for (int i = 0; i <= 2 * impact_count; i++) {
        sum += a->tangent[i] * b->tangent[i];
    }
    return sum;
}

/** How far a point lies before (< 0) or beyond the first point, in the direction of the side. */
static double beyond_first(const carom_branch_side_work *w, const carom_continuation_point *point,
                           int direction) {
    double sum = 0.0;
    for (int i = 0; i <= 2 * w->orbit->impact_count; i++) {
        sum += (point->X[i] - w->first.X[i]) * w->first.tangent[i] * direction;
    }
    return sum;
}

/** Distance of a point from the first one. */
static double distance_from_first(const carom_branch_side_work *w,
                                  const carom_continuation_point *point) {
    double sum = 0.0;
    for (int i = 0; i <= 2 * w->orbit->impact_count; i++) {
        const double difference = point->X[i] - w->first.X[i];
        sum += difference * difference;
    }
    return sqrt(sum);
}

/**
 * Whether the step from here to next leads through the first point, in its own direction: the point
 * of the step that is level with it, by the secant rule, must be it. Another turn of a curve that
 * winds may pass close by.
 */
static bool closes(carom_branch_side_work *w, double arclength, int steps, int direction) {
    const double before = beyond_first(w, &w->here, direction);
    const double after = beyond_first(w, &w->next, direction);
    if (steps < LEAST_LOOP || !(before < 0.0) || !(after >= 0.0) ||
        distance_from_first(w, &w->next) > 2.0 * fabs(arclength) ||
        !(cosine_of_turn(&w->first, &w->next, w->orbit->impact_count) > 0.0)) {
        return false;
    }
    double low = 0.0;
    double low_value = before;
    double high = arclength;
    double high_value = after;
    for (int i = 0; i < CLOSING_SECANTS && fabs(high_value - low_value) > 0.0; i++) {
        const double s = high - high_value * (high - low) / (high_value - low_value);
        if (carom_orbit_continuation_step(w->continuation, &w->here, s, &w->trial, NULL) !=
            CAROM_OK) {
            return false;
        }
        low = high;
        low_value = high_value;
        high = s;
        high_value = beyond_first(w, &w->trial, direction);
    }
    return distance_from_first(w, &w->trial) < SAME_POINT;
}

carom_status carom_branch_side_work_alloc(const carom_modal_basis *basis, const carom_orbit *orbit,
                                          const carom_orbit_branch_params *params,
                                          carom_branch_side_work **out, carom_report *report) {
    carom_branch_side_work *w = calloc(1, sizeof *w);
    *out = w;
    if (w == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    w->basis = basis;
    w->params = params;
    w->own_gap = *basis;
    w->side = basis->gap_at_rest > 0.0 ? 1.0 : -1.0;
    double highest = 0.0;
    for (int l = 0; l < basis->visible_count; l++) {
        highest = fmax(highest, basis->frequency[l]);
    }
    w->shortest = SHORT_PERIOD * 2.0 * acos(-1.0) / highest;
    CAROM_TRY(allocate_parts(w, orbit->impact_count));
    const carom_status status = carom_orbit_continuation_start(w->continuation, orbit, &w->first);
    if (status != CAROM_OK) {
        return carom_report_fail(report, status, "impact equations", w->first.residual, -1);
    }
    const carom_branch_point_check v = carom_branch_check(w, &w->first);
    if (!params->follow_potential && !v.admissibility.is_admissible) {
        return carom_report_refuse(report, "gap violation", v.admissibility.largest_gap_violation,
                                   -1, "0");
    }
    return CAROM_OK;
}

/** Whether all impacts of a point vanish. */
static bool is_linear_mode(const carom_branch_side_work *w, const carom_continuation_point *point) {
    double largest = 0.0;
    for (int j = 0; j < w->orbit->impact_count; j++) {
        largest = fmax(largest, fabs(point->X[w->orbit->impact_count + j]));
    }
    return largest < CAROM_BRANCH_VANISHING;
}

/** The longest step that the last one allows: easy corrections let it grow. */
static double next_step(const carom_branch_side_work *w, double step, int corrections) {
    if (corrections <= EASY_CORRECTIONS) {
        return fmin(GROWTH * step, w->params->max_step);
    }
    return corrections >= HARD_CORRECTIONS ? SHRINKAGE * step : step;
}

/**
 * Take one step and append where it leads.
 * @return CAROM_OK with *is_over if the side ended; NOT_CONVERGED if the step is too long;
 * OUT_OF_MEMORY
 */
static carom_status take_step(carom_branch_side_work *w, carom_branch_point_check *here,
                              double arclength, int direction, carom_branch_side *side,
                              int *corrections, bool *is_over) {
    const int k = w->orbit->impact_count;
    bool is_at_harmonic = false;
    if (carom_orbit_continuation_step(w->continuation, &w->here, arclength, &w->next,
                                      corrections) != CAROM_OK ||
        cosine_of_turn(&w->here, &w->next, k) < LEAST_COSINE ||
        !stop_at_harmonic(w, &arclength, &is_at_harmonic)) {
        return CAROM_STATUS_NOT_CONVERGED;
    }
    carom_branch_point_check next = carom_branch_check(w, &w->next);
    // Rounding decides the sign of impacts that vanish at a harmonic.
    if (is_at_harmonic && is_linear_mode(w, &w->next) &&
        carom_branch_ends_at(w, CAROM_BRANCH_PUSH)) {
        *is_over = true;
        carom_branch_end_classify(w, CAROM_BRANCH_PUSH, &w->next, &next, side);
        return append(w, &w->next, &next, true, w->next.orientation != w->here.orientation, side);
    }
    carom_branch_point_check end;
    CAROM_TRY(carom_branch_end_find(w, here, &next, arclength, side, &end, is_over));
    if (*is_over) {
        return append(w, &w->trial, &end, true, w->trial.orientation != w->here.orientation, side);
    }
    if (closes(w, arclength, side->count, direction)) {
        *is_over = true;
        side->end = CAROM_BRANCH_END_CLOSED;
        next = carom_branch_check(w, &w->first);
        return append(w, &w->first, &next, false, false, side);
    }
    // Compute the motion of `next` again: points looked at since have overwritten it.
    next = carom_branch_check(w, &w->next);
    CAROM_TRY(append(w, &w->next, &next, false, w->next.orientation != w->here.orientation, side));
    const carom_continuation_point old = w->here;
    w->here = w->next;
    w->next = old;
    *here = next;
    return CAROM_OK;
}

carom_status carom_branch_side_compute(carom_branch_side_work *work, int direction,
                                       carom_orbit_branch_progress progress, void *context,
                                       carom_branch_side *side) {
    carom_branch_side_work *w = work;
    const int k = w->orbit->impact_count;
    *side = (carom_branch_side){
        .impact_count = k, .end = CAROM_BRANCH_END_LIMIT, .end_time = (double)NAN};
    carom_continuation_point_copy(k, &w->first, &w->here);
    carom_branch_point_check here = carom_branch_check(w, &w->here);
    CAROM_TRY(append(w, &w->here, &here, false, false, side));
    double step = w->params->step;
    bool is_over = false;
    while (!is_over && side->count < w->params->max_points) {
        int corrections = 0;
        const carom_status status =
            take_step(w, &here, direction * step, direction, side, &corrections, &is_over);
        if (status == CAROM_STATUS_OUT_OF_MEMORY) {
            return status;
        }
        step = status == CAROM_OK ? next_step(w, step, corrections) : SHRINKAGE * step;
        if (step < LEAST_STEP) {
            side->end = CAROM_BRANCH_END_FAILED;
            return CAROM_OK;
        }
        if (progress != NULL && status == CAROM_OK) {
            progress(side->count, context);
        }
    }
    return CAROM_OK;
}
