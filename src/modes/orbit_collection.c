#include <carom/modes/impact_equations.h>
#include <carom/modes/orbit_search_internal.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/** Most lists of the hash table, 2^20: beyond a million motions they grow longer instead. */
static const size_t LARGEST_TABLE = (size_t)1 << 20;

/** Motions that the first block of memory holds. */
static const int FIRST_CAPACITY = 64;

struct carom_orbit_collection {
    double tolerance;         /**< of sameness */
    double cell_width;        /**< of the logarithms of period and largest lambda */
    size_t table_size;        /**< power of two */
    int *first;               /**< [table_size] head of each list, -1: empty */
    int capacity;             /**< of the arrays below */
    int count;                /**< motions so far */
    carom_found_orbit *found; /**< [capacity] */
    int *next;                /**< [capacity] next motion of the same list, -1: last */
};

/** Where a motion belongs: invariants under rotation and reversal. */
typedef struct cell {
    int impact_count;
    double period; /* integer */
    double lambda; /* integer */
} cell;

carom_status carom_orbit_collection_alloc(int expected_count, int largest_sequence,
                                          double tolerance, carom_orbit_collection **out) {
    *out = NULL;
    CAROM_AUTO(carom_orbit_collection) collection = calloc(1, sizeof *collection);
    if (collection == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    collection->tolerance = tolerance;
    // Equal motions differ by at most k tolerance T in the period, and less in the largest lambda;
    // twice that leaves room for the second order of the logarithm.
    collection->cell_width = 2.0 * tolerance * (double)largest_sequence;
    collection->table_size = 1;
    while (collection->table_size < (size_t)expected_count &&
           collection->table_size < LARGEST_TABLE) {
        collection->table_size *= 2;
    }
    collection->first = malloc(collection->table_size * sizeof *collection->first);
    if (collection->first == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < collection->table_size; i++) {
        collection->first[i] = -1;
    }
    CAROM_HAND_OVER(collection, out);
    return CAROM_OK;
}

void carom_orbit_collection_free(carom_orbit_collection *collection) {
    if (collection == NULL) {
        return;
    }
    for (int i = 0; i < collection->count; i++) {
        carom_orbit_free(collection->found[i].orbit);
    }
    free(collection->first);
    free(collection->found);
    free(collection->next);
    free(collection);
}

/** The cell of a motion. */
static cell cell_of(const carom_orbit_collection *collection, const carom_orbit *orbit) {
    double largest = 0.0;
    for (int j = 0; j < orbit->impact_count; j++) {
        largest = fmax(largest, fabs(orbit->lambda[j]));
    }
    return (cell){
        .impact_count = orbit->impact_count,
        .period = floor(log(orbit->period) / collection->cell_width),
        // Without any impact the logarithm is -infinity: one cell for all of these.
        .lambda = largest > 0.0 ? floor(log(largest) / collection->cell_width) : -(double)INFINITY,
    };
}

/** Mix one number into a hash (the finalizer of SplitMix64). */
static uint64_t mix(uint64_t hash, double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    hash ^= bits + UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ (hash >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ (hash >> 27)) * UINT64_C(0x94d049bb133111eb);
    return hash ^ (hash >> 31);
}

/** The list of a cell; adding 0 makes one zero of both. */
static size_t list_of(const carom_orbit_collection *collection, cell c) {
    const uint64_t hash = mix(mix((uint64_t)c.impact_count, c.period + 0.0), c.lambda + 0.0);
    return (size_t)(hash & (uint64_t)(collection->table_size - 1));
}

/** A motion of the collection that equals the candidate, from the cells around its own; -1: none.
 */
static int find_equal(const carom_orbit_collection *collection, const carom_orbit *candidate,
                      cell centre) {
    const int k = candidate->impact_count;
    for (int neighbour = 0; neighbour < 9; neighbour++) {
        cell c = centre;
        const int row = neighbour / 3;
        const int column = neighbour % 3;
        c.period += row - 1;
        c.lambda += column - 1;
        int i = collection->first[list_of(collection, c)];
        for (; i >= 0; i = collection->next[i]) {
            const carom_orbit *other = collection->found[i].orbit;
            if (other->impact_count == k &&
                carom_sequence_equal(k, other->flight_times, other->lambda, candidate->flight_times,
                                     candidate->lambda, collection->tolerance)) {
                return i;
            }
        }
    }
    return -1;
}

/** Room for one more motion. */
static carom_status reserve(carom_orbit_collection *collection) {
    if (collection->count < collection->capacity) {
        return CAROM_OK;
    }
    const int capacity = collection->capacity > 0 ? 2 * collection->capacity : FIRST_CAPACITY;
    carom_found_orbit *found =
        realloc(collection->found, (size_t)capacity * sizeof *collection->found);
    if (found == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    collection->found = found;
    int *next = realloc(collection->next, (size_t)capacity * sizeof *collection->next);
    if (next == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    collection->next = next;
    collection->capacity = capacity;
    return CAROM_OK;
}

carom_status carom_orbit_collection_add(carom_orbit_collection *collection,
                                        const carom_found_orbit *candidate) {
    const cell centre = cell_of(collection, candidate->orbit);
    const int equal = find_equal(collection, candidate->orbit, centre);
    if (equal >= 0) {
        collection->found[equal].hits += candidate->hits;
        carom_orbit_free(candidate->orbit);
        return CAROM_OK;
    }
    const carom_status status = reserve(collection);
    if (status != CAROM_OK) {
        carom_orbit_free(candidate->orbit);
        return status;
    }
    const int index = collection->count++;
    const size_t list = list_of(collection, centre);
    collection->found[index] = *candidate;
    collection->next[index] = collection->first[list];
    collection->first[list] = index;
    return CAROM_OK;
}

/** By rising period, then energy, then the guess that found it. */
static int compare_found(const void *a, const void *b) {
    const carom_found_orbit *first = a;
    const carom_found_orbit *second = b;
    int order = (first->orbit->period > second->orbit->period) -
                (first->orbit->period < second->orbit->period);
    if (order == 0) {
        order = (first->orbit->energy > second->orbit->energy) -
                (first->orbit->energy < second->orbit->energy);
    }
    return order != 0 ? order : (first->start > second->start) - (first->start < second->start);
}

void carom_orbit_collection_hand_over(carom_orbit_collection *collection, carom_orbit_list *list) {
    if (collection->count > 0) {
        qsort(collection->found, (size_t)collection->count, sizeof *collection->found,
              compare_found);
    }
    list->count = collection->count;
    list->found = collection->found;
    collection->found = NULL;
    collection->count = 0;
    collection->capacity = 0;
    for (size_t i = 0; i < collection->table_size; i++) {
        collection->first[i] = -1;
    }
}

void carom_orbit_list_free(carom_orbit_list *list) {
    if (list == NULL) {
        return;
    }
    for (int i = 0; i < list->count; i++) {
        carom_orbit_free(list->found[i].orbit);
    }
    free(list->found);
    free(list);
}
