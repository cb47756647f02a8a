/*
 * A file is a head with the identity of the command, and batches of entries, each with a checksum:
 * the last one of a killed run may be torn, and counts as not there.
 */
#include <carom/program/checkpoint.h>
#include <carom/program/internal.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/** Between two batches, ms: what a kill may cost. */
enum { INTERVAL = 500 };

/** What a file begins with. */
static const char magic[16] = "carom checkp. 1";

/** Before the identity. */
typedef struct file_head {
    char magic[sizeof magic];
    uint64_t identity_size; /**< bytes of text that follow */
} file_head;

/** Before the entries of a batch. */
typedef struct batch_head {
    uint64_t checksum; /**< of what follows: the rest of this head, and the entries */
    uint64_t size;     /**< bytes of entries */
    int32_t map;       /**< number of the map */
    int32_t count;     /**< its items */
} batch_head;

/** Where a batch lies. */
typedef struct batch {
    int file; /**< number in the list */
    off_t at; /**< of its entries */
    batch_head head;
} batch;

/** One file. */
typedef struct log_file {
    char *path;     /**< owned */
    int descriptor; /**< for reading */
    off_t end;      /**< of its last whole batch */
} log_file;

struct carom_checkpoint {
    char *path;     /**< FILE, owned */
    char *identity; /**< owned */
    log_file *files;
    int file_count;
    batch *batches;
    int batch_count;
    int batch_capacity;
    int descriptor; /**< of this rank's file, for writing; -1: none */
    off_t end;      /**< of its last whole batch */
    long long last; /**< ms at which something was kept */
    int failure;    /**< errno of the first write that failed */
};

/* ------------------------------------------------------------------------------ whole reads,
 * writes */

/** FNV-1a, 64 bits, by eight bytes at a time and then by one. */
static uint64_t add_checksum(uint64_t sum, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t), at += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, at, sizeof word);
        sum = (sum ^ word) * UINT64_C(1099511628211);
        sum ^= sum >> 29;
    }
    for (; size > 0; size--, at++) {
        sum = (sum ^ *at) * UINT64_C(1099511628211);
    }
    return sum;
}

static uint64_t checksum_of(const batch_head *head, const unsigned char *entries) {
    const size_t skipped = sizeof head->checksum;
    const uint64_t start = UINT64_C(14695981039346656037);
    const uint64_t sum = add_checksum(start, (const char *)head + skipped, sizeof *head - skipped);
    return add_checksum(sum, entries, head->size);
}

static bool read_all(int descriptor, void *bytes, size_t size, off_t at) {
    char *to = bytes;
    while (size > 0) {
        const ssize_t got = pread(descriptor, to, size, at);
        if (got <= 0 && errno == EINTR && got < 0) {
            continue;
        }
        if (got <= 0) {
            return false;
        }
        to += got;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

static bool write_all(int descriptor, const void *bytes, size_t size) {
    const char *from = bytes;
    while (size > 0) {
        const ssize_t done = write(descriptor, from, size);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done < 0) {
            return false;
        }
        from += done;
        size -= (size_t)done;
    }
    return true;
}

/* --------------------------------------------------------------------------------------- reading
 */

/** The first line in which two identities differ, cut, at most `size` with the zero. */
static void find_difference(const char *then, const char *now, char *line_then, char *line_now,
                            int size) {
    while (*then != '\0' && *now != '\0') {
        const size_t length_then = strcspn(then, "\n");
        const size_t length_now = strcspn(now, "\n");
        if (length_then != length_now || memcmp(then, now, length_now) != 0) {
            break;
        }
        then += length_then + (then[length_then] == '\n');
        now += length_now + (now[length_now] == '\n');
    }
    snprintf(line_then, (size_t)size, "%.*s", (int)strcspn(then, "\n"), then);
    snprintf(line_now, (size_t)size, "%.*s", (int)strcspn(now, "\n"), now);
}

/** Compare the head of a file with the identity of this command. */
static carom_status check_head(const carom_checkpoint *self, log_file *file, off_t size,
                               carom_report *report) {
    file_head head;
    const bool has_head = read_all(file->descriptor, &head, sizeof head, 0) &&
                          memcmp(head.magic, magic, sizeof magic) == 0 &&
                          head.identity_size <= (uint64_t)size - sizeof head;
    if (!has_head) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT, "%.160s is no checkpoint",
                                file->path);
    }
    CAROM_AUTO_MEMORY char *identity = calloc(head.identity_size + 1, 1);
    if (identity == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    if (!read_all(file->descriptor, identity, head.identity_size, sizeof head)) {
        return carom_report_say(report, CAROM_STATUS_IO, "%.160s cannot be read", file->path);
    }
    if (strcmp(identity, self->identity) != 0) {
        enum { LINE = 60 };
        char then[LINE];
        char now[LINE];
        find_difference(identity, self->identity, then, now, LINE);
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "%.80s is of another run: it has \"%s\", this one \"%s\"",
                                file->path, then, now);
    }
    file->end = (off_t)(sizeof head + head.identity_size);
    return CAROM_OK;
}

/** Note a batch. */
static carom_status add_batch(carom_checkpoint *self, const batch *found) {
    if (self->batch_count == self->batch_capacity) {
        const int capacity = 2 * self->batch_capacity + 64;
        batch *grown = realloc(self->batches, (size_t)capacity * sizeof *grown);
        if (grown == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
        self->batches = grown;
        self->batch_capacity = capacity;
    }
    self->batches[self->batch_count++] = *found;
    return CAROM_OK;
}

/** Note all whole batches of a file. */
static carom_status read_batches(carom_checkpoint *self, int number, off_t size) {
    log_file *file = &self->files[number];
    carom_status status = CAROM_OK;
    unsigned char *entries = NULL;
    while (status == CAROM_OK) {
        batch found = {.file = number, .at = file->end + (off_t)sizeof found.head};
        if (found.at > size ||
            !read_all(file->descriptor, &found.head, sizeof found.head, file->end) ||
            found.head.size > (uint64_t)(size - found.at)) {
            break;
        }
        unsigned char *grown = realloc(entries, found.head.size + 1);
        if (grown == NULL) {
            status = CAROM_STATUS_OUT_OF_MEMORY;
            break;
        }
        entries = grown;
        if (!read_all(file->descriptor, entries, found.head.size, found.at) ||
            checksum_of(&found.head, entries) != found.head.checksum) {
            break;
        }
        status = add_batch(self, &found);
        file->end = found.at + (off_t)found.head.size;
    }
    free(entries);
    return status;
}

/** Read one file. */
static carom_status read_file(carom_checkpoint *self, char *path, carom_report *report) {
    log_file *grown = realloc(self->files, ((size_t)self->file_count + 1) * sizeof *grown);
    if (grown == NULL) {
        free(path);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    self->files = grown;
    const int number = self->file_count++;
    log_file *file = &self->files[number];
    *file = (log_file){.path = path, .descriptor = open(path, O_RDONLY | O_CLOEXEC)};
    struct stat information;
    if (file->descriptor < 0 || fstat(file->descriptor, &information) != 0 ||
        !S_ISREG(information.st_mode)) {
        return carom_report_say(report, CAROM_STATUS_IO, "%.160s cannot be read: %s", path,
                                file->descriptor < 0 ? strerror(errno) : "not a file");
    }
    CAROM_TRY(check_head(self, file, information.st_size, report));
    return read_batches(self, number, information.st_size);
}

/** Bytes of a path up to its last slash. */
static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/** Whether a name in the folder is FILE or FILE.K. */
static bool is_ours(const char *base, const char *name) {
    const size_t length = strlen(base);
    if (strncmp(name, base, length) != 0) {
        return false;
    }
    const char *rest = name + length;
    return rest[0] == '\0' ||
           (rest[0] == '.' && rest[1] != '\0' && rest[1 + strspn(rest + 1, "0123456789")] == '\0');
}

/** The path of a file in the folder of FILE; NULL if out of memory. */
static char *path_beside(const char *path, const char *name) {
    const size_t folder = folder_length(path);
    const size_t size = folder + strlen(name) + 1;
    char *beside = malloc(size);
    if (beside != NULL) {
        snprintf(beside, size, "%.*s%s", (int)folder, path, name);
    }
    return beside;
}

/** Whether two paths lie in one folder that is there. */
static bool are_in_one_folder(const char *path, const char *other) {
    CAROM_AUTO_MEMORY char *folder = path_beside(path, ".");
    CAROM_AUTO_MEMORY char *others = path_beside(other, ".");
    struct stat one;
    struct stat two;
    return folder != NULL && others != NULL && stat(folder, &one) == 0 && stat(others, &two) == 0 &&
           one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

bool carom_checkpoint_claims(const char *file, const char *path) {
    return is_ours(file + folder_length(file), path + folder_length(path)) &&
           are_in_one_folder(file, path);
}

/** Read all files, in any order: where an item is in two, both have the same bytes. */
static carom_status read_files(carom_checkpoint *self, carom_report *report) {
    CAROM_AUTO_MEMORY char *folder = path_beside(self->path, ".");
    if (folder == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        return carom_report_say(report, CAROM_STATUS_IO, "%.160s cannot be written: %s", self->path,
                                strerror(errno));
    }
    const char *base = self->path + folder_length(self->path);
    carom_status status = CAROM_OK;
    for (const struct dirent *entry = readdir(directory); entry != NULL && status == CAROM_OK;
         entry = readdir(directory)) {
        if (is_ours(base, entry->d_name)) {
            char *path = path_beside(self->path, entry->d_name);
            status = path == NULL ? CAROM_STATUS_OUT_OF_MEMORY : read_file(self, path, report);
        }
    }
    closedir(directory);
    return status;
}

carom_status carom_checkpoint_open(const char *path, const char *identity, carom_checkpoint **out,
                                   carom_report *report) {
    CAROM_ASSERT(path != NULL && identity != NULL && out != NULL);
    *out = NULL;
    CAROM_AUTO(carom_checkpoint) self = calloc(1, sizeof *self);
    if (self == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    self->descriptor = -1;
    self->path = strdup(path);
    self->identity = strdup(identity);
    if (self->path == NULL || self->identity == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(read_files(self, report));
    CAROM_HAND_OVER(self, out);
    return CAROM_OK;
}

int carom_checkpoint_digest(const carom_checkpoint *self) {
    uint64_t sum = 0;
    for (int i = 0; i < self->batch_count; i++) {
        sum += self->batches[i].head.checksum; // whatever the order of the files
    }
    return (int)((sum ^ (sum >> 31)) & INT32_MAX);
}

carom_status carom_checkpoint_deliver(const carom_checkpoint *self, int map, int count,
                                      carom_work_delivery deliver, void *context) {
    for (int i = 0; i < self->batch_count; i++) {
        const batch *found = &self->batches[i];
        if (found->head.map != map || found->head.count != count) {
            continue;
        }
        CAROM_AUTO_MEMORY unsigned char *entries = malloc(found->head.size + 1);
        if (entries == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
        if (!read_all(self->files[found->file].descriptor, entries, found->head.size, found->at)) {
            return CAROM_STATUS_IO;
        }
        CAROM_TRY(deliver(entries, found->head.size, context));
    }
    return CAROM_OK;
}

/* --------------------------------------------------------------------------------------- writing
 */

/** The file of a rank; NULL if out of memory. */
static char *path_of_rank(const carom_checkpoint *self, int rank) {
    const size_t size = strlen(self->path) + 16;
    char *path = malloc(size);
    if (path != NULL && rank == 0) {
        snprintf(path, size, "%s", self->path);
    } else if (path != NULL) {
        snprintf(path, size, "%s.%d", self->path, rank);
    }
    return path;
}

/** Make the file of this rank, whole or not at all. */
static bool make_file(const carom_checkpoint *self, const char *path) {
    const size_t size = strlen(path) + sizeof ".tmp";
    char *beside = malloc(size);
    if (beside == NULL) {
        errno = ENOMEM;
        return false;
    }
    snprintf(beside, size, "%s.tmp", path);
    file_head head = {.identity_size = strlen(self->identity)};
    memcpy(head.magic, magic, sizeof magic);
    const int descriptor = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    const bool is_written = descriptor >= 0 && write_all(descriptor, &head, sizeof head) &&
                            write_all(descriptor, self->identity, head.identity_size);
    const int cause = errno;
    if (descriptor >= 0) {
        close(descriptor);
    }
    const bool is_made = is_written && rename(beside, path) == 0;
    if (!is_made) {
        errno = is_written ? errno : cause;
        const int kept = errno;
        unlink(beside);
        errno = kept;
    }
    free(beside);
    return is_made;
}

carom_status carom_checkpoint_start(carom_checkpoint *self, int rank, carom_report *report) {
    CAROM_AUTO_MEMORY char *path = path_of_rank(self, rank);
    if (path == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    self->end = (off_t)(sizeof(file_head) + strlen(self->identity));
    bool is_there = false;
    for (int i = 0; i < self->file_count; i++) {
        if (strcmp(self->files[i].path, path) == 0) {
            is_there = true;
            self->end = self->files[i].end;
        }
    }
    const bool is_made = is_there || make_file(self, path);
    self->descriptor = is_made ? open(path, O_WRONLY | O_CLOEXEC) : -1;
    bool is_ready = self->descriptor >= 0 && flock(self->descriptor, LOCK_EX | LOCK_NB) == 0;
    const bool is_held = !is_ready && errno == EWOULDBLOCK;
    // What is torn gives way to what comes.
    is_ready = is_ready && ftruncate(self->descriptor, self->end) == 0 &&
               lseek(self->descriptor, self->end, SEEK_SET) == self->end;
    self->last = carom_terminal_clock();
    return is_ready
               ? CAROM_OK
               : carom_report_say(report, CAROM_STATUS_IO, "%.160s cannot be written: %s", path,
                                  is_held ? "another run is writing it" : strerror(errno));
}

bool carom_checkpoint_is_due(const carom_checkpoint *self) {
    return carom_terminal_clock() - self->last >= INTERVAL;
}

void carom_checkpoint_append(carom_checkpoint *self, int map, int count,
                             const unsigned char *entries, size_t size) {
    self->last = carom_terminal_clock();
    if (self->failure != 0 || size == 0) {
        return;
    }
    batch_head head = {.size = size, .map = map, .count = count};
    head.checksum = checksum_of(&head, entries);
    if (write_all(self->descriptor, &head, sizeof head) &&
        write_all(self->descriptor, entries, size)) {
        self->end += (off_t)(sizeof head + size);
        return;
    }
    self->failure = errno;
    // Half a batch would be left out by a reader too.
    if (ftruncate(self->descriptor, self->end) != 0) {
        return;
    }
}

int carom_checkpoint_failure(const carom_checkpoint *self) {
    return self->failure;
}

void carom_checkpoint_remove(carom_checkpoint *self, int rank_count) {
    for (int i = 0; i < self->file_count; i++) {
        unlink(self->files[i].path);
    }
    for (int rank = 0; rank < rank_count; rank++) {
        char *path = path_of_rank(self, rank);
        if (path != NULL) {
            unlink(path);
        }
        free(path);
    }
}

void carom_checkpoint_remove_empty(const carom_checkpoint *self, int rank) {
    CAROM_AUTO_MEMORY char *path = path_of_rank(self, rank);
    if (path != NULL && self->end == (off_t)(sizeof(file_head) + strlen(self->identity))) {
        unlink(path);
    }
}

void carom_checkpoint_free(carom_checkpoint *self) {
    if (self == NULL) {
        return;
    }
    for (int i = 0; i < self->file_count; i++) {
        if (self->files[i].descriptor >= 0) {
            close(self->files[i].descriptor);
        }
        free(self->files[i].path);
    }
    if (self->descriptor >= 0) {
        close(self->descriptor);
    }
    free(self->files);
    free(self->batches);
    free(self->identity);
    free(self->path);
    free(self);
}
