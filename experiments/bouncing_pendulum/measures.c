/** The table of all questions, and recording their answers as /measures. */
#include "questions.h"

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

/** Name of a question and the function that answers it. */
#define ASK(name) #name, bouncing_pendulum_##name

/** Every answer is recorded as /measures/NAME_GROUP. */
static const struct {
    const char *name;
    question *ask;
    unsigned runs; /**< that the question makes sense for */
    const char *units;
    const char *long_name;
} QUESTIONS[] = {
    {ASK(smallest_gap), IMPULSIVE, "m", "smallest gap"},
    {ASK(rest_time), IMPULSIVE, "s", "time from which the pendulum rests against the wall"},
    {ASK(rest_error), IMPULSIVE, "1", "distance of that time from the accumulation, in steps"},
    {ASK(largest_restitution_error), IMPULSIVE, "m s-1",
     "largest error of the impact law in a step"},
    {ASK(largest_impact_time_error), IMPULSIVE, "1", "largest error of an impact time, in steps"},
    {ASK(largest_jump_error), IMPULSIVE, "1", "largest relative error of a jump of the rate"},
    {ASK(largest_energy_plateau_error), IMPULSIVE, "1",
     "largest error of the energy between impacts"},
    {ASK(largest_energy_increase), IMPULSIVE, "J", "largest increase of the energy in a step"},
    {ASK(first_contact_impulse), IMPULSIVE, "N s", "contact impulse of the first impact"},
    {ASK(first_joint_impulse), IMPULSIVE, "N s", "impulse of joint 1 at the first impact"},
    {ASK(first_contact_impulse_error), IMPULSIVE, "1",
     "relative error of the first contact impulse"},
    {ASK(rest_contact_impulse), IMPULSIVE, "N s", "contact impulse per step at rest"},
    {ASK(rest_contact_impulse_smallest), IMPULSIVE, "N s", "smallest contact impulse at rest"},
    {ASK(rest_contact_force), IMPULSIVE, "N", "contact impulse at rest over the step"},
    {ASK(rest_contact_position_multiplier), GGL, "N s2", "contact's position multiplier at rest"},
    {ASK(rest_joint_position_multiplier), GGL, "N s2", "position multiplier of joint 1 at rest"},
    {ASK(rest_joint_reaction), IMPULSIVE, "N", "reaction of joint 1 at rest"},
    {ASK(smallest_contact_position_multiplier), GGL, "N s2",
     "smallest contact position multiplier"},
    {ASK(largest_contact_position_multiplier), GGL, "N s2", "largest contact position multiplier"},
    {ASK(largest_joint_position_multiplier), GGL, "N s2", "largest position multiplier of joint 1"},
    {ASK(largest_joint_residual), IMPULSIVE, "m", "largest joint residual"},
    {ASK(largest_joint_rate), IMPULSIVE, "m s-1", "largest rate of a joint residual"},
    {ASK(final_joint_residual), IMPULSIVE, "m", "residual of joint 1 at the end"},
    {ASK(largest_joint_residual_recovery), IMPULSIVE, "m", "largest decrease of that residual"},
    {ASK(largest_joint_impulse_open), GGL, "N s", "largest impulse of joint 1 without contact"},
    {ASK(smallest_joint_force), GGL, "N", "smallest size of the smooth force of joint 1"},
    {ASK(oscillation_impact_deviation), OSCILLATING, "N", "deviation of the force at the impact"},
    {ASK(oscillation_amplitude), OSCILLATING, "N",
     "largest deviation of the force after the impact"},
    {ASK(oscillation_integral), OSCILLATING, "N s", "integral of the size of the deviation"},
    {ASK(oscillation_steps), OSCILLATING, "1", "steps until the deviation has died out"},
    {ASK(oscillation_decay), OSCILLATING, "1", "factor of the deviation from step to step"},
    {ASK(oscillation_sign_changes), OSCILLATING, "1", "changes of sign of the deviation"},
    {ASK(flight_reaction_error), FLYING, "1", "error of the reaction of joint 1 in flight"},
    {ASK(flight_reaction_difference), BIT(MOREAU), "N", "difference of the reaction in flight"},
    {ASK(joint_impulse_difference), BIT(MOREAU), "1", "relative difference of the joint impulses"},
    {ASK(rest_reaction_difference), BIT(MOREAU), "1",
     "relative difference of the reaction at rest"},
    {ASK(motion_difference), BIT(SEQUENTIAL), "m",
     "largest difference from the full Newton matrix"},
    {ASK(most_newton_iterations), NEWTON, "1", "most Newton iterations of a step"},
};

/** Everything that is asked of the runs and has an answer. */
static void write_answers(const results *all, carom_record *record) {
    for (size_t i = 0; i < sizeof QUESTIONS / sizeof QUESTIONS[0]; i++) {
        for (int run = 0; run < RUN_COUNT; run++) {
            const carom_trajectory *t = bouncing_pendulum_run(all, run);
            const bool is_asked = (QUESTIONS[i].runs & BIT(run)) != 0u && t != NULL;
            const double answer = is_asked ? QUESTIONS[i].ask(all, t) : (double)NAN;
            if (isnan(answer)) {
                continue;
            }
            const char *group = bouncing_pendulum_group(run);
            char name[96];
            char text[128];
            (void)snprintf(name, sizeof name, "%s_%s", QUESTIONS[i].name, group);
            (void)snprintf(text, sizeof text, "%s, %s", QUESTIONS[i].long_name, group);
            carom_record_measure(record, name, answer, QUESTIONS[i].units, text);
        }
    }
}

/** What the smaller step of the reference changes: the answer at h over that at the smaller one. */
static void write_ratios(const results *all, carom_record *record) {
    static const struct {
        const char *name;
        question *ask;
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
        const double ratio = ratios[i].ask(all, t) / ratios[i].ask(all, reference);
        if (!isnan(ratio)) {
            carom_record_measure(record, ratios[i].name, ratio, "1", ratios[i].long_name);
        }
    }
}

void bouncing_pendulum_write_measures(const results *all, carom_record *record) {
    write_answers(all, record);
    write_ratios(all, record);
}
