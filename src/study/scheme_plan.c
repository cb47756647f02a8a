#include <carom/study/scheme_options.h>

#include <carom/record/record.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

carom_scheme_run *carom_scheme_plan_add(carom_scheme_plan *plan, carom_scheme scheme,
                                        const char *group) {
    CAROM_ASSERT(plan->count < CAROM_SCHEME_PLAN_MOST);
    carom_scheme_run *run = &plan->runs[plan->count++];
    (void)snprintf(run->group, sizeof run->group, "/%s", group);
    run->params = carom_scheme_options_params(plan->options, scheme);
    run->may_fail = true;
    return run;
}

carom_status carom_scheme_plan_alloc(const carom_scheme_options *options, carom_scheme_plan **out) {
    *out = calloc(1, sizeof **out);
    if (*out == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    (*out)->options = options;
    for (carom_scheme scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        if (carom_scheme_options_selects(options, scheme)) {
            carom_scheme_plan_add(*out, scheme, carom_scheme_name(scheme))->may_fail = false;
        }
    }
    return CAROM_OK;
}

const carom_trajectory *carom_scheme_plan_find(const carom_scheme_plan *plan, const char *group) {
    for (int i = 0; i < plan->count; i++) {
        const carom_trajectory *t = plan->runs[i].trajectory;
        if (strcmp(plan->runs[i].group + 1, group) == 0 && t != NULL && t->outcome == CAROM_OK) {
            return t;
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

/** An exact motion at given times; one block, owned through `position`. */
typedef struct samples {
    double *position; /**< [row][n] */
    double *velocity; /**< [row][n] */
    double *gap;      /**< [row][n_u] m */
    double *energy;   /**< [row] J */
    double *work;     /**< of the kinetic energy */
} samples;

static carom_status samples_alloc(const carom_mechanism *mechanism, int count, samples *out) {
    const size_t rows = (size_t)count;
    const size_t n = (size_t)mechanism->coordinate_count;
    const size_t contacts = (size_t)mechanism->contact_count;
    const size_t work = carom_layout_entry_count(mechanism->layout) + n;
    double *block = calloc(rows * (2 * n + contacts + 1) + work, sizeof *block);
    if (block == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    out->position = block;
    out->velocity = out->position + rows * n;
    out->gap = out->velocity + rows * n;
    out->energy = out->gap + rows * contacts;
    out->work = out->energy + rows;
    return CAROM_OK;
}

/** The data sets over the axes time, coordinate and contact. */
static void write_samples(carom_record *group, const carom_mechanism *mechanism, int count,
                          const double *time, const samples *exact) {
    carom_record_axis(group, "time", count, time, "s", "time");
    carom_record_index_axis(group, "coordinate", mechanism->coordinate_count,
                            "number of the generalized coordinate");
    carom_record_index_axis(group, "contact", mechanism->contact_count, "number of the contact");
    carom_record_series(group, "position", exact->position, "time", "coordinate",
                        mechanism->position_units, "exact position");
    carom_record_series(group, "velocity", exact->velocity, "time", "coordinate",
                        mechanism->velocity_units, "exact velocity, right limit");
    carom_record_series(group, "gap", exact->gap, "time", "contact", "m", "exact gap");
    carom_record_series(group, "energy", exact->energy, "time", NULL, "J", "exact energy");
}

carom_status carom_scheme_write_exact(carom_record *group, const carom_mechanism *mechanism,
                                      int count, const double *time, carom_exact_state *state,
                                      const void *context) {
    samples exact;
    CAROM_TRY(samples_alloc(mechanism, count, &exact));
    for (int i = 0; i < count; i++) {
        double *position = &exact.position[i * mechanism->coordinate_count];
        double *velocity = &exact.velocity[i * mechanism->coordinate_count];
        state(time[i], position, velocity, context);
        mechanism->constraints(position, &exact.gap[i * mechanism->contact_count],
                               mechanism->context);
        exact.energy[i] =
            carom_mechanism_kinetic_energy(mechanism, position, velocity, exact.work) +
            mechanism->potential_energy(position, mechanism->context);
    }
    write_samples(group, mechanism, count, time, &exact);
    free(exact.position);
    return CAROM_OK;
}
