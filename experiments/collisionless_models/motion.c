/** The motion of the chosen root, extended over a period. */
#include "results.h"

#include <stdlib.h>

/** A period of the motion, sampled. */
typedef struct period_samples {
    int count;
    double *time;
    double *position; /**< [count][COORDINATES], in the coordinates at the start */
    double *velocity;
    double *gap;
    double *force_ratio;
    double *phase; /**< 0 open, 1 closed */
} period_samples;

static bool period_samples_alloc(int count, period_samples *s) {
    const size_t n = (size_t)count;
    double *values = malloc((4 + 2 * COORDINATES) * n * sizeof *values);
    *s = (period_samples){.count = count, .time = values};
    if (values == NULL) {
        return false;
    }
    s->gap = values + n;
    s->force_ratio = values + 2 * n;
    s->phase = values + 3 * n;
    s->position = values + 4 * n;
    s->velocity = s->position + COORDINATES * n;
    return true;
}

/** Gap and force of the contact that acts or is next to act, by its own copy of the motion. */
static void sample_contact(const gait *g, const carom_motion_place *place, double *gap,
                           double *force_ratio) {
    const carom_collisionless_motion *motion = g->motion;
    double gap_derivatives[4] = {0.0, 0.0, 0.0, 0.0};
    double force_derivatives[4] = {0.0, 0.0, 0.0, 0.0};
    if (place->phase == CAROM_MOTION_UNCONSTRAINED) {
        carom_spectral_motion_gap(motion->spectral, place->local_time, gap_derivatives);
    } else {
        carom_spectral_motion_force(motion->spectral, place->local_time, force_derivatives);
    }
    *gap = g->model.gap_sign * motion->scale * gap_derivatives[0];
    *force_ratio = force_derivatives[0];
}

static double kinetic_energy(const carom_two_mode_model *model, const double *v) {
    double energy = 0.0;
    for (int i = 0; i < COORDINATES; i++) {
        for (int j = 0; j < COORDINATES; j++) {
            energy += 0.5 * v[i] * model->mass[i][j] * v[j];
        }
    }
    return energy;
}

/** Instants of each phase at which its size is noted. */
enum { SIZE_INSTANTS = 64 };

/** Largest excursions and rates between P and P': the scale of distances between states. */
static void measure_size(gait *g) {
    const carom_spectral_motion *spectral = g->motion->spectral;
    for (int k = 0; k <= 2 * SIZE_INSTANTS; k++) {
        const bool is_open = k < SIZE_INSTANTS;
        const double share = (double)(k % SIZE_INSTANTS) / SIZE_INSTANTS;
        const double t =
            is_open ? share * spectral->time : (share - 1.0) * spectral->constrained_time;
        double x[COORDINATES] = {0.0};
        double v[COORDINATES] = {0.0};
        const carom_motion_state state = {.position = x, .velocity = v};
        carom_collisionless_motion_state(
            g->motion, is_open ? CAROM_MOTION_UNCONSTRAINED : CAROM_MOTION_CONSTRAINED,
            k == 2 * SIZE_INSTANTS ? 0.0 : t, CAROM_MOTION_FROM_CONSTRAINED_EQUILIBRIUM, &state);
        for (int i = 0; i < COORDINATES; i++) {
            g->largest[i] = fmax(g->largest[i], fabs(x[i]));
            g->fastest[i] = fmax(g->fastest[i], fabs(v[i]));
        }
        g->largest_kinetic_energy = fmax(g->largest_kinetic_energy, kinetic_energy(&g->model, v));
    }
}

static carom_status sample(results *r, const gait *g, period_samples *s) {
    for (int k = 0; k < s->count; k++) {
        const double t = g->period * (double)k / (double)(s->count - 1);
        double *x = s->position + COORDINATES * k;
        double *v = s->velocity + COORDINATES * k;
        carom_motion_place place;
        const carom_motion_state state = {.position = x, .velocity = v};
        CAROM_TRY(carom_symmetry_extension_state(
            g->motion, t, CAROM_MOTION_FROM_CONSTRAINED_EQUILIBRIUM, &place, &state, r->report));
        sample_contact(g, &place, &s->gap[k], &s->force_ratio[k]);
        s->phase[k] = place.phase == CAROM_MOTION_CONSTRAINED ? 1.0 : 0.0;
        s->time[k] = t;
    }
    return CAROM_OK;
}

static void write_samples(const results *r, const gait *g, const char *group,
                          const period_samples *s) {
    const bool is_angle = g->model.units[0] == 'r';
    char path[PATH_SIZE];
    carom_record_axis(r->record, collisionless_models_path(group, "time", path), s->count, s->time,
                      "s", "time from P");
    carom_record_index_axis(r->record, collisionless_models_path(group, "coordinate", path),
                            COORDINATES, "x_1 and x_2, the contact's");
    const series_row states[] = {
        {"position", s->position, g->model.units,
         "x less its value at rest in contact; over all steps in the coordinates of the first"},
        {"velocity", s->velocity, is_angle ? "rad s-1" : "m s-1", "x'"},
    };
    collisionless_models_write_series(r->record, group, "time", "coordinate", 2, states);
    const series_row contact[] = {
        {"gap", s->gap, g->model.units, "gap of the contact, 0 while it is closed"},
        {"force_ratio", s->force_ratio, "1", "contact force over the static one"},
        {"phase", s->phase, "1", "0: unconstrained, 1: constrained"},
    };
    collisionless_models_write_series(r->record, group, "time", NULL, 3, contact);
}

/** Violation of (1) at the impact: x and x' on both sides, x_2' and x_2'', in parts of the largest
 * of the motion. */
static double mismatch_of(const gait *g) {
    const carom_spectral_motion *spectral = g->motion->spectral;
    double x[2][COORDINATES] = {{0.0}};
    double v[2][COORDINATES] = {{0.0}};
    double a[2][COORDINATES] = {{0.0}};
    const carom_motion_state before = {.position = x[0], .velocity = v[0], .acceleration = a[0]};
    const carom_motion_state after = {.position = x[1], .velocity = v[1], .acceleration = a[1]};
    carom_collisionless_motion_state(g->motion, CAROM_MOTION_UNCONSTRAINED, spectral->time,
                                     CAROM_MOTION_FROM_CONSTRAINED_EQUILIBRIUM, &before);
    carom_collisionless_motion_state(g->motion, CAROM_MOTION_CONSTRAINED,
                                     -spectral->constrained_time,
                                     CAROM_MOTION_FROM_CONSTRAINED_EQUILIBRIUM, &after);
    const double rate = sqrt(g->spectrum[1]);
    double mismatch = fabs(v[0][1]) / g->fastest[1];
    mismatch = fmax(mismatch, fabs(a[0][1]) / (rate * g->fastest[1]));
    for (int i = 0; i < COORDINATES; i++) {
        mismatch = fmax(mismatch, fabs(x[0][i] - x[1][i]) / g->largest[i]);
        mismatch = fmax(mismatch, fabs(v[0][i] - v[1][i]) / g->fastest[i]);
    }
    return mismatch;
}

static void write_scalars(const results *r, gait *g, const char *group, int n) {
    const carom_collisionless_motion *m = g->motion;
    const carom_motion_bounds bounds = carom_motion_bounds_compute(m->spectral);
    g->mismatch = mismatch_of(g);
    g->largest_gap = fabs(m->scale) * bounds.maximum_gap;
    g->is_motion_realizable = bounds.is_realizable;
    double x[COORDINATES] = {0.0};
    double v[COORDINATES] = {0.0};
    const carom_motion_state impact = {.position = x, .velocity = v};
    carom_collisionless_motion_state(m, CAROM_MOTION_UNCONSTRAINED, m->spectral->time,
                                     CAROM_MOTION_FROM_CONSTRAINED_EQUILIBRIUM, &impact);
    const bool is_angle = g->model.units[0] == 'r';
    const char *velocity = is_angle ? "rad s-1" : "m s-1";
    const scalar_row rows[] = {
        {"column", n, "1", "n of the root that is followed"},
        {"impact_time", m->spectral->time, "s", "tau"},
        {"constrained_time", m->spectral->constrained_time, "s", "tau'"},
        {"period", g->period, "s", "period; of a wheel, a step"},
        {"static_force", m->static_force, is_angle ? "N m" : "N", "F_N^0"},
        {"largest_gap", g->largest_gap, g->model.units, "largest gap"},
        {"mismatch", g->mismatch, "1", "largest violation of (1), in parts of the motion's size"},
        {"is_realizable", bounds.is_realizable ? 1.0 : 0.0, "1",
         "1: no penetration, no attraction, proved by bounds"},
        {"least_force_ratio", bounds.minimum_force_ratio, "1",
         "least repulsive force, over static"},
        {"largest_force_ratio", bounds.maximum_force_ratio, "1",
         "largest repulsive force over the size of the static one"},
        {"impact_velocity", v[0], velocity, "x_1' at the impact; x_2' vanishes"},
        {"impact_velocity_of_contact", v[1], velocity, "x_2' at the impact"},
        {"kinetic_energy", g->largest_kinetic_energy, "J", "largest kinetic energy of the samples"},
    };
    collisionless_models_write_scalars(r->record, group, (int)(sizeof rows / sizeof rows[0]), rows);
}

carom_status collisionless_models_find_motion(const results *r, gait *g, int n, int row) {
    carom_impact_root root;
    CAROM_TRY(carom_impact_roots_cell(g->modes->spectra, n, row, &root, r->report));
    CAROM_TRY(carom_collisionless_motion_compute(g->modes, root.time, root.constrained_time,
                                                 CAROM_MOTION_SCALE_STATIC_FORCE,
                                                 g->model.contact_force, &g->motion, r->report));
    return carom_symmetry_extension_period(g->modes->spectra, root.time, root.constrained_time,
                                           &g->period, r->report);
}

carom_status collisionless_models_write_motion(results *r, gait *g) {
    const int n = g->kind->first_column + r->values->root - 1;
    char group[PATH_SIZE];
    collisionless_models_path(g->group, "motion", group);
    CAROM_TRY(collisionless_models_find_motion(r, g, n, r->values->row));
    measure_size(g);
    period_samples s;
    if (!period_samples_alloc(r->values->samples, &s)) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_status status = sample(r, g, &s);
    if (status == CAROM_OK) {
        write_samples(r, g, group, &s);
    }
    free(s.time);
    if (status == CAROM_OK) {
        write_scalars(r, g, group, n);
    } else {
        return status;
    }
    return CAROM_OK;
}
