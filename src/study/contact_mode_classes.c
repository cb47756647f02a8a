#include <carom/study/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** One class while it is counted. */
typedef struct tally {
    char *letters; /**< [m + 1], owned */
    int samples;
    int finished;
} tally;

/** Classes in the order of their letters. */
typedef struct carom_contact_mode_tally tally_list;
struct carom_contact_mode_tally {
    const carom_impact_problem *problem;
    int contact_count; /**< m */
    int count;
    int capacity;
    tally *entries;
    char *letters; /**< [m + 1] work memory */
};

void carom_contact_mode_tally_free(carom_contact_mode_tally *list) {
    if (list != NULL) {
        for (int i = 0; i < list->count; i++) {
            free(list->entries[i].letters);
        }
        free(list->entries);
        free(list->letters);
        free(list);
    }
}

double carom_contact_mode_resting_speed(const carom_impact_problem *problem, int row) {
    return CAROM_CONTACT_MODE_RESTING_PART * problem->speed_scale[row];
}

bool carom_contact_mode_is_at_rest(const carom_impact_problem *problem, const double *c, int row) {
    return fabs(c[row]) <= carom_contact_mode_resting_speed(problem, row);
}

void carom_contact_mode_letters(const carom_impact_problem *problem, const double *c,
                                char *letters) {
    const int m = problem->contact_count;
    const int t = problem->tangent_count;
    for (int i = 0; i < m; i++) {
        const double *slip = c + m + i * t;
        const double speed = t == 1 ? fabs(slip[0]) : hypot(slip[0], slip[1]);
        const char mode = speed <= carom_contact_mode_resting_speed(problem, m + i * t) ? 'S' : 's';
        letters[i] = mode;
        if (c[i] > carom_contact_mode_resting_speed(problem, i)) {
            letters[i] = 'L';
        }
    }
    letters[m] = '\0';
}

/** Index of a class, or where it would stand; by bisection. */
static int find(const tally_list *list, const char *letters, bool *is_there) {
    int low = 0;
    int high = list->count;
    *is_there = false;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const int order = strcmp(list->entries[middle].letters, letters);
        if (order == 0) {
            *is_there = true;
            return middle;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return low;
}

/** Room for one more class. */
static carom_status reserve(tally_list *list) {
    if (list->count < list->capacity) {
        return CAROM_OK;
    }
    const int capacity = list->capacity > 0 ? 2 * list->capacity : 32;
    tally *larger = realloc(list->entries, (size_t)capacity * sizeof *larger);
    if (larger == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    list->entries = larger;
    list->capacity = capacity;
    return CAROM_OK;
}

/** Count so many more samples of a class. */
static carom_status add(tally_list *list, const char *letters, int samples, int finished) {
    bool is_there = false;
    const int at = find(list, letters, &is_there);
    if (!is_there) {
        CAROM_TRY(reserve(list));
        const size_t size = (size_t)list->contact_count + 1;
        char *copy = malloc(size);
        if (copy == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
        memcpy(copy, letters, size);
        tally *entry = list->entries + at;
        memmove(entry + 1, entry, (size_t)(list->count - at) * sizeof *entry);
        *entry = (tally){copy, 0, 0};
        list->count++;
    }
    CAROM_ASSERT(list->entries != NULL);
    list->entries[at].samples += samples;
    list->entries[at].finished += finished;
    return CAROM_OK;
}

/** All classes of few contacts, so that those that never occur are listed too. */
static carom_status add_all(tally_list *list) {
    const int m = list->contact_count;
    char letters[CAROM_CONTACT_MODE_CLASSES_COMPLETE + 1] = "";
    int class_count = 1;
    for (int i = 0; i < m; i++) {
        class_count *= 3;
    }
    for (int code = 0; code < class_count; code++) {
        for (int i = 0, rest = code; i < m; i++, rest /= 3) {
            letters[i] = "LSs"[rest % 3];
        }
        CAROM_TRY(add(list, letters, 0, 0));
    }
    return CAROM_OK;
}

carom_status carom_contact_mode_tally_alloc(const carom_impact_problem *problem,
                                            carom_contact_mode_tally **out) {
    CAROM_ASSERT(problem != NULL && out != NULL);
    *out = NULL;
    CAROM_AUTO(carom_contact_mode_tally) list = calloc(1, sizeof *list);
    if (list == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    list->problem = problem;
    list->contact_count = problem->contact_count;
    list->letters = malloc((size_t)problem->contact_count + 1);
    if (list->letters == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    if (list->contact_count <= CAROM_CONTACT_MODE_CLASSES_COMPLETE) {
        CAROM_TRY(add_all(list));
    }
    CAROM_HAND_OVER(list, out);
    return CAROM_OK;
}

carom_status carom_contact_mode_tally_add(carom_contact_mode_tally *list,
                                          const carom_impact_samples *samples) {
    CAROM_ASSERT(list != NULL && samples != NULL);
    const size_t r = (size_t)list->problem->row_count;
    for (int i = 0; i < samples->count; i++) {
        carom_contact_mode_letters(list->problem, samples->contact_velocity + (size_t)i * r,
                                   list->letters);
        CAROM_TRY(add(list, list->letters, 1, samples->is_finished[i] != 0 ? 1 : 0));
    }
    return CAROM_OK;
}

/** The order of the result. */
static int compare(const void *a, const void *b) {
    const tally *first = a;
    const tally *second = b;
    if (first->finished != second->finished) {
        return first->finished > second->finished ? -1 : 1;
    }
    if (first->samples != second->samples) {
        return first->samples > second->samples ? -1 : 1;
    }
    return strcmp(first->letters, second->letters);
}

carom_status carom_contact_mode_tally_finish(carom_contact_mode_tally *list,
                                             carom_contact_mode_classes **out) {
    CAROM_ASSERT(list != NULL && out != NULL);
    *out = NULL;
    const size_t count = (size_t)list->count;
    const size_t width = (size_t)list->contact_count + 1;
    CAROM_AUTO(carom_contact_mode_classes) classes = calloc(1, sizeof *classes);
    if (classes == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    classes->contact_count = list->contact_count;
    classes->count = list->count;
    classes->letters = malloc(count * width);
    classes->samples = malloc(count * sizeof *classes->samples);
    classes->finished = malloc(count * sizeof *classes->finished);
    if (classes->letters == NULL || classes->samples == NULL || classes->finished == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    qsort(list->entries, count, sizeof *list->entries, compare);
    for (size_t i = 0; i < count; i++) {
        memcpy(classes->letters + i * width, list->entries[i].letters, width);
        classes->samples[i] = list->entries[i].samples;
        classes->finished[i] = list->entries[i].finished;
    }
    CAROM_HAND_OVER(classes, out);
    return CAROM_OK;
}

carom_status carom_contact_mode_classes_count(const carom_impact_problem *problem,
                                              const carom_impact_samples *samples,
                                              carom_contact_mode_classes **out) {
    CAROM_ASSERT(problem != NULL && samples != NULL && samples->count >= 1 && out != NULL);
    *out = NULL;
    CAROM_AUTO(carom_contact_mode_tally) list = NULL;
    CAROM_TRY(carom_contact_mode_tally_alloc(problem, &list));
    CAROM_TRY(carom_contact_mode_tally_add(list, samples));
    return carom_contact_mode_tally_finish(list, out);
}

void carom_contact_mode_classes_free(carom_contact_mode_classes *classes) {
    if (classes == NULL) {
        return;
    }
    free(classes->letters);
    free(classes->samples);
    free(classes->finished);
    free(classes);
}

const char *carom_contact_mode_classes_letters(const carom_contact_mode_classes *classes, int i) {
    CAROM_ASSERT(classes != NULL && i >= 0 && i < classes->count);
    return classes->letters + (size_t)i * ((size_t)classes->contact_count + 1);
}
