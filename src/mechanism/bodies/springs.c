#include <carom/mechanism/bodies/internal.h>

#include <math.h>

/* The two points of a spring, as if they touched. */
static carom_bodies_touch ends_of(const carom_bodies_spring *spring) {
    return (carom_bodies_touch){
        .kind = CAROM_BODIES_POINT_POINT,
        .bodies = {spring->first, spring->second},
        .point = {spring->first_point[0], spring->first_point[1]},
        .other = {spring->second_point[0], spring->second_point[1]},
    };
}

/* Index in q of entry i of the row of two bodies; -1 of the ground. */
static int coordinate_of(const carom_bodies_touch *ends, int i) {
    const int body = ends->bodies[i / CAROM_BODIES_OF_BODY];
    return body < 0 ? -1 : CAROM_BODIES_OF_BODY * body + i % CAROM_BODIES_OF_BODY;
}

static double product(const double *row, const double *velocity) {
    double sum = 0.0;
    for (int i = 0; i < CAROM_BODIES_OF_PAIR; i++) {
        sum += row[i] * velocity[i];
    }
    return sum;
}

/* With the row g = dl/dq the force is -(k (l - l_0) + c l') g'. */
void carom_bodies_spring_force(const carom_bodies_spring *spring, const double *q, const double *v,
                               double *f) {
    const carom_bodies_touch ends = ends_of(spring);
    const carom_bodies_span span = carom_bodies_span_at(&ends, q);
    double row[CAROM_BODIES_OF_PAIR];
    double velocity[CAROM_BODIES_OF_PAIR];
    carom_bodies_normal_row(&span, row);
    carom_bodies_pair_velocity(ends.bodies, v, velocity);
    const double force = spring->stiffness * (span.distance - spring->length) +
                         spring->damping * product(row, velocity);
    for (int i = 0; i < CAROM_BODIES_OF_PAIR; i++) {
        const int at = coordinate_of(&ends, i);
        if (at >= 0) {
            f[at] -= force * row[i];
        }
    }
}

/* K = k g'g + (k (l - l_0) + c l') dg'/dq + c g' dl'/dq, where of d(dg v)/dq = dg' v the derivative
 * dg' itself is found by unit velocities. */
void carom_bodies_spring_stiffness(const carom_bodies_spring *spring, const double *q,
                                   const double *v, carom_layout layout, double *K) {
    const carom_bodies_touch ends = ends_of(spring);
    const carom_bodies_span span = carom_bodies_span_at(&ends, q);
    double row[CAROM_BODIES_OF_PAIR];
    double rate[CAROM_BODIES_OF_PAIR];
    double velocity[CAROM_BODIES_OF_PAIR];
    carom_bodies_normal_row(&span, row);
    carom_bodies_pair_velocity(ends.bodies, v, velocity);
    carom_bodies_normal_rate_row(&span, velocity, rate);
    const double force = spring->stiffness * (span.distance - spring->length) +
                         spring->damping * product(row, velocity);
    for (int i = 0; i < CAROM_BODIES_OF_PAIR; i++) {
        double unit[CAROM_BODIES_OF_PAIR] = {0.0};
        double second[CAROM_BODIES_OF_PAIR];
        unit[i] = 1.0;
        carom_bodies_normal_rate_row(&span, unit, second);
        const int at = coordinate_of(&ends, i);
        for (int j = 0; j < CAROM_BODIES_OF_PAIR && at >= 0; j++) {
            const int with = coordinate_of(&ends, j);
            if (with >= 0) {
                K[carom_layout_index(layout, at, with)] +=
                    row[i] * (spring->stiffness * row[j] + spring->damping * rate[j]) +
                    force * second[j];
            }
        }
    }
}

void carom_bodies_spring_damping(const carom_bodies_spring *spring, const double *q,
                                 carom_layout layout, double *C) {
    const carom_bodies_touch ends = ends_of(spring);
    const carom_bodies_span span = carom_bodies_span_at(&ends, q);
    double row[CAROM_BODIES_OF_PAIR];
    carom_bodies_normal_row(&span, row);
    for (int i = 0; i < CAROM_BODIES_OF_PAIR; i++) {
        const int at = coordinate_of(&ends, i);
        for (int j = 0; j < CAROM_BODIES_OF_PAIR && at >= 0; j++) {
            const int with = coordinate_of(&ends, j);
            if (with >= 0) {
                C[carom_layout_index(layout, at, with)] += spring->damping * row[i] * row[j];
            }
        }
    }
}

double carom_bodies_spring_energy(const carom_bodies_spring *spring, const double *q) {
    const carom_bodies_touch ends = ends_of(spring);
    const double stretch = carom_bodies_span_at(&ends, q).distance - spring->length;
    return 0.5 * spring->stiffness * stretch * stretch;
}
