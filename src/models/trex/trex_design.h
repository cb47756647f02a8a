/** Stances of TREX whose double impact has one outcome whatever the order: contact normals of right
 * foot and tail orthogonal in the kinetic metric, both tips on the floor. */
#ifndef CAROM_MODELS_TREX_TREX_DESIGN_H
#define CAROM_MODELS_TREX_TREX_DESIGN_H

#include <carom/models/trex/trex.h>

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

#endif
