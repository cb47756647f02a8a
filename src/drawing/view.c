#include <carom/drawing/internal.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Largest and least size of the frame, pixels. */
static const double MOST_WIDTH = 840.0;
static const double MOST_HEIGHT = 600.0;
static const double LEAST_WIDTH = 300.0;
static const double LEAST_HEIGHT = 160.0;

/* Room about what moves, of its larger side. */
static const double ROOM = 0.04;

/* How far beyond what moves the picture shows what is fixed, of the diagonal of the motion. */
static const double WORLD_ROOM = 0.3;

/* Pixels between marks of an axis, at least. */
static const double MARK_SPACING = 72.0;

/** A box in the plane, m. */
typedef struct box {
    double low[2];
    double high[2];
} box;

static void include(box *to, const double *place) {
    for (int axis = 0; axis < 2; axis++) {
        to->low[axis] = fmin(to->low[axis], place[axis]);
        to->high[axis] = fmax(to->high[axis], place[axis]);
    }
}

void carom_drawing_point(const carom_outline *outline, int k, const double *pose, double *place) {
    const double *p = outline->points + 2 * k;
    const double c = cos(pose[2]);
    const double s = sin(pose[2]);
    place[0] = pose[0] + c * p[0] - s * p[1];
    place[1] = pose[1] + s * p[0] + c * p[1];
}

/** All places of all bodies and springs. */
static box box_of_motion(const carom_drawing *drawing) {
    box all = {{(double)INFINITY, (double)INFINITY}, {-(double)INFINITY, -(double)INFINITY}};
    const int bodies = drawing->body_count;
    for (int k = 0; k < bodies * drawing->frame_count; k++) {
        include(&all, drawing->poses + 3 * (size_t)k);
    }
    for (int o = 0; o < drawing->outline_count; o++) {
        const carom_outline *outline = &drawing->outlines[o];
        for (int i = 0; i < drawing->frame_count && outline->body >= 0; i++) {
            const size_t at = (size_t)i * (size_t)bodies + (size_t)outline->body;
            for (int k = 0; k < outline->count; k++) {
                double place[2];
                carom_drawing_point(outline, k, drawing->poses + 3 * at, place);
                include(&all, place);
            }
        }
    }
    for (int k = 0; k < drawing->spring_count; k++) {
        for (int i = 0; i < drawing->frame_count; i++) {
            double ends[4];
            carom_drawing_spring_ends(drawing, k, i, ends);
            include(&all, ends);
            include(&all, ends + 2);
        }
    }
    for (int k = 0; k < drawing->figure_count; k++) {
        const carom_drawing_figure *figure = &drawing->figures[k];
        const double radius = figure->count == 1 ? figure->radius : 0.0;
        for (int i = 0; i < drawing->frame_count * figure->count; i++) {
            const double *place = figure->places + 2 * (size_t)i;
            include(&all, (double[2]){place[0] - radius, place[1] - radius});
            include(&all, (double[2]){place[0] + radius, place[1] + radius});
        }
    }
    return all;
}

/** What is fixed and near what moves. */
static void include_world(const carom_drawing *drawing, box *all) {
    const box motion = *all;
    const double size =
        WORLD_ROOM * hypot(motion.high[0] - motion.low[0], motion.high[1] - motion.low[1]);
    for (int o = 0; o < drawing->outline_count; o++) {
        const carom_outline *outline = &drawing->outlines[o];
        if (outline->body >= 0 || outline->kind == CAROM_OUTLINE_HALF_PLANE) {
            continue;
        }
        for (int k = 0; k < outline->count; k++) {
            double place[2];
            for (int axis = 0; axis < 2; axis++) {
                place[axis] = fmin(motion.high[axis] + size,
                                   fmax(motion.low[axis] - size, outline->points[2 * k + axis]));
            }
            include(all, place);
        }
    }
}

/** Half planes near what moves: the point of the edge that is nearest to its middle. */
static void include_half_planes(const carom_drawing *drawing, box *all) {
    const box motion = *all;
    const double middle[2] = {0.5 * (motion.low[0] + motion.high[0]),
                              0.5 * (motion.low[1] + motion.high[1])};
    const double size = hypot(motion.high[0] - motion.low[0], motion.high[1] - motion.low[1]);
    for (int o = 0; o < drawing->outline_count; o++) {
        const carom_outline *outline = &drawing->outlines[o];
        if (outline->kind != CAROM_OUTLINE_HALF_PLANE || outline->body >= 0) {
            continue;
        }
        const double *p = outline->points;
        const double normal[2] = {p[2] - p[0], p[3] - p[1]};
        const double away = (middle[0] - p[0]) * normal[0] + (middle[1] - p[1]) * normal[1];
        const double edge[2] = {middle[0] - away * normal[0], middle[1] - away * normal[1]};
        if (fabs(away) <= size) {
            include(all, edge);
        }
    }
}

carom_drawing_view carom_drawing_view_of(const carom_drawing *drawing) {
    box all = box_of_motion(drawing);
    box world = all;
    include_world(drawing, &world);
    include_half_planes(drawing, &all);
    include(&all, world.low);
    include(&all, world.high);
    const double extent[2] = {all.high[0] - all.low[0], all.high[1] - all.low[1]};
    double size = fmax(extent[0], extent[1]);
    const double distance =
        fmax(fmax(fabs(all.low[0]), fabs(all.high[0])), fmax(fabs(all.low[1]), fabs(all.high[1])));
    // a single point has no size: as much as it is away from the origin, or a metre
    if (!(size > 1e-12 * distance)) {
        size = distance > 0.0 ? distance : 1.0;
    }
    const double room = ROOM * size;
    const double inner[2] = {extent[0] + 2.0 * room, extent[1] + 2.0 * room};
    const double scale = fmin(MOST_WIDTH / inner[0], MOST_HEIGHT / inner[1]);
    const double width = fmax(LEAST_WIDTH, ceil(scale * inner[0] - 1e-6));
    const double height = fmax(LEAST_HEIGHT, ceil(scale * inner[1] - 1e-6));
    return (carom_drawing_view){
        .left = 0.5 * (all.low[0] + all.high[0]) - 0.5 * width / scale,
        .bottom = 0.5 * (all.low[1] + all.high[1]) - 0.5 * height / scale,
        .scale = scale,
        .width = width,
        .height = height,
        .is_space = drawing->solid_bodies > 0,
    };
}

void carom_drawing_place(const carom_drawing_view *view, const double *place, double *pixel) {
    pixel[0] = CAROM_DRAWING_LEFT + view->scale * (place[0] - view->left);
    pixel[1] = CAROM_DRAWING_TOP + view->height - view->scale * (place[1] - view->bottom);
}

bool carom_drawing_shows(const carom_drawing_view *view, const double *pixel) {
    const double x = pixel[0] - CAROM_DRAWING_LEFT;
    const double y = pixel[1] - CAROM_DRAWING_TOP;
    return x >= 0.0 && x <= view->width && y >= 0.0 && y <= view->height;
}

double carom_drawing_reach(const carom_drawing *drawing, int body) {
    double reach = 0.0;
    for (int o = 0; o < drawing->outline_count; o++) {
        const carom_outline *outline = &drawing->outlines[o];
        for (int k = 0; k < outline->count && outline->body == body; k++) {
            reach = fmax(reach, hypot(outline->points[2 * k], outline->points[2 * k + 1]));
        }
    }
    return reach;
}

/* -------------------------------------------------------------------------------------- numbers */

double carom_drawing_rounded(double value, int decimals) {
    const double power = pow(10.0, decimals);
    return rint(value * power) / power;
}

int carom_drawing_decimals_for(double most) {
    return (int)fmin(12.0, fmax(0.0, ceil(log10(0.5 / most))));
}

void carom_drawing_number(carom_text_buffer *svg, double value, int decimals) {
    char text[400];
    int length = snprintf(text, sizeof text, "%.*f", decimals, value);
    if (strchr(text, '.') != NULL) {
        while (text[length - 1] == '0') {
            length--;
        }
        length -= text[length - 1] == '.' ? 1 : 0;
    }
    text[length] = '\0';
    carom_text_buffer_print(svg, "%s", strcmp(text, "-0") == 0 ? "0" : text);
}

double carom_drawing_round_step(double least) {
    const double power = pow(10.0, floor(log10(least)));
    const double digits[] = {1.0, 2.0, 5.0, 10.0};
    for (int k = 0; k < 3; k++) {
        if (digits[k] * power >= least * (1.0 - 1e-9)) {
            return digits[k] * power;
        }
    }
    return digits[3] * power;
}

int carom_drawing_decimals(double step) {
    const double digits = ceil(-log10(step) - 1e-9);
    return digits > 0.0 ? (int)fmin(digits, 15.0) : 0;
}

/* ----------------------------------------------------------------------------------------- axes */

carom_drawing_unit carom_drawing_unit_of(double largest) {
    static const carom_drawing_unit units[] = {{"p", 1e-12}, {"n", 1e-9}, {"µ", 1e-6}, {"m", 1e-3},
                                               {"", 1.0},    {"k", 1e3},  {"M", 1e6},  {"G", 1e9}};
    enum { COUNT = sizeof units / sizeof *units, WHOLE = 4 };
    int k = WHOLE;
    if (largest < 0.1 || largest >= 1e4) {
        for (k = COUNT - 1; k > 0 && units[k].size > largest; k--) {
        }
    }
    return units[k];
}

/** Largest coordinate of the frame, m. */
static double largest_of(const carom_drawing_view *view) {
    return fmax(fmax(fabs(view->left), fabs(view->left + view->width / view->scale)),
                fmax(fabs(view->bottom), fabs(view->bottom + view->height / view->scale)));
}

/** Marks of one axis with their numbers. */
static void write_marks(const carom_drawing_view *view, int axis, carom_drawing_unit in,
                        carom_text_buffer *svg) {
    const double from = axis == 0 ? view->left : view->bottom;
    const double pixels = axis == 0 ? view->width : view->height;
    const double step = carom_drawing_round_step(MARK_SPACING / view->scale / in.size);
    const int decimals = carom_drawing_decimals(step);
    const double first = ceil(from / in.size / step);
    const double last = floor((from + pixels / view->scale) / in.size / step);
    const double low = CAROM_DRAWING_TOP + view->height;
    // marks that rounding cannot tell apart are none
    const double farthest = fmax(fabs(first), fabs(last));
    const int count = farthest + 1.0 > farthest ? (int)(last - first) + 1 : 0;
    for (int i = 0; i < count; i++) {
        const double k = first + i;
        const double along = view->scale * (k * step * in.size - from);
        const double x = CAROM_DRAWING_LEFT + (axis == 0 ? along : 0.0);
        const double y = axis == 0 ? low : low - along;
        carom_text_buffer_print(svg, "<path class=\"mark\" d=\"M%.2f %.2f%s\"/>", x, y,
                                axis == 0 ? "v-5" : "h5");
        carom_text_buffer_print(svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">",
                                axis == 0 ? x : x - 5.0, axis == 0 ? y + 15.0 : y + 4.0,
                                axis == 0 ? "middle" : "end");
        carom_drawing_number(svg, k * step, decimals);
        carom_text_buffer_print(svg, "</text>\n");
    }
}

void carom_drawing_axes(const carom_drawing_view *view, carom_text_buffer *svg) {
    const carom_drawing_unit in = carom_drawing_unit_of(largest_of(view));
    carom_text_buffer_print(svg,
                            "<g id=\"axes\"><rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%.0f\" "
                            "height=\"%.0f\"/>\n",
                            CAROM_DRAWING_LEFT, CAROM_DRAWING_TOP, view->width, view->height);
    write_marks(view, 0, in, svg);
    write_marks(view, 1, in, svg);
    const double low = CAROM_DRAWING_TOP + view->height;
    carom_text_buffer_print(svg,
                            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\"><tspan "
                            "class=\"it\">%s</tspan> / %sm</text>",
                            CAROM_DRAWING_LEFT + 0.5 * view->width, low + 32.0,
                            view->is_space ? "across" : "x", in.prefix);
    carom_text_buffer_print(
        svg,
        "<text transform=\"translate(14 %.1f) rotate(-90)\" text-anchor=\"middle\">"
        "<tspan class=\"it\">%s</tspan> / %sm</text></g>\n",
        CAROM_DRAWING_TOP + 0.5 * view->height, view->is_space ? "up" : "y", in.prefix);
}
