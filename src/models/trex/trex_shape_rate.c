#include <carom/models/trex/internal.h>

#include <gsl/gsl_math.h>
#include <math.h>

double carom_trex_tail_length_rate(const carom_trex_params *params, carom_trex_shape_rate rate) {
    CAROM_ASSERT(params != NULL);
    const double r_1 = params->anterior_radius;
    const double r_2 = params->posterior_radius;
    const double sum = r_1 + r_2;
    const double difference = r_1 - r_2;
    const double sum_rate = rate.anterior_radius + rate.posterior_radius;
    const double difference_rate = rate.anterior_radius - rate.posterior_radius;
    if (params->tail == CAROM_TREX_TAIL_CONE) {
        const double product_rate = rate.posterior_radius * sum + r_2 * sum_rate;
        return (product_rate - r_2 * sum * difference_rate / difference) / difference;
    }
    /* r_1 (r_1 + r_2 w)/(r_1 - r_2) - (r_1 + r_2), w^2 = 2 r_1/(r_1 + r_2). */
    const double w = sqrt(2.0 * r_1 / sum);
    const double w_rate =
        (rate.anterior_radius * r_2 - r_1 * rate.posterior_radius) / (w * gsl_pow_2(sum));
    const double product = r_1 * (r_1 + r_2 * w);
    const double product_rate = rate.anterior_radius * (2.0 * r_1 + r_2 * w) +
                                r_1 * (rate.posterior_radius * w + r_2 * w_rate);
    return (product_rate - product * difference_rate / difference) / difference - sum_rate;
}

/** Mass of a solid sphere and its derivative. */
static void sphere_mass(double density, double radius, double radius_rate, double *mass,
                        double *mass_rate) {
    *mass = 4.0 / 3.0 * M_PI * density * gsl_pow_3(radius);
    *mass_rate = 4.0 * M_PI * density * gsl_pow_2(radius) * radius_rate;
}

/** Sums of the two rods of a leg, `line` the mass of a rod for its length:
 * mu = line (l_u^2/2 + l_u l_l), line l_l^2/2;
 * coupling line (l_u^3/4 + l_u^2 l_l), line l_u l_l^2/2, line l_l^3/4; spin line l^3/12. */
static void set_leg_rates(const carom_trex_params *params, carom_trex_shape_rate rate, double line,
                          int upper, int lower, carom_trex_inertia *out) {
    const double u = params->upper_length;
    const double l = params->lower_length;
    const double du = line * rate.upper_length;
    const double dl = line * rate.lower_length;
    out->moment[upper] = (u + l) * du + u * dl;
    out->moment[lower] = l * dl;
    out->coupling[upper][upper] = (0.75 * u * u + 2.0 * u * l) * du + u * u * dl;
    out->coupling[upper][lower] = 0.5 * l * l * du + u * l * dl;
    out->coupling[lower][upper] = out->coupling[upper][lower];
    out->coupling[lower][lower] = 0.75 * l * l * dl;
    out->spin[upper] = 0.25 * u * u * du;
    out->spin[lower] = 0.25 * l * l * dl;
}

carom_trex_inertia carom_trex_inertia_rate(const carom_trex_params *params,
                                           carom_trex_shape_rate rate) {
    CAROM_ASSERT(params != NULL);
    const double r_1 = params->anterior_radius;
    const double r_2 = params->posterior_radius;
    const double line = params->limb_density * params->limb_section;
    const double tail = carom_trex_tail_length(params->tail, r_1, r_2);
    const double tail_rate = carom_trex_tail_length_rate(params, rate);
    double m_1 = 0.0;
    double m_2 = 0.0;
    double m_1_rate = 0.0;
    double m_2_rate = 0.0;
    sphere_mass(params->body_density, r_1, rate.anterior_radius, &m_1, &m_1_rate);
    sphere_mass(params->body_density, r_2, rate.posterior_radius, &m_2, &m_2_rate);

    /* Behind the body joint, d = r_1 + r_2 away: the posterior sphere and the tail. */
    const double d = r_1 + r_2;
    const double d_rate = rate.anterior_radius + rate.posterior_radius;
    const double behind = m_2 + line * tail;
    const double behind_rate = m_2_rate + line * tail_rate;
    const int front = CAROM_TREX_ANTERIOR;
    const int back = CAROM_TREX_POSTERIOR;
    carom_trex_inertia out = {.mass = m_1_rate + behind_rate + 2.0 * line * rate.upper_length +
                                      2.0 * line * rate.lower_length};
    out.moment[front] = behind_rate * d + behind * d_rate;
    out.moment[back] = line * tail * tail_rate;
    out.coupling[front][front] = behind_rate * d * d + 2.0 * behind * d * d_rate;
    out.coupling[front][back] = line * tail * (tail_rate * d + 0.5 * tail * d_rate);
    out.coupling[back][front] = out.coupling[front][back];
    out.coupling[back][back] = 0.75 * line * gsl_pow_2(tail) * tail_rate;
    out.spin[front] = 0.4 * r_1 * (m_1_rate * r_1 + 2.0 * m_1 * rate.anterior_radius);
    out.spin[back] = 0.4 * r_2 * (m_2_rate * r_2 + 2.0 * m_2 * rate.posterior_radius) +
                     0.25 * line * gsl_pow_2(tail) * tail_rate;
    set_leg_rates(params, rate, line, CAROM_TREX_LEFT_UPPER, CAROM_TREX_LEFT_LOWER, &out);
    set_leg_rates(params, rate, line, CAROM_TREX_RIGHT_UPPER, CAROM_TREX_RIGHT_LOWER, &out);
    return out;
}
