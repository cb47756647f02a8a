#include <carom/study/scheme_options.h>

#include <carom/base/parallel.h>
#include <carom/program/memory.h>
#include <carom/program/program.h>
#include <carom/record/record.h>
#include <carom/timestepping/internal.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/** What the parallel map hands to every run. */
typedef struct work {
    const carom_model *model;
    carom_mechanism without_law; /**< its mechanism without restitution, for smooth_galpha */
    double duration;
    carom_scheme_run *runs;
    carom_contact_folder *problems; /**< where their contact problems go; NULL: nowhere */
    carom_progress *progress;
} work;

/** How far one run has told of its rows. */
typedef struct told_rows {
    carom_progress *progress;
    int rows;
} told_rows;

/** Count the rows since the last call. */
static void tell(int rows_done, int row_count, void *context) {
    (void)row_count;
    told_rows *told = context;
    carom_progress_add(told->progress, rows_done - told->rows);
    told->rows = rows_done;
}

/** Say which runs that may fail did, and when. */
static void say_failures(const carom_scheme_run *runs, int count,
                         const carom_common_options *common) {
    for (int i = 0; i < count; i++) {
        const carom_trajectory *trajectory = runs[i].trajectory;
        if (trajectory->outcome != CAROM_OK) {
            fprintf(stderr, "%s: %s ends at t = %.6g s: %s\n", common->program, runs[i].group,
                    trajectory->failure_time, carom_status_sentence(trajectory->outcome));
        }
    }
}

/** Compute run i. */
static carom_status compute_run(int i, void *context, carom_report *report) {
    const work *shared = context;
    carom_scheme_run *run = &shared->runs[i];
    told_rows told = {.progress = shared->progress};
    const carom_model *model = shared->model;
    carom_contact_folder_run dump = {shared->problems, run->group, run->params.step};
    carom_stepper_params params = run->params;
    params.contacts = carom_contact_folder_listener(&dump);
    const bool has_law = run->params.scheme != CAROM_SCHEME_SMOOTH_GALPHA;
    const carom_status status =
        (run->may_fail ? carom_trajectory_run_to_failure : carom_trajectory_run)(
            has_law ? &model->mechanism : &shared->without_law, &params, model->initial_position,
            model->initial_velocity, shared->duration, tell, &told, &run->trajectory, report);
    if (status != CAROM_OK) {
        carom_report_set_context(report, run->group);
    }
    return status;
}

/** Rows of all runs together. */
static double total_rows(double duration, const carom_scheme_run *runs, int count) {
    double rows = 0.0;
    for (int i = 0; i < count; i++) {
        rows += ceil(duration / runs[i].params.step) + 1.0;
    }
    return rows;
}

/** The group of a run, and how it failed if it did. */
static void write_run(carom_record *record, const carom_model *model, const carom_scheme_run *run) {
    const carom_trajectory *trajectory = run->trajectory;
    carom_record group = carom_record_group(record, "%s", run->group);
    carom_record_trajectory(&group, &model->mechanism, trajectory);
    if (trajectory->outcome == CAROM_OK) {
        return;
    }
    carom_record_scalar(&group, "failure_time", trajectory->failure_time, "s",
                        "time that the scheme could not reach");
    carom_record_attribute(&group, ".", "failure", carom_status_sentence(trajectory->outcome));
}

carom_status carom_scheme_runs(const carom_model *model, double duration, carom_scheme_run *runs,
                               int count, const carom_common_options *common, carom_record *record,
                               carom_report *report) {
    CAROM_ASSERT(model != NULL && runs != NULL && common != NULL && record != NULL);
    for (int i = 0; i < count; i++) {
        runs[i].trajectory = NULL;
    }

    const double rows = total_rows(duration, runs, count);
    const double row_size =
        (double)carom_trajectory_row_size(&model->mechanism, CAROM_TRAJECTORY_NONSMOOTH);
    double step = 0.0;
    for (int i = 0; i < count; i++) {
        step = fmax(step, runs[i].params.step);
    }
    char things[128];
    snprintf(things, sizeof things,
             "time steps of all runs with --duration = %g s and --step = %g s", duration, step);
    CAROM_TRY(carom_memory_check(rows, row_size, things, report));
    CAROM_AUTO_MEMORY double *none =
        calloc((size_t)model->mechanism.contact_count + 1, sizeof *none);
    if (none == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }

    // Compute in parallel.
    carom_progress *progress =
        carom_progress_start(model->mechanism.name, (long)rows, "rows", common->is_quiet);
    work shared = {.model = model,
                   .without_law = model->mechanism,
                   .duration = duration,
                   .runs = runs,
                   .problems = common->problems,
                   .progress = progress};
    shared.without_law.restitution = none;
    const carom_status status =
        carom_parallel_map(common->workers, count, compute_run, &shared, NULL, report);
    carom_progress_finish(progress);
    CAROM_TRY(status);
    say_failures(runs, count, common);

    // Write in order, so that the bytes do not depend on who finished first.
    for (int i = 0; i < count; i++) {
        write_run(record, model, &runs[i]);
    }
    return CAROM_OK;
}
