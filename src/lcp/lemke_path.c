#include <carom/base/vector.h>
#include <carom/lcp/lemke_internal.h>

#include <float.h>
#include <math.h>

/**
 * Basic variables tie if the step of the smallest ratio brings them to zero up to this many
 * roundings, for each row, of 1, the size of q', or up to this part of their value: pivots of
 * different size on the way here, as friction coefficients of 1e5 make them, cost so many digits.
 */
static const double TIE_ROUNDINGS_PER_ROW = 16.0;
static const double TIE_PART = 1e-10;

/** Between that part and this one lost digits may hide a tie: the choice of the row is then
 * doubtful. */
static const double DOUBTFUL_PART = 1e-6;

/**
 * z_0 leaves if that step brings it to zero up to this many roundings: whatever comes before it on
 * a path of exact numbers comes to zero with it, and the solution is complementary all the same.
 */
static const double COVERING_ROUNDINGS_PER_ROW = 64.0;

/** A pivot below this part of its column multiplies rounding errors by what is worth a check. */
static const double SMALL_PIVOT = 1e-3;

/**
 * Of `count` rows that tie, each decreasing by -x_i > 0, the lexicographically first of
 * (constant term, B^-1) divided by the decrease: row q + (e, e^2, ...) with small e would block
 * there. Columns of B^-1 are those of the initial basic variables w_k, with the sign turned.
 */
static int lexicographic_first(carom_lcp_dictionary *dictionary, const double *x, int count) {
    const int n = dictionary->size;
    int *tied = dictionary->tied;
    const double roundings = TIE_ROUNDINGS_PER_ROW * DBL_EPSILON * (double)n;
    for (int k = 0; k < n && count > 1; k++) {
        int kept = 0;
        const int row = dictionary->place[k];
        if (row >= 0) {
            // A column of the identity: its own row comes last.
            for (int t = 0; t < count; t++) {
                tied[kept] = tied[t];
                kept += tied[t] != row;
            }
            count = kept;
            continue;
        }
        carom_lcp_dictionary_column(dictionary, k, dictionary->trial);
        double largest = 0.0;
        double smallest = HUGE_VAL;
        for (int t = 0; t < count; t++) {
            const double entry = -dictionary->trial[tied[t]];
            const double ratio = entry / -x[tied[t]];
            largest = fabs(entry) > largest ? fabs(entry) : largest;
            smallest = ratio < smallest ? ratio : smallest;
        }
        for (int t = 0; t < count; t++) {
            const double whole = smallest * -x[tied[t]];
            const double rest = -dictionary->trial[tied[t]] - whole;
            const int i = tied[t];
            tied[kept] = i;
            kept += rest <= roundings * (largest + fabs(whole));
        }
        count = kept > 0 ? kept : 1;
    }
    return tied[0];
}

/** Step to the first blocking row: the smallest ratio of rows whose pivot is above `least`;
 * infinite if there is none. */
CAROM_VECTOR_WIDE static double smallest_ratio(const carom_lcp_dictionary *dictionary,
                                               const double *x, double least) {
    const double *all = dictionary->value;
    double step = HUGE_VAL;
#pragma omp simd reduction(min : step)
    for (int i = 0; i < dictionary->stride; i++) {
        const double value = all[i] > 0.0 ? all[i] : 0.0;
        // Over zero it is infinite or, of zero itself, a NaN: neither is smaller.
        const double ratio = value / (-x[i] > least ? -x[i] : 0.0);
        step = ratio < step ? ratio : step;
    }
    return step;
}

/**
 * The row that blocks the entering column x, of column_size, first; z_0's whenever it is among
 * those that come to zero; among others the lexicographic one. -1 if none blocks. Doubtful if
 * others come close.
 */
static int resolve_ties(carom_lcp_dictionary *dictionary, const double *x, bool *is_doubtful) {
    const int n = dictionary->size;
    const double rounding = DBL_EPSILON * (double)n;
    const double least = dictionary->pivot_roundings * rounding * dictionary->column_size;
    const double step = smallest_ratio(dictionary, x, least);
    if (!(step < HUGE_VAL)) {
        return -1;
    }
    int count = 0;
    int doubtful = 0;
    for (int i = 0; i < n; i++) {
        const double value = dictionary->value[i] > 0.0 ? dictionary->value[i] : 0.0;
        const double rest = value + x[i] * step - TIE_ROUNDINGS_PER_ROW * rounding;
        const bool decreases = -x[i] > least;
        dictionary->tied[count] = i;
        count += decreases && rest <= TIE_PART * value;
        doubtful += decreases && rest <= DOUBTFUL_PART * value;
    }
    *is_doubtful = doubtful > count;
    const int covering = dictionary->place[2 * n];
    const double rest = dictionary->value[covering] + x[covering] * step;
    if (-x[covering] > least &&
        rest <= COVERING_ROUNDINGS_PER_ROW * rounding + TIE_PART * dictionary->value[covering]) {
        return covering;
    }
    if (count <= 1) {
        return count == 1 ? dictionary->tied[0] : -1;
    }
    // What ties is to come to zero exactly.
    for (int t = 0; t < count; t++) {
        dictionary->value[dictionary->tied[t]] = -x[dictionary->tied[t]] * step;
    }
    return lexicographic_first(dictionary, x, count);
}

/** Entries of a column that are looked at side by side. */
enum { LANES = 4 };

/** The largest of a number in each lane. */
static inline double largest_lane(const double *lanes) {
    const double first = lanes[0] > lanes[1] ? lanes[0] : lanes[1];
    const double second = lanes[2] > lanes[3] ? lanes[2] : lanes[3];
    return first > second ? first : second;
}

/** Beyond every row: one sum of this number and a row tells how many rows there are, and of one
 * which. */
static const double ONE_ROW = 0x1p32;

/**
 * The same in two short passes for the usual case of one row that is far ahead of all others and
 * has a large pivot; otherwise by resolve_ties.
 */
CAROM_VECTOR_WIDE static int blocking_row(carom_lcp_dictionary *dictionary, const double *x,
                                          bool *is_doubtful) {
    const int stride = dictionary->stride;
    const double *value = dictionary->value;
    // Ratios are negative where x decreases: the largest is next to zero. Where it does not, value
    // / -0 is -infinity (or, next to a negative or zero value, nothing that the second pass counts
    // as near), which takes no branch.
    double sizes[LANES] = {0.0, 0.0, 0.0, 0.0};
    double ratios[LANES] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < stride; i += LANES) {
#pragma omp simd
        for (int k = 0; k < LANES; k++) {
            const double size = fabs(x[i + k]);
            const double ratio = value[i + k] / (x[i + k] < -0.0 ? x[i + k] : -0.0);
            sizes[k] = size > sizes[k] ? size : sizes[k];
            ratios[k] = ratio > ratios[k] ? ratio : ratios[k];
        }
    }
    const double nearest = largest_lane(ratios);
    const double rounding = DBL_EPSILON * (double)dictionary->size;
    const double allowed = COVERING_ROUNDINGS_PER_ROW * rounding;
    double near[LANES] = {0.0, 0.0, 0.0, 0.0};
    double rows[LANES] = {ONE_ROW, ONE_ROW + 1.0, ONE_ROW + 2.0, ONE_ROW + 3.0};
    for (int i = 0; i < stride; i += LANES) {
#pragma omp simd
        for (int k = 0; k < LANES; k++) {
            const double rest = value[i + k] * (1.0 - DOUBTFUL_PART) - x[i + k] * nearest;
            near[k] += rest <= allowed ? rows[k] : 0.0;
            rows[k] += LANES;
        }
    }
    const double found = near[0] + near[1] + (near[2] + near[3]);
    *is_doubtful = false;
    dictionary->column_size = largest_lane(sizes);
    if (found < 2.0 * ONE_ROW && found > 0.0) {
        const int row = (int)(found - ONE_ROW);
        if (-x[row] > dictionary->pivot_roundings * rounding * dictionary->column_size) {
            return row;
        }
    }
    return resolve_ties(dictionary, x, is_doubtful);
}

/** The row that z_0 leaves negative last, lexicographically: there it enters. */
static int first_row(const carom_lcp_dictionary *dictionary) {
    const int n = dictionary->size;
    double needed = 0.0;
    for (int i = 0; i < n; i++) {
        const double ratio = -dictionary->constant[i] / dictionary->covering[i];
        needed = ratio > needed ? ratio : needed;
    }
    const double rounding = TIE_ROUNDINGS_PER_ROW * DBL_EPSILON * (double)n;
    int last = 0;
    for (int i = 0; i < n; i++) {
        const double rest = dictionary->constant[i] + dictionary->covering[i] * needed;
        last = rest <= rounding * fabs(dictionary->constant[i]) ? i : last;
    }
    return last;
}

/** Pivot until z_0 has left or a ray is met, the column of `entering` being the next one. */
static carom_lcp_path_end follow(carom_lcp_dictionary *dictionary, int most, int *pivots) {
    const int n = dictionary->size;
    for (int made = 0;; made++) {
        const bool is_worn =
            dictionary->pivot_count == dictionary->pivot_limit ||
            (dictionary->is_suspect && !carom_lcp_dictionary_has_digits(dictionary));
        if (is_worn && !carom_lcp_dictionary_renew(dictionary)) {
            return CAROM_LCP_PATH_EXHAUSTED;
        }
        const double *x = carom_lcp_dictionary_enter(dictionary, dictionary->entering);
        bool is_doubtful;
        int r = blocking_row(dictionary, x, &is_doubtful);
        if (is_doubtful && dictionary->is_suspect) {
            if (!carom_lcp_dictionary_renew(dictionary)) {
                return CAROM_LCP_PATH_EXHAUSTED;
            }
            x = carom_lcp_dictionary_enter(dictionary, dictionary->entering);
            r = blocking_row(dictionary, x, &is_doubtful);
        }
        if (r < 0) {
            return CAROM_LCP_PATH_RAY;
        }
        if (made >= most) {
            return CAROM_LCP_PATH_EXHAUSTED;
        }
        const int leaving = dictionary->basic[r];
        if (fabs(x[r]) < SMALL_PIVOT * dictionary->column_size) {
            dictionary->is_suspect = true;
        }
        carom_lcp_dictionary_exchange(dictionary, r, dictionary->entering);
        (*pivots)++;
        if (leaving == 2 * n) {
            return CAROM_LCP_PATH_COMPLEMENTARY;
        }
        // The complement of what has left enters.
        dictionary->entering = leaving < n ? leaving + n : leaving - n;
    }
}

carom_lcp_path_end carom_lcp_path_run(carom_lcp_dictionary *dictionary, int most, int *pivots) {
    const int n = dictionary->size;
    carom_lcp_dictionary_start(dictionary);
    carom_lcp_dictionary_plant(dictionary);
    const int r = first_row(dictionary);
    (void)carom_lcp_dictionary_enter(dictionary, 2 * n);
    carom_lcp_dictionary_exchange(dictionary, r, 2 * n);
    (*pivots)++;
    dictionary->entering = n + r;
    return follow(dictionary, most - 1, pivots);
}

carom_lcp_path_end carom_lcp_path_resume(carom_lcp_dictionary *dictionary, carom_lcp_path_end end,
                                         int most, int *pivots) {
    if (end == CAROM_LCP_PATH_EXHAUSTED || !carom_lcp_dictionary_renew(dictionary)) {
        return CAROM_LCP_PATH_EXHAUSTED;
    }
    return end == CAROM_LCP_PATH_COMPLEMENTARY ? end : follow(dictionary, most, pivots);
}

void carom_lcp_path_ray(const carom_lcp_dictionary *dictionary, double *z) {
    const int n = dictionary->size;
    const double *x = dictionary->pivots[dictionary->pivot_count];
    for (int i = 0; i < n; i++) {
        const int row = dictionary->place[n + i];
        const double rate = row < 0 ? (n + i == dictionary->entering ? 1.0 : 0.0) : x[row];
        z[i] = rate > 0.0 ? rate : 0.0;
    }
}
