/** What a method computes of a mechanism; the rest it refuses by name. */
#ifndef CAROM_MECHANISM_SUPPORT_H
#define CAROM_MECHANISM_SUPPORT_H

#include <carom/mechanism/mechanism.h>

CAROM_BEGIN_DECLARATIONS

/** One row of the table "stepper x what it computes" of the README; false means refused. */
typedef struct carom_mechanism_support {
    const char *method;  /**< its name in messages and records, "moreau_jean" */
    const char *subject; /**< what it computes: "motion", "impacts" */
    bool joints;         /**< bilateral constraints */
    bool friction;       /**< friction coefficients above zero */
    bool restitution;    /**< restitution coefficients above zero */
    bool nonlinear_mass; /**< a mass matrix that depends on the position */
    bool space;          /**< two tangents of a contact, with friction */
} carom_mechanism_support;

/**
 * Refuse a mechanism that has what the method does not compute: "moreau_jean computes motion
 * without friction; mechanism 'crate' has friction 0.5".
 *
 * @param[in]  mechanism checked by counts and coefficients alone, no function of it is called
 * @param[in]  support   of the method
 * @param[out] report    that sentence; may be NULL
 * @return CAROM_OK; UNSUPPORTED; OUT_OF_RANGE as carom_mechanism_check_counts
 */
CAROM_MUST_CHECK carom_status carom_mechanism_require(const carom_mechanism *mechanism,
                                                      const carom_mechanism_support *support,
                                                      carom_report *report);

CAROM_END_DECLARATIONS

#endif
