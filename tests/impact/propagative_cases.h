/**
 * Random momenta and closed contacts, and the single impacts written down with the mass matrix and
 * momenta themselves: the independent method of the suites of the propagative model.
 */
#ifndef CAROM_TESTS_IMPACT_PROPAGATIVE_CASES_H
#define CAROM_TESTS_IMPACT_PROPAGATIVE_CASES_H

#include <carom/impact/propagative_impact.h>

#include "../support.h"

#include <carom/base/random.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <string.h>

enum { MOST_COORDINATES = 12, MOST_NORMALS = 12 };

/** n coordinates, m contacts, a momentum. */
typedef struct propagative_case {
    int n;
    int m;
    double M[MOST_COORDINATES * MOST_COORDINATES]; /* [n][n] */
    double L[MOST_COORDINATES * MOST_COORDINATES]; /* [n][n] lower Cholesky factor */
    double N[MOST_NORMALS * MOST_COORDINATES];     /* [m][n] */
    double Y[MOST_NORMALS * MOST_COORDINATES];     /* [m][n] rows M^-1 u' */
    double p[MOST_COORDINATES];
    double c[MOST_NORMALS]; /* <p,u_i> */
    double energy;
} propagative_case;

static inline double dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

/** y = M^-1 a'. */
static inline void solve_mass(const propagative_case *x, const double *a, double *y) {
    const size_t n = (size_t)x->n;
    gsl_matrix_const_view L = gsl_matrix_const_view_array(x->L, n, n);
    gsl_vector_const_view right = gsl_vector_const_view_array(a, n);
    gsl_vector_view left = gsl_vector_view_array(y, n);
    ck_assert_int_eq(gsl_linalg_cholesky_solve(&L.matrix, &right.vector, &left.vector), 0);
}

/** (a,b)_g = a M^-1 b', (5a). */
static inline double metric_product(const propagative_case *x, const double *a, const double *b) {
    double y[MOST_COORDINATES] = {0};
    solve_mass(x, b, y);
    return dot(x->n, a, y);
}

/** L, Y, c and the energy of M, N and p. */
static inline void complete_case(propagative_case *x) {
    const int n = x->n;
    memcpy(x->L, x->M, sizeof x->L);
    gsl_matrix_view L = gsl_matrix_view_array(x->L, (size_t)n, (size_t)n);
    ck_assert_int_eq(gsl_linalg_cholesky_decomp1(&L.matrix), 0);
    for (int i = 0; i < x->m; i++) {
        solve_mass(x, x->N + i * n, x->Y + i * n);
        x->c[i] = dot(n, x->p, x->Y + i * n);
    }
    x->energy = 0.5 * metric_product(x, x->p, x->p);
}

/** p Gamma(u_i), (7b). @return the multiplier of (7a) */
static inline double reflect_momentum(const propagative_case *x, int i, double *p) {
    const double *u = x->N + i * x->n;
    const double *y = x->Y + i * x->n;
    const double lambda = -2.0 * dot(x->n, p, y) / dot(x->n, u, y);
    for (int k = 0; k < x->n; k++) {
        p[k] += lambda * u[k];
    }
    return lambda;
}

/** Masses on a line, neighbours touching, with velocities: Newton's cradle. */
static inline propagative_case chain_case(int balls, const double *masses, const double *v) {
    propagative_case x = {.n = balls, .m = balls - 1};
    for (int k = 0; k < balls; k++) {
        x.M[k * balls + k] = masses[k];
        x.p[k] = masses[k] * v[k];
    }
    for (int i = 0; i + 1 < balls; i++) {
        x.N[i * balls + i] = -1.0;
        x.N[i * balls + i + 1] = 1.0;
    }
    complete_case(&x);
    return x;
}

/** Two unit normals of cosine c in the Euclidean plane and a momentum of (p,u)_g = a, (p,v)_g = b.
 */
static inline propagative_case plane_case(double c, double a, double b) {
    const double s = sqrt((1.0 - c) * (1.0 + c));
    propagative_case x = {.n = 2, .m = 2, .M = {1.0, 0.0, 0.0, 1.0}, .N = {1.0, 0.0, c, s}};
    x.p[0] = a;
    x.p[1] = (b - c * a) / s;
    complete_case(&x);
    return x;
}

/** A random number in [low, high). */
static inline double draw(unsigned long seed, unsigned long sample, unsigned long *dimension,
                          double low, double high) {
    return low + (high - low) * carom_counter_uniform(seed, sample, (*dimension)++);
}

/** A random metric and momentum; the normals, of lengths 0.3 to 3, all rise along one direction. */
static inline propagative_case random_case(unsigned long seed, unsigned long sample, int n, int m) {
    propagative_case x = {.n = n, .m = m};
    unsigned long d = 0;
    double B[MOST_COORDINATES * MOST_COORDINATES] = {0};
    double r[MOST_COORDINATES] = {0};
    for (int k = 0; k < n * n; k++) {
        B[k] = draw(seed, sample, &d, -1.0, 1.0);
    }
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++) {
            x.M[k * n + j] = dot(n, B + k * n, B + j * n) + (k == j ? 0.5 : 0.0);
        }
        r[k] = draw(seed, sample, &d, -1.0, 1.0);
        x.p[k] = draw(seed, sample, &d, -2.0, 2.0);
    }
    for (int k = 0; k < m * n; k++) {
        x.N[k] = draw(seed, sample, &d, -1.0, 1.0);
    }
    complete_case(&x);
    for (int i = 0; i < m; i++) {
        const double sign = dot(n, r, x.Y + i * n) < 0.0 ? -1.0 : 1.0;
        const double scale = sign * draw(seed, sample, &d, 0.3, 3.0);
        for (int k = 0; k < n; k++) {
            x.N[i * n + k] *= scale;
        }
    }
    complete_case(&x);
    return x;
}

/** The contacts of a case, to be freed. */
static inline carom_propagative_contacts *contacts_of(const propagative_case *x) {
    carom_propagative_contacts *contacts;
    assert_ok(carom_propagative_contacts_alloc(x->n, x->m, &contacts));
    assert_ok(carom_propagative_contacts_set(contacts, x->L, x->N, NULL));
    return contacts;
}

#endif
