/** What the suites of the systems of halm-2023 share: the impact problem of a scene, and its
 * comparison with printed matrices and outcomes. To be included by suites. */
#ifndef CAROM_TESTS_MODELS_IMPACT_SCENE_H
#define CAROM_TESTS_MODELS_IMPACT_SCENE_H

#include <carom/impact/anitescu_potra.h>
#include <carom/mechanism/mechanism.h>
#include <carom/models/model.h>

#include "../derivatives.h"

#include <stdbool.h>
#include <string.h>

/* Half a unit of the eighth decimal, to which the specification prints matrices and velocities. */
static const double EIGHT_DECIMALS = 5.1e-9;
/* Rounding of a handful of operations on numbers of order one to ten. */
static const double ROUNDING = 1e-13;

/* Contacts are closed if their gap is rounding. */
static const double CLOSED = 1e-12;

/* All contacts of a scene, closed. */
static inline carom_impact_problem *problem_of(const carom_impact_scene *scene) {
    carom_impact_problem *problem = NULL;
    carom_report report = carom_report_empty();
    const carom_mechanism *mechanism = carom_impact_scene_mechanism(scene);
    const carom_status status = carom_impact_problem_of_mechanism(
        mechanism, scene->position, scene->velocity, CLOSED, NULL, &problem, &report);
    ck_assert_msg(status == CAROM_OK, "%s: %s", carom_status_name(status),
                  report.quantity == NULL ? "" : report.quantity);
    ck_assert_int_eq(problem->contact_count, mechanism->contact_count);
    ck_assert_int_eq(problem->tangent_count, 1);
    return problem;
}

static inline void assert_values(const double *actual, const double *expected, int count,
                                 double rel, double abs) {
    for (int i = 0; i < count; i++) {
        ck_assert_msg(fabs(actual[i] - expected[i]) <= rel * fabs(expected[i]) + abs,
                      "entry %d is %.17g, expected %.17g", i, actual[i], expected[i]);
    }
}

/* The mechanism is one, its contacts are closed, its derivatives agree with finite differences at
 * a position away from the initial one. The tolerance is that of the check's own differences. */
static inline void assert_sound(const carom_impact_scene *scene, double away) {
    const carom_mechanism *mechanism = carom_impact_scene_mechanism(scene);
    const int n = mechanism->coordinate_count;
    assert_ok(carom_mechanism_validate(mechanism, 0.0, scene->position, scene->velocity, NULL));
    double *q = calloc((size_t)n, sizeof(double));
    double *v = calloc((size_t)n, sizeof(double));
    ck_assert(q != NULL && v != NULL);
    for (int i = 0; i < n; i++) {
        q[i] = scene->position[i] + away * cos(1.7 * i + 0.3);
        v[i] = scene->velocity[i] + sin(2.3 * i + 0.9);
    }
    assert_derivatives(mechanism, 0.0, q, v, 1e-6, 11, 0);
    free(q);
    free(v);
}

/* All simultaneous outcomes of a scene. */
static inline carom_impact_outcomes *outcomes_of(const carom_impact_problem *problem) {
    carom_impact_outcomes *outcomes = NULL;
    assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
    assert_ok(carom_anitescu_potra_all(problem, outcomes, NULL));
    return outcomes;
}

/* Index of the outcome with these contact velocities [r]; -1 if there is none. */
static inline int find_outcome(const carom_impact_outcomes *outcomes, const double *speeds,
                               double tolerance) {
    for (int k = 0; k < outcomes->count; k++) {
        double farthest = 0.0;
        for (int i = 0; i < outcomes->row_count; i++) {
            const double speed = outcomes->contact_velocity[k * outcomes->row_count + i];
            farthest = fmax(farthest, fabs(speed - speeds[i]));
        }
        if (farthest <= tolerance) {
            return k;
        }
    }
    return -1;
}

/* Whether rest is among the simultaneous outcomes of a scene, which is freed. */
static inline bool may_rest(carom_impact_scene *scene) {
    carom_impact_problem *problem = problem_of(scene);
    carom_impact_outcomes *outcomes = outcomes_of(problem);
    double *rest = calloc((size_t)problem->row_count, sizeof(double));
    ck_assert_ptr_nonnull(rest);
    const bool found = find_outcome(outcomes, rest, 1e-9) >= 0;
    free(rest);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
    return found;
}

#endif
