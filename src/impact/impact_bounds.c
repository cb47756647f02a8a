#include <carom/impact/impact_bounds.h>

#include <carom/base/linear_algebra.h>
#include <carom/base/vector.h>
#include <carom/impact/contact_modes.h>

#include <gsl/gsl_blas.h>
#include <gsl/gsl_eigen.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/** The generators of the friction cone: velocities M^-1 (J_n,i' + mu_i J_t,i' d_j) of a unit of
 * normal impulse. */
typedef struct generators {
    int count;
    double *rows;  /* [count][n] 1/kg */
    int *contacts; /* [count] i */
} generators;

/** All generators; directions [k][t]. */
static void set_generators(const carom_impact_problem *p, int k, const double *directions,
                           generators *all) {
    const int n = p->coordinate_count;
    const int m = p->contact_count;
    const int t = p->tangent_count;
    for (int i = 0; i < m; i++) {
        // A cone without friction has one generator.
        for (int j = 0; j < (p->friction[i] > 0.0 ? k : 1); j++) {
            double *a = all->rows + (ptrdiff_t)all->count * n;
            for (int row = 0; row < n; row++) {
                const double *response = p->impulse_response + (ptrdiff_t)row * p->row_count;
                a[row] = response[i] + p->friction[i] * carom_vector_dot(t, response + m + t * i,
                                                                         directions + t * j);
            }
            all->contacts[all->count++] = i;
        }
    }
}

/** The generators in coordinates in which M is the identity: L' a, M = L L'. */
static carom_status take_kinetic(const carom_impact_problem *p, generators *all) {
    const size_t n = (size_t)p->coordinate_count;
    CAROM_AUTO(gsl_matrix) L = gsl_matrix_alloc(n, n);
    if (L == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const gsl_matrix_const_view M = gsl_matrix_const_view_array(p->mass, n, n);
    (void)gsl_matrix_memcpy(L, &M.matrix);
    const bool is_definite = carom_cholesky_compute((int)n, L->data) == CAROM_OK;
    for (int j = 0; is_definite && j < all->count; j++) {
        gsl_vector_view a = gsl_vector_view_array(all->rows + (size_t)j * n, n);
        (void)gsl_blas_dtrmv(CblasLower, CblasTrans, CblasNonUnit, L, &a.vector);
    }
    return is_definite ? CAROM_OK : CAROM_STATUS_NOT_CONVERGED;
}

/** The least |r| in M^-1, r = L x: r' M^-1 r = x'x and r.a = x.L'a; or the contact with the largest
 * part in the impulses that cancel. x [n], y [count]: work. */
static carom_status find_kinetic_r(const carom_impact_problem *problem, generators *all, double *x,
                                   double *y, carom_impact_bounds *bounds, carom_report *report) {
    const int n = problem->coordinate_count;
    CAROM_TRY(take_kinetic(problem, all));
    const carom_status status =
        carom_least_distance_solve(n, all->count, all->rows, x, y, &bounds->r_gap);
    bounds->kinetic_r = sqrt(carom_vector_dot(n, x, x));
    if (status == CAROM_STATUS_RAY) {
        int largest = 0;
        for (int j = 1; j < all->count; j++) {
            largest = y[j] > y[largest] ? j : largest;
        }
        return carom_report_fail(report, status, "friction cone that is not pointed (jammed)",
                                 y[largest], all->contacts[largest]);
    }
    if (status == CAROM_STATUS_NOT_CONVERGED) {
        return carom_report_fail(report, status, "vector inside the friction cone", (double)NAN,
                                 -1);
    }
    return status;
}

/** The shortest r [n]; NaN where the digits do not tell, as in units beside which others are
 * nothing. y [count]: work. */
static carom_status find_printed_r(int n, const generators *all, double *r, double *y,
                                   carom_impact_bounds *bounds) {
    const carom_status status =
        carom_least_distance_solve(n, all->count, all->rows, r, y, &bounds->r_gap);
    if (status != CAROM_OK && status != CAROM_STATUS_OUT_OF_MEMORY) {
        bounds->r_gap = (double)NAN;
        for (int i = 0; i < n; i++) {
            r[i] = (double)NAN;
        }
    }
    bounds->r_norm = sqrt(carom_vector_dot(n, r, r));
    return status == CAROM_STATUS_OUT_OF_MEMORY ? status : CAROM_OK;
}

/** Lemma 6: the shortest r [n], and the length of the shortest in M^-1. */
static carom_status find_r(const carom_impact_problem *problem, int facets, double *r,
                           carom_impact_bounds *bounds, carom_report *report) {
    const size_t n = (size_t)problem->coordinate_count;
    const bool is_planar = problem->tangent_count == 1;
    const size_t k = is_planar ? 2 : (size_t)facets;
    const size_t most = k * (size_t)problem->contact_count;
    CAROM_AUTO_MEMORY double *directions = calloc(k * 2, sizeof(double));
    CAROM_AUTO_MEMORY double *y = calloc(most, sizeof(double));
    CAROM_AUTO_MEMORY double *rows = calloc(most * n, sizeof(double));
    CAROM_AUTO_MEMORY int *contacts = calloc(most, sizeof(int));
    if (directions == NULL || y == NULL || rows == NULL || contacts == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    if (is_planar) {
        directions[0] = 1.0;
        directions[1] = -1.0;
    } else {
        CAROM_TRY(carom_friction_facets(facets, directions));
    }
    generators all = {.rows = rows, .contacts = contacts};
    set_generators(problem, (int)k, directions, &all);
    CAROM_TRY(find_kinetic_r(problem, &all, r, y, bounds, report));
    all.count = 0;
    set_generators(problem, (int)k, directions, &all);
    return find_printed_r((int)n, &all, r, y, bounds);
}

/** Smallest and largest eigenvalue of a symmetric S [n][n], which is overwritten. */
static carom_status find_extreme_eigenvalues(int n, double *S, double *smallest, double *largest) {
    CAROM_AUTO(gsl_vector) values = gsl_vector_alloc((size_t)n);
    gsl_eigen_symm_workspace *work = gsl_eigen_symm_alloc((size_t)n);
    carom_status status = values == NULL || work == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
    if (status == CAROM_OK) {
        gsl_matrix_view view = gsl_matrix_view_array(S, (size_t)n, (size_t)n);
        status = carom_vector_is_moderate(n * n, S, CAROM_VECTOR_LARGEST_SQUARED) &&
                         gsl_eigen_symm(&view.matrix, values, work) == GSL_SUCCESS
                     ? CAROM_OK
                     : CAROM_STATUS_NOT_CONVERGED;
    }
    if (status == CAROM_OK) {
        gsl_vector_minmax(values, smallest, largest);
    }
    if (work != NULL) {
        gsl_eigen_symm_free(work);
    }
    return status;
}

/** Root of the largest eigenvalue of S [n][n]: the norm of B, S = B B'. */
static carom_status find_root(int n, double *S, double *norm) {
    double smallest;
    double largest;
    CAROM_TRY(find_extreme_eigenvalues(n, S, &smallest, &largest));
    *norm = sqrt(fmax(largest, 0.0));
    return CAROM_OK;
}

/** sigma = lambda_min(M); NaN where the digits do not tell. */
static carom_status find_sigma(const carom_impact_problem *p, double *S, double *sigma) {
    const int n = p->coordinate_count;
    for (int i = 0; i < n * n; i++) {
        S[i] = p->mass[i];
    }
    double largest;
    CAROM_TRY(find_extreme_eigenvalues(n, S, sigma, &largest));
    *sigma = *sigma > 0.0 ? *sigma : (double)NAN;
    return CAROM_OK;
}

/** Largest singular value of B D, B [n][r] = M^-1 J', D the weights sqrt(sum of d d') of facets. */
static carom_status find_response_norm(const carom_impact_problem *p, int facets, double *S,
                                       double *norm) {
    const int n = p->coordinate_count;
    const int m = p->contact_count;
    const int r = p->row_count;
    // The squares of k directions on a circle add up to k/2 in each axis, those of +-1 to 2.
    const double weight = p->tangent_count == 1 ? 2.0 : 0.5 * facets;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            const double *a = p->impulse_response + (ptrdiff_t)i * r;
            const double *b = p->impulse_response + (ptrdiff_t)j * r;
            S[i * n + j] =
                carom_vector_dot(m, a, b) + weight * carom_vector_dot(r - m, a + m, b + m);
            S[j * n + i] = S[i * n + j];
        }
    }
    return find_root(n, S, norm);
}

/** Largest singular value of J_n, from J_n' J_n. */
static carom_status find_normal_norm(const carom_impact_problem *p, double *S, double *norm) {
    const int n = p->coordinate_count;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            S[i * n + j] = 0.0;
            for (int k = 0; k < p->contact_count; k++) {
                S[i * n + j] += p->contact_jacobian[k * n + i] * p->contact_jacobian[k * n + j];
            }
        }
    }
    return find_root(n, S, norm);
}

/** What does not need r. */
static carom_status find_norms(const carom_impact_problem *problem, int facets,
                               carom_impact_bounds *bounds) {
    const size_t n = (size_t)problem->coordinate_count;
    CAROM_AUTO_MEMORY double *S = calloc(n * n, sizeof(double));
    if (S == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(find_sigma(problem, S, &bounds->sigma));
    CAROM_TRY(find_response_norm(problem, facets, S, &bounds->response_norm));
    CAROM_TRY(find_normal_norm(problem, S, &bounds->normal_norm));
    bounds->velocity_norm = sqrt(2.0 * problem->kinetic_energy);
    return CAROM_OK;
}

static carom_impact_bounds not_computed(const carom_impact_problem *problem, double h) {
    return (carom_impact_bounds){.contact_count = problem->contact_count,
                                 .impulse_step = h,
                                 .r_norm = NAN,
                                 .r_gap = NAN,
                                 .sigma = NAN,
                                 .kinetic_r = NAN,
                                 .velocity_norm = NAN,
                                 .c_p = NAN,
                                 .c_z = NAN,
                                 .theorem_8_c = NAN,
                                 .theorem_8_count = NAN,
                                 .unit_free_count = NAN,
                                 .theorem_8_length = NAN,
                                 .response_norm = NAN,
                                 .psi = NAN,
                                 .normal_norm = NAN};
}

/** What is refused before anything is computed. */
static carom_status refuse(const carom_impact_problem *problem, int facets, double h,
                           carom_report *report) {
    if (!isfinite(h)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "impulse step", h, -1);
    }
    if (h <= 0.0) {
        return carom_report_refuse(report, "impulse step", h, -1, "> 0");
    }
    if (problem->tangent_count > 1 && (facets < CAROM_FRICTION_FEWEST_FACETS || facets % 2 != 0)) {
        return carom_report_refuse(report, "facets", facets, -1, "even, at least 4");
    }
    return CAROM_OK;
}

/** r, its length, and all norms. */
static carom_status find_all(const carom_impact_problem *problem, int facets, double *r,
                             carom_impact_bounds *found, carom_report *report) {
    const int n = problem->coordinate_count;
    CAROM_AUTO_MEMORY double *own = calloc((size_t)n, sizeof(double));
    if (own == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(find_r(problem, facets, own, found, report));
    const carom_status status = find_norms(problem, facets, found);
    if (status == CAROM_STATUS_NOT_CONVERGED) {
        return carom_report_fail(
            report, status, "largest inverse mass of the bounds",
            carom_vector_largest(problem->row_count * problem->row_count, problem->delassus_matrix),
            -1);
    }
    CAROM_TRY(status);
    for (int i = 0; r != NULL && i < n; i++) {
        r[i] = own[i];
    }
    return CAROM_OK;
}

/*[impactBounds]*/
carom_status carom_impact_bounds_compute(const carom_impact_problem *problem, int facets, double h,
                                         double *r, carom_impact_bounds *bounds,
                                         carom_report *report) {
    CAROM_ASSERT(problem != NULL && bounds != NULL);
    *bounds = not_computed(problem, h);
    for (int i = 0; r != NULL && i < problem->coordinate_count; i++) {
        r[i] = NAN;
    }
    CAROM_TRY(refuse(problem, facets, h, report));
    carom_impact_bounds found = *bounds;
    CAROM_TRY(find_all(problem, facets, r, &found, report));

    // Theorem 8, as stated and in the metric of M (149), (156), (78), (79).
    const double m = problem->contact_count;
    found.c_p = h / (m + 1.0);
    found.c_z = 2.0 * found.r_norm / sqrt(found.sigma);
    found.theorem_8_c = 4.0 * ceil(0.5 * found.c_z / found.c_p);
    found.theorem_8_count = found.theorem_8_c * ceil(found.velocity_norm);
    found.unit_free_count = 2.0 * ceil(2.0 * found.kinetic_r * found.velocity_norm / found.c_p);
    found.theorem_8_length = (m + 1.0) * (m + 1.0);

    // Line 2 of Algorithm 2.
    double most_friction = 0.0;
    for (int i = 0; i < problem->contact_count; i++) {
        most_friction = fmax(most_friction, problem->friction[i]);
    }
    found.psi = found.response_norm * m * (1.0 + most_friction) + 1.0;
    *bounds = found;
    return CAROM_OK;
}
/*[end impactBounds]*/

double carom_impact_bounds_exceedance(const carom_impact_bounds *bounds, double increments) {
    CAROM_ASSERT(bounds != NULL);
    const double k = floor(increments) - bounds->unit_free_count;
    return exp(-fmax(k, 0.0) / bounds->theorem_8_length);
}

double carom_impact_bounds_increments(const carom_impact_bounds *bounds, double probability) {
    CAROM_ASSERT(bounds != NULL);
    CAROM_ASSERT(probability >= 0.0 && probability <= 1.0);
    return bounds->unit_free_count + ceil(-log(probability) * bounds->theorem_8_length);
}
