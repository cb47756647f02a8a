/*
 * Attempts on a problem whose first path has not led to an answer, from the cheap ones that keep to
 * that path to those that leave it. Each is judged by the residual of the data alone.
 */
#include <carom/lcp/lemke_internal.h>

#include <math.h>
#include <string.h>

/** Most pivots of a further path, for each unknown. */
enum { PIVOTS_PER_UNKNOWN = 50 };

/** Thresholds of further paths, in the place of 1000 roundings. */
static const double PIVOT_ROUNDINGS[] = {1.0, 1e6, 1e9};
enum { THRESHOLDS = (int)(sizeof PIVOT_ROUNDINGS / sizeof PIVOT_ROUNDINGS[0]) };

/** Further covering vectors: b_i (1 + 3 f), f the fractional parts of multiples of the golden
 * section, which are spread evenly, b in turn that asked for and one. */
enum { COVERINGS = 8 };
static const double GOLDEN_SECTION = 0.61803398874989485;
static const double COVERING_SPREAD = 3.0;

/**
 * Regular problems M' + s I, q' - s z' from the last z', whose fixed points are solutions. For M
 * positive semidefinite they converge, in few steps as s is small against all but zero eigenvalues.
 */
static const double SHIFTS[] = {1e-7, 1e-5, 1e-3};
enum {
    SHIFT_COUNT = (int)(sizeof SHIFTS / sizeof SHIFTS[0]),
    SHIFTED_PROBLEMS = 60,
    STAGNANT_PROBLEMS = 6
};

/** All complementary bases of up to this many unknowns: about 1e3, milliseconds. */
enum { ENUMERATED_UNKNOWNS = 10 };

/** The rescue: workspace, best answer so far and counts. */
typedef struct rescue {
    carom_lcp_workspace *work;
    double *best;          /**< [n] = work->z, in the caller's units */
    double best_scaled;    /**< its residual */
    carom_lcp_grade grade; /**< what it is worth */
    bool has_ray;          /**< work->z holds a certificate */
    int *pivots;
    int *attempts;
} rescue;

/** M' and q' for the attempts that need them. */
static void fill_scaled(carom_lcp_workspace *work) {
    const int n = work->size;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const size_t entry = (size_t)i * (size_t)n + (size_t)j;
            work->matrix[entry] = work->row[i] * work->M[entry] * work->column[j];
        }
        work->constant[i] = work->dictionary.constant[i];
        work->covering[i] = work->dictionary.covering[i];
    }
}

/** Keep z [n] if it is the best so far; whether it satisfies the data up to rounding. */
static bool keep_best(rescue *r, const double *z) {
    const carom_lcp_measure measure = carom_lcp_measure_answer(r->work, z);
    const bool is_better =
        measure.grade > r->grade || (measure.grade == r->grade && measure.scaled < r->best_scaled);
    if (is_better) {
        r->best_scaled = measure.scaled;
        r->grade = measure.grade;
        memcpy(r->best, z, (size_t)r->work->size * sizeof(double));
    }
    return measure.grade == CAROM_LCP_EXACT;
}

/** The same for z' = work->solution. */
static bool judge(rescue *r) {
    carom_lcp_workspace *work = r->work;
    for (int i = 0; i < work->size; i++) {
        work->trial[i] = work->solution[i] * (work->column[i] * work->unit);
    }
    return keep_best(r, work->trial);
}

/** Whether the ray of the path proves that there is no solution; its direction is then the answer,
 * largest entry of C^-1 z one. */
static bool judge_ray(rescue *r, const double *scaled_ray) {
    carom_lcp_workspace *work = r->work;
    const int n = work->size;
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        largest = scaled_ray[i] > largest ? scaled_ray[i] : largest;
    }
    double *z = work->trial;
    for (int i = 0; i < n && largest > 0.0; i++) {
        z[i] = scaled_ray[i] / largest * work->column[i];
    }
    if (!(largest > 0.0) || !carom_lcp_is_certificate(work, z)) {
        return false;
    }
    memcpy(r->best, z, (size_t)n * sizeof(double));
    r->has_ray = true;
    return true;
}

/** Judge where the path has ended; whether the problem is decided. */
static bool judge_end(rescue *r, carom_lcp_path_end end) {
    carom_lcp_workspace *work = r->work;
    if (end == CAROM_LCP_PATH_RAY) {
        carom_lcp_path_ray(&work->dictionary, work->solution);
        if (judge_ray(r, work->solution)) {
            return true;
        }
    }
    carom_lcp_dictionary_solution(&work->dictionary, work->solution);
    return judge(r);
}

/** Exchange rows from the set that the path has ended with until the signs are right. */
static bool try_exchanges(rescue *r) {
    carom_lcp_workspace *work = r->work;
    (*r->attempts)++;
    carom_lcp_dictionary_set(&work->dictionary, work->is_set);
    (void)carom_lcp_refine(work->size, work->matrix, work->constant, work->is_set, work->solution,
                           work->refinement);
    return judge(r);
}

/** Iterative refinement of the complementary basis that the path has ended with. */
static bool try_correction(rescue *r) {
    carom_lcp_workspace *work = r->work;
    const int n = work->size;
    (*r->attempts)++;
    for (int i = 0; i < n; i++) {
        const double *row = work->matrix + (size_t)i * (size_t)n;
        work->trial[i] = work->constant[i] + carom_lcp_inner_product(n, row, work->solution);
    }
    carom_lcp_dictionary_correct(&work->dictionary, work->trial);
    carom_lcp_dictionary_solution(&work->dictionary, work->solution);
    return judge(r);
}

/** Where the path has ended: correction, the dictionary made anew, exchanges. */
static bool try_end(rescue *r, carom_lcp_path_end end) {
    carom_lcp_workspace *work = r->work;
    if (end == CAROM_LCP_PATH_COMPLEMENTARY && try_correction(r)) {
        return true;
    }
    (*r->attempts)++;
    const int most = PIVOTS_PER_UNKNOWN * work->size;
    const carom_lcp_path_end now = carom_lcp_path_resume(&work->dictionary, end, most, r->pivots);
    return judge_end(r, now) || try_exchanges(r);
}

/** A further path, with the settings that it has been given. */
static bool try_path(rescue *r) {
    carom_lcp_workspace *work = r->work;
    (*r->attempts)++;
    const int most = PIVOTS_PER_UNKNOWN * work->size;
    const carom_lcp_path_end end = carom_lcp_path_run(&work->dictionary, most, r->pivots);
    return judge_end(r, end) || try_end(r, end);
}

static bool try_thresholds(rescue *r) {
    carom_lcp_dictionary *dictionary = &r->work->dictionary;
    const double kept = dictionary->pivot_roundings;
    bool is_decided = false;
    for (int k = 0; k < THRESHOLDS && !is_decided; k++) {
        dictionary->pivot_roundings = PIVOT_ROUNDINGS[k];
        is_decided = try_path(r);
    }
    dictionary->pivot_roundings = kept;
    return is_decided;
}

static bool try_coverings(rescue *r) {
    carom_lcp_workspace *work = r->work;
    bool is_decided = false;
    double place = 0.0;
    for (int k = 0; k < COVERINGS && !is_decided; k++) {
        for (int i = 0; i < work->size; i++) {
            place += GOLDEN_SECTION;
            place -= floor(place);
            const double base = k % 2 == 0 ? 1.0 : work->covering[i];
            work->dictionary.covering[i] = base * (1.0 + COVERING_SPREAD * place);
        }
        is_decided = try_path(r);
    }
    memcpy(work->dictionary.covering, work->covering, (size_t)work->size * sizeof(double));
    return is_decided;
}

/** The next regular problem, from `last`; whether the path has solved it, into `solution`. */
static bool solve_shifted(rescue *r, double shift) {
    carom_lcp_workspace *work = r->work;
    const int most = PIVOTS_PER_UNKNOWN * work->size;
    for (int i = 0; i < work->size; i++) {
        work->dictionary.constant[i] = work->constant[i] - shift * work->last[i];
    }
    work->dictionary.shift = shift;
    carom_lcp_path_end end = carom_lcp_path_run(&work->dictionary, most, r->pivots);
    end = carom_lcp_path_resume(&work->dictionary, end, most, r->pivots);
    carom_lcp_dictionary_solution(&work->dictionary, work->solution);
    work->dictionary.shift = 0.0;
    memcpy(work->dictionary.constant, work->constant, (size_t)work->size * sizeof(double));
    return end == CAROM_LCP_PATH_COMPLEMENTARY;
}

/** Fixed point of the regular problems with one shift s. */
static bool try_shift(rescue *r, double shift) {
    carom_lcp_workspace *work = r->work;
    const int n = work->size;
    (*r->attempts)++;
    memset(work->last, 0, (size_t)n * sizeof(double));
    int stagnant = 0;
    for (int k = 0; k < SHIFTED_PROBLEMS && stagnant < STAGNANT_PROBLEMS; k++) {
        const double before = r->best_scaled;
        if (!solve_shifted(r, shift)) {
            return false;
        }
        if (judge(r)) {
            return true;
        }
        stagnant = r->best_scaled < before ? 0 : stagnant + 1;
        // Where there is no solution, the steps tend to a direction that proves it.
        for (int i = 0; i < n; i++) {
            const double step = work->solution[i] - work->last[i];
            work->last[i] = work->solution[i];
            work->solution[i] = step > 0.0 ? step : 0.0;
        }
        if (judge_ray(r, work->solution)) {
            return true;
        }
    }
    return false;
}

static bool try_shifts(rescue *r) {
    bool is_decided = false;
    for (int k = 0; k < SHIFT_COUNT && !is_decided; k++) {
        is_decided = try_shift(r, SHIFTS[k]);
    }
    return is_decided;
}

/** Keep a solution of a complementary basis if it is the best; go on until one is exact. */
static bool visit_basis(const carom_lcp_basis *basis, void *context) {
    rescue *r = context;
    return !keep_best(r, basis->z);
}

static bool try_bases(rescue *r) {
    carom_lcp_workspace *work = r->work;
    if (work->size > ENUMERATED_UNKNOWNS) {
        return false;
    }
    (*r->attempts)++;
    const carom_status status =
        carom_lcp_enumerate_bases(work->size, work->M, work->q, CAROM_LCP_ACCEPTED_RESIDUAL,
                                  visit_basis, r, work->bases, NULL);
    return status == CAROM_OK && r->grade == CAROM_LCP_EXACT;
}

carom_status carom_lcp_rescue(carom_lcp_workspace *work, carom_lcp_path_end end, int *pivots,
                              int *rescues) {
    rescue r = {.work = work,
                .best = work->z,
                .best_scaled = HUGE_VAL,
                .grade = CAROM_LCP_WRONG,
                .pivots = pivots,
                .attempts = rescues};
    fill_scaled(work);
    bool is_decided = judge_end(&r, end) || try_end(&r, end);
    if (!is_decided && r.grade == CAROM_LCP_TOLERATED) {
        // Where rounding cannot be reached, a few attempts to come closer are enough.
        is_decided = try_shift(&r, SHIFTS[0]) || try_thresholds(&r);
    } else if (!is_decided && r.grade == CAROM_LCP_WRONG) {
        is_decided = try_thresholds(&r) || try_coverings(&r) || try_shifts(&r) || try_bases(&r);
    }
    if (is_decided && r.has_ray) {
        return CAROM_STATUS_RAY;
    }
    return r.grade > CAROM_LCP_WRONG ? CAROM_OK : CAROM_STATUS_NOT_CONVERGED;
}
