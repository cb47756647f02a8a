/** The set S of flight times with two impacts: curves, dots, and statements about both (figure 9).
 */
#include "results.h"

#include <carom/base/random.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

/** Side of the square of figure 9, chosen, and the grid on its triangle. */
static const double SIDE = 4.5;
enum { CURVE_CELLS = 300 };

/** a is in [-1, 1] and computed from some ten sines of arguments below a hundred. */
static const double ROUNDING = 1e-12;
/** On a harmonic line the period misses the harmonic by a few roundings of its phase. */
static const double PHASE_ROUNDINGS = 10.0;
/** Samples between two neighbouring dots on a harmonic line. */
enum { LINE_SAMPLES = 8 };
/** Signs are looked at where the pole is so many times larger than all other terms together, and
 * at a tenth of that distance, where it must have grown by ten, up to these terms. */
static const double DOMINANCE = 1e3;
static const double NEARER = 0.1;
static const double GROWTH = 5.0;
/** Part of the pole that must be left where it does not cancel; where it does, one part in
 * DOMINANCE is. */
static const double SHARE = 0.5;
/** Points of the plane at which the antisymmetry is looked at. */
enum { PLANE_SAMPLES = 400 };

/* --- curves ----------------------------------------------------------------------------------- */

/** Copy the curves into the square, cut by NaN rows; returns the number of rows. */
static int clip(const carom_flight_time_curves *curves, double *sigma_1, double *sigma_2) {
    int row = 0;
    bool is_cut = true;
    for (int c = 0; c < curves->count; c++) {
        const carom_flight_time_curve *curve = &curves->curves[c];
        const int count = curve->count + (curve->is_closed != 0 ? 1 : 0);
        for (int i = 0; i <= count; i++) {
            const int vertex = i == curve->count ? 0 : i;
            const bool is_inside = i < count && curve->sigma_1[vertex] <= SIDE;
            if (is_inside || !is_cut) {
                sigma_1[row] = is_inside ? curve->sigma_1[vertex] : (double)NAN;
                sigma_2[row] = is_inside ? curve->sigma_2[vertex] : (double)NAN;
                row++;
            }
            is_cut = !is_inside;
        }
    }
    return row;
}

/** Write the curves. */
static carom_status write_curves(const oscillator *o, const carom_flight_time_curves *curves) {
    int total = 0;
    for (int c = 0; c < curves->count; c++) {
        total += curves->curves[c].count + 2;
    }
    double *sigma_1 = malloc(2 * (size_t)(total + 1) * sizeof *sigma_1);
    if (sigma_1 == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *sigma_2 = sigma_1 + total + 1;
    const int rows = clip(curves, sigma_1, sigma_2);
    carom_status status = CAROM_OK;
    if (rows > 0) {
        const carom_column columns[] = {
            {"sigma_1", sigma_1, "s", "first flight, the longer one; NaN between curves"},
            {"sigma_2", sigma_2, "s", "second flight; NaN between curves"},
        };
        carom_record_index_axis(o->record, "/double/curves/vertex", rows, "vertex of the curves");
        serial_oscillator_write_columns(o, "/double/curves", "/double/curves/vertex", NULL, columns,
                                        COUNT(columns));
        status = CAROM_OK;
    }
    free(sigma_1);
    return status;
}

/* --- dots (7.22) ------------------------------------------------------------------------------ */

/** All dots in the square. */
typedef struct dots {
    int count;
    double *sigma_1;
    double *sigma_2;
    int *mode;
    int *multiple;
    int *order;
} dots;

/** Go through the dots sigma_1 = p/2 T_i, sigma_2 = (q - p/2) T_i; fill what is not NULL. */
static int list_dots(const carom_modal_basis *basis, dots *d) {
    int count = 0;
    for (int i = 0; i < basis->visible_count; i++) {
        const double T = 2.0 * acos(-1.0) / basis->frequency[i];
        for (int q = 1; q * T <= 2.0 * SIDE; q++) {
            for (int p = 1; p < 2 * q; p++) {
                const double sigma_1 = 0.5 * p * T;
                const double sigma_2 = (q - 0.5 * p) * T;
                if (fmax(sigma_1, sigma_2) > SIDE) {
                    continue;
                }
                if (d != NULL) {
                    d->sigma_1[count] = sigma_1;
                    d->sigma_2[count] = sigma_2;
                    d->mode[count] = i + 1;
                    d->multiple[count] = q;
                    d->order[count] = p;
                }
                count++;
            }
        }
    }
    return count;
}

/** Write the dots. */
static void write_dots(const oscillator *o, const dots *d) {
    const char *axis = "/double/dots/dot";
    carom_record_index_axis(o->record, axis, d->count, "point (7.22)");
    const carom_column columns[] = {
        {"sigma_1", d->sigma_1, "s", "first flight p/2 T_i"},
        {"sigma_2", d->sigma_2, "s", "second flight (q - p/2) T_i"},
    };
    serial_oscillator_write_columns(o, "/double/dots", axis, NULL, columns, COUNT(columns));
    carom_record_integer_series(o->record, "/double/dots/mode", d->mode, axis, NULL, "1",
                                "mode i, from 1");
    carom_record_integer_series(o->record, "/double/dots/multiple", d->multiple, axis, NULL, "1",
                                "multiple q of T_i that the period is");
    carom_record_integer_series(o->record, "/double/dots/order", d->order, axis, NULL, "1",
                                "multiple p of T_i/2 that the first flight is");
}

/** alpha + beta of two flights, whose pole decides about a neighbourhood of a harmonic. */
static double sum_of_entries(const carom_modal_basis *basis, double sigma_1, double sigma_2) {
    const double T = sigma_1 + sigma_2;
    return carom_kernels_evaluate(basis, T, T).gap +
           carom_kernels_evaluate(basis, T, sigma_2 - sigma_1).gap;
}

/** What all other modes contribute where mode i is at its harmonic: sum of rho^2/|sin(w T/2)|. */
static double other_modes(const carom_modal_basis *basis, int mode, double T) {
    double sum = 0.0;
    for (int l = 0; l < basis->visible_count; l++) {
        const double rho = basis->participation[l];
        sum += l == mode ? 0.0 : rho * rho / fabs(sin(0.5 * basis->frequency[l] * T));
    }
    return sum;
}

/** What rounding of the period leaves of a at a dot: the phase missed, times the other modes. */
static double rounding_at(const carom_modal_basis *basis, const dots *d, int i) {
    const int mode = d->mode[i] - 1;
    const double T = d->sigma_1[i] + d->sigma_2[i];
    const double rho = basis->participation[mode];
    const double phase = PHASE_ROUNDINGS * DBL_EPSILON * basis->frequency[mode] * T;
    return ROUNDING + phase * other_modes(basis, mode, T) / (rho * rho);
}

/** How near to a dot the pole is so much larger than all other terms. */
static double pole_distance(const carom_modal_basis *basis, const dots *d, int i) {
    const int mode = d->mode[i] - 1;
    const double T = d->sigma_1[i] + d->sigma_2[i];
    const double rho = basis->participation[mode];
    const double omega = basis->frequency[mode];
    // The pole is 4 rho^2/(omega^2 distance), the rest at most 2/omega_1 sum rho^2/|sin(w T/2)|.
    const double rest = other_modes(basis, mode, T) + 1.0;
    return 2.0 * rho * rho * basis->frequency[0] / (omega * omega * rest * DOMINANCE);
}

/** Size of alpha + beta at that distance, on the side where it is larger, over that of the pole. */
static double pole_share(const carom_modal_basis *basis, const dots *d, int i) {
    const double distance = pole_distance(basis, d, i);
    const double rho = basis->participation[d->mode[i] - 1];
    const double omega = basis->frequency[d->mode[i] - 1];
    const double pole = 4.0 * basis->root_inverse_mass * rho * rho / (omega * omega * distance);
    const double right = sum_of_entries(basis, d->sigma_1[i], d->sigma_2[i] + distance);
    const double left = sum_of_entries(basis, d->sigma_1[i], d->sigma_2[i] - distance);
    return fmax(fabs(right), fabs(left)) / pole;
}

/** Whether alpha + beta has a pole at a dot, positive on the right and negative on the left. */
static bool has_pole(const carom_modal_basis *basis, const dots *d, int i) {
    const double distance = pole_distance(basis, d, i);
    bool holds = true;
    for (int side = -1; side <= 1; side += 2) {
        const double far = side * distance;
        const double near = side * sum_of_entries(basis, d->sigma_1[i], d->sigma_2[i] + far);
        const double nearer =
            side * sum_of_entries(basis, d->sigma_1[i], d->sigma_2[i] + NEARER * far);
        holds = holds && near > 0.0 && nearer > GROWTH * near;
    }
    return holds;
}

/** Whether on the line sigma_1 + sigma_2 = q T_i the zeros of a are the 2q - 1 dots. */
static bool line_is_complete(const carom_modal_basis *basis, int mode, int q) {
    const double T = 2.0 * acos(-1.0) / basis->frequency[mode];
    const int samples = 2 * q * LINE_SAMPLES;
    int zeros = 0;
    double before = NAN;
    for (int i = 0; i < samples; i++) {
        const double sigma_1 = q * T * (i + 0.5) / samples;
        const double a = carom_two_impacts_regular(basis, sigma_1, q * T - sigma_1);
        zeros += before * a < 0.0 ? 1 : 0;
        before = a;
    }
    return zeros == 2 * q - 1;
}

/** Statements about the dots. */
static void claim_dots(const oscillator *o, const dots *d) {
    double error = 0.0;
    bool are_zeros = true;
    bool are_poles = true;
    double odd_share = INFINITY;
    for (int i = 0; i < d->count; i++) {
        const double a = carom_two_impacts_regular(o->basis, d->sigma_1[i], d->sigma_2[i]);
        error = fmax(error, fabs(a));
        are_zeros = are_zeros && fabs(a) < rounding_at(o->basis, d, i);
        if (d->order[i] % 2 == 0) {
            are_poles = are_poles && has_pole(o->basis, d, i);
        } else {
            odd_share = fmin(odd_share, pole_share(o->basis, d, i));
        }
    }
    bool is_complete = true;
    for (int l = 0; l < o->basis->visible_count; l++) {
        const double T = 2.0 * acos(-1.0) / o->basis->frequency[l];
        for (int q = 1; q * T <= 2.0 * SIDE; q++) {
            is_complete = is_complete && line_is_complete(o->basis, l, q);
        }
    }
    const carom_measure measures[] = {
        {"double_dots_count", d->count, "1", "points (7.22) in the square"},
        {"double_dots_error", error, "1", "largest a at these points"},
    };
    const carom_claim claims[] = {
        {"double_dots", are_zeros, "all points (7.22) belong to S"},
        {"double_dots_complete", is_complete,
         "on T = q T_i there are no other points of S: 2q - 1 of them, T_i/2 apart"},
        {"double_sign_near_harmonics", are_poles,
         "alpha + beta tends to + infinity right of q T_i and to - infinity left of it, at all "
         "points whose first flight is no odd multiple of T_i/2"},
        {"double_as_printed_multiple", odd_share > SHARE,
         "the same at all points whose first flight is no multiple of T_i (as printed)"},
    };
    carom_record_measures(o->record, measures, COUNT(measures));
    carom_record_claims(o->record, claims, COUNT(claims));
}

/** Find and write the dots. */
static carom_status make_dots(const oscillator *o) {
    const int count = list_dots(o->basis, NULL);
    if (count == 0) {
        return CAROM_OK;
    }
    double *reals = calloc(2 * (size_t)count, sizeof *reals);
    int *integers = calloc(3 * (size_t)count, sizeof *integers);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    if (reals != NULL && integers != NULL) {
        dots d = {count, reals, reals + count, integers, integers + count, integers + 2 * count};
        (void)list_dots(o->basis, &d);
        write_dots(o, &d);
        claim_dots(o, &d);
        status = CAROM_OK;
    }
    free(integers);
    free(reals);
    return status;
}

/* --- the plane, and the equations of two impacts ---------------------------------------------- */

/** Diagonal and antisymmetry of a. */
static void claim_plane(const oscillator *o) {
    double diagonal = 0.0;
    double antisymmetry = 0.0;
    for (int i = 0; i < PLANE_SAMPLES; i++) {
        const unsigned long sample = (unsigned long)i;
        const double sigma_1 = SIDE * (1.0 - carom_counter_uniform(o->common->seed, sample, 0));
        const double sigma_2 = SIDE * (1.0 - carom_counter_uniform(o->common->seed, sample, 1));
        diagonal = fmax(diagonal, fabs(carom_two_impacts_regular(o->basis, sigma_1, sigma_1)));
        antisymmetry =
            fmax(antisymmetry, fabs(carom_two_impacts_regular(o->basis, sigma_1, sigma_2) +
                                    carom_two_impacts_regular(o->basis, sigma_2, sigma_1)));
    }
    const carom_claim claims[] = {
        {"double_diagonal", diagonal < ROUNDING, "the diagonal belongs to S"},
        {"double_antisymmetric", antisymmetry < ROUNDING, "S is symmetric about the diagonal"},
    };
    carom_record_claims(o->record, claims, COUNT(claims));
}

/** Dimension of the solutions of [[alpha, beta], [beta, alpha]] lambda = -d (1, 1): -1 for none. */
static int solution_dimension(double alpha, double beta, double d) {
    // Ranks of the transposed matrix with and without the right-hand side.
    int ranks[2] = {0, 0};
    for (int with = 0; with < 2; with++) {
        double rows[6] = {alpha, beta, beta, alpha, with == 1 ? -d : 0.0, with == 1 ? -d : 0.0};
        double values[2];
        double work[6];
        if (serial_oscillator_singular_values(3, 2, rows, values, NULL, work) == CAROM_OK) {
            ranks[with] = (values[0] > ROUNDING ? 1 : 0) + (values[1] > ROUNDING ? 1 : 0);
        }
    }
    return ranks[0] == ranks[1] ? 2 - ranks[0] : -1;
}

/** The case list of section 7.3.2. */
static void claim_cases(const oscillator *o) {
    const struct {
        double alpha;
        double beta;
        double d;
        int dimension;
    } cases[] = {
        {1.37, 0.61, 0.83, 0}, {1.37, -1.37, 0.83, -1}, {1.37, 1.37, 0.83, 1}, {0.0, 0.0, 0.83, -1},
        {1.37, 0.61, 0.0, 0},  {1.37, -1.37, 0.0, 1},   {1.37, 1.37, 0.0, 1},  {0.0, 0.0, 0.0, 2},
    };
    bool holds = true;
    for (int i = 0; i < COUNT(cases); i++) {
        holds = holds &&
                solution_dimension(cases[i].alpha, cases[i].beta, cases[i].d) == cases[i].dimension;
    }
    const carom_claim claim = {"double_case_table", holds,
                               "speeds of two impacts: unique, none, a line or a plane, by alpha, "
                               "beta and d as listed"};
    carom_record_claims(o->record, &claim, 1);
}

carom_status serial_oscillator_write_flight_times(const oscillator *o) {
    carom_flight_time_curves *curves = NULL;
    CAROM_TRY(carom_two_impacts_curves(o->basis, 2.0 * SIDE, CURVE_CELLS, &curves, o->report));
    const carom_measure count = {"double_curves", curves->count, "1",
                                 "curves of S below the diagonal, up to period 9 s"};
    carom_status status = write_curves(o, curves);
    carom_flight_time_curves_free(curves);
    CAROM_TRY(status);
    carom_record_measures(o->record, &count, 1);
    CAROM_TRY(make_dots(o));
    claim_plane(o);
    claim_cases(o);
    return CAROM_OK;
}
