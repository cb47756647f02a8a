/** The statements of the paper about this impact, decided from the results: /claims. */
#include "results.h"

#include <carom/base/vector.h>
#include <carom/impact/anitescu_potra.h>

/** Speeds up to this part of the largest one before the impact count as zero: far above the
 * rounding of a dozen increments, far below any speed that matters. */
static const double REST = 1e-9;

/** A sample so close to an outcome, in parts of the speed before the impact, has found it: the ends
 * of the set are rare, and the nearest of the published 2^14 samples stays this far away. */
static const double FOUND = 7e-3;

/** Outcomes between these parts of a sequence's rebound are neither rest nor the sequence's. */
static const double LEAST_BETWEEN = 0.1;
static const double MOST_BETWEEN = 0.9;

/** A share of the samples within so many standard errors is as expected. */
static const double STANDARD_ERRORS = 4.0;

/** The handful of increments of the paper: at most so many. */
static const double HANDFUL = 5.0;

/** Speed that counts as zero. */
static double rest_speed(const results *r) {
    return REST * fabs(r->values->block.initial_speed);
}

/** Section 2.2.2: the simultaneous law brings the block to rest, and has no other solution; with
 * the ends of both sequences there are three outcomes. */
static carom_status write_algebraic(const results *r) {
    const carom_impact_problem *problem = r->study->target.problem;
    const carom_impact_outcomes *s = r->study_results.simultaneous;
    const double fastest = carom_vector_largest(s->row_count, s->contact_velocity);
    carom_record_claim(r->study->target.record, "simultaneous_rests",
                       s->count == 1 && fastest <= rest_speed(r),
                       "the simultaneous law brings the block to rest");
    CAROM_AUTO(carom_impact_outcomes) all = NULL;
    CAROM_TRY(carom_impact_outcomes_alloc(problem, &all));
    CAROM_TRY(carom_anitescu_potra_all(problem, all, r->report));
    CAROM_TRY(carom_sequential_impacts_add_outcomes(r->study_results.sequential, problem, all));
    carom_record_measure(r->study->target.record, "algebraic_outcomes", all->count, "1",
                         "different outcomes of the simultaneous and sequential laws");
    return CAROM_OK;
}

/** Speeds of contact space after a stage of a sequence. */
static const double *speeds_after(const carom_sequential_impact *s, int stage) {
    return s->contact_velocity + (size_t)stage * (size_t)s->row_count;
}

/** The claims in the caption of figure 1 about one order; `first` is 0 for A, 1 for B. */
static void write_sequence(const results *r, int first) {
    static const char *const sticks[] = {"a_first_sticks", "b_first_sticks"};
    static const char *const strikes[] = {"a_first_needs_b", "b_first_needs_a"};
    static const char *const pivots[] = {"a_first_pivots_about_b", "b_first_pivots_about_a"};
    carom_record *record = r->study->target.record;
    const carom_sequential_impact *s = r->study_results.sequential->sequences[first];
    const int second = 1 - first;
    const double rest = rest_speed(r);
    const double *mid = speeds_after(s, 0);
    const double *end = speeds_after(s, s->stage_count - 1);
    carom_record_claim(record, sticks[first],
                       fabs(mid[first]) <= rest && fabs(mid[CORNERS + first]) <= rest,
                       "the corner that is struck first sticks");
    carom_record_claim(record, strikes[first], mid[second] < -rest,
                       "the block then pivots, and the other corner strikes");
    const bool is_pivot = s->stage_count == 2 && s->is_finished && end[first] > rest &&
                          fabs(end[second]) <= rest && fabs(end[CORNERS + second]) <= rest;
    carom_record_claim(record, pivots[first], is_pivot,
                       "it ends as a pivot about that one, the first corner lifting off");
}

/** The direction of the first pivot, which the caption gives. */
static void write_direction(const results *r) {
    const double *v = r->study_results.sequential->sequences[0]->velocity;
    carom_record_measure(r->study->target.record, "a_first_rate", v[COORDINATES - 1], "rad s-1",
                         "angular velocity after A alone");
    carom_record_claim(r->study->target.record, "a_first_turns_counter_clockwise",
                       v[COORDINATES - 1] > 0.0,
                       "the impact at A alone makes the block turn counter-clockwise");
}

/** Distance of the nearest finished sample from speeds of contact space, m/s. */
static double distance_of_samples(const results *r, const double *c) {
    const carom_impact_samples *samples = r->study_results.samples;
    double least = INFINITY;
    for (int i = 0; i < samples->count; i++) {
        const double *s = samples->contact_velocity + (size_t)i * (size_t)samples->row_count;
        double square = 0.0;
        for (int k = 0; k < samples->row_count; k++) {
            square += (s[k] - c[k]) * (s[k] - c[k]);
        }
        least = samples->is_finished[i] != 0 ? fmin(least, square) : least;
    }
    return sqrt(least);
}

/** Whether some sample ends with corner i lifting, slower than in its sequence. */
static bool is_between(const results *r, int i, double rebound) {
    const carom_impact_samples *samples = r->study_results.samples;
    for (int k = 0; k < samples->count; k++) {
        const double *c = samples->contact_velocity + (size_t)k * (size_t)samples->row_count;
        if (samples->is_finished[k] != 0 && c[i] > LEAST_BETWEEN * rebound &&
            c[i] < MOST_BETWEEN * rebound) {
            return true;
        }
    }
    return false;
}

/** The claims of section 5.4.1 about the sampled set. */
static void write_set(const results *r) {
    carom_record *record = r->study->target.record;
    const carom_sequential_impacts *sequential = r->study_results.sequential;
    const double found = FOUND * fabs(r->values->block.initial_speed);
    const double rest = distance_of_samples(r, r->study_results.simultaneous->contact_velocity);
    bool is_found = true;
    bool has_between = true;
    for (int i = 0; i < CORNERS; i++) {
        const carom_sequential_impact *s = sequential->sequences[i];
        const double *end = speeds_after(s, s->stage_count - 1);
        is_found = is_found && distance_of_samples(r, end) <= found;
        has_between = has_between && is_between(r, i, end[i]);
    }
    carom_record_claim(record, "set_holds_simultaneous", rest <= found,
                       "the sampled set contains the simultaneous outcome");
    carom_record_claim(record, "set_holds_sequential", is_found,
                       "the sampled set contains both sequential outcomes");
    carom_record_claim(record, "set_holds_between", has_between,
                       "the sampled set contains outcomes between rest and each sequence");
}

/** What is known beside the exact set. */
static carom_status write_exact(const results *r) {
    carom_record *record = r->study->target.record;
    // A sample ends with normal speeds down to the threshold below zero.
    const carom_impact_problem *problem = r->study->target.problem;
    const double off = CORNERS * carom_impact_colliding_speed(problem, 0) + rest_speed(r);
    sample_measures s;
    CAROM_TRY(block_impact_measure_samples(r, r->study_results.samples, &s));
    carom_record_claim(record, "outcomes_are_scaled_sequences",
                       s.set_distance <= off && s.slip <= rest_speed(r),
                       "every outcome is a sequential one scaled down");
    if (r->values->sampling.sampling != CAROM_CAPS_UNIFORM) {
        return CAROM_OK;
    }
    const block_impact_single single = block_impact_single_increment(r);
    carom_record_claim(record, "single_increments_as_expected",
                       fabs(single.observed - single.expected) <=
                           STANDARD_ERRORS * single.standard_error,
                       "one increment ends the impact as often as expected");
    return CAROM_OK;
}

/** Whether all samples end within a number of increments; left out where trajectories are too short
 * to tell. */
static void write_bound(const results *r, const char *name, int most, double bound,
                        const char *statement) {
    const bool is_finished = r->study_results.samples->fraction_finished >= 1.0;
    if (isnan(bound) || (!is_finished && r->values->sampling.trajectory_length < bound)) {
        return;
    }
    carom_record_claim(r->study->target.record, name, is_finished && most <= bound, statement);
}

/** The theorems about every sampling. */
static void write_theorems(const results *r) {
    carom_record *record = r->study->target.record;
    const carom_impact_samples *samples = r->study_results.samples;
    int most = 0;
    for (int i = 0; i < samples->count; i++) {
        most = samples->increments[i] > most ? samples->increments[i] : most;
    }
    carom_record_claim(record, "every_increment_has_a_solution", samples->unsolved_count == 0,
                       "every complementarity problem is solved (Theorem 6)");
    carom_record_claim(record, "energy_never_rises", samples->energy_rise_count == 0,
                       "no increment raises the kinetic energy (Theorem 7)");
    carom_record_claim(record, "a_handful_of_increments", samples->mean_increments <= HANDFUL,
                       "impacts end within a handful of increments");
    if (!r->study_results.has_bounds) {
        return;
    }
    write_bound(r, "increments_within_theorem_8", most, r->study_results.bounds.theorem_8_count,
                "all samples end before the bound of Theorem 8 begins to fall");
    write_bound(r, "increments_within_unit_free_bound", most,
                r->study_results.bounds.unit_free_count,
                "all samples end before the unit-free bound begins to fall");
}

carom_status block_impact_write_claims(const results *r) {
    const carom_impact_problem *problem = r->study->target.problem;
    write_theorems(r);
    if (!carom_impact_is_colliding(problem, problem->contact_velocity)) {
        return CAROM_OK;
    }
    CAROM_TRY(write_algebraic(r));
    for (int i = 0; i < CORNERS; i++) {
        write_sequence(r, i);
    }
    write_direction(r);
    if (!(r->study_results.samples->fraction_finished > 0.0)) {
        return CAROM_OK;
    }
    write_set(r);
    return r->has_exact ? write_exact(r) : CAROM_OK;
}
