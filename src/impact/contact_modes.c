/* Looking at the signs of all conditions in every combination of modes; the maps they come from are
 * in contact_mode_maps.c. */
#include <carom/base/vector.h>
#include <carom/impact/contact_modes.h>
#include <carom/lcp/lcp.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Conditions hold up to this part of the largest speed, in the kinetic metric. */
static const double TOLERANCE = 1e-11;

/** Violation of the conditions by a solution, relative likewise, after all rounding. */
static const double ACCEPTED = 1e-9;

/** Velocities closer than this part of the largest speed are one. */
static const double MERGING = 1e-7;

/** Solutions that fit at first; memory grows when there are more. */
enum { FIRST_CAPACITY = 16 };

static carom_status reserve_solutions(carom_contact_mode_solutions *s, int capacity) {
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
    const size_t tests = CAROM_CONTACT_MODE_TESTS * (size_t)m;
    return inputs + tests + 2 * (size_t)m + tests * tests + 2 * tests;
}

carom_status carom_contact_mode_solutions_alloc(const carom_contact_modes *modes,
                                                carom_contact_mode_solutions **out) {
    CAROM_ASSERT(modes != NULL && out != NULL);
    *out = NULL;
    CAROM_AUTO(carom_contact_mode_solutions) s = calloc(1, sizeof *s);
    if (s == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const int m = modes->contact_count;
    s->row_count = modes->row_count;
    s->work = malloc(work_count(m) * sizeof(double));
    if (s->work == NULL || reserve_solutions(s, FIRST_CAPACITY) != CAROM_OK ||
        carom_lcp_workspace_alloc(CAROM_CONTACT_MODE_TESTS * m, &s->lemke) != CAROM_OK) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(s, out);
    return CAROM_OK;
}

void carom_contact_mode_solutions_free(carom_contact_mode_solutions *solutions) {
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

/** By how much a pair violates 0 <= a _|_ b >= 0: a or b may be negative, or both positive. */
static double pair_violation(double a, double b) {
    return fabs(carom_vector_smaller(a, b));
}

double carom_planar_contact_violation(int m, const double *mu, const double *c, const double *caps,
                                      const double *L) {
    CAROM_ASSERT(mu != NULL && c != NULL && L != NULL);
    double worst = 0.0;
    for (int i = 0; i < m; i++) {
        const double L_n = L[i];
        const double L_t = L[m + i];
        const double c_n = c[i];
        const double c_t = c[m + i];
        const double below_cap = caps == NULL ? HUGE_VAL : caps[i] - L_n;
        // 0 <= L_n _|_ c_n + beta >= 0, 0 <= beta _|_ cap - L_n >= 0 with beta = max(-c_n, 0)
        worst = carom_vector_larger(worst, pair_violation(L_n, carom_vector_larger(c_n, 0.0)));
        worst =
            carom_vector_larger(worst, pair_violation(below_cap, carom_vector_larger(-c_n, 0.0)));
        // The cone, and maximal dissipation.
        worst = carom_vector_larger(
            worst, pair_violation(mu[i] * L_n + L_t, carom_vector_larger(c_t, 0.0)));
        worst = carom_vector_larger(
            worst, pair_violation(mu[i] * L_n - L_t, carom_vector_larger(-c_t, 0.0)));
    }
    return worst;
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
            gram[a * tests + b] = carom_vector_dot(open, slopes + a * open, slopes + b * open);
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
static bool close_open_directions(const carom_contact_modes *modes,
                                  const carom_contact_mode_combination *c, const double *values,
                                  double slack, double *L, carom_contact_mode_solutions *s) {
    const int r = modes->row_count;
    const int inputs = r + modes->contact_count;
    const int tests = c->test_count;
    const int open = c->null_count;
    const double *slopes = modes->arena + c->first + (tests + r + c->equation_count) * inputs;
    const double *null_impulse = slopes + tests * open;
    double *z = s->work + inputs + CAROM_CONTACT_MODE_TESTS * modes->contact_count;
    if (!close_directions(tests, open, values, slopes, slack, z, z + r, s->lemke)) {
        return false;
    }
    for (int a = 0; a < r; a++) {
        L[a] += carom_vector_dot(open, null_impulse + a * open, z);
    }
    return true;
}

/** Whether a combination has a solution at y; its impulse. */
static bool try_combination(const carom_contact_modes *modes,
                            const carom_contact_mode_combination *c, double size, double *L,
                            carom_contact_mode_solutions *s) {
    const int r = modes->row_count;
    const int inputs = r + modes->contact_count;
    const double *y = s->work;
    const double *tests = modes->arena + c->first;
    const double slack = TOLERANCE * size;
    double *values = s->work + inputs;
    bool holds = true;
    // Where no direction is open, the sieve has made the first tests.
    for (int a = c->null_count > 0 ? 0 : CAROM_CONTACT_MODE_SIEVE;
         a < c->test_count && (holds || c->null_count > 0); a++) {
        values[a] = carom_vector_dot(inputs, tests + a * inputs, y);
        holds = holds && values[a] >= -slack;
    }
    if (!holds && c->null_count == 0) {
        return false;
    }
    const double *impulse = tests + c->test_count * inputs;
    if (c->null_count > 0) {
        const double *equations = impulse + r * inputs;
        for (int e = 0; e < c->equation_count; e++) {
            if (fabs(carom_vector_dot(inputs, equations + e * inputs, y)) > slack) {
                return false;
            }
        }
    }
    for (int a = 0; a < r; a++) {
        L[a] = carom_vector_dot(inputs, impulse + a * inputs, y);
    }
    return holds || close_open_directions(modes, c, values, slack, L, s);
}

/**
 * Put the solution at place `count` into the list, or into one with the same velocity; or leave it
 * out, if an impulse that was left open does not satisfy the conditions after all.
 */
static void merge(const carom_contact_modes *modes, double size, carom_contact_mode_solutions *s) {
    const int r = modes->row_count;
    const double *c = s->work;
    const double *caps = carom_contact_modes_are_capped(modes) ? c + r : NULL;
    const double *L = s->impulse + s->count * r;
    double *c_post = s->velocity + s->count * r;
    for (int a = 0; a < r; a++) {
        c_post[a] = c[a] + carom_vector_dot(r, modes->delassus_matrix + a * r, L);
    }
    const double violation =
        carom_planar_contact_violation(modes->contact_count, modes->friction, c_post, caps, L);
    if (violation > ACCEPTED * size) {
        return;
    }
    for (int k = 0; k < s->count; k++) {
        double distance = 0.0;
        for (int a = 0; a < r; a++) {
            distance = carom_vector_larger(distance, fabs(s->velocity[k * r + a] - c_post[a]));
        }
        if (distance <= MERGING * size) {
            s->multiplicity[k]++;
            return;
        }
    }
    s->residual[s->count] = violation;
    s->multiplicity[s->count] = 1;
    s->count++;
}

/** The solution of a combination, if it has one, into the list. */
static carom_status add_combination(const carom_contact_modes *modes,
                                    const carom_contact_mode_combination *c, double size,
                                    carom_contact_mode_solutions *s) {
    if (s->count == s->capacity) {
        CAROM_TRY(reserve_solutions(s, 2 * s->capacity));
    }
    if (try_combination(modes, c, size, s->impulse + s->count * modes->row_count, s)) {
        merge(modes, size, s);
    }
    return CAROM_OK;
}

/** Out of the kinetic metric: m/s, N s, and violations beside the largest speed. */
static void unscale(const carom_contact_modes *modes, double size,
                    carom_contact_mode_solutions *s) {
    const int r = modes->row_count;
    for (int k = 0; k < s->count; k++) {
        for (int a = 0; a < r; a++) {
            s->velocity[k * r + a] *= modes->scale[a];
            s->impulse[k * r + a] /= modes->scale[a];
        }
        s->residual[k] = size > 0.0 ? s->residual[k] / size : 0.0;
    }
}

carom_status carom_contact_modes_solve(const carom_contact_modes *modes, const double *c,
                                       const double *caps,
                                       carom_contact_mode_solutions *solutions) {
    CAROM_ASSERT(modes != NULL && c != NULL && solutions != NULL);
    CAROM_ASSERT((caps != NULL) == carom_contact_modes_are_capped(modes));
    const int m = modes->contact_count;
    const int r = modes->row_count;
    double size = 0.0;
    for (int a = 0; a < r; a++) {
        solutions->work[a] = c[a] / modes->scale[a];
        size = carom_vector_larger(size, fabs(solutions->work[a]));
    }
    for (int i = 0; i < m; i++) {
        solutions->work[r + i] = caps == NULL ? 0.0 : caps[i] * modes->scale[i];
    }
    solutions->count = 0;
    for (int first = 0; first < modes->combination_count; first += CAROM_CONTACT_MODE_GROUP) {
        unsigned left = carom_contact_modes_sift(modes, first / CAROM_CONTACT_MODE_GROUP,
                                                 solutions->work, -TOLERANCE * size);
        for (int k = first; left != 0 && k < modes->combination_count; k++, left >>= 1) {
            if ((left & 1u) != 0) {
                CAROM_TRY(add_combination(modes, &modes->combinations[k], size, solutions));
            }
        }
    }
    unscale(modes, size, solutions);
    return CAROM_OK;
}
