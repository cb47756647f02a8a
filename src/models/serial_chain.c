#include <carom/models/serial_chain.h>

#include <math.h>
#include <stdlib.h>

/** A parameter that is not a finite number above zero, with its index. */
static carom_status refuse(int count, const double *values, const char *quantity,
                           carom_report *report) {
    for (int i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, quantity, values[i], i);
        }
        if (!(values[i] > 0.0)) {
            return carom_report_refuse(report, quantity, values[i], i, "> 0");
        }
    }
    return CAROM_OK;
}

static carom_status refuse_count(int mass_count, carom_report *report) {
    if (mass_count < 1) {
        return carom_report_refuse(report, "mass count", (double)mass_count, -1, ">= 1");
    }
    return CAROM_OK;
}

carom_status carom_serial_chain_alloc(int mass_count, const double *masses,
                                      const double *stiffnesses, double gap_at_rest,
                                      carom_linear_system **out, carom_report *report) {
    CAROM_ASSERT(masses != NULL && stiffnesses != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(refuse_count(mass_count, report));
    CAROM_TRY(refuse(mass_count, masses, "mass", report));
    CAROM_TRY(refuse(mass_count, stiffnesses, "stiffness", report));
    if (!isfinite(gap_at_rest)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "gap at rest", gap_at_rest, -1);
    }
    carom_linear_system *system = NULL;
    CAROM_TRY(carom_linear_system_alloc(mass_count, &system));

    /* Spring i pulls mass i towards mass i - 1, or towards the ground. */
    const size_t n = (size_t)mass_count;
    for (size_t i = 0; i < n; i++) {
        double *K_i = system->stiffness + i * n;
        system->mass[i * n + i] = masses[i];
        K_i[i] = stiffnesses[i] + (i + 1 < n ? stiffnesses[i + 1] : 0.0);
        if (i > 0) {
            K_i[i - 1] = -stiffnesses[i];
        }
        if (i + 1 < n) {
            K_i[i + 1] = -stiffnesses[i + 1];
        }
    }

    /* Gap g_0 - u_n. */
    system->contact_normal[n - 1] = -1.0;
    system->gap_at_rest = gap_at_rest;
    *out = system;
    return CAROM_OK;
}

carom_status carom_serial_chain_uniform_alloc(int mass_count, double gap_at_rest,
                                              carom_linear_system **out, carom_report *report) {
    CAROM_ASSERT(out != NULL);
    *out = NULL;
    CAROM_TRY(refuse_count(mass_count, report));
    const size_t n = (size_t)mass_count;
    CAROM_AUTO_MEMORY double *masses = malloc(n * sizeof *masses);
    CAROM_AUTO_MEMORY double *stiffnesses = malloc(n * sizeof *stiffnesses);
    if (masses == NULL || stiffnesses == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        masses[i] = 1.0 / (double)mass_count;
        stiffnesses[i] = (double)mass_count;
    }
    return carom_serial_chain_alloc(mass_count, masses, stiffnesses, gap_at_rest, out, report);
}
