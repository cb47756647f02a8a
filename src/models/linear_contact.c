#include <carom/models/linear_contact.h>

#include <string.h>

/** The context: the system, and the restitution that the mechanism borrows. */
typedef struct stopped_system {
    int n;
    double level;
    double sign;
    double restitution; /**< 0 */
    double arrays[];    /**< m [n][n], k [n][n], load [n] */
} stopped_system;

static void mass(const double *q, double *M, void *context) {
    const stopped_system *s = context;
    (void)q;
    memcpy(M, s->arrays, (size_t)s->n * (size_t)s->n * sizeof *M);
}

static const double *stiffness_of(const stopped_system *s) {
    return s->arrays + s->n * s->n;
}

static const double *load_of(const stopped_system *s) {
    return s->arrays + 2 * s->n * s->n;
}

/** f = load - k q. */
static void force(double t, const double *q, const double *v, double *f, void *context) {
    const stopped_system *s = context;
    (void)t;
    (void)v;
    for (int i = 0; i < s->n; i++) {
        double pull = 0.0;
        for (int j = 0; j < s->n; j++) {
            pull += stiffness_of(s)[i * s->n + j] * q[j];
        }
        f[i] = load_of(s)[i] - pull;
    }
}

static void stiffness(double t, const double *q, const double *v, double *K, void *context) {
    const stopped_system *s = context;
    (void)t;
    (void)q;
    (void)v;
    memcpy(K, stiffness_of(s), (size_t)s->n * (size_t)s->n * sizeof *K);
}

/** V = q'k q/2 - load'q. */
static double potential_energy(const double *q, void *context) {
    const stopped_system *s = context;
    double energy = 0.0;
    for (int i = 0; i < s->n; i++) {
        energy -= load_of(s)[i] * q[i];
        for (int j = 0; j < s->n; j++) {
            energy += 0.5 * q[i] * stiffness_of(s)[i * s->n + j] * q[j];
        }
    }
    return energy;
}

static void constraints(const double *q, double *g, void *context) {
    const stopped_system *s = context;
    g[0] = s->sign * (q[s->n - 1] - s->level);
}

static void constraint_jacobian(const double *q, double *G, void *context) {
    const stopped_system *s = context;
    (void)q;
    memset(G, 0, (size_t)s->n * sizeof *G);
    G[s->n - 1] = s->sign;
}

static carom_status check(const carom_linear_contact_params *p, carom_report *report) {
    if (p->coordinate_count < 1) {
        return carom_report_refuse(report, "number of coordinates", p->coordinate_count, -1,
                                   "1 or more");
    }
    if (p->contact_sign != 1 && p->contact_sign != -1) {
        return carom_report_refuse(report, "contact sign", p->contact_sign, -1, "1 or -1");
    }
    const int n = p->coordinate_count;
    CAROM_TRY(carom_report_require_finite(report, "contact level", 1, &p->contact_level));
    CAROM_TRY(carom_report_require_finite(report, "mass", n * n, p->mass));
    CAROM_TRY(carom_report_require_finite(report, "stiffness", n * n, p->stiffness));
    return p->load == NULL ? CAROM_OK : carom_report_require_finite(report, "load", n, p->load);
}

carom_status carom_linear_contact_alloc(const carom_linear_contact_params *params,
                                        carom_model **out, carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL && params->mass != NULL &&
                 params->stiffness != NULL);
    *out = NULL;
    CAROM_TRY(check(params, report));
    const size_t n = (size_t)params->coordinate_count;
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_TRY(carom_model_alloc(params->coordinate_count,
                                sizeof(stopped_system) + (2 * n * n + n) * sizeof(double), &model));
    stopped_system *s = model->parameters;
    s->n = params->coordinate_count;
    s->level = params->contact_level;
    s->sign = params->contact_sign;
    memcpy(s->arrays, params->mass, n * n * sizeof(double));
    memcpy(s->arrays + n * n, params->stiffness, n * n * sizeof(double));
    if (params->load != NULL) {
        memcpy(s->arrays + 2 * n * n, params->load, n * sizeof(double));
    }
    carom_mechanism *mechanism = &model->mechanism;
    mechanism->name = "linear_contact";
    mechanism->contact_count = 1;
    mechanism->is_linear = true;
    mechanism->position_units = params->is_angle ? "rad" : "m";
    mechanism->velocity_units = params->is_angle ? "rad s-1" : "m s-1";
    mechanism->restitution = &s->restitution;
    mechanism->mass = mass;
    mechanism->force = force;
    mechanism->stiffness = stiffness;
    mechanism->potential_energy = potential_energy;
    mechanism->constraints = constraints;
    mechanism->constraint_jacobian = constraint_jacobian;
    CAROM_HAND_OVER(model, out);
    return CAROM_OK;
}
