/** Families of motions with two impacts at constant period and impact times, bridges among them. */
#ifndef CAROM_MODES_CONSTANT_PERIOD_H
#define CAROM_MODES_CONSTANT_PERIOD_H

#include <carom/base/attributes.h>
#include <carom/modes/admissibility.h>
#include <carom/modes/two_impacts.h>

CAROM_BEGIN_DECLARATIONS

/**
 * Where a = 0 and alpha = beta, Gamma_T(T) = Gamma_T(sigma_2 - sigma_1), every pair lambda_1 +
 * lambda_2 = -g_0/alpha solves: a segment of motions, linear in lambda_1. With sigma_1 = sigma_2 it
 * is a bridge between motions with one and with two impacts per period (section 7.3.3).
 */
typedef struct carom_constant_period_family {
    double sigma_1;    /**< s; sigma_1 <= sigma_2 */
    double sigma_2;    /**< s */
    double lambda_sum; /**< lambda_1 + lambda_2, J^1/2 */
    int is_bridge;     /**< sigma_1 = sigma_2 */
    int is_full;       /**< the whole segment lambda_1, lambda_2 >= 0 is admissible */
    double
        lower_lambda; /**< admissible range of lambda_1, symmetric about half the sum; NaN both */
    double upper_lambda; /**< if no member is admissible */
} carom_constant_period_family;

typedef struct carom_constant_period_families {
    int count;
    carom_constant_period_family *families; /**< [count] by rising period */
} carom_constant_period_families;

/**
 * The member of a family with a given lambda_1.
 *
 * @param[in]     basis    the structure
 * @param[in]     family   found by the functions below
 * @param[in]     lambda_1 J^1/2; lambda_2 is the rest of the sum
 * @param[in,out] orbit    allocated with two impacts; all fields written
 * @return CAROM_OK; SINGULAR at a harmonic
 * Source: thorin-2017 (7.27)-(7.30).
 */
CAROM_MUST_CHECK carom_status carom_constant_period_member(
    const carom_modal_basis *basis, const carom_constant_period_family *family, double lambda_1,
    carom_orbit *orbit);

/**
 * Solve for the family nearest to a guess of its flight times (two equations, two unknowns) and
 * judge its members: non-penetration is convex in lambda_1, so the admissible range is an interval.
 *
 * @param[in]  basis   the structure; gap at rest not zero
 * @param[in]  sigma_1 guess, s
 * @param[in]  sigma_2 guess, s
 * @param[out] family  complete
 * @param[out] report  may be NULL
 * @return CAROM_OK; NOT_CONVERGED; OUT_OF_RANGE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_constant_period_solve(const carom_modal_basis *basis,
                                                          double sigma_1, double sigma_2,
                                                          carom_constant_period_family *family,
                                                          carom_report *report);

/**
 * All bridges with period <= max_period and lambda_sum > 0: the roots of sum (rho^2/w) tan(w T/4)
 * = 0, which rises between consecutive poles (odd multiples of the modes' periods), one root in
 * each.
 *
 * @param[in]  basis      the structure; gap at rest not zero
 * @param[in]  max_period s
 * @param[out] out        belongs to the caller, to be freed by carom_constant_period_families_free
 * @param[out] report     may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; OUT_OF_MEMORY; NOT_CONVERGED
 */
CAROM_MUST_CHECK carom_status carom_constant_period_bridges(const carom_modal_basis *basis,
                                                            double max_period,
                                                            carom_constant_period_families **out,
                                                            carom_report *report);

/**
 * All families on given curves of the flight-time plane with sigma_1 != sigma_2 and lambda_sum >=
 * 0: each change of sign of alpha - beta along a curve, polished to rounding.
 *
 * @param[in]  basis  the structure; gap at rest not zero
 * @param[in]  curves from carom_two_impacts_curves
 * @param[out] out    belongs to the caller, to be freed by carom_constant_period_families_free
 * @param[out] report may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_constant_period_on_curves(
    const carom_modal_basis *basis, const carom_flight_time_curves *curves,
    carom_constant_period_families **out, carom_report *report);

/** Free; NULL is accepted. */
void carom_constant_period_families_free(carom_constant_period_families *families);
CAROM_AUTO_TYPE(carom_constant_period_families)

CAROM_END_DECLARATIONS

#endif
