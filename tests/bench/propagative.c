/* Cost of the propagative model: the impact of two and of a hundred contacts, its outcomes, and a
 * time step of the robot. */
#include "bench.h"

#include <carom/impact/impact_problem.h>
#include <carom/impact/propagative_impact.h>
#include <carom/models/ball_chain.h>
#include <carom/models/billiard_break.h>
#include <carom/models/trex/trex.h>
#include <carom/timestepping/variational/variational.h>

#include <math.h>
#include <stdlib.h>

static const bench_unit MICROSECONDS = {.name = "us", .factor = 1e6};

/* Enough for every batch to be cut by its time. */
static const long MANY = 1L << 24;

static bench_row describe(const char *system, const char *method, int coordinates, int contacts,
                          double target) {
    return (bench_row){.system = system,
                       .method = method,
                       .coordinates = coordinates,
                       .contacts = contacts,
                       .unit = MICROSECONDS,
                       .work = (double)NAN,
                       .target = target};
}

/* -------------------------------------------------------------------------------------- impacts */

typedef struct impact_case {
    carom_propagative_contacts *contacts;
    carom_propagative_impact *impact;
    const carom_impact_problem *problem;
    int expected; /* reflections */
} impact_case;

static double time_impacts(long count, void *context) {
    const impact_case *c = context;
    const carom_propagative_params params = carom_propagative_params_default();
    const double begin = bench_seconds();
    for (long i = 0; i < count; i++) {
        if (carom_propagative_impact_run(c->contacts, &params, 1.0, c->problem->contact_velocity,
                                         c->problem->kinetic_energy, c->impact, NULL) != CAROM_OK ||
            c->impact->step_count != c->expected) {
            return -1.0;
        }
    }
    return bench_seconds() - begin;
}

/* As above, with the normals and the mass matrix taken over anew each time. */
static double time_whole_impacts(long count, void *context) {
    const impact_case *c = context;
    const double begin = bench_seconds();
    for (long i = 0; i < count; i++) {
        if (carom_propagative_contacts_set(c->contacts, c->problem->mass_factor,
                                           c->problem->contact_jacobian, NULL) != CAROM_OK ||
            time_impacts(1, context) < 0.0) {
            return -1.0;
        }
    }
    return bench_seconds() - begin;
}

static double time_outcomes(long count, void *context) {
    const impact_case *c = context;
    const carom_propagative_tree_params params = carom_propagative_tree_params_default();
    const double begin = bench_seconds();
    for (long i = 0; i < count; i++) {
        carom_propagative_outcomes *outcomes = NULL;
        if (carom_propagative_outcomes_find(c->contacts, &params, c->problem->contact_velocity,
                                            c->problem->kinetic_energy, &outcomes,
                                            NULL) != CAROM_OK) {
            return -1.0;
        }
        carom_propagative_outcomes_free(outcomes);
    }
    return bench_seconds() - begin;
}

/* Measure one way of treating a problem; an impact of `expected` reflections. */
static int measure_impact(bench_table *table, bench_row row, bench_batch batch,
                          const carom_impact_problem *problem, int expected) {
    impact_case c = {.problem = problem, .expected = expected};
    int failures = 1;
    if (carom_propagative_contacts_of_problem(problem, &c.contacts, NULL) == CAROM_OK &&
        carom_propagative_impact_alloc(problem->contact_count, expected, &c.impact) == CAROM_OK) {
        failures = bench_measure(table, row, batch, MANY, &c);
    }
    carom_propagative_impact_free(c.impact);
    carom_propagative_contacts_free(c.contacts);
    return failures;
}

static int bench_break(bench_table *table) {
    const carom_billiard_break_params params = carom_billiard_break_params_default();
    carom_impact_scene *scene = NULL;
    carom_impact_problem *problem = NULL;
    int failures = 1;
    if (carom_billiard_break_alloc(&params, &scene, NULL) == CAROM_OK &&
        carom_impact_problem_of_scene(scene, &problem, NULL) == CAROM_OK) {
        failures = measure_impact(table, describe("billiard break", "propagative", 6, 2, 1.0),
                                  time_impacts, problem, 2) +
                   measure_impact(table, describe("billiard break", "with normals", 6, 2, NAN),
                                  time_whole_impacts, problem, 2) +
                   measure_impact(table, describe("billiard break", "all outcomes", 6, 2, NAN),
                                  time_outcomes, problem, 2);
    }
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
    return failures;
}

enum { HUNDRED = 100 };

/* The impact of a chain of a hundred equal balls that touch. */
static int bench_chain(bench_table *table, const char *method, double target,
                       const double *velocities, int expected) {
    double ones[HUNDRED];
    for (int i = 0; i < HUNDRED; i++) {
        ones[i] = 1.0;
    }
    const carom_ball_chain_params params = {.balls = HUNDRED,
                                            .masses = ones,
                                            .radii = ones,
                                            .velocities = velocities,
                                            .restitution = 1.0};
    carom_model *model = NULL;
    carom_impact_problem *problem = NULL;
    int failures = 1;
    if (carom_ball_chain_alloc(&params, &model, NULL) == CAROM_OK &&
        carom_impact_problem_of_mechanism(&model->mechanism, model->initial_position,
                                          model->initial_velocity, 1e-9, NULL, &problem,
                                          NULL) == CAROM_OK) {
        failures =
            measure_impact(table, describe("100 balls", method, HUNDRED, HUNDRED - 1, target),
                           time_impacts, problem, expected);
    }
    carom_impact_problem_free(problem);
    carom_model_free(model);
    return failures;
}

static int bench_chains(bench_table *table) {
    double striker[HUNDRED] = {1.0};
    double descending[HUNDRED];
    for (int i = 0; i < HUNDRED; i++) {
        descending[i] = (double)(HUNDRED - i);
    }
    return bench_chain(table, "one striker", 50.0, striker, HUNDRED - 1) +
           bench_chain(table, "all reversed", (double)NAN, descending, HUNDRED * (HUNDRED - 1) / 2);
}

/* ---------------------------------------------------------------------------------------- steps */

typedef struct step_case {
    carom_model *model;
    carom_variational_stepper *stepper;
    double start_time;
    double span; /* after which the motion starts anew, s */
    const double *q;
    const double *v;
    const bool *held;
} step_case;

static double time_steps(long count, void *context) {
    step_case *c = context;
    const double begin = bench_seconds();
    for (long i = 0; i < count; i++) {
        const double t = carom_variational_stepper_result(c->stepper)->time;
        if (t >= c->start_time + c->span &&
            carom_variational_stepper_start(c->stepper, c->start_time, c->q, c->v, c->held, NULL) !=
                CAROM_OK) {
            return -1.0;
        }
        if (carom_variational_stepper_advance(c->stepper, NULL) != CAROM_OK) {
            return -1.0;
        }
    }
    return bench_seconds() - begin;
}

/* The robot in the air with turning hips, and after its drop, impacts and held contacts included.
 */
static int bench_robot(bench_table *table, const char *method, double target, bool is_flight) {
    carom_trex_params params = carom_trex_params_default();
    carom_variational_params scheme = carom_variational_params_default();
    scheme.impacts_without_friction = true;
    if (is_flight) {
        params.hip_start_time = 0.0;
        params.drop_height = 1e3;
    }
    step_case c = {.span = is_flight ? 0.3 : 0.4};
    int failures = 1;
    if (carom_trex_alloc(&params, &c.model, NULL) == CAROM_OK &&
        carom_variational_stepper_alloc(&c.model->mechanism, &scheme, &c.stepper, NULL) ==
            CAROM_OK) {
        c.q = c.model->initial_position;
        c.v = c.model->initial_velocity;
        if (carom_variational_stepper_start(c.stepper, 0.0, c.q, c.v, NULL, NULL) == CAROM_OK) {
            failures = bench_measure(
                table,
                describe("TREX", method, CAROM_TREX_COORDINATES, CAROM_TREX_CONTACTS, target),
                time_steps, MANY, &c);
        }
    }
    carom_variational_stepper_free(c.stepper);
    carom_model_free(c.model);
    return failures;
}

int bench_propagative(bench_table *table) {
    return bench_break(table) + bench_chains(table) +
           bench_robot(table, "variational, flight", 20.0, true) +
           bench_robot(table, "variational, drop", (double)NAN, false);
}
