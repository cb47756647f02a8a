/** Datasets of a record side by side, as tab-separated columns for gnuplot and people; or a list of
 * what there is. */
/* isatty */
#define _POSIX_C_SOURCE 200809L

#include "tool.h"

#include <carom/record/expression.h>
#include <carom/record/reader.h>
#include <errno.h>
#include <hdf5.h>
#include <limits.h>
#include <math.h>
#include <unistd.h>

/* Longest description of a data set, with its terminating zero. */
#define LINE_SIZE 1024

static const char name[] = "carom_columns";

static const char usage[] =
    "Usage: carom_columns FILE\n"
    "       carom_columns [--every N] [--where PATH LOW HIGH] [--header] [--allow-missing] FILE "
    "EXPRESSION...\n"
    "\n"
    "List the data sets of an HDF5 record, with shape, unit and description; or print some side "
    "by\n"
    "side, tab-separated, with all digits (%.17g). All must have the same number of rows; a "
    "scalar\n"
    "has one. A matrix becomes several columns.\n"
    "\n"
    "  EXPRESSION             /group/dataset, or a part of it: /group/dataset[:,0] a column,\n"
    "                         /group/dataset[-1,:] a row as a column, /group/dataset[3] an entry;\n"
    "                         or computed: abs(/group/x) / $mass (docs/expressions.md)\n"
    "  --every N              every N-th row, always with the last\n"
    "  --where PATH LOW HIGH  only rows where that dataset lies within [LOW, HIGH]\n"
    "  --header               first a line with \"#\" and what the columns are; on a terminal "
    "always\n"
    "  --allow-missing        where the record has not all of it, a row of NaN and no failure\n"
    "  --help, --version      say this, or the version, and end\n";

/* What was asked for; texts are borrowed from the command line. */
typedef struct request {
    const char *file;
    char **paths; /* [path_count] */
    int path_count;
    int every;
    bool has_header;
    bool allows_missing;
    const char *where; /* NULL: all rows */
    double low;
    double high;
} request;

/* A positive whole number. */
static bool parse_count(const char *text, int *count) {
    char *end = NULL;
    errno = 0;
    const long number = strtol(text, &end, 10);
    const bool is_proper =
        end != text && *end == '\0' && errno == 0 && number >= 1 && number <= INT_MAX;
    *count = is_proper ? (int)number : 0;
    return is_proper;
}

/* A number, infinity included. */
static bool parse_bound(const char *text, double *bound) {
    char *end = NULL;
    *bound = strtod(text, &end);
    return end != text && *end == '\0' && !isnan(*bound);
}

/* One option with its values; the number of arguments used, 0 after a complaint. */
static int parse_option(int left, char **arguments, request *asked) {
    if (strcmp(arguments[0], "--every") == 0) {
        if (left < 2 || !parse_count(arguments[1], &asked->every)) {
            tool_fail(name, "--every takes a whole number >= 1");
            return 0;
        }
        return 2;
    }
    if (strcmp(arguments[0], "--where") == 0) {
        if (left < 4 || !parse_bound(arguments[2], &asked->low) ||
            !parse_bound(arguments[3], &asked->high)) {
            tool_fail(name, "--where takes a path and two numbers");
            return 0;
        }
        asked->where = arguments[1];
        return 4;
    }
    if (strcmp(arguments[0], "--header") == 0) {
        asked->has_header = true;
        return 1;
    }
    if (strcmp(arguments[0], "--allow-missing") == 0) {
        asked->allows_missing = true;
        return 1;
    }
    tool_fail(name, "unknown option %s (see --help)", arguments[0]);
    return 0;
}

/* Options wherever they stand; what is left is the file and the paths, gathered at the front. */
static bool parse_arguments(int argc, char **argv, request *asked) {
    int kept = 0;
    int i = 1;
    while (i < argc) {
        if (strncmp(argv[i], "--", 2) != 0) {
            argv[kept++] = argv[i++];
            continue;
        }
        const int used = parse_option(argc - i, argv + i, asked);
        if (used == 0) {
            return false;
        }
        i += used;
    }
    if (kept < 1) {
        tool_fail(name, "a file is needed (see --help)");
        return false;
    }
    asked->file = argv[0];
    asked->paths = argv + 1;
    asked->path_count = kept - 1;
    return true;
}

/* Datasets of the one record. */
static carom_status read_own(void *context, const char *record, const char *path,
                             carom_dataset *out) {
    return record == NULL ? carom_reader_dataset(context, path, out) : CAROM_STATUS_IO;
}

/* Evaluate an expression over the record. */
static bool load(carom_reader *reader, const char *file, const char *expression,
                 carom_dataset *out) {
    const carom_expression_scope scope = {.read = read_own, .context = reader};
    carom_report report = carom_report_empty();
    carom_expression_result result;
    if (carom_expression_evaluate(expression, &scope, &result, &report) != CAROM_OK) {
        tool_fail(name, "%s in %s: %s", expression, file, report.sentence);
        return false;
    }
    *out = result.value;
    return true;
}

/* "# PATH (UNIT)", tabs between; a matrix has its path over every column. */
static void print_header(const request *asked, const carom_dataset *datasets) {
    bool is_first = true;
    for (int i = 0; i < asked->path_count; ++i) {
        for (int column = 0; column < datasets[i].columns; ++column) {
            const bool has_units = datasets[i].units[0] != '\0';
            printf(has_units ? "%s%s (%s)" : "%s%s", is_first ? "# " : "\t", asked->paths[i],
                   datasets[i].units);
            is_first = false;
        }
    }
    putchar('\n');
}

/* One line of output. */
static void print_row(const carom_dataset *datasets, int count, int row) {
    bool is_first = true;
    for (int i = 0; i < count; ++i) {
        const carom_dataset *dataset = &datasets[i];
        for (int column = 0; column < dataset->columns; ++column) {
            const double value =
                dataset->values[(size_t)row * (size_t)dataset->columns + (size_t)column];
            if (!is_first) {
                putchar('\t');
            }
            is_first = false;
            if (isnan(value)) {
                fputs("nan", stdout); /* printf may add a sign */
            } else {
                printf("%.17g", value);
            }
        }
    }
    putchar('\n');
}

/* Every N-th of the rows that the filter lets through, and the last of them. */
static void print_rows(const request *asked, const carom_dataset *datasets,
                       const carom_dataset *filter) {
    int accepted = 0;
    int waiting = -1;
    for (int row = 0; row < datasets[0].rows; ++row) {
        const bool is_accepted = filter == NULL || (filter->values[row] >= asked->low &&
                                                    filter->values[row] <= asked->high);
        if (!is_accepted) {
            continue;
        }
        const bool is_printed = accepted % asked->every == 0;
        if (is_printed) {
            print_row(datasets, asked->path_count, row);
        }
        waiting = is_printed ? -1 : row;
        ++accepted;
    }
    if (waiting >= 0) {
        print_row(datasets, asked->path_count, waiting);
    }
}

/* All datasets have the rows of the first; the filter is one column of them. */
static bool has_equal_rows(const request *asked, const carom_dataset *datasets,
                           const carom_dataset *filter) {
    for (int i = 1; i < asked->path_count; ++i) {
        if (datasets[i].rows != datasets[0].rows) {
            tool_fail(name, "%s has %d rows, %s has %d", asked->paths[0], datasets[0].rows,
                      asked->paths[i], datasets[i].rows);
            return false;
        }
    }
    if (filter != NULL && (filter->rows != datasets[0].rows || filter->rank == 2)) {
        tool_fail(name, "%s is not one column of %d rows", asked->where, datasets[0].rows);
        return false;
    }
    return true;
}

/* Read everything, then print: a failure prints no partial table. */
static int run(const request *asked, carom_reader *reader, carom_dataset *datasets) {
    for (int i = 0; i < asked->path_count; ++i) {
        if (!load(reader, asked->file, asked->paths[i], &datasets[i])) {
            return EXIT_FAILURE;
        }
    }
    carom_dataset *filter = NULL;
    if (asked->where != NULL) {
        filter = &datasets[asked->path_count];
        if (!load(reader, asked->file, asked->where, filter)) {
            return EXIT_FAILURE;
        }
    }
    if (!has_equal_rows(asked, datasets, filter)) {
        return EXIT_FAILURE;
    }
    if (asked->has_header) {
        print_header(asked, datasets);
    }
    print_rows(asked, datasets, filter);
    return tool_finish(name, EXIT_SUCCESS);
}

/* One data set of the list: path, shape and unit, and what it is. */
static herr_t list_dataset(hid_t root, const char *path, const H5O_info_t *info, void *context) {
    if (info->type != H5O_TYPE_DATASET) {
        return 0;
    }
    hsize_t extent[H5S_MAX_RANK];
    const hid_t dataset = H5Dopen2(root, path, H5P_DEFAULT);
    const hid_t space = H5Dget_space(dataset);
    const int rank = H5Sget_simple_extent_dims(space, extent, NULL);
    H5Sclose(space);
    H5Dclose(dataset);
    printf("/%s", path);
    for (int axis = 0; axis < rank; ++axis) {
        printf("%s%llu%s", axis == 0 ? " [" : ",", (unsigned long long)extent[axis],
               axis + 1 == rank ? "]" : "");
    }
    char attribute[LINE_SIZE];
    char text[LINE_SIZE];
    snprintf(attribute, sizeof attribute, "/%s@units", path);
    if (carom_reader_text(context, attribute, LINE_SIZE, text) == CAROM_OK && text[0] != '\0') {
        printf(" %s", text);
    }
    snprintf(attribute, sizeof attribute, "/%s@long_name", path);
    if (carom_reader_text(context, attribute, LINE_SIZE, text) == CAROM_OK) {
        putchar('\n');
        carom_words_print(4, text);
    } else {
        putchar('\n');
    }
    return 0;
}

/* All data sets of the record, in the order of their names. */
static int list(const request *asked, carom_reader *reader) {
    const hid_t file = H5Fopen(asked->file, H5F_ACC_RDONLY, H5P_DEFAULT);
    const herr_t visited =
        H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, list_dataset, reader, H5O_INFO_BASIC);
    H5Fclose(file);
    return visited < 0 ? tool_fail(name, "%s cannot be read", asked->file)
                       : tool_finish(name, EXIT_SUCCESS);
}

/* Evaluate what was asked for and print it. */
static int print(const request *asked, carom_reader *reader) {
    carom_dataset *datasets = calloc((size_t)asked->path_count + 1, sizeof *datasets);
    if (datasets == NULL) {
        return tool_fail(name, "out of memory");
    }
    int code = run(asked, reader, datasets);
    if (code != EXIT_SUCCESS && asked->allows_missing) {
        for (int i = 0; i < asked->path_count; ++i) {
            fputs(i + 1 < asked->path_count ? "nan\t" : "nan\n", stdout);
        }
        code = tool_finish(name, EXIT_SUCCESS);
    }
    for (int i = 0; i <= asked->path_count; ++i) {
        carom_dataset_clear(&datasets[i]);
    }
    free(datasets);
    return code;
}

int main(int argc, char **argv) {
    if (tool_answered(argc, argv, name, usage)) {
        return tool_finish(name, EXIT_SUCCESS);
    }
    request asked = {.every = 1};
    if (!parse_arguments(argc, argv, &asked)) {
        return EXIT_FAILURE;
    }
    carom_reader *reader = NULL;
    const carom_status status = carom_reader_open(asked.file, &reader);
    if (status != CAROM_OK) {
        return tool_fail(name, "%s: %s", asked.file,
                         status == CAROM_STATUS_BAD_FORMAT ? "this is not an HDF5 file"
                                                           : carom_status_sentence(status));
    }
    asked.has_header = asked.has_header || isatty(STDOUT_FILENO) == 1;
    const int code = asked.path_count == 0 ? list(&asked, reader) : print(&asked, reader);
    carom_reader_close(reader);
    return code;
}
