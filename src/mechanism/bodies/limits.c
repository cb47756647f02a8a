#include <carom/mechanism/bodies/internal.h>

#include <math.h>

int carom_bodies_joint_limits(const carom_bodies_joint *joint,
                              carom_bodies_limit_kind kinds[CAROM_BODIES_MOST_LIMITS]) {
    int count = 0;
    if (joint->has_stops && isfinite(joint->stops[0])) {
        kinds[count++] = CAROM_BODIES_LOW;
    }
    if (joint->has_stops && isfinite(joint->stops[1])) {
        kinds[count++] = CAROM_BODIES_HIGH;
    }
    if (joint->friction > 0.0) {
        kinds[count++] = CAROM_BODIES_RUBS;
    }
    return count;
}

carom_status carom_bodies_check_limits(const carom_bodies_joint *joint, int index,
                                       carom_report *report) {
    const bool has_coordinate =
        joint->kind == CAROM_BODIES_REVOLUTE || joint->kind == CAROM_BODIES_PRISMATIC;
    if (!(joint->friction >= 0.0 && isfinite(joint->friction))) {
        return carom_report_refuse(report, "friction of a joint", joint->friction, index, ">= 0");
    }
    if (!has_coordinate && (joint->has_stops || joint->friction > 0.0)) {
        return carom_report_refuse(report, "joint with stops or friction", joint->kind, index,
                                   "revolute or prismatic");
    }
    if (joint->has_stops && !(joint->stops[0] < joint->stops[1])) {
        return carom_report_refuse(report, "upper stop of a joint", joint->stops[1], index,
                                   "above the lower one");
    }
    return joint->restitution >= 0.0 && joint->restitution <= 1.0
               ? CAROM_OK
               : carom_report_refuse(report, "restitution of a joint", joint->restitution, index,
                                     "in [0,1]");
}

double carom_bodies_limit_gap(const carom_bodies_joint *joint, const carom_bodies_limit *limit,
                              const double *q) {
    switch (limit->kind) {
    case CAROM_BODIES_LOW:
        return carom_bodies_joint_coordinate(joint, q) - joint->stops[0];
    case CAROM_BODIES_HIGH:
        return joint->stops[1] - carom_bodies_joint_coordinate(joint, q);
    case CAROM_BODIES_RUBS:
        break;
    }
    return q[limit->pad];
}

/* Rows of the coordinate, or of its rate, times a sign. */
static int store_coordinate(const carom_bodies_joint *joint, double sign, const double *q,
                            const double *v, double *entries) {
    const int bodies[2] = {joint->first, joint->second};
    double row[CAROM_BODIES_OF_PAIR];
    if (v == NULL) {
        carom_bodies_joint_coordinate_row(joint, q, row);
    } else {
        double velocity[CAROM_BODIES_OF_PAIR];
        carom_bodies_pair_velocity(bodies, v, velocity);
        carom_bodies_joint_coordinate_rate(joint, q, velocity, row);
    }
    for (int i = 0; i < CAROM_BODIES_OF_PAIR; i++) {
        row[i] *= sign;
    }
    return carom_bodies_store_row(bodies, CAROM_BODIES_OF_BODY, row, entries);
}

int carom_bodies_store_limit(const carom_bodies_joint *joint, const carom_bodies_limit *limit,
                             const double *q, const double *v, double *entries) {
    if (limit->kind == CAROM_BODIES_RUBS) {
        entries[0] = v == NULL ? 1.0 : 0.0;
        return 1;
    }
    return store_coordinate(joint, limit->kind == CAROM_BODIES_LOW ? 1.0 : -1.0, q, v, entries);
}

int carom_bodies_store_limit_tangent(const carom_bodies_joint *joint,
                                     const carom_bodies_limit *limit, const double *q,
                                     const double *v, double *entries) {
    return limit->kind == CAROM_BODIES_RUBS ? store_coordinate(joint, 1.0, q, v, entries) : 0;
}

int carom_bodies_limit_columns(const carom_bodies_joint *joint, const carom_bodies_limit *limit,
                               int columns[CAROM_BODIES_OF_PAIR]) {
    if (limit->kind == CAROM_BODIES_RUBS) {
        columns[0] = limit->pad;
        return 1;
    }
    const int bodies[2] = {joint->first, joint->second};
    return carom_bodies_row_columns(bodies, CAROM_BODIES_OF_BODY, columns);
}

int carom_bodies_limit_tangent_columns(const carom_bodies_joint *joint,
                                       const carom_bodies_limit *limit,
                                       int columns[CAROM_BODIES_OF_PAIR]) {
    const int bodies[2] = {joint->first, joint->second};
    return limit->kind == CAROM_BODIES_RUBS
               ? carom_bodies_row_columns(bodies, CAROM_BODIES_OF_BODY, columns)
               : 0;
}

int carom_bodies_limit_count(const carom_bodies *bodies) {
    return bodies->limit_count;
}

carom_bodies_limit carom_bodies_limit_at(const carom_bodies *bodies, int index) {
    CAROM_ASSERT(index >= 0 && index < bodies->limit_count);
    carom_bodies_limit limit = bodies->limits[index];
    if (limit.kind == CAROM_BODIES_RUBS) { /* of the last coordinates, as of the last places */
        limit.pad +=
            carom_bodies_mechanism(bodies)->coordinate_count - bodies->mechanism.coordinate_count;
    }
    return limit;
}

void carom_bodies_joint_place(const carom_bodies *bodies, int joint, const double *q,
                              double place[2]) {
    CAROM_ASSERT(joint >= 0 && joint < bodies->joint_count);
    const carom_bodies_joint *j = &bodies->joints[joint];
    const carom_bodies_frame frame =
        carom_bodies_frame_of(carom_bodies_places(bodies, q), j->second);
    carom_plane_rotate(frame.turn, j->second_point, place);
    place[0] += frame.place[0];
    place[1] += frame.place[1];
}
