/** The periods of motions with one impact: their intervals, and the branch in each. */
#include "results.h"

#include <stdio.h>
#include <stdlib.h>

/** Largest step along a branch: neutral stretches are short. */
static const double FINE_STEP = 0.02;

/** Parts of the longest period that progress is counted in. */
static const double PROGRESS_PARTS = 1000.0;

/** Progress of a search for intervals, and the part that it was told of so far. */
typedef struct progress_told {
    carom_progress *progress;
    double max_period; /**< s */
    long parts;
} progress_told;

/** Pass on how far the search has come since the last time. */
static void advance(double period, void *context) {
    progress_told *told = context;
    const long parts = (long)(PROGRESS_PARTS * (period / told->max_period));
    carom_progress_add(told->progress, parts - told->parts);
    told->parts = parts;
}

carom_status nonsmooth_modes_find_intervals(const analysis *a, const carom_modal_basis *basis,
                                            double max_period, carom_period_intervals **out) {
    progress_told told = {
        .progress =
            carom_progress_start("intervals", (long)PROGRESS_PARTS, "parts", a->common->is_quiet),
        .max_period = max_period,
    };
    const carom_status status = carom_single_impact_intervals(basis, max_period, a->values->samples,
                                                              advance, &told, out, a->report);
    carom_progress_finish(told.progress);
    return status;
}

/** One column of the table of intervals, picked from it into work [count]. */
static void write_column(const analysis *a, const carom_period_intervals *intervals, bool is_upper,
                         double *work) {
    for (int i = 0; i < intervals->count; i++) {
        const carom_period_interval *interval = &intervals->intervals[i];
        work[i] = is_upper ? interval->upper : interval->lower;
    }
    carom_record_series(a->record, is_upper ? "/intervals/upper" : "/intervals/lower", work,
                        "/intervals/interval", NULL, "s",
                        is_upper ? "longest period" : "shortest period");
}

/** The kinds of the ends as numbers of /ends. */
static void write_kinds(const analysis *a, const carom_period_intervals *intervals, bool is_upper,
                        int *work) {
    for (int i = 0; i < intervals->count; i++) {
        const carom_period_interval *interval = &intervals->intervals[i];
        work[i] = (int)(is_upper ? interval->upper_end : interval->lower_end);
    }
    const char *path = is_upper ? "/intervals/upper_end" : "/intervals/lower_end";
    carom_record_integer_series(a->record, path, work, "/intervals/interval", NULL, "1",
                                "kind of the end, a number of /ends");
    char meanings[256] = "";
    size_t length = 0;
#define APPEND(code, name, sentence)                                                \
    length += (size_t)snprintf(meanings + length, sizeof meanings - length, "%s%s", \
                               length > 0 ? " " : "", name);
    CAROM_BRANCH_END_LIST(APPEND)
#undef APPEND
    carom_record_attribute(a->record, path, "flag_meanings", meanings);
}

/** Instants of the new contacts, both ends side by side; work [count][2]. */
static void write_grazing(const analysis *a, const carom_period_intervals *intervals,
                          double *work) {
    for (int i = 0; i < intervals->count; i++) {
        work[2 * i] = intervals->intervals[i].lower_grazing_time;
        work[2 * i + 1] = intervals->intervals[i].upper_grazing_time;
    }
    carom_record_series(a->record, "/intervals/grazing_time", work, "/intervals/interval", "/end",
                        "s", "instant of the new contact, the other is at T minus it; NaN: none");
}

carom_status nonsmooth_modes_write_intervals(const analysis *a,
                                             const carom_period_intervals *intervals) {
    const int count = intervals->count;
    carom_record_integer(a->record, "/intervals/count", count, "1",
                         "number of admissible intervals");
    if (count == 0) {
        return CAROM_OK;
    }
    carom_record_index_axis(a->record, "/intervals/interval", count,
                            "maximal interval of admissible periods");
    double *work = malloc(2 * (size_t)count * sizeof *work);
    int *kinds = malloc((size_t)count * sizeof *kinds);
    carom_status status = work == NULL || kinds == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
    for (int upper = 0; upper < 2 && status == CAROM_OK; upper++) {
        write_column(a, intervals, upper == 1, work);
        if (status == CAROM_OK) {
            write_kinds(a, intervals, upper == 1, kinds);
        }
    }
    if (status == CAROM_OK) {
        write_grazing(a, intervals, work);
    }
    free(kinds);
    free(work);
    return status;
}

/** The branch through the middle of an interval. */
static carom_status follow(const analysis *a, const carom_period_interval *interval,
                           carom_orbit *orbit, carom_orbit_branch **branch) {
    const double middle = 0.5 * (interval->lower + interval->upper);
    CAROM_TRY(carom_single_impact_orbit(a->basis, middle, orbit));
    carom_orbit_branch_params params = carom_orbit_branch_params_default();
    params.max_step = FINE_STEP;
    params.max_period = a->max_period;
    return carom_orbit_branch_follow(a->basis, orbit, &params, NULL, NULL, branch, a->report);
}

carom_status nonsmooth_modes_follow_intervals(const analysis *a,
                                              const carom_period_intervals *intervals,
                                              carom_orbit_branch **branches) {
    carom_orbit *orbit = NULL;
    CAROM_TRY(carom_orbit_alloc(a->basis, 1, &orbit));
    carom_progress *progress =
        carom_progress_start("branches", intervals->count, "branches", a->common->is_quiet);
    carom_record_integer(a->record, "/branches/count", intervals->count, "1", "number of branches");
    carom_status status = CAROM_OK;
    for (int i = 0; i < intervals->count && status == CAROM_OK; i++) {
        char group[PATH_SIZE];
        (void)snprintf(group, sizeof group, "/branches/%04d", i);
        status = follow(a, &intervals->intervals[i], orbit, &branches[i]);
        if (status == CAROM_OK) {
            nonsmooth_modes_write_branch(a, group, branches[i]);
        } else {
            carom_report_set_context(a->report, group);
        }
        carom_progress_add(progress, 1);
    }
    carom_progress_finish(progress);
    carom_orbit_free(orbit);
    return status;
}
