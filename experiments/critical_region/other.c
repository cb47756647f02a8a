/** A spectrum with several oscillating modes, where crossings of the curves need not be roots. */
#include "results.h"

#include <math.h>

/** Crossings are roots if they are this close, rad. */
static const double SAME_PHASE = 1e-6;
/** Window of the example with several oscillating modes, s. */
static const double LEAST_TIME = 0.05;
static const double LONGEST_TIME = 8.0;

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
        {"several_singular_value", least, "1",
         "smallest singular value of the impact matrix at a crossing that is none"},
    };
    carom_determinant_crossings_free(crossings);
    carom_root_list_free(roots);
    carom_record_measures(c->record, measures, COUNT(measures));
    return CAROM_OK;
}

carom_status critical_region_write_other(const critical *c) {
    const double unconstrained[] = {-2.0, -0.5, 1.1, 3.1};
    const double constrained[] = {-1.3, 0.35, 1.7};
    CAROM_AUTO(carom_phase_spectra) spectra = NULL;
    CAROM_TRY(carom_phase_spectra_make(COUNT(unconstrained), unconstrained, constrained,
                                       CAROM_PARITY_EVEN, CAROM_PARITY_ODD, &spectra, c->report));
    return write_several(c, spectra);
}
