/** The midpoint variational integrator: one step of a mechanism between impacts, contacts held
 * closed with Coulomb friction included. */
#ifndef CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_STEP_H
#define CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_STEP_H

#include <carom/base/attributes.h>
#include <carom/mechanism/support.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

/** What a row of sliding does in a step of a held contact. */
typedef enum carom_variational_mode {
    CAROM_VARIATIONAL_RELEASED, /**< the contact of the row is open */
    CAROM_VARIATIONAL_STICK,    /**< no sliding */
    CAROM_VARIATIONAL_FORWARD,  /**< slides along +tangent, friction -mu lambda */
    CAROM_VARIATIONAL_BACKWARD  /**< slides along -tangent, friction +mu lambda */
} carom_variational_mode;

typedef struct carom_variational_step_params {
    double tolerance;    /**< of the residual momentum and of the gaps of held contacts, of the sums
                            of the sizes of their terms; where an iteration stalls at its rounding,
                            100 of them are accepted; in (0, 1) */
    int most_iterations; /**< of Newton's method, >= 1 */
} carom_variational_step_params;

/** 1e-14, 50. */
carom_variational_step_params carom_variational_step_params_default(void);

/**
 * Work memory and result of the last step. n coordinates, m contacts of t tangents. Read, never
 * written, by users; numbers are NaN after a failure.
 */
typedef struct carom_variational_step {
    const carom_mechanism *mechanism; /**< borrowed */

    double time;      /**< at the end, s */
    double *position; /**< [n] q_{k+1} */
    double *momentum; /**< [n] p_{k+1}; tangent to the held contacts */
    double *velocity; /**< [n] M(q_{k+1})^-1 p_{k+1} */
    double *gap;      /**< [m] at q_{k+1} */

    bool *is_held;            /**< [m] contacts held to the end: those asked for but for those that
                                 would have had to pull */
    double *first_impulse;    /**< [m] lambda, of the first half of the step, N s; >= 0 */
    double *last_impulse;     /**< [m] kappa, of the projection at the end, N s; negative, of order
                                 h^2, where the contact is about to open: the next step releases it */
    double *normal_impulse;   /**< [m] lambda + kappa, of the whole step, N s */
    double *first_friction;   /**< [m t] f, of the first half of the step, N s */
    double *last_friction;    /**< [m t] g, of the second half, N s */
    double *friction_impulse; /**< [m t] f + g, of the whole step, N s */
    double *sliding;          /**< [m t] v_t = H(q_m) v_m at the midpoint of held contacts, m/s;
                                 0 of others and of rows that stick, whose H(q_{k+1}) v is 0 at the
                                 end, too, unless g is at its bound */
    carom_variational_mode *mode; /**< [m t] at the midpoint; of held rows without friction the sign
                                     of sliding */

    double dissipation; /**< lost to friction, >= 0, J: sum of -(f + g) v_t over the rows that
                           slide, and the kinetic energy that rows which stick would have left with
                           f in the place of g, those that slide keeping theirs, but not less than
                           0: H(q_m) v_{k+1} is small, not zero. Where contacts jam, so that lambda
                           is not of order h, that energy is no more than an estimate of the loss */
    int iterations;     /**< of Newton, all combinations of modes together */
    int combinations;   /**< of releases and modes that were tried, >= 1 */
    struct carom_variational_work *work; /**< private */
} carom_variational_step;

/** What the variational integrator computes, its stepper included: no joints, and friction in the
 * plane alone (in space it would be bounded by a box). */
extern const carom_mechanism_support carom_variational_support;

/**
 * @param[in]  mechanism full or banded layout; borrowed
 * @param[in]  params    copied
 * @param[out] out       belongs to the caller
 * @param[out] report    what was refused; may be NULL
 * @return CAROM_OK; UNSUPPORTED: joints, friction in space; OUT_OF_RANGE: parameters; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_variational_step_alloc(
    const carom_mechanism *mechanism, const carom_variational_step_params *params,
    carom_variational_step **out, carom_report *report);

/** Free; NULL is accepted. */
void carom_variational_step_free(carom_variational_step *step);
CAROM_AUTO_TYPE(carom_variational_step)

/** p = M(q) v, [n] each. */
void carom_variational_momentum(carom_variational_step *step, const double *q, const double *v,
                                double *p);

/** v = M(q)^-1 p, [n] each: velocity of a momentum, acceleration of a force. @return CAROM_OK;
 * SINGULAR; NOT_FINITE */
CAROM_MUST_CHECK carom_status carom_variational_velocity(carom_variational_step *step,
                                                         const double *q, const double *p,
                                                         double *v);

/**
 * Solve the discrete Euler-Lagrange equations in position-momentum form for a step of any length h,
 *
 *     q_m = (q_k + q_{k+1})/2,  v_m = (q_{k+1} - q_k)/h,  t_m = t_k + h/2,
 *     p_k + (h/2) F - M(q_m) v_m + f H(q_m) + lambda G(q_k) = 0,   phi_i(q_{k+1}) = 0 (held),
 *     p_{k+1} = (h/2) F + M(q_m) v_m + g H(q_m) + kappa G(q_{k+1}),   G(q_{k+1}) v_{k+1} = 0,
 *
 * F = dL/dq + forces = f(q_m,v_m,t_m) + (d(M a)/dq at a = v_m) v_m. Friction follows maximum
 * dissipation with the bound of each row |f_i| <= mu lambda: it sticks (v_t = 0) or slides with f =
 * -mu lambda sign(v_t), f and lambda both impulses of half a step. Releases and friction modes are
 * decided together: combinations are tried, beginning with that of the last step, until one is
 * consistent: lambda >= 0 at held contacts, gaps that do not close at released ones, friction's law
 * at all rows. Dependent contacts share impulses of minimum norm; in the second half, where one
 * would pull, those nearest to the first half if then none does.
 *
 * The second half has the bound |g_i| <= mu max(kappa,0). A row that slides has g = -mu
 * max(kappa,0) sign(v_t), as f = -mu lambda sign(v_t). A row that sticks has v_t = 0 at the
 * midpoint by f and H(q_{k+1}) v_{k+1} = 0 at the end by g; one that would need more slides at the
 * end, g = -mu max(kappa,0) sign(H(q_{k+1}) v_{k+1}). Both halves act along H(q_m), which makes the
 * step symmetric in time and of second order; with f in both halves a row that sticks would turn
 * its tangential momentum over in each step without ever damping it. A body that stops has lost its
 * tangential momentum at the end of the first step in which it sticks. Both |f| and |g| keep their
 * bounds to rounding. Were there no g by this law, as where sliding rows jam at the end alone, it
 * would be zero.
 *
 * What a held gap has left at q_k is closed no faster than at a thousandth of the normal speed that
 * the free forces make in half a step; where h is so short that the change of a gap is rounding, it
 * is the integral of G v that is held at zero. Impulses then keep their digits for every h.
 *
 * @param[in,out] step   result
 * @param[in]     t      s
 * @param[in]     q      [n]
 * @param[in]     p      [n] momentum, tangent to the contacts of `held`
 * @param[in]     h      > 0, s
 * @param[in]     held   [m] contacts closed at q to be held; NULL: none
 * @param[out]    report quantity, time and step of a failure; may be NULL
 * @return CAROM_OK; NOT_CONVERGED: Newton's method; CONFLICT: no combination is consistent;
 * SINGULAR; NOT_FINITE. The residual reported is that of the combination that failed
 * Source: seghete-2014 (28), (29); held contacts as in RATTLE and the form of the friction problem
 * are ours.
 */
CAROM_MUST_CHECK carom_status carom_variational_step_solve(carom_variational_step *step, double t,
                                                           const double *q, const double *p,
                                                           double h, const bool *held,
                                                           carom_report *report);

CAROM_END_DECLARATIONS

#endif
