/** Whether the rounding of a printed row explains that the tips of TREX miss the floor. */
#ifndef CAROM_MODELS_TREX_TREX_ROUNDING_H
#define CAROM_MODELS_TREX_TREX_ROUNDING_H

#include <carom/models/trex/trex_design.h>

/** What a row of table I says within its rounding. */
typedef struct carom_trex_rounding {
    double
        closure; /**< least max-norm of a change of the entries that puts right foot and tail tip
                    on the floor, in half units of the last digit: up to 1, the row is consistent */
    double change[CAROM_TREX_DESIGN_VARIABLES]; /**< that change, cm and rad */
    double cosine;                              /**< of the row as printed */
    double cosine_spread; /**< how far rounding moves it, to first order: half unit times sum
                             |dc/dz| */
    int iterations;       /**< linear problems solved */
} carom_trex_rounding;

/**
 * Least change in the max-norm that closes both contacts. Each linearised problem, two equations,
 * is solved exactly: by duality its value is the largest of |b.y|/|J'y|_1 over the y orthogonal to
 * one column of J. Its solutions converge quadratically.
 *
 * @param[in]  params    the robot, its stance and shape those of the row
 * @param[in]  is_exact  [CAROM_TREX_DESIGN_VARIABLES] entries that are not rounded; NULL: none
 * @param[in]  half_unit half a unit of the last digit, cm and rad, > 0
 * @param[out] rounding  NaN on failure
 * @param[out] report    may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: as carom_trex_check, "half unit", or a change that leaves what is
 * a robot; SINGULAR: the entries that are rounded do not move both tips on their own;
 * NOT_CONVERGED; NOT_FINITE
 * Source: seghete-2014 table I; the question and the method are ours.
 */
CAROM_MUST_CHECK carom_status carom_trex_rounding_of(const carom_trex_params *params,
                                                     const bool *is_exact, double half_unit,
                                                     carom_trex_rounding *rounding,
                                                     carom_report *report);

#endif
