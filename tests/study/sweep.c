#include "../record/scratch.h"

#include <carom/study/sweep.h>

FIXTURE(scratch_setup, scratch_teardown);

/** Points of a request. */
typedef struct asked {
    carom_sweep_points *points;
    carom_report report;
    carom_status status;
} asked;

static asked ask(carom_sweep_request request, int count, const char *const *over) {
    const carom_text_list list = {count, over};
    request.over = &list;
    request.most = request.most > 0 ? request.most : 100000;
    asked got = {.report = carom_report_empty()};
    got.status = carom_sweep_points_alloc(&request, &got.points, &got.report);
    return got;
}

/** One axis is read. */
static carom_sweep_points *grid(const char *over) {
    const asked got = ask((carom_sweep_request){.random = 0}, 1, &over);
    ck_assert_msg(got.status == CAROM_OK, "%s: %s", over, got.report.sentence);
    return got.points;
}

/** An axis is refused with this in the sentence. */
static void assert_grid_refused(const char *over, carom_status status, const char *words) {
    const asked got = ask((carom_sweep_request){.random = 0}, 1, &over);
    ck_assert_msg(got.status == status, "%s: %s", over, carom_status_name(got.status));
    ck_assert_msg(strstr(got.report.sentence, words) != NULL, "%s: %s", over, got.report.sentence);
    ck_assert_ptr_null(got.points);
}

/** The words of an axis, with commas between. */
static void assert_words(const char *over, const char *expected) {
    char words[512] = "";
    carom_sweep_points *points = grid(over);
    for (int i = 0; i < points->count; i++) {
        const size_t length = strlen(words);
        snprintf(words + length, sizeof words - length, "%s%s", i > 0 ? "," : "",
                 points->axes[0].words[i]);
    }
    ck_assert_str_eq(words, expected);
    carom_sweep_points_free(points);
}

TEST(unit, a_grid_has_the_decimals_that_are_meant_and_its_last_value) {
    carom_sweep_points *points = grid("restitution=0:1:0.01");
    ck_assert_int_eq(points->count, 101);
    for (int i = 0; i <= 100; i++) {
        char word[16];
        snprintf(word, sizeof word, "%d.%02d", i / 100, i % 100);
        assert_close(points->axes[0].values[i], strtod(word, NULL), 0.0, 0.0);
    }
    ck_assert_str_eq(points->axes[0].words[7], "0.07");
    carom_sweep_points_free(points);

    assert_words("a=0:1:0.3", "0,0.3,0.6,0.9");
    assert_words("a=1:0:-0.25", "1,0.75,0.5,0.25,0");
    assert_words("a=-0.7:0.3:0.1", "-0.7,-0.6,-0.5,-0.4,-0.3,-0.2,-0.1,0,0.1,0.2,0.3");
    assert_words("a=2.385:2.385:0.1", "2.385");
    assert_words("a=1:1.5:7", "1");
}

TEST(unit, factors_lead_by_decades_and_parts_of_them) {
    assert_words("step=1e-5:1e-2:x10", "1e-05,0.0001,0.001,0.01");
    assert_words("step=8:1:x0.5", "8,4,2,1");
    carom_sweep_points *points = grid("step=1e-3:1:x10/3");
    ck_assert_int_eq(points->count, 10);
    for (int i = 0; i < 10; i++) {
        // 15 digits.
        assert_close(points->axes[0].values[i], pow(10.0, i / 3.0 - 3.0), 1e-14, 0.0);
    }
    carom_sweep_points_free(points);
}

TEST(unit, words_are_kept_as_they_are_written) {
    carom_sweep_points *points = grid("initial-height=1.50,2e0,-3");
    ck_assert_str_eq(points->axes[0].option, "initial-height");
    ck_assert_str_eq(points->axes[0].name, "initial_height");
    ck_assert_str_eq(points->axes[0].words[0], "1.50");
    assert_close(points->axes[0].values[1], 2.0, 0.0, 0.0);
    carom_sweep_points_free(points);

    points = grid("scheme=moreau-jean,3");
    ck_assert_ptr_null(points->axes[0].values);
    ck_assert_str_eq(points->axes[0].words[1], "3");
    carom_sweep_points_free(points);
}

TEST(unit, the_last_axis_of_a_product_is_the_fastest) {
    const char *const over[] = {"a=1,2", "b=1,2,3", "c=1,2,3,4"};
    const asked got = ask((carom_sweep_request){.random = 0}, 3, over);
    assert_ok(got.status);
    ck_assert_int_eq(got.points->count, 24);
    for (int p = 0; p < 24; p++) {
        ck_assert_int_eq(carom_sweep_points_entry(got.points, 0, p), p / 12);
        ck_assert_int_eq(carom_sweep_points_entry(got.points, 1, p), p / 4 % 3);
        ck_assert_int_eq(carom_sweep_points_entry(got.points, 2, p), p % 4);
    }
    char name[64];
    carom_sweep_points_name(got.points, 17, sizeof name, name);
    ck_assert_str_eq(name, "a=2, b=2, c=2");
    carom_sweep_points_free(got.points);
}

TEST(unit, sobol_points_fill_a_range_evenly_and_its_logarithm) {
    enum { COUNT = 16 };
    const char *const over[] = {"a=2:4", "b=1e-4:1:x"};
    const asked got = ask((carom_sweep_request){.sobol = COUNT}, 2, over);
    assert_ok(got.status);
    ck_assert(!got.points->is_grid);
    ck_assert_int_eq(got.points->count, COUNT);
    // A net: each of 16 equal parts of each axis has one point.
    for (int axis = 0; axis < 2; axis++) {
        int parts = 0;
        for (int p = 0; p < COUNT; p++) {
            const double value = got.points->axes[axis].values[p];
            const double part = axis == 0 ? (value - 2.0) / 2.0 : log10(value) / 4.0 + 1.0;
            parts |= 1 << (int)floor(COUNT * part + 1e-9);
        }
        ck_assert_int_eq(parts, (1 << COUNT) - 1);
    }
    carom_sweep_points_free(got.points);
}

TEST(property, random_points_depend_on_seed_and_number_alone) {
    const char *const over[] = {"a=-1:3", "b=0:1"};
    const asked few = ask((carom_sweep_request){.random = 5, .seed = 7}, 2, over);
    const asked many = ask((carom_sweep_request){.random = 4000, .seed = 7}, 2, over);
    const asked other = ask((carom_sweep_request){.random = 5, .seed = 8}, 2, over);
    double mean = 0.0;
    for (int p = 0; p < 4000; p++) {
        const double a = many.points->axes[0].values[p];
        ck_assert(a >= -1.0 && a < 3.0);
        mean += a / 4000.0;
        if (p < 5) {
            assert_close(few.points->axes[0].values[p], a, 0.0, 0.0);
            ck_assert(fabs(other.points->axes[0].values[p] - a) > 1e-6);
            ck_assert(fabs(many.points->axes[1].values[p] - (a + 1.0) / 4.0) > 1e-6);
        }
    }
    // Five standard errors of the mean of a uniform number.
    assert_close(mean, 1.0, 0.0, 5.0 * 4.0 / sqrt(12.0 * 4000.0));
    carom_sweep_points_free(few.points);
    carom_sweep_points_free(many.points);
    carom_sweep_points_free(other.points);
}

/** Points of a file. */
static asked read_points(const char *text) {
    char path[SCRATCH_PATH_SIZE];
    scratch_write("points.csv", text, strlen(text));
    return ask((carom_sweep_request){.file = scratch_path("points.csv", path)}, 0, NULL);
}

TEST(unit, a_table_has_a_point_in_each_line) {
    const asked got = read_points("friction, scheme\n0.5,\"moreau-jean\"\n 2.385 ,other\n");
    assert_ok(got.status);
    ck_assert_int_eq(got.points->count, 2);
    ck_assert(!got.points->is_grid);
    assert_close(got.points->axes[0].values[1], 2.385, 0.0, 0.0);
    ck_assert_ptr_null(got.points->axes[1].values);
    ck_assert_int_eq(carom_sweep_points_entry(got.points, 1, 1), 1);
    ck_assert_str_eq(got.points->axes[1].words[0], "moreau-jean");
    carom_sweep_points_free(got.points);
}

TEST(errors, a_table_is_refused_by_its_line) {
    static const struct {
        const char *text;
        const char *words;
    } cases[] = {
        {"a,b\n", "a line of names and one for each point"},
        {"a,b\n1,2\n3\n", "points.csv:3: 1 values, 2 names"},
        {"a,b\n1,\n", "points.csv:2: b is empty"},
        {"a,9b\n1,2\n", "\"9b\" is not the name"},
        {"a,a\n1,2\n", "a is swept twice"},
        {"a\n\"1\n", "line 2 is not CSV"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const asked got = read_points(cases[i].text);
        ck_assert_int_ne(got.status, CAROM_OK);
        ck_assert_msg(strstr(got.report.sentence, cases[i].words) != NULL, "%s: %s", cases[i].words,
                      got.report.sentence);
    }
}

TEST(errors, a_malformed_grid_is_refused_by_its_word) {
    const carom_status format = CAROM_STATUS_BAD_FORMAT;
    const carom_status range = CAROM_STATUS_OUT_OF_RANGE;
    assert_grid_refused("restitution", format, "\"restitution\" has no `=`");
    assert_grid_refused("Restitution=1", format, "\"Restitution\" is not the name");
    assert_grid_refused("output=1", format, "\"output\" is not the name");
    assert_grid_refused("exit-code=1", CAROM_STATUS_CONFLICT, "exit_code of its own");
    assert_grid_refused("a=0:b:1", format, "\"b\" is not a number; accepted is first:last:step");
    assert_grid_refused("a=0:1:nan", format, "\"nan\" is not");
    assert_grid_refused("a=0:1:0", format, "\"0\" is no step");
    assert_grid_refused("a=0:1", format, "\"0:1\" has not the parts");
    assert_grid_refused("a=0:1:2:3", format, "\"0:1:2:3\" has not the parts");
    assert_grid_refused("a=1:2:x1", format, "\"1\" is not a factor");
    assert_grid_refused("a=1:2:x-2", format, "\"-2\" is not a factor");
    assert_grid_refused("a=1:2:x10/0.5", format, "\"0.5\" is not a whole number of parts");
    assert_grid_refused("a=0:2:x2", format, "\"0\" and the last value have no common sign");
    assert_grid_refused("a=1,,2", format, "\"\" is no value");
    assert_grid_refused("a=0:1:-0.5", range, "no value lies there");
    assert_grid_refused("a=2:1:x2", range, "no value lies there");
    assert_grid_refused("a=0:1:1e-9", range, "1000000001 values, more than --most-points 100000");
}

TEST(errors, a_product_is_counted_before_it_is_made) {
    const char *const over[] = {"a=1:400:1", "b=1:300:1"};
    const asked got = ask((carom_sweep_request){.random = 0}, 2, over);
    assert_status(got.status, OUT_OF_RANGE);
    ck_assert_ptr_nonnull(strstr(got.report.sentence, "400 x 300 = 120000 points, more than"));
    const asked raised = ask((carom_sweep_request){.most = 120000}, 2, over);
    assert_ok(raised.status);
    carom_sweep_points_free(raised.points);
    assert_status(ask((carom_sweep_request){.random = 100001}, 2, over).status, OUT_OF_RANGE);
    assert_status(ask((carom_sweep_request){.random = 0}, 0, NULL).status, OUT_OF_RANGE);
    assert_status(ask((carom_sweep_request){.random = 2, .sobol = 2}, 2, over).status, CONFLICT);
    assert_status(ask((carom_sweep_request){.sobol = 2}, 2, over).status, BAD_FORMAT);
}

/** What is kept, read over points of one axis "friction". */
static carom_status keep(const char *text, carom_sweep_keeps *keeps, carom_report *report) {
    const carom_text_list texts = {1, &text};
    carom_sweep_points *points = grid("friction=1,2");
    const carom_status status = carom_sweep_keeps_read(&texts, points, keeps, report);
    carom_sweep_points_free(points);
    return status;
}

TEST(unit, what_is_kept_has_a_name_a_unit_and_an_expression) {
    static const struct {
        const char *text, *name, *units, *expression;
    } cases[] = {
        {"/measures/coverage", "coverage", "", "/measures/coverage"},
        {"error=max(abs(/a/b)) == 1", "error", "", "max(abs(/a/b)) == 1"},
        {"e_2[m s-1]=/a/b[0]", "e_2", "m s-1", "/a/b[0]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        carom_sweep_keeps keeps;
        assert_ok(keep(cases[i].text, &keeps, NULL));
        ck_assert_str_eq(keeps.items[0].name, cases[i].name);
        ck_assert_str_eq(keeps.items[0].units, cases[i].units);
        ck_assert_str_eq(keeps.items[0].expression, cases[i].expression);
        carom_sweep_keeps_clear(&keeps);
    }
}

TEST(errors, what_is_kept_needs_a_name_of_its_own) {
    static const char *const malformed[] = {"2+2", "a == b", "/a/b[0]", "/", "9a=/b", "[m]=/b"};
    static const char *const taken[] = {"/a/friction", "friction=/b", "counts=/b", "point=/b"};
    carom_sweep_keeps keeps;
    carom_report report = carom_report_empty();
    for (int i = 0; i < 6; i++) {
        assert_status(keep(malformed[i], &keeps, &report), BAD_FORMAT);
        carom_sweep_keeps_clear(&keeps);
    }
    for (int i = 0; i < 4; i++) {
        assert_status(keep(taken[i], &keeps, &report), CONFLICT);
        carom_sweep_keeps_clear(&keeps);
    }
    carom_sweep_points *points = grid("friction=1,2");
    const char *const twice[] = {"/a/b", "/c/b"};
    const carom_text_list texts = {2, twice};
    assert_status(carom_sweep_keeps_read(&texts, points, &keeps, &report), CONFLICT);
    carom_sweep_keeps_clear(&keeps);
    assert_status(carom_sweep_keeps_read(&(carom_text_list){0, NULL}, points, &keeps, &report),
                  OUT_OF_RANGE);
    carom_sweep_keeps_clear(&keeps);
    carom_sweep_points_free(points);
}

TEST(unit, numbers_are_taken_from_a_record_and_what_is_not_there_is_nan) {
    const char *const wanted[] = {"/ball/energy", "first=/ball/gap[0,0]", "/parameters/mass"};
    const carom_text_list texts = {3, wanted};
    carom_sweep_points *points = grid("friction=1,2");
    carom_sweep_keeps keeps;
    assert_ok(carom_sweep_keeps_read(&texts, points, &keeps, NULL));
    scratch_make_record("one.h5", 2.385);
    carom_reader *reader = scratch_open("one.h5");
    assert_ok(carom_sweep_keeps_learn(&keeps, reader, NULL));
    ck_assert_int_eq(keeps.length, SAMPLE_ROWS + 2);
    ck_assert(keeps.items[0].is_series && !keeps.items[1].is_series);
    ck_assert_str_eq(keeps.items[2].units, "kg");
    ck_assert_ptr_nonnull(strstr(keeps.items[2].long_name, "; NaN: "));
    double values[SAMPLE_ROWS + 2];
    char sentence[CAROM_SWEEP_SENTENCE_SIZE];
    carom_sweep_keeps_take(&keeps, reader, values, sentence);
    ck_assert_str_eq(sentence, "");
    for (int i = 0; i < SAMPLE_ROWS; i++) {
        assert_close(values[i], sample_gap[i], 0.0, 0.0);
    }
    assert_close(values[SAMPLE_ROWS], sample_gap[0], 0.0, 0.0);
    assert_close(values[SAMPLE_ROWS + 1], 2.385, 0.0, 0.0);

    // Another record has the mass alone, behind a series of another length.
    snprintf(keeps.items[0].expression, sizeof keeps.items[0].expression, "/ball/energy[1:]");
    snprintf(keeps.items[1].expression, sizeof keeps.items[1].expression, "/ball/none");
    for (int i = 0; i < keeps.length; i++) {
        values[i] = NAN;
    }
    carom_sweep_keeps_take(&keeps, reader, values, sentence);
    ck_assert_ptr_nonnull(strstr(sentence, "energy: "));
    ck_assert(isnan(values[0]) && isnan(values[SAMPLE_ROWS]));
    assert_close(values[SAMPLE_ROWS + 1], 2.385, 0.0, 0.0);

    carom_report report = carom_report_empty();
    assert_status(carom_sweep_keeps_learn(&keeps, reader, &report), UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(report.sentence, "--keep /ball/none: "));
    snprintf(keeps.items[1].expression, sizeof keeps.items[1].expression, "/ball/gap");
    assert_status(carom_sweep_keeps_learn(&keeps, reader, &report), UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(report.sentence, "a table of "));
    carom_reader_close(reader);
    carom_sweep_keeps_clear(&keeps);
    carom_sweep_points_free(points);
}
