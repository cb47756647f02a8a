/** Internal: a state of the variational integrator and what happened in the step that led to it. */
#ifndef CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_STATE_H
#define CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_STATE_H

#include <carom/timestepping/variational/variational.h>

/** Numbers of contacts, one list after the other. */
typedef struct carom_variational_list {
    int count;
    int capacity;
    int *entry; /**< [capacity], owned */
} carom_variational_list;

/** n coordinates, m contacts of t tangents. */
typedef struct carom_variational_state {
    int coordinate_count; /**< n */
    int contact_count;    /**< m */
    int row_count;        /**< m t */

    double time;             /**< s */
    double *position;        /**< [n] */
    double *momentum;        /**< [n] */
    double *velocity;        /**< [n] */
    double *gap;             /**< [m] */
    bool *is_held;           /**< [m] */
    double kinetic_energy;   /**< J */
    double potential_energy; /**< J */

    double *contact_impulse;  /**< [m] N s */
    double *holding_impulse;  /**< [m] N s */
    double *friction_impulse; /**< [m t] N s */
    double friction_work;     /**< J */
    double impact_loss;       /**< J */
    int impact_count;
    int impact_capacity;
    carom_variational_impact *impacts; /**< [impact_capacity], owned */
    carom_variational_list closed;
    carom_variational_list reflection;
    int iterations;

    double *memory; /**< owns the numbers */
} carom_variational_state;

/** Zeros. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_variational_state_init(carom_variational_state *state, int n,
                                                           int m, int t);

/** Free; a zeroed struct is accepted. */
void carom_variational_state_clear(carom_variational_state *state);

/** The state alone of another one of the same sizes: nothing has happened since. */
void carom_variational_state_begin(carom_variational_state *state,
                                   const carom_variational_state *from);

/** Count what one step of the integrator did and go to its end; contacts held and time are left to
 * the caller. */
void carom_variational_state_follow(carom_variational_state *state,
                                    const carom_variational_step *step);

/** Append. @return CAROM_OK; OUT_OF_MEMORY, nothing being appended */
CAROM_MUST_CHECK carom_status carom_variational_list_append(carom_variational_list *list,
                                                            int entry);

/** Append. @return CAROM_OK; OUT_OF_MEMORY, nothing being appended */
CAROM_MUST_CHECK carom_status carom_variational_state_append_impact(
    carom_variational_state *state, const carom_variational_impact *impact);

#endif
