/** Several contacts: random ones, which end by every rule, and those whose end is known. */
#include "propagation.h"

#include <carom/base/parallel.h>

#include <gsl/gsl_math.h>
#include <stdlib.h>

enum { PER_ITEM = 50, FEWEST_COORDINATES = 3, COORDINATES = 4, FEWEST_CONTACTS = 3 };
enum { MOST_STEPS = 65536, RULES = 5, PART = 8 };

/** Outcomes farther apart than this, |p| being 1, are two. */
static const double DISTINCT = 1e-9;

/** What some cones found. */
typedef struct tally {
    conservation kept;
    int cones;
    int runs;
    int endless; /**< runs that do not end */
    int falls;   /**< reflections that do not raise (p,r) */
    int split;   /**< cones whose rules end apart */
    int longest; /**< reflections */
    double steps;
} tally;

typedef struct sampling {
    const propagation *x;
    tally *tallies;
} sampling;

/** Work memory of an item. */
typedef struct memory {
    carom_propagative_contacts *contacts;
    carom_propagative_impact *impact;
} memory;

/** Contacts of an item: all numbers in turn. */
static int contacts_of(const settings *v, int item) {
    return FEWEST_CONTACTS + item % (v->contacts - FEWEST_CONTACTS + 1);
}

/*[propagativeTermination]*/
/** (p,r) rises by lambda (w,r) in each reflection, and is at most |p| |r|: no sequence goes on. */
static int count_falls(const instant *x, const memory *work) {
    double p[MOST_COORDINATES] = {0.0};
    double r[MOST_COORDINATES] = {0.0};
    for (int k = 0; k < x->n; k++) {
        p[k] = x->momentum[k];
        for (int j = 0; j <= k; j++) {
            r[k] += x->factor[k * x->n + j] * work->contacts->separator[j];
        }
    }
    int falls = 0;
    double before = propagative_impact_product(x, p, r);
    for (int i = 0; i < work->impact->step_count; i++) {
        (void)propagative_impact_reflect(x, work->impact->sequence[i], p);
        const double after = propagative_impact_product(x, p, r);
        falls += after > before ? 0 : 1;
        before = after;
    }
    return falls;
}
/*[end propagativeTermination]*/

static carom_status try_cone(const instant *x, unsigned long seed, memory *work, tally *t,
                             carom_report *report) {
    double first[MOST_COORDINATES] = {0.0};
    double apart = 0.0;
    int ended = 0;
    for (int rule = 0; rule < RULES; rule++) {
        carom_propagative_params params = carom_propagative_params_default();
        params.rule = (carom_propagative_rule)rule;
        params.seed = seed;
        const carom_status status = carom_propagative_impact_run(
            work->contacts, &params, 1.0, x->velocity, x->energy, work->impact, report);
        t->runs++;
        if (status == CAROM_STATUS_NOT_CONVERGED) {
            t->endless++;
            continue;
        }
        CAROM_TRY(status);
        const int steps = work->impact->step_count;
        t->steps += steps;
        t->longest = steps > t->longest ? steps : t->longest;
        t->falls += count_falls(x, work);
        t->kept = propagative_impact_worse(t->kept, propagative_impact_conserved(x, work->impact));
        double p[MOST_COORDINATES] = {0.0};
        propagative_impact_add(x, work->impact->impulse, p);
        for (int k = 0; k < x->n; k++) {
            first[k] = ended == 0 ? p[k] : first[k];
            p[k] -= first[k];
        }
        apart = fmax(apart, sqrt(propagative_impact_product(x, p, p) / (2.0 * x->energy)));
        ended++;
    }
    t->cones++;
    t->split += apart > DISTINCT ? 1 : 0;
    return CAROM_OK;
}

static carom_status compute_item(int item, void *context, carom_report *report) {
    const sampling *s = context;
    const propagation *y = s->x;
    const int m = contacts_of(y->values, item);
    const int n =
        FEWEST_COORDINATES + item / (y->values->contacts - FEWEST_CONTACTS + 1) % COORDINATES;
    tally *t = &s->tallies[item];
    *t = (tally){.kept = {.impulse = HUGE_VAL}};
    memory work = {NULL, NULL};
    carom_status status = carom_propagative_contacts_alloc(n, m, &work.contacts);
    if (status == CAROM_OK) {
        status = carom_propagative_impact_alloc(m, MOST_STEPS, &work.impact);
    }
    const int begin = item * PER_ITEM;
    const int end = y->values->cones < begin + PER_ITEM ? y->values->cones : begin + PER_ITEM;
    for (int i = begin; i < end && status == CAROM_OK; i++) {
        stream from = {y->common->seed, PART, (unsigned long)i, 0};
        instant x;
        propagative_impact_draw_cone(&from, n, m, &x);
        status = propagative_impact_set(&x, work.contacts, report);
        if (status == CAROM_OK) {
            status = try_cone(&x, y->common->seed + (unsigned long)i, &work, t, report);
        }
    }
    carom_propagative_impact_free(work.impact);
    carom_propagative_contacts_free(work.contacts);
    return status;
}

/** Longest and mean sequences by the number of contacts. */
static void write_sizes(const propagation *x, const tally *tallies, int items) {
    enum { SIZES = MOST_CONTACTS - FEWEST_CONTACTS + 1 };
    tally by_size[SIZES] = {{.cones = 0}};
    double columns[4][SIZES];
    const int sizes = x->values->contacts - FEWEST_CONTACTS + 1;
    for (int i = 0; i < items; i++) {
        tally *t = &by_size[contacts_of(x->values, i) - FEWEST_CONTACTS];
        t->cones += tallies[i].cones;
        t->runs += tallies[i].runs;
        t->endless += tallies[i].endless;
        t->steps += tallies[i].steps;
        t->split += tallies[i].split;
        t->longest = tallies[i].longest > t->longest ? tallies[i].longest : t->longest;
    }
    for (int i = 0; i < sizes; i++) {
        columns[0][i] = FEWEST_CONTACTS + i;
        columns[1][i] = by_size[i].longest;
        columns[2][i] = by_size[i].steps / (by_size[i].runs - by_size[i].endless);
        columns[3][i] = by_size[i].split / (double)by_size[i].cones;
    }
    carom_record_axis(x->record, "/cones/contacts", sizes, columns[0], "1",
                      "contacts of the impact");
    const carom_column datasets[] = {
        {"/cones/longest", columns[1], "1", "reflections of the longest sequence of five rules"},
        {"/cones/mean", columns[2], "1", "mean number of reflections; NaN: no impact"},
        {"/cones/split", columns[3], "1",
         "share of the impacts whose rules end apart; NaN: no impact"},
    };
    carom_record_columns(x->record, "/cones/contacts", NULL, datasets, COUNT(datasets));
}

static void write_tally(const propagation *x, const tally *t) {
    const carom_measure measures[] = {
        {"cone_cases", t->cones, "1", "random impacts of three contacts or more"},
        {"cone_runs", t->runs, "1", "sequences run for them by five rules"},
        {"cone_endless", t->endless, "1", "of these, sequences that did not end"},
        // Reflections of vanishing impulse raise (p,r) by less than its rounding.
        {"cone_falls", t->falls, "1", "reflections that do not raise (p,r)"},
        {"cone_longest", t->longest, "1", "reflections of the longest sequence"},
        {"cone_split", t->split, "1", "impacts whose rules end apart"},
        {"cone_energy_error", t->kept.energy, "1", "largest |change of energy|/energy"},
        {"cone_tangential_error", t->kept.tangential, "1",
         "largest change of momentum beside the normals over its length"},
        {"cone_approach", t->kept.approach, "1", "fastest approach left over |p|"},
    };
    carom_record_measures(x->record, measures, COUNT(measures));
}

carom_status propagative_impact_write_cones(const propagation *x) {
    const int items = (x->values->cones + PER_ITEM - 1) / PER_ITEM;
    sampling s = {x, malloc((size_t)items * sizeof *s.tallies)};
    if (s.tallies == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_status status =
        carom_parallel_map(items, x->common->threads, compute_item, &s, x->report);
    tally all = {.kept = {.impulse = HUGE_VAL}};
    for (int i = 0; i < items && status == CAROM_OK; i++) {
        const tally *t = &s.tallies[i];
        all.kept = propagative_impact_worse(all.kept, t->kept);
        all.cones += t->cones;
        all.runs += t->runs;
        all.endless += t->endless;
        all.falls += t->falls;
        all.split += t->split;
        all.longest = t->longest > all.longest ? t->longest : all.longest;
    }
    if (status == CAROM_OK) {
        write_sizes(x, s.tallies, items);
    }
    free(s.tallies);
    CAROM_TRY(status);
    write_tally(x, &all);
    return CAROM_OK;
}

/* --- impacts whose end is known: two blocks and a wall, finite groups --------------------------
 */

enum { MOST_GROUP_STEPS = 8192, GROUP_PART = 9 };

static const double RATIOS[] = {1.0, 1e2, 1e4, 1e6};

/** The light block, 1 kg, between the wall and the heavy one, which comes with -1 m/s. */
static carom_status run_blocks(const propagation *x, double ratio, double *steps) {
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
    CAROM_TRY(carom_propagative_impact_alloc(PAIR, MOST_GROUP_STEPS, &impact));
    const carom_propagative_params params = carom_propagative_params_default();
    CAROM_TRY(carom_propagative_impact_run(contacts, &params, 1.0, y.velocity, y.energy, impact,
                                           x->report));
    *steps = impact->step_count;
    return CAROM_OK;
}

static carom_status write_blocks(const propagation *x) {
    double steps[COUNT(RATIOS)];
    for (int k = 0; k < COUNT(RATIOS); k++) {
        CAROM_TRY(run_blocks(x, RATIOS[k], &steps[k]));
    }
    carom_record group = carom_record_group(x->record, "/blocks");
    carom_record_axis(&group, "ratio", COUNT(RATIOS), RATIOS, "1",
                      "mass of the heavy block over that of the light one");
    carom_record_series(&group, "reflections", steps, "ratio", NULL, "1",
                        "reflections, of wall and block, run");
    return CAROM_OK;
}

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
    stream from = {x->common->seed, GROUP_PART, (unsigned long)draw, (unsigned long)d->roots};
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

/** One momentum by every rule: the longest sequence, and the largest distance of two outcomes. */
static carom_status try_momentum(const instant *x, const carom_propagative_contacts *contacts,
                                 carom_propagative_impact *impact, int *longest, double *apart,
                                 carom_report *report) {
    double first[MOST_RANK] = {0.0};
    for (int rule = 0; rule < RULES; rule++) {
        carom_propagative_params params = carom_propagative_params_default();
        params.rule = (carom_propagative_rule)rule;
        CAROM_TRY(carom_propagative_impact_run(contacts, &params, 1.0, x->velocity, x->energy,
                                               impact, report));
        *longest = impact->step_count > *longest ? impact->step_count : *longest;
        for (int i = 0; i < x->m; i++) {
            first[i] = rule == 0 ? impact->normal_velocity[i] : first[i];
            const double away = fabs(impact->normal_velocity[i] - first[i]);
            *apart = fmax(*apart, away / sqrt(2.0 * x->energy));
        }
    }
    return CAROM_OK;
}

static carom_status try_group(const propagation *x, const diagram *d, int *longest, double *apart) {
    instant y;
    set_normals(d, &y);
    CAROM_AUTO(carom_propagative_contacts) contacts = NULL;
    CAROM_AUTO(carom_propagative_impact) impact = NULL;
    CAROM_TRY(carom_propagative_contacts_alloc(d->rank, d->rank, &contacts));
    CAROM_TRY(propagative_impact_set(&y, contacts, x->report));
    CAROM_TRY(carom_propagative_impact_alloc(d->rank, MOST_GROUP_STEPS, &impact));
    for (int draw = 0; draw < GROUP_DRAWS; draw++) {
        set_momentum(x, d, draw, &y);
        CAROM_TRY(try_momentum(&y, contacts, impact, longest, apart, x->report));
    }
    return CAROM_OK;
}

carom_status propagative_impact_write_groups(const propagation *x) {
    CAROM_TRY(write_blocks(x));
    double apart = 0.0;
    for (int k = 0; k < COUNT(DIAGRAMS); k++) {
        const diagram *d = &DIAGRAMS[k];
        int longest = 0;
        CAROM_TRY(try_group(x, d, &longest, &apart));
        carom_record group = carom_record_group(x->record, "/groups/%s", d->name);
        carom_record_integer(&group, "longest", longest, "1",
                             "reflections of the longest sequence of five rules");
        carom_record_integer(&group, "roots", d->roots, "1",
                             "positive roots of the group of reflections");
    }
    carom_record_measure(x->record, "group_error", apart, "1",
                         "largest difference of a velocity by two rules over |p|");
    return CAROM_OK;
}
