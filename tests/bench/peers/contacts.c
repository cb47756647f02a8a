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

static const bench_unit MILLISECONDS = {.name = "ms", .factor = 1e3};
static const double RESIDUAL = 1e-8;
/* Its own tolerances, which mean other things in each. */
static const double LOOSEST = 1e-4;
static const double TIGHTEST = 1e-15;

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
    for (int i = 0; i < own->problem->row_count; i++) {
        r[i] = 0.0;
    }
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

static const contact_peer *const peers[] = {
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
    double tolerance;
    double *r; /* [rows] */
    double *u; /* [rows] */
} comparison;

static double time_solving(long count, void *context) {
    const comparison *c = context;
    const double begin = bench_seconds();
    for (long k = 0; k < count; k++) {
        if (!c->by->solve(c->problem, c->tolerance, c->r)) {
            return -1.0;
        }
    }
    return bench_seconds() - begin;
}

/* The loosest tolerance whose answer is good enough; 0 without one. */
static double find_tolerance(comparison *c, const carom_contact_problem *p, double *residual) {
    for (double tolerance = LOOSEST; tolerance >= TIGHTEST; tolerance *= 0.1) {
        carom_contact_certificate certificate;
        if (!c->by->solve(c->problem, tolerance, c->r)) {
            return 0.0;
        }
        carom_contact_certify(p, c->r, c->u, &certificate);
        *residual = certificate.residual;
        if (certificate.residual <= RESIDUAL) {
            return tolerance;
        }
    }
    return 0.0;
}

static int compare(const char *name, const carom_contact_problem *p, const contact_peer *by) {
    static bench_table table;
    comparison c = {.by = by, .problem = by->open(p)};
    double residual = (double)NAN;
    c.r = calloc(2 * (size_t)p->row_count, sizeof *c.r);
    if (c.r == NULL || c.problem == NULL) {
        free(c.r);
        return 1;
    }
    c.u = c.r + p->row_count;
    c.tolerance = find_tolerance(&c, p, &residual);
    const bench_row row = {.system = name, .method = by->method, .unit = MILLISECONDS};
    table.count = 0;
    int failures = 0;
    if (!(c.tolerance > 0.0)) {
        printf("%-34s %-8s %-10s %8d   unsolved\n", name, by->name, by->method, p->contact_count);
    } else {
        failures = bench_measure(&table, row, time_solving, MANY, &c);
        const bench_row *r = &table.rows[0];
        printf("%-34s %-8s %-10s %8d %10.3f %-4s %10.4g %5.0f%%%c %9.1e\n", name, by->name,
               by->method, p->contact_count, r->cost, r->unit.name, r->ratio, 100.0 * r->spread,
               r->spread > BENCH_WIDE_SPREAD ? '!' : ' ', residual);
    }
    fflush(stdout);
    by->close(c.problem);
    free(c.r);
    return failures;
}

static int compare_all(const char *name, const carom_contact_problem *p) {
    int failures = 0;
    for (int k = 0; peers[k] != NULL; k++) {
        failures += peers[k]->is_for(p->tangent_count) ? compare(name, p, peers[k]) : 0;
    }
    return failures;
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
    printf("\ncontacts with friction from no impulses, to a residual of %g by our certificate\n"
           "%-34s %-8s %-10s %8s %10s %-4s %10s %7s %9s\n",
           RESIDUAL, "problem", "program", "method", "contacts", "cost", "unit", "ratio", "spread",
           "residual");
    for (size_t k = 0; k < sizeof PILES / sizeof *PILES; k++) {
        CAROM_AUTO(carom_contact_problem) p = NULL;
        carom_disc_pile_params params = carom_disc_pile_params_default();
        params.mass_ratio = PILES[k].mass_ratio;
        params.friction = PILES[k].friction;
        failures += carom_disc_pile_problem(&params, &p, NULL) == CAROM_OK
                        ? compare_all(PILES[k].name, p)
                        : 1;
    }
    for (size_t k = 0; k < sizeof MASSES / sizeof *MASSES; k++) {
        CAROM_AUTO(carom_contact_problem) p = NULL;
        char name[64];
        (void)snprintf(name, sizeof name, "box of discs, mu 0.3, masses 1:%g", MASSES[k]);
        failures += bench_make_box_of_discs(MASSES[k], 0.3, &p) ? compare_all(name, p) : 1;
    }
    for (size_t k = 0; k < sizeof BOXES / sizeof *BOXES; k++) {
        CAROM_AUTO(carom_contact_problem) p = NULL;
        char name[64];
        (void)snprintf(name, sizeof name, "tower of %d boxes in space", BOXES[k]);
        failures += bench_make_tower(2, BOXES[k], &p) ? compare_all(name, p) : 1;
    }
    return failures;
}
