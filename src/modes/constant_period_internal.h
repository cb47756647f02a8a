/** Shared by the sources of constant_period.c: the two equations of a family, and its members. */
#ifndef CAROM_MODES_CONSTANT_PERIOD_INTERNAL_H
#define CAROM_MODES_CONSTANT_PERIOD_INTERNAL_H

#include <carom/modes/few_impacts.h>

#include <stdbool.h>

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

/** Allocate. @return CAROM_OK; OUT_OF_MEMORY, with nothing left allocated */
CAROM_MUST_CHECK carom_status carom_constant_period_judge_init(const carom_modal_basis *basis,
                                                               carom_constant_period_judge *work);

/** Free what it holds. */
void carom_constant_period_judge_clear(carom_constant_period_judge *work);

/** Find the admissible range of lambda_1 of a family whose other fields are set. */
void carom_constant_period_judge_family(carom_constant_period_judge *work,
                                        carom_constant_period_family *family);

#endif
