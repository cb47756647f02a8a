#include <carom/collisionless/motion/collisionless_motion.h>

#include <carom/base/vector.h>
#include <carom/models/linear_contact.h>
#include <carom/timestepping/plastic/plastic.h>

#include <math.h>
#include <stdlib.h>

/** Parts of half a step that the size of a motion is measured at. */
enum { HALF_STEP_PARTS = 64 };

/** Events after which a step is given up; a collisionless one has two, or a few more where rounding
 * splits an impact. */
enum { MOST_EVENTS = 64 };

/** A motion that is being followed. */
typedef struct chase {
    const double *mass;                 /**< m [n][n] */
    carom_collisionless_motion *motion; /**< in closed form, its largest displacement one */
    int n;                              /**< coordinates */
    carom_model *model;                 /**< positions from those at the impact */
    carom_plastic_motion *plastic;
    double shared_force;    /**< both feet together, with odd constrained modes */
    double *position;       /**< [n] scratch; owns the four */
    double *velocity;       /**< [n] scratch */
    double *start_position; /**< [n] at P */
    double *start_velocity; /**< [n] */
    double fastest;         /**< largest velocity of the motion */
    double energy;          /**< largest kinetic energy */
} chase;

static void chase_clear(chase *c) {
    carom_plastic_motion_free(c->plastic);
    carom_model_free(c->model);
    carom_collisionless_motion_free(c->motion);
    free(c->position);
}

static bool is_odd(const carom_parity *parities) {
    return parities[0] == CAROM_PARITY_ODD;
}

/* --- in closed form --------------------------------------------------------------------------- */

/** Position from the impact and velocity. */
static void read_state(const chase *c, carom_motion_phase phase, double t, double *position,
                       double *velocity) {
    const carom_motion_state state = {position, velocity, NULL, NULL};
    carom_collisionless_motion_state(c->motion, phase, t, CAROM_MOTION_FROM_IMPACT, &state);
}

/** v' m v / 2. */
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
    double displacement = 0.0;
    c->fastest = 0.0;
    c->energy = 0.0;
    for (int k = -HALF_STEP_PARTS; k <= HALF_STEP_PARTS; k++) {
        for (int phase = 0; phase < 2; phase++) {
            const bool is_open = phase == 0;
            const double t = (is_open ? s->time : s->constrained_time) * k / HALF_STEP_PARTS;
            read_state(c, is_open ? CAROM_MOTION_UNCONSTRAINED : CAROM_MOTION_CONSTRAINED, t,
                       c->position, c->velocity);
            displacement = fmax(displacement, carom_vector_largest(c->n, c->position));
            c->fastest = fmax(c->fastest, carom_vector_largest(c->n, c->velocity));
            c->energy = fmax(c->energy, kinetic_energy(c, c->velocity));
        }
    }
    return displacement;
}

/** The motion with a largest displacement of one, at P. */
static carom_status prepare(const carom_collisionless_motion *motion, chase *c,
                            carom_report *report) {
    const carom_spectral_motion *s = motion->spectral;
    CAROM_TRY(carom_collisionless_motion_compute(motion->modes, s->time, s->constrained_time,
                                                 CAROM_MOTION_SCALE_AMPLITUDE, 1.0, &c->motion,
                                                 report));
    const double factor = 1.0 / measure(c);
    carom_collisionless_motion_free(c->motion);
    c->motion = NULL;
    CAROM_TRY(carom_collisionless_motion_compute(motion->modes, s->time, s->constrained_time,
                                                 CAROM_MOTION_SCALE_AMPLITUDE, factor, &c->motion,
                                                 report));
    (void)measure(c);
    c->shared_force = 2.0 * c->motion->contact_sign * c->motion->static_force;
    return CAROM_OK;
}

/* --- as a nonsmooth motion -------------------------------------------------------------------- */

/** m z'' + k z = load, z from the impact, where z and the contact force are zero, so that the load
 * is m times the acceleration there. */
static carom_status make_model(const double *stiffness, chase *c, carom_report *report) {
    const carom_motion_state at_impact = {NULL, NULL, c->position, NULL};
    carom_collisionless_motion_state(c->motion, CAROM_MOTION_UNCONSTRAINED,
                                     c->motion->spectral->time, CAROM_MOTION_FROM_IMPACT,
                                     &at_impact);
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
        .stiffness = stiffness,
        .load = load,
        .contact_sign = c->motion->contact_sign,
    };
    return carom_linear_contact_alloc(&params, &c->model, report);
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

/** The integrator, placed at P. */
static carom_status start(chase *c, carom_report *report) {
    const carom_spectral_motion *s = c->motion->spectral;
    carom_plastic_params params = carom_plastic_params_default();
    params.largest_step = (s->time + s->constrained_time) / HALF_STEP_PARTS;
    params.shortest_flight = 1e-9 * (s->time + s->constrained_time);
    if (is_odd(s->spectra->constrained_parity)) {
        params.user_quantity = other_force;
        params.user_context = &c->shared_force;
    }
    read_state(c, CAROM_MOTION_UNCONSTRAINED, 0.0, c->start_position, c->start_velocity);
    return carom_plastic_motion_alloc(&c->model->mechanism, &params, &c->plastic, report);
}

/** The same state in the coordinates of the next step (carom_motion_place): 2 x^0 - x, x - 2 x^0 or
 * -x, here from the impact; x itself if all modes are even. */
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
static carom_status follow_to(chase *c, double until, carom_motion_simulation *out) {
    for (int events = 0; events < MOST_EVENTS; events++) {
        carom_plastic_event event;
        CAROM_TRY(carom_plastic_motion_advance(c->plastic, until, &event, NULL));
        switch (event.kind) {
        case CAROM_PLASTIC_END:
            return CAROM_OK;
        case CAROM_PLASTIC_LANDING:
            out->landings++;
            out->energy_lost += event.energy_lost;
            break;
        case CAROM_PLASTIC_RELEASE:
            out->releases++;
            break;
        case CAROM_PLASTIC_USER:
            out->releases++;
            exchange(c);
            CAROM_TRY(carom_plastic_motion_start(c->plastic, event.time, c->position, c->velocity,
                                                 false, NULL));
            break;
        }
    }
    return CAROM_STATUS_NOT_CONVERGED;
}
/*[end collisionlessEvents]*/

/** How far the body is from where it was at P, in the coordinates of the step that begins. */
static double return_distance(chase *c) {
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

/** From P to the next P, looking at it at equal intervals; `size` is a factor. */
static carom_status follow(chase *c, double size, carom_motion_simulation *out) {
    const carom_spectral_motion *s = c->motion->spectral;
    const double duration = 2.0 * (s->time + s->constrained_time);
    CAROM_TRY(carom_plastic_motion_start(c->plastic, 0.0, c->start_position, c->start_velocity,
                                         false, NULL));
    for (int k = 0; k < out->count; k++) {
        out->time[k] = duration * k / (out->count - 1);
        CAROM_TRY(follow_to(c, out->time[k], out));
        out->gap[k] =
            size * c->motion->contact_sign * carom_plastic_motion_position(c->plastic)[c->n - 1];
        out->force[k] = size * carom_plastic_motion_contact_force(c->plastic);
    }
    out->energy_lost /= c->energy;
    out->return_distance = return_distance(c);
    return CAROM_OK;
}

/* --- the simulation --------------------------------------------------------------------------- */

void carom_motion_simulation_free(carom_motion_simulation *simulation) {
    if (simulation != NULL) {
        free(simulation->time);
        free(simulation);
    }
}

static carom_status allocate(int intervals, carom_motion_simulation **out) {
    const size_t count = (size_t)intervals + 1;
    CAROM_AUTO(carom_motion_simulation) simulation = calloc(1, sizeof *simulation);
    if (simulation == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    simulation->count = intervals + 1;
    simulation->time = malloc(3 * count * sizeof *simulation->time);
    if (simulation->time == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    simulation->gap = simulation->time + count;
    simulation->force = simulation->gap + count;
    CAROM_HAND_OVER(simulation, out);
    return CAROM_OK;
}

carom_status carom_collisionless_motion_simulate(const carom_collisionless_motion *motion,
                                                 const double *mass, const double *stiffness,
                                                 int intervals, carom_motion_simulation **out,
                                                 carom_report *report) {
    CAROM_ASSERT(motion != NULL && mass != NULL && stiffness != NULL && out != NULL);
    CAROM_ASSERT(intervals >= 1);
    *out = NULL;
    const int n = motion->modes->coordinate_count;
    if (!carom_phase_spectra_has_uniform_parity(motion->spectral->spectra)) {
        return carom_report_fail(report, CAROM_STATUS_CONFLICT, "parity", (double)NAN, -1);
    }
    CAROM_AUTO(carom_motion_simulation) simulation = NULL;
    CAROM_AUTO_VALUE(chase) c = {.mass = mass, .n = n};
    CAROM_TRY(allocate(intervals, &simulation));
    c.position = calloc(4 * (size_t)n, sizeof *c.position);
    if (c.position == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    c.velocity = c.position + n;
    c.start_position = c.velocity + n;
    c.start_velocity = c.start_position + n;
    CAROM_TRY(prepare(motion, &c, report));
    CAROM_TRY(make_model(stiffness, &c, report));
    CAROM_TRY(start(&c, report));
    const carom_status status = follow(&c, fabs(motion->scale / c.motion->scale), simulation);
    if (status == CAROM_STATUS_OUT_OF_MEMORY) {
        return status;
    }
    if (status != CAROM_OK) {
        return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "events of the motion",
                                 (double)NAN, -1);
    }
    CAROM_HAND_OVER(simulation, out);
    return CAROM_OK;
}
