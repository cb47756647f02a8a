/** Internal: which contacts of a variational step are released, and which rows stick or slide. */
#ifndef CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_MODES_H
#define CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_MODES_H

#include <carom/timestepping/variational/variational_newton.h>

/** The combination that is tried, those tried before, and that of the last step. m contacts of t
 * tangents; a contact's code is 0 released, otherwise 1 + its rows' modes in base 3. */
typedef struct carom_variational_modes {
    carom_variational_newton *newton; /**< borrowed */
    int combinations;                 /**< tried since the beginning of the step */
    carom_status failure;             /**< of Newton's method in one of them; CAROM_OK: in none */
    double residual;                  /**< that it left there; NaN: in none */
    bool *was_held;                   /**< [m] at the end of the last step that succeeded */
    carom_variational_mode *last;     /**< [m t] modes then */
    int *code;                        /**< [m] the combination being tried */
    int *history;                     /**< [history_capacity][m] those tried under guidance */
    int history_length;
    int history_capacity;
    int *memory; /**< owns the codes */
} carom_variational_modes;

/** Allocate; the solver is borrowed. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_variational_modes_init(carom_variational_modes *modes,
                                                           carom_variational_newton *newton);

/** Free; a zeroed struct is accepted. */
void carom_variational_modes_clear(carom_variational_modes *modes);

/**
 * After carom_variational_newton_begin: find a consistent combination and leave its solution in the
 * equations. The first is that of the last step for contacts held then, of other contacts that of
 * their sliding at the beginning. Each inconsistent one proposes the next: a wrong direction
 * sticks, friction beyond its bound slides, then the contact that pulls most is released, one that
 * closes is held. If a combination returns, all others follow by the number of contacts in which
 * they differ from the first, up to 4096 of them. In the end a row that rests is called sticking,
 * also where its friction is at the bound, and impulses are cut to their bounds.
 *
 * A released contact is consistent if its gap does not fall below the one it was to have, so that
 * the answer does not depend on how short the step is.
 *
 * @return CAROM_OK; CONFLICT; the status of Newton's method if it failed in one of them
 */
CAROM_MUST_CHECK carom_status carom_variational_modes_find(carom_variational_modes *modes);

#endif
