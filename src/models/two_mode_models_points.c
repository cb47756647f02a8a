/* Places of masses and joints of the two-mode models, for drawings to scale. */
#include <carom/models/two_mode_models.h>

#include <carom/models/internal.h>
#include <math.h>

static void put(double *points, int index, double x, double y) {
    points[2 * index] = x;
    points[2 * index + 1] = y;
}

/** A place at the end of a link that hangs from another and is turned clockwise from hanging. */
static void put_hanging(double *points, int index, int from, double length, double angle) {
    put(points, index, points[2 * from] - length * sin(angle),
        points[2 * from + 1] - length * cos(angle));
}

void carom_hopper_points(const carom_hopper_params *params, const double *x, double *points) {
    CAROM_ASSERT(params != NULL && x != NULL && points != NULL);
    put(points, 0, 0.0, x[1]);
    put(points, 1, 0.0, params->spring_length + x[0]);
}

void carom_juggler_points(const carom_juggler_params *params, const double *x, double *points) {
    CAROM_ASSERT(params != NULL && x != NULL && points != NULL);
    const double paddle = params->spring_length + x[0];
    put(points, 0, 0.0, 0.0);
    put(points, 1, 0.0, paddle);
    put(points, 2, 0.0, paddle + x[1]);
}

enum { FOOT, HUB, NEXT_FOOT, LAST_FOOT, ATTACHMENT };

/** The hub upright on its foot, turned clockwise by an angle. */
static void put_hub(double *points, double length, double angle) {
    put(points, FOOT, 0.0, 0.0);
    put(points, HUB, length * sin(angle), length * cos(angle));
}

/** Stance spoke, the next one ahead of it and the last one behind. */
static void put_spokes(double *points, double length, double half_angle, double angle) {
    put_hub(points, length, angle);
    put_hanging(points, NEXT_FOOT, HUB, length, angle - 2.0 * half_angle);
    put_hanging(points, LAST_FOOT, HUB, length, angle + 2.0 * half_angle);
}

void carom_reaction_wheel_points(const carom_reaction_wheel_params *params, const double *x,
                                 double *points) {
    CAROM_ASSERT(params != NULL && x != NULL && points != NULL);
    put_spokes(points, params->spoke_length, params->half_spoke_angle, x[1]);
    // the mark is on top of the reaction wheel at rest
    put_hanging(points, ATTACHMENT, HUB, -params->reaction_radius, x[0]);
}

void carom_pendulum_wheel_points(const carom_pendulum_wheel_params *params, const double *x,
                                 double *points) {
    CAROM_ASSERT(params != NULL && x != NULL && points != NULL);
    put_spokes(points, params->spoke_length, params->half_spoke_angle, x[1]);
    put_hanging(points, ATTACHMENT, HUB, params->pendulum_length, x[0]);
}

void carom_coronal_rocker_points(const carom_coronal_rocker_params *params, const double *x,
                                 double *points) {
    CAROM_ASSERT(params != NULL && x != NULL && points != NULL);
    const double theta = params->half_leg_angle;
    const double equilibrium =
        2.0 * theta * params->foot_mass / (params->pendulum_mass + params->hip_mass);
    const double leg = x[1] + equilibrium;
    put_hub(points, params->leg_length, leg);
    put_hanging(points, 2, HUB, params->leg_length, leg + 2.0 * theta);
    put_hanging(points, 3, HUB, params->pendulum_length, x[0]);
}
