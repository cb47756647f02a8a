/** The comparison on the terminal: a summary, items in 80 columns, or one line an item. */
#ifndef CAROM_TOOLS_VERIFY_TABLE_H
#define CAROM_TOOLS_VERIFY_TABLE_H

#include <carom/record/verification.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERIFY_COLUMN_COUNT = 8, VERIFY_CELL_SIZE = 256 };

/** One line of the table. */
typedef struct verify_line {
    char cell[VERIFY_COLUMN_COUNT][VERIFY_CELL_SIZE];
} verify_line;

/** The comparisons that a truth hangs on, as "0.0021 < 0.0025, 3 == 3". */
static inline void verify_terms(const carom_verification_item *item, int size, char *text) {
    int length = 0;
    for (int i = 0; i < item->term_count && length < size; ++i) {
        const carom_expression_term *term = &item->terms[i];
        length += snprintf(text + length, (size_t)(size - length), "%s%.4g %s %.4g",
                           i == 0 ? "" : ", ", term->measured, term->relation, term->threshold);
    }
}

/** The number as the kind of item reads it; "-" if there is none. */
static inline void verify_ours(const carom_verification_item *item, int size, char *text) {
    if (isnan(item->ours)) {
        snprintf(text, (size_t)size, "-");
    } else if (item->row->kind == CAROM_PUBLISHED_CLAIM && item->term_count > 0) {
        verify_terms(item, size, text);
    } else if (item->row->kind == CAROM_PUBLISHED_CLAIM) {
        snprintf(text, (size_t)size, "%s", item->ours > 0.5 ? "true" : "false");
    } else {
        carom_published_format(item->row, item->ours, size, text);
    }
}

/** The published number with the sense of its bound. */
static inline void verify_published(const carom_published_row *row, int size, char *text) {
    const char *sense = row->kind == CAROM_PUBLISHED_UPPER_BOUND   ? "<= "
                        : row->kind == CAROM_PUBLISHED_LOWER_BOUND ? ">= "
                                                                   : "";
    snprintf(text, (size_t)size, "%s%s", sense,
             row->kind == CAROM_PUBLISHED_CLAIM ? "true" : row->published_text);
}

/** Ours less published; "-" for claims and missing numbers. */
static inline void verify_difference(const carom_verification_item *item, int size, char *text) {
    if (isnan(item->ours) || item->row->kind == CAROM_PUBLISHED_CLAIM) {
        snprintf(text, (size_t)size, "-");
    } else {
        snprintf(text, (size_t)size, "%+.2g", item->ours - item->row->published);
    }
}

/** Which items are shown; NULL: all. */
typedef struct verify_choice {
    const char *paper;
    const char *only; /**< verdicts, "differs,fails" */
} verify_choice;

/** Whether a list with commas has that word. */
static inline bool verify_lists(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *next = list; next != NULL; next = strchr(next, ',')) {
        next += *next == ',' ? 1 : 0;
        if (strncmp(next, word, length) == 0 && (next[length] == ',' || next[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static inline bool verify_is_chosen(const verify_choice *choice,
                                    const carom_verification_item *item) {
    return (choice->paper == NULL || strcmp(choice->paper, item->row->paper) == 0) &&
           (choice->only == NULL || verify_lists(choice->only, carom_verdict_name(item->verdict)));
}

/** The next paper after one in the order of their keys, NULL after the last. */
static inline const char *verify_next_paper(const carom_verification *files, int file_count,
                                            const char *last) {
    const char *next = NULL;
    for (int file = 0; file < file_count; ++file) {
        for (int i = 0; i < files[file].item_count; ++i) {
            const char *paper = files[file].items[i].row->paper;
            if ((last == NULL || strcmp(paper, last) > 0) &&
                (next == NULL || strcmp(paper, next) < 0)) {
                next = paper;
            }
        }
    }
    return next;
}

/** All cells of an item. */
static inline void verify_fill_line(const carom_verification_item *item, verify_line *line) {
    const carom_published_row *row = item->row;
    const bool has_unit = row->unit[0] != '\0' && strcmp(row->unit, "1") != 0;
    const size_t size = VERIFY_CELL_SIZE;
    snprintf(line->cell[0], size, "%s", row->id);
    snprintf(line->cell[1], size, "%s", row->location);
    snprintf(line->cell[2], size, has_unit ? "%s (%s)" : "%s", row->quantity, row->unit);
    verify_published(row, VERIFY_CELL_SIZE, line->cell[3]);
    verify_ours(item, VERIFY_CELL_SIZE, line->cell[4]);
    verify_difference(item, VERIFY_CELL_SIZE, line->cell[5]);
    snprintf(line->cell[6], size, "%s", carom_verdict_name(item->verdict));
    snprintf(line->cell[7], size, "%s", item->reason);
}

/** One line with every column but the last filled up to its width. */
static inline void verify_print_line(const verify_line *line, const int *widths) {
    for (int column = 0; column < VERIFY_COLUMN_COUNT; ++column) {
        const char *text = line->cell[column];
        const bool is_last =
            column == VERIFY_COLUMN_COUNT - 1 ||
            (column == VERIFY_COLUMN_COUNT - 2 && line->cell[column + 1][0] == '\0');
        if (is_last) {
            printf("%s\n", text);
            return;
        }
        printf("%s%*s", text, widths[column] - tool_width(text) + 2, "");
    }
}

/** The table of the items that were asked for, a line each; false if memory ran out. */
static inline bool verify_print_wide(const verify_choice *choice, const carom_verification *files,
                                     int file_count) {
    size_t count = 1;
    for (int i = 0; i < file_count; ++i) {
        count += (size_t)files[i].item_count;
    }
    verify_line *lines = calloc(count, sizeof *lines);
    if (lines == NULL) {
        return false;
    }

    /* The head, then the items. */
    static const char *const head[VERIFY_COLUMN_COUNT] = {
        "id", "location", "quantity", "published", "ours", "difference", "verdict", "reason"};
    for (int column = 0; column < VERIFY_COLUMN_COUNT; ++column) {
        snprintf(lines[0].cell[column], VERIFY_CELL_SIZE, "%s", head[column]);
    }
    size_t next = 1;
    for (int file = 0; file < file_count; ++file) {
        for (int i = 0; i < files[file].item_count; ++i) {
            if (verify_is_chosen(choice, &files[file].items[i])) {
                verify_fill_line(&files[file].items[i], &lines[next++]);
            }
        }
    }
    count = next;

    int widths[VERIFY_COLUMN_COUNT] = {0};
    for (size_t i = 0; i < count; ++i) {
        for (int column = 0; column < VERIFY_COLUMN_COUNT; ++column) {
            const int width = tool_width(lines[i].cell[column]);
            widths[column] = width > widths[column] ? width : widths[column];
        }
    }
    for (size_t i = 0; i < count; ++i) {
        verify_print_line(&lines[i], widths);
    }
    free(lines);
    return true;
}

/** An item in a few lines: what it is, what was published, what is ours, and why it is as it is. */
static inline void verify_print_item(const carom_verification_item *item) {
    enum { indent = 9, size = 4 * VERIFY_CELL_SIZE };
    const carom_published_row *row = item->row;
    verify_line line;
    verify_fill_line(item, &line);
    char text[size];
    printf("%-*s%s\n", indent, carom_verdict_name(item->verdict), row->id);
    snprintf(text, size, "%s, %s: %s", row->paper, row->location, line.cell[2]);
    tool_print_words(indent, text);
    if (row->kind == CAROM_PUBLISHED_CLAIM) {
        snprintf(text, size, "ours: %s", line.cell[4]);
    } else {
        snprintf(text, size, "published %s, ours %s, difference %s, accepted +-%g", line.cell[3],
                 line.cell[4], line.cell[5], row->uncertainty);
    }
    tool_print_words(indent, text);
    if (item->reason[0] != '\0') {
        tool_print_words(indent, item->reason);
    }
}

/** The items that were asked for, one after the other. */
static inline void verify_print_items(const verify_choice *choice, const carom_verification *files,
                                      int file_count) {
    for (int file = 0; file < file_count; ++file) {
        for (int i = 0; i < files[file].item_count; ++i) {
            if (verify_is_chosen(choice, &files[file].items[i])) {
                verify_print_item(&files[file].items[i]);
            }
        }
    }
}

/** A line of the summary. */
static inline void verify_print_counts(const char *paper, const char *experiment,
                                       const int counts[3]) {
    printf("%-15s %-24s %8d %8d %8d %8d\n", paper, experiment, counts[0] + counts[1] + counts[2],
           counts[CAROM_VERDICT_AGREES], counts[CAROM_VERDICT_DIFFERS],
           counts[CAROM_VERDICT_FAILS]);
}

/** Items of a file that were asked for and are of a paper, by verdict; their number. */
static inline int verify_count(const verify_choice *choice, const carom_verification *file,
                               const char *paper, int counts[3]) {
    memset(counts, 0, 3 * sizeof *counts);
    for (int i = 0; i < file->item_count; ++i) {
        const carom_verification_item *item = &file->items[i];
        if (verify_is_chosen(choice, item) && strcmp(item->row->paper, paper) == 0) {
            counts[item->verdict] += 1;
        }
    }
    return counts[0] + counts[1] + counts[2];
}

/** How many items of each paper agree, differ and fail, and of each of its experiments. */
static inline void verify_print_summary(const verify_choice *choice, char *const *names,
                                        const carom_verification *files, int file_count) {
    printf("%-15s %-24s %8s %8s %8s %8s\n", "paper", "experiment", "items", "agree", "differ",
           "fail");
    const char *paper = verify_next_paper(files, file_count, NULL);
    for (; paper != NULL; paper = verify_next_paper(files, file_count, paper)) {
        int counts[3];
        int sums[3] = {0, 0, 0};
        for (int file = 0; file < file_count; ++file) {
            (void)verify_count(choice, &files[file], paper, counts);
            for (int verdict = 0; verdict < 3; ++verdict) {
                sums[verdict] += counts[verdict];
            }
        }
        verify_print_counts(paper, "", sums);
        for (int file = 0; file < file_count; ++file) {
            if (verify_count(choice, &files[file], paper, counts) > 0) {
                verify_print_counts("", names[file], counts);
            }
        }
    }
}

#endif
