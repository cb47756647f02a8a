/** The dictionary of Lemke's method, in product form. */
#ifndef CAROM_LCP_LEMKE_DICTIONARY_H
#define CAROM_LCP_LEMKE_DICTIONARY_H

#include <carom/base/base.h>

#include <stdbool.h>
#include <stddef.h>

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

    int stride;            /**< n rounded up to a multiple of four; entries from n on are 0 */
    int pivot_count;       /**< pivots kept */
    int pivot_limit;       /**< pivots kept at most */
    double *value;         /**< [stride] T_0: values of the basic variables */
    double *pivot_columns; /**< [pivot_limit + 1][stride] column of each pivot when it was made */
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
} carom_lcp_dictionary;

/** Work memory for n up to `capacity` >= 1, in place. @return CAROM_OK; OUT_OF_MEMORY (cleared) */
CAROM_MUST_CHECK carom_status carom_lcp_dictionary_init(int capacity,
                                                        carom_lcp_dictionary *dictionary);

/** Free what the dictionary owns. */
void carom_lcp_dictionary_clear(carom_lcp_dictionary *dictionary);

/** No pivot yet: every w basic in its own row. */
void carom_lcp_dictionary_start(carom_lcp_dictionary *dictionary);

/** Column of pivot k when it was made, [stride]; that of the next pivot for k = pivot_count. */
static inline double *carom_lcp_dictionary_pivot(const carom_lcp_dictionary *dictionary, int k) {
    return dictionary->pivot_columns + (size_t)k * (size_t)dictionary->stride;
}

/** The column x [stride] of a nonbasic variable in the present dictionary. */
void carom_lcp_dictionary_column(const carom_lcp_dictionary *dictionary, int variable, double *x);

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

#endif
