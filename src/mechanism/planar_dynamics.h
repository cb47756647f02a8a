/** Internal: the equations of motion of a planar tree. */
#ifndef CAROM_MECHANISM_PLANAR_DYNAMICS_H
#define CAROM_MECHANISM_PLANAR_DYNAMICS_H

#include <carom/mechanism/mechanism.h>

/** Set M, f, V and their derivatives; the context of the mechanism is its carom_planar_tree. */
void carom_planar_dynamics_install(carom_mechanism *mechanism);

#endif
