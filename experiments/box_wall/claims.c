/** The statements of the paper about this impact, decided from the results: /claims. */
#include "results.h"

#include <carom/base/vector.h>
#include <carom/study/impact_claims.h>

/** A sample so close to an outcome, in parts of the speed before the impact, has found it: 3e-3 m/s
 * with the published parameters, what 2^14 samples of the simplest example reach. */
static const double FOUND = 3e-3;

/** Speeds between these parts of the sequence's are neither rest nor the sequence's. */
static const double LEAST_BETWEEN = 0.1;
static const double MOST_BETWEEN = 0.9;

/** A slides faster than in the sequence if its speed is beyond it by this part. */
static const double FASTER = 1e-3;

/** Equal steps from one outcome to another in their combinations. */
enum { COMBINATION_STEPS = 8 };

/** The speeds that the conditions on samples compare with. */
typedef struct reference_speeds {
    double rest;       /**< speed that counts as zero, m/s */
    const double *end; /**< speeds after the sequence that begins at the wall */
} reference_speeds;

/** Claims of section 3.1 and figure 5(b) about the simultaneous law. */
static carom_status write_simultaneous(const results *r) {
    const carom_impact_outcomes *s = r->study_results.simultaneous;
    carom_record_claim(r->study->target.record, "simultaneous_rests",
                       s->count == 1 && carom_vector_largest(ROWS, s->contact_velocity) <=
                                            box_wall_rest_speed(r),
                       "the simultaneous law brings the box to rest");
    return box_wall_write_threshold(r);
}

/** Claims of section 3.1 and figure 5(c) about the sequence that begins at the wall. */
static void write_sequence(const results *r) {
    carom_record *record = r->study->target.record;
    const carom_sequential_impact *s = box_wall_sequence(r, 1);
    const double rest = box_wall_rest_speed(r);
    const double *mid = s->contact_velocity;
    const double *end = box_wall_sequence_end(r, 1);
    const double *rates = s->velocity + COORDINATES - 1;
    carom_record_claim(record, "wall_triggers_floor", s->contact[0] == 1 && mid[NORMAL_A] < -rest,
                       "a single impact at the wall triggers a second one at the floor");
    const bool turns =
        s->stage_count == 2 && s->is_finished && rates[0] > 0.0 && rates[COORDINATES] > 0.0;
    carom_record_claim(record, "sequence_turns_counter_clockwise", turns,
                       "after each of the two impacts the box turns counter-clockwise");
    const carom_impact_problem *problem = r->study->target.problem;
    const double *response = problem->impulse_response + (COORDINATES - 1) * ROWS;
    carom_record_claim(record, "normal_impulses_turn_counter_clockwise",
                       response[NORMAL_A] > 0.0 && response[NORMAL_B] > 0.0,
                       "the normal impulses at floor and wall both turn it "
                       "counter-clockwise");
    const double *L = s->impulse + (s->stage_count - 1) * ROWS;
    double first = 0.0;
    double second = 0.0;
    for (int i = 0; i < ROWS; i++) {
        first += response[i] * s->impulse[i];
        second += response[i] * (L[i] - s->impulse[i]);
    }
    carom_record_claim(record, "both_impacts_add_rotation", first > 0.0 && second > 0.0,
                       "both impacts, friction included, add counter-clockwise "
                       "rotation");
    carom_record_claim(record, "sequence_slides_at_floor",
                       fabs(end[NORMAL_A]) <= rest && end[TANGENTIAL_A] > rest,
                       "after the sequence A continues sliding");
    carom_record_claim(record, "sequence_lifts_from_wall", end[NORMAL_B] > rest,
                       "after the sequence B has lifted off the wall");
}

/** The other order begins with an impact that does nothing. */
static void write_other_order(const results *r) {
    const double *a = box_wall_sequence_end(r, 0);
    const double *b = box_wall_sequence_end(r, 1);
    double distance = 0.0;
    for (int i = 0; i < ROWS; i++) {
        distance = fmax(distance, a == NULL ? (double)INFINITY : fabs(a[i] - b[i]));
    }
    carom_record_claim(r->study->target.record, "orders_are_the_same",
                       distance <= box_wall_rest_speed(r),
                       "both orders give the same outcome: A has no impact before B");
}

static bool slides_and_lifts_slower(const double *c, void *context) {
    const reference_speeds *of = context;
    const double slide = c[TANGENTIAL_A] / of->end[TANGENTIAL_A];
    const double lift = c[NORMAL_B] / of->end[NORMAL_B];
    return slide > LEAST_BETWEEN && slide < MOST_BETWEEN && lift > LEAST_BETWEEN &&
           lift < MOST_BETWEEN;
}

static bool slides_faster(const double *c, void *context) {
    const reference_speeds *of = context;
    return c[TANGENTIAL_A] > (1.0 + FASTER) * of->end[TANGENTIAL_A];
}

static bool slides_on_wall(const double *c, void *context) {
    const reference_speeds *of = context;
    return fabs(c[NORMAL_B]) <= of->rest && fabs(c[TANGENTIAL_B]) > of->rest;
}

static bool leaves_floor(const double *c, void *context) {
    const reference_speeds *of = context;
    return fabs(c[NORMAL_A]) > of->rest;
}

static bool exceeds_sequence(const double *c, void *context) {
    const reference_speeds *of = context;
    return c[NORMAL_B] > of->end[NORMAL_B] + of->rest ||
           c[TANGENTIAL_B] < of->end[TANGENTIAL_B] - of->rest;
}

/*[boxWallCombinations]*/
/** Largest distance of combinations of both laws' outcomes from the nearest sample, m/s. */
static double distance_of_combinations(const results *r) {
    const double *rest = r->study_results.simultaneous->contact_velocity;
    const double *last = box_wall_sequence_end(r, 1);
    double distance = 0.0;
    for (int k = 1; k < COMBINATION_STEPS; k++) {
        const double share = (double)k / COMBINATION_STEPS;
        double c[ROWS];
        for (int i = 0; i < ROWS; i++) {
            c[i] = (1.0 - share) * rest[i] + share * last[i];
        }
        distance = fmax(distance, carom_impact_samples_distance(r->study_results.samples, c));
    }
    return distance;
}
/*[end boxWallCombinations]*/

/** Combinations of the simultaneous outcome with the sequential one. */
static void write_combinations(const results *r) {
    carom_record *record = r->study->target.record;
    if (r->study_results.simultaneous->count == 0 ||
        r->study_results.samples->fraction_finished <= 0.0) {
        return;
    }
    const double distance = distance_of_combinations(r);
    carom_record_measure(record, "combinations_distance", distance, "m s-1",
                         "largest distance of combinations of simultaneous and "
                         "sequential outcome from the nearest sample");
    carom_record_claim(record, "set_holds_combinations",
                       distance <= FOUND * fabs(r->box->initial_velocity),
                       "it contains convex combinations of these two outcomes");
}

/** Claims of section 5.4.3 and figure 11 about the sampled set. */
static void write_set(const results *r) {
    carom_record *record = r->study->target.record;
    const carom_impact_samples *samples = r->study_results.samples;
    const carom_impact_outcomes *s = r->study_results.simultaneous;
    const double found = FOUND * fabs(r->box->initial_velocity);
    reference_speeds of = {.rest = box_wall_rest_speed(r), .end = box_wall_sequence_end(r, 1)};
    carom_record_claim(record, "set_holds_simultaneous",
                       s->count > 0 &&
                           carom_impact_samples_distance(samples, s->contact_velocity) <= found,
                       "the sampled set contains the simultaneous outcome");
    carom_record_claim(record, "set_holds_sequential",
                       carom_impact_samples_distance(samples, of.end) <= found,
                       "it contains the sequential outcome");
    write_combinations(r);
    const struct {
        const char *name;
        bool (*condition)(const double *c, void *context);
        bool is_expected;
        const char *statement;
    } rows[] = {
        {"set_holds_between", slides_and_lifts_slower, true,
         "it contains outcomes between, with A sliding and B lifting off"},
        {"set_holds_faster_sliding", slides_faster, true, "some samples let A slide even faster"},
        {"set_holds_sliding_on_wall", slides_on_wall, true,
         "others let B slide instead of lifting or sticking"},
        {"floor_is_kept", leaves_floor, false, "A stays on the floor"},
        {"sequence_is_extreme", exceeds_sequence, false,
         "no sample lifts B faster, or moves it up faster, than the sequence"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const bool is_there = carom_impact_samples_count(samples, rows[i].condition, &of) > 0;
        carom_record_claim(record, rows[i].name, is_there == rows[i].is_expected,
                           rows[i].statement);
    }
}

carom_status box_wall_write_claims(const results *r) {
    carom_impact_claims_theorems(r->study, &r->study_results);
    if (box_wall_sequence(r, 1) == NULL) {
        return CAROM_OK;
    }
    CAROM_TRY(write_simultaneous(r));
    write_sequence(r);
    write_other_order(r);
    write_set(r);
    return CAROM_OK;
}
