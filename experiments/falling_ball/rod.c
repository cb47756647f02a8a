/** Painleve's rod: Routh's path and the integrator of the inclusion beside it. */
#include "falling_ball.h"

/** Steps of its run during the impact: the end of sliding falls inside one of them; every fifth is
 * recorded. */
enum { ROD_STEPS = 1000, STRIDE = 5, MOST_ROD_ROWS = 2 * ROD_STEPS / STRIDE };

/** The end of the rod at s. */
typedef struct end_row {
    double s;
    double normal_velocity;
    double tangential_velocity;
    double time;
} end_row;

static const carom_field END_FIELDS[] = {
    CAROM_FIELD("s", end_row, s, "s", "s: time, and normal impulse over kappa"),
    CAROM_FIELD("normal_velocity", end_row, normal_velocity, "m s-1", "normal velocity of the end"),
    CAROM_FIELD("tangential_velocity", end_row, tangential_velocity, "m s-1",
                "sliding velocity of the end"),
    CAROM_FIELD("time", end_row, time, "s", "time t(s)"),
};

/** The rod on the ground, rising to the right from its end. Its frame hangs from the upper end. */
static carom_status make_rod(const settings *values, carom_impact_scene **out,
                             carom_report *report) {
    const rod_params *rod = &values->rod;
    const carom_planar_body body = carom_planar_floating(carom_planar_rod(rod->mass, rod->length));
    const carom_planar_contact contact =
        carom_planar_corner_on_wall(0, 0.0, -rod->length, carom_planar_floor(0.0), rod->friction);
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.name = "rod";
    spec.body_count = 1;
    spec.bodies = &body;
    spec.contact_count = 1;
    spec.contacts = &contact;
    spec.gravity[1] = -values->ball.gravity;
    CAROM_TRY(carom_impact_scene_alloc(&spec, out, report));
    const double right_angle = 90.0 * atan(1.0) / 45.0;
    const double angle = rod->angle * atan(1.0) / 45.0;
    (*out)->position[0] = rod->length * cos(angle);
    (*out)->position[1] = rod->length * sin(angle);
    (*out)->position[2] = angle - right_angle;
    (*out)->velocity[0] = rod->velocity;
    // The sine of the angle is not exactly the height of the end: no penetration by rounding.
    double gap;
    const carom_mechanism *mechanism = carom_impact_scene_mechanism(*out);
    mechanism->constraints((*out)->position, &gap, mechanism->context);
    (*out)->position[1] -= gap;
    return CAROM_OK;
}

/** Rod, ground and velocity of the end: drawing. */
static carom_status draw_rod(const settings *values, const carom_impact_scene *scene,
                             carom_record *group) {
    const double length = values->rod.length;
    const double ends[] = {0.0, 0.0, 0.0, -length};
    const double ground[] = {-0.5 * length, 0.0, length, 0.0};
    const carom_scene_line rod = {"rod", 0, 2, ends};
    const carom_scene_line floor = {"ground", -1, 2, ground};
    const carom_scene_line tip = {"end", 0, 1, &ends[2]};
    const carom_planar_tree *tree = scene->tree;
    const double *q = scene->position;
    CAROM_TRY(carom_scene_record_line(group, "drawing", tree, q, &rod));
    CAROM_TRY(carom_scene_record_line(group, "drawing", tree, q, &floor));
    return carom_scene_record_velocities(group, "drawing", tree, q, scene->velocity, &tip);
}

/** Speeds of the end in a row of a run. */
static end_row end_of(const carom_mechanism *rod, const carom_trajectory *t, int row) {
    const double *q = t->position + (size_t)row * COORDINATES;
    const double *v = t->velocity + (size_t)row * COORDINATES;
    double normal[COORDINATES];
    double tangent[COORDINATES];
    rod->constraint_jacobian(q, normal, rod->context);
    rod->tangential_jacobian(q, tangent, rod->context);
    return (end_row){.s = t->s[row],
                     .normal_velocity = carom_vector_dot(COORDINATES, normal, v),
                     .tangential_velocity = carom_vector_dot(COORDINATES, tangent, v),
                     .time = t->time[row]};
}

/** Routh's speeds at a normal impulse, linear between the points of the path. */
static end_row end_by_routh(const carom_routh_path *path, double impulse) {
    int k = 0;
    while (k < path->point_count - 2 && impulse > path->normal_impulse[k + 1]) {
        k++;
    }
    const double length = path->normal_impulse[k + 1] - path->normal_impulse[k];
    const double part = length > 0.0 ? (impulse - path->normal_impulse[k]) / length : 1.0;
    const double *v_n = &path->normal_speed[k];
    const double *v_t = &path->tangential_speed[k];
    return (end_row){.normal_velocity = v_n[0] + part * (v_n[1] - v_n[0]),
                     .tangential_velocity = v_t[0] + part * (v_t[1] - v_t[0])};
}

/** The run, and how far its speeds are from Routh's while the impact lasts: inclusion, speed_error.
 */
static void write_rod_run(const settings *values, const carom_mechanism *rod,
                          const carom_trajectory *t, const carom_routh_path *path,
                          carom_record *group) {
    end_row rows[MOST_ROD_ROWS];
    int count = 0;
    double error = 0.0;
    for (int k = 0; k < t->row_count; k++) {
        const end_row ours = end_of(rod, t, k);
        const double impulse = values->rod.reference_force * t->s[k];
        if (k % STRIDE == 0 && count < MOST_ROD_ROWS) {
            rows[count++] = ours;
        }
        if (impulse <= path->normal_impulse[path->point_count - 1]) {
            const end_row exact = end_by_routh(path, impulse);
            error = fmax(error, fabs(ours.normal_velocity - exact.normal_velocity));
            error = fmax(error, fabs(ours.tangential_velocity - exact.tangential_velocity));
        }
    }
    carom_record run = carom_record_group(group, "inclusion");
    carom_record_rows(&run, "s", rows, count, sizeof *rows, END_FIELDS, COUNT(END_FIELDS));
    carom_record_scalar(group, "speed_error", error, "m s-1",
                        "largest error of the integrator's speeds of the end");
}

/** Routh's path: routh. */
static void write_path(const carom_routh_path *path, carom_record *group) {
    carom_record routh = carom_record_group(group, "routh");
    carom_record_axis(&routh, "s", path->point_count, path->normal_impulse, "N s",
                      "normal impulse s");
    carom_record_series(&routh, "normal_velocity", path->normal_speed, "s", NULL, "m s-1",
                        "normal velocity of the end");
    carom_record_series(&routh, "tangential_velocity", path->tangential_speed, "s", NULL, "m s-1",
                        "sliding velocity of the end");
}

/** Routh's path and the integrator, a fifth of the impact longer. */
static carom_status run_rod(const settings *values, const carom_impact_scene *scene,
                            const carom_routh_contact *contact, carom_record *group,
                            carom_report *report) {
    carom_routh_path path;
    CAROM_TRY(carom_routh_resolve_planar(contact, 0.0, values->rod.velocity, &path, report));
    write_path(&path, group);
    const carom_mechanism *rod = carom_impact_scene_mechanism(scene);
    const double end = path.normal_impulse[path.point_count - 1] / values->rod.reference_force;
    carom_record_scalar(group, "impact_length", end, "s", "length in s of Routh's impact");
    carom_inclusion_params params = carom_inclusion_params_default();
    params.reference_force = values->rod.reference_force;
    params.step = end / ROD_STEPS;
    CAROM_AUTO(carom_trajectory) t = NULL;
    CAROM_TRY(carom_inclusion_run(rod, &params, scene->position, scene->velocity, (1.0 + 0.2) * end,
                                  INFINITY, &t, report));
    write_rod_run(values, rod, t, &path, group);
    return CAROM_OK;
}

carom_status falling_ball_study_rod(const settings *values, carom_record *record,
                                    carom_report *report) {
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    carom_record group = carom_record_group(record, "/rod");
    CAROM_TRY(make_rod(values, &scene, report));
    CAROM_TRY(draw_rod(values, scene, &group));
    CAROM_TRY(carom_impact_problem_of_scene(scene, &problem, report));
    const carom_routh_contact contact = carom_routh_contact_of_problem(problem, 0);
    const bool is_stopped = carom_routh_is_impact_without_collision(&contact, values->rod.velocity);
    carom_record_scalar(&group, "c_nn", contact.c_nn, "kg-1", "normal speed by a normal impulse");
    carom_record_scalar(&group, "c_nt", contact.c_nt, "kg-1",
                        "normal speed by a tangential impulse");
    carom_record_scalar(&group, "c_tt", contact.c_tt, "kg-1",
                        "sliding speed by a tangential impulse");
    carom_record_integer(&group, "is_without_collision", is_stopped ? 1 : 0, "1",
                         "1: sliding on, friction presses the end in");
    return is_stopped ? run_rod(values, scene, &contact, &group, report) : CAROM_OK;
}
