/** The statements of the paper about this impact, decided from the results: /claims. */
#include "results.h"

#include <carom/study/impact_claims.h>

/** Rest, the only simultaneous outcome, is found if a sample is so close, in parts of the speed of
 * the top disc: 3e-3 m/s is what 2^14 samples of the simplest example reach. */
static const double FOUND = 3e-3;

/** Whether the samples contain every simultaneous outcome. */
static bool holds_simultaneous(const results *r) {
    const carom_impact_outcomes *s = r->study_results.simultaneous;
    bool is_found = s->count > 0;
    for (int i = 0; i < s->count; i++) {
        is_found = is_found && carom_impact_samples_distance(
                                   r->study_results.samples,
                                   s->contact_velocity + (size_t)i * (size_t)s->row_count) <=
                                   FOUND * fabs(r->stack->initial_velocity);
    }
    return is_found;
}

void disk_stack_write_claims(const results *r) {
    const carom_impact_problem *problem = r->study->target.problem;
    carom_record *record = r->study->target.record;
    carom_impact_claims_theorems(r->study, &r->study_results);
    if (!carom_impact_is_colliding(problem, problem->contact_velocity)) {
        return;
    }
    carom_record_claim(record, "set_holds_simultaneous", holds_simultaneous(r),
                       "the sampled set contains every simultaneous outcome");
    if (r->stack->levels != PUBLISHED_LEVELS) {
        return;
    }
    disk_stack_write_counts(&r->study->target, "", r->study_results.simultaneous,
                            r->study_results.samples);
}
