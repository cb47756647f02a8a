/* What one answer of each impact law costs, on the same impacts: all outcomes where the law has
 * several. */
#include "bench.h"

#include <carom/impact/impact_law.h>
#include <carom/impact/impact_problem.h>
#include <carom/models/disk_stack.h>
#include <carom/models/rigid_block.h>

#include <math.h>

static const bench_unit MICROSECONDS = {.name = "us/impact", .factor = 1e6};

/* Enough for every batch to be cut by its time. */
static const long MANY = 1L << 20;

enum { SAMPLES = 512, MOST_CONTACTS = 8 };

/* A law with what it leaves open. */
typedef struct law_case {
    const carom_impact_problem *problem;
    const carom_impact_law *law;
    carom_impact_law_params params;
} law_case;

/* The contacts as the propagative law has them: elastic, without friction. */
static carom_impact_problem elastic(const carom_impact_problem *p) {
    static double ones[MOST_CONTACTS] = {1, 1, 1, 1, 1, 1, 1, 1};
    static double zeros[MOST_CONTACTS] = {0};
    carom_impact_problem other = *p;
    other.restitution = ones;
    other.friction = zeros;
    return other;
}

static double time_law(long count, void *context) {
    const law_case *c = context;
    const double begin = bench_seconds();
    for (long i = 0; i < count; i++) {
        carom_impact_result *result = NULL;
        if (carom_impact_law_run(c->law, c->problem, &c->params, &result, NULL) != CAROM_OK) {
            return -1.0;
        }
        carom_impact_result_free(result);
    }
    return bench_seconds() - begin;
}

/* All laws on the impact of a scene, which is freed. */
static int bench_scene(bench_table *table, const char *system, carom_impact_scene *scene) {
    static const struct {
        const char *name;
        carom_impact_law_id law;
        bool takes_one;
    } laws[] = {{"Newton-Moreau, one", CAROM_IMPACT_LAW_NEWTON_MOREAU, true},
                {"Newton-Moreau, all", CAROM_IMPACT_LAW_NEWTON_MOREAU, false},
                {"Anitescu-Potra, all", CAROM_IMPACT_LAW_ANITESCU_POTRA, false},
                {"sequential, all", CAROM_IMPACT_LAW_SEQUENTIAL, false},
                {"propagative, all", CAROM_IMPACT_LAW_PROPAGATIVE, false},
                {"512 samples", CAROM_IMPACT_LAW_SAMPLING, false}};
    carom_impact_problem *problem = NULL;
    law_case c = {.params = carom_impact_law_params_default()};
    c.params.orders = CAROM_SEQUENTIAL_PERMUTATIONS;
    c.params.sampling.samples = SAMPLES;
    c.params.sampling.impulse_step = 0.1;
    c.params.sampling.workers.threads = 1;
    int failures = 1;
    if (carom_impact_problem_of_scene(scene, &problem, NULL) == CAROM_OK &&
        problem->contact_count <= MOST_CONTACTS) {
        const carom_impact_problem smooth = elastic(problem);
        failures = 0;
        for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++) {
            c.law = carom_impact_law_of(laws[k].law);
            c.problem = c.law->has_friction ? problem : &smooth;
            c.params.takes_one = laws[k].takes_one;
            const bench_row row = {.system = system,
                                   .method = laws[k].name,
                                   .coordinates = problem->coordinate_count,
                                   .contacts = problem->contact_count,
                                   .unit = MICROSECONDS,
                                   .work = (double)NAN,
                                   .target = (double)NAN};
            failures += bench_measure(table, row, time_law, MANY, &c);
        }
    }
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
    return failures;
}

int bench_impact_laws(bench_table *table) {
    const carom_rigid_block_params block = carom_rigid_block_params_default();
    const carom_disk_stack_params discs = carom_disk_stack_params_default();
    carom_impact_scene *scene = NULL;
    int failures = carom_rigid_block_alloc(&block, &scene, NULL) == CAROM_OK
                       ? bench_scene(table, "block, all laws", scene)
                       : 1;
    failures += carom_disk_stack_alloc(&discs, &scene, NULL) == CAROM_OK
                    ? bench_scene(table, "discs, all laws", scene)
                    : 1;
    return failures;
}
