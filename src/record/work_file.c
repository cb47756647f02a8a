#include <carom/record/text.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Another writer can take our new file for one left behind, before we lock it; so often in a row it
 * cannot. */
#define LOCK_ATTEMPTS 16

/* Bytes compared at a time, large against the cost of a read. */
#define COMPARE_BLOCK 65536

/* Room for the number of a process. */
#define PROCESS_SIZE 24

/* What a work file's name ends in, after the number of its process. */
static const char suffix[] = ".tmp";

struct carom_work_file {
    char *final_path; /* owned */
    char *work_path;  /* owned */
    int descriptor;   /* of the work file, holds the lock; -1: none */
};

/* A new file, or an existing one that is not a folder, a device or a pipe. */
static bool is_replaceable(const char *path) {
    struct stat information;
    if (stat(path, &information) != 0) {
        return errno == ENOENT && path[0] != '\0';
    }
    if (!S_ISREG(information.st_mode)) {
        errno = S_ISDIR(information.st_mode) ? EISDIR : EINVAL;
        return false;
    }
    return true;
}

/* Whether the descriptor still is the file of that name: another writer may have removed it. */
static bool is_same_file(int descriptor, const char *path) {
    struct stat opened;
    struct stat named;
    return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 && S_ISREG(opened.st_mode) &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/* Bytes of a path up to its last slash. */
static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/* FOLDER/.NAME.PROCESS.tmp beside FOLDER/NAME; the process as text. NULL if out of memory. */
static char *path_beside(const char *path, const char *process) {
    const size_t folder = folder_length(path);
    const size_t size = strlen(path) + strlen(process) + sizeof suffix + 2;
    char *beside = malloc(size);
    if (beside != NULL) {
        snprintf(beside, size, "%.*s.%s.%s%s", (int)folder, path, path + folder, process, suffix);
    }
    return beside;
}

/* The process in the name of a work file of `path`, copied; false for any other name. */
static bool read_process(const char *path, const char *name, char process[PROCESS_SIZE]) {
    const char *final = path + folder_length(path);
    const size_t length = strlen(final);
    if (name[0] != '.' || strncmp(name + 1, final, length) != 0 || name[1 + length] != '.') {
        return false;
    }
    const char *digits = name + length + 2;
    const size_t count = strspn(digits, "0123456789");
    if (count == 0 || count >= PROCESS_SIZE || strcmp(digits + count, suffix) != 0) {
        return false;
    }
    memcpy(process, digits, count);
    process[count] = '\0';
    return true;
}

/* Remove a work file that nobody holds any more; false if another writer holds it. What is not a
 * plain file, or cannot be looked at, is nobody's. */
static bool clear_one(const char *path) {
    const int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        return true;
    }
    const bool is_locked = flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    const bool is_held = !is_locked && errno == EWOULDBLOCK;
    if (is_locked && is_same_file(descriptor, path)) {
        unlink(path);
    }
    close(descriptor);
    return !is_held;
}

/* Remove what killed writers of this file left; IO with EBUSY if a living one is at work. */
static carom_status clear_left_behind(const char *path) {
    char *folder = malloc(folder_length(path) + 2);
    if (folder == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    snprintf(folder, folder_length(path) + 2, "%.*s", (int)folder_length(path), path);
    DIR *directory = opendir(folder[0] == '\0' ? "." : folder);
    free(folder);
    /* A folder that can be written but not listed keeps what was left. */
    if (directory == NULL) {
        return errno == EACCES ? CAROM_OK : CAROM_STATUS_IO;
    }
    carom_status status = CAROM_OK;
    for (const struct dirent *entry = readdir(directory); entry != NULL && status == CAROM_OK;
         entry = readdir(directory)) {
        char process[PROCESS_SIZE];
        if (!read_process(path, entry->d_name, process)) {
            continue;
        }
        char *left = path_beside(path, process);
        if (left == NULL) {
            status = CAROM_STATUS_OUT_OF_MEMORY;
        } else if (!clear_one(left)) {
            status = CAROM_STATUS_IO;
        }
        free(left);
    }
    closedir(directory);
    errno = EBUSY;
    return status;
}

/* Make and lock the work file, which must be new; -1 with errno if that cannot be done. */
static int make_locked(const char *path) {
    for (int attempt = 0; attempt < LOCK_ATTEMPTS; ++attempt) {
        const int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (descriptor < 0) {
            return -1;
        }
        /* A file system without locks is accepted; a lock held by another writer is not. */
        const bool is_busy = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        if (!is_busy && is_same_file(descriptor, path)) {
            return descriptor;
        }
        close(descriptor);
    }
    errno = EBUSY;
    return -1;
}

/* Release the lock and the memory; the work file has been renamed or removed before. */
static void release(carom_work_file *file) {
    const int cause = errno;
    if (file->descriptor >= 0) {
        close(file->descriptor);
    }
    free(file->final_path);
    free(file->work_path);
    free(file);
    errno = cause;
}

/* Give the file its two names. */
static carom_status name_paths(carom_work_file *file, const char *path) {
    const size_t length = strlen(path);
    char process[PROCESS_SIZE];
    snprintf(process, sizeof process, "%ld", (long)getpid());
    file->final_path = malloc(length + 1);
    file->work_path = path_beside(path, process);
    if (file->final_path == NULL || file->work_path == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    memcpy(file->final_path, path, length + 1);
    return CAROM_OK;
}

carom_status carom_work_file_open(const char *path, carom_work_file **out) {
    CAROM_ASSERT(path != NULL && out != NULL);
    *out = NULL;
    carom_work_file *file = calloc(1, sizeof *file);
    if (file == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    file->descriptor = -1;
    carom_status status = name_paths(file, path);
    if (status == CAROM_OK) {
        status = is_replaceable(path) ? clear_left_behind(path) : CAROM_STATUS_IO;
    }
    if (status == CAROM_OK) {
        file->descriptor = make_locked(file->work_path);
        status = file->descriptor < 0 ? CAROM_STATUS_IO : CAROM_OK;
    }
    if (status != CAROM_OK) {
        release(file);
        return status;
    }
    *out = file;
    return CAROM_OK;
}

const char *carom_work_file_path(const carom_work_file *file) {
    CAROM_ASSERT(file != NULL);
    return file->work_path;
}

/* Read at most so many bytes from a place on; fewer at the end of the file, or -1. */
static ssize_t read_some(int descriptor, off_t position, unsigned char *bytes, size_t size) {
    size_t filled = 0;
    while (filled < size) {
        const ssize_t count =
            pread(descriptor, bytes + filled, size - filled, position + (off_t)filled);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return -1;
        }
        if (count == 0) {
            break;
        }
        filled += (size_t)count;
    }
    return (ssize_t)filled;
}

/* Whether two open files hold the same bytes; unreadable counts as different. */
static bool have_same_bytes(int one, int other) {
    struct stat sizes[2];
    if (fstat(one, &sizes[0]) != 0 || fstat(other, &sizes[1]) != 0 ||
        sizes[0].st_size != sizes[1].st_size) {
        return false;
    }
    unsigned char blocks[2][COMPARE_BLOCK];
    for (off_t position = 0; position < sizes[0].st_size; position += COMPARE_BLOCK) {
        const ssize_t count = read_some(one, position, blocks[0], COMPARE_BLOCK);
        if (count <= 0 || read_some(other, position, blocks[1], COMPARE_BLOCK) != count ||
            memcmp(blocks[0], blocks[1], (size_t)count) != 0) {
            return false;
        }
    }
    return true;
}

/* Whether the final file is there with the bytes of the work file. */
static bool is_unchanged(const carom_work_file *file) {
    const int descriptor = open(file->final_path, O_RDONLY | O_CLOEXEC);
    const bool is_same = descriptor >= 0 && have_same_bytes(file->descriptor, descriptor);
    if (descriptor >= 0) {
        close(descriptor);
    }
    return is_same;
}

carom_status carom_work_file_write(carom_work_file *file, uint64_t position, const void *bytes,
                                   size_t size) {
    CAROM_ASSERT(file != NULL && (bytes != NULL || size == 0));
    const unsigned char *next = bytes;
    off_t place = (off_t)position;
    while (size > 0) {
        const ssize_t count = pwrite(file->descriptor, next, size, place);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return CAROM_STATUS_IO;
        }
        next += count;
        place += count;
        size -= (size_t)count;
    }
    return CAROM_OK;
}

carom_status carom_work_file_read(const carom_work_file *file, uint64_t position, void *bytes,
                                  size_t size) {
    CAROM_ASSERT(file != NULL && (bytes != NULL || size == 0));
    const ssize_t count = read_some(file->descriptor, (off_t)position, bytes, size);
    if (count < 0) {
        return CAROM_STATUS_IO;
    }
    if ((size_t)count < size) {
        memset((unsigned char *)bytes + count, 0, size - (size_t)count);
    }
    return CAROM_OK;
}

double carom_work_file_room(const carom_work_file *file) {
    CAROM_ASSERT(file != NULL);
    struct statvfs disk;
    return fstatvfs(file->descriptor, &disk) == 0 ? (double)disk.f_bavail * (double)disk.f_frsize
                                                  : HUGE_VAL;
}

carom_status carom_work_file_resize(carom_work_file *file, uint64_t size) {
    CAROM_ASSERT(file != NULL);
    return ftruncate(file->descriptor, (off_t)size) == 0 ? CAROM_OK : CAROM_STATUS_IO;
}

carom_status carom_work_file_rename(carom_work_file *file) {
    CAROM_ASSERT(file != NULL);
    if (rename(file->work_path, file->final_path) != 0) {
        carom_work_file_discard(file);
        return CAROM_STATUS_IO;
    }
    release(file);
    return CAROM_OK;
}

carom_status carom_work_file_commit(carom_work_file *file, bool *changed) {
    CAROM_ASSERT(file != NULL);
    if (changed != NULL) {
        *changed = false;
    }
    if (is_unchanged(file)) {
        carom_work_file_discard(file);
        return CAROM_OK;
    }
    if (fsync(file->descriptor) != 0) {
        carom_work_file_discard(file);
        return CAROM_STATUS_IO;
    }
    CAROM_TRY(carom_work_file_rename(file));
    if (changed != NULL) {
        *changed = true;
    }
    return CAROM_OK;
}

void carom_work_file_discard(carom_work_file *file) {
    if (file == NULL) {
        return;
    }
    const int cause = errno;
    unlink(file->work_path);
    errno = cause;
    release(file);
}
