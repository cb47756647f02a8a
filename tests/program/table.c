#include "capture.h"

#include <carom/program/program.h>

#include <stdlib.h>

/** What the body writes. */
typedef struct settings {
    int outcomes;  /**< groups /outcome_00, ... */
    int instants;  /**< rows of /motion */
    int positions; /**< columns of /motion/position */
} settings;

static const carom_option options[] = {
    CAROM_INTEGER("outcomes", settings, outcomes, "1", "outcomes", "not negative"),
};

/** Outcomes with an energy each, the second with a velocity of two entries; classes with names; a
 * motion. */
static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    (void)common;
    (void)report;
    const settings *given = context;
    static const double velocity[] = {2.385, -0.125};
    static const double share[] = {0.75, NAN, 0.25};
    for (int k = 0; k < given->outcomes; k++) {
        carom_record group = carom_record_group(record, "/outcome_%02d", k);
        carom_record_scalar(&group, "energy", 1.5 + k, "J", "energy");
        if (k == 1) {
            carom_record_index_axis(&group, "coordinate", 2, "coordinate");
            carom_record_series(&group, "velocity", velocity, "coordinate", NULL, "m s-1", "v");
        }
    }
    carom_record_index_axis(record, "/modes/class", 3, "class");
    carom_record_series(record, "/modes/count", share, "/modes/class", NULL, "1", "NaN: none");
    carom_record_string(record, "/modes/names", "SL LL", "names");
    double *values = calloc((size_t)given->instants * (size_t)given->positions, sizeof *values);
    ck_assert_ptr_nonnull(values);
    carom_record_index_axis(record, "/motion/instant", given->instants, "instant");
    carom_record_index_axis(record, "/motion/coordinate", given->positions, "coordinate");
    carom_record_series(record, "/motion/position", values, "/motion/instant", "/motion/coordinate",
                        "m", "position");
    free(values);
    return CAROM_OK;
}

static const carom_table_column outcomes[] = {
    {.head = "energy", .expression = "energy"},
    {.head = "energy / mJ", .expression = "1e3 * energy"},
    {.head = "absent", .expression = "absent"},
    {.head = "v[]", .expression = "velocity"},
    {.head = "is large", .expression = "energy > 2", .words = "no|yes"},
};
static const carom_table_column classes[] = {
    {.head = "class", .expression = "class", .words = "@names"},
    {.head = "share", .expression = "count"},
};
static const carom_table_column motion[] = {{.head = "x", .expression = "position"}};
static const carom_table tables[] = {
    {.groups = "/nothing /outcome_*", .group_head = "outcome", CAROM_COLUMNS(outcomes)},
    {.groups = "/modes", CAROM_COLUMNS(classes)},
    {.groups = "/motion", CAROM_COLUMNS(motion)},
};

/** What a run says after its first line; valid until the next. */
static const char *table_of(settings given, capture *printed, const char *path, bool is_quiet) {
    const carom_program program = {.name = "two_ball_chain",
                                   .title = "Two balls in a chain",
                                   .source = "key-2014",
                                   .schema = "two_ball_chain 1",
                                   .options = CAROM_OPTIONS(options),
                                   CAROM_TABLES(tables)};
    char *arguments[] = {"two_ball_chain", "--output", (char *)path, "--quiet"};
    capture_begin(printed);
    const int status =
        carom_experiment_main(&program, is_quiet ? 4 : 3, arguments, NULL, body, &given);
    capture_end(printed);
    ck_assert_int_eq(status, 0);
    ck_assert_str_eq(CAPTURED_ERR(printed), "");
    const char *end = strchr(CAPTURED_OUT(printed), '\n');
    return end == NULL ? CAPTURED_OUT(printed) : end + 1;
}

TEST(unit, a_table_shows_what_the_record_has) {
    scratch folder = scratch_make();
    char path[256];
    scratch_path(&folder, "r.h5", path);
    capture printed;
    const settings given = {.outcomes = 2, .instants = 1, .positions = 2};
    ck_assert_str_eq(table_of(given, &printed, path, false),
                     "outcome     energy  energy   v[0]    v[1]  is large\n"
                     "                 J      mJ  m s-1   m s-1          \n"
                     "outcome_00     1.5    1500      -       -        no\n"
                     "outcome_01     2.5    2500  2.385  -0.125       yes\n"
                     "\n"
                     "class  share\n"
                     "   SL   0.75\n"
                     "   LL      -\n"
                     "    -   0.25\n"
                     "\n"
                     "x[0]  x[1]\n"
                     "   m     m\n"
                     "   0     0\n");
    ck_assert_str_eq(table_of(given, &printed, path, true), "");
    scratch_remove(&folder, "r.h5");
}

TEST(unit, a_table_is_at_most_twenty_rows_and_eighty_columns) {
    scratch folder = scratch_make();
    char path[256];
    scratch_path(&folder, "r.h5", path);
    capture printed;
    const settings given = {.outcomes = 23, .instants = 21, .positions = 40};
    const char *table = table_of(given, &printed, path, false);
    char line[512];
    (void)snprintf(line, sizeof line, "\n... and 3 more, see %s\n", path);
    ck_assert_ptr_nonnull(strstr(table, line));
    (void)snprintf(line, sizeof line, "\n... and 1 more, see /motion in %s\n", path);
    ck_assert_ptr_nonnull(strstr(table, line));
    int lines = 0;
    while (*table != '\0') {
        const size_t length = strcspn(table, "\n");
        ck_assert(length <= 80 || strncmp(table, "...", 3) == 0);
        table += length + (table[length] != '\0' ? 1 : 0);
        lines++;
    }
    ck_assert_int_eq(lines, 23 + 1 + 4 + 1 + 23);
    scratch_remove(&folder, "r.h5");
}
