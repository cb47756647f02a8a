#include <carom/timestepping/variational/step_internal.h>

#include <carom/base/vector.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An iteration that leaves more than this of the residual asks for a new matrix. */
static const double SLOW_CONTRACTION = 0.1;

/* A residual below this many tolerances that no longer falls by half is rounding. */
static const double FLOOR_TOLERANCES = 100.0;
static const double STALLED_CONTRACTION = 0.5;

/* Contact impulses add no energy: an iterate whose |v| in the kinetic metric exceeds this many
 * momenta of the step is on its way to a root that is not the motion. */
static const double MOST_MOMENTA = 10.0;

carom_status carom_variational_newton_init(carom_variational_newton *newton,
                                           carom_variational_equations *equations,
                                           const carom_variational_step_params *params) {
    *newton = (carom_variational_newton){
        .equations = equations,
        .params = *params,
        .row_count = equations->c + equations->m * equations->t,
    };
    const size_t n = (size_t)equations->n;
    const size_t N = (size_t)newton->row_count;
    newton->memory = calloc(n * n + 2 * N * n + 2 * N * N + 3 * N + 3 * n, sizeof(double));
    if (newton->memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    newton->jacobian = newton->memory;
    newton->rows = newton->jacobian + n * n;
    newton->responses = newton->rows + N * n;
    newton->compliance = newton->responses + N * n;
    newton->reduced = newton->compliance + N * N;
    newton->length = newton->reduced + N * N;
    newton->right = newton->length + N;
    newton->position_size = newton->right + N;
    newton->increment = newton->position_size + n;
    newton->probe = newton->increment + n;
    newton->sliding_size = newton->probe + n;
    carom_status status = carom_factor_alloc(carom_layout_full(equations->n), &newton->factor);
    if (status == CAROM_OK) {
        status = carom_minimum_norm_alloc(newton->row_count, &newton->dual);
    }
    if (status != CAROM_OK) {
        carom_variational_newton_clear(newton);
    }
    return status;
}

void carom_variational_newton_clear(carom_variational_newton *newton) {
    carom_factor_free(newton->factor);
    carom_minimum_norm_free(newton->dual);
    free(newton->memory);
    *newton = (carom_variational_newton){0};
}

/* Lengths of the rows, and normal speeds that the free forces make in half a step. */
static void scale_rows(carom_variational_newton *newton) {
    carom_variational_equations *eq = newton->equations;
    const int N = newton->row_count;
    for (int row = 0; row < N; row++) {
        const double length = sqrt(fabs(newton->compliance[row * N + row]));
        newton->length[row] = length > 0.0 ? length : 1.0;
    }
    double *speed = newton->right;
    for (int i = 0; i < eq->c; i++) {
        speed[i] = fabs(carom_vector_dot(eq->n, newton->rows + i * eq->n, newton->increment)) +
                   (eq->candidate[i] ? fabs(eq->rate[i]) : 0.0);
    }
    carom_variational_equations_aim(eq, speed);
}

carom_status carom_variational_newton_begin(carom_variational_newton *newton,
                                            carom_report *report) {
    carom_variational_equations *eq = newton->equations;
    newton->iterations = 0;
    newton->is_fresh = true;
    newton->is_spoiled = false;
    const carom_status status = carom_variational_matrices_assemble(newton);
    if (status != CAROM_OK) {
        return carom_report_fail(report, status, "newton matrix", (double)NAN, -1);
    }

    /* |p| and |(h/2) F|, from the free change of velocity in half a step */
    memcpy(newton->increment, eq->residual, (size_t)eq->n * sizeof(double));
    carom_factor_solve(newton->factor, newton->increment);
    newton->momentum_norm = sqrt(fabs(carom_vector_dot(eq->n, eq->momentum, eq->velocity_begin))) +
                            sqrt(fabs(carom_vector_dot(eq->n, eq->residual, newton->increment)));
    if (eq->has_candidates) {
        scale_rows(newton);
    }
    return CAROM_OK;
}

/* A residual over its tolerance. */
static double over(double residual, double tolerance) {
    return fabs(residual) > 0.0 ? fabs(residual) / tolerance : 0.0;
}

/* Tolerance of the rate of a gap, or of a sliding speed. */
static double row_tolerance(const carom_variational_newton *newton, int row) {
    const carom_variational_equations *eq = newton->equations;
    double size = 0.0;
    double gap_size = 0.0;
    for (int j = 0; j < eq->n; j++) {
        const double slope = newton->rows[row * eq->n + j];
        size += fabs(slope * eq->velocity[j]);
        gap_size += fabs(slope * eq->position[j]);
    }
    const double tolerance = newton->params.tolerance;
    size += newton->momentum_norm * newton->length[row];
    if (row >= eq->c) {
        return tolerance * (size + newton->sliding_size[row - eq->c]);
    }
    size += fabs(eq->target[row] - eq->gap_begin[row]) / eq->h;
    size += eq->is_gap_used[row] ? gap_size / eq->h : 0.0;
    return tolerance * size;
}

/* Is a row one of the unknowns of the combination? */
static bool is_row_active(const carom_variational_equations *eq, int row) {
    return row < eq->c ? eq->is_active[row] : carom_variational_equations_sticks(eq, row - eq->c);
}

static double row_residual(const carom_variational_equations *eq, int row) {
    return row < eq->c ? eq->rate[row] : eq->sliding[row - eq->c];
}

/* Largest residual over its tolerance, all rows of the combination. The sizes are those of the
 * terms and of what |p| could have in the row, |p_i| <= |p| sqrt(M_ii): a sum of terms that are all
 * rounding has no digits. */
static double excess(carom_variational_newton *newton) {
    const carom_variational_equations *eq = newton->equations;
    double largest = 0.0;
    for (int i = 0; i < eq->n; i++) {
        double size = fabs(eq->momentum[i]) + 0.5 * eq->h * fabs(eq->load[i]) +
                      newton->position_size[i] + eq->inertia_size[i] + eq->impulse_size[i] +
                      newton->momentum_norm * sqrt(fabs(eq->mass_begin[i * eq->n + i]));
        for (int j = 0; j < eq->n; j++) {
            size += fabs(newton->jacobian[i * eq->n + j] * eq->velocity[j]);
        }
        const double ratio = over(eq->residual[i], newton->params.tolerance * size);
        largest = ratio <= largest ? largest : ratio;
    }
    for (int row = 0; eq->has_candidates && row < newton->row_count; row++) {
        if (is_row_active(eq, row)) {
            const double ratio = over(row_residual(eq, row), row_tolerance(newton, row));
            largest = ratio <= largest ? largest : ratio;
        }
    }
    newton->residual = newton->params.tolerance * largest;
    return largest;
}

/* f/lambda of a row that slides, -mu s: its friction is part of the normal unknown. */
static double slip_share(const carom_variational_equations *eq, int tangential) {
    const int contact = tangential / eq->t;
    return eq->mode[contact] == CAROM_VARIATIONAL_SLIDE
               ? -carom_variational_equations_friction(eq, contact) * eq->direction[tangential]
               : 0.0;
}

/* S of the combination in rows and impulses of unit length, identity where nothing is held. */
static void reduce(carom_variational_newton *newton) {
    const carom_variational_equations *eq = newton->equations;
    const int N = newton->row_count;
    memset(newton->reduced, 0, (size_t)N * (size_t)N * sizeof(double));
    for (int row = 0; row < N; row++) {
        if (!is_row_active(eq, row)) {
            newton->reduced[row * N + row] = 1.0;
            continue;
        }
        const double *compliance = newton->compliance + row * N;
        for (int column = 0; column < N; column++) {
            if (!is_row_active(eq, column)) {
                continue;
            }
            double entry = compliance[column];
            for (int a = 0; column >= eq->b && column < eq->c && a < eq->t; a++) {
                const int tangential = (column - eq->b) * eq->t + a;
                entry += slip_share(eq, tangential) * compliance[eq->c + tangential];
            }
            newton->reduced[row * N + column] =
                entry / (newton->length[row] * newton->length[column]);
        }
    }
}

/* Changes of all impulses, [N]: S dz = -(rates + rows J^-1 r), and the friction of sliding rows. */
static carom_status find_impulses(carom_variational_newton *newton) {
    const carom_variational_equations *eq = newton->equations;
    double *change = newton->right;
    for (int row = 0; row < newton->row_count; row++) {
        const double *gradient = newton->rows + row * eq->n;
        const double free_rate =
            row_residual(eq, row) + carom_vector_dot(eq->n, gradient, newton->increment);
        change[row] = is_row_active(eq, row) ? -free_rate / newton->length[row] : 0.0;
    }
    CAROM_TRY(carom_minimum_norm_solve(newton->dual, change));
    for (int row = 0; row < newton->row_count; row++) {
        change[row] /= newton->length[row];
    }
    for (int row = 0; row < eq->m * eq->t; row++) {
        const int normal = eq->b + row / eq->t;
        if (eq->is_active[normal] && !carom_variational_equations_sticks(eq, row)) {
            change[eq->c + row] = slip_share(eq, row) * change[normal];
        }
    }
    return CAROM_OK;
}

/* dv = J^-1 (r + G' dlambda + H' df) and the impulses themselves. */
static void apply_impulses(carom_variational_newton *newton) {
    carom_variational_equations *eq = newton->equations;
    for (int row = 0; row < newton->row_count; row++) {
        if (!eq->is_active[carom_variational_equations_constraint(eq, row)]) {
            continue;
        }
        double *impulse = row < eq->c ? &eq->normal[row] : &eq->friction[row - eq->c];
        *impulse += newton->right[row];
        for (int j = 0; j < eq->n; j++) {
            newton->increment[j] += newton->right[row] * newton->responses[row * eq->n + j];
        }
    }
}

/* One Newton step of velocity and impulses. */
static carom_status improve(carom_variational_newton *newton) {
    carom_variational_equations *eq = newton->equations;
    memcpy(newton->increment, eq->residual, (size_t)eq->n * sizeof(double));
    carom_factor_solve(newton->factor, newton->increment);
    if (eq->has_candidates) {
        CAROM_TRY(find_impulses(newton));
        apply_impulses(newton);
    }
    for (int j = 0; j < eq->n; j++) {
        eq->velocity[j] += newton->increment[j];
    }
    newton->iterations++;
    return CAROM_OK;
}

static carom_status factor_combination(carom_variational_newton *newton) {
    if (!newton->equations->has_candidates) {
        return CAROM_OK;
    }
    reduce(newton);
    return carom_minimum_norm_compute(newton->dual, newton->reduced);
}

/* Is the iterate faster than any motion of the step? */
static bool is_astray(const carom_variational_newton *newton) {
    const carom_variational_equations *eq = newton->equations;
    const double twice_energy = fabs(carom_vector_dot(eq->n, eq->velocity, eq->inertia));
    return sqrt(twice_energy) > MOST_MOMENTA * newton->momentum_norm;
}

/* The iteration from an evaluated iterate. */
static carom_status iterate(carom_variational_newton *newton) {
    CAROM_TRY(factor_combination(newton));
    double before = HUGE_VAL;
    for (int k = 0;; k++) {
        const double now = excess(newton);
        if (!isfinite(now)) {
            return k == 0 ? CAROM_STATUS_NOT_FINITE : CAROM_STATUS_NOT_CONVERGED;
        }
        if (now <= 1.0 || (now <= FLOOR_TOLERANCES && now > STALLED_CONTRACTION * before)) {
            return CAROM_OK;
        }
        if (k == newton->params.most_iterations || is_astray(newton)) {
            return CAROM_STATUS_NOT_CONVERGED;
        }
        if (now > FLOOR_TOLERANCES && now > SLOW_CONTRACTION * before) {
            CAROM_TRY(carom_variational_matrices_differentiate(newton));
            CAROM_TRY(factor_combination(newton));
        }
        before = now;
        CAROM_TRY(improve(newton));
        carom_variational_equations_evaluate(newton->equations);
    }
}

carom_status carom_variational_newton_restart(carom_variational_newton *newton) {
    if (!newton->is_fresh) {
        carom_variational_equations_restart(newton->equations);
        carom_variational_equations_evaluate(newton->equations);
    }
    if (newton->is_spoiled) {
        CAROM_TRY(carom_variational_matrices_assemble(newton));
    }
    newton->is_fresh = true;
    newton->is_spoiled = false;
    return CAROM_OK;
}

/* The impulses [N] to begin with, as far as the combination has them. */
static void set_impulses(carom_variational_equations *eq, const double *impulse) {
    for (int i = 0; i < eq->c; i++) {
        eq->normal[i] = eq->is_active[i] ? impulse[i] : 0.0;
    }
    for (int row = 0; row < eq->m * eq->t; row++) {
        eq->friction[row] = carom_variational_equations_sticks(eq, row)
                                ? impulse[eq->c + row]
                                : slip_share(eq, row) * eq->normal[eq->b + row / eq->t];
    }
    carom_variational_equations_evaluate(eq);
}

/* From v_k, without impulses or with those given. */
static carom_status solve_anew(carom_variational_newton *newton, const double *impulse) {
    CAROM_TRY(carom_variational_newton_restart(newton));
    newton->is_fresh = false;
    if (impulse != NULL) {
        set_impulses(newton->equations, impulse);
    }
    const carom_status status = iterate(newton);
    newton->is_spoiled = status != CAROM_OK;
    return status;
}

carom_status carom_variational_newton_solve(carom_variational_newton *newton,
                                            const double *impulse) {
    carom_status status = solve_anew(newton, impulse);
    while (carom_variational_equations_reconsider(newton->equations)) {
        status = solve_anew(newton, impulse);
    }
    return status;
}

void carom_variational_newton_linearise(carom_variational_newton *newton, double *offset) {
    const carom_variational_equations *eq = newton->equations;
    memcpy(newton->increment, eq->residual, (size_t)eq->n * sizeof(double));
    carom_factor_solve(newton->factor, newton->increment);
    for (int row = 0; row < newton->row_count; row++) {
        const double *compliance = newton->compliance + row * newton->row_count;
        offset[row] = row_residual(eq, row) +
                      carom_vector_dot(eq->n, newton->rows + row * eq->n, newton->increment);
        offset[row] -= carom_vector_dot(eq->c, compliance, eq->normal);
        offset[row] -= carom_vector_dot(eq->m * eq->t, compliance + eq->c, eq->friction);
    }
}

double carom_variational_newton_gap_floor(const carom_variational_newton *newton, int constraint) {
    return FLOOR_TOLERANCES * row_tolerance(newton, constraint) * newton->equations->h;
}
