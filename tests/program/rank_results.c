/*
 * What the library's own maps leave, on every one of some ranks: the bytes of the same call without
 * ranks.
 */
#include "../support.h"
#include "memory_ranks.h"

#include <carom/impact/impact_bounds.h>
#include <carom/impact/impact_inclusion.h>
#include <carom/impact/impact_problem.h>
#include <carom/models/models.h>
#include <carom/models/serial_chain.h>
#include <carom/modes/few_impacts.h>
#include <carom/modes/modal_basis.h>
#include <carom/modes/orbit_search.h>
#include <carom/study/internal.h>

#include <stdlib.h>

enum { RANKS = 3, SAMPLES = 1500 };

/** Results as bytes, collected by one of the functions below. */
typedef void (*collector)(carom_workers workers, carom_parallel_bytes *bytes);

/** One rank that collects. */
typedef struct member {
    place at;
    collector collect;
    carom_parallel_bytes bytes;
} member;

static void append(carom_parallel_bytes *bytes, const void *data, size_t size) {
    assert_ok(carom_parallel_append(bytes, data, size));
}

static void *take_part(void *context) {
    member *self = context;
    carom_ranks ranks = {.transport = &by_memory,
                         .connection = &self->at,
                         .rank = self->at.rank,
                         .rank_count = RANKS,
                         .voice = stderr,
                         .program = "ranks"};
    self->collect(carom_ranks_workers(&ranks, 2), &self->bytes);
    return NULL;
}

/** Every rank collects what one process does. */
static void assert_same_on_all(collector collect) {
    carom_parallel_bytes alone = {NULL, 0, 0};
    collect(THREADS(1), &alone);
    ck_assert_uint_gt(alone.size, 1000);
    world all = {.rank_count = RANKS};
    member members[RANKS];
    pthread_t threads[RANKS];
    pthread_barrier_init(&all.barrier, NULL, RANKS);
    for (int rank = 0; rank < RANKS; rank++) {
        members[rank] = (member){{&all, rank}, collect, {NULL, 0, 0}};
        ck_assert_int_eq(pthread_create(&threads[rank], NULL, take_part, &members[rank]), 0);
    }
    for (int rank = 0; rank < RANKS; rank++) {
        pthread_join(threads[rank], NULL);
        ck_assert_uint_eq(members[rank].bytes.size, alone.size);
        ck_assert_mem_eq(members[rank].bytes.data, alone.data, alone.size);
        carom_parallel_bytes_clear(&members[rank].bytes);
    }
    pthread_barrier_destroy(&all.barrier);
    carom_parallel_bytes_clear(&alone);
}

/* -------------------------------------------------------------------------------------- impacts */

static carom_impact_problem *flat_block(void) {
    const carom_rigid_block_params params = carom_rigid_block_params_default();
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    carom_impact_problem *problem = NULL;
    assert_ok(carom_rigid_block_alloc(&params, &scene, NULL));
    assert_ok(carom_impact_problem_of_scene(scene, &problem, NULL));
    return problem;
}

/** What an observer notes: the points of a path, and the cells that it crosses. */
typedef struct notes {
    int points[SAMPLES];
    carom_plane_raster *raster;
    int row_count;
} notes;

static void note(int sample, int point_count, const double *path, void *context) {
    notes *all = context;
    all->points[sample] = point_count;
    carom_plane_raster_add(all->raster, point_count, all->row_count, path);
}

static void collect_samples(carom_workers workers, carom_parallel_bytes *bytes) {
    CAROM_AUTO(carom_impact_problem) problem = flat_block();
    notes *all = calloc(1, sizeof *all);
    ck_assert_ptr_nonnull(all);
    const carom_plane plane = {
        .row_x = 0, .row_y = 1, .x_min = -0.5, .x_max = 0.5, .y_min = -0.5, .y_max = 0.5};
    all->row_count = problem->row_count;
    assert_ok(carom_plane_raster_alloc(&plane, &all->raster, NULL));
    const carom_parallel_marks marks = carom_plane_raster_marks(all->raster);
    const carom_parallel_array points = {all->points, sizeof(int), sizeof all->points};
    const carom_parallel_results observed = {
        .arrays = &points, .array_count = 1, .marks = &marks, .mark_count = 1};
    carom_impact_sampling_params params = carom_impact_sampling_params_default();
    params.samples = SAMPLES;
    params.selection = CAROM_SELECTION_ALL;
    params.workers = workers;
    params.observer = note;
    params.observer_context = all;
    params.observed = &observed;
    CAROM_AUTO(carom_impact_samples) s = NULL;
    assert_ok(carom_impact_sample(problem, &params, &s, NULL));
    const size_t count = (size_t)s->count;
    append(bytes, s->velocity, count * (size_t)s->coordinate_count * sizeof(double));
    append(bytes, s->contact_velocity, count * (size_t)s->row_count * sizeof(double));
    append(bytes, s->kinetic_energy, count * sizeof(double));
    append(bytes, s->impulse, count * sizeof(double));
    append(bytes, s->sample, count * sizeof(int));
    append(bytes, s->increments, count * sizeof(int));
    append(bytes, s->is_finished, count * sizeof(int));
    const double numbers[] = {(double)s->increment_count, (double)s->multivalued_count,
                              (double)s->rescue_count,    (double)s->pivot_count,
                              s->largest_residual,        s->mean_increments};
    append(bytes, numbers, sizeof numbers);
    append(bytes, all->points, sizeof all->points);
    append(bytes, marks.cells, (size_t)marks.count);
    carom_plane_raster_free(all->raster);
    free(all);
}

TEST(property, samples_and_what_is_observed_of_them) {
    assert_same_on_all(collect_samples);
}

static void collect_ends(carom_workers workers, carom_parallel_bytes *bytes) {
    CAROM_AUTO(carom_impact_problem) problem = flat_block();
    const carom_inclusion_random shares = {
        .contact_count = problem->contact_count, .seed = 5, .mean_length = 0.1};
    CAROM_AUTO(carom_inclusion_ends) ends = NULL;
    assert_ok(carom_inclusion_ends_find(problem, &shares, 100, workers, &ends, NULL));
    append(bytes, ends->velocity, 100 * (size_t)problem->coordinate_count * sizeof(double));
    append(bytes, ends->speed, 100 * (size_t)problem->row_count * sizeof(double));
    append(bytes, ends->kinetic_energy, 100 * sizeof(double));
    append(bytes, ends->impulse, 100 * sizeof(double));
    append(bytes, ends->energy_error, 100 * sizeof(double));
    append(bytes, ends->segments, 100 * sizeof(int));
    append(bytes, ends->finished, 100 * sizeof(int));
}

TEST(property, ends_of_paths) {
    assert_same_on_all(collect_ends);
}

static void collect_distances(carom_workers workers, carom_parallel_bytes *bytes) {
    enum { PROBES = 5000 };
    double *points = malloc(2 * PROBES * sizeof *points);
    double *distances = calloc(PROBES, sizeof *distances);
    ck_assert(points != NULL && distances != NULL);
    for (int i = 0; i < 2 * PROBES; i++) {
        points[i] = sin(0.1 * i * i);
    }
    CAROM_AUTO(carom_point_tree) tree = NULL;
    carom_covering covering;
    assert_ok(carom_point_tree_alloc(100, 2, points, &tree, NULL));
    assert_ok(carom_covering_measure(tree, PROBES, points, workers, distances, &covering, NULL));
    append(bytes, distances, PROBES * sizeof *distances);
    const double numbers[] = {covering.radius, covering.mean, covering.root_square,
                              covering.farthest_probe, covering.nearest_sample};
    append(bytes, numbers, sizeof numbers);
    free(points);
    free(distances);
}

static void collect_approach(carom_workers workers, carom_parallel_bytes *bytes) {
    enum { POINTS = 30000, PROBES = 200 };
    double *points = malloc(POINTS * sizeof *points);
    double distances[PROBES];
    double probes[PROBES];
    ck_assert_ptr_nonnull(points);
    for (int i = 0; i < POINTS; i++) {
        points[i] = sin(0.1 * i * i);
    }
    for (int i = 0; i < PROBES; i++) {
        probes[i] = 0.012 * i - 1.2;
        distances[i] = INFINITY;
    }
    assert_ok(carom_covering_approach_points(POINTS, 1, points, PROBES, probes, workers, distances,
                                             NULL));
    append(bytes, distances, sizeof distances);
    free(points);
}

TEST(property, distances_of_points) {
    assert_same_on_all(collect_approach);
}

TEST(property, distances_of_probes) {
    assert_same_on_all(collect_distances);
}

/* --------------------------------------------------------------------------------------- orbits */

static carom_modal_basis *chain_basis(void) {
    carom_linear_system *system = NULL;
    carom_modal_basis *basis = NULL;
    assert_ok(carom_serial_chain_uniform_alloc(3, 1.0, &system, NULL));
    assert_ok(carom_modal_basis_compute(system, &basis, NULL));
    carom_linear_system_free(system);
    return basis;
}

static void collect_orbits(carom_workers workers, carom_parallel_bytes *bytes) {
    CAROM_AUTO(carom_modal_basis) basis = chain_basis();
    carom_orbit_search_params params = carom_orbit_search_params_default(2, 12.0);
    params.start_count = 600;
    params.keep_repeats = true;
    params.workers = workers;
    carom_orbit_list *list = NULL;
    assert_ok(carom_orbit_search(basis, &params, NULL, NULL, &list, NULL));
    ck_assert_int_gt(list->count, 2);
    for (int i = 0; i < list->count; i++) {
        const carom_orbit *o = list->found[i].orbit;
        const double numbers[] = {o->period,
                                  o->energy,
                                  o->residual,
                                  list->found[i].start,
                                  list->found[i].hits,
                                  list->found[i].largest_gap_violation,
                                  list->found[i].closure_error};
        append(bytes, numbers, sizeof numbers);
        append(bytes, o->flight_times, (size_t)o->impact_count * sizeof(double));
        append(bytes, o->lambda, (size_t)o->impact_count * sizeof(double));
        append(bytes, o->state, 2 * (size_t)o->mode_count * sizeof(double));
    }
    const int counts[] = {list->converged, list->repeats, list->outside};
    append(bytes, counts, sizeof counts);
    carom_orbit_list_free(list);
}

TEST(property, orbits_of_a_search) {
    assert_same_on_all(collect_orbits);
}
