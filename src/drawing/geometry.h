/** What a system looks like: its bodies, how their poses follow from the generalized coordinates,
 * and their outlines. With it in a record, every motion there that has the coordinates over time is
 * drawn. */
#ifndef CAROM_DRAWING_GEOMETRY_H
#define CAROM_DRAWING_GEOMETRY_H

#include <carom/drawing/geometry_record.h>
#include <carom/mechanism/planar_tree.h>

/** What a coordinate does to a body. */
typedef enum carom_geometry_direction {
    CAROM_GEOMETRY_X,    /**< moves it along the x axis of its parent */
    CAROM_GEOMETRY_Y,    /**< along the y axis */
    CAROM_GEOMETRY_ANGLE /**< adds to its angle in the world, rad */
} carom_geometry_direction;

/** A part of a pose: factor times a coordinate. */
typedef struct carom_geometry_term {
    int body;
    carom_geometry_direction direction;
    int coordinate; /**< number in q */
    double factor;  /**< 1; in m where the coordinate is none */
} carom_geometry_term;

/**
 * A frame whose place in that of its parent is (x, y) and what the terms add, and whose angle in
 * the world is `angle` and what they add. A zeroed geometry is empty and ready; the first failure
 * stays and is returned by carom_geometry_record.
 */
typedef struct carom_geometry {
    struct carom_geometry_body *bodies;
    carom_geometry_term *terms;
    struct carom_geometry_line *lines;
    double *points;
    int body_count;
    int term_count;
    int line_count;
    int point_count;
    carom_status failure;
    carom_spring_line *springs;
    int spring_count;
} carom_geometry;

/** Free; a zeroed geometry is accepted. */
void carom_geometry_clear(carom_geometry *geometry);

/** Add a body. @param[in] name copied, at most 31 bytes; NULL: "body_K"
 * @param[in] parent an earlier body; -1: the world @return its number */
int carom_geometry_add_body(carom_geometry *geometry, const char *name, int parent, double x,
                            double y, double angle);

/** Add a body of the world that the coordinates x, y, theta move, from `first` on, both places in
 * units of `length`, m. @return its number */
int carom_geometry_add_free_body(carom_geometry *geometry, const char *name, int first,
                                 double length);

/** A coordinate moves a body. */
void carom_geometry_add_term(carom_geometry *geometry, int body, carom_geometry_direction direction,
                             int coordinate, double factor);

/** Add an outline, points [count][2] in the frame of a body, m, copied. */
void carom_geometry_add_outline(carom_geometry *geometry, int body, carom_outline_kind kind,
                                int count, const double *points);

/** A circle. */
void carom_geometry_add_circle(carom_geometry *geometry, int body, double x, double y,
                               double radius);

/** A disc with a radius to see it turn. */
void carom_geometry_add_disc(carom_geometry *geometry, int body, double x, double y, double radius);

/** A rectangle about (x, y). */
void carom_geometry_add_box(carom_geometry *geometry, int body, double x, double y, double width,
                            double height);

/** A line between two points. */
void carom_geometry_add_line(carom_geometry *geometry, int body, const double *from,
                             const double *to);

/** A spring from a place of one body to one of another, each in the frame of its body; -1: the
 * world. */
void carom_geometry_add_spring(carom_geometry *geometry, int first, const double *from, int second,
                               const double *to);

/** A half plane of the world, with a normal of any length. */
void carom_geometry_add_half_plane(carom_geometry *geometry, const carom_planar_wall *wall);

/** The frames of all bodies of a tree, as the first bodies; outlines are for the caller. */
void carom_geometry_add_tree(carom_geometry *geometry, const carom_planar_tree *tree);

/**
 * Write "geometry" below a record or group, for all motions there: outlines, and bodies and terms
 * from which poses follow.
 *
 * @param[in,out] record   open record or group
 * @param[in]     geometry at least one body
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_geometry_record(carom_record *record,
                                                    const carom_geometry *geometry);

#endif
