/** Counts, energies and distances over all scenes: /measures. What was not computed is left out. */
#include "results.h"

#include "scene_claims.h"

#include <stdio.h>

/** Laws agree: what inelastic compliant contacts give back and their integrator. */
static const double AGREE = IMPACT_LAWS_AGREE;

/** A finite ratio of stiffness reaches a limit if it is so near, in parts of what two laws differ
 * by.
 */
static const double LIMIT = 1e-2;

/** Impulses below this part of the largest one are no pull. */
static const double PULL = 1e-9;

double impact_laws_elastic_distance(const scene_result *s, carom_impact_law_id from,
                                    carom_impact_law_id to) {
    return s->distance[SETTING_ELASTIC][from][to];
}

bool impact_laws_is_limit(const scene_result *s, carom_impact_law_id law) {
    return impact_laws_elastic_distance(s, law, CAROM_IMPACT_LAW_COMPLIANT) <=
           LIMIT * impact_laws_elastic_distance(s, CAROM_IMPACT_LAW_PROPAGATIVE,
                                                CAROM_IMPACT_LAW_NEWTON_MOREAU);
}

/* --- energies --------------------------------------------------------------------------------- */

energy_tally impact_laws_count_gains(const results *r) {
    energy_tally t = {.most = (double)NAN};
    bool has_outcomes[LAWS] = {false};
    for (int i = 0; i < r->count * SETTINGS * LAWS; i++) {
        const scene_result *s = r->scenes + i / (SETTINGS * LAWS);
        const int setting = i / LAWS % SETTINGS;
        const int law = i % LAWS;
        const law_outcomes *a =
            scene_outcomes(s, (impact_setting)setting, (carom_impact_law_id)law);
        if (a == NULL) {
            continue;
        }
        const int gains = outcomes_gain_nothing(s, a) ? 0 : 1;
        const bool is_rough = setting == SETTING_OWN && law == CAROM_IMPACT_LAW_NEWTON_MOREAU &&
                              s->has_friction && s->restitution > 0.0;
        t.most = fmax(t.most, impact_laws_most_energy(a));
        t.laws += has_outcomes[law] ? 0 : 1;
        has_outcomes[law] = true;
        t.outcomes++;
        t.gaining += gains;
        t.rough += is_rough ? 1 : 0;
        t.rough_gaining += is_rough ? gains : 0;
    }
    return t;
}

static void write_energies(const results *r) {
    const energy_tally t = impact_laws_count_gains(r);
    if (t.outcomes > 0) {
        carom_record_measure(r->record, "answer_count", t.outcomes, "1",
                             "answers of laws, over all scenes and settings");
        carom_record_measure(r->record, "gaining_count", t.gaining, "1",
                             "of these, answers with more energy than before");
        carom_record_measure(r->record, "most_energy", t.most, "1",
                             "largest kinetic energy of any outcome over that before");
    }
    if (t.rough > 0) {
        carom_record_measure(
            r->record, "rough_count", t.rough, "1",
            "answers of Newton and Moreau's law with restitution and friction together");
        carom_record_measure(r->record, "rough_gaining_count", t.rough_gaining, "1",
                             "of these, answers with more energy than before");
    }
}

/* --- counts ----------------------------------------------------------------------------------- */

/** Whether a plastic outcome holds contacts together by impulses that pull. */
static bool is_pulling(const scene_result *s, const law_outcomes *a) {
    double least = 0.0;
    double largest = 0.0;
    for (int i = 0; i < s->problem->contact_count; i++) {
        least = fmin(least, a->impulse[i]);
        largest = fmax(largest, fabs(a->impulse[i]));
    }
    return least < -PULL * largest;
}

/** Scenes in which a condition holds, among those in which it is decided. */
typedef struct tally {
    int input;
    int found;
} tally;

static void add(bool is_asked, bool is_found, tally *t) {
    t->input += is_asked ? 1 : 0;
    t->found += is_asked && is_found ? 1 : 0;
}

/** Counts over all scenes. */
typedef struct counts {
    int several;       /**< scenes with two or more contacts */
    tally pulling;     /**< plastic outcomes of the propagative model that pull */
    tally apart;       /**< elastic scenes in which the two laws with restitution differ */
    tally moreau;      /**< of these, with Newton and Moreau's outcome among the compliant ones */
    tally reflections; /**< of these, with those of all reflections among them */
    tally differing;   /**< scenes with friction on which laws differ */
} counts;

static counts count(const results *r) {
    counts t = {.several = 0};
    for (int i = 0; i < r->count; i++) {
        const scene_result *s = r->scenes + i;
        const law_outcomes *plastic =
            scene_outcomes(s, SETTING_PLASTIC, CAROM_IMPACT_LAW_PROPAGATIVE);
        const double between = impact_laws_elastic_distance(s, CAROM_IMPACT_LAW_PROPAGATIVE,
                                                            CAROM_IMPACT_LAW_NEWTON_MOREAU);
        const double rough = scene_largest_distance(s, SETTING_FRICTION);
        const bool is_compared =
            between > AGREE &&
            scene_outcomes(s, SETTING_ELASTIC, CAROM_IMPACT_LAW_COMPLIANT) != NULL;
        t.several += s->problem->contact_count > 1 ? 1 : 0;
        add(plastic != NULL, plastic != NULL && is_pulling(s, plastic), &t.pulling);
        add(!isnan(between), between > AGREE, &t.apart);
        add(is_compared, impact_laws_is_limit(s, CAROM_IMPACT_LAW_NEWTON_MOREAU), &t.moreau);
        add(is_compared, impact_laws_is_limit(s, CAROM_IMPACT_LAW_PROPAGATIVE), &t.reflections);
        add(!isnan(rough), rough > AGREE, &t.differing);
    }
    return t;
}

/** The counts as measures; conditions that no scene decides are left out. */
static void write_tallies(const results *r) {
    const counts t = count(r);
    const struct {
        const char *name;
        tally value;
        const char *text;
    } measures[] = {
        {"scene_count", {1, r->count}, "scenes"},
        {"several_contacts", {1, t.several}, "scenes with several closed contacts"},
        {"pulling_count", t.pulling,
         "scenes whose plastic outcome in the propagative model needs impulses that pull"},
        {"elastic_apart_count", t.apart,
         "scenes in which reflections and Newton and Moreau's law differ, elastic"},
        {"moreau_limit_count", t.moreau,
         "of these, scenes with Newton and Moreau's outcome among the compliant ones"},
        {"reflections_limit_count", t.reflections,
         "of these, scenes with those of all reflections among the compliant ones"},
        {"friction_apart_count", t.differing, "scenes with friction on which laws differ"},
    };
    for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++) {
        if (measures[i].value.input > 0) {
            carom_record_measure(r->record, measures[i].name, measures[i].value.found, "1",
                                 measures[i].text);
        }
    }
}

/* --- distances -------------------------------------------------------------------------------- */

/** How far outcomes of other laws are from the sampled set, at most, with friction. */
static void write_misses(const results *r) {
    const carom_impact_law_id laws[] = {CAROM_IMPACT_LAW_ANITESCU_POTRA,
                                        CAROM_IMPACT_LAW_SEQUENTIAL, CAROM_IMPACT_LAW_COMPLIANT};
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        double largest = (double)NAN;
        for (int k = 0; k < r->count; k++) {
            largest =
                fmax(largest,
                     r->scenes[k].distance[SETTING_FRICTION][laws[i]][CAROM_IMPACT_LAW_SAMPLING]);
        }
        char name[PATH_SIZE];
        snprintf(name, sizeof name, "set_misses_%s", carom_impact_law_of(laws[i])->name);
        if (!isnan(largest)) {
            carom_record_measure(
                r->record, name, largest, "1",
                "largest distance of its outcomes from the sampled set, with friction");
        }
    }
}

/** How far apart orders of held single impacts end. */
static void write_held(const results *r) {
    const double largest = impact_laws_held_distance(r);
    if (!isnan(largest)) {
        carom_record_measure(r->record, "held_distance", largest, "1",
                             "largest distance of the plastic propagative outcome from the ends "
                             "of single held impacts in all orders, over the velocity before");
    }
}

/** How far apart the outcomes of the propagative model are: the paper's xi. */
static void write_spreads(const results *r) {
    const char *const names[] = {"cradle_unequal", "break_45",         "break_60",     "break_120",
                                 "trex_optimized", "trex_unoptimized", "trex_initial", "flat_block",
                                 "wide_block",     "disk_stack"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const scene_result *s = scene_find(r, names[i]);
        const law_outcomes *a = scene_outcomes(s, SETTING_ELASTIC, CAROM_IMPACT_LAW_PROPAGATIVE);
        char name[PATH_SIZE];
        snprintf(name, sizeof name, "spread_%s", names[i]);
        if (a != NULL) {
            carom_record_measure(
                r->record, name, outcomes_spread(s->problem, a), "1",
                "largest distance of two elastic propagative outcomes over the velocity before");
        }
    }
}

void impact_laws_write_measures(const results *r) {
    write_tallies(r);
    write_energies(r);
    write_misses(r);
    write_held(r);
    write_spreads(r);
}
