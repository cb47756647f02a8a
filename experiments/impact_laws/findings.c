/** What the comparison teaches besides the papers' statements: /claims and /measures. */
#include "results.h"

#include "decisions.h"

#include <stdio.h>

/** Laws agree: what inelastic compliant contacts give back and their integrator. */
static const double AGREE = 1e-4;

/** A finite ratio of stiffness reaches a limit if it is so near, in parts of what two laws differ
 * by.
 */
static const double LIMIT = 1e-2;

/** Impulses below this part of the largest one are no pull. */
static const double PULL = 1e-9;

/** Largest distance of all pairs of laws that answer in a setting. */
static double largest_distance(const scene_result *s, impact_setting setting) {
    double largest = 0.0;
    for (int i = 0; i < LAWS; i++) {
        for (int k = 0; k < LAWS; k++) {
            if (!isnan(s->distance[setting][i][k])) {
                largest = fmax(largest, s->distance[setting][i][k]);
            }
        }
    }
    return largest;
}

/** Without friction, one contact has one outcome. */
static int one_contact_one_outcome(const results *r) {
    int verdict = UNDECIDED;
    for (int i = 0; i < r->count; i++) {
        if (r->scenes[i].problem->contact_count == 1) {
            const double largest = fmax(largest_distance(r->scenes + i, SETTING_ELASTIC),
                                        largest_distance(r->scenes + i, SETTING_PLASTIC));
            verdict = verdict != 0 && largest <= AGREE ? 1 : 0;
        }
    }
    return verdict;
}

/** Orthogonal contacts do not know of each other. */
static int orthogonal_contacts_agree(const results *r) {
    const scene_result *s = decisions_scene(r, "break_90");
    return s == NULL ? UNDECIDED
                     : fmax(largest_distance(s, SETTING_ELASTIC),
                            largest_distance(s, SETTING_PLASTIC)) <= AGREE;
}

/** Newton and Moreau's law with e = 0. */
static int inelastic_moreau_is_anitescu_potra(const results *r) {
    int verdict = UNDECIDED;
    for (int i = 0; i < r->count; i++) {
        for (int setting = SETTING_PLASTIC; setting <= SETTING_FRICTION; setting++) {
            const scene_result *s = r->scenes + i;
            const int one = decisions_within(s, (impact_setting)setting, LAW_NEWTON_MOREAU,
                                             LAW_ANITESCU_POTRA, AGREE);
            const int other = decisions_within(s, (impact_setting)setting, LAW_ANITESCU_POTRA,
                                               LAW_NEWTON_MOREAU, AGREE);
            if (one != UNDECIDED) {
                verdict = verdict != 0 && one == 1 && other == 1 ? 1 : 0;
            }
        }
    }
    return verdict;
}

/** Distance of the elastic outcomes of a law from another's. */
static double elastic_distance(const scene_result *s, impact_law from, impact_law to) {
    return s->distance[SETTING_ELASTIC][from][to];
}

/** Whether all elastic outcomes of a law are those of compliant contacts, beside the distance of
 * both laws. */
static bool is_limit(const scene_result *s, impact_law law) {
    return elastic_distance(s, law, LAW_COMPLIANT) <=
           LIMIT * elastic_distance(s, LAW_PROPAGATIVE, LAW_NEWTON_MOREAU);
}

static int cradle_laws_are_limits(const results *r) {
    const scene_result *s = decisions_scene(r, "cradle");
    return decisions_answer(s, SETTING_ELASTIC, LAW_NEWTON_MOREAU) == NULL ||
                   decisions_answer(s, SETTING_ELASTIC, LAW_PROPAGATIVE) == NULL ||
                   decisions_answer(s, SETTING_ELASTIC, LAW_COMPLIANT) == NULL
               ? UNDECIDED
               : is_limit(s, LAW_NEWTON_MOREAU) && is_limit(s, LAW_PROPAGATIVE);
}

/** Whether stiffness does not matter wherever both elastic laws agree. */
static int agreement_holds_for_stiffness(const results *r) {
    int verdict = UNDECIDED;
    for (int i = 0; i < r->count; i++) {
        const scene_result *s = r->scenes + i;
        if (elastic_distance(s, LAW_PROPAGATIVE, LAW_NEWTON_MOREAU) <= AGREE &&
            !isnan(elastic_distance(s, LAW_COMPLIANT, LAW_NEWTON_MOREAU))) {
            verdict = verdict != 0 && elastic_distance(s, LAW_COMPLIANT, LAW_NEWTON_MOREAU) <= AGREE
                          ? 1
                          : 0;
        }
    }
    return verdict;
}

static const decision statements[] = {
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

/** Whether a plastic outcome holds contacts together by impulses that pull. */
static bool is_pulling(const scene_result *s, const answer *a) {
    double least = 0.0;
    double largest = 0.0;
    for (int i = 0; i < s->problem->contact_count; i++) {
        least = fmin(least, a->impulse[i]);
        largest = fmax(largest, fabs(a->impulse[i]));
    }
    return least < -PULL * largest;
}

/** Counts over all scenes. */
typedef struct tally {
    int several;        /**< scenes with two or more contacts */
    int pulling;        /**< plastic outcomes of the propagative model that pull */
    int elastic_apart;  /**< elastic scenes in which the two laws with restitution differ */
    int moreau;         /**< of these, with Newton and Moreau's outcome among the compliant ones */
    int reflections;    /**< of these, with those of all reflections among them */
    int differing;      /**< inelastic answers of more than one law that differ, with friction */
    double energy_most; /**< largest energy over that before, of all answers */
} tally;

static tally count(const results *r) {
    tally t = {.energy_most = 0.0};
    for (int i = 0; i < r->count; i++) {
        const scene_result *s = r->scenes + i;
        const answer *plastic = decisions_answer(s, SETTING_PLASTIC, LAW_PROPAGATIVE);
        const bool is_apart = elastic_distance(s, LAW_PROPAGATIVE, LAW_NEWTON_MOREAU) > AGREE;
        t.several += s->problem->contact_count > 1 ? 1 : 0;
        t.pulling += plastic != NULL && is_pulling(s, plastic) ? 1 : 0;
        t.elastic_apart += is_apart ? 1 : 0;
        t.moreau += is_apart && is_limit(s, LAW_NEWTON_MOREAU) ? 1 : 0;
        t.reflections += is_apart && is_limit(s, LAW_PROPAGATIVE) ? 1 : 0;
        t.differing += largest_distance(s, SETTING_FRICTION) > AGREE ? 1 : 0;
        for (int k = 0; k < SETTINGS * LAWS; k++) {
            const answer *a = &s->answers[k / LAWS][k % LAWS];
            t.energy_most = a->kind == ANSWER_GIVEN
                                ? fmax(t.energy_most, impact_laws_most_energy(a))
                                : t.energy_most;
        }
    }
    return t;
}

/** The counts as measures. */
static carom_status write_tally(const results *r) {
    const tally t = count(r);
    const struct {
        const char *name;
        double value;
        const char *text;
    } measures[] = {
        {"scene_count", r->count, "scenes"},
        {"several_contacts", t.several, "scenes with several closed contacts"},
        {"pulling_count", t.pulling,
         "scenes whose plastic outcome in the propagative model needs impulses that pull"},
        {"elastic_apart_count", t.elastic_apart,
         "scenes in which reflections and Newton and Moreau's law differ, elastic"},
        {"moreau_limit_count", t.moreau,
         "of these, scenes with Newton and Moreau's outcome among the compliant ones"},
        {"reflections_limit_count", t.reflections,
         "of these, scenes with those of all reflections among the compliant ones"},
        {"friction_apart_count", t.differing, "scenes with friction on which laws differ"},
        {"most_energy", t.energy_most, "largest kinetic energy of any outcome over that before"},
    };
    for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++) {
        CAROM_TRY(carom_record_measure(r->record, measures[i].name, measures[i].value, "1",
                                       measures[i].text));
    }
    return CAROM_OK;
}

/** How far outcomes of other laws are from the sampled set, at most, with friction. */
static carom_status write_misses(const results *r) {
    const impact_law laws[] = {LAW_ANITESCU_POTRA, LAW_SEQUENTIAL, LAW_COMPLIANT};
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        double largest = 0.0;
        for (int k = 0; k < r->count; k++) {
            const double d = r->scenes[k].distance[SETTING_FRICTION][laws[i]][LAW_SAMPLING];
            largest = isnan(d) ? largest : fmax(largest, d);
        }
        char name[PATH_SIZE];
        snprintf(name, sizeof name, "set_misses_%s", impact_laws_law_name(laws[i]));
        CAROM_TRY(carom_record_measure(
            r->record, name, largest, "1",
            "largest distance of its outcomes from the sampled set, with friction"));
    }
    return CAROM_OK;
}

/** How far apart the outcomes of the propagative model are: the paper's xi. */
static carom_status write_spreads(const results *r) {
    const char *const names[] = {"cradle_unequal", "break_45",         "break_60",     "break_120",
                                 "trex_optimized", "trex_unoptimized", "trex_initial", "flat_block",
                                 "wide_block",     "disk_stack"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const scene_result *s = decisions_scene(r, names[i]);
        const answer *a = decisions_answer(s, SETTING_ELASTIC, LAW_PROPAGATIVE);
        char name[PATH_SIZE];
        snprintf(name, sizeof name, "spread_%s", names[i]);
        if (a != NULL) {
            CAROM_TRY(carom_record_measure(
                r->record, name, decisions_spread(s->problem, a), "1",
                "largest distance of two elastic propagative outcomes over the velocity before"));
        }
    }
    return CAROM_OK;
}

carom_status impact_laws_write_findings(const results *r) {
    CAROM_TRY(decisions_write(r, (int)(sizeof statements / sizeof statements[0]), statements));
    CAROM_TRY(write_tally(r));
    CAROM_TRY(write_misses(r));
    return write_spreads(r);
}
