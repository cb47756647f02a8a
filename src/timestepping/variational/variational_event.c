#include <carom/timestepping/variational/step_internal.h>
#include <carom/timestepping/variational/stepper_internal.h>

#include <carom/base/roots.h>

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

/** Iterations of Brent's method, of which some ten are used. */
enum { MOST_ITERATIONS = 200 };

/** Halvings of a flight in search of an instant at which the contact has left the surface: down to
 * the rounding of its length. */
enum { MOST_HALVINGS = 52 };

/** Gaps of this part of the tolerance, or of the rounding, are zero: the time of the impact is then
 * as good as the gap can tell. */
static const double ZERO_GAP = 1e-4;
static const double ZERO_ROUNDING = 0.25;

/** Trials along G v. */
enum { TRIALS = 2 };

/** Rounding of a length, of itself. */
static const double ROUNDING = 4.0 * GSL_DBL_EPSILON;

/** The gap of the watched contact after a flight of a length. */
static double gap_after(double length, void *context);

carom_status carom_variational_event_search_init(carom_variational_event_search *search,
                                                 carom_variational_step *step) {
    const carom_mechanism *mechanism = step->mechanism;
    *search = (carom_variational_event_search){.step = step};
    search->most_rounds = 4 * mechanism->contact_count + 4;
    search->normals = calloc((size_t)carom_mechanism_constraint_count(mechanism) *
                                     (size_t)mechanism->coordinate_count +
                                 1,
                             sizeof(double));
    return search->normals != NULL ? carom_bracket_init(&search->bracket)
                                   : CAROM_STATUS_OUT_OF_MEMORY;
}

void carom_variational_event_search_clear(carom_variational_event_search *search) {
    carom_bracket_clear(&search->bracket);
    free(search->normals);
    *search = (carom_variational_event_search){0};
}

/** Solve a flight of a length, unless that is what was solved last. */
static carom_status solve(carom_variational_event_search *search, double length) {
    const carom_variational_flight *flight = search->flight;
    if (!(fabs(length - search->solved) > 0.0)) {
        return search->status;
    }
    search->report = carom_report_empty();
    search->status =
        carom_variational_step_solve(search->step, flight->time, flight->position, flight->momentum,
                                     length, flight->is_asked, &search->report);
    search->iterations += search->step->iterations;
    search->solved = length;
    return search->status;
}

static double gap_after(double length, void *context) {
    carom_variational_event_search *search = context;
    // What is known already at the ends of the bracket.
    if (!(length > search->low)) {
        return search->low_gap;
    }
    if (!(length < search->high)) {
        return search->high_gap;
    }
    // A failure ends the iteration: seen by its status.
    return solve(search, length) == CAROM_OK ? search->step->gap[search->watched] : 0.0;
}

/** When a contact closes, from a line through its gaps or a parabola from the surface. */
static double estimate(const carom_variational_flight *flight, int i, double length, double gap) {
    if (flight->gap[i] > flight->tolerance[i]) {
        return length * flight->gap[i] / (flight->gap[i] - gap);
    }
    // 0 = rate h + b h^2 with gap = rate length + b length^2.
    const double rise = flight->gap_rate[i] * length;
    return rise > 0.0 ? length * rise / (rise - gap) : 0.0;
}

/** The contact that penetrates in the solution and closes first, as far as can be told; -1 if none
 * does. */
static int first_penetration(const carom_variational_event_search *search) {
    const carom_variational_step *step = search->step;
    int first = -1;
    double earliest = HUGE_VAL;
    for (int i = 0; i < step->mechanism->contact_count; i++) {
        if (step->is_held[i] || !(step->gap[i] < -search->flight->tolerance[i])) {
            continue;
        }
        const double instant = estimate(search->flight, i, search->solved, step->gap[i]);
        if (first < 0 || instant < earliest) {
            first = i;
            earliest = instant;
        }
    }
    return first;
}

/** Find where the gap of the watched contact is positive, before it penetrates. *has_risen is false
 * if the contact does not leave the surface that it begins on. */
static carom_status find_low(carom_variational_event_search *search, bool *has_risen) {
    const carom_variational_flight *flight = search->flight;
    const int i = search->watched;
    *has_risen = true;
    search->low = 0.0;
    search->low_gap = flight->gap[i];
    if (flight->gap[i] > flight->tolerance[i]) {
        return CAROM_OK;
    }
    // The vertex of the parabola, or nearer.
    double length = 0.5 * estimate(flight, i, search->high, search->high_gap);
    for (int k = 0; k < MOST_HALVINGS && length > ROUNDING * search->high; k++) {
        CAROM_TRY(solve(search, length));
        if (search->step->gap[i] > 0.0) {
            search->low = length;
            search->low_gap = search->step->gap[i];
            return CAROM_OK;
        }
        length *= 0.5;
    }
    *has_risen = false;
    return CAROM_OK;
}

/** A gap of the watched contact up to this is zero. */
static double zero_gap(const carom_variational_event_search *search) {
    const carom_variational_flight *flight = search->flight;
    const int i = search->watched;
    return fmax(ZERO_GAP * flight->tolerance[i], ZERO_ROUNDING * flight->rounding[i]);
}

/** The length at which the gap of the watched contact vanishes if it goes on at its rate G v at the
 * end of the last trial. */
static double follow_rate(const carom_variational_event_search *search) {
    const carom_variational_step *step = search->step;
    const carom_mechanism *mechanism = step->mechanism;
    const int n = mechanism->coordinate_count;
    const int row = mechanism->joint_count + search->watched;
    carom_mechanism_constraint_jacobian(mechanism, step->position, search->normals);
    double rate = 0.0;
    for (int j = 0; j < n; j++) {
        rate += search->normals[row * n + j] * step->velocity[j];
    }
    return search->solved - step->gap[search->watched] / rate;
}

/** Narrow the bracket from low to high by trials along the gap rate G v, beginning at its upper end
 * or, if the contact has risen, at the root of its parabola. A trial outside of the bracket ends
 * this. */
static carom_status approach_root(carom_variational_event_search *search, bool *is_closed) {
    const int i = search->watched;
    // Unless it has risen, the last solution is that of the end.
    double length = search->low > 0.0 ? estimate(search->flight, i, search->low, search->low_gap)
                                      : follow_rate(search);
    *is_closed = false;
    for (int k = 0; k < TRIALS && length > search->low && length < search->high; k++) {
        CAROM_TRY(solve(search, length));
        const double gap = search->step->gap[i];
        *(gap > 0.0 ? &search->low : &search->high) = length;
        *(gap > 0.0 ? &search->low_gap : &search->high_gap) = gap;
        *is_closed = fabs(gap) <= zero_gap(search);
        if (*is_closed) {
            return CAROM_OK;
        }
        length = follow_rate(search);
    }
    return CAROM_OK;
}

/** Bring the gap of the watched contact to zero between low and high, or, at a jump, from above as
 * near as rounding allows. */
static carom_status find_root(carom_variational_event_search *search, double *root,
                              bool *is_closed) {
    CAROM_TRY(approach_root(search, is_closed));
    if (*is_closed) {
        *root = search->solved;
        return CAROM_OK;
    }
    gsl_function function = {gap_after, search};
    carom_bracket *bracket = &search->bracket;
    CAROM_TRY(carom_bracket_start(bracket, &function, search->low, search->high));
    const double zero = zero_gap(search);
    double least = HUGE_VAL;
    *root = search->low;
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        CAROM_TRY(carom_bracket_narrow(bracket));
        CAROM_TRY(search->status);
        const double length = bracket->root;
        const double gap = gap_after(length, search);
        CAROM_TRY(search->status);
        if (fabs(gap) < least) {
            least = fabs(gap);
            *root = length;
        }
        if (least <= zero || bracket->high - bracket->low <= ROUNDING * bracket->high) {
            break;
        }
    }
    *is_closed = least <= search->flight->tolerance[search->watched];
    if (!*is_closed) {
        *root = bracket->low;
    }
    return CAROM_OK;
}

/** Shorten the flight, which penetrates at its end, to where the watched contact closes. */
static carom_status shorten(carom_variational_event_search *search) {
    const double end = search->length;
    search->high = end;
    search->high_gap = search->step->gap[search->watched];
    search->contact = search->watched;
    bool has_risen = false;
    CAROM_TRY(find_low(search, &has_risen));
    if (!has_risen) {
        search->length = 0.0;
        return CAROM_OK;
    }
    bool is_closed = false;
    CAROM_TRY(find_root(search, &search->length, &is_closed));
    if (is_closed) {
        return solve(search, search->length);
    }
    search->contact = -1;
    if (!(search->length > ROUNDING * end)) {
        search->report = carom_report_empty();
        return carom_report_fail(&search->report, CAROM_STATUS_NOT_CONVERGED, "gap",
                                 search->high_gap, search->watched);
    }
    return solve(search, search->length);
}

static carom_status search_first(carom_variational_event_search *search) {
    search->length = search->flight->length;
    CAROM_TRY(solve(search, search->length));
    for (int round = 0; round < search->most_rounds; round++) {
        search->watched = first_penetration(search);
        if (search->watched < 0) {
            return CAROM_OK;
        }
        CAROM_TRY(shorten(search));
        if (!(search->length > 0.0)) {
            return CAROM_OK;
        }
    }
    search->report = carom_report_empty();
    return carom_report_fail(&search->report, CAROM_STATUS_NOT_CONVERGED,
                             "contacts that close one before the other", search->most_rounds,
                             search->watched);
}

carom_status carom_variational_event_search_run(carom_variational_event_search *search,
                                                const carom_variational_flight *flight,
                                                carom_report *report) {
    search->flight = flight;
    search->solved = 0.0;
    search->contact = -1;
    search->iterations = 0;
    search->status = CAROM_OK;
    const carom_status status = search_first(search);
    if (status != CAROM_OK && report != NULL) {
        *report = search->report;
        report->time = flight->time;
        report->step = search->solved;
        report->iterations = search->iterations;
    }
    search->flight = NULL;
    return status;
}
