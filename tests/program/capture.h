/** For the driver's suites: what a call prints, and files in a folder of their own. */
#ifndef CAROM_TESTS_DRIVER_CAPTURE_H
#define CAROM_TESTS_DRIVER_CAPTURE_H

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* P_tmpdir */
#endif

#include "../support.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Longest output kept of a stream. */
#define CAPTURE_SIZE 16384

/** The two streams of the process, led aside between begin and end. */
typedef struct capture {
    int saved[2];               /**< stdout, stderr */
    FILE *file[2];              /**< where they go meanwhile */
    char text[2][CAPTURE_SIZE]; /**< what was printed, after end */
} capture;

#define CAPTURED_OUT(c) ((c)->text[0])
#define CAPTURED_ERR(c) ((c)->text[1])

/** Lead stdout and stderr aside. */
static inline void capture_begin(capture *self) {
    fflush(stdout);
    fflush(stderr);
    for (int i = 0; i < 2; i++) {
        self->file[i] = tmpfile();
        self->saved[i] = dup(i + 1);
        ck_assert(self->file[i] != NULL && self->saved[i] >= 0);
        ck_assert_int_eq(dup2(fileno(self->file[i]), i + 1), i + 1);
    }
}

/** Lead them back and read what was printed. */
static inline void capture_end(capture *self) {
    fflush(stdout);
    fflush(stderr);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(dup2(self->saved[i], i + 1), i + 1);
        close(self->saved[i]);
        rewind(self->file[i]);
        const size_t length = fread(self->text[i], 1, CAPTURE_SIZE - 1, self->file[i]);
        self->text[i][length] = '\0';
        fclose(self->file[i]);
    }
}

/** A folder of the test's own. */
typedef struct scratch {
    char folder[128];
} scratch;

/** Make a scratch folder below TMPDIR or the system's. */
static inline scratch scratch_make(void) {
    scratch made;
    const char *base = getenv("TMPDIR");
    const int length = snprintf(made.folder, sizeof made.folder, "%s/carom-driver-XXXXXX",
                                base != NULL && strlen(base) < 80 ? base : P_tmpdir);
    ck_assert(length > 0 && length < (int)sizeof made.folder);
    ck_assert_ptr_nonnull(mkdtemp(made.folder));
    return made;
}

/** Path of a file in the folder, valid until the next call with the same buffer. */
static inline char *scratch_path(const scratch *self, const char *name, char path[256]) {
    snprintf(path, 256, "%s/%s", self->folder, name);
    return path;
}

/** Write a file with these bytes. */
static inline void write_bytes(const char *path, const char *bytes, size_t count) {
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, count, file), count);
    ck_assert_int_eq(fclose(file), 0);
}

/** Remove a file if it is there, and the folder; fails if anything else was left in it. */
static inline void scratch_remove(const scratch *self, const char *name) {
    char path[256];
    unlink(scratch_path(self, name, path));
    ck_assert_msg(rmdir(self->folder) == 0, "files were left in %s", self->folder);
}

/** Whether a file exists. */
static inline bool file_exists(const char *path) {
    struct stat found;
    return stat(path, &found) == 0;
}

/** The text contains the part, or fail with both. */
#define assert_contains(text, part) \
    ck_assert_msg(strstr(text, part) != NULL, "\"%s\" is not in:\n%s", part, text)

#endif
