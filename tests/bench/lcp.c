/* Linear complementarity problems: cost of Lemke's method, and how many of the hard problems of
 * tests/lcp it leaves unsolved or solves wrongly, which is none. */
#include "bench.h"

#include "../lcp/hard_problems.h"

#include <carom/lcp/lcp.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const SYSTEM = "lcp";
static const bench_unit MICROSECONDS = {.name = "us", .factor = 1e6};
static const bench_unit PROBLEMS = {.name = "problems", .factor = 1.0};

static const unsigned long SEED = 20210330;

/* Different problems that are solved in turn, so that no branch is learned by heart: as many as
 * take this memory, entries, but at least a few. */
enum { ENTRIES = 1 << 16, FEWEST = 8 };

/* Problems counted, of each size; increments for each number of contacts. */
enum { EACH = 20000 };

static const long MANY = 1L << 24;

typedef struct problems {
    int n;
    int count;
    double *M; /* [count][n][n] */
    double *q; /* [count][n] */
    double *z; /* [n] */
    carom_lcp_workspace *work;
} problems;

static void problems_clear(problems *p) {
    free(p->M);
    free(p->q);
    free(p->z);
    carom_lcp_workspace_free(p->work);
}

/* M = A A', A [n][rank] and q uniform; of a rank below n, q = A b. */
static bool problems_init(int n, int rank, gsl_rng *generator, problems *p) {
    const size_t size = (size_t)n;
    *p = (problems){.n = n, .count = ENTRIES / (n * n)};
    p->count = p->count < FEWEST ? FEWEST : p->count;
    p->M = malloc((size_t)p->count * size * size * sizeof(double));
    p->q = malloc((size_t)p->count * size * sizeof(double));
    p->z = malloc(size * sizeof(double));
    double *A = malloc((size + 1) * size * sizeof(double));
    const bool is_complete = p->M != NULL && p->q != NULL && p->z != NULL && A != NULL &&
                             generator != NULL &&
                             carom_lcp_workspace_alloc(n, &p->work) == CAROM_OK;
    for (int k = 0; is_complete && k < p->count; k++) {
        double *M = p->M + (size_t)k * size * size;
        double *q = p->q + (size_t)k * size;
        for (int i = 0; i < (n + 1) * rank; i++) {
            A[i] = hard_uniform(generator, -1.0, 1.0);
        }
        const double *b = A + n * rank;
        for (int i = 0; i < n; i++) {
            q[i] = rank == n ? hard_uniform(generator, -1.0, 1.0) : 0.0;
            for (int l = 0; rank < n && l < rank; l++) {
                q[i] += A[i * rank + l] * b[l];
            }
            for (int j = 0; j < n; j++) {
                M[i * n + j] = 0.0;
                for (int l = 0; l < rank; l++) {
                    M[i * n + j] += A[i * rank + l] * A[j * rank + l];
                }
            }
        }
    }
    free(A);
    return is_complete;
}

static double time_problems(long count, void *context) {
    const problems *p = context;
    const size_t n = (size_t)p->n;
    int k = 0;
    const double begin = bench_seconds();
    for (long i = 0; i < count; i++) {
        if (carom_lcp_solve_lemke(p->n, p->M + (size_t)k * n * n, p->q + (size_t)k * n, p->z,
                                  p->work, NULL) != CAROM_OK) {
            return -1.0;
        }
        k = k + 1 < p->count ? k + 1 : 0;
    }
    return bench_seconds() - begin;
}

static int bench_costs(bench_table *t, gsl_rng *generator) {
    static const int sizes[] = {4, 10, 32, 64, 128};
    static const double targets[] = {0.1, 0.4, 8.0, 60.0, 400.0};
    int failures = 0;
    for (int k = 0; k < 10; k++) {
        const int n = sizes[k % 5];
        problems p;
        if (!problems_init(n, k < 5 ? n : n / 2, generator, &p)) {
            problems_clear(&p);
            return failures + 1;
        }
        const bench_row row = {.system = SYSTEM,
                               .method = k < 5 ? "Lemke, definite" : "Lemke, rank n/2",
                               .coordinates = n,
                               .contacts = n,
                               .unit = MICROSECONDS,
                               .work = (double)NAN,
                               .target = targets[k % 5]};
        failures += bench_measure(t, row, time_problems, MANY, &p);
        problems_clear(&p);
    }
    return failures;
}

/* Append a count that is to be zero. */
static int append_count(bench_table *t, const char *method, long count) {
    if (t->count == BENCH_MAX_ROWS) {
        return 1;
    }
    t->rows[t->count++] = (bench_row){.system = SYSTEM,
                                      .method = method,
                                      .unit = PROBLEMS,
                                      .work = (double)NAN,
                                      .target = 0.0,
                                      .cost = (double)count};
    if (count > 0) {
        fprintf(stderr, "bench: %s: %ld\n", method, count);
    }
    return count == 0 ? 0 : 1;
}

static int count_semidefinite(bench_table *t, gsl_rng *generator, carom_lcp_workspace *work) {
    static const int sizes[] = {2, 3, 4, 5, 6, 8, 10, 12, 16, 25, 32};
    double M[HARD_LARGEST * HARD_LARGEST];
    double q[HARD_LARGEST];
    double z[HARD_LARGEST];
    long unsolved = 0;
    long wrong = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        for (int i = 0; i < EACH; i++) {
            hard_semidefinite(generator, sizes[k], i % HARD_KINDS, M, q);
            if (carom_lcp_solve_lemke(sizes[k], M, q, z, work, NULL) != CAROM_OK) {
                unsolved++;
            } else if (!hard_is_solved(sizes[k], M, q, z)) {
                wrong++;
            }
        }
    }
    return append_count(t, "semidefinite, 20000 a size: unsolved", unsolved) +
           append_count(t, "semidefinite, 20000 a size: wrong", wrong);
}

/* Wrong: a row off by 1e-8 of its terms or of a speed or impulse of 1. */
static bool is_increment_solved(const hard_increment *p, const double *z) {
    const int n = 5 * p->contacts;
    bool is_solved = true;
    for (int i = 0; i < n; i++) {
        double value = p->w[i];
        double size = 1.0 + fabs(p->w[i]);
        for (int j = 0; j < n; j++) {
            value += p->W[i * n + j] * z[j];
            size += fabs(p->W[i * n + j]) * z[j];
        }
        is_solved = is_solved && fabs(fmin(z[i], value)) <= 1e-8 * size;
    }
    return is_solved;
}

static int count_increments(bench_table *t, gsl_rng *generator, carom_lcp_workspace *work) {
    long unsolved = 0;
    long wrong = 0;
    for (int m = 1; m <= HARD_CONTACTS; m++) {
        for (int i = 0; i < EACH; i++) {
            hard_increment p;
            double d[HARD_INCREMENT];
            double z[HARD_INCREMENT];
            hard_increment_draw(generator, m, i % 3 == 0, &p);
            for (int k = 0; k < 5 * m; k++) {
                d[k] = i % 4 == 2 && k >= 4 * m ? fmax(1.0, p.mu[k - 4 * m]) : 1.0;
            }
            if (carom_lcp_solve_lemke_covering(5 * m, p.W, p.w, i % 4 == 0 ? NULL : d, z, work,
                                               NULL) != CAROM_OK) {
                unsolved++;
            } else if (!is_increment_solved(&p, z)) {
                wrong++;
            }
        }
    }
    return append_count(t, "increments, 20000 a size: unsolved", unsolved) +
           append_count(t, "increments, 20000 a size: wrong", wrong);
}

int bench_lcp(bench_table *t) {
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    carom_lcp_workspace *work = NULL;
    int failures = 1;
    if (generator != NULL && carom_lcp_workspace_alloc(HARD_LARGEST, &work) == CAROM_OK) {
        gsl_rng_set(generator, SEED);
        failures = bench_costs(t, generator) + count_semidefinite(t, generator, work) +
                   count_increments(t, generator, work);
    }
    carom_lcp_workspace_free(work);
    gsl_rng_free(generator);
    return failures;
}
