/* Every outcome that sections 3.1 to 3.6 and 5.3 of the specification print for the five systems of
 * halm-2023, by the library and by linear programs on matrices from positions of points. */
#include "published_systems.h"

#include <carom/impact/anitescu_potra.h>
#include <carom/impact/contact_modes.h>
#include <carom/impact/impact_inclusion.h>
#include <carom/impact/impulse_increment.h>

/* Printed with eight decimals: half a unit of the last, and some rounding. */
static const double PRINTED = 6e-9;

/* Speeds (normal ones, then tangential ones) and energy of a printed outcome. */
typedef struct printed_outcome {
    double c[MOST_ROWS];
    double energy;         /* NaN: not printed */
    double impulse[4];     /* NaN: not unique, or not printed */
    double impulse_digits; /* half a unit of the last digit */
} printed_outcome;

static const printed_outcome BLOCK_OUTCOMES[] = {
    {{0}, 0.0, {0.2214723, 0.2214723, NAN, NAN}, 6e-8}};
static const printed_outcome COMPASS_OUTCOMES[] = {
    {{0, 0.09955518, 0, 0.19801960}, 0.04538818, {0.122824, 0, 0.239417, 0}, 6e-7},
    {{0, 0, 0, 0.12849043}, 0.02799807, {0.164136, 0.022688, 0.293907, -0.113439}, 6e-7},
    {{0}, 0.0, {0.308433, 0.180641, 0.601217, -0.549239}, 6e-7}};
static const printed_outcome BOX_OUTCOMES[] = {{{0}, 0.0, {NAN, NAN, NAN, NAN}, 0.0}};
static const printed_outcome RAMONE_OUTCOMES[] = {
    {{0, 0.00033082, 0, -0.02735009}, 0.72648596, {1.159796, 0, 1.190337, 0}, 6e-7},
    {{0, 0, 0, -0.01951630}, 0.72643295, {1.159912, 2.26e-8, 1.190478, 0.002262}, 6e-7},
    {{0}, 0.72637775, {1.160202, 0.000470, 1.190831, 0.007918}, 6e-7}};
static const printed_outcome DISK_OUTCOMES[] = {{{0}, 0.0, {NAN, NAN, NAN, NAN}, 0.0}};

static const printed_outcome *const OUTCOMES[PUBLISHED_SYSTEMS] = {
    BLOCK_OUTCOMES, COMPASS_OUTCOMES, BOX_OUTCOMES, RAMONE_OUTCOMES, DISK_OUTCOMES, DISK_OUTCOMES};
static const int OUTCOME_COUNTS[PUBLISHED_SYSTEMS] = {1, 3, 1, 3, 1, 1};

/* One increment from v-, with all of its solutions. */
typedef struct printed_increment {
    published_system system;
    double caps[MOST_CONTACTS];
    int count;
    double c[3][MOST_ROWS];
} printed_increment;

static const printed_increment INCREMENTS[] = {
    {BLOCK, {0.3, 0.1}, 1, {{-0.00765057, -0.07823881, 0, 0}}},
    {BLOCK, {0.1, 0.25}, 1, {{-0.11941528, -0.06647410, 0, 0}}},
    {BOX, {0.2, 0.5}, 1, {{-0.01805554, -0.25782874, 0.36022680, 0}}},
    {BOX, {0.05, 0.6}, 1, {{-0.07113132, -0.18386278, 0.58726854, 0}}},
    {BOX, {1.0, 0.3}, 1, {{0, -0.53838784, 0.53838784, 0}}},
    {BOX, {0.3, 0.58}, 1, {{-0.00324128, -0.11242953, 0.13081175, 0}}},
    {COMPASS,
     {0.1, 0.1},
     3,
     {{-0.09088461, 0.08105483, 0, 0.16122161},
      {-0.33050662, 0, 0, 0},
      {-0.19110529, 0, 0, 0.07828287}}},
    {COMPASS,
     {0.2, 0.2},
     3,
     {{-0.17193944, 0, 0, 0}, {0, 0.09955518, 0, 0.19801960}, {0, 0, 0, 0.12849043}}},
    {COMPASS, {0.2, 0.01}, 1, {{0, 0.09955518, 0, 0.19801960}}},
    {RAMONE,
     {0.5, 0.5},
     3,
     {{-0.30270539, 0.00014262, 0, -0.01179091},
      {-0.30278580, 0, 0, 0},
      {-0.30272838, 0, 0, -0.00841284}}},
    {DISKS_PRINTED,
     {0.3, 0.3, 0.3, 0.3, 0.3},
     1,
     {{-0.09331432, -0.09331432, -0.12005704, -0.12005704, -0.06433837, 0, 0, 0, 0, 0}}},
    {DISKS_PRINTED,
     {0.9, 0.2, 0.8, 0.1, 0.5},
     1,
     {{0, 0, 0, -0.18867513, 0, 0, 0, 0, -0.10893164, 0}}}};

enum { INCREMENT_COUNT = sizeof(INCREMENTS) / sizeof(INCREMENTS[0]) };

/* Positions differentiated by differences: 1e-10 (error of the differences, and the factors of
 * M^-1). */
TEST(unit, models_have_the_matrices_of_positions_of_points) {
    for (published_system s = 0; s < PUBLISHED_SYSTEMS; s++) {
        plain_impact plain;
        plain_system(s, &plain);
        carom_impact_problem *problem = problem_of_system(s);
        const int n = plain.n;
        const int r = 2 * plain.m;
        ck_assert_int_eq(problem->coordinate_count, n);
        ck_assert_int_eq(problem->contact_count, plain.m);
        ck_assert_int_eq(problem->row_count, r);
        for (int i = 0; i < n * n; i++) {
            assert_close(problem->mass[i], plain.M[i], 0.0, 1e-10);
        }
        for (int i = 0; i < r * n; i++) {
            assert_close(problem->contact_jacobian[i], plain.J[i], 0.0, 1e-10);
        }
        for (int i = 0; i < r * r; i++) {
            assert_close(problem->delassus_matrix[i], plain.C[i], 0.0, 2e-9);
        }
        for (int i = 0; i < r; i++) {
            assert_close(problem->contact_velocity[i], plain.c[i], 0.0, 1e-10);
        }
        carom_impact_problem_free(problem);
    }
}

/* The skewed tangents of the authors' programs come from rows of the printed stack. */
TEST(unit, skewed_tangents_of_the_model_are_those_of_positions) {
    plain_impact plain;
    plain_system(DISKS_CODE, &plain);
    carom_impact_scene *scene = scene_of_system(DISKS_CODE);
    carom_impact_problem *problem = NULL;
    assert_ok(carom_impact_problem_of_mechanism(carom_impact_scene_mechanism(scene),
                                                scene->position, scene->velocity, 1e-12, NULL,
                                                &problem, NULL));
    double rows[MOST_ROWS * MOST_COORDINATES];
    memcpy(rows, problem->contact_jacobian, sizeof(rows));
    carom_disk_stack_code_tangents(scene, rows, &rows[5 * 9]);
    for (int i = 0; i < 90; i++) {
        assert_close(rows[i], plain.J[i], 0.0, 1e-10);
    }
    for (int i = 0; i < 81; i++) {
        assert_close(problem->mass[i], plain.M[i], 0.0, 1e-10);
    }
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
}

/* Index of the printed outcome closest to c; fails if none is within the printed digits. */
static int printed_index(published_system system, int r, const double *c) {
    for (int k = 0; k < OUTCOME_COUNTS[system]; k++) {
        double farthest = 0.0;
        for (int a = 0; a < r; a++) {
            farthest = fmax(farthest, fabs(OUTCOMES[system][k].c[a] - c[a]));
        }
        if (farthest <= PRINTED) {
            return k;
        }
    }
    ck_abort_msg("%s has an outcome that is not printed", SYSTEM_NAMES[system]);
    return -1;
}

TEST(unit, simultaneous_outcomes_are_the_printed_ones_and_no_others) {
    for (published_system s = 0; s < PUBLISHED_SYSTEMS; s++) {
        carom_impact_problem *problem = problem_of_system(s);
        carom_impact_outcomes *outcomes = NULL;
        assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
        assert_ok(carom_anitescu_potra_all(problem, outcomes, NULL));
        ck_assert_msg(outcomes->count == OUTCOME_COUNTS[s], "%s: %d outcomes", SYSTEM_NAMES[s],
                      outcomes->count);
        const int r = problem->row_count;
        int seen = 0;
        for (int k = 0; k < outcomes->count; k++) {
            const int p = printed_index(s, r, &outcomes->contact_velocity[k * r]);
            const printed_outcome *printed = &OUTCOMES[s][p];
            seen |= 1 << p;
            assert_close(outcomes->kinetic_energy[k], printed->energy, 0.0, PRINTED);
            ck_assert(outcomes->residual[k] < 1e-10 && outcomes->multiplicity[k] >= 1);
            for (int a = 0; a < 4; a++) {
                const double *L = &outcomes->impulse[k * r];
                ck_assert_msg(isnan(printed->impulse[a]) ||
                                  fabs(L[a] - printed->impulse[a]) <= printed->impulse_digits,
                              "%s: outcome %d, impulse %d is %.9g", SYSTEM_NAMES[s], p, a, L[a]);
            }
        }
        ck_assert_int_eq(seen, (1 << OUTCOME_COUNTS[s]) - 1);
        carom_impact_outcomes_free(outcomes);
        carom_impact_problem_free(problem);
    }
}

/* The sliding foot of RAMone is at the limit of its cone: L_n = L_t / 1e5, nine digits of it. */
TEST(unit, tiny_impulse_of_the_sliding_foot_has_all_printed_digits) {
    carom_impact_problem *problem = problem_of_system(RAMONE);
    carom_impact_outcomes *outcomes = NULL;
    assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
    assert_ok(carom_anitescu_potra_all(problem, outcomes, NULL));
    bool is_found = false;
    for (int k = 0; k < outcomes->count; k++) {
        const double *L = &outcomes->impulse[4 * k];
        if (printed_index(RAMONE, 4, &outcomes->contact_velocity[4 * k]) == 1) {
            is_found = true;
            assert_close(L[1], 2.26e-8, 0.0, 6e-11);
            assert_close(L[3], 1e5 * L[1], 1e-9, 0.0);
        }
    }
    ck_assert(is_found);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
}

/* Linear programs on the matrices from positions: 4^m modes. */
TEST(unit, linear_programs_find_the_same_simultaneous_outcomes) {
    for (published_system s = 0; s < PUBLISHED_SYSTEMS; s++) {
        plain_impact plain;
        plain_outcomes all;
        plain_system(s, &plain);
        all_solutions(&plain, plain.c, NULL, &all);
        int seen = 0;
        for (int k = 0; k < all.count; k++) {
            seen |= 1 << printed_index(s, 2 * plain.m, all.c[k]);
        }
        ck_assert_int_eq(seen, (1 << OUTCOME_COUNTS[s]) - 1);
    }
}

static void increments_are(bool by_programs) {
    for (int k = 0; k < INCREMENT_COUNT; k++) {
        const printed_increment *printed = &INCREMENTS[k];
        carom_impact_problem *problem = problem_of_system(printed->system);
        const int r = problem->row_count;
        plain_outcomes found = {.count = 0};
        if (by_programs) {
            plain_impact plain;
            plain_system(printed->system, &plain);
            all_solutions(&plain, plain.c, printed->caps, &found);
        } else {
            carom_contact_modes *modes = NULL;
            carom_contact_mode_solutions *solutions = NULL;
            assert_ok(carom_contact_modes_alloc(problem, CAROM_CONTACT_MODES_CAPPED, &modes, NULL));
            assert_ok(carom_contact_mode_solutions_alloc(modes, &solutions));
            assert_ok(carom_contact_modes_solve(modes, problem->contact_velocity, printed->caps,
                                                solutions));
            ck_assert_int_eq(solutions->row_count, r);
            found.count = solutions->count;
            for (int l = 0; l < found.count; l++) {
                memcpy(found.c[l], &solutions->velocity[l * r], sizeof(double) * (size_t)r);
                ck_assert(solutions->residual[l] < 1e-10);
            }
            carom_contact_mode_solutions_free(solutions);
            carom_contact_modes_free(modes);
        }
        ck_assert_msg(found.count == printed->count, "row %d has %d solutions", k, found.count);
        for (int l = 0; l < printed->count; l++) {
            ck_assert_msg(find_plain(&found, r, printed->c[l], PRINTED) >= 0,
                          "row %d: solution %d is missing", k, l);
        }
        carom_impact_problem_free(problem);
    }
}

TEST(unit, increments_have_the_printed_solutions_and_no_others) {
    increments_are(false);
}

TEST(unit, linear_programs_find_the_same_increments) {
    increments_are(true);
}

TEST(unit, lemke_finds_one_of_the_printed_increments) {
    for (int k = 0; k < INCREMENT_COUNT; k++) {
        const printed_increment *printed = &INCREMENTS[k];
        carom_impact_problem *problem = problem_of_system(printed->system);
        const int r = problem->row_count;
        carom_impulse_increment *increment = NULL;
        carom_increment_work *work = NULL;
        carom_increment_report report;
        assert_ok(carom_impulse_increment_alloc(problem, 0, &increment, NULL));
        assert_ok(carom_increment_work_alloc(increment, &work));
        double L[MOST_ROWS];
        double c[MOST_ROWS];
        assert_ok(carom_impulse_increment_solve(increment, problem->contact_velocity, printed->caps,
                                                NULL, L, work, &report));
        carom_impact_add_impulse(problem, L, problem->contact_velocity, c);
        plain_outcomes expected = {.count = printed->count};
        for (int l = 0; l < printed->count; l++) {
            memcpy(expected.c[l], printed->c[l], sizeof(expected.c[l]));
        }
        ck_assert_msg(find_plain(&expected, r, c, PRINTED) >= 0, "row %d", k);
        ck_assert(report.residual < 1e-9);
        carom_increment_work_free(work);
        carom_impulse_increment_free(increment);
        carom_impact_problem_free(problem);
    }
}

/* Section 2.8.3: the outcome is a matter of the covering vector, but never the sliding one. */
TEST(property, lemke_lifts_or_rests_by_the_scaling_of_the_cone_rows) {
    const published_system systems[2] = {COMPASS, RAMONE};
    for (int k = 0; k < 2; k++) {
        carom_impact_problem *problem = problem_of_system(systems[k]);
        carom_impact_outcomes *outcomes = NULL;
        assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
        double ones[8];
        double scaled[8];
        for (int i = 0; i < 8; i++) {
            ones[i] = 1.0;
            scaled[i] = i < 6 ? 1.0 : problem->friction[i - 6];
        }
        assert_ok(carom_anitescu_potra_lemke(problem, 0, ones, outcomes, NULL));
        ck_assert_int_eq(printed_index(systems[k], 4, outcomes->contact_velocity), 0);
        carom_impact_outcomes_clear(outcomes);
        ck_assert_int_eq(outcomes->count, 0);
        assert_ok(carom_anitescu_potra_lemke(problem, 0, scaled, outcomes, NULL));
        ck_assert_int_eq(printed_index(systems[k], 4, outcomes->contact_velocity), 2);
        carom_impact_outcomes_free(outcomes);
        carom_impact_problem_free(problem);
    }
}

/* Covering vectors of all sizes, entries of exp(uniform(-6, 6)); the index argument excludes the
 * sliding outcome. An answer after rescues is another path's and not counted: none is expected. */
TEST(property, no_covering_vector_leads_to_the_sliding_outcome) {
    const unsigned long seed = 2831;
    gsl_rng *generator = seeded_generator(seed);
    const published_system systems[2] = {COMPASS, RAMONE};
    for (int k = 0; k < 2; k++) {
        carom_impact_problem *problem = problem_of_system(systems[k]);
        carom_impact_outcomes *outcomes = NULL;
        assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
        int seen[3] = {0, 0, 0};
        for (int trial = 0; trial < 1000; trial++) {
            double covering[8];
            for (int i = 0; i < 8; i++) {
                const double spread = trial % 2 == 0 ? 1.0 : 6.0;
                covering[i] = exp(uniform(generator, -spread, spread));
                covering[i] *= i >= 6 && trial % 4 < 2 ? problem->friction[i - 6] : 1.0;
            }
            carom_impact_outcomes_clear(outcomes);
            assert_ok(carom_anitescu_potra_lemke(problem, 0, covering, outcomes, NULL));
            ck_assert_int_eq(outcomes->count, 1);
            seen[printed_index(systems[k], 4, outcomes->contact_velocity)]++;
        }
        ck_assert_msg(seen[1] == 0, "%s: %d of 1000 slide", SYSTEM_NAMES[systems[k]], seen[1]);
        ck_assert_msg(seen[0] > 10 && seen[2] > 10, "%d lift, %d rest", seen[0], seen[2]);
        carom_impact_outcomes_free(outcomes);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

/* Whether rest is among the outcomes with this friction. */
static bool rests_with(published_system system, double mu) {
    plain_impact plain;
    plain_system(system, &plain);
    same_friction(&plain, mu);
    carom_impact_problem *problem = problem_of_plain(&plain);
    carom_impact_outcomes *outcomes = NULL;
    assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
    assert_ok(carom_anitescu_potra_all(problem, outcomes, NULL));
    bool is_found = false;
    for (int k = 0; k < outcomes->count; k++) {
        is_found = is_found ||
                   largest_of(2 * plain.m, &outcomes->contact_velocity[k * 2 * plain.m]) < 1e-9;
    }
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
    return is_found;
}

/* Thresholds of sections 3.3 to 3.5: printed with six digits, or a tangent. */
TEST(unit, rest_needs_the_printed_friction) {
    const double thresholds[3] = {3.04051, tan(35 * DEGREE), tan(15 * DEGREE)};
    const published_system systems[3] = {COMPASS, BOX, DISKS_PRINTED};
    for (int k = 0; k < 3; k++) {
        ck_assert(rests_with(systems[k], thresholds[k] + 1e-5));
        ck_assert(!rests_with(systems[k], thresholds[k] - 1e-5));
    }
}
