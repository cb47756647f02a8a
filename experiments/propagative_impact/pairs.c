/** Two contacts: random impacts against exact counts and bounds; longest sequences by the cosine.
 */
#include "propagation.h"

#include <carom/base/parallel.h>

#include <gsl/gsl_math.h>
#include <stdlib.h>

/* --- random impacts ----------------------------------------------------------------------------
 */

/** Cases of one item of the parallel map: work memory is made once for each. */
enum { PER_ITEM = 500, FEWEST = 2, KINDS = 5, MOST_STEPS = 4096, PART = 7 };

/** Openings, rad: up to 157 reflections. */
static const double LEAST_OPENING = 0.01;
static const double LARGEST_OPENING = 1.55;

/** Momenta that end on a wall are told from those beside it by less than this. */
static const double TIE = 1e-10;

/** What some cases found. */
typedef struct tally {
    double indeterminacy; /**< largest difference from 2 sin(..), relative to |p_N| */
    int cases;
    int runs;
    int ties;       /**< cases made to end on a wall */
    int on_wall;    /**< cases of which an order does */
    int miscounts;  /**< sequences whose length is not the exact count */
    int at_longest; /**< as long as the bound */
    int at_minimal;
    int longest; /**< reflections */
} tally;

static tally add_tallies(tally a, const tally *b) {
    a.indeterminacy = fmax(a.indeterminacy, b->indeterminacy);
    a.cases += b->cases;
    a.runs += b->runs;
    a.ties += b->ties;
    a.on_wall += b->on_wall;
    a.miscounts += b->miscounts;
    a.at_longest += b->at_longest;
    a.at_minimal += b->at_minimal;
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

static void memory_clear(memory *work) {
    carom_propagative_contacts_free(work->contacts);
    carom_propagative_impact_free(work->impact[U]);
    carom_propagative_impact_free(work->impact[V]);
}

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
    t->at_minimal += shorter >= pair->longest_minimal ? 1 : 0;
    // |p_N| sin 2 gamma = sqrt(a^2 + b^2 - 2 a b c).
    const double s = sin(pair->half_opening);
    const double plane =
        sqrt(gsl_pow_2(a + b) - 4.0 * a * b * s * s) / sin(2.0 * pair->half_opening);
    const double apart = distance(x, work);
    const double expected = carom_propagative_pair_spread(pair, a, b);
    t->indeterminacy = fmax(t->indeterminacy, fabs(apart - expected) / plane);
}

/*[propagativeCounts]*/
/** One case: each order that begins across an approaching contact, and its exact count. */
static carom_status try_case(stream *from, int n, memory *work, tally *t, carom_report *report) {
    const double gamma = propagative_impact_draw(from, LEAST_OPENING, LARGEST_OPENING);
    instant x;
    propagative_impact_draw_pair(from, n, gamma, draw_angle(from, gamma), &x);
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
            t->at_longest += steps >= pair.longest ? 1 : 0;
            t->longest = steps > t->longest ? steps : t->longest;
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

static carom_status compute_cases(int item, void *context, carom_report *report) {
    const sampling *s = context;
    const int n = FEWEST + item % KINDS;
    s->tallies[item] = (tally){.cases = 0};
    CAROM_AUTO_VALUE(memory) work = {NULL, {NULL, NULL}};
    CAROM_TRY(carom_propagative_contacts_alloc(n, PAIR, &work.contacts));
    for (int i = 0; i < PAIR; i++) {
        CAROM_TRY(carom_propagative_impact_alloc(PAIR, MOST_STEPS, &work.impact[i]));
    }
    const int begin = item * PER_ITEM;
    const int end = s->cases < begin + PER_ITEM ? s->cases : begin + PER_ITEM;
    for (int i = begin; i < end; i++) {
        stream from = {s->seed, PART, (unsigned long)i, 0};
        CAROM_TRY(try_case(&from, n, &work, &s->tallies[item], report));
    }
    return CAROM_OK;
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
        {"pair_indeterminacy_error", t->indeterminacy, "1",
         "largest difference of |p_uv - p_vu|/|p_N| from its closed form"},
    };
    carom_record_measures(x->record, measures, COUNT(measures));
}

carom_status propagative_impact_write_pairs(const propagation *x) {
    const int cases = x->values->cases;
    const int items = (cases + PER_ITEM - 1) / PER_ITEM;
    CAROM_AUTO_MEMORY tally *tallies = malloc((size_t)items * sizeof *tallies);
    if (tallies == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    sampling s = {x->common->seed, cases, tallies};
    CAROM_TRY(carom_parallel_map(x->common->workers, items, compute_cases, &s,
                                 CAROM_PARALLEL_ROWS(tallies, items), x->report));
    tally all = {.cases = 0};
    for (int i = 0; i < items; i++) {
        all = add_tallies(all, &tallies[i]);
    }
    write_tally(x, &all);
    return CAROM_OK;
}

/* --- by the cosine -----------------------------------------------------------------------------
 */

enum { MOST_ROW_STEPS = 1024, CURVE_POINTS = 1600, ROW_PART = 100 };

/** The curves end at so many wedges pi/(2 gamma), from one on. */
static const double MOST_WEDGES = 9.0;

/** Two unit normals of cosine c in the Euclidean plane. */
static instant plane_of(double c) {
    return (instant){.n = PAIR,
                     .m = PAIR,
                     .factor = {1.0, 0.0, 0.0, 1.0},
                     .normal = {1.0, 0.0, c, sqrt((1.0 - c) * (1.0 + c))}};
}

carom_status propagative_impact_pair(double c, carom_propagative_pair *out, carom_report *report) {
    const instant x = plane_of(c);
    CAROM_AUTO(carom_propagative_contacts) contacts = NULL;
    CAROM_TRY(carom_propagative_contacts_alloc(PAIR, PAIR, &contacts));
    CAROM_TRY(propagative_impact_set(&x, contacts, report));
    *out = carom_propagative_pair_of(contacts, U, V);
    return CAROM_OK;
}

/** One row of the table, or a point of a curve. */
typedef struct row {
    double cosine;
    double wedges;
    double half_opening;
    double paper_bound;
    double longest_bound;
    double minimal_bound;
    double exact_split;
    double exact_indeterminacy;
    double longest;       /**< met: reflections of any order */
    double minimal;       /**< of the shortest one */
    double split;         /**< share of the momenta approaching both with two shortest ends */
    double indeterminacy; /**< largest |p_uv - p_vu|/|p| */
} row;

static const carom_field TABLE_FIELDS[] = {
    CAROM_FIELD("cosine", row, cosine, "1", "c = (u,v)"),
    CAROM_FIELD("paper_bound", row, paper_bound, "1", "ceil(pi/gamma), (22)"),
    CAROM_FIELD("longest_bound", row, longest_bound, "1", "ceil(pi/(2 gamma))"),
    CAROM_FIELD("minimal_bound", row, minimal_bound, "1", "ceil(pi/(2 gamma) - 1/2)"),
    CAROM_FIELD("exact_split", row, exact_split, "1", "|1 - 2 f|, 0 if f = 0"),
    CAROM_FIELD("exact_indeterminacy", row, exact_indeterminacy, "1",
                "2 sin(2 gamma min(f, 1 - f))"),
    CAROM_FIELD("half_opening", row, half_opening, "rad", "gamma"),
    CAROM_FIELD("wedges", row, wedges, "1", "pi/(2 gamma)"),
    CAROM_FIELD("longest", row, longest, "1", "reflections of the longest sequence met"),
    CAROM_FIELD("longest_minimal", row, minimal, "1",
                "reflections of the longest shortest sequence met"),
    CAROM_FIELD("split", row, split, "1",
                "share of momenta approaching both contacts with two shortest ends"),
    CAROM_FIELD("indeterminacy", row, indeterminacy, "1", "largest |p_uv - p_vu|/|p| met"),
};

static const carom_field CURVE_FIELDS[] = {
    CAROM_FIELD("cosine", row, cosine, "1", "c = (u,v)"),
    CAROM_FIELD("paper_bound", row, paper_bound, "1", "ceil(pi/gamma), (22)"),
    CAROM_FIELD("longest", row, longest_bound, "1", "ceil(pi/(2 gamma))"),
    CAROM_FIELD("longest_minimal", row, minimal_bound, "1", "ceil(pi/(2 gamma) - 1/2)"),
    CAROM_FIELD("split", row, exact_split, "1", "|1 - 2 f|, 0 if f = 0"),
    CAROM_FIELD("indeterminacy", row, exact_indeterminacy, "1", "2 sin(2 gamma min(f, 1 - f))"),
    CAROM_FIELD("half_opening", row, half_opening, "rad", "gamma"),
    CAROM_FIELD("wedges", row, wedges, "1", "pi/(2 gamma)"),
};

/** What is exact of a pair, f = pi/(2 gamma) - k, 0 <= f < 1; nothing met yet. */
static row row_of(double cosine, const carom_propagative_pair *pair) {
    const bool is_unique = carom_propagative_pair_order(pair) > 0.0;
    const double f = is_unique ? 0.0 : pair->wedge_count - floor(pair->wedge_count);
    return (row){
        .cosine = cosine,
        .wedges = pair->wedge_count,
        .half_opening = pair->half_opening,
        .paper_bound = pair->paper_bound,
        .longest_bound = pair->longest,
        .minimal_bound = pair->longest_minimal,
        .exact_split = f > 0.0 ? fabs(1.0 - 2.0 * f) : 0.0,
        .exact_indeterminacy = carom_propagative_pair_largest_spread(pair),
    };
}

typedef struct table {
    const propagation *x;
    row *rows;
} table;

/** Run both orders of a momentum at psi; lengths are 0 where an order does not begin. */
static carom_status run_orders(instant *x, const carom_propagative_pair *pair, double angle,
                               const carom_propagative_contacts *contacts,
                               carom_propagative_impact *impact, int *steps, double *apart,
                               carom_report *report) {
    const double opening = 2.0 * pair->half_opening;
    const double c = pair->cosine;
    x->velocity[U] = sin(angle - opening);
    x->velocity[V] = -sin(angle);
    x->energy = 0.5;
    double difference[PAIR] = {0.0};
    for (int first = U; first < PAIR; first++) {
        steps[first] = 0;
        if (x->velocity[first] < 0.0) {
            CAROM_TRY(propagative_impact_alternate(contacts, first, x->velocity, x->energy, impact,
                                                   report));
            steps[first] = impact->step_count;
            for (int i = 0; i < PAIR; i++) {
                difference[i] += (first == U ? 1.0 : -1.0) * impact->impulse[i];
            }
        }
    }
    // |x u + y v| of unit normals.
    *apart = sqrt(fmax(0.0, gsl_pow_2(difference[U]) + gsl_pow_2(difference[V]) +
                                2.0 * c * difference[U] * difference[V]));
    return CAROM_OK;
}

/** Half of the momenta approach both contacts, one in each of equal parts of the directions. */
static carom_status fill_row(const propagation *x, int item, const carom_propagative_pair *pair,
                             row *r, const carom_propagative_contacts *contacts,
                             carom_propagative_impact *impact, carom_report *report) {
    const int count = x->values->directions;
    const int half = count / 2;
    instant plane = plane_of(pair->cosine);
    int split = 0;
    for (int i = 0; i < count; i++) {
        stream from = {x->common->seed, ROW_PART + (unsigned long)item, (unsigned long)i, 0};
        const double share = propagative_impact_draw(&from, 0.0, 1.0);
        const bool is_approaching = i < half;
        const double angle = is_approaching ? 2.0 * pair->half_opening * (i + share) / half
                                            : 2.0 * M_PI * (i - half + share) / (count - half);
        int steps[PAIR] = {0, 0};
        double apart = 0.0;
        CAROM_TRY(run_orders(&plane, pair, angle, contacts, impact, steps, &apart, report));
        const int longer = steps[U] > steps[V] ? steps[U] : steps[V];
        const bool both = steps[U] > 0 && steps[V] > 0;
        const int shorter = both ? (steps[U] < steps[V] ? steps[U] : steps[V]) : longer;
        r->longest = fmax(r->longest, longer);
        r->minimal = fmax(r->minimal, shorter);
        r->indeterminacy = both ? fmax(r->indeterminacy, apart) : r->indeterminacy;
        // Both orders are shortest, and end apart.
        split += is_approaching && both && steps[U] == steps[V] && apart > 1e-9 ? 1 : 0;
    }
    r->split = split / (double)half;
    return CAROM_OK;
}

static carom_status compute_row(int item, void *context, carom_report *report) {
    const table *t = context;
    const double cosine = t->x->values->cosines.values[item];
    const instant plane = plane_of(cosine);
    CAROM_AUTO(carom_propagative_contacts) contacts = NULL;
    CAROM_AUTO(carom_propagative_impact) impact = NULL;
    CAROM_TRY(carom_propagative_contacts_alloc(PAIR, PAIR, &contacts));
    CAROM_TRY(propagative_impact_set(&plane, contacts, report));
    const carom_propagative_pair pair = carom_propagative_pair_of(contacts, U, V);
    t->rows[item] = row_of(cosine, &pair);
    CAROM_TRY(carom_propagative_impact_alloc(PAIR, MOST_ROW_STEPS, &impact));
    return fill_row(t->x, item, &pair, &t->rows[item], contacts, impact, report);
}

static carom_status write_curves(const propagation *x) {
    CAROM_AUTO_MEMORY row *rows = malloc(CURVE_POINTS * sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < CURVE_POINTS; i++) {
        // Between whole and half numbers, where shares and counts jump.
        const double wedges = 1.0 + (MOST_WEDGES - 1.0) * (i + 0.5) / CURVE_POINTS;
        const double cosine = -cos(M_PI / wedges);
        carom_propagative_pair pair;
        CAROM_TRY(propagative_impact_pair(cosine, &pair, x->report));
        rows[i] = row_of(cosine, &pair);
    }
    carom_record group = carom_record_group(x->record, "/spectrum");
    carom_record_rows(&group, "cosine", rows, CURVE_POINTS, sizeof *rows, CURVE_FIELDS,
                      COUNT(CURVE_FIELDS));
    return CAROM_OK;
}

carom_status propagative_impact_write_table(const propagation *x) {
    const int count = x->values->cosines.count;
    CAROM_AUTO_MEMORY row *rows = malloc((size_t)count * sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    table t = {x, rows};
    CAROM_TRY(carom_parallel_map(x->common->workers, count, compute_row, &t,
                                 CAROM_PARALLEL_ROWS(rows, count), x->report));
    carom_record group = carom_record_group(x->record, "/table");
    carom_record_rows(&group, "cosine", rows, count, sizeof *rows, TABLE_FIELDS,
                      COUNT(TABLE_FIELDS));
    return write_curves(x);
}
