/** The parts of one variational step: contacts, equations, matrices, Newton iterations. */
#ifndef CAROM_TIMESTEPPING_VARIATIONAL_STEP_INTERNAL_H
#define CAROM_TIMESTEPPING_VARIATIONAL_STEP_INTERNAL_H

#include <carom/base/linear_algebra.h>
#include <carom/mechanism/mechanism.h>
#include <carom/timestepping/variational/variational.h>

/* ------------------------------------------------------------------------------------- contacts */
/* Internal: the contacts of an instant in the kinetic metric M(q): how fast they approach. */

/**
 * n coordinates, m contacts. With M = L L', covectors a are stored as L^-1 a'. Joints leave the
 * momenta p with G_b M^-1 p = 0: there a covector acts by its part orthogonal to the rows of G_b in
 * the kinetic metric, which is what is stored of it, so that impulses along it never pull at the
 * joints; the joints' own impulses are the other part.
 */
typedef struct carom_variational_contacts {
    const carom_mechanism *mechanism; /**< borrowed */
    double *mass_factor;              /**< [n][n] L, its upper half not to be read */
    double *joint;  /**< [n_b][n] orthonormal, spans L^-1 G_b'; the first joint_rank of them */
    int joint_rank; /**< rank of G_b */
    double *normal; /**< [m][n] u_i = D phi_i(q), of it what the joints leave */
    double *white_normal;   /**< [m][n] L^-1 u_i' */
    double *length;         /**< [m] |u_i|, (5b) */
    double *white_momentum; /**< [n] L^-1 p' */
    double norm;            /**< |p|, square root of twice the kinetic energy */
    double *speed;          /**< [m] (w_i,p), w_i = u_i/|u_i|; positive opens, 0 without a normal */
    double *mass;           /**< [layout] scratch */
    double *memory;         /**< owns the numbers */
} carom_variational_contacts;

/** Room for a mechanism, m may be 0. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_variational_contacts_init(carom_variational_contacts *contacts,
                                                              const carom_mechanism *mechanism);

/** Free; a zeroed struct is accepted. */
void carom_variational_contacts_clear(carom_variational_contacts *contacts);

/**
 * Metric and normals of a place, speeds of a momentum.
 *
 * @param[in,out] contacts of no use after a failure
 * @param[in]     q        [n]
 * @param[in]     p        [n]
 * @param[out]    report   may be NULL
 * @return CAROM_OK; SINGULAR: M is not positive definite; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_variational_contacts_set(carom_variational_contacts *contacts,
                                                             const double *q, const double *p,
                                                             carom_report *report);

/** w = L^-1 a' [n] of a covector a [n] at that place, of it what the joints leave. @return its
 * length; 0 where the joints leave rounding alone */
double carom_variational_contacts_whiten(const carom_variational_contacts *contacts,
                                         const double *a, double *w);

/** a = (L w)' [n] of w [n]: the covector again, of it what the joints leave. */
void carom_variational_contacts_restore(const carom_variational_contacts *contacts, const double *w,
                                        double *a);

/** Speeds of another momentum [n] at the same place. */
void carom_variational_contacts_set_momentum(carom_variational_contacts *contacts, const double *p);

/** v = M^-1 p [n] of the momentum set last. */
void carom_variational_contacts_velocity(const carom_variational_contacts *contacts, double *v);

/* ------------------------------------------------------------------------------------ equations */
/* Internal: the equations of one midpoint variational step, evaluated at a trial velocity. */

/**
 * Beginning of a step, trial combination of modes, and the values at a trial velocity. The unknown
 * is v = v_m rather than q_{k+1} = q_k + h v, so that a step however short keeps its digits. n
 * coordinates, b joints and m contacts of t tangents, c = b + m constraints, joints first; read,
 * never written, by users unless it says so.
 */
typedef struct carom_variational_equations {
    const carom_mechanism *mechanism; /**< borrowed */
    int n;
    int b;
    int m;
    int c;
    int t;

    /* carom_variational_equations_begin */
    double time;            /**< t_k, s */
    double h;               /**< s */
    const double *position; /**< [n] q_k, borrowed */
    const double *momentum; /**< [n] p_k, borrowed */
    bool *candidate;        /**< [c] joints, and contacts that may be held */
    bool has_candidates;    /**< there is one */
    double *mass_begin;     /**< [n][n] M(q_k) */
    double *velocity_begin; /**< [n] M(q_k)^-1 p_k */
    double *normal_begin;   /**< [c][n] G(q_k) */
    double *gap_begin;      /**< [c] phi(q_k) */
    double *gap_rounding;   /**< [c] of an evaluation of phi */
    double *target;         /**< [c] gap asked for at the end: carom_variational_equations_aim */
    bool *is_gap_used;      /**< [c] the change of the gap comes from phi rather than from G v */

    /* the combination: written by users */
    bool *is_active;                      /**< [c] joints, and contacts held in this trial */
    carom_variational_contact_mode *mode; /**< [m] of active contacts with friction */
    double *direction;                    /**< [m t] of sliding, |.| = 1, where the mode is SLIDE */

    /* the iterate: written by users */
    double *velocity; /**< [n] v */
    double *normal;   /**< [c] lambda, 0 of contacts that are not active */
    double *friction; /**< [m t] f, 0 where there is none */

    /* carom_variational_equations_evaluate */
    double *position_mid; /**< [n] q_m */
    double *position_end; /**< [n] q_k + h v */
    double *load;         /**< [n] F */
    double *inertia;      /**< [n] M(q_m) v */
    double *inertia_size; /**< [n] |d(M v)/dq| |q|: what rounding of q makes of M v */
    double *residual;     /**< [n] p_k + (h/2) F - M v + f H + lambda G(q_k) */
    double *impulse_size; /**< [n] sizes of its terms with f and lambda */
    double *normal_end;   /**< [c][n] G(q_k + h v) */
    double *gap_end;      /**< [c] phi(q_k + h v), where it is used */
    double *rate;         /**< [c] (phi(q_{k+1}) - target)/h of the candidates, 0 of others */
    double *tangent;      /**< [m t][n] H(q_m) */
    double *sliding;      /**< [m t] H(q_m) v */

    double *normal_mid; /**< [c][n] scratch, G(q_m) */
    double *matrix;     /**< [layout] scratch */
    carom_factor *mass; /**< of the last M that carom_variational_equations_invert was given */
    double *memory;     /**< owns the numbers */
    bool *flags;        /**< owns the flags */
} carom_variational_equations;

/** Allocate for a mechanism (borrowed). @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_variational_equations_init(carom_variational_equations *eq,
                                                               const carom_mechanism *mechanism);

/** Free; a zeroed struct is accepted. */
void carom_variational_equations_clear(carom_variational_equations *eq);

/** Coulomb's mu of a contact; 0 without friction or tangents. */
double carom_variational_equations_friction(const carom_variational_equations *eq, int contact);

/** The constraint [c] of a row of the small matrices: c joints and normals, then m t tangents. */
int carom_variational_equations_constraint(const carom_variational_equations *eq, int row);

/** Is a row of sliding [m t] one of an active contact with friction that sticks? */
bool carom_variational_equations_sticks(const carom_variational_equations *eq, int row);

/** B [n][n] += alpha A, A in the mechanism's layout. */
void carom_variational_equations_expand(const carom_variational_equations *eq, double alpha,
                                        const double *A, double *B);

/** Factor M(q), kept in `mass`. @return CAROM_OK; SINGULAR; NOT_FINITE */
CAROM_MUST_CHECK carom_status carom_variational_equations_invert(carom_variational_equations *eq,
                                                                 const double *q);

/**
 * Begin a step: M(q_k), v_k, and gaps and normals there if contacts may be held; then evaluate at v
 * = v_k without impulses, which decides for each gap how its change is to be computed.
 *
 * @return CAROM_OK; SINGULAR: M(q_k); NOT_FINITE: position, momentum, M or the residual
 */
CAROM_MUST_CHECK carom_status carom_variational_equations_begin(carom_variational_equations *eq,
                                                                double t, const double *q,
                                                                const double *p, double h,
                                                                const bool *held,
                                                                carom_report *report);

/**
 * Aim at closed gaps. What a gap has left from the location of its impact is closed no faster than
 * at a small part of `speed` [c], the normal speed that the free forces make in half a step: in
 * short steps its removal would otherwise need impulses of any size.
 */
void carom_variational_equations_aim(carom_variational_equations *eq, const double *speed);

/** v = v_k and no impulses, not evaluated. */
void carom_variational_equations_restart(carom_variational_equations *eq);

/** Residual of the momentum, rates of the gaps and sliding at the iterate. */
void carom_variational_equations_evaluate(carom_variational_equations *eq);

/**
 * At what is to be a solution: does the change of a candidate's gap differ from that which comes
 * from G v by more than rounding? It then comes from phi from now on.
 * @return true if there is one: that was no solution
 */
bool carom_variational_equations_reconsider(carom_variational_equations *eq);

/** The residual of the momentum alone at v [n], impulses as in the iterate: spoils load, inertia,
 * tangent, sliding and q_m, q_{k+1}. */
void carom_variational_equations_probe(carom_variational_equations *eq, const double *v,
                                       double *residual);

/* --------------------------------------------------------------------------------------- Newton */
/* Internal: Newton's method on the equations of a variational step, modes given. */

/**
 * The matrix J of the momentum by v, factored once for all combinations, and the small matrix S of
 * the rows: c of joints and normals, then m t tangential ones. n coordinates, N = c + m t.
 */
typedef struct carom_variational_newton {
    carom_variational_equations *equations; /**< borrowed */
    carom_variational_step_params params;
    int row_count;   /**< N */
    bool is_fresh;   /**< the iterate is v_k without impulses, evaluated */
    bool is_spoiled; /**< the matrices are those of an iteration that failed */

    double *jacobian;      /**< [n][n] J */
    double *rows;          /**< [N][n] derivative by v of gap rates and sliding */
    double *responses;     /**< [N][n] J^-1 of normals G(q_k) and tangents H(q_m) */
    double *compliance;    /**< [N][N] rows times responses, 1/kg */
    double *length;        /**< [N] sqrt of the diagonal of S, at v_k; 1 where it is zero */
    double *position_size; /**< [n] (h/2) |K| |q|: what rounding of q makes of the load */
    double *sliding_size;  /**< [m t] |d(H v)/dq| |q|: what rounding of q makes of the sliding */
    double momentum_norm;  /**< |p_k| + |(h/2) F| in the kinetic metric, kg^1/2 m/s */

    int iterations;           /**< of all combinations since the beginning of the step */
    double residual;          /**< of the last combination, of the sum of the sizes of its terms */
    carom_factor *factor;     /**< of J */
    carom_minimum_norm *dual; /**< of the rows of a combination, N x N */
    double *reduced;          /**< [N][N] S of the combination, identity rows where inactive */
    double *right;            /**< [N] */
    double *increment;        /**< [n] */
    double *probe;            /**< [n] */
    double *memory;           /**< owns the numbers */
} carom_variational_newton;

/** Allocate; the equations are borrowed. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_variational_newton_init(
    carom_variational_newton *newton, carom_variational_equations *equations,
    const carom_variational_step_params *params);

/** Free; a zeroed struct is accepted. */
void carom_variational_newton_clear(carom_variational_newton *newton);

/**
 * After carom_variational_equations_begin: matrices at v_k, scales, and the gaps aimed at.
 *
 * J = M(q_k) + (h/2) C + (h^2/4) K: of the derivative of (h/2) F - M(q_m) v the terms with D cancel
 * and M(q_m) - (h/2) dM/dt is M(q_k), all up to h^2 times second derivatives of M.
 *
 * @return CAROM_OK; SINGULAR: J; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_variational_newton_begin(carom_variational_newton *newton,
                                                             carom_report *report);

/**
 * Solve for the modes in the equations, from v_k without impulses, or with those given [N] (NULL:
 * none). The matrices are kept as long as an iteration gains a digit; then J is taken by
 * differences at the iterate. Rows that depend on each other share impulses nearest to those of the
 * beginning, the least norm without. If at the end the change of a gap is not what G v made
 * of it, the gap itself is used and all begins anew. Iterates ten times faster than the momentum of
 * the step are given up: in long steps the equations have further roots, which are not the motion.
 *
 * @return CAROM_OK; NOT_CONVERGED; SINGULAR; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_variational_newton_solve(carom_variational_newton *newton,
                                                             const double *impulse);

/**
 * The rates and sliding that the equations linearised at the evaluated iterate give without any
 * impulse: they are S r + offset [N] with the impulses r.
 */
void carom_variational_newton_linearise(carom_variational_newton *newton, double *offset);

/** Back to v_k without impulses, and the matrices there. @return CAROM_OK; SINGULAR; NOT_FINITE */
CAROM_MUST_CHECK carom_status carom_variational_newton_restart(carom_variational_newton *newton);

/** What Newton's method may leave of a gap at its rounding floor, in the units of the gap. */
double carom_variational_newton_gap_floor(const carom_variational_newton *newton, int constraint);

/* ------------------------------------------------------------------------------------- matrices */
/* Internal: the matrices of Newton's method in a variational step. */

/**
 * J, the rows, their responses and S at the evaluated iterate, J from the closed form.
 * @return CAROM_OK; SINGULAR: J; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_variational_matrices_assemble(carom_variational_newton *newton);

/**
 * The same with J by differences along each coordinate, of the size of its speed; nothing where
 * nothing moves. Spoils q_m, q_{k+1}, load and sliding.
 * @return as carom_variational_matrices_assemble
 */
CAROM_MUST_CHECK carom_status
carom_variational_matrices_differentiate(carom_variational_newton *newton);

/* ------------------------------------------------------------------------------------- the step */

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
    double *joint;    /**< [b] joint residuals at q_{k+1} */
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
                                 0 of others and of those that stick, whose H(q_{k+1}) v is 0 at the
                                 end, too, unless g is at its bound */
    carom_variational_contact_mode *mode; /**< [m] at the midpoint; without friction SLIDE
                                     if it moves */

    double dissipation; /**< lost to friction, >= 0, J: sum of -(f + g) v_t over the contacts that
                           slide, and the kinetic energy that those which stick would have left with
                           f in the place of g, those that slide keeping theirs, but not less than
                           0: H(q_m) v_{k+1} is small, not zero. Where contacts jam, so that lambda
                           is not of order h, that energy is no more than an estimate of the loss */
    int iterations;     /**< of Newton, all combinations of modes together */
    int combinations;   /**< of releases and modes that were tried, >= 1 */
    struct carom_variational_work *work; /**< private */
} carom_variational_step;

/**
 * @param[in]  mechanism full or banded layout; borrowed
 * @param[in]  params    copied
 * @param[out] out       belongs to the caller
 * @param[out] report    what was refused; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: parameters; OUT_OF_MEMORY
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
 * F = dL/dq + forces = f(q_m,v_m,t_m) + (d(M a)/dq at a = v_m) v_m; all impulses are of half a
 * step; joints are held with lambda and kappa of either sign. Friction of the first half: a contact
 * sticks (v_t = 0, |f| <= mu lambda) or slides with f = -mu lambda v_t/|v_t|. Of the second half:
 * one that slides has g = -mu max(kappa,0) v_t/|v_t|; one that sticks has H(q_{k+1}) v_{k+1} = 0 if
 * |g| <= mu max(kappa,0) is enough for that, else it slides at the end. If no g fulfils this, as
 * where sliding contacts jam at the end alone, it is zero.
 *
 * Contact modes are tried, beginning with those of the last step, until they are consistent: lambda
 * >= 0 at held contacts, gaps that do not close at released ones, friction's law in all contacts.
 * What is not consistent is linearised, and its contact problem has the next modes. Dependent
 * contacts share impulses of minimum norm or, where one would pull, as the contact problem has it.
 * The document explains the method under "The integrator".
 *
 * @param[in,out] step   result
 * @param[in]     t      s
 * @param[in]     q      [n]
 * @param[in]     p      [n] momentum, tangent to the contacts of `held`
 * @param[in]     h      > 0, s
 * @param[in]     held   [m] contacts closed at q to be held; NULL: none
 * @param[out]    report quantity, time and step of a failure; may be NULL
 * @return CAROM_OK; NOT_CONVERGED: Newton's method; CONFLICT: no combination is consistent;
 * SINGULAR; NOT_FINITE; OUT_OF_MEMORY. The residual reported is that of the combination that failed
 * Source: seghete-2014 (28), (29); held contacts as in RATTLE and the form of the friction problem
 * are ours.
 */
CAROM_MUST_CHECK carom_status carom_variational_step_solve(carom_variational_step *step, double t,
                                                           const double *q, const double *p,
                                                           double h, const bool *held,
                                                           carom_report *report);

#endif
