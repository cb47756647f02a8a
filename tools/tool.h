/** What the tools share: one sentence for an error, one way to end. */
#ifndef CAROM_TOOLS_TOOL_H
#define CAROM_TOOLS_TOOL_H

#include <carom/base/base.h>
#include <carom/program/internal.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Print "TOOL: sentence" to stderr; returns EXIT_FAILURE so that a failure reads as one line. */
static inline int tool_fail(const char *tool, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", tool);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return EXIT_FAILURE;
}

/** Answer --help and --version as a first and only argument; false if neither was asked for. */
static inline bool tool_answered(int argc, char **argv, const char *tool, const char *usage) {
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        carom_help_print(usage);
        return true;
    }
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("%s (carom) %s\n", tool, CAROM_VERSION);
        return true;
    }
    return false;
}

/** Flush what was printed: a full disk or a closed pipe is a failure. */
static inline int tool_finish(const char *tool, int status) {
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        return tool_fail(tool, "the output cannot be written");
    }
    return status;
}

/** Name of a file without its folder. */
static inline const char *tool_base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

#endif
