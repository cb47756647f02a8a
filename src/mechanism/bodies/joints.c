#include <carom/mechanism/bodies/internal.h>

#include <math.h>
#include <string.h>

int carom_bodies_joint_rows(const carom_bodies_joint *joint) {
    switch (joint->kind) {
    case CAROM_BODIES_REVOLUTE:
    case CAROM_BODIES_PRISMATIC:
        return 2;
    case CAROM_BODIES_FIXED:
        return 3;
    case CAROM_BODIES_DRIVEN:
        break;
    }
    return 1;
}

/* What joins points, by its directions x and y of the ground. */
typedef struct joined {
    double between[2]; /* from the first point to the second */
    double arm[2];
    double other[2];
} joined;

static joined join(const carom_bodies_joint *joint, const double *q) {
    const carom_bodies_frame a = carom_bodies_frame_of(q, joint->first);
    const carom_bodies_frame b = carom_bodies_frame_of(q, joint->second);
    joined j = {.between = {0.0, 0.0}};
    carom_plane_rotate(a.turn, joint->first_point, j.arm);
    carom_plane_rotate(b.turn, joint->second_point, j.other);
    for (int k = 0; k < 2; k++) {
        j.between[k] = (b.place[k] + j.other[k]) - (a.place[k] + j.arm[k]);
    }
    return j;
}

static double angle_between(const carom_bodies_joint *joint, const double *q) {
    const double second =
        joint->second < 0 ? 0.0 : q[CAROM_BODIES_OF_BODY * (size_t)joint->second + 2];
    const double first =
        joint->first < 0 ? 0.0 : q[CAROM_BODIES_OF_BODY * (size_t)joint->first + 2];
    return second - first;
}

/* A line through the first point, of a normal in the first body, as what the second touches. */
static carom_bodies_touch line_with(const carom_bodies_joint *joint, double x, double y) {
    carom_bodies_touch line = {
        .kind = CAROM_BODIES_POINT_LINE,
        .bodies = {joint->first, joint->second},
        .normal = {x, y},
        .other = {joint->second_point[0], joint->second_point[1]},
    };
    line.offset = carom_plane_dot(line.normal, joint->first_point);
    return line;
}

/* That of a prismatic joint. */
static carom_bodies_touch line_of(const carom_bodies_joint *joint) {
    return line_with(joint, -sin(joint->axis_angle), cos(joint->axis_angle));
}

/* The one across it, from which its coordinate counts. */
static carom_bodies_touch across(const carom_bodies_joint *joint) {
    return line_with(joint, cos(joint->axis_angle), sin(joint->axis_angle));
}

void carom_bodies_joint_residuals(const carom_bodies_joint *joint, const double *q, double *g) {
    const double angle = angle_between(joint, q);
    if (joint->kind == CAROM_BODIES_PRISMATIC) {
        const carom_bodies_touch line = line_of(joint);
        g[0] = carom_bodies_span_at(&line, q).gap;
        g[1] = angle - joint->angle;
        return;
    }
    const joined j = join(joint, q);
    if (joint->kind == CAROM_BODIES_DRIVEN) {
        g[0] = joint->coordinate == 2 ? angle : j.between[joint->coordinate];
        return;
    }
    g[0] = j.between[0];
    g[1] = j.between[1];
    if (joint->kind == CAROM_BODIES_FIXED) {
        g[2] = angle - joint->angle;
    }
}

/* Rows of the second point beside the first in direction k of the ground. */
static void place_row(const joined *j, int k, double row[CAROM_BODIES_OF_PAIR]) {
    double arm_turned[2];
    double other_turned[2];
    carom_plane_turn(j->arm, arm_turned);
    carom_plane_turn(j->other, other_turned);
    row[k] = -1.0;
    row[2] = -arm_turned[k];
    row[3 + k] = 1.0;
    row[5] = other_turned[k];
}

static void angle_row(double row[CAROM_BODIES_OF_PAIR]) {
    row[2] = -1.0;
    row[5] = 1.0;
}

void carom_bodies_joint_jacobian(const carom_bodies_joint *joint, const double *q,
                                 double rows[][CAROM_BODIES_OF_PAIR]) {
    memset(rows, 0, (size_t)carom_bodies_joint_rows(joint) * sizeof *rows);
    if (joint->kind == CAROM_BODIES_PRISMATIC) {
        const carom_bodies_touch line = line_of(joint);
        const carom_bodies_span span = carom_bodies_span_at(&line, q);
        carom_bodies_normal_row(&span, rows[0]);
        angle_row(rows[1]);
        return;
    }
    const joined j = join(joint, q);
    if (joint->kind == CAROM_BODIES_DRIVEN && joint->coordinate == 2) {
        angle_row(rows[0]);
    } else if (joint->kind == CAROM_BODIES_DRIVEN) {
        place_row(&j, joint->coordinate, rows[0]);
    } else {
        place_row(&j, 0, rows[0]);
        place_row(&j, 1, rows[1]);
    }
    if (joint->kind == CAROM_BODIES_FIXED) {
        angle_row(rows[2]);
    }
}

/* Of the speed of the second point beside the first in direction k: what turns are the arms. */
static void place_rates(const joined *j, int k, const double velocity[CAROM_BODIES_OF_PAIR],
                        double row[CAROM_BODIES_OF_PAIR]) {
    row[2] = velocity[2] * j->arm[k];
    row[5] = -velocity[5] * j->other[k];
}

void carom_bodies_joint_rates(const carom_bodies_joint *joint, const double *q,
                              const double velocity[CAROM_BODIES_OF_PAIR],
                              double rows[][CAROM_BODIES_OF_PAIR]) {
    memset(rows, 0, (size_t)carom_bodies_joint_rows(joint) * sizeof *rows);
    if (joint->kind == CAROM_BODIES_PRISMATIC) {
        const carom_bodies_touch line = line_of(joint);
        const carom_bodies_span span = carom_bodies_span_at(&line, q);
        carom_bodies_normal_rate_row(&span, velocity, rows[0]);
        return;
    }
    const joined j = join(joint, q);
    if (joint->kind == CAROM_BODIES_DRIVEN && joint->coordinate == 2) {
        return;
    }
    if (joint->kind == CAROM_BODIES_DRIVEN) {
        place_rates(&j, joint->coordinate, velocity, rows[0]);
        return;
    }
    place_rates(&j, 0, velocity, rows[0]);
    place_rates(&j, 1, velocity, rows[1]);
}

double carom_bodies_joint_coordinate(const carom_bodies_joint *joint, const double *q) {
    if (joint->kind == CAROM_BODIES_PRISMATIC) {
        const carom_bodies_touch line = across(joint);
        return carom_bodies_span_at(&line, q).gap;
    }
    return angle_between(joint, q) - joint->angle;
}

void carom_bodies_joint_coordinate_row(const carom_bodies_joint *joint, const double *q,
                                       double row[CAROM_BODIES_OF_PAIR]) {
    memset(row, 0, CAROM_BODIES_OF_PAIR * sizeof *row);
    if (joint->kind == CAROM_BODIES_PRISMATIC) {
        const carom_bodies_touch line = across(joint);
        const carom_bodies_span span = carom_bodies_span_at(&line, q);
        carom_bodies_normal_row(&span, row);
    } else {
        angle_row(row);
    }
}

void carom_bodies_joint_coordinate_rate(const carom_bodies_joint *joint, const double *q,
                                        const double velocity[CAROM_BODIES_OF_PAIR],
                                        double row[CAROM_BODIES_OF_PAIR]) {
    memset(row, 0, CAROM_BODIES_OF_PAIR * sizeof *row);
    if (joint->kind == CAROM_BODIES_PRISMATIC) {
        const carom_bodies_touch line = across(joint);
        const carom_bodies_span span = carom_bodies_span_at(&line, q);
        carom_bodies_normal_rate_row(&span, velocity, row);
    }
}

double carom_bodies_joint_offset(const carom_bodies_joint *joint, double t) {
    const carom_bodies_motion *m = &joint->motion;
    return joint->kind != CAROM_BODIES_DRIVEN
               ? 0.0
               : -(m->offset + m->speed * t + m->amplitude * sin(m->frequency * t + m->phase));
}

double carom_bodies_joint_speed(const carom_bodies_joint *joint, double t) {
    const carom_bodies_motion *m = &joint->motion;
    return joint->kind != CAROM_BODIES_DRIVEN
               ? 0.0
               : -(m->speed + m->amplitude * m->frequency * cos(m->frequency * t + m->phase));
}
