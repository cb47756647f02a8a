/*
 * In a combination of modes the impulse is L = B x + E caps with few unknowns x, and as many speeds
 * have to vanish: R (c + C L) = 0. So x, L and every condition are linear in y = (c, caps), and all
 * that is left to do for an increment is to look at signs. Where R C B is singular the conditions
 * leave directions open, along which the inequalities decide.
 */
#include <carom/base/linear_algebra.h>
#include <carom/base/scales.h>
#include <carom/impact/contact_modes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** A pivot below this part of the largest is zero: redundant contacts. */
static const double RANK = 1e-11;

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

static void construction_clear(construction *work) {
    free(work->memory);
    free(work->integers);
}

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

static carom_status construction_init(int r, int m, construction *work) {
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
    const int open =
        k - carom_gauss_jordan_reduce(k, k + inputs, RANK, work->system, work->columns);
    read_solution(modes, k, k - open, work);

    const int most_tests = CAROM_CONTACT_MODE_TESTS * m;
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
    carom_contact_mode_combination *c = &modes->combinations[number];
    *c = (carom_contact_mode_combination){k, open, tests, modes->arena_count};
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
    CAROM_AUTO_VALUE(construction) work = {0};
    CAROM_TRY(construction_init(modes->row_count, modes->contact_count, &work));
    for (int c = 0; c < modes->combination_count; c++) {
        CAROM_TRY(build(modes, c, &work));
    }
    return CAROM_OK;
}

/** The problem in the kinetic metric. */
static void scale_problem(const carom_impact_problem *problem, carom_contact_modes *modes) {
    const int m = problem->contact_count;
    const int r = problem->row_count;
    for (int a = 0; a < r; a++) {
        modes->scale[a] = carom_scale_power_of_two(problem->row_scale[a]);
    }
    for (int a = 0; a < r; a++) {
        for (int b = 0; b < r; b++) {
            modes->delassus_matrix[a * r + b] =
                problem->delassus_matrix[a * r + b] / modes->scale[a] / modes->scale[b];
        }
    }
    for (int i = 0; i < m; i++) {
        modes->friction[i] = problem->friction[i] * (modes->scale[m + i] / modes->scale[i]);
    }
}

int carom_contact_modes_combinations(const carom_impact_problem *problem) {
    CAROM_ASSERT(problem != NULL);
    const int m = problem->contact_count;
    return problem->tangent_count == 1 && m <= CAROM_CONTACT_MODES_MOST_UNCAPPED ? 1 << (2 * m) : 0;
}

carom_status carom_contact_modes_alloc(const carom_impact_problem *problem,
                                       carom_contact_mode_set set, carom_contact_modes **out,
                                       carom_report *report) {
    CAROM_ASSERT(problem != NULL && out != NULL);
    *out = NULL;
    const int m = problem->contact_count;
    const bool is_capped = set == CAROM_CONTACT_MODES_CAPPED;
    if (problem->tangent_count != 1) {
        return carom_report_refuse(report,
                                   "tangents of a contact (modes are enumerated in the plane only)",
                                   problem->tangent_count, -1, "1");
    }
    if (m > (is_capped ? CAROM_CONTACT_MODES_MOST_CAPPED : CAROM_CONTACT_MODES_MOST_UNCAPPED)) {
        return carom_report_refuse(report,
                                   "number of contacts (too many to enumerate all solutions)", m,
                                   -1, is_capped ? "at most 5" : "at most 7");
    }
    CAROM_AUTO(carom_contact_modes) modes = calloc(1, sizeof *modes);
    if (modes == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t r = (size_t)problem->row_count;
    modes->scale = calloc(r, sizeof(double));
    modes->contact_count = m;
    modes->row_count = problem->row_count;
    modes->mode_count = is_capped ? MODE_FULL_BACKWARD + 1 : MODE_FULL_STICK;
    modes->combination_count = 1;
    for (int i = 0; i < m; i++) {
        modes->combination_count *= modes->mode_count;
    }
    modes->delassus_matrix = malloc(r * r * sizeof(double));
    modes->friction = malloc((size_t)m * sizeof(double));
    modes->combinations =
        calloc((size_t)modes->combination_count, sizeof(carom_contact_mode_combination));
    if (modes->scale == NULL || modes->delassus_matrix == NULL || modes->friction == NULL ||
        modes->combinations == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    scale_problem(problem, modes);
    CAROM_TRY(build_all(modes));
    CAROM_TRY(carom_contact_modes_fill_sieve(modes));
    CAROM_HAND_OVER(modes, out);
    return CAROM_OK;
}

void carom_contact_modes_free(carom_contact_modes *modes) {
    if (modes == NULL) {
        return;
    }
    free(modes->scale);
    free(modes->delassus_matrix);
    free(modes->friction);
    free(modes->combinations);
    free(modes->arena);
    free(modes->sieve);
    free(modes);
}

bool carom_contact_modes_are_capped(const carom_contact_modes *modes) {
    CAROM_ASSERT(modes != NULL);
    return modes->mode_count > MODE_FULL_STICK;
}
