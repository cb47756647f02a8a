#include <carom/timestepping/variational/step_internal.h>
#include <carom/timestepping/variational/stepper_internal.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/** Entries that a list begins with. */
enum { FIRST_CAPACITY = 16 };

carom_status carom_variational_state_init(carom_variational_state *state,
                                          const carom_mechanism *mechanism) {
    *state = (carom_variational_state){
        .coordinate_count = mechanism->coordinate_count,
        .contact_count = mechanism->contact_count,
        .row_count = mechanism->contact_count * mechanism->tangent_count,
    };
    const size_t coordinates = (size_t)state->coordinate_count;
    const size_t joints = (size_t)mechanism->joint_count;
    const size_t contacts = (size_t)state->contact_count;
    const size_t rows = (size_t)state->row_count;
    state->memory = calloc(3 * coordinates + joints + 3 * contacts + rows, sizeof(double));
    state->is_held = calloc(contacts + 1, sizeof(bool));
    if (state->memory == NULL || state->is_held == NULL) {
        carom_variational_state_clear(state);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    state->position = state->memory;
    state->momentum = state->position + coordinates;
    state->velocity = state->momentum + coordinates;
    state->joint = state->velocity + coordinates;
    state->gap = state->joint + joints;
    state->contact_impulse = state->gap + contacts;
    state->holding_impulse = state->contact_impulse + contacts;
    state->friction_impulse = state->holding_impulse + contacts;
    return CAROM_OK;
}

void carom_variational_state_clear(carom_variational_state *state) {
    free(state->memory);
    free(state->is_held);
    free(state->impacts);
    free(state->closed.entry);
    free(state->reflection.entry);
    *state = (carom_variational_state){0};
}

static void copy(double *to, const double *from, int count) {
    memcpy(to, from, (size_t)count * sizeof(double));
}

static void set_zero(double *values, int count) {
    for (int i = 0; i < count; i++) {
        values[i] = 0.0;
    }
}

static void add(double *sum, const double *terms, int count) {
    for (int i = 0; i < count; i++) {
        sum[i] += terms[i];
    }
}

void carom_variational_state_begin(carom_variational_state *state,
                                   const carom_variational_state *from) {
    const int n = state->coordinate_count;
    const int m = state->contact_count;
    state->time = from->time;
    copy(state->position, from->position, n);
    copy(state->momentum, from->momentum, n);
    copy(state->velocity, from->velocity, n);
    copy(state->gap, from->gap, m);
    memcpy(state->is_held, from->is_held, (size_t)m * sizeof(bool));
    state->kinetic_energy = from->kinetic_energy;
    state->potential_energy = from->potential_energy;
    set_zero(state->contact_impulse, m);
    set_zero(state->holding_impulse, m);
    set_zero(state->friction_impulse, state->row_count);
    state->friction_work = 0.0;
    state->impact_loss = 0.0;
    state->impact_count = 0;
    state->closed.count = 0;
    state->reflection.count = 0;
    state->iterations = 0;
}

void carom_variational_state_follow(carom_variational_state *state,
                                    const carom_variational_step *step) {
    const int n = state->coordinate_count;
    const int m = state->contact_count;
    copy(state->position, step->position, n);
    copy(state->momentum, step->momentum, n);
    copy(state->velocity, step->velocity, n);
    if (m > 0) {
        copy(state->gap, step->gap, m);
        add(state->contact_impulse, step->normal_impulse, m);
        add(state->holding_impulse, step->normal_impulse, m);
    }
    if (state->row_count > 0) {
        add(state->friction_impulse, step->friction_impulse, state->row_count);
    }
    state->friction_work += step->dissipation;
}

/** Room for one more of `count` things, twice as many as there was. */
static carom_status make_room(void **things, size_t size, int count, int *capacity) {
    if (count < *capacity) {
        return CAROM_OK;
    }
    if (*capacity > INT_MAX / 2) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const int wanted = *capacity > 0 ? 2 * *capacity : FIRST_CAPACITY;
    void *moved = realloc(*things, (size_t)wanted * size);
    if (moved == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    *things = moved;
    *capacity = wanted;
    return CAROM_OK;
}

carom_status carom_variational_list_append(carom_variational_list *list, int entry) {
    void *entries = list->entry;
    const carom_status status = make_room(&entries, sizeof(int), list->count, &list->capacity);
    list->entry = entries;
    if (status == CAROM_OK) {
        list->entry[list->count++] = entry;
    }
    return status;
}

carom_status carom_variational_state_append_impact(carom_variational_state *state,
                                                   const carom_variational_impact *impact) {
    void *impacts = state->impacts;
    const carom_status status = make_room(&impacts, sizeof(carom_variational_impact),
                                          state->impact_count, &state->impact_capacity);
    state->impacts = impacts;
    if (status == CAROM_OK) {
        state->impacts[state->impact_count++] = *impact;
    }
    return status;
}
