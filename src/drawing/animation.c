#include <carom/drawing/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE_DECIMALS = CAROM_DRAWING_PLACE_DECIMALS };

/* A flash lasts so long, s. */
static const double FLASH = 0.25;

/* The number of the time changes so often in a run, about. */
enum { TIME_LABELS = 100 };

carom_drawing_params carom_drawing_params_default(void) {
    return (carom_drawing_params){
        .play_duration = (double)NAN, .slow_impacts = 1.0, .accuracy = 0.5, .view = {2, -3, 1.5}};
}

/** The motion of a body as it is written: x, y in pixels and the angle in degrees. */
typedef struct track {
    int count;
    double reach; /* of its outline, pixels */
    double accuracy;
    int angle_decimals;
    int key_decimals;
    const double *fraction; /* [count] */
    double *exact;          /* [count][3] */
    double *written;        /* [count][3] rounded */
    double *keys;           /* [count] fractions, rounded */
    int *kept;              /* [count] */
} track;

/** How far the farthest point of the body is moved, pixels. */
static double moved(const track *t, const double *a, const double *b) {
    const double angle = (b[2] - a[2]) * CAROM_DRAWING_PI / 180.0;
    return hypot(b[0] - a[0], b[1] - a[1]) + t->reach * fabs(angle);
}

/** Whether the poses between two that are written are close to what is shown at their instants. */
static bool spans_poses(const void *context, int from, int to) {
    const track *t = context;
    const double *a = t->written + 3 * (size_t)from;
    const double *b = t->written + 3 * (size_t)to;
    const double extent = t->keys[to] - t->keys[from];
    for (int i = from + 1; i < to; i++) {
        const double share = extent > 0.0 ? (t->fraction[i] - t->keys[from]) / extent : 0.0;
        const double at = fmin(1.0, fmax(0.0, share));
        const double shown[3] = {a[0] + at * (b[0] - a[0]), a[1] + at * (b[1] - a[1]),
                                 a[2] + at * (b[2] - a[2])};
        if (moved(t, shown, t->exact + 3 * (size_t)i) > t->accuracy) {
            return false;
        }
    }
    return true;
}

/** Largest speed of a point of the body, pixels for the whole. */
static double largest_speed(const track *t) {
    double largest = 0.0;
    for (int i = 0; i + 1 < t->count; i++) {
        const double extent = t->fraction[i + 1] - t->fraction[i];
        if (extent > 0.0) {
            const double *pose = t->exact + 3 * (size_t)i;
            largest = fmax(largest, moved(t, pose, pose + 3) / extent);
        }
    }
    return largest;
}

/** Fill the track of a body. @return poses that are kept */
static int fill_track(const carom_drawing *drawing, const carom_drawing_view *view, int body,
                      track *t) {
    t->reach = view->scale * carom_drawing_reach(drawing, body);
    for (int i = 0; i < t->count; i++) {
        const size_t at = (size_t)i * (size_t)drawing->body_count + (size_t)body;
        const double *pose = drawing->poses + 3 * at;
        double *exact = t->exact + 3 * (size_t)i;
        carom_drawing_place(view, pose, exact);
        exact[2] = -pose[2] * 180.0 / CAROM_DRAWING_PI;
    }
    const double rounding = CAROM_DRAWING_ROUNDING_SHARE * t->accuracy;
    t->angle_decimals =
        carom_drawing_decimals_for(rounding / (t->reach + 1.0) * 180.0 / CAROM_DRAWING_PI);
    t->key_decimals = carom_drawing_decimals_for(rounding / (largest_speed(t) + 1.0));
    for (int i = 0; i < t->count; i++) {
        const double *exact = t->exact + 3 * (size_t)i;
        double *written = t->written + 3 * (size_t)i;
        written[0] = carom_drawing_rounded(exact[0], PLACE_DECIMALS);
        written[1] = carom_drawing_rounded(exact[1], PLACE_DECIMALS);
        written[2] = carom_drawing_rounded(exact[2], t->angle_decimals);
        t->keys[i] = carom_drawing_rounded(t->fraction[i], t->key_decimals);
    }
    return carom_drawing_thin(t->count, spans_poses, t, t->kept);
}

/** The transform of a pose, or a list of them: pairs of places, or angles. */
static void write_place(const track *t, int i, carom_text_buffer *svg) {
    carom_drawing_number(svg, t->written[3 * (size_t)i], PLACE_DECIMALS);
    carom_text_buffer_print(svg, " ");
    carom_drawing_number(svg, t->written[3 * (size_t)i + 1], PLACE_DECIMALS);
}

static void write_angle(const track *t, int i, carom_text_buffer *svg) {
    carom_drawing_number(svg, t->written[3 * (size_t)i + 2], t->angle_decimals);
}

/** One animated transform: the values of what is kept, the last again after the pause. */
static void write_values(const track *t, int kept, const carom_drawing_clock *clock,
                         const char *type,
                         void (*write_one)(const track *, int, carom_text_buffer *),
                         carom_text_buffer *svg) {
    carom_text_buffer_print(svg,
                            "<animateTransform attributeName=\"transform\" type=\"%s\"%s "
                            "dur=\"%.9gs\" repeatCount=\"indefinite\" values=\"",
                            type, type[0] == 'r' ? " additive=\"sum\"" : "", clock->duration);
    for (int k = 0; k < kept; k++) {
        write_one(t, t->kept[k], svg);
        carom_text_buffer_print(svg, ";");
    }
    write_one(t, t->kept[kept - 1], svg);
    carom_text_buffer_print(svg, "\" keyTimes=\"");
    for (int k = 0; k < kept; k++) {
        carom_drawing_number(svg, t->keys[t->kept[k]], t->key_decimals);
        carom_text_buffer_print(svg, ";");
    }
    carom_text_buffer_print(svg, "1\"/>\n");
}

static bool is_turned(const track *t, int kept) {
    for (int k = 0; k < kept; k++) {
        if (fabs(t->written[3 * (size_t)t->kept[k] + 2] - t->written[2]) > 0.0) {
            return true;
        }
    }
    return false;
}

static bool is_shifted(const track *t, int kept) {
    for (int k = 0; k < kept; k++) {
        const double *pose = t->written + 3 * (size_t)t->kept[k];
        if (hypot(pose[0] - t->written[0], pose[1] - t->written[1]) > 0.0) {
            return true;
        }
    }
    return false;
}

static carom_status write_body(const carom_drawing *drawing, const carom_drawing_view *view,
                               const carom_drawing_clock *clock, int body, track *t,
                               carom_text_buffer *svg) {
    const int kept = fill_track(drawing, view, body, t);
    const char *color = carom_drawing_color(body);
    carom_text_buffer_print(svg,
                            "<g id=\"body-%d\" class=\"body\" stroke=\"%s\" fill=\"%s\" "
                            "transform=\"translate(",
                            body, color, color);
    write_place(t, 0, svg);
    carom_text_buffer_print(svg, ")rotate(");
    write_angle(t, 0, svg);
    carom_text_buffer_print(svg, ")\"><title>");
    carom_drawing_text(svg, drawing->names[body]);
    carom_text_buffer_print(svg, "</title>");
    CAROM_TRY(carom_drawing_outlines(drawing, view, body, svg));
    const bool turns = is_turned(t, kept);
    if (turns || is_shifted(t, kept)) {
        carom_text_buffer_print(svg, "\n");
        write_values(t, kept, clock, "translate", write_place, svg);
        if (turns || fabs(t->written[2]) > 0.0) {
            write_values(t, kept, clock, "rotate", write_angle, svg);
        }
    }
    carom_text_buffer_print(svg, "</g>\n");
    return svg->failure;
}

static carom_status write_bodies(const carom_drawing *drawing, const carom_drawing_view *view,
                                 const carom_drawing_params *params,
                                 const carom_drawing_clock *clock, carom_text_buffer *svg) {
    const size_t frames = (size_t)drawing->frame_count;
    CAROM_AUTO_MEMORY double *numbers = malloc(7 * frames * sizeof *numbers);
    CAROM_AUTO_MEMORY int *kept = malloc(frames * sizeof *kept);
    if (numbers == NULL || kept == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    track t = {.count = drawing->frame_count,
               .accuracy = params->accuracy,
               .fraction = clock->fraction,
               .exact = numbers,
               .written = numbers + 3 * frames,
               .keys = numbers + 6 * frames,
               .kept = kept};
    for (int body = 0; body < drawing->body_count; body++) {
        CAROM_TRY(write_body(drawing, view, clock, body, &t, svg));
    }
    return carom_drawing_move_figures(drawing, view, params, clock, svg);
}

/* -------------------------------------------------------------------------------------- impacts */

/** The stronger first; then the earlier, so that their order is one. */
static int compare_strengths(const void *left, const void *right) {
    const carom_drawing_impact *a = left;
    const carom_drawing_impact *b = right;
    const double stronger = a->strength - b->strength;
    const double later = a->time - b->time;
    return (stronger < 0.0) - (stronger > 0.0) != 0 ? (stronger < 0.0) - (stronger > 0.0)
                                                    : (later > 0.0) - (later < 0.0);
}

carom_drawing_impact *carom_drawing_strongest(const carom_drawing *drawing, int *count) {
    const size_t all = (size_t)drawing->impact_count;
    carom_drawing_impact *strongest = malloc((all + 1) * sizeof *strongest);
    if (strongest != NULL) {
        memcpy(strongest, drawing->impacts, all * sizeof *strongest);
        qsort(strongest, all, sizeof *strongest, compare_strengths);
    }
    *count = drawing->impact_count < CAROM_DRAWING_MOST_IMPACTS ? drawing->impact_count
                                                                : CAROM_DRAWING_MOST_IMPACTS;
    return strongest;
}

/** A ring that is seen for an instant. */
static void write_flash(const carom_drawing_clock *clock, const double *pixel, double time,
                        carom_text_buffer *svg) {
    const double from = carom_drawing_clock_fraction(clock, time);
    const double to = fmin(1.0, from + FLASH / clock->duration);
    carom_text_buffer_print(svg,
                            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6\" opacity=\"0\"><animate "
                            "attributeName=\"opacity\" dur=\"%.9gs\" repeatCount=\"indefinite\" "
                            "values=\"0;0;1;0;0\" keyTimes=\"0;%.6f;%.6f;%.6f;1\"/></circle>\n",
                            pixel[0], pixel[1], clock->duration, from, from, to);
}

static carom_status write_flashes(const carom_drawing *drawing, const carom_drawing_view *view,
                                  const carom_drawing_clock *clock, carom_text_buffer *svg) {
    int count;
    CAROM_AUTO_MEMORY carom_drawing_impact *strongest = carom_drawing_strongest(drawing, &count);
    if (strongest == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_text_buffer_print(svg, "<g class=\"impact\">\n");
    for (int k = 0; k < count; k++) {
        double pixel[2];
        carom_drawing_place(view, strongest[k].place, pixel);
        if (carom_drawing_shows(view, pixel)) {
            write_flash(clock, pixel, strongest[k].time, svg);
        }
    }
    carom_text_buffer_print(svg, "</g>\n");
    return svg->failure;
}

/* ----------------------------------------------------------------------------------------- time */

/** The time as a number: a column of texts that is shifted behind a window. */
static void write_time_label(const carom_drawing *drawing, const carom_drawing_clock *clock,
                             double low, carom_text_buffer *svg) {
    const double first = drawing->time[0];
    const double last = drawing->time[drawing->frame_count - 1];
    const carom_drawing_unit in = carom_drawing_unit_of(fmax(fabs(first), fabs(last)));
    const double step = carom_drawing_round_step((last - first) / in.size / TIME_LABELS);
    const int decimals = carom_drawing_decimals(step);
    const int count = (int)floor((last - first) / in.size / step + 1e-9) + 1;
    carom_text_buffer_print(svg,
                            "<clipPath id=\"window\"><rect x=\"%d\" y=\"%.1f\" width=\"120\" "
                            "height=\"18\"/></clipPath>\n<g clip-path=\"url(#window)\"><g>",
                            CAROM_DRAWING_LEFT, low + 42.0);
    carom_text_buffer_print(svg,
                            "<animateTransform attributeName=\"transform\" type=\"translate\" "
                            "calcMode=\"discrete\" dur=\"%.9gs\" repeatCount=\"indefinite\" "
                            "values=\"",
                            clock->duration);
    for (int k = 0; k < count; k++) {
        carom_text_buffer_print(svg, "%s0 %d", k > 0 ? ";" : "", -20 * k);
    }
    carom_text_buffer_print(svg, "\" keyTimes=\"");
    for (int k = 0; k < count; k++) {
        const double time = first + k * step * in.size;
        carom_text_buffer_print(svg, k > 0 ? ";%.5f" : "%.0f",
                                carom_drawing_clock_fraction(clock, time));
    }
    carom_text_buffer_print(svg, "\"/>\n");
    for (int k = 0; k < count; k++) {
        carom_text_buffer_print(svg,
                                "<text x=\"%d\" y=\"%.1f\"><tspan class=\"it\">t</tspan> = %.*f "
                                "%ss</text>\n",
                                CAROM_DRAWING_LEFT, low + 55.0 + 20.0 * k, decimals,
                                first / in.size + k * step, in.prefix);
    }
    carom_text_buffer_print(svg, "</g></g>\n");
}

/** The time as a place on a line, which has a mark for each impact. */
static carom_status write_time_line(const carom_drawing *drawing, const carom_drawing_view *view,
                                    const carom_drawing_clock *clock, double low,
                                    carom_text_buffer *svg) {
    const double first = drawing->time[0];
    const double last = drawing->time[drawing->frame_count - 1];
    const double y = low + 68.0;
    enum { MOST_MARKS = 1001 };
    bool is_marked[MOST_MARKS] = {false};
    carom_text_buffer_print(
        svg, "<path class=\"mark\" d=\"M%d %.1fh%.0f\"/>\n<path class=\"impact\" d=\"",
        CAROM_DRAWING_LEFT, y, view->width);
    for (int k = 0; k < drawing->impact_count; k++) {
        const double share = (drawing->impacts[k].time - first) / (last - first);
        if (share >= 0.0 && share <= 1.0) {
            is_marked[(int)lround(share * view->width)] = true;
        }
    }
    for (int k = 0; k < MOST_MARKS; k++) {
        if (is_marked[k]) {
            carom_text_buffer_print(svg, "M%d %.1fv3", CAROM_DRAWING_LEFT + k, y);
        }
    }
    carom_text_buffer_print(svg,
                            "\"/>\n<circle r=\"4\" cx=\"%d\" cy=\"%.1f\" fill=\"#222\">"
                            "<animate attributeName=\"cx\" dur=\"%.9gs\" "
                            "repeatCount=\"indefinite\" values=\"",
                            CAROM_DRAWING_LEFT, y, clock->duration);
    for (int k = 0; k < clock->knot_count; k++) {
        const double share = (clock->knots[2 * k] - first) / (last - first);
        carom_drawing_number(svg, CAROM_DRAWING_LEFT + share * view->width, 1);
        carom_text_buffer_print(svg, ";");
    }
    carom_text_buffer_print(svg, "%.0f\" keyTimes=\"", CAROM_DRAWING_LEFT + view->width);
    for (int k = 0; k < clock->knot_count; k++) {
        carom_drawing_number(svg, clock->knots[2 * k + 1], 6);
        carom_text_buffer_print(svg, ";");
    }
    carom_text_buffer_print(svg, "1\"/></circle>\n");
    return svg->failure;
}

static void write_pace(const carom_drawing_view *view, const carom_drawing_params *params,
                       const carom_drawing_clock *clock, double low, carom_text_buffer *svg) {
    carom_text_buffer_print(svg,
                            "<text class=\"note\" x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">speed "
                            "× %.3g",
                            CAROM_DRAWING_LEFT + view->width, low + 55.0, 1.0 / clock->pace);
    if (params->slow_impacts > 1.0 && clock->knot_count > 2) {
        carom_text_buffer_print(svg, ", × %.3g about impacts",
                                1.0 / clock->pace / params->slow_impacts);
    }
    carom_text_buffer_print(svg, "</text>\n");
}

/* ---------------------------------------------------------------------------------------- whole */

static carom_status check_params(const carom_drawing_params *params, carom_report *report) {
    if (!isnan(params->play_duration) &&
        !(params->play_duration > 0.0 && isfinite(params->play_duration))) {
        return carom_report_refuse(report, "play duration", params->play_duration, -1, "> 0 s");
    }
    if (!(params->slow_impacts >= 1.0 && params->slow_impacts <= 1e6)) {
        return carom_report_refuse(report, "slow impacts", params->slow_impacts, -1, "in [1, 1e6]");
    }
    if (!(params->accuracy >= CAROM_DRAWING_FINEST && params->accuracy <= 100.0)) {
        return carom_report_refuse(report, "accuracy", params->accuracy, -1, "in [0.1, 100]");
    }
    return CAROM_OK;
}

/** All that moves. */
static carom_status write_motion(const carom_drawing *drawing, const carom_drawing_view *view,
                                 const carom_drawing_params *params, carom_drawing_clock *clock,
                                 carom_text_buffer *svg) {
    const double low = CAROM_DRAWING_TOP + view->height;
    CAROM_TRY(write_bodies(drawing, view, params, clock, svg));
    CAROM_TRY(carom_drawing_moving_springs(drawing, view, params->accuracy, clock, svg));
    CAROM_TRY(write_flashes(drawing, view, clock, svg));
    carom_drawing_axes(view, svg);
    write_time_label(drawing, clock, low, svg);
    CAROM_TRY(write_time_line(drawing, view, clock, low, svg));
    write_pace(view, params, clock, low, svg);
    return svg->failure;
}

carom_status carom_drawing_animate(const carom_drawing *drawing, const carom_drawing_params *params,
                                   carom_text_buffer *svg, carom_report *report) {
    CAROM_ASSERT(drawing != NULL && params != NULL && svg != NULL);
    CAROM_TRY(check_params(params, report));
    if (!(drawing->time[drawing->frame_count - 1] > drawing->time[0])) {
        return carom_drawing_plot(drawing, svg); /* nothing moves in an instant */
    }
    const carom_drawing_view view = carom_drawing_view_of(drawing);
    carom_drawing_clock clock;
    CAROM_TRY(carom_drawing_clock_init(drawing, params, &clock));
    carom_status status = carom_drawing_open(drawing, &view, svg);
    if (status == CAROM_OK) {
        status = write_motion(drawing, &view, params, &clock, svg);
    }
    carom_drawing_clock_clear(&clock);
    carom_text_buffer_print(svg, "</svg>\n");
    return status != CAROM_OK ? status : svg->failure;
}
