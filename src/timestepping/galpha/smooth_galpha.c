#include <carom/timestepping/galpha/schemes.h>

#include <carom/timestepping/galpha/internal.h>

#include <stdlib.h>
#include <string.h>

/* c = d(v')/dq of the difference formulae (52), 1/s2. */
static double acceleration_per_position(const carom_step_context *s) {
    const carom_galpha_coefficients *c = &s->galpha;
    const double h = s->params.step;
    return (1.0 - c->alpha_m) / (c->beta * h * h * (1.0 - c->alpha_f));
}

static double scaled_multiplier(const void *self, int level, int j) {
    const carom_step_context *s = ((const carom_smooth_galpha *)self)->step;
    (void)level;
    return s->params.step * s->next->force[s->joint_count + j];
}

static void eligible_contacts(void *self, int level, const double *dx, bool *contacts) {
    const carom_step_context *s = ((const carom_smooth_galpha *)self)->step;
    (void)level;
    (void)dx;
    carom_step_contacts_there(s, contacts);
}

/* A = { lambda - r g(q) >= 0 }, r = c / (G M^-1 G') in N/m (51c) */
static void activate(void *self) {
    carom_step_context *s = ((carom_smooth_galpha *)self)->step;
    const double c = acceleration_per_position(s);
    carom_evaluation_constraints(&s->evaluation, s->time, s->next->position);
    for (int j = s->joint_count; j < s->m; j++) {
        const double r = c * s->activation[j];
        s->next->position_active[j] = carom_evaluation_has_row(&s->evaluation, j) &&
                                      s->next->force[j] - r * s->evaluation.constraint[j] >= 0.0;
    }
}

/** Residual: h (M v' - G_A' lambda - f);  g_A/h or -h lambda: [n + m]. */
/*[smoothResidual]*/
static void smooth_galpha_residual(void *self, double *r) {
    carom_step_context *s = ((carom_smooth_galpha *)self)->step;
    carom_evaluation *at = &s->evaluation;
    const carom_step_state *x = s->next;
    const double h = s->params.step;
    const int n = s->n;
    memset(r, 0, (size_t)(n + s->m) * sizeof *r);
    carom_evaluation_point(at, s->time, x->position, x->velocity);

    /* (51a): h (M v' - G_A' lambda - f) */
    carom_layout_multiply_add(s->mechanism->layout, h, at->mass, x->smooth_acceleration, r);
    for (int i = 0; i < n; i++) {
        r[i] -= h * at->force[i];
    }
    for (int j = 0; j < s->m; j++) {
        if (x->position_active[j]) {
            carom_evaluation_add_row(at, j, -h * x->force[j], r);
        }
    }
    /* (51b,c): g_A/h, and -h lambda on the inactive rows */
    for (int j = 0; j < s->m; j++) {
        r[n + j] = x->position_active[j] ? at->constraint[j] / h : -h * x->force[j];
    }
}
/*[end smoothResidual]*/

static void scale_rows(void *self, double *scale) {
    carom_step_context *s = ((carom_smooth_galpha *)self)->step;
    carom_step_scales_compute(s);
    carom_step_scales_compute_gaps(s);
    memcpy(scale, s->scales.momentum, (size_t)s->n * sizeof *scale);
    for (int j = 0; j < s->m; j++) {
        scale[s->n + j] = carom_step_scales_of(s, j, s->scales.gap, s->next->position_active[j]);
    }
}

/* S = h^2 (c M + gamma/(beta h) C + K), K as below without what contacts bring, with its roundings.
 */
static void assemble_inertia(carom_smooth_galpha *scheme) {
    carom_step_context *s = scheme->step;
    carom_evaluation *at = &s->evaluation;
    const carom_step_state *x = s->next;
    const carom_layout layout = s->mechanism->layout;
    const double h = s->params.step;
    carom_evaluation_tangents(at, s->time, x->position, x->velocity);
    carom_evaluation_add_inertia_derivative(at, x->position, x->smooth_acceleration, x->force, NULL,
                                            at->stiffness);
    carom_step_scales_keep_tangents(s);
    memset(scheme->S, 0, carom_layout_entry_count(layout) * sizeof *scheme->S);
    carom_layout_add(layout, h * h * acceleration_per_position(s), at->mass, scheme->S);
    carom_layout_add(layout, h * s->galpha.gamma / s->galpha.beta, at->damping, scheme->S);
    carom_layout_add(layout, h * h, at->stiffness, scheme->S);
}

/* (g + G dq)/h of joints, and of contacts that are there. */
static void gather(void *self, carom_contact_level *level, bool is_curved) {
    const carom_step_context *s = ((carom_smooth_galpha *)self)->step;
    (void)is_curved;
    for (int j = 0; j < s->m; j++) {
        if (carom_evaluation_has_row(&s->evaluation, j)) {
            carom_contact_level_append(level, j, s->evaluation.constraint[j] / s->params.step,
                                       s->params.step * s->next->force[j], 0.0, NULL);
        }
    }
}

/* S dq/h = -(r - h G_A' lambda_A) + G' h lambda, a contact problem of bodies with the mass S. */
static carom_status solve_contacts(void *self, double tolerance, double *increment, int *contact) {
    carom_smooth_galpha *scheme = self;
    carom_step_context *s = scheme->step;
    const carom_step_state *x = s->next;
    const double h = s->params.step;
    assemble_inertia(scheme);
    CAROM_TRY(carom_kept_factor_compute(&scheme->inertia, s->mechanism->layout, scheme->S));
    for (int j = 0; j < s->m; j++) {
        if (x->position_active[j]) {
            carom_evaluation_add_row(&s->evaluation, j, h * x->force[j], increment);
        }
    }
    for (int i = 0; i < s->n; i++) {
        increment[i] = -increment[i];
        scheme->free_motion[i] = increment[i];
    }
    carom_factor_solve(scheme->inertia.factor, scheme->free_motion);
    CAROM_TRY(carom_contact_level_solve(&scheme->positions, scheme->S, scheme->free_motion, false,
                                        tolerance, contact));
    carom_contact_level_add_reactions(&scheme->positions, increment);
    carom_factor_solve(scheme->inertia.factor, increment);
    for (int j = 0; j < s->m; j++) {
        increment[s->n + j] = h * x->force[j];
    }
    for (int row = 0; row < scheme->positions.rows; row++) {
        increment[s->n + scheme->positions.member[row]] -= scheme->positions.r[row];
    }
    return CAROM_OK;
}

carom_status carom_smooth_galpha_use_contacts(carom_smooth_galpha *scheme) {
    scheme->problem.solve = solve_contacts;
    if (scheme->S != NULL) {
        return CAROM_OK;
    }
    const carom_layout layout = scheme->step->mechanism->layout;
    const size_t matrix = carom_layout_entry_count(layout);
    scheme->S = calloc(2 * matrix + (size_t)scheme->step->n, sizeof *scheme->S);
    if (scheme->S == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    scheme->inertia.matrix = scheme->S + matrix;
    scheme->free_motion = scheme->inertia.matrix + matrix;
    CAROM_TRY(carom_factor_alloc(layout, &scheme->inertia.factor));
    CAROM_TRY(carom_contact_level_init(&scheme->positions, scheme->step, 0, gather, scheme));
    scheme->positions.is_polished = true;
    return CAROM_OK;
}

void carom_smooth_galpha_clear(carom_smooth_galpha *scheme) {
    carom_contact_level_clear(&scheme->positions);
    carom_factor_free(scheme->inertia.factor);
    free(scheme->S);
    *scheme = (carom_smooth_galpha){0};
}

/* [ h^2 (c M + gamma/(beta h) C + K)  G_A' ; G_A  0 ; 0  I ], K = d(M v' - f - G_A' lambda)/dq */
static void assemble(void *self, carom_saddle *saddle) {
    carom_step_context *s = ((carom_smooth_galpha *)self)->step;
    carom_evaluation *at = &s->evaluation;
    const carom_step_state *x = s->next;
    const double h = s->params.step;
    carom_saddle_clear(saddle);
    carom_evaluation_tangents(at, s->time, x->position, x->velocity);
    carom_evaluation_add_inertia_derivative(at, x->position, x->smooth_acceleration, x->force,
                                            x->position_active, at->stiffness);
    carom_step_scales_keep_tangents(s);
    carom_saddle_add_block(saddle, 0, 0, h * h * acceleration_per_position(s), at->mass);
    carom_saddle_add_block(saddle, 0, 0, h * s->galpha.gamma / s->galpha.beta, at->damping);
    carom_saddle_add_block(saddle, 0, 0, h * h, at->stiffness);
    for (int j = 0; j < s->m; j++) {
        if (x->position_active[j]) {
            carom_saddle_add_column(saddle, 0, j, 1.0, carom_evaluation_row(at, j));
            carom_saddle_add_row(saddle, j, 0, 1.0, carom_evaluation_row(at, j));
        } else {
            carom_saddle_add_corner(saddle, j, j, 1.0);
        }
    }
}

static void update(void *self, const double *dx) {
    carom_step_context *s = ((carom_smooth_galpha *)self)->step;
    carom_step_state *x = s->next;
    const double h = s->params.step;
    const double c = acceleration_per_position(s);
    for (int i = 0; i < s->n; i++) {
        const double dq = h * dx[i];
        x->position[i] += dq;
        x->velocity[i] += s->galpha.gamma / (s->galpha.beta * h) * dq;
        x->smooth_acceleration[i] += c * dq;
    }
    for (int j = 0; j < s->m; j++) {
        x->force[j] -= dx[s->n + j] / h;
    }
}

void carom_smooth_galpha_init(carom_smooth_galpha *scheme, carom_step_context *step) {
    *scheme = (carom_smooth_galpha){.step = step};
    scheme->problem = (carom_newton_problem){
        .self = scheme,
        .level_count = 1,
        .first_multiplier = {step->joint_count, 0},
        .predict = carom_smooth_galpha_predict,
        .activate = activate,
        .residual = smooth_galpha_residual,
        .scale = scale_rows,
        .assemble = assemble,
        .update = update,
        .multiplier = scaled_multiplier,
        .eligible = eligible_contacts,
    };
}

void carom_smooth_galpha_predict(void *self) {
    carom_smooth_galpha *scheme = self;
    carom_step_context *s = scheme->step;
    carom_step_state *next = s->next;
    carom_galpha_predict(s);
    memset(next->velocity_jump, 0, (size_t)s->n * sizeof(double));
    memset(next->position_correction, 0, (size_t)s->n * sizeof(double));
    for (int j = 0; j < s->m; j++) {
        next->force[j] = 0.0;
        next->impulse[j] = 0.0;
        next->position_multiplier[j] = 0.0;
        next->position_active[j] = j < s->joint_count;
        next->velocity_active[j] = false;
    }
    scheme->problem.active[0] = next->position_active + s->joint_count;
    carom_contact_level_begin(&scheme->positions);
}
