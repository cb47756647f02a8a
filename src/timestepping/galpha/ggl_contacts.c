#include <carom/timestepping/galpha/stepper_internal.h>

#include <carom/base/linear_algebra.h>
#include <carom/timestepping/galpha/contact_level.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An iteration gains two digits and more: so many that have not found the friction of the step with
 * what it displaces, do not. */
enum { COUPLED_ITERATIONS = 8 };

/*
 * The linearized step by three contact problems over the rows of its joints and contacts in turn,
 * with the matrices of (45)
 *
 *     smooth     S* = c_M M + h C + h^2 b K,    unknown v~,   impulses h lambda~ of the joints
 *     velocity   M + (h/c_M) C,                 v,            Lambda of joints and closed contacts
 *     position   M + h^2 (b/c_M) K,             dq/h,         nu/h of joints and all contacts
 *
 * b = beta/gamma. C and K couple the levels: of W and U the smooth motion is told, and what it
 * answers is in the matrices of these levels, but for products C K. What a level cannot know yet -
 * dU in the rows of the velocity level - is left to the next iteration, with d(M U - G' nu)/dq and
 * d(M W - G' Lambda)/dq, which would couple all bodies that touch: the part O(h) of an error.
 */
struct carom_ggl_contacts {
    carom_ggl *ggl;
    int iterations;             /* of this step */
    carom_kept_factor mass;     /* M */
    carom_kept_factor inertia;  /* S* */
    carom_kept_factor velocity; /* of the velocity level, where there is damping */
    carom_kept_factor position; /* of the position level, where there is stiffness */
    double *S;                  /* [layout] S* */
    double *S_v;                /* [layout] */
    double *S_p;                /* [layout] */
    double *damping;            /* [layout] C */
    double *stiffness;          /* [layout] K */
    double *dv;                 /* [n] of v~ */
    double *dU;                 /* [n] over h */
    double *dW;                 /* [n] */
    double *shift;              /* [n] dq/h */
    double *free_motion;        /* [n] of a level */
    double *impulse;            /* [row_count] Lambda of this iteration */
    bool *closed;               /* [n_u] at q~, or held */
    bool *held;                 /* [m] in this step */
    double *numbers;
    carom_contact_level smooth;
    carom_contact_level velocities;
    carom_contact_level positions;
};

static double *next_matrix(double **room, size_t entries) {
    double *matrix = *room;
    *room += entries;
    return matrix;
}

static carom_status alloc_arrays(carom_ggl_contacts *c) {
    const carom_evaluation *at = &c->ggl->step->evaluation;
    const carom_layout layout = at->mechanism->layout;
    const size_t n = (size_t)at->n;
    const size_t rows = (size_t)at->row_count;
    const size_t matrix = carom_layout_entry_count(layout);
    c->numbers = calloc(9 * matrix + 5 * n + rows + 1, sizeof *c->numbers);
    c->closed = calloc(2 * rows + 1, sizeof *c->closed);
    if (c->numbers == NULL || c->closed == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    c->held = c->closed + rows;
    double *room = c->numbers;
    double **const matrices[] = {&c->S, &c->S_v, &c->S_p, &c->damping, &c->stiffness};
    for (int k = 0; k < 5; k++) {
        *matrices[k] = next_matrix(&room, matrix);
    }
    carom_kept_factor *const factors[] = {&c->mass, &c->inertia, &c->velocity, &c->position};
    for (int k = 0; k < 4; k++) {
        factors[k]->matrix = next_matrix(&room, matrix);
        CAROM_TRY(carom_factor_alloc(layout, &factors[k]->factor));
    }
    c->dv = room;
    c->dU = c->dv + n;
    c->dW = c->dU + n;
    c->shift = c->dW + n;
    c->free_motion = c->shift + n;
    c->impulse = c->free_motion + n;
    return CAROM_OK;
}

void carom_ggl_contacts_free(carom_ggl_contacts *contacts) {
    if (contacts == NULL) {
        return;
    }
    carom_factor_free(contacts->mass.factor);
    carom_factor_free(contacts->inertia.factor);
    carom_factor_free(contacts->velocity.factor);
    carom_factor_free(contacts->position.factor);
    carom_contact_level_clear(&contacts->smooth);
    carom_contact_level_clear(&contacts->velocities);
    carom_contact_level_clear(&contacts->positions);
    free(contacts->numbers);
    free(contacts->closed);
    free(contacts);
}

/* --- rows --------------------------------------------------------------------------------------
 */

/* G (v~ + dv~) + w = 0 of the joints, with d(G v~)/dq. */
static void gather_smooth(void *self, carom_contact_level *level, bool is_curved) {
    const carom_ggl_contacts *c = self;
    const carom_step_context *s = c->ggl->step;
    const double h = s->params.step;
    const double change = is_curved ? h * s->galpha.beta / s->galpha.gamma : 0.0;
    for (int j = 0; j < s->joint_count; j++) {
        carom_contact_level_append(level, j, s->evaluation.supports[j], h * s->next->force[j],
                                   change, s->next->smooth_velocity);
    }
}

static void append_velocity(const carom_ggl_contacts *c, carom_contact_level *level, int j,
                            bool is_curved) {
    const carom_step_context *s = c->ggl->step;
    double support = s->evaluation.supports[j] + carom_step_restituted(s, j);
    if (is_curved) {
        support += s->params.step * carom_evaluation_rate_product(&s->evaluation, j, c->shift);
    }
    carom_contact_level_append(level, j, support, s->next->impulse[j], 0.0, NULL);
}

/* G v + w + e u_n of joints, and of contacts that are closed. */
static void gather_velocities(void *self, carom_contact_level *level, bool is_curved) {
    const carom_ggl_contacts *c = self;
    const carom_step_context *s = c->ggl->step;
    for (int j = 0; j < s->joint_count; j++) {
        append_velocity(c, level, j, is_curved);
    }
    for (int j = s->joint_count; j < s->m; j++) {
        const int contact = j - s->joint_count;
        if (!c->closed[contact]) {
            continue;
        }
        append_velocity(c, level, j, is_curved);
        for (int a = 0; a < level->tangents; a++) {
            append_velocity(c, level, s->m + contact * level->tangents + a, is_curved);
        }
    }
}

/* (g + G dq)/h of joints, and of contacts that are there; nu/h - Lambda of those where both levels
 * are coupled. */
static void gather_positions(void *self, carom_contact_level *level, bool is_curved) {
    (void)is_curved;
    const carom_ggl_contacts *c = self;
    const carom_step_context *s = c->ggl->step;
    const double h = s->params.step;
    for (int j = 0; j < s->m; j++) {
        if (!carom_evaluation_has_row(&s->evaluation, j)) {
            continue;
        }
        const bool is_coupled = c->ggl->is_modified && j >= s->joint_count;
        const double impulse =
            s->next->position_multiplier[j] / h - (is_coupled ? s->next->impulse[j] : 0.0);
        carom_contact_level_append(level, j, s->evaluation.constraint[j] / h, impulse, 0.0, NULL);
    }
}

carom_status carom_ggl_contacts_alloc(carom_ggl *ggl, carom_ggl_contacts **out) {
    *out = NULL;
    CAROM_AUTO(carom_ggl_contacts) c = calloc(1, sizeof *c);
    if (c == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    c->ggl = ggl;
    const int tangents = ggl->step->evaluation.tangent_count;
    CAROM_TRY(alloc_arrays(c));
    CAROM_TRY(carom_contact_level_init(&c->smooth, ggl->step, 0, gather_smooth, c));
    CAROM_TRY(carom_contact_level_init(&c->velocities, ggl->step, tangents, gather_velocities, c));
    CAROM_TRY(carom_contact_level_init(&c->positions, ggl->step, 0, gather_positions, c));
    c->velocities.may_rest = true;
    c->smooth.is_polished = true;
    c->velocities.is_polished = true;
    c->positions.is_polished = true;
    CAROM_HAND_OVER(c, out);
    return CAROM_OK;
}

carom_contact_level *carom_ggl_contacts_level(carom_ggl_contacts *contacts, int k) {
    carom_contact_level *const levels[CAROM_GGL_LEVELS] = {&contacts->smooth, &contacts->velocities,
                                                           &contacts->positions};
    return levels[k];
}

void carom_ggl_contacts_begin(carom_ggl_contacts *contacts) {
    contacts->iterations = 0;
    carom_contact_level_begin(&contacts->smooth);
    carom_contact_level_begin(&contacts->velocities);
    carom_contact_level_begin(&contacts->positions);
    memset(contacts->held, 0, (size_t)contacts->ggl->step->m * sizeof *contacts->held);
}

/* --- levels ------------------------------------------------------------------------------------
 */

/* M, S* and the matrices of the levels at the iterate, factored. */
static carom_status factor_matrices(carom_ggl_contacts *c) {
    carom_step_context *s = c->ggl->step;
    carom_evaluation *at = &s->evaluation;
    const carom_layout layout = s->mechanism->layout;
    const double h = s->params.step;
    const double b = s->galpha.beta / s->galpha.gamma;
    const double c_M = carom_ggl_acceleration_factor(s);
    const size_t bytes = carom_layout_entry_count(layout) * sizeof *c->S;
    carom_ggl_tangents(c->ggl);
    memcpy(c->damping, at->damping, bytes);
    memcpy(c->stiffness, at->stiffness, bytes);
    memset(c->S, 0, bytes);
    carom_layout_add(layout, c_M, at->mass, c->S);
    carom_layout_add(layout, h, c->damping, c->S);
    carom_layout_add(layout, h * h * b, c->stiffness, c->S);
    memcpy(c->S_v, at->mass, bytes);
    carom_layout_add(layout, h / c_M, c->damping, c->S_v);
    memcpy(c->S_p, at->mass, bytes);
    carom_layout_add(layout, h * h * b / c_M, c->stiffness, c->S_p);
    CAROM_TRY(carom_kept_factor_compute(&c->mass, layout, at->mass));
    CAROM_TRY(carom_kept_factor_compute(&c->inertia, layout, c->S));
    CAROM_TRY(carom_kept_factor_compute(&c->velocity, layout, c->S_v));
    return carom_kept_factor_compute(&c->position, layout, c->S_p);
}

/* S* (v~ + dv~) = S* v~ - r1 + G' h dlambda~: v~ without the joints, then dv~. */
static carom_status solve_smooth(carom_ggl_contacts *c, const double *r1, double tolerance,
                                 int *contact) {
    carom_step_context *s = c->ggl->step;
    const int n = s->n;
    for (int i = 0; i < n; i++) {
        c->dv[i] = -r1[i];
    }
    for (int j = 0; j < s->joint_count; j++) {
        carom_evaluation_add_row(&s->evaluation, j, -s->params.step * s->next->force[j], c->dv);
    }
    memcpy(c->free_motion, c->dv, (size_t)n * sizeof *c->dv);
    carom_factor_solve(c->inertia.factor, c->free_motion);
    for (int i = 0; i < n; i++) {
        c->free_motion[i] += s->next->smooth_velocity[i];
    }
    const bool is_curved =
        s->joint_count > 0 && carom_evaluation_rate_derivative(&s->evaluation, s->next->position,
                                                               s->next->smooth_velocity);
    CAROM_TRY(
        carom_contact_level_solve(&c->smooth, c->S, c->free_motion, is_curved, tolerance, contact));
    carom_contact_level_add_reactions(&c->smooth, c->dv);
    carom_factor_solve(c->inertia.factor, c->dv);
    return CAROM_OK;
}

/* dv~ -= S*^-1 A x: what the smooth motion answers. */
static void answer(carom_ggl_contacts *c, double factor, const double *A, const double *x) {
    const carom_step_context *s = c->ggl->step;
    memset(c->free_motion, 0, (size_t)s->n * sizeof *c->free_motion);
    carom_layout_multiply_add(s->mechanism->layout, factor, A, x, c->free_motion);
    carom_factor_solve(c->inertia.factor, c->free_motion);
    for (int i = 0; i < s->n; i++) {
        c->dv[i] -= c->free_motion[i];
    }
}

/* S_v v = S_v (v~ + dv~ + W) - M W + G' Lambda, M (W + dW) = G' Lambda. */
static carom_status solve_velocities(carom_ggl_contacts *c, double tolerance, int *contact) {
    carom_step_context *s = c->ggl->step;
    carom_evaluation *at = &s->evaluation;
    const carom_step_state *x = s->next;
    const carom_layout layout = s->mechanism->layout;
    const bool is_curved =
        s->m > 0 && carom_evaluation_rate_derivative(at, x->position, x->velocity);
    const double b = s->galpha.beta / s->galpha.gamma;
    for (int i = 0; i < s->n; i++) {
        c->shift[i] = b * c->dv[i] + c->dU[i];
    }
    carom_ggl_closed_contacts(c->ggl, c->dv, c->closed);
    for (int j = s->joint_count; j < s->m; j++) {
        c->closed[j - s->joint_count] = c->closed[j - s->joint_count] || c->held[j];
    }
    memset(c->free_motion, 0, (size_t)s->n * sizeof *c->free_motion);
    carom_layout_multiply_add(layout, 1.0, at->mass, x->velocity_jump, c->free_motion);
    carom_factor_solve(c->velocity.factor, c->free_motion);
    for (int i = 0; i < s->n; i++) {
        c->free_motion[i] =
            x->smooth_velocity[i] + c->dv[i] + x->velocity_jump[i] - c->free_motion[i];
    }
    CAROM_TRY(carom_contact_level_solve(&c->velocities, c->S_v, c->free_motion, is_curved,
                                        tolerance, contact));
    memset(c->dW, 0, (size_t)s->n * sizeof *c->dW);
    carom_contact_level_add_reactions(&c->velocities, c->dW);
    carom_factor_solve(c->mass.factor, c->dW);
    for (int i = 0; i < s->n; i++) {
        c->dW[i] -= x->velocity_jump[i];
    }
    memset(c->impulse, 0, (size_t)at->row_count * sizeof *c->impulse);
    for (int row = 0; row < c->velocities.rows; row++) {
        c->impulse[c->velocities.member[row]] = c->velocities.r[row];
    }
    if (s->mechanism->damping != NULL) {
        answer(c, s->params.step, c->damping, c->dW);
    }
    return CAROM_OK;
}

/* S_p dq/h = S_p b dv~ - M U/h + F/h + G' nu/h, M (U + dU) = F + G' nu, F the displacement of
 * friction, and where both levels are coupled that of Lambda. */
static carom_status solve_positions(carom_ggl_contacts *c, double tolerance, int *contact) {
    carom_step_context *s = c->ggl->step;
    carom_evaluation *at = &s->evaluation;
    const carom_step_state *x = s->next;
    const double h = s->params.step;
    const double b = s->galpha.beta / s->galpha.gamma;
    double *given = c->dU; /* F/h */
    memset(given, 0, (size_t)s->n * sizeof *given);
    carom_ggl_add_displacement(c->ggl, 1.0, given);
    for (int j = s->joint_count; j < s->m && c->ggl->is_modified; j++) {
        carom_evaluation_add_row(at, j, x->impulse[j], given);
    }
    memcpy(c->free_motion, given, (size_t)s->n * sizeof *given);
    carom_layout_multiply_add(s->mechanism->layout, -1.0 / h, at->mass, x->position_correction,
                              c->free_motion);
    carom_factor_solve(c->position.factor, c->free_motion);
    for (int i = 0; i < s->n; i++) {
        c->free_motion[i] += b * c->dv[i];
    }
    carom_evaluation_constraints(at, s->time, x->position);
    CAROM_TRY(carom_contact_level_solve(&c->positions, c->S_p, c->free_motion, false, tolerance,
                                        contact));
    carom_contact_level_add_reactions(&c->positions, given);
    carom_factor_solve(c->mass.factor, given);
    for (int i = 0; i < s->n; i++) {
        c->dU[i] = given[i] - x->position_correction[i] / h;
    }
    if (s->mechanism->stiffness != NULL) {
        answer(c, h * h, c->stiffness, c->dU);
    }
    return CAROM_OK;
}

/* Contacts that press at the position level, and pressed in the last step. */
static void hold_contacts(carom_ggl_contacts *c) {
    const carom_step_context *s = c->ggl->step;
    for (int row = c->positions.joints; row < c->positions.rows && !c->ggl->is_modified; row++) {
        const int j = c->positions.member[row];
        c->held[j] = c->held[j] || (c->positions.r[row] > 0.0 && s->last->impulse[j] > 0.0);
    }
}

bool carom_ggl_contacts_knows_friction(const carom_ggl_contacts *contacts) {
    return contacts->iterations > COUPLED_ITERATIONS;
}

bool carom_ggl_contacts_holds(const carom_ggl_contacts *contacts, int j) {
    return contacts->held[j];
}

/* What carom_ggl_update adds to come to the motion and the multipliers of the levels. */
static void form_increment(const carom_ggl_contacts *c, double *increment) {
    const carom_step_context *s = c->ggl->step;
    const carom_step_state *x = s->next;
    const double h = s->params.step;
    const size_t bytes = (size_t)s->n * sizeof *increment;
    memcpy(increment, c->dv, bytes);
    memcpy(increment + s->n, c->dU, bytes);
    memcpy(increment + 2 * s->n, c->dW, bytes);
    double *forces = increment + CAROM_GGL_BLOCKS * s->n;
    double *positions = forces + s->joint_count;
    double *impulses = positions + s->m;
    for (int j = 0; j < s->joint_count; j++) {
        forces[j] = h * x->force[j] - c->smooth.r[j];
    }
    for (int j = 0; j < s->m; j++) {
        const bool is_coupled = c->ggl->is_modified && j >= s->joint_count;
        positions[j] = x->position_multiplier[j] / h - (is_coupled ? x->impulse[j] : 0.0);
    }
    for (int row = 0; row < c->positions.rows; row++) {
        positions[c->positions.member[row]] -= c->positions.r[row];
    }
    for (int j = 0; j < s->evaluation.row_count; j++) {
        impulses[j] = x->impulse[j] - c->impulse[j];
    }
}

carom_status carom_ggl_contacts_increment(carom_ggl_contacts *contacts, double tolerance,
                                          double *increment, int *contact) {
    contacts->iterations++;
    CAROM_TRY(factor_matrices(contacts));
    CAROM_TRY(solve_smooth(contacts, increment, tolerance, contact));
    CAROM_TRY(solve_positions(contacts, tolerance, contact));
    hold_contacts(contacts);
    CAROM_TRY(solve_velocities(contacts, tolerance, contact));
    form_increment(contacts, increment);
    return CAROM_OK;
}
