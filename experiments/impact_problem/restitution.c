/** The laws with restitution: the propagative one, without friction, and Newton and Moreau's. */
#include "results.h"

#include <carom/impact/newton_moreau.h>
#include <carom/impact/propagative_law.h>
#include <carom/study/propagative_record.h>
#include <stdio.h>

/** Gain of kinetic energy that rounding explains, relative to that before. */
static const double ROUNDING = 1e-9;

/** All sequences of reflections. */
static carom_status propagate_all(const application *a, const carom_propagative_record *target) {
    const carom_impact_problem *p = target->target.problem;
    carom_propagative_tree_params params = carom_propagative_tree_params_default();
    params.most_momenta = a->values->momenta;
    carom_propagative_outcomes *outcomes = NULL;
    CAROM_TRY(carom_propagative_outcomes_find(target->contacts, &params, p->contact_velocity,
                                              p->kinetic_energy, &outcomes, a->report));
    if (outcomes->sequence_total > outcomes->sequence_count && !a->study->common->is_quiet) {
        printf("impact_problem: propagative: the first %d of %.15g sequences are listed\n",
               outcomes->sequence_count, outcomes->sequence_total);
    }
    if (outcomes->count > CAROM_PROPAGATIVE_MOST_WRITTEN && !a->study->common->is_quiet) {
        printf("impact_problem: propagative: the first %d of %d outcomes are written\n",
               CAROM_PROPAGATIVE_MOST_WRITTEN, outcomes->count);
    }
    const carom_status status = carom_propagative_record_outcomes(target, outcomes);
    carom_propagative_outcomes_free(outcomes);
    return status;
}

/** The sequence of the rule that was asked for. */
static carom_status propagate_one(const application *a, const carom_propagative_record *target) {
    const carom_impact_problem *p = target->target.problem;
    carom_propagative_params params = carom_propagative_params_default();
    params.rule = (carom_propagative_rule)a->values->rule;
    params.first = a->values->first;
    params.seed = a->study->common->seed;
    CAROM_AUTO(carom_propagative_impact) impact = NULL;
    CAROM_TRY(carom_propagative_impact_alloc(p->contact_count, CAROM_PROPAGATIVE_LAW_MOST_STEPS,
                                             &impact));
    CAROM_TRY(carom_propagative_impact_run(target->contacts, &params, p->restitution[0],
                                           p->contact_velocity, p->kinetic_energy, impact,
                                           a->report));
    return carom_propagative_record_impact(target, impact);
}

/** The normal rows alone are handed over: what is left out is said. */
static void announce_friction(const application *a) {
    const carom_impact_problem *p = a->study->target.problem;
    bool has_friction = false;
    for (int i = 0; i < p->contact_count; i++) {
        has_friction = has_friction || p->friction[i] > 0.0;
    }
    if (has_friction && !a->study->common->is_quiet) {
        printf("impact_problem: propagative: the law has no friction, that of the contacts is left "
               "out\n");
    }
}

carom_status impact_problem_propagate(const application *a) {
    const carom_impact_record *study = &a->study->target;
    announce_friction(a);
    carom_propagative_contacts *contacts = NULL;
    CAROM_TRY(carom_propagative_contacts_of_problem(study->problem, &contacts, a->report));
    const carom_propagative_record target = {*study, "/propagative", contacts,
                                             study->problem->restitution[0]};
    const carom_status status =
        a->values->rule == (int)RULE_ALL ? propagate_all(a, &target) : propagate_one(a, &target);
    carom_propagative_contacts_free(contacts);
    return status;
}

/** Whether an outcome has more energy than v-. */
static bool gains_energy_in(const carom_impact_problem *problem,
                            const carom_impact_outcomes *outcomes) {
    for (int k = 0; k < outcomes->count; k++) {
        if (outcomes->kinetic_energy[k] > (1.0 + ROUNDING) * problem->kinetic_energy) {
            return true;
        }
    }
    return false;
}

/** Solve, write and say whether energy rises. */
static carom_status solve_newton_moreau(const application *a, carom_impact_outcomes *outcomes) {
    const carom_impact_record *target = &a->study->target;
    const carom_impact_problem *p = target->problem;
    CAROM_TRY(impact_problem_applies(p, LAW_ANITESCU_POTRA_ALL)
                  ? carom_newton_moreau_all(p, outcomes, a->report)
                  : carom_newton_moreau_lemke(p, a->values->facets, outcomes, a->report));
    CAROM_TRY(carom_impact_record_outcomes(target, "/newton_moreau", outcomes));
    const bool gains_energy = gains_energy_in(p, outcomes);
    if (gains_energy && !a->study->common->is_quiet) {
        printf("impact_problem: newton_moreau: the kinetic energy rises, as this law permits with "
               "friction\n");
    }
    return carom_record_integer(target->record, "/newton_moreau/gains_energy", gains_energy ? 1 : 0,
                                "1", "1: an outcome has more kinetic energy than before");
}

carom_status impact_problem_newton_moreau(const application *a) {
    const carom_impact_problem *p = a->study->target.problem;
    CAROM_AUTO(carom_impact_outcomes) outcomes = NULL;
    CAROM_TRY(carom_impact_outcomes_alloc(p, &outcomes));
    return solve_newton_moreau(a, outcomes);
}
