#include <carom/collisionless/gait/rocking_motion.h>

#include <carom/collisionless/gait/internal.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** A body may come to rest between its feet in infinitely many events: more than so many on the way
 * of one log are given up. */
enum { MOST_EVENTS = 1000 };

/** A foot that has risen by less, in parts of its height at P, has not left the ground. Where gaps
 * close without a rate, rounding decides whether a landing takes one event, or two with a flight of
 * some 1e-9 of that height between. */
static const double LEAST_RISE = 1e-6;

struct carom_rocking_motion {
    carom_rocking_reference reference;
    carom_model *model;           /**< owned; starts at P */
    carom_plastic_motion *motion; /**< owned, of the model */
    double *start;                /**< [2N] owned: q, v at P, where v = 0 */
    double *exchanged;            /**< [2N] scratch, of the same piece */
    double *work;                 /**< [N (N + 1)] scratch, of the same piece */
    bool is_exact;
    carom_armed_biped_params biped;    /**< exact one */
    carom_armed_biped_statics statics; /**< harmonic one */
};

static int coordinate_count(const carom_rocking_motion *self) {
    return self->model->mechanism.coordinate_count;
}

void carom_rocking_motion_free(carom_rocking_motion *self) {
    if (self == NULL) {
        return;
    }
    carom_plastic_motion_free(self->motion);
    carom_model_free(self->model);
    free(self->start);
    free(self);
}

/** Zeroed, with room for N coordinates. */
static carom_rocking_motion *allocate(int N) {
    const size_t n = (size_t)N;
    carom_rocking_motion *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    self->start = calloc(4 * n + n * (n + 1), sizeof *self->start);
    if (self->start == NULL) {
        free(self);
        return NULL;
    }
    self->exchanged = self->start + 2 * n;
    self->work = self->exchanged + 2 * n;
    return self;
}

/* --- the foot that it stands on --------------------------------------------------------------- */

/** Vertical force on the exact biped's; at P' the feet of the harmonic one share the load F_N^0
 * each, and the one that it stands on is free at F_N = 2 F_N^0. */
static double stance_force(double t, const double *q, const double *v, const double *a,
                           double contact_force, void *context) {
    (void)t;
    const carom_rocking_motion *self = context;
    return self->is_exact ? carom_armed_biped_foot_forces(&self->biped, q, v, a).stance_vertical
                          : 2.0 * self->statics.contact_force - contact_force;
}

/** Both feet stand where a motion does this: a drift of the stance off the ground, by rounding, is
 * removed. */
void carom_rocking_motion_mirror(const carom_rocking_motion *self, double *q, double *v) {
    CAROM_ASSERT(self != NULL && q != NULL && v != NULL);
    const int N = coordinate_count(self);
    if (self->is_exact) {
        carom_armed_biped_mirror(&self->biped, q, v);
        q[N - 1] = -self->biped.half_step_angle;
    } else {
        // x -> 2 x^0 - x: k is diagonal, so that x^0 has only its last entry.
        for (int j = 0; j < N; j++) {
            q[j] = -q[j];
            v[j] = -v[j];
        }
        q[N - 1] = self->statics.contact_level;
    }
    v[N - 1] = 0.0;
}

/* --- the two bipeds --------------------------------------------------------------------------- */

/** The motion of a body that has its model. */
static carom_status set_up(carom_rocking_motion *self, carom_report *report) {
    carom_plastic_params params = carom_plastic_params_default();
    params.user_quantity = stance_force;
    params.user_context = self;
    CAROM_TRY(carom_plastic_motion_alloc(&self->model->mechanism, &params, &self->motion, report));
    return carom_rocking_motion_reset(self, 0.0, report);
}

carom_status carom_rocking_motion_exact(const carom_armed_biped_params *biped,
                                        const carom_nonlinear_gait *gait,
                                        carom_rocking_motion **out, carom_report *report) {
    CAROM_ASSERT(biped != NULL && gait != NULL && out != NULL);
    *out = NULL;
    const int N = gait->coordinate_count;
    carom_armed_biped_params at_angle = *biped;
    at_angle.half_step_angle = gait->half_step_angle;
    CAROM_TRY(carom_armed_biped_check(&at_angle, report));
    if (carom_armed_biped_coordinate_count(biped) != N) {
        return carom_report_fail(report, CAROM_STATUS_CONFLICT, "coordinate count", N, -1);
    }
    CAROM_AUTO(carom_rocking_motion) self = allocate(N);
    if (self == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    self->is_exact = true;
    self->biped = at_angle;
    self->reference = (carom_rocking_reference){
        .time = gait->time,
        .half_period = 2.0 * (gait->time + gait->constrained_time),
        .energy = gait->energy,
        .excess_energy = gait->excess_energy,
    };
    memcpy(self->start, gait->states, 2 * (size_t)N * sizeof *self->start);
    CAROM_TRY(carom_armed_biped_alloc(&self->biped, &self->model, report));
    CAROM_TRY(set_up(self, report));
    CAROM_HAND_OVER(self, out);
    return CAROM_OK;
}

carom_status carom_rocking_motion_harmonic(const carom_collisionless_motion *gait,
                                           const double *mass, const double *stiffness,
                                           const carom_armed_biped_statics *statics,
                                           carom_rocking_motion **out, carom_report *report) {
    CAROM_ASSERT(gait != NULL && mass != NULL && stiffness != NULL && statics != NULL);
    CAROM_ASSERT(out != NULL);
    *out = NULL;
    const int N = gait->modes->coordinate_count;
    CAROM_AUTO(carom_rocking_motion) self = allocate(N);
    if (self == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    self->statics = *statics;
    self->reference = (carom_rocking_reference){
        .time = gait->spectral->time,
        .half_period = 2.0 * (gait->spectral->time + gait->spectral->constrained_time),
        .energy = gait->energy,
        .excess_energy = gait->energy,
    };
    const carom_motion_state state = {.position = self->start};
    carom_collisionless_motion_state(gait, CAROM_MOTION_UNCONSTRAINED, 0.0,
                                     CAROM_MOTION_FROM_EQUILIBRIUM, &state);
    const carom_linear_contact_params params = {
        .coordinate_count = N,
        .mass = mass,
        .stiffness = stiffness,
        .contact_level = statics->contact_level,
        .contact_sign = 1,
        .is_angle = true,
    };
    CAROM_TRY(carom_linear_contact_alloc(&params, &self->model, report));
    CAROM_TRY(set_up(self, report));
    CAROM_HAND_OVER(self, out);
    return CAROM_OK;
}

/* --- the motion ------------------------------------------------------------------------------- */

carom_rocking_log carom_rocking_log_empty(void) {
    return (carom_rocking_log){.release_time = (double)NAN, .first_landing = (double)NAN};
}

const carom_rocking_reference *carom_rocking_motion_reference(const carom_rocking_motion *self) {
    CAROM_ASSERT(self != NULL);
    return &self->reference;
}

const double *carom_rocking_motion_position(const carom_rocking_motion *self) {
    CAROM_ASSERT(self != NULL);
    return carom_plastic_motion_position(self->motion);
}

carom_status carom_rocking_motion_reset(carom_rocking_motion *self, double time,
                                        carom_report *report) {
    CAROM_ASSERT(self != NULL);
    return carom_plastic_motion_start(self->motion, time, self->start,
                                      self->start + coordinate_count(self), false, report);
}

/** It stands on the other foot now, and the one that it stood on is free. */
static carom_status exchange_feet(carom_rocking_motion *self, carom_report *report) {
    const size_t N = (size_t)coordinate_count(self);
    double *q = self->exchanged;
    double *v = q + N;
    memcpy(q, carom_plastic_motion_position(self->motion), N * sizeof *q);
    memcpy(v, carom_plastic_motion_velocity(self->motion), N * sizeof *v);
    carom_rocking_motion_mirror(self, q, v);
    return carom_plastic_motion_start(self->motion, carom_plastic_motion_time(self->motion), q, v,
                                      false, report);
}

/** Whether the foot has been in the air: since P, or since a release by the rate at which it comes
 * down. */
static bool has_risen(const carom_rocking_motion *self, const carom_plastic_event *event,
                      const carom_rocking_log *log) {
    const carom_mechanism *mechanism = &self->model->mechanism;
    double height = 0.0;
    mechanism->constraints(self->start, &height, mechanism->context);
    const double flight = event->time - log->release_time;
    return isnan(flight) || fabs(event->gap_rate_before) * flight > LEAST_RISE * height;
}

static void log_landing(const carom_rocking_motion *self, const carom_plastic_event *event,
                        carom_rocking_log *log) {
    log->first_landing = isnan(log->first_landing) ? event->time : log->first_landing;
    log->landings += has_risen(self, event, log) ? 1 : 0;
    log->gap_rate = fmax(log->gap_rate, fabs(event->gap_rate_before));
    log->energy_lost += event->energy_lost;
}

/*[rockingEvent]*/
/** What an event means for a body on two feet. */
static carom_status pass(carom_rocking_motion *self, const carom_plastic_event *event,
                         carom_rocking_log *log, carom_report *report) {
    switch (event->kind) {
    case CAROM_PLASTIC_LANDING:
        log_landing(self, event, log);
        break;
    case CAROM_PLASTIC_RELEASE:
        log->release_time = event->time;
        break;
    case CAROM_PLASTIC_USER: /* the foot that it stands on has unloaded */
        log->has_ended = !carom_plastic_motion_is_closed(self->motion);
        if (!log->has_ended) {
            CAROM_TRY(exchange_feet(self, report));
            log->exchanges++;
            log->release_time = (double)NAN;
        }
        break;
    case CAROM_PLASTIC_END:
        break;
    }
    return CAROM_OK;
}
/*[end rockingEvent]*/

carom_status carom_rocking_motion_advance(carom_rocking_motion *self, double until,
                                          carom_rocking_log *log, carom_report *report) {
    CAROM_ASSERT(self != NULL && log != NULL);
    carom_plastic_event event = {.kind = CAROM_PLASTIC_USER};
    while (event.kind != CAROM_PLASTIC_END && !log->has_ended) {
        const carom_status status =
            carom_plastic_motion_advance(self->motion, until, &event, report);
        if (status == CAROM_STATUS_NOT_CONVERGED) {
            log->has_ended = true;
            return CAROM_OK;
        }
        CAROM_TRY(status);
        CAROM_TRY(pass(self, &event, log, report));
        log->events += event.kind == CAROM_PLASTIC_END ? 0 : 1;
        log->has_ended = log->has_ended || log->events > MOST_EVENTS;
    }
    return CAROM_OK;
}

carom_rocking_state carom_rocking_motion_compare(carom_rocking_motion *self) {
    CAROM_ASSERT(self != NULL);
    const carom_mechanism *mechanism = &self->model->mechanism;
    const int N = coordinate_count(self);
    const double *at_P = self->start;
    const double *q = carom_plastic_motion_position(self->motion);
    const double kinetic = carom_mechanism_kinetic_energy(
        mechanism, q, carom_plastic_motion_velocity(self->motion), self->work);
    carom_rocking_state state = {
        .energy_change =
            mechanism->potential_energy(q, mechanism->context) + kinetic - self->reference.energy,
        .joint_work = kinetic,
    };
    double *weight = self->work;
    mechanism->force(0.0, at_P, at_P + N, weight, mechanism->context);
    for (int j = 0; j < N; j++) {
        state.deviation = fmax(state.deviation, fabs(q[j] - at_P[j]));
        state.joint_work += fabs(weight[j] * (q[j] - at_P[j]));
    }
    return state;
}

/* --- beside the gait -------------------------------------------------------------------------- */

/** Largest angle between the motion and a position of the gait, which may be seen from the other
 * foot. */
static double deviation_from(carom_rocking_motion *self, const double *position,
                             bool is_exchanged) {
    const int N = coordinate_count(self);
    const double *q = carom_plastic_motion_position(self->motion);
    double *expected = self->exchanged;
    memcpy(expected, position, (size_t)N * sizeof *expected);
    if (is_exchanged) {
        carom_rocking_motion_mirror(self, expected, expected + N);
    }
    double deviation = 0.0;
    for (int j = 0; j < N; j++) {
        deviation = fmax(deviation, fabs(q[j] - expected[j]));
    }
    return deviation;
}

/** Whether a link of the torso, between arm and leg, hangs. */
static bool has_fallen(const carom_rocking_motion *self) {
    const double *q = carom_plastic_motion_position(self->motion);
    for (int j = 1; j < coordinate_count(self) - 1; j++) {
        if (cos(q[j]) < 0.0) {
            return true;
        }
    }
    return false;
}

carom_status carom_rocking_motion_follow(carom_rocking_motion *self,
                                         const carom_gait_trajectory *quarter, int half_cycle,
                                         int instant, carom_rocking_log *log,
                                         carom_rocking_sample *sample, carom_report *report) {
    CAROM_ASSERT(self != NULL && quarter != NULL && log != NULL && sample != NULL);
    CAROM_ASSERT(self->is_exact && quarter->coordinate_count == coordinate_count(self));
    CAROM_ASSERT(half_cycle >= 0 && instant >= 0 && instant <= 2 * (quarter->count - 1));
    const int last = quarter->count - 1;
    const bool is_past = instant > last;
    const int i = is_past ? 2 * last - instant : instant;
    const double half_period = self->reference.half_period;
    const double since = is_past ? half_period - quarter->time[i] : quarter->time[i];
    const double time = half_cycle * half_period + since;
    const double lost = log->energy_lost;
    CAROM_TRY(carom_rocking_motion_advance(self, time, log, report));
    if (log->has_ended) {
        return CAROM_OK;
    }
    const bool is_exchanged = log->exchanges > half_cycle;
    const double *position = quarter->position + (size_t)i * (size_t)quarter->coordinate_count;
    *sample = (carom_rocking_sample){
        .time = time,
        .deviation = deviation_from(self, position, is_exchanged != is_past),
        .energy_change = carom_rocking_motion_compare(self).energy_change,
        .energy_lost = log->energy_lost - lost,
        .has_fallen = has_fallen(self),
    };
    return CAROM_OK;
}
