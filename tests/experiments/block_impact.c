/**
 * The sampled impact of the block of halm-2023, table 4, against the specification's reference
 * values of an independent prototype (its sections 5.2 and 5.3) and against closed forms.
 */
#include "../support.h"

#include <carom/impact/impact_inclusion.h>
#include <carom/impact/impulse_increment.h>
#include <carom/models/internal.h>

/** Rows of contact space: normal A, normal B, tangential A, tangential B. */
enum { ROWS = 4 };

/** Samples of a test: 8192 take some 30 ms. */
enum { SAMPLES = 8192 };

/** Standard deviation of the number of increments, from the histogram of section 5.2. */
static const double DEVIATION = 0.779;

/** The block as an impact problem; the scene is not needed any more. */
static carom_impact_problem *make_problem(const carom_rigid_block_params *params) {
    carom_impact_scene *scene = NULL;
    carom_impact_problem *problem = NULL;
    assert_ok(carom_rigid_block_alloc(params, &scene, NULL));
    assert_ok(carom_impact_problem_of_mechanism(carom_impact_scene_mechanism(scene),
                                                scene->position, scene->velocity, 1e-9, NULL,
                                                &problem, NULL));
    carom_impact_scene_free(scene);
    return problem;
}

/** Table 4 with fewer samples. */
static carom_impact_sampling_params table_4(void) {
    carom_impact_sampling_params params = carom_impact_sampling_params_default();
    params.samples = SAMPLES;
    params.trajectory_length = 10;
    params.impulse_step = 0.3;
    params.seed = 20;
    return params;
}

static carom_impact_samples *sample(const carom_rigid_block_params *block,
                                    const carom_impact_sampling_params *params) {
    carom_impact_problem *problem = make_problem(block);
    carom_impact_samples *samples = NULL;
    assert_ok(carom_impact_sample(problem, params, &samples, NULL));
    carom_impact_problem_free(problem);
    return samples;
}

TEST(unit, two_increments_have_the_velocities_of_the_reference) {
    // Section 5.3, eight decimals printed.
    static const struct {
        double caps[2];
        double normal[2];
    } table[] = {{{0.3, 0.1}, {-0.00765057, -0.07823881}},
                 {{0.1, 0.25}, {-0.11941528, -0.0664741}}};
    const carom_rigid_block_params params = carom_rigid_block_params_default();
    carom_impact_problem *block = make_problem(&params);
    carom_impulse_increment *increment = NULL;
    carom_increment_work *work = NULL;
    assert_ok(carom_impulse_increment_alloc(block, 0, &increment, NULL));
    assert_ok(carom_increment_work_alloc(increment, &work));
    for (int i = 0; i < 2; i++) {
        double impulse[ROWS];
        double speeds[ROWS];
        assert_ok(carom_impulse_increment_solve(increment, block->contact_velocity, table[i].caps,
                                                NULL, impulse, work, NULL));
        carom_impact_add_impulse(block, impulse, block->contact_velocity, speeds);
        assert_close(speeds[0], table[i].normal[0], 0.0, 5e-9);
        assert_close(speeds[1], table[i].normal[1], 0.0, 5e-9);
        assert_close(speeds[2], 0.0, 0.0, 1e-15);
        assert_close(speeds[3], 0.0, 0.0, 1e-15);
    }
    carom_increment_work_free(work);
    carom_impulse_increment_free(increment);
    carom_impact_problem_free(block);
}

TEST(unit, counts_are_those_of_the_reference_within_four_standard_errors) {
    const carom_rigid_block_params block = carom_rigid_block_params_default();
    const carom_impact_sampling_params params = table_4();
    carom_impact_samples *samples = sample(&block, &params);
    // Section 5.2: mean and histogram of 2^20 samples, whose own errors are a tenth of ours.
    static const double histogram[] = {0.0686, 0.4913, 0.3530, 0.0768, 0.0096, 0.0008};
    assert_close(samples->mean_increments, 2.4701, 0.0, 4.4 * DEVIATION / sqrt(SAMPLES));
    int counts[6] = {0};
    for (int i = 0; i < samples->count; i++) {
        ck_assert_int_ge(samples->increments[i], 1);
        ck_assert_int_le(samples->increments[i], 8);
        if (samples->increments[i] <= 6) {
            counts[samples->increments[i] - 1]++;
        }
    }
    for (int k = 0; k < 6; k++) {
        const double p = histogram[k];
        assert_close((double)counts[k] / SAMPLES, p, 0.0, 4.4 * sqrt(p * (1.0 - p) / SAMPLES));
    }
    // (1 - 0.2214723/0.3)^2 of section 3.1, with the closed form of the impulse.
    const double closed = pow(1.0 - 0.5 * 0.44294469180700204 / 0.3, 2.0);
    assert_close((double)counts[0] / SAMPLES, closed, 0.0,
                 4.0 * sqrt(closed * (1.0 - closed) / SAMPLES));
    carom_impact_samples_free(samples);
}

TEST(unit, outcomes_rest_or_pivot_as_often_as_in_the_reference) {
    const carom_rigid_block_params block = carom_rigid_block_params_default();
    const carom_impact_sampling_params params = table_4();
    carom_impact_samples *samples = sample(&block, &params);
    // Section 5.2: B lifts, A lifts, both stick; zero is what lies below 1e-7 m/s.
    static const double shares[] = {0.3348, 0.3336, 0.3315};
    int counts[3] = {0};
    for (int i = 0; i < samples->count; i++) {
        const double *c = samples->contact_velocity + ROWS * i;
        ck_assert_int_eq(samples->is_finished[i], 1);
        counts[c[1] > 1e-7 ? 0 : c[0] > 1e-7 ? 1 : 2]++;
    }
    for (int k = 0; k < 3; k++) {
        const double p = shares[k];
        assert_close((double)counts[k] / SAMPLES, p, 0.0, 4.4 * sqrt(p * (1.0 - p) / SAMPLES));
    }
    carom_impact_samples_free(samples);
}

TEST(unit, other_distributions_have_the_means_of_the_reference) {
    // Section 5.2; its own samples were no more than ours.
    static const struct {
        carom_cap_distribution distribution;
        double mean;
    } table[] = {{CAROM_CAPS_SOBOL, 2.467}, {CAROM_CAPS_SIMPLEX, 2.571}};
    const carom_rigid_block_params block = carom_rigid_block_params_default();
    for (int k = 0; k < 2; k++) {
        carom_impact_sampling_params params = table_4();
        params.distribution = table[k].distribution;
        carom_impact_samples *samples = sample(&block, &params);
        assert_close(samples->mean_increments, table[k].mean, 0.0,
                     4.0 * sqrt(2.0) * DEVIATION / sqrt(SAMPLES));
        carom_impact_samples_free(samples);
    }
}

TEST(unit, small_steps_concentrate_the_samples) {
    // Section 4.4: with h = 0.03 N s the largest speed is 0.047 m/s, half of the set's 0.093; the
    // largest of so many samples varies by a tenth.
    const carom_rigid_block_params block = carom_rigid_block_params_default();
    carom_impact_sampling_params params = table_4();
    params.impulse_step = 0.03;
    params.trajectory_length = 64;
    params.samples = 4096;
    carom_impact_samples *samples = sample(&block, &params);
    double largest = 0.0;
    for (int i = 0; i < samples->count; i++) {
        const double *c = samples->contact_velocity + ROWS * i;
        ck_assert_int_eq(samples->is_finished[i], 1);
        largest = fmax(largest, fmax(c[0], c[1]));
    }
    assert_close(largest, 0.047, 0.15, 0.0);
    carom_impact_samples_free(samples);
}

TEST(property, every_outcome_lies_in_the_exact_set_with_its_length) {
    // Blocks of other shapes, slender and wide (e < 0), heavy and light.
    static const double shapes[][4] = {{1.0, 2.0, 1.0, 1.0},
                                       {0.37, 2.385, 7.3, 0.9},
                                       {1.9, 1.1, 0.23, 1.4},
                                       {3.1, 1.3, 41.0, 2.2}};
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        carom_rigid_block_params block = carom_rigid_block_params_default();
        block.width = shapes[k][0];
        block.height = shapes[k][1];
        block.mass = shapes[k][2];
        block.friction = shapes[k][3];
        carom_rigid_block_exact exact;
        assert_ok(carom_rigid_block_exact_compute(&block, &exact, NULL));
        carom_impact_sampling_params params = table_4();
        params.samples = 1000;
        params.trajectory_length = 40;
        params.impulse_step = 0.6 * exact.corner_impulse;
        carom_impact_samples *samples = sample(&block, &params);
        ck_assert_int_eq((int)samples->energy_rise_count, 0);
        ck_assert_int_eq((int)samples->unsolved_count, 0);
        for (int i = 0; i < samples->count; i++) {
            const double *c = samples->contact_velocity + ROWS * i;
            ck_assert_int_eq(samples->is_finished[i], 1);
            // Criterion 6 of the specification; lengths up to the rounding of sums.
            assert_close(carom_rigid_block_exact_distance(&exact, c), 0.0, 0.0, 1e-9);
            assert_close(fmax(fabs(c[2]), fabs(c[3])), 0.0, 0.0, 1e-9);
            assert_close(samples->impulse[i],
                         carom_rigid_block_exact_length(&exact, fmax(c[0], c[1])), 1e-9, 0.0);
        }
        carom_impact_samples_free(samples);
    }
}

TEST(property, set_scales_with_the_speed_at_fixed_speed_over_step) {
    // Positive homogeneity (section 2.6): counts stay, velocities scale.
    carom_rigid_block_params block = carom_rigid_block_params_default();
    carom_impact_sampling_params params = table_4();
    params.samples = 500;
    carom_impact_samples *once = sample(&block, &params);
    const double factor = 7.25;
    block.initial_speed *= factor;
    params.impulse_step *= factor;
    carom_impact_samples *more = sample(&block, &params);
    for (int i = 0; i < once->count; i++) {
        ck_assert_int_eq(once->increments[i], more->increments[i]);
        for (int k = 0; k < ROWS; k++) {
            // Rounding of a few increments of speeds up to 3 m/s.
            assert_close(more->contact_velocity[ROWS * i + k],
                         factor * once->contact_velocity[ROWS * i + k], 0.0, 1e-13);
        }
    }
    carom_impact_samples_free(more);
    carom_impact_samples_free(once);
}

TEST(property, exchanged_caps_mirror_the_outcome) {
    // The block is symmetric: caps (a, b) and (b, a) exchange the corners.
    const carom_rigid_block_params params = carom_rigid_block_params_default();
    carom_impact_problem *block = make_problem(&params);
    carom_impulse_increment *increment = NULL;
    carom_increment_work *work = NULL;
    assert_ok(carom_impulse_increment_alloc(block, 0, &increment, NULL));
    assert_ok(carom_increment_work_alloc(increment, &work));
    gsl_rng *generator = seeded_generator(41);
    for (int i = 0; i < 200; i++) {
        const double caps[2] = {uniform(generator, 0.0, 0.4), uniform(generator, 0.0, 0.4)};
        const double swapped[2] = {caps[1], caps[0]};
        double impulse[ROWS];
        double c[ROWS];
        double mirror[ROWS];
        assert_ok(carom_impulse_increment_solve(increment, block->contact_velocity, caps, NULL,
                                                impulse, work, NULL));
        carom_impact_add_impulse(block, impulse, block->contact_velocity, c);
        assert_ok(carom_impulse_increment_solve(increment, block->contact_velocity, swapped, NULL,
                                                impulse, work, NULL));
        carom_impact_add_impulse(block, impulse, block->contact_velocity, mirror);
        assert_close(c[0], mirror[1], 0.0, 1e-14);
        assert_close(c[1], mirror[0], 0.0, 1e-14);
        assert_close(c[2], -mirror[3], 0.0, 1e-14);
    }
    gsl_rng_free(generator);
    carom_increment_work_free(work);
    carom_impulse_increment_free(increment);
    carom_impact_problem_free(block);
}

TEST(errors, a_rising_block_is_returned_unchanged) {
    carom_rigid_block_params block = carom_rigid_block_params_default();
    block.initial_speed = -0.3;
    carom_impact_sampling_params params = table_4();
    params.samples = 10;
    carom_impact_samples *samples = sample(&block, &params);
    for (int i = 0; i < samples->count; i++) {
        ck_assert_int_eq(samples->increments[i], 0);
        ck_assert_int_eq(samples->is_finished[i], 1);
        assert_close(samples->velocity[3 * i + 1], 0.3, 0.0, 0.0);
    }
    carom_impact_samples_free(samples);
}

TEST(errors, sobol_trajectories_have_a_longest_length) {
    const carom_rigid_block_params block = carom_rigid_block_params_default();
    carom_impact_problem *problem = make_problem(&block);
    carom_impact_sampling_params params = table_4();
    params.distribution = CAROM_CAPS_SOBOL;
    params.trajectory_length = CAROM_CAPS_MOST_DIMENSIONS / 2 + 1;
    carom_impact_samples *samples = NULL;
    assert_status(carom_impact_sample(problem, &params, &samples, NULL), OUT_OF_RANGE);
    ck_assert_ptr_null(samples);
    carom_impact_problem_free(problem);
}
