/** Compiler attributes, so that no other file names a compiler. */
#ifndef CAROM_BASE_ATTRIBUTES_H
#define CAROM_BASE_ATTRIBUTES_H

#if defined(__GNUC__) || defined(__clang__)
#define CAROM_MUST_CHECK __attribute__((warn_unused_result))
#define CAROM_PRINTF(text, first) __attribute__((format(printf, text, first)))
/** A definition that gives way to one in the user's program. */
#define CAROM_WEAK __attribute__((weak))
#define CAROM_NO_RETURN __attribute__((noreturn))
#else
#define CAROM_MUST_CHECK
#define CAROM_PRINTF(text, first)
#define CAROM_WEAK
#define CAROM_NO_RETURN
#endif

/** End the program with "carom: FUNCTION: CONDITION does not hold" on stderr. */
CAROM_NO_RETURN void carom_assert_failed(const char *function, const char *condition);

/** Programmer errors only (wrong size, NULL), checked in every build; refused input and numerical
 * outcomes are statuses. */
#define CAROM_ASSERT(condition) ((condition) ? (void)0 : carom_assert_failed(__func__, #condition))

#endif
