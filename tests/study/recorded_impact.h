/** Impacts that the driver's suites write, and reading what was written. */
#ifndef CAROM_TESTS_DRIVER_RECORDED_IMPACT_H
#define CAROM_TESTS_DRIVER_RECORDED_IMPACT_H

#include "../program/capture.h"

#include <carom/impact/impact_problem.h>
#include <carom/record/reader.h>
#include <carom/record/record.h>

/** Speed of the falling block, sqrt(2 g 0.01 m). */
static const double block_speed = 0.44294469180700204;

/** The rocking block of halm-2023, table 4: 1 kg, 1 m x 2 m, corners A (left) and B (right). */
static inline carom_impact_problem *make_block(void) {
    const double M[] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 5.0 / 12.0};
    const double J_n[] = {0.0, 1.0, -0.5, 0.0, 1.0, 0.5};
    const double J_t[] = {1.0, 0.0, 1.0, 1.0, 0.0, 1.0};
    const double mu[] = {1.0, 1.0};
    const double v[] = {0.0, -block_speed, 0.0};
    carom_impact_problem *problem = NULL;
    assert_ok(carom_impact_problem_alloc(3, 2, 1, M, J_n, J_t, mu, v, &problem, NULL));
    return problem;
}

/** A point mass of 2.385 kg that meets two walls in space: m = 2, t = 2, n = 3. */
static inline carom_impact_problem *make_spatial(void) {
    const double M[] = {2.385, 0.0, 0.0, 0.0, 2.385, 0.0, 0.0, 0.0, 2.385};
    const double J_n[] = {0.0, 0.0, 1.0, 0.0, 1.0, 0.0};
    const double J_t[] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    const double mu[] = {0.3, 0.45};
    const double v[] = {0.75, -0.5, -1.25};
    carom_impact_problem *problem = NULL;
    assert_ok(carom_impact_problem_alloc(3, 2, 2, M, J_n, J_t, mu, v, &problem, NULL));
    return problem;
}

/** A point mass wedged between two parallel walls with friction 2: impulses can cancel. */
static inline carom_impact_problem *make_wedged(void) {
    const double M[] = {1.5, 0.0, 0.0, 1.5};
    const double J_n[] = {1.0, 0.0, -1.0, 0.0};
    const double J_t[] = {0.0, 1.0, 0.0, 1.0};
    const double mu[] = {2.0, 2.0};
    const double v[] = {-0.4, -1.0};
    carom_impact_problem *problem = NULL;
    assert_ok(carom_impact_problem_alloc(2, 2, 1, M, J_n, J_t, mu, v, &problem, NULL));
    return problem;
}

/** A record being written in a folder of the test's own, then read. */
typedef struct record_scene {
    scratch folder;
    char path[256];
    carom_record *record;
    carom_reader *reader;
} record_scene;

static inline record_scene scene_begin(void) {
    record_scene scene = {.folder = scratch_make()};
    const carom_record_header header = {"title", "key", "schema 1", "digest", "cc", "-O2", 3};
    assert_ok(carom_record_create(scratch_path(&scene.folder, "r.h5", scene.path), &header,
                                  &scene.record));
    return scene;
}

/** Finish the record and open it. */
static inline void scene_read(record_scene *scene) {
    assert_ok(carom_record_commit(scene->record, NULL));
    scene->record = NULL;
    assert_ok(carom_reader_open(scene->path, &scene->reader));
}

static inline void scene_end(record_scene *scene) {
    carom_reader_close(scene->reader);
    carom_record_discard(scene->record);
    scratch_remove(&scene->folder, "r.h5");
}

/** Commit the record and end with its bytes [size], of which it returns how many there are. */
static inline size_t scene_end_with_bytes(record_scene *scene, char *bytes, size_t size) {
    scene_read(scene);
    FILE *file = fopen(scene->path, "rb");
    ck_assert_ptr_nonnull(file);
    const size_t length = fread(bytes, 1, size, file);
    fclose(file);
    scene_end(scene);
    return length;
}

/** One number of the record, which may be NaN. */
static inline double number_at(const record_scene *scene, const char *path) {
    double value = 0.0;
    const carom_status status = carom_reader_number(scene->reader, path, &value);
    ck_assert_msg(status == CAROM_OK || status == CAROM_STATUS_NOT_FINITE, "%s: %s", path,
                  carom_status_name(status));
    return value;
}

/** A dataset has this shape and these units. */
static inline void assert_shape(const record_scene *scene, const char *path, int rows, int columns,
                                const char *units) {
    carom_dataset found;
    const carom_status status = carom_reader_dataset(scene->reader, path, &found);
    ck_assert_msg(status == CAROM_OK, "%s: %s", path, carom_status_name(status));
    ck_assert_msg(found.rows == rows && found.columns == columns, "%s is %d x %d, not %d x %d",
                  path, found.rows, found.columns, rows, columns);
    ck_assert_str_eq(found.units, units);
    carom_dataset_clear(&found);
}

/** There is no such dataset. */
static inline void assert_absent(const record_scene *scene, const char *path) {
    carom_dataset found;
    const carom_status status = carom_reader_dataset(scene->reader, path, &found);
    ck_assert_msg(status == CAROM_STATUS_NOT_FOUND, "%s: %s", path, carom_status_name(status));
}

/** A text of the record. */
static inline void assert_text(const record_scene *scene, const char *path, const char *expected) {
    char text[512];
    const carom_status status = carom_reader_text(scene->reader, path, sizeof text, text);
    ck_assert_msg(status == CAROM_OK, "%s: %s", path, carom_status_name(status));
    ck_assert_str_eq(text, expected);
}

#endif
