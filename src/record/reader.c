#include <carom/record/reader.h>

#include <carom/record/internal.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longest "OBJECT" of "OBJECT@ATTRIBUTE", with its terminating zero. */
#define OBJECT_PATH_SIZE 256

struct carom_reader {
    hid_t file;
    carom_number_list *numbers; /* in place of an HDF5 file; else NULL */
};

/* Whether the file can be read at all, before HDF5 looks at it. */
static bool is_readable(const char *path) {
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        return false;
    }
    unsigned char byte = 0;
    const bool is_read = fread(&byte, 1, 1, stream) == 1 || ferror(stream) == 0;
    fclose(stream);
    return is_read;
}

carom_status carom_reader_open(const char *path, carom_reader **out) {
    CAROM_ASSERT(path != NULL && out != NULL);
    *out = NULL;
    if (!is_readable(path)) {
        return CAROM_STATUS_IO;
    }
    carom_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    reader->file = -1;
    carom_status status = carom_number_list_load(path, &reader->numbers);
    if (status == CAROM_STATUS_BAD_FORMAT) {
        const carom_hdf5_guard guard = carom_hdf5_guard_begin();
        reader->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
        carom_hdf5_guard_end(guard);
        status = reader->file >= 0 ? CAROM_OK : CAROM_STATUS_BAD_FORMAT;
    }
    if (status != CAROM_OK) {
        free(reader);
        return status;
    }
    *out = reader;
    return CAROM_OK;
}

void carom_reader_close(carom_reader *reader) {
    if (reader == NULL) {
        return;
    }
    if (reader->numbers == NULL) {
        const carom_hdf5_guard guard = carom_hdf5_guard_begin();
        H5Fclose(reader->file);
        carom_hdf5_guard_end(guard);
    }
    carom_number_list_free(reader->numbers);
    free(reader);
}

/* Longest number of any machine, bytes. */
enum { NUMBER_SIZE = 16 };

/* Numbers only: no text, no compound, no references; of bits that HDF5 does not check, and of a
 * size that is one: HDF5 fills what a damaged one asks for. */
static bool is_numeric(hid_t dataset) {
    const hid_t type = H5Dget_type(dataset);
    const H5T_class_t class = H5Tget_class(type);
    bool is_number =
        (class == H5T_INTEGER || class == H5T_FLOAT) && H5Tget_size(type) <= NUMBER_SIZE;
    if (is_number) {
        const size_t room = 8 * H5Tget_size(type);
        const int first = H5Tget_offset(type);
        const size_t bits = H5Tget_precision(type);
        is_number = first >= 0 && bits >= 1 && bits <= room && (size_t)first <= room - bits;
    }
    H5Tclose(type);
    return is_number;
}

/* Open a dataset of any kind; a group is not malformed data but the wrong kind of thing. */
static carom_status open_dataset(hid_t file, const char *path, hid_t *dataset) {
    *dataset = -1;
    const hid_t object = H5Oopen(file, path, H5P_DEFAULT);
    if (object < 0) {
        return CAROM_STATUS_NOT_FOUND;
    }
    if (H5Iget_type(object) != H5I_DATASET) {
        H5Oclose(object);
        return CAROM_STATUS_BAD_FORMAT;
    }
    *dataset = object;
    return CAROM_OK;
}

/* Rank and extents of a numeric dataset of rank 0 to 2. */
static carom_status read_shape(hid_t dataset, int *rank, int extent[2]) {
    extent[0] = 1;
    extent[1] = 1;
    const hid_t space = H5Dget_space(dataset);
    const bool is_filled = H5Sget_simple_extent_type(space) != H5S_NULL;
    hsize_t extents[H5S_MAX_RANK];
    *rank = H5Sget_simple_extent_dims(space, extents, NULL);
    H5Sclose(space);
    if (!is_filled || *rank < 0 || *rank > 2 || !is_numeric(dataset)) {
        return CAROM_STATUS_BAD_FORMAT;
    }
    for (int axis = 0; axis < *rank; ++axis) {
        if (extents[axis] > INT_MAX) {
            return CAROM_STATUS_BAD_FORMAT;
        }
        extent[axis] = (int)extents[axis];
    }
    return CAROM_OK;
}

/* Copy a text attribute or dataset, stored with fixed or variable length, into `text`. */
static carom_status read_text(hid_t object, bool is_attribute, int size, char *text) {
    const hid_t type = is_attribute ? H5Aget_type(object) : H5Dget_type(object);
    const hid_t space = is_attribute ? H5Aget_space(object) : H5Dget_space(object);
    const bool is_one_text =
        H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_npoints(space) == 1;
    const bool is_variable = is_one_text && H5Tis_variable_str(type) > 0;
    carom_status status = CAROM_STATUS_BAD_FORMAT;
    char *content = NULL;

    if (is_one_text) {
        /* In memory with a terminating zero, whatever the padding of the file. */
        const size_t length = H5Tget_size(type);
        const hid_t memory = H5Tcopy(H5T_C_S1);
        H5Tset_cset(memory, H5Tget_cset(type));
        H5Tset_size(memory, is_variable ? H5T_VARIABLE : length + 1);
        content = is_variable ? NULL : calloc(1, length + 1);
        void *target = is_variable ? (void *)&content : (void *)content;
        status = CAROM_STATUS_OUT_OF_MEMORY;
        if (target != NULL) {
            const herr_t code =
                is_attribute ? H5Aread(object, memory, target)
                             : H5Dread(object, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, target);
            status = code < 0 ? CAROM_STATUS_BAD_FORMAT : CAROM_OK;
        }
        H5Tclose(memory);
    }
    if (status == CAROM_OK) {
        const char *source = content == NULL ? "" : content;
        const size_t length = strlen(source);
        status = length < (size_t)size ? CAROM_OK : CAROM_STATUS_OUT_OF_RANGE;
        if (status == CAROM_OK) {
            memcpy(text, source, length + 1);
        }
    }
    if (is_variable) {
        H5free_memory(content);
    } else {
        free(content);
    }
    H5Sclose(space);
    H5Tclose(type);
    return status;
}

/* The text attribute of an object. */
static carom_status read_attribute(hid_t object, const char *name, int size, char *text) {
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) {
        return CAROM_STATUS_NOT_FOUND;
    }
    const carom_status status = read_text(attribute, true, size, text);
    H5Aclose(attribute);
    return status;
}

/* Fill the numbers of an open dataset of known shape. */
static carom_status read_values(hid_t dataset, carom_dataset *out) {
    const size_t rows = (size_t)out->rows;
    const size_t columns = (size_t)out->columns;
    if (columns != 0 && rows > SIZE_MAX / sizeof(double) / columns) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t count = rows * columns;
    out->values = malloc((count > 0 ? count : 1) * sizeof(double));
    if (out->values == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    if (H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out->values) < 0) {
        return CAROM_STATUS_BAD_FORMAT;
    }
    return CAROM_OK;
}

/* A dataset, with its units or without a look at them. */
static carom_status read_dataset(carom_reader *reader, const char *path, bool has_units,
                                 carom_dataset *out) {
    memset(out, 0, sizeof *out);
    if (path[0] != '/') {
        return CAROM_STATUS_BAD_FORMAT;
    }
    if (reader->numbers != NULL) {
        return carom_number_list_dataset(reader->numbers, path, out);
    }
    const carom_hdf5_guard guard = carom_hdf5_guard_begin();
    hid_t dataset = -1;
    int extent[2] = {1, 1};
    carom_status status = open_dataset(reader->file, path, &dataset);
    if (status == CAROM_OK) {
        status = read_shape(dataset, &out->rank, extent);
    }
    if (status == CAROM_OK) {
        out->rows = extent[0];
        out->columns = extent[1];
        status = read_values(dataset, out);
    }
    if (status == CAROM_OK && has_units &&
        read_attribute(dataset, "units", (int)sizeof out->units, out->units) != CAROM_OK) {
        out->units[0] = '\0';
    }
    H5Dclose(dataset);
    carom_hdf5_guard_end(guard);
    if (status != CAROM_OK) {
        carom_dataset_clear(out);
    }
    return status;
}

carom_status carom_reader_dataset(carom_reader *reader, const char *path, carom_dataset *out) {
    CAROM_ASSERT(reader != NULL && path != NULL && out != NULL);
    return read_dataset(reader, path, true, out);
}

carom_status carom_reader_numbers(carom_reader *reader, const char *path, carom_dataset *out) {
    CAROM_ASSERT(reader != NULL && path != NULL && out != NULL);
    return read_dataset(reader, path, false, out);
}

void carom_dataset_clear(carom_dataset *dataset) {
    free(dataset->values);
    memset(dataset, 0, sizeof *dataset);
}

/* The attribute that "OBJECT@NAME" names. */
static carom_status read_named_attribute(hid_t file, const char *path, const char *at, int size,
                                         char *text) {
    char object_path[OBJECT_PATH_SIZE] = "/";
    const size_t length = (size_t)(at - path);
    if (length >= sizeof object_path) {
        return CAROM_STATUS_BAD_FORMAT;
    }
    if (length > 0) {
        memcpy(object_path, path, length);
        object_path[length] = '\0';
    }
    const hid_t object = H5Oopen(file, object_path, H5P_DEFAULT);
    if (object < 0) {
        return CAROM_STATUS_NOT_FOUND;
    }
    const carom_status status = read_attribute(object, at + 1, size, text);
    H5Oclose(object);
    return status;
}

carom_status carom_reader_text(carom_reader *reader, const char *path, int size, char *text) {
    CAROM_ASSERT(reader != NULL && path != NULL && size >= 1 && text != NULL);
    if (path[0] != '/') {
        return CAROM_STATUS_BAD_FORMAT;
    }
    const carom_hdf5_guard guard = carom_hdf5_guard_begin();
    const char *at = strchr(path, '@');
    carom_status status = CAROM_OK;
    if (at != NULL) {
        status = read_named_attribute(reader->file, path, at, size, text);
    } else {
        hid_t dataset = -1;
        status = open_dataset(reader->file, path, &dataset);
        if (status == CAROM_OK) {
            status = read_text(dataset, false, size, text);
        }
        H5Dclose(dataset);
    }
    carom_hdf5_guard_end(guard);
    return status;
}

carom_status carom_reader_child(carom_reader *reader, const char *group, int index, int size,
                                char *name) {
    CAROM_ASSERT(reader != NULL && group != NULL && index >= 0 && size >= 1 && name != NULL);
    const carom_hdf5_guard guard = carom_hdf5_guard_begin();
    const ssize_t length = H5Lget_name_by_idx(reader->file, group, H5_INDEX_NAME, H5_ITER_INC,
                                              (hsize_t)index, name, (size_t)size, H5P_DEFAULT);
    carom_hdf5_guard_end(guard);
    if (length < 0) {
        name[0] = '\0';
        return CAROM_STATUS_NOT_FOUND;
    }
    return length < size ? CAROM_OK : CAROM_STATUS_OUT_OF_RANGE;
}
