/** Linear structures to reduce, and what the header promises of any modal basis. */
#ifndef CAROM_TESTS_MODES_STRUCTURES_H
#define CAROM_TESTS_MODES_STRUCTURES_H

#include "../support.h"

#include <carom/modes/modal_basis.h>

#include <gsl/gsl_linalg.h>
#include <string.h>

#define LARGEST 8

/** A structure of full random definite matrices A'A + I/2; w = e_i, e_i - e_j or full. */
static inline carom_linear_system *random_system(gsl_rng *generator, int n) {
    carom_linear_system *system;
    assert_ok(carom_linear_system_alloc(n, &system));
    double *matrices[2] = {system->mass, system->stiffness};
    for (int which = 0; which < 2; which++) {
        double A[LARGEST * LARGEST] = {0.0};
        for (int k = 0; k < n * n; k++) {
            A[k] = uniform(generator, -1.0, 1.0);
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = i == j ? 0.5 : 0.0;
                for (int k = 0; k < n; k++) {
                    sum += A[k * n + i] * A[k * n + j];
                }
                matrices[which][i * n + j] = matrices[which][j * n + i] = sum;
            }
        }
    }
    const int kind = (int)gsl_rng_uniform_int(generator, 3);
    for (int i = 0; kind == 2 && i < n; i++) {
        system->contact_normal[i] = uniform(generator, -2.0, 2.0);
    }
    if (kind < 2) {
        system->contact_normal[0] = uniform(generator, 0.5, 2.0);
        if (kind == 1 && n > 1) {
            system->contact_normal[n - 1] = -system->contact_normal[0];
        }
    }
    system->gap_at_rest = uniform(generator, -1.0, 1.0);
    return system;
}

static inline void random_vector(gsl_rng *generator, int n, double *x) {
    for (int i = 0; i < n; i++) {
        x[i] = uniform(generator, -1.0, 1.0);
    }
}

static inline double dot(int n, const double *x, const double *y) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/** x'A y. */
static inline double form(int n, const double *A, const double *x, const double *y) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * dot(n, A + i * n, y);
    }
    return sum;
}

/** M^-1 b by GSL. */
static inline void divide_by_mass(const carom_linear_system *system, const double *b, double *x) {
    const size_t n = (size_t)system->coordinate_count;
    gsl_matrix *M = gsl_matrix_alloc(n, n);
    memcpy(M->data, system->mass, n * n * sizeof(double));
    memcpy(x, b, n * sizeof(double));
    gsl_vector_view view = gsl_vector_view_array(x, n);
    ck_assert_int_eq(gsl_linalg_cholesky_decomp1(M), GSL_SUCCESS);
    ck_assert_int_eq(gsl_linalg_cholesky_svx(M, &view.vector), GSL_SUCCESS);
    gsl_matrix_free(M);
}

static inline void column(const carom_modal_basis *basis, int l, double *x) {
    for (int i = 0; i < basis->coordinate_count; i++) {
        x[i] = basis->shape[i * basis->coordinate_count + l];
    }
}

/** All that the header says of a basis: orthonormal modes, order, signs, M B, rho, G. */
static inline void assert_basis(const carom_linear_system *system, const carom_modal_basis *basis) {
    const int n = system->coordinate_count;
    // Sums of n^2 terms of the size of the entries of M, K and B, below LARGEST each.
    const double rounding = 1e-14 * n;
    double x[LARGEST];
    double y[LARGEST];
    double squares = 0.0;
    divide_by_mass(system, system->contact_normal, x);
    const double root_G = sqrt(dot(n, system->contact_normal, x));
    assert_close(basis->root_inverse_mass, root_G, 1e-13, 0.0);
    assert_close(basis->gap_at_rest, system->gap_at_rest, 0.0, 0.0);
    ck_assert_int_eq(basis->coordinate_count, n);
    for (int l = 0; l < n; l++) {
        const double omega = basis->frequency[l];
        const double rho = basis->participation[l];
        column(basis, l, x);
        for (int k = 0; k < n; k++) {
            column(basis, k, y);
            assert_close(form(n, system->mass, x, y), k == l ? 1.0 : 0.0, 0.0, rounding);
            assert_close(form(n, system->stiffness, x, y), k == l ? omega * omega : 0.0, 1e-14,
                         rounding * 10.0);
        }
        for (int i = 0; i < n; i++) {
            assert_close(basis->mass_shape[i * n + l], dot(n, system->mass + i * n, x), 0.0,
                         rounding);
        }
        assert_close(dot(n, system->contact_normal, x), -root_G * rho, 0.0, rounding);
        ck_assert(l < basis->visible_count ? rho > 0.0 : !(fabs(rho) > 0.0));
        ck_assert(l == 0 || l == basis->visible_count || omega >= basis->frequency[l - 1]);
        squares += rho * rho;
    }
    assert_close(squares, 1.0, 1e-15 * n, 0.0);
}

/** A structure of unit masses from the lower triangle of K. */
static inline carom_linear_system *system_of(int n, const double *K, const double *w) {
    carom_linear_system *system;
    assert_ok(carom_linear_system_alloc(n, &system));
    memcpy(system->stiffness, K, (size_t)(n * n) * sizeof(double));
    memcpy(system->contact_normal, w, (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) {
        system->mass[i * n + i] = 1.0;
    }
    return system;
}

#endif
