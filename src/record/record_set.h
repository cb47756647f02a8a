/** The records of one folder, by their names. */
#ifndef CAROM_RECORD_RECORD_SET_H
#define CAROM_RECORD_RECORD_SET_H

#include <carom/record/reader.h>

typedef struct carom_record_set carom_record_set;

/**
 * The records FOLDER/NAME.h5; each is opened when first asked for and stays open.
 *
 * @param[in]  folder copied; need not exist
 * @param[out] out    to be freed by carom_record_set_free
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_record_set_alloc(const char *folder, carom_record_set **out);

/** Close all records; NULL is accepted. */
void carom_record_set_free(carom_record_set *set);
CAROM_AUTO_TYPE(carom_record_set)

/** The records, and the one of them that is meant where none is named. */
typedef struct carom_record_choice {
    carom_record_set *set; /**< opens what it needs */
    const char *name;      /**< of the record, borrowed */
} carom_record_choice;

/**
 * Read a data set, as carom_expression_scope wants it.
 *
 * @param[in]  context a carom_record_choice
 * @param[in]  record  name of the record; NULL for the one that is meant
 * @param[in]  path    of the data set
 * @param[out] out     to be cleared by carom_dataset_clear; zeroed on failure
 * @return as carom_reader_dataset; IO if the record cannot be opened; BAD_FORMAT also if it is not
 * HDF5 or its name has other characters than letters, digits, "_", "-" and "."; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_record_set_read(void *context, const char *record,
                                                    const char *path, carom_dataset *out);

#endif
