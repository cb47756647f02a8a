/** What everything else stands on: the version, compiler attributes, the status codes with their
 * report, and square matrices in full or banded storage. */
#ifndef CAROM_BASE_BASE_H
#define CAROM_BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** The version of the library, as records and programs state it. */
#define CAROM_VERSION "0.2.0"

/* ----------------------------------------------------------------------------------- attributes */
/* Compiler attributes, so that no other file names a compiler. */

#ifdef __cplusplus
#define CAROM_LINKAGE_BEGIN extern "C" {
#define CAROM_LINKAGE_END }
#else
/** In C++ the linkage of C, in C nothing. */
#define CAROM_LINKAGE_BEGIN
/** Its end. */
#define CAROM_LINKAGE_END
#endif

#if defined(__GNUC__) || defined(__clang__)
/** The declarations of a public header begin: callable from C++, and exported by a library whose
 * other symbols are hidden. */
#define CAROM_BEGIN_DECLARATIONS _Pragma("GCC visibility push(default)") CAROM_LINKAGE_BEGIN
/** They end. */
#define CAROM_END_DECLARATIONS CAROM_LINKAGE_END _Pragma("GCC visibility pop")
/** A result that may not be ignored. */
#define CAROM_MUST_CHECK __attribute__((warn_unused_result))
/** Arguments from `first` on go with the format at `text`, counted from 1, as in printf. */
#define CAROM_PRINTF(text, first) __attribute__((format(printf, text, first)))
/** A definition that gives way to one in the user's program. */
#define CAROM_WEAK __attribute__((weak))
/** A function that ends the program. */
#define CAROM_NO_RETURN __attribute__((noreturn))
// NOLINTBEGIN(bugprone-macro-parentheses): types cannot stand in parentheses here
/** Beside TYPE_free(TYPE *): lets TYPE stand in CAROM_AUTO. */
#define CAROM_AUTO_TYPE(type)                          \
    static inline void type##_auto_free(type **held) { \
        type##_free(*held);                            \
    }
/** A local pointer to TYPE, given to TYPE_free when it leaves its scope:
 * `CAROM_AUTO(carom_model) model = NULL;`. CAROM_HAND_OVER hands it on. */
#define CAROM_AUTO(type) __attribute__((cleanup(type##_auto_free))) type *
/** The same for a value that TYPE_clear(TYPE *) clears in place:
 * `CAROM_AUTO_VALUE(carom_bracket) bracket = {0};`. */
#define CAROM_AUTO_VALUE(type) __attribute__((cleanup(type##_clear))) type
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

/** Give what a local pointer holds to *out: it is no longer freed here. */
#define CAROM_HAND_OVER(held, out) \
    do {                           \
        *(out) = (held);           \
        (held) = NULL;             \
    } while (0)

CAROM_BEGIN_DECLARATIONS

/** End the program with "carom: FUNCTION: CONDITION does not hold" on stderr. */
CAROM_NO_RETURN void carom_assert_failed(const char *function, const char *condition);

/** Free what a pointer at this address points to (CAROM_AUTO_MEMORY). */
void carom_auto_free_memory(void *pointer);

/** Programmer errors only (wrong size, NULL), checked in every build; refused input and numerical
 * outcomes are statuses. */
#define CAROM_ASSERT(condition) ((condition) ? (void)0 : carom_assert_failed(__func__, #condition))

/* ---------------------------------------------------------------------------- status and report */
/* The one error channel: status codes, each with its sentence, and the report of a failure. */

/** Every status code and its sentence: X(code, sentence). */
#define CAROM_STATUS_LIST(X)                                                           \
    X(OK, "success")                                                                   \
    X(OUT_OF_MEMORY, "out of memory")                                                  \
    X(NOT_FINITE, "a value is NaN or infinite")                                        \
    X(OUT_OF_RANGE, "a value is outside its admissible range")                         \
    X(PENETRATION, "the initial position penetrates a contact")                        \
    X(INCONSISTENT, "the initial state violates a joint")                              \
    X(CONFLICT, "two inputs contradict each other")                                    \
    X(UNSUPPORTED, "a method does not compute this")                                   \
    X(SINGULAR, "a matrix is singular")                                                \
    X(NOT_SYMMETRIC, "a matrix that must be symmetric is not")                         \
    X(RAY, "the complementarity problem ended on a ray")                               \
    X(NOT_CONVERGED, "the iteration did not converge")                                 \
    X(DERIVATIVE_MISMATCH, "a supplied derivative differs from its finite difference") \
    X(IO, "a file cannot be read or written")                                          \
    X(NOT_FOUND, "a name does not exist")                                              \
    X(BAD_FORMAT, "a text is malformed")

/** What a function that can fail returns; docstrings name codes without CAROM_STATUS_. */
typedef enum carom_status {
#define CAROM_STATUS_ENUMERATE(code, sentence) CAROM_STATUS_##code,
    CAROM_STATUS_LIST(CAROM_STATUS_ENUMERATE)
#undef CAROM_STATUS_ENUMERATE
} carom_status;

/** Success, 0. */
#define CAROM_OK CAROM_STATUS_OK

/** Characters of a report's context, the closing zero included: as long as the group of a run. */
#define CAROM_REPORT_CONTEXT_SIZE 48

/** Characters of a report's own sentence, the closing zero included. */
#define CAROM_REPORT_SENTENCE_SIZE 256

/**
 * What went wrong, in numbers. Filled by the function that detects a failure; untouched on success.
 * The quantity is a static constant, never to be freed.
 */
typedef struct carom_report {
    const char *quantity; /**< what failed ("mass", "position residual", ...); NULL if unknown */
    double value;         /**< its offending value, in its own unit; NaN if none */
    const char *units;    /**< of that value ("kg"), static; NULL if not known */
    const char
        *accepted;   /**< what would be accepted ("in [0,1]", "> 0"), static; NULL if not said */
    double bound;    /**< number that ends it ("at most"), in the value's unit; NaN if none */
    int index;       /**< which entry (contact, coordinate, row); -1 if none */
    double time;     /**< time of the failure in s; NaN if none */
    double step;     /**< step size in s; NaN if none */
    double residual; /**< largest scaled residual; NaN if none */
    int iterations;  /**< iterations spent; 0 if none */
    char context[CAROM_REPORT_CONTEXT_SIZE];   /**< which part of the work failed ("moreau_jean"),
                                                  set by who runs several; "" if none */
    char sentence[CAROM_REPORT_SENTENCE_SIZE]; /**< says it all where numbers do not, in place of
                                                  the status's sentence and the quantity; "" if none
                                                */
} carom_report;

/** A report that says nothing yet. */
carom_report carom_report_empty(void);

/**
 * Fill quantity, value and index of a report and hand back the status, so that a check reads as one
 * line.
 *
 * @param[out] report   may be NULL
 * @param[in]  status   returned unchanged
 * @param[in]  quantity static string
 * @param[in]  value    offending value
 * @param[in]  index    offending entry, -1 if none
 */
carom_status carom_report_fail(carom_report *report, carom_status status, const char *quantity,
                               double value, int index);

/** The same for a value outside its range, with what would be accepted, a static string. @return
 * OUT_OF_RANGE */
carom_status carom_report_refuse(carom_report *report, const char *quantity, double value,
                                 int index, const char *accepted);

/** The same for a range that depends on other values: accepted ("at most") ends with the bound. */
carom_status carom_report_bound(carom_report *report, const char *quantity, double value,
                                const char *accepted, double bound);

/**
 * Refuse an array that has a NaN or an infinity, by the first of them.
 *
 * @param[out] report   may be NULL
 * @param[in]  quantity static string
 * @param[in]  count    of values
 * @param[in]  values   [count]
 * @return CAROM_OK; NOT_FINITE
 */
CAROM_MUST_CHECK
carom_status carom_report_require_finite(carom_report *report, const char *quantity, int count,
                                         const double *values);

/**
 * Fill a report with a sentence of its own, cut to fit, and hand back the status.
 *
 * @param[out] report may be NULL
 * @param[in]  status returned unchanged
 * @param[in]  format of printf, without a closing stop or newline
 */
CAROM_PRINTF(3, 4)
carom_status carom_report_say(carom_report *report, carom_status status, const char *format, ...);

/** Say which part of the work a report is about: copied, cut to fit; NULL report accepted. */
void carom_report_set_context(carom_report *report, const char *context);

/**
 * Print what went wrong as one line, without a name of the program and with a newline:
 *
 *     CONTEXT: SENTENCE at t = T s with h = H s: QUANTITY[INDEX] = VALUE UNITS, accepted RANGE
 *     BOUND UNITS, residual R after N iterations
 *
 * leaving out what the report does not know.
 *
 * @param[in] stream where to
 * @param[in] status what the function returned
 * @param[in] report that it filled; NULL: only the status is said
 */
void carom_report_print(FILE *stream, carom_status status, const carom_report *report);

/** The sentence of a status, a static string; "unknown status" for a value outside the list. */
const char *carom_status_sentence(carom_status status);

/** The name of a status as written in code without prefix ("NOT_FINITE"), a static string. */
const char *carom_status_name(carom_status status);

/** Pass a failing status up to the caller. Only where no resource is held. */
#define CAROM_TRY(call)                               \
    do {                                              \
        const carom_status carom_try_status = (call); \
        if (carom_try_status != CAROM_OK) {           \
            return carom_try_status;                  \
        }                                             \
    } while (0)

/* ------------------------------------------------------------------------------------- matrices */
/* Square matrices in one of two storages, full or banded, behind one set of operations. */

/**
 * How an n x n matrix is stored, row-major. Full: [n][n], entry (i,j) at i n + j. Banded with half
 * bandwidth b: [n][2b+1], entry (i,j), |i-j| <= b, at i (2b+1) + (j-i+b); entries of the first and
 * last rows that fall outside the matrix are stored but never read. b = 0 is diagonal, 1
 * tridiagonal.
 */
typedef struct carom_layout {
    int size;           /**< n >= 1 */
    bool is_banded;     /**< false: full */
    int half_bandwidth; /**< b >= 0; ignored when full */
} carom_layout;

/** Full storage of an n x n matrix. */
carom_layout carom_layout_full(int size);

/** Banded storage of an n x n matrix with half bandwidth b. */
carom_layout carom_layout_banded(int size, int half_bandwidth);

/** Number of doubles that a matrix of this layout takes. */
size_t carom_layout_entry_count(carom_layout layout);

/** First column stored in row i. */
int carom_layout_first_column(carom_layout layout, int row);

/** One past the last column stored in row i. */
int carom_layout_end_column(carom_layout layout, int row);

/** Position of entry (i,j) in the storage; (i,j) must be stored. */
size_t carom_layout_index(carom_layout layout, int row, int column);

/**
 * y += alpha A x.
 *
 * @param[in]     layout storage of A
 * @param[in]     alpha  factor
 * @param[in]     A      matrix in that storage
 * @param[in]     x      [n]
 * @param[in,out] y      [n], may not overlap x
 */
void carom_layout_multiply_add(carom_layout layout, double alpha, const double *A, const double *x,
                               double *y);

CAROM_END_DECLARATIONS

#endif
