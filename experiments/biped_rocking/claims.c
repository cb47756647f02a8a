/** Claims of section 6 and figure 4 of the paper about the solutions, decided on the roots. */
#include "results.h"

#include <math.h>

/** Which roots in the window are motions. */
typedef struct realizabilities {
    int realizable;      /**< proved */
    int attracting;      /**< with a proved attraction and an open gap */
    int undecided;       /**< by the bounds */
    bool is_bottom_row;  /**< the realizable ones are those of row 0 */
    double highest_fall; /**< least attraction of a row above, as F_N/F_N^0; NaN without one */
} realizabilities;

/** Judge one root by bounds. */
static carom_status judge(const results *r, const carom_impact_root *root, realizabilities *v) {
    carom_collisionless_motion *motion = NULL;
    CAROM_TRY(carom_collisionless_motion_compute(r->modes, root->time, root->constrained_time,
                                                 CAROM_MOTION_SCALE_CONTACT_LEVEL,
                                                 r->statics.contact_level, &motion, r->report));
    const carom_motion_bounds bounds = carom_motion_bounds_compute(motion->spectral);
    carom_collisionless_motion_free(motion);
    const bool is_decided = bounds.is_gap_decided && bounds.is_force_decided;
    const bool is_open = bounds.minimum_gap >= 0.0;
    v->undecided += is_decided ? 0 : 1;
    v->realizable += bounds.is_realizable ? 1 : 0;
    v->attracting += is_decided && is_open && bounds.minimum_force_ratio < 0.0 ? 1 : 0;
    v->is_bottom_row = v->is_bottom_row && bounds.is_realizable == (root->row == 0);
    if (root->row > 0) {
        v->highest_fall = fmax(v->highest_fall, bounds.minimum_force_ratio);
    }
    return CAROM_OK;
}

/** The paper: only the bottom row is realizable, the others attract for a time. */
static carom_status write_realizability(const results *r) {
    realizabilities v = {.is_bottom_row = true, .highest_fall = (double)NAN};
    int above = 0;
    for (int k = 0; k < r->roots->count; k++) {
        CAROM_TRY(judge(r, &r->roots->roots[k], &v));
        above += r->roots->roots[k].row > 0 ? 1 : 0;
    }
    carom_record_measure(r->record, "realizable_roots", v.realizable, "1",
                         "roots in the window whose motions are realizable, by bounds");
    carom_record_measure(r->record, "undecided_roots", v.undecided, "1",
                         "roots that the bounds leave undecided");
    carom_record_measure(r->record, "least_attraction", v.highest_fall, "1",
                         "largest of the least F_N/F_N^0 of the roots above the bottom "
                         "row; NaN: no root is above it");
    carom_record_claim(r->record, "bottom_row_is_realizable",
                       v.realizable > 0 && v.is_bottom_row && v.undecided == 0,
                       "the realizable solutions are those of the bottom row");
    carom_record_claim(r->record, "upper_rows_attract", above > 0 && v.attracting == above,
                       "solutions of the rows above have stretches of attractive force, "
                       "with an open gap");
    return CAROM_OK;
}

/** The paper chooses the leftmost root of the bottom row, with the fewest oscillations. */
static void write_choice(const results *r) {
    bool is_first = true;
    bool is_leftmost = r->root.row == 0;
    for (int k = 0; k < r->roots->count; k++) {
        const carom_impact_root *root = &r->roots->roots[k];
        is_first = is_first && root->column >= r->root.column && root->row >= r->root.row;
        is_leftmost = is_leftmost && (root->row != r->root.row || root->column == r->root.column ||
                                      root->time > r->root.time);
    }
    carom_record_claim(r->record, "gait_is_leftmost", is_leftmost,
                       "the gait is the leftmost root of the bottom row");
    carom_record_claim(r->record, "gait_oscillates_least", is_first,
                       "no other root has fewer oscillations in either phase");
}

/** The paper: each phase has one positive eigenvalue, as the arm hangs. */
static void write_oscillations(const results *r) {
    const carom_phase_spectra *s = r->modes->spectra;
    const bool is_single = carom_phase_spectra_oscillating_count(s) == 1 &&
                           carom_phase_spectra_constrained_oscillating_count(s) == 1;
    carom_record_claim(r->record, "one_oscillating_mode_in_each_phase", is_single,
                       "each phase has exactly one positive eigenvalue");
}

carom_status biped_rocking_write_claims(const results *r) {
    write_oscillations(r);
    if (r->roots->count == 0) {
        return CAROM_OK;
    }
    CAROM_TRY(write_realizability(r));
    write_choice(r);
    return CAROM_OK;
}
