#include <carom/record/internal.h>

#include <string.h>

/* Open a group or dataset, making a group where nothing is yet; below zero on failure. */
static hid_t open_or_make(hid_t file, const char *path) {
    if (strcmp(path, "/") == 0) {
        return H5Oopen(file, path, H5P_DEFAULT);
    }
    hid_t object = -1;
    H5E_BEGIN_TRY {
        object = H5Oopen(file, path, H5P_DEFAULT);
    }
    H5E_END_TRY
    if (object >= 0) {
        return object;
    }
    const hid_t link = H5Pcreate(H5P_LINK_CREATE);
    const hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
    hid_t group = -1;
    if (H5Pset_create_intermediate_group(link, 1) >= 0 &&
        H5Pset_obj_track_times(creation, false) >= 0) {
        group = H5Gcreate2(file, path, link, creation, H5P_DEFAULT);
    }
    H5Pclose(creation);
    H5Pclose(link);
    return group;
}

void carom_record_attribute(carom_record *record, const char *path, const char *name,
                            const char *text) {
    CAROM_ASSERT(record != NULL && name != NULL);
    carom_record_file *file = record->file;
    if (carom_record_is_idle(file)) {
        return;
    }
    char full[CAROM_RECORD_PATH_SIZE];
    if (strcmp(path, ".") == 0) {
        path = record->group[0] == '\0' ? "/" : record->group;
    }
    path = carom_record_join(record, path, full);
    carom_status status = strcmp(path, "/") == 0 ? CAROM_OK : carom_record_check_path(path);
    if (status == CAROM_OK && file->numbers != NULL) {
        status = carom_record_check_text(text);
    } else if (status == CAROM_OK) {
        const carom_hdf5_guard guard = carom_record_guard_begin(file);
        const hid_t object = open_or_make(file->id, path);
        status = object < 0 ? CAROM_STATUS_IO : carom_record_write_attribute(object, name, text);
        H5Oclose(object);
        carom_hdf5_guard_end(guard);
    }
    carom_record_remember(record, path, status);
}
