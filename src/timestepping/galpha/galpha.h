/** Schemes of fixed steps that capture impacts: Moreau-Jean and the nonsmooth generalized-alpha
 * family (bruls-2014). A stepper by hand, or a whole run. */
#ifndef CAROM_TIMESTEPPING_GALPHA_GALPHA_H
#define CAROM_TIMESTEPPING_GALPHA_GALPHA_H

#include <carom/base/base.h>
#include <carom/mechanism/mechanism.h>
#include <carom/timestepping/trajectory.h>

CAROM_BEGIN_DECLARATIONS

/* -------------------------------------------------------------------------------------- stepper */
/* Fixed-step, event-capturing time stepping of a mechanism with impacts: one interface for every
 * scheme. */

/** The schemes of bruls-2014 and its comparators; identifiers are those of the records. */
#define CAROM_SCHEME_LIST(X)                                                                     \
    X(NONSMOOTH_GALPHA, "nonsmooth_galpha") /* GGL: position and velocity level, eqs 29-30 */    \
    X(MOREAU_JEAN, "moreau_jean")           /* theta-scheme, velocity level, eq. 50 */           \
    X(SMOOTH_GALPHA, "smooth_galpha")       /* index 3, position level, no impact law, eq. 51 */ \
    X(MODIFIED_LCP, "modified_lcp")         /* GGL with eqs 25, 27 in place of 28 */             \
    X(VELOCITY_GALPHA, "velocity_galpha")   /* velocity level, q = q~ + (h/2) W */

/** The schemes of the list, as numbers. */
typedef enum carom_scheme {
#define CAROM_SCHEME_ENUMERATE(code, name) CAROM_SCHEME_##code,
    CAROM_SCHEME_LIST(CAROM_SCHEME_ENUMERATE)
#undef CAROM_SCHEME_ENUMERATE
        CAROM_SCHEME_COUNT
} carom_scheme;

/** Identifier of a scheme ("nonsmooth_galpha"), a static string. */
const char *carom_scheme_name(carom_scheme scheme);

/** What a scheme computes; what it does not it refuses. */
carom_mechanism_support carom_scheme_support(carom_scheme scheme);

/** How a step of the nonsmooth generalized-alpha scheme is solved. */
typedef enum carom_newton {
    CAROM_NEWTON_MONOLITHIC, /**< full matrix, bruls-2014 eq. 44 */
    CAROM_NEWTON_SEQUENTIAL  /**< three blocks in turn, bruls-2014 algorithm 1 as corrected */
} carom_newton;

/** Position that decides whether a velocity-level contact is switched on (Moreau-Jean,
 * velocity_galpha). */
typedef enum carom_predictor {
    CAROM_PREDICTOR_HALF_STEP, /**< q* = q_n + (h/2) v_n */
    CAROM_PREDICTOR_FULL_STEP, /**< q* = q_n + h v_n */
    CAROM_PREDICTOR_CURRENT,   /**< q* = q_n */
    /** q* = q_n + (2 - w) h v_n, w = theta of Moreau-Jean, else 1/2: what the next step could not
     * stop before it touches is stopped in this one. A contact that stops a body leaves it above,
     * by h |v_n| at most, from where it closes by smaller impacts: where other predictors leave it
     * penetrated it stays so. */
    CAROM_PREDICTOR_NEXT_STEP
} carom_predictor;

/** Where the rows of a step at the velocity level are taken, those of joints and of contacts,
 * normal and tangential; identifiers are those of records. */
#define CAROM_ROWS_LIST(X)                                                                         \
    /* at the end q_{n+1}, with which they are solved for (bruls-2014 eq. 50) */                   \
    X(SOLVED, "solved")                                                                            \
    /* at q_n + h v_n, where bodies would be at the speeds of the start: where forces are constant \
     * a step is one linear contact problem, and by theta = 1/2 contacts change the energy by      \
     * Lambda (1 - e)/2 u_n and what rubs, to rounding. Joints and contacts that last drift to     \
     * second order; of rows in the middle, q_n + h/2 v_n (moreau-1988, jean-1999), to first. */   \
    X(PREDICTED, "predicted")

/** The places of the list, as numbers. */
typedef enum carom_rows {
#define CAROM_ROWS_ENUMERATE(code, name) CAROM_ROWS_##code,
    CAROM_ROWS_LIST(CAROM_ROWS_ENUMERATE)
#undef CAROM_ROWS_ENUMERATE
        CAROM_ROWS_COUNT
} carom_rows;

/** Identifier of such a place ("predicted"), a static string. */
const char *carom_rows_name(carom_rows rows);

/** Whether a scheme takes its rows there: predicted ones Moreau-Jean and velocity_galpha. */
bool carom_scheme_takes_rows(carom_scheme scheme, carom_rows rows);

/** The scheme, its step and its constants. */
typedef struct carom_stepper_params {
    carom_scheme scheme;       /**< which one */
    double step;               /**< h > 0, s */
    double spectral_radius;    /**< rho_infinity in [0,1], 1 */
    double theta;              /**< of Moreau-Jean, in [1/2,1]; NaN: 1/(1+rho_infinity) */
    carom_predictor predictor; /**< of Moreau-Jean and velocity_galpha */
    carom_newton newton;       /**< of nonsmooth_galpha; monolithic with friction */
    /** On every row of the residual (39), over what the step does to the row - h |f|, |M| |dv|,
     * |G'| |Lambda| of a momentum, the speeds that belong to them of a constraint - in (0,1), 1;
     * never below the rounding of the row's terms, which decides alone below DBL_EPSILON. */
    double tolerance;
    /** Newton iterations per step before failure; Algorithm 1 gets four times as many before it
     * hands over to the full matrix. */
    int max_iterations;
    /** Factor on the natural r = 1/(G M^-1 G')_jj of the activation tests, 1. */
    double activation_scale;
    /** A gap below this part of its terms |G| (|q| + h |v|) counts as closed when q* decides, 1;
     * never below what the rounding of the time leaves of a support, 4 epsilon |t w|. */
    double tie_tolerance;
    /** Exact condensed step (no Newton) where the mechanism is linear and without friction, and
     * Algorithm 1 is not asked for. */
    bool use_linear_step;
    /** Check the derivatives of the mechanism at every start (carom_mechanism_check_directions). */
    bool check_derivatives;
    /**
     * Told the velocity level of every step with closed contacts at its last iterate, whether it
     * was solved or not: of joints and closed contacts W = J M^-1 J' at q, and q = J v~ + w + e u_n
     * with J the rows of the step and u_n before, whose solution is Lambda. Nothing of
     * smooth_galpha, which has no such level; no one where `tell` is NULL.
     */
    carom_contact_listener contacts;
    carom_rows rows; /**< predicted: of Moreau-Jean and velocity_galpha; where their contact problem
                        is not solved it is that of q_n + h/2 v_n, or of q_n */
} carom_stepper_params;

/** Defaults: h = 1e-3 s, rho = 0.8, theta NaN, half step, monolithic, 1e-10, 50, 1, 1e-12, true,
 * no listener, and rows that are solved for. */
carom_stepper_params carom_stepper_params_default(carom_scheme scheme);

/**
 * The full record of the last step: every array borrowed from the stepper until the next call on
 * it; m = joints + contacts, joints first. What a scheme does not have is zero. Letters of
 * bruls-2014 in brackets.
 */
typedef struct carom_step {
    double time;                       /**< t_{n+1}, s */
    const double *position;            /**< [n_q] q */
    const double *velocity;            /**< [n] v, right limit */
    const double *smooth_acceleration; /**< [n] derivative of the smooth velocity (v~ dot) */
    const double *pseudo_acceleration; /**< [n] a of generalized-alpha; Moreau-Jean: as above */
    const double *smooth_velocity;     /**< [n] v~ */
    const double *velocity_jump;       /**< [n] W */
    const double *position_correction; /**< [n] U */
    const double *constraint;          /**< [m] g(t,q): joint residuals, gaps, m */
    const double *constraint_rate;     /**< [m] u = G v + w(t), G the rows of the step, m/s */
    const double
        *force; /**< [m] smooth multiplier (lambda~), N; smooth_galpha: lambda of all rows */
    const double *impulse;             /**< [m] Lambda over the step, N s */
    const double *position_multiplier; /**< [m] nu, N s2 */
    const double *friction_impulse;    /**< [n_u t] Lambda_t, N s; NULL without friction */
    const double *sliding_velocity;    /**< [n_u t] H v + w(t), m/s; NULL without friction */
    double support_work; /**< done in the step by supports that move, J: -P'w of the impulses P =
                              h lambda~ + Lambda, friction included, the mean of both ends */
    const bool *position_active; /**< [m] set A, joints true where position level is imposed */
    const bool *velocity_active; /**< [m] set B */
    double smooth_residual;      /**< largest row of r^s after the step, over its scale, 1 */
    double position_residual;    /**< of r^p */
    double velocity_residual;    /**< of r^v */
    int iterations;      /**< Newton iterations, 0 if the prediction holds; the exact linear step
                              counts 1 plus the changes of its active sets */
    bool used_exact_lcp; /**< the active-set iteration cycled and an exact LCP decided */
    const double *row_position; /**< [n_q] where the rows G, H of the step are taken: q, or of those
                                     that are predicted q_n + h v_n */
} carom_step;

/** A scheme at work on one mechanism: its state and its memory. */
typedef struct carom_stepper carom_stepper;

/**
 * Prepare a scheme for a mechanism; what all steps need is allocated here and at the first start.
 *
 * @param[in]  mechanism borrowed, must outlive the stepper
 * @param[in]  params    copied
 * @param[out] out       belongs to the caller, to be freed by carom_stepper_free
 * @param[out] report    what was refused; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE or NOT_FINITE for a parameter; UNSUPPORTED: smooth_galpha and
 * modified_lcp know no friction, smooth_galpha no restitution, all but moreau_jean no rotations,
 * all but it and velocity_galpha no predicted rows; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_stepper_alloc(const carom_mechanism *mechanism,
                                                  const carom_stepper_params *params,
                                                  carom_stepper **out, carom_report *report);

/** Free a stepper; NULL is accepted. */
void carom_stepper_free(carom_stepper *stepper);
CAROM_AUTO_TYPE(carom_stepper)

/**
 * Set the initial state and solve for the consistent initial acceleration (unilateral contacts
 * ignored). Validates the mechanism at this state.
 *
 * @param[in,out] stepper the stepper
 * @param[in]     t       initial time, s
 * @param[in]     q       [n_q] gaps >= 0 and joints closed, up to 1e-9 of the size of
 * their terms |G| (|q| + h |v| + h^2 |v'|)
 * @param[in]     v       [n]
 * @param[out]    report  what was refused; may be NULL
 * @return CAROM_OK; PENETRATION with the gap; INCONSISTENT with the joint residual or
 * rate; SINGULAR; NOT_FINITE; OUT_OF_RANGE or NOT_SYMMETRIC for what carom_mechanism_validate
 * refuses; OUT_OF_RANGE: a step so short that t + h = t; DERIVATIVE_MISMATCH; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_stepper_start(carom_stepper *stepper, double t, const double *q,
                                                  const double *v, carom_report *report);

/**
 * Advance by one step. Nothing is allocated, but for the contact problems of steps with friction.
 * After a failure the state is that before the step.
 *
 * @return CAROM_OK; NOT_CONVERGED, SINGULAR, RAY or NOT_FINITE with time, step, residual and
 * iterations in the report, and as index the contact whose law is violated most, -1 if none is;
 * OUT_OF_RANGE: t + h = t; OUT_OF_MEMORY with friction; what the listener of contact problems
 * returned, the step being taken
 */
CAROM_MUST_CHECK carom_status carom_stepper_advance(carom_stepper *stepper, carom_report *report);

/**
 * The record of the last step (after start: of the initial state), borrowed until the next call.
 * Gaps and residuals are computed here, from the defining equations, so that a run that does not
 * look does not pay. The residuals are NaN after a failed advance.
 */
const carom_step *carom_stepper_result(carom_stepper *stepper);

/**
 * Ratio of the largest to the smallest singular value of the Newton matrix (bruls-2014 eq. 44, or
 * its counterpart of the other schemes) at the result of the last step, with its active sets: a
 * diagnostic. Infinite for redundant constraints. Speeds are taken over 1/sqrt(J_ii), J being the
 * matrix, multipliers over the most that one does to these speeds, constraints over the length of
 * their row: the units of mass, length and time do not matter.
 *
 * @param[in,out] stepper   after at least one successful advance
 * @param[out]    condition 1
 * @return CAROM_OK; OUT_OF_RANGE before the first step or after a failed one; OUT_OF_MEMORY;
 * NOT_CONVERGED Cost: O(N^3) with N = 3n + joints + 2m, and memory: not for large systems, not
 * inside a loop.
 */
CAROM_MUST_CHECK carom_status carom_stepper_condition_number(carom_stepper *stepper,
                                                             double *condition);

/* ----------------------------------------------------------------------------------------- runs */
/* Whole runs of the schemes of fixed steps, in memory or block by block. */

/** A run on its way: from (q0, v0) at t = 0 by ceil(duration/h) steps, t_k = k h. */
typedef struct carom_stepper_run carom_stepper_run;

/** What a run is asked for; zero where nothing else is said. */
typedef struct carom_stepper_run_params {
    double duration; /**< s, >= h */
    int block_rows;  /**< rows of a block, at least 1; 0: all rows of the run in one */
    bool
        to_failure; /**< a numerical failure is a result: the rows from it on are NaN (sets and
                         iterations zero), and the trajectory's outcome and failure_time tell why */
    carom_trajectory_progress progress; /**< may be NULL */
    void *context;                      /**< handed to it */
} carom_stepper_run_params;

/**
 * Prepare a run.
 *
 * @param[in]  mechanism the system, borrowed until the run is freed
 * @param[in]  params    the scheme
 * @param[in]  run       what is asked for
 * @param[in]  q0        [n_q], copied
 * @param[in]  v0        [n], copied
 * @param[out] out       to be freed by carom_stepper_run_free; NULL on failure
 * @param[out] report    may be NULL
 * @return as carom_stepper_alloc; OUT_OF_RANGE if duration < h; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_stepper_run_alloc(const carom_mechanism *mechanism,
                                                      const carom_stepper_params *params,
                                                      const carom_stepper_run_params *run,
                                                      const double *q0, const double *v0,
                                                      carom_stepper_run **out,
                                                      carom_report *report);

/**
 * Compute the next block of rows. Memory for one block is all that a run needs.
 *
 * @param[in,out] run    on its way
 * @param[out]    rows   the block, borrowed until the next one: rows first_row, first_row + 1, ...
 *                       of total_rows; without rows when the run is over
 * @param[out]    report may be NULL
 * @return as carom_stepper_start and _advance; NOT_FINITE for an energy
 */
CAROM_MUST_CHECK carom_status carom_stepper_run_next(carom_stepper_run *run,
                                                     const carom_trajectory **rows,
                                                     carom_report *report);

/** Hand over the last block, to be freed by carom_trajectory_free; the run is over. */
carom_trajectory *carom_stepper_run_take(carom_stepper_run *run);

/** Free; NULL is accepted. */
void carom_stepper_run_free(carom_stepper_run *run);
CAROM_AUTO_TYPE(carom_stepper_run)

/**
 * Run a scheme from (q0, v0) at t = 0 over `duration` and keep every step: one block of all rows.
 *
 * @param[in]  mechanism the system
 * @param[in]  params    the scheme
 * @param[in]  q0        [n_q]
 * @param[in]  v0        [n]
 * @param[in]  duration  s, >= h
 * @param[in]  progress  may be NULL
 * @param[in]  context   handed to progress
 * @param[out] out       belongs to the caller, to be freed by carom_trajectory_free; NULL on
 * failure
 * @param[out] report    may be NULL
 * @return as carom_stepper_run_alloc and _next
 */
CAROM_MUST_CHECK carom_status carom_trajectory_run(
    const carom_mechanism *mechanism, const carom_stepper_params *params, const double *q0,
    const double *v0, double duration, carom_trajectory_progress progress, void *context,
    carom_trajectory **out, carom_report *report);

/**
 * As carom_trajectory_run, but a numerical failure after the start is a result, not an error: the
 * rows from the failure on are NaN (sets and iterations zero), `outcome` and `failure_time` of the
 * trajectory and the report tell why, and CAROM_OK is returned.
 */
CAROM_MUST_CHECK carom_status carom_trajectory_run_to_failure(
    const carom_mechanism *mechanism, const carom_stepper_params *params, const double *q0,
    const double *v0, double duration, carom_trajectory_progress progress, void *context,
    carom_trajectory **out, carom_report *report);

CAROM_END_DECLARATIONS

#endif
