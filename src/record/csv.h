/** Comma-separated text with the quoting of RFC 4180. */
#ifndef CAROM_RECORD_CSV_H
#define CAROM_RECORD_CSV_H

#include <carom/base/base.h>

#include <stddef.h>

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

#endif
