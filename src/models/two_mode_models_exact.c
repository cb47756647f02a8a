/* The hopper's and the juggler's collisionless motion in closed form. */
#include <carom/models/two_mode_models.h>

#include <gsl/gsl_math.h>
#include <math.h>

/** z - sin z for z >= -1 to rounding: the series where the difference would lose digits. */
static double sine_deficit(double z) {
    if (z > 1.0) {
        return z - sin(z);
    }
    // z^3/6 (1 - z^2/20 (1 - z^2/42 (...))); the term left out is below 1e-17 of the first
    double sum = 1.0;
    for (int k = 19; k >= 5; k -= 2) {
        sum = 1.0 - z * z / (k * (k - 1.0)) * sum;
    }
    return gsl_pow_3(z) / 6.0 * sum;
}

/** How far apart the two colliding bodies are in flight, and how fast they part. */
typedef struct flight_gap {
    double height; /**< m */
    double rate;   /**< m/s */
} flight_gap;

/*[flightGap]*/
/** The gap common to both, at the phase d = alpha - omega |t| before the landing. */
static flight_gap gap_in_flight(double gravity, double omega, double alpha, double t) {
    const double d = alpha - omega * fabs(t);
    const double h = 0.5 * d;
    // d^2/2 - 1 + cos d = 2 (h - sin h)(h + sin h)
    const double deficit = sine_deficit(d);
    const double cosine_deficit = 2.0 * sine_deficit(h) * (h + sin(h));
    const double one_less_cosine = 2.0 * gsl_pow_2(sin(h));
    const flight_gap gap = {
        .height = gravity / (omega * omega) * (alpha * deficit - cosine_deficit),
        .rate = -copysign(gravity / omega, t) * (alpha * one_less_cosine - deficit),
    };
    return gap;
}
/*[end flightGap]*/

void carom_hopper_flight(const carom_hopper_params *params, double alpha, double t, double *x,
                         double *v) {
    CAROM_ASSERT(params != NULL && x != NULL && v != NULL);
    const double g = params->gravity;
    const double masses = params->upper_mass + params->lower_mass;
    const double omega =
        sqrt(params->spring_stiffness * (1.0 / params->upper_mass + 1.0 / params->lower_mass));
    const double extension = g * masses / (params->upper_mass * omega * omega * cos(alpha));
    const flight_gap gap = gap_in_flight(g, omega, alpha, t);
    x[0] = gap.height + extension * cos(omega * t);
    x[1] = gap.height;
    v[0] = gap.rate - extension * omega * sin(omega * t);
    v[1] = gap.rate;
}

/** x_1 about its static place, with the contact force zero at the phase o' of the impact. */
static double oscillate_in_contact(double static_place, double static_length, double omega,
                                   double constrained_phase, double t, double *x, double *v) {
    const double amplitude = static_length / cos(constrained_phase);
    x[0] = static_place + amplitude * cos(omega * t);
    x[1] = 0.0;
    v[0] = -amplitude * omega * sin(omega * t);
    v[1] = 0.0;
    return 1.0 - cos(omega * t) / cos(constrained_phase);
}

double carom_hopper_stance(const carom_hopper_params *params, double constrained_phase, double t,
                           double *x, double *v) {
    CAROM_ASSERT(params != NULL && x != NULL && v != NULL);
    const double kappa = params->spring_stiffness;
    const double upper_weight = params->upper_mass * params->gravity;
    const double weight = upper_weight + params->lower_mass * params->gravity;
    const double omega = sqrt(kappa / params->upper_mass);
    return oscillate_in_contact(-upper_weight / kappa, weight / kappa, omega, constrained_phase, t,
                                x, v);
}

void carom_juggler_flight(const carom_juggler_params *params, double alpha, double t, double *x,
                          double *v) {
    CAROM_ASSERT(params != NULL && x != NULL && v != NULL);
    const double omega = sqrt(params->spring_stiffness / params->paddle_mass);
    const double length = params->gravity / (omega * omega);
    const flight_gap gap = gap_in_flight(params->gravity, omega, alpha, t);
    x[0] = length * (cos(omega * t) / cos(alpha) - 1.0);
    x[1] = gap.height;
    v[0] = -length * omega * sin(omega * t) / cos(alpha);
    v[1] = gap.rate;
}

double carom_juggler_stance(const carom_juggler_params *params, double constrained_phase, double t,
                            double *x, double *v) {
    CAROM_ASSERT(params != NULL && x != NULL && v != NULL);
    const double mass = params->paddle_mass + params->ball_mass;
    const double omega = sqrt(params->spring_stiffness / mass);
    const double length = mass * params->gravity / params->spring_stiffness;
    return oscillate_in_contact(-length, length, omega, constrained_phase, t, x, v);
}
