/** Scales of a system's own, in which tolerances are counted: no method here knows how large a
 * metre is. */
#ifndef CAROM_BASE_SCALES_H
#define CAROM_BASE_SCALES_H

#include <carom/base/base.h>

/**
 * A sum of products is known no better than to the rounding of the sum of their magnitudes: a
 * residual r_i = sum_k t_k is judged against s_i = sum_k |t_k|, the scale of its row, with the
 * method's relative tolerance, never below a few DBL_EPSILON s_i. Row scales have the row's own
 * unit, whatever the units of the others (a momentum beside an angular momentum), so that a change
 * of the units of mass, length or time changes no decision.
 */

/** scale_i += |factor x_i|; x, scale [n]. */
void carom_scale_add(int n, double factor, const double *x, double *scale);

/** scale_i += sum_j |A_ij x_j|; A [rows][columns] row-major, x [columns], scale [rows]. */
void carom_scale_add_product(int rows, int columns, const double *A, const double *x,
                             double *scale);

/** scale_j += sum_i |A_ij x_i|; A [rows][columns] row-major, x [rows], scale [columns]. */
void carom_scale_add_transposed(int rows, int columns, const double *A, const double *x,
                                double *scale);

/** scale_i += |factor| sum_j |A_ij x_j| of a square matrix in its layout; x, scale [n]. */
void carom_scale_add_layout(carom_layout layout, double factor, const double *A, const double *x,
                            double *scale);

/** max_i |r_i| / scale_i, 1: a row 0/0 counts as 0, any other over 0 as infinite; NaN if any is. */
double carom_scale_largest_ratio(int n, const double *r, const double *scale);

/**
 * Largest speed that a row J of contact space can have with kinetic energy T: sqrt(2 T w) with
 * w = J M^-1 J', the diagonal entry of the Delassus matrix (Cauchy-Schwarz in the mass metric).
 *
 * @param[in] energy       T >= 0, J
 * @param[in] inverse_mass w >= 0, 1/kg
 * @return m/s
 */
double carom_scale_speed(double energy, double inverse_mass);

/** Impulse along the row that brings that speed about from rest, sqrt(2 T / w), N s; w > 0. */
double carom_scale_impulse(double energy, double inverse_mass);

/** The power of two 2^k with 2^(k-1) <= |x| < 2^k, by which numbers are divided without rounding; 1
 * for 0. */
double carom_scale_power_of_two(double x);

#endif
