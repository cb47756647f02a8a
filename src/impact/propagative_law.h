/** The propagative model as one of the impact laws: an impact problem in, outcomes out. */
#ifndef CAROM_IMPACT_PROPAGATIVE_LAW_H
#define CAROM_IMPACT_PROPAGATIVE_LAW_H

#include <carom/impact/impact_outcomes.h>
#include <carom/impact/propagative_impact.h>
#include <carom/impact/propagative_outcomes.h>

CAROM_BEGIN_DECLARATIONS

/** Reflections after which carom_propagative_law_run gives up. */
enum { CAROM_PROPAGATIVE_LAW_MOST_STEPS = 1000000 };

/**
 * All outcomes of the propagative model: whatever the order of the single impacts. Friction is not
 * part of it, tangential impulses are zero. The restitution R of (16) is that of the contacts:
 * below 1 every outcome is mixed with the plastic impact of all contacts, (17); with R = 0 that is
 * the only outcome. `multiplicity` of an outcome counts the sequences that lead there, `residual`
 * is the fastest approach left beside its speed scale. Outcomes are kept apart as the tree keeps
 * their momenta apart.
 *
 * @param[in]     problem  the problem; its normal rows and its restitution alone matter
 * @param[in]     params   of the tree
 * @param[in,out] outcomes gets the outcomes; v- itself if no contact approaches
 * @param[out]    report   quantity, value and index of what is refused; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: parameters, a normal of length zero; UNSUPPORTED: friction,
 * contacts of different restitution; CONFLICT: contacts that cannot be separated at once;
 * NOT_CONVERGED: more momenta or sequences than allowed; OUT_OF_MEMORY Source: seghete-2014 (14),
 * (16), (17); R is the weight as in carom_propagative_impact_run.
 */
CAROM_MUST_CHECK carom_status carom_propagative_law_all(const carom_impact_problem *problem,
                                                        const carom_propagative_tree_params *params,
                                                        carom_impact_outcomes *outcomes,
                                                        carom_report *report);

/**
 * The outcome of one rule.
 *
 * @param[in]     problem  the problem; its normal rows and its restitution alone matter
 * @param[in]     params   rule, first contact, seed, tolerance
 * @param[in,out] outcomes gets the outcome; v- itself if no contact approaches
 * @param[out]    report   may be NULL
 * @return as carom_propagative_law_all; NOT_CONVERGED: after CAROM_PROPAGATIVE_LAW_MOST_STEPS
 * Source: seghete-2014 (14), (16), (17).
 */
CAROM_MUST_CHECK carom_status carom_propagative_law_run(const carom_impact_problem *problem,
                                                        const carom_propagative_params *params,
                                                        carom_impact_outcomes *outcomes,
                                                        carom_report *report);

CAROM_END_DECLARATIONS

#endif
