/** Which part of a dataset is meant: "/a/b", "/a/b[3]", "/a/b[-1,2]", "/a/b[:,0]", "/a/b[1,:]". */
#ifndef CAROM_RECORD_SELECTION_H
#define CAROM_RECORD_SELECTION_H

#include <carom/base/base.h>
#include <carom/record/reader.h>

#include <stdbool.h>

/** Longest path of a dataset, with its terminating zero. */
#define CAROM_SELECTION_PATH_SIZE 256

/** A dataset and, for each of its axes, one index or all. */
typedef struct carom_selection {
    char path[CAROM_SELECTION_PATH_SIZE]; /**< of the dataset, without brackets */
    int axis_count;                       /**< 0 without brackets, else 1 or 2 */
    bool is_all[2];                       /**< ":" */
    int index[2];                         /**< where not all; negative counts from the end */
} carom_selection;

/**
 * Take a text apart. Blanks are not allowed.
 *
 * @param[in]  text      see the head of this file
 * @param[out] selection unspecified on failure
 * @return CAROM_OK; BAD_FORMAT
 */
CAROM_MUST_CHECK carom_status carom_selection_parse(const char *text, carom_selection *selection);

/**
 * Position of an index on an axis of `count` entries; negative indices count from the end.
 *
 * @return CAROM_OK; OUT_OF_RANGE
 */
CAROM_MUST_CHECK carom_status carom_selection_position(int index, int count, int *position);

/**
 * Reduce a dataset to the selected part, in place: [i,j] of a matrix becomes rank 0, [:,j] and
 * [i,:] rank 1.
 *
 * @param[in]     selection its path is not looked at
 * @param[in,out] dataset   unchanged on failure
 * @return CAROM_OK; BAD_FORMAT if the number of indices is not the rank; OUT_OF_RANGE
 */
CAROM_MUST_CHECK carom_status carom_selection_apply(const carom_selection *selection,
                                                    carom_dataset *dataset);

#endif
