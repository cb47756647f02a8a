/* src/drawing: what is in space is drawn where its projection is, each figure within the stated
 * accuracy at each instant; what is no motion in space is refused. */
#include "drawn.h"

#include <carom/mechanism/rotation.h>

#include <string.h>

FIXTURE(scratch_setup, scratch_teardown);

enum { FRAMES = 301, BODIES = 3 };

static const double BALL[] = {0.1, -0.05, 0.2};
static const double PILL[] = {-0.3, 0.0, 0.1, 0.4, 0.2, 0.0};
static const double FACE[] = {-0.5, -0.4, 0.3, 0.5, -0.4, 0.3, 0.5, 0.4, 0.3, -0.5, 0.4, 0.3};
static const double PLANE[] = {0.0, 0.0, -2.0, 0.0, 0.0, -1.0};
static const carom_outline SOLIDS[] = {{0, CAROM_OUTLINE_SPHERE, 1, BALL, 0.35},
                                       {1, CAROM_OUTLINE_CAPSULE, 2, PILL, 0.15},
                                       {2, CAROM_OUTLINE_FACE, 4, FACE, 0.0},
                                       {-1, CAROM_OUTLINE_HALF_SPACE, 2, PLANE, 0.0},
                                       {-1, CAROM_OUTLINE_SPHERE, 1, BALL, 0.2}};
enum { SOLID_COUNT = sizeof SOLIDS / sizeof *SOLIDS };

static double times[FRAMES];
static double poses[FRAMES * BODIES * 7];

static void fill_motion(void) {
    for (int i = 0; i < FRAMES; i++) {
        const double t = 5e-3 * i;
        times[i] = t;
        for (int b = 0; b < BODIES; b++) {
            double *pose = poses + 7 * (BODIES * i + b);
            const double turn[3] = {3.0 * t, (b - 1.0) * 2.0 * t, 1.0 + 7.0 * t};
            pose[0] = b + 0.7 * t;
            pose[1] = 0.3 * b - cos(4.0 * t);
            pose[2] = 1.0 + t * (3.0 - 4.905 * t);
            carom_rotation_advance((double[]){1.0, 0.0, 0.0, 0.0}, turn, pose + 3);
        }
    }
}

/** Write it below /run, with one impact. */
static carom_record *space_record(const char *name, int count, const carom_outline *solids) {
    fill_motion();
    carom_record *record = scratch_record(name);
    carom_record geometry = carom_record_group(record, "/geometry");
    assert_ok(carom_geometry_record_solids(&geometry, BODIES, NULL, count, solids));
    carom_record group = carom_record_group(record, "/run");
    carom_record_axis(&group, "time", FRAMES, times, "s", "time");
    assert_ok(carom_geometry_record_poses_in_space(&group, "time", FRAMES, BODIES, poses));
    carom_record_axis(&group, "impacts/time", 1, &times[7], "s", "time");
    carom_record_series(&group, "impacts/x", poses, "impacts/time", NULL, "m", "place");
    carom_record_series(&group, "impacts/y", poses + 1, "impacts/time", NULL, "m", "place");
    carom_record_series(&group, "impacts/z", poses + 2, "impacts/time", NULL, "m", "place");
    return record;
}

static carom_drawing *space_drawing(void) {
    assert_ok(carom_record_commit(space_record("space.h5", SOLID_COUNT, SOLIDS), NULL));
    return read_drawing("space.h5");
}

/** A point of a body in the picture, seen from `view`: across it and z, and what is upward then. */
static void see(int frame, int body, const double *point, const double *view, double *picture) {
    const double *pose = poses + 7 * (BODIES * frame + body);
    double R[9];
    double place[3];
    carom_rotation_matrix(pose + 3, R);
    for (int k = 0; k < 3; k++) {
        place[k] =
            pose[k] + R[3 * k] * point[0] + R[3 * k + 1] * point[1] + R[3 * k + 2] * point[2];
    }
    const double flat = hypot(view[0], view[1]);
    const double length = hypot(flat, view[2]);
    picture[0] = (view[0] * place[1] - view[1] * place[0]) / flat;
    picture[1] =
        (flat * place[2] - view[2] * (view[0] * place[0] + view[1] * place[1]) / flat) / length;
}

static const carom_drawing_figure *figure_of(const carom_drawing *drawing, int body, bool is_spot) {
    for (int k = 0; k < drawing->figure_count; k++) {
        if (drawing->figures[k].body == body && drawing->figures[k].is_spot == is_spot) {
            return &drawing->figures[k];
        }
    }
    ck_abort_msg("no figure of body %d", body);
    return NULL;
}

TEST(property, figures_are_where_the_projection_is) {
    static const double views[][3] = {{2.0, -3.0, 1.5}, {-1.0, 0.4, -2.0}, {0.0, -5.0, 0.0}};
    CAROM_AUTO(carom_drawing) drawing = space_drawing();
    ck_assert_int_eq(drawing->figure_count, 4);
    for (int v = 0; v < 3; v++) {
        assert_ok(carom_drawing_look(drawing, views[v], NULL));
        for (int i = 0; i < FRAMES; i += 60) {
            double at[2];
            const carom_drawing_figure *ball = figure_of(drawing, 0, false);
            see(i, 0, BALL, views[v], at);
            assert_close(ball->places[2 * i], at[0], 0.0, 1e-14);
            assert_close(ball->places[2 * i + 1], at[1], 0.0, 1e-14);
            /* the spot is where that end of the z axis comes out that looks to the viewer */
            const carom_drawing_figure *spot = figure_of(drawing, 0, true);
            double R[9];
            carom_rotation_matrix(poses + 7 * BODIES * i + 3, R);
            const double *d = views[v];
            const double sign = d[0] * R[2] + d[1] * R[5] + d[2] * R[8] < 0.0 ? -1.0 : 1.0;
            see(i, 0, (double[]){BALL[0], BALL[1], BALL[2] + sign * 0.8 * 0.35}, d, at);
            assert_close(spot->places[2 * i], at[0], 0.0, 1e-14);
            assert_close(spot->places[2 * i + 1], at[1], 0.0, 1e-14);
            const carom_drawing_figure *face = figure_of(drawing, 2, false);
            for (int k = 0; k < 4; k++) {
                see(i, 2, FACE + 3 * k, views[v], at);
                assert_close(face->places[2 * (4 * i + k)], at[0], 0.0, 1e-14);
                assert_close(face->places[2 * (4 * i + k) + 1], at[1], 0.0, 1e-14);
            }
            /* a capsule is all that is within its radius of its segment */
            const carom_drawing_figure *pill = figure_of(drawing, 1, false);
            double a[2];
            double b[2];
            see(i, 1, PILL, views[v], a);
            see(i, 1, PILL + 3, views[v], b);
            for (int k = 0; k < pill->count; k++) {
                const double *p = pill->places + 2 * (pill->count * i + k);
                const double way[2] = {b[0] - a[0], b[1] - a[1]};
                const double share =
                    fmin(1.0, fmax(0.0, ((p[0] - a[0]) * way[0] + (p[1] - a[1]) * way[1]) /
                                            (way[0] * way[0] + way[1] * way[1])));
                assert_close(hypot(p[0] - a[0] - share * way[0], p[1] - a[1] - share * way[1]),
                             0.15, 1e-12, 0.0);
            }
        }
        double at[2];
        double back[3] = {0.0, 0.0, 0.0};
        const double turned[7] = {poses[0], poses[1], poses[2], 1.0, 0.0, 0.0, 0.0};
        double kept[7];
        memcpy(kept, poses, sizeof kept);
        memcpy(poses, turned, sizeof turned);
        see(0, 0, back, views[v], at);
        memcpy(poses, kept, sizeof kept);
        assert_close(drawing->impacts[0].place[0], at[0], 0.0, 1e-14);
        assert_close(drawing->impacts[0].place[1], at[1], 0.0, 1e-14);
        for (int k = 0; k + 1 < drawing->figure_count; k++) {
            ck_assert_double_le(drawing->figures[k].depth, drawing->figures[k + 1].depth);
        }
    }
}

/** Seen from above y is upward; the plane shows as a polygon of the world, the sphere there too. */
TEST(unit, a_drawing_from_above_is_a_map) {
    CAROM_AUTO(carom_drawing) drawing = space_drawing();
    assert_ok(carom_drawing_look(drawing, (double[]){0.0, 0.0, 2.0}, NULL));
    const carom_drawing_figure *face = figure_of(drawing, 2, false);
    double R[9];
    carom_rotation_matrix(poses + 2 * 7 + 3, R);
    assert_close(face->places[0], 2.0 + R[0] * FACE[0] + R[1] * FACE[1] + R[2] * FACE[2], 0.0,
                 1e-14);
    assert_close(face->places[1], 0.6 - 1.0 + R[3] * FACE[0] + R[4] * FACE[1] + R[5] * FACE[2], 0.0,
                 1e-14);
    ck_assert_int_eq(drawing->outline_count, 2);
    /* the plane is below the room of what moves: nothing of it is in there */
    carom_report report = carom_report_empty();
    assert_status(carom_drawing_look(drawing, (double[]){0.0, 0.0, 0.0}, &report), OUT_OF_RANGE);
}

/** What is shown at the instant of each frame is within the accuracy of where the record has it. */
TEST(property, an_animation_shows_figures_where_they_are) {
    static double key[LIST_SIZE];
    static double place[LIST_SIZE];
    CAROM_AUTO(carom_drawing) drawing = space_drawing();
    for (int k = 0; k < 2; k++) {
        carom_drawing_params params = carom_drawing_params_default();
        params.accuracy = k == 0 ? 0.5 : 0.1;
        CAROM_AUTO_VALUE(carom_text_buffer) svg = {0};
        animate(drawing, &params, &svg);
        carom_drawing_clock clock;
        assert_ok(carom_drawing_clock_init(drawing, &params, &clock));
        const carom_drawing_view view = carom_drawing_view_of(drawing);
        const char *circle = strstr(svg.text, "<circle r=");
        const carom_drawing_figure *ball = NULL;
        for (int f = 0; f < drawing->figure_count && ball == NULL; f++) {
            ball = drawing->figures[f].count == 1 ? &drawing->figures[f] : NULL;
        }
        ck_assert(circle != NULL && ball != NULL);
        const int keys = read_list(circle, "keyTimes=\"", key);
        ck_assert_int_eq(read_list(circle, "values=\"", place), 2 * keys);
        ck_assert_int_lt(keys, FRAMES / 2);
        for (int i = 0; i < FRAMES; i++) {
            double shown[2];
            double exact[2];
            shown_at(keys, key, 2, place, clock.fraction[i], shown);
            carom_drawing_place(&view, ball->places + 2 * i, exact);
            ck_assert_double_le(hypot(shown[0] - exact[0], shown[1] - exact[1]), params.accuracy);
        }
        carom_drawing_clock_clear(&clock);
    }
}

TEST(errors, what_is_no_motion_in_space_is_refused) {
    const carom_outline wrong[] = {
        {BODIES, CAROM_OUTLINE_SPHERE, 1, BALL, 0.35}, {0, CAROM_OUTLINE_CLOSED, 1, BALL, 0.35},
        {0, CAROM_OUTLINE_SPHERE, 2, PILL, 0.35},      {0, CAROM_OUTLINE_CAPSULE, 1, PILL, 0.35},
        {0, CAROM_OUTLINE_FACE, 2, PILL, 0.0},         {0, CAROM_OUTLINE_HALF_SPACE, 2, PLANE, 0.0},
        {0, CAROM_OUTLINE_SPHERE, 1, BALL, -0.35}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_ok(carom_record_commit(space_record("wrong.h5", 1, &wrong[k]), NULL));
        carom_reader *reader = scratch_open("wrong.h5");
        carom_drawing *drawing = NULL;
        carom_report report = carom_report_empty();
        assert_status(carom_drawing_read(reader, NULL, &drawing, &report), BAD_FORMAT);
        ck_assert_str_eq(report.sentence,
                         "geometry: outline 0 is no solid of a body that there is");
        carom_reader_close(reader);
    }
}

TEST(unit, a_view_is_three_numbers) {
    double view[3] = {1.0, 2.0, 3.0};
    ck_assert(carom_drawing_parse_view("0.5,-1,2e1", view));
    assert_close(view[2], 20.0, 0.0, 0.0);
    static const char *const wrong[] = {"",      "1",     "1,2",     "1,2,3,4", "1 2 3",
                                        "x,1,2", "0,0,0", "1,2,nan", "1,2,inf", "1,2,3 "};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        ck_assert_msg(!carom_drawing_parse_view(wrong[k], view), "%s", wrong[k]);
    }
    assert_close(view[0], 0.5, 0.0, 0.0);
}
