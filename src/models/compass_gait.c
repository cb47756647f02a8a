#include <carom/models/compass_gait.h>

#include <carom/models/model.h>

#include <gsl/gsl_math.h>
#include <math.h>

/** Bodies: a massless hip that does not turn, so that the legs have absolute angles. */
enum { HIP, LEADING_LEG, TRAILING_LEG, BODIES };
/** Coordinates and contacts. */
enum { X, Y, LEADING, TRAILING };
enum { CONTACTS = 2 };

/** The feet are level if their heights differ by no more of the leg's length: pitches are given in
 * degrees and converted, each with a rounding or two. */
static const double LEVEL = 1e-14;

carom_compass_gait_params carom_compass_gait_params_default(void) {
    const double pitch = 78.0 * (M_PI / 180.0);
    const carom_compass_gait_params params = {
        .leg_length = 1.0,
        .mass_offset = 0.5,
        .leg_mass = 1.0,
        .trailing_pitch = pitch,
        .leading_pitch = -pitch,
        .trailing_rate = 0.25,
        .leading_rate = 0.25,
        .friction = 5.0,
        .gravity = 9.81,
    };
    return params;
}

static carom_status require_pitch(const char *quantity, double pitch, carom_report *report) {
    CAROM_TRY(carom_model_require_finite(quantity, pitch, report));
    if (!(fabs(pitch) > 0.0 && fabs(pitch) < M_PI_2)) {
        return carom_report_refuse(report, quantity, pitch, -1, "in (-pi/2,pi/2), not 0");
    }
    return CAROM_OK;
}

/** The feet are level, and apart. */
static carom_status require_level_feet(const carom_compass_gait_params *params,
                                       carom_report *report) {
    const double gap =
        params->leg_length * (cos(params->trailing_pitch) - cos(params->leading_pitch));
    const double degrees = 180.0 / M_PI;
    const bool are_apart = params->trailing_pitch * params->leading_pitch < 0.0;
    if (fabs(gap) > LEVEL * params->leg_length || !are_apart) {
        return carom_report_say(
            report, CAROM_STATUS_CONFLICT,
            "the feet are not level and apart: with trailing pitch %g deg leading "
            "pitch %g deg, %g expected",
            params->trailing_pitch * degrees, params->leading_pitch * degrees,
            -params->trailing_pitch * degrees);
    }
    return CAROM_OK;
}

static carom_status check(const carom_compass_gait_params *params, carom_report *report) {
    CAROM_TRY(carom_model_require_positive("leg length", params->leg_length, report));
    CAROM_TRY(carom_model_require_positive("mass offset", params->mass_offset, report));
    CAROM_TRY(carom_model_require_within("mass offset", params->mass_offset, 0.0,
                                         params->leg_length, report));
    CAROM_TRY(carom_model_require_positive("leg mass", params->leg_mass, report));
    CAROM_TRY(require_pitch("trailing pitch", params->trailing_pitch, report));
    CAROM_TRY(require_pitch("leading pitch", params->leading_pitch, report));
    CAROM_TRY(carom_model_require_finite("trailing rate", params->trailing_rate, report));
    CAROM_TRY(carom_model_require_finite("leading rate", params->leading_rate, report));
    CAROM_TRY(carom_model_require_within("friction", params->friction, 0.0, INFINITY, report));
    CAROM_TRY(carom_model_require_finite("gravity", params->gravity, report));
    return require_level_feet(params, report);
}

static carom_status build(const carom_compass_gait_params *params, carom_impact_scene **out,
                          carom_report *report) {
    const carom_planar_shape leg =
        carom_planar_point_mass(params->leg_mass, 0.0, -params->mass_offset);
    const carom_planar_body bodies[BODIES] = {
        carom_planar_translating(carom_planar_massless()),
        carom_planar_revolute(HIP, 0.0, 0.0, leg),
        carom_planar_revolute(HIP, 0.0, 0.0, leg),
    };
    const carom_planar_wall floor = carom_planar_floor(0.0);
    const double foot = -params->leg_length;
    const carom_planar_contact contacts[CONTACTS] = {
        carom_planar_corner_on_wall(LEADING_LEG, 0.0, foot, floor, params->friction),
        carom_planar_corner_on_wall(TRAILING_LEG, 0.0, foot, floor, params->friction),
    };
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.name = "compass_gait";
    spec.body_count = BODIES;
    spec.bodies = bodies;
    spec.contact_count = CONTACTS;
    spec.contacts = contacts;
    spec.gravity[1] = -params->gravity;
    return carom_impact_scene_alloc(&spec, out, report);
}

carom_status carom_compass_gait_alloc(const carom_compass_gait_params *params,
                                      carom_impact_scene **out, carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(check(params, report));
    CAROM_TRY(build(params, out, report));

    /* The trailing foot stands on the floor. */
    double *q = (*out)->position;
    q[Y] = params->leg_length * cos(params->trailing_pitch);
    q[LEADING] = params->leading_pitch;
    q[TRAILING] = params->trailing_pitch;

    /* It is at rest: the hip turns about it. */
    double *v = (*out)->velocity;
    const double speed = params->leg_length * params->trailing_rate;
    v[X] = -speed * cos(params->trailing_pitch);
    v[Y] = -speed * sin(params->trailing_pitch);
    v[LEADING] = params->leading_rate;
    v[TRAILING] = params->trailing_rate;
    return CAROM_OK;
}
