#include <carom/drawing/models.h>

#include <carom/models/trex/internal.h>

#include <float.h>
#include <math.h>

/** Write a description that is complete, and free it. */
static carom_status finish(carom_record *record, carom_geometry *geometry) {
    const carom_status status = carom_geometry_record(record, geometry);
    carom_geometry_clear(geometry);
    return status;
}

static void add_floor(carom_geometry *g) {
    const carom_planar_wall floor = carom_planar_floor(0.0);
    carom_geometry_add_half_plane(g, &floor);
}

carom_status carom_geometry_record_bouncing_ball(carom_record *record,
                                                 const carom_bouncing_ball_params *params) {
    carom_geometry g = {0};
    const int ball = carom_geometry_add_body(&g, "ball", -1, 0.0, 0.0, 0.0);
    carom_geometry_add_term(&g, ball, CAROM_GEOMETRY_Y, 0, 1.0);
    carom_geometry_add_disc(&g, ball, 0.0, 0.0, params->radius);
    add_floor(&g);
    return finish(record, &g);
}

carom_status carom_geometry_record_bouncing_pendulum(carom_record *record,
                                                     const carom_bouncing_pendulum_params *params) {
    static const double center[2] = {0.0, 0.0};
    const double pivot[2] = {-params->length, 0.0};
    // only so much of the wall as does not hide the pendulum
    const double wall = params->wall_position;
    const double low = -sqrt(fmax(0.0, params->length * params->length - wall * wall));
    const double half = 0.15 * params->length;
    carom_geometry g = {0};
    const int rod = carom_geometry_add_free_body(&g, "pendulum", 0, 1.0);
    carom_geometry_add_line(&g, rod, pivot, center);
    carom_geometry_add_disc(&g, rod, 0.0, 0.0, 0.05 * params->length);
    carom_geometry_add_outline(&g, -1, CAROM_OUTLINE_LINE, 1, center); /* the pivot */
    carom_geometry_add_line(&g, -1, (double[2]){wall, low - half}, (double[2]){wall, low + half});
    return finish(record, &g);
}

carom_status carom_geometry_record_elastic_bar(carom_record *record,
                                               const carom_elastic_bar_params *params) {
    const carom_planar_wall wall = {{0.0, 0.0}, {1.0, 0.0}};
    const double half = 0.05 * params->length;
    carom_geometry g = {0};
    for (int i = 0; i <= params->elements; i++) {
        const double place = params->initial_gap + params->length * i / params->elements;
        const int node = carom_geometry_add_body(&g, NULL, -1, place, 0.0, 0.0);
        carom_geometry_add_term(&g, node, CAROM_GEOMETRY_X, i, 1.0);
        carom_geometry_add_line(&g, node, (double[2]){0.0, -half}, (double[2]){0.0, half});
    }
    carom_geometry_add_half_plane(&g, &wall);
    return finish(record, &g);
}

carom_status carom_geometry_record_block(carom_record *record, double width, double height) {
    carom_geometry g = {0};
    carom_geometry_add_box(&g, carom_geometry_add_free_body(&g, "block", 0, 1.0), 0.0, 0.0, width,
                           height);
    add_floor(&g);
    return finish(record, &g);
}

carom_status carom_geometry_record_falling_disk(carom_record *record,
                                                const carom_falling_disk_params *params) {
    carom_geometry g = {0};
    carom_geometry_add_disc(&g, carom_geometry_add_free_body(&g, "disc", 0, 1.0), 0.0, 0.0,
                            params->radius);
    add_floor(&g);
    return finish(record, &g);
}

carom_status carom_geometry_record_thrown_sphere(carom_record *record,
                                                 const carom_thrown_sphere_params *params) {
    carom_geometry g = {0};
    const int height = params->is_planar ? 1 : 2;
    const int sphere = carom_geometry_add_body(&g, "sphere", -1, 0.0, params->radius, 0.0);
    carom_geometry_add_term(&g, sphere, CAROM_GEOMETRY_X, 0, 1.0);
    carom_geometry_add_term(&g, sphere, CAROM_GEOMETRY_Y, height, 1.0);
    if (params->is_planar) {
        carom_geometry_add_term(&g, sphere, CAROM_GEOMETRY_ANGLE, 2, -1.0); /* w_y turns z to x */
        carom_geometry_add_disc(&g, sphere, 0.0, 0.0, params->radius);
    } else {
        carom_geometry_add_circle(&g, sphere, 0.0, 0.0, params->radius);
    }
    add_floor(&g);
    return finish(record, &g);
}

carom_status carom_geometry_record_billiard_break(carom_record *record,
                                                  const carom_billiard_break_params *params) {
    static const char *const names[CAROM_BILLIARD_BREAK_BALLS] = {"a", "b", "c"};
    carom_geometry g = {0};
    for (int k = 0; k < CAROM_BILLIARD_BREAK_BALLS; k++) {
        const int ball = carom_geometry_add_body(&g, names[k], -1, 0.0, 0.0, 0.0);
        carom_geometry_add_term(&g, ball, CAROM_GEOMETRY_X, 2 * k, 1.0);
        carom_geometry_add_term(&g, ball, CAROM_GEOMETRY_Y, 2 * k + 1, 1.0);
        carom_geometry_add_circle(&g, ball, 0.0, 0.0, params->radii[k]);
    }
    return finish(record, &g);
}

carom_status carom_geometry_record_vibrating_table(carom_record *record,
                                                   const carom_vibrating_table_params *params) {
    const double amplitude = params->acceleration * params->gravity /
                             (params->angular_frequency * params->angular_frequency);
    // a table that stands still has the size of what falls in a radian of it
    const double size =
        amplitude > 0.0 ? amplitude
                        : params->gravity / (params->angular_frequency * params->angular_frequency);
    carom_geometry g = {0};
    const int table = carom_geometry_add_body(&g, "table", -1, 0.0, 0.0, 0.0);
    const int ball = carom_geometry_add_body(&g, "ball", -1, 0.0, 0.0, 0.0);
    carom_geometry_add_term(&g, table, CAROM_GEOMETRY_Y, 0, 1.0);
    carom_geometry_add_term(&g, ball, CAROM_GEOMETRY_Y, 1, 1.0);
    carom_geometry_add_box(&g, table, 0.0, -0.25 * size, 6.0 * size, 0.5 * size);
    carom_geometry_add_circle(&g, ball, 0.0, size, size);
    return finish(record, &g);
}

carom_status carom_geometry_record_ball_chain(carom_record *record,
                                              const carom_ball_chain_params *params) {
    carom_geometry g = {0};
    for (int k = 0; k < params->balls; k++) {
        const int ball = carom_geometry_add_body(&g, NULL, -1, 0.0, 0.0, 0.0);
        carom_geometry_add_term(&g, ball, CAROM_GEOMETRY_X, k, 1.0);
        carom_geometry_add_disc(&g, ball, 0.0, 0.0, params->radii[k]);
    }
    return finish(record, &g);
}

/* ------------------------------------------------------------------------------ on one spring */

/** A mass as a box above a place, that coordinates move up. */
static int add_riser(carom_geometry *g, const char *name, double height, double size) {
    const int mass = carom_geometry_add_body(g, name, -1, 0.0, height, 0.0);
    carom_geometry_add_box(g, mass, 0.0, 0.5 * size, 2.0 * size, size);
    return mass;
}

carom_status carom_geometry_record_hopper(carom_record *record, const carom_hopper_params *params,
                                          const double *rest) {
    const double size = 0.1 * params->spring_length;
    carom_geometry g = {0};
    const int lower = add_riser(&g, "lower mass", rest[1], size);
    const int upper = add_riser(&g, "upper mass", params->spring_length + rest[0], size);
    carom_geometry_add_term(&g, lower, CAROM_GEOMETRY_Y, 1, 1.0);
    carom_geometry_add_term(&g, upper, CAROM_GEOMETRY_Y, 0, 1.0);
    carom_geometry_add_spring(&g, lower, (double[2]){0.0, size}, upper, (double[2]){0.0, 0.0});
    add_floor(&g);
    return finish(record, &g);
}

carom_status carom_geometry_record_juggler(carom_record *record, const carom_juggler_params *params,
                                           const double *rest) {
    const double size = 0.1 * params->spring_length;
    carom_geometry g = {0};
    const int paddle =
        carom_geometry_add_body(&g, "paddle", -1, 0.0, params->spring_length + rest[0], 0.0);
    const int ball = carom_geometry_add_body(&g, "ball", paddle, 0.0, rest[1], 0.0);
    carom_geometry_add_term(&g, paddle, CAROM_GEOMETRY_Y, 0, 1.0);
    carom_geometry_add_term(&g, ball, CAROM_GEOMETRY_Y, 1, 1.0);
    carom_geometry_add_box(&g, paddle, 0.0, -0.25 * size, 4.0 * size, 0.5 * size);
    carom_geometry_add_circle(&g, ball, 0.0, size, size);
    carom_geometry_add_spring(&g, -1, (double[2]){0.0, 0.0}, paddle, (double[2]){0.0, -0.5 * size});
    add_floor(&g);
    return finish(record, &g);
}

/* ---------------------------------------------------------------------------------------- robots
 */

/** A link of TREX from a place of its parent: it points along its x axis and has the angles of all
 * coordinates between. */
static int add_link(carom_geometry *g, const char *name, int parent, double along, double length,
                    int count, const int *angles) {
    static const double joint[2] = {0.0, 0.0};
    const int link = carom_geometry_add_body(g, name, parent, along, 0.0, 0.0);
    for (int k = 0; k < count; k++) {
        carom_geometry_add_term(g, link, CAROM_GEOMETRY_ANGLE, angles[k], 1.0);
    }
    carom_geometry_add_line(g, link, joint, (double[2]){length, 0.0});
    return link;
}

carom_status carom_geometry_record_trex(carom_record *record, const carom_trex_params *params) {
    static const double METRE = 0.01; /* the robot is in cm */
    static const int left[] = {CAROM_TREX_PITCH, CAROM_TREX_LEFT_HIP, CAROM_TREX_LEFT_KNEE};
    static const int right[] = {CAROM_TREX_PITCH, CAROM_TREX_RIGHT_HIP, CAROM_TREX_RIGHT_KNEE};
    static const int back[] = {CAROM_TREX_PITCH, CAROM_TREX_BODY_JOINT};
    const double upper = METRE * params->upper_length;
    const double lower = METRE * params->lower_length;
    const double joint = METRE * (params->anterior_radius + params->posterior_radius);
    const double tail = METRE * carom_trex_tail_length(params->tail, params->anterior_radius,
                                                       params->posterior_radius);
    carom_geometry g = {0};
    const int front = carom_geometry_add_free_body(&g, "anterior body", CAROM_TREX_X, METRE);
    carom_geometry_add_disc(&g, front, 0.0, 0.0, METRE * params->anterior_radius);
    // links stand in the frame of the body, which is turned: hips are its centre
    const int left_upper = add_link(&g, "left upper leg", front, 0.0, upper, 2, left);
    add_link(&g, "left lower leg", left_upper, upper, lower, 3, left);
    const int right_upper = add_link(&g, "right upper leg", front, 0.0, upper, 2, right);
    add_link(&g, "right lower leg", right_upper, upper, lower, 3, right);
    const int rear = add_link(&g, "posterior body", front, joint, tail, 2, back);
    carom_geometry_add_disc(&g, rear, 0.0, 0.0, METRE * params->posterior_radius);
    add_floor(&g);
    return finish(record, &g);
}

carom_status carom_geometry_record_armed_biped(carom_record *record,
                                               const carom_armed_biped_params *params) {
    static const double joint[2] = {0.0, 0.0};
    const int links = carom_armed_biped_coordinate_count(params);
    carom_geometry g = {0};
    for (int k = 0; k < links; k++) {
        // coordinates go down from the arm, links up from the leg; angles are clockwise
        const double length = params->lengths[k];
        const int link = carom_geometry_add_body(&g, k == 0 ? "stance leg" : NULL, k - 1, 0.0,
                                                 k > 0 ? params->lengths[k - 1] : 0.0, 0.0);
        carom_geometry_add_term(&g, link, CAROM_GEOMETRY_ANGLE, links - 1 - k, -1.0);
        carom_geometry_add_line(&g, link, joint, (double[2]){0.0, length});
    }
    // the other leg is turned by 2 theta about the hip
    const double turn = 2.0 * params->half_step_angle;
    const double hip[2] = {0.0, params->lengths[0]};
    const double foot[2] = {-params->lengths[0] * sin(turn),
                            params->lengths[0] * (1.0 - cos(turn))};
    carom_geometry_add_line(&g, 0, hip, foot);
    add_floor(&g);
    return finish(record, &g);
}

/* ---------------------------------------------------------------------------------------- systems
 */

/** A spring where neighbours pull each other, and one that holds the first. */
static void add_chain_springs(carom_geometry *g, const carom_linear_system *system, double apart,
                              double size) {
    const int n = system->coordinate_count;
    double held = 0.0;
    for (int k = 0; k < n; k++) {
        held += system->stiffness[k];
    }
    const double left[2] = {-0.5 * size, 0.0};
    const double right[2] = {0.5 * size, 0.0};
    if (held > 64.0 * DBL_EPSILON * system->stiffness[0]) { // some roundings of its row
        carom_geometry_add_spring(g, -1, (double[2]){-apart, 0.0}, 0, left);
    }
    for (int k = 0; k + 1 < n; k++) {
        if (fabs(system->stiffness[k * n + k + 1]) > 0.0) {
            carom_geometry_add_spring(g, k, right, k + 1, left);
        }
    }
}

carom_status carom_geometry_record_linear_system(carom_record *record,
                                                 const carom_linear_system *system) {
    const double gap = fabs(system->gap_at_rest);
    const double apart = gap > 0.0 ? 3.0 * gap : 1.0;
    const double size = 0.3 * apart;
    int last = system->coordinate_count - 1;
    while (last > 0 && !(fabs(system->contact_normal[last]) > 0.0)) {
        last--;
    }
    const double direction = system->contact_normal[last] > 0.0 ? -1.0 : 1.0;
    const carom_planar_wall obstacle = {
        {apart * last + direction * (0.5 * size + system->gap_at_rest), 0.0}, {-direction, 0.0}};
    carom_geometry g = {0};
    for (int k = 0; k < system->coordinate_count; k++) {
        const int mass = carom_geometry_add_body(&g, NULL, -1, apart * k, 0.0, 0.0);
        carom_geometry_add_term(&g, mass, CAROM_GEOMETRY_X, k, 1.0);
        carom_geometry_add_box(&g, mass, 0.0, 0.0, size, size);
    }
    add_chain_springs(&g, system, apart, size);
    carom_geometry_add_half_plane(&g, &obstacle);
    return finish(record, &g);
}
