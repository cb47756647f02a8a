#include <carom/collisionless/gait/internal.h>

#include <gsl/gsl_math.h>
#include <string.h>

/* Halvings of a Newton step before it is given up. */
enum { MOST_HALVINGS = 3 };

/* A step must reduce the residual by this part of what the linear equations promise. */
static const double LEAST_DECREASE = 1e-4;

/* Factor the matrix with the condition of the step as its last row. */
static carom_status factor_bordered(carom_gait_shooting *shooting, const double *row) {
    const size_t count = (size_t)shooting->count;
    memcpy(shooting->matrix + (count - 1) * count, row, count * sizeof *row);
    return carom_factor_compute(shooting->factor, shooting->matrix);
}

/* The largest of the fractions 1, 1/2, 1/4, .. of the step that reduces the residual. */
static carom_status search_along_step(carom_gait_shooting *shooting, const double *u) {
    const double norm = shooting->norm;
    carom_status status = CAROM_STATUS_NOT_CONVERGED;
    double fraction = 1.0;
    for (int halving = 0; halving <= MOST_HALVINGS; halving++) {
        for (int i = 0; i < shooting->count; i++) {
            shooting->trial[i] = u[i] + fraction * shooting->step[i];
        }
        status = carom_gait_shooting_evaluate(shooting, shooting->trial);
        if (status == CAROM_OK && shooting->norm <= (1.0 - LEAST_DECREASE * fraction) * norm) {
            return CAROM_OK;
        }
        fraction *= 0.5;
    }
    return status == CAROM_OK ? CAROM_STATUS_NOT_CONVERGED : status;
}

carom_status carom_gait_newton_solve(carom_gait_shooting *shooting, const double *row, double *u) {
    const int count = shooting->count;
    CAROM_TRY(carom_gait_shooting_evaluate(shooting, u));
    for (shooting->iterations = 0; shooting->largest > shooting->params.residual;
         shooting->iterations++) {
        if (shooting->iterations == shooting->params.max_iterations) {
            return CAROM_STATUS_NOT_CONVERGED;
        }
        CAROM_TRY(factor_bordered(shooting, row));
        for (int i = 0; i < count; i++) {
            shooting->step[i] = i < count - 1 ? -shooting->residual[i] : 0.0;
        }
        carom_factor_solve(shooting->factor, shooting->step);
        CAROM_TRY(search_along_step(shooting, u));
        memcpy(u, shooting->trial, (size_t)count * sizeof *u);
    }
    return CAROM_OK;
}

carom_status carom_gait_newton_tangent(carom_gait_shooting *shooting, const double *row,
                                       double *tangent) {
    const int count = shooting->count;
    CAROM_TRY(factor_bordered(shooting, row));
    memset(tangent, 0, (size_t)count * sizeof *tangent);
    tangent[count - 1] = 1.0;
    carom_factor_solve(shooting->factor, tangent);
    double square = 0.0;
    for (int i = 0; i < count; i++) {
        square += shooting->weight[i] * gsl_pow_2(tangent[i]);
    }
    if (!(isfinite(square) && square > 0.0)) {
        return CAROM_STATUS_NOT_FINITE;
    }
    for (int i = 0; i < count; i++) {
        tangent[i] /= sqrt(square);
    }
    return CAROM_OK;
}
