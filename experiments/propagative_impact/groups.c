/** Impacts whose end is known: two blocks and a wall, finite groups of reflections. */
#include "results.h"

#include <carom/impact/propagative_pair.h>

#include <gsl/gsl_math.h>
#include <stdio.h>

enum { MOST_STEPS = 8192, RULES = 5, PART = 9, PATH_SIZE = 64 };

/** Velocities after some hundred reflections. */
static const double ROUNDING = 1e-12;

/* --- a wall and two blocks -------------------------------------------------------------------- */

static const double RATIOS[] = {1.0, 1e2, 1e4, 1e6};
static const double DIGITS[] = {3.0, 31.0, 314.0, 3141.0};

/** The light block, 1 kg, between the wall and the heavy one, which comes with -1 m/s. */
static carom_status run_blocks(const propagation *x, double ratio, double *steps, double *count) {
    instant y = {.n = PAIR,
                 .m = PAIR,
                 .factor = {1.0, 0.0, 0.0, sqrt(ratio)},
                 .normal = {1.0, 0.0, -1.0, 1.0},
                 .momentum = {0.0, -ratio}};
    propagative_impact_complete(&y);
    CAROM_AUTO(carom_propagative_contacts) contacts = NULL;
    CAROM_AUTO(carom_propagative_impact) impact = NULL;
    CAROM_TRY(carom_propagative_contacts_alloc(PAIR, PAIR, &contacts));
    CAROM_TRY(propagative_impact_set(&y, contacts, x->report));
    CAROM_TRY(carom_propagative_impact_alloc(PAIR, MOST_STEPS, &impact));
    const carom_propagative_params params = carom_propagative_params_default();
    CAROM_TRY(carom_propagative_impact_run(contacts, &params, 1.0, y.velocity, y.energy, impact,
                                           x->report));
    const carom_propagative_pair pair = carom_propagative_pair_of(contacts, U, V);
    const carom_propagative_counts counts = carom_propagative_pair_count(
        &pair, y.velocity[U] / contacts->length[U], y.velocity[V] / contacts->length[V]);
    *steps = impact->step_count;
    *count = counts.first_v;
    return CAROM_OK;
}

static carom_status write_blocks(const propagation *x) {
    double columns[2][COUNT(RATIOS)] = {{0.0}};
    bool are_digits = true;
    for (int k = 0; k < COUNT(RATIOS); k++) {
        CAROM_TRY(run_blocks(x, RATIOS[k], &columns[0][k], &columns[1][k]));
        are_digits = are_digits && (int)columns[0][k] == (int)DIGITS[k] &&
                     (int)columns[1][k] == (int)DIGITS[k];
    }
    carom_record_axis(x->record, "/blocks/ratio", COUNT(RATIOS), RATIOS, "1",
                      "mass of the heavy block over that of the light one");
    const carom_column datasets[] = {
        {"/blocks/reflections", columns[0], "1", "reflections, of wall and block, run"},
        {"/blocks/count", columns[1], "1", "the same by the exact count"},
    };
    carom_record_columns(x->record, "/blocks/ratio", NULL, datasets, COUNT(datasets));
    const carom_claim claim = {"blocks_count_pi", are_digits,
                               "a wall and two blocks of mass ratio 100^k: the digits of pi"};
    carom_record_claims(x->record, &claim, 1);
    return CAROM_OK;
}

/* --- finite groups ---------------------------------------------------------------------------- */

enum { MOST_RANK = 8, GROUP_DRAWS = 40 };

/** A diagram: nodes i and bond[i][0], bond[i][1] have c = -cos(pi/bond[i][2]), others c = 0. */
typedef struct diagram {
    const char *name;
    int rank;
    int roots; /**< positive roots of the group */
    int bonds[MOST_RANK][3];
} diagram;

static const diagram DIAGRAMS[] = {
    {"A3", 3, 6, {{0, 1, 3}, {1, 2, 3}}},
    {"B3", 3, 9, {{0, 1, 4}, {1, 2, 3}}},
    {"H3", 3, 15, {{0, 1, 5}, {1, 2, 3}}},
    {"I2_7_A1", 3, 8, {{0, 1, 7}}},
    {"D4", 4, 12, {{0, 1, 3}, {1, 2, 3}, {1, 3, 3}}},
    {"F4", 4, 24, {{0, 1, 3}, {1, 2, 4}, {2, 3, 3}}},
    {"H4", 4, 60, {{0, 1, 5}, {1, 2, 3}, {2, 3, 3}}},
    {"E8", 8, 120, {{0, 1, 3}, {1, 2, 3}, {2, 3, 3}, {3, 4, 3}, {4, 5, 3}, {5, 6, 3}, {2, 7, 3}}},
};

/** Unit normals with the cosines of a diagram: the rows of the Cholesky factor of their matrix. */
static void set_normals(const diagram *d, instant *x) {
    const int n = d->rank;
    double gram[MOST_RANK * MOST_RANK] = {0.0};
    *x = (instant){.n = n, .m = n};
    for (int i = 0; i < n; i++) {
        gram[i * n + i] = 1.0;
        x->factor[i * n + i] = 1.0;
    }
    for (int k = 0; k < MOST_RANK && d->bonds[k][2] > 0; k++) {
        const double c = -cos(M_PI / d->bonds[k][2]);
        gram[d->bonds[k][0] * n + d->bonds[k][1]] = c;
        gram[d->bonds[k][1] * n + d->bonds[k][0]] = c;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = gram[i * n + j];
            for (int k = 0; k < j; k++) {
                sum -= x->normal[i * n + k] * x->normal[j * n + k];
            }
            x->normal[i * n + j] = i == j ? sqrt(sum) : sum / x->normal[j * n + j];
        }
    }
}

/** Momentum number `draw`: the first approaches all contacts with the same speed. */
static void set_momentum(const propagation *x, const diagram *d, int draw, instant *y) {
    stream from = {x->common->seed, PART, (unsigned long)draw, (unsigned long)d->roots};
    double c[MOST_RANK];
    for (int i = 0; i < d->rank; i++) {
        c[i] = draw == 0 ? -1.0 : propagative_impact_draw(&from, -1.0, 0.5);
        // Rows of the factor: forward substitution.
        double sum = c[i];
        for (int k = 0; k < i; k++) {
            sum -= y->normal[i * d->rank + k] * y->momentum[k];
        }
        y->momentum[i] = sum / y->normal[i * d->rank + i];
    }
    propagative_impact_complete(y);
}

/** What the rules made of one group. */
typedef struct group_result {
    int longest;
    int unequal;    /**< momenta for which two rules need different numbers */
    double apart;   /**< largest distance of two outcomes / |p| */
    bool is_unique; /**< as the library decides from the cosines */
} group_result;

static carom_status try_momentum(const instant *x, const carom_propagative_contacts *contacts,
                                 carom_propagative_impact *impact, group_result *g,
                                 carom_report *report) {
    double first[MOST_RANK] = {0.0};
    int steps = 0;
    for (int rule = 0; rule < RULES; rule++) {
        carom_propagative_params params = carom_propagative_params_default();
        params.rule = (carom_propagative_rule)rule;
        CAROM_TRY(carom_propagative_impact_run(contacts, &params, 1.0, x->velocity, x->energy,
                                               impact, report));
        steps = rule == 0 ? impact->step_count : steps;
        g->unequal += impact->step_count != steps ? 1 : 0;
        g->longest = impact->step_count > g->longest ? impact->step_count : g->longest;
        for (int i = 0; i < x->m; i++) {
            first[i] = rule == 0 ? impact->normal_velocity[i] : first[i];
            const double away = fabs(impact->normal_velocity[i] - first[i]);
            g->apart = fmax(g->apart, away / sqrt(2.0 * x->energy));
        }
    }
    return CAROM_OK;
}

static carom_status try_group(const propagation *x, const diagram *d, group_result *g) {
    instant y;
    set_normals(d, &y);
    carom_propagative_contacts *contacts = NULL;
    carom_propagative_impact *impact = NULL;
    carom_status status = carom_propagative_contacts_alloc(d->rank, d->rank, &contacts);
    if (status == CAROM_OK) {
        status = propagative_impact_set(&y, contacts, x->report);
    }
    if (status == CAROM_OK) {
        g->is_unique = carom_propagative_contacts_are_unique(contacts, NULL, NULL);
        status = carom_propagative_impact_alloc(d->rank, MOST_STEPS, &impact);
    }
    for (int draw = 0; draw < GROUP_DRAWS && status == CAROM_OK; draw++) {
        set_momentum(x, d, draw, &y);
        status = try_momentum(&y, contacts, impact, g, x->report);
    }
    carom_propagative_impact_free(impact);
    carom_propagative_contacts_free(contacts);
    return status;
}

static carom_status write_groups(const propagation *x) {
    bool are_unique = true;
    bool are_roots = true;
    double apart = 0.0;
    for (int k = 0; k < COUNT(DIAGRAMS); k++) {
        const diagram *d = &DIAGRAMS[k];
        group_result g = {0};
        CAROM_TRY(try_group(x, d, &g));
        char path[PATH_SIZE];
        (void)snprintf(path, sizeof path, "/groups/%s/contacts", d->name);
        carom_record_integer(x->record, path, d->rank, "1", "contacts");
        (void)snprintf(path, sizeof path, "/groups/%s/longest", d->name);
        carom_record_integer(x->record, path, g.longest, "1",
                             "reflections of the longest sequence of five rules");
        (void)snprintf(path, sizeof path, "/groups/%s/roots", d->name);
        carom_record_integer(x->record, path, d->roots, "1",
                             "positive roots of the group of reflections");
        are_unique = are_unique && g.is_unique && g.unequal == 0 && g.apart <= ROUNDING;
        are_roots = are_roots && g.longest == d->roots;
        apart = fmax(apart, g.apart);
    }
    const carom_measure largest = {"group_error", apart, "1",
                                   "largest difference of a velocity by two rules over |p|"};
    carom_record_measures(x->record, &largest, 1);
    const carom_claim claims[] = {
        {"groups_are_unique", are_unique,
         "c_ij = -cos(pi/k_ij): the same outcome and number of reflections by every rule"},
        {"groups_count_roots", are_roots,
         "the longest sequence has as many reflections as there are positive roots"},
    };
    carom_record_claims(x->record, claims, COUNT(claims));
    return CAROM_OK;
}

carom_status propagative_impact_write_groups(const propagation *x) {
    CAROM_TRY(write_blocks(x));
    return write_groups(x);
}
