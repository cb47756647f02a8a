/** Orders of convergence and numerical dissipation (bruls-2014 sections 4, 6 and 11). */
#include "runs.h"

#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>

enum { MOST_STEPS = 25 };

/** Angle and rate of the free pendulum by Runge-Kutta 4 with steps of 1e-4 s: error about 1e-15. */
static void integrate_pendulum(const carom_bouncing_pendulum_params *p, double duration,
                               double *angle, double *rate) {
    const double k =
        p->mass * p->gravity * p->length / (p->mass * p->length * p->length + p->inertia);
    const int steps = (int)lround(duration / 1e-4);
    const double h = duration / steps;
    *angle = p->initial_angle;
    *rate = p->initial_rate;
    for (int i = 0; i < steps; i++) {
        const double a1 = *rate;
        const double b1 = -k * cos(*angle);
        const double a2 = *rate + 0.5 * h * b1;
        const double b2 = -k * cos(*angle + 0.5 * h * a1);
        const double a3 = *rate + 0.5 * h * b2;
        const double b3 = -k * cos(*angle + 0.5 * h * a2);
        const double a4 = *rate + h * b3;
        const double b4 = -k * cos(*angle + h * a3);
        *angle += h * (a1 + 2.0 * a2 + 2.0 * a3 + a4) / 6.0;
        *rate += h * (b1 + 2.0 * b2 + 2.0 * b3 + b4) / 6.0;
    }
}

/** Slopes of the errors in angle, rate and reaction at 1 s of the pendulum without wall. */
static void pendulum_slopes(carom_stepper_params params, double *slope) {
    carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
    pendulum.wall_position = -3.0; // out of reach
    double angle = 0.0;
    double rate = 0.0;
    integrate_pendulum(&pendulum, 1.0, &angle, &rate);
    double force[2];
    carom_bouncing_pendulum_exact_joint_force(&pendulum, angle, rate, force);
    static const double h[] = {2e-2, 1e-2, 5e-3, 2.5e-3};
    double error[3][4];
    for (int i = 0; i < 4; i++) {
        params.step = h[i];
        run r = run_pendulum(&pendulum, &params, 1.0);
        const carom_trajectory *t = r.trajectory;
        const int last = t->row_count - 1;
        assert_close(t->time[last], 1.0, 1e-12, 0.0);
        error[0][i] = fabs(run_at(t->position, 3, last, 2) - angle);
        error[1][i] = fabs(run_at(t->velocity, 3, last, 2) - rate);
        // all of the reaction: smooth force and impulse per step (section 7.1 of the paper)
        error[2][i] = fabs(run_at(t->joint_force, 2, last, 0) +
                           run_at(t->joint_impulse, 2, last, 0) / h[i] - force[0]);
        run_clear(&r);
    }
    for (int k = 0; k < 3; k++) {
        slope[k] = fitted_slope(4, h, error[k]);
    }
}

TEST(property, generalized_alpha_is_of_second_order_for_smooth_motion) {
    static const carom_scheme schemes[] = {CAROM_SCHEME_NONSMOOTH_GALPHA,
                                           CAROM_SCHEME_NONSMOOTH_GALPHA,
                                           CAROM_SCHEME_SMOOTH_GALPHA, CAROM_SCHEME_MODIFIED_LCP};
    for (int i = 0; i < 4; i++) {
        carom_stepper_params params = carom_stepper_params_default(schemes[i]);
        params.newton = i == 1 ? CAROM_NEWTON_SEQUENTIAL : CAROM_NEWTON_MONOLITHIC;
        double slope[3];
        pendulum_slopes(params, slope);
        for (int k = 0; k < 3; k++) {
            ck_assert_msg(slope[k] > 1.9 && slope[k] < 2.2, "variant %d: slope %d is %.3f", i, k,
                          slope[k]);
        }
    }
}

TEST(property, velocity_level_schemes_are_of_first_order_for_joints) {
    static const carom_scheme schemes[] = {CAROM_SCHEME_MOREAU_JEAN, CAROM_SCHEME_MOREAU_JEAN,
                                           CAROM_SCHEME_VELOCITY_GALPHA};
    for (int i = 0; i < 3; i++) {
        carom_stepper_params params = carom_stepper_params_default(schemes[i]);
        params.theta = i == 1 ? 0.5 : (double)NAN; // the reactions stay first order for theta = 1/2
        double slope[3];
        pendulum_slopes(params, slope);
        for (int k = 0; k < 2; k++) {
            ck_assert_msg(slope[k] > 0.85 && slope[k] < 1.15, "variant %d: slope %d is %.3f", i, k,
                          slope[k]);
        }
    }
}

/** Step i of 25: four to the octave, from 1e-2 s to 1.6e-4 s. */
static double step_of(int i) {
    return 1e-2 * pow(2.0, -i / 4.0);
}

static void check_first_order(const char *what, int count, const double *h, const double *error) {
    const double slope = fitted_slope(count, h, error);
    // proposed in bruls-2014 7.5: impacts sampled irregularly scatter around slope one
    ck_assert_msg(slope >= 0.6 && slope <= 1.2, "%s: slope %.3f", what, slope);
}

/** L1 errors of gap and velocity of the ball over [0, duration]. */
static void check_ball_order(carom_scheme scheme, double duration) {
    const carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    double h[MOST_STEPS];
    double gap[MOST_STEPS] = {0.0};
    double velocity[MOST_STEPS] = {0.0};
    for (int i = 0; i < MOST_STEPS; i++) {
        h[i] = step_of(i);
        const carom_stepper_params params = scheme_with_step(scheme, h[i]);
        run r = run_ball(&ball, &params, duration);
        for (int row = 1; row < r.trajectory->row_count; row++) {
            double y = 0.0;
            double v = 0.0;
            carom_bouncing_ball_exact_state(&ball, r.trajectory->time[row], &y, &v);
            gap[i] += h[i] * fabs(r.trajectory->position[row] - y);
            velocity[i] += h[i] * fabs(r.trajectory->velocity[row] - v);
        }
        run_clear(&r);
    }
    check_first_order(carom_scheme_name(scheme), MOST_STEPS, h, gap);
    check_first_order(carom_scheme_name(scheme), MOST_STEPS, h, velocity);
}

TEST(property, ball_with_impacts_converges_to_first_order) {
    check_ball_order(CAROM_SCHEME_NONSMOOTH_GALPHA, 0.8);
    check_ball_order(CAROM_SCHEME_NONSMOOTH_GALPHA, 4.0);
    check_ball_order(CAROM_SCHEME_MOREAU_JEAN, 4.0);
    check_ball_order(CAROM_SCHEME_VELOCITY_GALPHA, 4.0);
}

TEST(property, pendulum_with_impacts_converges_to_first_order) {
    enum { COUNT = 13 };
    const double duration = 2.2;
    const carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
    double h[COUNT];
    double angle_error[COUNT] = {0.0};
    double rate_error[COUNT] = {0.0};
    for (int i = 0; i < COUNT; i++) {
        h[i] = step_of(2 * i);
        const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, h[i]);
        run r = run_pendulum(&pendulum, &params, duration);
        const carom_trajectory *t = r.trajectory;
        double *angle = calloc((size_t)t->row_count, sizeof *angle);
        double *rate = calloc((size_t)t->row_count, sizeof *rate);
        ck_assert_ptr_nonnull(angle);
        ck_assert_ptr_nonnull(rate);
        assert_ok(carom_bouncing_pendulum_exact_states(&pendulum, t->row_count, t->time, angle,
                                                       rate, NULL));
        for (int row = 1; row < t->row_count; row++) {
            angle_error[i] += h[i] * fabs(run_at(t->position, 3, row, 2) - angle[row]);
            rate_error[i] += h[i] * fabs(run_at(t->velocity, 3, row, 2) - rate[row]);
        }
        free(angle);
        free(rate);
        run_clear(&r);
    }
    check_first_order("pendulum, angle", COUNT, h, angle_error);
    check_first_order("pendulum, rate", COUNT, h, rate_error);
}

TEST(property, block_with_impacts_converges_to_first_order) {
    enum { CAPACITY = 32 };
    const double duration = 0.61;
    const carom_rocking_block_params block = carom_rocking_block_params_default();
    carom_rocking_block_impact impacts[CAPACITY];
    int count = 0;
    assert_ok(carom_rocking_block_exact_impacts(&block, 1e-3, CAPACITY, impacts, &count, NULL));
    ck_assert_int_gt(count, 4);
    double h[MOST_STEPS];
    double error[3][MOST_STEPS] = {{0.0}};
    for (int i = 0; i < MOST_STEPS; i++) {
        h[i] = step_of(i);
        const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, h[i]);
        run r = run_block(&block, &params, duration);
        const carom_trajectory *t = r.trajectory;
        for (int row = 1; row < t->row_count && t->time[row] < duration; row++) {
            double q[3];
            double v[3];
            carom_rocking_block_exact_state(&block, count, impacts, t->time[row], q, v);
            error[0][i] += h[i] * fabs(run_at(t->position, 3, row, 1) - q[1]);
            error[1][i] += h[i] * fabs(run_at(t->position, 3, row, 2) - q[2]);
            error[2][i] += h[i] * (fabs(run_at(t->velocity, 3, row, 1) - v[1]) +
                                   fabs(run_at(t->velocity, 3, row, 2) - v[2]));
        }
        run_clear(&r);
    }
    check_first_order("block, height", MOST_STEPS, h, error[0]);
    check_first_order("block, angle", MOST_STEPS, h, error[1]);
    check_first_order("block, velocity", MOST_STEPS, h, error[2]);
}

/** A scalar oscillator of unit mass; the context is its stiffness. */
static void oscillator_mass(const double *q, double *M, void *context) {
    (void)q;
    (void)context;
    M[0] = 1.0;
}

static void oscillator_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)v;
    f[0] = -*(const double *)context * q[0];
}

static void oscillator_stiffness(double t, const double *q, const double *v, double *K,
                                 void *context) {
    (void)t;
    (void)q;
    (void)v;
    K[0] = *(const double *)context;
}

static double oscillator_energy(const double *q, void *context) {
    return 0.5 * *(const double *)context * q[0] * q[0];
}

static carom_mechanism oscillator(double *stiffness) {
    carom_mechanism mechanism = {0};
    mechanism.name = "oscillator";
    mechanism.coordinate_count = 1;
    mechanism.layout = carom_layout_full(1);
    mechanism.is_linear = true;
    mechanism.position_units = "m";
    mechanism.velocity_units = "m s-1";
    mechanism.mass = oscillator_mass;
    mechanism.force = oscillator_force;
    mechanism.stiffness = oscillator_stiffness;
    mechanism.potential_energy = oscillator_energy;
    mechanism.context = stiffness;
    return mechanism;
}

/** State (q, v / Omega, a / Omega^2) of the oscillator, h = 1; Moreau-Jean has no third entry. */
static void oscillator_state(const carom_step *step, double Omega, int size, double *state) {
    state[0] = step->position[0];
    state[1] = step->velocity[0] / Omega;
    if (size == 3) {
        state[2] = step->pseudo_acceleration[0] / (Omega * Omega);
    }
}

/** Append to the pairs (state before, state after) two steps from (q, v), h = 1. */
static void record_steps(const carom_mechanism *mechanism, const carom_stepper_params *params,
                         double Omega, double q, double v, int size, double *before, double *after,
                         int *pairs) {
    carom_stepper *stepper = NULL;
    assert_ok(carom_stepper_alloc(mechanism, params, &stepper, NULL));
    assert_ok(carom_stepper_start(stepper, 0.0, &q, &v, NULL));
    for (int i = 0; i < 2 && *pairs < size; i++) {
        oscillator_state(carom_stepper_result(stepper), Omega, size, &before[*pairs * size]);
        assert_ok(carom_stepper_advance(stepper, NULL));
        oscillator_state(carom_stepper_result(stepper), Omega, size, &after[*pairs * size]);
        (*pairs)++;
    }
    carom_stepper_free(stepper);
}

/** Spectral radius of the map of one step, from pairs of states: T = after before^-1. */
static double spectral_radius(carom_scheme scheme, double Omega, bool use_linear_step) {
    const int size = scheme == CAROM_SCHEME_MOREAU_JEAN ? 2 : 3;
    double stiffness = Omega * Omega;
    const carom_mechanism mechanism = oscillator(&stiffness);
    carom_stepper_params params = scheme_with_step(scheme, 1.0);
    params.use_linear_step = use_linear_step;
    double before[9];
    double after[9];
    int pairs = 0;
    record_steps(&mechanism, &params, Omega, 0.7, 0.0, size, before, after, &pairs);
    record_steps(&mechanism, &params, Omega, 0.0, 0.7 * Omega, size, before, after, &pairs);
    ck_assert_int_eq(pairs, size);
    // rows are states: before T' = after
    gsl_matrix_view left = gsl_matrix_view_array(before, (size_t)size, (size_t)size);
    gsl_permutation *permutation = gsl_permutation_alloc((size_t)size);
    int sign;
    gsl_linalg_LU_decomp(&left.matrix, permutation, &sign);
    gsl_matrix_view transposed = gsl_matrix_view_array(after, (size_t)size, (size_t)size);
    for (int j = 0; j < size; j++) {
        gsl_vector_view column = gsl_matrix_column(&transposed.matrix, (size_t)j);
        gsl_linalg_LU_svx(&left.matrix, permutation, &column.vector);
    }
    gsl_permutation_free(permutation);
    gsl_eigen_nonsymm_workspace *work = gsl_eigen_nonsymm_alloc((size_t)size);
    gsl_eigen_nonsymm_params(0, 1, work);
    gsl_vector_complex *values = gsl_vector_complex_alloc((size_t)size);
    ck_assert_int_eq(gsl_eigen_nonsymm(&transposed.matrix, values, work), GSL_SUCCESS);
    double radius = 0.0;
    for (int i = 0; i < size; i++) {
        radius = fmax(radius, gsl_complex_abs(gsl_vector_complex_get(values, (size_t)i)));
    }
    gsl_vector_complex_free(values);
    gsl_eigen_nonsymm_free(work);
    return radius;
}

TEST(property, spectral_radii_are_the_tabulated_ones) {
    static const double Omega[] = {0.01, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 1e4};
    static const double galpha[] = {1.000000000, 0.999999932, 0.999998915, 0.999960111, 0.999474614,
                                    0.995285863, 0.967909385, 0.929791767, 0.801674833};
    static const double theta[] = {0.999994445, 0.999446000, 0.997802463, 0.987021800, 0.956605634,
                                   0.895044676, 0.825410877, 0.807030326, 0.800000007};
    for (int i = 0; i < 9; i++) {
        for (int linear = 0; linear < 2; linear++) {
            // nine digits; at 1e4 the roots are nearly double (triple for generalized-alpha), which
            // leaves the square (cube) root of rounding
            const double tolerance = Omega[i] > 1e3 ? 1e-6 : 2e-9;
            assert_close(spectral_radius(CAROM_SCHEME_NONSMOOTH_GALPHA, Omega[i], linear != 0),
                         galpha[i], 0.0, tolerance);
            assert_close(spectral_radius(CAROM_SCHEME_SMOOTH_GALPHA, Omega[i], linear != 0),
                         galpha[i], 0.0, tolerance);
            assert_close(spectral_radius(CAROM_SCHEME_VELOCITY_GALPHA, Omega[i], linear != 0),
                         galpha[i], 0.0, tolerance);
            assert_close(spectral_radius(CAROM_SCHEME_MOREAU_JEAN, Omega[i], linear != 0), theta[i],
                         0.0, Omega[i] > 1e3 ? 3e-8 : 2e-9);
        }
    }
}
