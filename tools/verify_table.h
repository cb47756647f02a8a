/** The comparison on the terminal: a summary, items in 80 columns, or one line an item. */
#ifndef CAROM_TOOLS_VERIFY_TABLE_H
#define CAROM_TOOLS_VERIFY_TABLE_H

#include "tool.h"

#include <carom/record/published.h>
#include <carom/record/text.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERIFY_COLUMN_COUNT = 9, VERIFY_CELL_SIZE = 512 };

/** One line of the table. */
typedef struct verify_line {
    char cell[VERIFY_COLUMN_COUNT][VERIFY_CELL_SIZE];
} verify_line;

/** Items of each kind by verdict. */
typedef struct verify_counts {
    int of[CAROM_PUBLISHED_KIND_COUNT][CAROM_VERDICT_COUNT];
} verify_counts;

/** Items with a verdict, of all kinds. */
static inline int verify_sum(const verify_counts *counts, carom_verdict verdict) {
    int sum = 0;
    for (int kind = 0; kind < CAROM_PUBLISHED_KIND_COUNT; ++kind) {
        sum += counts->of[kind][verdict];
    }
    return sum;
}

/** Items whose verdict is neither way: inconclusive, or not reproducible. */
static inline int verify_open(const verify_counts *counts) {
    return verify_sum(counts, CAROM_VERDICT_INCONCLUSIVE) +
           verify_sum(counts, CAROM_VERDICT_NOT_REPRODUCIBLE);
}

/** All items. */
static inline int verify_total(const verify_counts *counts) {
    int sum = 0;
    for (int verdict = 0; verdict < CAROM_VERDICT_COUNT; ++verdict) {
        sum += verify_sum(counts, (carom_verdict)verdict);
    }
    return sum;
}

/** The comparisons that a criterion hangs on, as "0.0021 < 0.0025, 3 == 3". */
static inline void verify_terms(const carom_verification_item *item, int size, char *text) {
    int length = 0;
    for (int i = 0; i < item->term_count && length < size; ++i) {
        const carom_expression_term *term = &item->terms[i];
        length += snprintf(text + length, (size_t)(size - length), "%s%.4g %s %.4g",
                           i == 0 ? "" : ", ", term->measured, term->relation, term->threshold);
    }
}

/** What is ours: the comparisons of a criterion, or the number; "-" if there is none. */
static inline void verify_ours(const carom_verification_item *item, int size, char *text) {
    if (isnan(item->ours)) {
        snprintf(text, (size_t)size, "-");
    } else if (item->row->is_criterion && item->term_count > 0) {
        verify_terms(item, size, text);
    } else if (item->row->is_criterion) {
        snprintf(text, (size_t)size, "%s", item->ours > 0.5 ? "true" : "false");
    } else {
        carom_published_format(item->row, item->ours, size, text);
    }
}

/** The published number and what is accepted around it; "-" for a criterion. */
static inline void verify_published(const carom_published_row *row, int size, char *text) {
    if (row->is_criterion) {
        snprintf(text, (size_t)size, "-");
    } else if (row->tolerance > 0.0) {
        snprintf(text, (size_t)size, "%s +-%.3g", row->published_text, row->tolerance);
    } else {
        snprintf(text, (size_t)size, "%s", row->published_text);
    }
}

/** How far the number is from the published one; how far the nearest comparison is from its
 * threshold, as a part of the larger side; "-" where there is none. */
static inline void verify_margin(const carom_verification_item *item, int size, char *text) {
    if (!item->row->is_criterion && !isnan(item->ours)) {
        snprintf(text, (size_t)size, "%+.2g", item->ours - item->row->published);
        return;
    }
    double nearest = NAN;
    for (int i = 0; i < item->term_count; ++i) {
        const carom_expression_term *term = &item->terms[i];
        const double larger = fmax(fabs(term->measured), fabs(term->threshold));
        if (term->relation[0] != '=' && term->relation[0] != '!' && larger > 0.0) {
            nearest = fmin(nearest, fabs(term->measured - term->threshold) / larger);
        }
    }
    snprintf(text, (size_t)size, isnan(nearest) ? "-" : "%.2g %%", 100.0 * nearest);
}

/** Which items are shown; NULL: all. */
typedef struct verify_choice {
    const char *paper;
    const char *only; /**< verdicts, "differs,fails" */
    const char *kind; /**< kinds, "printed,stated" */
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
           (choice->only == NULL ||
            verify_lists(choice->only, carom_verdict_name(item->verdict))) &&
           (choice->kind == NULL ||
            verify_lists(choice->kind, carom_published_kind_name(item->row->kind)));
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
    snprintf(line->cell[3], size, "%s", carom_published_kind_name(row->kind));
    verify_published(row, VERIFY_CELL_SIZE, line->cell[4]);
    verify_ours(item, VERIFY_CELL_SIZE, line->cell[5]);
    verify_margin(item, VERIFY_CELL_SIZE, line->cell[6]);
    snprintf(line->cell[7], size, "%s", carom_verdict_name(item->verdict));
    snprintf(line->cell[8], size, "%s", item->reason);
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
        printf("%s%*s", text, widths[column] - carom_text_width(text, strlen(text)) + 2, "");
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
        "id", "location", "quantity", "kind", "published", "ours", "margin", "verdict", "reason"};
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
            const int width =
                carom_text_width(lines[i].cell[column], strlen(lines[i].cell[column]));
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
    enum { indent = 13, size = 4 * VERIFY_CELL_SIZE };
    const carom_published_row *row = item->row;
    verify_line line = {0};
    verify_fill_line(item, &line);
    char text[size];
    printf("%-*s %s\n", indent - 1, carom_verdict_name(item->verdict), row->id);
    snprintf(text, size, "%s, %s: %s", row->paper, row->location, line.cell[2]);
    carom_words_print(indent, text);
    if (row->is_criterion) {
        snprintf(text, size, "%s; ours %s; margin %s", row->expression, line.cell[5], line.cell[6]);
    } else {
        snprintf(text, size, "published %s (%s), ours %s, difference %s", line.cell[4],
                 row->tolerance_from, line.cell[5], line.cell[6]);
    }
    carom_words_print(indent, text);
    if (item->reason[0] != '\0') {
        carom_words_print(indent, item->reason);
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
                                       const verify_counts *counts) {
    printf("%-15s %-22s %6d %6d %6d %6d %5d %5d\n", paper, experiment, verify_total(counts),
           verify_sum(counts, CAROM_VERDICT_AGREES), verify_sum(counts, CAROM_VERDICT_DIFFERS),
           verify_sum(counts, CAROM_VERDICT_CONDITIONED), verify_open(counts),
           verify_sum(counts, CAROM_VERDICT_FAILS));
}

/** Add the items of a file that were asked for and are of a paper, NULL: of any. */
static inline void verify_count(const verify_choice *choice, const carom_verification *file,
                                const char *paper, verify_counts *counts) {
    for (int i = 0; i < file->item_count; ++i) {
        const carom_verification_item *item = &file->items[i];
        if (verify_is_chosen(choice, item) &&
            (paper == NULL || strcmp(item->row->paper, paper) == 0)) {
            counts->of[item->row->kind][item->verdict] += 1;
        }
    }
}

/** How many items of each paper came out how, and of each of its experiments; then of each kind. */
static inline void verify_print_summary(const verify_choice *choice, char *const *names,
                                        const carom_verification *files, int file_count) {
    printf("%-15s %-22s %6s %6s %6s %6s %5s %5s\n", "paper", "experiment", "items", "agree",
           "differ", "cond.", "open", "fail");
    const char *paper = verify_next_paper(files, file_count, NULL);
    for (; paper != NULL; paper = verify_next_paper(files, file_count, paper)) {
        verify_counts sums = {{{0}}};
        for (int file = 0; file < file_count; ++file) {
            verify_count(choice, &files[file], paper, &sums);
        }
        verify_print_counts(paper, "", &sums);
        for (int file = 0; file < file_count; ++file) {
            verify_counts counts = {{{0}}};
            verify_count(choice, &files[file], paper, &counts);
            if (verify_total(&counts) > 0) {
                verify_print_counts("", names[file], &counts);
            }
        }
    }
    verify_counts all = {{{0}}};
    for (int file = 0; file < file_count; ++file) {
        verify_count(choice, &files[file], NULL, &all);
    }
    for (int kind = 0; kind < CAROM_PUBLISHED_KIND_COUNT; ++kind) {
        verify_counts of_kind = {{{0}}};
        memcpy(of_kind.of[kind], all.of[kind], sizeof all.of[kind]);
        verify_print_counts(kind == 0 ? "all papers" : "",
                            carom_published_kind_name((carom_published_kind)kind), &of_kind);
    }
}

#endif
