/* carom/collisionless/motion/collisionless_motion.h: published values of the armed biped, the
 * defining equations of both phases on random systems, and what decouples from the contact. */
#include "../../failing_malloc.h"
#include "../../support.h"

#include <carom/base/random.h>
#include <carom/collisionless/curves/critical_region.h>
#include <carom/collisionless/motion/collisionless_motion.h>

#include <float.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_roots.h>
#include <gsl/gsl_sort_vector.h>
#include <string.h>

/* Calls of the library that end here (linker option --wrap), to make them fail on request. */
gsl_eigen_symmv_workspace *__real_gsl_eigen_symmv_alloc(size_t n);
gsl_eigen_symmv_workspace *__wrap_gsl_eigen_symmv_alloc(size_t n);
int __real_gsl_eigen_symmv(gsl_matrix *A, gsl_vector *eval, gsl_matrix *evec,
                           gsl_eigen_symmv_workspace *w);
int __wrap_gsl_eigen_symmv(gsl_matrix *A, gsl_vector *eval, gsl_matrix *evec,
                           gsl_eigen_symmv_workspace *w);
gsl_root_fsolver *__real_gsl_root_fsolver_alloc(const gsl_root_fsolver_type *T);
gsl_root_fsolver *__wrap_gsl_root_fsolver_alloc(const gsl_root_fsolver_type *T);
int __real_gsl_root_fsolver_iterate(gsl_root_fsolver *s);
int __wrap_gsl_root_fsolver_iterate(gsl_root_fsolver *s);

static bool do_eigenvalues_fail = false;
static bool do_roots_fail = false;

gsl_eigen_symmv_workspace *__wrap_gsl_eigen_symmv_alloc(size_t n) {
    return may_allocate() ? __real_gsl_eigen_symmv_alloc(n) : NULL;
}

int __wrap_gsl_eigen_symmv(gsl_matrix *A, gsl_vector *eval, gsl_matrix *evec,
                           gsl_eigen_symmv_workspace *w) {
    return do_eigenvalues_fail ? GSL_EMAXITER : __real_gsl_eigen_symmv(A, eval, evec, w);
}

gsl_root_fsolver *__wrap_gsl_root_fsolver_alloc(const gsl_root_fsolver_type *T) {
    return may_allocate() ? __real_gsl_root_fsolver_alloc(T) : NULL;
}

int __wrap_gsl_root_fsolver_iterate(gsl_root_fsolver *s) {
    return do_roots_fail ? GSL_EBADFUNC : __real_gsl_root_fsolver_iterate(s);
}

enum { LARGEST = 30 };

/** (44), (45) for unit masses, lengths and gravity. */
static const double BIPED_MASS[9] = {1.0, -1.0, -1.0, -1.0, 2.0, 2.0, -1.0, 2.0, 3.0};
static const double BIPED_STIFFNESS[9] = {1.0, 0.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, -3.0};

/** Modes that must exist; even when free, odd when held. */
static carom_phase_modes *modes_of(int n, const double *mass, const double *stiffness) {
    carom_phase_modes *modes;
    assert_ok(carom_phase_modes_compute(n, mass, stiffness, CAROM_PARITY_EVEN, CAROM_PARITY_ODD,
                                        &modes, NULL));
    assert_ok(carom_phase_spectra_check(modes->spectra, NULL));
    ck_assert_int_eq(modes->coordinate_count, n);
    ck_assert_int_eq(modes->decoupled_count, n - modes->spectra->mode_count);
    return modes;
}

TEST(unit, the_armed_biped_has_the_published_modes) {
    carom_phase_modes *modes = modes_of(3, BIPED_MASS, BIPED_STIFFNESS);
    const carom_phase_spectra *spectra = modes->spectra;
    ck_assert_int_eq(spectra->mode_count, 3);
    ck_assert(!modes->is_stiffness_singular);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(spectra->unconstrained_parity[i], CAROM_PARITY_EVEN);
    }
    ck_assert_int_eq(spectra->constrained_parity[0], CAROM_PARITY_ODD);
    ck_assert_int_eq(spectra->constrained_parity[1], CAROM_PARITY_ODD);

    /* (64), half a unit of the last digit. */
    const double lambda[3] = {-5.85028, -0.67319, 1.52348};
    for (int i = 0; i < 3; i++) {
        assert_close(spectra->unconstrained[i], lambda[i], 0.0, 0.5e-5);
    }
    assert_close(spectra->constrained[0], -1.4142, 0.0, 0.5e-4);
    assert_close(spectra->constrained[1], 1.4142, 0.0, 0.5e-4);

    /* (65). */
    const double M_printed[6] = {-0.22542, -0.13766, 1.34949, -0.47906, 0.34040, 9.15225};
    double M[6];
    carom_cauchy_matrix(3, 2, spectra->unconstrained, spectra->constrained, M);
    for (int k = 0; k < 6; k++) {
        assert_close(M[k], M_printed[k], 0.0, 0.5e-5);
    }

    /* (66), (67) and c. */
    const double X[9] = {-2.3698, 2.2804, 9.4927, -9.3017, 3.0480, 2.2617, 6.5268, 2.6199, 1.0};
    for (int k = 0; k < 9; k++) {
        assert_close(modes->shape[k], X[k], 0.0, 0.5e-4);
    }
    const double X_held[6] = {14.780, 86.146, 25.232, 25.232, 0.0, 0.0};
    for (int k = 0; k < 6; k++) {
        assert_close(modes->constrained_shape[k], X_held[k], 0.0, 0.5e-3);
    }
    assert_close(modes->normalisation, 0.019816, 0.0, 0.5e-6);
    carom_phase_modes_free(modes);
}

TEST(unit, the_armed_biped_has_the_reference_modes) {
    // Reference tables, A.1: an independent computation.
    carom_phase_modes *modes = modes_of(3, BIPED_MASS, BIPED_STIFFNESS);
    const carom_phase_spectra *spectra = modes->spectra;
    const double lambda[3] = {-5.850284901586612, -0.673191369894797, 1.523476271481409};
    for (int i = 0; i < 3; i++) {
        // Sixteen digits, and the cubic.
        const double L = spectra->unconstrained[i];
        assert_close(L, lambda[i], 0.0, 2e-15);
        assert_close(((L + 5.0) * L - 6.0) * L - 6.0, 0.0, 0.0, 300.0 * DBL_EPSILON);
    }
    assert_close(spectra->constrained[0], -M_SQRT2, 4.0 * DBL_EPSILON, 0.0);
    assert_close(spectra->constrained[1], M_SQRT2, 4.0 * DBL_EPSILON, 0.0);
    const double X[9] = {-2.369764292110918, 2.280405874722999, 9.492656925068378,
                         -9.301662421338708, 3.047980652083459, 2.261738135740705,
                         6.526829943323165,  2.619880821007313, 1.0};
    const double X_held[6] = {
        14.780353865815774, 86.146215384867740, 25.231642312670890, 25.231642312670890, 0.0, 0.0};
    const double eta[3] = {42.599509109060, 6.863775516282, 1.0};
    for (int k = 0; k < 9; k++) {
        // Digits lost in V_NN = 0.14, one of an orthonormal vector.
        assert_close(modes->shape[k], X[k], 0.0, 2e-14);
    }
    for (int k = 0; k < 6; k++) {
        // M has 9.2 from a difference of 0.1: ten times the rounding of the eigenvalues.
        assert_close(modes->constrained_shape[k], X_held[k], 4e-15, 0.0);
    }
    for (int i = 0; i < 3; i++) {
        assert_close(modes->participation[i], eta[i], 0.0, 1e-12);
    }
    assert_close(modes->normalisation, 0.01981638744731682, 1e-14, 0.0);
    // (m^-1)_NN = 1, (k^-1)_NN = -1/3, (k^-1)^N = -e_N/3.
    assert_close(modes->inverse_mass, 1.0, 8.0 * DBL_EPSILON, 0.0);
    assert_close(modes->compliance, -1.0 / 3.0, 64.0 * DBL_EPSILON, 0.0);
    assert_close(modes->static_shape[0], 0.0, 0.0, 64.0 * DBL_EPSILON);
    assert_close(modes->static_shape[1], 0.0, 0.0, 64.0 * DBL_EPSILON);
    assert_close(modes->static_shape[2], -1.0 / 3.0, 64.0 * DBL_EPSILON, 0.0);
    carom_phase_modes_free(modes);
}

TEST(unit, the_hopper_has_a_free_mode_and_no_static_equilibrium) {
    // Two masses and a spring, the lower one last: lambda = 0, kappa (1/m_u + 1/m_l); kappa/m_u.
    const double upper = 2.7;
    const double lower = 0.9;
    const double kappa = 5.3;
    const double mass[4] = {upper, 0.0, 0.0, lower};
    const double stiffness[4] = {kappa, -kappa, -kappa, kappa};
    carom_phase_modes *modes = modes_of(2, mass, stiffness);
    const double lambda = kappa * (1.0 / upper + 1.0 / lower);
    ck_assert(modes->is_stiffness_singular);
    ck_assert_int_eq(modes->decoupled_count, 0);
    assert_close(modes->spectra->unconstrained[0], 0.0, 0.0, 0.0);
    assert_close(modes->spectra->unconstrained[1], lambda, 4.0 * DBL_EPSILON, 0.0);
    assert_close(modes->spectra->constrained[0], kappa / upper, 8.0 * DBL_EPSILON, 0.0);
    // The centre of mass and the spring: eta_1 = (kappa/m_u)/(kappa/m_l).
    assert_close(modes->participation[0], lower / upper, 16.0 * DBL_EPSILON, 0.0);
    assert_close(modes->shape[0], modes->shape[2], 16.0 * DBL_EPSILON, 0.0);
    assert_close(modes->shape[1], -lower / upper, 16.0 * DBL_EPSILON, 0.0);
    assert_close(modes->inverse_mass, 1.0 / lower, 8.0 * DBL_EPSILON, 0.0);
    ck_assert(isnan(modes->compliance));
    ck_assert(isnan(modes->static_shape[0]));
    ck_assert(isnan(modes->static_shape[1]));
    carom_phase_modes_free(modes);
}

/** Entries in (-1, 1). */
static void random_entries(unsigned long seed, unsigned long sample, int count, double *A) {
    for (int k = 0; k < count; k++) {
        A[k] = 2.0 * carom_counter_uniform(seed, sample, (unsigned long)k) - 1.0;
    }
}

/** A'A/n + 1/2, between 1/2 and n + 1/2. */
static void random_mass(unsigned long sample, int n, double *mass) {
    double A[LARGEST * LARGEST];
    random_entries(41, sample, n * n, A);
    memset(mass, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) {
        mass[i * n + i] = 0.5;
    }
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, n, n, n, 1.0 / n, A, n, A, n, 1.0, mass,
                n);
}

/** Symmetric, with eigenvalues of both signs. */
static void random_stiffness(unsigned long sample, int n, double *stiffness) {
    random_entries(42, sample, n * n, stiffness);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            stiffness[j * n + i] = stiffness[i * n + j];
        }
    }
}

static double largest_modulus(int count, const double *A) {
    return fabs(A[cblas_idamax(count, A, 1)]);
}

/** C = A B of [n][n] and [n][columns]. */
static void multiply(int n, int columns, const double *A, const double *B, double *C) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, columns, n, 1.0, A, n, B, columns,
                0.0, C, columns);
}

/** c X'm X = 1, c m X X' = 1, k X = m X Lambda, c sum eta = (m^-1)_NN, k (k^-1)^N = e_N. */
static void assert_free_phase(int n, const double *mass, const double *stiffness,
                              const carom_phase_modes *modes) {
    const double *X = modes->shape;
    const double *lambda = modes->spectra->unconstrained;
    const double c = modes->normalisation;
    const double largest = fmax(fabs(lambda[0]), fabs(lambda[n - 1]));
    double mX[LARGEST * LARGEST];
    double kX[LARGEST * LARGEST];
    double product[LARGEST * LARGEST];
    multiply(n, n, mass, X, mX);
    multiply(n, n, stiffness, X, kX);
    /* sqrt(c) X is at most sqrt(2) since m >= 1/2, the entries of m at most 1.5, those of m X over
     * the square root of their number at most that of the largest eigenvalue of m. */
    const double rounding = 8.0 * n * DBL_EPSILON;
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, n, n, n, c, X, n, mX, n, 0.0, product, n);
    for (int k = 0; k < n * n; k++) {
        assert_close(product[k], k % (n + 1) == 0 ? 1.0 : 0.0, 0.0, rounding);
    }
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, n, c, mX, n, X, n, 0.0, product, n);
    for (int k = 0; k < n * n; k++) {
        assert_close(product[k], k % (n + 1) == 0 ? 1.0 : 0.0, 0.0, rounding);
    }
    for (int k = 0; k < n * n; k++) {
        assert_close(kX[k], mX[k] * lambda[k % n], 0.0, rounding * fmax(largest, 1.0) / sqrt(c));
    }

    /* The last row: positive, 1 at the end; eta its squares. */
    const double *X_N = X + (n - 1) * n;
    for (int i = 0; i < n; i++) {
        ck_assert(X_N[i] > 0.0);
        assert_close(modes->participation[i], X_N[i] * X_N[i], 0.0, 0.0);
    }
    assert_close(X_N[n - 1], 1.0, 0.0, 0.0);

    /* (m^-1)_NN by Cholesky, (k^-1)^N by substitution. */
    double L[LARGEST * LARGEST];
    double column[LARGEST] = {0.0};
    const size_t size = (size_t)n;
    memcpy(L, mass, size * size * sizeof(double));
    gsl_matrix_view factor = gsl_matrix_view_array(L, size, size);
    gsl_vector_view e_N = gsl_vector_view_array(column, size);
    column[n - 1] = 1.0;
    gsl_linalg_cholesky_decomp1(&factor.matrix);
    gsl_linalg_cholesky_svx(&factor.matrix, &e_N.vector);
    assert_close(modes->inverse_mass, column[n - 1], rounding, 0.0);
    assert_close(c * cblas_dasum(n, modes->participation, 1), column[n - 1], rounding, 0.0);
    multiply(n, 1, stiffness, modes->static_shape, column);
    for (int a = 0; a < n; a++) {
        const double size_of_terms = n * largest_modulus(n, modes->static_shape);
        assert_close(column[a], a == n - 1 ? 1.0 : 0.0, 0.0, rounding * fmax(1.0, size_of_terms));
    }
    assert_close(modes->compliance, modes->static_shape[n - 1], 0.0, 0.0);
}

/** X' are the eigenvectors of the matrices without last row and column, found otherwise. */
static void assert_held_phase(int n, const double *mass, const double *stiffness,
                              const carom_phase_modes *modes) {
    const size_t held = (size_t)n - 1;
    gsl_matrix *m = gsl_matrix_alloc(held, held);
    gsl_matrix *k = gsl_matrix_alloc(held, held);
    gsl_matrix_const_view mass_view =
        gsl_matrix_const_view_array_with_tda(mass, held, held, held + 1);
    gsl_matrix_const_view stiffness_view =
        gsl_matrix_const_view_array_with_tda(stiffness, held, held, held + 1);
    gsl_matrix_memcpy(m, &mass_view.matrix);
    gsl_matrix_memcpy(k, &stiffness_view.matrix);
    gsl_vector *eigenvalues = gsl_vector_alloc(held);
    gsl_eigen_gensymm_workspace *work = gsl_eigen_gensymm_alloc(held);
    gsl_eigen_gensymm(k, m, eigenvalues, work);
    gsl_sort_vector(eigenvalues);
    const double *lambda = modes->spectra->constrained;
    const double largest =
        fmax(fabs(modes->spectra->unconstrained[0]), fabs(modes->spectra->unconstrained[n - 1]));
    // A backward stable method without refinement; the condition of m is below 2 n + 1.
    const double rounding = 8.0 * n * n * DBL_EPSILON * largest;
    for (size_t j = 0; j < held; j++) {
        assert_close(lambda[j], gsl_vector_get(eigenvalues, j), 0.0, rounding);
    }

    /* k' X'^j = lambda'_j m' X'^j in the first rows, X'_N = 0. */
    for (size_t j = 0; j < held; j++) {
        double shape[LARGEST];
        double inertia[LARGEST];
        double force[LARGEST];
        cblas_dcopy(n, modes->constrained_shape + j, n - 1, shape, 1);
        assert_close(shape[n - 1], 0.0, 0.0, 0.0);
        multiply(n, 1, mass, shape, inertia);
        multiply(n, 1, stiffness, shape, force);
        const double size = largest_modulus(n, shape);
        ck_assert(size > 0.0);
        for (size_t a = 0; a < held; a++) {
            assert_close(force[a], lambda[j] * inertia[a], 0.0, rounding * size);
        }
    }
    gsl_eigen_gensymm_free(work);
    gsl_vector_free(eigenvalues);
    gsl_matrix_free(m);
    gsl_matrix_free(k);
}

/** eta'M = 0 (9) and the shares W of the contact from the spectra alone. */
static void assert_contact_balance(int n, const carom_phase_modes *modes) {
    const double *lambda = modes->spectra->unconstrained;
    const double *held = modes->spectra->constrained;
    const double *eta = modes->participation;
    const double largest = fmax(fabs(lambda[0]), fabs(lambda[n - 1]));
    double share[LARGEST];
    carom_cauchy_shares(n, lambda, held, share);
    double sensitivity = 0.0;
    for (int j = 0; j < n - 1; j++) {
        double balance = 0.0;
        double size = 0.0;
        double slope = 0.0;
        for (int i = 0; i < n; i++) {
            const double M_ij = 1.0 / (lambda[i] - held[j]);
            balance += eta[i] * M_ij;
            size += fabs(eta[i] * M_ij);
            slope += eta[i] * M_ij * M_ij;
            sensitivity += fabs(M_ij);
        }
        // Roundings of eta and of the eigenvalues, all of the size of the largest.
        assert_close(balance, 0.0, 0.0,
                     4.0 * n * DBL_EPSILON * size + 8.0 * DBL_EPSILON * largest * slope);
    }
    for (int i = 0; i < n; i++) {
        // Relative changes of W add up those of all differences.
        const double rel = 16.0 * n * DBL_EPSILON * (1.0 + largest * sensitivity / n);
        assert_close(share[i] * modes->inverse_mass, modes->normalisation * eta[i], rel, 0.0);
    }
}

TEST(property, random_systems_obey_the_equations_of_both_phases) {
    for (unsigned long sample = 0; sample < 87; sample++) {
        const int n = 2 + (int)(sample % (LARGEST - 1));
        double mass[LARGEST * LARGEST];
        double stiffness[LARGEST * LARGEST];
        random_mass(sample, n, mass);
        random_stiffness(sample, n, stiffness);
        carom_phase_modes *modes = modes_of(n, mass, stiffness);
        ck_assert_int_eq(modes->decoupled_count, 0);
        assert_free_phase(n, mass, stiffness, modes);
        assert_held_phase(n, mass, stiffness, modes);
        assert_contact_balance(n, modes);
        carom_phase_modes_free(modes);
    }
}

/** Spectra, participations and the constants of two systems agree. */
static void assert_same_contact(const carom_phase_modes *modes, const carom_phase_modes *expected,
                                double lambda_scale, double mass_scale, double abs) {
    const int N = expected->spectra->mode_count;
    ck_assert_int_eq(modes->spectra->mode_count, N);
    for (int i = 0; i < N; i++) {
        assert_close(modes->spectra->unconstrained[i] / lambda_scale,
                     expected->spectra->unconstrained[i], 0.0, abs);
        // Relative to the whole motion: eta_N = 1 may be a small part of it.
        assert_close(modes->participation[i], expected->participation[i], 0.0,
                     abs * cblas_dasum(N, expected->participation, 1));
    }
    for (int j = 0; j < N - 1; j++) {
        assert_close(modes->spectra->constrained[j] / lambda_scale,
                     expected->spectra->constrained[j], 0.0, abs);
    }
    assert_close(modes->normalisation * mass_scale, expected->normalisation, 0.0,
                 abs * expected->inverse_mass);
    assert_close(modes->inverse_mass * mass_scale, expected->inverse_mass, abs, 0.0);
    assert_close(modes->compliance * mass_scale * lambda_scale, expected->compliance, abs,
                 abs * largest_modulus(N, expected->static_shape));
}

TEST(property, units_change_nothing_but_units) {
    for (unsigned long sample = 100; sample < 120; sample++) {
        const int n = 2 + (int)(sample % 7);
        double mass[LARGEST * LARGEST];
        double stiffness[LARGEST * LARGEST];
        random_mass(sample, n, mass);
        random_stiffness(sample, n, stiffness);
        carom_phase_modes *modes = modes_of(n, mass, stiffness);
        // Mass in mg, time in ms.
        for (int k = 0; k < n * n; k++) {
            mass[k] *= 1e6;
            stiffness[k] *= 1e6 * 1e-6;
        }
        carom_phase_modes *scaled = modes_of(n, mass, stiffness);
        // Rounded entries, with the condition of the eigenvectors: distances down to 1e-2.
        assert_same_contact(scaled, modes, 1e-6, 1e6, 1e-11);
        for (int k = 0; k < n * n; k++) {
            assert_close(scaled->shape[k], modes->shape[k], 0.0,
                         1e-11 * largest_modulus(n * n, modes->shape));
        }
        for (int k = 0; k < n * (n - 1); k++) {
            assert_close(scaled->constrained_shape[k] * 1e-6, modes->constrained_shape[k], 0.0,
                         1e-10 * largest_modulus(n * (n - 1), modes->constrained_shape));
        }
        carom_phase_modes_free(modes);
        carom_phase_modes_free(scaled);
    }
}

TEST(property, the_other_coordinates_may_be_recombined) {
    for (unsigned long sample = 200; sample < 220; sample++) {
        const int n = 3 + (int)(sample % 6);
        double mass[LARGEST * LARGEST];
        double stiffness[LARGEST * LARGEST];
        double T[LARGEST * LARGEST];
        double product[LARGEST * LARGEST];
        random_mass(sample, n, mass);
        random_stiffness(sample, n, stiffness);
        carom_phase_modes *modes = modes_of(n, mass, stiffness);
        // x = T y with y_N = x_N; close to the identity, for its condition.
        random_entries(43, sample, n * n, T);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                T[i * n + j] = (i == j ? 1.0 : 0.0) + (i < n - 1 ? 0.3 / n * T[i * n + j] : 0.0);
            }
        }
        for (int a = 0; a < n - 1; a++) {
            T[a * n + n - 1] = 0.0;
        }
        multiply(n, n, mass, T, product);
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, n, n, n, 1.0, T, n, product, n, 0.0,
                    mass, n);
        multiply(n, n, stiffness, T, product);
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, n, n, n, 1.0, T, n, product, n, 0.0,
                    stiffness, n);
        carom_phase_modes *recombined = modes_of(n, mass, stiffness);
        assert_same_contact(recombined, modes, 1.0, 1.0, 1e-11);
        carom_phase_modes_free(modes);
        carom_phase_modes_free(recombined);
    }
}

TEST(unit, the_odd_mode_of_a_mirror_symmetric_system_is_left_out) {
    /* Two equal masses 1.3 left and right, each on a spring 2.1 to the ground and 3.4 to a middle
     * mass 0.8 with -0.7: the even motion is one mass 2.6 on 4.2 and 6.8. */
    const double mass[9] = {1.3, 0.0, 0.0, 0.0, 1.3, 0.0, 0.0, 0.0, 0.8};
    const double stiffness[9] = {5.5, 0.0, -3.4, 0.0, 5.5, -3.4, -3.4, -3.4, 6.1};
    const double even_mass[4] = {2.6, 0.0, 0.0, 0.8};
    const double even_stiffness[4] = {11.0, -6.8, -6.8, 6.1};
    carom_phase_modes *modes = modes_of(3, mass, stiffness);
    carom_phase_modes *even = modes_of(2, even_mass, even_stiffness);
    ck_assert_int_eq(modes->decoupled_count, 1);
    ck_assert_int_eq(even->decoupled_count, 0);
    const double abs = 32.0 * DBL_EPSILON;
    assert_same_contact(modes, even, 1.0, 1.0, abs);
    // Held: both masses on both springs, in step.
    assert_close(modes->spectra->constrained[0], 5.5 / 1.3, 8.0 * DBL_EPSILON, 0.0);
    for (int i = 0; i < 2; i++) {
        assert_close(modes->shape[i], even->shape[i], 0.0, abs);
        assert_close(modes->shape[2 + i], even->shape[i], 0.0, abs);
        assert_close(modes->shape[4 + i], even->shape[2 + i], 0.0, abs);
    }
    for (int a = 0; a < 2; a++) {
        assert_close(modes->constrained_shape[a], even->constrained_shape[0], abs, 0.0);
        assert_close(modes->static_shape[a], even->static_shape[0], abs, 0.0);
    }
    carom_phase_modes_free(modes);
    carom_phase_modes_free(even);
}

TEST(property, a_decoupled_mode_is_found_in_any_coordinates) {
    // The same system with its two equal masses in other coordinates: the odd mode moves the
    // contact by roundings only, and has the eigenvalue 5.5/1.3 of the constrained one.
    const double mass[9] = {1.3, 0.0, 0.0, 0.0, 1.3, 0.0, 0.0, 0.0, 0.8};
    const double stiffness[9] = {5.5, 0.0, -3.4, 0.0, 5.5, -3.4, -3.4, -3.4, 6.1};
    carom_phase_modes *expected = modes_of(3, mass, stiffness);
    for (unsigned long sample = 0; sample < 100; sample++) {
        double T[9] = {0.0};
        double product[9];
        double m[9];
        double k[9];
        random_entries(44, sample, 6, T);
        T[0] += 2.0;
        T[4] += 2.0;
        T[2] = T[5] = 0.0;
        T[8] = 1.0;
        multiply(3, 3, mass, T, product);
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, 3, 3, 3, 1.0, T, 3, product, 3, 0.0, m,
                    3);
        multiply(3, 3, stiffness, T, product);
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, 3, 3, 3, 1.0, T, 3, product, 3, 0.0, k,
                    3);
        carom_phase_modes *modes = modes_of(3, m, k);
        ck_assert_msg(modes->decoupled_count == 1, "sample %lu", sample);
        // Roundings of m and k; the condition of T'T is at most 100.
        assert_same_contact(modes, expected, 1.0, 1.0, 1e3 * DBL_EPSILON);
        carom_phase_modes_free(modes);
    }
    carom_phase_modes_free(expected);
}

/** Q diag(lambda) Q' with the reflection Q = 1 - 2 v v'/v'v. */
static void reflected(int n, const double *v, const double *lambda, double *K, double *last_row) {
    const double square = cblas_ddot(n, v, 1, v, 1);
    double Q[LARGEST * LARGEST];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            Q[i * n + j] = (i == j ? 1.0 : 0.0) - 2.0 * v[i] * v[j] / square;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int l = 0; l < n; l++) {
                sum += Q[i * n + l] * lambda[l] * Q[j * n + l];
            }
            K[i * n + j] = sum;
        }
    }
    memcpy(last_row, Q + (n - 1) * n, (size_t)n * sizeof(double));
}

TEST(property, one_mode_of_a_multiple_eigenvalue_carries_its_whole_motion) {
    double mass[25] = {0.0};
    for (int i = 0; i < 5; i++) {
        mass[6 * i] = 1.0;
    }
    // -2 twice and 3 three times: two modes, their weights the squares of the last row of Q.
    const double lambda[5] = {-2.0, 3.0, -2.0, 3.0, 3.0};
    for (unsigned long sample = 0; sample < 100; sample++) {
        double v[5];
        double stiffness[25];
        double q[5];
        random_entries(45, sample, 5, v);
        reflected(5, v, lambda, stiffness, q);
        carom_phase_modes *modes = modes_of(5, mass, stiffness);
        ck_assert_int_eq(modes->decoupled_count, 3);
        const double low = q[0] * q[0] + q[2] * q[2];
        const double high = q[1] * q[1] + q[3] * q[3] + q[4] * q[4];
        // Roundings of K and Q, relative to the whole motion, 1.
        const double abs = 64.0 * DBL_EPSILON;
        assert_close(modes->spectra->unconstrained[0], -2.0, abs, 0.0);
        assert_close(modes->spectra->unconstrained[1], 3.0, abs, 0.0);
        assert_close(modes->spectra->constrained[0], 3.0 * low - 2.0 * high, 0.0, abs);
        assert_close(modes->normalisation * modes->participation[0], low, 0.0, abs);
        assert_close(modes->normalisation, high, 0.0, abs);
        assert_close(modes->compliance, -0.5 * low + high / 3.0, 0.0, abs);
        // The shapes are the parts of e_N in the two eigenspaces.
        for (int a = 0; a < 5; a++) {
            const double sum = modes->shape[2 * a] * modes->shape[8] + modes->shape[2 * a + 1];
            assert_close(modes->normalisation * sum, a == 4 ? 1.0 : 0.0, 0.0, abs);
        }
        carom_phase_modes_free(modes);

        // Twice zero: a singular stiffness, exactly.
        const double free[5] = {0.0, 3.0, 0.0, 3.0, 1.0};
        reflected(5, v, free, stiffness, q);
        modes = modes_of(5, mass, stiffness);
        ck_assert_int_eq(modes->decoupled_count, 2);
        ck_assert(modes->is_stiffness_singular);
        assert_close(modes->spectra->unconstrained[0], 0.0, 0.0, 0.0);
        ck_assert(isnan(modes->compliance));
        carom_phase_modes_free(modes);
    }
}

TEST(unit, a_free_mode_that_does_not_move_the_contact_leaves_the_stiffness_regular) {
    // A mass on its own beside two coupled ones: k of those is [3 -1; -1 1].
    const double mass[9] = {1.7, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0};
    const double stiffness[9] = {0.0, 0.0, 0.0, 0.0, 3.0, -1.0, 0.0, -1.0, 1.0};
    carom_phase_modes *modes = modes_of(3, mass, stiffness);
    ck_assert_int_eq(modes->decoupled_count, 1);
    ck_assert(!modes->is_stiffness_singular);
    // (k^-1)^N = (1, 3)/2; 2 x^2 - 5 x + 2 = 0 for lambda; 3/2 held.
    assert_close(modes->compliance, 1.5, 16.0 * DBL_EPSILON, 0.0);
    assert_close(modes->static_shape[0], 0.0, 0.0, 0.0);
    assert_close(modes->static_shape[1], 0.5, 16.0 * DBL_EPSILON, 0.0);
    assert_close(modes->spectra->unconstrained[0], 0.5, 4.0 * DBL_EPSILON, 0.0);
    assert_close(modes->spectra->unconstrained[1], 2.0, 4.0 * DBL_EPSILON, 0.0);
    assert_close(modes->spectra->constrained[0], 1.5, 4.0 * DBL_EPSILON, 0.0);
    carom_phase_modes_free(modes);
}

TEST(unit, a_mode_that_hardly_moves_the_contact_leaves_at_the_rounding_of_its_eigenvalue) {
    /* A mass 1 on a ground spring 5 is tied by delta to the two of the last test. Its share of the
     * contact, and the distance of its eigenvalue from a constrained one, go as delta^2. */
    const double mass[9] = {1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0};
    for (int decade = 0; decade <= 20; decade++) {
        const double delta = pow(10.0, -(double)decade);
        const double stiffness[9] = {5.0, -delta, 0.0, -delta, 3.0, -1.0, 0.0, -1.0, 1.0};
        carom_phase_modes *modes = modes_of(3, mass, stiffness);
        // delta^2 against 1e-16, with a decade either way.
        ck_assert(decade >= 7 || modes->decoupled_count == 0);
        ck_assert(decade < 9 || modes->decoupled_count == 1);
        if (decade >= 7) {
            // What is left, to delta^2 and rounding.
            const double *lambda = modes->spectra->unconstrained;
            assert_close(lambda[0], 0.5, 0.0, 1e-13);
            assert_close(lambda[1], 2.0, 0.0, 1e-13);
            assert_close(modes->spectra->constrained[0], 1.5, 0.0, 1e-13);
        }
        // (k^-1)_NN: determinant of the upper block, 15 - delta^2, over that of k, 10 - delta^2.
        const double upper = 15.0 - delta * delta;
        assert_close(modes->compliance, upper / (upper - 5.0), 1e-13, 0.0);
        // The sum rule holds with the mode and without.
        const double sum = cblas_dasum(modes->spectra->mode_count, modes->participation, 1);
        assert_close(modes->normalisation * sum, 1.0, 0.0, 1e-13);
        carom_phase_modes_free(modes);
    }
}

TEST(unit, a_symmetry_broken_by_roundings_is_one) {
    /* The mirror symmetric system with one ground spring changed: the odd mode, whose eigenvalue is
     * the constrained one, moves the contact by about a tenth of the change, and pushes the
     * constrained eigenvalue aside by as much, not by its square. */
    const double mass[9] = {1.3, 0.0, 0.0, 0.0, 1.3, 0.0, 0.0, 0.0, 0.8};
    double stiffness[9] = {5.5, 0.0, -3.4, 0.0, 5.5, -3.4, -3.4, -3.4, 6.1};
    carom_phase_modes *expected = modes_of(3, mass, stiffness);
    stiffness[0] = 5.5 + 1e-12;
    carom_phase_modes *modes = modes_of(3, mass, stiffness);
    ck_assert_int_eq(modes->decoupled_count, 1);
    assert_same_contact(modes, expected, 1.0, 1.0, 2e-12);
    carom_phase_modes_free(modes);
    carom_phase_modes_free(expected);

    // A thousand times as much is no rounding.
    stiffness[0] = 5.5 + 1e-9;
    modes = modes_of(3, mass, stiffness);
    ck_assert_int_eq(modes->decoupled_count, 0);
    carom_phase_modes_free(modes);
}

TEST(unit, a_free_mass_tied_by_roundings_stays_at_rest) {
    const double mass[9] = {1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0};
    const double stiffness[9] = {0.0, -1e-13, 0.0, -1e-13, 3.0, -1.0, 0.0, -1.0, 1.0};
    carom_phase_modes *modes = modes_of(3, mass, stiffness);
    ck_assert_int_eq(modes->decoupled_count, 1);
    ck_assert(!modes->is_stiffness_singular);
    assert_close(modes->compliance, 1.5, 1e-12, 0.0);
    carom_phase_modes_free(modes);
}

TEST(unit, asymmetry_of_an_assembly_does_not_matter) {
    double mass[9];
    double stiffness[9];
    memcpy(mass, BIPED_MASS, sizeof mass);
    memcpy(stiffness, BIPED_STIFFNESS, sizeof stiffness);
    carom_phase_modes *expected = modes_of(3, mass, stiffness);
    // Up and down by the same amount: the mean is what it was.
    mass[1] += 1e-12;
    mass[3] -= 1e-12;
    stiffness[2] += 1e-12;
    stiffness[6] -= 1e-12;
    carom_phase_modes *modes = modes_of(3, mass, stiffness);
    assert_same_contact(modes, expected, 1.0, 1.0, 1e-14);
    carom_phase_modes_free(modes);
    carom_phase_modes_free(expected);
}

/** The system is refused with the quantity; returns the value reported. */
static double refused_value(int n, const double *mass, const double *stiffness,
                            carom_status expected, const char *quantity) {
    carom_phase_modes *modes;
    carom_report report = carom_report_empty();
    const carom_status status = carom_phase_modes_compute(n, mass, stiffness, CAROM_PARITY_EVEN,
                                                          CAROM_PARITY_ODD, &modes, &report);
    ck_assert_msg(status == expected, "%s, expected %s", carom_status_name(status),
                  carom_status_name(expected));
    ck_assert_ptr_null(modes);
    ck_assert_str_eq(report.quantity, quantity);
    ck_assert_int_eq(carom_phase_modes_compute(n, mass, stiffness, CAROM_PARITY_EVEN,
                                               CAROM_PARITY_ODD, &modes, NULL),
                     expected);
    return report.value;
}

TEST(errors, matrices_that_are_none_are_refused) {
    double mass[9];
    double stiffness[9];
    memcpy(mass, BIPED_MASS, sizeof mass);
    memcpy(stiffness, BIPED_STIFFNESS, sizeof stiffness);
    mass[4] = (double)NAN;
    ck_assert(isnan(refused_value(3, mass, stiffness, CAROM_STATUS_NOT_FINITE, "mass")));
    // Minor 1: the second pivot is 1.5 - 2 = -0.5.
    mass[4] = 0.5;
    assert_close(refused_value(3, mass, stiffness, CAROM_STATUS_OUT_OF_RANGE,
                               "mass, not positive definite: pivot"),
                 -0.5, 4.0 * DBL_EPSILON, 0.0);
    mass[4] = 2.0;
    mass[1] += 0.125;
    assert_close(fabs(refused_value(3, mass, stiffness, CAROM_STATUS_NOT_SYMMETRIC, "mass")), 0.125,
                 0.0, 0.0);
    mass[1] -= 0.125;
    stiffness[5] = (double)INFINITY;
    refused_value(3, mass, stiffness, CAROM_STATUS_NOT_FINITE, "stiffness");
    stiffness[5] = 0.25;
    refused_value(3, mass, stiffness, CAROM_STATUS_NOT_SYMMETRIC, "stiffness");
    const double one = 1.0;
    assert_close(refused_value(1, &one, &one, CAROM_STATUS_OUT_OF_RANGE, "coordinates"), 1.0, 0.0,
                 0.0);
}

TEST(errors, parities_that_are_none_are_refused) {
    const carom_parity none = (carom_parity)77;
    carom_phase_modes *modes = NULL;
    carom_report report = carom_report_empty();
    assert_status(carom_phase_modes_compute(3, BIPED_MASS, BIPED_STIFFNESS, none, CAROM_PARITY_ODD,
                                            &modes, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "parity");
    assert_status(carom_phase_modes_compute(3, BIPED_MASS, BIPED_STIFFNESS, CAROM_PARITY_EVEN, none,
                                            &modes, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "constrained parity");
    ck_assert_ptr_null(modes);
    assert_ok(carom_phase_modes_compute(3, BIPED_MASS, BIPED_STIFFNESS, CAROM_PARITY_EVEN,
                                        CAROM_PARITY_ODD, &modes, NULL));
    modes->spectra->constrained_parity[1] = none;
    assert_status(carom_phase_spectra_check(modes->spectra, &report), OUT_OF_RANGE);
    ck_assert_int_eq(report.index, 1);
    carom_phase_modes_free(modes);
}

TEST(errors, a_contact_with_a_single_mode_is_refused) {
    // The contact is a mass of its own; then one eigenvalue for all.
    const double mass[9] = {2.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0};
    const double stiffness[9] = {2.0, 1.0, 0.0, 1.0, 4.0, 0.0, 0.0, 0.0, 1.5};
    const char *quantity = "modes coupled to the contact";
    assert_close(refused_value(3, mass, stiffness, CAROM_STATUS_OUT_OF_RANGE, quantity), 1.0, 0.0,
                 0.0);
    assert_close(refused_value(3, BIPED_MASS, BIPED_MASS, CAROM_STATUS_OUT_OF_RANGE, quantity), 1.0,
                 0.0, 0.0);
    // Tied so weakly that the second mode is found too weak only by its constrained eigenvalue.
    const double pair[4] = {1.0, 0.0, 0.0, 1.0};
    const double weak[4] = {1.0, 1e-9, 1e-9, 2.0};
    assert_close(refused_value(2, pair, weak, CAROM_STATUS_OUT_OF_RANGE, quantity), 1.0, 0.0, 0.0);
}

TEST(errors, what_leaves_the_range_of_doubles_is_refused) {
    const double mass[4] = {1e-200, 0.0, 0.0, 1e-200};
    const double stiffness[4] = {1e200, 0.0, 0.0, 1e200};
    refused_value(2, mass, stiffness, CAROM_STATUS_NOT_FINITE, "stiffness");
}

TEST(errors, iterations_without_end_are_reported) {
    do_eigenvalues_fail = true;
    refused_value(3, BIPED_MASS, BIPED_STIFFNESS, CAROM_STATUS_NOT_CONVERGED, "stiffness");
    do_eigenvalues_fail = false;
    do_roots_fail = true;
    refused_value(3, BIPED_MASS, BIPED_STIFFNESS, CAROM_STATUS_NOT_CONVERGED,
                  "constrained spectrum");
    do_roots_fail = false;
}

TEST(errors, every_allocation_that_fails_is_reported_without_a_leak) {
    carom_phase_modes *modes = NULL;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int granted = 0;
    for (; status != CAROM_OK; granted++) {
        successes_left = granted;
        status = carom_phase_modes_compute(3, BIPED_MASS, BIPED_STIFFNESS, CAROM_PARITY_EVEN,
                                           CAROM_PARITY_ODD, &modes, NULL);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_ptr_null(modes);
        }
    }
    // System 4, reduction 5, check 2, modes 2, roots 1, result 5, spectra 5; then success.
    ck_assert_int_eq(granted, 26);
    carom_phase_modes_free(modes);
    carom_phase_modes_free(NULL);
}
