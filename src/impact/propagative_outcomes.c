#include <carom/impact/propagative_impact.h>

#include <carom/base/random.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Longest sequence whose parts are all tried. */
enum { LONGEST_TESTED = 20 };

/** Momenta there is room for at first. */
enum { FIRST_CAPACITY = 64 };

/** Least width of the slices of momentum space in which equal ones are looked for, |p| being 1. */
static const double LEAST_SLICE = 1e-6;

/** The graph and what is needed to walk through it, in unit normals. */
typedef struct momentum_graph {
    const carom_propagative_contacts *contacts;
    double slowest; /* speeds below approach, kg^1/2 m/s */
    double norm;    /* |p| before */
    double slice;   /* width of a slice, |p| being 1 */
    int count;
    int capacity;        /* momenta there is room for */
    double *moved;       /* [momentum][n] p - p0 = sum of lambda_i w_i */
    double *speed;       /* [momentum][m] <w_i,p> */
    double *lambda;      /* [momentum][m] */
    int *next;           /* [momentum][m] reflected across i, -1 if i does not approach */
    int *outcome;        /* [momentum] its number if it is feasible, else -1 */
    int *parent;         /* [momentum] that it was first reached from, itself at the start */
    int *parent_contact; /* [momentum] contact reflected then */
    int *chained;        /* [momentum] the one before it with the same key, -1 if none */
    int *first;          /* [2 capacity] the last momentum of a key, -1 if none */
    double *direction;   /* [n] across the slices */

    double *ways;        /* [momentum] sequences that lead there */
    int *longest;        /* [momentum] reflections of the longest of them */
    int *path;           /* [longest + 1] momenta on the way to the present one */
    int *path_contact;   /* [longest + 1] contact by which each of them is left, -1 at first */
    double *part;        /* [m] speeds of a part of a sequence */
    int contact_entries; /* room in the list of contacts */
} momentum_graph;

carom_propagative_tree_params carom_propagative_tree_params_default(void) {
    return (carom_propagative_tree_params){.tolerance = 1e-12,
                                           .merging = 1e-12,
                                           .most_momenta = 1 << 18,
                                           .most_sequences = 4096,
                                           .longest_minimality = 12};
}

void carom_propagative_outcomes_free(carom_propagative_outcomes *outcomes) {
    if (outcomes == NULL) {
        return;
    }
    free(outcomes->impulse);
    free(outcomes->normal_velocity);
    free(outcomes->sequences);
    free(outcomes->longest);
    free(outcomes->shortest_begin);
    free(outcomes->shortest);
    free(outcomes->begin);
    free(outcomes->contact);
    free(outcomes->outcome);
    free(outcomes->minimality);
    free(outcomes);
}

static void graph_clear(momentum_graph *graph) {
    free(graph->moved);
    free(graph->speed);
    free(graph->lambda);
    free(graph->next);
    free(graph->outcome);
    free(graph->parent);
    free(graph->parent_contact);
    free(graph->chained);
    free(graph->first);
    free(graph->direction);
    free(graph->ways);
    free(graph->longest);
    free(graph->path);
    free(graph->path_contact);
    free(graph->part);
}

static bool grow_reals(double **x, size_t count) {
    double *larger = realloc(*x, count * sizeof **x);
    if (larger == NULL) {
        return false;
    }
    *x = larger;
    return true;
}

static bool grow_integers(int **x, size_t count) {
    int *larger = realloc(*x, count * sizeof **x);
    if (larger == NULL) {
        return false;
    }
    *x = larger;
    return true;
}

/** The slice that a momentum lies in. */
static double slice_of(const momentum_graph *graph, int k) {
    const int n = graph->contacts->coordinate_count;
    double across = 0.0;
    for (int i = 0; i < n; i++) {
        across += graph->direction[i] * graph->moved[(size_t)k * (size_t)n + (size_t)i];
    }
    return graph->norm > 0.0 ? floor(across / graph->norm / graph->slice) : 0.0;
}

/** The place of a slice in the table. */
static size_t key_of(const momentum_graph *graph, double slice) {
    const double spread = slice * 0.6180339887498949;
    const size_t places = 2 * (size_t)graph->capacity;
    return (size_t)((spread - floor(spread)) * (double)places) % places;
}

/** Put momentum k into the table. */
static void enter(momentum_graph *graph, int k) {
    const size_t key = key_of(graph, slice_of(graph, k));
    graph->chained[k] = graph->first[key];
    graph->first[key] = k;
}

/** Room for so many momenta, the last one not yet counted. */
static carom_status reserve(momentum_graph *graph, int capacity) {
    const size_t count = (size_t)capacity;
    const size_t n = (size_t)graph->contacts->coordinate_count;
    const size_t m = (size_t)graph->contacts->contact_count;
    if (!grow_reals(&graph->moved, count * n) || !grow_reals(&graph->speed, count * m) ||
        !grow_reals(&graph->lambda, count * m) || !grow_integers(&graph->next, count * m) ||
        !grow_integers(&graph->outcome, count) || !grow_integers(&graph->parent, count) ||
        !grow_integers(&graph->parent_contact, count) || !grow_integers(&graph->chained, count) ||
        !grow_integers(&graph->first, 2 * count)) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    graph->capacity = capacity;
    for (size_t k = 0; k < 2 * count; k++) {
        graph->first[k] = -1;
    }
    for (int k = 0; k < graph->count; k++) {
        enter(graph, k);
    }
    return CAROM_OK;
}

static carom_status graph_init(const carom_propagative_contacts *contacts,
                               const carom_propagative_tree_params *params, const double *c,
                               double energy, momentum_graph *graph) {
    const size_t n = (size_t)contacts->coordinate_count;
    const size_t m = (size_t)contacts->contact_count;
    *graph = (momentum_graph){.contacts = contacts, .norm = sqrt(2.0 * energy)};
    graph->slowest = -params->tolerance * graph->norm;
    // Momenta that are one lie in the same slice or in neighbours: |direction| <= sqrt(n).
    graph->slice = fmax(LEAST_SLICE, 2.0 * sqrt((double)n) * params->merging);
    graph->direction = calloc(n, sizeof(double));
    graph->part = calloc(m, sizeof(double));
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    if (graph->direction != NULL && graph->part != NULL) {
        for (size_t i = 0; i < n; i++) {
            graph->direction[i] = 2.0 * carom_counter_uniform(0, 0, (unsigned long)i) - 1.0;
        }
        status = reserve(graph, FIRST_CAPACITY);
    }
    if (status != CAROM_OK) {
        graph_clear(graph);
        return status;
    }
    memset(graph->moved, 0, n * sizeof(double));
    memset(graph->lambda, 0, m * sizeof(double));
    for (size_t i = 0; i < m; i++) {
        graph->speed[i] = c[i] / contacts->length[i];
    }
    graph->parent[0] = 0;
    graph->parent_contact[0] = -1;
    graph->count = 1;
    enter(graph, 0);
    return CAROM_OK;
}

static carom_status refuse(const carom_propagative_contacts *contacts,
                           const carom_propagative_tree_params *params, const double *c,
                           double energy, carom_report *report) {
    if (!(params->tolerance > 0.0 && params->tolerance < 1.0)) {
        return carom_report_refuse(report, "tolerance", params->tolerance, -1, "in (0,1)");
    }
    if (!(params->merging >= 0.0 && params->merging < 1.0)) {
        return carom_report_refuse(report, "merging", params->merging, -1, "in [0,1)");
    }
    if (params->most_momenta < 1 || params->most_sequences < 1) {
        return carom_report_refuse(report, "size of the tree",
                                   fmin(params->most_momenta, params->most_sequences), -1,
                                   "at least 1");
    }
    if (params->longest_minimality < 0 || params->longest_minimality > LONGEST_TESTED) {
        return carom_report_refuse(report, "length tested for minimality",
                                   params->longest_minimality, -1, "0 to 20");
    }
    if (!isfinite(energy)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "kinetic energy", energy, -1);
    }
    if (energy < 0.0) {
        return carom_report_refuse(report, "kinetic energy", energy, -1, ">= 0");
    }
    return carom_report_require_finite(report, "normal velocity", contacts->contact_count, c);
}

/** |p_a - p_b| of two momenta of the graph. */
static double distance(const momentum_graph *graph, int a, int b) {
    const int n = graph->contacts->coordinate_count;
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        const double difference = graph->moved[a * n + k] - graph->moved[b * n + k];
        sum += difference * difference;
    }
    return sqrt(sum);
}

/** Speeds s [m] after a reflection across contact i; @return lambda. */
static double reflect_speeds(const carom_propagative_contacts *contacts, int i, double *s) {
    const int m = contacts->contact_count;
    const double reversed = -s[i];
    const double lambda = 2.0 * reversed;
    for (int j = 0; j < m; j++) {
        s[j] += lambda * contacts->cosine[i * m + j];
    }
    s[i] = reversed;
    return lambda;
}

/** Put momentum `from` reflected across contact i into the free place of momentum `to`. */
static void reflect_into(momentum_graph *graph, int from, int i, int to) {
    const carom_propagative_contacts *contacts = graph->contacts;
    const size_t n = (size_t)contacts->coordinate_count;
    const size_t m = (size_t)contacts->contact_count;
    const size_t a = (size_t)from;
    const size_t b = (size_t)to;
    memcpy(graph->speed + b * m, graph->speed + a * m, m * sizeof(double));
    memcpy(graph->lambda + b * m, graph->lambda + a * m, m * sizeof(double));
    const double lambda = reflect_speeds(contacts, i, graph->speed + b * m);
    graph->lambda[b * m + (size_t)i] += lambda;
    for (size_t k = 0; k < n; k++) {
        graph->moved[b * n + k] =
            graph->moved[a * n + k] + lambda * contacts->unit_normal[(size_t)i * n + k];
    }
}

/** The earliest momentum that the last one, not yet counted, is equal to; itself if there is none.
 */
static int merge(const momentum_graph *graph, int last, double merging) {
    const double slice = slice_of(graph, last);
    int found = last;
    for (int side = -1; side <= 1; side++) {
        const size_t key = key_of(graph, slice + side);
        for (int k = graph->first[key]; k >= 0; k = graph->chained[k]) {
            found = k < found && distance(graph, k, last) <= merging * graph->norm ? k : found;
        }
    }
    return found;
}

/** Reflect momentum k across contact i. */
static carom_status reach(const carom_propagative_tree_params *params, momentum_graph *graph, int k,
                          int i, carom_report *report) {
    const int m = graph->contacts->contact_count;
    const int last = graph->count;
    if (last == graph->capacity) {
        CAROM_TRY(reserve(graph, 2 * graph->capacity));
    }
    reflect_into(graph, k, i, last);
    const int reached = merge(graph, last, params->merging);
    if (reached == params->most_momenta) {
        return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "number of momenta",
                                 params->most_momenta, -1);
    }
    if (reached == last) {
        graph->parent[last] = k;
        graph->parent_contact[last] = i;
        enter(graph, last);
        graph->count++;
    }
    graph->next[(size_t)k * (size_t)m + (size_t)i] = reached;
    return CAROM_OK;
}

/** Expand the momenta in the order of their discovery. */
static carom_status expand(const carom_propagative_tree_params *params, momentum_graph *graph,
                           int *outcome_count, carom_report *report) {
    const size_t m = (size_t)graph->contacts->contact_count;
    *outcome_count = 0;
    for (int k = 0; k < graph->count; k++) {
        const size_t row = (size_t)k * m;
        bool is_feasible = true;
        for (size_t i = 0; i < m; i++) {
            graph->next[row + i] = -1;
            if (graph->speed[row + i] < graph->slowest) {
                is_feasible = false;
                CAROM_TRY(reach(params, graph, k, (int)i, report));
            }
        }
        graph->outcome[k] = is_feasible ? (*outcome_count)++ : -1;
    }
    return CAROM_OK;
}

/** Momenta in an order in which reflections lead onwards; false if they come round. */
static bool sort_momenta(const momentum_graph *graph, int *entering, int *order) {
    const size_t m = (size_t)graph->contacts->contact_count;
    const size_t edges = (size_t)graph->count * m;
    for (size_t e = 0; e < edges; e++) {
        if (graph->next[e] >= 0) {
            entering[graph->next[e]]++;
        }
    }
    int sorted = entering[0] == 0 ? 1 : 0;
    order[0] = 0;
    for (int done = 0; done < sorted; done++) {
        for (size_t i = 0; i < m; i++) {
            const int reached = graph->next[(size_t)order[done] * m + i];
            if (reached >= 0 && --entering[reached] == 0) {
                order[sorted++] = reached;
            }
        }
    }
    return sorted == graph->count;
}

/** Count the ways to each momentum, and the reflections of the longest, without going any. */
static carom_status count_ways(momentum_graph *graph, carom_report *report) {
    const size_t count = (size_t)graph->count;
    const size_t m = (size_t)graph->contacts->contact_count;
    int *entering = calloc(2 * count, sizeof(int));
    graph->ways = calloc(count, sizeof(double));
    graph->longest = calloc(count, sizeof(int));
    if (entering == NULL || graph->ways == NULL || graph->longest == NULL) {
        free(entering);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    int *order = entering + count;
    const bool is_sorted = sort_momenta(graph, entering, order);
    graph->ways[0] = 1.0;
    for (size_t k = 0; is_sorted && k < count; k++) {
        const int from = order[k];
        for (size_t i = 0; i < m; i++) {
            const int to = graph->next[(size_t)from * m + i];
            if (to >= 0) {
                const int length = graph->longest[from] + 1;
                graph->ways[to] += graph->ways[from];
                graph->longest[to] = length > graph->longest[to] ? length : graph->longest[to];
            }
        }
    }
    free(entering);
    // Reflections only come round if momenta were merged too coarsely.
    return is_sorted ? CAROM_OK
                     : carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "length of a sequence",
                                         graph->count, -1);
}

/** The ways to the outcomes, and the shortest to each. */
static carom_status collect_ways(const momentum_graph *graph, carom_propagative_outcomes *out) {
    const size_t count = (size_t)out->count;
    out->sequences = calloc(count, sizeof(double));
    out->longest = calloc(count, sizeof(int));
    out->shortest_begin = calloc(count + 1, sizeof(int));
    if (out->sequences == NULL || out->longest == NULL || out->shortest_begin == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < graph->count; k++) {
        const int number = graph->outcome[k];
        for (int at = k; number >= 0 && at != 0; at = graph->parent[at]) {
            out->shortest_begin[number + 1]++;
        }
        if (number >= 0) {
            out->sequences[number] = graph->ways[k];
            out->longest[number] = graph->longest[k];
            out->sequence_total += graph->ways[k];
        }
    }
    for (int k = 0; k < out->count; k++) {
        out->shortest_begin[k + 1] += out->shortest_begin[k];
    }
    const int steps = out->shortest_begin[out->count];
    out->shortest = calloc((size_t)steps + 1, sizeof(int));
    if (out->shortest == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < graph->count; k++) {
        const int number = graph->outcome[k];
        int place = number >= 0 ? out->shortest_begin[number + 1] : 0;
        for (int at = k; number >= 0 && at != 0; at = graph->parent[at]) {
            out->shortest[--place] = graph->parent_contact[at];
        }
    }
    return CAROM_OK;
}

/** The feasible momenta and the largest distance between two of them. */
static carom_status collect_outcomes(const momentum_graph *graph, const double *c,
                                     carom_propagative_outcomes *out) {
    const carom_propagative_contacts *contacts = graph->contacts;
    const int m = contacts->contact_count;
    CAROM_ASSERT(out->count >= 1 && m >= 1);
    const size_t entries = (size_t)out->count * (size_t)m;
    out->impulse = calloc(entries, sizeof(double));
    out->normal_velocity = calloc(entries, sizeof(double));
    if (out->impulse == NULL || out->normal_velocity == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double largest = 0.0;
    for (int a = 0; a < graph->count; a++) {
        const int k = graph->outcome[a];
        for (int b = 0; k >= 0 && b < a; b++) {
            largest = graph->outcome[b] >= 0 ? fmax(largest, distance(graph, a, b)) : largest;
        }
        for (int i = 0; k >= 0 && i < m; i++) {
            out->impulse[k * m + i] = graph->lambda[a * m + i] / contacts->length[i];
            double change = 0.0;
            for (int j = 0; j < m; j++) {
                change += contacts->cosine[i * m + j] * graph->lambda[a * m + j];
            }
            out->normal_velocity[k * m + i] = c[i] + contacts->length[i] * change;
        }
    }
    out->indeterminacy = graph->norm > 0.0 ? largest / graph->norm : 0.0;
    return CAROM_OK;
}

/** Append the present path of `length` reflections as a sequence. */
static carom_status append(momentum_graph *graph, int length, carom_propagative_outcomes *out) {
    const int begin = out->begin[out->sequence_count];
    while (begin + length > graph->contact_entries) {
        const int entries = 2 * graph->contact_entries;
        int *larger = realloc(out->contact, (size_t)entries * sizeof(int));
        if (larger == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
        out->contact = larger;
        graph->contact_entries = entries;
    }
    for (int k = 0; k < length; k++) {
        out->contact[begin + k] = graph->path_contact[k];
    }
    out->outcome[out->sequence_count] = graph->outcome[graph->path[length]];
    out->begin[++out->sequence_count] = begin + length;
    return CAROM_OK;
}

/** The first ways through the graph, depth first. */
static carom_status list_sequences(momentum_graph *graph, int most,
                                   carom_propagative_outcomes *out) {
    const int m = graph->contacts->contact_count;
    int depth = 0;
    graph->path[0] = 0;
    graph->path_contact[0] = -1;
    while (depth >= 0 && out->sequence_count < most) {
        const int here = graph->path[depth];
        if (graph->outcome[here] >= 0) {
            CAROM_TRY(append(graph, depth, out));
            depth--;
            continue;
        }
        // The next contact that approaches; back if there is none left.
        int i = graph->path_contact[depth] + 1;
        while (i < m && graph->next[(size_t)here * (size_t)m + (size_t)i] < 0) {
            i++;
        }
        graph->path_contact[depth] = i;
        if (i == m) {
            depth--;
            continue;
        }
        depth++;
        graph->path[depth] = graph->next[(size_t)here * (size_t)m + (size_t)i];
        graph->path_contact[depth] = -1;
    }
    return CAROM_OK;
}

/** Whether the reflections of a set, bit k for the k-th, lead to a feasible momentum. */
static bool part_is_feasible(momentum_graph *graph, int length, const int *sequence,
                             unsigned long set) {
    const int m = graph->contacts->contact_count;
    memcpy(graph->part, graph->speed, (size_t)m * sizeof(double));
    for (int k = 0; k < length; k++) {
        if ((set >> k & 1UL) != 0) {
            reflect_speeds(graph->contacts, sequence[k], graph->part);
        }
    }
    for (int i = 0; i < m; i++) {
        if (graph->part[i] < graph->slowest) {
            return false;
        }
    }
    return true;
}

static carom_propagative_minimality minimality(momentum_graph *graph, int longest, int sequence,
                                               const carom_propagative_outcomes *out) {
    const int length = out->begin[sequence + 1] - out->begin[sequence];
    if (out->contact_count == 2) {
        // Of two alternating sequences of unlike length, the longer ends with the shorter.
        for (int k = 0; k < out->count; k++) {
            if (out->shortest_begin[k + 1] - out->shortest_begin[k] < length) {
                return CAROM_PROPAGATIVE_NOT_MINIMAL;
            }
        }
        return CAROM_PROPAGATIVE_MINIMAL;
    }
    if (length > longest) {
        return CAROM_PROPAGATIVE_MINIMALITY_UNKNOWN;
    }
    const unsigned long all = (1UL << length) - 1UL;
    for (unsigned long set = 0; set < all; set++) {
        if (part_is_feasible(graph, length, out->contact + out->begin[sequence], set)) {
            return CAROM_PROPAGATIVE_NOT_MINIMAL;
        }
    }
    return CAROM_PROPAGATIVE_MINIMAL;
}

static carom_status collect_sequences(const carom_propagative_tree_params *params,
                                      momentum_graph *graph, carom_propagative_outcomes *out) {
    const int most = (int)fmin(params->most_sequences, out->sequence_total);
    int longest = 0;
    for (int k = 0; k < out->count; k++) {
        longest = out->longest[k] > longest ? out->longest[k] : longest;
    }
    graph->contact_entries = 16;
    graph->path = calloc((size_t)longest + 1, sizeof(int));
    graph->path_contact = calloc((size_t)longest + 1, sizeof(int));
    out->begin = calloc((size_t)most + 1, sizeof(int));
    out->contact = calloc((size_t)graph->contact_entries, sizeof(int));
    out->outcome = calloc((size_t)most, sizeof(int));
    out->minimality = calloc((size_t)most, sizeof(carom_propagative_minimality));
    if (graph->path == NULL || graph->path_contact == NULL || out->begin == NULL ||
        out->contact == NULL || out->outcome == NULL || out->minimality == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(list_sequences(graph, most, out));
    for (int k = 0; k < out->sequence_count; k++) {
        out->minimality[k] = minimality(graph, params->longest_minimality, k, out);
    }
    return CAROM_OK;
}

carom_status carom_propagative_outcomes_find(const carom_propagative_contacts *contacts,
                                             const carom_propagative_tree_params *params,
                                             const double *c, double energy,
                                             carom_propagative_outcomes **out,
                                             carom_report *report) {
    CAROM_ASSERT(contacts != NULL && params != NULL && c != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(refuse(contacts, params, c, energy, report));
    momentum_graph graph;
    CAROM_TRY(graph_init(contacts, params, c, energy, &graph));
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    carom_propagative_outcomes *o = calloc(1, sizeof *o);
    if (o == NULL) {
        goto cleanup;
    }
    o->contact_count = contacts->contact_count;
    status = expand(params, &graph, &o->count, report);
    o->momentum_count = graph.count;
    // Only momenta merged too coarsely leave none that is feasible.
    if (status == CAROM_OK && o->count == 0) {
        status =
            carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "number of outcomes", 0.0, -1);
    }
    if (status == CAROM_OK) {
        status = collect_outcomes(&graph, c, o);
    }
    if (status == CAROM_OK) {
        status = count_ways(&graph, report);
    }
    if (status == CAROM_OK) {
        status = collect_ways(&graph, o);
    }
    if (status == CAROM_OK) {
        status = collect_sequences(params, &graph, o);
    }
    if (status == CAROM_OK) {
        *out = o;
        o = NULL;
    }
cleanup:
    carom_propagative_outcomes_free(o);
    graph_clear(&graph);
    return status;
}
