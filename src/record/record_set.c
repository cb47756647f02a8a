#include <carom/record/expression.h>

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
    CAROM_AUTO(carom_record_set) set = calloc(1, sizeof *set);
    if (set == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t size = strlen(folder) + 1;
    set->folder = malloc(size);
    if (set->folder == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    memcpy(set->folder, folder, size);
    CAROM_HAND_OVER(set, out);
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

carom_status carom_record_set_read(void *context, const char *record, const char *path,
                                   carom_dataset *out) {
    const carom_record_choice *choice = context;
    CAROM_ASSERT(choice != NULL && choice->set != NULL && path != NULL && out != NULL);
    *out = (carom_dataset){0};
    carom_reader *reader = NULL;
    CAROM_TRY(find_reader(choice->set, record == NULL ? choice->name : record, &reader));
    return carom_reader_dataset(reader, path, out);
}

/* Data sets for an expression over this record alone. */
static carom_status read_own(void *context, const char *record, const char *path,
                             carom_dataset *out) {
    return record == NULL ? carom_reader_dataset(context, path, out) : CAROM_STATUS_IO;
}

carom_status carom_reader_number(carom_reader *reader, const char *expression, double *value) {
    CAROM_ASSERT(reader != NULL && expression != NULL && value != NULL);
    const carom_expression_scope scope = {.read = read_own, .context = reader};
    carom_expression_result result;
    *value = NAN;
    CAROM_TRY(carom_expression_number(expression, &scope, &result, NULL));
    *value = result.number;
    return CAROM_OK;
}
