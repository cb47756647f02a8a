#include <carom/collisionless/gait/gait.h>

#include <carom/collisionless/gait/internal.h>

#include <gsl/gsl_math.h>

/* Sampling needs no sensitivities: rounding is the limit. */
static const double SAMPLING_ERROR = 1e-14;

static carom_status check_request(const carom_armed_biped_params *biped,
                                  const carom_nonlinear_gait *gait, int intervals,
                                  int constrained_intervals, carom_report *report) {
    CAROM_TRY(carom_armed_biped_check(biped, report));
    if (carom_armed_biped_coordinate_count(biped) != gait->coordinate_count) {
        return carom_report_fail(report, CAROM_STATUS_CONFLICT, "coordinate count",
                                 carom_armed_biped_coordinate_count(biped), -1);
    }
    const int least = intervals < constrained_intervals ? intervals : constrained_intervals;
    if (least < 1) {
        return carom_report_refuse(report, "intervals", least, -1, ">= 1");
    }
    return CAROM_OK;
}

carom_status carom_gait_trajectory_quarter(const carom_armed_biped_params *biped,
                                           const carom_nonlinear_gait *gait, int intervals,
                                           int constrained_intervals, carom_gait_trajectory **out,
                                           carom_report *report) {
    CAROM_ASSERT(biped != NULL && gait != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(check_request(biped, gait, intervals, constrained_intervals, report));
    CAROM_AUTO(carom_gait_dynamics) dynamics = NULL;
    CAROM_AUTO(carom_gait_flow) flow = NULL;
    CAROM_AUTO(carom_gait_trajectory) trajectory = NULL;
    CAROM_TRY(carom_gait_dynamics_alloc(biped, &dynamics, report));
    CAROM_TRY(carom_gait_flow_alloc(dynamics, SAMPLING_ERROR, &flow));
    CAROM_TRY(carom_gait_trajectory_alloc(gait->coordinate_count,
                                          intervals + constrained_intervals + 1, &trajectory));
    CAROM_TRY(carom_gait_trajectory_fill(dynamics, flow, gait, intervals, trajectory));
    CAROM_HAND_OVER(trajectory, out);
    return CAROM_OK;
}

/* Left and right exchanged, seen from the other foot: every angle changes sign, the arm about the
 * lower vertical. */
static void mirror_sample(int n, bool has_arm, double *q, double *v, double *a) {
    for (int j = 0; j < n; j++) {
        q[j] = -q[j];
        v[j] = -v[j];
        a[j] = -a[j];
    }
    if (has_arm) {
        q[0] += 2.0 * M_PI;
    }
}

/* Sample `to` of the cycle is sample `from` of the quarter, perhaps backwards in time or mirrored.
 */
static void put_copy(const carom_gait_trajectory *quarter, int from, double time, bool is_backwards,
                     bool is_mirrored, bool has_arm, carom_gait_trajectory *cycle, int to) {
    const int n = quarter->coordinate_count;
    double *q = cycle->position + to * n;
    double *v = cycle->velocity + to * n;
    double *a = cycle->acceleration + to * n;
    for (int j = 0; j < n; j++) {
        q[j] = quarter->position[from * n + j];
        v[j] = (is_backwards ? -1.0 : 1.0) * quarter->velocity[from * n + j];
        a[j] = quarter->acceleration[from * n + j];
    }
    if (is_mirrored) {
        mirror_sample(n, has_arm, q, v, a);
    }
    cycle->time[to] = time;
    cycle->gap[to] = quarter->gap[from];
    cycle->landing_force[to] = quarter->landing_force[from];
    cycle->stance_force[to] = quarter->stance_force[from];
    cycle->horizontal_force[to] = (is_mirrored ? -1.0 : 1.0) * quarter->horizontal_force[from];
    cycle->energy[to] = quarter->energy[from];
    cycle->is_double_support[to] = quarter->is_double_support[from];
    cycle->stance_foot[to] = is_mirrored ? 1 : 0;
}

carom_status carom_gait_trajectory_extend(const carom_armed_biped_params *biped,
                                          const carom_gait_trajectory *quarter,
                                          carom_gait_trajectory **out) {
    CAROM_ASSERT(biped != NULL && quarter != NULL && out != NULL);
    const int last = quarter->count - 1;
    const double span = quarter->time[last];
    CAROM_TRY(carom_gait_trajectory_alloc(quarter->coordinate_count, 4 * last + 1, out));
    carom_gait_trajectory *cycle = *out;
    cycle->landing = quarter->landing;
    cycle->landing_jerk = quarter->landing_jerk;
    cycle->landing_force_rate = quarter->landing_force_rate;
    for (int i = 0; i <= 4 * last; i++) {
        /* Forwards to P', backwards to the next P, forwards to the next P', backwards to P. */
        const int part = i == 0 ? 0 : (i - 1) / last;
        const int passed = i - part * last;
        const bool is_backwards = part % 2 == 1;
        const bool is_mirrored = part == 1 || part == 2;
        const int from = is_backwards ? last - passed : passed;
        const double local = quarter->time[from];
        const double time = part * span + (is_backwards ? span - local : local);
        put_copy(quarter, from, time, is_backwards, is_mirrored, biped->has_arm, cycle, i);
    }
    return CAROM_OK;
}
