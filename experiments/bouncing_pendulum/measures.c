/** The table of all measures, and recording them as /measures. */
#include "measures.h"

#include <math.h>
#include <stdio.h>

/** Sets of runs, one bit each. */
#define BIT(run) (1u << (unsigned)(run))
/* The smooth scheme knows no impulses. */
#define IMPULSIVE (BIT(NONSMOOTH) | BIT(MOREAU) | BIT(MODIFIED) | BIT(VELOCITY) | BIT(REFERENCE))
/* With constraints at position and velocity level. */
#define GGL (BIT(NONSMOOTH) | BIT(REFERENCE))
#define OSCILLATING (GGL | BIT(RADIUS_04) | BIT(RADIUS_00) | BIT(HALF_STEP))
#define NEWTON (IMPULSIVE | BIT(SEQUENTIAL))
#define FLYING (BIT(NONSMOOTH) | BIT(MOREAU))

/** Name of a measure and the function that computes it. */
#define MEASURE(name) #name, bouncing_pendulum_##name

/** Each is recorded as /measures/NAME_GROUP. */
static const struct {
    const char *name;
    measure *compute;
    unsigned runs; /**< that have this measure */
    const char *units;
    const char *long_name;
} MEASURES[] = {
    {MEASURE(smallest_gap), IMPULSIVE, "m", "smallest gap"},
    {MEASURE(rest_time), IMPULSIVE, "s", "time from which the pendulum rests against the wall"},
    {MEASURE(rest_error), IMPULSIVE, "1", "distance of that time from the accumulation, in steps"},
    {MEASURE(largest_restitution_error), IMPULSIVE, "m s-1",
     "largest error of the impact law in a step"},
    {MEASURE(largest_impact_time_error), IMPULSIVE, "1",
     "largest error of an impact time, in steps"},
    {MEASURE(largest_jump_error), IMPULSIVE, "1", "largest relative error of a jump of the rate"},
    {MEASURE(largest_energy_plateau_error), IMPULSIVE, "1",
     "largest error of the energy between impacts"},
    {MEASURE(largest_energy_increase), IMPULSIVE, "J", "largest increase of the energy in a step"},
    {MEASURE(first_contact_impulse), IMPULSIVE, "N s", "contact impulse of the first impact"},
    {MEASURE(first_joint_impulse), IMPULSIVE, "N s", "impulse of joint 1 at the first impact"},
    {MEASURE(first_contact_impulse_error), IMPULSIVE, "1",
     "relative error of the first contact impulse"},
    {MEASURE(rest_contact_impulse), IMPULSIVE, "N s", "contact impulse per step at rest"},
    {MEASURE(rest_contact_impulse_smallest), IMPULSIVE, "N s", "smallest contact impulse at rest"},
    {MEASURE(rest_contact_force), IMPULSIVE, "N", "contact impulse at rest over the step"},
    {MEASURE(rest_contact_position_multiplier), GGL, "N s2",
     "contact's position multiplier at rest"},
    {MEASURE(rest_joint_position_multiplier), GGL, "N s2",
     "position multiplier of joint 1 at rest"},
    {MEASURE(rest_joint_reaction), IMPULSIVE, "N", "reaction of joint 1 at rest"},
    {MEASURE(smallest_contact_position_multiplier), GGL, "N s2",
     "smallest contact position multiplier"},
    {MEASURE(largest_contact_position_multiplier), GGL, "N s2",
     "largest contact position multiplier"},
    {MEASURE(largest_joint_position_multiplier), GGL, "N s2",
     "largest position multiplier of joint 1"},
    {MEASURE(largest_joint_residual), IMPULSIVE, "m", "largest joint residual"},
    {MEASURE(largest_joint_rate), IMPULSIVE, "m s-1", "largest rate of a joint residual"},
    {MEASURE(final_joint_residual), IMPULSIVE, "m", "residual of joint 1 at the end"},
    {MEASURE(largest_joint_residual_recovery), IMPULSIVE, "m", "largest decrease of that residual"},
    {MEASURE(largest_joint_impulse_open), GGL, "N s", "largest impulse of joint 1 without contact"},
    {MEASURE(smallest_joint_force), GGL, "N", "smallest size of the smooth force of joint 1"},
    {MEASURE(oscillation_impact_deviation), OSCILLATING, "N",
     "deviation of the force at the impact"},
    {MEASURE(oscillation_amplitude), OSCILLATING, "N",
     "largest deviation of the force after the impact"},
    {MEASURE(oscillation_integral), OSCILLATING, "N s", "integral of the size of the deviation"},
    {MEASURE(oscillation_steps), OSCILLATING, "1", "steps until the deviation has died out"},
    {MEASURE(oscillation_decay), OSCILLATING, "1", "factor of the deviation from step to step"},
    {MEASURE(oscillation_sign_changes), OSCILLATING, "1", "changes of sign of the deviation"},
    {MEASURE(flight_reaction_error), FLYING, "1", "error of the reaction of joint 1 in flight"},
    {MEASURE(flight_reaction_difference), BIT(MOREAU), "N", "difference of the reaction in flight"},
    {MEASURE(joint_impulse_difference), BIT(MOREAU), "1",
     "relative difference of the joint impulses"},
    {MEASURE(rest_reaction_difference), BIT(MOREAU), "1",
     "relative difference of the reaction at rest"},
    {MEASURE(motion_difference), BIT(SEQUENTIAL), "m",
     "largest difference from the full Newton matrix"},
    {MEASURE(most_newton_iterations), NEWTON, "1", "most Newton iterations of a step"},
};

/** Every measure that is defined. */
static void write_answers(const results *all, carom_record *record) {
    for (size_t i = 0; i < sizeof MEASURES / sizeof MEASURES[0]; i++) {
        for (int run = 0; run < RUN_COUNT; run++) {
            const carom_trajectory *t = bouncing_pendulum_run(all, run);
            const bool is_asked = (MEASURES[i].runs & BIT(run)) != 0u && t != NULL;
            const double value = is_asked ? MEASURES[i].compute(all, t) : (double)NAN;
            if (isnan(value)) {
                continue;
            }
            const char *group = bouncing_pendulum_group(run);
            char name[96];
            char text[128];
            (void)snprintf(name, sizeof name, "%s_%s", MEASURES[i].name, group);
            (void)snprintf(text, sizeof text, "%s, %s", MEASURES[i].long_name, group);
            carom_record_measure(record, name, value, MEASURES[i].units, text);
        }
    }
}

/** What the smaller step of the reference changes: a measure at h over that at the smaller one. */
static void write_ratios(const results *all, carom_record *record) {
    static const struct {
        const char *name;
        measure *compute;
        const char *long_name;
    } ratios[] = {
        {"rest_contact_impulse_ratio", bouncing_pendulum_rest_contact_impulse,
         "contact impulse at rest, over that of the reference"},
        {"rest_contact_position_multiplier_ratio",
         bouncing_pendulum_rest_contact_position_multiplier,
         "contact's position multiplier at rest, over that of the reference"},
        {"rest_joint_position_multiplier_ratio", bouncing_pendulum_rest_joint_position_multiplier,
         "position multiplier of joint 1 at rest, over that of the reference"},
    };
    const carom_trajectory *t = bouncing_pendulum_run(all, NONSMOOTH);
    const carom_trajectory *reference = bouncing_pendulum_run(all, REFERENCE);
    if (t == NULL || reference == NULL) {
        return;
    }
    for (size_t i = 0; i < sizeof ratios / sizeof ratios[0]; i++) {
        const double ratio = ratios[i].compute(all, t) / ratios[i].compute(all, reference);
        if (!isnan(ratio)) {
            carom_record_measure(record, ratios[i].name, ratio, "1", ratios[i].long_name);
        }
    }
}

void bouncing_pendulum_write_measures(const results *all, carom_record *record) {
    write_answers(all, record);
    write_ratios(all, record);
}
