/**
 * Random complementarity problems that have a solution and are hard on a solver: rank-deficient,
 * degenerate, of many scales; and the increments of set-valued impacts.
 */
#ifndef CAROM_TESTS_HARD_PROBLEMS_H
#define CAROM_TESTS_HARD_PROBLEMS_H

#include <gsl/gsl_rng.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
    HARD_LARGEST = 32,                 /**< unknowns */
    HARD_CONTACTS = 5,                 /**< contacts of an increment */
    HARD_INCREMENT = 5 * HARD_CONTACTS /**< its unknowns */
};

/** What makes a semidefinite problem hard; any combination. */
enum {
    HARD_DUPLICATES = 1, /**< contacts that repeat an earlier one */
    HARD_SCALES = 2,     /**< contacts in units from 1e-3 to 1e3 */
    HARD_RANGE = 4,      /**< q = A b: nothing but the range of M; else q = w - M z, degenerate */
    HARD_LEVERS = 8,     /**< entries -1, 0, 1 on lever arms 1, 0.2, 0.04, ...: ties everywhere */
    HARD_KINDS = 16
};

static inline double hard_uniform(gsl_rng *generator, double low, double high) {
    return low + (high - low) * gsl_rng_uniform(generator);
}

/** A [n][r] of one kind. */
static inline void hard_factor(gsl_rng *generator, int n, int r, int kind, double *A) {
    for (int i = 0; i < n; i++) {
        const bool is_copy =
            (kind & HARD_DUPLICATES) != 0 && i > 0 && gsl_rng_uniform(generator) < 0.4;
        const int original = i > 0 ? (int)gsl_rng_uniform_int(generator, (unsigned long)i) : 0;
        for (int k = 0; k < r; k++) {
            double entry = hard_uniform(generator, -1.0, 1.0);
            if ((kind & HARD_LEVERS) != 0) {
                entry = pow(10.0, -0.7 * k) * ((double)gsl_rng_uniform_int(generator, 3) - 1.0);
            }
            A[i * r + k] = is_copy ? A[original * r + k] : entry;
        }
    }
    for (int i = 0; (kind & HARD_SCALES) != 0 && i < n; i++) {
        const double scale = pow(10.0, hard_uniform(generator, -3.0, 3.0));
        for (int k = 0; k < r; k++) {
            A[i * r + k] *= scale;
        }
    }
}

/** M = A A' of rank r < n, and q with which there is a solution; n >= 2. */
static inline void hard_semidefinite(gsl_rng *generator, int n, int kind, double *M, double *q) {
    double A[HARD_LARGEST * HARD_LARGEST];
    double z[HARD_LARGEST];
    int r = 1 + (int)gsl_rng_uniform_int(generator, (unsigned long)n - 1);
    r = (kind & HARD_LEVERS) != 0 && r > 5 ? 5 : r;
    hard_factor(generator, n, r, kind, A);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            M[i * n + j] = 0.0;
            for (int k = 0; k < r; k++) {
                M[i * n + j] += A[i * r + k] * A[j * r + k];
            }
        }
        // A complementary pair with zeros in both.
        const double choice = gsl_rng_uniform(generator);
        z[i] = choice < 0.5 ? hard_uniform(generator, 0.1, 2.0) : 0.0;
        q[i] = choice > 0.75 ? hard_uniform(generator, 0.1, 2.0) : 0.0;
    }
    double b[HARD_LARGEST];
    for (int k = 0; k < r; k++) {
        b[k] = hard_uniform(generator, -1.0, 1.0);
    }
    for (int i = 0; i < n; i++) {
        if ((kind & HARD_RANGE) != 0) {
            q[i] = 0.0;
            for (int k = 0; k < r; k++) {
                q[i] += A[i * r + k] * b[k];
            }
        } else {
            for (int j = 0; j < n; j++) {
                q[i] -= M[i * n + j] * z[j];
            }
        }
    }
}

/**
 * Whether z solves the problem of a semidefinite M: rows scaled by M_ii^-1/2, the residual in
 * extended precision within four times (scales are rounded to powers of two) the bounds that the
 * solver promises.
 */
static inline bool hard_is_solved(int n, const double *M, const double *q, const double *z) {
    double residual = 0.0;
    double row_size = 0.0;
    double constant = 0.0;
    for (int i = 0; i < n; i++) {
        const double D = M[i * n + i] > 0.0 ? 1.0 / sqrt(M[i * n + i]) : 1.0;
        long double w = (long double)q[i];
        double size = fabs(q[i]);
        for (int j = 0; j < n; j++) {
            w += (long double)M[i * n + j] * (long double)z[j];
            size += fabs(M[i * n + j]) * z[j];
        }
        const double scaled_w = (double)w * D;
        const double scaled_z = z[i] / D;
        if (!(z[i] >= 0.0)) {
            return false;
        }
        residual = fmax(residual, fabs(fmin(scaled_z, scaled_w)));
        row_size = fmax(row_size, size * D);
        constant = fmax(constant, fabs(q[i]) * D);
    }
    const double rounding = fmin(16.0 * n * DBL_EPSILON * row_size, 1e-8 * constant);
    return residual <= 4.0 * fmax(rounding, 1e-10 * constant);
}

/** A planar increment: matrix and constant of halm-2023 (75), and what they are made of. */
typedef struct hard_increment {
    int contacts;                                /**< m */
    double C[4 * HARD_CONTACTS * HARD_CONTACTS]; /**< [2m][2m] normals, then tangents */
    double c[2 * HARD_CONTACTS];                 /**< [2m] speeds */
    double mu[HARD_CONTACTS];                    /**< [m] */
    double caps[HARD_CONTACTS];                  /**< [m] */
    double W[HARD_INCREMENT * HARD_INCREMENT];   /**< [5m][5m] */
    double w[HARD_INCREMENT];                    /**< [5m] */
} hard_increment;

/** W and w from C, c, mu and the caps; unknowns (beta, L_n, L_D contact by contact, gamma). */
static inline void hard_increment_assemble(hard_increment *p) {
    const int m = p->contacts;
    const int n = 5 * m;
    memset(p->W, 0, sizeof p->W);
    for (int i = 0; i < m; i++) {
        const int beta = i;
        const int normal = m + i;
        const int gamma = 4 * m + i;
        p->W[beta * n + normal] = -1.0;
        p->W[normal * n + beta] = 1.0;
        p->W[gamma * n + normal] = p->mu[i];
        p->w[beta] = p->caps[i];
        p->w[normal] = p->c[i];
        p->w[gamma] = 0.0;
        for (int f = 0; f < 2; f++) {
            const int facet = 2 * m + 2 * i + f;
            const double sign = f == 0 ? 1.0 : -1.0;
            p->W[facet * n + gamma] = 1.0;
            p->W[gamma * n + facet] = -1.0;
            p->w[facet] = sign * p->c[m + i];
            for (int j = 0; j < m; j++) {
                const double *row = p->C + (m + i) * 2 * m;
                p->W[facet * n + m + j] = sign * row[j];
                p->W[facet * n + 2 * m + 2 * j] = sign * row[m + j];
                p->W[facet * n + 2 * m + 2 * j + 1] = -sign * row[m + j];
            }
        }
        for (int j = 0; j < m; j++) {
            const double *row = p->C + i * 2 * m;
            p->W[normal * n + m + j] = row[j];
            p->W[normal * n + 2 * m + 2 * j] = row[m + j];
            p->W[normal * n + 2 * m + 2 * j + 1] = -row[m + j];
        }
    }
}

/**
 * A body or two (three or six velocities) with 1 to 5 contacts, some of them redundant, friction
 * from 0 to 1e5, caps of which some are zero.
 */
static inline void hard_increment_draw(gsl_rng *generator, int contacts, bool is_integer,
                                       hard_increment *p) {
    enum { VELOCITIES = 6 };
    const int m = contacts;
    const int velocities = m > 3 ? 6 : 3;
    double J[2 * HARD_CONTACTS * VELOCITIES];
    double v[VELOCITIES];
    p->contacts = m;
    for (int k = 0; k < 2 * m * velocities; k++) {
        J[k] = is_integer ? (double)gsl_rng_uniform_int(generator, 3) - 1.0
                          : hard_uniform(generator, -1.0, 1.0);
    }
    for (int k = 0; k < velocities; k++) {
        v[k] = is_integer ? (double)gsl_rng_uniform_int(generator, 5) - 2.0
                          : hard_uniform(generator, -1.0, 1.0);
    }
    const size_t row = (size_t)velocities * sizeof(double);
    for (int i = 1; i < m; i++) {
        if (gsl_rng_uniform(generator) < 0.3) {
            // The same tangent as an earlier contact, as under one rigid edge; or all the same.
            const int k = (int)gsl_rng_uniform_int(generator, (unsigned long)i);
            memcpy(J + (m + i) * velocities, J + (m + k) * velocities, row);
            if (gsl_rng_uniform(generator) < 0.3) {
                memcpy(J + i * velocities, J + k * velocities, row);
            }
        }
    }
    for (int a = 0; a < 2 * m; a++) {
        p->c[a] = 0.0;
        for (int k = 0; k < velocities; k++) {
            p->c[a] += J[a * velocities + k] * v[k];
        }
        for (int b = 0; b < 2 * m; b++) {
            double sum = 0.0;
            for (int k = 0; k < velocities; k++) {
                sum += J[a * velocities + k] * J[b * velocities + k];
            }
            p->C[a * 2 * m + b] = sum;
        }
    }
    for (int i = 0; i < m; i++) {
        const double choice = gsl_rng_uniform(generator);
        p->mu[i] = pow(10.0, hard_uniform(generator, -3.0, 5.0));
        p->mu[i] = choice < 0.15 ? 0.0 : (choice < 0.3 ? 1e5 : p->mu[i]);
        p->caps[i] = gsl_rng_uniform(generator) < 0.1 ? 0.0 : gsl_rng_uniform(generator);
    }
    hard_increment_assemble(p);
}

#endif
