#include <carom/drawing/internal.h>

#include <math.h>
#include <stdlib.h>

/* Points of outlines and ways are left out within this of the line, pixels. */
static const double LINE_TOLERANCE = 0.1;

int carom_drawing_thin(int count, carom_drawing_spans spans, const void *context, int *kept) {
    int last = 0;
    int found = 1;
    kept[0] = 0;
    while (last + 1 < count) {
        // as far as doubled strides reach, then by halves between what spans and what does not
        int good = last + 1;
        int bad = count;
        for (int stride = 2; bad == count && good + 1 < count; stride *= 2) {
            const int next = stride < count - last ? last + stride : count - 1;
            if (!spans(context, last, next)) {
                bad = next;
            } else {
                good = next;
            }
        }
        while (bad - good > 1 && bad < count) {
            const int middle = good + (bad - good) / 2;
            if (spans(context, last, middle)) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        kept[found++] = good;
        last = good;
    }
    return found;
}

/** Whether points lie close to the segment that leaves them out. */
static bool spans_points(const void *context, int from, int to) {
    const double *points = context;
    const double *a = points + 2 * from;
    const double along[2] = {points[2 * to] - a[0], points[2 * to + 1] - a[1]};
    const double square = along[0] * along[0] + along[1] * along[1];
    for (int k = from + 1; k < to; k++) {
        const double off[2] = {points[2 * k] - a[0], points[2 * k + 1] - a[1]};
        const double share = square > 0.0 ? (off[0] * along[0] + off[1] * along[1]) / square : 0.0;
        const double at = fmin(1.0, fmax(0.0, share));
        if (hypot(off[0] - at * along[0], off[1] - at * along[1]) > LINE_TOLERANCE) {
            return false;
        }
    }
    return true;
}

carom_status carom_drawing_path(int count, const double *points, bool closes,
                                carom_text_buffer *svg) {
    CAROM_AUTO_MEMORY int *kept = malloc((size_t)count * sizeof *kept);
    if (kept == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const int found = carom_drawing_thin(count, spans_points, points, kept);
    for (int i = 0; i < found - (closes && found > 2 ? 1 : 0); i++) {
        carom_text_buffer_print(svg, "%s", i == 0 ? "M" : i == 1 ? "L" : " ");
        carom_drawing_number(svg, points[2 * kept[i]], 2);
        carom_text_buffer_print(svg, " ");
        carom_drawing_number(svg, points[2 * kept[i] + 1], 2);
    }
    if (closes && found > 2) {
        carom_text_buffer_print(svg, "Z");
    }
    return svg->failure;
}
