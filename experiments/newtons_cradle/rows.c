/** Rows of a motion: instants with positions, velocities and energy. */
#include "results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Room for twice as many rows. */
static carom_status grow(motion *rows) {
    const int room = rows->room == 0 ? 64 : 2 * rows->room;
    const size_t n = (size_t)rows->balls;
    double **arrays[] = {&rows->time, &rows->energy, &rows->position, &rows->velocity};
    const size_t columns[] = {1, 1, n, n};
    for (int k = 0; k < 4; k++) {
        double *grown = realloc(*arrays[k], (size_t)room * columns[k] * sizeof(double));
        if (grown == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
        *arrays[k] = grown;
    }
    rows->room = room;
    return CAROM_OK;
}

carom_status newtons_cradle_add_row(motion *rows, double time, const double *position,
                                    const double *velocity, const double *masses) {
    if (rows->count == rows->room) {
        CAROM_TRY(grow(rows));
    }
    const size_t n = (size_t)rows->balls;
    const size_t k = (size_t)rows->count;
    rows->time[k] = time;
    memcpy(rows->position + k * n, position, n * sizeof(double));
    memcpy(rows->velocity + k * n, velocity, n * sizeof(double));
    rows->energy[k] = 0.0;
    for (size_t i = 0; i < n; i++) {
        rows->energy[k] += 0.5 * masses[i] * velocity[i] * velocity[i];
    }
    rows->count++;
    return CAROM_OK;
}

carom_status newtons_cradle_write_rows(const results *r, const char *group, const motion *rows) {
    char axis[PATH_SIZE];
    char path[PATH_SIZE];
    snprintf(axis, sizeof axis, "%s/time", group);
    CAROM_TRY(carom_record_axis(r->record, axis, rows->count, rows->time, "s", "time"));
    snprintf(path, sizeof path, "%s/position", group);
    CAROM_TRY(carom_record_series(r->record, path, rows->position, axis, "/ball", "m",
                                  "places of the centres"));
    snprintf(path, sizeof path, "%s/velocity", group);
    CAROM_TRY(carom_record_series(r->record, path, rows->velocity, axis, "/ball", "m s-1",
                                  "velocities to the right"));
    snprintf(path, sizeof path, "%s/energy", group);
    return carom_record_series(r->record, path, rows->energy, axis, NULL, "J", "kinetic energy");
}

void newtons_cradle_clear_rows(motion *rows) {
    free(rows->time);
    free(rows->position);
    free(rows->velocity);
    free(rows->energy);
    *rows = (motion){.balls = rows->balls};
}
