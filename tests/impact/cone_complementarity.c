/* The complementarity problems of polyhedral friction cones: matrices and maps from the Delassus
 * matrix alone, and the identities of Theorems 6 and 7. */
#include "random_impacts.h"

#include "../failing_malloc.h"

#include <carom/impact/anitescu_potra.h>
#include <carom/impact/contact_modes.h>
#include <carom/impact/impulse_increment.h>

enum { PROBLEMS = 200 };

/* A random problem with t tangents, and its Delassus matrix by elimination. */
static carom_impact_problem *random_problem(gsl_rng *generator, int m, int t, plain_impact *plain) {
    carom_impact_problem *problem = NULL;
    const int r = m * (1 + t);
    plain->m = m;
    plain->n = 5;
    random_mass(generator, false, plain);
    for (int i = 0; i < r * 5; i++) {
        plain->J[i] = uniform(generator, -1.0, 1.0);
    }
    for (int i = 0; i < 5; i++) {
        plain->v[i] = uniform(generator, -1.0, 1.0);
    }
    for (int i = 0; i < m; i++) {
        plain->mu[i] = random_friction(generator);
    }
    double A[25];
    double B[5 * MOST_ROWS];
    memcpy(A, plain->M, sizeof(A));
    for (int i = 0; i < 5; i++) {
        for (int a = 0; a < r; a++) {
            B[i * r + a] = plain->J[a * 5 + i];
        }
    }
    eliminate(5, r, A, B);
    for (int a = 0; a < r; a++) {
        plain->c[a] = 0.0;
        for (int i = 0; i < 5; i++) {
            plain->c[a] += plain->J[a * 5 + i] * plain->v[i];
        }
        for (int b = 0; b < r; b++) {
            plain->C[a * r + b] = 0.0;
            for (int i = 0; i < 5; i++) {
                plain->C[a * r + b] += plain->J[a * 5 + i] * B[i * r + b];
            }
        }
    }
    assert_ok(carom_impact_problem_alloc(5, m, t, plain->M, plain->J, &plain->J[m * 5], plain->mu,
                                         plain->v, &problem, NULL));
    return problem;
}

/* (75) block by block; w and the impulse likewise. Rounding of sums of ten terms of size 100. */
TEST(unit, matrix_is_that_of_the_paper_with_its_transposes) {
    const unsigned long seed = 751;
    gsl_rng *generator = seeded_generator(seed);
    for (int trial = 0; trial < PROBLEMS; trial++) {
        plain_impact plain;
        const int m = 1 + trial % 3;
        const int t = 1 + trial / 3 % 2;
        const int facets = 4 + 2 * (trial % 5);
        const bool is_capped = trial % 7 < 4;
        carom_impact_problem *problem = random_problem(generator, m, t, &plain);
        carom_cone_complementarity *cones = NULL;
        assert_ok(carom_cone_complementarity_alloc(problem, facets, is_capped, &cones, NULL));
        const int k = t == 1 ? 2 : facets;
        const int size = (k + (is_capped ? 3 : 2)) * m;
        ck_assert_int_eq(cones->facet_count, k);
        ck_assert_int_eq(cones->size, size);
        ck_assert(cones->is_capped == is_capped && cones->problem == problem);
        double d[32] = {1.0, -1.0};
        if (t == 2) {
            assert_ok(carom_friction_facets(k, d));
        }
        for (int i = 0; i < k * t; i++) {
            assert_close(cones->directions[i], d[i], 0.0, 0.0);
        }
        double *W = calloc((size_t)size * (size_t)size, sizeof(double));
        double *w = malloc((size_t)size * sizeof(double));
        double *z = malloc((size_t)size * sizeof(double));
        ck_assert(W != NULL && w != NULL && z != NULL);
        ck_assert_int_eq(cone_matrix(m, t, k, d, plain.mu, plain.C, is_capped, W), size);
        for (int i = 0; i < size * size; i++) {
            ck_assert_msg(fabs(cones->matrix[i] - W[i]) <= 1e-11, "W[%d][%d] is %g, not %g",
                          i / size, i % size, cones->matrix[i], W[i]);
        }
        for (int i = 0; i < size; i++) {
            w[i] = 7.5;
            z[i] = gsl_rng_uniform(generator);
        }
        double L[MOST_ROWS];
        memset(L, 0xff, sizeof(L)); /* NaN */
        carom_cone_complementarity_constant(cones, plain.c, w);
        carom_cone_complementarity_impulse(cones, z, L);
        const int first = is_capped ? m : 0;
        for (int i = 0; i < m; i++) {
            ck_assert(!is_capped || fabs(w[i] - 7.5) <= 0.0); /* left to the caller */
            assert_close(w[first + i], plain.c[i], 0.0, 0.0);
            assert_close(w[size - m + i], 0.0, 0.0, 0.0);
            assert_close(L[i], z[first + i], 0.0, 0.0);
            for (int l = 0; l < t; l++) {
                double sum = 0.0;
                for (int j = 0; j < k; j++) {
                    sum += d[j * t + l] * z[first + m + i * k + j];
                }
                assert_close(L[m + i * t + l], sum, 0.0, 1e-13);
            }
            for (int j = 0; j < k; j++) {
                double along = 0.0;
                for (int l = 0; l < t; l++) {
                    along += d[j * t + l] * plain.c[m + i * t + l];
                }
                assert_close(w[first + m + i * k + j], along, 0.0, 1e-13);
            }
        }
        free(z);
        free(w);
        free(W);
        carom_cone_complementarity_free(cones);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

/* (137)-(139): z' W z = |J' L|^2_{M^-1} + L_n' mu gamma, for every z; beta and the cone rows
 * cancel.
 */
TEST(property, form_is_the_energy_of_the_impulse_and_the_slip) {
    const unsigned long seed = 752;
    gsl_rng *generator = seeded_generator(seed);
    for (int trial = 0; trial < PROBLEMS; trial++) {
        plain_impact plain;
        const int m = 1 + trial % 3;
        const int t = 1 + trial / 3 % 2;
        const int r = m * (1 + t);
        const bool is_capped = trial % 2 == 0;
        carom_impact_problem *problem = random_problem(generator, m, t, &plain);
        carom_cone_complementarity *cones = NULL;
        assert_ok(carom_cone_complementarity_alloc(problem, 8, is_capped, &cones, NULL));
        const int size = cones->size;
        double z[33];
        double L[MOST_ROWS];
        double form = 0.0;
        double energy = 0.0;
        for (int i = 0; i < size; i++) {
            z[i] = gsl_rng_uniform(generator);
        }
        carom_cone_complementarity_impulse(cones, z, L);
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                form += z[i] * cones->matrix[i * size + j] * z[j];
            }
        }
        for (int a = 0; a < r; a++) {
            for (int b = 0; b < r; b++) {
                energy += L[a] * plain.C[a * r + b] * L[b];
            }
        }
        for (int i = 0; i < m; i++) {
            energy += L[i] * plain.mu[i] * z[size - m + i];
        }
        assert_close(form, energy, 1e-11, 1e-11); /* sums of a thousand terms */
        ck_assert(energy >= 0.0);
        carom_cone_complementarity_free(cones);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

TEST(errors, facets_of_a_spatial_cone_are_even_and_four_at_least) {
    const unsigned long seed = 753;
    gsl_rng *generator = seeded_generator(seed);
    plain_impact plain;
    const int bad[5] = {-8, 0, 2, 3, 7};
    carom_impact_problem *problem = random_problem(generator, 2, 2, &plain);
    carom_cone_complementarity *cones = NULL;
    for (int k = 0; k < 5; k++) {
        assert_status(carom_cone_complementarity_alloc(problem, bad[k], true, &cones, NULL),
                      OUT_OF_RANGE);
        ck_assert_ptr_null(cones);
    }
    carom_impact_problem_free(problem);
    problem = random_problem(generator, 2, 1, &plain);
    for (int k = 0; k < 5; k++) {
        assert_ok(carom_cone_complementarity_alloc(problem, bad[k], true, &cones, NULL));
        carom_cone_complementarity_free(cones);
    }
    carom_impact_problem_free(problem);
    carom_cone_complementarity_free(NULL);
    gsl_rng_free(generator);
}

TEST(errors, failing_allocations_are_reported_without_a_leak) {
    const unsigned long seed = 754;
    gsl_rng *generator = seeded_generator(seed);
    plain_impact plain;
    carom_impact_problem *problem = random_problem(generator, 2, 2, &plain);
    for (int k = 0;; k++) {
        carom_cone_complementarity *cones = NULL;
        successes_left = k;
        const carom_status status =
            carom_cone_complementarity_alloc(problem, 8, true, &cones, NULL);
        successes_left = -1;
        carom_cone_complementarity_free(cones);
        if (status == CAROM_OK) {
            ck_assert_int_gt(k, 1);
            break;
        }
        ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
    }
    carom_impact_problem_free(problem);
    gsl_rng_free(generator);
}
