/** The models of the options, their spectra and modes. */
#include "results.h"

#include <stdio.h>

const motion_kind COLLISIONLESS_HOP = {CAROM_TWO_MODES_ALPHA, 2, carom_two_modes_hop};
const motion_kind COLLISIONLESS_ROLL = {CAROM_TWO_MODES_BETA, 1, carom_two_modes_wheel};
const motion_kind COLLISIONLESS_ROCK = {CAROM_TWO_MODES_GAMMA, 2, carom_two_modes_rock};

const char *collisionless_models_path(const char *group, const char *name, char path[PATH_SIZE]) {
    snprintf(path, PATH_SIZE, "%s/%s", group, name);
    return path;
}

void collisionless_models_write_scalars(carom_record *record, const char *group, int count,
                                        const scalar_row *rows) {
    char path[PATH_SIZE];
    for (int i = 0; i < count; i++) {
        carom_record_scalar(record, collisionless_models_path(group, rows[i].name, path),
                            rows[i].value, rows[i].units, rows[i].long_name);
    }
}

void collisionless_models_write_series(carom_record *record, const char *group,
                                       const char *row_axis, const char *column_axis, int count,
                                       const series_row *rows) {
    char row_path[PATH_SIZE];
    char column_path[PATH_SIZE];
    char path[PATH_SIZE];
    collisionless_models_path(group, row_axis, row_path);
    if (column_axis != NULL) {
        collisionless_models_path(group, column_axis, column_path);
    }
    for (int i = 0; i < count; i++) {
        carom_record_series(record, collisionless_models_path(group, rows[i].name, path),
                            rows[i].values, row_path, column_axis == NULL ? NULL : column_path,
                            rows[i].units, rows[i].long_name);
    }
}

/** Build model i, in the common gravity. */
static carom_status build(results *r, int i) {
    settings values = *r->values;
    carom_two_mode_model *model = &r->gaits[i].model;
    switch (i) {
    case HOPPER:
        values.hopper.gravity = values.gravity;
        return carom_hopper_model(&values.hopper, model, r->report);
    case JUGGLER:
        values.juggler.gravity = values.gravity;
        return carom_juggler_model(&values.juggler, model, r->report);
    case REACTION_WHEEL:
        values.reaction_wheel.gravity = values.gravity;
        return carom_reaction_wheel_model(&values.reaction_wheel, model, r->report);
    case PENDULUM_WHEEL:
        values.pendulum_wheel.gravity = values.gravity;
        return carom_pendulum_wheel_model(&values.pendulum_wheel, model, r->report);
    default:
        values.rocker.gravity = values.gravity;
        return carom_coronal_rocker_model(&values.rocker, model, r->report);
    }
}

static carom_parity parity_of(bool is_odd) {
    return is_odd ? CAROM_PARITY_ODD : CAROM_PARITY_EVEN;
}

static carom_status prepare(results *r, int i) {
    gait *g = &r->gaits[i];
    CAROM_TRY(build(r, i));
    carom_two_mode_model_spectrum(&g->model, g->spectrum, &g->constrained);
    return carom_phase_modes_compute(COORDINATES, &g->model.mass[0][0], &g->model.stiffness[0][0],
                                     parity_of(g->model.is_unconstrained_odd),
                                     parity_of(g->model.is_constrained_odd), &g->modes, r->report);
}

carom_status collisionless_models_prepare(results *r) {
    static const struct {
        const char *group;
        const motion_kind *kind;
    } names[MODELS] = {{"/hopper", &COLLISIONLESS_HOP},
                       {"/juggler", &COLLISIONLESS_HOP},
                       {"/reaction_wheel", &COLLISIONLESS_ROLL},
                       {"/pendulum_wheel", &COLLISIONLESS_ROLL},
                       {"/rocking", &COLLISIONLESS_ROCK}};
    for (int i = 0; i < MODELS; i++) {
        r->gaits[i].group = names[i].group;
        r->gaits[i].kind = names[i].kind;
        const carom_status status = prepare(r, i);
        if (status != CAROM_OK) {
            carom_report_set_context(r->report, names[i].group + 1);
            return status;
        }
    }
    return CAROM_OK;
}

void collisionless_models_clear(results *r) {
    for (int i = 0; i < MODELS; i++) {
        carom_collisionless_motion_free(r->gaits[i].motion);
        carom_phase_modes_free(r->gaits[i].modes);
    }
}
