/** The motion of the contact in one flight, with bounds: its largest maximum and its first contact.
 */
#ifndef CAROM_MODES_CONTACT_MOTION_H
#define CAROM_MODES_CONTACT_MOTION_H

#include <carom/base/attributes.h>
#include <carom/modes/modal_basis.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

/**
 * x_c(tau) = sqrt(G) sum (rho_l/w_l) (z_1l cos w_l tau + z_2l sin w_l tau), the displacement of the
 * contact towards the obstacle in free flight. Borrows the basis.
 */
typedef struct carom_contact_motion carom_contact_motion;

/** Workspace for a structure. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_contact_motion_alloc(const carom_modal_basis *basis,
                                                         carom_contact_motion **out);

/** Free; NULL is accepted. */
void carom_contact_motion_free(carom_contact_motion *motion);
CAROM_AUTO_TYPE(carom_contact_motion)

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

CAROM_END_DECLARATIONS

#endif
