#include <carom/models/vibrating_table.h>

#include <float.h>
#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

carom_vibrating_table_params carom_vibrating_table_params_default(void) {
    carom_vibrating_table_params params = {
        .mass = 1.0,
        .gravity = 9.81,
        .restitution = 0.5,
        .angular_frequency = 20.0 * PI,
        .acceleration = 1.2,
    };
    // Just after an impact of the period-one motion: theta, and the velocity over the table's.
    const double e = params.restitution;
    const double cosine = PI * (1.0 - e) / ((1.0 + e) * params.acceleration);
    params.initial_phase = acos(cosine);
    params.initial_velocity =
        (PI - params.acceleration * cosine) * params.gravity / params.angular_frequency;
    return params;
}

/* --- the mechanism, in the frame of the table ---------------------------------------------------
 */

/** M = m. */
static void mass(const double *q, double *M, void *context) {
    (void)q;
    M[0] = ((const carom_vibrating_table_params *)context)->mass;
}

/** f = -m (g + d2s/dt2), s = A sin(omega t + phase). */
static void force(double t, const double *q, const double *v, double *f, void *context) {
    (void)q;
    (void)v;
    const carom_vibrating_table_params *table = context;
    const double phase = table->angular_frequency * t + table->initial_phase;
    f[0] = -table->mass * table->gravity * (1.0 - table->acceleration * sin(phase));
}

/** V = m g q. */
static double potential_energy(const double *q, void *context) {
    const carom_vibrating_table_params *table = context;
    return table->mass * table->gravity * q[0];
}

/** The gap is the coordinate. */
static void constraints(const double *q, double *g, void *context) {
    (void)context;
    g[0] = q[0];
}

/** G = 1. */
static void constraint_jacobian(const double *q, double *G, void *context) {
    (void)q;
    (void)context;
    G[0] = 1.0;
}

static carom_status refuse(const carom_vibrating_table_params *params, carom_report *report) {
    const double most = (double)INFINITY;
    CAROM_TRY(carom_model_require_positive("mass", params->mass, report));
    CAROM_TRY(carom_model_require_positive("gravity", params->gravity, report));
    CAROM_TRY(carom_model_require_within("restitution", params->restitution, 0.0, 1.0, report));
    CAROM_TRY(carom_model_require_positive("angular frequency", params->angular_frequency, report));
    CAROM_TRY(carom_model_require_within("acceleration", params->acceleration, 0.0, most, report));
    CAROM_TRY(carom_model_require_finite("initial phase", params->initial_phase, report));
    CAROM_TRY(carom_model_require_finite("initial gap", params->initial_gap, report));
    CAROM_TRY(carom_model_require_finite("initial velocity", params->initial_velocity, report));
    return params->initial_gap < 0.0 ? carom_report_fail(report, CAROM_STATUS_PENETRATION,
                                                         "initial gap", params->initial_gap, 0)
                                     : CAROM_OK;
}

carom_status carom_vibrating_table_alloc(const carom_vibrating_table_params *params,
                                         carom_model **out, carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(refuse(params, report));
    carom_model *model = NULL;
    CAROM_TRY(carom_model_alloc(1, sizeof *params, &model));
    carom_vibrating_table_params *table = model->parameters;
    *table = *params;
    model->initial_position[0] = params->initial_gap;
    model->initial_velocity[0] = params->initial_velocity;
    model->mechanism.name = "vibrating_table";
    model->mechanism.contact_count = 1;
    model->mechanism.layout = carom_layout_banded(1, 0);
    model->mechanism.is_linear = true;
    model->mechanism.position_units = "m";
    model->mechanism.velocity_units = "m s-1";
    model->mechanism.restitution = &table->restitution;
    model->mechanism.mass = mass;
    model->mechanism.force = force;
    model->mechanism.potential_energy = potential_energy;
    model->mechanism.constraints = constraints;
    model->mechanism.constraint_jacobian = constraint_jacobian;
    *out = model;
    return CAROM_OK;
}

/* --- the exact map ------------------------------------------------------------------------------
 */

/** The ball above the table after sigma, over g/omega^2, written so that nothing cancels for a
 * short flight: r sigma - sigma^2/2 - Gamma (sin(theta + sigma) - sin(theta) - sigma cos(theta)), r
 * being the speed with which it leaves the table. */
static double height(double gamma, double theta, double r, double sigma) {
    const double half = 0.5 * sigma;
    // sin(theta + sigma) - sin(theta) = 2 sin(sigma/2) cos(theta + sigma/2)
    const double rise = 2.0 * sin(half) * cos(theta + half) - sigma * cos(theta);
    return (r - half) * sigma - gamma * rise;
}

/**
 * First root of the height. Its second derivative is at least -(1 + Gamma), so that from a height d
 * with rate d' the ball cannot land before sigma + (d' + sqrt(d'^2 + 2 (1 + Gamma) d))/(1 + Gamma):
 * these steps never pass a root, and become Newton's near one.
 */
/*[vibratingTableFlight]*/
static carom_status find_landing(double gamma, double theta, double r, double *out,
                                 carom_report *report) {
    enum { MOST_STEPS = 1000 };
    const double curvature = 1.0 + gamma;
    double sigma = 0.0;
    for (int step = 0; step < MOST_STEPS; step++) {
        const double d = fmax(0.0, height(gamma, theta, r, sigma));
        const double rate = r - sigma - gamma * (cos(theta + sigma) - cos(theta));
        // Falling, the root of the bound without its cancellation.
        const double root = sqrt(rate * rate + 2.0 * curvature * d);
        const double ahead = rate > 0.0 ? (rate + root) / curvature : 2.0 * d / (root - rate);
        if (!(ahead > 2.0 * DBL_EPSILON * sigma)) {
            *out = sigma;
            return sigma > 0.0
                       ? CAROM_OK
                       : carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED,
                                           "speed at which the ball leaves the table", r, 0);
        }
        sigma += ahead;
    }
    return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "flight that grazes the table",
                             sigma, -1);
}
/*[end vibratingTableFlight]*/

carom_status carom_vibrating_table_next(const carom_vibrating_table_params *params,
                                        const carom_vibrating_table_impact *from,
                                        carom_vibrating_table_impact *to, double *jacobian,
                                        carom_report *report) {
    CAROM_ASSERT(params != NULL && from != NULL && to != NULL);
    const double e = params->restitution;
    const double gamma = params->acceleration;
    const double theta = from->phase;
    const double u = from->velocity;
    to->phase = to->velocity = (double)NAN;
    const double r = u - gamma * cos(theta);
    // Below the rounding of its terms the speed is no number: the impacts accumulate.
    const double rounding = 4.0 * DBL_EPSILON * (fabs(u) + gamma);
    if (!(r > rounding)) {
        return carom_report_fail(
            report, r >= -rounding ? CAROM_STATUS_NOT_CONVERGED : CAROM_STATUS_OUT_OF_RANGE,
            "speed at which the ball leaves the table", r, -1);
    }
    double sigma = 0.0;
    CAROM_TRY(find_landing(gamma, theta, r, &sigma, report));
    const double landing = theta + sigma;
    to->phase = landing;
    to->velocity = -e * (u - sigma) + (1.0 + e) * gamma * cos(landing);
    if (jacobian != NULL) {
        // Derivatives of the flight, by the implicit function; `approach` is the landing speed.
        const double approach = gamma * cos(landing) - (u - sigma);
        const double by_phase = gamma * (cos(theta) - cos(landing)) / approach;
        const double by_velocity = sigma / approach;
        const double turn = -(1.0 + e) * gamma * sin(landing);
        jacobian[0] = 1.0 + by_phase;
        jacobian[1] = by_velocity;
        jacobian[2] = e * by_phase + turn * jacobian[0];
        jacobian[3] = -e + e * by_velocity + turn * by_velocity;
    }
    return CAROM_OK;
}

carom_status carom_vibrating_table_period_one(const carom_vibrating_table_params *params,
                                              carom_vibrating_table_impact *impact,
                                              carom_report *report) {
    CAROM_ASSERT(params != NULL && impact != NULL);
    const double e = params->restitution;
    const double smallest = PI * (1.0 - e) / (1.0 + e);
    if (!(params->acceleration >= smallest) || !(params->acceleration > 0.0)) {
        return carom_report_bound(report, "acceleration", params->acceleration, "at least",
                                  smallest);
    }
    *impact = (carom_vibrating_table_impact){acos(smallest / params->acceleration), PI};
    return CAROM_OK;
}

double carom_vibrating_table_flip_acceleration(double restitution) {
    const double e = restitution;
    return hypot(PI * (1.0 - e) / (1.0 + e), 2.0 * (1.0 + e * e) / ((1.0 + e) * (1.0 + e)));
}

/** The map over a whole motion, with its Jacobian. */
static carom_status go_round(const carom_vibrating_table_params *params, int period,
                             carom_vibrating_table_impact *impact, double *jacobian,
                             carom_report *report) {
    const double unit[4] = {1.0, 0.0, 0.0, 1.0};
    memcpy(jacobian, unit, sizeof unit);
    for (int k = 0; k < period; k++) {
        double J[4] = {0.0};
        CAROM_TRY(carom_vibrating_table_next(params, impact, impact, J, report));
        const double a = jacobian[0];
        const double b = jacobian[1];
        jacobian[0] = J[0] * a + J[1] * jacobian[2];
        jacobian[1] = J[0] * b + J[1] * jacobian[3];
        jacobian[2] = J[2] * a + J[3] * jacobian[2];
        jacobian[3] = J[2] * b + J[3] * jacobian[3];
    }
    return CAROM_OK;
}

carom_status carom_vibrating_table_orbit(const carom_vibrating_table_params *params, int period,
                                         carom_vibrating_table_impact *impact, double *jacobian,
                                         carom_report *report) {
    CAROM_ASSERT(params != NULL && period >= 1 && impact != NULL && jacobian != NULL);
    enum { MOST_ITERATIONS = 50 };
    const double turn = 2.0 * PI * period;
    double smallest = (double)INFINITY;
    for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
        carom_vibrating_table_impact end = *impact;
        CAROM_TRY(go_round(params, period, &end, jacobian, report));
        const double by_phase = end.phase - impact->phase - turn;
        const double by_velocity = end.velocity - impact->velocity;
        const double size = hypot(by_phase, by_velocity);
        // Done where the residual is rounding and Newton's method gets it no smaller.
        if (size <= 1e3 * DBL_EPSILON * turn && !(size < 0.5 * smallest)) {
            impact->phase -= 2.0 * PI * floor(impact->phase / (2.0 * PI));
            return CAROM_OK;
        }
        smallest = fmin(smallest, size);
        // (J - 1) step = -residual
        const double a = jacobian[0] - 1.0;
        const double d = jacobian[3] - 1.0;
        const double determinant = a * d - jacobian[1] * jacobian[2];
        if (!(fabs(determinant) > DBL_EPSILON * (fabs(a * d) + fabs(jacobian[1] * jacobian[2])))) {
            return carom_report_fail(report, CAROM_STATUS_SINGULAR,
                                     "determinant of the map's Jacobian less one", determinant, -1);
        }
        impact->phase -= (d * by_phase - jacobian[1] * by_velocity) / determinant;
        impact->velocity -= (a * by_velocity - jacobian[2] * by_phase) / determinant;
    }
    return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "residual of the motion", smallest,
                             -1);
}
