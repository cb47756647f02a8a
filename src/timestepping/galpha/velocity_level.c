#include <carom/timestepping/galpha/schemes.h>

#include <carom/timestepping/galpha/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Displacement of a velocity jump over the step, as if it happened in the middle: q = q~ + (h/2) W.
 * An elastic mode of frequency Omega/h sees the contact with the compliance 1 - w Omega^2/(c_M +
 * (beta/gamma) Omega^2), positive for every Omega if and only if w <= beta/gamma. beta/gamma >= 1/2
 * for every spectral radius, while w = 1 leaves the step of a stiff structure without a solution.
 */
static const double GALPHA_JUMP_FACTOR = 0.5;

static double scaled_multiplier(const void *self, int level, int j) {
    const carom_step_context *s = ((const carom_velocity_level *)self)->step;
    return s->next->impulse[(level == 0 ? s->joint_count : s->m) + j];
}

static void eligible_contacts(void *self, int level, const double *dx, bool *contacts) {
    const carom_velocity_level *scheme = self;
    const carom_step_context *s = scheme->step;
    (void)level;
    (void)dx;
    for (int j = s->joint_count; j < s->m; j++) {
        contacts[j - s->joint_count] = scheme->closed[j];
    }
}

/* B = { closed at q* and Lambda - r (G v + e G_n v_n) >= 0 } */
static void activate(void *self) {
    carom_velocity_level *scheme = self;
    carom_step_context *s = scheme->step;
    carom_step_state *x = s->next;
    carom_evaluation_motion(&s->evaluation, s->time, x->position, x->velocity);
    for (int j = s->joint_count; j < s->m; j++) {
        const double restituted = s->evaluation.rate[j] + carom_step_restituted(s, j);
        x->velocity_active[j] =
            scheme->closed[j] && x->impulse[j] - s->activation[j] * restituted >= 0.0;
    }
}

/** Residual: h (M v~' - f);  M W - G_B' Lambda;  G_B v + E G_n v_n or -Lambda: [2n + row_count].
 * With friction G and Lambda go on with H and Lambda_t. */
/*[velocityLevelResidual]*/
static void velocity_level_residual(void *self, double *r) {
    carom_velocity_level *scheme = self;
    carom_step_context *s = scheme->step;
    carom_evaluation *at = &s->evaluation;
    const carom_step_state *x = s->next;
    const carom_layout layout = s->mechanism->layout;
    const double h = s->params.step;
    const int n = s->n;
    memset(r, 0, (size_t)(CAROM_VELOCITY_LEVEL_BLOCKS * n + at->row_count) * sizeof *r);
    carom_evaluation_motion(at, s->time, x->position, x->velocity);

    /* (50a): h (M v~' - f), free of every reaction */
    carom_layout_multiply_add(layout, h, at->mass, x->smooth_acceleration, r);
    for (int i = 0; i < n; i++) {
        r[i] -= h * at->force[i];
    }
    /* (50b): M W - G_B' Lambda_B */
    carom_layout_multiply_add(layout, 1.0, at->mass, x->velocity_jump, r + n);
    for (int j = 0; j < at->row_count; j++) {
        if (x->velocity_active[carom_step_deciding_row(s, j)]) {
            carom_evaluation_add_row(at, j, -x->impulse[j], r + n);
        }
    }
    /* (50c,d): G_B v + E G_n v_n, and -Lambda on the inactive rows */
    for (int j = 0; j < at->row_count; j++) {
        r[2 * n + j] = x->velocity_active[carom_step_deciding_row(s, j)]
                           ? at->rate[j] + carom_step_restituted(s, j)
                           : -x->impulse[j];
    }
}
/*[end velocityLevelResidual]*/

static void friction_rows(void *self, double *r) {
    const carom_step_context *s = ((carom_velocity_level *)self)->step;
    carom_step_friction_residual(s, r + CAROM_VELOCITY_LEVEL_BLOCKS * s->n + s->m);
}

static void scale_rows(void *self, double *scale) {
    carom_step_context *s = ((carom_velocity_level *)self)->step;
    carom_step_scales_compute(s);
    for (int block = 0; block < CAROM_VELOCITY_LEVEL_BLOCKS; block++) {
        memcpy(scale + block * s->n, s->scales.momentum, (size_t)s->n * sizeof *scale);
    }
    double *constraints = scale + CAROM_VELOCITY_LEVEL_BLOCKS * s->n;
    for (int j = 0; j < s->m; j++) {
        constraints[j] = carom_step_scales_of(s, j, s->scales.rate, s->next->velocity_active[j]);
    }
    carom_step_friction_scale(s, constraints + s->m);
}

static void assemble_border(carom_velocity_level *scheme, carom_saddle *saddle) {
    carom_step_context *s = scheme->step;
    carom_evaluation *at = &s->evaluation;
    const double h = s->params.step;
    const bool is_curved =
        s->m > 0 && carom_evaluation_rate_derivative(at, s->next->position, s->next->velocity);
    for (int j = 0; j < at->row_count; j++) {
        if (!s->next->velocity_active[carom_step_deciding_row(s, j)]) {
            carom_saddle_add_corner(saddle, j, j, 1.0);
            continue;
        }
        const double *row = carom_evaluation_row(at, j);
        carom_saddle_add_column(saddle, 1, j, 1.0, row);
        carom_saddle_add_row(saddle, j, 0, 1.0, row);
        carom_saddle_add_row(saddle, j, 1, 1.0, row);
        if (is_curved) {
            const double *curvature = carom_evaluation_rate_row(at, j);
            carom_saddle_add_row(saddle, j, 0, h * scheme->smooth_factor, curvature);
            carom_saddle_add_row(saddle, j, 1, h * scheme->jump_factor, curvature);
        }
    }
}

static void assemble(void *self, carom_saddle *saddle) {
    carom_velocity_level *scheme = self;
    carom_step_context *s = scheme->step;
    carom_evaluation *at = &s->evaluation;
    const carom_step_state *x = s->next;
    const double h = s->params.step;
    const double b = scheme->smooth_factor;
    const double w = scheme->jump_factor;
    carom_saddle_clear(saddle);

    /* c M + h C + h^2 b K and h C + h^2 w K, with K = d(M v~' - f)/dq */
    carom_evaluation_tangents(at, s->time, x->position, x->velocity);
    carom_evaluation_add_inertia_derivative(at, x->position, x->smooth_acceleration, x->force, NULL,
                                            at->stiffness);
    carom_step_scales_keep_tangents(s);
    carom_saddle_add_block(saddle, 0, 0, scheme->acceleration_factor, at->mass);
    carom_saddle_add_block(saddle, 0, 0, h, at->damping);
    carom_saddle_add_block(saddle, 0, 0, h * h * b, at->stiffness);
    carom_saddle_add_block(saddle, 0, 1, h, at->damping);
    carom_saddle_add_block(saddle, 0, 1, h * h * w, at->stiffness);

    /* M + h w G^v and h b G^v, with G^v = d(M W - G_B' Lambda)/dq */
    memset(at->stiffness, 0, carom_layout_entry_count(s->mechanism->layout) * sizeof(double));
    carom_evaluation_add_inertia_derivative(at, x->position, x->velocity_jump, x->impulse,
                                            x->velocity_active, at->stiffness);
    carom_saddle_add_block(saddle, 1, 0, h * b, at->stiffness);
    carom_saddle_add_block(saddle, 1, 1, h * w, at->stiffness);
    carom_saddle_add_block(saddle, 1, 1, 1.0, at->mass);
    assemble_border(scheme, saddle);
}

/* q = q_n exp(h (1-theta) v_n) exp(h theta v): of second order for theta = 1/2, and itself
 * backwards.
 */
static void place(carom_step_context *step) {
    const double h = step->params.step;
    double *way = step->evaluation.coordinate;
    for (int i = 0; i < step->n; i++) {
        way[i] = h * (1.0 - step->theta) * step->last->velocity[i];
    }
    carom_mechanism_advance(step->mechanism, step->last->position, way, step->next->position);
    for (int i = 0; i < step->n; i++) {
        way[i] = h * step->theta * step->next->velocity[i];
    }
    carom_mechanism_advance(step->mechanism, step->next->position, way, step->next->position);
}

/* M + (h/c) C + h w (G^v + (h/c) K), K and G^v as above, 1/c = w = theta of Moreau-Jean. Of rows by
 * their entries G^v would couple all bodies that touch; without it an iteration leaves the part
 * O(h) of an error.
 */
void carom_velocity_level_tangent(carom_velocity_level *scheme, double *S) {
    carom_step_context *s = scheme->step;
    carom_evaluation *at = &s->evaluation;
    const carom_step_state *x = s->next;
    const carom_layout layout = s->mechanism->layout;
    const double h_c = s->params.step * scheme->inverse_acceleration;
    const double h_w = s->params.step * scheme->jump_factor;
    const bool has_inertia = at->row_start == NULL || s->mechanism->mass_derivative != NULL;
    memcpy(S, at->mass, carom_layout_entry_count(layout) * sizeof *S);
    if (!has_inertia && s->mechanism->damping == NULL && s->mechanism->stiffness == NULL) {
        return;
    }
    carom_evaluation_tangents(at, s->time, x->position, x->velocity);
    if (has_inertia) {
        carom_evaluation_add_inertia_derivative(at, x->position, x->smooth_acceleration, x->force,
                                                NULL, at->stiffness);
    }
    carom_step_scales_keep_tangents(s);
    if (s->mechanism->damping != NULL) {
        carom_layout_add(layout, h_c, at->damping, S);
    }
    if (s->mechanism->stiffness != NULL || has_inertia) {
        carom_layout_add(layout, h_c * h_w, at->stiffness, S);
    }
    if (has_inertia) {
        const bool *active = at->row_start == NULL ? x->velocity_active : NULL;
        const double *reactions = at->row_start == NULL ? x->impulse : x->force; /* zero */
        memset(at->stiffness, 0, carom_layout_entry_count(layout) * sizeof *at->stiffness);
        carom_evaluation_add_inertia_derivative(at, x->position, x->velocity_jump, reactions,
                                                active, at->stiffness);
        carom_layout_add(layout, h_w, at->stiffness, S);
    }
}

static carom_status solve_contacts(void *self, double tolerance, double *increment, int *contact) {
    carom_velocity_level *scheme = self;
    return carom_contact_step_increment(scheme->contacts, tolerance, increment, contact);
}

carom_status carom_velocity_level_use_contacts(carom_velocity_level *scheme) {
    if (scheme->contacts == NULL) {
        CAROM_TRY(carom_contact_step_alloc(scheme, &scheme->contacts));
    }
    scheme->problem.solve = solve_contacts;
    return CAROM_OK;
}

static void update(void *self, const double *dx) {
    carom_velocity_level *scheme = self;
    carom_step_context *s = scheme->step;
    carom_step_state *x = s->next;
    const double h = s->params.step;
    const int n = s->n;
    for (int i = 0; i < n; i++) {
        x->smooth_velocity[i] += dx[i];
        x->smooth_acceleration[i] += scheme->acceleration_factor / h * dx[i];
        x->velocity_jump[i] += dx[n + i];
        x->velocity[i] = x->smooth_velocity[i] + x->velocity_jump[i];
        x->position[i] += h * (scheme->smooth_factor * dx[i] + scheme->jump_factor * dx[n + i]);
    }
    if (s->mechanism->rotation_count > 0) { /* the increments above are those of a sum */
        place(s);
    }
    for (int j = 0; j < s->evaluation.row_count; j++) {
        x->impulse[j] -= dx[2 * n + j];
    }
}

void carom_velocity_level_factors(const carom_step_context *step, double *acceleration_factor,
                                  double *smooth_factor, double *jump_factor) {
    const carom_galpha_coefficients *c = &step->galpha;
    if (step->params.scheme == CAROM_SCHEME_MOREAU_JEAN) {
        *acceleration_factor = 1.0 / step->theta;
        *smooth_factor = step->theta;
        *jump_factor = step->theta;
    } else {
        *acceleration_factor = (1.0 - c->alpha_m) / ((1.0 - c->alpha_f) * c->gamma);
        *smooth_factor = c->beta / c->gamma;
        *jump_factor = GALPHA_JUMP_FACTOR;
    }
}

carom_status carom_velocity_level_init(carom_velocity_level *scheme, carom_step_context *step) {
    *scheme = (carom_velocity_level){.step = step};
    scheme->closed = calloc((size_t)step->m + 1, sizeof(bool));
    const size_t positions = (size_t)carom_mechanism_position_count(step->mechanism);
    scheme->predicted = calloc(positions + (size_t)step->m, sizeof(double));
    if (scheme->closed == NULL || scheme->predicted == NULL) {
        carom_velocity_level_clear(scheme);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    scheme->closed_gap = scheme->predicted + positions;
    carom_velocity_level_factors(step, &scheme->acceleration_factor, &scheme->smooth_factor,
                                 &scheme->jump_factor);
    scheme->inverse_acceleration = step->params.scheme == CAROM_SCHEME_MOREAU_JEAN
                                       ? step->theta /* to the bit */
                                       : 1.0 / scheme->acceleration_factor;
    scheme->problem = (carom_newton_problem){
        .self = scheme,
        .level_count = 1,
        .tangent_count = step->evaluation.tangent_count,
        .first_multiplier = {step->joint_count, step->m},
        .coefficients = step->mechanism->friction,
        .friction = friction_rows,
        .predict = carom_velocity_level_predict,
        .activate = activate,
        .residual = velocity_level_residual,
        .scale = scale_rows,
        .assemble = assemble,
        .update = update,
        .multiplier = scaled_multiplier,
        .eligible = eligible_contacts,
    };
    return CAROM_OK;
}

void carom_velocity_level_clear(carom_velocity_level *scheme) {
    carom_contact_step_free(scheme->contacts);
    free(scheme->closed);
    free(scheme->predicted);
    *scheme = (carom_velocity_level){0};
}

double carom_velocity_level_foresight(const carom_step_context *step) {
    switch (step->params.predictor) {
    case CAROM_PREDICTOR_HALF_STEP:
        return 0.5;
    case CAROM_PREDICTOR_FULL_STEP:
        return 1.0;
    case CAROM_PREDICTOR_CURRENT:
        return 0.0;
    case CAROM_PREDICTOR_NEXT_STEP:
        break;
    }
    /* a step without the contact moves h v_n, that which stops it (1 - w) h v_n */
    double acceleration;
    double smooth;
    double jump;
    carom_velocity_level_factors(step, &acceleration, &smooth, &jump);
    return 2.0 - jump;
}

void carom_velocity_level_closed_contacts(carom_step_context *step, double *predicted,
                                          bool *closed) {
    /* q* = q_n + kappa h v_n, s* = s_n + kappa h w_n */
    const double kappa = carom_velocity_level_foresight(step);
    double *way = step->evaluation.coordinate;
    for (int i = 0; i < step->n; i++) {
        way[i] = kappa * step->params.step * step->last->velocity[i];
    }
    carom_mechanism_advance(step->mechanism, step->last->position, way, predicted);
    carom_evaluation_constraints(&step->evaluation, step->last->time, predicted);
    carom_evaluation_supports(&step->evaluation, step->last->time);
    for (int j = 0; j < step->m; j++) {
        step->evaluation.constraint[j] += kappa * step->params.step * step->evaluation.supports[j];
        closed[j] =
            j < step->joint_count || carom_step_is_closed(step, j, step->evaluation.constraint[j]);
    }
}

/* v~ = v_n + h (1-theta) v~'_n, and q with that velocity */
void carom_moreau_jean_predict(carom_step_context *step) {
    const double h = step->params.step;
    const double theta = step->theta;
    for (int i = 0; i < step->n; i++) {
        const double v_n = step->last->velocity[i];
        const double v = v_n + h * (1.0 - theta) * step->last->smooth_acceleration[i];
        step->next->smooth_velocity[i] = v;
        step->next->velocity[i] = v;
        step->next->smooth_acceleration[i] = 0.0;
    }
    place(step);
}

/* A contact that pressed stays closed while its gap grows no more than the tolerance lets it: that
 * would open it for a step now and then, and what leans on it would begin to creep. */
static void keep_closed(carom_velocity_level *scheme) {
    const carom_step_context *s = scheme->step;
    for (int j = s->joint_count; j < s->m; j++) {
        const double gap = s->evaluation.constraint[j];
        if (s->last->impulse[j] > 0.0) {
            scheme->closed[j] =
                scheme->closed[j] ||
                gap - scheme->closed_gap[j] <= s->params.tolerance * carom_step_gap_size(s, j);
        }
        scheme->closed_gap[j] = scheme->closed[j] ? gap : -(double)INFINITY;
    }
}

void carom_velocity_level_predict(void *self) {
    carom_velocity_level *scheme = self;
    carom_step_context *s = scheme->step;
    carom_step_state *next = s->next;
    carom_velocity_level_closed_contacts(s, scheme->predicted, scheme->closed);
    const bool goes_on = s->evaluation.tangent_count > 0 || scheme->contacts != NULL;
    if (goes_on) {
        keep_closed(scheme);
    }
    if (s->params.scheme == CAROM_SCHEME_MOREAU_JEAN) {
        carom_moreau_jean_predict(s);
    } else {
        carom_galpha_predict(s);
    }
    for (int i = 0; i < s->n; i++) {
        next->velocity_jump[i] = 0.0;
        next->position_correction[i] = 0.0;
    }
    for (int j = 0; j < s->evaluation.row_count; j++) {
        next->impulse[j] = 0.0;
        next->force[j] = 0.0;
        next->position_multiplier[j] = 0.0;
        next->position_active[j] = false;
        next->velocity_active[j] = j < s->joint_count;
        /* contact problems start from what the last one ended with */
        if (goes_on && scheme->closed[carom_step_deciding_row(s, j)] &&
            (j >= s->joint_count || scheme->contacts != NULL)) {
            next->impulse[j] = s->last->impulse[j];
        }
    }
    if (scheme->contacts != NULL) {
        carom_contact_step_begin(scheme->contacts);
    }
    scheme->problem.active[0] = next->velocity_active + s->joint_count;
}
