/** Pictures of planar trees in a record: outlines to scale and velocities of their points. */
#ifndef CAROM_STUDY_SCENE_RECORD_H
#define CAROM_STUDY_SCENE_RECORD_H

#include <carom/mechanism/planar_tree.h>
#include <carom/record/record.h>

/** A line, or a few points, fixed to a body. */
typedef struct carom_scene_line {
    const char *name;     /**< of its group in a record */
    int body;             /**< index in the tree; -1: the ground */
    int count;            /**< points, >= 1 */
    const double *points; /**< [count][2] in the frame of the body, m */
} carom_scene_line;

/**
 * Write a line as GROUP/NAME/{x, y} over GROUP/NAME/point: its points in the world, m.
 *
 * @param[in,out] record open record
 * @param[in]     group  "/drawing"
 * @param[in]     tree   the tree
 * @param[in]     q      [n]
 * @param[in]     line   to be drawn
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_scene_record_line(carom_record *record, const char *group,
                                                      const carom_planar_tree *tree,
                                                      const double *q,
                                                      const carom_scene_line *line);

/** The same with the velocities of the points at v [n]: also GROUP/NAME/{dx, dy}, m/s. */
CAROM_MUST_CHECK carom_status carom_scene_record_velocities(carom_record *record, const char *group,
                                                            const carom_planar_tree *tree,
                                                            const double *q, const double *v,
                                                            const carom_scene_line *line);

/** Points of a closed circle. */
enum { CAROM_SCENE_CIRCLE_POINTS = 97 };

/** A circle about (x, y) in the frame of a body, first point repeated, points
 * [CAROM_SCENE_CIRCLE_POINTS][2]. */
void carom_scene_circle(double x, double y, double radius, double *points);

/** A rectangle about the origin of a body, first corner (the lower left) repeated, points [5][2].
 */
void carom_scene_rectangle(double width, double height, double *points);

#endif
