/* What one answer of each impact law costs, on the same impacts: all outcomes where the law has
 * several. */
#include "bench.h"

#include <carom/impact/anitescu_potra.h>
#include <carom/impact/impact_sampling.h>
#include <carom/impact/newton_moreau.h>
#include <carom/impact/propagative_law.h>
#include <carom/impact/scene_impact.h>
#include <carom/impact/sequential_impact.h>
#include <carom/models/disk_stack.h>
#include <carom/models/rigid_block.h>

#include <math.h>

static const bench_unit MICROSECONDS = {.name = "us/impact", .factor = 1e6};

/* Enough for every batch to be cut by its time. */
static const long MANY = 1L << 20;

enum { SAMPLES = 512, MOST_CONTACTS = 8 };

/* Adds the outcomes of one law. */
typedef carom_status (*law)(const carom_impact_problem *problem, carom_impact_outcomes *outcomes);

typedef struct law_case {
    const carom_impact_problem *problem;
    carom_impact_outcomes *outcomes;
    law apply;
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

static carom_status newton_moreau(const carom_impact_problem *p, carom_impact_outcomes *outcomes) {
    return carom_newton_moreau_lemke(p, 2, outcomes, NULL);
}

static carom_status newton_moreau_all(const carom_impact_problem *p,
                                      carom_impact_outcomes *outcomes) {
    return carom_newton_moreau_all(p, outcomes, NULL);
}

static carom_status anitescu_potra_all(const carom_impact_problem *p,
                                       carom_impact_outcomes *outcomes) {
    return carom_anitescu_potra_all(p, outcomes, NULL);
}

static carom_status propagative(const carom_impact_problem *p, carom_impact_outcomes *outcomes) {
    const carom_propagative_tree_params params = carom_propagative_tree_params_default();
    const carom_impact_problem own = elastic(p);
    return carom_propagative_law_all(&own, &params, outcomes, NULL);
}

static carom_status sequential(const carom_impact_problem *p, carom_impact_outcomes *outcomes) {
    const carom_sequential_params params = carom_sequential_params_default();
    carom_sequential_impacts *impacts = NULL;
    CAROM_TRY(
        carom_sequential_impacts_run(p, CAROM_SEQUENTIAL_PERMUTATIONS, &params, &impacts, NULL));
    const carom_status status = carom_sequential_impacts_add_outcomes(impacts, p, outcomes);
    carom_sequential_impacts_free(impacts);
    return status;
}

static carom_status sampled(const carom_impact_problem *p, carom_impact_outcomes *outcomes) {
    (void)outcomes;
    carom_impact_sampling_params params = carom_impact_sampling_params_default();
    params.samples = SAMPLES;
    params.impulse_step = 0.1;
    params.threads = 1;
    carom_impact_samples *samples = NULL;
    const carom_status status = carom_impact_sample(p, &params, &samples, NULL);
    carom_impact_samples_free(samples);
    return status;
}

static double time_law(long count, void *context) {
    const law_case *c = context;
    const double begin = bench_seconds();
    for (long i = 0; i < count; i++) {
        carom_impact_outcomes_clear(c->outcomes);
        if (c->apply(c->problem, c->outcomes) != CAROM_OK) {
            return -1.0;
        }
    }
    return bench_seconds() - begin;
}

/* All laws on the impact of a scene, which is freed. */
static int bench_scene(bench_table *table, const char *system, carom_impact_scene *scene) {
    static const struct {
        const char *name;
        law apply;
    } laws[] = {
        {"Newton-Moreau, one", newton_moreau},       {"Newton-Moreau, all", newton_moreau_all},
        {"Anitescu-Potra, all", anitescu_potra_all}, {"sequential, all", sequential},
        {"propagative, all", propagative},           {"512 samples", sampled}};
    carom_impact_problem *problem = NULL;
    law_case c = {.outcomes = NULL};
    int failures = 1;
    if (carom_impact_problem_of_scene(scene, &problem, NULL) == CAROM_OK &&
        problem->contact_count <= MOST_CONTACTS &&
        carom_impact_outcomes_alloc(problem, &c.outcomes) == CAROM_OK) {
        failures = 0;
        c.problem = problem;
        for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++) {
            c.apply = laws[k].apply;
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
    carom_impact_outcomes_free(c.outcomes);
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
