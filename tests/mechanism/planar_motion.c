/* carom/mechanism/planar_tree.h: trees in free motion keep what mechanics says they keep. */
#include <carom/mechanism/planar_tree.h>

#include "../support.h"

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_odeiv2.h>
#include <string.h>

enum { MOST_COORDINATES = 8 };

/* Local errors of 1e-13 a step, over some thousand steps of a motion that stretches them. */
static const double STEP_ERROR = 1e-13;
static const double DRIFT = 1e-9;

/** y = (q, v), M(q) v' = f(q, v). */
static int equations_of_motion(double t, const double *y, double *y_dot, void *context) {
    const carom_mechanism *mechanism = context;
    const size_t n = (size_t)mechanism->coordinate_count;
    double M[MOST_COORDINATES * MOST_COORDINATES];
    double f[MOST_COORDINATES];
    mechanism->mass(y, M, mechanism->context);
    mechanism->force(t, y, y + n, f, mechanism->context);
    gsl_matrix_view factor = gsl_matrix_view_array(M, n, n);
    gsl_vector_view right_side = gsl_vector_view_array(f, n);
    int code = gsl_linalg_cholesky_decomp1(&factor.matrix);
    if (code == GSL_SUCCESS) {
        code = gsl_linalg_cholesky_svx(&factor.matrix, &right_side.vector);
    }
    memcpy(y_dot, y + n, n * sizeof(double));
    memcpy(y_dot + n, f, n * sizeof(double));
    return code;
}

/** Follow a motion from 0 to t_end, state y [2n] in place. */
static void integrate(const carom_mechanism *mechanism, double t_end, double *y) {
    carom_mechanism copy = *mechanism;
    gsl_odeiv2_system system = {equations_of_motion, NULL, (size_t)(2 * copy.coordinate_count),
                                &copy};
    gsl_odeiv2_driver *driver =
        gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rkf45, 1e-3, STEP_ERROR, STEP_ERROR);
    ck_assert_ptr_nonnull(driver);
    double t = 0.0;
    ck_assert_int_eq(gsl_odeiv2_driver_apply(driver, &t, t_end, y), GSL_SUCCESS);
    gsl_odeiv2_driver_free(driver);
}

static double total_energy(const carom_mechanism *mechanism, const double *y) {
    double work[MOST_COORDINATES * (MOST_COORDINATES + 1)];
    return carom_mechanism_kinetic_energy(mechanism, y, y + mechanism->coordinate_count, work) +
           mechanism->potential_energy(y, mechanism->context);
}

TEST(property, a_free_double_pendulum_keeps_its_energy) {
    const carom_planar_body bodies[2] = {
        carom_planar_revolute(-1, 0.0, 0.0, carom_planar_rod(1.37, 0.93)),
        carom_planar_revolute(0, 0.0, -0.93, carom_planar_rod(0.84, 1.21)),
    };
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.body_count = 2;
    spec.bodies = bodies;
    carom_planar_tree *tree = NULL;
    assert_ok(carom_planar_tree_alloc(&spec, &tree, NULL));
    const carom_mechanism *mechanism = carom_planar_tree_mechanism(tree);
    double y[4] = {2.1, -1.37, 1.72, -0.93};
    const double energy = total_energy(mechanism, y);
    integrate(mechanism, 4.0, y);
    assert_close(total_energy(mechanism, y), energy, 0.0, DRIFT);
    ck_assert(fabs(y[0] - 2.1) > 0.1);
    carom_planar_tree_free(tree);
}

/** Momentum, centre of mass and moment of momentum about the origin, body by body. */
typedef struct totals {
    double mass;
    double center[2];
    double momentum[2];
    double moment;
} totals;

static totals sum_bodies(const carom_planar_tree *tree, const double *y) {
    const int n = carom_planar_tree_mechanism(tree)->coordinate_count;
    totals sum = {0};
    for (int i = 0; i < carom_planar_tree_body_count(tree); i++) {
        const carom_planar_shape *shape = &carom_planar_tree_body(tree, i)->shape;
        const double origin[2] = {0.0, 0.0};
        const double ahead[2] = {1.0, 0.0};
        double r[2];
        double u[2];
        double place[2][2];
        double velocity[2][2];
        carom_planar_tree_point(tree, y, y + n, i, shape->center, r, u);
        carom_planar_tree_point(tree, y, y + n, i, origin, place[0], velocity[0]);
        carom_planar_tree_point(tree, y, y + n, i, ahead, place[1], velocity[1]);
        /* rate of rotation from two points one metre apart */
        const double rate = (place[1][0] - place[0][0]) * (velocity[1][1] - velocity[0][1]) -
                            (place[1][1] - place[0][1]) * (velocity[1][0] - velocity[0][0]);
        sum.mass += shape->mass;
        for (int k = 0; k < 2; k++) {
            sum.center[k] += shape->mass * r[k];
            sum.momentum[k] += shape->mass * u[k];
        }
        sum.moment += shape->mass * (r[0] * u[1] - r[1] * u[0]) + shape->inertia * rate;
    }
    return sum;
}

/** A floating box with an arm of two links, one sliding on the other, and a ballast. */
static void arm_make(carom_planar_tree **tree, double g_x, double g_y) {
    const carom_planar_body bodies[4] = {
        carom_planar_floating(carom_planar_box(2.1, 0.5, 0.8)),
        carom_planar_revolute(0, 0.2, -0.3, carom_planar_rod(0.9, 0.7)),
        carom_planar_prismatic(1, 0.0, -0.7, 0.4, carom_planar_disc(0.6, 0.2)),
        carom_planar_fixed(2, 0.3, 0.1, carom_planar_point_mass(0.35, 0.1, -0.2)),
    };
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.body_count = 4;
    spec.bodies = bodies;
    spec.gravity[0] = g_x;
    spec.gravity[1] = g_y;
    assert_ok(carom_planar_tree_alloc(&spec, tree, NULL));
}

static const double ARM_START[10] = {0.1, 0.2, 0.5, -0.8, 0.15, 0.7, -0.4, 1.3, -2.2, 0.9};

TEST(property, a_floating_arm_without_gravity_keeps_momentum_and_moment_of_momentum) {
    carom_planar_tree *tree = NULL;
    arm_make(&tree, 0.0, 0.0);
    double y[10];
    memcpy(y, ARM_START, sizeof(y));
    const totals before = sum_bodies(tree, y);
    const double energy = total_energy(carom_planar_tree_mechanism(tree), y);
    integrate(carom_planar_tree_mechanism(tree), 1.5, y);
    const totals after = sum_bodies(tree, y);
    for (int k = 0; k < 2; k++) {
        assert_close(after.momentum[k], before.momentum[k], 0.0, DRIFT);
    }
    assert_close(after.moment, before.moment, 0.0, DRIFT);
    assert_close(total_energy(carom_planar_tree_mechanism(tree), y), energy, 0.0, DRIFT);
    ck_assert(fabs(y[3] - ARM_START[3]) > 0.1);
    carom_planar_tree_free(tree);
}

TEST(property, the_center_of_mass_of_a_thrown_arm_follows_a_parabola) {
    const double g[2] = {1.7, -8.3};
    const double t = 1.5;
    carom_planar_tree *tree = NULL;
    arm_make(&tree, g[0], g[1]);
    double y[10];
    memcpy(y, ARM_START, sizeof(y));
    const totals before = sum_bodies(tree, y);
    integrate(carom_planar_tree_mechanism(tree), t, y);
    const totals after = sum_bodies(tree, y);
    for (int k = 0; k < 2; k++) {
        const double expected =
            before.center[k] + before.momentum[k] * t + 0.5 * before.mass * g[k] * t * t;
        assert_close(after.center[k], expected, 0.0, DRIFT);
    }
    carom_planar_tree_free(tree);
}
