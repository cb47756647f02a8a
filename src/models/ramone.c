#include <carom/models/ramone.h>

#include <carom/models/model.h>

#include <gsl/gsl_math.h>
#include <math.h>

enum { TRUNK, LEADING_THIGH, LEADING_SHANK, TRAILING_THIGH, TRAILING_SHANK, BODIES };
enum { X, Y, PHI, ALPHA_LE, BETA_LE, ALPHA_TR, BETA_TR, COORDINATES };
enum { LEADING_FOOT, TRAILING_FOOT, CONTACTS };

carom_ramone_params carom_ramone_params_default(void) {
    const double degree = M_PI / 180.0;
    const carom_ramone_params params = {
        .trunk_mass = 7.9026,
        .trunk_inertia = 0.08,
        .thigh_mass = 0.7887,
        .thigh_inertia = 0.00221,
        .shank_mass = 0.510,
        .shank_inertia = 0.00652,
        .trunk_to_hip = 0.137675,
        .hip_to_thigh = 0.019399,
        .knee_to_shank = 0.165235,
        .thigh_length = 0.2,
        .shank_length = 0.2385,
        .foot_radius = 0.02815,
        .trunk_angle = 16.0 * degree,
        .leading_hip = -70.0 * degree,
        .leading_knee = -2.0 * degree,
        .trailing_hip = 70.0 * degree,
        .trunk_rate = 1.0,
        .leading_hip_rate = 0.0,
        .leading_knee_rate = 0.0,
        .trailing_hip_rate = 0.0,
        .trailing_knee_rate = 0.0,
        .friction = 1e5,
        .gravity = 9.81,
    };
    return params;
}

static carom_status check_links(const carom_ramone_params *params, carom_report *report) {
    CAROM_TRY(carom_model_require_positive("trunk mass", params->trunk_mass, report));
    CAROM_TRY(carom_model_require_positive("trunk inertia", params->trunk_inertia, report));
    CAROM_TRY(carom_model_require_positive("thigh mass", params->thigh_mass, report));
    CAROM_TRY(carom_model_require_positive("thigh inertia", params->thigh_inertia, report));
    CAROM_TRY(carom_model_require_positive("shank mass", params->shank_mass, report));
    CAROM_TRY(carom_model_require_positive("shank inertia", params->shank_inertia, report));
    CAROM_TRY(
        carom_model_require_within("trunk to hip", params->trunk_to_hip, 0.0, INFINITY, report));
    CAROM_TRY(
        carom_model_require_within("hip to thigh", params->hip_to_thigh, 0.0, INFINITY, report));
    CAROM_TRY(
        carom_model_require_within("knee to shank", params->knee_to_shank, 0.0, INFINITY, report));
    CAROM_TRY(carom_model_require_positive("thigh length", params->thigh_length, report));
    CAROM_TRY(carom_model_require_positive("shank length", params->shank_length, report));
    return carom_model_require_positive("foot radius", params->foot_radius, report);
}

static carom_status check_state(const carom_ramone_params *params, carom_report *report) {
    CAROM_TRY(carom_model_require_finite("trunk angle", params->trunk_angle, report));
    CAROM_TRY(carom_model_require_finite("leading hip", params->leading_hip, report));
    CAROM_TRY(carom_model_require_finite("leading knee", params->leading_knee, report));
    CAROM_TRY(carom_model_require_finite("trailing hip", params->trailing_hip, report));
    CAROM_TRY(carom_model_require_finite("trunk rate", params->trunk_rate, report));
    CAROM_TRY(carom_model_require_finite("leading hip rate", params->leading_hip_rate, report));
    CAROM_TRY(carom_model_require_finite("leading knee rate", params->leading_knee_rate, report));
    CAROM_TRY(carom_model_require_finite("trailing hip rate", params->trailing_hip_rate, report));
    CAROM_TRY(carom_model_require_finite("trailing knee rate", params->trailing_knee_rate, report));
    CAROM_TRY(carom_model_require_within("friction", params->friction, 0.0, INFINITY, report));
    return carom_model_require_finite("gravity", params->gravity, report);
}

/** L: how far the centre of the leading foot is below the hip. */
static double drop_of_leading_foot(const carom_ramone_params *params) {
    const double thigh = params->trunk_angle + params->leading_hip;
    return params->thigh_length * cos(thigh) +
           params->shank_length * cos(thigh + params->leading_knee);
}

/** Positions: both feet on the floor. */
static carom_status place(const carom_ramone_params *params, double *q, carom_report *report) {
    const double drop = drop_of_leading_foot(params);
    const double thigh = params->trunk_angle + params->trailing_hip;
    const double cosine = (drop - params->thigh_length * cos(thigh)) / params->shank_length;
    const double height =
        drop + params->foot_radius + params->trunk_to_hip * cos(params->trunk_angle);
    CAROM_TRY(carom_model_require_positive("height of the trunk", height, report));
    if (!(fabs(cosine) <= 1.0)) {
        const bool is_short = cosine > 1.0;
        const double reach = is_short ? drop - params->shank_length : drop + params->shank_length;
        return carom_report_bound(report, "trailing hip", params->trailing_hip,
                                  is_short ? "with its thigh off the vertical by at most"
                                           : "with its thigh off the vertical by at least",
                                  acos(reach / params->thigh_length));
    }
    q[X] = 0.0;
    q[Y] = height;
    q[PHI] = params->trunk_angle;
    q[ALPHA_LE] = params->leading_hip;
    q[BETA_LE] = params->leading_knee;
    q[ALPHA_TR] = params->trailing_hip;
    q[BETA_TR] = asin(cosine) - M_PI_2 - thigh;
    return CAROM_OK;
}

/** Velocities: x and y move the trailing foot's point of contact against what the rates do to it.
 */
static void set_moving(const carom_ramone_params *params, carom_impact_scene *scene) {
    double *v = scene->velocity;
    v[PHI] = params->trunk_rate;
    v[ALPHA_LE] = params->leading_hip_rate;
    v[BETA_LE] = params->leading_knee_rate;
    v[ALPHA_TR] = params->trailing_hip_rate;
    v[BETA_TR] = params->trailing_knee_rate;

    const double foot[2] = {0.0, -params->shank_length};
    double center[2];
    carom_planar_tree_point(scene->tree, scene->position, v, TRAILING_SHANK, foot, NULL, center);
    v[X] = -(center[0] + params->foot_radius * (v[PHI] + v[ALPHA_TR] + v[BETA_TR]));
    v[Y] = -center[1];
}

static carom_status build(const carom_ramone_params *params, carom_impact_scene **out,
                          carom_report *report) {
    const carom_planar_shape trunk = {params->trunk_mass, params->trunk_inertia, {0.0, 0.0}};
    const carom_planar_shape thigh = {
        params->thigh_mass, params->thigh_inertia, {0.0, -params->hip_to_thigh}};
    const carom_planar_shape shank = {
        params->shank_mass, params->shank_inertia, {0.0, -params->knee_to_shank}};
    const double hip = -params->trunk_to_hip;
    const double knee = -params->thigh_length;
    const carom_planar_body bodies[BODIES] = {
        carom_planar_floating(trunk),
        carom_planar_revolute(TRUNK, 0.0, hip, thigh),
        carom_planar_revolute(LEADING_THIGH, 0.0, knee, shank),
        carom_planar_revolute(TRUNK, 0.0, hip, thigh),
        carom_planar_revolute(TRAILING_THIGH, 0.0, knee, shank),
    };
    const carom_planar_wall floor = carom_planar_floor(0.0);
    const double foot = -params->shank_length;
    const carom_planar_contact contacts[CONTACTS] = {
        carom_planar_disc_on_wall(LEADING_SHANK, 0.0, foot, params->foot_radius, floor,
                                  params->friction),
        carom_planar_disc_on_wall(TRAILING_SHANK, 0.0, foot, params->foot_radius, floor,
                                  params->friction),
    };
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.name = "ramone";
    spec.body_count = BODIES;
    spec.bodies = bodies;
    spec.contact_count = CONTACTS;
    spec.contacts = contacts;
    spec.gravity[1] = -params->gravity;
    return carom_impact_scene_alloc(&spec, out, report);
}

carom_status carom_ramone_alloc(const carom_ramone_params *params, carom_impact_scene **out,
                                carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(check_links(params, report));
    CAROM_TRY(check_state(params, report));
    double q[COORDINATES] = {0.0};
    CAROM_TRY(place(params, q, report));
    CAROM_TRY(build(params, out, report));
    for (int i = 0; i < COORDINATES; i++) {
        (*out)->position[i] = q[i];
    }
    set_moving(params, *out);
    return CAROM_OK;
}
