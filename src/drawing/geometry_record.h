/** Outlines and poses of bodies in a record: whatever moves can be drawn from it alone. */
#ifndef CAROM_DRAWING_GEOMETRY_RECORD_H
#define CAROM_DRAWING_GEOMETRY_RECORD_H

#include <carom/base/base.h>
#include <carom/record/record.h>

/** What an outline is. */
typedef enum carom_outline_kind {
    CAROM_OUTLINE_CLOSED,     /**< a region within a line, its first point repeated */
    CAROM_OUTLINE_LINE,       /**< a line */
    CAROM_OUTLINE_HALF_PLANE, /**< a point of the edge, then that plus the unit normal out of it */
    /* in space: */
    CAROM_OUTLINE_SPHERE,    /**< its centre */
    CAROM_OUTLINE_CAPSULE,   /**< the ends of its segment */
    CAROM_OUTLINE_FACE,      /**< of a box: corners, counter-clockwise from outside */
    CAROM_OUTLINE_HALF_SPACE /**< a point of the plane, then that plus the unit normal out of it */
} carom_outline_kind;

/** An outline, fixed to a body. */
typedef struct carom_outline {
    int body; /**< index of a pose; -1: the world */
    carom_outline_kind kind;
    int count;            /**< points, >= 1 */
    const double *points; /**< [count][2] in the frame of the body's pose, in space [count][3], m */
    double radius;        /**< of spheres and capsules, m */
} carom_outline;

/**
 * Write outlines below a group, "/geometry" in records of motions: over `point` the places x and y
 * in the frame of their body, and the outline that they belong to; over `outline` body and kind;
 * `bodies` with their names, separated by ", ".
 *
 * @param[in,out] group      open record or group
 * @param[in]     body_count >= 1
 * @param[in]     names      [body_count]; NULL: "body_0", ...
 * @param[in]     count      outlines, >= 0
 * @param[in]     outlines   [count]
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_geometry_record_outlines(carom_record *group, int body_count,
                                                             const char *const *names, int count,
                                                             const carom_outline *outlines);

/** The same in space: also z, and over `outline` the radius of spheres and capsules. */
CAROM_MUST_CHECK carom_status carom_geometry_record_solids(carom_record *group, int body_count,
                                                           const char *const *names, int count,
                                                           const carom_outline *outlines);

/** A spring between two places, each in the frame of a body. */
typedef struct carom_spring_line {
    int first;       /**< index of a pose; -1: the world */
    double first_x;  /**< m */
    double first_y;  /**< m */
    int second;      /**< likewise */
    double second_x; /**< m */
    double second_y; /**< m */
} carom_spring_line;

/** Write springs [count] below a group with outlines, over `spring`; none: nothing. */
void carom_geometry_record_springs(carom_record *group, int count,
                                   const carom_spring_line *springs);

/**
 * Write poses below the group of a motion: body_x, body_y (m) and body_angle (rad) over its time
 * axis, which stands there already, and an axis `body`.
 *
 * @param[in,out] group       of the motion
 * @param[in]     time_axis   path of the axis of the instants
 * @param[in]     frame_count instants
 * @param[in]     body_count  bodies
 * @param[in]     poses       [frame_count][body_count][3] x, y, angle
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_geometry_record_poses(carom_record *group,
                                                          const char *time_axis, int frame_count,
                                                          int body_count, const double *poses);

/** The same in space, poses [frame_count][body_count][7]: also body_z (m), and the unit quaternion
 * body_w, body_i, body_j, body_k. */
CAROM_MUST_CHECK carom_status carom_geometry_record_poses_in_space(carom_record *group,
                                                                   const char *time_axis,
                                                                   int frame_count, int body_count,
                                                                   const double *poses);

#endif
