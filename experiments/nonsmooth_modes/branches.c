/** Branches of motions in the record with the kinds of their ends, and the periods of motions with
 * one impact: their intervals, and the branch in each. */
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- branches --------------------------------------------------------------------------------- */

void nonsmooth_modes_write_ends(const analysis *a) {
    int code = 0;
#define WRITE_END(member, name, sentence) \
    carom_record_integer(a->record, "/ends/" name, code++, "1", sentence);
    CAROM_BRANCH_END_LIST(WRITE_END)
#undef WRITE_END
}

/** Write what end a branch has. */
static void write_end(carom_record *group, const carom_orbit_branch *branch, int end) {
    static const char *const names[2][3] = {{"first_end", "first_end_impact", "first_end_time"},
                                            {"last_end", "last_end_impact", "last_end_time"}};
    carom_record_string(group, names[end][0], carom_branch_end_name(branch->ends[end]),
                        carom_branch_end_sentence(branch->ends[end]));
    carom_record_integer(
        group, names[end][1], branch->end_impact[end], "1",
        "impact that vanishes, or flight in which the gap closes, from 1; 0: none");
    carom_record_scalar(group, names[end][2], branch->end_time[end], "s",
                        "instant of the new contact; NaN: none");
}

/** Write the columns of a branch over its points. */
static void write_points(carom_record *group, const carom_orbit_branch *branch) {
    const carom_column reals[] = {
        {"period", branch->period, "s", "period T"},
        {"energy", branch->energy, "J", "energy E; NaN at infinite speed"},
        {"gap_violation", branch->gap_violation, "m",
         "largest maximum of -gap in the flights; NaN: none"},
        {"spectral_radius", branch->spectral_radius, "1",
         "largest modulus of the multipliers; NaN: undefined"},
    };
    const carom_column impacts[] = {
        {"flight_times", branch->flight_times, "s", "duration of the flight before an impact"},
        {"impact_lambda", branch->lambda, "J0.5",
         "lambda: speed before the impact over the root of G; NaN at infinite speed"},
        {"impact_direction", branch->direction, "1",
         "lambda over its norm, which stays where the speeds are infinite"},
    };
    carom_record_columns(group, "point", NULL, reals, COUNT(reals));
    carom_record_columns(group, "point", "impact", impacts, COUNT(impacts));
    carom_record_integer_series(group, "admissible", branch->admissible, "point", NULL, "1",
                                "1 if certified");
    carom_record_integer_series(group, "gap_sign", branch->gap_sign, "point", NULL, "1",
                                "sign of the gap at rest it belongs to; 0: infinite speed");
    carom_record_integer_series(group, "branch_point", branch->branch_point, "point", NULL, "1",
                                "1 if another branch crossed since the point before");
}

void nonsmooth_modes_write_branch(carom_record *group, const carom_orbit_branch *branch) {
    carom_record_index_axis(group, "point", branch->point_count, "point of the branch");
    carom_record_index_axis(group, "impact", branch->impact_count, "impact of the period");
    write_points(group, branch);
    carom_record_scalar(group, "identity_error", branch->identity_error, "1",
                        "largest relative error of E dT = -(g_0/sqrt G) d(sum lambda)");
    carom_record_integer(group, "start", branch->start, "1",
                         "point that the branch was begun from");
    write_end(group, branch, 0);
    write_end(group, branch, 1);
}

/** A point of the picture. */
typedef struct picture_row {
    double period;
    double energy;
    double spectral_radius;
} picture_row;

static const carom_field PICTURE_FIELDS[] = {
    CAROM_FIELD("period", picture_row, period, "s",
                "period T of all branches in turn; NaN between them"),
    CAROM_FIELD("energy", picture_row, energy, "J", "energy E; NaN between branches"),
    CAROM_FIELD("spectral_radius", picture_row, spectral_radius, "1",
                "largest modulus of the multipliers; NaN: undefined"),
};

/** All points of several branches, one branch after the other, with a row of NaN between them and
 * where the energy is infinite. */
typedef struct picture {
    picture_row *rows;
    int count;
    double identity_error;
} picture;

static void picture_clear(picture *all) {
    free(all->rows);
}

static carom_status picture_add(picture *all, const carom_orbit_branch *branch) {
    const int count = all->count + branch->point_count + 1;
    picture_row *rows = realloc(all->rows, (size_t)count * sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int p = 0; p <= branch->point_count; p++) {
        const bool is_finite = p < branch->point_count && isfinite(branch->energy[p]);
        rows[all->count + p] = is_finite ? (picture_row){branch->period[p], branch->energy[p],
                                                         branch->spectral_radius[p]}
                                         : (picture_row){NAN, NAN, NAN};
    }
    all->rows = rows;
    all->count = count;
    all->identity_error = fmax(all->identity_error, branch->identity_error);
    return CAROM_OK;
}

static void write_picture(carom_record *record, const picture *all) {
    if (all->count == 0) {
        return;
    }
    carom_record group = carom_record_group(record, "/picture");
    carom_record_index_axis(&group, "row", all->count, "point of a branch, or a gap");
    carom_record_rows(&group, "row", all->rows, all->count, sizeof *all->rows, PICTURE_FIELDS,
                      COUNT(PICTURE_FIELDS));
    carom_record_scalar(&group, "identity_error", all->identity_error, "1",
                        "largest relative error of E dT = -(g_0/sqrt G) d(sum lambda)");
}

/* --- intervals of periods --------------------------------------------------------------------- */

/** Largest step along a branch: neutral stretches are short. */
static const double FINE_STEP = 0.02;

/** Parts of the longest period that progress is counted in. */
static const double PROGRESS_PARTS = 1000.0;

/** Progress of a search for intervals. */
typedef struct search_progress {
    carom_progress *progress;
    double max_period; /**< s */
} search_progress;

/** Pass on how far the search has come. */
static void advance(double period, void *context) {
    const search_progress *search = context;
    carom_progress_reach(search->progress, (long)(PROGRESS_PARTS * (period / search->max_period)));
}

carom_status nonsmooth_modes_find_intervals(const analysis *a, double max_period,
                                            carom_period_intervals **out) {
    search_progress search = {
        carom_progress_start("intervals", (long)PROGRESS_PARTS, "parts", a->common->is_quiet),
        max_period};
    const carom_status status = carom_single_impact_intervals(
        a->basis, max_period, a->values->samples, advance, &search, out, a->report);
    carom_progress_finish(search.progress);
    return status;
}

/** An interval as it is recorded. */
typedef struct interval_row {
    carom_period_interval of;
    double grazing[2];
} interval_row;

static const carom_field INTERVAL_FIELDS[] = {
    CAROM_FIELD("lower", interval_row, of.lower, "s", "shortest period"),
    CAROM_FIELD("upper", interval_row, of.upper, "s", "longest period"),
    CAROM_FIELD("lower_end", interval_row, of.lower_end, "1", "kind of the end, a number of /ends"),
    CAROM_FIELD("upper_end", interval_row, of.upper_end, "1", "kind of the end, a number of /ends"),
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
        rows[i] = (interval_row){*one, {one->lower_grazing_time, one->upper_grazing_time}};
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
    double part[WINDOWS];
    for (int w = 0; w < WINDOWS; w++) {
        part[w] = carom_period_intervals_part(all, w * window, (w + 1) * window);
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
                                              const carom_period_intervals *intervals) {
    CAROM_AUTO_VALUE(picture) all = {.count = 0};
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_TRY(carom_orbit_alloc(a->basis, 1, &orbit));
    carom_progress *progress =
        carom_progress_start("branches", intervals->count, "branches", a->common->is_quiet);
    carom_record_integer(a->record, "/branches/count", intervals->count, "1", "number of branches");
    carom_status status = CAROM_OK;
    for (int i = 0; i < intervals->count && status == CAROM_OK; i++) {
        CAROM_AUTO(carom_orbit_branch) branch = NULL;
        carom_record group = carom_record_group(a->record, "/branches/%04d", i);
        status = follow(a, &intervals->intervals[i], orbit, &branch);
        if (status == CAROM_OK) {
            nonsmooth_modes_write_branch(&group, branch);
            status = picture_add(&all, branch);
        } else {
            carom_report_set_context(a->report, group.group);
        }
        carom_progress_add(progress, 1);
    }
    carom_progress_finish(progress);
    CAROM_TRY(status);
    write_picture(a->record, &all);
    return CAROM_OK;
}
