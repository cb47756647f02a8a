/**
 * Expressions over records: how a row of published numbers, a number of the document or a column of
 * a figure says what it is.
 *
 *     max(abs(diff(where(gap, late)))) < 12.5 * $step^2 * $gravity in /modified_lcp
 *
 *     /path          a data set of the record; other_name:/path of another record of the folder
 *     $step          /parameters/step
 *     x[3] x[-1,0]   an entry, counted from the end if negative; x[:,1] x[2:5] x[:-1] a part;
 *     x[i]           the entries at the whole numbers i
 *     late           a name that the scope defines by an expression
 *     ... in /group  other names are data sets of that group
 *     + - * / ^  < <= > >= == !=  & | !   entry by entry; a number goes with every entry
 *     abs sqrt exp log sin cos round known           entry by entry; known: is not NaN
 *     min max sum mean count any all first last rows of all entries
 *     next prev diff where starts                    series from series
 *     segments windows slope distance                see docs/expressions.md
 *
 * A division has a blank after its sign, as a slash and a letter begin a path. What is malformed,
 * missing, NaN, empty or of different shapes is an error: an expression never decides by accident.
 */
#ifndef CAROM_RECORD_EXPRESSION_H
#define CAROM_RECORD_EXPRESSION_H

#include <carom/record/reader.h>

/** A name for an expression, used in others. */
typedef struct carom_expression_name {
    const char *name; /**< a letter, then letters, digits, "_" */
    const char *text; /**< its expression, evaluated where it is used, in the group used there */
} carom_expression_name;

/** What an expression may speak of; all borrowed. */
typedef struct carom_expression_scope {
    /** Read a data set of the record of that name, NULL: the one that bare paths are in; as
     * carom_reader_dataset. */
    carom_status (*read)(void *context, const char *record, const char *path, carom_dataset *out);
    void *context;                      /**< handed to it */
    const carom_expression_name *names; /**< [name_count] */
    int name_count;
} carom_expression_scope;

/** Comparisons of two numbers that are kept to be shown. */
#define CAROM_EXPRESSION_MOST_TERMS 6

/** One comparison of two numbers that the truth of an expression depends on. */
typedef struct carom_expression_term {
    double measured;      /**< left of the sign */
    const char *relation; /**< "<", static */
    double threshold;     /**< right of it */
} carom_expression_term;

/** What came out. */
typedef struct carom_expression_result {
    double number;       /**< the value if it is one number, else NaN */
    carom_dataset value; /**< units only of a data set or its part; to be cleared by
                            carom_dataset_clear; of carom_expression_number: cleared */
    int term_count; /**< comparisons joined by "&" outside functions, in order; 0 with "|", "!" */
    carom_expression_term terms[CAROM_EXPRESSION_MOST_TERMS];
} carom_expression_result;

/**
 * Evaluate an expression.
 *
 * @param[in]  text   the expression
 * @param[in]  scope  what it may speak of
 * @param[out] out    value and comparisons; zeroed on failure
 * @param[out] report a sentence that begins with the character, from 1; may be NULL
 * @return CAROM_OK; BAD_FORMAT; what reading returns; NOT_FOUND for a name; CONFLICT for shapes
 * that do not fit; OUT_OF_RANGE for an index outside, an empty selection, a truth that is not 0 or
 * 1; NOT_FINITE for NaN that is compared or reduced; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_expression_evaluate(const char *text,
                                                        const carom_expression_scope *scope,
                                                        carom_expression_result *out,
                                                        carom_report *report);

/** The same for an expression that is one finite number. @return also NOT_FINITE; CONFLICT if it is
 * a series */
CAROM_MUST_CHECK carom_status carom_expression_number(const char *text,
                                                      const carom_expression_scope *scope,
                                                      carom_expression_result *out,
                                                      carom_report *report);

#endif
