/* src/drawing/geometry.h: poses that follow from coordinates are those of the tree. */
#include "drawn.h"

#include <carom/drawing/geometry.h>

FIXTURE(scratch_setup, scratch_teardown);

enum { BODIES = 6, COORDINATES = 9, INSTANTS = 7 };

/** One of each joint, on each other and beside each other, all of them turned. */
static carom_planar_tree *tree_of(gsl_rng *generator) {
    const carom_planar_shape rod = carom_planar_rod(1.0, 0.7);
    carom_planar_body bodies[BODIES] = {
        carom_planar_floating(carom_planar_box(2.0, 0.3, 0.5)),
        carom_planar_revolute(0, 0.3, -0.2, rod),
        carom_planar_prismatic(1, 0.1, -0.7, 0.6, rod),
        carom_planar_fixed(2, 0.4, 0.1, rod),
        carom_planar_revolute(3, -0.2, 0.3, rod),
        carom_planar_translating(carom_planar_disc(1.0, 0.2)),
    };
    bodies[5].parent = 4;
    for (int b = 0; b < BODIES; b++) {
        bodies[b].joint_angle = uniform(generator, -2.0, 2.0);
    }
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.body_count = BODIES;
    spec.bodies = bodies;
    carom_planar_tree *tree = NULL;
    assert_ok(carom_planar_tree_alloc(&spec, &tree, NULL));
    ck_assert_int_eq(carom_planar_tree_mechanism(tree)->coordinate_count, COORDINATES - 1);
    return tree;
}

/** A record of a motion by coordinates, of which there may be more than the bodies have. */
static carom_drawing *drawing_of(const carom_geometry *geometry, const double *q) {
    double time[INSTANTS];
    carom_record *record = scratch_record("motion.h5");
    assert_ok(carom_geometry_record(record, geometry));
    for (int i = 0; i < INSTANTS; i++) {
        time[i] = 0.1 * i;
    }
    carom_record_axis(record, "/run/time", INSTANTS, time, "s", "time");
    carom_record_index_axis(record, "/run/coordinate", COORDINATES, "coordinate");
    carom_record_series(record, "/run/position", q, "/run/time", "/run/coordinate", "m", "q");
    assert_ok(carom_record_commit(record, NULL));
    return read_drawing("motion.h5");
}

/** The tree's own poses, of which six frames on each other take a rounding each. */
TEST(property, bodies_of_a_tree_are_where_the_tree_has_them) {
    gsl_rng *generator = seeded_generator(7);
    CAROM_AUTO(carom_planar_tree) tree = tree_of(generator);
    double q[INSTANTS * COORDINATES];
    for (int k = 0; k < INSTANTS * COORDINATES; k++) {
        q[k] = uniform(generator, -3.0, 3.0);
    }
    CAROM_AUTO_VALUE(carom_geometry) geometry = {0};
    carom_geometry_add_tree(&geometry, tree);
    CAROM_AUTO(carom_drawing) drawing = drawing_of(&geometry, q);
    ck_assert_int_eq(drawing->body_count, BODIES);
    for (int i = 0; i < INSTANTS; i++) {
        for (int b = 0; b < BODIES; b++) {
            double pose[3];
            carom_planar_tree_pose(tree, q + (size_t)i * COORDINATES, b, pose);
            const double *drawn = drawing->poses + 3 * ((size_t)i * BODIES + (size_t)b);
            for (int k = 0; k < 3; k++) {
                assert_close(drawn[k], pose[k], 0.0, 64.0 * DBL_EPSILON * 20.0);
            }
        }
    }
    gsl_rng_free(generator);
}

/** Lists that double keep what was added before. */
TEST(unit, many_bodies_are_kept) {
    enum { MANY = 700 };
    CAROM_AUTO_VALUE(carom_geometry) geometry = {0};
    for (int b = 0; b < MANY; b++) {
        carom_geometry_add_body(&geometry, NULL, -1, 0.5 * b, -b, 0.0);
        carom_geometry_add_term(&geometry, b, CAROM_GEOMETRY_X, 1, 2.0);
        carom_geometry_add_box(&geometry, b, 0.0, 0.0, b + 1.0, 2.0);
    }
    double q[INSTANTS * COORDINATES] = {0.0};
    q[1] = 2.385;
    CAROM_AUTO(carom_drawing) drawing = drawing_of(&geometry, q);
    ck_assert_int_eq(drawing->body_count, MANY);
    for (int b = 0; b < MANY; b++) {
        assert_close(drawing->poses[3 * b], 0.5 * b + 4.77, 1e-15, 0.0);
        assert_close(drawing->poses[3 * b + 1], -b, 0.0, 0.0);
        assert_close(drawing->outlines[b].points[2], 0.5 * (b + 1.0), 0.0, 0.0);
    }
    ck_assert_str_eq(drawing->names[MANY - 1], "body_699");
}

/** Coordinates that there are not, parents that do not come first. */
LOOP_TEST(errors, what_follows_from_nothing_is_refused, 2) {
    CAROM_AUTO_VALUE(carom_geometry) geometry = {0};
    carom_geometry_add_body(&geometry, "first", _i == 1 ? 0 : -1, 0.0, 0.0, 0.0);
    carom_geometry_add_term(&geometry, 0, CAROM_GEOMETRY_ANGLE, _i == 0 ? 2 : 0, 1.0);
    const double time[1] = {0.0};
    const double q[2] = {1.0, 2.0};
    carom_record *record = scratch_record("bad.h5");
    assert_ok(carom_geometry_record(record, &geometry));
    carom_record_axis(record, "/run/time", 1, time, "s", "time");
    carom_record_index_axis(record, "/run/coordinate", 2, "coordinate");
    carom_record_series(record, "/run/position", q, "/run/time", "/run/coordinate", "m", "q");
    assert_ok(carom_record_commit(record, NULL));
    carom_reader *reader = scratch_open("bad.h5");
    carom_drawing *drawing = NULL;
    carom_report report = carom_report_empty();
    assert_status(carom_drawing_read(reader, "/run", &drawing, &report), BAD_FORMAT);
    ck_assert_ptr_nonnull(strstr(report.sentence, _i == 0 ? "term 0 is of" : "body 0 stands in"));
    carom_reader_close(reader);
}
