/* carom/models/clamped_bar.h against matrices by hand, the closed form of the discrete frequencies,
 * and the continuous bar. */
#include "../failing_malloc.h"
#include "../support.h"

#include <carom/models/clamped_bar.h>
#include <carom/modes/modal_basis.h>

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>

/** A bar with every parameter of its own. */
static carom_clamped_bar_params example(int elements) {
    const carom_clamped_bar_params params = {
        .young_modulus = 700.0,
        .density = 1.2,
        .length = 3.0,
        .section = 0.5,
        .gap_at_rest = -0.4,
        .elements = elements,
    };
    return params;
}

static carom_modal_basis *basis_of(const carom_clamped_bar_params *params) {
    carom_linear_system *system;
    carom_modal_basis *basis;
    assert_ok(carom_clamped_bar_alloc(params, &system, NULL));
    assert_ok(carom_modal_basis_compute(system, &basis, NULL));
    carom_linear_system_free(system);
    return basis;
}

TEST(unit, the_default_bar_has_units_and_ten_elements) {
    const carom_clamped_bar_params params = carom_clamped_bar_params_default();
    assert_close(params.young_modulus, 1.0, 0.0, 0.0);
    assert_close(params.density, 1.0, 0.0, 0.0);
    assert_close(params.length, 1.0, 0.0, 0.0);
    assert_close(params.section, 1.0, 0.0, 0.0);
    assert_close(params.gap_at_rest, 1.0, 0.0, 0.0);
    ck_assert_int_eq(params.elements, 10);
}

TEST(unit, two_elements_give_the_matrices_written_out_by_hand) {
    /* h = 1.5 m: rho A h / 6 = 0.15 kg, E A / h = 700/3 N/m. */
    const carom_clamped_bar_params params = example(2);
    const double k = 700.0 / 3.0;
    const double M[4] = {0.6, 0.15, 0.15, 0.3};
    const double K[4] = {2.0 * k, -k, -k, k};
    carom_linear_system *system;
    assert_ok(carom_clamped_bar_alloc(&params, &system, NULL));
    ck_assert_int_eq(system->coordinate_count, 2);
    for (int i = 0; i < 4; i++) {
        // Roundings of a few products.
        assert_close(system->mass[i], M[i], 1e-15, 0.0);
        assert_close(system->stiffness[i], K[i], 1e-15, 0.0);
    }
    assert_close(system->contact_normal[0], 0.0, 0.0, 0.0);
    assert_close(system->contact_normal[1], -1.0, 0.0, 0.0);
    assert_close(system->gap_at_rest, -0.4, 0.0, 0.0);
    carom_linear_system_free(system);
}

TEST(unit, one_element_has_the_frequency_of_paper_and_pencil) {
    /* K = E A / L, M = rho A L / 3: omega = sqrt(3) c / L. */
    const carom_clamped_bar_params params = example(1);
    carom_modal_basis *basis = basis_of(&params);
    assert_close(basis->frequency[0], sqrt(3.0 * 700.0 / 1.2) / 3.0, 1e-15, 0.0);
    carom_modal_basis_free(basis);
}

TEST(unit, frequencies_have_the_closed_form_of_consistent_mass) {
    // omega^2 = 6 c^2/h^2 (1 - cos t)/(2 + cos t), t = (2 l - 1) pi/(2 n); 1 - cos t = 2 sin^2 t/2.
    const int sizes[] = {1, 2, 3, 7, 20, 64};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        const int n = sizes[k];
        const carom_clamped_bar_params params = example(n);
        const double c = sqrt(params.young_modulus / params.density);
        const double h = params.length / n;
        carom_modal_basis *basis = basis_of(&params);
        ck_assert_int_eq(basis->visible_count, n);
        for (int l = 1; l <= n; l++) {
            const double t = (2 * l - 1) * M_PI / (2.0 * n);
            const double omega = c / h * sin(0.5 * t) * sqrt(12.0 / (2.0 + cos(t)));
            /* The roundings of E A / h in the diagonal and beside it are the same, so that those of
             * M and the last digits of the closed form remain. */
            assert_close(basis->frequency[l - 1], omega, 1e-14, 0.0);
        }
        carom_modal_basis_free(basis);
    }
}

TEST(property, frequencies_converge_to_the_continuous_bar_with_order_two) {
    // (2 l - 1) pi c / (2 L); relative error (omega h / c)^2 / 24 (1 + O(h^2)), from above.
    carom_clamped_bar_params params = example(20);
    const double c = sqrt(params.young_modulus / params.density);
    for (int l = 1; l <= 3; l++) {
        const double exact = (2 * l - 1) * M_PI * c / (2.0 * params.length);
        double errors[2];
        for (int k = 0; k < 2; k++) {
            params.elements = 40 << k;
            const double step = exact * params.length / (params.elements * c);
            carom_modal_basis *basis = basis_of(&params);
            errors[k] = basis->frequency[l - 1] / exact - 1.0;
            // The next term is of relative size step^2 < 0.04.
            assert_close(errors[k], step * step / 24.0, 0.04, 0.0);
            carom_modal_basis_free(basis);
        }
        // The ratio 4 up to the next term.
        assert_close(errors[0] / errors[1], 4.0, 0.02, 0.0);
    }
}

TEST(property, the_free_end_yields_as_the_continuous_bar_does) {
    // Linear elements are exact for end loads: u(L) = F L / (E A).
    for (int n = 1; n <= 16; n *= 2) {
        const carom_clamped_bar_params params = example(n);
        carom_linear_system *system;
        assert_ok(carom_clamped_bar_alloc(&params, &system, NULL));
        gsl_matrix_view K = gsl_matrix_view_array(system->stiffness, (size_t)n, (size_t)n);
        gsl_vector_view w = gsl_vector_view_array(system->contact_normal, (size_t)n);
        ck_assert_int_eq(gsl_linalg_cholesky_decomp1(&K.matrix), GSL_SUCCESS);
        ck_assert_int_eq(gsl_linalg_cholesky_svx(&K.matrix, &w.vector), GSL_SUCCESS);
        // Condition of K: n^2, 256.
        assert_close(-system->contact_normal[n - 1], 3.0 / (700.0 * 0.5), 1e-13, 0.0);
        carom_linear_system_free(system);
    }
}

TEST(property, a_body_in_uniform_motion_has_the_mass_of_the_bar) {
    // 1'M 1 = rho A L less the share of the clamped node, rho A h (1/3 + 2/6).
    for (int n = 1; n <= 16; n *= 2) {
        const carom_clamped_bar_params params = example(n);
        carom_linear_system *system;
        assert_ok(carom_clamped_bar_alloc(&params, &system, NULL));
        double sum = 0.0;
        for (int k = 0; k < n * n; k++) {
            sum += system->mass[k];
        }
        assert_close(sum, 1.2 * 0.5 * 3.0 * (1.0 - 2.0 / (3.0 * n)), 1e-14, 0.0);
        carom_linear_system_free(system);
    }
}

/** The parameters are refused by name. */
static void assert_refused(const carom_clamped_bar_params *params, carom_status expected,
                           const char *quantity) {
    carom_linear_system *system;
    carom_report report = carom_report_empty();
    const carom_status status = carom_clamped_bar_alloc(params, &system, &report);
    ck_assert_int_eq(status, expected);
    ck_assert_int_eq(carom_clamped_bar_alloc(params, &system, NULL), expected);
    ck_assert_ptr_null(system);
    ck_assert_str_eq(report.quantity, quantity);
}

TEST(errors, parameters_that_are_no_bar_are_refused_by_name) {
    const double bad[4] = {0.0, -2.385, (double)NAN, (double)INFINITY};
    for (int k = 0; k < 4; k++) {
        const carom_status expected = k < 2 ? CAROM_STATUS_OUT_OF_RANGE : CAROM_STATUS_NOT_FINITE;
        carom_clamped_bar_params params = example(3);
        params.young_modulus = bad[k];
        assert_refused(&params, expected, "young modulus");
        params = example(3);
        params.density = bad[k];
        assert_refused(&params, expected, "density");
        params = example(3);
        params.length = bad[k];
        assert_refused(&params, expected, "length");
        params = example(3);
        params.section = bad[k];
        assert_refused(&params, expected, "section");
        if (k >= 2) {
            params = example(3);
            params.gap_at_rest = bad[k];
            assert_refused(&params, expected, "gap at rest");
        }
    }
    const carom_clamped_bar_params empty = example(0);
    assert_refused(&empty, CAROM_STATUS_OUT_OF_RANGE, "elements");
}

TEST(errors, every_allocation_that_fails_is_reported_without_a_leak) {
    const carom_clamped_bar_params params = example(3);
    carom_linear_system *system = NULL;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int granted = 0;
    for (; status != CAROM_OK; granted++) {
        successes_left = granted;
        status = carom_clamped_bar_alloc(&params, &system, NULL);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_ptr_null(system);
        }
    }
    ck_assert_int_eq(granted, 5);
    carom_linear_system_free(system);
}
