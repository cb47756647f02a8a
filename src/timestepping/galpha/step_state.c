#include <carom/timestepping/galpha/internal.h>

#include <stdlib.h>

enum { COORDINATE_ARRAYS = 7, CONSTRAINT_ARRAYS = 4 };

carom_status carom_step_state_init(carom_step_state *state, int n, int m) {
    const size_t rows = (size_t)n;
    const size_t constraints = (size_t)m;
    state->memory =
        calloc(COORDINATE_ARRAYS * rows + CONSTRAINT_ARRAYS * constraints, sizeof(double));
    state->flags = calloc(2 * constraints + 1, sizeof(bool));
    if (state->memory == NULL || state->flags == NULL) {
        carom_step_state_clear(state);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *next = state->memory;
    double **coordinates[COORDINATE_ARRAYS] = {&state->position,
                                               &state->velocity,
                                               &state->smooth_acceleration,
                                               &state->pseudo_acceleration,
                                               &state->smooth_velocity,
                                               &state->velocity_jump,
                                               &state->position_correction};
    for (int k = 0; k < COORDINATE_ARRAYS; k++) {
        *coordinates[k] = next;
        next += rows;
    }
    double **per_constraint[CONSTRAINT_ARRAYS] = {&state->rate, &state->force, &state->impulse,
                                                  &state->position_multiplier};
    for (int k = 0; k < CONSTRAINT_ARRAYS; k++) {
        *per_constraint[k] = next;
        next += constraints;
    }
    state->position_active = state->flags;
    state->velocity_active = state->flags + constraints;
    return CAROM_OK;
}

void carom_step_state_clear(carom_step_state *state) {
    free(state->memory);
    free(state->flags);
    *state = (carom_step_state){0};
}
