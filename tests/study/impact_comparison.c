#include "recorded_impact.h"

#include <carom/study/impacts.h>

/** Three outcomes in a plane contact space of two rows; the nearest one is not finished. */
static double speeds[3][2] = {{0.0, 0.0}, {0.3, 0.4}, {1.0, 0.0}};
static int finished[3] = {0, 1, 1};

static carom_impact_samples three_samples(void) {
    return (carom_impact_samples){
        .row_count = 2, .count = 3, .contact_velocity = speeds[0], .is_finished = finished};
}

TEST(unit, the_nearest_finished_sample_counts) {
    const carom_impact_samples samples = three_samples();
    const double origin[2] = {0.0, 0.0};
    const double near_third[2] = {1.0, 0.1};
    assert_close(carom_impact_samples_distance(&samples, origin), 0.5, 1e-15, 0.0);
    assert_close(carom_impact_samples_distance(&samples, near_third), 0.1, 1e-15, 0.0);
}

TEST(unit, without_a_finished_sample_there_is_no_distance) {
    carom_impact_samples samples = three_samples();
    samples.count = 1;
    const double origin[2] = {0.0, 0.0};
    ck_assert(!isfinite(carom_impact_samples_distance(&samples, origin)));
}
