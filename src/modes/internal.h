/** Linear structures and their motion between impacts. */
#ifndef CAROM_MODES_INTERNAL_H
#define CAROM_MODES_INTERNAL_H

#include <carom/base/base.h>
#include <carom/modes/modal_basis.h>
#include <carom/modes/orbit.h>

#include <stdbool.h>

/* ------------------------------------------------------------------------------ vibration modes */
/* Linear modes: all eigenpairs of K x = omega^2 M x, refined to the rounding of the answer. */

/**
 * Eigenvalues and M-orthonormal eigenvectors of a symmetric definite pencil. The ones of M = V V',
 * V^-1 K V^-T are improved by first-order perturbation with residuals in twice the working
 * precision, until the next correction is below rounding: eigenvalues small against the largest,
 * and eigenvectors of close eigenvalues, keep their digits.
 *
 * @param[in]  n           number of coordinates, >= 1
 * @param[in]  M           [n][n] symmetric positive definite, kg
 * @param[in]  K           [n][n] symmetric, N/m
 * @param[out] eigenvalues [n] omega^2 ascending (to their resolution), rad2/s2; NaN after a failure
 * @param[out] X           [n][n] row-major, eigenvector l in column l, X'M X = 1, kg^-1/2; NaN
 * after a failure
 * @return CAROM_OK; NOT_FINITE if V^-1 K V^-T overflows; NOT_CONVERGED; OUT_OF_MEMORY
 * Source: Ogita, Aishima 2018 (refinement), here with residuals of the pencil.
 * Cost: O(n^3), 5 s for a chain of n = 1000.
 */
CAROM_MUST_CHECK carom_status carom_linear_modes_compute(int n, const double *M, const double *K,
                                                         double *eigenvalues, double *X);

/**
 * Difference up to which two eigenvalues count as equal, and size up to which one counts as zero:
 * the backward error of an eigenvalue computation, 8 n eps times the largest modulus.
 */
double carom_linear_modes_resolution(int n, const double *eigenvalues);

/* ------------------------------------------------------------------------------------- a flight */
/* The motion of the contact in one flight: its largest maximum and its first contact. */

/** Begin a flight with a modal state [m][2] at tau = 0, copied. */
void carom_contact_motion_start(carom_contact_motion *motion, const double *state);

/** x_c, x_c' and x_c'' at a time of the flight, s; each pointer may be NULL. */
void carom_contact_motion_at(const carom_contact_motion *motion, double tau, double *displacement,
                             double *velocity, double *acceleration);

/** A local maximum of x_c inside a flight. */
typedef struct carom_contact_maximum {
    bool exists;         /**< false: x_c has no local maximum strictly inside */
    double displacement; /**< largest local maximum of x_c, m; NaN if there is none */
    double time;         /**< where, s from the start of the flight; NaN if there is none */
    double upper_bound;  /**< proven: no local maximum inside exceeds it, m; -infinity if none */
} carom_contact_maximum;

/**
 * The largest local maximum of x_c strictly inside (0, duration), by branch and bound: a cell is
 * left when x_c' or a bound of x_c'' and x_c''' proves that it holds no maximum above the best, and
 * a concave cell with a change of sign of x_c' holds exactly one, found by Newton's method inside
 * its bracket. Nothing is sampled: what is reported as upper bound holds between all points, up to
 * rounding, which is added.
 *
 * The velocities at both ends are given, not computed, since they decide on which side of a contact
 * x_c lies: -sqrt(G) lambda_i <= 0 after an impact and +sqrt(G) lambda_{i+1} >= 0 before the next.
 *
 * @param[in] motion         started
 * @param[in] duration       > 0, s
 * @param[in] start_velocity x_c'(0), m/s
 * @param[in] end_velocity   x_c'(duration), m/s
 * Source: thorin-2017 (2.12c); the bounds are our own. Cost: O(m w_max duration), a few times.
 */
carom_contact_maximum carom_contact_motion_largest_maximum(carom_contact_motion *motion,
                                                           double duration, double start_velocity,
                                                           double end_velocity);

/**
 * The first tau in (start, end] at which x_c reaches the level from below, with x_c' >= 0;
 * touching maxima count, that is, maxima within 16 m roundings of the reach of x_c of the level.
 * Found by the same bounds, so that no crossing is skipped; polished to rounding.
 *
 * @param[in]  motion started
 * @param[in]  level  m
 * @param[in]  start  s; x_c(start) <= level up to rounding, and if it equals the level, the
 * crossing at `start` itself is not counted
 * @param[in]  end    s
 * @param[out] tau    the instant; NaN if there is none
 * @return whether there is one
 */
bool carom_contact_motion_first_contact(carom_contact_motion *motion, double level, double start,
                                        double end, double *tau);

/* ---------------------------------------------------------------------------- cells of a flight */
/* Cells of time in which the motion of the contact is enclosed between proven bounds. Internal. */

/** Bounds X_k >= |d^k x_c/dt^k| for k = 0..CAROM_CONTACT_BOUND_COUNT - 1. */
enum { CAROM_CONTACT_BOUND_COUNT = 7 };

/** x_c and its derivatives at one instant. */
typedef struct carom_contact_node {
    double time;         /**< s from the start of the cells */
    double displacement; /**< x_c, m */
    double velocity;     /**< m/s */
    double acceleration; /**< m/s2 */
    double jerk;         /**< m/s3 */
} carom_contact_node;

/** A cell of time and what is known at its ends. */
typedef struct carom_contact_cell {
    carom_contact_node left;
    carom_contact_node right;
} carom_contact_cell;

/** Halvings of a cell of the grid before its width is a rounding of the time: 52, and a few. */
enum { CAROM_CONTACT_STACK_SIZE = 64 };

/**
 * In scaled modal coordinates p = sqrt(G) rho z_1 / w and q = sqrt(G) rho z_2 / w: x_c is the sum
 * of the p, x_c' that of w q, x_c'' that of -w^2 p, x_c''' that of -w^3 q.
 */
struct carom_contact_motion {
    const carom_modal_basis *basis;
    int mode_count;                           /**< m */
    const double *w;                          /**< omega [m], rad/s */
    double *weight;                           /**< [m] sqrt(G) rho / w, m J^-1/2 */
    double *p;                                /**< [m] at the start of the flight, m */
    double *q;                                /**< [m] m */
    double *origin_p;                         /**< [m] at the start of the cells, m */
    double *origin_q;                         /**< [m] m */
    double *node_p;                           /**< [m] at the node reached, m */
    double *node_q;                           /**< [m] m */
    double *step_cosine;                      /**< [m] of w h */
    double *step_sine;                        /**< [m] */
    double bounds[CAROM_CONTACT_BOUND_COUNT]; /**< X_k in this flight, m s^-k */
    double rounding[4];         /**< error of a node's four values that rounding can make, m s^-k */
    double duration;            /**< of all cells, s */
    double step;                /**< h, width of the cells of the grid, s */
    int cell_count;             /**< of the grid */
    int next_cell;              /**< of the grid, 0.. */
    carom_contact_node reached; /**< left end of the next cell */
    double given_end_velocity;  /**< m/s; NaN: none */
    double start_doubt;         /**< how far the given velocities are from those computed, m/s */
    double end_doubt;
    carom_contact_cell waiting[CAROM_CONTACT_STACK_SIZE]; /**< halves, the earliest on top */
    int waiting_count;
};

/** What is proven of x_c inside a cell. */
typedef enum carom_contact_shape {
    CAROM_CONTACT_SHAPE_RISING,   /**< x_c' > 0 */
    CAROM_CONTACT_SHAPE_FALLING,  /**< x_c' < 0 */
    CAROM_CONTACT_SHAPE_CONCAVE,  /**< x_c'' < 0 */
    CAROM_CONTACT_SHAPE_CONVEX,   /**< x_c'' > 0 */
    CAROM_CONTACT_SHAPE_UNDECIDED /**< nothing yet */
} carom_contact_shape;

/**
 * Begin the cells of [start, end] of the flight; times of nodes count from `start`. Velocities that
 * are known at the ends replace those computed there (NaN: not known); by how much they differ
 * counts as error in the cells that touch the ends.
 */
void carom_contact_cells_begin(carom_contact_motion *motion, double start, double end,
                               double start_velocity, double end_velocity);

/** The next cell in time; false at the end. */
bool carom_contact_cells_next(carom_contact_motion *motion, carom_contact_cell *cell);

/** Put the halves of a cell before all that is still to come. */
void carom_contact_cells_split(carom_contact_motion *motion, const carom_contact_cell *cell);

/** x_c and its derivatives at a time. Cost: m sines and cosines. */
carom_contact_node carom_contact_node_at(const carom_contact_motion *motion, double time);

/** x_c at a time minus x_c at the start, relatively exact for short times. */
double carom_contact_displacement_since(const carom_contact_motion *motion, double time);

/** Classify a cell; monotone before curved. */
carom_contact_shape carom_contact_cell_shape(const carom_contact_motion *motion,
                                             const carom_contact_cell *cell);

/** Proven upper bound of x_c in the cell, m. */
double carom_contact_cell_upper_bound(const carom_contact_motion *motion,
                                      const carom_contact_cell *cell);

/** Whether halving is of no more use: x_c varies by rounding only, or time does. */
bool carom_contact_cell_is_resolved(const carom_contact_motion *motion,
                                    const carom_contact_cell *cell);

/**
 * The maximum in a cell that is concave with x_c' > 0 at its left end and <= 0 at its right end, to
 * rounding. Given up early, at an iterate near it, if it is proven to be at most `floor`.
 */
carom_contact_node carom_contact_cell_maximum(const carom_contact_motion *motion,
                                              const carom_contact_cell *cell, double floor);

/* ---------------------------------------------------------------------------------- propagation */
/* Motion from any state by exact free flight and impacts where they happen, without periodicity. */

/** Called after each impact with its number from 1, its time and lambda, and the state after it. */
typedef carom_status (*carom_event_observer)(int impact, double time, double lambda,
                                             const double *state, void *context);

/** Where a propagation ended. */
typedef struct carom_event_end {
    double time; /**< s */
    int impacts; /**< number of impacts so far */
} carom_event_end;

/**
 * Follow the motion until a number of impacts or a time is reached, whichever comes first. The
 * state is rotated exactly between impacts; an impact is found as the first contact of the flight
 * and reflects the velocities. A touch without normal velocity (lambda below 1e-13 of the root of
 * twice the energy) from which the contact falls back reflects nothing and is not counted; one that
 * is pressed on is reflected whatever its lambda. An impact within rounding of max_time has
 * happened.
 *
 * @param[in]     basis       the structure
 * @param[in,out] motion      workspace
 * @param[in,out] state       [m][2] J^1/2; at the start (after an impact that happens there) and at
 * the end (after the last impact, if it ends there)
 * @param[in]     max_impacts stop after so many; a negative number: no limit
 * @param[in]     max_time    stop at this time, s; infinite: no limit
 * @param[in]     observer    may be NULL; a status other than CAROM_OK ends the motion and is
 * returned
 * @param[in]     context     handed to the observer
 * @param[out]    end         where it ended; may be NULL
 * @param[out]    report      time and quantity on failure; may be NULL
 * @return CAROM_OK; NOT_FINITE for a state or time limit that is not a number; OUT_OF_RANGE for a
 * negative time limit; PENETRATION if the state begins beyond the obstacle (by 1e-10 of the
 * larger of |g_0| and the reach of x_c) or moves into it;
 * NOT_CONVERGED if impacts accumulate (1000 within 1e-9 of the period of the lowest mode);
 * NOT_FOUND if there is no time limit and no impact within a thousand periods of the lowest mode;
 * the observer's
 */
CAROM_MUST_CHECK carom_status carom_event_propagate(const carom_modal_basis *basis,
                                                    carom_contact_motion *motion, double *state,
                                                    int max_impacts, double max_time,
                                                    carom_event_observer observer, void *context,
                                                    carom_event_end *end, carom_report *report);

/* --------------------------------------------------------------------------------------- orbits */

/** Fill every number with NaN: nothing is known. */
void carom_orbit_clear(carom_orbit *orbit);

/** Copy an orbit into one of the same sizes. */
void carom_orbit_copy(const carom_orbit *from, carom_orbit *to);

/** Energy z'z/2 of a modal state [m][2], J. */
double carom_orbit_energy_of(const carom_modal_basis *basis, const double *state);

/* ---------------------------------------------------------------------------- comparing motions */

/**
 * Position and velocity at any time, past or future: as carom_orbit_motion, but at T itself just
 * before the impact, so that a history over [0, T] ends with its flight.
 */
void carom_orbit_periodic_motion(const carom_modal_basis *basis, const carom_orbit *orbit,
                                 double time, double *position, double *velocity, double *state);

/**
 * Largest difference of a coordinate over the period of the first motion, the second taken at sign
 * t + shift, over the largest coordinate of the first: sign 1 compares with a motion that is
 * shifted, -1 with one that is mirrored about shift/2.
 *
 * @param[in]  basis  the structure
 * @param[in]  first  complete
 * @param[in]  second complete; may be the first
 * @param[in]  sign   1 or -1
 * @param[in]  shift  s
 * @param[out] work   [2n + 2m] work memory
 * Cost: O(m (n + k)) at 401 instants.
 */
double carom_orbit_difference(const carom_modal_basis *basis, const carom_orbit *first,
                              const carom_orbit *second, double sign, double shift, double *work);

/**
 * A perturbed state after the impact at t = 0: a direction without its part that moves the contact,
 * of a given size.
 *
 * @param[in]  basis     the structure
 * @param[in]  orbit     complete
 * @param[in]  size      of the perturbation over the state, 1
 * @param[in]  direction [m][2], not along the contact alone
 * @param[out] state     [m][2] J^1/2; may not overlap the direction
 */
void carom_orbit_perturb(const carom_modal_basis *basis, const carom_orbit *orbit, double size,
                         const double *direction, double *state);

/** |z - z_0|/|z_0| of a modal state [m][2] against that of a motion just after the impact at 0. */
double carom_orbit_deviation(const carom_modal_basis *basis, const carom_orbit *orbit,
                             const double *state);

/**
 * Error of a motion after a period of events, of the state or of the period, whichever is more.
 *
 * @param[in]     basis  the structure
 * @param[in,out] motion workspace
 * @param[in]     orbit  complete
 * @param[out]    state  [m][2] after as many impacts as it has, J^1/2
 * @return relative; NaN if its impacts are others
 */
double carom_orbit_closure_error(const carom_modal_basis *basis, carom_contact_motion *motion,
                                 const carom_orbit *orbit, double *state);

/**
 * Follow a state event by event and compare it with a periodic motion after as many impacts as each
 * period of that has.
 *
 * @param[in]     basis      the structure
 * @param[in,out] motion     workspace
 * @param[in]     orbit      complete
 * @param[in]     periods    >= 1; times its impacts an int
 * @param[in]     bound      deviation at which to stop
 * @param[in,out] state      [m][2] after the impact at t = 0, at the end the last one
 * @param[out]    deviation  [periods] relative, NaN after the stop
 * @param[out]    time_shift [periods] delay against the periodic motion, s; may be NULL
 * @return CAROM_OK; NOT_FOUND at the bound; as carom_event_propagate
 */
CAROM_MUST_CHECK carom_status carom_orbit_follow_periods(const carom_modal_basis *basis,
                                                         carom_contact_motion *motion,
                                                         const carom_orbit *orbit, int periods,
                                                         double bound, double *state,
                                                         double *deviation, double *time_shift);

/* ---------------------------------------------------------------------- motion of a unit impact */
/* The vector kernels, all coordinates of what modal_basis.h has for the contact. */

/**
 * Vector kernels phi_T(s) and psi_T(s) = 2 d phi/d s of all coordinates: the motion at time t of a
 * unit lambda is phi_T(2 (t - t_j) -+ T), - after and + before its impact (theorem 3.4).
 *
 * @param[in]  basis        the structure
 * @param[in]  period       T > 0, s
 * @param[in]  argument     s, in s
 * @param[out] displacement phi [n], m J^-1/2
 * @param[out] velocity     psi [n], m/s J^-1/2
 * Source: thorin-2017 (3.1f), (4.35), (4.36), (7.8), (7.9). Cost: O(n m).
 */
void carom_kernels_shape(const carom_modal_basis *basis, double period, double argument,
                         double *displacement, double *velocity);

/* ----------------------------------------------------------------------------------- return map */
/* The matrices whose multipliers stability asks for. */

/**
 * Monodromy matrix of the visible modes over one period, saltation included.
 *
 * @param[in,out] stability workspace
 * @param[in]     orbit     complete, no lambda zero
 * @param[out]    Phi       [2m][2m] row-major, coordinates (z_1 [m], z_2 [m]); symplectic for
 * J = [[0, 1/w], [-1/w, 0]]
 * @return CAROM_OK; SINGULAR if a |lambda| is below 1e-10 of the root of twice the energy (a
 * graze has no linearization)
 * Source: thorin-2017 (8.1)-(8.3), as saltation matrices. Cost: O(m^2 k).
 */
CAROM_MUST_CHECK carom_status carom_stability_monodromy(carom_stability *stability,
                                                        const carom_orbit *orbit, double *Phi);

/**
 * Reduced return map R in an orthonormal basis of {delta: h'delta = 0, z_0'delta = 0}.
 *
 * @param[in,out] stability workspace
 * @param[in]     orbit     complete, no lambda zero
 * @param[out]    R         [2m-2][2m-2] row-major
 * @param[out]    basis     [2m][2m-2] row-major, columns orthonormal; may be NULL
 * @return CAROM_OK; SINGULAR
 * Cost: O(m^2 (k + 1)).
 */
CAROM_MUST_CHECK carom_status carom_stability_return_map(carom_stability *stability,
                                                         const carom_orbit *orbit, double *R,
                                                         double *basis);

#endif
