/** The solution that the paper constructs, along s: /exact. */
#include "results.h"

#include <stdlib.h>

/** Points of a swing, its end included; an impact has two, being linear. */
enum { SWING_POINTS = 33, IMPACT_POINTS = 2, REST_POINTS = 2 };

/** Half cycles that are shorter than this part of s* are too short to be seen. */
static const double DRAWN = 1e-6;

/** Left limits are taken this part of a phase before its end: above the rounding of s* even in the
 * shortest phase drawn. */
static const double BEFORE_END = 1e-9;

/** Windows of s in which time must advance: so many, each as long as so many first impacts. */
enum { WINDOWS = 1000 };
static const double WINDOW_IMPACTS = 2.0;

double zeno_block_speed(const results *r) {
    return r->exact->half_diagonal * r->values->block.initial_rate;
}

double zeno_block_energy(const results *r) {
    const carom_zeno_block_params *p = &r->values->block;
    const double size = p->width * p->width + p->height * p->height;
    return p->mass * size / 6.0 * p->initial_rate * p->initial_rate;
}

int zeno_block_resolved(const results *r, double part) {
    const carom_zeno_block *exact = r->exact;
    int count = 1;
    while (count < exact->half_cycle_count &&
           exact->half_cycles[count].impact_length > part * exact->accumulation_s) {
        count++;
    }
    return count;
}

/** States at the samples, in order of s. */
static carom_zeno_state *sample(const results *r, int cycles, int *count) {
    const carom_zeno_block *exact = r->exact;
    const int most = cycles * (SWING_POINTS + IMPACT_POINTS) + REST_POINTS;
    carom_zeno_state *states = calloc((size_t)most, sizeof *states);
    int k = 0;
    for (int i = 0; states != NULL && i < cycles; i++) {
        const carom_zeno_half_cycle *cycle = &exact->half_cycles[i];
        const double swing = cycle->impact_s - cycle->start_s;
        for (int j = 0; j < SWING_POINTS - 1; j++) {
            const double s = cycle->start_s + swing * j / (SWING_POINTS - 1);
            states[k++] = carom_zeno_block_state(exact, s);
        }
        states[k++] = carom_zeno_block_state(exact, cycle->impact_s - BEFORE_END * swing);
        states[k++] = carom_zeno_block_state(exact, cycle->impact_s);
        states[k++] = carom_zeno_block_state(exact, cycle->impact_s +
                                                        (1.0 - BEFORE_END) * cycle->impact_length);
    }
    if (states != NULL) {
        states[k++] = carom_zeno_block_state(exact, exact->accumulation_s);
        states[k++] = carom_zeno_block_state(exact, r->length);
    }
    *count = k;
    return states;
}

/** Kinetic and potential energy, J. */
static double energy_of(const results *r, const carom_zeno_state *state, double *work) {
    const carom_mechanism *block = carom_impact_scene_mechanism(r->scene);
    return carom_mechanism_kinetic_energy(block, state->position, state->velocity, work) +
           block->potential_energy(state->position, block->context);
}

/** Distance of two states: positions times the first rate and velocities, lengths of the half
 * diagonal at angles. */
static double distance(const results *r, const carom_zeno_state *a, const carom_zeno_state *b) {
    const double rate = r->values->block.initial_rate;
    double largest = 0.0;
    for (int i = 0; i < COORDINATES; i++) {
        const double length = i == ANGLE ? r->exact->half_diagonal : 1.0;
        largest = fmax(largest, rate * length * fabs(a->position[i] - b->position[i]));
        largest = fmax(largest, length * fabs(a->velocity[i] - b->velocity[i]));
    }
    return largest;
}

/** Where phases change, how far apart the states on both sides are; and rises of the energy. */
static carom_status look_along(results *r, const carom_zeno_state *states, int count,
                               double *energy) {
    const carom_mechanism *block = carom_impact_scene_mechanism(r->scene);
    double *work = calloc(carom_layout_entry_count(block->layout) + COORDINATES, sizeof *work);
    if (work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < count; k++) {
        energy[k] = energy_of(r, &states[k], work);
        if (k == 0) {
            continue;
        }
        r->energy_rise = fmax(r->energy_rise, energy[k] - energy[k - 1]);
        // The last half cycle drawn is not the last: no jump of the solution.
        if (states[k].phase != states[k - 1].phase && states[k].phase != CAROM_ZENO_REST) {
            r->largest_jump = fmax(r->largest_jump, distance(r, &states[k - 1], &states[k]));
        }
    }
    free(work);
    return CAROM_OK;
}

/** One number of every state. */
typedef struct column {
    const char *name;
    const char *units;
    const char *long_name;
    double (*value)(const carom_zeno_state *state);
} column;

static double time_of(const carom_zeno_state *state) {
    return state->time;
}
static double x_of(const carom_zeno_state *state) {
    return state->position[0];
}
static double y_of(const carom_zeno_state *state) {
    return state->position[1];
}
static double angle_of(const carom_zeno_state *state) {
    return state->position[ANGLE];
}
static double rate_of(const carom_zeno_state *state) {
    return state->velocity[ANGLE];
}
static double time_rate_of(const carom_zeno_state *state) {
    return state->time_rate;
}
static double normal_a_of(const carom_zeno_state *state) {
    return state->normal_rate[0];
}
static double normal_b_of(const carom_zeno_state *state) {
    return state->normal_rate[1];
}
static double tangential_a_of(const carom_zeno_state *state) {
    return state->tangential_rate[0];
}
static double tangential_b_of(const carom_zeno_state *state) {
    return state->tangential_rate[1];
}

/** The samples as columns over s. */
static void write_columns(const results *r, const carom_zeno_state *states, int count,
                          const double *energy, double *work) {
    static const column columns[] = {
        {"/exact/time", "s", "time t(s)", time_of},
        {"/exact/x", "m", "horizontal position of the mass centre", x_of},
        {"/exact/y", "m", "height of the mass centre", y_of},
        {"/exact/angle", "rad", "angle theta", angle_of},
        {"/exact/rate", "rad s-1", "rate of turn dtheta/dt", rate_of},
        {"/exact/time_rate", "1", "dt/ds", time_rate_of},
        {"/exact/normal_rate_A", "1", "rate of the normal impulse at A over s", normal_a_of},
        {"/exact/normal_rate_B", "1", "rate of the normal impulse at B over s", normal_b_of},
        {"/exact/tangential_rate_A", "1", "rate of the tangential impulse at A over s",
         tangential_a_of},
        {"/exact/tangential_rate_B", "1", "rate of the tangential impulse at B over s",
         tangential_b_of},
    };
    for (int k = 0; k < count; k++) {
        work[k] = states[k].s;
    }
    carom_record_axis(r->record, "/exact/s", count, work, "s",
                      "s: time, and normal impulses over kappa");
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++) {
        for (int k = 0; k < count; k++) {
            work[k] = columns[c].value(&states[k]);
        }
        carom_record_series(r->record, columns[c].name, work, "/exact/s", NULL, columns[c].units,
                            columns[c].long_name);
    }
    carom_record_series(r->record, "/exact/energy", energy, "/exact/s", NULL, "J",
                        "kinetic and potential energy");
}

/** The solution along s. */
static carom_status write_path(results *r) {
    int count = 0;
    carom_zeno_state *states = sample(r, zeno_block_resolved(r, DRAWN), &count);
    double *energy = calloc((size_t)count + 1, sizeof *energy);
    double *work = calloc((size_t)count + 1, sizeof *work);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    if (states != NULL && energy != NULL && work != NULL) {
        status = look_along(r, states, count, energy);
    }
    if (status == CAROM_OK) {
        write_columns(r, states, count, energy, work);
    }
    free(states);
    free(energy);
    free(work);
    return status;
}

/** The table of half cycles. */
static carom_status write_half_cycles(const results *r) {
    static const struct {
        const char *name;
        const char *units;
        const char *long_name;
    } columns[] = {
        {"/exact/start_rate", "rad s-1", "magnitude of dtheta/dt at the start"},
        {"/exact/apex_angle", "rad", "largest angle from the floor"},
        {"/exact/impact_time", "s", "time of the impact at its end"},
        {"/exact/impact_s", "s", "s where this impact begins"},
        {"/exact/impulse", "N s", "normal impulse of this impact"},
    };
    enum { COLUMNS = sizeof columns / sizeof columns[0] };
    const int count = r->exact->half_cycle_count;
    carom_record_index_axis(r->record, "/exact/half_cycle", count, "half cycle");
    double *values = calloc((size_t)count, COLUMNS * sizeof *values);
    if (values == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < count; i++) {
        const carom_zeno_half_cycle *cycle = &r->exact->half_cycles[i];
        const double row[COLUMNS] = {cycle->rate, cycle->apex_angle, cycle->impact_time,
                                     cycle->impact_s, cycle->impulse};
        for (int c = 0; c < COLUMNS; c++) {
            values[c * count + i] = row[c];
        }
    }
    for (int c = 0; c < COLUMNS; c++) {
        carom_record_series(r->record, columns[c].name, values + c * count, "/exact/half_cycle",
                            NULL, columns[c].units, columns[c].long_name);
    }
    free(values);
    return CAROM_OK;
}

/** What the solution as a whole is like. */
static void write_scalars(const results *r) {
    const carom_zeno_block *e = r->exact;
    const struct {
        const char *path;
        double value;
        const char *units;
        const char *long_name;
    } rows[] = {
        {"/exact/transfer", e->transfer, "1", "factor e of the rate in one impact"},
        {"/exact/half_diagonal", e->half_diagonal, "m", "distance r of corners and mass centre"},
        {"/exact/corner_angle", e->corner_angle, "rad", "angle a of that line above the floor"},
        {"/exact/accumulation_time", e->accumulation_time, "s", "t* of the accumulation"},
        {"/exact/accumulation_s", e->accumulation_s, "s", "s* of the accumulation"},
        {"/exact/resting_share", e->resting_share, "1", "dt/ds at rest"},
        {"/exact/first_swing_bound", e->first_swing_bound, "s",
         "bound (58) on the first swing, with 2 rate/(d2theta/dt2)"},
        {"/exact/time_bound", e->time_bound, "s", "bound (70) on t*"},
        {"/exact/s_bound", e->s_bound, "s", "bound (69) on s*"},
        {"/exact/smallest_force", e->smallest_force, "N", "least normal force of the first swing"},
        {"/exact/largest_force", e->largest_force, "N", "largest normal force of the first swing"},
        {"/exact/friction_ratio", e->friction_ratio, "1",
         "largest tangential over normal force of the first swing"},
        {"/exact/stick_friction", e->stick_friction, "1", "smallest mu for which no corner slides"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        carom_record_scalar(r->record, rows[i].path, rows[i].value, rows[i].units,
                            rows[i].long_name);
    }
}

/** The least time that passes in windows of s a few impacts long, as Theorem 5 is about. */
static double find_slowest_time(const results *r) {
    const double window =
        fmin(WINDOW_IMPACTS * r->exact->half_cycles[0].impact_length, 0.5 * r->length);
    double slowest = INFINITY;
    for (int k = 0; k <= WINDOWS; k++) {
        const double s = (r->length - window) * k / WINDOWS;
        slowest = fmin(slowest, carom_zeno_block_state(r->exact, s + window).time -
                                    carom_zeno_block_state(r->exact, s).time);
    }
    return slowest;
}

carom_status zeno_block_write_exact(results *r) {
    r->slowest_time = find_slowest_time(r);
    write_scalars(r);
    CAROM_TRY(write_half_cycles(r));
    return write_path(r);
}
