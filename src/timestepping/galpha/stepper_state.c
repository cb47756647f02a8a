#include <carom/timestepping/galpha/stepper_internal.h>
#include <carom/timestepping/internal.h>

#include <stdlib.h>

/* Some bytes of a stepper. */
typedef struct part {
    void *at;
    size_t size;
} part;

enum { MOST_PARTS = 32 };

/* What goes on from step to step, where it is. */
typedef struct part_list {
    part parts[MOST_PARTS];
    int count;
} part_list;

static void add(part_list *list, void *at, size_t size) {
    CAROM_ASSERT(list->count < MOST_PARTS);
    list->parts[list->count++] = (part){at, size};
}

/* A variable. */
#define ADD(list, variable) add(list, &(variable), sizeof(variable))

static void add_numbers(part_list *list, double *numbers, size_t count) {
    add(list, numbers, count * sizeof *numbers);
}

static void add_state(part_list *list, carom_step_state *state, size_t rows) {
    const double *end = state->position_multiplier + rows;
    ADD(list, state->time);
    add_numbers(list, state->memory, (size_t)(end - state->memory));
    add(list, state->flags, 2 * rows * sizeof *state->flags);
}

/* What the last evaluation has left: sizes and ties are judged by it. Stiffness, damping and rates
 * are formed anew wherever they are needed. */
static void add_evaluation(part_list *list, carom_evaluation *at) {
    add_numbers(list, at->mass, carom_layout_entry_count(at->mechanism->layout));
    add_numbers(list, at->force, (size_t)(at->rates - at->force));
    ADD(list, at->holds_rows);
}

int carom_stepper_contact_levels(carom_stepper *s,
                                 carom_contact_level *levels[CAROM_STEPPER_LEVELS]) {
    int count = 0;
    if (s->velocity_level.contacts != NULL) {
        levels[count++] = carom_contact_step_level(s->velocity_level.contacts);
    }
    for (int k = 0; k < CAROM_GGL_LEVELS && s->ggl.contacts != NULL; k++) {
        levels[count++] = carom_ggl_contacts_level(s->ggl.contacts, k);
    }
    if (s->smooth.S != NULL) {
        levels[count++] = &s->smooth.positions;
    }
    return count;
}

static part_list list_parts(carom_stepper *s) {
    part_list list = {.count = 0};
    carom_step_context *step = &s->step;
    const size_t rows = (size_t)step->evaluation.row_count;
    ADD(&list, s->steps_done);
    ADD(&list, s->current);
    ADD(&list, s->has_last_state);
    for (int k = 0; k < 2; k++) {
        add_state(&list, &s->states[k], rows);
    }
    add_evaluation(&list, &step->evaluation);
    add_numbers(&list, step->activation, rows);
    ADD(&list, step->scales.largest_change);
    const carom_velocity_level *level = &s->velocity_level;
    if (level->closed_gap != NULL) {
        add_numbers(&list, level->closed_gap, (size_t)step->m);
    }
    carom_contact_level *levels[CAROM_STEPPER_LEVELS];
    const int count = carom_stepper_contact_levels(s, levels);
    for (int k = 0; k < count; k++) {
        ADD(&list, levels[k]->kept);
    }
    return list;
}

/* Bytes of the active sets of an exact linear step. */
static size_t count_members(const carom_stepper *s) {
    return s->linear == NULL ? 0 : 2 * (size_t)s->step.m * sizeof(bool);
}

static size_t size_of(const part_list *list, const carom_stepper *s) {
    size_t size = count_members(s);
    for (int k = 0; k < list->count; k++) {
        size += list->parts[k].size;
    }
    return size;
}

carom_status carom_stepper_pack(carom_stepper *stepper, carom_parallel_bytes *bytes) {
    CAROM_ASSERT(stepper != NULL && stepper->has_started && bytes != NULL);
    CAROM_ASSERT(stepper->steps_done == 0 || stepper->has_last_state);
    const part_list list = list_parts(stepper);
    const size_t size = size_of(&list, stepper);
    CAROM_TRY(carom_parallel_append(bytes, &size, sizeof size));
    for (int k = 0; k < list.count; k++) {
        CAROM_TRY(carom_parallel_append(bytes, list.parts[k].at, list.parts[k].size));
    }
    const size_t members = count_members(stepper);
    CAROM_AUTO_MEMORY bool *sets = calloc(members + 1, sizeof *sets);
    if (sets == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    if (members > 0) {
        carom_linear_step_members(stepper->linear, sets);
    }
    return carom_parallel_append(bytes, sets, members);
}

/* Find the contacts of the last step again, from which those of the next one go on. */
static carom_status find_last_contacts(carom_stepper *s, carom_report *report) {
    const carom_step_state *last = &s->states[1 - s->current];
    if (s->step.mechanism->update_contacts == NULL || !s->has_last_state) {
        return CAROM_OK;
    }
    const double largest_change = s->step.scales.largest_change;
    const bool holds_rows = s->step.evaluation.holds_rows;
    CAROM_TRY(carom_stepper_start_contacts(s, last->time, last->position, last->velocity, report));
    s->step.evaluation.holds_rows = holds_rows;
    carom_step_scales_start(&s->step);
    s->step.scales.largest_change = largest_change;
    return CAROM_OK;
}

carom_status carom_stepper_unpack(carom_stepper *stepper, const unsigned char **data, size_t *left,
                                  carom_report *report) {
    CAROM_ASSERT(stepper != NULL && stepper->has_started && data != NULL && left != NULL);
    const part_list list = list_parts(stepper);
    size_t size = 0;
    CAROM_TRY(carom_parallel_take(data, left, &size, sizeof size));
    if (size != size_of(&list, stepper) || size > *left) {
        return CAROM_STATUS_BAD_FORMAT;
    }
    for (int k = 0; k < list.count; k++) {
        CAROM_TRY(carom_parallel_take(data, left, list.parts[k].at, list.parts[k].size));
    }
    if (stepper->current != 0 && stepper->current != 1) {
        return CAROM_STATUS_BAD_FORMAT;
    }
    CAROM_TRY(find_last_contacts(stepper, report));
    const size_t members = count_members(stepper);
    CAROM_AUTO_MEMORY bool *sets = calloc(members + 1, sizeof *sets);
    if (sets == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_parallel_take(data, left, sets, members));
    if (members > 0) {
        carom_linear_step_guess(stepper->linear, sets);
    }
    carom_evaluation_forget(&stepper->step.evaluation);
    stepper->step.last = &stepper->states[1 - stepper->current];
    stepper->step.next = &stepper->states[stepper->current];
    stepper->step.time = stepper->step.next->time;
    return CAROM_OK;
}
