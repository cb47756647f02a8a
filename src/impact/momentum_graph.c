#include <carom/impact/internal.h>

#include <carom/base/random.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Momenta there is room for at first. */
enum { FIRST_CAPACITY = 64 };

/** Least width of the slices of momentum space in which equal ones are looked for, |p| being 1. */
static const double LEAST_SLICE = 1e-6;

void carom_momentum_graph_clear(carom_momentum_graph *graph) {
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
static double slice_of(const carom_momentum_graph *graph, int k) {
    const int n = graph->contacts->coordinate_count;
    double across = 0.0;
    for (int i = 0; i < n; i++) {
        across += graph->direction[i] * graph->moved[(size_t)k * (size_t)n + (size_t)i];
    }
    return graph->norm > 0.0 ? floor(across / graph->norm / graph->slice) : 0.0;
}

/** The place of a slice in the table. */
static size_t key_of(const carom_momentum_graph *graph, double slice) {
    const double spread = slice * 0.6180339887498949;
    const size_t places = 2 * (size_t)graph->capacity;
    return (size_t)((spread - floor(spread)) * (double)places) % places;
}

/** Put momentum k into the table. */
static void enter(carom_momentum_graph *graph, int k) {
    const size_t key = key_of(graph, slice_of(graph, k));
    graph->chained[k] = graph->first[key];
    graph->first[key] = k;
}

/** Room for so many momenta, the last one not yet counted. */
static carom_status reserve(carom_momentum_graph *graph, int capacity) {
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

carom_status carom_momentum_graph_init(const carom_propagative_contacts *contacts,
                                       const carom_propagative_tree_params *params, const double *c,
                                       double energy, carom_momentum_graph *graph) {
    const size_t n = (size_t)contacts->coordinate_count;
    const size_t m = (size_t)contacts->contact_count;
    *graph = (carom_momentum_graph){.contacts = contacts, .norm = sqrt(2.0 * energy)};
    graph->slowest = -params->tolerance * graph->norm;
    // Momenta that are one lie in the same slice or in neighbours: |direction| <= sqrt(n).
    graph->slice = fmax(LEAST_SLICE, 2.0 * sqrt((double)n) * params->merging);
    graph->direction = calloc(n, sizeof(double));
    if (graph->direction == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        graph->direction[i] = 2.0 * carom_counter_uniform(0, 0, (unsigned long)i) - 1.0;
    }
    CAROM_TRY(reserve(graph, FIRST_CAPACITY));
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

double carom_momentum_graph_distance(const carom_momentum_graph *graph, int a, int b) {
    const int n = graph->contacts->coordinate_count;
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        const double difference = graph->moved[a * n + k] - graph->moved[b * n + k];
        sum += difference * difference;
    }
    return sqrt(sum);
}

double carom_momentum_graph_reflect(const carom_propagative_contacts *contacts, int i, double *s) {
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
static void reflect_into(carom_momentum_graph *graph, int from, int i, int to) {
    const carom_propagative_contacts *contacts = graph->contacts;
    const size_t n = (size_t)contacts->coordinate_count;
    const size_t m = (size_t)contacts->contact_count;
    const size_t a = (size_t)from;
    const size_t b = (size_t)to;
    memcpy(graph->speed + b * m, graph->speed + a * m, m * sizeof(double));
    memcpy(graph->lambda + b * m, graph->lambda + a * m, m * sizeof(double));
    const double lambda = carom_momentum_graph_reflect(contacts, i, graph->speed + b * m);
    graph->lambda[b * m + (size_t)i] += lambda;
    for (size_t k = 0; k < n; k++) {
        graph->moved[b * n + k] =
            graph->moved[a * n + k] + lambda * contacts->unit_normal[(size_t)i * n + k];
    }
}

/** The earliest momentum that the last one, not yet counted, is equal to; itself if there is none.
 */
static int merge(const carom_momentum_graph *graph, int last, double merging) {
    const double slice = slice_of(graph, last);
    int found = last;
    for (int side = -1; side <= 1; side++) {
        const size_t key = key_of(graph, slice + side);
        for (int k = graph->first[key]; k >= 0; k = graph->chained[k]) {
            found =
                k < found && carom_momentum_graph_distance(graph, k, last) <= merging * graph->norm
                    ? k
                    : found;
        }
    }
    return found;
}

/** Reflect momentum k across contact i. */
static carom_status reach(const carom_propagative_tree_params *params, carom_momentum_graph *graph,
                          int k, int i, carom_report *report) {
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

/* In the order of their discovery. */
carom_status carom_momentum_graph_expand(const carom_propagative_tree_params *params,
                                         carom_momentum_graph *graph, int *outcome_count,
                                         carom_report *report) {
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
static bool sort_momenta(const carom_momentum_graph *graph, int *entering, int *order) {
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

carom_status carom_momentum_graph_count_ways(carom_momentum_graph *graph, carom_report *report) {
    const size_t count = (size_t)graph->count;
    const size_t m = (size_t)graph->contacts->contact_count;
    CAROM_AUTO_MEMORY int *entering = calloc(2 * count, sizeof(int));
    graph->ways = calloc(count, sizeof(double));
    graph->longest = calloc(count, sizeof(int));
    if (entering == NULL || graph->ways == NULL || graph->longest == NULL) {
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
    // Reflections only come round if momenta were merged too coarsely.
    return is_sorted ? CAROM_OK
                     : carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "length of a sequence",
                                         graph->count, -1);
}
