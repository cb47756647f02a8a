/** The matching conditions of both phases in all coordinates: an independent check of a root. */
#ifndef CAROM_COLLISIONLESS_MOTION_COORDINATE_MATCHING_H
#define CAROM_COLLISIONLESS_MOTION_COORDINATE_MATCHING_H

#include <carom/collisionless/motion/collisionless_motion.h>

/** Which of the matching conditions determine the amplitudes. */
typedef enum carom_coordinate_matching_rows {
    CAROM_COORDINATE_MATCHING_ALL,      /**< all 2 n + 1, by least squares */
    CAROM_COORDINATE_MATCHING_TRUNCATED /**< pankov-2024 (46): positions, and all velocities but the
                                contact's (N = n only); singular if the mass does not couple the
                                contact to any other coordinate */
} carom_coordinate_matching_rows;

/**
 * A of (12), A [q; q'; F_N^0] = 0 for equal positions, equal velocities and no acceleration of the
 * contact, with columns scaled to unit length.
 *
 * @param[in]  modes            stiffness and constrained stiffness not singular
 * @param[in]  time             tau > 0, s
 * @param[in]  constrained_time tau' > 0, s
 * @param[out] A                [2n + 1][2N] row-major
 * @param[out] log_factor       [2N] logarithm of the length of each column; those of the modes may
 * exceed the range of doubles
 * @param[out] report           "stiffness", "constrained stiffness"; may be NULL
 * @return CAROM_OK; NOT_FINITE, OUT_OF_RANGE for the times; SINGULAR. On failure NaN
 * Source: pankov-2024 (12). Cost: O(n N).
 */
CAROM_MUST_CHECK carom_status carom_coordinate_matching_fill(const carom_phase_modes *modes,
                                                             double time, double constrained_time,
                                                             double *A, double *log_factor,
                                                             carom_report *report);

/**
 * Singular values of the scaled A in descending order, whose squares sum up to 2N; the last one
 * vanishes at a root and no other does.
 *
 * @param[in]  modes            as carom_coordinate_matching_fill
 * @param[in]  time             tau > 0, s
 * @param[in]  constrained_time tau' > 0, s
 * @param[out] singular_values  [2N]; NaN on failure
 * @param[out] report           as carom_coordinate_matching_fill; may be NULL
 * @return CAROM_OK; as carom_coordinate_matching_fill; NOT_CONVERGED; OUT_OF_MEMORY. Cost: O(n N2).
 */
CAROM_MUST_CHECK carom_status carom_coordinate_matching_rank(const carom_phase_modes *modes,
                                                             double time, double constrained_time,
                                                             double *singular_values,
                                                             carom_report *report);

/**
 * The paper's amplitudes from a static force.
 *
 * @param[in]  modes            as carom_coordinate_matching_fill
 * @param[in]  time             tau > 0 of a root, s
 * @param[in]  constrained_time tau' > 0 of the root, s
 * @param[in]  static_force     F_N^0, N
 * @param[in]  rows             conditions to use
 * @param[out] amplitude        [2N - 1] q, then q'; NaN on failure
 * @param[out] condition        largest over smallest singular value of the scaled matrix that is
 * solved, infinite if singular; NaN on failure
 * @param[out] report           as carom_coordinate_matching_fill; "condition" with its value; may
 * be NULL
 * @return CAROM_OK; as carom_coordinate_matching_fill; SINGULAR with the condition set if it is
 * above 1e12: no digits to speak of; CONFLICT if truncated rows are asked for with decoupled modes;
 * NOT_CONVERGED; OUT_OF_MEMORY
 * Source: pankov-2024 (46). Cost: O(n N2).
 */
CAROM_MUST_CHECK carom_status carom_coordinate_matching_solve(const carom_phase_modes *modes,
                                                              double time, double constrained_time,
                                                              double static_force,
                                                              carom_coordinate_matching_rows rows,
                                                              double *amplitude, double *condition,
                                                              carom_report *report);

#endif
