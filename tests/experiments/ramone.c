/* The footfall of RAMone beyond what the paper prints: reference values [C] of the specification,
 * from an independent program, unless said otherwise. */
#include <carom/impact/anitescu_potra.h>
#include <carom/impact/contact_modes.h>
#include <carom/impact/impact_inclusion.h>
#include <carom/models/ramone.h>

#include "../support.h"

#include <gsl/gsl_math.h>

enum { FEET = 2, ROWS = 4 };

/** Gaps up to this are closed, m: the model closes them to rounding. */
#define TOUCHING 1e-9

/** The reference velocities have eight decimals. */
#define LAST_DIGIT 1e-8

static carom_impact_problem *problem_of(const carom_ramone_params *robot) {
    carom_impact_scene *scene = NULL;
    carom_impact_problem *problem = NULL;
    assert_ok(carom_ramone_alloc(robot, &scene, NULL));
    assert_ok(carom_impact_problem_of_mechanism(carom_impact_scene_mechanism(scene),
                                                scene->position, scene->velocity, TOUCHING, NULL,
                                                &problem, NULL));
    carom_impact_scene_free(scene);
    return problem;
}

static int count_solutions(const carom_ramone_params *robot) {
    carom_impact_problem *problem = problem_of(robot);
    carom_impact_outcomes *outcomes = NULL;
    assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
    assert_ok(carom_anitescu_potra_all(problem, outcomes, NULL));
    const int count = outcomes->count;
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
    return count;
}

/** Solutions with one angle, in degrees. */
static int count_at(int angle, double degrees) {
    carom_ramone_params robot = carom_ramone_params_default();
    double *const angles[] = {&robot.trunk_angle, &robot.leading_hip, &robot.leading_knee,
                              &robot.trailing_hip};
    *angles[angle] = degrees * (M_PI / 180.0);
    return count_solutions(&robot);
}

TEST(unit, three_outcomes_exist_in_a_narrow_window_of_each_angle_alone) {
    const double edges[][2] = {
        {15.9734, 16.0091}, {-70.0386, -69.9865}, {-2.0706, -1.9754}, {69.9143, 70.0286}};
    /* Twice the last digit of the reference. */
    const double beside = 2e-4;
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(count_at(i, edges[i][0] - beside), 1);
        ck_assert_int_eq(count_at(i, edges[i][0] + beside), 3);
        ck_assert_int_eq(count_at(i, edges[i][1] - beside), 3);
        ck_assert_int_eq(count_at(i, edges[i][1] + beside), 1);
    }
}

/** Whether some solution has these speeds, normal then tangential. */
static bool has_solution(const carom_contact_mode_solutions *solutions, const double *c) {
    for (int i = 0; i < solutions->count; i++) {
        double distance = 0.0;
        for (int k = 0; k < ROWS; k++) {
            distance = fmax(distance, fabs(solutions->velocity[i * ROWS + k] - c[k]));
        }
        if (distance <= LAST_DIGIT) {
            return true;
        }
    }
    return false;
}

TEST(unit, an_increment_has_the_three_velocities_of_the_reference) {
    const carom_ramone_params robot = carom_ramone_params_default();
    const double caps[] = {0.5, 0.5};
    const double expected[][ROWS] = {{-0.30270539, 0.00014262, 0.0, -0.01179091},
                                     {-0.30278580, 0.0, 0.0, 0.0},
                                     {-0.30272838, 0.0, 0.0, -0.00841284}};
    carom_impact_problem *problem = problem_of(&robot);
    carom_contact_modes *modes = NULL;
    carom_contact_mode_solutions *solutions = NULL;
    assert_ok(carom_contact_modes_alloc(problem, CAROM_CONTACT_MODES_CAPPED, &modes, NULL));
    assert_ok(carom_contact_mode_solutions_alloc(modes, &solutions));
    assert_ok(carom_contact_modes_solve(modes, problem->contact_velocity, caps, solutions));
    ck_assert_int_eq(solutions->count, 3);
    for (int i = 0; i < 3; i++) {
        ck_assert(has_solution(solutions, expected[i]));
    }
    carom_contact_mode_solutions_free(solutions);
    carom_contact_modes_free(modes);
    carom_impact_problem_free(problem);
}

/** Samples of every run below. */
enum { SAMPLES = 1 << 13 };

static carom_impact_samples *sample_with(carom_increment_selection selection) {
    const carom_ramone_params robot = carom_ramone_params_default();
    carom_impact_problem *problem = problem_of(&robot);
    carom_impact_sampling_params params = carom_impact_sampling_params_default();
    params.samples = SAMPLES;
    params.trajectory_length = 10;
    params.impulse_step = 1.0;
    params.selection = selection;
    carom_impact_samples *samples = NULL;
    assert_ok(carom_impact_sample(problem, &params, &samples, NULL));
    carom_impact_problem_free(problem);
    return samples;
}

/** Share of the samples in which B lifts, slides or sticks: 0, 1, 2; A sticks in all. */
static void find_shares(const carom_impact_samples *samples, double *shares) {
    const double resting = 1e-7;
    for (int i = 0; i < samples->count; i++) {
        const double *c = samples->contact_velocity + i * ROWS;
        ck_assert(samples->is_finished[i] != 0);
        ck_assert(fabs(c[0]) <= resting && fabs(c[FEET]) <= resting);
        shares[c[1] > resting ? 0 : fabs(c[FEET + 1]) > resting ? 1 : 2] += 1.0 / samples->count;
    }
}

TEST(property, the_selection_among_solutions_decides_which_outcomes_appear) {
    const carom_increment_selection selections[] = {
        CAROM_SELECTION_LEMKE, CAROM_SELECTION_LEMKE_SCALED, CAROM_SELECTION_RANDOM};
    /* Lemke's path from ones always ends in lifting, from the scaled vector always in sticking. */
    const double expected[][3] = {
        {1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}};
    const double means[] = {2.9952, 2.9952, 3.0037};
    for (int i = 0; i < 3; i++) {
        carom_impact_samples *samples = sample_with(selections[i]);
        double shares[3] = {0.0, 0.0, 0.0};
        find_shares(samples, shares);
        for (int k = 0; k < 3; k++) {
            /* Four standard errors of a share, and rounding of the sum. */
            const double error = sqrt(expected[i][k] * (1.0 - expected[i][k]) / SAMPLES);
            assert_close(shares[k], expected[i][k], 0.0, 4.0 * error + 1e-12);
        }
        /* Four standard errors of ours, from the deviation 0.976 of an increment count, and of the
         * reference's. */
        assert_close(samples->mean_increments, means[i], 0.0,
                     4.0 * hypot(0.976 / sqrt(SAMPLES), 0.0038));
        ck_assert(samples->unsolved_count == 0 && samples->energy_rise_count == 0);
        carom_impact_samples_free(samples);
    }
}
