/* Scenes in space: what a file says is what there is, every mistake has its sentence, energy is
 * accounted for, and a scene moves as the same bodies in C. */
#include "scenes.h"

#include <carom/mechanism/rotation.h>

TEST(unit, a_scene_in_space_is_what_its_statements_say) {
    CAROM_AUTO(carom_scene_file)
    file =
        parse_with("parameter mu 0.4\n"
                   "space\n"
                   "gravity 0.3 0 -mu\n"
                   "run step 2e-3 duration 1.5\n"
                   "material wood friction mu restitution 0.25\n"
                   "ground\n"
                   "  half-space at 1 2 3 normal 0 3 4 material wood\n"
                   "body crate mass 5 at 2 3 4 axis 0 0 2 angle 0.5 velocity 1 2 3 rate 0 0 0.7\n"
                   "  box 2 1 0.5 at 0.5 0 0 material wood\n"
                   "body ball mass 2 inertia 0.7 0.8 0.9 at 10 0 1 repeat 2 2 2 3 4 5 stagger "
                   "0.5\n"
                   "  sphere 0.5\n"
                   "  capsule 0.1 from 0 0 0 to 1 0 0\n",
                   "mu=0.3");
    ck_assert(file->is_space);
    ck_assert_int_eq(file->space.body_count, 9);
    ck_assert_int_eq(file->space.solid_count, 2 + 16);
    assert_close(file->space.gravity[2], -0.3, 0.0, 0.0);
    ck_assert_str_eq(file->names[8], "ball_8");
    const carom_bodies_solid *plane = &file->solids[0];
    ck_assert_int_eq((int)plane->kind, CAROM_BODIES_HALF_SPACE);
    assert_close(plane->place[2], 3.0, 0.0, 0.0);
    assert_close(plane->to[1], 3.0, 0.0, 0.0);
    assert_close(plane->friction, 0.3, 0.0, 0.0);
    assert_close(plane->restitution, 0.25, 0.0, 0.0);
    /* the centre is 0.5 m along the crate, which turns about the vertical */
    const double *q = file->position;
    const double *v = file->velocity;
    assert_close(q[0], 2.0 + 0.5 * cos(0.5), 1e-15, 0.0);
    assert_close(q[1], 3.0 + 0.5 * sin(0.5), 1e-15, 0.0);
    assert_close(q[2], 4.0, 1e-15, 0.0);
    assert_close(q[3], cos(0.25), 1e-15, 0.0);
    assert_close(q[6], sin(0.25), 1e-15, 0.0);
    assert_close(v[0], 1.0 - 0.35 * sin(0.5), 1e-15, 0.0);
    assert_close(v[1], 2.0 + 0.35 * cos(0.5), 1e-15, 0.0);
    assert_close(v[5], 0.7, 1e-15, 0.0);
    assert_close(file->masses[0].inertia[2], 5.0 * (4.0 + 1.0) / 12.0, 1e-14, 0.0);
    const double places[][3] = {{10.0, 0.0, 1.0}, {13.0, 0.0, 1.0}, {10.0, 4.0, 1.0},
                                {13.0, 4.0, 1.0}, {10.5, 0.5, 6.0}, {13.5, 0.5, 6.0},
                                {10.5, 4.5, 6.0}, {13.5, 4.5, 6.0}};
    for (int k = 0; k < 8; k++) {
        for (int i = 0; i < 3; i++) {
            assert_close(file->position[7 * (k + 1) + i] - file->masses[1].center[i], places[k][i],
                         1e-14, 0.0);
            assert_close(file->masses[k + 1].inertia[i], 0.7 + 0.1 * i, 1e-15, 0.0);
        }
        ck_assert_int_eq(file->solids[2 + 2 * k].body, k + 1);
        ck_assert_int_eq((int)file->solids[3 + 2 * k].kind, CAROM_BODIES_CAPSULE);
    }
}

/** A rate is told about the axes of the world, and kept about those of the body. */
TEST(unit, a_rate_is_by_the_axes_of_the_world) {
    CAROM_AUTO(carom_scene_file)
    file = parse_with("space\nbody a mass 1 axis 1 2 -1 angle 0.9 rate 0.3 -0.7 1.1\nsphere 1\n",
                      NULL);
    double R[9];
    carom_rotation_matrix(file->position + 3, R);
    const double rate[3] = {0.3, -0.7, 1.1};
    for (int k = 0; k < 3; k++) {
        const double w = R[3 * k] * file->velocity[3] + R[3 * k + 1] * file->velocity[4] +
                         R[3 * k + 2] * file->velocity[5];
        assert_close(w, rate[k], 0.0, 1e-15);
    }
}

TEST(errors, every_mistake_has_its_line_its_word_and_what_was_expected) {
    static const struct {
        const char *text;
        const char *sentence;
    } cases[] = {
        {"gravity 0 -1\nspace", "line 2: space: stands above all but parameters"},
        {"space\nspace", "line 2: space: it has been stated above"},
        {"space now", "line 1: space: \"now\" follows, nothing expected"},
        {"space\ngravity 0 -1", "line 2: gravity: 2 numbers, three numbers expected"},
        {"sphere 1", "line 1: sphere: stands in space, which a statement \"space\" begins"},
        {"ground\nhalf-space at 0 0 0 normal 0 0 1",
         "line 2: half-space: stands in space, which a statement \"space\" begins"},
        {"space\ndisc 1", "line 2: disc: stands in the plane, and this scene is in space"},
        {"space\nrevolute a b at 0 0",
         "line 2: revolute: stands in the plane, and this scene is in space"},
        {"space\nball 1", "line 2: \"ball\" is none of space, parameter, gravity, run, material, "
                          "ground, body, sphere, box, capsule, half-space"},
        {"space\nbody a mass 1 at 1 2", "line 2: body: at is followed by 2 numbers, 3 expected"},
        {"space\nbody a mass 1 angle 1", "line 2: body: axis expected beside angle"},
        {"space\nbody a mass 1 axis 1 0 0", "line 2: body: angle expected beside axis"},
        {"space\nbody a mass 1 axis 0 0 0 angle 1",
         "line 2: body: axis has the length 0, accepted > 0"},
        {"space\nbody a mass 1 repeat 2 2 0.5 1 1 1",
         "line 2: body: repeat has 0.5 layers, whole numbers in [1,1000000] expected"},
        {"space\nbody a mass 0", "line 2: body a: mass is 0, accepted > 0"},
        {"space\nbody a mass 1\n\nground", "line 2: body a: inertia expected, it has no shapes"},
        {"space\nbody a mass 1 inertia 1 2 3.5\nsphere 1\n",
         "line 2: body a: inertia is 3.5, accepted at most the sum of the other two"},
        {"space\nbody a mass 1 inertia 1 -2 1\nsphere 1\n",
         "line 2: body a: inertia is -2, accepted > 0"},
        {"space\nsphere 1", "line 2: sphere: stands before any body and the ground"},
        {"space\nground\nsphere 0", "line 3: sphere: radius is 0, accepted > 0"},
        {"space\nground\nsphere 1 belt 2",
         "line 3: sphere: \"belt\" is none of its words: at, material"},
        {"space\nground\nbox 1 2", "line 3: box: 2 numbers, three edges expected"},
        {"space\nground\nbox 1 2 0", "line 3: box: edge of a box is 0, accepted > 0"},
        {"space\nground\ncapsule 1 from 1 2 3 to 1 2 3",
         "line 3: capsule: length of a capsule is 0, accepted > 0"},
        {"space\nground\nhalf-space at 0 0 0 normal 0 0 0",
         "line 3: half-space: normal of a half space is 0, accepted > 0"},
        {"space\nbody a mass 1\nhalf-space at 0 0 0 normal 0 0 1",
         "line 3: half-space: stands on the ground, not on a body"},
        {"space\nground\nsphere 1 material wood",
         "line 3: sphere: material \"wood\" has not been stated above"},
        {"space\nground\nsphere 1", "there is no body"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char defect[CAROM_SCENE_FILE_DEFECT_SIZE];
        carom_scene_file *file = NULL;
        assert_status(
            carom_scene_file_parse(cases[k].text, strlen(cases[k].text), NULL, &file, defect),
            BAD_FORMAT);
        ck_assert_str_eq(defect, cases[k].sentence);
        ck_assert_ptr_null(file);
    }
}

/** Overlaps by the names of bodies, their depth and place; pairs that are not computed by theirs.
 */
TEST(errors, what_cannot_start_is_told_by_names) {
    static const struct {
        const char *text;
        const char *sentence;
        carom_status status;
    } cases[] = {
        {"space\nbody a mass 1 at 0 0 1\nsphere 1\nbody b mass 1 at 0 1.5 1\nsphere 1\n",
         "a and b overlap by 0.5 m at the start, about (0, 0.75, 1)", CAROM_STATUS_PENETRATION},
        {"space\nground\nhalf-space at 0 0 0 normal 0 0 1\nbody a mass 1 at 0 0 0.75\n"
         "capsule 0.5 from 0 0 0 to 0 0 1\n",
         "the ground and a overlap by -0.25 m", CAROM_STATUS_OK},
        {"space\nbody a mass 1\nbox 1 1 1\nbody b mass 1 at 0 0 0.9\nbox 1 1 1\n",
         "the box of a and the box of b come near each other, and contacts of such are not "
         "computed",
         CAROM_STATUS_UNSUPPORTED},
        {"space\nground\ncapsule 0.1 from 0 0 0 to 1 0 0\nbody b mass 1 at 0 0 0.5\nbox 1 1 1\n",
         "the capsule of the ground and the box of b come near each other, and contacts of such "
         "are "
         "not computed",
         CAROM_STATUS_UNSUPPORTED},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        CAROM_AUTO(carom_scene_file) file = parse_with(cases[k].text, NULL);
        carom_report report = carom_report_empty();
        ck_assert_int_eq(carom_scene_check_overlap(file, &report), cases[k].status);
        if (cases[k].status != CAROM_OK) {
            ck_assert_str_eq(report.sentence, cases[k].sentence);
        }
    }
}

static const char *const FALL =
    "space\n"
    "run duration 0.5 step 1e-3\n"
    "material wood friction 0.3 restitution 0.4\n"
    "ground\n half-space at 0 0 0 normal 0.1 0 1 material wood\n"
    "body crate mass 5 at 0 0 1 axis 1 2 3 angle 0.7 velocity 1 0 0 rate 2 1 0\n"
    " box 0.5 0.25 0.4 at 0.1 0 0 material wood\n"
    "body ball mass 2 at 0.2 0.1 1.7 rate 3 0 2\n"
    " sphere 0.25 material wood\n"
    "body pill mass 1 at -1.2 0 0.9 rate 0 4 0\n"
    " capsule 0.1 from -0.2 0 0 to 0.3 0 0 material wood\n";

/** E = E_0 - friction - normal impulses - what gyroscopic terms do within a step, to the residuals
 * of its steps, 1e-10 of what each does. */
TEST(property, the_energy_of_a_fall_is_accounted_for) {
    CAROM_AUTO(carom_scene_file) file = parse_with(FALL, NULL);
    record_scene scene = scene_begin();
    const carom_scene_motion_result r = run_file(file, &scene);
    ck_assert_int_ge(r.impacts, 4);
    ck_assert_double_gt(r.impact_loss, 1.0);
    ck_assert_double_gt(r.friction_loss, 0.1);
    scene_read(&scene);
    assert_close(number_at(&scene, "/measures/energy_budget"), 0.0, 0.0, 1e-10 * r.initial_energy);
    /* unit quaternions, and the outlines of a box, a ball, a capsule and the plane */
    double length = 0.0;
    for (const char *part = "wijk"; *part != '\0'; part++) {
        char path[48];
        snprintf(path, sizeof path, "/moreau_jean/body_%c[10,0]", *part);
        length = hypot(length, number_at(&scene, path));
    }
    assert_close(length, 1.0, 1e-15, 0.0);
    assert_close(number_at(&scene, "/geometry/radius_of_outline[7]"), 0.25, 0.0, 0.0);
    ck_assert_int_eq((int)number_at(&scene, "/geometry/kind_of_outline[0]"), 6);
    ck_assert_int_eq((int)number_at(&scene, "/geometry/kind_of_outline[1]"), 5);
    ck_assert_int_eq((int)number_at(&scene, "/geometry/kind_of_outline[8]"), 4);
    ck_assert_double_gt(number_at(&scene, "/moreau_jean/impacts/friction_impulse[0]"), 0.0);
    ck_assert_double_lt(fabs(number_at(&scene, "/moreau_jean/impacts/z[0]")), 1.0);
    scene_end(&scene);
}

/** The bits of the same bodies in C. */
TEST(property, a_scene_moves_as_the_bodies_do) {
    CAROM_AUTO(carom_scene_file) file = parse_with(FALL, NULL);
    record_scene scene = scene_begin();
    (void)run_file(file, &scene);
    scene_read(&scene);
    CAROM_AUTO(carom_bodies) bodies = NULL;
    assert_ok(carom_bodies_alloc_in_space(&file->space, &bodies, NULL));
    const carom_stepper_params params = params_of(file).stepper;
    CAROM_AUTO(carom_stepper) s = NULL;
    assert_ok(carom_stepper_alloc(carom_bodies_mechanism(bodies), &params, &s, NULL));
    assert_ok(carom_stepper_start(s, 0.0, file->position, file->velocity, NULL));
    for (int k = 0; k < 500; k++) {
        assert_ok(carom_stepper_advance(s, NULL));
    }
    for (int body = 0; body < 3; body++) {
        static const char parts[] = "xyzwijk";
        for (int i = 0; i < 7; i++) {
            char path[48];
            snprintf(path, sizeof path, "/moreau_jean/body_%c[-1,%d]", parts[i], body);
            ck_assert_double_eq(number_at(&scene, path),
                                carom_stepper_result(s)->position[7 * body + i]);
        }
    }
    scene_end(&scene);
}

/** Bodies that come near each other on their way, where that is not computed, end it by their names
 * and the time. */
TEST(errors, what_is_not_computed_ends_the_motion) {
    CAROM_AUTO(carom_scene_file)
    file = parse_with("space\ngravity 0 0 0\nrun duration 2 step 1e-2\n"
                      "body a mass 1 velocity 1 0 0\nbox 0.5 0.5 0.5\n"
                      "body b mass 1 at 2 0 0\nbox 0.5 0.5 0.5\n",
                      NULL);
    const carom_scene_motion_params params = params_of(file);
    record_scene scene = scene_begin();
    carom_report report = carom_report_empty();
    assert_status(carom_scene_motion_run(file, &params, NULL, NULL, scene.record, NULL, &report),
                  UNSUPPORTED);
    ck_assert_str_eq(report.sentence, "the box of a and the box of b come near each other, and "
                                      "contacts of such are not computed");
    /* they are 1.5 m apart, and near below 0.5/64 m and what a step moves */
    assert_close(report.time, 1.5, 0.0, 0.5 / 64.0 + 2e-2);
    scene_end(&scene);
}
