/** Random impacts, written down with mass matrix and momenta; those of several contacts, which end
 * by every rule; and some whose end is known. */
#include "propagation.h"

#include <carom/base/parallel.h>
#include <carom/base/random.h>
#include <carom/base/vector.h>

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <stdlib.h>

/* --- random impacts --------------------------------------------------------------------------- */

/** Dimensions that a part of the experiment may draw for one impact. */
enum { PER_PART = 1024 };

/** Lengths of normals, if they are not one. */
static const double SHORTEST = 0.3;
static const double LONGEST = 3.0;

double propagative_impact_draw(stream *from, double low, double high) {
    const double share =
        carom_counter_uniform(from->seed, from->sample, from->part * PER_PART + from->dimension++);
    return low + (high - low) * share;
}

/** y = M^-1 a'. */
static void solve_mass(const instant *x, const double *a, double *y) {
    const size_t n = (size_t)x->n;
    const gsl_matrix_const_view L = gsl_matrix_const_view_array(x->factor, n, n);
    const gsl_vector_const_view right = gsl_vector_const_view_array(a, n);
    gsl_vector_view left = gsl_vector_view_array(y, n);
    // The factor has a positive diagonal: nothing can fail.
    (void)gsl_linalg_cholesky_solve(&L.matrix, &right.vector, &left.vector);
}

double propagative_impact_product(const instant *x, const double *a, const double *b) {
    double y[MOST_COORDINATES] = {0.0};
    solve_mass(x, b, y);
    return carom_vector_dot(x->n, a, y);
}

double propagative_impact_reflect(const instant *x, int i, double *p) {
    const double *u = x->normal + i * x->n;
    const double *y = x->dual + i * x->n;
    const double lambda = -2.0 * carom_vector_dot(x->n, p, y) / carom_vector_dot(x->n, u, y);
    for (int k = 0; k < x->n; k++) {
        p[k] += lambda * u[k];
    }
    return lambda;
}

void propagative_impact_complete(instant *x) {
    for (int i = 0; i < x->m; i++) {
        solve_mass(x, x->normal + i * x->n, x->dual + i * x->n);
        x->velocity[i] = carom_vector_dot(x->n, x->momentum, x->dual + i * x->n);
    }
    x->energy = 0.5 * propagative_impact_product(x, x->momentum, x->momentum);
}

/** A random metric of n coordinates. */
static void draw_metric(stream *from, int n, instant *x) {
    CAROM_ASSERT(n >= 1 && n <= MOST_COORDINATES);
    *x = (instant){.n = n};
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < k; j++) {
            x->factor[k * n + j] = propagative_impact_draw(from, -0.5, 0.5);
        }
        x->factor[k * n + k] = propagative_impact_draw(from, 0.5, 1.5);
    }
}

/** The covector (L w)' of w [n], times a length. */
static void to_covector(const instant *x, const double *w, double length, double *u) {
    for (int k = 0; k < x->n; k++) {
        u[k] = length * carom_vector_dot(k + 1, x->factor + k * x->n, w);
    }
}

/** Take from w [n] its parts along orthonormal vectors [count][n]; twice, for what rounding left.
 */
static void remove_directions(int n, int count, const double *others, double *w) {
    for (int pass = 0; pass < 2 * count; pass++) {
        const double *other = others + (pass % count) * n;
        const double part = carom_vector_dot(n, w, other);
        for (int k = 0; k < n; k++) {
            w[k] -= part * other[k];
        }
    }
}

/** A random vector of length one, at right angles to `count` others [count][n]. */
static void draw_direction(stream *from, int n, int count, const double *others, double *w) {
    double norm = 0.0;
    while (norm < 0.1) {
        for (int k = 0; k < n; k++) {
            w[k] = propagative_impact_draw(from, -1.0, 1.0);
        }
        remove_directions(n, count, others, w);
        norm = sqrt(carom_vector_dot(n, w, w));
    }
    for (int k = 0; k < n; k++) {
        w[k] /= norm;
    }
}

static double draw_length(stream *from) {
    return propagative_impact_draw(from, SHORTEST, LONGEST);
}

void propagative_impact_draw_pair(stream *from, int n, double half_opening, double angle,
                                  instant *x) {
    CAROM_ASSERT(n >= PAIR);
    draw_metric(from, n, x);
    x->m = PAIR;
    // Normals in the plane of two orthonormal directions: v is pi - 2 gamma away from u.
    double basis[3 * MOST_COORDINATES] = {0.0};
    double w[MOST_COORDINATES] = {0.0};
    draw_direction(from, n, 0, basis, basis);
    draw_direction(from, n, 1, basis, basis + n);
    if (n > PAIR) {
        draw_direction(from, n, PAIR, basis, basis + 2 * n);
    }
    const double c = -cos(2.0 * half_opening);
    const double s = sin(2.0 * half_opening);
    for (int k = 0; k < n; k++) {
        w[k] = c * basis[k] + s * basis[n + k];
    }
    to_covector(x, basis, draw_length(from), x->normal);
    to_covector(x, w, draw_length(from), x->normal + n);
    const double size = propagative_impact_draw(from, 0.5, 2.0);
    const double at = angle - 2.0 * half_opening - M_PI_2;
    for (int k = 0; k < n; k++) {
        w[k] = size * (cos(at) * basis[k] + sin(at) * basis[n + k]);
        w[k] += n > PAIR ? size * basis[2 * n + k] : 0.0;
    }
    to_covector(x, w, 1.0, x->momentum);
    propagative_impact_complete(x);
}

void propagative_impact_draw_cone(stream *from, int n, int m, instant *x) {
    CAROM_ASSERT(m <= MOST_CONTACTS);
    draw_metric(from, n, x);
    x->m = m;
    double rise[MOST_COORDINATES] = {0.0};
    double w[MOST_COORDINATES] = {0.0};
    draw_direction(from, n, 0, rise, rise);
    for (int i = 0; i < m; i++) {
        double along = 0.0;
        // Below 0.01 separating them takes more than 200 |p| of impulses.
        while (fabs(along) < 0.01) {
            draw_direction(from, n, 0, rise, w);
            along = carom_vector_dot(n, rise, w);
        }
        to_covector(x, w, along < 0.0 ? -draw_length(from) : draw_length(from), x->normal + i * n);
    }
    draw_direction(from, n, 0, rise, w);
    to_covector(x, w, draw_length(from), x->momentum);
    propagative_impact_complete(x);
}

carom_status propagative_impact_set(const instant *x, carom_propagative_contacts *contacts,
                                    carom_report *report) {
    return carom_propagative_contacts_set(contacts, x->factor, x->normal, report);
}

carom_status propagative_impact_alternate(const carom_propagative_contacts *contacts, int first,
                                          const double *c, double energy,
                                          carom_propagative_impact *impact, carom_report *report) {
    carom_propagative_params params = carom_propagative_params_default();
    params.rule = CAROM_PROPAGATIVE_CYCLIC;
    params.first = first;
    return carom_propagative_impact_run(contacts, &params, 1.0, c, energy, impact, report);
}

carom_status propagative_impact_by_rule(const carom_propagative_contacts *contacts, int rule,
                                        unsigned long seed, const double *c, double energy,
                                        carom_propagative_impact *impact, carom_report *report) {
    carom_propagative_params params = carom_propagative_params_default();
    params.rule = (carom_propagative_rule)rule;
    params.seed = seed;
    return carom_propagative_impact_run(contacts, &params, 1.0, c, energy, impact, report);
}

void propagative_impact_add(const instant *x, const double *impulse, double *p) {
    for (int i = 0; i < x->m; i++) {
        for (int k = 0; k < x->n; k++) {
            p[k] += impulse[i] * x->normal[i * x->n + k];
        }
    }
}

/* --- several contacts ------------------------------------------------------------------------- */

enum { PER_ITEM = 50, FEWEST_COORDINATES = 3, COORDINATES = 4, FEWEST_CONTACTS = 3 };
enum { MOST_STEPS = 65536, PART = 8 };

/** Outcomes farther apart than this, |p| being 1, are two. */
static const double DISTINCT = 1e-9;

/** What some cones found. */
typedef struct tally {
    int cones;
    int runs;
    int endless; /**< runs that do not end */
    int falls;   /**< reflections that do not raise (p,r) */
    int split;   /**< cones whose rules end apart */
    int longest; /**< reflections */
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

static void memory_clear(memory *work) {
    carom_propagative_contacts_free(work->contacts);
    carom_propagative_impact_free(work->impact);
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

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
    for (int rule = 0; rule < PROPAGATIVE_RULES; rule++) {
        const carom_status status = propagative_impact_by_rule(
            work->contacts, rule, seed, x->velocity, x->energy, work->impact, report);
        t->runs++;
        if (status == CAROM_STATUS_NOT_CONVERGED) {
            t->endless++;
            continue;
        }
        CAROM_TRY(status);
        t->longest = larger(work->impact->step_count, t->longest);
        t->falls += count_falls(x, work);
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
    const settings *v = s->x->values;
    const int m = contacts_of(v, item);
    const int n = FEWEST_COORDINATES + item / (v->contacts - FEWEST_CONTACTS + 1) % COORDINATES;
    s->tallies[item] = (tally){.cones = 0};
    CAROM_AUTO_VALUE(memory) work = {NULL, NULL};
    CAROM_TRY(carom_propagative_contacts_alloc(n, m, &work.contacts));
    CAROM_TRY(carom_propagative_impact_alloc(m, MOST_STEPS, &work.impact));
    const int begin = item * PER_ITEM;
    const int end = v->cones < begin + PER_ITEM ? v->cones : begin + PER_ITEM;
    for (int i = begin; i < end; i++) {
        stream from = {s->x->common->seed, PART, (unsigned long)i, 0};
        instant x;
        propagative_impact_draw_cone(&from, n, m, &x);
        CAROM_TRY(propagative_impact_set(&x, work.contacts, report));
        CAROM_TRY(
            try_cone(&x, s->x->common->seed + (unsigned long)i, &work, &s->tallies[item], report));
    }
    return CAROM_OK;
}

carom_status propagative_impact_write_cones(const propagation *x) {
    const int items = (x->values->cones + PER_ITEM - 1) / PER_ITEM;
    CAROM_AUTO_MEMORY tally *tallies = malloc((size_t)items * sizeof *tallies);
    if (tallies == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    sampling s = {x, tallies};
    CAROM_TRY(carom_parallel_map(x->common->workers, items, compute_item, &s,
                                 CAROM_PARALLEL_ROWS(tallies, items), x->report));
    tally all = {.cones = 0};
    for (int i = 0; i < items; i++) {
        all.cones += tallies[i].cones;
        all.runs += tallies[i].runs;
        all.endless += tallies[i].endless;
        all.falls += tallies[i].falls;
        all.split += tallies[i].split;
        all.longest = larger(all.longest, tallies[i].longest);
    }
    const carom_measure measures[] = {
        {"cone_cases", all.cones, "1", "random impacts of three contacts or more"},
        {"cone_runs", all.runs, "1", "sequences run for them by five rules"},
        {"cone_endless", all.endless, "1", "of these, sequences that did not end"},
        // Reflections of vanishing impulse raise (p,r) by less than its rounding.
        {"cone_falls", all.falls, "1", "reflections that do not raise (p,r)"},
        {"cone_longest", all.longest, "1", "reflections of the longest sequence"},
        {"cone_split", all.split, "1", "impacts whose rules end apart"},
    };
    carom_record_measures(x->record, measures, COUNT(measures));
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
    const unsigned long seed = carom_propagative_params_default().seed;
    double first[MOST_RANK] = {0.0};
    for (int rule = 0; rule < PROPAGATIVE_RULES; rule++) {
        CAROM_TRY(propagative_impact_by_rule(contacts, rule, seed, x->velocity, x->energy, impact,
                                             report));
        *longest = larger(*longest, impact->step_count);
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
