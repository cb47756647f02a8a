/** Mass, moment of inertia and centre of mass of the usual planar bodies. */
#ifndef CAROM_MECHANISM_PLANAR_SHAPES_H
#define CAROM_MECHANISM_PLANAR_SHAPES_H

#include <carom/base/attributes.h>

CAROM_BEGIN_DECLARATIONS

/** What the motion of a rigid body in the plane depends on. */
typedef struct carom_planar_shape {
    double mass;      /**< m >= 0, kg */
    double inertia;   /**< about the centre of mass, >= 0, kg m2 */
    double center[2]; /**< centre of mass in the body frame, m */
} carom_planar_shape;

/** No mass at all: a hip that only carries legs. */
carom_planar_shape carom_planar_massless(void);

/** All mass at the point (x, y) of the body frame, no inertia. */
carom_planar_shape carom_planar_point_mass(double mass, double x, double y);

/** Thin uniform rod that hangs from the origin along -y: centre (0, -length/2), m length^2/12. */
carom_planar_shape carom_planar_rod(double mass, double length);

/** Uniform rectangle about the origin: m (width^2 + height^2)/12. */
carom_planar_shape carom_planar_box(double mass, double width, double height);

/** Uniform disc about the origin: m radius^2/2. */
carom_planar_shape carom_planar_disc(double mass, double radius);

CAROM_END_DECLARATIONS

#endif
