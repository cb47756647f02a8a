/** The propagative model of simultaneous impact: single elastic impacts until all contacts open. */
#ifndef CAROM_IMPACT_PROPAGATIVE_IMPACT_H
#define CAROM_IMPACT_PROPAGATIVE_IMPACT_H

#include <carom/base/attributes.h>
#include <carom/impact/propagative_contacts.h>

CAROM_BEGIN_DECLARATIONS

/** Which of the approaching contacts reflects next; speeds are compared in unit normals. */
typedef enum carom_propagative_rule {
    CAROM_PROPAGATIVE_MOST_APPROACHING,  /**< arg min (w_i,p); of equal ones the lowest index */
    CAROM_PROPAGATIVE_LEAST_APPROACHING, /**< arg max (w_i,p) of those approaching */
    CAROM_PROPAGATIVE_LOWEST_INDEX,      /**< the first in the order of the contacts */
    CAROM_PROPAGATIVE_CYCLIC,            /**< from `first` on and round again after the last one
                                            reflected: two contacts alternate */
    CAROM_PROPAGATIVE_RANDOM             /**< any, by `seed` and the number of the step */
} carom_propagative_rule;

typedef struct carom_propagative_params {
    carom_propagative_rule rule;
    int first;          /**< contact that CYCLIC begins at, 0 .. m-1; ignored by the others */
    unsigned long seed; /**< of RANDOM */
    double tolerance;   /**< a contact approaches if (w_i,p) < -tolerance |p|; 1, in (0, 1) */
} carom_propagative_params;

/** Most approaching first, tolerance 1e-12. */
carom_propagative_params carom_propagative_params_default(void);

/** One impact, its memory reused from event to event. Read, never written, by users. */
typedef struct carom_propagative_impact {
    int contact_count;       /**< m */
    int most_steps;          /**< steps there is room for */
    int step_count;          /**< reflections, 0 if no contact approached */
    int *sequence;           /**< [step] contact reflected: the indices of W in (14) */
    double *step_impulse;    /**< [step] its impulse, > 0, N s */
    double *impulse;         /**< [m] total impulses, N s; with R < 1 those of (17) */
    double *normal_velocity; /**< [m] after the impact, m/s */
    double energy_change;    /**< of kinetic energy by the impulses, J */
    double plastic_loss;     /**< E_p of (16), J; NaN if R = 1, where it is not computed */
    double energy_error;     /**< |change of energy| by the sequence / energy before, rounding */
    double residual; /**< fastest approach left, |p| being 1, from the elastic impulses: 0 or up to
                        the tolerance and rounding */
    struct carom_propagative_work *work; /**< private */
} carom_propagative_impact;

/**
 * Room for impacts of m contacts and sequences of up to `most_steps`, both >= 1. Two contacts of
 * half opening gamma need at most ceil(pi/(2 gamma)) steps.
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_propagative_impact_alloc(int m, int most_steps,
                                                             carom_propagative_impact **out);

/** Free; NULL is accepted. */
void carom_propagative_impact_free(carom_propagative_impact *impact);
CAROM_AUTO_TYPE(carom_propagative_impact)

/**
 * Reflect the momentum across contact i, (7): Lambda = -2 c_i/|u_i|^2, which reverses c_i.
 *
 * @param[in]     contacts the normals
 * @param[in]     i        contact
 * @param[in,out] c        [m] normal velocities (p,u_j), m/s
 * @return Lambda, N s: positive if contact i approached
 * Cost: O(m).
 */
double carom_propagative_reflect(const carom_propagative_contacts *contacts, int i, double *c);

/**
 * Reflect across approaching contacts until none is left (14); with R < 1 the impulses are R times
 * these and 1 - R times those of the plastic impact of all contacts (17), so that (1 - R^2) E_p is
 * lost. The weight of the elastic part is R: the paper prints sqrt(1 - R^2), which contradicts its
 * (16) and (18). Friction is not part of the model.
 *
 * @param[in]     contacts the normals; all closed contacts belong to them
 * @param[in]     params   as above
 * @param[in]     R        restitution of (16), in [0, 1]: 1 elastic, 0 plastic
 * @param[in]     c        [m] normal velocities before, m/s
 * @param[in]     energy   kinetic energy |p|^2/2 before, all of it, J
 * @param[in,out] impact   from carom_propagative_impact_alloc with the same m; numbers are NaN and
 * step_count is 0 on failure
 * @param[out]    report   quantity, value and index of what is refused; may be NULL
 * @return CAROM_OK; NOT_FINITE; OUT_OF_RANGE: parameters, R, energy < 0 or less than c_i needs,
 * c_i^2/(2 |u_i|^2), up to 1e-9; NOT_CONVERGED: no end after most_steps, or the sum of |(w,p)|
 * beyond its bound |p|/separation, as with an energy that is too small for all c together.
 * Source: seghete-2014 (7), (14), (16) to (18).
 * Cost: O(m) per reflection; nothing is allocated. With R < 1 O(m^3) once.
 */
CAROM_MUST_CHECK carom_status carom_propagative_impact_run(
    const carom_propagative_contacts *contacts, const carom_propagative_params *params, double R,
    const double *c, double energy, carom_propagative_impact *impact, carom_report *report);

/** What the plastic impact asks of the closed contacts. */
typedef enum carom_propagative_plastic_law {
    CAROM_PROPAGATIVE_HELD,    /**< all velocities vanish, (11); impulses may pull */
    CAROM_PROPAGATIVE_RELEASED /**< impulses >= 0, velocities >= 0, one of them 0: ours */
} carom_propagative_plastic_law;

/**
 * The plastic impact: the closest momentum of those that the law allows. It is unique; the impulses
 * of dependent normals are not: HELD gives those of minimum norm in unit normals, RELEASED any.
 *
 * @param[in]     contacts the normals
 * @param[in]     law      which; they agree where no impulse of HELD is negative
 * @param[in]     c        [m] normal velocities before, m/s
 * @param[out]    impulse  [m] N s; NaN on failure
 * @param[in,out] impact   lends its work memory alone
 * @return CAROM_OK; NOT_FINITE; NOT_CONVERGED: the complementarity problem of RELEASED
 * Source: seghete-2014 (10), (11).
 * Cost: O(m^3), nothing is allocated.
 */
CAROM_MUST_CHECK carom_status carom_propagative_plastic(const carom_propagative_contacts *contacts,
                                                        carom_propagative_plastic_law law,
                                                        const double *c, double *impulse,
                                                        carom_propagative_impact *impact);

CAROM_END_DECLARATIONS

#endif
