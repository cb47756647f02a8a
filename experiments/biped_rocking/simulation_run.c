/** Event-driven motion of a body that rocks: landings without rebound, feet exchanged where the
 * one it stands on unloads. */
#include "simulation.h"

#include <math.h>
#include <string.h>

carom_status biped_rocking_motion_alloc(rocker *self, carom_plastic_motion **motion,
                                        carom_report *report) {
    carom_plastic_params params = carom_plastic_params_default();
    params.user_quantity = self->stance_force;
    params.user_context = self;
    return carom_plastic_motion_alloc(&self->model->mechanism, &params, motion, report);
}

carom_status biped_rocking_motion_reset(const rocker *self, carom_plastic_motion *motion,
                                        double time, carom_report *report) {
    const int N = self->model->mechanism.coordinate_count;
    return carom_plastic_motion_start(motion, time, self->reference, self->reference + N, false,
                                      report);
}

/** The foot that it stood on has unloaded: it stands on the other one, and that foot is free. */
static carom_status exchange_feet(const rocker *self, carom_plastic_motion *motion,
                                  carom_report *report) {
    const size_t N = (size_t)self->model->mechanism.coordinate_count;
    double *q = self->exchanged;
    double *v = q + N;
    memcpy(q, carom_plastic_motion_position(motion), N * sizeof *q);
    memcpy(v, carom_plastic_motion_velocity(motion), N * sizeof *v);
    self->mirror(self, q, v);
    return carom_plastic_motion_start(motion, carom_plastic_motion_time(motion), q, v, false,
                                      report);
}

/** More events on the way of one log are given up: a body may come to rest between its feet in
 * infinitely many. */
enum { MOST_EVENTS = 1000 };

/** A foot that has risen by less, in parts of its height at P, has not left the ground. Where gaps
 * close without a rate, rounding decides whether a landing takes one event, or two with a flight of
 * some 1e-9 of that height between. */
static const double LEAST_RISE = 1e-6;

rocking_log biped_rocking_log_empty(void) {
    return (rocking_log){.release_time = (double)NAN, .first_landing = (double)NAN};
}

/** Whether the foot has been in the air: since P, or since a release by the rate at which it comes
 * down. */
static bool has_risen(const rocker *self, const carom_plastic_event *event,
                      const rocking_log *log) {
    const carom_mechanism *mechanism = &self->model->mechanism;
    double height = 0.0;
    mechanism->constraints(self->reference, &height, mechanism->context);
    const double flight = event->time - log->release_time;
    return isnan(flight) || fabs(event->gap_rate_before) * flight > LEAST_RISE * height;
}

static void log_landing(const rocker *self, const carom_plastic_event *event, rocking_log *log) {
    log->first_landing = isnan(log->first_landing) ? event->time : log->first_landing;
    log->landings += has_risen(self, event, log) ? 1 : 0;
    log->gap_rate = fmax(log->gap_rate, fabs(event->gap_rate_before));
    log->energy_lost += event->energy_lost;
}

/*[rockerEvent]*/
/** What an event means for a body on two feet. */
static carom_status pass(const rocker *self, carom_plastic_motion *motion,
                         const carom_plastic_event *event, rocking_log *log, carom_report *report) {
    switch (event->kind) {
    case CAROM_PLASTIC_LANDING:
        log_landing(self, event, log);
        break;
    case CAROM_PLASTIC_RELEASE:
        log->release_time = event->time;
        break;
    case CAROM_PLASTIC_USER: /* the foot that it stands on has unloaded */
        log->has_ended = !carom_plastic_motion_is_closed(motion);
        if (!log->has_ended) {
            CAROM_TRY(exchange_feet(self, motion, report));
            log->exchanges++;
            log->release_time = (double)NAN;
        }
        break;
    case CAROM_PLASTIC_END:
        break;
    }
    return CAROM_OK;
}
/*[end rockerEvent]*/

carom_status biped_rocking_motion_advance(const rocker *self, carom_plastic_motion *motion,
                                          double until, rocking_log *log, carom_report *report) {
    carom_plastic_event event = {.kind = CAROM_PLASTIC_USER};
    while (event.kind != CAROM_PLASTIC_END && !log->has_ended) {
        const carom_status status = carom_plastic_motion_advance(motion, until, &event, report);
        if (status == CAROM_STATUS_NOT_CONVERGED) {
            log->has_ended = true;
            return CAROM_OK;
        }
        CAROM_TRY(status);
        CAROM_TRY(pass(self, motion, &event, log, report));
        log->events += event.kind == CAROM_PLASTIC_END ? 0 : 1;
        log->has_ended = log->has_ended || log->events > MOST_EVENTS;
    }
    return CAROM_OK;
}

double biped_rocking_motion_energy(const rocker *self, const carom_plastic_motion *motion,
                                   double *work) {
    const carom_mechanism *mechanism = &self->model->mechanism;
    const double *q = carom_plastic_motion_position(motion);
    return mechanism->potential_energy(q, mechanism->context) +
           carom_mechanism_kinetic_energy(mechanism, q, carom_plastic_motion_velocity(motion),
                                          work);
}

rocking_state biped_rocking_motion_compare(const rocker *self, const carom_plastic_motion *motion,
                                           double *work) {
    const carom_mechanism *mechanism = &self->model->mechanism;
    const int N = mechanism->coordinate_count;
    const double *at_P = self->reference;
    const double *q = carom_plastic_motion_position(motion);
    const double *v = carom_plastic_motion_velocity(motion);
    rocking_state out = {
        .energy_change = biped_rocking_motion_energy(self, motion, work) - self->energy,
        .joint_work = carom_mechanism_kinetic_energy(mechanism, q, v, work),
    };
    double *weight = work;
    mechanism->force(0.0, at_P, at_P + N, weight, mechanism->context);
    for (int j = 0; j < N; j++) {
        out.deviation = fmax(out.deviation, fabs(q[j] - at_P[j]));
        out.joint_work += fabs(weight[j] * (q[j] - at_P[j]));
    }
    return out;
}
