/* carom/models/serial_chain.h against thorin-2017 (7.2), (7.3) written out, and statics. */
#include "../failing_malloc.h"
#include "../support.h"

#include <carom/models/serial_chain.h>

#include <gsl/gsl_linalg.h>

TEST(unit, three_masses_give_the_matrices_written_out_by_hand) {
    const double masses[3] = {0.4, 1.3, 2.385};
    const double stiffnesses[3] = {5.5, 3.25, 7.75};
    // (7.3): K_11 = 5.5 + 3.25, K_22 = 3.25 + 7.75, K_33 = 7.75, all exact.
    const double M[9] = {0.4, 0.0, 0.0, 0.0, 1.3, 0.0, 0.0, 0.0, 2.385};
    const double K[9] = {8.75, -3.25, 0.0, -3.25, 11.0, -7.75, 0.0, -7.75, 7.75};
    const double w[3] = {0.0, 0.0, -1.0};
    carom_linear_system *system;
    assert_ok(carom_serial_chain_alloc(3, masses, stiffnesses, -0.31, &system, NULL));
    ck_assert_int_eq(system->coordinate_count, 3);
    for (int k = 0; k < 9; k++) {
        assert_close(system->mass[k], M[k], 0.0, 0.0);
        assert_close(system->stiffness[k], K[k], 0.0, 0.0);
    }
    for (int i = 0; i < 3; i++) {
        assert_close(system->contact_normal[i], w[i], 0.0, 0.0);
    }
    assert_close(system->gap_at_rest, -0.31, 0.0, 0.0);
    carom_linear_system_free(system);
}

TEST(unit, one_mass_has_one_spring) {
    const double mass = 0.37;
    const double stiffness = 2.9;
    carom_linear_system *system;
    assert_ok(carom_serial_chain_alloc(1, &mass, &stiffness, 0.0, &system, NULL));
    assert_close(system->mass[0], 0.37, 0.0, 0.0);
    assert_close(system->stiffness[0], 2.9, 0.0, 0.0);
    assert_close(system->contact_normal[0], -1.0, 0.0, 0.0);
    carom_linear_system_free(system);
}

TEST(unit, the_uniform_chain_is_that_of_the_paper) {
    carom_linear_system *system;
    assert_ok(carom_serial_chain_uniform_alloc(5, 1.0, &system, NULL));
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++) {
            const double diagonal = i == 4 ? 5.0 : 10.0;
            const double K = i == j ? diagonal : (abs(i - j) == 1 ? -5.0 : 0.0);
            assert_close(system->mass[5 * i + j], i == j ? 0.2 : 0.0, 0.0, 0.0);
            assert_close(system->stiffness[5 * i + j], K, 0.0, 0.0);
        }
    }
    assert_close(system->gap_at_rest, 1.0, 0.0, 0.0);
    carom_linear_system_free(system);
}

/** A chain of random masses and springs, of moderate ratios; accepted by the check. */
static carom_linear_system *random_chain(gsl_rng *generator, int n, double *stiffnesses) {
    double masses[8];
    for (int i = 0; i < n; i++) {
        masses[i] = uniform(generator, 0.2, 2.0);
        stiffnesses[i] = uniform(generator, 0.5, 9.0);
    }
    carom_linear_system *system;
    assert_ok(carom_serial_chain_alloc(n, masses, stiffnesses, uniform(generator, -1.0, 1.0),
                                       &system, NULL));
    assert_ok(carom_linear_system_check(system, NULL));
    return system;
}

TEST(property, the_stiffness_stores_the_energy_of_the_springs) {
    gsl_rng *generator = seeded_generator(71);
    for (int round = 0; round < 100; round++) {
        const int n = 1 + (int)gsl_rng_uniform_int(generator, 8);
        double k[8];
        double u[8];
        carom_linear_system *system = random_chain(generator, n, k);
        double springs = 0.0;
        for (int i = 0; i < n; i++) {
            u[i] = uniform(generator, -1.0, 1.0);
            const double stretch = i == 0 ? u[0] : u[i] - u[i - 1];
            springs += k[i] * stretch * stretch;
        }
        double energy = 0.0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                energy += u[i] * system->stiffness[i * n + j] * u[j];
            }
        }
        // Roundings of 3 n terms of size up to 18.
        assert_close(energy, springs, 0.0, 1e-13);
        carom_linear_system_free(system);
    }
    gsl_rng_free(generator);
}

TEST(property, the_free_end_yields_by_the_sum_of_all_springs) {
    // All springs in series: w'K^-1 w = sum 1/k_i.
    gsl_rng *generator = seeded_generator(72);
    for (int round = 0; round < 100; round++) {
        const int n = 1 + (int)gsl_rng_uniform_int(generator, 8);
        double k[8];
        carom_linear_system *system = random_chain(generator, n, k);
        double expected = 0.0;
        for (int i = 0; i < n; i++) {
            expected += 1.0 / k[i];
        }
        gsl_matrix_view K = gsl_matrix_view_array(system->stiffness, (size_t)n, (size_t)n);
        gsl_vector_view w = gsl_vector_view_array(system->contact_normal, (size_t)n);
        ck_assert_int_eq(gsl_linalg_cholesky_decomp1(&K.matrix), GSL_SUCCESS);
        ck_assert_int_eq(gsl_linalg_cholesky_svx(&K.matrix, &w.vector), GSL_SUCCESS);
        // Condition of K: up to about 1e4.
        assert_close(-system->contact_normal[n - 1], expected, 1e-12, 0.0);
        carom_linear_system_free(system);
    }
    gsl_rng_free(generator);
}

TEST(errors, bad_masses_and_springs_are_refused_by_name_and_place) {
    const double bad[4] = {0.0, -2.385, (double)NAN, (double)INFINITY};
    for (int kind = 0; kind < 2; kind++) {
        for (int k = 0; k < 4; k++) {
            double values[2][3] = {{0.4, 1.3, 2.385}, {5.5, 3.25, 7.75}};
            values[kind][1] = bad[k];
            carom_linear_system *system;
            carom_report report = carom_report_empty();
            const carom_status status =
                carom_serial_chain_alloc(3, values[0], values[1], 1.0, &system, &report);
            ck_assert_int_eq(status, k < 2 ? CAROM_STATUS_OUT_OF_RANGE : CAROM_STATUS_NOT_FINITE);
            ck_assert_ptr_null(system);
            ck_assert_str_eq(report.quantity, kind == 0 ? "mass" : "stiffness");
            ck_assert_int_eq(report.index, 1);
            ck_assert(k == 2 ? isnan(report.value) : report.value <= bad[k]);
        }
    }
}

TEST(errors, a_gap_that_is_not_finite_and_no_masses_are_refused) {
    const double one[1] = {1.0};
    carom_linear_system *system;
    carom_report report = carom_report_empty();
    assert_status(carom_serial_chain_alloc(1, one, one, (double)NAN, &system, &report), NOT_FINITE);
    ck_assert_str_eq(report.quantity, "gap at rest");
    assert_status(carom_serial_chain_uniform_alloc(3, (double)INFINITY, &system, NULL), NOT_FINITE);
    ck_assert_ptr_null(system);
    assert_status(carom_serial_chain_alloc(0, one, one, 1.0, &system, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "mass count");
    assert_status(carom_serial_chain_uniform_alloc(-2, 1.0, &system, &report), OUT_OF_RANGE);
    assert_close(report.value, -2.0, 0.0, 0.0);
}

TEST(errors, every_allocation_that_fails_is_reported_without_a_leak) {
    carom_linear_system *system = NULL;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int granted = 0;
    for (; status != CAROM_OK; granted++) {
        successes_left = granted;
        status = carom_serial_chain_uniform_alloc(4, 1.0, &system, NULL);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_ptr_null(system);
        }
    }
    ck_assert_int_eq(granted, 7);
    carom_linear_system_free(system);
}
