#include <carom/study/internal.h>

#include <carom/program/internal.h>

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/** Blanks between entries, the carriage return of other systems included. */
#define BLANKS " \t\r\v\f"

/** Letters and digits of names, in ASCII whatever the locale is. */
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

#define DIGITS "0123456789"

/** The keywords, for the sentences that list them. */
#define KEYWORDS "mass, normal, tangential, friction, velocity, names"

/** Characters of an entry that are shown. */
enum { SHOWN_CHARACTERS = 40 };

/** An entry as it is shown in a sentence. */
typedef struct shown_text {
    char text[SHOWN_CHARACTERS + 4];
} shown_text;

const char *carom_problem_section_keyword(carom_problem_section section) {
    static const char *const keywords[CAROM_SECTION_COUNT] = {"mass",     "normal",   "tangential",
                                                              "friction", "velocity", "names"};
    return keywords[section];
}

/** Whether a section has one row a line, all of the same length. */
static bool is_matrix(int section) {
    return section <= CAROM_SECTION_TANGENTIAL;
}

carom_status carom_problem_sections_fail(const carom_problem_sections *self, const char *format,
                                         ...) {
    if (self->defect != NULL) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(self->defect, CAROM_PROBLEM_FILE_DEFECT_SIZE, format, arguments);
        va_end(arguments);
    }
    return CAROM_STATUS_BAD_FORMAT;
}

/** An entry on one line: control characters and bytes beyond ASCII as '?', cut where it gets long.
 */
static shown_text show(const char *text) {
    shown_text shown;
    size_t length = 0;
    for (; length < SHOWN_CHARACTERS && text[length] != '\0'; length++) {
        const char letter = text[length];
        shown.text[length] = letter;
        if (letter < ' ' || letter > '~') {
            shown.text[length] = '?';
        }
    }
    snprintf(shown.text + length, sizeof shown.text - length, "%s",
             text[length] != '\0' ? "..." : "");
    return shown;
}

/** The section of a keyword, -1 for another word. */
static int find_section(const char *word) {
    for (int i = 0; i < CAROM_SECTION_COUNT; i++) {
        if (strcmp(word, carom_problem_section_keyword((carom_problem_section)i)) == 0) {
            return i;
        }
    }
    return -1;
}

/** Cut the first entry off a line; NULL if there is none. Blanks, one comma and blanks end it. */
static char *next_entry(char **rest) {
    char *entry = *rest;
    if (entry[0] == '\0') {
        return NULL;
    }
    const size_t length = strcspn(entry, BLANKS ",");
    char *next = entry + length + strspn(entry + length, BLANKS);
    next += *next == ',' ? 1 : 0;
    next += strspn(next, BLANKS);
    entry[length] = '\0';
    *rest = next;
    return entry;
}

/** Begin a section. */
static carom_status begin_section(carom_problem_sections *self, int section, const char *rest) {
    carom_section_numbers *found = &self->section[section];
    const char *keyword = carom_problem_section_keyword((carom_problem_section)section);
    if (rest[0] != '\0') {
        return carom_problem_sections_fail(
            self, "line %d: \"%s\" must stand alone on its line, \"%s\" follows", self->line,
            keyword, show(rest).text);
    }
    if (found->keyword_line > 0) {
        return carom_problem_sections_fail(self,
                                           "line %d: second section %s, the first is in line "
                                           "%d",
                                           self->line, keyword, found->keyword_line);
    }
    found->keyword_line = self->line;
    found->values = self->values + self->count;
    found->lines = self->lines + self->count;
    self->current = section;
    return CAROM_OK;
}

/** Say that an entry is not what stands in its section. */
static carom_status fail_entry(const carom_problem_sections *self, int entry, const char *text,
                               const char *reason) {
    const carom_section_numbers *found = &self->section[self->current];
    const char *keyword = carom_problem_section_keyword((carom_problem_section)self->current);
    char place[48];
    if (is_matrix(self->current)) {
        snprintf(place, sizeof place, "row %d of %s, entry %d", found->rows + 1, keyword, entry);
    } else {
        snprintf(place, sizeof place, "%s, entry %d", keyword, found->count + 1);
    }
    const bool is_empty = text[0] == '\0';
    return carom_problem_sections_fail(self, "line %d: %s%s%s%s %s", self->line, place,
                                       is_empty ? "" : ", \"", show(text).text,
                                       is_empty ? "" : "\"", reason);
}

/** Keep one number. */
static carom_status add_number(carom_problem_sections *self, int entry, const char *text) {
    carom_section_numbers *found = &self->section[self->current];
    const char *defect = carom_number_defect(text, &self->values[self->count]);
    if (defect != NULL) {
        return fail_entry(self, entry, text, defect);
    }
    self->lines[self->count] = self->line;
    self->count++;
    found->count++;
    return CAROM_OK;
}

/** Keep one name. */
static carom_status add_name(carom_problem_sections *self, int entry, const char *text) {
    carom_section_numbers *found = &self->section[CAROM_SECTION_NAMES];
    const size_t length = strlen(text);
    if (strchr(LETTERS, text[0]) == NULL || strspn(text, LETTERS DIGITS "_") != length) {
        return fail_entry(self, entry, text, "is no name of letters, digits and _");
    }
    if (length >= CAROM_PROBLEM_FILE_NAME_SIZE) {
        return fail_entry(self, entry, text, "is too long for a name");
    }
    if (found->count >= CAROM_PROBLEM_FILE_MOST_CONTACTS) {
        return fail_entry(self, entry, text, "is one name too many");
    }
    for (int i = 0; i < found->count; i++) {
        if (strcmp(self->names[i], text) == 0) {
            return fail_entry(self, entry, text, "is the name of another contact");
        }
    }
    memcpy(self->names[found->count], text, length + 1);
    found->count++;
    return CAROM_OK;
}

/** Keep one entry of the current section. */
static carom_status add_entry(carom_problem_sections *self, int entry, const char *text) {
    if (text[0] == '\0') {
        return fail_entry(self, entry, text, "is empty");
    }
    return self->current == CAROM_SECTION_NAMES ? add_name(self, entry, text)
                                                : add_number(self, entry, text);
}

/** Whether a word can only be meant as a keyword: alone on its line and not like a number. */
static bool is_misspelt(const carom_problem_sections *self, const char *word, const char *rest) {
    double ignored;
    return self->current != CAROM_SECTION_NAMES && rest[0] == '\0' && word[0] != '\0' &&
           strchr(LETTERS, word[0]) != NULL &&
           carom_option_read_real(word, &ignored) == CAROM_NUMBER_MALFORMED;
}

/** A row has ended: all rows of a matrix are as long as its first. */
static carom_status end_row(carom_problem_sections *self, int entries) {
    carom_section_numbers *found = &self->section[self->current];
    found->columns = found->rows == 0 ? entries : found->columns;
    if (is_matrix(self->current) && entries != found->columns) {
        return carom_problem_sections_fail(
            self, "line %d: row %d of %s has %d number%s, %d expected", self->line, found->rows + 1,
            carom_problem_section_keyword((carom_problem_section)self->current), entries,
            entries == 1 ? "" : "s", found->columns);
    }
    found->rows++;
    return CAROM_OK;
}

/** Whether a text is two whole numbers joined by a comma, as others write 1.5. */
static bool has_decimal_comma(const char *text) {
    const size_t before = strspn(text, DIGITS);
    if (before == 0 || text[before] != ',') {
        return false;
    }
    const size_t after = strspn(text + before + 1, DIGITS);
    const char *rest = text + before + 1 + after;
    return after > 0 && rest[strspn(rest, BLANKS)] == '\0';
}

/** Read one line, cut in place. */
static carom_status read_line(carom_problem_sections *self, char *text) {
    text[strcspn(text, "#")] = '\0';
    char *rest = text + strspn(text, BLANKS);
    if (self->current == CAROM_SECTION_FRICTION && has_decimal_comma(rest)) {
        self->friction_comma_line = self->line;
    }
    char *entry = next_entry(&rest);
    if (entry == NULL) {
        return CAROM_OK;
    }
    const int section = find_section(entry);
    if (section >= 0) {
        return begin_section(self, section, rest);
    }
    if (is_misspelt(self, entry, rest)) {
        return carom_problem_sections_fail(self, "line %d: \"%s\" is no section; sections are %s",
                                           self->line, show(entry).text, KEYWORDS);
    }
    if (self->current < 0) {
        return carom_problem_sections_fail(
            self, "line %d: \"%s\" stands before any section; sections are %s", self->line,
            show(entry).text, KEYWORDS);
    }
    int entries = 0;
    for (; entry != NULL; entry = next_entry(&rest)) {
        CAROM_TRY(add_entry(self, ++entries, entry));
    }
    return end_row(self, entries);
}

/** Read all lines. */
static carom_status read_lines(carom_problem_sections *self) {
    self->line = 1;
    for (char *line = self->text; line != NULL; self->line++) {
        char *end = strchr(line, '\n');
        if (end != NULL) {
            *end = '\0';
        }
        CAROM_TRY(read_line(self, line));
        line = end != NULL ? end + 1 : NULL;
    }
    return CAROM_OK;
}

/** Memory for a text and all its numbers; false if there is none. */
static bool allocate(carom_problem_sections *self, const char *text, size_t length) {
    // A number and what separates it from the next take two characters at least.
    const size_t most_numbers = length / 2 + 1;
    self->text = malloc(length + 1);
    self->values = malloc(most_numbers * sizeof *self->values);
    self->lines = malloc(most_numbers * sizeof *self->lines);
    if (self->text == NULL || self->values == NULL || self->lines == NULL) {
        return false;
    }
    memcpy(self->text, text, length);
    self->text[length] = '\0';
    return true;
}

carom_status carom_problem_sections_read(carom_problem_sections *self, const char *text,
                                         size_t length, char *defect) {
    memset(self, 0, sizeof *self);
    self->defect = defect;
    self->current = -1;
    if (length > CAROM_PROBLEM_FILE_MOST_BYTES) {
        return carom_problem_sections_fail(self, "is too large: more than %d bytes",
                                           (int)CAROM_PROBLEM_FILE_MOST_BYTES);
    }
    if (length > 0 && memchr(text, '\0', length) != NULL) {
        return carom_problem_sections_fail(self, "is not a text file");
    }
    if (length == 0) {
        return carom_problem_sections_fail(self, "is empty");
    }
    if (!allocate(self, text, length)) {
        (void)carom_problem_sections_fail(self, "there is no memory for it");
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    return read_lines(self);
}

void carom_problem_sections_clear(carom_problem_sections *self) {
    free(self->text);
    free(self->values);
    free(self->lines);
    self->text = NULL;
    self->values = NULL;
    self->lines = NULL;
}
