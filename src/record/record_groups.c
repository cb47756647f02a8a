#include <carom/record/internal.h>

#include <string.h>

/* What is known about groups, on the way through a file. */
typedef struct description {
    const char *(*describe)(const char *path);
    carom_status status;
    char path[CAROM_RECORD_GROUP_SIZE]; /* of the group under way */
} description;

static void describe_members(hid_t group, description *work);

/* Describe one member of a group if it is a group, and what is in it. */
static void describe_member(hid_t group, hsize_t index, description *work) {
    const size_t length = strlen(work->path);
    const ssize_t size =
        H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, index, NULL, 0, H5P_DEFAULT);
    if (size < 0 || length + (size_t)size + 2 > sizeof work->path) {
        work->status = CAROM_STATUS_IO;
        return;
    }
    work->path[length] = '/';
    H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, index, work->path + length + 1,
                       (size_t)size + 1, H5P_DEFAULT);
    const hid_t object = H5Oopen(group, work->path + length + 1, H5P_DEFAULT);
    if (H5Iget_type(object) == H5I_GROUP) {
        const char *text = work->describe(work->path);
        if (text != NULL && H5Aexists(object, "long_name") == 0) {
            work->status = carom_record_write_attribute(object, "long_name", text);
        }
        describe_members(object, work);
    }
    H5Oclose(object);
    work->path[length] = '\0';
}

/* Describe the groups in a group; those of records are few levels deep. */
static void describe_members(hid_t group, description *work) {
    H5G_info_t information;
    if (H5Gget_info(group, &information) < 0) {
        work->status = CAROM_STATUS_IO;
        return;
    }
    for (hsize_t i = 0; i < information.nlinks && work->status == CAROM_OK; ++i) {
        describe_member(group, i, work);
    }
}

void carom_record_describe_groups(carom_record *record, const char *(*describe)(const char *path)) {
    CAROM_ASSERT(record != NULL && describe != NULL);
    carom_record_file *file = record->file;
    if (carom_record_is_idle(file) || file->numbers != NULL) {
        return;
    }
    description work = {.describe = describe, .status = CAROM_OK, .path = ""};
    const carom_hdf5_guard guard = carom_record_guard_begin(file);
    describe_members(file->id, &work);
    carom_hdf5_guard_end(guard);
    carom_record_remember(record, work.path, work.status);
}
