/** What the parts of the drawing share. */
#ifndef CAROM_DRAWING_INTERNAL_H
#define CAROM_DRAWING_INTERNAL_H

#include <carom/drawing/drawing.h>

#define CAROM_DRAWING_PI 3.14159265358979323846

/** Pixels about the frame of the picture. */
enum {
    CAROM_DRAWING_LEFT = 64,
    CAROM_DRAWING_RIGHT = 16,
    CAROM_DRAWING_TOP = 14,
    CAROM_DRAWING_BOTTOM = 76
};

/** Decimals of places, pixels: their rounding moves a point by 0.008 pixels at most. */
enum { CAROM_DRAWING_PLACE_DECIMALS = 2 };

/** Share of the accuracy that the rounding of angles may take, and of instants. */
#define CAROM_DRAWING_ROUNDING_SHARE 0.1

/** Name of the coordinates over time in the group of a motion. */
#define CAROM_DRAWING_COORDINATES "position"

/** Read the numbers of a dataset GROUP/NAME; rows and columns below zero: any.
 * @return CAROM_OK; BAD_FORMAT: missing, or of another shape; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_drawing_numbers(carom_reader *reader, const char *group,
                                                    const char *name, int rows, int columns,
                                                    carom_dataset *out, carom_report *report);

/** Whether a number is a whole one within [low, high]. */
bool carom_drawing_is_index(double value, int low, int high);

/** Fill the poses from the coordinates of the motion. @return CAROM_OK; BAD_FORMAT; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_drawing_follow(carom_reader *reader, carom_drawing *drawing,
                                                   carom_report *report);

/** Numbers of a pose in space: place and quaternion. */
enum { CAROM_DRAWING_POSE = 7 };

/** Read what is in space, once names, times and impacts are there, and look at it. @return as
 * carom_drawing_read */
CAROM_MUST_CHECK carom_status carom_drawing_read_space(carom_reader *reader, carom_drawing *drawing,
                                                       carom_report *report);

/** Where the plane lies in the picture. */
typedef struct carom_drawing_view {
    double left;   /**< place of the left edge of the frame, m */
    double bottom; /**< of its lower edge, m */
    double scale;  /**< pixels a metre */
    double width;  /**< of the frame, pixels */
    double height; /**< pixels */
    bool is_space; /**< the plane is that of a projection */
} carom_drawing_view;

/** A view that holds all that moves, at all times, and what it moves along. */
carom_drawing_view carom_drawing_view_of(const carom_drawing *drawing);

/** Place in the picture, pixels, of a place in the plane, m. */
void carom_drawing_place(const carom_drawing_view *view, const double *place, double *pixel);

/** Whether a place in the picture is within the frame; NaN is not. */
bool carom_drawing_shows(const carom_drawing_view *view, const double *pixel);

/** Points of an outline at a pose [3]: place [2] of point k. */
void carom_drawing_point(const carom_outline *outline, int k, const double *pose, double *place);

/** A number rounded to decimals. */
double carom_drawing_rounded(double value, int decimals);

/** Decimals with which a rounding of the last one is at most so much. */
int carom_drawing_decimals_for(double most);

/** Append a number with at most so many decimals, none of them zero at the end. */
void carom_drawing_number(carom_text_buffer *svg, double value, int decimals);

/** Append a text with the letters escaped that mean something to XML. */
void carom_drawing_text(carom_text_buffer *svg, const char *text);

/** Begin the picture: size, style, what it is, and the world. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_drawing_open(const carom_drawing *drawing,
                                                 const carom_drawing_view *view,
                                                 carom_text_buffer *svg);

/** Frame and axes, with units. */
void carom_drawing_axes(const carom_drawing_view *view, carom_text_buffer *svg);

/** A unit with a prefix. */
typedef struct carom_drawing_unit {
    const char *prefix;
    double size; /**< in the unit without one */
} carom_drawing_unit;

/** The unit in which numbers up to this one have one to four digits before the point. */
carom_drawing_unit carom_drawing_unit_of(double largest);

/** Colour of a body. */
const char *carom_drawing_color(int body);

/**
 * Outlines of a body, or those of the world (-1), about its frame; a dot if it has none.
 *
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_drawing_outlines(const carom_drawing *drawing,
                                                     const carom_drawing_view *view, int body,
                                                     carom_text_buffer *svg);

/** Largest distance of a point of a body's outlines from its frame, m. */
double carom_drawing_reach(const carom_drawing *drawing, int body);

/** A round step (1, 2 or 5 times a power of ten) of at least this. */
double carom_drawing_round_step(double least);

/** Decimals that multiples of a step need. */
int carom_drawing_decimals(double step);

/** Whether what lies between two items may be left out. */
typedef bool (*carom_drawing_spans)(const void *context, int from, int to);

/**
 * Keep the first and the last of a list, and as few between as `spans` lets: from each the farthest
 * that bisection finds.
 *
 * @param[in]  count   items, >= 1
 * @param[in]  spans   asked for from < to; what lies right beside each other always spans
 * @param[in]  context handed to it
 * @param[out] kept    [count] indices
 * @return how many
 */
int carom_drawing_thin(int count, carom_drawing_spans spans, const void *context, int *kept);

/**
 * Append a line of pixels as the data of a path, without points within a tenth of a pixel of it.
 *
 * @param[in]     count  >= 1
 * @param[in]     points [count][2] pixels
 * @param[in]     closes whether the last point is the first
 * @param[in,out] svg    to which it is appended
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_drawing_path(int count, const double *points, bool closes,
                                                 carom_text_buffer *svg);

/** When the motion, whose last time is after its first, is played. */
typedef struct carom_drawing_clock {
    double duration;  /**< of the whole, with the pause at the end, s */
    double pace;      /**< seconds of playing for one of motion, away from impacts */
    double *fraction; /**< [frame_count] of that at which a frame is shown */
    int knot_count;   /**< instants between which the motion is played evenly */
    double *knots;    /**< [knot_count][2] time of the motion, s, and its fraction */
} carom_drawing_clock;

/** Read the springs of a geometry that has some. @return CAROM_OK; BAD_FORMAT; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_drawing_read_springs(carom_reader *reader,
                                                         carom_drawing *drawing,
                                                         carom_report *report);

/** Places [4] of both ends of a spring in a frame, m. */
void carom_drawing_spring_ends(const carom_drawing *drawing, int spring, int frame, double *ends);

/** All springs as they are in a frame. */
void carom_drawing_still_springs(const carom_drawing *drawing, const carom_drawing_view *view,
                                 int frame, carom_text_buffer *svg);

/** All springs in motion, each corner within the accuracy, pixels. @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_drawing_moving_springs(const carom_drawing *drawing,
                                                           const carom_drawing_view *view,
                                                           double accuracy,
                                                           const carom_drawing_clock *clock,
                                                           carom_text_buffer *svg);

CAROM_MUST_CHECK carom_status carom_drawing_clock_init(const carom_drawing *drawing,
                                                       const carom_drawing_params *params,
                                                       carom_drawing_clock *clock);
void carom_drawing_clock_clear(carom_drawing_clock *clock);

/** Figures of what is in space as they are in a frame, of a class of the style. */
void carom_drawing_figures(const carom_drawing *drawing, const carom_drawing_view *view, int frame,
                           const char *kind, carom_text_buffer *svg);

/** The ways of the centres of spheres. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_drawing_figure_ways(const carom_drawing *drawing,
                                                        const carom_drawing_view *view,
                                                        carom_text_buffer *svg);

/** Figures that move, in as few frames as the accuracy lets. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_drawing_move_figures(const carom_drawing *drawing,
                                                         const carom_drawing_view *view,
                                                         const carom_drawing_params *params,
                                                         const carom_drawing_clock *clock,
                                                         carom_text_buffer *svg);

/** Fraction at which an instant of the motion is played. */
double carom_drawing_clock_fraction(const carom_drawing_clock *clock, double time);

/* -------------------------------------------------------------------------------------- impacts */

/** Impacts that are marked and flash. */
enum { CAROM_DRAWING_MOST_IMPACTS = 400 };

/**
 * The impacts, the strongest first and of as strong ones the earlier, to be freed.
 *
 * @param[out] count of them to be shown
 * @return NULL: no memory
 */
carom_drawing_impact *carom_drawing_strongest(const carom_drawing *drawing, int *count);

#endif
