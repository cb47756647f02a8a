/** The data sets of a record as files, for tools that compare bytes (tools/gate.sh). */
#include "tool.h"

#include <hdf5.h>

static const char name[] = "record_parts";

static const char usage[] =
    "Usage: record_parts FILE FOLDER\n"
    "\n"
    "Write every data set of an HDF5 record to FOLDER/0, FOLDER/1, ...: a line with its type, "
    "shape\n"
    "and unit, then its bytes as they are stored. Prints their paths in that order, one a line.\n"
    "\n"
    "  --help, --version      say this, or the version, and end\n";

/* What the walk through the record carries along. */
typedef struct walk {
    const char *folder;
    int count; /* of data sets written */
} walk;

/* The unit of a data set, a variable-length text; NULL if it has none. H5free_memory afterwards. */
static char *read_units(hid_t dataset) {
    char *units = NULL;
    if (H5Aexists(dataset, "units") > 0) {
        const hid_t attribute = H5Aopen(dataset, "units", H5P_DEFAULT);
        const hid_t type = H5Aget_type(attribute);
        if (H5Tis_variable_str(type) > 0 && H5Aread(attribute, type, &units) < 0) {
            units = NULL;
        }
        H5Tclose(type);
        H5Aclose(attribute);
    }
    return units;
}

/* Type, shape and unit as one line. */
static void write_head(FILE *file, hid_t dataset, hid_t type, hid_t space) {
    hsize_t shape[H5S_MAX_RANK];
    const int rank = H5Sget_simple_extent_dims(space, shape, NULL);
    char *units = read_units(dataset);
    fprintf(file, "class %d size %zu shape", (int)H5Tget_class(type), H5Tget_size(type));
    for (int axis = 0; axis < rank; ++axis) {
        fprintf(file, " %llu", (unsigned long long)shape[axis]);
    }
    fprintf(file, " units %s\n", units == NULL ? "-" : units);
    H5free_memory(units);
}

/* Texts of any length, each with its end. */
static bool write_texts(FILE *file, char *const *texts, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        const char *text = texts[i] == NULL ? "" : texts[i];
        if (fwrite(text, 1, strlen(text) + 1, file) != strlen(text) + 1) {
            return false;
        }
    }
    return true;
}

/* The bytes as stored, of texts what they say; other data of variable length are refused. */
static bool write_body(FILE *file, hid_t dataset, hid_t type, hid_t space) {
    const size_t count = (size_t)H5Sget_simple_extent_npoints(space);
    const size_t size = count * H5Tget_size(type);
    const bool is_text = H5Tis_variable_str(type) > 0;
    char *bytes = calloc(size + 1, 1);
    bool is_written = bytes != NULL && (is_text || H5Tdetect_class(type, H5T_VLEN) == 0) &&
                      H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0;
    if (is_written && is_text) {
        is_written = write_texts(file, (char **)bytes, count);
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, bytes);
    } else if (is_written) {
        is_written = fwrite(bytes, 1, size, file) == size;
    }
    free(bytes);
    return is_written;
}

/* One data set to its file. */
static bool write_dataset(hid_t dataset, const char *folder, int number) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%d", folder, number);
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        return false;
    }
    const hid_t type = H5Dget_type(dataset);
    const hid_t space = H5Dget_space(dataset);
    write_head(file, dataset, type, space);
    const bool is_written = write_body(file, dataset, type, space);
    H5Sclose(space);
    H5Tclose(type);
    return fclose(file) == 0 && is_written;
}

/* Called by HDF5 for every object of the record, in the order of their names. */
static herr_t visit(hid_t root, const char *path, const H5O_info_t *info, void *context) {
    walk *walked = context;
    if (info->type != H5O_TYPE_DATASET) {
        return 0;
    }
    const hid_t dataset = H5Dopen2(root, path, H5P_DEFAULT);
    const bool is_written = dataset >= 0 && write_dataset(dataset, walked->folder, walked->count);
    H5Dclose(dataset);
    if (!is_written) {
        tool_fail(name, "/%s cannot be copied to %s/%d", path, walked->folder, walked->count);
        return -1;
    }
    printf("/%s\n", path);
    ++walked->count;
    return 0;
}

int main(int argc, char **argv) {
    if (tool_answered(argc, argv, name, usage)) {
        return tool_finish(name, EXIT_SUCCESS);
    }
    if (argc != 3) {
        return tool_fail(name, "a file and a folder are needed (see --help)");
    }
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t file = H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) {
        return tool_fail(name, "%s is not an HDF5 file that can be read", argv[1]);
    }
    walk walked = {.folder = argv[2]};
    const herr_t visited =
        H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, visit, &walked, H5O_INFO_BASIC);
    H5Fclose(file);
    return visited < 0 ? EXIT_FAILURE : tool_finish(name, EXIT_SUCCESS);
}
