/** The admissible periods of motions with one impact, for both signs of the gap. */
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/** Samples of a half interval: only guesses of its end depend on them. */
enum { INTERVAL_SAMPLES = 200, DENSITY_SAMPLES = 40 };
/** Windows of one period of the lowest mode each, in which the density is taken. */
enum { WINDOW_COUNT = 6 };

/** Kinds of the ends, as codes that the dataset explains. */
static void write_ends(const oscillator *o, const char *group, const char *name, const char *axis,
                       const int *codes) {
    char path[PATH_SIZE];
    (void)serial_oscillator_path(group, name, path);
    carom_record_integer_series(o->record, path, codes, axis, NULL, "1",
                                "kind of the end, see the attribute flag_meanings");
    char meanings[256] = "";
    size_t length = 0;
#define APPEND(code, end, sentence)                                                 \
    length += (size_t)snprintf(meanings + length, sizeof meanings - length, "%s%s", \
                               length > 0 ? " " : "", end);
    CAROM_BRANCH_END_LIST(APPEND)
#undef APPEND
    carom_record_attribute(o->record, path, "flag_meanings", meanings);
}

/** What is written of the intervals. */
typedef struct table {
    double *lower;
    double *upper;
    double *grazing; /**< [count][2] parts of the period */
    int *lower_end;
    int *upper_end;
} table;

/** Write a filled table. */
static void write_table(const oscillator *o, const char *group, int count, const table *t) {
    char axis[PATH_SIZE];
    char end[PATH_SIZE];
    carom_record_index_axis(o->record, serial_oscillator_path(group, "interval", axis), count,
                            "maximal interval of admissible periods");
    carom_record_index_axis(o->record, serial_oscillator_path(group, "end", end), 2,
                            "lower and upper end");
    const carom_column columns[] = {
        {"lower", t->lower, "s", "shortest period"},
        {"upper", t->upper, "s", "longest period"},
    };
    const carom_column grazing = {
        "grazing_fraction", t->grazing, "1",
        "instant of the new contact over the period, the other is at 1 minus; NaN: none"};
    serial_oscillator_write_columns(o, group, axis, NULL, columns, COUNT(columns));
    serial_oscillator_write_columns(o, group, axis, end, &grazing, 1);
    write_ends(o, group, "lower_end", axis, t->lower_end);
    write_ends(o, group, "upper_end", axis, t->upper_end);
}

/** Write a list of intervals; nothing if it is empty. */
static carom_status write_intervals(const oscillator *o, const char *group,
                                    const carom_period_intervals *intervals) {
    const int count = intervals->count;
    if (count == 0) {
        return CAROM_OK;
    }
    double *reals = malloc(4 * (size_t)count * sizeof *reals);
    int *codes = malloc(2 * (size_t)count * sizeof *codes);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    if (reals != NULL && codes != NULL) {
        const table t = {reals, reals + count, reals + 2 * count, codes, codes + count};
        for (int i = 0; i < count; i++) {
            const carom_period_interval *one = &intervals->intervals[i];
            t.lower[i] = one->lower;
            t.upper[i] = one->upper;
            t.grazing[2 * i] = one->lower_grazing_time / one->lower;
            t.grazing[2 * i + 1] = one->upper_grazing_time / one->upper;
            t.lower_end[i] = (int)one->lower_end;
            t.upper_end[i] = (int)one->upper_end;
        }
        write_table(o, group, count, &t);
        status = CAROM_OK;
    }
    free(codes);
    free(reals);
    return status;
}

/* --- the statements --------------------------------------------------------------------------- */

/** Whether phi has the sign of a gap in the middle of all its intervals. */
static bool has_sign(const oscillator *o, const carom_period_intervals *intervals, double gap) {
    for (int i = 0; i < intervals->count; i++) {
        const carom_period_interval *one = &intervals->intervals[i];
        const double phi = serial_oscillator_phi(o->basis, 0.5 * (one->lower + one->upper));
        if (!(phi * gap > 0.0)) {
            return false;
        }
    }
    return true;
}

/** Whether all intervals lie as the paper's case list has it: for a positive gap between a harmonic
 * and the next root, else between a root and the next harmonic. */
static carom_status are_as_printed(const oscillator *o, const carom_period_intervals *intervals,
                                   double gap, bool *holds) {
    for (int i = 0; i < intervals->count; i++) {
        const double middle = 0.5 * (intervals->intervals[i].lower + intervals->intervals[i].upper);
        double root = NAN;
        CAROM_TRY(serial_oscillator_root_around(o, middle, &root));
        *holds = *holds && (gap > 0.0 ? middle < root : middle > root);
    }
    return CAROM_OK;
}

/** Whether no period is in intervals of both lists. */
static bool are_disjoint(const carom_period_intervals *one, const carom_period_intervals *other) {
    for (int i = 0; i < one->count; i++) {
        for (int j = 0; j < other->count; j++) {
            const carom_period_interval *a = &one->intervals[i];
            const carom_period_interval *b = &other->intervals[j];
            if (a->upper > b->lower && b->upper > a->lower) {
                return false;
            }
        }
    }
    return true;
}

/** Statements about the place of the intervals. */
static carom_status claim_place(const oscillator *o) {
    const double gap = o->values->gap;
    const int count = o->intervals->count + o->prestressed->count;
    const carom_measure measures[] = {
        {"single_intervals", o->intervals->count, "1", "admissible intervals of one impact"},
        {"single_intervals_prestressed", o->prestressed->count, "1",
         "the same for the opposite gap"},
    };
    carom_record_measures(o->record, measures, COUNT(measures));
    if (count == 0) {
        return CAROM_OK;
    }
    bool is_printed = true;
    CAROM_TRY(are_as_printed(o, o->intervals, gap, &is_printed));
    CAROM_TRY(are_as_printed(o, o->prestressed, -gap, &is_printed));
    const carom_claim claims[] = {
        {"phi_sign_of_gap", has_sign(o, o->intervals, gap) && has_sign(o, o->prestressed, -gap),
         "admissible periods have phi_c,T(T) of the sign of the gap"},
        {"phi_complementary", are_disjoint(o->intervals, o->prestressed),
         "no period is admissible for gaps of both signs"},
        {"phi_as_printed_intervals", is_printed,
         "for d > 0 periods lie between a harmonic and the next root (as printed)"},
    };
    carom_record_claims(o->record, claims, COUNT(claims));
    return CAROM_OK;
}

/** Total length of intervals inside a window. */
static double length_within(const carom_period_intervals *intervals, double low, double high) {
    double sum = 0.0;
    for (int i = 0; i < intervals->count; i++) {
        const carom_period_interval *one = &intervals->intervals[i];
        sum += fmax(0.0, fmin(one->upper, high) - fmax(one->lower, low));
    }
    return sum;
}

/** Admissible length in windows of the lowest mode's period (remark 7.1). */
static carom_status claim_density(const oscillator *o) {
    const double window = 2.0 * acos(-1.0) / o->basis->frequency[0];
    carom_period_intervals *all = NULL;
    CAROM_TRY(carom_single_impact_intervals(o->basis, WINDOW_COUNT * window, DENSITY_SAMPLES, NULL,
                                            NULL, &all, o->report));
    double density[WINDOW_COUNT];
    double slope = 0.0;
    bool is_monotone = true;
    bool is_first_largest = true;
    for (int i = 0; i < WINDOW_COUNT; i++) {
        density[i] = length_within(all, i * window, (i + 1) * window) / window;
        slope += density[i] * (i - 0.5 * (WINDOW_COUNT - 1));
        is_monotone = is_monotone && (i == 0 || density[i] < density[i - 1]);
        is_first_largest = is_first_largest && (i == 0 || density[i] < density[0]);
    }
    carom_period_intervals_free(all);
    for (int i = 0; i < WINDOW_COUNT; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "single_density_%d", i + 1);
        carom_record_measure(o->record, name, density[i], "1",
                             "admissible part of the periods in this multiple of T_1");
    }
    const carom_claim claims[] = {
        {"single_density_decreases", slope < 0.0 && is_first_largest,
         "admissible periods become rarer as T grows: falling trend, the first window first"},
        {"single_density_monotone", is_monotone, "they become rarer from each window to the next"},
    };
    carom_record_claims(o->record, claims, COUNT(claims));
    return CAROM_OK;
}

carom_status serial_oscillator_write_intervals(oscillator *o) {
    carom_modal_basis opposite = *o->basis;
    opposite.gap_at_rest = -opposite.gap_at_rest;
    const double end = o->values->max_period;
    CAROM_TRY(carom_single_impact_intervals(o->basis, end, INTERVAL_SAMPLES, NULL, NULL,
                                            &o->intervals, o->report));
    CAROM_TRY(carom_single_impact_intervals(&opposite, end, INTERVAL_SAMPLES, NULL, NULL,
                                            &o->prestressed, o->report));
    CAROM_TRY(write_intervals(o, "/intervals", o->intervals));
    CAROM_TRY(write_intervals(o, "/intervals_prestressed", o->prestressed));
    CAROM_TRY(claim_place(o));
    return claim_density(o);
}
