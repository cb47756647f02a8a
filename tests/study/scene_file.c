/* src/study/scene_file.h: what a file says is what there is, and every mistake has its line, its
 * word and what was expected; a scene moves as the same bodies in C. */
#include <carom/study/scene_file.h>

#include "../failing_malloc.h"
#include "scene_text.h"

#include <carom/timestepping/galpha/galpha.h>

#include <string.h>

static void assert_refused(const char *text, const char *parameters, const char *sentence) {
    char defect[CAROM_SCENE_FILE_DEFECT_SIZE];
    carom_scene_file *file = NULL;
    assert_status(carom_scene_file_parse(text, strlen(text), parameters, &file, defect),
                  BAD_FORMAT);
    ck_assert_str_eq(defect, sentence);
    ck_assert_ptr_null(file);
    assert_status(carom_scene_file_parse(text, strlen(text), parameters, &file, NULL), BAD_FORMAT);
}

TEST(unit, a_scene_is_what_its_statements_say) {
    CAROM_AUTO(carom_scene_file)
    file = parse_with("# comment\r\n"
                      "parameter mu 0.4\n"
                      "gravity 0.3 -mu\n"
                      "run step 2e-3 duration 1.5\n"
                      "material wood friction mu restitution 0.25\n"
                      "ground\n"
                      "  half-plane at 1 2 normal 0 3 material wood belt -0.7\n"
                      "body crate mass 5 at 2 3 angle 0.5 velocity 1 2 rate 0.5\n"
                      "  box 2 1 at 0.5 0 material wood # more\n"
                      "body ball mass 2 inertia 0.7 at 10 0 repeat 2 2 3 4 stagger 0.5\n"
                      "  disc 0.5\n",
                      NULL);
    ck_assert_int_eq(file->spec.body_count, 5);
    ck_assert_int_eq(file->spec.shape_count, 6);
    assert_close(file->spec.gravity[0], 0.3, 0.0, 0.0);
    assert_close(file->spec.gravity[1], -0.4, 0.0, 0.0);
    assert_close(file->step, 2e-3, 0.0, 0.0);
    assert_close(file->duration, 1.5, 0.0, 0.0);
    ck_assert_str_eq(file->names[0], "crate");
    ck_assert_str_eq(file->names[4], "ball_4");
    const carom_bodies_shape *plane = &file->shapes[0];
    ck_assert(plane->is_half_plane);
    assert_close(plane->points[1], 2.0, 0.0, 0.0);
    assert_close(plane->points[3], 3.0, 0.0, 0.0);
    assert_close(plane->friction, 0.4, 0.0, 0.0);
    assert_close(plane->restitution, 0.25, 0.0, 0.0);
    assert_close(plane->surface_speed, -0.7, 0.0, 0.0);
    /* the centre is 0.5 m along the crate: its place and speed */
    assert_close(file->bodies[0].center[0], 0.5, 1e-15, 0.0);
    assert_close(file->bodies[0].inertia, 5.0 * 5.0 / 12.0, 1e-14, 0.0);
    assert_close(file->position[0], 2.0 + 0.5 * cos(0.5), 1e-15, 0.0);
    assert_close(file->position[1], 3.0 + 0.5 * sin(0.5), 1e-15, 0.0);
    assert_close(file->velocity[0], 1.0 - 0.25 * sin(0.5), 1e-15, 0.0);
    assert_close(file->velocity[1], 2.0 + 0.25 * cos(0.5), 1e-15, 0.0);
    const double places[][2] = {{10.0, 0.0}, {13.0, 0.0}, {10.5, 4.0}, {13.5, 4.0}};
    for (int k = 0; k < 4; k++) {
        assert_close(file->position[3 * (k + 1)], places[k][0], 1e-15, 0.0);
        assert_close(file->position[3 * (k + 1) + 1], places[k][1], 1e-15, 0.0);
        assert_close(file->bodies[k + 1].inertia, 0.7, 0.0, 0.0);
        ck_assert_int_eq(file->shapes[k + 2].body, k + 1);
    }
}

/** Joints and springs are stated by places of the world, and closed where they are stated. */
TEST(unit, joints_fit_where_they_are_stated) {
    CAROM_AUTO(carom_scene_file)
    file = parse_with("body a mass 1 at 1 2 angle 0.3\n"
                      "  polygon 0 0 2 0 0 1\n"
                      "body b mass 1 at 3 1 angle -0.8\n"
                      "  capsule 0.1 from 0 0 to 1 0\n"
                      "revolute a b at 2 2.5 touching\n"
                      "fixed ground a\n"
                      "prismatic a b at 2 1 axis 0.7\n"
                      "drive ground b turn speed 2 amplitude 0.3 frequency 5 phase 0.4\n"
                      "drive a b y amplitude 0.1 phase 0.2\n"
                      "spring a b from 1 1 to 4 5 stiffness 10 damping 2\n",
                      NULL);
    CAROM_AUTO(carom_bodies) bodies = NULL;
    assert_ok(carom_bodies_alloc(&file->spec, &bodies, NULL));
    const carom_mechanism *m = carom_bodies_mechanism(bodies);
    ck_assert_int_eq(m->joint_count, 9);
    double g[32];
    double s[32];
    ck_assert_int_le(carom_mechanism_constraint_count(m), 32);
    m->constraints(file->position, g, m->context);
    m->constraint_offset(0.0, s, m->context);
    for (int j = 0; j < m->joint_count; j++) {
        assert_close(g[j] + s[j], 0.0, 0.0, 1e-14);
    }
    ck_assert(file->joints[0].collides);
    ck_assert(!file->joints[1].collides);
    assert_close(file->springs[0].length, 5.0, 1e-15, 0.0);
    CAROM_AUTO(carom_scene_file)
    driven = parse_with("body a mass 1 inertia 1 at 1 2\n"
                        "drive ground a x speed 0.5 amplitude 0.1 frequency 3\n",
                        NULL);
    assert_close(driven->velocity[0], 0.8, 1e-15, 0.0);
}

/** Stops count from where a joint is at the start, and a torsion spring is at rest there. */
TEST(unit, limits_and_torsion_springs_count_from_the_start) {
    CAROM_AUTO(carom_scene_file)
    file = parse_with("body a mass 1 inertia 1 at 1 2 angle 0.3\n"
                      "body b mass 1 inertia 1 at 3 1 angle -0.8\n"
                      "revolute a b at 2 2.5 stops -0.4 0.7 restitution 0.25 friction 3\n"
                      "prismatic ground b at 3 1 axis 0.7 friction 2\n"
                      "torsion a b stiffness 10 damping 2\n"
                      "torsion b ground stiffness 5 angle 0.1\n",
                      NULL);
    CAROM_AUTO(carom_bodies) bodies = NULL;
    assert_ok(carom_bodies_alloc(&file->spec, &bodies, NULL));
    const carom_mechanism *m = carom_bodies_mechanism(bodies);
    ck_assert_int_eq(m->coordinate_count, 8);
    ck_assert_int_eq(carom_bodies_limit_count(bodies), 4);
    double q[8] = {0.0};
    double g[8];
    memcpy(q, file->position, 6 * sizeof *q);
    m->constraints(q, g, m->context);
    const double gaps[] = {0.4, 0.7, 0.0, 0.0};
    for (int k = 0; k < 4; k++) {
        assert_close(g[4 + k], gaps[k], 0.0, 1e-15);
        const carom_bodies_limit limit = carom_bodies_limit_at(bodies, k);
        ck_assert_int_eq(limit.joint, k < 3 ? 0 : 1);
        assert_close(m->restitution[k], k < 2 ? 0.25 : 0.0, 0.0, 0.0);
        assert_close(m->friction[k], k < 2 ? 0.0 : 1.0, 0.0, 0.0);
    }
    assert_close(file->joints[0].friction, 3.0, 0.0, 0.0);
    assert_close(file->springs[0].length, -1.1, 1e-15, 0.0);
    assert_close(file->springs[1].length, 0.1, 0.0, 0.0);
    ck_assert(file->springs[1].is_torsion);
}

/** What rounding leaves of moments that cancel would be an arm of a joint, of 1e-18 m. */
TEST(unit, the_centre_of_a_box_is_its_middle) {
    CAROM_AUTO(carom_scene_file)
    file = parse_with("body a mass 1 at 0 -1\n box 0.2 0.1\nbody b mass 1\n box 0.3 0.7\n", NULL);
    for (int k = 0; k < 2; k++) {
        assert_close(file->bodies[k].center[0], 0.0, 0.0, 0.0);
        assert_close(file->bodies[k].center[1], 0.0, 0.0, 0.0);
    }
}

TEST(unit, parameters_may_be_given_in_place_of_what_is_stated) {
    const char *text = "parameter m 3\nbody a mass m inertia 1 at -m 0\n";
    CAROM_AUTO(carom_scene_file) stated = parse_with(text, NULL);
    assert_close(stated->bodies[0].mass, 3.0, 0.0, 0.0);
    assert_close(stated->position[0], -3.0, 0.0, 0.0);
    CAROM_AUTO(carom_scene_file) given = parse_with(text, "m=2.385");
    assert_close(given->bodies[0].mass, 2.385, 0.0, 0.0);
    assert_refused(text, "n=1", "there is no parameter \"n\"");
    assert_refused(text, "m", "parameters: \"m\" is no NAME=VALUE");
    assert_refused(text, "m=x", "parameters: m, \"x\" is not a number");
    assert_refused(text, "m=-1", "line 2: body a: mass is -1, accepted > 0");
}

TEST(errors, every_mistake_has_its_line_its_word_and_what_was_expected) {
    static const struct {
        const char *text;
        const char *sentence;
    } cases[] = {
        {"", "there is no body"},
        {"boddy a mass 1",
         "line 1: \"boddy\" is none of space, parameter, gravity, run, material, ground, body, "
         "disc, box, "
         "capsule, segment, polygon, half-plane, revolute, fixed, prismatic, drive, spring, "
         "torsion"},
        {"\n\ngravity 1", "line 3: gravity: 1 number, two numbers expected"},
        {"gravity 1 2 3", "line 1: gravity: \"3\" follows, two numbers expected"},
        {"gravity 1 up", "line 1: gravity: \"up\" is no number and no parameter stated above"},
        {"gravity 0 -1\ngravity 0 -2", "line 2: gravity: it has been stated above"},
        {"run step 0", "line 1: run: step is 0, accepted > 0"},
        {"run step 1\nrun duration 2 step 1", "line 2: run: step has been stated above"},
        {"run duration 1\nrun duration 1", "line 2: run: duration has been stated above"},
        {"run step 1 step 2", "line 1: run: step stands twice"},
        {"body", "line 1: body: a name expected"},
        {"body 1a mass 1", "line 1: body: \"1a\" is no name of letters, digits, _ and -"},
        {"body a", "line 1: body: mass expected"},
        {"body a mass", "line 1: body: mass is followed by 0 numbers, 1 expected"},
        {"body a mass 1 at 1", "line 1: body: at is followed by 1 number, 2 expected"},
        {"body a mass 1 colour 2",
         "line 1: body: \"colour\" is none of its words: mass, inertia, at, angle, velocity, rate, "
         "repeat, stagger"},
        {"body a mass -2", "line 1: body a: mass is -2, accepted > 0"},
        {"body a mass 1 inertia 0", "line 1: body a: inertia is 0, accepted > 0"},
        {"body a mass 1\ndisc 1\nbody a mass 1", "line 3: body: there is \"a\" already"},
        {"body ground mass 1", "line 1: body: there is \"ground\" already"},
        {"body a mass 1\n\nground", "line 1: body a: inertia expected, its shapes have none"},
        {"body a_2 mass 1\ndisc 1\nbody a mass 1 repeat 2 1 1 1",
         "line 3: body: there is \"a\" already"},
        {"body a mass 1 repeat 2.5 1 1 1",
         "line 1: body: repeat has 2.5 columns, whole numbers in [1,1000000] expected"},
        {"body a mass 1 repeat 1000 1001 1 1",
         "line 1: body: 1.001e+06 bodies, at most 1000000 are possible"},
        {"disc 1", "line 1: disc: stands before any body and the ground"},
        {"ground\nbox 1 0", "line 2: box: height is 0, accepted > 0"},
        {"ground\ndisc 0", "line 2: disc: radius is 0, accepted > 0"},
        {"ground\ncapsule 1 from 0 0", "line 2: capsule: to expected"},
        {"ground\ncapsule 1 from 0 0 to 0 0",
         "line 2: capsule: length of a segment is 0, accepted > 0"},
        {"ground\npolygon 0 0 1 0 1", "line 2: polygon: 5 numbers, x and y of three corners or "
                                      "more expected"},
        {"ground\npolygon 0 0 0 1 1 1 1 0", "line 2: polygon: corner 2 does not turn to the left; "
                                            "corners are convex and counter-clockwise"},
        {"ground\npolygon 0 0 2 0 1 0.5 2 2 0 2", "line 2: polygon: corner 3 does not turn to the "
                                                  "left; corners are convex and counter-clockwise"},
        {"body a mass 1\nhalf-plane at 0 0 normal 0 1",
         "line 2: half-plane: stands on the ground, not on a body"},
        {"ground\nhalf-plane at 0 0 normal 0 0",
         "line 2: half-plane: normal of a half plane is 0, accepted > 0"},
        {"ground\ndisc 1 material wood",
         "line 2: disc: material \"wood\" has not been stated above"},
        {"ground\ndisc 1 material", "line 2: disc: a name expected after material"},
        {"material wood friction -1", "line 1: material: friction is -1, accepted >= 0"},
        {"material wood restitution 2", "line 1: material: restitution is 2, accepted in [0,1]"},
        {"material wood\nmaterial wood", "line 2: material: there is \"wood\" already"},
        {"parameter a 1\nparameter a 2", "line 2: parameter: \"a\" has been stated above"},
        {"revolute a b at 0 0", "line 1: revolute: body \"a\" has not been stated above"},
        {"body a mass 1 inertia 1\nrevolute a a at 0 0",
         "line 2: revolute: \"a\" and itself, two bodies expected"},
        {"body a mass 1 inertia 1\nrevolute a ground", "line 2: revolute: at expected"},
        {"body a mass 1 inertia 1\ndrive ground a z", "line 2: drive: \"z\" follows the bodies, x, "
                                                      "y or turn expected"},
        {"body a mass 1 inertia 1\nspring ground a from 0 0 to 0 0 stiffness 1",
         "line 2: spring: its ends are in one place"},
        {"body a mass 1 inertia 1\nspring ground a from 0 0 to 0 1 stiffness -1",
         "line 2: spring: stiffness -1, damping 0, accepted >= 0"},
        {"body a mass 1 inertia 1\nspring ground a from 0 0 to 0 1 stiffness 1 length -1",
         "line 2: spring: length is -1, accepted >= 0"},
        {"body a mass 1 inertia 1\ntorsion ground a damping 1",
         "line 2: torsion: stiffness expected"},
        {"body a mass 1 inertia 1\ntorsion ground a stiffness 1 damping -2",
         "line 2: torsion: stiffness 1, damping -2, accepted >= 0"},
        {"body a mass 1 inertia 1\ntorsion a a stiffness 1",
         "line 2: torsion: \"a\" and itself, two bodies expected"},
        {"body a mass 1 inertia 1\nrevolute ground a at 0 0 stops 1 2",
         "line 2: revolute: stops are 1 and 2, one at or below 0 and one at or above it expected"},
        {"body a mass 1 inertia 1\nprismatic ground a at 0 0 axis 0 stops 0 0",
         "line 2: prismatic: stops are 0 and 0, one at or below 0 and one at or above it expected"},
        {"body a mass 1 inertia 1\nrevolute ground a at 0 0 restitution 0.5",
         "line 2: revolute: restitution is that of stops, which it has not"},
        {"body a mass 1 inertia 1\nrevolute ground a at 0 0 stops -1 1 restitution 1.5",
         "line 2: revolute: restitution is 1.5, accepted in [0,1]"},
        {"body a mass 1 inertia 1\nrevolute ground a at 0 0 friction -1",
         "line 2: revolute: friction is -1, accepted >= 0"},
        {"body a mass 1 inertia 1\nfixed ground a friction 1",
         "line 2: fixed: \"friction\" is none of its words: touching"},
        {"body abcdefghijklmnopqrstuvwxyz mass 1",
         "line 1: body: \"abcdefghijklmnopqrstuvwxyz\" is longer than 23 letters"},
        {"b\xc3\xb6\x64y", "line 1: \"b??dy\" is none of space, parameter, gravity, run, material, "
                           "ground, body, disc, box, capsule, segment, polygon, half-plane, "
                           "revolute, fixed, prismatic, drive, spring, torsion"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_refused(cases[k].text, NULL, cases[k].sentence);
    }
    carom_scene_file *file = NULL;
    char defect[CAROM_SCENE_FILE_DEFECT_SIZE];
    assert_status(carom_scene_file_parse("body\0a", 6, NULL, &file, defect), BAD_FORMAT);
    ck_assert_str_eq(defect, "is not a text file");
    assert_status(carom_scene_file_read("/nonexistent/scene", NULL, &file, defect), IO);
    ck_assert_str_eq(defect, "cannot be read: No such file or directory");
}

TEST(errors, every_failed_allocation_is_told) {
    const char *text = "ground\nhalf-plane at 0 0 normal 0 1\n"
                       "body a mass 1 at 0 1 repeat 30 1 3 0\nbox 1 1\n"
                       "revolute ground a_1 at 0 0\nspring a_1 a_2 from 0 0 to 1 1 stiffness 2\n";
    int granted = 0;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    for (; status != CAROM_OK; granted++) {
        CAROM_AUTO(carom_scene_file) file = NULL;
        successes_left = granted;
        status = carom_scene_file_parse(text, strlen(text), NULL, &file, NULL);
        successes_left = -1;
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
        ck_assert_int_eq(file == NULL, status != CAROM_OK);
    }
    ck_assert_int_ge(granted, 12);
}

static void run(const carom_bodies_spec *spec, const double *q, const double *v, double *end) {
    CAROM_AUTO(carom_bodies) bodies = NULL;
    assert_ok(carom_bodies_alloc(spec, &bodies, NULL));
    const carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    CAROM_AUTO(carom_stepper) stepper = NULL;
    assert_ok(carom_stepper_alloc(carom_bodies_mechanism(bodies), &params, &stepper, NULL));
    assert_ok(carom_stepper_start(stepper, 0.0, q, v, NULL));
    for (int k = 0; k < 300; k++) {
        assert_ok(carom_stepper_advance(stepper, NULL));
    }
    memcpy(end, carom_stepper_result(stepper)->position, 6 * sizeof *end);
}

/** The same mechanism in C: a box and a disc fall on the ground. */
TEST(property, a_scene_and_the_same_bodies_in_c_give_the_same_bits) {
    CAROM_AUTO(carom_scene_file)
    file = parse_with("material wood friction 0.3 restitution 0.2\n"
                      "ground\n half-plane at 0 0 normal 0 1 material wood\n"
                      "body crate mass 5 at 0 0.5 angle 0.3 velocity 1 0\n"
                      " box 0.5 0.25 material wood\n"
                      "body ball mass 2 at 0.2 1.1 rate 3\n"
                      " disc 0.25 material wood\n",
                      NULL);
    const double up[] = {0.0, 0.0, 0.0, 1.0};
    const double corners[] = {-0.25, -0.125, 0.25, -0.125, 0.25, 0.125, -0.25, 0.125};
    const double center[] = {0.0, 0.0};
    const carom_bodies_shape shapes[] = {
        {-1, true, 2, up, 0.0, 0.3, 0.2, 0.0},
        {0, false, 4, corners, 0.0, 0.3, 0.2, 0.0},
        {1, false, 1, center, 0.25, 0.3, 0.2, 0.0},
    };
    const carom_planar_shape bodies[] = {carom_bodies_uniform(1, &shapes[1], 5.0),
                                         carom_bodies_uniform(1, &shapes[2], 2.0)};
    carom_bodies_spec spec = carom_bodies_spec_default();
    spec.body_count = 2;
    spec.bodies = bodies;
    spec.shape_count = 3;
    spec.shapes = shapes;
    const double q[] = {0.0, 0.5, 0.3, 0.2, 1.1, 0.0};
    const double v[] = {1.0, 0.0, 0.0, 0.0, 0.0, 3.0};
    double one[6];
    double other[6];
    run(&file->spec, file->position, file->velocity, one);
    run(&spec, q, v, other);
    ck_assert_mem_eq(one, other, sizeof one);
}
