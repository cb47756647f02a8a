/** Records with a motion, and what an SVG says of it. */
#ifndef CAROM_TESTS_DRAWING_DRAWN_H
#define CAROM_TESTS_DRAWING_DRAWN_H

#include "../record/scratch.h"

#include <carom/drawing/internal.h>

/** A motion to be recorded. */
typedef struct motion {
    int bodies;
    int frames;
    const double *time;
    const double *poses; /* [frames][bodies][3] */
    int outline_count;
    const carom_outline *outlines;
} motion;

static const double SQUARE[] = {-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5, -0.5, -0.5};
static const double FLOOR[] = {0.0, 0.0, 0.0, 1.0};

/** Two squares over a floor. */
static const carom_outline SQUARES[] = {{0, CAROM_OUTLINE_CLOSED, 5, SQUARE, 0.0},
                                        {1, CAROM_OUTLINE_CLOSED, 5, SQUARE, 0.0},
                                        {-1, CAROM_OUTLINE_HALF_PLANE, 2, FLOOR, 0.0}};

/** Write it below /run, with one impact in its middle. */
static inline carom_record *motion_record(const char *name, const motion *m) {
    carom_record *record = scratch_record(name);
    carom_record geometry = carom_record_group(record, "/geometry");
    assert_ok(
        carom_geometry_record_outlines(&geometry, m->bodies, NULL, m->outline_count, m->outlines));
    carom_record group = carom_record_group(record, "/run");
    carom_record_axis(&group, "time", m->frames, m->time, "s", "time");
    assert_ok(carom_geometry_record_poses(&group, "time", m->frames, m->bodies, m->poses));
    const double *first = m->poses;
    carom_record_axis(&group, "impacts/time", 1, &m->time[m->frames / 2], "s", "time");
    carom_record_series(&group, "impacts/x", first, "impacts/time", NULL, "m", "place");
    carom_record_series(&group, "impacts/y", first + 1, "impacts/time", NULL, "m", "place");
    return record;
}

/** What a file of the scratch folder has to draw. */
static inline carom_drawing *read_drawing(const char *name) {
    carom_reader *reader = scratch_open(name);
    carom_drawing *drawing = NULL;
    carom_report report = carom_report_empty();
    const carom_status status = carom_drawing_read(reader, NULL, &drawing, &report);
    ck_assert_msg(status == CAROM_OK, "%s", report.sentence);
    carom_reader_close(reader);
    return drawing;
}

/** Record it and read it back. */
static inline carom_drawing *motion_drawing(const motion *m) {
    assert_ok(carom_record_commit(motion_record("motion.h5", m), NULL));
    return read_drawing("motion.h5");
}

static inline void animate(const carom_drawing *drawing, const carom_drawing_params *params,
                           carom_text_buffer *svg) {
    carom_report report = carom_report_empty();
    assert_ok(carom_drawing_animate(drawing, params, svg, &report));
}

/** Longest list of a test. */
enum { LIST_SIZE = 20000 };

/** Numbers of a quoted list, whatever stands between them. @return how many */
static inline int read_list(const char *from, const char *attribute, double *list) {
    const char *at = strstr(from, attribute);
    ck_assert_ptr_nonnull(at);
    at += strlen(attribute);
    int count = 0;
    while (*at != '"') {
        char *end = NULL;
        ck_assert_int_lt(count, LIST_SIZE);
        list[count++] = strtod(at, &end);
        ck_assert_ptr_ne(end, at);
        at = end + strspn(end, "; ");
    }
    return count;
}

/** Where an animated number is at a fraction of the whole: `width` numbers a key. */
static inline void shown_at(int keys, const double *key, int width, const double *values,
                            double fraction, double *shown) {
    int k = 0;
    while (k + 2 < keys && key[k + 1] < fraction) {
        k++;
    }
    const double extent = key[k + 1] - key[k];
    const double share = extent > 0.0 ? (fraction - key[k]) / extent : 0.0;
    for (int i = 0; i < width; i++) {
        const double a = values[k * width + i];
        shown[i] = a + share * (values[(k + 1) * width + i] - a);
    }
}

#endif
