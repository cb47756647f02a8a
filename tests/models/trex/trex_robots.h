/** Random robots for the tests of TREX. */
#ifndef CAROM_TESTS_TREX_ROBOTS_H
#define CAROM_TESTS_TREX_ROBOTS_H

#include <carom/base/random.h>
#include <carom/models/trex/trex.h>

/** A number of [low, high) by its stream, the robot and the place of the number. */
static inline double robot_random(unsigned long stream, unsigned long seed, unsigned long dimension,
                                  double low, double high) {
    return low + (high - low) * carom_counter_uniform(stream, seed, dimension);
}

/** Lengths, densities and tail without special values, dimensions 0 to 6. */
static inline void draw_robot_shape(unsigned long stream, unsigned long seed,
                                    carom_trex_params *params) {
    params->anterior_radius = robot_random(stream, seed, 0, 6.0, 8.0);
    params->posterior_radius = robot_random(stream, seed, 1, 3.0, 5.0);
    params->upper_length = robot_random(stream, seed, 2, 6.0, 9.0);
    params->lower_length = robot_random(stream, seed, 3, 8.0, 11.0);
    params->tail = seed % 2 == 0 ? CAROM_TREX_TAIL_CONE : CAROM_TREX_TAIL_PRINTED;
    params->body_density = robot_random(stream, seed, 4, 0.5e-3, 2e-3);
    params->limb_density = robot_random(stream, seed, 5, 1e-3, 8e-3);
    params->limb_section = robot_random(stream, seed, 6, 0.5, 3.0);
}

#endif
