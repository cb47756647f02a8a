/** A motion in a record as a picture: read, and drawn as SVG, still or moving. */
#ifndef CAROM_DRAWING_DRAWING_H
#define CAROM_DRAWING_DRAWING_H

#include <carom/base/base.h>
#include <carom/drawing/geometry_record.h>
#include <carom/record/reader.h>
#include <carom/record/text.h>

#include <stdbool.h>

/* ------------------------------------------------------------------------------- what is drawn */

/** An impact of a motion. */
typedef struct carom_drawing_impact {
    double time;     /**< s */
    double place[2]; /**< m; NaN: not recorded */
    double strength; /**< impulse, to tell the larger ones; 0: not recorded */
} carom_drawing_impact;

/** Room for the path of a data set of a motion. */
enum { CAROM_DRAWING_PATH_SIZE = CAROM_RECORD_GROUP_SIZE + 64 };

/** What is in space as it is seen: a circle, or a closed line. */
typedef struct carom_drawing_figure {
    int body;       /**< whose name and colour it has */
    int count;      /**< points; 1: a circle */
    double radius;  /**< of a circle, m */
    bool is_spot;   /**< a mark on a sphere */
    double *places; /**< [frame_count][count][2] in the plane of the picture, m */
    double depth;   /**< toward the viewer in the last frame, m */
    int order;      /**< in the record */
} carom_drawing_figure;

/** Outlines, springs, poses and impacts of a motion. In space what is seen of it: figures, no
 * bodies, and outlines of the world. */
typedef struct carom_drawing {
    char group[CAROM_RECORD_GROUP_SIZE];    /**< of the motion, "/moreau_jean" */
    char geometry[CAROM_DRAWING_PATH_SIZE]; /**< "/geometry" */
    int body_count;
    const char **names; /**< [body_count], owned, as what follows */
    int outline_count;
    carom_outline *outlines; /**< [outline_count] */
    int frame_count;         /**< >= 1 */
    double *time;            /**< [frame_count] s, not decreasing */
    double *poses;           /**< [frame_count][body_count][3] x, y in m, angle in rad */
    int impact_count;
    carom_drawing_impact *impacts; /**< [impact_count] */
    double *points;                /**< of the outlines, [..][2] m */
    char *text;                    /**< of the names */
    int spring_count;
    carom_spring_line *springs; /**< [spring_count] */

    /* in space */
    int solid_bodies; /**< > 0: it is in space */
    int solid_count;
    carom_outline *solids; /**< [solid_count] */
    double *solid_points;  /**< [..][3] m */
    double *solid_poses;   /**< [frame_count][solid_bodies][7] place in m, quaternion */
    double *impact_places; /**< [impact_count][3] m */
    int figure_count;
    carom_drawing_figure *figures; /**< [figure_count] the farthest first */
    double *figure_places;
} carom_drawing;

/**
 * Read a motion: time, and body_x, body_y, body_angle (carom_geometry_record_poses) or position,
 * from which they follow; if there are any, impacts with time, x, y, impulse; and the outlines of
 * the nearest geometry (carom_geometry_record_outlines, carom_geometry_record), below the group of
 * the motion or one that holds it.
 *
 * @param[in]  reader open record
 * @param[in]  group  of the motion; NULL: the first that has poses, in the order of names
 * @param[out] out    belongs to the caller, to be freed by carom_drawing_free; NULL on failure
 * @param[out] report what was found and what would be accepted
 * @return CAROM_OK; NOT_FOUND: no geometry, no such group, no poses in it; BAD_FORMAT: what is
 * there is no geometry; NOT_FINITE: a pose or a point; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_drawing_read(carom_reader *reader, const char *group,
                                                 carom_drawing **out, carom_report *report);

/**
 * Look at what is in space from a direction, of any length but zero, toward the viewer; z is upward
 * in the picture, seen along z itself y is. What is in a plane is left as it is. A drawing that was
 * read is looked at from the direction of carom_drawing_params_default.
 *
 * @return CAROM_OK; OUT_OF_RANGE: no direction; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_drawing_look(carom_drawing *drawing, const double *view,
                                                 carom_report *report);

/** Take a direction "X,Y,Z". @return whether it is one: three finite numbers, not all zero */
bool carom_drawing_parse_view(const char *text, double view[3]);

/** Free; NULL is accepted. */
void carom_drawing_free(carom_drawing *drawing);
CAROM_AUTO_TYPE(carom_drawing)

/* ----------------------------------------------------------------------------------------- SVG */

/** How a motion is drawn. */
typedef struct carom_drawing_params {
    double play_duration; /**< s, without what impacts add; NaN: that of the motion, between
                               CAROM_DRAWING_SHORTEST and CAROM_DRAWING_LONGEST */
    double slow_impacts;  /**< times that the motion is slower about impacts, >= 1 */
    double accuracy;      /**< how far a drawn point may be from where the record has it, in
                               pixels, within [CAROM_DRAWING_FINEST, 100] */
    bool is_still;        /**< a plot */
    double view[3];       /**< toward the viewer of what is in space */
} carom_drawing_params;

/** Half a pixel, the motion's own duration, not slower; seen from the front, the right and above.
 */
carom_drawing_params carom_drawing_params_default(void);

/** Bounds of the duration where none is given, s. */
#define CAROM_DRAWING_SHORTEST 4.0
#define CAROM_DRAWING_LONGEST 20.0

/** Least accuracy, pixels: ten times what the digits in the file are good for. */
#define CAROM_DRAWING_FINEST 0.1

/**
 * Draw start, end, the ways of the bodies' frames and the impacts.
 *
 * @param[in]     drawing what is drawn
 * @param[in,out] svg     to which it is appended
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_drawing_plot(const carom_drawing *drawing,
                                                 carom_text_buffer *svg);

/**
 * Draw the motion so that it plays in a browser, again and again, without script: SMIL.
 *
 * Of the poses of a body as few are kept as leave each point of its outline, moved between them
 * along straight lines and turned evenly, within the accuracy of where each pose of the record has
 * it; the rounding of what is written is counted in.
 *
 * @param[in]     drawing what is drawn
 * @param[in]     params  how
 * @param[in,out] svg     to which it is appended
 * @param[out]    report  what was refused
 * @return CAROM_OK; OUT_OF_RANGE; NOT_FINITE; OUT_OF_MEMORY
 * Cost: O(frames log frames) for each body.
 */
CAROM_MUST_CHECK carom_status carom_drawing_animate(const carom_drawing *drawing,
                                                    const carom_drawing_params *params,
                                                    carom_text_buffer *svg, carom_report *report);

/**
 * Find out whether a drawing can be written, before what it shows is computed.
 *
 * @param[in]  output the file, which stays as it is
 * @param[out] report why not; may be NULL
 * @return CAROM_OK; IO, with a sentence; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_drawing_check_place(const char *output, carom_report *report);

/**
 * Draw a motion of a record into a file, replaced as a whole and left alone if it is the same.
 *
 * @param[in]  record    its file
 * @param[in]  group     of the motion; NULL: the first that has poses
 * @param[in]  params    how; NULL: a plot
 * @param[in]  output    the file
 * @param[out] report    what was refused
 * @return CAROM_OK; IO, with a sentence; as the above
 */
CAROM_MUST_CHECK carom_status carom_drawing_write(const char *record, const char *group,
                                                  const carom_drawing_params *params,
                                                  const char *output, carom_report *report);

#endif
