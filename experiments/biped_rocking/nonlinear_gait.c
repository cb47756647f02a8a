/** One gait of the exact biped in full. */
#include "nonlinear.h"

#include <gsl/gsl_math.h>
#include <stdlib.h>

carom_status biped_rocking_gait_find(const results *r, double theta, exact_gait *out,
                                     carom_report *report) {
    *out = (exact_gait){.biped = r->biped};
    out->biped.half_step_angle = theta;
    double *position = malloc((size_t)r->coordinate_count * sizeof *position);
    if (position == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_gait_start start;
    biped_rocking_gait_start(r, position, &start);
    carom_status status = carom_nonlinear_gait_solve(&out->biped, &start, NULL, &out->gait, report);
    free(position);
    if (status == CAROM_OK) {
        int intervals = 0;
        int constrained = 0;
        biped_rocking_intervals(r->values, &intervals, &constrained);
        status = carom_gait_trajectory_quarter(&out->biped, out->gait, intervals, constrained,
                                               &out->quarter, report);
    }
    if (status == CAROM_OK) {
        out->conditions = carom_gait_conditions_evaluate(&out->biped, out->gait, out->quarter);
    }
    return status;
}

void biped_rocking_gait_clear(exact_gait *exact) {
    carom_gait_trajectory_free(exact->quarter);
    carom_nonlinear_gait_free(exact->gait);
}

/** Times, energy, the arm beside that of the harmonic gait, and conditions on the feet. */
static carom_status write_numbers(const results *r, const char *group, const exact_gait *exact) {
    const carom_nonlinear_gait *gait = exact->gait;
    const carom_gait_conditions *conditions = &exact->conditions;
    const double theta = gait->half_step_angle;
    const double unit = theta / r->biped.half_step_angle;
    double *position = malloc((size_t)r->coordinate_count * sizeof *position);
    if (position == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_gait_start start;
    biped_rocking_gait_start(r, position, &start);
    const double harmonic_arm = theta * position[0];
    free(position);
    const carom_measure numbers[] = {
        {"amplitude", theta, "rad", "theta, half the angle between the legs"},
        {"impact_time", gait->time, "s", "tau, from P to the landing"},
        {"constrained_time", gait->constrained_time, "s", "tau', from the landing to P'"},
        {"period", 4.0 * (gait->time + gait->constrained_time), "s", "4 (tau + tau')"},
        {"energy", gait->excess_energy, "J", "above the equilibrium on one foot"},
        {"harmonic_energy", r->gait->energy * gsl_pow_2(unit), "J", "of the harmonic gait"},
        {"arm_at_P", gait->states[0] - M_PI, "rad", "angle of the arm at P from hanging"},
        {"harmonic_arm_at_P", harmonic_arm, "rad", "of the harmonic gait"},
        {"residual", gait->residual, "1", "largest scaled equation of the shooting"},
        {"clearance", conditions->clearance, "m s-3",
         "least height of the free foot over (tau - t)^3"},
        {"peak_gap", conditions->peak_gap, "m", "largest height of the free foot"},
        {"max_landing_force", conditions->max_landing_force, "1",
         "largest vertical force on the landing foot up to P', over weight"},
        {"min_single_support", conditions->min_single_support, "1",
         "least vertical force on one foot, over weight"},
        {"min_double_support", conditions->min_double_support, "1",
         "least vertical force on the other of two feet, over weight"},
        {"friction_demand", conditions->friction_demand, "1",
         "largest horizontal over vertical force on one foot"},
        {"double_friction_demand", conditions->double_friction_demand, "1",
         "of both feet on the ground together"},
        {"energy_spread", conditions->energy_spread, "1",
         "largest less least energy along the gait, over m_t g h"},
        {"realizable", conditions->is_realizable ? 1.0 : 0.0, "1",
         "1: the free foot is clear, no foot is pulled"},
    };
    carom_record to = carom_record_group(r->record, "%s", group);
    carom_record_scalars(&to, numbers, COUNT(numbers));
    return CAROM_OK;
}

/** A quarter of the cycle. */
static void write_quarter(const results *r, const char *group,
                          const carom_gait_trajectory *quarter) {
    carom_record to = carom_record_group(r->record, "%s", group);
    carom_record_axis(&to, "time", quarter->count, quarter->time, "s",
                      "from P over the landing to P'");
    const carom_column columns[] = {
        {"gap", quarter->gap, "m", "height of the free foot"},
        {"landing_force", quarter->landing_force, "N", "vertical, on the landing foot"},
        {"stance_force", quarter->stance_force, "N", "vertical, on the other foot"},
        {"horizontal_force", quarter->horizontal_force, "N", "on both feet"},
        {"total_energy", quarter->energy, "J", "kinetic and potential, the ground at height 0"},
    };
    carom_record_columns(&to, "time", NULL, columns, COUNT(columns));
    const carom_column states[] = {
        {"position", quarter->position, "rad", "absolute angles"},
        {"velocity", quarter->velocity, "rad s-1", "their rates"},
        {"acceleration", quarter->acceleration, "rad s-2", "and theirs"},
    };
    carom_record_columns(&to, "time", "/nonlinear/coordinate", states, COUNT(states));
}

/** A biped as one line: free foot, hip, stance foot, hip, torso, hand. */
static carom_status write_pose(const results *r, const char *group, const char *name,
                               const carom_armed_biped_params *biped, const double *q) {
    const int N = r->coordinate_count;
    const int count = N + 3;
    CAROM_AUTO_MEMORY double *memory = malloc(2 * (size_t)(count + N + 2) * sizeof *memory);
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *x = memory;
    double *y = x + count;
    double *points = y + count;
    carom_armed_biped_points(biped, q, points);
    for (int i = 0; i < count; i++) {
        const int legs[] = {N + 1, 1, 0};
        const int point = i < 3 ? legs[i] : i - 2;
        x[i] = points[2 * point];
        y[i] = points[2 * point + 1];
    }
    carom_record pose = carom_record_group(r->record, "%s/%s", group, name);
    carom_record_index_axis(&pose, "point", count,
                            "free foot, hip, stance foot, hip, tops of the torso links, hand");
    const carom_column columns[] = {
        {"x", x, "m", "from the stance foot"},
        {"y", y, "m", "above the ground"},
    };
    carom_record_columns(&pose, "point", NULL, columns, 2);
    return CAROM_OK;
}

/** The exact biped at P, at the landing and at P'. */
static carom_status write_poses(const results *r, const char *group, const exact_gait *exact) {
    const carom_gait_trajectory *quarter = exact->quarter;
    const size_t N = (size_t)r->coordinate_count;
    const double *landing = quarter->position + (size_t)quarter->landing * N;
    const double *last = quarter->position + (size_t)(quarter->count - 1) * N;
    CAROM_TRY(write_pose(r, group, "pose_P", &exact->biped, quarter->position));
    CAROM_TRY(write_pose(r, group, "pose_landing", &exact->biped, landing));
    return write_pose(r, group, "pose_P_prime", &exact->biped, last);
}

/** The harmonic gait of the same theta, drawn as the paper's figure 6 is: angles to scale. */
static carom_status write_harmonic_poses(const results *r, const char *group,
                                         const exact_gait *exact) {
    const int N = r->coordinate_count;
    const double unit = exact->biped.half_step_angle / r->biped.half_step_angle;
    const double times[] = {0.0, r->root.time};
    const char *names[] = {"harmonic_pose_P", "harmonic_pose_landing"};
    CAROM_AUTO_MEMORY double *q = malloc((size_t)N * sizeof *q);
    if (q == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < 2; i++) {
        const carom_motion_state state = {.position = q};
        carom_collisionless_motion_state(r->gait, CAROM_MOTION_UNCONSTRAINED, times[i],
                                         CAROM_MOTION_FROM_EQUILIBRIUM, &state);
        for (int j = 0; j < N; j++) {
            /* Only the leg's place of equilibrium depends on theta. */
            q[j] = unit * q[j] + (j == N - 1 ? unit : 1.0) * r->equilibrium[j];
        }
        CAROM_TRY(write_pose(r, group, names[i], &exact->biped, q));
    }
    return CAROM_OK;
}

carom_status biped_rocking_write_gait(const results *r, const char *group,
                                      const exact_gait *exact) {
    CAROM_TRY(write_numbers(r, group, exact));
    write_quarter(r, group, exact->quarter);
    CAROM_TRY(write_poses(r, group, exact));
    return write_harmonic_poses(r, group, exact);
}
