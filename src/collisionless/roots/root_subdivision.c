#include <carom/collisionless/roots/internal.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

/** Parts whose largest change of Z is below this are given up: they lie next to a multiple root, or
 * one that is all but double. */
static const double SMALLEST_CHANGE = 1e-6;

/** Newton iterations start from parts whose largest change of Z is below this, */
static const double FIRST_TRIAL = 0.3;
/** and again from what is left of them each time it has shrunk by this. */
static const double TRIAL_RATIO = 0.2;

/** Roots beyond an edge of the box by so much of it are on the edge: roundings of both. */
static const double EDGE_ROUNDING = 16.0 * DBL_EPSILON;

/** Times that differ by less than this part of them are one: for N = 2 the roots of a column share
 * their tau. */
static const double SAME_TIME = 1e-11;

/** Two roots nearer than this, in units of 1/kappa, are one that was found twice. */
static const double SAME_ROOT = 1e-7;

/** Parts given up nearer than this to each other, in units of 1/kappa, lie around one place. At a
 * root of multiplicity m bounds of second order do not tell them from zeros within
 * SMALLEST_CHANGE^(2/m): 1e-4 for m = 3. */
static const double SAME_PLACE = 1e-2;

/** Parts take new bounds after so many halvings; those of what they are part of hold too. */
enum { HALVINGS_PER_BOUND = 2 };

/** Parts between two reports of progress: some milliseconds. */
enum { PARTS_PER_REPORT = 256 };

/** A part of the box. */
typedef struct part {
    carom_time_rectangle rectangle;
    carom_impact_bounds_of_change bounds;
    double next_trial; /**< change of Z at which Newton tries next */
    double share;      /**< of the box, 1 */
    int halvings;      /**< since the bounds are new */
} part;

/** What was given up around one place, with sums of times weighted by the shares of the parts. */
typedef struct given_up {
    carom_undecided_region region;
    double time;             /**< s */
    double constrained_time; /**< s */
    bool is_undecided;       /**< not around a singular root */
    int leader;              /**< a place whose parts touch these, or itself: the first of a tree */
} given_up;

typedef struct search {
    carom_impact_matrix *matrix;
    carom_root_newton *newton;
    carom_root_exclusion *exclusion;
    part *stack;
    int depth;
    int stack_capacity;
    carom_solitary_roots known;
    carom_solitary_roots places; /**< of parts given up, the first of each */
    given_up *remainders;        /**< [places.count] */
    int remainder_capacity;
    carom_solitary_roots singular; /**< roots found in them */
} search;

static void search_clear(search *s) {
    carom_root_exclusion_free(s->exclusion);
    carom_root_newton_free(s->newton);
    carom_solitary_roots_clear(&s->singular);
    carom_solitary_roots_clear(&s->places);
    carom_solitary_roots_clear(&s->known);
    free(s->remainders);
    free(s->stack);
}

/** Room for one more entry of `size` bytes in an array that doubles. */
static bool make_room(void **array, int count, int *capacity, size_t size) {
    if (count < *capacity) {
        return true;
    }
    const int wanted = *capacity == 0 ? 64 : 2 * *capacity;
    void *grown = realloc(*array, (size_t)wanted * size);
    if (grown == NULL) {
        return false;
    }
    *array = grown;
    *capacity = wanted;
    return true;
}

carom_status carom_root_store_add(carom_root_store *store, const carom_impact_root *root) {
    void *roots = store->roots;
    const bool has_room = make_room(&roots, store->count, &store->capacity, sizeof *root);
    store->roots = roots;
    if (!has_room) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    store->roots[store->count++] = *root;
    return CAROM_OK;
}

carom_status carom_root_outcome_add(carom_root_outcome *outcome,
                                    const carom_undecided_region *region) {
    void *regions = outcome->regions;
    const bool has_room = make_room(&regions, outcome->region_count, &outcome->region_capacity,
                                    sizeof *outcome->regions);
    outcome->regions = regions;
    if (!has_room) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    outcome->regions[outcome->region_count++] = *region;
    outcome->undecided += region->parts;
    outcome->undecided_share += region->share;
    return CAROM_OK;
}

static carom_status push(search *s, const part *p) {
    void *stack = s->stack;
    const bool has_room = make_room(&stack, s->depth, &s->stack_capacity, sizeof *p);
    s->stack = stack;
    if (!has_room) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->stack[s->depth++] = *p;
    return CAROM_OK;
}

/** Bounds of the derivatives of Z that hold in a part. */
static void renew_bounds(const search *s, part *p) {
    const carom_time_rectangle *r = &p->rectangle;
    const double time[2] = {r->centre[0] - r->half[0], r->centre[0] + r->half[0]};
    const double constrained[2] = {r->centre[1] - r->half[1], r->centre[1] + r->half[1]};
    carom_impact_matrix_bounds(s->matrix, time, constrained, p->bounds.rates, p->bounds.curvatures);
}

/** Largest change of Z within a part, in its norm. */
static double largest_change(const part *p) {
    return p->bounds.rates[0] * p->rectangle.half[0] + p->bounds.rates[1] * p->rectangle.half[1];
}

/** Keep a root with its ball unless it is known. */
static carom_status keep(search *s, const carom_impact_root *root) {
    if (carom_solitary_roots_find(&s->known, root->time, root->constrained_time, SAME_ROOT) >= 0) {
        return CAROM_OK;
    }
    const double radius = carom_root_newton_solitary_radius(s->newton, root);
    return carom_solitary_roots_add(&s->known, root, radius, SAME_ROOT);
}

/** Whether an offset from the centre of a part stays close to it. */
static bool points_inside(const part *p, const double *offset) {
    const double margin = 1.5;
    return fabs(offset[0]) <= margin * p->rectangle.half[0] &&
           fabs(offset[1]) <= margin * p->rectangle.half[1];
}

/** Newton's iteration from an offset from the centre of a part; a root anywhere is welcome. */
static carom_status try_newton(search *s, const part *p, const double *offset) {
    carom_impact_root root;
    const carom_status status =
        carom_root_newton_polish(s->newton, p->rectangle.centre[0] + offset[0],
                                 p->rectangle.centre[1] + offset[1], &root, NULL);
    return status == CAROM_OK ? keep(s, &root) : CAROM_OK;
}

/** Halve a part across the side along which Z changes more. */
static carom_status split(search *s, const part *p) {
    const double across = p->bounds.rates[0] * p->rectangle.half[0];
    const double up = p->bounds.rates[1] * p->rectangle.half[1];
    const int side = across >= up ? 0 : 1;
    for (int sign = -1; sign <= 1; sign += 2) {
        part child = *p;
        child.share *= 0.5;
        child.rectangle.half[side] *= 0.5;
        child.rectangle.centre[side] += sign * child.rectangle.half[side];
        ++child.halvings;
        CAROM_TRY(push(s, &child));
    }
    return CAROM_OK;
}

/** The region that is one part. */
static carom_undecided_region region_of(const part *p, bool is_searched) {
    const carom_time_rectangle *r = &p->rectangle;
    return (carom_undecided_region){
        .time = {r->centre[0] - r->half[0], r->centre[0] + r->half[0]},
        .constrained_time = {r->centre[1] - r->half[1], r->centre[1] + r->half[1]},
        .parts = 1,
        .share = p->share,
        .is_searched = is_searched,
    };
}

/** Widen a region, which may be empty, to hold another one. */
static void unite(carom_undecided_region *region, const carom_undecided_region *other) {
    if (region->parts == 0) {
        *region = *other;
        return;
    }
    region->time[0] = fmin(region->time[0], other->time[0]);
    region->time[1] = fmax(region->time[1], other->time[1]);
    region->constrained_time[0] = fmin(region->constrained_time[0], other->constrained_time[0]);
    region->constrained_time[1] = fmax(region->constrained_time[1], other->constrained_time[1]);
    region->parts += other->parts;
    region->share += other->share;
}

/** Add a part to what was given up around its place. */
static carom_status give_up(search *s, const part *p) {
    const double *centre = p->rectangle.centre;
    int place = carom_solitary_roots_find(&s->places, centre[0], centre[1], SAME_PLACE);
    if (place < 0) {
        place = s->places.count;
        void *remainders = s->remainders;
        const bool has_room =
            make_room(&remainders, place, &s->remainder_capacity, sizeof *s->remainders);
        s->remainders = remainders;
        if (!has_room) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
        s->remainders[place] = (given_up){.leader = place};
        const carom_impact_root first = {.time = centre[0], .constrained_time = centre[1]};
        CAROM_TRY(carom_solitary_roots_add(&s->places, &first, 0.0, SAME_PLACE));
    }
    given_up *r = &s->remainders[place];
    const carom_undecided_region region = region_of(p, true);
    unite(&r->region, &region);
    r->time += p->share * centre[0];
    r->constrained_time += p->share * centre[1];
    return CAROM_OK;
}

/** Close, exclude, give up or split one part. */
static carom_status examine(search *s, part *p) {
    if (p->halvings == HALVINGS_PER_BOUND) {
        renew_bounds(s, p);
        p->halvings = 0;
    }
    double offset[2] = {0.0, 0.0};
    if (carom_solitary_roots_hold(&s->known, p->rectangle.centre, p->rectangle.half) ||
        carom_root_exclusion_holds(s->exclusion, &p->rectangle, &p->bounds, offset)) {
        return CAROM_OK;
    }
    const double change = largest_change(p);
    if (change < SMALLEST_CHANGE) {
        return give_up(s, p);
    }
    if (change < p->next_trial && points_inside(p, offset)) {
        p->next_trial = TRIAL_RATIO * change;
        CAROM_TRY(try_newton(s, p, offset));
    }
    return split(s, p);
}

static int compare_times(const void *left, const void *right) {
    const double a = ((const carom_impact_root *)left)->time;
    const double b = ((const carom_impact_root *)right)->time;
    return (a > b) - (a < b);
}

static int compare_constrained_times(const void *left, const void *right) {
    const double a = ((const carom_impact_root *)left)->constrained_time;
    const double b = ((const carom_impact_root *)right)->constrained_time;
    return (a > b) - (a < b);
}

/** By tau, and those of one tau, up to rounding, by tau'. */
static void sort_roots(int count, carom_impact_root *roots) {
    qsort(roots, (size_t)count, sizeof *roots, compare_times);
    int end = 0;
    for (int first = 0; first < count; first = end) {
        const double same = roots[first].time * (1.0 + SAME_TIME);
        for (end = first + 1; end < count && roots[end].time <= same; ++end) {
        }
        qsort(roots + first, (size_t)(end - first), sizeof *roots, compare_constrained_times);
    }
}

static bool is_within(double value, double least, double largest) {
    return value >= least * (1.0 - EDGE_ROUNDING) && value <= largest * (1.0 + EDGE_ROUNDING);
}

bool carom_root_is_inside(const carom_impact_root *root, const carom_root_search_params *box) {
    return is_within(root->time, box->min_time, box->max_time) &&
           is_within(root->constrained_time, box->min_constrained_time, box->max_constrained_time);
}

/** Whether a root is alone in a ball wider than its rounding. */
static bool is_certified(const carom_solitary_root *root) {
    return root->radius >= SAME_ROOT;
}

/** Whether a certified root lies around a place. */
static bool has_certified_root(const search *s, double time, double constrained_time) {
    for (int k = 0; k < s->known.count; ++k) {
        const carom_solitary_root *known = &s->known.roots[k];
        const double distance =
            hypot(known->root.time - time, known->root.constrained_time - constrained_time);
        if (is_certified(known) && s->known.kappa * distance < SAME_PLACE) {
            return true;
        }
    }
    return false;
}

/** Keep the singular roots that parts were given up around; what else was given up is undecided.
 * Where Z loses its rank twice, the curve is longer than a place, and the parts remain. */
static carom_status settle_remainders(search *s) {
    for (int k = 0; k < s->places.count; ++k) {
        given_up *r = &s->remainders[k];
        const double time = r->time / r->region.share;
        const double constrained_time = r->constrained_time / r->region.share;
        carom_impact_root root;
        r->is_undecided = has_certified_root(s, time, constrained_time) ||
                          !carom_root_newton_polish_singular(s->newton, time, constrained_time,
                                                             SAME_PLACE, &root);
        if (!r->is_undecided) {
            CAROM_TRY(carom_solitary_roots_add(&s->singular, &root, 0.0, SAME_PLACE));
        }
    }
    return CAROM_OK;
}

/** The first of the places whose parts touch, one by one, those of a place. */
static int leader_of(const search *s, int place) {
    while (s->remainders[place].leader != place) {
        place = s->remainders[place].leader;
    }
    return place;
}

/** Whether parts of two places may touch: each lies within SAME_PLACE of the first of its place. */
static bool are_neighbours(const search *s, int one, int other) {
    const carom_impact_root *a = &s->places.roots[one].root;
    const carom_impact_root *b = &s->places.roots[other].root;
    const double distance = hypot(a->time - b->time, a->constrained_time - b->constrained_time);
    return s->places.kappa * distance < 2.0 * SAME_PLACE;
}

/** Lead undecided places whose parts may touch, one by one, to the first of them. */
static void link_neighbours(search *s) {
    for (int k = 0; k < s->places.count; ++k) {
        for (int i = 0; i < k && s->remainders[k].is_undecided; ++i) {
            if (s->remainders[i].is_undecided && are_neighbours(s, i, k)) {
                const int one = leader_of(s, i);
                const int other = leader_of(s, k);
                s->remainders[one > other ? one : other].leader = one > other ? other : one;
            }
        }
    }
}

/** Hand over the parts given up that are undecided, those of neighbouring places as one region. */
static carom_status hand_over_given_up(search *s, double share, carom_root_outcome *outcome) {
    link_neighbours(s);
    for (int k = 0; k < s->places.count; ++k) {
        const int leader = leader_of(s, k);
        if (leader != k) {
            unite(&s->remainders[leader].region, &s->remainders[k].region);
        }
    }
    for (int k = 0; k < s->places.count; ++k) {
        given_up *r = &s->remainders[k];
        if (r->is_undecided && r->leader == k) {
            r->region.share *= share;
            CAROM_TRY(carom_root_outcome_add(outcome, &r->region));
        }
    }
    return CAROM_OK;
}

/** Hand over the parts that the search has not reached, the largest first. */
static carom_status hand_over_stack(const search *s, double share, carom_root_outcome *outcome) {
    for (int k = 0; k < s->depth; ++k) {
        carom_undecided_region region = region_of(&s->stack[k], false);
        region.share *= share;
        CAROM_TRY(carom_root_outcome_add(outcome, &region));
    }
    return CAROM_OK;
}

/** Whether a root is one at which Newton's iteration ended somewhere around a singular one. */
static bool is_of_singular(const search *s, const carom_solitary_root *root) {
    return !is_certified(root) &&
           carom_solitary_roots_find(&s->singular, root->root.time, root->root.constrained_time,
                                     SAME_PLACE) >= 0;
}

/** Hand over the roots inside the box. */
static carom_status collect(const search *s, const carom_root_search_params *params,
                            carom_root_store *store) {
    const int first = store->count;
    for (int k = 0; k < s->known.count + s->singular.count; ++k) {
        const carom_solitary_root *root =
            k < s->known.count ? &s->known.roots[k] : &s->singular.roots[k - s->known.count];
        const bool is_kept = k >= s->known.count || !is_of_singular(s, root);
        if (is_kept && carom_root_is_inside(&root->root, params)) {
            CAROM_TRY(carom_root_store_add(store, &root->root));
        }
    }
    if (store->count > first) {
        sort_roots(store->count - first, store->roots + first);
    }
    return CAROM_OK;
}

static carom_status run(search *s, const carom_root_search_params *params, double share,
                        carom_root_store *store, carom_root_outcome *outcome) {
    part whole = {.next_trial = FIRST_TRIAL, .share = 1.0};
    const double least[2] = {params->min_time, params->min_constrained_time};
    const double largest[2] = {params->max_time, params->max_constrained_time};
    for (int side = 0; side < 2; ++side) {
        whole.rectangle.centre[side] = 0.5 * (least[side] + largest[side]);
        whole.rectangle.half[side] = 0.5 * (largest[side] - least[side]);
    }
    renew_bounds(s, &whole);
    CAROM_TRY(push(s, &whole));
    int examined = 0;
    double settled = 0.0;
    while (s->depth > 0 && examined < params->max_boxes) {
        part p = s->stack[--s->depth];
        const int rest = s->depth;
        ++examined;
        CAROM_TRY(examine(s, &p));
        settled += s->depth == rest ? p.share : 0.0;
        if (params->progress != NULL && examined % PARTS_PER_REPORT == 0) {
            params->progress(settled, params->context);
        }
    }
    outcome->boxes += examined;
    CAROM_TRY(settle_remainders(s));
    CAROM_TRY(hand_over_stack(s, share, outcome));
    CAROM_TRY(hand_over_given_up(s, share, outcome));
    return collect(s, params, store);
}

carom_status carom_root_subdivision_find(carom_impact_matrix *matrix,
                                         const carom_root_search_params *params, double share,
                                         carom_root_store *store, carom_root_outcome *outcome) {
    const double kappa = carom_impact_matrix_frequency_scale(matrix);
    CAROM_AUTO_VALUE(search)
    s = {
        .matrix = matrix,
        .known = {.kappa = kappa},
        .places = {.kappa = kappa},
        .singular = {.kappa = kappa},
    };
    CAROM_TRY(carom_root_newton_alloc(matrix, &s.newton));
    CAROM_TRY(carom_root_exclusion_alloc(matrix, &s.exclusion));
    return run(&s, params, share, store, outcome);
}
