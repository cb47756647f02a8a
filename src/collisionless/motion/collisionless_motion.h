/** The collisionless motion of a linear system: its modes in both phases, all coordinates over
 * time, their extension by symmetry, a simulation; a system with given spectra. */
#ifndef CAROM_COLLISIONLESS_MOTION_COLLISIONLESS_MOTION_H
#define CAROM_COLLISIONLESS_MOTION_COLLISIONLESS_MOTION_H

#include <carom/base/base.h>
#include <carom/collisionless/motion/spectral_motion.h>

CAROM_BEGIN_DECLARATIONS

/* ---------------------------------------------------------------------------------------- modes */
/* Modes of a linear system with one impacting coordinate, free and held. */

/**
 * Modes of m x'' + k x = F in the paper's scaling: c X'm X = 1, X_N = (.., .., 1) positive, x_N the
 * contact coordinate, last. The stiffness may be indefinite or singular.
 *
 * Modes that do not move the contact (X_Ni = 0), and all but one of a multiple eigenvalue, decouple
 * from the problem: they stay at rest and are left out, so that the N of everything else is the
 * number of coupled modes; `coordinate_count` may be larger. Eigenvalues are equal, or zero, within
 * carom_linear_modes_resolution. A mode does not move the contact if it has less than 1e-12 of the
 * whole motion, or if a constrained eigenvalue differs from its own by no more than a rounding of
 * the largest one.
 */
typedef struct carom_phase_modes {
    int coordinate_count;         /**< n, rows of the matrices */
    int decoupled_count;          /**< n - N */
    carom_phase_spectra *spectra; /**< N modes, owned; parities as given */
    double *shape;                /**< X [n][N] row-major, last row > 0 with X_NN = 1 */
    double *constrained_shape;    /**< X' [n][N-1], X' = X.X_N M (8), last row 0 */
    double *participation;        /**< eta [N], squares of the last row of X; eta_N = 1 */
    double normalisation;         /**< c, 1/kg: 1/c = X^N' m X^N */
    double inverse_mass;          /**< (m^-1)_NN, 1/kg */
    bool is_stiffness_singular; /**< a coupled eigenvalue within rounding of zero (and set to zero):
                                   no static equilibrium without contact */
    double compliance;          /**< (k^-1)_NN = c sum eta/lambda, m/N; NaN if singular */
    double
        *static_shape; /**< (k^-1)^N [n], m/N: displacement by a unit force on x_N; NaN if singular
                        */
} carom_phase_modes;

/**
 * Modes of both phases.
 *
 * @param[in]  n                    coordinates, >= 2; the last one is frozen at the impact
 * @param[in]  mass                 m [n][n] row-major, symmetric positive definite, kg
 * @param[in]  stiffness            k [n][n] row-major, symmetric, N/m
 * @param[in]  unconstrained_parity of all unconstrained modes; change in ->spectra mode by mode
 * @param[in]  constrained_parity   of all constrained modes
 * @param[out] out                  belongs to the caller, to be freed by carom_phase_modes_free;
 * NULL on failure
 * @param[out] report               quantity ("mass", "stiffness", ...) and value; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE if n < 2, if the mass is not positive definite, or if fewer than
 * two modes are coupled to the contact; NOT_FINITE; NOT_SYMMETRIC; NOT_CONVERGED; OUT_OF_MEMORY
 * Source: pankov-2024 (2) to (10); constrained eigenvalues as roots of the secular equation sum
 * eta_i/(lambda_i - s) = 0, one between each two. Cost: O(n3).
 */
CAROM_MUST_CHECK carom_status carom_phase_modes_compute(
    int n, const double *mass, const double *stiffness, carom_parity unconstrained_parity,
    carom_parity constrained_parity, carom_phase_modes **out, carom_report *report);

/** Free modes; NULL is accepted. */
void carom_phase_modes_free(carom_phase_modes *modes);
CAROM_AUTO_TYPE(carom_phase_modes)

/* --------------------------------------------------------------------------------------- motion */
/* The collisionless motion of a linear system: all coordinates in both phases. */

/** The two phases between which a motion alternates. */
typedef enum carom_motion_phase {
    CAROM_MOTION_UNCONSTRAINED, /**< contact open, time t from P, |t| <= tau */
    CAROM_MOTION_CONSTRAINED    /**< contact closed, time t' from P', |t'| <= tau' */
} carom_motion_phase;

/** What positions are measured from. The differences between the three are constant vectors. */
typedef enum carom_motion_origin {
    /** Static equilibrium without contact, as in pankov-2024. There is none, and positions are NaN,
     * if the stiffness is singular (an even mode of lambda = 0). */
    CAROM_MOTION_FROM_EQUILIBRIUM,
    /** Static equilibrium with the contact closed, x^0. There is none, and positions are NaN, if an
     * even constrained mode has lambda' = 0. */
    CAROM_MOTION_FROM_CONSTRAINED_EQUILIBRIUM,
    CAROM_MOTION_FROM_IMPACT /**< the position at the impact: always there */
} carom_motion_origin;

/** What fixes the size of a motion. */
typedef enum carom_motion_scale {
    CAROM_MOTION_SCALE_STATIC_FORCE,  /**< F_N^0, force of the contact at its equilibrium, N */
    CAROM_MOTION_SCALE_CONTACT_LEVEL, /**< x_N^0, place of the contact from equilibrium, m */
    CAROM_MOTION_SCALE_AMPLITUDE      /**< the factor of carom_spectral_motion's amplitudes */
} carom_motion_scale;

/** A motion with its size. Modes that are decoupled from the contact are at rest. */
typedef struct carom_collisionless_motion {
    const carom_phase_modes *modes;  /**< borrowed */
    carom_spectral_motion *spectral; /**< owned */
    double scale;                    /**< factor of the spectral amplitudes */
    double static_force;             /**< F_N^0, N; 0 or NaN as in spectral */
    double contact_level;            /**< x_N^0, m; NaN without equilibrium */
    int contact_sign; /**< s: +1 if the obstacle bounds x_N from below, -1 from above; s (x_N -
                         x_N^0) >= 0 and s F_N >= 0 in a realizable motion; 0 if undecided */
    double energy; /**< kinetic and potential, above the unconstrained equilibrium, J; NaN without
                      one */
    double constrained_energy; /**< above the constrained equilibrium, J; NaN without one */
    double *impact_position;   /**< [n] at the impact from the unconstrained equilibrium */
    double *constrained_impact_position; /**< [n] at the impact from the constrained equilibrium */
    double *static_position; /**< x^0 [n], the constrained equilibrium from the unconstrained one */
    double *impact_offset;   /**< [n] at the impact from the configuration at P, m */
    double *constrained_impact_offset; /**< [n] at the impact from the configuration at P', m */
    double *amplitude; /**< the paper's q [N]: x = X (q.g(t)); NaN where lambda = 0; 0 by
                          underflow where it grows by more than exp(700) */
    double *constrained_amplitude; /**< the paper's q' [N-1]: x' = X' (q'.g'(t')) + x^0; likewise */
} carom_collisionless_motion;

/**
 * The motion of a root with a given size.
 *
 * @param[in]  modes            of the system, with the parities of its modes; borrowed until the
 * motion is freed
 * @param[in]  time             tau > 0 of a root, s
 * @param[in]  constrained_time tau' > 0 of the root, s
 * @param[in]  kind             what `value` is
 * @param[in]  value            F_N^0 in N, x_N^0 in m, or a factor; of either sign, not zero
 * @param[out] out              belongs to the caller, to be freed by
 * carom_collisionless_motion_free; NULL on failure
 * @param[out] report           quantity and value if refused; may be NULL
 * @return CAROM_OK; what carom_spectral_motion_compute returns; NOT_FINITE or OUT_OF_RANGE
 * ("scale") if the value is NaN, infinite or zero, OUT_OF_RANGE ("size of the motion") if a force
 * or energy overflows or energies underflow; SINGULAR ("static force", "contact level") if the
 * motion has none, or a vanishing one, that could fix its size
 * Source: pankov-2024 section 6 and appendix E. Cost: O(N^3 + n N).
 */
CAROM_MUST_CHECK carom_status carom_collisionless_motion_compute(
    const carom_phase_modes *modes, double time, double constrained_time, carom_motion_scale kind,
    double value, carom_collisionless_motion **out, carom_report *report);

/** Free a motion; NULL is accepted. */
void carom_collisionless_motion_free(carom_collisionless_motion *motion);
CAROM_AUTO_TYPE(carom_collisionless_motion)

/** Where a state is written to; every array may be NULL. */
typedef struct carom_motion_state {
    double *position;     /**< [n], m */
    double *velocity;     /**< [n], m/s */
    double *acceleration; /**< [n], m/s2 */
    double *jerk;         /**< [n], m/s3 */
} carom_motion_state;

/**
 * The state at a time of one phase.
 *
 * @param[in]  motion the motion
 * @param[in]  phase  which
 * @param[in]  t      s from the symmetry point of the phase: [-tau, tau] or [-tau', tau']. The
 * impact is at tau and -tau', where both phases agree in all but the jerk
 * @param[in]  origin of the positions
 * @param[out] state  where to
 * Source: pankov-2024 (12): x = X (q.g), x' = X' (q'.g') + x^0. Cost: O(n N).
 */
void carom_collisionless_motion_state(const carom_collisionless_motion *motion,
                                      carom_motion_phase phase, double t,
                                      carom_motion_origin origin, const carom_motion_state *state);

/**
 * The state at a time of one phase by the paper's sums, each phase from its own amplitudes alone.
 * carom_collisionless_motion_state counts both from the impact and has more digits; how closely
 * these two meet there is a check of the motion.
 *
 * @param[in]  motion the motion
 * @param[in]  phase  which
 * @param[in]  t      s from the symmetry point of the phase
 * @param[out] state  [4][n] position from the static equilibrium without contact, velocity,
 * acceleration, jerk; NaN where amplitudes are
 * Source: pankov-2024 (11), (12): x = X (q.g), x' = X' (q'.g') + x^0. Cost: O(n N).
 */
void carom_collisionless_motion_expand(const carom_collisionless_motion *motion,
                                       carom_motion_phase phase, double t, double *state);

/** Force of the contact at t' in s from P', N, from the modes; zero at the impact. */
double carom_collisionless_motion_force(const carom_collisionless_motion *motion, double t);

/* ------------------------------------------------------------------------------------- symmetry */
/* A quarter or half of a periodic motion extended by its symmetries. */

/**
 * From one P to the next is a step, of duration 2 (tau + tau'): t = 0 .. tau, t' = -tau' .. tau', t
 * = -tau .. 0. The second part of its unconstrained phase is the first half of the next copy of the
 * motion. With uniform parities that copy, in coordinates x_next of its own, is the same motion:
 *
 *     unconstrained  constrained  x_next             example
 *     even           even         x                  hopping, juggling
 *     even           odd          2 x^0 - x          rocking: stands on the other foot
 *     odd            odd          x - 2 x^0          rimless wheel: stands on the next spoke
 *     odd            even         -x                 contact with two opposite walls
 *
 * (positions from the unconstrained equilibrium; without one, even parities need none).
 */
typedef struct carom_motion_place {
    carom_motion_phase phase; /**< which */
    double local_time;        /**< t or t', s from the symmetry point of this copy of the phase */
    long step;        /**< how many releases have passed since the P at time 0: number of the
                         copy whose coordinates the phase is described in */
    bool is_mirrored; /**< this copy is a reflection of copy 0 */
} carom_motion_place;

/**
 * Period of the motion: 2 (tau + tau') if both phases have the same parity (for odd ones it ends
 * one spoke further), twice that otherwise, as the second half is the mirror image of the first.
 *
 * @param[in]  spectra          parities
 * @param[in]  time             tau > 0, s
 * @param[in]  constrained_time tau' > 0, s
 * @param[out] period           s; NaN on failure
 * @param[out] report           "parity" with the first mode that differs; may be NULL
 * @return CAROM_OK; NOT_FINITE or OUT_OF_RANGE for times that are no durations; CONFLICT for mixed
 * parities, which no symmetry of the whole body has
 */
CAROM_MUST_CHECK carom_status carom_symmetry_extension_period(const carom_phase_spectra *spectra,
                                                              double time, double constrained_time,
                                                              double *period, carom_report *report);

/**
 * The state at any time in the coordinates of copy 0, in which it is continuous to the second
 * derivative over all steps.
 *
 * @param[in]  motion  the motion
 * @param[in]  elapsed s since P, any sign, less than 1e9 steps
 * @param[in]  origin  of the positions, in copy 0
 * @param[out] place   where; may be NULL
 * @param[out] state   where to; NaN on failure
 * @param[out] report  as carom_symmetry_extension_period, or "elapsed time"; may be NULL
 * @return CAROM_OK; as carom_symmetry_extension_period; NOT_FINITE, OUT_OF_RANGE for the elapsed
 * time
 */
CAROM_MUST_CHECK carom_status carom_symmetry_extension_state(
    const carom_collisionless_motion *motion, double elapsed, carom_motion_origin origin,
    carom_motion_place *place, const carom_motion_state *state, carom_report *report);

/* ----------------------------------------------------------------------------------- simulation */
/* A motion as a nonsmooth one, by an integrator with plastic contact that knows of no modes. */

/** A motion followed from P to the next P. */
typedef struct carom_motion_simulation {
    int count;              /**< instants */
    double *time;           /**< [count] from P, s; owns the three */
    double *gap;            /**< [count] m */
    double *force;          /**< [count] of the contact, N */
    int landings;           /**< times that the contact closed */
    int releases;           /**< times that it, or the other foot, opened */
    double energy_lost;     /**< at landings, over the largest kinetic energy, 1 */
    double return_distance; /**< largest difference of a position or velocity at the end from that
                               at P, in the coordinates of the step that begins, over the largest
                               displacement from the impact or velocity of the motion, 1 */
} carom_motion_simulation;

/**
 * Follow a motion by events over a step: the contact closes where the gap does, plastically, and
 * opens where its force falls to zero. With odd constrained modes it is the other foot that is
 * released, where the load has passed to this one, F_N = 2 F_N^0, and the body goes on in
 * coordinates of that foot (carom_motion_place).
 *
 * @param[in]  motion    that the body shall have; its parities are uniform
 * @param[in]  mass      m [n][n] of its modes, kg
 * @param[in]  stiffness k [n][n] of its modes, N/m
 * @param[in]  intervals equal ones that the step is looked at after, >= 1
 * @param[out] out       belongs to the caller, to be freed by carom_motion_simulation_free; NULL on
 * failure
 * @param[out] report    may be NULL
 * @return CAROM_OK; CONFLICT ("parity") for mixed parities; NOT_CONVERGED ("events of the motion")
 * if the integrator ends before; what carom_linear_contact_alloc returns; OUT_OF_MEMORY
 * Source: pankov-2024 (2); carom_plastic_motion. Cost: some hundred steps of its integrator.
 */
CAROM_MUST_CHECK carom_status carom_collisionless_motion_simulate(
    const carom_collisionless_motion *motion, const double *mass, const double *stiffness,
    int intervals, carom_motion_simulation **out, carom_report *report);

/** Free; NULL is accepted. */
void carom_motion_simulation_free(carom_motion_simulation *simulation);
CAROM_AUTO_TYPE(carom_motion_simulation)

/* ------------------------------------------------------------------------------ inverse problem */
/* A system with given spectra: the inverse problem. */

/**
 * The system of N equal masses whose phases have given spectra: m = 1/inverse_mass, k = H diag
 * (lambda) H' / inverse_mass, H orthogonal with the square roots of the shares W_i as last row.
 * Any other system with these spectra has the same impact times, gap and force ratio.
 *
 * @param[in]  spectra      checked here; copied with its parities
 * @param[in]  inverse_mass (m^-1)_NN > 0, 1/kg
 * @param[out] mass         [N][N] kg; may be NULL
 * @param[out] stiffness    [N][N] N/m; may be NULL
 * @param[out] out          its modes, belong to the caller, to be freed by carom_phase_modes_free;
 * NULL on failure
 * @param[out] report       quantity and value if refused; may be NULL
 * @return CAROM_OK; what carom_phase_spectra_check returns; NOT_FINITE or OUT_OF_RANGE for the
 * inverse mass; OUT_OF_MEMORY
 * Source: pankov-2024 section 3 (the converse of its reduction to spectra). Cost: O(N3).
 */
CAROM_MUST_CHECK carom_status carom_phase_modes_realize(const carom_phase_spectra *spectra,
                                                        double inverse_mass, double *mass,
                                                        double *stiffness, carom_phase_modes **out,
                                                        carom_report *report);

CAROM_END_DECLARATIONS

#endif
