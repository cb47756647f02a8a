/** A text that grows: made in memory first, so that files are written as a whole. */
#ifndef CAROM_RECORD_TEXT_BUFFER_H
#define CAROM_RECORD_TEXT_BUFFER_H

#include <carom/base/base.h>

#include <stdbool.h>
#include <stddef.h>

/** A zeroed buffer is empty and ready; text is NULL until something is added. */
typedef struct carom_text_buffer {
    char *text;           /**< [length + 1], zero-terminated, owned */
    size_t length;        /**< bytes before the terminating zero */
    size_t capacity;      /**< bytes allocated */
    carom_status failure; /**< first failure; additions after it do nothing */
} carom_text_buffer;

/** Append as printf; a failure is kept in the buffer and reported by carom_text_buffer_save. */
void carom_text_buffer_print(carom_text_buffer *buffer, const char *format, ...) CAROM_PRINTF(2, 3);

/** Append bytes as they are. */
void carom_text_buffer_add(carom_text_buffer *buffer, const char *bytes, size_t count);

/** Free the text; the buffer is empty and ready again. */
void carom_text_buffer_clear(carom_text_buffer *buffer);

/** Whether a text is proper UTF-8: no stray, missing or overlong bytes, no surrogates. */
bool carom_text_is_utf8(const char *text);

/** Bytes of the largest file for which nothing smaller is plausible: a full matrix of 3000 rows. */
#define CAROM_TEXT_FILE_MOST_BYTES ((size_t)1 << 28)

/**
 * Replace the buffer's content by that of a file, without a byte order mark at its beginning.
 *
 * @param[out] buffer the text
 * @param[in]  path   may be a pipe or a device: no more than `most` bytes are kept of what never
 * ends
 * @param[in]  most   largest number of bytes
 * @return CAROM_OK; IO with the cause in errno; OUT_OF_RANGE for a longer file; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_text_buffer_load(carom_text_buffer *buffer, const char *path,
                                                     size_t most);

/**
 * Write the text beside `path` and rename it, unless the file already has it.
 *
 * @param[in]  buffer  unchanged
 * @param[in]  path    file to replace
 * @param[out] changed whether it was replaced; may be NULL
 * @return CAROM_OK; the failure of an addition; IO; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_text_buffer_save(const carom_text_buffer *buffer,
                                                     const char *path, bool *changed);

#endif
