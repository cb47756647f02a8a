/** The parts of the tailed biped TREX: its geometry, equations of motion and designs. */
#ifndef CAROM_MODELS_TREX_INTERNAL_H
#define CAROM_MODELS_TREX_INTERNAL_H

#include <carom/models/trex/trex.h>

/* ------------------------------------------------------------------------------------- geometry */
/* Where the parts of TREX are (seghete-2014 figures 1, 6 and 7), and its stances. */

/**
 * Length of the tail from the centre of the posterior body to the tip. Cone: r_2 (r_1 + r_2)/(r_1 -
 * r_2), the apex of the common tangents of two circles that touch. Printed: [r_1^3 + r_1^2 r_2 +
 * sqrt(2) sqrt(r_1^4 r_2^2 + r_1^3 r_2^3)]/(r_1^2 - r_2^2) - (r_1 + r_2), the apex of the wedge
 * through the ends of the anterior circle's diameter and tangent to the posterior one, which
 * leaves the tips of table I some 0.6 cm below the floor.
 *
 * @param[in] tail             which formula
 * @param[in] anterior_radius  r_1 > r_2, cm
 * @param[in] posterior_radius r_2 > 0, cm
 * @return cm, > 0
 * Source: seghete-2014 section VII-B (printed); the cone is ours, identified from table I.
 */
double carom_trex_tail_length(carom_trex_tail tail, double anterior_radius,
                              double posterior_radius);

/** Absolute angles alpha of the links for the joint angles of q; rates alike, from v.
 *
 * @param[in]  q      [CAROM_TREX_COORDINATES] rad (or rad/s)
 * @param[out] angles [CAROM_TREX_LINKS] rad (or rad/s)
 */
void carom_trex_link_angles(const double *q, double *angles);

/** The lever of a contact's tip: it is at (x, y) + sum_a reach_a e(alpha_a).
 *
 * @param[in]  params the robot, as checked
 * @param[out] reach  [CAROM_TREX_CONTACTS][CAROM_TREX_LINKS] row-major, cm
 */
void carom_trex_reaches(const carom_trex_params *params, double *reach);

/** The places that carom_trex_points gives. */
enum {
    CAROM_TREX_POINT_ANTERIOR,  /**< centre of the anterior body: both hips */
    CAROM_TREX_POINT_POSTERIOR, /**< centre of the posterior body: the body joint */
    CAROM_TREX_POINT_TAIL_TIP,
    CAROM_TREX_POINT_LEFT_KNEE,
    CAROM_TREX_POINT_LEFT_FOOT,
    CAROM_TREX_POINT_RIGHT_KNEE,
    CAROM_TREX_POINT_RIGHT_FOOT,
    CAROM_TREX_POINTS /**< how many */
};

/**
 * Places of the joints and tips, for drawings.
 *
 * @param[in]  params the robot, as checked
 * @param[in]  q      [CAROM_TREX_COORDINATES] cm, rad
 * @param[out] points [CAROM_TREX_POINTS][2] x and y, cm
 */
void carom_trex_points(const carom_trex_params *params, const double *q, double *points);

/**
 * Centre of mass.
 *
 * @param[in]  params the robot, as checked
 * @param[in]  q      [CAROM_TREX_COORDINATES] cm, rad
 * @param[out] centre [2] x and y, cm
 */
void carom_trex_centre_of_mass(const carom_trex_params *params, const double *q, double *centre);

/**
 * The stance of the paper's initial gait: knees straight, 180 degrees between the legs (phi_L =
 * phi_R - pi), right foot and tail tip on the floor, the right hip in [0, 2 pi).
 *
 * @param[in]  params   the robot, as checked; x, theta and phi_T are those of its stance
 * @param[in]  is_ahead the foot is on the +x side of the hips, towards the tail; false: on the -x
 * side. The paper does not say which
 * @param[out] stance   [CAROM_TREX_COORDINATES] cm, rad; NaN on failure
 * @param[out] report   "hip height" in cm; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: with the tail tip on the floor the hips are below it or higher
 * than the leg is long
 * Source: seghete-2014 section VII-B; closed form ours.
 */
CAROM_MUST_CHECK carom_status carom_trex_straight_stance(const carom_trex_params *params,
                                                         bool is_ahead, double *stance,
                                                         carom_report *report);

/* ------------------------------------------------------------------------------------ equations */
/* Equations of motion of TREX in closed form: what its mechanism is made of. Internal to the model;
 * users take carom/models/trex/trex.h. */

/** What the functions of the mechanism need: its context. */
typedef struct carom_trex_data {
    carom_trex_params params;
    carom_trex_inertia inertia;
    double reach[CAROM_TREX_CONTACTS][CAROM_TREX_LINKS]; /**< levers of the tips, cm */
    double friction[CAROM_TREX_CONTACTS];                /**< mu, 1 */
    double restitution[CAROM_TREX_CONTACTS];             /**< e, 1 */
} carom_trex_data;

/**
 * Set counts of contacts and tangents and all functions of a mechanism of TREX.
 *
 * @param[in,out] mechanism of CAROM_TREX_COORDINATES coordinates, whose context is a
 * carom_trex_data
 */
void carom_trex_set_functions(carom_mechanism *mechanism);

/* --------------------------------------------------------------------------- rates of the shape */
/* How TREX changes with its shape: derivatives by the radii and the lengths of the legs, masses
 * following by the densities. Internal to the design; users take carom/models/trex/internal.h.
 * */

/** A change of the shape, cm for each unit of a parameter. */
typedef struct carom_trex_shape_rate {
    double anterior_radius;  /**< r_1' */
    double posterior_radius; /**< r_2' */
    double upper_length;     /**< l_u' */
    double lower_length;     /**< l_l' */
} carom_trex_shape_rate;

/** Derivative of carom_trex_tail_length, cm for each unit of the parameter. */
double carom_trex_tail_length_rate(const carom_trex_params *params, carom_trex_shape_rate rate);

/** Derivative of carom_trex_inertia_of, sum by sum. */
carom_trex_inertia carom_trex_inertia_rate(const carom_trex_params *params,
                                           carom_trex_shape_rate rate);

/* -------------------------------------------------------------------------------------- designs */
/* Stances of TREX whose double impact has one outcome whatever the order: contact normals of right
 * foot and tail orthogonal in the kinetic metric, both tips on the floor. */

/** The variables z. x does not matter. */
enum {
    CAROM_TREX_DESIGN_HEIGHT,           /**< y, cm */
    CAROM_TREX_DESIGN_PITCH,            /**< theta, rad */
    CAROM_TREX_DESIGN_LEFT_HIP,         /**< phi_L, rad */
    CAROM_TREX_DESIGN_LEFT_KNEE,        /**< gamma_L, rad */
    CAROM_TREX_DESIGN_RIGHT_HIP,        /**< phi_R, rad */
    CAROM_TREX_DESIGN_RIGHT_KNEE,       /**< gamma_R, rad */
    CAROM_TREX_DESIGN_BODY_JOINT,       /**< phi_T, rad */
    CAROM_TREX_DESIGN_ANTERIOR_RADIUS,  /**< r_1, cm */
    CAROM_TREX_DESIGN_POSTERIOR_RADIUS, /**< r_2, cm */
    CAROM_TREX_DESIGN_UPPER_LENGTH,     /**< l_u, cm */
    CAROM_TREX_DESIGN_LOWER_LENGTH,     /**< l_l, cm */
    CAROM_TREX_DESIGN_VARIABLES         /**< how many */
};

/** The conditions F(z) = 0. */
enum {
    CAROM_TREX_DESIGN_COSINE,    /**< (u,v) of unit normals of right foot and tail tip, 1 */
    CAROM_TREX_DESIGN_FOOT_GAP,  /**< of the right foot, cm */
    CAROM_TREX_DESIGN_TAIL_GAP,  /**< of the tail tip, cm */
    CAROM_TREX_DESIGN_CONDITIONS /**< how many */
};

/** Which variables may move. */
typedef enum carom_trex_design_scope {
    CAROM_TREX_DESIGN_ALL,           /**< all eleven */
    CAROM_TREX_DESIGN_CONFIGURATION, /**< y and the angles */
    CAROM_TREX_DESIGN_SHAPE          /**< radii, lengths, and y and theta to keep the contacts */
} carom_trex_design_scope;

/** z of a robot's stance, [CAROM_TREX_DESIGN_VARIABLES]. */
void carom_trex_design_get(const carom_trex_params *params, double *z);

/** The robot with other variables: everything else as in `params`. */
void carom_trex_design_set(carom_trex_params *params, const double *z);

/**
 * F(z) and its exact Jacobian, the masses that go with radii and lengths included.
 *
 * @param[in]  params   the robot, as checked
 * @param[out] F        [CAROM_TREX_DESIGN_CONDITIONS]
 * @param[out] jacobian [CAROM_TREX_DESIGN_CONDITIONS][CAROM_TREX_DESIGN_VARIABLES]; may be NULL
 * @param[out] report   may be NULL
 * @return CAROM_OK; SINGULAR: the mass matrix (pivot, index); NOT_FINITE: mass matrix or cosine, by
 * overflow. On failure F and Jacobian are NaN
 * Cost: some thousand operations, nothing is allocated.
 */
CAROM_MUST_CHECK carom_status carom_trex_design_conditions(const carom_trex_params *params,
                                                           double *F, double *jacobian,
                                                           carom_report *report);

typedef struct carom_trex_design_params {
    carom_trex_design_scope scope;
    double cosine;       /**< that the normals are to have, in (-1, 1): 0 for one outcome */
    double tolerance;    /**< max-norm of F - (cosine, 0, 0), gaps in unit lengths, > 0 */
    int most_iterations; /**< >= 1 */
    double unit_length;  /**< the length that counts as much as a radian, cm; 0:
                            carom_trex_design_unit_length of the robot */
} carom_trex_design_params;

/** An eighteenth of a leg, cm: 1 cm of the hand-picked robot. */
double carom_trex_design_unit_length(const carom_trex_params *params);

/** All variables, orthogonal, 1e-13, 50, that of the robot. */
carom_trex_design_params carom_trex_design_params_default(void);

/** How an optimisation went. */
typedef struct carom_trex_design_result {
    int iterations;
    double distance;  /**< |z - z_0|, unit lengths and rad */
    double condition; /**< ratio of the extreme singular values of J at the root, in these units */
    double
        residual[CAROM_TREX_DESIGN_CONDITIONS]; /**< F at the end, without the cosine asked for */
} carom_trex_design_result;

/**
 * Gauss-Newton steps of minimum norm, z <- z - J^+ F, from the robot's stance: a root near it, not
 * exactly the nearest.
 *
 * @param[in,out] params the robot; its stance and shape become those of the root; unchanged on
 * failure
 * @param[in]     design as above
 * @param[out]    result may be NULL
 * @param[out]    report may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: as carom_trex_check, parameters ("scope", "cosine", "tolerance",
 * "most iterations"), or a step that leaves what is a robot however often it is halved;
 * NOT_CONVERGED; SINGULAR: the mass matrix, or J has not full rank; NOT_FINITE; OUT_OF_MEMORY
 * Source: seghete-2014 section VII-B, table I; the method is ours, as the paper names none.
 */
CAROM_MUST_CHECK carom_status carom_trex_design_optimize(carom_trex_params *params,
                                                         const carom_trex_design_params *design,
                                                         carom_trex_design_result *result,
                                                         carom_report *report);

/**
 * The root at which |z - z_0| is stationary, as a rule least: F = 0 and z - z_0 = J' lambda, by z
 * <- z_0 + J^+ (J (z - z_0) - F). Converges linearly, to a last step of 1e-11, unit lengths and
 * rad. Otherwise as carom_trex_design_optimize.
 */
CAROM_MUST_CHECK carom_status carom_trex_design_nearest(carom_trex_params *params,
                                                        const carom_trex_design_params *design,
                                                        carom_trex_design_result *result,
                                                        carom_report *report);

/* ------------------------------------------------------------------------------------- rounding */
/* Whether the rounding of a printed row explains that the tips of TREX miss the floor. */

/** What a row of table I says within its rounding. */
typedef struct carom_trex_rounding {
    double
        closure; /**< least max-norm of a change of the entries that puts right foot and tail tip
                    on the floor, in half units of the last digit: up to 1, the row is consistent */
    double change[CAROM_TREX_DESIGN_VARIABLES]; /**< that change, cm and rad */
    double cosine;                              /**< of the row as printed */
    double cosine_spread; /**< how far rounding moves it, to first order: half unit times sum
                             |dc/dz| */
    int iterations;       /**< linear problems solved */
} carom_trex_rounding;

/**
 * Least change in the max-norm that closes both contacts. Each linearised problem, two equations,
 * is solved exactly: by duality its value is the largest of |b.y|/|J'y|_1 over the y orthogonal to
 * one column of J. Its solutions converge quadratically.
 *
 * @param[in]  params    the robot, its stance and shape those of the row
 * @param[in]  is_exact  [CAROM_TREX_DESIGN_VARIABLES] entries that are not rounded; NULL: none
 * @param[in]  half_unit half a unit of the last digit, cm and rad, > 0
 * @param[out] rounding  NaN on failure
 * @param[out] report    may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: as carom_trex_check, "half unit", or a change that leaves what is
 * a robot; SINGULAR: the entries that are rounded do not move both tips on their own;
 * NOT_CONVERGED; NOT_FINITE
 * Source: seghete-2014 table I; the question and the method are ours.
 */
CAROM_MUST_CHECK carom_status carom_trex_rounding_of(const carom_trex_params *params,
                                                     const bool *is_exact, double half_unit,
                                                     carom_trex_rounding *rounding,
                                                     carom_report *report);

#endif
