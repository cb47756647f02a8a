/**
 * A second, independent route to periodic motions with impacts, in physical coordinates only: the
 * state x = (u, v), free flight by the matrix exponential of [[0, I], [-M^-1 K, 0]] t, impact by
 * N_2 = I - 2 M^-1 w w'/G, periodicity by a linear solve with I - S(T). No modes, no kernels.
 */
#ifndef CAROM_TESTS_MODES_INDEPENDENT_H
#define CAROM_TESTS_MODES_INDEPENDENT_H

#include <carom/mechanism/linear_system.h>
#include <carom/modes/orbit.h>

#include "../support.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <string.h>

/** A structure as this route needs it. */
typedef struct physical {
    int n;
    double gap_at_rest;     /* g_0 */
    double inverse_mass;    /* G = w' M^-1 w */
    double rate;            /* s = ||M^-1 K||^1/2, bound of all frequencies */
    const double *mass;     /* M [n][n], borrowed */
    const double *normal;   /* w [n], borrowed */
    const double *elastic;  /* K [n][n], borrowed */
    double *push;           /* M^-1 w [n] */
    gsl_matrix *generator;  /* [2n][2n] in coordinates (s u, v) */
    gsl_matrix *reflection; /* N~ [2n][2n] in coordinates (u, v) */
} physical;

static inline void physical_free(physical *p) {
    free(p->push);
    gsl_matrix_free(p->generator);
    gsl_matrix_free(p->reflection);
    free(p);
}

/** M^-1 K and M^-1 w by Cholesky; the largest row sum of M^-1 K bounds the square frequencies. */
static inline physical *physical_alloc(const carom_linear_system *system) {
    const int n = system->coordinate_count;
    const size_t size = (size_t)n;
    physical *p = malloc(sizeof *p);
    *p = (physical){.n = n,
                    .gap_at_rest = system->gap_at_rest,
                    .mass = system->mass,
                    .normal = system->contact_normal,
                    .elastic = system->stiffness,
                    .push = malloc(size * sizeof(double)),
                    .generator = gsl_matrix_calloc(2 * size, 2 * size),
                    .reflection = gsl_matrix_alloc(2 * size, 2 * size)};
    gsl_matrix_const_view M = gsl_matrix_const_view_array(system->mass, size, size);
    gsl_matrix *L = gsl_matrix_alloc(size, size);
    gsl_matrix_memcpy(L, &M.matrix);
    gsl_linalg_cholesky_decomp1(L);
    gsl_vector *column = gsl_vector_alloc(size);
    double *row_sum = calloc(size, sizeof(double));
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            gsl_vector_set(column, (size_t)i, system->stiffness[i * n + j]);
        }
        gsl_linalg_cholesky_svx(L, column);
        for (int i = 0; i < n; i++) {
            const double entry = gsl_vector_get(column, (size_t)i);
            gsl_matrix_set(p->generator, size + (size_t)i, (size_t)j, -entry);
            row_sum[i] += fabs(entry);
            p->rate = fmax(p->rate, sqrt(row_sum[i]));
        }
    }
    for (int i = 0; i < n; i++) {
        gsl_vector_set(column, (size_t)i, system->contact_normal[i]);
    }
    gsl_linalg_cholesky_svx(L, column);
    gsl_matrix_set_identity(p->reflection);
    for (int i = 0; i < n; i++) {
        p->push[i] = gsl_vector_get(column, (size_t)i);
        p->inverse_mass += system->contact_normal[i] * p->push[i];
    }
    for (int i = 0; i < n; i++) {
        gsl_matrix_set(p->generator, (size_t)i, size + (size_t)i, p->rate);
        for (int j = 0; j < n; j++) {
            double *entry = gsl_matrix_ptr(p->generator, size + (size_t)i, (size_t)j);
            *entry /= p->rate;
            entry = gsl_matrix_ptr(p->reflection, size + (size_t)i, size + (size_t)j);
            *entry -= 2.0 * p->push[i] * p->normal[j] / p->inverse_mass;
        }
    }
    free(row_sum);
    gsl_vector_free(column);
    gsl_matrix_free(L);
    return p;
}

/**
 * S~(t) = exp([[0, I], [-M^-1 K, 0]] t) [2n][2n]. E = S~ - I is summed as a series over t/2^j and
 * doubled by E <- 2 E + E^2, which keeps its error near that of the phases, rate t roundings.
 */
static inline void physical_flight(const physical *p, double t, gsl_matrix *S) {
    enum { TERMS = 16 }; /* 0.5^17/17! < 1e-19 */
    const size_t size = 2 * (size_t)p->n;
    double h = t;
    int doublings = 0;
    for (; fabs(h) * p->rate > 0.5; doublings++) {
        h /= 2.0;
    }
    gsl_matrix *power = gsl_matrix_alloc(size, size);
    gsl_matrix *next = gsl_matrix_alloc(size, size);
    gsl_matrix_set_identity(power);
    gsl_matrix_set_zero(S);
    for (int k = 1; k <= TERMS; k++) {
        gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, h / k, power, p->generator, 0.0, next);
        gsl_matrix_memcpy(power, next);
        gsl_matrix_add(S, power);
    }
    for (; doublings > 0; doublings--) {
        gsl_matrix_memcpy(next, S);
        gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1.0, next, next, 2.0, S);
    }
    for (size_t i = 0; i < size; i++) {
        *gsl_matrix_ptr(S, i, i) += 1.0;
        for (size_t j = 0; j < size; j++) {
            const double scale =
                (i < size / 2 ? 1.0 / p->rate : 1.0) * (j < size / 2 ? p->rate : 1.0);
            *gsl_matrix_ptr(S, i, j) *= scale;
        }
    }
    gsl_matrix_free(power);
    gsl_matrix_free(next);
}

/** x <- A x for a vector [2n]. */
static inline void physical_apply(const gsl_matrix *A, double *x) {
    gsl_vector_view view = gsl_vector_view_array(x, A->size1);
    gsl_vector *image = gsl_vector_alloc(A->size1);
    gsl_blas_dgemv(CblasNoTrans, 1.0, A, &view.vector, 0.0, image);
    gsl_vector_memcpy(&view.vector, image);
    gsl_vector_free(image);
}

/** x <- S~(t) x. */
static inline void physical_fly(const physical *p, double t, double *x) {
    gsl_matrix *S = gsl_matrix_alloc(2 * (size_t)p->n, 2 * (size_t)p->n);
    physical_flight(p, t, S);
    physical_apply(S, x);
    gsl_matrix_free(S);
}

/** w'u of the positions u = x, or w'v of the velocities v = x + n. */
static inline double physical_along_normal(const physical *p, const double *vector) {
    double sum = 0.0;
    for (int i = 0; i < p->n; i++) {
        sum += p->normal[i] * vector[i];
    }
    return sum;
}

/** v'M v/2 + u'K u/2 of a state or of a difference of states. */
static inline double physical_energy(const physical *p, const double *x) {
    const double *v = x + p->n;
    double sum = 0.0;
    for (int i = 0; i < p->n; i++) {
        for (int j = 0; j < p->n; j++) {
            sum += v[i] * p->mass[i * p->n + j] * v[j] + x[i] * p->elastic[i * p->n + j] * x[j];
        }
    }
    return 0.5 * sum;
}

/** Distance of two states in the norm of the energy, relative to the first. */
static inline double physical_distance(const physical *p, const double *x, const double *y) {
    double *difference = malloc(2 * (size_t)p->n * sizeof(double));
    for (int i = 0; i < 2 * p->n; i++) {
        difference[i] = x[i] - y[i];
    }
    const double square = physical_energy(p, difference) / physical_energy(p, x);
    free(difference);
    return sqrt(fabs(square));
}

/** What a motion over one period from x(0^+) shows. */
typedef struct physical_period {
    double closure;      /* |x(T^+) - x(0^+)| in the norm of the energy, 1 */
    double gap;          /* largest |gap| at the impacts, m */
    double energy_error; /* largest relative change of the energy over flights and impacts, 1 */
} physical_period;

/** Fly and reflect k times; lambda_j = -(contact velocity before impact j)/sqrt(G), may be NULL. */
static inline physical_period physical_propagate(const physical *p, int k, const double *sigma,
                                                 const double *start, double *lambda) {
    const size_t bytes = 2 * (size_t)p->n * sizeof(double);
    double *x = malloc(bytes);
    memcpy(x, start, bytes);
    const double energy = physical_energy(p, start);
    physical_period result = {0.0, 0.0, 0.0};
    for (int j = 0; j < k; j++) {
        physical_fly(p, sigma[j], x);
        result.gap = fmax(result.gap, fabs(physical_along_normal(p, x) + p->gap_at_rest));
        if (lambda != NULL) {
            lambda[j] = -physical_along_normal(p, x + p->n) / sqrt(p->inverse_mass);
        }
        physical_apply(p->reflection, x);
        const double error = fabs(physical_energy(p, x) / energy - 1.0);
        result.energy_error = fmax(result.energy_error, error);
    }
    result.closure = physical_distance(p, start, x);
    free(x);
    return result;
}

/** N~ S~(sigma_k) ... N~ S~(sigma_1) - I, whose null space holds all states of NC1 (2.12a). */
static inline void physical_return_matrix(const physical *p, int k, const double *sigma,
                                          gsl_matrix *B) {
    const size_t size = 2 * (size_t)p->n;
    gsl_matrix *S = gsl_matrix_alloc(size, size);
    gsl_matrix *product = gsl_matrix_alloc(size, size);
    gsl_matrix_set_identity(B);
    for (int j = 0; j < k; j++) {
        physical_flight(p, sigma[j], S);
        gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1.0, S, B, 0.0, product);
        gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1.0, p->reflection, product, 0.0, B);
    }
    for (size_t i = 0; i < size; i++) {
        *gsl_matrix_ptr(B, i, i) -= 1.0;
    }
    gsl_matrix_free(S);
    gsl_matrix_free(product);
}

/**
 * The T-periodic motion under impulses that change v by (2 lambda_j/sqrt(G)) M^-1 w at t_j,
 * whatever the contact does: (I - S~(T)) x(0^+) = sum_j S~(T - t_j) (0, jump_j). The map phi of
 * theorem 3.1.
 */
static inline void physical_forced_state(const physical *p, int k, const double *sigma,
                                         const double *lambda, double *x) {
    const size_t size = 2 * (size_t)p->n;
    gsl_matrix *S = gsl_matrix_alloc(size, size);
    double period = 0.0;
    memset(x, 0, size * sizeof(double));
    for (int j = 0; j < k; j++) {
        period += sigma[j];
        physical_fly(p, sigma[j], x);
        for (int i = 0; i < p->n; i++) {
            x[p->n + i] += 2.0 * lambda[j] / sqrt(p->inverse_mass) * p->push[i];
        }
    }
    physical_flight(p, period, S);
    gsl_matrix_scale(S, -1.0);
    for (size_t i = 0; i < size; i++) {
        *gsl_matrix_ptr(S, i, i) += 1.0;
    }
    gsl_permutation *permutation = gsl_permutation_alloc(size);
    gsl_vector_view view = gsl_vector_view_array(x, size);
    int sign;
    gsl_linalg_LU_decomp(S, permutation, &sign);
    gsl_linalg_LU_svx(S, permutation, &view.vector);
    gsl_permutation_free(permutation);
    gsl_matrix_free(S);
}

/**
 * A solution of the library, propagated here: it closes, its gaps vanish at the impacts, its energy
 * is constant, and energy and lambda are what it says; all to `tolerance`, relative to the state,
 * to `length` (the gap at rest, or the size of the motion where that is zero) and, lambda, to the
 * root of twice the energy, its largest possible value.
 */
static inline void assert_physical_orbit(const physical *p, const carom_modal_basis *basis,
                                         const carom_orbit *orbit, double length,
                                         double tolerance) {
    const int k = orbit->impact_count;
    double *x = malloc(2 * (size_t)p->n * sizeof(double));
    double *lambda = malloc((size_t)k * sizeof(double));
    carom_modal_basis_expand(basis, orbit->state, x, x + p->n);
    const physical_period found = physical_propagate(p, k, orbit->flight_times, x, lambda);
    assert_close(found.closure, 0.0, 0.0, tolerance);
    assert_close(found.gap, 0.0, 0.0, tolerance * length);
    assert_close(found.energy_error, 0.0, 0.0, tolerance);
    assert_close(physical_energy(p, x), orbit->energy, tolerance, 0.0);
    double period = 0.0;
    for (int j = 0; j < k; j++) {
        period += orbit->flight_times[j];
    }
    assert_close(orbit->period, period, 1e-14, 0.0);
    for (int j = 0; j < k; j++) {
        assert_close(lambda[j], orbit->lambda[j], 0.0, tolerance * sqrt(2.0 * orbit->energy));
    }
    free(lambda);
    free(x);
}

/** Singular values [columns], descending, and right singular vectors (columns of V) of A [r][c]. */
static inline void singular_values(const gsl_matrix *A, double *values, gsl_matrix *V) {
    gsl_matrix *U = gsl_matrix_alloc(A->size1, A->size2);
    gsl_vector *work = gsl_vector_alloc(A->size2);
    gsl_vector_view S = gsl_vector_view_array(values, A->size2);
    gsl_matrix_memcpy(U, A);
    gsl_linalg_SV_decomp(U, V, &S.vector, work);
    gsl_vector_free(work);
    gsl_matrix_free(U);
}

/** The kinds of contact that random structures have. */
typedef enum random_contact { CONTACT_ANY, CONTACT_FIRST, CONTACT_PAIR } random_contact;

/**
 * Full symmetric positive definite M and K, 0.4 I + C C'/n each with entries of C in (-1, 1):
 * frequencies between about 0.4 and 2. Contact normal of any direction, e_1, or e_i - e_j.
 */
static inline carom_linear_system *random_structure(gsl_rng *generator, int n,
                                                    random_contact contact, double gap_at_rest) {
    carom_linear_system *system;
    assert_ok(carom_linear_system_alloc(n, &system));
    double *matrices[2] = {system->mass, system->stiffness};
    double *C = malloc((size_t)(n * n) * sizeof(double));
    for (int m = 0; m < 2; m++) {
        for (int i = 0; i < n * n; i++) {
            C[i] = uniform(generator, -1.0, 1.0);
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = i == j ? 0.4 : 0.0;
                for (int l = 0; l < n; l++) {
                    sum += C[i * n + l] * C[j * n + l] / n;
                }
                matrices[m][i * n + j] = sum;
                matrices[m][j * n + i] = sum;
            }
        }
    }
    free(C);
    const int first =
        contact == CONTACT_FIRST ? 0 : (int)gsl_rng_uniform_int(generator, (unsigned)n);
    for (int i = 0; i < n; i++) {
        const double any = uniform(generator, -1.0, 1.0);
        system->contact_normal[i] = contact == CONTACT_ANY ? any : (i == first ? 1.0 : 0.0);
    }
    if (contact == CONTACT_PAIR && n > 1) {
        system->contact_normal[(first + 1) % n] = -1.0;
    }
    system->gap_at_rest = gap_at_rest;
    return system;
}

#endif
