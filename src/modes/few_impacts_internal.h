/** The parts of motions with one and two impacts per period. */
#ifndef CAROM_MODES_FEW_IMPACTS_INTERNAL_H
#define CAROM_MODES_FEW_IMPACTS_INTERNAL_H

#include <carom/base/roots.h>
#include <carom/modes/few_impacts.h>
#include <carom/modes/modal_basis.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* --------------------------------------------------------------------------------- half a phase */
/* Sine and cosine of half the angle w T; the zeros of the sine are the poles of the kernels. */

/** sin and cos of w t / 2. */
typedef struct carom_half_angle {
    double sine;
    double cosine;
} carom_half_angle;

/** Relative rounding of a harmonic p (2 pi / w), computed in three operations. */
#define CAROM_HALF_ANGLE_ROUNDING (2.0 * DBL_EPSILON)

/**
 * sin and cos of w t / 2 for the exact product: its rounding error e is recovered and added to
 * first order. Near a harmonic the sine is all that is left of a difference, and with the rounded
 * product its relative error would be e / |sin|.
 *
 * @param[in] w frequency, rad/s
 * @param[in] t time, s
 */
static inline carom_half_angle carom_half_angle_of(double w, double t) {
    const double half = 0.5 * t;
    const double phase = w * half;
    const double rounding = fma(w, half, -phase);
    const double sine = sin(phase);
    const double cosine = cos(phase);
    const carom_half_angle result = {
        .sine = sine + rounding * cosine,
        .cosine = cosine - rounding * sine,
    };
    return result;
}

/** The same for a period; where it is a harmonic to rounding, the sine is exactly zero. */
static inline carom_half_angle carom_half_angle_of_period(double w, double period) {
    carom_half_angle result = carom_half_angle_of(w, period);
    if (fabs(result.sine) <= CAROM_HALF_ANGLE_ROUNDING * 0.5 * w * period) {
        result.sine = 0.0;
    }
    return result;
}

/* ------------------------------------------------------------------------- grid of flight times */
/* The grid on which the curves of two_impacts.c are found; not for users of the library. */

/**
 * a(sigma_1, sigma_2) = Upsilon_T(sigma_2 - sigma_1) without its poles: multiplied by the sign of
 * prod sin(w T/2) and divided by sum rho^2/|sin(w T/2)|. In [-1, 1], continuous except at harmonics
 * that several modes share, of the same zeros
 * as the product form (7.20), antisymmetric under exchange of the flight times.
 */
double carom_two_impacts_regular(const carom_modal_basis *basis, double sigma_1, double sigma_2);

/** What a grid edge carries: the index of its point, or none, or one on the axis sigma_2 = 0. */
enum { CAROM_FLIGHT_TIME_NO_POINT = -1, CAROM_FLIGHT_TIME_AXIS_POINT = -2 };

/**
 * The grid has lines of constant period T and of constant theta = (sigma_1 - sigma_2)/T: theta = 0
 * is the diagonal and theta = 1 the axis sigma_2 = 0. Between two lines of T lies at most one
 * harmonic.
 */
typedef struct carom_flight_time_grid {
    const carom_modal_basis *basis;
    int harmonic_count; /**< harmonics up to the largest period, coincident ones once */
    double *harmonics;  /**< ascending, s */
    int repeated_count; /**< harmonics left out of the list above */
    double *repeated;   /**< ascending, s */
    int cells;          /**< along theta */
    int line_count;     /**< lines of constant T */
    double *lines;      /**< [line_count] T, ascending, s */
    signed char *signs; /**< [line_count][cells + 1] of the function at the nodes */
    int *on_lines;      /**< [line_count][cells] points on the edges along theta */
    int *across;        /**< [line_count - 1][cells + 1] points on the edges along T */
    int point_count;
    double *sigma;   /**< [point_count][2] s */
    int *neighbours; /**< [point_count][2] points joined to each by a cell */
    carom_bracket bracket;
} carom_flight_time_grid;

/**
 * Lay out the grid up to a period and compute all points where its edges cross a curve.
 *
 * @param[in,out] work       basis and cells are set, all else zero; to be cleared also on failure
 * @param[in]     max_period s
 * @return CAROM_OK; OUT_OF_RANGE for more harmonics than can be counted; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_flight_time_grid_compute(carom_flight_time_grid *work,
                                                             double max_period);

/** Free what a grid holds. */
void carom_flight_time_grid_clear(carom_flight_time_grid *work);

/**
 * The function whose zeros are sought: -a / theta in regular form, with its limit on the diagonal.
 * All modes that are resonant together change sign together at their harmonic, which the product
 * of the signs does not undo: it is counted once.
 */
double carom_flight_time_grid_value(const carom_flight_time_grid *work, double T, double theta);

/** theta of the column j. */
double carom_flight_time_grid_theta(const carom_flight_time_grid *work, int j);

/** Sign of the function at node (i, j), 1 or -1. */
int carom_flight_time_grid_sign(const carom_flight_time_grid *work, int i, int j);

/** The point on the edge from node (i, j) to (i, j + 1), along theta. */
int carom_flight_time_grid_on_line(const carom_flight_time_grid *work, int i, int j);

/** The point on the edge from node (i, j) to (i + 1, j), along T. */
int carom_flight_time_grid_across(const carom_flight_time_grid *work, int i, int j);

/* ------------------------------------------------------------------------------ constant period */
/* Shared by the sources of constant_period.c: the two equations of a family, and its members. */

/** Flight times that differ by less than this part of the period are equal: half of all digits. */
#define CAROM_CONSTANT_PERIOD_DISTANCE 1e-8

/**
 * Both equations of a family and their gradients by (sigma_1, sigma_2): a = Upsilon_T(sigma_2 -
 * sigma_1), and c = (beta - alpha) / (2 sqrt(G)) = sum (rho^2/w) sin(w sigma_1/2) sin(w sigma_2/2)
 * / sin(w T/2), free of the cancellation between alpha and beta.
 */
typedef struct carom_constant_period_equations {
    double a;         /**< 1 */
    double c;         /**< s */
    double by_a[2];   /**< gradient of a, 1/s */
    double by_c[2];   /**< gradient of c, 1; positive: c rises with both */
    double size;      /**< sum rho^2 / |sin(w T/2)|: a/size and c/size are regular, 1 */
    double by_size;   /**< its derivative by either flight time, 1/s */
    double sign;      /**< of prod sin(w T/2) */
    double timescale; /**< sum rho^2 / w, the size of regular c, s */
} carom_constant_period_equations;

/** Evaluate at flight times [2]; infinite or NaN at a harmonic. */
carom_constant_period_equations carom_constant_period_equations_at(const carom_modal_basis *basis,
                                                                   const double *sigma);

/** Damped Newton's method for a = c = 0 from flight times [2], in place; false if it fails. */
bool carom_constant_period_newton(const carom_modal_basis *basis, double *sigma);

/** The family at flight times [2] that solve both equations, not judged yet. */
carom_constant_period_family carom_constant_period_family_at(const carom_modal_basis *basis,
                                                             const double *sigma);

/** OK, or OUT_OF_RANGE and a report for a structure without a gap at rest. */
CAROM_MUST_CHECK carom_status carom_constant_period_check_gap(const carom_modal_basis *basis,
                                                              carom_report *report);

/** Work memory that decides whether members are admissible. */
typedef struct carom_constant_period_judge {
    const carom_modal_basis *basis;
    carom_contact_motion *motion;
    carom_orbit *orbit; /**< two impacts */
    double *state;      /**< [m][2] */
} carom_constant_period_judge;

/** Allocate what else a judge with a basis holds, to be cleared also after a failure.
 * @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_constant_period_judge_init(carom_constant_period_judge *work);

/** Free what it holds. */
void carom_constant_period_judge_clear(carom_constant_period_judge *work);

/** Find the admissible range of lambda_1 of a family whose other fields are set. */
void carom_constant_period_judge_family(carom_constant_period_judge *work,
                                        carom_constant_period_family *family);

/* ------------------------------------------------------------------------------------ harmonics */

/** Number of harmonics of all visible modes up to a period, those that coincide counted twice, 1;
 * no int need hold it. */
double carom_single_impact_harmonics(const carom_modal_basis *basis, double max_period);

#endif
