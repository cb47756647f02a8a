#include <carom/impact/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Energy and impulse, besides velocities. */
enum { FURTHER_REALS = 2, INTEGERS = 3, FIRST_CAPACITY = 256 };

void carom_sample_list_init(const carom_impact_problem *problem, carom_sample_list *list) {
    *list = (carom_sample_list){.coordinate_count = problem->coordinate_count,
                                .row_count = problem->row_count};
}

void carom_sample_list_clear(carom_sample_list *list) {
    free(list->reals);
    free(list->integers);
    list->reals = NULL;
    list->integers = NULL;
    list->count = 0;
    list->capacity = 0;
}

static size_t width_of(const carom_sample_list *list) {
    return (size_t)list->coordinate_count + (size_t)list->row_count + FURTHER_REALS;
}

static carom_status grow(carom_sample_list *list) {
    const int capacity = list->capacity == 0 ? FIRST_CAPACITY : 2 * list->capacity;
    double *reals = realloc(list->reals, (size_t)capacity * width_of(list) * sizeof(double));
    if (reals == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    list->reals = reals;
    int *integers = realloc(list->integers, (size_t)capacity * INTEGERS * sizeof(int));
    if (integers == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    list->integers = integers;
    list->capacity = capacity;
    return CAROM_OK;
}

carom_status carom_sample_list_append(carom_sample_list *list, const carom_sample_entry *entry) {
    if (list->count == list->capacity) {
        CAROM_TRY(grow(list));
    }
    const size_t n = (size_t)list->coordinate_count;
    const size_t r = (size_t)list->row_count;
    double *reals = list->reals + (size_t)list->count * width_of(list);
    memcpy(reals, entry->velocity, n * sizeof(double));
    memcpy(reals + n, entry->contact_velocity, r * sizeof(double));
    reals[n + r] = entry->kinetic_energy;
    reals[n + r + 1] = entry->impulse;
    int *integers = list->integers + (size_t)list->count * INTEGERS;
    integers[0] = entry->sample;
    integers[1] = entry->increments;
    integers[2] = entry->is_finished ? 1 : 0;
    list->count++;
    return CAROM_OK;
}

carom_status carom_sample_list_pack(const carom_sample_list *list, carom_parallel_bytes *bytes) {
    const size_t count = (size_t)list->count;
    carom_sample_list head = *list;
    head.reals = NULL;
    head.integers = NULL;
    CAROM_TRY(carom_parallel_append(bytes, &head, sizeof head));
    CAROM_TRY(carom_parallel_append(bytes, list->reals, count * width_of(list) * sizeof(double)));
    return carom_parallel_append(bytes, list->integers, count * INTEGERS * sizeof(int));
}

carom_status carom_sample_list_unpack(const unsigned char *data, size_t size,
                                      carom_sample_list *list) {
    carom_sample_list head;
    if (size < sizeof head) {
        return CAROM_STATUS_BAD_FORMAT;
    }
    memcpy(&head, data, sizeof head);
    const size_t reals = (size_t)head.count * width_of(list) * sizeof(double);
    const size_t integers = (size_t)head.count * INTEGERS * sizeof(int);
    if (head.count < 0 || head.coordinate_count != list->coordinate_count ||
        head.row_count != list->row_count || size != sizeof head + reals + integers) {
        return CAROM_STATUS_BAD_FORMAT;
    }
    carom_sample_list_clear(list);
    head.reals = malloc(reals + 1);
    head.integers = malloc(integers + 1);
    head.capacity = head.count;
    *list = head;
    if (list->reals == NULL || list->integers == NULL) {
        carom_sample_list_clear(list);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    memcpy(list->reals, data + sizeof head, reals);
    memcpy(list->integers, data + sizeof head + reals, integers);
    return CAROM_OK;
}

void carom_impact_samples_free(carom_impact_samples *samples) {
    if (samples == NULL) {
        return;
    }
    free(samples->sample);
    free(samples->velocity);
    free(samples->contact_velocity);
    free(samples->kinetic_energy);
    free(samples->impulse);
    free(samples->increments);
    free(samples->is_finished);
    free(samples);
}

/** Room for `count` outcomes, at least one. */
static carom_status alloc_samples(int n, int r, size_t count, carom_impact_samples **out) {
    carom_impact_samples *all = calloc(1, sizeof *all);
    *out = all;
    if (all == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    all->coordinate_count = n;
    all->row_count = r;
    count = count > 0 ? count : 1;
    all->sample = malloc(count * sizeof(int));
    all->velocity = malloc(count * (size_t)n * sizeof(double));
    all->contact_velocity = malloc(count * (size_t)r * sizeof(double));
    all->kinetic_energy = malloc(count * sizeof(double));
    all->impulse = malloc(count * sizeof(double));
    all->increments = malloc(count * sizeof(int));
    all->is_finished = malloc(count * sizeof(int));
    const bool has_all = all->sample != NULL && all->velocity != NULL &&
                         all->contact_velocity != NULL && all->kinetic_energy != NULL &&
                         all->impulse != NULL && all->increments != NULL &&
                         all->is_finished != NULL;
    return has_all ? CAROM_OK : CAROM_STATUS_OUT_OF_MEMORY;
}

/** Outcome k of a list to its place among all. */
static void copy_outcome(const carom_sample_list *list, int k, size_t place,
                         carom_impact_samples *all) {
    const size_t n = (size_t)list->coordinate_count;
    const size_t r = (size_t)list->row_count;
    const double *reals = list->reals + (size_t)k * width_of(list);
    const int *integers = list->integers + (size_t)k * INTEGERS;
    memcpy(all->velocity + place * n, reals, n * sizeof(double));
    memcpy(all->contact_velocity + place * r, reals + n, r * sizeof(double));
    all->kinetic_energy[place] = reals[n + r];
    all->impulse[place] = reals[n + r + 1];
    all->sample[place] = integers[0];
    all->increments[place] = integers[1];
    all->is_finished[place] = integers[2];
}

static void add_sums(const carom_sample_list *list, carom_impact_samples *all) {
    all->increment_count += list->increment_count;
    all->multivalued_count += list->multivalued_count;
    all->energy_rise_count += list->energy_rise_count;
    all->unsolved_count += list->unsolved_count;
    all->rescue_count += list->rescue_count;
    all->pivot_count += list->pivot_count;
    all->truncated_count += list->truncated_count;
    all->largest_residual = fmax(all->largest_residual, list->largest_residual);
}

/** Means over outcomes, summed in their order. */
static void compute_means(carom_impact_samples *all) {
    double increments = 0.0;
    double energy = 0.0;
    double finished = 0.0;
    for (int k = 0; k < all->count; k++) {
        increments += all->increments[k];
        finished += all->is_finished[k];
        energy += all->is_finished[k] ? all->kinetic_energy[k] : 0.0;
    }
    all->mean_increments = increments / all->count;
    all->fraction_finished = finished / all->count;
    all->mean_kinetic_energy = finished > 0.0 ? energy / finished : (double)NAN;
}

/** Lists that are joined. */
typedef struct joining {
    carom_sample_list *lists;
    const size_t *first; /**< [list_count] place of the first outcome of each */
    carom_impact_samples *all;
} joining;

/** Copy the outcomes of a list, and clear it. */
static carom_status join_list(int item, void *context, carom_report *report) {
    const joining *self = context;
    carom_sample_list *list = &self->lists[item];
    (void)report;
    for (int k = 0; k < list->count; k++) {
        copy_outcome(list, k, self->first[item] + (size_t)k, self->all);
    }
    carom_sample_list_clear(list);
    return CAROM_OK;
}

carom_status carom_sample_lists_join(int list_count, carom_sample_list *lists, int threads,
                                     carom_impact_samples **out) {
    *out = NULL;
    size_t count = 0;
    CAROM_AUTO_MEMORY size_t *first = malloc((size_t)list_count * sizeof *first);
    if (first == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int b = 0; b < list_count; b++) {
        first[b] = count;
        count += (size_t)lists[b].count;
    }
    CAROM_AUTO(carom_impact_samples) all = NULL;
    CAROM_TRY(alloc_samples(lists[0].coordinate_count, lists[0].row_count, count, &all));
    for (int b = 0; b < list_count; b++) {
        add_sums(&lists[b], all);
    }
    all->count = (int)count;
    // Every rank has all lists.
    joining self = {lists, first, all};
    CAROM_TRY(carom_parallel_map((carom_workers){.threads = threads}, list_count, join_list, &self,
                                 NULL, NULL));
    compute_means(all);
    CAROM_HAND_OVER(all, out);
    return CAROM_OK;
}
