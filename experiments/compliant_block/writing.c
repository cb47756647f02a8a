/** The sweeps as datasets, and the rigid outcomes beside them. */
#include "results.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Longest path inside the record that is made here. */
enum { PATH_SIZE = 96 };

/** A quantity of a run: where it is in block_run, and how it is called. */
typedef struct quantity {
    const char *name;
    size_t offset;
    int width;               /**< numbers of a run */
    const char *column_axis; /**< NULL if width is 1 */
    const char *units;
    const char *long_name;
} quantity;

static const quantity reals[] = {
    {"stiffness", offsetof(block_run, stiffness), CORNERS, "/contact", "N m-1",
     "stiffness k of the corner"},
    {"normal_velocity", offsetof(block_run, normal_velocity), CORNERS, "/contact", "m s-1",
     "normal velocity of the corner at the end"},
    {"tangential_velocity", offsetof(block_run, tangential_velocity), CORNERS, "/contact", "m s-1",
     "tangential velocity of the corner at the end"},
    {"normal_impulse", offsetof(block_run, normal_impulse), CORNERS, "/contact", "N s",
     "normal impulse of the corner"},
    {"start_time", offsetof(block_run, start_time), CORNERS, "/contact", "s",
     "when the corner first touches; NaN: never"},
    {"velocity", offsetof(block_run, velocity), COORDINATES, "/coordinate", "m s-1",
     "velocity at the end; of theta in rad s-1"},
    {"energy", offsetof(block_run, energy), 1, NULL, "J", "energy before, zero height: flat"},
    {"end_time", offsetof(block_run, end_time), 1, NULL, "s", "end of the run"},
    {"first_share", offsetof(block_run, first_share), 1, NULL, "1",
     "part of the first corner's impulse that it has got when the second one touches; NaN: none "
     "touches"},
};

static const quantity integers[] = {
    {"first_contact", offsetof(block_run, first_contact), 1, NULL, "1",
     "corner that touches first: 0 A, also if both do at once, 1 B"},
    {"has_stopped", offsetof(block_run, has_stopped), 1, NULL, "1",
     "1: no corner closes at the end; 0: the time was over"},
    {"steps", offsetof(block_run, steps), 1, NULL, "1", "steps of the integrator"},
    {"events", offsetof(block_run, events), 1, NULL, "1", "changes of the law of a corner"},
};

/** Write a quantity of all runs; `numbers` has room for them. */
static void write_reals(const results *r, const sweep *s, const char *axis, const quantity *what,
                        double *numbers) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", s->group, what->name);
    for (int i = 0; i < s->count; i++) {
        memcpy(numbers + (size_t)i * (size_t)what->width,
               (const char *)(s->runs + i) + what->offset, (size_t)what->width * sizeof *numbers);
    }
    carom_record_series(r->record, path, numbers, axis, what->column_axis, what->units,
                        what->long_name);
}

/** The same of a whole number. */
static void write_integers(const results *r, const sweep *s, const char *axis, const quantity *what,
                           int *numbers) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", s->group, what->name);
    for (int i = 0; i < s->count; i++) {
        memcpy(numbers + i, (const char *)(s->runs + i) + what->offset, sizeof *numbers);
    }
    carom_record_integer_series(r->record, path, numbers, axis, NULL, what->units, what->long_name);
}

carom_status compliant_block_write_sweep(const results *r, const sweep *s) {
    char axis[PATH_SIZE];
    snprintf(axis, sizeof axis, "%s/%s", s->group, s->parameter);
    carom_record_axis(r->record, axis, s->count, s->values, s->units, s->long_name);
    double *numbers = calloc((size_t)s->count * COORDINATES, sizeof *numbers);
    int *whole_numbers = calloc((size_t)s->count, sizeof *whole_numbers);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    if (numbers != NULL && whole_numbers != NULL) {
        status = CAROM_OK;
        for (size_t k = 0; k < sizeof reals / sizeof reals[0] && status == CAROM_OK; k++) {
            write_reals(r, s, axis, reals + k, numbers);
        }
        for (size_t k = 0; k < sizeof integers / sizeof integers[0] && status == CAROM_OK; k++) {
            write_integers(r, s, axis, integers + k, whole_numbers);
        }
    }
    free(whole_numbers);
    free(numbers);
    return status;
}

/** The two segments of outcomes as a line from (a, 0) over the origin to (0, a). */
static void write_set(const results *r) {
    enum { CORNERS_OF_SET = 3 };
    const double a = r->exact.largest_rebound;
    const double x[CORNERS_OF_SET] = {a, 0.0, 0.0};
    const double y[CORNERS_OF_SET] = {0.0, 0.0, a};
    carom_record_index_axis(r->record, "/exact/set/corner", CORNERS_OF_SET,
                            "corner of the set of rigid outcomes");
    carom_record_series(r->record, "/exact/set/x", x, "/exact/set/corner", NULL, "m s-1",
                        "normal velocity of A");
    carom_record_series(r->record, "/exact/set/y", y, "/exact/set/corner", NULL, "m s-1",
                        "normal velocity of B");
}

void compliant_block_write_exact(results *r) {
    const carom_status status =
        carom_rigid_block_exact_compute(&r->values->block, &r->exact, r->report);
    r->has_exact = status == CAROM_OK;
    carom_record_integer(r->record, "/exact/is_available", r->has_exact ? 1 : 0, "1",
                         "0: a corner slides, no closed form");
    if (!r->has_exact) {
        *r->report = carom_report_empty();
        return;
    }
    carom_record_scalar(r->record, "/exact/largest_rebound", r->exact.largest_rebound, "m s-1",
                        "largest normal velocity of a rigid outcome");
    write_set(r);
}
