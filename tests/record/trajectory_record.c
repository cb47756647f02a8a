#include "scratch.h"

#include <carom/record/reader.h>
#include <carom/record/record.h>

FIXTURE(scratch_setup, scratch_teardown);

enum { ROWS = 3, COORDINATES = 2, CONTACTS = 3, JOINTS = 1, MOST = ROWS * CONTACTS, NUMBERS = 18 };

/* Every series gets numbers of its own: offset + index. */
typedef struct sample {
    carom_trajectory trajectory;
    double numbers[NUMBERS][MOST];
    int integers[3][MOST];
} sample;

static sample make_sample(carom_trajectory_kind kind, int contact_count, int joint_count) {
    sample made = {.trajectory = {.row_count = ROWS,
                                  .coordinate_count = COORDINATES,
                                  .position_count = COORDINATES,
                                  .joint_count = joint_count,
                                  .contact_count = contact_count,
                                  .kind = kind,
                                  .step = 0.137}};
    for (int series = 0; series < NUMBERS; ++series) {
        for (int i = 0; i < MOST; ++i) {
            made.numbers[series][i] = 100.0 * series + i + 0.25;
        }
    }
    for (int series = 0; series < 3; ++series) {
        for (int i = 0; i < MOST; ++i) {
            made.integers[series][i] = 10000 + 100 * series + i;
        }
    }
    return made;
}

/* Point into the sample; apart from making it, so that a copy points into itself. */
static carom_trajectory *bind(sample *made) {
    carom_trajectory *trajectory = &made->trajectory;
    double **const targets[NUMBERS] = {&trajectory->time,
                                       &trajectory->position,
                                       &trajectory->velocity,
                                       &trajectory->gap,
                                       &trajectory->gap_rate,
                                       &trajectory->contact_force,
                                       &trajectory->contact_impulse,
                                       &trajectory->contact_position_multiplier,
                                       &trajectory->joint_residual,
                                       &trajectory->joint_rate,
                                       &trajectory->joint_force,
                                       &trajectory->joint_impulse,
                                       &trajectory->joint_position_multiplier,
                                       &trajectory->energy,
                                       &trajectory->residual,
                                       &trajectory->friction_impulse,
                                       &trajectory->friction_work,
                                       &trajectory->impact_loss};
    for (int series = 0; series < NUMBERS; ++series) {
        *targets[series] = made->numbers[series];
    }
    trajectory->newton_iterations = made->integers[0];
    trajectory->position_active = made->integers[1];
    trajectory->velocity_active = made->integers[2];
    return trajectory;
}

static const carom_mechanism mechanism = {
    .name = "pendulum", .position_units = "m, rad", .velocity_units = "m s-1, rad s-1"};

static carom_reader *write_and_open(sample *made) {
    char path[SCRATCH_PATH_SIZE];
    carom_record *record = scratch_record("run.h5");
    carom_record run = carom_record_group(record, "/run");
    carom_record_trajectory(&run, &mechanism, bind(made));
    assert_ok(carom_record_commit(record, NULL));
    carom_reader *reader = NULL;
    assert_ok(carom_reader_open(scratch_path("run.h5", path), &reader));
    return reader;
}

/* The dataset has these units and columns and begins with `first`. */
static void assert_series(carom_reader *reader, const char *name, int columns, const char *units,
                          double first) {
    char path[64];
    snprintf(path, sizeof path, "/run/%s", name);
    carom_dataset dataset;
    assert_ok(carom_reader_dataset(reader, path, &dataset));
    ck_assert_int_eq(dataset.rank, columns == 0 ? 1 : 2);
    ck_assert_int_eq(dataset.rows, ROWS);
    ck_assert_int_eq(dataset.columns, columns == 0 ? 1 : columns);
    ck_assert_str_eq(dataset.units, units);
    for (int i = 0; i < dataset.rows * dataset.columns; ++i) {
        assert_close(dataset.values[i], first + i, 0.0, 0.0);
    }
    carom_dataset_clear(&dataset);
}

static void assert_absent(carom_reader *reader, const char *name) {
    char path[64];
    snprintf(path, sizeof path, "/run/%s", name);
    carom_dataset dataset;
    assert_status(carom_reader_dataset(reader, path, &dataset), NOT_FOUND);
}

TEST(unit, a_nonsmooth_run_has_impulses_and_multipliers) {
    sample made = make_sample(CAROM_TRAJECTORY_NONSMOOTH, CONTACTS, JOINTS);
    carom_reader *reader = write_and_open(&made);
    assert_series(reader, "time", 0, "s", 0.25);
    assert_series(reader, "position", COORDINATES, "m, rad", 100.25);
    assert_series(reader, "velocity", COORDINATES, "m s-1, rad s-1", 200.25);
    assert_series(reader, "gap", CONTACTS, "m", 300.25);
    assert_series(reader, "gap_rate", CONTACTS, "m s-1", 400.25);
    assert_absent(reader, "contact_force");
    assert_series(reader, "contact_impulse", CONTACTS, "N s", 600.25);
    assert_series(reader, "contact_position_multiplier", CONTACTS, "N s2", 700.25);
    assert_series(reader, "joint_residual", JOINTS, "m", 800.25);
    assert_series(reader, "joint_rate", JOINTS, "m s-1", 900.25);
    assert_series(reader, "joint_force", JOINTS, "N", 1000.25);
    assert_series(reader, "joint_impulse", JOINTS, "N s", 1100.25);
    assert_series(reader, "joint_position_multiplier", JOINTS, "N s2", 1200.25);
    assert_series(reader, "energy", 0, "J", 1300.25);
    assert_series(reader, "residual", 0, "1", 1400.25);
    assert_series(reader, "newton_iterations", 0, "1", 10000.0);
    assert_series(reader, "position_active", CONTACTS, "1", 10100.0);
    assert_series(reader, "velocity_active", CONTACTS, "1", 10200.0);
    double last = 0.0;
    assert_ok(carom_reader_number(reader, "/run/contact[-1]", &last));
    assert_close(last, CONTACTS - 1.0, 0.0, 0.0);
    assert_ok(carom_reader_number(reader, "/run/coordinate[-1]", &last));
    assert_close(last, COORDINATES - 1.0, 0.0, 0.0);
    carom_reader_close(reader);
}

TEST(unit, a_run_with_friction_has_its_impulses_and_losses) {
    sample made = make_sample(CAROM_TRAJECTORY_NONSMOOTH, CONTACTS, JOINTS);
    carom_reader *reader = write_and_open(&made);
    assert_absent(reader, "friction_impulse");
    assert_absent(reader, "friction_work");
    assert_absent(reader, "impact_loss");
    carom_reader_close(reader);
    made.trajectory.tangent_count = 1;
    reader = write_and_open(&made);
    assert_series(reader, "friction_impulse", CONTACTS, "N s", 1500.25);
    assert_series(reader, "friction_work", 0, "J", 1600.25);
    assert_series(reader, "impact_loss", 0, "J", 1700.25);
    carom_reader_close(reader);
}

TEST(unit, a_smooth_run_has_forces_instead) {
    sample made = make_sample(CAROM_TRAJECTORY_SMOOTH, CONTACTS, JOINTS);
    carom_reader *reader = write_and_open(&made);
    assert_series(reader, "gap", CONTACTS, "m", 300.25);
    assert_series(reader, "contact_force", CONTACTS, "N", 500.25);
    assert_series(reader, "joint_force", JOINTS, "N", 1000.25);
    assert_absent(reader, "contact_impulse");
    assert_absent(reader, "contact_position_multiplier");
    assert_absent(reader, "joint_impulse");
    assert_absent(reader, "joint_position_multiplier");
    carom_reader_close(reader);
}

TEST(unit, what_a_system_has_not_is_left_out_with_its_axis) {
    sample made = make_sample(CAROM_TRAJECTORY_NONSMOOTH, 0, 0);
    carom_reader *reader = write_and_open(&made);
    assert_series(reader, "position", COORDINATES, "m, rad", 100.25);
    assert_series(reader, "energy", 0, "J", 1300.25);
    static const char *const absent[] = {"contact", "joint", "gap", "joint_residual",
                                         "position_active"};
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; ++i) {
        assert_absent(reader, absent[i]);
    }
    carom_reader_close(reader);
}

TEST(property, runs_of_every_kind_stand_side_by_side) {
    carom_record *record = scratch_record("run.h5");
    static const carom_trajectory_kind kinds[] = {CAROM_TRAJECTORY_SMOOTH,
                                                  CAROM_TRAJECTORY_NONSMOOTH};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k) {
        carom_record group = carom_record_group(record, "/case/kind_%d", (int)kinds[k]);
        sample made = make_sample(kinds[k], CONTACTS, JOINTS);
        carom_record_trajectory(&group, &mechanism, bind(&made));
    }
    assert_ok(carom_record_commit(record, NULL));
}

TEST(errors, a_run_cannot_be_written_twice) {
    sample made = make_sample(CAROM_TRAJECTORY_NONSMOOTH, CONTACTS, JOINTS);
    carom_record *record = scratch_record("run.h5");
    carom_record run = carom_record_group(record, "/run");
    carom_record_trajectory(&run, &mechanism, bind(&made));
    assert_ok(carom_record_status(record));
    carom_record_trajectory(&run, &mechanism, &made.trajectory);
    assert_status(carom_record_status(record), IO);
    carom_record_discard(record);
}
