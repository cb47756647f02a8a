/* Friction in steps of fixed length: the laws after every step, the same in all units, and steps
 * that fail. */
#include "../../failing_malloc.h"
#include "../../units.h"
#include "friction_bodies.h"
#include <carom/models/sliding_box.h>

/* The step again, from its record: momentum, Signorini with Newton, Coulomb. */
static void check_laws(const carom_mechanism *m, const carom_step *step, const double *rate_before,
                       double tolerance) {
    double M[ARM_COORDINATES * ARM_COORDINATES];
    double G[ARM_CONTACTS * ARM_COORDINATES];
    double H[ARM_CONTACTS * ARM_COORDINATES];
    const int n = ARM_COORDINATES;
    m->mass(step->position, M, m->context);
    m->constraint_jacobian(step->position, G, m->context);
    m->tangential_jacobian(step->position, H, m->context);
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = 0; k < n; k++) {
            sum += M[i * n + k] * step->velocity_jump[k];
        }
        for (int j = 0; j < ARM_CONTACTS; j++) {
            sum -= G[j * n + i] * step->impulse[j] + H[j * n + i] * step->friction_impulse[j];
        }
        assert_close(sum, 0.0, 0.0, tolerance);
    }
    for (int j = 0; j < ARM_CONTACTS; j++) {
        const double normal = step->impulse[j];
        const double tangential = step->friction_impulse[j];
        const double limit = m->friction[j] * normal;
        double sliding = 0.0;
        double leaving = m->restitution[j] * rate_before[j];
        for (int i = 0; i < n; i++) {
            sliding += H[j * n + i] * step->velocity[i];
            leaving += G[j * n + i] * step->velocity[i];
        }
        assert_close(step->sliding_velocity[j], sliding, 0.0, tolerance);
        ck_assert(normal >= -tolerance && fabs(tangential) <= limit + tolerance);
        /* it presses and does not leave, or does nothing */
        ck_assert(normal <= tolerance || fabs(leaving) <= tolerance);
        /* it sticks, or rubs with all it has, against the sliding */
        ck_assert(fabs(sliding) <= tolerance || normal <= tolerance ||
                  fabs(tangential + copysign(limit, sliding)) <= tolerance);
        ck_assert(tangential * sliding <= tolerance);
    }
}

/* At a speed that gravity would give in two days, a step changes one part in 1e4 of it: contact
 * problems are solved beside all of the speed, normal impulses too. */
TEST(property, a_box_brakes_where_gravity_is_little) {
    carom_sliding_box_params box = carom_sliding_box_params_default();
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    box.gravity = 1e-5;
    assert_ok(carom_sliding_box_alloc(&box, &scene, NULL));
    const double h = carom_sliding_box_stop(&box) / 29212.5;
    const int steps = 12000;
    const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, h);
    carom_stepper *stepper = stepped(carom_impact_scene_mechanism(scene), &params, scene->position,
                                     scene->velocity, steps);
    const carom_step *step = carom_stepper_result(stepper);
    // The tolerance in each step, of what it changes and, a hundredth of it, of the speed.
    assert_close(step->velocity[0], box.speed - box.friction * box.gravity * steps * h, 0.0,
                 steps * 1e-10 * (box.friction * box.gravity * h + 0.01 * box.speed));
    carom_stepper_free(stepper);
}

TEST(property, every_step_satisfies_signorini_newton_and_coulomb) {
    int pressed = 0;
    for (int k = 0; k < 3 * SCHEME_COUNT; k++) {
        const int roughness = k / SCHEME_COUNT;
        carom_planar_tree *tree = box_with_arm(0.2 + 0.4 * roughness, 0.3 * roughness);
        const carom_mechanism *m = carom_planar_tree_mechanism(tree);
        const carom_stepper_params params = scheme_with_step(SCHEMES[k % SCHEME_COUNT], 2e-3);
        carom_stepper *stepper = started(m, &params, ARM_POSITION, ARM_VELOCITY);
        for (int i = 0; i < 700; i++) {
            double rate_before[ARM_CONTACTS];
            memcpy(rate_before, carom_stepper_result(stepper)->constraint_rate, sizeof rate_before);
            carom_report report = carom_report_empty();
            const carom_status status = carom_stepper_advance(stepper, &report);
            ck_assert_msg(status == CAROM_OK, "motion %d, step %d: %s, residual %.3g", k, i,
                          carom_status_name(status), report.residual);
            const carom_step *step = carom_stepper_result(stepper);
            /* the tolerance of the step, of momenta and speeds of some kg m/s */
            check_laws(m, step, rate_before, 1e-8);
            ck_assert(step->velocity_residual < params.tolerance);
            ck_assert(params.scheme != CAROM_SCHEME_NONSMOOTH_GALPHA ||
                      step->position_residual < params.tolerance);
            pressed += step->impulse[0] > 0.0 && step->impulse[1] > 0.0 ? 1 : 0;
        }
        carom_stepper_free(stepper);
        carom_planar_tree_free(tree);
    }
    ck_assert_int_ge(pressed, 100); /* both corners, for a while */
}

/* What a step tolerates can be less than the tolerance of its contact problem beside the impulses
 * within it: of a block that comes to rest on two corners that hardly slide. */
TEST(unit, a_rocking_block_comes_to_rest_with_large_friction) {
    for (int decade = 1; decade < 9; decade += 2) {
        carom_rocking_block_params block = carom_rocking_block_params_default();
        carom_model *model = NULL;
        block.friction = pow(10.0, decade);
        assert_ok(carom_rocking_block_alloc(&block, &model, NULL));
        const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_VELOCITY_GALPHA, 0.01);
        run r = run_model(model, &params, 2.0);
        run_clear(&r);
    }
}

/* By theta = 1/2 the energy changes by the impulses times the mean of the velocities before and
 * after, exactly: what a sphere loses that is thrown with spin, bounces and rolls. */
TEST(property, the_energy_lost_is_the_work_of_the_contacts) {
    body b;
    sphere_init(&b, MASS, 0.37, 0.23);
    tilt(&b, 0.0, 0.0);
    b.restitution[0] = 0.6;
    b.q[2] = 0.4;
    const double v[6] = {1.7, -0.6, 0.3, 2.1, -3.4, 1.2};
    carom_stepper_params params = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, 1e-3);
    params.theta = 0.5;
    carom_stepper *stepper = started(&b.mechanism, &params, b.q, v);
    double scratch[42];
    double rate[3] = {v[2], v[0] + 0.37 * 3.4, v[1] + 0.37 * 2.1};
    double work = 0.0;
    const double before =
        carom_mechanism_kinetic_energy(&b.mechanism, b.q, v, scratch) + body_energy(b.q, &b);
    for (int k = 0; k < 3000; k++) {
        assert_ok(carom_stepper_advance(stepper, NULL));
        const carom_step *step = carom_stepper_result(stepper);
        const double now[3] = {step->constraint_rate[0], step->sliding_velocity[0],
                               step->sliding_velocity[1]};
        double rubbing = 0.0;
        for (int a = 0; a < 2; a++) {
            rubbing += step->friction_impulse[a] * 0.5 * (rate[1 + a] + now[1 + a]);
        }
        ck_assert_msg(rubbing <= 1e-15, "friction gives %.3g J", rubbing);
        work += rubbing + step->impulse[0] * 0.5 * (rate[0] + now[0]);
        memcpy(rate, now, sizeof now);
    }
    const carom_step *last = carom_stepper_result(stepper);
    const double after =
        carom_mechanism_kinetic_energy(&b.mechanism, last->position, last->velocity, scratch) +
        body_energy(last->position, &b);
    ck_assert(before - after > 10.0); // J, of some 20
    assert_close(after - before, work, 1e-10, 0.0);
    assert_close(rate[1], 0.0, 0.0, 1e-12); // it rolls
    carom_stepper_free(stepper);
}

/* The same in a trajectory: what friction and what normals have taken so far, in every row. At the
 * end the sphere rolls: friction has taken the rest of what it lost, the impacts 1 - e^2 of each.
 */
TEST(property, a_trajectory_keeps_what_friction_and_impacts_have_taken) {
    body b;
    sphere_init(&b, MASS, 0.37, 0.23);
    tilt(&b, 0.0, 0.0);
    b.restitution[0] = 0.6;
    b.q[2] = 0.4;
    const double v[6] = {1.7, -0.6, 0.3, 2.1, -3.4, 1.2};
    carom_stepper_params params = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, 1e-3);
    params.theta = 0.5;
    carom_trajectory *t = run_mechanism(&b.mechanism, &params, b.q, v, 3.0);
    for (int row = 1; row < t->row_count; row++) {
        ck_assert_double_ge(t->friction_work[row], t->friction_work[row - 1] - 1e-15);
        assert_close(t->energy[0] - t->energy[row], t->friction_work[row] + t->impact_loss[row],
                     0.0, 1e-10);
    }
    // u = (1.7 + 0.37 3.4, -0.6 + 0.37 2.1) is stopped: m u^2/7.
    const double u[2] = {1.7 + 0.37 * 3.4, -0.6 + 0.37 * 2.1};
    assert_close(t->friction_work[t->row_count - 1], MASS * (u[0] * u[0] + u[1] * u[1]) / 7.0,
                 1e-10, 0.0);
    carom_trajectory_free(t);
}

TEST(property, motions_with_friction_are_alike_in_all_units) {
    enum { STEPS = 250 };
    for (int k = 0; k < SCHEME_COUNT; k++) {
        carom_planar_tree *tree = box_with_arm(0.4, 0.3);
        const carom_mechanism *m = carom_planar_tree_mechanism(tree);
        carom_stepper_params params = scheme_with_step(SCHEMES[k], 2e-3);
        carom_stepper *own = stepped(m, &params, ARM_POSITION, ARM_VELOCITY, STEPS);
        const carom_step *expected = carom_stepper_result(own);
        for (int change = 0; change < CHANGE_OF_UNITS_COUNT; change++) {
            const test_units units = CHANGES_OF_UNITS[change];
            other_units u;
            double q[UNITS_MAX_COORDINATES];
            double v[UNITS_MAX_COORDINATES];
            other_units_init(&u, m, units);
            units_position(&u, ARM_POSITION, q);
            units_velocity(&u, ARM_VELOCITY, v);
            params.step = 2e-3 * units.time;
            carom_stepper *other = stepped(&u.mechanism, &params, q, v, STEPS);
            const carom_step *step = carom_stepper_result(other);
            /* rounding of other bits, grown over the motion */
            for (int i = 0; i < ARM_COORDINATES; i++) {
                assert_close(step->position[i] / u.factor[i], expected->position[i], 1e-8, 1e-8);
                assert_close(step->velocity[i] / u.factor[i] * units.time, expected->velocity[i],
                             1e-8, 1e-7);
            }
            carom_stepper_free(other);
        }
        carom_stepper_free(own);
        carom_planar_tree_free(tree);
    }
}

/* ------------------------------------------------------------ failure */

/* Two planes without room between them, of which one throws back: no velocity will do. */
TEST(errors, a_step_without_solution_names_time_contact_and_residual) {
    for (int k = 0; k < 2; k++) { /* where both close at q*; nonsmooth_galpha moves away from one */
        body b;
        body_init(&b, 2, 2, 1);
        b.mass[0] = b.mass[1] = MASS;
        b.G[1] = 1.0;
        b.G[3] = -1.0;
        b.H[0] = b.H[2] = 1.0;
        b.friction[0] = b.friction[1] = 0.4;
        b.restitution[0] = 1.0;
        b.v[0] = 0.7;
        b.v[1] = -1.3;
        carom_stepper_params params = scheme_with_step(SCHEMES[k], 1e-3);
        params.predictor = CAROM_PREDICTOR_CURRENT; /* both are closed */
        carom_stepper *stepper = started(&b.mechanism, &params, b.q, b.v);
        carom_report report = carom_report_empty();
        const carom_status status = carom_stepper_advance(stepper, &report);
        ck_assert_msg(status == CAROM_STATUS_RAY || status == CAROM_STATUS_NOT_CONVERGED, "%s",
                      carom_status_name(status));
        ck_assert_str_eq(report.quantity, "contact");
        ck_assert(report.index == 0 || report.index == 1);
        assert_close(report.time, 1e-3, 1e-15, 0.0);
        ck_assert(report.residual > params.tolerance);
        assert_close(carom_stepper_result(stepper)->velocity[1], -1.3, 0.0, 0.0);
        carom_stepper_free(stepper);
    }
}

TEST(errors, a_step_whose_contact_problem_finds_no_memory_leaves_the_state) {
    body b;
    cube_init(&b, MASS, 0.7, 0.5);
    tilt(&b, 0.3, 0.9);
    const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, 1e-3);
    int refused = 0;
    for (int k = 0;; k++) {
        carom_stepper *stepper = started(&b.mechanism, &params, b.q, b.v);
        allocations = 0;
        successes_left = k;
        const carom_status status = carom_stepper_advance(stepper, NULL);
        successes_left = -1;
        const bool has_failed = allocations > k;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            assert_close(carom_stepper_result(stepper)->time, 0.0, 0.0, 0.0);
            assert_ok(carom_stepper_advance(stepper, NULL));
            refused++;
        }
        assert_close(carom_stepper_result(stepper)->position[0], b.q[0], 0.0, 1e-15);
        carom_stepper_free(stepper);
        if (!has_failed) {
            break;
        }
    }
    ck_assert_int_gt(refused, 0);
}
