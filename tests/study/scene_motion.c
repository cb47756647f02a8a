/* src/study/scene_motion.h: the energy of a scene is accounted for, what rests stays, and the
 * record has the poses and outlines from which it is drawn. */
#include "scenes.h"

static const char *const FALL = "run duration 0.5 step 1e-3\n"
                                "material wood friction 0.3 restitution 0.4\n"
                                "ground\n half-plane at 0 0 normal 0 1 material wood\n"
                                "body crate mass 5 at 0 1 angle 0.3 velocity 1 0 rate 2\n"
                                " box 0.5 0.25 at 0.1 0 material wood\n"
                                "body ball mass 2 at 0.2 1.6 rate 3\n"
                                " disc 0.25 material wood\n";

/** E = E_0 - friction - normal impulses, which theta = 1/2 has to the rounding and the residuals of
 * its steps, 1e-10 of what each does. */
TEST(property, the_energy_of_a_fall_is_accounted_for) {
    record_scene scene = scene_begin();
    const carom_scene_motion_result r = run(FALL, &scene);
    ck_assert_int_eq(r.steps, 500);
    ck_assert_int_ge(r.impacts, 2);
    ck_assert_double_gt(r.impact_loss, 1.0);
    ck_assert_double_gt(r.friction_loss, 0.1);
    assert_close(r.final_energy + r.friction_loss + r.impact_loss, r.initial_energy, 1e-10, 0.0);
    scene_read(&scene);
    assert_close(number_at(&scene, "/measures/energy_budget"), 0.0, 0.0, 1e-10 * r.initial_energy);
    scene_end(&scene);
}

/** Joints with stops and friction, a torsion spring and dampers: what is lost has its name, and
 * nothing is left but the rounding and the residuals of the steps. */
TEST(property, the_energy_of_joints_springs_and_dampers_is_accounted_for) {
    record_scene scene = scene_begin();
    const carom_scene_motion_result r =
        run("run duration 2 step 1e-3\n"
            "body crank mass 1 at 0 0 angle 0.4 rate 3\n segment from -0.1 0 to 0.3 0\n"
            "body slider mass 2 at 0 -1\n box 0.2 0.1\n"
            "revolute ground crank at 0 0 stops -0.9 1.2 restitution 0.6 friction 0.05\n"
            "prismatic ground slider at 0 -1 axis 1.2 stops -0.3 0.3 restitution 0.3 friction 0.7\n"
            "torsion ground crank stiffness 4 damping 0.02 angle 0.2\n"
            "spring crank slider from 0.25 0.1 to 0 -1 stiffness 40 damping 0.3 length 0.8\n"
            "body shaken mass 3 at 2 0\n box 0.2 0.1\n"
            "drive ground shaken x amplitude 0.1 frequency 7\n"
            "torsion ground shaken stiffness 2\n",
            &scene);
    ck_assert_double_gt(r.friction_loss, 0.05);
    ck_assert_double_gt(r.impact_loss, 0.05);
    ck_assert_double_gt(r.damping_loss, 0.05);
    ck_assert_double_gt(fabs(r.scheme_loss), 1e-6);
    const double moved = r.friction_loss + r.impact_loss + r.damping_loss;
    scene_read(&scene);
    assert_close(number_at(&scene, "/measures/energy_budget"), 0.0, 0.0, 1e-10 * moved);
    /* both joints reach stops: their bodies, the ground first */
    assert_close(number_at(&scene, "/moreau_jean/impacts/first[0]"), -1.0, 0.0, 0.0);
    ck_assert_int_ge(r.impacts, 2);
    scene_end(&scene);
}

/** A rotor in a damper loses to it all that it loses. */
TEST(property, a_damper_takes_what_is_lost) {
    record_scene scene = scene_begin();
    const carom_scene_motion_result r = run("gravity 0 0\nrun duration 2 step 0.05\n"
                                            "body rotor mass 2 inertia 0.3 rate 5\n"
                                            "torsion ground rotor stiffness 0 damping 0.4\n",
                                            &scene);
    ck_assert_double_lt(r.final_energy, 0.1 * r.initial_energy);
    assert_close(r.damping_loss, r.initial_energy - r.final_energy, 1e-12, 0.0);
    scene_end(&scene);
}

/** What falls flat is stopped before it penetrates: by no more than its weight moves it while the
 * step does not look, g h^2, where its speed times a step is 400 times as much; it closes the rest
 * by smaller impacts, and then stays where it is. */
TEST(property, what_falls_comes_to_rest_on_the_ground_and_not_in_it) {
    enum { DISCS = 40 };
    static const double deep = 9.81 * 1e-6;
    record_scene scene = scene_begin();
    const carom_scene_motion_result r = run("run duration 2 step 1e-3\n"
                                            "ground\n half-plane at 0 0 normal 0 1\n"
                                            "body disc mass 1 at 0 0.785 repeat 40 1 0.5 0.0123\n"
                                            " disc 0.2\n",
                                            &scene);
    ck_assert_double_ge(r.smallest_gap, -deep);
    scene_read(&scene);
    for (int body = 0; body < DISCS; body++) {
        char path[64];
        snprintf(path, sizeof path, "/moreau_jean/body_y[-1,%d]", body);
        const double end = number_at(&scene, path);
        assert_close(end, 0.2, 0.0, deep);
        snprintf(path, sizeof path, "/moreau_jean/body_y[7,%d]", body);
        assert_close(end, number_at(&scene, path), 0.0, 1e-14);
    }
    scene_end(&scene);
}

/** A belt under a box that sticks on it after 0.2 s: friction takes as much as the box has at the
 * end, and the belt gives both. */
TEST(property, a_belt_does_work) {
    record_scene scene = scene_begin();
    const carom_scene_motion_result r = run("run duration 0.4 step 1e-3\n"
                                            "material m friction 0.5\n"
                                            "ground\n half-plane at 0 0 normal 0 1 material m "
                                            "belt 0.981\n"
                                            "body box mass 2 at 0 0.5\n box 1 1 material m\n",
                                            &scene);
    const double kinetic = 0.5 * 2.0 * 0.981 * 0.981;
    assert_close(r.final_energy - r.initial_energy, kinetic, 1e-9, 0.0);
    assert_close(r.friction_loss, kinetic, 1e-2, 0.0);
    assert_close(r.support_work, 2.0 * kinetic, 1e-2, 0.0);
    scene_end(&scene);
}

TEST(property, a_tower_and_a_heap_stay_at_rest) {
    record_scene scene = scene_begin();
    const carom_scene_motion_result r =
        run("run duration 5 step 1e-3\n"
            "material m friction 0.6\n"
            "ground\n half-plane at 0 0 normal 0 1 material m\n"
            "body box mass 1 at -3 0.25 repeat 1 8 0 0.5\n box 1 0.5 material m\n"
            "body a mass 1 at 0 0.5 repeat 3 1 1 0\n disc 0.5 material m\n"
            "body b mass 1 at 0.5 1.3660254037844386 repeat 2 1 1 0\n disc 0.5 material m\n"
            "body c mass 1 at 1 2.232050807568877\n disc 0.5 material m\n",
            &scene);
    ck_assert_int_eq(r.steps, 5000);
    scene_read(&scene);
    for (int body = 0; body < 14; body++) {
        static const char *const names[] = {"x", "y", "angle"};
        for (int k = 0; k < 3; k++) {
            char first[64];
            char last[64];
            snprintf(first, sizeof first, "/moreau_jean/body_%s[0,%d]", names[k], body);
            snprintf(last, sizeof last, "/moreau_jean/body_%s[-1,%d]", names[k], body);
            assert_close(number_at(&scene, last), number_at(&scene, first), 0.0, 1e-12);
        }
    }
    scene_end(&scene);
}

/** Newton's law gives resting contacts less and less speed: what sticks in many places at once
 * cannot have it, and no impulses near those of rest are a solution. */
TEST(property, a_heap_that_bounces_comes_to_rest) {
    record_scene scene = scene_begin();
    const carom_scene_motion_result r =
        run("run duration 0.65 step 2e-3\n"
            "material grain friction 0.3 restitution 0.3\n"
            "ground\n"
            " half-plane at 0 0 normal 0 1 material grain\n"
            " half-plane at -0.8 0 normal 1 0 material grain\n"
            " half-plane at 0.8 0 normal -1 0 material grain\n"
            "body disc mass 1 at -0.62 0.15 repeat 5 8 0.27 0.23 stagger 0.11\n"
            " disc 0.1 material grain\n",
            &scene);
    ck_assert_int_eq(r.outcome, CAROM_OK);
    ck_assert_int_ge(r.most_contacts, 70);
    /* each contact to 1e-10 of what a step does to it */
    assert_close(r.final_energy + r.friction_loss + r.impact_loss, r.initial_energy,
                 1e-10 * r.most_contacts, 0.0);
    scene_end(&scene);
}

/** Painleve's rod, a metre long and at sixty degrees, slides on the end that leads. With W of that
 * end, W_nn = 1.75, W_tt = 3.25, |W_nt| = 1.299 1/kg, sliding takes the force g/(W_nn - mu |W_nt|),
 * which ends at mu = 1.347: beyond it no force is a solution, and the end stops by an impact
 * without a collision, W r = -(0, v). Trailing, the rod slides with any friction. */
TEST(property, a_rod_that_no_force_lets_slide_stops_by_an_impact) {
    static const struct {
        double friction;
        double speed;
    } cases[] = {{1.2, 1.0}, {1.4, 1.0}, {2.0, 1.0}, {2.0, -1.0}};
    const double across = 12.0 * 0.25 * sqrt(0.1875);
    const double normal = 1.0 + 12.0 * 0.0625;
    const double along = 1.0 + 12.0 * 0.1875;
    const double h = 1e-5;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[600];
        const double mu = cases[k].friction;
        snprintf(text, sizeof text,
                 "run duration 1e-5 step 1e-5\nmaterial chalk friction %.17g\n"
                 "ground\n half-plane at 0 0 normal 0 1 material chalk\n"
                 "body rod mass 1 at 0 0.43301270189221935 angle -1.0471975511965976 "
                 "velocity %.17g 0\n segment from -0.5 0 to 0.5 0 material chalk\n",
                 mu, cases[k].speed);
        record_scene scene = scene_begin();
        (void)run(text, &scene);
        scene_read(&scene);
        const double impulse = number_at(&scene, "/moreau_jean/impacts/impulse[0]");
        const double friction = number_at(&scene, "/moreau_jean/impacts/friction_impulse[0]");
        const bool is_impact = cases[k].speed > 0.0 && mu > normal / across;
        const double det = normal * along - across * across;
        /* what weight and the turn of the end add in a step: some g h */
        assert_close(impulse,
                     is_impact ? across / det
                               : h * 9.81 / (normal - copysign(mu, cases[k].speed) * across),
                     1e-2, is_impact ? 100.0 * h : 0.0);
        assert_close(fabs(friction), is_impact ? normal / det : mu * impulse, 1e-9,
                     is_impact ? 100.0 * h : 0.0);
        scene_end(&scene);
    }
}

TEST(unit, a_record_has_what_a_picture_needs) {
    record_scene scene = scene_begin();
    (void)run(FALL, &scene);
    scene_read(&scene);
    assert_shape(&scene, "/moreau_jean/body_x", 11, 2, "m");
    assert_shape(&scene, "/moreau_jean/body_angle", 11, 2, "rad");
    assert_close(number_at(&scene, "/moreau_jean/time[1]"), 0.05, 1e-12, 0.0);
    /* the ground, four corners and the first again about the centre of mass, a disc, its radius */
    assert_shape(&scene, "/geometry/body_of_outline", 4, 1, "1");
    const int bodies[] = {-1, 0, 1, 1};
    const int kinds[] = {2, 0, 0, 1};
    for (int k = 0; k < 4; k++) {
        char path[64];
        snprintf(path, sizeof path, "/geometry/body_of_outline[%d]", k);
        assert_close(number_at(&scene, path), bodies[k], 0.0, 0.0);
        snprintf(path, sizeof path, "/geometry/kind_of_outline[%d]", k);
        assert_close(number_at(&scene, path), kinds[k], 0.0, 0.0);
    }
    assert_close(number_at(&scene, "/geometry/y[1]"), 1.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/geometry/x[2]"), -0.25, 1e-14, 0.0);
    assert_close(number_at(&scene, "/geometry/x[6]"), number_at(&scene, "/geometry/x[2]"), 0.0,
                 0.0);
    assert_close(hypot(number_at(&scene, "/geometry/x[20]"), number_at(&scene, "/geometry/y[20]")),
                 0.25, 1e-14, 0.0);
    /* the first body to reach the ground is the crate */
    assert_close(number_at(&scene, "/moreau_jean/impacts/first[0]"), -1.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/moreau_jean/impacts/second[0]"), 0.0, 0.0, 0.0);
    scene_end(&scene);
}

TEST(errors, shapes_that_overlap_are_named_with_their_depth) {
    CAROM_AUTO(carom_scene_file)
    file = parse_with("body crate mass 5 at 3 0\n box 2 1\nbody ball mass 1 at 4.25 0\n disc 0.5\n",
                      NULL);
    carom_report report = carom_report_empty();
    assert_status(carom_scene_check_overlap(file, &report), PENETRATION);
    ck_assert_str_eq(report.sentence,
                     "crate and ball overlap by 0.25 m at the start, about (3.875, 0)");
    CAROM_AUTO(carom_scene_file)
    apart = parse_with("body crate mass 5 at 3 0\n box 2 1\nbody ball mass 1 at 4.5 0\n disc 0.5\n",
                       NULL);
    assert_ok(carom_scene_check_overlap(apart, &report));
    /* nine digits of a typed place, also where bodies touch at the origin */
    CAROM_AUTO(carom_scene_file)
    typed = parse_with("ground\n half-plane at 0 0 normal 0 1\n"
                       "body ball mass 1 at 0 0.09999999999\n disc 0.1\n",
                       NULL);
    assert_ok(carom_scene_check_overlap(typed, &report));
    CAROM_AUTO(carom_scene_file)
    deeper = parse_with("ground\n half-plane at 0 0 normal 0 1\n"
                        "body ball mass 1 at 0 0.0999999\n disc 0.1\n",
                        NULL);
    assert_status(carom_scene_check_overlap(deeper, &report), PENETRATION);
}

/** Contacts that the rows do not hold end a motion; what was computed is kept if asked for. */
TEST(errors, a_motion_that_fails_says_when_and_keeps_what_it_has) {
    CAROM_AUTO(carom_scene_file)
    file = parse_with("run duration 0.5 step 1e-3\nground\n half-plane at 0 0 normal 0 1\n"
                      "body box mass 1 at 0 1\n box 1 1\n",
                      NULL);
    file->spec.most_contacts = 1;
    carom_scene_motion_params params = params_of(file);
    for (int keeps = 0; keeps < 2; keeps++) {
        record_scene scene = scene_begin();
        carom_scene_motion_result result;
        carom_report report = carom_report_empty();
        params.keeps_partial = keeps == 1;
        const carom_status status =
            carom_scene_motion_run(file, &params, NULL, NULL, scene.record, &result, &report);
        ck_assert_int_eq(status, keeps == 1 ? CAROM_OK : CAROM_STATUS_OUT_OF_RANGE);
        ck_assert_msg(
            strncmp(report.sentence, "mechanism 'scene': more than 1 contacts at t", 44) == 0, "%s",
            report.sentence);
        if (keeps == 1) {
            ck_assert_int_eq(result.outcome, CAROM_STATUS_OUT_OF_RANGE);
            ck_assert_int_lt(result.steps, 500);
            ck_assert_int_gt(result.steps, 100);
        }
        scene_end(&scene);
    }
}

/** Steps with no solution say between which bodies, also where a drive or a joint is not held. */
TEST(errors, a_step_with_no_solution_names_its_bodies) {
    static const struct {
        const char *text;
        const char *sentence;
    } cases[] = {
        {"run duration 1 step 1e-3\nground\n half-plane at 0 0 normal 0 1\n"
         "body press mass 1 at 0 1.5\n disc 1\ndrive ground press y speed -1 touching\n",
         "no solution was found for the contact of the ground with press"},
        {"run duration 1 step 1e-3\nbody door mass 1 rate 1\n segment from 0 0 to 1 0\n"
         "revolute ground door at 0 0 stops -0.1 0.1\ndrive ground door turn speed 1\n",
         "no solution was found for the upper stop of the revolute of the ground and door"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        CAROM_AUTO(carom_scene_file) file = parse_with(cases[k].text, NULL);
        record_scene scene = scene_begin();
        const carom_scene_motion_params params = params_of(file);
        carom_report report = carom_report_empty();
        const carom_status status =
            carom_scene_motion_run(file, &params, NULL, NULL, scene.record, NULL, &report);
        ck_assert_int_ne(status, CAROM_OK);
        ck_assert_str_eq(report.sentence, cases[k].sentence);
        assert_close(report.time, k == 0 ? 0.5 : 0.1, 0.0, 1.5 * params.stepper.step);
        scene_end(&scene);
    }
}

TEST(unit, a_scene_knows_whether_a_contact_is_possible) {
    static const struct {
        const char *text;
        bool is_possible;
    } cases[] = {
        {"body a mass 1\n disc 1\n disc 1 at 3 0\n", false},
        {"body a mass 1 inertia 1\nbody b mass 1 at 3 0\n disc 1\n", false},
        {"body a mass 1\n disc 1\nbody b mass 1 at 3 0\n disc 1\n", true},
        {"body a mass 1\n disc 1\nbody b mass 1 at 3 0\n disc 1\nrevolute b a at 1 0\n", false},
        {"body a mass 1\n disc 1\nbody b mass 1 at 3 0\n disc 1\nrevolute a b at 1 0 touching\n",
         true},
        {"body a mass 1\n disc 1\nrevolute ground a at 1 0 stops -1 2\n", true},
        {"body a mass 1\n disc 1\nrevolute ground a at 1 0 friction 3\n", true},
        {"space\nbody a mass 1\n sphere 1\n", false},
        {"space\nground\n half-space at 0 0 -2 normal 0 0 1\nbody a mass 1\n sphere 1\n", true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        CAROM_AUTO(carom_scene_file) file = parse_with(cases[k].text, NULL);
        ck_assert_msg(carom_scene_may_touch(file) == cases[k].is_possible, "%s", cases[k].text);
    }
}
