/** The parts of Lemke's method: work memory, scaling, rows, dictionary, path, and what comes before
 * and after it. */
#ifndef CAROM_LCP_LEMKE_INTERNAL_H
#define CAROM_LCP_LEMKE_INTERNAL_H

#include <carom/base/base.h>
#include <carom/lcp/active_set.h>
#include <carom/lcp/lcp.h>

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* -------------------------------------------------------------------------------------- scaling */
/* Units in which the rows and columns of a complementarity problem compare, inside Lemke's method.
 * */

/** Of the IEEE 754 format: bits of the fraction, exponent field of 1 and of the largest number. */
enum {
    CAROM_LCP_FRACTION_BITS = 52,
    CAROM_LCP_EXPONENT_BIAS = 1023,
    CAROM_LCP_LARGEST_EXPONENT = 2046
};

/** Exponent field e of |x| = f 2^(e - bias), 1 <= f < 2. */
static inline int carom_lcp_exponent(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)(bits >> CAROM_LCP_FRACTION_BITS & 0x7ffu);
}

/** 2^(exponent - bias), 1 <= exponent <= 2046. */
static inline double carom_lcp_power(int exponent) {
    const uint64_t bits = (uint64_t)exponent << CAROM_LCP_FRACTION_BITS;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/** The power of two 2^k with 2^(k-1) <= x < 2^k; for zero, NaN and the largest numbers the nearest
 * that has a reciprocal. */
static inline double carom_lcp_power_above(double x) {
    const int exponent = carom_lcp_exponent(x) + 1;
    return carom_lcp_power(
        exponent < CAROM_LCP_LARGEST_EXPONENT - 1 ? exponent : CAROM_LCP_LARGEST_EXPONENT - 1);
}

/** 1 / x of a power of two that has a reciprocal, without a division. */
static inline double carom_lcp_power_inverse(double x) {
    return carom_lcp_power(2 * CAROM_LCP_EXPONENT_BIAS - carom_lcp_exponent(x));
}

/** 1 / 2^k with 2^(k-1) <= sqrt(|x|) < 2^k. */
static inline double carom_lcp_inverse_root_power(double x) {
    // k = floor((e - bias) / 2) + 1.
    return carom_lcp_power(CAROM_LCP_EXPONENT_BIAS + (CAROM_LCP_EXPONENT_BIAS - 1) / 2 -
                           (carom_lcp_exponent(x) + 1) / 2);
}

/**
 * Powers of two R_i and C_i, with which w' = R w, z' = C^-1 z and M' = R M C has entries of order
 * one: R_i = C_i = M_ii^-1/2. A row without a positive diagonal entry has the R_i and C_i that
 * bring the largest entry of its row and of its column, among those of the rows with one, to one.
 *
 * @param[in]  n      number of unknowns
 * @param[in]  M      [n][n] row-major
 * @param[out] row    [n] R
 * @param[out] column [n] C
 */
void carom_lcp_scale(int n, const double *M, double *row, double *column);

/* ----------------------------------------------------------------------------------------- rows */
/* Inner products and sums of rows, in one order everywhere: the same digits wherever they occur. */

/** sum_j a_j x_j of two vectors [n], in four interleaved sums that do not wait for each other. */
static inline double carom_lcp_inner_product(int n, const double *a, const double *x) {
    double sums[4] = {0.0, 0.0, 0.0, 0.0};
    int j = 0;
    for (; j + 4 <= n; j += 4) {
#pragma omp simd
        for (int k = 0; k < 4; k++) {
            sums[k] += a[j + k] * x[j + k];
        }
    }
    for (; j < n; j++) {
        sums[0] += a[j] * x[j];
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/** x += t y, both [count]. */
static inline void carom_lcp_add_multiple(int count, double t, const double *restrict y,
                                          double *restrict x) {
#pragma omp simd
    for (int i = 0; i < count; i++) {
        x[i] += t * y[i];
    }
}

/** x += t_0 y_0 + t_1 y_1 + t_2 y_2 + t_3 y_3, added in this order; all [count]. */
static inline void carom_lcp_add_four_multiples(int count, const double *t, const double *const *y,
                                                double *restrict x) {
    const double *restrict y_0 = y[0];
    const double *restrict y_1 = y[1];
    const double *restrict y_2 = y[2];
    const double *restrict y_3 = y[3];
    const double t_0 = t[0];
    const double t_1 = t[1];
    const double t_2 = t[2];
    const double t_3 = t[3];
#pragma omp simd
    for (int i = 0; i < count; i++) {
        x[i] = x[i] + t_0 * y_0[i] + t_1 * y_1[i] + t_2 * y_2[i] + t_3 * y_3[i];
    }
}

/** Largest |x_i| of x [count], count even, in two interleaved searches. */
static inline double carom_lcp_largest_entry(int count, const double *x) {
    double first = 0.0;
    double second = 0.0;
    for (int i = 0; i < count; i += 2) {
        const double even = fabs(x[i]);
        const double odd = fabs(x[i + 1]);
        first = even > first ? even : first;
        second = odd > second ? odd : second;
    }
    return first > second ? first : second;
}

/* ----------------------------------------------------------------------------------- dictionary */
/* The dictionary of Lemke's method, in product form. */

/** Entries of a column of n rows: a multiple of four. */
static inline int carom_lcp_padded(int n) {
    return (n + 3) / 4 * 4;
}

/** The columns of pivots along the paths of one matrix with one covering vector, a node for each
 * beginning of a path: the same digits as made anew. Bounded; what finds no room is made anew. */
typedef struct carom_lcp_path_tree carom_lcp_path_tree;

/**
 * The dictionary basic = T_0 + T nonbasic of w' = q' + M' z' + d' z_0 in product form: of its
 * columns only the constant one is kept up to date; another is made, when it is asked for, from its
 * first state by repeating the pivots since. M' = R M C + shift I is never stored.
 *
 * Variables: i is w_i, n + i is z_i, 2 n is z_0. All work memory; fields of the problem are set by
 * the caller before a run.
 */
typedef struct carom_lcp_dictionary {
    int capacity;

    int size;               /**< n */
    const double *matrix;   /**< [n][n] M, borrowed */
    const double *row;      /**< [n] R */
    const double *column;   /**< [n] C */
    double shift;           /**< >= 0, as a rule 0 */
    double *constant;       /**< [n] q', largest entry of order 1 */
    double *covering;       /**< [n] d' > 0 */
    double pivot_roundings; /**< a pivot must exceed this many roundings, for each row, of the
                                 largest entry of its column */

    int stride;      /**< n rounded up to a multiple of four; entries from n on are 0, those of
                          `value` infinite */
    int pivot_count; /**< pivots kept */
    int pivot_limit; /**< pivots kept at most */
    double *value;   /**< [stride] T_0: values of the basic variables */
    double *pivot_columns; /**< [pivot_limit + 1][stride] room for columns that no tree holds */
    const double **pivots; /**< [pivot_limit + 1] column [stride] of each pivot when it was made */
    double *pivot_reciprocals; /**< [pivot_limit] 1 / pivot */
    int *pivot_rows;           /**< [pivot_limit] */
    double *trial;             /**< [stride] another column */
    int *basic;                /**< [n] variable of each row */
    int *place;                /**< [2n+1] row of a basic variable; -1: never basic; -2 - k: left at
                                    pivot k */
    int *tied;                 /**< [n+1] rows, or variables */
    double column_size;        /**< largest entry of the entering column */
    bool is_suspect;           /**< a pivot kept was small in its column: digits may be lost */
    int entering;              /**< variable that enters next, or along which the ray goes */
    carom_lcp_path_tree *tree; /**< of the matrix, borrowed; NULL: none */
    int node;                  /**< of the tree, with the column that entered last; -1: none */
} carom_lcp_dictionary;

/** A tree for n >= 1 unknowns, empty, for one matrix and the covering vector that comes first.
 * @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_lcp_path_tree_alloc(int n, carom_lcp_path_tree **out);

/** Free; NULL is accepted. */
void carom_lcp_path_tree_free(carom_lcp_path_tree *tree);
CAROM_AUTO_TYPE(carom_lcp_path_tree)

/** Work memory for n up to `capacity` >= 1, in place. @return CAROM_OK; OUT_OF_MEMORY (cleared) */
CAROM_MUST_CHECK carom_status carom_lcp_dictionary_init(int capacity,
                                                        carom_lcp_dictionary *dictionary);

/** Free what the dictionary owns. */
void carom_lcp_dictionary_clear(carom_lcp_dictionary *dictionary);

/** No pivot yet: every w basic in its own row. */
void carom_lcp_dictionary_start(carom_lcp_dictionary *dictionary);

/** The column x [stride] of a nonbasic variable in the present dictionary. */
void carom_lcp_dictionary_column(const carom_lcp_dictionary *dictionary, int variable, double *x);

/** Let a path begin at the root of the tree, if there is one of its covering vector. */
void carom_lcp_dictionary_plant(carom_lcp_dictionary *dictionary);

/** The column [stride] of the variable that enters next, z_0 first: that of the next pivot. It is
 * made only if the tree does not hold it. */
const double *carom_lcp_dictionary_enter(carom_lcp_dictionary *dictionary, int variable);

/** Exchange the entering variable, whose column is that of the next pivot, with that of row r. */
void carom_lcp_dictionary_exchange(carom_lcp_dictionary *dictionary, int r, int entering);

/**
 * Make the dictionary of the present basic set anew from the data: each basic z' enters in the row,
 * of those whose w' has to leave, where its pivot is largest. False if one is not above rounding:
 * the dictionary is then useless.
 */
bool carom_lcp_dictionary_renew(carom_lcp_dictionary *dictionary);

/** Whether the basic values satisfy w' = q' + M' z' + d' z_0 up to rounding of the terms. */
bool carom_lcp_dictionary_has_digits(const carom_lcp_dictionary *dictionary);

/**
 * Correct the values of the basic variables by what they leave of the equations: one step of
 * iterative refinement with the pivots as they are.
 *
 * @param[in,out] dictionary without z_0 among the basic variables
 * @param[in]     w          [n] M' z' + q' computed from the data, z' of the function below
 */
void carom_lcp_dictionary_correct(carom_lcp_dictionary *dictionary, const double *w);

/** z' [n]; what rounding has left negative is zero. */
void carom_lcp_dictionary_solution(const carom_lcp_dictionary *dictionary, double *z);

/** The set [n] of basic z'. */
void carom_lcp_dictionary_set(const carom_lcp_dictionary *dictionary, bool *is_set);

/* ----------------------------------------------------------------------------------------- path */
/* The path of complementary pivots from a covering vector, inside Lemke's method. */

/** How a path ended. */
typedef enum carom_lcp_path_end {
    CAROM_LCP_PATH_COMPLEMENTARY, /**< z_0 has left: the basis is a solution */
    CAROM_LCP_PATH_RAY,           /**< nothing blocks the entering variable */
    CAROM_LCP_PATH_EXHAUSTED      /**< too many pivots, or a basis singular beyond rounding */
} carom_lcp_path_end;

/**
 * Follow the path from z' = 0.
 *
 * @param[in,out] dictionary with the fields of the problem
 * @param[in]     most       pivots, >= 1
 * @param[in,out] pivots     increased by those made
 */
carom_lcp_path_end carom_lcp_path_run(carom_lcp_dictionary *dictionary, int most, int *pivots);

/**
 * Make the dictionary anew and go on where the path has ended: the values are those of a fresh
 * elimination, and what seemed to be a ray may be blocked. A path that is exhausted stays so.
 */
carom_lcp_path_end carom_lcp_path_resume(carom_lcp_dictionary *dictionary, carom_lcp_path_end end,
                                         int most, int *pivots);

/** After RAY: direction of z' [n], what rounding has left negative is zero. */
void carom_lcp_path_ray(const carom_lcp_dictionary *dictionary, double *z);

/* ----------------------------------------------------------------------------------- refinement */
/* Correction of an approximate complementary solution from the data, inside Lemke's method. */

/** Work memory. */
typedef struct carom_lcp_refinement carom_lcp_refinement;

/**
 * Work memory for problems of up to n >= 1 unknowns.
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_lcp_refinement_alloc(int n, carom_lcp_refinement **out);

/** Free; NULL is accepted. */
void carom_lcp_refinement_free(carom_lcp_refinement *work);
CAROM_AUTO_TYPE(carom_lcp_refinement)

/**
 * Rounding of the residual: 16 n roundings of the largest row of |q| + |M| z.
 *
 * @param[in] n number of unknowns
 * @param[in] M [n][n] row-major
 * @param[in] q [n]
 * @param[in] z [n], >= 0
 */
double carom_lcp_rounding(int n, const double *M, const double *q, const double *z);

/**
 * Solve M_aa z_a = -q_a on a set a, exchange rows whose sign comes out wrong, and repeat until the
 * residual is rounding, no row is left to exchange or M_aa is singular; z becomes the best point
 * met, itself included. For sets that are right but for ties: rows where z and w are both zero,
 * which rounding has left on the wrong side.
 *
 * @param[in]     n      number of unknowns
 * @param[in]     M      [n][n] row-major, diagonal of order 1
 * @param[in]     q      [n]
 * @param[in,out] is_set [n] the set a; overwritten
 * @param[in,out] z      [n]
 * @param[in,out] work   from carom_lcp_refinement_alloc
 * @return max |min(z, w)| of the final z
 */
double carom_lcp_refine(int n, const double *M, const double *q, bool *is_set, double *z,
                        carom_lcp_refinement *work);

/* ---------------------------------------------------------------------------------- work memory */
/* The workspace of Lemke's method, and what its parts tell each other. */

/** Everything scaled is in the units of carom_lcp_scale, q' also to a largest entry in [1/2, 1). */
struct carom_lcp_workspace {
    int capacity;
    int size;           /**< n of the present problem */
    const double *M;    /**< [n][n] of the caller */
    const double *q;    /**< [n] of the caller */
    const double *kept; /**< M of carom_lcp_keep_matrix, whose scales are below; NULL: none */
    carom_lcp_path_tree *tree; /**< of it; NULL: none */
    double *row;               /**< [n] R, powers of two */
    double *column;            /**< [n] C, powers of two */
    double *inverse_column;    /**< [n] 1 / C */
    double unit;               /**< power of two by which q' is divided */
    double inverse_unit;       /**< 1 / unit */
    double largest_constant;   /**< max |q'| */
    double *covering;          /**< [n] d' asked for */
    double *z;                 /**< [n] trial answer in the caller's units */
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

/**
 * Scale a matrix once for all solves with this workspace that follow, until one is given another,
 * and keep the columns of their paths: they must find it at the same place and unchanged.
 *
 * @param[in]     n    number of unknowns, <= size of the workspace
 * @param[in]     M    [n][n] row-major, borrowed until then
 * @param[in,out] work from carom_lcp_workspace_alloc
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_lcp_keep_matrix(int n, const double *M,
                                                    carom_lcp_workspace *work);

/** Grades of an answer, from the worst to the best. */
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
 * Further attempts on a problem on which the first path has failed: the dictionary made anew,
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

/* ----------------------------------------------------------------------------- principal pivots */
/* Principal pivots for symmetric positive definite problems, tried before Lemke's path. */

/**
 * Solve the loaded problem by exchanging z_r with w_r one row at a time, always the row whose
 * negative value is the largest in the units of the scaling, until none is negative beyond
 * rounding. Each pivot is a diagonal entry of the present dictionary: those of a positive definite
 * M are positive, those of a semidefinite one positive or zero. For a definite M the solution is
 * unique, so that no other method can find another; for a semidefinite one M z is, and z is one of
 * the basic solutions.
 *
 * The dictionary of a symmetric M is symmetric up to signs, so that the multipliers of a column are
 * entries of earlier pivot columns, and rows exchanged before drop out: n k products for a column
 * after k pivots.
 *
 * It gives up at once if M is not exactly symmetric, if a pivot is not well above rounding, and
 * after n + 4 exchanges (the rule may cycle). Nothing is promised about z: it has to be measured.
 *
 * @param[in,out] work   with scales; columns of the dictionary, `trial`, `solution` and `last` are
 *                       work memory
 * @param[out]    z      [n] in the caller's units, >= 0; untouched after false
 * @param[out]    pivots rows exchanged; untouched after false
 * @return whether no row is negative any more
 * Source: principal pivoting, Cottle, Pang, Stone 2009, section 4.2.
 * Cost: n k^2 / 2 products for k pivots, of which a definite M takes about as many as z has
 * positive entries.
 */
bool carom_lcp_principal_pivoting(carom_lcp_workspace *work, double *z, int *pivots);

#endif
