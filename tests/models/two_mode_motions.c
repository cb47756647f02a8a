/* carom/models/two_mode_models.h: hopper and juggler against their closed forms, and their explicit
 * motions against the equations of motion. */
#include "two_mode_cases.h"

TEST(unit, the_unit_hopper_has_the_numbers_of_its_closed_form) {
    const carom_hopper_params params = carom_hopper_params_default();
    const double phase = stance_phase(ALPHA[0], M_SQRT2);
    const double tau = ALPHA[0] / M_SQRT2;
    double x[2];
    double v[2];
    carom_hopper_flight(&params, ALPHA[0], 0.0, x, v);
    assert_close(x[1], 7.8493515635, 0.0, 6e-11);
    assert_close(v[0], 0.0, 0.0, 1e-14);
    assert_close(v[1], 0.0, 0.0, 1e-14);
    /* S = g (m_u + m_l)/(m_u omega_2^2 cos alpha) = 1/cos(alpha). */
    assert_close(x[0] - x[1], 1.0 / cos(ALPHA[0]), 1e-14, 0.0);
    carom_hopper_flight(&params, ALPHA[0], tau, x, v);
    assert_close(v[0], -6.3546405967, 0.0, 6e-11);
    assert_close(x[0], 1.0, 0.0, 1e-13);
    assert_close(carom_hopper_stance(&params, phase, 0.0, x, v), 4.3309704709, 0.0, 6e-11);

    /* In the third column the apex is no maximum. */
    const double third = stance_phase(ALPHA[1], M_SQRT2);
    assert_close(carom_hopper_stance(&params, third, 0.0, x, v), 6.5533555597, 0.0, 6e-11);
    carom_hopper_flight(&params, ALPHA[1], 0.0, x, v);
    assert_close(x[1], 11.5250261023, 0.0, 6e-11);
    double highest = 0.0;
    for (int i = 0; i <= 4000; i++) {
        carom_hopper_flight(&params, ALPHA[1], ALPHA[1] / M_SQRT2 * i / 4000.0, x, v);
        highest = fmax(highest, x[1]);
    }
    /* A maximum on a grid of 1.4e-3 s, where accelerations are a few m/s2. */
    assert_close(highest, 17.1307873, 0.0, 3e-6);
}

TEST(unit, the_unit_juggler_has_the_numbers_of_its_closed_form) {
    const carom_juggler_params params = carom_juggler_params_default();
    const double phase = stance_phase(ALPHA[0], M_SQRT2);
    double x[2];
    double v[2];
    carom_juggler_flight(&params, ALPHA[0], 0.0, x, v);
    assert_close(x[1], 15.6987031270, 0.0, 6e-11);
    carom_juggler_flight(&params, ALPHA[0], ALPHA[0], x, v);
    /* The ball lands with -g tau, the paddle being at its natural place. */
    assert_close(v[0] + v[1], -ALPHA[0], 1e-14, 0.0);
    assert_close(x[0], 0.0, 0.0, 1e-13);
    assert_close(carom_juggler_stance(&params, phase, 0.0, x, v), 4.3309704709, 0.0, 6e-11);
}

/** One of the two explicit motions, in flight (is_flight) or in stance. */
typedef struct explicit_motion {
    const carom_hopper_params *hopper; /**< or NULL */
    const carom_juggler_params *juggler;
    carom_two_mode_model model;
    double alpha;
    double phase;
    double time;             /**< tau */
    double constrained_time; /**< tau' */
} explicit_motion;

static explicit_motion motion_of(const carom_hopper_params *hopper,
                                 const carom_juggler_params *juggler, int column) {
    explicit_motion motion = {.hopper = hopper, .juggler = juggler, .alpha = ALPHA[column - 2]};
    assert_ok(hopper != NULL ? carom_hopper_model(hopper, &motion.model, NULL)
                             : carom_juggler_model(juggler, &motion.model, NULL));
    double lambda[2];
    double constrained;
    carom_two_mode_model_spectrum(&motion.model, lambda, &constrained);
    motion.phase = stance_phase(motion.alpha, sqrt(lambda[1] / constrained));
    motion.time = motion.alpha / sqrt(lambda[1]);
    motion.constrained_time = motion.phase / sqrt(constrained);
    return motion;
}

/** State at a time, and the force in the contact over the weight that it bears at rest. */
static double motion_at(const explicit_motion *motion, bool is_flight, double t, double *x,
                        double *v) {
    if (is_flight && motion->hopper != NULL) {
        carom_hopper_flight(motion->hopper, motion->alpha, t, x, v);
    } else if (is_flight) {
        carom_juggler_flight(motion->juggler, motion->alpha, t, x, v);
    } else if (motion->hopper != NULL) {
        return carom_hopper_stance(motion->hopper, motion->phase, t, x, v);
    } else {
        return carom_juggler_stance(motion->juggler, motion->phase, t, x, v);
    }
    return 0.0;
}

/** Acceleration by differences of velocities. */
static void acceleration_at(const explicit_motion *motion, bool is_flight, double t, double h,
                            double *a) {
    double x[2];
    double before[2];
    double after[2];
    motion_at(motion, is_flight, t - h, x, before);
    motion_at(motion, is_flight, t + h, x, after);
    for (int i = 0; i < 2; i++) {
        a[i] = (after[i] - before[i]) / (2.0 * h);
    }
}

/** m x'' + k x - load - F e_2, relative to the weight. */
static void assert_equation_of_motion(const explicit_motion *motion, bool is_flight, double t) {
    const double h = 1e-5 * motion->time;
    const carom_two_mode_model *model = &motion->model;
    double x[2];
    double v[2];
    double a[2];
    const double force = model->contact_force * motion_at(motion, is_flight, t, x, v);
    acceleration_at(motion, is_flight, t, h, a);
    for (int i = 0; i < 2; i++) {
        double sum = -model->load[i] - (i == 1 ? force : 0.0);
        for (int j = 0; j < 2; j++) {
            sum += model->mass[i][j] * a[j] + model->stiffness[i][j] * x[j];
        }
        /* Differences over h = 1e-5: h^2, and rounding/h. */
        assert_close(sum / model->weight, 0.0, 0.0, 1e-8);
    }
    /* Velocities are those of the places. */
    double before[2];
    double after[2];
    double unused[2];
    motion_at(motion, is_flight, t - h, before, unused);
    motion_at(motion, is_flight, t + h, after, unused);
    const double speed = model->weight / model->mass[0][0] * motion->time;
    for (int i = 0; i < 2; i++) {
        assert_close((after[i] - before[i]) / (2.0 * h) / speed, v[i] / speed, 0.0, 1e-8);
    }
}

/** Everything claimed of an explicit motion. */
static void assert_collisionless(const explicit_motion *motion) {
    for (int i = -9; i <= 9; i++) {
        assert_equation_of_motion(motion, true, 0.1 * i * motion->time);
        assert_equation_of_motion(motion, false, 0.1 * i * motion->constrained_time);
    }

    /* It lands without velocity and acceleration, and goes on where it landed. */
    const double length = fabs(motion->model.load[0]) / motion->model.stiffness[0][0];
    const double speed = length / motion->time;
    double x[2];
    double v[2];
    double a[2];
    motion_at(motion, true, motion->time, x, v);
    acceleration_at(motion, true, motion->time, 1e-5 * motion->time, a);
    assert_close(x[1] / length, 0.0, 0.0, 1e-14);
    assert_close(v[1] / speed, 0.0, 0.0, 1e-13);
    assert_close(a[1] * motion->time / speed, 0.0, 0.0, 1e-7);
    double stance_x[2];
    double stance_v[2];
    const double force = motion_at(motion, false, -motion->constrained_time, stance_x, stance_v);
    assert_close(force, 0.0, 0.0, 1e-13);
    for (int i = 0; i < 2; i++) {
        assert_close(stance_x[i] / length, x[i] / length, 1e-12, 1e-12);
        assert_close(stance_v[i] / speed, v[i] / speed, 1e-12, 1e-12);
    }
}

TEST(property, the_explicit_motions_solve_their_equations_and_land_softly) {
    gsl_rng *generator = seeded_generator(29);
    for (int sample = 0; sample < SAMPLES; sample++) {
        const carom_hopper_params hopper = random_hopper(generator);
        const carom_juggler_params juggler = random_juggler(generator);
        for (int column = 2; column <= 3; column++) {
            const explicit_motion hopping = motion_of(&hopper, NULL, column);
            const explicit_motion juggling = motion_of(NULL, &juggler, column);
            assert_collisionless(&hopping);
            assert_collisionless(&juggling);
        }
    }
    gsl_rng_free(generator);
}

TEST(property, the_flight_is_above_the_bound_that_makes_it_realizable) {
    for (int column = 2; column <= 3; column++) {
        const carom_hopper_params hopper = {0.7, 1.9, 1.3, 2.385, 1.0};
        const explicit_motion motion = motion_of(&hopper, NULL, column);
        const double omega = motion.alpha / motion.time;
        for (int i = 0; i < 1000; i++) {
            double x[2];
            double v[2];
            const double t = motion.time * (i - 999.5) / 1000.0;
            motion_at(&motion, true, t, x, v);
            const double d = motion.alpha - omega * fabs(t);
            const double bound = hopper.gravity / (2.0 * omega * omega) *
                                 (gsl_pow_2(d - sin(d)) + gsl_pow_2(1.0 - cos(d)));
            ck_assert_msg(x[1] > 0.0 && x[1] >= bound, "gap %.17g below %.17g at d = %g", x[1],
                          bound, d);
            /* The height as it is usually written, which loses digits near the landing. */
            const double phase = omega * t;
            const double height = hopper.gravity / (omega * omega) *
                                  (0.5 * (gsl_pow_2(motion.alpha) - gsl_pow_2(phase)) + 1.0 -
                                   cos(phase) / cos(motion.alpha));
            assert_close(x[1], height, 1e-12, 1e-12);
        }
    }
}

TEST(unit, near_the_landing_the_height_is_cubic_to_all_digits) {
    /* H = alpha d^3/6 - d^4/24 - alpha d^5/120 + O(d^6), of which d^2/20 of the first is the last.
     */
    const carom_hopper_params params = carom_hopper_params_default();
    for (int k = 3; k <= 6; k++) {
        const double d = gsl_pow_int(0.1, k);
        const double t = (ALPHA[0] - d) / M_SQRT2;
        const double exact_d = ALPHA[0] - M_SQRT2 * t;
        double x[2];
        double v[2];
        carom_hopper_flight(&params, ALPHA[0], t, x, v);
        const double cubic =
            0.5 * (ALPHA[0] / 6.0 - exact_d / 24.0 - ALPHA[0] * d * d / 120.0) * gsl_pow_3(exact_d);
        /* d itself is the difference of numbers near 4.5. */
        assert_close(x[1], cubic, 4.0 * 1e-15 / d + 1e-3 * d * d * d, 0.0);
        const double rate = -0.5 * M_SQRT2 * (0.5 * ALPHA[0] - exact_d / 6.0) * gsl_pow_2(exact_d);
        assert_close(v[1], rate, 4.0 * 1e-15 / d + d * d, 0.0);
    }
}
