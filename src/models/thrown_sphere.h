/** A sphere thrown onto a plane, with spin: it flies, strikes, slides and comes to roll, all in
 * closed form. */
#ifndef CAROM_MODELS_THROWN_SPHERE_H
#define CAROM_MODELS_THROWN_SPHERE_H

#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/** The sphere and how it is thrown; z is up. */
typedef struct carom_thrown_sphere_params {
    double mass;        /**< m, kg */
    double radius;      /**< R, m */
    double friction;    /**< mu, 1 */
    double restitution; /**< e, in [0,1], 1 */
    double gravity;     /**< g, m/s2 */
    double height;      /**< of the lowest point, >= 0, m */
    double velocity[3]; /**< of the centre, m/s */
    double spin[3];     /**< w, rad/s */
    bool is_planar;     /**< in the plane of x and z: velocity along x and z, spin about y */
} carom_thrown_sphere_params;

/** 1 kg, 0.1 m, 0.2, 0, 9.81 m/s2, on the plane with 1 m/s along x, without spin, in space. */
carom_thrown_sphere_params carom_thrown_sphere_params_default(void);

/**
 * A homogeneous sphere, I = 2/5 m R^2, above the plane: q = (x, y, z of the lowest point, integrals
 * of the spin), in the plane (x, z, integral of w_y). The contact slides with
 *
 *     u = (x' - R w_y, y' + R w_x).
 *
 * @param[in]  params the sphere, copied
 * @param[out] out    belongs to the caller, to be freed by carom_model_free; NULL on failure
 * @param[out] report the parameter and its value; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: mass, radius or gravity not positive, friction negative,
 * restitution outside [0,1], "velocity" and "spin" out of the plane; PENETRATION: "height"
 * negative; NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_thrown_sphere_alloc(const carom_thrown_sphere_params *params,
                                                        carom_model **out, carom_report *report);

/** Where the sphere is and what it does. */
typedef struct carom_thrown_sphere_state {
    double position[3]; /**< of the lowest point, m */
    double velocity[3]; /**< m/s, right limit */
    double spin[3];     /**< rad/s */
    double sliding[2];  /**< u of the lowest point, m/s */
    int impacts;        /**< so far, as many as are told apart in the time */
    double rolls_since; /**< s; NaN: it has not rolled yet */
} carom_thrown_sphere_state;

/**
 * The exact motion. In flight a parabola; at an impact r_n = (1 + e) m |z'| and
 * r_t = -min(2/7 m |u|, mu r_n) u/|u|, which changes u by 7/2 r_t/m; on the plane u loses
 * 7/2 mu g in its direction, the centre mu g, until it rolls.
 *
 * @param[in]  params admitted by carom_thrown_sphere_alloc
 * @param[in]  t      >= 0, s
 * @param[out] state  NaN for any other t
 * Cost: O(impacts).
 */
void carom_thrown_sphere_exact(const carom_thrown_sphere_params *params, double t,
                               carom_thrown_sphere_state *state);

/** How long it slides if it starts on the plane, 2 |u|/(7 mu g), s; infinite without friction. */
double carom_thrown_sphere_sliding_time(const carom_thrown_sphere_params *params);

CAROM_END_DECLARATIONS

#endif
