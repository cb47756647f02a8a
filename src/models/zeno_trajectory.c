/* The rocking block's state at given times and lengths s. */
#include <carom/models/internal.h>
#include <carom/models/zeno_block.h>

#include <float.h>
#include <math.h>

/** A Newton step below this share of the swing's duration has converged; convergence is quadratic
 * from the first step on, so that the bound is generous: bisection alone would take 53. */
static const double ARRIVED = 4.0 * DBL_EPSILON;
enum { MOST_STEPS = 60 };

/** Exchange A and B, left and right: half cycles with an odd index turn about B. */
static void mirror(carom_zeno_state *state) {
    const double normal = state->normal_rate[0];
    const double tangential = state->tangential_rate[0];
    state->normal_rate[0] = state->normal_rate[1];
    state->normal_rate[1] = normal;
    state->tangential_rate[0] = -state->tangential_rate[1];
    state->tangential_rate[1] = -tangential;
    state->position[0] = -state->position[0];
    state->position[2] = -state->position[2];
    state->velocity[0] = -state->velocity[0];
    state->velocity[2] = -state->velocity[2];
}

/** s gained since the start of a swing: t + m/kappa (g t + the upward speed gained). */
static double swing_s(const carom_zeno_block *block, const carom_zeno_swing *swing, double t,
                      double angle, double rate) {
    const double m = block->params.mass / block->params.reference_force;
    const double climbed = block->half_diagonal * cos(angle + block->corner_angle) * rate -
                           0.5 * block->params.width * swing->rate;
    return t + m * (block->params.gravity * t + climbed);
}

/** Turning about A, a time t after the start of the swing. */
static void fill_swing(const carom_zeno_block *block, const carom_zeno_swing *swing, double t,
                       carom_zeno_state *state) {
    double angle;
    double rate;
    carom_zeno_swing_turn(block, swing, t, &angle, &rate);
    const double r = block->half_diagonal;
    const double phi = angle + block->corner_angle;
    state->position[0] = r * cos(phi) - 0.5 * block->params.width;
    state->position[1] = r * sin(phi);
    state->position[2] = angle;
    state->velocity[0] = -r * sin(phi) * rate;
    state->velocity[1] = r * cos(phi) * rate;
    state->velocity[2] = rate;

    double normal;
    double tangential;
    carom_zeno_swing_force(block, angle, rate, &normal, &tangential);
    normal /= block->params.reference_force;
    tangential /= block->params.reference_force;
    state->phase = CAROM_ZENO_SWING;
    state->time_rate = 1.0 / (1.0 + normal);
    state->normal_rate[0] = normal * state->time_rate;
    state->normal_rate[1] = 0.0;
    state->tangential_rate[0] = tangential * state->time_rate;
    state->tangential_rate[1] = 0.0;
}

/** Landing on B after a swing about A: velocities are linear in the impulse, `share` of it so far.
 */
static void fill_impact(const carom_zeno_block *block, const carom_zeno_half_cycle *cycle,
                        double share, carom_zeno_state *state) {
    const double e = block->transfer;
    const double w = block->params.width;
    const double h = block->params.height;
    const double rate = cycle->rate * (1.0 - share * (1.0 - e));
    state->position[0] = 0.0;
    state->position[1] = 0.5 * h;
    state->position[2] = 0.0;
    state->velocity[0] = 0.5 * h * rate;
    state->velocity[1] = 0.5 * w * cycle->rate * (share * (1.0 + e) - 1.0);
    state->velocity[2] = -rate;
    state->phase = CAROM_ZENO_IMPACT;
    state->time_rate = 0.0;
    state->normal_rate[0] = 0.0;
    state->normal_rate[1] = 1.0;
    state->tangential_rate[0] = 0.0;
    state->tangential_rate[1] = -(h / w) * (1.0 - e) / (1.0 + e);
}

/** At rest on both corners: half the weight each. */
static carom_zeno_state rest_state(const carom_zeno_block *block, double s, double time) {
    const double share = block->resting_share;
    const double each = 0.5 * (1.0 - share);
    return (carom_zeno_state){
        .phase = CAROM_ZENO_REST,
        .half_cycle = block->half_cycle_count,
        .s = s,
        .time = time,
        .position = {0.0, 0.5 * block->params.height, 0.0},
        .velocity = {0.0, 0.0, 0.0},
        .time_rate = share,
        .normal_rate = {each, each},
        .tangential_rate = {0.0, 0.0},
    };
}

/** The time since the start of a swing at which s has grown by `gained`: s'(t) = 1 + normal
 * force over kappa. */
static double time_in_swing(const carom_zeno_block *block, const carom_zeno_swing *swing,
                            double gained) {
    double low = 0.0;
    double high = 2.0 * swing->half_time;
    double t = fmin(high, gained * block->resting_share);
    for (int i = 0; i < MOST_STEPS; i++) {
        double angle;
        double rate;
        double normal;
        double tangential;
        carom_zeno_swing_turn(block, swing, t, &angle, &rate);
        carom_zeno_swing_force(block, angle, rate, &normal, &tangential);
        const double excess = swing_s(block, swing, t, angle, rate) - gained;
        low = excess < 0.0 ? t : low;
        high = excess < 0.0 ? high : t;
        double next = t - excess / (1.0 + normal / block->params.reference_force);
        next = next >= low && next <= high ? next : 0.5 * (low + high);
        if (fabs(next - t) <= ARRIVED * 2.0 * swing->half_time) {
            return next;
        }
        t = next;
    }
    return t;
}

/** The last half cycle that starts at or before s, or, by time, before or at t. */
static int find_half_cycle(const carom_zeno_block *block, double value, bool is_time) {
    int low = 0;
    int high = block->half_cycle_count;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        const carom_zeno_half_cycle *cycle = &block->half_cycles[middle];
        const double start = is_time ? cycle->start_time : cycle->start_s;
        if (start <= value) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/** A state of NaN, for s or t before the start or NaN. */
static carom_zeno_state nowhere(double s, double t) {
    const double nan = (double)NAN;
    return (carom_zeno_state){
        .s = s,
        .time = t,
        .position = {nan, nan, nan},
        .velocity = {nan, nan, nan},
        .time_rate = nan,
        .normal_rate = {nan, nan},
        .tangential_rate = {nan, nan},
    };
}

carom_zeno_state carom_zeno_block_state(const carom_zeno_block *block, double s) {
    CAROM_ASSERT(block != NULL);
    if (!(s >= 0.0)) {
        return nowhere(s, (double)NAN);
    }
    const int index = find_half_cycle(block, s, false);
    const carom_zeno_half_cycle *cycle = &block->half_cycles[index];
    const double struck = s - cycle->impact_s;
    if (s >= block->accumulation_s || struck >= cycle->impact_length) {
        const double rested = fmax(0.0, s - block->accumulation_s);
        return rest_state(block, s, block->accumulation_time + rested * block->resting_share);
    }
    carom_zeno_state state = {.s = s, .half_cycle = index};
    if (struck >= 0.0) {
        fill_impact(block, cycle, struck / cycle->impact_length, &state);
        state.time = cycle->impact_time;
    } else {
        const carom_zeno_swing swing = carom_zeno_swing_of(block, cycle->rate);
        const double t = time_in_swing(block, &swing, s - cycle->start_s);
        fill_swing(block, &swing, t, &state);
        state.time = cycle->start_time + t;
    }
    if (index % 2 == 1) {
        mirror(&state);
    }
    return state;
}

carom_zeno_state carom_zeno_block_state_at_time(const carom_zeno_block *block, double t) {
    CAROM_ASSERT(block != NULL);
    if (!(t >= 0.0)) {
        return nowhere((double)NAN, t);
    }
    const int index = find_half_cycle(block, t, true);
    const carom_zeno_half_cycle *cycle = &block->half_cycles[index];
    if (t >= block->accumulation_time || t >= cycle->impact_time) {
        const double rested = fmax(0.0, t - block->accumulation_time);
        return rest_state(block, block->accumulation_s + rested / block->resting_share, t);
    }
    const carom_zeno_swing swing = carom_zeno_swing_of(block, cycle->rate);
    const double since = t - cycle->start_time;
    carom_zeno_state state = {.half_cycle = index, .time = t};
    fill_swing(block, &swing, since, &state);
    state.s = cycle->start_s + swing_s(block, &swing, since, state.position[2], state.velocity[2]);
    if (index % 2 == 1) {
        mirror(&state);
    }
    return state;
}
