#include <carom/record/internal.h>

#include <ctype.h>
#include <errno.h>
#include <hdf5_hl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The word by which a long name admits what is not applicable. */
#define NAN_WORD "NaN"

/* What one dataset is made of. */
typedef struct dataset_spec {
    const char *path;
    hid_t file_type;   /* little-endian, as stored */
    hid_t memory_type; /* as handed in */
    bool is_axis;      /* never left out: it gives others their shape */
    int rank;
    hsize_t extent[CAROM_RECORD_MOST_AXES];
    const carom_record_block *block; /* rows of it that are handed in; NULL: all */
    const void *values;
    const char *units; /* NULL: text, without units */
    const char *long_name;
} dataset_spec;

/* Numbers as they are stored: a scalar until it has a rank. */
static dataset_spec spec_of_numbers(const char *path, bool is_integer, const void *values,
                                    const char *units, const char *long_name) {
    return (dataset_spec){
        .path = path,
        .file_type = is_integer ? H5T_STD_I32LE : H5T_IEEE_F64LE,
        .memory_type = is_integer ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE,
        .values = values,
        .units = units,
        .long_name = long_name,
    };
}

/* Numbers in some rows of a dataset, or the number itself. */
static size_t count_numbers(const dataset_spec *spec, hsize_t rows) {
    size_t count = spec->rank == 0 ? 1 : (size_t)rows;
    for (int i = 1; i < spec->rank; ++i) {
        count *= (size_t)spec->extent[i];
    }
    return count;
}

/* Whether rows stand there already. */
static bool is_continued(const dataset_spec *spec) {
    return spec->block != NULL && spec->block->first > 0;
}

/* Whether it is not known yet how many rows there will be. */
static bool is_growing(const dataset_spec *spec) {
    return spec->block != NULL && spec->block->total == 0;
}

/* Every number is finite, or a NaN that is explained; the cause names the first that is not. */
static carom_status check_numbers(carom_record_file *file, const dataset_spec *spec) {
    if (spec->memory_type != H5T_NATIVE_DOUBLE) {
        return CAROM_OK;
    }
    const bool may_be_nan = strstr(spec->long_name, NAN_WORD) != NULL;
    const bool has_all = spec->block == NULL;
    const size_t count =
        count_numbers(spec, has_all ? spec->extent[0] : (hsize_t)spec->block->count);
    const size_t before = has_all ? 0 : count_numbers(spec, (hsize_t)spec->block->first);
    const double *values = spec->values;
    for (size_t i = 0; i < count; ++i) {
        if (isinf(values[i]) || (isnan(values[i]) && !may_be_nan)) {
            snprintf(file->cause, sizeof file->cause, "value %zu of %zu is %s", before + i + 1,
                     count_numbers(spec, spec->extent[0]), isnan(values[i]) ? "NaN" : "infinite");
            return CAROM_STATUS_NOT_FINITE;
        }
    }
    return CAROM_OK;
}

/* Last part of a path: the name of an axis. */
static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Create without time stamps, with the groups on the way; in chunks of rows if it is to grow. */
static hid_t create_dataset(hid_t file, const dataset_spec *spec) {
    const hsize_t most[2] = {H5S_UNLIMITED, spec->extent[1]};
    const hsize_t chunk[2] = {CAROM_RECORD_CHUNK_ROWS, spec->extent[1]};
    const bool grows = is_growing(spec);
    const hid_t space = H5Screate_simple(spec->rank, spec->extent, grows ? most : NULL);
    const hid_t link = H5Pcreate(H5P_LINK_CREATE);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    hid_t dataset = -1;
    if (H5Pset_create_intermediate_group(link, 1) >= 0 &&
        H5Pset_obj_track_times(creation, false) >= 0 &&
        (!grows || H5Pset_chunk(creation, spec->rank, chunk) >= 0)) {
        dataset = H5Dcreate2(file, spec->path, spec->file_type, space, link, creation, H5P_DEFAULT);
    }
    H5Pclose(creation);
    H5Pclose(link);
    H5Sclose(space);
    return dataset;
}

/* Open what the first block made, with room for the rows of this one. */
static hid_t continue_dataset(hid_t file, const dataset_spec *spec) {
    const hid_t dataset = H5Dopen2(file, spec->path, H5P_DEFAULT);
    if (is_growing(spec) && H5Dset_extent(dataset, spec->extent) < 0) {
        H5Dclose(dataset);
        return -1;
    }
    return dataset;
}

/* HDF5 clears its buffers for conversion, two megabytes unless told otherwise, for every text: they
 * alone are converted. */
enum { CONVERSION_BYTES = 4096 };

/* Write all values, or the rows of the block. */
static carom_status write_values(hid_t dataset, const dataset_spec *spec) {
    hid_t rows = H5S_ALL;
    hid_t memory = H5S_ALL;
    if (spec->block != NULL && (hsize_t)spec->block->count < spec->extent[0]) {
        const hsize_t first[2] = {(hsize_t)spec->block->first, 0};
        const hsize_t count[2] = {(hsize_t)spec->block->count, spec->extent[1]};
        memory = H5Screate_simple(spec->rank, count, NULL);
        rows = H5Dget_space(dataset);
        H5Sselect_hyperslab(rows, H5S_SELECT_SET, first, NULL, count, NULL);
    }
    const hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
    herr_t code = H5Pset_buffer(transfer, CONVERSION_BYTES, NULL, NULL);
    if (code >= 0) {
        code = H5Dwrite(dataset, spec->memory_type, memory, rows, transfer, spec->values);
    }
    H5Pclose(transfer);
    if (rows != H5S_ALL) {
        H5Sclose(rows);
        H5Sclose(memory);
    }
    return code < 0 ? CAROM_STATUS_IO : CAROM_OK;
}

/* Whether a letter may belong to the name of a dataset. */
static bool is_of_name(char letter) {
    return letter == '_' || isalnum((unsigned char)letter);
}

bool carom_record_is_wanted(const carom_record_file *file, const char *name) {
    if (file->wanted == NULL) {
        return true;
    }
    const size_t length = strlen(name);
    const char *found = strstr(file->wanted, name);
    while (found != NULL &&
           (is_of_name(found[length]) || (found > file->wanted && is_of_name(found[-1])))) {
        found = strstr(found + 1, name);
    }
    return found != NULL;
}

/* Put the numbers into a file of numbers alone. */
static carom_status add_numbers(carom_record_file *file, const dataset_spec *spec) {
    const bool is_text = spec->units == NULL;
    const hsize_t rows =
        spec->block != NULL ? (hsize_t)spec->block->count : (spec->rank > 0 ? spec->extent[0] : 1);
    const carom_number_entry entry = {
        .path = spec->path,
        .units = spec->units,
        .values = spec->values,
        .count = is_text || spec->rank > 2 ? 0 : count_numbers(spec, rows),
        .is_integer = spec->memory_type == H5T_NATIVE_INT,
        .is_axis = spec->is_axis,
        .is_continued = is_continued(spec),
        .rank = is_text ? -1 : spec->rank,
        .rows = spec->rank > 0 ? (int)spec->extent[0] : 1,
        .columns = spec->rank > 1 ? (int)spec->extent[1] : 1,
    };
    const carom_status status = carom_number_file_add(file->numbers, &entry);
    if (status == CAROM_STATUS_CONFLICT) {
        snprintf(file->cause, sizeof file->cause, "name already exists");
    }
    if (status == CAROM_STATUS_IO) {
        file->error_number = errno;
    }
    return status == CAROM_STATUS_CONFLICT ? CAROM_STATUS_IO : status;
}

/* Close what may not be open. */
static void close_dataset(hid_t dataset) {
    if (dataset >= 0) {
        H5Dclose(dataset);
    }
}

/* Create, fill and describe, or continue; the caller closes the dataset, below zero if it is left
 * out, also on failure. */
static carom_status write_dataset(carom_record_file *file, const dataset_spec *spec,
                                  hid_t *dataset) {
    *dataset = -1;
    CAROM_TRY(carom_record_check_path(spec->path));
    CAROM_TRY(carom_record_check_text(spec->long_name));
    CAROM_TRY(spec->units == NULL ? CAROM_OK : carom_record_check_text(spec->units));
    CAROM_TRY(check_numbers(file, spec));
    if (!spec->is_axis && !carom_record_is_wanted(file, base_name(spec->path))) {
        return CAROM_OK;
    }
    if (file->numbers != NULL) {
        return add_numbers(file, spec);
    }
    if (is_continued(spec)) {
        *dataset = continue_dataset(file->id, spec);
        return *dataset < 0 ? CAROM_STATUS_IO : write_values(*dataset, spec);
    }
    *dataset = create_dataset(file->id, spec);
    CAROM_TRY(*dataset < 0 ? CAROM_STATUS_IO : write_values(*dataset, spec));
    atomic_fetch_add(&file->written, 1);
    if (spec->units != NULL) {
        CAROM_TRY(carom_record_write_attribute(*dataset, "units", spec->units));
    }
    return carom_record_write_attribute(*dataset, "long_name", spec->long_name);
}

/* A dataset without axes: a scalar, or an axis itself, which is a dimension scale under its own
 * name. */
static void write_alone(carom_record *record, dataset_spec *spec) {
    carom_record_file *file = record->file;
    if (carom_record_is_idle(file)) {
        return;
    }
    char path[CAROM_RECORD_PATH_SIZE];
    spec->path = carom_record_join(record, spec->path, path);
    const carom_hdf5_guard guard = carom_record_guard_begin(file);
    hid_t dataset = -1;
    spec->is_axis = spec->rank == 1;
    carom_status status = write_dataset(file, spec, &dataset);
    if (status == CAROM_OK && spec->is_axis && dataset >= 0 && !is_continued(spec) &&
        H5DSset_scale(dataset, base_name(spec->path)) < 0) {
        status = CAROM_STATUS_IO;
    }
    close_dataset(dataset);
    carom_hdf5_guard_end(guard);
    carom_record_remember(record, spec->path, status);
}

void carom_record_scalar(carom_record *record, const char *path, double value, const char *units,
                         const char *long_name) {
    CAROM_ASSERT(record != NULL && units != NULL && long_name != NULL);
    dataset_spec spec = spec_of_numbers(path, false, &value, units, long_name);
    write_alone(record, &spec);
}

void carom_record_integer(carom_record *record, const char *path, int value, const char *units,
                          const char *long_name) {
    CAROM_ASSERT(record != NULL && units != NULL);
    dataset_spec spec = spec_of_numbers(path, true, &value, units, long_name);
    write_alone(record, &spec);
}

void carom_record_string(carom_record *record, const char *path, const char *text,
                         const char *long_name) {
    CAROM_ASSERT(record != NULL);
    const carom_status status = carom_record_check_text(text);
    if (status != CAROM_OK) {
        carom_record_remember(record, path, status);
        return;
    }
    const hid_t type = carom_record_text_type();
    dataset_spec spec = {
        .path = path,
        .file_type = type,
        .memory_type = type,
        .values = &text,
        .long_name = long_name,
    };
    write_alone(record, &spec);
    H5Tclose(type);
}

void carom_record_block_axis(carom_record *record, const char *path,
                             const carom_record_block *block, const double *values,
                             const char *units, const char *long_name) {
    CAROM_ASSERT(record != NULL && block->count >= 1 && values != NULL && units != NULL);
    dataset_spec spec = spec_of_numbers(path, false, values, units, long_name);
    spec.rank = 1;
    spec.extent[0] = (hsize_t)carom_record_block_extent(block);
    spec.block = block;
    write_alone(record, &spec);
}

void carom_record_axis(carom_record *record, const char *path, int count, const double *values,
                       const char *units, const char *long_name) {
    const carom_record_block all = {.count = count, .total = count};
    carom_record_block_axis(record, path, &all, values, units, long_name);
}

void carom_record_block_index_axis(carom_record *record, const char *path,
                                   const carom_record_block *block, const char *long_name) {
    CAROM_ASSERT(record != NULL && block->count >= 1);
    int values[CAROM_RECORD_CHUNK_ROWS];
    const int end = block->first + block->count;
    for (int first = block->first, count = 0; first < end; first += count) {
        const int left = end - first;
        count = left < CAROM_RECORD_CHUNK_ROWS ? left : CAROM_RECORD_CHUNK_ROWS;
        for (int i = 0; i < count; ++i) {
            values[i] = first + i;
        }
        const carom_record_block piece = {first, count, block->total};
        dataset_spec spec = spec_of_numbers(path, true, values, "1", long_name);
        spec.rank = 1;
        spec.extent[0] = (hsize_t)carom_record_block_extent(&piece);
        spec.block = &piece;
        write_alone(record, &spec);
    }
}

void carom_record_index_axis(carom_record *record, const char *path, int count,
                             const char *long_name) {
    const carom_record_block all = {.count = count, .total = count};
    carom_record_block_index_axis(record, path, &all, long_name);
}

/* Open an axis written before and read its length. */
static carom_status open_axis(carom_record *record, const char *path, hid_t *axis,
                              hsize_t *extent) {
    char full[CAROM_RECORD_PATH_SIZE];
    carom_record_file *file = record->file;
    carom_record_join(record, path, full);
    if (file->numbers != NULL) {
        const int length = carom_number_file_axis(file->numbers, full);
        *axis = -1;
        *extent = length < 0 ? 0 : (hsize_t)length;
        if (length >= 0) {
            return CAROM_OK;
        }
    } else {
        *axis = H5Dopen2(file->id, full, H5P_DEFAULT);
    }
    if (*axis < 0 || H5DSis_scale(*axis) <= 0) {
        snprintf(file->cause, sizeof file->cause, "there is no axis %s", full);
        return CAROM_STATUS_NOT_FOUND;
    }
    const hid_t space = H5Dget_space(*axis);
    const int rank = H5Sget_simple_extent_dims(space, extent, NULL);
    H5Sclose(space);
    return rank == 1 ? CAROM_OK : CAROM_STATUS_IO;
}

int carom_record_axis_length(carom_record *record, const char *dataset, const char *path) {
    const carom_hdf5_guard guard = carom_record_guard_begin(record->file);
    hid_t axis = -1;
    hsize_t extent = 0;
    const carom_status status = open_axis(record, path, &axis, &extent);
    close_dataset(axis);
    carom_hdf5_guard_end(guard);
    carom_record_remember(record, dataset, status);
    return status == CAROM_OK ? (int)extent : 0;
}

/* Bind axis number `index` of a dataset to its scale and name it. */
static carom_status attach_axis(hid_t dataset, hid_t axis, const char *path, unsigned index) {
    const bool is_attached = H5DSattach_scale(dataset, axis, index) >= 0 &&
                             H5DSset_label(dataset, index, base_name(path)) >= 0;
    return is_attached ? CAROM_OK : CAROM_STATUS_IO;
}

/* Write a dataset over its axes; spec comes without rank and extent. */
static void write_over(carom_record *record, dataset_spec *spec, int axis_count,
                       const char *const *paths) {
    CAROM_ASSERT(axis_count >= 1 && axis_count <= CAROM_RECORD_MOST_AXES);
    carom_record_file *file = record->file;
    if (carom_record_is_idle(file)) {
        return;
    }
    char path[CAROM_RECORD_PATH_SIZE];
    spec->path = carom_record_join(record, spec->path, path);
    const carom_hdf5_guard guard = carom_record_guard_begin(file);
    hid_t axes[CAROM_RECORD_MOST_AXES];
    hid_t dataset = -1;
    carom_status status = CAROM_OK;

    /* The axes give the shape. */
    spec->rank = axis_count;
    int opened = 0;
    for (; opened < axis_count && status == CAROM_OK; ++opened) {
        status = open_axis(record, paths[opened], &axes[opened], &spec->extent[opened]);
    }
    if (status == CAROM_OK) {
        status = write_dataset(file, spec, &dataset);
    }
    const bool is_made = dataset >= 0 && !is_continued(spec);
    for (int i = 0; i < axis_count && status == CAROM_OK && is_made; ++i) {
        status = attach_axis(dataset, axes[i], paths[i], (unsigned)i);
    }

    close_dataset(dataset);
    while (opened > 0) {
        close_dataset(axes[--opened]);
    }
    carom_hdf5_guard_end(guard);
    carom_record_remember(record, spec->path, status);
}

void carom_record_block_series(carom_record *record, const char *path,
                               const carom_record_block *block, const void *values, bool is_integer,
                               const carom_record_axes *axes, const char *units,
                               const char *long_name) {
    CAROM_ASSERT(record != NULL && values != NULL && axes->row != NULL && units != NULL);
    dataset_spec spec = spec_of_numbers(path, is_integer, values, units, long_name);
    spec.block = block;
    const char *const paths[] = {axes->row, axes->column};
    write_over(record, &spec, axes->column == NULL ? 1 : 2, paths);
}

void carom_record_array(carom_record *record, const char *path, const double *values,
                        int axis_count, const char *const *axes, const char *units,
                        const char *long_name) {
    CAROM_ASSERT(record != NULL && values != NULL && units != NULL);
    dataset_spec spec = spec_of_numbers(path, false, values, units, long_name);
    write_over(record, &spec, axis_count, axes);
}

void carom_record_integer_array(carom_record *record, const char *path, const int *values,
                                int axis_count, const char *const *axes, const char *units,
                                const char *long_name) {
    CAROM_ASSERT(record != NULL && values != NULL && units != NULL);
    dataset_spec spec = spec_of_numbers(path, true, values, units, long_name);
    write_over(record, &spec, axis_count, axes);
}

void carom_record_texts(carom_record *record, const char *path, const char *const *texts,
                        const char *axis, const char *long_name) {
    CAROM_ASSERT(record != NULL && texts != NULL);
    if (carom_record_is_idle(record->file)) {
        return;
    }
    const int count = carom_record_axis_length(record, path, axis);
    for (int i = 0; i < count; ++i) {
        carom_record_remember(record, path, carom_record_check_text(texts[i]));
    }
    const hid_t type = carom_record_text_type();
    dataset_spec spec = {
        .path = path,
        .file_type = type,
        .memory_type = type,
        .values = texts,
        .long_name = long_name,
    };
    write_over(record, &spec, 1, &axis);
    H5Tclose(type);
}

void carom_record_series(carom_record *record, const char *path, const double *values,
                         const char *row_axis, const char *column_axis, const char *units,
                         const char *long_name) {
    const carom_record_axes axes = {row_axis, column_axis};
    carom_record_block_series(record, path, NULL, values, false, &axes, units, long_name);
}

void carom_record_integer_series(carom_record *record, const char *path, const int *values,
                                 const char *row_axis, const char *column_axis, const char *units,
                                 const char *long_name) {
    const carom_record_axes axes = {row_axis, column_axis};
    carom_record_block_series(record, path, NULL, values, true, &axes, units, long_name);
}
