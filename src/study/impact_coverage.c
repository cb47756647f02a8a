#include <carom/study/internal.h>

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/** Contact velocities of the finished outcomes, [count][r]; belongs to the caller. */
static carom_status collect(const carom_impact_samples *samples, int *count, double **points) {
    const size_t r = (size_t)samples->row_count;
    *count = 0;
    *points = malloc((size_t)samples->count * r * sizeof **points);
    if (*points == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < samples->count; i++) {
        if (samples->is_finished[i] != 0) {
            memcpy(*points + (size_t)*count * r, samples->contact_velocity + (size_t)i * r,
                   r * sizeof **points);
            (*count)++;
        }
    }
    return CAROM_OK;
}

/** The same of a few samples of another seed. */
static carom_status collect_probes(const carom_impact_study *self, int *count, double **points,
                                   carom_report *report) {
    carom_impact_sampling_params params = carom_impact_study_params(self).sampling;
    params.samples = params.samples < CAROM_IMPACT_PROBES ? params.samples : CAROM_IMPACT_PROBES;
    params.seed = self->common->seed + 1;
    CAROM_AUTO(carom_impact_samples) samples = NULL;
    CAROM_TRY(carom_impact_sample(self->target.problem, &params, &samples, report));
    return collect(samples, count, points);
}

/** The probes, the simultaneous outcomes and the ends of the sequences, in this order. */
struct carom_sample_probes {
    int row_count;
    int count;         /**< 0: too many dimensions */
    int probe_count;   /**< the first ones, of another seed */
    int outcome_count; /**< the next ones, simultaneous */
    double *points;    /**< [count][r] owned */
    double *distances; /**< [count] owned; infinite as long as no sample has finished */
};

/** Whether a sequence has an end. */
static bool has_end(const carom_sequential_impact *s) {
    return s->stage_count > 0 && s->is_finished;
}

/** Append what the laws have found; points has room. */
static void append_outcomes(const carom_impact_study_results *results, carom_sample_probes *p) {
    const size_t r = (size_t)p->row_count;
    const carom_impact_outcomes *outcomes = results->simultaneous;
    const carom_sequential_impacts *impacts = results->sequential;
    p->outcome_count = outcomes != NULL ? outcomes->count : 0;
    if (p->outcome_count > 0) {
        memcpy(p->points + (size_t)p->count * r, outcomes->contact_velocity,
               (size_t)p->outcome_count * r * sizeof(double));
        p->count += p->outcome_count;
    }
    for (int i = 0; impacts != NULL && i < impacts->count; i++) {
        const carom_sequential_impact *s = impacts->sequences[i];
        if (has_end(s)) {
            memcpy(p->points + (size_t)p->count * r,
                   s->contact_velocity + (size_t)(s->stage_count - 1) * r, r * sizeof(double));
            p->count++;
        }
    }
}

/** The points and their distances, which are infinite so far. */
static carom_status fill_probes(const carom_impact_study *self,
                                const carom_impact_study_results *results, carom_sample_probes *p,
                                carom_report *report) {
    const size_t r = (size_t)p->row_count;
    CAROM_TRY(collect_probes(self, &p->probe_count, &p->points, report));
    const size_t most = (size_t)p->probe_count +
                        (size_t)(results->simultaneous != NULL ? results->simultaneous->count : 0) +
                        (size_t)(results->sequential != NULL ? results->sequential->count : 0) + 1;
    double *points = realloc(p->points, most * r * sizeof *points);
    if (points == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    p->points = points;
    p->distances = malloc(most * sizeof *p->distances);
    if (p->distances == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < most; i++) {
        p->distances[i] = INFINITY;
    }
    p->count = p->probe_count;
    append_outcomes(results, p);
    return CAROM_OK;
}

carom_status carom_sample_probes_alloc(const carom_impact_study *self,
                                       const carom_impact_study_results *results,
                                       carom_sample_probes **out, carom_report *report) {
    CAROM_ASSERT(self != NULL && results != NULL && out != NULL);
    *out = NULL;
    CAROM_AUTO(carom_sample_probes) probes = calloc(1, sizeof *probes);
    if (probes == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    probes->row_count = self->target.problem->row_count;
    if (probes->row_count <= CAROM_COVERING_MOST_DIMENSIONS) {
        CAROM_TRY(fill_probes(self, results, probes, report));
    }
    CAROM_HAND_OVER(probes, out);
    return CAROM_OK;
}

carom_status carom_sample_probes_add(carom_sample_probes *probes,
                                     const carom_impact_samples *samples, carom_workers workers,
                                     carom_report *report) {
    CAROM_ASSERT(probes != NULL && samples != NULL);
    int count = 0;
    CAROM_AUTO_MEMORY double *points = NULL;
    if (probes->count == 0) {
        return CAROM_OK;
    }
    CAROM_TRY(collect(samples, &count, &points));
    if (count == 0) {
        return CAROM_OK;
    }
    return carom_covering_approach_points(count, probes->row_count, points, probes->count,
                                          probes->points, workers, probes->distances, report);
}

void carom_sample_probes_free(carom_sample_probes *probes) {
    if (probes != NULL) {
        free(probes->points);
        free(probes->distances);
        free(probes);
    }
}

/** Write what the distances of the probes are, and the farthest probe, so that its distance can be
 * taken from the samples of the record. */
static carom_status write_covering(const carom_impact_study *self, int probe_count,
                                   const double *probes, const carom_covering *covering) {
    const carom_impact_quantity velocity = {"velocity", "of the probe at this distance", "m s-1"};
    carom_record *record = self->target.record;
    carom_record_integer(record, "/coverage/probe_count", probe_count, "1",
                         "finished samples of another seed; 0: not measured");
    if (probe_count == 0) {
        return CAROM_OK;
    }
    carom_record_scalar(record, "/coverage/radius", covering->radius, "m s-1",
                        "largest distance of a probe from the nearest sample");
    carom_record_scalar(record, "/coverage/mean", covering->mean, "m s-1",
                        "mean distance of probes from the nearest sample");
    carom_record_scalar(record, "/coverage/root_square", covering->root_square, "m s-1",
                        "root of the mean square of these distances");
    const int r = self->target.problem->row_count;
    carom_record coverage = carom_record_group(record, "/coverage");
    carom_record_index_axis(&coverage, "farthest", 1, "probe farthest from its nearest sample");
    return carom_impact_record_rows(&self->target, &coverage, "farthest", 1,
                                    probes + (ptrdiff_t)covering->farthest_probe * r, &velocity);
}

/** Distances of the ends of the sequences. */
static void write_sequential(const carom_impact_study *self, const double *distances,
                             const carom_sequential_impacts *impacts) {
    for (int i = 0; impacts != NULL && i < impacts->count; i++) {
        const carom_sequential_impact *s = impacts->sequences[i];
        if (!has_end(s)) {
            continue;
        }
        char name[CAROM_IMPACT_NAME_SIZE];
        carom_impact_record_name(&self->target, s->order[0], name);
        carom_record first = carom_record_group(self->target.record, "/sequential/%s_first", name);
        carom_record_scalar(&first, "distance", *distances++, "m s-1",
                            "distance in contact space from the nearest sample");
    }
}

/** Write what has been measured. */
static carom_status write_distances(const carom_impact_study *self, const carom_sample_probes *p,
                                    carom_impact_study_results *results) {
    const double *outcomes = p->distances + p->probe_count;
    if (p->probe_count > 0) {
        results->covering = carom_covering_of_distances(p->probe_count, p->distances);
        results->has_covering = true;
    }
    CAROM_TRY(write_covering(self, p->probe_count, p->points, &results->covering));
    if (p->outcome_count > 0) {
        carom_record_series(self->target.record, "/simultaneous/distance", outcomes,
                            "/simultaneous/solution", NULL, "m s-1",
                            "distance in contact space from the nearest sample");
    }
    write_sequential(self, outcomes + p->outcome_count, results->sequential);
    return CAROM_OK;
}

/** Measure the distances from the samples, if that has not been done as they came. */
static carom_status measure(const carom_impact_study *self, carom_impact_study_results *results,
                            carom_report *report) {
    if (results->probes == NULL) {
        CAROM_ASSERT(results->samples != NULL);
        CAROM_TRY(carom_sample_probes_alloc(self, results, &results->probes, report));
        CAROM_TRY(carom_sample_probes_add(results->probes, results->samples, self->common->workers,
                                          report));
    }
    const carom_sample_probes *p = results->probes;
    // Without points or without a finished sample nothing is known.
    return p->count > 0 && isfinite(p->distances[0]) ? write_distances(self, p, results)
                                                     : write_covering(self, 0, NULL, NULL);
}

carom_status carom_impact_study_coverage(const carom_impact_study *self,
                                         carom_impact_study_results *results,
                                         carom_report *report) {
    CAROM_ASSERT(self != NULL && results != NULL);
    const carom_status status = measure(self, results, report);
    if (status != CAROM_OK && report != NULL && report->context[0] == '\0') {
        carom_report_set_context(report, "coverage");
    }
    return status;
}
