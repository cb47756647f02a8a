/** The bipeds that are simulated: exact and harmonic. */
#include "simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void biped_rocking_rocker_clear(rocker *self) {
    free(self->reference);
    carom_model_free(self->model);
}

/** Room for two states, zeroed. */
static carom_status alloc_states(int N, rocker *out) {
    out->reference = calloc(4 * (size_t)N, sizeof *out->reference);
    if (out->reference == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    out->exchanged = out->reference + 2 * N;
    return CAROM_OK;
}

/* --- exact ------------------------------------------------------------------------------------ */

static double exact_stance_force(double t, const double *q, const double *v, const double *a,
                                 double contact_force, void *context) {
    (void)t;
    (void)contact_force;
    const rocker *self = context;
    return carom_armed_biped_foot_forces(&self->biped, q, v, a).stance_vertical;
}

/** Both feet stand: a drift of the stance off the ground, by rounding, is removed. */
static void exact_mirror(const rocker *self, double *q, double *v) {
    const int leg = carom_armed_biped_coordinate_count(&self->biped) - 1;
    carom_armed_biped_mirror(&self->biped, q, v);
    q[leg] = -self->biped.half_step_angle;
    v[leg] = 0.0;
}

carom_status biped_rocking_exact_rocker(const exact_gait *exact, rocker *out) {
    const carom_nonlinear_gait *gait = exact->gait;
    const size_t N = (size_t)gait->coordinate_count;
    *out = (rocker){
        .time = gait->time,
        .half_period = 2.0 * (gait->time + gait->constrained_time),
        .energy = gait->energy,
        .excess_energy = gait->excess_energy,
        .stance_force = exact_stance_force,
        .mirror = exact_mirror,
        .gap_rate_units = "m s-1",
        .biped = exact->biped,
    };
    CAROM_TRY(alloc_states(gait->coordinate_count, out));
    memcpy(out->reference, gait->states, 2 * N * sizeof *out->reference);
    return carom_armed_biped_alloc(&exact->biped, &out->model, NULL);
}

/** Speed of the mass centre. */
static double mass_centre_speed(const carom_armed_biped_params *biped, const double *q,
                                const double *v) {
    const int N = carom_armed_biped_coordinate_count(biped);
    const int leg = N - 1;

    /* The masses that each link carries move with its end relative to its beginning. */
    double carried = 0.0;
    double x = 0.0;
    double y = 0.0;
    for (int j = 0; j < N; j++) {
        carried += biped->masses[N - j];
        x += carried * biped->lengths[leg - j] * cos(q[j]) * v[j];
        y -= carried * biped->lengths[leg - j] * sin(q[j]) * v[j];
    }

    /* The free foot turns about the stance foot, which is at rest. */
    const double distance = 2.0 * biped->lengths[0] * sin(biped->half_step_angle);
    const double lift = q[leg] + biped->half_step_angle;
    x += biped->masses[0] * distance * sin(lift) * v[leg];
    y += biped->masses[0] * distance * cos(lift) * v[leg];
    return hypot(x, y) / (carried + 2.0 * biped->masses[0]);
}

/** Simpson's rule over one phase, an even number of intervals. */
static double phase_path(const exact_gait *exact, int first, int last) {
    const carom_gait_trajectory *quarter = exact->quarter;
    const size_t N = (size_t)quarter->coordinate_count;
    double sum = 0.0;
    for (int i = first; i <= last; i++) {
        const size_t at = (size_t)i * N;
        const double weight = i == first || i == last ? 1.0 : ((i - first) % 2 == 1 ? 4.0 : 2.0);
        sum += weight *
               mass_centre_speed(&exact->biped, quarter->position + at, quarter->velocity + at);
    }
    const double step = (quarter->time[last] - quarter->time[first]) / (last - first);
    return sum * step / 3.0;
}

double biped_rocking_quarter_path(const exact_gait *exact) {
    const carom_gait_trajectory *quarter = exact->quarter;
    return phase_path(exact, 0, quarter->landing) +
           phase_path(exact, quarter->landing, quarter->count - 1);
}

/* --- harmonic --------------------------------------------------------------------------------- */

/** At P' the feet share the load F_N^0 each; the foot it stands on is free at F_N = 2 F_N^0. */
static double harmonic_stance_force(double t, const double *q, const double *v, const double *a,
                                    double contact_force, void *context) {
    (void)t;
    (void)q;
    (void)v;
    (void)a;
    const rocker *self = context;
    return 2.0 * self->static_force - contact_force;
}

/** x -> 2 x^0 - x: k is diagonal, so that x^0 has only its last entry. */
static void harmonic_mirror(const rocker *self, double *q, double *v) {
    const int N = self->model->mechanism.coordinate_count;
    for (int j = 0; j < N; j++) {
        q[j] = -q[j];
        v[j] = -v[j];
    }
    q[N - 1] = self->contact_level;
    v[N - 1] = 0.0;
}

carom_status biped_rocking_harmonic_rocker(const results *r, rocker *out) {
    const int N = r->coordinate_count;
    *out = (rocker){
        .time = r->root.time,
        .half_period = 2.0 * (r->root.time + r->root.constrained_time),
        .energy = r->gait->energy,
        .excess_energy = r->gait->energy,
        .stance_force = harmonic_stance_force,
        .mirror = harmonic_mirror,
        .gap_rate_units = "rad s-1",
        .contact_level = r->statics.contact_level,
        .static_force = r->statics.contact_force,
    };
    CAROM_TRY(alloc_states(N, out));
    const carom_motion_state state = {.position = out->reference};
    carom_collisionless_motion_state(r->gait, CAROM_MOTION_UNCONSTRAINED, 0.0,
                                     CAROM_MOTION_FROM_EQUILIBRIUM, &state);
    for (int j = 0; j < N; j++) {
        out->scale = fmax(out->scale, fabs(out->reference[j]));
    }
    const carom_linear_contact_params params = {
        .coordinate_count = N,
        .mass = r->mass,
        .stiffness = r->stiffness,
        .contact_level = r->statics.contact_level,
        .contact_sign = 1,
        .is_angle = true,
    };
    return carom_linear_contact_alloc(&params, &out->model, r->report);
}
