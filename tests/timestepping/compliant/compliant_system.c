/* The equations behind carom/timestepping/compliant/compliant.h: their derivatives, the
 * changes of contact law, and what happens when memory runs out. */
#include "../../failing_malloc.h"
#include "compliant_bodies.h"

#include <carom/timestepping/compliant/internal.h>

enum { LARGEST_SIZE = 16, EVENTS = 7 };

/* ---------------------------------------------------------------------------------- derivatives */

/* d(v', lambda)/d(q, v) against central differences, in the present modes. */
static void check_derivative(carom_compliant_system *system, const double *y) {
    const int n = system->n;
    double slopes[LARGEST_SIZE * LARGEST_SIZE];
    double y_dot[LARGEST_SIZE];
    for (int i = 0; i < LARGEST_SIZE * LARGEST_SIZE; i++) {
        slopes[i] = (double)NAN;
    }
    assert_ok(carom_compliant_rate_derivative(system, 0.0, y, y_dot, slopes));
    for (int j = 0; j < system->size; j++) {
        double moved[LARGEST_SIZE];
        double rate[2][LARGEST_SIZE];
        const double step = 1e-6;
        for (int side = 0; side < 2; side++) {
            memcpy(moved, y, (size_t)system->size * sizeof *y);
            moved[j] += side == 0 ? -step : step;
            assert_ok(carom_compliant_rate(system, 0.0, moved, rate[side]));
        }
        for (int i = 0; i < system->size; i++) {
            const double by_q_and_v = i >= n && j < 2 * n ? slopes[(i - n) * 2 * n + j] : 0.0;
            const double expected = j == i + n && i < n ? 1.0 : by_q_and_v;
            /* rounding of forces of 1e3 N over 2e-6, and third derivatives of order 1e4 */
            assert_close(expected, (rate[1][i] - rate[0][i]) / (2.0 * step), 1e-6, 1e-5);
        }
    }
    /* the rate comes along */
    double rate[LARGEST_SIZE];
    assert_ok(carom_compliant_rate(system, 0.0, y, rate));
    ck_assert_mem_eq(y_dot, rate, (size_t)system->size * sizeof *rate);
}

/* A tilted block pressed onto both corners: one sticks within a wide regularisation, one slides. */
TEST(property, derivatives_of_a_block_agree_with_finite_differences) {
    carom_rigid_block_params block = carom_rigid_block_params_default();
    block.mass = 1.31;
    block.friction = 0.71;
    carom_impact_scene *scene = NULL;
    assert_ok(carom_rigid_block_alloc(&block, &scene, NULL));
    scene->position[2] = 0.117;
    const double k[2] = {2.3e3, 3.1e3};
    carom_compliant_params params = carom_compliant_params_default();
    params.stiffness = k;
    params.damping_ratio = 0.3;
    params.regularisation_speed = 0.5;
    carom_compliant_system system;
    assert_ok(carom_compliant_system_init(&system, carom_impact_scene_mechanism(scene), &params,
                                          scene->position, scene->velocity, NULL));
    const double y[10] = {0.021, -0.217, 0.031, 0.31, -0.91, 0.17, 0.1, 0.2, 0.3, 0.4};
    carom_compliant_start(&system, 0.0, y);
    for (int sliding = 0; sliding < 4; sliding++) {
        for (int i = 0; i < 2; i++) {
            ck_assert_int_eq(system.mode[i], CAROM_COMPLIANT_PRESSING);
            system.is_sliding[i] = (sliding >> i & 1) != 0;
            system.slip_direction[i] = system.sliding[i] > 0.0 ? 1.0 : -1.0;
        }
        check_derivative(&system, y);
    }
    carom_compliant_system_clear(&system);
    carom_impact_scene_free(scene);
}

/* A block hung on a slider: mass matrix and Coriolis forces depend on its angle. */
TEST(property, derivatives_of_a_guided_block_agree_with_finite_differences) {
    const carom_planar_body bodies[2] = {
        carom_planar_prismatic(-1, 0.0, 0.0, radians(80.0), carom_planar_massless()),
        carom_planar_revolute(
            0, 0.0, 0.0, (carom_planar_shape){.mass = 1.31, .inertia = 0.47, .center = {0.1, 0.9}}),
    };
    carom_planar_tree *tree = tree_on_corners(2, bodies, 1.1, 0.0, 2, 0.3);
    const double k[2] = {2.3e3, 3.1e3};
    carom_compliant_params params = carom_compliant_params_default();
    params.stiffness = k;
    params.damping_ratio = 0.3;
    const double q[2] = {-0.27, 0.117};
    const double y[8] = {0.021, 0.031, -0.91, 0.17, 0.1, 0.2, 0.3, 0.4};
    carom_compliant_system system;
    assert_ok(carom_compliant_system_init(&system, carom_planar_tree_mechanism(tree), &params, q,
                                          &y[2], NULL));
    carom_compliant_start(&system, 0.0, y);
    ck_assert(system.is_sliding[0] && system.is_sliding[1]);
    check_derivative(&system, y);
    carom_compliant_system_clear(&system);
    carom_planar_tree_free(tree);
}

TEST(property, derivatives_of_a_particle_in_space_agree_with_finite_differences) {
    const double k = 2.3e3;
    particle sledge = {.dimension = 3,
                       .mass = {2.385, 1.31, 3.97},
                       .lift = -9.731,
                       .drag = 1.73,
                       .friction = 0.471};
    const carom_mechanism mechanism = particle_mechanism(&sledge);
    carom_compliant_params params = carom_compliant_params_default();
    params.stiffness = &k;
    params.damping_ratio = 0.3;
    carom_compliant_system system;
    const double q[3] = {-0.385, 0.1, 0.2};
    const double y[9] = {0.021, 0.217, 0.031, -0.31, 0.91, -0.57, 0.1, 0.2, 0.3};
    for (int sticking = 0; sticking < 2; sticking++) {
        params.regularisation_speed = sticking == 1 ? 2.0 : 1e-10;
        assert_ok(carom_compliant_system_init(&system, &mechanism, &params, q, &y[3], NULL));
        carom_compliant_start(&system, 0.0, y);
        ck_assert_int_eq(system.is_sliding[0], sticking == 0);
        check_derivative(&system, y);
        carom_compliant_system_clear(&system);
    }
}

/* --------------------------------------------------------------------------------- contact laws */

/* A particle in space, its system, and states [9] of given height and velocity. */
typedef struct laws {
    particle sledge;
    carom_mechanism mechanism;
    double stiffness;
    double origin[3];
    carom_compliant_params params;
    carom_compliant_system system;
} laws;

static void laws_init(laws *all, int dimension, bool stops) {
    *all = (laws){.sledge = {.dimension = dimension, .mass = {1.0, 1.0, 1.0}, .friction = 0.5},
                  .stiffness = 1e6,
                  .params = carom_compliant_params_default()};
    all->mechanism = particle_mechanism(&all->sledge);
    all->params.stiffness = &all->stiffness;
    all->params.stops_when_separating = stops;
    all->params.reference_mass = 1.0;
    all->params.regularisation_speed = 1e-10;
    all->params.stop_speed = 1e-9;
    /* of 1/2 J: compressions of 1e-3 m, touch up to 1e-12 m */
    assert_ok(carom_compliant_system_init(&all->system, &all->mechanism, &all->params, all->origin,
                                          (const double[]){-1.0, 0.0, 0.0}, NULL));
}

static void laws_state(const laws *all, double gap, double gap_rate, double along, double across,
                       double *y) {
    const int n = all->sledge.dimension;
    const double v[3] = {gap_rate, along, across};
    memset(y, 0, LARGEST_SIZE * sizeof *y);
    y[0] = gap;
    memcpy(y + n, v, (size_t)n * sizeof *y);
}

TEST(unit, laws_at_the_start_are_those_of_the_state) {
    /* d = 1e4 N s/m: the law is zero at phi' = -100 phi */
    const struct {
        double gap;
        double gap_rate;
        carom_compliant_contact_mode expected;
    } cases[] = {
        {1e-3, -1.0, CAROM_COMPLIANT_OPEN},      {5e-13, -1.0, CAROM_COMPLIANT_PRESSING},
        {0.0, -1.0, CAROM_COMPLIANT_PRESSING},   {0.0, 1.0, CAROM_COMPLIANT_OPEN},
        {-1e-3, 0.09, CAROM_COMPLIANT_PRESSING}, {-1e-3, 0.11, CAROM_COMPLIANT_UNLOADED},
    };
    laws all;
    laws_init(&all, 3, false);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        double y[LARGEST_SIZE];
        laws_state(&all, cases[i].gap, cases[i].gap_rate, 0.0, 0.0, y);
        carom_compliant_start(&all.system, 0.0, y);
        ck_assert_int_eq(all.system.mode[0], cases[i].expected);
        carom_compliant_forces(&all.system);
        const double law = -1e6 * cases[i].gap - 1e4 * cases[i].gap_rate;
        const bool is_pressing = cases[i].expected == CAROM_COMPLIANT_PRESSING;
        assert_close(all.system.normal_force[0], is_pressing ? law : 0.0, 1e-12, 0.0);
    }
    carom_compliant_system_clear(&all.system);
}

/* Change what contradicts the state by more than rounding, as a step does whose beginning lies
 * beyond its laws already. */
static bool amend(carom_compliant_system *system, const double *y) {
    double g[EVENTS];
    bool found[EVENTS];
    carom_compliant_event_values(system, y, g);
    if (!carom_compliant_find_events(system, g, g, found)) {
        return false;
    }
    carom_compliant_apply_events(system, 0.0, y, found);
    return true;
}

TEST(unit, laws_that_contradict_the_state_are_changed) {
    const struct {
        double gap;
        double gap_rate;
        carom_compliant_contact_mode before;
        carom_compliant_contact_mode after;
    } cases[] = {
        {-1e-9, -1.0, CAROM_COMPLIANT_OPEN, CAROM_COMPLIANT_PRESSING},
        {-1e-13, -1.0, CAROM_COMPLIANT_OPEN, CAROM_COMPLIANT_OPEN},
        {-1e-3, 0.11, CAROM_COMPLIANT_PRESSING, CAROM_COMPLIANT_UNLOADED},
        {1e-9, 0.11, CAROM_COMPLIANT_PRESSING, CAROM_COMPLIANT_OPEN},
        {-1e-3, 0.09, CAROM_COMPLIANT_UNLOADED, CAROM_COMPLIANT_PRESSING},
        {1e-9, 0.11, CAROM_COMPLIANT_UNLOADED, CAROM_COMPLIANT_OPEN},
        {-1e-3, 0.11, CAROM_COMPLIANT_UNLOADED, CAROM_COMPLIANT_UNLOADED},
    };
    laws all;
    laws_init(&all, 2, false);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        double y[LARGEST_SIZE];
        laws_state(&all, cases[i].gap, cases[i].gap_rate, 0.0, 0.0, y);
        all.system.mode[0] = cases[i].before;
        all.system.is_sliding[0] = false;
        ck_assert_int_eq(amend(&all.system, y), cases[i].before != cases[i].after);
        ck_assert_int_eq(all.system.mode[0], cases[i].after);
    }
    carom_compliant_system_clear(&all.system);
}

TEST(unit, friction_that_contradicts_the_sliding_speed_is_changed) {
    laws all;
    double y[LARGEST_SIZE];
    laws_init(&all, 2, false);
    /* three epsilon: no sticking */
    laws_state(&all, 0.0, -1.0, 0.0, 0.0, y);
    carom_compliant_start(&all.system, 0.0, y);
    ck_assert(!all.system.is_sliding[0]);
    laws_state(&all, 0.0, -1.0, -3e-10, 0.0, y);
    ck_assert(amend(&all.system, y));
    ck_assert(all.system.is_sliding[0]);
    assert_close(all.system.slip_direction[0], -1.0, 0.0, 0.0);
    ck_assert(!amend(&all.system, y));
    /* reversed: in the plane it has stuck in between */
    laws_state(&all, 0.0, -1.0, 0.5, 0.0, y);
    ck_assert(amend(&all.system, y));
    ck_assert(!all.system.is_sliding[0]);
    carom_compliant_system_clear(&all.system);
    /* in space the direction turns */
    laws_init(&all, 3, false);
    laws_state(&all, 0.0, -1.0, 0.3, 0.0, y);
    carom_compliant_start(&all.system, 0.0, y);
    laws_state(&all, 0.0, -1.0, 0.0, 0.4, y);
    ck_assert(amend(&all.system, y));
    ck_assert(all.system.is_sliding[0]);
    assert_close(all.system.slip_direction[0], 0.0, 0.0, 0.0);
    assert_close(all.system.slip_direction[1], 1.0, 0.0, 0.0);
    carom_compliant_system_clear(&all.system);
}

/* lambda_t = -mu lambda_n r/max(|r|, epsilon), and as if it slid on beyond a reversal. */
TEST(unit, friction_is_that_of_equation_89) {
    laws all;
    double y[LARGEST_SIZE];
    laws_init(&all, 3, false);
    const double sliding[2][2] = {{0.3, -0.4}, {0.3e-10, -0.4e-10}};
    for (int i = 0; i < 2; i++) {
        laws_state(&all, 0.0, -1.0, sliding[i][0], sliding[i][1], y);
        carom_compliant_start(&all.system, 0.0, y);
        carom_compliant_forces(&all.system);
        const double part = i == 0 ? 1.0 : 0.5;
        assert_close(all.system.tangential_force[0], -0.5 * 1e4 * 0.6 * part, 1e-14, 0.0);
        assert_close(all.system.tangential_force[1], 0.5 * 1e4 * 0.8 * part, 1e-14, 0.0);
    }
    laws_state(&all, 0.0, -1.0, 0.3, 0.0, y);
    carom_compliant_start(&all.system, 0.0, y);
    laws_state(&all, 0.0, -1.0, -0.3, 0.0, y);
    carom_compliant_kinematics(&all.system, y);
    carom_compliant_forces(&all.system);
    assert_close(all.system.tangential_force[0], -0.5 * 1e4, 1e-14, 0.0);
    assert_close(all.system.tangential_force[1], 0.0, 0.0, 1e-9);
    carom_compliant_system_clear(&all.system);
}

TEST(unit, event_functions_rise_through_zero_where_laws_end) {
    laws all;
    double y[LARGEST_SIZE];
    double g[EVENTS];
    double later[EVENTS];
    bool found[EVENTS];
    laws_init(&all, 2, true);
    ck_assert_int_eq(carom_compliant_event_count(&all.system), 4);
    /* open: only touch */
    laws_state(&all, 0.01, -1.0, 0.2, 0.0, y);
    carom_compliant_start(&all.system, 0.0, y);
    carom_compliant_event_values(&all.system, y, g);
    assert_close(g[0], -0.01, 1e-15, 0.0);
    ck_assert(g[1] < 0.0 && g[2] < 0.0);
    assert_close(g[3], -1.0 + 1e-9, 1e-15, 0.0);
    laws_state(&all, -1e-13, -1.0, 0.2, 0.0, y);
    carom_compliant_event_values(&all.system, y, later);
    ck_assert(carom_compliant_find_events(&all.system, g, later, found));
    ck_assert(found[0] && !found[1] && !found[2] && !found[3]);
    /* pressing and sliding: unloading and sticking */
    laws_state(&all, -0.01, -1.0, -0.2, 0.0, y);
    carom_compliant_start(&all.system, 0.0, y);
    carom_compliant_event_values(&all.system, y, g);
    ck_assert(g[0] < 0.0);
    assert_close(g[1], -2e4, 1e-14, 0.0);
    assert_close(g[2], 0.999 - 0.2e10, 1e-14, 0.0);
    ck_assert(!carom_compliant_find_events(&all.system, g, g, found));
    carom_compliant_apply_events(&all.system, 0.0, y, (const bool[]){false, false, true, false});
    ck_assert(!all.system.is_sliding[0]);
    carom_compliant_event_values(&all.system, y, g);
    assert_close(g[2], -1e-3, 0.0, 1e-15);
    carom_compliant_apply_events(&all.system, 0.0, y, (const bool[]){false, true, false, false});
    ck_assert_int_eq(all.system.mode[0], CAROM_COMPLIANT_UNLOADED);
    /* it presses again with the force of 1e-12 m only */
    laws_state(&all, -0.01, 1.0 + 2e-9, 0.0, 0.0, y);
    carom_compliant_event_values(&all.system, y, g);
    assert_close(g[0], -0.01, 1e-14, 0.0);
    assert_close(g[1], -2e-5 - 1e-6, 0.0, 1e-10);
    laws_state(&all, -0.01, -1.0, -0.2, 0.0, y);
    carom_compliant_apply_events(&all.system, 0.0, y, (const bool[]){false, true, false, false});
    ck_assert_int_eq(all.system.mode[0], CAROM_COMPLIANT_PRESSING);
    ck_assert(all.system.is_sliding[0]);
    carom_compliant_system_clear(&all.system);
}

/* --------------------------------------------------------------------------------------- errors */

TEST(errors, every_allocation_may_fail) {
    particle ball = {.dimension = 2, .mass = {2.385, 2.385, 0.0}, .lift = -9.81, .friction = 0.3};
    const carom_mechanism mechanism = particle_mechanism(&ball);
    const double k = 7.31e5;
    carom_compliant_params params = carom_compliant_params_default();
    params.stiffness = &k;
    int failures = 0;
    carom_compliant_run *run = NULL;
    for (;;) {
        successes_left = failures;
        const carom_status status =
            carom_compliant_simulate(&mechanism, &params, (const double[]){0.0, 0.0},
                                     (const double[]){-1.79, 0.31}, &run, NULL);
        successes_left = -1;
        if (status == CAROM_OK) {
            break;
        }
        ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
        ck_assert_ptr_null(run);
        failures++;
    }
    /* arrays of the system, the run, the integrator and its step */
    ck_assert(failures > 12);
    ck_assert(run->has_stopped);
    carom_compliant_run_free(run);
}

TEST(errors, nothing_is_freed_without_complaint) {
    carom_compliant_run_free(NULL);
    carom_compliant_integrator_free(NULL);
    carom_compliant_system system;
    memset(&system, 0, sizeof system);
    carom_compliant_system_clear(&system);
}
