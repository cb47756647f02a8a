/** The tables that a program ends with, read back from the record that it has written. */
#include <carom/program/internal.h>
#include <carom/record/expression.h>
#include <carom/record/reader.h>
#include <carom/record/text.h>

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/** The size of a table on the terminal. */
enum { MOST_ROWS = 20, MOST_COLUMNS = 16, MOST_WIDTH = 80 };

/** Room for a cell, and for an expression and for words, with their terminating zeros. */
enum { CELL_SIZE = 64, TEXT_SIZE = 512, WORDS_SIZE = 4096 };

/** Digits of a number of which nothing else is said. */
enum { DIGITS = 6 };

/** A column as it is shown. */
typedef struct shown_column {
    char head[CELL_SIZE];
    char units[CELL_SIZE];
    char cells[MOST_ROWS][CELL_SIZE];
} shown_column;

/** A group of the record that gives rows. */
typedef struct row_group {
    char path[CAROM_RECORD_GROUP_SIZE]; /**< "" for the record itself */
    int first;                          /**< its first row */
    int count;                          /**< its rows */
} row_group;

/** A table being filled. */
typedef struct sheet {
    const carom_program *program;
    const carom_table *table;
    carom_reader *reader;
    row_group groups[MOST_ROWS]; /**< [group_count], those that are shown */
    int group_count;
    int row_count; /**< all rows, shown or not */
    shown_column columns[MOST_COLUMNS];
    int column_count;
} sheet;

/** Data sets of the one record. */
static carom_status read_own(void *context, const char *record, const char *path,
                             carom_dataset *out) {
    return record == NULL ? carom_reader_dataset(context, path, out) : CAROM_STATUS_IO;
}

/** A column in one group, to be cleared; false where the record has it not. */
static bool evaluate(const sheet *self, const char *group, const carom_table_column *column,
                     carom_dataset *out) {
    static const char name[] = "abcdefghijklmnopqrstuvwxyz_";
    char text[TEXT_SIZE];
    if (column->expression[strspn(column->expression, name)] == '\0') {
        // The name of a data set, which may be that of a function too.
        (void)snprintf(text, sizeof text, "%s/%s", group, column->expression);
    } else {
        (void)snprintf(text, sizeof text, "%s%s%s", column->expression,
                       group[0] == '\0' ? "" : " in ", group);
    }
    const carom_expression_scope scope = {.read = read_own, .context = self->reader};
    carom_expression_result result;
    carom_report report = carom_report_empty();
    const carom_status status = carom_expression_evaluate(text, &scope, &result, &report);
    *out = result.value;
    if (status == CAROM_STATUS_BAD_FORMAT) {
        fprintf(stderr, "%s: column \"%s\": %s: %s\n", self->program->name, column->head, text,
                report.sentence);
    }
    return status == CAROM_OK;
}

/** Whether the entries of a column stand beside each other: "velocity[]". */
static bool is_across(const carom_table_column *column) {
    return strchr(column->head, '[') != NULL;
}

/** Count the rows of a group, and keep it while there is room. */
static void add_group(sheet *self, const char *path) {
    carom_dataset first;
    if (!evaluate(self, path, &self->table->columns[0], &first)) {
        return;
    }
    const int count = is_across(&self->table->columns[0]) && first.rank < 2 ? 1 : first.rows;
    if (self->row_count < MOST_ROWS && self->group_count < MOST_ROWS && count > 0) {
        row_group *group = &self->groups[self->group_count++];
        (void)snprintf(group->path, sizeof group->path, "%s", path);
        group->first = self->row_count;
        group->count = count;
    }
    self->row_count += count;
    carom_dataset_clear(&first);
}

/** Add the groups below one whose paths go on as the pattern does: "/moreau_jean", "/outcome_*". */
static void add_groups(sheet *self, const char *parent, const char *pattern) {
    if (pattern[0] == '\0' || strcmp(pattern, "/") == 0) {
        add_group(self, parent);
        return;
    }
    const char *rest = pattern + 1 + strcspn(pattern + 1, "/");
    char part[CAROM_RECORD_GROUP_SIZE];
    char path[2 * CAROM_RECORD_GROUP_SIZE];
    (void)snprintf(part, sizeof part, "%.*s", (int)(rest - pattern - 1), pattern + 1);
    if (strchr(part, '*') == NULL) {
        (void)snprintf(path, sizeof path, "%s/%s", parent, part);
        add_groups(self, path, rest);
        return;
    }
    char name[CAROM_RECORD_GROUP_SIZE];
    for (int i = 0; carom_reader_child(self->reader, parent[0] == '\0' ? "/" : parent, i,
                                       sizeof name, name) == CAROM_OK;
         i++) {
        (void)snprintf(path, sizeof path, "%s/%s", parent, name);
        if (fnmatch(part, name, 0) == 0 && strlen(path) < CAROM_RECORD_GROUP_SIZE) {
            add_groups(self, path, rest);
        }
    }
}

/** The word of a number in "no|yes" or "SL SS LS", "-" if it has none. */
static void fill_word(const char *words, double value, char *cell) {
    const char *word = words;
    for (int i = 0; i < (int)value && *word != '\0'; i++) {
        word += strcspn(word, "| ");
        word += *word != '\0' ? 1 : 0;
    }
    const int length = value >= 0.0 ? (int)strcspn(word, "| ") : 0;
    (void)snprintf(cell, CELL_SIZE, "%.*s", length > 0 ? length : 1, length > 0 ? word : "-");
}

/** Print a number into a cell, whole ones with all their digits. */
static void fill_number(const carom_table_column *column, double value, char *cell) {
    if (fabs(value) < 1e9 && !(fabs(value - round(value)) > 0.0)) {
        (void)snprintf(cell, CELL_SIZE, "%d", (int)value);
    } else {
        (void)snprintf(cell, CELL_SIZE, "%.*g", column->digits > 0 ? column->digits : DIGITS,
                       value);
    }
}

/** Print a value into a cell. */
static void fill_cell(const carom_table_column *column, const char *words, double value,
                      char *cell) {
    if (isnan(value)) {
        (void)snprintf(cell, CELL_SIZE, "-");
    } else if (column->words != NULL) {
        fill_word(words, value, cell);
    } else {
        fill_number(column, value, cell);
    }
}

/** The words of a column: its own, or those of a text of the group. */
static void read_words(const sheet *self, const row_group *group, const carom_table_column *column,
                       char words[WORDS_SIZE]) {
    (void)snprintf(words, WORDS_SIZE, "%s", column->words != NULL ? column->words : "");
    if (words[0] == '@') {
        char path[2 * CAROM_RECORD_GROUP_SIZE];
        (void)snprintf(path, sizeof path, "%s/%s", group->path, column->words + 1);
        if (carom_reader_text(self->reader, path, WORDS_SIZE, words) != CAROM_OK) {
            words[0] = '\0';
        }
    }
}

/** The head of a column: the unit comes from the record unless it is named with the quantity. */
static void fill_head(const carom_table_column *column, int index, bool is_single,
                      const char *units, shown_column *shown) {
    const int length = (int)strcspn(column->head, "[/");
    const char *named = strchr(column->head, '/');
    const bool is_indexed = is_across(column) || !is_single;
    (void)snprintf(shown->head, CELL_SIZE, is_indexed ? "%.*s[%d]" : "%.*s",
                   length - (named != NULL && column->head[length - 1] == ' ' ? 1 : 0),
                   column->head, index);
    const char *known = named != NULL ? named + 1 + strspn(named + 1, " ") : units;
    if (shown->units[0] == '\0' && strcmp(known, "1") != 0) {
        (void)snprintf(shown->units, CELL_SIZE, "%s", known);
    }
}

/** Put the numbers of one group into their cells; the columns that they take. */
static int fill_group(sheet *self, const row_group *group, const carom_table_column *column) {
    carom_dataset d;
    if (!evaluate(self, group->path, column, &d)) {
        return 0;
    }
    const bool is_row = is_across(column) && d.rank < 2;
    const int width = is_row ? d.rows : d.columns;
    const int rows = is_row ? 1 : d.rows;
    const int room = MOST_COLUMNS - self->column_count;
    char words[WORDS_SIZE];
    read_words(self, group, column, words);
    for (int k = 0; k < width && k < room; k++) {
        shown_column *shown = &self->columns[self->column_count + k];
        fill_head(column, k, width == 1, d.units, shown);
        for (int i = 0; i < rows && i < group->count && group->first + i < MOST_ROWS; i++) {
            fill_cell(column, words, d.values[(size_t)i * (size_t)width + (size_t)k],
                      shown->cells[group->first + i]);
        }
    }
    carom_dataset_clear(&d);
    return width < room ? width : room;
}

/** All columns that the record has. */
static void fill(sheet *self) {
    const carom_table *table = self->table;
    if (table->group_head != NULL) {
        shown_column *names = &self->columns[self->column_count++];
        (void)snprintf(names->head, CELL_SIZE, "%s", table->group_head);
        for (int g = 0; g < self->group_count; g++) {
            (void)snprintf(names->cells[self->groups[g].first], CELL_SIZE, "%.*s", CELL_SIZE - 1,
                           self->groups[g].path + 1);
        }
    }
    for (int c = 0; c < table->column_count; c++) {
        int width = 0;
        for (int g = 0; g < self->group_count; g++) {
            const int taken = fill_group(self, &self->groups[g], &table->columns[c]);
            width = taken > width ? taken : width;
        }
        self->column_count += width;
    }
}

/** Print a text in its column: names to the left, everything else to the right. */
static void print_cell(const char *text, int width, bool is_first, bool is_left) {
    const int blanks = width - carom_text_width(text, strlen(text));
    printf("%s%*s%s%*s", is_first ? "" : "  ", is_left ? 0 : blanks, "", text, is_left ? blanks : 0,
           "");
}

/** Lines above the rows. */
enum { HEAD = -2, UNITS = -1 };

/** Print one line of all columns that fit. */
static void print_line(const sheet *self, int row, const int *widths, int columns) {
    const bool has_names = self->table->group_head != NULL;
    for (int c = 0; c < columns; c++) {
        const shown_column *shown = &self->columns[c];
        const char *text = row == HEAD    ? shown->head
                           : row == UNITS ? shown->units
                                          : shown->cells[row];
        const bool is_missing = row >= 0 && text[0] == '\0' && !(c == 0 && has_names);
        print_cell(is_missing ? "-" : text, widths[c], c == 0, c == 0 && has_names);
    }
    putchar('\n');
}

/** Print the table, and where what has no room is. */
static void print(const sheet *self, const char *file) {
    int widths[MOST_COLUMNS];
    int total = -2;
    int columns = 0;
    bool has_units = false;
    const int rows = self->row_count < MOST_ROWS ? self->row_count : MOST_ROWS;
    for (int c = 0; c < self->column_count; c++) {
        const shown_column *shown = &self->columns[c];
        widths[c] = carom_text_width(shown->head, strlen(shown->head));
        widths[c] = carom_text_width(shown->units, strlen(shown->units)) > widths[c]
                        ? carom_text_width(shown->units, strlen(shown->units))
                        : widths[c];
        for (int i = 0; i < rows; i++) {
            const int width = carom_text_width(shown->cells[i], strlen(shown->cells[i]));
            widths[c] = width > widths[c] ? width : widths[c];
        }
        total += widths[c] + 2;
        columns += total <= MOST_WIDTH ? 1 : 0;
        has_units = has_units || (total <= MOST_WIDTH && shown->units[0] != '\0');
    }
    for (int row = HEAD; row < rows; row++) {
        if (row != UNITS || has_units) {
            print_line(self, row, widths, columns);
        }
    }
    const char *groups = strchr(self->table->groups, ' ') == NULL ? self->table->groups : "";
    const char *in = groups[0] == '\0' ? "" : " in ";
    if (self->row_count > rows) {
        printf("... and %d more, see %s%s%s\n", self->row_count - rows, groups, in, file);
    } else if (columns < self->column_count) {
        printf("... and further columns, see %s%s%s\n", groups, in, file);
    }
}

void carom_tables_print(const carom_program *program, const char *file) {
    carom_reader *reader = NULL;
    if (program->table_count == 0 || carom_reader_open(file, &reader) != CAROM_OK) {
        return;
    }
    bool is_first = true;
    for (int t = 0; t < program->table_count; t++) {
        sheet self = {.program = program, .table = &program->tables[t], .reader = reader};
        for (const char *word = self.table->groups; *word != '\0'; word += strspn(word, " ")) {
            char pattern[CAROM_RECORD_GROUP_SIZE];
            const size_t length = strcspn(word, " ");
            (void)snprintf(pattern, sizeof pattern, "%.*s", (int)length, word);
            add_groups(&self, "", pattern);
            word += length;
        }
        if (self.row_count > 0) {
            fill(&self);
            fputs(is_first ? "" : "\n", stdout);
            print(&self, file);
            is_first = false;
        }
    }
    carom_reader_close(reader);
}
