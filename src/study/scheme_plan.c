#include <carom/study/scheme_options.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

carom_scheme_run *carom_scheme_plan_add(carom_scheme_plan *plan, carom_scheme scheme,
                                        const char *group) {
    CAROM_ASSERT(plan->count < CAROM_SCHEME_PLAN_MOST);
    carom_scheme_run *run = &plan->runs[plan->count++];
    (void)snprintf(run->group, sizeof run->group, "%s", group);
    run->params = carom_scheme_options_params(plan->options, scheme);
    run->may_fail = true;
    return run;
}

carom_status carom_scheme_plan_alloc(const carom_scheme_options *options,
                                     const carom_mechanism *mechanism, carom_scheme_plan **out) {
    const bool is_left_to_us =
        options->scheme == CAROM_SCHEME_COUNT && carom_mechanism_has_friction(mechanism);
    *out = calloc(1, sizeof **out);
    if (*out == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    (*out)->options = options;
    for (carom_scheme scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        const bool applies = !is_left_to_us || carom_scheme_support(scheme).friction;
        if (applies && carom_scheme_options_selects(options, scheme)) {
            carom_scheme_plan_add(*out, scheme, carom_scheme_name(scheme))->may_fail = false;
        }
    }
    return CAROM_OK;
}

carom_scheme_run *carom_scheme_plan_run(carom_scheme_plan *plan, const char *group) {
    for (int i = 0; i < plan->count; i++) {
        if (strcmp(plan->runs[i].group, group) == 0) {
            return &plan->runs[i];
        }
    }
    return NULL;
}

const carom_trajectory *carom_scheme_plan_find(const carom_scheme_plan *plan, const char *group) {
    for (int i = 0; i < plan->count; i++) {
        const carom_scheme_run *run = &plan->runs[i];
        if (strcmp(run->group, group) == 0 && run->outcome == CAROM_OK) {
            return run->trajectory;
        }
    }
    return NULL;
}

void carom_scheme_plan_free(carom_scheme_plan *plan) {
    for (int i = 0; plan != NULL && i < plan->count; i++) {
        carom_trajectory_free(plan->runs[i].trajectory);
    }
    free(plan);
}
