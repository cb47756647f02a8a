#include <carom/timestepping/internal.h>

#include <stdlib.h>

struct carom_trajectory_choice {
    carom_recorded_steps steps;
    carom_trajectory *chosen; /* owned; NULL: all rows are chosen */
    int contact_count;        /* n_u */
    bool *was_pressed;        /* [n_u] owned; in the row before */
};

int carom_recorded_steps_count(carom_recorded_steps steps, int total) {
    if (steps.are_events) {
        return 0;
    }
    const int every = steps.every > 1 ? steps.every : 1;
    return (total - 1) / every + 1 + ((total - 1) % every != 0 ? 1 : 0);
}

carom_status carom_trajectory_choice_alloc(const carom_mechanism *mechanism,
                                           const carom_trajectory *rows, carom_recorded_steps steps,
                                           carom_trajectory_choice **out) {
    CAROM_ASSERT(mechanism != NULL && rows != NULL && out != NULL);
    *out = NULL;
    CAROM_AUTO(carom_trajectory_choice) choice = calloc(1, sizeof *choice);
    if (choice == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    choice->steps = steps;
    choice->contact_count = rows->contact_count;
    if (steps.are_events || steps.every > 1) {
        const int parts = steps.are_events ? rows->capacity : steps.every;
        choice->was_pressed = calloc((size_t)rows->contact_count + 1, sizeof(bool));
        if (choice->was_pressed == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
        CAROM_TRY(carom_trajectory_alloc(mechanism, rows->kind, rows->capacity / parts + 2,
                                         &choice->chosen));
        choice->chosen->step = rows->step;
        choice->chosen->total_rows = carom_recorded_steps_count(steps, rows->total_rows);
    }
    CAROM_HAND_OVER(choice, out);
    return CAROM_OK;
}

/* Whether some contact presses in the step of a row and not in that of the row before, or the other
 * way round. */
static bool is_switch(carom_trajectory_choice *choice, const carom_trajectory *rows, int row) {
    bool found = false;
    for (int j = 0; j < rows->contact_count; j++) {
        const bool is_pressed = carom_trajectory_is_pressed(rows, j, row);
        found = found || is_pressed != choice->was_pressed[j];
        choice->was_pressed[j] = is_pressed;
    }
    return found;
}

/* Whether a row is chosen; the first and the last of a run are. */
static bool is_chosen(carom_trajectory_choice *choice, const carom_trajectory *rows, int row) {
    const int number = rows->first_row + row;
    const bool is_end = number == 0 || number == rows->total_rows - 1;
    if (!choice->steps.are_events) {
        return is_end || number % choice->steps.every == 0;
    }
    // What is not known is no event.
    const bool is_known = rows->outcome == CAROM_OK || rows->time[row] < rows->failure_time;
    return is_known && (is_switch(choice, rows, row) || is_end);
}

carom_status carom_trajectory_choice_next(carom_trajectory_choice *choice,
                                          const carom_trajectory *rows,
                                          const carom_trajectory **chosen) {
    CAROM_ASSERT(choice != NULL && rows != NULL && chosen != NULL);
    *chosen = rows;
    if (choice->chosen == NULL) {
        return CAROM_OK;
    }
    *chosen = choice->chosen;
    carom_trajectory_continue(choice->chosen);
    choice->chosen->outcome = rows->outcome;
    choice->chosen->failure_time = rows->failure_time;
    for (int row = 0; row < rows->row_count; row++) {
        if (is_chosen(choice, rows, row)) {
            CAROM_TRY(carom_trajectory_append_rows(choice->chosen, rows, row, 1));
        }
    }
    return CAROM_OK;
}

carom_status carom_trajectory_choice_pack(const carom_trajectory_choice *choice,
                                          carom_parallel_bytes *bytes) {
    CAROM_ASSERT(choice != NULL && bytes != NULL);
    if (choice->chosen == NULL) {
        return CAROM_OK;
    }
    const int next = choice->chosen->first_row + choice->chosen->row_count;
    CAROM_TRY(carom_parallel_append(bytes, &next, sizeof next));
    return carom_parallel_append(bytes, choice->was_pressed,
                                 (size_t)choice->contact_count * sizeof *choice->was_pressed);
}

carom_status carom_trajectory_choice_unpack(carom_trajectory_choice *choice,
                                            const unsigned char **data, size_t *left) {
    CAROM_ASSERT(choice != NULL && data != NULL && left != NULL);
    if (choice->chosen == NULL) {
        return CAROM_OK;
    }
    CAROM_TRY(carom_parallel_take(data, left, &choice->chosen->first_row,
                                  sizeof choice->chosen->first_row));
    choice->chosen->row_count = 0;
    return carom_parallel_take(data, left, choice->was_pressed,
                               (size_t)choice->contact_count * sizeof *choice->was_pressed);
}

void carom_trajectory_choice_free(carom_trajectory_choice *choice) {
    if (choice != NULL) {
        carom_trajectory_free(choice->chosen);
        free(choice->was_pressed);
        free(choice);
    }
}
