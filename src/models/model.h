/** A system of a paper: its mechanism and initial state, in one heap object. */
#ifndef CAROM_MODELS_MODEL_H
#define CAROM_MODELS_MODEL_H

#include <carom/base/attributes.h>
#include <carom/mechanism/mechanism.h>

CAROM_BEGIN_DECLARATIONS

typedef struct carom_model {
    carom_mechanism mechanism; /**< borrows from this model: valid until carom_model_free */
    double *initial_position;  /**< [n] */
    double *initial_velocity;  /**< [n] */
    void *parameters;          /**< the mechanism's context, owned */
} carom_model;

/**
 * A model with zeroed initial state and `parameters_size` zeroed bytes of parameters, which become
 * the mechanism's context. The mechanism has its coordinate count, full layout and context set; the
 * rest is for the caller. For the models' own constructors and for users' models.
 *
 * @param[in]  coordinate_count n >= 1
 * @param[in]  parameters_size  bytes
 * @param[out] out              belongs to the caller, to be freed by carom_model_free; NULL on
 * failure
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_model_alloc(int coordinate_count, size_t parameters_size,
                                                carom_model **out);

/** Free a model and its parameters; NULL is accepted. */
void carom_model_free(carom_model *model);
CAROM_AUTO_TYPE(carom_model)

/**
 * Refuse a parameter outside [smallest, largest], bounds that may be infinite.
 *
 * @param[in]  quantity static string, named in the report
 * @param[in]  value    the parameter, in its own unit
 * @param[in]  smallest admitted
 * @param[in]  largest  admitted
 * @param[out] report   quantity and value if refused; may be NULL
 * @return CAROM_OK; NOT_FINITE; OUT_OF_RANGE
 */
CAROM_MUST_CHECK carom_status carom_model_require_within(const char *quantity, double value,
                                                         double smallest, double largest,
                                                         carom_report *report);

/** Refuse a parameter that is NaN or infinite; otherwise as carom_model_require_within. */
CAROM_MUST_CHECK carom_status carom_model_require_finite(const char *quantity, double value,
                                                         carom_report *report);

/** Refuse a parameter that is not a finite number above zero; otherwise as
 * carom_model_require_within. */
CAROM_MUST_CHECK carom_status carom_model_require_positive(const char *quantity, double value,
                                                           carom_report *report);

CAROM_END_DECLARATIONS

#endif
