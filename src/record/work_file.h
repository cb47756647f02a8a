/** Replacing a file as a whole: written beside, renamed when complete, left alone if equal. */
#ifndef CAROM_RECORD_WORK_FILE_H
#define CAROM_RECORD_WORK_FILE_H

#include <carom/base/status.h>

#include <stdbool.h>
#include <stddef.h>

/** Appended to the final name; a killed run leaves at most this file, which the next run takes
 * over. */
#define CAROM_WORK_FILE_SUFFIX ".tmp"

typedef struct carom_work_file carom_work_file;

/**
 * Make and lock the work file of `path`. The lock ends with the process, so that the work file of a
 * killed run is taken over, while that of a living one is refused.
 *
 * @param[in]  path final file name, copied; must not exist or be a regular file
 * @param[out] out  belongs to the caller until commit or discard; NULL on failure
 * @return CAROM_OK; IO if the place is unwritable or another writer of the same file is at work;
 * OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_work_file_open(const char *path, carom_work_file **out);

/**
 * Write all bytes, flush to disk and rename onto the final name - unless that file already has the
 * same bytes: then it is left alone. The work file is gone afterwards, whatever is returned.
 *
 * @param[in]  file    consumed
 * @param[in]  bytes   [size]; may be NULL if size is 0
 * @param[in]  size    number of bytes
 * @param[out] changed whether the final file was replaced; may be NULL
 * @return CAROM_OK; IO
 */
CAROM_MUST_CHECK carom_status carom_work_file_commit(carom_work_file *file, const void *bytes,
                                                     size_t size, bool *changed);

/** Remove the work file; the final file is untouched. NULL is accepted. */
void carom_work_file_discard(carom_work_file *file);

#endif
