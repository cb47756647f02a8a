#include <carom/program/internal.h>
#include <carom/program/memory.h>
#include <carom/program/points.h>
#include <carom/program/program.h>
#include <carom/program/ranks.h>
#include <carom/record/internal.h>

#include <errno.h>
#include <gsl/gsl_errno.h>
#include <hdf5.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* -------------------------------------------------------------------------------------- failure */

/** Room for the name of an option as it is given. */
#define OPTION_NAME_SIZE 80

/** Whether a quantity ("initial height") names an option ("initial-height"). */
static bool names_option(const char *quantity, const char *name) {
    size_t i = 0;
    for (; quantity[i] != '\0' && name[i] != '\0'; i++) {
        const char letter = quantity[i] == ' ' || quantity[i] == '_' ? '-' : quantity[i];
        if (letter != name[i]) {
            return false;
        }
    }
    return quantity[i] == name[i];
}

/** The option that the quantity of a report names, alone or after its context ("juggler", "spring
 * stiffness"); NULL if it names none. */
static const carom_option *option_of(const carom_program *program, const carom_report *report) {
    if (report->quantity == NULL) {
        return NULL;
    }
    char whole[CAROM_REPORT_CONTEXT_SIZE + OPTION_NAME_SIZE];
    snprintf(whole, sizeof whole, "%s-%s", report->context, report->quantity);
    const carom_option *option = NULL;
    size_t offset = 0;
    for (int i = 0; (option = carom_option_at(&program->options, i, &offset)) != NULL; i++) {
        if (names_option(report->quantity, option->name) || names_option(whole, option->name)) {
            return option;
        }
    }
    return NULL;
}

/** Whether a failure says that the input is wrong rather than that the computation failed. */
static bool is_refusal(carom_status status, const carom_report *report) {
    switch (status) {
    case CAROM_STATUS_OUT_OF_RANGE:
    case CAROM_STATUS_PENETRATION:
    case CAROM_STATUS_INCONSISTENT:
    case CAROM_STATUS_BAD_FORMAT:
    case CAROM_STATUS_CONFLICT:
    case CAROM_STATUS_UNSUPPORTED:
    case CAROM_STATUS_NOT_FINITE:
        return isnan(report->time);
    default:
        return false;
    }
}

/** Powers of ten from its default from which on a number is mentioned with a failure of the
 * computation. */
static const double FAR = 3.0;

/** The same for a number to be refused as out of what can be computed. */
static const double TOO_FAR = 6.0;

/** Whether a failure begins with what was given farthest from its default: where the sentence names
 * no option, or one that is not to blame. */
static bool is_mentioned(const carom_option_departure *departure, const carom_option *named,
                         carom_status status, const carom_report *report) {
    if (departure == NULL || departure->option == NULL) {
        return false;
    }
    if (status == CAROM_STATUS_IO || status == CAROM_STATUS_BAD_FORMAT ||
        status == CAROM_STATUS_UNSUPPORTED) {
        return false; // a file is to blame, or what was chosen
    }
    const bool is_far = departure->decades >= FAR;
    if (named != NULL) {
        return is_far && departure->option != named;
    }
    const bool has_name = strstr(report->sentence, "--") != NULL ||
                          (report->quantity != NULL && strstr(report->quantity, "--") != NULL);
    return !has_name &&
           (is_far || is_refusal(status, report) || status == CAROM_STATUS_OUT_OF_MEMORY);
}

void carom_failure_print(FILE *stream, const carom_program *program, carom_status status,
                         const carom_report *report, const carom_option_departure *departure) {
    carom_report named = *report;
    char name[OPTION_NAME_SIZE];
    const carom_option *option = option_of(program, report);
    if (option != NULL && report->index < 0) {
        snprintf(name, sizeof name, "--%s", option->name);
        named.quantity = name;
    }
    if (status == CAROM_STATUS_PENETRATION && isnan(report->time)) {
        named.accepted = ">= 0";
    }
    if (status == CAROM_STATUS_NOT_FINITE && isnan(report->time) && report->quantity != NULL) {
        named.accepted = "finite";
    }
    if (report->units == NULL && option != NULL && option->units != NULL) {
        named.units = strcmp(option->units, "1") != 0 ? option->units : NULL;
    } else if (report->units == NULL && status == CAROM_STATUS_PENETRATION) {
        named.units = "m";
    }
    fprintf(stream, "%s: ", program->name);
    if (is_mentioned(departure, report->index < 0 ? option : NULL, status, report)) {
        carom_option_departure_print(stream, departure);
    }
    carom_report_print(stream, status, &named);
}

/* ------------------------------------------------------------------------------------ the frame */

/** The exit status. */
enum {
    EXIT_WRITTEN = 0,   /**< the record is there */
    EXIT_NUMERICAL = 1, /**< the computation or the writing failed */
    EXIT_REFUSED = 2    /**< the input was refused before the work */
};

/** Everything one run needs. */
typedef struct experiment {
    const carom_program *program;
    carom_common_options *common;
    carom_experiment_check check;
    carom_experiment_body body;
    void *settings;
    carom_ranks *ranks;
    const char *wanted; /**< of the record of a point; NULL: all */
} experiment;

/** Say the sentence of a report, also where this rank is silent otherwise. */
static void say(const experiment *self, carom_status status, const carom_report *report,
                const carom_option_departure *departure) {
    if (self->ranks->rank > 0) {
        fprintf(self->ranks->voice, "rank %d: ", self->ranks->rank);
    }
    carom_failure_print(self->ranks->voice, self->program, status, report, departure);
}

/** Fail with the sentence of a report. All ranks meet the same failures, and rank 0 says them, but
 * for those of the machine. */
static int fail(const experiment *self, carom_status status, const carom_report *report) {
    self->ranks->is_alone = status == CAROM_STATUS_OUT_OF_MEMORY || status == CAROM_STATUS_IO;
    const bool has_sentence = report->sentence[0] != '\0' || status == CAROM_STATUS_OUT_OF_MEMORY;
    if (self->ranks->rank == 0 || (self->ranks->is_alone && has_sentence)) {
        say(self, status, report, self->common->departure);
    }
    return is_refusal(status, report) ? EXIT_REFUSED : EXIT_NUMERICAL;
}

/** Fail because the output cannot be written, which errno explains. */
static int fail_output(const experiment *self, int exit_status) {
    fprintf(stderr, "%s: %s cannot be written: %s\n", self->program->name, self->common->output,
            errno == EBUSY ? "another run is writing it" : strerror(errno));
    return exit_status;
}

/** Fail because something could not be put into the record, which says what. Numbers that overflow
 * come from a number given far from its default, if there is one. */
static int fail_record(const experiment *self, carom_record *record) {
    const carom_option_departure *departure = self->common->departure;
    const bool is_too_far = carom_record_status(record) == CAROM_STATUS_NOT_FINITE &&
                            departure->option != NULL && departure->decades >= TOO_FAR;
    fprintf(stderr, "%s: ", self->program->name);
    if (is_too_far) {
        carom_option_departure_print(stderr, departure);
        fputs("a result leaves the range of numbers: ", stderr);
    } else {
        fprintf(stderr, "%s: ", self->common->output);
    }
    fprintf(stderr, "%s\n", carom_record_failure(record));
    carom_record_discard(record);
    self->ranks->is_alone = true;
    return is_too_far ? EXIT_REFUSED : EXIT_NUMERICAL;
}

/** What its records say of the program. */
static carom_record_header header_of(const experiment *self) {
    return (carom_record_header){
        .title = self->program->title,
        .source = self->program->source,
        .schema = self->program->schema,
        .source_digest = carom_build_of_program.source_digest,
        .compiler = carom_build_of_program.compiler,
        .cflags = carom_build_of_program.cflags,
        .seed = self->common->seed,
    };
}

/** Start the record, on rank 0; an unwritable place shows here. */
static carom_status create_record(const experiment *self, carom_record **record) {
    const carom_record_header header = header_of(self);
    const char *path = self->ranks->rank == 0 ? self->common->output : NULL;
    return self->wanted != NULL ? carom_record_create_wanted(path, self->wanted, record)
                                : carom_record_create(path, &header, record);
}

/** Say how many contact problems are where. */
static void say_problems(const carom_common_options *common) {
    if (common->problems == NULL || common->is_quiet) {
        return;
    }
    long written = 0;
    long left_out = 0;
    carom_contact_folder_count(common->problems, &written, &left_out);
    printf("%s: wrote %ld contact problems into %s", common->program, written,
           common->problem_folder);
    if (left_out > 0) {
        printf("; %ld more were left out, beyond the first %d", left_out,
               CAROM_CONTACT_PROBLEMS_MOST);
    }
    putchar('\n');
}

/** Write the parameters, compute, commit; the record is gone afterwards. */
static int fill(const experiment *self, carom_record *record) {
    carom_report report = carom_report_empty();
    carom_options_record(&self->program->options, self->settings, record);
    carom_status status = carom_record_status(record);
    if (status == CAROM_OK) {
        status = self->body(record, self->common, self->settings, &report);
    }
    carom_terminal_end();
    if (status == CAROM_OK) {
        carom_record_describe_groups(record, carom_group_description);
    }
    if (carom_record_status(record) != CAROM_OK) {
        return fail_record(self, record);
    }
    if (status != CAROM_OK) {
        carom_record_discard(record);
        if (is_refusal(status, &report)) {
            carom_ranks_forget_nothing(self->ranks);
        }
        return fail(self, status, &report);
    }

    bool is_changed = false;
    if (carom_record_commit(record, &is_changed) != CAROM_OK) {
        return fail_output(self, EXIT_NUMERICAL);
    }
    carom_ranks_forget(self->ranks);
    if (!self->common->is_quiet && self->ranks->rank == 0) {
        printf("%s: %s%s%s\n", self->program->name, is_changed ? "wrote " : "",
               self->common->output, is_changed ? "" : " unchanged");
        say_problems(self->common);
        carom_tables_print(self->program, self->common->output);
    }
    return EXIT_WRITTEN;
}

/** Check whether the options fit together. */
static carom_status check_input(const experiment *self, carom_report *report) {
    if (self->check == NULL) {
        return CAROM_OK;
    }
    carom_terminal_name_work("checking the input");
    const carom_status status = self->check(self->settings, report);
    carom_terminal_name_work("");
    return status;
}

/** Open the folder of contact problems, which rank 0 fills. */
static carom_status open_folder(const experiment *self, const carom_record_header *header,
                                carom_report *report) {
    carom_common_options *common = self->common;
    // Problems are written as they come, and HDF5 knows no threads.
    common->workers.threads = 1;
    return self->ranks->rank > 0
               ? CAROM_OK
               : carom_contact_folder_open(common->problem_folder, CAROM_CONTACT_PROBLEMS_MOST,
                                           header, &common->problems, report);
}

/** Go on from the checkpoint, if there is one, and keep one. */
static carom_status keep_work(const experiment *self, const char *identity, carom_report *report) {
    const carom_common_options *common = self->common;
    if (carom_checkpoint_claims(common->checkpoint, common->output)) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "--checkpoint %.80s would be removed with the record, --output "
                                "%.80s: another name is needed",
                                common->checkpoint, common->output);
    }
    return identity == NULL ? CAROM_STATUS_OUT_OF_MEMORY
                            : carom_ranks_keep(self->ranks, common->checkpoint, identity, report);
}

/** Check the input, find who computes, open what is beside the record. */
static bool prepare(const experiment *self, const carom_record_header *header) {
    carom_report report = carom_report_empty();
    carom_common_options *common = self->common;
    const carom_option_departure *departure = common->departure;
    // As given: the check may take files that options name out of the settings.
    CAROM_AUTO_MEMORY char *identity =
        common->checkpoint == NULL ? NULL
                                   : carom_identity_text(self->program, common, self->settings);
    carom_status refusal = check_input(self, &report);
    if (refusal == CAROM_OK && common->problem_folder != NULL) {
        departure = NULL; /* no number is to blame for a folder */
        refusal = open_folder(self, header, &report);
    }
    if (refusal == CAROM_OK && common->checkpoint != NULL) {
        departure = NULL;
        refusal = keep_work(self, identity, &report);
    }
    // What ranks are refused is said once, by the first of them, but not by one that waited for
    // others.
    const bool is_others = refusal == CAROM_STATUS_IO && report.sentence[0] == '\0';
    const int place = self->ranks->rank + (is_others ? self->ranks->rank_count : 0);
    const int first = carom_ranks_smallest(self->ranks, refusal != CAROM_OK ? place : INT_MAX);
    if (refusal != CAROM_OK && place == first) {
        carom_terminal_end();
        say(self, refusal, &report, departure);
    }
    // Problems are written by rank 0, which then computes all of them.
    if (common->problem_folder == NULL) {
        common->workers = carom_ranks_workers(self->ranks, common->workers.threads);
    }
    return first == INT_MAX;
}

/** Check, create, fill. */
static int run_into(const experiment *self, const carom_record_header *header) {
    carom_report report = carom_report_empty();
    carom_terminal_begin(self->program->name, self->ranks->rank_count, self->common->is_quiet);
    if (!prepare(self, header)) {
        carom_terminal_end();
        return EXIT_REFUSED;
    }

    carom_record *record = NULL;
    int exit_status = EXIT_REFUSED;
    carom_interruption_begin();
    const carom_status created = create_record(self, &record);
    if (created != CAROM_OK) {
        carom_terminal_end();
        exit_status = created == CAROM_STATUS_IO ? fail_output(self, EXIT_REFUSED)
                                                 : fail(self, created, &report);
    }
    if (!carom_ranks_agree(self->ranks, created == CAROM_OK)) {
        carom_record_discard(record);
        self->ranks->is_alone = false;
    } else {
        const bool is_first = self->ranks->rank == 0;
        carom_interruption_say(self->program->name, is_first ? self->common->checkpoint : NULL);
        carom_interruption_name(is_first ? carom_record_work_file(record) : "");
        carom_terminal_count(record);
        exit_status = fill(self, record);
    }
    carom_interruption_end();
    return exit_status;
}

static int run(const experiment *self) {
    carom_record_header header = header_of(self);
    header.schema = "contact_file 1";
    const int exit_status = run_into(self, &header);
    carom_contact_folder_free(self->common->problems);
    return exit_status;
}

int carom_experiment_main(const carom_program *program, int argc, char **argv,
                          carom_experiment_check check, carom_experiment_body body,
                          void *settings) {
    // Numbers have a decimal point; GSL, HDF5 and a full file report by their codes alone.
    setlocale(LC_NUMERIC, "C");
    signal(SIGXFSZ, SIG_IGN);
    gsl_set_error_handler_off();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    carom_memory_limit();
    carom_memory_keep();
    const char *wanted = carom_points_serve(&argc, &argv);

    carom_ranks ranks;
    carom_report report = carom_report_empty();
    if (carom_ranks_open(program->name, &ranks, &report) != CAROM_OK) {
        // All say the same.
        if (ranks.rank == 0) {
            fprintf(stderr, "%s: %s\n", program->name, report.sentence);
        }
        return EXIT_REFUSED;
    }
    carom_common_options common = {.output = NULL};
    const carom_parse_result parsed = carom_options_parse(program, argc, argv, settings, &common);
    int exit_status = EXIT_REFUSED;
    common.is_quiet = common.is_quiet || ranks.rank > 0;
    if (parsed == CAROM_PARSE_DONE) {
        if (carom_points_are_asked(argv[0])) {
            puts("  " CAROM_POINTS_OPTION);
        }
        // Output that could not be written is a failure.
        exit_status = fflush(stdout) == 0 ? EXIT_WRITTEN : EXIT_NUMERICAL;
    }
    const bool is_run_by_all = carom_ranks_agree(&ranks, parsed == CAROM_PARSE_RUN);
    if (parsed == CAROM_PARSE_RUN && is_run_by_all) {
        const experiment self = {
            program, &common, check, body, settings, &ranks, wanted,
        };
        exit_status = run(&self);
    } else if (parsed == CAROM_PARSE_RUN) {
        fprintf(stderr,
                "%s: refused on another rank, where options or their files are not the same\n",
                program->name);
    }
    carom_options_clear(&common);
    exit_status = carom_ranks_close(&ranks, exit_status);
    if (wanted != NULL) {
        carom_points_end(exit_status);
    }
    return exit_status;
}
