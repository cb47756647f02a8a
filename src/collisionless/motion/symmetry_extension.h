/** A quarter or half of a periodic motion unfolded by its symmetries. */
#ifndef CAROM_COLLISIONLESS_MOTION_SYMMETRY_EXTENSION_H
#define CAROM_COLLISIONLESS_MOTION_SYMMETRY_EXTENSION_H

#include <carom/collisionless/motion/collisionless_motion.h>

CAROM_BEGIN_DECLARATIONS

/**
 * From one P to the next is a step, of duration 2 (tau + tau'): t = 0 .. tau, t' = -tau' .. tau', t
 * = -tau .. 0. The second part of its unconstrained phase is the first half of the next copy of the
 * motion. With uniform parities that copy, in coordinates x_next of its own, is the same motion:
 *
 *     unconstrained  constrained  x_next             example
 *     even           even         x                  hopping, juggling
 *     even           odd          2 x^0 - x          rocking: stands on the other foot
 *     odd            odd          x - 2 x^0          rimless wheel: stands on the next spoke
 *     odd            even         -x                 contact with two opposite walls
 *
 * (positions from the unconstrained equilibrium; without one, even parities need none).
 */
typedef struct carom_motion_place {
    carom_motion_phase phase; /**< which */
    double local_time;        /**< t or t', s from the symmetry point of this copy of the phase */
    long step;        /**< how many releases have passed since the P at time 0: number of the
                         copy whose coordinates the phase is described in */
    bool is_mirrored; /**< this copy is a reflection of copy 0 */
} carom_motion_place;

/**
 * Period of the motion: 2 (tau + tau') if both phases have the same parity (for odd ones it ends
 * one spoke further), twice that otherwise, as the second half is the mirror image of the first.
 *
 * @param[in]  spectra          parities
 * @param[in]  time             tau > 0, s
 * @param[in]  constrained_time tau' > 0, s
 * @param[out] period           s; NaN on failure
 * @param[out] report           "parity" with the first mode that differs; may be NULL
 * @return CAROM_OK; NOT_FINITE or OUT_OF_RANGE for times that are no durations; CONFLICT for mixed
 * parities, which no symmetry of the whole body has
 */
CAROM_MUST_CHECK carom_status carom_symmetry_extension_period(const carom_phase_spectra *spectra,
                                                              double time, double constrained_time,
                                                              double *period, carom_report *report);

/**
 * Where a motion is at any time.
 *
 * @param[in]  spectra          parities
 * @param[in]  time             tau > 0, s
 * @param[in]  constrained_time tau' > 0, s
 * @param[in]  elapsed          s since a P, any sign, less than 1e9 steps
 * @param[out] place            where
 * @param[out] report           as carom_symmetry_extension_period, or "elapsed time"; may be NULL
 * @return CAROM_OK; as carom_symmetry_extension_period; NOT_FINITE, OUT_OF_RANGE for the elapsed
 * time
 */
CAROM_MUST_CHECK carom_status carom_symmetry_extension_place(const carom_phase_spectra *spectra,
                                                             double time, double constrained_time,
                                                             double elapsed,
                                                             carom_motion_place *place,
                                                             carom_report *report);

/**
 * The state at any time in the coordinates of copy 0, in which it is continuous to the second
 * derivative over all steps.
 *
 * @param[in]  motion  the motion
 * @param[in]  elapsed s since P, any sign
 * @param[in]  origin  of the positions, in copy 0
 * @param[out] place   where; may be NULL
 * @param[out] state   where to; NaN on failure
 * @param[out] report  as carom_symmetry_extension_place; may be NULL
 * @return CAROM_OK; as carom_symmetry_extension_place
 */
CAROM_MUST_CHECK carom_status carom_symmetry_extension_state(
    const carom_collisionless_motion *motion, double elapsed, carom_motion_origin origin,
    carom_motion_place *place, const carom_motion_state *state, carom_report *report);

CAROM_END_DECLARATIONS

#endif
