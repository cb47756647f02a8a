#include <carom/models/elastic_bar.h>

#include <limits.h>
#include <math.h>
#include <string.h>

/** The bar cut into elements. */
typedef struct bar {
    int nodes;                   /**< N + 1 */
    double element_stiffness;    /**< E A / dx, N/m */
    double element_mass;         /**< rho A dx, kg */
    double initial_gap;          /**< d_0, m */
    double restitution;          /**< e */
    carom_elastic_bar_mass kind; /**< how the element mass is shared between its nodes */
} bar;

carom_elastic_bar_params carom_elastic_bar_params_default(void) {
    const carom_elastic_bar_params params = {
        .young_modulus = 900.0,
        .density = 1.0,
        .length = 10.0,
        .section = 1.0,
        .initial_gap = 5.005,
        .initial_velocity = 10.0,
        .restitution = 0.0,
        .elements = 200,
        .mass_matrix = CAROM_ELASTIC_BAR_CONSISTENT,
    };
    return params;
}

/** Sum of the element matrices [diagonal coupling; coupling diagonal], tridiagonal. */
static void assemble(int nodes, double diagonal, double coupling, double *A) {
    for (int i = 0; i < nodes; i++) {
        double *row = A + 3 * (size_t)i;
        const bool is_end = i == 0 || i == nodes - 1;
        row[0] = i > 0 ? coupling : 0.0;
        row[1] = is_end ? diagonal : 2.0 * diagonal;
        row[2] = i < nodes - 1 ? coupling : 0.0;
    }
}

/** M from m_e = (rho A dx / 6) [2 1; 1 2] or (rho A dx / 2) I. */
static void mass(const double *q, double *M, void *context) {
    (void)q;
    const bar *self = context;
    if (self->kind == CAROM_ELASTIC_BAR_CONSISTENT) {
        assemble(self->nodes, self->element_mass / 3.0, self->element_mass / 6.0, M);
    } else {
        assemble(self->nodes, self->element_mass / 2.0, 0.0, M);
    }
}

/*[elasticBarForce]*/
/** K from k_e = (E A / dx) [1 -1; -1 1]. */
static void stiffness(double t, const double *q, const double *v, double *K, void *context) {
    (void)t;
    (void)q;
    (void)v;
    const bar *self = context;
    assemble(self->nodes, self->element_stiffness, -self->element_stiffness, K);
}

/** f = -K u: each element pulls its two nodes together by its tension. */
static void force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)v;
    const bar *self = context;
    const int last = self->nodes - 1;
    double tension = 0.0; /* of the element before node i */
    for (int i = 0; i < last; i++) {
        const double next_tension = self->element_stiffness * (q[i + 1] - q[i]);
        f[i] = next_tension - tension;
        tension = next_tension;
    }
    f[last] = -tension;
}
/*[end elasticBarForce]*/

/** V = u' K u / 2, the sum of the elements' energies. */
static double potential_energy(const double *q, void *context) {
    const bar *self = context;
    double sum = 0.0;
    for (int i = 0; i < self->nodes - 1; i++) {
        const double stretch = q[i + 1] - q[i];
        sum += stretch * stretch;
    }
    return 0.5 * self->element_stiffness * sum;
}

/** g = d_0 + u_0. */
static void constraints(const double *q, double *g, void *context) {
    const bar *self = context;
    g[0] = self->initial_gap + q[0];
}

/** G = (1, 0, ..., 0). */
static void constraint_jacobian(const double *q, double *G, void *context) {
    (void)q;
    const bar *self = context;
    memset(G, 0, (size_t)self->nodes * sizeof(double));
    G[0] = 1.0;
}

/** Refuse parameters that do not describe a bar. */
static carom_status refuse(const carom_elastic_bar_params *params, carom_report *report) {
    CAROM_TRY(carom_model_require_positive("young modulus", params->young_modulus, report));
    CAROM_TRY(carom_model_require_positive("density", params->density, report));
    CAROM_TRY(carom_model_require_positive("length", params->length, report));
    CAROM_TRY(carom_model_require_positive("section", params->section, report));
    CAROM_TRY(carom_model_require_finite("initial gap", params->initial_gap, report));
    CAROM_TRY(carom_model_require_finite("initial velocity", params->initial_velocity, report));
    CAROM_TRY(carom_model_require_within("restitution", params->restitution, 0.0, 1.0, report));

    /* N elements have N + 1 nodes, which must be an int. */
    if (params->elements < 1 || params->elements == INT_MAX) {
        return carom_report_refuse(report, "elements", (double)params->elements, -1, ">= 1");
    }
    if (params->mass_matrix != CAROM_ELASTIC_BAR_CONSISTENT &&
        params->mass_matrix != CAROM_ELASTIC_BAR_LUMPED) {
        return carom_report_refuse(report, "mass matrix", (double)params->mass_matrix, -1,
                                   "a carom_elastic_bar_mass");
    }
    if (params->initial_gap < 0.0) {
        return carom_report_fail(report, CAROM_STATUS_PENETRATION, "initial gap",
                                 params->initial_gap, 0);
    }
    return CAROM_OK;
}

carom_status carom_elastic_bar_alloc(const carom_elastic_bar_params *params, carom_model **out,
                                     carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(refuse(params, report));
    const int n = params->elements + 1;
    carom_model *model = NULL;
    CAROM_TRY(carom_model_alloc(n, sizeof(bar), &model));

    const double dx = params->length / (double)params->elements;
    bar *self = model->parameters;
    self->nodes = n;
    self->element_stiffness = params->young_modulus * params->section / dx;
    self->element_mass = params->density * params->section * dx;
    self->initial_gap = params->initial_gap;
    self->restitution = params->restitution;
    self->kind = params->mass_matrix;

    /* Undeformed, every node at v_0 towards the wall. */
    for (int i = 0; i < n; i++) {
        model->initial_velocity[i] = -params->initial_velocity;
    }
    carom_mechanism *mechanism = &model->mechanism;
    mechanism->name = "elastic_bar";
    mechanism->contact_count = 1;
    mechanism->layout = carom_layout_banded(n, 1);
    mechanism->is_linear = true;
    mechanism->position_units = "m";
    mechanism->velocity_units = "m s-1";
    mechanism->restitution = &self->restitution;
    mechanism->mass = mass;
    mechanism->force = force;
    mechanism->stiffness = stiffness;
    mechanism->potential_energy = potential_energy;
    mechanism->constraints = constraints;
    mechanism->constraint_jacobian = constraint_jacobian;
    *out = model;
    return CAROM_OK;
}

/** Wave speed c = sqrt(E / rho). */
static double wave_speed(const carom_elastic_bar_params *params) {
    return sqrt(params->young_modulus / params->density);
}

double carom_elastic_bar_exact_impact_time(const carom_elastic_bar_params *params) {
    const double v_0 = params->initial_velocity;
    return v_0 > 0.0 ? params->initial_gap / v_0 : (double)INFINITY;
}

double carom_elastic_bar_exact_contact_duration(const carom_elastic_bar_params *params) {
    return 2.0 * params->length / wave_speed(params);
}

double carom_elastic_bar_exact_contact_force(const carom_elastic_bar_params *params) {
    const double v_0 = fmax(0.0, params->initial_velocity);
    return params->density * wave_speed(params) * v_0 * params->section;
}

void carom_elastic_bar_exact_state(const carom_elastic_bar_params *params, double x, double t,
                                   double *displacement, double *velocity) {
    const double c = wave_speed(params);
    const double v_0 = params->initial_velocity;
    const double d_0 = params->initial_gap;
    const double t_i = carom_elastic_bar_exact_impact_time(params);

    /* The front leaves the wall at impact, stops what it passes, returns from the free end. */
    const double t_stop = t_i + x / c;
    const double t_release = t_i + (2.0 * params->length - x) / c;
    if (t < t_stop) {
        *displacement = -v_0 * t;
        *velocity = -v_0;
    } else if (t < t_release) {
        *displacement = -d_0 - v_0 * x / c;
        *velocity = 0.0;
    } else {
        const double t_o = t_i + carom_elastic_bar_exact_contact_duration(params);
        *displacement = -d_0 + v_0 * (t - t_o);
        *velocity = v_0;
    }
}
