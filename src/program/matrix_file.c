#include <carom/program/internal.h>

#include <carom/record/text.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/** Blanks between numbers, the carriage return of other systems included. */
#define BLANKS " \t\r\v\f"

/** Characters shown of a text that is no number. */
#define SHOWN_CHARACTERS 40

/** A file being read. */
typedef struct matrix_file {
    char *defect;   /**< NULL: nobody asks */
    double *values; /**< [count] so far */
    int count;      /**< numbers */
    int rows;       /**< lines with numbers */
    int columns;    /**< numbers of every row; 0: not known yet; negative: any */
    int line;       /**< from 1 */
} matrix_file;

/** Say what is wrong. */
static carom_status fail(const matrix_file *self, carom_status status, const char *sentence) {
    if (self->defect != NULL) {
        snprintf(self->defect, CAROM_MATRIX_FILE_DEFECT_SIZE, "%s", sentence);
    }
    return status;
}

/** Say that a count is not what it must be. */
static carom_status fail_count(const matrix_file *self, const char *what, int count, int expected) {
    char sentence[CAROM_MATRIX_FILE_DEFECT_SIZE];
    snprintf(sentence, sizeof sentence, "%d %s%s, %d expected", count, what, count == 1 ? "" : "s",
             expected);
    return fail(self, CAROM_STATUS_BAD_FORMAT, sentence);
}

/** Say that a row has another number of numbers than it must. */
static carom_status fail_row(const matrix_file *self, int count) {
    char sentence[CAROM_MATRIX_FILE_DEFECT_SIZE];
    snprintf(sentence, sizeof sentence, "line %d: row %d has %d number%s, %d expected", self->line,
             self->rows + 1, count, count == 1 ? "" : "s", self->columns);
    return fail(self, CAROM_STATUS_BAD_FORMAT, sentence);
}

/** Say what is wrong with an entry of the row that is being read. */
static carom_status fail_entry(const matrix_file *self, int entry, const char *text,
                               const char *reason) {
    char shown[SHOWN_CHARACTERS + 1];
    size_t length = 0;
    for (; length < SHOWN_CHARACTERS && text[length] != '\0'; length++) {
        shown[length] = text[length];
        if (text[length] < ' ' || text[length] > '~') {
            shown[length] = '?';
        }
    }
    shown[length] = '\0';
    const char *quote = length > 0 ? "\"" : "";
    char sentence[CAROM_MATRIX_FILE_DEFECT_SIZE];
    snprintf(sentence, sizeof sentence, "line %d: row %d, entry %d%s%s%s%s%s %s", self->line,
             self->rows + 1, entry, length > 0 ? ", " : "", quote, shown,
             text[length] != '\0' ? "..." : "", quote, reason);
    return fail(self, CAROM_STATUS_BAD_FORMAT, sentence);
}

/** Read one entry, which ends where its text does. */
static carom_status read_entry(matrix_file *self, int entry, const char *text) {
    const char *defect = carom_number_defect(text, &self->values[self->count]);
    if (defect != NULL) {
        return fail_entry(self, entry, text, defect);
    }
    self->count++;
    return CAROM_OK;
}

/** Read one line, cut in place into its entries. */
static carom_status read_line(matrix_file *self, char *text) {
    text[strcspn(text, "#")] = '\0';
    text += strspn(text, BLANKS);
    int entries = 0;
    while (text[0] != '\0') {
        entries++;
        const size_t length = strcspn(text, BLANKS ",");
        if (length == 0) {
            return fail_entry(self, entries, "", "is empty");
        }
        // The next entry, found before this one is cut off: blanks, one comma, blanks.
        char *next = text + length + strspn(text + length, BLANKS);
        next += *next == ',' ? 1 : 0;
        next += strspn(next, BLANKS);
        text[length] = '\0';
        CAROM_TRY(read_entry(self, entries, text));
        text = next;
    }
    if (entries == 0) {
        return CAROM_OK;
    }
    self->columns = self->columns == 0 ? entries : self->columns;
    if (self->columns > 0 && entries != self->columns) {
        return fail_row(self, entries);
    }
    self->rows++;
    return CAROM_OK;
}

/** Read all lines of a text, in place. */
static carom_status read_lines(matrix_file *self, char *text) {
    self->line = 1;
    for (char *line = text; line != NULL; self->line++) {
        char *end = strchr(line, '\n');
        if (end != NULL) {
            *end = '\0';
        }
        CAROM_TRY(read_line(self, line));
        line = end != NULL ? end + 1 : NULL;
    }
    return self->count > 0 ? CAROM_OK
                           : fail(self, CAROM_STATUS_BAD_FORMAT, "there are no numbers in it");
}

/** Say why a file was not loaded. */
static carom_status fail_load(const matrix_file *self, carom_status status) {
    char sentence[CAROM_MATRIX_FILE_DEFECT_SIZE];
    switch (status) {
    case CAROM_STATUS_IO:
        snprintf(sentence, sizeof sentence, "cannot be read: %s", strerror(errno));
        return fail(self, status, sentence);
    case CAROM_STATUS_OUT_OF_RANGE:
        snprintf(sentence, sizeof sentence, "is too large for a matrix: more than %zu bytes",
                 CAROM_TEXT_FILE_MOST_BYTES);
        return fail(self, CAROM_STATUS_BAD_FORMAT, sentence);
    default:
        return fail(self, status, "there is no memory for it");
    }
}

/** Load a file and read the numbers in it; they belong to the caller on success. */
static carom_status read_numbers(matrix_file *self, const char *path) {
    CAROM_AUTO_VALUE(carom_text_buffer) text = {0};
    carom_status status = carom_text_buffer_load(&text, path, CAROM_TEXT_FILE_MOST_BYTES);
    if (status != CAROM_OK) {
        status = fail_load(self, status);
    } else if (text.length == 0) {
        status = fail(self, CAROM_STATUS_BAD_FORMAT, "there are no numbers in it");
    } else if (memchr(text.text, '\0', text.length) != NULL) {
        status = fail(self, CAROM_STATUS_BAD_FORMAT, "is not a text file");
    }
    if (status == CAROM_OK) {
        // A number and what separates it from the next take two characters at least.
        self->values = malloc((text.length / 2 + 1) * sizeof *self->values);
        status = self->values == NULL
                     ? fail(self, CAROM_STATUS_OUT_OF_MEMORY, "there is no memory for it")
                     : read_lines(self, text.text);
    }
    return status;
}

/** Hand out what was read, or free it after a failure. */
static carom_status finish(matrix_file *self, carom_status status, int size, int *out_size,
                           double **out) {
    if (status != CAROM_OK) {
        free(self->values);
        return status;
    }
    *out_size = size;
    *out = self->values;
    return CAROM_OK;
}

/** Nothing is wrong yet. */
static matrix_file start(int columns, double **values, char *defect) {
    *values = NULL;
    if (defect != NULL) {
        defect[0] = '\0';
    }
    return (matrix_file){.defect = defect, .columns = columns};
}

carom_status carom_matrix_file_square(const char *path, int *size, double **values, char *defect) {
    CAROM_ASSERT(path != NULL && size != NULL && *size >= 0 && values != NULL);
    matrix_file self = start(*size, values, defect);
    carom_status status = read_numbers(&self, path);
    if (status == CAROM_OK && self.rows != self.columns) {
        status = fail_count(&self, "row", self.rows, self.columns);
    }
    return finish(&self, status, self.columns, size, values);
}

carom_status carom_matrix_file_vector(const char *path, int *size, double **values, char *defect) {
    CAROM_ASSERT(path != NULL && size != NULL && *size >= 0 && values != NULL);
    matrix_file self = start(-1, values, defect);
    carom_status status = read_numbers(&self, path);
    if (status == CAROM_OK && *size > 0 && self.count != *size) {
        status = fail_count(&self, "number", self.count, *size);
    }
    return finish(&self, status, self.count, size, values);
}
