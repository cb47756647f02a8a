#include <carom/modes/few_impacts.h>

#include <carom/modes/few_impacts_internal.h>

#include <float.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

/** Fewest samples of a half interval. */
enum { MIN_SAMPLES = 8 };

/** One in so many samples crowds towards each end of a half interval. */
enum { CROWDED_SHARE = 8 };

/** Nearest sample to an end, relative to the length: windows may begin right at a harmonic, */
static const double NEAREST_SAMPLE = 1e-7;

/** but no nearer than this part of the period, where rounding still leaves three digits. */
static const double NEAREST_PERIOD = 1e-13;

/**
 * Half intervals narrower than this part of the period hold nothing that could be told apart: the
 * frequencies of the modes are not known better.
 */
static const double RESOLUTION = 1e-12;

/** What the search works with. */
typedef struct search {
    const carom_modal_basis *basis;
    carom_contact_motion *motion;
    double *state; /**< [m][2] */
    int samples;   /**< per half interval */
    carom_period_intervals_progress progress;
    void *context;
    carom_period_intervals *found; /**< with room for one interval below each harmonic */
} search;

/** Periods between a root and a harmonic, on the side where lambda > 0. */
typedef struct half_interval {
    double lower;
    double upper;
    carom_branch_end lower_end;
    carom_branch_end upper_end;
} half_interval;

/**
 * Where in (0, 1) the sample i lies: evenly spaced, and from the first and the last of these on
 * geometrically towards the ends. Counted from the nearer end, which keeps its digits.
 */
static double sample_position(int samples, int i, bool *is_from_above) {
    const int crowded = samples / CROWDED_SHARE;
    const int even = samples - 2 * crowded;
    const double spacing = 1.0 / (even + 1);
    *is_from_above = i >= samples / 2;
    const int nearer = *is_from_above ? samples - 1 - i : i;
    if (nearer < crowded) {
        return spacing * pow(NEAREST_SAMPLE / spacing, (double)(crowded - nearer) / crowded);
    }
    return spacing * (nearer - crowded + 1);
}

/** The sample i of a half interval. */
static carom_single_impact_penetration sample(search *work, const half_interval *half, int i) {
    bool is_from_above = false;
    const double position = sample_position(work->samples, i, &is_from_above);
    const double distance =
        fmax(position * (half->upper - half->lower), NEAREST_PERIOD * half->upper);
    const double period = is_from_above ? half->upper - distance : half->lower + distance;
    return carom_single_impact_penetration_at(work->basis, period, work->motion, work->state);
}

/**
 * Append the admissible interval of one half interval, if there is one: it ends at the upper end,
 * and the samples are taken from there down to the first that penetrates.
 */
static void search_half(search *work, const half_interval *half) {
    carom_single_impact_penetration open = {.period = NAN, .value = NAN, .time = NAN};
    carom_single_impact_penetration closed = open;
    for (int i = work->samples - 1; i >= 0 && !(closed.value > 0.0); i--) {
        const carom_single_impact_penetration p = sample(work, half, i);
        if (p.value < -CAROM_PENETRATION_ROUNDING) {
            open = p;
        } else if (p.value > CAROM_PENETRATION_ROUNDING) {
            closed = p;
        }
    }
    if (isnan(open.value)) {
        return;
    }
    carom_period_interval interval = {
        .lower = half->lower,
        .upper = half->upper,
        .lower_end = half->lower_end,
        .upper_end = half->upper_end,
        .lower_grazing_time = NAN,
        .upper_grazing_time = NAN,
    };
    if (closed.value > 0.0) {
        const carom_single_impact_penetration graze =
            carom_single_impact_graze(work->basis, open, closed, work->motion, work->state);
        interval.lower = graze.period;
        interval.lower_end = CAROM_BRANCH_END_NEW_CONTACT;
        interval.lower_grazing_time = graze.time;
    }
    work->found->intervals[work->found->count++] = interval;
}

/** The half interval between two harmonics in which lambda > 0: by the sign of the gap (7.14). */
static half_interval half_of(const search *work, double lower, double root, double upper) {
    if (work->basis->gap_at_rest > 0.0) {
        const half_interval half = {
            .lower = root,
            .upper = upper,
            .lower_end = CAROM_BRANCH_END_INFINITE_SPEED,
            .upper_end = CAROM_BRANCH_END_HARMONIC,
        };
        return half;
    }
    const half_interval half = {
        .lower = lower,
        .upper = root,
        .lower_end = lower > 0.0 ? CAROM_BRANCH_END_HARMONIC : CAROM_BRANCH_END_SHORT_PERIOD,
        .upper_end = CAROM_BRANCH_END_INFINITE_SPEED,
    };
    return half;
}

double carom_single_impact_harmonics(const carom_modal_basis *basis, double max_period) {
    double count = 0.0;
    for (int l = 0; l < basis->visible_count; l++) {
        count += floor(basis->frequency[l] * max_period / (2.0 * M_PI));
    }
    return count;
}

/** Number of intervals between harmonics that begin below a period. */
static size_t count_harmonic_intervals(const carom_modal_basis *basis, double max_period) {
    size_t count = 0;
    double period = 0.0;
    do {
        period = carom_harmonic_above(basis, period).period;
        count++;
    } while (period < max_period);
    return count;
}

/** All half intervals that begin below the largest period. */
static carom_status search_all(search *work, double max_period, carom_report *report) {
    double upper = 0.0;
    while (upper < max_period) {
        const double lower = upper;
        upper = carom_harmonic_above(work->basis, lower).period;
        if (upper - lower <= RESOLUTION * upper) {
            continue;
        }
        double root = NAN;
        const carom_status status = carom_single_impact_root(work->basis, lower, upper, &root);
        if (status != CAROM_OK) {
            return carom_report_fail(report, status, "root below a harmonic", upper, -1);
        }
        half_interval half = half_of(work, lower, root, upper);
        if (half.upper > max_period) {
            half.upper = max_period;
            half.upper_end = CAROM_BRANCH_END_LIMIT;
        }
        if (half.upper - half.lower > RESOLUTION * half.upper) {
            search_half(work, &half);
        }
        if (work->progress != NULL) {
            work->progress(fmin(upper, max_period), work->context);
        }
    }
    return CAROM_OK;
}

/** Refuse what is no search. */
static carom_status check(const carom_modal_basis *basis, double max_period, int samples,
                          carom_report *report) {
    if (!(fabs(basis->gap_at_rest) > 0.0)) {
        return carom_report_refuse(report, "gap at rest", basis->gap_at_rest, -1, "not 0");
    }
    if (!(max_period > 0.0 && max_period <= DBL_MAX)) {
        return carom_report_refuse(report, "period", max_period, -1, "> 0, finite");
    }
    if (samples < MIN_SAMPLES || samples > CAROM_PERIOD_INTERVALS_MOST_SAMPLES) {
        return carom_report_refuse(report, "samples", samples, -1, "from 8 to a million");
    }
    const double harmonics = carom_single_impact_harmonics(basis, max_period);
    if (!(harmonics <= CAROM_PERIOD_INTERVALS_MOST_HARMONICS)) {
        return carom_report_refuse(report, "harmonics up to the longest period", harmonics, -1,
                                   "at most a million");
    }
    return CAROM_OK;
}

carom_status carom_single_impact_intervals(const carom_modal_basis *basis, double max_period,
                                           int samples, carom_period_intervals_progress progress,
                                           void *context, carom_period_intervals **out,
                                           carom_report *report) {
    CAROM_ASSERT(basis != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(check(basis, max_period, samples, report));
    search work = {.basis = basis, .samples = samples, .progress = progress, .context = context};
    carom_status status = carom_contact_motion_alloc(basis, &work.motion);
    if (status != CAROM_OK) {
        goto cleanup;
    }
    work.state = calloc(2 * (size_t)basis->visible_count, sizeof *work.state);
    work.found = calloc(1, sizeof *work.found);
    if (work.state == NULL || work.found == NULL) {
        status = CAROM_STATUS_OUT_OF_MEMORY;
        goto cleanup;
    }
    work.found->intervals =
        calloc(count_harmonic_intervals(basis, max_period), sizeof *work.found->intervals);
    if (work.found->intervals == NULL) {
        status = CAROM_STATUS_OUT_OF_MEMORY;
        goto cleanup;
    }
    status = search_all(&work, max_period, report);
    if (status == CAROM_OK) {
        *out = work.found;
        work.found = NULL;
    }
cleanup:
    carom_period_intervals_free(work.found);
    free(work.state);
    carom_contact_motion_free(work.motion);
    return status;
}

void carom_period_intervals_free(carom_period_intervals *intervals) {
    if (intervals != NULL) {
        free(intervals->intervals);
        free(intervals);
    }
}
