#include <carom/collisionless/gait/internal.h>

#include <gsl/gsl_math.h>
#include <stdlib.h>
#include <string.h>

/* Samples and segments fall together where their times differ by less than this part of a segment:
 * far above rounding, far below what is sampled. */
static const double SAME_TIME = 1e-9;

/* What the samples of one gait share. */
typedef struct sampler {
    carom_gait_dynamics *dynamics;
    carom_gait_flow *flow;
    const carom_nonlinear_gait *gait;
    carom_gait_trajectory *trajectory;
    carom_armed_biped_params biped; /* with the gait's angle */
} sampler;

void carom_gait_trajectory_free(carom_gait_trajectory *trajectory) {
    if (trajectory == NULL) {
        return;
    }
    free(trajectory->time);
    free(trajectory->is_double_support);
    free(trajectory);
}

carom_status carom_gait_trajectory_alloc(int coordinate_count, int count,
                                         carom_gait_trajectory **out) {
    *out = NULL;
    CAROM_AUTO(carom_gait_trajectory) trajectory = calloc(1, sizeof *trajectory);
    if (trajectory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t n = (size_t)count;
    const size_t states = n * (size_t)coordinate_count;
    trajectory->time = calloc(6 * n + 3 * states, sizeof(double));
    trajectory->is_double_support = calloc(2 * n, sizeof(int));
    if (trajectory->time == NULL || trajectory->is_double_support == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    trajectory->coordinate_count = coordinate_count;
    trajectory->count = count;
    trajectory->gap = trajectory->time + n;
    trajectory->landing_force = trajectory->gap + n;
    trajectory->stance_force = trajectory->landing_force + n;
    trajectory->horizontal_force = trajectory->stance_force + n;
    trajectory->energy = trajectory->horizontal_force + n;
    trajectory->position = trajectory->energy + n;
    trajectory->velocity = trajectory->position + states;
    trajectory->acceleration = trajectory->velocity + states;
    trajectory->stance_foot = trajectory->is_double_support + n;
    CAROM_HAND_OVER(trajectory, out);
    return CAROM_OK;
}

/* Sample i: accelerations, forces and energy of a state. */
static carom_status put_sample(const sampler *at, int i, double time, bool is_held,
                               const double *state) {
    const int n = at->gait->coordinate_count;
    const double theta = at->gait->half_step_angle;
    carom_gait_trajectory *trajectory = at->trajectory;
    double *q = trajectory->position + i * n;
    double *v = trajectory->velocity + i * n;
    double *a = trajectory->acceleration + i * n;
    memcpy(q, state, (size_t)n * sizeof *q);
    memcpy(v, state + n, (size_t)n * sizeof *v);
    CAROM_TRY(carom_gait_dynamics_acceleration(at->dynamics, theta, is_held, state, a));
    const carom_armed_biped_forces forces = carom_armed_biped_foot_forces(&at->biped, q, v, a);
    const double lift = is_held ? 0.0 : q[n - 1] + theta;
    trajectory->time[i] = time;
    trajectory->is_double_support[i] = is_held ? 1 : 0;
    trajectory->stance_foot[i] = 0;
    trajectory->gap[i] = 2.0 * at->biped.lengths[0] * sin(theta) * sin(lift);
    trajectory->landing_force[i] = is_held ? forces.other_vertical : 0.0;
    trajectory->stance_force[i] = forces.stance_vertical;
    trajectory->horizontal_force[i] = forces.horizontal;
    trajectory->energy[i] = carom_gait_dynamics_energy(at->dynamics, theta, state);
    return CAROM_OK;
}

/* Samples first .. first + intervals of a phase from its segments' beginnings. */
static carom_status sample_phase(const sampler *at, bool is_held, int first, int intervals,
                                 double *state) {
    const carom_nonlinear_gait *gait = at->gait;
    const size_t width = 2 * (size_t)gait->coordinate_count;
    const int segments = is_held ? gait->constrained_segment_count : gait->segment_count;
    const double *nodes = gait->states + (is_held ? (size_t)gait->segment_count * width : 0);
    const double phase = is_held ? gait->constrained_time : gait->time;
    const double start = is_held ? gait->time : 0.0;
    const double segment_time = phase / segments;
    int segment = -1;
    double reached = 0.0;
    for (int i = 0; i <= intervals; i++) {
        const double time = phase * i / intervals;
        const int behind = (int)floor(time / segment_time + SAME_TIME);
        if (behind > segment) {
            segment = behind;
            reached = fmin(segment * segment_time, time);
            memcpy(state, nodes + (size_t)segment * width, width * sizeof *state);
        }
        CAROM_TRY(carom_gait_flow_advance(at->flow, gait->half_step_angle, is_held, time - reached,
                                          state, NULL));
        reached = time;
        CAROM_TRY(put_sample(at, first + i, start + time, is_held, state));
    }
    return CAROM_OK;
}

/* How the leg approaches the landing, and how the force on it sets in. */
static carom_status put_landing(const sampler *at) {
    const carom_nonlinear_gait *gait = at->gait;
    const int n = gait->coordinate_count;
    const double theta = gait->half_step_angle;
    const double *state = gait->states + (size_t)(2 * n * gait->segment_count);
    double inverse_mass;
    CAROM_TRY(carom_gait_dynamics_leg_jerk(at->dynamics, theta, state,
                                           &at->trajectory->landing_jerk, &inverse_mass));
    const double lever = 2.0 * at->biped.lengths[0] * sin(theta);
    at->trajectory->landing_force_rate = -at->trajectory->landing_jerk / (inverse_mass * lever);
    return CAROM_OK;
}

carom_status carom_gait_trajectory_fill(carom_gait_dynamics *dynamics, carom_gait_flow *flow,
                                        const carom_nonlinear_gait *gait, int intervals,
                                        carom_gait_trajectory *trajectory) {
    sampler at = {dynamics, flow, gait, trajectory, dynamics->biped};
    at.biped.half_step_angle = gait->half_step_angle;
    trajectory->landing = intervals;
    CAROM_TRY(sample_phase(&at, false, 0, intervals, dynamics->work));
    CAROM_TRY(
        sample_phase(&at, true, intervals, trajectory->count - 1 - intervals, dynamics->work));
    return put_landing(&at);
}
