/** A linear system whose last coordinate meets an obstacle without rebound. */
#ifndef CAROM_MODELS_LINEAR_CONTACT_H
#define CAROM_MODELS_LINEAR_CONTACT_H

#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/** m x'' + k x = load + s e_n F,   0 <= s (x_n - x_0)  _|_  F >= 0. */
typedef struct carom_linear_contact_params {
    int coordinate_count;    /**< n >= 1 */
    const double *mass;      /**< m [n][n] row-major, symmetric positive definite, kg or kg m2 */
    const double *stiffness; /**< k [n][n] row-major, symmetric, N/m or N m */
    const double *load;      /**< [n] constant, N or N m; NULL: none */
    double contact_level;    /**< x_0, m or rad */
    int contact_sign;        /**< s: 1, the obstacle is below; -1, above */
    bool is_angle;           /**< coordinates are angles, rad */
} carom_linear_contact_params;

/**
 * The system as a mechanism with one contact of restitution zero, at rest at x = 0. Arrays are
 * copied.
 *
 * @param[in]  params as above
 * @param[out] out    belongs to the caller, to be freed by carom_model_free; NULL on failure
 * @param[out] report "number of coordinates", "contact level", "contact sign", "mass", "stiffness"
 * or "load" and the offending value; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; NOT_FINITE; OUT_OF_MEMORY
 * Source: pankov-2024 (2), for one phase with F = 0 and one with x_n = x_0.
 */
CAROM_MUST_CHECK carom_status carom_linear_contact_alloc(const carom_linear_contact_params *params,
                                                         carom_model **out, carom_report *report);

CAROM_END_DECLARATIONS

#endif
