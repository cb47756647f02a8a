/* carom/modes/modal_basis.h against closed forms and the physical equations M u'' + K u = 0;
 * invisible modes are the subject of invisible_modes.c. */
#include "structures.h"

#include <carom/models/serial_chain.h>

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <string.h>

/* Calls of the library that end here (linker option --wrap): memory as it may be found, full of
 * NaN, and failures on request. */
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
gsl_eigen_symmv_workspace *__real_gsl_eigen_symmv_alloc(size_t n);
gsl_eigen_symmv_workspace *__wrap_gsl_eigen_symmv_alloc(size_t n);

static int successes_left = -1;

/** Whether this allocation succeeds. */
static int may_allocate(void) {
    if (successes_left == 0) {
        return 0;
    }
    successes_left -= successes_left > 0 ? 1 : 0;
    return 1;
}

void *__wrap_malloc(size_t size) {
    void *memory = may_allocate() ? __real_malloc(size) : NULL;
    return memory == NULL ? NULL : memset(memory, 0xff, size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return may_allocate() ? __real_calloc(count, size) : NULL;
}

gsl_eigen_symmv_workspace *__wrap_gsl_eigen_symmv_alloc(size_t n) {
    return may_allocate() ? __real_gsl_eigen_symmv_alloc(n) : NULL;
}

TEST(unit, the_uniform_chain_has_the_closed_form) {
    // Specification 2.2: m = 1/n, kappa = n, so sqrt(kappa/m) = n.
    const int sizes[] = {1, 2, 5, 50};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const int n = sizes[s];
        const double scale = 2.0 / sqrt(2.0 * n + 1.0);
        carom_linear_system *system;
        carom_modal_basis *basis;
        assert_ok(carom_serial_chain_uniform_alloc(n, 0.7, &system, NULL));
        assert_ok(carom_modal_basis_compute(system, &basis, NULL));
        ck_assert_int_eq(basis->visible_count, n);
        assert_close(basis->root_inverse_mass, sqrt((double)n), 1e-15, 0.0);
        for (int l = 1; l <= n; l++) {
            // sin(n a) with n a = (2 l - 1) pi / 2 - a/2, a = (2 l - 1) pi / (2 n + 1).
            const double a = (2 * l - 1) * M_PI / (2.0 * n + 1.0);
            const double sign = l % 2 == 1 ? 1.0 : -1.0;
            // The roundings of the closed form.
            assert_close(basis->frequency[l - 1], 2.0 * n * sin(0.5 * a), 1e-15, 0.0);
            assert_close(basis->participation[l - 1], scale * cos(0.5 * a), 1e-13, 0.0);
            for (int p = 1; p <= n; p++) {
                // B = M^-1/2 Q; the argument p a is of size n pi, rounded.
                assert_close(basis->shape[(p - 1) * n + l - 1],
                             sign * scale * sqrt((double)n) * sin(p * a), 0.0, 1e-15 * n);
            }
        }
        carom_modal_basis_free(basis);
        carom_linear_system_free(system);
    }
}

TEST(unit, the_chain_of_the_paper_has_the_reference_values) {
    // Specification 5.1, [C]: to the printed digits.
    const double omega[5] = {1.42314838, 4.15415013, 6.54860734, 8.41253533, 9.59492974};
    const double square[5] = {0.35627145, 0.30088377, 0.20769361, 0.10628818, 0.02886299};
    carom_linear_system *system;
    carom_modal_basis *basis;
    assert_ok(carom_serial_chain_uniform_alloc(5, 1.0, &system, NULL));
    assert_ok(carom_modal_basis_compute(system, &basis, NULL));
    for (int l = 0; l < 5; l++) {
        assert_close(basis->frequency[l], omega[l], 0.0, 5.1e-9);
        assert_close(gsl_pow_2(basis->participation[l]), square[l], 0.0, 5.1e-9);
    }
    // Linear mode 3 with x_5 = 1.
    const double mode[5] = {1.3097214679, 0.3727855978, -1.2036156238, -0.7153703235, 1.0};
    for (int p = 0; p < 5; p++) {
        assert_close(basis->shape[5 * p + 2] / basis->shape[22], mode[p], 0.0, 5.1e-11);
    }
    carom_modal_basis_free(basis);
    carom_linear_system_free(system);
}

TEST(unit, one_mass_moves_as_an_oscillator) {
    const double m = 0.37;
    const double k = 2.9;
    const double omega = sqrt(k / m);
    const double u_0 = 0.31;
    const double v_0 = -1.7;
    const double t = 2.385;
    carom_linear_system *system;
    carom_modal_basis *basis;
    assert_ok(carom_serial_chain_alloc(1, &m, &k, 1.0, &system, NULL));
    assert_ok(carom_modal_basis_compute(system, &basis, NULL));
    double state[2];
    double u;
    double v;
    carom_modal_basis_project(basis, &u_0, &v_0, state);
    carom_modal_basis_rotate(basis, t, state);
    carom_modal_basis_expand(basis, state, &u, &v);
    // A few roundings, angle omega t = 6.7 included.
    assert_close(u, u_0 * cos(omega * t) + v_0 / omega * sin(omega * t), 0.0, 1e-14);
    assert_close(v, v_0 * cos(omega * t) - u_0 * omega * sin(omega * t), 0.0, 1e-14);
    assert_close(carom_modal_basis_contact_displacement(basis, state), u, 1e-15, 0.0);
    assert_close(carom_modal_basis_contact_velocity(basis, state), v, 1e-15, 0.0);
    // lambda = sqrt(m) v, then the velocity is reversed (7.1).
    assert_close(carom_modal_basis_reflect(basis, state), sqrt(m) * v, 1e-15, 0.0);
    double other;
    carom_modal_basis_expand(basis, state, NULL, &other);
    assert_close(other, -v, 1e-15, 0.0);
    carom_modal_basis_expand(basis, state, &other, NULL);
    assert_close(other, u, 1e-15, 0.0);
    carom_modal_basis_free(basis);
    carom_linear_system_free(system);
}

TEST(property, modes_of_random_structures_are_orthonormal) {
    gsl_rng *generator = seeded_generator(6001);
    for (int round = 0; round < 200; round++) {
        const int n = 1 + (int)gsl_rng_uniform_int(generator, LARGEST);
        carom_linear_system *system = random_system(generator, n);
        carom_modal_basis *basis;
        assert_ok(carom_modal_basis_compute(system, &basis, NULL));
        ck_assert_int_eq(basis->visible_count, n);
        assert_basis(system, basis);
        carom_modal_basis_free(basis);
        carom_linear_system_free(system);
    }
    gsl_rng_free(generator);
}

TEST(property, states_stand_for_positions_and_velocities) {
    gsl_rng *generator = seeded_generator(6002);
    for (int round = 0; round < 100; round++) {
        const int n = 1 + (int)gsl_rng_uniform_int(generator, LARGEST);
        carom_linear_system *system = random_system(generator, n);
        carom_modal_basis *basis;
        assert_ok(carom_modal_basis_compute(system, &basis, NULL));
        double u[LARGEST];
        double v[LARGEST];
        double u_back[LARGEST];
        double v_back[LARGEST];
        double state[2 * LARGEST];
        random_vector(generator, n, u);
        random_vector(generator, n, v);
        carom_modal_basis_project(basis, u, v, state);
        carom_modal_basis_expand(basis, state, u_back, v_back);
        for (int i = 0; i < n; i++) {
            // Sums of n^2 terms below LARGEST.
            assert_close(u_back[i], u[i], 0.0, 1e-14 * n);
            assert_close(v_back[i], v[i], 0.0, 1e-14 * n);
        }
        const double energy = form(n, system->mass, v, v) + form(n, system->stiffness, u, u);
        assert_close(dot(2 * n, state, state), energy, 1e-14 * n, 0.0);
        const double *w = system->contact_normal;
        assert_close(carom_modal_basis_contact_displacement(basis, state), -dot(n, w, u), 0.0,
                     1e-14 * n);
        assert_close(carom_modal_basis_contact_velocity(basis, state), -dot(n, w, v), 0.0,
                     1e-14 * n);
        carom_modal_basis_free(basis);
        carom_linear_system_free(system);
    }
    gsl_rng_free(generator);
}

/** [u; v] after the time t by the exponential of [0 1; -M^-1 K 0] t. */
static void fly(const carom_linear_system *system, double t, double *u, double *v) {
    const size_t n = (size_t)system->coordinate_count;
    gsl_matrix *A = gsl_matrix_calloc(2 * n, 2 * n);
    gsl_matrix *exponential = gsl_matrix_alloc(2 * n, 2 * n);
    double x[2 * LARGEST];
    for (size_t j = 0; j < n; j++) {
        // Column j of K is its row j.
        divide_by_mass(system, system->stiffness + j * n, x);
        gsl_matrix_set(A, j, n + j, t);
        for (size_t i = 0; i < n; i++) {
            gsl_matrix_set(A, n + i, j, -t * x[i]);
        }
    }
    ck_assert_int_eq(gsl_linalg_exponential_ss(A, exponential, GSL_PREC_DOUBLE), GSL_SUCCESS);
    memcpy(x, u, n * sizeof *u);
    memcpy(x + n, v, n * sizeof *v);
    for (size_t i = 0; i < n; i++) {
        u[i] = dot((int)(2 * n), exponential->data + i * 2 * n, x);
        v[i] = dot((int)(2 * n), exponential->data + (n + i) * 2 * n, x);
    }
    gsl_matrix_free(A);
    gsl_matrix_free(exponential);
}

TEST(property, free_flight_is_the_exponential_of_the_physical_equations) {
    gsl_rng *generator = seeded_generator(6003);
    for (int round = 0; round < 60; round++) {
        const int n = 1 + (int)gsl_rng_uniform_int(generator, 6);
        const double t = uniform(generator, -2.0, 2.0);
        carom_linear_system *system = random_system(generator, n);
        carom_modal_basis *basis;
        assert_ok(carom_modal_basis_compute(system, &basis, NULL));
        double u[LARGEST];
        double v[LARGEST];
        double u_modal[LARGEST];
        double v_modal[LARGEST];
        double state[2 * LARGEST];
        random_vector(generator, n, u);
        random_vector(generator, n, v);
        carom_modal_basis_project(basis, u, v, state);
        const double energy = dot(2 * n, state, state);
        carom_modal_basis_rotate(basis, t, state);
        assert_close(dot(2 * n, state, state), energy, 1e-14, 0.0);
        carom_modal_basis_expand(basis, state, u_modal, v_modal);
        fly(system, t, u, v);
        for (int i = 0; i < n; i++) {
            /* The exponential itself: scaling and squaring of a matrix of norm up to 20 loses
             * about three digits. */
            assert_close(u_modal[i], u[i], 0.0, 1e-12);
            assert_close(v_modal[i], v[i], 0.0, 1e-12);
        }
        carom_modal_basis_free(basis);
        carom_linear_system_free(system);
    }
    gsl_rng_free(generator);
}

TEST(property, an_impact_reverses_the_velocity_of_the_contact) {
    // v+ = v - 2 M^-1 w (w'v)/G, proposition 2.1.
    gsl_rng *generator = seeded_generator(6004);
    for (int round = 0; round < 100; round++) {
        const int n = 1 + (int)gsl_rng_uniform_int(generator, LARGEST);
        carom_linear_system *system = random_system(generator, n);
        carom_modal_basis *basis;
        assert_ok(carom_modal_basis_compute(system, &basis, NULL));
        const double *w = system->contact_normal;
        double u[LARGEST];
        double v[LARGEST];
        double u_post[LARGEST];
        double v_post[LARGEST];
        double x[LARGEST];
        double state[2 * LARGEST];
        random_vector(generator, n, u);
        random_vector(generator, n, v);
        carom_modal_basis_project(basis, u, v, state);
        const double lambda = carom_modal_basis_reflect(basis, state);
        carom_modal_basis_expand(basis, state, u_post, v_post);
        divide_by_mass(system, w, x);
        const double G = dot(n, w, x);
        assert_close(lambda, -dot(n, w, v) / sqrt(G), 0.0, 1e-14 * n);
        for (int i = 0; i < n; i++) {
            // Condition of M: below 1e3 with M >= 1/2.
            assert_close(v_post[i], v[i] - 2.0 * x[i] * dot(n, w, v) / G, 0.0, 1e-13 * n);
            assert_close(u_post[i], u[i], 0.0, 1e-14 * n);
        }
        // Twice is nothing, and lambda changes sign.
        assert_close(carom_modal_basis_reflect(basis, state), -lambda, 0.0, 1e-14 * n);
        carom_modal_basis_expand(basis, state, NULL, v_post);
        for (int i = 0; i < n; i++) {
            assert_close(v_post[i], v[i], 0.0, 1e-14 * n);
        }
        carom_modal_basis_free(basis);
        carom_linear_system_free(system);
    }
    gsl_rng_free(generator);
}

TEST(property, units_and_the_order_of_coordinates_do_not_matter) {
    gsl_rng *generator = seeded_generator(6005);
    for (int round = 0; round < 50; round++) {
        const int n = 1 + (int)gsl_rng_uniform_int(generator, LARGEST);
        carom_linear_system *system = random_system(generator, n);
        carom_linear_system *other;
        assert_ok(carom_linear_system_alloc(n, &other));
        // Coordinates reversed; mass in g, time in ms, the normal doubled and turned round.
        for (int i = 0; i < n; i++) {
            const int r = n - 1 - i;
            other->contact_normal[i] = -2.0 * system->contact_normal[r];
            for (int j = 0; j < n; j++) {
                other->mass[i * n + j] = 1e3 * system->mass[r * n + n - 1 - j];
                other->stiffness[i * n + j] = 1e-3 * system->stiffness[r * n + n - 1 - j];
            }
        }
        carom_modal_basis *basis;
        carom_modal_basis *scaled;
        assert_ok(carom_modal_basis_compute(system, &basis, NULL));
        assert_ok(carom_modal_basis_compute(other, &scaled, NULL));
        assert_close(scaled->root_inverse_mass, 2.0 / sqrt(1e3) * basis->root_inverse_mass, 1e-13,
                     0.0);
        for (int l = 0; l < n; l++) {
            // The rounding of scaled entries, times the condition of M and K, below 1e3.
            assert_close(scaled->frequency[l], 1e-3 * basis->frequency[l], 1e-13, 0.0);
            assert_close(scaled->participation[l], basis->participation[l], 0.0, 1e-12);
        }
        carom_modal_basis_free(basis);
        carom_modal_basis_free(scaled);
        carom_linear_system_free(system);
        carom_linear_system_free(other);
    }
    gsl_rng_free(generator);
}

/** The structure is refused with the quantity; returns the value reported. */
static double refused_value(const carom_linear_system *system, carom_status expected,
                            const char *quantity) {
    carom_modal_basis *basis;
    carom_report report = carom_report_empty();
    const carom_status status = carom_modal_basis_compute(system, &basis, &report);
    ck_assert_msg(status == expected, "%s, expected %s", carom_status_name(status),
                  carom_status_name(expected));
    ck_assert_ptr_null(basis);
    ck_assert_str_eq(report.quantity, quantity);
    ck_assert_int_eq(carom_modal_basis_compute(system, &basis, NULL), expected);
    return report.value;
}

TEST(errors, what_is_no_structure_is_refused_as_the_check_does) {
    gsl_rng *generator = seeded_generator(6009);
    carom_linear_system *system = random_system(generator, 3);
    const double before = system->mass[4];
    system->mass[4] = (double)NAN;
    refused_value(system, CAROM_STATUS_NOT_FINITE, "mass");
    system->mass[4] = -before;
    refused_value(system, CAROM_STATUS_OUT_OF_RANGE, "mass, not positive definite: pivot");
    system->mass[4] = before;
    system->stiffness[1] += 0.1;
    refused_value(system, CAROM_STATUS_NOT_SYMMETRIC, "stiffness");
    system->stiffness[1] -= 0.1;
    // Energies go with its square.
    const double gaps[] = {1e160, -1e160, 1e-160};
    for (int i = 0; i < 3; i++) {
        system->gap_at_rest = gaps[i];
        refused_value(system, CAROM_STATUS_OUT_OF_RANGE, "gap at rest");
    }
    system->gap_at_rest = 0.5;
    memset(system->contact_normal, 0, 3 * sizeof(double));
    refused_value(system, CAROM_STATUS_OUT_OF_RANGE, "contact normal");
    carom_linear_system_free(system);
    gsl_rng_free(generator);
}

TEST(errors, rigid_body_modes_are_refused) {
    // A chain without ground; then no springs at all.
    double K[9] = {1.25, -1.25, 0.0, -1.25, 3.75, -2.5, 0.0, -2.5, 2.5};
    const double w[3] = {0.0, 0.0, -1.0};
    carom_linear_system *system = system_of(3, K, w);
    // Roundings of the largest eigenvalue, 5.7.
    assert_close(refused_value(system, CAROM_STATUS_SINGULAR,
                               "stiffness, with a rigid-body mode: smallest squared frequency"),
                 0.0, 0.0, 1e-14);
    memset(system->stiffness, 0, 9 * sizeof(double));
    assert_close(refused_value(system, CAROM_STATUS_SINGULAR,
                               "stiffness, with a rigid-body mode: smallest squared frequency"),
                 0.0, 0.0, 0.0);
    carom_linear_system_free(system);
    // The softest ground still told apart from none.
    K[0] += 1e-12;
    system = system_of(3, K, w);
    carom_modal_basis *basis;
    assert_ok(carom_modal_basis_compute(system, &basis, NULL));
    // Three masses on the ground spring, as it was rounded; the next order is 1e-12.
    assert_close(basis->frequency[0], sqrt((K[0] - 1.25) / 3.0), 1e-11, 0.0);
    carom_modal_basis_free(basis);
    carom_linear_system_free(system);
}

TEST(errors, an_indefinite_stiffness_is_refused_with_its_smallest_eigenvalue) {
    // [1 2; 2 1] with masses 2: (1 - 2)/2.
    const double K[4] = {1.0, 2.0, 2.0, 1.0};
    const double w[2] = {1.0, 0.0};
    carom_linear_system *system = system_of(2, K, w);
    system->mass[0] = system->mass[3] = 2.0;
    assert_close(refused_value(system, CAROM_STATUS_OUT_OF_RANGE,
                               "stiffness, not positive definite: smallest squared frequency"),
                 -0.5, 1e-15, 0.0);
    carom_linear_system_free(system);
}

TEST(errors, what_leaves_the_range_of_doubles_is_refused) {
    const double one = 1.0;
    carom_linear_system *system = system_of(1, &one, &one);
    system->mass[0] = 1e-200;
    system->stiffness[0] = 1e200;
    refused_value(system, CAROM_STATUS_NOT_FINITE, "stiffness");
    // Sixth powers of the frequency, alone and times the gap.
    system->mass[0] = 1.0;
    const double stiffnesses[] = {1e103, 1e-103, 1e95, 1e-95};
    const double gaps[] = {1.0, 1.0, 1e30, 1e-30};
    for (int i = 0; i < 4; i++) {
        system->stiffness[0] = stiffnesses[i];
        system->gap_at_rest = gaps[i];
        refused_value(system, CAROM_STATUS_OUT_OF_RANGE, "squared frequency");
    }
    system->mass[0] = 1e-200;
    system->stiffness[0] = 1.0;
    system->contact_normal[0] = 1e300;
    refused_value(system, CAROM_STATUS_OUT_OF_RANGE, "contact normal");
    carom_linear_system_free(system);
}

TEST(errors, every_allocation_that_fails_is_reported_without_a_leak) {
    carom_linear_system *system;
    assert_ok(carom_serial_chain_uniform_alloc(3, 1.0, &system, NULL));
    carom_modal_basis *basis = NULL;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int granted = 0;
    for (; status != CAROM_OK; granted++) {
        successes_left = granted;
        status = carom_modal_basis_compute(system, &basis, NULL);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_ptr_null(basis);
        }
    }
    // Two of the check, seven of the reduction, five of the basis, two of the modes, then success.
    ck_assert_int_eq(granted, 17);
    carom_modal_basis_free(basis);
    carom_modal_basis_free(NULL);
    carom_linear_system_free(system);
}
