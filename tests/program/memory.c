#include "capture.h"

#include <carom/program/memory.h>
#include <carom/record/internal.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

TEST(unit, half_of_the_memory_may_be_kept) {
    const double size = carom_memory_size();
    const double bytes = 176.0;
    ck_assert_double_gt(size, 0.0);
    carom_report report = carom_report_empty();
    assert_ok(carom_memory_check(0.499 * size / bytes, bytes, "rows", &report));
    assert_status(carom_memory_check(0.501 * size / bytes, bytes, "rows", &report), OUT_OF_RANGE);
    assert_status(carom_memory_check(3e12, bytes, "rows", NULL), OUT_OF_RANGE);
}

TEST(unit, a_refusal_says_the_count_and_what_it_needs) {
    carom_report report = carom_report_empty();
    // 3e15 rows of 176 bytes: 5.28e17 bytes.
    assert_status(carom_memory_check(3e15, 176.0, "rows", &report), OUT_OF_RANGE);
    const char *words = "3e+15 rows need 5.28e+08 GB of memory; this machine can keep ";
    ck_assert_msg(strncmp(report.sentence, words, strlen(words)) == 0, "%s", report.sentence);
}

TEST(errors, more_than_can_be_counted_is_refused_with_what_fits) {
    carom_report report = carom_report_empty();
    assert_status(carom_memory_check(1e308, 176.0, "rows", &report), OUT_OF_RANGE);
    const char *words = "rows are too many to be counted; this machine can keep ";
    ck_assert_msg(strncmp(report.sentence, words, strlen(words)) == 0, "%s", report.sentence);
}

/* No disk holds a yottabyte. */
TEST(errors, more_than_the_disk_of_a_record_holds_is_refused) {
    const scratch folder = scratch_make();
    char path[256];
    const carom_record_header header = {"title", "key", "schema 1", "digest", "cc", "-O2", 3};
    carom_record *record = NULL;
    carom_report report = carom_report_empty();
    assert_ok(carom_record_create(scratch_path(&folder, "r.h5", path), &header, &record));
    const double room = carom_record_room(record);
    ck_assert_double_gt(room, 0.0);
    assert_ok(carom_disk_check(record, 1.0, 1.0, "rows", &report));
    assert_status(carom_disk_check(record, 1e22, 176.0, "rows", &report), OUT_OF_RANGE);
    const char *words = "1e+22 rows need 1.76e+15 GB on the disk; the record has room for ";
    ck_assert_msg(strncmp(report.sentence, words, strlen(words)) == 0, "%s", report.sentence);
    carom_record_discard(record);
    // One that is dropped, as that of all ranks but one, takes no room.
    assert_ok(carom_record_create(NULL, &header, &record));
    assert_ok(carom_disk_check(record, 1e22, 176.0, "rows", &report));
    carom_record_discard(record);
    scratch_remove(&folder, "");
}

TEST(errors, what_is_no_number_does_not_fit) {
    assert_status(carom_memory_check((double)NAN, 176.0, "rows", NULL), OUT_OF_RANGE);
}

TEST(unit, a_limit_of_the_process_is_its_memory) {
    struct rlimit before;
    ck_assert_int_eq(getrlimit(RLIMIT_DATA, &before), 0);
    const double size = carom_memory_size();
    const struct rlimit half = {(rlim_t)(0.5 * size), before.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_DATA, &half), 0);
    const double halved = carom_memory_size();
    (void)setrlimit(RLIMIT_DATA, &before);
    assert_close(halved, 0.5 * size, 0.0, 1.0);
}

TEST(unit, the_memory_of_the_machine_becomes_the_limit) {
    struct rlimit before;
    struct rlimit after;
    ck_assert_int_eq(getrlimit(RLIMIT_DATA, &before), 0);
    const double size = carom_memory_size();
    carom_memory_limit();
    ck_assert_int_eq(getrlimit(RLIMIT_DATA, &after), 0);
    (void)setrlimit(RLIMIT_DATA, &before);
    // Under a sanitizer, which reserves more than any machine has, it stays what it was.
    ck_assert(after.rlim_cur == (rlim_t)size || after.rlim_cur == before.rlim_cur);
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
TEST(unit, memory_begun_afresh_shares_no_large_page_with_what_was_there) {
    enum { LARGE_PAGE = 1 << 21, SIZE = 1 << 18, NOT_SHARED = 3 };
    if (!has_extended_precision()) {
        return; // valgrind has a heap of its own
    }
    // In a process of its own: how memory is kept is of the process.
    const pid_t process = fork();
    if (process == 0) {
        carom_memory_keep();
        const char *before = malloc(SIZE);
        const char *kept = carom_memory_begin_afresh();
        const char *after = malloc(SIZE);
        const bool is_apart = before != NULL && kept != NULL && after != NULL &&
                              (uintptr_t)after / LARGE_PAGE > (uintptr_t)before / LARGE_PAGE &&
                              (uintptr_t)after % LARGE_PAGE < 64;
        _exit(is_apart ? NOT_SHARED : 0);
    }
    int ended = 0;
    ck_assert_int_eq(waitpid(process, &ended, 0), process);
    ck_assert(WIFEXITED(ended));
    ck_assert_int_eq(WEXITSTATUS(ended), NOT_SHARED);
}
#endif
