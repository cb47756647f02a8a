/*
 * carom beside other programs, in one run on the same problems: cost of a time step, error against
 * the closed form, and complementarity problems left unsolved or solved wrongly.
 */
#include "peers.h"

#include "../../lcp/hard_problems.h"
#include "../bench.h"

#include <carom/models/ball_column.h>
#include <carom/models/bouncing_ball.h>
#include <carom/models/elastic_bar.h>

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const peer *const peers[] = {
    &carom_peer,
#ifdef HAVE_SICONOS
    &siconos_peer,
#endif
#ifdef HAVE_ODE
    &ode_peer,
#endif
    NULL,
};

static const unsigned long SEED = 20210330;

/* Problems of each size that are judged, and solved in turn for the cost. */
enum { PROBLEMS = 2000, LARGEST = HARD_LARGEST };

static const long MANY = 1L << 24;

/* A row off by this part of its terms is wrong. */
static const double WRONG = 1e-8;

static const bench_unit MICROSECONDS = {.name = "us", .factor = 1e6};

/* ----------------------------------------------------------------------------------------- motions
 */

/* A system with all arrays, and its exact positions. */
typedef struct problem {
    const char *name;
    peer_system system;
    void (*exact)(double t, int n, double *q);
    double length;  /* what errors are measured by, m */
    double *arrays; /* the system's, owned */
} problem;

/* What a batch works on. */
typedef struct motion {
    const peer *by;
    const problem *of;
    int steps;
} motion;

/* Whole motions; what is not a step does not count. */
static double time_motions(long count, void *context) {
    const motion *x = context;
    double elapsed = 0.0;
    for (long k = 0; k < count; k++) {
        void *simulation = x->by->open(&x->of->system);
        if (simulation == NULL) {
            return -1.0;
        }
        const double begin = bench_seconds();
        bool is_well = true;
        for (int s = 0; s < x->steps && is_well; s++) {
            is_well = x->by->advance(simulation);
        }
        elapsed += bench_seconds() - begin;
        x->by->close(simulation);
        if (!is_well) {
            return -1.0;
        }
    }
    return elapsed;
}

/* Largest distance from the exact positions and largest penetration, by the length. */
static bool judge_motion(const motion *x, double *error, double *penetration) {
    const peer_system *s = &x->of->system;
    double *q = calloc(2 * (size_t)s->n, sizeof *q);
    void *simulation = x->by->open(s);
    bool is_well = q != NULL && simulation != NULL;
    *error = 0.0;
    *penetration = 0.0;
    for (int k = 1; k <= x->steps && is_well; k++) {
        is_well = x->by->advance(simulation);
        x->by->read(simulation, s->n, q);
        x->of->exact(k * s->step, s->n, q + s->n);
        for (int i = 0; i < s->n; i++) {
            *error = fmax(*error, fabs(q[i] - q[s->n + i]) / x->of->length);
        }
        for (int a = 0; a < s->m; a++) {
            double gap = s->g0[a];
            for (int i = 0; i < s->n; i++) {
                gap += s->G[a * s->n + i] * q[i];
            }
            *penetration = fmax(*penetration, -gap / x->of->length);
        }
    }
    x->by->close(simulation);
    free(q);
    return is_well;
}

static int compare_motions(const problem *of) {
    int failures = 0;
    for (int p = 0; peers[p] != NULL; p++) {
        motion x = {peers[p], of, (int)floor(of->system.end / of->system.step + 0.5)};
        static bench_table table;
        table.count = 0;
        double error;
        double penetration;
        const bench_row row = {.system = of->name,
                               .method = peers[p]->name,
                               .unit = {.name = "ns/step", .factor = 1e9 / x.steps}};
        if (bench_measure(&table, row, time_motions, MANY, &x) != 0 ||
            !judge_motion(&x, &error, &penetration)) {
            printf("%-24s %-8s %6d failed\n", of->name, peers[p]->name, of->system.n);
            failures++;
            continue;
        }
        const bench_row *r = &table.rows[0];
        printf("%-24s %-8s %6d %12.1f %-8s %10.4g %5.0f%%%c %10.2e %11.2e\n", of->name,
               peers[p]->name, of->system.n, r->cost, r->unit.name, r->ratio / x.steps,
               100.0 * r->spread, r->spread > BENCH_WIDE_SPREAD ? '!' : ' ', error, penetration);
    }
    return failures;
}

/* The arrays of a model whose coefficients are constant. */
static bool read_model(const carom_model *model, double step, double end, problem *of) {
    const carom_mechanism *mechanism = &model->mechanism;
    const int n = mechanism->coordinate_count;
    const int m = mechanism->contact_count;
    const size_t rows = (size_t)n;
    double *arrays = calloc(2 * rows * rows + 2 * rows + (size_t)m * (rows + 1), sizeof *arrays);
    double *entries = calloc(2 * carom_layout_entry_count(mechanism->layout), sizeof *entries);
    if (arrays == NULL || entries == NULL) {
        free(arrays);
        free(entries);
        return false;
    }
    double *M = arrays;
    double *K = M + rows * rows;
    double *f = K + rows * rows;
    double *zero = f + rows;
    double *G = zero + rows;
    double *g0 = G + (size_t)m * rows;
    double *stiffness = entries + carom_layout_entry_count(mechanism->layout);
    mechanism->mass(zero, entries, mechanism->context);
    if (mechanism->stiffness != NULL) {
        mechanism->stiffness(0.0, zero, zero, stiffness, mechanism->context);
    }
    for (int i = 0; i < n; i++) {
        for (int j = carom_layout_first_column(mechanism->layout, i);
             j < carom_layout_end_column(mechanism->layout, i); j++) {
            const size_t entry = carom_layout_index(mechanism->layout, i, j);
            M[i * n + j] = entries[entry];
            K[i * n + j] = stiffness[entry];
        }
    }
    mechanism->force(0.0, zero, zero, f, mechanism->context);
    mechanism->constraints(zero, g0, mechanism->context);
    carom_mechanism_constraint_jacobian(mechanism, zero, G);
    of->system = (peer_system){n,
                               m,
                               M,
                               K,
                               f,
                               G,
                               g0,
                               mechanism->restitution[0],
                               model->initial_position,
                               model->initial_velocity,
                               step,
                               end};
    of->arrays = arrays;
    free(entries);
    return true;
}

static int compare_model(carom_model *model, double step, double end, problem *of) {
    int failures = 1;
    if (model != NULL && read_model(model, step, end, of)) {
        failures = compare_motions(of);
        free(of->arrays);
    }
    carom_model_free(model);
    return failures;
}

static void exact_ball(double t, int n, double *q) {
    (void)n;
    const carom_bouncing_ball_params params = carom_bouncing_ball_params_default();
    double velocity;
    carom_bouncing_ball_exact_state(&params, t, q, &velocity);
}

static void exact_column(double t, int n, double *q) {
    (void)t;
    for (int i = 0; i < n; i++) {
        q[i] = 0.0;
    }
}

static carom_elastic_bar_params bar_params(int nodes) {
    carom_elastic_bar_params params = carom_elastic_bar_params_default();
    params.elements = nodes - 1;
    params.initial_gap = 0.5;
    params.mass_matrix = CAROM_ELASTIC_BAR_LUMPED;
    return params;
}

static void exact_bar(double t, int n, double *q) {
    const carom_elastic_bar_params params = bar_params(n);
    for (int i = 0; i < n; i++) {
        double velocity;
        carom_elastic_bar_exact_state(&params, params.length * i / (n - 1), t, &q[i], &velocity);
    }
}

static int compare_all_motions(void) {
    printf("motions: error and penetration are the largest ones, by the length of the system\n"
           "%-24s %-8s %6s %12s %-8s %10s %7s %10s %11s\n",
           "system", "program", "n", "cost", "unit", "ratio", "spread", "error", "penetration");
    int failures = 0;
    carom_model *model = NULL;
    const carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    problem of = {.name = "ball", .exact = exact_ball, .length = ball.initial_height};
    if (carom_bouncing_ball_alloc(&ball, &model, NULL) == CAROM_OK) {
        failures += compare_model(model, 1e-3, 2.0, &of);
    }
    const int balls[] = {10, 64};
    for (int k = 0; k < 2; k++) {
        carom_ball_column_params column = carom_ball_column_params_default();
        column.balls = balls[k];
        of = (problem){.name = "column at rest", .exact = exact_column, .length = column.radius};
        if (carom_ball_column_alloc(&column, &model, NULL) == CAROM_OK) {
            failures += compare_model(model, 1e-3, 0.2, &of);
        }
    }
    const carom_elastic_bar_params bar = bar_params(101);
    of = (problem){.name = "elastic bar, lumped", .exact = exact_bar, .length = bar.length};
    if (carom_elastic_bar_alloc(&bar, &model, NULL) == CAROM_OK) {
        failures += compare_model(model, 1e-3, 1.0, &of);
    }
    return failures;
}

/* ------------------------------------------------------------------------ complementarity problems
 */

typedef struct problems {
    const peer *by;
    int n;
    double *M; /* [PROBLEMS][n][n] */
    double *q; /* [PROBLEMS][n] */
} problems;

static double time_problems(long count, void *context) {
    const problems *p = context;
    double z[LARGEST];
    double elapsed = 0.0;
    for (long k = 0; k < count; k++) {
        const long i = k % PROBLEMS;
        const double begin = bench_seconds();
        (void)p->by->solve(p->n, p->M + i * p->n * p->n, p->q + i * p->n, z);
        elapsed += bench_seconds() - begin;
    }
    return elapsed;
}

static bool is_right(int n, const double *M, const double *q, const double *z) {
    bool holds = true;
    for (int i = 0; i < n; i++) {
        long double w = q[i];
        double size = fabs(q[i]);
        for (int j = 0; j < n; j++) {
            w += (long double)M[i * n + j] * z[j];
            size += fabs(M[i * n + j] * z[j]);
        }
        const double reach = M[i * n + i] > 0.0 ? M[i * n + i] : 1.0;
        holds = holds && fabs(fmin(z[i] * reach, (double)w)) <= WRONG * size;
    }
    return holds;
}

static int compare_problems(const char *name, bool is_hard, int n, gsl_rng *generator) {
    const size_t size = (size_t)n;
    problems p = {.n = n};
    p.M = calloc(PROBLEMS * size * size, sizeof(double));
    p.q = calloc(PROBLEMS * size, sizeof(double));
    for (int k = 0; k < PROBLEMS && p.M != NULL && p.q != NULL; k++) {
        double *M = p.M + (size_t)k * size * size;
        double *q = p.q + (size_t)k * size;
        if (is_hard) {
            hard_semidefinite(generator, n, k % HARD_KINDS, M, q);
            continue;
        }
        double A[LARGEST * LARGEST];
        for (int i = 0; i < n * n; i++) {
            A[i] = hard_uniform(generator, -1.0, 1.0);
        }
        for (int i = 0; i < n; i++) {
            q[i] = hard_uniform(generator, -1.0, 1.0);
            for (int j = 0; j < n * n; j++) {
                M[i * n + j / n] += A[i * n + j % n] * A[j / n * n + j % n];
            }
        }
    }
    int failures = p.M == NULL || p.q == NULL ? 1 : 0;
    for (int k = 0; peers[k] != NULL && failures == 0; k++) {
        if (peers[k]->solve == NULL) {
            continue;
        }
        p.by = peers[k];
        int unsolved = 0;
        int wrong = 0;
        for (int i = 0; i < PROBLEMS; i++) {
            const double *M = p.M + (size_t)i * size * size;
            const double *q = p.q + (size_t)i * size;
            double z[LARGEST];
            if (!p.by->solve(n, M, q, z)) {
                unsolved++;
            } else if (!is_right(n, M, q, z)) {
                wrong++;
            }
        }
        static bench_table table;
        table.count = 0;
        const bench_row row = {.system = name, .method = p.by->name, .unit = MICROSECONDS};
        failures += bench_measure(&table, row, time_problems, MANY, &p);
        const bench_row *r = &table.rows[0];
        printf("%-24s %-8s %6d %12.3f %-8s %10.4g %5.0f%%%c %10d %11d\n", name, p.by->name, n,
               r->cost, r->unit.name, r->ratio, 100.0 * r->spread,
               r->spread > BENCH_WIDE_SPREAD ? '!' : ' ', unsolved, wrong);
    }
    free(p.M);
    free(p.q);
    return failures;
}

static int compare_all_problems(void) {
    printf(
        "\ncomplementarity problems, %d of each kind: unsolved, or a row off by %g of its terms\n"
        "%-24s %-8s %6s %12s %-8s %10s %7s %10s %11s\n",
        PROBLEMS, WRONG, "problems", "program", "n", "cost", "unit", "ratio", "spread", "unsolved",
        "wrong");
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    int failures = generator == NULL ? 1 : 0;
    const int sizes[] = {4, 10, 32};
    for (int k = 0; k < 6 && failures == 0; k++) {
        gsl_rng_set(generator, SEED);
        failures += compare_problems(k < 3 ? "definite" : "semidefinite, hard", k >= 3,
                                     sizes[k % 3], generator);
    }
    gsl_rng_free(generator);
    return failures;
}

int main(void) {
    gsl_set_error_handler_off();
    printf("ratio: time by that of 1000 multiply-adds beside it\n");
    const int failures =
        compare_all_motions() + compare_all_problems() + compare_all_contacts() + compare_discs();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
