/** Counts, energies and distances over all scenes: /measures. What was not computed is left out. */
#include "results.h"

#include <stdio.h>

/** Laws agree: what inelastic compliant contacts give back and their integrator. */
static const double AGREE = 1e-4;

/** A finite ratio of stiffness reaches a limit if it is so near, in parts of what two laws differ
 * by.
 */
static const double LIMIT = 1e-2;

/** Impulses below this part of the largest one are no pull. */
static const double PULL = 1e-9;

/** The outcomes of a law; NULL without any. */
static const law_outcomes *outcomes_of(const scene_result *s, impact_setting setting,
                                       carom_impact_law_id law) {
    const law_outcomes *a = &s->outcomes[setting][law];
    return a->kind == OUTCOMES_FOUND ? a : NULL;
}

/** Largest distance of the outcomes of a law from those of another, over all pairs in a setting;
 * NaN if there are none. */
static double largest_distance(const scene_result *s, impact_setting setting) {
    double largest = (double)NAN;
    for (int i = 0; i < LAWS; i++) {
        for (int k = 0; k < LAWS; k++) {
            if (i != k) {
                largest = fmax(largest, s->distance[setting][i][k]);
            }
        }
    }
    return largest;
}

/** Distance of the elastic outcomes of a law from another's; NaN without one of them. */
static double elastic_distance(const scene_result *s, carom_impact_law_id from,
                               carom_impact_law_id to) {
    return s->distance[SETTING_ELASTIC][from][to];
}

/** Whether all elastic outcomes of a law are those of compliant contacts, beside the distance of
 * reflections from Newton and Moreau's law. */
static bool is_limit(const scene_result *s, carom_impact_law_id law) {
    return elastic_distance(s, law, CAROM_IMPACT_LAW_COMPLIANT) <=
           LIMIT *
               elastic_distance(s, CAROM_IMPACT_LAW_PROPAGATIVE, CAROM_IMPACT_LAW_NEWTON_MOREAU);
}

/* --- energies --------------------------------------------------------------------------------- */

/** Rounding of energies, in parts of that before. */
static const double ROUNDING = 1e-9;

/** Energies of all outcomes, of all scenes and settings. */
typedef struct energy_tally {
    int outcomes; /**< sets of outcomes, in which gain is looked for */
    int gaining;
    int rough; /**< of these, Newton and Moreau's law with restitution and friction together */
    int rough_gaining;
} energy_tally;

static energy_tally count_gains(const results *r) {
    energy_tally t = {.outcomes = 0};
    for (int i = 0; i < r->count * SETTINGS * LAWS; i++) {
        const scene_result *s = r->scenes + i / (SETTINGS * LAWS);
        const int setting = i / LAWS % SETTINGS;
        const int law = i % LAWS;
        const law_outcomes *a = outcomes_of(s, (impact_setting)setting, (carom_impact_law_id)law);
        if (a == NULL) {
            continue;
        }
        const int gains = impact_laws_most_energy(a) > 1.0 + ROUNDING ? 1 : 0;
        const bool is_rough = setting == SETTING_OWN && law == CAROM_IMPACT_LAW_NEWTON_MOREAU &&
                              s->has_friction && s->restitution > 0.0;
        t.outcomes++;
        t.gaining += gains;
        t.rough += is_rough ? 1 : 0;
        t.rough_gaining += is_rough ? gains : 0;
    }
    return t;
}

static void write_energies(const results *r) {
    const energy_tally t = count_gains(r);
    if (t.outcomes > 0) {
        carom_record_measure(r->record, "answer_count", t.outcomes, "1",
                             "answers of laws, over all scenes and settings");
        carom_record_measure(r->record, "gaining_count", t.gaining, "1",
                             "of these, answers with more energy than before");
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
    tally pulling;     /**< plastic outcomes of the propagative model that pull */
    tally apart;       /**< elastic scenes in which the two laws with restitution differ */
    tally moreau;      /**< of these, with Newton and Moreau's outcome among the compliant ones */
    tally reflections; /**< of these, with those of all reflections among them */
    tally differing;   /**< scenes with friction on which laws differ */
} counts;

static counts count(const results *r) {
    counts t = {.pulling = {0, 0}};
    for (int i = 0; i < r->count; i++) {
        const scene_result *s = r->scenes + i;
        const law_outcomes *plastic = outcomes_of(s, SETTING_PLASTIC, CAROM_IMPACT_LAW_PROPAGATIVE);
        const double between =
            elastic_distance(s, CAROM_IMPACT_LAW_PROPAGATIVE, CAROM_IMPACT_LAW_NEWTON_MOREAU);
        const double rough = largest_distance(s, SETTING_FRICTION);
        const bool is_compared =
            between > AGREE && outcomes_of(s, SETTING_ELASTIC, CAROM_IMPACT_LAW_COMPLIANT) != NULL;
        add(plastic != NULL, plastic != NULL && is_pulling(s, plastic), &t.pulling);
        add(!isnan(between), between > AGREE, &t.apart);
        add(is_compared, is_limit(s, CAROM_IMPACT_LAW_NEWTON_MOREAU), &t.moreau);
        add(is_compared, is_limit(s, CAROM_IMPACT_LAW_PROPAGATIVE), &t.reflections);
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

void impact_laws_write_measures(const results *r) {
    write_tallies(r);
    write_energies(r);
    write_misses(r);
}
