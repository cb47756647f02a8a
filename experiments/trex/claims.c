/** The statements of section VII-B about gaits and runs, decided: /measures and /claims. */
#include "results.h"

#include <float.h>
#include <gsl/gsl_math.h>

/** Five orders of magnitude. */
static const double FIVE_ORDERS = 1e5;

/** Rounding of the reflections, relative to |p|: some tens of operations, and M of condition 1e4.
 */
static const double ROUNDING = 1e-12;

/** The first impact's time from the fall of the discrete motion, which is exact, of its time. */
static const double SAME_TIME = 5e-12;

/** Angles of a stance in closed form, rad. */
static const double SAME_ANGLE = 1e-14;

/** A cosine above this is not rounding. */
static const double NOT_ORTHOGONAL = 1e-6;

/** The fall of the discrete motion keeps the stance to this, unit lengths and rad. */
static const double KEPT_STANCE = 1e-10;

/** Cosines that table I prints. */
static const double PUBLISHED_COSINE = 1.65e-3;
static const double PUBLISHED_RESIDUAL = -2.28e-7;

/** Half a unit of the last digit of the latter. */
static const double SAME_RESIDUAL = 5e-10;

/** What the robots are before they are dropped. */
static carom_status write_stances(const results *r) {
    carom_record *record = r->record;
    bool is_straight = true;
    for (int i = GAIT_INITIAL; i <= GAIT_INITIAL_AHEAD; i++) {
        const double *q = r->gaits[i].robot.stance;
        const double apart = q[CAROM_TREX_RIGHT_HIP] - q[CAROM_TREX_LEFT_HIP];
        is_straight = is_straight && fabs(q[CAROM_TREX_LEFT_KNEE]) <= SAME_ANGLE &&
                      fabs(q[CAROM_TREX_RIGHT_KNEE]) <= SAME_ANGLE &&
                      fabs(apart - M_PI) <= SAME_ANGLE;
    }
    double F[CONDITIONS];
    const carom_trex_params start = trex_start(r->values);
    CAROM_TRY(carom_trex_design_conditions(&start, F, NULL, r->report));
    carom_record_measure(record, "coordinates", COORDINATES, "1",
                         "degrees of freedom of the robot");
    carom_record_claim(record, "start_is_not_orthogonal",
                       fabs(F[CAROM_TREX_DESIGN_COSINE]) > NOT_ORTHOGONAL,
                       "the contacts of the start of the optimization are not "
                       "orthogonal");
    carom_record_claim(record, "initial_stance_is_straight", is_straight,
                       "straight knees and hips 180 degrees apart in the initial stances");
    return CAROM_OK;
}

/** The initial stances against the cosine that table I prints, or that was asked for. */
static void write_residual(const results *r) {
    carom_record *record = r->record;
    const double residual = r->gaits[GAIT_RESIDUAL].first.indeterminacy;
    const double behind = r->gaits[GAIT_INITIAL].first.indeterminacy / residual;
    const double ahead = r->gaits[GAIT_INITIAL_AHEAD].first.indeterminacy / residual;
    // Of a cosine of zero there is no ratio.
    if (!(residual > ROUNDING)) {
        return;
    }
    carom_record_measure(record, "residual_ratio", behind, "1",
                         "xi at the first impact, initial stance over the published "
                         "residual");
    carom_record_measure(record, "residual_ratio_ahead", ahead, "1",
                         "xi at the first impact, initial stance with the foot ahead "
                         "over the published residual");
    if (!(fabs(r->values->residual - PUBLISHED_RESIDUAL) > SAME_RESIDUAL)) {
        carom_record_claim(record, "five_orders_with_published_residual",
                           fmin(behind, ahead) > FIVE_ORDERS,
                           "xi at the first impact is five orders of magnitude smaller, "
                           "optimized to the cosine of table I");
    }
}

/** The first impact, where no time stepping comes in. */
static void write_first_impact(const results *r) {
    carom_record *record = r->record;
    const double_impact *optimized = &r->gaits[GAIT_OPTIMIZED].first;
    const double_impact *initial = &r->gaits[GAIT_INITIAL].first;
    const double_impact *ahead = &r->gaits[GAIT_INITIAL_AHEAD].first;
    const double_impact *residual = &r->gaits[GAIT_RESIDUAL].first;
    carom_record_measure(record, "root_cosine", fabs(optimized->pair.cosine), "1",
                         "|(u,v)| of the optimized stance");
    carom_record_measure(record, "table_cosine_ratio", fabs(PUBLISHED_COSINE / PUBLISHED_RESIDUAL),
                         "1", "ratio of the cosines that table I prints");
    carom_record_claim(record, "optimized_order_does_not_matter",
                       optimized->indeterminacy <= ROUNDING,
                       "both orders of the optimized stance lead to one momentum");
    carom_record_claim(
        record, "five_orders_at_first_impact",
        fmin(initial->indeterminacy, ahead->indeterminacy) >
            FIVE_ORDERS * fmax(optimized->indeterminacy, DBL_EPSILON),
        "xi at the first impact is five orders of magnitude smaller, optimized to rounding");
    write_residual(r);
    carom_record_claim(record, "energy_kept_in_first_impact",
                       fmax(fmax(optimized->energy_error, initial->energy_error),
                            fmax(ahead->energy_error, residual->energy_error)) <= ROUNDING,
                       "the reflections of the first impact keep the energy");
    carom_record_claim(
        record, "printed_rule_chooses",
        fmin(optimized->least_separation, initial->least_separation) < -ROUNDING,
        "after the impact some contact still approaches, so that argmin (w_i,p+) has a choice");
}

/** xi over the window of the runs. */
static void write_window(const results *r) {
    carom_record *record = r->record;
    const pair_measures *of = r->sets[SET_TREX].measures;
    // Without reflections, R = 0 or N_c = 0, there is no order to speak of.
    if (!(fmin(of[GAIT_INITIAL].first_indeterminacy, of[GAIT_INITIAL_AHEAD].first_indeterminacy) >
          ROUNDING)) {
        return;
    }
    // The optimized runs may be equal to the last bit.
    const double optimized_peak = fmax(of[GAIT_OPTIMIZED].peak_indeterminacy, DBL_EPSILON);
    const double peak_ratio =
        fmin(of[GAIT_INITIAL].peak_indeterminacy, of[GAIT_INITIAL_AHEAD].peak_indeterminacy) /
        optimized_peak;
    const double residual_peak = of[GAIT_RESIDUAL].peak_indeterminacy;
    carom_record_measure(record, "peak_ratio", peak_ratio, "1",
                         "largest xi of the runs, lesser of the initial stances over the "
                         "optimized one or the rounding of a number");
    if (residual_peak > ROUNDING) {
        carom_record_measure(record, "residual_peak_ratio",
                             of[GAIT_INITIAL].peak_indeterminacy / residual_peak, "1",
                             "largest xi of the runs, initial over published residual");
    }
    carom_record_claim(record, "optimized_runs_reflect_alike", of[GAIT_OPTIMIZED].parted == 0,
                       "after the first impact argmin and argmax reflect the same "
                       "contacts in all impacts of the optimized runs");
    carom_record_claim(record, "five_orders_in_peak", peak_ratio > FIVE_ORDERS,
                       "the largest xi of the runs is five orders of magnitude smaller, "
                       "optimized to rounding");
    carom_record_claim(
        record, "optimized_below_initial_throughout",
        of[GAIT_OPTIMIZED].peak_indeterminacy <
            fmin(of[GAIT_INITIAL].first_indeterminacy, of[GAIT_INITIAL_AHEAD].first_indeterminacy),
        "the largest xi of the optimized runs is below the first one of the initial stances");
}

/** The drop in every gait. */
static void write_drop(const results *r) {
    carom_record *record = r->record;
    const carom_trex_params *robot = &r->gaits[GAIT_OPTIMIZED].robot;
    bool is_on_time = true;
    bool is_double = true;
    double fall_error = 0.0;
    for (int i = 0; i < GAITS; i++) {
        const pair_measures *of = &r->sets[SET_TREX].measures[i];
        is_on_time = is_on_time && fabs(of->impact_time - robot->hip_start_time) <=
                                       SAME_TIME * robot->hip_start_time;
        is_double = is_double && of->first_closed == TIPS;
        fall_error = fmax(fall_error, of->fall_error);
    }
    carom_record_claim(record, "impact_when_the_fall_ends", is_on_time,
                       "the first impact of the runs is at sqrt(2 H/g)");
    carom_record_claim(record, "stance_kept_in_fall", fall_error <= KEPT_STANCE,
                       "x and all angles stay as they are until the first impact");
    carom_record_claim(record, "first_impact_is_double", is_double,
                       "right foot and tail tip take part in the first impact of the runs");
}

/** The direction of running; without friction nothing runs. */
static void write_motion(const results *r) {
    bool runs = true;
    bool drives = true;
    for (int i = 0; i < GAITS; i++) {
        const pair_measures *of = &r->sets[SET_TREX].measures[i];
        const pair_measures *without = &r->sets[SET_FRICTIONLESS].measures[i];
        for (int order = 0; order < ORDERS; order++) {
            runs = runs && of->distance[order] < 0.0;
            drives = drives && of->distance[order] < without->distance[order];
        }
    }
    if (!(r->values->start.friction > 0.0 && r->values->hip_rate > 0.0)) {
        return;
    }
    carom_record_claim(r->record, "friction_drives", drives,
                       "every gait comes farther to -x with friction than without");
    carom_record_claim(r->record, "runs_to_minus_x", runs,
                       "legs that turn counterclockwise move the robot to -x");
}

carom_status trex_write_claims(const results *r) {
    CAROM_TRY(write_stances(r));
    write_first_impact(r);
    if (!trex_is_whole(r->values)) {
        return CAROM_OK;
    }
    write_window(r);
    trex_write_stepping(r);
    write_drop(r);
    write_motion(r);
    return CAROM_OK;
}
