/** The impact inclusion: where paths of random shares end. */
#include "results.h"

#include <carom/base/parallel.h>
#include <carom/impact/impact_inclusion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Length for which random shares hold on average, as a part of the step of the sampling. */
static const double SHARE_LENGTH = 0.25;

/** Ends of random paths, [count] rows each. */
typedef struct path_ends {
    const application *a;
    double *velocity;       /**< [count][n] */
    double *speed;          /**< [count][r] */
    double *kinetic_energy; /**< [count] */
    double *impulse;        /**< [count] s */
    int *segments;          /**< [count] */
    int *finished;          /**< [count] */
} path_ends;

/** Follow one random path and keep its end. */
static carom_status follow(int item, void *context, carom_report *report) {
    path_ends *ends = context;
    const application *a = ends->a;
    const carom_impact_problem *p = a->study->target.problem;
    carom_inclusion_random shares = {
        .contact_count = p->contact_count,
        .seed = a->study->common->seed,
        .sample = (unsigned long)item,
        .mean_length = SHARE_LENGTH * a->study->options->impulse_step,
    };
    carom_planar_inclusion_params params = carom_planar_inclusion_params_default();
    params.policy = carom_inclusion_policy_random;
    params.context = &shares;
    carom_planar_inclusion_path *path = NULL;
    CAROM_TRY(carom_planar_inclusion_run(p, &params, &path, report));
    const size_t n = (size_t)p->coordinate_count;
    const size_t r = (size_t)p->row_count;
    const size_t i = (size_t)item;
    const size_t last = (size_t)path->segment_count;
    memcpy(ends->velocity + i * n, path->velocity, n * sizeof(double));
    memcpy(ends->speed + i * r, path->speed + last * r, r * sizeof(double));
    ends->kinetic_energy[i] = path->kinetic_energy[last];
    ends->impulse[i] = path->s[last];
    ends->segments[i] = path->segment_count;
    ends->finished[i] = path->is_finished ? 1 : 0;
    carom_planar_inclusion_path_free(path);
    return CAROM_OK;
}

/** Write the ends of random paths. */
static carom_status write_ends(const path_ends *ends, int count) {
    const carom_impact_record *target = &ends->a->study->target;
    carom_record *record = target->record;
    const carom_impact_quantity velocity = {"velocity", "at the end of the path", "m s-1"};
    const char *axis = "/inclusion/random/path";
    carom_record_index_axis(record, axis, count, "path of random shares");
    carom_record_series(record, "/inclusion/random/final_velocity", ends->velocity, axis,
                        "/coordinate", "m s-1", "velocity at the end of the path");
    CAROM_TRY(
        carom_impact_record_rows(target, "/inclusion/random", axis, count, ends->speed, &velocity));
    carom_record_series(record, "/inclusion/random/kinetic_energy", ends->kinetic_energy, axis,
                        NULL, "J", "kinetic energy at the end of the path");
    carom_record_series(record, "/inclusion/random/impulse", ends->impulse, axis, NULL, "N s",
                        "sum s of the normal impulses");
    carom_record_integer_series(record, "/inclusion/random/segments", ends->segments, axis, NULL,
                                "1", "straight segments of the path");
    carom_record_integer_series(record, "/inclusion/random/finished", ends->finished, axis, NULL,
                                "1", "1: no contact is colliding at the end of the path");
    return CAROM_OK;
}

carom_status impact_problem_write_random(const application *a) {
    const carom_impact_problem *p = a->study->target.problem;
    const size_t count = (size_t)a->values->paths;
    const size_t n = (size_t)p->coordinate_count;
    const size_t r = (size_t)p->row_count;
    path_ends ends = {.a = a};
    double *reals = malloc(count * (n + r + 2) * sizeof *reals);
    int *integers = malloc(count * 2 * sizeof *integers);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    if (reals != NULL && integers != NULL) {
        ends.velocity = reals;
        ends.speed = reals + count * n;
        ends.kinetic_energy = ends.speed + count * r;
        ends.impulse = ends.kinetic_energy + count;
        ends.segments = integers;
        ends.finished = integers + count;
        status = carom_parallel_map(a->values->paths, a->study->common->threads, follow, &ends,
                                    a->report);
    }
    status = status == CAROM_OK ? write_ends(&ends, a->values->paths) : status;
    free(integers);
    free(reals);
    return status;
}
