/**
 * sweep: any program over points of its parameters, each as a process of its own.
 *
 * What the records of all points hold under --keep becomes one record, whose axes are the swept
 * parameters; a point that fails is NaN there, with the sentence of the program. docs/sweep.md.
 */
#include <carom/program/internal.h>
#include <carom/program/program.h>
#include <carom/study/sweep.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Parameters that the table of extremes names: twice each, beside three columns of its own. */
enum { SHOWN_AXES = 6, COLUMNS = 3 + 2 * SHOWN_AXES };

typedef struct settings {
    carom_text_list over;
    const char *points;
    int random;
    int sobol;
    carom_text_list keep;
    carom_text_list command;
    int most;
    bool prints;
    const char *records;
    double limit;
    unsigned long seed; /**< of the common options */
    /* what the run makes of them */
    carom_sweep sweep;
    bool is_quiet;
    carom_table_column columns[COLUMNS];
    char expressions[COLUMNS][CAROM_SWEEP_NAME_SIZE + 8];
    carom_table tables[2];
} settings;

static const carom_option options[] = {
    CAROM_TEXT_LIST(
        "over", settings, over,
        "a parameter of the program and its values: NAME=first:last:step, "
        "NAME=first:last:x10 by factors, x10/3 three to each, NAME=a,b,c; drawn points: "
        "NAME=first:last, first:last:x"),
    CAROM_TEXT("points", settings, points,
               "CSV file with a point in each line, below the names of the parameters"),
    CAROM_INTEGER(
        "random", settings, random, "1",
        "points drawn at random from the ranges of --over; --seed decides which; else none",
        "positive"),
    CAROM_INTEGER("sobol", settings, sobol, "1",
                  "points of Sobol's sequence in the ranges of --over; else none", "positive"),
    CAROM_TEXT_LIST("keep", settings, keep,
                    "what is taken from the record of each point: /path, NAME=EXPRESSION or "
                    "NAME[UNIT]=EXPRESSION"),
    CAROM_TEXT_LIST("command", settings, command,
                    "program and arguments, a word each time, as behind --"),
    CAROM_INTEGER("most-points", settings, most, "1", "points that are accepted", "positive"),
    CAROM_FLAG("print-commands", settings, prints,
               "print a command for each point, for a batch system, and stop; they leave their "
               "records in --records"),
    CAROM_TEXT("records", settings, records,
               "folder with the records of the points, from where they are taken instead of run"),
    CAROM_REAL("limit", settings, limit, "s",
               "time that a point may take: one that goes on is killed, and counts as failed; else "
               "any time",
               "positive"),
};

/** Make the points and read what is kept. */
static carom_status prepare(settings *values, carom_report *report) {
    const carom_sweep_request request = {
        .over = &values->over,
        .random = values->random,
        .sobol = values->sobol,
        .file = values->points,
        .seed = values->seed,
        .most = values->most,
    };
    carom_sweep *sweep = &values->sweep;
    if (values->command.count == 0) {
        return carom_report_say(report, CAROM_STATUS_OUT_OF_RANGE,
                                "a program is needed behind --, as in -- build/bin/bouncing_ball "
                                "--step 1e-3");
    }
    if (!isnan(values->limit) && values->records != NULL) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "--limit is for points that sweep runs itself: with --records the "
                                "batch system has one of its own");
    }
    sweep->program.command = &values->command;
    sweep->program.limit = values->limit;
    sweep->records = values->records;
    CAROM_TRY(carom_sweep_points_alloc(&request, &sweep->points, report));
    return carom_sweep_keeps_read(&values->keep, sweep->points, &sweep->keeps, report);
}

/** Add a column to the table of extremes. */
static void add_column(settings *values, const char *head, const char *prefix, const char *name,
                       int *count) {
    char *expression = values->expressions[*count];
    snprintf(expression, sizeof values->expressions[0], "%s%s", prefix, name);
    values->columns[(*count)++] =
        (carom_table_column){.head = head, .expression = expression, .digits = 5};
}

/** The tables that a sweep ends with: its counts, and a line for each quantity. */
static void lay_out_tables(settings *values) {
    static const carom_table_column counts[] = {
        {.head = "points", .expression = "points"},
        {.head = "failed", .expression = "failed"},
    };
    const carom_sweep_points *points = values->sweep.points;
    int count = 0;
    add_column(values, "kept", "quantity", "", &count);
    values->columns[0].words = "@names";
    for (int side = 0; side < 2; side++) {
        const char *which = side == 0 ? "least" : "most";
        add_column(values, which, which, "", &count);
        for (int a = 0; a < points->axis_count && a < SHOWN_AXES; a++) {
            add_column(values, points->axes[a].name, side == 0 ? "least_" : "most_",
                       points->axes[a].name, &count);
        }
    }
    values->tables[0] = (carom_table){.groups = "/counts", CAROM_COLUMNS(counts)};
    values->tables[1] =
        (carom_table){.groups = "/extremes", .columns = values->columns, .column_count = count};
}

/** Refuse what is wrong before anything runs. The folder is no parameter: who ran the points does
 * not matter. */
static carom_status check(void *context, carom_report *report) {
    settings *values = context;
    CAROM_TRY(prepare(values, report));
    lay_out_tables(values);
    values->records = NULL;
    return CAROM_OK;
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    settings *values = context;
    values->is_quiet = common->is_quiet;
    return carom_sweep_run(&values->sweep, common, record, report);
}

/** Say what the first of the points that failed said. */
static void say_failure(const settings *values) {
    const carom_sweep *sweep = &values->sweep;
    for (int p = 0; p < sweep->points->count; p++) {
        if (sweep->is_failed[p]) {
            char name[CAROM_SWEEP_TEXT_SIZE];
            carom_sweep_points_name(sweep->points, p, sizeof name, name);
            printf("first failure, at %s:\n    %s\n", name, sweep->ends[p].sentence);
            return;
        }
    }
}

/** Print the commands in place of running them. */
static carom_status print_commands(settings *values, const char *output, carom_report *report) {
    if (values->records == NULL) {
        return carom_report_say(report, CAROM_STATUS_OUT_OF_RANGE,
                                "--print-commands needs --records DIR, where the commands leave "
                                "what they make");
    }
    CAROM_TRY(prepare(values, report));
    carom_sweep *sweep = &values->sweep;
    carom_sweep_place place;
    CAROM_TRY(carom_sweep_place_open(output, values->command.values[0], &place, report));
    const carom_status status =
        carom_sweep_program_ask(&sweep->program, sweep->points, &place, report);
    carom_sweep_place_close(&place);
    CAROM_TRY(status);
    return carom_sweep_program_print(&sweep->program, sweep->points, values->records);
}

/** What the frame of experiments does not know: the seed before the check, and commands. @return
 * false if the frame goes on, with an exit status otherwise */
static bool is_answered(const carom_program *program, int argc, char **argv, settings *values,
                        int *exit_status) {
    enum { REFUSED = 2 };
    settings given = *values;
    carom_common_options common = {.output = NULL};
    const carom_parse_result parsed = carom_options_parse(program, argc, argv, &given, &common);
    *exit_status = parsed == CAROM_PARSE_REFUSED ? REFUSED : EXIT_SUCCESS;
    values->seed = given.seed = common.seed;
    if (parsed == CAROM_PARSE_RUN && given.prints) {
        carom_report report = carom_report_empty();
        const carom_status status = print_commands(&given, common.output, &report);
        if (status != CAROM_OK) {
            carom_failure_print(stderr, program, status, &report, NULL);
            *exit_status = REFUSED;
        }
    }
    if (fflush(stdout) != 0) {
        *exit_status = EXIT_FAILURE;
    }
    carom_sweep_clear(&given.sweep);
    carom_options_clear(&common);
    return parsed != CAROM_PARSE_RUN || given.prints;
}

int main(int argc, char **argv) {
    settings values = {.most = 100000, .limit = (double)NAN};
    const carom_program program = {
        .name = "sweep",
        .title = "Any program over points of its parameters",
        .source = "own",
        .schema = "sweep 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(values.tables),
        .command = "command",
    };
    int exit_status = EXIT_SUCCESS;
    if (is_answered(&program, argc, argv, &values, &exit_status)) {
        return exit_status;
    }
    exit_status = carom_experiment_main(&program, argc, argv, check, body, &values);
    if (exit_status == EXIT_SUCCESS && !values.is_quiet) {
        say_failure(&values);
    }
    carom_sweep_clear(&values.sweep);
    return exit_status;
}
