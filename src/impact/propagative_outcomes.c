#include <carom/impact/propagative_outcomes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Longest sequence whose parts are all tried. */
enum { LONGEST_TESTED = 20 };

/** The graph and what is needed to walk through it, in unit normals. */
typedef struct momentum_graph {
    const carom_propagative_contacts *contacts;
    double slowest; /* speeds below approach, kg^1/2 m/s */
    double norm;    /* |p| before */
    int count;
    double *moved;       /* [momentum][n] p - p0 = sum of lambda_i w_i */
    double *speed;       /* [momentum][m] <w_i,p> */
    double *lambda;      /* [momentum][m] */
    int *next;           /* [momentum][m] reflected across i, -1 if i does not approach */
    int *outcome;        /* [momentum] its number if it is feasible, else -1 */
    int *path;           /* [momentum] momenta on the way to the present one */
    int *path_contact;   /* [momentum] contact by which each of them is left, -1 at first */
    double *part;        /* [m] speeds of a part of a sequence */
    int contact_entries; /* room in the list of contacts */
} momentum_graph;

carom_propagative_tree_params carom_propagative_tree_params_default(void) {
    return (carom_propagative_tree_params){.tolerance = 1e-12,
                                           .merging = 1e-12,
                                           .most_momenta = 4096,
                                           .most_sequences = 4096,
                                           .longest_minimality = 12};
}

void carom_propagative_outcomes_free(carom_propagative_outcomes *outcomes) {
    if (outcomes == NULL) {
        return;
    }
    free(outcomes->impulse);
    free(outcomes->normal_velocity);
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
    free(graph->path);
    free(graph->path_contact);
    free(graph->part);
}

static carom_status graph_init(const carom_propagative_contacts *contacts,
                               const carom_propagative_tree_params *params, const double *c,
                               double energy, momentum_graph *graph) {
    const size_t most = (size_t)params->most_momenta + 1; // the last one before it is merged
    const size_t n = (size_t)contacts->coordinate_count;
    const size_t m = (size_t)contacts->contact_count;
    *graph = (momentum_graph){.contacts = contacts, .norm = sqrt(2.0 * energy), .count = 1};
    graph->slowest = -params->tolerance * graph->norm;
    graph->moved = calloc(most * n, sizeof(double));
    graph->speed = calloc(most * m, sizeof(double));
    graph->lambda = calloc(most * m, sizeof(double));
    graph->next = calloc(most * m, sizeof(int));
    graph->outcome = calloc(most, sizeof(int));
    graph->path = calloc(most, sizeof(int));
    graph->path_contact = calloc(most, sizeof(int));
    graph->part = calloc(m, sizeof(double));
    if (graph->moved == NULL || graph->speed == NULL || graph->lambda == NULL ||
        graph->next == NULL || graph->outcome == NULL || graph->path == NULL ||
        graph->path_contact == NULL || graph->part == NULL) {
        graph_clear(graph);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < m; i++) {
        graph->speed[i] = c[i] / contacts->length[i];
    }
    return CAROM_OK;
}

static carom_status refuse(const carom_propagative_contacts *contacts,
                           const carom_propagative_tree_params *params, const double *c,
                           double energy, carom_report *report) {
    if (!(params->tolerance > 0.0 && params->tolerance < 1.0)) {
        return carom_report_fail(report, CAROM_STATUS_OUT_OF_RANGE, "tolerance", params->tolerance,
                                 -1);
    }
    if (!(params->merging >= 0.0 && params->merging < 1.0)) {
        return carom_report_fail(report, CAROM_STATUS_OUT_OF_RANGE, "merging", params->merging, -1);
    }
    if (params->most_momenta < 1 || params->most_sequences < 1) {
        return carom_report_fail(report, CAROM_STATUS_OUT_OF_RANGE, "size of the tree",
                                 fmin(params->most_momenta, params->most_sequences), -1);
    }
    if (params->longest_minimality < 0 || params->longest_minimality > LONGEST_TESTED) {
        return carom_report_fail(report, CAROM_STATUS_OUT_OF_RANGE, "length tested for minimality",
                                 params->longest_minimality, -1);
    }
    if (!isfinite(energy)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "kinetic energy", energy, -1);
    }
    if (energy < 0.0) {
        return carom_report_fail(report, CAROM_STATUS_OUT_OF_RANGE, "kinetic energy", energy, -1);
    }
    for (int i = 0; i < contacts->contact_count; i++) {
        if (!isfinite(c[i])) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "normal velocity", c[i], i);
        }
    }
    return CAROM_OK;
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

/** The earlier momentum that the last one, not yet counted, is equal to; itself if there is none.
 */
static int merge(const momentum_graph *graph, int last, double merging) {
    for (int k = 0; k < last; k++) {
        if (distance(graph, k, last) <= merging * graph->norm) {
            return k;
        }
    }
    return last;
}

/** Expand the momenta in the order of their discovery. */
static carom_status expand(const carom_propagative_tree_params *params, momentum_graph *graph,
                           int *outcome_count, carom_report *report) {
    const int m = graph->contacts->contact_count;
    const int most = params->most_momenta;
    *outcome_count = 0;
    for (int k = 0; k < graph->count; k++) {
        bool is_feasible = true;
        for (int i = 0; i < m; i++) {
            graph->next[k * m + i] = -1;
            if (!(graph->speed[k * m + i] < graph->slowest)) {
                continue;
            }
            is_feasible = false;
            reflect_into(graph, k, i, graph->count);
            const int reached = merge(graph, graph->count, params->merging);
            if (reached == most) {
                return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "number of momenta",
                                         most, -1);
            }
            graph->count += reached == graph->count ? 1 : 0;
            graph->next[k * m + i] = reached;
        }
        graph->outcome[k] = is_feasible ? (*outcome_count)++ : -1;
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

/** All ways through the graph, depth first. */
static carom_status list_sequences(momentum_graph *graph, int most, carom_propagative_outcomes *out,
                                   carom_report *report) {
    const int m = graph->contacts->contact_count;
    int depth = 0;
    graph->path[0] = 0;
    graph->path_contact[0] = -1;
    while (depth >= 0) {
        const int here = graph->path[depth];
        if (graph->outcome[here] >= 0) {
            if (out->sequence_count == most) {
                return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "number of sequences",
                                         most, -1);
            }
            CAROM_TRY(append(graph, depth, out));
            depth--;
            continue;
        }
        // The next contact that approaches; back if there is none left.
        int i = graph->path_contact[depth] + 1;
        while (i < m && graph->next[here * m + i] < 0) {
            i++;
        }
        graph->path_contact[depth] = i;
        if (i == m) {
            depth--;
            continue;
        }
        // A way longer than the graph is large comes round: momenta were merged too coarsely.
        if (++depth == graph->count) {
            return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "length of a sequence",
                                     depth, -1);
        }
        graph->path[depth] = graph->next[here * m + i];
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
        for (int k = 0; k < out->sequence_count; k++) {
            if (out->begin[k + 1] - out->begin[k] < length) {
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
                                      momentum_graph *graph, carom_propagative_outcomes *out,
                                      carom_report *report) {
    const size_t most = (size_t)params->most_sequences;
    graph->contact_entries = 16;
    out->begin = calloc(most + 1, sizeof(int));
    out->contact = calloc((size_t)graph->contact_entries, sizeof(int));
    out->outcome = calloc(most, sizeof(int));
    out->minimality = calloc(most, sizeof(carom_propagative_minimality));
    if (out->begin == NULL || out->contact == NULL || out->outcome == NULL ||
        out->minimality == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(list_sequences(graph, params->most_sequences, out, report));
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
        status = collect_sequences(params, &graph, o, report);
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
