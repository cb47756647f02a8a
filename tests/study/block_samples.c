/** Samples of the block of halm-2023, table 4, beside its exact set: outcomes made by hand, and
 * nets of one increment. */
#include "../failing_malloc.h"
#include "recorded_impact.h"

#include <carom/study/block_samples.h>

enum { ROWS = 4 };

static carom_rigid_block_exact exact_block(void) {
    carom_rigid_block_params params = carom_rigid_block_params_default();
    params.initial_speed = block_speed;
    carom_rigid_block_exact exact;
    assert_ok(carom_rigid_block_exact_compute(&params, &exact, NULL));
    return exact;
}

TEST(unit, outcomes_are_compared_with_the_exact_set) {
    const carom_rigid_block_exact exact = exact_block();
    const double a = exact.largest_rebound;
    // A rebounds as far as it can; both rest, too late by 0.3 N s; between the axes, sliding; not
    // finished.
    double speeds[4][ROWS] = {
        {a, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}, {0.03, 0.01, 0.0, -0.2}, {9.0, 9.0, 9.0, 9.0}};
    double impulse[4] = {block_speed + 0.5 * a, block_speed + 0.3, block_speed + 0.015, 0.0};
    int finished[4] = {1, 1, 1, 0};
    int increments[4] = {1, 2, 3, 4};
    const carom_impact_samples samples = {.row_count = ROWS,
                                          .count = 4,
                                          .contact_velocity = speeds[0],
                                          .impulse = impulse,
                                          .increments = increments,
                                          .is_finished = finished};
    carom_block_comparison all;
    assert_ok(carom_block_compare(&exact, &samples, THREADS(1), &all, NULL));
    ck_assert_int_eq(all.finished, 3);
    assert_close(all.mean_increments, 2.5, 0.0, 0.0);
    assert_close(all.fraction_finished, 0.75, 0.0, 0.0);
    // e (1 - e) v0 with e = 0.7.
    assert_close(all.largest_rebound, 0.21 * block_speed, 1e-14, 0.0);
    assert_close(all.mean_rebound, (0.21 * block_speed + 0.03) / 3.0, 1e-14, 0.0);
    assert_close(all.slip, 0.2, 0.0, 0.0);
    assert_close(all.set_distance, 0.01, 1e-14, 0.0);
    assert_close(all.length_error, 0.3, 1e-14, 0.0);
    // The end (0, a) of the set is farthest from what came out, (0.03, 0.01).
    assert_close(all.coverage, hypot(0.03, a - 0.01), 1e-14, 0.0);
}

TEST(unit, what_is_not_known_is_no_number) {
    const carom_rigid_block_exact exact = exact_block();
    double speeds[ROWS] = {0.02, 0.0, 0.0, 0.0};
    double impulse = 0.5;
    int finished = 1;
    int increments = 1;
    const carom_impact_samples samples = {.row_count = ROWS,
                                          .count = 1,
                                          .contact_velocity = speeds,
                                          .impulse = &impulse,
                                          .increments = &increments,
                                          .is_finished = &finished};
    carom_block_comparison found;
    assert_ok(carom_block_compare(NULL, &samples, THREADS(1), &found, NULL));
    assert_close(found.largest_rebound, 0.02, 0.0, 0.0);
    assert_close(found.slip, 0.0, 0.0, 0.0);
    ck_assert(isnan(found.set_distance) && isnan(found.length_error) && isnan(found.coverage));
    finished = 0;
    assert_ok(carom_block_compare(&exact, &samples, THREADS(1), &found, NULL));
    ck_assert_int_eq(found.finished, 0);
    ck_assert(isnan(found.largest_rebound) && isnan(found.mean_rebound) && isnan(found.slip));
    ck_assert(isnan(found.set_distance) && isnan(found.coverage));
}

/** Share of 400 random sets of increments with h = 0.3 N s that are no net. */
static double share_without_net(const carom_net_problem *net, int size, int threads) {
    carom_impact_problem *problem = make_block();
    carom_impact_sampling_params params = carom_impact_sampling_params_default();
    params.samples = size;
    params.seed = 3;
    params.workers.threads = threads;
    double share = 0.0;
    assert_ok(carom_block_try_nets(problem, net, &params, 400, &share, NULL));
    carom_impact_problem_free(problem);
    return share;
}

TEST(unit, the_net_has_the_cells_of_its_lipschitz_constant) {
    const carom_rigid_block_exact exact = exact_block();
    const carom_net_problem net = carom_block_net(&exact, 0.3);
    ck_assert_int_eq(net.dimension, 2);
    // 2/(m (1 + e)) (1 + e) = 2/m; six cells along each side.
    assert_close(net.lipschitz, 2.0, 1e-14, 0.0);
    assert_close(net.net_radius, 0.3 * 2.0 * sqrt(2.0) / 6.0, 1e-14, 0.0);
}

TEST(property, sets_fail_always_never_or_less_often_than_the_lemma_admits) {
    const carom_rigid_block_exact exact = exact_block();
    carom_net_problem net = carom_block_net(&exact, 0.3);
    double previous = 1.0;
    for (int size = 4; size <= 256; size *= 4) {
        double bound = 0.0;
        assert_ok(carom_net_failure(&net, size, &bound, NULL));
        const double share = share_without_net(&net, size, 1);
        ck_assert_double_le(share, fmin(exp(bound), 1.0));
        ck_assert_double_le(share, previous);
        assert_close(share, share_without_net(&net, size, 2), 0.0, 0.0);
        previous = share;
    }
    // An independent program finds 16.1 % of 3000 sets of 32; four standard errors of 400 sets.
    assert_close(share_without_net(&net, 32, 1), 0.161, 0.0, 4.0 * sqrt(0.161 * 0.839 / 400.0));
    // No set has every image; every set is within the image's diameter of all of them.
    net.net_radius = 1e-9;
    assert_close(share_without_net(&net, 64, 1), 1.0, 0.0, 0.0);
    net.net_radius = 0.3 * net.lipschitz * sqrt(2.0);
    assert_close(share_without_net(&net, 1, 1), 0.0, 0.0, 0.0);
}

TEST(errors, sets_of_nothing_are_refused) {
    const carom_rigid_block_exact exact = exact_block();
    const carom_net_problem net = carom_block_net(&exact, 0.3);
    carom_impact_sampling_params params = carom_impact_sampling_params_default();
    params.samples = 0;
    carom_impact_problem *problem = make_block();
    double share = 0.0;
    assert_status(carom_block_try_nets(problem, &net, &params, 10, &share, NULL), OUT_OF_RANGE);
    ck_assert(isnan(share));
    carom_impact_problem_free(problem);
}

TEST(errors, memory_that_runs_out_is_reported) {
    const carom_rigid_block_exact exact = exact_block();
    const carom_net_problem net = carom_block_net(&exact, 0.3);
    double speeds[ROWS] = {0.02, 0.0, 0.0, 0.0};
    double impulse = 0.5;
    int finished = 1;
    int increments = 1;
    const carom_impact_samples samples = {.row_count = ROWS,
                                          .count = 1,
                                          .contact_velocity = speeds,
                                          .impulse = &impulse,
                                          .increments = &increments,
                                          .is_finished = &finished};
    carom_impact_sampling_params params = carom_impact_sampling_params_default();
    params.samples = 8;
    params.workers.threads = 1;
    carom_impact_problem *problem = make_block();
    int failures = 0;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    while (status == CAROM_STATUS_OUT_OF_MEMORY) {
        carom_block_comparison found;
        double share;
        successes_left = failures++;
        status = carom_block_compare(&exact, &samples, THREADS(1), &found, NULL);
        if (status == CAROM_OK) {
            status = carom_block_try_nets(problem, &net, &params, 2, &share, NULL);
        }
        successes_left = -1;
    }
    assert_ok(status);
    ck_assert_int_gt(failures, 10);
    carom_impact_problem_free(problem);
}
