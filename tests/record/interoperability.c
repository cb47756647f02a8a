#include "scratch.h"

#include <sys/wait.h>

FIXTURE(scratch_setup, scratch_teardown);

/* What a program prints about a file; a missing program is a failure, not a reason to skip. */
static void run_program(const char *command, const char *name, char *output, size_t size) {
    char path[SCRATCH_PATH_SIZE];
    char line[2 * SCRATCH_PATH_SIZE];
    snprintf(line, sizeof line, "%s '%s'", command, scratch_path(name, path));
    /* The command is ours and the path has no quote in it. NOLINTNEXTLINE(cert-env33-c) */
    FILE *pipe = popen(line, "r");
    ck_assert_ptr_nonnull(pipe);
    const size_t length = fread(output, 1, size - 1, pipe);
    output[length] = '\0';
    const int status = pclose(pipe);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0,
                  "%s failed: is it installed (netcdf-bin, hdf5-tools)?", command);
}

static void assert_contains(const char *text, const char *part) {
    ck_assert_msg(strstr(text, part) != NULL, "\"%s\" is not in:\n%s", part, text);
}

TEST(unit, ncdump_sees_named_dimensions_units_and_attributes) {
    scratch_make_record("ball.h5", 2.385);
    char text[16384];
    run_program("ncdump -h", "ball.h5", text, sizeof text);
    assert_contains(text, "time = 3 ;");
    assert_contains(text, "contact = 2 ;");
    assert_contains(text, "double time(time) ;");
    assert_contains(text, "int contact(contact) ;");
    assert_contains(text, "double gap(time, contact) ;");
    assert_contains(text, "double energy(time) ;");
    assert_contains(text, "int active(time, contact) ;");
    assert_contains(text, "int iterations(time) ;");
    assert_contains(text, "gap:units = \"m\" ;");
    assert_contains(text, "gap:long_name = \"gap of a contact\" ;");
    assert_contains(text, "time:units = \"s\" ;");
    assert_contains(text, "double mass ;");
    assert_contains(text, "mass:units = \"kg\" ;");
    assert_contains(text, ":schema = \"ball 1\" ;");
    assert_contains(text, ":case = \"elastic\" ;");
    assert_contains(text, ":seed = 18446744073709551557ULL ;");
    ck_assert_ptr_null(strstr(text, "phony_dim"));
}

TEST(unit, ncdump_prints_the_numbers_that_were_written) {
    scratch_make_record("ball.h5", 2.385);
    char text[16384];
    run_program("ncdump -p 9,17 -v gap", "ball.h5", text, sizeof text);
    assert_contains(text, "2.3849999999999998, -1.0000000000000001e-17,");
    assert_contains(text, "3.602218");
    assert_contains(text, "-7.25 ;");
}

TEST(unit, h5dump_reads_every_dataset) {
    scratch_make_record("ball.h5", 2.385);
    char text[65536];
    run_program("h5dump", "ball.h5", text, sizeof text);
    assert_contains(text, "H5T_IEEE_F64LE");
    assert_contains(text, "H5T_STD_I32LE");
    assert_contains(text, "\"moreau_jean\"");
    assert_contains(text, "\"DIMENSION_SCALE\"");
}
