#include <carom/collisionless/motion/internal.h>
#include <carom/collisionless/motion/spectral_motion.h>

#include <float.h>
#include <gsl/gsl_math.h>
#include <math.h>

/** Halvings after which a part is left undecided: its width is that of rounding errors. */
enum { MAX_HALVINGS = 48 };

/** Parts after which a search is given up; some hundred are usual. */
enum { MAX_INTERVALS = 100000 };

/** Parts that cannot lower the minimum by more than this much of the modes' size are dropped; the
 * minimum is polished afterwards. */
static const double MINIMUM_RESOLUTION = 1e-12;

/** A search for the minimum of factor f at distances delta from the impact, t = T -+ delta. */
typedef struct minimum_search {
    const carom_modal_sum *sum;
    double factor;       /**< +1 or -1 */
    int order;           /**< of the zero at the impact: 3 or 1 */
    double length;       /**< largest delta, s */
    double best;         /**< lowest value beyond rounding so far; 0 at the impact */
    double best_delta;   /**< s */
    double resolution;   /**< of the minimum */
    bool is_nonnegative; /**< no part was left undecided */
    int intervals;
} minimum_search;

/** A part of the interval of delta. */
typedef struct search_part {
    double low;
    double high;
    int depth;
} search_part;

/** Time of a distance: into the unconstrained phase from its end, into the constrained one from
 * its beginning. */
static double time_at(const minimum_search *search, double delta) {
    const double T = search->sum->impact_time;
    return T > 0.0 ? T - delta : T + delta;
}

/** factor f and its derivatives by delta. */
static void evaluate(const minimum_search *search, double delta, double *derivative) {
    carom_modal_sum_evaluate(search->sum, time_at(search, delta), derivative);
    const double direction = search->sum->impact_time > 0.0 ? -1.0 : 1.0;
    double factor = search->factor;
    for (int k = 0; k < 4; k++) {
        derivative[k] *= factor;
        factor *= direction;
    }
}

static double largest_time(const minimum_search *search, const search_part *part) {
    return fmax(fabs(time_at(search, part->low)), fabs(time_at(search, part->high)));
}

/** Keep a value that is lower than all before and below zero by more than rounding. */
static void offer(minimum_search *search, double delta, double value) {
    const double t = time_at(search, delta);
    if (value < search->best && value < -carom_modal_sum_rounding(search->sum, fabs(t), 0.0)) {
        search->best = value;
        search->best_delta = delta;
    }
}

/**
 * Whether f >= 0 on a part that begins at the impact: f/delta^k >= f_k/k! - max|f_(k+1)|
 * delta/(k+1)!, the zero of order k divided out.
 */
static bool is_open_from_impact(const minimum_search *search, const search_part *part) {
    const int k = search->order;
    const double T = fabs(search->sum->impact_time);
    double derivative[4];
    evaluate(search, 0.0, derivative);
    const double next = carom_modal_sum_bound(search->sum, k + 1, T);
    const double error = (search->sum->count + 8) * DBL_EPSILON *
                         (carom_modal_sum_bound(search->sum, k, T) + T * next);
    return derivative[k] - error - next * part->high / (k + 1.0) >= 0.0;
}

/** Minimum of f_0 + f_1 x + f_2 x^2/2 on |x| <= radius, and its place. */
static double parabola_minimum(const double *f, double radius, double *x) {
    *x = f[1] > 0.0 ? -radius : radius;
    if (f[2] > 0.0 && fabs(f[1]) < f[2] * radius) {
        *x = -f[1] / f[2];
    }
    return f[0] + *x * (f[1] + 0.5 * *x * f[2]);
}

/** Whether a part is done with: nothing in it is below zero, or below the minimum so far. */
static bool is_excluded(minimum_search *search, const search_part *part) {
    if (!(part->low > 0.0) && is_open_from_impact(search, part)) {
        return true;
    }
    const double centre = 0.5 * (part->low + part->high);
    const double radius = 0.5 * (part->high - part->low);
    const double t = largest_time(search, part);
    double derivative[4];
    double x;
    evaluate(search, centre, derivative);
    const double remainder =
        carom_modal_sum_bound(search->sum, 3, t) * radius * radius * radius / 6.0;
    const double lower = parabola_minimum(derivative, radius, &x) - remainder;
    if (lower - carom_modal_sum_rounding(search->sum, t, radius) >= 0.0) {
        return true;
    }
    offer(search, centre, derivative[0]);
    evaluate(search, centre + x, derivative);
    offer(search, centre + x, derivative[0]);
    return search->best < 0.0 && lower >= search->best - search->resolution;
}

/** Newton's iteration for f' = 0 from the lowest value found: three steps square its distance
 * often enough. */
static void polish_minimum(minimum_search *search) {
    double delta = search->best_delta;
    for (int step = 0; step < 3 && search->best < 0.0; step++) {
        double derivative[4];
        evaluate(search, delta, derivative);
        if (!(derivative[2] > 0.0)) {
            return;
        }
        delta =
            GSL_MAX_DBL(0.0, GSL_MIN_DBL(search->length, delta - derivative[1] / derivative[2]));
        evaluate(search, delta, derivative);
        if (derivative[0] > search->best + search->resolution) {
            return;
        }
        search->best = derivative[0];
        search->best_delta = delta;
    }
}

/** Depth first: the stack holds one half of each part on the way down. */
static void minimise(minimum_search *search) {
    search_part stack[MAX_HALVINGS + 2];
    int size = 0;
    stack[size++] = (search_part){0.0, search->length, 0};
    double derivative[4];
    evaluate(search, search->length, derivative);
    offer(search, search->length, derivative[0]);
    while (size > 0) {
        const search_part part = stack[--size];
        search->intervals++;
        if (is_excluded(search, &part)) {
            continue;
        }
        if (part.depth == MAX_HALVINGS || search->intervals >= MAX_INTERVALS) {
            search->is_nonnegative = false;
            continue;
        }
        const double middle = 0.5 * (part.low + part.high);
        stack[size++] = (search_part){middle, part.high, part.depth + 1};
        stack[size++] = (search_part){part.low, middle, part.depth + 1};
    }
    search->is_nonnegative = search->is_nonnegative && !(search->best < 0.0);
    polish_minimum(search);
}

/** Half a phase of even modes is the image of the other one. */
static double examined_length(const carom_modal_sum *sum) {
    for (int i = 0; i < sum->count; i++) {
        if (sum->parity[i] == CAROM_PARITY_ODD) {
            return 2.0 * fabs(sum->impact_time);
        }
    }
    return fabs(sum->impact_time);
}

static minimum_search search_minimum(const carom_modal_sum *sum, double factor, int order) {
    minimum_search search = {.sum = sum,
                             .factor = factor,
                             .order = order,
                             .length = examined_length(sum),
                             .is_nonnegative = true};
    search.resolution = MINIMUM_RESOLUTION * carom_modal_sum_bound(sum, 0, fabs(sum->impact_time));
    minimise(&search);
    return search;
}

carom_motion_bounds carom_motion_bounds_compute(const carom_spectral_motion *motion) {
    CAROM_ASSERT(motion != NULL);
    const carom_modal_sum gap = carom_spectral_motion_gap_sum(motion);
    const carom_modal_sum force = carom_spectral_motion_force_sum(motion);
    const int s = motion->contact_sign;
    const double sign = s < 0 ? -1.0 : 1.0;
    const minimum_search least_gap = search_minimum(&gap, sign, 3);
    const minimum_search most_gap = search_minimum(&gap, -sign, 3);
    const minimum_search least_force = search_minimum(&force, sign, 1);
    const minimum_search most_force = search_minimum(&force, -sign, 1);
    return (carom_motion_bounds){
        .is_realizable = s != 0 && least_gap.is_nonnegative && least_force.is_nonnegative,
        .is_gap_decided = s != 0 && (least_gap.is_nonnegative || least_gap.best < 0.0),
        .is_force_decided = s != 0 && (least_force.is_nonnegative || least_force.best < 0.0),
        .contact_sign = s,
        .minimum_gap = least_gap.best,
        .minimum_gap_time = time_at(&least_gap, least_gap.best_delta),
        .maximum_gap = 0.0 - most_gap.best,
        .maximum_gap_time = time_at(&most_gap, most_gap.best_delta),
        .minimum_force_ratio = least_force.best,
        .minimum_force_time = time_at(&least_force, least_force.best_delta),
        .maximum_force_ratio = 0.0 - most_force.best,
        .maximum_force_time = time_at(&most_force, most_force.best_delta),
        .intervals = least_gap.intervals + most_gap.intervals + least_force.intervals +
                     most_force.intervals};
}

int carom_motion_bounds_realizability(const carom_motion_bounds *bounds) {
    CAROM_ASSERT(bounds != NULL);
    if (bounds->is_realizable) {
        return 1;
    }
    return bounds->is_gap_decided && bounds->is_force_decided ? 0 : -1;
}
