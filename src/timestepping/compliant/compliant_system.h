/** Internal: the smooth equations of motion between changes of contact law, and their derivatives.
 */
#ifndef CAROM_TIMESTEPPING_COMPLIANT_COMPLIANT_SYSTEM_H
#define CAROM_TIMESTEPPING_COMPLIANT_COMPLIANT_SYSTEM_H

#include <carom/base/factor.h>
#include <carom/timestepping/compliant/compliant.h>

/** Normal law of a contact. */
typedef enum carom_compliant_mode {
    CAROM_COMPLIANT_OPEN,     /**< phi > 0: no force */
    CAROM_COMPLIANT_PRESSING, /**< phi <= 0: lambda_n = -k phi - d phi' > 0 */
    CAROM_COMPLIANT_UNLOADED  /**< phi <= 0, leaving faster than the spring: no force */
} carom_compliant_mode;

/**
 * State y [2 n + m (1 + t)]: displacement q - q(0), velocity v, accumulated normal impulses,
 * accumulated tangential impulses. The displacement is small where q is not: its rounding and its
 * tolerance are those of the compression.
 */
typedef struct carom_compliant_system {
    const carom_mechanism *mechanism;
    carom_compliant_params resolved;      /**< with numbers in the place of NaN */
    const carom_compliant_params *params; /**< these */
    const double *initial_position;       /**< [n] */
    int n;
    int m;
    int t;
    int size; /**< 2 n + m (1 + t) */
    bool has_constant_mass;

    double energy;       /**< scale of the energies so far, J: at the start kinetic, of the springs,
                            and what the largest force over the time span brings about within a
                            contact time */
    double contact_time; /**< longest sqrt(1/(w k)), s; 0: no contact can be pressed */
    double *inverse_mass; /**< [n] diagonal of M^-1 at the start */
    double *compliance;   /**< [m (1 + t)] w = J M^-1 J' at the start, J_n then J_t, 1/kg */
    double *touching;     /**< [m] gaps up to this are touch: 1e-9 of the compression sqrt(2 E/k),
                             four roundings of the gap at least, m */

    double *damping;            /**< [m] d, N s/m */
    carom_compliant_mode *mode; /**< [m] */
    bool *is_sliding;           /**< [m] |r| > epsilon, but for hysteresis */
    double *sticking_speed;     /**< [m] the larger of epsilon and |r| where sticking began, m/s */
    double *slip_direction;     /**< [m t] unit vector of r where sliding began */
    double *hysteresis;         /**< [m] of stick and slip, in parts of epsilon */

    double *start_time;           /**< [m] first touch, s; NaN before */
    int first_contact;            /**< -1 before */
    int second_contact;           /**< -1 before */
    double impulse_before_second; /**< of the first contact, N s */

    double *position;         /**< [n] q: this and the following, of the last evaluation */
    double *gap;              /**< [m] phi */
    double *normal_rows;      /**< [m][n] J_n */
    double *tangential_rows;  /**< [m t][n] J_t */
    double *gap_rate;         /**< [m] J_n v */
    double *sliding;          /**< [m t] r = J_t v */
    double *normal_law;       /**< [m] -k phi - d phi', whatever the mode */
    double *normal_force;     /**< [m] lambda_n */
    double *friction_unit;    /**< [m t] -lambda_t / (mu lambda_n) */
    double *tangential_force; /**< [m t] lambda_t */
    double *acceleration;     /**< [n] v' */

    double *mass;              /**< [layout] */
    double *derivative;        /**< [layout] scratch */
    double *force_derivative;  /**< [n][2 n] of all forces by (q, v) */
    double *normal_rate;       /**< [m][n] d(J_n v)/dq */
    double *tangential_rate;   /**< [m t][n] d(J_t v)/dq */
    double *normal_slope;      /**< [2 n] of one lambda_n by (q, v) */
    double *tangential_slopes; /**< [m t][2 n] of lambda_t by (q, v) */
    double *column;            /**< [n] scratch */
    double *work;              /**< [layout + n] scratch */
    carom_factor *factor;      /**< of the mass matrix */
    double *memory;            /**< owns the numbers */
} carom_compliant_system;

/**
 * Allocate; all contacts open.
 *
 * @param[out] system           to be cleared by carom_compliant_system_clear, also after a failure;
 *                              must not be moved
 * @param[in]  mechanism        borrowed
 * @param[in]  params           copied, its arrays borrowed
 * @param[in]  initial_position [n], borrowed
 * @param[in]  initial_velocity [n]
 * @param[out] report           quantity refused; may be NULL
 * @return CAROM_OK; OUT_OF_MEMORY; SINGULAR or NOT_FINITE for the initial mass matrix; a status of
 * carom_compliant_take_scales
 */
CAROM_MUST_CHECK carom_status carom_compliant_system_init(carom_compliant_system *system,
                                                          const carom_mechanism *mechanism,
                                                          const carom_compliant_params *params,
                                                          const double *initial_position,
                                                          const double *initial_velocity,
                                                          carom_report *report);

/** Free the arrays; a zeroed system is accepted. */
void carom_compliant_system_clear(carom_compliant_system *system);

/** Position, gaps, rows, speeds and normal laws at a state y. */
void carom_compliant_kinematics(carom_compliant_system *system, const double *y);

/** Normal and tangential forces after carom_compliant_kinematics. */
void carom_compliant_forces(carom_compliant_system *system);

/**
 * y' [size] in the present modes.
 * @return CAROM_OK; SINGULAR; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_compliant_rate(carom_compliant_system *system, double t,
                                                   const double *y, double *y_dot);

/**
 * y' [size] and the derivatives of v', lambda_n and lambda_t by (q, v), which neither depend on
 * the accumulated impulses nor those on anything else: slopes [n + m (1 + t)][2 n].
 * @return CAROM_OK; SINGULAR; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_compliant_rate_derivative(carom_compliant_system *system,
                                                              double t, const double *y,
                                                              double *y_dot, double *slopes);

#endif
