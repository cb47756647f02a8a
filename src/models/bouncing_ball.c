#include <carom/models/bouncing_ball.h>

#include <math.h>

carom_bouncing_ball_params carom_bouncing_ball_params_default(void) {
    const carom_bouncing_ball_params params = {
        .mass = 1.0,
        .radius = 0.2,
        .gravity = 10.0,
        .initial_height = 1.001,
        .initial_velocity = 0.0,
        .restitution = 0.8,
    };
    return params;
}

/** M = m. */
static void mass(const double *q, double *M, void *context) {
    (void)q;
    const carom_bouncing_ball_params *ball = context;
    M[0] = ball->mass;
}

/** f = -m a_g. */
static void force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)q;
    (void)v;
    const carom_bouncing_ball_params *ball = context;
    f[0] = -ball->mass * ball->gravity;
}

/** V = m a_g (y - R), zero at contact. */
static double potential_energy(const double *q, void *context) {
    const carom_bouncing_ball_params *ball = context;
    return ball->mass * ball->gravity * (q[0] - ball->radius);
}

/** g = y - R. */
static void constraints(const double *q, double *g, void *context) {
    const carom_bouncing_ball_params *ball = context;
    g[0] = q[0] - ball->radius;
}

/** G = 1. */
static void constraint_jacobian(const double *q, double *G, void *context) {
    (void)q;
    (void)context;
    G[0] = 1.0;
}

/** Refuse parameters that do not describe a ball above a floor. */
static carom_status refuse(const carom_bouncing_ball_params *params, carom_report *report) {
    CAROM_TRY(carom_model_require_positive("mass", params->mass, report));
    CAROM_TRY(carom_model_require_positive("radius", params->radius, report));
    CAROM_TRY(
        carom_model_require_within("gravity", params->gravity, 0.0, (double)INFINITY, report));
    CAROM_TRY(carom_model_require_finite("initial height", params->initial_height, report));
    CAROM_TRY(carom_model_require_finite("initial velocity", params->initial_velocity, report));
    CAROM_TRY(carom_model_require_within("restitution", params->restitution, 0.0, 1.0, report));
    const double gap = params->initial_height - params->radius;
    if (gap < 0.0) {
        return carom_report_fail(report, CAROM_STATUS_PENETRATION, "initial gap", gap, 0);
    }
    return CAROM_OK;
}

carom_status carom_bouncing_ball_alloc(const carom_bouncing_ball_params *params, carom_model **out,
                                       carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(refuse(params, report));
    carom_model *model = NULL;
    CAROM_TRY(carom_model_alloc(1, sizeof(*params), &model));

    carom_bouncing_ball_params *ball = model->parameters;
    *ball = *params;
    model->initial_position[0] = params->initial_height;
    model->initial_velocity[0] = params->initial_velocity;
    carom_mechanism *mechanism = &model->mechanism;
    mechanism->name = "bouncing_ball";
    mechanism->contact_count = 1;
    mechanism->layout = carom_layout_banded(1, 0);
    mechanism->is_linear = true;
    mechanism->position_units = "m";
    mechanism->velocity_units = "m s-1";
    mechanism->restitution = &ball->restitution;
    mechanism->mass = mass;
    mechanism->force = force;
    mechanism->potential_energy = potential_energy;
    mechanism->constraints = constraints;
    mechanism->constraint_jacobian = constraint_jacobian;
    *out = model;
    return CAROM_OK;
}

/** Approach speed of the first impact, v_1 = sqrt(v_0^2 + 2 a_g (h_0 - R)). */
static double first_speed(const carom_bouncing_ball_params *params) {
    const double v_0 = params->initial_velocity;
    const double gap = params->initial_height - params->radius;
    return sqrt(v_0 * v_0 + 2.0 * params->gravity * gap);
}

/** First impact t_1, the positive root of gap + v_0 t - a_g t^2/2; infinite if it never falls. */
static double first_time(const carom_bouncing_ball_params *params) {
    const double v_0 = params->initial_velocity;
    const double gap = params->initial_height - params->radius;
    /* Of the two forms of the root each is free of cancellation for one sign of v_0. */
    if (v_0 < 0.0) {
        return 2.0 * gap / (first_speed(params) - v_0);
    }
    return params->gravity > 0.0 ? (v_0 + first_speed(params)) / params->gravity : (double)INFINITY;
}

/** Time between the first two impacts for e = 1, 2 v_1 / a_g; infinite without gravity. */
static double first_flight(const carom_bouncing_ball_params *params) {
    return params->gravity > 0.0 ? 2.0 * first_speed(params) / params->gravity : (double)INFINITY;
}

/** The k-th impact is at t_1 + (2 v_1 / a_g) (e + ... + e^k); k is whole. */
static double impact_time(const carom_bouncing_ball_params *params, double k) {
    const double e = params->restitution;
    const double t_1 = first_time(params);
    if (k < 1.0 || !(e > 0.0)) {
        return t_1;
    }
    /* (1 - e^k)/(1 - e) through expm1, so that e near one keeps its digits. */
    const double sum = e < 1.0 ? e * -expm1(k * log(e)) / (1.0 - e) : k;
    return t_1 + first_flight(params) * sum;
}

carom_bouncing_ball_impact
carom_bouncing_ball_exact_impact(const carom_bouncing_ball_params *params, int k) {
    CAROM_ASSERT(k >= 0);
    const double e = params->restitution;
    const double speed = first_speed(params) * pow(e, (double)k);
    const carom_bouncing_ball_impact impact = {
        .time = impact_time(params, (double)k),
        .speed = speed,
        .impulse = params->mass * (1.0 + e) * speed,
    };
    return impact;
}

double carom_bouncing_ball_exact_accumulation_time(const carom_bouncing_ball_params *params) {
    const double e = params->restitution;
    if (!(e > 0.0) || !(first_speed(params) > 0.0)) {
        return first_time(params);
    }
    return e < 1.0 ? first_time(params) + first_flight(params) * e / (1.0 - e) : (double)INFINITY;
}

/** Number k of the last impact at or before t, t_1 <= t < accumulation, e > 0. */
static double last_impact(const carom_bouncing_ball_params *params, double t) {
    const double e = params->restitution;
    /* e + ... + e^k = s solved for k; rounding may leave it off by one. */
    const double s = (t - first_time(params)) / first_flight(params);
    double k = floor(e < 1.0 ? log1p(-s * (1.0 - e) / e) / log(e) : s);
    if (!isfinite(k)) {
        return k;
    }
    if (impact_time(params, k + 1.0) <= t) {
        k += 1.0;
    } else if (impact_time(params, k) > t) {
        k -= 1.0;
    }
    return fmax(0.0, k);
}

void carom_bouncing_ball_exact_state(const carom_bouncing_ball_params *params, double t,
                                     double *position, double *velocity) {
    const double a_g = params->gravity;
    if (t < first_time(params)) {
        *position = params->initial_height + params->initial_velocity * t - 0.5 * a_g * t * t;
        *velocity = params->initial_velocity - a_g * t;
        return;
    }

    /* At rest; also when the remaining flights are shorter than rounding of t. */
    *position = params->radius;
    *velocity = 0.0;
    if (t >= carom_bouncing_ball_exact_accumulation_time(params)) {
        return;
    }
    const double k = last_impact(params, t);
    if (!isfinite(k)) {
        return;
    }

    /* In flight since the k-th impact, which it left at e^(k+1) v_1. */
    const double tau = t - impact_time(params, k);
    const double departure = first_speed(params) * pow(params->restitution, k + 1.0);
    *position = params->radius + fmax(0.0, (departure - 0.5 * a_g * tau) * tau);
    *velocity = departure - a_g * tau;
}
