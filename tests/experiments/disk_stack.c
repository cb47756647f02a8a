/* The stack of discs beyond what the paper prints: reference values [C] of the specification, from
 * an independent program, unless said otherwise. */
#include <carom/impact/anitescu_potra.h>
#include <carom/impact/contact_modes.h>
#include <carom/impact/impact_inclusion.h>
#include <carom/models/disk_stack.h>

#include "../support.h"

#include <gsl/gsl_math.h>
#include <string.h>

/** Contacts, coordinates and rows of the published stack. */
enum { CONTACTS = 5, COORDINATES = 9, ROWS = 2 * CONTACTS };

/** Gaps up to this are closed, m: the model closes them to rounding. */
#define TOUCHING 1e-9

/** The stack with discs of a mass, and the tangents of the authors' programs or not. */
static carom_impact_problem *problem_of(double mass, bool is_skewed, double friction) {
    carom_disk_stack_params stack = carom_disk_stack_params_default();
    stack.mass = mass;
    stack.friction = friction;
    carom_impact_scene *scene = NULL;
    carom_impact_problem *printed = NULL;
    carom_impact_problem *problem = NULL;
    assert_ok(carom_disk_stack_alloc(&stack, &scene, NULL));
    assert_ok(carom_impact_problem_of_mechanism(carom_impact_scene_mechanism(scene),
                                                scene->position, scene->velocity, TOUCHING, NULL,
                                                &printed, NULL));
    double tangential[CONTACTS * COORDINATES];
    memcpy(tangential, printed->contact_jacobian + CONTACTS * COORDINATES, sizeof tangential);
    if (is_skewed) {
        carom_disk_stack_code_tangents(scene, printed->contact_jacobian, tangential);
    }
    assert_ok(carom_impact_problem_alloc(COORDINATES, CONTACTS, 1, printed->mass,
                                         printed->contact_jacobian, tangential, printed->friction,
                                         printed->velocity, &problem, NULL));
    carom_impact_problem_free(printed);
    carom_impact_scene_free(scene);
    return problem;
}

TEST(unit, increments_from_the_fall_are_those_of_the_reference) {
    const double caps[][CONTACTS] = {{0.3, 0.3, 0.3, 0.3, 0.3}, {0.9, 0.2, 0.8, 0.1, 0.5}};
    const double expected[][ROWS] = {
        {-0.09331432, -0.09331432, -0.12005704, -0.12005704, -0.06433837, 0.0, 0.0, 0.0, 0.0, 0.0},
        {0.0, 0.0, 0.0, -0.18867513, 0.0, 0.0, 0.0, 0.0, -0.10893164, 0.0}};
    carom_impact_problem *problem = problem_of(1.0, false, sqrt(3.0));
    carom_contact_modes *modes = NULL;
    carom_contact_mode_solutions *solutions = NULL;
    assert_ok(carom_contact_modes_alloc(problem, CAROM_CONTACT_MODES_CAPPED, &modes, NULL));
    assert_ok(carom_contact_mode_solutions_alloc(modes, &solutions));
    for (int i = 0; i < 2; i++) {
        assert_ok(carom_contact_modes_solve(modes, problem->contact_velocity, caps[i], solutions));
        ck_assert_int_eq(solutions->count, 1);
        for (int k = 0; k < ROWS; k++) {
            /* Eight decimals. The tangent at D may be told the other way round. */
            const double error = k == CONTACTS + 3
                                     ? fabs(solutions->velocity[k]) - fabs(expected[i][k])
                                     : solutions->velocity[k] - expected[i][k];
            assert_close(error, 0.0, 0.0, 1e-8);
        }
    }
    carom_contact_mode_solutions_free(solutions);
    carom_contact_modes_free(modes);
    carom_impact_problem_free(problem);
}

/** Whether rest is an outcome of the simultaneous law, and how many there are. */
static bool rests(carom_impact_problem *problem, int *count) {
    carom_impact_outcomes *outcomes = NULL;
    bool has_rest = false;
    assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
    assert_ok(carom_anitescu_potra_all(problem, outcomes, NULL));
    for (int i = 0; i < outcomes->count; i++) {
        double largest = 0.0;
        for (int k = 0; k < COORDINATES; k++) {
            largest = fmax(largest, fabs(outcomes->velocity[i * COORDINATES + k]));
        }
        has_rest = has_rest || largest <= 1e-7;
    }
    *count = outcomes->count;
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
    return has_rest;
}

TEST(unit, rest_is_the_only_simultaneous_outcome_of_both_variants) {
    int count = 0;
    ck_assert(rests(problem_of(1.0, false, sqrt(3.0)), &count) && count == 1);
    ck_assert(rests(problem_of(5.0, true, sqrt(3.0)), &count) && count == 1);
}

TEST(unit, rest_needs_a_friction_of_tan_15_degrees) {
    const double least = tan(M_PI / 12.0);
    int count = 0;
    ck_assert(!rests(problem_of(1.0, false, least * (1.0 - 1e-5)), &count));
    ck_assert(rests(problem_of(1.0, false, least * (1.0 + 1e-5)), &count));
}

/** Samples of every run below. */
enum { SAMPLES = 1 << 11 };

TEST(property, increments_per_sample_depend_on_mass_and_tangents) {
    const struct {
        double mass;
        bool is_skewed;
        double mean;
        double deviation; /* of an increment count, [C]: 0.80 and 1.05; others below these */
    } cases[] = {{1.0, false, 2.364, 0.80},
                 {1.0, true, 2.835, 0.85},
                 {5.0, false, 6.680, 1.15},
                 {5.0, true, 8.792, 1.06}};
    for (int i = 0; i < 4; i++) {
        carom_impact_problem *problem = problem_of(cases[i].mass, cases[i].is_skewed, sqrt(3.0));
        carom_impact_sampling_params params = carom_impact_sampling_params_default();
        params.samples = SAMPLES;
        params.trajectory_length = 10;
        params.impulse_step = 1.0;
        carom_impact_samples *samples = NULL;
        assert_ok(carom_impact_sample(problem, &params, &samples, NULL));
        /* Four standard errors, and those of the reference with 2^16 samples. */
        assert_close(samples->mean_increments, cases[i].mean, 0.0,
                     4.0 * cases[i].deviation * hypot(1.0 / sqrt(SAMPLES), 1.0 / 256.0));
        if (cases[i].is_skewed && cases[i].mass > 1.0) {
            /* The reference finishes 87.253 percent. */
            assert_close(samples->fraction_finished, 0.87253, 0.0,
                         4.0 * sqrt(0.87253 * 0.12747 / SAMPLES));
        } else if (cases[i].mass < 2.0) {
            ck_assert(samples->fraction_finished >= 1.0);
        }
        ck_assert(samples->unsolved_count == 0 && samples->energy_rise_count == 0);
        carom_impact_samples_free(samples);
        carom_impact_problem_free(problem);
    }
}
