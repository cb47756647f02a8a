/** Balls that move on a line and touch their neighbours: Newton's cradle (seghete-2014 example 1)
 * with any number of balls of any masses. */
#ifndef CAROM_MODELS_BALL_CHAIN_H
#define CAROM_MODELS_BALL_CHAIN_H

#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/** The arrays are borrowed during the call of carom_ball_chain_alloc. */
typedef struct carom_ball_chain_params {
    int balls;                /**< N >= 2 */
    const double *masses;     /**< [N] > 0, from left to right, kg */
    const double *radii;      /**< [N] > 0, m */
    const double *velocities; /**< [N] at the start, to the right, m/s */
    const double *gaps;       /**< [N-1] >= 0 between neighbours at the start, m; NULL: zeros */
    double restitution;       /**< Newton's coefficient e of every contact, 1; for the methods that
                                 read it from the mechanism */
} carom_ball_chain_params;

/** Figure 2a: three touching balls of 1 kg and 1 m, the left one coming with 1 m/s, e = 1. The
 * paper names no numbers; the outcome depends on none of them. */
carom_ball_chain_params carom_ball_chain_params_default(void);

/**
 * q = (x_0, .., x_{N-1}) of the centres, x_0 = 0 at the start; M diagonal, no forces, linear.
 * Contact i is between balls i and i + 1: phi_i = x_{i+1} - x_i - (r_i + r_{i+1}), in signed form,
 * so that a ball which has passed its neighbour penetrates all the more. It is without friction:
 * its tangent is across the line and the tangential row zero, which lets
 * carom_impact_problem_of_mechanism pose the impact of the touching balls.
 *
 * @param[in]  params the chain
 * @param[out] out    belongs to the caller, to be freed by carom_model_free; NULL on failure
 * @param[out] report the parameter, its value and the ball or contact (index); may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: fewer than two balls, a mass or a radius not positive, e outside
 * [0,1]; PENETRATION: a gap negative; NOT_FINITE: a parameter, or a position by overflow;
 * OUT_OF_MEMORY
 * Source: seghete-2014 example 1 (N = 3, equal balls); other masses, radii and N are ours.
 */
CAROM_MUST_CHECK carom_status carom_ball_chain_alloc(const carom_ball_chain_params *params,
                                                     carom_model **out, carom_report *report);

/**
 * Cosine of the two contacts of a ball with its neighbours in the kinetic metric (5),
 * c = -sqrt(m_A m_C/((m_A + m_B)(m_B + m_C))): -1/2 for equal masses (section V), where the outcome
 * is unique by theorem 3. Contacts without a common ball are orthogonal.
 *
 * @param[in] left   m_A > 0, kg
 * @param[in] middle m_B > 0, kg
 * @param[in] right  m_C > 0, kg
 * @return c in (-1, 0)
 * Source: seghete-2014 (5), section V; unequal masses are ours.
 */
double carom_ball_chain_cosine(double left, double middle, double right);

/**
 * m_C/m_B of three balls for which c = -cos(pi/k), given m_A/m_B: their impact has one outcome.
 *
 * @param[in] left_ratio m_A/m_B > 0, 1
 * @param[in] k          >= 2
 * @return 1; NaN where no m_C gives that cosine: it is at least -sqrt(m_A/(m_A + m_B))
 * Source: ours; k = 3 is seghete-2014 theorem 3.
 */
double carom_ball_chain_unique_ratio(double left_ratio, int k);

CAROM_END_DECLARATIONS

#endif
