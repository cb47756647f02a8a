/** What the papers misprint (data/errata.csv): checked, listed with its evidence, or typeset. */
#include "tool.h"

#include <carom/record/text.h>

static const char name[] = "errata";

static const char usage[] =
    "Usage: errata --errata FILE.csv [--latex OUT.tex]\n"
    "\n"
    "Read the misprints and overstatements of the papers and print where each stands and what\n"
    "shows it: paper, place and evidence, separated by tabs.\n"
    "\n"
    "  --errata FILE   columns paper,place,printed,corrected,why,evidence; none is empty, text is\n"
    "                  plain but for formulas between two $; the items of a paper stand together,\n"
    "                  none (paper, place, printed) twice\n"
    "  --latex FILE    write one table for each paper instead, for the document\n";

/* Columns of the file, in its order. */
enum { PAPER, PLACE, PRINTED, CORRECTED, WHY, EVIDENCE, COLUMNS };
static const char *const header[COLUMNS] = {"paper",     "place", "printed",
                                            "corrected", "why",   "evidence"};

/* Evidence of a contradiction that the paper's own text shows. */
static const char own_text[] = "text";

static const char *field(const carom_csv *csv, int row, int column) {
    return carom_csv_field(csv, row, column);
}

static bool same(const carom_csv *csv, int a, int b, int column) {
    return strcmp(field(csv, a, column), field(csv, b, column)) == 0;
}

/* What is wrong with a row before it is compared with others; NULL if nothing. */
static const char *row_defect(const carom_csv *csv, int row) {
    if (carom_csv_field_count(csv, row) != COLUMNS) {
        return "it has not six fields";
    }
    for (int column = 0; column < COLUMNS; ++column) {
        const char *text = field(csv, row, column);
        if (text[0] == '\0') {
            return "a field is empty";
        }
        int dollars = 0;
        for (const char *letter = text; *letter != '\0'; ++letter) {
            dollars += *letter == '$' ? 1 : 0;
        }
        if (dollars % 2 != 0) {
            return "a formula has no end ($)";
        }
    }
    return NULL;
}

/* The same for its place among the rows before it, row 0 being the header. */
static const char *order_defect(const carom_csv *csv, int row) {
    for (int other = 1; other < row; ++other) {
        if (same(csv, other, row, PAPER) && same(csv, other, row, PLACE) &&
            same(csv, other, row, PRINTED)) {
            return "the same misprint stands above";
        }
        if (same(csv, other, row, PAPER) && !same(csv, row - 1, row, PAPER)) {
            return "its paper has items above that it does not follow";
        }
    }
    return NULL;
}

/* Whether the table is as the usage says; complains otherwise. */
static bool check(const char *path, const carom_csv *csv) {
    for (int column = 0; column < COLUMNS; ++column) {
        if (csv->row_count < 2 || carom_csv_field_count(csv, 0) != COLUMNS ||
            strcmp(field(csv, 0, column), header[column]) != 0) {
            tool_fail(name,
                      "%s: the first line is not paper,place,printed,corrected,why,evidence, "
                      "or nothing follows it",
                      path);
            return false;
        }
    }
    for (int row = 1; row < csv->row_count; ++row) {
        const char *defect = row_defect(csv, row);
        defect = defect == NULL ? order_defect(csv, row) : defect;
        if (defect != NULL) {
            tool_fail(name, "%s:%d: %s", path, csv->line[row], defect);
            return false;
        }
    }
    return true;
}

/* Plain text escaped, formulas as they are. */
static void typeset(carom_text_buffer *out, const char *text) {
    bool is_formula = false;
    for (const char *letter = text; *letter != '\0'; ++letter) {
        const char one[2] = {*letter, '\0'};
        if (*letter == '$' || is_formula) {
            is_formula = *letter == '$' ? !is_formula : is_formula;
            carom_text_buffer_add(out, one, 1);
        } else {
            carom_latex_escape(out, one);
        }
    }
}

/* A test, row or data set in typewriter letters that may be broken between its words. */
static void typeset_evidence(carom_text_buffer *out, const char *evidence) {
    carom_text_buffer_print(out, "{\\ttfamily ");
    for (const char *letter = evidence; *letter != '\0'; ++letter) {
        const char one[2] = {*letter, '\0'};
        carom_latex_escape(out, one);
        carom_text_buffer_print(out, strchr("-_/:.", *letter) != NULL ? "\\allowbreak " : "");
    }
    carom_text_buffer_print(out, "}");
}

/* One table for the items of a paper from `first` on; returns the row after them. */
static int typeset_paper(carom_text_buffer *out, const carom_csv *csv, int first) {
    carom_text_buffer_print(out, "\\errataof{%s}\n\\begin{erratatable}\n",
                            field(csv, first, PAPER));
    int row = first;
    for (; row < csv->row_count && same(csv, first, row, PAPER); ++row) {
        for (int column = PLACE; column <= WHY; ++column) {
            typeset(out, field(csv, row, column));
            carom_text_buffer_print(out, column < WHY ? " & " : "");
        }
        if (strcmp(field(csv, row, EVIDENCE), own_text) != 0) {
            carom_text_buffer_print(out, ". ");
            typeset_evidence(out, field(csv, row, EVIDENCE));
        }
        carom_text_buffer_print(out, " \\\\\n");
    }
    carom_text_buffer_print(out, "\\end{erratatable}\n");
    return row;
}

static int write_latex(const char *path, const carom_csv *csv) {
    carom_text_buffer out = {0};
    carom_text_buffer_print(&out, "%% Made from data/errata.csv: do not edit.\n");
    for (int row = 1; row < csv->row_count;) {
        row = typeset_paper(&out, csv, row);
    }
    const carom_status status = carom_text_buffer_save(&out, path, NULL);
    carom_text_buffer_clear(&out);
    return status == CAROM_OK ? EXIT_SUCCESS
                              : tool_fail(name, "%s: %s", path, carom_status_sentence(status));
}

static int list(const carom_csv *csv) {
    for (int row = 1; row < csv->row_count; ++row) {
        printf("%s\t%s\t%s\n", field(csv, row, PAPER), field(csv, row, PLACE),
               field(csv, row, EVIDENCE));
    }
    return tool_finish(name, EXIT_SUCCESS);
}

/* Read, check, and do what was asked for. */
static int run(const char *path, const char *latex) {
    carom_text_buffer text = {0};
    carom_csv csv = {0};
    carom_report report = {0};
    carom_status status = carom_text_buffer_load(&text, path, CAROM_TEXT_FILE_MOST_BYTES);
    if (status != CAROM_OK) {
        tool_fail(name, "%s: %s", path, carom_status_sentence(status));
    } else if ((status = carom_csv_parse(text.text, text.length, &csv, &report)) != CAROM_OK) {
        tool_fail(name, "%s:%d: %s", path, report.index, carom_status_sentence(status));
    }
    int code = EXIT_FAILURE;
    if (status == CAROM_OK && check(path, &csv)) {
        code = latex != NULL ? write_latex(latex, &csv) : list(&csv);
    }
    carom_csv_clear(&csv);
    carom_text_buffer_clear(&text);
    return code;
}

int main(int argc, char **argv) {
    if (tool_answered(argc, argv, name, usage)) {
        return tool_finish(name, EXIT_SUCCESS);
    }
    const char *path = NULL;
    const char *latex = NULL;
    for (int i = 1; i < argc; i += 2) {
        const bool is_path = strcmp(argv[i], "--errata") == 0;
        if ((!is_path && strcmp(argv[i], "--latex") != 0) || i + 1 == argc) {
            return tool_fail(name, "%s is unknown or lacks its value (see --help)", argv[i]);
        }
        *(is_path ? &path : &latex) = argv[i + 1];
    }
    if (path == NULL) {
        return tool_fail(name, "--errata is needed (see --help)");
    }
    return run(path, latex);
}
