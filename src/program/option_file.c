#include <carom/program/internal.h>

#include <carom/record/text_buffer.h>
#include <errno.h>
#include <string.h>

/** Largest set file: a page of parameters is a few kB, so anything larger is the wrong file. */
#define SET_FILE_BYTES_MAX 65536

/** Room for why a file cannot be read. */
#define CAUSE_SIZE 128

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

/** Load a set file into memory that the values may borrow; NULL after one sentence on stderr. */
static char *load(const carom_option_parser *parser, const char *path) {
    carom_text_buffer buffer = {0};
    const char *reason = NULL;
    char cause[CAUSE_SIZE];
    char *text = NULL;
    switch (carom_text_buffer_load(&buffer, path, SET_FILE_BYTES_MAX)) {
    case CAROM_OK:
        text = carom_options_keep(parser->common, buffer.length + 1);
        reason = text == NULL ? "out of memory" : NULL;
        break;
    case CAROM_STATUS_IO:
        snprintf(cause, sizeof cause, "cannot be read: %s", strerror(errno));
        reason = cause;
        break;
    case CAROM_STATUS_OUT_OF_RANGE:
        reason = "is too large for a set file";
        break;
    default:
        reason = "out of memory";
        break;
    }
    const size_t length = buffer.length;
    if (reason == NULL && length > 0 && memchr(buffer.text, '\0', length) != NULL) {
        reason = "is not a text file";
    }
    if (reason == NULL) {
        memcpy(text, length > 0 ? buffer.text : "", length + 1);
    }
    carom_text_buffer_clear(&buffer);
    return reason == NULL || refuse_file(parser, path, reason) ? text : NULL;
}

bool carom_option_read_file(const carom_option_parser *parser, const char *path) {
    char *text = load(parser, path);
    if (text == NULL) {
        return false;
    }

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
