/** Random spectra that interlace, for what is claimed of any: by index, from a seed. */
#ifndef CAROM_COLLISIONLESS_MOTION_RANDOM_SPECTRA_H
#define CAROM_COLLISIONLESS_MOTION_RANDOM_SPECTRA_H

#include <carom/collisionless/motion/spectral_motion.h>

#include <stdbool.h>

/** Modes of random spectra. */
enum { CAROM_RANDOM_SPECTRA_FEWEST_MODES = 2, CAROM_RANDOM_SPECTRA_MOST_MODES = 16 };

/** Least lambda_N that is drawn where it alone oscillates, 1/s2. */
#define CAROM_RANDOM_SPECTRA_LEAST_OSCILLATING 0.5

/** Which modes oscillate. */
typedef enum carom_random_spectra_kind {
    CAROM_SPECTRA_CRITICAL, /**< lambda'_{N-1} is given; negative but for it and lambda_N */
    CAROM_SPECTRA_SINGLE,   /**< one in each phase, lambda'_{N-1} between 0.05 and 0.9 lambda_N */
    CAROM_SPECTRA_NONE, /**< no constrained mode; in every eighth spectrum lambda'_{N-1} is exactly
                       zero */
    CAROM_SPECTRA_SEVERAL /**< all but lambda_1 */
} carom_random_spectra_kind;

/** What random spectra are made from; sample i is the same whoever draws it. */
typedef struct carom_random_spectra {
    unsigned long seed;
    unsigned long stream; /**< of the same seed */
    carom_random_spectra_kind kind;
    bool is_mixed;              /**< parities mode by mode, instead of one for each phase */
    double critical_eigenvalue; /**< of CRITICAL, above 0 and below LEAST_OSCILLATING, 1/s2 */
} carom_random_spectra;

/**
 * Draw 2N - 1 uniform numbers, sorted and given to both phases in turn: negative ones between -4
 * and -0.3 1/s2 (NONE: up to 0), lambda_N between 0.5 and 3, several oscillating ones between 0.3
 * and 4.
 *
 * @param[in]  from       what they are made from
 * @param[in]  sample     index of the spectra, >= 0
 * @param[in]  mode_count N
 * @param[out] out        belongs to the caller
 * @param[out] report     may be NULL
 * @return CAROM_OK; as carom_phase_spectra_check; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_random_spectra_draw(const carom_random_spectra *from,
                                                        int sample, int mode_count,
                                                        carom_phase_spectra **out,
                                                        carom_report *report);

/** One more number in [0, 1) for a sample, which its spectra do not depend on; `number` 0 .. 99. */
double carom_random_spectra_uniform(const carom_random_spectra *from, int sample, int number);

#endif
