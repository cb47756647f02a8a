#include <carom/models/ball_column.h>

#include <math.h>
#include <string.h>

/** What the functions need, and one restitution coefficient a contact. */
typedef struct column {
    carom_ball_column_params params;
    double restitution[]; /**< [N] */
} column;

carom_ball_column_params carom_ball_column_params_default(void) {
    const carom_ball_column_params params = {
        .balls = 10,
        .mass = 1.0,
        .radius = 0.2,
        .gravity = 10.0,
        .restitution = 0.8,
    };
    return params;
}

/** M = m I. */
static void mass(const double *q, double *M, void *context) {
    (void)q;
    const column *self = context;
    for (int i = 0; i < self->params.balls; i++) {
        M[i] = self->params.mass;
    }
}

/** f_i = -m a_g. */
static void force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)q;
    (void)v;
    const column *self = context;
    for (int i = 0; i < self->params.balls; i++) {
        f[i] = -self->params.mass * self->params.gravity;
    }
}

/** V = m a_g sum q_i. */
static double potential_energy(const double *q, void *context) {
    const column *self = context;
    double sum = 0.0;
    for (int i = 0; i < self->params.balls; i++) {
        sum += q[i];
    }
    return self->params.mass * self->params.gravity * sum;
}

/** g_0 = q_0 over the floor, g_i = q_i - q_{i-1} between neighbours. */
static void constraints(const double *q, double *g, void *context) {
    const column *self = context;
    g[0] = q[0];
    for (int i = 1; i < self->params.balls; i++) {
        g[i] = q[i] - q[i - 1];
    }
}

/** G: 1 on the diagonal, -1 on the one below; only these are stored. */
static void constraint_jacobian(const double *q, double *G, void *context) {
    (void)q;
    const column *self = context;
    G[0] = 1.0;
    for (int i = 1; i < self->params.balls; i++) {
        G[2 * i - 1] = -1.0;
        G[2 * i] = 1.0;
    }
}

/** Its pattern, of N + 1 starts and 2 N - 1 columns. */
static void fill_pattern(int n, int *start, int *coordinate) {
    start[0] = 0;
    for (int i = 0; i < n; i++) {
        start[i + 1] = 2 * i + 1;
        coordinate[2 * i] = i;
        if (i > 0) {
            coordinate[2 * i - 1] = i - 1;
        }
    }
}

/** Refuse parameters that do not describe a column. */
static carom_status refuse(const carom_ball_column_params *params, carom_report *report) {
    if (params->balls < 1) {
        return carom_report_refuse(report, "balls", (double)params->balls, -1, ">= 1");
    }
    CAROM_TRY(carom_model_require_positive("mass", params->mass, report));
    CAROM_TRY(carom_model_require_positive("radius", params->radius, report));
    CAROM_TRY(
        carom_model_require_within("gravity", params->gravity, 0.0, (double)INFINITY, report));
    return carom_model_require_within("restitution", params->restitution, 0.0, 1.0, report);
}

carom_status carom_ball_column_alloc(const carom_ball_column_params *params, carom_model **out,
                                     carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(refuse(params, report));
    const int n = params->balls;
    carom_model *model = NULL;
    CAROM_TRY(carom_model_alloc(
        n, sizeof(column) + (size_t)n * sizeof(double) + 3 * (size_t)n * sizeof(int), &model));

    column *self = model->parameters;
    self->params = *params;
    for (int i = 0; i < n; i++) {
        self->restitution[i] = params->restitution;
    }
    int *start = (int *)(void *)(self->restitution + n);
    fill_pattern(n, start, start + n + 1);
    carom_mechanism *mechanism = &model->mechanism;
    mechanism->name = "ball_column";
    mechanism->contact_count = n;
    mechanism->layout = carom_layout_banded(n, 0);
    mechanism->is_linear = true;
    mechanism->position_units = "m";
    mechanism->velocity_units = "m s-1";
    mechanism->restitution = self->restitution;
    mechanism->mass = mass;
    mechanism->force = force;
    mechanism->potential_energy = potential_energy;
    mechanism->constraints = constraints;
    mechanism->constraint_jacobian = constraint_jacobian;
    mechanism->constraint_pattern = (carom_mechanism_pattern){start, start + n + 1};
    *out = model;
    return CAROM_OK;
}
