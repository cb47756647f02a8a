#include <carom/models/sliding_box.h>

#include <math.h>

enum { CONTACTS = 2 };

carom_sliding_box_params carom_sliding_box_params_default(void) {
    const carom_sliding_box_params params = {.mass = 1.0,
                                             .width = 0.2,
                                             .height = 0.1,
                                             .friction = 0.3,
                                             .slope = 0.0,
                                             .gravity = 9.81,
                                             .speed = 2.0,
                                             .rocking_rate = 0.0};
    return params;
}

static carom_status check(const carom_sliding_box_params *params, carom_report *report) {
    CAROM_TRY(carom_model_require_positive("mass", params->mass, report));
    CAROM_TRY(carom_model_require_positive("width", params->width, report));
    CAROM_TRY(carom_model_require_positive("height", params->height, report));
    CAROM_TRY(carom_model_require_positive("gravity", params->gravity, report));
    CAROM_TRY(carom_model_require_within("friction", params->friction, 0.0, INFINITY, report));
    CAROM_TRY(carom_model_require_within("slope", params->slope, 0.0, atan2(1.0, 0.0), report));
    CAROM_TRY(carom_model_require_finite("speed", params->speed, report));
    CAROM_TRY(
        carom_model_require_within("rocking rate", params->rocking_rate, 0.0, INFINITY, report));
    return cos(params->slope) > 0.0
               ? CAROM_OK
               : carom_report_refuse(report, "slope", params->slope, -1, "less than upright");
}

carom_status carom_sliding_box_alloc(const carom_sliding_box_params *params,
                                     carom_impact_scene **out, carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(check(params, report));
    const double half_width = 0.5 * params->width;
    const double half_height = 0.5 * params->height;
    const carom_planar_body box =
        carom_planar_floating(carom_planar_box(params->mass, params->width, params->height));
    const carom_planar_wall plane = carom_planar_floor(0.0);
    const carom_planar_contact contacts[CONTACTS] = {
        carom_planar_corner_on_wall(0, -half_width, -half_height, plane, params->friction),
        carom_planar_corner_on_wall(0, half_width, -half_height, plane, params->friction),
    };
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.name = "sliding_box";
    spec.body_count = 1;
    spec.bodies = &box;
    spec.contact_count = CONTACTS;
    spec.contacts = contacts;
    spec.gravity[0] = params->gravity * sin(params->slope);
    spec.gravity[1] = -params->gravity * cos(params->slope);
    CAROM_TRY(carom_impact_scene_alloc(&spec, out, report));
    (*out)->position[1] = half_height;
    (*out)->velocity[0] = params->speed + params->rocking_rate * half_height;
    (*out)->velocity[1] = -params->rocking_rate * half_width;
    (*out)->velocity[2] = -params->rocking_rate;
    return CAROM_OK;
}

carom_sliding_box_motion carom_sliding_box_begins(const carom_sliding_box_params *params) {
    const double incline = tan(params->slope);
    const bool slides = fabs(params->speed) > 0.0 || incline > params->friction;
    const double line = slides ? params->friction : incline;
    if (line * params->height > params->width) {
        return CAROM_SLIDING_BOX_TIPS;
    }
    return slides ? CAROM_SLIDING_BOX_SLIDES : CAROM_SLIDING_BOX_RESTS;
}

/** x'' while it slides with the sign of `way`. */
static double acceleration(const carom_sliding_box_params *params, double way) {
    return params->gravity *
           (sin(params->slope) - copysign(params->friction * cos(params->slope), way));
}

double carom_sliding_box_stop(const carom_sliding_box_params *params) {
    const double speed = params->speed;
    const double rate = acceleration(params, speed);
    return rate * speed < 0.0 ? -speed / rate : fabs(speed) > 0.0 ? (double)INFINITY : 0.0;
}

void carom_sliding_box_exact(const carom_sliding_box_params *params, double t, double *x,
                             double *speed) {
    const double stop = fmin(carom_sliding_box_stop(params), t);
    const double rate = acceleration(params, params->speed);
    *x = stop * (params->speed + 0.5 * rate * stop);
    *speed = stop < t ? 0.0 : params->speed + rate * stop;
    // Where the plane is too steep it goes on downwards.
    const double down = acceleration(params, 1.0);
    if (stop < t && down > 0.0) {
        *speed = down * (t - stop);
        *x += 0.5 * down * (t - stop) * (t - stop);
    }
}

double carom_sliding_box_rate_ratio(const carom_sliding_box_params *params) {
    const double sine = params->width / hypot(params->width, params->height);
    return 1.0 - 1.5 * sine * sine;
}
