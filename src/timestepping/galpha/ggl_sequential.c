#include <carom/timestepping/galpha/schemes.h>

#include <carom/base/scales.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The iteration is given up at a residual this many times the first one: the coupling is too
 * strong. */
static const double DIVERGENCE = 1e6;

struct carom_ggl_sequential {
    int n;
    int joint_count;
    int m;
    carom_saddle *smooth;     /* S^s (47): n + n_b */
    carom_saddle *constraint; /* S^p (48), then S^v (49): n + m */
    double *residual;         /* [3n + n_b + 2m] */
    double *scale;            /* [3n + n_b + 2m] of the residual's rows */
    double *increment;        /* [3n + n_b + 2m] */
    double *solution;         /* [n + m] */
};

carom_status carom_ggl_sequential_alloc(const carom_step_context *step,
                                        carom_ggl_sequential **out) {
    *out = NULL;
    CAROM_AUTO(carom_ggl_sequential) work = calloc(1, sizeof *work);
    if (work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    work->n = step->n;
    work->joint_count = step->joint_count;
    work->m = step->m;
    const size_t n = (size_t)step->n;
    const size_t m = (size_t)step->m;
    const size_t size = CAROM_GGL_BLOCKS * n + (size_t)step->joint_count + 2 * m;
    work->residual = calloc(2 * size, sizeof(double));
    work->increment = calloc(size, sizeof(double));
    work->solution = calloc(n + m, sizeof(double));
    if (work->residual == NULL || work->increment == NULL || work->solution == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const carom_layout layout = step->mechanism->layout;
    CAROM_TRY(carom_saddle_alloc(layout, 1, step->joint_count, &work->smooth));
    CAROM_TRY(carom_saddle_alloc(layout, 1, step->m, &work->constraint));
    work->scale = work->residual + size;
    CAROM_HAND_OVER(work, out);
    return CAROM_OK;
}

void carom_ggl_sequential_free(carom_ggl_sequential *work) {
    if (work == NULL) {
        return;
    }
    carom_saddle_free(work->smooth);
    carom_saddle_free(work->constraint);
    free(work->residual);
    free(work->increment);
    free(work->solution);
    free(work);
}

/*
 * Solve one diagonal block for the residual entries [block, block + n) and [border, border + count)
 * and put the increment into the same entries of dx.
 */
static carom_status solve_block(carom_ggl_sequential *work, carom_saddle *saddle, int block,
                                int border, int count, carom_ggl *ggl) {
    const int n = work->n;
    CAROM_TRY(carom_saddle_factor(saddle));
    for (int i = 0; i < n; i++) {
        work->solution[i] = -work->residual[block + i];
    }
    for (int j = 0; j < count; j++) {
        work->solution[n + j] = -work->residual[border + j];
    }
    CAROM_TRY(carom_saddle_solve(saddle, work->solution));
    const int size = CAROM_GGL_BLOCKS * n + work->joint_count + 2 * work->m;
    memset(work->increment, 0, (size_t)size * sizeof(double));
    memcpy(work->increment + block, work->solution, (size_t)n * sizeof(double));
    memcpy(work->increment + border, work->solution + n, (size_t)count * sizeof(double));
    carom_ggl_update(ggl, work->increment);
    return CAROM_OK;
}

/*[gglSequential]*/
/* Step 1: smooth motion, unilateral constraints disregarded, with S^s (47). */
static carom_status solve_smooth(carom_ggl_sequential *work, carom_ggl *ggl) {
    carom_evaluation *at = &ggl->step->evaluation;
    const carom_step_state *x = ggl->step->next;
    const double hb = ggl->step->params.step * ggl->step->galpha.beta / ggl->step->galpha.gamma;
    carom_saddle_clear(work->smooth);
    carom_ggl_assemble_smooth(ggl, work->smooth);
    const bool is_curved = work->joint_count > 0 &&
                           carom_evaluation_rate_derivative(at, x->position, x->smooth_velocity);
    for (int j = 0; j < work->joint_count; j++) {
        carom_saddle_add_column(work->smooth, 0, j, 1.0, carom_evaluation_row(at, j));
        carom_saddle_add_row(work->smooth, j, 0, 1.0, carom_evaluation_row(at, j));
        if (is_curved) {
            carom_saddle_add_row(work->smooth, j, 0, hb, carom_evaluation_rate_row(at, j));
        }
    }
    return solve_block(work, work->smooth, 0, CAROM_GGL_BLOCKS * work->n, work->joint_count, ggl);
}

/* Step 2: projection on the position constraints of A, with S^p (48). */
static carom_status project_position(carom_ggl_sequential *work, carom_ggl *ggl) {
    const carom_step_state *x = ggl->step->next;
    carom_ggl_activate(ggl);
    carom_ggl_residual(ggl, work->residual);
    carom_ggl_assemble_projection(ggl, ggl->step->m, x->position_active, work->constraint);
    carom_saddle_add_block(work->constraint, 0, 0, 1.0,
                           carom_ggl_inertia_derivative(ggl, x->position_correction,
                                                        x->position_multiplier,
                                                        x->position_active));
    return solve_block(work, work->constraint, work->n,
                       CAROM_GGL_BLOCKS * work->n + work->joint_count, work->m, ggl);
}

/* Step 3: projection on the velocity constraints of B, with S^v (49). */
static carom_status project_velocity(carom_ggl_sequential *work, carom_ggl *ggl) {
    carom_ggl_activate(ggl);
    carom_ggl_residual(ggl, work->residual);
    carom_ggl_assemble_projection(ggl, ggl->step->m, ggl->step->next->velocity_active,
                                  work->constraint);
    return solve_block(work, work->constraint, 2 * work->n,
                       CAROM_GGL_BLOCKS * work->n + work->joint_count + work->m, work->m, ggl);
}
/*[end gglSequential]*/

carom_status carom_ggl_sequential_solve(carom_ggl_sequential *work, carom_ggl *ggl,
                                        double tolerance, int max_iterations,
                                        carom_newton_result *result) {
    double first_residual = 0.0;
    *result = (carom_newton_result){.residual = NAN, .iterations = 0, .used_exact_lcp = false};
    for (;;) {
        carom_ggl_activate(ggl);
        carom_ggl_residual(ggl, work->residual);
        carom_ggl_scale(ggl, work->scale);
        result->residual =
            carom_scale_largest_ratio(CAROM_GGL_BLOCKS * work->n + work->joint_count + 2 * work->m,
                                      work->residual, work->scale);
        if (isnan(result->residual)) {
            return CAROM_STATUS_NOT_FINITE;
        }
        if (result->residual < tolerance) {
            return CAROM_OK;
        }
        if (result->iterations == 0) {
            first_residual = result->residual;
        }
        if (result->iterations == max_iterations ||
            result->residual > DIVERGENCE * (1.0 + first_residual)) {
            return CAROM_STATUS_NOT_CONVERGED;
        }
        CAROM_TRY(solve_smooth(work, ggl));
        CAROM_TRY(project_position(work, ggl));
        CAROM_TRY(project_velocity(work, ggl));
        result->iterations++;
    }
}
