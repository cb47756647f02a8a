#include <carom/program/program.h>

#include <carom/program/internal.h>
#include <carom/program/memory.h>

#include <errno.h>
#include <gsl/gsl_errno.h>
#include <hdf5.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/** What the process answers. */
enum {
    EXIT_WRITTEN = 0,   /**< the record is there */
    EXIT_NUMERICAL = 1, /**< the computation or the writing failed */
    EXIT_REFUSED = 2    /**< the input was refused before the work */
};

/** Everything one run needs. */
typedef struct experiment {
    const carom_program *program;
    const carom_common_options *common;
    carom_experiment_check check;
    carom_experiment_body body;
    void *settings;
} experiment;

/** Whether a failure says that the input is wrong rather than that the computation failed. */
static bool is_refusal(carom_status status, const carom_report *report) {
    switch (status) {
    case CAROM_STATUS_OUT_OF_RANGE:
    case CAROM_STATUS_PENETRATION:
    case CAROM_STATUS_INCONSISTENT:
    case CAROM_STATUS_CONFLICT:
    case CAROM_STATUS_UNSUPPORTED:
    case CAROM_STATUS_NOT_FINITE:
        return isnan(report->time);
    default:
        return false;
    }
}

/** Fail with the sentence of a report. */
static int fail(const experiment *self, carom_status status, const carom_report *report) {
    carom_failure_print(stderr, self->program, status, report);
    return is_refusal(status, report) ? EXIT_REFUSED : EXIT_NUMERICAL;
}

/** Fail because the output cannot be written, which errno explains. */
static int fail_output(const experiment *self, int exit_status) {
    fprintf(stderr, "%s: %s cannot be written: %s\n", self->program->name, self->common->output,
            errno == EBUSY ? "another run is writing it" : strerror(errno));
    return exit_status;
}

/** Fail because something could not be put into the record, which says what. */
static int fail_record(const experiment *self, carom_record *record) {
    fprintf(stderr, "%s: %s: %s\n", self->program->name, self->common->output,
            carom_record_failure(record));
    carom_record_discard(record);
    return EXIT_NUMERICAL;
}

/** Start the record; an unwritable place shows here. */
static carom_status create_record(const experiment *self, carom_record **record) {
    const carom_record_header header = {
        .title = self->program->title,
        .source = self->program->source,
        .schema = self->program->schema,
        .source_digest = carom_build_of_program.source_digest,
        .compiler = carom_build_of_program.compiler,
        .cflags = carom_build_of_program.cflags,
        .seed = self->common->seed,
    };
    return carom_record_create(self->common->output, &header, record);
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
        return fail(self, status, &report);
    }

    bool is_changed = false;
    if (carom_record_commit(record, &is_changed) != CAROM_OK) {
        return fail_output(self, EXIT_NUMERICAL);
    }
    if (!self->common->is_quiet) {
        printf("%s: %s%s%s\n", self->program->name, is_changed ? "wrote " : "",
               self->common->output, is_changed ? "" : " unchanged");
    }
    return EXIT_WRITTEN;
}

/** Check what the options cannot see alone. */
static carom_status check_input(const experiment *self, carom_report *report) {
    if (self->check == NULL) {
        return CAROM_OK;
    }
    carom_terminal_name_work("checking the input");
    const carom_status status = self->check(self->settings, report);
    carom_terminal_name_work("");
    return status;
}

/** Check, create, fill. */
static int run(const experiment *self) {
    carom_report report = carom_report_empty();
    carom_terminal_begin(self->program->name, self->common->is_quiet);
    const carom_status refusal = check_input(self, &report);
    if (refusal != CAROM_OK) {
        carom_terminal_end();
        (void)fail(self, refusal, &report);
        return EXIT_REFUSED;
    }

    carom_record *record = NULL;
    int exit_status = EXIT_REFUSED;
    carom_interruption_begin();
    const carom_status created = create_record(self, &record);
    if (created == CAROM_OK) {
        carom_interruption_name(carom_record_work_file(record));
        carom_terminal_count(record);
        exit_status = fill(self, record);
    } else {
        carom_terminal_end();
        exit_status = created == CAROM_STATUS_IO ? fail_output(self, EXIT_REFUSED)
                                                 : fail(self, created, &report);
    }
    carom_interruption_end();
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

    carom_common_options common = {.output = NULL};
    const carom_parse_result parsed = carom_options_parse(program, argc, argv, settings, &common);
    int exit_status = EXIT_REFUSED;
    if (parsed == CAROM_PARSE_DONE) {
        // An answer that nobody could read is a failure.
        exit_status = fflush(stdout) == 0 ? EXIT_WRITTEN : EXIT_NUMERICAL;
    } else if (parsed == CAROM_PARSE_RUN) {
        const experiment self = {
            program, &common, check, body, settings,
        };
        exit_status = run(&self);
    }
    carom_options_clear(&common);
    return exit_status;
}
