#include <carom/mechanism/bodies/internal.h>

#include <math.h>
#include <string.h>

enum { TANGENTS = 1, ROWS_OF_JOINT = 3 };

static void mass(const double *q, double *M, void *context) {
    (void)q;
    const carom_bodies *s = context;
    const carom_layout layout = s->mechanism.layout;
    memset(M, 0, carom_layout_entry_count(layout) * sizeof *M);
    for (int i = 0; i < layout.size; i++) {
        const carom_planar_shape *body = &s->bodies[i / CAROM_BODIES_OF_BODY];
        M[carom_layout_index(layout, i, i)] =
            i % CAROM_BODIES_OF_BODY == 2 ? body->inertia : body->mass;
    }
}

static void force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    const carom_bodies *s = context;
    for (int k = 0; k < s->body_count; k++) {
        double *own = f + CAROM_BODIES_OF_BODY * (size_t)k;
        own[0] = s->bodies[k].mass * s->gravity[0];
        own[1] = s->bodies[k].mass * s->gravity[1];
        own[2] = 0.0;
    }
    for (int k = 0; k < s->spring_count; k++) {
        carom_bodies_spring_force(&s->springs[k], q, v, f);
    }
}

static void stiffness(double t, const double *q, const double *v, double *K, void *context) {
    (void)t;
    const carom_bodies *s = context;
    memset(K, 0, carom_layout_entry_count(s->mechanism.layout) * sizeof *K);
    for (int k = 0; k < s->spring_count; k++) {
        carom_bodies_spring_stiffness(&s->springs[k], q, v, s->mechanism.layout, K);
    }
}

static void damping(double t, const double *q, const double *v, double *C, void *context) {
    (void)t;
    (void)v;
    const carom_bodies *s = context;
    memset(C, 0, carom_layout_entry_count(s->mechanism.layout) * sizeof *C);
    for (int k = 0; k < s->spring_count; k++) {
        carom_bodies_spring_damping(&s->springs[k], q, s->mechanism.layout, C);
    }
}

static double potential_energy(const double *q, void *context) {
    const carom_bodies *s = context;
    double sum = 0.0;
    for (int k = 0; k < s->body_count; k++) {
        sum -=
            s->bodies[k].mass * carom_plane_dot(s->gravity, q + CAROM_BODIES_OF_BODY * (size_t)k);
    }
    for (int k = 0; k < s->spring_count; k++) {
        sum += carom_bodies_spring_energy(&s->springs[k], q);
    }
    return sum;
}

static void constraints(const double *q, double *g, void *context) {
    const carom_bodies *s = context;
    for (int k = 0; k < s->joint_count; k++) {
        carom_bodies_joint_residuals(&s->joints[k], q, g);
        g += carom_bodies_joint_rows(&s->joints[k]);
    }
    for (int j = 0; j < s->capacity; j++) {
        g[j] = j < s->contact_count ? carom_bodies_span_at(&s->touches[j], q).gap : s->far;
    }
}

/* Store the rows of a joint behind those before. @return the place behind them */
static double *store_joint(const carom_bodies_joint *joint,
                           const double rows[][CAROM_BODIES_OF_PAIR], double *entries) {
    const int bodies[2] = {joint->first, joint->second};
    for (int i = 0; i < carom_bodies_joint_rows(joint); i++) {
        entries += carom_bodies_store_row(bodies, rows[i], entries);
    }
    return entries;
}

static void constraint_jacobian(const double *q, double *G, void *context) {
    const carom_bodies *s = context;
    for (int k = 0; k < s->joint_count; k++) {
        double rows[ROWS_OF_JOINT][CAROM_BODIES_OF_PAIR];
        carom_bodies_joint_jacobian(&s->joints[k], q, rows);
        G = store_joint(&s->joints[k], (const double(*)[CAROM_BODIES_OF_PAIR])rows, G);
    }
    for (int j = 0; j < s->contact_count; j++) {
        double row[CAROM_BODIES_OF_PAIR];
        const carom_bodies_span span = carom_bodies_span_at(&s->touches[j], q);
        carom_bodies_normal_row(&span, row);
        G += carom_bodies_store_row(s->touches[j].bodies, row, G);
    }
}

static void constraint_rate_derivative(const double *q, const double *v, double *D, void *context) {
    const carom_bodies *s = context;
    double velocity[CAROM_BODIES_OF_PAIR];
    for (int k = 0; k < s->joint_count; k++) {
        double rows[ROWS_OF_JOINT][CAROM_BODIES_OF_PAIR];
        const int bodies[2] = {s->joints[k].first, s->joints[k].second};
        carom_bodies_pair_velocity(bodies, v, velocity);
        carom_bodies_joint_rates(&s->joints[k], q, velocity, rows);
        D = store_joint(&s->joints[k], (const double(*)[CAROM_BODIES_OF_PAIR])rows, D);
    }
    for (int j = 0; j < s->contact_count; j++) {
        double row[CAROM_BODIES_OF_PAIR];
        const carom_bodies_span span = carom_bodies_span_at(&s->touches[j], q);
        carom_bodies_pair_velocity(s->touches[j].bodies, v, velocity);
        carom_bodies_normal_rate_row(&span, velocity, row);
        D += carom_bodies_store_row(s->touches[j].bodies, row, D);
    }
}

static void tangential_jacobian(const double *q, double *H, void *context) {
    const carom_bodies *s = context;
    for (int j = 0; j < s->contact_count; j++) {
        double row[CAROM_BODIES_OF_PAIR];
        const carom_bodies_span span = carom_bodies_span_at(&s->touches[j], q);
        carom_bodies_tangent_row(&span, row);
        H += carom_bodies_store_row(s->touches[j].bodies, row, H);
    }
}

static void tangential_rate_derivative(const double *q, const double *v, double *D, void *context) {
    const carom_bodies *s = context;
    double velocity[CAROM_BODIES_OF_PAIR];
    for (int j = 0; j < s->contact_count; j++) {
        double row[CAROM_BODIES_OF_PAIR];
        const carom_bodies_span span = carom_bodies_span_at(&s->touches[j], q);
        carom_bodies_pair_velocity(s->touches[j].bodies, v, velocity);
        carom_bodies_tangent_rate_row(&span, velocity, row);
        D += carom_bodies_store_row(s->touches[j].bodies, row, D);
    }
}

/* A driven joint has one row, its last; the gaps of contacts follow. */
static void constraint_offset(double t, double *offset, void *context) {
    const carom_bodies *s = context;
    memset(offset, 0, (size_t)(s->joint_rows + s->capacity) * sizeof *offset);
    for (int k = 0; k < s->joint_count; k++) {
        offset[0] = carom_bodies_joint_offset(&s->joints[k], t);
        offset += carom_bodies_joint_rows(&s->joints[k]);
    }
}

static void constraint_velocity(double t, double *w, void *context) {
    const carom_bodies *s = context;
    memset(w, 0, (size_t)(s->joint_rows + s->capacity * (1 + TANGENTS)) * sizeof *w);
    for (int k = 0; k < s->joint_count; k++) {
        w[0] = carom_bodies_joint_speed(&s->joints[k], t);
        w += carom_bodies_joint_rows(&s->joints[k]);
    }
    for (int j = 0; j < s->contact_count; j++) {
        w[s->capacity + j] = -s->touches[j].surface_speed;
    }
}

static bool has_moving_supports(const carom_bodies *s) {
    for (int k = 0; k < s->joint_count; k++) {
        if (s->joints[k].kind == CAROM_BODIES_DRIVEN) {
            return true;
        }
    }
    for (int k = 0; k < s->hull_count; k++) {
        if (fabs(s->hulls[k].surface_speed) > 0.0) {
            return true;
        }
    }
    return false;
}

void carom_bodies_fill_mechanism(carom_bodies *s, carom_layout layout) {
    carom_mechanism *m = &s->mechanism;
    const int rows = s->joint_rows + s->capacity;
    m->name = s->name;
    m->coordinate_count = CAROM_BODIES_OF_BODY * s->body_count;
    m->joint_count = s->joint_rows;
    m->contact_count = s->capacity;
    m->tangent_count = s->capacity > 0 ? TANGENTS : 0;
    m->layout = layout;
    m->position_units = "m, m, rad";
    m->velocity_units = "m s-1, m s-1, rad s-1";
    m->mass = mass;
    m->force = force;
    m->potential_energy = potential_energy;
    m->context = s;
    if (s->spring_count > 0) {
        m->stiffness = stiffness;
        m->damping = damping;
    }
    if (rows > 0) {
        m->constraint_pattern = (carom_mechanism_pattern){s->start, s->column};
        m->constraints = constraints;
        m->constraint_jacobian = constraint_jacobian;
        m->constraint_rate_derivative = constraint_rate_derivative;
    }
    if (s->capacity > 0) {
        m->restitution = s->restitution;
        m->friction = s->friction;
        m->tangential_pattern = (carom_mechanism_pattern){s->tangent_start, s->tangent_column};
        m->tangential_jacobian = tangential_jacobian;
        m->tangential_rate_derivative = tangential_rate_derivative;
        m->update_contacts = carom_bodies_update_contacts;
        m->contact_entry_count = CAROM_BODIES_OF_PAIR;
    }
    if (rows > 0 && has_moving_supports(s)) {
        m->constraint_offset = constraint_offset;
        m->constraint_velocity = constraint_velocity;
    }
}
