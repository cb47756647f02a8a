#include <carom/mechanism/bodies/internal.h>

#include <math.h>
#include <string.h>

/* A spring at a position: its length, or angle, and dl/dq. */
typedef struct drawn {
    carom_bodies_touch ends; /* the two points, as if they touched */
    carom_bodies_span span;  /* of these; not of a torsion spring */
    double length;
    double row[CAROM_BODIES_OF_PAIR];
} drawn;

static void draw(const carom_bodies_spring *spring, const double *q, drawn *d) {
    memset(d, 0, sizeof *d);
    d->ends = (carom_bodies_touch){
        .kind = CAROM_BODIES_POINT_POINT,
        .bodies = {spring->first, spring->second},
        .point = {spring->first_point[0], spring->first_point[1]},
        .other = {spring->second_point[0], spring->second_point[1]},
    };
    if (spring->is_torsion) {
        const carom_bodies_joint turn = {
            .kind = CAROM_BODIES_REVOLUTE, .first = spring->first, .second = spring->second};
        d->length = carom_bodies_joint_coordinate(&turn, q);
        carom_bodies_joint_coordinate_row(&turn, q, d->row);
        return;
    }
    d->span = carom_bodies_span_at(&d->ends, q);
    d->length = d->span.distance;
    carom_bodies_normal_row(&d->span, d->row);
}

/* d(dl/dq v)/dq, zero of angles. */
static void rate_of(const carom_bodies_spring *spring, const drawn *d,
                    const double velocity[CAROM_BODIES_OF_PAIR],
                    double rate[CAROM_BODIES_OF_PAIR]) {
    memset(rate, 0, CAROM_BODIES_OF_PAIR * sizeof *rate);
    if (!spring->is_torsion) {
        carom_bodies_normal_rate_row(&d->span, velocity, rate);
    }
}

/* k (l - l_0) + c l' with the velocities of both bodies. */
static double force_of(const carom_bodies_spring *spring, const drawn *d,
                       const double velocity[CAROM_BODIES_OF_PAIR]) {
    double speed = 0.0;
    for (int i = 0; i < CAROM_BODIES_OF_PAIR; i++) {
        speed += d->row[i] * velocity[i];
    }
    return spring->stiffness * (d->length - spring->length) + spring->damping * speed;
}

/* With the row g = dl/dq the force is -(k (l - l_0) + c l') g'. */
void carom_bodies_spring_force(const carom_bodies_spring *spring, const double *q, const double *v,
                               double *f) {
    drawn d;
    double velocity[CAROM_BODIES_OF_PAIR];
    draw(spring, q, &d);
    carom_bodies_pair_velocity(d.ends.bodies, v, velocity);
    const double force = force_of(spring, &d, velocity);
    for (int i = 0; i < CAROM_BODIES_OF_PAIR; i++) {
        const int at = carom_bodies_pair_coordinate(d.ends.bodies, i);
        if (at >= 0) {
            f[at] -= force * d.row[i];
        }
    }
}

/* K = k g'g + (k (l - l_0) + c l') dg'/dq + c g' dl'/dq, where of d(dg v)/dq = dg' v the derivative
 * dg' itself is found by unit velocities. */
void carom_bodies_spring_stiffness(const carom_bodies_spring *spring, const double *q,
                                   const double *v, carom_layout layout, double *K) {
    drawn d;
    double rate[CAROM_BODIES_OF_PAIR];
    double velocity[CAROM_BODIES_OF_PAIR];
    draw(spring, q, &d);
    carom_bodies_pair_velocity(d.ends.bodies, v, velocity);
    rate_of(spring, &d, velocity, rate);
    const double force = force_of(spring, &d, velocity);
    for (int i = 0; i < CAROM_BODIES_OF_PAIR; i++) {
        double unit[CAROM_BODIES_OF_PAIR] = {0.0};
        double second[CAROM_BODIES_OF_PAIR];
        unit[i] = 1.0;
        rate_of(spring, &d, unit, second);
        const int at = carom_bodies_pair_coordinate(d.ends.bodies, i);
        for (int j = 0; j < CAROM_BODIES_OF_PAIR && at >= 0; j++) {
            const int with = carom_bodies_pair_coordinate(d.ends.bodies, j);
            if (with >= 0) {
                K[carom_layout_index(layout, at, with)] +=
                    d.row[i] * (spring->stiffness * d.row[j] + spring->damping * rate[j]) +
                    force * second[j];
            }
        }
    }
}

void carom_bodies_spring_damping(const carom_bodies_spring *spring, const double *q,
                                 carom_layout layout, double *C) {
    drawn d;
    draw(spring, q, &d);
    for (int i = 0; i < CAROM_BODIES_OF_PAIR; i++) {
        const int at = carom_bodies_pair_coordinate(d.ends.bodies, i);
        for (int j = 0; j < CAROM_BODIES_OF_PAIR && at >= 0; j++) {
            const int with = carom_bodies_pair_coordinate(d.ends.bodies, j);
            if (with >= 0) {
                C[carom_layout_index(layout, at, with)] += spring->damping * d.row[i] * d.row[j];
            }
        }
    }
}

double carom_bodies_spring_energy(const carom_bodies_spring *spring, const double *q) {
    drawn d;
    draw(spring, q, &d);
    const double stretch = d.length - spring->length;
    return 0.5 * spring->stiffness * stretch * stretch;
}
