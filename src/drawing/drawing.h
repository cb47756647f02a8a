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

/** Outlines, springs, poses and impacts of a motion. */
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
} carom_drawing_params;

/** Half a pixel, the motion's own duration, not slower. */
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
 * Draw a motion of a record into a file, replaced as a whole and left alone if it is the same.
 *
 * @param[in]  record    its file
 * @param[in]  group     of the motion; NULL: the first that has poses
 * @param[in]  params    of an animation; NULL: a plot
 * @param[in]  output    the file
 * @param[out] report    what was refused
 * @return CAROM_OK; IO, with a sentence; as the above
 */
CAROM_MUST_CHECK carom_status carom_drawing_write(const char *record, const char *group,
                                                  const carom_drawing_params *params,
                                                  const char *output, carom_report *report);

#endif
