#include <carom/record/record_set.h>

#include <carom/record/reader.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longest name of a record and longest file name, with terminating zeros. */
#define NAME_SIZE 128
#define FILE_SIZE 4096

/* One open record of the set. */
typedef struct member {
    char name[NAME_SIZE];
    carom_reader *reader;
    struct member *next;
} member;

struct carom_record_set {
    char *folder;
    member *first;
};

carom_status carom_record_set_alloc(const char *folder, carom_record_set **out) {
    CAROM_ASSERT(folder != NULL && out != NULL);
    *out = NULL;
    carom_record_set *set = calloc(1, sizeof *set);
    if (set == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t size = strlen(folder) + 1;
    set->folder = malloc(size);
    if (set->folder == NULL) {
        carom_record_set_free(set);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    memcpy(set->folder, folder, size);
    *out = set;
    return CAROM_OK;
}

void carom_record_set_free(carom_record_set *set) {
    if (set == NULL) {
        return;
    }
    while (set->first != NULL) {
        member *next = set->first->next;
        carom_reader_close(set->first->reader);
        free(set->first);
        set->first = next;
    }
    free(set->folder);
    free(set);
}

/* Letters that make a file name and no path. */
static carom_status check_name(const char *name) {
    const size_t length =
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.");
    const bool is_proper = length > 0 && length < NAME_SIZE && name[length] == '\0';
    return is_proper ? CAROM_OK : CAROM_STATUS_BAD_FORMAT;
}

/* Open FOLDER/NAME.h5 and put it in front of the list. */
static carom_status add_member(carom_record_set *set, const char *name) {
    char path[FILE_SIZE];
    const int length = snprintf(path, sizeof path, "%s/%s.h5", set->folder, name);
    if (length < 0 || length >= (int)sizeof path) {
        return CAROM_STATUS_IO;
    }
    carom_reader *reader = NULL;
    CAROM_TRY(carom_reader_open(path, &reader));
    member *added = calloc(1, sizeof *added);
    if (added == NULL) {
        carom_reader_close(reader);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    snprintf(added->name, sizeof added->name, "%s", name);
    added->reader = reader;
    added->next = set->first;
    set->first = added;
    return CAROM_OK;
}

/* The open record of that name. */
static carom_status find_reader(carom_record_set *set, const char *name, carom_reader **reader) {
    CAROM_TRY(check_name(name));
    for (const member *item = set->first; item != NULL; item = item->next) {
        if (strcmp(item->name, name) == 0) {
            *reader = item->reader;
            return CAROM_OK;
        }
    }
    CAROM_TRY(add_member(set, name));
    *reader = set->first->reader;
    return CAROM_OK;
}

carom_status carom_record_set_number(carom_record_set *set, const char *name, const char *reference,
                                     double *value) {
    CAROM_ASSERT(set != NULL && name != NULL && reference != NULL && value != NULL);
    *value = NAN;

    /* "other:/path" names another record; a path itself begins with a slash. */
    char other[NAME_SIZE];
    const char *colon = reference[0] == '/' ? NULL : strchr(reference, ':');
    if (colon != NULL) {
        const size_t length = (size_t)(colon - reference);
        if (length >= sizeof other) {
            return CAROM_STATUS_BAD_FORMAT;
        }
        memcpy(other, reference, length);
        other[length] = '\0';
        name = other;
        reference = colon + 1;
    }

    carom_reader *reader = NULL;
    CAROM_TRY(find_reader(set, name, &reader));
    const carom_status status = carom_reader_number(reader, reference, value);
    if (status != CAROM_OK) {
        *value = NAN;
    }
    return status;
}

const char *carom_record_set_sentence(carom_status status) {
    switch (status) {
    case CAROM_STATUS_IO:
        return "the record is missing or unreadable";
    case CAROM_STATUS_NOT_FOUND:
        return "the record has no such path";
    case CAROM_STATUS_OUT_OF_RANGE:
        return "the index is outside the dataset";
    case CAROM_STATUS_BAD_FORMAT:
        return "the path is malformed or does not name a single number";
    default:
        return carom_status_sentence(status);
    }
}
