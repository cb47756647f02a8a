/** What a stepper consists of: memory of its scheme, two states, the last result. */
#ifndef CAROM_TIMESTEPPING_GALPHA_STEPPER_INTERNAL_H
#define CAROM_TIMESTEPPING_GALPHA_STEPPER_INTERNAL_H

#include <carom/mechanism/completed.h>
#include <carom/timestepping/galpha/galpha.h>
#include <carom/timestepping/galpha/internal.h>
#include <carom/timestepping/galpha/schemes.h>

struct carom_stepper {
    carom_completed *completed; /* the mechanism, with derivatives by differences where asked for */
    carom_step_context step;
    carom_step_state states[2];
    int current;       /* index of the state at `time` */
    double start_time; /* s */
    long steps_done;
    bool has_started;
    bool has_last_state; /* the other state is still that before the last step */

    carom_linear_step *linear; /* NULL: Newton */
    carom_newton_solver *newton;
    carom_ggl_sequential *sequential;
    carom_ggl ggl;
    carom_velocity_level velocity_level;
    carom_smooth_galpha smooth;
    carom_factor *mass;          /* for the natural r of the activation tests */
    double *column;              /* [n] M^-1 G_j' */
    double *residual;            /* [3n + n_b + 2m] */
    double *scale;               /* [3n + n_b + 2m] of the residual's rows */
    carom_newton_result outcome; /* of the last step */
    carom_step result;
    int *previous; /* [n_u] row of each contact in the last step; NULL where they stay */
    double *moved; /* [n_u max(t, 1)] scratch */
};

/** The active sets [2][m] of both levels, from which the next step begins; a level that there is
 * not has none. */
void carom_linear_step_members(const carom_linear_step *linear, bool *members);

/** Let the next step begin from such sets. */
void carom_linear_step_guess(carom_linear_step *linear, const bool *members);

/** The level of such steps. */
carom_contact_level *carom_contact_step_level(carom_contact_step *step);

enum { CAROM_GGL_LEVELS = 3 };

/** The levels of such steps: smooth motion, velocities, positions. */
carom_contact_level *carom_ggl_contacts_level(carom_ggl_contacts *contacts, int k);

enum { CAROM_STEPPER_LEVELS = 5 };

/** The levels of a stepper that solve contact problems. @return their number */
int carom_stepper_contact_levels(carom_stepper *stepper,
                                 carom_contact_level *levels[CAROM_STEPPER_LEVELS]);

/** Natural r of the activation tests at the last point evaluated. */
void carom_stepper_update_activation(carom_stepper *stepper);

/**
 * The contacts of a motion that begins at (t, q, v), where they come and go; rows are those of each
 * point.
 *
 * @return CAROM_OK; as carom_mechanism.update_contacts
 */
CAROM_MUST_CHECK carom_status carom_stepper_start_contacts(carom_stepper *stepper, double t,
                                                           const double *q, const double *v,
                                                           carom_report *report);

/**
 * The contacts of the step that begins, where they come and go, with what they carry; its rows,
 * where they are predicted, and the rates before it.
 *
 * @return CAROM_OK; as carom_mechanism.update_contacts
 */
CAROM_MUST_CHECK carom_status carom_stepper_begin_contacts(carom_stepper *stepper,
                                                           carom_report *report);

/** Hold the rows of the step at q_n + part h v_n, and take the rates before it by them. */
void carom_stepper_take_rows(carom_stepper *stepper, double part);

/** Leave a step that has failed: rows and rates are those of its start. */
void carom_stepper_leave_step(carom_stepper *stepper);

/** Whether a scheme imposes its constraints at position and velocity level. */
static inline bool carom_stepper_is_ggl(carom_scheme scheme) {
    return scheme == CAROM_SCHEME_NONSMOOTH_GALPHA || scheme == CAROM_SCHEME_MODIFIED_LCP;
}

/** The equations of a step. */
static inline const carom_newton_problem *carom_stepper_problem(const carom_stepper *s) {
    const carom_scheme scheme = s->step.params.scheme;
    if (carom_stepper_is_ggl(scheme)) {
        return &s->ggl.problem;
    }
    return scheme == CAROM_SCHEME_SMOOTH_GALPHA ? &s->smooth.problem : &s->velocity_level.problem;
}

#endif
