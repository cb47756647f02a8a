/** What the papers published, and whether our numbers agree with it. */
#ifndef CAROM_RECORD_PUBLISHED_H
#define CAROM_RECORD_PUBLISHED_H

#include <carom/record/expression.h>
#include <carom/record/text.h>

#include <stdbool.h>

/* ------------------------------------------------------------------------------- published rows */
/* The items of one file, as they are written there. */

/** Kinds of items, by the names they have in the files. */
#define CAROM_PUBLISHED_KIND_LIST(X)                           \
    X(PRINTED, "printed") /* a result that the paper prints */ \
    X(STATED, "stated")   /* what the paper says of results */ \
    X(DERIVED, "derived") /* a consequence that is ours */

typedef enum carom_published_kind {
#define CAROM_PUBLISHED_ENUMERATE(code, name) CAROM_PUBLISHED_##code,
    CAROM_PUBLISHED_KIND_LIST(CAROM_PUBLISHED_ENUMERATE)
#undef CAROM_PUBLISHED_ENUMERATE
        CAROM_PUBLISHED_KIND_COUNT
} carom_published_kind;

/** Verdicts; all but the last are announced by the row. */
#define CAROM_VERDICT_LIST(X)                                                                  \
    X(AGREES, "agrees")                     /* within the tolerance, or the criterion holds */ \
    X(DIFFERS, "differs")                   /* it does not; ours is the number announced */    \
    X(CONDITIONED, "conditioned")           /* agrees by a choice of ours, which is named */   \
    X(INCONCLUSIVE, "inconclusive")         /* what is known decides neither way */            \
    X(NOT_REPRODUCIBLE, "not reproducible") /* data are not published */                       \
    X(FAILS, "fails")                       /* it is not what the row announces */

typedef enum carom_verdict {
#define CAROM_VERDICT_ENUMERATE(code, name) CAROM_VERDICT_##code,
    CAROM_VERDICT_LIST(CAROM_VERDICT_ENUMERATE)
#undef CAROM_VERDICT_ENUMERATE
        CAROM_VERDICT_COUNT
} carom_verdict;

/** One item; texts are borrowed from the table. */
typedef struct carom_published_row {
    const char *id;             /**< unique name of the item */
    const char *paper;          /**< key of the paper */
    const char *location;       /**< figure, table, equation or section */
    const char *quantity;       /**< what it is, or what is said; formulas as "$...$" */
    const char *published_text; /**< the number as printed, "" if the item is a criterion */
    const char *unit;           /**< "m s-1", "1" */
    const char *expression;     /**< what is ours, over the record; "" if nothing can be computed */
    const char *note;           /**< free text; the reason of any verdict but "agrees" */
    const char *tolerance_from; /**< "digits", "exact", or where the tolerance is from */
    carom_published_kind kind;
    carom_verdict announced; /**< what it has to come out as */
    bool is_criterion;       /**< the expression is a truth, and nothing is printed */
    double published;        /**< in its unit, finite; NaN for a criterion */
    double tolerance;        /**< same unit, >= 0; NaN for a criterion */
    double own;              /**< what ours has to be where it is not the paper's; NaN: not said */
    double own_tolerance;    /**< likewise */
    int line;                /**< where the row begins in its file, from 1 */
} carom_published_row;

/** All items of one file. */
typedef struct carom_published {
    int row_count;
    carom_published_row *rows; /**< [row_count], owned */
    carom_csv csv;             /**< what the texts point into */
    int name_count;
    carom_expression_name *names; /**< [name_count], owned */
    char *head;                   /**< what the names point into, owned */
} carom_published;

/**
 * The header line of every file. Before it, lines "# NAME: EXPRESSION" give names to expressions
 * (masks) that the rows use.
 *
 *     published   the number as printed; empty: the expression is a criterion, true or false
 *     tolerance   "digits": half a unit of the last printed digit; "exact": the same whole number;
 *                 or a number and where it is from, "0.02 read from the figure"
 *     verdict     empty: agrees; "differs 0.9515 +- 5e-5" with what ours is (of a criterion: the
 *                 left side of its first comparison), "conditioned", "inconclusive 3.2 +- 0.1",
 *                 "not reproducible" with what ours is, or without an expression; the note says why
 */
#define CAROM_PUBLISHED_HEADER \
    "id,paper,location,quantity,kind,published,tolerance,unit,expression,verdict,note"

/**
 * Read the items of a file.
 *
 * @param[in]  text   [size] content of the file
 * @param[in]  size   number of bytes
 * @param[out] out    to be cleared by carom_published_clear; empty on failure
 * @param[out] report what is malformed; index is the line, from 1; may be NULL
 * @return CAROM_OK; BAD_FORMAT; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_published_parse(const char *text, size_t size,
                                                    carom_published *out, carom_report *report);

/** Free; a zeroed table is accepted. */
void carom_published_clear(carom_published *published);

/** Name of a kind as in the files, a static string. */
const char *carom_published_kind_name(carom_published_kind kind);

/** Name of a verdict as in the files, a static string. */
const char *carom_verdict_name(carom_verdict verdict);

/**
 * Compare what is ours with an item.
 *
 * @param[in]  row    the item
 * @param[in]  ours   of its expression, in the same unit; NaN and infinity fail; not looked at if
 * the row has no expression
 * @param[out] reason why it is not "agrees", "" if it is; borrowed from row or static
 */
carom_verdict carom_published_judge(const carom_published_row *row,
                                    const carom_expression_result *ours, const char **reason);

/**
 * Print a number of ours with one digit more than the tolerance of the item leaves meaningful, at
 * least two significant ones; without a tolerance with eight.
 *
 * @param[in]  row  the item
 * @param[in]  ours the number
 * @param[in]  size of text
 * @param[out] text [size], as "3.60218" or "1.2e-05"
 */
void carom_published_format(const carom_published_row *row, double ours, int size, char *text);

/* --------------------------------------------------------------------------------- verification */
/* The items of one file, each compared with the records. */

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
