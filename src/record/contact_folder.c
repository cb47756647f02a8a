#include <carom/record/contact_file.h>

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct carom_contact_folder {
    char *path;
    const carom_record_header *header;
    int most;
    long written;
    long left_out;
};

/* Whether nothing lies in a folder; errno tells why it cannot be read. */
static carom_status look_into(const char *path, bool *is_empty) {
    DIR *folder = opendir(path);
    if (folder == NULL) {
        return CAROM_STATUS_IO;
    }
    *is_empty = true;
    errno = 0;
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        const bool is_itself = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
        *is_empty = *is_empty && is_itself;
    }
    const int cause = errno;
    (void)closedir(folder);
    errno = cause;
    return cause == 0 ? CAROM_OK : CAROM_STATUS_IO;
}

carom_status carom_contact_folder_open(const char *path, int most,
                                       const carom_record_header *header,
                                       carom_contact_folder **out, carom_report *report) {
    CAROM_ASSERT(path != NULL && most >= 1 && header != NULL && out != NULL);
    *out = NULL;
    bool is_empty = true;
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        return carom_report_say(report, CAROM_STATUS_IO, "folder %.80s cannot be made: %s", path,
                                strerror(errno));
    }
    if (look_into(path, &is_empty) != CAROM_OK || access(path, W_OK) != 0) {
        return carom_report_say(report, CAROM_STATUS_IO, "folder %.80s cannot be used: %s", path,
                                strerror(errno));
    }
    if (!is_empty) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT, "folder %.80s is not empty", path);
    }
    CAROM_AUTO(carom_contact_folder) folder = calloc(1, sizeof *folder);
    if (folder == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    folder->header = header;
    folder->most = most;
    folder->path = malloc(strlen(path) + 1);
    if (folder->path == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    memcpy(folder->path, path, strlen(path) + 1);
    CAROM_HAND_OVER(folder, out);
    return CAROM_OK;
}

void carom_contact_folder_count(const carom_contact_folder *folder, long *written, long *left_out) {
    *written = folder->written;
    *left_out = folder->left_out;
}

void carom_contact_folder_free(carom_contact_folder *folder) {
    if (folder != NULL) {
        free(folder->path);
        free(folder);
    }
}

/* FOLDER/NAME-000017.hdf5, with -2 and so on if that is there, to be freed; NULL if out of memory.
 * A time belongs to the step that ends with it, up to a thousandth of the step. */
static char *file_of(const carom_contact_folder_run *run, double time) {
    const size_t size = strlen(run->folder->path) + strlen(run->name) + 80;
    char *path = malloc(size);
    if (path == NULL) {
        return NULL;
    }
    const int folder = snprintf(path, size, "%s/", run->folder->path);
    const int name = folder + snprintf(path + folder, size - (size_t)folder, "%s-%06.0f", run->name,
                                       ceil(time / run->step - 1e-3));
    for (char *letter = path + folder; *letter != '\0'; letter++) {
        *letter = *letter == '/' ? '-' : *letter;
    }
    snprintf(path + name, size - (size_t)name, ".hdf5");
    for (int k = 2; access(path, F_OK) == 0; k++) {
        snprintf(path + name, size - (size_t)name, "-%d.hdf5", k);
    }
    return path;
}

static carom_status write_file(double time, const carom_contact_problem *problem, void *context,
                               carom_report *report) {
    const carom_contact_folder_run *run = context;
    carom_contact_folder *folder = run->folder;
    if (folder->written == folder->most) {
        folder->left_out++;
        return CAROM_OK;
    }
    CAROM_AUTO_MEMORY char *path = file_of(run, time);
    if (path == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_record *record = NULL;
    carom_status status = carom_record_create(path, folder->header, &record);
    if (status == CAROM_OK) {
        carom_record_scalar(record, "time", time, "s", "end of the step");
        status = carom_contact_file_write(record, problem, report);
        if (status != CAROM_OK) {
            carom_record_discard(record);
            return status;
        }
        status = carom_record_commit(record, NULL);
    }
    if (status != CAROM_OK) {
        return carom_report_say(report, status, "%.80s cannot be written: %s", path,
                                status == CAROM_STATUS_IO ? strerror(errno)
                                                          : carom_status_sentence(status));
    }
    folder->written++;
    return CAROM_OK;
}

carom_contact_listener carom_contact_folder_listener(carom_contact_folder_run *run) {
    const bool listens = run->folder != NULL;
    return (carom_contact_listener){.tell = listens ? write_file : NULL, .context = run};
}
