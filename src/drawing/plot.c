#include <carom/drawing/internal.h>

#include <math.h>
#include <stdlib.h>

/** Begin the group of a body at a pose. */
static void open_body(const carom_drawing *drawing, const carom_drawing_view *view, int frame,
                      int body, const char *kind, carom_text_buffer *svg) {
    const double *pose =
        drawing->poses + 3 * ((size_t)frame * (size_t)drawing->body_count + (size_t)body);
    double pixel[2];
    carom_drawing_place(view, pose, pixel);
    const char *color = carom_drawing_color(body);
    carom_text_buffer_print(svg, "<g id=\"%s-%d\" class=\"%s\" stroke=\"%s\" fill=\"%s\" ", kind,
                            body, kind, color, color);
    carom_text_buffer_print(svg, "transform=\"translate(");
    carom_drawing_number(svg, pixel[0], 2);
    carom_text_buffer_print(svg, " ");
    carom_drawing_number(svg, pixel[1], 2);
    carom_text_buffer_print(svg, ")rotate(");
    carom_drawing_number(svg, -pose[2] * 180.0 / CAROM_DRAWING_PI, 4);
    carom_text_buffer_print(svg, ")\"><title>");
    carom_drawing_text(svg, drawing->names[body]);
    carom_text_buffer_print(svg, "</title>");
}

/** All bodies as they are in a frame. */
static carom_status write_bodies(const carom_drawing *drawing, const carom_drawing_view *view,
                                 int frame, const char *kind, carom_text_buffer *svg) {
    for (int body = 0; body < drawing->body_count; body++) {
        open_body(drawing, view, frame, body, kind, svg);
        CAROM_TRY(carom_drawing_outlines(drawing, view, body, svg));
        carom_text_buffer_print(svg, "</g>\n");
    }
    carom_drawing_figures(drawing, view, frame, kind, svg);
    return svg->failure;
}

/** The ways of the bodies' frames. */
static carom_status write_ways(const carom_drawing *drawing, const carom_drawing_view *view,
                               carom_text_buffer *svg) {
    const size_t frames = (size_t)drawing->frame_count;
    CAROM_AUTO_MEMORY double *pixels = malloc(2 * frames * sizeof *pixels);
    if (pixels == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int body = 0; body < drawing->body_count; body++) {
        for (size_t i = 0; i < frames; i++) {
            const size_t at = i * (size_t)drawing->body_count + (size_t)body;
            carom_drawing_place(view, drawing->poses + 3 * at, pixels + 2 * i);
        }
        carom_text_buffer_print(svg, "<path class=\"way\" stroke=\"%s\" d=\"",
                                carom_drawing_color(body));
        CAROM_TRY(carom_drawing_path(drawing->frame_count, pixels, false, svg));
        carom_text_buffer_print(svg, "\"/>\n");
    }
    return carom_drawing_figure_ways(drawing, view, svg);
}

/** A pixel that an impact lies in. */
typedef struct mark {
    int x;
    int y;
} mark;

static int compare_marks(const void *left, const void *right) {
    const mark *a = left;
    const mark *b = right;
    return a->y != b->y ? (a->y > b->y) - (a->y < b->y) : (a->x > b->x) - (a->x < b->x);
}

/** The strongest impacts, of those within the same pixel one, so that what lies below is seen. */
static carom_status write_impacts(const carom_drawing *drawing, const carom_drawing_view *view,
                                  carom_text_buffer *svg) {
    int most;
    CAROM_AUTO_MEMORY carom_drawing_impact *strongest = carom_drawing_strongest(drawing, &most);
    CAROM_AUTO_MEMORY mark *marks = malloc(((size_t)most + 1) * sizeof *marks);
    if (strongest == NULL || marks == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    size_t count = 0;
    for (int k = 0; k < most; k++) {
        double pixel[2];
        carom_drawing_place(view, strongest[k].place, pixel);
        if (carom_drawing_shows(view, pixel)) {
            marks[count++] = (mark){(int)lround(pixel[0]), (int)lround(pixel[1])};
        }
    }
    qsort(marks, count, sizeof *marks, compare_marks);
    size_t kept = 0;
    for (size_t k = 0; k < count; k++) {
        if (kept == 0 || compare_marks(&marks[kept - 1], &marks[k]) != 0) {
            marks[kept++] = marks[k];
        }
    }
    carom_text_buffer_print(svg, "<g class=\"impact\">");
    for (size_t k = 0; k < kept; k++) {
        carom_text_buffer_print(svg, "<circle cx=\"%d\" cy=\"%d\" r=\"3\"/>", marks[k].x,
                                marks[k].y);
    }
    carom_text_buffer_print(svg, "</g>\n");
    return svg->failure;
}

/** What the lines mean, below the axes. */
static void write_legend(const carom_drawing *drawing, const carom_drawing_view *view,
                         carom_text_buffer *svg) {
    const double first = drawing->time[0];
    const double last = drawing->time[drawing->frame_count - 1];
    const carom_drawing_unit in = carom_drawing_unit_of(fmax(fabs(first), fabs(last)));
    const char *color = carom_drawing_color(0);
    carom_text_buffer_print(svg, "<g transform=\"translate(%d %.1f)\">", CAROM_DRAWING_LEFT,
                            CAROM_DRAWING_TOP + view->height + 58.0);
    carom_text_buffer_print(
        svg,
        "<rect class=\"start\" stroke=\"%s\" y=\"-9\" width=\"14\" height=\"9\"/>"
        "<text x=\"19\">%.4g %ss</text>"
        "<rect class=\"body\" stroke=\"%s\" fill=\"%s\" x=\"92\" y=\"-9\" width=\"14\" "
        "height=\"9\"/>"
        "<text x=\"111\">%.4g %ss</text>",
        color, first / in.size, in.prefix, color, color, last / in.size, in.prefix);
    if (drawing->impact_count > 0) {
        carom_text_buffer_print(svg,
                                "<circle class=\"impact\" cx=\"189\" cy=\"-4\" r=\"3\"/>"
                                "<text x=\"197\">%d impact%s",
                                drawing->impact_count, drawing->impact_count > 1 ? "s" : "");
        if (drawing->impact_count > CAROM_DRAWING_MOST_IMPACTS) {
            carom_text_buffer_print(svg, ", the strongest %d", CAROM_DRAWING_MOST_IMPACTS);
        }
        carom_text_buffer_print(svg, "</text>");
    }
    carom_text_buffer_print(svg, "</g>\n");
}

carom_status carom_drawing_plot(const carom_drawing *drawing, carom_text_buffer *svg) {
    CAROM_ASSERT(drawing != NULL && svg != NULL);
    const carom_drawing_view view = carom_drawing_view_of(drawing);
    CAROM_TRY(carom_drawing_open(drawing, &view, svg));
    CAROM_TRY(write_bodies(drawing, &view, 0, "start", svg));
    CAROM_TRY(write_ways(drawing, &view, svg));
    CAROM_TRY(write_bodies(drawing, &view, drawing->frame_count - 1, "body", svg));
    carom_drawing_still_springs(drawing, &view, drawing->frame_count - 1, svg);
    CAROM_TRY(write_impacts(drawing, &view, svg));
    carom_drawing_axes(&view, svg);
    write_legend(drawing, &view, svg);
    carom_text_buffer_print(svg, "</svg>\n");
    return svg->failure;
}
