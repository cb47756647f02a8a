/** The numbers that an expression works with, and its functions of them. */
#ifndef CAROM_RECORD_EXPRESSION_VALUE_H
#define CAROM_RECORD_EXPRESSION_VALUE_H

#include <carom/base/base.h>

#include <stdbool.h>

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

#endif
