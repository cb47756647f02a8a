/** An elastic bar hitting a rigid wall (bruls-2014 section 10.3), with its travelling-wave
 * solution. */
#ifndef CAROM_MODELS_ELASTIC_BAR_H
#define CAROM_MODELS_ELASTIC_BAR_H

#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/** The mass matrix of an element of length dx. */
typedef enum carom_elastic_bar_mass {
    CAROM_ELASTIC_BAR_CONSISTENT, /**< rho A dx / 6 [2 1; 1 2] */
    CAROM_ELASTIC_BAR_LUMPED      /**< rho A dx / 2 I */
} carom_elastic_bar_mass;

/** The bar, its elements and how it flies. */
typedef struct carom_elastic_bar_params {
    double young_modulus;    /**< E, Pa */
    double density;          /**< rho, kg/m3 */
    double length;           /**< L, m */
    double section;          /**< A, m2 (not stated in the paper; forces scale with it) */
    double initial_gap;      /**< d_0, m */
    double initial_velocity; /**< v_0 towards the wall, m/s */
    double restitution;      /**< e, 1 */
    int elements;            /**< number of two-node elements, >= 1 */
    carom_elastic_bar_mass mass_matrix; /**< of each element */
} carom_elastic_bar_params;

/** 900 Pa, 1 kg/m3, 10 m, 1 m2, 5.005 m, 10 m/s, 0, 200, consistent (bruls-2014 section 10.3). */
carom_elastic_bar_params carom_elastic_bar_params_default(void);

/**
 * q = u_0 .. u_N: displacements from the undeformed bar, node 0 facing the wall; gap d_0 + u_0; V =
 * u' K u / 2. Linear, tridiagonal (mass diagonal in values when lumped).
 * @return CAROM_OK; OUT_OF_RANGE or NOT_FINITE with the parameter in the report; PENETRATION;
 * OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_elastic_bar_alloc(const carom_elastic_bar_params *params,
                                                      carom_model **out, carom_report *report);

/** Exact impact instant d_0/v_0, s; infinite if v_0 <= 0. */
double carom_elastic_bar_exact_impact_time(const carom_elastic_bar_params *params);

/** Exact duration of the contact 2 L sqrt(rho/E), s. */
double carom_elastic_bar_exact_contact_duration(const carom_elastic_bar_params *params);

/** Exact contact force rho c v_0 A while closed, N; 0 if v_0 <= 0. */
double carom_elastic_bar_exact_contact_force(const carom_elastic_bar_params *params);

/**
 * Exact displacement and velocity of the material point x in [0,L] at time t (right limits): the
 * front stops what it passes on its way to the free end and throws it back on its way to the wall.
 * The continuum leaves the wall whatever e; the restitution is not used.
 * Source: d'Alembert's solution; bruls-2014 section 10.3.
 */
void carom_elastic_bar_exact_state(const carom_elastic_bar_params *params, double x, double t,
                                   double *displacement, double *velocity);

CAROM_END_DECLARATIONS

#endif
