/** The wheels and the rocking biped in the size of figure 1, in motion. */
#include "gaits.h"

#include <carom/drawing/geometry_record.h>

#include <gsl/gsl_math.h>

#include <stdlib.h>
#include <string.h>

/** Steps of a wheel, two of the biped are a period; instants of each; bodies; spokes at most. */
enum { STEPS = 3, INSTANTS = 48, ROWS_DRAWN = STEPS * INSTANTS + 1, BODIES = 2, MOST_SPOKES = 64 };

/** What stands, and what hangs from it. */
typedef struct walker {
    double length;     /**< of spokes or legs, m */
    double half_angle; /**< half of that between neighbours, rad */
    double lean;       /**< of the leg where x_2 vanishes, rad */
    int spokes;
    double hanging; /**< length of the pendulum, m; negative: radius of a wheel */
} walker;

static walker walker_of(const gaits *all, const settings *values, const gait *g) {
    const double spokes = fmin(round(M_PI / values->drawn_angle), MOST_SPOKES);
    if (g->kind == &COLLISIONLESS_ROCK) {
        const carom_coronal_rocker_params *r = &values->rocker;
        const double lean =
            2.0 * r->half_leg_angle * r->foot_mass / (r->pendulum_mass + r->hip_mass);
        return (walker){r->leg_length, r->half_leg_angle, lean, 2, r->pendulum_length};
    }
    if (strcmp(g->name, all->models[REACTION_WHEEL].name) == 0) {
        const carom_reaction_wheel_params *r = &values->reaction_wheel;
        return (walker){r->spoke_length, r->half_spoke_angle, 0.0, (int)spokes,
                        -r->reaction_radius};
    }
    const carom_pendulum_wheel_params *w = &values->pendulum_wheel;
    return (walker){w->spoke_length, w->half_spoke_angle, 0.0, (int)spokes, w->pendulum_length};
}

/** Poses of both in the configuration x, clockwise, in the coordinates of the first step. A wheel
 * stands on the next foot beyond every second half angle, the biped on its other one where both
 * were on the ground. */
static void place(const walker *w, const double *x, double poses[BODIES][3]) {
    const double angle = x[1] + w->lean;
    const double steps = floor((angle + w->half_angle) / (2.0 * w->half_angle));
    const double k = w->spokes == 2 ? fmax(-1.0, fmin(0.0, steps)) : steps;
    const double foot = 2.0 * k * w->length * sin(w->half_angle);
    const double leg = angle - 2.0 * k * w->half_angle;
    for (int b = 0; b < BODIES; b++) {
        poses[b][0] = foot + w->length * sin(leg);
        poses[b][1] = w->length * cos(leg);
        poses[b][2] = b == 0 ? -angle : -x[0];
    }
}

/** Spokes, the pendulum or the wheel with a mark, the ground. */
static carom_status write_outlines(const walker *w, carom_record *of) {
    enum { CIRCLE = 49, MOST_LINES = MOST_SPOKES + 3 };
    static const char *const names[BODIES] = {"legs", "hanging"};
    static const double ground[4] = {0.0, 0.0, 0.0, 1.0};
    const double tip[4] = {0.0, 0.0, 0.0, -w->hanging};
    double spokes[4 * MOST_SPOKES] = {0.0};
    double circle[2 * CIRCLE];
    carom_outline lines[MOST_LINES];
    int count = 0;
    for (int k = 0; k < w->spokes; k++) {
        const double angle = 2.0 * k * w->half_angle;
        spokes[4 * k + 2] = -w->length * sin(angle);
        spokes[4 * k + 3] = -w->length * cos(angle);
        lines[count++] = (carom_outline){0, CAROM_OUTLINE_LINE, 2, spokes + 4 * (size_t)k, 0.0};
    }
    const double radius = w->hanging < 0.0 ? -w->hanging : 0.1 * w->hanging;
    for (int k = 0; k < CIRCLE; k++) {
        const double angle = 2.0 * M_PI * (k % (CIRCLE - 1)) / (CIRCLE - 1);
        circle[2 * k] = radius * sin(angle);
        circle[2 * k + 1] = radius * cos(angle) - fmax(w->hanging, 0.0);
    }
    lines[count++] = (carom_outline){1, CAROM_OUTLINE_LINE, 2, tip, 0.0};
    lines[count++] = (carom_outline){1, CAROM_OUTLINE_CLOSED, CIRCLE, circle, 0.0};
    lines[count++] = (carom_outline){-1, CAROM_OUTLINE_HALF_PLANE, 2, ground, 0.0};
    carom_record group = carom_record_group(of, "geometry");
    return carom_geometry_record_outlines(&group, BODIES, names, count, lines);
}

carom_status collisionless_models_write_steps(const gaits *all, const settings *values,
                                              const gait *g) {
    const walker w = walker_of(all, values, g);
    const int periods = g->kind == &COLLISIONLESS_ROLL ? STEPS : 1;
    double time[ROWS_DRAWN];
    double poses[ROWS_DRAWN][BODIES][3];
    double rest[COORDINATES];
    collisionless_models_rest(&g->model, rest);
    for (int k = 0; k < ROWS_DRAWN; k++) {
        double x[COORDINATES];
        time[k] = periods * g->period * k / (ROWS_DRAWN - 1);
        CAROM_TRY(collisionless_models_state(g, time[k], x, all->report));
        x[0] += rest[0];
        x[1] += rest[1];
        place(&w, x, poses[k]);
    }
    carom_record group = carom_record_group(all->record, "/%s/drawn", g->name);
    carom_record_attribute(&group, ".", "long_name", "steps in the size of figure 1");
    carom_record_axis(&group, "time", ROWS_DRAWN, time, "s", "time from P");
    CAROM_TRY(carom_geometry_record_poses(&group, "time", ROWS_DRAWN, BODIES, poses[0][0]));
    return write_outlines(&w, &group);
}
