#include <carom/drawing/internal.h>

#include <math.h>
#include <stdlib.h>

/* A spring is drawn from end to end with so many corners between, so far beside the line, pixels.
 */
enum { CORNERS = 8, POINTS = CORNERS + 2 };
static const double WIDTH = 5.0;

/* By which corners are moved where they are written, at most, pixels. */
static const double ROUNDING = 0.0071;

/* Straight parts at both ends, of the length. */
static const double STRAIGHT = 0.12;

/* ---------------------------------------------------------------------------------------- reading
 */

/** What a geometry has over its springs, in the order of carom_spring_line. */
enum { COLUMNS = 6 };
static const char *const NAMES[COLUMNS] = {"first_of_spring",  "first_x",  "first_y",
                                           "second_of_spring", "second_x", "second_y"};

static bool is_spring(const carom_spring_line *spring) {
    return isfinite(spring->first_x + spring->first_y + spring->second_x + spring->second_y) &&
           spring->first != spring->second;
}

static carom_status fill(const carom_dataset *columns, carom_drawing *drawing,
                         carom_report *report) {
    for (int k = 0; k < columns[0].rows; k++) {
        bool is_good = true;
        for (int i = 0; i < COLUMNS; i += 3) {
            is_good = is_good &&
                      carom_drawing_is_index(columns[i].values[k], -1, drawing->body_count - 1);
        }
        const carom_spring_line spring = {
            is_good ? (int)columns[0].values[k] : -1, columns[1].values[k], columns[2].values[k],
            is_good ? (int)columns[3].values[k] : -1, columns[4].values[k], columns[5].values[k]};
        if (!is_good || !is_spring(&spring)) {
            return carom_report_say(report, CAROM_STATUS_BAD_FORMAT,
                                    "geometry: spring %d joins no two bodies, or nowhere", k);
        }
        drawing->springs[drawing->spring_count++] = spring;
    }
    return CAROM_OK;
}

carom_status carom_drawing_read_springs(carom_reader *reader, carom_drawing *drawing,
                                        carom_report *report) {
    carom_dataset columns[COLUMNS] = {{0}};
    carom_status status = CAROM_OK;
    for (int i = 0; i < COLUMNS && status == CAROM_OK; i++) {
        status = carom_drawing_numbers(reader, drawing->geometry, NAMES[i],
                                       i > 0 ? columns[0].rows : -1, 1, &columns[i], report);
    }
    if (status == CAROM_OK) {
        drawing->springs = malloc(((size_t)columns[0].rows + 1) * sizeof *drawing->springs);
        status =
            drawing->springs != NULL ? fill(columns, drawing, report) : CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < COLUMNS; i++) {
        carom_dataset_clear(&columns[i]);
    }
    return status;
}

/* ----------------------------------------------------------------------------------- in the plane
 */

static void place_of(const carom_drawing *drawing, int frame, int body, double x, double y,
                     double *place) {
    static const double world[3] = {0.0, 0.0, 0.0};
    const double point[2] = {x, y};
    const carom_outline outline = {body, CAROM_OUTLINE_LINE, 1, point, 0.0};
    const size_t at = (size_t)frame * (size_t)drawing->body_count;
    carom_drawing_point(&outline, 0, body < 0 ? world : drawing->poses + 3 * (at + (size_t)body),
                        place);
}

void carom_drawing_spring_ends(const carom_drawing *drawing, int spring, int frame, double *ends) {
    const carom_spring_line *s = &drawing->springs[spring];
    place_of(drawing, frame, s->first, s->first_x, s->first_y, ends);
    place_of(drawing, frame, s->second, s->second_x, s->second_y, ends + 2);
}

/** Pixels [4] of both ends. */
static void end_pixels(const carom_drawing *drawing, const carom_drawing_view *view, int spring,
                       int frame, double *pixels) {
    double ends[4];
    carom_drawing_spring_ends(drawing, spring, frame, ends);
    carom_drawing_place(view, ends, pixels);
    carom_drawing_place(view, ends + 2, pixels + 2);
}

/** The zigzag [POINTS][2] between two ends. */
static void fill_zigzag(const double *ends, double *points) {
    const double along[2] = {ends[2] - ends[0], ends[3] - ends[1]};
    const double length = hypot(along[0], along[1]);
    const double across[2] = {length > 0.0 ? -along[1] / length : 0.0,
                              length > 0.0 ? along[0] / length : 1.0};
    for (int k = 0; k < POINTS; k++) {
        const double inner = STRAIGHT + (1.0 - 2.0 * STRAIGHT) * (k - 1) / (CORNERS - 1);
        const bool is_end = k == 0 || k == POINTS - 1;
        const double share = is_end ? k / (POINTS - 1.0) : inner;
        // the first and the last corner lie on the line
        const bool is_beside = k > 1 && k < POINTS - 2;
        const double beside = is_beside ? (k % 2 == 0 ? WIDTH : -WIDTH) : 0.0;
        for (int axis = 0; axis < 2; axis++) {
            points[2 * k + axis] = ends[axis] + share * along[axis] + beside * across[axis];
        }
    }
}

static void write_zigzag(const double *ends, carom_text_buffer *svg) {
    double points[2 * POINTS];
    fill_zigzag(ends, points);
    for (int k = 0; k < 2 * POINTS; k++) {
        carom_text_buffer_print(svg, "%s", k > 0 ? " " : "");
        carom_drawing_number(svg, points[k], CAROM_DRAWING_PLACE_DECIMALS);
    }
}

void carom_drawing_still_springs(const carom_drawing *drawing, const carom_drawing_view *view,
                                 int frame, carom_text_buffer *svg) {
    for (int k = 0; k < drawing->spring_count; k++) {
        double ends[4];
        end_pixels(drawing, view, k, frame, ends);
        carom_text_buffer_print(svg, "<polyline class=\"spring\" points=\"");
        write_zigzag(ends, svg);
        carom_text_buffer_print(svg, "\"/>\n");
    }
}

/* ------------------------------------------------------------------------------------- in motion
 */

/** The motion of the ends of a spring. */
typedef struct course {
    int count;
    double accuracy;
    const double *fraction; /* [count] */
    int key_decimals;
    double *ends; /* [count][4] pixels */
    int *kept;    /* [count] */
} course;

static double key_of(const course *c, int i) {
    return carom_drawing_rounded(c->fraction[i], c->key_decimals);
}

/** Whether all corners between two instants that are written are close to what is shown. */
static bool spans_instants(const void *context, int from, int to) {
    const course *c = context;
    double a[2 * POINTS];
    double b[2 * POINTS];
    fill_zigzag(c->ends + 4 * (size_t)from, a);
    fill_zigzag(c->ends + 4 * (size_t)to, b);
    const double first = key_of(c, from);
    const double extent = key_of(c, to) - first;
    for (int i = from + 1; i < to; i++) {
        double exact[2 * POINTS];
        fill_zigzag(c->ends + 4 * (size_t)i, exact);
        const double at =
            extent > 0.0 ? fmin(1.0, fmax(0.0, (c->fraction[i] - first) / extent)) : 0.0;
        for (int k = 0; k < 2 * POINTS; k += 2) {
            const double x = a[k] + at * (b[k] - a[k]) - exact[k];
            const double y = a[k + 1] + at * (b[k + 1] - a[k + 1]) - exact[k + 1];
            if (hypot(x, y) > c->accuracy - ROUNDING) {
                return false;
            }
        }
    }
    return true;
}

/** Fill the course of a spring. @return instants that are kept */
static int fill_course(const carom_drawing *drawing, const carom_drawing_view *view, int spring,
                       course *c) {
    double speed = 0.0;
    for (int i = 0; i < c->count; i++) {
        double *ends = c->ends + 4 * (size_t)i;
        end_pixels(drawing, view, spring, i, ends);
        const double extent = i > 0 ? c->fraction[i] - c->fraction[i - 1] : 0.0;
        if (extent > 0.0) {
            const double way = fmax(hypot(ends[0] - ends[-4], ends[1] - ends[-3]),
                                    hypot(ends[2] - ends[-2], ends[3] - ends[-1]));
            speed = fmax(speed, way / extent);
        }
    }
    c->key_decimals =
        carom_drawing_decimals_for(CAROM_DRAWING_ROUNDING_SHARE * c->accuracy / (speed + 1.0));
    return carom_drawing_thin(c->count, spans_instants, c, c->kept);
}

static void write_spring(const course *c, int kept, const carom_drawing_clock *clock,
                         carom_text_buffer *svg) {
    carom_text_buffer_print(svg, "<polyline class=\"spring\" points=\"");
    write_zigzag(c->ends, svg);
    carom_text_buffer_print(svg,
                            "\"><animate attributeName=\"points\" dur=\"%.9gs\" "
                            "repeatCount=\"indefinite\" values=\"",
                            clock->duration);
    for (int k = 0; k < kept; k++) {
        write_zigzag(c->ends + 4 * (size_t)c->kept[k], svg);
        carom_text_buffer_print(svg, ";");
    }
    write_zigzag(c->ends + 4 * (size_t)c->kept[kept - 1], svg);
    carom_text_buffer_print(svg, "\" keyTimes=\"");
    for (int k = 0; k < kept; k++) {
        carom_drawing_number(svg, key_of(c, c->kept[k]), c->key_decimals);
        carom_text_buffer_print(svg, ";");
    }
    carom_text_buffer_print(svg, "1\"/></polyline>\n");
}

carom_status carom_drawing_moving_springs(const carom_drawing *drawing,
                                          const carom_drawing_view *view, double accuracy,
                                          const carom_drawing_clock *clock,
                                          carom_text_buffer *svg) {
    if (drawing->spring_count == 0) {
        return CAROM_OK;
    }
    const size_t frames = (size_t)drawing->frame_count;
    CAROM_AUTO_MEMORY double *ends = malloc(4 * frames * sizeof *ends);
    CAROM_AUTO_MEMORY int *kept = malloc(frames * sizeof *kept);
    if (ends == NULL || kept == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    course c = {.count = drawing->frame_count,
                .accuracy = accuracy,
                .fraction = clock->fraction,
                .ends = ends,
                .kept = kept};
    for (int k = 0; k < drawing->spring_count; k++) {
        const int count = fill_course(drawing, view, k, &c);
        write_spring(&c, count, clock, svg);
    }
    return svg->failure;
}
