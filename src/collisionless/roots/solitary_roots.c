#include <carom/collisionless/roots/internal.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/** Lists and roots that the first memory holds. */
enum { FIRST_CAPACITY = 64 };

void carom_solitary_roots_clear(carom_solitary_roots *table) {
    free(table->roots);
    free(table->first);
    *table = (carom_solitary_roots){.kappa = table->kappa};
}

/** The list of a square, by its number along each axis (integers). */
static int list_of(const carom_solitary_roots *table, double column, double row) {
    // The finalizer of SplitMix64 on both numbers.
    uint64_t hash =
        (uint64_t)(int64_t)column * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)(int64_t)row;
    hash = (hash ^ (hash >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ (hash >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (int)((hash ^ (hash >> 31)) & (uint64_t)(table->table_size - 1));
}

/** The square of an instant; impact phases have at most 1e8 of them. */
static double square_of(const carom_solitary_roots *table, double time) {
    return floor(table->kappa * time);
}

/** Put a root at the head of its list. */
static void enter(carom_solitary_roots *table, int i) {
    carom_solitary_root *entry = &table->roots[i];
    const int list = list_of(table, square_of(table, entry->root.time),
                             square_of(table, entry->root.constrained_time));
    entry->next = table->first[list];
    table->first[list] = i;
}

/** Room for one more root: both arrays double, and all roots are entered again. */
static carom_status reserve(carom_solitary_roots *table) {
    if (table->count < table->capacity) {
        return CAROM_OK;
    }
    const int capacity = table->capacity > 0 ? 2 * table->capacity : FIRST_CAPACITY;
    carom_solitary_root *roots = realloc(table->roots, (size_t)capacity * sizeof *roots);
    if (roots == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    table->roots = roots;
    int *first = realloc(table->first, (size_t)capacity * sizeof *first);
    if (first == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    table->first = first;
    table->table_size = capacity;
    table->capacity = capacity;
    for (int i = 0; i < capacity; i++) {
        first[i] = -1;
    }
    for (int i = 0; i < table->count; i++) {
        enter(table, i);
    }
    return CAROM_OK;
}

/** The first root whose ball, or what is nearer than `same`, holds all instants between a corner
 * and another; -1: none. Balls are no wider than a square: its neighbours are enough. */
static int find(const carom_solitary_roots *table, const double *centre, const double *half,
                double same) {
    if (table->count == 0) {
        return -1;
    }
    for (int k = 0; k < 9; k++) {
        const int right = k % 3 - 1;
        const int upward = k / 3 - 1;
        const double column = square_of(table, centre[0]) + right;
        const double row = square_of(table, centre[1]) + upward;
        for (int i = table->first[list_of(table, column, row)]; i >= 0; i = table->roots[i].next) {
            const carom_solitary_root *entry = &table->roots[i];
            const double across = fabs(centre[0] - entry->root.time) + half[0];
            const double up = fabs(centre[1] - entry->root.constrained_time) + half[1];
            if (table->kappa * hypot(across, up) < fmax(entry->radius, same)) {
                return i;
            }
        }
    }
    return -1;
}

int carom_solitary_roots_find(const carom_solitary_roots *table, double time,
                              double constrained_time, double same) {
    const double place[2] = {time, constrained_time};
    const double point[2] = {0.0, 0.0};
    return find(table, place, point, same);
}

bool carom_solitary_roots_hold(const carom_solitary_roots *table, const double *centre,
                               const double *half) {
    return find(table, centre, half, 0.0) >= 0;
}

carom_status carom_solitary_roots_add(carom_solitary_roots *table, const carom_impact_root *root,
                                      double radius, double same) {
    if (carom_solitary_roots_find(table, root->time, root->constrained_time, same) >= 0) {
        return CAROM_OK;
    }
    CAROM_TRY(reserve(table));
    const int i = table->count++;
    table->roots[i] = (carom_solitary_root){.root = *root, .radius = fmin(radius, 1.0)};
    enter(table, i);
    return CAROM_OK;
}
