#include <carom/collisionless/motion/two_modes.h>

#include <carom/collisionless/motion/internal.h>

#include <float.h>
#include <gsl/gsl_math.h>
#include <math.h>

/** Brent's method halves its bracket at least every few steps: far more than it takes. */
enum { ROOT_ITERATIONS = 200 };

/** Residual of a root's offset, at most pi/2: the rounding of an arctangent and its argument. */
static const double ROOT_TOLERANCE = 8.0 * DBL_EPSILON;

/** A free mode's eigenvalue, computed from matrices, is zero up to so many roundings of the largest
 * one. */
static const double FREE_MODE = 64.0 * DBL_EPSILON;

/** Below it sin z/z and tanh z/z are 1 - z^2/6 and 1 - z^2/3 to rounding (2 z^4/15 < 1e-17). */
static const double SMALL_ANGLE = 1e-4;

/**
 * Equation (22) solved for the tangent's branch: with y = turns pi + side offset, offset =
 * arctan(|tan y|) for offset in [0, pi/2]. The left side less the right rises throughout.
 */
typedef struct root_equation {
    carom_two_modes_root_kind kind;
    int turns;   /**< half turns, n-1 for alpha and gamma, n for beta */
    double side; /**< +1: y beyond that multiple of pi; -1: short of it */
    double rho;
} root_equation;

/** y = turns pi + side offset. */
static double root_place(const root_equation *equation, double offset) {
    return equation->turns * M_PI + equation->side * offset;
}

/** |tan y| as (22) wants it: y, rho tanh(rho y) or tanh(rho y)/rho, the last without 1/rho. */
static double wanted_tangent(const root_equation *equation, double y) {
    const double rho = equation->rho;
    switch (equation->kind) {
    case CAROM_TWO_MODES_BETA:
        return rho * tanh(rho * y);
    case CAROM_TWO_MODES_GAMMA:
        return y * (tanh(rho * y) / (rho * y));
    case CAROM_TWO_MODES_ALPHA:
    default:
        return y;
    }
}

static double root_residual(double offset, void *context) {
    const root_equation *equation = context;
    return offset - atan(wanted_tangent(equation, root_place(equation, offset)));
}

/** The offset of the root in [0, pi/2] by Brent's method, to rounding. */
/*[twoModesRoot]*/
static carom_status solve_offset(root_equation *equation, double *offset) {
    CAROM_AUTO_VALUE(carom_bracket) bracket = {.solver = NULL};
    CAROM_TRY(carom_bracket_init(&bracket));
    gsl_function f = {.function = root_residual, .params = equation};
    carom_status status = carom_bracket_start(&bracket, &f, 0.0, M_PI_2);
    for (int i = 0;
         i < ROOT_ITERATIONS && status == CAROM_OK && bracket.high - bracket.low > DBL_EPSILON;
         i++) {
        status = carom_bracket_narrow(&bracket);
    }
    *offset = bracket.root;
    const bool is_root = fabs(root_residual(*offset, equation)) <= ROOT_TOLERANCE;
    return status == CAROM_OK && is_root ? CAROM_OK : CAROM_STATUS_NOT_CONVERGED;
}
/*[end twoModesRoot]*/

carom_status carom_two_modes_root(carom_two_modes_root_kind kind, int n, double rho, double *root) {
    CAROM_ASSERT(root != NULL);
    *root = (double)NAN;
    const bool is_beta = kind == CAROM_TWO_MODES_BETA;
    const bool has_rho = kind != CAROM_TWO_MODES_ALPHA;
    if (has_rho && !isfinite(rho)) {
        return CAROM_STATUS_NOT_FINITE;
    }
    // The first root of alpha and gamma is the trivial one.
    if (n < (is_beta ? 1 : 2) || (has_rho && !(rho > 0.0))) {
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    root_equation equation = {
        .kind = kind,
        .turns = is_beta ? n : n - 1,
        .side = is_beta ? -1.0 : 1.0,
        .rho = rho,
    };
    double offset;
    CAROM_TRY(solve_offset(&equation, &offset));
    *root = root_place(&equation, offset);
    return CAROM_OK;
}

/** Interlacing spectra (6) with an oscillating constrained mode (20); the row. */
static carom_status check(const double *lambda, double lambda_constrained, bool is_free, int row,
                          carom_report *report) {
    static const char *const FIRST = "first unconstrained eigenvalue";
    static const char *const SECOND = "second unconstrained eigenvalue";
    static const char *const CONSTRAINED = "constrained eigenvalue";
    const char *const names[] = {FIRST, SECOND, CONSTRAINED};
    const double values[] = {lambda[0], lambda[1], lambda_constrained};
    for (int i = 0; i < 3; i++) {
        if (!isfinite(values[i])) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, names[i], values[i], -1);
        }
    }
    if (!(lambda_constrained > 0.0)) {
        return carom_report_refuse(report, CONSTRAINED, lambda_constrained, -1, "> 0");
    }
    if (!(lambda[1] > lambda_constrained)) {
        return carom_report_bound(report, SECOND, lambda[1], "above the constrained one,",
                                  lambda_constrained);
    }
    if (is_free ? fabs(lambda[0]) > FREE_MODE * lambda[1] : !(lambda[0] < 0.0)) {
        return carom_report_refuse(report, FIRST, lambda[0], -1, is_free ? "0" : "< 0");
    }
    if (row < 0) {
        return carom_report_refuse(report, "row", row, -1, ">= 0");
    }
    return CAROM_OK;
}

/** The phases, up to the constrained one, and the time of flight for the root of a column. */
static carom_status fly(carom_two_modes_root_kind kind, const double *lambda,
                        double lambda_constrained, int n, int row, carom_two_modes_impact *impact,
                        carom_report *report) {
    CAROM_ASSERT(lambda != NULL && impact != NULL);
    const double nan = (double)NAN;
    *impact = (carom_two_modes_impact){nan, nan, nan, nan, nan};
    const bool is_free = kind == CAROM_TWO_MODES_ALPHA;
    CAROM_TRY(check(lambda, lambda_constrained, is_free, row, report));

    const double omega = sqrt(lambda[1]);
    const double rho = is_free ? 0.0 : sqrt(-lambda[0]) / omega;
    double root;
    const carom_status status = carom_two_modes_root(kind, n, rho, &root);
    if (status != CAROM_OK) {
        return carom_report_fail(report, status, "column", n, -1);
    }
    impact->fast_phase = root;
    impact->slow_phase = rho * root;
    impact->time = root / omega;
    return CAROM_OK;
}

/** The constrained phase of row 0 moved up to its row, and its time. */
static void land(double first_phase, double lambda_constrained, int row,
                 carom_two_modes_impact *impact) {
    impact->constrained_phase = row * M_PI + first_phase;
    impact->constrained_time = impact->constrained_phase / sqrt(lambda_constrained);
}

/*[twoModesImpacts]*/
carom_status carom_two_modes_hop(const double *lambda, double lambda_constrained, int n, int row,
                                 carom_two_modes_impact *impact, carom_report *report) {
    CAROM_ASSERT(lambda != NULL && impact != NULL);
    CAROM_TRY(fly(CAROM_TWO_MODES_ALPHA, lambda, lambda_constrained, n, row, impact, report));
    // (24): pi - arctan(1/s) = pi/2 + arctan s
    const double s = 1.0 / (sqrt(lambda_constrained) * impact->time);
    land(M_PI_2 + atan(s), lambda_constrained, row, impact);
    return CAROM_OK;
}

carom_status carom_two_modes_wheel(const double *lambda, double lambda_constrained, int n, int row,
                                   carom_two_modes_impact *impact, carom_report *report) {
    CAROM_ASSERT(lambda != NULL && impact != NULL);
    CAROM_TRY(fly(CAROM_TWO_MODES_BETA, lambda, lambda_constrained, n, row, impact, report));
    // (26) with omega_2 tan o_2 = -nu_1 tanh o_1
    const double s = sqrt(-lambda[0] / lambda_constrained) * tanh(impact->slow_phase);
    land(atan(s), lambda_constrained, row, impact);
    return CAROM_OK;
}

carom_status carom_two_modes_rock(const double *lambda, double lambda_constrained, int n, int row,
                                  carom_two_modes_impact *impact, carom_report *report) {
    CAROM_ASSERT(lambda != NULL && impact != NULL);
    CAROM_TRY(fly(CAROM_TWO_MODES_GAMMA, lambda, lambda_constrained, n, row, impact, report));
    // (28) with omega_2 cot o_2 = nu_1 coth o_1
    const double s = sqrt(-lambda[0] / lambda_constrained) / tanh(impact->slow_phase);
    land(atan(s), lambda_constrained, row, impact);
    return CAROM_OK;
}
/*[end twoModesImpacts]*/

/**
 * C = cos(w t) and S = sin(w t)/w, or cosh and sinh, both divided by cosh where they grow, so that
 * nothing overflows and nothing happens at w = 0.
 */
static void time_functions(double lambda, double t, double *C, double *S) {
    const double w = sqrt(fabs(lambda));
    const double z = w * t;
    const bool grows = lambda < 0.0;
    *C = grows ? 1.0 : cos(z);
    if (fabs(z) < SMALL_ANGLE) {
        *S = t * (1.0 - z * z / (grows ? 3.0 : 6.0));
    } else {
        *S = (grows ? tanh(z) : sin(z)) / w;
    }
}

/** Velocity and acceleration of a mode at time t from its symmetry point, as a unit vector with
 * time in units of 1/scale. */
static void mode_direction(double lambda, bool is_odd, double t, double scale,
                           double direction[2]) {
    double C;
    double S;
    time_functions(lambda, t, &C, &S);
    // The even mode's common factor -lambda is left out: for lambda = 0 it is a fall from rest.
    direction[0] = is_odd ? C : S * scale;
    direction[1] = is_odd ? -lambda * S / scale : C;
    const double length = hypot(direction[0], direction[1]);
    direction[0] /= length;
    direction[1] /= length;
}

void carom_two_modes_residual(const double *lambda, double lambda_constrained, const bool *is_odd,
                              bool is_constrained_odd, double time, double constrained_time,
                              double *residual) {
    CAROM_ASSERT(lambda != NULL && is_odd != NULL && residual != NULL);
    const double largest = fmax(fabs(lambda_constrained), fmax(fabs(lambda[0]), fabs(lambda[1])));
    const double scale = sqrt(largest);
    double constrained[2];
    mode_direction(lambda_constrained, is_constrained_odd, -constrained_time, scale, constrained);
    for (int i = 0; i < 2; i++) {
        double flying[2];
        mode_direction(lambda[i], is_odd[i], time, scale, flying);
        residual[i] = flying[0] * constrained[1] - flying[1] * constrained[0];
    }
}

double carom_two_modes_force_ratio(bool is_constrained_odd, double constrained_phase,
                                   double phase) {
    return is_constrained_odd ? 1.0 + sin(phase) / sin(constrained_phase)
                              : 1.0 - cos(phase) / cos(constrained_phase);
}

/** (n - 1/2) pi - 1/(n pi), the beginning of alpha_n. */
static double alpha_series(int n) {
    return (n - 0.5) * M_PI - 1.0 / (n * M_PI);
}

double carom_two_modes_root_series(carom_two_modes_root_kind kind, int n, double rho) {
    CAROM_ASSERT(n >= 1);
    switch (kind) {
    case CAROM_TWO_MODES_BETA:
        return n * M_PI - atan(rho);
    case CAROM_TWO_MODES_GAMMA:
        return (n - 1) * M_PI + atan(1.0 / rho);
    case CAROM_TWO_MODES_ALPHA:
    default:
        return alpha_series(n);
    }
}

double carom_two_modes_hop_phase_series(double frequency_ratio, int n) {
    CAROM_ASSERT(n >= 1);
    const double r = frequency_ratio;
    return M_PI_2 + r / alpha_series(n) - gsl_pow_3(r / (n * M_PI)) / 3.0;
}

double carom_two_modes_phase_limit(double lambda_1, double lambda_constrained) {
    return atan(sqrt(-lambda_1 / lambda_constrained));
}
