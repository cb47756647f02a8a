#include <carom/models/internal.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_poly.h>
#include <gsl/gsl_sf_ellint.h>
#include <gsl/gsl_sf_elljac.h>
#include <math.h>

/** sqrt(k) times the time from theta = 0 to the apex. */
static double half_argument(double apex_angle, double half, double modulus, double complement) {
    /* 1 - cd at theta = 0, then sn and its argument. */
    const double below = 2.0 * cos(half - 0.25 * apex_angle) * sin(0.25 * apex_angle) / modulus;
    const double squared = below * (2.0 - below);
    const double sn = sqrt(squared / (complement * complement + modulus * modulus * squared));
    gsl_sf_result argument = {NAN, NAN};
    const int code = gsl_sf_ellint_F_e(asin(fmin(1.0, sn)), modulus, GSL_PREC_DOUBLE, &argument);
    return code == GSL_SUCCESS ? argument.val : (double)NAN;
}

carom_zeno_swing carom_zeno_swing_of(const carom_zeno_block *block, double rate) {
    const double k = block->pendulum_share;
    const double a = block->corner_angle;
    carom_zeno_swing swing = {rate, NAN, NAN, NAN, NAN, NAN};

    /* sin(theta* + a) - sin a = rate^2/(2 k) (57). */
    const double rise = 0.5 * rate * rate / k;
    const double left = 1.0 - sin(a) - rise;
    if (!(left > 0.0)) {
        return swing;
    }
    swing.apex_cosine = sqrt(left * (1.0 + sin(a) + rise));
    swing.apex_angle = 2.0 * atan(rise / (cos(a) + swing.apex_cosine));

    /* The amplitude, and half a swing. */
    const double half = 0.5 * (swing.apex_angle + a) + M_PI_4;
    swing.modulus = sin(half);
    swing.complement = cos(half);
    swing.half_time =
        half_argument(swing.apex_angle, half, swing.modulus, swing.complement) / sqrt(k);
    return swing;
}

void carom_zeno_swing_turn(const carom_zeno_block *block, const carom_zeno_swing *swing, double t,
                           double *angle, double *rate) {
    const double k = block->pendulum_share;
    const double m = swing->modulus * swing->modulus;
    const double from_apex = t - swing->half_time;
    double sn = NAN;
    double cn = NAN;
    double dn = NAN;
    (void)gsl_sf_elljac_e(sqrt(k) * fabs(from_apex), m, &sn, &cn, &dn);

    /* sin(delta* /2) (1 - cd), then half the angle below the apex. */
    const double c = swing->complement;
    const double drop = swing->modulus * c * c * sn * sn / (dn * (dn + cn));
    const double root = sqrt(c * c + drop * (2.0 * swing->modulus - drop));
    const double half = 2.0 * atan(drop / (c + root));
    *angle = fmax(0.0, swing->apex_angle - 2.0 * half);

    /* rate^2 = 2 k (sin(theta* + a) - sin(theta + a)). */
    const double apex = swing->apex_angle + block->corner_angle;
    const double speed = 2.0 * sqrt(k * cos(apex - half) * sin(half));
    *rate = from_apex < 0.0 ? speed : -speed;
}

void carom_zeno_swing_force(const carom_zeno_block *block, double angle, double rate,
                            double *normal, double *tangential) {
    /* m times the acceleration of the centre on its circle, and the weight (61), (62). */
    const double m = block->params.mass;
    const double phi = angle + block->corner_angle;
    const double turning = -block->pendulum_share * cos(phi);
    const double r = block->half_diagonal;
    *normal = m * (block->params.gravity + r * (cos(phi) * turning - sin(phi) * rate * rate));
    *tangential = -m * r * (sin(phi) * turning + cos(phi) * rate * rate);
}

/** b: rate^2 = b - 2 k sin(theta + a) during a swing. */
static double energy_constant(const carom_zeno_block *block, const carom_zeno_swing *swing) {
    return swing->rate * swing->rate + 2.0 * block->pendulum_share * sin(block->corner_angle);
}

/** sin(theta + a) at both ends of a swing. */
static void sine_range(const carom_zeno_block *block, const carom_zeno_swing *swing,
                       double range[2]) {
    range[0] = sin(block->corner_angle);
    range[1] = range[0] + 0.5 * swing->rate * swing->rate / block->pendulum_share;
}

/** Normal force where sin(theta + a) = sine: m r (g/r - k + 3 k sine^2 - b sine). */
static double normal_force(const carom_zeno_block *block, const carom_zeno_swing *swing,
                           double sine) {
    const double k = block->pendulum_share;
    const double r = block->half_diagonal;
    const double b = energy_constant(block, swing);
    return block->params.mass * r * (block->params.gravity / r - k + sine * (3.0 * k * sine - b));
}

/** |tangential/normal force| there; the tangential one is m r cos(theta + a) (3 k sine - b). */
static double friction_at(const carom_zeno_block *block, const carom_zeno_swing *swing,
                          double sine) {
    const double cosine = sqrt(fmax(0.0, (1.0 - sine) * (1.0 + sine)));
    const double tangential = block->params.mass * block->half_diagonal * cosine *
                              (3.0 * block->pendulum_share * sine - energy_constant(block, swing));
    return fabs(tangential) / normal_force(block, swing, sine);
}

void carom_zeno_swing_normal_range(const carom_zeno_block *block, const carom_zeno_swing *swing,
                                   double *smallest, double *largest) {
    double ends[2];
    sine_range(block, swing, ends);
    *smallest = normal_force(block, swing, ends[0]);
    *largest = normal_force(block, swing, ends[1]);
}

double carom_zeno_swing_friction(const carom_zeno_block *block, const carom_zeno_swing *swing) {
    double ends[2];
    sine_range(block, swing, ends);
    double largest = fmax(friction_at(block, swing, ends[0]), friction_at(block, swing, ends[1]));

    /* The derivative of the ratio, times squares: cubic and quartic terms cancel. */
    const double k = block->pendulum_share;
    const double ratio = block->params.gravity / block->half_diagonal;
    const double b = energy_constant(block, swing);
    double roots[2];
    const int count = gsl_poly_solve_quadratic(-3.0 * k * (k + 2.0 * ratio), b * (ratio + 5.0 * k),
                                               3.0 * k * (ratio - k) - b * b, &roots[0], &roots[1]);
    for (int i = 0; i < count; i++) {
        if (roots[i] > ends[0] && roots[i] < ends[1]) {
            largest = fmax(largest, friction_at(block, swing, roots[i]));
        }
    }
    return largest;
}
