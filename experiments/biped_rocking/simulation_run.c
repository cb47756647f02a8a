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

rocking_log biped_rocking_log_empty(void) {
    return (rocking_log){.first_landing = (double)NAN};
}

static void log_landing(const carom_plastic_event *event, rocking_log *log) {
    log->first_landing = log->landings == 0 ? event->time : log->first_landing;
    log->landings++;
    log->gap_rate = fmax(log->gap_rate, fabs(event->gap_rate_before));
    log->energy_lost += event->energy_lost;
}

/*[rockerEvent]*/
/** What an event means for a body on two feet. */
static carom_status pass(const rocker *self, carom_plastic_motion *motion,
                         const carom_plastic_event *event, rocking_log *log, carom_report *report) {
    switch (event->kind) {
    case CAROM_PLASTIC_LANDING:
        log_landing(event, log);
        break;
    case CAROM_PLASTIC_RELEASE:
        log->releases++;
        break;
    case CAROM_PLASTIC_USER: /* the foot that it stands on has unloaded */
        log->has_ended = !carom_plastic_motion_is_closed(motion);
        if (!log->has_ended) {
            CAROM_TRY(exchange_feet(self, motion, report));
            log->exchanges++;
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
        const int events = log->landings + log->releases + log->exchanges;
        log->has_ended = log->has_ended || events > MOST_EVENTS;
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
