/** Compiler attributes, so that no other file names a compiler. */
#ifndef CAROM_BASE_ATTRIBUTES_H
#define CAROM_BASE_ATTRIBUTES_H

#include <assert.h>

#if defined(__GNUC__) || defined(__clang__)
#define CAROM_MUST_CHECK __attribute__((warn_unused_result))
#define CAROM_PRINTF(text, first) __attribute__((format(printf, text, first)))
/** A definition that gives way to one in the user's program. */
#define CAROM_WEAK __attribute__((weak))
#else
#define CAROM_MUST_CHECK
#define CAROM_PRINTF(text, first)
#define CAROM_WEAK
#endif

/** Programmer errors only (wrong size, NULL); refused input and numerical outcomes are statuses. */
#define CAROM_ASSERT(condition) assert(condition)

#endif
