#include "recorded_impact.h"

#include <carom/record/internal.h>
#include <carom/study/internal.h>

TEST(unit, contacts_are_lettered_or_named) {
    carom_impact_problem *block = make_block();
    const char *const names[] = {"left", "right"};
    carom_impact_record self = {NULL, block, NULL};
    char name[CAROM_IMPACT_NAME_SIZE];
    const struct {
        int contact;
        const char *name;
    } letters[] = {{0, "A"}, {1, "B"}, {25, "Z"}, {26, "A1"}, {53, "B2"}};
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        carom_impact_record_name(&self, letters[i].contact, name);
        ck_assert_str_eq(name, letters[i].name);
    }
    self.names = names;
    carom_impact_record_name(&self, 1, name);
    ck_assert_str_eq(name, "right");
    carom_impact_problem_free(block);
}

TEST(unit, the_velocity_before_is_written) {
    carom_impact_problem *block = make_block();
    record_scene scene = scene_begin();
    const carom_impact_record self = {scene.record, block, NULL};
    assert_ok(carom_impact_record_before(&self));
    carom_impact_record_problem(&self);
    scene_read(&scene);
    assert_shape(&scene, "/contact", 2, 1, "1");
    assert_shape(&scene, "/coordinate", 3, 1, "1");
    assert_shape(&scene, "/before/velocity", 3, 1, "m s-1");
    assert_shape(&scene, "/before/tangential_velocity", 2, 1, "m s-1");
    assert_close(number_at(&scene, "/before/normal_velocity[1]"), -block_speed, 0.0, 0.0);
    // m v^2 / 2, one rounding.
    assert_close(number_at(&scene, "/before/kinetic_energy"), 0.5 * block_speed * block_speed,
                 1e-15, 0.0);
    assert_close(number_at(&scene, "/before/is_colliding"), 1.0, 0.0, 0.0);
    assert_text(&scene, "/before/names", "A B");
    assert_shape(&scene, "/problem/mass", 3, 3, "kg");
    assert_close(number_at(&scene, "/problem/mass[2,2]"), 5.0 / 12.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/problem/normal[0,2]"), -0.5, 0.0, 0.0);
    assert_close(number_at(&scene, "/problem/tangential[1,2]"), 1.0, 0.0, 0.0);
    assert_shape(&scene, "/problem/friction", 2, 1, "1");
    scene_end(&scene);
    carom_impact_problem_free(block);
}

TEST(unit, in_space_two_tangents_stand_for_each_contact) {
    carom_impact_problem *problem = make_spatial();
    record_scene scene = scene_begin();
    const carom_impact_record self = {scene.record, problem, NULL};
    assert_ok(carom_impact_record_before(&self));
    carom_impact_record_problem(&self);
    carom_impact_outcomes *outcomes = NULL;
    assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
    const double L[] = {0.25, 0.5, 0.0, 0.125, -0.25, 0.0};
    assert_ok(carom_impact_outcomes_add(outcomes, problem, L, 0.0, 1e-9));
    carom_record simultaneous = carom_record_group(self.record, "/simultaneous");
    assert_ok(carom_impact_record_outcomes(&self, &simultaneous, outcomes));
    scene_read(&scene);
    assert_shape(&scene, "/tangent", 4, 1, "1");
    assert_shape(&scene, "/before/tangential_velocity", 4, 1, "m s-1");
    // The second tangent of the second wall is vertical.
    assert_close(number_at(&scene, "/before/tangential_velocity[3]"), -1.25, 0.0, 0.0);
    assert_shape(&scene, "/problem/tangential", 4, 3, "1");
    assert_shape(&scene, "/simultaneous/normal_impulse", 1, 2, "N s");
    assert_shape(&scene, "/simultaneous/tangential_impulse", 1, 4, "N s");
    assert_close(number_at(&scene, "/simultaneous/tangential_impulse[0,2]"), -0.25, 0.0, 0.0);
    assert_close(number_at(&scene, "/simultaneous/normal_impulse[0,1]"), 0.5, 0.0, 0.0);
    // Momentum of the point mass: the x-speed gains (0 - 0.25)/m; rounding of a few operations.
    assert_close(number_at(&scene, "/simultaneous/velocity[0,0]"), 0.75 - 0.25 / 2.385, 1e-14, 0.0);
    scene_end(&scene);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
}

TEST(unit, outcomes_are_written_by_solution) {
    carom_impact_problem *block = make_block();
    record_scene scene = scene_begin();
    const carom_impact_record self = {scene.record, block, NULL};
    carom_impact_outcomes *outcomes = NULL;
    assert_ok(carom_impact_outcomes_alloc(block, &outcomes));
    assert_ok(carom_impact_record_before(&self));
    carom_record none = carom_record_group(self.record, "/none");
    assert_ok(carom_impact_record_outcomes(&self, &none, outcomes));
    const double L[2][4] = {{0.125, 0.25, 0.0625, -0.5}, {0.5, 0.0, 0.0, 0.0}};
    assert_ok(carom_impact_outcomes_add(outcomes, block, L[0], 3e-16, 1e-9));
    assert_ok(carom_impact_outcomes_add(outcomes, block, L[1], 5e-16, 1e-9));
    assert_ok(carom_impact_outcomes_add(outcomes, block, L[1], 4e-16, 1e-9));
    carom_record simultaneous = carom_record_group(self.record, "/simultaneous");
    assert_ok(carom_impact_record_outcomes(&self, &simultaneous, outcomes));
    scene_read(&scene);
    assert_close(number_at(&scene, "/none/count"), 0.0, 0.0, 0.0);
    assert_absent(&scene, "/none/velocity");
    assert_close(number_at(&scene, "/simultaneous/count"), 2.0, 0.0, 0.0);
    assert_shape(&scene, "/simultaneous/velocity", 2, 3, "m s-1");
    assert_shape(&scene, "/simultaneous/normal_velocity", 2, 2, "m s-1");
    assert_shape(&scene, "/simultaneous/tangential_velocity", 2, 2, "m s-1");
    assert_shape(&scene, "/simultaneous/kinetic_energy", 2, 1, "J");
    // M v' = J'L by hand: y-speed gains L_n, the angle 12/5 (0.5 (L_nB - L_nA) + sum L_t).
    assert_close(number_at(&scene, "/simultaneous/velocity[0,1]"), -block_speed + 0.375, 1e-14,
                 0.0);
    assert_close(number_at(&scene, "/simultaneous/velocity[0,2]"), 2.4 * (0.0625 - 0.4375), 1e-14,
                 0.0);
    assert_close(number_at(&scene, "/simultaneous/tangential_impulse[0,1]"), -0.5, 0.0, 0.0);
    assert_close(number_at(&scene, "/simultaneous/multiplicity[1]"), 2.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/simultaneous/residual[1]"), 4e-16, 0.0, 0.0);
    scene_end(&scene);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(block);
}

TEST(unit, stages_of_a_sequence_are_written_in_order) {
    carom_impact_problem *block = make_block();
    record_scene scene = scene_begin();
    const carom_impact_record self = {scene.record, block, NULL};
    int order[] = {1, 0};
    int contact[] = {1, 0, 1};
    double c[] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0};
    double v[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
    double K[] = {3.0, 2.0, 1.0};
    carom_sequential_impact sequence = {
        .contact_count = 2,
        .coordinate_count = 3,
        .row_count = 4,
        .order = order,
        .stage_count = 3,
        .contact = contact,
        .contact_velocity = c,
        .velocity = v,
        .impulse = c,
        .kinetic_energy = K,
        .residual = 2e-16,
        .is_finished = true,
    };
    assert_ok(carom_impact_record_before(&self));
    carom_record b_first = carom_record_group(self.record, "/sequential/B_first");
    assert_ok(carom_impact_record_sequence(&self, &b_first, &sequence));
    sequence.stage_count = 0;
    sequence.is_finished = false;
    carom_record a_first = carom_record_group(self.record, "/sequential/A_first");
    assert_ok(carom_impact_record_sequence(&self, &a_first, &sequence));
    scene_read(&scene);
    assert_close(number_at(&scene, "/sequential/B_first/stage_count"), 3.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/sequential/B_first/finished"), 1.0, 0.0, 0.0);
    assert_shape(&scene, "/sequential/B_first/velocity", 3, 3, "m s-1");
    assert_shape(&scene, "/sequential/B_first/normal_velocity", 3, 2, "m s-1");
    assert_close(number_at(&scene, "/sequential/B_first/contact[2]"), 1.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/sequential/B_first/normal_velocity[1,1]"), 6.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/sequential/B_first/tangential_velocity[2,0]"), 11.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/sequential/B_first/tangential_impulse[0,1]"), 4.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/sequential/B_first/velocity[1,0]"), 0.4, 0.0, 0.0);
    assert_close(number_at(&scene, "/sequential/B_first/kinetic_energy[2]"), 1.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/sequential/A_first/finished"), 0.0, 0.0, 0.0);
    assert_absent(&scene, "/sequential/A_first/velocity");
    scene_end(&scene);
    carom_impact_problem_free(block);
}

/** Five outcomes of the block made by hand: increments 2 1 4 2 3, the fourth unfinished. */
typedef struct hand_made {
    int sample[5];
    double velocity[15];
    double speeds[20];
    double energy[5];
    double impulse[5];
    int increments[5];
    int finished[5];
} hand_made;

static carom_impact_samples fill(hand_made *h) {
    *h = (hand_made){
        .sample = {0, 1, 2, 3, 4},
        .speeds = {0.0, 0.25, 0.0,  -0.5, 0.125, 0.0, 0.75, 0.0,   0.0, 0.5,
                   0.0, 0.0,  -1.0, 9.0,  9.0,   9.0, 0.0,  0.375, 0.0, -0.625},
        .energy = {1.0, 2.0, 3.0, 4.0, 5.0},
        .impulse = {0.1, 0.2, 0.3, 0.4, 0.5},
        .increments = {2, 1, 4, 2, 3},
        .finished = {1, 1, 1, 0, 1},
    };
    for (int i = 0; i < 15; i++) {
        h->velocity[i] = 0.5 * i;
    }
    const carom_impact_samples samples = {
        .coordinate_count = 3,
        .row_count = 4,
        .count = 5,
        .sample = h->sample,
        .velocity = h->velocity,
        .contact_velocity = h->speeds,
        .kinetic_energy = h->energy,
        .impulse = h->impulse,
        .increments = h->increments,
        .is_finished = h->finished,
        .increment_count = 12,
        .multivalued_count = 3,
        .energy_rise_count = 0,
        .unsolved_count = 1,
        .rescue_count = 2,
        .pivot_count = 30,
        .truncated_count = 1,
        .largest_residual = 3e-15,
        .mean_increments = 2.4,
        .fraction_finished = 0.8,
        .mean_kinetic_energy = 2.75,
    };
    return samples;
}

TEST(unit, a_set_is_written_with_its_statistics) {
    carom_impact_problem *block = make_block();
    record_scene scene = scene_begin();
    const carom_impact_record self = {scene.record, block, NULL};
    hand_made h;
    const carom_impact_samples samples = fill(&h);
    carom_impact_sampling_params params = carom_impact_sampling_params_default();
    params.samples = 5;
    params.trajectory_length = 6;
    params.selection = CAROM_SELECTION_RANDOM;
    assert_ok(carom_impact_record_before(&self));
    assert_ok(carom_impact_record_samples(&self, &params, &samples));
    scene_read(&scene);
    assert_shape(&scene, "/set/final_velocity", 5, 3, "m s-1");
    assert_shape(&scene, "/set/normal_velocity", 5, 2, "m s-1");
    assert_shape(&scene, "/set/tangential_velocity", 5, 2, "m s-1");
    assert_shape(&scene, "/set/increments", 5, 1, "1");
    assert_shape(&scene, "/set/increment_histogram", 7, 1, "1");
    assert_close(number_at(&scene, "/set/normal_velocity[2,1]"), 0.5, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/tangential_velocity[4,1]"), -0.625, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/final_velocity[4,2]"), 7.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/finished[3]"), 0.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/increment_histogram[2]"), 2.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/increment_histogram[4]"), 1.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/increment_histogram[0]"), 0.0, 0.0, 0.0);
    // By hand: squared deviations from 2.4 add up to 5.2; sqrt(5.2/4/5).
    assert_close(number_at(&scene, "/set/mean_increments_standard_error"), sqrt(0.26), 1e-14, 0.0);
    assert_close(number_at(&scene, "/set/multivalued_fraction"), 0.25, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/mean_pivots"), 2.5, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/unsolved_count"), 1.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/rescue_count"), 2.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/truncated_count"), 1.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/impulse_step"), params.impulse_step, 0.0, 0.0);
    // Extents leave the unfinished sample out.
    assert_close(number_at(&scene, "/set/normal_velocity_max[1]"), 0.5, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/normal_velocity_min[0]"), 0.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/tangential_velocity_min[1]"), -0.625, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/tangential_velocity_max[0]"), 0.75, 0.0, 0.0);
    // Three finished samples end in SL, one in LS, an unfinished one in sL, then the alphabet.
    assert_text(&scene, "/set/modes/names", "SL LS sL LL Ls SS Ss sS ss");
    scene_end(&scene);
    carom_impact_problem_free(block);
}

TEST(unit, shares_of_modes_are_those_of_finished_samples) {
    carom_impact_problem *block = make_block();
    record_scene scene = scene_begin();
    const carom_impact_record self = {scene.record, block, NULL};
    hand_made h;
    const carom_impact_samples samples = fill(&h);
    const carom_impact_sampling_params params = carom_impact_sampling_params_default();
    assert_ok(carom_impact_record_before(&self));
    assert_ok(carom_impact_record_samples(&self, &params, &samples));
    scene_read(&scene);
    // Samples 0, 2, 4 end in SL, 1 in LS; 3 is unfinished, sL.
    assert_close(number_at(&scene, "/set/modes/SL"), 0.75, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/modes/LS"), 0.25, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/modes/sL"), 0.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/modes/fraction[0]"), 0.75, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/modes/finished_count[0]"), 3.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/modes/class_count"), 9.0, 0.0, 0.0);
    // Lemke's method does not know how many solutions there are.
    ck_assert(isnan(number_at(&scene, "/set/multivalued_fraction")));
    scene_end(&scene);
    carom_impact_problem_free(block);
}

TEST(unit, branches_tell_their_samples) {
    carom_impact_problem *block = make_block();
    record_scene scene = scene_begin();
    const carom_impact_record self = {scene.record, block, NULL};
    hand_made h;
    const carom_impact_samples samples = fill(&h);
    h.sample[1] = 0;
    carom_impact_sampling_params params = carom_impact_sampling_params_default();
    params.selection = CAROM_SELECTION_ALL;
    assert_ok(carom_impact_record_before(&self));
    assert_ok(carom_impact_record_samples(&self, &params, &samples));
    scene_read(&scene);
    assert_shape(&scene, "/set/branch", 5, 1, "1");
    assert_close(number_at(&scene, "/set/sample[1]"), 0.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/sample[2]"), 2.0, 0.0, 0.0);
    scene_end(&scene);
    carom_impact_problem_free(block);
}

TEST(errors, a_set_without_a_finished_sample_has_no_extents) {
    carom_impact_problem *block = make_block();
    record_scene scene = scene_begin();
    const carom_impact_record self = {scene.record, block, NULL};
    hand_made h;
    carom_impact_samples samples = fill(&h);
    memset(h.finished, 0, sizeof h.finished);
    samples.count = 1;
    samples.increment_count = 0;
    h.increments[0] = 0;
    samples.mean_increments = 0.0;
    samples.fraction_finished = 0.0;
    samples.mean_kinetic_energy = NAN;
    const carom_impact_sampling_params params = carom_impact_sampling_params_default();
    assert_ok(carom_impact_record_before(&self));
    assert_ok(carom_impact_record_samples(&self, &params, &samples));
    scene_read(&scene);
    ck_assert(isnan(number_at(&scene, "/set/normal_velocity_max[0]")));
    ck_assert(isnan(number_at(&scene, "/set/modes/fraction[0]")));
    ck_assert(isnan(number_at(&scene, "/set/modes/SL")));
    ck_assert(isnan(number_at(&scene, "/set/mean_kinetic_energy")));
    ck_assert(isnan(number_at(&scene, "/set/mean_pivots")));
    // One sample has no standard error.
    ck_assert(isnan(number_at(&scene, "/set/mean_increments_standard_error")));
    assert_close(number_at(&scene, "/set/increment_histogram[0]"), 1.0, 0.0, 0.0);
    scene_end(&scene);
    carom_impact_problem_free(block);
}

TEST(unit, planes_hold_cells_of_paths_and_ends_of_samples) {
    carom_impact_problem *block = make_block();
    record_scene scene = scene_begin();
    const carom_impact_record self = {scene.record, block, NULL};
    hand_made h;
    const carom_impact_samples samples = fill(&h);
    const carom_plane plane = {"normal_AB", 0, 1, -1.0, 1.0, -0.5, 1.5};
    const carom_plane elsewhere = {"far", 0, 1, 50.0, 51.0, 50.0, 51.0};
    carom_plane_raster *raster = NULL;
    carom_plane_raster *empty = NULL;
    assert_ok(carom_plane_raster_alloc(&plane, &raster, NULL));
    assert_ok(carom_plane_raster_alloc(&elsewhere, &empty, NULL));
    const double path[] = {-0.505, 0.505, 0.0, 0.0, 0.505, 0.505, 0.0, 0.0};
    carom_plane_raster_add(raster, 2, 4, path);
    assert_ok(carom_impact_record_before(&self));
    static carom_plane_ends ends[2];
    assert_ok(carom_plane_ends_add(&plane, &samples, &ends[0]));
    assert_ok(carom_plane_ends_add(&elsewhere, &samples, &ends[1]));
    assert_ok(carom_impact_record_plane(&self, raster, &ends[0]));
    assert_ok(carom_impact_record_plane(&self, empty, &ends[1]));
    scene_read(&scene);
    // Cells are 0.02 m/s long, centred at -25 to 25 times that; 0.505 is nearest to 25 times.
    assert_shape(&scene, "/set/paths/normal_AB/x", 51, 1, "m s-1");
    assert_close(number_at(&scene, "/set/paths/normal_AB/x[0]"), -0.5, 1e-14, 0.0);
    assert_close(number_at(&scene, "/set/paths/normal_AB/y[7]"), 0.5, 1e-14, 0.0);
    assert_close(number_at(&scene, "/set/paths/normal_AB/y_max"), 1.5, 0.0, 0.0);
    // The four finished samples lie in cells of their own, at their own places.
    assert_shape(&scene, "/set/points/normal_AB/x", 4, 1, "m s-1");
    assert_close(number_at(&scene, "/set/points/normal_AB/x[1]"), 0.125, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/points/normal_AB/y[3]"), 0.375, 0.0, 0.0);
    assert_absent(&scene, "/set/paths/far/x");
    assert_absent(&scene, "/set/points/far/x");
    scene_end(&scene);
    carom_plane_raster_free(raster);
    carom_plane_raster_free(empty);
    carom_impact_problem_free(block);
}

TEST(unit, planes_are_drawn_where_something_of_them_is_wanted) {
    static const char *const some[] = {"max(/set/paths/normal_AB/x[:])",
                                       "/set/paths/contact_A/y_min"};
    record_scene scene = scene_begin();
    const carom_impact_record target = {.record = scene.record};
    ck_assert(carom_impact_record_has_planes(&target));
    for (int i = 0; i < 2; i++) {
        scene.record->file->wanted = some[i];
        ck_assert(carom_impact_record_has_planes(&target));
    }
    scene.record->file->wanted =
        "/coverage/radius max(/set/normal_velocity) x_box /set/points/axis";
    ck_assert(!carom_impact_record_has_planes(&target));
    scene_end(&scene);
}

TEST(unit, bounds_are_written_or_said_to_be_missing) {
    carom_impact_problem *block = make_block();
    const carom_impact_bounds bounds = {.r_norm = 1.5, .psi = 22.25, .theorem_8_c = 64.0};
    for (int has_bounds = 0; has_bounds < 2; has_bounds++) {
        record_scene scene = scene_begin();
        const carom_impact_record self = {scene.record, block, NULL};
        carom_impact_record_bounds(&self, has_bounds != 0 ? &bounds : NULL);
        scene_read(&scene);
        assert_close(number_at(&scene, "/bounds/is_available"), has_bounds, 0.0, 0.0);
        if (has_bounds != 0) {
            assert_close(number_at(&scene, "/bounds/r_norm"), 1.5, 0.0, 0.0);
            assert_close(number_at(&scene, "/bounds/psi"), 22.25, 0.0, 0.0);
            assert_close(number_at(&scene, "/bounds/theorem_8_c"), 64.0, 0.0, 0.0);
        } else {
            assert_absent(&scene, "/bounds/psi");
        }
        scene_end(&scene);
    }
    carom_impact_problem_free(block);
}

TEST(errors, a_group_written_twice_is_refused) {
    carom_impact_problem *block = make_block();
    record_scene scene = scene_begin();
    const carom_impact_record self = {scene.record, block, NULL};
    assert_ok(carom_impact_record_before(&self));
    assert_ok(carom_record_status(scene.record));
    assert_ok(carom_impact_record_before(&self));
    assert_status(carom_record_status(scene.record), IO);
    carom_record_discard(scene.record);
    scene.record = NULL;
    scene_end(&scene);
    carom_impact_problem_free(block);
}
