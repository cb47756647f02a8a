/** The coefficients of the generalized-alpha method. */
#ifndef CAROM_TIMESTEPPING_GALPHA_GALPHA_COEFFICIENTS_H
#define CAROM_TIMESTEPPING_GALPHA_GALPHA_COEFFICIENTS_H

/** Dimensionless coefficients (bruls-2014 eq. 31). */
typedef struct carom_galpha_coefficients {
    double alpha_m;
    double alpha_f;
    double gamma;
    double beta;
} carom_galpha_coefficients;

/**
 * Second-order accurate, unconditionally stable coefficients with a given spectral radius.
 *
 * @param[in] spectral_radius rho_infinity in [0,1], 1
 * Source: Chung and Hulbert 1993; bruls-2014 eq. 31.
 */
carom_galpha_coefficients carom_galpha_coefficients_from_radius(double spectral_radius);

#endif
