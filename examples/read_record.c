/* Reading a record: what the example sweep wrote, or another file given on the command line that
 * has its data sets. Prints its title, the table of heights, and numbers by expressions over the
 * record (docs/expressions.md), with units. */
#include <carom/carom.h>
#include <stdio.h>

static carom_status print(carom_reader *reader) {
    char title[128];
    CAROM_TRY(carom_reader_text(reader, "/@title", sizeof title, title));
    printf("%s\n", title);

    CAROM_AUTO_VALUE(carom_dataset) restitution = {0, 0, 0, NULL, ""};
    CAROM_AUTO_VALUE(carom_dataset) height = {0, 0, 0, NULL, ""};
    CAROM_TRY(carom_reader_dataset(reader, "/restitution", &restitution));
    CAROM_TRY(carom_reader_dataset(reader, "/height", &height));
    for (int i = 0; i < height.rows; i++) {
        printf("e = %.1f: %.4f %s\n", restitution.values[i], height.values[i], height.units);
    }

    double lowest, fall;
    CAROM_TRY(carom_reader_number(reader, "min(/height)", &lowest));
    CAROM_TRY(carom_reader_number(reader, "/height[-1] / /restitution[-1]^2", &fall));
    printf("lowest %.4f m, fallen from %.3f m\n", lowest, fall);
    return CAROM_OK;
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "sweep.h5";
    carom_reader *reader = NULL;
    carom_status status = carom_reader_open(path, &reader);
    if (status == CAROM_OK) {
        status = print(reader);
    }
    carom_reader_close(reader);
    if (status != CAROM_OK) {
        fprintf(stderr, "%s: ", path);
        carom_report_print(stderr, status, NULL);
    }
    return status != CAROM_OK;
}
