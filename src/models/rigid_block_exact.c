#include <carom/models/internal.h>

#include <gsl/gsl_math.h>
#include <math.h>

/** Refuse what the constructor refuses, and what the closed forms do not cover. */
static carom_status check(const carom_rigid_block_params *params, double stick_friction,
                          carom_report *report) {
    if (fabs(params->tilt) > 0.0) {
        return carom_report_refuse(report, "tilt", params->tilt, -1, "0");
    }
    if (!(params->initial_speed > 0.0)) {
        return carom_report_refuse(report, "initial speed", params->initial_speed, -1, "> 0");
    }
    if (params->friction < stick_friction) {
        return carom_report_refuse(report, "friction", params->friction, -1, "enough to stick");
    }
    return CAROM_OK;
}

carom_status carom_rigid_block_exact_compute(const carom_rigid_block_params *params,
                                             carom_rigid_block_exact *exact, carom_report *report) {
    CAROM_ASSERT(params != NULL && exact != NULL);
    *exact = (carom_rigid_block_exact){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    CAROM_TRY(carom_rigid_block_params_check(params, report));
    const double w = params->width;
    const double h = params->height;
    const double m = params->mass;
    const double v0 = params->initial_speed;
    const double stick_friction = 3.0 * w * h / (w * w + 4.0 * h * h);
    CAROM_TRY(check(params, stick_friction, report));

    /* 1 - e is what a corner loses of its speed when the other one has stopped. */
    const double lost = 1.5 * w * w / (w * w + h * h);
    const double e = 1.0 - lost;
    const double rebound = fmax(e, 0.0) * lost * v0;
    *exact = (carom_rigid_block_exact){
        .width = w,
        .height = h,
        .speed = v0,
        .transfer = e,
        .stick_friction = stick_friction,
        .direct_rate = 2.0 / (m * (1.0 + e)),
        .cross_rate = 2.0 * e / (m * (1.0 + e)),
        .corner_impulse = 0.5 * m * v0,
        .largest_rebound = rebound,
        .shortest_impact = m * v0,
        .longest_impact = m * (v0 + 0.5 * rebound),
    };
    return CAROM_OK;
}

void carom_rigid_block_exact_velocity(const carom_rigid_block_exact *exact, const double *speeds,
                                      double *velocity) {
    const double rate = (speeds[1] - speeds[0]) / exact->width;
    velocity[0] = -0.5 * exact->height * rate;
    velocity[1] = 0.5 * (speeds[0] + speeds[1]);
    velocity[2] = rate;
}

void carom_rigid_block_exact_sequence(const carom_rigid_block_exact *exact, int first, int stage,
                                      double *speeds) {
    CAROM_ASSERT((first == 0 || first == 1) && stage >= 0);
    if (stage == 0) {
        speeds[0] = -exact->speed;
        speeds[1] = -exact->speed;
        return;
    }
    /* The corner hit last stands; the other one has been passed e of each gain. */
    const double e = exact->transfer;
    const int last_stage = e >= 0.0 && stage > 2 ? 2 : stage;
    const int standing = (first + last_stage - 1) % 2;
    const double first_speed = -(1.0 - e) * exact->speed;
    speeds[standing] = 0.0;
    speeds[1 - standing] = last_stage == 2 && e >= 0.0
                               ? -e * first_speed
                               : first_speed * gsl_pow_int(fabs(e), last_stage - 1);
}

double carom_rigid_block_exact_distance(const carom_rigid_block_exact *exact,
                                        const double *speeds) {
    double nearest = INFINITY;
    for (int i = 0; i < 2; i++) {
        const double a = fmin(fmax(speeds[i], 0.0), exact->largest_rebound);
        nearest = fmin(nearest, hypot(speeds[i] - a, speeds[1 - i]));
    }
    return nearest;
}

double carom_rigid_block_exact_length(const carom_rigid_block_exact *exact, double a) {
    return 2.0 * exact->corner_impulse * (1.0 + 0.5 * a / exact->speed);
}
