/** Which way a held contact in the plane goes. */
#ifndef CAROM_TESTS_VARIATIONAL_WAYS_H
#define CAROM_TESTS_VARIATIONAL_WAYS_H

#include <carom/timestepping/variational/step_internal.h>

enum { WAY_RELEASED, WAY_STICK, WAY_FORWARD, WAY_BACKWARD, WAYS };

static inline int way_of(const carom_variational_step *step, int contact) {
    switch (step->mode[contact]) {
    case CAROM_VARIATIONAL_SLIDE:
        return step->sliding[contact] > 0.0 ? WAY_FORWARD : WAY_BACKWARD;
    case CAROM_VARIATIONAL_STICK:
        return WAY_STICK;
    case CAROM_VARIATIONAL_RELEASED:
    default:
        return WAY_RELEASED;
    }
}

#endif
