/** A record of numbers alone, for a program that reads it at once and removes it: HDF5 takes longer
 * to make and to read a file than many a point of a sweep takes. carom_reader_open opens it. */
#ifndef CAROM_RECORD_NUMBER_FILE_H
#define CAROM_RECORD_NUMBER_FILE_H

#include <carom/record/reader.h>
#include <carom/record/text.h>

#include <stdbool.h>

/** A file that is being written. */
typedef struct carom_number_file carom_number_file;

/** A data set, or rows that follow those of it that are there. */
typedef struct carom_number_entry {
    const char *path; /**< from the root, shorter than CAROM_RECORD_PATH_SIZE */
    const char *units;
    const void *values; /**< [count] double, or int */
    size_t count;       /**< 0 of texts and of what has more than two axes: noted, not kept */
    bool is_integer;
    bool is_axis;      /**< others may stand over it */
    bool is_continued; /**< the rows before are there */
    int rank;          /**< below 0: a text */
    int rows;          /**< of the whole data set, 1 of a scalar */
    int columns;       /**< 1 where it has none */
} carom_number_entry;

/**
 * Begin a file inside a work file, which is borrowed.
 *
 * @param[out] out belongs to the caller
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_number_file_alloc(carom_work_file *work,
                                                      carom_number_file **out);

/** Free; NULL is accepted. The work file stays. */
void carom_number_file_free(carom_number_file *file);

/** Add a data set or rows of it. @return CAROM_OK; CONFLICT for a second one of its name, or rows
 * of none; IO, with the cause in errno; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_number_file_add(carom_number_file *file,
                                                    const carom_number_entry *entry);

/** Entries of an axis that was added, below 0 if none was. */
int carom_number_file_axis(const carom_number_file *file, const char *path);

/** Write what is still held back. @return CAROM_OK; IO, with the cause in errno */
CAROM_MUST_CHECK carom_status carom_number_file_flush(carom_number_file *file);

/** A file in memory, to be read. */
typedef struct carom_number_list carom_number_list;

/**
 * Load a file.
 *
 * @param[out] out belongs to the caller
 * @return CAROM_OK; BAD_FORMAT if it is another; IO; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_number_list_load(const char *path, carom_number_list **out);

/** Free; NULL is accepted. */
void carom_number_list_free(carom_number_list *list);

/** As carom_reader_dataset. */
CAROM_MUST_CHECK carom_status carom_number_list_dataset(const carom_number_list *list,
                                                        const char *path, carom_dataset *out);

#endif
