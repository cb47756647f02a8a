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
    const carom_outline outline = {body, CAROM_OUTLINE_LINE, 1, point};
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

    carom_elastic_bar_params bar = carom_elastic_bar_params_default();
    bar.elements = 2;
    const double u[3] = {-bar.initial_gap, 0.0, 0.0};
    record = scratch_record("robot.h5");
    assert_ok(carom_geometry_record_elastic_bar(record, &bar));
    CAROM_AUTO(carom_drawing) nodes = drawing_at(record, 3, u);
    assert_close(nodes->poses[0], 0.0, 0.0, 0.0);
    assert_close(nodes->poses[6], bar.initial_gap + bar.length, 0.0, 0.0);
}
