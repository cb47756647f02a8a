#include <carom/impact/impact_inclusion.h>

#include <carom/base/parallel.h>

#include <stdlib.h>
#include <string.h>

/** Paths under way. */
typedef struct work {
    const carom_impact_problem *problem;
    const carom_inclusion_random *shares; /**< of the first path */
    carom_inclusion_ends *ends;
} work;

/** Follow one random path and keep its end. */
static carom_status follow(int item, void *context, carom_report *report) {
    const work *all = context;
    carom_inclusion_random shares = *all->shares;
    shares.sample += (unsigned long)item;
    carom_planar_inclusion_params params = carom_planar_inclusion_params_default();
    params.policy = carom_inclusion_policy_random;
    params.context = &shares;
    CAROM_AUTO(carom_planar_inclusion_path) path = NULL;
    CAROM_TRY(carom_planar_inclusion_run(all->problem, &params, &path, report));
    const size_t n = (size_t)path->coordinate_count;
    const size_t r = (size_t)path->row_count;
    const size_t i = (size_t)item;
    const size_t last = (size_t)path->segment_count;
    carom_inclusion_ends *ends = all->ends;
    memcpy(ends->velocity + i * n, path->velocity, n * sizeof(double));
    memcpy(ends->speed + i * r, path->speed + last * r, r * sizeof(double));
    ends->kinetic_energy[i] = path->kinetic_energy[last];
    ends->impulse[i] = path->s[last];
    ends->energy_error[i] = carom_planar_inclusion_energy_error(all->problem, path);
    ends->segments[i] = path->segment_count;
    ends->finished[i] = path->is_finished ? 1 : 0;
    return CAROM_OK;
}

carom_status carom_inclusion_ends_find(const carom_impact_problem *problem,
                                       const carom_inclusion_random *shares, int count,
                                       carom_workers workers, carom_inclusion_ends **out,
                                       carom_report *report) {
    CAROM_ASSERT(problem != NULL && shares != NULL && count > 0 && out != NULL);
    *out = NULL;
    const size_t size = (size_t)count;
    const size_t n = (size_t)problem->coordinate_count;
    const size_t r = (size_t)problem->row_count;
    CAROM_AUTO(carom_inclusion_ends) ends = calloc(1, sizeof *ends);
    if (ends == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    ends->count = count;
    ends->velocity = calloc(size * (n + r + 3), sizeof(double));
    ends->segments = calloc(size * 2, sizeof(int));
    if (ends->velocity == NULL || ends->segments == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    ends->speed = ends->velocity + size * n;
    ends->kinetic_energy = ends->speed + size * r;
    ends->impulse = ends->kinetic_energy + size;
    ends->energy_error = ends->impulse + size;
    ends->finished = ends->segments + size;
    work all = {problem, shares, ends};
    const carom_parallel_array left[] = {
        {ends->velocity, n * sizeof(double), size * n * sizeof(double)},
        {ends->speed, r * sizeof(double), size * r * sizeof(double)},
        {ends->kinetic_energy, sizeof(double), size * sizeof(double)},
        {ends->impulse, sizeof(double), size * sizeof(double)},
        {ends->energy_error, sizeof(double), size * sizeof(double)},
        {ends->segments, sizeof(int), size * sizeof(int)},
        {ends->finished, sizeof(int), size * sizeof(int)},
    };
    CAROM_TRY(
        carom_parallel_map(workers, count, follow, &all, CAROM_PARALLEL_ARRAYS(left), report));
    CAROM_HAND_OVER(ends, out);
    return CAROM_OK;
}

void carom_inclusion_ends_free(carom_inclusion_ends *ends) {
    if (ends == NULL) {
        return;
    }
    free(ends->velocity);
    free(ends->segments);
    free(ends);
}
