/** The statements of the paper about this impact, decided from the results: /claims. */
#include "results.h"

#include <carom/study/impact_claims.h>

/** A sample so close to an outcome, in parts of the closing speed before the impact, has found it:
 * 3e-3 m/s is what 2^14 samples of the simplest example reach; here the solutions themselves are
 * 7e-3 m/s apart, so a tenth of that. */
static const double FOUND = 6e-4;

/** Speeds between these parts of a simultaneous solution's are neither rest nor the solution's. */
static const double LEAST_BETWEEN = 0.1;
static const double MOST_BETWEEN = 0.9;

/** The speed at which the impact begins. */
static double closing_speed(const results *r) {
    const double *c = r->study->target.problem->contact_velocity;
    return fmax(-c[NORMAL_A], -c[NORMAL_B]);
}

/** Whether in all simultaneous solutions A sticks. */
static bool leading_foot_sticks(const results *r) {
    const carom_impact_outcomes *s = r->study_results.simultaneous;
    bool sticks = s->count > 0;
    for (int i = 0; i < s->count; i++) {
        sticks = sticks && ramone_a_sticks(r, s->contact_velocity + i * ROWS);
    }
    return sticks;
}

/** Claims of section 5.4.4 about the simultaneous law. */
static void write_simultaneous(const results *r) {
    carom_record *record = r->study->target.record;
    carom_record_claim(record, "simultaneous_leading_foot_sticks", leading_foot_sticks(r),
                       "in all simultaneous solutions the leading foot sticks");
    carom_record_claim(record, "trailing_foot_sticks", ramone_solution(r, "SS", NULL) != NULL,
                       "in one of them the trailing foot sticks");
    carom_record_claim(record, "trailing_foot_slides", ramone_solution(r, "Ss", NULL) != NULL,
                       "in one of them the trailing foot slides");
    carom_record_claim(record, "trailing_foot_lifts_off", ramone_solution(r, "SL", NULL) != NULL,
                       "in one of them the trailing foot lifts off");
    carom_record_claim(record, "simultaneous_has_three_solutions",
                       r->study_results.simultaneous->count == 3,
                       "the simultaneous law has these three solutions alone");
}

/** What is_part looks for: B's speed as a part of a solution's of the same modes. */
typedef struct part {
    const results *r;
    const char *modes;
    int row;
    double speed;
} part;

static bool is_part(const double *c, void *context) {
    const part *of = context;
    const double share = c[of->row] / of->speed;
    return ramone_is_in(of->r, c, of->modes) && share > LEAST_BETWEEN && share < MOST_BETWEEN;
}

/** Whether samples end in these modes with a scaled-down speed of the solution of these modes. */
static bool has_part(const results *r, const char *modes, int row) {
    const double *solution = ramone_solution(r, modes, NULL);
    if (solution == NULL) {
        return false;
    }
    part of = {.r = r, .modes = modes, .row = row, .speed = solution[row]};
    return carom_impact_samples_count(r->study_results.samples, is_part, &of) > 0;
}

/** Claims of section 5.4.4 and figure 13 about the sampled set. */
static void write_set(const results *r) {
    carom_record *record = r->study->target.record;
    const carom_impact_outcomes *s = r->study_results.simultaneous;
    bool is_found = s->count > 0;
    for (int i = 0; i < s->count; i++) {
        is_found = is_found && carom_impact_samples_distance(r->study_results.samples,
                                                             s->contact_velocity + i * ROWS) <=
                                   FOUND * closing_speed(r);
    }
    carom_record_claim(record, "set_holds_simultaneous", is_found,
                       "the sampled set contains every simultaneous solution");
    carom_record_claim(record, "set_holds_slower_lifting", has_part(r, "SL", NORMAL_B),
                       "it contains outcomes with B lifting off more slowly");
    carom_record_claim(record, "set_holds_slower_sliding", has_part(r, "Ss", TANGENTIAL_B),
                       "it contains outcomes with B sliding more slowly");
    const ramone_hull hull = ramone_compare_hull(r);
    carom_record_claim(record, "outcomes_are_between",
                       hull.is_known && hull.inside == hull.finished,
                       "all outcomes are between the simultaneous solutions");
    carom_record_claim(record, "leading_foot_sticks_throughout", r->leading.slipped == 0,
                       "point A remains in stiction for the entire impact");
}

void ramone_write_claims(const results *r) {
    const carom_impact_problem *problem = r->study->target.problem;
    carom_impact_claims_theorems(r->study, &r->study_results);
    if (!carom_impact_is_colliding(problem, problem->contact_velocity)) {
        return;
    }
    write_simultaneous(r);
    write_set(r);
}
