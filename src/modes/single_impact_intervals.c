#include <carom/modes/few_impacts.h>
#include <carom/modes/few_impacts_internal.h>
#include <carom/modes/internal.h>

#include <float.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* ---------------------------------------------------------------------------------- penetration */

/** Scaled penetration where there is no maximum: below all others. */
#define PENETRATION_NO_MAXIMUM (-3.0)

/**
 * Scaled penetration whose sign is not known: the rounding of sums over the modes, whose cosines
 * have the error of phases of up to some hundred turns.
 */
#define PENETRATION_ROUNDING 1e-13

/** The largest interior maximum of x_c of the motion of a period, against the obstacle. */
typedef struct single_impact_penetration {
    double period; /**< T, s */
    double value;  /**< (max x_c - x_c(0)) / scale, in [-2, 2]; PENETRATION_NO_MAXIMUM if none */
    double time;   /**< where, in (0, T/2], s; NaN if there is none */
} single_impact_penetration;

/**
 * Part of T by which the flight searched exceeds T/2, so that a maximum at T/2, about which x_c is
 * symmetric, is an interior one.
 */
static const double BEYOND_HALF = 0.01;

/** Bisections of a bracket of periods: a part of 2^-60 of it is below the last digit. */
enum { BISECTION_LIMIT = 60 };

/**
 * The penetration of the motion with lambda = 1 J^1/2. Its gap, x_c(0), is zero at the roots of
 * phi_c, and at harmonics the unit keeps the penetration finite: the scale is sum sqrt(G) rho^2 /
 * (w |sin(w T/2)|), the largest displacement that the amplitudes of the modes admit. Where lambda >
 * 0, the motion is admissible if and only if the penetration is <= 0.
 *
 * @param[in]     basis  the structure
 * @param[in]     period T > 0, s, not a harmonic
 * @param[in,out] motion workspace
 * @param[out]    state  [m][2] work memory
 * Source: thorin-2017 (2.12c), (7.16). Cost: that of carom_contact_motion_largest_maximum.
 */
/*[singleImpactExcess]*/
static single_impact_penetration single_impact_penetration_at(const carom_modal_basis *basis,
                                                              double period,
                                                              carom_contact_motion *motion,
                                                              double *state) {
    // z_1 = -rho cot(w T/2), z_2 = -rho just after the impact (3.1g)
    double scale = 0.0;
    for (int l = 0; l < basis->visible_count; l++) {
        const double rho = basis->participation[l];
        const carom_half_angle S = carom_half_angle_of_period(basis->frequency[l], period);
        state[2 * l] = -rho * S.cosine / S.sine;
        state[2 * l + 1] = -rho;
        scale += basis->root_inverse_mass * rho * rho / (basis->frequency[l] * fabs(S.sine));
    }
    carom_contact_motion_start(motion, state);
    // x_c is symmetric about T/2: the first half of the flight holds all maxima
    const double duration = (0.5 + BEYOND_HALF) * period;
    double gap = NAN;
    double end_velocity = NAN;
    carom_contact_motion_at(motion, 0.0, &gap, NULL, NULL);
    carom_contact_motion_at(motion, duration, NULL, &end_velocity, NULL);
    const carom_contact_maximum maximum = carom_contact_motion_largest_maximum(
        motion, duration, -basis->root_inverse_mass, end_velocity);
    const single_impact_penetration result = {
        .period = period,
        .value = maximum.exists ? (maximum.displacement - gap) / scale : PENETRATION_NO_MAXIMUM,
        .time = fmin(maximum.time, period - maximum.time),
    };
    return result;
}
/*[end singleImpactExcess]*/

/**
 * The period between two at which the largest maximum just touches the obstacle: Gamma_T(s) =
 * Gamma_T(T) and Upsilon_T(s) = 0, s = 2 time - T. Bisection by the sign of the penetration, which
 * has no other change, since the distance from the obstacle grows with the period at every s;
 * neither kinks of the largest of several maxima nor a graze at T/2, where two of them merge,
 * matter to it.
 *
 * @param[in]     basis  the structure
 * @param[in]     open   of penetration < 0
 * @param[in]     closed of penetration > 0, without a harmonic between the two periods
 * @param[in,out] motion workspace
 * @param[out]    state  [m][2] work memory
 * @return period and time of the graze to rounding, and the penetration there
 * Source: thorin-2017 section 7.3.3 (alpha = beta and a = 0), (7.30). Cost: 60 penetrations.
 */
static single_impact_penetration single_impact_graze(const carom_modal_basis *basis,
                                                     single_impact_penetration open,
                                                     single_impact_penetration closed,
                                                     carom_contact_motion *motion, double *state) {
    for (int i = 0; i < BISECTION_LIMIT; i++) {
        const double middle = 0.5 * (open.period + closed.period);
        if (!(fabs(middle - open.period) > 0.0 && fabs(middle - closed.period) > 0.0)) {
            break;
        }
        const single_impact_penetration half =
            single_impact_penetration_at(basis, middle, motion, state);
        if (half.value < 0.0) {
            open = half;
        } else {
            closed = half;
        }
    }
    return closed;
}

/* ------------------------------------------------------------------------------------ intervals */

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

static void search_clear(search *work) {
    carom_period_intervals_free(work->found);
    free(work->state);
    carom_contact_motion_free(work->motion);
}

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
static single_impact_penetration sample(search *work, const half_interval *half, int i) {
    bool is_from_above = false;
    const double position = sample_position(work->samples, i, &is_from_above);
    const double distance =
        fmax(position * (half->upper - half->lower), NEAREST_PERIOD * half->upper);
    const double period = is_from_above ? half->upper - distance : half->lower + distance;
    return single_impact_penetration_at(work->basis, period, work->motion, work->state);
}

/**
 * Append the admissible interval of one half interval, if there is one: it ends at the upper end,
 * and the samples are taken from there down to the first that penetrates.
 */
static void search_half(search *work, const half_interval *half) {
    single_impact_penetration open = {.period = NAN, .value = NAN, .time = NAN};
    single_impact_penetration closed = open;
    for (int i = work->samples - 1; i >= 0 && !(closed.value > 0.0); i--) {
        const single_impact_penetration p = sample(work, half, i);
        if (p.value < -PENETRATION_ROUNDING) {
            open = p;
        } else if (p.value > PENETRATION_ROUNDING) {
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
        const single_impact_penetration graze =
            single_impact_graze(work->basis, open, closed, work->motion, work->state);
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

/** Refuse parameters outside of their ranges. */
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
    CAROM_AUTO_VALUE(search)
    work = {.basis = basis, .samples = samples, .progress = progress, .context = context};
    CAROM_TRY(carom_contact_motion_alloc(basis, &work.motion));
    work.state = calloc(2 * (size_t)basis->visible_count, sizeof *work.state);
    work.found = calloc(1, sizeof *work.found);
    if (work.state == NULL || work.found == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    work.found->intervals =
        calloc(count_harmonic_intervals(basis, max_period), sizeof *work.found->intervals);
    if (work.found->intervals == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(search_all(&work, max_period, report));
    CAROM_HAND_OVER(work.found, out);
    return CAROM_OK;
}

double carom_period_intervals_part(const carom_period_intervals *intervals, double lower,
                                   double upper) {
    CAROM_ASSERT(intervals != NULL && lower < upper);
    double sum = 0.0;
    for (int i = 0; i < intervals->count; i++) {
        const carom_period_interval *one = &intervals->intervals[i];
        sum += fmax(0.0, fmin(one->upper, upper) - fmax(one->lower, lower));
    }
    return sum / (upper - lower);
}

void carom_period_intervals_free(carom_period_intervals *intervals) {
    if (intervals != NULL) {
        free(intervals->intervals);
        free(intervals);
    }
}
