#include <carom/record/work_file.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Another writer can finish between our opening and our locking; so often in a row it cannot. */
#define LOCK_ATTEMPTS 16

/* Bytes compared at a time, large against the cost of a read. */
#define COMPARE_BLOCK 65536

struct carom_work_file {
    char *final_path; /* owned */
    char *work_path;  /* owned */
    int descriptor;   /* of the work file, holds the lock */
};

/* A new file, or an existing one that is not a folder, a device or a pipe. */
static bool is_replaceable(const char *path) {
    struct stat information;
    if (stat(path, &information) != 0) {
        return path[0] != '\0';
    }
    return S_ISREG(information.st_mode);
}

/* Whether the descriptor still is the file of that name: its owner may have renamed it meanwhile.
 */
static bool is_same_file(int descriptor, const char *path) {
    struct stat opened;
    struct stat named;
    return fstat(descriptor, &opened) == 0 && stat(path, &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/* Open and lock the work file; -1 if that cannot be done or somebody else holds it. */
static int open_locked(const char *path) {
    for (int attempt = 0; attempt < LOCK_ATTEMPTS; ++attempt) {
        const int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (descriptor < 0) {
            return -1;
        }
        /* A file system without locks is accepted; a lock held by another writer is not. */
        const bool is_busy = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        if (!is_busy && is_same_file(descriptor, path) && ftruncate(descriptor, 0) == 0) {
            return descriptor;
        }
        close(descriptor);
        if (is_busy) {
            return -1;
        }
    }
    return -1;
}

/* Release the lock and the memory; the work file has been renamed or removed before. */
static void release(carom_work_file *file) {
    if (file->descriptor >= 0) {
        close(file->descriptor);
    }
    free(file->final_path);
    free(file->work_path);
    free(file);
}

carom_status carom_work_file_open(const char *path, carom_work_file **out) {
    CAROM_ASSERT(path != NULL && out != NULL);
    *out = NULL;
    const size_t length = strlen(path);
    carom_work_file *file = calloc(1, sizeof *file);
    if (file == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    file->descriptor = -1;
    file->final_path = malloc(length + 1);
    file->work_path = malloc(length + sizeof CAROM_WORK_FILE_SUFFIX);
    if (file->final_path == NULL || file->work_path == NULL) {
        release(file);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    memcpy(file->final_path, path, length + 1);
    memcpy(file->work_path, path, length);
    memcpy(file->work_path + length, CAROM_WORK_FILE_SUFFIX, sizeof CAROM_WORK_FILE_SUFFIX);

    if (is_replaceable(path)) {
        file->descriptor = open_locked(file->work_path);
    }
    if (file->descriptor < 0) {
        release(file);
        return CAROM_STATUS_IO;
    }
    *out = file;
    return CAROM_OK;
}

/* Whether the file exists with exactly these bytes; unreadable counts as different. */
static bool has_bytes(const char *path, const unsigned char *bytes, size_t size) {
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        return false;
    }
    unsigned char block[COMPARE_BLOCK];
    size_t position = 0;
    bool is_equal = true;
    for (;;) {
        const size_t count = fread(block, 1, sizeof block, stream);
        if (count == 0) {
            break;
        }
        if (count > size - position || memcmp(block, bytes + position, count) != 0) {
            is_equal = false;
            break;
        }
        position += count;
    }
    is_equal = is_equal && position == size && ferror(stream) == 0;
    fclose(stream);
    return is_equal;
}

/* Write everything, however many calls that takes. */
static bool write_all(int descriptor, const unsigned char *bytes, size_t size) {
    size_t position = 0;
    while (position < size) {
        const ssize_t count = write(descriptor, bytes + position, size - position);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return false;
        }
        position += (size_t)count;
    }
    return true;
}

carom_status carom_work_file_commit(carom_work_file *file, const void *bytes, size_t size,
                                    bool *changed) {
    CAROM_ASSERT(file != NULL && (bytes != NULL || size == 0));
    if (changed != NULL) {
        *changed = false;
    }
    if (has_bytes(file->final_path, bytes, size)) {
        carom_work_file_discard(file);
        return CAROM_OK;
    }
    const bool is_replaced = write_all(file->descriptor, bytes, size) &&
                             fsync(file->descriptor) == 0 &&
                             rename(file->work_path, file->final_path) == 0;
    if (!is_replaced) {
        carom_work_file_discard(file);
        return CAROM_STATUS_IO;
    }
    if (changed != NULL) {
        *changed = true;
    }
    release(file);
    return CAROM_OK;
}

void carom_work_file_discard(carom_work_file *file) {
    if (file == NULL) {
        return;
    }
    unlink(file->work_path);
    release(file);
}
