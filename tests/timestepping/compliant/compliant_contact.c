/* carom/timestepping/compliant/compliant.h: closed forms of a particle, and what is
 * refused. */
#include "compliant_bodies.h"

#include <carom/models/ball_chain.h>
#include <gsl/gsl_math.h>

#include <carom/timestepping/compliant/compliant.h>

/* Errors of a hundred steps with relative tolerance 1e-10 and absolute tolerance 1e-11, in numbers
 * of order one. */
static const double STEPS_TOLERANCE = 3e-8;

/* ----------------------------------------------------------------------- particle, closed forms */

static const double SPRING_MASS = 2.385;
static const double SPRING_SPEED = 1.79;

static particle falling_particle(void) {
    return (particle){.dimension = 1, .mass = {SPRING_MASS, 0.0, 0.0}};
}

static carom_compliant_params spring_params(const double *stiffness, double damping_ratio) {
    carom_compliant_params params = carom_compliant_params_default();
    params.stiffness = stiffness;
    params.damping_ratio = damping_ratio;
    params.reference_mass = SPRING_MASS;
    params.time_span = 0.1;
    params.regularisation_speed = 1e-10;
    return params;
}

/* The first instant without a force after one with a force, and the least force. */
typedef struct force_watch {
    double release_time;
    double least_force;
} force_watch;

static void watch_force(const carom_compliant_instant *instant, void *context) {
    force_watch *watch = context;
    if (instant->normal_force[0] > 0.0) {
        watch->release_time = (double)NAN;
    } else if (isnan(watch->release_time)) {
        watch->release_time = instant->time;
    }
    watch->least_force = fmin(watch->least_force, instant->normal_force[0]);
}

/* Without gravity, m phi'' + d phi' + k phi = 0 until phi'' = 0: omega_d t = pi - 2 asin zeta,
 * speed v0 exp(-zeta omega t). */
static void check_bounce(double zeta, carom_compliant_damping damping, double effective_zeta) {
    const double k = 7.31e5;
    particle ball = falling_particle();
    const carom_mechanism mechanism = particle_mechanism(&ball);
    carom_compliant_params params = spring_params(&k, zeta);
    params.damping = damping;
    params.stops_when_separating = false;
    params.time_span = 0.017;
    force_watch watch = {.release_time = 0.0};
    params.observer = watch_force;
    params.observer_context = &watch;
    const double height = 0.00385;
    carom_compliant_run *run =
        run_compliant(&mechanism, &params, &height, (const double[]){-SPRING_SPEED});

    const double omega = sqrt(k / SPRING_MASS);
    const double root = sqrt(1.0 - effective_zeta * effective_zeta);
    const double duration = (acos(-1.0) - 2.0 * asin(effective_zeta)) / (root * omega);
    const double start = height / SPRING_SPEED;
    const double rebound = SPRING_SPEED * exp(-effective_zeta * omega * duration);
    assert_close(run->start_time[0], start, STEPS_TOLERANCE, 0.0);
    assert_close(watch.release_time, start + duration, STEPS_TOLERANCE, 0.0);
    assert_close(run->velocity[0], rebound, STEPS_TOLERANCE, 0.0);
    assert_close(run->normal_impulse[0], SPRING_MASS * (SPRING_SPEED + rebound), STEPS_TOLERANCE,
                 0.0);
    /* a force located at its zero is negative by rounding at most */
    ck_assert(watch.least_force >= -1e-6);
    ck_assert(!run->has_stopped);
    assert_close(run->end_time, params.time_span, 0.0, 0.0);
    /* touch, unloading and release */
    ck_assert_int_eq(run->events, 3);
    ck_assert_int_eq(run->first_contact, 0);
    ck_assert_int_eq(run->second_contact, -1);
    assert_close(run->first_share, 1.0, 0.0, 0.0);
    carom_compliant_run_free(run);
}

TEST(unit, particle_bounces_off_a_spring_as_in_closed_form) {
    check_bounce(0.385, CAROM_COMPLIANT_DAMPING_CONSISTENT, 0.385);
}

/* d = 2 zeta sqrt(k/m) is 2 (zeta/m) sqrt(k m). */
TEST(unit, printed_damping_lacks_a_mass) {
    check_bounce(0.385, CAROM_COMPLIANT_DAMPING_PRINTED, 0.385 / SPRING_MASS);
}

TEST(unit, printed_and_consistent_damping_agree_for_one_kilogram) {
    const double k = 3.17e5;
    particle ball = {.dimension = 1, .mass = {1.0, 0.0, 0.0}, .lift = -9.81};
    const carom_mechanism mechanism = particle_mechanism(&ball);
    carom_compliant_params params = carom_compliant_params_default();
    params.stiffness = &k;
    params.reference_mass = 1.0;
    carom_compliant_run *run[2];
    for (int form = 0; form < 2; form++) {
        params.damping =
            form == 0 ? CAROM_COMPLIANT_DAMPING_CONSISTENT : CAROM_COMPLIANT_DAMPING_PRINTED;
        run[form] =
            run_compliant(&mechanism, &params, (const double[]){0.01}, (const double[]){-0.3});
    }
    ck_assert_mem_eq(&run[0]->end_time, &run[1]->end_time, sizeof(double));
    ck_assert_mem_eq(run[0]->velocity, run[1]->velocity, sizeof(double));
    carom_compliant_run_free(run[0]);
    carom_compliant_run_free(run[1]);
}

/* phi' = 0 first where omega_d t = acos zeta. */
TEST(unit, run_stops_at_the_greatest_compression) {
    const double k = 7.31e5;
    const double zeta = 0.385;
    particle ball = falling_particle();
    const carom_mechanism mechanism = particle_mechanism(&ball);
    carom_compliant_params params = spring_params(&k, zeta);
    params.stop_speed = 0.0;
    carom_compliant_run *run =
        run_compliant(&mechanism, &params, (const double[]){0.0}, (const double[]){-SPRING_SPEED});
    const double omega = sqrt(k / SPRING_MASS);
    ck_assert(run->has_stopped);
    assert_close(run->end_time, acos(zeta) / (omega * sqrt(1.0 - zeta * zeta)), STEPS_TOLERANCE,
                 0.0);
    assert_close(run->gap_rate[0], 0.0, 0.0, SPRING_SPEED * STEPS_TOLERANCE);
    assert_close(run->start_time[0], 0.0, 0.0, 0.0);
    carom_compliant_run_free(run);
}

/* lambda_n = m g at rest, which takes v/(mu g) to stop what slides, over v^2/(2 mu g), along a
 * straight line. */
static void check_sliding(int dimension, const double *direction) {
    const double k = 7.31e5;
    const double speed = 1.293;
    particle sledge = {
        .dimension = dimension,
        .mass = {SPRING_MASS, SPRING_MASS, SPRING_MASS},
        .lift = -9.731,
        .friction = 0.471,
    };
    const carom_mechanism mechanism = particle_mechanism(&sledge);
    carom_compliant_params params = spring_params(&k, 0.385);
    params.stops_when_separating = false;
    params.time_span = 0.35;
    const double weight = -SPRING_MASS * sledge.lift;
    const double q[3] = {-weight / k, 0.385, -0.217};
    const double v[3] = {0.0, speed * direction[0], speed * direction[1]};
    carom_compliant_run *run = run_compliant(&mechanism, &params, q, v);
    const double distance = speed * speed / (2.0 * sledge.friction * -sledge.lift);
    for (int k_tangent = 0; k_tangent < dimension - 1; k_tangent++) {
        const double along = direction[k_tangent];
        assert_close(run->position[1 + k_tangent], q[1 + k_tangent] + distance * along, 0.0,
                     STEPS_TOLERANCE);
        /* regularised friction brings it to rest exponentially, within 1e-14 s */
        assert_close(run->velocity[1 + k_tangent], 0.0, 0.0, params.regularisation_speed);
        assert_close(run->tangential_impulse[k_tangent], -SPRING_MASS * speed * along, 0.0,
                     STEPS_TOLERANCE);
    }
    assert_close(run->normal_impulse[0], weight * params.time_span, STEPS_TOLERANCE, 0.0);
    carom_compliant_run_free(run);
}

TEST(unit, sliding_particle_stops_after_its_braking_distance) {
    check_sliding(2, (const double[]){-1.0, 0.0});
    check_sliding(3, (const double[]){0.6, -0.8});
}

/* m_1 v_1' / v_1 = m_2 v_2' / v_2 while both are braked by mu N v/|v|: |v_1|^m_1 / |v_2|^m_2 stays.
 */
typedef struct invariant_watch {
    double mass[2];
    double first;
    double worst;
} invariant_watch;

static void watch_invariant(const carom_compliant_instant *instant, void *context) {
    invariant_watch *watch = context;
    const double *v = instant->velocity;
    /* below, absolute tolerances of 1e-11 weigh more than 1e-8 of the speeds */
    if (fmin(fabs(v[1]), fabs(v[2])) < 1e-3) {
        return;
    }
    const double value = watch->mass[0] * log(fabs(v[1])) - watch->mass[1] * log(fabs(v[2]));
    if (instant->time <= 0.0) {
        watch->first = value;
    }
    watch->worst = fmax(watch->worst, fabs(value - watch->first));
}

TEST(unit, direction_of_sliding_in_space_turns_with_unequal_inertia) {
    const double k = 7.31e5;
    particle sledge = {
        .dimension = 3,
        .mass = {SPRING_MASS, 1.31, 3.97},
        .lift = -9.731,
        .friction = 0.471,
    };
    const carom_mechanism mechanism = particle_mechanism(&sledge);
    carom_compliant_params params = spring_params(&k, 0.385);
    invariant_watch watch = {.mass = {1.31, 3.97}};
    params.observer = watch_invariant;
    params.observer_context = &watch;
    params.stops_when_separating = false;
    params.time_span = 0.5;
    const double q[3] = {SPRING_MASS * sledge.lift / k, 0.0, 0.0};
    carom_compliant_run *run =
        run_compliant(&mechanism, &params, q, (const double[]){0.0, 0.91, -0.37});
    /* a hundred steps with errors of 1e-8 of the speed at most */
    assert_close(watch.worst, 0.0, 0.0, 1e-6);
    assert_close(hypot(run->velocity[1], run->velocity[2]), 0.0, 0.0, params.regularisation_speed);
    carom_compliant_run_free(run);
}

/* v(T) = (a/omega) (1 - cos(omega T)), whatever happens across it. */
TEST(unit, time_of_the_force_goes_on_behind_an_impact) {
    const double k = 7.31e5;
    particle ball = {.dimension = 2, .mass = {SPRING_MASS, 1.31, 0.0}, .shaking = 0.731};
    const carom_mechanism mechanism = particle_mechanism(&ball);
    carom_compliant_params params = spring_params(&k, 0.385);
    params.stops_when_separating = false;
    carom_compliant_run *run = run_compliant(&mechanism, &params, (const double[]){0.0385, 0.0},
                                             (const double[]){-SPRING_SPEED, 0.0});
    const double rate = PARTICLE_SHAKING_RATE;
    ck_assert(run->velocity[0] > 0.0);
    assert_close(run->velocity[1], ball.shaking / rate * (1.0 - cos(rate * params.time_span)), 0.0,
                 STEPS_TOLERANCE);
    carom_compliant_run_free(run);
}

/* Touching, at rest, drawn away: no spring pulls back. */
TEST(unit, contact_does_not_pull) {
    const double k = 7.31e5;
    particle ball = falling_particle();
    ball.lift = 1.37;
    const carom_mechanism mechanism = particle_mechanism(&ball);
    carom_compliant_params params = spring_params(&k, 0.385);
    params.stops_when_separating = false;
    carom_compliant_run *run =
        run_compliant(&mechanism, &params, (const double[]){0.0}, (const double[]){0.0});
    /* the force law may have been followed for the first step, of an error below the tolerance */
    assert_close(run->velocity[0], ball.lift * params.time_span, STEPS_TOLERANCE, 0.0);
    assert_close(run->normal_impulse[0], 0.0, 0.0, 1e-9);
    carom_compliant_run_free(run);
}

TEST(unit, separating_state_is_returned_at_once) {
    const double k = 7.31e5;
    particle ball = falling_particle();
    const carom_mechanism mechanism = particle_mechanism(&ball);
    const carom_compliant_params params = spring_params(&k, 0.385);
    carom_compliant_run *run =
        run_compliant(&mechanism, &params, (const double[]){0.385}, (const double[]){0.217});
    ck_assert(run->has_stopped);
    assert_close(run->end_time, 0.0, 0.0, 0.0);
    assert_close(run->velocity[0], 0.217, 0.0, 0.0);
    assert_close(run->position[0], 0.385, 0.0, 0.0);
    ck_assert_int_eq(run->steps, 0);
    ck_assert_int_eq(run->first_contact, -1);
    ck_assert(isnan(run->first_share) && isnan(run->start_time[0]));
    carom_compliant_run_free(run);
}

TEST(unit, contacts_beyond_the_watched_gap_do_not_stop_a_run) {
    const double k = 7.31e5;
    particle ball = falling_particle();
    const carom_mechanism mechanism = particle_mechanism(&ball);
    carom_compliant_params params = spring_params(&k, 0.385);
    params.watched_gap = 0.1;
    carom_compliant_run *run =
        run_compliant(&mechanism, &params, (const double[]){0.385}, (const double[]){0.217});
    ck_assert(!run->has_stopped);
    assert_close(run->position[0], 0.385 + 0.217 * params.time_span, STEPS_TOLERANCE, 0.0);
    carom_compliant_run_free(run);
}

/* Two balls press while a third, touching too, leaves at once: it asks for no impulse. Half the
 * mass of a ball swings on the spring for a quarter of a period. */
TEST(unit, contact_without_an_impulse_does_not_keep_a_run_from_stopping) {
    const double ones[3] = {1.0, 1.0, 1.0};
    const double velocities[3] = {0.3, 0.0, 2.0};
    const double stiffness[2] = {7.31e5, 7.31e5};
    const carom_ball_chain_params balls = {
        .balls = 3, .masses = ones, .radii = ones, .velocities = velocities, .restitution = 0.0};
    carom_model *model = NULL;
    assert_ok(carom_ball_chain_alloc(&balls, &model, NULL));
    carom_compliant_params params = carom_compliant_params_default();
    params.stiffness = stiffness;
    params.damping_ratio = 0.0;
    params.stop_speed = 0.0;
    carom_compliant_run *run =
        run_compliant(&model->mechanism, &params, model->initial_position, model->initial_velocity);
    ck_assert(run->has_stopped);
    // The rate of the gap is the difference of two speeds.
    assert_close(run->end_time, 0.5 * M_PI * sqrt(0.5 / stiffness[0]), 4.0 * STEPS_TOLERANCE, 0.0);
    assert_close(run->normal_impulse[1], 0.0, 0.0, 1e-10); // of the integrator
    carom_compliant_run_free(run);
    carom_model_free(model);
}

TEST(property, undamped_ball_bounces_without_loss) {
    const double k = 7.31e5;
    particle ball = falling_particle();
    ball.lift = -9.731;
    const carom_mechanism mechanism = particle_mechanism(&ball);
    carom_compliant_params params = spring_params(&k, 0.0);
    params.stops_when_separating = false;
    params.time_span = 3.0;
    const double height = 0.0385;
    energy_watch watch = {.mechanism = &mechanism, .stiffness = &k, .last = (double)NAN};
    params.observer = watch_energy;
    params.observer_context = &watch;
    carom_compliant_run *run = run_compliant(&mechanism, &params, &height, (const double[]){0.0});
    /* about 16 bounces, each with a few hundred steps of relative error 1e-10 */
    assert_close(watch.last, SPRING_MASS * 9.731 * height, 1e-5, 0.0);
    ck_assert(run->events >= 30);
    carom_compliant_run_free(run);
}

/* --------------------------------------------------------------------------------------- errors */

typedef struct refusal {
    const char *quantity;
    carom_compliant_params params;
} refusal;

TEST(errors, parameters_out_of_range_are_refused) {
    const double k = 7.31e5;
    particle ball = falling_particle();
    const carom_mechanism mechanism = particle_mechanism(&ball);
    const carom_compliant_params good = spring_params(&k, 0.385);
    const double zero = 0.0;
    const double negative = -1.0;
    const double nan = (double)NAN;
    enum { CASES = 11 };
    refusal cases[CASES] = {
        {"stiffness", good},
        {"stiffness", good},
        {"damping ratio", good},
        {"reference mass", good},
        {"regularisation speed", good},
        {"relative tolerance", good},
        {"absolute tolerance", good},
        {"time span", good},
        {"stop speed", good},
        {"least impulse", good},
        {"most steps", good},
    };
    cases[0].params.stiffness = &zero;
    cases[1].params.stiffness = &negative;
    cases[2].params.damping_ratio = -0.1;
    cases[3].params.reference_mass = 0.0;
    cases[4].params.regularisation_speed = 0.0;
    cases[5].params.relative_tolerance = 0.0;
    cases[6].params.absolute_tolerance = -1e-11;
    cases[7].params.time_span = 0.0;
    cases[8].params.stop_speed = -1e-9;
    cases[9].params.least_impulse = -1e-9;
    cases[10].params.most_steps = 0;
    carom_compliant_run *run = NULL;
    for (int i = 0; i < CASES; i++) {
        carom_report report = carom_report_empty();
        assert_status(carom_compliant_simulate(&mechanism, &cases[i].params, (const double[]){0.1},
                                               (const double[]){-1.0}, &run, &report),
                      OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, cases[i].quantity);
        ck_assert_ptr_null(run);
    }
    carom_compliant_params unknown = good;
    unknown.stiffness = &nan;
    assert_status(carom_compliant_simulate(&mechanism, &unknown, (const double[]){0.1},
                                           (const double[]){-1.0}, &run, NULL),
                  NOT_FINITE);
    unknown = good;
    unknown.watched_gap = (double)NAN;
    assert_status(carom_compliant_simulate(&mechanism, &unknown, (const double[]){0.1},
                                           (const double[]){-1.0}, &run, NULL),
                  NOT_FINITE);
    assert_status(carom_compliant_simulate(&mechanism, &good, (const double[]){(double)NAN},
                                           (const double[]){-1.0}, &run, NULL),
                  NOT_FINITE);
}

TEST(errors, mechanisms_with_joints_or_restitution_or_without_contacts_are_refused) {
    const double k = 7.31e5;
    particle ball = falling_particle();
    const carom_compliant_params params = spring_params(&k, 0.385);
    carom_mechanism jointed = particle_mechanism(&ball);
    jointed.joint_count = 1;
    jointed.contact_count = 0;
    carom_mechanism free_fall = particle_mechanism(&ball);
    free_fall.contact_count = 0;
    carom_mechanism bouncing = particle_mechanism(&ball);
    const double restitution = 0.5;
    bouncing.restitution = &restitution;
    const struct {
        const carom_mechanism *mechanism;
        carom_status status;
        const char *sentence;
    } cases[3] = {
        {&jointed, CAROM_STATUS_UNSUPPORTED,
         "compliant_contact computes motion without joints; mechanism 'particle' has joints (1)"},
        {&bouncing, CAROM_STATUS_UNSUPPORTED,
         "compliant_contact computes motion without restitution; mechanism 'particle' has "
         "restitution 0.5"},
        {&free_fall, CAROM_STATUS_OUT_OF_RANGE, NULL},
    };
    for (int i = 0; i < 3; i++) {
        carom_report report = carom_report_empty();
        carom_compliant_run *run = NULL;
        ck_assert_int_eq(carom_compliant_simulate(cases[i].mechanism, &params,
                                                  (const double[]){0.1}, (const double[]){-1.0},
                                                  &run, &report),
                         cases[i].status);
        if (cases[i].sentence != NULL) {
            ck_assert_str_eq(report.sentence, cases[i].sentence);
        } else {
            ck_assert_str_eq(report.quantity, "contact count");
        }
        ck_assert_ptr_null(run);
    }
}

/* What rounding makes of a sliding speed, times mu over epsilon, must stay below the force. */
TEST(errors, regularisation_below_rounding_is_refused) {
    const double k = 7.31e5;
    particle ball = {.dimension = 2, .mass = {SPRING_MASS, SPRING_MASS, 0.0}};
    const carom_mechanism mechanism = particle_mechanism(&ball);
    carom_compliant_params params = spring_params(&k, 0.385);
    const struct {
        double friction;
        double speed;
        bool is_refused;
    } cases[] = {{0.3, 1e-18, true}, {0.0, 1e-18, false}, {2e9, 1e-10, true}, {2e9, NAN, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ball.friction = cases[i].friction;
        params.regularisation_speed = cases[i].speed;
        carom_report report = carom_report_empty();
        carom_compliant_run *run = NULL;
        const carom_status status =
            carom_compliant_simulate(&mechanism, &params, (const double[]){0.0, 0.0},
                                     (const double[]){-SPRING_SPEED, 0.731}, &run, &report);
        ck_assert_int_eq(status, cases[i].is_refused ? CAROM_STATUS_OUT_OF_RANGE : CAROM_OK);
        ck_assert(!cases[i].is_refused || strcmp(report.quantity, "regularisation speed") == 0);
        carom_compliant_run_free(run);
    }
}

/* The spring gives way by v0 sqrt(m/k) = 1e-17 m where positions of 0.1 m are known to that. */
TEST(errors, stiffness_lost_in_the_rounding_of_a_gap_is_reported) {
    double k = 7.31e34;
    particle ball = falling_particle();
    const carom_mechanism mechanism = particle_mechanism(&ball);
    const carom_compliant_params params = spring_params(&k, 0.385);
    carom_report report = carom_report_empty();
    carom_compliant_run *run = NULL;
    assert_status(carom_compliant_simulate(&mechanism, &params, (const double[]){0.1},
                                           (const double[]){-SPRING_SPEED}, &run, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "stiffness");
    assert_close(report.time, 0.1 / SPRING_SPEED, 1e-9, 0.0);
    // The start, 0.1 m, and the way from there are known to eps of each, a tenth of v0 sqrt(m/k).
    ck_assert_int_eq(report.index, 0);
    assert_close(report.value, k, 0.0, 0.0);
    const double least = SPRING_SPEED * sqrt(SPRING_MASS) / (10.0 * DBL_EPSILON * 0.2);
    assert_close(report.bound, least * least, 1e-6, 0.0);
    k = 0.999 * report.bound;
    assert_ok(carom_compliant_simulate(&mechanism, &params, (const double[]){0.1},
                                       (const double[]){-SPRING_SPEED}, &run, &report));
    carom_compliant_run_free(run);
}

/* Expect a failure of the particle thrown down from 0.1 m. */
static carom_report expect_failure(const carom_mechanism *mechanism,
                                   const carom_compliant_params *params, carom_status expected) {
    carom_report report = carom_report_empty();
    carom_compliant_run *run = NULL;
    const carom_status status = carom_compliant_simulate(
        mechanism, params, (const double[]){0.1}, (const double[]){-SPRING_SPEED}, &run, &report);
    ck_assert_msg(status == expected, "%s", carom_status_name(status));
    ck_assert_ptr_null(run);
    return report;
}

TEST(errors, too_many_steps_are_reported_with_their_time) {
    const double k = 7.31e5;
    particle ball = falling_particle();
    const carom_mechanism mechanism = particle_mechanism(&ball);
    carom_compliant_params params = spring_params(&k, 0.385);
    params.most_steps = 2;
    const carom_report report = expect_failure(&mechanism, &params, CAROM_STATUS_NOT_CONVERGED);
    ck_assert_str_eq(report.quantity, "number of steps");
    ck_assert(report.time > 0.0 && report.time < params.time_span && report.step > 0.0);
    ck_assert_int_eq(report.iterations, 2);
}

static void breaking_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)v;
    (void)context;
    f[0] = q[0] < 0.05 ? (double)NAN : 0.0;
}

static void rough_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)v;
    (void)context;
    /* no step is small enough for this */
    f[0] = q[0] < 0.05 ? 1e9 * sin(1e25 * q[0]) : 0.0;
}

static void vanishing_mass(const double *q, double *M, void *context) {
    (void)context;
    M[0] = q[0] < 0.05 ? 0.0 : 1.0;
}

static void constant_mass_derivative(const double *q, const double *a, double *D, void *context) {
    (void)q;
    (void)a;
    (void)context;
    D[0] = 0.0;
}

TEST(errors, numerical_failures_are_reported_with_their_time) {
    const double k = 7.31e5;
    particle ball = falling_particle();
    const carom_compliant_params params = spring_params(&k, 0.385);
    carom_mechanism mechanisms[3];
    for (int i = 0; i < 3; i++) {
        mechanisms[i] = particle_mechanism(&ball);
        mechanisms[i].is_linear = false;
        mechanisms[i].damping = NULL;
    }
    mechanisms[0].force = breaking_force;
    mechanisms[1].force = rough_force;
    mechanisms[2].mass = vanishing_mass;
    mechanisms[2].mass_derivative = constant_mass_derivative;
    const carom_status expected[3] = {CAROM_STATUS_NOT_FINITE, CAROM_STATUS_NOT_CONVERGED,
                                      CAROM_STATUS_SINGULAR};
    for (int i = 0; i < 3; i++) {
        const carom_report report = expect_failure(&mechanisms[i], &params, expected[i]);
        ck_assert_str_eq(report.quantity, "integration step");
        ck_assert(report.time > 0.0 && report.time <= 0.05 / SPRING_SPEED * (1.0 + 1e-3));
    }
    ball.mass[0] = 0.0;
    const carom_mechanism massless = particle_mechanism(&ball);
    const carom_report report = expect_failure(&massless, &params, CAROM_STATUS_SINGULAR);
    ck_assert_str_eq(report.quantity, "mass");
}
