/** The impact equations as the paper writes them: the matrix B of the spectra must lose rank. */
#ifndef CAROM_COLLISIONLESS_CURVES_REDUCED_MATRIX_H
#define CAROM_COLLISIONLESS_CURVES_REDUCED_MATRIX_H

#include <carom/base/base.h>
#include <carom/collisionless/motion/spectral_motion.h>

/**
 * Matching position and velocity of all coordinates and a vanishing acceleration of the contact
 * reduces, after elimination of the unconstrained amplitudes, to rank B < N (13) with
 *
 *     B = [ U               1/lambda ]      U = M - G.M,   M_ij = 1/(lambda_i - lambda'_j),
 *         [ eta'1 1' (N-1)  eta'1    ]      G_ij = (g_i/gd_i)(gd'_j/g'_j),
 *
 * with the time functions g(tau) (11) of the unconstrained modes, g'(-tau') of the constrained
 * ones, and their rates gd, gd'. This is a way of its own, apart from impact_matrix.h: it knows
 * positions and the static force, hence the inverse stiffness, and so needs spectra without a zero.
 * It is kept to check the other way, and for figures that show the two determinants whose common
 * zeros are sought.
 */
typedef struct carom_reduced_matrix carom_reduced_matrix;

/** The two determinants, by the row of the pole-free B that is left out. */
typedef enum carom_determinant_family {
    CAROM_DETERMINANT_WITHOUT_MODE,  /**< without row N, the last mode: for large tau independent of
                                     it; its curves run from left to right */
    CAROM_DETERMINANT_WITHOUT_FORCE, /**< without row N+1, the vanishing contact force: its curves
                                     run from bottom to top */
    CAROM_DETERMINANT_FAMILY_COUNT
} carom_determinant_family;

/**
 * Prepare the matrices of two spectra.
 *
 * @param[in]  spectra checked here; borrowed until the matrix is freed
 * @param[out] out     belongs to the caller, to be freed by carom_reduced_matrix_free; NULL on
 * failure
 * @param[out] report  as carom_phase_spectra_check; for SINGULAR the spectrum, the eigenvalue and
 * its index from 0; may be NULL
 * @return CAROM_OK; what carom_phase_spectra_check returns; SINGULAR if an eigenvalue is zero to
 * rounding of the largest: no static equilibrium, or a constrained mode without a restoring force;
 * OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_reduced_matrix_alloc(const carom_phase_spectra *spectra,
                                                         carom_reduced_matrix **out,
                                                         carom_report *report);

/** Free a matrix; NULL is accepted. */
void carom_reduced_matrix_free(carom_reduced_matrix *reduced);
CAROM_AUTO_TYPE(carom_reduced_matrix)

/** The spectra of a matrix, borrowed. */
const carom_phase_spectra *carom_reduced_matrix_spectra(const carom_reduced_matrix *reduced);

/** Impact time of an impact phase o_N = |omega_N| tau, s. */
double carom_reduced_matrix_time(const carom_reduced_matrix *reduced, double phase);

/** Impact time of an impact phase o'_{N-1} = |omega'_{N-1}| tau', s. */
double carom_reduced_matrix_constrained_time(const carom_reduced_matrix *reduced, double phase);

/**
 * The matrices of the paper as they are printed, with their poles where a velocity of an
 * unconstrained mode or a position of a constrained one vanishes (infinite or NaN there).
 *
 * @param[in]  reduced          the problem
 * @param[in]  time             tau > 0, s
 * @param[in]  constrained_time tau' > 0, s
 * @param[out] G                [N][N-1] row-major, 1; may be NULL
 * @param[out] B                [N+1][N] row-major, U in its upper left N x (N-1) block; all in s2,
 * the last row 1; may be NULL
 * Source: pankov-2024 (13), (14), (16). Cost: O(N2).
 */
void carom_reduced_matrix_printed(const carom_reduced_matrix *reduced, double time,
                                  double constrained_time, double *G, double *B);

/**
 * The pole-free form of B (42), the time functions of every hyperbolic mode divided by its cosh: a
 * row or column is then multiplied by a positive number, and nothing overflows. The null vector is
 * [q'; c F_N^0], with q'_j times cosh(nu'_j tau') for hyperbolic modes.
 *
 * @param[in]  reduced          the problem
 * @param[in]  time             tau > 0, s
 * @param[in]  constrained_time tau' > 0, s
 * @param[out] B_check          [N+1][N] row-major, s, the last row 1
 * Source: pankov-2024 (42). Cost: O(N2).
 */
void carom_reduced_matrix_pole_free(const carom_reduced_matrix *reduced, double time,
                                    double constrained_time, double *B_check);

/**
 * The determinants of the pole-free B without row N and without row N+1, in units that make both
 * dimensionless and of order one: rows and columns are those of modes of unit kinetic energy (fixed
 * positive factors). Both zero means rank B < N, unless the N-1 rows that they share have lost rank
 * themselves (see determinant_crossings.h).
 *
 * @param[in,out] reduced          its scratch memory is used: one thread at a time
 * @param[in]     time             tau > 0, s
 * @param[in]     constrained_time tau' > 0, s
 * @param[out]    determinants     [CAROM_DETERMINANT_FAMILY_COUNT]; their product is phi (43)
 * Source: pankov-2024 (42), (43). Cost: O(N3), one elimination for both.
 */
void carom_reduced_matrix_determinants(carom_reduced_matrix *reduced, double time,
                                       double constrained_time, double *determinants);

/** Doubles that carom_reduced_matrix_rows fills: three for each unconstrained mode. */
int carom_reduced_matrix_rows_size(const carom_reduced_matrix *reduced);

/** Doubles that carom_reduced_matrix_columns fills: two for each constrained mode. */
int carom_reduced_matrix_columns_size(const carom_reduced_matrix *reduced);

/** What the determinants need of tau, so that a grid evaluates it once: rows [rows_size]. */
void carom_reduced_matrix_rows(const carom_reduced_matrix *reduced, double time, double *rows);

/** What the determinants need of tau', so that a grid evaluates it once: columns [columns_size]. */
void carom_reduced_matrix_columns(const carom_reduced_matrix *reduced, double constrained_time,
                                  double *columns);

/** carom_reduced_matrix_determinants from rows and columns. */
void carom_reduced_matrix_eliminate(carom_reduced_matrix *reduced, const double *rows,
                                    const double *columns, double *determinants);

#endif
