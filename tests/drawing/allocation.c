/* src/drawing: without memory there is a status and no picture. */
#include "../failing_malloc.h"
#include "drawn.h"

#include <carom/drawing/geometry.h>

FIXTURE(scratch_setup, scratch_teardown);

static const double TIMES[] = {0.0, 0.1, 0.3};
static const double POSES[] = {0.0, 2.385, 0.1, 0.5, 1.9, 0.2, 1.1, 1.2, 0.4};

/** One body, by its poses or by its coordinates, which are the same numbers. */
static carom_status write_record(bool has_poses) {
    char path[SCRATCH_PATH_SIZE];
    const carom_record_header header = scratch_header();
    carom_record *record = NULL;
    CAROM_TRY(carom_record_create(scratch_path("motion.h5", path), &header, &record));
    CAROM_AUTO_VALUE(carom_geometry) geometry = {0};
    carom_geometry_add_body(&geometry, "block", -1, 0.0, 0.0, 0.0);
    for (int k = 0; k < 3; k++) {
        carom_geometry_add_term(&geometry, 0, (carom_geometry_direction)k, k, 1.0);
    }
    carom_geometry_add_box(&geometry, 0, 0.0, 0.0, 1.0, 2.0);
    carom_record group = carom_record_group(record, "/run");
    carom_record_axis(&group, "time", 3, TIMES, "s", "time");
    carom_status status = carom_geometry_record(record, &geometry);
    if (status == CAROM_OK && has_poses) {
        status = carom_geometry_record_poses(&group, "time", 3, 1, POSES);
    } else {
        carom_record_index_axis(&group, "coordinate", 3, "coordinate");
        carom_record_series(&group, "position", POSES, "time", "coordinate", "m", "q");
    }
    carom_record_axis(&group, "impacts/time", 1, TIMES + 1, "s", "time");
    if (status != CAROM_OK) {
        carom_record_discard(record);
        return status;
    }
    return carom_record_commit(record, NULL);
}

static const double CENTER[3] = {0.0, 0.0, 0.0};
static const double LEVEL[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 1.0};

/** A ball in space over a floor. */
static carom_status write_space(void) {
    static const double poses[3 * 7] = {0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.3, 0.1, 0.9, 0.8,
                                        0.6, 0.0, 0.0, 0.7, 0.2, 0.6, 0.0, 1.0, 0.0, 0.0};
    static const carom_outline solids[] = {{0, CAROM_OUTLINE_SPHERE, 1, CENTER, 0.35},
                                           {-1, CAROM_OUTLINE_HALF_SPACE, 2, LEVEL, 0.0}};
    char path[SCRATCH_PATH_SIZE];
    const carom_record_header header = scratch_header();
    carom_record *record = NULL;
    CAROM_TRY(carom_record_create(scratch_path("motion.h5", path), &header, &record));
    carom_record geometry = carom_record_group(record, "/geometry");
    carom_record group = carom_record_group(record, "/run");
    carom_status status = carom_geometry_record_solids(&geometry, 1, NULL, 2, solids);
    carom_record_axis(&group, "time", 3, TIMES, "s", "time");
    if (status == CAROM_OK) {
        status = carom_geometry_record_poses_in_space(&group, "time", 3, 1, poses);
    }
    carom_record_axis(&group, "impacts/time", 1, TIMES + 1, "s", "time");
    if (status != CAROM_OK) {
        carom_record_discard(record);
        return status;
    }
    return carom_record_commit(record, NULL);
}

static carom_status draw(bool is_plot) {
    char record[SCRATCH_PATH_SIZE];
    char output[SCRATCH_PATH_SIZE];
    carom_drawing_params params = carom_drawing_params_default();
    params.slow_impacts = 5.0;
    return carom_drawing_write(scratch_path("motion.h5", record), NULL, is_plot ? NULL : &params,
                               scratch_path("motion.svg", output), NULL);
}

/** What is written. */
typedef enum written { COORDINATES, FLAT_POSES, SPACE } written;

/** Fail the first, second, ... allocation of writing or drawing until there is none left. */
static void assert_survives(bool is_drawing, bool is_first, written what, int files) {
    int failures = 0;
    for (;; failures++) {
        successes_left = failures;
        const carom_status status = is_drawing      ? draw(is_first)
                                    : what == SPACE ? write_space()
                                                    : write_record(what == FLAT_POSES);
        const bool was_failed = successes_left < 0;
        successes_left = -1;
        if (!was_failed) {
            assert_ok(status);
            break;
        }
        ck_assert_str_eq(carom_status_name(status), "OUT_OF_MEMORY");
        ck_assert_int_eq(scratch_files(false), files);
    }
    ck_assert_int_ge(failures, 8);
    ck_assert_int_eq(scratch_files(false), files + 1);
}

LOOP_TEST(errors, without_memory_there_is_no_record_and_no_picture, 6) {
    assert_survives(false, false, (written)(_i / 2), 0);
    assert_survives(true, _i % 2 == 1, SPACE, 1);
}
