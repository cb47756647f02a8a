/* Every impact law in other units of mass, length and time: the same impact, other numbers. */
#include "../units.h"
#include "add_law.h"
#include "published_systems.h"
#include "random_impacts.h"

#include <carom/impact/anitescu_potra.h>
#include <carom/impact/contact_modes.h>
#include <carom/impact/impact_bounds.h>
#include <carom/impact/impact_inclusion.h>
#include <carom/impact/routh.h>
#include <carom/impact/sequential_impact.h>

enum { MOST_NUMBERS = 65536, RANDOM_PROBLEMS = 12, SAMPLES = 24 };

/* What a law has answered: numbers divided by the change of their unit, with the size that rounding
 * is counted in. Whole numbers have size zero: they do not change. */
typedef struct answer {
    test_units units;
    const carom_impact_problem *problem;
    int count;
    double value[MOST_NUMBERS];
    double size[MOST_NUMBERS];
} answer;

static void add(answer *a, double value, double unit, double size) {
    ck_assert_int_lt(a->count, MOST_NUMBERS);
    a->value[a->count] = value / unit;
    a->size[a->count++] = size / unit;
}

static void add_whole(answer *a, double value) {
    add(a, value, 1.0, 0.0);
}

/* Speeds of contact space, beside the largest one that v- allows. */
static void add_speeds(answer *a, int count, const double *c) {
    for (int i = 0; i < count; i++) {
        const double scale = a->problem->speed_scale[i % a->problem->row_count];
        add(a, c[i], units_speed(a->units), scale);
    }
}

static void add_energies(answer *a, int count, const double *energies) {
    for (int i = 0; i < count; i++) {
        add(a, energies[i], units_energy(a->units), a->problem->kinetic_energy);
    }
}

static void add_outcomes(answer *a, carom_status status, const carom_impact_outcomes *outcomes) {
    add_whole(a, (double)status);
    add_whole(a, outcomes->count);
    add_speeds(a, outcomes->count * outcomes->row_count, outcomes->contact_velocity);
    add_energies(a, outcomes->count, outcomes->kinetic_energy);
    for (int k = 0; k < outcomes->count; k++) {
        add_whole(a, outcomes->multiplicity[k]);
        ck_assert_msg(outcomes->residual[k] <= 1e-9, "residual %g", outcomes->residual[k]);
    }
}

static carom_impact_outcomes *no_outcomes(const answer *a) {
    carom_impact_outcomes *outcomes = NULL;
    assert_ok(carom_impact_outcomes_alloc(a->problem, &outcomes));
    return outcomes;
}

static double stopping_impulse(const answer *a) {
    return carom_impact_stopping_impulse(a->problem);
}

/* ------------------------------------------------------------------------------------- the laws */

static void anitescu_potra(answer *a) {
    carom_impact_outcomes *outcomes = no_outcomes(a);
    add_outcomes(a, carom_anitescu_potra_lemke(a->problem, 8, NULL, outcomes, NULL), outcomes);
    carom_impact_outcomes_clear(outcomes);
    if (a->problem->tangent_count == 1) {
        add_outcomes(a, carom_anitescu_potra_all(a->problem, outcomes, NULL), outcomes);
    }
    carom_impact_outcomes_free(outcomes);
}

static void newton_moreau(answer *a) {
    const double e[MOST_CONTACTS] = {0.37, 0.61, 0.37, 0.83, 0.19};
    const carom_impact_problem own = with_restitution(a->problem, e);
    carom_impact_outcomes *outcomes = no_outcomes(a);
    carom_impact_law_params params = carom_impact_law_params_default();
    params.takes_one = true;
    add_outcomes(a, add_law(&carom_impact_law_newton_moreau, &own, &params, outcomes, NULL),
                 outcomes);
    carom_impact_outcomes_clear(outcomes);
    if (a->problem->tangent_count == 1) {
        add_outcomes(a, add_law(&carom_impact_law_newton_moreau, &own, NULL, outcomes, NULL),
                     outcomes);
    }
    carom_impact_outcomes_free(outcomes);
}

static void sequential(answer *a) {
    const carom_sequential_params params = carom_sequential_params_default();
    carom_sequential_impacts *all = NULL;
    carom_impact_outcomes *outcomes = no_outcomes(a);
    assert_ok(
        carom_sequential_impacts_run(a->problem, CAROM_SEQUENTIAL_CYCLIC, &params, &all, NULL));
    for (int k = 0; k < all->count; k++) {
        const carom_sequential_impact *s = all->sequences[k];
        add_whole(a, s->stage_count);
        add_whole(a, s->is_finished);
        add_speeds(a, s->stage_count * s->row_count, s->contact_velocity);
    }
    add_outcomes(a, carom_sequential_impacts_add_outcomes(all, a->problem, outcomes), outcomes);
    carom_impact_outcomes_free(outcomes);
    carom_sequential_impacts_free(all);
}

static void inclusion(answer *a) {
    if (a->problem->tangent_count > 1) {
        return;
    }
    for (unsigned long k = 0; k < 3; k++) {
        carom_inclusion_random shares = {.contact_count = a->problem->contact_count,
                                         .seed = 5,
                                         .sample = k,
                                         .mean_length = 0.3 * stopping_impulse(a)};
        carom_planar_inclusion_params params = carom_planar_inclusion_params_default();
        params.policy = k == 0 ? NULL : carom_inclusion_policy_random;
        params.context = &shares;
        carom_planar_inclusion_path *path = NULL;
        const carom_status status = carom_planar_inclusion_run(a->problem, &params, &path, NULL);
        add_whole(a, (double)status);
        if (status == CAROM_OK) {
            add_whole(a, path->segment_count);
            add_speeds(a, (path->segment_count + 1) * path->row_count, path->speed);
            add_energies(a, path->segment_count + 1, path->kinetic_energy);
        }
        carom_planar_inclusion_path_free(path);
    }
}

static void add_samples(answer *a, const carom_impact_sampling_params *params) {
    carom_impact_samples *samples = NULL;
    const carom_status status = carom_impact_sample(a->problem, params, &samples, NULL);
    add_whole(a, (double)status);
    if (status == CAROM_OK) {
        add_whole(a, samples->count);
        add_whole(a, (double)samples->increment_count);
        add_whole(a, (double)samples->multivalued_count);
        add_whole(a, (double)samples->energy_rise_count);
        add_whole(a, (double)samples->unsolved_count);
        add_speeds(a, samples->count * samples->row_count, samples->contact_velocity);
        add_energies(a, samples->count, samples->kinetic_energy);
        for (int k = 0; k < samples->count; k++) {
            add_whole(a, samples->increments[k]);
            add_whole(a, samples->is_finished[k]);
        }
    }
    carom_impact_samples_free(samples);
}

static void sampling(answer *a) {
    carom_impact_sampling_params params = carom_impact_sampling_params_default();
    params.samples = SAMPLES;
    params.workers.threads = 1;
    params.seed = 3;
    for (int k = 0; k <= (int)CAROM_SELECTION_ALL; k++) {
        params.selection = (carom_increment_selection)k;
        params.distribution = (carom_cap_distribution)(k % (int)(CAROM_CAPS_CORNERS + 1));
        params.impulse_step = k % 2 == 0 ? 0.0 : 0.7 * stopping_impulse(a);
        params.final_step = k % 3 == 0 ? 0.1 * stopping_impulse(a) : 0.0;
        params.most_branches = 8;
        params.trajectory_length = k == (int)CAROM_SELECTION_ALL ? 3 : 8;
        const bool is_enumerable = a->problem->tangent_count == 1 && a->problem->contact_count <= 3;
        if (k < (int)CAROM_SELECTION_RANDOM || is_enumerable) {
            add_samples(a, &params);
        }
    }
}

static void routh(answer *a) {
    carom_impact_outcomes *outcomes = no_outcomes(a);
    for (int i = 0; i < a->problem->contact_count; i++) {
        carom_impact_outcomes_clear(outcomes);
        add_outcomes(a,
                     a->problem->tangent_count == 1
                         ? carom_routh_impact_planar(a->problem, i, outcomes, NULL)
                         : carom_routh_impact_spatial(a->problem, i, outcomes, NULL),
                     outcomes);
        if (a->problem->tangent_count == 1) {
            const carom_routh_contact contact = carom_routh_contact_of_problem(a->problem, i);
            const double bound = carom_routh_impulse_bound(
                &contact, a->problem->contact_velocity[i],
                a->problem->contact_velocity[a->problem->contact_count + i]);
            add(a, bound, units_impulse(a->units),
                isfinite(bound) ? fmax(bound, stopping_impulse(a)) : bound);
        }
    }
    carom_impact_outcomes_free(outcomes);
}

static void propagative(answer *a) {
    const double smooth[MOST_CONTACTS] = {0.0};
    double e[MOST_CONTACTS];
    carom_impact_problem own = with_restitution(a->problem, e);
    own.friction = (double *)smooth;
    carom_impact_outcomes *outcomes = no_outcomes(a);
    for (int k = 0; k <= (int)CAROM_PROPAGATIVE_RANDOM; k++) {
        carom_impact_law_params params = carom_impact_law_params_default();
        params.has_rule = true;
        params.rule.rule = (carom_propagative_rule)k;
        for (int i = 0; i < own.contact_count; i++) {
            e[i] = k % 2 == 0 ? 1.0 : 0.6;
        }
        carom_impact_outcomes_clear(outcomes);
        add_outcomes(a, add_law(&carom_impact_law_propagative, &own, &params, outcomes, NULL),
                     outcomes);
    }
    carom_impact_outcomes_clear(outcomes);
    add_outcomes(a, add_law(&carom_impact_law_propagative, &own, NULL, outcomes, NULL), outcomes);
    carom_impact_outcomes_free(outcomes);
}

static void capped_modes(answer *a) {
    carom_contact_modes *modes = NULL;
    carom_contact_mode_solutions *solutions = NULL;
    if (a->problem->tangent_count > 1 || a->problem->contact_count > 3) {
        return;
    }
    assert_ok(carom_contact_modes_alloc(a->problem, CAROM_CONTACT_MODES_CAPPED, &modes, NULL));
    assert_ok(carom_contact_mode_solutions_alloc(modes, &solutions));
    for (int k = 1; k <= 3; k++) {
        double caps[MOST_CONTACTS];
        for (int i = 0; i < a->problem->contact_count; i++) {
            caps[i] = 0.21 * k * (i + 1) * stopping_impulse(a);
        }
        assert_ok(carom_contact_modes_solve(modes, a->problem->contact_velocity, caps, solutions));
        add_whole(a, solutions->count);
        add_speeds(a, solutions->count * solutions->row_count, solutions->velocity);
        for (int s = 0; s < solutions->count; s++) {
            add_whole(a, solutions->multiplicity[s]);
        }
    }
    carom_contact_mode_solutions_free(solutions);
    carom_contact_modes_free(modes);
}

/* The bound of Theorem 8 in the metric of M, of coordinates of any units. */
static void kinetic_bounds(answer *a) {
    carom_impact_bounds bounds;
    const carom_status status =
        carom_impact_bounds_compute(a->problem, 8, 0.7 * stopping_impulse(a), NULL, &bounds, NULL);
    add_whole(a, (double)status);
    if (status == CAROM_OK) {
        add_whole(a, bounds.unit_free_count);
        add(a, bounds.kinetic_r, sqrt(a->units.mass), bounds.kinetic_r);
    }
}

/* What the paper prints takes the lengths of vectors: coordinates of one unit. */
static void bounds_and_coverage(answer *a) {
    const double h = 0.7 * stopping_impulse(a);
    carom_impact_bounds bounds;
    const carom_status status = carom_impact_bounds_compute(a->problem, 8, h, NULL, &bounds, NULL);
    add_whole(a, (double)status);
    if (status == CAROM_OK) {
        add(a, bounds.c_z, sqrt(a->units.mass), bounds.c_z);
        add(a, bounds.response_norm, 1.0 / a->units.mass, bounds.response_norm);
        const carom_net_problem net = {.dimension = 4,
                                       .side = h,
                                       .lipschitz = bounds.response_norm,
                                       .net_radius = 0.05 * a->problem->speed_scale[0],
                                       .probability = 1e-3};
        carom_net_bound samples;
        assert_ok(carom_net_samples(&net, &samples, NULL));
        add(a, samples.log10_samples, 1.0, samples.log10_samples);
    }
    carom_impact_sampling_params params = carom_impact_sampling_params_default();
    carom_impact_samples *sets[2] = {NULL, NULL};
    params.samples = 64;
    params.workers.threads = 1;
    for (unsigned long k = 0; k < 2; k++) {
        params.seed = k;
        assert_ok(carom_impact_sample(a->problem, &params, &sets[k], NULL));
    }
    carom_point_tree *tree = NULL;
    carom_covering covering;
    const int r = a->problem->row_count;
    assert_ok(carom_point_tree_alloc(64, r, sets[0]->contact_velocity, &tree, NULL));
    assert_ok(carom_covering_measure(tree, 64, sets[1]->contact_velocity, THREADS(1), NULL,
                                     &covering, NULL));
    add(a, covering.radius, units_speed(a->units), a->problem->speed_scale[0]);
    carom_point_tree_free(tree);
    carom_impact_samples_free(sets[0]);
    carom_impact_samples_free(sets[1]);
}

typedef void (*law)(answer *a);

static const struct {
    const char *name;
    law run;
    bool has_mixed_units; /* coordinates may be lengths and angles */
} LAWS[] = {{"Anitescu-Potra", anitescu_potra, true},
            {"Newton-Moreau", newton_moreau, true},
            {"sequential", sequential, true},
            {"inclusion", inclusion, true},
            {"sampling", sampling, true},
            {"Routh", routh, true},
            {"propagative", propagative, true},
            {"capped modes", capped_modes, true},
            {"kinetic bounds", kinetic_bounds, true},
            {"bounds and coverage", bounds_and_coverage, false}};

enum { LAW_COUNT = sizeof LAWS / sizeof LAWS[0] };

/* ------------------------------------------------------------------------------------ comparing */

static answer *answer_of(int k, const carom_impact_problem *problem, test_units units) {
    answer *a = calloc(1, sizeof *a);
    ck_assert_ptr_nonnull(a);
    a->problem = problem;
    a->units = units;
    LAWS[k].run(a);
    return a;
}

/* The answers of a law to both problems agree up to `part` of their sizes. */
static void compare(int k, const char *what, const carom_impact_problem *plain,
                    const carom_impact_problem *other, test_units units, double part) {
    answer *expected = answer_of(k, plain, (test_units){1, 1, 1});
    answer *found = answer_of(k, other, units);
    ck_assert_msg(found->count == expected->count, "%s, %s: %d numbers, expected %d", what,
                  LAWS[k].name, found->count, expected->count);
    for (int i = 0; i < found->count; i++) {
        const double difference = fabs(found->value[i] - expected->value[i]);
        const bool is_same = isinf(expected->value[i]) ? isinf(found->value[i])
                                                       : difference <= part * expected->size[i];
        ck_assert_msg(is_same,
                      "%s, %s, units of %g kg, %g m, %g s: number %d of %d is %.17g, expected "
                      "%.17g, size %g",
                      what, LAWS[k].name, units.mass, units.length, units.time, i, found->count,
                      found->value[i], expected->value[i], expected->size[i]);
    }
    free(expected);
    free(found);
}

/* The same numbers in other units; coordinate i is an angle where is_angle says so. */
static carom_impact_problem *in_units(const carom_impact_problem *p, const bool *is_angle,
                                      test_units u) {
    const int n = p->coordinate_count;
    const int m = p->contact_count;
    const int t = p->tangent_count;
    double M[MOST_COORDINATES * MOST_COORDINATES];
    double J[3 * MOST_CONTACTS * MOST_COORDINATES];
    double v[MOST_COORDINATES];
    for (int i = 0; i < n; i++) {
        const double factor = is_angle[i] ? 1.0 : u.length;
        v[i] = p->velocity[i] * factor / u.time;
        for (int j = 0; j < n; j++) {
            const double both = factor * (is_angle[j] ? 1.0 : u.length);
            M[i * n + j] = p->mass[i * n + j] * (u.mass * u.length * u.length / both);
        }
        for (int a = 0; a < p->row_count; a++) {
            J[a * n + i] = p->contact_jacobian[a * n + i] * (u.length / factor);
        }
    }
    carom_impact_problem *other = NULL;
    assert_ok(carom_impact_problem_alloc(n, m, t, M, J, J + m * n, p->friction, v, &other, NULL));
    return other;
}

static void compare_units(int k, const char *what, const carom_impact_problem *p,
                          const bool *is_angle) {
    const bool lengths[MOST_COORDINATES] = {false};
    for (int u = 0; u < CHANGE_OF_UNITS_COUNT; u++) {
        const test_units units = CHANGES_OF_UNITS[u];
        carom_impact_problem *other =
            in_units(p, LAWS[k].has_mixed_units ? is_angle : lengths, units);
        compare(k, what, p, other, units, 1e-9);
        carom_impact_problem_free(other);
    }
    for (int u = 0; u < BINARY_CHANGE_OF_UNITS_COUNT; u++) {
        const test_units units = BINARY_CHANGES_OF_UNITS[u];
        carom_impact_problem *other = in_units(p, lengths, units);
        compare(k, what, p, other, units, 0.0);
        carom_impact_problem_free(other);
    }
}

LOOP_TEST(property, random_impacts_are_the_same_in_other_units, LAW_COUNT) {
    gsl_rng *generator = seeded_generator(4711);
    const bool is_angle[MOST_COORDINATES] = {false, true,  false, false, true,
                                             true,  false, true,  false};
    for (int k = 0; k < RANDOM_PROBLEMS; k++) {
        plain_impact plain;
        char name[40];
        random_plain(generator, (random_kind)(k % RANDOM_KINDS), 1 + k % 3, &plain);
        snprintf(name, sizeof name, "random impact %d", k);
        carom_impact_problem *problem = problem_of_plain(&plain);
        compare_units(_i, name, problem, is_angle);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

LOOP_TEST(property, impacts_in_space_are_the_same_in_other_units, LAW_COUNT) {
    enum { N = 5 };
    gsl_rng *generator = seeded_generator(1147);
    const bool is_angle[N] = {false, false, true, true, false};
    for (int k = 0; k < RANDOM_PROBLEMS / 2; k++) {
        const int m = 1 + k % 2;
        double M[N * N] = {0.0};
        double J[6 * N];
        double mu[2];
        double v[N];
        for (int i = 0; i < N; i++) {
            M[i * (N + 1)] = uniform(generator, 0.5, 2.0);
            v[i] = uniform(generator, -1.0, 1.0);
        }
        for (int i = 0; i < 3 * m * N; i++) {
            J[i] = uniform(generator, -1.0, 1.0);
        }
        for (int i = 0; i < m; i++) {
            double speed = 0.0;
            mu[i] = uniform(generator, 0.0, 1.5);
            for (int j = 0; j < N; j++) {
                speed += J[i * N + j] * v[j];
            }
            for (int j = 0; j < N; j++) {
                J[i * N + j] *= speed > 0.0 ? -1.0 : 1.0;
            }
        }
        carom_impact_problem *problem = NULL;
        assert_ok(carom_impact_problem_alloc(N, m, 2, M, J, J + m * N, mu, v, &problem, NULL));
        compare_units(_i, "impact in space", problem, is_angle);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

/* By way of their mechanisms: gaps that are closed, rows and velocities come out in other units. */
LOOP_TEST(property, published_impacts_are_the_same_in_other_units, LAW_COUNT *DISKS_CODE) {
    const published_system system = (published_system)(_i % DISKS_CODE);
    const int k = _i / DISKS_CODE;
    carom_impact_scene *scene = scene_of_system(system);
    const carom_mechanism *mechanism = carom_impact_scene_mechanism(scene);
    carom_impact_problem *problem = problem_of_system(system);
    for (int u = 0; u < CHANGE_OF_UNITS_COUNT && LAWS[k].has_mixed_units; u++) {
        other_units units;
        double q[UNITS_MAX_COORDINATES];
        double v[UNITS_MAX_COORDINATES];
        carom_impact_problem *other = NULL;
        other_units_init(&units, mechanism, CHANGES_OF_UNITS[u]);
        units_position(&units, scene->position, q);
        units_velocity(&units, scene->velocity, v);
        assert_ok(carom_impact_problem_of_mechanism(&units.mechanism, q, v, CAROM_IMPACT_CLOSED,
                                                    NULL, &other, NULL));
        ck_assert_int_eq(other->contact_count, problem->contact_count);
        compare(k, SYSTEM_NAMES[system], problem, other, CHANGES_OF_UNITS[u], 1e-9);
        carom_impact_problem_free(other);
    }
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
}
