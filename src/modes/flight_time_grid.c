#include <carom/modes/few_impacts_internal.h>

#include <carom/base/base.h>
#include <carom/base/roots.h>

#include <float.h>
#include <gsl/gsl_math.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

/** sin(w T/2) is held this many roundings of its argument away from zero, as to the right of T. */
static const double SINE_ROUNDINGS = 4.0;

/** Harmonics of different modes closer than this are one: frequencies are not known better. */
static const double COINCIDENCE = 1e-12;

/**
 * Lines of the grid keep this part of the period away from a harmonic of several modes, where the
 * order of these is rounding.
 */
static const double LINE_CLEARANCE = 1e-10;

/** A line just above a harmonic, in cells: near its points, but not singular. */
static const double HARMONIC_DISTANCE = 1e-3;

/** Brent's method to the last digit; 15 steps are usual, 60 are bisections all along. */
enum { ROOT_ITERATIONS = 200 };

/** The sums that make up the regular form of a. */
typedef struct regular_sums {
    double numerator; /**< sum rho^2 s_l / sin(w T/2), s_l of the caller */
    double size;      /**< sum rho^2 / |sin(w T/2)| */
    double sign;      /**< of prod sin(w T/2) */
} regular_sums;

/** Add a mode with the sine s of its difference of phases, at w T/2 = half. */
static void add_mode(regular_sums *sums, double rho, double half, double s) {
    const double least = SINE_ROUNDINGS * DBL_EPSILON * half;
    double sine = sin(half);
    if (fabs(sine) < least) {
        sine = cos(half) < 0.0 ? -least : least;
    }
    sums->numerator += rho * rho * s / sine;
    sums->size += rho * rho / fabs(sine);
    sums->sign = sine < 0.0 ? -sums->sign : sums->sign;
}

double carom_two_impacts_regular(const carom_modal_basis *basis, double sigma_1, double sigma_2) {
    regular_sums sums = {.numerator = 0.0, .size = 0.0, .sign = 1.0};
    for (int l = 0; l < basis->visible_count; l++) {
        const double w = basis->frequency[l];
        add_mode(&sums, basis->participation[l], 0.5 * w * (sigma_1 + sigma_2),
                 sin(0.5 * w * (sigma_2 - sigma_1)));
    }
    return sums.sign * sums.numerator / sums.size;
}

double carom_flight_time_grid_value(const carom_flight_time_grid *work, double T, double theta) {
    const carom_modal_basis *basis = work->basis;
    regular_sums sums = {.numerator = 0.0, .size = 0.0, .sign = 1.0};
    for (int l = 0; l < basis->visible_count; l++) {
        const double half = 0.5 * basis->frequency[l] * T;
        add_mode(&sums, basis->participation[l], half,
                 theta > 0.0 ? sin(half * theta) / theta : half);
    }
    for (int i = 0; i < work->repeated_count && work->repeated[i] <= T; i++) {
        sums.sign = -sums.sign;
    }
    // on the axis every mode has its sine over itself
    return sums.sign * (theta < 1.0 ? sums.numerator : 1.0) / sums.size;
}

static int compare(const void *left, const void *right) {
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

/** How many harmonics a mode has up to a period, itself included to rounding. */
static double multiples(const carom_modal_basis *basis, int mode, double period) {
    return floor((1.0 + COINCIDENCE) * period * basis->frequency[mode] / (2.0 * M_PI));
}

/** List all harmonics up to a period, those of several modes once; the rest is listed apart. */
static carom_status list_harmonics(carom_flight_time_grid *work, double max_period) {
    const carom_modal_basis *basis = work->basis;
    double total = 0.0;
    for (int l = 0; l < basis->visible_count; l++) {
        total += multiples(basis, l, max_period);
    }
    if (!(total < (double)INT_MAX)) {
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    const size_t size = (size_t)total + 1;
    work->harmonics = calloc(size, sizeof(double));
    work->repeated = calloc(size, sizeof(double));
    if (work->harmonics == NULL || work->repeated == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    int count = 0;
    for (int l = 0; l < basis->visible_count; l++) {
        const int largest = (int)multiples(basis, l, max_period);
        for (int p = 1; p <= largest; p++) {
            work->harmonics[count++] = p * (2.0 * M_PI / basis->frequency[l]);
        }
    }
    qsort(work->harmonics, (size_t)count, sizeof(double), compare);
    for (int i = 0; i < count; i++) {
        const double T = work->harmonics[i];
        const int kept = work->harmonic_count;
        if (kept > 0 && T - work->harmonics[kept - 1] <= COINCIDENCE * T) {
            work->repeated[work->repeated_count++] = T;
        } else {
            work->harmonics[work->harmonic_count++] = T;
        }
    }
    return CAROM_OK;
}

/** A line at a period, or just below if that is a harmonic of several modes. */
static double clear_of_repeated(const carom_flight_time_grid *work, double T) {
    for (int i = 0; i < work->repeated_count; i++) {
        if (fabs(T - work->repeated[i]) <= LINE_CLEARANCE * T) {
            return T - 2.0 * LINE_CLEARANCE * T;
        }
    }
    return T;
}

/**
 * Lines of T, evenly spaced, and one just above every harmonic: there the points of a curve are
 * near those of (7.22), a period of the mode apart, so that no grid is too coarse for them. Below
 * the first harmonic there is no zero.
 */
static carom_status place_lines(carom_flight_time_grid *work, double max_period) {
    work->lines = calloc((size_t)work->cells + (size_t)work->harmonic_count, sizeof(double));
    if (work->lines == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const double spacing = max_period / work->cells;
    int count = 0;
    for (int i = 1; i <= work->cells; i++) {
        work->lines[count++] = clear_of_repeated(work, i < work->cells ? i * spacing : max_period);
    }
    for (int i = 0; i < work->harmonic_count; i++) {
        const double T = work->harmonics[i];
        const bool is_last = i + 1 == work->harmonic_count;
        const double next = is_last ? max_period : work->harmonics[i + 1];
        if (next > T) {
            work->lines[count++] = T + fmin(HARMONIC_DISTANCE * spacing, 0.5 * (next - T));
        }
    }
    qsort(work->lines, (size_t)count, sizeof(double), compare);
    work->line_count = count;
    return CAROM_OK;
}

double carom_flight_time_grid_theta(const carom_flight_time_grid *work, int j) {
    return (double)j / work->cells;
}

int carom_flight_time_grid_sign(const carom_flight_time_grid *work, int i, int j) {
    return work->signs[(size_t)i * (size_t)(work->cells + 1) + (size_t)j];
}

/** The entry of the edge from node (i, j) along theta, and along T. */
static int *on_line(const carom_flight_time_grid *work, int i, int j) {
    return &work->on_lines[(size_t)i * (size_t)work->cells + (size_t)j];
}

static int *across(const carom_flight_time_grid *work, int i, int j) {
    return &work->across[(size_t)i * (size_t)(work->cells + 1) + (size_t)j];
}

int carom_flight_time_grid_on_line(const carom_flight_time_grid *work, int i, int j) {
    return *on_line(work, i, j);
}

int carom_flight_time_grid_across(const carom_flight_time_grid *work, int i, int j) {
    return *across(work, i, j);
}

/** Signs at all nodes, and a number for every edge whose ends differ. */
static carom_status mark_edges(carom_flight_time_grid *work) {
    const size_t nodes = (size_t)work->line_count * (size_t)(work->cells + 1) + 1;
    work->signs = calloc(nodes, sizeof(signed char));
    work->on_lines = calloc(nodes, sizeof(int));
    work->across = calloc(nodes, sizeof(int));
    if (work->signs == NULL || work->on_lines == NULL || work->across == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < work->line_count; i++) {
        for (int j = 0; j <= work->cells; j++) {
            const double value = carom_flight_time_grid_value(
                work, work->lines[i], carom_flight_time_grid_theta(work, j));
            work->signs[(size_t)i * (size_t)(work->cells + 1) + (size_t)j] = value < 0.0 ? -1 : 1;
        }
    }
    for (int i = 0; i < work->line_count; i++) {
        for (int j = 0; j <= work->cells; j++) {
            const int sign = carom_flight_time_grid_sign(work, i, j);
            if (j < work->cells) {
                const bool is_crossed = sign != carom_flight_time_grid_sign(work, i, j + 1);
                *on_line(work, i, j) =
                    is_crossed ? work->point_count++ : CAROM_FLIGHT_TIME_NO_POINT;
            }
            if (i + 1 < work->line_count) {
                const bool is_crossed = sign != carom_flight_time_grid_sign(work, i + 1, j);
                const bool is_axis = j == work->cells;
                *across(work, i, j) = !is_crossed ? CAROM_FLIGHT_TIME_NO_POINT
                                      : is_axis   ? CAROM_FLIGHT_TIME_AXIS_POINT
                                                  : work->point_count++;
            }
        }
    }
    return CAROM_OK;
}

/** An edge of the grid as a function of one variable. */
typedef struct edge {
    const carom_flight_time_grid *work;
    bool is_line; /**< T is fixed and theta varies, or the other way */
    double fixed;
} edge;

static double value_on_edge(double x, void *context) {
    const edge *e = context;
    return e->is_line ? carom_flight_time_grid_value(e->work, e->fixed, x)
                      : carom_flight_time_grid_value(e->work, x, e->fixed);
}

/** The zero on an edge whose ends differ in sign, to rounding; stored as flight times. */
static void polish(carom_flight_time_grid *work, bool is_line, double fixed, double a, double b,
                   int point) {
    edge e = {.work = work, .is_line = is_line, .fixed = fixed};
    gsl_function f = {.function = value_on_edge, .params = &e};
    carom_bracket *bracket = &work->bracket;
    carom_status status = carom_bracket_start(bracket, &f, a, b);
    for (int i = 0; status == CAROM_OK && i < ROOT_ITERATIONS &&
                    bracket->high - bracket->low > DBL_EPSILON * bracket->high;
         i++) {
        status = carom_bracket_narrow(bracket);
    }
    const double x = bracket->root;
    const double T = is_line ? fixed : x;
    const double theta = is_line ? x : fixed;
    work->sigma[2 * point] = 0.5 * T * (1.0 + theta);
    work->sigma[2 * point + 1] = 0.5 * T * (1.0 - theta);
}

/** Compute all points. */
static carom_status place_points(carom_flight_time_grid *work) {
    const size_t size = 2 * (size_t)work->point_count + 1;
    work->sigma = calloc(size, sizeof(double));
    work->neighbours = calloc(size, sizeof(int));
    if (work->sigma == NULL || work->neighbours == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_bracket_init(&work->bracket));
    for (int i = 0; i < work->line_count; i++) {
        for (int j = 0; j < work->cells; j++) {
            const double T = work->lines[i];
            const double theta = carom_flight_time_grid_theta(work, j);
            if (*on_line(work, i, j) >= 0) {
                polish(work, true, T, theta, carom_flight_time_grid_theta(work, j + 1),
                       *on_line(work, i, j));
            }
            if (i + 1 < work->line_count && *across(work, i, j) >= 0) {
                polish(work, false, theta, T, work->lines[i + 1], *across(work, i, j));
            }
        }
    }
    return CAROM_OK;
}

carom_status carom_flight_time_grid_compute(carom_flight_time_grid *work, double max_period) {
    CAROM_TRY(list_harmonics(work, max_period));
    if (work->harmonic_count == 0) {
        return CAROM_OK;
    }
    CAROM_TRY(place_lines(work, max_period));
    CAROM_TRY(mark_edges(work));
    return place_points(work);
}

void carom_flight_time_grid_clear(carom_flight_time_grid *work) {
    free(work->harmonics);
    free(work->repeated);
    free(work->lines);
    free(work->signs);
    free(work->on_lines);
    free(work->across);
    free(work->sigma);
    free(work->neighbours);
    carom_bracket_clear(&work->bracket);
}
