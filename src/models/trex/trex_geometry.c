#include <carom/models/trex/internal.h>

#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

double carom_trex_tail_length(carom_trex_tail tail, double anterior_radius,
                              double posterior_radius) {
    const double r_1 = anterior_radius;
    const double r_2 = posterior_radius;
    const double sum = r_1 + r_2;
    const double difference = r_1 - r_2;
    if (tail == CAROM_TREX_TAIL_CONE) {
        return r_2 * sum / difference;
    }
    /* The printed quotient, cancelled by r_1 + r_2: the root is r_1 r_2 sqrt(r_1 (r_1 + r_2)). */
    return r_1 * (r_1 + r_2 * sqrt(2.0 * r_1 / sum)) / difference - sum;
}

void carom_trex_link_angles(const double *q, double *angles) {
    CAROM_ASSERT(q != NULL && angles != NULL);
    const double pitch = q[CAROM_TREX_PITCH];
    angles[CAROM_TREX_ANTERIOR] = pitch;
    angles[CAROM_TREX_LEFT_UPPER] = pitch + q[CAROM_TREX_LEFT_HIP];
    angles[CAROM_TREX_LEFT_LOWER] = angles[CAROM_TREX_LEFT_UPPER] + q[CAROM_TREX_LEFT_KNEE];
    angles[CAROM_TREX_RIGHT_UPPER] = pitch + q[CAROM_TREX_RIGHT_HIP];
    angles[CAROM_TREX_RIGHT_LOWER] = angles[CAROM_TREX_RIGHT_UPPER] + q[CAROM_TREX_RIGHT_KNEE];
    angles[CAROM_TREX_POSTERIOR] = pitch + q[CAROM_TREX_BODY_JOINT];
}

void carom_trex_reaches(const carom_trex_params *params, double *reach) {
    CAROM_ASSERT(params != NULL && reach != NULL);
    memset(reach, 0, (size_t)CAROM_TREX_CONTACTS * CAROM_TREX_LINKS * sizeof(double));
    double *left = reach + CAROM_TREX_LEFT_FOOT * CAROM_TREX_LINKS;
    double *right = reach + CAROM_TREX_RIGHT_FOOT * CAROM_TREX_LINKS;
    double *tail = reach + CAROM_TREX_TAIL_TIP * CAROM_TREX_LINKS;
    left[CAROM_TREX_LEFT_UPPER] = params->upper_length;
    left[CAROM_TREX_LEFT_LOWER] = params->lower_length;
    right[CAROM_TREX_RIGHT_UPPER] = params->upper_length;
    right[CAROM_TREX_RIGHT_LOWER] = params->lower_length;
    tail[CAROM_TREX_ANTERIOR] = params->anterior_radius + params->posterior_radius;
    tail[CAROM_TREX_POSTERIOR] =
        carom_trex_tail_length(params->tail, params->anterior_radius, params->posterior_radius);
}

/** end = start + length e(angle). */
static void go_along(const double *start, double length, double angle, double *end) {
    end[0] = start[0] + length * cos(angle);
    end[1] = start[1] + length * sin(angle);
}

void carom_trex_points(const carom_trex_params *params, const double *q, double *points) {
    CAROM_ASSERT(params != NULL && q != NULL && points != NULL);
    double angle[CAROM_TREX_LINKS];
    carom_trex_link_angles(q, angle);
    double *hips = points + 2 * CAROM_TREX_POINT_ANTERIOR;
    double *joint = points + 2 * CAROM_TREX_POINT_POSTERIOR;
    double *left_knee = points + 2 * CAROM_TREX_POINT_LEFT_KNEE;
    double *right_knee = points + 2 * CAROM_TREX_POINT_RIGHT_KNEE;

    /* The bodies touch, the tail is the posterior body's axis. */
    hips[0] = q[CAROM_TREX_X];
    hips[1] = q[CAROM_TREX_Y];
    go_along(hips, params->anterior_radius + params->posterior_radius, angle[CAROM_TREX_ANTERIOR],
             joint);
    go_along(
        joint,
        carom_trex_tail_length(params->tail, params->anterior_radius, params->posterior_radius),
        angle[CAROM_TREX_POSTERIOR], points + 2 * CAROM_TREX_POINT_TAIL_TIP);

    /* Both legs hang from the centre of the anterior body. */
    go_along(hips, params->upper_length, angle[CAROM_TREX_LEFT_UPPER], left_knee);
    go_along(left_knee, params->lower_length, angle[CAROM_TREX_LEFT_LOWER],
             points + 2 * CAROM_TREX_POINT_LEFT_FOOT);
    go_along(hips, params->upper_length, angle[CAROM_TREX_RIGHT_UPPER], right_knee);
    go_along(right_knee, params->lower_length, angle[CAROM_TREX_RIGHT_LOWER],
             points + 2 * CAROM_TREX_POINT_RIGHT_FOOT);
}

carom_status carom_trex_straight_stance(const carom_trex_params *params, bool is_ahead,
                                        double *stance, carom_report *report) {
    CAROM_ASSERT(params != NULL && stance != NULL);
    for (int j = 0; j < CAROM_TREX_COORDINATES; j++) {
        stance[j] = (double)NAN;
    }

    /* The tail tip is on the floor. */
    const double pitch = params->stance[CAROM_TREX_PITCH];
    const double joint = params->stance[CAROM_TREX_BODY_JOINT];
    const double tail =
        carom_trex_tail_length(params->tail, params->anterior_radius, params->posterior_radius);
    const double height = -(params->anterior_radius + params->posterior_radius) * sin(pitch) -
                          tail * sin(pitch + joint);
    const double leg = params->upper_length + params->lower_length;
    if (!(height >= 0.0 && height <= leg)) {
        return carom_report_refuse(report, "hip height", height, -1,
                                   "from 0 to the length of the legs");
    }

    /* So is the right foot: height + leg sin(theta + phi_R) = 0. */
    const double decline = asin(height / leg);
    const double leg_angle = is_ahead ? -decline : M_PI + decline;
    double hip = fmod(leg_angle - pitch, 2.0 * M_PI);
    if (hip < 0.0) {
        hip += 2.0 * M_PI;
    }
    memcpy(stance, params->stance, CAROM_TREX_COORDINATES * sizeof(double));
    stance[CAROM_TREX_Y] = height;
    stance[CAROM_TREX_LEFT_HIP] = hip - M_PI;
    stance[CAROM_TREX_LEFT_KNEE] = 0.0;
    stance[CAROM_TREX_RIGHT_HIP] = hip;
    stance[CAROM_TREX_RIGHT_KNEE] = 0.0;
    return CAROM_OK;
}
