/* carom/timestepping/variational/variational.h: the same motion in other units of mass,
 * length and time. */
#include "../../units.h"
#include "variational_systems.h"

#include <carom/mechanism/planar_tree.h>
#include <carom/models/ball_chain.h>
#include <carom/models/billiard_break.h>
#include <carom/models/bouncing_ball.h>
#include <carom/models/rocking_block.h>
#include <carom/timestepping/variational/variational.h>

/** Of the largest value of a run, whose roundings impacts magnify. */
static const double ALIKE = 1e-9;

/** A motion: a mechanism, its start and how long. */
typedef struct motion {
    const carom_mechanism *mechanism;
    const double *q; /* [n] */
    const double *v; /* [n] */
    double step;     /* s */
    int steps;
    int least_impacts; /* that it has */
    int least_held;    /* rows with a held contact */
} motion;

static carom_variational_trajectory *run_in(const motion *m, const other_units *u) {
    carom_variational_params params = carom_variational_params_default();
    double q[UNITS_MAX_COORDINATES];
    double v[UNITS_MAX_COORDINATES];
    units_position(u, m->q, q);
    units_velocity(u, m->v, v);
    params.step = m->step * u->units.time;
    params.impacts_without_friction = true;
    carom_variational_trajectory *run = NULL;
    carom_report report = carom_report_empty();
    const carom_status status = carom_variational_trajectory_run(
        &u->mechanism, &params, 0.0, q, v, m->steps * params.step, NULL, NULL, &run, &report);
    assert_ran(u, status, &report);
    return run;
}

static void assert_alike(const motion *m, const other_units *u,
                         const carom_variational_trajectory *actual,
                         const carom_variational_trajectory *expected, double tolerance) {
    const int n = expected->rows->coordinate_count;
    const int rows = expected->rows->row_count;
    const int contacts = expected->rows->contact_count;
    const double force = units_impulse(u->units) / u->units.time;
    ck_assert_int_eq(actual->rows->row_count, rows);
    ck_assert_int_eq(actual->impact_count, expected->impact_count);
    for (int i = 0; i < rows * contacts; i++) {
        ck_assert_int_eq(actual->rows->held[i], expected->rows->held[i]);
    }
    assert_numbers("time", u, rows, 1, actual->rows->time, expected->rows->time, u->units.time, 0.0,
                   tolerance);
    assert_states("position", u, rows, actual->rows->position, expected->rows->position, false, 0.0,
                  tolerance);
    assert_states("velocity", u, rows, actual->rows->velocity, expected->rows->velocity, true, 0.0,
                  tolerance);
    assert_numbers("kinetic energy", u, rows, 1, actual->rows->kinetic_energy,
                   expected->rows->kinetic_energy, units_energy(u->units), 0.0, tolerance);
    // Forces are changes of momentum in a step.
    double push = 0.0;
    for (int i = 0; i < rows * n; i++) {
        const bool is_angle = units_is_angle(m->mechanism->position_units, i % n);
        push = fmax(push, is_angle ? 0.0 : fabs(expected->rows->momentum[i]) / m->step);
    }
    assert_numbers("contact force", u, rows, contacts, actual->rows->contact_force,
                   expected->rows->contact_force, force, push, tolerance);
    assert_numbers("friction force", u, rows, contacts * expected->rows->tangent_count,
                   actual->rows->friction_force, expected->rows->friction_force, force, push,
                   tolerance);
}

static void assert_eventful(const motion *m, const carom_variational_trajectory *run) {
    int held = 0;
    for (int i = 0; i < run->rows->row_count * run->rows->contact_count; i++) {
        held += run->rows->held[i];
    }
    ck_assert_msg(run->impact_count >= m->least_impacts && held >= m->least_held,
                  "%s: %d impacts, %d held", m->mechanism->name, run->impact_count, held);
}

/** Run in all units; the powers of two to the bit where no coordinate is an angle. */
static void assert_similar(const motion *m) {
    static const test_units SAME = {1.0, 1.0, 1.0};
    other_units u;
    other_units_init(&u, m->mechanism, SAME);
    carom_variational_trajectory *expected = run_in(m, &u);
    assert_eventful(m, expected);
    for (int k = 0; k < ALL_CHANGES_OF_UNITS_COUNT; k++) {
        other_units_init(&u, m->mechanism, change_of_units(k));
        carom_variational_trajectory *actual = run_in(m, &u);
        assert_alike(m, &u, actual, expected, tolerance_of_change(m->mechanism, k, ALIKE));
        carom_variational_trajectory_free(actual);
    }
    carom_variational_trajectory_free(expected);
}

static void assert_model_similar(const carom_model *model, motion m) {
    m.mechanism = &model->mechanism;
    m.q = model->initial_position;
    m.v = model->initial_velocity;
    assert_similar(&m);
}

TEST(property, a_ball_bounces_and_comes_to_rest) {
    carom_bouncing_ball_params params = carom_bouncing_ball_params_default();
    params.restitution = 0.5;
    carom_model *model = NULL;
    assert_ok(carom_bouncing_ball_alloc(&params, &model, NULL));
    assert_model_similar(
        model, (motion){.step = 1.3e-2, .steps = 200, .least_impacts = 5, .least_held = 30});
    carom_model_free(model);
}

TEST(property, balls_collide_one_after_the_other_and_at_once) {
    const double masses[4] = {1.2, 0.7, 2.3, 1.1};
    const double radii[4] = {0.1, 0.2, 0.15, 0.1};
    const double velocities[4] = {1.4, 0.3, -0.4, -0.9};
    const double gaps[2][3] = {{0.07, 0.11, 0.05}, {0.03, 0.0, 0.0}};
    for (int is_touching = 0; is_touching < 2; is_touching++) {
        for (int k = 0; k < 2; k++) {
            const double at_rest[4] = {1.4, 0.0, 0.0, 0.0};
            const carom_ball_chain_params params = {.balls = 4,
                                                    .masses = masses,
                                                    .radii = radii,
                                                    .velocities =
                                                        is_touching == 1 ? at_rest : velocities,
                                                    .gaps = gaps[is_touching],
                                                    .restitution = k == 0 ? 1.0 : 0.7};
            carom_model *model = NULL;
            assert_ok(carom_ball_chain_alloc(&params, &model, NULL));
            assert_model_similar(
                model,
                (motion){.step = 0.017, .steps = 30, .least_impacts = is_touching == 1 ? 1 : 3});
            carom_model_free(model);
        }
    }
}

TEST(property, a_billiard_break_opens) {
    carom_billiard_break_params params = carom_billiard_break_params_default();
    params.angle = 1.31;
    params.restitution = 0.9;
    carom_impact_scene *scene = NULL;
    assert_ok(carom_billiard_break_alloc(&params, &scene, NULL));
    const motion m = {.mechanism = carom_impact_scene_mechanism(scene),
                      .q = scene->position,
                      .v = scene->velocity,
                      .step = 0.1,
                      .steps = 10,
                      .least_impacts = 1};
    assert_similar(&m);
    carom_impact_scene_free(scene);
}

TEST(property, a_block_rocks) {
    carom_model *model = NULL;
    const carom_rocking_block_params params = carom_rocking_block_params_default();
    assert_ok(carom_rocking_block_alloc(&params, &model, NULL));
    assert_model_similar(model, (motion){.step = 4e-3, .steps = 200, .least_impacts = 4});
    carom_model_free(model);
}

/* Two blocks on the floor, one pulled by a spring, so that it slides and sticks, and a ball. */
TEST(property, blocks_slide_and_stick) {
    pile p;
    pile_init(&p, 5, 3);
    pile_restitute(&p, 0.6);
    const double masses[5] = {2.0, 2.0, 0.7, 0.7, 0.3};
    for (int i = 0; i < 5; i++) {
        p.M[6 * i] = masses[i];
    }
    for (int i = 0; i < 3; i++) {
        const int height = i < 2 ? 2 * i + 1 : 4;
        p.load[height] = -9.81 * masses[height];
        p.N[5 * i + height] = 1.0;
        p.H[5 * i + (i < 2 ? 2 * i : 0)] = i < 2 ? 1.0 : 0.0;
        p.friction[i] = i < 2 ? 0.3 + 0.1 * i : 0.0;
    }
    p.K[0] = 40.0;
    p.K[12] = 70.0;
    p.mechanism.tangent_count = 1;
    p.mechanism.tangential_jacobian = pile_tangents;
    p.mechanism.friction = p.friction;
    const double q[5] = {0.8, 0.0, -0.3, 0.0, 0.2};
    const double v[5] = {0.0, 0.0, 1.1, 0.0, -0.5};
    const motion m = {.mechanism = &p.mechanism,
                      .q = q,
                      .v = v,
                      .step = 0.01,
                      .steps = 150,
                      .least_impacts = 4,
                      .least_held = 300};
    assert_similar(&m);
}

/* A leg of two links falls on its knee and its tip and slides. */
TEST(property, a_planar_tree_falls_and_slides) {
    carom_planar_body bodies[2] = {
        carom_planar_floating(carom_planar_box(1.3, 0.1, 0.6)),
        carom_planar_revolute(0, 0.0, -0.3, carom_planar_box(0.8, 0.08, 0.5)),
    };
    const carom_planar_wall floor = carom_planar_floor(-0.2);
    carom_planar_contact contacts[3] = {
        carom_planar_corner_on_wall(0, 0.0, 0.3, floor, 0.4),
        carom_planar_corner_on_wall(0, 0.0, -0.3, floor, 0.2),
        carom_planar_corner_on_wall(1, 0.0, 0.25, floor, 0.3),
    };
    for (int i = 0; i < 3; i++) {
        contacts[i].restitution = 0.3;
    }
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.body_count = 2;
    spec.bodies = bodies;
    spec.contact_count = 3;
    spec.contacts = contacts;
    carom_planar_tree *tree = NULL;
    assert_ok(carom_planar_tree_alloc(&spec, &tree, NULL));
    const double q[4] = {0.0, 0.45, 0.9, 0.7};
    const double v[4] = {0.8, -0.2, 0.5, -0.4};
    const motion m = {.mechanism = carom_planar_tree_mechanism(tree),
                      .q = q,
                      .v = v,
                      .step = 2e-3,
                      .steps = 400,
                      .least_impacts = 3};
    assert_similar(&m);
    carom_planar_tree_free(tree);
}

TEST(property, the_robot_lands_and_runs) {
    carom_trex_params robot = robot_with_both_tips_down();
    robot.friction = 0.8;
    carom_model *model = NULL;
    assert_ok(carom_trex_alloc(&robot, &model, NULL));
    assert_model_similar(model, (motion){.step = 2e-3, .steps = 100, .least_impacts = 1});
    carom_model_free(model);
}
