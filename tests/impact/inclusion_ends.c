/* Where random paths of the inclusion end: those of the paths followed one by one. */
#include "../failing_malloc.h"
#include "../support.h"

#include <carom/impact/impact_inclusion.h>

#include <string.h>

enum { PATHS = 24, CONTACTS = 2, ROWS = 2 * CONTACTS, COORDINATES = 3 };

/** The block of halm-2023, table 4, with less friction than its corners need to stick. */
static carom_impact_problem *block(void) {
    const double M[] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 5.0 / 12.0};
    const double J_n[] = {0.0, 1.0, -0.5, 0.0, 1.0, 0.5};
    const double J_t[] = {1.0, 0.0, 1.0, 1.0, 0.0, 1.0};
    const double mu[] = {0.2, 0.2};
    const double v[] = {0.1, -0.44, 0.3};
    carom_impact_problem *problem = NULL;
    assert_ok(
        carom_impact_problem_alloc(COORDINATES, CONTACTS, 1, M, J_n, J_t, mu, v, &problem, NULL));
    return problem;
}

static const carom_inclusion_random first = {CONTACTS, 77UL, 5UL, 0.05};

TEST(unit, ends_are_those_of_the_paths_one_by_one) {
    carom_impact_problem *problem = block();
    carom_inclusion_ends *ends = NULL;
    assert_ok(carom_inclusion_ends_find(problem, &first, PATHS, THREADS(1), &ends, NULL));
    ck_assert_int_eq(ends->count, PATHS);
    for (int i = 0; i < PATHS; i++) {
        carom_inclusion_random shares = first;
        shares.sample += (unsigned long)i;
        carom_planar_inclusion_params params = carom_planar_inclusion_params_default();
        params.policy = carom_inclusion_policy_random;
        params.context = &shares;
        carom_planar_inclusion_path *path = NULL;
        assert_ok(carom_planar_inclusion_run(problem, &params, &path, NULL));
        const int last = path->segment_count;
        ck_assert_mem_eq(ends->velocity + COORDINATES * i, path->velocity,
                         COORDINATES * sizeof(double));
        ck_assert_mem_eq(ends->speed + ROWS * i, path->speed + ROWS * last, ROWS * sizeof(double));
        assert_close(ends->kinetic_energy[i], path->kinetic_energy[last], 0.0, 0.0);
        assert_close(ends->impulse[i], path->s[last], 0.0, 0.0);
        assert_close(ends->energy_error[i], carom_planar_inclusion_energy_error(problem, path), 0.0,
                     0.0);
        ck_assert_int_eq(ends->segments[i], last);
        ck_assert_int_eq(ends->finished[i], 1);
        // Nothing closes any more, and nothing was won.
        ck_assert_double_ge(ends->speed[ROWS * i], 0.0);
        ck_assert_double_ge(ends->speed[ROWS * i + 1], 0.0);
        ck_assert_double_lt(ends->kinetic_energy[i], problem->kinetic_energy);
        carom_planar_inclusion_path_free(path);
    }
    carom_inclusion_ends_free(ends);
    carom_impact_problem_free(problem);
}

TEST(property, ends_do_not_depend_on_threads) {
    carom_impact_problem *problem = block();
    carom_inclusion_ends *one = NULL;
    carom_inclusion_ends *four = NULL;
    assert_ok(carom_inclusion_ends_find(problem, &first, PATHS, THREADS(1), &one, NULL));
    assert_ok(carom_inclusion_ends_find(problem, &first, PATHS, THREADS(4), &four, NULL));
    ck_assert_mem_eq(one->velocity, four->velocity, PATHS * COORDINATES * sizeof(double));
    ck_assert_mem_eq(one->speed, four->speed, PATHS * ROWS * sizeof(double));
    ck_assert_mem_eq(one->impulse, four->impulse, PATHS * sizeof(double));
    ck_assert_mem_eq(one->segments, four->segments, PATHS * sizeof(int));
    carom_inclusion_ends_free(four);
    carom_inclusion_ends_free(one);
    carom_impact_problem_free(problem);
}

TEST(errors, spatial_problems_are_refused) {
    const double M[4] = {1.0, 0.0, 0.0, 1.0};
    const double J_n[2] = {1.0, 0.0};
    const double J_t[4] = {0.0, 1.0, 0.0, 0.0};
    const double mu = 0.3;
    const double v[2] = {-1.0, 0.0};
    carom_inclusion_random shares = first;
    shares.contact_count = 1;
    carom_impact_problem *problem = NULL;
    assert_ok(carom_impact_problem_alloc(2, 1, 2, M, J_n, J_t, &mu, v, &problem, NULL));
    carom_inclusion_ends *ends = NULL;
    assert_status(carom_inclusion_ends_find(problem, &shares, PATHS, THREADS(1), &ends, NULL),
                  OUT_OF_RANGE);
    ck_assert_ptr_null(ends);
    carom_inclusion_ends_free(NULL);
    carom_impact_problem_free(problem);
}

TEST(errors, every_failed_allocation_is_reported_without_a_leak) {
    carom_impact_problem *problem = block();
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int k = 0;
    for (; status != CAROM_OK; k++) {
        ck_assert_int_lt(k, 200);
        carom_inclusion_ends *ends = NULL;
        successes_left = k;
        status = carom_inclusion_ends_find(problem, &first, 2, THREADS(1), &ends, NULL);
        successes_left = -1;
        ck_assert_int_eq(status == CAROM_OK, ends != NULL);
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
        carom_inclusion_ends_free(ends);
    }
    ck_assert_int_gt(k, 5);
    carom_impact_problem_free(problem);
}
