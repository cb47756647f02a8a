#include <carom/timestepping/galpha/schemes.h>

#include <carom/base/scales.h>
#include <carom/timestepping/galpha/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Offsets in vectors of 3n + n_b + m + row_count entries: kinematic blocks, then lambda~, nu,
 * Lambda and with friction Lambda_t. */
static int force_row(const carom_step_context *s) {
    return CAROM_GGL_BLOCKS * s->n;
}

static int position_row(const carom_step_context *s) {
    return CAROM_GGL_BLOCKS * s->n + s->joint_count;
}

static int velocity_row(const carom_step_context *s) {
    return CAROM_GGL_BLOCKS * s->n + s->joint_count + s->m;
}

/* c_M of the increments dv~' = (c_M/h) dv~ (41). */
double carom_ggl_acceleration_factor(const carom_step_context *s) {
    const carom_galpha_coefficients *c = &s->galpha;
    return (1.0 - c->alpha_m) / ((1.0 - c->alpha_f) * c->gamma);
}

/*
 * Displacement of the friction impulses, as if they acted in the middle of the step: M U = G' nu +
 * (h/2) H' Lambda_t. The position level knows the gaps alone; without this a contact that sticks
 * would creep by h^2/2 of what pulls at it in every step.
 */
static const double FRICTION_DISPLACEMENT = 0.5;

/* Scaled multiplier of a contact: nu/h or Lambda; of a tangent. */
static double scaled_multiplier(const void *self, int level, int j) {
    const carom_step_context *s = ((const carom_ggl *)self)->step;
    if (level == 0) {
        return s->next->position_multiplier[s->joint_count + j] / s->params.step;
    }
    return s->next->impulse[(level == 1 ? s->joint_count : s->m) + j];
}

/* q~ = q - U, and the gaps there into the evaluation's constraint buffer. */
static void evaluate_free_gaps(carom_ggl *ggl, const double *dv_smooth) {
    carom_step_context *s = ggl->step;
    const double b = s->galpha.beta / s->galpha.gamma;
    for (int i = 0; i < s->n; i++) {
        ggl->free_q[i] = s->next->position[i] - s->next->position_correction[i];
        if (dv_smooth != NULL) {
            ggl->free_q[i] += s->params.step * b * dv_smooth[i];
        }
    }
    carom_evaluation_constraints(&s->evaluation, s->time, ggl->free_q);
}

void carom_ggl_closed_contacts(carom_ggl *ggl, const double *dv_smooth, bool *contacts) {
    carom_step_context *s = ggl->step;
    evaluate_free_gaps(ggl, dv_smooth);
    for (int j = s->joint_count; j < s->m; j++) {
        contacts[j - s->joint_count] = carom_step_is_closed(s, j, s->evaluation.constraint[j]);
    }
}

/* Position level: every contact that is there. Velocity level: those closed at q~ after the
 * increment. */
static void eligible_contacts(void *self, int level, const double *dx, bool *contacts) {
    carom_ggl *ggl = self;
    if (level == 0) {
        carom_step_contacts_there(ggl->step, contacts);
    } else {
        carom_ggl_closed_contacts(ggl, dx, contacts);
    }
}

static void friction_rows(void *self, double *r) {
    const carom_step_context *s = ((carom_ggl *)self)->step;
    carom_step_friction_residual(s, r + velocity_row(s) + s->m);
}

carom_status carom_ggl_init(carom_ggl *ggl, carom_step_context *step, bool is_modified) {
    *ggl = (carom_ggl){.step = step, .is_modified = is_modified};
    ggl->free_q = calloc((size_t)step->n, sizeof(double));
    if (ggl->free_q == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    ggl->problem = (carom_newton_problem){
        .self = ggl,
        .level_count = 2,
        .tangent_count = step->evaluation.tangent_count,
        .first_multiplier = {2 * step->joint_count, 2 * step->joint_count + step->m,
                             step->joint_count + 2 * step->m},
        .coefficients = step->mechanism->friction,
        .friction = friction_rows,
        .is_coupled = is_modified,
        .predict = carom_ggl_predict,
        .activate = carom_ggl_activate,
        .residual = carom_ggl_residual,
        .scale = carom_ggl_scale,
        .assemble = carom_ggl_assemble,
        .update = carom_ggl_update,
        .multiplier = scaled_multiplier,
        .eligible = eligible_contacts,
    };
    return CAROM_OK;
}

carom_status carom_ggl_use_matrix(carom_ggl *ggl) {
    const carom_step_context *step = ggl->step;
    if (ggl->blocks != NULL || ggl->is_modified || step->mechanism->damping != NULL ||
        step->evaluation.tangent_count > 0) {
        return CAROM_OK;
    }
    ggl->problem.increment = carom_ggl_increment;
    return carom_ggl_blocks_alloc(step, &ggl->blocks);
}

static carom_status solve_contacts(void *self, double tolerance, double *increment, int *contact) {
    const carom_ggl *ggl = self;
    return carom_ggl_contacts_increment(ggl->contacts, tolerance, increment, contact);
}

carom_status carom_ggl_use_contacts(carom_ggl *ggl) {
    if (ggl->contacts == NULL) {
        CAROM_TRY(carom_ggl_contacts_alloc(ggl, &ggl->contacts));
    }
    ggl->problem.solve = solve_contacts;
    return CAROM_OK;
}

void carom_ggl_clear(carom_ggl *ggl) {
    free(ggl->free_q);
    carom_ggl_blocks_free(ggl->blocks);
    carom_ggl_contacts_free(ggl->contacts);
    *ggl = (carom_ggl){0};
}

void carom_ggl_predict(void *self) {
    carom_ggl *ggl = self;
    carom_step_context *s = ggl->step;
    carom_step_state *next = s->next;
    carom_galpha_predict_on(s);
    memcpy(next->force, s->last->force, (size_t)s->m * sizeof(double));
    memset(next->velocity_jump, 0, (size_t)s->n * sizeof(double));
    memset(next->position_correction, 0, (size_t)s->n * sizeof(double));
    memset(next->impulse, 0, (size_t)s->evaluation.row_count * sizeof(double));
    if (s->evaluation.tangent_count >
        0) { /* contacts with friction start from what they last did */
        memcpy(next->impulse + s->joint_count, s->last->impulse + s->joint_count,
               (size_t)(s->evaluation.row_count - s->joint_count) * sizeof(double));
    }
    memset(next->position_multiplier, 0, (size_t)s->m * sizeof(double));
    for (int j = 0; j < s->joint_count; j++) {
        next->position_active[j] = true;
        next->velocity_active[j] = true;
    }
    ggl->problem.active[0] = next->position_active + s->joint_count;
    ggl->problem.active[1] = next->velocity_active + s->joint_count;
    if (ggl->contacts != NULL) {
        carom_ggl_contacts_begin(ggl->contacts);
    }
}

/*[gglActiveSets]*/
/* (38): A = { nu - r g(q) >= 0 },  B = { g(q~) <= 0 and Lambda - r (G v + e G_n v_n) >= 0 } */
void carom_ggl_activate(void *self) {
    carom_ggl *ggl = self;
    carom_step_context *s = ggl->step;
    carom_step_state *next = s->next;
    const double h = s->params.step;
    bool any_approaches = false;
    carom_evaluation_point(&s->evaluation, s->time, next->position, next->velocity);
    for (int j = s->joint_count; j < s->m; j++) {
        const double r = s->activation[j];
        double nu = next->position_multiplier[j];
        if (ggl->is_modified) {
            nu -= h * next->impulse[j]; /* (25) with (27): h mu takes the place of nu */
        }
        next->position_active[j] = carom_evaluation_has_row(&s->evaluation, j) &&
                                   nu - r * s->evaluation.constraint[j] >= 0.0;
        const double restituted = s->evaluation.rate[j] + carom_step_restituted(s, j);
        next->velocity_active[j] = next->impulse[j] - r * restituted >= 0.0;
        any_approaches = any_approaches || next->velocity_active[j];
    }
    if (any_approaches) {
        evaluate_free_gaps(ggl, NULL);
    }
    for (int j = s->joint_count; any_approaches && j < s->m; j++) {
        if (!carom_step_is_closed(s, j, s->evaluation.constraint[j]) &&
            !(ggl->contacts != NULL && carom_ggl_contacts_holds(ggl->contacts, j))) {
            next->velocity_active[j] = false;
        }
    }
}
/*[end gglActiveSets]*/

/* y [n] += alpha G_j' over the rows of a set. */
static void add_reactions(const carom_evaluation *evaluation, int first, int end,
                          const bool *active, double alpha, const double *multiplier, double *y) {
    for (int j = first; j < end; j++) {
        if (active != NULL && !active[j]) {
            continue;
        }
        carom_evaluation_add_row(evaluation, j, alpha * multiplier[j], y);
    }
}

void carom_ggl_add_displacement(const carom_ggl *ggl, double alpha, double *y) {
    const carom_step_context *s = ggl->step;
    const bool is_known = ggl->contacts != NULL && carom_ggl_contacts_knows_friction(ggl->contacts);
    const double *impulse = is_known ? s->last->impulse : s->next->impulse;
    for (int j = s->m; j < s->evaluation.row_count; j++) {
        carom_evaluation_add_row(&s->evaluation, j, alpha * FRICTION_DISPLACEMENT * impulse[j], y);
    }
}

/*[gglResidual]*/
void carom_ggl_residual(void *self, double *r) {
    carom_ggl *ggl = self;
    carom_step_context *s = ggl->step;
    carom_evaluation *at = &s->evaluation;
    const carom_step_state *x = s->next;
    const carom_layout layout = s->mechanism->layout;
    const double h = s->params.step;
    const int n = s->n;
    memset(r, 0, (size_t)(velocity_row(s) + at->row_count) * sizeof *r);
    carom_evaluation_point(at, s->time, x->position, x->velocity);

    /* r^s = h M v~' - h G' lambda~ - h f ;  G v~ on the joints */
    carom_layout_multiply_add(layout, h, at->mass, x->smooth_acceleration, r);
    add_reactions(at, 0, s->joint_count, NULL, -h, x->force, r);
    for (int i = 0; i < n; i++) {
        r[i] -= h * at->force[i];
    }
    for (int j = 0; j < s->joint_count; j++) {
        r[force_row(s) + j] = carom_evaluation_rate(at, j, x->smooth_velocity);
    }

    /* r^p = (M U - G_A' nu_A)/h ;  g_A/h ;  -nu_I/h on the inactive rows */
    const bool *column = ggl->is_modified ? NULL : x->position_active;
    carom_layout_multiply_add(layout, 1.0 / h, at->mass, x->position_correction, r + n);
    add_reactions(at, 0, s->m, column, -1.0 / h, x->position_multiplier, r + n);
    carom_ggl_add_displacement(ggl, -1.0, r + n);
    for (int j = 0; j < s->m; j++) {
        const double inactive =
            x->position_multiplier[j] / h - (ggl->is_modified ? x->impulse[j] : 0.0);
        r[position_row(s) + j] = x->position_active[j] ? at->constraint[j] / h : -inactive;
    }

    /* r^v = M W - G_B' Lambda_B ;  G_B v + E G_n v_n ;  -Lambda_I on the inactive rows */
    carom_layout_multiply_add(layout, 1.0, at->mass, x->velocity_jump, r + 2 * n);
    add_reactions(at, 0, s->m, x->velocity_active, -1.0, x->impulse, r + 2 * n);
    for (int j = s->m; j < at->row_count; j++) {
        carom_evaluation_add_row(at, j, -x->impulse[j], r + 2 * n);
    }
    for (int j = 0; j < at->row_count; j++) {
        r[velocity_row(s) + j] = x->velocity_active[carom_step_deciding_row(s, j)]
                                     ? at->rate[j] + carom_step_restituted(s, j)
                                     : -x->impulse[j];
    }
}
/*[end gglResidual]*/

void carom_ggl_scale(void *self, double *scale) {
    carom_step_context *s = ((carom_ggl *)self)->step;
    const carom_step_state *x = s->next;
    carom_step_scales_compute(s);
    carom_step_scales_compute_gaps(s);
    for (int block = 0; block < CAROM_GGL_BLOCKS; block++) {
        memcpy(scale + block * s->n, s->scales.momentum, (size_t)s->n * sizeof *scale);
    }
    memcpy(scale + force_row(s), s->scales.rate, (size_t)s->joint_count * sizeof *scale);
    for (int j = 0; j < s->m; j++) {
        scale[position_row(s) + j] =
            carom_step_scales_of(s, j, s->scales.gap, x->position_active[j]);
        scale[velocity_row(s) + j] =
            carom_step_scales_of(s, j, s->scales.rate, x->velocity_active[j]);
    }
    carom_step_friction_scale(s, scale + velocity_row(s) + s->m);
}

/* Borders of the joints on the smooth velocity: rows 1 and 2 of (44). */
static void assemble_smooth_border(carom_ggl *ggl, carom_saddle *saddle) {
    carom_step_context *s = ggl->step;
    carom_evaluation *at = &s->evaluation;
    const double h = s->params.step;
    const double b = s->galpha.beta / s->galpha.gamma;
    const bool is_curved =
        s->joint_count > 0 &&
        carom_evaluation_rate_derivative(at, s->next->position, s->next->smooth_velocity);
    for (int j = 0; j < s->joint_count; j++) {
        const double *row = carom_evaluation_row(at, j);
        carom_saddle_add_column(saddle, 0, j, 1.0, row);
        carom_saddle_add_row(saddle, j, 0, 1.0, row);
        if (is_curved) {
            const double *curvature = carom_evaluation_rate_row(at, j);
            carom_saddle_add_row(saddle, j, 0, h * b, curvature);
            carom_saddle_add_row(saddle, j, 1, h, curvature);
        }
    }
}

/* Borders of the position level: rows 3 to 5 of (44). */
static void assemble_position_border(carom_ggl *ggl, int rows, carom_saddle *saddle) {
    carom_step_context *s = ggl->step;
    const carom_evaluation *at = &s->evaluation;
    const double b = s->galpha.beta / s->galpha.gamma;
    const int first = s->joint_count;
    for (int j = 0; j < rows; j++) {
        const double *row = carom_evaluation_row(at, j);
        const bool is_active = s->next->position_active[j];
        if (is_active || ggl->is_modified) {
            carom_saddle_add_column(saddle, 1, first + j, 1.0, row);
        }
        if (is_active) {
            carom_saddle_add_row(saddle, first + j, 0, b, row);
            carom_saddle_add_row(saddle, first + j, 1, 1.0, row);
        } else {
            carom_saddle_add_corner(saddle, first + j, first + j, 1.0);
            if (ggl->is_modified) {
                carom_saddle_add_corner(saddle, first + j, first + s->m + j, -1.0);
            }
        }
    }
}

/* Borders of the velocity level: rows 6 to 8 of (44). */
static void assemble_velocity_border(carom_ggl *ggl, carom_saddle *saddle) {
    carom_step_context *s = ggl->step;
    carom_evaluation *at = &s->evaluation;
    const double h = s->params.step;
    const double b = s->galpha.beta / s->galpha.gamma;
    const int first = s->joint_count + s->m;
    const bool is_curved =
        s->m > 0 && carom_evaluation_rate_derivative(at, s->next->position, s->next->velocity);
    for (int j = 0; j < at->row_count; j++) {
        if (!s->next->velocity_active[carom_step_deciding_row(s, j)]) {
            carom_saddle_add_corner(saddle, first + j, first + j, 1.0);
            continue;
        }
        const double *row = carom_evaluation_row(at, j);
        carom_saddle_add_column(saddle, 2, first + j, 1.0, row);
        if (j >= s->m) {
            carom_saddle_add_column(saddle, 1, first + j, FRICTION_DISPLACEMENT, row);
        }
        carom_saddle_add_row(saddle, first + j, 0, 1.0, row);
        carom_saddle_add_row(saddle, first + j, 2, 1.0, row);
        if (is_curved) {
            const double *curvature = carom_evaluation_rate_row(at, j);
            carom_saddle_add_row(saddle, first + j, 0, h * b, curvature);
            carom_saddle_add_row(saddle, first + j, 1, h, curvature);
        }
    }
}

const double *carom_ggl_inertia_derivative(carom_ggl *ggl, const double *x, const double *lambda,
                                           const bool *active) {
    carom_step_context *s = ggl->step;
    carom_evaluation *at = &s->evaluation;
    memset(at->stiffness, 0, carom_layout_entry_count(s->mechanism->layout) * sizeof(double));
    carom_evaluation_add_inertia_derivative(at, s->next->position, x, lambda, active,
                                            at->stiffness);
    return at->stiffness;
}

void carom_ggl_tangents(carom_ggl *ggl) {
    carom_step_context *s = ggl->step;
    const carom_step_state *x = s->next;
    carom_evaluation_tangents(&s->evaluation, s->time, x->position, x->velocity);
    carom_evaluation_add_inertia_derivative(&s->evaluation, x->position, x->smooth_acceleration,
                                            x->force, NULL, s->evaluation.stiffness);
    carom_step_scales_keep_tangents(s);
}

void carom_ggl_assemble_smooth(carom_ggl *ggl, carom_saddle *saddle) {
    carom_step_context *s = ggl->step;
    carom_evaluation *at = &s->evaluation;
    const carom_galpha_coefficients *c = &s->galpha;
    const double h = s->params.step;
    carom_ggl_tangents(ggl);
    carom_saddle_add_block(saddle, 0, 0, carom_ggl_acceleration_factor(s), at->mass);
    if (s->mechanism->damping != NULL) {
        carom_saddle_add_block(saddle, 0, 0, h, at->damping);
    }
    carom_saddle_add_block(saddle, 0, 0, h * h * c->beta / c->gamma, at->stiffness);
}

void carom_ggl_assemble_projection(const carom_ggl *ggl, int rows, const bool *active,
                                   carom_saddle *saddle) {
    const carom_evaluation *at = &ggl->step->evaluation;
    carom_saddle_clear(saddle);
    carom_saddle_add_block(saddle, 0, 0, 1.0, at->mass);
    for (int j = 0; j < rows; j++) {
        if (active[j]) {
            const double *row = carom_evaluation_row(at, j);
            carom_saddle_add_column(saddle, 0, j, 1.0, row);
            carom_saddle_add_row(saddle, j, 0, 1.0, row);
        } else {
            carom_saddle_add_corner(saddle, j, j, 1.0);
        }
    }
}

/*[gglMatrix]*/
void carom_ggl_assemble_motion(carom_ggl *ggl, int rows, carom_saddle *saddle) {
    carom_step_context *s = ggl->step;
    carom_evaluation *at = &s->evaluation;
    const carom_step_state *x = s->next;
    const double h = s->params.step;
    const double b = s->galpha.beta / s->galpha.gamma;
    carom_saddle_clear(saddle);

    /* S* = c_M M + h C_t + (beta h^2/gamma) K_t,  then h^2 K_t (45) */
    carom_ggl_assemble_smooth(ggl, saddle);
    carom_saddle_add_block(saddle, 0, 1, h * h, at->stiffness);

    /* M + G^p and (beta/gamma) G^p */
    const bool *reacting = ggl->is_modified ? NULL : x->position_active;
    const double *G_p =
        carom_ggl_inertia_derivative(ggl, x->position_correction, x->position_multiplier, reacting);
    carom_saddle_add_block(saddle, 1, 0, b, G_p);
    carom_saddle_add_block(saddle, 1, 1, 1.0, G_p);
    carom_saddle_add_block(saddle, 1, 1, 1.0, at->mass);

    assemble_smooth_border(ggl, saddle);
    assemble_position_border(ggl, rows, saddle);
}

void carom_ggl_assemble(void *self, carom_saddle *saddle) {
    carom_ggl *ggl = self;
    carom_step_context *s = ggl->step;
    carom_evaluation *at = &s->evaluation;
    const carom_step_state *x = s->next;
    const double h = s->params.step;
    const double b = s->galpha.beta / s->galpha.gamma;
    carom_ggl_assemble_motion(ggl, s->m, saddle);

    /* h C_t (45);  M, (h beta/gamma) G^v and h G^v */
    carom_saddle_add_block(saddle, 0, 2, h, at->damping);
    const double *G_v =
        carom_ggl_inertia_derivative(ggl, x->velocity_jump, x->impulse, x->velocity_active);
    carom_saddle_add_block(saddle, 2, 0, h * b, G_v);
    carom_saddle_add_block(saddle, 2, 1, h, G_v);
    carom_saddle_add_block(saddle, 2, 2, 1.0, at->mass);
    assemble_velocity_border(ggl, saddle);
}
/*[end gglMatrix]*/

void carom_ggl_update(void *self, const double *dx) {
    carom_ggl *ggl = self;
    carom_step_context *s = ggl->step;
    carom_step_state *x = s->next;
    const carom_galpha_coefficients *c = &s->galpha;
    const double h = s->params.step;
    const double c_M = carom_ggl_acceleration_factor(s);
    const int n = s->n;
    for (int i = 0; i < n; i++) {
        const double dv_smooth = dx[i];
        const double dU = h * dx[n + i];
        const double dW = dx[2 * n + i];
        x->smooth_velocity[i] += dv_smooth;
        x->smooth_acceleration[i] += c_M / h * dv_smooth;
        x->position_correction[i] += dU;
        x->position[i] += h * c->beta / c->gamma * dv_smooth + dU;
        x->velocity_jump[i] += dW;
        x->velocity[i] = x->smooth_velocity[i] + x->velocity_jump[i];
    }
    for (int j = 0; j < s->joint_count; j++) {
        x->force[j] -= dx[force_row(s) + j] / h;
    }
    for (int j = 0; j < s->m; j++) {
        x->position_multiplier[j] -= h * dx[position_row(s) + j];
    }
    for (int j = 0; j < s->evaluation.row_count; j++) {
        x->impulse[j] -= dx[velocity_row(s) + j];
    }
}

void carom_ggl_residual_norms(const carom_ggl *ggl, const double *r, const double *scale,
                              double *smooth, double *position, double *velocity) {
    const carom_step_context *s = ggl->step;
    const int n = s->n;
    const int force = force_row(s);
    const int positions = position_row(s);
    const int velocities = velocity_row(s);
    *smooth = fmax(carom_scale_largest_ratio(n, r, scale),
                   carom_scale_largest_ratio(s->joint_count, r + force, scale + force));
    *position = fmax(carom_scale_largest_ratio(n, r + n, scale + n),
                     carom_scale_largest_ratio(s->m, r + positions, scale + positions));
    *velocity = fmax(
        carom_scale_largest_ratio(n, r + 2 * n, scale + 2 * n),
        carom_scale_largest_ratio(s->evaluation.row_count, r + velocities, scale + velocities));
}
