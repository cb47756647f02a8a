/** The comparison in the document: one longtable a file, a summary a paper, totals as macros. */
#ifndef CAROM_TOOLS_VERIFY_LATEX_H
#define CAROM_TOOLS_VERIFY_LATEX_H

#include "verify_table.h"

#include <carom/record/text.h>

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

/** Typewriter letters, breakable after hyphens, slashes, underscores and brackets. */
static inline void verify_latex_code(carom_text_buffer *text, const char *code) {
    carom_text_buffer_print(text, "{\\ttfamily\\raggedright ");
    for (const char *letter = code; *letter != '\0'; ++letter) {
        const char one[2] = {*letter, '\0'};
        carom_latex_escape(text, one);
        carom_text_buffer_print(text, strchr("-/_(", *letter) != NULL ? "\\allowbreak " : "");
    }
    carom_text_buffer_print(text, "}");
}

/** One item: a line of cells, its criterion, and the reason if there is one. */
static inline void verify_latex_item(carom_text_buffer *text, const carom_verification_item *item) {
    static const char wide[] = "\\multicolumn{6}{@{\\quad}p{0.92\\linewidth}@{}}{";
    const carom_published_row *row = item->row;
    verify_latex_code(text, row->id);
    carom_text_buffer_print(text, " & ");
    carom_latex_escape(text, row->location);
    carom_text_buffer_print(text, " & ");
    carom_latex_text(text, row->quantity);
    if (row->unit[0] != '\0' && strcmp(row->unit, "1") != 0) {
        carom_text_buffer_print(text, " (");
        carom_latex_escape(text, row->unit);
        carom_text_buffer_print(text, ")");
    }
    carom_text_buffer_print(text, " & ");
    verify_latex_number(text, row->is_criterion ? carom_published_kind_name(row->kind)
                                                : row->published_text);
    if (row->tolerance > 0.0) {
        carom_text_buffer_print(text, " $\\pm$ ");
        char tolerance[32];
        snprintf(tolerance, sizeof tolerance, "%.3g", row->tolerance);
        verify_latex_number(text, tolerance);
    }
    char ours[VERIFY_CELL_SIZE];
    verify_ours(item, VERIFY_CELL_SIZE, ours);
    carom_text_buffer_print(text, " & ");
    verify_latex_number(text, ours);
    carom_text_buffer_print(text, " & %s \\\\\n", carom_verdict_name(item->verdict));
    if (row->is_criterion) {
        carom_text_buffer_print(text, "%s", wide);
        verify_latex_code(text, row->expression);
        carom_text_buffer_print(text, "} \\\\\n");
    } else if (row->tolerance > 0.0 && strcmp(row->tolerance_from, "digits") != 0) {
        carom_text_buffer_print(text, "%stolerance: ", wide);
        carom_latex_text(text, row->tolerance_from);
        carom_text_buffer_print(text, "} \\\\\n");
    }
    if (item->reason[0] != '\0') {
        carom_text_buffer_print(text, "%s", wide);
        carom_latex_text(text, item->reason);
        carom_text_buffer_print(text, "} \\\\\n");
    }
}

/** The table of one file; packages longtable, booktabs, array, siunitx. */
static inline void verify_latex_table(carom_text_buffer *text, const char *name,
                                      const carom_verification *file) {
    static const char head[] =
        "\\toprule\nItem & Location & Quantity & Published & Ours & Verdict \\\\\n\\midrule\n";
    carom_text_buffer_print(text,
                            "%% Made by the verification: do not edit.\n"
                            "\\begin{longtable}{@{}>{\\raggedright\\arraybackslash}"
                            "p{0.13\\linewidth}>{\\raggedright\\arraybackslash}"
                            "p{0.09\\linewidth}>{\\raggedright\\arraybackslash}"
                            "p{0.24\\linewidth}>{\\raggedright\\arraybackslash}"
                            "p{0.15\\linewidth}>{\\raggedright\\arraybackslash}"
                            "p{0.19\\linewidth}>{\\raggedright\\arraybackslash}"
                            "p{0.11\\linewidth}@{}}\n"
                            "\\caption{Items of \\file{%s}.}\\label{verify:%s}\\\\\n"
                            "%s\\endfirsthead\n%s\\endhead\n",
                            name, name, head, head);
    carom_text_buffer_print(text, "\\bottomrule\n\\endfoot\n");
    for (int i = 0; i < file->item_count; ++i) {
        verify_latex_item(text, &file->items[i]);
    }
    carom_text_buffer_print(text, "\\end{longtable}\n");
}

/** "Printed", as the middle of a macro's name. */
static inline void verify_latex_name(const char *word, char *name, size_t size) {
    snprintf(name, size, "%c%s", word[0] - 'a' + 'A', word + 1);
}

/** The totals of all files as macros: \\VerifyPrintedCount, \\VerifyPrintedAgreeCount and so on. */
static inline void verify_latex_totals(carom_text_buffer *text, const verify_counts *counts) {
    static const struct {
        const char *name;
        carom_verdict verdict;
    } verdicts[] = {{"Agree", CAROM_VERDICT_AGREES},
                    {"Differ", CAROM_VERDICT_DIFFERS},
                    {"Conditioned", CAROM_VERDICT_CONDITIONED},
                    {"Inconclusive", CAROM_VERDICT_INCONCLUSIVE},
                    {"Unreproducible", CAROM_VERDICT_NOT_REPRODUCIBLE},
                    {"Fail", CAROM_VERDICT_FAILS}};
    carom_text_buffer_print(text, "%% Made by the verification: do not edit.\n");
    for (int kind = 0; kind < CAROM_PUBLISHED_KIND_COUNT; ++kind) {
        char name[32];
        verify_latex_name(carom_published_kind_name((carom_published_kind)kind), name, sizeof name);
        int sum = 0;
        for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; ++i) {
            const int count = counts->of[kind][verdicts[i].verdict];
            sum += count;
            carom_text_buffer_print(text, "\\newcommand{\\Verify%s%sCount}{%d}\n", name,
                                    verdicts[i].name, count);
        }
        carom_text_buffer_print(text, "\\newcommand{\\Verify%sCount}{%d}\n", name, sum);
    }
}

/** Half a page a paper: how many items of each kind came out how, by experiment. */
static inline void verify_latex_paper(carom_text_buffer *text, const char *paper,
                                      char *const *names, const carom_verification *files,
                                      int file_count) {
    static const verify_choice any = {NULL, NULL, NULL};
    carom_text_buffer_print(
        text, "%% Made by the verification: do not edit.\n"
              "\\begin{tabular}{@{}llrrrrrr@{}}\n\\toprule\n"
              "Experiment & Kind & Items & Agree & Differ & Conditioned & Inconclusive & "
              "Not reproducible \\\\\n\\midrule\n");
    for (int file = 0; file < file_count; ++file) {
        verify_counts counts = {{{0}}};
        verify_count(&any, &files[file], paper, &counts);
        const char *name = names[file];
        for (int kind = 0; kind < CAROM_PUBLISHED_KIND_COUNT; ++kind) {
            const int *of = counts.of[kind];
            int sum = 0;
            for (int verdict = 0; verdict < CAROM_VERDICT_COUNT; ++verdict) {
                sum += of[verdict];
            }
            if (sum == 0) {
                continue;
            }
            carom_latex_escape(text, name);
            carom_text_buffer_print(text, " & %s & %d & %d & %d & %d & %d & %d \\\\\n",
                                    carom_published_kind_name((carom_published_kind)kind), sum,
                                    of[CAROM_VERDICT_AGREES], of[CAROM_VERDICT_DIFFERS],
                                    of[CAROM_VERDICT_CONDITIONED], of[CAROM_VERDICT_INCONCLUSIVE],
                                    of[CAROM_VERDICT_NOT_REPRODUCIBLE]);
            name = "";
        }
    }
    carom_text_buffer_print(text, "\\bottomrule\n\\end{tabular}\n");
}

#endif
