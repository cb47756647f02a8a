#include <carom/study/impacts.h>

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

/** Distances of the simultaneous outcomes. */
static carom_status write_simultaneous(const carom_impact_study *self, const carom_point_tree *tree,
                                       const carom_impact_outcomes *outcomes) {
    if (outcomes == NULL || outcomes->count == 0) {
        return CAROM_OK;
    }
    CAROM_AUTO_MEMORY double *distances = malloc((size_t)outcomes->count * sizeof *distances);
    if (distances == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < outcomes->count; i++) {
        const double *c = outcomes->contact_velocity + (size_t)i * (size_t)outcomes->row_count;
        distances[i] = carom_point_tree_distance(tree, c, NULL);
    }
    carom_record_series(self->target.record, "/simultaneous/distance", distances,
                        "/simultaneous/solution", NULL, "m s-1",
                        "distance in contact space from the nearest sample");
    return CAROM_OK;
}

/** Distances of the ends of the sequences. */
static void write_sequential(const carom_impact_study *self, const carom_point_tree *tree,
                             const carom_sequential_impacts *impacts) {
    for (int i = 0; impacts != NULL && i < impacts->count; i++) {
        const carom_sequential_impact *s = impacts->sequences[i];
        if (s->stage_count == 0 || !s->is_finished) {
            continue;
        }
        char name[CAROM_IMPACT_NAME_SIZE];
        carom_impact_record_name(&self->target, s->order[0], name);
        carom_record first = carom_record_group(self->target.record, "/sequential/%s_first", name);
        const double *c = s->contact_velocity + (size_t)(s->stage_count - 1) * (size_t)s->row_count;
        carom_record_scalar(&first, "distance", carom_point_tree_distance(tree, c, NULL), "m s-1",
                            "distance in contact space from the nearest sample");
    }
}

/** Measure with a tree of the samples. */
static carom_status measure(const carom_impact_study *self, const carom_point_tree *tree,
                            carom_impact_study_results *results, carom_report *report) {
    int probe_count = 0;
    CAROM_AUTO_MEMORY double *probes = NULL;
    CAROM_TRY(collect_probes(self, &probe_count, &probes, report));
    if (probe_count > 0) {
        CAROM_TRY(carom_covering_measure(tree, probe_count, probes, self->common->workers, NULL,
                                         &results->covering, report));
        results->has_covering = true;
    }
    CAROM_TRY(write_covering(self, probe_count, probes, &results->covering));
    CAROM_TRY(write_simultaneous(self, tree, results->simultaneous));
    write_sequential(self, tree, results->sequential);
    return CAROM_OK;
}

carom_status carom_impact_study_coverage(const carom_impact_study *self,
                                         carom_impact_study_results *results,
                                         carom_report *report) {
    CAROM_ASSERT(self != NULL && results != NULL);
    const int r = self->target.problem->row_count;
    int count = 0;
    CAROM_AUTO_MEMORY double *points = NULL;
    CAROM_AUTO(carom_point_tree) tree = NULL;
    CAROM_ASSERT(results->samples != NULL);
    CAROM_TRY(collect(results->samples, &count, &points));
    if (count == 0 || r > CAROM_COVERING_MOST_DIMENSIONS) {
        return write_covering(self, 0, NULL, NULL);
    }
    carom_status status = carom_point_tree_alloc(count, r, points, &tree, report);
    status = status == CAROM_OK ? measure(self, tree, results, report) : status;
    if (status != CAROM_OK && report != NULL && report->context[0] == '\0') {
        carom_report_set_context(report, "coverage");
    }
    return status;
}
