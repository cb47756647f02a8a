/** How TREX changes with its shape: derivatives by the radii and the lengths of the legs, masses
 * following by the densities. Internal to the design; users take carom/models/trex/trex_design.h.
 */
#ifndef CAROM_MODELS_TREX_TREX_SHAPE_RATE_H
#define CAROM_MODELS_TREX_TREX_SHAPE_RATE_H

#include <carom/models/trex/trex.h>

/** A change of the shape, cm for each unit of a parameter. */
typedef struct carom_trex_shape_rate {
    double anterior_radius;  /**< r_1' */
    double posterior_radius; /**< r_2' */
    double upper_length;     /**< l_u' */
    double lower_length;     /**< l_l' */
} carom_trex_shape_rate;

/** Derivative of carom_trex_tail_length, cm for each unit of the parameter. */
double carom_trex_tail_length_rate(const carom_trex_params *params, carom_trex_shape_rate rate);

/** Derivative of carom_trex_inertia_of, sum by sum. */
carom_trex_inertia carom_trex_inertia_rate(const carom_trex_params *params,
                                           carom_trex_shape_rate rate);

#endif
