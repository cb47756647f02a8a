/** Where the two curves cross. The paper takes every crossing for a solution; where both
 * determinants vanish because the rows that they share have lost rank, there is none. */
#include "results.h"

#include <carom/collisionless/curves/determinant.h>

#include <math.h>

static const carom_field CROSSING_FIELDS[] = {
    CAROM_FIELD("time", carom_determinant_crossing, time, "s", "tau"),
    CAROM_FIELD("constrained_time", carom_determinant_crossing, constrained_time, "s", "tau'"),
    CAROM_FIELD("smallest_singular_value", carom_determinant_crossing, rank.smallest, "1",
                "of the impact matrix"),
    CAROM_FIELD("spurious", carom_determinant_crossing, is_spurious, "1",
                "1: no root, the impact matrix keeps its rank"),
};

carom_status collisionless_write_crossings(const analysis *a) {
    const settings *v = a->values;
    const carom_phase_spectra *s = v->modes->spectra;
    const double rate = sqrt(fabs(s->unconstrained[s->mode_count - 1]));
    const double constrained_rate = sqrt(fabs(s->constrained[s->mode_count - 2]));
    carom_impact_phase_window window = carom_impact_phase_window_default();
    window.min_phase = rate * v->min_time;
    window.max_phase = rate * v->max_time;
    window.min_constrained_phase = constrained_rate * v->min_constrained_time;
    window.max_constrained_phase = constrained_rate * v->max_constrained_time;
    CAROM_AUTO(carom_determinant_crossings) found = NULL;
    CAROM_TRY(carom_determinant_crossings_find(s, &window, &found, a->report));
    if (found->count == 0) {
        return CAROM_OK;
    }
    carom_record group = carom_record_group(a->record, "/crossings");
    carom_record_index_axis(&group, "crossing", found->count, "crossing");
    carom_record_rows(&group, "crossing", found->crossings, found->count, sizeof *found->crossings,
                      CROSSING_FIELDS, (int)(sizeof CROSSING_FIELDS / sizeof *CROSSING_FIELDS));
    return CAROM_OK;
}
