/**
 * A motion followed by events, as that of a mechanism that knows nothing of modes: the contact
 * closes where the gap does, plastically, and opens where its force falls to zero. With odd
 * constrained modes it is the other foot that is released, where the load has passed to this one,
 * F_N = 2 F_N^0, and the body goes on in coordinates of that foot.
 */
#include "chase.h"

#include <carom/base/vector.h>

#include <math.h>
#include <stdlib.h>

/** Parts of half a step that the size of a motion is measured at. */
enum { PARTS = 64 };

/** Events after which a step is given up; a collisionless one has two, or a few more where rounding
 * splits an impact. */
enum { MOST_EVENTS = 64 };

static bool is_odd(const carom_parity *parities) {
    return parities[0] == CAROM_PARITY_ODD;
}

/** Position from the impact and velocity in closed form. */
static void read_state(const chase *c, carom_motion_phase phase, double t, double *position,
                       double *velocity) {
    const carom_motion_state state = {position, velocity, NULL, NULL};
    carom_collisionless_motion_state(c->motion, phase, t, CAROM_MOTION_FROM_IMPACT, &state);
}

/** v' m v / 2, J. */
static double kinetic_energy(const chase *c, const double *v) {
    double energy = 0.0;
    for (int i = 0; i < c->n; i++) {
        for (int j = 0; j < c->n; j++) {
            energy += 0.5 * v[i] * c->mass[i * c->n + j] * v[j];
        }
    }
    return energy;
}

/** Largest displacement from the impact, and on the way velocity and kinetic energy. */
static double measure(chase *c) {
    const carom_spectral_motion *s = c->motion->spectral;
    const int n = c->n;
    double displacement = 0.0;
    c->fastest = 0.0;
    c->energy = 0.0;
    for (int k = -PARTS; k <= PARTS; k++) {
        for (int phase = 0; phase < 2; phase++) {
            const bool is_open = phase == 0;
            const double t = (is_open ? s->time : s->constrained_time) * k / PARTS;
            read_state(c, is_open ? CAROM_MOTION_UNCONSTRAINED : CAROM_MOTION_CONSTRAINED, t,
                       c->position, c->velocity);
            displacement = fmax(displacement, carom_vector_largest(n, c->position));
            c->fastest = fmax(c->fastest, carom_vector_largest(n, c->velocity));
            c->energy = fmax(c->energy, kinetic_energy(c, c->velocity));
        }
    }
    return displacement;
}

/** What is left for the other foot to carry. */
static double other_force(double t, const double *q, const double *v, const double *a,
                          double contact_force, void *context) {
    const double *shared_force = context;
    (void)t;
    (void)q;
    (void)v;
    (void)a;
    return *shared_force - contact_force;
}

static carom_plastic_params params_of(const chase *c) {
    const carom_spectral_motion *s = c->motion->spectral;
    carom_plastic_params params = carom_plastic_params_default();
    params.largest_step = (s->time + s->constrained_time) / PARTS;
    params.shortest_flight = 1e-9 * (s->time + s->constrained_time);
    if (is_odd(s->spectra->constrained_parity)) {
        params.user_quantity = other_force;
        params.user_context = (void *)&c->shared_force;
    }
    return params;
}

/** The same state in the coordinates of the next step (collisionless_motion.h): 2 x^0 - x, x - 2
 * x^0 or -x, here from the impact; x itself if all modes are even. */
static void exchange(chase *c) {
    const carom_collisionless_motion *m = c->motion;
    const bool odd = is_odd(m->spectral->spectra->unconstrained_parity);
    const bool constrained_odd = is_odd(m->spectral->spectra->constrained_parity);
    const double sign = odd == constrained_odd ? 1.0 : -1.0;
    for (int i = 0; i < c->n; i++) {
        const double shift = odd && constrained_odd ? -2.0 * m->static_position[i]
                             : constrained_odd      ? -2.0 * m->constrained_impact_position[i]
                             : odd                  ? -2.0 * m->impact_position[i]
                                                    : 0.0;
        c->position[i] = sign * carom_plastic_motion_position(c->plastic)[i] + shift;
        c->velocity[i] = sign * carom_plastic_motion_velocity(c->plastic)[i];
    }
    if (!odd) {
        // The other foot stands where this one did: the contact is on the point of opening.
        c->position[c->n - 1] = 0.0;
    }
}

/*[collisionlessEvents]*/
/** Go on to a time, through all events on the way. */
static carom_status follow_to(chase *c, double until) {
    for (int events = 0; events < MOST_EVENTS; events++) {
        carom_plastic_event event;
        CAROM_TRY(carom_plastic_motion_advance(c->plastic, until, &event, NULL));
        switch (event.kind) {
        case CAROM_PLASTIC_END:
            return CAROM_OK;
        case CAROM_PLASTIC_LANDING:
            c->landings++;
            c->energy_lost += event.energy_lost;
            break;
        case CAROM_PLASTIC_RELEASE:
            c->releases++;
            break;
        case CAROM_PLASTIC_USER:
            c->releases++;
            exchange(c);
            CAROM_TRY(carom_plastic_motion_start(c->plastic, event.time, c->position, c->velocity,
                                                 false, NULL));
            break;
        }
    }
    return CAROM_STATUS_NOT_CONVERGED;
}
/*[end collisionlessEvents]*/

carom_status collisionless_chase_follow(chase *c) {
    const carom_spectral_motion *s = c->motion->spectral;
    const double duration = 2.0 * (s->time + s->constrained_time);
    CAROM_TRY(carom_plastic_motion_start(c->plastic, 0.0, c->start_position, c->start_velocity,
                                         false, NULL));
    for (int k = 0; k <= CHASE_INSTANTS; k++) {
        c->time[k] = duration * k / CHASE_INSTANTS;
        CAROM_TRY(follow_to(c, c->time[k]));
        c->gap[k] =
            c->size * c->motion->contact_sign * carom_plastic_motion_position(c->plastic)[c->n - 1];
        c->force[k] = c->size * carom_plastic_motion_contact_force(c->plastic);
    }
    return CAROM_OK;
}

double collisionless_chase_distance(chase *c) {
    const carom_phase_spectra *s = c->motion->spectral->spectra;
    const bool is_mirrored = is_odd(s->unconstrained_parity) && !is_odd(s->constrained_parity);
    const double *position = carom_plastic_motion_position(c->plastic);
    const double *velocity = carom_plastic_motion_velocity(c->plastic);
    if (is_mirrored) {
        exchange(c);
        position = c->position;
        velocity = c->velocity;
    }
    double distance = 0.0;
    for (int i = 0; i < c->n; i++) {
        distance = fmax(distance, fabs(position[i] - c->start_position[i]));
        distance = fmax(distance, fabs(velocity[i] - c->start_velocity[i]) / c->fastest);
    }
    return distance;
}

/** Memory for states and load. */
static carom_status allocate(const settings *v, chase *c) {
    const size_t n = (size_t)v->modes->coordinate_count;
    double *memory = calloc(4 * n, sizeof *memory);
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    c->position = memory;
    c->velocity = memory + n;
    c->start_position = memory + 2 * n;
    c->start_velocity = memory + 3 * n;
    c->n = v->modes->coordinate_count;
    c->mass = v->ordered_mass;
    return CAROM_OK;
}

/** The motion of a root with a factor for its amplitudes. */
static carom_status compute(const analysis *a, const carom_impact_root *root, double factor,
                            chase *c) {
    carom_collisionless_motion_free(c->motion);
    c->motion = NULL;
    return carom_collisionless_motion_compute(a->values->modes, root->time, root->constrained_time,
                                              CAROM_MOTION_SCALE_AMPLITUDE, factor, &c->motion,
                                              a->report);
}

/** Factor to the size that was asked for; motions without that quantity have amplitude 1. */
static carom_status find_size(const analysis *a, const carom_impact_root *root, chase *c) {
    double scale = 1.0;
    carom_collisionless_motion *motion = NULL;
    const carom_status status =
        carom_collisionless_motion_compute(a->values->modes, root->time, root->constrained_time,
                                           a->writer.scale, a->writer.size, &motion, NULL);
    if (status != CAROM_OK && status != CAROM_STATUS_SINGULAR) {
        return status;
    }
    scale = motion != NULL ? motion->scale : scale;
    carom_collisionless_motion_free(motion);
    c->size = fabs(scale / c->motion->scale);
    return CAROM_OK;
}

/** The mechanism: m z'' + k z = load, z from the impact, where z and the contact force are zero, so
 * that the load is m times the acceleration there. */
static carom_status make_model(const analysis *a, const carom_impact_root *root, chase *c) {
    const carom_motion_state at_impact = {NULL, NULL, c->position, NULL};
    carom_collisionless_motion_state(c->motion, CAROM_MOTION_UNCONSTRAINED, root->time,
                                     CAROM_MOTION_FROM_IMPACT, &at_impact);
    double *load = c->velocity;
    for (int i = 0; i < c->n; i++) {
        load[i] = 0.0;
        for (int j = 0; j < c->n; j++) {
            load[i] += c->mass[i * c->n + j] * c->position[j];
        }
    }
    const carom_linear_contact_params params = {
        .coordinate_count = c->n,
        .mass = c->mass,
        .stiffness = a->values->ordered_stiffness,
        .load = load,
        .contact_sign = c->motion->contact_sign,
    };
    return carom_linear_contact_alloc(&params, &c->model, a->report);
}

/** The motion of a root in closed form, of size one, and its mechanism at rest at the impact. */
static carom_status prepare(const analysis *a, const carom_impact_root *root, chase *c) {
    CAROM_TRY(allocate(a->values, c));
    CAROM_TRY(compute(a, root, 1.0, c));
    CAROM_TRY(compute(a, root, 1.0 / measure(c), c));
    (void)measure(c);
    CAROM_TRY(find_size(a, root, c));
    c->shared_force = 2.0 * c->motion->contact_sign * c->motion->static_force;
    CAROM_TRY(make_model(a, root, c));
    read_state(c, CAROM_MOTION_UNCONSTRAINED, 0.0, c->start_position, c->start_velocity);
    return CAROM_OK;
}

carom_status collisionless_chase_open(const analysis *a, const carom_impact_root *root, chase *c) {
    *c = (chase){.motion = NULL};
    CAROM_TRY(prepare(a, root, c));
    const carom_plastic_params params = params_of(c);
    return carom_plastic_motion_alloc(&c->model->mechanism, &params, &c->plastic, a->report);
}

void collisionless_chase_close(chase *c) {
    carom_plastic_motion_free(c->plastic);
    carom_model_free(c->model);
    carom_collisionless_motion_free(c->motion);
    free(c->position);
}
