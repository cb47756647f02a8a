/** Parities of modes from a text. */
#include "results.h"

#include <math.h>
#include <string.h>

/** Blanks allowed around a word. */
#define BLANKS " \t"

/** One word of a text. */
typedef struct word {
    const char *start;
    size_t length;
    const char *next; /**< after the comma; NULL: none follows */
} word;

/** The word up to the next comma, without the blanks around it. */
static word read_word(const char *text) {
    const size_t end = strcspn(text, ",");
    word w = {text, end, text[end] == ',' ? text + end + 1 : NULL};
    while (w.length > 0 && strchr(BLANKS, w.start[0]) != NULL) {
        w.start++;
        w.length--;
    }
    while (w.length > 0 && strchr(BLANKS, w.start[w.length - 1]) != NULL) {
        w.length--;
    }
    return w;
}

static bool is_word(word w, const char *expected) {
    return w.length == strlen(expected) && memcmp(w.start, expected, w.length) == 0;
}

/** Number of words: one more than commas. */
static int count_words(const char *text) {
    int count = 1;
    for (; *text != '\0'; text++) {
        count += *text == ',' ? 1 : 0;
    }
    return count;
}

carom_status collisionless_read_parity(const char *text, const char *name, int count,
                                       carom_parity *parities, carom_report *report) {
    const int words = count_words(text);
    if (words != 1 && words != count) {
        const carom_status status = carom_report_say(
            report, CAROM_STATUS_CONFLICT,
            "the number of words is %d, 1 or that of the modes, %d, expected", words, count);
        carom_report_set_context(report, name);
        return status;
    }
    const char *next = text;
    for (int i = 0; i < count; i++) {
        const word w = read_word(next);
        if (!is_word(w, "even") && !is_word(w, "odd")) {
            const carom_status status = carom_report_say(
                report, CAROM_STATUS_BAD_FORMAT, "word %d is \"%.*s\", even or odd accepted", i + 1,
                (int)w.length, w.start);
            carom_report_set_context(report, name);
            return status;
        }
        parities[i] = is_word(w, "odd") ? CAROM_PARITY_ODD : CAROM_PARITY_EVEN;
        next = w.next != NULL ? w.next : next;
    }
    return CAROM_OK;
}
