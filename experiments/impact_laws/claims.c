/** Claims of the papers about their own and each other's laws, decided by the scenes: single
 * contacts, and inelastic ones with friction. */
#include "results.h"

#include "scene_claims.h"

#include <stddef.h>

/** Rounding, in parts of the velocity or energy before. */
static const double ROUNDING = 1e-9;

/** The sampled set holds an outcome if a sample is so near in the kinetic metric. */
static const double HELD = 0.02;

/** An outcome is another one if it is so far. */
static const double ANOTHER = 0.05;

/** With fewer samples it is chance whether one of them is so near. */
enum { FEWEST_SAMPLES = 512 };

/* --- one contact ------------------------------------------------------------------------------ */

/** Newton's law and its energy, for one frictionless contact in a setting. */
static int newton_holds(const scene_result *s, impact_setting setting, carom_impact_law_id law,
                        bool is_energy) {
    static const double restitutions[] = {1.0, 0.0, 0.0, -1.0};
    const law_outcomes *a = &s->outcomes[setting][law];
    if (a->kind != OUTCOMES_FOUND || s->problem->contact_count != 1) {
        return UNDECIDED;
    }
    const double e = setting == SETTING_OWN ? s->restitution : restitutions[setting];
    const double before = s->problem->contact_velocity[0];
    const double lost = 0.5 * (1.0 - e * e) * before * before / s->problem->delassus_matrix[0];
    const double error = is_energy ? (1.0 - a->energy_ratio[0]) - lost / s->problem->kinetic_energy
                                   : (a->contact_velocity[0] + e * before) / before;
    return a->count == 1 && fabs(error) <= ROUNDING ? 1 : 0;
}

/** The same for all scenes of one contact, by both laws that know restitution. */
static int newton_everywhere(const results *r, bool is_energy) {
    int holds = UNDECIDED;
    for (int i = 0; i < r->count; i++) {
        for (int setting = 0; setting < SETTINGS; setting++) {
            if (setting == SETTING_FRICTION ||
                (setting == SETTING_OWN && r->scenes[i].has_friction)) {
                continue;
            }
            const int one = newton_holds(r->scenes + i, (impact_setting)setting,
                                         CAROM_IMPACT_LAW_NEWTON_MOREAU, is_energy);
            const int other = newton_holds(r->scenes + i, (impact_setting)setting,
                                           CAROM_IMPACT_LAW_PROPAGATIVE, is_energy);
            const int found = holds_both(one, other);
            holds = found == UNDECIDED ? holds : found * (holds == 0 ? 0 : 1);
        }
    }
    return holds;
}

static int newton_law(const results *r) {
    return newton_everywhere(r, false);
}

static int restitution_decides_energy(const results *r) {
    return newton_everywhere(r, true);
}

static bool keeps_energy(const scene_result *s, const law_outcomes *a) {
    (void)s;
    return fabs(impact_laws_least_energy(a) - 1.0) <= ROUNDING &&
           fabs(impact_laws_most_energy(a) - 1.0) <= ROUNDING;
}

/** Whether both structures keep their energy. */
static int elastic_law_conserves(const results *r) {
    static const char *const names[] = {"serial_chain", "clamped_bar"};
    int holds = 1;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const scene_result *s = scene_find(r, names[i]);
        const law_outcomes *a = scene_outcomes(s, SETTING_ELASTIC, CAROM_IMPACT_LAW_NEWTON_MOREAU);
        holds = holds_both(holds, a == NULL ? UNDECIDED : keeps_energy(s, a));
    }
    return holds;
}

/** Whether Newton's elastic law is the reflection in the kinetic metric. */
static int elastic_law_reflects(const results *r) {
    static const char *const names[] = {"serial_chain", "clamped_bar"};
    int holds = 1;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const scene_result *s = scene_find(r, names[i]);
        holds =
            holds_both(holds, scene_is_within(s, SETTING_ELASTIC, CAROM_IMPACT_LAW_NEWTON_MOREAU,
                                              CAROM_IMPACT_LAW_PROPAGATIVE, ROUNDING));
    }
    return holds;
}

static int collision_loses_energy(const results *r) {
    const scene_result *s = scene_find(r, "armed_biped");
    int holds = UNDECIDED;
    if (s == NULL || scene_law_count(s, SETTING_PLASTIC) < 2) {
        return UNDECIDED;
    }
    for (int law = 0; law < LAWS; law++) {
        const law_outcomes *a = scene_outcomes(s, SETTING_PLASTIC, (carom_impact_law_id)law);
        if (a != NULL) {
            holds = holds != 0 && impact_laws_most_energy(a) < 1.0 - ANOTHER ? 1 : 0;
        }
    }
    return holds;
}

/* --- inelastic contacts with friction --------------------------------------------------------- */

static int simultaneous_dissipates(const results *r) {
    return holds_both(
        scenes_all(r, SETTING_PLASTIC, CAROM_IMPACT_LAW_ANITESCU_POTRA, outcomes_gain_nothing),
        scenes_all(r, SETTING_FRICTION, CAROM_IMPACT_LAW_ANITESCU_POTRA, outcomes_gain_nothing));
}

static int sequential_dissipates(const results *r) {
    return holds_both(
        scenes_all(r, SETTING_PLASTIC, CAROM_IMPACT_LAW_SEQUENTIAL, outcomes_gain_nothing),
        scenes_all(r, SETTING_FRICTION, CAROM_IMPACT_LAW_SEQUENTIAL, outcomes_gain_nothing));
}

/** Whether the simultaneous law has rest as its only outcome. */
static int comes_to_rest(const scene_result *s) {
    const law_outcomes *a = scene_outcomes(s, SETTING_FRICTION, CAROM_IMPACT_LAW_ANITESCU_POTRA);
    return a == NULL ? UNDECIDED : a->count == 1 && a->energy_ratio[0] <= ROUNDING;
}

/** Rest, and pivoting about either corner. */
static int block_has_three_outcomes(const results *r) {
    const scene_result *s = scene_find(r, "flat_block");
    const law_outcomes *a = scene_outcomes(s, SETTING_FRICTION, CAROM_IMPACT_LAW_SEQUENTIAL);
    if (a == NULL) {
        return UNDECIDED;
    }
    const double *c = a->contact_velocity;
    const int r_of = s->problem->row_count;
    const bool pivots = a->count == 2 && outcomes_spread(s->problem, a) > ANOTHER &&
                        (c[0] > 0.0) != (c[r_of] > 0.0) && (c[1] > 0.0) != (c[r_of + 1] > 0.0);
    return holds_both(comes_to_rest(s), pivots ? 1 : 0);
}

/** By single impacts the corner on the floor slides on and that at the wall lifts off. */
static int box_slides_and_lifts(const results *r) {
    const scene_result *s = scene_find(r, "leaning_box");
    const law_outcomes *a = scene_outcomes(s, SETTING_FRICTION, CAROM_IMPACT_LAW_SEQUENTIAL);
    if (a == NULL) {
        return UNDECIDED;
    }
    bool is_found = false;
    for (int k = 0; k < a->count; k++) {
        const double *c = a->contact_velocity + (size_t)k * 4;
        is_found = is_found || (fabs(c[0]) <= ROUNDING && fabs(c[2]) > ANOTHER && c[1] > ANOTHER);
    }
    return holds_both(comes_to_rest(s), is_found ? 1 : 0);
}

static int stack_rests(const results *r) {
    return comes_to_rest(scene_find(r, "disk_stack"));
}

/** Whether the set of block and box holds what both other models say. */
static int set_holds_both_models(const results *r) {
    const char *const names[] = {"flat_block", "leaning_box"};
    int holds = r->values->samples < FEWEST_SAMPLES ? UNDECIDED : 1;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const scene_result *s = scene_find(r, names[i]);
        holds =
            holds_both(holds, scene_is_within(s, SETTING_FRICTION, CAROM_IMPACT_LAW_ANITESCU_POTRA,
                                              CAROM_IMPACT_LAW_SAMPLING, HELD));
        holds = holds_both(holds, scene_is_within(s, SETTING_FRICTION, CAROM_IMPACT_LAW_SEQUENTIAL,
                                                  CAROM_IMPACT_LAW_SAMPLING, HELD));
    }
    return holds;
}

/** Whether it holds others too, of which neither knows. */
static int set_holds_more(const results *r) {
    const char *const names[] = {"flat_block", "leaning_box"};
    int holds = r->values->samples < FEWEST_SAMPLES ? UNDECIDED : 1;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const scene_result *s = scene_find(r, names[i]);
        const law_outcomes *set = scene_outcomes(s, SETTING_FRICTION, CAROM_IMPACT_LAW_SAMPLING);
        const law_outcomes *a =
            scene_outcomes(s, SETTING_FRICTION, CAROM_IMPACT_LAW_ANITESCU_POTRA);
        const law_outcomes *b = scene_outcomes(s, SETTING_FRICTION, CAROM_IMPACT_LAW_SEQUENTIAL);
        const bool is_known = set != NULL && a != NULL && b != NULL;
        holds = holds_both(holds, !is_known ? UNDECIDED
                                            : outcomes_beyond(s->problem, set, a, b) > ANOTHER);
    }
    return holds;
}

static int set_holds_compliant_block(const results *r) {
    return r->values->samples < FEWEST_SAMPLES
               ? UNDECIDED
               : scene_is_within(scene_find(r, "flat_block"), SETTING_FRICTION,
                                 CAROM_IMPACT_LAW_COMPLIANT, CAROM_IMPACT_LAW_SAMPLING, HELD);
}

static const scene_claim claims[] = {
    {"newton_law", "a single frictionless contact returns e of its speed", newton_law},
    {"restitution_decides_energy", "a single contact loses (1 - e^2) c^2/(2 C)",
     restitution_decides_energy},
    {"elastic_law_conserves", "Newton's elastic law keeps the energy of both structures",
     elastic_law_conserves},
    {"elastic_law_reflects", "Newton's elastic law is the reflection in the kinetic metric",
     elastic_law_reflects},
    {"collision_loses_energy", "the plastic impact of the biped's foot loses energy by every law",
     collision_loses_energy},
    {"simultaneous_dissipates", "Anitescu and Potra's law never gains energy",
     simultaneous_dissipates},
    {"sequential_dissipates", "sequences of inelastic impacts never gain energy",
     sequential_dissipates},
    {"block_has_three_outcomes",
     "the block comes to rest at once, or pivots about either corner one impact after the other",
     block_has_three_outcomes},
    {"box_slides_and_lifts",
     "the box comes to rest at once; one impact after the other A slides on and B lifts off",
     box_slides_and_lifts},
    {"stack_rests", "rest is the only simultaneous outcome of the stack of discs", stack_rests},
    {"set_holds_both_models",
     "the sampled sets of block and box hold all simultaneous and sequential outcomes",
     set_holds_both_models},
    {"set_holds_more", "and outcomes that are neither", set_holds_more},
    {"set_holds_compliant_block", "the sampled set of the block holds its compliant outcomes",
     set_holds_compliant_block},
};

void impact_laws_write_claims(const results *r) {
    scene_claims_write(r, (int)(sizeof claims / sizeof claims[0]), claims);
    impact_laws_write_propagative_claims(r);
}
