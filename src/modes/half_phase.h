/** Sine and cosine of half a phase, w T / 2, whose zeros are the poles of the kernels. */
#ifndef CAROM_MODES_HALF_PHASE_H
#define CAROM_MODES_HALF_PHASE_H

#include <float.h>
#include <math.h>

/** sin and cos of w t / 2. */
typedef struct carom_half_phase {
    double sine;
    double cosine;
} carom_half_phase;

/** Relative rounding of a harmonic p (2 pi / w), computed in three operations. */
#define CAROM_HALF_PHASE_ROUNDING (2.0 * DBL_EPSILON)

/**
 * sin and cos of w t / 2 for the exact product: its rounding error e is recovered and added to
 * first order. Near a harmonic the sine is all that is left of a difference, and with the rounded
 * product its relative error would be e / |sin|.
 *
 * @param[in] w frequency, rad/s
 * @param[in] t time, s
 */
static inline carom_half_phase carom_half_phase_of(double w, double t) {
    const double half = 0.5 * t;
    const double phase = w * half;
    const double rounding = fma(w, half, -phase);
    const double sine = sin(phase);
    const double cosine = cos(phase);
    const carom_half_phase result = {
        .sine = sine + rounding * cosine,
        .cosine = cosine - rounding * sine,
    };
    return result;
}

/** The same for a period; where it is a harmonic to rounding, the sine is exactly zero. */
static inline carom_half_phase carom_half_phase_of_period(double w, double period) {
    carom_half_phase result = carom_half_phase_of(w, period);
    if (fabs(result.sine) <= CAROM_HALF_PHASE_ROUNDING * 0.5 * w * period) {
        result.sine = 0.0;
    }
    return result;
}

#endif
