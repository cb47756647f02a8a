/** What a step takes: iterations, and evaluations of the mechanism. */
#include "rewired_mechanism.h"
#include "runs.h"

/** An error of O(h) of the prediction becomes one below the tolerance in one iteration: the smooth
 * motion goes on from the last step. With (40) as printed it takes two. */
TEST(property, flight_takes_one_iteration_a_step) {
    const carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
    const double first_impact = 0.486110443297; /* s, by quadrature */
    for (int k = 0; k < 2; k++) {
        const carom_stepper_params params =
            scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, k == 0 ? 1e-3 : 2.5e-4);
        run r = run_pendulum(&pendulum, &params, first_impact - params.step);
        for (int row = 1; row < r.trajectory->row_count - 1; row++) {
            ck_assert_int_eq(r.trajectory->newton_iterations[row], 1);
        }
        run_clear(&r);
    }
}

/** Another mechanism, its Jacobians and forces counted. Must not move. */
typedef struct counted_mechanism {
    rewired_mechanism rewired; /**< first: its functions see this as their context */
    int jacobians;
    int forces;
} counted_mechanism;

static void counted_jacobian(const double *q, double *G, void *context) {
    counted_mechanism *counted = context;
    counted->jacobians++;
    rewired_constraint_jacobian(q, G, context);
}

static void counted_force(double t, const double *q, const double *v, double *f, void *context) {
    counted_mechanism *counted = context;
    counted->forces++;
    rewired_force(t, q, v, f, context);
}

/** An iterate is evaluated once, however often it is asked for: by the sets, the residual, the
 * matrix, and by what is said of the step. */
TEST(unit, every_iterate_is_evaluated_once) {
    static const int same[] = {0, 1, 2};
    const carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
    carom_model *model = NULL;
    assert_ok(carom_bouncing_pendulum_alloc(&pendulum, &model, NULL));
    counted_mechanism counted = {.jacobians = 0};
    rewired_mechanism_init(&counted.rewired, &model->mechanism, 2, 1, same);
    counted.rewired.mechanism.constraint_jacobian = counted_jacobian;
    counted.rewired.mechanism.force = counted_force;
    const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, 2e-3);
    carom_stepper *stepper = NULL;
    assert_ok(carom_stepper_alloc(&counted.rewired.mechanism, &params, &stepper, NULL));
    assert_ok(
        carom_stepper_start(stepper, 0.0, model->initial_position, model->initial_velocity, NULL));
    for (int k = 0; k < 500; k++) { /* past the first impact */
        counted.jacobians = 0;
        counted.forces = 0;
        assert_ok(carom_stepper_advance(stepper, NULL));
        const int iterates = carom_stepper_result(stepper)->iterations + 1;
        ck_assert_int_eq(counted.jacobians, iterates);
        ck_assert_int_eq(counted.forces, iterates);
    }
    carom_stepper_free(stepper);
    carom_model_free(model);
}
