/** Two contacts by their cosine: longest sequences, and how many momenta have two outcomes. */
#include "results.h"

#include <carom/base/parallel.h>

#include <gsl/gsl_math.h>
#include <stdlib.h>

enum { MOST_STEPS = 1024, CURVE_POINTS = 1600, PART = 100 };

/** The curves end at so many wedges pi/(2 gamma), from one on. */
static const double MOST_WEDGES = 9.0;

instant propagative_impact_plane(double c) {
    return (instant){.n = PAIR,
                     .m = PAIR,
                     .factor = {1.0, 0.0, 0.0, 1.0},
                     .normal = {1.0, 0.0, c, sqrt((1.0 - c) * (1.0 + c))}};
}

carom_status propagative_impact_pair(double c, carom_propagative_pair *out, carom_report *report) {
    const instant x = propagative_impact_plane(c);
    carom_propagative_contacts *contacts = NULL;
    CAROM_TRY(carom_propagative_contacts_alloc(PAIR, PAIR, &contacts));
    const carom_status status = propagative_impact_set(&x, contacts, report);
    if (status == CAROM_OK) {
        *out = carom_propagative_pair_of(contacts, U, V);
    }
    carom_propagative_contacts_free(contacts);
    return status;
}

double propagative_impact_fraction(const carom_propagative_pair *pair) {
    return carom_propagative_pair_order(pair) > 0.0 ? 0.0
                                                    : pair->wedge_count - floor(pair->wedge_count);
}

/** One row of the table. */
typedef struct row {
    carom_propagative_pair pair;
    double longest;       /**< reflections of any order */
    double minimal;       /**< of the shortest one */
    double split;         /**< share of the momenta approaching both with two shortest ends */
    double indeterminacy; /**< largest |p_uv - p_vu|/|p| */
} row;

typedef struct table {
    const propagation *x;
    row *rows;
} table;

/** Run both orders of a momentum at psi; lengths are 0 where an order does not begin. */
static carom_status run_orders(instant *x, const row *r, double angle,
                               const carom_propagative_contacts *contacts,
                               carom_propagative_impact *impact, int *steps, double *apart,
                               carom_report *report) {
    const double opening = 2.0 * r->pair.half_opening;
    const double c = r->pair.cosine;
    x->velocity[U] = sin(angle - opening);
    x->velocity[V] = -sin(angle);
    x->energy = 0.5;
    double difference[PAIR] = {0.0};
    for (int first = U; first < PAIR; first++) {
        steps[first] = 0;
        if (x->velocity[first] < 0.0) {
            carom_propagative_params params = carom_propagative_params_default();
            params.rule = CAROM_PROPAGATIVE_CYCLIC;
            params.first = first;
            CAROM_TRY(carom_propagative_impact_run(contacts, &params, 1.0, x->velocity, x->energy,
                                                   impact, report));
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
static carom_status fill_row(const propagation *x, int item, row *r,
                             const carom_propagative_contacts *contacts,
                             carom_propagative_impact *impact, carom_report *report) {
    const int count = x->values->directions;
    const int half = count / 2;
    instant plane = propagative_impact_plane(r->pair.cosine);
    int split = 0;
    for (int i = 0; i < count; i++) {
        stream from = {x->common->seed, PART + (unsigned long)item, (unsigned long)i, 0};
        const double share = propagative_impact_draw(&from, 0.0, 1.0);
        const bool is_approaching = i < half;
        const double angle = is_approaching ? 2.0 * r->pair.half_opening * (i + share) / half
                                            : 2.0 * M_PI * (i - half + share) / (count - half);
        int steps[PAIR] = {0, 0};
        double apart = 0.0;
        CAROM_TRY(run_orders(&plane, r, angle, contacts, impact, steps, &apart, report));
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
    row *r = &t->rows[item];
    *r = (row){.longest = 0.0};
    const instant plane = propagative_impact_plane(t->x->values->cosines.values[item]);
    CAROM_AUTO(carom_propagative_contacts) contacts = NULL;
    CAROM_AUTO(carom_propagative_impact) impact = NULL;
    CAROM_TRY(carom_propagative_contacts_alloc(PAIR, PAIR, &contacts));
    CAROM_TRY(propagative_impact_set(&plane, contacts, report));
    r->pair = carom_propagative_pair_of(contacts, U, V);
    CAROM_TRY(carom_propagative_impact_alloc(PAIR, MOST_STEPS, &impact));
    return fill_row(t->x, item, r, contacts, impact, report);
}

/** The columns of the table or of a curve, one after the other [count] each. */
enum { PAPER, LONGEST, MINIMAL, SHARE, LARGEST, OPENING, WEDGES, COLUMNS };

static void fill_columns(const carom_propagative_pair *pair, int i, int count, double *columns) {
    const double f = propagative_impact_fraction(pair);
    columns[PAPER * count + i] = pair->paper_bound;
    columns[LONGEST * count + i] = pair->longest;
    columns[MINIMAL * count + i] = pair->longest_minimal;
    columns[SHARE * count + i] = f > 0.0 ? fabs(1.0 - 2.0 * f) : 0.0;
    columns[LARGEST * count + i] = carom_propagative_pair_largest_spread(pair);
    columns[OPENING * count + i] = pair->half_opening;
    columns[WEDGES * count + i] = pair->wedge_count;
}

static void write_columns(const propagation *x, bool is_table, int count, const double *columns) {
    const carom_column table_columns[] = {
        {"/table/paper_bound", columns + PAPER * count, "1", "ceil(pi/gamma), (22)"},
        {"/table/longest_bound", columns + LONGEST * count, "1", "ceil(pi/(2 gamma))"},
        {"/table/minimal_bound", columns + MINIMAL * count, "1", "ceil(pi/(2 gamma) - 1/2)"},
        {"/table/exact_split", columns + SHARE * count, "1", "|1 - 2 f|, 0 if f = 0"},
        {"/table/exact_indeterminacy", columns + LARGEST * count, "1",
         "2 sin(2 gamma min(f, 1 - f))"},
        {"/table/half_opening", columns + OPENING * count, "rad", "gamma"},
        {"/table/wedges", columns + WEDGES * count, "1", "pi/(2 gamma)"},
    };
    const carom_column curve_columns[] = {
        {"/spectrum/paper_bound", columns + PAPER * count, "1", "ceil(pi/gamma), (22)"},
        {"/spectrum/longest", columns + LONGEST * count, "1", "ceil(pi/(2 gamma))"},
        {"/spectrum/longest_minimal", columns + MINIMAL * count, "1", "ceil(pi/(2 gamma) - 1/2)"},
        {"/spectrum/split", columns + SHARE * count, "1", "|1 - 2 f|, 0 if f = 0"},
        {"/spectrum/indeterminacy", columns + LARGEST * count, "1", "2 sin(2 gamma min(f, 1 - f))"},
        {"/spectrum/half_opening", columns + OPENING * count, "rad", "gamma"},
        {"/spectrum/wedges", columns + WEDGES * count, "1", "pi/(2 gamma)"},
    };
    carom_record_columns(x->record, is_table ? "/table/cosine" : "/spectrum/cosine", NULL,
                         is_table ? table_columns : curve_columns, COLUMNS);
}

/** What was sampled beside what is exact, and the statements. */
static void write_rows(const propagation *x, const row *rows, double *columns) {
    const int count = x->values->cosines.count;
    carom_record_axis(x->record, "/table/cosine", count, x->values->cosines.values, "1",
                      "c = (u,v)");
    bool are_attained = true;
    bool is_split_as_predicted = true;
    double largest_error = 0.0;
    for (int i = 0; i < count; i++) {
        fill_columns(&rows[i].pair, i, count, columns);
    }
    write_columns(x, true, count, columns);
    for (int i = 0; i < count; i++) {
        const double exact = columns[SHARE * count + i];
        are_attained = are_attained && rows[i].longest >= rows[i].pair.longest &&
                       rows[i].minimal >= rows[i].pair.longest_minimal;
        // Two ends of an interval, each within one of the equal parts.
        const double error = fabs(rows[i].split - exact);
        is_split_as_predicted = is_split_as_predicted && error <= 4.0 / x->values->directions;
        largest_error = fmax(largest_error, error);
        columns[i] = rows[i].longest;
        columns[count + i] = rows[i].minimal;
        columns[2 * count + i] = rows[i].split;
        columns[3 * count + i] = rows[i].indeterminacy;
    }
    const carom_column sampled[] = {
        {"/table/longest", columns, "1", "reflections of the longest sequence met"},
        {"/table/longest_minimal", columns + count, "1",
         "reflections of the longest shortest sequence met"},
        {"/table/split", columns + 2 * count, "1",
         "share of momenta approaching both contacts with two shortest ends"},
        {"/table/indeterminacy", columns + 3 * count, "1", "largest |p_uv - p_vu|/|p| met"},
    };
    carom_record_columns(x->record, "/table/cosine", NULL, sampled, COUNT(sampled));
    const carom_measure error = {"split_error", largest_error, "1",
                                 "largest difference of the share met from |1 - 2 f|"};
    carom_record_measures(x->record, &error, 1);
    const carom_claim claims[] = {
        {"bounds_are_attained", are_attained, "both sharp bounds are attained for every c"},
        {"split_share", is_split_as_predicted,
         "two shortest ends in a share |1 - 2 f| of the directions"},
    };
    carom_record_claims(x->record, claims, COUNT(claims));
}

static carom_status write_curves(const propagation *x) {
    double *columns = malloc((size_t)(COLUMNS + 1) * CURVE_POINTS * sizeof *columns);
    if (columns == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *cosine = columns + COLUMNS * CURVE_POINTS;
    carom_status status = CAROM_OK;
    for (int i = 0; i < CURVE_POINTS && status == CAROM_OK; i++) {
        // Between whole and half numbers, where shares and counts jump.
        cosine[i] = -cos(M_PI / (1.0 + (MOST_WEDGES - 1.0) * (i + 0.5) / CURVE_POINTS));
        carom_propagative_pair pair;
        status = propagative_impact_pair(cosine[i], &pair, x->report);
        if (status == CAROM_OK) {
            fill_columns(&pair, i, CURVE_POINTS, columns);
        }
    }
    if (status == CAROM_OK) {
        carom_record_axis(x->record, "/spectrum/cosine", CURVE_POINTS, cosine, "1", "c = (u,v)");

        write_columns(x, false, CURVE_POINTS, columns);
    }
    free(columns);
    return status;
}

carom_status propagative_impact_write_table(const propagation *x) {
    const int count = x->values->cosines.count;
    table t = {x, malloc((size_t)count * sizeof *t.rows)};
    double *columns = malloc((size_t)COLUMNS * (size_t)count * sizeof *columns);
    carom_status status = t.rows == NULL || columns == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
    if (status == CAROM_OK) {
        status = carom_parallel_map(count, x->common->threads, compute_row, &t, x->report);
    }
    if (status == CAROM_OK) {
        write_rows(x, t.rows, columns);
    }
    free(columns);
    free(t.rows);
    return status == CAROM_OK ? write_curves(x) : status;
}
