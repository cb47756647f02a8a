/** Compiler attributes, so that no other file names a compiler. */
#ifndef CAROM_BASE_ATTRIBUTES_H
#define CAROM_BASE_ATTRIBUTES_H

/* The declarations of a public header stand between these two: callable from C++, and exported by a
 * library whose other symbols are hidden. */
#ifdef __cplusplus
#define CAROM_LINKAGE_BEGIN extern "C" {
#define CAROM_LINKAGE_END }
#else
#define CAROM_LINKAGE_BEGIN
#define CAROM_LINKAGE_END
#endif

#if defined(__GNUC__) || defined(__clang__)
#define CAROM_BEGIN_DECLARATIONS _Pragma("GCC visibility push(default)") CAROM_LINKAGE_BEGIN
#define CAROM_END_DECLARATIONS CAROM_LINKAGE_END _Pragma("GCC visibility pop")
#define CAROM_MUST_CHECK __attribute__((warn_unused_result))
#define CAROM_PRINTF(text, first) __attribute__((format(printf, text, first)))
/** A definition that gives way to one in the user's program. */
#define CAROM_WEAK __attribute__((weak))
#define CAROM_NO_RETURN __attribute__((noreturn))
// NOLINTBEGIN(bugprone-macro-parentheses): types cannot stand in parentheses here
/** Beside TYPE_free(TYPE *): lets TYPE stand in CAROM_AUTO. */
#define CAROM_AUTO_TYPE(type)                          \
    static inline void type##_auto_free(type **held) { \
        type##_free(*held);                            \
    }
/** A local pointer to TYPE, given to TYPE_free when it leaves its scope:
 * `CAROM_AUTO(carom_model) model = NULL;`. To hand it on, copy it and set it to NULL. */
#define CAROM_AUTO(type) __attribute__((cleanup(type##_auto_free))) type *
// NOLINTEND(bugprone-macro-parentheses)
/** The same for memory of malloc: `CAROM_AUTO_MEMORY double *x = malloc(...)`. */
#define CAROM_AUTO_MEMORY __attribute__((cleanup(carom_auto_free_memory)))
#else
#define CAROM_BEGIN_DECLARATIONS CAROM_LINKAGE_BEGIN
#define CAROM_END_DECLARATIONS CAROM_LINKAGE_END
#define CAROM_MUST_CHECK
#define CAROM_PRINTF(text, first)
#define CAROM_WEAK
#define CAROM_NO_RETURN
#define CAROM_AUTO_TYPE(type)
#endif

CAROM_BEGIN_DECLARATIONS

/** End the program with "carom: FUNCTION: CONDITION does not hold" on stderr. */
CAROM_NO_RETURN void carom_assert_failed(const char *function, const char *condition);

/** Free what a pointer at this address points to (CAROM_AUTO_MEMORY). */
void carom_auto_free_memory(void *pointer);

CAROM_END_DECLARATIONS

/** Programmer errors only (wrong size, NULL), checked in every build; refused input and numerical
 * outcomes are statuses. */
#define CAROM_ASSERT(condition) ((condition) ? (void)0 : carom_assert_failed(__func__, #condition))

#endif
