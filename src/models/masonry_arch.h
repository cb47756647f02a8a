/** A semicircular arch of voussoirs that carry no tension: the least thickness with which it
 * stands, by its line of thrust, and the voussoirs as bodies that move (Heyman 1969; Cocchetti,
 * Colasante and Rizzi 2011). */
#ifndef CAROM_MODELS_MASONRY_ARCH_H
#define CAROM_MODELS_MASONRY_ARCH_H

#include <carom/base/base.h>
#include <carom/mechanism/bodies/bodies.h>

CAROM_BEGIN_DECLARATIONS

/** An arch that just stands. Lengths are over the radius of the middle line, forces over the weight
 * of half the arch. */
typedef struct carom_masonry_arch_limit {
    double thickness;    /**< least, 1 */
    double thrust;       /**< horizontal, 1 */
    double haunch_angle; /**< of the joint from the crown whose intrados carries the thrust, rad */
} carom_masonry_arch_limit;

/** What is assumed of the arch where it is thinnest. At its hinges the thrust is at the extrados at
 * crown and springings, at the intrados at the haunches. */
typedef enum carom_masonry_arch_assumption {
    CAROM_MASONRY_ARCH_HEYMAN, /**< mass on the middle line; the thrust has the direction of the
                                  intrados at the haunch */
    CAROM_MASONRY_ARCH_MIDDLE_LINE,  /**< mass on the middle line; the line of thrust, of radial
                                        joints, touches the intrados there */
    CAROM_MASONRY_ARCH_TRUE_CENTRES, /**< the same with the true centres of mass: Milankovitch */
    CAROM_MASONRY_ARCH_ASSUMPTIONS
} carom_masonry_arch_assumption;

/** The limit of an arch with a joint everywhere, by one equation for the thickness. */
carom_masonry_arch_limit carom_masonry_arch_limit_of(carom_masonry_arch_assumption assumption);

/**
 * The limit of an arch of voussoirs with straight faces and equal angles, whose joints do not
 * slide: a linear programme in the thrust at the crown and its moment, 0 <= the thrust is between
 * intrados and extrados at every joint. Of an arch and its mirror image the mean stands too, so
 * that half of it is looked at.
 *
 * @param[in] voussoir_count n >= 4, even: there is a joint at the crown
 */
carom_masonry_arch_limit carom_masonry_arch_limit_of_voussoirs(int voussoir_count);

/**
 * Radii of the line of thrust at the joints of half an arch of voussoirs, from the crown to the
 * springing, where it is nearest to standing.
 *
 * @param[in]  voussoir_count n as above
 * @param[in]  thickness      over the radius of the middle line, in (0, 2)
 * @param[out] radii          [n/2 + 1] over the radius of the middle line, 1; may be NULL
 * @param[out] thrust         horizontal, over the weight of half the arch, 1; may be NULL
 * @return by how much the thrust leaves the arch, over its radius: <= 0 if it stands
 */
double carom_masonry_arch_thrust(int voussoir_count, double thickness, double *radii,
                                 double *thrust);

/** An arch of voussoirs on the ground. */
typedef struct carom_masonry_arch_params {
    int voussoir_count; /**< n >= 1 */
    double radius;      /**< of the middle line > 0, m */
    double thickness;   /**< over it, in (0, 2), 1 */
    double density;     /**< of an arch a metre deep > 0, kg/m2 */
    double friction;    /**< of the joints >= 0, 1 */
    double gravity;     /**< >= 0, m/s2 */
} carom_masonry_arch_params;

/** 16 voussoirs, 1 m, thickness 0.12, 1 kg/m2, friction 0.7, 9.81 m/s2. */
carom_masonry_arch_params carom_masonry_arch_params_default(void);

/** Corners of a voussoir about the middle of the arch, below its crown, [4][2] counter-clockwise
 * from the left one of its intrados, m. */
void carom_masonry_arch_corners(const carom_masonry_arch_params *params, double corners[8]);

/**
 * The voussoirs as bodies, from left to right, in contact.
 *
 * @param[in]  params   of the arch
 * @param[out] out      belongs to the caller, to be freed by carom_bodies_free
 * @param[out] position [3 n] where they stand
 * @param[out] report   what was refused; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_masonry_arch_alloc(const carom_masonry_arch_params *params,
                                                       carom_bodies **out, double *position,
                                                       carom_report *report);

CAROM_END_DECLARATIONS

#endif
