/** Shared by the files that make up the writer; not for users of the library. */
#ifndef CAROM_RECORD_RECORD_INTERNAL_H
#define CAROM_RECORD_RECORD_INTERNAL_H

#include <carom/record/record.h>

#include <carom/record/work_file.h>
#include <hdf5.h>

struct carom_record {
    carom_work_file *work; /**< owned; holds the place on disk */
    hid_t file;            /**< HDF5 file in memory, below zero if none */
    carom_status failure;  /**< first failure of a write, CAROM_OK if none */
};

/** Remember the first failure, so that a half-written record cannot be committed. */
carom_status carom_record_remember(carom_record *record, carom_status status);

/** BAD_FORMAT unless the text is plain ASCII. */
carom_status carom_record_check_text(const char *text);

/**
 * Write a fixed-length ASCII attribute of an open object, replacing one of the same name. HDF5
 * errors must be silenced by the caller.
 */
carom_status carom_record_write_attribute(hid_t object, const char *name, const char *text);

/** A string type just large enough for the text and its terminating zero; below zero on failure. */
hid_t carom_record_text_type(const char *text);

#endif
