#include <carom/modes/orbit_search_internal.h>

#include <math.h>

/** Flights below this fraction of the mean at the start count as zero. */
static const double SHORT_FLIGHT = 1e-4;

/** Ends closer than this fraction of a step are at one place. */
static const double SAME_PLACE = 1e-8;

carom_branch_point_check carom_branch_check(carom_branch_side_work *w,
                                            const carom_continuation_point *point) {
    const int k = w->orbit->impact_count;
    carom_orbit_continuation_orbit(w->continuation, point, w->orbit);
    w->own_gap.gap_at_rest = point->gap;
    carom_branch_point_check v = {.admissibility =
                                      carom_orbit_certify(&w->own_gap, w->motion, w->orbit,
                                                          w->state, CAROM_ADMISSIBILITY_TOLERANCE)};
    v.inside[CAROM_BRANCH_GAP_SIGN] = w->side * point->X[2 * k];
    v.inside[CAROM_BRANCH_PUSH] = point->X[k];
    v.inside[CAROM_BRANCH_FLIGHT] = k == 1 ? 1.0 : point->X[0] - SHORT_FLIGHT;
    for (int j = 1; j < k; j++) {
        v.inside[CAROM_BRANCH_PUSH] = fmin(v.inside[CAROM_BRANCH_PUSH], point->X[k + j]);
        v.inside[CAROM_BRANCH_FLIGHT] =
            fmin(v.inside[CAROM_BRANCH_FLIGHT], point->X[j] - SHORT_FLIGHT);
    }
    const double violation = v.admissibility.largest_gap_violation;
    v.inside[CAROM_BRANCH_CLEARANCE] =
        isnan(violation) ? HUGE_VAL : -violation / fabs(w->basis->gap_at_rest);
    v.inside[CAROM_BRANCH_SHORTEST] = (point->period - w->shortest) / w->shortest;
    v.inside[CAROM_BRANCH_LONGEST] = (w->params->max_period - point->period) / w->shortest;
    return v;
}

bool carom_branch_ends_at(const carom_branch_side_work *w, carom_branch_end_function function) {
    return function >= CAROM_BRANCH_SHORTEST || !w->params->follow_potential;
}

/**
 * Where between here (inside) and arclength `far` (outside) a function vanishes: regula falsi with
 * the Illinois rule on arclength, safeguarded by bisection. Leaves the point in w->trial.
 * @return arclength; NaN if a point on the way could not be computed
 */
static double locate(carom_branch_side_work *w, carom_branch_end_function function,
                     double near_value, double far, double far_value, carom_branch_point_check *v) {
    double low = 0.0;
    double high = far;
    double low_value = fmax(near_value, 0.0);
    double high_value = far_value;
    double s = high;
    int last_side = 0;
    for (int i = 0; i < CAROM_BRANCH_MAX_BISECTIONS &&
                    fabs(high - low) > CAROM_BRANCH_PLACE_ACCURACY * fabs(far);
         i++) {
        // Where the function jumps, every third step halves the bracket.
        const bool halve = i % 3 == 2 || !isfinite(low_value) || !isfinite(high_value);
        s = halve ? 0.5 * (low + high)
                  : (low * high_value - high * low_value) / (high_value - low_value);
        if (carom_orbit_continuation_step(w->continuation, &w->here, s, &w->trial, NULL) !=
            CAROM_OK) {
            return (double)NAN;
        }
        *v = carom_branch_check(w, &w->trial);
        const double value = v->inside[function];
        if (value >= 0.0) {
            low = s;
            low_value = value;
            high_value *= last_side == 1 ? 0.5 : 1.0;
            last_side = 1;
        } else {
            high = s;
            high_value = value;
            low_value *= last_side == -1 ? 0.5 : 1.0;
            last_side = -1;
        }
        if (!(fabs(value) > 0.0)) {
            break;
        }
    }
    return s;
}

/*[arcEnds]*/
void carom_branch_end_classify(const carom_branch_side_work *w, carom_branch_end_function function,
                               const carom_continuation_point *point,
                               const carom_branch_point_check *v, carom_branch_side *side) {
    const int k = w->orbit->impact_count;
    double largest = 0.0;
    int smallest = 0;
    for (int j = 0; j < k; j++) {
        largest = fmax(largest, fabs(point->X[k + j]));
        smallest = point->X[k + j] < point->X[k + smallest] ? j : smallest;
    }
    side->end_impact = 0;
    side->end_time = (double)NAN;
    if (function == CAROM_BRANCH_SHORTEST) {
        side->end = CAROM_BRANCH_END_SHORT_PERIOD;
    } else if (function == CAROM_BRANCH_LONGEST) {
        side->end = CAROM_BRANCH_END_LIMIT;
    } else if (function == CAROM_BRANCH_FLIGHT) {
        side->end = CAROM_BRANCH_END_VANISHING_FLIGHT;
    } else if (function == CAROM_BRANCH_GAP_SIGN) {
        side->end = CAROM_BRANCH_END_INFINITE_SPEED;
    } else if (largest < CAROM_BRANCH_VANISHING) {
        side->end = CAROM_BRANCH_END_HARMONIC;
    } else if (function == CAROM_BRANCH_PUSH) {
        side->end = CAROM_BRANCH_END_VANISHING_IMPACT;
        side->end_impact = smallest + 1;
    } else {
        side->end = CAROM_BRANCH_END_NEW_CONTACT;
        side->end_impact = v->admissibility.flight;
        side->end_time = v->admissibility.time;
    }
}
/*[end arcEnds]*/

carom_status carom_branch_end_find(carom_branch_side_work *w, const carom_branch_point_check *from,
                                   const carom_branch_point_check *to, double arclength,
                                   carom_branch_side *side, carom_branch_point_check *found,
                                   bool *is_over) {
    double first = 2.0 * fabs(arclength);
    double push = (double)NAN;
    carom_branch_end_function ending = CAROM_BRANCH_FUNCTION_COUNT;
    for (carom_branch_end_function f = CAROM_BRANCH_GAP_SIGN; f < CAROM_BRANCH_FUNCTION_COUNT;
         f++) {
        if (!carom_branch_ends_at(w, f) || !(to->inside[f] < 0.0)) {
            continue;
        }
        const double s = locate(w, f, from->inside[f], arclength, to->inside[f], found);
        if (isnan(s)) {
            return CAROM_STATUS_NOT_CONVERGED;
        }
        push = f == CAROM_BRANCH_PUSH ? fabs(s) : push;
        // Impacts may vanish just where gaps close, as in families at constant period: of two ends
        // at one place the earlier kind is named.
        if (fabs(s) < first - SAME_PLACE * fabs(arclength)) {
            first = fabs(s);
            ending = f;
        }
    }
    *is_over = ending != CAROM_BRANCH_FUNCTION_COUNT;
    if (!*is_over) {
        return CAROM_OK;
    }
    if (carom_orbit_continuation_step(w->continuation, &w->here, copysign(first, arclength),
                                      &w->trial, NULL) != CAROM_OK) {
        return CAROM_STATUS_NOT_CONVERGED;
    }
    *found = carom_branch_check(w, &w->trial);
    carom_branch_end_classify(w, ending, &w->trial, found, side);
    // At a harmonic gaps close as impacts vanish; the impacts tell the place to more digits.
    if (side->end == CAROM_BRANCH_END_HARMONIC && push > first) {
        CAROM_TRY(carom_orbit_continuation_step(w->continuation, &w->here,
                                                copysign(push, arclength), &w->trial, NULL));
        *found = carom_branch_check(w, &w->trial);
    }
    return CAROM_OK;
}
