/** Random search, and what it found. */
#include "results.h"

#include <stdio.h>
#include <stdlib.h>

/** Progress of a search, and the number of guesses that it was told of so far. */
typedef struct progress_told {
    carom_progress *progress;
    int done;
} progress_told;

/** Pass on how many guesses were done since the last time. */
static void advance(int done, void *context) {
    progress_told *told = context;
    carom_progress_add(told->progress, done - told->done);
    told->done = done;
}

carom_status nonsmooth_modes_search(const analysis *a, int impacts, int guesses,
                                    carom_orbit_list **out) {
    carom_orbit_search_params params = carom_orbit_search_params_default(impacts, a->max_period);
    params.start_count = guesses;
    params.seed = a->common->seed;
    params.threads = a->common->threads;
    params.keep_unclosed = a->values->keep_unclosed;
    char label[32];
    (void)snprintf(label, sizeof label, "search k = %d", impacts);
    progress_told told = {.progress =
                              carom_progress_start(label, guesses, "guesses", a->common->is_quiet)};
    const carom_status status =
        carom_orbit_search(a->basis, &params, advance, &told, out, a->report);
    carom_progress_finish(told.progress);
    return status;
}

/** One row for each found motion. */
typedef struct table {
    int *impacts;
    int *hits;
    double *period;
    double *energy;
    double *spectral_radius;
    double *closure_error;
} table;

/** Columns of `count` rows in one piece of memory each; false if there is none. */
static bool table_alloc(table *t, size_t count) {
    t->impacts = malloc(2 * count * sizeof *t->impacts);
    t->period = malloc(4 * count * sizeof *t->period);
    if (t->impacts == NULL || t->period == NULL) {
        return false;
    }
    t->hits = t->impacts + count;
    t->energy = t->period + count;
    t->spectral_radius = t->energy + count;
    t->closure_error = t->spectral_radius + count;
    return true;
}

/** Write the table of all. */
static carom_status write_table(const analysis *a, const table *t, int count) {
    static const char axis[] = "/found/solution";
    CAROM_TRY(carom_record_index_axis(a->record, axis, count, "number NNNN of /solutions/NNNN"));
    CAROM_TRY(carom_record_integer_series(a->record, "/found/impacts", t->impacts, axis, NULL, "1",
                                          "impacts k of the shortest period"));
    CAROM_TRY(carom_record_integer_series(a->record, "/found/hits", t->hits, axis, NULL, "1",
                                          "guesses that led to it"));
    CAROM_TRY(
        carom_record_series(a->record, "/found/period", t->period, axis, NULL, "s", "period T"));
    CAROM_TRY(
        carom_record_series(a->record, "/found/energy", t->energy, axis, NULL, "J", "energy E"));
    CAROM_TRY(carom_record_series(a->record, "/found/spectral_radius", t->spectral_radius, axis,
                                  NULL, "1", "largest modulus of the multipliers"));
    return carom_record_series(a->record, "/found/closure_error", t->closure_error, axis, NULL, "1",
                               "error of one period of event-driven motion, relative");
}

/** Examine and write one found motion, and fill its row. */
static carom_status write_one(const analysis *a, const carom_found_orbit *found, table *t,
                              int row) {
    const findings known = nonsmooth_modes_examine(a, found->orbit);
    t->impacts[row] = found->orbit->impact_count;
    t->hits[row] = found->hits;
    t->period[row] = found->orbit->period;
    t->energy[row] = found->orbit->energy;
    t->spectral_radius[row] = known.spectral_radius;
    t->closure_error[row] = found->closure_error;
    char group[PATH_SIZE];
    (void)snprintf(group, sizeof group, "/solutions/%04d", row);
    return nonsmooth_modes_write_motion(a, group, found->orbit, &known);
}

/** Write what became of the guesses of all lists. */
static carom_status write_counts(const analysis *a, carom_orbit_list *const *lists,
                                 int list_count) {
    carom_orbit_list sum = {.count = 0};
    for (int l = 0; l < list_count; l++) {
        sum.count += lists[l]->count;
        sum.converged += lists[l]->converged;
        sum.repeats += lists[l]->repeats;
        sum.unclosed += lists[l]->unclosed;
        sum.outside += lists[l]->outside;
        sum.potential += lists[l]->potential;
    }
    const struct {
        const char *path;
        int value;
        const char *long_name;
    } counts[] = {
        {"/solutions/count", sum.count, "number of motions found"},
        {"/solutions/converged", sum.converged, "guesses that led to a solution"},
        {"/solutions/repeats", sum.repeats, "of these, with fewer impacts in a shorter period"},
        {"/solutions/potential", sum.potential, "of these, that pass the obstacle or pull"},
        {"/solutions/outside", sum.outside,
         "of these, with too short a flight or too long a period"},
        {"/solutions/unclosed", sum.unclosed, "certified, but too unstable to follow by events"},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        CAROM_TRY(carom_record_integer(a->record, counts[i].path, counts[i].value, "1",
                                       counts[i].long_name));
    }
    return CAROM_OK;
}

carom_status nonsmooth_modes_write_found(const analysis *a, carom_orbit_list *const *lists,
                                         int list_count) {
    int count = 0;
    for (int l = 0; l < list_count; l++) {
        count += lists[l]->count;
    }
    CAROM_TRY(write_counts(a, lists, list_count));
    if (count == 0) {
        return CAROM_OK;
    }
    table t = {.impacts = NULL};
    carom_status status = table_alloc(&t, (size_t)count) ? CAROM_OK : CAROM_STATUS_OUT_OF_MEMORY;
    int row = 0;
    for (int l = 0; l < list_count; l++) {
        for (int i = 0; i < lists[l]->count && status == CAROM_OK; i++) {
            status = write_one(a, &lists[l]->found[i], &t, row++);
        }
    }
    if (status == CAROM_OK) {
        status = write_table(a, &t, count);
    }
    free(t.period);
    free(t.impacts);
    return status;
}
