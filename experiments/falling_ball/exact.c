/** The exact solution of the ball, and its picture: /exact and /drawing. */
#include "results.h"

#include <carom/study/scene_record.h>

/** Points of the flight; impact and rest are straight. */
enum { FLIGHT_POINTS = 201, PATH_POINTS = FLIGHT_POINTS + 2 };

/** The ground reaches so far from the ball's axis, in radii. */
static const double GROUND = 2.0;

void falling_ball_write_series(carom_record *record, const char *axis, int count,
                               const series_row *rows) {
    for (int i = 0; i < count; i++) {
        carom_record_series(record, rows[i].path, rows[i].values, axis, NULL, rows[i].units,
                            rows[i].long_name);
    }
}

/** Flight, impact and rest over s. */
static void write_path(results *r) {
    double columns[4][PATH_POINTS];
    r->exact_least_gap = INFINITY;
    for (int k = 0; k < PATH_POINTS; k++) {
        const double part = (double)k / (FLIGHT_POINTS - 1);
        const double s = k < FLIGHT_POINTS    ? part * r->landing.time
                         : k == FLIGHT_POINTS ? r->landing.time + r->landing.impact_length
                                              : r->length;
        const carom_falling_disk_state state =
            carom_falling_disk_exact_state(&r->values->ball, &r->landing, s);
        columns[0][k] = s;
        columns[1][k] = state.time;
        columns[2][k] = state.gap;
        columns[3][k] = state.velocity;
        r->exact_least_gap = fmin(r->exact_least_gap, state.gap);
    }
    const series_row rows[] = {
        {"/exact/time", columns[1], "s", "time t(s)"},
        {"/exact/gap", columns[2], "m", "height z"},
        {"/exact/velocity", columns[3], "m s-1", "dz/dt"},
    };
    carom_record_axis(r->record, "/exact/s", PATH_POINTS, columns[0], "s",
                      "s: time, and normal impulse over kappa");
    falling_ball_write_series(r->record, "/exact/s", 3, rows);
}

/** The ball at its start, the ground, the highest and the lowest point. */
static carom_status draw(const results *r) {
    const double radius = r->values->ball.radius;
    const carom_planar_tree *tree = r->scene->tree;
    double circle[2 * CAROM_SCENE_CIRCLE_POINTS];
    carom_scene_circle(0.0, 0.0, radius, circle);
    const double ground[] = {-GROUND * radius, 0.0, GROUND * radius, 0.0};
    const double lowest[] = {0.0, -radius};
    const double center[] = {0.0, 0.0};
    const carom_scene_line lines[] = {
        {"ball", 0, CAROM_SCENE_CIRCLE_POINTS, circle},
        {"ground", -1, 2, ground},
        {"lowest", 0, 1, lowest},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        CAROM_TRY(
            carom_scene_record_line(r->record, "/drawing", tree, r->scene->position, &lines[i]));
    }
    const carom_scene_line middle = {"center", 0, 1, center};
    return carom_scene_record_velocities(r->record, "/drawing", tree, r->scene->position,
                                         r->scene->velocity, &middle);
}

carom_status falling_ball_write_exact(results *r) {
    const carom_falling_disk_landing *landing = &r->landing;
    carom_record_scalar(r->record, "/exact/landing_time", landing->time, "s",
                        "time of the landing, also s there");
    carom_record_scalar(r->record, "/exact/landing_speed", landing->speed, "m s-1",
                        "downward speed just before the impact");
    carom_record_scalar(r->record, "/exact/impulse", landing->impulse, "N s",
                        "normal impulse of the impact; over kappa, its length in s");
    carom_record_scalar(r->record, "/exact/resting_share", landing->resting_share, "1",
                        "dt/ds at rest");
    write_path(r);
    return draw(r);
}
