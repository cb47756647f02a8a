/** The two spectra of a collisionless motion: all that its impact times depend on. */
#ifndef CAROM_COLLISIONLESS_MOTION_PHASE_SPECTRA_H
#define CAROM_COLLISIONLESS_MOTION_PHASE_SPECTRA_H

#include <carom/base/status.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

/** How a mode behaves under time reversal about the symmetry point of its phase. */
typedef enum carom_parity {
    CAROM_PARITY_EVEN, /**< sigma = -1: cos, cosh; at rest at the symmetry point */
    CAROM_PARITY_ODD   /**< sigma = +1: sin, sinh; passes its equilibrium there */
} carom_parity;

/**
 * Squared frequencies of the unconstrained phase (N modes) and of the constrained one (N-1: the
 * contact coordinate is held), and the parity of every mode. Negative ones are hyperbolic. They
 * interlace: lambda_1 < lambda'_1 < lambda_2 < ... < lambda'_{N-1} < lambda_N.
 */
typedef struct carom_phase_spectra {
    int mode_count;           /**< N >= 2 */
    double *unconstrained;    /**< lambda [N] ascending, 1/s2 */
    double *constrained;      /**< lambda' [N-1] ascending, 1/s2 */
    double *constrained_rest; /**< [N-1] what a lambda' computed beside a close lambda has below its
                                 last digit, 1/s2; zero if it was given as a number */
    carom_parity *unconstrained_parity; /**< sigma [N] */
    carom_parity *constrained_parity;   /**< sigma' [N-1] */
} carom_phase_spectra;

/**
 * Spectra of zeros with even modes, to be filled by the caller.
 *
 * @param[in]  mode_count N >= 2
 * @param[out] out        belongs to the caller, to be freed by carom_phase_spectra_free; NULL on
 * failure
 * @return CAROM_OK; OUT_OF_RANGE if N < 2; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_phase_spectra_alloc(int mode_count, carom_phase_spectra **out);

/** Free spectra; NULL is accepted. */
void carom_phase_spectra_free(carom_phase_spectra *spectra);
CAROM_AUTO_TYPE(carom_phase_spectra)

/**
 * Spectra from arrays, copied.
 *
 * @param[in]  mode_count           N >= 2
 * @param[in]  unconstrained        lambda [N], 1/s2
 * @param[in]  constrained          lambda' [N-1], 1/s2
 * @param[in]  unconstrained_parity of all modes of the unconstrained phase
 * @param[in]  constrained_parity   of all modes of the constrained phase
 * @param[out] out                  as carom_phase_spectra_alloc
 * @param[out] report               as carom_phase_spectra_check; may be NULL
 * @return CAROM_OK; what carom_phase_spectra_alloc and _check return
 */
CAROM_MUST_CHECK carom_status carom_phase_spectra_make(int mode_count, const double *unconstrained,
                                                       const double *constrained,
                                                       carom_parity unconstrained_parity,
                                                       carom_parity constrained_parity,
                                                       carom_phase_spectra **out,
                                                       carom_report *report);

/**
 * Refuse spectra that are not finite or do not interlace strictly (pankov-2024 (6)).
 *
 * @param[in]  spectra complete
 * @param[out] report  quantity ("unconstrained spectrum", "constrained spectrum"), the first value
 * out of place, its index from 0; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE if N < 2, for a parity that is none, or if the third power of the
 * largest eigenvalue leaves the range of numbers; NOT_FINITE; CONFLICT if they do not interlace
 */
CAROM_MUST_CHECK carom_status carom_phase_spectra_check(const carom_phase_spectra *spectra,
                                                        carom_report *report);

/** Copy spectra, to be freed by carom_phase_spectra_free. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_phase_spectra_copy(const carom_phase_spectra *spectra,
                                                       carom_phase_spectra **out);

/** lambda_i - lambda'_j, 1/s2, with all digits that the spectra have: a mode that is weakly coupled
 * to the contact has a constrained one next to it. */
double carom_phase_spectra_difference(const carom_phase_spectra *spectra, int i, int j);

/** The shares W [N] of the modes in the contact (carom_cauchy_shares), from such differences. */
void carom_phase_spectra_shares(const carom_phase_spectra *spectra, double *share);

/** Number of oscillating modes of the unconstrained phase, lambda > 0. */
int carom_phase_spectra_oscillating_count(const carom_phase_spectra *spectra);

/** Number of oscillating modes of the constrained phase, lambda' > 0; without one there is no
 * collisionless motion (pankov-2024 (29)). */
int carom_phase_spectra_constrained_oscillating_count(const carom_phase_spectra *spectra);

/**
 * Whether each phase has exactly one oscillating mode: lambda_{N-1} < 0 < lambda'_{N-1} and
 * lambda'_{N-2} < 0; lambda_{N-1} = 0 counts if that mode is even. Then every cell of the plane of
 * impact phases has exactly one root (claim 4 of the document's chapter).
 */
bool carom_phase_spectra_has_single_oscillations(const carom_phase_spectra *spectra);

/** Whether all modes of each phase have one parity, as a symmetry of the whole body gives them. */
bool carom_phase_spectra_has_uniform_parity(const carom_phase_spectra *spectra);

CAROM_END_DECLARATIONS

#endif
