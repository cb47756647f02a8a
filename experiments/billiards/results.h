/** What the parts of the experiment share: options, one break, and the steps that make the record.
 */
#ifndef CAROM_EXPERIMENTS_BILLIARDS_RESULTS_H
#define CAROM_EXPERIMENTS_BILLIARDS_RESULTS_H

#include <carom/carom.h>

#include <math.h>

/** Number of entries of an array. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** The balls, by the contacts of a and b with c, and the two orders of these. */
enum {
    A = CAROM_BILLIARD_BREAK_A,
    B = CAROM_BILLIARD_BREAK_B,
    C = CAROM_BILLIARD_BREAK_C,
    BALLS = CAROM_BILLIARD_BREAK_BALLS,
    PAIR = 2
};

/** Everything that options set. */
typedef struct settings {
    carom_billiard_break_params cue; /**< its angle is that of figure 4, rad, once checked */
    double angle;                    /**< deg */
    int angles;
    int map_angles;
    int map_ratios;
    double least_ratio;
    double largest_ratio;
} settings;

/** What every part needs. */
typedef struct billiards {
    const settings *values;
    const carom_common_options *common;
    carom_record *record;
    carom_report *report;
} billiards;

/* --- breaks.c --------------------------------------------------------------------------------- */

/** The numbers of the paper, and those that we chose. */
settings billiards_defaults(void);

/** Refuse options that do not fit together; sets the angle of figure 4. */
CAROM_MUST_CHECK carom_status billiards_check(settings *v, carom_report *report);

/** The impact of one break. */
typedef struct instant {
    carom_impact_problem *problem;
    carom_propagative_contacts *contacts;
} instant;

/** Make one; closed by billiards_close, whatever is returned. */
CAROM_MUST_CHECK carom_status billiards_open(const carom_billiard_break_params *cue, instant *out,
                                             carom_report *report);
void billiards_close(instant *x);

/** What both orders made of it. */
typedef struct outcome {
    double cosine;            /**< c of the unit normals */
    double product;           /**< (D phi_a, D phi_b), 1/kg */
    double half_opening;      /**< gamma, rad */
    double indeterminacy;     /**< xi */
    double closed_form;       /**< the same without running the orders */
    double energy_ratio;      /**< |p_ab - p_ba|^2/|p_0|^2 */
    double reflections[PAIR]; /**< beginning with a, and with b */
    double energy_error;      /**< |change of energy by (14)|/energy, the larger one */
    double momentum_error;    /**< change of total momentum / |p_0| as a vector, the larger one */
} outcome;

/** Run both orders; each is forced, since a and b approach equally fast in the symmetric break. */
CAROM_MUST_CHECK carom_status billiards_run(const carom_billiard_break_params *cue, outcome *out,
                                            carom_report *report);

/** Angle in degrees. */
double billiards_degrees(double radians);

/* --- the parts, in their order ---------------------------------------------------------------- */

/** drawing.c: write /drawing: figure 4 to scale. */
CAROM_MUST_CHECK carom_status billiards_write_drawing(const billiards *x);

/** outcomes.c: write /outcome_00 and so on: all outcomes of that break. */
CAROM_MUST_CHECK carom_status billiards_write_outcomes(const billiards *x);

/** sweep.c: write /billiard: figure 5. */
CAROM_MUST_CHECK carom_status billiards_write_sweep(const billiards *x);

/** map.c: write /map: xi over angle and mass of the cue ball. */
CAROM_MUST_CHECK carom_status billiards_write_map(const billiards *x);

/** claims.c: the paper's gaps, normals and (31). */
CAROM_MUST_CHECK carom_status billiards_write_claims(const billiards *x);

#endif
