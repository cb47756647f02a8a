/** Contacts of planar rigid bodies: corners and discs against walls, discs against discs. */
#ifndef CAROM_MECHANISM_PLANAR_CONTACT_H
#define CAROM_MECHANISM_PLANAR_CONTACT_H

#include <carom/base/status.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

/** A half plane fixed to the ground. */
typedef struct carom_planar_wall {
    double point[2];  /**< any point of its edge, m */
    double normal[2]; /**< into the free side; of any length but zero */
} carom_planar_wall;

/** The horizontal floor at a height, free above. */
carom_planar_wall carom_planar_floor(double height);

/** What touches what. */
typedef enum carom_planar_contact_kind {
    CAROM_PLANAR_CORNER_WALL, /**< a point of a body above a wall */
    CAROM_PLANAR_DISC_WALL,   /**< a disc fixed to a body above a wall */
    CAROM_PLANAR_DISC_DISC    /**< a disc of one body beside a disc of another */
} carom_planar_contact_kind;

/**
 * One contact. The unit normal n points from the wall to the body, or from the first disc to the
 * second; the tangent is t = (n_y, -n_x), or its opposite if reversed. Normal and sliding speeds
 * are n.u and t.u of the velocity u of the body's material point of contact, or of the second
 * disc's point minus the first's.
 */
typedef struct carom_planar_contact {
    carom_planar_contact_kind kind;
    int body;                 /**< of the corner or the (first) disc */
    double point[2];          /**< corner or centre of the disc in its body frame, m */
    double radius;            /**< of the disc, > 0, m; ignored for a corner */
    carom_planar_wall wall;   /**< of the contacts with a wall */
    int other_body;           /**< of the second disc; here and above -1 is the ground */
    double other_point[2];    /**< its centre in its body frame, m */
    double other_radius;      /**< > 0, m */
    double friction;          /**< Coulomb coefficient mu >= 0 */
    double restitution;       /**< Newton coefficient, in [0,1]; the makers below give 0 */
    bool is_tangent_reversed; /**< t = (-n_y, n_x); the makers below give false */
} carom_planar_contact;

/** The point (x, y) of a body above a wall. */
carom_planar_contact carom_planar_corner_on_wall(int body, double x, double y,
                                                 carom_planar_wall wall, double friction);

/** A disc about the point (x, y) of a body above a wall. */
carom_planar_contact carom_planar_disc_on_wall(int body, double x, double y, double radius,
                                               carom_planar_wall wall, double friction);

/** A disc about the origin of a body frame beside another one. */
carom_planar_contact carom_planar_disc_on_disc(int body, double radius, int other_body,
                                               double other_radius, double friction);

CAROM_END_DECLARATIONS

#endif
