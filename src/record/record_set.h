/** Numbers from the records of one folder: "/path[i]" in a record of choice, "name:/path" in any.
 */
#ifndef CAROM_RECORD_RECORD_SET_H
#define CAROM_RECORD_RECORD_SET_H

#include <carom/base/base.h>

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

/**
 * Read one number.
 *
 * @param[in,out] set       opens what it needs
 * @param[in]     name      record that a bare path is in
 * @param[in]     reference "/group/x[-1]" as in carom_reader_number, or "other_name:/group/x[-1]"
 * @param[out]    value     NaN on failure
 * @return as carom_reader_number; IO if the record cannot be opened; BAD_FORMAT also if it is not
 * HDF5 or its name has other characters than letters, digits, "_", "-" and "."; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_record_set_number(carom_record_set *set, const char *name,
                                                      const char *reference, double *value);

/** The sentence that tells a user why carom_record_set_number failed, a static string. */
const char *carom_record_set_sentence(carom_status status);

#endif
