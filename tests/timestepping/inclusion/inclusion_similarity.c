/* carom/timestepping/inclusion/inclusion.h: the same motion in other units of mass,
 * length and time. */
#include "../../mechanism/planar_scenes.h"
#include "../../units.h"
#include "../variational/variational_systems.h"

#include <carom/timestepping/inclusion/inclusion.h>
#include <carom/timestepping/trajectory.h>

/** Of the largest value of a run, whose roundings impacts magnify. */
static const double ALIKE = 1e-9;

/** A motion: a mechanism, its start and how long. */
typedef struct motion {
    const carom_mechanism *mechanism;
    const double *q; /* [n] */
    const double *v; /* [n] */
    double step;     /* s */
    double force;    /* N */
    double length;   /* s */
} motion;

static carom_trajectory *run_in(const motion *m, const other_units *u) {
    carom_inclusion_params params = carom_inclusion_params_default();
    double q[UNITS_MAX_COORDINATES];
    double v[UNITS_MAX_COORDINATES];
    units_position(u, m->q, q);
    units_velocity(u, m->v, v);
    params.step = m->step * u->units.time;
    params.reference_force = m->force * units_impulse(u->units) / u->units.time;
    carom_trajectory *run = NULL;
    carom_report report = carom_report_empty();
    const carom_status status = carom_inclusion_run(
        &u->mechanism, &params, q, v, m->length * u->units.time, INFINITY, &run, &report);
    assert_ran(u, status, &report);
    return run;
}

static void assert_alike(const other_units *u, const carom_trajectory *actual,
                         const carom_trajectory *expected, double tolerance) {
    const int rows = expected->row_count;
    const int contacts = expected->contact_count;
    ck_assert_int_eq(actual->row_count, rows);
    ck_assert_int_eq(carom_trajectory_total(actual, actual->shortened),
                     carom_trajectory_total(expected, expected->shortened));
    assert_numbers("s", u, rows, 1, actual->s, expected->s, u->units.time, 0.0, tolerance);
    assert_numbers("time", u, rows, 1, actual->time, expected->time, u->units.time, 0.0, tolerance);
    assert_states("position", u, rows, actual->position, expected->position, false, 1.0, tolerance);
    assert_states("velocity", u, rows, actual->velocity, expected->velocity, true, 1.0, tolerance);
    assert_numbers("kinetic energy", u, rows, 1, actual->kinetic_energy, expected->kinetic_energy,
                   units_energy(u->units), 0.0, tolerance);
    assert_numbers("normal rate", u, rows, contacts, actual->normal_rate, expected->normal_rate,
                   1.0, 1.0, tolerance);
    assert_numbers("tangential rate", u, rows, contacts * expected->tangent_count,
                   actual->tangential_rate, expected->tangential_rate, 1.0, 1.0, tolerance);
}

/** Run in all units; the powers of two to the bit where no coordinate is an angle. It has an impact
 * and contact that lasts. */
static void assert_similar(const motion *m) {
    static const test_units SAME = {1.0, 1.0, 1.0};
    other_units u;
    other_units_init(&u, m->mechanism, SAME);
    carom_trajectory *expected = run_in(m, &u);
    int impacts = 0;
    int contacts = 0;
    for (int k = 1; k < expected->row_count; k++) {
        impacts += !(expected->time_rate[k] > 0.0);
        contacts += expected->time_rate[k] > 0.0 && expected->time_rate[k] < 0.99;
    }
    ck_assert_msg(impacts > 0 && contacts > 0, "%s: %d impacts, %d contacts", m->mechanism->name,
                  impacts, contacts);
    for (int k = 0; k < ALL_CHANGES_OF_UNITS_COUNT; k++) {
        other_units_init(&u, m->mechanism, change_of_units(k));
        carom_trajectory *actual = run_in(m, &u);
        assert_alike(&u, actual, expected, tolerance_of_change(m->mechanism, k, ALIKE));
        carom_trajectory_free(actual);
    }
    carom_trajectory_free(expected);
}

TEST(property, a_ball_falls_and_rests) {
    pile p;
    pile_ball(&p, 2.385, 9.81);
    pile_restitute(&p, 0.0);
    const double q = 0.738;
    const double v = 1.3;
    const motion m = {&p.mechanism, &q, &v, 0.01, 20.0, 3.0};
    assert_similar(&m);
}

/* A block that is thrown on the floor while a spring pulls it, and a ball beside it. */
TEST(property, blocks_land_slide_and_stick) {
    pile p;
    pile_init(&p, 3, 2);
    pile_restitute(&p, 0.0);
    p.M[0] = 2.0;
    p.M[4] = 2.0;
    p.M[8] = 0.3;
    p.K[0] = 40.0;
    p.load[1] = -2.0 * 9.81;
    p.load[2] = -0.3 * 9.81;
    p.N[1] = 1.0;
    p.N[5] = 1.0;
    p.H[0] = 1.0;
    p.friction[0] = 0.37;
    p.mechanism.tangent_count = 1;
    p.mechanism.tangential_jacobian = pile_tangents;
    p.mechanism.friction = p.friction;
    const double q[3] = {0.6, 0.1, 0.2};
    const double v[3] = {0.3, 0.0, -0.5};
    const motion m = {&p.mechanism, q, v, 0.01, 20.0, 4.0};
    assert_similar(&m);
}

/* 1 kg with (2, -3): rolls with 4/3 after the impact, Coulomb's 0.3 being enough. */
TEST(property, a_disc_lands_sliding_and_rolls) {
    const carom_planar_body body = carom_planar_floating(carom_planar_disc(1.0, 0.2));
    const carom_planar_contact rim =
        carom_planar_disc_on_wall(0, 0.0, 0.0, 0.2, carom_planar_floor(0.0), 0.3);
    scene s;
    scene_make(&s, 1, &body, 1, &rim);
    s.q[1] = 0.5;
    s.v[0] = 2.0;
    s.v[1] = -3.0;
    const motion m = {s.mechanism, s.q, s.v, 0.01, 10.0, 2.0};
    other_units u;
    other_units_init(&u, m.mechanism, (test_units){1.0, 1.0, 1.0});
    carom_trajectory *run = run_in(&m, &u);
    const int last = run->row_count - 1;
    assert_close(run->velocity[3 * last], 4.0 / 3.0, 1e-12, 0.0);
    assert_close(run->velocity[3 * last + 2], -4.0 / 3.0 / 0.2, 1e-12, 0.0);
    carom_trajectory_free(run);
    assert_similar(&m);
    carom_planar_tree_free(s.tree);
}

/* Tilted above the floor: one corner, then the other, until it rests on both. */
TEST(property, a_block_rocks_until_it_rests) {
    scene s;
    scene_block(&s);
    s.q[1] = 1.2;
    s.q[2] = 0.13;
    const motion m = {s.mechanism, s.q, s.v, 0.01, 9.81, 6.0};
    assert_similar(&m);
    carom_planar_tree_free(s.tree);
}

TEST(property, a_box_slides_into_the_wall) {
    scene s;
    scene_box(&s);
    s.q[0] = -0.03;
    s.q[1] = 0.02;
    const motion m = {s.mechanism, s.q, s.v, 0.005, 9.81, 1.0};
    assert_similar(&m);
    carom_planar_tree_free(s.tree);
}
