/*
 * The problem is scaled by powers of two, z' = D^-1 z, w' = D w, M' = D M D, q' = D q, so that the
 * covering vector of ones and all thresholds mean the same for every row and any choice of units.
 * The dictionary holds, in row i, the basic variable of that row as a function of the n + 1
 * nonbasic ones: basic_i = T_i0 + sum_c T_ic nonbasic_c, column 0 belonging to the constant term.
 */
#include <carom/lcp/lemke.h>
#include <carom/lcp/refinement.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct carom_lcp_workspace {
    int capacity;
    double *scale;      /**< [n] D, powers of two */
    double *matrix;     /**< [n][n] M' */
    double *constant;   /**< [n] q', scaled to a largest entry in [1/2, 1) */
    double *solution;   /**< [n] z' */
    double *dictionary; /**< [n][n+2] T: constant term, then the nonbasic columns */
    int *basic;         /**< [n] variable of each row: i is w_i, n + i is z_i, 2 n is z_0 */
    int *nonbasic;      /**< [n+2] variable of each column from 1 on */
    int *place;         /**< [2n+1] row of a basic variable, -column of a nonbasic one */
    bool *is_set;       /**< [n] rows of the final basis with z' */
    carom_lcp_refinement *refinement;
};

/**
 * A pivot must exceed this many roundings, for each row, of the largest entry of its column: among
 * redundant contacts a smaller one is what earlier pivots have left of a zero.
 */
static const double PIVOT_ROUNDINGS_PER_ROW = 1000.0;

/** z_0 below this many roundings for each row, of q' scaled to 1, has come to zero. */
static const double COVERING_ROUNDINGS_PER_ROW = 64.0;

/**
 * Accepted residual relative to the largest |q'|. Beyond rounding, it is for redundant contacts
 * whose q is not quite in the range of M, by cancellation in the speeds it was computed from.
 */
static const double ACCEPTED_RESIDUAL = 1e-10;

/** Practical problems take about n pivots; the constructed worst case takes 2^n. */
enum { PIVOTS_PER_UNKNOWN = 50 };

/** A ray with z_0 below this, of q' scaled to 1: an ill-conditioned basis may have kept it there.
 */
static const double RAY_COVERING = 1e-6;

/** How the pivoting ended. */
typedef enum pivoting_end { END_COMPLEMENTARY, END_RAY, END_EXHAUSTED } pivoting_end;

carom_status carom_lcp_workspace_alloc(int n, carom_lcp_workspace **out) {
    CAROM_ASSERT(out != NULL && n >= 0);
    *out = NULL;
    carom_lcp_workspace *work = calloc(1, sizeof *work);
    if (work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    work->capacity = n;
    const size_t size = n > 0 ? (size_t)n : 1;
    work->scale = calloc(size, sizeof(double));
    work->matrix = calloc(size * size, sizeof(double));
    work->constant = calloc(size, sizeof(double));
    work->solution = calloc(size, sizeof(double));
    work->dictionary = calloc(size * (size + 2), sizeof(double));
    work->basic = calloc(size, sizeof(int));
    work->nonbasic = calloc(size + 2, sizeof(int));
    work->place = calloc(2 * size + 1, sizeof(int));
    work->is_set = calloc(size, sizeof(bool));
    const bool has_arrays = work->scale != NULL && work->matrix != NULL && work->constant != NULL &&
                            work->solution != NULL && work->dictionary != NULL &&
                            work->basic != NULL && work->nonbasic != NULL && work->place != NULL &&
                            work->is_set != NULL;
    if (!has_arrays || carom_lcp_refinement_alloc((int)size, &work->refinement) != CAROM_OK) {
        carom_lcp_workspace_free(work);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    *out = work;
    return CAROM_OK;
}

void carom_lcp_workspace_free(carom_lcp_workspace *work) {
    if (work == NULL) {
        return;
    }
    free(work->scale);
    free(work->matrix);
    free(work->constant);
    free(work->solution);
    free(work->dictionary);
    free(work->basic);
    free(work->nonbasic);
    free(work->place);
    free(work->is_set);
    carom_lcp_refinement_free(work->refinement);
    free(work);
}

static bool is_finite(size_t count, const double *x) {
    for (size_t k = 0; k < count; k++) {
        if (!isfinite(x[k])) {
            return false;
        }
    }
    return true;
}

static carom_status fail(int n, carom_status status, double *z, int pivots,
                         carom_lcp_report *report) {
    for (int i = 0; i < n; i++) {
        z[i] = (double)NAN;
    }
    if (report != NULL) {
        report->residual = (double)NAN;
        report->pivots = pivots;
    }
    return status;
}

/** The power of two nearest to x > 0 from above. */
static double power_of_two(double x) {
    int exponent;
    (void)frexp(x, &exponent);
    return ldexp(1.0, exponent);
}

/**
 * D_i = M_ii^-1/2 and M', q' with it; rows without a positive diagonal entry are scaled by their
 * largest entry. Returns the power of two by which q' was divided.
 */
static double load_scaled(int n, const double *M, const double *q, carom_lcp_workspace *work) {
    for (int i = 0; i < n; i++) {
        const double *row = M + (size_t)i * (size_t)n;
        double size = row[i];
        for (int j = 0; j < n && !(row[i] > 0.0); j++) {
            size = fmax(size, fabs(row[j]));
        }
        work->scale[i] = size > 0.0 ? 1.0 / power_of_two(sqrt(size)) : 1.0;
    }
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const size_t entry = (size_t)i * (size_t)n + (size_t)j;
            work->matrix[entry] = work->scale[i] * M[entry] * work->scale[j];
        }
        work->constant[i] = work->scale[i] * q[i];
        largest = fmax(largest, fabs(work->constant[i]));
    }
    const double unit = power_of_two(largest);
    for (int i = 0; i < n; i++) {
        work->constant[i] /= unit;
    }
    return unit;
}

/** Row i of the dictionary, [n+2]. */
static double *dictionary_row(int n, int i, const carom_lcp_workspace *work) {
    return work->dictionary + (size_t)i * ((size_t)n + 2);
}

/** The dictionary at the start: w = q' + M' z + z_0. */
static void start_dictionary(int n, carom_lcp_workspace *work) {
    for (int i = 0; i < n; i++) {
        double *row = dictionary_row(n, i, work);
        row[0] = work->constant[i];
        memcpy(row + 1, work->matrix + (size_t)i * (size_t)n, (size_t)n * sizeof(double));
        row[n + 1] = 1.0;
        work->basic[i] = i;
        work->place[i] = i;
        work->nonbasic[1 + i] = n + i;
        work->place[n + i] = -(1 + i);
    }
    work->nonbasic[n + 1] = 2 * n;
    work->place[2 * n] = -(n + 1);
}

/** Exchange the basic variable of row r with the nonbasic one of column c. */
/*[lemkePivot]*/
static void pivot(int n, int r, int c, carom_lcp_workspace *work) {
    const int width = n + 2;
    double *pivot_row = dictionary_row(n, r, work);
    // Row r solved for the entering variable.
    const double reciprocal = 1.0 / pivot_row[c];
    for (int j = 0; j < width; j++) {
        pivot_row[j] *= -reciprocal;
    }
    pivot_row[c] = reciprocal;
    // And put into the other rows.
    for (int i = 0; i < n; i++) {
        double *row = dictionary_row(n, i, work);
        const double factor = row[c];
        if (i == r || !(fabs(factor) > 0.0)) {
            continue;
        }
        for (int j = 0; j < width; j++) {
            row[j] += factor * pivot_row[j];
        }
        row[c] = factor * reciprocal;
    }
    const int leaving = work->basic[r];
    const int entering = work->nonbasic[c];
    work->basic[r] = entering;
    work->nonbasic[c] = leaving;
    work->place[entering] = r;
    work->place[leaving] = -c;
}
/*[end lemkePivot]*/

/**
 * Column k of (constant term, B^-1) in row i: the coefficient of the initial basic variable w_{k-1}
 * with its sign turned, which is that of a nonbasic column or a row of the identity.
 */
static double lexicographic_entry(int n, int i, int k, const carom_lcp_workspace *work) {
    const double *row = dictionary_row(n, i, work);
    if (k == 0) {
        return row[0];
    }
    const int place = work->place[k - 1];
    if (place < 0) {
        return -row[-place];
    }
    return place == i ? 1.0 : 0.0;
}

/**
 * Whether row a precedes row b lexicographically, each divided by its size > 0. The rows of B^-1
 * are independent: some column decides.
 */
static bool precedes(int n, int a, double size_a, int b, double size_b,
                     const carom_lcp_workspace *work) {
    double difference = 0.0;
    for (int k = 0; k <= n && !(fabs(difference) > 0.0); k++) {
        difference = lexicographic_entry(n, a, k, work) / size_a -
                     lexicographic_entry(n, b, k, work) / size_b;
    }
    return difference < 0.0;
}

/**
 * The row that blocks the entering column c first: lexicographic minimum ratio over the rows that
 * decrease; z_0 whenever it is among those that come to zero. -1 if none blocks (a ray).
 */
static int blocking_row(int n, int c, const carom_lcp_workspace *work) {
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(dictionary_row(n, i, work)[c]));
    }
    const double smallest_pivot = PIVOT_ROUNDINGS_PER_ROW * DBL_EPSILON * (double)n * largest;
    int blocking = -1;
    double blocking_size = 1.0;
    for (int i = 0; i < n; i++) {
        const double decrease = -dictionary_row(n, i, work)[c];
        if (decrease > smallest_pivot &&
            (blocking < 0 || precedes(n, i, decrease, blocking, blocking_size, work))) {
            blocking = i;
            blocking_size = decrease;
        }
    }
    // z_0 leaves if this step brings it to zero, within rounding, as well.
    const int covering = work->place[2 * n];
    if (blocking >= 0 && covering >= 0) {
        const double *row = dictionary_row(n, covering, work);
        const double step = dictionary_row(n, blocking, work)[0] / blocking_size;
        const double rest = row[0] + row[c] * step;
        if (-row[c] > smallest_pivot && rest <= COVERING_ROUNDINGS_PER_ROW * DBL_EPSILON * n) {
            blocking = covering;
        }
    }
    return blocking;
}

/** Pivot until z_0 has left the basis, or a ray is met in the column `entering_column`. */
static pivoting_end run_pivots(int n, carom_lcp_workspace *work, int *pivots,
                               int *entering_column) {
    // z_0 enters; the lexicographically least row of (q', I) leaves: covering makes q' + z_0 >= 0.
    int leaving_row = 0;
    for (int i = 1; i < n; i++) {
        if (precedes(n, i, 1.0, leaving_row, 1.0, work)) {
            leaving_row = i;
        }
    }
    int column = n + 1;
    const int limit = PIVOTS_PER_UNKNOWN * n;
    for (*pivots = 1; *pivots <= limit; (*pivots)++) {
        const int leaving = work->basic[leaving_row];
        pivot(n, leaving_row, column, work);
        if (leaving == 2 * n) {
            return END_COMPLEMENTARY;
        }
        // The complement of what has left enters.
        const int entering = leaving < n ? leaving + n : leaving - n;
        column = -work->place[entering];
        leaving_row = blocking_row(n, column, work);
        if (leaving_row < 0) {
            *entering_column = column;
            return END_RAY;
        }
    }
    *pivots = limit;
    return END_EXHAUSTED;
}

/** z' of the dictionary; what rounding has left negative is zero. */
static void read_solution(int n, carom_lcp_workspace *work) {
    for (int i = 0; i < n; i++) {
        const int row = work->place[n + i];
        const double value = row < 0 ? 0.0 : dictionary_row(n, row, work)[0];
        work->solution[i] = value > 0.0 ? value : 0.0;
    }
}

/** The direction of z along the ray of an entering column, largest scaled entry 1. */
static void write_ray(int n, int column, double *z, const carom_lcp_workspace *work) {
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        const int place = work->place[n + i];
        const double rate =
            place < 0 ? (place == -column ? 1.0 : 0.0) : dictionary_row(n, place, work)[column];
        z[i] = rate > 0.0 ? rate : 0.0;
        largest = fmax(largest, z[i]);
    }
    for (int i = 0; i < n && largest > 0.0; i++) {
        z[i] *= work->scale[i] / largest;
    }
}

/** Solve the scaled problem into `solution`. Whether an answer was found that satisfies it. */
static bool solve_scaled(int n, carom_lcp_workspace *work, pivoting_end *end, int *pivots,
                         int *ray_column) {
    start_dictionary(n, work);
    *end = run_pivots(n, work, pivots, ray_column);
    read_solution(n, work);
    // Whatever z_0 says, an answer that satisfies the equations of the data is one.
    double residual = carom_lcp_residual(n, work->matrix, work->constant, work->solution);
    const int covering = work->place[2 * n];
    const bool is_nearly_complementary =
        *end == END_COMPLEMENTARY ||
        (*end == END_RAY && dictionary_row(n, covering, work)[0] < RAY_COVERING);
    if (is_nearly_complementary &&
        residual > carom_lcp_rounding(n, work->matrix, work->constant, work->solution)) {
        for (int i = 0; i < n; i++) {
            work->is_set[i] = work->place[n + i] >= 0;
        }
        residual = carom_lcp_refine(n, work->matrix, work->constant, work->is_set, work->solution,
                                    work->refinement);
    }
    return residual <= ACCEPTED_RESIDUAL;
}

carom_status carom_lcp_solve_lemke(int n, const double *M, const double *q, double *z,
                                   carom_lcp_workspace *work, carom_lcp_report *report) {
    CAROM_ASSERT(work != NULL && n >= 0 && n <= work->capacity);
    if (!is_finite((size_t)n * (size_t)n, M) || !is_finite((size_t)n, q)) {
        return fail(n, CAROM_STATUS_NOT_FINITE, z, 0, report);
    }
    // q >= 0 is its own solution.
    bool is_trivial = true;
    for (int i = 0; i < n; i++) {
        is_trivial = is_trivial && q[i] >= 0.0;
        z[i] = 0.0;
    }
    int pivots = 0;
    if (!is_trivial) {
        const double unit = load_scaled(n, M, q, work);
        pivoting_end end;
        int ray_column = 0;
        const bool is_solved = solve_scaled(n, work, &end, &pivots, &ray_column);
        for (int i = 0; i < n; i++) {
            z[i] = work->solution[i] * work->scale[i] * unit;
        }
        if (!is_solved && end == END_RAY) {
            (void)fail(n, CAROM_STATUS_RAY, z, pivots, report);
            write_ray(n, ray_column, z, work);
            return CAROM_STATUS_RAY;
        }
        // In the units of the caller an answer may exceed the range of doubles.
        if (!is_solved || !is_finite((size_t)n, z)) {
            return fail(n, CAROM_STATUS_NOT_CONVERGED, z, pivots, report);
        }
    }
    if (report != NULL) {
        report->residual = carom_lcp_residual(n, M, q, z);
        report->pivots = pivots;
    }
    return CAROM_OK;
}
