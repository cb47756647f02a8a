/** Symmetric sequences of impacts (section 6, table 1). */
#include "results.h"

#include <carom/base/random.h>

#include <math.h>
#include <string.h>

/** Impacts of the sequences that are made up, and the space that their matrices take. */
enum { MOST_IMPACTS = 9, MATRIX_SIZE = MOST_IMPACTS * MOST_IMPACTS };

/** Symmetric in the sense of section 6: sums of nine flight times, or solved to 1e-12. */
static const double SYMMETRY = 1e-9;
/** The same for entries of Pi and Sigma, some hundred times worse near a harmonic. */
static const double SAME = 1e-9;

/** i modulo k, in 0..k-1. */
static int wrap(int i, int k) {
    return ((i % k) + k) % k;
}

/** Time t_i of any integer i, t_{i+k} = t_i + T. */
static double time_of(int i, int k, const double *sigma) {
    double sum = 0.0;
    for (int j = 0; j < i; j++) {
        sum += sigma[j % k];
    }
    for (int j = i; j < 0; j++) {
        sum -= sigma[wrap(j, k)];
    }
    return sum;
}

carom_status serial_oscillator_symmetry_errors(const oscillator *o, int k,
                                               const double *flight_times, int a,
                                               double *matrix_error, double *times_error) {
    double Pi[MATRIX_SIZE];
    double Sigma[MATRIX_SIZE];
    carom_impact_equations *equations = NULL;
    CAROM_TRY(carom_impact_equations_alloc(o->basis, k, &equations));
    const carom_status status = carom_impact_equations_matrices(equations, flight_times, Pi, Sigma);
    carom_impact_equations_free(equations);
    CAROM_TRY(status);
    double size[2] = {0.0, 0.0};
    double error[2] = {0.0, 0.0};
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++) {
            // Impact number 1 is row 0: tau(i) = a - 1 - i.
            const int tau_i = wrap(a - 1 - (i + 1) - 1, k);
            const int tau_j = wrap(a - 1 - (j + 1) - 1, k);
            const int image = tau_j * k + tau_i;
            error[0] = fmax(error[0], fabs(Pi[i * k + j] - Pi[image]));
            error[1] = fmax(error[1], fabs(Sigma[i * k + j] - Sigma[image]));
            size[0] = fmax(size[0], fabs(Pi[i * k + j]));
            size[1] = fmax(size[1], fabs(Sigma[i * k + j]));
        }
    }
    // Pi of two equal flights is zero.
    *matrix_error = fmax(error[0] / fmax(size[0], 1.0), error[1] / size[1]);
    *times_error = 0.0;
    const double T = time_of(k, k, flight_times);
    const double sum = time_of(a - 1, k, flight_times);
    for (int i = 0; i < k; i++) {
        const double pair = time_of(i, k, flight_times) + time_of(a - 1 - i, k, flight_times);
        *times_error = fmax(*times_error, fabs(pair - sum) / T);
    }
    return CAROM_OK;
}

/* --- all sequences (propositions 6.1 to 6.6, corollary 6.2) ------------------------------------
 */

/** Axes of corollary 6.2, the fourth case corrected, both modulo T, ascending. */
static void table_axes(int k, const double *sigma, int a, double *axes) {
    const double T = time_of(k, k, sigma);
    const int r = (k + 1) / 2;
    const int b = a / 2;
    if (k % 2 == 1) {
        const int middle = a % 2 == 0 ? b : b + r;
        const int alone = a % 2 == 0 ? b + r - 1 : b;
        axes[0] = 0.5 * (time_of(middle - 1, k, sigma) + time_of(middle, k, sigma));
        axes[1] = time_of(alone, k, sigma);
    } else if (a % 2 == 0) {
        axes[0] = 0.5 * (time_of(b - 1, k, sigma) + time_of(b, k, sigma));
        axes[1] = 0.5 * (time_of(b + r - 1, k, sigma) + time_of(b + r, k, sigma));
    } else {
        axes[0] = time_of(b, k, sigma);
        axes[1] = time_of(b + r, k, sigma);
    }
    for (int i = 0; i < 2; i++) {
        axes[i] -= T * floor(axes[i] / T);
    }
    if (axes[0] > axes[1]) {
        const double first = axes[0];
        axes[0] = axes[1];
        axes[1] = first;
    }
}

/** Axes of the fourth case as printed, t_b and t_{b+r} for k = 2r and a = 2b. */
static void fourth_case_axes(int k, const double *sigma, int a, double *axes) {
    axes[0] = time_of(a / 2, k, sigma);
    axes[1] = time_of(a / 2 + k / 2, k, sigma);
}

/** Distance of two instants modulo T. */
static double distance(double one, double other, double T) {
    const double difference = fabs(one - other);
    return fmin(difference, fabs(T - difference));
}

/** Largest distance of two pairs of axes, whichever comes first, over T. */
static double axes_distance(const double *one, const double *other, double T) {
    const double straight = fmax(distance(one[0], other[0], T), distance(one[1], other[1], T));
    const double crossed = fmax(distance(one[0], other[1], T), distance(one[1], other[0], T));
    return fmin(straight, crossed) / T;
}

/** Number of n in 1..k with n = shift - n (mod k). */
static int fixed_indices(int k, int shift) {
    int count = 0;
    for (int n = 1; n <= k; n++) {
        count += wrap(shift - 2 * n, k) == 0 ? 1 : 0;
    }
    return count;
}

/** What was found about all sequences. */
typedef struct tally {
    bool is_unique;
    bool has_fixed_indices;
    bool has_dimension;
    double axes;
    double fourth_case; /**< error of the axes of the fourth case as printed */
    double matrices;
    double times;
} tally;

/** One random sequence with sigma_n = sigma_{a-n}. */
static carom_status examine(const oscillator *o, int k, int a, tally *t) {
    double sigma[MOST_IMPACTS];
    for (int n = 1; n <= k; n++) {
        const int image = wrap(a - n - 1, k) + 1;
        const int representative = n < image ? n : image;
        sigma[n - 1] =
            0.5 + carom_counter_uniform(o->common->seed,
                                        MOST_IMPACTS * (unsigned long)k + (unsigned long)a,
                                        (unsigned long)representative);
    }
    const int found = carom_sequence_symmetry(k, sigma, NULL, SYMMETRY);
    int matching = 0;
    for (int other = 1; other <= k; other++) {
        double difference = 0.0;
        for (int n = 1; n <= k; n++) {
            difference = fmax(difference, fabs(sigma[n - 1] - sigma[wrap(other - n - 1, k)]));
        }
        matching += difference < SYMMETRY ? 1 : 0;
    }
    // Two flights a, b are symmetric in one way, two equal ones repeat one flight.
    const double equal[MOST_IMPACTS] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    const bool is_primitive = carom_sequence_primitive(k, sigma, equal, SYMMETRY) == k;
    t->is_unique = t->is_unique && (!is_primitive || (matching == 1 && found == a));

    const int expected = k % 2 == 1 ? 1 : (a % 2 == 1 ? 0 : 2);
    const int flights_fixed = fixed_indices(k, a);
    const int impacts_fixed = fixed_indices(k, a - 1);
    t->has_fixed_indices = t->has_fixed_indices && flights_fixed == expected;
    const int unknowns = (k + flights_fixed) / 2;
    const int equations = (k - impacts_fixed) / 2;
    t->has_dimension = t->has_dimension && unknowns - equations == 1;

    double axes[2];
    double printed[2];
    carom_sequence_axes(k, sigma, a, axes);
    table_axes(k, sigma, a, printed);
    const double T = time_of(k, k, sigma);
    t->axes = fmax(t->axes, axes_distance(axes, printed, T));
    t->axes = fmax(t->axes, fabs(fabs(axes[1] - axes[0]) - 0.5 * T) / T);
    // Half a flight of 0.5 s at least over a period of 12 s at most: far above the tolerance.
    if (k % 2 == 0 && a % 2 == 0) {
        double fourth[2];
        fourth_case_axes(k, sigma, a, fourth);
        t->fourth_case = fmax(t->fourth_case, axes_distance(axes, fourth, T));
    }

    double matrix_error = NAN;
    double times_error = NAN;
    CAROM_TRY(serial_oscillator_symmetry_errors(o, k, sigma, a, &matrix_error, &times_error));
    t->matrices = fmax(t->matrices, matrix_error);
    t->times = fmax(t->times, times_error);
    return CAROM_OK;
}

carom_status serial_oscillator_write_symmetry(const oscillator *o) {
    tally t = {.is_unique = true, .has_fixed_indices = true, .has_dimension = true};
    for (int k = 2; k <= MOST_IMPACTS; k++) {
        for (int a = 1; a <= k; a++) {
            CAROM_TRY(examine(o, k, a, &t));
        }
    }
    const carom_measure measures[] = {
        {"symmetry_axes_error", t.axes, "1", "axes against corollary 6.2, over T"},
        {"symmetry_matrix_error", t.matrices, "1", "entries of Pi and Sigma against their images"},
        {"symmetry_times_error", t.times, "1", "error of t_i + t_{a-1-i} = t_{a-1}, over T"},
    };
    const carom_claim claims[] = {
        {"symmetry_number_unique", t.is_unique, "a is unique modulo k (proposition 6.1)"},
        {"symmetry_fixed_indices", t.has_fixed_indices,
         "i -> a - i has one fixed index, none or two (proposition 6.2)"},
        {"symmetry_times", t.times < SYMMETRY, "t_i + t_{a-1-i} = t_{a-1} (proposition 6.3)"},
        {"symmetry_matrices", t.matrices < SAME,
         "Pi and Sigma are invariant under tau and transposition"},
        {"symmetry_axes", t.axes < SYMMETRY,
         "the two axes are those of corollary 6.2 (corrected), half a period apart"},
        {"symmetry_as_printed_axes", t.fourth_case < SYMMETRY,
         "for k = 2r and a = 2b the axes are t_b and t_{b+r} (as printed)"},
        {"symmetry_dimension", t.has_dimension,
         "a symmetric sequence has one unknown more than equations (proposition 6.6)"},
    };
    carom_record_measures(o->record, measures, COUNT(measures));
    carom_record_claims(o->record, claims, COUNT(claims));
    return CAROM_OK;
}

/* --- the symmetric motion with seven impacts ---------------------------------------------------
 */

/** Table 1 as printed: n under n -> 6 - n, and labels c, b, a, b, c, d, d as 2, 1, 0, 1, 2, 3, 3.
 */
static const int PRINTED_ROW[SEVEN] = {5, 4, 3, 2, 1, 7, 6};
static const int PRINTED_LABELS[SEVEN] = {2, 1, 0, 1, 2, 3, 3};
enum { PRINTED_NUMBER = 6 };

/** The label of flight n: flights are labelled from the one that a - n leaves alone. */
static int label_of(int n, int a) {
    int fixed = 1;
    while (wrap(a - 2 * fixed, SEVEN) != 0) {
        fixed++;
    }
    const int away = wrap(n - fixed, SEVEN);
    return away < SEVEN - away ? away : SEVEN - away;
}

/** Whether equal labels have equal flight times and others have not. */
static bool labels_fit(const double *sigma, double T, const int *labels) {
    bool fits = true;
    for (int i = 0; i < SEVEN; i++) {
        for (int j = 0; j < SEVEN; j++) {
            const bool is_same = fabs(sigma[i] - sigma[j]) < SYMMETRY * T;
            fits = fits && is_same == (labels[i] == labels[j]);
        }
    }
    return fits;
}

/** Statements about the motion. */
static void claim_motion(const oscillator *o, const carom_orbit *orbit, int a, bool is_table) {
    double lambda_error = 0.0;
    for (int i = 0; i < SEVEN; i++) {
        const double image = orbit->lambda[wrap(a - 1 - (i + 1) - 1, SEVEN)];
        lambda_error = fmax(lambda_error, fabs(orbit->lambda[i] - image) / orbit->lambda[0]);
    }
    const double axis = 0.5 * time_of(a - 1, SEVEN, orbit->flight_times);
    const double motion = serial_oscillator_asymmetry(o, orbit, axis);
    const double *sigma = orbit->flight_times;
    const double printed_axis = (time_of(2, SEVEN, sigma) + time_of(3, SEVEN, sigma)) / 6.0;
    const double printed = serial_oscillator_asymmetry(o, orbit, printed_axis);
    const carom_measure measures[] = {
        {"symmetry_number", a, "1", "a of the symmetric motion with seven impacts"},
        {"symmetry_lambda_error", lambda_error, "1", "lambda against its image under tau"},
        {"symmetry_motion_error", motion, "1", "u(t) against u(t_{a-1} - t)"},
    };
    const carom_claim claims[] = {
        {"symmetry_table_1", is_table, "the entries of table 1"},
        {"symmetry_number", a == PRINTED_NUMBER, "a = 6 for c, b, a, b, c, d, d"},
        {"symmetry_lambda", lambda_error < SAME, "lambda is invariant under tau"},
        {"symmetry_motion", motion < SAME, "u(t) = u(t_{a-1} - t) (theorem 6.4)"},
        {"symmetry_as_printed_axis", printed < SAME,
         "the motion is symmetric about (t_2 + t_3)/6 (as printed)"},
    };
    carom_record_measures(o->record, measures, COUNT(measures));
    carom_record_claims(o->record, claims, COUNT(claims));
}

void serial_oscillator_write_table(const oscillator *o, const carom_orbit *orbit, int a) {
    double index[SEVEN];
    int reflected[SEVEN];
    int labels[SEVEN];
    for (int n = 1; n <= SEVEN; n++) {
        index[n - 1] = n;
        reflected[n - 1] = wrap(a - n - 1, SEVEN) + 1;
        labels[n - 1] = label_of(n, a);
    }
    const bool is_table = memcmp(reflected, PRINTED_ROW, sizeof reflected) == 0 &&
                          memcmp(labels, PRINTED_LABELS, sizeof labels) == 0 &&
                          labels_fit(orbit->flight_times, orbit->period, labels);
    carom_record_axis(o->record, "/table_1/index", SEVEN, index, "1", "flight n");
    carom_record_integer_series(o->record, "/table_1/reflected", reflected, "/table_1/index", NULL,
                                "1", "flight a - n (mod 7)");
    carom_record_integer_series(o->record, "/table_1/label_index", labels, "/table_1/index", NULL,
                                "1", "label of the flight time: 0 to 3 for a to d");
    claim_motion(o, orbit, a, is_table);
}
