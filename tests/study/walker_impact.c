/** Questions to the impact of a walker, on outcomes made by hand. */
#include "recorded_impact.h"

#include <carom/study/walker_impact.h>

enum { ROWS = CAROM_WALKER_ROWS };

/** Outcomes of the simultaneous law: B lifts off, slides, rests; rows normal A, B, tangential A, B.
 */
static double corners[3][ROWS] = {{0.0, 0.3, 0.0, 0.5}, {0.0, 0.0, 0.0, 0.4}, {0.0, 0.0, 0.0, 0.0}};
static double impulses[3][ROWS] = {
    {0.2, 0.0, 0.1, 0.0}, {0.2, 0.3, 0.1, 0.3}, {0.4, 0.5, 0.3, -0.65}};

static carom_impact_outcomes outcomes_of(int count) {
    return (carom_impact_outcomes){
        .row_count = ROWS, .count = count, .contact_velocity = corners[0], .impulse = impulses[0]};
}

TEST(unit, outcomes_are_found_by_their_modes) {
    carom_impact_problem *problem = make_block();
    const carom_impact_outcomes all = outcomes_of(3);
    ck_assert_int_eq(carom_walker_find(problem, &all, "SL"), 0);
    ck_assert_int_eq(carom_walker_find(problem, &all, "Ss"), 1);
    ck_assert_int_eq(carom_walker_find(problem, &all, "SS"), 2);
    ck_assert_int_eq(carom_walker_find(problem, &all, "LS"), -1);
    carom_impact_problem_free(problem);
}

TEST(unit, rest_needs_the_largest_ratio_of_its_impulses) {
    carom_impact_problem *problem = make_block();
    const carom_impact_outcomes all = outcomes_of(3);
    const carom_impact_outcomes some = outcomes_of(2);
    // 0.3/0.4 at A, 0.65/0.5 at B.
    assert_close(carom_walker_rest_friction(problem, &all), 1.3, 1e-15, 0.0);
    ck_assert(isnan(carom_walker_rest_friction(problem, &some)));
    carom_impact_problem_free(problem);
}

TEST(unit, samples_lie_beside_the_triangle_as_drawn) {
    // In the middle, on an edge, outside with A sticking, inside with A sliding, not finished.
    double speeds[5][ROWS] = {{0.0, 0.1, 0.0, 0.3},
                              {0.0, 0.15, 0.0, 0.25},
                              {0.0, 0.0, 0.0, -0.07},
                              {0.0, 0.1, 0.2, 0.3},
                              {0.0, 9.0, 0.0, 9.0}};
    int finished[5] = {1, 1, 1, 1, 0};
    carom_impact_problem *problem = make_block();
    const carom_impact_outcomes all = outcomes_of(3);
    const carom_impact_outcomes some = outcomes_of(2);
    const carom_impact_samples samples = {
        .row_count = ROWS, .count = 5, .contact_velocity = speeds[0], .is_finished = finished};
    // In two parts.
    carom_impact_samples first = samples;
    carom_impact_samples rest = samples;
    first.count = 2;
    rest.count = 3;
    rest.contact_velocity = speeds[2];
    rest.is_finished = finished + 2;
    carom_walker_triangle t = {.is_known = false};
    carom_walker_compare(problem, &all, &first, 1e-6, &t);
    carom_walker_compare(problem, &all, &rest, 1e-6, &t);
    ck_assert(t.is_known);
    ck_assert_int_eq(t.finished, 4);
    ck_assert_int_eq(t.sticking, 3);
    ck_assert_int_eq(t.inside, 2);
    ck_assert_int_eq(t.interior, 1);
    assert_close(t.farthest, 0.07, 1e-15, 0.0);
    carom_walker_triangle none = {.is_known = false};
    carom_walker_compare(problem, &some, &samples, 1e-6, &none);
    ck_assert(!none.is_known);
    ck_assert_int_eq(none.sticking, 3);
    carom_impact_problem_free(problem);
}
