/** Numbers drawn from the impact and the sampled set: /measures. */
#include "results.h"

#include <carom/study/impact_claims.h>

/** LCPs per sample that table 3 prints. */
static const double PUBLISHED_INCREMENTS = 9.04;

/** The least kinetic energy that a simultaneous solution leaves; NaN without any. */
static double least_energy(const results *r) {
    const carom_impact_outcomes *s = r->study_results.simultaneous;
    double least = INFINITY;
    for (int i = 0; i < s->count; i++) {
        least = fmin(least, s->kinetic_energy[i]);
    }
    return s->count > 0 ? least : (double)NAN;
}

void disk_stack_write_measures(const results *r) {
    const carom_impact_samples *samples = r->study_results.samples;
    const double mass = r->study->target.problem->mass[0];
    const struct {
        const char *name;
        double value;
        const char *units;
        const char *long_name;
    } rows[] = {
        {"increments_minus_published", samples->mean_increments - PUBLISHED_INCREMENTS, "1",
         "mean increments of a sample less those of table 3"},
        {"most_increments", carom_impact_samples_most_increments(samples), "1",
         "increments of the longest sample"},
        {"disk_mass", mass, "kg", "mass of a disc in this variant"},
        {"least_energy", least_energy(r), "J",
         "least kinetic energy of a simultaneous solution; NaN: none"},
        {"share_unfinished", 1.0 - samples->fraction_finished, "1",
         "share of samples still colliding after N increments"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        carom_record_measure(r->study->target.record, rows[i].name, rows[i].value, rows[i].units,
                             rows[i].long_name);
    }
}
