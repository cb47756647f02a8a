#include <carom/timestepping/plastic/plastic.h>

#include <carom/base/scales.h>
#include <carom/mechanism/completed.h>
#include <carom/mechanism/mechanism.h>
#include <carom/timestepping/plastic/internal.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct carom_plastic_motion {
    carom_completed *completed;
    const carom_mechanism *mechanism;
    carom_plastic_params asked;  /* NaN: from the scales of each start */
    carom_plastic_params params; /* with numbers in their place */
    carom_plastic_dynamics dynamics;
    carom_plastic_integrator integrator;
    carom_plastic_watch watch;
    bool is_started;
    double
        release_time;  /* of the present or last flight, s; NaN if it has not begun by a release */
    int micro_flights; /* in a row */
};

/* What is touch, rest and a micro-flight where the parameters leave it open: parts of the scales of
 * the start, and of the time that its speed takes for its length. */
static const double TOUCH = 1e-12;
static const double REST = 1e-9;
static const double MICRO_FLIGHT = 1e-9;

/* Touch and rest are rounding at least, this many times. */
static const double ROUNDINGS = 4.0;

carom_plastic_params carom_plastic_params_default(void) {
    const carom_plastic_params params = {
        .relative_tolerance = 1e-13,
        .absolute_tolerance = 1e-14,
        .largest_step = HUGE_VAL,
        .most_steps = 1000000,
        .gap_tolerance = (double)NAN,
        .gap_rate_tolerance = (double)NAN,
        .shortest_flight = (double)NAN,
        .most_micro_flights = 16,
        .check_derivatives = true,
    };
    return params;
}

/* ------------------------------------------------------------------------------ what is refused */

static carom_status refuse_params(const carom_plastic_params *params, carom_report *report) {
    const struct {
        const char *quantity;
        double value;
        bool may_be_zero;
        bool may_be_infinite;
        bool may_be_open;
    } numbers[] = {
        {"relative tolerance", params->relative_tolerance, false, false, false},
        {"absolute tolerance", params->absolute_tolerance, false, false, false},
        {"largest step", params->largest_step, false, true, false},
        {"most steps", (double)params->most_steps, false, false, false},
        {"gap tolerance", params->gap_tolerance, true, false, true},
        {"gap rate tolerance", params->gap_rate_tolerance, true, false, true},
        {"shortest flight", params->shortest_flight, true, false, true},
        {"most micro-flights", (double)params->most_micro_flights, true, false, false},
        {"user level", params->user_level, true, false, false},
    };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        const double value = numbers[i].value;
        if (isnan(value) && numbers[i].may_be_open) {
            continue;
        }
        if (isnan(value) || (isinf(value) && !numbers[i].may_be_infinite)) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, numbers[i].quantity, value,
                                     -1);
        }
        if (!(value > 0.0 || (value >= 0.0 && numbers[i].may_be_zero))) {
            return carom_report_refuse(report, numbers[i].quantity, value, -1,
                                       numbers[i].may_be_zero ? ">= 0" : "> 0");
        }
    }
    return CAROM_OK;
}

const carom_mechanism_support carom_plastic_support = {
    .method = "plastic_events",
    .subject = "motion",
    .nonlinear_mass = true,
};

/* Another number of contacts, or a layout that does not fit. */
static carom_status refuse_counts(const carom_mechanism *mechanism, carom_report *report) {
    const int n = mechanism->coordinate_count;
    const struct {
        const char *quantity;
        int value;
        bool is_refused;
        const char *accepted;
    } counts[] = {
        {"coordinate count", n, n < 1, ">= 1"},
        {"contact count", mechanism->contact_count, mechanism->contact_count != 1, "1"},
        {"layout size", mechanism->layout.size, mechanism->layout.size != n,
         "the coordinate count"},
    };
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        if (counts[i].is_refused) {
            return carom_report_refuse(report, counts[i].quantity, (double)counts[i].value, -1,
                                       counts[i].accepted);
        }
    }
    return CAROM_OK;
}

/* Coefficients that are no numbers; those above zero are refused by name. */
static carom_status refuse_laws(const carom_mechanism *mechanism, carom_report *report) {
    const double none = 0.0;
    const double missing = (double)NAN;
    const struct {
        const char *quantity;
        const double *value;
    } laws[] = {
        {"restitution", mechanism->restitution == NULL ? &missing : mechanism->restitution},
        {"friction", mechanism->friction == NULL ? &none : mechanism->friction},
    };
    for (size_t i = 0; i < sizeof(laws) / sizeof(laws[0]); i++) {
        const double value = *laws[i].value;
        if (!isfinite(value)) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, laws[i].quantity, value, 0);
        }
        if (value < 0.0) {
            return carom_report_refuse(report, laws[i].quantity, value, 0, ">= 0");
        }
    }
    return carom_mechanism_require(mechanism, &carom_plastic_support, report);
}

/* ---------------------------------------------------------------------------------- life cycle */

carom_status carom_plastic_motion_alloc(const carom_mechanism *mechanism,
                                        const carom_plastic_params *params,
                                        carom_plastic_motion **out, carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(refuse_params(params, report));
    CAROM_TRY(refuse_counts(mechanism, report));
    CAROM_TRY(refuse_laws(mechanism, report));

    CAROM_AUTO(carom_plastic_motion) motion = calloc(1, sizeof *motion);
    if (motion == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_completed_alloc(mechanism, &motion->completed));
    motion->mechanism = carom_completed_mechanism(motion->completed);
    motion->asked = *params;
    motion->params = *params;
    motion->watch.params = &motion->params;
    motion->watch.integrator = &motion->integrator;
    if (carom_plastic_dynamics_init(&motion->dynamics, motion->mechanism) != CAROM_OK ||
        carom_plastic_integrator_init(&motion->integrator, &motion->dynamics,
                                      params->relative_tolerance,
                                      params->absolute_tolerance) != CAROM_OK) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(motion, out);
    return CAROM_OK;
}

void carom_plastic_motion_free(carom_plastic_motion *motion) {
    if (motion == NULL) {
        return;
    }
    carom_plastic_integrator_clear(&motion->integrator);
    carom_plastic_dynamics_clear(&motion->dynamics);
    carom_completed_free(motion->completed);
    free(motion);
}

/* --------------------------------------------------------------------------------------- start */

/* After a failure nothing of the state is left to be read. */
static void spoil(carom_plastic_motion *motion) {
    const int n = motion->dynamics.n;
    motion->is_started = false;
    motion->integrator.time = (double)NAN;
    motion->dynamics.contact_force = (double)NAN;
    for (int i = 0; i < n; i++) {
        motion->integrator.state[i] = (double)NAN;
        motion->integrator.state[n + i] = (double)NAN;
        motion->dynamics.acceleration[i] = (double)NAN;
    }
}

/* Begin a phase in the present state: what it reads there, and what can end it. */
static carom_status begin_phase(carom_plastic_motion *motion, double time, bool is_closed,
                                carom_report *report) {
    carom_plastic_integrator_restart(&motion->integrator, time, is_closed);
    motion->watch.is_release_armed = false;
    CAROM_TRY(carom_plastic_watch_read_state(&motion->watch, report));
    carom_plastic_watch_arm(&motion->watch, &motion->watch.first);
    return CAROM_OK;
}

/* What the parameters leave to the state at the start. */
static carom_status take_scales(carom_plastic_motion *motion, carom_report *report) {
    carom_plastic_dynamics *d = &motion->dynamics;
    carom_plastic_params *params = &motion->params;
    const double *state = motion->integrator.state;
    CAROM_TRY(carom_plastic_dynamics_measure(d, state, state + d->n, report));
    *params = motion->asked;
    if (isnan(params->gap_tolerance)) {
        double rounding = 0.0;
        carom_scale_add_product(1, d->n, d->jacobian, state, &rounding);
        params->gap_tolerance = fmax(TOUCH * d->length, ROUNDINGS * DBL_EPSILON * rounding);
    }
    if (isnan(params->gap_rate_tolerance)) {
        params->gap_rate_tolerance = fmax(REST * d->speed, d->gap_rate_rounding);
    }
    if (isnan(params->shortest_flight)) {
        params->shortest_flight = d->speed > 0.0 ? MICRO_FLIGHT * (d->length / d->speed) : 0.0;
    }
    carom_plastic_integrator_measure(&motion->integrator);
    return CAROM_OK;
}

/* A contact that a start calls closed or open but that is not. */
static carom_status refuse_contact(const carom_plastic_motion *motion, bool is_closed,
                                   carom_report *report) {
    const carom_plastic_params *params = &motion->params;
    const double gap = motion->dynamics.gap;
    const double gap_rate = motion->dynamics.gap_rate;
    if (!is_closed && gap < -params->gap_tolerance) {
        return carom_report_fail(report, CAROM_STATUS_PENETRATION, "gap", gap, 0);
    }
    if (is_closed && fabs(gap) > params->gap_tolerance) {
        return carom_report_fail(report, CAROM_STATUS_CONFLICT, "gap", gap, 0);
    }
    if (is_closed && fabs(gap_rate) > params->gap_rate_tolerance) {
        return carom_report_fail(report, CAROM_STATUS_CONFLICT, "gap rate", gap_rate, 0);
    }
    return CAROM_OK;
}

static carom_status start(carom_plastic_motion *motion, double time, const double *q,
                          const double *v, bool is_closed, carom_report *report) {
    const int n = motion->dynamics.n;
    double *state = motion->integrator.state;
    if (!isfinite(time)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "time", time, -1);
    }
    CAROM_TRY(carom_completed_start(motion->completed, time, q, v, motion->params.check_derivatives,
                                    report));
    memcpy(state, q, (size_t)n * sizeof(double));
    memcpy(state + n, v, (size_t)n * sizeof(double));
    CAROM_TRY(
        carom_plastic_dynamics_observe(&motion->dynamics, time, state, state + n, false, report));
    CAROM_TRY(take_scales(motion, report));
    CAROM_TRY(refuse_contact(motion, is_closed, report));
    if (is_closed) {
        CAROM_TRY(carom_plastic_dynamics_project(&motion->dynamics, state, state + n, report));
    }
    motion->watch.is_user_armed = false;
    motion->release_time = (double)NAN;
    motion->micro_flights = 0;
    return begin_phase(motion, time, is_closed, report);
}

carom_status carom_plastic_motion_start(carom_plastic_motion *motion, double time, const double *q,
                                        const double *v, bool is_closed, carom_report *report) {
    CAROM_ASSERT(motion != NULL && q != NULL && v != NULL);
    const carom_status status = start(motion, time, q, v, is_closed, report);
    motion->is_started = status == CAROM_OK;
    if (status != CAROM_OK) {
        spoil(motion);
    }
    return status;
}

/* -------------------------------------------------------------------------------------- advance */

/* Flights in a row that are too short to be followed for ever. */
static carom_status count_flight(carom_plastic_motion *motion, carom_report *report) {
    const double flight = motion->integrator.time - motion->release_time;
    motion->micro_flights = flight < motion->params.shortest_flight ? motion->micro_flights + 1 : 0;
    if (motion->micro_flights > motion->params.most_micro_flights) {
        return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "micro-flights", flight, 0);
    }
    return CAROM_OK;
}

/* Perfectly plastic impact. */
static carom_status land(carom_plastic_motion *motion, carom_plastic_event *event,
                         carom_report *report) {
    carom_plastic_dynamics *d = &motion->dynamics;
    double *state = motion->integrator.state;
    CAROM_TRY(count_flight(motion, report));
    CAROM_TRY(carom_plastic_dynamics_project(d, state, state + d->n, report));
    event->gap_rate_before = d->gap_rate;
    event->energy_lost = 0.5 * d->gap_rate * d->gap_rate / d->normal_compliance;
    return begin_phase(motion, motion->integrator.time, true, report);
}

/* The contact opens; what the stance has drifted is taken away first. */
static carom_status release(carom_plastic_motion *motion, carom_report *report) {
    carom_plastic_dynamics *d = &motion->dynamics;
    double *state = motion->integrator.state;
    CAROM_TRY(carom_plastic_dynamics_project(d, state, state + d->n, report));
    motion->release_time = motion->integrator.time;
    return begin_phase(motion, motion->integrator.time, false, report);
}

/* The quantity must rise above its level anew before its fall to zero counts: here it is rounding.
 */
static carom_status call_user(carom_plastic_motion *motion, carom_report *report) {
    const carom_plastic_integrator *at = &motion->integrator;
    CAROM_TRY(begin_phase(motion, at->time, at->is_closed, report));
    motion->watch.is_user_armed = false;
    return CAROM_OK;
}

/* What an event changes. */
static carom_status apply(carom_plastic_motion *motion, carom_plastic_event *event,
                          carom_report *report) {
    event->time = motion->integrator.time;
    switch (event->kind) {
    case CAROM_PLASTIC_LANDING:
        CAROM_TRY(land(motion, event, report));
        break;
    case CAROM_PLASTIC_RELEASE:
        CAROM_TRY(release(motion, report));
        break;
    case CAROM_PLASTIC_USER:
        CAROM_TRY(call_user(motion, report));
        break;
    case CAROM_PLASTIC_END:
        CAROM_TRY(carom_plastic_watch_read_state(&motion->watch, report));
        break;
    }
    event->contact_force = motion->dynamics.contact_force;
    return CAROM_OK;
}

/* An event at the present state, without any motion. */
static carom_plastic_event_kind present_event(const carom_plastic_watch *watch) {
    if (carom_plastic_watch_ends_at_once(watch)) {
        return watch->integrator->is_closed ? CAROM_PLASTIC_RELEASE : CAROM_PLASTIC_LANDING;
    }
    const bool calls_user = carom_plastic_watch_calls_user(watch, &watch->first);
    return calls_user ? CAROM_PLASTIC_USER : CAROM_PLASTIC_END;
}

/* Step by step to the first event. */
static carom_status advance(carom_plastic_motion *motion, double until, carom_plastic_event *event,
                            int *steps, carom_report *report) {
    carom_plastic_integrator *at = &motion->integrator;
    event->kind = present_event(&motion->watch);
    while (event->kind == CAROM_PLASTIC_END && at->time < until) {
        if (*steps >= motion->params.most_steps) {
            return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "number of steps",
                                     (double)*steps, -1);
        }
        CAROM_TRY(carom_plastic_integrator_step(at, until, motion->params.largest_step, report));
        (*steps)++;
        CAROM_TRY(carom_plastic_watch_search(&motion->watch, &event->kind, report));
    }
    return apply(motion, event, report);
}

static carom_status refuse_until(const carom_plastic_motion *motion, double until,
                                 carom_report *report) {
    if (!isfinite(until)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "end time", until, -1);
    }
    if (until < motion->integrator.time) {
        return carom_report_refuse(report, "end time", until, -1,
                                   "the time of the motion or later");
    }
    return CAROM_OK;
}

carom_status carom_plastic_motion_advance(carom_plastic_motion *motion, double until,
                                          carom_plastic_event *event, carom_report *report) {
    CAROM_ASSERT(motion != NULL && event != NULL && motion->is_started);
    const carom_plastic_event nothing = {
        .kind = CAROM_PLASTIC_END,
        .time = (double)NAN,
        .gap_rate_before = (double)NAN,
        .energy_lost = (double)NAN,
        .contact_force = (double)NAN,
    };
    *event = nothing;
    CAROM_TRY(refuse_until(motion, until, report));

    event->energy_lost = 0.0;
    int steps = 0;
    const carom_status status = advance(motion, until, event, &steps, report);
    if (status != CAROM_OK) {
        if (report != NULL) {
            report->time = motion->integrator.time;
            report->step = motion->integrator.step_size;
            report->iterations = steps;
        }
        *event = nothing;
        spoil(motion);
    }
    return status;
}

/* ------------------------------------------------------------------------------------ accessors */

double carom_plastic_motion_time(const carom_plastic_motion *motion) {
    return motion->integrator.time;
}

const double *carom_plastic_motion_position(const carom_plastic_motion *motion) {
    return motion->integrator.state;
}

const double *carom_plastic_motion_velocity(const carom_plastic_motion *motion) {
    return motion->integrator.state + motion->dynamics.n;
}

const double *carom_plastic_motion_acceleration(const carom_plastic_motion *motion) {
    return motion->dynamics.acceleration;
}

double carom_plastic_motion_contact_force(const carom_plastic_motion *motion) {
    return motion->dynamics.contact_force;
}

bool carom_plastic_motion_is_closed(const carom_plastic_motion *motion) {
    return motion->integrator.is_closed;
}
