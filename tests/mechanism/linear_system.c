/* carom/mechanism/linear_system.h: what is a structure and what is refused, with the reason. */
#include "../failing_malloc.h"
#include "../support.h"

#include <carom/mechanism/linear_system.h>

#include <gsl/gsl_eigen.h>

#define SIZE 3

/** A structure with full matrices; the stiffness need not be definite here. */
static carom_linear_system *example(void) {
    static const double mass[SIZE * SIZE] = {2.385, 0.31, -0.42, 0.31, 1.7, 0.26, -0.42, 0.26, 0.9};
    static const double stiffness[SIZE * SIZE] = {5.1, -2.3, 0.7, -2.3, -6.4, -1.9, 0.7, -1.9, 4.8};
    carom_linear_system *system;
    assert_ok(carom_linear_system_alloc(SIZE, &system));
    for (int k = 0; k < SIZE * SIZE; k++) {
        system->mass[k] = mass[k];
        system->stiffness[k] = stiffness[k];
    }
    system->contact_normal[1] = 0.83;
    system->gap_at_rest = -0.27;
    return system;
}

TEST(unit, a_new_system_holds_zeros) {
    carom_linear_system *system;
    assert_ok(carom_linear_system_alloc(SIZE, &system));
    ck_assert_int_eq(system->coordinate_count, SIZE);
    for (int k = 0; k < SIZE * SIZE; k++) {
        assert_close(system->mass[k], 0.0, 0.0, 0.0);
        assert_close(system->stiffness[k], 0.0, 0.0, 0.0);
    }
    for (int i = 0; i < SIZE; i++) {
        assert_close(system->contact_normal[i], 0.0, 0.0, 0.0);
    }
    assert_close(system->gap_at_rest, 0.0, 0.0, 0.0);
    carom_linear_system_free(system);
    carom_linear_system_free(NULL);
}

TEST(unit, a_structure_is_accepted_whatever_the_sign_of_gap_and_stiffness) {
    carom_linear_system *system = example();
    carom_report report = carom_report_empty();
    report.index = 31;
    const double gaps[] = {-0.27, 0.0, 1.3};
    for (size_t k = 0; k < 3; k++) {
        system->gap_at_rest = gaps[k];
        assert_ok(carom_linear_system_check(system, &report));
        assert_ok(carom_linear_system_check(system, NULL));
    }
    ck_assert_int_eq(report.index, 31);
    carom_linear_system_free(system);
}

TEST(unit, matrices_are_symmetric_to_a_millionth_of_a_millionth_of_their_largest_entry) {
    carom_linear_system *system = example();
    double *matrices[2] = {system->mass, system->stiffness};
    const double largest[2] = {2.385, 6.4};
    for (int k = 0; k < 2; k++) {
        double *entry = &matrices[k][2 * SIZE + 1];
        const double before = *entry;
        *entry = before + 0.9e-12 * largest[k];
        assert_ok(carom_linear_system_check(system, NULL));
        *entry = before + 1.1e-12 * largest[k];
        carom_report report = carom_report_empty();
        assert_status(carom_linear_system_check(system, &report), NOT_SYMMETRIC);
        ck_assert_str_eq(report.quantity, k == 0 ? "mass" : "stiffness");
        ck_assert_int_eq(report.index, 2);
        // Rounding of the entry itself.
        assert_close(report.value, 1.1e-12 * largest[k], 0.0, 1e-15);
        *entry = before;
    }
    carom_linear_system_free(system);
}

/** Smallest eigenvalue by GSL. */
static double smallest_eigenvalue(int n, const double *A) {
    const size_t size = (size_t)n;
    gsl_matrix *copy = gsl_matrix_alloc(size, size);
    gsl_vector *eigenvalues = gsl_vector_alloc(size);
    gsl_eigen_symm_workspace *work = gsl_eigen_symm_alloc(size);
    for (size_t k = 0; k < size * size; k++) {
        copy->data[k] = A[k];
    }
    ck_assert_int_eq(gsl_eigen_symm(copy, eigenvalues, work), GSL_SUCCESS);
    const double smallest = gsl_vector_min(eigenvalues);
    gsl_matrix_free(copy);
    gsl_vector_free(eigenvalues);
    gsl_eigen_symm_free(work);
    return smallest;
}

TEST(property, a_mass_is_definite_where_its_smallest_eigenvalue_is_positive) {
    const unsigned long seed = 20170101;
    gsl_rng *generator = seeded_generator(seed);
    for (int round = 0; round < 200; round++) {
        const int n = 1 + (int)gsl_rng_uniform_int(generator, 8);
        carom_linear_system *system;
        assert_ok(carom_linear_system_alloc(n, &system));
        system->contact_normal[0] = 1.0;
        // Random symmetric with zeros, shifted to either side of definite.
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                const double entry =
                    gsl_rng_uniform(generator) < 0.4 ? 0.0 : uniform(generator, -1.0, 1.0);
                system->mass[i * n + j] = entry;
                system->mass[j * n + i] = entry;
            }
        }
        const double shift = smallest_eigenvalue(n, system->mass);
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int i = 0; i < n; i++) {
                system->mass[i * n + i] -= shift - 1e-6 * sign;
            }
            const carom_status status = carom_linear_system_check(system, NULL);
            ck_assert_msg(status == (sign > 0 ? CAROM_OK : CAROM_STATUS_OUT_OF_RANGE),
                          "seed %lu, round %d, sign %d: %s", seed, round, sign,
                          carom_status_name(status));
            for (int i = 0; i < n; i++) {
                system->mass[i * n + i] += shift - 1e-6 * sign;
            }
        }
        carom_linear_system_free(system);
    }
    gsl_rng_free(generator);
}

/** One entry is replaced, the check refuses it by name and row, the entry is put back. */
#define assert_refused(entry, bad, status, name, row)                              \
    do {                                                                           \
        const double refused_before = (entry);                                     \
        carom_report refused_report = carom_report_empty();                        \
        (entry) = (bad);                                                           \
        assert_status(carom_linear_system_check(system, &refused_report), status); \
        assert_status(carom_linear_system_check(system, NULL), status);            \
        ck_assert_str_eq(refused_report.quantity, name);                           \
        ck_assert_int_eq(refused_report.index, row);                               \
        (entry) = refused_before;                                                  \
    } while (0)

TEST(errors, nan_and_infinity_are_refused) {
    carom_linear_system *system = example();
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (size_t k = 0; k < 3; k++) {
        assert_refused(system->mass[1 * SIZE + 2], bad[k], NOT_FINITE, "mass", 1);
        assert_refused(system->stiffness[2 * SIZE], bad[k], NOT_FINITE, "stiffness", 2);
        assert_refused(system->contact_normal[2], bad[k], NOT_FINITE, "contact normal", 2);
        assert_refused(system->gap_at_rest, bad[k], NOT_FINITE, "gap at rest", 0);
    }
    assert_ok(carom_linear_system_check(system, NULL));
    carom_linear_system_free(system);
}

TEST(errors, a_mass_that_is_not_definite_is_refused_with_its_pivot) {
    carom_linear_system *system = example();
    assert_refused(system->mass[0], 0.0, OUT_OF_RANGE, "mass, not positive definite: pivot", 0);
    assert_refused(system->mass[4], -1.7, OUT_OF_RANGE, "mass, not positive definite: pivot", 1);
    carom_linear_system_free(system);

    // By hand: 1.5 - 2^2/1 = -2.5; then 4 - 2^2/1 = 0, singular.
    const double last[] = {1.5, 4.0};
    for (int k = 0; k < 2; k++) {
        assert_ok(carom_linear_system_alloc(2, &system));
        system->contact_normal[0] = 1.0;
        system->mass[0] = 1.0;
        system->mass[1] = system->mass[2] = 2.0;
        system->mass[3] = last[k];
        carom_report report = carom_report_empty();
        assert_status(carom_linear_system_check(system, &report), OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, "mass, not positive definite: pivot");
        ck_assert_int_eq(report.index, 1);
        assert_close(report.value, last[k] - 4.0, 0.0, 0.0);
        carom_linear_system_free(system);
    }
}

TEST(errors, a_mass_that_is_singular_but_for_rounding_is_refused) {
    // Rank one, of entries that are not exact: the second pivot is zero or a rounding.
    const unsigned long seed = 20170102;
    gsl_rng *generator = seeded_generator(seed);
    for (int round = 0; round < 200; round++) {
        carom_linear_system *system = example();
        double a[SIZE];
        for (int i = 0; i < SIZE; i++) {
            a[i] = uniform(generator, 0.1, 3.0);
        }
        for (int i = 0; i < SIZE; i++) {
            for (int j = 0; j < SIZE; j++) {
                system->mass[i * SIZE + j] = a[i] * a[j];
            }
        }
        carom_report report = carom_report_empty();
        assert_status(carom_linear_system_check(system, &report), OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, "mass, not positive definite: pivot");
        ck_assert_msg(report.index == 1, "seed %lu, round %d", seed, round);
        carom_linear_system_free(system);
    }
    gsl_rng_free(generator);
}

TEST(errors, a_normal_of_zeros_is_refused) {
    carom_linear_system *system = example();
    assert_refused(system->contact_normal[1], 0.0, OUT_OF_RANGE, "contact normal", -1);
    carom_linear_system_free(system);
}

TEST(errors, a_system_without_coordinates_is_refused) {
    carom_linear_system *system = example();
    carom_linear_system *const before = system;
    assert_status(carom_linear_system_alloc(0, &system), OUT_OF_RANGE);
    ck_assert_ptr_null(system);
    assert_status(carom_linear_system_alloc(-3, &system), OUT_OF_RANGE);
    carom_linear_system_free(before);
}

TEST(errors, every_allocation_that_fails_is_reported_without_a_leak) {
    carom_linear_system *system = NULL;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int granted = 0;
    for (; status != CAROM_OK; granted++) {
        successes_left = granted;
        status = carom_linear_system_alloc(SIZE, &system);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_ptr_null(system);
        }
    }
    ck_assert_int_eq(granted, 5);
    carom_linear_system_free(system);

    system = example();
    status = CAROM_STATUS_OUT_OF_MEMORY;
    for (granted = 0; status != CAROM_OK; granted++) {
        successes_left = granted;
        status = carom_linear_system_check(system, NULL);
        successes_left = -1;
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
    }
    ck_assert_int_gt(granted, 1);
    carom_linear_system_free(system);
}
