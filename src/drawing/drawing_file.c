#include <carom/drawing/drawing.h>

#include <errno.h>
#include <string.h>

/** Open a record, with a sentence for what cannot be. */
static carom_status open_record(const char *path, carom_reader **reader, carom_report *report) {
    errno = 0;
    const carom_status status = carom_reader_open(path, reader);
    if (status == CAROM_STATUS_IO) {
        return carom_report_say(report, status, "%.120s cannot be read: %s", path, strerror(errno));
    }
    if (status == CAROM_STATUS_BAD_FORMAT) {
        return carom_report_say(report, status, "%.120s is not an HDF5 file", path);
    }
    return status;
}

/** Say that a drawing cannot be written, which errno explains. */
static carom_status refuse_place(const char *output, carom_report *report) {
    return carom_report_say(report, CAROM_STATUS_IO, "%.120s cannot be written: %s", output,
                            strerror(errno));
}

carom_status carom_drawing_check_place(const char *output, carom_report *report) {
    CAROM_ASSERT(output != NULL);
    errno = 0;
    carom_work_file *file = NULL;
    const carom_status status = carom_work_file_open(output, &file);
    if (status == CAROM_STATUS_IO) {
        return refuse_place(output, report);
    }
    carom_work_file_discard(file);
    return status;
}

carom_status carom_drawing_write(const char *record, const char *group,
                                 const carom_drawing_params *params, const char *output,
                                 carom_report *report) {
    CAROM_ASSERT(record != NULL && output != NULL);
    CAROM_TRY(carom_drawing_check_place(output, report));
    carom_reader *reader = NULL;
    CAROM_AUTO(carom_drawing) drawing = NULL;
    CAROM_TRY(open_record(record, &reader, report));
    const carom_status status = carom_drawing_read(reader, group, &drawing, report);
    carom_reader_close(reader);
    CAROM_TRY(status);
    if (params != NULL) {
        CAROM_TRY(carom_drawing_look(drawing, params->view, report));
    }
    CAROM_AUTO_VALUE(carom_text_buffer) svg = {0};
    CAROM_TRY(params == NULL || params->is_still
                  ? carom_drawing_plot(drawing, &svg)
                  : carom_drawing_animate(drawing, params, &svg, report));
    errno = 0;
    const carom_status written = carom_text_buffer_save(&svg, output, NULL);
    return written == CAROM_STATUS_IO ? refuse_place(output, report) : written;
}
