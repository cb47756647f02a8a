/** Critical regions of spectra: Cauchy matrices, the reduced matrix, the region. */
#ifndef CAROM_COLLISIONLESS_CURVES_CRITICAL_REGION_H
#define CAROM_COLLISIONLESS_CURVES_CRITICAL_REGION_H

#include <carom/base/base.h>
#include <carom/collisionless/motion/spectral_motion.h>

/* ------------------------------------------------------------------------------ Cauchy matrices */
/* Closed forms for the Cauchy matrix M_ij = 1/(lambda_i - lambda'_j) of interlacing spectra. */

/**
 * M_ij = 1/(a_i - b_j).
 *
 * @param[in]  rows    of M
 * @param[in]  columns of M
 * @param[in]  a       [rows]
 * @param[in]  b       [columns], different from every a
 * @param[out] M       [rows][columns] row-major
 * Source: pankov-2024 (7).
 */
void carom_cauchy_matrix(int rows, int columns, const double *a, const double *b, double *M);

/** Determinant of the square matrix 1/(a_i - b_j), a [n], b [n] (Schechter 1959). Cost: O(n2). */
double carom_cauchy_determinant(int n, const double *a, const double *b);

/** Its inverse [n][n] row-major (Schechter 1959). Cost: O(n2). */
void carom_cauchy_inverse(int n, const double *a, const double *b, double *inverse);

/**
 * Shares W_i of the modes in the contact: W_i = prod_j (lambda'_j - lambda_i) / prod_{k != i}
 * (lambda_k - lambda_i), positive for interlacing spectra, sum 1. eta_i = W_i/W_N, c = W_N
 * (m^-1)_NN.
 *
 * @param[in]  N           modes of the unconstrained phase, >= 2
 * @param[in]  lambda      [N] ascending, 1/s2
 * @param[in]  constrained lambda' [N-1] interlacing, 1/s2
 * @param[out] share       W [N], 1
 * Source: equivalent to pankov-2024 (10), whose second form lacks a reciprocal. Cost: O(N2).
 */
void carom_cauchy_shares(int N, const double *lambda, const double *constrained, double *share);

/* ------------------------------------------------------------------------------- reduced matrix */
/* The impact equations as the paper writes them: the matrix B of the spectra must lose rank. */

/**
 * Matching position and velocity of all coordinates and a vanishing acceleration of the contact
 * reduces, after elimination of the unconstrained amplitudes, to rank B < N (13) with
 *
 *     B = [ U               1/lambda ]      U = M - G.M,   M_ij = 1/(lambda_i - lambda'_j),
 *         [ eta'1 1' (N-1)  eta'1    ]      G_ij = (g_i/gd_i)(gd'_j/g'_j),
 *
 * with the time functions g(tau) (11) of the unconstrained modes, g'(-tau') of the constrained
 * ones, and their rates gd, gd'. This is a way of its own, apart from impact_matrix.c: it knows
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
 * themselves (see determinant.h).
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

/* -------------------------------------------------------------------------------------- regions */
/* Where collisionless motion ceases to exist: the limit of a vanishing lambda'_{N-1}. */

/*
 * As lambda'_{N-1} -> 0+ and everything else stays, tau' grows like 1/omega'_{N-1}, the other w'_j
 * tend to -nu'_j, w'_{N-1} to a number c_0, tau to a finite time, and the two determinants of the
 * impact equations vanish to first order when
 *
 *     (K - K~) [1; 1/c_0] = 0.
 *
 * The paper prints K + K~: the expansion of the minor without column N-1 along its last row has the
 * signs (-1)^(i+j), not (-1)^(i+j-1) (55), so that in (36) to (38), (40) and (61) the sign between
 * the two terms is wrong. It does not show for N = 2 nor in c_0.
 */

/** The critical problem of two spectra and its work memory: one thread at a time. */
typedef struct carom_critical_region carom_critical_region;

/**
 * The matrices of the critical equations at one tau. The paper multiplies by adj(Ubar); here all of
 * them are divided by det(Ubar), so that they neither overflow nor underflow: roots and ratios are
 * the same. It vanishes for no tau, since a left null vector of Ubar would give two polynomials, of
 * degrees N-2 and N-3, whose product alternates at 2N-3 points.
 */
typedef struct carom_critical_matrices {
    double time;             /**< tau, s; HUGE_VAL in the limit of large tau */
    double w_N;              /**< sigma tan^sigma(omega_N tau) omega_N, 1/s; NaN at HUGE_VAL */
    double projection[3][2]; /**< R (60), w_i(tau) in place of -nu_i: s5 s4, s4 s3, s2 s */
    double constant;         /**< r (60), s4 */
    double K[2][2];          /**< K (39): s4 s3, s2 s; its first row is NaN at HUGE_VAL */
    double K_tilde[2];       /**< first row of K~ (39), s4 s3; the second is zero */
} carom_critical_matrices;

/** A critical motion. */
typedef struct carom_critical_root {
    double time;              /**< tau, s */
    double w_N;               /**< w_N at the impact, 1/s, negative */
    double slope;             /**< c_0, 1/s, positive */
    double phase;             /**< o_N, rad */
    double constrained_phase; /**< o'_{N-1} to first order in omega'_{N-1}, rad */
    double constrained_time;  /**< tau', s; HUGE_VAL for lambda'_{N-1} = 0 */
    double residual; /**< (40) at this tau over the sum of the magnitudes of its products, 1 */
} carom_critical_root;

/**
 * Prepare the critical problem.
 *
 * @param[in]  spectra checked here, with lambda_{N-1} < 0 <= lambda'_{N-1}; borrowed until the
 * region is freed. lambda'_{N-1} and its parity enter the impact phase o'_{N-1} alone
 * @param[out] out     belongs to the caller, to be freed by carom_critical_region_free; NULL on
 * failure
 * @param[out] report  quantity and value if refused; may be NULL
 * @return CAROM_OK; what carom_phase_spectra_check returns; CONFLICT ("spectra without a critical
 * limit") if lambda'_{N-1} cannot fall to zero alone; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_critical_region_alloc(const carom_phase_spectra *spectra,
                                                          carom_critical_region **out,
                                                          carom_report *report);

/** Free a region; NULL is accepted. */
void carom_critical_region_free(carom_critical_region *region);
CAROM_AUTO_TYPE(carom_critical_region)

/**
 * K, K~ and R, r at one tau.
 *
 * @param[in,out] region   its work memory is used
 * @param[in]     time     tau > 0, s; HUGE_VAL for the limit of large tau
 * @param[out]    matrices NaN on failure
 * @return CAROM_OK; OUT_OF_RANGE if tau <= 0 or NaN; SINGULAR if Ubar is singular to rounding
 * (eigenvalues that all but touch) or the matrices leave the range of numbers
 * Source: pankov-2024 (39), (59), (60). Cost: O(N3).
 */
CAROM_MUST_CHECK carom_status carom_critical_region_matrices(carom_critical_region *region,
                                                             double time,
                                                             carom_critical_matrices *matrices);

/** det(K - K~), whose zeros are the critical tau, or det(K + K~) as pankov-2024 (40) prints it, in
 * s5; NaN at HUGE_VAL, where nothing gives w_N. */
double carom_critical_matrices_determinant(const carom_critical_matrices *matrices,
                                           bool as_printed);

/** c_0 = -K_22/K_21 = -R_32/R_31, 1/s: pankov-2024 (40), (62). */
double carom_critical_matrices_slope(const carom_critical_matrices *matrices);

/**
 * The w_N at which (40) holds for the hyperbolic modes as they are at this tau: -det(R_(1) - r
 * E11)/det(R_(2) - r E12), always negative, or pankov-2024 (61) as printed, with plus signs; 1/s.
 */
double carom_critical_matrices_demanded_w(const carom_critical_matrices *matrices, bool as_printed);

/**
 * Derivative of the column U^{N-1} by lambda'_{N-1} at zero, along w'_{N-1} = c_0: (1 +
 * w/c_0)/(lambda.lambda).
 *
 * @param[in]  region     the problem
 * @param[in]  time       tau > 0, s
 * @param[in]  slope      c_0, 1/s, not zero
 * @param[out] derivative [N] s4
 * Source: pankov-2024 (57).
 */
void carom_critical_region_column_derivative(const carom_critical_region *region, double time,
                                             double slope, double *derivative);

/**
 * The critical motion of column n and row r: the one root of (40) in its cell, at a finite tau.
 *
 * @param[in,out] region its work memory is used
 * @param[in]     column n >= 1; >= 2 if the oscillating unconstrained mode is even
 * @param[in]     row    r >= 0: adds r pi to o'_{N-1}
 * @param[out]    root   NaN on failure
 * @return CAROM_OK; OUT_OF_RANGE for a column or row that is none; SINGULAR as
 * carom_critical_region_matrices; NOT_CONVERGED
 * Source: pankov-2024 (40), (63). Cost: O(N3) per iteration.
 */
CAROM_MUST_CHECK carom_status carom_critical_region_root(carom_critical_region *region, int column,
                                                         int row, carom_critical_root *root);

/**
 * The same for large tau, in closed form: w_N by (61), c_0 by (62), phases by (63).
 *
 * @param[in,out] region     its work memory is used
 * @param[in]     column     n, as carom_critical_region_root
 * @param[in]     row        r >= 0
 * @param[in]     as_printed with the signs of (61) as they stand in the paper: phase and time are
 * then not those of the motion
 * @param[out]    root       NaN on failure; the residual is that of (40) with w_N put in,
 * hyperbolic modes saturated, in the sign chosen
 * @return CAROM_OK; OUT_OF_RANGE; SINGULAR
 * Source: pankov-2024 (60) to (63). Cost: O(N3).
 */
CAROM_MUST_CHECK carom_status carom_critical_region_asymptote(carom_critical_region *region,
                                                              int column, int row, bool as_printed,
                                                              carom_critical_root *root);

#endif
