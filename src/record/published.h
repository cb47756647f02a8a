/** What a paper published, and whether our numbers agree with it. */
#ifndef CAROM_RECORD_PUBLISHED_H
#define CAROM_RECORD_PUBLISHED_H

#include <carom/record/csv.h>
#include <carom/record/expression.h>

/** Kinds of published items, by the names they have in the files. */
#define CAROM_PUBLISHED_KIND_LIST(X)                                      \
    X(VALUE, "value")             /* |ours - published| <= uncertainty */ \
    X(UPPER_BOUND, "upper bound") /* ours <= published + uncertainty */   \
    X(LOWER_BOUND, "lower bound") /* ours >= published - uncertainty */   \
    X(COUNT, "count")             /* the same whole number */             \
    X(CLAIM, "claim")             /* a statement, computed as 0 or 1; published is 1 */

typedef enum carom_published_kind {
#define CAROM_PUBLISHED_ENUMERATE(code, name) CAROM_PUBLISHED_##code,
    CAROM_PUBLISHED_KIND_LIST(CAROM_PUBLISHED_ENUMERATE)
#undef CAROM_PUBLISHED_ENUMERATE
        CAROM_PUBLISHED_KIND_COUNT
} carom_published_kind;

/** One published item; texts are borrowed from the table. */
typedef struct carom_published_row {
    const char *id;             /**< unique name of the item */
    const char *paper;          /**< key of the paper */
    const char *location;       /**< figure, table, equation or section */
    const char *quantity;       /**< what it is */
    const char *published_text; /**< the number as printed */
    const char *unit;           /**< "m s-1", "1" */
    const char *record;         /**< what is ours: an expression over the record */
    const char *note;           /**< free text */
    const char *difference;     /**< reason after "differs:" in the note; NULL if not marked */
    carom_published_kind kind;
    double published;   /**< in its unit, finite; 1 for a claim */
    double uncertainty; /**< same unit, >= 0; 0 for counts and claims */
    int line;           /**< where the row begins in its file, from 1 */
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

/** The header line of every file. Before it, lines "# NAME: EXPRESSION" give names to expressions
 * (masks) that the rows use. */
#define CAROM_PUBLISHED_HEADER \
    "id,paper,location,quantity,kind,published,uncertainty,unit,record,note"

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

typedef enum carom_verdict {
    CAROM_VERDICT_AGREES,  /**< ours is within the uncertainty */
    CAROM_VERDICT_DIFFERS, /**< it is not, and the row says why */
    CAROM_VERDICT_FAILS    /**< it is not and should be, or it is and the row says otherwise */
} carom_verdict;

/** Name of a verdict: "agrees", "differs", "fails"; a static string. */
const char *carom_verdict_name(carom_verdict verdict);

/**
 * Compare one number of ours with a published one.
 *
 * @param[in]  row    the item
 * @param[in]  ours   in the same unit; NaN and infinity fail
 * @param[out] reason why it differs or fails, "" if it agrees; borrowed from row or static
 */
carom_verdict carom_published_judge(const carom_published_row *row, double ours,
                                    const char **reason);

/**
 * Print a number of ours with one digit more than the uncertainty of the item leaves meaningful, at
 * least two significant ones; bounds and exact values with at least four.
 *
 * @param[in]  row  the item
 * @param[in]  ours the number
 * @param[in]  size of text
 * @param[out] text [size], as "3.60218" or "1.2e-05"
 */
void carom_published_format(const carom_published_row *row, double ours, int size, char *text);

#endif
