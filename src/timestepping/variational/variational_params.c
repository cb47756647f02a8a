#include <carom/timestepping/variational/stepper_internal.h>

#include <math.h>

carom_variational_params carom_variational_params_default(void) {
    const carom_propagative_params law = carom_propagative_params_default();
    return (carom_variational_params){
        .step = 1e-3,
        .rule = law.rule,
        .impact_tolerance = law.tolerance,
        .plastic_law = CAROM_PROPAGATIVE_HELD,
        .most_hits = 2,
        .most_reflections = 1000,
        .most_events = 100,
        .gap_tolerance = 1e-11,
        .simultaneity = 1e-8,
        .solution = carom_variational_step_params_default(),
        .check_derivatives = true,
    };
}

static carom_status require(bool is_admissible, const char *quantity, double value,
                            const char *accepted, carom_report *report) {
    return is_admissible ? CAROM_OK : carom_report_refuse(report, quantity, value, -1, accepted);
}

/** The law of impact, as carom_propagative_impact_run wants it. */
static carom_status check_law(const carom_variational_params *params, int contacts,
                              carom_report *report) {
    CAROM_TRY(require((int)params->rule >= (int)CAROM_PROPAGATIVE_MOST_APPROACHING &&
                          params->rule <= CAROM_PROPAGATIVE_RANDOM,
                      "rule", (double)params->rule, "a carom_propagative_rule", report));
    if (params->rule == CAROM_PROPAGATIVE_CYCLIC && contacts > 0) {
        CAROM_TRY(require(params->first >= 0 && params->first < contacts, "first contact",
                          params->first, "a contact of the mechanism, from 0", report));
    }
    CAROM_TRY(require(params->impact_tolerance > 0.0 && params->impact_tolerance < 1.0,
                      "impact tolerance", params->impact_tolerance, "in (0,1)", report));
    return require(params->plastic_law == CAROM_PROPAGATIVE_HELD ||
                       params->plastic_law == CAROM_PROPAGATIVE_RELEASED,
                   "plastic law", (double)params->plastic_law, "a carom_propagative_plastic_law",
                   report);
}

carom_status carom_variational_params_check(const carom_variational_params *params,
                                            const carom_mechanism *mechanism,
                                            carom_report *report) {
    CAROM_TRY(require(params->step > 0.0 && isfinite(params->step), "step", params->step,
                      "> 0, finite", report));
    CAROM_TRY(check_law(params, mechanism->contact_count, report));
    CAROM_TRY(
        require(params->most_hits >= 0, "hits of a contact", params->most_hits, ">= 0", report));
    CAROM_TRY(require(params->most_reflections >= 1, "reflections", params->most_reflections,
                      ">= 1", report));
    CAROM_TRY(require(params->most_events >= 1, "events", params->most_events, ">= 1", report));
    CAROM_TRY(require(params->gap_tolerance > 0.0 && params->gap_tolerance < 1.0, "gap tolerance",
                      params->gap_tolerance, "in (0,1)", report));
    return require(params->simultaneity >= params->gap_tolerance && params->simultaneity < 1.0,
                   "simultaneity", params->simultaneity, "in [gap tolerance,1)", report);
}
