#include <carom/study/internal.h>

#include <carom/program/memory.h>
#include <carom/program/program.h>
#include <carom/study/propagative_record.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** All contacts of an order by their names. */
enum { NAMES_SIZE = (CAROM_IMPACT_NAME_SIZE + 1) * CAROM_SEQUENTIAL_MOST_CONTACTS };

void carom_impact_study_results_clear(carom_impact_study_results *results) {
    for (int i = 0; i < CAROM_IMPACT_LAW_COUNT; i++) {
        carom_impact_result_free(results->results[i]);
    }
    carom_sample_probes_free(results->probes);
    memset(results, 0, sizeof *results);
}

/** Say which part has failed, unless that is said already. */
static carom_status tell(carom_status status, const char *part, carom_report *report) {
    if (status != CAROM_OK && report != NULL && report->context[0] == '\0') {
        carom_report_set_context(report, part);
    }
    return status;
}

static const carom_table_column outcomes[] = {
    {.head = "energy", .expression = "kinetic_energy"},
    {.head = "v_n[]", .expression = "normal_velocity", .digits = 4},
    {.head = "v_t[]", .expression = "tangential_velocity", .digits = 4},
    {.head = "v[]", .expression = "velocity", .digits = 4},
};

static const carom_table_column ends[] = {
    {.head = "stages", .expression = "rows(kinetic_energy)"},
    {.head = "energy / J", .expression = "kinetic_energy[-1]"},
    {.head = "v_n[] / m s-1", .expression = "normal_velocity[-1,:]", .digits = 4},
    {.head = "v_t[] / m s-1", .expression = "tangential_velocity[-1,:]", .digits = 4},
};

static const carom_table_column sets[] = {
    {.head = "outcomes", .expression = "count"},
    {.head = "finished", .expression = "fraction_finished"},
    {.head = "mean energy", .expression = "mean_kinetic_energy"},
    {.head = "increments", .expression = "mean_increments"},
    {.head = "several-valued", .expression = "multivalued_fraction"},
};

/** Of the classes of modes those with samples. */
#define OCCUPIED(name) "where(/set/modes/" name ", /set/modes/count > 0)"
static const carom_table_column modes[] = {
    {.head = "contact modes", .expression = OCCUPIED("class"), .words = "@names"},
    {.head = "samples", .expression = OCCUPIED("count")},
    {.head = "share", .expression = OCCUPIED("fraction")},
};

const carom_table carom_impact_tables[4] = {
    {.groups = "/newton_moreau /simultaneous /routh/* /compliant /propagative/outcome_*",
     .group_head = "law",
     CAROM_COLUMNS(outcomes)},
    {.groups = "/sequential/* /inclusion/equal", .group_head = "path", CAROM_COLUMNS(ends)},
    {.groups = "/set /distributions/* /selections/* /steps/* /combinations/*",
     .group_head = "samples",
     CAROM_COLUMNS(sets)},
    {.groups = "/set/modes", CAROM_COLUMNS(modes)},
};

const char *carom_impact_study_group(carom_impact_law_id id) {
    return id == CAROM_IMPACT_LAW_ANITESCU_POTRA ? "simultaneous"
           : id == CAROM_IMPACT_LAW_SAMPLING     ? "set"
                                                 : carom_impact_law_of(id)->name;
}

/** The group of a sequence: a cyclic order by its first contact, else all contacts in order. */
static carom_record sequence_group(const carom_impact_record *target, carom_record *group,
                                   carom_sequential_orders orders,
                                   const carom_sequential_impact *sequence) {
    const bool is_cyclic = orders == CAROM_SEQUENTIAL_CYCLIC;
    char names[NAMES_SIZE];
    carom_impact_record_names(target, is_cyclic ? 1 : sequence->contact_count, sequence->order, "_",
                              sizeof names, names);
    return carom_record_group(group, "%s%s", names, is_cyclic ? "_first" : "");
}

static carom_status write_sequences(const carom_impact_record *target, carom_record *group,
                                    carom_sequential_orders orders,
                                    const carom_sequential_impacts *impacts) {
    for (int i = 0; i < impacts->count; i++) {
        carom_record own = sequence_group(target, group, orders, impacts->sequences[i]);
        CAROM_TRY(carom_impact_record_sequence(target, &own, impacts->sequences[i]));
    }
    return CAROM_OK;
}

/** The path of the inclusion by its corners. */
static carom_status write_path(const carom_impact_record *target, carom_record *group,
                               const carom_planar_inclusion_path *path) {
    carom_record equal = carom_record_group(group, "equal");
    const carom_impact_quantity velocity = {"velocity", "at a corner of the path", "m s-1"};
    const int count = path->segment_count + 1;
    carom_record_index_axis(&equal, "corner", count, "corner of the path");
    carom_record_series(&equal, "impulse", path->s, "corner", NULL, "N s",
                        "sum s of the normal impulses");
    CAROM_TRY(carom_impact_record_rows(target, &equal, "corner", count, path->speed, &velocity));
    carom_record_series(&equal, "kinetic_energy", path->kinetic_energy, "corner", NULL, "J",
                        "kinetic energy at a corner of the path");
    carom_record_series(&equal, "velocity", path->velocity, "/coordinate", NULL, "m s-1",
                        "velocity after the impact");
    carom_record_integer(&equal, "finished", path->is_finished ? 1 : 0, "1",
                         "1: no contact is colliding at the end of the path");
    return CAROM_OK;
}

/** Write what a law keeps: sequences, reflections, paths or plain outcomes. */
static carom_status write(const carom_impact_record *target, carom_record *group,
                          const carom_impact_law_params *params,
                          const carom_impact_result *result) {
    if (result->sequences != NULL) {
        return write_sequences(target, group, params->orders, result->sequences);
    }
    if (result->contacts != NULL) {
        const carom_propagative_record own = {*target, *group, result->contacts};
        return result->tree != NULL ? carom_propagative_record_outcomes(&own, result->tree)
                                    : carom_propagative_record_impact(&own, result->reflections);
    }
    return result->path != NULL ? write_path(target, group, result->path)
                                : carom_impact_record_outcomes(target, group, result->outcomes);
}

/** Run a law and keep its result among the results. */
static carom_status ask(const carom_impact_study *self, carom_impact_law_id id,
                        const carom_impact_law_params *params, carom_impact_study_results *results,
                        carom_report *report) {
    carom_impact_result **result = &results->results[id];
    carom_impact_result_free(*result);
    CAROM_TRY(carom_impact_law_run(carom_impact_law_of(id), self->target.problem, params, result,
                                   report));
    const bool is_simultaneous = id == CAROM_IMPACT_LAW_ANITESCU_POTRA;
    results->simultaneous = is_simultaneous ? (*result)->outcomes : results->simultaneous;
    results->sequential =
        id == CAROM_IMPACT_LAW_SEQUENTIAL ? (*result)->sequences : results->sequential;
    results->samples = id == CAROM_IMPACT_LAW_SAMPLING ? (*result)->samples : results->samples;
    return CAROM_OK;
}

/** Apply a law and write its outcomes. */
static carom_status apply(const carom_impact_study *self, carom_impact_law_id id,
                          carom_record *group, const carom_impact_law_params *params,
                          carom_impact_study_results *results, carom_report *report) {
    CAROM_TRY(ask(self, id, params, results, report));
    return write(&self->target, group, params, results->results[id]);
}

carom_status carom_impact_study_apply(const carom_impact_study *self, carom_impact_law_id id,
                                      const carom_impact_law_params *params,
                                      carom_impact_study_results *results, carom_report *report) {
    CAROM_ASSERT(self != NULL && results != NULL && id != CAROM_IMPACT_LAW_SAMPLING);
    carom_impact_law_params own = params != NULL ? *params : carom_impact_study_params(self);
    const char *name = carom_impact_study_group(id);
    carom_record group = carom_record_group(self->target.record, "%s", name);
    if (id != CAROM_IMPACT_LAW_ROUTH) {
        return tell(apply(self, id, &group, &own, results, report), name, report);
    }
    // Each contact with all others left out: /routh/A and so on.
    carom_status status = CAROM_OK;
    for (int i = 0; i < self->target.problem->contact_count && status == CAROM_OK; i++) {
        char letter[CAROM_IMPACT_NAME_SIZE];
        carom_impact_record_name(&self->target, i, letter);
        carom_record contact = carom_record_group(&group, "%s", letter);
        own.contact = i;
        status = tell(apply(self, id, &contact, &own, results, report), name, report);
    }
    return status;
}

/** Whether some limit of a plane is left open. */
static bool is_open(const carom_plane *plane) {
    return isnan(plane->x_min) || isnan(plane->x_max) || isnan(plane->y_min) || isnan(plane->y_max);
}

/** What is done with every path. */
typedef struct drawing {
    int row_count;
    int plane_count;
    carom_plane_raster **rasters; /**< [plane_count] */
    carom_progress *progress;
    carom_impact_samples
        *begun; /**< the first of the set, with their paths drawn, owned; NULL: none */
} drawing;

/** Draw one path in all planes. */
static void draw(int sample, int point_count, const double *path, void *context) {
    const drawing *to = context;
    (void)sample;
    for (int i = 0; i < to->plane_count; i++) {
        carom_plane_raster_add(to->rasters[i], point_count, to->row_count, path);
    }
    carom_progress_add(to->progress, 1);
}

/** Rasters of all planes, empty but for the paths of the first samples, if these have told limits.
 */
static carom_status start_drawing(const carom_impact_study *self, drawing *to,
                                  carom_report *report) {
    const size_t count = (size_t)self->plane_count;
    to->rasters = calloc(count + 1, sizeof(carom_plane_raster *));
    CAROM_AUTO_MEMORY carom_plane *planes = malloc((count + 1) * sizeof *planes);
    if (to->rasters == NULL || planes == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    bool has_open = false;
    for (size_t i = 0; i < count; i++) {
        planes[i] = self->planes[i];
        CAROM_ASSERT(planes[i].row_x < to->row_count && planes[i].row_y < to->row_count);
        has_open = has_open || is_open(&planes[i]);
    }
    CAROM_AUTO(carom_impact_pilot) pilot = NULL;
    if (has_open) {
        CAROM_TRY(carom_impact_pilot_alloc(self, to->progress, &pilot, report));
    }
    for (size_t i = 0; i < count; i++) {
        if (is_open(&planes[i])) {
            carom_impact_pilot_limit(pilot, &planes[i]);
        }
        CAROM_TRY(carom_plane_raster_alloc(&planes[i], &to->rasters[i], report));
    }
    to->begun = has_open ? carom_impact_pilot_draw(pilot, to->plane_count, to->rasters) : NULL;
    return CAROM_OK;
}

/** Outcomes that are finished. */
static int count_finished(const carom_impact_samples *samples) {
    return (int)lround(samples->fraction_finished * samples->count);
}

/** Without a finished outcome there is nothing to tell. */
static carom_status require_finished(const carom_impact_samples *samples, carom_report *report) {
    return count_finished(samples) > 0
               ? CAROM_OK
               : carom_report_say(report, CAROM_STATUS_NOT_CONVERGED,
                                  "none of %d samples finished: a larger impulse step or "
                                  "trajectory length may help",
                                  samples->count);
}

/** Say how many outcomes are not finished. */
static void warn(const carom_impact_study *self, const carom_impact_samples *samples) {
    const int left = samples->count - count_finished(samples);
    if (left > 0) {
        fprintf(stderr, "%s: %d of %d samples did not finish\n", self->common->program, left,
                samples->count);
    }
}

/** A set on its way into the record. */
typedef struct sampled_set {
    const carom_impact_study *self;
    carom_impact_law_params params; /**< of the whole set */
    drawing *to;
    int total; /**< outcomes of all parts */
    carom_sample_set *set;
    carom_plane_ends *ends;           /**< [plane_count] owned */
    const carom_impact_samples *part; /**< that comes next, borrowed */
} sampled_set;

static void sampled_set_clear(sampled_set *all) {
    carom_sample_set_free(all->set);
    free(all->ends);
}

/** Show samples to who watches them now. */
static carom_status show(const carom_impact_study *self, const carom_impact_samples *part,
                         bool is_beside, carom_report *report) {
    const carom_sample_listener *watch = &self->watch;
    return watch->tell == NULL || watch->has_maps == is_beside
               ? CAROM_OK
               : watch->tell(part, watch->context, report);
}

bool carom_impact_study_is_in_parts(const carom_impact_study *self) {
    return self->part_samples > 0 &&
           carom_impact_study_params(self).sampling.selection != CAROM_SELECTION_ALL;
}

/** Take over the next samples. */
static carom_status take_over(void *context, carom_report *report) {
    sampled_set *all = context;
    const carom_impact_study *self = all->self;
    if (all->set == NULL) {
        CAROM_TRY(carom_sample_set_alloc(&self->target, &all->params.sampling, all->total,
                                         self->common->keep == 0, &all->set));
    }
    CAROM_TRY(carom_sample_set_add(all->set, all->part));
    for (int i = 0; i < self->plane_count; i++) {
        CAROM_TRY(carom_plane_ends_add(carom_plane_raster_plane(all->to->rasters[i]), all->part,
                                       &all->ends[i]));
    }
    return show(self, all->part, true, report);
}

/** Sample at once, and keep the samples: twice for a while, in the lists of threads and joined. */
static carom_status sample_whole(sampled_set *all, carom_impact_study_results *results,
                                 carom_report *report) {
    const carom_impact_problem *problem = all->self->target.problem;
    const double numbers = problem->coordinate_count + problem->row_count + 4.0;
    CAROM_TRY(carom_memory_check(all->params.sampling.samples, 2.0 * numbers * sizeof(double),
                                 "samples", report));
    CAROM_TRY(ask(all->self, CAROM_IMPACT_LAW_SAMPLING, &all->params, results, report));
    CAROM_TRY(require_finished(results->samples, report));
    warn(all->self, results->samples);
    all->total = results->samples->count;
    all->part = results->samples;
    CAROM_TRY(take_over(all, report));
    return show(all->self, results->samples, false, report);
}

/** Sample in parts, each of which is taken over beside the next one and then forgotten. */
static carom_status sample_parts(sampled_set *all, carom_impact_study_results *results,
                                 carom_report *report) {
    const carom_impact_study *self = all->self;
    const int total = all->params.sampling.samples;
    carom_impact_sampling_params params = all->params.sampling;
    params.facets = all->params.facets;
    const carom_parallel_chore chore = {take_over, all};
    CAROM_AUTO(carom_impact_samples) last = NULL;
    all->total = total;
    CAROM_TRY(carom_sample_probes_alloc(self, results, &results->probes, report));
    CAROM_AUTO(carom_impact_samples) part = all->to->begun;
    all->to->begun = NULL;
    for (int first = 0; first < total; first += last->count) {
        all->part = last;
        params.beside = last != NULL ? &chore : NULL;
        params.first_sample = first;
        params.samples = total - first < self->part_samples ? total - first : self->part_samples;
        if (part == NULL) {
            CAROM_TRY(carom_impact_sample(self->target.problem, &params, &part, report));
        }
        if (part->count == total) {
            CAROM_TRY(require_finished(part, report));
        }
        CAROM_TRY(show(self, part, false, report));
        CAROM_TRY(carom_sample_probes_add(results->probes, part, self->common->workers, report));
        carom_impact_samples_free(last);
        CAROM_HAND_OVER(part, &last);
    }
    all->part = last;
    CAROM_TRY(take_over(all, report));
    CAROM_TRY(require_finished(carom_sample_set_sums(all->set), report));
    warn(self, carom_sample_set_sums(all->set));
    return CAROM_OK;
}

/** Sample with every path drawn. */
static carom_status sample(sampled_set *all, carom_impact_study_results *results,
                           carom_report *report) {
    const drawing *to = all->to;
    CAROM_TRY(start_drawing(all->self, all->to, report));
    CAROM_AUTO_MEMORY carom_parallel_marks *marks =
        malloc(((size_t)to->plane_count + 1) * sizeof *marks);
    if (marks == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < to->plane_count; i++) {
        marks[i] = carom_plane_raster_marks(to->rasters[i]);
    }
    const carom_parallel_results observed = {.marks = marks, .mark_count = to->plane_count};
    all->params.sampling.observed = &observed;
    const carom_status status = carom_impact_study_is_in_parts(all->self)
                                    ? sample_parts(all, results, report)
                                    : sample_whole(all, results, report);
    all->params.sampling.observed = NULL;
    return status;
}

/** Sample with every path drawn, and write. */
static carom_status sample_and_write(const carom_impact_study *self, drawing *to,
                                     carom_impact_study_results *results, carom_report *report) {
    CAROM_AUTO_VALUE(sampled_set)
    all = {.self = self, .params = carom_impact_study_params(self), .to = to};
    carom_impact_sampling_params *sampling = &all.params.sampling;
    sampling->observer = draw;
    sampling->observer_context = to;
    all.ends = calloc((size_t)self->plane_count + 1, sizeof *all.ends);
    if (all.ends == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    to->progress =
        carom_progress_start("sampling", sampling->samples, "samples", self->common->is_quiet);
    const carom_status status = sample(&all, results, report);
    carom_progress_finish(to->progress);
    CAROM_TRY(status);
    CAROM_TRY(carom_sample_set_finish(all.set));
    for (int i = 0; i < self->plane_count; i++) {
        CAROM_TRY(carom_impact_record_plane(&self->target, to->rasters[i], &all.ends[i]));
    }
    return CAROM_OK;
}

carom_status carom_impact_study_sample(const carom_impact_study *self,
                                       carom_impact_study_results *results, carom_report *report) {
    CAROM_ASSERT(self != NULL && results != NULL);
    carom_impact_study own = *self;
    own.plane_count = carom_impact_record_has_planes(&own.target) ? own.plane_count : 0;
    drawing to = {.row_count = own.target.problem->row_count, .plane_count = own.plane_count};
    const carom_status status =
        tell(sample_and_write(&own, &to, results, report), "sampling", report);
    for (int i = 0; to.rasters != NULL && i < own.plane_count; i++) {
        carom_plane_raster_free(to.rasters[i]);
    }
    free(to.rasters);
    carom_impact_samples_free(to.begun);
    return status;
}

carom_status carom_impact_study_bounds(const carom_impact_study *self,
                                       carom_impact_study_results *results, carom_report *report) {
    CAROM_ASSERT(self != NULL && results != NULL);
    const carom_status status =
        carom_impact_bounds_compute(self->target.problem, carom_impact_study_params(self).facets,
                                    self->options->impulse_step, NULL, &results->bounds, report);
    // Between jammed and free as far as digits tell: no bound either.
    const bool is_jammed = status == CAROM_STATUS_RAY || status == CAROM_STATUS_NOT_CONVERGED;
    if (status != CAROM_OK && !is_jammed) {
        return tell(status, "bounds", report);
    }
    results->has_bounds = status == CAROM_OK;
    if (is_jammed && report != NULL) {
        *report = carom_report_empty();
    }
    carom_impact_record_bounds(&self->target, results->has_bounds ? &results->bounds : NULL);
    return CAROM_OK;
}

carom_status carom_impact_study_run(const carom_impact_study *self,
                                    carom_impact_study_results *results, carom_report *report) {
    CAROM_ASSERT(self != NULL && results != NULL);
    memset(results, 0, sizeof *results);
    CAROM_TRY(carom_impact_record_before(&self->target));
    CAROM_TRY(
        carom_impact_study_apply(self, CAROM_IMPACT_LAW_ANITESCU_POTRA, NULL, results, report));
    CAROM_TRY(carom_impact_study_apply(self, CAROM_IMPACT_LAW_SEQUENTIAL, NULL, results, report));
    CAROM_TRY(carom_impact_study_sample(self, results, report));
    CAROM_TRY(carom_impact_study_bounds(self, results, report));
    return carom_impact_study_coverage(self, results, report);
}
