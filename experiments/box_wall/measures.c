/** Numbers drawn from the impact and the sampled set: /measures. */
#include "results.h"

#include <carom/study/impact_claims.h>

/** LCPs per sample that table 3 prints. */
static const double PUBLISHED_INCREMENTS = 1.97;

/** Speeds up to this part of the one before the impact count as zero: far above the rounding of a
 * few increments, far below any speed that matters. */
static const double REST = 1e-9;

double box_wall_rest_speed(const results *r) {
    return REST * fabs(r->box->initial_velocity);
}

const carom_sequential_impact *box_wall_sequence(const results *r, int first) {
    const carom_sequential_impacts *sequential = r->study_results.sequential;
    for (int i = 0; i < sequential->count; i++) {
        const carom_sequential_impact *s = sequential->sequences[i];
        if (s->order[0] == first && s->stage_count > 0) {
            return s;
        }
    }
    return NULL;
}

const double *box_wall_sequence_end(const results *r, int first) {
    const carom_sequential_impact *s = box_wall_sequence(r, first);
    return s == NULL ? NULL : s->contact_velocity + (s->stage_count - 1) * ROWS;
}

/** Numbers about the sequence that begins at the wall. */
static void write_sequence(const results *r) {
    carom_record *record = r->study->target.record;
    const carom_sequential_impact *s = box_wall_sequence(r, 1);
    if (s == NULL) {
        return;
    }
    carom_record_measure(record, "rate_after_wall", s->velocity[COORDINATES - 1], "rad s-1",
                         "angular velocity after B alone");
    const double *end = s->velocity + (s->stage_count - 1) * COORDINATES;
    carom_record_measure(record, "rate_after_sequence", end[COORDINATES - 1], "rad s-1",
                         "angular velocity after the sequence");
    carom_record_measure(record, "sequence_slide_A", box_wall_sequence_end(r, 1)[TANGENTIAL_A],
                         "m s-1", "tangential speed of A after the sequence");
    carom_record_measure(record, "sequence_lift_B", box_wall_sequence_end(r, 1)[NORMAL_B], "m s-1",
                         "normal speed of B after the sequence");
}

/** Numbers about the sampled set: what is not an extent of /set. */
static void write_set(const results *r) {
    carom_record *record = r->study->target.record;
    const carom_impact_samples *samples = r->study_results.samples;
    double lift = 0.0;
    for (int i = 0; i < samples->count; i++) {
        const double *c = samples->contact_velocity + (size_t)i * ROWS;
        lift = samples->is_finished[i] != 0 ? fmax(lift, fabs(c[NORMAL_A])) : lift;
    }
    carom_record_measure(record, "largest_normal_A", lift, "m s-1",
                         "largest normal speed of A at the end");
}

void box_wall_write_measures(const results *r) {
    carom_record *record = r->study->target.record;
    const carom_impact_samples *samples = r->study_results.samples;
    carom_record_measure(record, "increments_minus_published",
                         samples->mean_increments - PUBLISHED_INCREMENTS, "1",
                         "mean increments of a sample less those of table 3");
    carom_record_measure(record, "most_increments", carom_impact_samples_most_increments(samples),
                         "1", "increments of the longest sample");
    carom_record_measure(record, "rest_friction", carom_leaning_box_rest_friction(r->box->tilt),
                         "1",
                         "least friction with which the box comes to rest: tan(45 deg - "
                         "tilt)");
    write_sequence(r);
    write_set(r);
}
