/** Claims of seghete-2014 about the propagative model and others, decided by the scenes. */
#include "results.h"

#include "scene_claims.h"

/** Rounding, in parts of the velocity or energy before. */
static const double ROUNDING = 1e-9;

/** An outcome is another one if it is so far. */
static const double ANOTHER = 0.05;

static bool is_admissible(const scene_result *s, const law_outcomes *a) {
    const int m = s->problem->contact_count;
    const int width = s->problem->row_count;
    const double speed = ROUNDING * impact_laws_fastest(s->problem);
    bool holds = true;
    for (int k = 0; k < a->count; k++) {
        for (int i = 0; i < m; i++) {
            holds = holds && a->contact_velocity[k * width + i] >= -speed &&
                    a->impulse[k * width + i] >= 0.0;
        }
    }
    return holds;
}

static int propagative_is_admissible(const results *r) {
    return scenes_all(r, SETTING_ELASTIC, CAROM_IMPACT_LAW_PROPAGATIVE, is_admissible);
}

/** Whether no scene has made the sequences fail to end. */
static int propagative_is_finite(const results *r) {
    int holds = UNDECIDED;
    for (int i = 0; i < r->count; i++) {
        const law_outcomes *a =
            &r->scenes[i].outcomes[SETTING_ELASTIC][CAROM_IMPACT_LAW_PROPAGATIVE];
        if (a->kind != OUTCOMES_MISSING) {
            holds = holds != 0 && a->kind == OUTCOMES_FOUND ? 1 : 0;
        }
    }
    return holds;
}

/** Whether the plastic outcome is the only one, and every order of single held impacts leads
 * there. */
static int plastic_is_unique(const results *r) {
    const double largest = impact_laws_held_distance(r);
    return isnan(largest) ? UNDECIDED : largest <= ROUNDING;
}

/** The last ball goes off alone; by Newton and Moreau's law it does not. */
static int cradle_is_right(const results *r) {
    const scene_result *s = scene_find(r, "cradle");
    const law_outcomes *a = scene_outcomes(s, SETTING_ELASTIC, CAROM_IMPACT_LAW_PROPAGATIVE);
    const int same = scene_is_within(s, SETTING_ELASTIC, CAROM_IMPACT_LAW_PROPAGATIVE,
                                     CAROM_IMPACT_LAW_NEWTON_MOREAU, ANOTHER);
    if (a == NULL || same == UNDECIDED) {
        return UNDECIDED;
    }
    const double speed = s->problem->velocity[0];
    return a->count == 1 && fabs(a->velocity[0]) <= ROUNDING * speed &&
           fabs(a->velocity[1]) <= ROUNDING * speed &&
           fabs(a->velocity[2] - speed) <= ROUNDING * speed && same == 0;
}

/** Whether the complementarity law gains energy in an elastic impact. */
static int complementarity_gains_energy(const results *r) {
    const int gains_none =
        scenes_all(r, SETTING_ELASTIC, CAROM_IMPACT_LAW_NEWTON_MOREAU, outcomes_gain_nothing);
    return gains_none == UNDECIDED ? UNDECIDED : 1 - gains_none;
}

static int right_angle_is_unique(const results *r) {
    const law_outcomes *a =
        scene_outcomes(scene_find(r, "break_90"), SETTING_ELASTIC, CAROM_IMPACT_LAW_PROPAGATIVE);
    return a == NULL ? UNDECIDED : a->count == 1;
}

static int optimized_is_less_indeterminate(const results *r) {
    const scene_result *one = scene_find(r, "trex_optimized");
    const scene_result *other = scene_find(r, "trex_initial");
    const law_outcomes *a = scene_outcomes(one, SETTING_ELASTIC, CAROM_IMPACT_LAW_PROPAGATIVE);
    const law_outcomes *b = scene_outcomes(other, SETTING_ELASTIC, CAROM_IMPACT_LAW_PROPAGATIVE);
    return a == NULL || b == NULL
               ? UNDECIDED
               : outcomes_spread(one->problem, a) < outcomes_spread(other->problem, b);
}

static const scene_claim claims[] = {
    {"propagative_is_finite", "sequences of reflections end, in finitely many outcomes",
     propagative_is_finite},
    {"propagative_is_admissible", "all of them separate, with impulses that push",
     propagative_is_admissible},
    {"plastic_is_unique",
     "single impacts that hold, one after the other in all orders, end in the plastic outcome of "
     "the propagative model",
     plastic_is_unique},
    {"cradle_is_right",
     "reflections send off the last ball of the cradle alone, Newton and Moreau's law does not",
     cradle_is_right},
    {"complementarity_gains_energy", "Newton and Moreau's law gains energy in an elastic impact",
     complementarity_gains_energy},
    {"right_angle_is_unique", "the break at 90 degrees has one outcome", right_angle_is_unique},
    {"optimized_is_less_indeterminate",
     "the optimized stance of TREX is less indeterminate than that with straight legs",
     optimized_is_less_indeterminate},
};

void impact_laws_write_propagative_claims(const results *r) {
    scene_claims_write(r, (int)(sizeof claims / sizeof claims[0]), claims);
}
