/** Is the constructed trajectory a solution of the inclusion (53)? Its rates are put into the
 * equations of the mechanism, which know nothing of the closed forms. */
#include "results.h"

#include <stdlib.h>

/** Samples inside each phase. */
enum { SAMPLES = 16 };

/** Half cycles down to this part of s* are looked into: rates are differences of states over a part
 * of a phase, and s is rounded to some 1e-16 of s*. */
static const double CHECKED = 1e-3;

/** Distance of the points of a difference, in parts of the phase: its error is of the fourth power,
 * its rounding some 1e-10 in the shortest phase. */
static const double DIFFERENCE = 1e-3;

/** Work memory, and the mechanism. */
typedef struct workplace {
    const carom_mechanism *block;
    double *mass; /**< [layout] */
    double force[COORDINATES];
    double balance[COORDINATES];
    double normal[CORNERS * COORDINATES];
    double tangential[CORNERS * COORDINATES];
    double gap[CORNERS];
} workplace;

/** Derivatives over s by central differences of the fourth order. */
static void differentiate(const carom_zeno_block *exact, double s, double d, double *q_rate,
                          double *v_rate) {
    static const double weights[4] = {1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0};
    static const double offsets[4] = {-2.0, -1.0, 1.0, 2.0};
    for (int i = 0; i < COORDINATES; i++) {
        q_rate[i] = 0.0;
        v_rate[i] = 0.0;
    }
    for (int k = 0; k < 4; k++) {
        const carom_zeno_state state = carom_zeno_block_state(exact, s + offsets[k] * d);
        for (int i = 0; i < COORDINATES; i++) {
            q_rate[i] += weights[k] * state.position[i] / d;
            v_rate[i] += weights[k] * state.velocity[i] / d;
        }
    }
}

/** M v' - t' f - kappa (J_n' lambda_n + J_t' lambda_t) over kappa, and q' - t' v. */
static void check_equations(const results *r, workplace *w, const carom_zeno_state *state,
                            const double *q_rate, const double *v_rate, membership *member) {
    const double kappa = r->exact->params.reference_force;
    carom_layout_multiply_add(w->block->layout, 1.0, w->mass, v_rate, w->balance);
    for (int i = 0; i < COORDINATES; i++) {
        double rest = w->balance[i] - state->time_rate * w->force[i];
        for (int c = 0; c < CORNERS; c++) {
            rest -= kappa * (w->normal[c * COORDINATES + i] * state->normal_rate[c] +
                             w->tangential[c * COORDINATES + i] * state->tangential_rate[c]);
        }
        const double length = i == ANGLE ? r->exact->half_diagonal : 1.0;
        member->balance = fmax(member->balance, fabs(rest) / length / kappa);
        member->kinematics = fmax(member->kinematics,
                                  length * fabs(q_rate[i] - state->time_rate * state->velocity[i]));
    }
}

/** Product of a row and a velocity. */
static double speed_of(const double *row, const double *v) {
    double sum = 0.0;
    for (int i = 0; i < COORDINATES; i++) {
        sum += row[i] * v[i];
    }
    return sum;
}

/** What (53) demands of a corner: a force only where it is closed and does not separate, within the
 * cone, and against sliding; no time while it closes. */
static void check_corner(const results *r, const workplace *w, const carom_zeno_state *state, int c,
                         membership *member) {
    const double force = state->normal_rate[c];
    const double normal_speed = speed_of(w->normal + c * COORDINATES, state->velocity);
    const double sliding = speed_of(w->tangential + c * COORDINATES, state->velocity);
    member->least_force = fmin(member->least_force, force);
    member->cone_excess = fmax(member->cone_excess,
                               fabs(state->tangential_rate[c]) - r->values->block.friction * force);
    member->least_gap = fmin(member->least_gap, w->gap[c]);
    if (force > 0.0) {
        member->slip = fmax(member->slip, fabs(sliding));
        member->pressed_gap = fmax(member->pressed_gap, w->gap[c]);
        member->pressed_speed = fmax(member->pressed_speed, normal_speed);
    }
    // A corner that is pressed is closed by the above; the other one may be on its way.
    if (state->time_rate > 0.0 && force > 0.0) {
        member->moving_approach = fmax(member->moving_approach, -normal_speed);
    }
}

/** One sample, `d` from whose place differences reach twice. */
static void check_sample(const results *r, workplace *w, double s, double d, membership *member) {
    const carom_zeno_state state = carom_zeno_block_state(r->exact, s);
    double q_rate[COORDINATES];
    double v_rate[COORDINATES];
    differentiate(r->exact, s, d, q_rate, v_rate);

    const carom_mechanism *block = w->block;
    block->mass(state.position, w->mass, block->context);
    block->force(state.time, state.position, state.velocity, w->force, block->context);
    block->constraints(state.position, w->gap, block->context);
    block->constraint_jacobian(state.position, w->normal, block->context);
    block->tangential_jacobian(state.position, w->tangential, block->context);
    for (int i = 0; i < COORDINATES; i++) {
        w->balance[i] = 0.0;
    }
    check_equations(r, w, &state, q_rate, v_rate, member);

    double sum = state.time_rate - 1.0;
    for (int c = 0; c < CORNERS; c++) {
        sum += state.normal_rate[c];
        check_corner(r, w, &state, c, member);
    }
    member->share = fmax(member->share, fabs(sum));
    member->least_time_rate = fmin(member->least_time_rate, state.time_rate);
    member->most_time_rate = fmax(member->most_time_rate, state.time_rate);
    member->sample_count++;
}

/** Samples inside a phase. */
static void check_phase(const results *r, workplace *w, double start, double length,
                        membership *member) {
    for (int k = 0; k < SAMPLES; k++) {
        check_sample(r, w, start + length * (k + 0.5) / SAMPLES, DIFFERENCE * length, member);
    }
}

static void write(const results *r) {
    const membership *m = &r->member;
    const struct {
        const char *path;
        double value;
        const char *units;
        const char *long_name;
    } rows[] = {
        {"/membership/balance", m->balance, "1", "largest |M v' - t' f - J' lambda|"},
        {"/membership/kinematics", m->kinematics, "m s-1", "largest |q' - t' v|"},
        {"/membership/share", m->share, "1", "largest |t' + sum of normal rates - 1|"},
        {"/membership/least_time_rate", m->least_time_rate, "1", "least dt/ds"},
        {"/membership/most_time_rate", m->most_time_rate, "1", "largest dt/ds"},
        {"/membership/least_force", m->least_force, "1", "least normal rate"},
        {"/membership/cone_excess", m->cone_excess, "1",
         "largest |tangential rate| - mu normal rate"},
        {"/membership/slip", m->slip, "m s-1", "largest sliding speed of a pressed corner"},
        {"/membership/pressed_gap", m->pressed_gap, "m", "largest gap of a pressed corner"},
        {"/membership/pressed_speed", m->pressed_speed, "m s-1",
         "largest separating speed of a pressed corner"},
        {"/membership/moving_approach", m->moving_approach, "m s-1",
         "largest closing speed of a pressed corner while time passes"},
        {"/membership/least_gap", m->least_gap, "m", "least gap"},
    };
    carom_record_integer(r->record, "/membership/sample_count", m->sample_count, "1",
                         "places along s where the solution is put into (53)");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        carom_record_scalar(r->record, rows[i].path, rows[i].value, rows[i].units,
                            rows[i].long_name);
    }
}

carom_status zeno_block_check_membership(results *r) {
    const carom_zeno_block *exact = r->exact;
    workplace w = {.block = carom_impact_scene_mechanism(r->scene)};
    w.mass = calloc(carom_layout_entry_count(w.block->layout), sizeof *w.mass);
    if (w.mass == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    r->member = (membership){.least_time_rate = INFINITY,
                             .most_time_rate = -INFINITY,
                             .least_force = INFINITY,
                             .cone_excess = -INFINITY,
                             .pressed_speed = -INFINITY,
                             .moving_approach = -INFINITY,
                             .least_gap = INFINITY};
    const int cycles = zeno_block_resolved(r, CHECKED);
    for (int i = 0; i < cycles; i++) {
        const carom_zeno_half_cycle *cycle = &exact->half_cycles[i];
        check_phase(r, &w, cycle->start_s, cycle->impact_s - cycle->start_s, &r->member);
        check_phase(r, &w, cycle->impact_s, cycle->impact_length, &r->member);
    }
    check_phase(r, &w, exact->accumulation_s, r->length - exact->accumulation_s, &r->member);
    free(w.mass);
    write(r);
    return CAROM_OK;
}
