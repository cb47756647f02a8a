/** A system with given spectra: the inverse problem. */
#ifndef CAROM_COLLISIONLESS_MOTION_PHASE_REALIZATION_H
#define CAROM_COLLISIONLESS_MOTION_PHASE_REALIZATION_H

#include <carom/collisionless/motion/phase_modes.h>

CAROM_BEGIN_DECLARATIONS

/**
 * The system of N equal masses whose phases have given spectra: m = 1/inverse_mass, k = H diag
 * (lambda) H' / inverse_mass, H orthogonal with the square roots of the shares W_i as last row.
 * Any other system with these spectra has the same impact times, gap and force ratio.
 *
 * @param[in]  spectra      checked here; copied with its parities
 * @param[in]  inverse_mass (m^-1)_NN > 0, 1/kg
 * @param[out] mass         [N][N] kg; may be NULL
 * @param[out] stiffness    [N][N] N/m; may be NULL
 * @param[out] out          its modes, belong to the caller, to be freed by carom_phase_modes_free;
 * NULL on failure
 * @param[out] report       quantity and value if refused; may be NULL
 * @return CAROM_OK; what carom_phase_spectra_check returns; NOT_FINITE or OUT_OF_RANGE for the
 * inverse mass; OUT_OF_MEMORY
 * Source: pankov-2024 section 3 (the converse of its reduction to spectra). Cost: O(N3).
 */
CAROM_MUST_CHECK carom_status carom_phase_modes_realize(const carom_phase_spectra *spectra,
                                                        double inverse_mass, double *mass,
                                                        double *stiffness, carom_phase_modes **out,
                                                        carom_report *report);

CAROM_END_DECLARATIONS

#endif
