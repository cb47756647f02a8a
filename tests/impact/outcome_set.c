/* The outcomes of a law as a set: which are one, what they keep of the energy, and how far two sets
 * are from each other. */
#include "random_impacts.h"

#include "../failing_malloc.h"

#include <carom/impact/internal.h>

/** Three balls of 1 kg in a row, the first comes with 1 m/s; contacts without tangents. */
static carom_impact_problem *cradle(void) {
    const double M[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    const double normal[6] = {-1.0, 1.0, 0.0, 0.0, -1.0, 1.0};
    const double tangential[6] = {0.0};
    const double friction[2] = {0.0};
    const double v[3] = {1.0, 0.0, 0.0};
    carom_impact_problem *problem;
    assert_ok(
        carom_impact_problem_alloc(3, 2, 1, M, normal, tangential, friction, v, &problem, NULL));
    return problem;
}

enum { BALLS = 3, ROWS = 4, MOST = 6 };

/** Velocities as the result of a law. */
typedef struct list {
    int count;
    double v[MOST * BALLS];
    double c[MOST * ROWS];
    int is_finished[MOST];
    carom_impact_result result;
} list;

static void add_velocity(list *l, double a, double b, double c, bool is_finished) {
    double *v = l->v + BALLS * l->count;
    v[0] = a;
    v[1] = b;
    v[2] = c;
    l->c[ROWS * l->count] = b - a;
    l->c[ROWS * l->count + 1] = c - b;
    l->is_finished[l->count] = is_finished ? 1 : 0;
    l->count++;
}

static carom_outcome_set set_of(const carom_impact_problem *problem, list *l) {
    l->result = (carom_impact_result){.count = l->count,
                                      .velocity = l->v,
                                      .contact_velocity = l->c,
                                      .is_finished = l->is_finished};
    carom_outcome_set set;
    assert_ok(carom_outcome_set_fill(problem, &l->result, &set));
    return set;
}

TEST(unit, the_two_laws_of_the_cradle_are_as_far_apart_as_their_velocities) {
    // (0, 0, 1) and (-1, 2, 2)/3: |difference| = sqrt(6)/3, beside |(1, 0, 0)| = 1.
    carom_impact_problem *problem = cradle();
    list reflections = {0};
    list moreau = {0};
    add_velocity(&reflections, 0.0, 0.0, 1.0, true);
    add_velocity(&moreau, -1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0, true);
    carom_outcome_set one = set_of(problem, &reflections);
    carom_outcome_set other = set_of(problem, &moreau);
    assert_close(carom_outcome_set_distance(problem, &one, &other), sqrt(6.0) / 3.0, 1e-15, 0.0);
    assert_close(carom_outcome_set_distance(problem, &other, &one), sqrt(6.0) / 3.0, 1e-15, 0.0);
    assert_close(one.least_energy, 1.0, 1e-15, 0.0);
    assert_close(other.most_energy, 1.0, 1e-15, 0.0);
    // The first contact is at rest, the second one lifts; velocities alone tell of no impulse.
    ck_assert_int_eq(one.mode_count, 1);
    ck_assert(isnan(one.impulse[0]));
    carom_outcome_set_clear(&one);
    carom_outcome_set_clear(&other);
    carom_impact_problem_free(problem);
}

TEST(unit, outcomes_within_the_merging_speed_are_one_and_unfinished_ones_none) {
    carom_impact_problem *problem = cradle();
    list all = {0};
    add_velocity(&all, 0.0, 0.0, 0.8, true);
    add_velocity(&all, 0.0, 4e-6, 0.8, true);
    add_velocity(&all, 0.3, 0.3, 0.4, true);
    add_velocity(&all, 0.2, 0.3, 0.5, false);
    add_velocity(&all, 0.0, 2e-5, 0.8, true);
    carom_outcome_set set = set_of(problem, &all);
    ck_assert_int_eq(set.count, 3);
    assert_close(set.velocity[BALLS], 0.3, 0.0, 0.0);
    assert_close(set.least_energy, 0.09 + 0.09 + 0.16, 1e-14, 0.0);
    assert_close(set.most_energy, 0.64, 1e-9, 0.0);
    // All of them end with the first contact at rest and the other one lifting.
    ck_assert_int_eq(set.mode_count, 1);
    carom_outcome_set_clear(&set);
    ck_assert_int_eq(set.count, 0);
    carom_impact_problem_free(problem);
}

TEST(unit, a_set_is_as_far_from_a_part_of_it_as_its_farthest_outcome) {
    carom_impact_problem *problem = cradle();
    list few = {0};
    list many = {0};
    add_velocity(&few, 0.0, 0.0, 1.0, true);
    add_velocity(&many, 0.0, 0.0, 1.0, true);
    add_velocity(&many, 0.0, 0.3, 0.6, true);
    add_velocity(&many, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, true);
    carom_outcome_set part = set_of(problem, &few);
    carom_outcome_set whole = set_of(problem, &many);
    assert_close(carom_outcome_set_distance(problem, &part, &whole), 0.0, 0.0, 0.0);
    assert_close(carom_outcome_set_distance(problem, &whole, &part), sqrt(6.0) / 3.0, 1e-15, 0.0);
    ck_assert_int_eq(whole.mode_count, 3);
    // Of three, the second is the nearest one: 0.1 away.
    list around = {0};
    add_velocity(&around, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, true);
    add_velocity(&around, 0.0, 0.0, 0.9, true);
    add_velocity(&around, 0.0, 0.3, 0.6, true);
    carom_outcome_set others = set_of(problem, &around);
    assert_close(carom_outcome_set_distance(problem, &part, &others), 0.1, 1e-14, 0.0);
    carom_outcome_set_clear(&others);
    carom_outcome_set none = {0};
    ck_assert(isnan(carom_outcome_set_distance(problem, &none, &part)));
    ck_assert(isnan(carom_outcome_set_distance(problem, &part, &none)));
    carom_outcome_set_clear(&part);
    carom_outcome_set_clear(&whole);
    carom_impact_problem_free(problem);
}

TEST(property, the_distance_is_that_of_the_kinetic_metric) {
    // |v_a - v_b|_M / |v-|_M for any full mass matrix, here by x'M x.
    gsl_rng *generator = seeded_generator(20261127UL);
    for (int k = 0; k < 100; k++) {
        plain_impact plain;
        random_plain(generator, GENERIC, 2, &plain);
        carom_impact_problem *problem = problem_of_plain(&plain);
        const int n = problem->coordinate_count;
        double v[2][MOST_COORDINATES];
        double c[2][3 * MOST_COORDINATES];
        carom_outcome_set sets[2];
        for (int s = 0; s < 2; s++) {
            for (int i = 0; i < n; i++) {
                v[s][i] = uniform(generator, -1.0, 1.0);
            }
            for (int a = 0; a < problem->row_count; a++) {
                c[s][a] = 0.0;
                for (int i = 0; i < n; i++) {
                    c[s][a] += problem->contact_jacobian[a * n + i] * v[s][i];
                }
            }
            const carom_impact_result result = {
                .count = 1, .velocity = v[s], .contact_velocity = c[s]};
            assert_ok(carom_outcome_set_fill(problem, &result, &sets[s]));
        }
        double square = 0.0;
        double before = 0.0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                const double m = problem->mass[i * n + j];
                square += (v[0][i] - v[1][i]) * m * (v[0][j] - v[1][j]);
                before += problem->velocity[i] * m * problem->velocity[j];
            }
        }
        assert_close(carom_outcome_set_distance(problem, &sets[0], &sets[1]), sqrt(square / before),
                     1e-12, 0.0);
        carom_outcome_set_clear(&sets[0]);
        carom_outcome_set_clear(&sets[1]);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

TEST(errors, allocations_that_fail_are_reported) {
    carom_impact_problem *problem = cradle();
    list all = {0};
    add_velocity(&all, 0.0, 0.0, 1.0, true);
    carom_outcome_set set = set_of(problem, &all);
    carom_outcome_set_clear(&set);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    for (int k = 0; status == CAROM_STATUS_OUT_OF_MEMORY; k++) {
        successes_left = k;
        status = carom_outcome_set_fill(problem, &all.result, &set);
        successes_left = -1;
        failures += status == CAROM_OK ? 0 : 1;
        carom_outcome_set_clear(&set);
    }
    assert_ok(status);
    ck_assert_int_eq(failures, 6);
    carom_impact_problem_free(problem);
}
