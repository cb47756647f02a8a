/** Shared by the files that write and read records: silence of HDF5, one file being written. */
#ifndef CAROM_RECORD_INTERNAL_H
#define CAROM_RECORD_INTERNAL_H

#include <carom/record/number_file.h>
#include <carom/record/reader.h>
#include <carom/record/record.h>
#include <carom/record/text.h>

#include <hdf5.h>
#include <stdatomic.h>

/* ----------------------------------------------------------------------------------- hdf5 guard */
/* Silence of HDF5 inside one call: its automatic error printing is off between begin and end. */

/** The error printer found at the beginning, to be put back at the end. */
typedef struct carom_hdf5_guard {
    H5E_auto2_t function; /**< printer of the caller, NULL if none */
    void *data;           /**< its argument */
} carom_hdf5_guard;

/** Switch the printer off and remember it. */
static inline carom_hdf5_guard carom_hdf5_guard_begin(void) {
    carom_hdf5_guard guard = {NULL, NULL};
    H5Eget_auto2(H5E_DEFAULT, &guard.function, &guard.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return guard;
}

/** Put the printer back. */
static inline void carom_hdf5_guard_end(carom_hdf5_guard guard) {
    H5Eset_auto2(H5E_DEFAULT, guard.function, guard.data);
}

/* ----------------------------------------------------------------------------------- the reader */

/** As carom_reader_dataset, of files of others: units are "", since HDF5 ends the program with a
 * segmentation fault where the text of an attribute is damaged. */
CAROM_MUST_CHECK carom_status carom_reader_numbers(carom_reader *reader, const char *path,
                                                   carom_dataset *out);

/* ----------------------------------------------------------------------------------- the writer */
/* What a record, its groups and its recorders share. */

/** Longest path of a dataset, with its terminating zero and one that tells whether it was cut. */
#define CAROM_RECORD_PATH_SIZE 256

/** Characters kept of what failed where, and of HDF5's cause, with their terminating zeros. */
#define CAROM_RECORD_CAUSE_SIZE (CAROM_RECORD_PATH_SIZE + 64)
#define CAROM_RECORD_FAILURE_SIZE (CAROM_RECORD_PATH_SIZE + CAROM_RECORD_CAUSE_SIZE)

/** Rows in a chunk of a data set that grows: 8 kB a column, few against the rows of a long run. */
#define CAROM_RECORD_CHUNK_ROWS 1024

/** What all groups of a record share. */
typedef struct carom_record_file {
    carom_record root;                        /**< what the user holds */
    carom_work_file *work;                    /**< owned; holds the place on disk */
    hid_t id;                                 /**< HDF5 file, below zero if none */
    atomic_int written;                       /**< data sets so far */
    int recorders;                            /**< begun and not ended */
    carom_status failure;                     /**< first failure of a write, CAROM_OK if none */
    char sentence[CAROM_RECORD_FAILURE_SIZE]; /**< what failed where, "" if nothing */
    char cause[CAROM_RECORD_CAUSE_SIZE];      /**< what HDF5 says of the write under way, or "" */
    int error_number;                         /**< why the system refused a write, 0: it has not */
    void *driven;                             /**< owned; the file as HDF5 sees it */
    bool is_dropped;                          /**< nothing is written: made without a path */
    const char *wanted; /**< borrowed; a data set whose name is no word of this text is checked, and
                           left out unless it is an axis; NULL: none is */
    carom_number_file *numbers; /**< owned; what is written where something is wanted, in place of
                                   an HDF5 file; else NULL */
} carom_record_file;

/**
 * Start a record of the numbers that are wanted alone (number_file.h), as carom_record_create.
 *
 * @param[in] wanted as in carom_record_file
 */
CAROM_MUST_CHECK carom_status carom_record_create_wanted(const char *path, const char *wanted,
                                                         carom_record **out);

/** Whether data sets of a name are written: it is a word of what is wanted. */
bool carom_record_is_wanted(const carom_record_file *file, const char *name);

/** Whether a write has nothing to do: one has failed, or none is wanted. */
static inline bool carom_record_is_idle(const carom_record_file *file) {
    return file->failure != CAROM_OK || file->is_dropped;
}

/**
 * Make the HDF5 file of a record inside its work file; default format, for identical bytes. It
 * grows on disk. A write that the system refuses is kept as the record's error_number, and HDF5
 * goes on.
 *
 * @param[in,out] file with its work file; `id` and `driven` are set, the latter to be freed by
 *                     carom_record_driver_free after the HDF5 file is closed
 * @return CAROM_OK; IO; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_record_driver_create(carom_record_file *file);

/** Free what makes the HDF5 file of a record, which is closed. */
void carom_record_driver_free(carom_record_file *file);

/** The path inside the file of a path of a record or group; returns `full`. One that is too long is
 * cut to the full size, and refused where it is used. */
const char *carom_record_join(const carom_record *record, const char *path,
                              char full[CAROM_RECORD_PATH_SIZE]);

/** BAD_FORMAT unless a path is absolute, without empty parts, and not the root. */
carom_status carom_record_check_path(const char *path);

/** Silence of HDF5 inside one write, as carom_hdf5_guard_begin, which keeps the first error as the
 * record's cause. */
carom_hdf5_guard carom_record_guard_begin(carom_record_file *file);

/** Remember the first failure and the path it is about, so that a half-written record cannot be
 * committed. */
void carom_record_remember(carom_record *record, const char *path, carom_status status);

/** Entries of an axis; 0 with the failure of the data set that was to stand over it. */
int carom_record_axis_length(carom_record *record, const char *dataset, const char *axis);

/** Rows of a data set that are written in one call: the first block makes it, later ones go on. */
typedef struct carom_record_block {
    int first; /**< row of the data set */
    int count; /**< rows handed in, >= 1 */
    int total; /**< rows that the data set will have; 0: not known, it grows */
} carom_record_block;

/** Axes of a data set, as of carom_record_series. */
typedef struct carom_record_axes {
    const char *row;
    const char *column; /**< or NULL */
} carom_record_axes;

/** As carom_record_axis, for some of its rows. */
void carom_record_block_axis(carom_record *record, const char *path,
                             const carom_record_block *block, const double *values,
                             const char *units, const char *long_name);

/** As carom_record_index_axis, for some of its rows. */
void carom_record_block_index_axis(carom_record *record, const char *path,
                                   const carom_record_block *block, const char *long_name);

/** As carom_record_series or, of int, carom_record_integer_series, for some rows; the row axis has
 * grown already. A block of NULL is all rows. */
void carom_record_block_series(carom_record *record, const char *path,
                               const carom_record_block *block, const void *values, bool is_integer,
                               const carom_record_axes *axes, const char *units,
                               const char *long_name);

/** Rows of the data sets with this block. */
int carom_record_block_extent(const carom_record_block *block);

/** Rows that a recorder writes next, of `left` that are there, which then count as written: at most
 * to the end of a chunk, so that the bytes do not depend on the blocks. None if the record has
 * failed, or fails because they are too many. */
carom_record_block carom_recorder_next(carom_recorder *recorder, int left);

/** BAD_FORMAT unless the text is proper UTF-8. */
carom_status carom_record_check_text(const char *text);

/**
 * Write a text attribute of an open object, of variable length in UTF-8, replacing one of the same
 * name. HDF5 errors must be silenced by the caller.
 */
carom_status carom_record_write_attribute(hid_t object, const char *name, const char *text);

/** The type of a UTF-8 text of variable length; below zero on failure. */
hid_t carom_record_text_type(void);

/* --------------------------------------------------------------------------------- for programs */
/* What the frame of programs asks of a record under way. */

/** Name of the work file beside `path`, borrowed until commit or discard. */
const char *carom_record_work_file(const carom_record *record);

/** Bytes that the disk of the record still takes; infinite where it does not say. */
double carom_record_room(const carom_record *record);

/** Data sets written so far; may be asked from another thread than the one that writes. */
int carom_record_written(const carom_record *record);

/**
 * Give every group without a long_name the one that `describe` knows for its path; the root is left
 * to its title.
 *
 * @param[in,out] record   open record
 * @param[in]     describe a static text for the path of a group, NULL if it knows none
 */
void carom_record_describe_groups(carom_record *record, const char *(*describe)(const char *));

#endif
