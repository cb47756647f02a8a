#include <carom/mechanism/bodies/internal.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Boxes by size: one with a longer side in (2^(k-1), 2^k] is kept in that cell of a grid of 2^k in
 * which its least corner lies, so that it reaches no further than into the next one. Whoever looks
 * for partners that are as large as itself, or larger, looks in the cells of their sizes under its
 * own box and those before.
 */

/* Sizes differ by no more powers of two than this, and cells are no smaller than this part of the
 * way across: what is smaller counts as large as that. So much of a cell is left for rounding. */
enum { MOST_LEVELS = 40 };
static const double SMALLEST = 0x1p-40;
static const double FULL = 255.0 / 256.0;

enum { AXES = 3 };

typedef struct cell {
    int level;
    int64_t place[AXES]; /* 0 along an axis that there is not */
} cell;

struct carom_box_pairs {
    int count;
    int axes; /* 2 or 3 */
    int level_count;
    int slot_mask;         /* slots - 1, a power of two */
    int used[MOST_LEVELS]; /* boxes of each level, of the largest first */
    double smallest;       /* side that no cell is below */
    double largest;        /* side of the cells of level 0 */
    double origin[AXES];
    cell *cells; /* [count] */
    int *slot;   /* [slots] last box with that number, -1: none */
    int *before; /* [count] box with the same number before, -1: none */
    int *degree; /* [count+1] */
    int (*found)[2];
    int (*sorted)[2];
    int found_room;
};

carom_status carom_box_pairs_alloc(int count, int axes, carom_box_pairs **out) {
    CAROM_ASSERT(axes == 2 || axes == AXES);
    *out = NULL;
    CAROM_AUTO(carom_box_pairs) p = calloc(1, sizeof *p);
    if (p == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    size_t slots = 4;
    while (slots < 2 * (size_t)count) {
        slots *= 2;
    }
    p->count = count;
    p->axes = axes;
    p->slot_mask = (int)slots - 1;
    p->cells = calloc((size_t)count + 1, sizeof *p->cells);
    p->slot = calloc(slots, sizeof *p->slot);
    p->before = calloc((size_t)count + 1, sizeof *p->before);
    p->degree = calloc((size_t)count + 2, sizeof *p->degree);
    if (p->cells == NULL || p->slot == NULL || p->before == NULL || p->degree == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(p, out);
    return CAROM_OK;
}

void carom_box_pairs_free(carom_box_pairs *pairs) {
    if (pairs == NULL) {
        return;
    }
    free(pairs->cells);
    free(pairs->slot);
    free(pairs->before);
    free(pairs->degree);
    free(pairs->found);
    free(pairs->sorted);
    free(pairs);
}

/* Box i: its least corner, then its largest. */
static const double *box_of(const carom_box_pairs *p, const double *boxes, int i) {
    return boxes + 2 * (size_t)p->axes * (size_t)i;
}

static bool takes_part(const carom_box_pairs *p, const double *box) {
    bool is_box = true;
    for (int axis = 0; axis < p->axes; axis++) {
        is_box = is_box && box[axis] <= box[p->axes + axis];
    }
    return is_box;
}

static double side_of(const carom_box_pairs *p, const double *box) {
    double side = 0.0;
    for (int axis = 0; axis < p->axes; axis++) {
        side = fmax(side, box[p->axes + axis] - box[axis]);
    }
    return side;
}

/* Side of the cells of a level: 2^-level of the largest. */
static double cell_side(const carom_box_pairs *p, int level) {
    return ldexp(p->largest, -level);
}

static int level_of(const carom_box_pairs *p, double side) {
    int level = 0;
    while (level + 1 < MOST_LEVELS && side <= FULL * cell_side(p, level + 1) &&
           p->smallest <= cell_side(p, level + 1)) {
        level++;
    }
    return level;
}

static int64_t place_of(const carom_box_pairs *p, int level, int axis, double x) {
    return (int64_t)floor((x - p->origin[axis]) / cell_side(p, level));
}

/* The cell of a level in which a place lies. */
static cell cell_at(const carom_box_pairs *p, int level, const double *place) {
    cell at = {.level = level};
    for (int axis = 0; axis < p->axes; axis++) {
        at.place[axis] = place_of(p, level, axis, place[axis]);
    }
    return at;
}

static int slot_of(const carom_box_pairs *p, const cell *c) {
    uint64_t number = (uint64_t)c->place[0] * 0x9e3779b97f4a7c15U;
    number ^= (uint64_t)c->place[1] * 0xc2b2ae3d27d4eb4fU;
    number += (uint64_t)c->place[2] * 0xd6e8feb86659fd93U;
    number += (uint64_t)c->level * 0x165667b19e3779f9U;
    number ^= number >> 29;
    number *= 0xbf58476d1ce4e5b9U;
    number ^= number >> 32;
    return (int)(number & (uint64_t)p->slot_mask);
}

static void find_extent(carom_box_pairs *p, const double *boxes) {
    double end[AXES];
    double largest = 0.0;
    double across = 0.0;
    for (int axis = 0; axis < p->axes; axis++) {
        p->origin[axis] = (double)INFINITY;
        end[axis] = -(double)INFINITY;
    }
    for (int i = 0; i < p->count; i++) {
        const double *box = box_of(p, boxes, i);
        if (!takes_part(p, box)) {
            continue;
        }
        for (int axis = 0; axis < p->axes; axis++) {
            p->origin[axis] = fmin(p->origin[axis], box[axis]);
            end[axis] = fmax(end[axis], box[p->axes + axis]);
        }
        largest = fmax(largest, side_of(p, box));
    }
    for (int axis = 0; axis < p->axes; axis++) {
        across = fmax(across, end[axis] - p->origin[axis]);
    }
    p->smallest = SMALLEST * across;
    p->largest = fmax(largest / FULL, p->smallest);
    p->largest = p->largest > 0.0 ? p->largest : 1.0; /* one point, or none */
}

/* Every box into the list of its cell. */
static void fill_cells(carom_box_pairs *p, const double *boxes) {
    for (int k = 0; k <= p->slot_mask; k++) {
        p->slot[k] = -1;
    }
    memset(p->used, 0, sizeof p->used);
    for (int i = 0; i < p->count; i++) {
        const double *box = box_of(p, boxes, i);
        if (!takes_part(p, box)) {
            continue;
        }
        const int level = level_of(p, side_of(p, box));
        p->cells[i] = cell_at(p, level, box);
        const int slot = slot_of(p, &p->cells[i]);
        p->before[i] = p->slot[slot];
        p->slot[slot] = i;
        p->used[level]++;
    }
}

static carom_status append(carom_box_pairs *p, int *count, int i, int j) {
    if (*count == p->found_room) {
        const size_t room = 2 * (size_t)p->found_room + 64;
        void *found = realloc(p->found, room * sizeof *p->found);
        p->found = found != NULL ? found : p->found;
        void *sorted = realloc(p->sorted, room * sizeof *p->sorted);
        p->sorted = sorted != NULL ? sorted : p->sorted;
        if (found == NULL || sorted == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
        p->found_room = (int)room;
    }
    p->found[*count][0] = i < j ? i : j;
    p->found[*count][1] = i < j ? j : i;
    (*count)++;
    return CAROM_OK;
}

static bool overlap(const carom_box_pairs *p, const double *a, const double *b) {
    bool is_common = true;
    for (int axis = 0; axis < p->axes; axis++) {
        is_common = is_common && a[axis] <= b[p->axes + axis] && b[axis] <= a[p->axes + axis];
    }
    return is_common;
}

/* Partners of box i in one cell. */
static carom_status look(carom_box_pairs *p, const double *boxes, int i, const cell *at,
                         int *count) {
    for (int j = p->slot[slot_of(p, at)]; j >= 0; j = p->before[j]) {
        const cell *its = &p->cells[j];
        const bool is_there = its->level == at->level && its->place[0] == at->place[0] &&
                              its->place[1] == at->place[1] && its->place[2] == at->place[2];
        const bool is_mine = its->level < p->cells[i].level || j > i;
        if (is_there && is_mine && overlap(p, box_of(p, boxes, i), box_of(p, boxes, j))) {
            CAROM_TRY(append(p, count, i, j));
        }
    }
    return CAROM_OK;
}

static carom_status look_around(carom_box_pairs *p, const double *boxes, int i, int *count) {
    const double *box = box_of(p, boxes, i);
    for (int level = 0; level <= p->cells[i].level; level++) {
        if (p->used[level] == 0) {
            continue;
        }
        cell first = cell_at(p, level, box);
        const cell last = cell_at(p, level, box + p->axes);
        for (int axis = 0; axis < p->axes; axis++) {
            first.place[axis]--;
        }
        cell at = first;
        for (at.place[2] = first.place[2]; at.place[2] <= last.place[2]; at.place[2]++) {
            for (at.place[1] = first.place[1]; at.place[1] <= last.place[1]; at.place[1]++) {
                for (at.place[0] = first.place[0]; at.place[0] <= last.place[0]; at.place[0]++) {
                    CAROM_TRY(look(p, boxes, i, &at, count));
                }
            }
        }
    }
    return CAROM_OK;
}

/* Put pairs in the order of their first or second box; those of one box keep theirs. */
static void sort(carom_box_pairs *p, int count, int by, const int (*from)[2], int (*to)[2]) {
    memset(p->degree, 0, ((size_t)p->count + 2) * sizeof *p->degree);
    for (int k = 0; k < count; k++) {
        p->degree[from[k][by] + 1]++;
    }
    for (int i = 0; i < p->count; i++) {
        p->degree[i + 1] += p->degree[i];
    }
    for (int k = 0; k < count; k++) {
        int *place = to[p->degree[from[k][by]]++];
        place[0] = from[k][0];
        place[1] = from[k][1];
    }
}

carom_status carom_box_pairs_find(carom_box_pairs *pairs, const double *boxes, int *pair_count,
                                  const int (**list)[2]) {
    int count = 0;
    find_extent(pairs, boxes);
    fill_cells(pairs, boxes);
    for (int i = 0; i < pairs->count; i++) {
        if (takes_part(pairs, box_of(pairs, boxes, i))) {
            CAROM_TRY(look_around(pairs, boxes, i, &count));
        }
    }
    sort(pairs, count, 1, (const int(*)[2])pairs->found, pairs->sorted);
    sort(pairs, count, 0, (const int(*)[2])pairs->sorted, pairs->found);
    *pair_count = count;
    *list = (const int(*)[2])pairs->found;
    return CAROM_OK;
}
