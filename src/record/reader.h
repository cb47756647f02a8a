/** Reading results: any dataset of a record as doubles, with its shape and units. */
#ifndef CAROM_RECORD_READER_H
#define CAROM_RECORD_READER_H

#include <carom/base/base.h>

CAROM_BEGIN_DECLARATIONS

/** A record that is open for reading. */
typedef struct carom_reader carom_reader;

/** Open a record for reading. @return CAROM_OK; IO; BAD_FORMAT if it is not HDF5; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_reader_open(const char *path, carom_reader **out);

/** Close; NULL is accepted. */
void carom_reader_close(carom_reader *reader);

/** A dataset in memory, converted to double. */
typedef struct carom_dataset {
    int rank;       /**< 0, 1 or 2 */
    int rows;       /**< 1 if rank 0 */
    int columns;    /**< 1 if rank < 2 */
    double *values; /**< [rows][columns], owned; free with carom_dataset_clear */
    char units[64]; /**< "" if it has none */
} carom_dataset;

/**
 * Read a numeric dataset of rank 0, 1 or 2.
 *
 * @param[in]  reader open record
 * @param[in]  path   "/moreau_jean/gap"
 * @param[out] out    to be cleared by carom_dataset_clear
 * @return CAROM_OK; NOT_FOUND; BAD_FORMAT if it is not numeric or of higher rank; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_reader_dataset(carom_reader *reader, const char *path,
                                                   carom_dataset *out);

/** Release the values; a zeroed dataset is accepted. */
void carom_dataset_clear(carom_dataset *dataset);

/**
 * Read one number: a rank-0 dataset "/a/b", an element "/a/b[i]" or "/a/b[i,j]" (negative i counts
 * from the end), or any expression of docs/expressions.md ("max(abs(/a/b)) / $mass").
 *
 * @return CAROM_OK; NOT_FOUND; OUT_OF_RANGE for an index outside and for an empty selection;
 * BAD_FORMAT; CONFLICT if it is a series; NOT_FINITE; OUT_OF_MEMORY; the value is then NaN
 */
CAROM_MUST_CHECK carom_status carom_reader_number(carom_reader *reader, const char *expression,
                                                  double *value);

/**
 * Read a text: a string dataset "/parameters/scheme" or an attribute "/@source".
 *
 * @param[in]  reader open record
 * @param[in]  path   of a dataset, or "OBJECT@NAME" for an attribute of any group or dataset
 * @param[in]  size   >= 1
 * @param[out] text   [size] zero-terminated
 * @return CAROM_OK; NOT_FOUND; OUT_OF_RANGE if the text does not fit; BAD_FORMAT if it is not one
 * text; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_reader_text(carom_reader *reader, const char *path, int size,
                                                char *text);

/**
 * Name of what stands in a group, in the order of names.
 *
 * @param[in]  reader open record
 * @param[in]  group  "/" or "/outcomes"
 * @param[in]  index  from 0
 * @param[in]  size   >= 1
 * @param[out] name   [size] zero-terminated
 * @return CAROM_OK; NOT_FOUND if there is no such group or less in it; OUT_OF_RANGE if the name
 * does not fit
 */
CAROM_MUST_CHECK carom_status carom_reader_child(carom_reader *reader, const char *group, int index,
                                                 int size, char *name);

CAROM_END_DECLARATIONS

#endif
