/** All outcomes of the break of figure 4. */
#include "results.h"

#include <carom/study/propagative_record.h>

static const char *const CONTACTS[] = {"a", "b"};

carom_status billiards_write_outcomes(const billiards *x) {
    instant y;
    carom_propagative_outcomes *outcomes = NULL;
    carom_status status = billiards_open(&x->values->cue, &y, x->report);
    if (status == CAROM_OK) {
        const carom_propagative_tree_params params = carom_propagative_tree_params_default();
        status = carom_propagative_outcomes_find(y.contacts, &params, y.problem->contact_velocity,
                                                 y.problem->kinetic_energy, &outcomes, x->report);
    }
    if (status == CAROM_OK) {
        carom_propagative_record record =
            carom_propagative_record_of(x->record, "", y.problem, y.contacts);
        record.target.names = CONTACTS;
        status = carom_propagative_record_outcomes(&record, outcomes);
    }
    carom_propagative_outcomes_free(outcomes);
    billiards_close(&y);
    return status;
}
