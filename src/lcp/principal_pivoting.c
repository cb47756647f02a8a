/*
 * The dictionary T in product form, M and q in the caller's units. Exchange m of row r, with column
 * p_m and pivot d_m, puts the r-th row, solved for its new variable, into all others:
 *
 *     T_k <- T_k + s p_m,  s = -T_rk / d_m,
 *
 * T_rk made zero before and p_m,r one, so that the new T_rk is s. Where T_rk is +-T_kr = +-p_m,k by
 * symmetry, minus if one of w_r, w_k is basic and the other not, all s are known beforehand.
 */
#include <carom/lcp/lemke_internal.h>

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/**
 * A pivot is the part of its diagonal entry, of order one here, that the rows exchanged before do
 * not explain: the square of a sine. Below this part, an angle of 1e-2, Lemke's path with its
 * recovery of lost digits is safer; larger angles cost no more than four of sixteen digits.
 */
static const double SAFE_PIVOT = 1e-4;

/** A value this many roundings, for each row, of the largest -q' below zero is zero: a quarter of
 * what the measured residual may be. */
static const double ZERO_ROUNDINGS_PER_ROW = 4.0;

/** Exchanges beyond one of every row; more than n is rare, and the rule may cycle. */
enum { EXTRA_EXCHANGES = 4 };

/** Fewest rows that are worth the instructions for two numbers at a time. */
enum { LEAST_PAIRED = 8 };

/** The dictionary after some exchanges. */
typedef struct exchanges {
    double *value;   /**< [n] basic variables */
    double *scale;   /**< [n] R_i where w_i is basic, 1 / C_i where z_i is */
    double *sign;    /**< [n] 1 where w_i is basic, -1 where z_i is */
    double *is_new;  /**< [n] 1 for rows never exchanged, else 0 */
    double *columns; /**< [exchanges][n] p_m */
    double *factors; /**< [exchanges] 1 / d_m with the sign of its row before the exchange */
} exchanges;

/** M_ij = M_ji to the last bit. */
static bool is_symmetric(int n, const double *M) {
    const double *row = M;
    for (int i = 1; i < n; i++) {
        row += n;
        const double *column = M + i;
        uint64_t different = 0;
        for (int j = 0; j < i; j++) {
            uint64_t left;
            uint64_t right;
            memcpy(&left, row + j, sizeof left);
            memcpy(&right, column, sizeof right);
            different |= left ^ right;
            column += n;
        }
        if (different != 0) {
            return false;
        }
    }
    return true;
}

/** x_i = s y_i mask_i. Like the next two in pairs as far as `paired`. */
static inline void multiply_masked(int n, int paired, double s, const double *restrict y,
                                   const double *restrict mask, double *restrict x) {
    for (int i = 0; i < paired; i += 2) {
        x[i] = y[i] * (mask[i] * s);
        x[i + 1] = y[i + 1] * (mask[i + 1] * s);
    }
    for (int i = paired; i < n; i++) {
        x[i] = y[i] * (mask[i] * s);
    }
}

/** x += s a. */
static inline void add_one(int n, int paired, double s, const double *restrict a,
                           double *restrict x) {
    for (int i = 0; i < paired; i += 2) {
        x[i] += s * a[i];
        x[i + 1] += s * a[i + 1];
    }
    for (int i = paired; i < n; i++) {
        x[i] += s * a[i];
    }
}

/** x += s a + t b. */
static inline void add_two(int n, int paired, double s, const double *restrict a, double t,
                           const double *restrict b, double *restrict x) {
    for (int i = 0; i < paired; i += 2) {
        x[i] = x[i] + s * a[i] + t * b[i];
        x[i + 1] = x[i + 1] + s * a[i + 1] + t * b[i + 1];
    }
    for (int i = paired; i < n; i++) {
        x[i] = x[i] + s * a[i] + t * b[i];
    }
}

/** Column x of the nonbasic variable of row k after `count` exchanges. */
static inline void make_column(int n, const double *M, const exchanges *state, int count, int k,
                               double *x) {
    const int paired = n >= LEAST_PAIRED ? n / 2 * 2 : 0;
    const double *p = state->columns;
    const double *factors = state->factors;
    const double sign = -state->sign[k];
    multiply_masked(n, paired, state->is_new[k], M + (size_t)k * (size_t)n, state->is_new, x);
    int m = 0;
    for (; m + 2 <= count; m += 2) {
        const double s = sign * (factors[m] * p[k]);
        const double t = sign * (factors[m + 1] * p[n + k]);
        add_two(n, paired, s, p, t, p + n, x);
        p += 2 * n;
    }
    if (m < count) {
        add_one(n, paired, sign * (factors[m] * p[k]), p, x);
    }
}

/** Every w basic. @return the row whose value is most negative; `least` gets it, scaled, or 0 */
static inline int start(const carom_lcp_workspace *work, const exchanges *state, double *least) {
    int r = 0;
    *least = 0.0;
    for (int i = 0; i < work->size; i++) {
        const double scaled = work->q[i] * work->row[i];
        state->value[i] = work->q[i];
        state->scale[i] = work->row[i];
        state->sign[i] = 1.0;
        state->is_new[i] = 1.0;
        r = scaled < *least ? i : r;
        *least = scaled < *least ? scaled : *least;
    }
    return r;
}

/** Exchange row r, whose column x is the last of `count`. @return the row to exchange next, as
 * above */
static inline int exchange(const carom_lcp_workspace *work, const exchanges *state, int count,
                           int r, double *x, double *least) {
    const int n = work->size;
    const double reciprocal = 1.0 / x[r];
    const double step = -state->value[r] / x[r];
    state->factors[count - 1] = state->sign[r] * reciprocal;
    state->scale[r] = state->sign[r] > 0.0 ? work->inverse_column[r] : work->row[r];
    state->sign[r] = -state->sign[r];
    state->is_new[r] = 0.0;
    // The row as it was drops out of all columns.
    for (double *p = state->columns + r; p < x; p += n) {
        *p = 0.0;
    }
    x[r] = 1.0;
    state->value[r] = 0.0;
    double *restrict value = state->value;
    const double *restrict scale = state->scale;
    int next = 0;
    double smallest = 0.0;
    for (int i = 0; i < n; i++) {
        const double changed = value[i] + step * x[i];
        const double scaled = changed * scale[i];
        value[i] = changed;
        next = scaled < smallest ? i : next;
        smallest = scaled < smallest ? scaled : smallest;
    }
    *least = smallest;
    return next;
}

bool carom_lcp_principal_pivoting(carom_lcp_workspace *work, double *z, int *pivots) {
    const int n = work->size;
    // The path of a single row is no longer than this.
    if (n < 2 || !is_symmetric(n, work->M)) {
        return false;
    }
    const exchanges state = {.value = work->dictionary.value,
                             .scale = work->last,
                             .sign = work->solution,
                             .is_new = work->trial,
                             .columns = work->dictionary.pivot_columns,
                             .factors = work->dictionary.pivot_reciprocals};
    const double zero =
        -ZERO_ROUNDINGS_PER_ROW * DBL_EPSILON * (double)n * (work->largest_constant * work->unit);
    int count = 0;
    double *x = state.columns;
    double least;
    int r = start(work, &state, &least);
    while (least < zero) {
        if (count == n + EXTRA_EXCHANGES) {
            return false;
        }
        make_column(n, work->M, &state, count, r, x);
        if (!(x[r] * (state.scale[r] * state.scale[r]) >= SAFE_PIVOT)) {
            return false;
        }
        count++;
        r = exchange(work, &state, count, r, x, &least);
        x += n;
    }
    *pivots = count;
    for (int i = 0; i < n; i++) {
        // Without a branch: (v + |v|) / 2 is the larger of v and 0.
        z[i] = (0.25 - 0.25 * state.sign[i]) * (state.value[i] + fabs(state.value[i]));
    }
    return true;
}
