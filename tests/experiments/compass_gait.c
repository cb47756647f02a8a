/**
 * The sampled impact of the walker of halm-2023, table 5, against the specification's reference
 * values of an independent prototype (its sections 3.3, 4.3, 5.2 and 5.3).
 */
#include <carom/impact/anitescu_potra.h>
#include <carom/impact/contact_modes.h>
#include <carom/impact/impact_inclusion.h>
#include <carom/models/compass_gait.h>
#include <carom/study/impacts.h>
#include <carom/study/walker_impact.h>

#include "shares.h"

#include <string.h>

/** Samples of a test: 4096 take some 50 ms. */
enum { SAMPLES = 4096 };

/** Samples of the reference. */
static const double REFERENCE_SAMPLES = 262144.0;

/** Half a unit of the eighth decimal of printed velocities. */
static const double EIGHT_DECIMALS = 5.1e-9;

/** The walker of table 5. */
static carom_impact_problem *make_problem(void) {
    const carom_compass_gait_params params = carom_compass_gait_params_default();
    carom_impact_scene *scene = NULL;
    carom_impact_problem *problem = NULL;
    assert_ok(carom_compass_gait_alloc(&params, &scene, NULL));
    assert_ok(carom_impact_problem_of_mechanism(carom_impact_scene_mechanism(scene),
                                                scene->position, scene->velocity, 1e-9, NULL,
                                                &problem, NULL));
    carom_impact_scene_free(scene);
    return problem;
}

/** Table 5 with fewer samples. */
static carom_impact_sampling_params table_5(carom_increment_selection selection) {
    carom_impact_sampling_params params = carom_impact_sampling_params_default();
    params.samples = SAMPLES;
    params.trajectory_length = 5;
    params.impulse_step = 0.25;
    params.covering_mass = 1.0;
    params.selection = selection;
    params.seed = 5;
    return params;
}

/** Four standard errors of the difference of two shares: ours and the reference's. */
static double four_errors(double share) {
    return 4.0 * sqrt(share * (1.0 - share) * (1.0 / SAMPLES + 1.0 / REFERENCE_SAMPLES));
}

TEST(unit, increments_have_all_the_velocities_of_the_reference) {
    // Section 5.3: lists without repetition, in any order.
    static const struct {
        double caps[2];
        int count;
        double speeds[3][ROWS];
    } table[] = {
        {{0.1, 0.1},
         3,
         {{-0.09088461, 0.08105483, 0.0, 0.16122161},
          {-0.33050662, 0.0, 0.0, 0.0},
          {-0.19110529, 0.0, 0.0, 0.07828287}}},
        {{0.2, 0.2},
         3,
         {{-0.17193944, 0.0, 0.0, 0.0},
          {0.0, 0.09955518, 0.0, 0.19801960},
          {0.0, 0.0, 0.0, 0.12849043}}},
        {{0.2, 0.01}, 1, {{0.0, 0.09955518, 0.0, 0.19801960}}},
    };
    carom_impact_problem *walker = make_problem();
    carom_contact_modes *modes = NULL;
    carom_contact_mode_solutions *solutions = NULL;
    assert_ok(carom_contact_modes_alloc(walker, CAROM_CONTACT_MODES_CAPPED, &modes, NULL));
    assert_ok(carom_contact_mode_solutions_alloc(modes, &solutions));
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        assert_ok(
            carom_contact_modes_solve(modes, walker->contact_velocity, table[k].caps, solutions));
        ck_assert_int_eq(solutions->count, table[k].count);
        for (int i = 0; i < table[k].count; i++) {
            double nearest = HUGE_VAL;
            for (int j = 0; j < solutions->count; j++) {
                double distance = 0.0;
                for (int a = 0; a < ROWS; a++) {
                    distance = fmax(
                        distance, fabs(solutions->velocity[j * ROWS + a] - table[k].speeds[i][a]));
                }
                nearest = fmin(nearest, distance);
            }
            ck_assert_double_le(nearest, EIGHT_DECIMALS);
        }
    }
    carom_contact_mode_solutions_free(solutions);
    carom_contact_modes_free(modes);
    carom_impact_problem_free(walker);
}

TEST(unit, random_solutions_have_the_statistics_of_the_reference) {
    carom_impact_problem *walker = make_problem();
    const carom_impact_sampling_params params = table_5(CAROM_SELECTION_RANDOM);
    carom_impact_samples *samples = sample(walker, &params);
    // Mean 2.2499 with a standard error 0.0022 of 2^18 samples: a deviation of 1.126.
    const double deviation = 0.0022 * sqrt(REFERENCE_SAMPLES);
    assert_close(samples->mean_increments, 2.2499, 0.0,
                 4.0 * deviation * sqrt(1.0 / SAMPLES + 1.0 / REFERENCE_SAMPLES));
    assert_close(samples->fraction_finished, 0.9889, 0.0, four_errors(0.9889));
    static const struct {
        const char *modes;
        double share;
    } table[] = {{"SL", 0.5031}, {"Ss", 0.3330}, {"SS", 0.1160}, {"LS", 0.0250}, {"sS", 0.0229}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        assert_close(share_of(walker, samples, table[i].modes), table[i].share, 0.0,
                     four_errors(table[i].share));
    }
    // Section 4.3 prints two digits; the increments of a sample are not independent, but nearly.
    const double multivalued =
        (double)samples->multivalued_count / (double)samples->increment_count;
    assert_close(multivalued, 0.90, 0.0, 0.005 + four_errors(0.90));
    carom_impact_samples_free(samples);
    carom_impact_problem_free(walker);
}

TEST(unit, lemkes_solutions_have_the_statistics_of_the_reference_and_never_slide_at_b) {
    carom_impact_problem *walker = make_problem();
    const carom_impact_sampling_params params = table_5(CAROM_SELECTION_LEMKE);
    carom_impact_samples *samples = sample(walker, &params);
    const double deviation = 0.0017 * sqrt(REFERENCE_SAMPLES);
    assert_close(samples->mean_increments, 1.6884, 0.0,
                 4.0 * deviation * sqrt(1.0 / SAMPLES + 1.0 / REFERENCE_SAMPLES));
    assert_close(samples->fraction_finished, 0.99753, 0.0, four_errors(0.99753));
    assert_close(share_of(walker, samples, "SL"), 0.9788, 0.0, four_errors(0.9788));
    assert_close(share_of(walker, samples, "LS"), 0.0132, 0.0, four_errors(0.0132));
    assert_close(share_of(walker, samples, "SS"), 0.0081, 0.0, four_errors(0.0081));
    assert_close(share_of(walker, samples, "Ss"), 0.0, 0.0, 0.0);
    carom_impact_samples_free(samples);
    carom_impact_problem_free(walker);
}

TEST(unit, scaled_cone_rows_lead_to_rest) {
    carom_impact_problem *walker = make_problem();
    const carom_impact_sampling_params params = table_5(CAROM_SELECTION_LEMKE_SCALED);
    carom_impact_samples *samples = sample(walker, &params);
    // Section 2.8.3: 3.25 increments a sample, two decimals printed; at most 5, at least 1: a
    // deviation of 2 at most.
    assert_close(samples->mean_increments, 3.25, 0.0, 0.005 + 4.0 * 2.0 / sqrt(SAMPLES));
    ck_assert_double_gt(share_of(walker, samples, "SS"), 0.5);
    assert_close(share_of(walker, samples, "Ss"), 0.0, 0.0, 0.0);
    carom_impact_samples_free(samples);
    carom_impact_problem_free(walker);
}

TEST(unit, a_small_step_keeps_several_velocities) {
    carom_impact_problem *walker = make_problem();
    carom_impact_sampling_params params = table_5(CAROM_SELECTION_RANDOM);
    params.samples = 256;
    params.impulse_step = 0.0125;
    params.trajectory_length = 400;
    carom_impact_samples *samples = sample(walker, &params);
    // Section 4.3: 56 %. Shares differ from sample to sample; 0.05 is ten times their error here.
    const double multivalued =
        (double)samples->multivalued_count / (double)samples->increment_count;
    assert_close(multivalued, 0.56, 0.0, 0.05);
    carom_impact_samples_free(samples);
    carom_impact_problem_free(walker);
}

TEST(property, no_selection_and_no_caps_leave_the_extents_of_the_reference) {
    // Section 3.3, half a unit of the last digit on top.
    static const carom_increment_selection selections[] = {
        CAROM_SELECTION_LEMKE, CAROM_SELECTION_LEMKE_SCALED, CAROM_SELECTION_RANDOM};
    static const carom_cap_distribution distributions[] = {CAROM_CAPS_UNIFORM, CAROM_CAPS_SIMPLEX,
                                                           CAROM_CAPS_CORNERS};
    carom_impact_problem *walker = make_problem();
    double lift = 0.0;
    for (int k = 0; k < 9; k++) {
        carom_impact_sampling_params params = table_5(selections[k / 3]);
        params.distribution = distributions[k % 3];
        carom_impact_samples *samples = sample(walker, &params);
        for (int i = 0; i < samples->count; i++) {
            const double *c = samples->contact_velocity + i * ROWS;
            if (samples->is_finished[i] != 0) {
                ck_assert_double_le(c[NORMAL_A], 0.03745055);
                ck_assert_double_ge(c[TANGENTIAL_A], -0.07449065);
                ck_assert_double_le(c[NORMAL_B], 0.09955525);
                ck_assert_double_le(c[TANGENTIAL_B], 0.19801965);
                ck_assert_double_le(fmin(c[NORMAL_A], c[NORMAL_B]), 1e-8);
                lift = fmax(lift, c[NORMAL_A]);
            }
        }
        carom_impact_samples_free(samples);
    }
    // One in forty samples lifts A, a third of them beyond half of the largest speed.
    ck_assert_double_gt(lift, 0.036);
    carom_impact_problem_free(walker);
}

TEST(property, with_a_sticking_the_outcomes_lie_between_the_three_solutions) {
    carom_impact_problem *walker = make_problem();
    const carom_impact_sampling_params params = table_5(CAROM_SELECTION_RANDOM);
    carom_impact_samples *samples = sample(walker, &params);
    // The triangle (0, 0), (0, slide), (lift, slip) of section 3.3 in the plane of B's speeds.
    const double slide = 0.12849043;
    const double lift = 0.09955518;
    const double slip = 0.19801960;
    int count = 0;
    for (int i = 0; i < samples->count; i++) {
        const double *c = samples->contact_velocity + i * ROWS;
        if (samples->is_finished[i] != 0 && fabs(c[NORMAL_A]) < 1e-8 &&
            fabs(c[TANGENTIAL_A]) < 1e-8) {
            const double part = c[NORMAL_B] / lift;
            ck_assert_double_ge(part, -1e-7);
            ck_assert_double_ge(c[TANGENTIAL_B], part * slip - 1e-7);
            ck_assert_double_le(c[TANGENTIAL_B], slide + part * (slip - slide) + 1e-7);
            count++;
        }
    }
    ck_assert_int_gt(count, SAMPLES / 2);
    carom_impact_samples_free(samples);
    carom_impact_problem_free(walker);
}

/** Whether the simultaneous law brings both feet to rest with that friction; `least` gets the
 * friction that this takes, NaN if it does not. */
static bool rests_with(double friction, double *least) {
    carom_compass_gait_params params = carom_compass_gait_params_default();
    carom_impact_scene *scene = NULL;
    carom_impact_problem *walker = NULL;
    carom_impact_outcomes *outcomes = NULL;
    params.friction = friction;
    assert_ok(carom_compass_gait_alloc(&params, &scene, NULL));
    assert_ok(carom_impact_problem_of_scene(scene, &walker, NULL));
    assert_ok(carom_impact_outcomes_alloc(walker, &outcomes));
    assert_ok(carom_anitescu_potra_all(walker, outcomes, NULL));
    *least = carom_walker_rest_friction(walker, outcomes);
    const bool rests = carom_walker_find(walker, outcomes, "SS") >= 0;
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(walker);
    carom_impact_scene_free(scene);
    return rests;
}

TEST(unit, the_feet_come_to_rest_from_the_least_friction_on) {
    double least = NAN;
    double other = NAN;
    ck_assert(rests_with(5.0, &least));
    // Beyond the rounding of the impulses, 1e-15, and of what counts as rest, 1e-7.
    ck_assert(!rests_with(least * (1.0 - 1e-6), &other));
    ck_assert(isnan(other));
    ck_assert(rests_with(least * (1.0 + 1e-6), &other));
    assert_close(other, least, 1e-9, 0.0);
}
