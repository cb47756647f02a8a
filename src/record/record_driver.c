#include <carom/record/internal.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* HDF5's way to the work file. The file drivers of the library itself open a path again, beside the
 * descriptor that holds the lock, and a close that fails for want of room leaves the library in a
 * state in which it ends the process. This one writes through the work file; once the system has
 * refused a write, it keeps why and drops what follows, so that HDF5 can always end. */

#ifdef H5FD_CLASS_VERSION
#include <H5FDdevelop.h>
#endif

/* An open file: HDF5's own part stands first. */
typedef struct driven_file {
    H5FD_t base;
    carom_record_file *record; /* borrowed */
    haddr_t end_of_use;        /* bytes that are given out */
    haddr_t end_of_file;       /* bytes that are there */
    hid_t driver;              /* as HDF5 knows it: closing a file still asks it */
} driven_file;

/* Largest file of signed 64-bit positions. */
static const haddr_t MOST_BYTES = ((haddr_t)1 << 63) - 1;

/* What opens a file is told by its access list. */
typedef struct driver_info {
    driven_file *file;
} driver_info;

static H5FD_t *open_file(const char *name, unsigned flags, hid_t access, haddr_t most) {
    (void)name;
    (void)flags;
    (void)most;
    const driver_info *info = H5Pget_driver_info(access);
    return (H5FD_t *)info->file;
}

/* The memory is the record's. */
static herr_t close_file(H5FD_t *file) {
    (void)file;
    return 0;
}

/* As the driver that keeps a file in memory: where things lie does not depend on where they are. */
static herr_t query(const H5FD_t *file, unsigned long *flags) {
    (void)file;
    if (flags != NULL) {
        *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA |
                 H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA;
    }
    return 0;
}

static haddr_t get_end_of_use(const H5FD_t *file, H5FD_mem_t type) {
    (void)type;
    return ((const driven_file *)file)->end_of_use;
}

static herr_t set_end_of_use(H5FD_t *file, H5FD_mem_t type, haddr_t end) {
    (void)type;
    ((driven_file *)file)->end_of_use = end;
    return 0;
}

static haddr_t get_end_of_file(const H5FD_t *file, H5FD_mem_t type) {
    (void)type;
    return ((const driven_file *)file)->end_of_file;
}

static herr_t read_bytes(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t position,
                         size_t size, void *bytes) {
    (void)type;
    (void)transfer;
    const carom_record_file *record = ((const driven_file *)file)->record;
    const bool is_read = carom_work_file_read(record->work, position, bytes, size) == CAROM_OK;
    return is_read ? 0 : -1;
}

static herr_t write_bytes(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t position,
                          size_t size, const void *bytes) {
    (void)type;
    (void)transfer;
    driven_file *self = (driven_file *)file;
    carom_record_file *record = self->record;
    if (record->error_number == 0 &&
        carom_work_file_write(record->work, position, bytes, size) != CAROM_OK) {
        record->error_number = errno;
    }
    if (position + size > self->end_of_file) {
        self->end_of_file = position + size;
    }
    return 0;
}

/* The file ends where what is given out ends. */
static herr_t cut_file(H5FD_t *file, hid_t transfer, hbool_t is_closing) {
    (void)transfer;
    (void)is_closing;
    driven_file *self = (driven_file *)file;
    carom_record_file *record = self->record;
    if (self->end_of_file != self->end_of_use) {
        if (record->error_number == 0 &&
            carom_work_file_resize(record->work, self->end_of_use) != CAROM_OK) {
            record->error_number = errno;
        }
        self->end_of_file = self->end_of_use;
    }
    return 0;
}

/* What HDF5 notes of data sets stays in memory to the end: written on the way, it would leave what
 * was given up in the file, and the bytes would depend on how many blocks the rows came in. */
static bool keep_metadata(hid_t access) {
    H5AC_cache_config_t config = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
    if (H5Pget_mdc_config(access, &config) < 0) {
        return false;
    }
    config.evictions_enabled = false;
    config.incr_mode = H5C_incr__off;
    config.flash_incr_mode = H5C_flash_incr__off;
    config.decr_mode = H5C_decr__off;
    return H5Pset_mdc_config(access, &config) >= 0;
}

carom_status carom_record_driver_create(carom_record_file *file) {
    const H5FD_class_t driver = {
#ifdef H5FD_CLASS_VERSION
        .version = H5FD_CLASS_VERSION,
        .value = (H5FD_class_value_t)(H5_VFD_RESERVED + 1),
#endif
        .name = "carom_work_file",
        .maxaddr = MOST_BYTES,
        .fc_degree = H5F_CLOSE_WEAK,
        .fapl_size = sizeof(driver_info),
        .open = open_file,
        .close = close_file,
        .query = query,
        .get_eoa = get_end_of_use,
        .set_eoa = set_end_of_use,
        .get_eof = get_end_of_file,
        .read = read_bytes,
        .write = write_bytes,
        .truncate = cut_file,
        .fl_map = H5FD_FLMAP_DICHOTOMY,
    };
    driven_file *driven = calloc(1, sizeof *driven);
    if (driven == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    driven->record = file;
    file->driven = driven;
    const driver_info info = {driven};
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    driven->driver = H5FDregister(&driver);
    if (H5Pset_driver(access, driven->driver, &info) >= 0 && keep_metadata(access)) {
        file->id = H5Fcreate(carom_work_file_path(file->work), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    }
    H5Pclose(access);
    return file->id < 0 ? CAROM_STATUS_IO : CAROM_OK;
}

void carom_record_driver_free(carom_record_file *file) {
    if (file->driven != NULL) {
        H5FDunregister(((driven_file *)file->driven)->driver);
        free(file->driven);
        file->driven = NULL;
    }
}
