/** Every refusal and every numerical failure of the steppers, and what they leave behind. */
#include "../failing_malloc.h"
#include "galpha/runs.h"

/**
 * A particle in the plane whose mechanism breaks on request: M = diag(m, m_2), f = (f_x, f_y) NaN
 * from a time on; joint (if any) y - bend x^2 = 0; contacts x >= 0 and width - x >= 0.
 */
typedef struct breakable {
    carom_mechanism mechanism;
    double mass[2];
    double coupling; // of the masses
    double force[2];
    double nan_after; // s
    double bend;
    double width;
    double restitution[2];
} breakable;

static void breakable_mass(const double *q, double *M, void *context) {
    (void)q;
    const breakable *b = context;
    M[0] = b->mass[0];
    M[1] = b->coupling;
    M[2] = b->coupling;
    M[3] = b->mass[1];
}

static void breakable_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)q;
    (void)v;
    const breakable *b = context;
    f[0] = t > b->nan_after ? (double)NAN : b->force[0];
    f[1] = b->force[1];
}

static double breakable_energy(const double *q, void *context) {
    const breakable *b = context;
    return -b->force[0] * q[0] - b->force[1] * q[1];
}

static void breakable_constraints(const double *q, double *g, void *context) {
    const breakable *b = context;
    const int joints = b->mechanism.joint_count;
    if (joints == 1) {
        g[0] = q[1] - b->bend * q[0] * q[0];
    }
    if (b->mechanism.contact_count > 0) {
        g[joints] = q[0];
    }
    if (b->mechanism.contact_count > 1) {
        g[joints + 1] = b->width - q[0];
    }
}

static void breakable_jacobian(const double *q, double *G, void *context) {
    const breakable *b = context;
    const int joints = b->mechanism.joint_count;
    if (joints == 1) {
        G[0] = -2.0 * b->bend * q[0];
        G[1] = 1.0;
    }
    for (int j = 0; j < b->mechanism.contact_count; j++) {
        G[2 * (joints + j)] = j == 0 ? 1.0 : -1.0;
        G[2 * (joints + j) + 1] = 0.0;
    }
}

static void breakable_force_derivative(const double *q, const double *lambda, double *D,
                                       void *context) {
    (void)q;
    const breakable *b = context;
    memset(D, 0, 4 * sizeof *D);
    D[0] = b->mechanism.joint_count == 1 ? -2.0 * b->bend * lambda[0] : 0.0;
}

static void breakable_rate_derivative(const double *q, const double *v, double *D, void *context) {
    (void)q;
    const breakable *b = context;
    memset(D, 0, (size_t)(2 * (b->mechanism.joint_count + b->mechanism.contact_count)) * sizeof *D);
    if (b->mechanism.joint_count == 1) {
        D[0] = -2.0 * b->bend * v[0];
    }
}

static void breakable_init(breakable *b, int joints, int contacts) {
    memset(b, 0, sizeof *b);
    b->mass[0] = 1.3;
    b->mass[1] = 0.7;
    b->force[0] = -4.1;
    b->force[1] = 0.9;
    b->nan_after = HUGE_VAL;
    b->bend = 0.37;
    b->width = 2.0;
    b->restitution[0] = 0.9;
    b->restitution[1] = 0.2;
    carom_mechanism *mechanism = &b->mechanism;
    mechanism->name = "breakable";
    mechanism->coordinate_count = 2;
    mechanism->joint_count = joints;
    mechanism->contact_count = contacts;
    mechanism->layout = carom_layout_full(2);
    mechanism->position_units = "m";
    mechanism->velocity_units = "m s-1";
    mechanism->restitution = b->restitution;
    mechanism->mass = breakable_mass;
    mechanism->force = breakable_force;
    mechanism->potential_energy = breakable_energy;
    mechanism->constraints = breakable_constraints;
    mechanism->constraint_jacobian = breakable_jacobian;
    mechanism->constraint_force_derivative = joints > 0 ? breakable_force_derivative : NULL;
    mechanism->constraint_rate_derivative = joints > 0 ? breakable_rate_derivative : NULL;
    mechanism->context = b;
}

/** The restitution that a scheme takes: smooth_galpha has no law of impacts. */
static void breakable_take_law(breakable *b, int scheme) {
    const bool has_law = scheme != CAROM_SCHEME_SMOOTH_GALPHA;
    b->restitution[0] = has_law ? 0.9 : 0.0;
    b->restitution[1] = has_law ? 0.2 : 0.0;
}

/** The call fails with the given status, for a scheme and Newton variant to be named. */
#define assert_status_of(scheme, newton, call, code)                                              \
    do {                                                                                          \
        const carom_status got_status = (call);                                                   \
        ck_assert_msg(got_status == CAROM_STATUS_##code, "%s, newton %d: %s returned %s, not %s", \
                      carom_scheme_name((carom_scheme)(scheme)), (newton), #call,                 \
                      carom_status_name(got_status), #code);                                      \
    } while (0)

/** The parameters are refused with the given status, and the stepper stays NULL. */
static void check_refused(const char *what, const carom_stepper_params *params,
                          carom_status expected) {
    breakable b;
    breakable_init(&b, 0, 1);
    carom_stepper *stepper = NULL;
    carom_report report = carom_report_empty();
    const carom_status status = carom_stepper_alloc(&b.mechanism, params, &stepper, &report);
    ck_assert_msg(status == expected, "%s: %s, expected %s", what, carom_status_name(status),
                  carom_status_name(expected));
    ck_assert_ptr_null(stepper);
    ck_assert_ptr_nonnull(report.quantity);
    ck_assert_int_eq(carom_stepper_alloc(&b.mechanism, params, &stepper, NULL), expected);
}

/** One field of the parameters set to one value. */
#define assert_field_refused(field, value, code)                                           \
    do {                                                                                   \
        carom_stepper_params bad = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN); \
        bad.field = (value);                                                               \
        check_refused(#field " = " #value, &bad, CAROM_STATUS_##code);                     \
    } while (0)

TEST(errors, parameters_out_of_range_are_refused) {
    assert_field_refused(step, 0.0, OUT_OF_RANGE);
    assert_field_refused(step, -1e-3, OUT_OF_RANGE);
    assert_field_refused(spectral_radius, -1e-9, OUT_OF_RANGE);
    assert_field_refused(spectral_radius, 1.0 + 1e-9, OUT_OF_RANGE);
    assert_field_refused(theta, 0.499, OUT_OF_RANGE);
    assert_field_refused(theta, 1.001, OUT_OF_RANGE);
    assert_field_refused(tolerance, 0.0, OUT_OF_RANGE);
    assert_field_refused(tolerance, -1e-10, OUT_OF_RANGE);
    assert_field_refused(tolerance, 1.0, OUT_OF_RANGE);
    assert_field_refused(max_iterations, 0, OUT_OF_RANGE);
    assert_field_refused(max_iterations, -3, OUT_OF_RANGE);
    assert_field_refused(activation_scale, 0.0, OUT_OF_RANGE);
    assert_field_refused(activation_scale, -1.0, OUT_OF_RANGE);
    assert_field_refused(tie_tolerance, -1e-12, OUT_OF_RANGE);
    assert_field_refused(tie_tolerance, 1.0, OUT_OF_RANGE);
    assert_field_refused(scheme, CAROM_SCHEME_COUNT, OUT_OF_RANGE);
    assert_field_refused(scheme, (carom_scheme)77, OUT_OF_RANGE);
    assert_field_refused(predictor, (carom_predictor)4, OUT_OF_RANGE);
    assert_field_refused(newton, (carom_newton)2, OUT_OF_RANGE);
}

TEST(errors, smooth_galpha_has_no_law_of_impacts) {
    breakable b;
    breakable_init(&b, 0, 2);
    b.restitution[0] = 0.0;
    const carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_SMOOTH_GALPHA);
    carom_stepper *stepper = NULL;
    carom_report report = carom_report_empty();
    assert_status(carom_stepper_alloc(&b.mechanism, &params, &stepper, &report), UNSUPPORTED);
    ck_assert_str_eq(report.sentence, "smooth_galpha computes motion without restitution; "
                                      "mechanism 'breakable' has restitution 0.2");
}

TEST(errors, parameters_that_are_not_finite_are_refused) {
    assert_field_refused(step, (double)NAN, NOT_FINITE);
    assert_field_refused(step, HUGE_VAL, NOT_FINITE);
    assert_field_refused(spectral_radius, (double)NAN, NOT_FINITE);
    assert_field_refused(theta, HUGE_VAL, NOT_FINITE);
    assert_field_refused(tolerance, (double)NAN, NOT_FINITE);
    assert_field_refused(activation_scale, (double)NAN, NOT_FINITE);
    assert_field_refused(activation_scale, HUGE_VAL, NOT_FINITE);
    assert_field_refused(tie_tolerance, (double)NAN, NOT_FINITE);
}

static void sliding_jacobian(const double *q, double *H, void *context) {
    (void)q;
    (void)context;
    H[0] = 0.0;
    H[1] = 1.0;
    H[2] = 0.0;
    H[3] = -1.0;
}

TEST(errors, a_mechanism_with_friction_is_refused_by_name) {
    double friction[2] = {0.0, 0.31};
    breakable b;
    breakable_init(&b, 0, 2);
    b.mechanism.friction = friction;
    b.mechanism.tangent_count = 1;
    b.mechanism.tangential_jacobian = sliding_jacobian;
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        if (scheme != CAROM_SCHEME_SMOOTH_GALPHA && scheme != CAROM_SCHEME_MODIFIED_LCP) {
            continue; /* they compute it */
        }
        const carom_stepper_params params = carom_stepper_params_default((carom_scheme)scheme);
        carom_stepper *stepper = NULL;
        carom_report report = carom_report_empty();
        friction[1] = 0.31;
        breakable_take_law(&b, scheme);
        assert_status(carom_stepper_alloc(&b.mechanism, &params, &stepper, &report), UNSUPPORTED);
        ck_assert_ptr_null(stepper);
        char sentence[CAROM_REPORT_SENTENCE_SIZE];
        (void)snprintf(sentence, sizeof sentence,
                       "%s computes motion without friction; mechanism '%s' has friction 0.31",
                       carom_scheme_name((carom_scheme)scheme), b.mechanism.name);
        ck_assert_str_eq(report.sentence, sentence);
        assert_status(carom_stepper_alloc(&b.mechanism, &params, &stepper, NULL), UNSUPPORTED);

        /* coefficients of zero are no friction */
        friction[1] = 0.0;
        const double q[2] = {0.5, 0.4};
        const double v[2] = {0.31, -0.17};
        assert_ok(carom_stepper_alloc(&b.mechanism, &params, &stepper, NULL));
        assert_ok(carom_stepper_start(stepper, 0.0, q, v, NULL));
        assert_ok(carom_stepper_advance(stepper, NULL));
        carom_stepper_free(stepper);
    }
}

TEST(unit, bounds_of_the_parameters_are_admissible) {
    breakable b;
    breakable_init(&b, 0, 1);
    carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    static const double theta[] = {0.5, 1.0};
    for (int i = 0; i < 2; i++) {
        params.spectral_radius = i;
        params.theta = theta[i];
        params.tie_tolerance = 0.0;
        params.max_iterations = 1;
        carom_stepper *stepper = NULL;
        assert_ok(carom_stepper_alloc(&b.mechanism, &params, &stepper, NULL));
        carom_stepper_free(stepper);
    }
    carom_stepper_free(NULL);
    carom_trajectory_free(NULL);
}

TEST(unit, default_parameters_are_the_documented_ones) {
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        const carom_stepper_params p = carom_stepper_params_default((carom_scheme)scheme);
        ck_assert_int_eq(p.scheme, scheme);
        assert_close(p.step, 1e-3, 0.0, 0.0);
        assert_close(p.spectral_radius, 0.8, 0.0, 0.0);
        ck_assert(isnan(p.theta));
        ck_assert_int_eq(p.predictor, CAROM_PREDICTOR_HALF_STEP);
        ck_assert_int_eq(p.newton, CAROM_NEWTON_MONOLITHIC);
        assert_close(p.tolerance, 1e-10, 0.0, 0.0);
        ck_assert_int_eq(p.max_iterations, 50);
        assert_close(p.activation_scale, 1.0, 0.0, 0.0);
        assert_close(p.tie_tolerance, 1e-12, 0.0, 0.0);
        ck_assert(p.use_linear_step);
    }
}

TEST(unit, schemes_have_their_names) {
    static const char *const names[] = {"nonsmooth_galpha", "moreau_jean", "smooth_galpha",
                                        "modified_lcp", "velocity_galpha"};
    ck_assert_int_eq(CAROM_SCHEME_COUNT, 5);
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        ck_assert_str_eq(carom_scheme_name((carom_scheme)scheme), names[scheme]);
    }
}

static carom_stepper *new_stepper(breakable *b, carom_scheme scheme) {
    breakable_take_law(b, (int)scheme);
    const carom_stepper_params params = carom_stepper_params_default(scheme);
    carom_stepper *stepper = NULL;
    assert_ok(carom_stepper_alloc(&b->mechanism, &params, &stepper, NULL));
    return stepper;
}

TEST(errors, penetrating_start_is_refused_with_its_gap) {
    breakable b;
    breakable_init(&b, 0, 2);
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        carom_stepper *stepper = new_stepper(&b, (carom_scheme)scheme);
        const double v[2] = {0.31, -0.17};
        const double left[2] = {-0.0125, 0.4};
        carom_report report = carom_report_empty();
        assert_status(carom_stepper_start(stepper, 0.0, left, v, &report), PENETRATION);
        assert_close(report.value, -0.0125, 1e-15, 0.0);
        ck_assert_int_eq(report.index, 0);
        const double right[2] = {2.031, 0.4};
        assert_status(carom_stepper_start(stepper, 0.0, right, v, &report), PENETRATION);
        assert_close(report.value, 2.0 - 2.031, 1e-12, 0.0);
        ck_assert_int_eq(report.index, 1);
        // the documented margin: nine digits of the terms, here of 2 m
        const double barely[2] = {2.0 + 1e-9, 0.4};
        assert_ok(carom_stepper_start(stepper, 0.0, barely, v, &report));
        const double beyond[2] = {2.0 + 4e-9, 0.4};
        assert_status(carom_stepper_start(stepper, 0.0, beyond, v, &report), PENETRATION);
        carom_stepper_free(stepper);
    }
}

TEST(errors, open_joint_is_refused_with_its_residual) {
    breakable b;
    breakable_init(&b, 1, 1);
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        carom_stepper *stepper = new_stepper(&b, (carom_scheme)scheme);
        const double still[2] = {0.0, 0.0};
        const double q[2] = {0.5, 0.37 * 0.25 + 1.7e-3};
        carom_report report = carom_report_empty();
        assert_status(carom_stepper_start(stepper, 0.0, q, still, &report), INCONSISTENT);
        assert_close(report.value, 1.7e-3, 1e-12, 0.0);
        ck_assert_int_eq(report.index, 0);
        carom_stepper_free(stepper);
    }
}

TEST(errors, start_that_is_not_finite_is_refused) {
    breakable b;
    breakable_init(&b, 0, 1);
    carom_stepper *stepper = new_stepper(&b, CAROM_SCHEME_NONSMOOTH_GALPHA);
    const double fine[2] = {0.3, 0.4};
    const double bad_q[2] = {0.3, (double)NAN};
    const double bad_v[2] = {HUGE_VAL, 0.1};
    assert_status(carom_stepper_start(stepper, 0.0, bad_q, fine, NULL), NOT_FINITE);
    assert_status(carom_stepper_start(stepper, 0.0, fine, bad_v, NULL), NOT_FINITE);
    assert_status(carom_stepper_start(stepper, (double)NAN, fine, fine, NULL), NOT_FINITE);
    b.nan_after = -1.0;
    assert_status(carom_stepper_start(stepper, 0.0, fine, fine, NULL), NOT_FINITE);
    // the same stepper starts once the input is right
    b.nan_after = HUGE_VAL;
    assert_ok(carom_stepper_start(stepper, 0.0, fine, fine, NULL));
    assert_ok(carom_stepper_advance(stepper, NULL));
    carom_stepper_free(stepper);
}

TEST(errors, a_mass_too_small_for_its_acceleration_is_refused) {
    breakable b;
    breakable_init(&b, 1, 1);
    b.mass[0] = 1e-308;
    b.mass[1] = 1e-308;
    b.force[1] = -41.5;
    const double q[2] = {0.5, 0.37 * 0.25};
    const double v[2] = {0.0, 0.0};
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        carom_stepper *stepper = new_stepper(&b, (carom_scheme)scheme);
        carom_report report = carom_report_empty();
        assert_status_of(scheme, 0, carom_stepper_start(stepper, 0.0, q, v, &report), NOT_FINITE);
        ck_assert_str_eq(report.quantity, "initial acceleration");
        carom_stepper_free(stepper);
    }
}

TEST(errors, singular_initial_problem_is_refused) {
    // A massless coordinate bears a force; or one mass has two coordinates, and forces on them that
    // differ by a thousandth.
    for (int i = 0; i < 2 * CAROM_SCHEME_COUNT; i++) {
        const int scheme = i / 2;
        breakable b;
        breakable_init(&b, 0, 1);
        if (i % 2 == 0) {
            b.mass[1] = 0.0;
        } else {
            b.mass[1] = b.mass[0];
            b.coupling = b.mass[0];
            b.force[1] = b.force[0] * (1.0 + 1e-3);
        }
        carom_stepper *stepper = new_stepper(&b, (carom_scheme)scheme);
        const double q[2] = {0.3, 0.4};
        const double v[2] = {0.1, 0.2};
        assert_status_of(scheme, 0, carom_stepper_start(stepper, 0.0, q, v, NULL), SINGULAR);
        carom_stepper_free(stepper);
    }
}

/** Copy of a step's state, to see that a failure leaves it alone. */
typedef struct kept_state {
    double time;
    double q[2];
    double v[2];
    double vdot[2];
    double a[2];
} kept_state;

static kept_state keep(carom_stepper *stepper) {
    const carom_step *step = carom_stepper_result(stepper);
    kept_state kept = {.time = step->time};
    for (int i = 0; i < 2; i++) {
        kept.q[i] = step->position[i];
        kept.v[i] = step->velocity[i];
        kept.vdot[i] = step->smooth_acceleration[i];
        kept.a[i] = step->pseudo_acceleration[i];
    }
    return kept;
}

static void check_kept(carom_stepper *stepper, const kept_state *before) {
    const kept_state now = keep(stepper);
    assert_close(now.time, before->time, 0.0, 0.0);
    for (int i = 0; i < 2; i++) {
        assert_close(now.q[i], before->q[i], 0.0, 0.0);
        assert_close(now.v[i], before->v[i], 0.0, 0.0);
        assert_close(now.vdot[i], before->vdot[i], 0.0, 0.0);
        assert_close(now.a[i], before->a[i], 0.0, 0.0);
    }
}

/** Consistent with the joint y = bend x^2. */
static void start_on_parabola(carom_stepper *stepper, const breakable *b, double x, double x_dot) {
    const double q[2] = {x, b->bend * x * x};
    const double v[2] = {x_dot, 2.0 * b->bend * x * x_dot};
    assert_ok(carom_stepper_start(stepper, 0.25, q, v, NULL));
}

TEST(errors, failed_step_leaves_the_state_and_can_be_repeated) {
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        for (int newton = 0; newton < 2; newton++) {
            breakable b;
            breakable_init(&b, 1, 1);
            breakable_take_law(&b, scheme);
            carom_stepper_params params = carom_stepper_params_default((carom_scheme)scheme);
            params.step = 1e-2;
            params.newton = (carom_newton)newton;
            carom_stepper *undisturbed = NULL;
            carom_stepper *failing = NULL;
            assert_ok(carom_stepper_alloc(&b.mechanism, &params, &undisturbed, NULL));
            assert_ok(carom_stepper_alloc(&b.mechanism, &params, &failing, NULL));
            start_on_parabola(undisturbed, &b, 0.11, -1.7);
            start_on_parabola(failing, &b, 0.11, -1.7);
            for (int i = 0; i < 30; i++) { // over the impact at x = 0
                const kept_state before = keep(failing);
                carom_report report = carom_report_empty();
                b.nan_after = -1.0;
                assert_status_of(scheme, newton, carom_stepper_advance(failing, &report),
                                 NOT_FINITE);
                assert_close(report.step, 1e-2, 0.0, 0.0);
                ck_assert_double_ge(report.time, before.time);
                ck_assert_double_le(report.time, before.time + 1.001e-2);
                check_kept(failing, &before);
                b.nan_after = HUGE_VAL;
                assert_ok(carom_stepper_advance(failing, NULL));
                assert_ok(carom_stepper_advance(undisturbed, NULL));
                const kept_state expected = keep(undisturbed);
                check_kept(failing, &expected);
            }
            carom_stepper_free(failing);
            carom_stepper_free(undisturbed);
        }
    }
}

TEST(errors, too_few_iterations_are_reported_with_time_and_residual) {
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        for (int newton = 0; newton < 2; newton++) {
            breakable b;
            breakable_init(&b, 1, 1);
            breakable_take_law(&b, scheme);
            carom_stepper_params params = carom_stepper_params_default((carom_scheme)scheme);
            params.step = 0.1;
            params.max_iterations = 1;
            params.newton = (carom_newton)newton;
            carom_stepper *stepper = NULL;
            assert_ok(carom_stepper_alloc(&b.mechanism, &params, &stepper, NULL));
            start_on_parabola(stepper, &b, 0.9, 2.3);
            const kept_state before = keep(stepper);
            carom_report report = carom_report_empty();
            assert_status_of(scheme, newton, carom_stepper_advance(stepper, &report),
                             NOT_CONVERGED);
            ck_assert_double_ge(report.time, 0.25);
            ck_assert_double_le(report.time, 0.3501);
            assert_close(report.step, 0.1, 0.0, 0.0);
            ck_assert(report.residual > params.tolerance);
            // a sweep over the three blocks costs less than a full iteration and counts a fifth
            ck_assert_int_ge(report.iterations, 1);
            ck_assert_int_le(report.iterations, newton == 0 ? 1 : 5);
            check_kept(stepper, &before);
            assert_status(carom_stepper_advance(stepper, NULL), NOT_CONVERGED);
            carom_stepper_free(stepper);
        }
    }
}

/**
 * A corridor that has no room: at velocity level two impact laws that contradict each other
 * (x' >= 0.9 |v_n| and x' <= 0.2 |v_n|), at position level walls that changed sides.
 */
TEST(errors, contradicting_contacts_are_refused) {
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        const bool is_velocity_level =
            scheme == CAROM_SCHEME_MOREAU_JEAN || scheme == CAROM_SCHEME_VELOCITY_GALPHA;
        for (int newton = 0; newton < 2; newton++) {
            breakable b;
            breakable_init(&b, 0, 2);
            breakable_take_law(&b, scheme);
            b.width = 0.0;
            carom_stepper_params params = carom_stepper_params_default((carom_scheme)scheme);
            params.newton = (carom_newton)newton;
            params.predictor = CAROM_PREDICTOR_CURRENT;
            carom_stepper *stepper = NULL;
            assert_ok(carom_stepper_alloc(&b.mechanism, &params, &stepper, NULL));
            const double q[2] = {0.0, 0.4};
            const double v[2] = {-1.3, 0.2};
            assert_ok(carom_stepper_start(stepper, 0.0, q, v, NULL));
            const kept_state before = keep(stepper);
            b.width = is_velocity_level ? 0.0 : -0.1;
            carom_report report = carom_report_empty();
            const carom_status status = carom_stepper_advance(stepper, &report);
            ck_assert_msg(status == CAROM_STATUS_RAY || status == CAROM_STATUS_NOT_CONVERGED,
                          "%s, newton %d: %s", carom_scheme_name((carom_scheme)scheme), newton,
                          carom_status_name(status));
            ck_assert(!isnan(report.time));
            check_kept(stepper, &before);
            carom_stepper_free(stepper);
        }
    }
}

/** A mass that vanishes after the start. */
TEST(errors, matrix_that_becomes_singular_is_reported) {
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        for (int newton = 0; newton < 2; newton++) {
            breakable b;
            breakable_init(&b, 0, 1);
            breakable_take_law(&b, scheme);
            carom_stepper_params params = carom_stepper_params_default((carom_scheme)scheme);
            params.newton = (carom_newton)newton;
            carom_stepper *stepper = NULL;
            assert_ok(carom_stepper_alloc(&b.mechanism, &params, &stepper, NULL));
            const double q[2] = {0.3, 0.4};
            const double v[2] = {-1.3, 0.2};
            assert_ok(carom_stepper_start(stepper, 0.0, q, v, NULL));
            const kept_state before = keep(stepper);
            b.mass[1] = 0.0;
            carom_report report = carom_report_empty();
            // a least-squares correction may hide the singular matrix, never the residual
            const carom_status status = carom_stepper_advance(stepper, &report);
            ck_assert_msg(status == CAROM_STATUS_SINGULAR || status == CAROM_STATUS_NOT_CONVERGED,
                          "%s, newton %d: %s", carom_scheme_name((carom_scheme)scheme), newton,
                          carom_status_name(status));
            ck_assert(!isnan(report.time));
            check_kept(stepper, &before);
            carom_stepper_free(stepper);
        }
    }
}

TEST(errors, trajectory_refuses_what_the_stepper_refuses) {
    breakable b;
    breakable_init(&b, 0, 1);
    const double q[2] = {0.3, 0.4};
    const double inside[2] = {-0.3, 0.4};
    const double v[2] = {0.1, 0.2};
    carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_NONSMOOTH_GALPHA);
    carom_trajectory *t = NULL;
    carom_report report = carom_report_empty();
    assert_status(
        carom_trajectory_run(&b.mechanism, &params, inside, v, 1.0, NULL, NULL, &t, &report),
        PENETRATION);
    ck_assert_ptr_null(t);
    assert_close(report.value, -0.3, 1e-15, 0.0);
    assert_status(carom_trajectory_run(&b.mechanism, &params, q, v, 0.9e-3, NULL, NULL, &t, NULL),
                  OUT_OF_RANGE);
    ck_assert_ptr_null(t);
    assert_status(carom_trajectory_run(&b.mechanism, &params, q, v, -1.0, NULL, NULL, &t, NULL),
                  OUT_OF_RANGE);
    ck_assert_int_ne(
        carom_trajectory_run(&b.mechanism, &params, q, v, (double)NAN, NULL, NULL, &t, NULL),
        CAROM_OK);
    ck_assert_ptr_null(t);
    params.step = -1.0;
    assert_status(carom_trajectory_run(&b.mechanism, &params, q, v, 1.0, NULL, NULL, &t, NULL),
                  OUT_OF_RANGE);
    ck_assert_ptr_null(t);
}

TEST(errors, trajectory_names_the_time_of_a_failure) {
    breakable b;
    breakable_init(&b, 0, 1);
    b.nan_after = 0.0405;
    const double q[2] = {0.3, 0.4};
    const double v[2] = {0.1, 0.2};
    const carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    carom_trajectory *t = NULL;
    carom_report report = carom_report_empty();
    assert_status(carom_trajectory_run(&b.mechanism, &params, q, v, 1.0, NULL, NULL, &t, &report),
                  NOT_FINITE);
    ck_assert_ptr_null(t);
    ck_assert_double_ge(report.time, 0.0399);
    ck_assert_double_le(report.time, 0.0411);
    assert_close(report.step, 1e-3, 0.0, 0.0);
}

/** Counts its calls and the last row told. */
static void count_rows(int rows_done, int row_count, void *context) {
    int *told = context;
    told[0]++;
    told[1] = rows_done;
    told[2] = row_count;
}

/** Every column of a row is the stepper's, bit by bit; the energy is recomputed. */
static void check_row(const breakable *b, const carom_trajectory *t, int row,
                      const carom_step *step) {
    assert_close(t->time[row], 7e-3 * row, 0.0, 1e-14);
    for (int i = 0; i < 2; i++) {
        assert_close(run_at(t->position, 2, row, i), step->position[i], 0.0, 0.0);
        assert_close(run_at(t->velocity, 2, row, i), step->velocity[i], 0.0, 0.0);
    }
    assert_close(t->joint_residual[row], step->constraint[0], 0.0, 0.0);
    assert_close(t->gap[row], step->constraint[1], 0.0, 0.0);
    assert_close(t->joint_rate[row], step->constraint_rate[0], 0.0, 0.0);
    assert_close(t->gap_rate[row], step->constraint_rate[1], 0.0, 0.0);
    assert_close(t->joint_force[row], step->force[0], 0.0, 0.0);
    assert_close(t->contact_force[row], step->force[1], 0.0, 0.0);
    assert_close(t->joint_impulse[row], step->impulse[0], 0.0, 0.0);
    assert_close(t->contact_impulse[row], step->impulse[1], 0.0, 0.0);
    assert_close(t->joint_position_multiplier[row], step->position_multiplier[0], 0.0, 0.0);
    assert_close(t->contact_position_multiplier[row], step->position_multiplier[1], 0.0, 0.0);
    ck_assert_int_eq(t->position_active[row], step->position_active[1]);
    ck_assert_int_eq(t->velocity_active[row], step->velocity_active[1]);
    ck_assert_int_eq(t->newton_iterations[row], step->iterations);
    assert_close(
        t->residual[row],
        fmax(step->smooth_residual, fmax(step->position_residual, step->velocity_residual)), 0.0,
        0.0);
    const double energy = 0.5 * (b->mass[0] * step->velocity[0] * step->velocity[0] +
                                 b->mass[1] * step->velocity[1] * step->velocity[1]) -
                          b->force[0] * step->position[0] - b->force[1] * step->position[1];
    assert_close(t->energy[row], energy, 1e-14, 1e-14);
}

TEST(unit, trajectory_has_a_row_for_every_step) {
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        breakable b;
        breakable_init(&b, 1, 1);
        breakable_take_law(&b, scheme);
        const double q[2] = {0.5, 0.37 * 0.25};
        const double v[2] = {0.0, 0.0};
        carom_stepper_params params = carom_stepper_params_default((carom_scheme)scheme);
        params.step = 7e-3;
        int told[3] = {0, 0, 0};
        carom_trajectory *t = NULL;
        assert_ok(
            carom_trajectory_run(&b.mechanism, &params, q, v, 0.7, count_rows, told, &t, NULL));
        ck_assert_int_eq(t->row_count, 101);
        ck_assert_int_eq(t->coordinate_count, 2);
        ck_assert_int_eq(t->joint_count, 1);
        ck_assert_int_eq(t->contact_count, 1);
        ck_assert_int_eq(t->kind, scheme == CAROM_SCHEME_SMOOTH_GALPHA
                                      ? CAROM_TRAJECTORY_SMOOTH
                                      : CAROM_TRAJECTORY_NONSMOOTH);
        assert_close(t->step, 7e-3, 0.0, 0.0);
        for (int i = 0; i < 3; i++) {
            ck_assert_int_eq(told[i], 101);
        }
        carom_stepper *stepper = NULL;
        assert_ok(carom_stepper_alloc(&b.mechanism, &params, &stepper, NULL));
        assert_ok(carom_stepper_start(stepper, 0.0, q, v, NULL));
        for (int row = 0; row < t->row_count; row++) { // over an impact at 0.56 s
            check_row(&b, t, row, carom_stepper_result(stepper));
            assert_ok(carom_stepper_advance(stepper, NULL));
        }
        carom_stepper_free(stepper);
        carom_trajectory_free(t);
    }
}

/** A part of a step counts as one. */
TEST(unit, trajectory_covers_its_duration) {
    breakable b;
    breakable_init(&b, 0, 1);
    const double q[2] = {0.3, 0.4};
    const double v[2] = {0.1, 0.2};
    carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_NONSMOOTH_GALPHA);
    params.step = 7e-3;
    carom_trajectory *t = run_mechanism(&b.mechanism, &params, q, v, 0.5);
    ck_assert_int_eq(t->row_count, 73); // 0.5 / 0.007 = 71.4
    carom_trajectory_free(t);
}

/** Whole multiples of the step are not rounded up to one step too many. */
TEST(unit, trajectory_of_whole_steps_ends_at_its_duration) {
    breakable b;
    breakable_init(&b, 0, 1);
    const double q[2] = {0.3, 0.4};
    const double v[2] = {0.1, 0.2};
    static const double step[] = {0.1, 1e-3, 2e-3, 7e-3, 0.03};
    for (int i = 0; i < 5; i++) {
        for (int count = 1; count < 60; count++) {
            carom_stepper_params params =
                carom_stepper_params_default(CAROM_SCHEME_NONSMOOTH_GALPHA);
            params.step = step[i];
            carom_trajectory *t = run_mechanism(&b.mechanism, &params, q, v, count * step[i]);
            ck_assert_msg(t->row_count == count + 1, "%d rows for %d steps of %g s", t->row_count,
                          count, step[i]);
            carom_trajectory_free(t);
        }
    }
}

TEST(errors, run_to_failure_keeps_what_came_before) {
    breakable b;
    breakable_init(&b, 0, 1);
    b.nan_after = 0.0405;
    const double q[2] = {0.3, 0.4};
    const double v[2] = {0.1, 0.2};
    const carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    carom_trajectory *t = NULL;
    carom_report report = carom_report_empty();
    assert_ok(
        carom_trajectory_run_to_failure(&b.mechanism, &params, q, v, 0.1, NULL, NULL, &t, &report));
    ck_assert_int_eq(t->outcome, CAROM_STATUS_NOT_FINITE);
    ck_assert_double_ge(t->failure_time, 0.0399);
    ck_assert_double_le(t->failure_time, 0.0411);
    ck_assert_int_eq(t->row_count, 101);
    b.nan_after = HUGE_VAL;
    carom_trajectory *whole = run_mechanism(&b.mechanism, &params, q, v, 0.1);
    ck_assert_int_eq(whole->outcome, CAROM_OK);
    for (int row = 0; row < t->row_count; row++) {
        if (row <= 40) {
            assert_close(run_at(t->position, 2, row, 0), run_at(whole->position, 2, row, 0), 0.0,
                         0.0);
        } else {
            ck_assert(isnan(run_at(t->position, 2, row, 0)));
            ck_assert(isnan(t->energy[row]));
            ck_assert(isnan(t->contact_impulse[row]));
            ck_assert_int_eq(t->velocity_active[row], 0);
            ck_assert_int_eq(t->newton_iterations[row], 0);
        }
    }
    carom_trajectory_free(whole);
    carom_trajectory_free(t);
    // what is refused at the start stays an error
    const double inside[2] = {-0.3, 0.4};
    t = NULL;
    assert_status(carom_trajectory_run_to_failure(&b.mechanism, &params, inside, v, 0.1, NULL, NULL,
                                                  &t, NULL),
                  PENETRATION);
    ck_assert_ptr_null(t);
}

/** The k-th allocation fails, for k = 0, 1, 2, ... until a run succeeds; sanitizers see leaks. */
TEST(errors, missing_memory_is_reported_without_a_leak) {
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        for (int kind = 0; kind < 3; kind++) {
            breakable b;
            breakable_init(&b, kind == 1 ? 1 : 0, 1);
            breakable_take_law(&b, scheme);
            b.mechanism.is_linear = kind == 0; // the exact linear step
            carom_stepper_params params = carom_stepper_params_default((carom_scheme)scheme);
            params.newton = kind == 2 ? CAROM_NEWTON_SEQUENTIAL : CAROM_NEWTON_MONOLITHIC;
            const double q[2] = {0.5, 0.37 * 0.25};
            const double v[2] = {0.0, 0.0};
            carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
            int failures = 0;
            for (; status != CAROM_OK; failures++) {
                carom_trajectory *t = NULL;
                successes_left = failures;
                status =
                    carom_trajectory_run(&b.mechanism, &params, q, v, 5e-3, NULL, NULL, &t, NULL);
                successes_left = -1;
                ck_assert_msg(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY,
                              "allocation %d: %s", failures, carom_status_name(status));
                ck_assert((t != NULL) == (status == CAROM_OK));
                carom_trajectory_free(t);
            }
            ck_assert_int_gt(failures, 5);
        }
    }
}

TEST(unit, a_step_allocates_nothing) {
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        for (int kind = 0; kind < 3; kind++) {
            breakable b;
            breakable_init(&b, kind == 1 ? 1 : 0, 1);
            breakable_take_law(&b, scheme);
            b.mechanism.is_linear = kind == 0;
            carom_stepper_params params = carom_stepper_params_default((carom_scheme)scheme);
            params.step = 1e-2;
            params.newton = kind == 2 ? CAROM_NEWTON_SEQUENTIAL : CAROM_NEWTON_MONOLITHIC;
            carom_stepper *stepper = NULL;
            assert_ok(carom_stepper_alloc(&b.mechanism, &params, &stepper, NULL));
            const double q[2] = {0.5, 0.37 * 0.25};
            const double v[2] = {0.0, 0.0};
            assert_ok(carom_stepper_start(stepper, 0.0, q, v, NULL));
            // Check itself allocates: no assertion between the counts
            allocations = 0;
            int steps = 0;
            while (steps < 100 && carom_stepper_advance(stepper, NULL) == CAROM_OK &&
                   carom_stepper_result(stepper) != NULL) { // with impacts on x = 0
                steps++;
            }
            const int counted = allocations;
            ck_assert_int_eq(steps, 100);
            ck_assert_msg(counted == 0, "%s, kind %d: %d allocations in 100 steps",
                          carom_scheme_name((carom_scheme)scheme), kind, counted);
            carom_stepper_free(stepper);
        }
    }
}
