#include <carom/models/leaning_box.h>

#include <carom/models/model.h>

#include <gsl/gsl_math.h>
#include <math.h>

enum { CONTACTS = 2 };

carom_leaning_box_params carom_leaning_box_params_default(void) {
    const carom_leaning_box_params params = {
        .side = 1.0,
        .mass = 1.0,
        .tilt = 10.0 * (M_PI / 180.0),
        .initial_velocity = 1.0,
        .friction = 1.0,
        .gravity = 9.81,
    };
    return params;
}

static carom_status check(const carom_leaning_box_params *params, carom_report *report) {
    CAROM_TRY(carom_model_require_positive("side", params->side, report));
    CAROM_TRY(carom_model_require_positive("mass", params->mass, report));
    CAROM_TRY(carom_model_require_positive("tilt", params->tilt, report));
    if (params->tilt >= M_PI_4) {
        return carom_report_refuse(report, "tilt", params->tilt, -1, "in (0,pi/4)");
    }
    CAROM_TRY(carom_model_require_finite("initial velocity", params->initial_velocity, report));
    CAROM_TRY(carom_model_require_within("friction", params->friction, 0.0, INFINITY, report));
    return carom_model_require_finite("gravity", params->gravity, report);
}

static carom_status build(const carom_leaning_box_params *params, carom_impact_scene **out,
                          carom_report *report) {
    const carom_planar_body box =
        carom_planar_floating(carom_planar_box(params->mass, params->side, params->side));
    const double half = 0.5 * params->side;
    const carom_planar_wall wall = {.point = {0.0, 0.0}, .normal = {-1.0, 0.0}};
    carom_planar_contact contacts[CONTACTS] = {
        carom_planar_corner_on_wall(0, half, -half, carom_planar_floor(0.0), params->friction),
        carom_planar_corner_on_wall(0, half, half, wall, params->friction),
    };
    contacts[1].is_tangent_reversed = true;
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.name = "leaning_box";
    spec.body_count = 1;
    spec.bodies = &box;
    spec.contact_count = CONTACTS;
    spec.contacts = contacts;
    spec.gravity[1] = -params->gravity;
    return carom_impact_scene_alloc(&spec, out, report);
}

carom_status carom_leaning_box_alloc(const carom_leaning_box_params *params,
                                     carom_impact_scene **out, carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(check(params, report));
    CAROM_TRY(build(params, out, report));

    /* The lowest corner is as far below the centre as the rightmost one is to its right. */
    const double reach = 0.5 * params->side * (cos(params->tilt) + sin(params->tilt));
    (*out)->position[0] = -reach;
    (*out)->position[1] = reach;
    (*out)->position[2] = -params->tilt;
    (*out)->velocity[0] = params->initial_velocity;
    return CAROM_OK;
}

double carom_leaning_box_rest_friction(double tilt) {
    return tan(M_PI_4 - tilt);
}
