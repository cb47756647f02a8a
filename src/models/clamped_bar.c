#include <carom/models/clamped_bar.h>

#include <carom/models/model.h>

#include <stddef.h>

carom_clamped_bar_params carom_clamped_bar_params_default(void) {
    const carom_clamped_bar_params params = {
        .young_modulus = 1.0,
        .density = 1.0,
        .length = 1.0,
        .section = 1.0,
        .gap_at_rest = 1.0,
        .elements = 10,
    };
    return params;
}

/** Refuse parameters that do not describe a bar. */
static carom_status refuse(const carom_clamped_bar_params *params, carom_report *report) {
    CAROM_TRY(carom_model_require_positive("young modulus", params->young_modulus, report));
    CAROM_TRY(carom_model_require_positive("density", params->density, report));
    CAROM_TRY(carom_model_require_positive("length", params->length, report));
    CAROM_TRY(carom_model_require_positive("section", params->section, report));
    CAROM_TRY(carom_model_require_finite("gap at rest", params->gap_at_rest, report));
    if (params->elements < 1) {
        return carom_report_refuse(report, "elements", (double)params->elements, -1, ">= 1");
    }
    return CAROM_OK;
}

/** Sum of the element matrices [diagonal coupling; coupling diagonal] without the clamped node. */
static void assemble(size_t n, double diagonal, double coupling, double *A) {
    for (size_t i = 0; i < n; i++) {
        double *A_i = A + i * n;
        A_i[i] = i + 1 < n ? 2.0 * diagonal : diagonal;
        if (i > 0) {
            A_i[i - 1] = coupling;
        }
        if (i + 1 < n) {
            A_i[i + 1] = coupling;
        }
    }
}

carom_status carom_clamped_bar_alloc(const carom_clamped_bar_params *params,
                                     carom_linear_system **out, carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(refuse(params, report));
    carom_linear_system *system = NULL;
    CAROM_TRY(carom_linear_system_alloc(params->elements, &system));

    /* m_e = (rho A h / 6) [2 1; 1 2], k_e = (E A / h) [1 -1; -1 1]. */
    const size_t n = (size_t)params->elements;
    const double h = params->length / (double)params->elements;
    const double element_mass = params->density * params->section * h;
    const double element_stiffness = params->young_modulus * params->section / h;
    assemble(n, element_mass / 3.0, element_mass / 6.0, system->mass);
    assemble(n, element_stiffness, -element_stiffness, system->stiffness);

    /* Gap g_0 - u_n. */
    system->contact_normal[n - 1] = -1.0;
    system->gap_at_rest = params->gap_at_rest;
    *out = system;
    return CAROM_OK;
}
