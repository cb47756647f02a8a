#include <carom/base/base.h>
#include <carom/program/internal.h>
#include <carom/record/text.h>

#include <errno.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------- files */

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

/** Read a set file and assign its lines in order; false after one sentence on stderr. */
static bool option_read_file(const carom_option_parser *parser, const char *path) {
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

/* ----------------------------------------------------------------------------- the command line */

/** Longest name told apart; a longer one is unknown anyway. */
#define NAME_SIZE 128

/** Defaults of the common options: seed 1, all cores, NAME.h5 in the folder of the run. */
static bool set_common_defaults(const carom_program *program, carom_common_options *common) {
    *common = (carom_common_options){.seed = 1, .program = program->name, .steps = {.every = 1}};
    const size_t size = strlen(program->name) + sizeof ".h5";
    char *path = carom_options_keep(common, size);
    if (path == NULL) {
        fprintf(stderr, "%s: out of memory\n", program->name);
        return false;
    }
    snprintf(path, size, "%s.h5", program->name);
    common->output = path;
    return true;
}

/** Whether a flag stands anywhere on the command line; no value can look like one. */
static bool has_flag(int argc, char **argv, const char *flag) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], flag) == 0) {
            return true;
        }
    }
    return false;
}

/** One `--name[=value]` of the command line, with the value that may follow it. */
typedef struct argument {
    char name[NAME_SIZE]; /**< without dashes */
    const char *value;    /**< NULL: none was given */
    bool is_attached;     /**< the value came with `=` */
} argument;

/** Split argv[i], which begins with two dashes; a following text with two dashes is no value. */
static argument split_argument(int argc, char **argv, int i) {
    argument found = {.value = NULL};
    const char *text = argv[i] + 2;
    const char *equals = strchr(text, '=');
    const size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
    const size_t kept = length < NAME_SIZE ? length : NAME_SIZE - 1;
    memcpy(found.name, text, kept);
    found.name[kept] = '\0';
    if (equals != NULL) {
        found.value = equals + 1;
        found.is_attached = true;
    } else if (i + 1 < argc && strncmp(argv[i + 1], "--", 2) != 0) {
        found.value = argv[i + 1];
    }
    return found;
}

/** Refuse an argument that cannot be an option. */
static bool refuse_argument(const carom_option_parser *parser, const char *text) {
    const bool looks_like_option = text[0] == '-';
    fprintf(stderr, "%s: %s ", parser->program->name,
            looks_like_option ? "unknown option" : "unexpected argument");
    carom_options_print_text(stderr, text, !looks_like_option);
    fputs(" (see --help)\n", stderr);
    return false;
}

/** Read the set files in their order, before anything else, so that the command line wins. */
static bool read_set_files(const carom_option_parser *parser, int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) != 0) {
            continue;
        }
        const argument found = split_argument(argc, argv, i);
        if (strcmp(found.name, "set") != 0) {
            continue;
        }
        if (found.value == NULL || found.value[0] == '\0') {
            fprintf(stderr, "%s: --set needs a value\n", parser->program->name);
            return false;
        }
        if (!option_read_file(parser, found.value)) {
            return false;
        }
    }
    return true;
}

/** What a flag sets: the member of a row, or a common one; NULL if it is no flag. Only --help and
 * --version with a value are still to be met here, and these set nothing that matters. */
static bool *flag_of(const carom_option_parser *parser, const char *name) {
    void *target = NULL;
    const carom_option *option = carom_option_find(parser, name, &target);
    if (option != NULL) {
        return option->kind == CAROM_OPTION_FLAG ? target : NULL;
    }
    const bool is_common =
        strcmp(name, "quiet") == 0 || strcmp(name, "help") == 0 || strcmp(name, "version") == 0;
    return is_common ? &parser->common->is_quiet : NULL;
}

/** Apply the command line from left to right. */
static bool apply_arguments(const carom_option_parser *parser, int argc, char **argv) {
    const carom_option_place command_line = {.file = NULL};
    const char *operand = parser->program->operand;
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) != 0) {
            if (operand == NULL || argv[i][0] == '-') {
                return refuse_argument(parser, argv[i]);
            }
            if (!carom_option_assign(parser, command_line, operand, argv[i])) {
                return false;
            }
            operand = NULL;
            continue;
        }
        const argument found = split_argument(argc, argv, i);
        bool *flag = flag_of(parser, found.name);
        if (flag != NULL && found.is_attached) {
            fprintf(stderr, "%s: --%s takes no value\n", parser->program->name, found.name);
            return false;
        }
        if (flag != NULL) {
            *flag = true;
            continue;
        }
        // The set files have been read; every other name is assigned.
        if (strcmp(found.name, "set") != 0 &&
            !carom_option_assign(parser, command_line, found.name, found.value)) {
            return false;
        }
        i += found.is_attached ? 0 : 1;
    }
    return true;
}

/** Arguments before the command, argv[0] included: all, if the program takes none or there is none.
 */
static int own_count(const carom_program *program, int argc, char **argv) {
    int count = 1;
    while (count < argc && (program->command == NULL || strcmp(argv[count], "--") != 0)) {
        count++;
    }
    return count < argc ? count : argc;
}

/** Assign the words behind `--`. */
static bool apply_command(const carom_option_parser *parser, int argc, char **argv, int own) {
    const carom_option_place command_line = {.file = NULL};
    for (int i = own + 1; i < argc; i++) {
        if (!carom_option_assign(parser, command_line, parser->program->command, argv[i])) {
            return false;
        }
    }
    return true;
}

/** A number whose range cannot be read is the programmer's error. */
static void assert_ranges(const carom_option_table *options) {
    const carom_option *option = NULL;
    size_t offset = 0;
    for (int i = 0; (option = carom_option_at(options, i, &offset)) != NULL; i++) {
        const bool is_number = option->kind == CAROM_OPTION_REAL ||
                               option->kind == CAROM_OPTION_INTEGER ||
                               option->kind == CAROM_OPTION_REAL_LIST;
        CAROM_ASSERT(!is_number || carom_option_is_range(option->range));
    }
}

carom_parse_result carom_options_parse(const carom_program *program, int argc, char **argv,
                                       void *settings, carom_common_options *common) {
    CAROM_ASSERT(settings != NULL || program->options.count == 0);
    assert_ranges(&program->options);
    // Its values are set by the next statement.
    // cppcheck-suppress ctuuninitvar
    const carom_option_parser parser = {program, settings, common};
    if (!set_common_defaults(program, common)) {
        return CAROM_PARSE_REFUSED;
    }
    const int own = own_count(program, argc, argv);
    if (has_flag(own, argv, "--help")) {
        if (!carom_option_print_help(&parser)) {
            fprintf(stderr, "%s: out of memory\n", program->name);
            return CAROM_PARSE_REFUSED;
        }
        return CAROM_PARSE_DONE;
    }
    if (has_flag(own, argv, "--version")) {
        printf("%s (carom) %s\n", program->name, CAROM_VERSION);
        return CAROM_PARSE_DONE;
    }
    void *defaults = NULL;
    carom_option_departure *departure = carom_options_keep(common, sizeof *departure);
    if (departure == NULL || !carom_option_departures_begin(&parser, &defaults)) {
        fprintf(stderr, "%s: out of memory\n", program->name);
        return CAROM_PARSE_REFUSED;
    }
    if (!read_set_files(&parser, own, argv) || !apply_arguments(&parser, own, argv) ||
        !apply_command(&parser, argc, argv, own)) {
        return CAROM_PARSE_REFUSED;
    }
    const bool are_both_steps = common->steps.are_events && common->steps.every > 1;
    // Problems are written as they come, and what was kept would bring none.
    if (are_both_steps || (common->problem_folder != NULL && common->checkpoint != NULL)) {
        fprintf(stderr, "%s: %s exclude each other\n", program->name,
                are_both_steps ? "--record-events and --record-every"
                               : "--dump-problems and --checkpoint");
        return CAROM_PARSE_REFUSED;
    }
    *departure = carom_option_departures_end(&parser, defaults);
    common->departure = departure;
    return CAROM_PARSE_RUN;
}
