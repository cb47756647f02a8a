#include <carom/record/expression.h>

#include <gsl/gsl_fit.h>
#include <math.h>
#include <stddef.h>

typedef carom_value_pool pool_type;
typedef const carom_value *const *arguments_type;

static size_t size_of(const carom_value *x) {
    return (size_t)x->rows * (size_t)x->columns;
}

static carom_status refuse(pool_type *pool, carom_status status, const char *sentence) {
    return carom_report_say(pool->report, status, "%s", sentence);
}

static carom_status number(pool_type *pool, double x, carom_value **out) {
    CAROM_TRY(carom_value_make(pool, 0, 1, 1, out));
    (*out)->values[0] = x;
    return CAROM_OK;
}

static carom_status series(pool_type *pool, int rows, carom_value **out) {
    return carom_value_make(pool, 1, rows, 1, out);
}

/* Nothing is said of no entries, or of NaN. */
static carom_status require_numbers(pool_type *pool, const carom_value *x) {
    if (size_of(x) == 0) {
        return refuse(pool, CAROM_STATUS_OUT_OF_RANGE, "the selection is empty");
    }
    for (size_t i = 0; i < size_of(x); ++i) {
        if (isnan(x->values[i])) {
            return refuse(pool, CAROM_STATUS_NOT_FINITE, "NaN is among the entries");
        }
    }
    return CAROM_OK;
}

static carom_status require_truth(pool_type *pool, const carom_value *x) {
    for (size_t i = 0; i < size_of(x); ++i) {
        if (!(fabs(x->values[i] * (x->values[i] - 1.0)) <= 0.0)) {
            return refuse(pool, CAROM_STATUS_OUT_OF_RANGE,
                          "a truth value is 1 or 0, as of a comparison");
        }
    }
    return CAROM_OK;
}

/* A matrix of one column is one too. */
static carom_status require_series(pool_type *pool, const carom_value *x) {
    const bool is_series = x->rank == 1 || (x->rank == 2 && x->columns == 1);
    return is_series ? CAROM_OK : refuse(pool, CAROM_STATUS_CONFLICT, "this takes a series");
}

/* Entry by entry. */

static carom_status map(pool_type *pool, const carom_value *x, double (*function)(double),
                        carom_value **out) {
    CAROM_TRY(carom_value_make(pool, x->rank, x->rows, x->columns, out));
    for (size_t i = 0; i < size_of(x); ++i) {
        (*out)->values[i] = function(x->values[i]);
    }
    return CAROM_OK;
}

static double is_known(double x) {
    return isnan(x) ? 0.0 : 1.0;
}

#define MAP(name, function)                                                                \
    static carom_status map_##name(pool_type *pool, arguments_type x, carom_value **out) { \
        return map(pool, x[0], function, out);                                             \
    }
MAP(abs, fabs)
MAP(sqrt, sqrt)
MAP(exp, exp)
MAP(log, log)
MAP(sin, sin)
MAP(cos, cos)
MAP(round, round)
MAP(known, is_known)

/* Of all entries, one number. */

static carom_status reduce_min(pool_type *pool, arguments_type x, carom_value **out) {
    CAROM_TRY(require_numbers(pool, x[0]));
    double least = x[0]->values[0];
    for (size_t i = 1; i < size_of(x[0]); ++i) {
        least = fmin(least, x[0]->values[i]);
    }
    return number(pool, least, out);
}

static carom_status reduce_max(pool_type *pool, arguments_type x, carom_value **out) {
    CAROM_TRY(require_numbers(pool, x[0]));
    double most = x[0]->values[0];
    for (size_t i = 1; i < size_of(x[0]); ++i) {
        most = fmax(most, x[0]->values[i]);
    }
    return number(pool, most, out);
}

static carom_status reduce_sum(pool_type *pool, arguments_type x, carom_value **out) {
    CAROM_TRY(require_numbers(pool, x[0]));
    double sum = 0.0;
    for (size_t i = 0; i < size_of(x[0]); ++i) {
        sum += x[0]->values[i];
    }
    return number(pool, sum, out);
}

static carom_status reduce_mean(pool_type *pool, arguments_type x, carom_value **out) {
    CAROM_TRY(reduce_sum(pool, x, out));
    (*out)->values[0] /= (double)size_of(x[0]);
    return CAROM_OK;
}

static carom_status reduce_count(pool_type *pool, arguments_type x, carom_value **out) {
    CAROM_TRY(require_truth(pool, x[0]));
    return reduce_sum(pool, x, out);
}

static carom_status reduce_any(pool_type *pool, arguments_type x, carom_value **out) {
    CAROM_TRY(require_truth(pool, x[0]));
    return reduce_max(pool, x, out);
}

static carom_status reduce_all(pool_type *pool, arguments_type x, carom_value **out) {
    CAROM_TRY(require_truth(pool, x[0]));
    return reduce_min(pool, x, out);
}

/* One entry of a series. */
static carom_status entry(pool_type *pool, const carom_value *x, bool is_last, carom_value **out) {
    CAROM_TRY(require_series(pool, x));
    if (x->rows == 0) {
        return refuse(pool, CAROM_STATUS_OUT_OF_RANGE, "the selection is empty");
    }
    return number(pool, x->values[is_last ? x->rows - 1 : 0], out);
}

static carom_status reduce_first(pool_type *pool, arguments_type x, carom_value **out) {
    return entry(pool, x[0], false, out);
}

static carom_status reduce_last(pool_type *pool, arguments_type x, carom_value **out) {
    return entry(pool, x[0], true, out);
}

static carom_status reduce_rows(pool_type *pool, arguments_type x, carom_value **out) {
    return number(pool, x[0]->rows, out);
}

/* Series from series. */

/* Entries from `first` on, but for the last `left_out`. */
static carom_status part(pool_type *pool, const carom_value *x, int first, int left_out,
                         carom_value **out) {
    CAROM_TRY(require_series(pool, x));
    const int rows = x->rows - first - left_out;
    CAROM_TRY(series(pool, rows > 0 ? rows : 0, out));
    for (int i = 0; i < rows; ++i) {
        (*out)->values[i] = x->values[first + i];
    }
    return CAROM_OK;
}

static carom_status series_next(pool_type *pool, arguments_type x, carom_value **out) {
    return part(pool, x[0], 1, 0, out);
}

static carom_status series_prev(pool_type *pool, arguments_type x, carom_value **out) {
    return part(pool, x[0], 0, 1, out);
}

static carom_status series_diff(pool_type *pool, arguments_type x, carom_value **out) {
    CAROM_TRY(part(pool, x[0], 1, 0, out));
    for (int i = 0; i < (*out)->rows; ++i) {
        (*out)->values[i] -= x[0]->values[i];
    }
    return CAROM_OK;
}

/* where(x, mask): the rows at which the mask is true. */
static carom_status series_where(pool_type *pool, arguments_type x, carom_value **out) {
    const carom_value *mask = x[1];
    CAROM_TRY(require_series(pool, mask));
    CAROM_TRY(require_truth(pool, mask));
    if (x[0]->rank == 0 || x[0]->rows != mask->rows) {
        return carom_report_say(pool->report, CAROM_STATUS_CONFLICT,
                                "where: %d rows, and %d truth values", x[0]->rows, mask->rows);
    }
    int kept = 0;
    for (int i = 0; i < mask->rows; ++i) {
        kept += mask->values[i] > 0.0 ? 1 : 0;
    }
    CAROM_TRY(carom_value_make(pool, x[0]->rank, kept, x[0]->columns, out));
    double *place = (*out)->values;
    for (int i = 0; i < mask->rows; ++i) {
        for (int j = 0; mask->values[i] > 0.0 && j < x[0]->columns; ++j) {
            *place++ = x[0]->values[(size_t)i * (size_t)x[0]->columns + (size_t)j];
        }
    }
    return CAROM_OK;
}

/* starts(mask): where a run of truth begins, as indices. */
static carom_status series_starts(pool_type *pool, arguments_type x, carom_value **out) {
    CAROM_TRY(require_series(pool, x[0]));
    CAROM_TRY(require_truth(pool, x[0]));
    CAROM_TRY(series(pool, x[0]->rows, out));
    int count = 0;
    for (int i = 0; i < x[0]->rows; ++i) {
        if (x[0]->values[i] > 0.0 && (i == 0 || x[0]->values[i - 1] <= 0.0)) {
            (*out)->values[count++] = i;
        }
    }
    (*out)->rows = count;
    return CAROM_OK;
}

/* Largest of the entries first .. end-1. */
static carom_status largest(pool_type *pool, const carom_value *x, int first, int end,
                            double *most) {
    carom_value *piece = NULL;
    CAROM_TRY(part(pool, x, first, x->rows - end, &piece));
    carom_value *found = NULL;
    CAROM_TRY(reduce_max(pool, (const carom_value *const[]){piece}, &found));
    *most = found->values[0];
    return CAROM_OK;
}

/* segments(x, i): the largest entry from each index of i to before the next one. */
static carom_status series_segments(pool_type *pool, arguments_type x, carom_value **out) {
    CAROM_TRY(require_series(pool, x[0]));
    CAROM_TRY(require_series(pool, x[1]));
    const carom_value *ends = x[1];
    CAROM_TRY(series(pool, ends->rows > 1 ? ends->rows - 1 : 0, out));
    for (int i = 0; i < (*out)->rows; ++i) {
        const double first = ends->values[i];
        const double end = ends->values[i + 1];
        if (!(first >= 0.0 && end > first && end <= x[0]->rows)) {
            return refuse(pool, CAROM_STATUS_OUT_OF_RANGE,
                          "segments: indices grow and stay inside the series");
        }
        CAROM_TRY(largest(pool, x[0], (int)first, (int)end, &(*out)->values[i]));
    }
    return CAROM_OK;
}

/* windows(x, t, t0, w): the largest entry of x in each full window [t0 + k w, t0 + (k + 1) w) of t,
 * which grows. */
static carom_status series_windows(pool_type *pool, arguments_type x, carom_value **out) {
    const carom_value *t = x[1];
    CAROM_TRY(require_series(pool, x[0]));
    CAROM_TRY(require_series(pool, t));
    CAROM_TRY(require_numbers(pool, t));
    const double width = x[3]->values[0];
    const double start = x[2]->values[0];
    if (x[0]->rows != t->rows || x[2]->rank != 0 || x[3]->rank != 0 || !(width > 0.0)) {
        return refuse(pool, CAROM_STATUS_CONFLICT,
                      "windows takes a series, its times, a start and a positive width");
    }
    const double count = floor((t->values[t->rows - 1] - start) / width);
    if (!(count >= 1.0 && count <= t->rows)) {
        return refuse(pool, CAROM_STATUS_OUT_OF_RANGE,
                      "windows: none fits, or more than there are entries");
    }
    CAROM_TRY(series(pool, (int)count, out));
    int first = 0;
    for (int k = 0; k < (int)count; ++k) {
        while (first < t->rows && t->values[first] < start + k * width) {
            ++first;
        }
        int end = first;
        while (end < t->rows && t->values[end] < start + (k + 1) * width) {
            ++end;
        }
        CAROM_TRY(largest(pool, x[0], first, end, &(*out)->values[k]));
    }
    return CAROM_OK;
}

/* slope(x, y): of log y over log x, by least squares: the order of convergence of errors y with
 * steps x. */
static carom_status reduce_slope(pool_type *pool, arguments_type x, carom_value **out) {
    carom_value *logs[2] = {NULL, NULL};
    for (int i = 0; i < 2; ++i) {
        CAROM_TRY(require_series(pool, x[i]));
        CAROM_TRY(require_numbers(pool, x[i]));
        CAROM_TRY(map(pool, x[i], log, &logs[i]));
        for (int k = 0; k < logs[i]->rows; ++k) {
            if (!isfinite(logs[i]->values[k])) {
                return refuse(pool, CAROM_STATUS_NOT_FINITE, "slope takes positive numbers");
            }
        }
    }
    if (x[0]->rows != x[1]->rows || x[0]->rows < 2) {
        return refuse(pool, CAROM_STATUS_CONFLICT,
                      "slope takes two series of the same length, >= 2");
    }
    double fit[5];
    gsl_fit_linear(logs[0]->values, 1, logs[1]->values, 1, (size_t)x[0]->rows, &fit[0], &fit[1],
                   &fit[2], &fit[3], &fit[4], &(double){0.0});
    return number(pool, fit[1], out);
}

/* distance(x, y): of each row of x from the nearest row of y, Euclidean. */
static carom_status series_distance(pool_type *pool, arguments_type x, carom_value **out) {
    CAROM_TRY(require_numbers(pool, x[0]));
    CAROM_TRY(require_numbers(pool, x[1]));
    const int columns = x[0]->columns;
    if (columns != x[1]->columns) {
        return refuse(pool, CAROM_STATUS_CONFLICT, "distance takes rows of the same length");
    }
    CAROM_TRY(series(pool, x[0]->rows, out));
    for (int i = 0; i < x[0]->rows; ++i) {
        double nearest = INFINITY;
        for (int k = 0; k < x[1]->rows; ++k) {
            double length = 0.0;
            for (int j = 0; j < columns; ++j) {
                length = hypot(length, x[0]->values[(size_t)i * (size_t)columns + (size_t)j] -
                                           x[1]->values[(size_t)k * (size_t)columns + (size_t)j]);
            }
            nearest = fmin(nearest, length);
        }
        (*out)->values[i] = nearest;
    }
    return CAROM_OK;
}

const carom_value_function carom_value_functions[] = {
    {"abs", 1, map_abs},
    {"sqrt", 1, map_sqrt},
    {"exp", 1, map_exp},
    {"log", 1, map_log},
    {"sin", 1, map_sin},
    {"cos", 1, map_cos},
    {"round", 1, map_round},
    {"known", 1, map_known},
    {"min", 1, reduce_min},
    {"max", 1, reduce_max},
    {"sum", 1, reduce_sum},
    {"mean", 1, reduce_mean},
    {"count", 1, reduce_count},
    {"any", 1, reduce_any},
    {"all", 1, reduce_all},
    {"first", 1, reduce_first},
    {"last", 1, reduce_last},
    {"rows", 1, reduce_rows},
    {"next", 1, series_next},
    {"prev", 1, series_prev},
    {"diff", 1, series_diff},
    {"where", 2, series_where},
    {"starts", 1, series_starts},
    {"segments", 2, series_segments},
    {"windows", 4, series_windows},
    {"slope", 2, reduce_slope},
    {"distance", 2, series_distance},
    {NULL, 0, NULL},
};
