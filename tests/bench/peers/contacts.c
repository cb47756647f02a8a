/*
 * Contact problems with friction from no impulses, by carom and by Siconos: cost at the same
 * residual. Each program gets the loosest of its own tolerances, by factors of ten, at which our
 * certificate of its answer holds.
 */
#include "../bench.h"
#include "peers.h"

#include <carom/models/disc_pile.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const bench_unit MILLISECONDS = {.name = "ms", .factor = 1e3};
static const double RESIDUAL = 1e-8;
/* Its own tolerances, which mean other things in each: the first one by the residual. */
static const double LOOSEST = 1e4;
static const double TIGHTEST = 1e-15;
static const double TIGHTER = 0.1;

/* One that takes so long for an answer that is not enough is not asked for a better one, s. */
static const double LONGEST = 60.0;

/* More calls than take a second measure no better. */
static const long MANY = 1L << 10;

/* --- our own ---------------------------------------------------------------------------------- */

typedef struct own_problem {
    const carom_contact_problem *problem;
    carom_contact_solver *solver;
} own_problem;

static void *own_open(const carom_contact_problem *of) {
    own_problem *own = calloc(1, sizeof *own);
    if (own == NULL || carom_contact_solver_alloc(&own->solver) != CAROM_OK) {
        free(own);
        return NULL;
    }
    own->problem = of;
    return own;
}

static bool own_solve(void *problem, double tolerance, double *r) {
    own_problem *own = problem;
    carom_contact_params params = carom_contact_params_default();
    params.tolerance = tolerance;
    return carom_contact_solve(own->solver, own->problem, &params, r, NULL, NULL, NULL) == CAROM_OK;
}

static void own_close(void *problem) {
    own_problem *own = problem;
    carom_contact_solver_free(own->solver);
    free(own);
}

static bool any(int tangents) {
    (void)tangents;
    return true;
}

static const contact_peer carom_contacts = {"carom",  "automatic", any,
                                            own_open, own_solve,   own_close};

const contact_peer *const contact_peers[] = {
    &carom_contacts,
#ifdef HAVE_SICONOS
    &siconos_sweeps,
    &siconos_newton,
#endif
    NULL,
};

/* --- cost at the same residual ---------------------------------------------------------------- */

typedef struct comparison {
    const contact_peer *by;
    void *problem;
    int rows;
    double tolerance;
    double *r; /* [rows] */
} comparison;

static double time_solving(long count, void *context) {
    const comparison *c = context;
    const double begin = bench_seconds();
    for (long k = 0; k < count; k++) {
        memset(c->r, 0, (size_t)c->rows * sizeof *c->r);
        if (!c->by->solve(c->problem, c->tolerance, c->r)) {
            return -1.0;
        }
    }
    return bench_seconds() - begin;
}

bool find_contact_answer(const contact_peer *by, void *problem, const carom_contact_problem *p,
                         const double *start, double residual, double loosest,
                         contact_answer *answer) {
    const size_t bytes = (size_t)p->row_count * sizeof *answer->r;
    double *u = malloc(bytes);
    bool is_found = false;
    answer->residual = HUGE_VAL;
    answer->tolerance = loosest;
    while (u != NULL && answer->tolerance >= TIGHTEST) {
        carom_contact_certificate certificate;
        if (start != NULL) {
            memcpy(answer->r, start, bytes);
        } else {
            memset(answer->r, 0, bytes);
        }
        const double begin = bench_seconds();
        const bool is_well = by->solve(problem, answer->tolerance, answer->r);
        answer->seconds = bench_seconds() - begin;
        carom_contact_certify(p, answer->r, u, &certificate);
        answer->residual = fmin(answer->residual, certificate.residual);
        is_found = is_well && certificate.residual <= residual;
        if (is_found || !is_well || answer->seconds > LONGEST) {
            break;
        }
        answer->tolerance *= TIGHTER;
    }
    free(u);
    return is_found;
}

static int compare(const char *name, const carom_contact_problem *p, const contact_peer *by,
                   double residual) {
    static bench_table table;
    contact_answer answer = {.r = calloc((size_t)p->row_count, sizeof *answer.r)};
    comparison c = {.by = by, .problem = by->open(p), .rows = p->row_count, .r = answer.r};
    if (c.r == NULL || c.problem == NULL) {
        free(c.r);
        return 1;
    }
    const bench_row row = {.system = name, .method = by->method, .unit = MILLISECONDS};
    table.count = 0;
    int failures = 0;
    if (!find_contact_answer(by, c.problem, p, NULL, residual, LOOSEST * residual, &answer)) {
        printf("%-34s %-8s %-10s %8d   unsolved, the last try in %.3g s %22.1e\n", name, by->name,
               by->method, p->contact_count, answer.seconds, answer.residual);
    } else {
        c.tolerance = answer.tolerance;
        failures = bench_measure(&table, row, time_solving, MANY, &c);
        const bench_row *r = &table.rows[0];
        printf("%-34s %-8s %-10s %8d %10.3f %-4s %10.4g %5.0f%%%c %9.1e\n", name, by->name,
               by->method, p->contact_count, r->cost, r->unit.name, r->ratio, 100.0 * r->spread,
               r->spread > BENCH_WIDE_SPREAD ? '!' : ' ', answer.residual);
    }
    fflush(stdout);
    by->close(c.problem);
    free(c.r);
    return failures;
}

int compare_contact_problem(const char *name, const carom_contact_problem *p, double residual) {
    int failures = 0;
    for (int k = 0; contact_peers[k] != NULL; k++) {
        failures += contact_peers[k]->is_for(p->tangent_count)
                        ? compare(name, p, contact_peers[k], residual)
                        : 0;
    }
    return failures;
}

void print_contact_heading(double residual) {
    printf("\ncontacts with friction from no impulses, to a residual of %g by our certificate\n"
           "%-34s %-8s %-10s %8s %10s %-4s %10s %7s %9s\n",
           residual, "problem", "program", "method", "contacts", "cost", "unit", "ratio", "spread",
           "residual");
}

int compare_all_contacts(void) {
    static const struct {
        const char *name;
        double mass_ratio;
        double friction;
    } PILES[] = {{"pyramid, mu 0.3", 1.0, 0.3},
                 {"pyramid, mu 0.6", 1.0, 0.6},
                 {"pyramid, mu 1, light on top", 1e-3, 1.0},
                 {"pyramid, mu 0.6, heavy on top", 1e3, 0.6}};
    static const double MASSES[] = {1.0, 1e3};
    static const int BOXES[] = {10, 100};
    int failures = 0;
    print_contact_heading(RESIDUAL);
    for (size_t k = 0; k < sizeof PILES / sizeof *PILES; k++) {
        CAROM_AUTO(carom_contact_problem) p = NULL;
        carom_disc_pile_params params = carom_disc_pile_params_default();
        params.mass_ratio = PILES[k].mass_ratio;
        params.friction = PILES[k].friction;
        failures += carom_disc_pile_problem(&params, &p, NULL) == CAROM_OK
                        ? compare_contact_problem(PILES[k].name, p, RESIDUAL)
                        : 1;
    }
    for (size_t k = 0; k < sizeof MASSES / sizeof *MASSES; k++) {
        CAROM_AUTO(carom_contact_problem) p = NULL;
        char name[64];
        (void)snprintf(name, sizeof name, "box of discs, mu 0.3, masses 1:%g", MASSES[k]);
        failures += bench_make_box_of_discs(MASSES[k], 0.3, &p)
                        ? compare_contact_problem(name, p, RESIDUAL)
                        : 1;
    }
    for (size_t k = 0; k < sizeof BOXES / sizeof *BOXES; k++) {
        CAROM_AUTO(carom_contact_problem) p = NULL;
        char name[64];
        (void)snprintf(name, sizeof name, "tower of %d boxes in space", BOXES[k]);
        failures +=
            bench_make_tower(2, BOXES[k], &p) ? compare_contact_problem(name, p, RESIDUAL) : 1;
    }
    return failures;
}
