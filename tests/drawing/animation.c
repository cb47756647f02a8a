/* src/drawing: what the animation shows is where the record has it, within the stated accuracy; few
 * poses tell a simple motion; the same motion has the same bytes. */
#include "drawn.h"

FIXTURE(scratch_setup, scratch_teardown);

enum { FRAMES = 801 };

static double times[FRAMES];
static double poses[FRAMES * 6];

/** How two squares move: on parabolas, turning; by fits and starts; on circles with jumps. */
static void fill_motion(int kind, double size) {
    gsl_rng *generator = seeded_generator(41);
    double walk[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < FRAMES; i++) {
        const double t = kind == 1 ? 1e-3 * (i + 0.3 * (i % 3)) : 2.385e-3 * i;
        double *a = poses + 6 * (size_t)i;
        times[i] = t;
        for (int k = 0; k < 3; k++) {
            walk[k] += uniform(generator, -0.1, 0.1);
        }
        a[0] = size * (kind == 1 ? walk[0] : 3.0 * t);
        a[1] = size * (kind == 1 ? 3.0 + walk[1] : 2.0 + 5.0 * t - 4.905 * t * t);
        a[2] = kind == 1 ? walk[2] : 11.0 * t;
        a[3] = size * (kind == 2 ? 2.0 * cos(9.0 * t) + (i > 400 ? 1.0 : 0.0) : 1.5);
        a[4] = size * (kind == 2 ? 2.0 * sin(9.0 * t) : 0.5);
        a[5] = kind == 2 ? -40.0 * t * t : 0.0;
    }
    gsl_rng_free(generator);
}

static double outline_points[10];
static const carom_outline SCALED[] = {{0, CAROM_OUTLINE_CLOSED, 5, outline_points, 0.0},
                                       {1, CAROM_OUTLINE_CLOSED, 5, outline_points, 0.0}};

static carom_drawing *drawing_of(int kind, double size) {
    fill_motion(kind, size);
    for (int k = 0; k < 10; k++) {
        outline_points[k] = size * SQUARE[k];
    }
    return motion_drawing(&(motion){2, FRAMES, times, poses, 2, SCALED});
}

/** Largest distance of a corner of a body from where the record has it, pixels. */
static double largest_error(const carom_drawing *drawing, const carom_drawing_clock *clock,
                            const char *svg, int body, int *keys) {
    static double key[LIST_SIZE];
    static double place[LIST_SIZE];
    static double angle[LIST_SIZE];
    char id[32];
    snprintf(id, sizeof id, "id=\"body-%d\"", body);
    const char *group = strstr(svg, id);
    ck_assert_ptr_nonnull(group);
    const char *translate = strstr(group, "type=\"translate\"");
    const char *rotate = strstr(group, "type=\"rotate\"");
    *keys = read_list(translate, "keyTimes=\"", key);
    ck_assert_int_eq(read_list(translate, "values=\"", place), 2 * *keys);
    ck_assert_int_eq(read_list(rotate, "values=\"", angle), *keys);
    const carom_drawing_view view = carom_drawing_view_of(drawing);
    double largest = 0.0;
    for (int i = 0; i < drawing->frame_count; i++) {
        double at[3];
        shown_at(*keys, key, 2, place, clock->fraction[i], at);
        shown_at(*keys, key, 1, angle, clock->fraction[i], at + 2);
        for (int k = 0; k < 4; k++) {
            double corner[2];
            double pixel[2];
            carom_drawing_point(&drawing->outlines[body], k,
                                drawing->poses + 6 * (size_t)i + 3 * (size_t)body, corner);
            carom_drawing_place(&view, corner, pixel);
            const double *p = drawing->outlines[body].points + 2 * k;
            const double turn = at[2] * CAROM_DRAWING_PI / 180.0;
            const double x = at[0] + view.scale * (cos(turn) * p[0] + sin(turn) * p[1]);
            const double y = at[1] + view.scale * (sin(turn) * p[0] - cos(turn) * p[1]);
            largest = fmax(largest, hypot(x - pixel[0], y - pixel[1]));
        }
    }
    return largest;
}

/** Poses of the record against those that a browser finds between keys, at each instant. */
LOOP_TEST(property, every_pose_is_shown_within_the_accuracy, 9) {
    static const double accuracies[3] = {0.1, 0.5, 3.0};
    static const double slow[3] = {1.0, 25.0, 4.0};
    const int kind = _i / 3;
    carom_drawing_params params = carom_drawing_params_default();
    params.accuracy = accuracies[_i % 3];
    params.slow_impacts = slow[_i % 3];
    CAROM_AUTO(carom_drawing) drawing = drawing_of(kind, kind == 2 ? 1e6 : 1.0);
    carom_drawing_clock clock;
    assert_ok(carom_drawing_clock_init(drawing, &params, &clock));
    carom_text_buffer svg = {0};
    animate(drawing, &params, &svg);
    for (int body = 0; body < (kind == 2 ? 2 : 1); body++) {
        int keys = 0;
        const double error = largest_error(drawing, &clock, svg.text, body, &keys);
        ck_assert_msg(error <= params.accuracy, "motion %d, body %d: %g pixels", kind, body, error);
        // what is smooth is thinned, as far as is allowed
        ck_assert_msg(kind == 1 || error > 0.5 * params.accuracy, "motion %d: %g", kind, error);
        ck_assert_int_lt(kind == 1 ? 0 : keys, FRAMES / 2);
    }
    carom_text_buffer_clear(&svg);
    carom_drawing_clock_clear(&clock);
}

/** A straight line at an even speed is two poses, and the last again for the pause; what rests is
 * none. */
TEST(unit, a_straight_line_is_told_by_its_ends) {
    for (int i = 0; i < FRAMES; i++) {
        const double pose[6] = {2.385 * i, 7.0 - 0.3 * i, 0.0, 3.0, 4.0, 0.5};
        times[i] = 0.01 * i;
        memcpy(poses + 6 * (size_t)i, pose, sizeof pose);
    }
    CAROM_AUTO(carom_drawing)
    drawing = motion_drawing(&(motion){2, FRAMES, times, poses, 3, SQUARES});
    const carom_drawing_params params = carom_drawing_params_default();
    carom_text_buffer svg = {0};
    animate(drawing, &params, &svg);
    static double key[LIST_SIZE];
    const char *first = strstr(svg.text, "id=\"body-0\"");
    const char *second = strstr(svg.text, "id=\"body-1\"");
    ck_assert_int_eq(read_list(first, "keyTimes=\"", key), 3);
    ck_assert(strstr(second, "<animate") > strstr(second, "</g>"));
    carom_text_buffer_clear(&svg);
}

/** Played by T seconds, half of them within 1 % of the motion before and after its impact, which is
 * the share that 50 times slower makes of it: 0.02 x 50 to 0.98. */
TEST(unit, the_motion_is_slower_about_impacts) {
    CAROM_AUTO(carom_drawing) drawing = drawing_of(0, 1.0);
    const carom_drawing_params params = {
        .play_duration = 3.0, .slow_impacts = 50.0, .accuracy = 0.5};
    carom_drawing_clock clock;
    assert_ok(carom_drawing_clock_init(drawing, &params, &clock));
    const double last = times[FRAMES - 1];
    const double at = times[FRAMES / 2];
    const double before = clock.duration * carom_drawing_clock_fraction(&clock, at - 0.01 * last);
    const double after = clock.duration * carom_drawing_clock_fraction(&clock, at + 0.01 * last);
    assert_close(before, 3.0 * 0.49, 1e-12, 0.0);
    assert_close(after - before, 3.0 * 0.02 * 50.0, 1e-12, 0.0);
    assert_close(clock.duration, 3.0 * (0.98 + 0.02 * 50.0) + 0.5, 1e-12, 0.0);
    assert_close(clock.fraction[FRAMES - 1], 1.0 - 0.5 / clock.duration, 1e-12, 0.0);
    carom_drawing_clock_clear(&clock);
}

TEST(property, the_same_motion_has_the_same_bytes) {
    carom_drawing_params params = carom_drawing_params_default();
    params.slow_impacts = 3.0;
    char path[SCRATCH_PATH_SIZE];
    char record[SCRATCH_PATH_SIZE];
    carom_report report = carom_report_empty();
    CAROM_AUTO(carom_drawing) drawing = drawing_of(2, 1.0);
    scratch_path("motion.h5", record);
    assert_ok(carom_drawing_write(record, "/run", &params, scratch_path("a.svg", path), &report));
    assert_ok(carom_drawing_write(record, "run", &params, scratch_path("b.svg", path), &report));
    assert_same_bytes("a.svg", "b.svg");
}

/** The most that a pose takes: 29 letters of places and angle and twice 12 of their keys. What is
 * not poses takes less than 16 kB. */
TEST(property, the_size_is_bounded) {
    CAROM_AUTO(carom_drawing) drawing = drawing_of(1, 1.0);
    carom_drawing_params params = carom_drawing_params_default();
    carom_text_buffer fine = {0};
    carom_text_buffer coarse = {0};
    params.accuracy = CAROM_DRAWING_FINEST;
    animate(drawing, &params, &fine);
    params.accuracy = 100.0;
    animate(drawing, &params, &coarse);
    ck_assert_uint_lt(fine.length, 16000 + 2 * FRAMES * 53);
    ck_assert_uint_lt(2 * coarse.length, fine.length);
    carom_text_buffer_clear(&fine);
    carom_text_buffer_clear(&coarse);
}

/** Lengths alone say nothing: the drawing of a motion in micrometres is that in metres but for its
 * numbers on the axes. */
TEST(property, sizes_from_micrometres_to_megametres_are_drawn_alike) {
    static const double sizes[3] = {1e-6, 1.0, 1e6};
    static const char *const units[3] = {" / µm<", " / m<", " / Mm<"};
    carom_text_buffer svg[3] = {{0}};
    const carom_drawing_params params = carom_drawing_params_default();
    for (int k = 0; k < 3; k++) {
        CAROM_AUTO(carom_drawing) drawing = drawing_of(2, sizes[k]);
        animate(drawing, &params, &svg[k]);
        ck_assert_ptr_nonnull(strstr(svg[k].text, units[k]));
    }
    for (int k = 0; k < 3; k += 2) {
        static double one[LIST_SIZE];
        static double other[LIST_SIZE];
        const int count = read_list(strstr(svg[1].text, "id=\"body-0\""), "values=\"", one);
        ck_assert_int_eq(read_list(strstr(svg[k].text, "id=\"body-0\""), "values=\"", other),
                         count);
        for (int i = 0; i < count; i++) {
            assert_close(other[i], one[i], 0.0, 0.011); // a rounding to hundredths may tip
        }
    }
    for (int k = 0; k < 3; k++) {
        carom_text_buffer_clear(&svg[k]);
    }
}

/** The longest list that is thinned at all costs as many questions as it has entries times the
 * logarithm of it, three times at most. */
static bool spans_within(const void *context, int from, int to) {
    return to - from <= *(const int *)context;
}
TEST(unit, thinning_keeps_ends_and_reaches_as_far_as_it_may) {
    static int kept[1000];
    for (int reach = 1; reach < 1200; reach += 17) {
        const int count = carom_drawing_thin(1000, spans_within, &reach, kept);
        ck_assert_int_eq(count, 1 + (998 + reach) / reach);
        ck_assert_int_eq(kept[0], 0);
        ck_assert_int_eq(kept[count - 1], 999);
    }
    ck_assert_int_eq(carom_drawing_thin(1, spans_within, &(int){5}, kept), 1);
}

TEST(errors, what_cannot_be_played_is_refused) {
    CAROM_AUTO(carom_drawing) drawing = drawing_of(0, 1.0);
    const carom_drawing_params bad[] = {
        {.play_duration = 0.0, .slow_impacts = 1.0, .accuracy = 0.5},
        {.play_duration = -1.0, .slow_impacts = 1.0, .accuracy = 0.5},
        {.play_duration = 1.0, .slow_impacts = 0.5, .accuracy = 0.5},
        {.play_duration = 1.0, .slow_impacts = 1e7, .accuracy = 0.5},
        {.play_duration = 1.0, .slow_impacts = 1.0, .accuracy = 0.05},
        {.play_duration = 1.0, .slow_impacts = 1.0, .accuracy = 101.0},
        {.play_duration = 1.0, .slow_impacts = 1.0, .accuracy = 0.0}};
    carom_text_buffer svg = {0};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        carom_report report = carom_report_empty();
        assert_status(carom_drawing_animate(drawing, &bad[k], &svg, &report), OUT_OF_RANGE);
        ck_assert_ptr_nonnull(report.quantity);
    }
    ck_assert_uint_eq(svg.length, 0);
}
