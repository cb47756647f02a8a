/** The periods of motions with one impact: their intervals, and the branch in each. */
#include "results.h"

#include <math.h>
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

carom_status nonsmooth_modes_find_intervals(const analysis *a, double max_period,
                                            carom_period_intervals **out) {
    progress_told told = {
        .progress =
            carom_progress_start("intervals", (long)PROGRESS_PARTS, "parts", a->common->is_quiet),
        .max_period = max_period,
    };
    const carom_status status = carom_single_impact_intervals(
        a->basis, max_period, a->values->samples, advance, &told, out, a->report);
    carom_progress_finish(told.progress);
    return status;
}

/** An interval as it is recorded. */
typedef struct interval_row {
    double lower;
    double upper;
    int lower_end;
    int upper_end;
    double grazing[2];
} interval_row;

static const carom_field INTERVAL_FIELDS[] = {
    CAROM_FIELD("lower", interval_row, lower, "s", "shortest period"),
    CAROM_FIELD("upper", interval_row, upper, "s", "longest period"),
    CAROM_FIELD("lower_end", interval_row, lower_end, "1", "kind of the end, a number of /ends"),
    CAROM_FIELD("upper_end", interval_row, upper_end, "1", "kind of the end, a number of /ends"),
    CAROM_FIELD_ARRAY("grazing_time", interval_row, grazing, "/end", "s",
                      "instant of the new contact, the other is at T minus it; NaN: none"),
};

/** Name the kinds of ends beside their numbers. */
static void name_kinds(carom_record *group) {
    char meanings[256] = "";
    size_t length = 0;
#define APPEND(code, name, sentence)                                                \
    length += (size_t)snprintf(meanings + length, sizeof meanings - length, "%s%s", \
                               length > 0 ? " " : "", name);
    CAROM_BRANCH_END_LIST(APPEND)
#undef APPEND
    carom_record_attribute(group, "lower_end", "flag_meanings", meanings);
    carom_record_attribute(group, "upper_end", "flag_meanings", meanings);
}

carom_status nonsmooth_modes_write_intervals(const analysis *a,
                                             const carom_period_intervals *intervals) {
    const int count = intervals->count;
    carom_record group = carom_record_group(a->record, "/intervals");
    carom_record_integer(&group, "count", count, "1", "number of admissible intervals");
    if (count == 0) {
        return CAROM_OK;
    }
    CAROM_AUTO_MEMORY interval_row *rows = malloc((size_t)count * sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < count; i++) {
        const carom_period_interval *one = &intervals->intervals[i];
        rows[i] = (interval_row){
            one->lower,
            one->upper,
            (int)one->lower_end,
            (int)one->upper_end,
            {one->lower_grazing_time, one->upper_grazing_time},
        };
    }
    carom_record_index_axis(&group, "interval", count, "maximal interval of admissible periods");
    carom_record_rows(&group, "interval", rows, count, sizeof *rows, INTERVAL_FIELDS,
                      COUNT(INTERVAL_FIELDS));
    name_kinds(&group);
    return CAROM_OK;
}

carom_status nonsmooth_modes_write_density(const analysis *a) {
    enum { WINDOWS = NONSMOOTH_MODES_WINDOWS };
    const double window = a->max_period;
    CAROM_AUTO(carom_period_intervals) all = NULL;
    CAROM_TRY(nonsmooth_modes_find_intervals(a, WINDOWS * window, &all));
    double part[WINDOWS] = {0.0};
    for (int i = 0; i < all->count; i++) {
        for (int w = 0; w < WINDOWS; w++) {
            const double lower = fmax(all->intervals[i].lower, w * window);
            const double upper = fmin(all->intervals[i].upper, (w + 1) * window);
            part[w] += fmax(upper - lower, 0.0) / window;
        }
    }
    carom_record_index_axis(a->record, "/density/window", WINDOWS,
                            "window as long as the longest period looked at");
    carom_record_series(a->record, "/density/part", part, "/density/window", NULL, "1",
                        "share of admissible periods of one impact in the window");
    return CAROM_OK;
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
