/** Bodies in space for tests: solids, and how they start. */
#ifndef CAROM_TESTS_MECHANISM_BODIES_SPACE_H
#define CAROM_TESTS_MECHANISM_BODIES_SPACE_H

#include <carom/mechanism/bodies/bodies.h>

#include "steps.h"

#include <carom/mechanism/rotation.h>

#include <string.h>

enum { VELOCITIES = 6, POSITIONS = 7 };

static const double NO_TURN[4] = {1.0, 0.0, 0.0, 0.0};

static inline carom_bodies_solid half_space(const double normal[3], double friction) {
    return (carom_bodies_solid){.kind = CAROM_BODIES_HALF_SPACE,
                                .body = CAROM_BODIES_GROUND,
                                .to = {normal[0], normal[1], normal[2]},
                                .friction = friction};
}

static inline carom_bodies_solid ground(double friction) {
    return half_space((double[3]){0.0, 0.0, 1.0}, friction);
}

static inline carom_bodies_solid sphere(int body, double radius, double friction) {
    return (carom_bodies_solid){
        .kind = CAROM_BODIES_SPHERE, .body = body, .radius = radius, .friction = friction};
}

static inline carom_bodies_solid cuboid(int body, double a, double b, double c, double friction) {
    return (carom_bodies_solid){.kind = CAROM_BODIES_CUBOID,
                                .body = body,
                                .edges = {a, b, c},
                                .turn = {1.0, 0.0, 0.0, 0.0},
                                .friction = friction};
}

static inline carom_bodies_solid capsule(int body, const double a[3], const double b[3],
                                         double radius, double friction) {
    return (carom_bodies_solid){.kind = CAROM_BODIES_CAPSULE,
                                .body = body,
                                .place = {a[0], a[1], a[2]},
                                .to = {b[0], b[1], b[2]},
                                .radius = radius,
                                .friction = friction};
}

static inline carom_bodies_space_spec spec_of(int body_count, const carom_bodies_mass *bodies,
                                              int solid_count, const carom_bodies_solid *solids) {
    carom_bodies_space_spec spec = carom_bodies_space_spec_default();
    spec.body_count = body_count;
    spec.bodies = bodies;
    spec.solid_count = solid_count;
    spec.solids = solids;
    return spec;
}

static inline carom_bodies *build(const carom_bodies_space_spec *spec) {
    carom_bodies *bodies = NULL;
    carom_report report = carom_report_empty();
    const carom_status status = carom_bodies_alloc_in_space(spec, &bodies, &report);
    ck_assert_msg(status == CAROM_OK, "%s %g", report.quantity, report.value);
    return bodies;
}

/** A state: a body at a place with no turn, and its velocities. */
static inline void place_body(double *q, double *v, int body, const double place[3],
                              const double velocity[3], const double rate[3]) {
    memcpy(q + POSITIONS * body, place, 3 * sizeof *q);
    memcpy(q + POSITIONS * body + 3, NO_TURN, sizeof NO_TURN);
    memcpy(v + VELOCITIES * body, velocity, 3 * sizeof *v);
    memcpy(v + VELOCITIES * body + 3, rate, 3 * sizeof *v);
}

static const double ZERO[3] = {0.0, 0.0, 0.0};

#endif
