/** The one error channel: status codes, each with its sentence, and the report that goes with one.
 */
#ifndef CAROM_BASE_STATUS_H
#define CAROM_BASE_STATUS_H

#include <carom/base/attributes.h>

#include <stdio.h>

CAROM_BEGIN_DECLARATIONS

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

typedef enum carom_status {
#define CAROM_STATUS_ENUMERATE(code, sentence) CAROM_STATUS_##code,
    CAROM_STATUS_LIST(CAROM_STATUS_ENUMERATE)
#undef CAROM_STATUS_ENUMERATE
} carom_status;

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

CAROM_END_DECLARATIONS

#endif
