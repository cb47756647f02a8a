/** What the parts of the experiment share: options, the schemes, their runs. */
#ifndef CAROM_EXPERIMENTS_SLIDING_BODIES_SLIDING_BODIES_H
#define CAROM_EXPERIMENTS_SLIDING_BODIES_SLIDING_BODIES_H

#include <carom/carom.h>
#include <carom/timestepping/galpha/galpha.h>
#include <carom/timestepping/variational/variational.h>

#include <math.h>
#include <stdlib.h>

/** Number of entries of an array. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** The schemes with friction. */
typedef enum sliding_scheme {
    SLIDING_MOREAU_JEAN, /**< theta = 1/(1 + rho) */
    SLIDING_MIDPOINT,    /**< Moreau-Jean with theta = 1/2 */
    SLIDING_VELOCITY_GALPHA,
    SLIDING_NONSMOOTH_GALPHA,
    SLIDING_VARIATIONAL,
    SLIDING_SCHEMES
} sliding_scheme;

/** Group of a scheme ("moreau_jean"), a static string. */
const char *sliding_scheme_name(sliding_scheme scheme);

/** Everything that options set. */
typedef struct settings {
    carom_thrown_sphere_params sphere; /**< that slides and comes to roll */
    double throw_height;               /**< of the sphere that is thrown, m */
    double restitution;                /**< of that one, 1 */
    carom_sliding_box_params box;      /**< that brakes */
    double incline;                    /**< tan of the slope on which boxes tip, 1 */
    double spectral_radius;            /**< of generalized-alpha, 1 */
    int steps;                         /**< coarsest, to the event */
    int halvings;                      /**< of the step */
    int points;                        /**< of an axis of the map and of the curves */
    int creep_steps;                   /**< below the friction angle */
} settings;

/** A run of a scheme: the state after every step, row 0 the start. */
typedef struct sliding_run {
    double *position; /**< [steps+1][n], owned */
    double *velocity; /**< [steps+1][n], owned */
    int iterations;   /**< of Newton's method in all steps */
} sliding_run;

/** Free what a run owns. */
void sliding_run_clear(sliding_run *run);

/**
 * Run a scheme over a number of steps.
 *
 * @param[in]     values    of the options
 * @param[in]     scheme    which one
 * @param[in]     mechanism of the body
 * @param[in]     q         [n]
 * @param[in]     v         [n]
 * @param[in]     step      s
 * @param[in]     steps     >= 1
 * @param[in,out] dump      who writes the contact problems of its steps; NULL: nobody
 * @param[out]    run       to be cleared
 * @param[out]    report    may be NULL
 */
CAROM_MUST_CHECK carom_status sliding_run_scheme(const settings *values, sliding_scheme scheme,
                                                 const carom_mechanism *mechanism, const double *q,
                                                 const double *v, double step, int steps,
                                                 carom_contact_folder_run *dump, sliding_run *run,
                                                 carom_report *report);

/** Coarsest steps in which the box stops at the time `event`, s: none takes longer than its fall
 * from rest on the middle of its base, beyond which an implicit step has a solution in which the
 * box has fallen over. A whole number; it need not fit an int. */
double sliding_coarsest_steps(const settings *values, double event);

/** Errors and costs over the step: /rolling /braking /thrown, a group a scheme. */
CAROM_MUST_CHECK carom_status sliding_write_convergence(const settings *values,
                                                        const carom_common_options *common,
                                                        carom_record *record, carom_report *report);

/** Single steps against closed forms: /oblique_impact /tipping /rocking_on. */
CAROM_MUST_CHECK carom_status sliding_write_instants(const settings *values,
                                                     const carom_common_options *common,
                                                     carom_record *record, carom_report *report);

#endif
