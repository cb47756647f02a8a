/** A rigid body in space, free or above the plane z = 0, which it touches as a sphere or with the
 * corners of a box; its rotation is a unit quaternion. */
#ifndef CAROM_MODELS_RIGID_BODY_H
#define CAROM_MODELS_RIGID_BODY_H

#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/** With what a body touches the plane. */
typedef enum carom_rigid_body_shape {
    CAROM_RIGID_BODY_FREE,   /**< with nothing */
    CAROM_RIGID_BODY_SPHERE, /**< one contact */
    CAROM_RIGID_BODY_BOX     /**< eight contacts, the corners */
} carom_rigid_body_shape;

/** The body and how it starts. */
typedef struct carom_rigid_body_params {
    double mass;                        /**< m, kg */
    double inertia[3];                  /**< about its principal axes, kg m2 */
    double gravity[3];                  /**< in space, m/s2 */
    carom_rigid_body_shape shape;       /**< with what it touches */
    double radius;                      /**< of the sphere, m */
    double edges[3];                    /**< of the box, along the principal axes, m */
    double friction;                    /**< mu of every contact, 1 */
    double restitution;                 /**< e of every contact, 1 */
    double initial_position[3];         /**< of the centre of mass, m */
    double initial_rotation[4];         /**< unit quaternion (w, x, y, z) from body to space, 1 */
    double initial_velocity[3];         /**< of the centre of mass, m/s */
    double initial_angular_velocity[3]; /**< about the principal axes, rad/s */
} carom_rigid_body_params;

/** A sphere of 1 kg and radius 0.1 m, mu = 0.3, plastic, that touches the plane at rest, 9.81 m/s2
 * downwards. */
carom_rigid_body_params carom_rigid_body_params_default(void);

/**
 * q = (x, p) [7], centre of mass and quaternion, v = (x', w) [6], velocity in space and angular
 * velocity about the principal axes; f = (m gravity, -w x I w). Gap of a corner r of the box: the
 * height of x + R r; tangents are along x and y.
 *
 * @return CAROM_OK; OUT_OF_RANGE or NOT_FINITE with the parameter in the report, also for moments
 * of inertia of which one exceeds the sum of the others; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_rigid_body_alloc(const carom_rigid_body_params *params,
                                                     carom_model **out, carom_report *report);

/** Momentum and angular momentum about the origin, both in space, [6], of a state q [7], v [6]. */
void carom_rigid_body_momentum(const carom_rigid_body_params *params, const double *q,
                               const double *v, double *momentum);

CAROM_END_DECLARATIONS

#endif
