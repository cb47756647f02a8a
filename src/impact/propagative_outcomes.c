#include <carom/impact/propagative_impact.h>

#include <carom/impact/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Longest sequence whose parts are all tried. */
enum { LONGEST_TESTED = 20 };

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

/** The ways to the outcomes, and the shortest to each. */
static carom_status collect_ways(const carom_momentum_graph *graph,
                                 carom_propagative_outcomes *out) {
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
static carom_status collect_outcomes(const carom_momentum_graph *graph, const double *c,
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
            largest = graph->outcome[b] >= 0
                          ? fmax(largest, carom_momentum_graph_distance(graph, a, b))
                          : largest;
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

/** A way through the graph, from the start on. */
typedef struct walk {
    const carom_momentum_graph *graph;
    int *path;           /* [longest + 1] momenta on the way to the present one */
    int *contact;        /* [longest + 1] contact by which each of them is left, -1 at first */
    double *part;        /* [m] speeds of a part of a sequence */
    int contact_entries; /* room in the list of contacts */
} walk;

static void walk_clear(walk *at) {
    free(at->path);
    free(at->contact);
    free(at->part);
}

/** Append the present path of `length` reflections as a sequence. */
static carom_status append(walk *at, int length, carom_propagative_outcomes *out) {
    const int begin = out->begin[out->sequence_count];
    while (begin + length > at->contact_entries) {
        const int entries = 2 * at->contact_entries;
        int *larger = realloc(out->contact, (size_t)entries * sizeof(int));
        if (larger == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
        out->contact = larger;
        at->contact_entries = entries;
    }
    for (int k = 0; k < length; k++) {
        out->contact[begin + k] = at->contact[k];
    }
    out->outcome[out->sequence_count] = at->graph->outcome[at->path[length]];
    out->begin[++out->sequence_count] = begin + length;
    return CAROM_OK;
}

/** The first ways through the graph, depth first. */
static carom_status list_sequences(walk *at, int most, carom_propagative_outcomes *out) {
    const carom_momentum_graph *graph = at->graph;
    const int m = graph->contacts->contact_count;
    int depth = 0;
    at->path[0] = 0;
    at->contact[0] = -1;
    while (depth >= 0 && out->sequence_count < most) {
        const int here = at->path[depth];
        if (graph->outcome[here] >= 0) {
            CAROM_TRY(append(at, depth, out));
            depth--;
            continue;
        }
        // The next contact that approaches; back if there is none left.
        int i = at->contact[depth] + 1;
        while (i < m && graph->next[(size_t)here * (size_t)m + (size_t)i] < 0) {
            i++;
        }
        at->contact[depth] = i;
        if (i == m) {
            depth--;
            continue;
        }
        depth++;
        at->path[depth] = graph->next[(size_t)here * (size_t)m + (size_t)i];
        at->contact[depth] = -1;
    }
    return CAROM_OK;
}

/** Whether the reflections of a set, bit k for the k-th, lead to a feasible momentum. */
static bool part_is_feasible(walk *at, int length, const int *sequence, unsigned long set) {
    const carom_momentum_graph *graph = at->graph;
    const int m = graph->contacts->contact_count;
    memcpy(at->part, graph->speed, (size_t)m * sizeof(double));
    for (int k = 0; k < length; k++) {
        if ((set >> k & 1UL) != 0) {
            carom_momentum_graph_reflect(graph->contacts, sequence[k], at->part);
        }
    }
    for (int i = 0; i < m; i++) {
        if (at->part[i] < graph->slowest) {
            return false;
        }
    }
    return true;
}

static carom_propagative_minimality minimality(walk *at, int longest, int sequence,
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
        if (part_is_feasible(at, length, out->contact + out->begin[sequence], set)) {
            return CAROM_PROPAGATIVE_NOT_MINIMAL;
        }
    }
    return CAROM_PROPAGATIVE_MINIMAL;
}

static carom_status collect_sequences(const carom_propagative_tree_params *params,
                                      const carom_momentum_graph *graph,
                                      carom_propagative_outcomes *out) {
    const int most = (int)fmin(params->most_sequences, out->sequence_total);
    int longest = 0;
    for (int k = 0; k < out->count; k++) {
        longest = out->longest[k] > longest ? out->longest[k] : longest;
    }
    CAROM_AUTO_VALUE(walk) at = {.graph = graph, .contact_entries = 16};
    at.path = calloc((size_t)longest + 1, sizeof(int));
    at.contact = calloc((size_t)longest + 1, sizeof(int));
    at.part = calloc((size_t)out->contact_count, sizeof(double));
    out->begin = calloc((size_t)most + 1, sizeof(int));
    out->contact = calloc((size_t)at.contact_entries, sizeof(int));
    out->outcome = calloc((size_t)most, sizeof(int));
    out->minimality = calloc((size_t)most, sizeof(carom_propagative_minimality));
    if (at.path == NULL || at.contact == NULL || at.part == NULL || out->begin == NULL ||
        out->contact == NULL || out->outcome == NULL || out->minimality == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(list_sequences(&at, most, out));
    for (int k = 0; k < out->sequence_count; k++) {
        out->minimality[k] = minimality(&at, params->longest_minimality, k, out);
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
    CAROM_AUTO_VALUE(carom_momentum_graph) graph = {.contacts = NULL};
    CAROM_TRY(carom_momentum_graph_init(contacts, params, c, energy, &graph));
    CAROM_AUTO(carom_propagative_outcomes) o = calloc(1, sizeof *o);
    if (o == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    o->contact_count = contacts->contact_count;
    CAROM_TRY(carom_momentum_graph_expand(params, &graph, &o->count, report));
    o->momentum_count = graph.count;
    // Only momenta merged too coarsely leave none that is feasible.
    if (o->count == 0) {
        return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "number of outcomes", 0.0, -1);
    }
    CAROM_TRY(collect_outcomes(&graph, c, o));
    CAROM_TRY(carom_momentum_graph_count_ways(&graph, report));
    CAROM_TRY(collect_ways(&graph, o));
    CAROM_TRY(collect_sequences(params, &graph, o));
    CAROM_HAND_OVER(o, out);
    return CAROM_OK;
}
