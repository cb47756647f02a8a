/** The statements of the paper about this impact, decided from the results: /claims. */
#include "results.h"

#include <carom/study/contact_mode_classes.h>
#include <carom/study/impact_claims.h>

/** A sample so close to an outcome, in parts of the closing speed before the impact, has found it:
 * 3e-3 m/s with the published parameters, what 2^14 samples of the simplest example reach. */
static const double FOUND = 6e-3;

/** Speeds between these parts of a simultaneous solution's are neither rest nor the solution's. */
static const double LEAST_BETWEEN = 0.1;
static const double MOST_BETWEEN = 0.9;

/** Friction this much below or above a threshold, in parts of it, decides: far beyond rounding. */
static const double BESIDE = 1e-6;

/** The speed at which the impact begins. */
static double closing_speed(const results *r) {
    const double *c = r->study->target.problem->contact_velocity;
    return fmax(-c[NORMAL_A], -c[NORMAL_B]);
}

/** Whether two velocities of contact space are the same up to the speed that counts as zero. */
static bool are_equal(const results *r, const double *a, const double *b) {
    bool is_same = true;
    for (int i = 0; i < ROWS; i++) {
        const double rest = carom_contact_mode_resting_speed(r->study->target.problem, i);
        is_same = is_same && fabs(a[i] - b[i]) <= rest;
    }
    return is_same;
}

/** Normal impulse of a contact in the simultaneous solution of a class of modes; NaN without it. */
static double impulse_of(const results *r, const char *modes, int contact) {
    int index = 0;
    return compass_gait_solution(r, modes, &index) == NULL
               ? (double)NAN
               : r->study_results.simultaneous->impulse[index * ROWS + contact];
}

/** Whether in all simultaneous solutions A sticks. */
static bool leading_foot_sticks(const results *r) {
    const carom_impact_outcomes *s = r->study_results.simultaneous;
    bool sticks = s->count > 0;
    for (int i = 0; i < s->count; i++) {
        const double *c = s->contact_velocity + i * ROWS;
        sticks = sticks && carom_contact_mode_is_at_rest(r->study->target.problem, c, NORMAL_A) &&
                 carom_contact_mode_is_at_rest(r->study->target.problem, c, TANGENTIAL_A);
    }
    return sticks;
}

/** What section 3.1 and figure 4 say of the simultaneous law. */
static void write_simultaneous(const results *r) {
    carom_record *record = r->study->target.record;
    carom_record_claim(record, "simultaneous_has_three_solutions",
                       r->study_results.simultaneous->count == 3,
                       "the simultaneous law has three solutions");
    carom_record_claim(record, "simultaneous_leading_foot_sticks", leading_foot_sticks(r),
                       "in all simultaneous solutions the leading foot sticks");
    // Impulses of the size of rounding count as none; NaN fails every comparison.
    const double none =
        carom_contact_mode_resting_speed(r->study->target.problem, NORMAL_A) * r->gait->leg_mass;
    carom_record_claim(record, "trailing_foot_lifts_off",
                       impulse_of(r, "SL", 0) > none && fabs(impulse_of(r, "SL", 1)) <= none,
                       "an impact at the leading foot alone makes the trailing foot lift off");
    carom_record_claim(record, "trailing_foot_slides",
                       impulse_of(r, "Ss", 0) > none && impulse_of(r, "Ss", 1) > none,
                       "impacts at both feet can result in the trailing foot sliding");
    carom_record_claim(record, "trailing_foot_rests",
                       impulse_of(r, "SS", 0) > none && impulse_of(r, "SS", 1) > none,
                       "impacts at both feet can result in the trailing foot coming to "
                       "rest");
}

/** The sequences: an impact at A is the first solution, and ends the sequence. */
static void write_sequential(const results *r) {
    const carom_sequential_impacts *sequential = r->study_results.sequential;
    const double *lifting = compass_gait_solution(r, "SL", NULL);
    bool is_single = lifting != NULL;
    for (int i = 0; i < sequential->count && is_single; i++) {
        const carom_sequential_impact *s = sequential->sequences[i];
        is_single = s->is_finished && s->stage_count > 0 &&
                    are_equal(r, s->contact_velocity + (s->stage_count - 1) * ROWS, lifting);
    }
    carom_record_claim(r->study->target.record, "sequences_are_a_single_impact", is_single,
                       "both sequences are the impact at the leading foot alone");
}

/** Whether the simultaneous law brings both feet to rest with that friction. */
static carom_status find_rest(const results *r, double friction, bool *rests) {
    carom_compass_gait_params gait = *r->gait;
    gait.friction = friction;
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_AUTO(carom_impact_result) result = NULL;
    *rests = false;
    CAROM_TRY(carom_compass_gait_alloc(&gait, &scene, r->report));
    CAROM_TRY(carom_impact_problem_of_scene(scene, &problem, r->report));
    CAROM_TRY(
        carom_impact_law_run(&carom_impact_law_anitescu_potra, problem, NULL, &result, r->report));
    for (int i = 0; i < result->count; i++) {
        *rests = *rests || compass_gait_is_in(r, result->contact_velocity + i * ROWS, "SS");
    }
    return CAROM_OK;
}

/** Rest appears at a threshold of friction. */
static carom_status write_threshold(const results *r) {
    const double least = compass_gait_rest_friction(r);
    if (isnan(least)) {
        return CAROM_OK;
    }
    bool rests_below = false;
    bool rests_above = false;
    CAROM_TRY(find_rest(r, least * (1.0 - BESIDE), &rests_below));
    CAROM_TRY(find_rest(r, least * (1.0 + BESIDE), &rests_above));
    carom_record_claim(r->study->target.record, "rest_needs_friction", !rests_below && rests_above,
                       "the feet can come to rest from the least friction on, not below");
    return CAROM_OK;
}

/** What is_part asks: a class of modes, and B's speed as a part of a solution's. */
typedef struct part {
    const results *r;
    const char *modes;
    int row;
    double speed;
} part;

static bool is_part(const double *c, void *context) {
    const part *of = context;
    const double share = c[of->row] / of->speed;
    return compass_gait_is_in(of->r, c, of->modes) && share > LEAST_BETWEEN && share < MOST_BETWEEN;
}

/** Whether samples end in these modes with a scaled-down speed of the solution of these modes. */
static bool has_part(const results *r, const char *modes, int row) {
    const double *solution = compass_gait_solution(r, modes, NULL);
    if (solution == NULL) {
        return false;
    }
    part of = {.r = r, .modes = modes, .row = row, .speed = solution[row]};
    return carom_impact_samples_count(r->study_results.samples, is_part, &of) > 0;
}

/** A speed of A that is not rest while B stays on the floor. */
static bool a_lifts(const double *c, void *problem) {
    return c[NORMAL_A] > carom_contact_mode_resting_speed(problem, NORMAL_A) &&
           carom_contact_mode_is_at_rest(problem, c, NORMAL_B);
}

static bool a_slides(const double *c, void *problem) {
    return carom_contact_mode_is_at_rest(problem, c, NORMAL_A) &&
           carom_contact_mode_is_at_rest(problem, c, NORMAL_B) &&
           !carom_contact_mode_is_at_rest(problem, c, TANGENTIAL_A);
}

static bool both_lift(const double *c, void *problem) {
    return c[NORMAL_A] > carom_contact_mode_resting_speed(problem, NORMAL_A) &&
           c[NORMAL_B] > carom_contact_mode_resting_speed(problem, NORMAL_B);
}

/** A moves, and B does not lift off, if impulses alternate. */
static carom_status write_alternation(const results *r) {
    carom_record *record = r->study->target.record;
    compass_gait_alternation paths;
    CAROM_TRY(compass_gait_count_alternation(r, &paths));
    carom_record_measure(record, "paths_moving_A", paths.moving, "1",
                         "samples that end with A lifting off or sliding, B in contact");
    carom_record_measure(record, "paths_alternating", paths.alternating, "1",
                         "of these, with B driven down in between");
    carom_record_claim(record, "a_moves_after_alternation",
                       paths.moving > 0 && paths.alternating == paths.moving,
                       "where A lifts off or slides, B in contact, an impulse at A drove B "
                       "down before the last one at B");
    return CAROM_OK;
}

/** What section 5.4.2 and figure 10 say of the sampled set. */
static carom_status write_set(const results *r) {
    carom_record *record = r->study->target.record;
    const carom_impact_samples *samples = r->study_results.samples;
    const carom_impact_outcomes *s = r->study_results.simultaneous;
    void *problem = (void *)r->study->target.problem;
    const double found = FOUND * closing_speed(r);
    bool is_found = s->count > 0;
    for (int i = 0; i < s->count; i++) {
        is_found = is_found &&
                   carom_impact_samples_distance(samples, s->contact_velocity + i * ROWS) <= found;
    }
    const compass_gait_hull hull = compass_gait_compare_hull(r);
    carom_record_claim(record, "set_holds_simultaneous", is_found,
                       "the sampled set contains every simultaneous solution");
    carom_record_claim(record, "set_holds_combinations", hull.interior > 0,
                       "it contains convex combinations of the three solutions");
    carom_record_claim(record, "set_holds_slower_lifting", has_part(r, "SL", NORMAL_B),
                       "it contains outcomes with B lifting off more slowly");
    carom_record_claim(record, "set_holds_slower_sliding", has_part(r, "Ss", TANGENTIAL_B),
                       "it contains outcomes with B sliding more slowly");
    carom_record_claim(record, "set_holds_a_lifting",
                       carom_impact_samples_count(samples, a_lifts, problem) > 0,
                       "A can lift off while B maintains contact");
    carom_record_claim(record, "set_holds_a_sliding",
                       carom_impact_samples_count(samples, a_slides, problem) > 0,
                       "A can slide while B maintains contact");
    CAROM_TRY(write_alternation(r));
    carom_record_claim(record, "one_foot_stays",
                       carom_impact_samples_count(samples, both_lift, problem) == 0,
                       "at least one foot stays on the floor");
    return CAROM_OK;
}

carom_status compass_gait_write_claims(const results *r) {
    const carom_impact_problem *problem = r->study->target.problem;
    carom_impact_claims_theorems(r->study, &r->study_results);
    if (!carom_impact_is_colliding(problem, problem->contact_velocity)) {
        return CAROM_OK;
    }
    write_simultaneous(r);
    write_sequential(r);
    CAROM_TRY(write_threshold(r));
    return write_set(r);
}
