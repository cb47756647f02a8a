#include <carom/models/falling_disk.h>

#include <carom/models/model.h>

#include <float.h>
#include <math.h>

carom_falling_disk_params carom_falling_disk_params_default(void) {
    const carom_falling_disk_params params = {
        .radius = 1.0,
        .mass = 1.0,
        .gravity = 1.0,
        .initial_gap = 2.0 / 3.0,
        .initial_velocity = 2.0 / 3.0,
        .friction = 0.0,
        .reference_force = NAN,
    };
    return params;
}

double carom_falling_disk_reference_force(const carom_falling_disk_params *params) {
    CAROM_ASSERT(params != NULL);
    return isnan(params->reference_force) ? params->mass * params->gravity
                                          : params->reference_force;
}

static carom_status check(const carom_falling_disk_params *params, carom_report *report) {
    CAROM_TRY(carom_model_require_positive("radius", params->radius, report));
    CAROM_TRY(carom_model_require_positive("mass", params->mass, report));
    CAROM_TRY(carom_model_require_positive("gravity", params->gravity, report));
    CAROM_TRY(carom_model_require_finite("initial gap", params->initial_gap, report));
    if (params->initial_gap < 0.0) {
        return carom_report_fail(report, CAROM_STATUS_PENETRATION, "initial gap",
                                 params->initial_gap, 0);
    }
    CAROM_TRY(carom_model_require_finite("initial velocity", params->initial_velocity, report));
    CAROM_TRY(carom_model_require_within("friction", params->friction, 0.0, INFINITY, report));
    return carom_model_require_positive("reference force",
                                        carom_falling_disk_reference_force(params), report);
}

/** Refuse a ball so large that the rounding of its height, y = z + R, is seen in that of the fall.
 */
static carom_status check_height(const carom_falling_disk_params *params, carom_report *report) {
    static const double SEEN = 1e-6;
    const double speed = params->initial_velocity;
    const double fall = params->initial_gap + 0.5 * speed * (speed / params->gravity);
    const double largest = SEEN * fall / DBL_EPSILON;
    return params->radius <= largest || !(fall > 0.0)
               ? CAROM_OK
               : carom_report_bound(report, "radius", params->radius,
                                    "for the height of the fall at most", largest);
}

carom_status carom_falling_disk_alloc(const carom_falling_disk_params *params,
                                      carom_impact_scene **out, carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(check(params, report));
    CAROM_TRY(check_height(params, report));
    const carom_planar_body disk =
        carom_planar_floating(carom_planar_disc(params->mass, params->radius));
    const carom_planar_contact contact = carom_planar_disc_on_wall(
        0, 0.0, 0.0, params->radius, carom_planar_floor(0.0), params->friction);
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.name = "falling_disk";
    spec.body_count = 1;
    spec.bodies = &disk;
    spec.contact_count = 1;
    spec.contacts = &contact;
    spec.gravity[1] = -params->gravity;
    CAROM_TRY(carom_impact_scene_alloc(&spec, out, report));
    (*out)->position[1] = params->initial_gap + params->radius;
    (*out)->velocity[1] = params->initial_velocity;
    return CAROM_OK;
}

carom_status carom_falling_disk_exact_landing(const carom_falling_disk_params *params,
                                              carom_falling_disk_landing *landing,
                                              carom_report *report) {
    CAROM_ASSERT(params != NULL && landing != NULL);
    *landing = (carom_falling_disk_landing){NAN, NAN, NAN, NAN, NAN};
    CAROM_TRY(check(params, report));
    const double rise = params->initial_velocity;
    const double speed = sqrt(rise * rise + 2.0 * params->gravity * params->initial_gap);
    /* (rise + speed)/g, in the form that does not cancel. */
    landing->time =
        rise >= 0.0 ? (rise + speed) / params->gravity : 2.0 * params->initial_gap / (speed - rise);
    landing->speed = speed;
    landing->impulse = params->mass * speed;
    const double kappa = carom_falling_disk_reference_force(params);
    landing->impact_length = landing->impulse / kappa;
    landing->resting_share = 1.0 / (1.0 + params->mass / kappa * params->gravity);
    return CAROM_OK;
}

carom_falling_disk_state carom_falling_disk_exact_state(const carom_falling_disk_params *params,
                                                        const carom_falling_disk_landing *landing,
                                                        double s) {
    CAROM_ASSERT(params != NULL && landing != NULL);
    if (!(s >= 0.0)) {
        const double nan = (double)NAN;
        return (carom_falling_disk_state){CAROM_FALLING_DISK_FLIGHT, nan, nan, nan, nan, nan};
    }
    if (s < landing->time) {
        return (carom_falling_disk_state){
            .phase = CAROM_FALLING_DISK_FLIGHT,
            .time = s,
            .gap = fmax(0.0, params->initial_gap +
                                 s * (params->initial_velocity - 0.5 * params->gravity * s)),
            .velocity = params->initial_velocity - params->gravity * s,
            .time_rate = 1.0,
            .impulse_rate = 0.0,
        };
    }
    const double struck = s - landing->time;
    if (struck < landing->impact_length) {
        return (carom_falling_disk_state){
            .phase = CAROM_FALLING_DISK_IMPACT,
            .time = landing->time,
            .gap = 0.0,
            .velocity =
                struck * carom_falling_disk_reference_force(params) / params->mass - landing->speed,
            .time_rate = 0.0,
            .impulse_rate = 1.0,
        };
    }
    return (carom_falling_disk_state){
        .phase = CAROM_FALLING_DISK_REST,
        .time = landing->time + (struck - landing->impact_length) * landing->resting_share,
        .gap = 0.0,
        .velocity = 0.0,
        .time_rate = landing->resting_share,
        .impulse_rate = 1.0 - landing->resting_share,
    };
}
