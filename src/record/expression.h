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

#include <carom/base/base.h>
#include <carom/record/reader.h>

#include <stdbool.h>

/* ----------------------------------------------------------------------------------- the values */
/* The numbers that an expression works with, and its functions of them. */

/** A number, a series or a matrix; truth is 1 and 0. */
typedef struct carom_value {
    int rank;                 /**< 0, 1 or 2 */
    int rows;                 /**< 1 if rank 0; may be 0 */
    int columns;              /**< 1 if rank < 2 */
    double *values;           /**< [rows][columns] */
    char units[64];           /**< of a data set or a part of it, else "" */
    struct carom_value *next; /**< in its pool */
} carom_value;

/** All values of one evaluation, freed together. */
typedef struct carom_value_pool {
    carom_value *first;
    carom_report *report; /**< says what a function refuses; may be NULL */
} carom_value_pool;

/** A new value, not filled, owned by the pool. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_value_make(carom_value_pool *pool, int rank, int rows,
                                               int columns, carom_value **out);

/** Free all values; a zeroed pool is accepted. */
void carom_value_pool_clear(carom_value_pool *pool);

/** An operator between two values, and how tightly it binds: 0 loosest. */
typedef struct carom_value_operator {
    const char *sign;
    int level;
    bool is_comparison;
    bool is_logical;
    double (*apply)(double, double);
} carom_value_operator;

/** Operators of two signs before those of one; ends with a NULL sign. */
extern const carom_value_operator carom_value_operators[];

/** Level above all operators of the list. */
#define CAROM_VALUE_LEVELS 5

/**
 * Entry by entry; a number goes with every entry of the other.
 *
 * @return CAROM_OK; CONFLICT for different shapes; NOT_FINITE for a comparison with NaN;
 * OUT_OF_RANGE for a logical operator on other numbers than 0 and 1; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_value_combine(carom_value_pool *pool,
                                                  const carom_value_operator *operator,
                                                  const carom_value * a, const carom_value *b,
                                                  carom_value **out);

/** Whole numbers from `low` (0 if NULL) to before `high` (`count` if NULL), negative ones counted
 * from `count` entries. @return CAROM_OK; OUT_OF_RANGE; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_value_range(carom_value_pool *pool, const carom_value *low,
                                                const carom_value *high, int count,
                                                carom_value **out);

/**
 * The part of a value at some rows and columns: an index that is one number drops its axis.
 *
 * @param[in,out] pool    owns the result
 * @param[in]     whole   series or matrix
 * @param[in]     indices [rank] whole numbers of rank 0 or 1, negative ones counted from the end
 * @param[out]    out     the part
 * @return CAROM_OK; OUT_OF_RANGE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_value_select(carom_value_pool *pool, const carom_value *whole,
                                                 const carom_value *const indices[2],
                                                 carom_value **out);

/** Most arguments of a function. */
#define CAROM_VALUE_MOST_ARGUMENTS 4

/** A function of values. */
typedef struct carom_value_function {
    const char *name;
    int argument_count;
    carom_status (*apply)(carom_value_pool *pool, const carom_value *const *arguments,
                          carom_value **out);
} carom_value_function;

/** All functions; ends with a NULL name. */
extern const carom_value_function carom_value_functions[];

/* ------------------------------------------------------------------------------ the expressions */

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

/* -------------------------------------------------------------------------- records of a folder */
/* What expressions read: the records of one folder, by their names. */

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

/** The records, and the one of them that is meant where none is named. */
typedef struct carom_record_choice {
    carom_record_set *set; /**< opens what it needs */
    const char *name;      /**< of the record, borrowed */
} carom_record_choice;

/**
 * Read a data set, as carom_expression_scope wants it.
 *
 * @param[in]  context a carom_record_choice
 * @param[in]  record  name of the record; NULL for the one that is meant
 * @param[in]  path    of the data set
 * @param[out] out     to be cleared by carom_dataset_clear; zeroed on failure
 * @return as carom_reader_dataset; IO if the record cannot be opened; BAD_FORMAT also if it is not
 * HDF5 or its name has other characters than letters, digits, "_", "-" and "."; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_record_set_read(void *context, const char *record,
                                                    const char *path, carom_dataset *out);

#endif
