/* src/drawing: records are drawn from what they have, and refused by the name of what they have
 * not; plots of what hardly moves. */
#include "drawn.h"

#include <carom/drawing/geometry.h>

FIXTURE(scratch_setup, scratch_teardown);

static const double TIMES[] = {0.0, 0.1, 0.3};
static const double POSES[] = {0.0, 2.385, 0.1, 3.0, 0.5, 0.0, 0.5, 1.9,  0.2,
                               3.0, 0.5,   0.0, 1.1, 1.2, 0.4, 3.0, 0.75, 0.0};

/** Read it; the sentence of a refusal has these words. */
static void assert_unread(const char *record, const char *group, carom_status expected,
                          const char *words) {
    carom_reader *reader = scratch_open(record);
    carom_drawing *drawing = NULL;
    carom_report report = carom_report_empty();
    const carom_status status = carom_drawing_read(reader, group, &drawing, &report);
    ck_assert_msg(status == expected, "%s instead of %s", carom_status_name(status),
                  carom_status_name(expected));
    ck_assert_msg(strstr(report.sentence, words) != NULL, "\"%s\" lacks \"%s\"", report.sentence,
                  words);
    ck_assert_ptr_null(drawing);
    carom_reader_close(reader);
}

TEST(unit, what_was_recorded_is_read) {
    const motion m = {2, 3, TIMES, POSES, 3, SQUARES};
    CAROM_AUTO(carom_drawing) drawing = motion_drawing(&m);
    ck_assert_str_eq(drawing->group, "/run");
    ck_assert_str_eq(drawing->names[1], "body_1");
    ck_assert_int_eq(drawing->outline_count, 3);
    ck_assert_int_eq(drawing->outlines[2].body, -1);
    ck_assert_int_eq(drawing->outlines[2].kind, CAROM_OUTLINE_HALF_PLANE);
    for (int k = 0; k < 18; k++) {
        assert_close(drawing->poses[k], POSES[k], 0.0, 0.0);
    }
    for (int k = 0; k < 10; k++) {
        assert_close(drawing->outlines[1].points[k], SQUARE[k], 0.0, 0.0);
    }
    ck_assert_int_eq(drawing->impact_count, 1);
    assert_close(drawing->impacts[0].place[1], 2.385, 0.0, 0.0);
}

TEST(errors, a_record_without_geometry_is_told_what_it_has) {
    scratch_make_record("ball.h5", 1.0);
    assert_unread("ball.h5", NULL, CAROM_STATUS_NOT_FOUND,
                  "has no geometry, only /ball, /parameters; ");
    assert_unread("ball.h5", NULL, CAROM_STATUS_NOT_FOUND, "body_angle");
}

TEST(errors, a_group_without_poses_is_told_which_have_some) {
    const motion m = {2, 3, TIMES, POSES, 3, SQUARES};
    assert_ok(carom_record_commit(motion_record("motion.h5", &m), NULL));
    assert_unread("motion.h5", "/walk", CAROM_STATUS_NOT_FOUND,
                  "has no poses in /walk; there are some in /run");
    assert_unread("motion.h5", "/run/impacts", CAROM_STATUS_NOT_FOUND, "there are some in /run");
    carom_record *record = scratch_record("still.h5");
    carom_record geometry = carom_record_group(record, "/geometry");
    assert_ok(carom_geometry_record_outlines(&geometry, 2, NULL, 3, SQUARES));
    assert_ok(carom_record_commit(record, NULL));
    assert_unread("still.h5", NULL, CAROM_STATUS_NOT_FOUND, "has no poses, only /geometry");
}

/** Write a record in which one thing is not as it should be. */
static void write_malformed(int fault) {
    static const int outline_of_point[2][4] = {{0, 0, 1, 1}, {1, 1, 0, 0}};
    static const int body_of_outline[2][2] = {{0, 1}, {0, 2}};
    static const int kind_of_outline[3][2] = {{0, 1}, {0, 7}, {0, 2}};
    static const double place[] = {0.0, 1.0, 1.0, 0.0};
    const bool is_late = fault == 5;
    const double time[3] = {0.0, is_late ? 0.2 : 0.1, is_late ? 0.1 : 0.2};
    double x[6] = {0.0, 1.0, 0.5, 1.0, 0.7, 1.0};
    x[3] = fault == 6 ? (double)NAN : x[3];
    carom_record *record = scratch_record("malformed.h5");
    carom_record_string(record, "/geometry/bodies", fault == 1 ? "a, b, c" : "a, b", "names");
    carom_record_index_axis(record, "/geometry/point", 4, "point");
    carom_record_index_axis(record, "/geometry/outline", 2, "outline");
    carom_record_series(record, "/geometry/x", place, "/geometry/point", NULL, "m", "place");
    carom_record_series(record, "/geometry/y", place, "/geometry/point", NULL, "m", "place");
    carom_record_integer_series(record, "/geometry/outline_of_point",
                                outline_of_point[fault == 2 ? 1 : 0], "/geometry/point", NULL, "1",
                                "outline");
    carom_record_integer_series(record, "/geometry/body_of_outline",
                                body_of_outline[fault == 3 ? 1 : 0], "/geometry/outline", NULL, "1",
                                "body");
    if (fault != 7) {
        const int kind = fault == 4 ? 1 : fault == 8 ? 2 : 0;
        carom_record_integer_series(record, "/geometry/kind_of_outline", kind_of_outline[kind],
                                    "/geometry/outline", NULL, "1", "kind");
    }
    carom_record_axis(record, "/run/time", 3, time, "s", "time");
    carom_record_index_axis(record, "/run/body", 2, "body");
    static const char *const columns[3] = {"/run/body_x", "/run/body_y", "/run/body_angle"};
    for (int k = 0; k < (fault == 9 ? 2 : 3); k++) {
        carom_record_series(record, columns[k], x, "/run/time", "/run/body", "m",
                            "place, NaN to be refused");
    }
    assert_ok(carom_record_commit(record, NULL));
}

LOOP_TEST(errors, what_is_malformed_is_named, 9) {
    static const struct {
        carom_status status;
        const char *words;
    } expected[] = {
        {CAROM_STATUS_BAD_FORMAT, "/run/body_x is 3 x 2 numbers instead of 3 x 3"},
        {CAROM_STATUS_BAD_FORMAT, "outline 0 has no points, or they are not in order"},
        {CAROM_STATUS_BAD_FORMAT, "outline 1 is of a body that there is not"},
        {CAROM_STATUS_BAD_FORMAT, "outline 1 is of no kind that is known"},
        {CAROM_STATUS_NOT_FINITE, "/run/time[2] = 0.1: times must be finite and in order"},
        {CAROM_STATUS_NOT_FINITE, "/run: the pose of b is not finite at t = 0.1 s"},
        {CAROM_STATUS_BAD_FORMAT, "/geometry/kind_of_outline is missing"},
        {CAROM_STATUS_BAD_FORMAT, "outline 1 is no half plane of the world"},
        {CAROM_STATUS_BAD_FORMAT, "/run/body_angle is missing"},
    };
    write_malformed(_i + 1);
    assert_unread("malformed.h5", NULL, expected[_i].status, expected[_i].words);
}

TEST(errors, files_that_cannot_be_read_or_written_are_named) {
    char path[SCRATCH_PATH_SIZE];
    char output[SCRATCH_PATH_SIZE];
    carom_report report = carom_report_empty();
    scratch_path("a.svg", output);
    assert_status(carom_drawing_write(scratch_path("none.h5", path), NULL, NULL, output, &report),
                  IO);
    ck_assert_ptr_nonnull(strstr(report.sentence, "none.h5 cannot be read"));
    scratch_write("text.h5", "no record\n", 10);
    assert_status(carom_drawing_write(scratch_path("text.h5", path), NULL, NULL, output, &report),
                  BAD_FORMAT);
    const motion m = {2, 3, TIMES, POSES, 3, SQUARES};
    assert_ok(carom_record_commit(motion_record("motion.h5", &m), NULL));
    assert_status(carom_drawing_write(scratch_path("motion.h5", path), NULL, NULL,
                                      scratch_path("nowhere/a.svg", output), &report),
                  IO);
    ck_assert_ptr_nonnull(strstr(report.sentence, "cannot be written"));
    // Told before the record is read.
    assert_status(carom_drawing_write(scratch_path("none.h5", path), NULL, NULL, output, &report),
                  IO);
    ck_assert_ptr_nonnull(strstr(report.sentence, "cannot be written"));
}

TEST(unit, a_place_that_is_looked_at_stays_as_it_is) {
    char output[SCRATCH_PATH_SIZE];
    carom_report report = carom_report_empty();
    scratch_path("place.svg", output);
    assert_ok(carom_drawing_check_place(output, &report));
    ck_assert_int_ne(access(output, F_OK), 0);
    scratch_write("place.svg", "drawn\n", 6);
    assert_ok(carom_drawing_check_place(output, &report));
    CAROM_AUTO_VALUE(carom_text_buffer) text = {0};
    assert_ok(carom_text_buffer_load(&text, output, 100));
    ck_assert_str_eq(text.text, "drawn\n");
    assert_status(carom_drawing_check_place(scratch_path("nowhere/a.svg", output), NULL), IO);
}

/** A run that failed, which its record says, is drawn up to there. */
TEST(unit, a_run_that_failed_is_drawn_until_then) {
    CAROM_AUTO_VALUE(carom_geometry) geometry = {0};
    carom_geometry_add_body(&geometry, "ball", -1, 0.0, 0.0, 0.0);
    carom_geometry_add_term(&geometry, 0, CAROM_GEOMETRY_Y, 0, 1.0);
    const double q[3] = {1.0, 0.5, (double)NAN};
    carom_record *record = scratch_record("failed.h5");
    assert_ok(carom_geometry_record(record, &geometry));
    carom_record_axis(record, "/run/time", 3, TIMES, "s", "time");
    carom_record_index_axis(record, "/run/coordinate", 1, "coordinate");
    carom_record_series(record, "/run/position", q, "/run/time", "/run/coordinate", "m",
                        "q; NaN after the step that failed");
    carom_record_scalar(record, "/run/failure_time", TIMES[2], "s", "time");
    assert_ok(carom_record_commit(record, NULL));
    carom_reader *reader = scratch_open("failed.h5");
    CAROM_AUTO(carom_drawing) drawing = NULL;
    assert_ok(carom_drawing_read(reader, NULL, &drawing, NULL));
    ck_assert_int_eq(drawing->frame_count, 2);
    assert_close(drawing->poses[4], 0.5, 0.0, 0.0);
    carom_reader_close(reader);
}

/* ---------------------------------------------------------------------------------------- plots */

/** Letters of an SVG that no number may have become. */
static void assert_numbers(const carom_text_buffer *svg) {
    ck_assert_ptr_null(strstr(svg->text, "nan"));
    ck_assert_ptr_null(strstr(svg->text, "inf"));
}

/** A single instant, bodies that are points, one far away from the origin: a plot, and the
 * animation is the same. */
LOOP_TEST(unit, a_single_instant_is_a_picture, 3) {
    static const double places[3] = {0.0, 1e6, 1e-6};
    const double pose[3] = {places[_i], -places[_i], 0.3};
    const carom_outline none = {0};
    CAROM_AUTO(carom_drawing) drawing = motion_drawing(&(motion){1, 1, TIMES, pose, 0, &none});
    const carom_drawing_params params = carom_drawing_params_default();
    carom_text_buffer still = {0};
    carom_text_buffer moving = {0};
    assert_ok(carom_drawing_plot(drawing, &still));
    animate(drawing, &params, &moving);
    ck_assert_str_eq(still.text, moving.text);
    ck_assert_ptr_nonnull(strstr(still.text, "<circle r=\"3\"/>"));
    assert_numbers(&still);
    carom_text_buffer_clear(&still);
    carom_text_buffer_clear(&moving);
}

static void read_pair(const char *text, double *pair) {
    char *end = NULL;
    pair[0] = strtod(text, &end);
    ck_assert_ptr_ne(end, text);
    pair[1] = strtod(end, NULL);
}

/** The square ends with its centre at (1.1, 1.2): where the marks of the axes say. */
TEST(unit, the_end_is_where_the_axes_say) {
    const motion m = {2, 3, TIMES, POSES, 3, SQUARES};
    CAROM_AUTO(carom_drawing) drawing = motion_drawing(&m);
    carom_text_buffer svg = {0};
    assert_ok(carom_drawing_plot(drawing, &svg));
    assert_numbers(&svg);
    const char *end = strstr(svg.text, "id=\"body-0\"");
    double center[2];
    read_pair(strstr(end, "translate(") + strlen("translate("), center);
    // pixels of the marks at 1 and 2 m of both axes
    double mark[2][3] = {{0.0}};
    for (int axis = 0; axis < 2; axis++) {
        const char *at = strstr(svg.text, "id=\"axes\"");
        while ((at = strstr(at, "class=\"mark\" d=\"M")) != NULL) {
            at += strlen("class=\"mark\" d=\"M");
            double place[2];
            read_pair(at, place);
            const char *label = strchr(strstr(at, "<text"), '>') + 1;
            const double value = strtod(label, NULL);
            const bool is_mine =
                strcspn(at, axis == 0 ? "v" : "h") < strcspn(at, axis == 0 ? "h" : "v");
            for (int k = 1; k <= 2 && is_mine; k++) {
                mark[axis][k] = fabs(value - k) < 1e-9 ? place[axis] : mark[axis][k];
            }
        }
    }
    const double metre = mark[0][2] - mark[0][1];
    ck_assert_double_gt(metre, 10.0);
    assert_close(mark[1][1] - mark[1][2], metre, 0.0, 0.02);
    assert_close(center[0], mark[0][1] + 0.1 * metre, 0.0, 0.02);
    assert_close(center[1], mark[1][1] - 0.2 * metre, 0.0, 0.02);
    carom_text_buffer_clear(&svg);
}

/** Each impact is a mark, of those in one pixel one. */
TEST(unit, impacts_are_marked_once) {
    const motion m = {2, 3, TIMES, POSES, 3, SQUARES};
    CAROM_AUTO(carom_drawing) drawing = motion_drawing(&m);
    drawing->impacts = realloc(drawing->impacts, 4 * sizeof *drawing->impacts);
    drawing->impact_count = 4;
    for (int k = 0; k < 4; k++) {
        drawing->impacts[k] = (carom_drawing_impact){0.1, {k < 2 ? 0.0 : 1.0, 1e-9 * k}, 1.0};
    }
    drawing->impacts[3].place[0] = (double)NAN; // not recorded
    carom_text_buffer svg = {0};
    assert_ok(carom_drawing_plot(drawing, &svg));
    int marks = 0;
    for (const char *at = svg.text; (at = strstr(at, "<circle cx=")) != NULL; at++) {
        marks++;
    }
    ck_assert_int_eq(marks, 2);
    ck_assert_ptr_nonnull(strstr(svg.text, "4 impacts"));
    carom_text_buffer_clear(&svg);
}

/** Of 500 impacts in as many places the 400 strongest. */
TEST(unit, the_strongest_impacts_are_marked) {
    enum { ALL = 500, WEAK = 100 };
    const motion m = {2, 3, TIMES, POSES, 3, SQUARES};
    CAROM_AUTO(carom_drawing) drawing = motion_drawing(&m);
    drawing->impacts = realloc(drawing->impacts, ALL * sizeof *drawing->impacts);
    drawing->impact_count = ALL;
    for (int k = 0; k < ALL; k++) {
        // weak ones in a column
        const int row = k / 20;
        const double place = k % 5 == 0 ? 0.1 : 0.2 + 0.05 * (k % 20);
        drawing->impacts[k] =
            (carom_drawing_impact){0.1, {place, 0.05 * row}, k % 5 == 0 ? 1.0 : 2.385};
    }
    int count;
    CAROM_AUTO_MEMORY carom_drawing_impact *strongest = carom_drawing_strongest(drawing, &count);
    ck_assert_int_eq(count, ALL - WEAK);
    for (int k = 0; k < ALL; k++) {
        assert_close(strongest[k].strength, k < count ? 2.385 : 1.0, 0.0, 0.0);
    }
    carom_text_buffer svg = {0};
    assert_ok(carom_drawing_plot(drawing, &svg));
    ck_assert_ptr_nonnull(strstr(svg.text, "500 impacts, the strongest 400<"));
    carom_text_buffer_clear(&svg);
}

TEST(unit, names_are_escaped) {
    carom_text_buffer svg = {0};
    carom_drawing_text(&svg, "a<b> & c");
    ck_assert_str_eq(svg.text, "a&lt;b&gt; &amp; c");
    carom_text_buffer_clear(&svg);
}

/** A square that falls from 3 m to 1 m over a floor at 0: both are in the picture, and what is not
 * near is not. */
TEST(unit, the_floor_is_in_the_picture) {
    static const double fall[] = {0.0, 3.0, 0.0, 0.0, 1.0, 0.0};
    static const double low[] = {0.0, -50.0, 0.0, -49.0};
    const carom_outline outlines[] = {{0, CAROM_OUTLINE_CLOSED, 5, SQUARE, 0.0},
                                      {-1, CAROM_OUTLINE_HALF_PLANE, 2, FLOOR, 0.0}};
    const carom_outline far[] = {outlines[0], {-1, CAROM_OUTLINE_HALF_PLANE, 2, low, 0.0}};
    CAROM_AUTO(carom_drawing) drawing = motion_drawing(&(motion){1, 2, TIMES, fall, 2, outlines});
    const carom_drawing_view view = carom_drawing_view_of(drawing);
    ck_assert_double_lt(view.bottom, 0.0);
    ck_assert_double_gt(view.bottom, -0.5);
    assert_close(view.bottom + view.height / view.scale, 3.5 - view.bottom, 0.0, 0.01);
    CAROM_AUTO(carom_drawing) away = motion_drawing(&(motion){1, 2, TIMES, fall, 2, far});
    ck_assert_double_gt(carom_drawing_view_of(away).bottom, 0.0);
}

/** A pole of 200 m beside a square that falls by 2 m: on either side three tenths of the diagonal
 * of the 1 m and 3 m that it passes. */
TEST(unit, what_is_fixed_does_not_dwarf_what_moves) {
    static const double fall[] = {0.0, 3.0, 0.0, 0.0, 1.0, 0.0};
    static const double pole[] = {0.5, -100.0, 0.5, 100.0};
    const carom_outline outlines[] = {{0, CAROM_OUTLINE_CLOSED, 5, SQUARE, 0.0},
                                      {-1, CAROM_OUTLINE_LINE, 2, pole, 0.0}};
    CAROM_AUTO(carom_drawing) drawing = motion_drawing(&(motion){1, 2, TIMES, fall, 2, outlines});
    const carom_drawing_view view = carom_drawing_view_of(drawing);
    const double height = 3.0 + 0.6 * hypot(1.0, 3.0);
    assert_close(view.height / view.scale, 1.08 * height, 0.01, 0.0);
}
