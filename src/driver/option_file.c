#include "option_parser.h"

#include <string.h>

/** Largest set file: a page of parameters is a few kB, so anything larger is the wrong file. */
#define SET_FILE_BYTES_MAX 65536

/** Blanks of a line, the carriage return of other systems included. */
#define BLANKS " \t\r\v\f"

/** Refuse a whole file. */
static bool refuse_file(const carom_option_parser *parser, const char *path, const char *reason) {
    fprintf(stderr, "%s: --set %s: %s\n", parser->program->name, path, reason);
    return false;
}

/** Cut a comment: `#` at the start of the line or after a blank. */
static void cut_comment(char *line) {
    for (char *letter = line; *letter != '\0'; letter++) {
        const bool follows_blank = letter == line || strchr(BLANKS, letter[-1]) != NULL;
        if (*letter == '#' && follows_blank) {
            *letter = '\0';
            return;
        }
    }
}

/** The text without blanks at both ends, cut in place. */
static char *trim(char *text) {
    text += strspn(text, BLANKS);
    size_t length = strlen(text);
    while (length > 0 && strchr(BLANKS, text[length - 1]) != NULL) {
        length--;
    }
    text[length] = '\0';
    return text;
}

/** Assign one line `name = value`; empty lines and comments pass. */
static bool assign_line(const carom_option_parser *parser, carom_option_place place, char *line) {
    cut_comment(line);
    char *content = trim(line);
    if (content[0] == '\0') {
        return true;
    }
    char *equals = strchr(content, '=');
    if (equals == NULL || equals == content) {
        fprintf(stderr, "%s: %s:%d: expected \"name = value\", got ", parser->program->name,
                place.file, place.line);
        carom_options_print_text(stderr, content, true);
        fputc('\n', stderr);
        return false;
    }
    *equals = '\0';
    return carom_option_assign(parser, place, trim(content), trim(equals + 1));
}

bool carom_option_read_file(const carom_option_parser *parser, const char *path) {
    // Read it whole; the values borrow from this memory.
    char *text = carom_options_keep(parser->common, SET_FILE_BYTES_MAX + 2);
    if (text == NULL) {
        return refuse_file(parser, path, "out of memory");
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return refuse_file(parser, path, "cannot be read");
    }
    const size_t length = fread(text, 1, SET_FILE_BYTES_MAX + 1, file);
    const bool is_read = ferror(file) == 0;
    fclose(file);
    if (!is_read) {
        return refuse_file(parser, path, "cannot be read");
    }
    if (length > SET_FILE_BYTES_MAX) {
        return refuse_file(parser, path, "is too large for a set file");
    }
    if (memchr(text, '\0', length) != NULL) {
        return refuse_file(parser, path, "is not a text file");
    }
    text[length] = '\0';

    // Line by line, in order, so that a later one wins.
    carom_option_place place = {.file = path, .line = 1};
    for (char *line = text; line != NULL; place.line++) {
        char *end = strchr(line, '\n');
        if (end != NULL) {
            *end = '\0';
        }
        if (!assign_line(parser, place, line)) {
            return false;
        }
        line = end != NULL ? end + 1 : NULL;
    }
    return true;
}
