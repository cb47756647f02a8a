#include <carom/models/trex/trex.h>

#include <carom/models/trex/internal.h>

#include <math.h>
#include <string.h>

enum { LINKS = CAROM_TREX_LINKS, N = CAROM_TREX_COORDINATES, CONTACTS = CAROM_TREX_CONTACTS };

carom_trex_params carom_trex_params_default(void) {
    const double gravity = 981.0;
    const double drop_height = 17.0;
    const carom_trex_params params = {
        .anterior_radius = 6.69,
        .posterior_radius = 4.22,
        .upper_length = 7.81,
        .lower_length = 9.86,
        .tail = CAROM_TREX_TAIL_CONE,
        .body_density = 1e-3,
        .limb_density = 2e-3,
        .limb_section = 1.25,
        .stance = {0.0, 13.69, 5.92, 2.85, 5.71, 4.79, 5.67, -0.19},
        .knee_stiffness = 1e5,
        .knee_damping = 5e2,
        .body_stiffness = 1e5,
        .body_damping = 5e2,
        .hip_stiffness = 1e5,
        .hip_damping = 1e4,
        .hip_rates = {6.0, 6.0},
        .hip_start_time = sqrt(2.0 * drop_height / gravity),
        .drop_height = drop_height,
        .gravity = gravity,
        .friction = 0.8,
        .restitution = 1.0,
    };
    return params;
}

carom_trex_params carom_trex_params_hand_picked(void) {
    static const double stance[N] = {0.0, 12.38, 5.78, 1.99, 5.24, 5.13, 5.24, 0.0};
    carom_trex_params params = carom_trex_params_default();
    params.anterior_radius = 7.0;
    params.posterior_radius = 4.0;
    params.upper_length = 8.0;
    params.lower_length = 10.0;
    memcpy(params.stance, stance, sizeof(stance));
    return params;
}

/** Refuse an entry of an array that is not finite, with its index. */
static carom_status require_finite_at(const char *quantity, const double *values, int index,
                                      carom_report *report) {
    const carom_status status = carom_model_require_finite(quantity, values[index], NULL);
    return status == CAROM_OK ? CAROM_OK
                              : carom_report_fail(report, status, quantity, values[index], index);
}

static carom_status require_not_negative(const char *quantity, double value, carom_report *report) {
    return carom_model_require_within(quantity, value, 0.0, HUGE_VAL, report);
}

static carom_status check_bodies(const carom_trex_params *params, carom_report *report) {
    CAROM_TRY(carom_model_require_positive("anterior radius", params->anterior_radius, report));
    CAROM_TRY(carom_model_require_positive("posterior radius", params->posterior_radius, report));
    if (!(params->posterior_radius < params->anterior_radius)) {
        return carom_report_refuse(report, "posterior radius", params->posterior_radius, -1,
                                   "below the anterior one");
    }
    CAROM_TRY(carom_model_require_positive("upper length", params->upper_length, report));
    CAROM_TRY(carom_model_require_positive("lower length", params->lower_length, report));
    if (params->tail != CAROM_TREX_TAIL_CONE && params->tail != CAROM_TREX_TAIL_PRINTED) {
        return carom_report_refuse(report, "tail", (double)params->tail, -1, "a carom_trex_tail");
    }
    CAROM_TRY(carom_model_require_positive("body density", params->body_density, report));
    CAROM_TRY(carom_model_require_positive("limb density", params->limb_density, report));
    return carom_model_require_positive("limb section", params->limb_section, report);
}

static carom_status check_joints(const carom_trex_params *params, carom_report *report) {
    for (int j = 0; j < N; j++) {
        CAROM_TRY(require_finite_at("stance", params->stance, j, report));
    }
    CAROM_TRY(require_not_negative("knee stiffness", params->knee_stiffness, report));
    CAROM_TRY(require_not_negative("knee damping", params->knee_damping, report));
    CAROM_TRY(require_not_negative("body stiffness", params->body_stiffness, report));
    CAROM_TRY(require_not_negative("body damping", params->body_damping, report));
    CAROM_TRY(require_not_negative("hip stiffness", params->hip_stiffness, report));
    CAROM_TRY(require_not_negative("hip damping", params->hip_damping, report));
    CAROM_TRY(require_finite_at("hip rate", params->hip_rates, 0, report));
    CAROM_TRY(require_finite_at("hip rate", params->hip_rates, 1, report));
    return carom_model_require_finite("hip start time", params->hip_start_time, report);
}

carom_status carom_trex_check(const carom_trex_params *params, carom_report *report) {
    CAROM_ASSERT(params != NULL);
    CAROM_TRY(check_bodies(params, report));
    CAROM_TRY(check_joints(params, report));
    CAROM_TRY(require_not_negative("drop height", params->drop_height, report));
    CAROM_TRY(require_not_negative("gravity", params->gravity, report));
    CAROM_TRY(require_not_negative("friction", params->friction, report));
    return carom_model_require_within("restitution", params->restitution, 0.0, 1.0, report);
}

carom_status carom_trex_alloc(const carom_trex_params *params, carom_model **out,
                              carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(carom_trex_check(params, report));
    carom_model *model = NULL;
    CAROM_TRY(carom_model_alloc(N, sizeof(carom_trex_data), &model));
    carom_trex_data *self = model->parameters;
    self->params = *params;
    self->inertia = carom_trex_inertia_of(params);
    carom_trex_reaches(params, &self->reach[0][0]);
    for (int i = 0; i < CONTACTS; i++) {
        self->friction[i] = params->friction;
        self->restitution[i] = params->restitution;
    }

    /* At rest above the stance. */
    memcpy(model->initial_position, params->stance, sizeof(params->stance));
    model->initial_position[CAROM_TREX_Y] += params->drop_height;

    carom_mechanism *mechanism = &model->mechanism;
    mechanism->name = "trex";
    mechanism->position_units = "cm, cm, rad, rad, rad, rad, rad, rad";
    mechanism->velocity_units =
        "cm s-1, cm s-1, rad s-1, rad s-1, rad s-1, rad s-1, rad s-1, rad s-1";
    mechanism->restitution = self->restitution;
    mechanism->friction = self->friction;
    carom_trex_set_functions(mechanism);
    *out = model;
    return CAROM_OK;
}
