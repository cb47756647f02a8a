/** A sum of modes that is zero at the impact: the gap of the contact, or its force. */
#ifndef CAROM_COLLISIONLESS_MOTION_MODE_SUM_H
#define CAROM_COLLISIONLESS_MOTION_MODE_SUM_H

#include <carom/collisionless/motion/phase_spectra.h>

CAROM_BEGIN_DECLARATIONS

/**
 * f(t) = sum_i w_i (h_i(t) - h_i(T)) exp(-L_i) with the modes h_i of carom_mode_function, the
 * impact time T = +-duration and L_i the log scale of mode i at T: no term overflows while
 * |t| <= |T|, however fast a hyperbolic mode grows. The arrays are borrowed.
 */
typedef struct carom_mode_sum {
    int count;                  /**< of modes */
    const double *lambda;       /**< [count] squared frequencies, 1/s2 */
    const carom_parity *parity; /**< [count] */
    const double *weight;       /**< w [count] */
    const double *log_scale;    /**< L [count], 1 */
    double impact_time;         /**< T, s: tau for the gap, -tau' for the force */
    double offset;              /**< sum_i w_i h_i(T) exp(-L_i) */
} carom_mode_sum;

/** Set the offset so that the sum vanishes at its impact time. Cost: O(count). */
void carom_mode_sum_anchor(carom_mode_sum *sum);

/**
 * The sum and its first three derivatives.
 *
 * @param[in]  sum        anchored
 * @param[in]  t          s, usually |t| <= |T|
 * @param[out] derivative [4] f, f', f'', f'''
 */
void carom_mode_sum_evaluate(const carom_mode_sum *sum, double t, double *derivative);

/**
 * A bound of a derivative on an interval: sum_i |w_i| max |h_i^(order)| exp(-L_i), with |cos| <= 1
 * and |sin| <= min(1, angle) for oscillating modes and exact maxima for the others. For order 0 the
 * bound is that of sum |w_i h_i|, without the offset.
 *
 * @param[in] sum   anchored
 * @param[in] order 0 to 4
 * @param[in] t     largest |time| of the interval, s, >= 0
 */
double carom_mode_sum_bound(const carom_mode_sum *sum, int order, double t);

/**
 * A bound of the rounding errors of f(t) + f'(t) x + f''(t) x2/2 as evaluated, |x| <= radius.
 *
 * @param[in] sum    anchored
 * @param[in] t      largest |time| of the interval, s, >= 0
 * @param[in] radius s
 */
double carom_mode_sum_rounding(const carom_mode_sum *sum, double t, double radius);

CAROM_END_DECLARATIONS

#endif
