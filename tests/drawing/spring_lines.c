/* src/drawing/spring_lines.c: springs are where their bodies have them, still and in motion. */
#include "drawn.h"

FIXTURE(scratch_setup, scratch_teardown);

enum { FRAMES = 601, CORNERS = 10 };

static const carom_spring_line SPRINGS[] = {{-1, -1.5, 2.0, 0, 0.3, -0.4},
                                            {0, 0.1, 0.5, 1, -0.5, 0.25}};

/** Two squares that turn on circles, with springs. */
static carom_drawing *drawing_of(int spring_count, const carom_spring_line *springs,
                                 carom_status expected, const char *words) {
    static double time[FRAMES];
    static double poses[6 * FRAMES];
    for (int i = 0; i < FRAMES; i++) {
        const double t = 2.385e-3 * i;
        const double pose[6] = {cos(5.0 * t), sin(5.0 * t),  9.0 * t,
                                3.0,          1.0 - 2.0 * t, -4.0 * t * t};
        time[i] = t;
        memcpy(poses + 6 * (size_t)i, pose, sizeof pose);
    }
    carom_record *record =
        motion_record("motion.h5", &(motion){2, FRAMES, time, poses, 3, SQUARES});
    carom_record geometry = carom_record_group(record, "/geometry");
    carom_geometry_record_springs(&geometry, spring_count, springs);
    assert_ok(carom_record_commit(record, NULL));
    carom_reader *reader = scratch_open("motion.h5");
    carom_drawing *drawing = NULL;
    carom_report report = carom_report_empty();
    const carom_status status = carom_drawing_read(reader, NULL, &drawing, &report);
    carom_reader_close(reader);
    ck_assert_msg(status == expected, "%s", carom_status_name(status));
    ck_assert_msg(strstr(report.sentence, words) != NULL, "\"%s\"", report.sentence);
    return drawing;
}

/** Pixels of an end of a spring in a frame, by the pose of its body. */
static void end_of(const carom_drawing *drawing, int spring, int frame, bool is_second,
                   double *pixel) {
    const carom_spring_line *s = &SPRINGS[spring];
    const double point[2] = {is_second ? s->second_x : s->first_x,
                             is_second ? s->second_y : s->first_y};
    const int body = is_second ? s->second : s->first;
    const carom_outline outline = {body, CAROM_OUTLINE_LINE, 1, point, 0.0};
    const double world[3] = {0.0, 0.0, 0.0};
    const carom_drawing_view view = carom_drawing_view_of(drawing);
    double place[2];
    carom_drawing_point(&outline, 0,
                        body < 0 ? world : drawing->poses + 6 * (size_t)frame + 3 * (size_t)body,
                        place);
    carom_drawing_place(&view, place, pixel);
}

/** Both ends as a browser shows them at each instant of the record; between them a zigzag that is
 * as long and even on both sides. */
LOOP_TEST(property, springs_are_shown_within_the_accuracy, 3) {
    static const double accuracies[3] = {0.1, 0.5, 3.0};
    carom_drawing_params params = carom_drawing_params_default();
    params.accuracy = accuracies[_i];
    CAROM_AUTO(carom_drawing) drawing = drawing_of(2, SPRINGS, CAROM_OK, "");
    ck_assert_int_eq(drawing->spring_count, 2);
    carom_drawing_clock clock;
    assert_ok(carom_drawing_clock_init(drawing, &params, &clock));
    carom_text_buffer svg = {0};
    animate(drawing, &params, &svg);
    const char *at = svg.text;
    for (int spring = 0; spring < 2; spring++) {
        static double key[LIST_SIZE];
        static double corner[LIST_SIZE];
        double largest = 0.0;
        at = strstr(at + 1, "<polyline class=\"spring\"");
        ck_assert_ptr_nonnull(at);
        const int keys = read_list(at, "keyTimes=\"", key);
        ck_assert_int_eq(read_list(at, "values=\"", corner), 2 * CORNERS * keys);
        ck_assert_int_lt(keys, FRAMES / 2);
        for (int i = 0; i < FRAMES; i++) {
            double shown[2 * CORNERS];
            double middle[2] = {0.0, 0.0};
            shown_at(keys, key, 2 * CORNERS, corner, clock.fraction[i], shown);
            for (int end = 0; end < 2; end++) {
                double exact[2];
                end_of(drawing, spring, i, end == 1, exact);
                const double *p = shown + (end == 1 ? 2 * CORNERS - 2 : 0);
                largest = fmax(largest, hypot(p[0] - exact[0], p[1] - exact[1]));
                middle[0] += 0.5 * exact[0];
                middle[1] += 0.5 * exact[1];
            }
            double mean[2] = {0.0, 0.0};
            for (int k = 0; k < CORNERS; k++) {
                mean[0] += shown[2 * k] / CORNERS;
                mean[1] += shown[2 * k + 1] / CORNERS;
            }
            ck_assert_double_le(hypot(mean[0] - middle[0], mean[1] - middle[1]), params.accuracy);
        }
        ck_assert_msg(largest <= params.accuracy, "spring %d: %g pixels", spring, largest);
        ck_assert_double_gt(largest, 0.0);
    }
    carom_text_buffer_clear(&svg);
    carom_drawing_clock_clear(&clock);
}

/** The end of the still picture, and a frame that holds a spring of the world whole. */
TEST(unit, springs_of_a_plot_are_those_of_the_end) {
    CAROM_AUTO(carom_drawing) drawing = drawing_of(2, SPRINGS, CAROM_OK, "");
    carom_text_buffer svg = {0};
    assert_ok(carom_drawing_plot(drawing, &svg));
    double corner[2 * CORNERS];
    double exact[2];
    const carom_drawing_view view = carom_drawing_view_of(drawing);
    const char *first = strstr(svg.text, "<polyline class=\"spring\"");
    ck_assert_int_eq(read_list(first, "points=\"", corner), 2 * CORNERS);
    for (int end = 0; end < 2; end++) {
        end_of(drawing, 0, FRAMES - 1, end == 1, exact);
        ck_assert(carom_drawing_shows(&view, exact));
        // places are written to hundredths of a pixel
        assert_close(corner[end * (2 * CORNERS - 2)], exact[0], 0.0, 0.0051);
        assert_close(corner[end * (2 * CORNERS - 2) + 1], exact[1], 0.0, 0.0051);
    }
    // the corners lie alternately on both sides, five pixels from the line
    const double along[2] = {corner[2 * CORNERS - 2] - corner[0],
                             corner[2 * CORNERS - 1] - corner[1]};
    for (int k = 2; k + 2 < CORNERS; k++) {
        const double side =
            (along[0] * (corner[2 * k + 1] - corner[1]) - along[1] * (corner[2 * k] - corner[0])) /
            hypot(along[0], along[1]);
        assert_close(side, k % 2 == 0 ? 5.0 : -5.0, 0.0, 0.03);
    }
    carom_text_buffer_clear(&svg);
}

TEST(unit, a_record_without_springs_has_no_data_of_them) {
    CAROM_AUTO(carom_drawing) drawing = drawing_of(0, NULL, CAROM_OK, "");
    ck_assert_int_eq(drawing->spring_count, 0);
}

LOOP_TEST(errors, springs_between_no_two_bodies_are_refused, 2) {
    carom_spring_line bad[2] = {SPRINGS[0], SPRINGS[1]};
    bad[1].second = _i == 0 ? 2 : 0;
    carom_drawing *drawing = drawing_of(2, bad, CAROM_STATUS_BAD_FORMAT, "spring 1 joins no two");
    ck_assert_ptr_null(drawing);
}
