/** Internal: everything that a step knows at one instant. */
#ifndef CAROM_TIMESTEPPING_GALPHA_STEP_STATE_H
#define CAROM_TIMESTEPPING_GALPHA_STEP_STATE_H

#include <carom/base/base.h>

#include <stdbool.h>

/** n coordinates, m constraints (joints first). Letters of bruls-2014. */
typedef struct carom_step_state {
    double time;                 /**< t, s */
    double *position;            /**< [n] q */
    double *velocity;            /**< [n] v */
    double *smooth_acceleration; /**< [n] derivative of v~ */
    double *pseudo_acceleration; /**< [n] a */
    double *smooth_velocity;     /**< [n] v~ */
    double *velocity_jump;       /**< [n] W */
    double *position_correction; /**< [n] U */
    double *rate;                /**< [m] G(q) v, m/s */
    double *force;               /**< [m] lambda~, N; smooth_galpha: lambda */
    double *impulse;             /**< [m] Lambda, N s */
    double *position_multiplier; /**< [m] nu, N s2 */
    bool *position_active;       /**< [m] A */
    bool *velocity_active;       /**< [m] B */
    double *memory;              /**< owns the numbers */
    bool *flags;                 /**< owns the flags */
} carom_step_state;

/** Allocate the arrays, all zero. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_step_state_init(carom_step_state *state, int n, int m);

/** Free the arrays; a zeroed state is accepted. */
void carom_step_state_clear(carom_step_state *state);

#endif
