#include <carom/models/bouncing_pendulum.h>

#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>

/*
 * Between impacts theta_dot^2 = k (sin theta_top - sin theta), k = 2 m a_g l / I, I = m l^2 + J.
 * With w = sqrt(sin theta_top - sin theta) the rate is sqrt(k) w and time is
 *     dt = 2 dw / (sqrt(k) cos theta),
 * free of the singularity at the turning point w = 0. The amplitude W is w at the wall: an impact
 * at rate sqrt(k) W sends the pendulum back with the amplitude e W.
 */

/** Relative accuracy asked of a quadrature; the estimate of its error has a floor of 50 roundings.
 */
static const double QUADRATURE_ACCURACY = 1e-12;
/** Intervals of a quadrature: each gains one binary digit at an end point, doubles have 53. */
enum { QUADRATURE_INTERVALS = 200 };
/** Least wall position over the length: the integrand rises to the inverse of it next to the wall,
 * over a part of the arc that is its square and must keep digits. */
static const double LEAST_WALL = 1e-6;
/** Relative size of the last term of the tail of the accumulation that is still summed in closed
 * form; the first term left out is smaller again by the square of the amplitude. */
static const double TAIL_ACCURACY = 1e-13;
/** Impacts summed before the tail: a fraction of a second of computation, e up to 1 - 4e-5. */
enum { ACCUMULATION_IMPACTS = 200000 };
/** Local error of the Runge-Kutta steps in rad and rad/s: some hundred roundings. */
static const double STEP_ACCURACY = 1e-14;
/** First step of a flight in the time unit 1/sqrt(k); the method adapts it at once. */
static const double FIRST_STEP = 1e-2;

/** The motion in terms of w, with the amplitude of the first impact. */
typedef struct swing {
    const carom_bouncing_pendulum_params *params;
    double root_k;     /**< sqrt(2 m a_g l / I), 1/s */
    double wall_angle; /**< theta_w, rad */
    double wall_sine;  /**< sin theta_w < 0 */
    double wall_cosine;
    double start;     /**< w at the release */
    double amplitude; /**< W at the first impact */
} swing;

/** One arc of the motion, from turning point to wall: the integrand's parameters. */
typedef struct arc {
    double wall_sine;
    double wall_cosine;
    double amplitude;
} arc;

/** I = m l^2 + J, moment of inertia about the pivot. */
static double pivot_inertia(const carom_bouncing_pendulum_params *params) {
    return params->mass * params->length * params->length + params->inertia;
}

/** Amplitudes of the motion; refuse what never meets the wall below the pivot, or meets it above.
 */
static carom_status prepare_swing(swing *motion, carom_report *report) {
    const carom_bouncing_pendulum_params *params = motion->params;
    CAROM_TRY(carom_bouncing_pendulum_params_check(params, report));
    /* Gravity must press the pendulum against a wall within its reach. */
    CAROM_TRY(carom_model_require_positive("gravity", params->gravity, report));
    if (!(params->wall_position < params->length)) {
        return carom_report_bound(report, "wall position", params->wall_position, "below",
                                  params->length);
    }
    if (!(params->wall_position >= LEAST_WALL * params->length)) {
        return carom_report_bound(report, "wall position", params->wall_position, "at least",
                                  LEAST_WALL * params->length);
    }
    if (fabs(params->initial_angle) >= 0.5 * acos(-1.0)) {
        return carom_report_refuse(report, "initial angle", params->initial_angle, -1,
                                   "in (-pi/2,pi/2)");
    }

    motion->wall_cosine = params->wall_position / params->length;
    motion->wall_angle = -acos(motion->wall_cosine);
    motion->wall_sine = -sqrt((1.0 - motion->wall_cosine) * (1.0 + motion->wall_cosine));
    motion->root_k =
        sqrt(2.0 * params->mass * params->gravity * params->length / pivot_inertia(params));
    CAROM_TRY(carom_model_require_positive("rate of the swing", motion->root_k, report));
    motion->start = fabs(params->initial_rate) / motion->root_k;
    /* A release from the wall itself may come out below it by rounding. */
    const double fall = fmax(0.0, sin(params->initial_angle) - motion->wall_sine);
    motion->amplitude = sqrt(motion->start * motion->start + fall);

    /* The wall also bounds theta above, at -theta_w: neither the release nor the highest rebound
     * may swing up to it. */
    const double reach = motion->amplitude * motion->amplitude;
    const double e_squared = params->restitution * params->restitution;
    if (params->initial_rate > 0.0 && reach >= -2.0 * motion->wall_sine) {
        return carom_report_bound(report, "initial rate", params->initial_rate, "below",
                                  motion->root_k * sqrt(-2.0 * motion->wall_sine - fall));
    }
    if (e_squared * reach >= -2.0 * motion->wall_sine) {
        return carom_report_bound(report, "rebound rate",
                                  params->restitution * motion->root_k * motion->amplitude, "below",
                                  motion->root_k * sqrt(-2.0 * motion->wall_sine));
    }
    return CAROM_OK;
}

/** 1/cos theta as a function of w, without cancellation next to the wall or the lowest point. */
static double inverse_cosine(double w, void *context) {
    const arc *path = context;
    const double rise = (path->amplitude - w) * (path->amplitude + w);
    const double wall_one_plus_sine =
        path->wall_cosine * path->wall_cosine / (1.0 - path->wall_sine);
    const double one_plus_sine = wall_one_plus_sine + rise;
    const double one_minus_sine = 1.0 - path->wall_sine - rise;
    return 1.0 / sqrt(one_plus_sine * one_minus_sine);
}

/** Part of a quadrature. */
typedef struct part {
    double low;
    double high;
    double area;
    double error; /**< estimate of what the area misses */
} part;

static part integrate_part(const gsl_function *integrand, double low, double high) {
    part one = {low, high, NAN, NAN};
    double magnitude = NAN;
    double variation = NAN;
    gsl_integration_qk31(integrand, low, high, &one.area, &one.error, &magnitude, &variation);
    return one;
}

/** Integral over [low, high]: the part that misses most is halved until all miss little. GSL's own
 * adaptive rules end in its error handler where they take a steep integrand for rounding. */
static carom_status integrate(const gsl_function *integrand, double low, double high,
                              double *integral, carom_report *report) {
    part parts[QUADRATURE_INTERVALS] = {integrate_part(integrand, low, high)};
    double area = parts[0].area;
    double error = parts[0].error;
    int count = 1;
    while (error > QUADRATURE_ACCURACY * fabs(area) && count < QUADRATURE_INTERVALS) {
        part *worst = parts;
        for (int i = 1; i < count; i++) {
            worst = parts[i].error > worst->error ? &parts[i] : worst;
        }
        const double middle = 0.5 * (worst->low + worst->high);
        const part lower = integrate_part(integrand, worst->low, middle);
        const part upper = integrate_part(integrand, middle, worst->high);
        area += lower.area + upper.area - worst->area;
        error += lower.error + upper.error - worst->error;
        parts[count++] = lower.error < upper.error ? lower : upper;
        *worst = lower.error < upper.error ? upper : lower;
    }
    if (!isfinite(area) || !(error <= QUADRATURE_ACCURACY * fabs(area))) {
        return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "flight time", error, -1);
    }
    *integral = 0.0;
    for (int i = 0; i < count; i++) {
        *integral += parts[i].area;
    }
    return CAROM_OK;
}

/** Time between w = low and w = high on an arc of the given amplitude. */
static carom_status arc_duration(const swing *motion, double amplitude, double low, double high,
                                 double *duration, carom_report *report) {
    *duration = 0.0;
    if (high <= low) {
        return CAROM_OK;
    }
    arc path = {motion->wall_sine, motion->wall_cosine, amplitude};
    const gsl_function integrand = {inverse_cosine, &path};
    double integral = NAN;
    CAROM_TRY(integrate(&integrand, low, high, &integral, report));
    *duration = 2.0 * integral / motion->root_k;
    return CAROM_OK;
}

/** Time of the first impact: from the release to the wall, by way of the turning point if rising.
 */
static carom_status first_impact_time(const swing *motion, double *time, carom_report *report) {
    const double W = motion->amplitude;
    if (motion->params->initial_rate <= 0.0) {
        return arc_duration(motion, W, motion->start, W, time, report);
    }
    double rising = NAN;
    double falling = NAN;
    CAROM_TRY(arc_duration(motion, W, 0.0, motion->start, &rising, report));
    CAROM_TRY(arc_duration(motion, W, 0.0, W, &falling, report));
    *time = rising + falling;
    return CAROM_OK;
}

/** Time from an impact to the next one, up and down with the given amplitude. */
static carom_status flight_duration(const swing *motion, double amplitude, double *duration,
                                    carom_report *report) {
    CAROM_TRY(arc_duration(motion, amplitude, 0.0, amplitude, duration, report));
    *duration *= 2.0;
    return CAROM_OK;
}

/** The impact at amplitude W: momentum balance M (v+ - v-) = g_q' p of (6d) at theta_w with the
 * jump (1+e) sqrt(k) W of the rate, which the contact gives to the moment about the pivot. */
static carom_bouncing_pendulum_impact impact_of_amplitude(const swing *motion, double amplitude,
                                                          double time) {
    const carom_bouncing_pendulum_params *params = motion->params;
    const double speed = motion->root_k * amplitude;
    const double jump = (1.0 + params->restitution) * speed;
    const double arm = params->length * motion->wall_sine;
    const double contact_impulse = -pivot_inertia(params) * jump / arm;
    const double rebound = params->restitution * speed;
    const carom_bouncing_pendulum_impact impact = {
        .time = time,
        .rate = -speed,
        .contact_impulse = contact_impulse,
        .joint_impulse = {-params->mass * arm * jump - contact_impulse,
                          params->mass * params->length * motion->wall_cosine * jump},
        .energy =
            params->mass * params->gravity * arm + 0.5 * pivot_inertia(params) * rebound * rebound,
    };
    return impact;
}

static carom_status sum_impacts(const swing *motion, int count,
                                carom_bouncing_pendulum_impact *impacts, carom_report *report) {
    double time = NAN;
    CAROM_TRY(first_impact_time(motion, &time, report));
    double amplitude = motion->amplitude;
    for (int k = 0; k < count; k++) {
        if (k > 0) {
            double flight = NAN;
            amplitude *= motion->params->restitution;
            CAROM_TRY(flight_duration(motion, amplitude, &flight, report));
            time += flight;
        }
        impacts[k] = impact_of_amplitude(motion, amplitude, time);
    }
    return CAROM_OK;
}

carom_status carom_bouncing_pendulum_exact_impacts(const carom_bouncing_pendulum_params *params,
                                                   int count,
                                                   carom_bouncing_pendulum_impact *impacts,
                                                   carom_report *report) {
    CAROM_ASSERT(params != NULL && count >= 0 && (count == 0 || impacts != NULL));
    const carom_bouncing_pendulum_impact unknown = {NAN, NAN, NAN, {NAN, NAN}, NAN};
    for (int k = 0; k < count; k++) {
        impacts[k] = unknown;
    }
    swing motion = {.params = params};
    CAROM_TRY(prepare_swing(&motion, report));
    return sum_impacts(&motion, count, impacts, report);
}

/*
 * Sum of the flights with the amplitudes V e, V e^2, ... in closed form, for small V: the flight of
 * amplitude W lasts (4/sqrt k) (c0 W + c1 W^3 + c2 W^5 + ...), where the c are the Taylor
 * coefficients of 1/sqrt(1 - S^2) at S = sin theta_w times the integrals of (1 - x^2)^i over [0,1].
 * Each power is a geometric series. *last is the term of W^5.
 */
static double tail_of_flights(const swing *motion, double V, double *last) {
    const double e = motion->params->restitution;
    const double S = motion->wall_sine;
    const double c = motion->wall_cosine;
    const double coefficient[] = {
        1.0 / c,
        2.0 / 3.0 * S / pow(c, 3),
        4.0 / 15.0 * (1.0 + 2.0 * S * S) / pow(c, 5),
    };
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        const double ratio = pow(e, 2 * i + 1);
        *last = 4.0 / motion->root_k * coefficient[i] * pow(V, 2 * i + 1) * ratio / (1.0 - ratio);
        sum += *last;
    }
    return sum;
}

/** Flights by quadrature until the tail is known in closed form. */
static carom_status sum_to_accumulation(const swing *motion, double *time, carom_report *report) {
    const double e = motion->params->restitution;
    double sum = NAN;
    CAROM_TRY(first_impact_time(motion, &sum, report));
    double amplitude = motion->amplitude;
    /* Already at rest against the wall, or without rebound. */
    if (amplitude <= 0.0 || e <= 0.0) {
        *time = sum;
        return CAROM_OK;
    }
    if (e >= 1.0) {
        *time = INFINITY;
        return CAROM_OK;
    }
    double last = NAN;
    for (int k = 0; k < ACCUMULATION_IMPACTS; k++) {
        const double tail = tail_of_flights(motion, amplitude, &last);
        if (last <= TAIL_ACCURACY * (sum + tail)) {
            *time = sum + tail;
            return CAROM_OK;
        }
        amplitude *= e;
        double flight = NAN;
        CAROM_TRY(flight_duration(motion, amplitude, &flight, report));
        sum += flight;
    }
    const carom_status status =
        carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "accumulation time", sum, -1);
    if (report != NULL) {
        report->residual = last;
        report->iterations = ACCUMULATION_IMPACTS;
    }
    return status;
}

carom_status
carom_bouncing_pendulum_exact_accumulation_time(const carom_bouncing_pendulum_params *params,
                                                double *time, carom_report *report) {
    CAROM_ASSERT(params != NULL && time != NULL);
    *time = NAN;
    swing motion = {.params = params};
    CAROM_TRY(prepare_swing(&motion, report));
    return sum_to_accumulation(&motion, time, report);
}

/** theta_ddot = -(k/2) cos theta. */
static int swing_rate(double t, const double y[], double dy[], void *context) {
    (void)t;
    const swing *motion = context;
    dy[0] = y[1];
    dy[1] = -0.5 * motion->root_k * motion->root_k * cos(y[0]);
    return GSL_SUCCESS;
}

/** A replay of the motion: the state reached in the present flight, and where that flight ends. */
typedef struct replay {
    double time;
    double state[2];     /**< angle, rate */
    double impact_time;  /**< end of the flight */
    double amplitude;    /**< W at that impact */
    double accumulation; /**< from here on at rest */
} replay;

/** Pass the impact that ends the present flight. */
static carom_status pass_impact(const swing *motion, replay *at, carom_report *report) {
    at->time = at->impact_time;
    at->amplitude *= motion->params->restitution;
    at->state[0] = motion->wall_angle;
    at->state[1] = motion->root_k * at->amplitude;
    double flight = NAN;
    CAROM_TRY(flight_duration(motion, at->amplitude, &flight, report));
    at->impact_time += flight;
    /* A flight that no longer advances the time is the accumulation, to rounding. */
    if (at->impact_time <= at->time) {
        at->accumulation = at->time;
    }
    return CAROM_OK;
}

/** The state at one time, not before the one reached. */
static carom_status walk_to(const swing *motion, double time, gsl_odeiv2_driver *driver, replay *at,
                            carom_report *report) {
    /* Impacts on the way: the last one not after the time starts its flight. */
    while (time < at->accumulation && at->impact_time <= time) {
        CAROM_TRY(pass_impact(motion, at, report));
        (void)gsl_odeiv2_driver_reset_hstart(driver, FIRST_STEP / motion->root_k);
    }
    /* Rest against the wall. */
    if (time >= at->accumulation) {
        at->time = time;
        at->state[0] = motion->wall_angle;
        at->state[1] = 0.0;
        return CAROM_OK;
    }
    /* Free flight. */
    const int code = gsl_odeiv2_driver_apply(driver, &at->time, time, at->state);
    if (code != GSL_SUCCESS) {
        return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "flight", at->time, -1);
    }
    return CAROM_OK;
}

/** The replay at t = 0. The accumulation is only summed if the last time may lie beyond it: a
 * flight of amplitude W lasts at least 4 W / sqrt(k). */
static carom_status start_replay(const swing *motion, double last_time, replay *at,
                                 carom_report *report) {
    const double e = motion->params->restitution;
    at->time = 0.0;
    at->state[0] = motion->params->initial_angle;
    at->state[1] = motion->params->initial_rate;
    at->amplitude = motion->amplitude;
    at->accumulation = INFINITY;
    CAROM_TRY(first_impact_time(motion, &at->impact_time, report));
    const double all_flights = 4.0 * at->amplitude * e / motion->root_k;
    if ((1.0 - e) * (last_time - at->impact_time) >= all_flights) {
        CAROM_TRY(sum_to_accumulation(motion, &at->accumulation, report));
    }
    return CAROM_OK;
}

/** Refuse times that are not finite, negative or decreasing. */
static carom_status check_times(int count, const double *times, carom_report *report) {
    for (int i = 0; i < count; i++) {
        if (!isfinite(times[i])) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "times", times[i], i);
        }
        if (times[i] < (i == 0 ? 0.0 : times[i - 1])) {
            return carom_report_refuse(report, "times", times[i], i, ">= 0, in order");
        }
    }
    return CAROM_OK;
}

carom_status carom_bouncing_pendulum_exact_states(const carom_bouncing_pendulum_params *params,
                                                  int count, const double *times, double *angle,
                                                  double *rate, carom_report *report) {
    CAROM_ASSERT(params != NULL && count >= 0);
    for (int i = 0; i < count; i++) {
        angle[i] = NAN;
        rate[i] = NAN;
    }
    swing motion = {.params = params};
    CAROM_TRY(prepare_swing(&motion, report));
    CAROM_TRY(check_times(count, times, report));
    if (count == 0) {
        return CAROM_OK;
    }

    gsl_odeiv2_system equation = {swing_rate, NULL, 2, &motion};
    gsl_odeiv2_driver *driver = gsl_odeiv2_driver_alloc_y_new(
        &equation, gsl_odeiv2_step_rk8pd, FIRST_STEP / motion.root_k, STEP_ACCURACY, STEP_ACCURACY);
    if (driver == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    replay at;
    carom_status status = start_replay(&motion, times[count - 1], &at, report);
    for (int i = 0; status == CAROM_OK && i < count; i++) {
        status = walk_to(&motion, times[i], driver, &at, report);
        if (status == CAROM_OK) {
            angle[i] = at.state[0];
            rate[i] = at.state[1];
        }
    }
    gsl_odeiv2_driver_free(driver);
    return status;
}

void carom_bouncing_pendulum_exact_joint_force(const carom_bouncing_pendulum_params *params,
                                               double angle, double rate, double *force) {
    /* Acceleration of the free swing, then m x_ddot = lambda^1 and m (y_ddot + a_g) = lambda^2. */
    const double m = params->mass;
    const double l = params->length;
    const double acceleration = -m * params->gravity * l * cos(angle) / pivot_inertia(params);
    const double x_acceleration = -l * (sin(angle) * acceleration + cos(angle) * rate * rate);
    const double y_acceleration = l * (cos(angle) * acceleration - sin(angle) * rate * rate);
    force[0] = m * x_acceleration;
    force[1] = m * (y_acceleration + params->gravity);
}
