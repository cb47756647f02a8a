/** The solution that the paper constructs, along s: /exact. */
#include "results.h"

#include <stdlib.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

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

/** A sample along s. */
typedef struct sample_row {
    carom_zeno_state state;
    double energy; /**< kinetic and potential, J */
} sample_row;

/** States at the samples, in order of s, to be freed. */
static sample_row *sample(const results *r, int cycles, int *count) {
    const carom_zeno_block *exact = r->exact;
    const int most = cycles * (SWING_POINTS + IMPACT_POINTS) + REST_POINTS;
    sample_row *rows = calloc((size_t)most, sizeof *rows);
    int k = 0;
    for (int i = 0; rows != NULL && i < cycles; i++) {
        const carom_zeno_half_cycle *cycle = &exact->half_cycles[i];
        const double swing = cycle->impact_s - cycle->start_s;
        for (int j = 0; j < SWING_POINTS - 1; j++) {
            const double s = cycle->start_s + swing * j / (SWING_POINTS - 1);
            rows[k++].state = carom_zeno_block_state(exact, s);
        }
        rows[k++].state = carom_zeno_block_state(exact, cycle->impact_s - BEFORE_END * swing);
        rows[k++].state = carom_zeno_block_state(exact, cycle->impact_s);
        rows[k++].state = carom_zeno_block_state(exact, cycle->impact_s + (1.0 - BEFORE_END) *
                                                                              cycle->impact_length);
    }
    if (rows != NULL) {
        rows[k++].state = carom_zeno_block_state(exact, exact->accumulation_s);
        rows[k++].state = carom_zeno_block_state(exact, r->length);
    }
    *count = k;
    return rows;
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
static carom_status look_along(results *r, sample_row *rows, int count) {
    const carom_mechanism *block = carom_impact_scene_mechanism(r->scene);
    CAROM_AUTO_MEMORY double *work =
        calloc(carom_layout_entry_count(block->layout) + COORDINATES, sizeof *work);
    if (work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < count; k++) {
        sample_row *row = &rows[k];
        row->energy = energy_of(r, &row->state, work);
        if (k == 0) {
            continue;
        }
        r->energy_rise = fmax(r->energy_rise, row->energy - row[-1].energy);
        // The last half cycle drawn is not the last: no jump of the solution.
        if (row->state.phase != row[-1].state.phase && row->state.phase != CAROM_ZENO_REST) {
            r->largest_jump = fmax(r->largest_jump, distance(r, &row[-1].state, &row->state));
        }
    }
    return CAROM_OK;
}

#define SAMPLE(name, member, units, long_name) \
    CAROM_FIELD(name, sample_row, member, units, long_name)
static const carom_field SAMPLE_FIELDS[] = {
    SAMPLE("s", state.s, "s", "s: time, and normal impulses over kappa"),
    SAMPLE("time", state.time, "s", "time t(s)"),
    SAMPLE("x", state.position[0], "m", "horizontal position of the mass centre"),
    SAMPLE("y", state.position[1], "m", "height of the mass centre"),
    SAMPLE("angle", state.position[ANGLE], "rad", "angle theta"),
    SAMPLE("rate", state.velocity[ANGLE], "rad s-1", "rate of turn dtheta/dt"),
    SAMPLE("time_rate", state.time_rate, "1", "dt/ds"),
    SAMPLE("normal_rate_A", state.normal_rate[0], "1", "rate of the normal impulse at A over s"),
    SAMPLE("normal_rate_B", state.normal_rate[1], "1", "rate of the normal impulse at B over s"),
    SAMPLE("tangential_rate_A", state.tangential_rate[0], "1",
           "rate of the tangential impulse at A over s"),
    SAMPLE("tangential_rate_B", state.tangential_rate[1], "1",
           "rate of the tangential impulse at B over s"),
    SAMPLE("energy", energy, "J", "kinetic and potential energy"),
};

/** The solution along s. */
static carom_status write_path(results *r, carom_record *group) {
    int count = 0;
    CAROM_AUTO_MEMORY sample_row *rows = sample(r, zeno_block_resolved(r, DRAWN), &count);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(look_along(r, rows, count));
    carom_record_rows(group, "s", rows, count, sizeof *rows, SAMPLE_FIELDS, COUNT(SAMPLE_FIELDS));
    return CAROM_OK;
}

#define CYCLE(name, member, units, long_name) \
    CAROM_FIELD(name, carom_zeno_half_cycle, member, units, long_name)
static const carom_field CYCLE_FIELDS[] = {
    CYCLE("start_rate", rate, "rad s-1", "magnitude of dtheta/dt at the start"),
    CYCLE("apex_angle", apex_angle, "rad", "largest angle from the floor"),
    CYCLE("impact_time", impact_time, "s", "time of the impact at its end"),
    CYCLE("impact_s", impact_s, "s", "s where this impact begins"),
    CYCLE("impulse", impulse, "N s", "normal impulse of this impact"),
};

/** What the solution as a whole is like. */
#define NUMBER(name, units, long_name) CAROM_FIELD(#name, carom_zeno_block, name, units, long_name)
static const carom_field NUMBERS[] = {
    NUMBER(transfer, "1", "factor e of the rate in one impact"),
    NUMBER(half_diagonal, "m", "distance r of corners and mass centre"),
    NUMBER(corner_angle, "rad", "angle a of that line above the floor"),
    NUMBER(accumulation_time, "s", "t* of the accumulation"),
    NUMBER(accumulation_s, "s", "s* of the accumulation"),
    NUMBER(resting_share, "1", "dt/ds at rest"),
    NUMBER(first_swing_bound, "s", "bound (58) on the first swing, with 2 rate/(d2theta/dt2)"),
    NUMBER(time_bound, "s", "bound (70) on t*"),
    NUMBER(s_bound, "s", "bound (69) on s*"),
    NUMBER(smallest_force, "N", "least normal force of the first swing"),
    NUMBER(largest_force, "N", "largest normal force of the first swing"),
    NUMBER(friction_ratio, "1", "largest tangential over normal force of the first swing"),
    NUMBER(stick_friction, "1", "smallest mu for which no corner slides"),
};

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
    const carom_zeno_block *exact = r->exact;
    carom_record group = carom_record_group(r->record, "/exact");
    carom_record_rows(&group, NULL, exact, 1, sizeof *exact, NUMBERS, COUNT(NUMBERS));
    carom_record_index_axis(&group, "half_cycle", exact->half_cycle_count, "half cycle");
    carom_record_rows(&group, "half_cycle", exact->half_cycles, exact->half_cycle_count,
                      sizeof *exact->half_cycles, CYCLE_FIELDS, COUNT(CYCLE_FIELDS));
    return write_path(r, &group);
}
