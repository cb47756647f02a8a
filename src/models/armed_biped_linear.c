#include <carom/models/armed_biped.h>

#include <gsl/gsl_math.h>
#include <math.h>

/** Refused parameters leave NaN; of a biped without a coordinate count, no matrix has a size. */
static void clear_outputs(const carom_armed_biped_params *params, double *mass, double *stiffness,
                          double *equilibrium, carom_armed_biped_statics *statics) {
    const double nan = (double)NAN;
    statics->lean = nan;
    statics->contact_level = nan;
    statics->contact_force = nan;
    if (params->torso_count < 0) {
        return;
    }
    const size_t n = (size_t)carom_armed_biped_coordinate_count(params);
    for (size_t i = 0; i < n * n; i++) {
        mass[i] = nan;
        stiffness[i] = nan;
    }
    for (size_t i = 0; i < n; i++) {
        equilibrium[i] = nan;
    }
}

static carom_status check(const carom_armed_biped_params *params, carom_report *report) {
    CAROM_TRY(carom_armed_biped_check(params, report));
    const int n = carom_armed_biped_coordinate_count(params);
    if (n < 2) {
        return carom_report_refuse(report, "coordinate count", (double)n, -1, ">= 2");
    }
    return CAROM_OK;
}

/** L_j from the beginning of the link to its end, upwards: an arm hangs. */
static double height(const carom_armed_biped_params *params, int j) {
    const double length = params->lengths[carom_armed_biped_coordinate_count(params) - 1 - j];
    return j == 0 && params->has_arm ? -length : length;
}

/*[armedBipedLinear]*/
/** m_jk = mu_jk L_j L_k and k_jj = -g mu_jj L_j, mu_jk the mass that both links j and k carry. */
static void fill_matrices(const carom_armed_biped_params *params, double *mass, double *stiffness) {
    const size_t n = (size_t)carom_armed_biped_coordinate_count(params);
    double carried = 0.0;
    for (size_t j = 0; j < n; j++) {
        carried += params->masses[n - j];
        const double moment = carried * height(params, (int)j);
        for (size_t k = 0; k < n; k++) {
            stiffness[j * n + k] = k == j ? -params->gravity * moment : 0.0;
        }
        for (size_t k = j; k < n; k++) {
            mass[j * n + k] = moment * height(params, (int)k);
            mass[k * n + j] = mass[j * n + k];
        }
    }
}
/*[end armedBipedLinear]*/

carom_status carom_armed_biped_linear(const carom_armed_biped_params *params, double *mass,
                                      double *stiffness, double *equilibrium,
                                      carom_armed_biped_statics *statics, carom_report *report) {
    CAROM_ASSERT(params != NULL && mass != NULL && stiffness != NULL && equilibrium != NULL &&
                 statics != NULL);
    const carom_status status = check(params, report);
    if (status != CAROM_OK) {
        clear_outputs(params, mass, stiffness, equilibrium, statics);
        return status;
    }
    fill_matrices(params, mass, stiffness);

    /* The weight of the lifted foot, 2 l theta from the other one, leans the leg by xi. */
    const int n = carom_armed_biped_coordinate_count(params);
    const double theta = params->half_step_angle;
    const double feet = 2.0 * params->masses[0];
    double carried = 0.0;
    for (int i = 1; i <= n; i++) {
        carried += params->masses[i];
    }
    statics->lean = theta * feet / carried;
    statics->contact_level = -theta * (feet + carried) / carried;
    statics->contact_force = theta * (feet + carried) * params->gravity * params->lengths[0];

    for (int j = 0; j < n; j++) {
        equilibrium[j] = 0.0;
    }
    if (params->has_arm) {
        equilibrium[0] = M_PI;
    }
    equilibrium[n - 1] = statics->lean;
    return CAROM_OK;
}
