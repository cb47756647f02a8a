/* carom/collisionless/gait/rocking_motion.h, half cycles that begin at P, and a biped left alone:
 * the same as by the motion itself, and a fall from a state beside the gait. */
#include <carom/collisionless/gait/rocking_motion.h>

#include "../../failing_malloc.h"
#include "gait_cases.h"

/** An exact gait, and the biped at P; `beside`: the arm's angle from it there, rad. */
typedef struct walker {
    carom_exact_gait exact;
    carom_rocking_motion *motion;
} walker;

static walker begin(double theta, double beside) {
    const carom_armed_biped_params biped = unit_biped(theta);
    walker w;
    assert_ok(carom_exact_gait_find(&biped, &UNIT_START, 16, &w.exact, NULL));
    w.exact.gait->states[0] += beside;
    assert_ok(carom_rocking_motion_exact(&biped, w.exact.gait, &w.motion, NULL));
    return w;
}

static void end(walker *w) {
    carom_rocking_motion_free(w->motion);
    carom_exact_gait_clear(&w->exact);
}

TEST(unit, half_cycles_are_alike_wherever_they_begin) {
    walker w = begin(0.05, 0.0);
    const double half_period = carom_rocking_motion_reference(w.motion)->half_period;
    for (int k = 0; k < 4; k++) {
        carom_rocking_half_cycle half;
        assert_ok(carom_rocking_motion_half_cycle(w.motion, k, &half, NULL));
        ck_assert(!half.log.has_ended);
        ck_assert_int_eq(half.log.landings, 1);
        // The gap closes with the third power: rounding displaces the landing by its cube root.
        assert_close(half.landing_time, w.exact.gait->time, 0.0, 2e-3);
        assert_close(half.log.first_landing, k * half_period + half.landing_time, 1e-12, 0.0);
        ck_assert_double_lt(half.state.deviation, 1e-6);
        assert_close(half.correction, -half.state.energy_change, 0.0, 0.0);
    }
    end(&w);
}

TEST(unit, a_half_cycle_that_ends_before_P_says_so) {
    walker w = begin(0.05, 2.0);
    carom_rocking_half_cycle half = {.log = {.has_ended = false}};
    for (int k = 0; k < 60 && !half.log.has_ended; k++) {
        // Far off the gait the arm swings round and pulls the biped up, sooner or later.
        assert_ok(carom_rocking_motion_half_cycle(w.motion, k, &half, NULL));
        ck_assert(half.log.has_ended || isfinite(half.state.deviation));
    }
    end(&w);
}

TEST(unit, a_biped_left_alone_leaves_its_gait_and_falls) {
    walker w = begin(0.05, 1e-6);
    carom_rocking_run run;
    assert_ok(carom_rocking_run_alone(w.motion, w.exact.quarter, 20, &run, NULL));
    ck_assert_int_ge(run.half_cycles, 1);
    ck_assert_int_lt(run.half_cycles, 20);
    // Samples lie at the instants of the gait, and each half cycle ends with one.
    const int half = 2 * (w.exact.quarter->count - 1);
    assert_close(run.samples[0].time, 0.0, 0.0, 0.0);
    for (int k = 0; k < run.half_cycles; k++) {
        assert_close(run.at_P[k], run.samples[(k + 1) * half].deviation, 0.0, 0.0);
    }
    for (int i = 1; i < run.count; i++) {
        ck_assert_double_gt(run.samples[i].time, run.samples[i - 1].time);
        ck_assert(i == run.count - 1 || !run.samples[i].has_fallen);
    }
    ck_assert_double_gt(run.at_P[run.half_cycles - 1], 10.0 * run.samples[0].deviation);
    carom_rocking_run_clear(&run);
    end(&w);
}

TEST(unit, the_run_ends_after_so_many_half_cycles) {
    walker w = begin(0.02, 0.0);
    carom_rocking_run run;
    assert_ok(carom_rocking_run_alone(w.motion, w.exact.quarter, 1, &run, NULL));
    ck_assert_int_eq(run.half_cycles, 1);
    ck_assert_int_eq(run.count, 2 * (w.exact.quarter->count - 1) + 1);
    ck_assert_double_lt(run.at_P[0], 1e-6);
    carom_rocking_run_clear(&run);
    end(&w);
}

TEST(unit, a_collision_is_the_first_landing_that_costs_more) {
    carom_rocking_sample samples[4] = {{.time = 0.0},
                                       {.time = 1.0, .energy_lost = 1e-6},
                                       {.time = 2.0, .energy_lost = 0.3},
                                       {.time = 3.0, .energy_lost = 0.7}};
    const carom_rocking_run run = {.count = 4, .samples = samples};
    ck_assert_ptr_eq(carom_rocking_run_collision(&run, 1e-3), &samples[2]);
    ck_assert_ptr_eq(carom_rocking_run_collision(&run, 0.3), &samples[3]);
    ck_assert_ptr_null(carom_rocking_run_collision(&run, 1.0));
}

TEST(errors, memory_that_runs_out_is_reported) {
    walker w = begin(0.02, 0.0);
    for (int k = 0; k < 2; k++) {
        carom_rocking_run run;
        successes_left = k;
        const carom_status status =
            carom_rocking_run_alone(w.motion, w.exact.quarter, 1, &run, NULL);
        successes_left = -1;
        assert_status(status, OUT_OF_MEMORY);
        ck_assert_ptr_null(run.samples);
        carom_rocking_run_clear(&run);
    }
    end(&w);
}
