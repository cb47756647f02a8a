/** The motion of the chosen root as that of a nonsmooth mechanism: from P on, event by event, with
 * perfectly plastic contact, by an integrator that knows of no modes. */
#include "gaits.h"

/** How a motion fared as that of a nonsmooth mechanism. */
typedef struct simulation {
    int landings;                         /**< plastic impacts, those of micro-flights included */
    int exchanges;                        /**< of the foot or spoke that stands */
    double energy_lost;                   /**< in all landings, J */
    double return_distance[MOST_PERIODS]; /**< after each period, 1 */
    double tolerated_distance;            /**< after one, by the errors of the integration, 1 */
    double time_error;   /**< largest distance of a landing or release from the motion's, s */
    int decided_periods; /**< after which rounding still leaves the motion what it is */
    double allowed_loss; /**< what rounding may lose in these over the largest kinetic energy, 1 */
    double distance;     /**< covered on the ground, m; 0 in place */
} simulation;

/** A run under way. */
typedef struct run {
    const gait *g;
    carom_plastic_motion *motion;
    carom_model *mechanism;
    double start[2 * COORDINATES];
    double rest[COORDINATES]; /**< static equilibrium in contact */
    simulation *result;
} run;

/** What the standing foot still carries, in units of F_N^0: it unloads at F_N = 2 F_N^0. */
static double load_of_standing_foot(double t, const double *q, const double *v, const double *a,
                                    double contact_force, void *context) {
    (void)t;
    (void)q;
    (void)v;
    (void)a;
    const gait *g = context;
    // the mechanism's force pushes the gap open, F_N acts on x_2
    return 2.0 - g->model.gap_sign * contact_force / g->model.contact_force;
}

/**
 * The other foot or spoke stands from here on, and the next one may land: x - 2 x^0 on the next
 * spoke, 2 x^0 - x on the other foot, x^0 the static equilibrium in contact. Neither changes
 * velocities beyond their sign, or the energy.
 */
/*[collisionlessModelExchange]*/
static carom_status exchange_feet(run *s, carom_report *report) {
    double q[COORDINATES];
    double v[COORDINATES];
    const double *x = carom_plastic_motion_position(s->motion);
    const double *x_dot = carom_plastic_motion_velocity(s->motion);
    const bool is_next_spoke = s->g->kind == &COLLISIONLESS_ROLL;
    for (int i = 0; i < COORDINATES; i++) {
        const double sign = is_next_spoke ? 1.0 : -1.0;
        q[i] = sign * (x[i] - 2.0 * s->rest[i]);
        v[i] = sign * x_dot[i];
    }
    s->result->exchanges++;
    // the other foot is on the ground still, and about to leave it
    return carom_plastic_motion_start(s->motion, carom_plastic_motion_time(s->motion), q, v,
                                      !is_next_spoke, report);
}
/*[end collisionlessModelExchange]*/

/** Distance of a landing or release from the nearest one of the motion, s. */
static double event_time_error(const gait *g, double time) {
    const double tau = g->motion->spectral->time;
    const double step = 2.0 * (tau + g->motion->spectral->constrained_time);
    const double phase = remainder(time, step); // landings at tau, releases at -tau
    return fabs(fabs(phase) - tau);
}

static carom_status take_event(run *s, const carom_plastic_event *event, carom_report *report) {
    simulation *result = s->result;
    if (event->kind == CAROM_PLASTIC_END) {
        return CAROM_OK;
    }
    result->time_error = fmax(result->time_error, event_time_error(s->g, event->time));
    if (event->kind == CAROM_PLASTIC_LANDING) {
        result->landings++;
        result->energy_lost += event->energy_lost;
    }
    return event->kind == CAROM_PLASTIC_USER ? exchange_feet(s, report) : CAROM_OK;
}

/** Largest distance from the state at the start, in parts of the largest of a period. */
static double distance_from_start(const run *s) {
    const double *q = carom_plastic_motion_position(s->motion);
    const double *v = carom_plastic_motion_velocity(s->motion);
    double distance = 0.0;
    for (int i = 0; i < COORDINATES; i++) {
        distance = fmax(distance, fabs(q[i] - s->start[i]) / s->g->largest[i]);
        distance = fmax(distance, fabs(v[i] - s->start[COORDINATES + i]) / s->g->fastest[i]);
    }
    return distance;
}

/** P of the motion, in the coordinates of the mechanism. */
static carom_status start(run *s, carom_report *report) {
    const carom_motion_state state = {.position = s->start, .velocity = s->start + COORDINATES};
    carom_collisionless_motion_state(s->g->motion, CAROM_MOTION_UNCONSTRAINED, 0.0,
                                     CAROM_MOTION_FROM_CONSTRAINED_EQUILIBRIUM, &state);
    for (int i = 0; i < COORDINATES; i++) {
        s->rest[i] = s->mechanism->initial_position[i];
        s->start[i] += s->rest[i];
    }
    return carom_plastic_motion_start(s->motion, 0.0, s->start, s->start + COORDINATES, false,
                                      report);
}

/** Displacement up to which a motion is still the one that is said to lose nothing. */
static const double STILL_SAME = 1e-9;

/** Rounding so large that it may lose this share of the energy by itself decides nothing. */
static const double UNDECIDED = 1e-6;

/** Growth of a displacement by the slowest mode of a flight within a time; 1 if it is stable. */
static double growth_of(const gait *g, double time) {
    return g->spectrum[0] < 0.0 ? cosh(sqrt(-g->spectrum[0]) * time) : 1.0;
}

/** How far the errors of the integration may carry a motion from its start within a period: its
 * tolerance, magnified by the unstable mode in every flight. */
static double tolerated_distance(const gait *g, double tolerance) {
    const double tau = g->motion->spectral->time;
    const double flights = g->period / (2.0 * (tau + g->motion->spectral->constrained_time));
    return tolerance * pow(growth_of(g, 2.0 * tau), flights);
}

/**
 * Count the periods in which the motion is what it was at its start. A landing that a displacement
 * delta of the start brings about, grown on the way from P, loses its power 4/3 of the energy. A
 * first period that ends elsewhere decides nothing if the integration may be why; otherwise it
 * counts.
 */
static void keep_decided(run *s, int period) {
    simulation *result = s->result;
    const double distance = result->return_distance[period - 1];
    const double grown = distance * growth_of(s->g, s->g->motion->spectral->time);
    const double allowed = result->allowed_loss + pow(grown, 4.0 / 3.0);
    const bool is_same = distance <= STILL_SAME && allowed <= UNDECIDED;
    const bool is_next = result->decided_periods == period - 1;
    if (is_next && (is_same || (period == 1 && distance > result->tolerated_distance))) {
        result->decided_periods = period;
        result->allowed_loss = is_same ? allowed : 0.0;
    }
}

/** A motion that is unstable and this far from its start is not followed further. */
static const double LOST = 1.0;

/** Follow the motion over so many periods. */
static carom_status follow(run *s, int periods, carom_report *report) {
    CAROM_TRY(start(s, report));
    bool is_lost = false;
    for (int period = 1; period <= periods && !is_lost; period++) {
        carom_plastic_event event = {.kind = CAROM_PLASTIC_USER};
        while (event.kind != CAROM_PLASTIC_END) {
            CAROM_TRY(
                carom_plastic_motion_advance(s->motion, period * s->g->period, &event, report));
            CAROM_TRY(take_event(s, &event, report));
        }
        const double distance = distance_from_start(s);
        s->result->return_distance[period - 1] = distance;
        is_lost = !(distance < LOST);
        keep_decided(s, period);
    }
    return CAROM_OK;
}

/** Ground that a wheel has covered: its hub moves l times the angle turned, m. */
static double covered_distance(const gaits *all, const run *s) {
    const double *q = carom_plastic_motion_position(s->motion);
    const gait *g = s->g;
    const bool is_reaction = g == &all->models[REACTION_WHEEL];
    if (g->kind != &COLLISIONLESS_ROLL) {
        return 0.0;
    }
    const double length = is_reaction ? all->values->reaction_wheel.spoke_length
                                      : all->values->pendulum_wheel.spoke_length;
    const double turned =
        q[1] - s->start[1] + 2.0 * s->result->exchanges * g->model.contact_coordinate;
    return length * turned;
}

static void write_simulation(const gaits *all, const gait *g, const simulation *s) {
    carom_record group = carom_record_group(all->record, "/%s/simulation", g->name);
    const carom_measure rows[] = {
        {"landings", s->landings, "1", "plastic impacts, those of micro-flights included"},
        {"exchanges", s->exchanges, "1", "changes of the foot or spoke that stands"},
        {"lost_share", s->energy_lost / g->largest_kinetic_energy, "1",
         "energy lost in all landings over the largest kinetic energy"},
        {"decided_periods", s->decided_periods, "1",
         "periods that show what is lost: rounding, grown by the unstable mode, does not hide it"},
        {"allowed_loss", s->allowed_loss, "1",
         "what rounding may lose in these, over the largest kinetic energy"},
        {"tolerated_distance", s->tolerated_distance, "1",
         "from the start after a period, by the integrator's tolerance, grown in every flight"},
        {"time_error", s->time_error, "s",
         "largest distance of a landing, release or exchange from that of the motion"},
        {"distance", s->distance, "m", "covered on the ground, in the harmonic approximation"},
        {"cost_of_transport",
         s->distance > 0.0 ? s->energy_lost / g->model.weight / s->distance : (double)NAN, "1",
         "energy lost per weight and distance; NaN for motion in place"},
    };
    carom_record_scalars(&group, rows, COUNT(rows));
    double periods[MOST_PERIODS];
    for (int k = 0; k < all->values->periods; k++) {
        periods[k] = k + 1;
    }
    carom_record_axis(&group, "period", all->values->periods, periods, "1", "periods completed");
    carom_record_series(&group, "return_distance", s->return_distance, "period", NULL, "1",
                        "largest distance from the state at the start, over the largest of a "
                        "period; NaN: not followed");
}

carom_status collisionless_models_simulate(gaits *all, const gait *g) {
    CAROM_AUTO(carom_model) mechanism = NULL;
    CAROM_AUTO(carom_plastic_motion) motion = NULL;
    CAROM_TRY(carom_two_mode_model_mechanism(&g->model, &mechanism));
    carom_plastic_params params = carom_plastic_params_default();
    if (g->model.is_constrained_odd) { // the other foot unloads
        params.user_quantity = load_of_standing_foot;
        params.user_level = 1.0;
        params.user_context = (void *)g;
    }
    CAROM_TRY(carom_plastic_motion_alloc(&mechanism->mechanism, &params, &motion, all->report));

    simulation result = {.tolerated_distance = tolerated_distance(g, params.relative_tolerance)};
    for (int period = 0; period < MOST_PERIODS; period++) {
        result.return_distance[period] = (double)NAN;
    }
    run s = {.g = g, .motion = motion, .mechanism = mechanism, .result = &result};
    CAROM_TRY(follow(&s, all->values->periods, all->report));
    result.distance = covered_distance(all, &s);
    write_simulation(all, g, &result);
    return CAROM_OK;
}
