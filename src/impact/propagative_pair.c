#include <carom/impact/propagative_pair.h>

#include <gsl/gsl_math.h>
#include <math.h>

/** Reflections. */
static const double LARGEST_TIE = 1e-3;

/** How close to a whole number counts as that number: the rounding of pi/(2 gamma), but never a
 * part of a reflection. */
static double tie(const carom_propagative_pair *pair) {
    return fmin(CAROM_PROPAGATIVE_TIE * pair->wedge_count, LARGEST_TIE);
}

/** ceil(x), whole numbers being met within the tie. */
static double ceiling(const carom_propagative_pair *pair, double x) {
    return ceil(x - tie(pair));
}

carom_propagative_pair carom_propagative_pair_of(const carom_propagative_contacts *contacts, int i,
                                                 int j) {
    CAROM_ASSERT(contacts != NULL);
    const int n = contacts->coordinate_count;
    const int m = contacts->contact_count;
    CAROM_ASSERT(i >= 0 && i < m && j >= 0 && j < m && i != j);
    const double *u = contacts->unit_normal + i * n;
    const double *v = contacts->unit_normal + j * n;
    double sum = 0.0;
    double difference = 0.0;
    for (int k = 0; k < n; k++) {
        sum += (u[k] + v[k]) * (u[k] + v[k]);
        difference += (u[k] - v[k]) * (u[k] - v[k]);
    }
    // |u + v| = 2 sin gamma, |u - v| = 2 cos gamma.
    const double gamma = atan2(sqrt(sum), sqrt(difference));
    carom_propagative_pair pair = {.cosine = contacts->cosine[i * m + j],
                                   .half_opening = gamma,
                                   .wedge_count = M_PI / (2.0 * gamma)};
    pair.paper_bound = ceiling(&pair, 2.0 * pair.wedge_count);
    pair.longest = ceiling(&pair, pair.wedge_count);
    pair.longest_minimal = ceiling(&pair, pair.wedge_count - 0.5);
    return pair;
}

/** sigma: where p is between the walls, 0 to 1 if both contacts approach. */
static double direction(const carom_propagative_pair *pair, double a, double b) {
    const double opening = 2.0 * pair->half_opening;
    // cos 2 gamma = 1 - 2 sin^2 gamma, A + B cos 2 gamma = A + B - 2 B sin^2 gamma.
    const double s = sin(pair->half_opening);
    return atan2(-b * sin(opening), -(a + b) + 2.0 * b * s * s) / opening;
}

carom_propagative_counts carom_propagative_pair_count(const carom_propagative_pair *pair, double a,
                                                      double b) {
    CAROM_ASSERT(pair != NULL);
    carom_propagative_counts counts = {0};
    /*[pairCount]*/
    const double sigma = direction(pair, a, b);
    const double first_u = a < 0.0 ? ceiling(pair, pair->wedge_count - 1.0 + sigma) : 0.0;
    const double first_v = b < 0.0 ? ceiling(pair, pair->wedge_count - sigma) : 0.0;
    // Less than a tie is no approach.
    const bool has_u = first_u > 0.0;
    const bool has_v = first_v > 0.0;
    counts.first_u = has_u ? first_u : 0.0;
    counts.first_v = has_v ? first_v : 0.0;
    counts.is_minimal_u = has_u && (!has_v || first_u <= first_v);
    counts.is_minimal_v = has_v && (!has_u || first_v <= first_u);
    /*[end pairCount]*/
    return counts;
}

double carom_propagative_pair_distance(const carom_propagative_pair *pair, double a, double b,
                                       double n) {
    CAROM_ASSERT(pair != NULL);
    const double gamma = pair->half_opening;
    const double s = sin(gamma);
    // a^2 + b^2 - 2 a b c = (a + b)^2 - 4 a b sin^2 gamma.
    const double square = (a + b) * (a + b) - 4.0 * a * b * s * s;
    return 2.0 * fabs(sin(2.0 * n * gamma) / sin(2.0 * gamma)) * sqrt(fmax(square, 0.0));
}

/** Distance of pi/(2 gamma) from a whole number, min(f, 1 - f); 0 on the spectrum. */
static double fraction(const carom_propagative_pair *pair) {
    const double away = fabs(pair->wedge_count - round(pair->wedge_count));
    return away <= tie(pair) ? 0.0 : away;
}

double carom_propagative_pair_spread(const carom_propagative_pair *pair, double a, double b) {
    CAROM_ASSERT(pair != NULL);
    if (!(a < 0.0 && b < 0.0)) {
        return 0.0;
    }
    const double opening = 2.0 * pair->half_opening;
    const double s = sin(pair->half_opening);
    const double sigma = direction(pair, a, b);
    const double away = fmin(fraction(pair), fmin(sigma, 1.0 - sigma));
    const double square = (a + b) * (a + b) - 4.0 * a * b * s * s;
    const double in_plane = sqrt(fmax(square, 0.0)) / sin(opening);
    return 2.0 * sin(opening * fmax(away, 0.0)) * in_plane;
}

double carom_propagative_pair_largest_spread(const carom_propagative_pair *pair) {
    CAROM_ASSERT(pair != NULL);
    return 2.0 * sin(2.0 * pair->half_opening * fmin(fraction(pair), 0.5));
}

double carom_propagative_pair_order(const carom_propagative_pair *pair) {
    CAROM_ASSERT(pair != NULL);
    const double k = round(pair->wedge_count);
    const bool is_whole = fabs(pair->wedge_count - k) <= tie(pair);
    const bool can_tell = CAROM_PROPAGATIVE_TIE * k <= LARGEST_TIE;
    return is_whole && can_tell && k >= 2.0 ? k : 0.0;
}

bool carom_propagative_contacts_are_unique(const carom_propagative_contacts *contacts, int *i,
                                           int *j) {
    CAROM_ASSERT(contacts != NULL);
    const int m = contacts->contact_count;
    int outside[2] = {-1, -1};
    for (int a = 0; a < m && outside[0] < 0; a++) {
        for (int b = a + 1; b < m && outside[0] < 0; b++) {
            const carom_propagative_pair pair = carom_propagative_pair_of(contacts, a, b);
            if (!(carom_propagative_pair_order(&pair) > 0.0)) {
                outside[0] = a;
                outside[1] = b;
            }
        }
    }
    if (i != NULL) {
        *i = outside[0];
    }
    if (j != NULL) {
        *j = outside[1];
    }
    return outside[0] < 0;
}
