/* Complementarity problems in other units: z' = D^-1 z, w' = D w, so that D M D and D q pose the
 * same problem. Every solver finds the same solution: with powers of two the same bits. */
#include <carom/lcp/active_set.h>
#include <carom/lcp/lcp.h>

#include "../support.h"
#include "hard_problems.h"

enum { LARGEST = HARD_INCREMENT, PROBLEMS = 150, SOLUTIONS = 256 };

static const unsigned long SEED = 20250613;

typedef struct problem {
    int n;
    double M[LARGEST * LARGEST];
    double q[LARGEST];
    double d[LARGEST]; /* a covering vector */
} problem;

/* Positive definite: symmetric, or with a skew part; one solution either way. */
static void draw_definite(gsl_rng *generator, bool is_symmetric, problem *p) {
    const int n = 2 + (int)gsl_rng_uniform_int(generator, 7);
    double A[LARGEST * LARGEST] = {0.0};
    p->n = n;
    for (int i = 0; i < n * n; i++) {
        A[i] = uniform(generator, -1.0, 1.0);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = i == j ? 0.3 : 0.0;
            for (int k = 0; k < n; k++) {
                sum += A[i * n + k] * A[j * n + k];
            }
            p->M[i * n + j] = sum + (is_symmetric ? 0.0 : A[i * n + j] - A[j * n + i]);
        }
        p->q[i] = uniform(generator, -1.0, 0.4);
        p->d[i] = uniform(generator, 0.2, 3.0);
    }
}

static void draw_increment(gsl_rng *generator, int contacts, problem *p) {
    hard_increment increment = {.contacts = contacts};
    hard_increment_draw(generator, contacts, false, &increment);
    p->n = 5 * increment.contacts;
    memcpy(p->M, increment.W, sizeof p->M);
    memcpy(p->q, increment.w, sizeof p->q);
    for (int i = 0; i < p->n; i++) {
        p->d[i] = uniform(generator, 0.2, 3.0);
    }
}

/* D M D, D q and D d times a factor that all of q has. */
static void in_units(const problem *p, const double *D, double factor, problem *out) {
    const int n = p->n;
    out->n = n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            out->M[i * n + j] = p->M[i * n + j] * (D[i] * D[j]);
        }
        out->q[i] = p->q[i] * D[i] * factor;
        out->d[i] = p->d[i] * D[i];
    }
}

static double draw_unit(gsl_rng *generator, bool is_binary) {
    const double decimal[5] = {1e-12, 1e-6, 1.0, 1e6, 1e12};
    return is_binary ? ldexp(1.0, (int)gsl_rng_uniform_int(generator, 81) - 40)
                     : decimal[gsl_rng_uniform_int(generator, 5)];
}

typedef carom_status (*solver)(const problem *p, double *z);

static carom_status lemke(const problem *p, double *z) {
    carom_lcp_workspace *work = NULL;
    carom_lcp_report report;
    assert_ok(carom_lcp_workspace_alloc(p->n, &work));
    const carom_status status = carom_lcp_solve_lemke(p->n, p->M, p->q, z, work, &report);
    ck_assert(status != CAROM_OK || report.relative <= 1e-8);
    carom_lcp_workspace_free(work);
    return status;
}

static carom_status lemke_covering(const problem *p, double *z) {
    carom_lcp_workspace *work = NULL;
    carom_lcp_report report;
    assert_ok(carom_lcp_workspace_alloc(p->n, &work));
    const carom_status status =
        carom_lcp_solve_lemke_covering(p->n, p->M, p->q, p->d, z, work, &report);
    ck_assert(status != CAROM_OK || report.relative <= 1e-8);
    carom_lcp_workspace_free(work);
    return status;
}

static carom_status active_set(const problem *p, double *z) {
    carom_lcp_active_set *work = NULL;
    assert_ok(carom_lcp_active_set_alloc(p->n, p->M, &work));
    const carom_status status = carom_lcp_active_set_solve(work, p->q, NULL, z, NULL);
    carom_lcp_active_set_free(work);
    return status;
}

/* The solutions of all bases, one after the other: their sets, signs and the sums of z_i D_i. */
typedef struct visits {
    int count;
    unsigned set[SOLUTIONS];
    int index[SOLUTIONS];
} visits;

static bool note(const carom_lcp_basis *basis, void *context) {
    visits *all = context;
    all->set[all->count] = basis->set;
    all->index[all->count++] = basis->index;
    return all->count < SOLUTIONS;
}

static void enumerate(const problem *p, visits *all) {
    carom_lcp_bases_workspace *work = NULL;
    all->count = 0;
    assert_ok(carom_lcp_bases_workspace_alloc(p->n, &work));
    assert_ok(carom_lcp_enumerate_bases(p->n, p->M, p->q, 1e-10, note, all, work, NULL));
    carom_lcp_bases_workspace_free(work);
}

/* Both solutions, the other one back in the first units, agree up to `part` of the largest entry
 * beside the rows' own units. */
static void compare(const char *what, int number, const problem *p, solver solve, const double *D,
                    double factor, const problem *other, double part) {
    double z[LARGEST];
    double z_other[LARGEST];
    const carom_status expected = solve(p, z);
    const carom_status found = solve(other, z_other);
    ck_assert_msg(found == expected, "%s %d: %s, in other units %s", what, number,
                  carom_status_name(expected), carom_status_name(found));
    if (expected != CAROM_OK) {
        return;
    }
    double size = 0.0;
    for (int i = 0; i < p->n; i++) {
        size = fmax(size, fabs(z[i]));
    }
    for (int i = 0; i < p->n; i++) {
        const double back = z_other[i] * D[i] / factor;
        ck_assert_msg(fabs(back - z[i]) <= part * size, "%s %d: z[%d] = %.17g, expected %.17g",
                      what, number, i, back, z[i]);
    }
}

static const struct {
    const char *name;
    solver solve;
} SOLVERS[] = {
    {"Lemke", lemke}, {"Lemke with a covering vector", lemke_covering}, {"active set", active_set}};

enum { SOLVER_COUNT = sizeof SOLVERS / sizeof SOLVERS[0] };

static void draw_units(gsl_rng *generator, const problem *p, bool is_binary, double *D,
                       double *factor, problem *other) {
    for (int i = 0; i < p->n; i++) {
        D[i] = draw_unit(generator, is_binary);
    }
    *factor = draw_unit(generator, is_binary);
    in_units(p, D, *factor, other);
}

LOOP_TEST(property, the_solution_of_a_definite_problem_does_not_know_its_units, SOLVER_COUNT) {
    gsl_rng *generator = seeded_generator(SEED + (unsigned long)_i);
    for (int k = 0; k < PROBLEMS; k++) {
        const bool is_binary = k % 2 == 0;
        problem p;
        problem other;
        double D[LARGEST];
        double factor;
        /* Active sets are for symmetric matrices. */
        draw_definite(generator, _i > 1 || k % 4 < 2, &p);
        draw_units(generator, &p, is_binary, D, &factor, &other);
        compare(SOLVERS[_i].name, k, &p, SOLVERS[_i].solve, D, factor, &other,
                is_binary ? 0.0 : 1e-9);
    }
    gsl_rng_free(generator);
}

/* Zero diagonals, several solutions: the covering vector decides, in its units. Friction of 1e5
 * leaves ten digits. */
TEST(property, the_solution_of_an_increment_does_not_know_its_units) {
    gsl_rng *generator = seeded_generator(SEED + 17);
    for (int k = 0; k < PROBLEMS; k++) {
        const bool is_binary = k % 2 == 0;
        problem p;
        problem other;
        double D[LARGEST];
        double factor;
        draw_increment(generator, 1 + k % 3, &p);
        draw_units(generator, &p, is_binary, D, &factor, &other);
        compare("increment", k, &p, lemke_covering, D, factor, &other, is_binary ? 0.0 : 1e-6);
    }
    gsl_rng_free(generator);
}

TEST(property, all_bases_are_the_same_in_other_units) {
    gsl_rng *generator = seeded_generator(SEED + 23);
    for (int k = 0; k < PROBLEMS; k++) {
        problem p;
        problem other;
        double D[LARGEST];
        double factor;
        visits expected;
        visits found;
        draw_definite(generator, false, &p);
        /* Not definite any more: up to several solutions. */
        for (int i = 0; i < p.n; i++) {
            p.M[i * (p.n + 1)] -= k % 3 == 0 ? 0.0 : 1.1;
        }
        draw_units(generator, &p, k % 2 == 0, D, &factor, &other);
        enumerate(&p, &expected);
        enumerate(&other, &found);
        ck_assert_msg(found.count == expected.count, "problem %d: %d bases, expected %d", k,
                      found.count, expected.count);
        for (int s = 0; s < found.count; s++) {
            ck_assert_uint_eq(found.set[s], expected.set[s]);
            ck_assert_int_eq(found.index[s], expected.index[s]);
        }
    }
    gsl_rng_free(generator);
}
