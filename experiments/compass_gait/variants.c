/** The same sampling with other solutions, caps and steps: /selections, /distributions, /steps. */
#include "results.h"

#include <carom/study/impact_claims.h>
#include <carom/study/impact_comparison.h>

/** Samples at most: each has hundreds of increments. */
enum { MOST_SAMPLES = 1 << 12 };

/** A smaller step, as a part of the chosen one, and room for as many more increments: half a step
 * is the mean length of one. */
static const double FINE_PART = 0.05;
enum { FINE_LENGTH = 400 };

/** A step so small that the scheme comes close to the inclusion. */
static carom_status run_fine(const results *r) {
    carom_impact_sampling_params params =
        carom_impact_options_params(r->study->options, r->study->common);
    params.samples = params.samples < MOST_SAMPLES ? params.samples : MOST_SAMPLES;
    params.selection = CAROM_SELECTION_RANDOM;
    params.distribution = CAROM_CAPS_UNIFORM;
    params.impulse_step *= FINE_PART;
    params.trajectory_length = FINE_LENGTH;
    carom_record_scalar(r->study->target.record, "/steps/fine/impulse_step", params.impulse_step,
                        "N s", "largest cap of the smaller step");
    return carom_impact_study_vary(r->study, "/steps/fine", &params, r->report);
}

carom_status compass_gait_write_variants(const results *r) {
    CAROM_TRY(carom_impact_study_compare(r->study, r->report));
    return run_fine(r);
}
