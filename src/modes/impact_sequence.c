#include <carom/modes/impact_equations.h>

#include <carom/base/base.h>
#include <carom/modes/orbit_search_internal.h>

#include <math.h>
#include <stddef.h>

/** Sum of the flight times [k]: the period. */
static double period_of(int k, const double *flight_times) {
    double period = 0.0;
    for (int i = 0; i < k; i++) {
        period += flight_times[i];
    }
    return period;
}

/** Largest size of an entry of lambda [k]; 0 without lambda. */
static double largest_of(int k, const double *lambda) {
    double largest = 0.0;
    for (int i = 0; i < k && lambda != NULL; i++) {
        largest = fmax(largest, fabs(lambda[i]));
    }
    return largest;
}

/** Place from 0 of flight a - n, 1 <= n <= k; the sum of indices is at least 1 - k. */
static int image_of(int k, int n, int a) {
    return (a - n - 1 + k) % k;
}

/** Whether sigma_n = sigma_{a-n} and lambda_{a-1-n} = lambda_n for all n (mod k). */
static bool has_symmetry(int k, const double *flight_times, const double *lambda, int a,
                         double flight_tolerance, double lambda_tolerance) {
    bool holds = true;
    for (int n = 1; n <= k && holds; n++) {
        // 1..k with the index 0 = k.
        const int flight = image_of(k, n, a);
        const int impact = (a - n - 2 + 2 * k) % k;
        holds = fabs(flight_times[n - 1] - flight_times[flight]) <= flight_tolerance &&
                (lambda == NULL || fabs(lambda[n - 1] - lambda[impact]) <= lambda_tolerance);
    }
    return holds;
}

int carom_sequence_symmetry(int k, const double *flight_times, const double *lambda,
                            double tolerance) {
    CAROM_ASSERT(k >= 1);
    const double flight_tolerance = tolerance * period_of(k, flight_times);
    const double lambda_tolerance = tolerance * largest_of(k, lambda);
    for (int a = 1; a <= k; a++) {
        if (has_symmetry(k, flight_times, lambda, a, flight_tolerance, lambda_tolerance)) {
            return a;
        }
    }
    return 0;
}

double carom_sequence_asymmetry(int k, const double *flight_times, int a) {
    CAROM_ASSERT(a >= 1 && a <= k);
    double difference = 0.0;
    for (int n = 1; n <= k; n++) {
        const double image = flight_times[image_of(k, n, a)];
        difference = fmax(difference, fabs(flight_times[n - 1] - image));
    }
    return difference;
}

void carom_sequence_symmetrize(int k, const double *flight_times, int a, double *out) {
    CAROM_ASSERT(a >= 1 && a <= k);
    for (int n = 1; n <= k; n++) {
        out[n - 1] = 0.5 * (flight_times[n - 1] + flight_times[image_of(k, n, a)]);
    }
}

int carom_sequence_most_symmetric(int k, int count, const double *flight_times, double *out) {
    CAROM_ASSERT(k >= 1 && count >= 1);
    const double *best = flight_times;
    int best_a = 1;
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        const double *one = flight_times + (size_t)k * (size_t)i;
        for (int a = 1; a <= k; a++) {
            const double asymmetry = carom_sequence_asymmetry(k, one, a);
            if (asymmetry < least) {
                least = asymmetry;
                best = one;
                best_a = a;
            }
        }
    }
    carom_sequence_symmetrize(k, best, best_a, out);
    return best_a;
}

void carom_sequence_axes(int k, const double *flight_times, int a, double *axes) {
    CAROM_ASSERT(a >= 1 && a <= k);
    // The order of t_i is reflected into that of t_{a-1-i}, and t_0 = 0 goes to t_{a-1} < T.
    axes[0] = 0.5 * period_of(a - 1, flight_times);
    axes[1] = axes[0] + 0.5 * period_of(k, flight_times);
}

/** Put the entries from .. to-1 of a list into the opposite order. */
static void turn_around(double *list, int from, int to) {
    for (int low = from, high = to - 1; low < high; low++, high--) {
        const double kept = list[low];
        list[low] = list[high];
        list[high] = kept;
    }
}

/** Rotate a list [k] by r to the left. */
static void rotate(int k, int r, double *list) {
    turn_around(list, 0, r);
    turn_around(list, r, k);
    turn_around(list, 0, k);
}

void carom_sequence_rotate(int k, int r, double *flight_times, double *lambda) {
    CAROM_ASSERT(r >= 0 && r < k);
    rotate(k, r, flight_times);
    rotate(k, r, lambda);
}

void carom_sequence_reverse(int k, double *flight_times, double *lambda) {
    turn_around(flight_times, 0, k);
    // The impact at t = 0, lambda_k, stays where it is.
    turn_around(lambda, 0, k - 1);
}

/** Whether entry i of a list [k] equals entry i + d for all i, to a tolerance. */
static bool repeats_after(int k, int d, const double *list, double tolerance) {
    bool repeats = true;
    for (int i = 0; i < k && repeats; i++) {
        repeats = fabs(list[i] - list[(i + d) % k]) <= tolerance;
    }
    return repeats;
}

int carom_sequence_primitive(int k, const double *flight_times, const double *lambda,
                             double tolerance) {
    CAROM_ASSERT(k >= 1);
    const double flight_tolerance = tolerance * period_of(k, flight_times) / (double)k;
    const double lambda_tolerance = tolerance * largest_of(k, lambda);
    for (int d = 1; d < k; d++) {
        if (k % d == 0 && repeats_after(k, d, flight_times, flight_tolerance) &&
            repeats_after(k, d, lambda, lambda_tolerance)) {
            return d;
        }
    }
    return k;
}

void carom_sequence_canonicalize(int k, double *flight_times, double *lambda, double tolerance) {
    CAROM_ASSERT(k >= 1);
    const carom_sequence_form form =
        carom_sequence_canonical_form(k, flight_times, lambda, tolerance);
    if (form.is_reversed) {
        carom_sequence_reverse(k, flight_times, lambda);
    }
    carom_sequence_rotate(k, form.rotation, flight_times, lambda);
}

bool carom_sequence_equal(int k, const double *flight_times, const double *lambda,
                          const double *other_flight_times, const double *other_lambda,
                          double tolerance) {
    CAROM_ASSERT(k >= 1);
    const double flight_tolerance =
        tolerance * fmax(period_of(k, flight_times), period_of(k, other_flight_times));
    const double lambda_tolerance =
        tolerance * fmax(largest_of(k, lambda), largest_of(k, other_lambda));
    bool is_equal = false;
    for (int number = 0; number < 2 * k && !is_equal; number++) {
        const carom_sequence_form form = {.is_reversed = number >= k, .rotation = number % k};
        is_equal = true;
        for (int i = 0; i < k && is_equal; i++) {
            const double flight = carom_sequence_form_flight(k, flight_times, form, i);
            const double impact = carom_sequence_form_lambda(k, lambda, form, i);
            is_equal = fabs(flight - other_flight_times[i]) <= flight_tolerance &&
                       fabs(impact - other_lambda[i]) <= lambda_tolerance;
        }
    }
    return is_equal;
}

double carom_sequence_form_flight(int k, const double *flight_times, carom_sequence_form form,
                                  int i) {
    const int index = (i + form.rotation) % k;
    return flight_times[form.is_reversed ? k - 1 - index : index];
}

double carom_sequence_form_lambda(int k, const double *lambda, carom_sequence_form form, int i) {
    const int index = (i + form.rotation) % k;
    // Backwards, the last impact stays the last: it is the one at t = 0.
    return lambda[form.is_reversed ? (2 * k - 2 - index) % k : index];
}

/** The lowest of the values [k] that a chain of steps no longer than `gap` leads down to. */
static double lowest_of_group(int k, const double *values, double value, double gap) {
    double lowest = value;
    bool has_moved = true;
    while (has_moved) {
        has_moved = false;
        for (int j = 0; j < k; j++) {
            if (values[j] < lowest && lowest - values[j] <= gap) {
                lowest = values[j];
                has_moved = true;
            }
        }
    }
    return lowest;
}

/** Which of two values comes first, both taken for the lowest of their group: -1, 0 or 1. */
static int compare_values(int k, const double *values, double a, double b, double gap) {
    const double low_a = lowest_of_group(k, values, a, gap);
    const double low_b = lowest_of_group(k, values, b, gap);
    return (low_a > low_b) - (low_a < low_b);
}

/** Flight times and lambda with what counts as no difference between two of them. */
typedef struct sequence {
    int k;
    const double *flight_times; /* [k] s */
    const double *lambda;       /* [k] */
    double flight_gap;          /* s */
    double lambda_gap;          /* unit of lambda */
} sequence;

/** Lexicographic order of two forms of a sequence, flight times before lambda: -1, 0 or 1. */
static int compare_forms(const sequence *s, carom_sequence_form a, carom_sequence_form b) {
    int order = 0;
    for (int i = 0; i < s->k && order == 0; i++) {
        order = compare_values(
            s->k, s->flight_times, carom_sequence_form_flight(s->k, s->flight_times, a, i),
            carom_sequence_form_flight(s->k, s->flight_times, b, i), s->flight_gap);
    }
    for (int i = 0; i < s->k && order == 0; i++) {
        order = compare_values(s->k, s->lambda, carom_sequence_form_lambda(s->k, s->lambda, a, i),
                               carom_sequence_form_lambda(s->k, s->lambda, b, i), s->lambda_gap);
    }
    return order;
}

carom_sequence_form carom_sequence_canonical_form(int k, const double *flight_times,
                                                  const double *lambda, double tolerance) {
    const sequence grouped = {k, flight_times, lambda, tolerance * period_of(k, flight_times),
                              tolerance * largest_of(k, lambda)};
    const sequence exact = {k, flight_times, lambda, 0.0, 0.0};
    carom_sequence_form best = {.is_reversed = false, .rotation = 0};
    for (int number = 1; number < 2 * k; number++) {
        const carom_sequence_form form = {.is_reversed = number >= k, .rotation = number % k};
        int order = compare_forms(&grouped, form, best);
        // Tied to the tolerance: the order of the values themselves decides, for all 2k alike.
        order = order == 0 ? compare_forms(&exact, form, best) : order;
        best = order < 0 ? form : best;
    }
    return best;
}
