/** Statements of the paper and about our runs, decided from the measures and recorded as /claims.
 */
#include "measures.h"

#include <math.h>

/** Penetration and drift that nobody takes for rounding, in lengths of the pendulum; the drift at
 * this step is 4.6e-4 of it. */
#define VISIBLE_PENETRATION (-1e-6)
#define VISIBLE_DRIFT 2e-4
/** A drift that goes back by less than this in a step only grows, likewise. */
#define NO_RECOVERY 1e-10
/** Some twenty impacts, each late or early by a few steps. */
#define ACCUMULATION_STEPS 100.0
/** First-order quantities at a step of some thousandth of the time between impacts. */
#define FEW_PERCENT 0.02
#define ONE_PERCENT 0.01
/** Quickly damped: a small part of the hundreds of steps between the impacts. */
#define QUICK_STEPS 30.0
/** The smooth force passes through zero between two samples, never at one; in weights. */
#define NONZERO_FORCE 1e-7
/** Three Newton iterations, and not four. */
#define FEW_ITERATIONS 3.5
/** Two ways to solve the same equations to 1e-10 in each of some thousand steps, rad. */
#define SAME_MOTION 1e-8
/** Impacts stand out of the contact at rest by this factor; there the impulses are constant to one
 * in a thousand. */
#define IMPULSIVE_FACTOR 100.0
#define CONSTANT_FACTOR 0.999
/** Position multipliers at a tenth of the step: of order h at impacts, of order h^2 at rest. */
#define SMALLER_MULTIPLIER 0.2
/** Smaller at a tenth of the step; at half the step, or half the spectral radius. */
#define SMALLER 0.5
#define SOMEWHAT_SMALLER 0.75

/** The function that computes a measure. */
#define MEASURE(name) bouncing_pendulum_##name

/** What a limit is a multiple of. */
typedef enum scale {
    ONE,
    LENGTH, /**< l */
    WEIGHT, /**< m a_g */
} scale;

/** A statement about one number: below or above a limit. */
static const struct {
    const char *name;
    measure *compute;
    int run;
    char relation; /**< '<' or '>' */
    double limit;
    scale unit;
    const char *statement;
} LIMITS[] = {
    {"moreau_jean_penetrates", MEASURE(smallest_gap), MOREAU, '<', VISIBLE_PENETRATION, LENGTH,
     "the Moreau-Jean scheme penetrates the wall"},
    {"accumulation_nonsmooth_galpha", MEASURE(rest_error), NONSMOOTH, '<', ACCUMULATION_STEPS, ONE,
     "the nonsmooth scheme passes the accumulation and rests from then on"},
    {"accumulation_moreau_jean", MEASURE(rest_error), MOREAU, '<', ACCUMULATION_STEPS, ONE,
     "the Moreau-Jean scheme passes the accumulation and rests from then on"},
    {"jumps_nonsmooth_galpha", MEASURE(largest_jump_error), NONSMOOTH, '<', FEW_PERCENT, ONE,
     "the velocity jumps of the nonsmooth scheme are those of the exact solution"},
    {"jumps_moreau_jean", MEASURE(largest_jump_error), MOREAU, '<', FEW_PERCENT, ONE,
     "the velocity jumps of the Moreau-Jean scheme are those of the exact solution"},
    {"energy_staircase_nonsmooth_galpha", MEASURE(largest_energy_plateau_error), NONSMOOTH, '<',
     ONE_PERCENT, ONE, "the energy of the nonsmooth scheme falls in the exact steps"},
    {"energy_staircase_moreau_jean", MEASURE(largest_energy_plateau_error), MOREAU, '<',
     ONE_PERCENT, ONE, "the energy of the Moreau-Jean scheme falls in the exact steps"},
    {"joint_drifts_moreau_jean", MEASURE(largest_joint_residual), MOREAU, '>', VISIBLE_DRIFT,
     LENGTH, "the joints of the Moreau-Jean scheme drift apart"},
    {"joint_drift_grows_moreau_jean", MEASURE(largest_joint_residual_recovery), MOREAU, '<',
     NO_RECOVERY, LENGTH, "the drift of the Moreau-Jean scheme never goes back"},
    {"joint_force_never_vanishes", MEASURE(smallest_joint_force), NONSMOOTH, '>', NONZERO_FORCE,
     WEIGHT, "the smooth joint force differs from zero in every step"},
    {"oscillation_is_quickly_damped", MEASURE(oscillation_steps), NONSMOOTH, '<', QUICK_STEPS, ONE,
     "the oscillation of the joint force after an impact is quickly damped"},
    {"joint_impulses_agree", MEASURE(joint_impulse_difference), MOREAU, '<', FEW_PERCENT, ONE,
     "both schemes have the same joint impulses at impacts"},
    {"joint_reactions_agree_in_flight", MEASURE(flight_reaction_error), MOREAU, '<', ONE_PERCENT,
     ONE, "the reaction per step of the Moreau-Jean scheme in flight is the smooth joint force"},
    {"joint_reaction_is_smooth_force", MEASURE(flight_reaction_error), NONSMOOTH, '<', ONE_PERCENT,
     ONE, "the reaction of the nonsmooth scheme in flight is the exact one"},
    {"joint_reactions_agree_at_rest", MEASURE(rest_reaction_difference), MOREAU, '<', ONE_PERCENT,
     ONE, "both schemes have the same joint reaction at rest"},
    {"newton_needs_few_iterations", MEASURE(most_newton_iterations), NONSMOOTH, '<', FEW_ITERATIONS,
     ONE, "no step needs more than three Newton iterations"},
    {"sequential_variant_converges", MEASURE(motion_difference), SEQUENTIAL, '<', SAME_MOTION, ONE,
     "the sequential variant converges in every step, to the same motion"},
};

/** A statement about two numbers: the first below or above a multiple of the second, which is of
 * the nonsmooth generalized-alpha scheme. */
static const struct {
    const char *name;
    measure *compute;
    int run;
    char relation; /**< '<' or '>' */
    double factor;
    measure *compute_nonsmooth;
    const char *statement;
} COMPARISONS[] = {
    {"contact_impulse_has_impulsive_part", MEASURE(first_contact_impulse), NONSMOOTH, '>',
     IMPULSIVE_FACTOR, MEASURE(rest_contact_impulse), "impacts stand out of the contact impulses"},
    {"contact_impulse_has_continuous_part", MEASURE(rest_contact_impulse_smallest), NONSMOOTH, '>',
     CONSTANT_FACTOR, MEASURE(rest_contact_impulse),
     "at rest every step has the same contact impulse"},
    {"contact_position_multiplier_smaller", MEASURE(largest_contact_position_multiplier), REFERENCE,
     '<', SMALLER_MULTIPLIER, MEASURE(largest_contact_position_multiplier),
     "the contact's position multiplier is smaller for the smaller step"},
    {"joint_position_multiplier_smaller", MEASURE(largest_joint_position_multiplier), REFERENCE,
     '<', SMALLER_MULTIPLIER, MEASURE(largest_joint_position_multiplier),
     "the joint's position multiplier is smaller for the smaller step"},
    {"oscillation_amplitude_falls_with_step", MEASURE(oscillation_amplitude), REFERENCE, '<',
     SMALLER, MEASURE(oscillation_amplitude),
     "a smaller step makes the oscillation smaller in amplitude"},
    {"oscillation_integral_falls_with_step", MEASURE(oscillation_integral), REFERENCE, '<', SMALLER,
     MEASURE(oscillation_integral), "a smaller step makes the integral of the oscillation smaller"},
    {"oscillation_integral_falls_with_half_step", MEASURE(oscillation_integral), HALF_STEP, '<',
     SOMEWHAT_SMALLER, MEASURE(oscillation_integral),
     "half the step makes the integral of the oscillation smaller"},
    {"oscillation_falls_with_radius", MEASURE(oscillation_integral), RADIUS_04, '<',
     SOMEWHAT_SMALLER, MEASURE(oscillation_integral),
     "a smaller spectral radius makes the oscillation smaller"},
    {"oscillation_vanishes_for_radius_zero", MEASURE(oscillation_impact_deviation), RADIUS_00, '<',
     ONE_PERCENT, MEASURE(oscillation_amplitude),
     "with spectral radius zero no disturbance of the joint force is left"},
};

static double scale_of(const results *all, scale unit) {
    const carom_bouncing_pendulum_params *pendulum = &all->values->pendulum;
    switch (unit) {
    case LENGTH:
        return pendulum->length;
    case WEIGHT:
        return pendulum->mass * pendulum->gravity;
    default:
        return 1.0;
    }
}

/** Answer of a run; NaN if it was not run or ended in a failure. */
static double value_of(const results *all, measure *compute, int run) {
    const carom_trajectory *t = bouncing_pendulum_run(all, run);
    return t != NULL ? compute(all, t) : (double)NAN;
}

/** One claim, left out where a number is missing. */
static void write_claim(carom_record *record, const char *name, double left, char relation,
                        double right, const char *statement) {
    if (!isfinite(left) || !isfinite(right)) {
        return;
    }
    carom_record_claim(record, name, relation == '<' ? left < right : left > right, statement);
}

void bouncing_pendulum_write_claims(const results *all, carom_record *record) {
    for (size_t i = 0; i < sizeof LIMITS / sizeof LIMITS[0]; i++) {
        write_claim(record, LIMITS[i].name, value_of(all, LIMITS[i].compute, LIMITS[i].run),
                    LIMITS[i].relation, LIMITS[i].limit * scale_of(all, LIMITS[i].unit),
                    LIMITS[i].statement);
    }
    for (size_t i = 0; i < sizeof COMPARISONS / sizeof COMPARISONS[0]; i++) {
        const double left = value_of(all, COMPARISONS[i].compute, COMPARISONS[i].run);
        const double right =
            COMPARISONS[i].factor * value_of(all, COMPARISONS[i].compute_nonsmooth, NONSMOOTH);
        write_claim(record, COMPARISONS[i].name, left, COMPARISONS[i].relation, right,
                    COMPARISONS[i].statement);
    }
}
