/** Motions with two impacts: the set S of flight times, and the continuum next to 3 T_3 (section
 * 7.3, figures 9 to 11). */
#include "results.h"

#include <math.h>
#include <stdlib.h>

/* --- the set S and the points (7.22) (figure 9) ----------------------------------------------- */

/** Side of the square of figure 9, chosen, and the grid on its triangle. */
static const double SIDE = 4.5;
enum { CURVE_CELLS = 300 };
/** So near a harmonic, as a part of its period, that its pole decides a sign, if it has one. */
static const double BESIDE = 1e-6;

/** Two flight times; on a harmonic also which point it is, and lambda of equal speeds beside it. */
typedef struct point {
    double sigma_1;
    double sigma_2;
    int mode;
    int half_periods;
    double lambda_below;
    double lambda_above;
} point;

static const carom_field CURVE_FIELDS[] = {
    CAROM_FIELD("sigma_1", point, sigma_1, "s", "first flight, the longer one; NaN between curves"),
    CAROM_FIELD("sigma_2", point, sigma_2, "s", "second flight; NaN between curves"),
};

static const carom_field DOT_FIELDS[] = {
    CAROM_FIELD("sigma_1", point, sigma_1, "s", "first flight p/2 T_i"),
    CAROM_FIELD("sigma_2", point, sigma_2, "s", "second flight (q - p/2) T_i"),
    CAROM_FIELD("mode", point, mode, "1", "mode i, from 1"),
    CAROM_FIELD("half_periods", point, half_periods, "1", "p of the first flight"),
    CAROM_FIELD("lambda_below", point, lambda_below, "J0.5",
                "lambda of a period that is a millionth smaller"),
    CAROM_FIELD("lambda_above", point, lambda_above, "J0.5",
                "lambda of a period that is a millionth larger"),
};

/** Copy the curves into the square, cut by NaN rows; returns the number of rows. */
static int clip(const carom_flight_time_curves *curves, point *rows) {
    int row = 0;
    bool is_cut = true;
    for (int c = 0; c < curves->count; c++) {
        const carom_flight_time_curve *curve = &curves->curves[c];
        const int count = curve->count + (curve->is_closed != 0 ? 1 : 0);
        for (int i = 0; i <= count; i++) {
            const int vertex = i == curve->count ? 0 : i;
            const bool is_inside = i < count && curve->sigma_1[vertex] <= SIDE;
            if (is_inside) {
                rows[row++] =
                    (point){.sigma_1 = curve->sigma_1[vertex], .sigma_2 = curve->sigma_2[vertex]};
            } else if (!is_cut) {
                rows[row++] = (point){.sigma_1 = NAN, .sigma_2 = NAN};
            }
            is_cut = !is_inside;
        }
    }
    return row;
}

/** Write the curves a = 0 and their number. */
static carom_status write_curves(const oscillator *o) {
    CAROM_AUTO(carom_flight_time_curves) curves = NULL;
    CAROM_TRY(carom_two_impacts_curves(o->basis, 2.0 * SIDE, CURVE_CELLS, &curves, o->report));
    int total = 0;
    for (int c = 0; c < curves->count; c++) {
        total += curves->curves[c].count + 2;
    }
    CAROM_AUTO_MEMORY point *rows = malloc((size_t)(total + 1) * sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const int count = clip(curves, rows);
    if (count > 0) {
        carom_record group = carom_record_group(o->record, "/double/curves");
        carom_record_index_axis(&group, "vertex", count, "vertex of the curves");
        carom_record_rows(&group, "vertex", rows, count, sizeof *rows, CURVE_FIELDS,
                          COUNT(CURVE_FIELDS));
        carom_record_integer(&group, "count", curves->count, "1",
                             "curves of S below the diagonal, up to period 9 s");
    }
    return CAROM_OK;
}

/** -g_0/(alpha + beta) at a period and the first impact of a point (7.26). */
static double lambda_beside(const carom_modal_basis *basis, double period, double t_1) {
    return -basis->gap_at_rest / (carom_kernels_evaluate(basis, period, period).gap +
                                  carom_kernels_evaluate(basis, period, period - 2.0 * t_1).gap);
}

/** Go through the points sigma_1 = p/2 T_i, sigma_2 = (q - p/2) T_i in the square; fill rows if
 * that is not NULL. */
static int list_dots(const carom_modal_basis *basis, point *rows) {
    int count = 0;
    for (int i = 0; i < basis->visible_count; i++) {
        const double T = 2.0 * acos(-1.0) / basis->frequency[i];
        for (int q = 1; q * T <= 2.0 * SIDE; q++) {
            for (int p = 1; p < 2 * q; p++) {
                const double t_1 = 0.5 * p * T;
                if (fmax(t_1, q * T - t_1) > SIDE) {
                    continue;
                }
                if (rows != NULL) {
                    rows[count] = (point){
                        .sigma_1 = t_1,
                        .sigma_2 = (q - 0.5 * p) * T,
                        .mode = i + 1,
                        .half_periods = p,
                        .lambda_below = lambda_beside(basis, q * T * (1.0 - BESIDE), t_1),
                        .lambda_above = lambda_beside(basis, q * T * (1.0 + BESIDE), t_1),
                    };
                }
                count++;
            }
        }
    }
    return count;
}

static carom_status write_dots(const oscillator *o) {
    const int count = list_dots(o->basis, NULL);
    CAROM_AUTO_MEMORY point *rows = malloc((size_t)(count + 1) * sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    if (list_dots(o->basis, rows) > 0) {
        carom_record group = carom_record_group(o->record, "/double/dots");
        carom_record_index_axis(&group, "dot", count, "point (7.22)");
        carom_record_rows(&group, "dot", rows, count, sizeof *rows, DOT_FIELDS, COUNT(DOT_FIELDS));
    }
    return CAROM_OK;
}

/* --- the continuum next to 3 T_3 (figures 10 and 11) ------------------------------------------ */

/** Its harmonic, 3 T_3, approached at (2 T_3, T_3). */
enum { MODE = 2, MULTIPLE = 3, FIRST_FLIGHT = 2 };

/** Where the branch is started: so near the harmonic that the point is a good guess. */
static const double START = 1e-2;
/** A period is that of the harmonic: its error is that of the eigenvalue. */
static const double SAME_PERIOD = 1e-12;
/** Impacts of this part of the unit direction are none: rounding at the harmonic. */
static const double NO_IMPACT = 1e-10;

/** What a motion of a given period is found from. */
typedef struct followed {
    const carom_orbit_branch *branch;
    double harmonic;
} followed;

/** The motion of a period on the branch: from its nearest point, to that period. */
static carom_status make_motion(const oscillator *o, double period, const void *context,
                                carom_orbit **out) {
    const followed *b = context;
    const double mode_period = b->harmonic / MULTIPLE;
    const double dot[2] = {FIRST_FLIGHT * mode_period, b->harmonic - FIRST_FLIGHT * mode_period};
    if (fabs(period - b->harmonic) < SAME_PERIOD * b->harmonic) {
        return serial_oscillator_solve(o, 2, dot, b->harmonic, out);
    }
    int nearest = 0;
    for (int i = 1; i < b->branch->point_count; i++) {
        if (fabs(b->branch->period[i] - period) < fabs(b->branch->period[nearest] - period)) {
            nearest = i;
        }
    }
    return serial_oscillator_solve(o, 2, b->branch->flight_times + 2 * (size_t)nearest, period,
                                   out);
}

/** Follow the branch from beside the harmonic: on its left for a positive gap, on its right else.
 * NULL if there is none. */
static carom_status follow(oscillator *o, double harmonic, carom_orbit_branch **branch) {
    const double side = o->values->gap > 0.0 ? -1.0 : 1.0;
    const double T = harmonic * (1.0 + side * START);
    const double guess[2] = {FIRST_FLIGHT * T / MULTIPLE, T - FIRST_FLIGHT * T / MULTIPLE};
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_TRY(serial_oscillator_solve(o, 2, guess, T, &orbit));
    if (orbit == NULL || !serial_oscillator_is_admissible(o, orbit)) {
        return CAROM_OK;
    }
    bool found = false;
    return serial_oscillator_may_miss(
        carom_orbit_branch_follow(o->basis, orbit, NULL, NULL, NULL, branch, NULL), &found);
}

/** Largest relative difference of the two speeds on the branch. */
static double speed_difference(const carom_orbit_branch *branch) {
    double difference = 0.0;
    for (int i = 0; i < branch->point_count; i++) {
        const double *lambda = branch->gap_sign[i] == 0 ? branch->direction : branch->lambda;
        const double one = lambda[2 * i];
        const double other = lambda[2 * i + 1];
        const double size = fmax(fabs(one), fabs(other));
        if (size > NO_IMPACT) {
            difference = fmax(difference, fabs(one - other) / size);
        }
    }
    return difference;
}

/** Write the branch. */
static carom_status write_branch(const oscillator *o, const carom_orbit_branch *branch) {
    const int count = branch->point_count;
    CAROM_AUTO_MEMORY double *sigma = malloc(2 * (size_t)count * sizeof *sigma);
    if (sigma == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < count; i++) {
        sigma[i] = branch->flight_times[2 * i];
        sigma[count + i] = branch->flight_times[2 * i + 1];
    }
    const carom_column columns[] = {
        {"period", branch->period, "s", "period T"},
        {"sigma_1", sigma, "s", "first flight"},
        {"sigma_2", sigma + count, "s", "second flight"},
    };
    carom_record group = carom_record_group(o->record, "/double/branch");
    carom_record_index_axis(&group, "point", count, "point of the branch");
    carom_record_columns(&group, "point", NULL, columns, COUNT(columns));
    const carom_measure errors[] = {
        {"speed_difference", speed_difference(branch), "1", "largest difference of the two speeds"},
        {"identity_error", branch->identity_error, "1",
         "largest error of E dT = -(g_0/sqrt G) d(sum lambda)"},
    };
    carom_record_scalars(&group, errors, COUNT(errors));
    return CAROM_OK;
}

/** The six motions: five given periods, the linear mode; and the surface from the first to the
 * last. */
static carom_status write_cases(oscillator *o, const followed *b) {
    const carom_orbit_branch *branch = b->branch;
    const double one = branch->period[0];
    const double other = branch->period[branch->point_count - 1];
    const carom_real_list *periods = &o->values->double_periods;
    double axes_error = NAN;
    double first = NAN;
    for (int i = 0; i <= periods->count; i++) {
        const double T = i < periods->count ? periods->values[i] : b->harmonic;
        if (i < periods->count && !(T > fmin(one, other) && T < fmax(one, other))) {
            continue;
        }
        CAROM_AUTO(carom_orbit) orbit = NULL;
        CAROM_TRY(make_motion(o, T, b, &orbit));
        if (orbit == NULL) {
            continue;
        }
        CAROM_TRY(serial_oscillator_write_case(o, "/double", i + 1, orbit));
        first = i == 0 ? orbit->period : first;
        if (i < periods->count) {
            const double t_1 = orbit->flight_times[0];
            const double axis_2 = 0.5 * (t_1 + orbit->period);
            axes_error = fmax(axes_error, serial_oscillator_asymmetry(o, orbit, 0.5 * t_1));
            axes_error = fmax(axes_error, serial_oscillator_asymmetry(o, orbit, axis_2));
        }
    }
    carom_record_scalar(o->record, "/double/asymmetry", axes_error, "1",
                        "largest asymmetry about t_1/2 and (t_1 + T)/2, motions 1 to 5; NaN: none");
    return isfinite(first)
               ? serial_oscillator_write_surface(o, "/double", first, b->harmonic, make_motion, b)
               : CAROM_OK;
}

carom_status serial_oscillator_write_double(oscillator *o) {
    carom_record_index_axis(o->record, "/double/impact", 2, "impact of the period");
    CAROM_TRY(write_curves(o));
    CAROM_TRY(write_dots(o));
    if (o->basis->visible_count <= MODE) {
        return CAROM_OK;
    }
    const double harmonic = MULTIPLE * 2.0 * acos(-1.0) / o->basis->frequency[MODE];
    CAROM_AUTO(carom_orbit_branch) branch = NULL;
    CAROM_TRY(follow(o, harmonic, &branch));
    if (branch == NULL) {
        return CAROM_OK;
    }
    CAROM_TRY(write_branch(o, branch));
    return write_cases(o, &(followed){branch, harmonic});
}
