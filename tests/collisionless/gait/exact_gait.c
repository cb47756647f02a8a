/* carom/collisionless/gait/rocking_motion.h, one gait with all that is known of it. Expected times:
 * reference table A.6. */
#include <carom/collisionless/gait/rocking_motion.h>

#include "../../failing_malloc.h"
#include "gait_cases.h"

TEST(unit, a_gait_comes_with_its_quarter_and_its_conditions) {
    const carom_armed_biped_params biped = unit_biped(0.05);
    carom_exact_gait exact;
    assert_ok(carom_exact_gait_find(&biped, &UNIT_START, 100, &exact, NULL));
    assert_close(exact.gait->time, 3.4195276577, 1e-9, 0.0);
    assert_close(exact.gait->constrained_time, 0.6875785539, 1e-9, 0.0);
    assert_close(exact.biped.half_step_angle, 0.05, 0.0, 0.0);
    // 24 intervals in double support, three times as many before.
    ck_assert_int_eq(exact.quarter->count, 97);
    ck_assert_int_eq(exact.quarter->landing, 72);
    assert_close(exact.quarter->time[96], exact.gait->time + exact.gait->constrained_time, 1e-12,
                 0.0);
    const carom_gait_conditions again =
        carom_gait_conditions_evaluate(&biped, exact.gait, exact.quarter);
    assert_close(exact.conditions.clearance, again.clearance, 0.0, 0.0);
    ck_assert(exact.conditions.is_realizable);
    carom_exact_gait_clear(&exact);
}

TEST(unit, few_samples_leave_one_between_the_ends_of_each_phase) {
    const carom_armed_biped_params biped = unit_biped(0.02);
    carom_exact_gait exact;
    assert_ok(carom_exact_gait_find(&biped, &UNIT_START, 1, &exact, NULL));
    ck_assert_int_eq(exact.quarter->count, 9);
    ck_assert_int_eq(exact.quarter->landing, 6);
    carom_exact_gait_clear(&exact);
}

TEST(unit, slopes_of_the_times_are_those_of_the_table) {
    const carom_armed_biped_params biped = unit_biped(0.05);
    double slopes[2];
    assert_ok(carom_exact_gait_time_slopes(&biped, &UNIT_START, 2e-3, slopes, NULL));
    // The parabola in theta^2 through theta = 0, 0.01 and 0.02 of the table; the family turns round
    // at 0.109, so that the next term is of the order (0.02/0.109)^4 = 1e-3 of it.
    const double table[2][2] = {{3.0894719039, 3.1207417273}, {0.7759122616, 0.7695687495}};
    const double limit[2] = {UNIT_START.time, UNIT_START.constrained_time};
    for (int i = 0; i < 2; i++) {
        const double first = (table[i][0] - limit[i]) / 1e-4;
        const double second = (table[i][1] - limit[i]) / 4e-4;
        assert_close(slopes[i], first + (first - second) / 3.0, 3e-3, 0.0);
    }
    // From twice the angle the same, up to the sixth order.
    double coarse[2];
    assert_ok(carom_exact_gait_time_slopes(&biped, &UNIT_START, 4e-3, coarse, NULL));
    assert_close(coarse[0], slopes[0], 1e-4, 0.0);
    assert_close(coarse[1], slopes[1], 1e-4, 0.0);
}

TEST(errors, beyond_the_end_of_the_family_there_is_nothing) {
    const carom_armed_biped_params biped = unit_biped(0.5);
    carom_exact_gait exact;
    carom_report report = carom_report_empty();
    double slopes[2];
    assert_status(carom_exact_gait_find(&biped, &UNIT_START, 100, &exact, &report), NOT_CONVERGED);
    ck_assert_ptr_null(exact.gait);
    ck_assert_ptr_null(exact.quarter);
    ck_assert_str_eq(report.quantity, "half step angle");
    assert_status(carom_exact_gait_time_slopes(&biped, &UNIT_START, 0.5, slopes, NULL),
                  NOT_CONVERGED);
}

TEST(errors, memory_that_runs_out_is_reported) {
    const carom_armed_biped_params biped = unit_biped(1e-3);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int k = 0;
    for (; status != CAROM_OK; k++) {
        ck_assert_int_lt(k, 2000);
        carom_exact_gait exact;
        successes_left = k;
        status = carom_exact_gait_find(&biped, &UNIT_START, 1, &exact, NULL);
        successes_left = -1;
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
        ck_assert((exact.gait != NULL) == (status == CAROM_OK));
        carom_exact_gait_clear(&exact);
    }
    ck_assert_int_gt(k, 10);
}
