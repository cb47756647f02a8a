/* The biped with an armed standing torso of pankov-2024 section 6. Expected values: the paper's
 * (44), (45), reference tables A.5 and A.6 (tests/collisionless/motion/motion_cases.h), and the
 * masses and places of the points. */
#include "../failing_malloc.h"
#include "../support.h"

#include <carom/base/linear_algebra.h>
#include <carom/base/random.h>
#include <carom/mechanism/mechanism.h>
#include <carom/models/armed_biped.h>

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_sort_vector.h>

enum { MOST_LINKS = 4, MOST = MOST_LINKS + 2, RANDOM_CASES = 40 };

/* Rounding of some tens of operations on numbers of order one to ten. */
static const double ROUNDING = 1e-13;
/* Half a unit of the sixth decimal place of A.5. */
static const double SIX_DECIMALS = 5.1e-7;

/* A biped that owns its arrays. */
typedef struct biped {
    carom_armed_biped_params params;
    int n;
    double lengths[MOST];
    double masses[MOST + 1];
} biped;

static double random_in(unsigned long seed, unsigned long dimension, double low, double high) {
    return low + (high - low) * carom_counter_uniform(11, seed, dimension);
}

/* Any number of links, with and without an arm, one coordinate at least `least`. */
static biped *random_biped(unsigned long seed, int least) {
    static biped b;
    b.params.has_arm = seed % 2 == 0;
    b.params.torso_count = (int)(seed / 2) % (MOST_LINKS + 1);
    b.n = carom_armed_biped_coordinate_count(&b.params);
    if (b.n < least) {
        b.params.torso_count = 2;
        b.n = carom_armed_biped_coordinate_count(&b.params);
    }
    for (unsigned long i = 0; i < MOST; i++) {
        b.lengths[i] = random_in(seed, i, 0.5, 1.5);
    }
    for (unsigned long i = 0; i <= MOST; i++) {
        b.masses[i] = random_in(seed, 20 + i, 0.5, 2.0);
    }
    b.params.lengths = b.lengths;
    b.params.masses = b.masses;
    b.params.gravity = random_in(seed, 40, 0.5, 2.0);
    b.params.half_step_angle = random_in(seed, 41, 0.05, 0.6);
    return &b;
}

/* A state far from any equilibrium, the other foot off the ground or not, and accelerations. */
static void random_state(const biped *b, unsigned long seed, double *q, double *v, double *a) {
    for (int j = 0; j < b->n; j++) {
        const unsigned long d = (unsigned long)j;
        q[j] = random_in(seed, 50 + d, -0.8, 0.8);
        v[j] = random_in(seed, 60 + d, -1.0, 1.0);
        a[j] = random_in(seed, 70 + d, -1.0, 1.0);
    }
    if (b->n > 0 && b->params.has_arm) {
        q[0] += M_PI;
    }
}

static double total_mass(const biped *b) {
    double total = 2.0 * b->masses[0];
    for (int i = 1; i <= b->n; i++) {
        total += b->masses[i];
    }
    return total;
}

static carom_model *model_of(const carom_armed_biped_params *params) {
    carom_model *model = NULL;
    assert_ok(carom_armed_biped_alloc(params, &model, NULL));
    return model;
}

/* Mass of a point in the order of carom_armed_biped_points. */
static double point_mass(const biped *b, int point) {
    return point == 0 || point == b->n + 1 ? b->masses[0] : b->masses[point];
}

/* Accelerations from M a = f, of the free biped or with the leg held at rest. */
typedef struct motion {
    const carom_mechanism *mechanism;
    bool is_leg_held;
    carom_factor *factor;
    double M[MOST * MOST];
} motion;

static int rates(double t, const double *y, double *dydt, void *context) {
    motion *m = context;
    const int n = m->mechanism->coordinate_count;
    const int leg = n - 1;
    double *a = dydt + n;
    m->mechanism->mass(y, m->M, m->mechanism->context);
    m->mechanism->force(t, y, y + n, a, m->mechanism->context);
    if (m->is_leg_held) {
        for (int j = 0; j < n; j++) {
            m->M[leg * n + j] = j == leg ? 1.0 : 0.0;
            m->M[j * n + leg] = j == leg ? 1.0 : 0.0;
        }
        a[leg] = 0.0;
    }
    for (int j = 0; j < n; j++) {
        dydt[j] = y[n + j];
    }
    if (carom_factor_compute(m->factor, m->M) != CAROM_OK) {
        return GSL_EFAILED;
    }
    carom_factor_solve(m->factor, a);
    return GSL_SUCCESS;
}

static motion motion_of(const carom_mechanism *mechanism, bool is_leg_held) {
    motion m = {.mechanism = mechanism, .is_leg_held = is_leg_held};
    for (int i = 0; i < MOST * MOST; i++) {
        m.M[i] = (double)NAN;
    }
    assert_ok(carom_factor_alloc(mechanism->layout, &m.factor));
    return m;
}

/* Follow the motion through `steps` equal times, looking at each state. */
static void follow(motion *m, double duration, int steps, double *y,
                   void (*look)(motion *m, const double *y, void *context), void *context) {
    const size_t size = 2 * (size_t)m->mechanism->coordinate_count;
    gsl_odeiv2_system system = {.function = rates, .dimension = size, .params = m};
    gsl_odeiv2_driver *driver =
        gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-3, 1e-13, 1e-13);
    ck_assert_ptr_nonnull(driver);
    double t = 0.0;
    for (int i = 1; i <= steps; i++) {
        look(m, y, context);
        ck_assert_int_eq(gsl_odeiv2_driver_apply(driver, &t, duration * i / steps, y), GSL_SUCCESS);
    }
    look(m, y, context);
    gsl_odeiv2_driver_free(driver);
}

TEST(unit, unit_biped_has_the_matrices_of_the_paper) {
    const carom_armed_biped_params params = carom_armed_biped_params_default();
    double m[9] = {(double)NAN};
    double k[9] = {(double)NAN};
    double equilibrium[3] = {(double)NAN};
    carom_armed_biped_statics statics = {(double)NAN, (double)NAN, (double)NAN};
    assert_ok(carom_armed_biped_linear(&params, m, k, equilibrium, &statics, NULL));
    const double expected_m[9] = {1.0, -1.0, -1.0, -1.0, 2.0, 2.0, -1.0, 2.0, 3.0};
    const double expected_k[9] = {1.0, 0.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, -3.0};
    for (int i = 0; i < 9; i++) {
        assert_close(m[i], expected_m[i], 0.0, 0.0);
        assert_close(k[i], expected_k[i], 0.0, 0.0);
    }
    const double theta = params.half_step_angle;
    assert_close(statics.lean, 2.0 / 3.0 * theta, ROUNDING, 0.0);
    assert_close(statics.contact_level, -5.0 / 3.0 * theta, ROUNDING, 0.0);
    assert_close(statics.contact_force, 5.0 * theta, ROUNDING, 0.0);
    assert_close(equilibrium[0], M_PI, 0.0, 0.0);
    assert_close(equilibrium[1], 0.0, 0.0, 0.0);
    assert_close(equilibrium[2], statics.lean, 0.0, 0.0);
}

/* (44), (45) with letters; the force from the torques about the stance foot. */
TEST(unit, uneven_masses_follow_the_formulas_of_the_paper) {
    const double l = 0.837;
    const double g = 9.731;
    const double theta = 0.0713;
    const double m0 = 0.391;
    const double m1 = 2.385;
    const double m2 = 1.713;
    const double m3 = 3.147;
    const double lengths[3] = {l, l, l};
    const double masses[4] = {m0, m3, m2, m1};
    const carom_armed_biped_params params = {1, true, lengths, masses, g, theta};
    double m[9] = {(double)NAN};
    double k[9] = {(double)NAN};
    double equilibrium[3] = {(double)NAN};
    carom_armed_biped_statics statics = {(double)NAN, (double)NAN, (double)NAN};
    assert_ok(carom_armed_biped_linear(&params, m, k, equilibrium, &statics, NULL));
    const double expected_m[9] = {m1, -m1, -m1, -m1, m1 + m2, m1 + m2, -m1, m1 + m2, m1 + m2 + m3};
    const double expected_k[3] = {m1, -(m1 + m2), -(m1 + m2 + m3)};
    for (int i = 0; i < 9; i++) {
        assert_close(m[i], l * l * expected_m[i], ROUNDING, 0.0);
        assert_close(k[i], i % 4 == 0 ? g * l * expected_k[i / 4] : 0.0, ROUNDING, 0.0);
    }
    const double mt = 2.0 * m0 + m1 + m2 + m3;
    assert_close(statics.lean, theta * 2.0 * m0 / (mt - 2.0 * m0), ROUNDING, 0.0);
    assert_close(statics.contact_level, -theta * mt / (mt - 2.0 * m0), ROUNDING, 0.0);
    assert_close(statics.contact_force, theta * mt * g * l, ROUNDING, 0.0);
}

/* Eigenvalues of k v = lambda m v in a leading block of the given size, ascending. */
static void spectrum(const double *m, const double *k, size_t n, size_t size, double *lambda) {
    gsl_matrix *A = gsl_matrix_alloc(size, size);
    gsl_matrix *B = gsl_matrix_alloc(size, size);
    gsl_vector *values = gsl_vector_alloc(size);
    gsl_eigen_gensymm_workspace *work = gsl_eigen_gensymm_alloc(size);
    for (size_t i = 0; i < size; i++) {
        for (size_t j = 0; j < size; j++) {
            gsl_matrix_set(A, i, j, k[i * n + j]);
            gsl_matrix_set(B, i, j, m[i * n + j]);
        }
    }
    ck_assert_int_eq(gsl_eigen_gensymm(A, B, values, work), GSL_SUCCESS);
    gsl_sort_vector(values);
    for (size_t i = 0; i < size; i++) {
        lambda[i] = gsl_vector_get(values, i);
    }
    gsl_eigen_gensymm_free(work);
    gsl_vector_free(values);
    gsl_matrix_free(B);
    gsl_matrix_free(A);
}

TEST(unit, unit_biped_has_the_spectra_of_the_paper) {
    const carom_armed_biped_params params = carom_armed_biped_params_default();
    double m[9] = {(double)NAN};
    double k[9] = {(double)NAN};
    double equilibrium[3] = {(double)NAN};
    carom_armed_biped_statics statics = {(double)NAN, (double)NAN, (double)NAN};
    assert_ok(carom_armed_biped_linear(&params, m, k, equilibrium, &statics, NULL));
    double lambda[3] = {(double)NAN};
    spectrum(m, k, 3, 3, lambda);
    const double expected[3] = {-5.850284901586612, -0.673191369894797, 1.523476271481409};
    for (int i = 0; i < 3; i++) {
        const double L = lambda[i];
        assert_close(L, expected[i], 1e-14, 1e-14); /* fifteen decimals */
        assert_close(L * L * L + 5.0 * L * L - 6.0 * L - 6.0, 0.0, 0.0, ROUNDING);
    }
    spectrum(m, k, 3, 2, lambda);
    assert_close(lambda[0], -M_SQRT2, ROUNDING, 0.0);
    assert_close(lambda[1], M_SQRT2, ROUNDING, 0.0);
}

TEST(unit, points_of_figure_six_are_those_of_the_reference) {
    const carom_armed_biped_params params = carom_armed_biped_params_default();
    const double configurations[3][3] = {
        {4.243134710, 0.253861115, 0.174495570}, {2.221707610, -0.25, -0.1}, {M_PI, 0.0, -0.1}};
    const double places[3][10] = {
        {0.0, 0.0, 0.173611, 0.984814, 0.424755, 1.952764, -0.467151, 1.500543, -0.192192,
         0.054122},
        {0.0, 0.0, -0.099833, 0.995004, -0.347237, 1.963917, 0.448295, 1.358005, -0.199667, 0.0},
        {0.0, 0.0, -0.099833, 0.995004, -0.099833, 1.995004, -0.099833, 0.995004, -0.199667, 0.0},
    };
    ck_assert_int_eq(carom_armed_biped_point_count(&params), 5);
    for (int i = 0; i < 3; i++) {
        double points[10];
        carom_armed_biped_points(&params, configurations[i], points);
        for (int j = 0; j < 10; j++) {
            assert_close(points[j], places[i][j], 0.0, SIX_DECIMALS);
        }
    }
}

TEST(unit, exact_equilibrium_on_one_foot_leans_as_the_formula_says) {
    const biped *b = random_biped(8, 2);
    carom_model *model = model_of(&b->params);
    const double theta = b->params.half_step_angle;
    const double above = total_mass(b) - 2.0 * b->masses[0];
    double q[MOST] = {M_PI};
    double v[MOST] = {0.0};
    double f[MOST] = {(double)NAN};
    q[b->n - 1] =
        atan2(b->masses[0] * sin(2.0 * theta), above + 2.0 * b->masses[0] * gsl_pow_2(sin(theta)));
    model->mechanism.force(0.0, q, v, f, model->mechanism.context);
    for (int j = 0; j < b->n; j++) {
        assert_close(f[j], 0.0, 0.0, ROUNDING);
    }
    carom_model_free(model);
}

/* What A.6 lists along the half cycle. */
typedef struct extremes {
    const carom_armed_biped_params *params;
    double least_vertical;
    double largest_other;
    carom_armed_biped_forces last;
    double last_acceleration;
} extremes;

static void look_at_forces(motion *m, const double *y, void *context) {
    extremes *e = context;
    double dydt[2 * MOST];
    ck_assert_int_eq(rates(0.0, y, dydt, m), GSL_SUCCESS);
    e->last_acceleration = dydt[5];
    e->last = carom_armed_biped_foot_forces(e->params, y, y + 3, dydt + 3);
    e->least_vertical = fmin(e->least_vertical, e->last.vertical);
    e->largest_other = fmax(e->largest_other, e->last.other_vertical);
}

/* The eight decimals of A.6 grow by exp(2.42 tau), 2e3 and 4e3 for these angles. */
TEST(unit, exact_gait_of_the_reference_starts_lands_and_ends_as_tabulated) {
    const double table[2][8] = {
        {0.01, 3.0894719039, 0.7759122616, 0.11066407, 0.02544575, 0.01748430, 0.5016, 0.9968},
        {0.05, 3.4195276577, 0.6875785539, 0.63247068, 0.13472209, 0.09222341, 0.5510, 0.9186}};
    for (int i = 0; i < 2; i++) {
        carom_armed_biped_params params = carom_armed_biped_params_default();
        const double theta = table[i][0];
        params.half_step_angle = theta;
        carom_model *model = model_of(&params);
        const double weight = 5.0;

        /* On one foot from P, at rest. */
        extremes e = {.params = &params, .least_vertical = HUGE_VAL};
        motion m = motion_of(&model->mechanism, false);
        double y[6] = {M_PI + table[i][3], table[i][4], table[i][5], 0.0, 0.0, 0.0};
        follow(&m, table[i][1], 200, y, look_at_forces, &e);
        assert_close(y[2], -theta, 0.0, 5e-5);
        assert_close(y[5], 0.0, 0.0, 5e-5);
        assert_close(e.last_acceleration, 0.0, 0.0, 2e-4);
        assert_close(e.least_vertical / weight, table[i][7], 0.0, 6e-5);
        assert_close(e.largest_other, 0.0, 0.0, 1e-12);

        /* On two feet to P': upright, the load shared. */
        m.is_leg_held = true;
        y[2] = -theta;
        y[5] = 0.0;
        e.largest_other = 0.0;
        follow(&m, table[i][2], 50, y, look_at_forces, &e);
        assert_close(y[0], M_PI, 0.0, 5e-4);
        assert_close(y[1], 0.0, 0.0, 5e-4);
        assert_close(e.last.other_vertical, e.largest_other, 0.0, 0.0);
        assert_close(e.largest_other / weight, table[i][6], 0.0, 2e-4);
        assert_close(e.last.stance_vertical, e.last.other_vertical, 0.0, 5e-4 * weight);
        carom_factor_free(m.factor);
        carom_model_free(model);
    }
}

TEST(unit, model_stands_upright_on_two_feet_with_one_plastic_contact) {
    const carom_armed_biped_params params = carom_armed_biped_params_default();
    carom_model *model = model_of(&params);
    const double expected[3] = {M_PI, 0.0, -0.1};
    ck_assert_int_eq(model->mechanism.coordinate_count, 3);
    ck_assert_int_eq(model->mechanism.joint_count, 0);
    ck_assert_int_eq(model->mechanism.contact_count, 1);
    ck_assert_int_eq(model->mechanism.tangent_count, 0);
    assert_close(model->mechanism.restitution[0], 0.0, 0.0, 0.0);
    for (int j = 0; j < 3; j++) {
        assert_close(model->initial_position[j], expected[j], 0.0, 0.0);
        assert_close(model->initial_velocity[j], 0.0, 0.0, 0.0);
    }
    carom_model_free(model);
}

TEST(unit, parameters_are_copied) {
    biped b = *random_biped(4, 2);
    b.params.lengths = b.lengths;
    b.params.masses = b.masses;
    carom_model *model = model_of(&b.params);
    const double q[MOST] = {0.3, -0.2, 0.1, 0.4, 0.2, 0.1};
    const double before = model->mechanism.potential_energy(q, model->mechanism.context);
    for (int i = 0; i < MOST; i++) {
        b.lengths[i] = (double)NAN;
        b.masses[i] = (double)NAN;
    }
    const double after = model->mechanism.potential_energy(q, model->mechanism.context);
    assert_close(after, before, 0.0, 0.0);
    carom_model_free(model);
}

TEST(property, derivatives_agree_with_finite_differences) {
    for (unsigned long seed = 0; seed < RANDOM_CASES; seed++) {
        const biped *b = random_biped(seed, 1);
        carom_model *model = model_of(&b->params);
        double q[MOST];
        double v[MOST];
        double a[MOST];
        random_state(b, seed, q, v, a);
        assert_ok(carom_mechanism_validate(&model->mechanism, 0.0, q, v, NULL));
        assert_ok(carom_mechanism_check(&model->mechanism, 0.0, q, v, 1e-6, seed, NULL));
        carom_model_free(model);
    }
}

/* m and k are those of the exact equations up to theta^2, the force on x of order theta up to
 * theta^3, with constants of order ten. */
TEST(property, harmonic_limit_is_that_of_the_exact_equations) {
    const double theta = 1e-4;
    for (unsigned long seed = 0; seed < RANDOM_CASES; seed++) {
        biped *b = random_biped(seed, 2);
        b->params.half_step_angle = theta;
        const int n = b->n;
        double m[MOST * MOST];
        double k[MOST * MOST];
        double q[MOST];
        carom_armed_biped_statics statics;
        assert_ok(carom_armed_biped_linear(&b->params, m, k, q, &statics, NULL));
        carom_model *model = model_of(&b->params);
        const carom_mechanism *exact = &model->mechanism;
        double v[MOST] = {0.0};
        double M[MOST * MOST];
        double K[MOST * MOST];
        exact->mass(q, M, exact->context);
        exact->stiffness(0.0, q, v, K, exact->context);
        const double scale = 10.0 * m[n * n - 1];
        for (int i = 0; i < n * n; i++) {
            assert_close(M[i], m[i], 0.0, scale * theta * theta);
            assert_close(K[i], k[i], 0.0, scale * theta * theta);
        }

        double x[MOST];
        double f[MOST];
        for (int j = 0; j < n; j++) {
            x[j] = theta * random_in(seed, 80 + (unsigned long)j, -1.0, 1.0);
            q[j] += x[j];
        }
        exact->force(0.0, q, v, f, exact->context);
        for (int j = 0; j < n; j++) {
            assert_close(f[j], -k[j * n + j] * x[j], 0.0, scale * 10.0 * gsl_pow_3(theta) + 1e-14);
        }

        /* The contact: the level where both feet stand, and what the ground then carries. */
        assert_close(statics.lean + statics.contact_level, -theta, ROUNDING, 0.0);
        const double still[MOST] = {0.0};
        const carom_armed_biped_forces forces =
            carom_armed_biped_foot_forces(&b->params, model->initial_position, still, still);
        assert_close(forces.contact_torque, statics.contact_force, theta * theta, 0.0);
        carom_model_free(model);
    }
}

/* for any links: m x'' + k x = 0 with both feet down and no acceleration of the leg ties the
 * link above the leg to it. */
TEST(property, impact_fixes_the_angle_of_the_link_above_the_leg) {
    for (unsigned long seed = 0; seed < RANDOM_CASES; seed++) {
        const biped *b = random_biped(seed, 2);
        const int n = b->n;
        double m[MOST * MOST];
        double k[MOST * MOST];
        double equilibrium[MOST];
        carom_armed_biped_statics statics;
        assert_ok(carom_armed_biped_linear(&b->params, m, k, equilibrium, &statics, NULL));
        const double above_feet = total_mass(b) - 2.0 * b->masses[0];
        double a[MOST];
        for (int j = 0; j < n; j++) {
            a[j] = -k[j * n + j] * random_in(seed, 80 + (unsigned long)j, -1.0, 1.0);
        }
        a[n - 2] = -k[(n - 2) * n + n - 2] * statics.contact_level * above_feet /
                   (above_feet - b->masses[1]);
        a[n - 1] = -k[n * n - 1] * statics.contact_level;
        carom_factor *factor = NULL;
        assert_ok(carom_factor_alloc(carom_layout_full(n), &factor));
        assert_ok(carom_factor_compute(factor, m));
        carom_factor_solve(factor, a);
        assert_close(a[n - 1], 0.0, 0.0, 1e-11); /* condition of m up to 1e3 */
        carom_factor_free(factor);
    }
}

/* Places of the points at q + h v + h^2 a / 2. */
static void points_after(const biped *b, const double *q, const double *v, const double *a,
                         double h, double *points) {
    double moved[MOST];
    for (int j = 0; j < b->n; j++) {
        moved[j] = q[j] + h * v[j] + 0.5 * h * h * a[j];
    }
    carom_armed_biped_points(&b->params, moved, points);
}

/* Differences of places are good to h^2 and, twice, to rounding/h^2. */
TEST(property, energies_gap_and_forces_are_those_of_the_moving_points) {
    const double h = 1e-4;
    for (unsigned long seed = 0; seed < RANDOM_CASES; seed++) {
        const biped *b = random_biped(seed, 1);
        const int n = b->n;
        const double g = b->params.gravity;
        carom_model *model = model_of(&b->params);
        const carom_mechanism *mechanism = &model->mechanism;
        double q[MOST];
        double v[MOST];
        double a[MOST];
        random_state(b, seed, q, v, a);
        double here[2 * (MOST + 2)];
        double before[2 * (MOST + 2)];
        double after[2 * (MOST + 2)];
        ck_assert_int_eq(carom_armed_biped_point_count(&b->params), n + 2);
        points_after(b, q, v, a, 0.0, here);
        points_after(b, q, v, a, -h, before);
        points_after(b, q, v, a, h, after);

        double kinetic = 0.0;
        double potential = 0.0;
        double force[2] = {0.0, g * total_mass(b)};
        for (int i = 0; i < 2 * (n + 2); i++) {
            const double mass = point_mass(b, i / 2);
            kinetic += 0.5 * mass * gsl_pow_2((after[i] - before[i]) / (2.0 * h));
            force[i % 2] += mass * (after[i] - 2.0 * here[i] + before[i]) / (h * h);
            potential += i % 2 == 1 ? g * mass * here[i] : 0.0;
        }
        double work[MOST * MOST + MOST];
        assert_close(carom_mechanism_kinetic_energy(mechanism, q, v, work), kinetic, 1e-6, 1e-6);
        assert_close(mechanism->potential_energy(q, mechanism->context), potential, 0.0, ROUNDING);
        double gap = (double)NAN;
        mechanism->constraints(q, &gap, mechanism->context);
        assert_close(gap, here[2 * n + 3], 0.0, ROUNDING);
        const carom_armed_biped_forces forces = carom_armed_biped_foot_forces(&b->params, q, v, a);
        assert_close(forces.horizontal, force[0], 0.0, 1e-5);
        assert_close(forces.vertical, force[1], 0.0, 1e-5);

        /* The equation of motion of the leg, and the contact Jacobian. */
        double M[MOST * MOST];
        double f[MOST];
        double G[MOST];
        mechanism->mass(q, M, mechanism->context);
        mechanism->force(0.0, q, v, f, mechanism->context);
        mechanism->constraint_jacobian(q, G, mechanism->context);
        double torque = -f[n - 1];
        for (int j = 0; j < n; j++) {
            torque += M[(n - 1) * n + j] * a[j];
        }
        assert_close(forces.contact_torque, torque, 0.0, 10.0 * ROUNDING);
        assert_close(G[n - 1] * forces.other_vertical, torque, 0.0, 10.0 * ROUNDING);
        assert_close(forces.stance_vertical + forces.other_vertical, forces.vertical, 0.0,
                     100.0 * ROUNDING);
        carom_model_free(model);
    }
}

typedef struct first_energy {
    const biped *b;
    double energy;
} first_energy;

static void look_at_energy(motion *m, const double *y, void *context) {
    first_energy *first = context;
    const int n = first->b->n;
    double work[MOST * MOST + MOST];
    double dydt[2 * MOST];
    const double energy = carom_mechanism_kinetic_energy(m->mechanism, y, y + n, work) +
                          m->mechanism->potential_energy(y, m->mechanism->context);
    if (isnan(first->energy)) {
        first->energy = energy;
    }
    assert_close(energy, first->energy, 1e-11, 1e-11); /* tolerance of the integrator, 1e-13 */

    /* One foot carries all, and no torque is left for the other one. */
    ck_assert_int_eq(rates(0.0, y, dydt, m), GSL_SUCCESS);
    const carom_armed_biped_forces forces =
        carom_armed_biped_foot_forces(&first->b->params, y, y + n, dydt + n);
    assert_close(forces.contact_torque, 0.0, 0.0, 1e-11); /* condition of M up to 1e3 */
}

TEST(property, energy_is_kept_and_the_other_foot_is_free_in_flight) {
    for (unsigned long seed = 0; seed < 10; seed++) {
        const biped *b = random_biped(seed, 1);
        carom_model *model = model_of(&b->params);
        motion m = motion_of(&model->mechanism, false);
        double y[2 * MOST];
        double a[MOST];
        random_state(b, seed, y, y + b->n, a);
        first_energy first = {b, (double)NAN};
        follow(&m, 1.0, 10, y, look_at_energy, &first);
        carom_factor_free(m.factor);
        carom_model_free(model);
    }
}

TEST(property, standing_still_on_two_feet_shares_the_weight_equally) {
    for (unsigned long seed = 0; seed < RANDOM_CASES; seed++) {
        const biped *b = random_biped(seed, 1);
        carom_model *model = model_of(&b->params);
        const double weight = b->params.gravity * total_mass(b);
        const double still[MOST] = {0.0};
        const double *q = model->initial_position;
        const carom_armed_biped_forces forces =
            carom_armed_biped_foot_forces(&b->params, q, still, still);
        assert_close(forces.vertical, weight, ROUNDING, 0.0);
        assert_close(forces.stance_vertical, 0.5 * weight, ROUNDING, 0.0);
        assert_close(forces.other_vertical, 0.5 * weight, ROUNDING, 0.0);
        assert_close(forces.horizontal, 0.0, 0.0, 0.0);

        /* It is the equilibrium of the biped whose leg is held: no force on any other link. */
        double f[MOST] = {(double)NAN};
        double gap = (double)NAN;
        model->mechanism.force(0.0, q, model->initial_velocity, f, model->mechanism.context);
        model->mechanism.constraints(q, &gap, model->mechanism.context);
        for (int j = 0; j + 1 < b->n; j++) {
            assert_close(f[j], 0.0, 0.0, ROUNDING);
        }
        assert_close(gap, 0.0, 0.0, ROUNDING);
        carom_model_free(model);
    }
}

TEST(property, mirrored_twice_is_the_same_state) {
    for (unsigned long seed = 0; seed < RANDOM_CASES; seed++) {
        const biped *b = random_biped(seed, 1);
        double q[MOST];
        double v[MOST];
        double a[MOST];
        random_state(b, seed, q, v, a);
        double mirrored_q[MOST];
        double mirrored_v[MOST];
        for (int j = 0; j < b->n; j++) {
            mirrored_q[j] = q[j];
            mirrored_v[j] = v[j];
        }
        carom_armed_biped_mirror(&b->params, mirrored_q, mirrored_v);
        if (b->params.has_arm) {
            assert_close(mirrored_q[0], 2.0 * M_PI - q[0], ROUNDING, 0.0);
        }
        assert_close(mirrored_q[b->n - 1], -(q[b->n - 1] + 2.0 * b->params.half_step_angle),
                     ROUNDING, 0.0);
        carom_armed_biped_mirror(&b->params, mirrored_q, mirrored_v);
        for (int j = 0; j < b->n; j++) {
            assert_close(mirrored_q[j], q[j], 0.0, ROUNDING);
            assert_close(mirrored_v[j], v[j], 0.0, 0.0);
        }
    }
}

/* On both feet: the image has its places seen from the other foot, the same energies and the
 * reflected forces with the feet exchanged. */
TEST(property, mirror_image_on_two_feet_is_the_same_body) {
    for (unsigned long seed = 0; seed < RANDOM_CASES; seed++) {
        const biped *b = random_biped(seed, 1);
        const int n = b->n;
        carom_model *model = model_of(&b->params);
        motion m = motion_of(&model->mechanism, true);
        double y[2 * MOST];
        double a[MOST];
        random_state(b, seed, y, y + n, a);
        y[n - 1] = -b->params.half_step_angle;
        y[2 * n - 1] = 0.0;

        double points[2][2 * (MOST + 2)];
        double energy[2];
        carom_armed_biped_forces forces[2];
        for (int i = 0; i < 2; i++) {
            double work[MOST * MOST + MOST];
            double dydt[2 * MOST];
            carom_armed_biped_points(&b->params, y, points[i]);
            energy[i] = carom_mechanism_kinetic_energy(m.mechanism, y, y + n, work) +
                        m.mechanism->potential_energy(y, m.mechanism->context);
            ck_assert_int_eq(rates(0.0, y, dydt, &m), GSL_SUCCESS);
            forces[i] = carom_armed_biped_foot_forces(&b->params, y, y + n, dydt + n);
            carom_armed_biped_mirror(&b->params, y, y + n);
        }
        const double distance = -points[0][2 * n + 2];
        for (int point = 1; point <= n; point++) {
            const double *here = points[0] + 2 * point;
            const double *image = points[1] + 2 * point;
            assert_close(image[0], -(here[0] + distance), 0.0, ROUNDING);
            assert_close(image[1], here[1], 0.0, ROUNDING);
        }
        assert_close(energy[1], energy[0], ROUNDING, ROUNDING);
        /* Accelerations of the links, and forces, to the condition of M. */
        assert_close(forces[1].horizontal, -forces[0].horizontal, 0.0, 1e-10);
        assert_close(forces[1].vertical, forces[0].vertical, 0.0, 1e-10);
        assert_close(forces[1].stance_vertical, forces[0].other_vertical, 0.0, 1e-10);
        assert_close(forces[1].other_vertical, forces[0].stance_vertical, 0.0, 1e-10);
        carom_factor_free(m.factor);
        carom_model_free(model);
    }
}

static void assert_refused(const carom_armed_biped_params *params, carom_status expected,
                           const char *quantity, int index) {
    carom_report report = carom_report_empty();
    ck_assert_int_eq(carom_armed_biped_check(params, &report), expected);
    ck_assert_str_eq(report.quantity, quantity);
    ck_assert_int_eq(report.index, index);
    carom_model *model = (carom_model *)&report;
    ck_assert_int_eq(carom_armed_biped_alloc(params, &model, NULL), expected);
    ck_assert_ptr_null(model);
    double m[9] = {0.0};
    double k[9] = {0.0};
    double equilibrium[3] = {0.0};
    carom_armed_biped_statics statics = {0.0, 0.0, 0.0};
    ck_assert_int_eq(carom_armed_biped_linear(params, m, k, equilibrium, &statics, NULL), expected);
    ck_assert(isnan(statics.lean) && isnan(statics.contact_level) && isnan(statics.contact_force));
    for (int i = 0; i < 9 && params->torso_count >= 0; i++) {
        ck_assert(isnan(m[i]) && isnan(k[i]) && isnan(equilibrium[i / 3]));
    }
}

TEST(errors, what_is_no_biped_is_refused_by_name_and_index) {
    const double values[4] = {0.0, -1.0, (double)NAN, (double)INFINITY};
    for (int wrong = 0; wrong < 4; wrong++) {
        const carom_status expected =
            wrong < 2 ? CAROM_STATUS_OUT_OF_RANGE : CAROM_STATUS_NOT_FINITE;
        carom_armed_biped_params params = carom_armed_biped_params_default();
        params.gravity = values[wrong];
        assert_refused(&params, expected, "gravity", -1);
        params = carom_armed_biped_params_default();
        params.half_step_angle = values[wrong];
        assert_refused(&params, expected, "half step angle", -1);
        for (int i = 0; i < 3; i++) {
            double lengths[3] = {0.7, 0.8, 0.9};
            params = carom_armed_biped_params_default();
            params.lengths = lengths;
            lengths[i] = values[wrong];
            assert_refused(&params, expected, "length", i);
        }
        for (int i = wrong == 0 ? 1 : 0; i < 4; i++) {
            double masses[4] = {0.7, 0.8, 0.9, 1.1};
            params = carom_armed_biped_params_default();
            params.masses = masses;
            masses[i] = values[wrong];
            assert_refused(&params, expected, "mass", i);
        }
    }
    carom_armed_biped_params params = carom_armed_biped_params_default();
    params.half_step_angle = M_PI_2;
    assert_refused(&params, CAROM_STATUS_OUT_OF_RANGE, "half step angle", -1);
    params = carom_armed_biped_params_default();
    params.torso_count = -1;
    assert_refused(&params, CAROM_STATUS_OUT_OF_RANGE, "torso count", -1);
}

TEST(errors, massless_feet_and_legs_without_a_torso_are_bipeds) {
    const double masses[4] = {0.0, 0.8, 0.9, 1.1};
    carom_armed_biped_params params = carom_armed_biped_params_default();
    params.masses = masses;
    double m[9] = {(double)NAN};
    double k[9] = {(double)NAN};
    double equilibrium[3] = {(double)NAN};
    carom_armed_biped_statics statics = {(double)NAN, (double)NAN, (double)NAN};
    assert_ok(carom_armed_biped_linear(&params, m, k, equilibrium, &statics, NULL));
    assert_close(statics.lean, 0.0, 0.0, 0.0);
    assert_close(statics.contact_level, -params.half_step_angle, ROUNDING, 0.0);
    params = carom_armed_biped_params_default();
    params.torso_count = 0;
    params.has_arm = false;
    ck_assert_int_eq(carom_armed_biped_coordinate_count(&params), 1);
    assert_ok(carom_armed_biped_check(&params, NULL));
}

TEST(errors, legs_alone_have_no_linear_problem) {
    carom_armed_biped_params params = carom_armed_biped_params_default();
    params.torso_count = 0;
    params.has_arm = false;
    carom_report report = carom_report_empty();
    double m = 0.0;
    double k = 0.0;
    double equilibrium = 0.0;
    carom_armed_biped_statics statics = {0.0, 0.0, 0.0};
    assert_status(carom_armed_biped_linear(&params, &m, &k, &equilibrium, &statics, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "coordinate count");
    assert_close(report.value, 1.0, 0.0, 0.0);
    ck_assert(isnan(m) && isnan(k) && isnan(equilibrium) && isnan(statics.lean));
}

TEST(errors, memory_that_runs_out_is_reported_and_nothing_leaks) {
    const carom_armed_biped_params params = carom_armed_biped_params_default();
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int allowed = 0;
    for (; status != CAROM_OK; allowed++) {
        carom_model *model = NULL;
        successes_left = allowed;
        status = carom_armed_biped_alloc(&params, &model, NULL);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_ptr_null(model);
        }
        carom_model_free(model);
    }
    ck_assert_int_gt(allowed, 1);
}
