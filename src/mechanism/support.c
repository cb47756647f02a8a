#include <carom/mechanism/mechanism.h>

#include <stdio.h>

/** The sentence of a refusal: without what, and what the mechanism has. */
static carom_status lacks(const carom_mechanism *mechanism, const carom_mechanism_support *support,
                          const char *what, const char *has, carom_report *report) {
    return carom_report_say(report, CAROM_STATUS_UNSUPPORTED,
                            "%s computes %s without %s; mechanism '%s' has %s", support->method,
                            support->subject, what, mechanism->name != NULL ? mechanism->name : "",
                            has);
}

/** Refuse the first coefficient [n_u] above zero. */
static carom_status refuse_coefficients(const carom_mechanism *mechanism,
                                        const carom_mechanism_support *support, const char *what,
                                        const double *coefficients, carom_report *report) {
    for (int j = 0; coefficients != NULL && j < mechanism->contact_count; j++) {
        if (coefficients[j] > 0.0) {
            char has[64];
            (void)snprintf(has, sizeof has, "%s %.6g", what, coefficients[j]);
            return lacks(mechanism, support, what, has, report);
        }
    }
    return CAROM_OK;
}

static bool has_friction(const carom_mechanism *mechanism) {
    for (int j = 0; mechanism->friction != NULL && j < mechanism->contact_count; j++) {
        if (mechanism->friction[j] > 0.0) {
            return true;
        }
    }
    return false;
}

carom_status carom_mechanism_require(const carom_mechanism *mechanism,
                                     const carom_mechanism_support *support, carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && support != NULL);
    CAROM_TRY(carom_mechanism_check_counts(mechanism, report));
    if (!support->joints && mechanism->joint_count > 0) {
        char has[32];
        (void)snprintf(has, sizeof has, "joints (%d)", mechanism->joint_count);
        return lacks(mechanism, support, "joints", has, report);
    }
    if (!support->nonlinear_mass && mechanism->mass_derivative != NULL) {
        return lacks(mechanism, support, "a mass matrix that depends on the position", "one",
                     report);
    }
    if (!support->friction) {
        CAROM_TRY(refuse_coefficients(mechanism, support, "friction", mechanism->friction, report));
    }
    if (!support->restitution) {
        CAROM_TRY(
            refuse_coefficients(mechanism, support, "restitution", mechanism->restitution, report));
    }
    if (!support->space && mechanism->tangent_count == 2 && has_friction(mechanism)) {
        return lacks(mechanism, support, "friction in space", "two tangents of each contact",
                     report);
    }
    return CAROM_OK;
}
