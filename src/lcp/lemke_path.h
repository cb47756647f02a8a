/** The path of complementary pivots from a covering vector, inside Lemke's method. */
#ifndef CAROM_LCP_LEMKE_PATH_H
#define CAROM_LCP_LEMKE_PATH_H

#include <carom/lcp/lemke_dictionary.h>

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

#endif
