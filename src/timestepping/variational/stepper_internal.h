/** The parts of the variational stepper: its state, impacts within a step, modes of contacts,
 * projection. */
#ifndef CAROM_TIMESTEPPING_VARIATIONAL_STEPPER_INTERNAL_H
#define CAROM_TIMESTEPPING_VARIATIONAL_STEPPER_INTERNAL_H

#include <carom/base/roots.h>
#include <carom/contact/contact.h>
#include <carom/mechanism/completed.h>
#include <carom/timestepping/variational/step_internal.h>
#include <carom/timestepping/variational/variational.h>

#include <stdbool.h>

/* ----------------------------------------------------------------------------------- parameters */
/* Internal: what parameters of the variational integrator are refused. */

/* ---------------------------------------------------------------------------------------- state */
/* Internal: a state of the variational integrator and what happened in the step that led to it. */

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
    double *joint;           /**< [n_b] joint residuals */
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
CAROM_MUST_CHECK carom_status carom_variational_state_init(carom_variational_state *state,
                                                           const carom_mechanism *mechanism);

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

/* --------------------------------------------------------------------------------------- events */
/* Internal: the instant of the first impact within a step of the variational integrator. */

/** The beginning of a flight and how far it may go; borrowed. n coordinates, m contacts. */
typedef struct carom_variational_flight {
    double time;             /**< s */
    const double *position;  /**< [n] */
    const double *momentum;  /**< [n] */
    const double *gap;       /**< [m], >= -tolerance */
    const double *gap_rate;  /**< [m] of open contacts with a gap up to the tolerance: > 0, m/s */
    const double *tolerance; /**< [m] a gap below minus this is a penetration, >= rounding */
    const double *rounding;  /**< [m] what rounding can make of a gap */
    const bool *is_asked;    /**< [m] contacts to be held */
    double length;           /**< to the end that is wanted, s */
} carom_variational_flight;

/** Memory of the search. Read, never written, by users. */
typedef struct carom_variational_event_search {
    carom_variational_step *step; /**< borrowed; holds the solution of `length` afterwards */
    int most_rounds;              /**< contacts that are tried one after the other */
    carom_bracket bracket;        /**< of the instant */
    double *normals;              /**< [c][n] of joints and contacts at the end of a trial, owned */

    double length;  /**< of the flight to the impact, or to its end, s; 0: the
                        contact opens, but rounding hides how far */
    int contact;    /**< that closes there; -1: none */
    int iterations; /**< of Newton's method, all trials together */

    const carom_variational_flight *flight; /**< that is searched */
    double solved;                          /**< length that `step` has the solution of, s */
    int watched;                            /**< contact whose gap is brought to zero */
    double low;                             /**< its gap is positive there, s */
    double low_gap;                         /**< that gap */
    double high;                            /**< it penetrates there, s */
    double high_gap;                        /**< that gap */
    carom_status status;                    /**< of the last solution */
    carom_report report;                    /**< likewise */
} carom_variational_event_search;

/** Allocate around a step. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_variational_event_search_init(
    carom_variational_event_search *search, carom_variational_step *step);

/** Free; a zeroed struct is accepted. */
void carom_variational_event_search_clear(carom_variational_event_search *search);

/**
 * Go through a flight up to where the first open contact closes.
 *
 * The flight is solved to its end. If an open contact penetrates there, the length of the flight is
 * brought, with one solution for each trial, to where that contact's gap is zero, up to a quarter
 * of its rounding: two trials along the rate G v at the end of the one before, then Brent's method.
 * Should another contact penetrate there, it closes earlier and takes its place. A contact that
 * begins on the surface leaves it first: its trivial root at zero is excluded by a trial in between
 * where its gap is positive. If rounding hides that rise, the flight has no length and the contact
 * is told.
 *
 * Held contacts may be released in one trial and not in the next, so that gaps jump with the
 * length: the flight then ends just before the jump, and no contact closes.
 *
 * A gap that is negative only in between is not seen.
 *
 * @param[in,out] search length, contact, and step with the solution of that length unless it is 0
 * @param[in]     flight borrowed during the call
 * @param[out]    report may be NULL
 * @return CAROM_OK; NOT_CONVERGED: also if no part of the flight is free of penetration; as
 * carom_variational_step_solve
 * Source: seghete-2014 (30); the exclusion of the trivial root is ours.
 */
CAROM_MUST_CHECK carom_status
carom_variational_event_search_run(carom_variational_event_search *search,
                                   const carom_variational_flight *flight, carom_report *report);

/* -------------------------------------------------------------------------------------- impacts */
/* Internal: the momentum of the variational integrator through an impact. */

/** Memory of the law for one number of closed contacts. */
typedef struct carom_variational_law {
    carom_propagative_contacts *contacts;
    carom_propagative_impact *impact;
} carom_variational_law;

/** The law of impact, and memory for any number of closed contacts. n coordinates, m contacts. */
typedef struct carom_variational_collision {
    int coordinate_count;            /**< n */
    int contact_count;               /**< m */
    carom_propagative_params params; /**< `first` is a contact of the mechanism */

    int closed_count;     /**< k contacts that take part */
    int *closed;          /**< [k] which, rising */
    double restitution;   /**< R that these share, 1 */
    bool is_plastic;      /**< projection instead of reflections */
    bool is_chatter;      /**< plastic for having hit too often, whatever R */
    bool is_simultaneous; /**< by carom_variational_friction_run in place of reflections */
    carom_propagative_plastic_law plastic_law; /**< of the projection */

    double *normal;       /**< [k][n] u_i of these */
    double *approach;     /**< [k] (p-,u_i), m/s */
    double *impulse;      /**< [k] N s */
    double *momentum;     /**< [n] p+ */
    int reflection_count; /**< 0 if plastic */
    const int
        *reflection; /**< [reflection_count] places in `closed`, borrowed until the next one */

    carom_variational_law *laws; /**< [m] for 1 .. m closed contacts */
    double *memory;              /**< owns the numbers */
} carom_variational_collision;

/**
 * @param[out] collision   to be cleared also after a failure
 * @param[in]  mechanism   its counts are taken
 * @param[in]  params      rule and limits of impacts
 * @return CAROM_OK; OUT_OF_MEMORY
 * Cost: O(m^2 (n + m)) numbers.
 */
CAROM_MUST_CHECK carom_status carom_variational_collision_init(
    carom_variational_collision *collision, const carom_mechanism *mechanism,
    const carom_variational_params *params);

/** Free; a zeroed struct is accepted. */
void carom_variational_collision_clear(carom_variational_collision *collision);

/**
 * p+ = p- prod Gamma(w_i) over all closed contacts, or the plastic projection of p-, in the metric
 * M(q*).
 *
 * @param[in,out] collision closed contacts and kind of impact are set before; the rest is
 * filled
 * @param[in]     at        the place q* and the momentum p-
 * @param[in]     p         [n] p-
 * @param[in]     turn      number of the impact, by which random sequences differ
 * @param[out]    report    may be NULL; the index is a contact of the mechanism
 * @return CAROM_OK; CONFLICT: contacts that cannot separate; SINGULAR: a normal of length zero;
 * NOT_CONVERGED; NOT_FINITE; OUT_OF_MEMORY
 * Source: seghete-2014 (30), (14), (17), (11).
 */
CAROM_MUST_CHECK carom_status carom_variational_collision_run(
    carom_variational_collision *collision, const carom_variational_contacts *at, const double *p,
    unsigned long turn, carom_report *report);

/* -------------------------------------------------------------------------- impacts with friction
 */
/* Internal: all closed contacts at once, with Newton's restitution and Coulomb's friction of each.
 */

/** m contacts of t tangents. */
typedef struct carom_variational_friction {
    int tangent_count;     /**< t */
    double *tangent;       /**< [m t][n] H(q*) */
    double *white;         /**< [rows][n] L^-1 of the rows of the closed contacts */
    double *delassus;      /**< [rows][rows] W, 1/kg */
    double *free_velocity; /**< [rows] q, m/s */
    double *impulse;       /**< [rows] r, N s: of each closed contact its normal and tangents */
    double *coefficient;   /**< [m] mu */
    const double **row;    /**< [rows] their rows of G and H; owns the list */
    double *memory;        /**< owns the numbers */
    carom_contact_solver *solver;
    carom_contact_listener contacts; /**< who is told the problems */
} carom_variational_friction;

/** Memory for a mechanism. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_variational_friction_init(carom_variational_friction *friction,
                                                              const carom_mechanism *mechanism,
                                                              carom_contact_listener contacts);

/** Free; a zeroed struct is accepted. */
void carom_variational_friction_clear(carom_variational_friction *friction);

/**
 * p+ = p- + G' r_n + H' r_t of the closed contacts: 0 <= G v+ + e G v- _|_ r_n >= 0, |r_t| <= mu
 * r_n against H v+; e = 0 where contacts chatter.
 *
 * @param[in,out] friction     its impulses are filled
 * @param[in,out] collision    closed contacts are set before; impulse and momentum are filled
 * @param[in]     at           the place q* and the momentum p-
 * @param[in]     q            [n] q*
 * @param[in]     p            [n] p-
 * @param[in]     has_friction false: with mu = 0
 * @param[in]     time         of the impact, s
 * @param[out]    report       may be NULL
 * @return as carom_contact_solve; what the listener returned
 * Source: moreau-1988 (the law); that it takes the place of the propagative one is ours.
 */
CAROM_MUST_CHECK carom_status carom_variational_friction_run(carom_variational_friction *friction,
                                                             carom_variational_collision *collision,
                                                             const carom_variational_contacts *at,
                                                             const double *q, const double *p,
                                                             bool has_friction, double time,
                                                             carom_report *report);

/* --------------------------------------------------------------------------------------- motion */
/* Internal: flights and impacts within a step of the variational integrator. */

/** m contacts. */
struct carom_variational_stepper {
    carom_completed *completed;
    const carom_mechanism *mechanism;
    carom_variational_params params;
    bool is_started;
    double start_time;         /**< s */
    unsigned long step_count;  /**< since the start */
    unsigned long impact_turn; /**< impacts since the start */

    carom_variational_state *present; /**< the last step */
    carom_variational_state *next;    /**< the one on its way */
    carom_variational_result result;  /**< shows `present` */

    carom_variational_step *step;
    carom_variational_event_search search;
    carom_variational_contacts contacts; /**< of the place reached within the step */
    carom_variational_friction friction; /**< of impacts with it */
    carom_variational_collision collision;
    carom_variational_state memory[2];

    double elapsed;   /**< of the step on its way, s */
    int events;       /**< of that step: impacts and flights that end without one */
    bool *is_asked;   /**< [m] contacts to be held in the next flight */
    bool *is_struck;  /**< [m] contacts that the last flight has closed */
    bool *is_settled; /**< [m] contacts that open too little to be seen */
    double *gap_rate; /**< [m] m/s */
    double *rounding; /**< [c] what rounding can make of joints and gaps of the step on its way,
                         joints first */
    double *gap_tolerance; /**< [m] that of the parameters, or the rounding if that is more */
    int *hits;             /**< [m] of the step on its way */
    double distance;       /**< D that gaps change in the step on its way, m */
    double *acceleration;  /**< [n] M^-1 f at its beginning, scratch */
};

/** V of the place reached within the step, J. */
double carom_variational_potential_energy(const carom_variational_stepper *stepper);

/** Distance, rounding and tolerance of the gaps within a step that begins at t, q [n] with v [n].
 * @return CAROM_OK; SINGULAR: M; NOT_FINITE */
CAROM_MUST_CHECK carom_status carom_variational_set_tolerances(carom_variational_stepper *stepper,
                                                               double t, const double *q,
                                                               const double *v,
                                                               carom_report *report);

/**
 * Flights and impacts in turn, from `next`, the state at the beginning of the step, to its end.
 *
 * @param[in,out] stepper elapsed, events, hits, is_struck and is_settled are zero before,
 * tolerances set
 * @param[out]    report  quantity, value and index; may be NULL
 * @return as carom_variational_stepper_advance
 * Source: seghete-2014 (30), section VII-B.
 */
CAROM_MUST_CHECK carom_status carom_variational_take_step(carom_variational_stepper *stepper,
                                                          carom_report *report);

/* --------------------------------------------------------------------- problem of half a step */
/* Internal: the contact problem of the linearised equations of half a step. */

/**
 * u = W r + offset over the rows of the small matrices: c constraints, then m t tangents; of those
 * that are used, some are held by impulses of either sign, the others obey Signorini and Coulomb.
 */
typedef struct carom_variational_problem {
    const carom_variational_equations *equations; /**< borrowed: the counts */
    int row_count;                                /**< N */

    /* written by users */
    double *matrix;     /**< [N][N] W, 1/kg */
    double *offset;     /**< [N] m/s */
    double *friction;   /**< [m] mu */
    bool *is_used;      /**< [c] */
    bool *is_bilateral; /**< [c] */

    double *impulse;  /**< [N] r, N s: to begin with, then the solution */
    double *velocity; /**< [N] u, m/s */

    double *entries;       /**< [N][N] scratch, of the rows that are used */
    double *free_velocity; /**< [N] scratch, likewise */
    double *answer;        /**< [2 N] scratch, likewise */
    double *coefficient;   /**< [m] scratch, likewise */
    int *row;              /**< [N] which these are */
    carom_contact_solver *solver;
    double *memory; /**< owns the numbers */
    bool is_exact;  /**< written by users: solve to rounding, where that can be had */
} carom_variational_problem;

/** Allocate; the equations are borrowed. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_variational_problem_init(carom_variational_problem *problem,
                                                             const carom_variational_equations *eq);

/** Free; a zeroed struct is accepted. */
void carom_variational_problem_clear(carom_variational_problem *problem);

/** Impulse and velocity of all rows, 0 of those that are not used. @return as carom_contact_solve;
 * the impulses are then those to begin with */
CAROM_MUST_CHECK carom_status carom_variational_problem_solve(carom_variational_problem *problem);

/** What a contact [m] does in the solution, direction [t] being that of its sliding; one that is
 * slower than the tolerance in m/s is not released. */
carom_variational_contact_mode
carom_variational_problem_mode(const carom_variational_problem *problem, int contact,
                               double tolerance, double *direction);

/* -------------------------------------------------------------------------------- contact modes */
/* Internal: which contacts of a variational step are released, and which stick or slide. */

/** The combination that is tried, and that of the last step. m contacts of t tangents. */
typedef struct carom_variational_contact_modes {
    carom_variational_newton *newton; /**< borrowed */
    carom_variational_problem problem;
    bool is_near;         /**< the solution is to be near that of the problem */
    int proposals;        /**< that problem has made since the beginning of the step */
    int combinations;     /**< tried since then */
    carom_status failure; /**< of Newton's method in one of them; CAROM_OK: in none */
    double residual;      /**< that it left there; NaN: in none */
    bool *was_held;       /**< [m] at the end of the last step that succeeded */
    carom_variational_contact_mode *last; /**< [m] modes then */
} carom_variational_contact_modes;

/** Allocate; the solver is borrowed. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_variational_contact_modes_init(
    carom_variational_contact_modes *modes, carom_variational_newton *newton);

/** Free; a zeroed struct is accepted. */
void carom_variational_contact_modes_clear(carom_variational_contact_modes *modes);

/**
 * After carom_variational_newton_begin: find a consistent combination and leave its solution in the
 * equations. The first is that of the last step for contacts held then, of other contacts that of
 * their sliding at the beginning. If it is not consistent, the equations linearised at its
 * solution, or at the beginning where it has none, are a contact problem, the solution of which
 * has the modes and directions of the next combination (the method of Josephy and Newton, each
 * time with the nonlinear equations solved in the modes found); from the second one on dependent
 * contacts share their load as the problem has it. In the end a contact that rests is
 * called sticking, also where its friction is at the bound, and impulses are cut to their bounds.
 *
 * A released contact is consistent if its gap does not fall below the one it was to have, so that
 * the answer does not depend on how short the step is.
 *
 * @return CAROM_OK; CONFLICT; the status of Newton's method if it failed in one of them
 */
CAROM_MUST_CHECK carom_status
carom_variational_contact_modes_find(carom_variational_contact_modes *modes);

/* ----------------------------------------------------------------------------------- projection */
/* Internal: the second half of the impulses of a variational step, which makes its end tangent to
 * the held contacts. */

/**
 * Impulses kappa of joints and held contacts along G(q_{k+1}), and g of those with friction along
 * H(q_m), in rows of unit length in the metric M(q_{k+1}). N = c + m t as in Newton's method; a row
 * that is not used has the identity in the matrix.
 */
typedef struct carom_variational_projection {
    const carom_variational_newton *newton; /**< borrowed */
    carom_variational_problem *problem;     /**< borrowed, filled anew */

    carom_variational_contact_mode *mode; /**< [m] at the end; RELEASED: g = 0 */
    double *direction;                    /**< [m t] of sliding at the end */
    double tolerance;                     /**< of impulses and speeds in unit rows, kg^1/2 m/s */
    double *rows;               /**< [N][n] G(q_{k+1}); H(q_{k+1}) of contacts that stick at the
                                   midpoint, H(q_m) of those that slide */
    double *responses;          /**< [N][n] M^-1 of G(q_{k+1}) and H(q_m) */
    double *length;             /**< [N] sqrt(row response'), 1 where it is zero */
    double *compliance;         /**< [N][N] rows times responses, unit rows */
    double *reduced;            /**< [N][N] of the end modes, identity rows where unused */
    double *rate;               /**< [N] unit rows times velocity, without impulses */
    double *impulse;            /**< [N] along unit rows */
    double *speed;              /**< [N] unit rows times velocity, with them */
    double *change;             /**< [n] scratch, of the velocity */
    carom_minimum_norm *solver; /**< of `reduced` */
    double *memory;             /**< owns the numbers */
} carom_variational_projection;

/** Allocate; solver and problem are borrowed. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_variational_projection_init(
    carom_variational_projection *projection, const carom_variational_newton *newton,
    carom_variational_problem *problem);

/** Free; a zeroed struct is accepted. */
void carom_variational_projection_clear(carom_variational_projection *projection);

/**
 * After the modes of the step are found and M(q_{k+1}) is factored: rows and compliance at q_{k+1}
 * [n], and the rates of v [n] = M^-1 p without the impulses of the projection.
 */
void carom_variational_projection_begin(carom_variational_projection *projection, const double *q,
                                        const double *v);

/**
 * Find impulses kappa and friction g with G(q_{k+1}) v = 0. A contact that slides along s at the
 * midpoint has g = -mu max(kappa, 0) s. One that sticks there has H(q_{k+1}) v = 0 if |g| <= mu
 * max(kappa, 0) is enough for that, and else slides at the end, g = -mu kappa H v / |H v|.
 *
 * The modes of the midpoint are tried first. If they do not hold, the laws for kappa >= 0 are a
 * contact problem, in which a sliding contact has the normal G - mu s H and no friction; contacts
 * that open in its solution would have to pull, are held without friction instead, and the problem
 * is solved again. Dependent rows share their load by least norm or, if a law does not hold then,
 * as the contact problem has it, which begins with the impulses of the first half. If the contacts
 * that stick are independent and h is short, a solution exists (by Kakutani's fixed-point theorem),
 * but for Painleve's paradox; if none is found, g = 0.
 *
 * @return CAROM_OK; NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status
carom_variational_projection_find(carom_variational_projection *projection);

/**
 * The kinetic energy that would be left, beyond what is, if the contacts that stick had the impulse
 * f of the first half in place of g, normal speeds kept at zero: the sum of (f - g) H(q_m) times
 * the mean of the two velocities. Overwrites impulses and speeds.
 *
 * @param[in]  v      [n] at the end, with the impulses of the projection
 * @param[in]  g      [m t] N s
 * @param[out] energy J
 * @return CAROM_OK; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_variational_projection_compare(
    carom_variational_projection *projection, const double *v, const double *g, double *energy);

#endif
