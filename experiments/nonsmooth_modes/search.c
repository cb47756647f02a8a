/** Random search, and what it found. */
#include "results.h"

#include <stdio.h>

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
    // The picture shows motions with one impact too, wherever they come from.
    params.keep_repeats = a->values->keep_repeats || nonsmooth_modes_is_picture(a->values);
    char label[32];
    (void)snprintf(label, sizeof label, "search k = %d", impacts);
    progress_told told = {.progress =
                              carom_progress_start(label, guesses, "guesses", a->common->is_quiet)};
    const carom_status status =
        carom_orbit_search(a->basis, &params, advance, &told, out, a->report);
    carom_progress_finish(told.progress);
    return status;
}

/** Write what became of the guesses of all lists. */
static void write_counts(const analysis *a, carom_orbit_list *const *lists, int list_count) {
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
        carom_record_integer(a->record, counts[i].path, counts[i].value, "1", counts[i].long_name);
    }
}

/** Say if there is nothing, and how many guesses only repeated a motion with fewer impacts, which
 * is not kept. */
static void tell_repeats(const analysis *a, const carom_orbit_list *list) {
    if (!a->common->is_quiet && list->count == 0) {
        printf("nonsmooth_modes: no motion was found\n");
    }
    if (!a->common->is_quiet && !a->values->keep_repeats && list->repeats > 0 &&
        !nonsmooth_modes_is_picture(a->values)) {
        printf("nonsmooth_modes: %d of %d solutions repeat motions with fewer than %d impacts, "
               "kept with --keep-repeats\n",
               list->repeats, list->converged, a->values->impacts);
    }
}

carom_status nonsmooth_modes_write_found(const analysis *a, carom_orbit_list *const *lists,
                                         int list_count) {
    write_counts(a, lists, list_count);
    for (int l = 0; l < list_count; l++) {
        tell_repeats(a, lists[l]);
    }
    return nonsmooth_modes_write_solutions(a, lists, list_count);
}
