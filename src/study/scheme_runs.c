#include <carom/study/scheme_options.h>

#include <carom/base/parallel.h>
#include <carom/program/memory.h>
#include <carom/program/program.h>
#include <carom/record/record.h>
#include <carom/timestepping/internal.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/** Bytes of rows that are in memory at a time, of all runs together: those of every published run,
 * and few for a machine. */
static const double BLOCK_BYTES = 48e6;

/** How far one run has told of its rows. */
typedef struct told_rows {
    carom_progress *progress;
    int rows;
} told_rows;

/** A run on its way into the record. */
typedef struct recorded_run {
    carom_stepper_run *steps;
    const carom_trajectory *rows;   /**< the block under way */
    const carom_trajectory *chosen; /**< those of them that are recorded */
    carom_trajectory_choice *choice;
    carom_recorder recorder;
    bool is_recorded; /**< the recorder has begun */
    bool has_failed;  /**< its failure stands in the record */
    told_rows told;
    carom_contact_folder_run dump;
    carom_trajectory *taken; /**< all rows, of an earlier run or another rank; NULL: computed here;
                                  owned */
} recorded_run;

/** What the parallel map hands to every run. */
typedef struct work {
    const carom_model *model;
    carom_mechanism without_law; /**< its mechanism without restitution, for smooth_galpha */
    double *none;                /**< [contacts] its coefficients, zero, owned */
    double duration;
    double blocks; /**< of the runs that are not kept */
    int count;
    carom_scheme_run *runs;  /**< [count] */
    recorded_run *under_way; /**< [count] owned */
    carom_recorded_steps which;
    carom_contact_folder *problems; /**< where their contact problems go; NULL: nowhere */
    carom_progress *progress;
    carom_record *record;
} work;

static void work_clear(work *shared) {
    for (int i = 0; shared->under_way != NULL && i < shared->count; i++) {
        carom_stepper_run_free(shared->under_way[i].steps);
        carom_trajectory_choice_free(shared->under_way[i].choice);
        carom_trajectory_free(shared->under_way[i].taken);
    }
    free(shared->under_way);
    free(shared->none);
}

/* --- computing -------------------------------------------------------------------------------- */

/** Count the rows since the last call. */
static void tell(int rows_done, int row_count, void *context) {
    (void)row_count;
    told_rows *told = context;
    carom_progress_add(told->progress, rows_done - told->rows);
    told->rows = rows_done;
}

/** Rows of a run, as a number that may be too large for one. */
static double count_rows(double duration, double step) {
    return ceil(duration / step) + 1.0;
}

/** Prepare run i, whose blocks end with those of the others. */
static carom_status begin_run(const work *shared, int i, carom_report *report) {
    const carom_scheme_run *run = &shared->runs[i];
    recorded_run *state = &shared->under_way[i];
    const carom_model *model = shared->model;
    carom_stepper_params params = run->params;
    state->told.progress = shared->progress;
    state->dump = (carom_contact_folder_run){shared->problems, run->group, params.step};
    params.contacts = carom_contact_folder_listener(&state->dump);
    const bool has_law = params.scheme != CAROM_SCHEME_SMOOTH_GALPHA;
    const double block = ceil(count_rows(shared->duration, params.step) / shared->blocks);
    const carom_stepper_run_params asked = {
        .duration = shared->duration,
        .block_rows = run->is_kept || !(block < (double)INT_MAX) ? 0 : (int)block,
        .to_failure = run->may_fail,
        .progress = tell,
        .context = &state->told,
    };
    return carom_stepper_run_alloc(has_law ? &model->mechanism : &shared->without_law, &params,
                                   &asked, model->initial_position, model->initial_velocity,
                                   &state->steps, report);
}

/** Show the next rows of run i to who watches, and choose those that are recorded. */
static carom_status look_at_rows(const work *shared, int i, carom_report *report) {
    const carom_scheme_run *run = &shared->runs[i];
    recorded_run *state = &shared->under_way[i];
    if (run->watch.tell != NULL && state->rows->row_count > 0) {
        CAROM_TRY(run->watch.tell(state->rows, run->watch.context, report));
    }
    if (state->choice == NULL) {
        CAROM_TRY(carom_trajectory_choice_alloc(&shared->model->mechanism, state->rows,
                                                shared->which, &state->choice));
    }
    return carom_trajectory_choice_next(state->choice, state->rows, &state->chosen);
}

/** The next block of run i. */
static carom_status compute_block(const work *shared, int i, carom_report *report) {
    const carom_scheme_run *run = &shared->runs[i];
    recorded_run *state = &shared->under_way[i];
    if (state->steps == NULL) {
        CAROM_TRY(begin_run(shared, i, report));
    } else if (run->is_kept) {
        state->rows = NULL; // it came as one block
        return CAROM_OK;
    }
    CAROM_TRY(carom_stepper_run_next(state->steps, &state->rows, report));
    return look_at_rows(shared, i, report);
}

static carom_status compute_run(int i, void *context, carom_report *report) {
    const carom_status status = compute_block(context, i, report);
    if (status != CAROM_OK) {
        carom_report_set_context(report, ((const work *)context)->runs[i].group);
    }
    return status;
}

/* --- runs of an earlier program, or of another rank ------------------------------------------- */
/* Runs that are short enough for one block are items of a map like any other. */

static carom_status pack_run(int i, void *context, carom_parallel_bytes *bytes) {
    const work *shared = context;
    return carom_trajectory_pack(shared->under_way[i].rows, bytes);
}

static carom_status unpack_run(int i, const unsigned char *data, size_t size, void *context) {
    const work *shared = context;
    recorded_run *state = &shared->under_way[i];
    CAROM_TRY(carom_trajectory_unpack(&shared->model->mechanism, &data, &size, &state->taken));
    state->rows = state->taken;
    carom_progress_skip(shared->progress, state->rows->row_count);
    return look_at_rows(shared, i, NULL);
}

/** The next blocks of all runs; whole runs are shared. */
static carom_status compute_blocks(work *shared, carom_workers workers, carom_report *report) {
    const carom_parallel_results runs = {.pack = pack_run, .unpack = unpack_run};
    const bool is_whole = !(shared->blocks > 1.0) && shared->problems == NULL;
    return carom_parallel_map(workers, shared->count, compute_run, shared, is_whole ? &runs : NULL,
                              report);
}

/* --- writing ---------------------------------------------------------------------------------- */

/** Which steps a group holds, where they are not all. */
static void write_choice(carom_record *group, carom_recorded_steps which) {
    char text[96];
    if (which.are_events) {
        snprintf(
            text, sizeof text,
            "the first and the last state, and steps in which a contact begins or ends to press");
    } else if (which.every > 1) {
        snprintf(text, sizeof text, "each %d-th step and the last state", which.every);
    } else {
        return;
    }
    carom_record_attribute(group, ".", "recorded_rows", text);
}

/** The next rows of a run into its group, and how it failed if it did. */
static void write_block(const work *shared, int i) {
    recorded_run *state = &shared->under_way[i];
    const carom_trajectory *rows = state->rows;
    if (rows == NULL || rows->row_count == 0) {
        return;
    }
    carom_record group = carom_record_group(shared->record, "%s", shared->runs[i].group);
    const bool is_first = !state->is_recorded;
    if (is_first) {
        state->recorder = carom_recorder_begin(&group, "time", state->chosen->total_rows);
        state->is_recorded = true;
    }
    carom_recorder_append_trajectory(&state->recorder, &shared->model->mechanism, state->chosen);
    if (is_first) {
        write_choice(&group, shared->which);
    }
    if (rows->outcome != CAROM_OK && !state->has_failed) {
        state->has_failed = true;
        carom_record_scalar(&group, "failure_time", rows->failure_time, "s",
                            "time that the scheme could not reach");
        carom_record_attribute(&group, ".", "failure", carom_status_sentence(rows->outcome));
    }
}

/** The next rows of all runs, in order, so that the bytes do not depend on who finished first. */
static carom_status write_blocks(const work *shared, bool *is_over, carom_report *report) {
    *is_over = true;
    for (int i = 0; i < shared->count; i++) {
        write_block(shared, i);
    }
    for (int i = 0; i < shared->count; i++) {
        const carom_trajectory *rows = shared->under_way[i].rows;
        const carom_trajectory_listener *beside = &shared->runs[i].beside;
        if (rows == NULL || rows->row_count == 0) {
            continue;
        }
        *is_over = *is_over && rows->first_row + rows->row_count == rows->total_rows;
        if (beside->tell != NULL) {
            CAROM_TRY(beside->tell(shared->under_way[i].chosen, beside->context, report));
        }
    }
    return CAROM_OK;
}

/** Say which runs that may fail did, and when. */
static void say_failures(const carom_scheme_run *runs, int count,
                         const carom_common_options *common) {
    for (int i = 0; i < count; i++) {
        if (runs[i].outcome != CAROM_OK) {
            fprintf(stderr, "%s: %s ends at t = %.6g s: %s\n", common->program, runs[i].group,
                    runs[i].failure_time, carom_status_sentence(runs[i].outcome));
        }
    }
}

/** End the recorders, and hand over what is kept. */
static void end_runs(const work *shared) {
    for (int i = 0; i < shared->count; i++) {
        recorded_run *state = &shared->under_way[i];
        carom_scheme_run *run = &shared->runs[i];
        carom_recorder_end(&state->recorder);
        carom_trajectory *last = state->taken;
        state->taken = NULL;
        if (last == NULL) {
            last = carom_stepper_run_take(state->steps);
        }
        run->outcome = last->outcome;
        run->failure_time = last->failure_time;
        if (run->is_kept) {
            run->trajectory = last;
        } else {
            carom_trajectory_free(last);
        }
    }
}

/* --- sizes ------------------------------------------------------------------------------------ */

/** Refuse runs that have no room, in memory or on the disk; the blocks that the others take. */
static carom_status plan_blocks(work *shared, carom_report *report) {
    double rows = 0.0;
    double kept = 0.0;
    double step = 0.0;
    for (int i = 0; i < shared->count; i++) {
        const carom_scheme_run *run = &shared->runs[i];
        const double more = count_rows(shared->duration, run->params.step);
        rows += more;
        kept += run->is_kept ? more : 0.0;
        step = fmax(step, run->params.step);
    }
    const double size =
        (double)carom_trajectory_row_size(&shared->model->mechanism, CAROM_TRAJECTORY_NONSMOOTH);
    const double every = shared->which.every > 1 ? shared->which.every : 1.0;
    char things[128];
    snprintf(things, sizeof things,
             "time steps of all runs with --duration = %g s and --step = %g s", shared->duration,
             step);
    shared->blocks = fmax(1.0, ceil((rows - kept) * size / BLOCK_BYTES));
    CAROM_TRY(carom_memory_check(kept, size, things, report));
    return shared->which.are_events
               ? CAROM_OK
               : carom_disk_check(shared->record, rows / every, size, things, report);
}

/** Refuse a checkpoint that could keep nothing: rows that leave the memory block by block. */
static carom_status check_checkpoint(const work *shared, const carom_workers *workers,
                                     carom_report *report) {
    const bool is_kept = workers->exchange != NULL && workers->exchange->is_kept;
    return is_kept && shared->blocks > 1.0
               ? carom_report_say(report, CAROM_STATUS_CONFLICT,
                                  "--checkpoint keeps whole runs, and the time steps of these are "
                                  "%.3g times as many as that: leave it out, or take fewer with "
                                  "--duration and --step",
                                  shared->blocks)
               : CAROM_OK;
}

static carom_status prepare(work *shared, const carom_model *model, carom_report *report) {
    shared->under_way = calloc((size_t)shared->count, sizeof *shared->under_way);
    shared->none = calloc((size_t)model->mechanism.contact_count + 1, sizeof *shared->none);
    if (shared->under_way == NULL || shared->none == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    shared->model = model;
    shared->without_law = model->mechanism;
    shared->without_law.restitution = shared->none;
    return plan_blocks(shared, report);
}

carom_status carom_scheme_runs(const carom_model *model, double duration, carom_scheme_run *runs,
                               int count, const carom_common_options *common, carom_record *record,
                               carom_report *report) {
    CAROM_ASSERT(model != NULL && runs != NULL && common != NULL && record != NULL);
    double rows = 0.0;
    for (int i = 0; i < count; i++) {
        runs[i].trajectory = NULL;
        rows += count_rows(duration, runs[i].params.step);
    }
    CAROM_AUTO_VALUE(work)
    shared = {.duration = duration,
              .count = count,
              .runs = runs,
              .which = common->steps,
              .problems = common->problems,
              .record = record};
    CAROM_TRY(prepare(&shared, model, report));
    CAROM_TRY(check_checkpoint(&shared, &common->workers, report));
    shared.progress =
        carom_progress_start(model->mechanism.name, (long)rows, "rows", common->is_quiet);
    carom_status status = CAROM_OK;
    for (bool is_over = false; status == CAROM_OK && !is_over;) {
        status = compute_blocks(&shared, common->workers, report);
        if (status == CAROM_OK) {
            status = write_blocks(&shared, &is_over, report);
        }
        is_over = is_over || carom_record_status(record) != CAROM_OK;
    }
    carom_progress_finish(shared.progress);
    CAROM_TRY(status);
    end_runs(&shared);
    say_failures(runs, count, common);
    return CAROM_OK;
}
