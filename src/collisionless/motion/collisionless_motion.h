/** The collisionless motion of a linear system: all coordinates in both phases. */
#ifndef CAROM_COLLISIONLESS_MOTION_COLLISIONLESS_MOTION_H
#define CAROM_COLLISIONLESS_MOTION_COLLISIONLESS_MOTION_H

#include <carom/base/attributes.h>
#include <carom/collisionless/motion/phase_modes.h>
#include <carom/collisionless/motion/spectral_motion.h>

CAROM_BEGIN_DECLARATIONS

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
 * or energy overflows; SINGULAR ("static force", "contact level") if the motion has none, or a
 * vanishing one, that could fix its size Source: pankov-2024 section 6 and appendix E; cost O(N3 +
 * n N).
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

/** Force of the contact at t' in s from P', N, from the modes; zero at the impact. */
double carom_collisionless_motion_force(const carom_collisionless_motion *motion, double t);

CAROM_END_DECLARATIONS

#endif
