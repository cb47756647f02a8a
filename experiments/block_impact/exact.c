/** The closed forms of every law while no corner slides: /exact. */
#include "results.h"

#include <carom/models/rigid_block_exact.h>

/** Find them; false where a corner slides or nothing strikes. */
static bool find(results *r) {
    const carom_status status =
        carom_rigid_block_exact_compute(&r->values->block, &r->exact, r->report);
    if (status != CAROM_OK && r->report != NULL) {
        *r->report = carom_report_empty();
    }
    return status == CAROM_OK;
}

/** The two segments of outcomes as a line from (a, 0) over the origin to (0, a). */
static void write_set(const results *r) {
    enum { CORNERS_OF_SET = 3 };
    const double a = r->exact.largest_rebound;
    const double x[CORNERS_OF_SET] = {a, 0.0, 0.0};
    const double y[CORNERS_OF_SET] = {0.0, 0.0, a};
    carom_record *record = r->study->target.record;
    carom_record_index_axis(record, "/exact/set/corner", CORNERS_OF_SET,
                            "corner of the set of outcomes");
    carom_record_series(record, "/exact/set/x", x, "/exact/set/corner", NULL, "m s-1",
                        "normal velocity of A");
    carom_record_series(record, "/exact/set/y", y, "/exact/set/corner", NULL, "m s-1",
                        "normal velocity of B");
}

void block_impact_write_exact(results *r) {
    carom_record *record = r->study->target.record;
    r->has_exact = find(r);
    carom_record_integer(record, "/exact/is_available", r->has_exact ? 1 : 0, "1",
                         "0: a corner slides or none strikes, no closed form");
    if (!r->has_exact) {
        return;
    }
    const carom_rigid_block_exact *e = &r->exact;
    const struct {
        const char *path;
        double value;
        const char *units;
        const char *long_name;
    } rows[] = {
        {"/exact/transfer", e->transfer, "1", "share e of a corner's gain that the other gains"},
        {"/exact/stick_friction", e->stick_friction, "1", "least friction of a sticking corner"},
        {"/exact/direct_rate", e->direct_rate, "kg-1", "gain of a corner by its own impulse"},
        {"/exact/cross_rate", e->cross_rate, "kg-1", "gain of a corner by the other's impulse"},
        {"/exact/corner_impulse", e->corner_impulse, "N s",
         "impulse at each corner in the simultaneous law"},
        {"/exact/largest_rebound", e->largest_rebound, "m s-1",
         "largest normal speed of an outcome, that of a sequence"},
        {"/exact/shortest_impact", e->shortest_impact, "N s", "length in s of the impact to rest"},
        {"/exact/longest_impact", e->longest_impact, "N s", "length in s of a sequence"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        carom_record_scalar(record, rows[i].path, rows[i].value, rows[i].units, rows[i].long_name);
    }
    write_set(r);
}
