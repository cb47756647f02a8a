/** A billiard ball that hits two others at the same time (seghete-2014 section VII-A, figure 4). */
#ifndef CAROM_MODELS_BILLIARD_BREAK_H
#define CAROM_MODELS_BILLIARD_BREAK_H

#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/** The balls, in the order of the coordinates and of the radii. */
enum {
    CAROM_BILLIARD_BREAK_A,    /**< at rest, hit; its contact is number 0 */
    CAROM_BILLIARD_BREAK_B,    /**< at rest, hit; its contact is number 1 */
    CAROM_BILLIARD_BREAK_C,    /**< the cue ball */
    CAROM_BILLIARD_BREAK_BALLS /**< how many */
};

/** The three balls of a break and how the cue ball arrives. */
typedef struct carom_billiard_break_params {
    double radii[CAROM_BILLIARD_BREAK_BALLS]; /**< r_a, r_b, r_c, m */
    double density;                           /**< of all balls, kg/m3 */
    double angle;       /**< theta between the lines from the cue ball's centre to the two, rad */
    double speed;       /**< of the cue ball along the bisector of theta, m/s */
    double restitution; /**< Newton's coefficient e of both contacts, 1; for the methods that read
                           it from the mechanism */
} carom_billiard_break_params;

/** r_a = r_b = 1 m, r_c such that theta_min = pi/6 as the paper says (the radii, which it does not
 * name, follow if both balls are equal); 1 kg/m3, 60 deg, 1 m/s, 1. Scale, density and speed do not
 * change the indeterminacy. */
carom_billiard_break_params carom_billiard_break_params_default(void);

/**
 * The instant of impact, in the plane and without rotation, gravity and friction:
 * q = (x_a, y_a, x_b, y_b, x_c, y_c), c at the origin with v = (speed, 0), a above and b below the
 * x axis. The contacts, both closed, are phi_a = |a - c| - (r_a + r_c), then phi_b alike, and the
 * normals D phi_a = (a - c)/(r_a + r_c) at a and its opposite at c: the printed vectors have the
 * opposite sign, which would let the balls attract. There is no contact between a and b, which the
 * break moves apart.
 *
 * @param[in]  params the break
 * @param[out] out    belongs to the caller, to be freed by carom_impact_scene_free; NULL on failure
 * @param[out] report the parameter, its value and of a radius or mass the ball (index); may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: a radius, the density, the speed or a mass not positive, e
 * outside [0,1], "angle" outside [theta_min, pi] by more than 1e-12 rad (below it a and b overlap);
 * NOT_FINITE; OUT_OF_MEMORY
 * Source: seghete-2014 section VII-A.
 */
CAROM_MUST_CHECK carom_status carom_billiard_break_alloc(const carom_billiard_break_params *params,
                                                         carom_impact_scene **out,
                                                         carom_report *report);

/**
 * Angle theta_min at which a and b touch: sin^2(theta_min/2) = r_a r_b/((r_a + r_c)(r_b + r_c)).
 *
 * @param[in] radii [3] r_a, r_b, r_c > 0, m
 * @return rad, in (0, pi); pi/3 for equal balls
 * Source: ours; the paper says "somewhere close to pi/6".
 */
double carom_billiard_break_smallest_angle(const double *radii);

/**
 * Cosine of the two contacts in the kinetic metric (5): c = cos(theta) sqrt(mu_a mu_b), mu_i =
 * m_i/(m_i + m_c). Zero, so that the outcome is unique, exactly for theta = pi/2.
 *
 * @param[in] params admitted by carom_billiard_break_alloc
 * @return 1, in (-1, 1)
 * Source: seghete-2014 (31), divided by the norms of the normals, sqrt(1/m_i + 1/m_c).
 */
double carom_billiard_break_cosine(const carom_billiard_break_params *params);

CAROM_END_DECLARATIONS

#endif
