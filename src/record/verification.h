/** The items of one published file, each compared with the records. */
#ifndef CAROM_RECORD_VERIFICATION_H
#define CAROM_RECORD_VERIFICATION_H

#include <carom/record/expression.h>
#include <carom/record/published.h>
#include <carom/record/record_set.h>

/** One item with our number and what came of the comparison. */
typedef struct carom_verification_item {
    const carom_published_row *row; /**< borrowed from the table */
    double ours;                    /**< NaN if it could not be had */
    carom_verdict verdict;
    const char *reason;                       /**< why it does not agree, "" if it does */
    char failure[CAROM_REPORT_SENTENCE_SIZE]; /**< why it could not be had, "" if it could */
    int term_count;                           /**< comparisons that the truth hangs on */
    carom_expression_term terms[CAROM_EXPRESSION_MOST_TERMS];
} carom_verification_item;

/** One file of published items. */
typedef struct carom_verification {
    int item_count;
    carom_verification_item *items; /**< [item_count], owned */
    carom_published published;      /**< the file, owned */
} carom_verification;

/**
 * Read every item of a file and compare it. A record or path that is missing makes its item fail.
 *
 * @param[in]     name    of the record that bare paths are in
 * @param[in]     text    [size] content of the published file
 * @param[in]     size    number of bytes
 * @param[in,out] records opens what it needs
 * @param[out]    out     to be cleared by carom_verification_clear; empty on failure
 * @param[out]    report  what is malformed; index is the line, from 1; may be NULL
 * @return CAROM_OK, whatever the verdicts; BAD_FORMAT; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_verification_run(const char *name, const char *text,
                                                     size_t size, carom_record_set *records,
                                                     carom_verification *out, carom_report *report);

/**
 * Let every item fail whose id another item has, in the same file or in another.
 *
 * @param[in,out] files [count]
 * @param[in]     count number of files
 */
void carom_verification_fail_duplicates(carom_verification *files, int count);

/** Free; a zeroed verification is accepted. */
void carom_verification_clear(carom_verification *file);

#endif
