/** Equations of motion of TREX in closed form: what its mechanism is made of. Internal to the
 * model; users take carom/models/trex/trex.h. */
#ifndef CAROM_MODELS_TREX_TREX_LAGRANGIAN_H
#define CAROM_MODELS_TREX_TREX_LAGRANGIAN_H

#include <carom/models/trex/trex.h>

/** What the functions of the mechanism need: its context. */
typedef struct carom_trex_data {
    carom_trex_params params;
    carom_trex_inertia inertia;
    double reach[CAROM_TREX_CONTACTS][CAROM_TREX_LINKS]; /**< levers of the tips, cm */
    double friction[CAROM_TREX_CONTACTS];                /**< mu, 1 */
    double restitution[CAROM_TREX_CONTACTS];             /**< e, 1 */
} carom_trex_data;

/**
 * Set counts of contacts and tangents and all functions of a mechanism of TREX.
 *
 * @param[in,out] mechanism of CAROM_TREX_COORDINATES coordinates, whose context is a
 * carom_trex_data
 */
void carom_trex_set_functions(carom_mechanism *mechanism);

#endif
