#include "scratch.h"

#include <carom/record/text.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

FIXTURE(scratch_setup, scratch_teardown);

/* Write everything, and commit or discard. */
static carom_status finish(carom_work_file *file, const void *bytes, size_t size, bool *changed) {
    if (changed != NULL) {
        *changed = false;
    }
    const carom_status status = carom_work_file_write(file, 0, bytes, size);
    if (status != CAROM_OK) {
        carom_work_file_discard(file);
        return status;
    }
    return carom_work_file_commit(file, changed);
}

static void replace(const char *name, const char *text, bool expected_change) {
    char path[SCRATCH_PATH_SIZE];
    carom_work_file *file = NULL;
    bool changed = !expected_change;
    assert_ok(carom_work_file_open(scratch_path(name, path), &file));
    assert_ok(finish(file, text, strlen(text), &changed));
    ck_assert_int_eq(changed, expected_change);
}

static void assert_content(const char *name, const char *expected) {
    char path[SCRATCH_PATH_SIZE];
    carom_text_buffer content = {0};
    assert_ok(
        carom_text_buffer_load(&content, scratch_path(name, path), CAROM_TEXT_FILE_MOST_BYTES));
    ck_assert_str_eq(content.text, expected);
    carom_text_buffer_clear(&content);
}

TEST(unit, a_file_is_replaced_as_a_whole_and_nothing_is_left_beside) {
    replace("a", "a longer first content", true);
    assert_content("a", "a longer first content");
    replace("a", "short", true);
    assert_content("a", "short");
    replace("a", "", true);
    assert_content("a", "");
    ck_assert_int_eq(scratch_files(false), 1);
}

TEST(unit, an_unchanged_file_keeps_its_time_and_inode) {
    char path[SCRATCH_PATH_SIZE];
    replace("a", "the same", true);
    /* A time in the past, to the nanosecond, shows any touch without waiting. */
    const struct timespec past[2] = {{1000000000, 123456789}, {1000000000, 123456789}};
    ck_assert_int_eq(utimensat(AT_FDCWD, scratch_path("a", path), past, 0), 0);
    struct stat before;
    ck_assert_int_eq(stat(path, &before), 0);
    replace("a", "the same", false);
    struct stat after;
    ck_assert_int_eq(stat(path, &after), 0);
    ck_assert(before.st_ino == after.st_ino);
    ck_assert(before.st_mtim.tv_sec == after.st_mtim.tv_sec);
    ck_assert(before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);

    /* One byte more, less or other is a change. */
    replace("a", "the same!", true);
    replace("a", "the sam", true);
    replace("a", "the sum", true);
    ck_assert_int_eq(scratch_files(false), 1);
}

TEST(unit, large_contents_are_compared_to_the_last_byte) {
    enum { size = 200001 };
    char path[SCRATCH_PATH_SIZE];
    char *bytes = malloc(size);
    ck_assert_ptr_nonnull(bytes);
    memset(bytes, 'x', size);
    scratch_path("a", path);
    for (int run = 0; run < 3; ++run) {
        carom_work_file *file = NULL;
        bool changed = false;
        bytes[size - 1] = run < 2 ? 'x' : 'y';
        assert_ok(carom_work_file_open(path, &file));
        assert_ok(finish(file, bytes, size, &changed));
        ck_assert_int_eq(changed, run != 1);
    }
    free(bytes);
}

/* Open the work file of "a" in a process of its own that is killed: its number. */
static pid_t leave_work_file(void) {
    char path[SCRATCH_PATH_SIZE];
    scratch_path("a", path);
    const pid_t child = fork();
    if (child == 0) {
        carom_work_file *file = NULL;
        const carom_status status = carom_work_file_open(path, &file);
        kill(getpid(), status == CAROM_OK ? SIGKILL : SIGTERM);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    return child;
}

TEST(unit, the_work_file_of_a_killed_run_is_removed_by_the_next) {
    char path[SCRATCH_PATH_SIZE];
    char left[64];
    snprintf(left, sizeof left, ".a.%ld.tmp", (long)leave_work_file());
    ck_assert_int_eq(access(scratch_path(left, path), F_OK), 0);
    ck_assert_int_eq(access(scratch_path("a", path), F_OK), -1);
    ck_assert_int_eq(scratch_files(false), 1);

    /* Half written, and another of a process that never was. */
    scratch_write(left, "half of something much longer", 29);
    scratch_write(".a.4194999.tmp", "half", 4);
    replace("a", "whole", true);
    assert_content("a", "whole");
    ck_assert_int_eq(scratch_files(false), 1);
}

TEST(unit, only_work_files_of_the_same_file_are_removed) {
    const char *const others[] = {".b.4194999.tmp", ".a.tmp", ".a.1x.tmp", "a.4194999.tmp",
                                  ".a.4194999.tmp.bak"};
    const int count = (int)(sizeof others / sizeof others[0]);
    for (int i = 0; i < count; ++i) {
        scratch_write(others[i], "precious", 8);
    }
    replace("a", "whole", true);
    ck_assert_int_eq(scratch_files(false), count + 1);
    for (int i = 0; i < count; ++i) {
        assert_content(others[i], "precious");
    }
}

TEST(unit, no_link_is_followed_and_no_file_taken_over) {
    char path[SCRATCH_PATH_SIZE];
    char link[SCRATCH_PATH_SIZE];
    char own[64];
    carom_work_file *file = NULL;
    scratch_write("precious", "precious", 8);
    scratch_path("precious", path);
    snprintf(own, sizeof own, ".a.%ld.tmp", (long)getpid());

    /* Links under every name that a work file had or has. */
    ck_assert_int_eq(symlink(path, scratch_path("a.tmp", link)), 0);
    ck_assert_int_eq(symlink(path, scratch_path(".a.4194999.tmp", link)), 0);
    replace("a", "whole", true);
    ck_assert_int_eq(symlink(path, scratch_path(own, link)), 0);
    assert_status(carom_work_file_open(scratch_path("a", path), &file), IO);
    ck_assert_int_eq(errno, EEXIST);
    ck_assert_ptr_null(file);
    assert_content("precious", "precious");
    assert_content("a", "whole");
}

TEST(unit, the_mask_of_the_process_decides_who_may_read) {
    char path[SCRATCH_PATH_SIZE];
    const mode_t masks[] = {022, 077, 007};
    const mode_t modes[] = {0644, 0600, 0660};
    for (int i = 0; i < 3; ++i) {
        const mode_t before = umask(masks[i]);
        const char text[2] = {(char)('a' + i), '\0'};
        replace("a", text, true);
        umask(before);
        struct stat information;
        ck_assert_int_eq(stat(scratch_path("a", path), &information), 0);
        ck_assert_uint_eq(information.st_mode & 0777, modes[i]);
    }
}

TEST(property, many_writers_leave_one_whole_file) {
    enum { writer_count = 4, size = 100000 };
    char path[SCRATCH_PATH_SIZE];
    scratch_path("a", path);
    for (int writer = 0; writer < writer_count; ++writer) {
        if (fork() == 0) {
            char *bytes = malloc(size);
            memset(bytes, 'a' + writer, size);
            int successes = 0;
            for (int attempt = 0; attempt < 50 && successes < 3; ++attempt) {
                carom_work_file *file = NULL;
                if (carom_work_file_open(path, &file) == CAROM_OK) {
                    successes += finish(file, bytes, size, NULL) == CAROM_OK;
                }
            }
            free(bytes);
            _exit(0);
        }
    }
    for (int writer = 0; writer < writer_count; ++writer) {
        int status = 0;
        ck_assert_int_gt(wait(&status), 0);
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    carom_text_buffer content = {0};
    assert_ok(carom_text_buffer_load(&content, path, CAROM_TEXT_FILE_MOST_BYTES));
    ck_assert_uint_eq(content.length, size);
    const char writer[2] = {content.text[0], '\0'};
    ck_assert_msg(strspn(content.text, writer) == size, "two writers mixed");
    carom_text_buffer_clear(&content);
    ck_assert_int_eq(scratch_files(false), 1);
}

TEST(errors, a_second_writer_of_the_same_file_is_refused) {
    char path[SCRATCH_PATH_SIZE];
    carom_work_file *first = NULL;
    carom_work_file *second = NULL;
    scratch_path("a", path);
    assert_ok(carom_work_file_open(path, &first));
    assert_status(carom_work_file_open(path, &second), IO);
    ck_assert_int_eq(errno, EBUSY);
    ck_assert_ptr_null(second);
    assert_ok(finish(first, "first", 5, NULL));
    assert_content("a", "first");
    assert_ok(carom_work_file_open(path, &second));
    carom_work_file_discard(second);
    carom_work_file_discard(NULL);
    assert_content("a", "first");
    ck_assert_int_eq(scratch_files(false), 1);
}

TEST(errors, a_full_disk_keeps_the_old_file) {
    char path[SCRATCH_PATH_SIZE];
    char bytes[4096];
    memset(bytes, 'x', sizeof bytes);
    replace("a", "old", true);
    carom_work_file *file = NULL;
    assert_ok(carom_work_file_open(scratch_path("a", path), &file));

    /* A limit on the file size stands in for the full disk. */
    struct rlimit limit;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const struct rlimit small = {100, limit.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool changed = true;
    const carom_status status = finish(file, bytes, sizeof bytes, &changed);
    const int cause = errno;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, SIG_DFL);

    ck_assert_int_eq(status, CAROM_STATUS_IO);
    ck_assert_int_eq(cause, EFBIG);
    ck_assert(!changed);
    assert_content("a", "old");
    ck_assert_int_eq(scratch_files(false), 1);
}

TEST(errors, a_place_that_becomes_a_folder_is_reported_at_the_end) {
    char path[SCRATCH_PATH_SIZE];
    carom_work_file *file = NULL;
    assert_ok(carom_work_file_open(scratch_path("a", path), &file));
    ck_assert_int_eq(mkdir(path, 0700), 0);
    assert_status(finish(file, "x", 1, NULL), IO);
    ck_assert_int_eq(scratch_files(false), 1);
}
