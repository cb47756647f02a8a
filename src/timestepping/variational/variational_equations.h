/** Internal: the equations of one midpoint variational step, evaluated at a trial velocity. */
#ifndef CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_EQUATIONS_H
#define CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_EQUATIONS_H

#include <carom/base/factor.h>
#include <carom/timestepping/variational/variational.h>

/**
 * Beginning of a step, trial combination of modes, and the values at a trial velocity. The unknown
 * is v = v_m rather than q_{k+1} = q_k + h v, so that a step however short keeps its digits. n
 * coordinates, m contacts of t tangents; read, never written, by users unless it says so.
 */
typedef struct carom_variational_equations {
    const carom_mechanism *mechanism; /**< borrowed */
    int n;
    int m;
    int t;

    /* carom_variational_equations_begin */
    double time;            /**< t_k, s */
    double h;               /**< s */
    const double *position; /**< [n] q_k, borrowed */
    const double *momentum; /**< [n] p_k, borrowed */
    const bool *candidate;  /**< [m] contacts that may be held, borrowed; NULL: none */
    bool has_candidates;    /**< there is one */
    double *mass_begin;     /**< [n][n] M(q_k) */
    double *velocity_begin; /**< [n] M(q_k)^-1 p_k */
    double *normal_begin;   /**< [m][n] G(q_k) */
    double *gap_begin;      /**< [m] phi(q_k) */
    double *gap_rounding;   /**< [m] of an evaluation of phi */
    double *target;         /**< [m] gap asked for at the end: carom_variational_equations_aim */
    bool *is_gap_used;      /**< [m] the change of the gap comes from phi rather than from G v */

    /* the combination: written by users */
    bool *is_active;              /**< [m] held in this trial */
    carom_variational_mode *mode; /**< [m t] of the rows of active contacts with friction */

    /* the iterate: written by users */
    double *velocity; /**< [n] v */
    double *normal;   /**< [m] lambda, 0 of contacts that are not active */
    double *friction; /**< [m t] f, 0 where there is none */

    /* carom_variational_equations_evaluate */
    double *position_mid; /**< [n] q_m */
    double *position_end; /**< [n] q_k + h v */
    double *load;         /**< [n] F */
    double *inertia;      /**< [n] M(q_m) v */
    double *inertia_size; /**< [n] |d(M v)/dq| |q|: what rounding of q makes of M v */
    double *residual;     /**< [n] p_k + (h/2) F - M v + f H + lambda G(q_k) */
    double *impulse_size; /**< [n] sizes of its terms with f and lambda */
    double *normal_end;   /**< [m][n] G(q_k + h v) */
    double *gap_end;      /**< [m] phi(q_k + h v), where it is used */
    double *rate;         /**< [m] (phi(q_{k+1}) - target)/h of the candidates, 0 of others */
    double *tangent;      /**< [m t][n] H(q_m) */
    double *sliding;      /**< [m t] H(q_m) v */

    double *normal_mid; /**< [m][n] scratch, G(q_m) */
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
 * at a small part of `speed` [m], the normal speed that the free forces make in half a step: in
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

#endif
