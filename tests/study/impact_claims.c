#include "recorded_impact.h"

#include <carom/study/impact_claims.h>

/** Three outcomes in a plane contact space of two rows; the nearest one is not finished. */
static double speeds[3][2] = {{0.0, 0.0}, {0.3, 0.4}, {1.0, 0.0}};
static int finished[3] = {0, 1, 1};
static int increments[3] = {7, 2, 4};

static carom_impact_samples three_samples(void) {
    return (carom_impact_samples){.row_count = 2,
                                  .count = 3,
                                  .contact_velocity = speeds[0],
                                  .is_finished = finished,
                                  .increments = increments};
}

TEST(unit, the_nearest_finished_sample_counts) {
    const carom_impact_samples samples = three_samples();
    const double origin[2] = {0.0, 0.0};
    const double near_third[2] = {1.0, 0.1};
    assert_close(carom_impact_samples_distance(&samples, origin), 0.5, 1e-15, 0.0);
    assert_close(carom_impact_samples_distance(&samples, near_third), 0.1, 1e-15, 0.0);
    ck_assert_int_eq(carom_impact_samples_most_increments(&samples), 7);
}

static bool is_beyond(const double *c, void *context) {
    const double *limit = context;
    return c[0] >= *limit;
}

TEST(unit, only_finished_samples_are_counted) {
    const carom_impact_samples samples = three_samples();
    double limit = -1.0;
    ck_assert_int_eq(carom_impact_samples_count(&samples, is_beyond, &limit), 2);
    limit = 0.5;
    ck_assert_int_eq(carom_impact_samples_count(&samples, is_beyond, &limit), 1);
}

TEST(unit, without_a_finished_sample_there_is_no_distance) {
    carom_impact_samples samples = three_samples();
    samples.count = 1;
    const double origin[2] = {0.0, 0.0};
    ck_assert(!isfinite(carom_impact_samples_distance(&samples, origin)));
}

/** Write the claims of findings and read one. */
static double claim_of(const carom_impact_study_results *findings, const char *path) {
    record_scene scene = scene_begin();
    const carom_impact_study study = {.target = {.record = scene.record}};
    carom_impact_claims_theorems(&study, findings);
    scene_read(&scene);
    const double value = number_at(&scene, path);
    scene_end(&scene);
    return value;
}

TEST(unit, claims_of_the_theorems_follow_the_counts) {
    carom_impact_samples samples = three_samples();
    samples.mean_increments = 13.0 / 3.0;
    carom_impact_study_results findings = {.samples = &samples, .has_bounds = true};
    findings.bounds.theorem_8_count = 4;
    findings.bounds.unit_free_count = 3;
    assert_close(claim_of(&findings, "/claims/every_increment_has_a_solution"), 1.0, 0.0, 0.0);
    assert_close(claim_of(&findings, "/claims/energy_never_rises"), 1.0, 0.0, 0.0);
    assert_close(claim_of(&findings, "/claims/a_handful_of_increments"), 1.0, 0.0, 0.0);
    // The longest finished sample has four increments; seven belong to one that is not.
    assert_close(claim_of(&findings, "/claims/increments_within_theorem_8"), 1.0, 0.0, 0.0);
    assert_close(claim_of(&findings, "/claims/increments_within_unit_free_bound"), 0.0, 0.0, 0.0);
    samples.unsolved_count = 1;
    samples.energy_rise_count = 2;
    samples.mean_increments = 5.5;
    assert_close(claim_of(&findings, "/claims/every_increment_has_a_solution"), 0.0, 0.0, 0.0);
    assert_close(claim_of(&findings, "/claims/energy_never_rises"), 0.0, 0.0, 0.0);
    assert_close(claim_of(&findings, "/claims/a_handful_of_increments"), 0.0, 0.0, 0.0);
}
