#include <carom/models/ball_chain.h>

#include <math.h>
#include <string.h>

/** What the functions need, in one block of memory. */
typedef struct chain {
    int balls;           /**< N */
    double *masses;      /**< [N] */
    double *reaches;     /**< [N-1] r_i + r_{i+1}, distance of touching centres */
    double *restitution; /**< [N-1] */
    double storage[];    /**< [3 N - 2] of the three arrays */
} chain;

carom_ball_chain_params carom_ball_chain_params_default(void) {
    static const double ones[3] = {1.0, 1.0, 1.0};
    static const double first_moves[3] = {1.0, 0.0, 0.0};
    const carom_ball_chain_params params = {
        .balls = 3,
        .masses = ones,
        .radii = ones,
        .velocities = first_moves,
        .gaps = NULL,
        .restitution = 1.0,
    };
    return params;
}

/** M = diag(m_i). */
static void mass(const double *q, double *M, void *context) {
    (void)q;
    const chain *self = context;
    memcpy(M, self->masses, (size_t)self->balls * sizeof(double));
}

/** f = 0. */
static void force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)q;
    (void)v;
    const chain *self = context;
    memset(f, 0, (size_t)self->balls * sizeof(double));
}

/** V = 0. */
static double potential_energy(const double *q, void *context) {
    (void)q;
    (void)context;
    return 0.0;
}

/** phi_i = x_{i+1} - x_i - (r_i + r_{i+1}). */
static void constraints(const double *q, double *g, void *context) {
    const chain *self = context;
    for (int i = 0; i + 1 < self->balls; i++) {
        g[i] = q[i + 1] - q[i] - self->reaches[i];
    }
}

/** D phi_i: -1 at ball i, 1 at ball i + 1. */
static void constraint_jacobian(const double *q, double *G, void *context) {
    (void)q;
    const chain *self = context;
    const size_t n = (size_t)self->balls;
    memset(G, 0, (n - 1) * n * sizeof(double));
    for (size_t i = 0; i + 1 < n; i++) {
        G[i * n + i] = -1.0;
        G[i * n + i + 1] = 1.0;
    }
}

/** Balls on a line do not slide along one another. */
static void tangential_jacobian(const double *q, double *H, void *context) {
    (void)q;
    const chain *self = context;
    const size_t n = (size_t)self->balls;
    memset(H, 0, (n - 1) * n * sizeof(double));
}

/** The report of a refused entry of an array names the entry. */
static carom_status name_entry(carom_status status, int index, carom_report *report) {
    if (status != CAROM_OK && report != NULL) {
        report->index = index;
    }
    return status;
}

static carom_status refuse_gaps(const carom_ball_chain_params *params, carom_report *report) {
    for (int i = 0; params->gaps != NULL && i + 1 < params->balls; i++) {
        const double gap = params->gaps[i];
        CAROM_TRY(name_entry(carom_model_require_finite("gap", gap, report), i, report));
        if (gap < 0.0) {
            return carom_report_fail(report, CAROM_STATUS_PENETRATION, "gap", gap, i);
        }
    }
    return CAROM_OK;
}

/** Refuse parameters that do not describe a chain. */
static carom_status refuse(const carom_ball_chain_params *params, carom_report *report) {
    if (params->balls < 2) {
        return carom_report_refuse(report, "balls", (double)params->balls, -1, ">= 2");
    }
    CAROM_ASSERT(params->masses != NULL && params->radii != NULL && params->velocities != NULL);
    for (int i = 0; i < params->balls; i++) {
        CAROM_TRY(
            name_entry(carom_model_require_positive("mass", params->masses[i], report), i, report));
        CAROM_TRY(name_entry(carom_model_require_positive("radius", params->radii[i], report), i,
                             report));
        CAROM_TRY(name_entry(carom_model_require_finite("velocity", params->velocities[i], report),
                             i, report));
    }
    CAROM_TRY(refuse_gaps(params, report));
    return carom_model_require_within("restitution", params->restitution, 0.0, 1.0, report);
}

/** Copy the parameters and set the balls beside one another. */
static carom_status place(const carom_ball_chain_params *params, carom_model *model,
                          carom_report *report) {
    const int n = params->balls;
    chain *self = model->parameters;
    self->balls = n;
    self->masses = self->storage;
    self->reaches = self->masses + n;
    self->restitution = self->reaches + (n - 1);
    memcpy(self->masses, params->masses, (size_t)n * sizeof(double));
    memcpy(model->initial_velocity, params->velocities, (size_t)n * sizeof(double));

    double *q = model->initial_position;
    for (int i = 0; i + 1 < n; i++) {
        self->restitution[i] = params->restitution;
        self->reaches[i] = params->radii[i] + params->radii[i + 1];
        q[i + 1] = q[i] + self->reaches[i] + (params->gaps == NULL ? 0.0 : params->gaps[i]);
        CAROM_TRY(
            name_entry(carom_model_require_finite("position", q[i + 1], report), i + 1, report));
    }
    return CAROM_OK;
}

carom_status carom_ball_chain_alloc(const carom_ball_chain_params *params, carom_model **out,
                                    carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(refuse(params, report));
    const size_t n = (size_t)params->balls;
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_TRY(
        carom_model_alloc(params->balls, sizeof(chain) + (3 * n - 2) * sizeof(double), &model));
    CAROM_TRY(place(params, model, report));

    const chain *self = model->parameters;
    carom_mechanism *mechanism = &model->mechanism;
    mechanism->name = "ball_chain";
    mechanism->contact_count = params->balls - 1;
    mechanism->layout = carom_layout_banded(params->balls, 0);
    mechanism->is_linear = true;
    mechanism->position_units = "m";
    mechanism->velocity_units = "m s-1";
    mechanism->restitution = self->restitution;
    mechanism->tangent_count = 1;
    mechanism->mass = mass;
    mechanism->force = force;
    mechanism->potential_energy = potential_energy;
    mechanism->constraints = constraints;
    mechanism->constraint_jacobian = constraint_jacobian;
    mechanism->tangential_jacobian = tangential_jacobian;
    CAROM_HAND_OVER(model, out);
    return CAROM_OK;
}

double carom_ball_chain_cosine(double left, double middle, double right) {
    return -sqrt(left / (left + middle) * (right / (middle + right)));
}

double carom_ball_chain_unique_ratio(double left_ratio, int k) {
    // c^2 = a z/((1 + a)(1 + z)), a = m_A/m_B, z = m_C/m_B.
    const double cosine = cos(acos(-1.0) / k);
    const double square = cosine * cosine;
    const double divisor = left_ratio * (1.0 - square) - square;
    return divisor > 0.0 ? square * (1.0 + left_ratio) / divisor : (double)NAN;
}
