/*
 * carom/impact/impact_bounds.h. Expected values: closed forms of a point mass in a groove; the
 * reference values of our specification for the five systems of halm-2023, whose matrices are set
 * up here from their geometry.
 */
#include "../failing_malloc.h"
#include "../support.h"

#include <carom/impact/impact_bounds.h>

#include <float.h>
#include <string.h>

static const unsigned long SEED = 20230217;
static const double DEGREE = 0.017453292519943295769;

enum { MOST = 9, MOST_CONTACTS = 5 };

/** A planar problem as text books write it. */
typedef struct system {
    int n;
    int m;
    double M[MOST * MOST];
    double J_n[MOST_CONTACTS * MOST];
    double J_t[MOST_CONTACTS * MOST];
    double mu[MOST_CONTACTS];
    double v[MOST];
    double h;
} system_of;

static carom_impact_problem *problem_of(const system_of *s) {
    carom_impact_problem *problem;
    assert_ok(carom_impact_problem_alloc(s->n, s->m, 1, s->M, s->J_n, s->J_t, s->mu, s->v, &problem,
                                         NULL));
    return problem;
}

/** A body at a point of a chain: M += m J'J + I w'w for the rows J = (x, y) [2][n] and w [n]. */
static void add_body(system_of *s, double mass, double inertia, const double *J, const double *w) {
    for (int i = 0; i < s->n; i++) {
        for (int j = 0; j < s->n; j++) {
            s->M[i * s->n + j] += mass * (J[i] * J[j] + J[s->n + i] * J[s->n + j]);
            s->M[i * s->n + j] += inertia * w[i] * w[j];
        }
    }
}

/** J += length d(psi)', w = row of psi: angles are sums of coordinates (mask). */
static void add_link(int n, double length, double psi, unsigned mask, double *J) {
    for (int i = 0; i < n; i++) {
        if ((mask >> i & 1u) != 0) {
            J[i] += length * cos(psi);
            J[n + i] += length * sin(psi);
        }
    }
}

static void set_mask(int n, unsigned mask, double *w) {
    for (int i = 0; i < n; i++) {
        w[i] = (mask >> i & 1u) != 0 ? 1.0 : 0.0;
    }
}

/** A single body (x, y, theta), contact i at the offset (r_x, r_y) with normal (n_x, n_y) and
 * tangent (t_x, t_y). */
static void set_contact(system_of *s, int i, const double r[2], const double n[2],
                        const double t[2]) {
    double *row = s->J_n + (ptrdiff_t)i * 3;
    row[0] = n[0];
    row[1] = n[1];
    row[2] = r[0] * n[1] - r[1] * n[0];
    row = s->J_t + (ptrdiff_t)i * 3;
    row[0] = t[0];
    row[1] = t[1];
    row[2] = r[0] * t[1] - r[1] * t[0];
}

static void set_diagonal(system_of *s, double mass, double inertia) {
    s->n = 3;
    s->M[0] = mass;
    s->M[4] = mass;
    s->M[8] = inertia;
}

static void set_block(system_of *s) {
    *s = (system_of){.m = 2, .h = 0.3, .mu = {1.0, 1.0}};
    set_diagonal(s, 1.0, 5.0 / 12.0);
    set_contact(s, 0, (double[]){-0.5, -1.0}, (double[]){0.0, 1.0}, (double[]){1.0, 0.0});
    set_contact(s, 1, (double[]){0.5, -1.0}, (double[]){0.0, 1.0}, (double[]){1.0, 0.0});
    s->v[1] = -sqrt(2.0 * 9.81 * 0.01);
}

/** Leaning by 10 degrees: corners at (sin, cos)(45 +- 10 deg)/sqrt 2 from the centre. */
static void set_box(system_of *s) {
    *s = (system_of){.m = 2, .h = 2.0, .mu = {1.0, 1.0}, .v = {1.0, 0.0, 0.0}};
    set_diagonal(s, 1.0, 1.0 / 6.0);
    const double near = cos(55.0 * DEGREE) / sqrt(2.0);
    const double far = sin(55.0 * DEGREE) / sqrt(2.0);
    set_contact(s, 0, (double[]){near, -far}, (double[]){0.0, 1.0}, (double[]){1.0, 0.0});
    set_contact(s, 1, (double[]){far, near}, (double[]){-1.0, 0.0}, (double[]){0.0, -1.0});
}

static void set_compass(system_of *s) {
    *s = (system_of){.n = 4, .m = 2, .h = 0.25, .mu = {5.0, 5.0}};
    const double angles[2] = {-78.0 * DEGREE, 78.0 * DEGREE};
    for (int leg = 0; leg < 2; leg++) {
        const unsigned mask = 4u << leg;
        double mass[8] = {1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0};
        double foot[8] = {1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0};
        const double none[4] = {0.0};
        add_link(4, 0.5, angles[leg], mask, mass);
        add_link(4, 1.0, angles[leg], mask, foot);
        add_body(s, 1.0, 0.0, mass, none);
        memcpy(s->J_t + (ptrdiff_t)leg * 4, foot, 4 * sizeof(double));
        memcpy(s->J_n + (ptrdiff_t)leg * 4, foot + 4, 4 * sizeof(double));
    }
    // The trailing foot is at rest.
    s->v[0] = -0.25 * cos(angles[1]);
    s->v[1] = -0.25 * sin(angles[1]);
    s->v[2] = 0.25;
    s->v[3] = 0.25;
}

/** Coordinates (x, y, Phi, alpha_le, beta_le, alpha_tr, beta_tr). */
static void set_ramone(system_of *s) {
    *s = (system_of){.n = 7, .m = 2, .h = 1.0, .mu = {1e5, 1e5}};
    const double l_2 = 0.2;
    const double l_3 = 0.2385;
    const double s_1 = 0.137675;
    const double Phi = 16.0 * DEGREE;
    const double alpha[2] = {-70.0 * DEGREE, 70.0 * DEGREE};
    double beta[2] = {-2.0 * DEGREE, 0.0};
    const double L = l_3 * cos(Phi + alpha[0] + beta[0]) + l_2 * cos(Phi + alpha[0]);
    beta[1] = asin((L - l_2 * cos(Phi + alpha[1])) / l_3) - 90.0 * DEGREE - Phi - alpha[1];
    const double trunk[14] = {[0] = 1.0, [8] = 1.0};
    double w[7];
    set_mask(7, 4u, w);
    add_body(s, 7.9026, 0.08, trunk, w);
    for (int leg = 0; leg < 2; leg++) {
        const unsigned thigh = 4u | 8u << (2 * leg);
        const unsigned shank = thigh | 16u << (2 * leg);
        const double psi = Phi + alpha[leg];
        double J[14];
        memcpy(J, trunk, sizeof J);
        add_link(7, s_1, Phi, 4u, J);
        double at[14];
        memcpy(at, J, sizeof J);
        add_link(7, 0.019399, psi, thigh, at);
        set_mask(7, thigh, w);
        add_body(s, 0.7887, 0.00221, at, w);
        add_link(7, l_2, psi, thigh, J);
        memcpy(at, J, sizeof J);
        add_link(7, 0.165235, psi + beta[leg], shank, at);
        set_mask(7, shank, w);
        add_body(s, 0.510, 0.00652, at, w);
        add_link(7, l_3, psi + beta[leg], shank, J);
        // The lowest point of the foot: below its centre, turning with the shank.
        add_link(7, 0.02815, 0.0, shank, J);
        memcpy(s->J_t + (ptrdiff_t)leg * 7, J, 7 * sizeof(double));
        memcpy(s->J_n + (ptrdiff_t)leg * 7, J + 7, 7 * sizeof(double));
    }
    // The trunk turns by 1 rad/s and moves so that the trailing foot is at rest.
    s->v[2] = 1.0;
    s->v[0] = -s->J_t[7 + 2];
    s->v[1] = -s->J_n[7 + 2];
}

/** Three discs; as printed, or with 5 kg and the tangents (n_y, n_x) of the programs. */
static void set_disks(system_of *s, bool is_code) {
    *s = (system_of){.n = 9, .m = 5, .h = 1.0};
    const double mass = is_code ? 5.0 : 1.0;
    for (int i = 0; i < 9; i++) {
        s->M[i * 10] = i % 3 == 2 ? 0.5 * mass : mass;
    }
    const double half = 0.5;
    const double high = 0.5 * sqrt(3.0);
    // Bodies (-1: floor), normal from the first to the second.
    const int first[5] = {-1, -1, 0, 0, 1};
    const int second[5] = {1, 2, 1, 2, 2};
    const double normal[5][2] = {{0.0, 1.0}, {0.0, 1.0}, {-half, -high}, {half, -high}, {1.0, 0.0}};
    for (int i = 0; i < 5; i++) {
        const double *n = normal[i];
        const double t[2] = {n[1], is_code ? n[0] : -n[0]};
        s->mu[i] = sqrt(3.0);
        double *J_n = s->J_n + (ptrdiff_t)i * 9;
        double *J_t = s->J_t + (ptrdiff_t)i * 9;
        // Points of contact at n from the first centre, at -n from the second.
        for (int side = 0; side < 2; side++) {
            const int body = side == 0 ? first[i] : second[i];
            const double sign = side == 0 ? -1.0 : 1.0;
            if (body >= 0) {
                J_n[3 * body] = sign * n[0];
                J_n[3 * body + 1] = sign * n[1];
                J_t[3 * body] = sign * t[0];
                J_t[3 * body + 1] = sign * t[1];
                // sign (-sign n) x t: the same for both bodies.
                J_t[3 * body + 2] = -(n[0] * t[1] - n[1] * t[0]);
            }
        }
    }
    s->v[1] = -1.0;
}

/** The row of a table: what our specification, section 5.4, gives to these digits. */
typedef struct expected_bounds {
    double r_norm;
    double sigma;
    double velocity_norm;
    double c;
    double count;
    double psi;
    double psi_digits; /* half a unit of the last digit of psi */
} expected_bounds;

/** Half a unit of the last digit printed, 1e-7 of numbers up to ten and five digits more. */
static void assert_table(const system_of *s, const expected_bounds *expected) {
    carom_impact_problem *problem = problem_of(s);
    carom_impact_bounds bounds;
    double r[MOST];
    assert_ok(carom_impact_bounds_compute(problem, 0, s->h, r, &bounds, NULL));
    assert_close(bounds.r_norm, expected->r_norm, 0.0, expected->r_norm > 10.0 ? 5.1e-7 : 5.1e-8);
    assert_close(bounds.sigma, expected->sigma, 0.0, 5.1e-8);
    assert_close(bounds.velocity_norm, expected->velocity_norm, 0.0, 5.1e-8);
    assert_close(bounds.theorem_8_c, expected->c, 0.0, 0.0);
    assert_close(bounds.theorem_8_count, expected->count, 0.0, 0.0);
    assert_close(bounds.psi, expected->psi, 0.0, expected->psi_digits);
    // Minimal, to the rounding of a cone with friction 1e5.
    ck_assert_double_le(bounds.r_gap, 1e-9);
    carom_impact_problem_free(problem);
}

TEST(unit, block_has_the_bounds_of_the_reference) {
    system_of s;
    set_block(&s);
    assert_table(&s, &(expected_bounds){1.0, 0.4166667, 0.4429447, 64.0, 64.0, 22.73656, 5.1e-6});
}

TEST(unit, compass_gait_has_the_bounds_of_the_reference) {
    system_of s;
    set_compass(&s);
    assert_table(
        &s, &(expected_bounds){2.1162198, 0.00964743, 0.3883897, 1036.0, 1036.0, 669.1437, 5.1e-5});
}

TEST(unit, box_at_a_wall_has_the_bounds_of_the_reference) {
    system_of s;
    set_box(&s);
    assert_table(&s, &(expected_bounds){1.4860935, 0.1666667, 1.0, 24.0, 24.0, 32.49476, 5.1e-6});
}

TEST(unit, ramone_has_the_bounds_of_the_reference) {
    system_of s;
    set_ramone(&s);
    assert_table(
        &s, &(expected_bounds){0.4170407, 0.00188887, 1.4387834, 116.0, 232.0, 3.972e6, 0.51e3});
}

TEST(unit, disks_have_the_bounds_of_the_reference) {
    system_of s;
    set_disks(&s, false);
    assert_table(&s, &(expected_bounds){2.8675907, 0.5, 1.0, 100.0, 100.0, 89.9558, 5.1e-5});
    set_disks(&s, true);
    assert_table(&s, &(expected_bounds){45.335641, 2.5, 2.236068, 692.0, 2076.0, 15.6609, 5.1e-5});
}

// h = 0.3, m = 2, |r| = 1 (straight up, as each corner alone would have it), sigma = 5/12.
TEST(unit, block_has_the_ingredients_of_theorem_8) {
    system_of s;
    set_block(&s);
    carom_impact_problem *problem = problem_of(&s);
    carom_impact_bounds bounds;
    double r[3];
    assert_ok(carom_impact_bounds_compute(problem, 0, s.h, r, &bounds, NULL));
    assert_close(r[0], 0.0, 0.0, 1e-13);
    assert_close(r[1], 1.0, 1e-13, 0.0);
    assert_close(r[2], 0.0, 0.0, 1e-13);
    assert_close(bounds.c_p, 0.1, 1e-15, 0.0);
    assert_close(bounds.c_z, 2.0 * sqrt(12.0 / 5.0), 1e-13, 0.0);
    // The same r is shortest in M^-1, M_22 = 1: 2 ceil(2 . 3 . 0.4429447/0.3) = 2 ceil(8.86).
    assert_close(bounds.kinetic_r, 1.0, 1e-13, 0.0);
    assert_close(bounds.unit_free_count, 18.0, 0.0, 0.0);
    assert_close(bounds.theorem_8_length, 9.0, 0.0, 0.0);
    // J_n' J_n has the eigenvalues 2 and 1/2 from (0, 1, -1/2), (0, 1, 1/2).
    assert_close(bounds.normal_norm, sqrt(2.0), 1e-13, 0.0);
    ck_assert_int_eq(bounds.contact_count, 2);
    assert_close(bounds.impulse_step, 0.3, 0.0, 0.0);
    carom_impact_problem_free(problem);
}

TEST(unit, exceedance_decays_from_the_count_on) {
    const carom_impact_bounds bounds = {.unit_free_count = 28.0, .theorem_8_length = 9.0};
    assert_close(carom_impact_bounds_exceedance(&bounds, 5.0), 1.0, 0.0, 0.0);
    assert_close(carom_impact_bounds_exceedance(&bounds, 28.0), 1.0, 0.0, 0.0);
    assert_close(carom_impact_bounds_exceedance(&bounds, 40.0), exp(-12.0 / 9.0), 1e-15, 0.0);
    // Between whole numbers of increments there are no others.
    assert_close(carom_impact_bounds_exceedance(&bounds, 40.9), exp(-12.0 / 9.0), 1e-15, 0.0);
    assert_close(carom_impact_bounds_increments(&bounds, 1.0), 28.0, 0.0, 0.0);
    // 9 ln 1000 = 62.17.
    assert_close(carom_impact_bounds_increments(&bounds, 1e-3), 28.0 + 63.0, 0.0, 0.0);
    ck_assert_double_le(carom_impact_bounds_exceedance(&bounds, 91.0), 1e-3);
    ck_assert_double_gt(carom_impact_bounds_exceedance(&bounds, 90.0), 1e-3);
    ck_assert(isinf(carom_impact_bounds_increments(&bounds, 0.0)));
}

/** A point mass on two walls whose normals are `slope` to either side of the vertical. */
static void set_groove(system_of *s, double mass, double slope, double friction) {
    *s = (system_of){.n = 2, .m = 2, .h = 1.3, .v = {0.2, -0.7}};
    s->M[0] = mass;
    s->M[3] = mass;
    for (int i = 0; i < 2; i++) {
        const double angle = i == 0 ? slope : -slope;
        s->mu[i] = friction;
        s->J_n[2 * i] = sin(angle);
        s->J_n[2 * i + 1] = cos(angle);
        s->J_t[2 * i] = cos(angle);
        s->J_t[2 * i + 1] = -sin(angle);
    }
}

// Generators of length sqrt(1 + mu^2)/m = 1/(m cos f), tan f = mu, at slope + f from the vertical
// at most: the shortest r is vertical with |r| cos(slope + f)/(m cos f) = 1.
TEST(unit, groove_has_the_vector_of_its_closed_form) {
    const double mass = 2.385;
    const double f = atan(0.37);
    // Up to an opening of 1e-5, that leaves 16 - 5 digits.
    const double opening[] = {1.1, 0.3, 0.021, 1e-3, 1e-5};
    for (size_t k = 0; k < sizeof opening / sizeof opening[0]; k++) {
        system_of s;
        set_groove(&s, mass, 90.0 * DEGREE - f - opening[k], 0.37);
        carom_impact_problem *problem = problem_of(&s);
        carom_impact_bounds bounds;
        double r[2];
        assert_ok(carom_impact_bounds_compute(problem, 0, s.h, r, &bounds, NULL));
        const double expected = mass * cos(f) / sin(opening[k]);
        assert_close(bounds.r_norm, expected, 1e-14 / opening[k], 0.0);
        assert_close(r[1], expected, 1e-14 / opening[k], 0.0);
        assert_close(bounds.sigma, mass, 1e-14, 0.0);
        assert_close(bounds.velocity_norm, sqrt(mass * 0.53), 1e-14, 0.0);
        // J_n' J_n = diag(2 sin^2, 2 cos^2).
        const double slope = 90.0 * DEGREE - f - opening[k];
        assert_close(bounds.normal_norm, sqrt(2.0) * fmax(sin(slope), cos(slope)), 1e-14, 0.0);
        // [J_n; J_D]'[J_n; J_D] = diag(2 s^2 + 4 c^2, 2 c^2 + 4 s^2) with both facets.
        const double square = 2.0 + 2.0 * fmax(pow(sin(slope), 2), pow(cos(slope), 2));
        assert_close(bounds.response_norm, sqrt(square) / mass, 1e-14, 0.0);
        assert_close(bounds.psi, sqrt(square) / mass * 2.0 * 1.37 + 1.0, 1e-14, 0.0);
        carom_impact_problem_free(problem);
    }
}

// One contact in space, facets straight and across: r = m n whatever the friction, and
// [J_n; J_D]'[J_n; J_D] = diag(k/2, k/2, 1).
TEST(unit, point_mass_on_a_floor_in_space) {
    const double M[9] = {1.7, 0.0, 0.0, 0.0, 1.7, 0.0, 0.0, 0.0, 1.7};
    const double J_n[3] = {0.0, 0.0, 1.0};
    const double J_t[6] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    const double mu = 0.63;
    const double v[3] = {0.3, 0.1, -1.1};
    carom_impact_problem *problem;
    assert_ok(carom_impact_problem_alloc(3, 1, 2, M, J_n, J_t, &mu, v, &problem, NULL));
    carom_impact_bounds bounds;
    double r[3];
    for (int k = 4; k <= 10; k += 2) {
        assert_ok(carom_impact_bounds_compute(problem, k, 0.4, r, &bounds, NULL));
        assert_close(bounds.r_norm, 1.7, 1e-13, 0.0);
        assert_close(r[2], 1.7, 1e-13, 0.0);
        assert_close(bounds.response_norm, sqrt(0.5 * k) / 1.7, 1e-13, 0.0);
        assert_close(bounds.psi, sqrt(0.5 * k) / 1.7 * 1.63 + 1.0, 1e-13, 0.0);
    }
    carom_impact_problem_free(problem);
}

/** A rigid body, random mass matrix of a good condition, random contacts: n = 3 coordinates. */
static void set_random(gsl_rng *generator, int m, system_of *s) {
    *s = (system_of){.n = 3, .m = m, .h = uniform(generator, 0.1, 2.0)};
    double G[9];
    for (int i = 0; i < 9; i++) {
        G[i] = uniform(generator, -1.0, 1.0);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            s->M[3 * i + j] = (i == j ? 0.5 : 0.0) + G[3 * i] * G[3 * j] +
                              G[3 * i + 1] * G[3 * j + 1] + G[3 * i + 2] * G[3 * j + 2];
        }
        s->v[i] = uniform(generator, -1.0, 1.0);
    }
    for (int i = 0; i < m; i++) {
        const double angle = uniform(generator, -1.0, 1.0);
        const double r[2] = {uniform(generator, -1.0, 1.0), uniform(generator, -1.0, 0.0)};
        set_contact(s, i, r, (double[]){sin(angle), cos(angle)},
                    (double[]){cos(angle), -sin(angle)});
        s->mu[i] = uniform(generator, 0.0, 1.2);
    }
}

TEST(property, impulses_in_the_cones_move_along_r_by_their_normal_part) {
    gsl_rng *generator = seeded_generator(SEED);
    int pointed = 0;
    for (int trial = 0; trial < 300; trial++) {
        system_of s;
        set_random(generator, 1 + trial % 4, &s);
        carom_impact_problem *problem = problem_of(&s);
        carom_impact_bounds bounds;
        double r[3];
        const carom_status status = carom_impact_bounds_compute(problem, 0, s.h, r, &bounds, NULL);
        ck_assert_msg(status == CAROM_OK || status == CAROM_STATUS_RAY, "trial %d of seed %lu: %s",
                      trial, SEED, carom_status_name(status));
        for (int k = 0; status == CAROM_OK && k < 20; k++) {
            double L[2 * MOST_CONTACTS];
            double dv[3];
            double normal = 0.0;
            for (int i = 0; i < s.m; i++) {
                L[i] = uniform(generator, 0.0, 1.0);
                L[s.m + i] = s.mu[i] * L[i] * uniform(generator, -1.0, 1.0);
                normal += L[i];
            }
            carom_impact_velocity(problem, L, dv);
            double along = 0.0;
            for (int i = 0; i < 3; i++) {
                along += r[i] * (dv[i] - s.v[i]);
            }
            // Rounding of r . dv, terms up to |r| |dv|.
            ck_assert_msg(along >= normal - 1e-13 * (1.0 + bounds.r_norm), "%g < %g", along,
                          normal);
        }
        pointed += status == CAROM_OK;
        carom_impact_problem_free(problem);
    }
    ck_assert_int_gt(pointed, 100);
    ck_assert_int_lt(pointed, 300);
    gsl_rng_free(generator);
}

/** A point mass hanging on m wide cones that differ little: normals apart by
 * about the openings. */
TEST(property, wide_cones_are_told_apart) {
    gsl_rng *generator = seeded_generator(SEED + 5);
    int pointed = 0;
    for (int trial = 0; trial < 1000; trial++) {
        const int m = 1 + trial % 3;
        system_of s = {.n = 2, .m = m, .h = 1.0};
        s.M[0] = uniform(generator, 0.5, 2.0);
        s.M[3] = s.M[0];
        double least = -INFINITY;
        double most = INFINITY;
        for (int i = 0; i < m; i++) {
            s.mu[i] = pow(10.0, uniform(generator, 0.0, 5.0));
            const double opening = atan2(1.0, s.mu[i]);
            const double angle = uniform(generator, -1.7, 1.7) * opening;
            s.J_n[2 * i] = sin(angle);
            s.J_n[2 * i + 1] = cos(angle);
            s.J_t[2 * i] = cos(angle);
            s.J_t[2 * i + 1] = -sin(angle);
            // r within the dual cone: angles of r from the vertical.
            least = fmax(least, angle - opening);
            most = fmin(most, angle + opening);
        }
        carom_impact_problem *problem = problem_of(&s);
        carom_impact_bounds bounds;
        double r[2];
        const carom_status status = carom_impact_bounds_compute(problem, 0, 1.0, r, &bounds, NULL);
        const bool is_pointed = most > least;
        ck_assert_msg(status == (is_pointed ? CAROM_OK : CAROM_STATUS_RAY),
                      "trial %d of seed %lu: %s, cone open by %g", trial, SEED + 5,
                      carom_status_name(status), most - least);
        pointed += is_pointed;
        carom_impact_problem_free(problem);
    }
    ck_assert(pointed > 300 && pointed < 950);
    gsl_rng_free(generator);
}

TEST(property, units_change_nothing_that_counts) {
    gsl_rng *generator = seeded_generator(SEED + 2);
    for (int trial = 0; trial < 50; trial++) {
        system_of s;
        set_random(generator, 2, &s);
        for (int i = 0; i < 2; i++) {
            s.mu[i] *= 0.1;
        }
        carom_impact_problem *problem = problem_of(&s);
        carom_impact_bounds a;
        const carom_status status = carom_impact_bounds_compute(problem, 0, s.h, NULL, &a, NULL);
        carom_impact_problem_free(problem);
        if (status != CAROM_OK) {
            continue;
        }
        // Gram instead of kilogram, millimetre per second: impulses by 1e6.
        for (int i = 0; i < 9; i++) {
            s.M[i] *= 1e3;
        }
        for (int i = 0; i < 3; i++) {
            s.v[i] *= 1e3;
        }
        problem = problem_of(&s);
        carom_impact_bounds b;
        assert_ok(carom_impact_bounds_compute(problem, 0, 1e6 * s.h, NULL, &b, NULL));
        assert_close(b.r_norm, 1e3 * a.r_norm, 1e-12, 0.0);
        assert_close(b.unit_free_count, a.unit_free_count, 0.0, 0.0);
        // The printed count depends on the unit of speed; ours is never larger.
        ck_assert_double_le(a.kinetic_r, (1.0 + 1e-12) * a.r_norm / sqrt(a.sigma));
        ck_assert_double_le(a.unit_free_count, a.theorem_8_count);
        ck_assert_double_le(b.unit_free_count, b.theorem_8_count);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

TEST(property, order_of_contacts_and_sense_of_tangents_do_not_matter) {
    gsl_rng *generator = seeded_generator(SEED + 3);
    for (int trial = 0; trial < 50; trial++) {
        system_of s;
        set_random(generator, 3, &s);
        system_of other = s;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                other.J_n[3 * i + j] = s.J_n[3 * (2 - i) + j];
                other.J_t[3 * i + j] = -s.J_t[3 * (2 - i) + j];
            }
            other.mu[i] = s.mu[2 - i];
        }
        carom_impact_problem *a = problem_of(&s);
        carom_impact_problem *b = problem_of(&other);
        carom_impact_bounds of_a;
        carom_impact_bounds of_b;
        const carom_status status = carom_impact_bounds_compute(a, 0, s.h, NULL, &of_a, NULL);
        ck_assert_int_eq(carom_impact_bounds_compute(b, 0, s.h, NULL, &of_b, NULL), status);
        if (status == CAROM_OK) {
            assert_close(of_b.r_norm, of_a.r_norm, 1e-11, 0.0);
            assert_close(of_b.psi, of_a.psi, 1e-13, 0.0);
        }
        carom_impact_problem_free(a);
        carom_impact_problem_free(b);
    }
    gsl_rng_free(generator);
}

/** What a failure leaves behind. */
static void assert_nothing_is_known(const carom_impact_bounds *bounds, int n, const double *r) {
    ck_assert(isnan(bounds->r_norm) && isnan(bounds->psi) && isnan(bounds->unit_free_count));
    ck_assert(isnan(bounds->sigma) && isnan(bounds->theorem_8_c) && isnan(bounds->normal_norm));
    for (int i = 0; i < n; i++) {
        ck_assert(isnan(r[i]));
    }
}

// slope + angle of friction beyond 90 degrees: the walls hold the mass.
TEST(errors, jammed_groove_is_told) {
    const double excess[] = {1e-3, 0.05, 0.4};
    for (size_t k = 0; k < sizeof excess / sizeof excess[0]; k++) {
        system_of s;
        set_groove(&s, 2.385, 90.0 * DEGREE - atan(0.37) + excess[k], 0.37);
        carom_impact_problem *problem = problem_of(&s);
        carom_impact_bounds bounds;
        carom_report report = carom_report_empty();
        double r[2];
        assert_status(carom_impact_bounds_compute(problem, 0, s.h, r, &bounds, &report), RAY);
        assert_nothing_is_known(&bounds, 2, r);
        ck_assert_ptr_nonnull(report.quantity);
        ck_assert(report.index == 0 || report.index == 1);
        // The largest of four shares whose sum is 1.
        ck_assert(report.value >= 0.25 && report.value < 1.0);
        carom_impact_problem_free(problem);
    }
}

// Two parallel walls in any direction, contacts opposite each other: any friction, any mass matrix.
TEST(errors, body_between_parallel_walls_is_jammed) {
    gsl_rng *generator = seeded_generator(SEED + 4);
    for (int trial = 0; trial < 500; trial++) {
        system_of s;
        set_random(generator, 2, &s);
        const double angle = uniform(generator, -4.0, 4.0);
        const double n[2] = {sin(angle), cos(angle)};
        const double t[2] = {cos(angle), -sin(angle)};
        const double a[2] = {uniform(generator, -1.0, 1.0), uniform(generator, -1.0, 1.0)};
        const double width = uniform(generator, 0.1, 2.0);
        const double b[2] = {a[0] + width * n[0], a[1] + width * n[1]};
        set_contact(&s, 0, a, n, t);
        set_contact(&s, 1, b, (double[]){-n[0], -n[1]}, (double[]){-t[0], -t[1]});
        if (trial % 5 == 0) {
            s.mu[0] = 0.0;
            s.mu[1] = 0.0;
        }
        carom_impact_problem *problem = problem_of(&s);
        carom_impact_bounds bounds;
        double r[3];
        const carom_status status = carom_impact_bounds_compute(problem, 0, s.h, r, &bounds, NULL);
        ck_assert_msg(status == CAROM_STATUS_RAY, "trial %d of seed %lu: %s, |r| = %g", trial,
                      SEED + 4, carom_status_name(status), bounds.r_norm);
        assert_nothing_is_known(&bounds, 3, r);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

TEST(errors, steps_and_facets_are_refused) {
    system_of s;
    set_block(&s);
    carom_impact_problem *problem = problem_of(&s);
    carom_impact_bounds bounds;
    carom_report report = carom_report_empty();
    double r[3];
    assert_status(carom_impact_bounds_compute(problem, 0, 0.0, r, &bounds, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "impulse step");
    assert_nothing_is_known(&bounds, 3, r);
    assert_status(carom_impact_bounds_compute(problem, 0, -0.3, r, &bounds, NULL), OUT_OF_RANGE);
    assert_status(carom_impact_bounds_compute(problem, 0, NAN, r, &bounds, NULL), NOT_FINITE);
    assert_status(carom_impact_bounds_compute(problem, 0, INFINITY, NULL, &bounds, NULL),
                  NOT_FINITE);
    carom_impact_problem_free(problem);
    const double M[4] = {1.0, 0.0, 0.0, 1.0};
    const double J_n[2] = {0.0, 1.0};
    const double J_t[4] = {1.0, 0.0, 0.5, 0.0};
    const double mu = 0.5;
    assert_ok(carom_impact_problem_alloc(2, 1, 2, M, J_n, J_t, &mu, J_n, &problem, NULL));
    const int facets[] = {-2, 0, 2, 5};
    for (size_t k = 0; k < sizeof facets / sizeof facets[0]; k++) {
        assert_status(carom_impact_bounds_compute(problem, facets[k], 0.3, r, &bounds, &report),
                      OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, "facets");
    }
    carom_impact_problem_free(problem);
}

TEST(errors, no_memory_is_told_and_nothing_is_lost) {
    system_of s;
    set_block(&s);
    carom_impact_problem *problem = problem_of(&s);
    carom_impact_bounds bounds;
    double r[3];
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int refusals = 0;
    for (; status == CAROM_STATUS_OUT_OF_MEMORY; refusals++) {
        successes_left = refusals;
        status = carom_impact_bounds_compute(problem, 0, s.h, r, &bounds, NULL);
        successes_left = -1;
        if (status == CAROM_STATUS_OUT_OF_MEMORY) {
            assert_nothing_is_known(&bounds, 3, r);
        }
    }
    assert_ok(status);
    assert_close(bounds.r_norm, 1.0, 1e-13, 0.0);
    ck_assert_int_gt(refusals, 6);
    carom_impact_problem_free(problem);
}
