/** Seeded random planar impacts, generic and degenerate. To be included by suites. */
#ifndef CAROM_TESTS_IMPACT_RANDOM_IMPACTS_H
#define CAROM_TESTS_IMPACT_RANDOM_IMPACTS_H

#include "independent_impacts.h"

#include <carom/impact/impact_problem.h>

#include <gsl/gsl_randist.h>

typedef enum random_kind {
    GENERIC,   /**< no row depends on the others, all speeds differ from zero */
    REDUNDANT, /**< the last contact repeats or combines rows of the first one */
    WHOLE,     /**< small whole numbers in J, v and M: zero speeds and ties, exactly */
    RESTING,   /**< contacts but one have zero speed, up to rounding */
    RANDOM_KINDS
} random_kind;

static inline double random_friction(gsl_rng *generator) {
    static const double values[8] = {0.0, 0.1, 0.4, 0.9, 1.7, 5.0, 60.0, 1e5};
    return values[gsl_rng_uniform_int(generator, 8)];
}

/* M = A A' + I/2, or a whole diagonal. */
static inline void random_mass(gsl_rng *generator, bool is_whole, plain_impact *plain) {
    const int n = plain->n;
    double A[MOST_COORDINATES * MOST_COORDINATES] = {0};
    for (int i = 0; i < n * n; i++) {
        A[i] = uniform(generator, -1.0, 1.0);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = i == j ? 0.5 : 0.0;
            for (int k = 0; k < n; k++) {
                sum += A[i * n + k] * A[j * n + k];
            }
            plain->M[i * n + j] = sum;
        }
    }
    for (int i = 0; is_whole && i < n * n; i++) {
        plain->M[i] = i % (n + 1) == 0 ? 1.0 + (double)gsl_rng_uniform_int(generator, 3) : 0.0;
    }
    for (int i = 0; i < n; i++) { /* symmetric to the last digit */
        for (int j = 0; j < i; j++) {
            plain->M[i * n + j] = plain->M[j * n + i];
        }
    }
}

/* v such that all speeds but that of normal row 0 vanish, if there are enough coordinates. */
static inline void rest_all_but_one(plain_impact *plain) {
    const int n = plain->n;
    for (int pass = 0; pass < 3; pass++) { /* Gram-Schmidt against every other row, repeated */
        double basis[MOST_ROWS][MOST_COORDINATES];
        int count = 0;
        for (int a = 1; a < 2 * plain->m; a++) {
            double *b = basis[count];
            memcpy(b, &plain->J[a * n], sizeof(double) * (size_t)n);
            for (int twice = 0; twice < 2; twice++) {
                for (int k = 0; k < count; k++) {
                    double dot = 0.0;
                    for (int i = 0; i < n; i++) {
                        dot += basis[k][i] * b[i];
                    }
                    for (int i = 0; i < n; i++) {
                        b[i] -= dot * basis[k][i];
                    }
                }
            }
            double square = 0.0;
            for (int i = 0; i < n; i++) {
                square += b[i] * b[i];
            }
            if (square < 1e-12) {
                continue;
            }
            double along = 0.0;
            for (int i = 0; i < n; i++) {
                b[i] /= sqrt(square);
                along += b[i] * plain->v[i];
            }
            for (int i = 0; i < n; i++) {
                plain->v[i] -= along * b[i];
            }
            count++;
        }
    }
}

/* m contacts; at least one collides. */
static inline void random_plain(gsl_rng *generator, random_kind kind, int m, plain_impact *plain) {
    memset(plain, 0, sizeof(*plain));
    plain->m = m;
    const int least = kind == GENERIC || kind == RESTING ? 2 * m : 3;
    plain->n = least + (int)gsl_rng_uniform_int(generator, 2);
    const int n = plain->n;
    random_mass(generator, kind == WHOLE, plain);
    do {
        for (int i = 0; i < 2 * m * n; i++) {
            plain->J[i] = kind == WHOLE ? (double)gsl_rng_uniform_int(generator, 4) - 1.0
                                        : uniform(generator, -1.0, 1.0);
        }
        for (int i = 0; i < n; i++) {
            plain->v[i] = kind == WHOLE ? (double)gsl_rng_uniform_int(generator, 3) - 1.0
                                        : uniform(generator, -1.0, 1.0);
        }
        const double share = uniform(generator, 0.0, 2.0);
        for (int i = 0; kind == REDUNDANT && m > 1 && i < n; i++) {
            plain->J[(2 * m - 1) * n + i] = plain->J[m * n + i]; /* one tangent, as of a block */
            plain->J[(m - 1) * n + i] =
                share < 0.7 ? plain->J[i] : plain->J[(m - 1) * n + i] + share * plain->J[i];
        }
        if (kind == RESTING) {
            rest_all_but_one(plain);
        }
        complete(plain);
        for (int i = 0; kind == RESTING && plain->c[0] > 0.0 && i < n; i++) {
            plain->v[i] = -plain->v[i];
        }
        complete(plain);
    } while (plain->c[0] > -0.05);
    for (int i = 0; i < m; i++) {
        plain->mu[i] = random_friction(generator);
    }
}

/* Caps in (0, step]: small, medium, or too large to matter. */
static inline void random_caps(gsl_rng *generator, int m, double *caps) {
    const double step = exp(uniform(generator, -4.0, 2.0));
    for (int i = 0; i < m; i++) {
        caps[i] = step * (1.0 - gsl_rng_uniform(generator));
    }
}

/** An empty list of outcomes. */
static inline carom_impact_outcomes *outcomes_for(const carom_impact_problem *problem) {
    carom_impact_outcomes *outcomes = NULL;
    assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
    return outcomes;
}

#endif
