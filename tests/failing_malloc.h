/**
 * Allocations of the library that fail on request. The linker sends its calls to malloc, calloc and
 * realloc to the functions below: the Makefile asks for it (option --wrap) wherever a suite defines
 * a function __wrap_NAME. To be included by one source of a program.
 */
#ifndef CAROM_TESTS_FAILING_MALLOC_H
#define CAROM_TESTS_FAILING_MALLOC_H

#include <stdbool.h>
#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

/** Allocations that still succeed before one fails, after which all do; negative: none fails. */
static int successes_left = -1;

/** Allocations asked for since the test last set it to zero. */
static int allocations = 0;

/** Count the call; false once, when the successes are used up. */
static bool may_allocate(void) {
    allocations++;
    return successes_left < 0 || successes_left-- > 0;
}

/** Bytes of the largest of them. */
static size_t largest_allocation = 0;

/** Remember how large a call is; it goes on. */
static void measure_allocation(size_t size) {
    largest_allocation = size > largest_allocation ? size : largest_allocation;
}

void *__wrap_malloc(size_t size) {
    measure_allocation(size);
    return may_allocate() ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size) {
    measure_allocation(count * size);
    return may_allocate() ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *memory, size_t size) {
    measure_allocation(size);
    return may_allocate() ? __real_realloc(memory, size) : NULL;
}

#endif
