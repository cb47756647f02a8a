#include <carom/impact/impact_bounds.h>

#include <carom/base/parallel.h>
#include <carom/base/vector.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/** Points that are compared one by one rather than split: about where a box costs as much. */
enum { LEAF_SIZE = 12 };

/** Probes of one item of the parallel map: large against the cost of an item. */
enum { PROBES_PER_ITEM = 256 };

/** Points of a tree that is an item itself: each asks all probes, which a few thousand points are
 * worth and threads share. */
enum { POINTS_PER_TREE = 16384 };

/*
 * Node 0 has all points; a node of more than LEAF_SIZE points first .. last - 1 gives the lower
 * half of them to node 2 k + 1 and the upper half to node 2 k + 2. Every node knows the smallest
 * box around its points: samples that coincide up to rounding are passed over as one.
 */
struct carom_point_tree {
    int count;
    int dimension; /* d */
    int node_count;
    double *points; /* [count][d] in the order of the tree */
    int *original;  /* [count] index of a point as given */
    double *boxes;  /* [node_count][2][d] lower and upper corner */
};

static int middle_of(int first, int last) {
    return first + (last - first) / 2;
}

/** Nodes 0 .. of a tree whose levels are all there: halves differ by one point at most. */
static int count_nodes(int count) {
    int nodes = 1;
    for (int largest = count; largest > LEAF_SIZE; largest = (largest + 1) / 2) {
        nodes = 2 * nodes + 1;
    }
    return nodes;
}

static double *box_of(const carom_point_tree *tree, int node) {
    return tree->boxes + (ptrdiff_t)node * 2 * tree->dimension;
}

/** The smallest box of the points first .. last - 1 and the axis of its longest edge. */
CAROM_VECTOR_WIDE static int surround(const carom_point_tree *tree, int first, int last,
                                      double *box) {
    const int d = tree->dimension;
    double low[CAROM_COVERING_MOST_DIMENSIONS];
    double high[CAROM_COVERING_MOST_DIMENSIONS];
    for (int a = 0; a < d; a++) {
        low[a] = INFINITY;
        high[a] = -INFINITY;
    }
    const double *x = tree->points + (ptrdiff_t)first * d;
    for (int k = first; k < last; k++, x += d) {
#pragma omp simd
        for (int a = 0; a < d; a++) {
            low[a] = x[a] < low[a] ? x[a] : low[a];
            high[a] = x[a] > high[a] ? x[a] : high[a];
        }
    }
    int widest = 0;
    for (int a = 0; a < d; a++) {
        box[a] = low[a];
        box[d + a] = high[a];
        widest = high[a] - low[a] > high[widest] - low[widest] ? a : widest;
    }
    return widest;
}

static void swap(carom_point_tree *tree, int i, int j) {
    const ptrdiff_t d = tree->dimension;
    double *x = tree->points + i * d;
    double *y = tree->points + j * d;
    for (int a = 0; a < d; a++) {
        const double kept = x[a];
        x[a] = y[a];
        y[a] = kept;
    }
    const int kept = tree->original[i];
    tree->original[i] = tree->original[j];
    tree->original[j] = kept;
}

/** Order first .. last - 1 along an axis as far as the place `middle` goes: none before it is
 * larger, none after it smaller. Hoare's selection; equal coordinates go to both sides. */
static void split_at(carom_point_tree *tree, int first, int last, int middle, int axis) {
    const ptrdiff_t d = tree->dimension;
    const double *x = tree->points + axis;
    last--;
    while (first < last) {
        const double pivot = x[middle_of(first, last + 1) * d];
        int i = first;
        int j = last;
        while (i <= j) {
            while (x[i * d] < pivot) {
                i++;
            }
            while (x[j * d] > pivot) {
                j--;
            }
            if (i <= j) {
                swap(tree, i++, j--);
            }
        }
        // Now first .. j are not above the pivot, i .. last not below it.
        if (middle <= j) {
            last = j;
        } else if (middle >= i) {
            first = i;
        } else {
            return;
        }
    }
}

/** Split the points of a node and of its halves; the depth is the logarithm of the count. */
static void build(carom_point_tree *tree, int node, int first, int last) {
    const int axis = surround(tree, first, last, box_of(tree, node));
    if (last - first > LEAF_SIZE) {
        const int middle = middle_of(first, last);
        split_at(tree, first, last, middle, axis);
        build(tree, 2 * node + 1, first, middle);
        build(tree, 2 * node + 2, middle, last);
    }
}

static carom_status refuse_points(const char *quantity, int count, int d, const double *points,
                                  carom_report *report) {
    if (count < 1) {
        return carom_report_refuse(report, quantity, count, -1, ">= 1");
    }
    for (int k = 0; k < count; k++) {
        for (int a = 0; a < d; a++) {
            const double x = points[(ptrdiff_t)k * d + a];
            if (!isfinite(x)) {
                return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, quantity, x, k);
            }
        }
    }
    return CAROM_OK;
}

carom_status carom_point_tree_alloc(int count, int dimension, const double *points,
                                    carom_point_tree **out, carom_report *report) {
    CAROM_ASSERT(points != NULL && out != NULL);
    *out = NULL;
    if (dimension < 1 || dimension > CAROM_COVERING_MOST_DIMENSIONS) {
        return carom_report_refuse(report, "coordinates of a point", dimension, -1, "1 to 16");
    }
    CAROM_TRY(refuse_points("points", count, dimension, points, report));
    CAROM_AUTO(carom_point_tree) tree = calloc(1, sizeof *tree);
    if (tree == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t d = (size_t)dimension;
    tree->count = count;
    tree->dimension = dimension;
    tree->points = malloc((size_t)count * d * sizeof(double));
    tree->original = malloc((size_t)count * sizeof(int));
    tree->node_count = count_nodes(count);
    tree->boxes = malloc((size_t)tree->node_count * 2 * d * sizeof(double));
    if (tree->points == NULL || tree->original == NULL || tree->boxes == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < count; k++) {
        tree->original[k] = k;
    }
    // The points themselves are put in order: what a node looks at lies together.
    memcpy(tree->points, points, (size_t)count * d * sizeof(double));
    build(tree, 0, 0, count);
    CAROM_HAND_OVER(tree, out);
    return CAROM_OK;
}

void carom_point_tree_free(carom_point_tree *tree) {
    if (tree == NULL) {
        return;
    }
    free(tree->points);
    free(tree->original);
    free(tree->boxes);
    free(tree);
}

/** The search for one query. */
typedef struct search {
    const carom_point_tree *tree;
    const double *query; /* [d] */
    double least;        /* square of the distance so far */
    int nearest;         /* as given */
} search;

static void compare(search *s, int k) {
    const int d = s->tree->dimension;
    const double *p = s->tree->points + (ptrdiff_t)k * d;
    double square = 0.0;
    for (int a = 0; a < d; a++) {
        const double difference = s->query[a] - p[a];
        square += difference * difference;
    }
    // The first point counts even if the square overflows.
    if (square < s->least || s->nearest < 0) {
        s->least = square;
        s->nearest = s->tree->original[k];
    }
}

/** Square of the distance to a box, with the same roundings as above in the same order: no point
 * of the box has a smaller one, to the last digit. */
static double square_to_box(const search *s, int node) {
    const int d = s->tree->dimension;
    const double *low = box_of(s->tree, node);
    const double *high = low + d;
    double square = 0.0;
    for (int a = 0; a < d; a++) {
        const double q = s->query[a];
        const double difference = q < low[a] ? low[a] - q : (q > high[a] ? q - high[a] : 0.0);
        square += difference * difference;
    }
    return square;
}

/*[nearestPoint]*/
/** Search the points first .. last - 1 of a node whose box is at a distance with this square, the
 * nearer half first. */
static void descend(search *s, int node, int first, int last, double square) {
    if (s->nearest >= 0 && square >= s->least) {
        return;
    }
    if (last - first <= LEAF_SIZE) {
        for (int k = first; k < last; k++) {
            compare(s, k);
        }
        return;
    }
    const int middle = middle_of(first, last);
    const double lower = square_to_box(s, 2 * node + 1);
    const double upper = square_to_box(s, 2 * node + 2);
    if (lower <= upper) {
        descend(s, 2 * node + 1, first, middle, lower);
        descend(s, 2 * node + 2, middle, last, upper);
    } else {
        descend(s, 2 * node + 2, middle, last, upper);
        descend(s, 2 * node + 1, first, middle, lower);
    }
}
/*[end nearestPoint]*/

double carom_point_tree_distance(const carom_point_tree *tree, const double *query, int *nearest) {
    CAROM_ASSERT(tree != NULL && query != NULL);
    search s = {.tree = tree, .query = query, .least = INFINITY, .nearest = -1};
    descend(&s, 0, 0, tree->count, 0.0);
    if (nearest != NULL) {
        *nearest = s.nearest;
    }
    return sqrt(s.least);
}

/** The distance from a query, or one above `known` if no point is nearer than that. */
static double distance_below(const carom_point_tree *tree, const double *query, double known) {
    // The square of what is known may have been rounded down: a point as near as that is no news.
    const double above = known * known * (1.0 + 4.0 * DBL_EPSILON);
    search s = {.tree = tree, .query = query, .least = above, .nearest = isinf(above) ? -1 : 0};
    descend(&s, 0, 0, tree->count, 0.0);
    return sqrt(s.least);
}

typedef struct measurement {
    const carom_point_tree *tree;
    const double *probes;
    double *distances; /* lowered to those of the tree */
    int probe_count;
} measurement;

static carom_status measure_part(int item, void *context, carom_report *report) {
    (void)report;
    const measurement *all = context;
    const int first = item * PROBES_PER_ITEM;
    const int rest = all->probe_count - first;
    const int count = rest < PROBES_PER_ITEM ? rest : PROBES_PER_ITEM;
    for (int k = first; k < first + count; k++) {
        const double distance = distance_below(
            all->tree, all->probes + (ptrdiff_t)k * all->tree->dimension, all->distances[k]);
        all->distances[k] = fmin(all->distances[k], distance);
    }
    return CAROM_OK;
}

carom_status carom_covering_approach(const carom_point_tree *tree, int probe_count,
                                     const double *probes, carom_workers workers, double *distances,
                                     carom_report *report) {
    CAROM_ASSERT(tree != NULL && probes != NULL && distances != NULL);
    CAROM_TRY(refuse_points("probes", probe_count, tree->dimension, probes, report));
    measurement all = {
        .tree = tree, .probes = probes, .distances = distances, .probe_count = probe_count};
    const int item_count = (probe_count - 1) / PROBES_PER_ITEM + 1;
    const carom_parallel_array left[] = {
        {distances, PROBES_PER_ITEM * sizeof *distances, (size_t)probe_count * sizeof *distances}};
    return carom_parallel_map(workers, item_count, measure_part, &all, CAROM_PARALLEL_ARRAYS(left),
                              report);
}

/** Trees of some points each, and what each of them says. */
typedef struct grove {
    int count;
    int dimension;
    const double *points;
    int probe_count;
    const double *probes;
    double *distances; /* [trees][probe_count] */
} grove;

/** Plant one tree and ask it. */
static carom_status ask_tree(int item, void *context, carom_report *report) {
    const grove *all = context;
    const int first = item * POINTS_PER_TREE;
    const int rest = all->count - first;
    CAROM_AUTO(carom_point_tree) tree = NULL;
    CAROM_TRY(
        carom_point_tree_alloc(rest < POINTS_PER_TREE ? rest : POINTS_PER_TREE, all->dimension,
                               all->points + (ptrdiff_t)first * all->dimension, &tree, report));
    return carom_covering_approach(tree, all->probe_count, all->probes,
                                   (carom_workers){.threads = 1},
                                   all->distances + (ptrdiff_t)item * all->probe_count, report);
}

carom_status carom_covering_approach_points(int count, int dimension, const double *points,
                                            int probe_count, const double *probes,
                                            carom_workers workers, double *distances,
                                            carom_report *report) {
    CAROM_ASSERT(points != NULL && probes != NULL && distances != NULL && probe_count >= 1);
    CAROM_TRY(refuse_points("points", count, dimension, points, report));
    const int trees = (count - 1) / POINTS_PER_TREE + 1;
    const size_t row = (size_t)probe_count * sizeof *distances;
    grove all = {count, dimension, points, probe_count, probes, NULL};
    CAROM_AUTO_MEMORY double *rows = malloc((size_t)trees * row);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < trees; i++) {
        memcpy(rows + (ptrdiff_t)i * probe_count, distances, row);
    }
    all.distances = rows;
    const carom_parallel_array left[] = {{rows, row, (size_t)trees * row}};
    CAROM_TRY(
        carom_parallel_map(workers, trees, ask_tree, &all, CAROM_PARALLEL_ARRAYS(left), report));
    for (int i = 0; i < trees * probe_count; i++) {
        distances[i % probe_count] = fmin(distances[i % probe_count], rows[i]);
    }
    return CAROM_OK;
}

carom_covering carom_covering_of_distances(int probe_count, const double *distances) {
    CAROM_ASSERT(probe_count >= 1 && distances != NULL);
    carom_covering covering = {.radius = -1.0, .nearest_sample = -1};
    double square_sum = 0.0;
    for (int first = 0; first < probe_count; first += PROBES_PER_ITEM) {
        double sum = 0.0;
        double squares = 0.0;
        for (int k = first; k < probe_count && k < first + PROBES_PER_ITEM; k++) {
            sum += distances[k];
            squares += distances[k] * distances[k];
            if (distances[k] > covering.radius) {
                covering.radius = distances[k];
                covering.farthest_probe = k;
            }
        }
        covering.mean += sum / probe_count;
        square_sum += squares / probe_count;
    }
    covering.root_square = sqrt(square_sum);
    return covering;
}

carom_status carom_covering_measure(const carom_point_tree *tree, int probe_count,
                                    const double *probes, carom_workers workers, double *distances,
                                    carom_covering *covering, carom_report *report) {
    CAROM_ASSERT(probes != NULL);
    CAROM_ASSERT(tree != NULL && covering != NULL);
    *covering = (carom_covering){
        .radius = NAN, .mean = NAN, .root_square = NAN, .farthest_probe = -1, .nearest_sample = -1};
    CAROM_TRY(refuse_points("probes", probe_count, tree->dimension, probes, report));
    CAROM_AUTO_MEMORY double *own = malloc((size_t)probe_count * sizeof *own);
    if (own == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < probe_count; k++) {
        own[k] = INFINITY;
    }
    CAROM_TRY(carom_covering_approach(tree, probe_count, probes, workers, own, report));
    *covering = carom_covering_of_distances(probe_count, own);
    (void)carom_point_tree_distance(tree,
                                    probes + (ptrdiff_t)covering->farthest_probe * tree->dimension,
                                    &covering->nearest_sample);
    if (distances != NULL) {
        memcpy(distances, own, (size_t)probe_count * sizeof *own);
    }
    return CAROM_OK;
}
