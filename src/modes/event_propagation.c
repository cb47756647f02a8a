#include <carom/modes/internal.h>

#include <math.h>
#include <stddef.h>

/* A lambda below this part of the root of twice the energy, its largest value, is that of a touch:
 * rounding of rho'z_2 makes 1e-16 for each mode. */
static const double TOUCH_LAMBDA = 1e-13;

/* Part of sum |rho| w |z_1| that rounding makes of rho'w z_1, the acceleration of the contact. */
static const double ACCELERATION_ROUNDING = 1e-13;

/* A start beyond the obstacle is refused from this part of the largest displacement on: orbits are
 * solved to 1e-12 or better. */
static const double PENETRATION_TOLERANCE = 1e-10;

/* At a start that is so close to the obstacle, in parts of the largest displacement, the contact
 * is closed: that far rounding takes an impact found by Newton's method. */
static const double CONTACT_ROUNDING = 1e-14;

/* Impacts accumulate if so many happen ... */
enum { ACCUMULATED_IMPACTS = 1000 };

/* ... within this part of the period of the lowest mode. */
static const double ACCUMULATION_WINDOW = 1e-9;

/* Periods of the lowest mode without impact after which none is expected any more. */
static const double PERIODS_WITHOUT_IMPACT = 1000.0;

/** A sum of many flight times, with what rounding has taken from it (Neumaier). */
typedef struct clock_sum {
    double sum;
    double lost;
} clock_sum;

static void clock_add(clock_sum *clock, double flight) {
    const double sum = clock->sum + flight;
    clock->lost += clock->sum >= flight ? (clock->sum - sum) + flight : (flight - sum) + clock->sum;
    clock->sum = sum;
}

static double clock_time(const clock_sum *clock) {
    return clock->sum + clock->lost;
}

/** Time from now to an instant; infinite if that is. */
static double clock_until(const clock_sum *clock, double instant) {
    return isfinite(instant) ? (instant - clock->sum) - clock->lost : instant;
}

/** What the contact does in a modal state. */
typedef struct contact_state {
    double lambda;    /**< rho'z_2 > 0: towards the obstacle, J^1/2 */
    bool is_touching; /**< lambda is rounding */
    bool is_closed;   /**< the gap is zero, to rounding, or negative */
    bool is_beyond;   /**< the gap is negative beyond rounding */
    bool is_pressing; /**< the contact accelerates towards the obstacle */
    double gap;       /**< g_0 - x_c, m */
} contact_state;

static contact_state look_at_contact(const carom_modal_basis *basis, const double *state) {
    double displacement = 0.0;
    double amplitude = 0.0;
    double acceleration = 0.0;
    double acceleration_size = 0.0;
    double square = 0.0;
    contact_state contact = {.lambda = 0.0};
    for (int l = 0; l < basis->visible_count; l++) {
        const double rho = basis->participation[l];
        const double w = basis->frequency[l];
        const double weight = basis->root_inverse_mass * rho / w;
        const double z_1 = state[2 * l];
        const double z_2 = state[2 * l + 1];
        const double square_l = z_1 * z_1 + z_2 * z_2;
        displacement += weight * z_1;
        amplitude += weight * sqrt(square_l);
        acceleration -= rho * w * z_1;
        acceleration_size += rho * w * fabs(z_1);
        contact.lambda += rho * z_2;
        square += square_l;
    }
    const double size = fmax(amplitude, fabs(basis->gap_at_rest));
    contact.gap = basis->gap_at_rest - displacement;
    contact.is_touching = fabs(contact.lambda) <= TOUCH_LAMBDA * sqrt(square);
    contact.is_closed = contact.gap <= CONTACT_ROUNDING * (double)basis->visible_count * size;
    contact.is_beyond = contact.gap < -PENETRATION_TOLERANCE * size;
    contact.is_pressing = acceleration > ACCELERATION_ROUNDING * acceleration_size;
    return contact;
}

/** A closed contact that moves into the obstacle, or is pressed into it without leaving. */
static bool moves_into_obstacle(const contact_state *contact) {
    return contact->is_closed &&
           (contact->is_touching ? contact->is_pressing && contact->lambda >= 0.0
                                 : contact->lambda > 0.0);
}

/** The motion under way. */
typedef struct propagation {
    const carom_modal_basis *basis;
    carom_contact_motion *motion;
    double *state;
    double max_time;
    carom_event_observer observer;
    void *context;
    carom_report *report;
    clock_sum clock;
    int impacts;
    double last_impact;  /**< time, s; 0 before the first */
    double window_start; /**< contacts since then are counted, s */
    int contacts_in_window;
} propagation;

/** Fill the report of a failure at the present time. */
static carom_status fail(const propagation *run, carom_status status, const char *quantity,
                         double value) {
    if (run->report != NULL) {
        run->report->time = clock_time(&run->clock);
        run->report->iterations = run->impacts;
    }
    return carom_report_fail(run->report, status, quantity, value, -1);
}

static double lowest_period(const propagation *run) {
    return 2.0 * acos(-1.0) / run->basis->frequency[0];
}

/** Refuse values that are not finite, and a start beyond the obstacle or into it. */
static carom_status check_start(const propagation *run) {
    if (isnan(run->max_time)) {
        return fail(run, CAROM_STATUS_NOT_FINITE, "time limit", run->max_time);
    }
    if (run->max_time < 0.0) {
        return fail(run, CAROM_STATUS_OUT_OF_RANGE, "time limit", run->max_time);
    }
    for (int i = 0; i < 2 * run->basis->visible_count; i++) {
        if (!isfinite(run->state[i])) {
            return carom_report_fail(run->report, CAROM_STATUS_NOT_FINITE, "modal state",
                                     run->state[i], i / 2);
        }
    }
    const contact_state contact = look_at_contact(run->basis, run->state);
    if (contact.is_beyond) {
        return fail(run, CAROM_STATUS_PENETRATION, "gap", contact.gap);
    }
    if (moves_into_obstacle(&contact)) {
        return fail(run, CAROM_STATUS_PENETRATION, "contact velocity",
                    run->basis->root_inverse_mass * contact.lambda);
    }
    return CAROM_OK;
}

/** Count a contact; fail if too many happen at once. */
static carom_status count_contact(propagation *run) {
    const double time = clock_time(&run->clock);
    if (time - run->window_start > ACCUMULATION_WINDOW * lowest_period(run)) {
        run->window_start = time;
        run->contacts_in_window = 0;
    }
    run->contacts_in_window++;
    if (run->contacts_in_window >= ACCUMULATED_IMPACTS) {
        return fail(run, CAROM_STATUS_NOT_CONVERGED, "impacts", (double)run->impacts);
    }
    return CAROM_OK;
}

/** The contact is closed: an impact, unless it only touches. */
static carom_status meet_obstacle(propagation *run) {
    CAROM_TRY(count_contact(run));
    const contact_state contact = look_at_contact(run->basis, run->state);
    if (contact.is_touching && !contact.is_pressing) {
        return CAROM_OK;
    }
    if (contact.lambda <= 0.0) {
        return fail(run, CAROM_STATUS_PENETRATION, "contact velocity",
                    run->basis->root_inverse_mass * contact.lambda);
    }
    const double lambda = carom_modal_basis_reflect(run->basis, run->state);
    run->impacts++;
    run->last_impact = clock_time(&run->clock);
    if (run->observer != NULL) {
        return run->observer(run->impacts, run->last_impact, lambda, run->state, run->context);
    }
    return CAROM_OK;
}

/** One flight: to its contact, or to the limit of time. */
static carom_status fly(propagation *run, bool *is_at_end) {
    const double deadline = isfinite(run->max_time)
                                ? run->max_time
                                : run->last_impact + PERIODS_WITHOUT_IMPACT * lowest_period(run);
    const double rest = clock_until(&run->clock, deadline);
    double tau;
    carom_contact_motion_start(run->motion, run->state);
    if (carom_contact_motion_first_contact(run->motion, run->basis->gap_at_rest, 0.0, rest, &tau)) {
        carom_modal_basis_rotate(run->basis, tau, run->state);
        clock_add(&run->clock, tau);
        return meet_obstacle(run);
    }
    if (!isfinite(run->max_time)) {
        return fail(run, CAROM_STATUS_NOT_FOUND, "impact", (double)NAN);
    }
    carom_modal_basis_rotate(run->basis, fmax(rest, 0.0), run->state);
    run->clock = (clock_sum){run->max_time, 0.0};
    *is_at_end = true;
    // An impact that happens at the limit, to rounding, has happened.
    const contact_state contact = look_at_contact(run->basis, run->state);
    return moves_into_obstacle(&contact) ? meet_obstacle(run) : CAROM_OK;
}

carom_status carom_event_propagate(const carom_modal_basis *basis, carom_contact_motion *motion,
                                   double *state, int max_impacts, double max_time,
                                   carom_event_observer observer, void *context,
                                   carom_event_end *end, carom_report *report) {
    CAROM_ASSERT(basis != NULL && motion != NULL && state != NULL);
    CAROM_ASSERT(max_impacts >= 0 || !isinf(max_time) || observer != NULL);
    propagation run = {
        .basis = basis,
        .motion = motion,
        .state = state,
        .max_time = max_time,
        .observer = observer,
        .context = context,
        .report = report,
    };
    carom_status status = check_start(&run);
    bool is_at_end = max_time <= 0.0;
    while (status == CAROM_OK && !is_at_end && (max_impacts < 0 || run.impacts < max_impacts)) {
        status = fly(&run, &is_at_end);
    }
    if (end != NULL) {
        end->time = clock_time(&run.clock);
        end->impacts = run.impacts;
    }
    return status;
}
