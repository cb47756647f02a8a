/*
 * In a combination of modes the impulse is L = B x + E caps with few unknowns x, and as many speeds
 * have to vanish: R (c + C L) = 0. So x, L and every condition are linear in y = (c, caps), and all
 * that is left to do for an increment is to look at signs. Where R C B is singular the conditions
 * leave directions open, along which the inequalities decide.
 */
#include <carom/impact/contact_modes.h>
#include <carom/lcp/lemke.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** A pivot below this part of the largest is zero: redundant contacts. */
static const double RANK = 1e-11;

/** Conditions hold up to this part of the largest speed or impulse. */
static const double TOLERANCE = 1e-11;

/** Violation of the conditions by a solution, relative likewise, after all rounding. */
static const double ACCEPTED = 1e-9;

/** Velocities closer than this part of the largest speed are one. */
static const double MERGING = 1e-7;

/** Modes of one contact in the order of enumeration: the first four are those without caps. */
typedef enum contact_mode {
    MODE_OFF,
    MODE_PARTIAL_STICK,
    MODE_PARTIAL_FORWARD,
    MODE_PARTIAL_BACKWARD,
    MODE_FULL_STICK,
    MODE_FULL_FORWARD,
    MODE_FULL_BACKWARD
} contact_mode;

/** Numbers of a mode combination and where its matrices begin in the arena. */
typedef struct combination {
    int equation_count; /**< k speeds that vanish */
    int null_count;     /**< d directions left open */
    int test_count;     /**< s inequalities */
    size_t first; /**< tests [s][r+m], impulse [r][r+m]; if d > 0: equations [k][r+m], null_tests
                     [s][d], null_impulse [r][d] */
} combination;

struct carom_contact_modes {
    int contact_count;
    int row_count;
    int mode_count;            /**< of a contact: 4 or 7 */
    int combination_count;     /**< mode_count^m */
    double *delassus_matrix;   /**< [r][r] */
    double *friction;          /**< [m] */
    combination *combinations; /**< [combination_count] */
    double *arena;
    size_t arena_count;
    size_t arena_capacity;
};

/** Most inequalities of a contact: partial and sticking. */
enum { TESTS_PER_CONTACT = 4 };

/** Scratch of the construction, for one combination. */
typedef struct construction {
    double *unknowns;    /**< [r][r] B, columns x */
    double *given;       /**< [r][m] E */
    double *system;      /**< [k][k + r + m] R C B, then the right-hand side in terms of y */
    double *solution;    /**< [k][r+m] x in terms of y */
    double *null;        /**< [k][k] null directions of x, columns */
    double *speeds;      /**< [r][r+m] c' in terms of y */
    double *null_speeds; /**< [r][k] change of c' along the null directions */
    int *equations;      /**< [r] rows of c' that vanish */
    int *columns;        /**< [r] order of the unknowns after pivoting */
    double *memory;
    int *integers;
} construction;

static bool is_sticking(contact_mode mode) {
    return mode == MODE_PARTIAL_STICK || mode == MODE_FULL_STICK;
}

static bool is_full(contact_mode mode) {
    return mode >= MODE_FULL_STICK;
}

/** Direction of sliding: 1, -1, or 0. */
static double sliding(contact_mode mode) {
    switch (mode) {
    case MODE_PARTIAL_FORWARD:
    case MODE_FULL_FORWARD:
        return 1.0;
    case MODE_PARTIAL_BACKWARD:
    case MODE_FULL_BACKWARD:
        return -1.0;
    default:
        return 0.0;
    }
}

/** Mode of contact i in a combination: digit i of its number, the first contact's most significant.
 */
static contact_mode mode_of(const carom_contact_modes *modes, int number, int i) {
    for (int j = modes->contact_count - 1; j > i; j--) {
        number /= modes->mode_count;
    }
    return (contact_mode)(number % modes->mode_count);
}

static carom_status alloc_construction(int r, int m, construction *work) {
    const size_t rows = (size_t)r;
    const size_t width = rows + (size_t)m;
    work->memory = calloc(4 * rows * rows + rows * (size_t)m + 3 * rows * width, sizeof(double));
    work->integers = calloc(2 * rows, sizeof(int));
    if (work->memory == NULL || work->integers == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    work->unknowns = work->memory;
    work->null = work->unknowns + rows * rows;
    work->null_speeds = work->null + rows * rows;
    work->given = work->null_speeds + rows * rows;
    work->solution = work->given + rows * (size_t)m;
    work->speeds = work->solution + rows * width;
    work->system = work->speeds + rows * width; // [r][r + r + m]
    work->equations = work->integers;
    work->columns = work->integers + rows;
    return CAROM_OK;
}

/** B, E and the vanishing speeds of a combination. Returns k. */
static int pose(const carom_contact_modes *modes, int number, construction *work) {
    const int m = modes->contact_count;
    const int r = modes->row_count;
    memset(work->unknowns, 0, (size_t)(r * r) * sizeof(double));
    memset(work->given, 0, (size_t)(r * m) * sizeof(double));
    int k = 0;
    for (int i = 0; i < m; i++) {
        const contact_mode mode = mode_of(modes, number, i);
        const double mu = modes->friction[i];
        if (mode == MODE_OFF) {
            continue;
        }
        if (is_full(mode)) {
            work->given[i * m + i] = 1.0;
            work->given[(m + i) * m + i] = -mu * sliding(mode);
        } else {
            // The unknown is (1 + mu) L_n, so that large friction does not spoil the pivots.
            const double scale = is_sticking(mode) ? 1.0 : 1.0 / (1.0 + mu);
            work->unknowns[i * r + k] = scale;
            work->unknowns[(m + i) * r + k] = -mu * sliding(mode) * scale;
            work->equations[k++] = i;
        }
        if (is_sticking(mode)) {
            work->unknowns[(m + i) * r + k] = 1.0;
            work->equations[k++] = m + i;
        }
    }
    return k;
}

/** The system R C B x = -R (c + C E caps), [k][k + r + m]. */
static void assemble(const carom_contact_modes *modes, int k, construction *work) {
    const int m = modes->contact_count;
    const int r = modes->row_count;
    const int width = k + r + m;
    for (int e = 0; e < k; e++) {
        const double *C = modes->delassus_matrix + work->equations[e] * r;
        double *row = work->system + e * width;
        memset(row, 0, (size_t)width * sizeof(double));
        for (int a = 0; a < r; a++) {
            for (int j = 0; j < k; j++) {
                row[j] += C[a] * work->unknowns[a * r + j];
            }
            for (int i = 0; i < m; i++) {
                row[k + r + i] -= C[a] * work->given[a * m + i];
            }
        }
        row[k + work->equations[e]] = -1.0;
    }
}

/** Exchange rows and columns so that the largest remaining entry is the pivot; returns its size. */
static double choose_pivot(int k, int width, int step, construction *work) {
    int row = step;
    int column = step;
    double largest = -1.0;
    for (int i = step; i < k; i++) {
        for (int j = step; j < k; j++) {
            const double size = fabs(work->system[i * width + j]);
            if (size > largest) {
                largest = size;
                row = i;
                column = j;
            }
        }
    }
    for (int j = 0; j < width; j++) {
        const double entry = work->system[step * width + j];
        work->system[step * width + j] = work->system[row * width + j];
        work->system[row * width + j] = entry;
    }
    for (int i = 0; i < k; i++) {
        const double entry = work->system[i * width + step];
        work->system[i * width + step] = work->system[i * width + column];
        work->system[i * width + column] = entry;
    }
    const int kept = work->columns[step];
    work->columns[step] = work->columns[column];
    work->columns[column] = kept;
    return largest;
}

/** Gauss-Jordan elimination with full pivoting. Returns the rank. */
static int eliminate(int k, int width, construction *work) {
    for (int j = 0; j < k; j++) {
        work->columns[j] = j;
    }
    double first = 0.0;
    for (int step = 0; step < k; step++) {
        const double size = choose_pivot(k, width, step, work);
        first = step == 0 ? size : first;
        if (!(size > RANK * first) || !(size > 0.0)) {
            return step;
        }
        double *pivot = work->system + step * width;
        const double reciprocal = 1.0 / pivot[step];
        for (int j = 0; j < width; j++) {
            pivot[j] *= reciprocal;
        }
        for (int i = 0; i < k; i++) {
            const double factor = work->system[i * width + step];
            for (int j = 0; j < width && i != step; j++) {
                work->system[i * width + j] -= factor * pivot[j];
            }
        }
    }
    return k;
}

/** x in terms of y, open directions zero, and those directions. */
static void read_solution(const carom_contact_modes *modes, int k, int rank, construction *work) {
    const int inputs = modes->row_count + modes->contact_count;
    const int width = k + inputs;
    const int open = k - rank;
    memset(work->solution, 0, (size_t)(k * inputs) * sizeof(double));
    memset(work->null, 0, (size_t)(k * k) * sizeof(double));
    for (int e = 0; e < rank; e++) {
        const int unknown = work->columns[e];
        memcpy(work->solution + unknown * inputs, work->system + e * width + k,
               (size_t)inputs * sizeof(double));
        for (int d = 0; d < open; d++) {
            work->null[unknown * k + d] = -work->system[e * width + rank + d];
        }
    }
    for (int d = 0; d < open; d++) {
        work->null[work->columns[rank + d] * k + d] = 1.0;
    }
}

/** Make room for `count` more numbers in the arena. */
static carom_status reserve(carom_contact_modes *modes, size_t count) {
    if (modes->arena_count + count <= modes->arena_capacity) {
        return CAROM_OK;
    }
    const size_t capacity = 2 * (modes->arena_capacity + count);
    double *larger = realloc(modes->arena, capacity * sizeof(double));
    if (larger == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    modes->arena = larger;
    modes->arena_capacity = capacity;
    return CAROM_OK;
}

/** L = B x + E caps in terms of y, [r][r+m], and along the open directions, [r][d]. */
static void write_impulse(const carom_contact_modes *modes, int k, int open,
                          const construction *work, double *impulse, double *null_impulse) {
    const int m = modes->contact_count;
    const int r = modes->row_count;
    const int inputs = r + m;
    for (int a = 0; a < r; a++) {
        memset(impulse + a * inputs, 0, (size_t)r * sizeof(double));
        memcpy(impulse + a * inputs + r, work->given + a * m, (size_t)m * sizeof(double));
        for (int j = 0; j < k; j++) {
            const double entry = work->unknowns[a * r + j];
            for (int y = 0; y < inputs; y++) {
                impulse[a * inputs + y] += entry * work->solution[j * inputs + y];
            }
            for (int d = 0; d < open; d++) {
                null_impulse[a * open + d] += entry * work->null[j * k + d];
            }
        }
    }
}

/** Row a of C times column d of the open directions; zero where only rounding is left. */
static double cleaned_product(const carom_contact_modes *modes, int a, int d, int open,
                              const double *null_impulse) {
    double sum = 0.0;
    double terms = 0.0;
    for (int b = 0; b < modes->row_count; b++) {
        const double term =
            modes->delassus_matrix[a * modes->row_count + b] * null_impulse[b * open + d];
        sum += term;
        terms += fabs(term);
    }
    return fabs(sum) > RANK * terms ? sum : 0.0;
}

/** c' = c + C L in terms of y and along the open directions. */
static void derive_speeds(const carom_contact_modes *modes, int open, const double *impulse,
                          const double *null_impulse, construction *work) {
    const int r = modes->row_count;
    const int inputs = r + modes->contact_count;
    memset(work->null_speeds, 0, (size_t)(r * r) * sizeof(double));
    for (int a = 0; a < r; a++) {
        double *row = work->speeds + a * inputs;
        memset(row, 0, (size_t)inputs * sizeof(double));
        row[a] = 1.0;
        for (int b = 0; b < r; b++) {
            const double C = modes->delassus_matrix[a * r + b];
            for (int y = 0; y < inputs; y++) {
                row[y] += C * impulse[b * inputs + y];
            }
        }
        for (int d = 0; d < open; d++) {
            work->null_speeds[a * r + d] = cleaned_product(modes, a, d, open, null_impulse);
        }
    }
}

/** A condition sum_k factor_k row_k + constant cap >= 0 as a row over y and the open directions. */
typedef struct condition_row {
    double *test;      /**< [r+m] */
    double *null_test; /**< [d] */
    int inputs;
    int open;
} condition_row;

/** row += factor source, of width inputs, and likewise along the open directions. */
static void add_row(condition_row row, double factor, const double *source,
                    const double *null_source) {
    for (int y = 0; y < row.inputs; y++) {
        row.test[y] += factor * source[y];
    }
    for (int d = 0; d < row.open; d++) {
        row.null_test[d] += factor * null_source[d];
    }
}

/** The inequalities of contact i in a mode. Returns how many were written from `row` on. */
static int write_conditions(const carom_contact_modes *modes, contact_mode mode, int i, int open,
                            const double *impulse, const double *null_impulse,
                            const construction *work, double *tests, double *null_tests) {
    const int m = modes->contact_count;
    const int r = modes->row_count;
    const int inputs = r + m;
    const double mu = modes->friction[i];
    const double *L_n = impulse + i * inputs;
    const double *L_t = impulse + (m + i) * inputs;
    const double *null_L_n = null_impulse + i * open;
    const double *null_L_t = null_impulse + (m + i) * open;
    const double *c_n = work->speeds + i * inputs;
    const double *null_c_n = work->null_speeds + i * r;
    condition_row row = {tests, null_tests, inputs, open};
    int count = 0;
#define NEXT_ROW()                                 \
    do {                                           \
        count++;                                   \
        row.test = tests + count * inputs;         \
        row.null_test = null_tests + count * open; \
    } while (0)
    if (mode == MODE_OFF) {
        add_row(row, 1.0, c_n, null_c_n);
        return 1;
    }
    if (is_full(mode)) {
        add_row(row, -1.0, c_n, null_c_n);
        NEXT_ROW();
    } else {
        add_row(row, 1.0, L_n, null_L_n);
        NEXT_ROW();
        if (modes->mode_count > MODE_FULL_STICK) {
            add_row(row, -1.0, L_n, null_L_n);
            row.test[r + i] += 1.0;
            NEXT_ROW();
        }
    }
    if (is_sticking(mode)) {
        for (int side = -1; side <= 1; side += 2) {
            add_row(row, mu / (1.0 + mu), L_n, null_L_n);
            add_row(row, (double)side / (1.0 + mu), L_t, null_L_t);
            NEXT_ROW();
        }
    } else {
        add_row(row, sliding(mode), work->speeds + (m + i) * inputs,
                work->null_speeds + (m + i) * r);
        NEXT_ROW();
    }
#undef NEXT_ROW
    return count;
}

/** Zero what is rounding beside the largest entry. */
static void drop_rounding(int count, double *entries) {
    double largest = 0.0;
    for (int k = 0; k < count; k++) {
        largest = fmax(largest, fabs(entries[k]));
    }
    for (int k = 0; k < count; k++) {
        entries[k] = fabs(entries[k]) > RANK * largest ? entries[k] : 0.0;
    }
}

/** Everything about one combination into the arena. */
static carom_status build(carom_contact_modes *modes, int number, construction *work) {
    const int m = modes->contact_count;
    const int r = modes->row_count;
    const int inputs = r + m;
    const int k = pose(modes, number, work);
    assemble(modes, k, work);
    const int open = k - eliminate(k, k + inputs, work);
    read_solution(modes, k, k - open, work);

    const int most_tests = TESTS_PER_CONTACT * m;
    const size_t rows = (size_t)most_tests + (size_t)r;
    const size_t most = (rows + (size_t)k) * (size_t)inputs + rows * (size_t)open;
    CAROM_TRY(reserve(modes, most));
    CAROM_ASSERT(modes->arena != NULL);
    double *base = modes->arena + modes->arena_count;
    memset(base, 0, most * sizeof(double));
    // Impulses go first behind the largest number of tests, and are moved when that is known.
    double *impulse = base + most_tests * inputs;
    double *equations = impulse + r * inputs;
    double *null_tests = equations + k * inputs;
    double *null_impulse = null_tests + most_tests * open;
    write_impulse(modes, k, open, work, impulse, null_impulse);
    derive_speeds(modes, open, impulse, null_impulse, work);
    for (int e = 0; e < k; e++) {
        memcpy(equations + e * inputs, work->speeds + work->equations[e] * inputs,
               (size_t)inputs * sizeof(double));
    }
    int tests = 0;
    for (int i = 0; i < m; i++) {
        tests += write_conditions(modes, mode_of(modes, number, i), i, open, impulse, null_impulse,
                                  work, base + tests * inputs, null_tests + tests * open);
    }
    drop_rounding(tests * open, null_tests);
    combination *c = &modes->combinations[number];
    *c = (combination){k, open, tests, modes->arena_count};
    double *end = base + tests * inputs;
    memmove(end, impulse, (size_t)(r * inputs) * sizeof(double));
    end += r * inputs;
    if (open > 0) {
        memmove(end, equations, (size_t)(k * inputs) * sizeof(double));
        end += k * inputs;
        memmove(end, null_tests, (size_t)(tests * open) * sizeof(double));
        end += tests * open;
        memmove(end, null_impulse, (size_t)(r * open) * sizeof(double));
        end += r * open;
    }
    modes->arena_count += (size_t)(end - base);
    return CAROM_OK;
}

static carom_status build_all(carom_contact_modes *modes) {
    construction work = {0};
    carom_status status = alloc_construction(modes->row_count, modes->contact_count, &work);
    for (int c = 0; c < modes->combination_count && status == CAROM_OK; c++) {
        status = build(modes, c, &work);
    }
    free(work.memory);
    free(work.integers);
    return status;
}

carom_status carom_contact_modes_alloc(const carom_impact_problem *problem, carom_mode_set set,
                                       carom_contact_modes **out, carom_report *report) {
    *out = NULL;
    const int m = problem->contact_count;
    const bool is_capped = set == CAROM_MODES_CAPPED;
    if (problem->tangent_count != 1) {
        return carom_report_fail(report, CAROM_STATUS_OUT_OF_RANGE,
                                 "tangents of a contact (modes are enumerated in the plane only)",
                                 problem->tangent_count, -1);
    }
    if (m > (is_capped ? CAROM_MODES_MOST_CAPPED : CAROM_MODES_MOST_UNCAPPED)) {
        return carom_report_fail(report, CAROM_STATUS_OUT_OF_RANGE,
                                 "number of contacts (too many to enumerate all solutions)", m, -1);
    }
    carom_contact_modes *modes = calloc(1, sizeof *modes);
    if (modes == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t r = (size_t)problem->row_count;
    modes->contact_count = m;
    modes->row_count = problem->row_count;
    modes->mode_count = is_capped ? MODE_FULL_BACKWARD + 1 : MODE_FULL_STICK;
    modes->combination_count = 1;
    for (int i = 0; i < m; i++) {
        modes->combination_count *= modes->mode_count;
    }
    modes->delassus_matrix = malloc(r * r * sizeof(double));
    modes->friction = malloc((size_t)m * sizeof(double));
    modes->combinations = calloc((size_t)modes->combination_count, sizeof(combination));
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    if (modes->delassus_matrix != NULL && modes->friction != NULL && modes->combinations != NULL) {
        memcpy(modes->delassus_matrix, problem->delassus_matrix, r * r * sizeof(double));
        memcpy(modes->friction, problem->friction, (size_t)m * sizeof(double));
        status = build_all(modes);
    }
    if (status != CAROM_OK) {
        carom_contact_modes_free(modes);
        return status;
    }
    *out = modes;
    return CAROM_OK;
}

void carom_contact_modes_free(carom_contact_modes *modes) {
    if (modes == NULL) {
        return;
    }
    free(modes->delassus_matrix);
    free(modes->friction);
    free(modes->combinations);
    free(modes->arena);
    free(modes);
}

/** Solutions that fit at first; more are asked for when they come. */
enum { FIRST_CAPACITY = 16 };

static carom_status reserve_solutions(carom_mode_solutions *s, int capacity) {
    const size_t count = capacity > 0 ? (size_t)capacity : 1;
    double **const arrays[] = {&s->velocity, &s->impulse, &s->residual};
    const size_t row_count = s->row_count > 0 ? (size_t)s->row_count : 1;
    const size_t widths[] = {row_count, row_count, 1};
    for (int k = 0; k < 3; k++) {
        double *larger = realloc(*arrays[k], count * widths[k] * sizeof(double));
        if (larger == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
        *arrays[k] = larger;
    }
    int *multiplicity = realloc(s->multiplicity, count * sizeof(int));
    if (multiplicity == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->multiplicity = multiplicity;
    s->capacity = capacity;
    return CAROM_OK;
}

/** Scratch: y, values of the tests, open coordinates, the problem that decides about them. */
static size_t work_count(int m) {
    const size_t inputs = 3 * (size_t)m;
    const size_t tests = TESTS_PER_CONTACT * (size_t)m;
    return inputs + tests + 2 * (size_t)m + tests * tests + 2 * tests;
}

carom_status carom_mode_solutions_alloc(const carom_contact_modes *modes,
                                        carom_mode_solutions **out) {
    *out = NULL;
    carom_mode_solutions *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const int m = modes->contact_count;
    s->row_count = modes->row_count;
    s->work = malloc(work_count(m) * sizeof(double));
    if (s->work == NULL || reserve_solutions(s, FIRST_CAPACITY) != CAROM_OK ||
        carom_lcp_workspace_alloc(TESTS_PER_CONTACT * m, &s->lemke) != CAROM_OK) {
        carom_mode_solutions_free(s);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    *out = s;
    return CAROM_OK;
}

void carom_mode_solutions_free(carom_mode_solutions *solutions) {
    if (solutions == NULL) {
        return;
    }
    free(solutions->velocity);
    free(solutions->impulse);
    free(solutions->residual);
    free(solutions->multiplicity);
    free(solutions->work);
    carom_lcp_workspace_free(solutions->lemke);
    free(solutions);
}

static double dot(int count, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/** Both parts of the smaller of a complementary pair a >= 0 _|_ b >= 0 that is violated. */
static double pair_violation(double a, double b) {
    return fabs(fmin(a, b));
}

double carom_planar_contact_violation(int m, const double *mu, const double *c, const double *caps,
                                      const double *L) {
    double worst = 0.0;
    for (int i = 0; i < m; i++) {
        const double L_n = L[i];
        const double L_t = L[m + i];
        const double c_n = c[i];
        const double c_t = c[m + i];
        const double below_cap = caps == NULL ? HUGE_VAL : caps[i] - L_n;
        // 0 <= L_n _|_ c_n + beta >= 0, 0 <= beta _|_ cap - L_n >= 0 with beta = max(-c_n, 0)
        worst = fmax(worst, pair_violation(L_n, fmax(c_n, 0.0)));
        worst = fmax(worst, pair_violation(below_cap, fmax(-c_n, 0.0)));
        // The cone, and maximal dissipation.
        worst = fmax(worst, pair_violation(mu[i] * L_n + L_t, fmax(c_t, 0.0)));
        worst = fmax(worst, pair_violation(mu[i] * L_n - L_t, fmax(-c_t, 0.0)));
    }
    return worst;
}

/** Sizes against which conditions are measured. */
typedef struct sizes {
    double speed;   /**< largest, m/s */
    double impulse; /**< that changes it, N s */
} sizes;

static sizes measure(const carom_contact_modes *modes, const double *c) {
    const int r = modes->row_count;
    double speed = 0.0;
    double mobility = 0.0;
    for (int a = 0; a < r; a++) {
        speed = fmax(speed, fabs(c[a]));
        mobility = fmax(mobility, modes->delassus_matrix[a * r + a]);
    }
    return (sizes){speed, mobility > 0.0 ? speed / mobility : speed};
}

/** Where all tests value + slope z >= -slack hold, those without a slope up to `rounding`: low <= z
 * <= high, empty if nowhere. */
static void admissible_interval(int tests, const double *values, const double *slopes, double slack,
                                double rounding, double *low, double *high) {
    *low = -HUGE_VAL;
    *high = HUGE_VAL;
    for (int a = 0; a < tests; a++) {
        const double value = values[a] + slack;
        if (slopes[a] > 0.0) {
            *low = fmax(*low, -value / slopes[a]);
        } else if (slopes[a] < 0.0) {
            *high = fmin(*high, -value / slopes[a]);
        } else if (values[a] + rounding < 0.0) {
            *high = -HUGE_VAL;
        }
    }
}

/** The z of least size with value + slope z >= 0 for all tests; where only rounding is in the way,
 * in the middle of what it allows; NaN if there is none. */
static double close_one_direction(int tests, const double *values, const double *slopes,
                                  double slack) {
    double low;
    double high;
    admissible_interval(tests, values, slopes, 0.0, slack, &low, &high);
    if (low <= high) {
        return fmin(fmax(0.0, low), high);
    }
    admissible_interval(tests, values, slopes, slack, slack, &low, &high);
    return low <= high ? 0.5 * (low + high) : (double)NAN;
}

/**
 * Open coordinates z [d] with test + null_test z >= 0 for all tests, of least norm: z = N' u with
 * 0 <= u _|_ N N' u + test >= 0. Whether there are any.
 */
static bool close_directions(int tests, int open, const double *values, const double *slopes,
                             double slack, double *z, double *work, carom_lcp_workspace *lemke) {
    if (open == 1) {
        *z = close_one_direction(tests, values, slopes, slack);
        return isfinite(*z);
    }
    double *gram = work;
    double *shifted = gram + tests * tests;
    double *u = shifted + tests;
    for (int a = 0; a < tests; a++) {
        for (int b = 0; b < tests; b++) {
            gram[a * tests + b] = dot(open, slopes + a * open, slopes + b * open);
        }
        shifted[a] = values[a];
    }
    if (carom_lcp_solve_lemke(tests, gram, shifted, u, lemke, NULL) != CAROM_OK) {
        // Rounding may be in the way.
        for (int a = 0; a < tests; a++) {
            shifted[a] += slack;
        }
        if (carom_lcp_solve_lemke(tests, gram, shifted, u, lemke, NULL) != CAROM_OK) {
            return false;
        }
    }
    for (int d = 0; d < open; d++) {
        z[d] = 0.0;
        for (int a = 0; a < tests; a++) {
            z[d] += slopes[a * open + d] * u[a];
        }
    }
    return true;
}

/** Correct L along the open directions of a combination so that its tests hold, if that can be. */
static bool close_open_directions(const carom_contact_modes *modes, const combination *c,
                                  const double *values, double slack, double *L,
                                  carom_mode_solutions *s) {
    const int r = modes->row_count;
    const int inputs = r + modes->contact_count;
    const int tests = c->test_count;
    const int open = c->null_count;
    const double *slopes = modes->arena + c->first + (tests + r + c->equation_count) * inputs;
    const double *null_impulse = slopes + tests * open;
    double *z = s->work + inputs + TESTS_PER_CONTACT * modes->contact_count;
    if (!close_directions(tests, open, values, slopes, slack, z, z + r, s->lemke)) {
        return false;
    }
    for (int a = 0; a < r; a++) {
        L[a] += dot(open, null_impulse + a * open, z);
    }
    return true;
}

/** Whether a combination has a solution at y; its impulse. */
static bool try_combination(const carom_contact_modes *modes, const combination *c, sizes size,
                            double *L, carom_mode_solutions *s) {
    const int r = modes->row_count;
    const int inputs = r + modes->contact_count;
    const double *y = s->work;
    const double *tests = modes->arena + c->first;
    const double slack = TOLERANCE * fmax(size.speed, size.impulse);
    double *values = s->work + inputs;
    bool holds = true;
    for (int a = 0; a < c->test_count && (holds || c->null_count > 0); a++) {
        values[a] = dot(inputs, tests + a * inputs, y);
        holds = holds && values[a] >= -slack;
    }
    if (!holds && c->null_count == 0) {
        return false;
    }
    const double *impulse = tests + c->test_count * inputs;
    if (c->null_count > 0) {
        const double *equations = impulse + r * inputs;
        for (int e = 0; e < c->equation_count; e++) {
            if (fabs(dot(inputs, equations + e * inputs, y)) > slack) {
                return false;
            }
        }
    }
    for (int a = 0; a < r; a++) {
        L[a] = dot(inputs, impulse + a * inputs, y);
    }
    return holds || close_open_directions(modes, c, values, slack, L, s);
}

/**
 * Put the solution at place `count` into the list, or into one with the same velocity; or leave it
 * out, if an impulse that was left open does not satisfy the conditions after all.
 */
static void merge(const carom_contact_modes *modes, const double *c, const double *caps, sizes size,
                  carom_mode_solutions *s) {
    const int r = modes->row_count;
    const double *L = s->impulse + s->count * r;
    double *c_post = s->velocity + s->count * r;
    for (int a = 0; a < r; a++) {
        c_post[a] = c[a] + dot(r, modes->delassus_matrix + a * r, L);
    }
    const double violation =
        carom_planar_contact_violation(modes->contact_count, modes->friction, c_post, caps, L);
    if (violation > ACCEPTED * fmax(size.speed, size.impulse)) {
        return;
    }
    for (int k = 0; k < s->count; k++) {
        double distance = 0.0;
        for (int a = 0; a < r; a++) {
            distance = fmax(distance, fabs(s->velocity[k * r + a] - c_post[a]));
        }
        if (distance <= MERGING * size.speed) {
            s->multiplicity[k]++;
            return;
        }
    }
    s->residual[s->count] = violation;
    s->multiplicity[s->count] = 1;
    s->count++;
}

carom_status carom_contact_modes_solve(const carom_contact_modes *modes, const double *c,
                                       const double *caps, carom_mode_solutions *solutions) {
    CAROM_ASSERT((caps != NULL) == (modes->mode_count > MODE_FULL_STICK));
    const int m = modes->contact_count;
    const int r = modes->row_count;
    memcpy(solutions->work, c, (size_t)r * sizeof(double));
    for (int i = 0; i < m; i++) {
        solutions->work[r + i] = caps == NULL ? 0.0 : caps[i];
    }
    const sizes size = measure(modes, c);
    solutions->count = 0;
    for (int k = 0; k < modes->combination_count; k++) {
        if (solutions->count == solutions->capacity) {
            CAROM_TRY(reserve_solutions(solutions, 2 * solutions->capacity));
        }
        double *L = solutions->impulse + solutions->count * r;
        if (try_combination(modes, &modes->combinations[k], size, L, solutions)) {
            merge(modes, c, caps, size, solutions);
        }
    }
    return CAROM_OK;
}
