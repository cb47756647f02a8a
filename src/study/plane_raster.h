/** Paths and points of contact space thinned out for drawing: one point for each cell of a plane.
 */
#ifndef CAROM_STUDY_PLANE_RASTER_H
#define CAROM_STUDY_PLANE_RASTER_H

#include <carom/base/base.h>

/**
 * Lengths of cells along each side of a plane, and the most cells: their centres are multiples of
 * their length, so that speeds of zero are drawn as zero.
 */
enum { CAROM_PLANE_CELLS = 100, CAROM_PLANE_MOST_POINTS = 101 * 101 };

/** Two rows of contact space and the rectangle of them that is drawn. */
typedef struct carom_plane {
    const char *name; /**< of its group in a record: "normal_AB", "contact_A" */
    int row_x;        /**< row of c, 0 .. r-1 */
    int row_y;        /**< row of c */
    double x_min;     /**< m/s; NaN: all four limits are those of a first run */
    double x_max;     /**< > x_min */
    double y_min;     /**< m/s */
    double y_max;     /**< > y_min */
} carom_plane;

/** The cells of a plane that paths have crossed; filled by any number of threads. */
typedef struct carom_plane_raster carom_plane_raster;

/**
 * @param[in]  plane  copied; its name is borrowed
 * @param[out] out    belongs to the caller; no cell is occupied
 * @param[out] report quantity "plane"; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: a side that is not finite or not longer than zero; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_plane_raster_alloc(const carom_plane *plane,
                                                       carom_plane_raster **out,
                                                       carom_report *report);

/** Free; NULL is accepted. */
void carom_plane_raster_free(carom_plane_raster *raster);
CAROM_AUTO_TYPE(carom_plane_raster)

/** The plane, as given. */
const carom_plane *carom_plane_raster_plane(const carom_plane_raster *raster);

/**
 * Occupy the cells that the polygon through some points crosses. What lies outside the rectangle is
 * left out; the outer edges belong to it. May be called by several threads at once: which cells are
 * occupied in the end does not depend on the order.
 *
 * @param[in,out] raster      of the plane
 * @param[in]     point_count points, >= 0; a single one is a point
 * @param[in]     row_count   r
 * @param[in]     path        [point_count][r] m/s
 */
void carom_plane_raster_add(carom_plane_raster *raster, int point_count, int row_count,
                            const double *path);

/** Number of occupied cells. */
int carom_plane_raster_count(const carom_plane_raster *raster);

/** Centres of the occupied cells, x and y [count] each, by rows from the lower left; half a cell
 * outside the limits at most. */
void carom_plane_raster_centres(const carom_plane_raster *raster, double *x, double *y);

/**
 * The first point in each cell: what a drawing of all points needs.
 *
 * @param[in]  plane     with its limits
 * @param[in]  count     points, >= 0
 * @param[in]  row_count r
 * @param[in]  points    [count][r] m/s
 * @param[in]  is_drawn  [count] 0: a point to be left out; NULL: none
 * @param[out] kept      [CAROM_PLANE_MOST_POINTS] at most are filled: indices of points, increasing
 * @param[out] kept_count number of them
 * @return CAROM_OK; OUT_OF_RANGE as above; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_plane_raster_thin(const carom_plane *plane, int count,
                                                      int row_count, const double *points,
                                                      const int *is_drawn, int *kept,
                                                      int *kept_count);

#endif
