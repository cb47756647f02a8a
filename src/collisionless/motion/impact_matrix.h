/** The impact equations: a matrix of the two impact times that must lose rank. */
#ifndef CAROM_COLLISIONLESS_MOTION_IMPACT_MATRIX_H
#define CAROM_COLLISIONLESS_MOTION_IMPACT_MATRIX_H

#include <carom/base/base.h>
#include <carom/collisionless/motion/spectral_motion.h>

/**
 * Let phi_i(tau) be the angle of (kappa h', h'') of unconstrained mode i at tau and phi'_j that of
 * constrained mode j at -tau' (mode_direction.h). Equal velocities and accelerations of all
 * coordinates at the impact, vanishing ones of the contact, read Z u = 0 with
 *
 *     Z_ij = Q_ij sin(phi_i - phi'_j),   Q_ij = sqrt(W_i V_j) / (lambda_i - lambda'_j),
 *
 * Z [N][N-1]. W_i is the share of mode i in the contact, 1/V_j = sum W_i/(lambda_i - lambda'_j)2:
 * with these factors Q holds the constrained modes in terms of the free ones, and its columns are
 * orthonormal. u_j sqrt(V_j) is the constrained amplitude times the length of its pair (kappa h',
 * h''). Collisionless motions are the (tau, tau') at which Z loses rank.
 *
 * As Z = diag(sin phi) Q diag(cos phi') - diag(cos phi) Q diag(sin phi'), no singular value exceeds
 * 1, and the norm of a change of Z is at most the largest change of a phi plus that of a phi'.
 */
typedef struct carom_impact_matrix carom_impact_matrix;

/**
 * Prepare the impact matrix of two spectra.
 *
 * @param[in]  spectra checked here; borrowed until the matrix is freed
 * @param[out] out     belongs to the caller, to be freed by carom_impact_matrix_free; NULL on
 * failure
 * @param[out] report  as carom_phase_spectra_check; may be NULL
 * @return CAROM_OK; what carom_phase_spectra_check returns; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_impact_matrix_alloc(const carom_phase_spectra *spectra,
                                                        carom_impact_matrix **out,
                                                        carom_report *report);

/** Free a matrix; NULL is accepted. */
void carom_impact_matrix_free(carom_impact_matrix *matrix);
CAROM_AUTO_TYPE(carom_impact_matrix)

/** The spectra of a matrix, borrowed. */
const carom_phase_spectra *carom_impact_matrix_spectra(const carom_impact_matrix *matrix);

/** Frequency unit kappa, 1/s. */
double carom_impact_matrix_frequency_scale(const carom_impact_matrix *matrix);

/**
 * Z and, where asked for, its derivatives by the two impact times.
 *
 * @param[in,out] matrix        its scratch memory is used: one thread at a time
 * @param[in]  time             tau > 0, s
 * @param[in]  constrained_time tau' > 0, s
 * @param[out] Z                [N][N-1] row-major
 * @param[out] Z_time           [N][N-1] dZ/dtau, 1/s; may be NULL
 * @param[out] Z_constrained    [N][N-1] dZ/dtau', 1/s; may be NULL
 * Source: pankov-2024 (1), equivalent to rank B < N of (13) where no eigenvalue is zero. Cost:
 * O(N2).
 */
void carom_impact_matrix_evaluate(carom_impact_matrix *matrix, double time, double constrained_time,
                                  double *Z, double *Z_time, double *Z_constrained);

/** How close to losing rank a point is. */
typedef struct carom_impact_rank {
    double smallest; /**< smallest singular value of Z, 1 */
    double second;   /**< second smallest; 1, the bound of all, for N = 2 */
} carom_impact_rank;

/**
 * Smallest singular values of Z and its null vector.
 *
 * @param[in,out] matrix           its scratch memory is used: one thread at a time
 * @param[in]     time             tau, s
 * @param[in]     constrained_time tau', s
 * @param[out]    rank             singular values
 * @param[out]    null_vector      [N-1] right singular vector u of the smallest, of unit length;
 * may be NULL
 * @return CAROM_OK; NOT_CONVERGED. Cost: O(N3).
 */
CAROM_MUST_CHECK carom_status carom_impact_matrix_rank(carom_impact_matrix *matrix, double time,
                                                       double constrained_time,
                                                       carom_impact_rank *rank,
                                                       double *null_vector);

/** V [N-1], borrowed: a null vector u belongs to constrained amplitudes u_j sqrt(V_j) over the
 * length of the pair. */
const double *carom_impact_matrix_constrained_weights(const carom_impact_matrix *matrix);

/**
 * How fast Z can change within intervals of the two times: |dZ| <= rates[0] |dtau| + rates[1]
 * |dtau'|.
 *
 * @param[in]  matrix      the problem
 * @param[in]  time        [2] least and largest tau, s, >= 0
 * @param[in]  constrained [2] least and largest tau', s, >= 0
 * @param[out] rates       [2] largest |dphi/dtau| and |dphi'/dtau'|, 1/s
 * @param[out] curvatures  [2] bounds of |d2Z/dtau2| and |d2Z/dtau'2|, 1/s2; the mixed derivative is
 * bounded by the product of the rates; may be NULL
 */
void carom_impact_matrix_bounds(const carom_impact_matrix *matrix, const double time[2],
                                const double constrained[2], double *rates, double *curvatures);

#endif
