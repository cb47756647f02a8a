#include <carom/models/armed_biped.h>

#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

carom_armed_biped_params carom_armed_biped_params_default(void) {
    static const double lengths[] = {1.0, 1.0, 1.0};
    static const double masses[] = {1.0, 1.0, 1.0, 1.0};
    const carom_armed_biped_params params = {
        .torso_count = 1,
        .has_arm = true,
        .lengths = lengths,
        .masses = masses,
        .gravity = 1.0,
        .half_step_angle = 0.1,
    };
    return params;
}

int carom_armed_biped_coordinate_count(const carom_armed_biped_params *params) {
    CAROM_ASSERT(params != NULL);
    return params->torso_count + 1 + (params->has_arm ? 1 : 0);
}

/** Name the entry of an array that is refused. */
static carom_status require_positive_at(const char *quantity, const double *values, int index,
                                        carom_report *report) {
    const carom_status status = carom_model_require_positive(quantity, values[index], NULL);
    return status == CAROM_OK ? CAROM_OK
                              : carom_report_fail(report, status, quantity, values[index], index);
}

carom_status carom_armed_biped_check(const carom_armed_biped_params *params, carom_report *report) {
    CAROM_ASSERT(params != NULL && params->lengths != NULL && params->masses != NULL);
    if (params->torso_count < 0) {
        return carom_report_refuse(report, "torso count", (double)params->torso_count, -1, ">= 0");
    }
    const int n = carom_armed_biped_coordinate_count(params);
    for (int i = 0; i < n; i++) {
        CAROM_TRY(require_positive_at("length", params->lengths, i, report));
    }

    /* A foot may be massless: a massless one takes no part in the harmonic mass matrix anyway. */
    const carom_status foot =
        carom_model_require_within("mass", params->masses[0], 0.0, HUGE_VAL, NULL);
    if (foot != CAROM_OK) {
        return carom_report_fail(report, foot, "mass", params->masses[0], 0);
    }
    for (int i = 1; i <= n; i++) {
        CAROM_TRY(require_positive_at("mass", params->masses, i, report));
    }
    CAROM_TRY(carom_model_require_positive("gravity", params->gravity, report));
    CAROM_TRY(carom_model_require_positive("half step angle", params->half_step_angle, report));
    if (!(params->half_step_angle < M_PI_2)) {
        return carom_report_refuse(report, "half step angle", params->half_step_angle, -1,
                                   "in (0,pi/2)");
    }
    return CAROM_OK;
}

/** The biped as its equations need it, in the order of the coordinates: the leg comes last. */
typedef struct chain {
    int count;              /**< N */
    double gravity;         /**< g, m/s2 */
    double half_step_angle; /**< theta, rad */
    double foot_distance;   /**< 2 l sin(theta), m */
    double foot_mass;       /**< m_0, kg */
    double restitution;     /**< of the landing foot: 0 */
    double *length;         /**< [N] L_j, m; owned with the struct */
    double *carried_mass;   /**< [N] mass at and beyond the end of link j, kg; likewise */
} chain;

/** mu_jk L_j L_k, the inertia of the masses that both links carry. */
static double coupling(const chain *c, int j, int k) {
    return c->carried_mass[j < k ? j : k] * c->length[j] * c->length[k];
}

/** f + theta, how far the legs are turned from standing on both feet. */
static double lift_angle(const chain *c, const double *q) {
    return q[c->count - 1] + c->half_step_angle;
}

/** M_jk = mu_jk L_j L_k cos(q_j - q_k), and the lifted foot on the leg. */
static void mass(const double *q, double *M, void *context) {
    const chain *c = context;
    const size_t n = (size_t)c->count;
    for (int j = 0; j < c->count; j++) {
        double *M_j = M + (size_t)j * n;
        M_j[j] = coupling(c, j, j);
        for (int k = 0; k < j; k++) {
            const double cosine = cos(q[j] - q[k]);
            M_j[k] = coupling(c, j, k) * cosine;
            M[(size_t)k * n + (size_t)j] = coupling(c, k, j) * cosine;
        }
    }
    M[n * n - 1] += c->foot_mass * gsl_pow_2(c->foot_distance);
}

/** d(M a)/dq: every link against all others. */
static void mass_derivative(const double *q, const double *a, double *D, void *context) {
    const chain *c = context;
    const size_t n = (size_t)c->count;
    for (int j = 0; j < c->count; j++) {
        double *D_j = D + (size_t)j * n;
        D_j[j] = 0.0;
        for (int k = 0; k < c->count; k++) {
            if (k != j) {
                const double slope = coupling(c, j, k) * sin(q[j] - q[k]) * a[k];
                D_j[k] = slope;
                D_j[j] -= slope;
            }
        }
    }
}

/** h_j = -sum_k mu_jk L_j L_k sin(q_j - q_k) v_k^2 - dV/dq_j. */
static void force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    const chain *c = context;
    for (int j = 0; j < c->count; j++) {
        f[j] = c->gravity * c->carried_mass[j] * c->length[j] * sin(q[j]);
        // Of each row the earlier links first, then the later ones.
        for (int k = 0; k < j; k++) {
            const double sine = sin(q[j] - q[k]);
            f[j] -= coupling(c, j, k) * sine * gsl_pow_2(v[k]);
            f[k] += coupling(c, k, j) * sine * gsl_pow_2(v[j]);
        }
    }
    f[c->count - 1] -= c->gravity * c->foot_mass * c->foot_distance * cos(lift_angle(c, q));
}

/** -dh/dq: of the weights on the diagonal, of the centrifugal forces everywhere. */
static void stiffness(double t, const double *q, const double *v, double *K, void *context) {
    (void)t;
    const chain *c = context;
    const size_t n = (size_t)c->count;
    for (int j = 0; j < c->count; j++) {
        double *K_j = K + (size_t)j * n;
        K_j[j] = -c->gravity * c->carried_mass[j] * c->length[j] * cos(q[j]);
        for (int k = 0; k < c->count; k++) {
            if (k != j) {
                const double slope = coupling(c, j, k) * cos(q[j] - q[k]) * gsl_pow_2(v[k]);
                K_j[k] = -slope;
                K_j[j] += slope;
            }
        }
    }
    K[n * n - 1] -= c->gravity * c->foot_mass * c->foot_distance * sin(lift_angle(c, q));
}

/** -dh/dv of the centrifugal forces. */
static void damping(double t, const double *q, const double *v, double *C, void *context) {
    (void)t;
    const chain *c = context;
    const size_t n = (size_t)c->count;
    for (int j = 0; j < c->count; j++) {
        double *C_j = C + (size_t)j * n;
        for (int k = 0; k < c->count; k++) {
            C_j[k] = 2.0 * coupling(c, j, k) * sin(q[j] - q[k]) * v[k];
        }
    }
}

/** V, with the stance foot at height zero. */
static double potential_energy(const double *q, void *context) {
    const chain *c = context;
    double moment = c->foot_mass * c->foot_distance * sin(lift_angle(c, q));
    for (int j = 0; j < c->count; j++) {
        moment += c->carried_mass[j] * c->length[j] * cos(q[j]);
    }
    return c->gravity * moment;
}

/** The height of the other foot. */
static void constraints(const double *q, double *g, void *context) {
    const chain *c = context;
    g[0] = c->foot_distance * sin(lift_angle(c, q));
}

/** Only the leg moves it. */
static void constraint_jacobian(const double *q, double *G, void *context) {
    const chain *c = context;
    memset(G, 0, (size_t)c->count * sizeof *G);
    G[c->count - 1] = c->foot_distance * cos(lift_angle(c, q));
}

static void constraint_force_derivative(const double *q, const double *lambda, double *D,
                                        void *context) {
    const chain *c = context;
    const size_t n = (size_t)c->count;
    memset(D, 0, n * n * sizeof *D);
    D[n * n - 1] = -c->foot_distance * sin(lift_angle(c, q)) * lambda[0];
}

static void constraint_rate_derivative(const double *q, const double *v, double *D, void *context) {
    const chain *c = context;
    const int leg = c->count - 1;
    memset(D, 0, (size_t)c->count * sizeof *D);
    D[leg] = -c->foot_distance * sin(lift_angle(c, q)) * v[leg];
}

static void fill_chain(chain *c, const carom_armed_biped_params *params) {
    const int n = carom_armed_biped_coordinate_count(params);
    c->count = n;
    c->gravity = params->gravity;
    c->half_step_angle = params->half_step_angle;
    c->foot_distance = 2.0 * params->lengths[0] * sin(params->half_step_angle);
    c->foot_mass = params->masses[0];
    c->restitution = 0.0;
    c->length = (double *)(c + 1);
    c->carried_mass = c->length + n;

    /* From the hand down: the arrays of the parameters go upwards. */
    double carried = 0.0;
    for (int j = 0; j < n; j++) {
        carried += params->masses[n - j];
        c->length[j] = params->lengths[n - 1 - j];
        c->carried_mass[j] = carried;
    }
}

static void fill_mechanism(carom_mechanism *mechanism, const chain *c) {
    mechanism->name = "armed_biped";
    mechanism->contact_count = 1;
    mechanism->position_units = "rad";
    mechanism->velocity_units = "rad s-1";
    mechanism->restitution = &c->restitution;
    mechanism->mass = mass;
    mechanism->mass_derivative = mass_derivative;
    mechanism->force = force;
    mechanism->stiffness = stiffness;
    mechanism->damping = damping;
    mechanism->potential_energy = potential_energy;
    mechanism->constraints = constraints;
    mechanism->constraint_jacobian = constraint_jacobian;
    mechanism->constraint_force_derivative = constraint_force_derivative;
    mechanism->constraint_rate_derivative = constraint_rate_derivative;
}

carom_status carom_armed_biped_alloc(const carom_armed_biped_params *params, carom_model **out,
                                     carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(carom_armed_biped_check(params, report));
    const int n = carom_armed_biped_coordinate_count(params);
    const size_t size = sizeof(chain) + 2 * (size_t)n * sizeof(double);
    carom_model *model = NULL;
    CAROM_TRY(carom_model_alloc(n, size, &model));
    chain *c = model->parameters;
    fill_chain(c, params);
    fill_mechanism(&model->mechanism, c);

    /* At rest on both feet: the torso is upright, the arm hangs. */
    if (params->has_arm) {
        model->initial_position[0] = M_PI;
    }
    model->initial_position[n - 1] = -params->half_step_angle;
    *out = model;
    return CAROM_OK;
}

int carom_armed_biped_point_count(const carom_armed_biped_params *params) {
    return carom_armed_biped_coordinate_count(params) + 2;
}

void carom_armed_biped_points(const carom_armed_biped_params *params, const double *q,
                              double *points) {
    CAROM_ASSERT(params != NULL && q != NULL && points != NULL);
    const int n = carom_armed_biped_coordinate_count(params);

    /* Upwards from the stance foot. */
    double x = 0.0;
    double y = 0.0;
    points[0] = x;
    points[1] = y;
    for (int i = 0; i < n; i++) {
        x += params->lengths[i] * sin(q[n - 1 - i]);
        y += params->lengths[i] * cos(q[n - 1 - i]);
        points[2 * i + 2] = x;
        points[2 * i + 3] = y;
    }

    /* The other foot, without the cancellation of two leg lengths. */
    const double distance = 2.0 * params->lengths[0] * sin(params->half_step_angle);
    const double lift = q[n - 1] + params->half_step_angle;
    points[2 * n + 2] = -distance * cos(lift);
    points[2 * n + 3] = distance * sin(lift);
}

void carom_armed_biped_mirror(const carom_armed_biped_params *params, double *q, double *v) {
    CAROM_ASSERT(params != NULL && q != NULL && v != NULL);
    const int n = carom_armed_biped_coordinate_count(params);
    for (int j = 0; j < n; j++) {
        q[j] = -q[j];
        v[j] = -v[j];
    }
    if (params->has_arm) {
        q[0] += 2.0 * M_PI;
    }
    q[n - 1] -= 2.0 * params->half_step_angle;
}

carom_armed_biped_forces carom_armed_biped_foot_forces(const carom_armed_biped_params *params,
                                                       const double *q, const double *v,
                                                       const double *acceleration) {
    CAROM_ASSERT(params != NULL && q != NULL && v != NULL && acceleration != NULL);
    const int n = carom_armed_biped_coordinate_count(params);
    const int leg = n - 1;

    /* The other foot: its weight and the rate of its momentum. */
    const double distance = 2.0 * params->lengths[0] * sin(params->half_step_angle);
    const double lift = q[leg] + params->half_step_angle;
    const double along = distance * acceleration[leg];
    const double inwards = distance * gsl_pow_2(v[leg]);
    const double foot_mass = params->masses[0];
    const double foot_x = foot_mass * (along * sin(lift) + inwards * cos(lift));
    const double foot_y = foot_mass * (along * cos(lift) - inwards * sin(lift) + params->gravity);

    /* The masses that each link carries move with its end relative to its beginning. */
    double carried = 0.0;
    double horizontal = 0.0;
    double vertical = 0.0;
    for (int j = 0; j < n; j++) {
        const double length = params->lengths[n - 1 - j];
        const double spin = gsl_pow_2(v[j]);
        carried += params->masses[n - j];
        horizontal += carried * length * (cos(q[j]) * acceleration[j] - sin(q[j]) * spin);
        vertical -= carried * length * (sin(q[j]) * acceleration[j] + cos(q[j]) * spin);
    }
    vertical += carried * params->gravity;

    /* Balance of moments of the leg about the stance foot: what lies above pushes on the hip. */
    const double torque = params->lengths[0] * (cos(q[leg]) * horizontal - sin(q[leg]) * vertical) +
                          distance * cos(lift) * foot_y + distance * sin(lift) * foot_x;
    carom_armed_biped_forces forces = {
        .contact_torque = torque,
        .horizontal = horizontal + foot_x,
        .vertical = vertical + foot_y + foot_mass * params->gravity,
        .other_vertical = torque / (distance * cos(lift)),
    };
    forces.stance_vertical = forces.vertical - forces.other_vertical;
    return forces;
}
