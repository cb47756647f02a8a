#include <carom/base/parallel.h>
#include <carom/program/memory.h>
#include <carom/study/sweep.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Points tried before all others, until one succeeds: it says what the records hold. */
enum { MOST_TRIED = 64 };

/** Room for the path of a record. */
enum { PATH_SIZE = CAROM_SWEEP_TEXT_SIZE + 32 };

/** The run under way. */
typedef struct run {
    carom_sweep *sweep;
    carom_sweep_place place; /**< closed if the records are there already */
    int first;               /**< the point that was tried with success */
    carom_progress *progress;
} run;

/** Folder of the records. */
static const char *folder_of(const run *self) {
    return self->sweep->records != NULL ? self->sweep->records : self->place.folder;
}

/** Run a point, or see how it ended. */
static carom_status end_point(run *self, int point, carom_report *report) {
    carom_sweep *sweep = self->sweep;
    carom_sweep_end *end = &sweep->ends[point];
    if (sweep->records != NULL) {
        carom_sweep_program_ended(sweep->records, point, end);
        return CAROM_OK;
    }
    return carom_sweep_program_run(&sweep->program, sweep->points, point, &self->place, end,
                                   report);
}

/** Open the record that a point left; NULL with a sentence if there is none. */
static carom_reader *open_record(const run *self, int point) {
    carom_sweep_end *end = &self->sweep->ends[point];
    char path[PATH_SIZE];
    carom_reader *reader = NULL;
    if (end->exit_code != 0) {
        return NULL;
    }
    carom_sweep_file(folder_of(self), point, ".h5", sizeof path, path);
    const carom_status status = carom_reader_open(path, &reader);
    if (status != CAROM_OK) {
        snprintf(end->sentence, sizeof end->sentence, "%s",
                 status == CAROM_STATUS_BAD_FORMAT ? "its record is not an HDF5 file"
                                                   : "it left no record");
    }
    return reader;
}

/** Remove the record of a point that we have run. */
static void remove_record(const run *self, int point) {
    if (self->sweep->records == NULL) {
        char path[PATH_SIZE];
        carom_sweep_file(folder_of(self), point, ".h5", sizeof path, path);
        unlink(path);
    }
}

/* ------------------------------------------------------------------------------- the first point
 */

/** Units and description of the parameters, as the program records them. */
static void learn_axes(carom_sweep_points *points, carom_reader *reader) {
    for (int a = 0; a < points->axis_count; a++) {
        carom_sweep_axis *axis = &points->axes[a];
        char path[2 * CAROM_SWEEP_NAME_SIZE];
        snprintf(path, sizeof path, "/parameters/%s@units", axis->name);
        if (carom_reader_text(reader, path, (int)sizeof axis->units, axis->units) != CAROM_OK) {
            snprintf(axis->units, sizeof axis->units, "1");
        }
        snprintf(path, sizeof path, "/parameters/%s@long_name", axis->name);
        if (carom_reader_text(reader, path, (int)sizeof axis->long_name, axis->long_name) !=
            CAROM_OK) {
            snprintf(axis->long_name, sizeof axis->long_name, "option --%s", axis->option);
        }
    }
}

/** A text of the record; "" if it has none. */
static void learn_text(carom_reader *reader, const char *path, char text[CAROM_SWEEP_TEXT_SIZE]) {
    if (carom_reader_text(reader, path, CAROM_SWEEP_TEXT_SIZE, text) != CAROM_OK) {
        text[0] = '\0';
    }
}

/** A number for the program, by the layout of its records and its sources (FNV). */
static unsigned long number_of(const carom_sweep *sweep) {
    const char *const texts[] = {sweep->schema, sweep->digest};
    unsigned long sum = 14695981039346656037UL;
    for (int i = 0; i < 2; i++) {
        for (const char *letter = texts[i]; *letter != '\0'; letter++) {
            sum = (sum ^ (unsigned char)*letter) * 1099511628211UL;
        }
    }
    return sum;
}

/** The point tried as number `i`: spread over all, the first one first. */
static int tried_point(int i, int count) {
    double part = 0.0;
    double digit = 0.5;
    for (; i > 0; i /= 2) {
        part += i % 2 == 1 ? digit : 0.0;
        digit *= 0.5;
    }
    return (int)(part * count);
}

/** Learn from the first point that succeeds what records hold. */
static carom_status try_points(run *self, carom_report *report) {
    carom_sweep *sweep = self->sweep;
    const int count = sweep->points->count;
    for (int i = 0; i < MOST_TRIED && i < count; i++) {
        const int point = tried_point(i, count);
        CAROM_TRY(end_point(self, point, report));
        carom_reader *reader = open_record(self, point);
        if (reader != NULL) {
            self->first = point;
            learn_axes(sweep->points, reader);
            learn_text(reader, "/@schema", sweep->schema);
            learn_text(reader, "/@source_digest", sweep->digest);
            sweep->maker = number_of(sweep);
            const carom_status status = carom_sweep_keeps_learn(&sweep->keeps, reader, report);
            carom_reader_close(reader);
            return status;
        }
    }
    return carom_report_say(report, CAROM_STATUS_NOT_CONVERGED,
                            "no point succeeds of %d that were tried; the first: %s",
                            count < MOST_TRIED ? count : MOST_TRIED, sweep->ends[0].sentence);
}

/* ------------------------------------------------------------------------------------ all points
 */

/** One point; the record of the first is there already. */
static carom_status run_point(int point, void *context, carom_report *report) {
    run *self = context;
    carom_sweep *sweep = self->sweep;
    double *values = sweep->values + (size_t)point * (size_t)sweep->keeps.length;
    for (int i = 0; i < sweep->keeps.length; i++) {
        values[i] = (double)NAN;
    }
    if (point != self->first) {
        CAROM_TRY(end_point(self, point, report));
    }
    // HDF5 knows no threads.
#ifdef _OPENMP
#pragma omp critical(carom_sweep_reading)
#endif
    {
        carom_reader *reader = open_record(self, point);
        if (reader != NULL) {
            carom_sweep_keeps_take(&sweep->keeps, reader, values, sweep->ends[point].sentence);
            carom_reader_close(reader);
        }
    }
    sweep->ends[point].maker = sweep->maker;
    sweep->is_failed[point] = sweep->ends[point].sentence[0] != '\0';
    remove_record(self, point);
    carom_progress_add(self->progress, 1);
    return CAROM_OK;
}

/** A point that an earlier run had finished, or another rank. */
static carom_status skip_point(int point, const unsigned char *data, size_t size, void *context) {
    const run *self = context;
    (void)point, (void)data, (void)size;
    carom_progress_skip(self->progress, 1);
    return CAROM_OK;
}

/** Room for the results. */
static carom_status make_room(carom_sweep *sweep, carom_report *report) {
    const size_t count = (size_t)sweep->points->count;
    CAROM_TRY(carom_memory_check((double)count, (double)sweep->keeps.length * sizeof(double),
                                 "points", report));
    sweep->values = calloc(count * (size_t)sweep->keeps.length, sizeof *sweep->values);
    sweep->is_failed = calloc(count, sizeof *sweep->is_failed);
    return sweep->values != NULL && sweep->is_failed != NULL ? CAROM_OK
                                                             : CAROM_STATUS_OUT_OF_MEMORY;
}

/** Points that an earlier run left in a checkpoint must be of the program that runs now. */
static carom_status check_maker(const carom_sweep *sweep, carom_report *report) {
    for (int p = 0; p < sweep->points->count; p++) {
        if (sweep->ends[p].maker != sweep->maker) {
            return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                    "--checkpoint has points of another version of %s: remove it",
                                    sweep->program.command->values[0]);
        }
    }
    return CAROM_OK;
}

/** All names that are looked for in a record of a point. */
static carom_status name_wanted(carom_sweep *sweep) {
    for (int a = 0; a < sweep->points->axis_count; a++) {
        carom_text_buffer_print(&sweep->wanted, "%s ", sweep->points->axes[a].name);
    }
    for (int i = 0; i < sweep->keeps.count; i++) {
        carom_text_buffer_print(&sweep->wanted, "%s ", sweep->keeps.items[i].expression);
    }
    sweep->program.wanted = sweep->wanted.text;
    return sweep->wanted.failure;
}

/** Ask, try, and run what is left: points of which whole records are made until one succeeds, then
 * of what is wanted alone. */
static carom_status run_all(run *self, const carom_common_options *common, carom_report *report) {
    carom_sweep *sweep = self->sweep;
    if (sweep->records == NULL) {
        CAROM_TRY(carom_sweep_program_ask(&sweep->program, sweep->points, &self->place, report));
    }
    CAROM_TRY(try_points(self, report));
    CAROM_TRY(name_wanted(sweep));
    CAROM_TRY(make_room(sweep, report));
    self->progress =
        carom_progress_start("points", sweep->points->count, "points", common->is_quiet);
    const size_t count = (size_t)sweep->points->count;
    const size_t numbers = (size_t)sweep->keeps.length * sizeof *sweep->values;
    const carom_parallel_array arrays[] = {
        {sweep->ends, sizeof *sweep->ends, count * sizeof *sweep->ends},
        {sweep->is_failed, sizeof *sweep->is_failed, count * sizeof *sweep->is_failed},
        {sweep->values, numbers, count * numbers},
    };
    const carom_parallel_results results = {
        .arrays = arrays, .array_count = 3, .unpack = skip_point};
    const carom_status status = carom_parallel_map(common->workers, sweep->points->count, run_point,
                                                   self, &results, report);
    carom_progress_finish(self->progress);
    CAROM_TRY(status);
    return check_maker(sweep, report);
}

carom_status carom_sweep_run(carom_sweep *sweep, const carom_common_options *common,
                             carom_record *record, carom_report *report) {
    run self = {.sweep = sweep, .place = {.alive = -1}};
    sweep->ends = calloc((size_t)sweep->points->count, sizeof *sweep->ends);
    if (sweep->ends == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_status status = CAROM_OK;
    if (sweep->records == NULL) {
        status = carom_sweep_place_open(common->output, sweep->program.command->values[0],
                                        &self.place, report);
    }
    if (status == CAROM_OK) {
        status = run_all(&self, common, report);
    }
    carom_sweep_place_close(&self.place);
    return status == CAROM_OK ? carom_sweep_record(sweep, record) : status;
}

void carom_sweep_clear(carom_sweep *sweep) {
    free(sweep->is_failed);
    free(sweep->ends);
    free(sweep->values);
    carom_text_buffer_clear(&sweep->wanted);
    carom_sweep_keeps_clear(&sweep->keeps);
    carom_sweep_points_free(sweep->points);
    *sweep = (carom_sweep){.points = NULL};
}
