/** Two degrees of freedom, one of them stopped by a contact: the hopper, the juggler, the rimless
 * wheel and the rocking biped (pankov-2024 section 4, figure 1). */
#ifndef CAROM_MODELS_TWO_MODE_MODELS_H
#define CAROM_MODELS_TWO_MODE_MODELS_H

#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/**
 * Any of the models in its harmonic approximation: m x'' + k x = load, x_2 stopped by the contact:
 * gap = gap_sign (x_2 - contact_coordinate) >= 0. Filled by the constructors below. Units are those
 * of coordinates in m; for angles read rad, N m and kg m2.
 */
typedef struct carom_two_mode_model {
    const char *name;           /**< static, lower-case identifier */
    const char *coordinates[2]; /**< static, what x_1 and x_2 are */
    const char *units;          /**< static, "m" or "rad" for both */
    double mass[2][2];          /**< m, symmetric positive definite, kg */
    double stiffness[2][2];     /**< k, symmetric, of any sign, N/m */
    double load[2];             /**< constant, N; zero where x is measured from equilibrium */

    bool is_unconstrained_odd; /**< x(-t) = -x(t) about P; otherwise x(-t) = x(t) */
    bool is_constrained_odd;   /**< the same of x_1 less its static value, about P' */

    double gap_sign;           /**< +1 if the contact bounds x_2 from below, -1 from above */
    double contact_coordinate; /**< x_2 at contact, m */
    double contact_level;      /**< x_N^0: the same from the equilibrium without contact, m; NaN if
                                  there is none, k being singular */
    double contact_force;      /**< F_N^0 acting on x_2 at rest in contact, N */
    double weight;             /**< of the whole model, N */
} carom_two_mode_model;

/**
 * The eigenvalues of k v = lambda m v, and of x_1 alone with x_2 held: lambda_1 < lambda'_1 <
 * lambda_2.
 *
 * @param[in]  model              filled by a constructor
 * @param[out] lambda             [2] ascending, 1/s2; exactly 0 for a free mode
 * @param[out] lambda_constrained lambda'_1, 1/s2
 * Source: det(k - lambda m) = 0.
 */
void carom_two_mode_model_spectrum(const carom_two_mode_model *model, double *lambda,
                                   double *lambda_constrained);

/**
 * The model as a mechanism of its two coordinates with one plastic contact, restitution 0, at rest
 * in contact: x_2 = contact_coordinate, x_1 = (load_1 - k_12 x_2)/k_11. The gap is that of x_2; the
 * potential energy x' k x/2 - load' x.
 *
 * @param[in]  model filled by a constructor; copied
 * @param[out] out   belongs to the caller, to be freed by carom_model_free; NULL on failure
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_two_mode_model_mechanism(const carom_two_mode_model *model,
                                                             carom_model **out);

/** A mass on a spring on a mass that meets the ground (figure 1a). */
typedef struct carom_hopper_params {
    double upper_mass;       /**< m_u, kg */
    double lower_mass;       /**< m_l, kg: its contact */
    double spring_stiffness; /**< kappa, N/m */
    double gravity;          /**< g, m/s2 */
    double spring_length;    /**< natural, m: for drawing only */
} carom_hopper_params;

/** 1 kg, 1 kg, 1 N/m, 1 m/s2; a spring of 12 m, longer than its largest compression for n = 2. */
carom_hopper_params carom_hopper_params_default(void);

/**
 * x = (height of the upper mass less the spring's natural length, height of the lower mass), m,
 * upwards from the ground: m = diag(m_u, m_l), k = kappa [1, -1; -1, 1], load = -g (m_u, m_l). Even
 * about P and P'; F_N^0 is the whole weight. omega_2^2 = kappa (1/m_u + 1/m_l), omega'_1^2 =
 * kappa/m_u, lambda_1 = 0.
 *
 * @param[in]  params the hopper
 * @param[out] out    the model; unspecified on failure
 * @param[out] report the parameter and its value; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE, NOT_FINITE: a parameter that is no finite number above zero
 */
CAROM_MUST_CHECK carom_status carom_hopper_model(const carom_hopper_params *params,
                                                 carom_two_mode_model *out, carom_report *report);

/** Lower mass, upper mass. */
enum { CAROM_HOPPER_POINT_COUNT = 2 };

/** Places [2][2] in m of the lower and the upper mass in configuration x [2]; the ground is y = 0.
 */
void carom_hopper_points(const carom_hopper_params *params, const double *x, double *points);

/**
 * The explicit collisionless flight about its apex: y_l(t) = (g/omega_2^2) [(alpha^2 - (omega_2
 * t)^2)/2 + 1 - cos(omega_2 t)/cos(alpha)], spring extension S cos(omega_2 t), S = g (m_u +
 * m_l)/(m_u omega_2^2 cos alpha). The height is evaluated as (g/omega_2^2) [alpha (d - sin d) -
 * (d^2/2 - 1 + cos d)] > 0, d = alpha - omega_2 |t|, without cancellation at the landing d = 0.
 *
 * @param[in]  params the hopper
 * @param[in]  alpha  a root alpha_n, n >= 2, of tan y = y, rad
 * @param[in]  t      from the apex P, s, |t| <= alpha/omega_2
 * @param[out] x      [2] coordinates of carom_hopper_model, m
 * @param[out] v      [2] m/s
 * Source: solution of the equations of motion that (23) belongs to; not printed in the paper.
 */
void carom_hopper_flight(const carom_hopper_params *params, double alpha, double t, double *x,
                         double *v);

/**
 * The explicit stance: the upper mass about its static place with amplitude g (m_u + m_l)/(kappa
 * cos o'), ground force over weight 1 - cos(omega'_1 t)/cos o'.
 *
 * @param[in]  params            the hopper
 * @param[in]  constrained_phase o'_1 of (24), rad
 * @param[in]  t                 from P', s
 * @param[out] x                 [2] m
 * @param[out] v                 [2] m/s
 * @return force of the ground over the weight, 1
 */
double carom_hopper_stance(const carom_hopper_params *params, double constrained_phase, double t,
                           double *x, double *v);

/** A ball that meets a paddle on a spring (figure 1b). */
typedef struct carom_juggler_params {
    double paddle_mass;      /**< m_1, kg */
    double ball_mass;        /**< m_2, kg: its contact with the paddle */
    double spring_stiffness; /**< kappa, N/m, between the ground and the paddle */
    double gravity;          /**< g, m/s2 */
    double spring_length;    /**< natural, m: for drawing only */
} carom_juggler_params;

/** 1 kg, 1 kg, 1 N/m, 1 m/s2; a spring of 12 m, longer than its largest compression for n = 2. */
carom_juggler_params carom_juggler_params_default(void);

/**
 * x = (height of the paddle above the spring's natural place, height of the ball above the paddle),
 * m: m = [m_1 + m_2, m_2; m_2, m_2], k = diag(kappa, 0), load = -g (m_1 + m_2, m_2). Even about P
 * and P'; F_N^0 = m_2 g. omega_2^2 = kappa/m_1, omega'_1^2 = kappa/(m_1 + m_2), lambda_1 = 0.
 *
 * Otherwise as carom_hopper_model.
 */
CAROM_MUST_CHECK carom_status carom_juggler_model(const carom_juggler_params *params,
                                                  carom_two_mode_model *out, carom_report *report);

/** Foot of the spring, paddle, ball. */
enum { CAROM_JUGGLER_POINT_COUNT = 3 };

/** Places [3][2] in m of the spring's foot at the origin, the paddle and the ball. */
void carom_juggler_points(const carom_juggler_params *params, const double *x, double *points);

/**
 * The explicit collisionless flight of the ball: a gap that is the hopper's height with omega_2^2 =
 * kappa/m_1, over a paddle at (g/omega_2^2) [cos(omega_2 t)/cos(alpha) - 1]. The ball lands with -g
 * tau on the paddle at the spring's natural place. As carom_hopper_flight.
 */
void carom_juggler_flight(const carom_juggler_params *params, double alpha, double t, double *x,
                          double *v);

/** The explicit stance, as carom_hopper_stance. @return contact force over the ball's weight, 1 */
double carom_juggler_stance(const carom_juggler_params *params, double constrained_phase, double t,
                            double *x, double *v);

/**
 * A rimless wheel with a reaction wheel on a torsional spring about its hub (section 4.2), for many
 * spokes. Angles turn clockwise, the way the wheel rolls towards +x.
 */
typedef struct carom_reaction_wheel_params {
    double reaction_inertia; /**< J_r of the reaction wheel about the hub, kg m2 */
    double wheel_inertia;    /**< J_w of the rest about the contact, with the mass of the reaction
                                wheel at the hub, >= M l^2, kg m2 */
    double spring_stiffness; /**< kappa, N m/rad */
    double mass;             /**< M of everything, centred at the hub, kg */
    double gravity;          /**< g, m/s2 */
    double spoke_length;     /**< l, m */
    double half_spoke_angle; /**< eps, half the angle between spokes, rad, in (0, pi/2) */
    double reaction_radius;  /**< of the mark on the reaction wheel, m: for drawing only */
} carom_reaction_wheel_params;

/** J_r = 1 kg m2, J_w = 2 kg m2, 1 N m/rad, 1 kg, 1 m/s2, 1 m, 1 rad; mark at 0.4 m. */
carom_reaction_wheel_params carom_reaction_wheel_params_default(void);

/**
 * x = (angle of the reaction wheel, angle of the stance spoke from upright), rad: m = diag(J_r,
 * J_w), k = [kappa, -kappa; -kappa, kappa - M g l]. The next spoke lands at x_2 = +eps and takes
 * over, x_2 = -eps on it. Odd about P and P'; F_N^0 = -M g l eps. omega'_1^2 = kappa/J_r.
 *
 * Otherwise as carom_hopper_model; OUT_OF_RANGE also if eps is not below pi/2; CONFLICT ("wheel
 * inertia") if J_w < M l^2, against the parallel axis theorem.
 */
CAROM_MUST_CHECK carom_status carom_reaction_wheel_model(const carom_reaction_wheel_params *params,
                                                         carom_two_mode_model *out,
                                                         carom_report *report);

/** A rimless wheel, its mass at the hub, with a pendulum there (figure 1c). */
typedef struct carom_pendulum_wheel_params {
    double hub_mass;         /**< M, kg */
    double pendulum_mass;    /**< m_p, kg */
    double spoke_length;     /**< l, m */
    double pendulum_length;  /**< a, m */
    double gravity;          /**< g, m/s2 */
    double half_spoke_angle; /**< eps, rad, in (0, pi/2) */
} carom_pendulum_wheel_params;

/** 1 kg, 1 kg, 1 m, 1 m, 1 m/s2, 1 rad. */
carom_pendulum_wheel_params carom_pendulum_wheel_params_default(void);

/**
 * x = (angle of the pendulum from hanging, angle of the stance spoke from upright), rad, both
 * clockwise: m = [m_p a^2, -m_p a l; -m_p a l, (M + m_p) l^2], k = g diag(m_p a, -(M + m_p) l).
 * Contact at x_2 = +eps. Odd about P and P'; F_N^0 = -(M + m_p) g l eps. omega'_1^2 = g/a.
 *
 * Otherwise as carom_hopper_model; OUT_OF_RANGE also if eps is not below pi/2.
 */
CAROM_MUST_CHECK carom_status carom_pendulum_wheel_model(const carom_pendulum_wheel_params *params,
                                                         carom_two_mode_model *out,
                                                         carom_report *report);

/** Foot of the stance spoke, hub, foot of the next spoke, foot of the last one, pendulum. */
enum { CAROM_PENDULUM_WHEEL_POINT_COUNT = 5 };

/** Places [5][2] in m with the stance foot at the origin of level ground; exact trigonometry. */
void carom_pendulum_wheel_points(const carom_pendulum_wheel_params *params, const double *x,
                                 double *points);

/** A biped of two legs fixed to each other that rocks from foot to foot, with a pendulum at the hip
 * (figure 1d). */
typedef struct carom_coronal_rocker_params {
    double foot_mass;       /**< m_0 of each foot, kg; may be 0 */
    double pendulum_mass;   /**< m_1, kg */
    double hip_mass;        /**< m_2, kg */
    double leg_length;      /**< l, m */
    double pendulum_length; /**< a, m */
    double gravity;         /**< g, m/s2 */
    double half_leg_angle;  /**< theta, half the angle between the legs, rad, in (0, pi/2) */
} carom_coronal_rocker_params;

/** 1 kg each, 1 m, 1 m, 1 m/s2, 1 rad: the unit of the linear problem. */
carom_coronal_rocker_params carom_coronal_rocker_params_default(void);

/**
 * x = (angle of the pendulum from hanging, angle of the stance leg less its one-footed equilibrium
 * f_0 = 2 theta m_0/(m_1 + m_2)), rad, both clockwise, the other foot to the left: m = [m_1 a^2,
 * -m_1 a l; -m_1 a l, (m_1 + m_2) l^2], k = g diag(m_1 a, -(m_1 + m_2) l). The other foot lands at
 * f = -theta, x_N^0 = -theta (2 m_0 + m_1 + m_2)/(m_1 + m_2), from above. Even about P, odd about
 * P'; F_N^0 = theta g l times all masses. omega'_1^2 = g/a. Of first order in theta: the other foot
 * adds its weight but no inertia.
 *
 * Otherwise as carom_hopper_model, but m_0 may be 0; OUT_OF_RANGE also if theta is not below pi/2.
 */
CAROM_MUST_CHECK carom_status carom_coronal_rocker_model(const carom_coronal_rocker_params *params,
                                                         carom_two_mode_model *out,
                                                         carom_report *report);

/** Stance foot, hip, other foot, pendulum. */
enum { CAROM_CORONAL_ROCKER_POINT_COUNT = 4 };

/** Places [4][2] in m with the stance foot at the origin of level ground; exact trigonometry. */
void carom_coronal_rocker_points(const carom_coronal_rocker_params *params, const double *x,
                                 double *points);

CAROM_END_DECLARATIONS

#endif
