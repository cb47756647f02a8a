/** Claims of the paper about the bar, as inequalities between the measures of the runs. */
#include "results.h"

#include <math.h>
#include <string.h>

/** What a bound is a multiple of. */
typedef enum scale {
    ONE,
    LENGTH,    /**< the larger of d_0 and L */
    SPEED,     /**< v_0 */
    FORCE,     /**< exact contact force */
    ENERGY,    /**< initial energy */
    STEP,      /**< h */
    TRAVEL,    /**< h v_0 */
    WAY_BACK,  /**< exact gap at the end */
    OF_MOREAU, /**< the same measure of Moreau-Jean on the same bar */
} scale;

/* Sets of runs: those that the paper compares, and those of them that have impulses. */
#define IN(run) (1u << (run))
#define ALL_THREE (IN(NONSMOOTH) | IN(MOREAU) | IN(SMOOTH))
#define WITH_IMPULSES (IN(NONSMOOTH) | IN(MOREAU))

/** lower < a measure of every run of a set < upper, in units of a scale. */
typedef struct condition {
    const char *claim;     /**< conditions of one name follow each other and hold together */
    const char *statement; /**< with the first of them */
    unsigned runs;
    measure what;
    double lower;
    double upper;
    scale unit;
} condition;

/* Bounds of the table below; macros, because its initializers must be constant expressions. */

/* Roundoff of numbers of this size, with a margin of some hundred units in the last place. */
#define ROUNDOFF 1e-13
/* A contact is timed to two steps at either end. */
#define TIMING 2.0
/* Visible in the paper's figures: of a step's travel, of the way back, of the energy. */
#define VISIBLE_DEPTH 0.01
#define VISIBLE_WAY 0.05
#define VISIBLE_GAIN 0.002
/* Below a hundredth of what the eye sees, above what the restarts of the smooth motion add. */
#define INVISIBLE_GAIN 1e-5
/* The overshoot of a front that the mesh smears, against that of a contact that rattles. */
#define OVERSHOOT 1.05
#define RATTLE 2.0
/* The force of the plateau has been reached: 0.01 N in 300 N. */
#define PLATEAU (0.01 / 300.0)
/* Two solutions of the same steps agree to their tolerance, added up over the run. */
#define SAME_MOTION 1e-9

static const condition conditions[] = {
    {"nonsmooth_galpha_does_not_penetrate", "the nonsmooth scheme does not penetrate the wall",
     IN(NONSMOOTH) | IN(OTHER_NONSMOOTH), SMALLEST_GAP, -ROUNDOFF, HUGE_VAL, LENGTH},
    {"moreau_jean_penetrates", "the Moreau-Jean scheme penetrates the wall", IN(MOREAU),
     SMALLEST_GAP, -HUGE_VAL, -VISIBLE_DEPTH, TRAVEL},
    {"velocity_constraint_is_satisfied",
     "in the contact the wall end rests under the nonsmooth and Moreau-Jean schemes", WITH_IMPULSES,
     CLOSED_RATE, -1.0, ROUNDOFF, SPEED},
    {"nonsmooth_galpha_dissipates_less",
     "the nonsmooth scheme loses less than a quarter of the energy that Moreau-Jean loses",
     IN(NONSMOOTH) | IN(OTHER_NONSMOOTH), ENERGY_LOST, 0.0, 0.25, OF_MOREAU},
    {"contact_is_closed_for_a_finite_time",
     "the three schemes close and open the contact within two steps of the exact instants",
     ALL_THREE, BEGIN_DELAY, -TIMING, TIMING, STEP},
    {"contact_is_closed_for_a_finite_time", NULL, ALL_THREE, END_DELAY, -TIMING, TIMING, STEP},
    {"results_are_reasonable", "the three schemes return the bar to within 5 % of the exact gap",
     ALL_THREE, FINAL_GAP_ERROR, 0.0, VISIBLE_WAY, WAY_BACK},
    {"smooth_galpha_oscillates", "under the smooth scheme the contact opens again before take-off",
     IN(SMOOTH), SPELLS, RATTLE, HUGE_VAL, ONE},
    {"nonsmooth_galpha_returns_closer",
     "the nonsmooth scheme returns the bar closer to its exact position than Moreau-Jean",
     IN(NONSMOOTH), FINAL_GAP_ERROR, 0.0, 1.0, OF_MOREAU},
    {"smooth_galpha_violates_the_velocity_constraint",
     "under the smooth scheme the wall end moves at half the impact speed in the contact",
     IN(SMOOTH), CLOSED_RATE, 0.5, HUGE_VAL, SPEED},
    {"smooth_galpha_energy_is_not_monotone", "the energy of the smooth scheme rises and falls",
     IN(SMOOTH), ENERGY_GAIN, VISIBLE_GAIN, HUGE_VAL, ENERGY},
    {"nonsmooth_energies_are_monotone", "the other schemes never gain energy that could be seen",
     WITH_IMPULSES | IN(OTHER_NONSMOOTH) | IN(OTHER_MOREAU), ENERGY_GAIN, -1.0, INVISIBLE_GAIN,
     ENERGY},
    {"smooth_galpha_force_oscillates",
     "the contact force of the smooth scheme overshoots twofold and vanishes within ten steps",
     IN(SMOOTH), PEAK_FORCE, RATTLE, HUGE_VAL, FORCE},
    {"smooth_galpha_force_oscillates", NULL, IN(SMOOTH), EARLY_ZEROS, 0.5, HUGE_VAL, ONE},
    {"nonsmooth_forces_are_stable",
     "the nonsmooth and Moreau-Jean contact forces overshoot by less than 5 % and never vanish",
     WITH_IMPULSES, PEAK_FORCE, 1.0, OVERSHOOT, FORCE},
    {"nonsmooth_forces_are_stable", NULL, WITH_IMPULSES, EARLY_ZEROS, -0.5, 0.5, ONE},
    {"impulse_over_step_is_the_force", "Lambda / h settles on the exact contact force",
     WITH_IMPULSES, PLATEAU_FORCE, 1.0 - PLATEAU, 1.0 + PLATEAU, FORCE},
    {"full_newton_is_fast", "the full Newton matrix gives each step in three iterations or fewer",
     IN(NEWTON), ITERATIONS, 0.5, 3.5, ONE},
    {"full_newton_is_fast", NULL, IN(NEWTON), DISTANCE, -1.0, SAME_MOTION, LENGTH},
    {"sequential_algorithm_converges", "algorithm 1 converges in every step to the same motion",
     IN(SEQUENTIAL), DISTANCE, -1.0, SAME_MOTION, LENGTH},
    {"modified_lcp_step_has_no_solution",
     "the modified step in which the contact is to close fails", IN(MODIFIED), FAILURE_DELAY, -0.5,
     0.5, STEP},
    {"modified_lcp_chatters", "at half the step size the modified scheme chatters",
     IN(MODIFIED_HALF), SPELLS, RATTLE, HUGE_VAL, ONE},
};
enum { CONDITION_COUNT = sizeof conditions / sizeof conditions[0] };

/** The unit of a condition's bounds for one run; NaN if it is not known. */
static double unit_of(const results *all, const condition *is, int run) {
    const carom_elastic_bar_params *bar = &all->values->bar;
    const double h = all->values->schemes.step;
    switch (is->unit) {
    case ONE:
        return 1.0;
    case LENGTH:
        return fmax(bar->initial_gap, bar->length);
    case SPEED:
        return bar->initial_velocity;
    case FORCE:
        return carom_elastic_bar_exact_contact_force(bar);
    case ENERGY:
        return all->motion[run]->energy[0];
    case STEP:
        return h;
    case TRAVEL:
        return h * bar->initial_velocity;
    case WAY_BACK:
        return elastic_bar_exact_gap(bar, all->values->schemes.duration);
    case OF_MOREAU:
        return all->value[run >= OTHER_NONSMOOTH ? OTHER_MOREAU : MOREAU][is->what];
    }
    return (double)NAN;
}

/** Whether a condition holds in all its runs; is_known becomes false if one is not defined. */
static bool holds(const results *all, const condition *is, bool *is_known) {
    bool is_true = true;
    for (int run = 0; run < RUN_COUNT; run++) {
        if ((is->runs & IN(run)) != 0) {
            const double number = all->value[run][is->what];
            const double unit = isnan(number) ? (double)NAN : unit_of(all, is, run);
            *is_known = *is_known && !isnan(unit);
            is_true = is_true && number > is->lower * unit && number < is->upper * unit;
        }
    }
    return is_true;
}

void elastic_bar_write_claims(const results *all, carom_record *record) {
    int next = 0;
    for (int first = 0; first < CONDITION_COUNT; first = next) {
        const char *claim = conditions[first].claim;
        bool is_known = true;
        bool is_true = true;
        for (next = first; next < CONDITION_COUNT && strcmp(conditions[next].claim, claim) == 0;
             next++) {
            is_true = holds(all, &conditions[next], &is_known) && is_true;
        }
        // A statement about runs that are not there is left out, neither true nor false.
        if (is_known) {
            carom_record_claim(record, claim, is_true, conditions[first].statement);
        }
    }
}
