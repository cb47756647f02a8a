/** What the checks of a step share: a copy of a state, dense M, f, g, G at a state, coefficients.
 */
#ifndef CAROM_TESTS_TIMESTEPPING_STEP_ALGEBRA_H
#define CAROM_TESTS_TIMESTEPPING_STEP_ALGEBRA_H

#include <carom/timestepping/galpha/galpha.h>

#include "../../support.h"

#include <gsl/gsl_linalg.h>
#include <string.h>

enum { STEP_MAX_COORDINATES = 48, STEP_MAX_CONSTRAINTS = 16 };

/** What the next step starts from. */
typedef struct step_state {
    double time;
    double position[STEP_MAX_COORDINATES];
    double velocity[STEP_MAX_COORDINATES];
    double smooth_acceleration[STEP_MAX_COORDINATES];
    double pseudo_acceleration[STEP_MAX_COORDINATES];
} step_state;

/** The mechanism at one state, dense. */
typedef struct step_mechanics {
    double M[STEP_MAX_COORDINATES * STEP_MAX_COORDINATES];
    double f[STEP_MAX_COORDINATES];
    double g[STEP_MAX_CONSTRAINTS];
    double G[STEP_MAX_CONSTRAINTS * STEP_MAX_COORDINATES];
} step_mechanics;

/** Coefficients (31) from the spectral radius at infinite frequency. */
typedef struct step_coefficients {
    double alpha_m;
    double alpha_f;
    double gamma;
    double beta;
} step_coefficients;

static inline step_coefficients step_coefficients_of(double rho) {
    step_coefficients c;
    c.alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
    c.alpha_f = rho / (rho + 1.0);
    c.gamma = 0.5 + c.alpha_f - c.alpha_m;
    c.beta = 0.25 * (c.gamma + 0.5) * (c.gamma + 0.5);
    return c;
}

/**
 * Factor on h W in the position of velocity_galpha: the reaction that keeps a body at rest,
 * W = -h a, spread evenly over the step, moves it by h W / 2 and thus keeps q; a factor of one, as
 * in implicit Euler, would lift it by h^2 a / 2 in every step.
 */
static const double STEP_JUMP_FACTOR = 0.5;

/** theta of the theta-scheme: given, or 1/(1 + rho) for NaN. */
static inline double step_theta(const carom_stepper_params *params) {
    return isnan(params->theta) ? 1.0 / (1.0 + params->spectral_radius) : params->theta;
}

/** Factor on h v_n in the explicit predictor q* of the velocity-level schemes. */
static inline double step_predictor_factor(const carom_stepper_params *params) {
    switch (params->predictor) {
    case CAROM_PREDICTOR_HALF_STEP:
        return 0.5;
    case CAROM_PREDICTOR_FULL_STEP:
        return 1.0;
    case CAROM_PREDICTOR_CURRENT:
        return 0.0;
    case CAROM_PREDICTOR_NEXT_STEP:
        return 2.0 -
               (params->scheme == CAROM_SCHEME_MOREAU_JEAN ? step_theta(params) : STEP_JUMP_FACTOR);
    }
    ck_abort_msg("unknown predictor");
    return 0.0;
}

static inline int step_row_count(const carom_mechanism *mechanism) {
    return mechanism->joint_count + mechanism->contact_count;
}

static inline double step_dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/** Copy what the next step starts from out of a step record. */
static inline step_state step_state_of(const carom_mechanism *mechanism, const carom_step *step) {
    const int n = mechanism->coordinate_count;
    ck_assert_int_le(n, STEP_MAX_COORDINATES);
    step_state state;
    memset(&state, 0, sizeof state);
    state.time = step->time;
    const size_t bytes = (size_t)n * sizeof(double);
    memcpy(state.position, step->position, bytes);
    memcpy(state.velocity, step->velocity, bytes);
    memcpy(state.smooth_acceleration, step->smooth_acceleration, bytes);
    memcpy(state.pseudo_acceleration, step->pseudo_acceleration, bytes);
    return state;
}

/** M(q) unpacked from the mechanism's storage to [n][n]. */
static inline void step_dense_mass(const carom_mechanism *mechanism, const double *q, double *M) {
    const int n = mechanism->coordinate_count;
    double packed[STEP_MAX_COORDINATES * STEP_MAX_COORDINATES];
    ck_assert_uint_le(carom_layout_entry_count(mechanism->layout),
                      sizeof packed / sizeof packed[0]);
    mechanism->mass(q, packed, mechanism->context);
    memset(M, 0, (size_t)(n * n) * sizeof *M);
    for (int i = 0; i < n; i++) {
        for (int j = carom_layout_first_column(mechanism->layout, i);
             j < carom_layout_end_column(mechanism->layout, i); j++) {
            M[i * n + j] = packed[carom_layout_index(mechanism->layout, i, j)];
        }
    }
}

/** M, f, g, G at (t, q, v). */
static inline void step_evaluate(const carom_mechanism *mechanism, double t, const double *q,
                                 const double *v, step_mechanics *at) {
    ck_assert_int_le(mechanism->coordinate_count, STEP_MAX_COORDINATES);
    ck_assert_int_le(step_row_count(mechanism), STEP_MAX_CONSTRAINTS);
    step_dense_mass(mechanism, q, at->M);
    mechanism->force(t, q, v, at->f, mechanism->context);
    if (step_row_count(mechanism) > 0) {
        mechanism->constraints(q, at->g, mechanism->context);
        carom_mechanism_constraint_jacobian(mechanism, q, at->G);
    }
}

/** Overwrite b by the solution of the dense A x = b, [size]; false if A is singular. A is lost. */
static inline bool step_solve(int size, double *A, double *b) {
    gsl_matrix_view matrix = gsl_matrix_view_array(A, (size_t)size, (size_t)size);
    gsl_vector_view vector = gsl_vector_view_array(b, (size_t)size);
    gsl_permutation *permutation = gsl_permutation_alloc((size_t)size);
    ck_assert_ptr_nonnull(permutation);
    int sign;
    bool is_regular = gsl_linalg_LU_decomp(&matrix.matrix, permutation, &sign) == GSL_SUCCESS;
    for (int i = 0; i < size && is_regular; i++) {
        is_regular = fabs(A[i * size + i]) > 1e-13; // entries of A are of order one
    }
    if (is_regular) {
        is_regular = gsl_linalg_LU_svx(&matrix.matrix, permutation, &vector.vector) == GSL_SUCCESS;
    }
    gsl_permutation_free(permutation);
    return is_regular;
}

#endif
