/* carom/base/roots.h: linear systems against normal equations, an ellipse against a
 * search over its angle, GSL's singular values by another algorithm, and what is refused. */
#include <carom/base/roots.h>

#include "../failing_malloc.h"
#include "dense.h"

#include <carom/base/random.h>

/* GSL's own allocations end here, too. */
gsl_matrix *__real_gsl_matrix_alloc(size_t rows, size_t columns);
gsl_vector *__real_gsl_vector_alloc(size_t size);
gsl_matrix *__wrap_gsl_matrix_alloc(size_t rows, size_t columns);
gsl_vector *__wrap_gsl_vector_alloc(size_t size);

gsl_matrix *__wrap_gsl_matrix_alloc(size_t rows, size_t columns) {
    return may_allocate() ? __real_gsl_matrix_alloc(rows, columns) : NULL;
}

gsl_vector *__wrap_gsl_vector_alloc(size_t size) {
    return may_allocate() ? __real_gsl_vector_alloc(size) : NULL;
}

enum { M = 3, N = 7, TRIALS = 30 };

static double random_in(unsigned long seed, unsigned long dimension, double low, double high) {
    return low + (high - low) * carom_counter_uniform(31, seed, dimension);
}

/* F = A z - b + bend (z_0^2, z_1^2, ...). */
typedef struct quadratic {
    double A[M * N];
    double b[M];
    double bend;
} quadratic;

static quadratic random_quadratic(unsigned long seed, double bend) {
    quadratic q = {.bend = bend};
    for (int k = 0; k < M * N; k++) {
        q.A[k] = random_in(seed, (unsigned long)k, -2.0, 2.0);
    }
    for (int i = 0; i < M; i++) {
        q.b[i] = random_in(seed, 50 + (unsigned long)i, -1.0, 1.0);
    }
    return q;
}

static carom_status quadratic_at(const double *z, double *F, double *jacobian, void *context,
                                 carom_report *report) {
    (void)report;
    const quadratic *self = context;
    for (int i = 0; i < M; i++) {
        F[i] = self->bend * z[i] * z[i] - self->b[i];
        for (int j = 0; j < N; j++) {
            F[i] += self->A[i * N + j] * z[j];
            jacobian[i * N + j] = self->A[i * N + j] + (i == j ? 2.0 * self->bend * z[i] : 0.0);
        }
    }
    return CAROM_OK;
}

/* Find a root in a workspace of its own. */
static carom_status find(const carom_underdetermined_system *system,
                         const carom_underdetermined_params *params, double *z, double *F,
                         carom_underdetermined_result *result, carom_report *report) {
    carom_underdetermined_workspace *work = NULL;
    assert_ok(carom_underdetermined_workspace_alloc(system->equation_count, system->unknown_count,
                                                    &work));
    const carom_status status =
        carom_underdetermined_root_find(system, params, z, F, work, result, report);
    carom_underdetermined_workspace_free(work);
    return status;
}

/* A' (A A')^-1 r over the free columns. */
static void least_step(const double *A, const bool *is_free, const double *r, double *step) {
    double gram[M * M] = {0.0};
    double y[M];
    for (int i = 0; i < M; i++) {
        for (int k = 0; k < M; k++) {
            for (int j = 0; j < N; j++) {
                gram[i * M + k] += is_free[j] ? A[i * N + j] * A[k * N + j] : 0.0;
            }
        }
    }
    dense_solve(M, gram, r, y);
    for (int j = 0; j < N; j++) {
        step[j] = 0.0;
        for (int i = 0; i < M; i++) {
            step[j] += is_free[j] ? A[i * N + j] * y[i] : 0.0;
        }
    }
}

/* Entries of order one, conditions up to some tens, squared by the normal equations. */
static const double LINEAR = 1e-12;

TEST(property, linear_systems_take_one_step_of_minimum_norm) {
    for (unsigned long seed = 0; seed < TRIALS; seed++) {
        quadratic q = random_quadratic(seed, 0.0);
        const bool is_free[N] = {true, true, false, true, true, seed % 2 == 0, true};
        const carom_underdetermined_goal goals[2] = {CAROM_UNDERDETERMINED_GAUSS_NEWTON,
                                                     CAROM_UNDERDETERMINED_NEAREST};
        for (int k = 0; k < 2; k++) {
            const carom_underdetermined_system system = {.equation_count = M,
                                                         .unknown_count = N,
                                                         .function = quadratic_at,
                                                         .context = &q,
                                                         .is_free = is_free};
            carom_underdetermined_params params = carom_underdetermined_params_default();
            params.goal = goals[k];
            double start[N];
            double z[N];
            double r[M];
            double J[M * N];
            double expected[N];
            for (int j = 0; j < N; j++) {
                start[j] = random_in(seed, 60 + (unsigned long)j, -1.0, 1.0);
            }
            memcpy(z, start, sizeof(z));
            assert_ok(quadratic_at(start, r, J, &q, NULL));
            for (int i = 0; i < M; i++) {
                r[i] = -r[i];
            }
            least_step(q.A, is_free, r, expected);
            carom_underdetermined_result result = {.iterations = -1};
            double F[M];
            assert_ok(find(&system, &params, z, F, &result, NULL));
            double squares = 0.0;
            for (int j = 0; j < N; j++) {
                assert_close(z[j], start[j] + expected[j], 0.0, LINEAR);
                squares += expected[j] * expected[j];
                if (!is_free[j]) {
                    assert_close(z[j], start[j], 0.0, 0.0);
                }
            }
            ck_assert_int_eq(result.iterations, 1);
            assert_close(result.distance, sqrt(squares), 0.0, LINEAR);
            assert_close(result.residual, dense_magnitude(M, F), 0.0, 0.0);
            ck_assert(result.residual <= params.tolerance);
        }
    }
}

/* x^2/4 + y^2/0.49 = 1. */
static carom_status ellipse_at(const double *z, double *F, double *jacobian, void *context,
                               carom_report *report) {
    (void)context;
    (void)report;
    F[0] = z[0] * z[0] / 4.0 + z[1] * z[1] / 0.49 - 1.0;
    jacobian[0] = z[0] / 2.0;
    jacobian[1] = z[1] / 0.245;
    return CAROM_OK;
}

static double distance_to_angle(const double *start, double angle) {
    return hypot(2.0 * cos(angle) - start[0], 0.7 * sin(angle) - start[1]);
}

/* Least distance over the first quadrant's angles, by thirds. */
static double least_distance_to_ellipse(const double *start) {
    double low = 0.0;
    double high = 2.0 * atan(1.0);
    for (int k = 0; k < 100; k++) {
        const double left = low + (high - low) / 3.0;
        const double right = high - (high - low) / 3.0;
        if (distance_to_angle(start, left) < distance_to_angle(start, right)) {
            high = right;
        } else {
            low = left;
        }
    }
    return distance_to_angle(start, 0.5 * (low + high));
}

TEST(unit, nearest_root_of_an_ellipse_is_that_of_a_search_over_its_angle) {
    const carom_underdetermined_system system = {
        .equation_count = 1, .unknown_count = 2, .function = ellipse_at};
    const double start[2] = {1.413, 0.687};
    carom_underdetermined_params params = carom_underdetermined_params_default();
    double near[2] = {start[0], start[1]};
    carom_underdetermined_result nearest = {.iterations = -1};
    params.goal = CAROM_UNDERDETERMINED_NEAREST;
    assert_ok(find(&system, &params, near, NULL, &nearest, NULL));
    /* The distance is stationary: the root's error of 1e-12 does not show. */
    assert_close(nearest.distance, least_distance_to_ellipse(start), 0.0, 1e-14);
    const double parallel =
        (near[0] - start[0]) * near[1] / 0.49 - (near[1] - start[1]) * near[0] / 4.0;
    assert_close(parallel, 0.0, 0.0, 1e-11);

    /* Newton's root is farther by the curvature, and found by doubling the digits. */
    double z[2] = {start[0], start[1]};
    carom_underdetermined_result newton = {.iterations = -1};
    params.goal = CAROM_UNDERDETERMINED_GAUSS_NEWTON;
    assert_ok(find(&system, &params, z, NULL, &newton, NULL));
    ck_assert(newton.distance > nearest.distance + 1e-6);
    ck_assert_int_le(newton.iterations, 5);
    ck_assert_int_gt(nearest.iterations, newton.iterations);
    assert_close(newton.condition, 1.0, 1e-15, 0.0);
}

/* log(z/0.1), for z > 0. */
static carom_status logarithm_at(const double *z, double *F, double *jacobian, void *context,
                                 carom_report *report) {
    (void)context;
    if (!(z[0] > 0.0)) {
        return carom_report_fail(report, CAROM_STATUS_OUT_OF_RANGE, "argument", z[0], 0);
    }
    F[0] = log(z[0] / 0.1);
    jacobian[0] = 1.0 / z[0];
    return CAROM_OK;
}

TEST(unit, steps_that_leave_the_domain_are_halved) {
    const carom_underdetermined_system system = {
        .equation_count = 1, .unknown_count = 1, .function = logarithm_at};
    carom_underdetermined_params params = carom_underdetermined_params_default();
    /* Newton's step from 5 is -5 log 50 = -19.6: its quarter, -4.89, is the first that stays. */
    params.most_halvings = 2;
    double z[1] = {5.0};
    carom_report report = carom_report_empty();
    assert_ok(find(&system, &params, z, NULL, NULL, &report));
    assert_close(z[0], 0.1, 1e-13, 0.0);
    ck_assert_ptr_null(report.quantity);

    params.most_halvings = 1;
    z[0] = 5.0;
    double F[1] = {0.0};
    assert_status(find(&system, &params, z, F, NULL, &report), OUT_OF_RANGE);
    assert_close(z[0], 5.0, 0.0, 0.0);
    ck_assert(isnan(F[0]));
    ck_assert_str_eq(report.quantity, "argument");
    assert_close(report.value, 5.0 - 2.5 * log(50.0), 1e-14, 0.0);
    assert_close(report.residual, log(50.0), 1e-15, 0.0);
    ck_assert_int_eq(report.iterations, 0);

    z[0] = -1.0;
    assert_status(find(&system, &params, z, NULL, NULL, &report), OUT_OF_RANGE);
    ck_assert(isnan(report.residual));
}

/* Ratio of the extreme singular values of the free columns, by bidiagonalisation. */
static double condition_of(const double *J, const bool *is_free) {
    double U[N * M];
    double V[M * M];
    double s[M];
    double work[M];
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < M; i++) {
            U[j * M + i] = is_free[j] ? J[i * N + j] : 0.0;
        }
    }
    gsl_matrix_view U_view = gsl_matrix_view_array(U, N, M);
    gsl_matrix_view V_view = gsl_matrix_view_array(V, M, M);
    gsl_vector_view s_view = gsl_vector_view_array(s, M);
    gsl_vector_view work_view = gsl_vector_view_array(work, M);
    ck_assert_int_eq(
        gsl_linalg_SV_decomp(&U_view.matrix, &V_view.matrix, &s_view.vector, &work_view.vector),
        GSL_SUCCESS);
    return s[0] / s[M - 1];
}

TEST(property, roots_of_random_quadratics_satisfy_what_defines_them) {
    for (unsigned long seed = 0; seed < TRIALS; seed++) {
        quadratic q = random_quadratic(seed, 0.07);
        const bool is_free[N] = {true, true, true, seed % 3 == 0, true, true, true};
        const carom_underdetermined_system system = {.equation_count = M,
                                                     .unknown_count = N,
                                                     .function = quadratic_at,
                                                     .context = &q,
                                                     .is_free = is_free};
        carom_underdetermined_params params = carom_underdetermined_params_default();
        carom_underdetermined_result results[2];
        double start[N];
        for (int j = 0; j < N; j++) {
            start[j] = random_in(seed, 60 + (unsigned long)j, -0.5, 0.5);
        }
        double z[N];
        double F[M];
        double J[M * N];
        for (int k = 0; k < 2; k++) {
            params.goal =
                k == 0 ? CAROM_UNDERDETERMINED_GAUSS_NEWTON : CAROM_UNDERDETERMINED_NEAREST;
            memcpy(z, start, sizeof(z));
            assert_ok(find(&system, &params, z, NULL, &results[k], NULL));
            assert_ok(quadratic_at(z, F, J, &q, NULL));
            ck_assert(dense_magnitude(M, F) <= 1e-13);
            assert_close(results[k].condition, condition_of(J, is_free), 1e-11, 0.0);
        }
        /* Of the nearest one z - z_0 is a combination of the rows: its own projection. */
        ck_assert(results[1].distance <= results[0].distance * (1.0 + 1e-12));
        double right[M] = {0.0};
        for (int i = 0; i < M; i++) {
            for (int j = 0; j < N; j++) {
                right[i] += J[i * N + j] * (z[j] - start[j]);
            }
        }
        double projection[N];
        least_step(J, is_free, right, projection);
        for (int j = 0; j < N; j++) {
            assert_close(z[j] - start[j], projection[j], 0.0, 1e-11);
        }
    }
}

/* A function that answers as it is told. */
typedef struct puppet {
    double F[2];
    double J[4];
    carom_status status;
} puppet;

static carom_status puppet_at(const double *z, double *F, double *jacobian, void *context,
                              carom_report *report) {
    (void)z;
    const puppet *self = context;
    memcpy(F, self->F, sizeof(self->F));
    memcpy(jacobian, self->J, sizeof(self->J));
    return self->status == CAROM_OK ? CAROM_OK
                                    : carom_report_fail(report, self->status, "puppet", 2.385, 7);
}

/* Let the puppet answer, and look at the failure. */
static carom_status ask(puppet self, carom_underdetermined_goal goal,
                        carom_underdetermined_result *result, carom_report *report) {
    const carom_underdetermined_system system = {
        .equation_count = 2, .unknown_count = 2, .function = puppet_at, .context = &self};
    carom_underdetermined_params params = carom_underdetermined_params_default();
    params.goal = goal;
    double z[2] = {1.25, -0.75};
    const carom_status status = find(&system, &params, z, NULL, result, report);
    if (status != CAROM_OK) {
        assert_close(z[0], 1.25, 0.0, 0.0);
        assert_close(z[1], -0.75, 0.0, 0.0);
    }
    return status;
}

TEST(errors, failures_are_told_apart) {
    const carom_underdetermined_goal newton = CAROM_UNDERDETERMINED_GAUSS_NEWTON;
    carom_report report = carom_report_empty();
    /* A function that stays where it is. */
    const puppet constant = {.F = {0.3, -1.7}, .J = {1.0, 0.4, -0.3, 2.0}};
    assert_status(ask(constant, newton, NULL, &report), NOT_CONVERGED);
    ck_assert_str_eq(report.quantity, "function");
    assert_close(report.value, 1.7, 0.0, 0.0);
    assert_close(report.residual, 1.7, 0.0, 0.0);
    ck_assert_int_eq(report.iterations, 50);
    assert_status(ask(constant, newton, NULL, NULL), NOT_CONVERGED);

    const puppet dependent = {.F = {0.3, -1.7}, .J = {1.0, 0.4, -2.0, -0.8}};
    assert_status(ask(dependent, newton, NULL, &report), SINGULAR);
    ck_assert_str_eq(report.quantity, "jacobian");
    // Dependent but for 1e-13 of an entry, some hundred roundings: the least singular value is
    // 1.4e-14 of the largest one.
    const puppet rounded = {.F = {0.3, -1.7}, .J = {1.0, 0.4, -2.0, -0.8 * (1.0 + 1e-13)}};
    assert_status(ask(rounded, newton, NULL, &report), SINGULAR);
    ck_assert_str_eq(report.quantity, "jacobian");
    const puppet flat = {.F = {0.3, -1.7}};
    assert_status(ask(flat, newton, NULL, &report), SINGULAR);

    puppet broken = constant;
    broken.F[1] = (double)NAN;
    assert_status(ask(broken, newton, NULL, &report), NOT_FINITE);
    ck_assert_str_eq(report.quantity, "function");
    ck_assert_int_eq(report.index, 1);
    broken = constant;
    broken.J[3] = HUGE_VAL;
    assert_status(ask(broken, newton, NULL, &report), NOT_FINITE);
    ck_assert_str_eq(report.quantity, "jacobian");
    ck_assert_int_eq(report.index, 3);

    broken = constant;
    broken.status = CAROM_STATUS_CONFLICT;
    assert_status(ask(broken, newton, NULL, &report), CONFLICT);
    ck_assert_str_eq(report.quantity, "puppet");
    ck_assert_int_eq(report.index, 7);
}

TEST(unit, start_at_a_root_needs_no_step) {
    const puppet root = {.F = {1e-14, 0.0}, .J = {1.0, 0.4, -2.0, -0.8}};
    carom_underdetermined_result result = {.iterations = -1};
    assert_ok(ask(root, CAROM_UNDERDETERMINED_GAUSS_NEWTON, &result, NULL));
    ck_assert_int_eq(result.iterations, 0);
    ck_assert(isinf(result.condition));
    assert_close(result.distance, 0.0, 0.0, 0.0);
    assert_close(result.residual, 1e-14, 0.0, 0.0);
    /* Whether it is the nearest one cannot be told without full rank. */
    assert_status(ask(root, CAROM_UNDERDETERMINED_NEAREST, &result, NULL), SINGULAR);
}

TEST(errors, lack_of_memory_is_reported) {
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int k = 0;
    while (status == CAROM_STATUS_OUT_OF_MEMORY && k < 20) {
        carom_underdetermined_workspace *work = NULL;
        successes_left = k;
        status = carom_underdetermined_workspace_alloc(M, N, &work);
        successes_left = -1;
        ck_assert((status == CAROM_OK) == (work != NULL));
        carom_underdetermined_workspace_free(work);
        k++;
    }
    ck_assert_int_eq(status, CAROM_OK);
    ck_assert_int_ge(k, 5);
    carom_underdetermined_workspace_free(NULL);
}
