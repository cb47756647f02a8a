/* Cost of nonsmooth modes of uniform chains with gap 1: points with one impact, the equations and a
 * Newton step of k impacts, a solution from a guess, a random search, branches, the modal basis. */
#include "bench.h"

#include <carom/models/serial_chain.h>
#include <carom/modes/few_impacts.h>
#include <carom/modes/impact_equations.h>
#include <carom/modes/orbit.h>
#include <carom/modes/orbit_search.h>

#include <math.h>
#include <stdlib.h>

static const char *const SYSTEM = "uniform chain";

/* Number of coordinates of the chain of thorin-2017. */
enum { PAPER = 5 };

static const bench_unit MICROSECONDS = {.name = "us", .factor = 1e6};
static const bench_unit MICROSECONDS_PER_POINT = {.name = "us/point", .factor = 1e6};
static const bench_unit SECONDS = {.name = "s", .factor = 1.0};
static const bench_unit SOLUTIONS = {.name = "solutions/minute", .factor = 60.0, .is_rate = true};

/* A motion with seven impacts per period in the paper's chain, near these flight times, s. */
enum { SEVEN = 7 };
static const double SEVEN_FLIGHT_TIMES[SEVEN] = {1.8456565734, 1.1808735229, 1.6337220945,
                                                 1.1808735229, 1.8456565734, 1.3884604230,
                                                 1.3884604230};

/* Enough for every batch to be cut by its time. */
static const long MANY = 1L << 20;

static bench_row describe(const char *method, int coordinates, int impacts, bench_unit unit,
                          double target) {
    return (bench_row){.system = SYSTEM,
                       .method = method,
                       .coordinates = coordinates,
                       .contacts = 1,
                       .impacts = impacts,
                       .unit = unit,
                       .work = (double)NAN,
                       .target = target};
}

static carom_status chain_basis(int coordinates, carom_modal_basis **basis) {
    *basis = NULL;
    carom_linear_system *chain = NULL;
    CAROM_TRY(carom_serial_chain_uniform_alloc(coordinates, 1.0, &chain, NULL));
    const carom_status status = carom_modal_basis_compute(chain, basis, NULL);
    carom_linear_system_free(chain);
    return status;
}

/* ------------------------------------------------------------------------ points with one impact
 */

typedef struct points {
    carom_modal_basis *basis;
    carom_contact_motion *motion;
    carom_stability *stability;
    carom_orbit *orbit;
    double *state;
    double period;
    bool with_stability;
} points;

static void points_clear(points *p) {
    free(p->state);
    carom_orbit_free(p->orbit);
    carom_stability_free(p->stability);
    carom_contact_motion_free(p->motion);
    carom_modal_basis_free(p->basis);
}

static carom_status points_init(int coordinates, points *p) {
    *p = (points){.basis = NULL};
    CAROM_TRY(chain_basis(coordinates, &p->basis));
    CAROM_TRY(carom_contact_motion_alloc(p->basis, &p->motion));
    CAROM_TRY(carom_orbit_alloc(p->basis, 1, &p->orbit));
    p->state = malloc(2 * (size_t)p->basis->visible_count * sizeof *p->state);
    return p->state == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
}

/* Motion, energy and certificate of the period, and stability if asked for. @return whether it is
 * admissible */
static bool compute_point(points *p) {
    if (carom_single_impact_orbit(p->basis, p->period, p->orbit) != CAROM_OK) {
        return false;
    }
    const carom_admissibility verdict =
        carom_orbit_certify(p->basis, p->motion, p->orbit, p->state, CAROM_ADMISSIBILITY_TOLERANCE);
    double radius = 0.0;
    return verdict.is_admissible &&
           (!p->with_stability ||
            carom_stability_multipliers(p->stability, p->orbit, NULL, &radius) == CAROM_OK);
}

static double time_points(long count, void *context) {
    const double begin = bench_seconds();
    for (long i = 0; i < count; i++) {
        if (!compute_point(context)) {
            return -1.0;
        }
    }
    return bench_seconds() - begin;
}

/* The middle of the widest interval of admissible periods up to that of the paper's figures, s. */
static double middle_of_widest(const carom_modal_basis *basis) {
    carom_period_intervals *found = NULL;
    if (carom_single_impact_intervals(basis, 4.6, 400, NULL, NULL, &found, NULL) != CAROM_OK) {
        return (double)NAN;
    }
    double width = 0.0;
    double middle = (double)NAN;
    for (int i = 0; i < found->count; i++) {
        const carom_period_interval *interval = &found->intervals[i];
        if (interval->upper - interval->lower > width) {
            width = interval->upper - interval->lower;
            middle = 0.5 * (interval->lower + interval->upper);
        }
    }
    carom_period_intervals_free(found);
    return middle;
}

static int bench_points(bench_table *t) {
    points p;
    int failures = 1;
    if (points_init(10, &p) == CAROM_OK &&
        carom_stability_alloc(p.basis, &p.stability) == CAROM_OK) {
        p.period = middle_of_widest(p.basis);
        const bench_row point =
            describe("point with energy, certificate", 10, 1, MICROSECONDS_PER_POINT, 20.0);
        failures = bench_measure(t, point, time_points, MANY, &p);
        p.with_stability = true;
        const bench_row stable =
            describe("the same with stability", 10, 1, MICROSECONDS_PER_POINT, 200.0);
        failures += bench_measure(t, stable, time_points, MANY, &p);
    }
    points_clear(&p);
    return failures;
}

/* -------------------------------------------------------------------------------- large structures
 */

static double time_basis(long count, void *context) {
    const int *coordinates = context;
    const double begin = bench_seconds();
    for (long i = 0; i < count; i++) {
        carom_modal_basis *basis = NULL;
        const carom_status status = chain_basis(*coordinates, &basis);
        carom_modal_basis_free(basis);
        if (status != CAROM_OK) {
            return -1.0;
        }
    }
    return bench_seconds() - begin;
}

/* With n = 1000 there are a million half intervals: periods are tried instead. Some of a hundred
 * in arithmetic progression are admissible. */
static bool find_admissible(points *p) {
    for (int i = 0; i < 100; i++) {
        p->period = 2.0 + 0.0618 * (double)i;
        if (compute_point(p)) {
            return true;
        }
    }
    return false;
}

/* The multipliers of one motion are eigenvalues of a matrix of twice the size of the modes. */
static int bench_large_stability(bench_table *t) {
    enum { COORDINATES = 200 };
    int failures = 1;
    points p;
    if (points_init(COORDINATES, &p) == CAROM_OK &&
        carom_stability_alloc(p.basis, &p.stability) == CAROM_OK && find_admissible(&p)) {
        p.with_stability = true;
        failures =
            bench_measure(t, describe("point with stability", COORDINATES, 1, SECONDS, (double)NAN),
                          time_points, 1, &p);
    }
    points_clear(&p);
    return failures;
}

static int bench_large(bench_table *t) {
    int coordinates = 1000;
    int failures = bench_measure(t, describe("modal basis", coordinates, 0, SECONDS, (double)NAN),
                                 time_basis, 1, &coordinates) +
                   bench_large_stability(t);
    points p;
    const bench_row point = describe("point with energy, certificate", coordinates, 1,
                                     MICROSECONDS_PER_POINT, (double)NAN);
    if (points_init(coordinates, &p) == CAROM_OK && find_admissible(&p)) {
        failures += bench_measure(t, point, time_points, MANY, &p);
    } else {
        failures++;
    }
    points_clear(&p);
    return failures;
}

/* ------------------------------------------------------------------- the equations of k impacts */

typedef struct evaluations {
    carom_impact_equations *equations;
    double *y; /* [2k + 1] */
    double *F; /* [2k] */
    double *J; /* [2k][2k + 1] */
} evaluations;

static double time_evaluations(long count, void *context) {
    const evaluations *e = context;
    const double begin = bench_seconds();
    for (long i = 0; i < count; i++) {
        carom_impact_equations_evaluate(e->equations, e->y, e->F, e->J);
    }
    return bench_seconds() - begin;
}

/* Any unknowns serve: the cost does not depend on them. */
static int bench_evaluation(bench_table *t, const carom_modal_basis *basis, int k, double target) {
    const size_t unknowns = 2 * (size_t)k + 1;
    const size_t rows = 2 * (size_t)k;
    evaluations e = {.y = malloc((unknowns + rows + rows * unknowns) * sizeof(double))};
    int failures = 1;
    if (e.y != NULL && carom_impact_equations_alloc(basis, k, &e.equations) == CAROM_OK) {
        e.F = e.y + unknowns;
        e.J = e.F + rows;
        for (int j = 0; j < k; j++) {
            e.y[j] = 1.3 + 0.17 * (double)j;
            e.y[k + j] = 0.7;
        }
        e.y[2 * k] = basis->gap_at_rest;
        bench_row row =
            describe("equations and Jacobian", basis->coordinate_count, k, MICROSECONDS, target);
        row.work = (double)basis->coordinate_count * (double)(k * k);
        failures = bench_measure(t, row, time_evaluations, MANY, &e);
    }
    carom_impact_equations_free(e.equations);
    free(e.y);
    return failures;
}

static int bench_evaluations(bench_table *t) {
    const int coordinates[] = {PAPER, 50, 500};
    const int impacts[] = {1, 4, 8};
    int failures = 0;
    for (int i = 0; i < 3; i++) {
        carom_modal_basis *basis = NULL;
        if (chain_basis(coordinates[i], &basis) != CAROM_OK) {
            return failures + 1;
        }
        for (int j = 0; j < 3; j++) {
            failures += bench_evaluation(t, basis, impacts[j], (double)NAN);
        }
        carom_modal_basis_free(basis);
    }
    return failures;
}

/* ---------------------------------------------------------------- Newton steps, seven impacts */

typedef struct newton_run {
    carom_impact_newton *newton;
    double *Y;    /* [capacity] scaled */
    double *step; /* [capacity] */
} newton_run;

/* What the solver does in a step: equations, Jacobian, the condition on the gap, singular values,
 * step of minimum norm. */
static double time_newton(long count, void *context) {
    const newton_run *r = context;
    const double begin = bench_seconds();
    for (long i = 0; i < count; i++) {
        (void)carom_impact_newton_begin(r->newton, r->Y, true);
        carom_impact_newton_add_row(r->newton, 0.0)[2 * SEVEN] = 1.0;
        if (carom_impact_newton_decompose(r->newton) != CAROM_OK) {
            return -1.0;
        }
        carom_impact_newton_step(r->newton, 0.0, r->step);
    }
    return bench_seconds() - begin;
}

static int bench_newton(bench_table *t, const carom_modal_basis *basis) {
    newton_run r = {.newton = NULL};
    int failures = 1;
    if (carom_impact_newton_alloc(basis, SEVEN, &r.newton) != CAROM_OK) {
        return failures;
    }
    const size_t capacity = (size_t)carom_impact_newton_capacity(r.newton);
    r.Y = calloc(2 * capacity, sizeof(double));
    if (r.Y != NULL) {
        r.step = r.Y + capacity;
        for (int j = 0; j < SEVEN; j++) {
            r.Y[j] = SEVEN_FLIGHT_TIMES[j];
        }
        r.Y[2 * SEVEN] = basis->gap_at_rest;
        carom_impact_newton_set_scales(r.newton, 1.0, 1.0, 1.0);
        if (carom_impact_newton_fit(r.newton, r.Y, false, 0) == CAROM_OK) {
            const bench_row row = describe("Newton step", PAPER, SEVEN, MICROSECONDS, 100.0);
            failures = bench_measure(t, row, time_newton, MANY, &r);
        }
    }
    free(r.Y);
    carom_impact_newton_free(r.newton);
    return failures;
}

/* --------------------------------------------------------------------------- solutions and
 * branches */

typedef struct solutions {
    carom_orbit_solver *solver;
    carom_orbit *orbit;
    const double *flight_times;
} solutions;

static double time_solutions(long count, void *context) {
    const solutions *s = context;
    const double begin = bench_seconds();
    for (long i = 0; i < count; i++) {
        if (carom_orbit_solve(s->solver, s->flight_times, NULL, NULL, NULL, s->orbit, NULL) !=
            CAROM_OK) {
            return -1.0;
        }
    }
    return bench_seconds() - begin;
}

typedef struct branches {
    const carom_modal_basis *basis;
    const carom_orbit *orbit;
} branches;

/* An operation is a point: all points of a branch are computed, and their mean time is the batch.
 */
static double time_branch(long count, void *context) {
    const branches *a = context;
    carom_orbit_branch *branch = NULL;
    const double begin = bench_seconds();
    if (carom_orbit_branch_follow(a->basis, a->orbit, NULL, NULL, NULL, &branch, NULL) !=
        CAROM_OK) {
        return -1.0;
    }
    const double elapsed = bench_seconds() - begin;
    const double point_count = branch->point_count;
    carom_orbit_branch_free(branch);
    return elapsed / point_count * (double)count;
}

/* The solution near flight times, and the branch through it. */
static int bench_branch(bench_table *t, const carom_modal_basis *basis, int k,
                        const double *flight_times) {
    solutions s = {.flight_times = flight_times};
    int failures = 1;
    if (carom_orbit_solver_alloc(basis, k, &s.solver) == CAROM_OK &&
        carom_orbit_alloc(basis, k, &s.orbit) == CAROM_OK && time_solutions(1, &s) >= 0.0) {
        branches a = {.basis = basis, .orbit = s.orbit};
        const bench_row row = describe("branch, with certificates and stability", PAPER, k,
                                       MICROSECONDS_PER_POINT, (double)NAN);
        failures = bench_measure(t, row, time_branch, 1, &a);
    }
    carom_orbit_free(s.orbit);
    carom_orbit_solver_free(s.solver);
    return failures;
}

/* A solution from flight times that are a thousandth off, up and down in turn. */
static int bench_solution(bench_table *t, const carom_modal_basis *basis) {
    double guess[SEVEN];
    for (int j = 0; j < SEVEN; j++) {
        guess[j] = SEVEN_FLIGHT_TIMES[j] * (j % 2 == 0 ? 1.001 : 0.999);
    }
    solutions s = {.flight_times = guess};
    int failures = 1;
    if (carom_orbit_solver_alloc(basis, SEVEN, &s.solver) == CAROM_OK &&
        carom_orbit_alloc(basis, SEVEN, &s.orbit) == CAROM_OK) {
        const bench_row row =
            describe("solution from a guess 0.1 % off", PAPER, SEVEN, MICROSECONDS, (double)NAN);
        failures = bench_measure(t, row, time_solutions, MANY, &s);
    }
    carom_orbit_free(s.orbit);
    carom_orbit_solver_free(s.solver);
    return failures;
}

/* ---------------------------------------------------------------------------------------- search
 */

/* An operation is a distinct admissible motion with three impacts, not fewer repeated. */
static double time_search(long count, void *context) {
    const carom_modal_basis *basis = context;
    carom_orbit_search_params params = carom_orbit_search_params_default(3, 8.0);
    params.start_count = 4000;
    params.workers.threads = 2;
    carom_orbit_list *list = NULL;
    const double begin = bench_seconds();
    if (carom_orbit_search(basis, &params, NULL, NULL, &list, NULL) != CAROM_OK) {
        return -1.0;
    }
    const double elapsed = bench_seconds() - begin;
    int found = 0;
    for (int i = 0; i < list->count; i++) {
        found += list->found[i].is_admissible;
    }
    carom_orbit_list_free(list);
    return found == 0 ? -1.0 : elapsed / (double)found * (double)count;
}

int bench_modes(bench_table *t) {
    carom_modal_basis *basis = NULL;
    int failures = bench_points(t) + bench_evaluations(t);
    if (chain_basis(PAPER, &basis) != CAROM_OK) {
        return failures + 1;
    }
    /* One point of each branch: next to 4 T_3, next to 3 T_3, with seven impacts. */
    const double one[] = {3.80};
    const double two[] = {1.853691202297, 0.986308797703};
    failures += bench_evaluation(t, basis, SEVEN, 10.0) + bench_newton(t, basis) +
                bench_solution(t, basis) + bench_branch(t, basis, 1, one) +
                bench_branch(t, basis, 2, two) + bench_branch(t, basis, SEVEN, SEVEN_FLIGHT_TIMES);
    const bench_row search = describe("search, two threads", PAPER, 3, SOLUTIONS, 1000.0);
    failures += bench_measure(t, search, time_search, 1, basis);
    carom_modal_basis_free(basis);
    return failures + bench_large(t);
}
