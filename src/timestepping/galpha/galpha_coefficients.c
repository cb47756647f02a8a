#include <carom/timestepping/galpha/internal.h>

/*[galphaCoefficients]*/
carom_galpha_coefficients carom_galpha_coefficients_from_radius(double spectral_radius) {
    const double rho = spectral_radius;
    const double alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
    const double alpha_f = rho / (rho + 1.0);
    const double gamma = 0.5 + alpha_f - alpha_m;
    const double beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
    const carom_galpha_coefficients coefficients = {alpha_m, alpha_f, gamma, beta};
    return coefficients;
}
/*[end galphaCoefficients]*/
