/** Texts: made in memory, taken apart as CSV, written as LaTeX; files read and replaced as a whole.
 */
#ifndef CAROM_RECORD_TEXT_H
#define CAROM_RECORD_TEXT_H

#include <carom/base/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---------------------------------------------------------------------------------- text buffer */
/* A text that grows: made in memory first, so that files are written as a whole. */

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

/** Columns of the first bytes of a text on a terminal: one for each letter, of any bytes. */
int carom_text_width(const char *text, size_t length);

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

/* ------------------------------------------------------------------------------------ work file */
/* Replacing a file as a whole: written beside, renamed when complete, left alone if equal. */

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
 * Write bytes somewhere into the work file.
 *
 * @param[in,out] file     open work file
 * @param[in]     position first byte; a hole before it is zero
 * @param[in]     bytes    [size]; may be NULL if size is 0
 * @param[in]     size     number of bytes
 * @return CAROM_OK; IO, with the cause in errno
 */
CAROM_MUST_CHECK carom_status carom_work_file_write(carom_work_file *file, uint64_t position,
                                                    const void *bytes, size_t size);

/** Read bytes of the work file; zero beyond its end. @return CAROM_OK; IO, the cause in errno */
CAROM_MUST_CHECK carom_status carom_work_file_read(const carom_work_file *file, uint64_t position,
                                                   void *bytes, size_t size);

/** Bytes that its disk still takes; infinite where the system does not say. */
double carom_work_file_room(const carom_work_file *file);

/** Cut or lengthen the work file. @return CAROM_OK; IO, with the cause in errno */
CAROM_MUST_CHECK carom_status carom_work_file_resize(carom_work_file *file, uint64_t size);

/**
 * Flush to disk and rename onto the final name - unless that file already has the same bytes: then
 * it is left alone. The work file is gone afterwards, whatever is returned.
 *
 * @param[in]  file    consumed
 * @param[out] changed whether the final file was replaced; may be NULL
 * @return CAROM_OK; IO, with the cause in errno
 */
CAROM_MUST_CHECK carom_status carom_work_file_commit(carom_work_file *file, bool *changed);

/**
 * Rename onto the final name as it is: for a file that is read at once and need not outlast the
 * machine. The work file is gone afterwards, whatever is returned.
 *
 * @return CAROM_OK; IO, with the cause in errno
 */
CAROM_MUST_CHECK carom_status carom_work_file_rename(carom_work_file *file);

/** Remove the work file; the final file is untouched. NULL is accepted. */
void carom_work_file_discard(carom_work_file *file);

/* ------------------------------------------------------------------------------------------ csv */
/* Comma-separated text with the quoting of RFC 4180. */

/** All rows of a text; blank lines are left out. */
typedef struct carom_csv {
    int row_count;      /**< rows with at least one character */
    int *line;          /**< [row_count] line a row begins on, from 1, owned */
    int *first;         /**< [row_count + 1] number of the first field of a row, owned */
    const char **field; /**< [first[row_count]] unquoted fields, zero-terminated, owned */
    char *storage;      /**< what the fields point into, owned */
} carom_csv;

/**
 * Take a text apart. Lines end with LF or CR LF; fields in double quotes may hold commas, line ends
 * and doubled quotes.
 *
 * @param[in]  text   [size], any bytes
 * @param[in]  size   number of bytes
 * @param[out] out    to be cleared by carom_csv_clear; empty on failure
 * @param[out] report what is malformed; index is the line, from 1; may be NULL
 * @return CAROM_OK; BAD_FORMAT for a quote inside an unquoted field, text after a closing quote, an
 * unclosed quote, a bare CR or a zero byte; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_csv_parse(const char *text, size_t size, carom_csv *out,
                                              carom_report *report);

/** Free; a zeroed table is accepted. */
void carom_csv_clear(carom_csv *csv);

/** Number of fields in a row. */
int carom_csv_field_count(const carom_csv *csv, int row);

/** A field of a row, borrowed from the table. */
const char *carom_csv_field(const carom_csv *csv, int row, int column);

/* ---------------------------------------------------------------------------------------- latex */
/* Texts and numbers as LaTeX sees them. */

/** Room that every number printed by carom_latex_number fits in: 309 digits before the point. */
#define CAROM_LATEX_NUMBER_SIZE 384

/** Append plain text with every letter escaped that means something to LaTeX. */
void carom_latex_escape(carom_text_buffer *buffer, const char *text);

/** The same but for formulas, "$...$", which go through as they are. */
void carom_latex_text(carom_text_buffer *buffer, const char *text);

/**
 * Print a number for the argument of \\num: as printf does, but without "-0.0", "e+", leading zeros
 * of the exponent, and the exponent of zero.
 *
 * @param[in]  format "%.Nf", "%.Ne" or "%.Ng" with N of one or two digits
 * @param[in]  value  finite
 * @param[out] text   [CAROM_LATEX_NUMBER_SIZE]
 * @return CAROM_OK; BAD_FORMAT for another format; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_latex_number(const char *format, double value,
                                                 char text[CAROM_LATEX_NUMBER_SIZE]);

/** Bring a printed number into the same form, in place: "-1.20e-05" becomes "-1.20e-5". */
void carom_latex_tidy_number(char *text);

#endif
