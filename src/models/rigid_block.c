#include <carom/models/rigid_block.h>

#include <carom/models/model.h>

#include <math.h>

enum { CONTACTS = 2 };

carom_rigid_block_params carom_rigid_block_params_default(void) {
    const double gravity = 9.81;
    const double fall = 0.01;
    const carom_rigid_block_params params = {
        .width = 1.0,
        .height = 2.0,
        .mass = 1.0,
        .friction = 1.0,
        .initial_speed = sqrt(2.0 * gravity * fall),
        .tilt = 0.0,
        .gravity = gravity,
    };
    return params;
}

/** How far a tilt raises the centre above h/2 while the lower corner touches; |tilt| < atan(w/h).
 */
static double rise_of_center(const carom_rigid_block_params *params) {
    const double half_sine = sin(0.5 * params->tilt);
    return 0.5 * params->width * fabs(sin(params->tilt)) - params->height * half_sine * half_sine;
}

/** v0^2 - 2 g dy, signed like v0. */
static double squared_speed(const carom_rigid_block_params *params) {
    return params->initial_speed * fabs(params->initial_speed) -
           2.0 * params->gravity * rise_of_center(params);
}

carom_status carom_rigid_block_params_check(const carom_rigid_block_params *params,
                                            carom_report *report) {
    CAROM_ASSERT(params != NULL);
    CAROM_TRY(carom_model_require_positive("width", params->width, report));
    CAROM_TRY(carom_model_require_positive("height", params->height, report));
    CAROM_TRY(carom_model_require_positive("mass", params->mass, report));
    CAROM_TRY(carom_model_require_within("friction", params->friction, 0.0, INFINITY, report));
    CAROM_TRY(carom_model_require_finite("initial speed", params->initial_speed, report));
    CAROM_TRY(carom_model_require_within("gravity", params->gravity, 0.0, INFINITY, report));
    CAROM_TRY(carom_model_require_finite("tilt", params->tilt, report));
    if (fabs(params->tilt) >= atan2(params->width, params->height)) {
        return carom_report_refuse(report, "tilt", params->tilt, -1, "within atan(width/height)");
    }
    if (fabs(params->tilt) > 0.0 && squared_speed(params) < 0.0) {
        return carom_report_refuse(report, "initial speed", params->initial_speed, -1,
                                   "that of a fall to the tilted block at least");
    }
    return CAROM_OK;
}

carom_status carom_rigid_block_alloc(const carom_rigid_block_params *params,
                                     carom_impact_scene **out, carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(carom_rigid_block_params_check(params, report));

    /* One free body with two corners on the floor. */
    const double half_width = 0.5 * params->width;
    const double half_height = 0.5 * params->height;
    const carom_planar_body block =
        carom_planar_floating(carom_planar_box(params->mass, params->width, params->height));
    const carom_planar_wall floor = carom_planar_floor(0.0);
    const carom_planar_contact contacts[CONTACTS] = {
        carom_planar_corner_on_wall(0, -half_width, -half_height, floor, params->friction),
        carom_planar_corner_on_wall(0, half_width, -half_height, floor, params->friction),
    };
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.name = "rigid_block";
    spec.body_count = 1;
    spec.bodies = &block;
    spec.contact_count = CONTACTS;
    spec.contacts = contacts;
    spec.gravity[1] = -params->gravity;
    CAROM_TRY(carom_impact_scene_alloc(&spec, out, report));

    /* The lower corner touches. */
    const bool is_tilted = fabs(params->tilt) > 0.0;
    (*out)->position[1] = half_height + rise_of_center(params);
    (*out)->position[2] = params->tilt;
    (*out)->velocity[1] = is_tilted ? -sqrt(squared_speed(params)) : -params->initial_speed;
    return CAROM_OK;
}
