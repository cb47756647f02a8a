#include <carom/drawing/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Those of figures/style.gp, which colour-blind people tell apart. */
static const char *const COLORS[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#56b4e9", "#e69f00", "#5d3a9b", "#7f7f00"};

static const char STYLE[] =
    "<style>"
    "text{font:12px sans-serif;fill:#222}.it{font-style:italic}.note{fill:#666}"
    "path,circle{vector-effect:non-scaling-stroke}"
    ".frame{fill:none;stroke:#888}.mark{stroke:#888}"
    ".world{fill:#ddd;stroke:#555}.open{fill:none}"
    ".body{fill-opacity:.35;stroke-width:1.2}"
    ".start{fill:none;stroke-width:1;stroke-dasharray:3 2;opacity:.7}"
    ".spring{fill:none;stroke:#444;stroke-width:1}"
    ".way{fill:none;stroke-width:1;opacity:.55}"
    ".impact{fill:none;stroke:#c00000;stroke-width:1.2}"
    "</style>\n";

const char *carom_drawing_color(int body) {
    return COLORS[(size_t)body % (sizeof COLORS / sizeof *COLORS)];
}

void carom_drawing_text(carom_text_buffer *svg, const char *text) {
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '<':
            carom_text_buffer_print(svg, "&lt;");
            break;
        case '>':
            carom_text_buffer_print(svg, "&gt;");
            break;
        case '&':
            carom_text_buffer_print(svg, "&amp;");
            break;
        default:
            carom_text_buffer_add(svg, text, 1);
        }
    }
}

/** The part of the frame below the edge of a half plane, as a polygon: each corner and where an
 * edge of the frame is cut. */
static void write_half_plane(const carom_drawing_view *view, const carom_outline *outline,
                             carom_text_buffer *svg) {
    static const double fixed[3] = {0.0, 0.0, 0.0};
    const double right = CAROM_DRAWING_LEFT + view->width;
    const double low = CAROM_DRAWING_TOP + view->height;
    const double corners[5][2] = {{CAROM_DRAWING_LEFT, CAROM_DRAWING_TOP},
                                  {right, CAROM_DRAWING_TOP},
                                  {right, low},
                                  {CAROM_DRAWING_LEFT, low},
                                  {CAROM_DRAWING_LEFT, CAROM_DRAWING_TOP}};
    double place[2];
    double edge[2];
    double tip[2];
    double normal[2];
    carom_drawing_point(outline, 0, fixed, place);
    carom_drawing_place(view, place, edge);
    carom_drawing_point(outline, 1, fixed, place);
    carom_drawing_place(view, place, tip);
    const double length = hypot(tip[0] - edge[0], tip[1] - edge[1]);
    normal[0] = (tip[0] - edge[0]) / length;
    normal[1] = (tip[1] - edge[1]) / length;
    double height[5];
    for (int k = 0; k < 5; k++) {
        height[k] = (corners[k][0] - edge[0]) * normal[0] + (corners[k][1] - edge[1]) * normal[1];
    }
    bool is_first = true;
    for (int k = 0; k < 4; k++) {
        const bool is_below = height[k] <= 0.0;
        if (is_below) {
            carom_text_buffer_print(svg, "%s%.2f %.2f", is_first ? "<path d=\"M" : "L",
                                    corners[k][0], corners[k][1]);
            is_first = false;
        }
        if (is_below != (height[k + 1] <= 0.0)) {
            const double share = height[k] / (height[k] - height[k + 1]);
            carom_text_buffer_print(svg, "%s%.2f %.2f", is_first ? "<path d=\"M" : "L",
                                    corners[k][0] + share * (corners[k + 1][0] - corners[k][0]),
                                    corners[k][1] + share * (corners[k + 1][1] - corners[k][1]));
            is_first = false;
        }
    }
    if (!is_first) {
        carom_text_buffer_print(svg, "Z\"/>\n");
    }
}

/** An outline about the frame of its body; that of the world in the picture. */
static carom_status write_outline(const carom_drawing_view *view, const carom_outline *outline,
                                  carom_text_buffer *svg) {
    CAROM_AUTO_MEMORY double *pixels = malloc(2 * (size_t)outline->count * sizeof *pixels);
    if (pixels == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < outline->count; k++) {
        const double *p = outline->points + 2 * k;
        if (outline->body < 0) {
            carom_drawing_place(view, p, pixels + 2 * k);
        } else {
            pixels[2 * k] = view->scale * p[0];
            pixels[2 * k + 1] = -view->scale * p[1];
        }
    }
    if (outline->count == 1) {
        carom_text_buffer_print(svg, "<circle r=\"3\" cx=\"%.2f\" cy=\"%.2f\"/>", pixels[0],
                                pixels[1]);
        return svg->failure;
    }
    const bool is_closed = outline->kind == CAROM_OUTLINE_CLOSED;
    carom_text_buffer_print(svg, is_closed ? "<path d=\"" : "<path class=\"open\" d=\"");
    CAROM_TRY(carom_drawing_path(outline->count, pixels, is_closed, svg));
    carom_text_buffer_print(svg, "\"/>");
    return svg->failure;
}

carom_status carom_drawing_outlines(const carom_drawing *drawing, const carom_drawing_view *view,
                                    int body, carom_text_buffer *svg) {
    int found = 0;
    for (int o = 0; o < drawing->outline_count; o++) {
        const carom_outline *outline = &drawing->outlines[o];
        if (outline->body != body) {
            continue;
        }
        found++;
        if (outline->kind == CAROM_OUTLINE_HALF_PLANE) {
            write_half_plane(view, outline, svg);
        } else {
            CAROM_TRY(write_outline(view, outline, svg));
        }
    }
    if (found == 0 && body >= 0) {
        carom_text_buffer_print(svg, "<circle r=\"3\"/>");
    }
    return svg->failure;
}

carom_status carom_drawing_open(const carom_drawing *drawing, const carom_drawing_view *view,
                                carom_text_buffer *svg) {
    const double width = CAROM_DRAWING_LEFT + view->width + CAROM_DRAWING_RIGHT;
    const double height = CAROM_DRAWING_TOP + view->height + CAROM_DRAWING_BOTTOM;
    carom_text_buffer_print(svg,
                            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
                            "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n<title>",
                            width, height, width, height);
    carom_drawing_text(svg, drawing->group);
    carom_text_buffer_print(svg, "</title>\n%s", STYLE);
    carom_text_buffer_print(
        svg,
        "<rect width=\"%.0f\" height=\"%.0f\" fill=\"#fff\"/>\n"
        "<clipPath id=\"frame\"><rect x=\"%d\" y=\"%d\" width=\"%.0f\" "
        "height=\"%.0f\"/></clipPath>\n<g class=\"world\" clip-path=\"url(#frame)\">\n",
        width, height, CAROM_DRAWING_LEFT, CAROM_DRAWING_TOP, view->width, view->height);
    CAROM_TRY(carom_drawing_outlines(drawing, view, -1, svg));
    carom_text_buffer_print(svg, "</g>\n");
    return svg->failure;
}
