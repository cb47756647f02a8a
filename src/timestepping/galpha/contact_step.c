#include <carom/timestepping/galpha/stepper_internal.h>

#include <carom/base/linear_algebra.h>
#include <carom/timestepping/galpha/contact_level.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct carom_contact_step {
    carom_velocity_level *scheme;
    carom_kept_factor mass;    /* M */
    carom_kept_factor tangent; /* S */
    double *S;                 /* [layout] */
    bool is_inertia;           /* S = M, whose factor serves both */
    double *velocity;          /* [n] v_free, then v */
    double *jump;              /* [n] M^-1 G' Lambda */
    double *inertia;           /* [n] scratch */
    double *doubles;
    carom_contact_level level;
};

static carom_status alloc_arrays(carom_contact_step *c) {
    const carom_evaluation *at = &c->scheme->step->evaluation;
    const size_t n = (size_t)at->n;
    const size_t matrix = carom_layout_entry_count(at->mechanism->layout);
    c->doubles = calloc(3 * matrix + 3 * n + 1, sizeof *c->doubles);
    if (c->doubles == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    c->mass.matrix = c->doubles;
    c->tangent.matrix = c->mass.matrix + matrix;
    c->S = c->tangent.matrix + matrix;
    c->velocity = c->S + matrix;
    c->jump = c->velocity + n;
    c->inertia = c->jump + n;
    return CAROM_OK;
}

/* The row of a contact that is closed, from the impulse of the iterate. */
static void append(carom_contact_step *c, int j, bool is_curved) {
    const carom_step_context *s = c->scheme->step;
    const double support = s->evaluation.supports[j] + carom_step_restituted(s, j);
    const double change = is_curved ? s->params.step * c->scheme->jump_factor : 0.0;
    carom_contact_level_append(&c->level, j, support, s->next->impulse[j], change,
                               s->next->velocity);
}

/* The rows of the joints and of the closed contacts. */
static void gather(void *self, carom_contact_level *level, bool is_curved) {
    carom_contact_step *c = self;
    const carom_step_context *s = c->scheme->step;
    for (int j = 0; j < s->joint_count; j++) {
        append(c, j, is_curved);
    }
    for (int j = s->joint_count; j < s->m; j++) {
        if (!c->scheme->closed[j]) {
            continue;
        }
        append(c, j, is_curved);
        for (int a = 0; a < level->tangents; a++) {
            append(c, s->m + (j - s->joint_count) * level->tangents + a, is_curved);
        }
    }
}

carom_status carom_contact_step_alloc(carom_velocity_level *scheme, carom_contact_step **out) {
    *out = NULL;
    CAROM_AUTO(carom_contact_step) c = calloc(1, sizeof *c);
    if (c == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_step_context *step = scheme->step;
    c->scheme = scheme;
    CAROM_TRY(alloc_arrays(c));
    CAROM_TRY(carom_factor_alloc(step->mechanism->layout, &c->mass.factor));
    CAROM_TRY(carom_factor_alloc(step->mechanism->layout, &c->tangent.factor));
    carom_factor_set_units(c->tangent.factor);
    CAROM_TRY(carom_contact_level_init(&c->level, step, step->evaluation.tangent_count, gather, c));
    c->level.may_rest = true;
    c->level.is_polished = step->evaluation.tangent_count > 0 ||
                           step->params.scheme != CAROM_SCHEME_MOREAU_JEAN ||
                           step->params.rows == CAROM_ROWS_PREDICTED;
    CAROM_HAND_OVER(c, out);
    return CAROM_OK;
}

void carom_contact_step_free(carom_contact_step *step) {
    if (step == NULL) {
        return;
    }
    carom_factor_free(step->mass.factor);
    carom_factor_free(step->tangent.factor);
    carom_contact_level_clear(&step->level);
    free(step->doubles);
    free(step);
}

/* Increments of v~, W and -Lambda that lead to the impulses, and the sets that go with them. */
static void form_increment(carom_contact_step *c, double *increment) {
    const carom_step_context *s = c->scheme->step;
    carom_step_state *x = s->next;
    const int n = s->n;
    memset(c->jump, 0, (size_t)n * sizeof *c->jump);
    carom_contact_level_add_reactions(&c->level, c->jump);
    memcpy(c->inertia, c->jump, (size_t)n * sizeof *c->inertia);
    carom_factor_solve(c->mass.factor, c->jump);
    if (c->is_inertia) {
        memcpy(c->inertia, c->jump, (size_t)n * sizeof *c->inertia);
    } else {
        carom_factor_solve(c->tangent.factor, c->inertia);
    }
    for (int i = 0; i < n; i++) {
        const double dv = c->velocity[i] + c->inertia[i] - x->velocity[i];
        const double dW = c->jump[i] - x->velocity_jump[i];
        increment[i] = dv - dW;
        increment[n + i] = dW;
    }
    double *multipliers = increment + CAROM_VELOCITY_LEVEL_BLOCKS * n;
    memcpy(multipliers, x->impulse, (size_t)s->evaluation.row_count * sizeof *multipliers);
    for (int j = s->joint_count; j < s->m; j++) {
        x->velocity_active[j] = false;
    }
    const carom_contact_level *level = &c->level;
    for (int row = 0; row < level->rows; row++) {
        const int j = level->member[row];
        multipliers[j] -= level->r[row];
        if (j < s->m && j >= s->joint_count) {
            x->velocity_active[j] = level->r[row] > 0.0;
        }
    }
}

carom_contact_level *carom_contact_step_level(carom_contact_step *step) {
    return &step->level;
}

void carom_contact_step_begin(carom_contact_step *step) {
    carom_contact_level_begin(&step->level);
}

/*
 * With v~' and q as functions of v~ and W (50) the linearized step of Moreau-Jean is
 *
 *     (M + h theta C + h^2 theta^2 K) dv~ + (h theta C + h^2 theta^2 K) dW = -theta r1
 *     M dW + h theta G^v dv - G' dLambda = -r2,     r2 = M W - G' Lambda.
 *
 * Their sum is one equation for v = v~ + W, with S = M + h theta (C + G^v) + h^2 theta^2 K:
 *
 *     S (v + dv) = S v_free + G' (Lambda + dLambda),   v_free = v - S^-1 (M W + theta r1),
 *
 * a contact problem of bodies with the mass S; then M (W + dW) = G' (Lambda + dLambda), where G^v
 * dv, of second order at a solution, is left to the next iteration. velocity_galpha has 1/c for
 * theta, and S = M + (h/c) C + h w (G^v + (h/c) K), where h^2 (b - w) K dv~ is left to it too.
 */
/*[contactStep]*/
carom_status carom_contact_step_increment(carom_contact_step *c, double tolerance,
                                          double *increment, int *contact) {
    carom_step_context *s = c->scheme->step;
    carom_evaluation *at = &s->evaluation;
    const carom_layout layout = s->mechanism->layout;
    carom_velocity_level_tangent(c->scheme, c->S);
    c->is_inertia = memcmp(c->S, at->mass, carom_layout_entry_count(layout) * sizeof *c->S) == 0;
    CAROM_TRY(carom_kept_factor_compute(&c->mass, layout, at->mass));
    if (!c->is_inertia) {
        CAROM_TRY(carom_kept_factor_compute(&c->tangent, layout, c->S));
    }
    const bool is_curved =
        s->m > 0 && !c->level.is_plain &&
        carom_evaluation_rate_derivative(at, s->next->position, s->next->velocity);

    /* v_free; the increment holds the residual */
    for (int i = 0; i < s->n; i++) {
        c->inertia[i] = c->scheme->inverse_acceleration * increment[i];
    }
    carom_layout_multiply_add(layout, 1.0, at->mass, s->next->velocity_jump, c->inertia);
    carom_factor_solve(c->is_inertia ? c->mass.factor : c->tangent.factor, c->inertia);
    for (int i = 0; i < s->n; i++) {
        c->velocity[i] = s->next->velocity[i] - c->inertia[i];
    }
    CAROM_TRY(
        carom_contact_level_solve(&c->level, c->S, c->velocity, is_curved, tolerance, contact));
    form_increment(c, increment);
    return CAROM_OK;
}
/*[end contactStep]*/
