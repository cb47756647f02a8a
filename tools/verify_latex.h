/** The comparison in the document: one longtable a file, and the totals as macros. */
#ifndef CAROM_TOOLS_VERIFY_LATEX_H
#define CAROM_TOOLS_VERIFY_LATEX_H

#include "verify_table.h"

#include <carom/record/latex.h>
#include <carom/record/text_buffer.h>

/** A printed number as \\num takes it; claims and missing numbers are words. */
static inline void verify_latex_number(carom_text_buffer *text, const char *printed) {
    char number[VERIFY_CELL_SIZE];
    snprintf(number, sizeof number, "%s", printed);
    if (strspn(number, "+-.0123456789eE") == strlen(number) && strpbrk(number, "0123456789")) {
        carom_latex_tidy_number(number);
        carom_text_buffer_print(text, "\\num{%s}", number);
    } else if (strcmp(number, "-") == 0) {
        carom_text_buffer_print(text, "--");
    } else {
        carom_latex_escape(text, number);
    }
}

/** An identifier in typewriter letters, breakable after its hyphens. */
static inline void verify_latex_id(carom_text_buffer *text, const char *id) {
    carom_text_buffer_print(text, "{\\ttfamily ");
    for (const char *letter = id; *letter != '\0'; ++letter) {
        const char one[2] = {*letter, '\0'};
        carom_latex_escape(text, one);
        carom_text_buffer_print(text, *letter == '-' ? "\\allowbreak " : "");
    }
    carom_text_buffer_print(text, "}");
}

/** One item: a line of cells, and a second line with the reason if there is one. */
static inline void verify_latex_item(carom_text_buffer *text, const carom_verification_item *item) {
    const carom_published_row *row = item->row;
    verify_latex_id(text, row->id);
    carom_text_buffer_print(text, " & ");
    carom_latex_escape(text, row->location);
    carom_text_buffer_print(text, " & ");
    carom_latex_escape(text, row->quantity);
    if (row->unit[0] != '\0' && strcmp(row->unit, "1") != 0) {
        carom_text_buffer_print(text, " (");
        carom_latex_escape(text, row->unit);
        carom_text_buffer_print(text, ")");
    }
    carom_text_buffer_print(text, " & ");
    if (row->kind == CAROM_PUBLISHED_UPPER_BOUND) {
        carom_text_buffer_print(text, "$\\le$ ");
    } else if (row->kind == CAROM_PUBLISHED_LOWER_BOUND) {
        carom_text_buffer_print(text, "$\\ge$ ");
    }
    verify_latex_number(text, row->kind == CAROM_PUBLISHED_CLAIM ? "true" : row->published_text);
    carom_text_buffer_print(text, " & ");
    char ours[VERIFY_CELL_SIZE];
    verify_ours(item, VERIFY_CELL_SIZE, ours);
    verify_latex_number(text, ours);
    carom_text_buffer_print(text, " & ");
    char difference[VERIFY_CELL_SIZE];
    verify_difference(item, VERIFY_CELL_SIZE, difference);
    verify_latex_number(text, difference);
    carom_text_buffer_print(text, " & %s \\\\\n", carom_verdict_name(item->verdict));
    if (item->reason[0] != '\0') {
        carom_text_buffer_print(text, "\\multicolumn{7}{@{\\quad}p{0.92\\linewidth}@{}}{");
        carom_latex_escape(text, item->reason);
        carom_text_buffer_print(text, "} \\\\\n");
    }
}

/** The table of one file; packages longtable, booktabs, array, siunitx. */
static inline void verify_latex_table(carom_text_buffer *text, const carom_verification *file) {
    carom_text_buffer_print(
        text, "%% Made by the verification: do not edit.\n"
              "\\begin{longtable}{@{}>{\\raggedright\\arraybackslash}"
              "p{0.14\\linewidth}>{\\raggedright\\arraybackslash}"
              "p{0.09\\linewidth}>{\\raggedright\\arraybackslash}"
              "p{0.24\\linewidth}rrrl@{}}\n"
              "\\toprule\n"
              "Item & Location & Quantity & Published & Ours & Difference & Verdict \\\\\n"
              "\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n");
    for (int i = 0; i < file->item_count; ++i) {
        verify_latex_item(text, &file->items[i]);
    }
    carom_text_buffer_print(text, "\\end{longtable}\n");
}

/** The totals of all files; totals [verdict]. */
static inline void verify_latex_summary(carom_text_buffer *text, const int totals[3]) {
    carom_text_buffer_print(text,
                            "%% Made by the verification: do not edit.\n"
                            "\\newcommand{\\VerifyAgreeCount}{%d}\n"
                            "\\newcommand{\\VerifyDifferCount}{%d}\n"
                            "\\newcommand{\\VerifyFailCount}{%d}\n",
                            totals[CAROM_VERDICT_AGREES], totals[CAROM_VERDICT_DIFFERS],
                            totals[CAROM_VERDICT_FAILS]);
}

#endif
