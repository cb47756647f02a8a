#include <carom/modes/orbit_search_internal.h>

#include <math.h>

double carom_sequence_form_flight(int k, const double *flight_times, carom_sequence_form place,
                                  int i) {
    const int index = (i + place.rotation) % k;
    return flight_times[place.is_reversed ? k - 1 - index : index];
}

double carom_sequence_form_lambda(int k, const double *lambda, carom_sequence_form place, int i) {
    const int index = (i + place.rotation) % k;
    // Backwards, the last impact stays the last: it is the one at t = 0.
    return lambda[place.is_reversed ? (2 * k - 2 - index) % k : index];
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
static int compare_places(const sequence *s, carom_sequence_form a, carom_sequence_form b) {
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
    double period = 0.0;
    double largest = 0.0;
    for (int i = 0; i < k; i++) {
        period += flight_times[i];
        largest = fmax(largest, fabs(lambda[i]));
    }
    const sequence grouped = {k, flight_times, lambda, tolerance * period, tolerance * largest};
    const sequence exact = {k, flight_times, lambda, 0.0, 0.0};
    carom_sequence_form best = {.is_reversed = false, .rotation = 0};
    for (int form = 1; form < 2 * k; form++) {
        const carom_sequence_form place = {.is_reversed = form >= k, .rotation = form % k};
        int order = compare_places(&grouped, place, best);
        // Tied to the tolerance: the order of the values themselves decides, for all 2k alike.
        order = order == 0 ? compare_places(&exact, place, best) : order;
        best = order < 0 ? place : best;
    }
    return best;
}
