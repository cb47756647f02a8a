#include <carom/timestepping/variational_params.h>

#include <math.h>

carom_variational_params carom_variational_params_default(void) {
    return (carom_variational_params){
        .step = 1e-3,
        .impact = carom_propagative_params_default(),
        .plastic_law = CAROM_PROPAGATIVE_HELD,
        .most_hits = 2,
        .most_reflections = 1000,
        .most_events = 100,
        .gap_tolerance = 1e-12,
        .simultaneity = 1e-9,
        .solution = carom_variational_step_params_default(),
    };
}

/** A finite number that is not admissible, or one that is not finite. */
static carom_status refuse(const char *quantity, double value, carom_report *report) {
    return carom_report_fail(report,
                             isfinite(value) ? CAROM_STATUS_OUT_OF_RANGE : CAROM_STATUS_NOT_FINITE,
                             quantity, value, -1);
}

static carom_status require(bool is_admissible, const char *quantity, double value,
                            carom_report *report) {
    return is_admissible && isfinite(value) ? CAROM_OK : refuse(quantity, value, report);
}

/** The law of impact, as carom_propagative_impact_run wants it. */
static carom_status check_law(const carom_variational_params *params, int contacts,
                              carom_report *report) {
    const carom_propagative_params *impact = &params->impact;
    CAROM_TRY(require((int)impact->rule >= (int)CAROM_PROPAGATIVE_MOST_APPROACHING &&
                          impact->rule <= CAROM_PROPAGATIVE_RANDOM,
                      "rule", (double)impact->rule, report));
    if (impact->rule == CAROM_PROPAGATIVE_CYCLIC && contacts > 0) {
        CAROM_TRY(require(impact->first >= 0 && impact->first < contacts, "first contact",
                          impact->first, report));
    }
    CAROM_TRY(require(impact->tolerance > 0.0 && impact->tolerance < 1.0, "impact tolerance",
                      impact->tolerance, report));
    CAROM_TRY(require(impact->restitution >= 0.0 && impact->restitution <= 1.0, "restitution",
                      impact->restitution, report));
    return require(params->plastic_law == CAROM_PROPAGATIVE_HELD ||
                       params->plastic_law == CAROM_PROPAGATIVE_RELEASED,
                   "plastic law", (double)params->plastic_law, report);
}

carom_status carom_variational_params_check(const carom_variational_params *params,
                                            const carom_mechanism *mechanism,
                                            carom_report *report) {
    CAROM_TRY(require(params->step > 0.0, "step", params->step, report));
    CAROM_TRY(check_law(params, mechanism->contact_count, report));
    CAROM_TRY(require(params->most_hits >= 0, "hits of a contact", params->most_hits, report));
    CAROM_TRY(
        require(params->most_reflections >= 1, "reflections", params->most_reflections, report));
    CAROM_TRY(require(params->most_events >= 1, "events", params->most_events, report));
    CAROM_TRY(require(params->gap_tolerance > 0.0, "gap tolerance", params->gap_tolerance, report));
    CAROM_TRY(require(params->simultaneity >= params->gap_tolerance, "simultaneity",
                      params->simultaneity, report));
    return require(!(params->solution.gap_tolerance > params->gap_tolerance),
                   "gap tolerance of the solution", params->solution.gap_tolerance, report);
}
