#include <carom/record/number_file.h>

#include <carom/record/internal.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By which a file is known. */
static const char mark[] = "carom numbers 1\n";
enum { MARK_SIZE = sizeof mark - 1 };

/* Bytes held back before they are written. */
enum { HELD_BACK = 1 << 16 };

/* What precedes the path and the numbers of an entry. */
typedef struct entry_head {
    size_t path_size; /* with the closing zero */
    size_t count;     /* numbers */
    int rank;
    int rows;
    int columns;
    char units[sizeof((carom_dataset *)NULL)->units];
} entry_head;

/* ------------------------------------------------------------------------------------- writing */

/* A data set that is there. */
typedef struct known_set {
    char path[CAROM_RECORD_PATH_SIZE];
    int rows;
    bool is_axis;
} known_set;

struct carom_number_file {
    carom_work_file *work;
    uint64_t written;
    carom_text_buffer held;
    known_set *sets;
    int count;
    int capacity;
};

carom_status carom_number_file_alloc(carom_work_file *work, carom_number_file **out) {
    CAROM_ASSERT(work != NULL && out != NULL);
    *out = calloc(1, sizeof **out);
    if (*out == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    (*out)->work = work;
    carom_text_buffer_add(&(*out)->held, mark, MARK_SIZE);
    const carom_status status = (*out)->held.failure;
    if (status != CAROM_OK) {
        carom_number_file_free(*out);
        *out = NULL;
    }
    return status;
}

void carom_number_file_free(carom_number_file *file) {
    if (file != NULL) {
        carom_text_buffer_clear(&file->held);
        free(file->sets);
        free(file);
    }
}

/* The data set of this path, NULL if there is none. */
static known_set *find_set(const carom_number_file *file, const char *path) {
    for (int i = 0; i < file->count; i++) {
        if (strcmp(file->sets[i].path, path) == 0) {
            return &file->sets[i];
        }
    }
    return NULL;
}

/* Note a data set. */
static carom_status add_set(carom_number_file *file, const carom_number_entry *entry) {
    if (file->count == file->capacity) {
        const int capacity = 2 * file->capacity + 16;
        known_set *grown = realloc(file->sets, (size_t)capacity * sizeof *grown);
        if (grown == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
        file->sets = grown;
        file->capacity = capacity;
    }
    known_set *added = &file->sets[file->count++];
    snprintf(added->path, sizeof added->path, "%s", entry->path);
    added->rows = entry->rows;
    added->is_axis = entry->is_axis;
    return CAROM_OK;
}

int carom_number_file_axis(const carom_number_file *file, const char *path) {
    const known_set *set = find_set(file, path);
    return set != NULL && set->is_axis ? set->rows : -1;
}

carom_status carom_number_file_flush(carom_number_file *file) {
    const carom_status status =
        carom_work_file_write(file->work, file->written, file->held.text, file->held.length);
    file->written += file->held.length;
    file->held.length = 0;
    return status;
}

/* The numbers, as double. */
static void hold_values(carom_text_buffer *held, const carom_number_entry *entry) {
    if (!entry->is_integer) {
        carom_text_buffer_add(held, entry->values, entry->count * sizeof(double));
        return;
    }
    for (size_t i = 0; i < entry->count; i++) {
        const double number = ((const int *)entry->values)[i];
        carom_text_buffer_add(held, (const char *)&number, sizeof number);
    }
}

carom_status carom_number_file_add(carom_number_file *file, const carom_number_entry *entry) {
    CAROM_ASSERT(file != NULL && strlen(entry->path) < CAROM_RECORD_PATH_SIZE);
    known_set *set = find_set(file, entry->path);
    if ((set != NULL) != entry->is_continued) {
        return CAROM_STATUS_CONFLICT;
    }
    if (set == NULL) {
        CAROM_TRY(add_set(file, entry));
    } else {
        set->rows = entry->rows;
    }
    entry_head head;
    memset(&head, 0, sizeof head); /* what lies between the members is written too */
    head.path_size = strlen(entry->path) + 1;
    head.count = entry->count;
    head.rank = entry->rank;
    head.rows = entry->rows;
    head.columns = entry->columns;
    const size_t length = entry->units != NULL ? strlen(entry->units) : 0;
    if (length < sizeof head.units && length > 0) {
        memcpy(head.units, entry->units, length);
    }
    carom_text_buffer_add(&file->held, (const char *)&head, sizeof head);
    carom_text_buffer_add(&file->held, entry->path, head.path_size);
    hold_values(&file->held, entry);
    CAROM_TRY(file->held.failure);
    return file->held.length < HELD_BACK ? CAROM_OK : carom_number_file_flush(file);
}

/* ------------------------------------------------------------------------------------- reading */

struct carom_number_list {
    char *bytes;
    size_t size;
};

/* All bytes of an open file from here on. */
static carom_status load(FILE *stream, carom_number_list *list) {
    size_t capacity = HELD_BACK;
    list->bytes = malloc(capacity);
    while (list->bytes != NULL) {
        list->size += fread(list->bytes + list->size, 1, capacity - list->size, stream);
        if (list->size < capacity) {
            return ferror(stream) == 0 ? CAROM_OK : CAROM_STATUS_IO;
        }
        capacity *= 2;
        char *grown = realloc(list->bytes, capacity);
        if (grown == NULL) {
            break;
        }
        list->bytes = grown;
    }
    return CAROM_STATUS_OUT_OF_MEMORY;
}

carom_status carom_number_list_load(const char *path, carom_number_list **out) {
    CAROM_ASSERT(path != NULL && out != NULL);
    *out = NULL;
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        return CAROM_STATUS_IO;
    }
    char begin[MARK_SIZE];
    carom_status status = CAROM_STATUS_BAD_FORMAT;
    if (fread(begin, 1, sizeof begin, stream) == sizeof begin &&
        memcmp(begin, mark, sizeof begin) == 0) {
        *out = calloc(1, sizeof **out);
        status = *out != NULL ? load(stream, *out) : CAROM_STATUS_OUT_OF_MEMORY;
    }
    fclose(stream);
    if (status != CAROM_OK) {
        carom_number_list_free(*out);
        *out = NULL;
    }
    return status;
}

void carom_number_list_free(carom_number_list *list) {
    if (list != NULL) {
        free(list->bytes);
        free(list);
    }
}

/* An entry in the bytes. */
typedef struct entry {
    entry_head head;
    const char *path;
    const char *values; /* not aligned */
} entry;

/* The entry at a place, which then moves behind it. False at the end, and where the bytes break
 * off.
 */
static bool next_entry(const carom_number_list *list, size_t *place, entry *found) {
    if (list->size - *place < sizeof found->head) {
        return false;
    }
    memcpy(&found->head, list->bytes + *place, sizeof found->head);
    size_t left = list->size - *place - sizeof found->head;
    const size_t path_size = found->head.path_size;
    if (path_size == 0 || path_size > left ||
        found->head.count > (left - path_size) / sizeof(double)) {
        return false;
    }
    found->path = list->bytes + *place + sizeof found->head;
    found->values = found->path + path_size;
    *place += sizeof found->head + path_size + found->head.count * sizeof(double);
    return found->path[path_size - 1] == '\0';
}

/* A path as it is written: without empty parts and those that are a point. */
static void simplify(const char *path, char simple[CAROM_RECORD_PATH_SIZE]) {
    size_t length = 0;
    while (*path != '\0') {
        path += strspn(path, "/");
        const size_t part = strcspn(path, "/");
        const bool is_named = part > 0 && !(part == 1 && path[0] == '.');
        if (is_named && length + part + 2 <= CAROM_RECORD_PATH_SIZE) {
            simple[length++] = '/';
            memcpy(simple + length, path, part);
            length += part;
        }
        path += part;
    }
    simple[length] = '\0';
}

/* What the entries of a path say of its data set: its last shape, and all its numbers. */
static carom_status measure(const carom_number_list *list, const char *path, carom_dataset *out,
                            size_t *count) {
    const size_t length = strlen(path);
    carom_status status = CAROM_STATUS_NOT_FOUND;
    entry found;
    for (size_t place = 0; next_entry(list, &place, &found);) {
        if (strcmp(found.path, path) == 0) {
            status = CAROM_OK;
            out->rank = found.head.rank;
            out->rows = found.head.rows;
            out->columns = found.head.columns;
            memcpy(out->units, found.head.units, sizeof out->units);
            out->units[sizeof out->units - 1] = '\0';
            *count += found.head.count;
        } else if (strncmp(found.path, path, length) == 0 && found.path[length] == '/') {
            return CAROM_STATUS_BAD_FORMAT; /* a group */
        }
    }
    const bool is_whole = status == CAROM_OK && out->rank >= 0 && out->rank <= 2 &&
                          out->rows >= 0 && out->columns >= 0 &&
                          *count == (size_t)out->rows * (size_t)out->columns;
    return is_whole || status != CAROM_OK ? status : CAROM_STATUS_BAD_FORMAT;
}

carom_status carom_number_list_dataset(const carom_number_list *list, const char *path,
                                       carom_dataset *out) {
    CAROM_ASSERT(list != NULL && path != NULL && out != NULL);
    char simple[CAROM_RECORD_PATH_SIZE];
    size_t count = 0;
    *out = (carom_dataset){.values = NULL};
    simplify(path, simple);
    carom_status status = measure(list, simple, out, &count);
    if (status == CAROM_OK) {
        out->values = malloc((count > 0 ? count : 1) * sizeof(double));
        status = out->values != NULL ? CAROM_OK : CAROM_STATUS_OUT_OF_MEMORY;
    }
    if (status != CAROM_OK) {
        *out = (carom_dataset){.values = NULL};
        return status;
    }
    size_t filled = 0;
    entry found;
    for (size_t place = 0; filled < count && next_entry(list, &place, &found);) {
        if (strcmp(found.path, simple) == 0) {
            memcpy(out->values + filled, found.values, found.head.count * sizeof(double));
            filled += found.head.count;
        }
    }
    return CAROM_OK;
}
