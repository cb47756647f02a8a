/** The schemes of fixed steps: their equations and how each is solved. */
#ifndef CAROM_TIMESTEPPING_GALPHA_SCHEMES_H
#define CAROM_TIMESTEPPING_GALPHA_SCHEMES_H

#include <carom/base/base.h>
#include <carom/base/linear_algebra.h>
#include <carom/timestepping/galpha/contact_level.h>
#include <carom/timestepping/galpha/internal.h>

/* --------------------------------------------------------------------------------------- Newton */
/* Internal: semi-smooth Newton iteration with active sets, and an exact LCP where the sets cycle;
 * with friction the contact problem of every linearized step. */

enum { CAROM_NEWTON_MAX_LEVELS = 2 };

/**
 * One step of an implicit scheme: a residual r(x) whose rows depend on active sets, one set per
 * level at which contacts are imposed (position, velocity). Increments are those of the scaled
 * unknowns: kinematic blocks, then -d lambda of every multiplier. `self` is the scheme. With
 * friction the last level has tangents, whose multipliers are counted like those of a further
 * level, contact by contact.
 */
typedef struct carom_newton_problem {
    void *self;
    int level_count;   /**< 1 or 2 */
    int tangent_count; /**< t of a contact at the last level; 0 without friction */
    int first_multiplier[CAROM_NEWTON_MAX_LEVELS + 1]; /**< of contact 0 in the vector of
                                                          multipliers; then of the first tangent */
    const double *coefficients;                        /**< [n_u] of friction, where t > 0 */
    bool *active[CAROM_NEWTON_MAX_LEVELS];             /**< [n_u] sets, contacts only */
    bool is_coupled; /**< level 0 complements (multiplier of level 0 - multiplier of level 1) */

    /** Start values of the step; binds `active`. */
    void (*predict)(void *self);
    /** Choose the active sets by the activation tests at the current iterate. */
    void (*activate)(void *self);
    /** r [N] at the current iterate and sets. */
    void (*residual)(void *self, double *r);
    /** Coulomb's law in place of the sliding speeds, in the rows of the tangents; where t > 0. */
    void (*friction)(void *self, double *r);
    /** What the rows [N] of the last residual are measured in, in their own units. */
    void (*scale)(void *self, double *scale);
    /** Newton matrix at the iterate of the last residual. */
    void (*assemble)(void *self, carom_saddle *saddle);
    /** Overwrite that residual r [N] by Newton's increment, by what is known of the matrix; NULL:
     * by the matrix as a whole. @return CAROM_OK; SINGULAR; NOT_FINITE */
    carom_status (*increment)(void *self, double *r);
    /** The increment of the linearized step by one contact problem, in place of its matrix: the
     * residual [N], overwritten, and the contact where there is no solution; NULL. */
    carom_status (*solve)(void *self, double tolerance, double *increment, int *contact);
    /** Add an increment dx [N] to the iterate. */
    void (*update)(void *self, const double *dx);
    /** Scaled multiplier of contact j at a level (nu/h, Lambda); of tangent j behind the levels. */
    double (*multiplier)(const void *self, int level, int j);
    /** Contacts [n_u] on which a level is imposed after the increment dx (NULL: none), for what
     * switches it on. */
    void (*eligible)(void *self, int level, const double *dx, bool *contacts);
} carom_newton_problem;

typedef struct carom_newton_solver carom_newton_solver;

/**
 * @param[in]  layout           of the kinematic blocks
 * @param[in]  block_count      of kinematic unknowns
 * @param[in]  multiplier_count of all multipliers
 * @param[in]  level_count      levels of contact conditions
 * @param[in]  contact_count    n_u
 * @param[in]  tangent_count    t of a contact, 0 without friction
 * @param[in]  max_iterations   limit, also of the history of sets
 * @param[out] out              belongs to the caller
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_newton_solver_alloc(carom_layout layout, int block_count,
                                                        int multiplier_count, int level_count,
                                                        int contact_count, int tangent_count,
                                                        int max_iterations,
                                                        carom_newton_solver **out);

/** Take the memory of the matrices, where a step is not solved without. @return CAROM_OK;
 * OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_newton_solver_prepare(carom_newton_solver *solver);

/** Free; NULL is accepted. */
void carom_newton_solver_free(carom_newton_solver *solver);
CAROM_AUTO_TYPE(carom_newton_solver)

/** What an iteration ended with. */
typedef struct carom_newton_result {
    double residual;     /**< largest of the rows, each in its own scale, 1 */
    int iterations;      /**< corrections made */
    bool used_exact_lcp; /**< the active sets cycled and Lemke's method took over */
    int contact;         /**< the worst contact of a step not found; -1 if none is */
} carom_newton_result;

/**
 * Predict, then iterate until every row of r, in its own scale, is below the tolerance, with the
 * sets re-evaluated at every iterate (bruls-2014 eqs 38-44). When a pair of sets comes back, the
 * linearized step is condensed to its contact multipliers and solved as a linear complementarity
 * problem, level by level, in every following iteration. Where that ends too, every choice of the
 * sets is tried for up to eight contact conditions. With friction every iteration solves the
 * contact problem of the linearized step instead (Josephy and Newton), from the multipliers of the
 * iterate.
 *
 * @return CAROM_OK; NOT_CONVERGED; SINGULAR; NOT_FINITE; RAY
 */
CAROM_MUST_CHECK carom_status carom_newton_solve(carom_newton_solver *solver,
                                                 const carom_newton_problem *problem,
                                                 double tolerance, carom_newton_result *result);

/**
 * Condition number (2-norm) of the Newton matrix at the problem's current iterate and sets, in
 * units of its own: unknowns as roots of energies, rows beside their size.
 * @return CAROM_OK; OUT_OF_MEMORY; NOT_CONVERGED
 */
CAROM_MUST_CHECK carom_status carom_newton_condition_number(carom_newton_solver *solver,
                                                            const carom_newton_problem *problem,
                                                            double *condition);

/* ------------------------------------------------------------------------------------- contacts */
/* Internal: the contact problem of a step, for those who listen. */

/**
 * Tell the listener of the parameters the velocity level at the iterate of step->next, if a contact
 * is closed there.
 *
 * @return CAROM_OK; what the listener returned; SINGULAR (M); OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_step_contacts_tell(carom_step_context *step,
                                                       const carom_newton_problem *newton,
                                                       carom_report *report);

/* ------------------------------------------------------------------------------------ exact LCP */
/* Internal: one iteration of a step with its contacts decided by complementary pivoting. */

/** Work memory of the condensed problems of one Newton system. */
typedef struct carom_exact_lcp carom_exact_lcp;

/**
 * @param[in]  kinematic     entries before the multipliers
 * @param[in]  size          N, all entries
 * @param[in]  level_count   levels of contact conditions
 * @param[in]  contact_count n_u
 * @param[in]  tangent_count t of a contact, 0 without friction
 * @param[out] out           belongs to the caller, to be freed by carom_exact_lcp_free
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_exact_lcp_alloc(int kinematic, int size, int level_count,
                                                    int contact_count, int tangent_count,
                                                    carom_exact_lcp **out);

/** Free; NULL is accepted. */
void carom_exact_lcp_free(carom_exact_lcp *exact);
CAROM_AUTO_TYPE(carom_exact_lcp)

/**
 * Linearize the step with every contact imposed, condense it to the multipliers of the contacts,
 * and solve the linear complementarity problem of each level by Lemke's method, the levels in turn;
 * with friction the last level is a contact problem (carom_contact_solve).
 *
 * @param[in,out] exact     work memory
 * @param[in,out] problem   its active sets become those of the solution
 * @param[in,out] saddle    overwritten
 * @param[in]     tolerance of the step, which the contact problem is solved to a tenth of
 * @param[out]    increment [N] of the scaled unknowns, to be given to problem->update
 * @param[out]    contact   with friction, where there is no solution; else untouched
 * @return CAROM_OK; RAY, SINGULAR, NOT_FINITE or NOT_CONVERGED
 */
CAROM_MUST_CHECK carom_status carom_exact_lcp_increment(carom_exact_lcp *exact,
                                                        const carom_newton_problem *problem,
                                                        carom_saddle *saddle, double tolerance,
                                                        double *increment, int *contact);

/* -------------------------------------------------------------------------------- GGL by Newton */
/* Internal: the nonsmooth generalized-alpha step at position and velocity level, full Newton
 * matrix. */

enum { CAROM_GGL_BLOCKS = 3 }; /* increments of v~, U/h, W */

/** The two systems of a block triangular Newton matrix. */
typedef struct carom_ggl_blocks carom_ggl_blocks;

/** @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_ggl_blocks_alloc(const carom_step_context *step,
                                                     carom_ggl_blocks **out);

/** Free; NULL is accepted. */
void carom_ggl_blocks_free(carom_ggl_blocks *blocks);
CAROM_AUTO_TYPE(carom_ggl_blocks)

/** The same system by contact problems. */
typedef struct carom_ggl_contacts carom_ggl_contacts;

/**
 * The scheme as a Newton problem on a step context: unknowns (dv~, dU/h, dW, -h dlambda~, -dnu/h,
 * -dLambda), the order of bruls-2014 eq. 42 with the multipliers gathered behind the kinematic
 * blocks.
 */
typedef struct carom_ggl {
    carom_step_context *step;
    bool is_modified; /**< eqs 25 and 27 in place of 28: nu/h - Lambda complements the gap */
    double *free_q;   /**< [n] q~ of the current iterate; owned */
    carom_ggl_blocks *blocks;     /**< where the matrix is block triangular; owned */
    carom_ggl_contacts *contacts; /**< where each iteration is three contact problems; owned */
    carom_newton_problem problem;
} carom_ggl;

/** Bind to a step context. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_ggl_init(carom_ggl *ggl, carom_step_context *step,
                                             bool is_modified);

/** Free; a zeroed object is accepted. */
void carom_ggl_clear(carom_ggl *ggl);

/** Solve every step with a matrix of all unknowns, by blocks where it has them. @return CAROM_OK;
 * OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_ggl_use_matrix(carom_ggl *ggl);

/** Solve every step by contact problems over its sparse rows, with M regular and no
 * d(G'lambda)/dq: no matrix of all unknowns. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_ggl_use_contacts(carom_ggl *ggl);

/** @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_ggl_contacts_alloc(carom_ggl *ggl, carom_ggl_contacts **out);

/** Free; NULL is accepted. */
void carom_ggl_contacts_free(carom_ggl_contacts *contacts);
CAROM_AUTO_TYPE(carom_ggl_contacts)

/** Begin the iteration of a step. */
void carom_ggl_contacts_begin(carom_ggl_contacts *contacts);

/**
 * Whether contact j goes on to press though it is not closed at q~. What rests on others falls with
 * them on its way there, where their contact neither opens nor closes but by how its row turns: it
 * is that of bodies which the position level lifts, and closed as before where that pressed it in
 * an iteration of the step. The paper has no such contacts.
 */
bool carom_ggl_contacts_holds(const carom_ggl_contacts *contacts, int j);

/**
 * Whether contacts are displaced in this step by their friction of the last: where they are
 * redundant, impulses jump among them as positions change by their last digits, and may not change
 * these again. What it amounts to is off by h/2 M^-1 H' of the friction of a step.
 */
bool carom_ggl_contacts_knows_friction(const carom_ggl_contacts *contacts);

/** One iteration: arguments and errors as of carom_contact_step_increment. */
CAROM_MUST_CHECK carom_status carom_ggl_contacts_increment(carom_ggl_contacts *contacts,
                                                           double tolerance, double *increment,
                                                           int *contact);

/** c_M of the increments dv~' = (c_M/h) dv~ (41). */
double carom_ggl_acceleration_factor(const carom_step_context *step);

/** y [n] += alpha F/h, F the displacement M U of friction. */
void carom_ggl_add_displacement(const carom_ggl *ggl, double alpha, double *y);

/** Which contacts [n_u] are closed at q~ after an increment dv~ [n], NULL: none. */
void carom_ggl_closed_contacts(carom_ggl *ggl, const double *dv_smooth, bool *contacts);

/** K_t and C_t (45) into the evaluation's stiffness and damping, their roundings into the scales.
 */
void carom_ggl_tangents(carom_ggl *ggl);

/** Prediction (40) with U, W and their multipliers zero and the smooth motion of the last step. */
void carom_ggl_predict(void *ggl);

/** Active sets (38) at the current iterate. */
void carom_ggl_activate(void *ggl);

/** Residual (39), inactive rows with the sign of (42): [3n + n_b + 2m]. */
void carom_ggl_residual(void *ggl, double *r);

/** Scales of its rows. */
void carom_ggl_scale(void *ggl, double *scale);

/** Newton matrix (44)-(45) at the iterate of the last residual. */
void carom_ggl_assemble(void *ggl, carom_saddle *saddle);

/** Its rows 1 to 5 without the columns of W and Lambda, with the position level of the first `rows`
 * constraints, leaving C_t in the evaluation's damping. */
void carom_ggl_assemble_motion(carom_ggl *ggl, int rows, carom_saddle *saddle);

/** [ M  G_A' ; G_A  0 ; 0  I ] for a set of the first `rows` constraints. */
void carom_ggl_assemble_projection(const carom_ggl *ggl, int rows, const bool *active,
                                   carom_saddle *saddle);

/** Newton's increment by blocks, in place of the residual. @return CAROM_OK; SINGULAR; NOT_FINITE
 */
carom_status carom_ggl_increment(void *ggl, double *r);

/**
 * Add S* (45) to block (0,0), leaving K_t and C_t in the evaluation's stiffness and damping.
 */
void carom_ggl_assemble_smooth(carom_ggl *ggl, carom_saddle *saddle);

/**
 * d(M(q) x - G' lambda)/dq at the current iterate (45), lambda masked by `active` (NULL: none),
 * [layout], borrowed from the evaluation until its next use.
 */
const double *carom_ggl_inertia_derivative(carom_ggl *ggl, const double *x, const double *lambda,
                                           const bool *active);

/** Increment relations (41). */
void carom_ggl_update(void *ggl, const double *dx);

/** Largest rows of the three parts of the residual (39), each row in its own scale. */
void carom_ggl_residual_norms(const carom_ggl *ggl, const double *r, const double *scale,
                              double *smooth, double *position, double *velocity);

/* ------------------------------------------------------------------------------ GGL in sequence */
/* Internal: the nonsmooth generalized-alpha step by three smaller systems in turn. */

typedef struct carom_ggl_sequential carom_ggl_sequential;

/** Workspace for the steps of one context. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_ggl_sequential_alloc(const carom_step_context *step,
                                                         carom_ggl_sequential **out);

/** Free; NULL is accepted. */
void carom_ggl_sequential_free(carom_ggl_sequential *work);
CAROM_AUTO_TYPE(carom_ggl_sequential)

/**
 * Algorithm 1 of bruls-2014 with the corrections: scaled left-hand side dU/h in step 2, inactive
 * multipliers cleared. Gives up after max_iterations, or as soon as the residual is many times the
 * first one; the caller then turns to the full matrix.
 *
 * @return CAROM_OK; NOT_CONVERGED; SINGULAR; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_ggl_sequential_solve(carom_ggl_sequential *work, carom_ggl *ggl,
                                                         double tolerance, int max_iterations,
                                                         carom_newton_result *result);

/* ---------------------------------------------------------------------------------- linear step */
/* Internal: the exact step of a constant linear mechanism, condensed to its contacts. */

/**
 * For constant M, K, G, without damping, joints and friction, a step is one solve with a matrix
 * factored once, and one linear complementarity problem per level with a constant Delassus matrix:
 * bruls-2014 eqs 29-30, or 50, with the motion eliminated. O(n) for tridiagonal systems, nothing
 * iterates. Without stiffness and with rows by their entries the Delassus matrix is kept by its
 * band, and nothing is [m][n] or [m][m].
 */
typedef struct carom_linear_step carom_linear_step;

/** Whether this mechanism and scheme have an exact linear step. */
bool carom_linear_step_applies(const carom_mechanism *mechanism, carom_scheme scheme);

/**
 * Factor and precompute.
 * @return CAROM_OK; SINGULAR if M or S* is; NOT_FINITE; NOT_SYMMETRIC; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_linear_step_alloc(carom_step_context *step,
                                                      carom_linear_step **out);

/** Free; NULL is accepted. */
void carom_linear_step_free(carom_linear_step *linear);
CAROM_AUTO_TYPE(carom_linear_step)

/**
 * Compute the next state from the last, rates included.
 * @param[in,out] linear     the precomputed step
 * @param[out]    iterations 1, plus one for each change of an active set
 * @return CAROM_OK; NOT_FINITE; RAY; NOT_CONVERGED
 */
CAROM_MUST_CHECK carom_status carom_linear_step_solve(carom_linear_step *linear, int *iterations);

/* --------------------------------------------------------------------------------------- smooth */
/* Internal: the smooth generalized-alpha scheme with constraints at position level (index 3). */

/** Unknowns (dq/h, -h dlambda): no velocity jump, no impact law (bruls-2014 eqs 51-52). */
typedef struct carom_smooth_galpha {
    carom_step_context *step;
    carom_newton_problem problem;

    /* where each step is a contact problem; owned */
    double *S;                     /**< [layout] of the iteration */
    double *free_motion;           /**< [n] dq/h without contacts */
    carom_kept_factor inertia;     /**< S */
    carom_contact_level positions; /**< joints and contacts */
} carom_smooth_galpha;

/** Bind to a step context. */
void carom_smooth_galpha_init(carom_smooth_galpha *scheme, carom_step_context *step);

/** Free; a zeroed scheme is accepted. */
void carom_smooth_galpha_clear(carom_smooth_galpha *scheme);

/** As carom_ggl_use_contacts. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_smooth_galpha_use_contacts(carom_smooth_galpha *scheme);

/** Prediction (40) and zero multipliers. */
void carom_smooth_galpha_predict(void *scheme);

/* ------------------------------------------------------------------------------- velocity level */
/* Internal: schemes that impose every constraint at velocity level (Moreau-Jean, velocity_galpha).
 * */

enum { CAROM_VELOCITY_LEVEL_BLOCKS = 2 }; /* increments of v~ and W */

/** A step of a velocity level as a contact problem of bodies with its iteration matrix. */
typedef struct carom_contact_step carom_contact_step;

/**
 * M v~' = f, M W = G' Lambda, v = v~ + W with increments  dv~' = (c/h) dv~,  dq = h b dv~ + h w dW:
 * Moreau-Jean has c = 1/theta, b = w = theta (bruls-2014 eq. 50); the predecessor of the paper's
 * scheme c = c_M, b = beta/gamma, w = 1/2.
 */
typedef struct carom_velocity_level {
    carom_step_context *step;
    double acceleration_factor;  /**< c, 1 */
    double inverse_acceleration; /**< 1/c, 1 */
    double smooth_factor;        /**< b, 1 */
    double jump_factor;          /**< w, 1 */
    bool *closed;       /**< [m] closed at the predicted position, frozen during the step */
    double *predicted;  /**< [n] q* */
    double *closed_gap; /**< [m] with friction, gap at q* where last closed, m */
    carom_contact_step *contacts; /**< where each step is a contact problem; else NULL */
    carom_newton_problem problem;
} carom_velocity_level;

/** Bind to a step context. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_velocity_level_init(carom_velocity_level *scheme,
                                                        carom_step_context *step);

/** Free; a zeroed object is accepted. */
void carom_velocity_level_clear(carom_velocity_level *scheme);

/** kappa of params.predictor, 1. */
double carom_velocity_level_foresight(const carom_step_context *step);

/**
 * Contacts closed at the predicted position q* = q_n + kappa h v_n, kappa as above; joints are.
 *
 * @param[in,out] step      evaluates the constraints
 * @param[out]    predicted [n] q*, m
 * @param[out]    closed    [m]
 */
void carom_velocity_level_closed_contacts(carom_step_context *step, double *predicted,
                                          bool *closed);

/** Moreau-Jean's start (50e,f) with v~' = 0, into smooth velocity, velocity and position of the
 * next state. */
void carom_moreau_jean_predict(carom_step_context *step);

/** Coefficients c, b, w of the increments for the scheme of a step context, 1. */
void carom_velocity_level_factors(const carom_step_context *step, double *acceleration_factor,
                                  double *smooth_factor, double *jump_factor);

/**
 * Solve every step by contact problems, over its sparse rows and with M and
 * M + (h/c) C + h^2 (w/c) K regular: no matrix of all unknowns. @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_velocity_level_use_contacts(carom_velocity_level *scheme);

/** S = M + (h/c) C + h w (d(M W - G' Lambda)/dq + (h/c) d(M v~' - f)/dq) [layout] at the
 * iterate of the last residual, and its roundings into the scales. */
void carom_velocity_level_tangent(carom_velocity_level *scheme, double *S);

/** @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_contact_step_alloc(carom_velocity_level *scheme,
                                                       carom_contact_step **out);

/** Free; NULL is accepted. */
void carom_contact_step_free(carom_contact_step *step);
CAROM_AUTO_TYPE(carom_contact_step)

/** Begin the iteration of a step. */
void carom_contact_step_begin(carom_contact_step *step);

/**
 * One iteration: the contact problem of the step linearized at the last residual, from the impulses
 * of the iterate.
 *
 * @param[in,out] step      work memory
 * @param[in]     tolerance of the step, which the problem is solved to a tenth of, and to a tenth
 *                          of that in each further iteration
 * @param[in,out] increment [N] the residual, then what carom_velocity_level adds
 * @param[out]    contact   where there is no solution; else untouched
 * @return CAROM_OK; RAY, SINGULAR, NOT_FINITE, NOT_CONVERGED; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_contact_step_increment(carom_contact_step *step,
                                                           double tolerance, double *increment,
                                                           int *contact);

/** Start values: closed contacts, smooth motion with v~' = 0, zero multipliers. */
void carom_velocity_level_predict(void *scheme);

#endif
