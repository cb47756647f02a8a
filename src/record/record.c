#include <carom/record/internal.h>

#include <carom/base/base.h>
#include <carom/record/text.h>
#include <errno.h>
#include <gsl/gsl_version.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for "GSL x.y.z, HDF5 x.y.z" with any version. */
#define LIBRARIES_SIZE 128

/* Keep the innermost of HDF5's errors, which says most. */
static herr_t keep_error(unsigned number, const H5E_error2_t *error, void *data) {
    carom_record_file *file = data;
    if (number == 0 && error->desc != NULL) {
        snprintf(file->cause, sizeof file->cause, "%s", error->desc);
    }
    return 0;
}

/* Called by HDF5 at each failing call; those after the first are its consequences. */
static herr_t keep_cause(hid_t stack, void *data) {
    carom_record_file *file = data;
    if (file->cause[0] == '\0') {
        H5Ewalk2(stack, H5E_WALK_UPWARD, keep_error, file);
    }
    return 0;
}

carom_hdf5_guard carom_record_guard_begin(carom_record_file *file) {
    const carom_hdf5_guard guard = carom_hdf5_guard_begin();
    file->cause[0] = '\0';
    H5Eset_auto2(H5E_DEFAULT, keep_cause, file);
    return guard;
}

const char *carom_record_join(const carom_record *record, const char *path,
                              char full[CAROM_RECORD_PATH_SIZE]) {
    CAROM_ASSERT(record != NULL && path != NULL);
    const bool is_full = path[0] == '/';
    const int length = snprintf(full, CAROM_RECORD_PATH_SIZE, "%s%s%s",
                                is_full ? "" : record->group, is_full ? "" : "/", path);
    CAROM_ASSERT(length > 0);
    return full;
}

void carom_record_remember(carom_record *record, const char *path, carom_status status) {
    carom_record_file *file = record->file;
    if (file->error_number != 0 && status == CAROM_OK) {
        status = CAROM_STATUS_IO;
        snprintf(file->cause, sizeof file->cause, "%s", strerror(file->error_number));
    }
    if (file->failure == CAROM_OK && status != CAROM_OK) {
        char full[CAROM_RECORD_PATH_SIZE];
        file->failure = status;
        const bool has_cause = file->cause[0] != '\0' && status != CAROM_STATUS_BAD_FORMAT &&
                               status != CAROM_STATUS_OUT_OF_MEMORY;
        snprintf(file->sentence, sizeof file->sentence, "%s: %s",
                 carom_record_join(record, path, full),
                 has_cause ? file->cause : carom_status_sentence(status));
    }
}

carom_status carom_record_status(const carom_record *record) {
    CAROM_ASSERT(record != NULL);
    return record->file->failure;
}

const char *carom_record_failure(const carom_record *record) {
    CAROM_ASSERT(record != NULL);
    return record->file->sentence;
}

carom_status carom_record_check_text(const char *text) {
    CAROM_ASSERT(text != NULL);
    return carom_text_is_utf8(text) ? CAROM_OK : CAROM_STATUS_BAD_FORMAT;
}

hid_t carom_record_text_type(void) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 &&
        (H5Tset_size(type, H5T_VARIABLE) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0)) {
        H5Tclose(type);
        return -1;
    }
    return type;
}

/* Write one value as an attribute, replacing one of the same name. */
static carom_status write_attribute(hid_t object, const char *name, hid_t file_type,
                                    hid_t memory_type, const void *value) {
    const htri_t exists = H5Aexists(object, name);
    if (exists < 0 || (exists > 0 && H5Adelete(object, name) < 0)) {
        return CAROM_STATUS_IO;
    }
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool is_written = attribute >= 0 && H5Awrite(attribute, memory_type, value) >= 0;
    H5Aclose(attribute);
    H5Sclose(space);
    return is_written ? CAROM_OK : CAROM_STATUS_IO;
}

carom_status carom_record_write_attribute(hid_t object, const char *name, const char *text) {
    CAROM_TRY(carom_record_check_text(text));
    const hid_t type = carom_record_text_type();
    const carom_status status = write_attribute(object, name, type, type, &text);
    H5Tclose(type);
    return status;
}

/* Everything that determines the numbers besides the parameters. */
static carom_status write_header(hid_t file, const carom_record_header *header) {
    unsigned major = 0;
    unsigned minor = 0;
    unsigned release = 0;
    H5get_libversion(&major, &minor, &release);
    char libraries[LIBRARIES_SIZE];
    snprintf(libraries, sizeof libraries, "GSL %s, HDF5 %u.%u.%u", gsl_version, major, minor,
             release);

    const struct {
        const char *name;
        const char *text;
    } attributes[] = {
        {"title", header->title},
        {"source", header->source},
        {"schema", header->schema},
        {"carom_version", CAROM_VERSION},
        {"source_digest", header->source_digest},
        {"compiler", header->compiler},
        {"cflags", header->cflags},
        {"libraries", libraries},
    };
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; ++i) {
        CAROM_TRY(carom_record_write_attribute(file, attributes[i].name, attributes[i].text));
    }
    const unsigned long long seed = header->seed;
    return write_attribute(file, "seed", H5T_STD_U64LE, H5T_NATIVE_ULLONG, &seed);
}

/* What is written in the work file: an HDF5 file with its header, or the numbers that are wanted.
 */
static carom_status begin_file(carom_record_file *file, const carom_record_header *header) {
    if (header == NULL) {
        return carom_number_file_alloc(file->work, &file->numbers);
    }
    const carom_hdf5_guard guard = carom_hdf5_guard_begin();
    carom_status status = carom_record_driver_create(file);
    if (status == CAROM_OK) {
        status = write_header(file->id, header);
    }
    carom_hdf5_guard_end(guard);
    return status;
}

/* With a header, or with what is wanted. */
static carom_status create(const char *path, const carom_record_header *header, const char *wanted,
                           carom_record **out) {
    CAROM_ASSERT(out != NULL);
    *out = NULL;
    carom_record_file *file = calloc(1, sizeof *file);
    if (file == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    file->root.file = file;
    file->id = -1;
    file->wanted = wanted;
    if (path == NULL) {
        file->is_dropped = true;
        *out = &file->root;
        return CAROM_OK;
    }
    carom_status status = carom_work_file_open(path, &file->work);
    if (status == CAROM_OK) {
        status = begin_file(file, header);
        errno = EIO;
    }
    if (status != CAROM_OK) {
        carom_record_discard(&file->root);
        return status;
    }
    *out = &file->root;
    return CAROM_OK;
}

carom_status carom_record_create(const char *path, const carom_record_header *header,
                                 carom_record **out) {
    CAROM_ASSERT(header != NULL);
    CAROM_ASSERT(header->title != NULL && header->source != NULL && header->schema != NULL);
    CAROM_ASSERT(header->source_digest != NULL && header->compiler != NULL);
    CAROM_ASSERT(header->cflags != NULL);
    return create(path, header, NULL, out);
}

carom_status carom_record_create_wanted(const char *path, const char *wanted, carom_record **out) {
    CAROM_ASSERT(wanted != NULL);
    return create(path, NULL, wanted, out);
}

carom_record carom_record_group(carom_record *record, const char *format, ...) {
    CAROM_ASSERT(record != NULL && format != NULL);
    char path[CAROM_RECORD_PATH_SIZE];
    char full[CAROM_RECORD_PATH_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    carom_record group = {.file = record->file, .group = ""};
    if (path[0] == '\0') {
        return *record;
    }
    const size_t length = strlen(carom_record_join(record, path, full));
    const bool is_proper = length < sizeof group.group && carom_record_check_path(full) == CAROM_OK;
    if (!is_proper) {
        carom_record_remember(record, full, CAROM_STATUS_BAD_FORMAT);
        return group;
    }
    memcpy(group.group, full, length + 1);
    return group;
}

const char *carom_record_work_file(const carom_record *record) {
    CAROM_ASSERT(record != NULL);
    return carom_work_file_path(record->file->work);
}

double carom_record_room(const carom_record *record) {
    CAROM_ASSERT(record != NULL);
    const carom_work_file *work = record->file->work;
    return work != NULL ? carom_work_file_room(work) : HUGE_VAL;
}

int carom_record_written(const carom_record *record) {
    CAROM_ASSERT(record != NULL);
    return atomic_load(&record->file->written);
}

/* Close the HDF5 file: what it still holds back reaches the work file. errno says why it does not.
 */
static carom_status close_file(carom_record_file *file) {
    if (file->numbers != NULL) {
        const carom_status status = carom_number_file_flush(file->numbers);
        carom_number_file_free(file->numbers);
        file->numbers = NULL;
        return status;
    }
    const carom_hdf5_guard guard = carom_hdf5_guard_begin();
    const bool is_closed = file->id < 0 || H5Fclose(file->id) >= 0;
    carom_record_driver_free(file);
    carom_hdf5_guard_end(guard);
    file->id = -1;
    errno = file->error_number != 0 ? file->error_number : EIO;
    return is_closed && file->error_number == 0 ? CAROM_OK : CAROM_STATUS_IO;
}

/* Throw away the work file and free the record. */
static void discard(carom_record_file *file) {
    const int cause = errno;
    (void)close_file(file);
    carom_work_file_discard(file->work);
    free(file);
    errno = cause;
}

carom_status carom_record_check_path(const char *path) {
    CAROM_ASSERT(path != NULL);
    const size_t length = strlen(path);
    const bool is_proper = length >= 2 && length < CAROM_RECORD_PATH_SIZE - 1 && path[0] == '/' &&
                           path[length - 1] != '/' && strstr(path, "//") == NULL &&
                           strpbrk(path, "[]:@") == NULL;
    for (const char *letter = path; *letter != '\0'; ++letter) {
        if ((unsigned char)*letter > 0x7f) {
            return CAROM_STATUS_BAD_FORMAT;
        }
    }
    return is_proper ? CAROM_OK : CAROM_STATUS_BAD_FORMAT;
}

carom_status carom_record_commit(carom_record *record, bool *changed) {
    CAROM_ASSERT(record != NULL && record == &record->file->root);
    carom_record_file *file = record->file;
    CAROM_ASSERT(file->recorders == 0);
    if (changed != NULL) {
        *changed = false;
    }
    carom_status status = file->failure;
    errno = file->error_number != 0 ? file->error_number : EIO;
    if (file->is_dropped) {
        free(file);
        return status;
    }
    if (status == CAROM_OK) {
        status = close_file(file);
    }
    if (status != CAROM_OK) {
        discard(file);
        return status;
    }
    carom_work_file *work = file->work;
    const bool is_lasting = file->wanted == NULL;
    free(file);
    return is_lasting ? carom_work_file_commit(work, changed) : carom_work_file_rename(work);
}

void carom_record_discard(carom_record *record) {
    if (record == NULL) {
        return;
    }
    CAROM_ASSERT(record == &record->file->root);
    discard(record->file);
}
