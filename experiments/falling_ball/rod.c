/** Painleve's rod: it slides on one end without colliding, and friction presses that end into the
 * ground. Routh's path and the integrator of the inclusion: /rod. */
#include "results.h"

#include <carom/study/scene_record.h>

/** The run goes on this long after Routh's impact, in parts of its length. */
static const double BEYOND = 0.2;

/** Steps of the run during the impact: the end of sliding falls inside one of them. */
enum { STEPS = 1000 };

/** Rows that are recorded. */
enum { STRIDE = 5, MOST_ROWS = 2 * STEPS / STRIDE };

static double radians(double degrees) {
    return degrees * atan(1.0) / 45.0;
}

/** The rod on the ground, rising to the right from its end. Its frame hangs from the upper end. */
static carom_status make_scene(const results *r, carom_impact_scene **out) {
    const rod_params *rod = &r->values->rod;
    const carom_planar_body body = carom_planar_floating(carom_planar_rod(rod->mass, rod->length));
    const carom_planar_contact contact =
        carom_planar_corner_on_wall(0, 0.0, -rod->length, carom_planar_floor(0.0), rod->friction);
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.name = "rod";
    spec.body_count = 1;
    spec.bodies = &body;
    spec.contact_count = 1;
    spec.contacts = &contact;
    spec.gravity[1] = -r->values->ball.gravity;
    CAROM_TRY(carom_impact_scene_alloc(&spec, out, r->report));
    const double angle = radians(rod->angle);
    (*out)->position[0] = rod->length * cos(angle);
    (*out)->position[1] = rod->length * sin(angle);
    (*out)->position[2] = angle - radians(90.0);
    (*out)->velocity[0] = rod->velocity;
    // The sine of the angle is not exactly the height of the end: no penetration by rounding.
    double gap;
    const carom_mechanism *mechanism = carom_impact_scene_mechanism(*out);
    mechanism->constraints((*out)->position, &gap, mechanism->context);
    (*out)->position[1] -= gap;
    return CAROM_OK;
}

/** Rod, ground and velocity of the end. */
static carom_status draw(const results *r, const carom_impact_scene *scene) {
    const double length = r->values->rod.length;
    const double line[] = {0.0, 0.0, 0.0, -length};
    const double ground[] = {-0.5 * length, 0.0, length, 0.0};
    const double end[] = {0.0, -length};
    const carom_scene_line lines[] = {{"rod", 0, 2, line}, {"ground", -1, 2, ground}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        CAROM_TRY(carom_scene_record_line(r->record, "/rod/drawing", scene->tree, scene->position,
                                          &lines[i]));
    }
    const carom_scene_line tip = {"end", 0, 1, end};
    return carom_scene_record_velocities(r->record, "/rod/drawing", scene->tree, scene->position,
                                         scene->velocity, &tip);
}

/** Normal and tangential speed of the end in a row of a run. */
static void end_speeds(const carom_mechanism *rod, const carom_trajectory *t, int row,
                       double speeds[2]) {
    const double *q = t->position + (size_t)row * COORDINATES;
    const double *v = t->velocity + (size_t)row * COORDINATES;
    double rows[2][COORDINATES];
    rod->constraint_jacobian(q, rows[0], rod->context);
    rod->tangential_jacobian(q, rows[1], rod->context);
    for (int k = 0; k < 2; k++) {
        speeds[k] = 0.0;
        for (int i = 0; i < COORDINATES; i++) {
            speeds[k] += rows[k][i] * v[i];
        }
    }
}

/** Routh's speeds at the normal impulse s, linear between the points of the path. */
static void routh_speeds(const carom_routh_path *path, double s, double speeds[2]) {
    int k = 0;
    while (k < path->point_count - 2 && s > path->normal_impulse[k + 1]) {
        k++;
    }
    const double length = path->normal_impulse[k + 1] - path->normal_impulse[k];
    const double part = length > 0.0 ? (s - path->normal_impulse[k]) / length : 1.0;
    speeds[0] = path->normal_speed[k] + part * (path->normal_speed[k + 1] - path->normal_speed[k]);
    speeds[1] = path->tangential_speed[k] +
                part * (path->tangential_speed[k + 1] - path->tangential_speed[k]);
}

/** Compare the run with the path: speeds while the impact lasts, and how long it does. */
static void compare(results *r, const carom_mechanism *rod, const carom_trajectory *t,
                    const carom_routh_path *path) {
    const double end = path->normal_impulse[path->point_count - 1];
    const double kappa = r->values->rod.reference_force;
    double stands_until = 0.0;
    bool is_standing = true;
    for (int k = 1; k < t->row_count; k++) {
        double ours[2];
        double exact[2];
        const double impulse = kappa * t->s[k];
        if (impulse <= end) {
            end_speeds(rod, t, k, ours);
            routh_speeds(path, impulse, exact);
            r->rod.speed_error = fmax(r->rod.speed_error, fabs(ours[0] - exact[0]));
            r->rod.speed_error = fmax(r->rod.speed_error, fabs(ours[1] - exact[1]));
            r->rod.speed = fmax(r->rod.speed, fmax(fabs(exact[0]), fabs(exact[1])));
            r->rod.largest_time = t->time[k];
        }
        // The rod may be pressed in again when it has turned on: the first impact counts.
        is_standing = is_standing && !(t->time_rate[k] > 0.0);
        stands_until = is_standing ? impulse : stands_until;
    }
    r->rod.duration_error = fabs(stands_until - end);
    r->rod.least_gap = carom_trajectory_smallest_gap(t);
}

/** The run: speeds of the end over s. */
static void write_run(const results *r, const carom_mechanism *rod, const carom_trajectory *t) {
    double columns[4][MOST_ROWS];
    int count = 0;
    for (int k = 0; k < t->row_count && count < MOST_ROWS; k += STRIDE) {
        double speeds[2];
        end_speeds(rod, t, k, speeds);
        columns[0][count] = t->s[k];
        columns[1][count] = speeds[0];
        columns[2][count] = speeds[1];
        columns[3][count] = t->time[k];
        count++;
    }
    const series_row rows[] = {
        {"/rod/inclusion/normal_velocity", columns[1], "m s-1", "normal velocity of the end"},
        {"/rod/inclusion/tangential_velocity", columns[2], "m s-1", "sliding velocity of the end"},
        {"/rod/inclusion/time", columns[3], "s", "time t(s)"},
    };
    carom_record_axis(r->record, "/rod/inclusion/s", count, columns[0], "s",
                      "s: time, and normal impulse over kappa");
    falling_ball_write_series(r->record, "/rod/inclusion/s", 3, rows);
}

/** Routh's path. */
static void write_path(const results *r, const carom_routh_path *path) {
    const series_row rows[] = {
        {"/rod/routh/normal_velocity", path->normal_speed, "m s-1", "normal velocity of the end"},
        {"/rod/routh/tangential_velocity", path->tangential_speed, "m s-1",
         "sliding velocity of the end"},
        {"/rod/routh/tangential_impulse", path->tangential_impulse, "N s", "tangential impulse"},
    };
    carom_record_axis(r->record, "/rod/routh/s", path->point_count, path->normal_impulse, "N s",
                      "normal impulse s");
    falling_ball_write_series(r->record, "/rod/routh/s", 3, rows);
}

/** The integrator. */
static carom_status run(results *r, const carom_impact_scene *scene, const carom_routh_path *path) {
    const carom_mechanism *rod = carom_impact_scene_mechanism(scene);
    const double kappa = r->values->rod.reference_force;
    const double end = path->normal_impulse[path->point_count - 1] / kappa;
    carom_inclusion_params params = carom_inclusion_params_default();
    params.reference_force = kappa;
    params.step = end / STEPS;
    carom_trajectory *t = NULL;
    CAROM_TRY(carom_inclusion_run(rod, &params, scene->position, scene->velocity,
                                  (1.0 + BEYOND) * end, INFINITY, &t, r->report));
    r->rod.step = params.step;
    compare(r, rod, t, path);
    write_run(r, rod, t);
    carom_trajectory_free(t);
    return CAROM_OK;
}

/** Routh's impact of the rod, and the run if it is one without collision. */
static carom_status resolve(results *r, const carom_impact_scene *scene,
                            const carom_impact_problem *problem) {
    const carom_routh_contact contact = carom_routh_contact_of_problem(problem, 0);
    const double speed = r->values->rod.velocity;
    carom_record_scalar(r->record, "/rod/c_nn", contact.c_nn, "kg-1",
                        "normal speed by a normal impulse");
    carom_record_scalar(r->record, "/rod/c_nt", contact.c_nt, "kg-1",
                        "normal speed by a tangential impulse");
    carom_record_scalar(r->record, "/rod/c_tt", contact.c_tt, "kg-1",
                        "sliding speed by a tangential impulse");
    r->rod.is_without_collision = carom_routh_is_impact_without_collision(&contact, speed);
    carom_record_integer(r->record, "/rod/is_without_collision",
                         r->rod.is_without_collision ? 1 : 0, "1",
                         "1: sliding on, friction presses the end in");
    if (!r->rod.is_without_collision) {
        return CAROM_OK;
    }
    carom_routh_path path;
    CAROM_TRY(carom_routh_resolve_planar(&contact, 0.0, speed, &path, r->report));
    r->rod.impulse = path.normal_impulse[path.point_count - 1];
    r->rod.is_sticking = path.is_sticking;
    write_path(r, &path);
    return run(r, scene, &path);
}

carom_status falling_ball_write_rod(results *r) {
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_TRY(make_scene(r, &scene));
    CAROM_TRY(draw(r, scene));
    CAROM_TRY(carom_impact_problem_of_scene(scene, &problem, r->report));
    return resolve(r, scene, problem);
}
