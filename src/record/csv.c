#include <carom/record/text.h>

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Position in the text to be read and in the storage to be filled. */
typedef struct scanner {
    const char *text;
    size_t size;
    size_t position;
    int line;
    char *target; /* next free byte of the storage */
    const char *defect;
} scanner;

/* What ends a field. */
typedef enum ending { ENDING_COMMA, ENDING_LINE, ENDING_DEFECT } ending;

static ending defect(scanner *scan, const char *what) {
    scan->defect = what;
    return ENDING_DEFECT;
}

/* Whether a line ends here: LF, CR LF, or the end of the text. */
static bool is_at_line_end(const scanner *scan) {
    const size_t left = scan->size - scan->position;
    const char *next = scan->text + scan->position;
    return left == 0 || next[0] == '\n' || (left >= 2 && next[0] == '\r' && next[1] == '\n');
}

/* Step over a line end; false at the end of the text. */
static bool skip_line_end(scanner *scan) {
    if (scan->position == scan->size) {
        return false;
    }
    scan->position += scan->text[scan->position] == '\r' ? 2 : 1;
    scan->line += 1;
    return true;
}

/* Step over the comma or stop before the line end. */
static ending finish_field(scanner *scan, const char *otherwise) {
    *scan->target++ = '\0';
    if (is_at_line_end(scan)) {
        return ENDING_LINE;
    }
    if (scan->text[scan->position] == ',') {
        scan->position += 1;
        return ENDING_COMMA;
    }
    return defect(scan, otherwise);
}

/* A field in quotes: everything up to the closing one, doubled quotes halved. */
static ending scan_quoted(scanner *scan) {
    const int first_line = scan->line;
    scan->position += 1;
    while (scan->position < scan->size) {
        const char letter = scan->text[scan->position++];
        if (letter == '"') {
            const bool is_doubled =
                scan->position < scan->size && scan->text[scan->position] == '"';
            if (!is_doubled) {
                return finish_field(scan, "text after a closing quote");
            }
            scan->position += 1;
        }
        if (letter == '\0') {
            return defect(scan, "a zero byte");
        }
        scan->line += letter == '\n' ? 1 : 0;
        *scan->target++ = letter;
    }
    scan->line = first_line;
    return defect(scan, "an unclosed quote");
}

/* A bare field: everything up to the comma or line end. */
static ending scan_bare(scanner *scan) {
    while (!is_at_line_end(scan) && scan->text[scan->position] != ',') {
        const char letter = scan->text[scan->position];
        if (letter == '"') {
            return defect(scan, "a quote inside an unquoted field");
        }
        if (letter == '\r' || letter == '\0') {
            return defect(scan, letter == '\r' ? "a bare carriage return" : "a zero byte");
        }
        *scan->target++ = letter;
        scan->position += 1;
    }
    return finish_field(scan, "");
}

/* All fields of the row that begins here. */
static ending scan_row(scanner *scan, carom_csv *csv) {
    csv->line[csv->row_count] = scan->line;
    int count = csv->first[csv->row_count];
    ending end = ENDING_COMMA;
    while (end == ENDING_COMMA) {
        csv->field[count++] = scan->target;
        const bool is_quoted = scan->position < scan->size && scan->text[scan->position] == '"';
        end = is_quoted ? scan_quoted(scan) : scan_bare(scan);
    }
    csv->row_count += 1;
    csv->first[csv->row_count] = count;
    return end;
}

/* Room for every field that the separators of the text can make. */
static carom_status allocate(const char *text, size_t size, carom_csv *csv) {
    size_t lines = 1;
    size_t fields = 1;
    for (size_t i = 0; i < size; ++i) {
        lines += text[i] == '\n' ? 1 : 0;
        fields += text[i] == '\n' || text[i] == ',' ? 1 : 0;
    }
    if (size >= INT_MAX) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    csv->line = calloc(lines, sizeof *csv->line);
    csv->first = calloc(lines + 1, sizeof *csv->first);
    csv->field = calloc(fields, sizeof *csv->field);
    /* Unquoted text is never longer; one terminating zero replaces each separator. */
    csv->storage = malloc(size + 1);
    const bool is_complete =
        csv->line != NULL && csv->first != NULL && csv->field != NULL && csv->storage != NULL;
    return is_complete ? CAROM_OK : CAROM_STATUS_OUT_OF_MEMORY;
}

carom_status carom_csv_parse(const char *text, size_t size, carom_csv *out, carom_report *report) {
    CAROM_ASSERT((text != NULL || size == 0) && out != NULL);
    memset(out, 0, sizeof *out);
    const carom_status status = allocate(text, size, out);
    if (status != CAROM_OK) {
        carom_csv_clear(out);
        return status;
    }
    scanner scan = {text, size, 0, 1, out->storage, NULL};
    do {
        const bool is_blank = is_at_line_end(&scan);
        if (!is_blank && scan_row(&scan, out) == ENDING_DEFECT) {
            carom_csv_clear(out);
            return carom_report_fail(report, CAROM_STATUS_BAD_FORMAT, scan.defect, NAN, scan.line);
        }
    } while (skip_line_end(&scan));
    return CAROM_OK;
}

void carom_csv_clear(carom_csv *csv) {
    free(csv->line);
    free(csv->first);
    free(csv->field);
    free(csv->storage);
    memset(csv, 0, sizeof *csv);
}

int carom_csv_field_count(const carom_csv *csv, int row) {
    CAROM_ASSERT(row >= 0 && row < csv->row_count);
    return csv->first[row + 1] - csv->first[row];
}

const char *carom_csv_field(const carom_csv *csv, int row, int column) {
    CAROM_ASSERT(column >= 0 && column < carom_csv_field_count(csv, row));
    return csv->field[csv->first[row] + column];
}
