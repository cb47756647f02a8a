#include <carom/record/text.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What stands for a letter that LaTeX would take as a command; NULL if it stands for itself. */
static const char *replacement(char letter) {
    switch (letter) {
    case '\\':
        return "\\textbackslash{}";
    case '~':
        return "\\textasciitilde{}";
    case '^':
        return "\\textasciicircum{}";
    case '<':
        return "\\textless{}";
    case '>':
        return "\\textgreater{}";
    case '|':
        return "\\textbar{}";
    case '"':
        return "\\textquotedbl{}";
    case '&':
        return "\\&";
    case '%':
        return "\\%";
    case '$':
        return "\\$";
    case '#':
        return "\\#";
    case '_':
        return "\\_";
    case '{':
        return "\\{";
    case '}':
        return "\\}";
    case '\n':
    case '\r':
        return " ";
    default:
        return NULL;
    }
}

static void escape_letter(carom_text_buffer *buffer, const char *letter) {
    const char *stand_in = replacement(*letter);
    carom_text_buffer_add(buffer, stand_in != NULL ? stand_in : letter,
                          stand_in != NULL ? strlen(stand_in) : 1);
}

void carom_latex_escape(carom_text_buffer *buffer, const char *text) {
    for (const char *letter = text; *letter != '\0'; ++letter) {
        escape_letter(buffer, letter);
    }
}

void carom_latex_text(carom_text_buffer *buffer, const char *text) {
    for (const char *next = text; *next != '\0';) {
        const char *from = strchr(next, '$');
        const char *end = from == NULL ? NULL : strchr(from + 1, '$');
        const size_t plain = end == NULL ? strlen(next) : (size_t)(from - next);
        for (size_t i = 0; i < plain; ++i) {
            escape_letter(buffer, next + i);
        }
        if (end == NULL) {
            return;
        }
        carom_text_buffer_add(buffer, from, (size_t)(end - from) + 1);
        next = end + 1;
    }
}

void carom_latex_tidy_number(char *text) {
    /* A minus before nothing but zeros says nothing. */
    const size_t mantissa = strcspn(text, "eE");
    const size_t zeros = strspn(text + (text[0] == '-' ? 1 : 0), "0.");
    if (text[0] == '-' && zeros + 1 == mantissa) {
        memmove(text, text + 1, strlen(text));
    }

    /* The exponent without plus sign and leading zeros. */
    char *exponent = strpbrk(text, "eE");
    if (exponent == NULL) {
        return;
    }
    char *target = exponent + 1;
    const char *source = target;
    if (*source == '-' || *source == '+') {
        target += *source == '-' ? 1 : 0;
        ++source;
    }
    while (source[0] == '0' && source[1] != '\0') {
        ++source;
    }
    memmove(target, source, strlen(source) + 1);
}

/* "%.Nf", "%.Ne", "%.Ng" with N of one or two digits. */
static carom_status parse_format(const char *format, int *precision, char *conversion) {
    if (strncmp(format, "%.", 2) != 0) {
        return CAROM_STATUS_BAD_FORMAT;
    }
    const char *digit = format + 2;
    const size_t digit_count = strspn(digit, "0123456789");
    const char *last = digit + digit_count;
    if (digit_count < 1 || digit_count > 2 || strspn(last, "efg") != 1 || last[1] != '\0') {
        return CAROM_STATUS_BAD_FORMAT;
    }
    *precision = digit[0] - '0';
    if (digit_count == 2) {
        *precision = 10 * *precision + (digit[1] - '0');
    }
    *conversion = last[0];
    return CAROM_OK;
}

carom_status carom_latex_number(const char *format, double value,
                                char text[CAROM_LATEX_NUMBER_SIZE]) {
    CAROM_ASSERT(format != NULL && text != NULL);
    text[0] = '\0';
    int precision = 0;
    char conversion = '\0';
    CAROM_TRY(parse_format(format, &precision, &conversion));
    if (!isfinite(value)) {
        return CAROM_STATUS_NOT_FINITE;
    }
    const size_t size = CAROM_LATEX_NUMBER_SIZE;
    switch (conversion) {
    case 'e':
        if (fabs(value) > 0.0) {
            snprintf(text, size, "%.*e", precision, value);
        } else { // zero has no power of ten
            snprintf(text, size, "0");
        }
        break;
    case 'f':
        snprintf(text, size, "%.*f", precision, value);
        break;
    default:
        snprintf(text, size, "%.*g", precision, value);
        break;
    }
    carom_latex_tidy_number(text);
    return CAROM_OK;
}
