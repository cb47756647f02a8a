#include <carom/timestepping/galpha/schemes.h>

#include <carom/base/vector.h>

#include <stdlib.h>
#include <string.h>

/*
 * Without damping no row of (44) above the velocity level knows W or Lambda: S is block lower
 * triangular,
 *
 *     [ S_1  0   ] [ dx_1 ]     [ r_1 ]      x_1 = (v~, U, lambda~, nu),  x_2 = (W, Lambda),
 *     [ C    S_2 ] [ dx_2 ] = - [ r_2 ],
 *
 * and two systems of some 2/3 and 1/3 of its size, S_2 that of (49), take the place of one. Where a
 * level imposes no contact, the rows of its contacts say x = -r, and only the joints are solved
 * for.
 */
struct carom_ggl_blocks {
    carom_saddle *motion[2];   /* S_1 of the joints alone, and with the contacts */
    carom_saddle *velocity[2]; /* S_2 likewise */
    double *first;             /* [2n + n_b + m] */
    double *second;            /* [n + m] */
    double *shift;             /* [n] dq */
};

carom_status carom_ggl_blocks_alloc(const carom_step_context *step, carom_ggl_blocks **out) {
    *out = NULL;
    CAROM_AUTO(carom_ggl_blocks) blocks = calloc(1, sizeof *blocks);
    if (blocks == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const carom_layout layout = step->mechanism->layout;
    const size_t n = (size_t)step->n;
    const size_t m = (size_t)step->m;
    const size_t p = m + (size_t)step->joint_count;
    for (int k = 0; k < 2; k++) {
        const int rows = k == 0 ? step->joint_count : step->m;
        CAROM_TRY(carom_saddle_alloc(layout, 2, step->joint_count + rows, &blocks->motion[k]));
        CAROM_TRY(carom_saddle_alloc(layout, 1, rows, &blocks->velocity[k]));
    }
    blocks->first = calloc(2 * n + p + n + m + n, sizeof(double));
    if (blocks->first == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    blocks->second = blocks->first + 2 * n + p;
    blocks->shift = blocks->second + n + m;
    CAROM_HAND_OVER(blocks, out);
    return CAROM_OK;
}

void carom_ggl_blocks_free(carom_ggl_blocks *blocks) {
    if (blocks == NULL) {
        return;
    }
    for (int k = 0; k < 2; k++) {
        carom_saddle_free(blocks->motion[k]);
        carom_saddle_free(blocks->velocity[k]);
    }
    free(blocks->first);
    free(blocks);
}

/* -r_2 - C dx_1: rows 6 to 8 of (44). */
static void load_velocity(carom_ggl *ggl, carom_ggl_blocks *blocks, const double *r_W,
                          const double *r_Lambda) {
    carom_step_context *s = ggl->step;
    carom_evaluation *at = &s->evaluation;
    const carom_step_state *x = s->next;
    const double h = s->params.step;
    const double b = s->galpha.beta / s->galpha.gamma;
    const int n = s->n;
    const double *dv_smooth = blocks->first;
    for (int i = 0; i < n; i++) {
        blocks->shift[i] = h * (b * dv_smooth[i] + blocks->first[n + i]);
        blocks->second[i] = -r_W[i];
    }
    const double *G_v =
        carom_ggl_inertia_derivative(ggl, x->velocity_jump, x->impulse, x->velocity_active);
    carom_layout_multiply_add(s->mechanism->layout, -1.0, G_v, blocks->shift, blocks->second);
    const bool is_curved =
        s->m > 0 && carom_evaluation_rate_derivative(at, x->position, x->velocity);
    for (int j = 0; j < s->m; j++) {
        double row = r_Lambda[j];
        if (x->velocity_active[j]) {
            row += carom_evaluation_product(at, j, dv_smooth);
            row += is_curved ? carom_vector_dot(n, carom_evaluation_rate_row(at, j), blocks->shift)
                             : 0.0;
        }
        blocks->second[n + j] = -row;
    }
}

/* Whether a level imposes a contact. */
static bool imposes_contact(const carom_step_context *s, const bool *active) {
    for (int j = s->joint_count; j < s->m; j++) {
        if (active[j]) {
            return true;
        }
    }
    return false;
}

/*[gglBlocks]*/
carom_status carom_ggl_increment(void *self, double *r) {
    carom_ggl *ggl = self;
    carom_ggl_blocks *blocks = ggl->blocks;
    const carom_step_context *s = ggl->step;
    const int n = s->n;
    const int p = s->joint_count + s->m;
    double *multipliers = r + CAROM_GGL_BLOCKS * n;

    /* S_1 dx_1 = -r_1 */
    const bool at_position = imposes_contact(s, s->next->position_active);
    carom_saddle *motion = blocks->motion[at_position];
    carom_ggl_assemble_motion(ggl, at_position ? s->m : s->joint_count, motion);
    CAROM_TRY(carom_saddle_factor(motion));
    for (int i = 0; i < 2 * n; i++) {
        blocks->first[i] = -r[i];
    }
    for (int j = 0; j < p; j++) {
        blocks->first[2 * n + j] = -multipliers[j];
    }
    CAROM_TRY(carom_saddle_solve(motion, blocks->first));

    /* S_2 dx_2 = -r_2 - C dx_1 */
    const bool at_velocity = imposes_contact(s, s->next->velocity_active);
    carom_saddle *velocity = blocks->velocity[at_velocity];
    carom_ggl_assemble_projection(ggl, at_velocity ? s->m : s->joint_count,
                                  s->next->velocity_active, velocity);
    CAROM_TRY(carom_saddle_factor(velocity));
    load_velocity(ggl, blocks, r + 2 * n, multipliers + p);
    CAROM_TRY(carom_saddle_solve(velocity, blocks->second));

    memcpy(r, blocks->first, (size_t)(2 * n) * sizeof *r);
    memcpy(r + 2 * n, blocks->second, (size_t)n * sizeof *r);
    memcpy(multipliers, blocks->first + 2 * n, (size_t)p * sizeof *r);
    memcpy(multipliers + p, blocks->second + n, (size_t)s->m * sizeof *r);
    return CAROM_OK;
}
/*[end gglBlocks]*/
