#include <carom/program/internal.h>
#include <carom/record/text.h>

#include <string.h>

/** Columns of the narrowest terminal that is used. */
enum { COLUMNS = 80 };

/** Where the next word of a paragraph goes. */
typedef struct paragraph {
    bool is_open;   /**< its last line is not ended */
    bool is_usage;  /**< among the lines that say how a program is called */
    bool is_closed; /**< the next line is no part of it: a demand in brackets, or a usage */
    bool is_fresh;  /**< no word stands in the line yet */
    int column;     /**< columns of the line so far */
    int hanging;    /**< blanks before its further lines */
} paragraph;

/** Put what is not broken into this line, or into the next. */
static void put_piece(paragraph *self, const char *piece, size_t length, bool is_joined) {
    const int width = carom_text_width(piece, length);
    int blanks = self->is_fresh || is_joined ? 0 : 1;
    if (!self->is_fresh && self->column + blanks + width > COLUMNS) {
        printf("\n%*s", self->hanging, "");
        self->column = self->hanging;
        blanks = 0;
    }
    printf("%*s%.*s", blanks, "", (int)length, piece);
    self->column += blanks + width;
    self->is_fresh = false;
}

/** Put some words; a list that is longer than a line is broken behind its separators. */
static void put_words(paragraph *self, const char *text, size_t length) {
    const char *end = text + length;
    while ((text += strspn(text, " ")) < end) {
        size_t rest = strcspn(text, " \n");
        const bool is_list = carom_text_width(text, rest) > COLUMNS - self->hanging;
        for (bool is_joined = false; rest > 0; is_joined = true) {
            const size_t part = is_list ? strcspn(text, "|,") + 1 : rest;
            const size_t piece = part < rest ? part : rest;
            put_piece(self, text, piece, is_joined);
            text += piece;
            rest -= piece;
        }
    }
}

/** Begin a paragraph with a line. @return bytes of its head, which stands as it is: blanks, and an
 * entry with those that follow it, below which what is said of it stays */
static size_t begin(paragraph *self, const char *line, size_t length) {
    static const char usage[] = "Usage: ";
    const bool is_first = strncmp(line, usage, sizeof usage - 1) == 0;
    const size_t indent = strspn(line, " ");
    self->is_usage = is_first || (self->is_usage && indent > 0);
    size_t head = is_first ? sizeof usage - 1 : indent;
    size_t hanging = head;
    if (self->is_usage) {
        hanging += strcspn(line + head, " \n") + 1;
    } else {
        const char *gap = strstr(line + indent, "  ");
        if (gap != NULL && gap < line + length) {
            head = (size_t)(gap - line) + strspn(gap, " ");
        }
        hanging = head + (line[head] == '(' ? 1 : 0);
    }
    self->is_open = true;
    self->is_closed = hanging > head;
    self->is_fresh = true;
    self->column = carom_text_width(line, head);
    self->hanging = self->column + (int)(hanging - head);
    printf("%.*s", (int)head, line);
    return head;
}

void carom_help_print(const char *text) {
    paragraph self = {.is_open = false};
    for (size_t length = 0; *text != '\0'; text += length + (text[length] != '\0' ? 1 : 0)) {
        length = strcspn(text, "\n");
        const bool goes_on =
            self.is_open && !self.is_closed && (int)strspn(text, " ") == self.hanging;
        if (self.is_open && !(goes_on && length > 0)) {
            putchar('\n');
            self.is_open = false;
        }
        if (length == 0) {
            putchar('\n');
            continue;
        }
        const size_t head = self.is_open ? 0 : begin(&self, text, length);
        put_words(&self, text + head, length - head);
    }
    if (self.is_open) {
        putchar('\n');
    }
}

void carom_words_print(int indent, const char *text) {
    paragraph self = {.is_fresh = true, .column = indent, .hanging = indent};
    printf("%*s", indent, "");
    for (; *(text += strspn(text, " \n")) != '\0'; text += strcspn(text, "\n")) {
        put_words(&self, text, strcspn(text, "\n"));
    }
    putchar('\n');
}
