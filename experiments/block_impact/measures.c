/** Numbers drawn from the sampled set: /measures. */
#include "results.h"

/** LCPs per sample that table 3 prints. */
static const double PUBLISHED_INCREMENTS = 2.67;

/** Share of the samples that a single increment has ended. */
static double share_of_single(const carom_impact_samples *samples) {
    int count = 0;
    for (int i = 0; i < samples->count; i++) {
        count += samples->increments[i] == 1 && samples->is_finished[i] != 0 ? 1 : 0;
    }
    return (double)count / samples->count;
}

block_impact_single block_impact_single_increment(const results *r) {
    const double h = r->values->sampling.impulse_step;
    // A single increment ends the impact if both caps admit the impulse that leads to rest.
    const double admitted = fmax(1.0 - r->exact.corner_impulse / h, 0.0);
    block_impact_single single = {.expected = admitted * admitted};
    single.observed = share_of_single(r->study_results.samples);
    single.standard_error =
        sqrt(single.expected * (1.0 - single.expected) / r->study_results.samples->count);
    return single;
}

/** Numbers that exist only beside the exact set. */
static void write_against_exact(const results *r, const sample_measures *s) {
    carom_record *record = r->study->target.record;
    carom_record_measure(record, "set_distance", s->set_distance, "m s-1",
                         "largest distance of an outcome from the exact set");
    carom_record_measure(record, "length_error", s->length_error, "N s",
                         "largest deviation of an impact from its exact length in s");
    carom_record_measure(record, "coverage", s->coverage, "m s-1",
                         "largest distance of the exact set from an outcome");
    if (r->values->sampling.sampling != CAROM_CAPS_UNIFORM) {
        return;
    }
    const block_impact_single single = block_impact_single_increment(r);
    carom_record_measure(record, "single_increment_expected", single.expected, "1",
                         "probability that one increment ends the impact");
    carom_record_measure(record, "single_increment_observed", single.observed, "1",
                         "share of the samples that one increment ends");
    carom_record_measure(record, "single_increment_standard_error", single.standard_error, "1",
                         "standard error of that share");
}

carom_status block_impact_write_measures(const results *r) {
    carom_record *record = r->study->target.record;
    sample_measures s;
    CAROM_TRY(block_impact_measure_samples(r, r->study_results.samples, &s));
    carom_record_measure(record, "increments_minus_published",
                         r->study_results.samples->mean_increments - PUBLISHED_INCREMENTS, "1",
                         "mean increments of a sample less those of table 3");
    carom_record_measure(record, "most_increments", s.most_increments, "1",
                         "increments of the longest sample");
    if (s.finished == 0) {
        return CAROM_OK;
    }
    carom_record_measure(record, "slip", s.slip, "m s-1", "largest tangential speed of an outcome");
    carom_record_measure(record, "largest_rebound", s.largest_rebound, "m s-1",
                         "largest normal speed of an outcome");
    carom_record_measure(record, "mean_rebound", s.mean_rebound, "m s-1",
                         "mean of the larger normal speed of an outcome");
    if (r->has_exact) {
        write_against_exact(r, &s);
    }
    return CAROM_OK;
}
