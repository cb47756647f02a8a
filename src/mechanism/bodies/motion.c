#include <carom/mechanism/bodies/internal.h>

#include <math.h>
#include <string.h>

enum { TANGENTS = 1, ROWS_OF_JOINT = 3 };

static double inverse_inertia(const carom_bodies *s, int body, bool is_turn) {
    return body < 0 ? 0.0 : is_turn ? 1.0 / s->bodies[body].inertia : 1.0 / s->bodies[body].mass;
}

/* As heavy as what it rubs on: both rows of its contact are of one size, in any units. */
static double pad_mass(const carom_bodies *s, const carom_bodies_joint *joint) {
    const bool is_turn = joint->kind == CAROM_BODIES_REVOLUTE;
    return 1.0 /
           (inverse_inertia(s, joint->first, is_turn) + inverse_inertia(s, joint->second, is_turn));
}

static void mass(const double *q, double *M, void *context) {
    (void)q;
    const carom_bodies *s = context;
    const carom_layout layout = s->mechanism.layout;
    memset(M, 0, carom_layout_entry_count(layout) * sizeof *M);
    for (int i = 0; i < CAROM_BODIES_OF_BODY * s->body_count; i++) {
        const carom_planar_shape *body = &s->bodies[i / CAROM_BODIES_OF_BODY];
        M[carom_layout_index(layout, i, i)] =
            i % CAROM_BODIES_OF_BODY == 2 ? body->inertia : body->mass;
    }
    for (int k = 0; k < s->pad_count; k++) {
        const int i = CAROM_BODIES_OF_BODY * s->body_count + k;
        M[carom_layout_index(layout, i, i)] = pad_mass(s, &s->joints[s->pad_joint[k]]);
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
    for (int k = 0; k < s->pad_count; k++) {
        f[CAROM_BODIES_OF_BODY * s->body_count + k] = -s->joints[s->pad_joint[k]].friction;
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

/* Limits, and room for contacts that come and go. */
static int contact_rows(const carom_bodies *s) {
    return s->limit_count + s->capacity;
}

static double potential_energy(const double *q, void *context) {
    const carom_bodies *s = context;
    double sum = 0.0;
    for (int k = 0; k < s->body_count; k++) {
        sum -=
            s->bodies[k].mass * carom_plane_dot(s->gravity, q + CAROM_BODIES_OF_BODY * (size_t)k);
    }
    for (int k = 0; k < s->pad_count; k++) {
        sum += s->joints[s->pad_joint[k]].friction * q[CAROM_BODIES_OF_BODY * s->body_count + k];
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
    for (int j = 0; j < s->limit_count; j++) {
        *g++ = carom_bodies_limit_gap(&s->joints[s->limits[j].joint], &s->limits[j], q);
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
        entries += carom_bodies_store_row(bodies, CAROM_BODIES_OF_BODY, rows[i], entries);
    }
    return entries;
}

/* Rows of the limits, normal or tangential. @return the place behind them */
static double *store_limits(const carom_bodies *s,
                            int (*store)(const carom_bodies_joint *joint,
                                         const carom_bodies_limit *limit, const double *q,
                                         const double *v, double *entries),
                            const double *q, const double *v, double *entries) {
    for (int j = 0; j < s->limit_count; j++) {
        entries += store(&s->joints[s->limits[j].joint], &s->limits[j], q, v, entries);
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
    G = store_limits(s, carom_bodies_store_limit, q, NULL, G);
    for (int j = 0; j < s->contact_count; j++) {
        double row[CAROM_BODIES_OF_PAIR];
        const carom_bodies_span span = carom_bodies_span_at(&s->touches[j], q);
        carom_bodies_normal_row(&span, row);
        G += carom_bodies_store_row(s->touches[j].bodies, CAROM_BODIES_OF_BODY, row, G);
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
    D = store_limits(s, carom_bodies_store_limit, q, v, D);
    for (int j = 0; j < s->contact_count; j++) {
        double row[CAROM_BODIES_OF_PAIR];
        const carom_bodies_span span = carom_bodies_span_at(&s->touches[j], q);
        carom_bodies_pair_velocity(s->touches[j].bodies, v, velocity);
        carom_bodies_normal_rate_row(&span, velocity, row);
        D += carom_bodies_store_row(s->touches[j].bodies, CAROM_BODIES_OF_BODY, row, D);
    }
}

/* D += lambda d(row')/dq of a row whose rates with a unit velocity are `rates`. */
static void add_curvature(const carom_bodies *s, const carom_bodies_joint *joint, int i,
                          double lambda, const double rates[CAROM_BODIES_OF_PAIR], double *D) {
    const int bodies[2] = {joint->first, joint->second};
    const int at = carom_bodies_pair_coordinate(bodies, i);
    for (int j = 0; j < CAROM_BODIES_OF_PAIR && at >= 0; j++) {
        const int with = carom_bodies_pair_coordinate(bodies, j);
        if (with >= 0) {
            D[carom_layout_index(s->mechanism.layout, at, with)] += lambda * rates[j];
        }
    }
}

/* Of joints and their stops, where no contact comes and goes: row i of the derivative is the rate
 * with a unit velocity of coordinate i. */
static void constraint_force_derivative(const double *q, const double *lambda, double *D,
                                        void *context) {
    const carom_bodies *s = context;
    const double *limits = lambda + s->joint_rows;
    memset(D, 0, carom_layout_entry_count(s->mechanism.layout) * sizeof *D);
    for (int k = 0; k < s->joint_count; k++) {
        const carom_bodies_joint *joint = &s->joints[k];
        for (int i = 0; i < CAROM_BODIES_OF_PAIR; i++) {
            double rows[ROWS_OF_JOINT][CAROM_BODIES_OF_PAIR];
            double unit[CAROM_BODIES_OF_PAIR] = {0.0};
            unit[i] = 1.0;
            carom_bodies_joint_rates(joint, q, unit, rows);
            for (int row = 0; row < carom_bodies_joint_rows(joint); row++) {
                add_curvature(s, joint, i, lambda[row], rows[row], D);
            }
            carom_bodies_joint_coordinate_rate(joint, q, unit, rows[0]);
            for (int j = 0; j < s->limit_count; j++) {
                const double sign = s->limits[j].kind == CAROM_BODIES_LOW    ? 1.0
                                    : s->limits[j].kind == CAROM_BODIES_HIGH ? -1.0
                                                                             : 0.0;
                if (s->limits[j].joint == k) {
                    add_curvature(s, joint, i, sign * limits[j], rows[0], D);
                }
            }
        }
        lambda += carom_bodies_joint_rows(joint);
    }
}

static void tangential_jacobian(const double *q, double *H, void *context) {
    const carom_bodies *s = context;
    H = store_limits(s, carom_bodies_store_limit_tangent, q, NULL, H);
    for (int j = 0; j < s->contact_count; j++) {
        double row[CAROM_BODIES_OF_PAIR];
        const carom_bodies_span span = carom_bodies_span_at(&s->touches[j], q);
        carom_bodies_tangent_row(&span, row);
        H += carom_bodies_store_row(s->touches[j].bodies, CAROM_BODIES_OF_BODY, row, H);
    }
}

static void tangential_rate_derivative(const double *q, const double *v, double *D, void *context) {
    const carom_bodies *s = context;
    double velocity[CAROM_BODIES_OF_PAIR];
    D = store_limits(s, carom_bodies_store_limit_tangent, q, v, D);
    for (int j = 0; j < s->contact_count; j++) {
        double row[CAROM_BODIES_OF_PAIR];
        const carom_bodies_span span = carom_bodies_span_at(&s->touches[j], q);
        carom_bodies_pair_velocity(s->touches[j].bodies, v, velocity);
        carom_bodies_tangent_rate_row(&span, velocity, row);
        D += carom_bodies_store_row(s->touches[j].bodies, CAROM_BODIES_OF_BODY, row, D);
    }
}

/* A driven joint has one row, its last; the gaps of contacts follow. */
static void constraint_offset(double t, double *offset, void *context) {
    const carom_bodies *s = context;
    memset(offset, 0, (size_t)(s->joint_rows + contact_rows(s)) * sizeof *offset);
    for (int k = 0; k < s->joint_count; k++) {
        offset[0] = carom_bodies_joint_offset(&s->joints[k], t);
        offset += carom_bodies_joint_rows(&s->joints[k]);
    }
}

static void constraint_velocity(double t, double *w, void *context) {
    const carom_bodies *s = context;
    memset(w, 0, (size_t)(s->joint_rows + contact_rows(s) * (1 + TANGENTS)) * sizeof *w);
    for (int k = 0; k < s->joint_count; k++) {
        w[0] = carom_bodies_joint_speed(&s->joints[k], t);
        w += carom_bodies_joint_rows(&s->joints[k]);
    }
    for (int j = 0; j < s->contact_count; j++) {
        w[contact_rows(s) + s->limit_count + j] = -s->touches[j].surface_speed;
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
    const int rows = s->joint_rows + contact_rows(s);
    m->name = s->name;
    m->coordinate_count = layout.size;
    m->joint_count = s->joint_rows;
    m->contact_count = contact_rows(s);
    m->tangent_count = m->contact_count > 0 ? TANGENTS : 0;
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
        m->constraint_force_derivative =
            carom_bodies_has_curvature(s) ? constraint_force_derivative : NULL;
    }
    m->constraint_sizes = s->sizes;
    if (m->contact_count > 0) {
        m->restitution = s->restitution;
        m->friction = s->friction;
        m->tangential_pattern = (carom_mechanism_pattern){s->tangent_start, s->tangent_column};
        m->tangential_jacobian = tangential_jacobian;
        m->tangential_rate_derivative = tangential_rate_derivative;
    }
    if (s->capacity > 0) {
        m->update_contacts = carom_bodies_update_contacts;
        m->contact_entry_count = CAROM_BODIES_OF_PAIR;
    }
    if (rows > 0 && has_moving_supports(s)) {
        m->constraint_offset = constraint_offset;
        m->constraint_velocity = constraint_velocity;
    }
}
