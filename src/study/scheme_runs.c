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

/** Parts of such a block at least, where they are packed too, for other ranks or a checkpoint. */
static const double PACKED_PARTS = 4.0;

/** Parts of a run at least, where a kill costs one. */
static const double KEPT_PARTS = 100.0;

/** How far one run has told of its rows. */
typedef struct told_rows {
    carom_progress *progress;
    int rows;
} told_rows;

/** How far a run is. */
typedef struct run_place {
    int done;    /**< rows so far */
    int total;   /**< rows of the run; 0: not begun */
    int outcome; /**< CAROM_OK, or why it ended early */
    int reserved;
    double failure_time; /**< time that could not be reached, s; NaN if none */
} run_place;

/** A run on its way into the record: blocks are written, and computed in parts. */
typedef struct recorded_run {
    carom_stepper_run *steps;
    int block_rows; /**< of a block */
    int part_rows;  /**< of its parts; the last one has what is left */
    run_place place;
    const carom_trajectory *rows;   /**< of the part under way; NULL: it has none */
    const carom_trajectory *chosen; /**< those of them that are recorded */
    const carom_trajectory *block;  /**< the same of all parts of the block so far; NULL: none */
    carom_trajectory_choice *choice;
    carom_trajectory *gathered; /**< the block, where it has several parts; owned */
    carom_trajectory *taken;    /**< rows of an earlier run or another rank; owned */
    carom_parallel_bytes state; /**< from which it goes on then; empty: as it is */
    carom_recorder recorder;
    bool is_recorded; /**< the recorder has begun */
    bool has_failed;  /**< its failure stands in the record */
    told_rows told;
    carom_contact_folder_run dump;
} recorded_run;

/** What the parallel map hands to every run. */
typedef struct work {
    const carom_model *model;
    carom_mechanism without_law; /**< its mechanism without restitution, for smooth_galpha */
    double *none;                /**< [contacts] its coefficients, zero, owned */
    double duration;
    int parts; /**< of a block */
    int part;  /**< under way */
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
        carom_trajectory_free(shared->under_way[i].gathered);
        carom_trajectory_free(shared->under_way[i].taken);
        carom_parallel_bytes_clear(&shared->under_way[i].state);
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

/** Prepare run i. */
static carom_status begin_run(const work *shared, int i, carom_report *report) {
    const carom_scheme_run *run = &shared->runs[i];
    recorded_run *state = &shared->under_way[i];
    const carom_model *model = shared->model;
    carom_stepper_params params = run->params;
    state->told.progress = shared->progress;
    state->dump = (carom_contact_folder_run){shared->problems, run->group, params.step};
    params.contacts = carom_contact_folder_listener(&state->dump);
    const bool has_law = params.scheme != CAROM_SCHEME_SMOOTH_GALPHA;
    const carom_stepper_run_params asked = {
        .duration = shared->duration,
        .block_rows = state->part_rows,
        .to_failure = run->may_fail,
        .progress = tell,
        .context = &state->told,
    };
    return carom_stepper_run_alloc(has_law ? &model->mechanism : &shared->without_law, &params,
                                   &asked, model->initial_position, model->initial_velocity,
                                   &state->steps, report);
}

/** Begin a part. @return its rows at most; 0: it has none */
static int begin_part(const work *shared, recorded_run *state) {
    state->rows = NULL;
    if (state->place.total > 0 && state->place.done == state->place.total) {
        return 0;
    }
    const double left = state->block_rows - (double)shared->part * state->part_rows;
    return (int)fmin(fmax(left, 0.0), state->part_rows);
}

/** Of the part the rows that are recorded, from what is left of a state on. */
static carom_status choose_rows(const work *shared, recorded_run *state, const unsigned char *data,
                                size_t left) {
    if (state->choice == NULL) {
        CAROM_TRY(carom_trajectory_choice_alloc(&shared->model->mechanism, state->rows,
                                                shared->which, &state->choice));
    }
    if (left > 0) {
        CAROM_TRY(carom_trajectory_choice_unpack(state->choice, &data, &left));
    }
    return carom_trajectory_choice_next(state->choice, state->rows, &state->chosen);
}

/** Add them to the block; the whole run of one that is kept is a block. */
static carom_status gather_rows(const work *shared, int i) {
    recorded_run *state = &shared->under_way[i];
    const carom_trajectory *chosen = state->chosen;
    state->block = chosen;
    if (shared->runs[i].is_kept || shared->parts == 1) {
        return CAROM_OK;
    }
    if (state->gathered == NULL) {
        CAROM_TRY(carom_trajectory_alloc(&shared->model->mechanism, chosen->kind,
                                         chosen->row_count + 1, &state->gathered));
        state->gathered->step = chosen->step;
        state->gathered->total_rows = chosen->total_rows;
    }
    state->block = state->gathered;
    state->gathered->outcome = chosen->outcome;
    state->gathered->failure_time = chosen->failure_time;
    return carom_trajectory_append_rows(state->gathered, chosen, 0, chosen->row_count);
}

/** The next rows of run i: shown to who watches, and chosen from. */
static carom_status compute_part(const work *shared, int i, carom_report *report) {
    const carom_scheme_run *run = &shared->runs[i];
    recorded_run *state = &shared->under_way[i];
    const int count = begin_part(shared, state);
    if (count == 0) {
        return CAROM_OK;
    }
    if (state->steps == NULL) {
        CAROM_TRY(begin_run(shared, i, report));
    }
    // Where it was computed by others, it goes on from what they left.
    const unsigned char *data = state->state.data;
    size_t left = state->state.size;
    if (left > 0) {
        CAROM_TRY(carom_stepper_run_unpack(state->steps, &data, &left, report));
    }
    CAROM_TRY(carom_stepper_run_next_rows(state->steps, count, &state->rows, report));
    const carom_trajectory *rows = state->rows;
    state->place = (run_place){.done = rows->first_row + rows->row_count,
                               .total = rows->total_rows,
                               .outcome = (int)rows->outcome,
                               .failure_time = rows->failure_time};
    if (run->watch.tell != NULL) {
        CAROM_TRY(run->watch.tell(rows, run->watch.context, report));
    }
    CAROM_TRY(choose_rows(shared, state, data, left));
    carom_parallel_bytes_clear(&state->state);
    return gather_rows(shared, i);
}

static carom_status compute_run(int i, void *context, carom_report *report) {
    const carom_status status = compute_part(context, i, report);
    if (status != CAROM_OK) {
        carom_report_set_context(report, ((const work *)context)->runs[i].group);
    }
    return status;
}

/* --- parts of an earlier program, or of another rank ------------------------------------------ */
/* Where the run is, the rows that are recorded or kept in memory, what who watches has added up,
 * and what the next part depends on. Nothing of a run that has no rows in the part. */

static carom_status pack_part(int i, void *context, carom_parallel_bytes *bytes) {
    const work *shared = context;
    const carom_scheme_run *run = &shared->runs[i];
    const recorded_run *state = &shared->under_way[i];
    if (state->rows == NULL) {
        return CAROM_OK;
    }
    CAROM_TRY(carom_parallel_append(bytes, &state->place, sizeof state->place));
    CAROM_TRY(carom_trajectory_pack(run->is_kept ? state->rows : state->chosen, bytes));
    CAROM_TRY(carom_parallel_append(bytes, run->watched, run->watched_size));
    if (state->place.done == state->place.total) {
        return CAROM_OK;
    }
    CAROM_TRY(carom_stepper_run_pack(state->steps, bytes));
    return carom_trajectory_choice_pack(state->choice, bytes);
}

static carom_status unpack_part(int i, const unsigned char *data, size_t size, void *context) {
    const work *shared = context;
    const carom_scheme_run *run = &shared->runs[i];
    recorded_run *state = &shared->under_way[i];
    (void)begin_part(shared, state);
    if (size == 0) {
        return CAROM_OK;
    }
    const int before = state->place.done;
    carom_trajectory_free(state->taken);
    state->taken = NULL;
    CAROM_TRY(carom_parallel_take(&data, &size, &state->place, sizeof state->place));
    CAROM_TRY(carom_trajectory_unpack(&shared->model->mechanism, &data, &size, &state->taken));
    CAROM_TRY(carom_parallel_take(&data, &size, run->watched, run->watched_size));
    carom_parallel_bytes_clear(&state->state);
    CAROM_TRY(carom_parallel_append(&state->state, data, size));
    carom_progress_skip(shared->progress, state->place.done - before);
    state->told.rows = state->place.done;
    state->rows = state->taken;
    state->chosen = state->taken;
    if (run->is_kept) {
        CAROM_TRY(choose_rows(shared, state, NULL, 0));
    }
    return gather_rows(shared, i);
}

/** The next blocks of all runs, part by part, shared where nobody is told their problems. */
static carom_status compute_blocks(work *shared, carom_workers workers, carom_report *report) {
    const carom_parallel_results parts = {.pack = pack_part, .unpack = unpack_part};
    for (shared->part = 0; shared->part < shared->parts; shared->part++) {
        CAROM_TRY(carom_parallel_map(workers, shared->count, compute_run, shared,
                                     shared->problems == NULL ? &parts : NULL, report));
    }
    return CAROM_OK;
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
    if (state->block == NULL) {
        return;
    }
    carom_record group = carom_record_group(shared->record, "%s", shared->runs[i].group);
    const bool is_first = !state->is_recorded;
    if (is_first) {
        state->recorder = carom_recorder_begin(&group, "time", state->block->total_rows);
        state->is_recorded = true;
    }
    carom_recorder_append_trajectory(&state->recorder, &shared->model->mechanism, state->block);
    if (is_first) {
        write_choice(&group, shared->which);
    }
    const carom_status outcome = (carom_status)state->place.outcome;
    if (outcome != CAROM_OK && !state->has_failed) {
        state->has_failed = true;
        carom_record_scalar(&group, "failure_time", state->place.failure_time, "s",
                            "time that the scheme could not reach");
        carom_record_attribute(&group, ".", "failure", carom_status_sentence(outcome));
    }
}

/** The next rows of all runs, in order, so that the bytes do not depend on who finished first. */
static carom_status write_blocks(const work *shared, bool *is_over, carom_report *report) {
    *is_over = true;
    for (int i = 0; i < shared->count; i++) {
        write_block(shared, i);
    }
    for (int i = 0; i < shared->count; i++) {
        recorded_run *state = &shared->under_way[i];
        const carom_trajectory_listener *beside = &shared->runs[i].beside;
        *is_over = *is_over && state->place.done == state->place.total;
        if (beside->tell != NULL && state->block != NULL) {
            CAROM_TRY(beside->tell(state->block, beside->context, report));
        }
        state->block = NULL;
        if (state->gathered != NULL) {
            carom_trajectory_continue(state->gathered);
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
        run->outcome = (carom_status)state->place.outcome;
        run->failure_time = state->place.failure_time;
        if (run->is_kept && state->taken != NULL) {
            CAROM_HAND_OVER(state->taken, &run->trajectory);
        } else if (run->is_kept) {
            run->trajectory = carom_stepper_run_take(state->steps);
        }
    }
}

/* --- sizes ------------------------------------------------------------------------------------ */

/** Rows of so many blocks of each run, which end with those of the others, and of their parts. */
static void size_parts(const work *shared, double blocks) {
    for (int i = 0; i < shared->count; i++) {
        const carom_scheme_run *run = &shared->runs[i];
        const double rows = count_rows(shared->duration, run->params.step);
        const double block = run->is_kept ? rows : ceil(rows / blocks);
        const double part = run->is_kept ? rows : ceil(block / shared->parts);
        shared->under_way[i].block_rows = (int)fmin(block, (double)INT_MAX);
        shared->under_way[i].part_rows = (int)fmin(part, (double)INT_MAX);
    }
}

/** Refuse runs that have no room, in memory or on the disk; the blocks that the others take. */
static carom_status plan_blocks(work *shared, const carom_work_exchange *exchange,
                                carom_report *report) {
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
    const double blocks = fmax(1.0, ceil((rows - kept) * size / BLOCK_BYTES));
    const double least = exchange != NULL && exchange->is_kept ? ceil(KEPT_PARTS / blocks) : 1.0;
    shared->parts = exchange != NULL ? (int)fmax(PACKED_PARTS, least) : 1;
    size_parts(shared, blocks);
    CAROM_TRY(carom_memory_check(kept, size, things, report));
    return shared->which.are_events
               ? CAROM_OK
               : carom_disk_check(shared->record, rows / every, size, things, report);
}

static carom_status prepare(work *shared, const carom_model *model,
                            const carom_work_exchange *exchange, carom_report *report) {
    shared->under_way = calloc((size_t)shared->count, sizeof *shared->under_way);
    shared->none = calloc((size_t)model->mechanism.contact_count + 1, sizeof *shared->none);
    if (shared->under_way == NULL || shared->none == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    shared->model = model;
    shared->without_law = model->mechanism;
    shared->without_law.restitution = shared->none;
    return plan_blocks(shared, exchange, report);
}

carom_status carom_scheme_runs(const carom_model *model, double duration, carom_scheme_run *runs,
                               int count, const carom_common_options *common, carom_record *record,
                               carom_report *report) {
    CAROM_ASSERT(model != NULL && runs != NULL && common != NULL && record != NULL);
    double rows = 0.0;
    for (int i = 0; i < count; i++) {
        CAROM_ASSERT(runs[i].watch.tell == NULL || runs[i].watched != NULL);
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
    CAROM_TRY(prepare(&shared, model, common->workers.exchange, report));
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
