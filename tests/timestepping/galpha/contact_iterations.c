/* Iterations of steps that are solved by contact problems: what each leaves of the residual. A
 * fault in what is linearized leaves a part that does not depend on the step, or ends later where
 * the end is exact. */
#include "friction_bodies.h"
#include "random_mechanism.h"
#include "runs.h"
#include "sparse_mechanism.h"

/* Below it a step is solved: a thousand roundings of what acts in a row. */
static const double SOLVED = 1e-13;

enum { SEEDS = 24 };

/** A stepper at the start of a motion, whose steps have so many iterations. */
static carom_stepper *limited(int iterations, carom_scheme scheme, const carom_mechanism *mechanism,
                              double h, const double *q, const double *v) {
    carom_stepper_params params = scheme_with_step(scheme, h);
    params.use_linear_step = false;
    params.check_derivatives = false;
    params.max_iterations = iterations;
    params.tolerance = SOLVED;
    carom_stepper *stepper = NULL;
    assert_ok(carom_stepper_alloc(mechanism, &params, &stepper, NULL));
    assert_ok(carom_stepper_start(stepper, 0.0, q, v, NULL));
    return stepper;
}

/** The residual that the iterations of a step leave; 0 if it is solved. */
static double advance(carom_stepper *stepper) {
    carom_report report = carom_report_empty();
    const carom_status status = carom_stepper_advance(stepper, &report);
    ck_assert(status == CAROM_OK || status == CAROM_STATUS_NOT_CONVERGED);
    return status == CAROM_OK ? 0.0 : report.residual;
}

/** A random mechanism of a shape, stored by its entries; how the forces of its constraints turn is
 * not told, so that its steps are contact problems. Must not move. */
typedef struct drawn {
    random_mechanism random;
    carom_mechanism full;
    sparse_mechanism sparse;
} drawn;

static void draw(drawn *d, const random_shape *shape, unsigned long seed) {
    gsl_rng *generator = seeded_generator(seed);
    random_mechanism_init(&d->random, shape, generator);
    gsl_rng_free(generator);
    d->full = d->random.mechanism;
    d->full.constraint_force_derivative = NULL;
    sparse_init(&d->sparse, &d->full, d->random.q0);
}

/** The residual that so many iterations of the first step leave. */
static double left_by(int iterations, const drawn *d, double h) {
    CAROM_AUTO(carom_stepper)
    stepper = limited(iterations, CAROM_SCHEME_NONSMOOTH_GALPHA, &d->sparse.mechanism, h,
                      d->random.q0, d->random.v0);
    return advance(stepper);
}

/** Whether so many iterations are a step, at every size of it, for a while, and one less is not
 * always. */
static void check_end(int iterations, carom_scheme scheme, const carom_mechanism *mechanism,
                      const double *q, const double *v, int *later) {
    enum { STEPS = 100 };
    static const double sizes[] = {3e-2, 3e-3, 3e-4};
    for (int k = 0; k < 3; k++) {
        CAROM_AUTO(carom_stepper)
        stepper = limited(iterations, scheme, mechanism, sizes[k], q, v);
        for (int i = 0; i < STEPS; i++) {
            const double left = advance(stepper);
            ck_assert_msg(left <= 0.0, "%s, step %d of h = %g: %g is left by %d iterations",
                          carom_scheme_name(scheme), i, sizes[k], left, iterations);
            *later += carom_stepper_result(stepper)->iterations == iterations ? 1 : 0;
        }
    }
}

/** Where all is linear and springs alone couple the levels, one iteration is the step. */
TEST(property, a_linear_step_without_damping_takes_one_iteration) {
    int later = 0;
    for (unsigned long seed = 0; seed < SEEDS; seed++) {
        const random_shape shape = {
            .coordinates = 3, .contacts = 2, .is_linear = true, .closed_share = 0.7};
        drawn d;
        draw(&d, &shape, seed);
        check_end(1, CAROM_SCHEME_NONSMOOTH_GALPHA, &d.sparse.mechanism, d.random.q0, d.random.v0,
                  &later);
    }
    ck_assert_int_gt(later, SEEDS);
}

/** Where dampers alone couple them, the positions learn in the second what the velocities of the
 * first have changed, and of modified_lcp the impulses themselves. */
TEST(property, a_linear_step_without_springs_takes_two_iterations) {
    static const carom_scheme schemes[] = {CAROM_SCHEME_NONSMOOTH_GALPHA,
                                           CAROM_SCHEME_MODIFIED_LCP};
    for (int k = 0; k < 2; k++) {
        int later = 0;
        for (unsigned long seed = 0; seed < SEEDS; seed++) {
            const random_shape shape = {.coordinates = 3,
                                        .contacts = 2,
                                        .is_linear = true,
                                        .has_damping = true,
                                        .closed_share = 0.7};
            drawn d;
            draw(&d, &shape, seed);
            memset(d.random.K0, 0, sizeof d.random.K0);
            d.sparse.mechanism.stiffness = NULL;
            check_end(2, schemes[k], &d.sparse.mechanism, d.random.q0, d.random.v0, &later);
        }
        ck_assert_int_gt(later, SEEDS);
    }
}

/** With friction on rows that do not turn, the displacements learn in the second what the impulses
 * of the first are; from then on both are what they are. */
TEST(property, a_linear_step_with_friction_takes_two_iterations) {
    enum { KINDS = 3 };
    int later = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        body b;
        if (kind == 0) {
            point_init(&b, 2.385, 0.437);
        } else if (kind == 1) {
            disc_init(&b, 2.385, 0.7, 0.437);
        } else {
            sphere_init(&b, 2.385, 0.7, 0.437);
        }
        const int up = kind == 2 ? 2 : 1;
        b.force[0] = 1.75;
        b.force[up] = -23.4;
        b.v[0] = 1.9;
        b.v[up] = -0.3;
        b.restitution[0] = 0.6;
        b.mechanism.stiffness = NULL;
        sparse_mechanism sparse;
        sparse_init(&sparse, &b.mechanism, b.q);
        check_end(2, CAROM_SCHEME_NONSMOOTH_GALPHA, &sparse.mechanism, b.q, b.v, &later);
    }
    ck_assert_int_gt(later, KINDS);
}

/** That the residual falls by a power of the step, as it becomes a tenth, but for what the next
 * power adds. */
static void check_order(const drawn *d, int iterations, int *seen) {
    const double coarse = left_by(iterations, d, 1e-3);
    const double fine = left_by(iterations, d, 1e-4);
    ck_assert_msg(fine <= 2.0 * pow(0.1, iterations) * coarse + SOLVED,
                  "%d iterations leave %g, and %g of a tenth of the step", iterations, coarse,
                  fine);
    *seen += fine > 0.0 ? 1 : 0;
}

/** An impact displaces by O(h) what its rows and their forces depend on: O(h) of the step is left
 * by the first iteration, and of that by the next. */
TEST(property, an_iteration_leaves_a_part_of_the_order_of_the_step) {
    for (int kind = 0; kind < 4; kind++) {
        const random_shape shape = {.coordinates = 3,
                                    .joints = kind % 2,
                                    .contacts = 2,
                                    .has_damping = kind / 2 == 1,
                                    .closed_share = 0.7};
        int seen = 0;
        for (unsigned long seed = 0; seed < SEEDS; seed++) {
            drawn d;
            draw(&d, &shape, seed);
            check_order(&d, 1, &seen);
            check_order(&d, 2, &seen);
        }
        ck_assert_int_gt(seen, SEEDS);
    }
}

/* --- rows that turn ------------------------------------------------------------------------------
 */

/* A point that a cart carries over a parabola and does not feel: q = (x, y), the force on the cart
 * changes in time, the gap is y - c x^2/2. */
static const double CART = 1e12; /* kg, beside 1 kg of the point */
static const double CURVATURE = 1.7;

static void cart_mass(const double *q, double *M, void *context) {
    (void)q;
    (void)context;
    M[0] = CART;
    M[1] = M[2] = 0.0;
    M[3] = 1.0;
}

static void cart_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)q;
    (void)v;
    (void)context;
    f[0] = CART * 9.0 * sin(7.0 * t);
    f[1] = -9.81;
}

static void cart_gap(const double *q, double *g, void *context) {
    (void)context;
    g[0] = q[1] - 0.5 * CURVATURE * q[0] * q[0];
}

static void cart_jacobian(const double *q, double *G, void *context) {
    (void)context;
    G[0] = -CURVATURE * q[0];
    G[1] = 1.0;
}

static void cart_rate_derivative(const double *q, const double *v, double *D, void *context) {
    (void)q;
    (void)context;
    D[0] = -CURVATURE * v[0];
    D[1] = 0.0;
}

static double cart_energy(const double *q, void *context) {
    (void)context;
    return 9.81 * q[1];
}

/** What the prediction errs by, O(h^2) of a step, turns the row, of a joint or of a contact, and
 * all that is left of that is its square; without how the row turns it would be all of it. */
TEST(property, a_row_that_turns_leaves_the_square_of_what_was_predicted_wrong) {
    static const double inelastic[] = {0.0};
    const double q[] = {0.3, 0.5 * CURVATURE * 0.3 * 0.3};
    const double v[] = {1.9, CURVATURE * 0.3 * 1.9};
    for (int joints = 0; joints < 2; joints++) {
        const carom_mechanism cart = {.name = "cart",
                                      .coordinate_count = 2,
                                      .joint_count = joints,
                                      .contact_count = 1 - joints,
                                      .layout = carom_layout_full(2),
                                      .position_units = "m",
                                      .velocity_units = "m s-1",
                                      .restitution = inelastic,
                                      .mass = cart_mass,
                                      .force = cart_force,
                                      .potential_energy = cart_energy,
                                      .constraints = cart_gap,
                                      .constraint_jacobian = cart_jacobian,
                                      .constraint_rate_derivative = cart_rate_derivative};
        sparse_mechanism sparse;
        sparse_init(&sparse, &cart, q);
        double left[2];
        for (int k = 0; k < 2; k++) {
            CAROM_AUTO(carom_stepper)
            stepper = limited(1, CAROM_SCHEME_NONSMOOTH_GALPHA, &sparse.mechanism,
                              k == 0 ? 1e-1 : 1e-2, q, v);
            left[k] = advance(stepper);
        }
        // Above the third order, between the second and the fourth.
        ck_assert_msg(left[1] > 0.0 && left[1] <= 1e-3 * left[0], "%g, with a tenth of the step %g",
                      left[0], left[1]);
    }
}
