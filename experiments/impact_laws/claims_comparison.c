/** Claims of ours about the comparison, besides those of the papers: /claims. */
#include "results.h"

#include "scene_claims.h"

/** Laws agree: what inelastic compliant contacts give back and their integrator. */
static const double AGREE = IMPACT_LAWS_AGREE;

/** Rounding of energies, in parts of that before. */
static const double ROUNDING = 1e-9;

/** A contact with a smaller ratio of stiffness is no stiff one. */
static const double LEAST_RATIO = 1e3;

/** Largest distance of two laws without friction; NaN with fewer than two laws. */
static double smooth_distance(const scene_result *s) {
    return fmax(scene_largest_distance(s, SETTING_ELASTIC),
                scene_largest_distance(s, SETTING_PLASTIC));
}

/** Without friction, one contact has one outcome. */
static int one_contact_one_outcome(const results *r) {
    int holds = UNDECIDED;
    for (int i = 0; i < r->count; i++) {
        const double largest = smooth_distance(r->scenes + i);
        if (r->scenes[i].problem->contact_count == 1 && !isnan(largest)) {
            holds = holds != 0 && largest <= AGREE ? 1 : 0;
        }
    }
    return holds;
}

/** Orthogonal contacts do not know of each other. */
static int orthogonal_contacts_agree(const results *r) {
    const scene_result *s = scene_find(r, "break_90");
    const double largest = s == NULL ? (double)NAN : smooth_distance(s);
    return isnan(largest) ? UNDECIDED : largest <= AGREE;
}

/** Newton and Moreau's law with e = 0. */
static int inelastic_moreau_is_anitescu_potra(const results *r) {
    int holds = UNDECIDED;
    for (int i = 0; i < r->count; i++) {
        for (int setting = SETTING_PLASTIC; setting <= SETTING_FRICTION; setting++) {
            const scene_result *s = r->scenes + i;
            const int one =
                scene_is_within(s, (impact_setting)setting, CAROM_IMPACT_LAW_NEWTON_MOREAU,
                                CAROM_IMPACT_LAW_ANITESCU_POTRA, AGREE);
            const int other =
                scene_is_within(s, (impact_setting)setting, CAROM_IMPACT_LAW_ANITESCU_POTRA,
                                CAROM_IMPACT_LAW_NEWTON_MOREAU, AGREE);
            if (one != UNDECIDED) {
                holds = holds != 0 && one == 1 && other == 1 ? 1 : 0;
            }
        }
    }
    return holds;
}

static int cradle_laws_are_limits(const results *r) {
    const scene_result *s = scene_find(r, "cradle");
    return r->values->ratio < LEAST_RATIO ||
                   scene_outcomes(s, SETTING_ELASTIC, CAROM_IMPACT_LAW_NEWTON_MOREAU) == NULL ||
                   scene_outcomes(s, SETTING_ELASTIC, CAROM_IMPACT_LAW_PROPAGATIVE) == NULL ||
                   scene_outcomes(s, SETTING_ELASTIC, CAROM_IMPACT_LAW_COMPLIANT) == NULL
               ? UNDECIDED
               : impact_laws_is_limit(s, CAROM_IMPACT_LAW_NEWTON_MOREAU) &&
                     impact_laws_is_limit(s, CAROM_IMPACT_LAW_PROPAGATIVE);
}

/** Whether stiffness does not matter wherever both elastic laws agree. */
static int agreement_holds_for_stiffness(const results *r) {
    int holds = UNDECIDED;
    for (int i = 0; i < r->count; i++) {
        const scene_result *s = r->scenes + i;
        if (impact_laws_elastic_distance(s, CAROM_IMPACT_LAW_PROPAGATIVE,
                                         CAROM_IMPACT_LAW_NEWTON_MOREAU) <= AGREE &&
            !isnan(impact_laws_elastic_distance(s, CAROM_IMPACT_LAW_COMPLIANT,
                                                CAROM_IMPACT_LAW_NEWTON_MOREAU))) {
            holds =
                holds != 0 && impact_laws_elastic_distance(s, CAROM_IMPACT_LAW_COMPLIANT,
                                                           CAROM_IMPACT_LAW_NEWTON_MOREAU) <= AGREE
                    ? 1
                    : 0;
        }
    }
    return holds;
}

/** Whether no outcome of any law in any setting has more energy than there was. */
static int no_law_gains_energy(const results *r) {
    const energy_tally t = impact_laws_count_gains(r);
    return t.laws < 2 ? UNDECIDED : t.gaining == 0;
}

/** What Newton and Moreau's law could do with restitution and friction together. */
static int rough_moreau_gains_nothing(const results *r) {
    const energy_tally t = impact_laws_count_gains(r);
    return t.rough == 0 ? UNDECIDED : t.rough_gaining == 0;
}

static bool keeps_energy(const scene_result *s, const law_outcomes *a) {
    return outcomes_gain_nothing(s, a) && impact_laws_least_energy(a) >= 1.0 - ROUNDING;
}

/** Both elastic laws. */
static int elastic_laws_keep_energy(const results *r) {
    return holds_both(scenes_all(r, SETTING_ELASTIC, CAROM_IMPACT_LAW_NEWTON_MOREAU, keeps_energy),
                      scenes_all(r, SETTING_ELASTIC, CAROM_IMPACT_LAW_PROPAGATIVE, keeps_energy));
}

static const scene_claim claims[] = {
    {"no_law_gains_energy", "no outcome of any law has more energy than there was before",
     no_law_gains_energy},
    {"rough_moreau_gains_nothing",
     "nor has one of Newton and Moreau's law with restitution and friction together",
     rough_moreau_gains_nothing},
    {"elastic_laws_keep_energy",
     "without friction, reflections and Newton and Moreau's law with e = 1 keep the energy",
     elastic_laws_keep_energy},
    {"one_contact_one_outcome", "without friction all laws agree on a single contact",
     one_contact_one_outcome},
    {"orthogonal_contacts_agree", "without friction all laws agree on orthogonal contacts",
     orthogonal_contacts_agree},
    {"inelastic_moreau_is_anitescu_potra",
     "Newton and Moreau's law with e = 0 has the outcomes of Anitescu and Potra's",
     inelastic_moreau_is_anitescu_potra},
    {"cradle_laws_are_limits",
     "the elastic outcomes of the cradle by reflections and by Newton and Moreau's law are those "
     "of compliant contacts one of which is stiff",
     cradle_laws_are_limits},
    {"agreement_holds_for_stiffness",
     "where reflections and Newton and Moreau's law agree, the stiffness of contacts does not "
     "matter",
     agreement_holds_for_stiffness},
};

void impact_laws_write_comparison_claims(const results *r) {
    scene_claims_write(r, (int)(sizeof claims / sizeof claims[0]), claims);
}
