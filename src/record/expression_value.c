#include <carom/record/expression.h>

#include <carom/base/vector.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

carom_status carom_value_make(carom_value_pool *pool, int rank, int rows, int columns,
                              carom_value **out) {
    const size_t count = (size_t)rows * (size_t)columns;
    carom_value *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    *made = (carom_value){.rank = rank, .rows = rows, .columns = columns, .next = pool->first};
    pool->first = made;
    *out = made;
    made->values = calloc(count > 0 ? count : 1, sizeof *made->values);
    return made->values != NULL ? CAROM_OK : CAROM_STATUS_OUT_OF_MEMORY;
}

void carom_value_pool_clear(carom_value_pool *pool) {
    while (pool->first != NULL) {
        carom_value *next = pool->first->next;
        free(pool->first->values);
        free(pool->first);
        pool->first = next;
    }
}

static size_t size_of(const carom_value *x) {
    return (size_t)x->rows * (size_t)x->columns;
}

static carom_status refuse(carom_value_pool *pool, carom_status status, const char *sentence) {
    return carom_report_say(pool->report, status, "%s", sentence);
}

/* Operators. */

static double either(double a, double b) {
    return a > 0.0 || b > 0.0 ? 1.0 : 0.0;
}
static double both(double a, double b) {
    return a > 0.0 && b > 0.0 ? 1.0 : 0.0;
}
static double at_most(double a, double b) {
    return a <= b ? 1.0 : 0.0;
}
static double at_least(double a, double b) {
    return a >= b ? 1.0 : 0.0;
}
static double equal(double a, double b) {
    return a >= b && a <= b ? 1.0 : 0.0;
}
static double unequal(double a, double b) {
    return 1.0 - equal(a, b);
}
static double less(double a, double b) {
    return a < b ? 1.0 : 0.0;
}
static double greater(double a, double b) {
    return a > b ? 1.0 : 0.0;
}
static double add(double a, double b) {
    return a + b;
}
static double subtract(double a, double b) {
    return a - b;
}
static double multiply(double a, double b) {
    return a * b;
}
static double divide(double a, double b) {
    return a / b;
}

const carom_value_operator carom_value_operators[] = {
    {"|", 0, false, true, either},    {"&", 1, false, true, both},
    {"<=", 2, true, false, at_most},  {">=", 2, true, false, at_least},
    {"==", 2, true, false, equal},    {"!=", 2, true, false, unequal},
    {"<", 2, true, false, less},      {">", 2, true, false, greater},
    {"+", 3, false, false, add},      {"-", 3, false, false, subtract},
    {"*", 4, false, false, multiply}, {"/", 4, false, false, divide},
    {NULL, 0, false, false, NULL},
};

/* What an operator cannot take: NaN in comparisons, other numbers than 0 and 1 as truth. */
static carom_status check_operand(carom_value_pool *pool, const carom_value_operator *operator,
                                  const carom_value * x) {
    for (size_t i = 0; i < size_of(x); ++i) {
        if (operator->is_comparison && isnan(x->values[i])) {
            return refuse(pool, CAROM_STATUS_NOT_FINITE, "NaN is compared");
        }
        if (operator->is_logical && equal(x->values[i], 0.0) + equal(x->values[i], 1.0) < 1.0) {
            return refuse(pool, CAROM_STATUS_OUT_OF_RANGE,
                          "a truth value is 1 or 0, as of a comparison");
        }
    }
    return CAROM_OK;
}

carom_status carom_value_combine(carom_value_pool *pool, const carom_value_operator *operator,
                                 const carom_value * a, const carom_value *b, carom_value **out) {
    const bool fits =
        a->rank == 0 || b->rank == 0 || (a->rows == b->rows && a->columns == b->columns);
    if (!fits) {
        return carom_report_say(pool->report, CAROM_STATUS_CONFLICT,
                                "%d x %d entries on the left of %s, %d x %d on the right", a->rows,
                                a->columns, operator->sign, b->rows, b->columns);
    }
    CAROM_TRY(check_operand(pool, operator, a));
    CAROM_TRY(check_operand(pool, operator, b));
    const carom_value *shape = a->rank == 0 ? b : a;
    CAROM_TRY(carom_value_make(pool, shape->rank, shape->rows, shape->columns, out));
    for (size_t i = 0; i < size_of(shape); ++i) {
        (*out)->values[i] = operator->apply(a->values[a->rank == 0 ? 0 : i],
                                            b->values[b->rank == 0 ? 0 : i]);
    }
    return CAROM_OK;
}

/* Parts. */

/* A whole number; negative ones count from the end of `count` entries. */
static carom_status whole_number(carom_value_pool *pool, double x, int count, int *out) {
    if (!(fabs(x) <= INT_MAX) || fabs(x - rint(x)) > 0.0) {
        return refuse(pool, CAROM_STATUS_OUT_OF_RANGE, "an index is a whole number");
    }
    *out = (int)x < 0 ? count + (int)x : (int)x;
    return CAROM_OK;
}

static carom_status refuse_index(carom_value_pool *pool, double index, int count) {
    return carom_report_say(pool->report, CAROM_STATUS_OUT_OF_RANGE,
                            "the index %g is outside %d entries", index, count);
}

/* One end of a range. */
static carom_status end_of_range(carom_value_pool *pool, const carom_value *end, int count,
                                 int *out) {
    if (end == NULL) {
        return CAROM_OK;
    }
    if (end->rank != 0) {
        return refuse(pool, CAROM_STATUS_CONFLICT, "an end of a range is one number");
    }
    CAROM_TRY(whole_number(pool, end->values[0], count, out));
    return *out >= 0 && *out <= count ? CAROM_OK : refuse_index(pool, end->values[0], count);
}

carom_status carom_value_range(carom_value_pool *pool, const carom_value *low,
                               const carom_value *high, int count, carom_value **out) {
    int first = 0;
    int end = count;
    CAROM_TRY(end_of_range(pool, low, count, &first));
    CAROM_TRY(end_of_range(pool, high, count, &end));
    CAROM_TRY(carom_value_make(pool, 1, end > first ? end - first : 0, 1, out));
    for (int i = 0; i < (*out)->rows; ++i) {
        (*out)->values[i] = first + i;
    }
    return CAROM_OK;
}

carom_status carom_value_select(carom_value_pool *pool, const carom_value *whole,
                                const carom_value *const indices[2], carom_value **out) {
    const carom_value *rows = indices[0];
    const carom_value *columns = whole->rank == 2 ? indices[1] : NULL;
    const int column_count = columns == NULL ? 1 : columns->rows;
    const bool is_transposed = rows->rank == 0 && columns != NULL;
    const int rank = rows->rank + (columns == NULL ? 0 : columns->rank);
    CAROM_TRY(carom_value_make(pool, rank, is_transposed ? column_count : rows->rows,
                               rank == 2 ? column_count : 1, out));
    memcpy((*out)->units, whole->units, sizeof whole->units);
    for (int i = 0; i < rows->rows; ++i) {
        int row = 0;
        CAROM_TRY(whole_number(pool, rows->values[i], whole->rows, &row));
        if (row < 0 || row >= whole->rows) {
            return refuse_index(pool, rows->values[i], whole->rows);
        }
        for (int j = 0; j < column_count; ++j) {
            int column = 0;
            if (columns != NULL) {
                CAROM_TRY(whole_number(pool, columns->values[j], whole->columns, &column));
            }
            if (columns != NULL && (column < 0 || column >= whole->columns)) {
                return refuse_index(pool, columns->values[j], whole->columns);
            }
            (*out)->values[(size_t)i * (size_t)column_count + (size_t)j] =
                whole->values[(size_t)row * (size_t)whole->columns + (size_t)column];
        }
    }
    return CAROM_OK;
}
