#include <carom/drawing/internal.h>

#include <math.h>
#include <stdlib.h>

/* Decimals of places, pixels. */
enum { DECIMALS = 2 };

/* Share of the accuracy that the rounding of instants may take. */
static const double ROUNDING_SHARE = 0.1;

static const double *places_of(const carom_drawing_figure *figure, int frame) {
    return figure->places + 2 * (size_t)frame * (size_t)figure->count;
}

/** The data of a path, closed. */
static void write_path(const carom_drawing_view *view, const carom_drawing_figure *figure,
                       int frame, carom_text_buffer *svg) {
    for (int i = 0; i < figure->count; i++) {
        double pixel[2];
        carom_drawing_place(view, places_of(figure, frame) + 2 * i, pixel);
        carom_text_buffer_print(svg, "%s", i == 0 ? "M" : i == 1 ? "L" : " ");
        carom_drawing_number(svg, pixel[0], DECIMALS);
        carom_text_buffer_print(svg, " ");
        carom_drawing_number(svg, pixel[1], DECIMALS);
    }
    carom_text_buffer_print(svg, "Z");
}

static void write_place(const carom_drawing_view *view, const carom_drawing_figure *figure,
                        int frame, carom_text_buffer *svg) {
    double pixel[2];
    carom_drawing_place(view, places_of(figure, frame), pixel);
    carom_drawing_number(svg, pixel[0], DECIMALS);
    carom_text_buffer_print(svg, " ");
    carom_drawing_number(svg, pixel[1], DECIMALS);
}

/** Begin a figure as it is in a frame: a circle, or a path. */
static void open_figure(const carom_drawing *drawing, const carom_drawing_view *view,
                        const carom_drawing_figure *figure, int frame, const char *kind,
                        carom_text_buffer *svg) {
    const char *color = carom_drawing_color(figure->body);
    if (figure->count == 1) {
        carom_text_buffer_print(svg, "<circle r=\"");
        carom_drawing_number(svg, fmax(0.5, view->scale * figure->radius), DECIMALS);
        carom_text_buffer_print(svg, "\" transform=\"translate(");
        write_place(view, figure, frame, svg);
        carom_text_buffer_print(svg, ")\"");
    } else {
        carom_text_buffer_print(svg, "<path d=\"");
        write_path(view, figure, frame, svg);
        carom_text_buffer_print(svg, "\"");
    }
    carom_text_buffer_print(svg, " class=\"%s\" stroke=\"%s\" fill=\"%s\"><title>", kind, color,
                            color);
    carom_drawing_text(svg, drawing->names[figure->body]);
    carom_text_buffer_print(svg, "</title>");
}

static const char *tag_of(const carom_drawing_figure *figure) {
    return figure->count == 1 ? "circle" : "path";
}

void carom_drawing_figures(const carom_drawing *drawing, const carom_drawing_view *view, int frame,
                           const char *kind, carom_text_buffer *svg) {
    for (int k = 0; k < drawing->figure_count; k++) {
        const carom_drawing_figure *figure = &drawing->figures[k];
        open_figure(drawing, view, figure, frame, kind, svg);
        carom_text_buffer_print(svg, "</%s>\n", tag_of(figure));
    }
}

carom_status carom_drawing_figure_ways(const carom_drawing *drawing, const carom_drawing_view *view,
                                       carom_text_buffer *svg) {
    const size_t frames = (size_t)drawing->frame_count;
    CAROM_AUTO_MEMORY double *pixels = malloc(2 * frames * sizeof *pixels);
    if (pixels == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < drawing->figure_count; k++) {
        const carom_drawing_figure *figure = &drawing->figures[k];
        if (figure->count > 1 || figure->is_spot) {
            continue;
        }
        for (int i = 0; i < drawing->frame_count; i++) {
            carom_drawing_place(view, places_of(figure, i), pixels + 2 * (size_t)i);
        }
        carom_text_buffer_print(svg, "<path class=\"way\" stroke=\"%s\" d=\"",
                                carom_drawing_color(figure->body));
        CAROM_TRY(carom_drawing_path(drawing->frame_count, pixels, false, svg));
        carom_text_buffer_print(svg, "\"/>\n");
    }
    return svg->failure;
}

/* ---------------------------------------------------------------------------------------- motion
 */

/** A figure on its way, as it is written. */
typedef struct course {
    const carom_drawing_figure *figure;
    const double *fraction; /* [frames] */
    double *keys;           /* [frames] rounded */
    int key_decimals;
    double least; /* farthest that a point may be from its place, m */
} course;

/** The farthest that a point of a figure moves between two frames, m. */
static double moved(const carom_drawing_figure *figure, int from, int to) {
    double farthest = 0.0;
    for (int i = 0; i < figure->count; i++) {
        const double *a = places_of(figure, from) + 2 * i;
        const double *b = places_of(figure, to) + 2 * i;
        farthest = fmax(farthest, hypot(b[0] - a[0], b[1] - a[1]));
    }
    return farthest;
}

/** Whether what lies between two frames is close to what is shown at its instants. */
static bool spans_places(const void *context, int from, int to) {
    const course *c = context;
    const double extent = c->keys[to] - c->keys[from];
    for (int frame = from + 1; frame < to; frame++) {
        const double share = extent > 0.0 ? (c->fraction[frame] - c->keys[from]) / extent : 0.0;
        const double at = fmin(1.0, fmax(0.0, share));
        for (int i = 0; i < 2 * c->figure->count; i += 2) {
            const double *a = places_of(c->figure, from) + i;
            const double *b = places_of(c->figure, to) + i;
            const double *exact = places_of(c->figure, frame) + i;
            if (hypot(a[0] + at * (b[0] - a[0]) - exact[0], a[1] + at * (b[1] - a[1]) - exact[1]) >
                c->least) {
                return false;
            }
        }
    }
    return true;
}

/** Round the instants by the speed of the figure. */
static void round_keys(const carom_drawing_view *view, const carom_drawing_params *params,
                       int frames, course *c) {
    double speed = 0.0;
    for (int i = 0; i + 1 < frames; i++) {
        const double extent = c->fraction[i + 1] - c->fraction[i];
        if (extent > 0.0) {
            speed = fmax(speed, view->scale * moved(c->figure, i, i + 1) / extent);
        }
    }
    const double most = ROUNDING_SHARE * params->accuracy / (speed + 1.0);
    c->key_decimals = (int)fmin(12.0, fmax(0.0, ceil(log10(0.5 / most))));
    const double power = pow(10.0, c->key_decimals);
    for (int i = 0; i < frames; i++) {
        c->keys[i] = rint(c->fraction[i] * power) / power;
    }
}

static void write_course(const carom_drawing *drawing, const carom_drawing_view *view,
                         const carom_drawing_clock *clock, const course *c, int kept,
                         const int *list, carom_text_buffer *svg) {
    void (*const write)(const carom_drawing_view *, const carom_drawing_figure *, int,
                        carom_text_buffer *) = c->figure->count == 1 ? write_place : write_path;
    open_figure(drawing, view, c->figure, 0, "body", svg);
    carom_text_buffer_print(svg, "%s dur=\"%.9gs\" repeatCount=\"indefinite\" values=\"",
                            c->figure->count == 1
                                ? "<animateTransform attributeName=\"transform\" type=\"translate\""
                                : "<animate attributeName=\"d\"",
                            clock->duration);
    for (int k = 0; k < kept; k++) {
        write(view, c->figure, list[k], svg);
        carom_text_buffer_print(svg, ";");
    }
    write(view, c->figure, list[kept - 1], svg);
    carom_text_buffer_print(svg, "\" keyTimes=\"");
    for (int k = 0; k < kept; k++) {
        carom_drawing_number(svg, c->keys[list[k]], c->key_decimals);
        carom_text_buffer_print(svg, ";");
    }
    carom_text_buffer_print(svg, "1\"/></%s>\n", tag_of(c->figure));
}

carom_status carom_drawing_move_figures(const carom_drawing *drawing,
                                        const carom_drawing_view *view,
                                        const carom_drawing_params *params,
                                        const carom_drawing_clock *clock, carom_text_buffer *svg) {
    const size_t frames = (size_t)drawing->frame_count;
    CAROM_AUTO_MEMORY double *keys = malloc(frames * sizeof *keys);
    CAROM_AUTO_MEMORY int *kept = malloc(frames * sizeof *kept);
    if (keys == NULL || kept == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    /* what is written is rounded to half a hundredth of a pixel */
    const double accuracy = params->accuracy * (1.0 - ROUNDING_SHARE) - 0.01;
    for (int k = 0; k < drawing->figure_count; k++) {
        course c = {.figure = &drawing->figures[k],
                    .fraction = clock->fraction,
                    .keys = keys,
                    .least = accuracy / view->scale};
        round_keys(view, params, drawing->frame_count, &c);
        const int count = carom_drawing_thin(drawing->frame_count, spans_places, &c, kept);
        write_course(drawing, view, clock, &c, count, kept, svg);
    }
    return svg->failure;
}
