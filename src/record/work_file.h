/** Replacing a file as a whole: written beside, renamed when complete, left alone if equal. */
#ifndef CAROM_RECORD_WORK_FILE_H
#define CAROM_RECORD_WORK_FILE_H

#include <carom/base/base.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct carom_work_file carom_work_file;

/**
 * Make and lock the work file of `path`: FOLDER/.NAME.PROCESS.tmp beside FOLDER/NAME, always a new
 * file, its mode decided by the umask. The lock ends with the process: the work file of a killed
 * writer is removed by the next one, while that of a living one refuses it.
 *
 * @param[in]  path final file name, copied; must not exist or be a regular file
 * @param[out] out  belongs to the caller until commit or discard; NULL on failure
 * @return CAROM_OK; IO, with the cause in errno (EBUSY: another writer of the same file is at
 * work); OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_work_file_open(const char *path, carom_work_file **out);

/** Name of the work file, borrowed until commit or discard: what an interrupted program removes. */
const char *carom_work_file_path(const carom_work_file *file);

/**
 * Write all bytes, flush to disk and rename onto the final name - unless that file already has the
 * same bytes: then it is left alone. The work file is gone afterwards, whatever is returned.
 *
 * @param[in]  file    consumed
 * @param[in]  bytes   [size]; may be NULL if size is 0
 * @param[in]  size    number of bytes
 * @param[out] changed whether the final file was replaced; may be NULL
 * @return CAROM_OK; IO, with the cause in errno
 */
CAROM_MUST_CHECK carom_status carom_work_file_commit(carom_work_file *file, const void *bytes,
                                                     size_t size, bool *changed);

/** Remove the work file; the final file is untouched. NULL is accepted. */
void carom_work_file_discard(carom_work_file *file);

#endif
