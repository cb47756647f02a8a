#include <carom/drawing/models.h>

#include <carom/models/trex/internal.h>

#include <math.h>

/** Write a description that is complete, and free it. */
static carom_status finish(carom_record *record, carom_geometry *geometry) {
    const carom_status status = carom_geometry_record(record, geometry);
    carom_geometry_clear(geometry);
    return status;
}

/** A body of the world that the coordinates x, y, theta move, from `first` on. */
static int add_free_body(carom_geometry *g, const char *name, int first, double length) {
    const int body = carom_geometry_add_body(g, name, -1, 0.0, 0.0, 0.0);
    carom_geometry_add_term(g, body, CAROM_GEOMETRY_X, first, length);
    carom_geometry_add_term(g, body, CAROM_GEOMETRY_Y, first + 1, length);
    carom_geometry_add_term(g, body, CAROM_GEOMETRY_ANGLE, first + 2, 1.0);
    return body;
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
    const int rod = add_free_body(&g, "pendulum", 0, 1.0);
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
    carom_geometry_add_box(&g, add_free_body(&g, "block", 0, 1.0), 0.0, 0.0, width, height);
    add_floor(&g);
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
    const int front = add_free_body(&g, "anterior body", CAROM_TREX_X, METRE);
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
    carom_geometry_add_half_plane(&g, &obstacle);
    return finish(record, &g);
}
