#include <carom/models/bouncing_pendulum.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum { COORDINATES = 3, JOINTS = 2, CONTACTS = 1, CONSTRAINTS = JOINTS + CONTACTS };

/** A release from the wall itself may come out this many roundings of the length below it. */
static const double GAP_ROUNDING = 4.0 * DBL_EPSILON;

carom_bouncing_pendulum_params carom_bouncing_pendulum_params_default(void) {
    const double pi = acos(-1.0);
    const carom_bouncing_pendulum_params params = {
        .mass = 1.0,
        .inertia = 0.1,
        .length = 1.0,
        .gravity = 10.0,
        .initial_angle = pi / 12.0,
        .initial_rate = 0.0,
        .wall_position = sqrt(2.0) / 2.0,
        .restitution = 0.8,
    };
    return params;
}

carom_status carom_bouncing_pendulum_params_check(const carom_bouncing_pendulum_params *params,
                                                  carom_report *report) {
    CAROM_ASSERT(params != NULL);
    CAROM_TRY(carom_model_require_positive("mass", params->mass, report));
    CAROM_TRY(carom_model_require_positive("inertia", params->inertia, report));
    CAROM_TRY(carom_model_require_positive("length", params->length, report));
    CAROM_TRY(carom_model_require_within("gravity", params->gravity, 0.0, INFINITY, report));
    CAROM_TRY(carom_model_require_finite("initial angle", params->initial_angle, report));
    CAROM_TRY(carom_model_require_finite("initial rate", params->initial_rate, report));
    CAROM_TRY(carom_model_require_finite("wall position", params->wall_position, report));
    CAROM_TRY(carom_model_require_within("restitution", params->restitution, 0.0, 1.0, report));

    /* The initial gap g^3. */
    const double gap = params->length * cos(params->initial_angle) - params->wall_position;
    if (gap < -GAP_ROUNDING * params->length) {
        return carom_report_fail(report, CAROM_STATUS_PENETRATION, "initial gap", gap, 0);
    }
    return CAROM_OK;
}

static void clear(double *values, int count) {
    memset(values, 0, (size_t)count * sizeof *values);
}

/** M = diag(m, m, J). */
static void mass(const double *q, double *M, void *context) {
    (void)q;
    const carom_bouncing_pendulum_params *pendulum = context;
    clear(M, COORDINATES * COORDINATES);
    M[0] = pendulum->mass;
    M[4] = pendulum->mass;
    M[8] = pendulum->inertia;
}

/** f = (0, -m a_g, 0). */
static void force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)q;
    (void)v;
    const carom_bouncing_pendulum_params *pendulum = context;
    f[0] = 0.0;
    f[1] = -pendulum->mass * pendulum->gravity;
    f[2] = 0.0;
}

/** V = m a_g y. */
static double potential_energy(const double *q, void *context) {
    const carom_bouncing_pendulum_params *pendulum = context;
    return pendulum->mass * pendulum->gravity * q[1];
}

/*[pendulumConstraints]*/
/** g^1 = x - l cos theta, g^2 = y - l sin theta, g^3 = x - wall. */
static void constraints(const double *q, double *g, void *context) {
    const carom_bouncing_pendulum_params *pendulum = context;
    g[0] = q[0] - pendulum->length * cos(q[2]);
    g[1] = q[1] - pendulum->length * sin(q[2]);
    g[2] = q[0] - pendulum->wall_position;
}

/** g_q = [1 0 l sin theta; 0 1 -l cos theta; 1 0 0]. */
static void constraint_jacobian(const double *q, double *G, void *context) {
    const carom_bouncing_pendulum_params *pendulum = context;
    clear(G, CONSTRAINTS * COORDINATES);
    G[0] = 1.0;
    G[2] = pendulum->length * sin(q[2]);
    G[4] = 1.0;
    G[5] = -pendulum->length * cos(q[2]);
    G[6] = 1.0;
}

/** d(g_q' lambda)/dq: only (3,3) = l cos theta lambda^1 + l sin theta lambda^2. */
static void constraint_force_derivative(const double *q, const double *lambda, double *D,
                                        void *context) {
    const carom_bouncing_pendulum_params *pendulum = context;
    clear(D, COORDINATES * COORDINATES);
    D[8] = pendulum->length * (cos(q[2]) * lambda[0] + sin(q[2]) * lambda[1]);
}

/** d(g_q v)/dq: only column 3, l cos theta theta_dot and l sin theta theta_dot. */
static void constraint_rate_derivative(const double *q, const double *v, double *D, void *context) {
    const carom_bouncing_pendulum_params *pendulum = context;
    clear(D, CONSTRAINTS * COORDINATES);
    D[2] = pendulum->length * cos(q[2]) * v[2];
    D[5] = pendulum->length * sin(q[2]) * v[2];
}
/*[end pendulumConstraints]*/

/** The struct of functions; mass and force have no derivatives. */
static void fill_mechanism(carom_mechanism *mechanism, carom_bouncing_pendulum_params *pendulum) {
    mechanism->name = "bouncing_pendulum";
    mechanism->coordinate_count = COORDINATES;
    mechanism->joint_count = JOINTS;
    mechanism->contact_count = CONTACTS;
    mechanism->layout = carom_layout_full(COORDINATES);
    mechanism->is_linear = false;
    mechanism->position_units = "m, m, rad";
    mechanism->velocity_units = "m s-1, m s-1, rad s-1";
    mechanism->restitution = &pendulum->restitution;
    mechanism->mass = mass;
    mechanism->force = force;
    mechanism->potential_energy = potential_energy;
    mechanism->constraints = constraints;
    mechanism->constraint_jacobian = constraint_jacobian;
    mechanism->constraint_force_derivative = constraint_force_derivative;
    mechanism->constraint_rate_derivative = constraint_rate_derivative;
    mechanism->context = pendulum;
}

carom_status carom_bouncing_pendulum_alloc(const carom_bouncing_pendulum_params *params,
                                           carom_model **out, carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(carom_bouncing_pendulum_params_check(params, report));
    carom_model *model = NULL;
    CAROM_TRY(carom_model_alloc(COORDINATES, sizeof(*params), &model));
    carom_bouncing_pendulum_params *pendulum = model->parameters;
    *pendulum = *params;
    fill_mechanism(&model->mechanism, pendulum);

    /* Initial state on the joints: the mass centre at l from the pivot, its velocity with theta. */
    const double x = params->length * cos(params->initial_angle);
    const double y = params->length * sin(params->initial_angle);
    model->initial_position[0] = x;
    model->initial_position[1] = y;
    model->initial_position[2] = params->initial_angle;
    model->initial_velocity[0] = -y * params->initial_rate;
    model->initial_velocity[1] = x * params->initial_rate;
    model->initial_velocity[2] = params->initial_rate;
    *out = model;
    return CAROM_OK;
}
