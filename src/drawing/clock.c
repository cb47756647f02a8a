#include <carom/drawing/internal.h>

#include <math.h>
#include <stdlib.h>

/* The end is shown for so long before it begins again, s. */
static const double PAUSE = 0.5;

/* Share of the motion's duration before and after an impact that is played slowly. */
static const double NEAR = 0.01;

static int compare_times(const void *left, const void *right) {
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

/** Spans about the impacts, those that meet as one: [count][2], s. @return how many */
static int find_spans(const carom_drawing *drawing, double *spans) {
    const int impacts = drawing->impact_count;
    const double first = drawing->time[0];
    const double last = drawing->time[drawing->frame_count - 1];
    const double near = NEAR * (last - first);
    double *times = spans + 2 * (size_t)impacts;
    for (int k = 0; k < impacts; k++) {
        times[k] = drawing->impacts[k].time;
    }
    qsort(times, (size_t)impacts, sizeof *times, compare_times);
    int count = 0;
    for (int k = 0; k < impacts; k++) {
        const double from = fmax(first, times[k] - near);
        const double to = fmin(last, times[k] + near);
        if (from >= to) {
            continue;
        }
        if (count > 0 && from <= spans[2 * count - 1]) {
            spans[2 * count - 1] = to;
        } else {
            spans[2 * count] = from;
            spans[2 * count + 1] = to;
            count++;
        }
    }
    return count;
}

/** Add a knot to which the motion is played at a pace: seconds of playing for one of motion. */
static void add_knot(carom_drawing_clock *clock, double time, double pace) {
    const double *last = clock->knots + 2 * (clock->knot_count - 1);
    const double played = last[1] + pace * (time - last[0]);
    clock->knots[2 * clock->knot_count] = time;
    clock->knots[2 * clock->knot_count + 1] = played;
    clock->knot_count++;
}

/** Knots at the ends of the spans, by seconds of playing. */
static void fill_knots(const carom_drawing *drawing, const carom_drawing_params *params,
                       const double *spans, int count, carom_drawing_clock *clock) {
    const double first = drawing->time[0];
    const double last = drawing->time[drawing->frame_count - 1];
    const double own = fmin(CAROM_DRAWING_LONGEST, fmax(CAROM_DRAWING_SHORTEST, last - first));
    const double play = isnan(params->play_duration) ? own : params->play_duration;
    const double pace = play / (last - first);
    clock->pace = pace;
    clock->knots[0] = first;
    clock->knots[1] = 0.0;
    clock->knot_count = 1;
    for (int k = 0; k < count; k++) {
        add_knot(clock, spans[2 * k], pace);
        add_knot(clock, spans[2 * k + 1], pace * params->slow_impacts);
    }
    add_knot(clock, last, pace);
}

double carom_drawing_clock_fraction(const carom_drawing_clock *clock, double time) {
    int low = 0;
    int high = clock->knot_count - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (clock->knots[2 * middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const double *a = clock->knots + 2 * low;
    const double *b = clock->knots + 2 * high;
    const double share = b[0] > a[0] ? (time - a[0]) / (b[0] - a[0]) : 0.0;
    return a[1] + fmin(1.0, fmax(0.0, share)) * (b[1] - a[1]);
}

carom_status carom_drawing_clock_init(const carom_drawing *drawing,
                                      const carom_drawing_params *params,
                                      carom_drawing_clock *clock) {
    const size_t impacts = params->slow_impacts > 1.0 ? (size_t)drawing->impact_count : 0;
    *clock = (carom_drawing_clock){0};
    clock->fraction = malloc((size_t)drawing->frame_count * sizeof *clock->fraction);
    clock->knots = malloc((4 * impacts + 4) * sizeof *clock->knots);
    CAROM_AUTO_MEMORY double *spans =
        malloc((3 * (size_t)drawing->impact_count + 1) * sizeof *spans);
    if (clock->fraction == NULL || clock->knots == NULL || spans == NULL) {
        carom_drawing_clock_clear(clock);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    fill_knots(drawing, params, spans, impacts > 0 ? find_spans(drawing, spans) : 0, clock);
    clock->duration = clock->knots[2 * clock->knot_count - 1] + PAUSE;
    for (int k = 0; k < clock->knot_count; k++) {
        clock->knots[2 * k + 1] /= clock->duration;
    }
    for (int i = 0; i < drawing->frame_count; i++) {
        clock->fraction[i] = carom_drawing_clock_fraction(clock, drawing->time[i]);
    }
    return CAROM_OK;
}

void carom_drawing_clock_clear(carom_drawing_clock *clock) {
    free(clock->fraction);
    free(clock->knots);
    *clock = (carom_drawing_clock){0};
}
