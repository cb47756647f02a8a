/** How statements about scenes are decided. */
#include "decisions.h"

#include <string.h>

/** Rounding of energies, in parts of that before. */
static const double ROUNDING = 1e-9;

const scene_result *decisions_scene(const results *r, const char *name) {
    for (int i = 0; i < r->count; i++) {
        if (strcmp(r->scenes[i].entry->name, name) == 0) {
            return r->scenes + i;
        }
    }
    return NULL;
}

const answer *decisions_answer(const scene_result *s, impact_setting setting,
                               carom_impact_law_id law) {
    const answer *a = s == NULL ? NULL : &s->answers[setting][law];
    return a != NULL && a->kind == ANSWER_GIVEN ? a : NULL;
}

int decisions_within(const scene_result *s, impact_setting setting, carom_impact_law_id from,
                     carom_impact_law_id to, double distance) {
    if (decisions_answer(s, setting, from) == NULL || decisions_answer(s, setting, to) == NULL) {
        return UNDECIDED;
    }
    return s->distance[setting][from][to] <= distance ? 1 : 0;
}

int decisions_all(const results *r, impact_setting setting, carom_impact_law_id law,
                  bool (*condition)(const scene_result *s, const answer *a)) {
    int verdict = UNDECIDED;
    for (int i = 0; i < r->count; i++) {
        const answer *a = &r->scenes[i].answers[setting][law];
        if (a->kind == ANSWER_GIVEN) {
            verdict = verdict != 0 && condition(r->scenes + i, a) ? 1 : 0;
        }
    }
    return verdict;
}

int decisions_answering(const scene_result *s, impact_setting setting) {
    int count = 0;
    for (int law = 0; law < LAWS; law++) {
        count += decisions_answer(s, setting, (carom_impact_law_id)law) != NULL ? 1 : 0;
    }
    return count;
}

double decisions_largest_distance(const scene_result *s, impact_setting setting) {
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

int decisions_both(int one, int other) {
    return one == UNDECIDED || other == UNDECIDED ? UNDECIDED : one * other;
}

bool decisions_gain_nothing(const scene_result *s, const answer *a) {
    (void)s;
    return impact_laws_most_energy(a) <= 1.0 + ROUNDING;
}

/** Outcome k alone, borrowed. */
static answer single(const carom_impact_problem *problem, const answer *a, int k) {
    answer one = *a;
    one.count = 1;
    one.weighted = a->weighted + (size_t)k * (size_t)problem->coordinate_count;
    return one;
}

double decisions_spread(const carom_impact_problem *problem, const answer *a) {
    double largest = 0.0;
    for (int k = 0; k < a->count; k++) {
        const answer one = single(problem, a, k);
        largest = fmax(largest, impact_laws_distance(problem, a, &one));
    }
    return largest;
}

double decisions_beyond(const carom_impact_problem *problem, const answer *from, const answer *a,
                        const answer *b) {
    double largest = 0.0;
    for (int k = 0; k < from->count; k++) {
        const answer one = single(problem, from, k);
        largest = fmax(largest, fmin(impact_laws_distance(problem, &one, a),
                                     impact_laws_distance(problem, &one, b)));
    }
    return largest;
}

void decisions_write(const results *r, int count, const decision *statements) {
    for (int i = 0; i < count; i++) {
        const int holds = statements[i].decide(r);
        if (holds != UNDECIDED) {
            carom_record_claim(r->record, statements[i].name, holds != 0, statements[i].text);
        }
    }
}
