/** What moves: the one interface between a mechanical system and every method that computes its
 * motion. */
#ifndef CAROM_MECHANISM_MECHANISM_H
#define CAROM_MECHANISM_MECHANISM_H

#include <carom/base/layout.h>

CAROM_BEGIN_DECLARATIONS

/**
 * A mechanical system M(q) dv - G' di = f(q,v,t) dt with joints g^j(q) = 0 and contacts g^j(q) >= 0
 * (bruls-2014 eq. 1). The constraints are stacked, joints first: m = joint_count + contact_count
 * rows.
 *
 * A user fills a struct of functions; every time-stepping scheme works on it. What is constant is
 * left out: a NULL derivative means identically zero. Matrices marked [layout] are stored as
 * `layout` says (full or banded, carom/base/layout.h); Jacobians are full and row-major. Every
 * function overwrites its whole output and takes `context` last. Units below are those of
 * translational coordinates; an angle in rad takes N m for N, kg m2 for kg.
 *
 * carom_mechanism_check (carom/mechanism/check.h) compares every derivative with finite
 * differences; every stepper looks along a few directions where it starts and refuses a derivative
 * that is wrong or was forgotten.
 */
typedef struct carom_mechanism {
    const char *name;     /**< lower-case identifier, for messages */
    int coordinate_count; /**< n >= 1 */
    int joint_count;      /**< n_b >= 0 bilateral constraints, rows 0 .. n_b-1 */
    int contact_count;    /**< n_u >= 0 unilateral constraints, rows n_b .. m-1 */
    carom_layout layout;  /**< storage of the n x n matrices M, K, C and of the mass and constraint
                             derivatives */
    bool is_linear;       /**< M, K, C and the Jacobian constant, f affine in q and v: exploited */

    const char *position_units; /**< units of q, "m" or per coordinate "m, m, rad" */
    const char *velocity_units; /**< units of v, "m s-1" or per coordinate */
    const double *restitution;  /**< [n_u] Newton coefficient e of each contact, in [0,1] */
    const double *friction; /**< [n_u] Coulomb coefficient mu >= 0 of each contact; NULL: none */
    int tangent_count;      /**< t of a contact: 0 without friction, 1 plane, 2 space */

    /** M(q) [layout], symmetric, kg. */
    void (*mass)(const double *q, double *M, void *context);
    /** d(M(q) a)/dq [layout], a [n] held fixed; NULL if M is constant. */
    void (*mass_derivative)(const double *q, const double *a, double *D, void *context);
    /** f(q,v,t) [n], N: external, minus damping, minus internal forces. */
    void (*force)(double t, const double *q, const double *v, double *f, void *context);
    /** K = -df/dq [layout], N/m; NULL if zero. */
    void (*stiffness)(double t, const double *q, const double *v, double *K, void *context);
    /** C = -df/dv [layout], N s/m; NULL if zero. */
    void (*damping)(double t, const double *q, const double *v, double *C, void *context);
    /** V(q), J: its decrease and the kinetic energy balance when nothing dissipates. */
    double (*potential_energy)(const double *q, void *context);

    /** g(q) [m], m: joint residuals, then gaps; NULL if m = 0. */
    void (*constraints)(const double *q, double *g, void *context);
    /** G = dg/dq [m][n]; NULL if m = 0. */
    void (*constraint_jacobian)(const double *q, double *G, void *context);
    /** d(G(q)' lambda)/dq [layout], lambda [m] held fixed; NULL if g is affine. */
    void (*constraint_force_derivative)(const double *q, const double *lambda, double *D,
                                        void *context);
    /** d(G(q) v)/dq [m][n], v [n] held fixed; NULL if g is affine. */
    void (*constraint_rate_derivative)(const double *q, const double *v, double *D, void *context);

    /** H(q) [n_u t][n], contact by contact: sliding velocity H v; NULL if t = 0. */
    void (*tangential_jacobian)(const double *q, double *H, void *context);
    /** d(H(q) v)/dq [n_u t][n], v [n] held fixed; NULL if H is constant. */
    void (*tangential_rate_derivative)(const double *q, const double *v, double *D, void *context);

    void *context; /**< handed to every function, borrowed */
} carom_mechanism;

/** m = joint_count + contact_count. */
int carom_mechanism_constraint_count(const carom_mechanism *mechanism);

/** Refuse counts and a layout that no mechanism can have; no function of it is called. @return
 * CAROM_OK; OUT_OF_RANGE */
CAROM_MUST_CHECK carom_status carom_mechanism_check_counts(const carom_mechanism *mechanism,
                                                           carom_report *report);

/** The same, and functions that are missing or that others exclude (carom_mechanism_validate); none
 * is called. @return CAROM_OK; OUT_OF_RANGE */
CAROM_MUST_CHECK carom_status carom_mechanism_check_functions(const carom_mechanism *mechanism,
                                                              carom_report *report);

/**
 * Refuse what cannot be a mechanism: counts, missing functions (mass, force, potential energy; with
 * constraints also g and G; with tangents also H), restitution outside [0,1], negative friction,
 * friction without tangents or tangents other than 0, 1, 2, a layout of another size, an affine
 * flag beside nonlinear derivatives, and at (t, q, v): NaN or infinite values, M unsymmetric or
 * with a negative diagonal entry. A singular M is admitted.
 *
 * @param[in]  mechanism the system
 * @param[in]  t         time in s
 * @param[in]  q         [n] position
 * @param[in]  v         [n] velocity
 * @param[out] report    what was refused; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE, NOT_FINITE, NOT_SYMMETRIC, OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_mechanism_validate(const carom_mechanism *mechanism, double t,
                                                       const double *q, const double *v,
                                                       carom_report *report);

/**
 * Kinetic energy v' M(q) v / 2, J.
 *
 * @param[in]     mechanism the system
 * @param[in]     q         [n]
 * @param[in]     v         [n]
 * @param[in,out] work      [carom_layout_entry_count(layout) + n] scratch
 */
double carom_mechanism_kinetic_energy(const carom_mechanism *mechanism, const double *q,
                                      const double *v, double *work);

CAROM_END_DECLARATIONS

#endif
