#include <carom/models/rocking_block.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum { COORDINATES = 3, CONTACTS = 2 };

/** The corner of contact 0 is on the side of + sin theta (53). */
static const double SIDE[CONTACTS] = {1.0, -1.0};

/** A release standing on a corner may come out this many roundings of the block's size below it. */
static const double GAP_ROUNDING = 4.0 * DBL_EPSILON;

/** What the mechanism's functions are handed. */
typedef struct block_context {
    carom_rocking_block_params params;
    double restitution[CONTACTS];
    double friction[CONTACTS];
} block_context;

carom_rocking_block_params carom_rocking_block_params_default(void) {
    const carom_rocking_block_params params = {
        .mass = 1.0,
        .width = 1.0,
        .height = 1.5,
        .gravity = 9.81,
        .restitution = 0.5,
        .initial_x = 0.0,
        .initial_y = 1.0,
        .initial_angle = 0.2,
        .initial_x_velocity = 0.0,
        .initial_y_velocity = 0.0,
        .initial_rate = 0.0,
    };
    return params;
}

/** Gap of a corner (53). */
static double corner_gap(const carom_rocking_block_params *params, int corner, double y,
                         double angle) {
    return y - 0.5 * params->height * cos(angle) + SIDE[corner] * 0.5 * params->width * sin(angle);
}

/** Its derivative with respect to theta (54). */
static double corner_arm(const carom_rocking_block_params *params, int corner, double angle) {
    return 0.5 * params->height * sin(angle) + SIDE[corner] * 0.5 * params->width * cos(angle);
}

/** Its second derivative with respect to theta. */
static double corner_curvature(const carom_rocking_block_params *params, int corner, double angle) {
    return 0.5 * params->height * cos(angle) - SIDE[corner] * 0.5 * params->width * sin(angle);
}

carom_status carom_rocking_block_params_check(const carom_rocking_block_params *params,
                                              carom_report *report) {
    CAROM_ASSERT(params != NULL);
    CAROM_TRY(carom_model_require_positive("mass", params->mass, report));
    CAROM_TRY(carom_model_require_positive("width", params->width, report));
    CAROM_TRY(carom_model_require_positive("height", params->height, report));
    CAROM_TRY(carom_model_require_within("gravity", params->gravity, 0.0, INFINITY, report));
    CAROM_TRY(carom_model_require_within("restitution", params->restitution, 0.0, 1.0, report));
    CAROM_TRY(carom_model_require_within("friction", params->friction, 0.0, INFINITY, report));
    CAROM_TRY(carom_model_require_finite("initial x", params->initial_x, report));
    CAROM_TRY(carom_model_require_finite("initial y", params->initial_y, report));
    CAROM_TRY(carom_model_require_finite("initial angle", params->initial_angle, report));
    CAROM_TRY(carom_model_require_finite("initial x velocity", params->initial_x_velocity, report));
    CAROM_TRY(carom_model_require_finite("initial y velocity", params->initial_y_velocity, report));
    CAROM_TRY(carom_model_require_finite("initial rate", params->initial_rate, report));

    /* The initial gaps g^1, g^2. */
    for (int j = 0; j < CONTACTS; j++) {
        const double gap = corner_gap(params, j, params->initial_y, params->initial_angle);
        if (gap < -GAP_ROUNDING * (params->width + params->height)) {
            return carom_report_fail(report, CAROM_STATUS_PENETRATION, "initial gap", gap, j);
        }
    }
    return CAROM_OK;
}

static void clear(double *values, int count) {
    memset(values, 0, (size_t)count * sizeof *values);
}

/** M = diag(m, m, J), J = m (L^2 + l^2)/12. */
static void mass(const double *q, double *M, void *context) {
    (void)q;
    const carom_rocking_block_params *params = &((const block_context *)context)->params;
    clear(M, COORDINATES * COORDINATES);
    M[0] = params->mass;
    M[4] = params->mass;
    M[8] = params->mass * (params->width * params->width + params->height * params->height) / 12.0;
}

/** f = (0, -m a_g, 0). */
static void force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)q;
    (void)v;
    const carom_rocking_block_params *params = &((const block_context *)context)->params;
    f[0] = 0.0;
    f[1] = -params->mass * params->gravity;
    f[2] = 0.0;
}

/** V = m a_g y. */
static double potential_energy(const double *q, void *context) {
    const carom_rocking_block_params *params = &((const block_context *)context)->params;
    return params->mass * params->gravity * q[1];
}

/** g^1, g^2 of (53). */
static void constraints(const double *q, double *g, void *context) {
    const carom_rocking_block_params *params = &((const block_context *)context)->params;
    for (int j = 0; j < CONTACTS; j++) {
        g[j] = corner_gap(params, j, q[1], q[2]);
    }
}

/** g_q of (54): rows (0, 1, arm). */
static void constraint_jacobian(const double *q, double *G, void *context) {
    const carom_rocking_block_params *params = &((const block_context *)context)->params;
    for (int j = 0; j < CONTACTS; j++) {
        const int row = COORDINATES * j;
        G[row] = 0.0;
        G[row + 1] = 1.0;
        G[row + 2] = corner_arm(params, j, q[2]);
    }
}

/** d(g_q' lambda)/dq: only (3,3), the curvatures times lambda. */
static void constraint_force_derivative(const double *q, const double *lambda, double *D,
                                        void *context) {
    const carom_rocking_block_params *params = &((const block_context *)context)->params;
    clear(D, COORDINATES * COORDINATES);
    for (int j = 0; j < CONTACTS; j++) {
        D[8] += corner_curvature(params, j, q[2]) * lambda[j];
    }
}

/** d(g_q v)/dq: only column 3, the curvatures times theta_dot. */
static void constraint_rate_derivative(const double *q, const double *v, double *D, void *context) {
    const carom_rocking_block_params *params = &((const block_context *)context)->params;
    clear(D, CONTACTS * COORDINATES);
    for (int j = 0; j < CONTACTS; j++) {
        D[COORDINATES * j + 2] = corner_curvature(params, j, q[2]) * v[2];
    }
}

/** Corners slide along x: their places x + (l/2) sin theta +- (L/2) cos theta, rows (1, 0,
 * curvature). */
static void tangential_jacobian(const double *q, double *H, void *context) {
    const carom_rocking_block_params *params = &((const block_context *)context)->params;
    for (int j = 0; j < CONTACTS; j++) {
        const int row = COORDINATES * j;
        H[row] = 1.0;
        H[row + 1] = 0.0;
        H[row + 2] = corner_curvature(params, j, q[2]);
    }
}

/** d(H v)/dq: only column 3, minus the arms times theta_dot. */
static void tangential_rate_derivative(const double *q, const double *v, double *D, void *context) {
    const carom_rocking_block_params *params = &((const block_context *)context)->params;
    clear(D, CONTACTS * COORDINATES);
    for (int j = 0; j < CONTACTS; j++) {
        D[COORDINATES * j + 2] = -corner_arm(params, j, q[2]) * v[2];
    }
}

/** The struct of functions; mass and force have no derivatives. */
static void fill_mechanism(carom_mechanism *mechanism, block_context *context) {
    mechanism->name = "rocking_block";
    mechanism->coordinate_count = COORDINATES;
    mechanism->joint_count = 0;
    mechanism->contact_count = CONTACTS;
    mechanism->layout = carom_layout_full(COORDINATES);
    mechanism->is_linear = false;
    mechanism->position_units = "m, m, rad";
    mechanism->velocity_units = "m s-1, m s-1, rad s-1";
    mechanism->restitution = context->restitution;
    mechanism->mass = mass;
    mechanism->force = force;
    mechanism->potential_energy = potential_energy;
    mechanism->constraints = constraints;
    mechanism->constraint_jacobian = constraint_jacobian;
    mechanism->constraint_force_derivative = constraint_force_derivative;
    mechanism->constraint_rate_derivative = constraint_rate_derivative;
    mechanism->context = context;
    if (context->params.friction > 0.0) {
        mechanism->tangent_count = 1;
        mechanism->friction = context->friction;
        mechanism->tangential_jacobian = tangential_jacobian;
        mechanism->tangential_rate_derivative = tangential_rate_derivative;
    }
}

carom_status carom_rocking_block_alloc(const carom_rocking_block_params *params, carom_model **out,
                                       carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(carom_rocking_block_params_check(params, report));
    carom_model *model = NULL;
    CAROM_TRY(carom_model_alloc(COORDINATES, sizeof(block_context), &model));
    block_context *context = model->parameters;
    context->params = *params;
    for (int j = 0; j < CONTACTS; j++) {
        context->restitution[j] = params->restitution;
        context->friction[j] = params->friction;
    }
    fill_mechanism(&model->mechanism, context);

    /* Initial state. */
    model->initial_position[0] = params->initial_x;
    model->initial_position[1] = params->initial_y;
    model->initial_position[2] = params->initial_angle;
    model->initial_velocity[0] = params->initial_x_velocity;
    model->initial_velocity[1] = params->initial_y_velocity;
    model->initial_velocity[2] = params->initial_rate;
    *out = model;
    return CAROM_OK;
}
