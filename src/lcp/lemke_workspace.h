/** The workspace of Lemke's method, and what its parts tell each other. */
#ifndef CAROM_LCP_LEMKE_WORKSPACE_H
#define CAROM_LCP_LEMKE_WORKSPACE_H

#include <carom/lcp/complementary_bases.h>
#include <carom/lcp/lcp.h>
#include <carom/lcp/lemke_path.h>
#include <carom/lcp/refinement.h>

/** Everything scaled is in the units of carom_lcp_scale, q' also to a largest entry in [1/2, 1). */
struct carom_lcp_workspace {
    int capacity;
    int size;                /**< n of the present problem */
    const double *M;         /**< [n][n] of the caller */
    const double *q;         /**< [n] of the caller */
    double *row;             /**< [n] R, powers of two */
    double *column;          /**< [n] C, powers of two */
    double *inverse_column;  /**< [n] 1 / C */
    double unit;             /**< power of two by which q' is divided */
    double inverse_unit;     /**< 1 / unit */
    double largest_constant; /**< max |q'| */
    double *covering;        /**< [n] d' asked for */
    double *z;               /**< [n] trial answer in the caller's units */
    carom_lcp_dictionary dictionary;

    double *matrix;   /**< [n][n] M', filled for rescues only */
    double *constant; /**< [n] q' */
    double *solution; /**< [n] z' */
    double *trial;    /**< [n] an answer that is being measured */
    double *last;     /**< [n] z' of the step before */
    bool *is_set;     /**< [n] */
    carom_lcp_refinement *refinement;
    carom_lcp_bases_workspace *bases;
};

/** What an answer is worth, better ones later. */
typedef enum carom_lcp_grade {
    CAROM_LCP_WRONG,     /**< no solution */
    CAROM_LCP_TOLERATED, /**< residual up to 1e-10 of the largest -q' */
    CAROM_LCP_ROUNDED,   /**< up to rounding of the largest row */
    CAROM_LCP_EXACT      /**< each row up to rounding of its own terms or of the largest -q' */
} carom_lcp_grade;

/** An answer measured on the data. */
typedef struct carom_lcp_measure {
    double residual; /**< max |min(z_i, w_i)| */
    double scaled;   /**< max |min(z_i / C_i, R_i w_i)| / unit */
    carom_lcp_grade grade;
} carom_lcp_measure;

/** Residual of z [n] computed from M and q of the caller; NaN if it overflows. */
carom_lcp_measure carom_lcp_measure_answer(const carom_lcp_workspace *work, const double *z);

/** Largest scaled residual accepted relative to q' where rounding cannot be reached: for redundant
 * contacts whose q is not quite in the range of M, by cancellation in what it was computed from. */
#define CAROM_LCP_ACCEPTED_RESIDUAL 1e-10

/**
 * Whether z [n], >= 0 and up to its units arbitrary, proves that no reasonable point has M x + q >=
 * 0: M' z <= 0 and q' z < 0, so far beyond rounding that every x >= 0 with R (M x + q) >= -1e-10
 * has |C^-1 x|_1 above 1e9.
 */
bool carom_lcp_is_certificate(const carom_lcp_workspace *work, const double *z);

/**
 * Whatever else may solve a problem on which the first path has failed: the dictionary made anew,
 * exchange of rows, other thresholds, other covering vectors, a sequence of regular problems, all
 * complementary bases.
 *
 * @param[in,out] work    with the problem and the path where it ended
 * @param[in]     end     how
 * @param[in,out] pivots  increased
 * @param[out]    rescues attempts made
 * @return CAROM_OK with the answer in work->z; RAY with a certificate there; NOT_CONVERGED
 */
CAROM_MUST_CHECK carom_status carom_lcp_rescue(carom_lcp_workspace *work, carom_lcp_path_end end,
                                               int *pivots, int *rescues);

#endif
