#include "recorded_impact.h"

#include <carom/study/scenes.h>
#include <gsl/gsl_math.h>

/** A box of 2 kg, turned by 0.6 rad about (0.7, -0.4) m and moving. */
static carom_planar_tree *make_box(void) {
    const carom_planar_body body = carom_planar_floating(carom_planar_box(2.0, 0.8, 0.5));
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.body_count = 1;
    spec.bodies = &body;
    carom_planar_tree *tree = NULL;
    assert_ok(carom_planar_tree_alloc(&spec, &tree, NULL));
    return tree;
}

static const double box_q[3] = {0.7, -0.4, 0.6};
static const double box_v[3] = {1.3, -0.9, 2.1};

TEST(unit, points_of_a_moving_body_have_their_places_and_velocities) {
    carom_planar_tree *tree = make_box();
    record_scene scene = scene_begin();
    const double local[2][2] = {{0.31, -0.17}, {-0.05, 0.23}};
    const carom_scene_line line = {"box", 0, 2, local[0]};
    assert_ok(carom_scene_record_velocities(scene.record, "/drawing", tree, box_q, box_v, &line));
    const carom_scene_line outline = {"outline", 0, 2, local[0]};
    assert_ok(carom_scene_record_line(scene.record, "/drawing", tree, box_q, &outline));
    scene_read(&scene);
    for (int k = 0; k < 2; k++) {
        // Rigid motion: r = R(0.6) local, place q + r, velocity v + omega x r. Rounding only.
        const double x = cos(0.6) * local[k][0] - sin(0.6) * local[k][1];
        const double y = sin(0.6) * local[k][0] + cos(0.6) * local[k][1];
        const double expected[4] = {0.7 + x, -0.4 + y, 1.3 - 2.1 * y, -0.9 + 2.1 * x};
        const char *const names[4] = {"x", "y", "dx", "dy"};
        for (int c = 0; c < 4; c++) {
            char path[64];
            snprintf(path, sizeof path, "/drawing/box/%s[%d]", names[c], k);
            assert_close(number_at(&scene, path), expected[c], 0.0, 1e-15);
        }
    }
    assert_close(number_at(&scene, "/drawing/outline/y[1]"),
                 -0.4 + sin(0.6) * -0.05 + cos(0.6) * 0.23, 0.0, 1e-15);
    assert_absent(&scene, "/drawing/outline/dx");
    assert_shape(&scene, "/drawing/box/dy", 2, 1, "m s-1");
    scene_end(&scene);
    carom_planar_tree_free(tree);
}

TEST(unit, the_ground_stands_still) {
    carom_planar_tree *tree = make_box();
    record_scene scene = scene_begin();
    const double points[4] = {-1.5, 0.0, 1.5, 0.25};
    const carom_scene_line floor = {"floor", -1, 2, points};
    assert_ok(carom_scene_record_velocities(scene.record, "/drawing", tree, box_q, box_v, &floor));
    scene_read(&scene);
    assert_close(number_at(&scene, "/drawing/floor/y[1]"), 0.25, 0.0, 0.0);
    assert_close(number_at(&scene, "/drawing/floor/dx[0]"), 0.0, 0.0, 0.0);
    scene_end(&scene);
    carom_planar_tree_free(tree);
}

TEST(unit, an_impact_is_met_by_the_velocities_before_it_and_left_by_those_after) {
    record_scene scene = scene_begin();
    const double after[3] = {-0.4, 0.7, -1.1};
    carom_record met = carom_record_group(scene.record, "/met");
    carom_record left = carom_record_group(scene.record, "/left");
    assert_ok(carom_scene_record_passage(&met, 3, box_q, box_v, NULL));
    assert_ok(carom_scene_record_passage(&left, 3, box_q, box_v, after));
    scene_read(&scene);
    assert_shape(&scene, "/met/position", 2, 3, "m, rad");
    assert_shape(&scene, "/left/position", 3, 3, "m, rad");
    for (int k = 0; k < 3; k++) {
        char path[64];
        snprintf(path, sizeof path, "/left/time[%d]", k);
        const double time = number_at(&scene, path);
        ck_assert(k == 0 ? time < 0.0 : k == 1 ? !(fabs(time) > 0.0) : time > 0.0);
        for (int i = 0; i < 3; i++) {
            const double velocity = k < 2 ? box_v[i] : after[i];
            snprintf(path, sizeof path, "/left/position[%d,%d]", k, i);
            assert_close(number_at(&scene, path), box_q[i] + time * velocity, 0.0, 1e-15);
            if (k < 2) {
                snprintf(path, sizeof path, "/met/position[%d,%d]", k, i);
                assert_close(number_at(&scene, path), box_q[i] + time * velocity, 0.0, 1e-15);
            }
        }
    }
    scene_end(&scene);
}

TEST(unit, circles_and_rectangles_close) {
    double circle[CAROM_SCENE_CIRCLE_POINTS][2];
    carom_scene_circle(0.3, -1.2, 0.45, circle[0]);
    for (int k = 0; k < CAROM_SCENE_CIRCLE_POINTS; k++) {
        assert_close(hypot(circle[k][0] - 0.3, circle[k][1] + 1.2), 0.45, 1e-14, 0.0);
    }
    const int last = CAROM_SCENE_CIRCLE_POINTS - 1;
    assert_close(circle[last][0], circle[0][0], 0.0, 0.0);
    // Counter-clockwise: a quarter of the way is the top.
    assert_close(circle[last / 4][1], -0.75, 1e-14, 0.0);

    double rectangle[5][2];
    carom_scene_rectangle(0.8, 0.5, rectangle[0]);
    double area = 0.0;
    for (int k = 0; k < 4; k++) {
        area +=
            0.5 * (rectangle[k][0] * rectangle[k + 1][1] - rectangle[k + 1][0] * rectangle[k][1]);
    }
    assert_close(area, 0.4, 1e-14, 0.0);
    assert_close(rectangle[0][0], -0.4, 1e-15, 0.0);
    assert_close(rectangle[4][1], -0.25, 1e-15, 0.0);
}

TEST(errors, a_name_twice_is_refused) {
    carom_planar_tree *tree = make_box();
    record_scene scene = scene_begin();
    const double point[2] = {0.0, 0.0};
    const carom_scene_line line = {"box", 0, 1, point};
    assert_ok(carom_scene_record_line(scene.record, "/drawing", tree, box_q, &line));
    assert_ok(carom_record_status(scene.record));
    assert_ok(carom_scene_record_line(scene.record, "/drawing", tree, box_q, &line));
    assert_status(carom_record_status(scene.record), IO);
    scene_end(&scene);
    carom_planar_tree_free(tree);
}
