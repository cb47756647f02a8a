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

/** The residual that so many iterations of the first step leave; 0 if it is solved. */
static double residual_after(int iterations, carom_scheme scheme, const carom_mechanism *mechanism,
                             double h, const double *q, const double *v) {
    carom_stepper_params params = scheme_with_step(scheme, h);
    params.use_linear_step = false;
    params.check_derivatives = false;
    params.max_iterations = iterations;
    params.tolerance = SOLVED;
    CAROM_AUTO(carom_stepper) stepper = NULL;
    carom_report report = carom_report_empty();
    assert_ok(carom_stepper_alloc(mechanism, &params, &stepper, NULL));
    assert_ok(carom_stepper_start(stepper, 0.0, q, v, NULL));
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

static double left_by(int iterations, carom_scheme scheme, const drawn *d, double h) {
    return residual_after(iterations, scheme, &d->sparse.mechanism, h, d->random.q0, d->random.v0);
}

/** Whether so many iterations are the step, at every size of it, and one less is not. */
static void check_end(int iterations, carom_scheme scheme, const carom_mechanism *mechanism,
                      const double *q, const double *v, int *later) {
    static const double steps[] = {3e-2, 3e-3, 3e-4};
    for (int k = 0; k < 3; k++) {
        const double h = steps[k];
        const double left = residual_after(iterations, scheme, mechanism, h, q, v);
        ck_assert_msg(left <= 0.0, "%s, h = %g: %g is left by %d iterations",
                      carom_scheme_name(scheme), h, left, iterations);
        if (iterations > 1) {
            *later += residual_after(iterations - 1, scheme, mechanism, h, q, v) > 0.0 ? 1 : 0;
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
    const double coarse = left_by(iterations, CAROM_SCHEME_NONSMOOTH_GALPHA, d, 1e-3);
    const double fine = left_by(iterations, CAROM_SCHEME_NONSMOOTH_GALPHA, d, 1e-4);
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
