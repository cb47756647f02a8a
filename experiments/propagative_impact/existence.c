/** Random impacts of two contacts: sequences against exact counts, bounds, what is conserved. */
#include "results.h"

#include <carom/base/parallel.h>
#include <carom/impact/propagative_pair.h>

#include <gsl/gsl_math.h>
#include <stdlib.h>

/** Cases of one item of the parallel map: work memory is made once for each. */
enum { PER_ITEM = 500, FEWEST = 2, KINDS = 5, MOST_STEPS = 4096, PART = 7 };

/** Openings, rad: up to 157 reflections. */
static const double LEAST_OPENING = 0.01;
static const double LARGEST_OPENING = 1.55;

/** Momenta that end on a wall are told from those beside it by less than this. */
static const double TIE = 1e-10;

/** |p|, |p|^2: what is conserved, after up to 157 reflections. */
static const double ROUNDING = 1e-12;

/** What some cases found. */
typedef struct tally {
    conservation kept;
    double indeterminacy; /**< largest difference from 2 sin(..), relative to |p_N| */
    double largest;       /**< |p_uv - p_vu|/|p| */
    int cases;
    int runs;
    int ties;           /**< cases made to end on a wall */
    int on_wall;        /**< cases of which an order does */
    int miscounts;      /**< sequences whose length is not the exact count */
    int beyond_paper;   /**< sequences longer than ceil(pi/gamma) */
    int beyond_longest; /**< than ceil(pi/(2 gamma)) */
    int beyond_minimal; /**< shorter ones longer than ceil(pi/(2 gamma) - 1/2) */
    int at_longest;     /**< as long as the bound */
    int at_minimal;
    int no_tail; /**< longer sequences that do not end with the shorter one */
    int longest; /**< reflections */
} tally;

static tally add_tallies(tally a, const tally *b) {
    a.kept = propagative_impact_worse(a.kept, b->kept);
    a.indeterminacy = fmax(a.indeterminacy, b->indeterminacy);
    a.largest = fmax(a.largest, b->largest);
    a.cases += b->cases;
    a.runs += b->runs;
    a.ties += b->ties;
    a.on_wall += b->on_wall;
    a.miscounts += b->miscounts;
    a.beyond_paper += b->beyond_paper;
    a.beyond_longest += b->beyond_longest;
    a.beyond_minimal += b->beyond_minimal;
    a.at_longest += b->at_longest;
    a.at_minimal += b->at_minimal;
    a.no_tail += b->no_tail;
    a.longest = a.longest > b->longest ? a.longest : b->longest;
    return a;
}

/** All items. */
typedef struct sampling {
    unsigned long seed;
    int cases;
    tally *tallies;
} sampling;

/** Work memory of an item. */
typedef struct memory {
    carom_propagative_contacts *contacts;
    carom_propagative_impact *impact[PAIR]; /**< by the contact reflected first */
} memory;

/** psi of a momentum: every fourth ends on a wall after a random number of reflections, every
 * fourth has any direction, the others approach both contacts. */
static double draw_angle(stream *from, double gamma) {
    const double wedges = M_PI / (2.0 * gamma);
    const double share = propagative_impact_draw(from, 0.0, 1.0);
    switch (from->sample % 4) {
    case 0: {
        // pi/(2 gamma) - 1 + sigma reflections from u on, or their mirror image from v on.
        const double steps = 1.0 + floor(share * floor(wedges));
        const double sigma = steps + 1.0 - wedges;
        const bool is_mirrored = propagative_impact_draw(from, 0.0, 1.0) < 0.5;
        return 2.0 * gamma * (is_mirrored ? 1.0 - sigma : sigma);
    }
    case 1:
        return 2.0 * M_PI * share;
    default:
        return 2.0 * gamma * share;
    }
}

/** Whether the shorter sequence is the end of the longer one. */
static bool is_tail(const carom_propagative_impact *a, const carom_propagative_impact *b) {
    const carom_propagative_impact *longer = a->step_count > b->step_count ? a : b;
    const carom_propagative_impact *shorter = longer == a ? b : a;
    const int skipped = longer->step_count - shorter->step_count;
    for (int i = 0; i < shorter->step_count; i++) {
        if (longer->sequence[skipped + i] != shorter->sequence[i]) {
            return false;
        }
    }
    return true;
}

/** Whether a sequence ends with a contact neither approaching nor separating. */
static bool ends_on_wall(const instant *x, const memory *work, const carom_propagative_impact *i) {
    const double *length = work->contacts->length;
    const double slowest =
        fmin(fabs(i->normal_velocity[U]) / length[U], fabs(i->normal_velocity[V]) / length[V]);
    return slowest <= TIE * sqrt(2.0 * x->energy);
}

/** |p_uv - p_vu| by the momenta. */
static double distance(const instant *x, const memory *work) {
    double d[MOST_COORDINATES] = {0.0};
    double difference[PAIR] = {0.0};
    for (int i = 0; i < PAIR; i++) {
        difference[i] = work->impact[U]->impulse[i] - work->impact[V]->impulse[i];
    }
    propagative_impact_add(x, difference, d);
    return sqrt(propagative_impact_product(x, d, d));
}

/** Both orders of a momentum that approaches both contacts. */
static void compare_orders(const instant *x, const carom_propagative_pair *pair, double a, double b,
                           const memory *work, tally *t) {
    const int n_u = work->impact[U]->step_count;
    const int n_v = work->impact[V]->step_count;
    const int shorter = n_u < n_v ? n_u : n_v;
    t->beyond_minimal += shorter > pair->longest_minimal ? 1 : 0;
    t->at_minimal += shorter >= pair->longest_minimal ? 1 : 0;
    t->no_tail += n_u != n_v && !is_tail(work->impact[U], work->impact[V]) ? 1 : 0;
    // |p_N| sin 2 gamma = sqrt(a^2 + b^2 - 2 a b c).
    const double s = sin(pair->half_opening);
    const double plane =
        sqrt(gsl_pow_2(a + b) - 4.0 * a * b * s * s) / sin(2.0 * pair->half_opening);
    const double apart = distance(x, work);
    const double expected = carom_propagative_pair_spread(pair, a, b);
    t->indeterminacy = fmax(t->indeterminacy, fabs(apart - expected) / plane);
    t->largest = fmax(t->largest, apart / sqrt(2.0 * x->energy));
}

/*[propagativeCounts]*/
/** One case: each order that begins across an approaching contact, and its exact count. */
static carom_status try_case(stream *from, int n, memory *work, tally *t, carom_report *report) {
    const double gamma = propagative_impact_draw(from, LEAST_OPENING, LARGEST_OPENING);
    instant x;
    propagative_impact_draw_pair(from, n, gamma, draw_angle(from, gamma), false, &x);
    CAROM_TRY(propagative_impact_set(&x, work->contacts, report));
    const carom_propagative_pair pair = carom_propagative_pair_of(work->contacts, U, V);
    const double a = x.velocity[U] / work->contacts->length[U];
    const double b = x.velocity[V] / work->contacts->length[V];
    const carom_propagative_counts counts = carom_propagative_pair_count(&pair, a, b);
    const double expected[PAIR] = {counts.first_u, counts.first_v};
    bool is_on_wall = false;
    for (int first = U; first < PAIR; first++) {
        carom_propagative_params params = carom_propagative_params_default();
        params.rule = CAROM_PROPAGATIVE_CYCLIC;
        params.first = first;
        params.tolerance = TIE;
        if (expected[first] > 0.0) {
            CAROM_TRY(carom_propagative_impact_run(work->contacts, &params, 1.0, x.velocity,
                                                   x.energy, work->impact[first], report));
            const int steps = work->impact[first]->step_count;
            is_on_wall = is_on_wall || ends_on_wall(&x, work, work->impact[first]);
            t->runs++;
            t->miscounts += steps == (int)expected[first] ? 0 : 1;
            t->beyond_paper += steps > pair.paper_bound ? 1 : 0;
            t->beyond_longest += steps > pair.longest ? 1 : 0;
            t->at_longest += steps >= pair.longest ? 1 : 0;
            t->longest = steps > t->longest ? steps : t->longest;
            t->kept = propagative_impact_worse(
                t->kept, propagative_impact_conserved(&x, work->impact[first]));
        }
    }
    t->cases++;
    t->ties += from->sample % 4 == 0 ? 1 : 0;
    t->on_wall += is_on_wall ? 1 : 0;
    if (expected[U] > 0.0 && expected[V] > 0.0) {
        compare_orders(&x, &pair, a, b, work, t);
    }
    return CAROM_OK;
}
/*[end propagativeCounts]*/

static carom_status compute_item(int item, void *context, carom_report *report) {
    const sampling *s = context;
    const int n = FEWEST + item % KINDS;
    tally *t = &s->tallies[item];
    *t = (tally){.kept = {.impulse = HUGE_VAL}};
    memory work = {NULL, {NULL, NULL}};
    carom_status status = carom_propagative_contacts_alloc(n, PAIR, &work.contacts);
    for (int i = 0; i < PAIR && status == CAROM_OK; i++) {
        status = carom_propagative_impact_alloc(PAIR, MOST_STEPS, &work.impact[i]);
    }
    const int begin = item * PER_ITEM;
    const int end = s->cases < begin + PER_ITEM ? s->cases : begin + PER_ITEM;
    for (int i = begin; i < end && status == CAROM_OK; i++) {
        stream from = {s->seed, PART, (unsigned long)i, 0};
        status = try_case(&from, n, &work, t, report);
    }
    for (int i = 0; i < PAIR; i++) {
        carom_propagative_impact_free(work.impact[i]);
    }
    carom_propagative_contacts_free(work.contacts);
    return status;
}

static void write_tally(const propagation *x, const tally *t) {
    const carom_measure measures[] = {
        {"pair_cases", t->cases, "1", "random impacts of two contacts"},
        {"pair_runs", t->runs, "1", "sequences run for them, one or both orders"},
        {"pair_ties", t->ties, "1", "of the impacts, those made to end on a wall"},
        {"pair_on_wall", t->on_wall, "1", "of the impacts, those that do"},
        {"pair_miscounts", t->miscounts, "1", "sequences whose length is not the exact count"},
        {"pair_longest", t->longest, "1", "reflections of the longest sequence"},
        {"pair_at_longest", t->at_longest, "1", "sequences as long as ceil(pi/(2 gamma))"},
        {"pair_at_minimal", t->at_minimal, "1",
         "shortest sequences as long as ceil(pi/(2 gamma) - 1/2)"},
        {"pair_energy_error", t->kept.energy, "1", "largest |change of energy|/energy"},
        {"pair_tangential_error", t->kept.tangential, "1",
         "largest change of momentum beside the normals over its length"},
        {"pair_approach", t->kept.approach, "1", "fastest approach left over |p|"},
        {"pair_indeterminacy", t->largest, "1", "largest |p_uv - p_vu|/|p|"},
        {"pair_indeterminacy_error", t->indeterminacy, "1",
         "largest difference of |p_uv - p_vu|/|p_N| from its closed form"},
    };
    carom_record_measures(x->record, measures, COUNT(measures));
    const carom_claim claims[] = {
        {"bound_of_theorem_1", t->beyond_paper == 0, "n <= ceil(pi/gamma), (22)"},
        {"sharp_bound", t->beyond_longest == 0 && t->at_longest > 0,
         "n <= ceil(pi/(2 gamma)), attained"},
        {"sharp_bound_of_minimal", t->beyond_minimal == 0 && t->at_minimal > 0,
         "shortest sequences: n <= ceil(pi/(2 gamma) - 1/2), attained"},
        {"counts_are_exact", t->miscounts == 0, "the exact counts are those of the sequences"},
        {"longer_ends_with_shorter", t->no_tail == 0,
         "where the orders need different numbers, the longer one ends with the shorter"},
        {"energy_is_kept", t->kept.energy <= ROUNDING, "elastic sequences keep the energy"},
        {"tangential_momentum_is_kept", t->kept.tangential <= ROUNDING,
         "momentum tangential to all contacts is unchanged"},
        {"impulses_push", t->kept.impulse > 0.0, "every impulse of a sequence is positive"},
        {"sequences_end_feasible", t->kept.approach <= 2.0 * TIE,
         "sequences end without an approaching contact"},
        {"indeterminacy_is_exact", t->indeterminacy <= 1e-10,
         "|p_uv - p_vu| = 2 sin(2 gamma min(f, 1-f, sigma, 1-sigma)) |p_N|"},
    };
    carom_record_claims(x->record, claims, COUNT(claims));
}

carom_status propagative_impact_write_existence(const propagation *x) {
    const int cases = x->values->cases;
    const int items = (cases + PER_ITEM - 1) / PER_ITEM;
    sampling s = {x->common->seed, cases, malloc((size_t)items * sizeof *s.tallies)};
    if (s.tallies == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const carom_status status =
        carom_parallel_map(items, x->common->threads, compute_item, &s, x->report);
    tally all = {.kept = {.impulse = HUGE_VAL}};
    for (int i = 0; i < items && status == CAROM_OK; i++) {
        all = add_tallies(all, &s.tallies[i]);
    }
    free(s.tallies);
    CAROM_TRY(status);
    write_tally(x, &all);
    return CAROM_OK;
}
