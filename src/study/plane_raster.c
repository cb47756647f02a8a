#include <carom/study/internal.h>

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/** Cells along a side: one more than its length, since they are centred at multiples of their own.
 */
enum { CELLS_ALONG = CAROM_PLANE_CELLS + 1, CELL_COUNT = CELLS_ALONG * CELLS_ALONG };

/** The cells along one side. */
typedef struct grid {
    double length; /**< of a cell, m/s */
    double first;  /**< the first one is centred at first times length; a whole number */
    double low;    /**< where the side begins, in cells from the edge of the first one, 0 .. 1 */
    double high;   /**< where it ends */
} grid;

/** The cells of a rectangle. */
typedef struct lattice {
    int row_x; /**< of contact space */
    int row_y;
    grid x;
    grid y;
} lattice;

struct carom_plane_raster {
    carom_plane plane;
    lattice cells_of;
    atomic_uchar cells[CELL_COUNT]; /**< 1: occupied; by rows from the lower left */
};

/** A place in the rectangle, in cells from the edges of the first ones. */
typedef struct place {
    double x;
    double y;
} place;

/** Refuse a side that has no length. */
static carom_status check_plane(const carom_plane *plane, carom_report *report) {
    const double width = plane->x_max - plane->x_min;
    const double height = plane->y_max - plane->y_min;
    const double shorter = isfinite(width) && isfinite(height) ? fmin(width, height) : (double)NAN;
    if (!(shorter > 0.0)) {
        return carom_report_refuse(report, "plane", shorter, -1,
                                   "of finite width and height above 0");
    }
    return CAROM_OK;
}

/** A coordinate in cells. */
static double measure(const grid *side, double coordinate) {
    return coordinate / side->length + 0.5 - side->first;
}

static grid make_grid(double low, double high) {
    grid side = {.length = (high - low) / CAROM_PLANE_CELLS};
    side.first = floor(low / side.length + 0.5);
    side.low = measure(&side, low);
    side.high = measure(&side, high);
    return side;
}

static lattice make_lattice(const carom_plane *plane) {
    const lattice cells = {plane->row_x, plane->row_y, make_grid(plane->x_min, plane->x_max),
                           make_grid(plane->y_min, plane->y_max)};
    return cells;
}

/** Where the point c [r] is. */
static place locate(const lattice *cells, const double *c) {
    const place where = {measure(&cells->x, c[cells->row_x]), measure(&cells->y, c[cells->row_y])};
    return where;
}

/** The column or row of a coordinate within the side. */
static int cell_along(double coordinate) {
    const int index = (int)coordinate; // not negative: the floor
    return index < CELLS_ALONG ? index : CELLS_ALONG - 1;
}

/** Whether a coordinate belongs to a side; not for NaN. */
static bool is_within(const grid *side, double coordinate) {
    return coordinate >= side->low && coordinate <= side->high;
}

static bool are_within(const lattice *cells, place p) {
    return is_within(&cells->x, p.x) && is_within(&cells->y, p.y);
}

/** The cell of a place, -1 outside the rectangle or for NaN. */
static int cell_of(const lattice *cells, place p) {
    return are_within(cells, p) ? cell_along(p.y) * CELLS_ALONG + cell_along(p.x) : -1;
}

carom_status carom_plane_raster_alloc(const carom_plane *plane, carom_plane_raster **out,
                                      carom_report *report) {
    CAROM_ASSERT(plane != NULL && plane->row_x >= 0 && plane->row_y >= 0 && out != NULL);
    *out = NULL;
    CAROM_TRY(check_plane(plane, report));
    carom_plane_raster *raster = malloc(sizeof *raster);
    if (raster == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    raster->plane = *plane;
    raster->cells_of = make_lattice(plane);
    for (int i = 0; i < CELL_COUNT; i++) {
        atomic_init(&raster->cells[i], 0);
    }
    *out = raster;
    return CAROM_OK;
}

void carom_plane_raster_free(carom_plane_raster *raster) {
    free(raster);
}

const carom_plane *carom_plane_raster_plane(const carom_plane_raster *raster) {
    return &raster->plane;
}

/** Occupy a cell: cells are only ever set, so that threads need no order. */
static void occupy(carom_plane_raster *raster, int cell) {
    // Most cells are met often: looking before writing leaves their memory shared.
    if (atomic_load_explicit(&raster->cells[cell], memory_order_relaxed) == 0) {
        atomic_store_explicit(&raster->cells[cell], 1, memory_order_relaxed);
    }
}

/** Shorten the part [u[0], u[1]] of a segment from a, d long, to a side; false if nothing is left
 * of it. */
static bool clip(const grid *side, double a, double d, double u[2]) {
    if (!(fabs(d) > 0.0)) {
        return is_within(side, a);
    }
    const double at_low = (side->low - a) / d;
    const double at_high = (side->high - a) / d;
    u[0] = fmax(u[0], fmin(at_low, at_high));
    u[1] = fmin(u[1], fmax(at_low, at_high));
    return u[0] <= u[1];
}

/** A coordinate that rounding has not put outside. */
static double keep_within(const grid *side, double coordinate) {
    const double above = coordinate > side->low ? coordinate : side->low;
    return above < side->high ? above : side->high;
}

/** The crossings of one family of grid lines by a segment. */
typedef struct crossings {
    int cell;     /**< column or row where the segment begins */
    int left;     /**< lines still to be crossed */
    int step;     /**< to the next column or row, in cells of the whole raster */
    double next;  /**< parameter of the next crossing, 0 .. 1 along the segment */
    double apart; /**< parameter between two crossings */
} crossings;

/** Crossings between two coordinates on a side; `step` leads to the next column or row. */
static crossings find_crossings(double from, double to, int step) {
    const int first = cell_along(from);
    const int last = cell_along(to);
    const double length = fabs(to - from);
    const bool is_forward = to > from;
    crossings found = {.cell = first, .left = abs(last - first), .step = is_forward ? step : -step};
    if (found.left > 0) {
        found.apart = 1.0 / length;
        found.next = (is_forward ? first + 1.0 - from : from - first) / length;
    }
    return found;
}

/** Occupy the cells behind the lines of one family, from `cell` on. */
static void run(carom_plane_raster *raster, const crossings *lines, int left, int cell) {
    for (; left > 0; left--) {
        cell += lines->step;
        occupy(raster, cell);
    }
}

/** Occupy all cells that a segment within the rectangle crosses. */
static void traverse(carom_plane_raster *raster, place a, place b) {
    const crossings x = find_crossings(a.x, b.x, 1);
    const crossings y = find_crossings(a.y, b.y, CELLS_ALONG);
    int cell = y.cell * CELLS_ALONG + x.cell;
    occupy(raster, cell);
    // Counting the lines keeps rounding from leading past the last cell. Which family comes next
    // nobody can predict: no branch depends on it.
    int left_x = x.left;
    int left_y = y.left;
    double next_x = x.next;
    double next_y = y.next;
    while (left_x > 0 && left_y > 0) {
        const double after_x = next_x + x.apart;
        const double after_y = next_y + y.apart;
        const int is_x = next_x < next_y;
        next_y = next_x < next_y ? next_y : after_y;
        next_x = is_x ? after_x : next_x;
        left_x -= is_x;
        left_y -= 1 - is_x;
        cell += y.step + is_x * (x.step - y.step);
        occupy(raster, cell);
    }
    run(raster, &x, left_x, cell);
    run(raster, &y, left_y, cell);
}

/** Occupy the cells of a segment. */
static void add_segment(carom_plane_raster *raster, place a, place b) {
    const lattice *cells = &raster->cells_of;
    const double dx = b.x - a.x;
    const double dy = b.y - a.y;
    double u[2] = {0.0, 1.0};
    // Between two places within, clipping would change nothing.
    if (!(are_within(cells, a) && are_within(cells, b)) &&
        (!isfinite(dx) || !isfinite(dy) || !clip(&cells->x, a.x, dx, u) ||
         !clip(&cells->y, a.y, dy, u))) {
        return;
    }
    const place from = {keep_within(&cells->x, a.x + u[0] * dx),
                        keep_within(&cells->y, a.y + u[0] * dy)};
    const place to = {keep_within(&cells->x, a.x + u[1] * dx),
                      keep_within(&cells->y, a.y + u[1] * dy)};
    traverse(raster, from, to);
}

void carom_plane_raster_add(carom_plane_raster *raster, int point_count, int row_count,
                            const double *path) {
    CAROM_ASSERT(raster != NULL && point_count >= 0 && row_count >= 1);
    if (point_count == 0) {
        return;
    }
    place last = locate(&raster->cells_of, path);
    const int first = cell_of(&raster->cells_of, last);
    if (first >= 0) {
        occupy(raster, first);
    }
    for (int i = 1; i < point_count; i++) {
        const place next = locate(&raster->cells_of, path + (size_t)i * (size_t)row_count);
        add_segment(raster, last, next);
        last = next;
    }
}

carom_parallel_marks carom_plane_raster_marks(carom_plane_raster *raster) {
    return (carom_parallel_marks){raster->cells, CELL_COUNT};
}

int carom_plane_raster_count(const carom_plane_raster *raster) {
    int count = 0;
    for (int i = 0; i < CELL_COUNT; i++) {
        count += atomic_load(&raster->cells[i]);
    }
    return count;
}

void carom_plane_raster_centres(const carom_plane_raster *raster, double *x, double *y) {
    const grid *across = &raster->cells_of.x;
    const grid *up = &raster->cells_of.y;
    int count = 0;
    for (int i = 0; i < CELL_COUNT; i++) {
        if (atomic_load(&raster->cells[i]) != 0) {
            const int column = i % CELLS_ALONG;
            const int row = i / CELLS_ALONG;
            x[count] = (across->first + column) * across->length;
            y[count] = (up->first + row) * up->length;
            count++;
        }
    }
}

carom_status carom_plane_raster_thin(const carom_plane *plane, int count, int row_count,
                                     const double *points, const int *is_drawn, bool *is_taken,
                                     int *kept, int *kept_count) {
    CAROM_ASSERT(count >= 0 && row_count >= 1 && kept != NULL && kept_count != NULL);
    *kept_count = 0;
    CAROM_TRY(check_plane(plane, NULL));
    CAROM_AUTO_MEMORY bool *own = is_taken != NULL ? NULL : calloc(CELL_COUNT, sizeof *own);
    bool *taken = is_taken != NULL ? is_taken : own;
    if (taken == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const lattice cells = make_lattice(plane);
    for (int i = 0; i < count; i++) {
        const double *point = points + (size_t)i * (size_t)row_count;
        const int cell =
            is_drawn == NULL || is_drawn[i] != 0 ? cell_of(&cells, locate(&cells, point)) : -1;
        if (cell >= 0 && !taken[cell]) {
            taken[cell] = true;
            kept[(*kept_count)++] = i;
        }
    }
    return CAROM_OK;
}

carom_status carom_plane_ends_add(const carom_plane *plane, const carom_impact_samples *samples,
                                  carom_plane_ends *ends) {
    int more = 0;
    CAROM_TRY(carom_plane_raster_thin(plane, samples->count, samples->row_count,
                                      samples->contact_velocity, samples->is_finished,
                                      ends->is_taken, ends->kept, &more));
    for (int i = 0; i < more; i++) {
        const double *c =
            samples->contact_velocity + (size_t)ends->kept[i] * (size_t)samples->row_count;
        ends->x[ends->count] = c[plane->row_x];
        ends->y[ends->count] = c[plane->row_y];
        ends->count++;
    }
    return CAROM_OK;
}
