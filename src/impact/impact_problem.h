/** The impact problem: one instant of a mechanism or scene, its mass matrix, contacts and velocity
 * before the impact; and the outcomes that the laws of impact find for it. */
#ifndef CAROM_IMPACT_IMPACT_PROBLEM_H
#define CAROM_IMPACT_IMPACT_PROBLEM_H

#include <carom/base/base.h>
#include <carom/mechanism/mechanism.h>
#include <carom/models/model.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

/* ---------------------------------------------------------------------------------- the problem */
/* One instant: the mass matrix, the contacts and the velocity before an impact. */

/**
 * What every impact law works on: n velocities, m touching contacts with t tangents each (1 in the
 * plane, 2 in space), Coulomb friction and restitution; the position stays as it is. A law reads
 * both, or refuses what it does not compute by name.
 *
 * Contact space stacks the speeds c = J v of the contacts: first the m normal ones (positive =
 * separating), then the t tangential ones of contact 0, of contact 1, ...; r = m (1 + t) rows. An
 * impulse L [r], ordered alike, changes them by C L, C = J M^-1 J' (the Delassus matrix). Units
 * below are those of translational coordinates. Fields are read, never written, by users.
 */
typedef struct carom_impact_problem {
    int coordinate_count;     /**< n >= 1 */
    int contact_count;        /**< m >= 1 */
    int tangent_count;        /**< t: 1 or 2 */
    int row_count;            /**< r = m (1 + t) */
    double *mass;             /**< [n][n] M, symmetric positive definite, kg */
    double *contact_jacobian; /**< [r][n] J: normal rows, then tangential ones */
    double *friction;         /**< [m] mu >= 0 */
    double *restitution;      /**< [m] e in [0,1]: 0, or as set; of a mechanism its own */
    double *velocity;         /**< [n] v-, m/s */

    double *mass_factor;      /**< [n][n] lower Cholesky factor of M */
    double *impulse_response; /**< [n][r] M^-1 J', 1/kg */
    double *delassus_matrix;  /**< [r][r] C, symmetric, positive semidefinite, 1/kg */
    double *contact_velocity; /**< [r] c- = J v-, m/s */
    double kinetic_energy;    /**< of v-, J */
    double *row_scale;        /**< [r] root of the inverse mass of a row, kg^-1/2: of C_aa, one for
                                   both tangents of a contact in space; 1 for a contact without */
    double *speed_scale;      /**< [r] largest speed that the kinetic energy of v- allows a row, m/s
                                   (carom_scale_speed): what speeds are small against */
} carom_impact_problem;

/**
 * Contacts that close slower than this part of their speed scale are not colliding, from the start
 * of an impact to its end: rounding of speeds, and what is left of them, is no impact. The authors'
 * programs have 1e-8 m/s at speeds of order one.
 */
#define CAROM_IMPACT_COLLIDING_PART 1e-8

/** Larger coefficients of friction are refused: the sides of their cones cannot be told from the
 * normal beside the rounding of velocities. RAMone has 1e5. */
#define CAROM_IMPACT_LARGEST_FRICTION 1e7

/**
 * @param[in]  n      number of velocities, >= 1
 * @param[in]  m      number of contacts, >= 1
 * @param[in]  t      tangents of a contact, 1 or 2
 * @param[in]  M      [n][n] row-major, symmetric positive definite, kg
 * @param[in]  J_n    [m][n] normal rows
 * @param[in]  J_t    [m t][n] tangential rows, contact by contact
 * @param[in]  mu     [m] friction coefficients, in [0, CAROM_IMPACT_LARGEST_FRICTION]
 * @param[in]  v      [n] velocity before the impact, m/s
 * @param[out] out    belongs to the caller; everything is copied
 * @param[out] report quantity, value and index of what is refused; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: sizes, friction, M not positive definite, a Delassus matrix
 * whose largest entry has no square, a row whose inverse mass, or a velocity whose energy,
 * underflows; NOT_SYMMETRIC (beyond 1e-12 of the root of M_ii M_jj); NOT_FINITE: of the data, or of
 * what follows from them (the Delassus matrix, speeds of contacts, kinetic energy); OUT_OF_MEMORY
 * Source: halm-2023 (11), (12), (17).
 */
CAROM_MUST_CHECK carom_status carom_impact_problem_alloc(int n, int m, int t, const double *M,
                                                         const double *J_n, const double *J_t,
                                                         const double *mu, const double *v,
                                                         carom_impact_problem **out,
                                                         carom_report *report);

/**
 * As a touching gap: gaps up to 1e-9 of the largest sum_j |G_ij q_j|, the lengths that gaps are
 * differences of, which is far beyond their rounding. At q = 0 gaps that are not positive.
 */
#define CAROM_IMPACT_CLOSED (-1.0)

/**
 * The problem of a mechanism without joints at (q, v): its contacts with a gap up to `touching`.
 *
 * @param[in]  mechanism with friction and restitution; joint_count 0; without tangents, and then
 * without friction, its contacts get one of zeros
 * @param[in]  q         [n]
 * @param[in]  v         [n]
 * @param[in]  touching  m, >= 0: larger gaps are left out; or CAROM_IMPACT_CLOSED
 * @param[out] contacts  [contact_count] index in the mechanism of each contact of the problem; may
 * be NULL
 * @param[out] out       belongs to the caller
 * @param[out] report    may be NULL
 * @return as above; OUT_OF_RANGE also if no contact touches, or for a mechanism with joints;
 * UNSUPPORTED if its supports move or it has rotations in space
 */
CAROM_MUST_CHECK carom_status carom_impact_problem_of_mechanism(const carom_mechanism *mechanism,
                                                                const double *q, const double *v,
                                                                double touching, int *contacts,
                                                                carom_impact_problem **out,
                                                                carom_report *report);

/** Free; NULL is accepted. */
void carom_impact_problem_free(carom_impact_problem *problem);
CAROM_AUTO_TYPE(carom_impact_problem)

/** Other coefficients of restitution, [m], in place. @return CAROM_OK; OUT_OF_RANGE: not in [0,1],
 * with the contact; nothing is changed */
CAROM_MUST_CHECK carom_status carom_impact_problem_set_restitution(carom_impact_problem *problem,
                                                                   const double *restitution,
                                                                   carom_report *report);

/** Another velocity before the impact, [n], in place. @return CAROM_OK; NOT_FINITE: unchanged; or
 * the speeds of contacts or the energy are, and the problem is of no use until the next velocity */
CAROM_MUST_CHECK carom_status carom_impact_problem_set_velocity(carom_impact_problem *problem,
                                                                const double *v);

/** Closing speed, m/s, from which on contact i is colliding: CAROM_IMPACT_COLLIDING_PART. */
double carom_impact_colliding_speed(const carom_impact_problem *problem, int i);

/** Whether some contact closes faster than its colliding speed at the speeds c [r], m/s (28). */
bool carom_impact_is_colliding(const carom_impact_problem *problem, const double *c);

/** c_post = c_pre + C L. All [r], m/s, L in N s; c_post may be c_pre, not L. */
void carom_impact_add_impulse(const carom_impact_problem *problem, const double *L,
                              const double *c_pre, double *c_post);

/** v_post = v- + M^-1 J' L. L [r] in N s, v_post [n]. */
void carom_impact_velocity(const carom_impact_problem *problem, const double *L, double *v_post);

/** Kinetic energy v' M v / 2 of a velocity [n], J. */
double carom_impact_kinetic_energy(const carom_impact_problem *problem, const double *v);

/**
 * The largest impulse that stops one contact alone without friction, max -c_i/C_ii, N s: the size
 * of the impulses of this impact. If no contact closes, what stops the largest speed that the
 * energy allows; 1 N s if there is none.
 */
double carom_impact_stopping_impulse(const carom_impact_problem *problem);

/**
 * Violations of conditions in one unit: the largest of the speeds |c_a| beside their speed scales,
 * and of the impulses |L_a| beside those that such speeds need; 0 where both vanish.
 *
 * @param[in] problem the impact
 * @param[in] c [r] speeds that should be zero, m/s; NULL: none
 * @param[in] L [r] impulses that should be zero, N s; NULL: none
 */
double carom_impact_violation(const carom_impact_problem *problem, const double *c,
                              const double *L);

/** Change of kinetic energy, J, by an impulse L [r], N s, that takes c_pre to c_post, m/s:
 * L'(c_pre + c_post)/2. */
double carom_impact_energy_change(const carom_impact_problem *problem, const double *L,
                                  const double *c_pre, const double *c_post);

/* ----------------------------------------------------------------------------------- of a scene */
/* The impact problem of a scene: its touching contacts and its velocity. */

/**
 * The problem of a scene at its position and velocity: contacts touch as CAROM_IMPACT_CLOSED says.
 *
 * @param[in]  scene  the scene
 * @param[out] out    belongs to the caller
 * @param[out] report may be NULL
 * @return as carom_impact_problem_of_mechanism
 */
CAROM_MUST_CHECK carom_status carom_impact_problem_of_scene(const carom_impact_scene *scene,
                                                            carom_impact_problem **out,
                                                            carom_report *report);

/* ------------------------------------------------------------------------------------- outcomes */
/* What impact laws return: a list of outcomes. */

/** Outcomes of a law are one if no speed differs by more than this part of its scale. */
#define CAROM_IMPACT_MERGING 1e-7

/**
 * Velocities after an impact, merged: no two are closer than a tolerance in contact space. Read,
 * never written, by users.
 */
typedef struct carom_impact_outcomes {
    int coordinate_count;     /**< n */
    int row_count;            /**< r */
    int count;                /**< outcomes */
    int capacity;             /**< outcomes that fit before memory is asked for */
    double *velocity;         /**< [count][n] v+, m/s */
    double *contact_velocity; /**< [count][r] c+ = J v+, m/s */
    double *impulse;        /**< [count][r] one impulse that leads there, N s: need not be unique */
    double *kinetic_energy; /**< [count] J */
    double *residual;       /**< [count] largest violation of the law's conditions, speeds beside
                                 their scales and impulses likewise (carom_impact_violation), 1 */
    int *multiplicity;      /**< [count] solutions merged into this outcome, >= 1 */
} carom_impact_outcomes;

/** An empty list. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_impact_outcomes_alloc(const carom_impact_problem *problem,
                                                          carom_impact_outcomes **out);

/** Free; NULL is accepted. */
void carom_impact_outcomes_free(carom_impact_outcomes *outcomes);
CAROM_AUTO_TYPE(carom_impact_outcomes)

/** Forget all outcomes; memory is kept. */
void carom_impact_outcomes_clear(carom_impact_outcomes *outcomes);

/**
 * Add the outcome of an impulse, or raise the multiplicity of the one whose contact velocity is
 * within `merging` of its speed scale in every row (the smaller residual then stays).
 *
 * @param[in,out] outcomes of a list made for this problem
 * @param[in]     problem  the problem
 * @param[in]     L        [r] total impulse from v-, N s
 * @param[in]     residual of the law's conditions, 1
 * @param[in]     merging  part of the speed scales of the problem, 1; 0: only the same is one
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_impact_outcomes_add(carom_impact_outcomes *outcomes,
                                                        const carom_impact_problem *problem,
                                                        const double *L, double residual,
                                                        double merging);

CAROM_END_DECLARATIONS

#endif
