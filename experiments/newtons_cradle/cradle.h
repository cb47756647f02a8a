/** What the parts of the experiment share: options, the chain at its impact, rows of motions. */
#ifndef CAROM_EXPERIMENTS_NEWTONS_CRADLE_CRADLE_H
#define CAROM_EXPERIMENTS_NEWTONS_CRADLE_CRADLE_H

#include <carom/carom.h>
#include <carom/study/propagative_record.h>
#include <carom/timestepping/engine/error_reduction.h>
#include <carom/timestepping/variational/variational.h>

#include <math.h>

/** Number of entries of an array. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Balls: matrices of contacts are full. */
enum { MOST_BALLS = 500 };

/** Coefficients of restitution and frequencies of figure 2b at most. */
enum { MOST_CURVES = 10 };

/** The schemes, in the order of the choices of --scheme. */
typedef enum cradle_scheme {
    SCHEME_PROPAGATIVE, /**< exact flights between impacts of the propagative law */
    SCHEME_VARIATIONAL, /**< time stepping with it */
    SCHEME_BASELINE,    /**< the implicit complementarity problem with error reduction */
    SCHEME_COUNT        /**< all */
} cradle_scheme;

/** The orders of single impacts, in the order of the choices of --order. */
typedef enum cradle_order {
    ORDER_MOST,
    ORDER_LEAST,
    ORDER_INDEX,
    ORDER_FIRST_LEFT,
    ORDER_FIRST_RIGHT,
    ORDER_RANDOM,
    ORDER_COUNT /**< all */
} cradle_order;

/** Everything that options set, and the arrays that follow from it. */
typedef struct settings {
    int balls;                  /**< N */
    carom_real_list masses;     /**< [N] kg, or none: 1 kg each */
    carom_real_list velocities; /**< [N] m/s, or none: 1, 0, .., 0 */
    double radius;              /**< m */
    double gap;                 /**< m */
    double restitution;         /**< of the single motion */
    int order;                  /**< cradle_order */
    int momenta;                /**< most on the way of all orders */
    int scheme;                 /**< cradle_scheme */
    double step;                /**< s */
    double duration;            /**< s */
    carom_error_reduction_params baseline;
    int solver; /**< carom_error_reduction_solver */

    carom_real_list coefficients; /**< of restitution, figure 2b */
    carom_real_list frequencies;  /**< 1/h, Hz, figure 2b */
    int speeds;                   /**< points of each band; 0: no sweep */
    int stepped_speeds;           /**< points of the propagative time stepping; 0: none */
    double slowest;               /**< m/s */
    double fastest;               /**< m/s */
    int chain_balls;              /**< of the longer chain */

    double *mass;     /**< [N] made by newtons_cradle_check, as the following */
    double *velocity; /**< [N] */
} settings;

/** What the record is made of. */
typedef struct results {
    const settings *values;
    const carom_common_options *common;
    carom_record *record;
    carom_report *report;

    carom_model *model;            /**< the chain before the impact */
    carom_impact_problem *problem; /**< at the first impact */
    carom_propagative_contacts *contacts;
    carom_propagative_outcomes *outcomes; /**< NULL: too many momenta to be followed */
    double plastic_share;                 /**< E_p / energy before, 1 */
} results;

/* --- newtons_cradle.c ------------------------------------------------------------------------- */

/**
 * A chain whose balls start so far apart that all closing pairs meet at once; pairs that do not
 * close touch.
 *
 * @param[in]  values      of the options
 * @param[in]  factor      on the velocities, > 0
 * @param[in]  gap         of the fastest closing pair, m
 * @param[in]  restitution e of its contacts
 * @param[out] out         belongs to the caller
 */
CAROM_MUST_CHECK carom_status newtons_cradle_model(const settings *values, double factor,
                                                   double gap, double restitution,
                                                   carom_model **out, carom_report *report);

/** The rule of --order; that of ORDER_COUNT is the most approaching contact. */
carom_propagative_params newtons_cradle_rule(const settings *values, int contact_count);

/** Reflections there is room for in a chain of N balls. */
int newtons_cradle_most_reflections(int balls);

/** Largest |velocity| of the balls, m/s. */
double newtons_cradle_speed(const settings *values);

/** Fastest closing speed of neighbours, m/s. */
double newtons_cradle_closing_speed(const settings *values);

/** The impact of a problem by the propagative law: v+ [n] and the kinetic energy lost. */
CAROM_MUST_CHECK carom_status newtons_cradle_impact(const settings *values,
                                                    const carom_impact_problem *problem,
                                                    double restitution, double *v_post,
                                                    double *energy_change, carom_report *report);

/* --- motions.c -------------------------------------------------------------------------------- */

/** The time stepping of the chain with the propagative law, into the default parameters. */
void newtons_cradle_stepping(const settings *values, double step, carom_variational_params *params);

/** Write /cradle/propagative, /cradle/variational, /cradle/baseline, as --scheme asks. */
CAROM_MUST_CHECK carom_status newtons_cradle_write_motions(const results *r);

/** Write /chain: a longer chain, hit at one end, by every method. */
CAROM_MUST_CHECK carom_status newtons_cradle_write_chain(const results *r);

/** Write the reset maps of example 1, /matrices, and what random momenta and masses do: three balls
 * that touch. */
CAROM_MUST_CHECK carom_status newtons_cradle_write_example(const results *r);

/* --- bands.c ---------------------------------------------------------------------------------- */

/** Run the chain at many speeds, coefficients and frequencies: /scatter. */
CAROM_MUST_CHECK carom_status newtons_cradle_write_bands(const results *r);

#endif
