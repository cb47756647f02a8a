/** The ends of both sweeps for other gravity, stiffness and damping: /variants. */
#include "results.h"

#include <stdio.h>

/** Longest path inside the record that is made here. */
enum { PATH_SIZE = 96 };

/** What is multiplied; angles fall with the square root of the stiffness, on which alone they act.
 */
typedef struct variant {
    const char *name;
    double gravity;
    double stiffness;
    double damping;
    const char *long_name;
} variant;

static const variant variants[] = {
    {"weightless", 0.0, 1.0, 1.0, "without gravity"},
    {"stiffer", 1.0, 100.0, 1.0, "corners a hundred times as stiff"},
    {"damped", 0.0, 1.0, 4.0, "without gravity, four times the damping ratio"},
};

/** Largest normal velocity at the ends of a sweep as a part of the largest rigid one. */
static void write_reach(const results *r, const variant *v, const sweep *s, const char *name) {
    char path[PATH_SIZE];
    char text[PATH_SIZE];
    double largest = 0.0;
    for (int i = 0; i < s->count; i++) {
        const double *c = s->runs[i].normal_velocity;
        largest = fmax(largest, fmax(c[0], c[1]));
    }
    snprintf(path, sizeof path, "/variants/%s/%s", v->name, name);
    snprintf(text, sizeof text, "largest normal velocity over the rigid one, %s", v->long_name);
    carom_record_scalar(r->record, path, largest / r->exact.largest_rebound, "1", text);
}

/** The two ends of each sweep. */
static carom_status write_variant(const results *r, const variant *v) {
    settings changed = *r->values;
    changed.ratios = 2;
    changed.angles = 2;
    changed.block.gravity *= v->gravity;
    changed.stiffness *= v->stiffness;
    changed.largest_angle /= sqrt(v->stiffness);
    changed.damping_ratio *= v->damping;
    results ends = {
        .values = &changed, .common = r->common, .record = r->record, .report = r->report};
    carom_status status = compliant_block_run(&ends);
    if (status == CAROM_OK) {
        write_reach(r, v, &ends.stiffness, "stiffness_reach");

        write_reach(r, v, &ends.angle, "angle_reach");
    }
    compliant_block_free(&ends);
    return status;
}

carom_status compliant_block_write_variants(const results *r) {
    if (!r->has_exact || !(r->exact.largest_rebound > 0.0)) {
        return CAROM_OK;
    }
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        CAROM_TRY(write_variant(r, variants + i));
    }
    return CAROM_OK;
}
