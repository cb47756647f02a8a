/** A set of samples beside the exact set. */
#include "results.h"

#include <stdlib.h>

/** Points of each segment of the exact set from which the nearest outcome is sought: 1/1000 of the
 * segment is finer than any coverage measured here. */
enum { SEGMENT_POINTS = 1001 };

/** Normal speeds of the finished outcomes, [finished][CORNERS]. */
static int collect(const carom_impact_samples *samples, double *normal) {
    int count = 0;
    for (int i = 0; i < samples->count; i++) {
        if (samples->is_finished[i] != 0) {
            const double *c = samples->contact_velocity + (size_t)i * (size_t)samples->row_count;
            normal[CORNERS * count] = c[0];
            normal[CORNERS * count + 1] = c[1];
            count++;
        }
    }
    return count;
}

/** Largest distance of a point of the exact set from the nearest outcome. */
static carom_status measure_coverage(const results *r, int count, const double *normal,
                                     double *radius) {
    enum { PROBES = CORNERS * SEGMENT_POINTS };
    double probes[PROBES][CORNERS] = {{0.0}};
    const double spacing = r->exact.largest_rebound / (SEGMENT_POINTS - 1);
    for (int i = 0; i < PROBES; i++) {
        const int point = i / CORNERS;
        probes[i][i % CORNERS] = spacing * point;
    }
    carom_point_tree *tree = NULL;
    carom_covering covering;
    CAROM_TRY(carom_point_tree_alloc(count, CORNERS, normal, &tree, r->run->report));
    const carom_status status = carom_covering_measure(
        tree, PROBES, probes[0], r->run->study->common->threads, NULL, &covering, r->run->report);
    carom_point_tree_free(tree);
    *radius = covering.radius;
    return status;
}

/** What each finished outcome adds. */
static void add_outcomes(const results *r, const carom_impact_samples *samples,
                         sample_measures *out) {
    double sum = 0.0;
    for (int i = 0; i < samples->count; i++) {
        if (samples->is_finished[i] == 0) {
            continue;
        }
        const double *c = samples->contact_velocity + (size_t)i * (size_t)samples->row_count;
        const double rebound = fmax(c[0], c[1]);
        sum += rebound;
        out->largest_rebound = fmax(out->largest_rebound, rebound);
        out->slip = fmax(out->slip, fmax(fabs(c[CORNERS]), fabs(c[CORNERS + 1])));
        if (r->has_exact) {
            const double length = carom_rigid_block_exact_length(&r->exact, rebound);
            out->set_distance =
                fmax(out->set_distance, carom_rigid_block_exact_distance(&r->exact, c));
            out->length_error = fmax(out->length_error, fabs(samples->impulse[i] - length));
        }
    }
    out->mean_rebound = sum / out->finished;
}

carom_status block_impact_measure_samples(const results *r, const carom_impact_samples *samples,
                                          sample_measures *out) {
    // fmax passes NaN over: what is never found stays NaN.
    *out = (sample_measures){.set_distance = NAN,
                             .length_error = NAN,
                             .slip = NAN,
                             .coverage = NAN,
                             .largest_rebound = NAN,
                             .mean_rebound = NAN};
    double *normal = malloc(CORNERS * (size_t)samples->count * sizeof *normal);
    if (normal == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    out->finished = collect(samples, normal);
    add_outcomes(r, samples, out);
    carom_status status = CAROM_OK;
    if (r->has_exact && out->finished > 0) {
        status = measure_coverage(r, out->finished, normal, &out->coverage);
    }
    free(normal);
    return status;
}
