/** Modes of the feet: questions to speeds of contact space. */
#include "results.h"

#include <carom/study/contact_mode_classes.h>

#include <string.h>

bool compass_gait_is_in(const results *r, const double *c, const char *modes) {
    char letters[FEET + 1];
    carom_contact_mode_letters(r->study->target.problem, c, letters);
    return strcmp(letters, modes) == 0;
}

const double *compass_gait_solution(const results *r, const char *modes, int *index) {
    const carom_impact_outcomes *s = r->study_results.simultaneous;
    for (int i = 0; i < s->count; i++) {
        const double *c = s->contact_velocity + i * ROWS;
        if (compass_gait_is_in(r, c, modes)) {
            if (index != NULL) {
                *index = i;
            }
            return c;
        }
    }
    return NULL;
}
