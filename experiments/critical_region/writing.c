/** Short ways to write into the record. */
#include "results.h"

#include <math.h>

carom_status critical_region_measures(const critical *c, const measure *measures, int count) {
    for (int i = 0; i < count; i++) {
        if (isfinite(measures[i].value)) {
            CAROM_TRY(carom_record_measure(c->record, measures[i].name, measures[i].value,
                                           measures[i].units, measures[i].long_name));
        }
    }
    return CAROM_OK;
}

carom_status critical_region_claims(const critical *c, const statement *claims, int count) {
    for (int i = 0; i < count; i++) {
        CAROM_TRY(carom_record_claim(c->record, claims[i].name, claims[i].holds, claims[i].text));
    }
    return CAROM_OK;
}

carom_status critical_region_columns(const critical *c, const char *axis, const dataset *columns,
                                     int count) {
    for (int i = 0; i < count; i++) {
        CAROM_TRY(carom_record_series(c->record, columns[i].path, columns[i].values, axis, NULL,
                                      columns[i].units, columns[i].long_name));
    }
    return CAROM_OK;
}
