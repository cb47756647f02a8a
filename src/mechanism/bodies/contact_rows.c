#include <carom/mechanism/bodies/internal.h>

#include <math.h>
#include <string.h>

static carom_bodies_span span_of_points(const carom_bodies_touch *touch,
                                        const carom_bodies_frame *a, const carom_bodies_frame *b) {
    carom_bodies_span s = {.kind = CAROM_BODIES_POINT_POINT, .touch = touch};
    carom_plane_rotate(a->turn, touch->point, s.arm);
    carom_plane_rotate(b->turn, touch->other, s.other);
    double between[2];
    for (int k = 0; k < 2; k++) {
        between[k] = (b->place[k] + s.other[k]) - (a->place[k] + s.arm[k]);
    }
    s.distance = hypot(between[0], between[1]);
    /* points in one place have no direction between them: any, the x axis */
    s.normal[0] = s.distance > 0.0 ? between[0] / s.distance : 1.0;
    s.normal[1] = s.distance > 0.0 ? between[1] / s.distance : 0.0;
    s.gap = s.distance - (touch->radii[0] + touch->radii[1]);
    return s;
}

static carom_bodies_span span_of_edge(const carom_bodies_touch *touch, const carom_bodies_frame *a,
                                      const carom_bodies_frame *b) {
    carom_bodies_span s = {.kind = CAROM_BODIES_POINT_LINE, .touch = touch};
    carom_plane_rotate(a->turn, touch->normal, s.normal);
    carom_plane_rotate(b->turn, touch->other, s.other);
    for (int k = 0; k < 2; k++) {
        s.arm[k] = (b->place[k] + s.other[k]) - a->place[k];
    }
    s.distance = carom_plane_dot(s.normal, s.arm);
    s.gap = s.distance - (touch->offset + touch->radii[0] + touch->radii[1]);
    return s;
}

carom_bodies_span carom_bodies_span_at(const carom_bodies_touch *touch, const double *q) {
    const carom_bodies_frame a = carom_bodies_frame_of(q, touch->bodies[0]);
    const carom_bodies_frame b = carom_bodies_frame_of(q, touch->bodies[1]);
    carom_bodies_span s = touch->kind == CAROM_BODIES_POINT_POINT ? span_of_points(touch, &a, &b)
                                                                  : span_of_edge(touch, &a, &b);
    s.tangent[0] = s.normal[1];
    s.tangent[1] = -s.normal[0];
    carom_plane_turn(s.arm, s.arm_turned);
    carom_plane_turn(s.other, s.other_turned);
    return s;
}

/* (-d, -d . arm_turned; d, d . other_turned) of a direction d: how fast the second point moves
 * along it beside what the first body carries there. */
static void direction_row(const carom_bodies_span *s, const double d[2],
                          double row[CAROM_BODIES_OF_PAIR]) {
    row[0] = -d[0];
    row[1] = -d[1];
    row[2] = -carom_plane_dot(d, s->arm_turned);
    row[3] = d[0];
    row[4] = d[1];
    row[5] = carom_plane_dot(d, s->other_turned);
}

/*[bodyRows]*/
/* g = |p_2 - p_1| - r_1 - r_2, or n . (p_2 - x_1) - c - r_1 - r_2 of an edge with n . p = c in its
 * body: the normal speed is that of the points either way. */
void carom_bodies_normal_row(const carom_bodies_span *span, double row[CAROM_BODIES_OF_PAIR]) {
    direction_row(span, span->normal, row);
}

/* Sliding is that of the surfaces, r_2 before the second point and r_1 behind the first; of an edge
 * both at the place of the second. */
void carom_bodies_tangent_row(const carom_bodies_span *span, double row[CAROM_BODIES_OF_PAIR]) {
    direction_row(span, span->tangent, row);
    const double *r = span->touch->radii;
    row[2] += span->kind == CAROM_BODIES_POINT_POINT ? r[0] : -r[1];
    row[5] += r[1];
}
/*[end bodyRows]*/

/* Of d . U with U = w + b other_turned - a arm_turned held in its directions: what the turns of the
 * arms change. */
static void add_arms(const carom_bodies_span *s, const double velocity[CAROM_BODIES_OF_PAIR],
                     const double d[2], double row[CAROM_BODIES_OF_PAIR]) {
    row[2] += velocity[2] * carom_plane_dot(d, s->arm);
    row[5] -= velocity[5] * carom_plane_dot(d, s->other);
}

/* With points the direction d turns by (t . dD)/|D|; `across` is how fast U is along what d turns
 * to. */
static void add_turn_of_points(const carom_bodies_span *s, double across,
                               double row[CAROM_BODIES_OF_PAIR]) {
    double turn[CAROM_BODIES_OF_PAIR];
    direction_row(s, s->tangent, turn);
    for (int i = 0; i < CAROM_BODIES_OF_PAIR; i++) {
        row[i] += across / s->distance * turn[i];
    }
}

/* U . d, the points' velocities along a direction. */
static double speed_along(const carom_bodies_span *s, const double velocity[CAROM_BODIES_OF_PAIR],
                          const double d[2]) {
    double row[CAROM_BODIES_OF_PAIR];
    direction_row(s, d, row);
    double sum = 0.0;
    for (int i = 0; i < CAROM_BODIES_OF_PAIR; i++) {
        sum += row[i] * velocity[i];
    }
    return sum;
}

/* Of an edge, whose d turns with the first body to `turned`: w . d - a d . arm_turned +
 * b d . other_turned, where the arm is from the first centre to the second point. */
static void edge_rate_row(const carom_bodies_span *s, const double velocity[CAROM_BODIES_OF_PAIR],
                          const double d[2], const double turned[2],
                          double row[CAROM_BODIES_OF_PAIR]) {
    const double w[2] = {velocity[3] - velocity[0], velocity[4] - velocity[1]};
    const double a = velocity[2];
    const double b = velocity[5];
    const double along[2] = {a * d[1], -a * d[0]}; /* a d . arm_turned = -along . arm */
    row[0] = along[0];
    row[1] = along[1];
    row[2] = carom_plane_dot(turned, w) - a * carom_plane_dot(turned, s->arm_turned) +
             b * carom_plane_dot(turned, s->other_turned);
    row[3] = -along[0];
    row[4] = -along[1];
    row[5] = -carom_plane_dot(along, s->other_turned) - b * carom_plane_dot(d, s->other);
}

void carom_bodies_normal_rate_row(const carom_bodies_span *span,
                                  const double velocity[CAROM_BODIES_OF_PAIR],
                                  double row[CAROM_BODIES_OF_PAIR]) {
    if (span->kind == CAROM_BODIES_POINT_LINE) {
        const double turned[2] = {-span->tangent[0], -span->tangent[1]};
        edge_rate_row(span, velocity, span->normal, turned, row);
        return;
    }
    memset(row, 0, CAROM_BODIES_OF_PAIR * sizeof *row);
    add_arms(span, velocity, span->normal, row);
    add_turn_of_points(span, speed_along(span, velocity, span->tangent), row);
}

void carom_bodies_tangent_rate_row(const carom_bodies_span *span,
                                   const double velocity[CAROM_BODIES_OF_PAIR],
                                   double row[CAROM_BODIES_OF_PAIR]) {
    if (span->kind == CAROM_BODIES_POINT_LINE) {
        edge_rate_row(span, velocity, span->tangent, span->normal, row);
        return;
    }
    memset(row, 0, CAROM_BODIES_OF_PAIR * sizeof *row);
    add_arms(span, velocity, span->tangent, row);
    add_turn_of_points(span, -speed_along(span, velocity, span->normal), row);
}

void carom_bodies_pair_velocity(const int bodies[2], const double *v,
                                double velocity[CAROM_BODIES_OF_PAIR]) {
    memset(velocity, 0, CAROM_BODIES_OF_PAIR * sizeof *velocity);
    for (int side = 0; side < 2; side++) {
        if (bodies[side] >= 0) {
            memcpy(velocity + CAROM_BODIES_OF_BODY * (size_t)side,
                   v + CAROM_BODIES_OF_BODY * (size_t)bodies[side],
                   CAROM_BODIES_OF_BODY * sizeof *velocity);
        }
    }
}

int carom_bodies_pair_coordinate(const int bodies[2], int i) {
    const int body = bodies[i / CAROM_BODIES_OF_BODY];
    return body < 0 ? -1 : CAROM_BODIES_OF_BODY * body + i % CAROM_BODIES_OF_BODY;
}

int carom_bodies_row_columns(const int bodies[2], int of_body, int *columns) {
    int count = 0;
    const int earlier = bodies[0] < bodies[1] ? 0 : 1;
    for (int k = 0; k < 2; k++) {
        const int body = bodies[k == 0 ? earlier : 1 - earlier];
        for (int i = 0; body >= 0 && i < of_body; i++) {
            columns[count++] = of_body * body + i;
        }
    }
    return count;
}

int carom_bodies_store_row(const int bodies[2], int of_body, const double *row, double *entries) {
    int count = 0;
    const int earlier = bodies[0] < bodies[1] ? 0 : 1;
    for (int k = 0; k < 2; k++) {
        const int side = k == 0 ? earlier : 1 - earlier;
        for (int i = 0; bodies[side] >= 0 && i < of_body; i++) {
            entries[count++] = row[of_body * side + i];
        }
    }
    return count;
}
