#include "answers.h"

#include <carom/record/record.h>

#include <math.h>

int bouncing_ball_decide(bool is_asked, bool holds) {
    return !is_asked ? UNDECIDED : holds ? 1 : 0;
}

void bouncing_ball_write_measures(carom_record *record, int count, const measure *list) {
    for (int i = 0; i < count; i++) {
        if (!isnan(list[i].value)) {
            carom_record_measure(record, list[i].name, list[i].value, list[i].units,
                                 list[i].long_name);
        }
    }
}

void bouncing_ball_write_claims(carom_record *record, int count, const claim *list) {
    for (int i = 0; i < count; i++) {
        if (list[i].holds != UNDECIDED) {
            carom_record_claim(record, list[i].name, list[i].holds != 0, list[i].statement);
        }
    }
}
