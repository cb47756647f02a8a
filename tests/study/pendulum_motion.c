/** Runs of the pendulum beside its exact motion: runs made by hand, and a step at rest. */
#include "../failing_malloc.h"
#include "../support.h"

#include <carom/study/pendulum_motion.h>

enum { ROWS = 5, N = CAROM_PENDULUM_COORDINATES, J = CAROM_PENDULUM_JOINTS };

/** A run of five rows. */
typedef struct made_run {
    double time[ROWS];
    double position[ROWS][N];
    double velocity[ROWS][N];
    double joint_force[ROWS][J];
    double joint_impulse[ROWS][J];
    carom_trajectory trajectory;
} made_run;

/** The exact free fall of the pendulum. */
static void make_exact(const carom_bouncing_pendulum_params *params, made_run *run) {
    double angle[ROWS];
    double rate[ROWS];
    *run = (made_run){.time = {0.0, 0.1, 0.2, 0.3, 0.4}};
    assert_ok(carom_bouncing_pendulum_exact_states(params, ROWS, run->time, angle, rate, NULL));
    for (int i = 0; i < ROWS; i++) {
        run->position[i][CAROM_PENDULUM_ANGLE] = angle[i];
        run->velocity[i][CAROM_PENDULUM_ANGLE] = rate[i];
        carom_bouncing_pendulum_exact_joint_force(params, angle[i], rate[i], run->joint_force[i]);
    }
    run->trajectory = (carom_trajectory){.row_count = ROWS,
                                         .step = 0.1,
                                         .time = run->time,
                                         .position = run->position[0],
                                         .velocity = run->velocity[0],
                                         .joint_force = run->joint_force[0],
                                         .joint_impulse = run->joint_impulse[0]};
}

TEST(unit, impacts_end_with_the_time_and_with_their_accumulation) {
    carom_bouncing_pendulum_params params = carom_bouncing_pendulum_params_default();
    carom_bouncing_pendulum_impact all[6];
    carom_bouncing_pendulum_impact impacts[6];
    int count = -1;
    assert_ok(carom_bouncing_pendulum_exact_impacts(&params, 6, all, NULL));
    assert_ok(carom_pendulum_impacts_until(&params, 0.5 * all[0].time, 6, impacts, &count));
    ck_assert_int_eq(count, 0);
    assert_ok(carom_pendulum_impacts_until(&params, all[2].time, 6, impacts, &count));
    ck_assert_int_eq(count, 3);
    assert_close(impacts[2].time, all[2].time, 0.0, 0.0);
    assert_ok(carom_pendulum_impacts_until(&params, 100.0, 6, impacts, &count));
    ck_assert_int_eq(count, 6);
    params.restitution = 0.0; // it stays at the wall
    assert_ok(carom_pendulum_impacts_until(&params, 100.0, 6, impacts, &count));
    ck_assert_int_eq(count, 1);
}

TEST(unit, exact_forces_are_those_of_the_exact_states) {
    carom_bouncing_pendulum_params params = carom_bouncing_pendulum_params_default();
    made_run run;
    double forces[ROWS][J];
    make_exact(&params, &run);
    assert_ok(carom_pendulum_exact_forces(&params, ROWS, run.time, forces[0]));
    ck_assert_mem_eq(forces, run.joint_force, sizeof forces);
    params.wall_position = -2.0 * params.length; // out of reach
    ck_assert(carom_pendulum_exact_forces(&params, ROWS, run.time, forces[0]) != CAROM_OK);
}

TEST(unit, plateaus_of_energy_are_compared_in_all_that_is_lost) {
    // Impacts at rows 2, 5 and 7: plateaus 8 and 5 between them, exactly 8.5 and 5.2, of 12 lost.
    double energy[10] = {15.0, 15.0, 9.0, 8.0, 7.0, 5.0, 5.0, 3.0, 3.0, 3.0};
    double impulse[10] = {0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0};
    double force[10] = {0.0};
    carom_trajectory run = {.row_count = 10,
                            .contact_count = 1,
                            .energy = energy,
                            .contact_impulse = impulse,
                            .contact_force = force};
    const carom_bouncing_pendulum_impact impacts[3] = {
        {.energy = 8.5}, {.energy = 5.2}, {.energy = 0.0}};
    assert_close(carom_pendulum_plateau_error(&run, impacts, 3), 0.5 / 12.0, 1e-14, 0.0);
    ck_assert(isnan(carom_pendulum_plateau_error(&run, impacts, 1)));
    energy[9] = 15.0; // nothing is lost
    ck_assert(isnan(carom_pendulum_plateau_error(&run, impacts, 3)));
    energy[9] = 3.0;
    impulse[5] = impulse[7] = impulse[8] = 0.0; // one impact
    ck_assert(isnan(carom_pendulum_plateau_error(&run, impacts, 3)));
}

TEST(unit, joint_forces_are_told_beside_those_of_the_same_state) {
    const carom_bouncing_pendulum_params params = carom_bouncing_pendulum_params_default();
    made_run run;
    make_exact(&params, &run);
    const double exact = run.joint_force[3][0];
    run.joint_force[3][0] += 0.25;
    run.joint_impulse[3][0] = -0.5;
    const carom_pendulum_force force = carom_pendulum_force_of(&params, &run.trajectory, 3);
    assert_close(force.time, 0.3, 0.0, 0.0);
    assert_close(force.exact, exact, 0.0, 0.0);
    assert_close(force.deviation, 0.25, 1e-13, 0.0);
    assert_close(force.reaction, exact + 0.25 - 5.0, 1e-13, 0.0);
}

TEST(unit, errors_are_means_without_the_first_row) {
    const carom_bouncing_pendulum_params params = carom_bouncing_pendulum_params_default();
    made_run run;
    make_exact(&params, &run);
    run.position[0][CAROM_PENDULUM_ANGLE] += 7.0;
    run.position[2][CAROM_PENDULUM_ANGLE] -= 0.04;
    run.velocity[1][CAROM_PENDULUM_ANGLE] += 0.1;
    run.velocity[4][CAROM_PENDULUM_ANGLE] -= 0.3;
    run.joint_impulse[3][0] = 0.08;
    carom_pendulum_errors errors;
    assert_ok(carom_pendulum_compare(&params, &run.trajectory, &errors));
    ck_assert(errors.is_known);
    assert_close(errors.angle, 0.01, 1e-13, 0.0);
    assert_close(errors.rate, 0.1, 1e-13, 0.0);
    assert_close(errors.reaction, 0.2, 1e-12, 0.0);
}

TEST(unit, without_an_exact_motion_or_after_a_failure_nothing_is_known) {
    carom_bouncing_pendulum_params params = carom_bouncing_pendulum_params_default();
    made_run run;
    make_exact(&params, &run);
    carom_pendulum_errors errors;
    run.trajectory.outcome = CAROM_STATUS_NOT_CONVERGED;
    assert_ok(carom_pendulum_compare(&params, &run.trajectory, &errors));
    ck_assert(!errors.is_known);
    run.trajectory.outcome = CAROM_OK;
    params.wall_position = -2.0 * params.length; // out of reach
    assert_ok(carom_pendulum_compare(&params, &run.trajectory, &errors));
    ck_assert(!errors.is_known);
}

TEST(property, the_condition_does_not_depend_on_the_step) {
    carom_bouncing_pendulum_params params = carom_bouncing_pendulum_params_default();
    carom_stepper_params stepper = carom_stepper_params_default(CAROM_SCHEME_NONSMOOTH_GALPHA);
    stepper.step = 1e-2;
    double coarse;
    double fine;
    assert_ok(carom_pendulum_condition(&params, &stepper, &coarse));
    stepper.step = 1e-5;
    assert_ok(carom_pendulum_condition(&params, &stepper, &fine));
    ck_assert_double_gt(fine, 1.0);
    // Terms of order h sqrt(a_g/l) are left; without scaling a million.
    assert_close(coarse, fine, 0.1, 0.0);
    params.wall_position = -2.0 * params.length; // no angle touches it
    assert_ok(carom_pendulum_condition(&params, &stepper, &fine));
    ck_assert(isnan(fine));
}

TEST(errors, memory_that_runs_out_is_reported) {
    const carom_bouncing_pendulum_params params = carom_bouncing_pendulum_params_default();
    carom_stepper_params stepper = carom_stepper_params_default(CAROM_SCHEME_NONSMOOTH_GALPHA);
    stepper.step = 1e-3;
    made_run run;
    make_exact(&params, &run);
    carom_pendulum_errors errors;
    double condition;
    successes_left = 0;
    carom_status status = carom_pendulum_compare(&params, &run.trajectory, &errors);
    successes_left = -1;
    assert_status(status, OUT_OF_MEMORY);
    ck_assert(!errors.is_known);
    int failures = 0;
    for (; status == CAROM_STATUS_OUT_OF_MEMORY; failures++) {
        successes_left = failures;
        status = carom_pendulum_condition(&params, &stepper, &condition);
        successes_left = -1;
        ck_assert(isnan(condition) == (status != CAROM_OK));
    }
    assert_ok(status);
    ck_assert_int_gt(failures, 3);
}
