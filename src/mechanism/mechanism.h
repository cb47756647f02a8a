/** What moves: the one interface between a mechanical system and every method that computes its
 * motion. Then what a method may ask of it, and the check of its derivatives, for those who write
 * one. */
#ifndef CAROM_MECHANISM_MECHANISM_H
#define CAROM_MECHANISM_MECHANISM_H

#include <carom/base/base.h>

CAROM_BEGIN_DECLARATIONS

/* -------------------------------------------------------------------------------- the mechanism */
/* What moves: the one interface between a mechanical system and every method that computes its
 * motion. */

/** Which entries of a matrix of n columns are stored, row by row; the others are always zero. */
typedef struct carom_mechanism_pattern {
    const int *start;  /**< [rows+1] first stored entry of a row, from 0; NULL: all are stored */
    const int *column; /**< [start[rows]] its coordinate, increasing within a row */
} carom_mechanism_pattern;

/** Derivatives that differences may form, one bit each. */
typedef enum carom_mechanism_derivative {
    CAROM_MECHANISM_MASS_DERIVATIVE = 1,
    CAROM_MECHANISM_STIFFNESS = 2,
    CAROM_MECHANISM_DAMPING = 4,
    CAROM_MECHANISM_CONSTRAINT_JACOBIAN = 8,
    CAROM_MECHANISM_CONSTRAINT_FORCE_DERIVATIVE = 16,
    CAROM_MECHANISM_CONSTRAINT_RATE_DERIVATIVE = 32,
    CAROM_MECHANISM_CONSTRAINT_VELOCITY = 64, /**< of s(t); supports then do not slide */
    CAROM_MECHANISM_TANGENTIAL_RATE_DERIVATIVE = 128,
    CAROM_MECHANISM_DERIVATIVES = 255 /**< all of them */
} carom_mechanism_derivative;

/**
 * A mechanical system M(q) dv - G' di = f(q,v,t) dt with joints g^j(q) = 0 and contacts g^j(q) >= 0
 * (bruls-2014 eq. 1). The constraints are stacked, joints first: m = joint_count + contact_count
 * rows.
 *
 * Supports may move: g(t,q) = g(q) + s(t), and the velocities of constraints are those of v and of
 * the supports, u_n = G v + ds/dt, u_t = H v + w_t(t). A floor that rises by a(t) has s = -a, a
 * belt that runs with speed b has w_t = -b, and no derivative with respect to q or v is another one
 * than at rest. What moves in another way, such as a wall that turns, is a body with coordinates of
 * its own and joints q_j + s(t) = 0 that drive them.
 *
 * Bodies that turn in space have unit quaternions: where velocities j, j+1, j+2 are an angular
 * velocity about axes that turn with the body, q has the four numbers (w, x, y, z) of its rotation
 * (carom/mechanism/rotation.h), q' = T(q) v; other coordinates are the integrals of their
 * velocities and stand in the same order. There are then n_q = n + rotation_count positions, and
 * what is called a derivative with respect to q, d./dq, is one along velocities, of F(q exp(a)) by
 * a [n] at a = 0 (carom_mechanism_advance): all Jacobians have n columns.
 *
 * A user fills a struct of functions; every time-stepping scheme works on it. What is constant is
 * left out: a NULL derivative means identically zero. Matrices marked [layout] are stored as
 * `layout` says (full or banded, carom/base/base.h); Jacobians are full and row-major, or by a
 * pattern the entries of the first row, then those of the next. Every function overwrites its whole
 * output and takes `context` last. Units below are those of translational coordinates; an angle in
 * rad takes N m for N, kg m2 for kg.
 *
 * A user without derivatives says in `differences` which of the NULL ones are not zero: methods
 * then form them by central differences of fourth order, 4 n evaluations of the function for each
 * (of a band four for each diagonal), to some eleven digits, second derivatives to seven; records
 * name them.
 *
 * carom_mechanism_check (carom/mechanism/mechanism.h) compares every derivative with finite
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

    int rotation_count;   /**< unit quaternions among the positions: n_q = n + this */
    const int *rotations; /**< [rotation_count] the first velocity of each, increasing */

    const char *position_units; /**< units of q, "m" or per coordinate "m, m, rad" */
    const char *position_names; /**< [n_q] of positions in records, "x, y, angle"; NULL: numbers */
    const char *velocity_units; /**< units of v, "m s-1" or per coordinate */
    const double *restitution;  /**< [n_u] Newton coefficient e of each contact, in [0,1] */
    const double *friction; /**< [n_u] Coulomb coefficient mu >= 0 of each contact; NULL: none */
    int tangent_count;      /**< t of a contact: 0 without friction, 1 plane, 2 space */
    carom_mechanism_pattern constraint_pattern; /**< of G and d(G v)/dq, m rows */
    carom_mechanism_pattern tangential_pattern; /**< of H and d(H v)/dq, n_u t rows */

    /** Which of the derivatives below that are NULL differences are to form, of
     * carom_mechanism_derivative; 0: none, they are zero. */
    int differences;

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
    /** G = dg/dq [m][n], or by its pattern; NULL if m = 0. */
    void (*constraint_jacobian)(const double *q, double *G, void *context);
    /** d(G(q)' lambda)/dq [layout], lambda [m] held fixed; NULL if g is affine, or if rows by their
     * pattern couple coordinates that the layout keeps apart, or may as contacts come and go:
     * methods then do without. */
    void (*constraint_force_derivative)(const double *q, const double *lambda, double *D,
                                        void *context);
    /** d(G(q) v)/dq as G, v [n] held fixed; NULL if g is affine. */
    void (*constraint_rate_derivative)(const double *q, const double *v, double *D, void *context);

    /** H(q) [n_u t][n], or by its pattern, contact by contact: sliding velocity H v; NULL if t = 0.
     */
    void (*tangential_jacobian)(const double *q, double *H, void *context);
    /** d(H(q) v)/dq as H, v [n] held fixed; NULL if H is constant. */
    void (*tangential_rate_derivative)(const double *q, const double *v, double *D, void *context);

    /** s(t) [m], m, added to g; NULL: supports stay where they are. */
    void (*constraint_offset)(double t, double *s, void *context);
    /** w(t) [m + n_u t], m/s: ds/dt, then what supports add to the sliding velocities H v, contact
     * by contact; NULL if zero. */
    void (*constraint_velocity)(double t, double *w, void *context);

    void *context; /**< handed to every function, borrowed */

    /**
     * Which contacts may close within h from (t, q, v), a step or what is foreseen: they are those
     * until the next call, and every function above and the arrays of coefficients and patterns are
     * about them. They fill the first rows of contacts; the others have no entries, and a gap above
     * zero. NULL: always the same. One motion at a time then.
     *
     * @param[out] previous [n_u] the row of each contact before the call, -1 if it was not there;
     * may be NULL
     * @return CAROM_OK; OUT_OF_RANGE: more of them than rows; OUT_OF_MEMORY
     */
    carom_status (*update_contacts)(double t, double h, const double *q, const double *v,
                                    int *previous, carom_report *report, void *context);
    int contact_entry_count; /**< most entries in a row of a contact then, by both patterns */

    /** [m] what g has of terms beside those of positions - arms, radii, places of the ground - in
     * the unit of its row: it is known to their rounding. Of contacts that come and go by
     * update_contacts too; NULL: none. */
    const double *constraint_sizes;
} carom_mechanism;

/** m = joint_count + contact_count. */
int carom_mechanism_constraint_count(const carom_mechanism *mechanism);

/** n_q = coordinate_count + rotation_count. */
int carom_mechanism_position_count(const carom_mechanism *mechanism);

/**
 * q exp(a): q + a, and of rotations carom_rotation_advance.
 *
 * @param[in]  mechanism    the system
 * @param[in]  q            [n_q]
 * @param[in]  displacement [n] a, along the velocities: times h, for instance
 * @param[out] next         [n_q] may be q
 */
void carom_mechanism_advance(const carom_mechanism *mechanism, const double *q,
                             const double *displacement, double *next);

/** How large positions are, along the velocities: |q_i|, and 1 rad of rotations; [n] from q [n_q].
 */
void carom_mechanism_position_sizes(const carom_mechanism *mechanism, const double *q,
                                    double *sizes);

/** Stored entries of G: m n, or those of its pattern. */
size_t carom_mechanism_constraint_entry_count(const carom_mechanism *mechanism);

/** Stored entries of H: n_u t n, or those of its pattern. */
size_t carom_mechanism_tangential_entry_count(const carom_mechanism *mechanism);

/** Most stored entries of G and of H, as contacts come and go. */
size_t carom_mechanism_constraint_entry_room(const carom_mechanism *mechanism);
size_t carom_mechanism_tangential_entry_room(const carom_mechanism *mechanism);

/** G(q) [m][n] with all of its entries, whatever the pattern. */
void carom_mechanism_constraint_jacobian(const carom_mechanism *mechanism, const double *q,
                                         double *G);

/** d(G(q) v)/dq [m][n] with all of its entries, where the mechanism has it. */
void carom_mechanism_constraint_rate_derivative(const carom_mechanism *mechanism, const double *q,
                                                const double *v, double *D);

/** H(q) [n_u t][n] with all of its entries. */
void carom_mechanism_tangential_jacobian(const carom_mechanism *mechanism, const double *q,
                                         double *H);

/** d(H(q) v)/dq [n_u t][n] with all of its entries, where the mechanism has it. */
void carom_mechanism_tangential_rate_derivative(const carom_mechanism *mechanism, const double *q,
                                                const double *v, double *D);

/** Whether a contact has a friction coefficient above zero. */
bool carom_mechanism_has_friction(const carom_mechanism *mechanism);

/** The derivatives that are formed by differences: those asked for that are NULL and not zero by
 * what else the mechanism says. */
int carom_mechanism_differences(const carom_mechanism *mechanism);

/** Their names, "stiffness, damping", cut off at `size`; empty if there are none. */
void carom_mechanism_list_differences(const carom_mechanism *mechanism, size_t size, char *text);

/** Whether supports move. */
bool carom_mechanism_has_moving_supports(const carom_mechanism *mechanism);

/**
 * Refuse what cannot be a mechanism: counts, missing functions (mass, force, potential energy; with
 * constraints also g and G; with tangents also H), restitution outside [0,1], negative friction,
 * friction without tangents or tangents other than 0, 1, 2, supports that move without constraints,
 * rotations that share velocities, quaternions whose length is not 1 up to nine digits,
 * a layout of another size, a pattern whose columns do not increase, an affine flag beside
 * nonlinear derivatives, and at (t, q, v): NaN or infinite values, M unsymmetric or with a negative
 * diagonal entry. A singular M is admitted.
 *
 * @param[in]  mechanism the system
 * @param[in]  t         time in s
 * @param[in]  q         [n_q] position
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
 * @param[in]     q         [n_q]
 * @param[in]     v         [n]
 * @param[in,out] work      [carom_layout_entry_count(layout) + n] scratch
 */
double carom_mechanism_kinetic_energy(const carom_mechanism *mechanism, const double *q,
                                      const double *v, double *work);

/* ----------------------------------------------------------------------- what a method computes */
/* What a method computes of a mechanism; the rest it refuses by name. */

/** One row of the table "stepper x what it computes" of the README; false means refused. */
typedef struct carom_mechanism_support {
    const char *method;     /**< its name in messages and records, "moreau_jean" */
    const char *subject;    /**< what it computes: "motion", "impacts" */
    bool joints;            /**< bilateral constraints */
    bool friction;          /**< friction coefficients above zero */
    bool restitution;       /**< restitution coefficients above zero */
    bool nonlinear_mass;    /**< a mass matrix that depends on the position */
    bool space;             /**< two tangents of a contact, with friction */
    bool moving_supports;   /**< constraints that depend on time */
    bool rotations;         /**< unit quaternions among the positions */
    bool changing_contacts; /**< contacts that come and go */
} carom_mechanism_support;

/**
 * Refuse a mechanism that has what the method does not compute: "moreau_jean computes motion
 * without friction; mechanism 'crate' has friction 0.5".
 *
 * @param[in]  mechanism checked by counts and coefficients alone, no function of it is called
 * @param[in]  support   of the method
 * @param[out] report    that sentence; may be NULL
 * @return CAROM_OK; UNSUPPORTED; OUT_OF_RANGE for counts that no mechanism can have
 */
CAROM_MUST_CHECK carom_status carom_mechanism_require(const carom_mechanism *mechanism,
                                                      const carom_mechanism_support *support,
                                                      carom_report *report);

/* --------------------------------------------------------------------- check of the derivatives */
/* Finite-difference check of every derivative that a mechanism supplies. */

/**
 * The worst entry found, and the entry to mend when the check fails. For a linear mechanism that is
 * not: `derivative` is "mass", "stiffness", "damping", "constraint_jacobian",
 * "tangential_jacobian" with the entry at the given state (supplied) and at another
 * (finite_difference), or "force", "constraints" with the value midway between two states and the
 * mean of its values there; column -1.
 */
typedef struct carom_mechanism_mismatch {
    const char *derivative;   /**< name of the struct member, e.g. "constraint_jacobian"; NULL if
                                 there was nothing to compare */
    int row;                  /**< row of the entry */
    int column;               /**< column of the entry */
    double supplied;          /**< what the mechanism says; 0 outside the band or if NULL */
    double finite_difference; /**< what differencing says */
    double relative_error;    /**< |difference| / max(largest entry of that derivative, 1e-3 largest
                                 value of the function differenced), entries and values times what
                                 their coordinates reach: the second term lets an entry that cannot
                                 be told from rounding pass */
} carom_mechanism_mismatch;

/**
 * Compare mass_derivative, stiffness, damping, constraint_jacobian, constraint_force_derivative,
 * constraint_rate_derivative, constraint_velocity (in time, its first m entries),
 * tangential_rate_derivative, but for those that differences form, and (if `is_linear`, before the
 * others) constancy with central differences at one state; a NULL derivative is compared with zero,
 * and so are the entries outside a band. The directions a (of the mass and the rate derivative) and
 * lambda are drawn from `seed`.
 *
 * @param[in]  mechanism the system
 * @param[in]  t         time in s
 * @param[in]  q         [n_q]
 * @param[in]  v         [n]
 * @param[in]  tolerance relative error that is still accepted, e.g. 1e-6
 * @param[in]  seed      of the random directions
 * @param[out] worst     the worst entry over all derivatives, or the first entry that is not finite
 * (relative error NaN); may be NULL
 * @return CAROM_OK; DERIVATIVE_MISMATCH; NOT_FINITE; OUT_OF_RANGE for
 * counts that no mechanism can have and functions that are missing; OUT_OF_MEMORY
 * Cost: 2 n evaluations of each function, O(n^2 b) for a band (10^4 coordinates take seconds); the
 * memory is that of M, K and G, never n x n for a band. The step is eps^(1/3) of what a coordinate
 * reaches (its size, a gap, the other coordinates in the mass metric), in any units; a column that
 * seems wrong is tried with the steps of other decades and judged by the best of them. Errors of
 * correct derivatives stay below 1e-7.
 */
CAROM_MUST_CHECK carom_status carom_mechanism_check(const carom_mechanism *mechanism, double t,
                                                    const double *q, const double *v,
                                                    double tolerance, unsigned long seed,
                                                    carom_mechanism_mismatch *worst);

/**
 * The same question at the cost of some evaluations, for the start of a motion: every derivative,
 * and what a NULL one says, along a few seeded directions near one state, against differences of
 * the function. Refused is only a deviation of a row (above 1e-5 of it, and above the third
 * differences of the function by itself) that follows the step, or the row, over three decades and
 * that no smaller step contradicts, along two directions: kinks, stairs, stiff functions and any
 * units pass. Beside the lengths inside a function a state may be nothing, and small steps show
 * only what rounding left: where the derivative holds at larger ones, it is refused only if the
 * function rounds less there than was missed. What rounding hides at every step passes in silence.
 * Supports at a time of 1e4 of the state's own or more, of which rounding leaves too little, are
 * compared at the state's own time instead, here and in carom_mechanism_check.
 *
 * @param[in]  mechanism the system, as carom_mechanism_validate accepts it
 * @param[in]  t         time in s
 * @param[in]  q         [n_q]
 * @param[in]  v         [n]
 * @param[in]  seed      of the directions
 * @param[out] report    a sentence ("mechanism 'crate': mass_derivative is missing: the mass matrix
 *                       changes with the position (row 2)") and the row as index; may be NULL
 * @return CAROM_OK; DERIVATIVE_MISMATCH; OUT_OF_RANGE as carom_mechanism_check;
 * OUT_OF_MEMORY
 * Cost: some six evaluations of each function, hundreds of one in doubt; memory O(n + the layout +
 * that of the Jacobians). Limits, as counted on random sums of smooth, kinked and rounded terms: a
 * right derivative is refused at one in two thousand of the states that are nothing beside the
 * lengths inside a function, and at three in a thousand of those with such coordinates and zeros
 * beside others; a wrong one passes at 1 % of ordinary states, at 7 % of those mixed ones, and at a
 * quarter of those that are nothing. carom_mechanism_check, which compares every entry, is the full
 * check.
 */
CAROM_MUST_CHECK carom_status carom_mechanism_check_directions(const carom_mechanism *mechanism,
                                                               double t, const double *q,
                                                               const double *v, unsigned long seed,
                                                               carom_report *report);

CAROM_END_DECLARATIONS

#endif
