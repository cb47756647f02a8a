/** Planar impacts by means of their own, for comparison: the problem as plain numbers, all of its
 * solutions by a linear program for each combination of modes, the conditions of a solution, the
 * matrices of the complementarity problems. To be included by suites. */
#ifndef CAROM_TESTS_IMPACT_INDEPENDENT_IMPACTS_H
#define CAROM_TESTS_IMPACT_INDEPENDENT_IMPACTS_H

#include <carom/impact/impact_problem.h>

#include "../support.h"

#include <stdbool.h>
#include <string.h>

enum { MOST_CONTACTS = 5, MOST_ROWS = 10, MOST_COORDINATES = 9, MOST_OUTCOMES = 64 };

/* Velocities of two methods, relative to the largest speed: a program may end at a vertex with
 * impulses of 1e5, which cancel and leave ten digits. */
static const double SAME_VELOCITY = 2e-6;

/* A planar problem: n coordinates, m contacts; C and c derived from the rest. */
typedef struct plain_impact {
    int n;
    int m;
    double M[MOST_COORDINATES * MOST_COORDINATES];
    double J[MOST_ROWS * MOST_COORDINATES]; /* normal rows, then tangential ones */
    double mu[MOST_CONTACTS];
    double v[MOST_COORDINATES];
    double C[MOST_ROWS * MOST_ROWS];
    double c[MOST_ROWS];
} plain_impact;

/* Solutions of one problem. */
typedef struct plain_outcomes {
    int count;
    double c[MOST_OUTCOMES][MOST_ROWS];
    double L[MOST_OUTCOMES][MOST_ROWS];
    bool is_settled[MOST_OUTCOMES]; /* the only velocity of its mode */
    bool is_complete;               /* every mode that has solutions has one velocity */
} plain_outcomes;

/* Solve A X = B, A [n][n], B [n][k], in place, by elimination with row exchanges. */
static inline void eliminate(int n, int k, double *A, double *B) {
    for (int j = 0; j < n; j++) {
        int p = j;
        for (int i = j + 1; i < n; i++) {
            p = fabs(A[i * n + j]) > fabs(A[p * n + j]) ? i : p;
        }
        for (int l = 0; l < n; l++) {
            const double swap = A[j * n + l];
            A[j * n + l] = A[p * n + l];
            A[p * n + l] = swap;
        }
        for (int l = 0; l < k; l++) {
            const double swap = B[j * k + l];
            B[j * k + l] = B[p * k + l];
            B[p * k + l] = swap;
        }
        for (int i = 0; i < n; i++) {
            const double factor = i == j ? 0.0 : A[i * n + j] / A[j * n + j];
            for (int l = 0; i != j && l < n; l++) {
                A[i * n + l] -= factor * A[j * n + l];
            }
            for (int l = 0; i != j && l < k; l++) {
                B[i * k + l] -= factor * B[j * k + l];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        for (int l = 0; l < k; l++) {
            B[i * k + l] /= A[i * n + i];
        }
    }
}

/* C = J M^-1 J' and c = J v from the rest. */
static inline void complete(plain_impact *plain) {
    const int n = plain->n;
    const int r = 2 * plain->m;
    double A[MOST_COORDINATES * MOST_COORDINATES];
    double B[MOST_COORDINATES * MOST_ROWS];
    memcpy(A, plain->M, sizeof(double) * (size_t)(n * n));
    for (int i = 0; i < n; i++) {
        for (int a = 0; a < r; a++) {
            B[i * r + a] = plain->J[a * n + i];
        }
    }
    eliminate(n, r, A, B);
    for (int a = 0; a < r; a++) {
        plain->c[a] = 0.0;
        for (int i = 0; i < n; i++) {
            plain->c[a] += plain->J[a * n + i] * plain->v[i];
        }
        for (int b = 0; b < r; b++) {
            plain->C[a * r + b] = 0.0;
            for (int i = 0; i < n; i++) {
                plain->C[a * r + b] += plain->J[a * n + i] * B[i * r + b];
            }
        }
    }
}

/* The library's problem with the same numbers. */
static inline carom_impact_problem *problem_of_plain(const plain_impact *plain) {
    carom_impact_problem *problem = NULL;
    assert_ok(carom_impact_problem_alloc(plain->n, plain->m, 1, plain->M, plain->J,
                                         &plain->J[plain->m * plain->n], plain->mu, plain->v,
                                         &problem, NULL));
    return problem;
}

/* The same problem with other coefficients of restitution [m], all borrowed. */
static inline carom_impact_problem with_restitution(const carom_impact_problem *problem,
                                                    const double *e) {
    carom_impact_problem other = *problem;
    other.restitution = (double *)e;
    return other;
}

/* c' = c + C L. */
static inline void after_impulse(const plain_impact *plain, const double *c, const double *L,
                                 double *c_after) {
    const int r = 2 * plain->m;
    double sum[MOST_ROWS] = {0};
    for (int a = 0; a < r; a++) {
        sum[a] = c[a];
        for (int b = 0; b < r; b++) {
            sum[a] += plain->C[a * r + b] * L[b];
        }
    }
    memcpy(c_after, sum, sizeof(double) * (size_t)r);
}

static inline double largest_of(int count, const double *x) {
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}

static inline double clamped(double x, double low, double high) {
    return fmin(fmax(x, low), high);
}

/* Largest violation of the conditions by (L, c'): L_n is the projection of L_n - c_n on [0, cap]
 * and L_t that of L_t - c_t on [-mu L_n, mu L_n]. */
static inline double violation_of(const plain_impact *plain, const double *caps, const double *L,
                                  const double *c) {
    const int m = plain->m;
    double worst = 0.0;
    for (int i = 0; i < m; i++) {
        const double cap = caps == NULL ? HUGE_VAL : caps[i];
        const double limit = plain->mu[i] * fmax(L[i], 0.0);
        worst = fmax(worst, fabs(L[i] - clamped(L[i] - c[i], 0.0, cap)));
        worst = fmax(worst, fabs(L[m + i] - clamped(L[m + i] - c[m + i], -limit, limit)));
    }
    return worst;
}

/* ------------------------------------------------------------- linear programs, one for each mode
 */

enum { PROGRAM_ROWS = 4 * MOST_CONTACTS, PROGRAM_COLUMNS = 5 * MOST_CONTACTS };

/* Is there an x >= 0 with A x = b? A column belongs to a ray of impulse (row of L and its partner)
 * or to a slack. */
typedef struct mode_program {
    int rows;
    int columns;
    double A[PROGRAM_ROWS][PROGRAM_COLUMNS + 1]; /* last column in use: b */
    double ray[PROGRAM_COLUMNS][2];              /* normal and tangential impulse of the column */
    int contact[PROGRAM_COLUMNS];                /* of the ray; -1: a slack */
    bool is_forward[PROGRAM_COLUMNS]; /* followed by its opposite and the slack of their cone */
    double x[PROGRAM_COLUMNS];
} mode_program;

enum { OFF, PARTIAL, FULL };
enum { STICK, SLIDE_FORWARD, SLIDE_BACKWARD };

/* Gauss-Jordan pivot. */
static inline void exchange(mode_program *program, int leaving, int entering) {
    const double pivot = program->A[leaving][entering];
    for (int j = 0; j <= program->columns; j++) {
        program->A[leaving][j] /= pivot;
    }
    for (int i = 0; i < program->rows; i++) {
        const double factor = program->A[i][entering];
        for (int j = 0; i != leaving && j <= program->columns; j++) {
            program->A[i][j] -= factor * program->A[leaving][j];
        }
    }
}

/* First phase of the simplex method with Bland's rule and a tableau that includes the artificial
 * variables' costs; the remaining sum of artificial variables, rows being scaled to one. */
static inline double feasible_point(mode_program *program) {
    const int rows = program->rows;
    const int columns = program->columns;
    const double tiny = 1e-11; /* below it an entry is rounding of entries of one */
    int basis[PROGRAM_ROWS];
    for (int i = 0; i < rows; i++) {
        double *row = program->A[i];
        const double scale = largest_of(columns, row);
        for (int j = 0; j <= columns && scale > 0.0; j++) {
            row[j] /= scale;
        }
        for (int j = 0; row[columns] < 0.0 && j <= columns; j++) {
            row[j] = 0.0 - row[j];
        }
        basis[i] = -1;
    }
    double original[PROGRAM_ROWS][PROGRAM_COLUMNS + 1];
    memcpy(original, program->A, sizeof(original));
    for (int step = 0; step < 1000; step++) {
        int entering = -1;
        for (int j = 0; j < columns && entering < 0; j++) {
            double gain = 0.0;
            bool is_basic = false;
            for (int i = 0; i < rows; i++) {
                gain += basis[i] < 0 ? program->A[i][j] : 0.0;
                is_basic = is_basic || basis[i] == j;
            }
            entering = !is_basic && gain > 10.0 * tiny ? j : -1;
        }
        if (entering < 0) {
            break;
        }
        int leaving = -1;
        for (int i = 0; i < rows; i++) {
            if (program->A[i][entering] <= 100.0 * tiny) {
                continue;
            }
            const double ratio = program->A[i][columns] / program->A[i][entering];
            const double best = leaving < 0
                                    ? HUGE_VAL
                                    : program->A[leaving][columns] / program->A[leaving][entering];
            if (ratio < best || (leaving >= 0 && ratio <= best && basis[i] < basis[leaving])) {
                leaving = i;
            }
        }
        if (leaving < 0) {
            break;
        }
        exchange(program, leaving, entering);
        basis[leaving] = entering;
    }
    /* Artificial variables at zero give way, unless their row depends on the others: entries of
     * such rows are rounding, entries of others hardly below 1e-5, one over the steepest cone. */
    for (int i = 0; i < rows; i++) {
        int entering = 0;
        for (int j = 1; j < columns; j++) {
            entering = fabs(program->A[i][j]) > fabs(program->A[i][entering]) ? j : entering;
        }
        if (basis[i] < 0 && fabs(program->A[i][entering]) > 1e-8) {
            exchange(program, i, entering);
            basis[i] = entering;
        }
    }
    /* Of opposite tangential impulses only the difference matters: both basic, they may be as large
     * as the cone and cost its digits. The slack of the cone takes the place of the smaller one. */
    for (int j = 0; j + 2 < columns; j++) {
        int forward = -1;
        int backward = -1;
        for (int i = 0; i < rows && program->is_forward[j]; i++) {
            forward = basis[i] == j ? i : forward;
            backward = basis[i] == j + 1 ? i : backward;
        }
        if (forward >= 0 && backward >= 0) {
            const int leaving =
                program->A[forward][columns] < program->A[backward][columns] ? forward : backward;
            exchange(program, leaving, j + 2);
            basis[leaving] = j + 2;
        }
    }
    /* Anew from the rows as they were: steep cones have small pivots, and the tableau their
     * rounding. An artificial variable that stays, of a row that depends on others, is a unit. */
    double B[PROGRAM_ROWS * PROGRAM_ROWS];
    double x[PROGRAM_ROWS];
    for (int i = 0; i < rows; i++) {
        x[i] = original[i][columns];
        for (int k = 0; k < rows; k++) {
            B[i * rows + k] = basis[k] < 0 ? (i == k ? 1.0 : 0.0) : original[i][basis[k]];
        }
    }
    eliminate(rows, 1, B, x);
    double rest = 0.0;
    memset(program->x, 0, sizeof(program->x));
    for (int i = 0; i < rows; i++) {
        rest += basis[i] < 0 ? fabs(x[i]) : fmax(0.0, -x[i]);
        if (basis[i] >= 0) {
            program->x[basis[i]] = x[i];
        }
    }
    return rest;
}

static inline int add_column(mode_program *program, int contact, double normal, double tangential) {
    const int j = program->columns++;
    program->contact[j] = contact;
    program->is_forward[j] = false;
    program->ray[j][0] = normal;
    program->ray[j][1] = tangential;
    return j;
}

/* What a row says, with a slack or without: c'_a = 0, L_n = cap, or |L_t+| + |L_t-| = mu L_n. */
typedef enum row_kind { SPEED_ROW, CAP_ROW, CONE_ROW } row_kind;

typedef struct mode_row {
    row_kind kind;
    int of;    /* row a of c', or contact */
    int slack; /* column, -1: none */
    double sign;
} mode_row;

/* Columns and rows of contact i in a mode. */
static inline int describe_contact(const plain_impact *plain, bool is_capped, int i, int normal,
                                   int tangential, mode_program *program, mode_row *rows) {
    const int m = plain->m;
    int count = 0;
    if (normal == OFF) {
        rows[count++] = (mode_row){SPEED_ROW, i, add_column(program, -1, 0.0, 0.0), -1.0};
        return count;
    }
    const double size = fmax(1.0, plain->mu[i]); /* rays of size one also for steep cones */
    if (tangential == STICK) {
        add_column(program, i, 1.0, 0.0);
        program->is_forward[add_column(program, i, 0.0, 1.0)] = true;
        add_column(program, i, 0.0, -1.0);
        rows[count++] = (mode_row){CONE_ROW, i, add_column(program, -1, 0.0, 0.0), 1.0};
        rows[count++] = (mode_row){SPEED_ROW, m + i, -1, 0.0};
    } else {
        const double sign = tangential == SLIDE_FORWARD ? -1.0 : 1.0;
        add_column(program, i, 1.0 / size, sign * plain->mu[i] / size);
        rows[count++] = (mode_row){SPEED_ROW, m + i, add_column(program, -1, 0.0, 0.0), sign};
    }
    const int closing = normal == FULL ? add_column(program, -1, 0.0, 0.0) : -1;
    rows[count++] = (mode_row){SPEED_ROW, i, closing, 1.0};
    if (is_capped) {
        const int slack = normal == PARTIAL ? add_column(program, -1, 0.0, 0.0) : -1;
        rows[count++] = (mode_row){CAP_ROW, i, slack, 1.0};
    }
    return count;
}

/* A and b of the rows described. */
static inline void fill_program(const plain_impact *plain, const double *c, const double *caps,
                                const mode_row *rows, mode_program *program) {
    const int m = plain->m;
    const int r = 2 * m;
    for (int k = 0; k < program->rows; k++) {
        double *row = program->A[k];
        memset(row, 0, sizeof(program->A[k]));
        for (int j = 0; j < program->columns; j++) {
            const int i = program->contact[j];
            const int of = rows[k].of;
            if (i >= 0 && rows[k].kind == SPEED_ROW) {
                row[j] = plain->C[of * r + i] * program->ray[j][0] +
                         plain->C[of * r + m + i] * program->ray[j][1];
            } else if (i == of && rows[k].kind == CAP_ROW) {
                row[j] = program->ray[j][0];
            } else if (i == of && rows[k].kind == CONE_ROW) {
                row[j] = fabs(program->ray[j][1]) - plain->mu[i] * program->ray[j][0];
            }
        }
        if (rows[k].slack >= 0) {
            row[rows[k].slack] =
                rows[k].kind == CONE_ROW ? fmax(1.0, plain->mu[rows[k].of]) : rows[k].sign;
        }
        row[program->columns] = rows[k].kind == SPEED_ROW ? -c[rows[k].of]
                                : rows[k].kind == CAP_ROW ? caps[rows[k].of]
                                                          : 0.0;
    }
}

/* Try one mode: code in base 4 (off; partial x 3) or 7. Whether it has a point L. */
static inline bool solve_mode(const plain_impact *plain, const double *c, const double *caps,
                              long code, double *L) {
    const int m = plain->m;
    const int kinds = caps == NULL ? 4 : 7;
    mode_program program = {.rows = 0, .columns = 0};
    mode_row rows[PROGRAM_ROWS];
    for (int i = 0; i < m; i++, code /= kinds) {
        const int kind = (int)(code % kinds);
        const int normal = kind == 0 ? OFF : kind <= 3 ? PARTIAL : FULL;
        program.rows += describe_contact(plain, caps != NULL, i, normal, (kind + 2) % 3, &program,
                                         &rows[program.rows]);
    }
    fill_program(plain, c, caps, rows, &program);
    /* Rounding of ten operations with numbers of the size of the data. */
    const double scale = fmax(largest_of(2 * m, c), caps == NULL ? 0.0 : largest_of(m, caps));
    if (feasible_point(&program) > 1e-11 * scale) {
        return false;
    }
    memset(L, 0, sizeof(double) * (size_t)(2 * m));
    for (int j = 0; j < program.columns; j++) {
        if (program.contact[j] >= 0) {
            L[program.contact[j]] += program.x[j] * program.ray[j][0];
            L[m + program.contact[j]] += program.x[j] * program.ray[j][1];
        }
    }
    return true;
}

/* Rank of rows [count][r] by repeated orthogonalization, which leaves a basis in front; what is
 * left of a row of size one below 1e-9 is rounding. */
static inline int rank_of(int count, int r, double (*rows)[MOST_ROWS]) {
    int rank = 0;
    for (int k = 0; k < count; k++) {
        double row[MOST_ROWS];
        memcpy(row, rows[k], sizeof(row));
        double square = 0.0;
        for (int a = 0; a < r; a++) {
            square += row[a] * row[a];
        }
        for (int a = 0; a < r && square > 0.0; a++) {
            row[a] /= sqrt(square);
        }
        for (int twice = 0; twice < 2; twice++) {
            for (int l = 0; l < rank; l++) {
                double along = 0.0;
                for (int a = 0; a < r; a++) {
                    along += rows[l][a] * row[a];
                }
                for (int a = 0; a < r; a++) {
                    row[a] -= along * rows[l][a];
                }
            }
        }
        square = 0.0;
        for (int a = 0; a < r; a++) {
            square += row[a] * row[a];
        }
        if (square > 1e-18) {
            for (int a = 0; a < r; a++) {
                rows[rank][a] = row[a] / sqrt(square);
            }
            rank++;
        }
    }
    return rank;
}

/* Whether the equations of a mode leave no impulse open that changes the velocity: the rows of C
 * depend on them. */
static inline bool is_settled_mode(const plain_impact *plain, int kinds, long code) {
    const int m = plain->m;
    const int r = 2 * m;
    double rows[2 * MOST_ROWS][MOST_ROWS] = {{0.0}};
    int count = 0;
    for (int i = 0; i < m; i++, code /= kinds) {
        const int kind = (int)(code % kinds);
        const int tangential = (kind + 2) % 3;
        if (kind == 0 || kind > 3) {
            rows[count++][i] = 1.0;
        } else {
            memcpy(rows[count++], &plain->C[i * r], sizeof(double) * (size_t)r);
        }
        if (kind == 0) {
            rows[count++][m + i] = 1.0;
        } else if (tangential == STICK) {
            memcpy(rows[count++], &plain->C[(m + i) * r], sizeof(double) * (size_t)r);
        } else {
            rows[count][i] = tangential == SLIDE_FORWARD ? plain->mu[i] : -plain->mu[i];
            rows[count++][m + i] = 1.0;
        }
    }
    const int rank = rank_of(count, r, rows);
    for (int a = 0; a < r; a++) {
        memcpy(rows[rank + a], &plain->C[a * r], sizeof(double) * (size_t)r);
    }
    return rank_of(rank + r, r, rows) == rank;
}

/* Index of an outcome within `tolerance` of c in each row; -1: none. */
static inline int find_plain(const plain_outcomes *outcomes, int r, const double *c,
                             double tolerance) {
    for (int k = 0; k < outcomes->count; k++) {
        double farthest = 0.0;
        for (int a = 0; a < r; a++) {
            farthest = fmax(farthest, fabs(outcomes->c[k][a] - c[a]));
        }
        if (farthest <= tolerance) {
            return k;
        }
    }
    return -1;
}

/* All solutions from speeds c, with caps or (NULL) without, close velocities being one; the modes
 * are solved as linear programs. */
static inline void all_solutions(const plain_impact *plain, const double *c, const double *caps,
                                 plain_outcomes *outcomes) {
    const int r = 2 * plain->m;
    long modes = 1;
    for (int i = 0; i < plain->m; i++) {
        modes *= caps == NULL ? 4 : 7;
    }
    const int kinds = caps == NULL ? 4 : 7;
    const double scale = fmax(largest_of(r, c), caps == NULL ? 0.0 : largest_of(plain->m, caps));
    outcomes->count = 0;
    outcomes->is_complete = true;
    for (long code = 0; code < modes; code++) {
        double L[MOST_ROWS];
        double after[MOST_ROWS];
        if (!solve_mode(plain, c, caps, code, L)) {
            continue;
        }
        after_impulse(plain, c, L, after);
        /* A vertex with impulses of 1e5 may have lost the digits of the rest. */
        if (violation_of(plain, caps, L, after) > 1e-9 * fmax(scale, largest_of(r, L))) {
            continue;
        }
        const bool is_settled = is_settled_mode(plain, kinds, code);
        outcomes->is_complete = outcomes->is_complete && is_settled;
        const int known = find_plain(outcomes, r, after, SAME_VELOCITY * largest_of(r, c));
        if (known >= 0) {
            outcomes->is_settled[known] = outcomes->is_settled[known] || is_settled;
        } else if (outcomes->count < MOST_OUTCOMES) {
            memcpy(outcomes->c[outcomes->count], after, sizeof(after));
            memcpy(outcomes->L[outcomes->count], L, sizeof(L));
            outcomes->is_settled[outcomes->count++] = is_settled;
        }
    }
}

/* ------------------------------------------------------------------------------ complementarity */

/* W and w of (75) or, without caps, of Anitescu and Potra for k facet directions d [k][t], from C
 * alone: the speed along facet j of contact i is d_j . c_t,i. Returns the size. */
static inline int cone_matrix(int m, int t, int k, const double *d, const double *mu,
                              const double *C, bool is_capped, double *W) {
    const int r = m * (1 + t);
    const int first = is_capped ? m : 0; /* of the normal impulses */
    const int facets = first + m;
    const int slips = facets + m * k;
    const int size = slips + m;
    /* P [size][r]: what each unknown does as an impulse, and which speed its row measures. */
    double *P = calloc((size_t)size * (size_t)r, sizeof(double));
    ck_assert_ptr_nonnull(P);
    for (int i = 0; i < m; i++) {
        P[(first + i) * r + i] = 1.0;
        for (int j = 0; j < k; j++) {
            for (int l = 0; l < t; l++) {
                P[(facets + i * k + j) * r + m + i * t + l] = d[j * t + l];
            }
        }
    }
    for (int a = 0; a < size; a++) {
        for (int b = 0; b < size; b++) {
            double sum = 0.0;
            for (int p = 0; p < r; p++) {
                for (int q = 0; q < r; q++) {
                    sum += P[a * r + p] * C[p * r + q] * P[b * r + q];
                }
            }
            W[a * size + b] = sum;
        }
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < k; j++) {
            W[(facets + i * k + j) * size + slips + i] = 1.0;
            W[(slips + i) * size + facets + i * k + j] = -1.0;
        }
        W[(slips + i) * size + first + i] = mu[i];
        if (is_capped) {
            W[i * size + first + i] = -1.0;
            W[(first + i) * size + i] = 1.0;
        }
    }
    free(P);
    return size;
}

#endif
