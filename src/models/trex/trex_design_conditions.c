#include <carom/base/linear_algebra.h>
#include <carom/models/trex/internal.h>

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

enum {
    N = CAROM_TREX_COORDINATES,
    CONTACTS = CAROM_TREX_CONTACTS,
    VARIABLES = CAROM_TREX_DESIGN_VARIABLES,
    CONDITIONS = CAROM_TREX_DESIGN_CONDITIONS,
    /** Variables of the stance come first, in the order of the coordinates after x. */
    SHAPE_FIRST = CAROM_TREX_DESIGN_ANTERIOR_RADIUS,
    SHAPES = VARIABLES - SHAPE_FIRST
};

/** Least share of a diagonal entry of the mass matrix that elimination may leave: rounding leaves
 * 1e-15, robots 1e-3. */
static const double PIVOT_TOLERANCE = 1e-14;

/** The two normals that must be orthogonal. */
enum { FOOT, TAIL, NORMALS };
static const int contact_of[NORMALS] = {CAROM_TREX_RIGHT_FOOT, CAROM_TREX_TAIL_TIP};

/** The normals in the kinetic metric. */
typedef struct normals {
    double covector[NORMALS][N];      /**< D phi_i */
    double vector[NORMALS][N];        /**< M^-1 D phi_i' */
    double product[NORMALS][NORMALS]; /**< D phi_i M^-1 D phi_j', 1/kg */
    double cosine;                    /**< of the unit normals */
} normals;

void carom_trex_design_get(const carom_trex_params *params, double *z) {
    CAROM_ASSERT(params != NULL && z != NULL);
    memcpy(z, params->stance + CAROM_TREX_Y, SHAPE_FIRST * sizeof(double));
    z[CAROM_TREX_DESIGN_ANTERIOR_RADIUS] = params->anterior_radius;
    z[CAROM_TREX_DESIGN_POSTERIOR_RADIUS] = params->posterior_radius;
    z[CAROM_TREX_DESIGN_UPPER_LENGTH] = params->upper_length;
    z[CAROM_TREX_DESIGN_LOWER_LENGTH] = params->lower_length;
}

void carom_trex_design_set(carom_trex_params *params, const double *z) {
    CAROM_ASSERT(params != NULL && z != NULL);
    memcpy(params->stance + CAROM_TREX_Y, z, SHAPE_FIRST * sizeof(double));
    params->anterior_radius = z[CAROM_TREX_DESIGN_ANTERIOR_RADIUS];
    params->posterior_radius = z[CAROM_TREX_DESIGN_POSTERIOR_RADIUS];
    params->upper_length = z[CAROM_TREX_DESIGN_UPPER_LENGTH];
    params->lower_length = z[CAROM_TREX_DESIGN_LOWER_LENGTH];
}

static double dot(const double *a, const double *b) {
    double sum = 0.0;
    for (int j = 0; j < N; j++) {
        sum += a[j] * b[j];
    }
    return sum;
}

/** M = L L', refused where a pivot is rounding. */
static carom_status factor_mass(const carom_mechanism *mechanism, const double *q, double *L,
                                carom_report *report) {
    mechanism->mass(q, L, mechanism->context);
    double diagonal[N];
    for (int j = 0; j < N; j++) {
        diagonal[j] = L[j * (N + 1)];
        if (!isfinite(diagonal[j])) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "mass matrix", diagonal[j],
                                     j);
        }
        if (!(diagonal[j] > 0.0)) {
            return carom_report_fail(report, CAROM_STATUS_SINGULAR, "mass matrix", diagonal[j], j);
        }
    }
    if (carom_cholesky_compute(N, L) != CAROM_OK) {
        return carom_report_fail(report, CAROM_STATUS_SINGULAR, "mass matrix", 0.0, -1);
    }
    for (int j = 0; j < N; j++) {
        const double pivot = L[j * (N + 1)] * L[j * (N + 1)];
        if (!(pivot > PIVOT_TOLERANCE * diagonal[j])) {
            return carom_report_fail(report, CAROM_STATUS_SINGULAR, "mass matrix", pivot, j);
        }
    }
    return CAROM_OK;
}

/** Normals, raised and multiplied. */
static carom_status compute_normals(const carom_mechanism *mechanism, const double *q, normals *out,
                                    carom_report *report) {
    double L[N * N];
    double G[CONTACTS * N];
    CAROM_TRY(factor_mass(mechanism, q, L, report));
    carom_mechanism_constraint_jacobian(mechanism, q, G);
    const gsl_matrix_const_view factor = gsl_matrix_const_view_array(L, N, N);
    for (int i = 0; i < NORMALS; i++) {
        memcpy(out->covector[i], G + contact_of[i] * N, N * sizeof(double));
        memcpy(out->vector[i], out->covector[i], N * sizeof(double));
        gsl_vector_view raised = gsl_vector_view_array(out->vector[i], N);
        (void)gsl_linalg_cholesky_svx(&factor.matrix, &raised.vector);
    }
    for (int i = 0; i < NORMALS; i++) {
        for (int j = 0; j < NORMALS; j++) {
            out->product[i][j] = dot(out->covector[i], out->vector[j]);
        }
    }
    out->cosine = out->product[FOOT][TAIL] /
                  (sqrt(out->product[FOOT][FOOT]) * sqrt(out->product[TAIL][TAIL]));
    return CAROM_OK;
}

/** Change of the cosine c = u_ft/sqrt(u_ff u_tt) with those of the products u. */
static double cosine_change(const normals *at, double foot_tail, double foot_foot,
                            double tail_tail) {
    const double norms = sqrt(at->product[FOOT][FOOT]) * sqrt(at->product[TAIL][TAIL]);
    return foot_tail / norms -
           0.5 * at->cosine *
               (foot_foot / at->product[FOOT][FOOT] + tail_tail / at->product[TAIL][TAIL]);
}

/** Row c, columns of the stance: d(a M^-1 b') = da M^-1 b' + db M^-1 a' - (M^-1 a')' dM M^-1 b'. */
static void set_stance_columns(const carom_mechanism *mechanism, const double *q, const normals *at,
                               double *row) {
    double bend[NORMALS][N * N];
    double turn[NORMALS][N * N];
    for (int i = 0; i < NORMALS; i++) {
        double lambda[CONTACTS] = {0.0};
        lambda[contact_of[i]] = 1.0;
        mechanism->constraint_force_derivative(q, lambda, bend[i], mechanism->context);
        mechanism->mass_derivative(q, at->vector[i], turn[i], mechanism->context);
    }
    for (int k = 0; k < SHAPE_FIRST; k++) {
        double change[NORMALS][NORMALS] = {{0.0}};
        for (int i = 0; i < NORMALS; i++) {
            for (int j = 0; j < NORMALS; j++) {
                for (int l = 0; l < N; l++) {
                    const int entry = l * N + CAROM_TREX_Y + k;
                    change[i][j] += bend[i][entry] * at->vector[j][l] +
                                    bend[j][entry] * at->vector[i][l] -
                                    at->vector[i][l] * turn[j][entry];
                }
            }
        }
        row[k] = cosine_change(at, change[FOOT][TAIL], change[FOOT][FOOT], change[TAIL][TAIL]);
    }
}

/** The robot's sums replaced by their derivatives by one variable of the shape: mass matrix and,
 * but for y, gaps are linear in them. */
static carom_trex_data shape_derivative(const carom_trex_params *params, int shape) {
    carom_trex_shape_rate rate = {.anterior_radius = 0.0};
    double *const rates[SHAPES] = {&rate.anterior_radius, &rate.posterior_radius,
                                   &rate.upper_length, &rate.lower_length};
    *rates[shape] = 1.0;
    carom_trex_data data = {.params = *params, .inertia = carom_trex_inertia_rate(params, rate)};
    data.reach[CAROM_TREX_RIGHT_FOOT][CAROM_TREX_RIGHT_UPPER] = rate.upper_length;
    data.reach[CAROM_TREX_RIGHT_FOOT][CAROM_TREX_RIGHT_LOWER] = rate.lower_length;
    data.reach[CAROM_TREX_TAIL_TIP][CAROM_TREX_ANTERIOR] =
        rate.anterior_radius + rate.posterior_radius;
    data.reach[CAROM_TREX_TAIL_TIP][CAROM_TREX_POSTERIOR] =
        carom_trex_tail_length_rate(params, rate);
    return data;
}

/** All rows, column of one variable of the shape. */
static void set_shape_column(const carom_trex_params *params, int shape, const normals *at,
                             double *jacobian) {
    carom_trex_data data = shape_derivative(params, shape);
    carom_mechanism mechanism = {.coordinate_count = N, .context = &data};
    carom_trex_set_functions(&mechanism);
    double q[N];
    memcpy(q, params->stance, sizeof(q));
    q[CAROM_TREX_Y] = 0.0; /* what does not depend on the shape */
    double dM[N * N];
    double dG[CONTACTS * N];
    double dg[CONTACTS];
    mechanism.mass(q, dM, mechanism.context);
    mechanism.constraint_jacobian(q, dG, mechanism.context);
    mechanism.constraints(q, dg, mechanism.context);

    double change[NORMALS][NORMALS];
    double *d_normal[NORMALS];
    for (int i = 0; i < NORMALS; i++) {
        d_normal[i] = dG + contact_of[i] * N;
        d_normal[i][CAROM_TREX_Y] = 0.0;
    }
    for (int i = 0; i < NORMALS; i++) {
        for (int j = 0; j < NORMALS; j++) {
            change[i][j] = dot(d_normal[i], at->vector[j]) + dot(d_normal[j], at->vector[i]);
            for (int l = 0; l < N; l++) {
                change[i][j] -= at->vector[i][l] * dot(dM + l * N, at->vector[j]);
            }
        }
    }
    double *column = jacobian + SHAPE_FIRST + shape;
    column[CAROM_TREX_DESIGN_COSINE * VARIABLES] =
        cosine_change(at, change[FOOT][TAIL], change[FOOT][FOOT], change[TAIL][TAIL]);
    column[CAROM_TREX_DESIGN_FOOT_GAP * VARIABLES] = dg[CAROM_TREX_RIGHT_FOOT];
    column[CAROM_TREX_DESIGN_TAIL_GAP * VARIABLES] = dg[CAROM_TREX_TAIL_TIP];
}

static void set_jacobian(const carom_trex_params *params, const carom_mechanism *mechanism,
                         const normals *at, double *jacobian) {
    set_stance_columns(mechanism, params->stance, at,
                       jacobian + CAROM_TREX_DESIGN_COSINE * VARIABLES);
    memcpy(jacobian + CAROM_TREX_DESIGN_FOOT_GAP * VARIABLES, at->covector[FOOT] + CAROM_TREX_Y,
           SHAPE_FIRST * sizeof(double));
    memcpy(jacobian + CAROM_TREX_DESIGN_TAIL_GAP * VARIABLES, at->covector[TAIL] + CAROM_TREX_Y,
           SHAPE_FIRST * sizeof(double));
    for (int shape = 0; shape < SHAPES; shape++) {
        set_shape_column(params, shape, at, jacobian);
    }
}

carom_status carom_trex_design_conditions(const carom_trex_params *params, double *F,
                                          double *jacobian, carom_report *report) {
    CAROM_ASSERT(params != NULL && F != NULL);
    for (int i = 0; i < CONDITIONS; i++) {
        F[i] = (double)NAN;
    }
    for (int i = 0; jacobian != NULL && i < CONDITIONS * VARIABLES; i++) {
        jacobian[i] = (double)NAN;
    }
    carom_trex_data data = {.params = *params, .inertia = carom_trex_inertia_of(params)};
    carom_trex_reaches(params, &data.reach[0][0]);
    carom_mechanism mechanism = {.coordinate_count = N, .context = &data};
    carom_trex_set_functions(&mechanism);

    normals at = {.cosine = (double)NAN};
    CAROM_TRY(compute_normals(&mechanism, params->stance, &at, report));
    if (!isfinite(at.cosine)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "cosine", at.cosine, -1);
    }
    double g[CONTACTS];
    mechanism.constraints(params->stance, g, mechanism.context);
    F[CAROM_TREX_DESIGN_COSINE] = at.cosine;
    F[CAROM_TREX_DESIGN_FOOT_GAP] = g[CAROM_TREX_RIGHT_FOOT];
    F[CAROM_TREX_DESIGN_TAIL_GAP] = g[CAROM_TREX_TAIL_TIP];
    if (jacobian != NULL) {
        set_jacobian(params, &mechanism, &at, jacobian);
    }
    return CAROM_OK;
}
