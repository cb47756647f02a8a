/* data/examples/NAME.scene: what must hold of them. Run from the root of the project. */
#include "recorded_impact.h"

#include <carom/study/scene_motion.h>

#include <string.h>

enum { FRAMES = 101 };

/** Run a scene by a scheme for a duration, 0: its own; the record is open for reading. */
static carom_scene_motion_result run_by(carom_scheme scheme, const char *name,
                                        const char *parameters, double duration,
                                        record_scene *scene) {
    char path[96];
    char defect[CAROM_SCENE_FILE_DEFECT_SIZE];
    snprintf(path, sizeof path, "data/examples/%s.scene", name);
    CAROM_AUTO(carom_scene_file) file = NULL;
    const carom_status status = carom_scene_file_read(path, parameters, &file, defect);
    ck_assert_msg(status == CAROM_OK, "%s: %s", path, defect);
    carom_report report = carom_report_empty();
    assert_ok(carom_scene_check_overlap(file, &report));
    carom_scene_motion_params params = carom_scene_motion_params_default(scheme);
    params.duration = duration > 0.0 ? duration : file->duration;
    params.frames = FRAMES;
    params.stepper.step = file->step;
    *scene = scene_begin();
    carom_scene_motion_result result;
    const carom_status moved =
        carom_scene_motion_run(file, &params, NULL, NULL, scene->record, &result, &report);
    ck_assert_msg(moved == CAROM_OK, "%s: %s", name, report.sentence);
    scene_read(scene);
    return result;
}

/** The same by moreau_jean. */
static carom_scene_motion_result run(const char *name, const char *parameters, double duration,
                                     record_scene *scene) {
    const carom_scene_motion_result result =
        run_by(CAROM_SCHEME_MOREAU_JEAN, name, parameters, duration, scene);
    /* theta = 1/2: what is lost has its name, to the residuals of the steps */
    const double moved_energy = fabs(result.initial_energy) + fabs(result.final_energy);
    assert_close(number_at(scene, "/measures/energy_budget"), 0.0, 0.0, 1e-10 * moved_energy);
    return result;
}

/** x, y or angle of a body in a frame, the last one -1. */
static double pose(const record_scene *scene, const char *what, int frame, int body) {
    char path[64];
    snprintf(path, sizeof path, "/moreau_jean/body_%s[%d,%d]", what, frame, body);
    return number_at(scene, path);
}

static double of_impact(const record_scene *scene, const char *what, int impact) {
    char path[64];
    snprintf(path, sizeof path, "/moreau_jean/impacts/%s[%d]", what, impact);
    return number_at(scene, path);
}

/* --- arch --------------------------------------------------------------------------------------
 */

/** Without a push it stands, to the rounding of a metre; with one the crown sinks as the abutment
 * goes, and it falls before the push ends. */
TEST(property, an_arch_stands_until_its_abutment_has_gone_far) {
    enum { LEFT_CROWN = 6, RIGHT_CROWN = 7 };
    record_scene still;
    (void)run("arch", "push=0", 1.0, &still);
    for (int body = 0; body <= 12; body++) {
        assert_close(pose(&still, "x", -1, body), pose(&still, "x", 0, body), 0.0, 1e-12);
        assert_close(pose(&still, "y", -1, body), pose(&still, "y", 0, body), 0.0, 1e-12);
    }
    scene_end(&still);
    record_scene pushed;
    (void)run("arch", NULL, 0.0, &pushed);
    /* half way it stands on hinges: both halves have turned by as much, but for what 0.06 m of 1 m
     * have of second order */
    const double left =
        pose(&pushed, "angle", 50, LEFT_CROWN) - pose(&pushed, "angle", 0, LEFT_CROWN);
    const double right =
        pose(&pushed, "angle", 50, RIGHT_CROWN) - pose(&pushed, "angle", 0, RIGHT_CROWN);
    ck_assert_double_lt(left, -0.01);
    assert_close(left, -right, 0.1, 0.0);
    ck_assert_double_lt(pose(&pushed, "y", 50, LEFT_CROWN), 0.97);
    ck_assert_double_gt(pose(&pushed, "y", 50, LEFT_CROWN), 0.9);
    ck_assert_double_lt(pose(&pushed, "y", -1, LEFT_CROWN), 0.0);
    scene_end(&pushed);
}

/* --- woodpecker --------------------------------------------------------------------------------
 */

/** Times and places of the strokes of the beak that are the first of their period. */
static int find_strokes(const record_scene *scene, int impacts, double *times, double *places) {
    int count = 0;
    for (int k = 0; k < impacts && count < 20; k++) {
        const double time = of_impact(scene, "time", k);
        if ((int)lround(of_impact(scene, "second", k)) == 1 &&
            (count == 0 || time - times[count - 1] > 0.05)) {
            times[count] = time;
            places[count++] = of_impact(scene, "y", k);
        }
    }
    return count;
}

/** It falls into a periodic motion, of which each stroke is like the one before; it is ours, the
 * numbers of the toy are Glocker's. Without friction it falls freely. */
TEST(property, a_woodpecker_strikes_at_even_times_and_goes_down_by_even_steps) {
    record_scene scene;
    const carom_scene_motion_result r = run("woodpecker", NULL, 0.0, &scene);
    double times[20];
    double places[20];
    const int strokes = find_strokes(&scene, r.impacts, times, places);
    ck_assert_int_ge(strokes, 8);
    const double period = times[strokes - 1] - times[strokes - 2];
    const double fall = places[strokes - 1] - places[strokes - 2];
    ck_assert_double_gt(period, 0.1);
    ck_assert_double_lt(fall, -0.01);
    /* events are known to a step of 5e-5 s */
    for (int k = strokes - 4; k < strokes; k++) {
        assert_close(times[k] - times[k - 1], period, 0.0, 2e-4);
        assert_close(places[k] - places[k - 1], fall, 1e-2, 0.0);
    }
    scene_end(&scene);
    record_scene slides;
    (void)run("woodpecker", "mu=0", 0.15, &slides);
    ck_assert_double_lt(pose(&slides, "y", -1, 0), -0.12);
    scene_end(&slides);
}

/* --- foot --------------------------------------------------------------------------------------
 */

/** Heel, sole, the stop of the ankle, and the heel leaves. */
TEST(property, a_foot_claps_to_the_ground_and_leaves_it_at_the_stop) {
    record_scene scene;
    const carom_scene_motion_result r = run("foot", NULL, 0.0, &scene);
    /* the heel, then the toe, which is farther by its length, then the stop of both bodies, each
     * again until it is closed */
    const double heel = of_impact(&scene, "x", 0);
    int reached = 0;
    for (int k = 0; k < r.impacts && reached < 3; k++) {
        const bool is_stop = of_impact(&scene, "first", k) >= 0.0;
        const bool is_toe = !is_stop && of_impact(&scene, "x", k) > heel + 0.2;
        const int place = is_stop ? 2 : is_toe ? 1 : 0;
        ck_assert_int_eq((int)lround(of_impact(&scene, "second", k)), is_stop ? 1 : 0);
        ck_assert_int_ge(place, reached - 1);
        reached = place == reached ? reached + 1 : reached;
    }
    ck_assert_int_eq(reached, 3);
    /* flat for a while: it does not turn, nor slide */
    for (int frame = 12; frame < 45; frame++) {
        assert_close(pose(&scene, "angle", frame, 0), pose(&scene, "angle", 11, 0), 0.0, 1e-9);
        assert_close(pose(&scene, "x", frame, 0), pose(&scene, "x", 11, 0), 0.0, 1e-9);
    }
    /* the ankle reaches its stop, 0.6 rad less than at the start in angles, and goes beyond it by
     * what a step moves: 1.6 rad/s in 5e-4 s */
    double least = 0.0;
    for (int frame = 0; frame < FRAMES; frame++) {
        least = fmin(least, pose(&scene, "angle", frame, 1) - pose(&scene, "angle", frame, 0));
    }
    assert_close(least, -0.55 + 0.25 - 0.3, 0.0, 1.7 * 5e-4);
    scene_end(&scene);
}

/* --- break -------------------------------------------------------------------------------------
 */

/** Before the first cushion the sixteen balls have the momentum of the first; energy is lost. */
TEST(property, a_break_keeps_its_momentum_until_the_first_cushion) {
    record_scene scene;
    const carom_scene_motion_result r = run("billiard_break", NULL, 0.0, &scene);
    int first = 0;
    while (first < r.impacts && of_impact(&scene, "first", first) >= 0.0) {
        first++;
    }
    ck_assert_int_ge(first, 15);
    ck_assert_int_lt(first, r.impacts);
    const double until = of_impact(&scene, "time", first);
    double last = number_at(&scene, "/moreau_jean/energy[0]");
    for (int frame = 1; frame < FRAMES; frame++) {
        char path[48];
        snprintf(path, sizeof path, "/moreau_jean/time[%d]", frame);
        const double time = number_at(&scene, path);
        snprintf(path, sizeof path, "/moreau_jean/energy[%d]", frame);
        const double energy = number_at(&scene, path);
        ck_assert_double_le(energy, last * (1.0 + 1e-10));
        last = energy;
        for (int k = 0; k < 2 && time < until; k++) {
            double way = 0.0;
            for (int body = 0; body < 16; body++) {
                way += pose(&scene, k == 0 ? "x" : "y", frame, body) -
                       pose(&scene, k == 0 ? "x" : "y", 0, body);
            }
            assert_close(way, k == 0 ? 8.0 * time : 0.0, 0.0, 1e-10);
        }
    }
    scene_end(&scene);
}

/* --- spheres -----------------------------------------------------------------------------------
 */

static double height(const record_scene *scene, int frame, int body) {
    char path[64];
    snprintf(path, sizeof path, "/moreau_jean/body_z[%d,%d]", frame, body);
    return number_at(scene, path);
}

/** All of them end within the box, but for what a step moves of what falls a metre; they are in no
 * more than three layers, and lie but for some that roll: between the last two frames they
 * move, in the mean square, by less than a fortieth of the speed with which they fell. */
TEST(property, spheres_in_a_box_come_to_rest) {
    enum { SPHERES = 64 };
    static const double radius = 0.06;
    record_scene scene;
    const carom_scene_motion_result r = run("spheres_in_box", NULL, 0.0, &scene);
    ck_assert_int_ge(r.most_contacts, SPHERES);
    ck_assert_double_gt(r.friction_loss, 0.0);
    const double fall = sqrt(2.0 * 9.81);
    const double deep = 1e-3 * fall;
    const double rest = 0.02 * fall / 40.0;
    double sum = 0.0;
    for (int body = 0; body < SPHERES; body++) {
        const double x = pose(&scene, "x", -1, body);
        const double y = pose(&scene, "y", -1, body);
        const double z = height(&scene, -1, body);
        ck_assert_double_le(fmax(fabs(x), fabs(y)), 0.5 - radius + deep);
        ck_assert_double_ge(z, radius - deep);
        ck_assert_double_le(z, 5.0 * radius);
        const double way =
            hypot(hypot(pose(&scene, "x", -2, body) - x, pose(&scene, "y", -2, body) - y),
                  height(&scene, -2, body) - z);
        sum += way * way;
    }
    ck_assert_double_le(sqrt(sum / SPHERES), rest);
    scene_end(&scene);
}

/* --- schemes -----------------------------------------------------------------------------------
 */

/** Largest distance in the last frame of bodies of two runs, m. */
static double distance(record_scene *scenes, const carom_scheme *schemes, int bodies) {
    double largest = 0.0;
    for (int body = 0; body < bodies; body++) {
        double place[2][2];
        for (int k = 0; k < 2; k++) {
            char path[64];
            snprintf(path, sizeof path, "/%s/body_x[-1,%d]", carom_scheme_name(schemes[k]), body);
            place[k][0] = number_at(&scenes[k], path);
            snprintf(path, sizeof path, "/%s/body_y[-1,%d]", carom_scheme_name(schemes[k]), body);
            place[k][1] = number_at(&scenes[k], path);
        }
        largest = fmax(largest, hypot(place[0][0] - place[1][0], place[0][1] - place[1][1]));
    }
    return largest;
}

/** The same physics: what bodies differ in is the way of some steps, of impacts that are a step
 * earlier or later; what holds gaps leaves none below zero, to what the steps are solved to; and a
 * contact at rest goes on to press, where each scheme counts those that begin to. */
TEST(property, schemes_agree_on_what_moves) {
    static const struct {
        const char *name;
        double duration; /* s */
        int bodies;
        double way;       /* of a step at the largest speed, m */
        double roundness; /* of the steps' residuals, m */
    } scenes[] = {{"tower", 0.7, 11, 6.0 * 1e-3, 1e-10},
                  {"dominoes", 0.6, 12, 0.5 * 5e-4, 1e-12},
                  {"cradle", 1.2, 5, 2.4 * 1e-3, 1e-10},
                  {"slider_crank", 1.0, 4, 1.3 * 5e-4, 1e-10},
                  {"crate_on_slope", 0.0, 1, 1.5 * 1e-3, 1e-10}};
    static const carom_scheme others[] = {CAROM_SCHEME_NONSMOOTH_GALPHA,
                                          CAROM_SCHEME_VELOCITY_GALPHA};
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        for (int i = 0; i < 2; i++) {
            const carom_scheme schemes[2] = {CAROM_SCHEME_MOREAU_JEAN, others[i]};
            record_scene two[2];
            carom_scene_motion_result result[2];
            for (int one = 0; one < 2; one++) {
                result[one] =
                    run_by(schemes[one], scenes[k].name, NULL, scenes[k].duration, &two[one]);
            }
            const double apart = distance(two, schemes, scenes[k].bodies);
            ck_assert_msg(apart <= 4.0 * scenes[k].way, "%s, %s: %g m apart", scenes[k].name,
                          carom_scheme_name(others[i]), apart);
            ck_assert_int_le(result[1].impacts, 2 * result[0].impacts + 2);
            if (others[i] == CAROM_SCHEME_NONSMOOTH_GALPHA) {
                ck_assert_double_ge(result[1].smallest_gap, -scenes[k].roundness);
            }
            scene_end(&two[0]);
            scene_end(&two[1]);
        }
    }
}
