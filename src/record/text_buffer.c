#include <carom/record/text.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* First allocation, and bytes read from a file at a time. */
#define FIRST_CAPACITY 4096

/* UTF-8's byte order mark. */
#define MARK_SIZE 3
static const char mark[] = "\xEF\xBB\xBF";

/* Make room for `count` more bytes and the terminating zero, at least doubling. */
static bool reserve(carom_text_buffer *buffer, size_t count) {
    const size_t needed = buffer->length + count + 1;
    if (needed <= buffer->capacity) {
        return true;
    }
    size_t capacity = buffer->capacity == 0 ? FIRST_CAPACITY : 2 * buffer->capacity;
    if (capacity < needed) {
        capacity = needed;
    }
    char *text = realloc(buffer->text, capacity);
    if (text == NULL) {
        buffer->failure = CAROM_STATUS_OUT_OF_MEMORY;
        return false;
    }
    buffer->text = text;
    buffer->capacity = capacity;
    return true;
}

void carom_text_buffer_add(carom_text_buffer *buffer, const char *bytes, size_t count) {
    if (buffer->failure != CAROM_OK || !reserve(buffer, count)) {
        return;
    }
    if (count > 0) {
        memcpy(buffer->text + buffer->length, bytes, count);
    }
    buffer->length += count;
    buffer->text[buffer->length] = '\0';
}

void carom_text_buffer_print(carom_text_buffer *buffer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int count = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (count < 0) {
        buffer->failure = CAROM_STATUS_BAD_FORMAT;
    }
    if (buffer->failure != CAROM_OK || !reserve(buffer, (size_t)count)) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(buffer->text + buffer->length, (size_t)count + 1, format, arguments);
    va_end(arguments);
    buffer->length += (size_t)count;
}

/* Bytes of the letter that begins a text, 0 if it is none. */
static size_t letter_size(const unsigned char *text) {
    static const struct {
        unsigned char mask;
        unsigned char mark;
        unsigned long least; /* smaller ones have a shorter spelling */
    } lead[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (size_t i = 0; i < sizeof lead / sizeof lead[0]; ++i) {
        if ((text[0] & lead[i].mask) != lead[i].mark) {
            continue;
        }
        unsigned long letter = text[0] & (unsigned char)~lead[i].mask;
        for (size_t k = 1; k <= i; ++k) {
            if ((text[k] & 0xc0) != 0x80) {
                return 0;
            }
            letter = letter << 6 | (text[k] & 0x3f);
        }
        const bool is_surrogate = letter >= 0xd800 && letter <= 0xdfff;
        return letter >= lead[i].least && letter <= 0x10ffff && !is_surrogate ? i + 1 : 0;
    }
    return 0;
}

int carom_text_width(const char *text, size_t length) {
    int width = 0;
    for (size_t i = 0; i < length; i++) {
        // All bytes but those that continue a letter.
        width += ((unsigned char)text[i] & 0xc0) != 0x80 ? 1 : 0;
    }
    return width;
}

bool carom_text_is_utf8(const char *text) {
    CAROM_ASSERT(text != NULL);
    const unsigned char *letter = (const unsigned char *)text;
    while (*letter != '\0') {
        const size_t size = letter_size(letter);
        if (size == 0) {
            return false;
        }
        letter += size;
    }
    return true;
}

void carom_text_buffer_clear(carom_text_buffer *buffer) {
    free(buffer->text);
    memset(buffer, 0, sizeof *buffer);
}

/* Cut off the byte order mark with which some editors begin a text. */
static void cut_mark(carom_text_buffer *buffer) {
    if (buffer->length >= MARK_SIZE && memcmp(buffer->text, mark, MARK_SIZE) == 0) {
        buffer->length -= MARK_SIZE;
        memmove(buffer->text, buffer->text + MARK_SIZE, buffer->length + 1);
    }
}

carom_status carom_text_buffer_load(carom_text_buffer *buffer, const char *path, size_t most) {
    CAROM_ASSERT(buffer != NULL && path != NULL);
    carom_text_buffer_clear(buffer);
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        return CAROM_STATUS_IO;
    }
    char block[FIRST_CAPACITY];
    size_t count = 0;
    do {
        count = fread(block, 1, sizeof block, stream);
        carom_text_buffer_add(buffer, block, count);
        if (buffer->length > most) {
            buffer->failure = CAROM_STATUS_OUT_OF_RANGE;
        }
    } while (count > 0 && buffer->failure == CAROM_OK);
    if (ferror(stream) != 0) {
        buffer->failure = CAROM_STATUS_IO;
    }
    fclose(stream);
    if (buffer->failure == CAROM_OK) {
        cut_mark(buffer);
    }
    return buffer->failure;
}

carom_status carom_text_buffer_save(const carom_text_buffer *buffer, const char *path,
                                    bool *changed) {
    CAROM_ASSERT(buffer != NULL && path != NULL);
    if (changed != NULL) {
        *changed = false;
    }
    CAROM_TRY(buffer->failure);
    carom_work_file *file = NULL;
    CAROM_TRY(carom_work_file_open(path, &file));
    const carom_status status = carom_work_file_write(file, 0, buffer->text, buffer->length);
    if (status != CAROM_OK) {
        carom_work_file_discard(file);
        return status;
    }
    return carom_work_file_commit(file, changed);
}
