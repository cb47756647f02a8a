/** How claims about scenes are decided. */
#include "scene_claims.h"

#include <string.h>

/** Rounding of energies, in parts of that before. */
static const double ROUNDING = 1e-9;

const scene_result *scene_find(const results *r, const char *name) {
    for (int i = 0; i < r->count; i++) {
        if (strcmp(r->scenes[i].entry->name, name) == 0) {
            return r->scenes + i;
        }
    }
    return NULL;
}

const law_outcomes *scene_outcomes(const scene_result *s, impact_setting setting,
                                   carom_impact_law_id law) {
    const law_outcomes *a = s == NULL ? NULL : &s->outcomes[setting][law];
    return a != NULL && a->kind == OUTCOMES_FOUND ? a : NULL;
}

int scene_is_within(const scene_result *s, impact_setting setting, carom_impact_law_id from,
                    carom_impact_law_id to, double distance) {
    if (scene_outcomes(s, setting, from) == NULL || scene_outcomes(s, setting, to) == NULL) {
        return UNDECIDED;
    }
    return s->distance[setting][from][to] <= distance ? 1 : 0;
}

int scenes_all(const results *r, impact_setting setting, carom_impact_law_id law,
               bool (*condition)(const scene_result *s, const law_outcomes *a)) {
    int holds = UNDECIDED;
    for (int i = 0; i < r->count; i++) {
        const law_outcomes *a = &r->scenes[i].outcomes[setting][law];
        if (a->kind == OUTCOMES_FOUND) {
            holds = holds != 0 && condition(r->scenes + i, a) ? 1 : 0;
        }
    }
    return holds;
}

int scene_law_count(const scene_result *s, impact_setting setting) {
    int count = 0;
    for (int law = 0; law < LAWS; law++) {
        count += scene_outcomes(s, setting, (carom_impact_law_id)law) != NULL ? 1 : 0;
    }
    return count;
}

double scene_largest_distance(const scene_result *s, impact_setting setting) {
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

int holds_both(int one, int other) {
    return one == UNDECIDED || other == UNDECIDED ? UNDECIDED : one * other;
}

bool outcomes_gain_nothing(const scene_result *s, const law_outcomes *a) {
    (void)s;
    return impact_laws_most_energy(a) <= 1.0 + ROUNDING;
}

/** Outcome k alone, borrowed. */
static law_outcomes single(const carom_impact_problem *problem, const law_outcomes *a, int k) {
    law_outcomes one = *a;
    one.count = 1;
    one.weighted = a->weighted + (size_t)k * (size_t)problem->coordinate_count;
    return one;
}

double outcomes_spread(const carom_impact_problem *problem, const law_outcomes *a) {
    double largest = 0.0;
    for (int k = 0; k < a->count; k++) {
        const law_outcomes one = single(problem, a, k);
        largest = fmax(largest, impact_laws_distance(problem, a, &one));
    }
    return largest;
}

double outcomes_beyond(const carom_impact_problem *problem, const law_outcomes *from,
                       const law_outcomes *a, const law_outcomes *b) {
    double largest = 0.0;
    for (int k = 0; k < from->count; k++) {
        const law_outcomes one = single(problem, from, k);
        largest = fmax(largest, fmin(impact_laws_distance(problem, &one, a),
                                     impact_laws_distance(problem, &one, b)));
    }
    return largest;
}

void scene_claims_write(const results *r, int count, const scene_claim *claims) {
    for (int i = 0; i < count; i++) {
        const int holds = claims[i].decide(r);
        if (holds != UNDECIDED) {
            carom_record_claim(r->record, claims[i].name, holds != 0, claims[i].text);
        }
    }
}
