/** The comparison on the terminal: one line an item, in aligned columns. */
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

/** Letters of a text as a terminal counts them: bytes that do not continue a UTF-8 letter. */
static inline int verify_width(const char *text) {
    int width = 0;
    for (; *text != '\0'; ++text) {
        width += ((unsigned char)*text & 0xc0) != 0x80 ? 1 : 0;
    }
    return width;
}

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
        printf("%s%*s", text, widths[column] - verify_width(text) + 2, "");
    }
}

/** The whole table; false if memory ran out. */
static inline bool verify_table_print(const carom_verification *files, int file_count) {
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
            verify_fill_line(&files[file].items[i], &lines[next++]);
        }
    }

    int widths[VERIFY_COLUMN_COUNT] = {0};
    for (size_t i = 0; i < count; ++i) {
        for (int column = 0; column < VERIFY_COLUMN_COUNT; ++column) {
            const int width = verify_width(lines[i].cell[column]);
            widths[column] = width > widths[column] ? width : widths[column];
        }
    }
    for (size_t i = 0; i < count; ++i) {
        verify_print_line(&lines[i], widths);
    }
    free(lines);
    return true;
}

#endif
