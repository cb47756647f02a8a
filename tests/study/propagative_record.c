#include "../failing_malloc.h"
#include "recorded_impact.h"

#include <carom/impact/impact_problem.h>
#include <carom/models/ball_chain.h>
#include <carom/models/billiard_break.h>
#include <carom/study/propagative_record.h>
#include <gsl/gsl_math.h>

/** A problem, its contacts and all outcomes. */
typedef struct instant {
    carom_impact_problem *problem;
    carom_propagative_contacts *contacts;
    carom_propagative_outcomes *outcomes;
} instant;

/** With one coefficient of restitution for all contacts. */
static instant instant_of(carom_impact_problem *problem, double restitution) {
    const double e[] = {restitution, restitution, restitution, restitution};
    ck_assert_int_le(problem->contact_count, 4);
    assert_ok(carom_impact_problem_set_restitution(problem, e, NULL));
    instant self = {.problem = problem};
    const carom_propagative_tree_params params = carom_propagative_tree_params_default();
    assert_ok(carom_propagative_contacts_of_problem(problem, &self.contacts, NULL));
    assert_ok(carom_propagative_outcomes_find(self.contacts, &params, problem->contact_velocity,
                                              problem->kinetic_energy, &self.outcomes, NULL));
    return self;
}

static void instant_clear(instant *self) {
    carom_propagative_outcomes_free(self->outcomes);
    carom_propagative_contacts_free(self->contacts);
    carom_impact_problem_free(self->problem);
}

/** Three equal balls of 1.7 kg with velocities, by the model. */
static instant cradle(const double *velocities, double restitution) {
    const double masses[3] = {1.7, 1.7, 1.7};
    const double radii[3] = {1.0, 1.0, 1.0};
    const carom_ball_chain_params params = {
        .balls = 3, .masses = masses, .radii = radii, .velocities = velocities};
    carom_model *model = NULL;
    carom_impact_problem *problem = NULL;
    assert_ok(carom_ball_chain_alloc(&params, &model, NULL));
    assert_ok(carom_impact_problem_of_mechanism(&model->mechanism, model->initial_position,
                                                velocities, 1e-9, NULL, &problem, NULL));
    carom_model_free(model);
    return instant_of(problem, restitution);
}

/* (15): three reflections in both orders exchange the outer velocities. */
TEST(unit, the_cradle_is_written_with_both_sequences) {
    const double v[3] = {2.385, 1.1, -0.7};
    const char *const names[] = {"left", "right"};
    instant x = cradle(v, 1.0);
    record_scene scene = scene_begin();
    carom_propagative_record self =
        carom_propagative_record_of(scene.record, "/cradle", x.problem, x.contacts);
    self.target.names = names;
    assert_ok(carom_propagative_record_outcomes(&self, x.outcomes));
    scene_read(&scene);
    assert_close(number_at(&scene, "/cradle/count"), 1.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/cradle/is_unique"), 1.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/cradle/is_unique_always"), 1.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/cradle/sequence_count"), 2.0, 0.0, 0.0);
    // Six momenta: the permutations of the three velocities.
    assert_close(number_at(&scene, "/cradle/momentum_count"), 6.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/cradle/indeterminacy"), 0.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/cradle/restitution"), 1.0, 0.0, 0.0);
    // u_i = (-1, 1) and the mean angle of u and v: cos(pi/3), as their cosine is -1/2.
    assert_close(number_at(&scene, "/cradle/normal_length[1]"), sqrt(2.0 / 1.7), 1e-15, 0.0);
    assert_close(number_at(&scene, "/cradle/separation"), 0.5, 1e-15, 0.0);
    assert_text(&scene, "/cradle/before/names", "left right");
    double energy = 0.0;
    double mean = 0.0;
    for (int k = 0; k < 3; k++) {
        char path[64];
        snprintf(path, sizeof path, "/cradle/outcome_00/velocity[%d]", k);
        assert_close(number_at(&scene, path), v[2 - k], 0.0, 1e-14);
        snprintf(path, sizeof path, "/cradle/outcome_00/momentum[%d]", k);
        assert_close(number_at(&scene, path), 1.7 * v[2 - k], 0.0, 1e-14);
        snprintf(path, sizeof path, "/cradle/before/momentum[%d]", k);
        assert_close(number_at(&scene, path), 1.7 * v[k], 1e-15, 0.0);
        snprintf(path, sizeof path, "/cradle/before/velocity[%d]", k);
        assert_close(number_at(&scene, path), v[k], 0.0, 0.0);
        energy += 0.5 * 1.7 * v[k] * v[k];
        mean += v[k] / 3.0;
    }
    assert_close(number_at(&scene, "/cradle/before/normal_velocity[1]"), -1.8, 1e-15, 0.0);
    assert_close(number_at(&scene, "/cradle/before/kinetic_energy"), energy, 1e-15, 0.0);
    assert_close(number_at(&scene, "/cradle/outcome_00/kinetic_energy"), energy, 1e-14, 0.0);
    assert_close(number_at(&scene, "/cradle/outcome_00/energy_change"), 0.0, 0.0, 1e-14);
    assert_close(number_at(&scene, "/cradle/outcome_00/normal_velocity[0]"), 1.8, 1e-14, 0.0);
    assert_close(number_at(&scene, "/cradle/plastic_loss"), energy - 0.5 * 5.1 * mean * mean, 1e-14,
                 0.0);
    // Each reflection exchanges two velocities: 1.7 times 1.285, then 3.085, then 1.8.
    assert_text(&scene, "/cradle/outcome_00/names", "left right left");
    assert_shape(&scene, "/cradle/outcome_00/sequence", 3, 1, "1");
    assert_close(number_at(&scene, "/cradle/outcome_00/sequence[1]"), 1.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/cradle/outcome_00/step_impulse[0]"), 1.7 * 1.285, 1e-14, 0.0);
    assert_close(number_at(&scene, "/cradle/outcome_00/step_impulse[1]"), 1.7 * 3.085, 1e-14, 0.0);
    assert_close(number_at(&scene, "/cradle/outcome_00/step_impulse[2]"), 1.7 * 1.8, 1e-14, 0.0);
    assert_close(number_at(&scene, "/cradle/outcome_00/impulse[0]"), 1.7 * 3.085, 1e-14, 0.0);
    assert_shape(&scene, "/cradle/outcome_00/impulse", 2, 1, "N s");
    assert_close(number_at(&scene, "/cradle/outcome_00/length"), 3.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/cradle/outcome_00/longest"), 3.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/cradle/outcome_00/sequence_count"), 2.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/cradle/outcome_00/minimality"), 1.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/cradle/outcome_00/minimal_count"), 2.0, 0.0, 0.0);
    assert_shape(&scene, "/cradle/sequences/contact", 6, 1, "1");
    assert_close(number_at(&scene, "/cradle/sequences/contact[3]"), 1.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/cradle/sequences/begin[1]"), 3.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/cradle/sequences/length[1]"), 3.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/cradle/sequences/outcome[1]"), 0.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/cradle/sequences/minimality[1]"), 1.0, 0.0, 0.0);
    // gamma = pi/6: ceil(pi/gamma) = 6, ceil(3) = 3, ceil(5/2) = 3.
    assert_shape(&scene, "/cradle/pairs/cosine", 1, 1, "1");
    assert_close(number_at(&scene, "/cradle/pairs/first[0]"), 0.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/cradle/pairs/second[0]"), 1.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/cradle/pairs/cosine[0]"), -0.5, 1e-15, 0.0);
    assert_close(number_at(&scene, "/cradle/pairs/half_opening[0]"), M_PI / 6.0, 1e-15, 0.0);
    assert_close(number_at(&scene, "/cradle/pairs/wedge_count[0]"), 3.0, 1e-14, 0.0);
    assert_close(number_at(&scene, "/cradle/pairs/paper_bound[0]"), 6.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/cradle/pairs/longest[0]"), 3.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/cradle/pairs/longest_minimal[0]"), 3.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/cradle/pairs/order[0]"), 3.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/cradle/pairs/reflections_first[0]"), 3.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/cradle/pairs/reflections_second[0]"), 3.0, 0.0, 0.0);
    scene_end(&scene);
    instant_clear(&x);
}

/* Section VII-A: two balls hit at the same time, the outcomes are mirror images of each other. */
TEST(unit, the_break_has_two_outcomes_that_are_mirror_images) {
    const carom_billiard_break_params params = carom_billiard_break_params_default();
    carom_impact_scene *balls = NULL;
    carom_impact_problem *problem = NULL;
    assert_ok(carom_billiard_break_alloc(&params, &balls, NULL));
    assert_ok(carom_impact_problem_of_scene(balls, &problem, NULL));
    carom_impact_scene_free(balls);
    instant x = instant_of(problem, 1.0);
    record_scene scene = scene_begin();
    const carom_propagative_record self =
        carom_propagative_record_of(scene.record, "/break", x.problem, x.contacts);
    assert_ok(carom_propagative_record_outcomes(&self, x.outcomes));
    scene_read(&scene);
    assert_close(number_at(&scene, "/break/count"), 2.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/break/is_unique"), 0.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/break/is_unique_always"), 0.0, 0.0, 0.0);
    assert_text(&scene, "/break/outcome_00/names", "A B");
    assert_text(&scene, "/break/outcome_01/names", "B A");
    const double c = carom_billiard_break_cosine(&params);
    assert_close(number_at(&scene, "/break/pairs/cosine[0]"), c, 1e-12, 0.0);
    // |p_uv - p_vu| = 4 |c| sqrt(a^2 + b^2 - 2 a b c) with a = b in unit normals.
    const double a = x.problem->contact_velocity[0] / x.contacts->length[0];
    assert_close(number_at(&scene, "/break/indeterminacy"),
                 4.0 * fabs(c) * fabs(a) * sqrt(2.0 - 2.0 * c) /
                     sqrt(2.0 * x.problem->kinetic_energy),
                 1e-12, 0.0);
    // y of the cue ball, and x and y of the two that it hits.
    const double y = number_at(&scene, "/break/outcome_00/velocity[5]");
    ck_assert(fabs(y) > 1e-3);
    assert_close(number_at(&scene, "/break/outcome_01/velocity[5]"), -y, 1e-12, 0.0);
    assert_close(number_at(&scene, "/break/outcome_01/velocity[2]"),
                 number_at(&scene, "/break/outcome_00/velocity[0]"), 1e-12, 0.0);
    assert_close(number_at(&scene, "/break/outcome_01/impulse[1]"),
                 number_at(&scene, "/break/outcome_00/impulse[0]"), 1e-12, 0.0);
    scene_end(&scene);
    instant_clear(&x);
}

/* Dependent normals: outcomes of several sequences of different lengths. */
TEST(unit, of_several_sequences_the_shortest_stands_for_the_outcome) {
    // Contact 1 is contact 0 beside a third one: c = -0.8, so that long sequences exist.
    const double M[4] = {1.0, 0.0, 0.0, 1.0};
    const double J_n[8] = {1.0, 0.0, -0.8, 0.6, 0.6, 0.8, 0.0, 1.0};
    const double zeros[8] = {0};
    const double v[2] = {-1.0, -0.9};
    carom_impact_problem *problem = NULL;
    assert_ok(carom_impact_problem_alloc(2, 4, 1, M, J_n, zeros, zeros, v, &problem, NULL));
    instant x = instant_of(problem, 1.0);
    record_scene scene = scene_begin();
    const carom_propagative_record self =
        carom_propagative_record_of(scene.record, "/p", x.problem, x.contacts);
    assert_ok(carom_propagative_record_outcomes(&self, x.outcomes));
    scene_read(&scene);
    assert_close(number_at(&scene, "/p/count"), x.outcomes->count, 0.0, 0.0);
    assert_shape(&scene, "/p/pairs/cosine", 6, 1, "1");
    assert_close(number_at(&scene, "/p/pairs/first[3]"), 1.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/p/pairs/second[3]"), 2.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/p/pairs/cosine[4]"), 0.6, 1e-15, 0.0);
    bool has_choice = false;
    int total = 0;
    for (int k = 0; k < x.outcomes->count; k++) {
        int shortest = 1000;
        int longest = 0;
        int count = 0;
        int minimal = 0;
        for (int s = 0; s < x.outcomes->sequence_count; s++) {
            const int length = x.outcomes->begin[s + 1] - x.outcomes->begin[s];
            if (x.outcomes->outcome[s] == k) {
                shortest = length < shortest ? length : shortest;
                longest = length > longest ? length : longest;
                minimal += x.outcomes->minimality[s] == CAROM_PROPAGATIVE_MINIMAL ? 1 : 0;
                count++;
            }
        }
        has_choice = has_choice || shortest < longest;
        total += count;
        const struct {
            const char *name;
            int value;
        } rows[] = {{"length", shortest},
                    {"longest", longest},
                    {"sequence_count", count},
                    {"minimal_count", minimal}};
        char path[64];
        for (int r = 0; r < 4; r++) {
            snprintf(path, sizeof path, "/p/outcome_%02d/%s", k, rows[r].name);
            assert_close(number_at(&scene, path), rows[r].value, 0.0, 0.0);
        }
        // The shortest sequence leads to the same velocity as the one that found the outcome.
        for (int i = 0; i < 4; i++) {
            snprintf(path, sizeof path, "/p/outcome_%02d/normal_velocity[%d]", k, i);
            assert_close(number_at(&scene, path), x.outcomes->normal_velocity[4 * k + i], 0.0,
                         1e-12);
        }
    }
    ck_assert(has_choice);
    ck_assert_int_eq(total, x.outcomes->sequence_count);
    scene_end(&scene);
    instant_clear(&x);
}

/* (17) with R = 0.7 for one ball against two at rest: R (0, 0, 1) + (1 - R) (1, 1, 1)/3. */
TEST(unit, restitution_mixes_outcomes_and_runs_alike) {
    const double v[3] = {1.0, 0.0, 0.0};
    instant x = cradle(v, 0.7);
    carom_propagative_params params = carom_propagative_params_default();
    carom_propagative_impact *impact = NULL;
    assert_ok(carom_propagative_impact_alloc(2, 16, &impact));
    assert_ok(carom_propagative_impact_run(x.contacts, &params, 0.7, x.problem->contact_velocity,
                                           x.problem->kinetic_energy, impact, NULL));
    record_scene scene = scene_begin();
    carom_propagative_record self =
        carom_propagative_record_of(scene.record, "/all", x.problem, x.contacts);
    assert_ok(carom_propagative_record_outcomes(&self, x.outcomes));
    self.group = carom_record_group(scene.record, "/one");
    assert_ok(carom_propagative_record_impact(&self, impact));
    scene_read(&scene);
    const char *const groups[2] = {"/all", "/one"};
    for (int g = 0; g < 2; g++) {
        const struct {
            const char *name;
            double value;
        } rows[] = {{"outcome_00/velocity[0]", 0.1},
                    {"outcome_00/velocity[1]", 0.1},
                    {"outcome_00/velocity[2]", 0.8},
                    {"outcome_00/normal_velocity[1]", 0.7},
                    {"outcome_00/energy_change", -0.34 * 0.85},
                    {"outcome_00/kinetic_energy", 0.66 * 0.85},
                    {"plastic_loss", 0.85 * 2.0 / 3.0},
                    {"restitution", 0.7},
                    {"outcome_00/length", 2.0},
                    {"outcome_00/step_impulse[0]", 1.7},
                    {"outcome_00/sequence[1]", 1.0},
                    {"pairs/reflections_second[0]", 0.0},
                    {"before/momentum[0]", 1.7}};
        for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
            char path[64];
            snprintf(path, sizeof path, "%s/%s", groups[g], rows[r].name);
            assert_close(number_at(&scene, path), rows[r].value, 1e-14, 1e-15);
        }
    }
    assert_text(&scene, "/one/outcome_00/names", "A B");
    assert_close(number_at(&scene, "/one/energy_error"), 0.0, 0.0, 1e-14);
    assert_close(number_at(&scene, "/one/residual"), 0.0, 0.0, 1e-14);
    assert_absent(&scene, "/one/outcome_00/minimality");
    scene_end(&scene);
    carom_propagative_impact_free(impact);
    instant_clear(&x);
}

TEST(errors, separating_contacts_and_single_ones_leave_out_what_is_empty) {
    const double apart[3] = {-1.0, 0.0, 1.0};
    instant x = cradle(apart, 1.0);
    const double one[1] = {1.0};
    const double zero[1] = {0.0};
    const double v[1] = {-2.385};
    carom_impact_problem *problem = NULL;
    assert_ok(carom_impact_problem_alloc(1, 1, 1, one, one, zero, zero, v, &problem, NULL));
    instant y = instant_of(problem, 1.0);
    record_scene scene = scene_begin();
    const carom_propagative_record first =
        carom_propagative_record_of(scene.record, "/first", x.problem, x.contacts);
    const carom_propagative_record second =
        carom_propagative_record_of(scene.record, "/second", y.problem, y.contacts);
    assert_ok(carom_propagative_record_outcomes(&first, x.outcomes));
    assert_ok(carom_propagative_record_outcomes(&second, y.outcomes));
    scene_read(&scene);
    assert_close(number_at(&scene, "/first/outcome_00/length"), 0.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/first/outcome_00/velocity[2]"), 1.0, 0.0, 0.0);
    assert_absent(&scene, "/first/outcome_00/sequence");
    assert_absent(&scene, "/first/outcome_00/names");
    assert_absent(&scene, "/first/sequences/contact");
    assert_close(number_at(&scene, "/second/outcome_00/velocity[0]"), 2.385, 1e-15, 0.0);
    assert_close(number_at(&scene, "/second/is_unique_always"), 1.0, 0.0, 0.0);
    assert_absent(&scene, "/second/pairs/cosine");
    scene_end(&scene);
    instant_clear(&y);
    instant_clear(&x);
}

TEST(errors, a_group_written_twice_is_refused) {
    const double v[3] = {1.0, 0.0, 0.0};
    instant x = cradle(v, 1.0);
    record_scene scene = scene_begin();
    const carom_propagative_record self =
        carom_propagative_record_of(scene.record, "/p", x.problem, x.contacts);
    assert_ok(carom_propagative_record_contacts(&self));
    assert_ok(carom_record_status(scene.record));
    assert_ok(carom_propagative_record_outcomes(&self, x.outcomes));
    assert_status(carom_record_status(scene.record), IO);
    carom_record_discard(scene.record);
    scene.record = NULL;
    scene_end(&scene);
    instant_clear(&x);
}

TEST(errors, failing_allocations_are_reported_without_a_leak) {
    const double v[3] = {2.385, 1.1, -0.7};
    instant x = cradle(v, 0.5);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    for (; status != CAROM_OK; failures++) {
        record_scene scene = scene_begin();
        carom_propagative_record self =
            carom_propagative_record_of(scene.record, "/p", x.problem, x.contacts);
        successes_left = failures;
        status = carom_propagative_record_outcomes(&self, x.outcomes);
        successes_left = -1;
        status = status == CAROM_OK ? carom_record_status(scene.record) : status;
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
        carom_record_discard(scene.record);
        scene.record = NULL;
        scene_end(&scene);
    }
    // Momentum and names, the table of pairs, sequences, the plastic impact, the outcome.
    ck_assert_int_gt(failures, 8);
    instant_clear(&x);
}
