/** The numbers of a section of the document: one LaTeX macro each, from the records. */
#include "tool.h"

#include <carom/record/expression.h>
#include <carom/record/text.h>

static const char name[] = "numbers";

static const char usage[] =
    "Usage: numbers --section FILE.tex --record FILE.h5 --output OUT.tex\n"
    "\n"
    "Write one \\newcommand for every comment line of the section of the form\n"
    "  % number \\MacroName EXPRESSION FORMAT UNIT\n"
    "\n"
    "  \\MacroName  letters only\n"
    "  EXPRESSION  one number of the record: /group/x, /group/x[3], /group/x[-1,2];\n"
    "              max(abs(/group/x)) / $mass; other_name:/group/x for another record of the\n"
    "              same folder (docs/expressions.md)\n"
    "  FORMAT      %.Nf, %.Ne or %.Ng\n"
    "  UNIT        as siunitx takes it (\\metre\\per\\second), 1 if dimensionless\n"
    "\n"
    "The output is replaced only if its content changes.\n";

/* Longest word of a declaration, with its terminating zero. */
#define WORD_SIZE 256

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/* The words that siunitx knows and our units are made of; \\tothe takes a power in braces. */
static const char *const unit_words[] = {"metre",  "kilogram", "gram",    "second", "newton",
                                         "joule",  "watt",     "pascal",  "hertz",  "radian",
                                         "degree", "percent",  "milli",   "centi",  "kilo",
                                         "per",    "square",   "squared", "cubic",  "cubed"};
static const char power_word[] = "tothe{";

/* What records, options and tables call dimensionless. */
static const char dimensionless[] = "1";

/* Command line, borrowed. */
typedef struct request {
    const char *section;
    const char *record;
    const char *output;
} request;

/* One declaration. */
typedef struct declaration {
    char macro[WORD_SIZE]; /* with its backslash */
    char expression[WORD_SIZE];
    char format[WORD_SIZE];
    char unit[WORD_SIZE];
} declaration;

/* The parts of a declaration between blanks; the second takes what the others leave. False if one
 * is missing or too long. */
static bool take_words(const char *line, declaration *out) {
    static const char blanks[] = " \t\r";
    char *const words[] = {out->macro, out->expression, out->format, out->unit};
    enum { WORD_COUNT = sizeof words / sizeof words[0] };
    const char *start[WORD_COUNT];
    const char *end[WORD_COUNT];
    const char *left = line + strspn(line, blanks);
    const char *right = line + strlen(line);

    // The first word from the left, the last two from the right.
    start[0] = left;
    end[0] = left + strcspn(left, blanks);
    left = end[0];
    for (int i = WORD_COUNT - 1; i >= 1; --i) {
        while (right > left && strchr(blanks, right[-1]) != NULL) {
            --right;
        }
        end[i] = right;
        while (i > 1 && right > left && strchr(blanks, right[-1]) == NULL) {
            --right;
        }
        start[i] = i > 1 ? right : left + strspn(left, blanks);
    }
    for (int i = 0; i < WORD_COUNT; ++i) {
        if (end[i] <= start[i] || end[i] - start[i] >= WORD_SIZE) {
            return false;
        }
        memcpy(words[i], start[i], (size_t)(end[i] - start[i]));
        words[i][end[i] - start[i]] = '\0';
    }
    return true;
}

/* The rest of a comment line whose first word is "number"; NULL for any other line. */
static const char *declaration_of(const char *line) {
    line += strspn(line, " \t");
    if (*line != '%') {
        return NULL;
    }
    line += strspn(line, "% \t");
    const size_t length = strlen("number");
    const bool is_declaration =
        strncmp(line, "number", length) == 0 && (line[length] == ' ' || line[length] == '\t');
    return is_declaration ? line + length : NULL;
}

/* Bytes of the word with which a unit goes on, its backslash included; 0 if LaTeX would refuse it.
 */
static size_t unit_word_size(const char *unit) {
    if (unit[0] != '\\') {
        return 0;
    }
    if (strncmp(unit + 1, power_word, strlen(power_word)) == 0) {
        const char *power = unit + 1 + strlen(power_word);
        const size_t length = strspn(power, "0123456789.-");
        return length > 0 && power[length] == '}' ? (size_t)(power - unit) + length + 1 : 0;
    }
    const size_t length = strspn(unit + 1, letters);
    for (size_t i = 0; i < sizeof unit_words / sizeof unit_words[0]; ++i) {
        if (strlen(unit_words[i]) == length && strncmp(unit + 1, unit_words[i], length) == 0) {
            return length + 1;
        }
    }
    return 0;
}

/* Whether the document can typeset a unit. */
static bool is_unit(const char *unit) {
    if (strcmp(unit, dimensionless) == 0) {
        return true;
    }
    size_t size = 0;
    do {
        size = unit_word_size(unit);
        unit += size;
    } while (size > 0 && *unit != '\0');
    return size > 0;
}

/* The parts of a declaration; what is wrong with it, or NULL. */
static const char *parse_declaration(const char *line, declaration *out) {
    if (!take_words(line, out)) {
        return "a number is \\MacroName EXPRESSION FORMAT UNIT";
    }
    const size_t letter_count = out->macro[0] == '\\' ? strspn(out->macro + 1, letters) : 0;
    if (letter_count == 0 || out->macro[1 + letter_count] != '\0') {
        return "the name of a macro is a backslash and letters";
    }
    if (!is_unit(out->unit)) {
        return "a unit is a siunitx unit such as \\metre\\per\\second, or 1";
    }
    return NULL;
}

/* Whether the text written so far defines that macro. */
static bool is_defined(const carom_text_buffer *text, const char *macro) {
    char definition[WORD_SIZE + 32];
    snprintf(definition, sizeof definition, "\\newcommand{%s}", macro);
    return text->text != NULL && strstr(text->text, definition) != NULL;
}

/* One macro; what went wrong, or NULL. */
static const char *write_macro(const carom_expression_scope *scope, const declaration *number,
                               carom_text_buffer *out, carom_report *report) {
    if (is_defined(out, number->macro)) {
        return "this macro is defined twice";
    }
    carom_expression_result ours;
    carom_status status = carom_expression_number(number->expression, scope, &ours, report);
    if (status != CAROM_OK) {
        return report->sentence;
    }
    char text[CAROM_LATEX_NUMBER_SIZE];
    status = carom_latex_number(number->format, ours.number, text);
    if (status != CAROM_OK) {
        return status == CAROM_STATUS_NOT_FINITE ? "the number is not finite"
                                                 : "a format is %.Nf, %.Ne or %.Ng";
    }
    if (strcmp(number->unit, dimensionless) == 0) {
        carom_text_buffer_print(out, "\\newcommand{%s}{\\num{%s}}\n", number->macro, text);
    } else {
        carom_text_buffer_print(out, "\\newcommand{%s}{\\qty{%s}{%s}}\n", number->macro, text,
                                number->unit);
    }
    return NULL;
}

/* All declarations of the section, line by line; the text is cut at its line ends. */
static int write_macros(const request *asked, char *text, const carom_expression_scope *scope,
                        carom_text_buffer *out) {
    carom_report report = carom_report_empty();
    int line_number = 0;
    for (char *line = text; line != NULL;) {
        char *end = strchr(line, '\n');
        if (end != NULL) {
            *end = '\0';
        }
        ++line_number;
        const char *words = declaration_of(line);
        if (words != NULL) {
            declaration number = {{0}, {0}, {0}, {0}};
            const char *defect = parse_declaration(words, &number);
            if (defect == NULL) {
                defect = write_macro(scope, &number, out, &report);
            }
            if (defect != NULL) {
                return tool_fail(name, "%s:%d: %s%s%s", asked->section, line_number, number.macro,
                                 number.macro[0] == '\0' ? "" : ": ", defect);
            }
        }
        line = end == NULL ? NULL : end + 1;
    }
    return EXIT_SUCCESS;
}

/* Folder and name of the record: "results/x.h5" is x in results. */
static bool split_record(const char *path, carom_text_buffer *folder, carom_text_buffer *stem) {
    const char *base = tool_base_name(path);
    const size_t length = strlen(base);
    if (length < 4 || strcmp(base + length - 3, ".h5") != 0) {
        return false;
    }
    const size_t folder_length = (size_t)(base - path);
    if (folder_length == 0) {
        carom_text_buffer_print(folder, ".");
    } else {
        carom_text_buffer_add(folder, path, folder_length);
    }
    carom_text_buffer_add(stem, base, length - 3);
    return folder->failure == CAROM_OK && stem->failure == CAROM_OK;
}

/* Read the section, resolve every number, write the file. */
static int run(const request *asked) {
    carom_text_buffer section = {0};
    carom_text_buffer folder = {0};
    carom_text_buffer stem = {0};
    carom_text_buffer out = {0};
    carom_record_set *records = NULL;
    int code = EXIT_FAILURE;

    carom_status status =
        carom_text_buffer_load(&section, asked->section, CAROM_TEXT_FILE_MOST_BYTES);
    if (status != CAROM_OK) {
        tool_fail(name, "%s: %s", asked->section, carom_status_sentence(status));
        goto cleanup;
    }
    if (!split_record(asked->record, &folder, &stem)) {
        tool_fail(name, "%s: the name of a record ends in .h5", asked->record);
        goto cleanup;
    }
    status = carom_record_set_alloc(folder.text, &records);
    if (status != CAROM_OK) {
        tool_fail(name, "%s", carom_status_sentence(status));
        goto cleanup;
    }

    carom_text_buffer_print(&out, "%% Numbers of %s, made from the records: do not edit.\n",
                            tool_base_name(asked->section));
    carom_record_choice choice = {records, stem.text};
    const carom_expression_scope scope = {.read = carom_record_set_read, .context = &choice};
    code = write_macros(asked, section.text, &scope, &out);
    if (code == EXIT_SUCCESS) {
        status = carom_text_buffer_save(&out, asked->output, NULL);
        if (status != CAROM_OK) {
            code = tool_fail(name, "%s: %s", asked->output, carom_status_sentence(status));
        }
    }

cleanup:
    carom_record_set_free(records);
    carom_text_buffer_clear(&out);
    carom_text_buffer_clear(&stem);
    carom_text_buffer_clear(&folder);
    carom_text_buffer_clear(&section);
    return code;
}

int main(int argc, char **argv) {
    if (tool_answered(argc, argv, name, usage)) {
        return tool_finish(name, EXIT_SUCCESS);
    }
    request asked = {NULL, NULL, NULL};
    const struct {
        const char *option;
        const char **target;
    } options[] = {
        {"--section", &asked.section}, {"--record", &asked.record}, {"--output", &asked.output}};
    for (int i = 1; i < argc; i += 2) {
        const char **target = NULL;
        for (size_t k = 0; k < sizeof options / sizeof options[0]; ++k) {
            target = strcmp(argv[i], options[k].option) == 0 ? options[k].target : target;
        }
        if (target == NULL || i + 1 == argc) {
            return tool_fail(name, "%s is unknown or lacks its value (see --help)", argv[i]);
        }
        *target = argv[i + 1];
    }
    if (asked.section == NULL || asked.record == NULL || asked.output == NULL) {
        return tool_fail(name, "--section, --record and --output are needed (see --help)");
    }
    return run(&asked);
}
