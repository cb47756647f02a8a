/** A linear structure with one contact in its vibration modes: the basis, the kernels that express
 * a periodic motion by its impacts, and work memory for the motion of the contact. */
#ifndef CAROM_MODES_MODAL_BASIS_H
#define CAROM_MODES_MODAL_BASIS_H

#include <carom/base/base.h>
#include <carom/mechanism/linear_system.h>

CAROM_BEGIN_DECLARATIONS

/* ---------------------------------------------------------------------------------------- basis */
/* Modal reduction of a linear structure with one contact: all that nonsmooth modes need of it. */

/**
 * Mass-orthonormal modes u = B q, q_l = z_1l / omega_l, q_l' = z_2l: between impacts each pair
 * (z_1l, z_2l) rotates, z_1 + i z_2 -> e^{-i omega t} (z_1 + i z_2), and an elastic impact reflects
 * z_2 along the unit vector rho. Energy z'z/2.
 *
 * One sign convention holds everywhere: rho = -Q' V^-1 w / sqrt(G), so that the impact variable
 * lambda = rho'z_2^- = -(contact velocity before the impact) / sqrt(G) is >= 0, and the contact
 * displacement towards the obstacle x_c = g_0 - gap = -w'u = sqrt(G) sum rho_l z_1l / omega_l.
 * Modes are signed so that rho_l >= 0; in an eigenspace of several dimensions one mode carries all
 * of its participation. Modes that do not move the contact are invisible: they stand last, with
 * participation exactly zero, and stay at rest in everything that is computed.
 */
typedef struct carom_modal_basis {
    int coordinate_count;     /**< n */
    int visible_count;        /**< m <= n, modes with participation > 0; they come first */
    double gap_at_rest;       /**< g_0, m */
    double root_inverse_mass; /**< sqrt(G), G = w' M^-1 w, kg^-1/2 */
    double *frequency;        /**< omega [n], rad/s; visible ascending, then invisible ascending */
    double *participation;    /**< rho [n], 1; sum of squares 1 */
    double *shape;            /**< B [n][n] row-major, mode l in column l, kg^-1/2 */
    double *mass_shape;       /**< M B [n][n] row-major: q = (M B)' u, kg^1/2 */
} carom_modal_basis;

/**
 * Reduce a structure to its modes: Cholesky M = V V', eigenvalues of V^-1 K V^-T.
 *
 * @param[in]  system complete, checked here by carom_linear_system_check
 * @param[out] out    belongs to the caller, to be freed by carom_modal_basis_free; NULL on failure
 * @param[out] report quantity and value if refused (the smallest squared frequency, in rad2/s2, of
 * a stiffness with rigid-body modes or an indefinite one); may be NULL
 * @return CAROM_OK; what carom_linear_system_check returns; SINGULAR for rigid-body modes (an
 * eigenvalue within rounding of zero); OUT_OF_RANGE for an indefinite stiffness, or a gap at rest
 * so large or small that the square of a modal state leaves the range of numbers, or sixth powers
 * of frequencies that do; NOT_CONVERGED; OUT_OF_MEMORY
 * Source: thorin-2017 sections 3.1, 4.1, proposition 2.1 (sign of rho reversed). Cost: O(n^3).
 */
CAROM_MUST_CHECK carom_status carom_modal_basis_compute(const carom_linear_system *system,
                                                        carom_modal_basis **out,
                                                        carom_report *report);

/** Free a basis; NULL is accepted. */
void carom_modal_basis_free(carom_modal_basis *basis);
CAROM_AUTO_TYPE(carom_modal_basis)

/**
 * Position and velocity of all coordinates from a modal state of the visible modes.
 *
 * @param[in]  basis    the structure
 * @param[in]  state    [m][2] z_1, z_2 in J^1/2
 * @param[out] position [n] m; may be NULL
 * @param[out] velocity [n] m/s; may be NULL
 * Cost: O(n m).
 */
void carom_modal_basis_expand(const carom_modal_basis *basis, const double *state, double *position,
                              double *velocity);

/**
 * Modal state of the visible modes from positions and velocities; what invisible modes carry is
 * dropped.
 *
 * @param[in]  basis    the structure
 * @param[in]  position [n] m
 * @param[in]  velocity [n] m/s
 * @param[out] state    [m][2] z_1, z_2 in J^1/2
 * Cost: O(n m).
 */
void carom_modal_basis_project(const carom_modal_basis *basis, const double *position,
                               const double *velocity, double *state);

/** Free flight of the visible modes: state [m][2] rotated in place by the time t in s (4.4). */
void carom_modal_basis_rotate(const carom_modal_basis *basis, double t, double *state);

/** Displacement of the contact towards the obstacle x_c, m, of a state [m][2]. */
double carom_modal_basis_contact_displacement(const carom_modal_basis *basis, const double *state);

/** Velocity of the contact towards the obstacle x_c', m/s, of a state [m][2]. */
double carom_modal_basis_contact_velocity(const carom_modal_basis *basis, const double *state);

/** Elastic impact in place, z_2 <- z_2 - 2 lambda rho; returns lambda = rho'z_2 (prop. 2.1). */
double carom_modal_basis_reflect(const carom_modal_basis *basis, double *state);

/* -------------------------------------------------------------------------------------- kernels */
/* The kernels that express a periodic motion by its impacts. */

/** Kernels at one argument, with their derivatives. */
typedef struct carom_kernels {
    double velocity;             /**< Upsilon_T(s) = sum rho^2 sin(w s/2)/sin(w T/2), 1 */
    double velocity_by_argument; /**< d Upsilon / d s at fixed T, 1/s */
    double velocity_by_period;   /**< d Upsilon / d T at fixed s, 1/s */
    double gap; /**< Gamma_T(s) = sqrt(G) sum rho^2 cos(w s/2)/(w sin(w T/2)), m J^-1/2 */
    double gap_by_argument; /**< d Gamma / d s = -sqrt(G) Upsilon / 2, m J^-1/2 / s */
    double gap_by_period;   /**< d Gamma / d T at fixed s, m J^-1/2 / s */
} carom_kernels;

/**
 * Evaluate the scalar kernels; infinite or NaN where T is a harmonic of a visible mode.
 *
 * @param[in] basis    the structure
 * @param[in] period   T > 0, s
 * @param[in] argument s, in s
 * Source: thorin-2017 (3.1d), (4.27), (6.3); phi_c of (7.8) is -gap. Cost: O(m).
 */
carom_kernels carom_kernels_evaluate(const carom_modal_basis *basis, double period,
                                     double argument);

/** A period at which the kernels have a pole: an integer multiple of that of a visible mode. */
typedef struct carom_harmonic {
    double period; /**< p T_l, s */
    int mode;      /**< l, from 0 */
    int multiple;  /**< p >= 1 */
} carom_harmonic;

/** The first harmonic above a period in s (of two at the same period, that of the lower mode). */
carom_harmonic carom_harmonic_above(const carom_modal_basis *basis, double period);

/** The harmonic nearest to a period in s. */
carom_harmonic carom_harmonic_nearest(const carom_modal_basis *basis, double period);

/* ------------------------------------------------------------------------ motion of the contact */
/* Work memory of what follows the contact through a flight, as certificates of orbits do. */

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

CAROM_END_DECLARATIONS

#endif
