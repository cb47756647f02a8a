/** The variational integrator a second time, by means of its own and in long double: a planar
 * system is what its inertias and contacts are functions of, and everything else is differenced.
 * The discrete Lagrangian is differenced in its end points, impacts are found by bisection and
 * reflect by matrices, and friction tries all modes of both halves of a step. To be included by
 * suites. */
#ifndef CAROM_TESTS_TIMESTEPPING_INDEPENDENT_VARIATIONAL_H
#define CAROM_TESTS_TIMESTEPPING_INDEPENDENT_VARIATIONAL_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
    DISCRETE_COORDINATES = 8,
    DISCRETE_INERTIAS = 24,
    DISCRETE_CONTACTS = 3,
    DISCRETE_UNKNOWNS = DISCRETE_COORDINATES + 2 * DISCRETE_CONTACTS,
    DISCRETE_REFLECTIONS = 200
};

/** T = sum_j w_j (d z_j/dt)^2/2: z_j(q) is a coordinate of a centre of mass, w_j its mass, or an
 * angle and its moment of inertia. */
typedef struct discrete_system {
    int coordinates; /**< n */
    int inertias;
    int contacts; /**< m */
    long double inertia[DISCRETE_INERTIAS];
    double friction[DISCRETE_CONTACTS]; /**< mu */
    void (*place)(const long double *q, long double *z, const void *context);
    long double (*potential)(const long double *q, const void *context);
    /** Forces without potential. */
    void (*force)(long double t, const long double *q, const long double *v, long double *f,
                  const void *context);
    /** Gaps, and where the contact points are along their tangents. */
    void (*contact)(const long double *q, long double *gap, long double *along,
                    const void *context);
    const void *context;
    bool is_coarse; /**< differences of second order: enough for the matrices of Newton's method */
} discrete_system;

typedef struct discrete_state {
    long double time;
    long double q[DISCRETE_COORDINATES];
    long double p[DISCRETE_COORDINATES];
} discrete_state;

/** What a contact does in a step. */
typedef enum discrete_mode {
    DISCRETE_OPEN,
    DISCRETE_STICK,
    DISCRETE_FORWARD, /**< slides along its tangent, or has no friction */
    DISCRETE_BACKWARD
} discrete_mode;

typedef struct discrete_step {
    discrete_state end;
    long double gap[DISCRETE_CONTACTS];
    long double lambda[DISCRETE_CONTACTS];
    long double kappa[DISCRETE_CONTACTS];
    long double friction[DISCRETE_CONTACTS]; /**< f, of the first half */
    long double last[DISCRETE_CONTACTS];     /**< g, of the second half */
    long double sliding[DISCRETE_CONTACTS];  /**< at the midpoint */
    long double end_loss; /**< energy that f of sticking rows in the place of g would have left */
    int endings;          /**< lawful ways to end; this is the first */
    int bounded;          /**< rows that stick at the midpoint and not at the end */
    int unpressed;        /**< rows that slide at the midpoint and have no friction at the end */
} discrete_step;

/* Central differences of sixth order: with lengths and angles of order one the truncation is
 * 5e-18 times a seventh derivative, the rounding 5e-20/3e-3. */
enum { DISCRETE_PAIRS = 3 };
static const long double DISCRETE_SPACING = 3e-3L;
static const long double DISCRETE_WEIGHT[DISCRETE_PAIRS] = {3.0L / 4.0L, -3.0L / 20.0L,
                                                            1.0L / 60.0L};

static inline int discrete_pairs(const discrete_system *system) {
    return system->is_coarse ? 1 : DISCRETE_PAIRS;
}

static inline long double discrete_weight(const discrete_system *system, int pair) {
    return system->is_coarse ? 0.5L : DISCRETE_WEIGHT[pair];
}

static inline long double discrete_dot(int n, const long double *a, const long double *b) {
    long double sum = 0.0L;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static inline long double discrete_largest(int n, const long double *a) {
    long double largest = 0.0L;
    for (int i = 0; i < n; i++) {
        largest = fmaxl(largest, fabsl(a[i]));
    }
    return largest;
}

/* Solve A X = B in place, A [n][n], B [n][k], by elimination with row exchanges. false: singular */
static inline bool discrete_eliminate(int n, int k, long double *A, long double *B) {
    for (int j = 0; j < n; j++) {
        int pivot = j;
        for (int i = j + 1; i < n; i++) {
            pivot = fabsl(A[i * n + j]) > fabsl(A[pivot * n + j]) ? i : pivot;
        }
        if (!(fabsl(A[pivot * n + j]) > 0.0L)) {
            return false;
        }
        for (int l = 0; l < n; l++) {
            const long double swap = A[j * n + l];
            A[j * n + l] = A[pivot * n + l];
            A[pivot * n + l] = swap;
        }
        for (int l = 0; l < k; l++) {
            const long double swap = B[j * k + l];
            B[j * k + l] = B[pivot * k + l];
            B[pivot * k + l] = swap;
        }
        for (int i = 0; i < n; i++) {
            const long double factor = i == j ? 0.0L : A[i * n + j] / A[j * n + j];
            for (int l = j; i != j && l < n; l++) {
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
    return true;
}

/* z' = d z(q + s v)/ds. */
static inline void discrete_rates(const discrete_system *system, const long double *q,
                                  const long double *v, long double *rate) {
    const int n = system->coordinates;
    memset(rate, 0, DISCRETE_INERTIAS * sizeof *rate);
    const long double largest = discrete_largest(n, v);
    if (!(largest > 0.0L)) {
        return;
    }
    const long double spacing = DISCRETE_SPACING / largest;
    for (int k = 0; k < discrete_pairs(system); k++) {
        long double ahead[DISCRETE_COORDINATES] = {0.0L};
        long double behind[DISCRETE_COORDINATES] = {0.0L};
        for (int i = 0; i < n; i++) {
            ahead[i] = q[i] + (long double)(k + 1) * spacing * v[i];
            behind[i] = q[i] - (long double)(k + 1) * spacing * v[i];
        }
        long double z_ahead[DISCRETE_INERTIAS] = {0.0L};
        long double z_behind[DISCRETE_INERTIAS] = {0.0L};
        system->place(ahead, z_ahead, system->context);
        system->place(behind, z_behind, system->context);
        for (int j = 0; j < system->inertias; j++) {
            rate[j] += discrete_weight(system, k) * (z_ahead[j] - z_behind[j]) / spacing;
        }
    }
}

static inline long double discrete_kinetic(const discrete_system *system, const long double *q,
                                           const long double *v) {
    long double rate[DISCRETE_INERTIAS] = {0.0L};
    discrete_rates(system, q, v, rate);
    long double energy = 0.0L;
    for (int j = 0; j < system->inertias; j++) {
        energy += 0.5L * system->inertia[j] * rate[j] * rate[j];
    }
    return energy;
}

/* M(q) [n][n]. */
static inline void discrete_mass(const discrete_system *system, const long double *q,
                                 long double *M) {
    const int n = system->coordinates;
    long double rate[DISCRETE_COORDINATES][DISCRETE_INERTIAS];
    for (int i = 0; i < n; i++) {
        long double unit[DISCRETE_COORDINATES] = {0.0L};
        unit[i] = 1.0L;
        discrete_rates(system, q, unit, rate[i]);
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            M[i * n + k] = 0.0L;
            for (int j = 0; j < system->inertias; j++) {
                M[i * n + k] += system->inertia[j] * rate[i][j] * rate[k][j];
            }
        }
    }
}

/* M(q)^-1 [n][n], written out. */
static inline bool discrete_inverse_mass(const discrete_system *system, const long double *q,
                                         long double *inverse) {
    const int n = system->coordinates;
    long double M[DISCRETE_COORDINATES * DISCRETE_COORDINATES] = {0.0L};
    discrete_mass(system, q, M);
    for (int i = 0; i < n * n; i++) {
        inverse[i] = i % (n + 1) == 0 ? 1.0L : 0.0L;
    }
    return discrete_eliminate(n, n, M, inverse);
}

static inline bool discrete_velocity(const discrete_system *system, const long double *q,
                                     const long double *p, long double *v) {
    const int n = system->coordinates;
    long double inverse[DISCRETE_COORDINATES * DISCRETE_COORDINATES] = {0.0L};
    const bool is_regular = discrete_inverse_mass(system, q, inverse);
    for (int i = 0; i < n; i++) {
        v[i] = discrete_dot(n, &inverse[i * n], p);
    }
    return is_regular;
}

/* H(q, p) = T + V. */
static inline long double discrete_energy(const discrete_system *system,
                                          const discrete_state *state) {
    long double v[DISCRETE_COORDINATES] = {0.0L};
    discrete_velocity(system, state->q, state->p, v);
    return 0.5L * discrete_dot(system->coordinates, state->p, v) +
           system->potential(state->q, system->context);
}

/* Normals u_i = D phi_i [m][n] and tangents [m][n] at a place. */
static inline void discrete_normals(const discrete_system *system, const long double *q,
                                    long double *normal, long double *tangent) {
    const int n = system->coordinates;
    const int m = system->contacts;
    memset(normal, 0, (size_t)m * (size_t)n * sizeof *normal);
    memset(tangent, 0, (size_t)m * (size_t)n * sizeof *tangent);
    for (int i = 0; i < n * 2 * DISCRETE_PAIRS && m > 0; i++) {
        const int column = i / (2 * DISCRETE_PAIRS);
        const int k = i % DISCRETE_PAIRS;
        const long double side = i % (2 * DISCRETE_PAIRS) < DISCRETE_PAIRS ? 1.0L : -1.0L;
        long double moved[DISCRETE_COORDINATES] = {0.0L};
        memcpy(moved, q, (size_t)n * sizeof *moved);
        moved[column] += side * (long double)(k + 1) * DISCRETE_SPACING;
        long double gap[DISCRETE_CONTACTS] = {0.0L};
        long double along[DISCRETE_CONTACTS] = {0.0L};
        system->contact(moved, gap, along, system->context);
        for (int c = 0; c < m; c++) {
            const long double weight = side * DISCRETE_WEIGHT[k] / DISCRETE_SPACING;
            normal[c * n + column] += weight * gap[c];
            tangent[c * n + column] += weight * along[c];
        }
    }
}

/* L_d = h L((a + b)/2, (b - a)/h). */
static inline long double discrete_lagrangian(const discrete_system *system, long double h,
                                              const long double *a, const long double *b) {
    long double middle[DISCRETE_COORDINATES] = {0.0L};
    long double v[DISCRETE_COORDINATES] = {0.0L};
    for (int i = 0; i < system->coordinates; i++) {
        middle[i] = 0.5L * (a[i] + b[i]);
        v[i] = (b[i] - a[i]) / h;
    }
    return h * (discrete_kinetic(system, middle, v) - system->potential(middle, system->context));
}

/* F- + f- (of the first end point) or F+ + f+ of a step from a at time t to b. */
static inline void discrete_map(const discrete_system *system, long double t, long double h,
                                const long double *a, const long double *b, bool is_second,
                                long double *F) {
    const int n = system->coordinates;
    long double end[2][DISCRETE_COORDINATES];
    memcpy(end[0], a, (size_t)n * sizeof *a);
    memcpy(end[1], b, (size_t)n * sizeof *b);
    long double middle[DISCRETE_COORDINATES] = {0.0L};
    long double v[DISCRETE_COORDINATES] = {0.0L};
    for (int i = 0; i < n; i++) {
        middle[i] = 0.5L * (a[i] + b[i]);
        v[i] = (b[i] - a[i]) / h;
    }
    system->force(t + 0.5L * h, middle, v, F, system->context);
    long double *moved = end[is_second ? 1 : 0];
    // velocities of order ten at most, or the kinetic energy of the differences drowns the rest
    const long double spacing = fminl(DISCRETE_SPACING, 10.0L * fabsl(h));
    for (int i = 0; i < n; i++) {
        const long double here = moved[i];
        F[i] *= 0.5L * h;
        for (int k = 0; k < discrete_pairs(system); k++) {
            moved[i] = here + (long double)(k + 1) * spacing;
            const long double ahead = discrete_lagrangian(system, h, end[0], end[1]);
            moved[i] = here - (long double)(k + 1) * spacing;
            const long double behind = discrete_lagrangian(system, h, end[0], end[1]);
            F[i] += discrete_weight(system, k) * (ahead - behind) / spacing;
        }
        moved[i] = here;
    }
}

/** One step with given modes: the unknowns are q_{k+1}, lambda of closed and f of sticking
 * contacts. */
typedef struct discrete_problem {
    const discrete_system *system;
    const discrete_state *begin;
    long double h;
    const discrete_mode *mode;                                    /**< [m]; NULL: all open */
    long double normal[DISCRETE_CONTACTS * DISCRETE_COORDINATES]; /**< at q_k */
    int unknowns;
} discrete_problem;

static inline discrete_mode discrete_mode_of(const discrete_problem *problem, int contact) {
    return problem->mode == NULL ? DISCRETE_OPEN : problem->mode[contact];
}

/* lambda and f of the contacts among the unknowns. */
static inline void discrete_impulses(const discrete_problem *problem, const long double *x,
                                     long double *lambda, long double *friction) {
    int next = problem->system->coordinates;
    for (int c = 0; c < problem->system->contacts; c++) {
        const discrete_mode mode = discrete_mode_of(problem, c);
        const long double mu = (long double)problem->system->friction[c];
        lambda[c] = mode == DISCRETE_OPEN ? 0.0L : x[next++];
        friction[c] = mode == DISCRETE_OPEN      ? 0.0L
                      : mode == DISCRETE_STICK   ? x[next++]
                      : mode == DISCRETE_FORWARD ? -mu * lambda[c]
                                                 : mu * lambda[c];
    }
}

/* Tangents at the midpoint and the velocities along them. */
static inline void discrete_slides(const discrete_problem *problem, const long double *x,
                                   long double *tangent, long double *sliding) {
    const int n = problem->system->coordinates;
    long double middle[DISCRETE_COORDINATES] = {0.0L};
    long double v[DISCRETE_COORDINATES] = {0.0L};
    for (int i = 0; i < n; i++) {
        middle[i] = 0.5L * (problem->begin->q[i] + x[i]);
        v[i] = (x[i] - problem->begin->q[i]) / problem->h;
    }
    long double normal[DISCRETE_CONTACTS * DISCRETE_COORDINATES] = {0.0L};
    discrete_normals(problem->system, middle, normal, tangent);
    for (int c = 0; c < problem->system->contacts; c++) {
        sliding[c] = discrete_dot(n, &tangent[c * n], v);
    }
}

/* p + F- + f- + lambda D phi(q_k) + f H(q_m), gaps over h, and sliding of sticking contacts. */
static inline void discrete_residual(const discrete_problem *problem, const long double *x,
                                     long double *residual) {
    const discrete_system *system = problem->system;
    const int n = system->coordinates;
    discrete_map(system, problem->begin->time, problem->h, problem->begin->q, x, false, residual);
    for (int i = 0; i < n; i++) {
        residual[i] += problem->begin->p[i];
    }
    if (problem->unknowns == n) {
        return;
    }
    long double lambda[DISCRETE_CONTACTS] = {0.0L};
    long double friction[DISCRETE_CONTACTS] = {0.0L};
    long double tangent[DISCRETE_CONTACTS * DISCRETE_COORDINATES] = {0.0L};
    long double sliding[DISCRETE_CONTACTS] = {0.0L};
    long double gap[DISCRETE_CONTACTS] = {0.0L};
    long double along[DISCRETE_CONTACTS] = {0.0L};
    discrete_impulses(problem, x, lambda, friction);
    discrete_slides(problem, x, tangent, sliding);
    system->contact(x, gap, along, system->context);
    int next = n;
    for (int c = 0; c < system->contacts; c++) {
        const discrete_mode mode = discrete_mode_of(problem, c);
        for (int i = 0; i < n; i++) {
            residual[i] +=
                lambda[c] * problem->normal[c * n + i] + friction[c] * tangent[c * n + i];
        }
        if (mode != DISCRETE_OPEN) {
            residual[next++] = gap[c] / problem->h;
        }
        if (mode == DISCRETE_STICK) {
            residual[next++] = sliding[c];
        }
    }
}

/** The last Jacobian, for steps nearby. */
typedef struct discrete_matrix {
    bool is_set;
    long double h;
    long double entry[DISCRETE_UNKNOWNS * DISCRETE_UNKNOWNS];
} discrete_matrix;

static inline void discrete_differentiate(const discrete_problem *problem, const long double *x,
                                          discrete_matrix *matrix) {
    const int k = problem->unknowns;
    discrete_system system = *problem->system;
    discrete_problem coarse = *problem;
    long double residual[DISCRETE_UNKNOWNS] = {0.0L};
    system.is_coarse = true;
    coarse.system = &system;
    discrete_residual(&coarse, x, residual);
    for (int j = 0; j < k; j++) {
        long double moved[DISCRETE_UNKNOWNS] = {0.0L};
        long double other[DISCRETE_UNKNOWNS] = {0.0L};
        memcpy(moved, x, sizeof moved);
        moved[j] += 1e-6L;
        discrete_residual(&coarse, moved, other);
        for (int i = 0; i < k; i++) {
            matrix->entry[i * k + j] = (other[i] - residual[i]) / 1e-6L;
        }
    }
    matrix->is_set = true;
    matrix->h = problem->h;
}

/* Newton's method with one Jacobian: forward differences, by which each iteration gains some five
 * digits, or one of a step nearby, those of flights going with 1/h; until rounding ends it. */
static inline bool discrete_newton(const discrete_problem *problem, long double *x,
                                   discrete_matrix *matrix) {
    const int k = problem->unknowns;
    long double residual[DISCRETE_UNKNOWNS] = {0.0L};
    discrete_residual(problem, x, residual);
    bool is_fresh = !matrix->is_set;
    if (is_fresh) {
        discrete_differentiate(problem, x, matrix);
    }
    long double distance = 0.0L;
    for (int i = 0; i < problem->system->coordinates; i++) {
        distance = fmaxl(distance, fabsl(x[i] - problem->begin->q[i]));
    }
    long double first = 0.0L;
    long double last = HUGE_VALL;
    for (int iteration = 0; iteration < 40; iteration++) {
        long double A[DISCRETE_UNKNOWNS * DISCRETE_UNKNOWNS] = {0.0L};
        for (int i = 0; i < k * k; i++) {
            A[i] = matrix->entry[i] * matrix->h / problem->h;
        }
        if (!discrete_eliminate(k, 1, A, residual)) {
            return false;
        }
        const long double length = discrete_largest(k, residual);
        first = iteration == 0 ? length : first;
        if (!(length < 0.3L * last) && iteration > 1) {
            if (is_fresh || length < 1e-12L * first) {
                break;
            }
            // too far from where the matrix is from
            discrete_residual(problem, x, residual);
            discrete_differentiate(problem, x, matrix);
            is_fresh = true;
            last = HUGE_VALL;
            continue;
        }
        // convergence is linear: what is left is smaller once more by the same factor
        const bool is_done = isfinite(last) && length / last * length < 1e-18L * distance;
        last = length;
        for (int i = 0; i < k; i++) {
            x[i] -= residual[i];
        }
        if (is_done) {
            return true;
        }
        discrete_residual(problem, x, residual);
    }
    return last <= 1e-9L * first ||
           last < 1e-13L * distance + 1e-17L * (1.0L + discrete_largest(k, x));
}

/* P p: the part of p tangent to the closed contacts at q, -multipliers of what is taken away. */
static inline bool discrete_project(const discrete_system *system, const long double *q,
                                    const bool *closed, long double *p, long double *kappa) {
    const int n = system->coordinates;
    long double inverse[DISCRETE_COORDINATES * DISCRETE_COORDINATES] = {0.0L};
    long double normal[DISCRETE_CONTACTS * DISCRETE_COORDINATES] = {0.0L};
    long double tangent[DISCRETE_CONTACTS * DISCRETE_COORDINATES] = {0.0L};
    discrete_normals(system, q, normal, tangent);
    int set[DISCRETE_CONTACTS] = {0};
    int k = 0;
    for (int c = 0; c < system->contacts; c++) {
        kappa[c] = 0.0L;
        set[k] = c;
        // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Branch): an entry a contact
        k += closed[c] ? 1 : 0;
    }
    if (!discrete_inverse_mass(system, q, inverse)) {
        return false;
    }
    long double gram[DISCRETE_CONTACTS * DISCRETE_CONTACTS] = {0.0L};
    long double speed[DISCRETE_CONTACTS] = {0.0L};
    for (int a = 0; a < k; a++) {
        long double y[DISCRETE_COORDINATES] = {0.0L};
        for (int i = 0; i < n; i++) {
            y[i] = discrete_dot(n, &inverse[i * n], &normal[set[a] * n]);
        }
        speed[a] = -discrete_dot(n, p, y);
        for (int b = 0; b < k; b++) {
            gram[b * k + a] = discrete_dot(n, &normal[set[b] * n], y);
        }
    }
    if (!discrete_eliminate(k, 1, gram, speed)) {
        return false;
    }
    for (int a = 0; a < k; a++) {
        kappa[set[a]] = speed[a];
        for (int i = 0; i < n; i++) {
            p[i] += speed[a] * normal[set[a] * n + i];
        }
    }
    return true;
}

/* What friction does in the second half of a step. */
typedef enum discrete_last {
    DISCRETE_LAST_STICK,
    DISCRETE_LAST_FORWARD,
    DISCRETE_LAST_BACKWARD,
    DISCRETE_LAST_NONE, /**< kappa is negative, or there is no friction */
    DISCRETE_LAST_COUNT
} discrete_last;

/** The second half of a step: kappa of closed contacts along their normals at the end, g along the
 * tangents of the midpoint, such that rows at the end obey their laws. */
typedef struct discrete_ending {
    const discrete_system *system;
    const discrete_mode *mode;
    long double pressing; /**< sign of impulses that press: -1 where time runs backwards */
    /** What kappa, 0 .. m-1, and g, m .. 2m-1, push along. */
    long double push[2 * DISCRETE_CONTACTS * DISCRETE_COORDINATES];
    /** Speeds of all rows, normals and tangents at the end, by kappa and g; and without them. */
    long double response[4 * DISCRETE_CONTACTS * DISCRETE_CONTACTS];
    long double speed[2 * DISCRETE_CONTACTS];
} discrete_ending;

/* Normals and tangents at the end; pushes along those normals and the tangents `middle`. */
static inline bool discrete_ending_init(const discrete_system *system, const discrete_mode *mode,
                                        long double h, const long double *middle,
                                        const discrete_state *end, discrete_ending *ending) {
    const int n = system->coordinates;
    const int m = system->contacts;
    const int k = 2 * m;
    long double row[2 * DISCRETE_CONTACTS * DISCRETE_COORDINATES] = {0.0L};
    long double inverse[DISCRETE_COORDINATES * DISCRETE_COORDINATES] = {0.0L};
    ending->system = system;
    ending->mode = mode;
    ending->pressing = h > 0.0L ? 1.0L : -1.0L;
    discrete_normals(system, end->q, row, &row[m * n]);
    memcpy(ending->push, row, (size_t)(m * n) * sizeof *row);
    memcpy(&ending->push[m * n], middle, (size_t)(m * n) * sizeof *row);
    if (!discrete_inverse_mass(system, end->q, inverse)) {
        return false;
    }
    for (int b = 0; b < k; b++) {
        long double y[DISCRETE_COORDINATES] = {0.0L};
        for (int i = 0; i < n; i++) {
            y[i] = discrete_dot(n, &inverse[i * n], &row[b * n]);
        }
        ending->speed[b] = discrete_dot(n, end->p, y);
        for (int a = 0; a < k; a++) {
            ending->response[b * k + a] = discrete_dot(n, &ending->push[a * n], y);
        }
    }
    return true;
}

/* Whether a row that is in this mode at the midpoint may end so. */
static inline bool discrete_may_end(const discrete_ending *ending, int contact,
                                    discrete_last last) {
    const discrete_mode mode = ending->mode[contact];
    const bool has_friction = ending->system->friction[contact] > 0.0;
    return mode == DISCRETE_OPEN || !has_friction ? last == DISCRETE_LAST_NONE
           : mode == DISCRETE_STICK               ? true
           : mode == DISCRETE_FORWARD
               ? last == DISCRETE_LAST_FORWARD || last == DISCRETE_LAST_NONE
               : last == DISCRETE_LAST_BACKWARD || last == DISCRETE_LAST_NONE;
}

/* The law of one row at the end, where x are kappa and g, up to a slack. */
static inline bool discrete_ends_lawfully(const discrete_ending *ending, int contact,
                                          discrete_last last, const long double *x) {
    const long double slack = 1e-14L;
    const int m = ending->system->contacts;
    const int k = 2 * m;
    const int row = m + contact;
    const long double kappa = ending->pressing * x[contact];
    const long double bound = (long double)ending->system->friction[contact] * fmaxl(kappa, 0.0L);
    const long double sliding = ending->speed[row] + discrete_dot(k, &ending->response[row * k], x);
    const bool is_free = ending->mode[contact] != DISCRETE_STICK;
    if (ending->mode[contact] == DISCRETE_OPEN || !(ending->system->friction[contact] > 0.0)) {
        return true;
    }
    switch (last) {
    case DISCRETE_LAST_STICK:
        return fabsl(x[row]) <= bound + slack;
    case DISCRETE_LAST_FORWARD:
        return kappa >= 0.0L && (is_free || sliding >= -slack);
    case DISCRETE_LAST_BACKWARD:
        return kappa >= 0.0L && (is_free || sliding <= slack);
    default:
        return kappa < 0.0L;
    }
}

/* kappa and g [2 m] in one combination. false: singular or unlawful */
static inline bool discrete_end_as(const discrete_ending *ending, const discrete_last *last,
                                   long double *x) {
    const int m = ending->system->contacts;
    const int k = 2 * m;
    long double A[4 * DISCRETE_CONTACTS * DISCRETE_CONTACTS] = {0.0L};
    for (int c = 0; c < m; c++) {
        const long double mu = (long double)ending->system->friction[c];
        const bool is_closed = ending->mode[c] != DISCRETE_OPEN;
        const bool is_stick = is_closed && last[c] == DISCRETE_LAST_STICK;
        for (int j = 0; j < k; j++) {
            A[c * k + j] = is_closed ? ending->response[c * k + j] : j == c ? 1.0L : 0.0L;
            A[(m + c) * k + j] = is_stick     ? ending->response[(m + c) * k + j]
                                 : j == m + c ? 1.0L
                                              : 0.0L;
        }
        if (is_closed && last[c] == DISCRETE_LAST_FORWARD) {
            A[(m + c) * k + c] = mu;
        } else if (is_closed && last[c] == DISCRETE_LAST_BACKWARD) {
            A[(m + c) * k + c] = -mu;
        }
        x[c] = is_closed ? -ending->speed[c] : 0.0L;
        x[m + c] = is_stick ? -ending->speed[m + c] : 0.0L;
    }
    if (!discrete_eliminate(k, 1, A, x)) {
        return false;
    }
    for (int c = 0; c < m; c++) {
        if (!discrete_ends_lawfully(ending, c, last[c], x)) {
            return false;
        }
    }
    return true;
}

/* Kinetic energy that sticking rows would have left at the end with f in the place of g. */
static inline long double discrete_end_loss(const discrete_ending *ending,
                                            const discrete_step *step) {
    const discrete_system *system = ending->system;
    const int n = system->coordinates;
    long double kappa[DISCRETE_CONTACTS] = {0.0L};
    bool closed[DISCRETE_CONTACTS] = {false};
    discrete_state other = step->end;
    for (int c = 0; c < system->contacts; c++) {
        const long double *tangent = &ending->push[(system->contacts + c) * n];
        closed[c] = ending->mode[c] != DISCRETE_OPEN;
        for (int i = 0; ending->mode[c] == DISCRETE_STICK && i < n; i++) {
            other.p[i] += (step->friction[c] - step->last[c]) * tangent[i];
        }
    }
    discrete_project(system, other.q, closed, other.p, kappa);
    return discrete_energy(system, &other) - discrete_energy(system, &step->end);
}

/* Take kappa and g for the end of the step. */
static inline void discrete_take_end(const discrete_ending *ending, const discrete_last *last,
                                     const long double *x, discrete_step *step) {
    const int n = ending->system->coordinates;
    const int m = ending->system->contacts;
    for (int a = 0; a < 2 * m; a++) {
        for (int i = 0; i < n; i++) {
            step->end.p[i] += x[a] * ending->push[a * n + i];
        }
    }
    for (int c = 0; c < m; c++) {
        const bool is_sliding =
            ending->mode[c] != DISCRETE_OPEN && ending->mode[c] != DISCRETE_STICK;
        step->kappa[c] = x[c];
        step->last[c] = x[m + c];
        step->bounded += ending->mode[c] == DISCRETE_STICK && last[c] != DISCRETE_LAST_STICK;
        step->unpressed +=
            is_sliding && ending->system->friction[c] > 0.0 && last[c] == DISCRETE_LAST_NONE;
    }
    step->end_loss = discrete_end_loss(ending, step);
}

/* The momentum at the end of a step: the first lawful combination. @return how many there are */
static inline int discrete_end(const discrete_system *system, const discrete_mode *mode,
                               long double h, const long double *middle, discrete_step *step) {
    discrete_ending ending;
    if (!discrete_ending_init(system, mode, h, middle, &step->end, &ending)) {
        return 0;
    }
    int found = 0;
    int most = 1;
    for (int c = 0; c < system->contacts; c++) {
        most *= DISCRETE_LAST_COUNT;
    }
    for (int code = 0; code < most; code++) {
        discrete_last last[DISCRETE_CONTACTS] = {DISCRETE_LAST_STICK};
        bool is_fit = true;
        for (int c = 0, rest = code; c < system->contacts; c++) {
            last[c] = (discrete_last)(rest % DISCRETE_LAST_COUNT);
            is_fit = is_fit && discrete_may_end(&ending, c, last[c]);
            rest /= DISCRETE_LAST_COUNT;
        }
        long double x[2 * DISCRETE_CONTACTS] = {0.0L};
        if (!is_fit || !discrete_end_as(&ending, last, x)) {
            continue;
        }
        if (found == 0) {
            discrete_take_end(&ending, last, x, step);
        }
        found++;
    }
    return found;
}

/** One step of length h with given modes, NULL: a flight. The matrix is that of a flight nearby, or
 * of its own if not set or NULL. false: no solution found. */
static inline bool discrete_solve_near(const discrete_system *system, const discrete_state *begin,
                                       long double h, const discrete_mode *mode,
                                       discrete_matrix *matrix, discrete_step *step) {
    const int n = system->coordinates;
    discrete_problem problem = {
        .system = system, .begin = begin, .h = h, .mode = mode, .unknowns = n};
    long double tangent[DISCRETE_CONTACTS * DISCRETE_COORDINATES] = {0.0L};
    discrete_normals(system, begin->q, problem.normal, tangent);
    for (int c = 0; c < system->contacts; c++) {
        const discrete_mode its = discrete_mode_of(&problem, c);
        problem.unknowns += its == DISCRETE_OPEN ? 0 : its == DISCRETE_STICK ? 2 : 1;
    }
    long double x[DISCRETE_UNKNOWNS] = {0.0L};
    if (!discrete_velocity(system, begin->q, begin->p, x)) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        x[i] = begin->q[i] + h * x[i];
    }
    discrete_matrix own = {.is_set = false};
    if (!discrete_newton(&problem, x, matrix == NULL ? &own : matrix)) {
        return false;
    }
    // the second half of the step
    long double along[DISCRETE_CONTACTS] = {0.0L};
    memset(step, 0, sizeof *step);
    step->end.time = begin->time + h;
    memcpy(step->end.q, x, (size_t)n * sizeof *x);
    discrete_map(system, begin->time, h, begin->q, x, true, step->end.p);
    if (system->contacts == 0) {
        return true;
    }
    discrete_impulses(&problem, x, step->lambda, step->friction);
    discrete_slides(&problem, x, tangent, step->sliding);
    system->contact(x, step->gap, along, system->context);
    if (mode == NULL) {
        return true;
    }
    step->endings = discrete_end(system, mode, h, tangent, step);
    return step->endings > 0;
}

static inline bool discrete_solve(const discrete_system *system, const discrete_state *begin,
                                  long double h, const discrete_mode *mode, discrete_step *step) {
    return discrete_solve_near(system, begin, h, mode, NULL, step);
}

/* The laws of closed contacts, up to a slack. */
static inline bool discrete_is_consistent(const discrete_system *system, const bool *held,
                                          const discrete_mode *mode, const discrete_step *step) {
    const long double slack = 1e-13L;
    for (int c = 0; c < system->contacts && c < DISCRETE_CONTACTS; c++) {
        const long double bound = (long double)system->friction[c] * step->lambda[c] + slack;
        const bool is_lawful = !held[c]                   ? true
                               : mode[c] == DISCRETE_OPEN ? step->gap[c] >= -slack
                               : mode[c] == DISCRETE_STICK
                                   ? step->lambda[c] >= -slack && fabsl(step->friction[c]) <= bound
                               : !(system->friction[c] > 0.0) ? step->lambda[c] >= -slack
                               : mode[c] == DISCRETE_FORWARD
                                   ? step->lambda[c] >= -slack && step->sliding[c] >= -slack
                                   : step->lambda[c] >= -slack && step->sliding[c] <= slack;
        if (!is_lawful) {
            return false;
        }
    }
    return true;
}

/** Try all modes of the held contacts, and all of their endings. @return how many are consistent;
 * the first in step and mode */
static inline int discrete_try_all(const discrete_system *system, const discrete_state *begin,
                                   long double h, const bool *held, discrete_step *step,
                                   discrete_mode *mode) {
    int found = 0;
    int most = 1;
    for (int c = 0; c < system->contacts && c < DISCRETE_CONTACTS; c++) {
        most *= held[c] ? 4 : 1;
    }
    for (int code = 0; code < most; code++) {
        discrete_mode trial[DISCRETE_CONTACTS] = {DISCRETE_OPEN};
        bool is_needed = true;
        for (int c = 0, rest = code; c < system->contacts && c < DISCRETE_CONTACTS; c++) {
            trial[c] = held[c] ? (discrete_mode)(rest % 4) : DISCRETE_OPEN;
            rest /= held[c] ? 4 : 1;
            // without friction forward sliding stands for all
            is_needed = is_needed && (system->friction[c] > 0.0 || trial[c] == DISCRETE_OPEN ||
                                      trial[c] == DISCRETE_FORWARD);
        }
        discrete_step other;
        if (!is_needed || !discrete_solve(system, begin, h, trial, &other) ||
            !discrete_is_consistent(system, held, trial, &other)) {
            continue;
        }
        if (found == 0) {
            *step = other;
            memcpy(mode, trial, sizeof trial);
        }
        found += other.endings;
    }
    return found;
}

/** The next step of a run with held contacts: the modes of the step before and its matrix, if they
 * are still consistent, or all modes are tried. @return as discrete_try_all */
static inline int discrete_follow(const discrete_system *system, const discrete_state *begin,
                                  long double h, const bool *held, discrete_matrix *matrix,
                                  discrete_step *step, discrete_mode *mode) {
    if (matrix->is_set && discrete_solve_near(system, begin, h, mode, matrix, step) &&
        discrete_is_consistent(system, held, mode, step)) {
        return step->endings;
    }
    const int found = discrete_try_all(system, begin, h, held, step, mode);
    discrete_step again;
    matrix->is_set = false;
    if (found > 0 && !discrete_solve_near(system, begin, h, mode, matrix, &again)) {
        return 0;
    }
    return found;
}

/** The first instant in (0, h] at which an open contact closes, by bisection on the length of the
 * step, and by chords within the last tenth. A contact that begins on the surface leaves it.
 * @return the contact, -1: none, -2: failed */
static inline int discrete_first_impact(const discrete_system *system, const discrete_state *begin,
                                        long double h, discrete_step *step) {
    discrete_matrix near = {.is_set = false};
    if (!discrete_solve_near(system, begin, h, NULL, &near, step)) {
        return -2;
    }
    int contact = -1;
    long double high = h;
    for (int c = 0; c < system->contacts; c++) {
        // another contact has closed before this one
        if (step->gap[c] >= -1e-15L) {
            continue;
        }
        contact = c;
        long double low = 0.0L;
        long double low_gap = -1.0L;
        long double high_gap = step->gap[c];
        for (int trial = 0; trial < 80 && high - low > 1e-18L * h; trial++) {
            const bool is_chord = low_gap >= 0.0L && high - low < 0.1L * h;
            const long double part = is_chord ? low_gap / (low_gap - high_gap) : 0.5L;
            const long double length = low + part * (high - low);
            if (!discrete_solve_near(system, begin, length, NULL, &near, step)) {
                return -2;
            }
            if (step->gap[c] >= 0.0L) {
                low = length;
                low_gap = step->gap[c];
            } else {
                high = length;
                high_gap = step->gap[c];
            }
            if (is_chord && fabsl(step->gap[c]) < 1e-16L) {
                break;
            }
        }
        high = step->end.time - begin->time;
    }
    return contact;
}

/** p Gamma(u), the matrix written out: Gamma = I - 2 M^-1 u' u/(u M^-1 u'). */
static inline void discrete_reflect(int n, const long double *inverse, const long double *u,
                                    long double *p) {
    long double y[DISCRETE_COORDINATES] = {0.0L};
    long double reflected[DISCRETE_COORDINATES] = {0.0L};
    for (int i = 0; i < n; i++) {
        y[i] = discrete_dot(n, &inverse[i * n], u);
    }
    const long double square = discrete_dot(n, u, y);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const long double gamma = (i == j ? 1.0L : 0.0L) - 2.0L * y[i] * u[j] / square;
            reflected[j] += p[i] * gamma;
        }
    }
    memcpy(p, reflected, (size_t)n * sizeof *p);
}

/** Reflect until all closed contacts open, then the convex combination of restitution R. `order`:
 * the most (-1) or the least (+1) approaching one first. @return reflections, -1: no end */
static inline int discrete_impact(const discrete_system *system, const bool *closed, int order,
                                  long double R, discrete_state *state, int *sequence) {
    const int n = system->coordinates;
    long double inverse[DISCRETE_COORDINATES * DISCRETE_COORDINATES] = {0.0L};
    long double normal[DISCRETE_CONTACTS * DISCRETE_COORDINATES] = {0.0L};
    long double tangent[DISCRETE_CONTACTS * DISCRETE_COORDINATES] = {0.0L};
    discrete_normals(system, state->q, normal, tangent);
    discrete_inverse_mass(system, state->q, inverse);
    long double plastic[DISCRETE_COORDINATES] = {0.0L};
    long double kappa[DISCRETE_CONTACTS] = {0.0L};
    memcpy(plastic, state->p, sizeof plastic);
    if (!discrete_project(system, state->q, closed, plastic, kappa)) {
        return -1;
    }
    int count = 0;
    for (; count < DISCRETE_REFLECTIONS; count++) {
        long double v[DISCRETE_COORDINATES] = {0.0L};
        discrete_velocity(system, state->q, state->p, v);
        const long double norm = sqrtl(discrete_dot(n, state->p, v));
        int chosen = -1;
        long double best = 0.0L;
        for (int c = 0; c < system->contacts; c++) {
            const long double *u = &normal[c * n];
            long double y[DISCRETE_COORDINATES] = {0.0L};
            for (int i = 0; i < n; i++) {
                y[i] = discrete_dot(n, &inverse[i * n], u);
            }
            const long double speed = discrete_dot(n, u, v) / sqrtl(discrete_dot(n, u, y));
            if (closed[c] && speed < -1e-12L * norm &&
                (chosen < 0 || (long double)order * (speed - best) > 0.0L)) {
                chosen = c;
                best = speed;
            }
        }
        if (chosen < 0) {
            break;
        }
        sequence[count] = chosen;
        discrete_reflect(n, inverse, &normal[chosen * n], state->p);
    }
    for (int i = 0; i < n; i++) {
        state->p[i] = R * state->p[i] + (1.0L - R) * plastic[i];
    }
    return count < DISCRETE_REFLECTIONS ? count : -1;
}

#endif
