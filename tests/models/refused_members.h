/** Parameters of a model, each in turn out of its range or no number. */
#ifndef CAROM_TESTS_MODELS_REFUSED_MEMBERS_H
#define CAROM_TESTS_MODELS_REFUSED_MEMBERS_H

#include <carom/base/base.h>

#include <math.h>
#include <stddef.h>

/** A member of type double; refused are `below` and `above`, if they are not the same. */
typedef struct refused_member {
    size_t offset;
    const char *quantity; /**< what the report calls it */
    double below;
    double above;
} refused_member;

/** Asserts that parameters are refused with a status and the name of a quantity. */
typedef void (*refusal_assertion)(const void *params, carom_status status, const char *quantity);

/** Each member is refused where it is infinite, NaN or out of its range; params is as before. */
static inline void check_refused_members(void *params, const refused_member *members, size_t count,
                                         refusal_assertion assert_it) {
    static const double not_finite[3] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < count; i++) {
        const refused_member *m = &members[i];
        double *value = (double *)(void *)((char *)params + m->offset);
        const double kept = *value;
        for (int j = 0; j < 3; j++) {
            *value = not_finite[j];
            assert_it(params, CAROM_STATUS_NOT_FINITE, m->quantity);
        }
        if (m->below < m->above) {
            *value = m->below;
            assert_it(params, CAROM_STATUS_OUT_OF_RANGE, m->quantity);
            *value = m->above;
            assert_it(params, CAROM_STATUS_OUT_OF_RANGE, m->quantity);
        }
        *value = kept;
    }
}

#endif
