/** Systems with known collisionless motions, and random ones, for the suites of motions.
 *
 * What the suites of this folder call reference tables A.1 to A.8 are values that an independent
 * program computed from the equations of pankov-2024, beyond the digits that it prints; impact
 * times were confirmed with 40 digits. */
#ifndef CAROM_TESTS_COLLISIONLESS_MOTION_CASES_H
#define CAROM_TESTS_COLLISIONLESS_MOTION_CASES_H

#include <carom/base/random.h>
#include <carom/collisionless/curves/critical_region.h>
#include <carom/collisionless/motion/collisionless_motion.h>
#include <carom/collisionless/roots/impact_roots.h>

#include "../../support.h"

#include <gsl/gsl_math.h>
#include <string.h>

/** Most coordinates of a case. */
enum { MOST = 8 };

/** A system, the parities of its phases, and an approximate root, as tables list them. */
typedef struct motion_case {
    int n;
    double mass[MOST * MOST];
    double stiffness[MOST * MOST];
    carom_parity parity;
    carom_parity constrained_parity;
    double time;
    double constrained_time;
} motion_case;

/* Pankov 2024, (44), (45) with unit parameters; times of reference table A.1. */
static const motion_case BIPED = {3,
                                  {1, -1, -1, -1, 2, 2, -1, 2, 3},
                                  {1, 0, 0, 0, -2, 0, 0, 0, -3},
                                  CAROM_PARITY_EVEN,
                                  CAROM_PARITY_ODD,
                                  3.079477155345,
                                  0.777845030699};

/* Reference table A.8, unit models. Hopper: upper mass, lower mass; juggler: paddle, ball above it.
 */
static const motion_case HOPPER_2 = {
    2,           {1, 0, 0, 1}, {1, -1, -1, 1}, CAROM_PARITY_EVEN, CAROM_PARITY_EVEN, 3.1773202983,
    1.8757120725};
static const motion_case HOPPER_3 = {
    2,           {1, 0, 0, 1}, {1, -1, -1, 1}, CAROM_PARITY_EVEN, CAROM_PARITY_EVEN, 5.4625779603,
    1.7518552707};
static const motion_case JUGGLER = {
    2,           {2, 1, 1, 1}, {1, 0, 0, 0}, CAROM_PARITY_EVEN, CAROM_PARITY_EVEN, 4.4934094579,
    2.6526574521};
static const motion_case REACTION_WHEEL_1 = {
    2,           {1, 0, 0, 2}, {1, -1, -1, 0}, CAROM_PARITY_ODD, CAROM_PARITY_ODD, 2.3199872833,
    0.4921138220};
static const motion_case REACTION_WHEEL_2 = {
    2,           {1, 0, 0, 2}, {1, -1, -1, 0}, CAROM_PARITY_ODD, CAROM_PARITY_ODD, 4.9689149276,
    0.5419219742};
static const motion_case PENDULUM_WHEEL = {
    2,           {1, -1, -1, 2}, {1, 0, 0, -2}, CAROM_PARITY_ODD, CAROM_PARITY_ODD, 1.9887371532,
    0.8629029622};
static const motion_case ROCKER_2 = {
    2,           {1, -1, -1, 2}, {1, 0, 0, -2}, CAROM_PARITY_EVEN, CAROM_PARITY_ODD, 3.3018658083,
    0.8719938807};
static const motion_case ROCKER_3 = {
    2,           {1, -1, -1, 2}, {1, 0, 0, -2}, CAROM_PARITY_EVEN, CAROM_PARITY_ODD, 5.9439458917,
    0.8716118765};

/* Reference: two unit masses in a chain of two unit springs, a floor below the lower one.
 */
static const motion_case HANGING_CHAIN = {
    2,           {1, 0, 0, 1}, {2, -1, -1, 1}, CAROM_PARITY_EVEN, CAROM_PARITY_EVEN, 2.9773315704,
    1.0258420358};

/* Two unit masses joined by a spring between two walls, which one of them touches and leaves. No
 * force acts at rest. omega_2 = sqrt(2), omega'_1 = 1: (18) holds with w_1 = w_2 = w'_1 = 0, so tau
 * = pi/omega_2, tau' = pi/(2 omega'_1). */
static const motion_case BETWEEN_WALLS = {
    2, {1, 0, 0, 1}, {1, -1, -1, 1}, CAROM_PARITY_ODD, CAROM_PARITY_EVEN, M_PI / M_SQRT2, M_PI_2};

/** A motion with what it borrows. */
typedef struct held_motion {
    carom_phase_modes *modes;
    carom_impact_root root;
    carom_collisionless_motion *motion;
} held_motion;

static inline held_motion hold_motion(const motion_case *c, carom_motion_scale kind, double value) {
    held_motion held;
    assert_ok(carom_phase_modes_compute(c->n, c->mass, c->stiffness, c->parity,
                                        c->constrained_parity, &held.modes, NULL));
    assert_ok(carom_impact_roots_polish(held.modes->spectra, c->time, c->constrained_time,
                                        &held.root, NULL));
    // The tables print ten digits.
    assert_close(held.root.time, c->time, 0.0, 1e-9);
    assert_close(held.root.constrained_time, c->constrained_time, 0.0, 1e-9);
    assert_ok(carom_collisionless_motion_compute(
        held.modes, held.root.time, held.root.constrained_time, kind, value, &held.motion, NULL));
    return held;
}

static inline void release_motion(held_motion *held) {
    carom_collisionless_motion_free(held->motion);
    carom_phase_modes_free(held->modes);
}

/** A number in [low, high) of a stream. */
static inline double draw(unsigned long seed, unsigned long sample, unsigned long dimension,
                          double low, double high) {
    return low + (high - low) * carom_counter_uniform(seed, sample, dimension);
}

/**
 * Spectra of any signs, steps between neighbours in [0.15, 1), lowest in [-2, -0.5), parities
 * uniform in each phase or mode by mode.
 */
static inline carom_phase_spectra *draw_spectra(unsigned long seed, unsigned long sample, int N,
                                                bool is_mixed) {
    carom_phase_spectra *spectra;
    assert_ok(carom_phase_spectra_alloc(N, &spectra));
    double value = draw(seed, sample, 0, -2.0, -0.5);
    for (int k = 0; k < 2 * N - 1; k++) {
        *(k % 2 == 0 ? &spectra->unconstrained[k / 2] : &spectra->constrained[k / 2]) = value;
        value += draw(seed, sample, 100 + (unsigned long)k, 0.15, 1.0);
        const unsigned long stream = is_mixed ? 200 + (unsigned long)k : 200 + (unsigned long)k % 2;
        *(k % 2 == 0 ? &spectra->unconstrained_parity[k / 2]
                     : &spectra->constrained_parity[k / 2]) =
            carom_counter_uniform(seed, sample, stream) < 0.5 ? CAROM_PARITY_EVEN
                                                              : CAROM_PARITY_ODD;
    }
    return spectra;
}

/** A root from random guesses; false if none of them led to one in the box. */
static inline bool draw_root(unsigned long seed, unsigned long sample,
                             const carom_phase_spectra *spectra, carom_impact_root *root) {
    for (unsigned long guess = 0; guess < 12; guess++) {
        const double time = draw(seed, sample, 300 + 2 * guess, 0.7, 7.0);
        const double constrained_time = draw(seed, sample, 301 + 2 * guess, 0.7, 6.0);
        const carom_status status =
            carom_impact_roots_polish(spectra, time, constrained_time, root, NULL);
        if (status == CAROM_OK && root->time > 0.3 && root->time < 9.0 &&
            root->constrained_time > 0.3 && root->constrained_time < 9.0 &&
            root->second_singular_value > 1e-3) {
            return true;
        }
    }
    return false;
}

/** y = A x, A [n][n]. */
static inline void multiply(int n, const double *A, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int j = 0; j < n; j++) {
            y[i] += A[i * n + j] * x[j];
        }
    }
}

/** A <- R'A R, all [n][n]. */
static inline void congruence(int n, const double *R, double *A) {
    double AR[MOST * MOST] = {0.0};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            AR[i * n + j] = 0.0;
            for (int k = 0; k < n; k++) {
                AR[i * n + j] += A[i * n + k] * R[k * n + j];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            A[i * n + j] = 0.0;
            for (int k = 0; k < n; k++) {
                A[i * n + j] += R[k * n + i] * AR[k * n + j];
            }
        }
    }
}

/**
 * Matrices with given spectra: m = mu, k = mu Q diag(lambda) Q', where the last row of the
 * reflection Q is sqrt(W), in coordinates that mix all others (C4).
 */
static inline void realise_spectra(unsigned long seed, unsigned long sample,
                                   const carom_phase_spectra *spectra, double mu, double *mass,
                                   double *stiffness) {
    const int N = spectra->mode_count;
    double v[MOST] = {0.0};
    double Q[MOST * MOST] = {0.0};
    carom_cauchy_shares(N, spectra->unconstrained, spectra->constrained, v);
    double square = 0.0;
    for (int i = 0; i < N; i++) {
        v[i] = sqrt(v[i]) - (i == N - 1 ? 1.0 : 0.0);
        square += v[i] * v[i];
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            Q[i * N + j] = (i == j ? 1.0 : 0.0) - 2.0 * v[i] * v[j] / square;
            mass[i * N + j] = i == j ? mu : 0.0;
            stiffness[i * N + j] = i == j ? mu * spectra->unconstrained[i] : 0.0;
        }
    }
    congruence(N, Q, stiffness);
    double R[MOST * MOST] = {0.0};
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            const unsigned long stream = 500 + (unsigned long)(i * N + j);
            R[i * N + j] = i == j ? draw(seed, sample, stream, 1.0, 2.0)
                                  : draw(seed, sample, stream, -0.4, 0.4);
            if (i == N - 1) {
                R[i * N + j] = i == j ? 1.0 : 0.0;
            }
        }
    }
    congruence(N, R, mass);
    congruence(N, R, stiffness);
    // Symmetric to the last bit.
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++) {
            mass[i * N + j] = mass[j * N + i];
            stiffness[i * N + j] = stiffness[j * N + i];
        }
    }
}

/** Modes of realised spectra, with their parities. */
static inline carom_phase_modes *realised_modes(const carom_phase_spectra *spectra,
                                                const double *mass, const double *stiffness) {
    const int N = spectra->mode_count;
    carom_phase_modes *modes;
    assert_ok(carom_phase_modes_compute(N, mass, stiffness, CAROM_PARITY_EVEN, CAROM_PARITY_EVEN,
                                        &modes, NULL));
    ck_assert_int_eq(modes->spectra->mode_count, N);
    memcpy(modes->spectra->unconstrained_parity, spectra->unconstrained_parity,
           (size_t)N * sizeof(carom_parity));
    memcpy(modes->spectra->constrained_parity, spectra->constrained_parity,
           (size_t)(N - 1) * sizeof(carom_parity));
    return modes;
}

/** A state with its memory. */
typedef struct full_state {
    double x[MOST];
    double v[MOST];
    double a[MOST];
    double jerk[MOST];
} full_state;

static inline full_state state_at(const carom_collisionless_motion *motion,
                                  carom_motion_phase phase, double t, carom_motion_origin origin) {
    full_state s = {.x = {0.0}};
    const carom_motion_state out = {s.x, s.v, s.a, s.jerk};
    carom_collisionless_motion_state(motion, phase, t, origin, &out);
    return s;
}

#endif
