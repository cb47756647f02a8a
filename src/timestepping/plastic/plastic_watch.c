#include <carom/timestepping/plastic/internal.h>

#include <math.h>

/* A step is read at so many equal parts. */
enum { PARTS = 4 };

/* Bisections of a part of a step, down to the rounding of what is bisected. */
enum { BISECTIONS = 64 };

/* What the equations, just observed at y, say about events. */
static carom_status take_reading(carom_plastic_watch *watch, double t, const double *y,
                                 carom_plastic_reading *reading, carom_report *report) {
    const carom_plastic_dynamics *d = watch->integrator->dynamics;
    reading->gap = d->gap;
    reading->gap_rate = d->gap_rate;
    reading->rounding = d->gap_rate_rounding;
    reading->force = d->contact_force;
    reading->pull = d->normal_rounding / d->normal_compliance;
    reading->user = 1.0;
    if (watch->params->user_quantity == NULL) {
        return CAROM_OK;
    }
    reading->user = watch->params->user_quantity(t, y, y + d->n, d->acceleration, d->contact_force,
                                                 watch->params->user_context);
    if (!isfinite(reading->user)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "user quantity", reading->user,
                                 -1);
    }
    return CAROM_OK;
}

carom_status carom_plastic_watch_read_state(carom_plastic_watch *watch, carom_report *report) {
    carom_plastic_integrator *at = watch->integrator;
    const int n = at->dynamics->n;
    CAROM_TRY(carom_plastic_dynamics_observe(at->dynamics, at->time, at->state, at->state + n,
                                             at->is_closed, report));
    watch->first.duration = 0.0;
    return take_reading(watch, at->time, at->state, &watch->first, report);
}

/* Read within the last step. */
static carom_status read_within(carom_plastic_watch *watch, double duration,
                                carom_plastic_reading *reading, carom_report *report) {
    carom_plastic_integrator *at = watch->integrator;
    CAROM_TRY(carom_plastic_integrator_probe(at, duration, report));
    reading->duration = duration;
    const double t = at->origin + at->step_origin + duration;
    return take_reading(watch, t, at->probe_state, reading, report);
}

/* --------------------------------------------------------------------------- what is an event */

static bool is_landing(const carom_plastic_reading *reading, double speed) {
    return reading->gap <= 0.0 && reading->gap_rate < -speed;
}

/* A contact that never pushed is released where it pulls by more than rounding. */
static bool is_release(const carom_plastic_watch *watch, const carom_plastic_reading *reading) {
    return watch->is_release_armed ? reading->force <= 0.0 : reading->force < -reading->pull;
}

bool carom_plastic_watch_ends_at_once(const carom_plastic_watch *watch) {
    return watch->integrator->is_closed
               ? is_release(watch, &watch->first)
               : is_landing(&watch->first, watch->params->gap_rate_tolerance);
}

static bool ends_phase(const carom_plastic_watch *watch, const carom_plastic_reading *reading) {
    return watch->integrator->is_closed ? is_release(watch, reading)
                                        : is_landing(reading, reading->rounding);
}

bool carom_plastic_watch_calls_user(const carom_plastic_watch *watch,
                                    const carom_plastic_reading *reading) {
    return watch->is_user_armed && reading->user <= 0.0;
}

static bool is_event(const carom_plastic_watch *watch, const carom_plastic_reading *reading) {
    return ends_phase(watch, reading) || carom_plastic_watch_calls_user(watch, reading);
}

void carom_plastic_watch_arm(carom_plastic_watch *watch, const carom_plastic_reading *reading) {
    if (watch->integrator->is_closed && reading->force > reading->pull) {
        watch->is_release_armed = true;
    }
    if (watch->params->user_quantity != NULL && reading->user > watch->params->user_level) {
        watch->is_user_armed = true;
    }
}

/* ------------------------------------------------------------------------- between the readings */

/* Narrow (left, right], no event on the left and one on the right, down to the event; `right`
 * stays on its far side. */
static carom_status bisect_event(carom_plastic_watch *watch, double left,
                                 carom_plastic_reading *right, carom_report *report) {
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (left + right->duration);
        if (!(middle > left && middle < right->duration)) {
            break;
        }
        carom_plastic_reading reading = {0};
        CAROM_TRY(read_within(watch, middle, &reading, report));
        if (is_event(watch, &reading)) {
            *right = reading;
        } else {
            left = middle;
        }
    }
    return CAROM_OK;
}

/* Read where the gap is least between two readings, just before, where it still closes. */
static carom_status read_least_gap(carom_plastic_watch *watch, const carom_plastic_reading *left,
                                   double right, carom_plastic_reading *least,
                                   carom_report *report) {
    *least = *left;
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (least->duration + right);
        if (!(middle > least->duration && middle < right)) {
            break;
        }
        carom_plastic_reading reading = {0};
        CAROM_TRY(read_within(watch, middle, &reading, report));
        if (reading.gap_rate < -2.0 * reading.rounding) {
            *least = reading;
        } else {
            right = middle;
        }
    }
    return CAROM_OK;
}

/* The gap turns between two readings, and its fastest closing could bring it to zero. */
static bool may_graze(const carom_plastic_watch *watch, const carom_plastic_reading *left,
                      const carom_plastic_reading *right) {
    if (watch->integrator->is_closed) {
        return false;
    }
    const double reach = left->gap + left->gap_rate * (right->duration - left->duration);
    return left->gap_rate < -2.0 * left->rounding && right->gap_rate > 0.0 && reach <= 0.0;
}

/* Place in parts of a step, from its beginning, of the least value of the parabola through three
 * neighbours of part j (from j-1 to j); NaN if that is not within the part. */
static double vertex(const double *values, int j) {
    const int middle = j < PARTS ? j : PARTS - 1;
    const double curvature = values[middle - 1] - 2.0 * values[middle] + values[middle + 1];
    const double slope = 0.5 * (values[middle + 1] - values[middle - 1]);
    const double place = middle - slope / curvature;
    return curvature > 0.0 && place > j - 1 && place < j ? place : (double)NAN;
}

/* The readings of a step, from its beginning to its end. */
typedef struct step_readings {
    carom_plastic_reading at[PARTS + 1];
    double force[PARTS + 1];
    double user[PARTS + 1];
} step_readings;

/* Look into part j, at whose ends there is no event: `found` is a reading with one, or not. */
static carom_status look_into_part(carom_plastic_watch *watch, const step_readings *readings, int j,
                                   carom_plastic_reading *found, bool *is_found,
                                   carom_report *report) {
    const carom_plastic_reading *left = &readings->at[j - 1];
    const carom_plastic_reading *right = &readings->at[j];
    *is_found = false;
    if (may_graze(watch, left, right)) {
        CAROM_TRY(read_least_gap(watch, left, right->duration, found, report));
        *is_found = ends_phase(watch, found) && found->gap < -watch->params->gap_tolerance;
    }

    /* the vertices of force and quantity; NaN is no place */
    const double part = watch->integrator->step_length / PARTS;
    const double places[2] = {
        watch->integrator->is_closed ? vertex(readings->force, j) : (double)NAN,
        watch->is_user_armed ? vertex(readings->user, j) : (double)NAN,
    };
    for (int k = 0; k < 2 && !*is_found; k++) {
        if (!isnan(places[k])) {
            CAROM_TRY(read_within(watch, part * places[k], found, report));
            *is_found = is_event(watch, found);
        }
    }
    return CAROM_OK;
}

static carom_status read_step(carom_plastic_watch *watch, step_readings *readings,
                              carom_report *report) {
    const double length = watch->integrator->step_length;
    readings->at[0] = watch->first;
    readings->at[0].duration = 0.0;
    for (int j = 0; j <= PARTS; j++) {
        if (j > 0) {
            CAROM_TRY(read_within(watch, length * j / PARTS, &readings->at[j], report));
        }
        readings->force[j] = readings->at[j].force;
        readings->user[j] = readings->at[j].user;
    }
    return CAROM_OK;
}

/* Bisect the event between two readings and go back to it. */
static carom_status settle(carom_plastic_watch *watch, double left, carom_plastic_reading *found,
                           carom_plastic_event_kind *kind, carom_report *report) {
    CAROM_TRY(bisect_event(watch, left, found, report));
    CAROM_TRY(carom_plastic_integrator_probe(watch->integrator, found->duration, report));
    carom_plastic_integrator_go_back(watch->integrator, found->duration);
    if (!ends_phase(watch, found)) {
        *kind = CAROM_PLASTIC_USER;
    } else {
        *kind = watch->integrator->is_closed ? CAROM_PLASTIC_RELEASE : CAROM_PLASTIC_LANDING;
    }
    return CAROM_OK;
}

carom_status carom_plastic_watch_search(carom_plastic_watch *watch, carom_plastic_event_kind *kind,
                                        carom_report *report) {
    *kind = CAROM_PLASTIC_END;
    step_readings readings = {0};
    CAROM_TRY(read_step(watch, &readings, report));
    for (int j = 1; j <= PARTS; j++) {
        carom_plastic_reading found = readings.at[j];
        bool is_found = is_event(watch, &found);
        if (!is_found) {
            CAROM_TRY(look_into_part(watch, &readings, j, &found, &is_found, report));
        }
        if (is_found) {
            return settle(watch, readings.at[j - 1].duration, &found, kind, report);
        }
        carom_plastic_watch_arm(watch, &readings.at[j]);
    }
    watch->first = readings.at[PARTS];
    return CAROM_OK;
}
