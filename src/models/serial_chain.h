/** A serial chain of masses and springs whose free end faces an obstacle (thorin-2017 section 7).
 */
#ifndef CAROM_MODELS_SERIAL_CHAIN_H
#define CAROM_MODELS_SERIAL_CHAIN_H

#include <carom/mechanism/linear_system.h>

CAROM_BEGIN_DECLARATIONS

/**
 * Ground - k_1 - m_1 - k_2 - m_2 - ... - k_n - m_n, then the obstacle at distance g_0 from m_n at
 * rest: M = diag(m_i), K_ii = k_i + k_{i+1} with k_{n+1} = 0, K_{i,i+1} = -k_{i+1}, gap g_0 - u_n.
 *
 * @param[in]  mass_count  n >= 1
 * @param[in]  masses      [n] > 0, kg
 * @param[in]  stiffnesses [n] > 0, N/m; the first spring is fixed to the ground
 * @param[in]  gap_at_rest g_0 in m, any sign
 * @param[out] out         belongs to the caller, to be freed by carom_linear_system_free
 * @param[out] report      quantity, value and index if refused; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE, NOT_FINITE; OUT_OF_MEMORY
 * Source: thorin-2017 equations (7.2), (7.3).
 */
CAROM_MUST_CHECK carom_status carom_serial_chain_alloc(int mass_count, const double *masses,
                                                       const double *stiffnesses,
                                                       double gap_at_rest,
                                                       carom_linear_system **out,
                                                       carom_report *report);

/**
 * The uniform chain of the paper's illustrations: n masses 1/n kg and n springs n N/m (thorin-2017
 * section 7.1: n = 5, g_0 = 1).
 *
 * @return as carom_serial_chain_alloc
 */
CAROM_MUST_CHECK carom_status carom_serial_chain_uniform_alloc(int mass_count, double gap_at_rest,
                                                               carom_linear_system **out,
                                                               carom_report *report);

CAROM_END_DECLARATIONS

#endif
