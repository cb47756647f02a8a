#include <carom/models/rigid_body.h>

#include <carom/mechanism/rotation.h>

#include <math.h>
#include <string.h>

enum { CORNERS = 8, VELOCITIES = 6, TANGENTS = 2 };

/** The parameters and what the mechanism borrows. */
typedef struct rigid_body {
    carom_rigid_body_params params;
    int contact_count;
    double friction[CORNERS];
    double restitution[CORNERS];
} rigid_body;

static const int ROTATIONS[] = {3};

carom_rigid_body_params carom_rigid_body_params_default(void) {
    return (carom_rigid_body_params){
        .mass = 1.0,
        .inertia = {0.004, 0.004, 0.004},
        .gravity = {0.0, 0.0, -9.81},
        .shape = CAROM_RIGID_BODY_SPHERE,
        .radius = 0.1,
        .edges = {0.2, 0.2, 0.2},
        .friction = 0.3,
        .initial_position = {0.0, 0.0, 0.1},
        .initial_rotation = {1.0, 0.0, 0.0, 0.0},
    };
}

/* ----------------------------------------------------------------------------------- the motion */

static void cross(const double *a, const double *b, double *c) {
    const double product[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                               a[0] * b[1] - a[1] * b[0]};
    memcpy(c, product, sizeof product);
}

/** M = diag(m, m, m, I): about axes that turn with the body it is constant. */
static void mass(const double *q, double *M, void *context) {
    (void)q;
    const carom_rigid_body_params *p = &((const rigid_body *)context)->params;
    memset(M, 0, VELOCITIES * VELOCITIES * sizeof *M);
    for (int i = 0; i < 3; i++) {
        M[i * VELOCITIES + i] = p->mass;
        M[(3 + i) * VELOCITIES + 3 + i] = p->inertia[i];
    }
}

/** Spin I w about the principal axes. */
static void spin_of(const carom_rigid_body_params *p, const double *w, double *spin) {
    for (int i = 0; i < 3; i++) {
        spin[i] = p->inertia[i] * w[i];
    }
}

/** f = (m gravity, -w x I w). */
static void force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)q;
    const carom_rigid_body_params *p = &((const rigid_body *)context)->params;
    double spin[3];
    spin_of(p, v + 3, spin);
    cross(spin, v + 3, f + 3);
    for (int i = 0; i < 3; i++) {
        f[i] = p->mass * p->gravity[i];
    }
}

/** C d = d x I w + w x I d. */
static void damping(double t, const double *q, const double *v, double *C, void *context) {
    (void)t;
    (void)q;
    const carom_rigid_body_params *p = &((const rigid_body *)context)->params;
    double spin[3];
    spin_of(p, v + 3, spin);
    memset(C, 0, VELOCITIES * VELOCITIES * sizeof *C);
    for (int j = 0; j < 3; j++) {
        double unit[3] = {0.0, 0.0, 0.0};
        double first[3];
        double second[3];
        unit[j] = 1.0;
        cross(unit, spin, first);
        unit[j] = p->inertia[j];
        cross(v + 3, unit, second);
        for (int i = 0; i < 3; i++) {
            C[(3 + i) * VELOCITIES + 3 + j] = first[i] + second[i];
        }
    }
}

/** V = -m gravity x. */
static double potential_energy(const double *q, void *context) {
    const carom_rigid_body_params *p = &((const rigid_body *)context)->params;
    return -p->mass * (p->gravity[0] * q[0] + p->gravity[1] * q[1] + p->gravity[2] * q[2]);
}

/* --------------------------------------------------------------------------------- the contacts */

/** What touches as contact j, from the centre of mass about the principal axes. */
static void contact_arm(const rigid_body *body, const double *R, int j, double *arm) {
    const carom_rigid_body_params *p = &body->params;
    for (int i = 0; i < 3; i++) {
        if (p->shape == CAROM_RIGID_BODY_SPHERE) {
            arm[i] = -p->radius * R[6 + i]; /* its lowest point, -R' e_z radius */
        } else {
            arm[i] = (j >> i & 1) != 0 ? 0.5 * p->edges[i] : -0.5 * p->edges[i];
        }
    }
}

/** The gap of a point is its height. */
static void constraints(const double *q, double *g, void *context) {
    const rigid_body *body = context;
    double R[9];
    carom_rotation_matrix(q + 3, R);
    for (int j = 0; j < body->contact_count; j++) {
        double arm[3];
        contact_arm(body, R, j, arm);
        g[j] = q[2] + R[6] * arm[0] + R[7] * arm[1] + R[8] * arm[2];
    }
}

/** A velocity of the contact along the axis of space k: (e_k, arm x R' e_k) v. */
static void axis_row(const double *R, const double *arm, int k, double *row) {
    memset(row, 0, VELOCITIES * sizeof *row);
    row[k] = 1.0;
    cross(arm, R + 3 * k, row + 3);
}

static void constraint_jacobian(const double *q, double *G, void *context) {
    const rigid_body *body = context;
    double R[9];
    carom_rotation_matrix(q + 3, R);
    for (int j = 0; j < body->contact_count; j++) {
        double arm[3];
        contact_arm(body, R, j, arm);
        axis_row(R, arm, 2, G + j * VELOCITIES);
    }
}

static void tangential_jacobian(const double *q, double *H, void *context) {
    const rigid_body *body = context;
    double R[9];
    carom_rotation_matrix(q + 3, R);
    for (int j = 0; j < body->contact_count; j++) {
        double arm[3];
        contact_arm(body, R, j, arm);
        axis_row(R, arm, 0, H + 2 * j * VELOCITIES);
        axis_row(R, arm, 1, H + (2 * j + 1) * VELOCITIES);
    }
}

/**
 * d(row v)/dq of a row of axis k. With n = R' e_k, which turns by dn = n x a, a corner has
 * (r x n) w, of derivative ((w x r) x n) a; a sphere, whose arm turns with it, (arm x n) w, of
 * derivative (w x (arm x n)) a.
 */
static void axis_rate(const rigid_body *body, const double *R, int j, int k, const double *w,
                      double *row) {
    double arm[3];
    contact_arm(body, R, j, arm);
    memset(row, 0, VELOCITIES * sizeof *row);
    if (body->params.shape == CAROM_RIGID_BODY_SPHERE) {
        cross(arm, R + 3 * k, row + 3);
        cross(w, row + 3, row + 3);
    } else {
        cross(w, arm, row + 3);
        cross(row + 3, R + 3 * k, row + 3);
    }
}

static void constraint_rate_derivative(const double *q, const double *v, double *D, void *context) {
    const rigid_body *body = context;
    double R[9];
    carom_rotation_matrix(q + 3, R);
    for (int j = 0; j < body->contact_count; j++) {
        axis_rate(body, R, j, 2, v + 3, D + j * VELOCITIES);
    }
}

static void tangential_rate_derivative(const double *q, const double *v, double *D, void *context) {
    const rigid_body *body = context;
    double R[9];
    carom_rotation_matrix(q + 3, R);
    for (int j = 0; j < body->contact_count; j++) {
        axis_rate(body, R, j, 0, v + 3, D + 2 * j * VELOCITIES);
        axis_rate(body, R, j, 1, v + 3, D + (2 * j + 1) * VELOCITIES);
    }
}

/** sum lambda_j d(r_j x n)/dq = lambda_j r_j x (n x a), of a sphere nothing: there r x n = 0. */
static void constraint_force_derivative(const double *q, const double *lambda, double *D,
                                        void *context) {
    const rigid_body *body = context;
    double R[9];
    carom_rotation_matrix(q + 3, R);
    memset(D, 0, VELOCITIES * VELOCITIES * sizeof *D);
    for (int j = 0; j < body->contact_count && body->params.shape == CAROM_RIGID_BODY_BOX; j++) {
        double arm[3];
        contact_arm(body, R, j, arm);
        for (int k = 0; k < 3; k++) {
            double column[3] = {0.0, 0.0, 0.0};
            column[k] = 1.0;
            cross(R + 6, column, column);
            cross(arm, column, column);
            for (int i = 0; i < 3; i++) {
                D[(3 + i) * VELOCITIES + 3 + k] += lambda[j] * column[i];
            }
        }
    }
}

/* ------------------------------------------------------------------------------------ the model */

static carom_status require_finite(const char *quantity, int count, const double *values,
                                   carom_report *report) {
    for (int i = 0; i < count; i++) {
        CAROM_TRY(carom_model_require_finite(quantity, values[i], report));
    }
    return CAROM_OK;
}

static carom_status refuse(const carom_rigid_body_params *p, carom_report *report) {
    const double most = (double)INFINITY;
    CAROM_TRY(carom_model_require_positive("mass", p->mass, report));
    for (int i = 0; i < 3; i++) {
        CAROM_TRY(carom_model_require_positive("inertia", p->inertia[i], report));
    }
    for (int i = 0; i < 3; i++) {
        const double others = p->inertia[(i + 1) % 3] + p->inertia[(i + 2) % 3];
        CAROM_TRY(carom_model_require_within("inertia", p->inertia[i], 0.0, others, report));
    }
    if (p->shape == CAROM_RIGID_BODY_SPHERE) {
        CAROM_TRY(carom_model_require_positive("radius", p->radius, report));
    }
    for (int i = 0; i < 3 && p->shape == CAROM_RIGID_BODY_BOX; i++) {
        CAROM_TRY(carom_model_require_positive("edge", p->edges[i], report));
    }
    CAROM_TRY(carom_model_require_within("friction", p->friction, 0.0, most, report));
    CAROM_TRY(carom_model_require_within("restitution", p->restitution, 0.0, 1.0, report));
    CAROM_TRY(require_finite("gravity", 3, p->gravity, report));
    CAROM_TRY(require_finite("initial position", 3, p->initial_position, report));
    CAROM_TRY(require_finite("initial rotation", 4, p->initial_rotation, report));
    CAROM_TRY(require_finite("initial velocity", 3, p->initial_velocity, report));
    return require_finite("initial angular velocity", 3, p->initial_angular_velocity, report);
}

static void fill_mechanism(rigid_body *body, carom_mechanism *mechanism) {
    mechanism->name = "rigid_body";
    mechanism->rotation_count = 1;
    mechanism->rotations = ROTATIONS;
    mechanism->position_names = "x, y, z, p_w, p_x, p_y, p_z";
    mechanism->position_units = "m, m, m, 1, 1, 1, 1";
    mechanism->velocity_units = "m s-1, m s-1, m s-1, rad s-1, rad s-1, rad s-1";
    mechanism->mass = mass;
    mechanism->force = force;
    mechanism->damping = damping;
    mechanism->potential_energy = potential_energy;
    if (body->contact_count == 0) {
        return;
    }
    mechanism->contact_count = body->contact_count;
    mechanism->tangent_count = TANGENTS;
    mechanism->restitution = body->restitution;
    mechanism->friction = body->friction;
    mechanism->constraints = constraints;
    mechanism->constraint_jacobian = constraint_jacobian;
    mechanism->constraint_rate_derivative = constraint_rate_derivative;
    mechanism->constraint_force_derivative = constraint_force_derivative;
    mechanism->tangential_jacobian = tangential_jacobian;
    mechanism->tangential_rate_derivative = tangential_rate_derivative;
}

carom_status carom_rigid_body_alloc(const carom_rigid_body_params *params, carom_model **out,
                                    carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(refuse(params, report));
    carom_model *model = NULL;
    CAROM_TRY(carom_model_alloc(VELOCITIES, sizeof(rigid_body), &model));
    rigid_body *body = model->parameters;
    const int contacts[] = {0, 1, CORNERS};
    body->params = *params;
    body->contact_count = contacts[params->shape];
    for (int j = 0; j < body->contact_count; j++) {
        body->friction[j] = params->friction;
        body->restitution[j] = params->restitution;
    }
    memcpy(model->initial_position, params->initial_position, 3 * sizeof(double));
    memcpy(model->initial_position + 3, params->initial_rotation, 4 * sizeof(double));
    memcpy(model->initial_velocity, params->initial_velocity, 3 * sizeof(double));
    memcpy(model->initial_velocity + 3, params->initial_angular_velocity, 3 * sizeof(double));
    fill_mechanism(body, &model->mechanism);
    *out = model;
    return CAROM_OK;
}

void carom_rigid_body_momentum(const carom_rigid_body_params *params, const double *q,
                               const double *v, double *momentum) {
    double R[9];
    double spin[3];
    carom_rotation_matrix(q + 3, R);
    spin_of(params, v + 3, spin);
    for (int i = 0; i < 3; i++) {
        momentum[i] = params->mass * v[i];
    }
    cross(q, momentum, momentum + 3);
    for (int i = 0; i < 3; i++) {
        momentum[3 + i] += R[3 * i] * spin[0] + R[3 * i + 1] * spin[1] + R[3 * i + 2] * spin[2];
    }
}
