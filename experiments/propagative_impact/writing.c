/** Short ways to write into the record. */
#include "results.h"

#include <math.h>

carom_status propagative_impact_measures(const propagation *x, const measure *measures, int count) {
    for (int i = 0; i < count; i++) {
        if (isfinite(measures[i].value)) {
            CAROM_TRY(carom_record_measure(x->record, measures[i].name, measures[i].value,
                                           measures[i].units, measures[i].long_name));
        }
    }
    return CAROM_OK;
}

carom_status propagative_impact_claims(const propagation *x, const statement *claims, int count) {
    for (int i = 0; i < count; i++) {
        CAROM_TRY(carom_record_claim(x->record, claims[i].name, claims[i].holds, claims[i].text));
    }
    return CAROM_OK;
}

carom_status propagative_impact_columns(const propagation *x, const char *axis,
                                        const dataset *columns, int count) {
    for (int i = 0; i < count; i++) {
        CAROM_TRY(carom_record_series(x->record, columns[i].path, columns[i].values, axis, NULL,
                                      columns[i].units, columns[i].long_name));
    }
    return CAROM_OK;
}
