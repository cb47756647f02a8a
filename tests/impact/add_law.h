/** What a law of the table says, in a list of the test's own. To be included by suites. */
#ifndef CAROM_TESTS_IMPACT_ADD_LAW_H
#define CAROM_TESTS_IMPACT_ADD_LAW_H

#include <carom/impact/impact_law.h>
#include <carom/impact/internal.h>

/** Ask a law and add its outcomes. */
static inline carom_status add_law(const carom_impact_law *law, const carom_impact_problem *problem,
                                   const carom_impact_law_params *params,
                                   carom_impact_outcomes *outcomes, carom_report *report) {
    CAROM_AUTO(carom_impact_result) result = NULL;
    CAROM_TRY(carom_impact_law_run(law, problem, params, &result, report));
    const carom_impact_outcomes *found = result->outcomes;
    for (int k = 0; k < found->count; k++) {
        CAROM_TRY(carom_impact_outcomes_add_solutions(
            outcomes, problem, found->impulse + k * found->row_count, found->residual[k], 0.0,
            found->multiplicity[k]));
    }
    return CAROM_OK;
}

#endif
