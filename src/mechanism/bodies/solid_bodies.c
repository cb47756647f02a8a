#include <carom/mechanism/bodies/internal.h>

#include <carom/mechanism/bodies/space.h>
#include <carom/mechanism/rotation.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TANGENTS = 2 };

carom_bodies_space_spec carom_bodies_space_spec_default(void) {
    return (carom_bodies_space_spec){.gravity = {0.0, 0.0, -9.81}};
}

/* --- forces ------------------------------------------------------------------------------------
 */

/* J w, with the tensor of a body. */
static void spin_of(const carom_bodies_mass *body, const double w[3], double spin[3]) {
    const double *J = body->inertia;
    spin[0] = J[0] * w[0] + J[3] * w[1] + J[4] * w[2];
    spin[1] = J[3] * w[0] + J[1] * w[1] + J[5] * w[2];
    spin[2] = J[4] * w[0] + J[5] * w[1] + J[2] * w[2];
}

static void mass(const double *q, double *M, void *context) {
    (void)q;
    const carom_bodies *s = context;
    const carom_layout layout = s->mechanism.layout;
    memset(M, 0, carom_layout_entry_count(layout) * sizeof *M);
    for (int b = 0; b < s->body_count; b++) {
        const int first = CAROM_SOLID_VELOCITIES * b;
        for (int i = 0; i < 3; i++) {
            double unit[3] = {0.0, 0.0, 0.0};
            double column[3];
            unit[i] = 1.0;
            spin_of(&s->masses[b], unit, column);
            M[carom_layout_index(layout, first + i, first + i)] = s->masses[b].mass;
            for (int k = 0; k < 3; k++) {
                if (k == i || layout.half_bandwidth > 0) {
                    M[carom_layout_index(layout, first + 3 + k, first + 3 + i)] = column[k];
                }
            }
        }
    }
}

/* f = (m gravity, -w x J w). */
static void force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)q;
    const carom_bodies *s = context;
    for (int b = 0; b < s->body_count; b++) {
        const double *w = v + CAROM_SOLID_VELOCITIES * (size_t)b + 3;
        double *own = f + CAROM_SOLID_VELOCITIES * (size_t)b;
        double spin[3];
        spin_of(&s->masses[b], w, spin);
        carom_space_cross(spin, w, own + 3);
        for (int k = 0; k < 3; k++) {
            own[k] = s->masses[b].mass * s->gravity[k];
        }
    }
}

/* C d = d x J w + w x J d. */
static void damping(double t, const double *q, const double *v, double *C, void *context) {
    (void)t;
    (void)q;
    const carom_bodies *s = context;
    const carom_layout layout = s->mechanism.layout;
    memset(C, 0, carom_layout_entry_count(layout) * sizeof *C);
    for (int b = 0; b < s->body_count; b++) {
        const int first = CAROM_SOLID_VELOCITIES * b + 3;
        const double *w = v + first;
        double spin[3];
        spin_of(&s->masses[b], w, spin);
        for (int i = 0; i < 3; i++) {
            double unit[3] = {0.0, 0.0, 0.0};
            double of_unit[3];
            double column[3];
            double other[3];
            unit[i] = 1.0;
            spin_of(&s->masses[b], unit, of_unit);
            carom_space_cross(unit, spin, column);
            carom_space_cross(w, of_unit, other);
            for (int k = 0; k < 3; k++) {
                C[carom_layout_index(layout, first + k, first + i)] = column[k] + other[k];
            }
        }
    }
}

static double potential_energy(const double *q, void *context) {
    const carom_bodies *s = context;
    double sum = 0.0;
    for (int b = 0; b < s->body_count; b++) {
        sum -=
            s->masses[b].mass * carom_space_dot(s->gravity, q + CAROM_SOLID_POSITIONS * (size_t)b);
    }
    return sum;
}

/* --- contacts ----------------------------------------------------------------------------------
 */

static void constraints(const double *q, double *g, void *context) {
    const carom_bodies *s = context;
    for (int j = 0; j < s->capacity; j++) {
        g[j] = j < s->contact_count ? carom_solid_span_at(&s->touches[j], q).gap : s->far;
    }
}

/* Rows of all contacts, of the directions from one to behind another, with a velocity their
 * derivatives. */
static void store_rows(const carom_bodies *s, int from, int to, const double *q, const double *v,
                       double *entries) {
    for (int j = 0; j < s->contact_count; j++) {
        const int *bodies = s->touches[j].bodies;
        const carom_solid_span span = carom_solid_span_at(&s->touches[j], q);
        double velocity[CAROM_SOLID_OF_PAIR] = {0.0};
        double row[CAROM_SOLID_OF_PAIR];
        for (int side = 0; side < 2 && v != NULL; side++) {
            if (bodies[side] >= 0) {
                memcpy(velocity + CAROM_SOLID_VELOCITIES * (size_t)side,
                       v + CAROM_SOLID_VELOCITIES * (size_t)bodies[side],
                       CAROM_SOLID_VELOCITIES * sizeof *velocity);
            }
        }
        for (int direction = from; direction < to; direction++) {
            if (v != NULL) {
                carom_solid_rate_row(&span, direction, velocity, row);
            } else {
                carom_solid_row(&span, direction, row);
            }
            entries += carom_bodies_store_row(bodies, CAROM_SOLID_VELOCITIES, row, entries);
        }
    }
}

static void constraint_jacobian(const double *q, double *G, void *context) {
    store_rows(context, 0, 1, q, NULL, G);
}

static void constraint_rate_derivative(const double *q, const double *v, double *D, void *context) {
    store_rows(context, 0, 1, q, v, D);
}

static void tangential_jacobian(const double *q, double *H, void *context) {
    store_rows(context, 1, 1 + TANGENTS, q, NULL, H);
}

static void tangential_rate_derivative(const double *q, const double *v, double *D, void *context) {
    store_rows(context, 1, 1 + TANGENTS, q, v, D);
}

/* --- what it is made of ------------------------------------------------------------------------
 */

/* Whether a body turns about every axis alike: it has no gyroscopic term. */
static bool is_round(const carom_bodies_mass *body) {
    const double *J = body->inertia;
    return !(fabs(J[0] - J[1]) > 0.0 || fabs(J[1] - J[2]) > 0.0 || fabs(J[3]) > 0.0 ||
             fabs(J[4]) > 0.0 || fabs(J[5]) > 0.0);
}

static void fill_mechanism(carom_bodies *s) {
    carom_mechanism *m = &s->mechanism;
    bool are_round = true;
    for (int b = 0; b < s->body_count; b++) {
        are_round = are_round && is_round(&s->masses[b]);
        s->rotations[b] = CAROM_SOLID_VELOCITIES * b + 3;
    }
    m->name = s->name;
    m->coordinate_count = CAROM_SOLID_VELOCITIES * s->body_count;
    m->layout = carom_layout_banded(m->coordinate_count, are_round ? 0 : 2);
    m->rotation_count = s->body_count;
    m->rotations = s->rotations;
    m->position_units = "m, m, m, 1, 1, 1, 1";
    m->velocity_units = "m s-1, m s-1, m s-1, rad s-1, rad s-1, rad s-1";
    m->mass = mass;
    m->force = force;
    m->damping = are_round ? NULL : damping;
    m->potential_energy = potential_energy;
    m->context = s;
    if (s->capacity > 0) {
        m->contact_count = s->capacity;
        m->tangent_count = TANGENTS;
        m->restitution = s->restitution;
        m->friction = s->friction;
        m->constraint_pattern = (carom_mechanism_pattern){s->start, s->column};
        m->tangential_pattern = (carom_mechanism_pattern){s->tangent_start, s->tangent_column};
        m->constraints = constraints;
        m->constraint_jacobian = constraint_jacobian;
        m->constraint_rate_derivative = constraint_rate_derivative;
        m->tangential_jacobian = tangential_jacobian;
        m->tangential_rate_derivative = tangential_rate_derivative;
        m->update_contacts = carom_bodies_update_contacts;
        m->contact_entry_count = CAROM_SOLID_OF_PAIR;
    }
}

static carom_status check(const carom_bodies_space_spec *spec, carom_report *report) {
    if (spec->body_count < 1) {
        return carom_report_refuse(report, "bodies", spec->body_count, -1, ">= 1");
    }
    CAROM_TRY(carom_report_require_finite(report, "gravity", 3, spec->gravity));
    for (int k = 0; k < spec->body_count; k++) {
        CAROM_TRY(carom_solid_check_mass(&spec->bodies[k], k, report));
    }
    for (int k = 0; k < spec->solid_count; k++) {
        CAROM_TRY(carom_solid_check(&spec->solids[k], spec->body_count, k, report));
    }
    return spec->most_contacts >= 0
               ? CAROM_OK
               : carom_report_refuse(report, "most contacts", spec->most_contacts, -1, ">= 0");
}

/* Balls of any sizes touch fewer than 8 others each on the average; a body stands in a corner of
 * six half spaces at most with all of its corners. */
static int capacity_of(const carom_bodies_space_spec *spec) {
    enum { OF_BALL = 8, MOST_PLANES = 6 };
    if (spec->most_contacts > 0) {
        return spec->most_contacts;
    }
    double solids = 0.0;
    double points = 0.0;
    double planes = 0.0;
    for (int k = 0; k < spec->solid_count; k++) {
        const bool is_plane = spec->solids[k].kind == CAROM_BODIES_HALF_SPACE;
        solids += is_plane ? 0.0 : 1.0;
        points += is_plane ? 0.0 : (double)carom_solid_point_count(&spec->solids[k]);
        planes += is_plane ? 1.0 : 0.0;
    }
    return (int)(fmin(OF_BALL * solids, 0.5 * solids * (solids - 1.0)) +
                 fmin(planes, MOST_PLANES) * points);
}

static void fill_hulls(const carom_bodies_space_spec *spec, carom_bodies *s) {
    static const double origin[3] = {0.0, 0.0, 0.0};
    double *room = s->numbers;
    for (int k = 0; k < spec->solid_count; k++) {
        const carom_bodies_solid *solid = &spec->solids[k];
        carom_bodies_give_room(&s->hulls[k], 3, (size_t)carom_solid_point_count(solid), &room);
        carom_solid_fill_hull(solid, solid->body < 0 ? origin : s->masses[solid->body].center,
                              &s->hulls[k]);
    }
}

carom_status carom_bodies_alloc_in_space(const carom_bodies_space_spec *spec, carom_bodies **out,
                                         carom_report *report) {
    CAROM_ASSERT(spec != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(check(spec, report));
    CAROM_AUTO(carom_bodies)
    s = carom_bodies_begin(3, spec->name, spec->body_count, spec->solid_count);
    if (s == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->capacity = capacity_of(spec);
    memcpy(s->gravity, spec->gravity, sizeof s->gravity);
    size_t points = 0;
    for (int k = 0; k < spec->solid_count; k++) {
        points += (size_t)carom_solid_point_count(&spec->solids[k]);
    }
    s->masses = calloc((size_t)s->body_count, sizeof *s->masses);
    s->rotations = calloc((size_t)s->body_count, sizeof *s->rotations);
    if (s->masses == NULL || s->rotations == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_bodies_alloc_contacts(s, points));
    memcpy(s->masses, spec->bodies, (size_t)s->body_count * sizeof *s->masses);
    fill_hulls(spec, s);
    carom_bodies_finish_hulls(s);
    carom_bodies_fill_patterns(s);
    fill_mechanism(s);
    CAROM_HAND_OVER(s, out);
    return CAROM_OK;
}

void carom_bodies_pose_in_space(const carom_bodies *bodies, const double *q, int body,
                                double pose[7]) {
    static const double no_turn[4] = {1.0, 0.0, 0.0, 0.0};
    const carom_solid_frame frame = carom_solid_frame_of(q, body);
    double from[3] = {0.0, 0.0, 0.0};
    if (body >= 0) {
        carom_space_turn(frame.turn, bodies->masses[body].center, from);
    }
    for (int k = 0; k < 3; k++) {
        pose[k] = frame.place[k] - from[k];
    }
    memcpy(pose + 3, body < 0 ? no_turn : q + CAROM_SOLID_POSITIONS * (size_t)body + 3,
           sizeof no_turn);
}

void carom_bodies_place_in_space(const carom_bodies *bodies, int body, const double pose[7],
                                 double coordinates[7]) {
    double R[9];
    double from[3];
    carom_rotation_matrix(pose + 3, R);
    carom_space_turn(R, bodies->masses[body].center, from);
    memcpy(coordinates + 3, pose + 3, 4 * sizeof *pose);
    for (int k = 0; k < 3; k++) {
        coordinates[k] = pose[k] + from[k];
    }
}
