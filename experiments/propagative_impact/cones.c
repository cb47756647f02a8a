/** Random impacts of several contacts, which end by every rule; and three that never do. */
#include "results.h"

#include <carom/base/parallel.h>

#include <gsl/gsl_math.h>
#include <stdlib.h>

enum { PER_ITEM = 50, FEWEST_COORDINATES = 3, COORDINATES = 4, FEWEST_CONTACTS = 3 };
enum { MOST_STEPS = 65536, RULES = 5, PART = 8 };

static const double ROUNDING = 1e-12;
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

/** Three unit normals 120 degrees apart: refused; and how long a momentum is reflected by hand. */
static carom_status try_triple(bool *is_refused, bool *goes_on) {
    enum { CORNERS = 3, LONG = 10000 };
    instant x = {.n = PAIR, .m = CORNERS, .factor = {1.0, 0.0, 0.0, 1.0}, .momentum = {0.3, 0.8}};
    for (int i = 0; i < CORNERS; i++) {
        x.normal[i * PAIR] = cos(2.0 * M_PI * i / CORNERS);
        x.normal[i * PAIR + 1] = sin(2.0 * M_PI * i / CORNERS);
    }
    propagative_impact_complete(&x);
    carom_propagative_contacts *contacts = NULL;
    CAROM_TRY(carom_propagative_contacts_alloc(PAIR, CORNERS, &contacts));
    const carom_status status = propagative_impact_set(&x, contacts, NULL);
    carom_propagative_contacts_free(contacts);
    *is_refused = status == CAROM_STATUS_CONFLICT;
    *goes_on = true;
    // Every momentum of the plane approaches one of them: across the fastest, again and again.
    for (int step = 0; step < LONG; step++) {
        int fastest = 0;
        double least = HUGE_VAL;
        for (int i = 0; i < CORNERS; i++) {
            const double speed = propagative_impact_product(&x, x.momentum, x.normal + i * PAIR);
            fastest = speed < least ? i : fastest;
            least = fmin(speed, least);
        }
        *goes_on = *goes_on && least < 0.0;
        (void)propagative_impact_reflect(&x, fastest, x.momentum);
    }
    return status == CAROM_STATUS_OUT_OF_MEMORY ? status : CAROM_OK;
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

static carom_status write_tally(const propagation *x, const tally *t) {
    bool is_refused = false;
    bool goes_on = false;
    CAROM_TRY(try_triple(&is_refused, &goes_on));
    const carom_measure measures[] = {
        {"cone_cases", t->cones, "1", "random impacts of three contacts or more"},
        {"cone_runs", t->runs, "1", "sequences run for them by five rules"},
        {"cone_endless", t->endless, "1", "of these, sequences that did not end"},
        {"cone_longest", t->longest, "1", "reflections of the longest sequence"},
        {"cone_split", t->split, "1", "impacts whose rules end apart"},
        {"cone_energy_error", t->kept.energy, "1", "largest |change of energy|/energy"},
        {"cone_tangential_error", t->kept.tangential, "1",
         "largest change of momentum beside the normals over its length"},
        {"cone_approach", t->kept.approach, "1", "fastest approach left over |p|"},
    };
    carom_record_measures(x->record, measures, COUNT(measures));
    const carom_claim claims[] = {
        {"cones_end", t->endless == 0, "contacts that can be separated at once: every rule ends"},
        // Reflections of vanishing impulse raise (p,r) by less than its rounding.
        {"separation_rises", t->falls == 0, "(p,r) rises in each reflection"},
        {"cone_energy_is_kept", t->kept.energy <= ROUNDING, "elastic sequences keep the energy"},
        {"cone_tangential_momentum_is_kept", t->kept.tangential <= ROUNDING,
         "momentum tangential to all contacts is unchanged"},
        {"cone_impulses_push", t->kept.impulse > 0.0, "every impulse is positive"},
        {"cones_end_feasible", t->kept.approach <= 2.0 * ROUNDING,
         "sequences end without an approaching contact"},
        {"triple_is_refused", is_refused, "three normals 120 degrees apart are refused"},
        {"triple_never_ends", goes_on, "their momenta are reflected 10000 times without an end"},
    };
    carom_record_claims(x->record, claims, COUNT(claims));
    return CAROM_OK;
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
    return write_tally(x, &all);
}
