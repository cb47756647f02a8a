/** A motion in a record, drawn from it alone: an SVG that plays in a browser, or a still one. */
#include "tool.h"

#include <carom/drawing/drawing.h>
#include <errno.h>
#include <math.h>

static const char name[] = "animate";

static const char usage[] =
    "Usage: animate [OPTION]... RECORD\n"
    "\n"
    "A motion in a record as a picture that plays.\n"
    "\n"
    "It is drawn with the outlines of its bodies from the record alone (docs/scene.md), as an SVG\n"
    "that a browser plays again and again, without script.\n"
    "\n"
    "  RECORD             an HDF5 file, of simulate or of an experiment\n"
    "  --group PATH       of the motion; default: the first that has poses\n"
    "  --output FILE      default: the name of the record with .svg, where the program is run\n"
    "  --plot             start, end, ways and impacts, still\n"
    "  --play-duration S  s, without what impacts add; default: that of the motion, between 4\n"
    "                     and 20 s\n"
    "  --slow-impacts F   times that it is slower about impacts, from 1 to 1e6; default: 1\n"
    "  --accuracy PX      how far a point may be from where the record has it, in pixels, from\n"
    "                     0.1 to 100; default: 0.5\n"
    "  --view X,Y,Z       from where a motion in space is seen; default: 2,-3,1.5\n"
    "  --help, --version  say this, or the version, and end\n";

/* What was asked for; texts are borrowed from the command line. */
typedef struct request {
    const char *record;
    const char *group;
    const char *output;
    const char *view;
    carom_drawing_params params;
} request;

/* A number of an option. */
static bool parse_number(const char *option, const char *text, double *value) {
    char *end = NULL;
    errno = 0;
    *value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(*value)) {
        tool_fail(name, "%s takes a number", option);
        return false;
    }
    return true;
}

/* An option with its value. */
static bool parse_option(const char *option, const char *value, request *asked) {
    const struct {
        const char *name;
        const char **text;
        double *number;
    } options[] = {
        {"--group", &asked->group, NULL},
        {"--output", &asked->output, NULL},
        {"--view", &asked->view, NULL},
        {"--play-duration", NULL, &asked->params.play_duration},
        {"--slow-impacts", NULL, &asked->params.slow_impacts},
        {"--accuracy", NULL, &asked->params.accuracy},
    };
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        if (strcmp(option, options[k].name) != 0) {
            continue;
        }
        if (value == NULL) {
            tool_fail(name, "%s takes a value", option);
            return false;
        }
        if (options[k].number != NULL) {
            return parse_number(option, value, options[k].number);
        }
        *options[k].text = value;
        return true;
    }
    tool_fail(name, "unknown option %s (see --help)", option);
    return false;
}

static bool parse_arguments(int argc, char **argv, request *asked) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--plot") == 0) {
            asked->params.is_still = true;
        } else if (strncmp(argv[i], "--", 2) == 0) {
            if (!parse_option(argv[i], i + 1 < argc ? argv[i + 1] : NULL, asked)) {
                return false;
            }
            i++;
        } else if (asked->record != NULL) {
            tool_fail(name, "one record at a time: %s or %s", asked->record, argv[i]);
            return false;
        } else {
            asked->record = argv[i];
        }
    }
    if (asked->record == NULL) {
        tool_fail(name, "a record is missing: animate RECORD (see --help)");
        return false;
    }
    return true;
}

/* The name of a record with another ending. */
static char *default_output(const char *record) {
    const char *base = tool_base_name(record);
    const char *dot = strrchr(base, '.');
    const size_t length = dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base);
    const size_t size = length + sizeof ".svg";
    char *output = malloc(size);
    if (output != NULL) {
        snprintf(output, size, "%.*s.svg", (int)length, base);
    }
    return output;
}

int main(int argc, char **argv) {
    if (tool_answered(argc, argv, name, usage)) {
        return tool_finish(name, EXIT_SUCCESS);
    }
    request asked = {.params = carom_drawing_params_default()};
    if (!parse_arguments(argc, argv, &asked)) {
        return 2;
    }
    if (asked.view != NULL && !carom_drawing_parse_view(asked.view, asked.params.view)) {
        tool_fail(name, "--view takes a direction X,Y,Z");
        return 2;
    }
    char *output = asked.output == NULL ? default_output(asked.record) : NULL;
    if (asked.output == NULL && output == NULL) {
        return tool_fail(name, "out of memory");
    }
    const char *file = asked.output != NULL ? asked.output : output;
    carom_report report = carom_report_empty();
    const carom_status status =
        carom_drawing_write(asked.record, asked.group, &asked.params, file, &report);
    if (status == CAROM_OK) {
        printf("%s: wrote %s\n", name, file);
    } else {
        fprintf(stderr, "%s: %s: ", name, tool_base_name(asked.record));
        carom_report_print(stderr, status, &report);
    }
    free(output);
    const bool is_ours = status == CAROM_STATUS_IO || status == CAROM_STATUS_OUT_OF_MEMORY;
    return status == CAROM_OK ? tool_finish(name, EXIT_SUCCESS) : is_ours ? EXIT_FAILURE : 2;
}
