/** Internal: bodies that a tree carries, beside free ones.
 *
 * Shapes, joints and springs are functions of the places x of all bodies, the links of the tree
 * among them. With a tree x = F(q): the mechanism in q is that of the places behind F, with what
 * the tree by itself knows of its inertia. */
#ifndef CAROM_MECHANISM_BODIES_LINKS_H
#define CAROM_MECHANISM_BODIES_LINKS_H

#include <carom/mechanism/bodies/internal.h>
#include <carom/mechanism/planar_internal.h>

struct carom_bodies_links {
    carom_mechanism mechanism; /**< in q; carom_bodies.mechanism is that of the places */
    carom_planar_tree *tree;   /**< without gravity, which acts on the places, and contacts */
    int first;                 /**< body that its first link is */
    int first_coordinate;      /**< in q, of the tree; those of the pads are behind it */
    int place_count;           /**< of x: three a body, then the pads */
    int row_room;              /**< most entries of a row in q */
    int *rigid;                /**< [links] the first body of those that each is fixed to */
    char *position_units;
    char *velocity_units;
    double *matrix; /**< scratch: of the places, by their layout */
    double *numbers;
    int *indices;

    /* dx/dq by rows, and what x does at q and v */
    int *start;    /**< [place_count + 1] */
    int *column;   /**< [start[place_count]] */
    double *slope; /**< dx/dq */
    double *rate;  /**< d(dx/dq v)/dq */
    double *place; /**< [place_count] x */
    double *speed; /**< [place_count] dx/dq v */

    /* patterns of G and H in q */
    int *row_start;
    int *row_column;
    int *tangent_start;
    int *tangent_column;

    /* scratch */
    int *mark;     /**< [n] by coordinates */
    double *force; /**< [place_count] */
    double *block; /**< [of the tree][of the tree] */
    double *rows;  /**< of the places, by their pattern */
};

/** x, dx/dq and, unless v is NULL, what follows from v. */
void carom_links_move(const carom_bodies *s, const double *q, const double *v);

/** Chain of the centre of mass of a link at q. */
void carom_links_chain(const carom_bodies *s, const double *q, int link, carom_planar_chain *chain);

#endif
