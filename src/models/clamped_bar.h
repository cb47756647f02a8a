/** A clamped-free elastic bar in linear finite elements whose free end faces an obstacle. */
#ifndef CAROM_MODELS_CLAMPED_BAR_H
#define CAROM_MODELS_CLAMPED_BAR_H

#include <carom/mechanism/linear_system.h>

CAROM_BEGIN_DECLARATIONS

/** The bar, its elements and its gap. */
typedef struct carom_clamped_bar_params {
    double young_modulus; /**< E, Pa */
    double density;       /**< kg/m3 */
    double length;        /**< L, m */
    double section;       /**< A, m2 */
    double gap_at_rest;   /**< g_0, m */
    int elements;         /**< n two-node elements, >= 1 */
} carom_clamped_bar_params;

/** E = density = L = A = g_0 = 1, ten elements. */
carom_clamped_bar_params carom_clamped_bar_params_default(void);

/**
 * u = displacements of the nodes 1 .. n (node 0 is clamped), consistent mass matrix; gap g_0 - u_n.
 *
 * @param[in]  params parameters
 * @param[out] out    belongs to the caller, to be freed by carom_linear_system_free
 * @param[out] report quantity and value if refused; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE, NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_clamped_bar_alloc(const carom_clamped_bar_params *params,
                                                      carom_linear_system **out,
                                                      carom_report *report);

CAROM_END_DECLARATIONS

#endif
