#include <carom/impact/internal.h>

#include <math.h>

/** Order of the Taylor series: steps of 1/e^2 of the radius of convergence leave e^-40 of it. */
enum { ORDER = 20 };

/** e^-2: the length of a step that costs least per digit (Jorba and Zou 2005). */
static const double STEP_FRACTION = 0.1353352832366127;

/** A path takes tens of steps: ln(1/rounding) over the decay of one, about 1/e. */
enum { MOST_STEPS = 10000 };

/** Halvings of an interval until its ends are neighbours, and a few more. */
enum { MOST_HALVINGS = 80 };

/** Taylor coefficients over sigma, ds = rho dsigma, from the start of a step. */
typedef struct slide_series {
    double u[2][ORDER + 1];
    double rho[ORDER + 1];
    double impulse[3][ORDER + 1];
    double v_n[ORDER + 1];
} slide_series;

double carom_routh_slide_normal_rate(const carom_routh_spatial_contact *k, const double *u) {
    return k->c_nn - k->mu * (k->c_nt[0] * u[0] + k->c_nt[1] * u[1]);
}

/** dv_t/ds while it slides along u. */
static void tangential_rate(const carom_routh_spatial_contact *k, const double *u, double *f) {
    f[0] = k->c_nt[0] - k->mu * (k->c_tt[0] * u[0] + k->c_tt[1] * u[1]);
    f[1] = k->c_nt[1] - k->mu * (k->c_tt[1] * u[0] + k->c_tt[2] * u[1]);
}

void carom_routh_slide_speeds(const carom_routh_spatial_contact *k, const double *before,
                              const double *impulse, double *speed) {
    const double *n = k->c_nt;
    const double *T = k->c_tt;
    speed[0] = before[0] + k->c_nn * impulse[0] + n[0] * impulse[1] + n[1] * impulse[2];
    speed[1] = before[1] + n[0] * impulse[0] + T[0] * impulse[1] + T[1] * impulse[2];
    speed[2] = before[2] + n[1] * impulse[0] + T[1] * impulse[1] + T[2] * impulse[2];
}

/** sum_i a_i b_(k-i). */
static double product(const double *a, const double *b, int k) {
    double sum = 0.0;
    for (int i = 0; i <= k; i++) {
        sum += a[i] * b[k - i];
    }
    return sum;
}

/**
 * du/dsigma = b w, drho/dsigma = a rho, dL/dsigma = rho (1, -mu u); w is u turned by a right angle,
 * a and b the parts of dv_t/ds along u and w.
 */
static void expand(const carom_routh_spatial_contact *k, const carom_routh_slide *at, double v_n,
                   slide_series *x) {
    double f[2][ORDER];
    double a[ORDER];
    double b[ORDER];
    for (int j = 0; j < 2; j++) {
        x->u[j][0] = at->u[j];
        x->impulse[j + 1][0] = at->impulse[j + 1];
    }
    x->rho[0] = at->rho;
    x->impulse[0][0] = at->impulse[0];
    x->v_n[0] = v_n;
    for (int i = 0; i < ORDER; i++) {
        const double u_i[2] = {x->u[0][i], x->u[1][i]};
        const double p[2] = {i == 0 ? k->c_nt[0] : 0.0, i == 0 ? k->c_nt[1] : 0.0};
        f[0][i] = p[0] - k->mu * (k->c_tt[0] * u_i[0] + k->c_tt[1] * u_i[1]);
        f[1][i] = p[1] - k->mu * (k->c_tt[1] * u_i[0] + k->c_tt[2] * u_i[1]);
        a[i] = product(x->u[0], f[0], i) + product(x->u[1], f[1], i);
        b[i] = product(x->u[0], f[1], i) - product(x->u[1], f[0], i);
        const double next = 1.0 / (i + 1);
        x->u[0][i + 1] = -next * product(b, x->u[1], i);
        x->u[1][i + 1] = next * product(b, x->u[0], i);
        x->rho[i + 1] = next * product(a, x->rho, i);
        x->impulse[0][i + 1] = next * x->rho[i];
        x->impulse[1][i + 1] = -next * k->mu * product(x->rho, x->u[0], i);
        x->impulse[2][i + 1] = -next * k->mu * product(x->rho, x->u[1], i);
        x->v_n[i + 1] = k->c_nn * x->impulse[0][i + 1] + k->c_nt[0] * x->impulse[1][i + 1] +
                        k->c_nt[1] * x->impulse[2][i + 1];
    }
}

/** A part of the radius of convergence, from the last two coefficients; turns by 1 at most. Roots
 * are taken beside a power of two of the size of the rates, so that units matter to no digit. */
static double step_length(const slide_series *x, double turning_rate, double largest_rate) {
    int exponent = 0;
    (void)frexp(largest_rate, &exponent);
    double length = 1.0 / turning_rate;
    for (int i = ORDER - 1; i <= ORDER; i++) {
        const double size =
            fmax(fmax(fabs(x->u[0][i]), fabs(x->u[1][i])), fabs(x->rho[i] / x->rho[0]));
        if (size > 0.0) {
            const double root = pow(ldexp(size, -i * exponent), -1.0 / i);
            length = fmin(length, STEP_FRACTION * ldexp(root, -exponent));
        }
    }
    return length;
}

/** sum_i x_i sigma^i. */
static double value(const double *x, double sigma) {
    double sum = x[ORDER];
    for (int i = ORDER - 1; i >= 0; i--) {
        sum = sum * sigma + x[i];
    }
    return sum;
}

/** Its derivative. */
static double slope(const double *x, double sigma) {
    double sum = ORDER * x[ORDER];
    for (int i = ORDER - 1; i >= 1; i--) {
        sum = sum * sigma + i * x[i];
    }
    return sum;
}

/** Where a function that is negative on (0, root) and then not, or the reverse, changes sign. */
static double sign_change(double (*function)(const double *, double), const double *x, double sign,
                          double high) {
    double low = 0.0;
    for (int i = 0; i < MOST_HALVINGS; i++) {
        const double middle = low + 0.5 * (high - low);
        if (sign * function(x, middle) < 0.0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

/**
 * The end of the impact within a step, or -1. Along less than half a turn dv_n/ds changes its sign
 * from positive to negative at most once: v_n has at most one largest value inside.
 */
static double find_end(const slide_series *x, double length) {
    if (value(x->v_n, length) >= 0.0) {
        return sign_change(value, x->v_n, 1.0, length);
    }
    if (slope(x->v_n, 0.0) > 0.0 && slope(x->v_n, length) < 0.0) {
        const double top = sign_change(slope, x->v_n, -1.0, length);
        if (value(x->v_n, top) >= 0.0) {
            return sign_change(value, x->v_n, 1.0, top);
        }
    }
    return -1.0;
}

/** Go to sigma within the step. */
static void advance(const slide_series *x, double sigma, carom_routh_slide *at) {
    const double u[2] = {value(x->u[0], sigma), value(x->u[1], sigma)};
    const double length = hypot(u[0], u[1]);
    at->u[0] = u[0] / length;
    at->u[1] = u[1] / length;
    at->rho = value(x->rho, sigma);
    for (int j = 0; j < 3; j++) {
        at->impulse[j] = value(x->impulse[j], sigma);
    }
}

/** Add ds of normal impulse along u without turning. */
static void advance_straight(const carom_routh_spatial_contact *k, double ds, double speed,
                             carom_routh_slide *at) {
    at->impulse[0] += ds;
    at->impulse[1] -= k->mu * at->u[0] * ds;
    at->impulse[2] -= k->mu * at->u[1] * ds;
    at->rho = fmax(0.0, at->rho + speed * ds);
}

/** The rest of the slide, straight: the direction u no longer changes. */
static carom_routh_slide_end finish_straight(const carom_routh_spatial_contact *k,
                                             double acceleration, double v_n,
                                             carom_routh_slide *at) {
    const double rate = carom_routh_slide_normal_rate(k, at->u);
    const double exit = rate > 0.0 ? -v_n / rate : (double)INFINITY;
    const double stop = acceleration < 0.0 ? -at->rho / acceleration : (double)INFINITY;
    if (!isfinite(exit) && !isfinite(stop)) {
        return CAROM_ROUTH_SLIDE_ENDLESS;
    }
    if (exit <= stop) {
        advance_straight(k, exit, acceleration, at);
        return CAROM_ROUTH_SLIDE_SEPARATED;
    }
    advance_straight(k, stop, acceleration, at);
    at->rho = 0.0;
    return CAROM_ROUTH_SLIDE_AT_REST;
}

carom_routh_slide_end carom_routh_slide_follow(const carom_routh_spatial_contact *k,
                                               const double *c, carom_routh_slide *at, int *steps) {
    const double largest = fabs(k->c_nt[0]) + fabs(k->c_nt[1]) + k->mu * (k->c_tt[0] + k->c_tt[2]);
    const double rest = CAROM_ROUTH_SLIDE_ROUNDING * (fabs(c[0]) + at->rho);
    for (*steps = 0; *steps < MOST_STEPS; (*steps)++) {
        double speed[3];
        carom_routh_slide_speeds(k, c, at->impulse, speed);
        double f[2];
        tangential_rate(k, at->u, f);
        const double turning_rate = fabs(at->u[0] * f[1] - at->u[1] * f[0]);
        if (turning_rate <= CAROM_ROUTH_SLIDE_ROUNDING * largest) {
            return finish_straight(k, at->u[0] * f[0] + at->u[1] * f[1], speed[0], at);
        }
        slide_series x;
        expand(k, at, speed[0], &x);
        const double length = step_length(&x, turning_rate, largest);
        const double end = find_end(&x, length);
        advance(&x, end >= 0.0 ? end : length, at);
        if (end >= 0.0) {
            return CAROM_ROUTH_SLIDE_SEPARATED;
        }
        if (at->rho <= rest) {
            at->rho = 0.0;
            return CAROM_ROUTH_SLIDE_AT_REST;
        }
    }
    *steps = -1;
    return CAROM_ROUTH_SLIDE_ENDLESS;
}
