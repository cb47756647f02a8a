/**
 * The sampled impact of the box of halm-2023, table 6, against the specification's reference values
 * of an independent prototype (its sections 3.4, 5.2 and 5.3).
 */
#include <carom/impact/anitescu_potra.h>
#include <carom/impact/impact_inclusion.h>
#include <carom/impact/impulse_increment.h>
#include <carom/models/leaning_box.h>
#include <carom/study/impacts.h>

#include "shares.h"

#include <string.h>

/** Samples of a test: 8192 take some 30 ms. */
enum { SAMPLES = 8192 };

/** Samples of the reference. */
static const double REFERENCE_SAMPLES = 262144.0;

/** Half a unit of the eighth decimal of printed velocities. */
static const double EIGHT_DECIMALS = 5.1e-9;

/** A box as an impact problem. */
static carom_impact_problem *make_problem(const carom_leaning_box_params *params) {
    carom_impact_scene *scene = NULL;
    carom_impact_problem *problem = NULL;
    assert_ok(carom_leaning_box_alloc(params, &scene, NULL));
    assert_ok(carom_impact_problem_of_mechanism(carom_impact_scene_mechanism(scene),
                                                scene->position, scene->velocity, 1e-9, NULL,
                                                &problem, NULL));
    carom_impact_scene_free(scene);
    return problem;
}

/** The box of table 6. */
static carom_impact_problem *default_problem(void) {
    const carom_leaning_box_params params = carom_leaning_box_params_default();
    return make_problem(&params);
}

/** Table 6 with fewer samples. */
static carom_impact_sampling_params table_6(carom_cap_distribution distribution) {
    carom_impact_sampling_params params = carom_impact_sampling_params_default();
    params.samples = SAMPLES;
    params.trajectory_length = 5;
    params.impulse_step = 2.0;
    params.distribution = distribution;
    params.seed = 6;
    return params;
}

/** Four standard errors of the difference of two shares: ours and the reference's. */
static double four_errors(double share) {
    return 4.0 * sqrt(share * (1.0 - share) * (1.0 / SAMPLES + 1.0 / REFERENCE_SAMPLES));
}

TEST(unit, increments_have_the_velocities_of_the_reference) {
    // Section 5.3.
    static const struct {
        double caps[2];
        double speeds[ROWS];
    } table[] = {{{0.2, 0.5}, {-0.01805554, -0.25782874, 0.36022680, 0.0}},
                 {{0.05, 0.6}, {-0.07113132, -0.18386278, 0.58726854, 0.0}},
                 {{1.0, 0.3}, {0.0, -0.53838784, 0.53838784, 0.0}},
                 {{0.3, 0.58}, {-0.00324128, -0.11242953, 0.13081175, 0.0}}};
    carom_impact_problem *box = default_problem();
    carom_impulse_increment *increment = NULL;
    carom_increment_work *work = NULL;
    assert_ok(carom_impulse_increment_alloc(box, 0, &increment, NULL));
    assert_ok(carom_increment_work_alloc(increment, &work));
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double impulse[ROWS];
        double speeds[ROWS];
        assert_ok(carom_impulse_increment_solve(increment, box->contact_velocity, table[i].caps,
                                                NULL, impulse, work, NULL));
        carom_impact_add_impulse(box, impulse, box->contact_velocity, speeds);
        for (int a = 0; a < ROWS; a++) {
            assert_close(speeds[a], table[i].speeds[a], 0.0, EIGHT_DECIMALS);
        }
    }
    carom_increment_work_free(work);
    carom_impulse_increment_free(increment);
    carom_impact_problem_free(box);
}

TEST(unit, samples_have_the_statistics_of_the_reference) {
    carom_impact_problem *box = default_problem();
    const carom_impact_sampling_params params = table_6(CAROM_CAPS_UNIFORM);
    carom_impact_samples *samples = sample(box, &params);
    // Mean 1.5365 with a standard error 0.0013 of 2^18 samples: a deviation of 0.666.
    const double deviation = 0.0013 * sqrt(REFERENCE_SAMPLES);
    assert_close(samples->mean_increments, 1.5365, 0.0,
                 4.0 * deviation * sqrt(1.0 / SAMPLES + 1.0 / REFERENCE_SAMPLES));
    assert_close(samples->fraction_finished, 0.99995, 0.0, four_errors(0.99995));
    assert_close(share_of(box, samples, "SS"), 0.8508, 0.0, four_errors(0.8508));
    assert_close(share_of(box, samples, "sL"), 0.1441, 0.0, four_errors(0.1441));
    assert_close(share_of(box, samples, "ss"), 0.0051, 0.0, four_errors(0.0051));
    carom_impact_samples_free(samples);
    carom_impact_problem_free(box);
}

TEST(property, velocities_are_unique_so_that_the_selection_does_not_matter) {
    carom_impact_problem *box = default_problem();
    carom_impact_sampling_params params = table_6(CAROM_CAPS_UNIFORM);
    params.samples = 1024;
    carom_impact_samples *reference = sample(box, &params);
    static const carom_increment_selection selections[] = {
        CAROM_SELECTION_LEMKE_SCALED, CAROM_SELECTION_LEMKE_RANDOM_COVER, CAROM_SELECTION_RANDOM};
    for (size_t k = 0; k < sizeof selections / sizeof selections[0]; k++) {
        params.selection = selections[k];
        carom_impact_samples *samples = sample(box, &params);
        ck_assert_int_eq(samples->multivalued_count, 0);
        for (int i = 0; i < samples->count * ROWS; i++) {
            // Rounding of up to five solutions of the same problem in another order of pivots.
            assert_close(samples->contact_velocity[i], reference->contact_velocity[i], 0.0, 1e-11);
        }
        carom_impact_samples_free(samples);
    }
    carom_impact_samples_free(reference);
    carom_impact_problem_free(box);
}

TEST(unit, caps_at_the_corners_reach_the_extents_of_the_reference) {
    // Section 3.4: the sequence's speeds of B, and 0.3721 of A, which was found numerically.
    carom_impact_problem *box = default_problem();
    const carom_impact_sampling_params params = table_6(CAROM_CAPS_CORNERS);
    carom_impact_samples *samples = sample(box, &params);
    double lift = 0.0;
    double rise = 0.0;
    double slide = 0.0;
    for (int i = 0; i < samples->count; i++) {
        const double *c = samples->contact_velocity + i * ROWS;
        if (samples->is_finished[i] != 0) {
            assert_close(c[NORMAL_A], 0.0, 0.0, 1e-13);
            lift = fmax(lift, c[NORMAL_B]);
            rise = fmin(rise, c[TANGENTIAL_B]);
            slide = fmax(slide, c[TANGENTIAL_A]);
        }
    }
    // No more than the extents; less by what a cap of almost zero in place of zero changes.
    assert_close(lift, 0.10564229, 0.0, 1e-6);
    ck_assert_double_le(lift, 0.10564229 + EIGHT_DECIMALS);
    assert_close(rise, -0.07254217, 0.0, 1e-6);
    ck_assert_double_ge(rise, -0.07254217 - EIGHT_DECIMALS);
    ck_assert_double_le(slide, 0.37215);
    ck_assert_double_gt(slide, 0.36);
    carom_impact_samples_free(samples);
    carom_impact_problem_free(box);
}

TEST(property, units_scale_the_set) {
    // Speeds by a, masses by b, lengths by c: caps scale with b a, and nothing else changes.
    const double a = 2.385;
    const double b = 0.731;
    const double c = 1.93;
    carom_leaning_box_params params = carom_leaning_box_params_default();
    carom_impact_problem *box = make_problem(&params);
    params.initial_velocity *= a;
    params.mass *= b;
    params.side *= c;
    carom_impact_problem *other = make_problem(&params);
    carom_impact_sampling_params sampling = table_6(CAROM_CAPS_UNIFORM);
    sampling.samples = 1024;
    carom_impact_samples *first = sample(box, &sampling);
    sampling.impulse_step *= a * b;
    carom_impact_samples *second = sample(other, &sampling);
    for (int i = 0; i < first->count; i++) {
        ck_assert_int_eq(second->increments[i], first->increments[i]);
        for (int k = 0; k < ROWS; k++) {
            // Rounding of a few increments on speeds of order one.
            assert_close(second->contact_velocity[i * ROWS + k],
                         a * first->contact_velocity[i * ROWS + k], 0.0, 1e-11);
        }
    }
    carom_impact_samples_free(first);
    carom_impact_samples_free(second);
    carom_impact_problem_free(box);
    carom_impact_problem_free(other);
}

TEST(unit, just_below_the_friction_of_rest_the_box_slides_at_both_corners) {
    carom_leaning_box_params params = carom_leaning_box_params_default();
    const double least = carom_leaning_box_rest_friction(params.tilt);
    assert_close(least, tan(35.0 * 0.017453292519943295), 1e-14, 0.0);
    params.friction = least * (1.0 - 1e-3);
    carom_impact_problem *box = make_problem(&params);
    carom_impact_outcomes *outcomes = NULL;
    assert_ok(carom_impact_outcomes_alloc(box, &outcomes));
    assert_ok(carom_anitescu_potra_all(box, outcomes, NULL));
    ck_assert_int_eq(outcomes->count, 1);
    char letters[3];
    carom_contact_mode_letters(box, outcomes->contact_velocity, letters);
    ck_assert_str_eq(letters, "ss");
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(box);
}
