/** The motion of the chosen root as that of a nonsmooth mechanism: from P on, event by event, with
 * perfectly plastic contact, by an integrator that knows of no modes. */
#include "results.h"

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

static double total_energy(const run *s) {
    const double *q = carom_plastic_motion_position(s->motion);
    const double *v = carom_plastic_motion_velocity(s->motion);
    const carom_mechanism *mechanism = &s->mechanism->mechanism;
    double energy = mechanism->potential_energy(q, mechanism->context);
    for (int i = 0; i < COORDINATES; i++) {
        for (int j = 0; j < COORDINATES; j++) {
            energy += 0.5 * v[i] * s->g->model.mass[i][j] * v[j];
        }
    }
    return energy;
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
        result->hardest_landing = fmax(result->hardest_landing, -event->gap_rate_before);
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

/** Displacement up to which a motion is still the one that is claimed to lose nothing. */
static const double STILL_SAME = 1e-9;

/** Tolerance of the integration, which the unstable mode of a flight magnifies. */
static const double INTEGRATED = 1e-13;

/** Rounding so large that it may lose this share of the energy by itself decides nothing. */
static const double UNDECIDED = 1e-6;

/** Growth of a displacement by the slowest mode of a flight within a time; 1 if it is stable. */
static double growth_of(const gait *g, double time) {
    return g->spectrum[0] < 0.0 ? cosh(sqrt(-g->spectrum[0]) * time) : 1.0;
}

/**
 * Keep what is lost as long as the motion is what it was at its start. A landing that a
 * displacement delta of the start brings about, grown on the way from P, loses its power 4/3 of the
 * energy. A first period that ends elsewhere decides nothing if rounding, grown over its flights,
 * may be why; otherwise it counts.
 */
static void keep_decided(run *s, int period, double energy_change) {
    simulation *result = s->result;
    const double tau = s->g->motion->spectral->time;
    const double distance = result->return_distance[period - 1];
    const double grown = distance * growth_of(s->g, tau);
    const double allowed = result->allowed_loss + pow(grown, 4.0 / 3.0);
    const bool is_same = distance <= STILL_SAME && allowed <= UNDECIDED;
    const double flights = s->g->period / (2.0 * (tau + s->g->motion->spectral->constrained_time));
    const bool is_rounding = distance <= INTEGRATED * pow(growth_of(s->g, 2.0 * tau), flights);
    const bool is_next = result->decided_periods == period - 1;
    if (is_next && (is_same || (period == 1 && !is_rounding))) {
        result->decided_periods = period;
        result->allowed_loss = is_same ? allowed : 0.0;
        result->decided_loss =
            fmax(result->energy_lost / s->g->largest_kinetic_energy, fabs(energy_change));
    }
}

/** A motion that is unstable and this far from its start is not followed further. */
static const double LOST = 1.0;

/** Follow the motion over so many periods. */
static carom_status follow(run *s, int periods, carom_report *report) {
    CAROM_TRY(start(s, report));
    const double energy = total_energy(s);
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
        keep_decided(s, period, (total_energy(s) - energy) / s->g->largest_kinetic_energy);
    }
    const double scale = s->g->largest_kinetic_energy;
    s->result->energy_change = (total_energy(s) - energy) / scale;
    s->result->lost_share = s->result->energy_lost / scale;
    return CAROM_OK;
}

/** Ground that a wheel has covered: its hub moves l times the angle turned, m. */
static double covered_distance(const results *r, const run *s) {
    const double *q = carom_plastic_motion_position(s->motion);
    const gait *g = s->g;
    const bool is_reaction = g == &r->gaits[REACTION_WHEEL];
    if (g->kind != &COLLISIONLESS_ROLL) {
        return 0.0;
    }
    const double length = is_reaction ? r->values->reaction_wheel.spoke_length
                                      : r->values->pendulum_wheel.spoke_length;
    const double turned =
        q[1] - s->start[1] + 2.0 * s->result->exchanges * g->model.contact_coordinate;
    return length * turned;
}

static void write_simulation(const results *r, const gait *g) {
    const simulation *s = &g->simulated;
    const bool is_angle = g->model.units[0] == 'r';
    char group[PATH_SIZE];
    char path[PATH_SIZE];
    double periods[MOST_PERIODS];
    collisionless_models_path(g->group, "simulation", group);
    const scalar_row rows[] = {
        {"landings", s->landings, "1", "plastic impacts, those of micro-flights included"},
        {"exchanges", s->exchanges, "1", "changes of the foot or spoke that stands"},
        {"hardest_landing", s->hardest_landing, is_angle ? "rad s-1" : "m s-1",
         "largest rate at which the gap closes at a landing"},
        {"energy_lost", s->energy_lost, "J", "in all landings"},
        {"lost_share", s->lost_share, "1", "the same over the largest kinetic energy"},
        {"energy_change", s->energy_change, "1",
         "change of the total energy over the largest kinetic energy"},
        {"decided_periods", s->decided_periods, "1",
         "periods that show what is lost: rounding, grown by the unstable mode, does not hide it"},
        {"allowed_loss", s->allowed_loss, "1",
         "what rounding may lose in these, over the largest kinetic energy"},
        {"time_error", s->time_error, "s",
         "largest distance of a landing, release or exchange from that of the motion"},
        {"distance", s->distance, "m", "covered on the ground, in the harmonic approximation"},
        {"cost_of_transport", s->cost, "1",
         "energy lost per weight and distance; NaN for motion in place"},
    };
    collisionless_models_write_scalars(r->record, group, (int)(sizeof rows / sizeof rows[0]), rows);
    for (int k = 0; k < r->values->periods; k++) {
        periods[k] = k + 1;
    }
    carom_record_axis(r->record, collisionless_models_path(group, "period", path),
                      r->values->periods, periods, "1", "periods completed");
    const series_row distance = {"return_distance", s->return_distance, "1",
                                 "largest distance from the state at the start, over the largest "
                                 "of a period; NaN: not followed"};
    collisionless_models_write_series(r->record, group, "period", NULL, 1, &distance);
}

static carom_status simulate(results *r, gait *g, carom_model *mechanism) {
    carom_plastic_params params = carom_plastic_params_default();
    if (g->model.is_constrained_odd) { // the other foot unloads
        params.user_quantity = load_of_standing_foot;
        params.user_level = 1.0;
        params.user_context = g;
    }
    for (int period = 0; period < MOST_PERIODS; period++) {
        g->simulated.return_distance[period] = (double)NAN;
    }
    run s = {.g = g, .mechanism = mechanism, .result = &g->simulated};
    CAROM_TRY(carom_plastic_motion_alloc(&mechanism->mechanism, &params, &s.motion, r->report));
    const carom_status status = follow(&s, r->values->periods, r->report);
    if (status == CAROM_OK) {
        const double distance = covered_distance(r, &s);
        g->simulated.distance = distance;
        g->simulated.cost =
            distance > 0.0 ? g->simulated.energy_lost / g->model.weight / distance : (double)NAN;
    }
    carom_plastic_motion_free(s.motion);
    return status;
}

carom_status collisionless_models_simulate(results *r, gait *g) {
    carom_model *mechanism = NULL;
    CAROM_TRY(carom_two_mode_model_mechanism(&g->model, &mechanism));
    const carom_status status = simulate(r, g, mechanism);
    carom_model_free(mechanism);
    if (status == CAROM_OK) {
        write_simulation(r, g);
    } else {
        return status;
    }
    return CAROM_OK;
}
