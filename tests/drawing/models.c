/* src/drawing/models.h: what is drawn of a robot is where its model has its points. */
#include "drawn.h"

#include <carom/drawing/models.h>
#include <carom/models/trex/internal.h>

FIXTURE(scratch_setup, scratch_teardown);

/** A record of one instant at q [n], in a group, with the geometry there. */
static carom_drawing *drawing_at(carom_record *record, int n, const double *q) {
    const double time[1] = {0.0};
    carom_record_axis(record, "/run/time", 1, time, "s", "time");
    carom_record_index_axis(record, "/run/coordinate", n, "coordinate");
    carom_record_series(record, "/run/position", q, "/run/time", "/run/coordinate", "1", "q");
    assert_ok(carom_record_commit(record, NULL));
    return read_drawing("robot.h5");
}

/** The place of a point of a body. */
static void place_of(const carom_drawing *drawing, int body, double x, double y, double *place) {
    const double point[2] = {x, y};
    const carom_outline outline = {body, CAROM_OUTLINE_LINE, 1, point, 0.0};
    carom_drawing_point(&outline, 0, drawing->poses + 3 * (size_t)body, place);
}

/** Some outline of a body has the point. */
static void assert_drawn(const carom_drawing *drawing, const double *place, double scale) {
    double least = (double)INFINITY;
    for (int o = 0; o < drawing->outline_count; o++) {
        const carom_outline *outline = &drawing->outlines[o];
        for (int k = 0; k < outline->count && outline->body >= 0; k++) {
            double at[2];
            carom_drawing_point(outline, k, drawing->poses + 3 * (size_t)outline->body, at);
            least = fmin(least, hypot(at[0] - place[0], at[1] - place[1]));
        }
    }
    assert_close(least, 0.0, 0.0, 64.0 * DBL_EPSILON * scale); // some roundings in each joint
}

/** Joints, feet and the tail's tip of TREX, which is in cm. */
TEST(unit, trex_is_drawn_where_its_points_are) {
    const carom_trex_params params = carom_trex_params_default();
    const double q[CAROM_TREX_COORDINATES] = {12.0, 31.0, 0.4, -1.9, 0.7, 2.2, -0.3, 0.35};
    carom_record *record = scratch_record("robot.h5");
    carom_record group = carom_record_group(record, "/run");
    assert_ok(carom_geometry_record_trex(&group, &params));
    CAROM_AUTO(carom_drawing) drawing = drawing_at(record, CAROM_TREX_COORDINATES, q);
    ck_assert_str_eq(drawing->geometry, "/run/geometry");
    double points[2 * CAROM_TREX_POINTS];
    carom_trex_points(&params, q, points);
    for (int k = 0; k < CAROM_TREX_POINTS; k++) {
        const double place[2] = {0.01 * points[2 * k], 0.01 * points[2 * k + 1]};
        assert_drawn(drawing, place, 1.0);
    }
}

/** Both feet, hip, torso and hand of a biped with two links of its torso. */
TEST(unit, the_biped_is_drawn_where_its_points_are) {
    static const double lengths[] = {0.9, 0.6, 0.5, 0.7};
    static const double masses[] = {0.1, 1.0, 2.0, 1.5, 0.4};
    carom_armed_biped_params params = carom_armed_biped_params_default();
    params.torso_count = 2;
    params.lengths = lengths;
    params.masses = masses;
    params.half_step_angle = 0.3;
    const double q[4] = {2.9, 0.2, -0.15, -0.11};
    carom_record *record = scratch_record("robot.h5");
    assert_ok(carom_geometry_record_armed_biped(record, &params));
    CAROM_AUTO(carom_drawing) drawing = drawing_at(record, 4, q);
    double points[2 * 8];
    carom_armed_biped_points(&params, q, points);
    for (int k = 0; k < 6; k++) {
        assert_drawn(drawing, points + 2 * k, 3.0);
    }
}

/** A block, a ball, a pendulum: their places are their coordinates. */
TEST(unit, bodies_are_where_their_coordinates_say) {
    const double q[3] = {2.385, 0.7, 0.4};
    carom_record *record = scratch_record("robot.h5");
    assert_ok(carom_geometry_record_block(record, 1.0, 2.0));
    CAROM_AUTO(carom_drawing) block = drawing_at(record, 3, q);
    double place[2];
    place_of(block, 0, 0.5, -1.0, place);
    assert_close(place[0], q[0] + 0.5 * cos(q[2]) + sin(q[2]), 1e-15, 0.0);
    assert_close(place[1], q[1] + 0.5 * sin(q[2]) - cos(q[2]), 0.0, 1e-15);
    assert_drawn(block, place, 1.0);

    const carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    record = scratch_record("robot.h5");
    assert_ok(carom_geometry_record_bouncing_ball(record, &ball));
    CAROM_AUTO(carom_drawing) drawn = drawing_at(record, 1, q);
    assert_close(drawn->poses[1], 2.385, 0.0, 0.0);
    place_of(drawn, 0, ball.radius, 0.0, place);
    assert_drawn(drawn, place, 1.0);

    // x = l cos theta, y = l sin theta: the other end of the rod is the pivot
    const carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
    const double held[3] = {pendulum.length * cos(0.4), pendulum.length * sin(0.4), 0.4};
    record = scratch_record("robot.h5");
    assert_ok(carom_geometry_record_bouncing_pendulum(record, &pendulum));
    CAROM_AUTO(carom_drawing) rod = drawing_at(record, 3, held);
    assert_drawn(rod, (double[2]){0.0, 0.0}, 1.0);
}

/** Hopper and juggler, whose motions are counted from their rest. */
TEST(unit, masses_on_springs_are_drawn_where_their_points_are) {
    const double x[2] = {-1.7, 2.385};
    const double rest[2] = {-2.0, 0.4};
    const double q[2] = {x[0] - rest[0], x[1] - rest[1]};
    const carom_hopper_params hopper = carom_hopper_params_default();
    double points[6];
    carom_record *record = scratch_record("robot.h5");
    assert_ok(carom_geometry_record_hopper(record, &hopper, rest));
    CAROM_AUTO(carom_drawing) hops = drawing_at(record, 2, q);
    carom_hopper_points(&hopper, x, points);
    for (int k = 0; k < 2; k++) {
        assert_close(hops->poses[3 * k + 1], points[2 * k + 1], 0.0, 1e-14);
    }
    ck_assert_int_eq(hops->springs[0].first, 0);
    ck_assert_int_eq(hops->springs[0].second, 1);

    const carom_juggler_params juggler = carom_juggler_params_default();
    record = scratch_record("robot.h5");
    assert_ok(carom_geometry_record_juggler(record, &juggler, rest));
    CAROM_AUTO(carom_drawing) juggles = drawing_at(record, 2, q);
    carom_juggler_points(&juggler, x, points);
    for (int k = 0; k < 2; k++) {
        assert_close(juggles->poses[3 * k + 1], points[2 * k + 3], 0.0, 1e-14);
    }
    ck_assert_int_eq(juggles->springs[0].first, -1);
}

/** The sphere rolls forward with a spin about +y, its lowest point on the floor. */
TEST(unit, a_sphere_turns_as_it_rolls) {
    carom_thrown_sphere_params sphere = carom_thrown_sphere_params_default();
    sphere.is_planar = true;
    const double q[3] = {0.7, 0.2, 0.3};
    double place[2];
    carom_record *record = scratch_record("robot.h5");
    assert_ok(carom_geometry_record_thrown_sphere(record, &sphere));
    CAROM_AUTO(carom_drawing) drawing = drawing_at(record, 3, q);
    place_of(drawing, 0, 0.0, -sphere.radius, place); // what was lowest has gone back
    assert_close(place[0], 0.7 - sphere.radius * sin(0.3), 1e-15, 0.0);
    assert_close(place[1], 0.2 + sphere.radius * (1.0 - cos(0.3)), 1e-15, 0.0);

    const double all[6] = {0.7, 5.0, 0.2, 1.0, 1.0, 1.0};
    sphere.is_planar = false;
    record = scratch_record("robot.h5");
    assert_ok(carom_geometry_record_thrown_sphere(record, &sphere));
    CAROM_AUTO(carom_drawing) aside = drawing_at(record, 6, all);
    assert_close(aside->poses[0], 0.7, 0.0, 0.0);
    assert_close(aside->poses[1], 0.2 + sphere.radius, 1e-15, 0.0);
    assert_close(aside->poses[2], 0.0, 0.0, 0.0);
}

/** Balls of a break touch as their model says; the ball rests on the table at equal heights. */
TEST(unit, balls_touch_where_their_models_say) {
    const carom_billiard_break_params cue = carom_billiard_break_params_default();
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    assert_ok(carom_billiard_break_alloc(&cue, &scene, NULL));
    carom_record *record = scratch_record("robot.h5");
    assert_ok(carom_geometry_record_billiard_break(record, &cue));
    CAROM_AUTO(carom_drawing) balls = drawing_at(record, 6, scene->position);
    const double *c = balls->poses + 3 * CAROM_BILLIARD_BREAK_C;
    for (int k = 0; k < CAROM_BILLIARD_BREAK_C; k++) {
        const double *p = balls->poses + 3 * (size_t)k;
        assert_close(hypot(p[0] - c[0], p[1] - c[1]),
                     cue.radii[k] + cue.radii[CAROM_BILLIARD_BREAK_C], 1e-15, 0.0);
        assert_close(carom_drawing_reach(balls, k), cue.radii[k], 1e-15, 0.0);
    }

    const carom_vibrating_table_params table = carom_vibrating_table_params_default();
    const double q[2] = {2.385e-3, 2.385e-3};
    record = scratch_record("robot.h5");
    assert_ok(carom_geometry_record_vibrating_table(record, &table));
    CAROM_AUTO(carom_drawing) ball = drawing_at(record, 2, q);
    assert_close(ball->poses[1], q[0], 0.0, 0.0);
    assert_close(ball->poses[4], q[1], 0.0, 0.0);
    double low[2];
    carom_drawing_point(&ball->outlines[1], 36, ball->poses + 3, low); // three quarters around
    assert_close(low[1], q[0], 0.0, 1e-17);
    assert_close(ball->outlines[0].points[5], 0.0, 0.0, 0.0); // the upper side of the table
}

/** At rest nothing touches; moved by the gap the last mass and the nearest node touch the wall. */
TEST(unit, walls_are_where_gaps_close) {
    CAROM_AUTO(carom_linear_system) chain = NULL;
    assert_ok(carom_serial_chain_uniform_alloc(3, 0.7, &chain, NULL));
    const double q[3] = {0.1, 0.2, 0.7};
    carom_record *record = scratch_record("robot.h5");
    assert_ok(carom_geometry_record_linear_system(record, chain));
    CAROM_AUTO(carom_drawing) masses = drawing_at(record, 3, q);
    const carom_outline *wall = &masses->outlines[3];
    ck_assert_int_eq(wall->kind, CAROM_OUTLINE_HALF_PLANE);
    assert_drawn(masses, (double[2]){wall->points[0], 0.5 * 0.3 * 2.1}, 10.0);
    ck_assert_double_lt(wall->points[2], wall->points[0]); // free on the side of the masses
    // one spring holds the first mass, and one lies between neighbours each
    ck_assert_int_eq(masses->spring_count, 3);
    for (int k = 0; k < 3; k++) {
        ck_assert_int_eq(masses->springs[k].first, k - 1);
        ck_assert_int_eq(masses->springs[k].second, k);
        assert_close(masses->springs[k].first_x, k == 0 ? -2.1 : 0.315, 1e-15, 0.0);
        assert_close(masses->springs[k].second_x, -0.315, 1e-15, 0.0);
    }

    carom_elastic_bar_params bar = carom_elastic_bar_params_default();
    bar.elements = 2;
    const double u[3] = {-bar.initial_gap, 0.0, 0.0};
    record = scratch_record("robot.h5");
    assert_ok(carom_geometry_record_elastic_bar(record, &bar));
    CAROM_AUTO(carom_drawing) nodes = drawing_at(record, 3, u);
    assert_close(nodes->poses[0], 0.0, 0.0, 0.0);
    assert_close(nodes->poses[6], bar.initial_gap + bar.length, 0.0, 0.0);
}
