#include <carom/base/vector.h>
#include <carom/lcp/lemke_internal.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Digits are lost where an equation is off by this many roundings for each row. */
static const double LOST_ROUNDINGS_PER_ROW = 16.0;

/** Places of nonbasic variables. */
enum { NEVER_BASIC = -1, LEFT_AT_FIRST_PIVOT = -2 };

/** Columns are made in pieces of this many pivots, that a column is read and written once for. */
enum { PIECE = 4 };

/** Pivots kept for n unknowns; most paths take fewer. */
static int most_pivots(int n) {
    return n + n / 2 + 8;
}

carom_status carom_lcp_dictionary_init(int capacity, carom_lcp_dictionary *dictionary) {
    CAROM_ASSERT(dictionary != NULL && capacity >= 1);
    *dictionary = (carom_lcp_dictionary){.capacity = capacity};
    const size_t size = (size_t)capacity;
    const size_t stride = (size_t)carom_lcp_padded(capacity);
    const size_t pivots = (size_t)most_pivots(capacity);
    dictionary->constant = calloc(size, sizeof(double));
    dictionary->covering = calloc(size, sizeof(double));
    dictionary->value = calloc(stride, sizeof(double));
    dictionary->pivot_columns = calloc((pivots + 1) * stride, sizeof(double));
    dictionary->pivots = calloc(pivots + 1, sizeof *dictionary->pivots);
    dictionary->pivot_reciprocals = calloc(pivots, sizeof(double));
    dictionary->pivot_rows = calloc(pivots, sizeof(int));
    dictionary->trial = calloc(stride, sizeof(double));
    dictionary->basic = calloc(size, sizeof(int));
    dictionary->place = calloc(2 * size + 1, sizeof(int));
    dictionary->tied = calloc(size + 1, sizeof(int));
    if (dictionary->constant == NULL || dictionary->covering == NULL || dictionary->value == NULL ||
        dictionary->pivot_columns == NULL || dictionary->pivots == NULL ||
        dictionary->pivot_reciprocals == NULL || dictionary->pivot_rows == NULL ||
        dictionary->trial == NULL || dictionary->basic == NULL || dictionary->place == NULL ||
        dictionary->tied == NULL) {
        carom_lcp_dictionary_clear(dictionary);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    return CAROM_OK;
}

void carom_lcp_dictionary_clear(carom_lcp_dictionary *dictionary) {
    free(dictionary->constant);
    free(dictionary->covering);
    free(dictionary->value);
    free(dictionary->pivot_columns);
    free(dictionary->pivots);
    free(dictionary->pivot_reciprocals);
    free(dictionary->pivot_rows);
    free(dictionary->trial);
    free(dictionary->basic);
    free(dictionary->place);
    free(dictionary->tied);
    *dictionary = (carom_lcp_dictionary){.capacity = 0};
}

void carom_lcp_dictionary_start(carom_lcp_dictionary *dictionary) {
    const int n = dictionary->size;
    CAROM_ASSERT(n >= 1 && n <= dictionary->capacity);
    dictionary->stride = carom_lcp_padded(n);
    dictionary->pivot_limit = most_pivots(n);
    dictionary->pivot_count = 0;
    dictionary->node = -1;
    dictionary->is_suspect = false;
    for (int i = 0; i < n; i++) {
        dictionary->value[i] = dictionary->constant[i];
        dictionary->basic[i] = i;
        dictionary->place[i] = i;
        dictionary->place[n + i] = NEVER_BASIC;
    }
    dictionary->place[2 * n] = NEVER_BASIC;
    for (int i = n; i < dictionary->stride; i++) {
        dictionary->value[i] = HUGE_VAL;
    }
}

/** Column x through pivot k. */
/*[lemkePivot]*/
CAROM_VECTOR_WIDE static void transform_once(const carom_lcp_dictionary *dictionary, int k,
                                             double *x) {
    // Row r solved for the variable that entered, and put into the other rows.
    const int r = dictionary->pivot_rows[k];
    const double substitute = -x[r] * dictionary->pivot_reciprocals[k];
    carom_lcp_add_multiple(dictionary->stride, substitute, dictionary->pivots[k], x);
    x[r] = substitute;
}
/*[end lemkePivot]*/

/** Column x through the pivots k, ..., k + 3, operation by operation as one at a time. */
CAROM_VECTOR_WIDE static void transform_piece(const carom_lcp_dictionary *dictionary, int k,
                                              double *restrict x) {
    const int *rows = dictionary->pivot_rows + k;
    const double *p[PIECE];
    double substitutes[PIECE];
    double values[PIECE];
    for (int a = 0; a < PIECE; a++) {
        p[a] = dictionary->pivots[k + a];
        values[a] = x[rows[a]];
    }
    // The rows of these pivots among themselves.
    for (int a = 0; a < PIECE; a++) {
        const double substitute = -values[a] * dictionary->pivot_reciprocals[k + a];
        substitutes[a] = substitute;
        for (int b = 0; b < PIECE; b++) {
            values[b] = rows[b] == rows[a] ? substitute : values[b] + substitute * p[a][rows[b]];
        }
    }
    // All other rows.
    carom_lcp_add_four_multiples(dictionary->stride, substitutes, p, x);
    for (int a = 0; a < PIECE; a++) {
        x[rows[a]] = values[a];
    }
}

/** Column x, of the dictionary after the first `done` pivots, in the present one. */
static void transform(const carom_lcp_dictionary *dictionary, int done, double *x) {
    int k = done;
    for (; k + PIECE <= dictionary->pivot_count; k += PIECE) {
        transform_piece(dictionary, k, x);
    }
    for (; k < dictionary->pivot_count; k++) {
        transform_once(dictionary, k, x);
    }
}

void carom_lcp_dictionary_column(const carom_lcp_dictionary *dictionary, int variable, double *x) {
    const int n = dictionary->size;
    const int place = dictionary->place[variable];
    int done = 0;
    if (place <= LEFT_AT_FIRST_PIVOT) {
        // It left at pivot k, whose row was solved for it.
        const int k = LEFT_AT_FIRST_PIVOT - place;
        const double *p = dictionary->pivots[k];
        const double reciprocal = dictionary->pivot_reciprocals[k];
        for (int i = 0; i < n; i++) {
            x[i] = p[i] * reciprocal;
        }
        x[dictionary->pivot_rows[k]] = reciprocal;
        done = k + 1;
    } else if (variable == 2 * n) {
        memcpy(x, dictionary->covering, (size_t)n * sizeof(double));
    } else {
        const int j = variable - n;
        const double column = dictionary->column[j];
        const double *entry = dictionary->matrix + j;
        for (int i = 0; i < n; i++) {
            x[i] = dictionary->row[i] * *entry * column;
            entry += n;
        }
        x[j] += dictionary->shift;
    }
    for (int i = n; i < dictionary->stride; i++) {
        x[i] = 0.0;
    }
    transform(dictionary, done, x);
}

void carom_lcp_dictionary_exchange(carom_lcp_dictionary *dictionary, int r, int entering) {
    const int k = dictionary->pivot_count;
    const int leaving = dictionary->basic[r];
    dictionary->pivot_rows[k] = r;
    dictionary->pivot_reciprocals[k] = 1.0 / dictionary->pivots[k][r];
    dictionary->basic[r] = entering;
    dictionary->place[entering] = r;
    dictionary->place[leaving] = LEFT_AT_FIRST_PIVOT - k;
    dictionary->pivot_count = k + 1;
    transform_once(dictionary, k, dictionary->value);
}

bool carom_lcp_dictionary_renew(carom_lcp_dictionary *dictionary) {
    const int n = dictionary->size;
    int count = 0;
    for (int v = n; v <= 2 * n; v++) {
        dictionary->tied[count] = v;
        count += dictionary->place[v] >= 0;
    }
    // Rows to be exchanged are marked in `trial`.
    double *leaves = dictionary->trial;
    for (int i = 0; i < n; i++) {
        leaves[i] = dictionary->place[i] < 0 ? 1.0 : 0.0;
    }
    carom_lcp_dictionary_start(dictionary);
    for (int t = 0; t < count; t++) {
        const double *x = carom_lcp_dictionary_enter(dictionary, dictionary->tied[t]);
        int r = -1;
        double largest = DBL_EPSILON * carom_lcp_largest_entry(dictionary->stride, x);
        for (int i = 0; i < n; i++) {
            const double size = leaves[i] * fabs(x[i]);
            if (size > largest) {
                largest = size;
                r = i;
            }
        }
        if (r < 0) {
            return false;
        }
        leaves[r] = 0.0;
        carom_lcp_dictionary_exchange(dictionary, r, dictionary->tied[t]);
    }
    return true;
}

bool carom_lcp_dictionary_has_digits(const carom_lcp_dictionary *dictionary) {
    const int n = dictionary->size;
    const double roundings = LOST_ROUNDINGS_PER_ROW * DBL_EPSILON * (double)n;
    double *z = dictionary->trial;
    for (int j = 0; j < n; j++) {
        const int row = dictionary->place[n + j];
        z[j] = row >= 0 ? dictionary->column[j] * dictionary->value[row] : 0.0;
    }
    const double z_0 =
        dictionary->place[2 * n] >= 0 ? dictionary->value[dictionary->place[2 * n]] : 0.0;
    double largest = 0.0;
    double error = 0.0;
    for (int i = 0; i < n; i++) {
        const double *row = dictionary->matrix + (size_t)i * (size_t)n;
        double sum = 0.0;
        double size = 0.0;
        for (int j = 0; j < n; j++) {
            sum += row[j] * z[j];
            size += fabs(row[j] * z[j]);
        }
        const double diagonal =
            dictionary->column[i] > 0.0 ? dictionary->shift * z[i] / dictionary->column[i] : 0.0;
        const double other = dictionary->constant[i] + dictionary->covering[i] * z_0 + diagonal;
        const double w = dictionary->place[i] >= 0 ? dictionary->value[dictionary->place[i]] : 0.0;
        const double rest = fabs(other + dictionary->row[i] * sum - w);
        error = rest > error ? rest : error;
        size = dictionary->row[i] * size + fabs(dictionary->constant[i]) +
               dictionary->covering[i] * fabs(z_0);
        largest = size > largest ? size : largest;
    }
    return error <= roundings * largest;
}

void carom_lcp_dictionary_correct(carom_lcp_dictionary *dictionary, const double *w) {
    const int n = dictionary->size;
    double *rest = dictionary->trial;
    // Negative z' have been made zero before w was computed.
    for (int r = 0; r < n; r++) {
        const bool is_clipped = dictionary->basic[r] >= n && dictionary->value[r] < 0.0;
        dictionary->value[r] = is_clipped ? 0.0 : dictionary->value[r];
    }
    for (int i = 0; i < dictionary->stride; i++) {
        rest[i] = 0.0;
    }
    for (int i = 0; i < n; i++) {
        const int row = dictionary->place[i];
        rest[i] = row >= 0 ? w[i] - dictionary->value[row] : w[i];
    }
    transform(dictionary, 0, rest);
    for (int r = 0; r < n; r++) {
        dictionary->value[r] += rest[r];
    }
}

void carom_lcp_dictionary_solution(const carom_lcp_dictionary *dictionary, double *z) {
    const int n = dictionary->size;
    for (int i = 0; i < n; i++) {
        const int row = dictionary->place[n + i];
        const double value = row < 0 ? 0.0 : dictionary->value[row];
        z[i] = value > 0.0 ? value : 0.0;
    }
}

void carom_lcp_dictionary_set(const carom_lcp_dictionary *dictionary, bool *is_set) {
    for (int i = 0; i < dictionary->size; i++) {
        is_set[i] = dictionary->place[dictionary->size + i] >= 0;
    }
}
