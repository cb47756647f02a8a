#include <carom/mechanism/bodies/internal.h>

#include <carom/mechanism/bodies/space.h>

#include <math.h>
#include <string.h>

/* a += s b. */
static void add(double a[3], double s, const double b[3]) {
    for (int k = 0; k < 3; k++) {
        a[k] += s * b[k];
    }
}

static void add_cross(double c[3], double s, const double a[3], const double b[3]) {
    double product[3];
    carom_space_cross(a, b, product);
    add(c, s, product);
}

/* --- where it is -------------------------------------------------------------------------------
 */

/* Tangents: what of the axis `aside` is across the normal, and across both. */
static void fill_tangents(carom_solid_span *s) {
    const double *n = s->directions[0];
    const double along = n[s->touch->aside];
    double *t = s->directions[1];
    for (int k = 0; k < 3; k++) {
        t[k] = (k == s->touch->aside ? 1.0 : 0.0) - along * n[k];
    }
    s->aside = carom_space_length(t);
    for (int k = 0; k < 3; k++) {
        t[k] /= s->aside;
    }
    carom_space_cross(n, t, s->directions[2]);
}

carom_solid_span carom_solid_span_at(const carom_bodies_touch *touch, const double *q) {
    carom_solid_span s = {.touch = touch};
    double *n = s.directions[0];
    for (int side = 0; side < 2; side++) {
        s.frames[side] = carom_solid_frame_of(q, touch->bodies[side]);
    }
    carom_space_turn(s.frames[1].turn, touch->other, s.second);
    if (touch->kind != CAROM_BODIES_POINT_LINE) {
        carom_space_turn(s.frames[0].turn, touch->point, s.first);
    }
    for (int k = 0; k < 3; k++) {
        s.between[k] = (s.frames[1].place[k] + s.second[k]) - (s.frames[0].place[k] + s.first[k]);
    }
    const double radii = touch->radii[0] + touch->radii[1];
    if (touch->kind == CAROM_BODIES_POINT_LINE) {
        carom_space_turn(s.frames[0].turn, touch->normal, n);
        s.distance = carom_space_dot(n, s.between);
        s.gap = s.distance - (touch->offset + radii);
    } else {
        memcpy(n, s.between, 3 * sizeof *n);
        if (touch->kind == CAROM_BODIES_POINT_AXIS) {
            carom_space_turn(s.frames[0].turn, touch->normal, s.axis);
            add(n, -carom_space_dot(s.axis, s.between), s.axis);
        }
        s.distance = carom_space_length(n);
        s.gap = s.distance - radii;
        for (int k = 0; k < 3; k++) {
            /* points in one place have no direction between them: any but `aside` */
            n[k] = s.distance > 0.0 ? n[k] / s.distance : (k == (touch->aside + 1) % 3 ? 1.0 : 0.0);
        }
    }
    fill_tangents(&s);
    return s;
}

double carom_solid_settle(carom_bodies_touch *touch, const double *q) {
    const carom_solid_span s = carom_solid_span_at(touch, q);
    for (int k = 0; k < 3; k++) {
        const bool is_less = fabs(s.directions[0][k]) < fabs(s.directions[0][touch->aside]);
        touch->aside = is_less ? k : touch->aside;
    }
    return s.gap;
}

/* --- rows --------------------------------------------------------------------------------------
 */

/* Arms from the centres to the points whose velocities a row compares. The normal speed is that of
 * the points; of a plane or an axis both are at the second. Sliding is that of the surfaces, of a
 * plane or an axis both at the place of the second's. */
static void find_arms(const carom_solid_span *s, int direction, double arms[2][3]) {
    const double *n = s->directions[0];
    const double *r = s->touch->radii;
    const bool is_point = s->touch->kind == CAROM_BODIES_POINT_POINT;
    memcpy(arms[0], s->first, sizeof s->first);
    memcpy(arms[1], s->second, sizeof s->second);
    if (!is_point) {
        add(arms[0], 1.0, s->between);
    }
    if (direction > 0) {
        add(arms[0], is_point ? r[0] : -r[1], n);
        add(arms[1], -r[1], n);
    }
}

/*[solidRows]*/
/* d . (v_2 + w_2 x a_2 - v_1 - w_1 x a_1), with angular velocities about the axes of the bodies. */
void carom_solid_row(const carom_solid_span *span, int direction, double row[CAROM_SOLID_OF_PAIR]) {
    const double *d = span->directions[direction];
    double arms[2][3];
    find_arms(span, direction, arms);
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? -1.0 : 1.0;
        double *own = row + CAROM_SOLID_VELOCITIES * (size_t)side;
        double turn[3];
        carom_space_cross(arms[side], d, turn);
        carom_space_turn_back(span->frames[side].turn, turn, own + 3);
        for (int k = 0; k < 3; k++) {
            own[k] = sign * d[k];
            own[3 + k] *= sign;
        }
    }
}
/*[end solidRows]*/

/* Of a number that depends on a direction d, its derivative by d becomes one by the normal. */
static void direction_to_normal(const carom_solid_span *s, int direction, const double by_d[3],
                                double by_normal[3]) {
    const double *n = s->directions[0];
    const double *t = s->directions[1];
    double by_t[3];
    memcpy(by_t, by_d, sizeof by_t);
    if (direction == 0) {
        add(by_normal, 1.0, by_d);
        return;
    }
    if (direction == 2) { /* n x t */
        add_cross(by_normal, 1.0, t, by_d);
        carom_space_cross(by_d, n, by_t);
    }
    /* t = w/|w|, w = e - (e . n) n */
    double by_w[3];
    const double along = carom_space_dot(t, by_t);
    for (int k = 0; k < 3; k++) {
        by_w[k] = (by_t[k] - along * t[k]) / s->aside;
    }
    by_normal[s->touch->aside] -= carom_space_dot(n, by_w);
    add(by_normal, -n[s->touch->aside], by_w);
}

/* Derivatives by places and turns of both bodies, in the world. */
typedef struct slopes {
    double place[2][3];
    double turn[2][3];
} slopes;

/* The second point is x_2 + R_2 b, the first x_1 + R_1 a. */
static void add_points(const carom_solid_span *s, double sign, const double by_between[3],
                       slopes *to) {
    add(to->place[1], sign, by_between);
    add_cross(to->turn[1], sign, s->second, by_between);
    add(to->place[0], -sign, by_between);
    add_cross(to->turn[0], -sign, s->first, by_between);
}

/* A derivative by the normal: of a plane it turns with the first body; else it is D/|D|, D from
 * point to point, of an axis e less e (e . D). */
static void add_normal(const carom_solid_span *s, const double by_normal[3], slopes *to) {
    const double *n = s->directions[0];
    if (s->touch->kind == CAROM_BODIES_POINT_LINE) {
        add_cross(to->turn[0], 1.0, n, by_normal);
        return;
    }
    if (!(s->distance > 0.0)) {
        return; /* points in one place have no direction between them */
    }
    double by_way[3];
    const double along = carom_space_dot(n, by_normal);
    for (int k = 0; k < 3; k++) {
        by_way[k] = (by_normal[k] - along * n[k]) / s->distance;
    }
    if (s->touch->kind == CAROM_BODIES_POINT_AXIS) {
        const double *e = s->axis;
        const double part = carom_space_dot(e, by_way);
        double by_axis[3] = {0.0, 0.0, 0.0};
        add(by_axis, -carom_space_dot(e, s->between), by_way);
        add(by_axis, -part, s->between);
        add_cross(to->turn[0], 1.0, e, by_axis);
        add(by_way, -part, e);
    }
    add_points(s, 1.0, by_way, to);
}

/* u = v_2 + w_2 x a_2 - v_1 - w_1 x a_1 with velocities in space, w the angular ones. */
static void relative_velocity(const carom_solid_span *s, const double *velocity, double arms[2][3],
                              double w[2][3], double u[3]) {
    memset(u, 0, 3 * sizeof *u);
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? -1.0 : 1.0;
        const double *own = velocity + CAROM_SOLID_VELOCITIES * (size_t)side;
        carom_space_turn(s->frames[side].turn, own + 3, w[side]);
        add(u, sign, own);
        add_cross(u, sign, w[side], arms[side]);
    }
}

/* By the chain rule from d . u back to places and turns: w = R w_b turns with its body, arms are
 * made of points and of the normal, d of the normal. */
void carom_solid_rate_row(const carom_solid_span *span, int direction,
                          const double velocity[CAROM_SOLID_OF_PAIR],
                          double row[CAROM_SOLID_OF_PAIR]) {
    const double *d = span->directions[direction];
    const double *r = span->touch->radii;
    const bool is_point = span->touch->kind == CAROM_BODIES_POINT_POINT;
    double arms[2][3];
    double w[2][3];
    double u[3];
    double by_arm[2][3] = {{0.0}};
    double by_normal[3] = {0.0, 0.0, 0.0};
    slopes to = {0};
    find_arms(span, direction, arms);
    relative_velocity(span, velocity, arms, w, u);
    direction_to_normal(span, direction, u, by_normal);
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? -1.0 : 1.0;
        double lever[3];
        carom_space_cross(arms[side], d, lever);
        add_cross(to.turn[side], sign, w[side], lever);
        add_cross(by_arm[side], sign, d, w[side]);
    }
    if (direction > 0) {
        add(by_normal, is_point ? r[0] : -r[1], by_arm[0]);
        add(by_normal, -r[1], by_arm[1]);
    }
    add_cross(to.turn[1], 1.0, span->second, by_arm[1]);
    if (is_point) {
        add_cross(to.turn[0], 1.0, span->first, by_arm[0]);
    } else {
        add(to.place[1], 1.0, by_arm[0]);
        add_cross(to.turn[1], 1.0, span->second, by_arm[0]);
        add(to.place[0], -1.0, by_arm[0]);
    }
    add_normal(span, by_normal, &to);
    for (int side = 0; side < 2; side++) {
        double *own = row + CAROM_SOLID_VELOCITIES * (size_t)side;
        memcpy(own, to.place[side], 3 * sizeof *own);
        carom_space_turn_back(span->frames[side].turn, to.turn[side], own + 3);
    }
}
