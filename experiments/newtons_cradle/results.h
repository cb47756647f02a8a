/** What the parts of the experiment share: options, the chain at its impact, rows of motions. */
#ifndef CAROM_EXPERIMENTS_NEWTONS_CRADLE_RESULTS_H
#define CAROM_EXPERIMENTS_NEWTONS_CRADLE_RESULTS_H

#include <carom/carom.h>
#include <carom/study/propagative_record.h>
#include <carom/timestepping/engine/error_reduction.h>
#include <carom/timestepping/variational/variational.h>

#include <math.h>

/** Longest path inside the record that is made here. */
enum { PATH_SIZE = 96 };

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

/** One point of figure 2b. */
typedef struct scatter_point {
    double energy_change; /**< of the energy before, 1 */
    double penetration;   /**< f: penetration where the impact is found / (closing speed h), 1 */
    double velocity_gap;  /**< largest difference to the outcome of the law / speed, 1 */
    double momentum_gap;  /**< change of momentum / momentum before, 1 */
} scatter_point;

/** All points: [coefficient][frequency][speed]. */
typedef struct scatter {
    int coefficient_count;
    int frequency_count;
    int speed_count;
    int stepped_count;
    double *speed;                 /**< [speed_count] m/s, increasing by index as drawn */
    scatter_point *baseline;       /**< [..][..][speed_count] */
    scatter_point *stepped;        /**< [..][..][stepped_count] */
    double line[MOST_CURVES];      /**< energy change of the propagative law, 1 */
    double largest[MOST_CURVES];   /**< of the baseline over all points, 1 */
    double smallest[MOST_CURVES];  /**< 1 */
    double closed_form_error;      /**< largest |energy change - closed form| of the baseline */
    double frequency_spread;       /**< largest difference of band ends between frequencies */
    double stepped_energy_error;   /**< largest |energy change - line| of the time stepping */
    double stepped_velocity_error; /**< largest velocity_gap of it */
    double stepped_momentum_error; /**< largest momentum_gap of it */
    double stillest_gain;          /**< |energy change| of the elastic point that keeps it best */
    double stillest_velocity_gap;  /**< its distance to the outcome of the law / speed */
} scatter;

/** Example 1 and sections III-A and V on the chain of the options, by random momenta. */
typedef struct example {
    bool is_there;              /**< three balls, both contacts closed at the impact */
    double product_difference;  /**< largest entry of Gamma(u)Gamma(v)Gamma(u) - (v)(u)(v) */
    double cosine;              /**< (u, v) of unit normals */
    int least_reflections;      /**< of momenta that are infeasible at both contacts */
    int most_reflections;       /**< likewise */
    int struck_reflections;     /**< of the momentum of the options, shortest sequence */
    bool has_two_sequences;     /**< {u,v,u} and {v,u,v} are the minimal ones of all the former */
    double indeterminacy;       /**< largest xi over momenta */
    double unequal_share;       /**< part of chains of random masses with several outcomes */
    double acute_indeterminacy; /**< largest xi over momenta of two contacts with (u, v) = +1/2 */
    double energy_error;        /**< largest |change of energy| / energy of elastic impacts */
    double momentum_error;      /**< largest |change of total momentum| / sum of |m v| */
    double orthogonality_error; /**< largest |(p_p, p_e) - |p_p|^2| / |p|^2, (18) */
    double weight_error;        /**< largest |R^2 recovered by (16) - R^2|, weight R */
    double printed_error;       /**< likewise, weight sqrt(1 - R^2) as printed */
    double printed_restitution; /**< R recovered for 0.7 with the printed weight */
    double plastic_error;       /**< |p^+ - p_p| / |p| for R = 0 */
    double elastic_error;       /**< |p^+ - p_e| / |p| for R = 1 */
    double printed_loss_error;  /**< smallest |E_p - |p_p|^2/2| / energy */
    double printed_display; /**< smallest | |p+|^2 - |p_e|^2 - R^2 (|p_e|^2 - |p_p|^2) | / |p|^2 */
} example;

/** What the record is made of. */
typedef struct results {
    const settings *values;
    const carom_common_options *common;
    carom_record *record;
    carom_report *report;

    carom_model *model;            /**< the chain before the impact */
    double arrival;                /**< time of the first impact, s */
    carom_impact_problem *problem; /**< at the first impact */
    carom_propagative_contacts *contacts;
    carom_propagative_outcomes *outcomes; /**< NULL: too many momenta to be followed */
    double plastic_share;                 /**< E_p / energy before, 1 */
    scatter points;
    example example;
    double chain_error; /**< largest difference of law and time stepping in the longer chain, m/s */
} results;

/* --- system.c --------------------------------------------------------------------------------- */

/** Fill in what was not given and refuse options that do not fit together. */
CAROM_MUST_CHECK carom_status newtons_cradle_check(settings *values, carom_report *report);

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

/** The chain at its first impact. */
CAROM_MUST_CHECK carom_status newtons_cradle_prepare(results *r);

/** Free what newtons_cradle_prepare and the others made. */
void newtons_cradle_clear(results *r);

/** The rule of --order; that of ORDER_COUNT is the most approaching contact. */
carom_propagative_params newtons_cradle_rule(const settings *values, int contact_count);

/** Reflections there is room for in a chain of N balls. */
int newtons_cradle_most_reflections(int balls);

/** Largest |velocity| of the balls, m/s. */
double newtons_cradle_speed(const settings *values);

/** Fastest closing speed of neighbours, m/s. */
double newtons_cradle_closing_speed(const settings *values);

/* --- motion.c --------------------------------------------------------------------------------- */

/** The impact of a problem by the propagative law: v+ [n] and the kinetic energy lost. */
CAROM_MUST_CHECK carom_status newtons_cradle_impact(const settings *values,
                                                    const carom_impact_problem *problem,
                                                    double restitution, double *v_post,
                                                    double *energy_change, carom_report *report);

/** The time stepping of the chain with the propagative law, into the default parameters. */
void newtons_cradle_stepping(const settings *values, double step, carom_variational_params *params);

/** Write /cradle/propagative, /cradle/variational, /cradle/baseline, as --scheme asks. */
CAROM_MUST_CHECK carom_status newtons_cradle_write_motions(const results *r);

/* --- outcomes.c ------------------------------------------------------------------------------- */

/** Write the impact: /outcome_NN for all orders, or for that of --order; /drawing. */
CAROM_MUST_CHECK carom_status newtons_cradle_write_outcomes(results *r);

/* --- scatter.c and band.c --------------------------------------------------------------------- */

/** Run the chain at many speeds, coefficients and frequencies. */
CAROM_MUST_CHECK carom_status newtons_cradle_run_scatter(results *r);

/** Speed i of those that the time stepping takes, m/s. */
double newtons_cradle_stepped_speed(const scatter *points, int i);

/** Write /scatter. */
CAROM_MUST_CHECK carom_status newtons_cradle_write_scatter(results *r);

/* --- chain.c ---------------------------------------------------------------------------------- */

/** Write /chain: a longer chain, hit at one end, by both methods. */
CAROM_MUST_CHECK carom_status newtons_cradle_write_chain(results *r);

/* --- matrices.c ------------------------------------------------------------------------------- */

/** Write /matrices: the reset maps of example 1, of three balls. */
void newtons_cradle_write_matrices(results *r);

/* --- uniqueness.c ----------------------------------------------------------------------------- */

/** Outcomes of random momenta, masses and of two contacts at an acute angle. */
CAROM_MUST_CHECK carom_status newtons_cradle_sample_outcomes(results *r);

/* --- inelastic.c ------------------------------------------------------------------------------ */

/** The inelastic extension (16) to (18) and what is printed of it, on random momenta. */
CAROM_MUST_CHECK carom_status newtons_cradle_sample_inelastic(results *r);

/* --- claims.c --------------------------------------------------------------------------------- */

/** Write /claims: the statements of the paper about the cradle. */
void newtons_cradle_write_claims(const results *r);

#endif
