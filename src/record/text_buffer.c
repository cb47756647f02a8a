#include <carom/record/text_buffer.h>

#include <carom/record/work_file.h>
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
    return carom_work_file_commit(file, buffer->text, buffer->length, changed);
}
