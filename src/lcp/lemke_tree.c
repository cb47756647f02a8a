/* Columns along the paths of one matrix: they depend on the rows exchanged, not on q, and the paths
 * of many q begin alike. */
#include <carom/lcp/lemke_internal.h>

#include <stdlib.h>
#include <string.h>

/** Memory of a tree at most, and its columns at most: what a cache of its own holds. */
enum { MOST_BYTES = 1 << 20, MOST_NODES = 1 << 12 };

struct carom_lcp_path_tree {
    int size;         /**< n */
    int capacity;     /**< nodes that fit */
    int count;        /**< nodes; the first one is the root */
    double *covering; /**< [n] d' of all paths, once there is a root */
    double *columns;  /**< [capacity][stride] of the variable that enters */
    int *next;        /**< [capacity][n] node after the exchange of a row; 0: none */
};

carom_status carom_lcp_path_tree_alloc(int n, carom_lcp_path_tree **out) {
    CAROM_ASSERT(n >= 1 && out != NULL);
    *out = NULL;
    CAROM_AUTO(carom_lcp_path_tree) tree = calloc(1, sizeof *tree);
    if (tree == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t size = (size_t)n;
    const size_t stride = (size_t)carom_lcp_padded(n);
    const size_t fitting = MOST_BYTES / (stride * sizeof(double) + size * sizeof(int));
    tree->size = n;
    tree->capacity = fitting < MOST_NODES ? (int)fitting : MOST_NODES;
    tree->covering = malloc(size * sizeof(double));
    tree->columns = malloc(((size_t)tree->capacity * stride + 1) * sizeof(double));
    tree->next = malloc(((size_t)tree->capacity * size + 1) * sizeof(int));
    if (tree->covering == NULL || tree->columns == NULL || tree->next == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(tree, out);
    return CAROM_OK;
}

void carom_lcp_path_tree_free(carom_lcp_path_tree *tree) {
    if (tree != NULL) {
        free(tree->covering);
        free(tree->columns);
        free(tree->next);
        free(tree);
    }
}

/** The node from which the dictionary's path goes on; -1: none. It may be new. */
static int find_node(carom_lcp_dictionary *dictionary, bool *is_new) {
    carom_lcp_path_tree *tree = dictionary->tree;
    const size_t size = (size_t)tree->size;
    const int k = dictionary->pivot_count;
    int root = 0;
    int *place = &root;
    if (k > 0) {
        place = tree->next + (size_t)dictionary->node * size + dictionary->pivot_rows[k - 1];
    }
    *is_new = k == 0 ? tree->count == 0 : *place == 0;
    if (!*is_new) {
        return *place;
    }
    if (tree->count == tree->capacity) {
        return -1;
    }
    *place = tree->count++;
    memset(tree->next + (size_t)*place * size, 0, size * sizeof(int));
    return *place;
}

void carom_lcp_dictionary_plant(carom_lcp_dictionary *dictionary) {
    carom_lcp_path_tree *tree = dictionary->tree;
    if (tree == NULL || dictionary->shift > 0.0) {
        return;
    }
    const size_t bytes = (size_t)tree->size * sizeof(double);
    // A full one begins anew: the paths of the problems at hand come back soon.
    if (tree->count == tree->capacity) {
        tree->count = 0;
    }
    if (tree->count == 0) {
        memcpy(tree->covering, dictionary->covering, bytes);
    }
    dictionary->node = memcmp(tree->covering, dictionary->covering, bytes) == 0 ? 0 : -1;
}

const double *carom_lcp_dictionary_enter(carom_lcp_dictionary *dictionary, int variable) {
    const size_t stride = (size_t)dictionary->stride;
    double *x = dictionary->pivot_columns + (size_t)dictionary->pivot_count * stride;
    bool is_new = true;
    if (dictionary->node >= 0) {
        dictionary->node = find_node(dictionary, &is_new);
        x = dictionary->node >= 0 ? dictionary->tree->columns + (size_t)dictionary->node * stride
                                  : x;
    }
    if (is_new) {
        carom_lcp_dictionary_column(dictionary, variable, x);
    }
    dictionary->pivots[dictionary->pivot_count] = x;
    return x;
}
