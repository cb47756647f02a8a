/** Pictures of figure 1: places, and velocities, of masses and feet at P and P'. */
#include "gaits.h"

#include <gsl/gsl_math.h>

/** Configurations P and P'; feet of a wheel beside the three spokes that are drawn. */
enum { CONFIGURATIONS = 2, MOST_FURTHER_FEET = 64 };

/** Points of a picture at most. */
enum { MOST_POINTS = CAROM_PENDULUM_WHEEL_POINT_COUNT + MOST_FURTHER_FEET };

/** A picture of a model. */
typedef struct picture {
    const char *name; /**< its group in /drawing */
    int point_count;
    /** Points [point][2] in m of configuration x [2]. */
    void (*place)(const settings *values, const double *x, double *points);
} picture;

static void place_hopper(const settings *values, const double *x, double *points) {
    carom_hopper_points(&values->hopper, x, points);
}

static void place_juggler(const settings *values, const double *x, double *points) {
    carom_juggler_points(&values->juggler, x, points);
}

/** As many as close the wheel. */
static int further_feet(const settings *values) {
    const double spokes = round(M_PI / values->drawn_angle);
    return (int)fmin(fmax(spokes - 3.0, 0.0), MOST_FURTHER_FEET);
}

/** The wheel, and the feet of further spokes: ahead of the next one, and behind the last. */
static void place_wheel(const settings *values, const double *x, double *points) {
    const carom_pendulum_wheel_params *wheel = &values->pendulum_wheel;
    carom_pendulum_wheel_points(wheel, x, points);
    const double *hub = points + 2;
    for (int k = 0; k < further_feet(values); k++) {
        const double side = k % 2 == 0 ? -1.0 : 1.0;
        const int steps = 2 + k / 2;
        const double angle = x[1] + side * 2.0 * steps * wheel->half_spoke_angle;
        double *foot = points + 2 * (CAROM_PENDULUM_WHEEL_POINT_COUNT + k);
        foot[0] = hub[0] - wheel->spoke_length * sin(angle);
        foot[1] = hub[1] - wheel->spoke_length * cos(angle);
    }
}

static void place_rocker(const settings *values, const double *x, double *points) {
    carom_coronal_rocker_points(&values->rocker, x, points);
}

/** x and x' of a motion at P or P', positions as in the mechanism. */
static void state_of(const gait *g, int configuration, double *x, double *v) {
    const carom_two_mode_model *model = &g->model;
    const carom_motion_state state = {.position = x, .velocity = v};
    carom_collisionless_motion_state(
        g->motion, configuration == 0 ? CAROM_MOTION_UNCONSTRAINED : CAROM_MOTION_CONSTRAINED, 0.0,
        CAROM_MOTION_FROM_CONSTRAINED_EQUILIBRIUM, &state);
    const double contact = model->contact_coordinate;
    x[0] += (model->load[0] - model->stiffness[0][1] * contact) / model->stiffness[0][0];
    x[1] += contact;
}

/** Step of the differences that velocities are taken from, in sqrt(l/g) of the wheel. */
static const double DIFFERENCE = 1e-6;

/** Place and velocity of every point in one configuration: columns [4] of x, y, u, v. */
static void draw_configuration(const settings *values, const picture *p, const gait *g, int c,
                               double columns[4][CONFIGURATIONS * MOST_POINTS]) {
    double x[COORDINATES] = {0.0};
    double v[COORDINATES] = {0.0};
    double points[3][2 * MOST_POINTS] = {{0.0}};
    const double step = DIFFERENCE * sqrt(values->pendulum_wheel.spoke_length / values->gravity);
    state_of(g, c, x, v);
    for (int side = -1; side <= 1; side++) {
        const double moved[COORDINATES] = {x[0] + side * step * v[0], x[1] + side * step * v[1]};
        p->place(values, moved, points[side + 1]);
    }
    for (int i = 0; i < p->point_count; i++) {
        for (int axis = 0; axis < 2; axis++) {
            const int entry = 2 * i + axis;
            columns[axis][c * p->point_count + i] = points[1][entry];
            columns[2 + axis][c * p->point_count + i] =
                (points[2][entry] - points[0][entry]) / (2.0 * step);
        }
    }
}

/** Write a picture: x, y, and velocities u, v, (configuration x point). */
static void draw(const gaits *all, const settings *values, const picture *p, const gait *g) {
    double columns[4][CONFIGURATIONS * MOST_POINTS];
    for (int c = 0; c < CONFIGURATIONS; c++) {
        draw_configuration(values, p, g, c, columns);
    }
    carom_record group = carom_record_group(all->record, "/drawing/%s", p->name);
    carom_record_index_axis(&group, "configuration", CONFIGURATIONS, "0: P, 1: P'");
    carom_record_index_axis(&group, "point", p->point_count, "masses, joints and feet");
    const carom_column rows[] = {
        {"x", columns[0], "m", "place along the ground"},
        {"y", columns[1], "m", "height above the ground"},
        {"u", columns[2], "m s-1", "velocity along the ground"},
        {"v", columns[3], "m s-1", "velocity upwards"},
    };
    carom_record_columns(&group, "configuration", "point", rows, COUNT(rows));
}

/** The first motions of the wheel and of rocking in the size and with the pendulum of the drawing.
 */
static carom_status draw_angles(gaits *all) {
    settings values = *all->values;
    values.pendulum_wheel.half_spoke_angle = values.drawn_angle;
    values.pendulum_wheel.pendulum_length = values.drawn_pendulum;
    values.rocker.half_leg_angle = values.drawn_angle;
    values.rocker.pendulum_length = values.drawn_pendulum;
    const picture wheel = {"pendulum_wheel",
                           CAROM_PENDULUM_WHEEL_POINT_COUNT + further_feet(&values), place_wheel};
    const picture rocker = {"rocking", CAROM_CORONAL_ROCKER_POINT_COUNT, place_rocker};
    gaits drawn = {.values = &values, .report = all->report};
    carom_status status = collisionless_models_prepare(&drawn);
    for (int i = PENDULUM_WHEEL; i <= ROCKER && status == CAROM_OK; i++) {
        gait *g = &drawn.models[i];
        status = collisionless_models_find_motion(g, g->kind->first_column, 0, all->report);
        if (status == CAROM_OK) {
            draw(all, &values, i == ROCKER ? &rocker : &wheel, g);
        }
    }
    if (status != CAROM_OK) {
        carom_report_set_context(all->report, "drawing");
    }
    collisionless_models_clear(&drawn);
    return status;
}

carom_status collisionless_models_draw(gaits *all) {
    const picture hopper = {"hopper", CAROM_HOPPER_POINT_COUNT, place_hopper};
    const picture juggler = {"juggler", CAROM_JUGGLER_POINT_COUNT, place_juggler};
    draw(all, all->values, &hopper, &all->models[HOPPER]);
    draw(all, all->values, &juggler, &all->models[JUGGLER]);
    return draw_angles(all);
}
