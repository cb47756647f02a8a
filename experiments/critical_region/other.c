/** Two spectra beside that of figure 2: N = 2, and one with several oscillating modes. */
#include "results.h"

#include <math.h>

/** Both sides of an equation that holds are the same to this part: a root is iterated to rounding.
 */
static const double SAME = 1e-12;
/** Crossings are roots if they are this close, rad. */
static const double SAME_PHASE = 1e-6;
/** Window of the example with several oscillating modes, s. */
static const double LEAST_TIME = 0.05;
static const double LONGEST_TIME = 8.0;

/** The spectra of the lowest and the highest mode alone. */
static carom_status make_two_modes(const critical *c, carom_phase_spectra **out) {
    const int N = c->spectra->mode_count;
    const double unconstrained[] = {c->spectra->unconstrained[0], c->spectra->unconstrained[N - 1]};
    return carom_phase_spectra_make(2, unconstrained, c->spectra->constrained + N - 2,
                                    (carom_parity)c->values->parity,
                                    (carom_parity)c->values->constrained_parity, out, c->report);
}

/** w_1 of a hyperbolic mode at tau (30). */
static double hyperbolic_ratio(carom_parity parity, double lambda, double time) {
    const double nu = sqrt(-lambda);
    return parity == CAROM_PARITY_ODD ? -nu * tanh(nu * time) : -nu / tanh(nu * time);
}

/** (41): for N = 2 w_1 = w_2 and c_0 = -w_1, whichever sign stands in (40). */
static carom_status write_two_modes(const critical *c, const carom_phase_spectra *spectra,
                                    carom_critical_region *region) {
    carom_critical_root root;
    carom_critical_matrices matrices;
    CAROM_TRY(carom_critical_region_root(region, c->first_column, 0, &root));
    CAROM_TRY(carom_critical_region_matrices(region, root.time, &matrices));
    const double w =
        hyperbolic_ratio((carom_parity)c->values->parity, spectra->unconstrained[0], root.time);
    const double corrected = carom_critical_matrices_demanded_w(&matrices, false);
    const double printed = carom_critical_matrices_demanded_w(&matrices, true);
    const bool holds = fabs(root.w_N - w) < -SAME * w && fabs(root.slope + w) < -SAME * w &&
                       fabs(corrected - w) < -SAME * w && fabs(printed - w) < -SAME * w;
    const carom_measure measures[] = {
        {"two_modes_w", w, "s-1", "w_1 at the critical impact of N = 2"},
        {"two_modes_difference", fabs(root.w_N - w), "s-1", "of w_2 from it"},
        {"two_modes_slope_difference", fabs(root.slope + w), "s-1", "of c_0 from its negative"},
        {"two_modes_printed_difference", fabs(printed - w), "s-1",
         "of what (40) demands as printed"},
    };
    carom_record_measures(c->record, measures, COUNT(measures));
    const carom_claim claim = {"two_modes_limit", holds,
                               "w_1 = w_2 and c_0 = -w_1 for N = 2, with either sign in (40)"};
    carom_record_claims(c->record, &claim, 1);
    return CAROM_OK;
}

/** Crossings that are no roots: the rows that both determinants share lose their rank. */
static carom_status write_several(const critical *c, const carom_phase_spectra *spectra) {
    const double omega = critical_region_frequency(spectra);
    const double constrained_omega = critical_region_constrained_frequency(spectra);
    carom_impact_phase_window window = critical_region_window(c->values);
    window.min_phase = omega * LEAST_TIME;
    window.max_phase = omega * LONGEST_TIME;
    window.min_constrained_phase = constrained_omega * LEAST_TIME;
    window.max_constrained_phase = constrained_omega * LONGEST_TIME;
    carom_root_search_params box = carom_root_search_params_default();
    box.min_time = LEAST_TIME;
    box.max_time = LONGEST_TIME;
    box.min_constrained_time = LEAST_TIME;
    box.max_constrained_time = LONGEST_TIME;
    carom_determinant_crossings *crossings = NULL;
    carom_root_list *roots = NULL;
    CAROM_TRY(carom_determinant_crossings_find(spectra, &window, &crossings, c->report));
    const carom_status status = carom_impact_roots_find(spectra, &box, &roots, c->report);
    if (status != CAROM_OK) {
        carom_determinant_crossings_free(crossings);
        return status;
    }
    int met = 0;
    double least = (double)NAN; // fmin passes over it
    for (int k = 0; k < crossings->count; k++) {
        const carom_determinant_crossing *at = &crossings->crossings[k];
        bool is_root = false;
        for (int i = 0; i < roots->count; i++) {
            const double distance =
                hypot(omega * roots->roots[i].time - at->phase,
                      constrained_omega * roots->roots[i].constrained_time - at->constrained_phase);
            is_root = is_root || distance < SAME_PHASE;
        }
        met += is_root ? 1 : 0;
        least = is_root ? least : fmin(least, at->rank.smallest);
    }
    const carom_measure measures[] = {
        {"several_crossings", crossings->count, "1",
         "crossings of the determinants with several oscillating modes"},
        {"several_crossings_at_roots", met, "1", "of which are roots"},
        {"several_roots", roots->count, "1", "roots in the same box"},
        {"several_singular_value", least, "1",
         "smallest singular value of the impact matrix at a crossing that is none"},
    };
    const carom_claim claim = {
        "crossings_are_always_roots", met == crossings->count,
        "crossings of the two curves are roots with several oscillating modes"};
    carom_determinant_crossings_free(crossings);
    carom_root_list_free(roots);
    carom_record_measures(c->record, measures, COUNT(measures));
    carom_record_claims(c->record, &claim, 1);
    return CAROM_OK;
}

carom_status critical_region_write_other(const critical *c) {
    carom_phase_spectra *spectra = NULL;
    carom_critical_region *region = NULL;
    CAROM_TRY(make_two_modes(c, &spectra));
    carom_status status = carom_critical_region_alloc(spectra, &region, c->report);
    if (status == CAROM_OK) {
        status = write_two_modes(c, spectra, region);
    }
    carom_critical_region_free(region);
    carom_phase_spectra_free(spectra);
    CAROM_TRY(status);
    const double unconstrained[] = {-2.0, -0.5, 1.1, 3.1};
    const double constrained[] = {-1.3, 0.35, 1.7};
    CAROM_TRY(carom_phase_spectra_make(COUNT(unconstrained), unconstrained, constrained,
                                       CAROM_PARITY_EVEN, CAROM_PARITY_ODD, &spectra, c->report));
    status = write_several(c, spectra);
    carom_phase_spectra_free(spectra);
    return status;
}
